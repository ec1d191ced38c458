//! Prepares the part of the page about wp-diff's records: tables of changes, and charts of ids against dates.

use super::{NONE, Table};
use crate::formats::html_report::changes::{ChangedBlock, ChangedText, Changes, Dated, Dates};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Classes of changes, in the order of wp-diff.
const CLASSES: [&str; 7] = ["added", "gone", "renumbered", "moved", "redated", "changed", "odd_date"];

/// The most months that have a row each; with more, the rows are years.
const MONTHS: usize = 24;

/// The height of the drawing, in pixels.
const HEIGHT: f64 = 240.0;
/// The margin below the lowest and above the highest date, in pixels.
const EDGE: f64 = 10.0;

/// The values for the template.
#[derive(Serialize)]
pub(super) struct ChangesPart<'o> {
    records: u64,
    classes: Table,
    /// The length of a period: a month or a year.
    period: &'static str,
    /// The name of each period, and the numbers of records added and deleted in it.
    periods: Vec<(String, u64, u64)>,
    gone: &'o BTreeSet<[String; 3]>,
    texts: Vec<Text<'o>>,
    charts: Vec<Chart<'o>>,
}

/// A text that changed.
#[derive(Serialize)]
struct Text<'o> {
    title: &'o str,
    link: &'o str,
    r#type: &'o str,
    size: usize,
    blocks: &'o [ChangedBlock],
    more: usize,
}

/// A chart: ids from left to right, dates from bottom to top.
#[derive(Serialize)]
struct Chart<'o> {
    site: &'o str,
    height: f64,
    first_id: i64,
    last_id: i64,
    first_date: &'o str,
    last_date: &'o str,
    posts: Vec<Point>,
    odd: Vec<Odd<'o>>,
}

/// A position: per cent from the left, and pixels from the top.
#[derive(Serialize)]
struct Point {
    left: f64,
    top: f64,
}

#[derive(Serialize)]
struct Odd<'o> {
    left: f64,
    top: f64,
    /// The position of its old date, in pixels from the top.
    before: Option<f64>,
    id: i64,
    title: &'o str,
    date: &'o str,
    old_date: Option<&'o str>,
}

/// The part of the page; `None` without changes.
pub(super) fn part(of: &Changes) -> Option<ChangesPart<'_>> {
    if of.is_empty() {
        return None;
    }
    let mut types: BTreeMap<&str, u64> = BTreeMap::new();
    of.classes.iter().for_each(|((r#type, _), n)| *types.entry(r#type).or_default() += n);
    let is_there = |class: &&str| of.classes.keys().any(|(_, there)| there == class);
    let columns = CLASSES.iter().copied().filter(is_there).map(str::to_owned).collect();
    let rows = types.into_iter().map(|(name, all)| (name.to_owned(), all)).collect();
    let (period, periods) = periods(&of.months);
    Some(ChangesPart {
        records: of.records,
        classes: Table::new(rows, columns, &of.classes),
        period,
        periods,
        gone: &of.gone,
        texts: of.texts.iter().map(Text::of).collect(),
        charts: of.dates.iter().filter_map(|(site, dates)| Chart::of(site, dates)).collect(),
    })
}

impl<'o> Text<'o> {
    fn of(text: &'o ChangedText) -> Self {
        let ChangedText { size, link, title, r#type, all, blocks } = text;
        Text { title, link, r#type, size: size.0, blocks, more: all - blocks.len() }
    }
}

fn periods(months: &BTreeMap<String, [u64; 2]>) -> (&'static str, Vec<(String, u64, u64)>) {
    let (period, length) = if months.len() > MONTHS { ("year", 4) } else { ("month", 7) };
    let mut sums: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for (month, [added, gone]) in months {
        let name = if month.is_empty() { NONE } else { month.get(..length).unwrap_or(month) };
        let sum = sums.entry(name).or_default();
        sum[0] += added;
        sum[1] += gone;
    }
    (period, sums.into_iter().map(|(name, [added, gone])| (name.to_owned(), added, gone)).collect())
}

/// A date as a number that increases with it: years and fractions of a year.
fn years(date: &str) -> Option<f64> {
    let number = |range: std::ops::Range<usize>| date.get(range)?.parse::<f64>().ok();
    Some(number(0..4)? + (number(5..7)? - 1.0) / 12.0 + (number(8..10)? - 1.0) / 372.0)
}

fn day(date: &str) -> &str {
    date.get(..10).unwrap_or(date)
}

impl<'o> Chart<'o> {
    /// The chart of a site; `None` if all its dates are in order.
    fn of(site: &'o str, dates: &'o Dates) -> Option<Chart<'o>> {
        if dates.odd.is_empty() {
            return None;
        }
        let all = || dates.posts.values().chain(dates.odd.values());
        let days: BTreeSet<&str> =
            all().flat_map(|of| [Some(&of.date), of.before.as_ref()]).flatten().map(|date| day(date)).collect();
        let (first_date, last_date) = (*days.first()?, *days.last()?);
        let (low, high) = (years(first_date)?, years(last_date)?);
        let (first_id, last_id) = (all().map(|of| of.id).min()?, all().map(|of| of.id).max()?);
        let rounded = |number: f64| (number * 100.0).round() / 100.0;
        let left = |of: &Dated| rounded(1.0 + 98.0 * (of.id - first_id) as f64 / ((last_id - first_id).max(1)) as f64);
        let top = |date: &str| {
            let share = (years(date).unwrap_or(low) - low) / (high - low).max(0.001);
            rounded(HEIGHT - EDGE - share * (HEIGHT - 2.0 * EDGE))
        };
        let odd = |of: &'o Dated| Odd {
            left: left(of),
            top: top(&of.date),
            before: of.before.as_deref().map(top),
            id: of.id,
            title: &of.title,
            date: day(&of.date),
            old_date: of.before.as_deref().map(day),
        };
        Some(Chart {
            site,
            height: HEIGHT,
            first_id,
            last_id,
            first_date,
            last_date,
            posts: dates.posts.values().map(|of| Point { left: left(of), top: top(&of.date) }).collect(),
            odd: dates.odd.values().map(odd).collect(),
        })
    }
}
