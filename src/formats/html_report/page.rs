//! Prepares the lists on a report's page that are not among its numbers. Everything else, its words and its layout, is
//! in the template `report.html`.

mod changes;
mod template;

use super::accounts::Account;
use super::overview::{Language, Overview, Pair};
use crate::export::dataset::card;
use crate::export::dataset::manifest::Otherwise;
use crate::export::dataset::references::References;
use crate::export::dataset::rights::RightsCount;
use crate::export::dataset::tally::{Tally, TypeCount};
use crate::report::Error;
use changes::ChangesPart;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use template::{ROWS, environment, most};

/// The most columns of a chart over time.
const COLUMNS: usize = 80;

const NONE: &str = "none";
const COPIES: &str = "copies";

/// The names that the template uses.
#[derive(Serialize)]
struct Page<'o> {
    title: String,
    version: &'static str,
    rows: usize,
    written: u64,
    groups: u64,
    tags: usize,
    copies: u64,
    text_in_others: Vec<Otherwise<'o>>,
    links: References,
    images: References,
    rights: &'o RightsCount,
    left_out: Vec<TypeCount>,
    of: &'o Overview,
    types: Table,
    languages: Vec<&'o Language>,
    matrix: Table,
    /// The period of a column in the chart over time: a month or a year.
    period: &'static str,
    periods: Vec<Period>,
    defects: Vec<(&'o str, &'o str, u64)>,
    changes: Option<ChangesPart<'o>>,
}

/// A table of numbers by two names.
#[derive(Serialize)]
struct Table {
    columns: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    /// The sum of all columns, shown or not.
    all: u64,
    numbers: Vec<u64>,
}

#[derive(Serialize)]
struct Period {
    name: String,
    documents: u64,
}

/// The page of a dataset.
///
/// # Errors
/// If the template uses an undefined name.
pub(super) fn write(of: &Overview, tally: &Tally) -> Result<String, Error> {
    let mut languages: Vec<&Language> = of.languages.iter().collect();
    languages.sort_by_key(|one| std::cmp::Reverse(one.of.documents));
    languages.truncate(ROWS);
    let (period, periods) = periods(of);
    let page = Page {
        title: card::title(tally),
        version: env!("CARGO_PKG_VERSION"),
        rows: ROWS,
        written: tally.written().saturating_sub(of.changed.records),
        groups: tally.groups(),
        tags: tally.in_own_words().count(),
        copies: tally.copies.values().sum(),
        text_in_others: Otherwise::all(tally),
        links: tally.links,
        images: tally.images,
        rights: &tally.rights,
        left_out: tally.left_out.sorted(),
        of,
        types: types(of),
        languages,
        matrix: matrix(of),
        period,
        periods,
        defects: defects(of),
        changes: changes::part(&of.changed),
    };
    let rendered = environment().and_then(|of| of.get_template(template::NAME)?.render(Value::from(Serde(&page))));
    rendered.map(|html| html + "\n").map_err(|e| Error::Fatal(format!("the template of the report: {e:#}")))
}

fn label(language: Option<&str>) -> String {
    language.unwrap_or(NONE).to_owned()
}

impl Table {
    fn new(rows: Vec<(String, u64)>, columns: Vec<String>, cells: &BTreeMap<(String, String), u64>) -> Self {
        let row = |(name, all): (String, u64)| {
            let cell = |column: &String| cells.get(&(name.clone(), column.clone())).copied().unwrap_or(0);
            let numbers = columns.iter().map(cell).collect();
            Row { name, all, numbers }
        };
        Table { rows: rows.into_iter().map(row).collect(), columns }
    }
}

/// Records by type and language; copies have a column of their own.
fn types(of: &Overview) -> Table {
    let (mut types, mut tags, mut cells) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for row in &of.records {
        let name = row.r#type.clone();
        *types.entry(name.clone()).or_default() += row.records;
        for (tag, n) in [(label(row.language.as_deref()), row.records - row.copies), (COPIES.to_owned(), row.copies)] {
            if n > 0 {
                *tags.entry(tag.clone()).or_default() += n;
                *cells.entry((name.clone(), tag)).or_default() += n;
            }
        }
    }
    Table::new(most(types), most(tags).into_iter().map(|(tag, _)| tag).take(ROWS - 1).collect(), &cells)
}

/// Documents by their own language and that of a translation.
fn matrix(of: &Overview) -> Table {
    let pair = |pair: &Pair| ((label(pair.language.as_deref()), pair.translation.clone()), pair.documents);
    let cells: BTreeMap<(String, String), u64> = of.pairs.iter().map(pair).collect();
    let documents: BTreeMap<String, u64> =
        of.languages.iter().map(|one| (label(one.language.as_deref()), one.of.documents)).collect();
    let (rows, columns): (BTreeSet<String>, BTreeSet<String>) = cells.keys().cloned().unzip();
    let rows = rows.into_iter().map(|tag| (documents.get(&tag).copied().unwrap_or(0), tag));
    Table::new(rows.map(|(n, tag)| (tag, n)).collect(), columns.into_iter().take(ROWS).collect(), &cells)
}

/// One column per year, or per month if these are few, including columns without documents between others.
fn periods(of: &Overview) -> (&'static str, Vec<Period>) {
    let dated = of.published.iter().filter_map(|one| Some((one.month.as_deref()?, one.documents)));
    let months: BTreeMap<i64, u64> = dated
        .filter_map(|(month, n)| {
            let (year, month) = month.split_once('-')?;
            Some((year.parse::<i64>().ok()? * 12 + month.parse::<i64>().ok()? - 1, n))
        })
        .collect();
    let (Some(first), Some(last)) = (months.keys().next(), months.keys().last()) else { return ("month", Vec::new()) };
    let (span, period): (i64, _) = if last - first < 36 { (1, "month") } else { (12, "year") };
    let mut counts = BTreeMap::<i64, u64>::new();
    months.iter().for_each(|(month, n)| *counts.entry(month / span).or_default() += n);
    let all = first / span..=last / span;
    let places: Vec<i64> =
        if all.clone().count() <= COLUMNS { all.collect() } else { counts.keys().copied().collect() };
    let name = |at: i64| if span == 1 { format!("{:04}-{:02}", at / 12, at % 12 + 1) } else { format!("{at:04}") };
    let count = |at: &i64| Period { name: name(*at), documents: counts.get(at).copied().unwrap_or(0) };
    (period, places[places.len().saturating_sub(COLUMNS)..].iter().map(count).collect())
}

/// The defects that stages found: stage, kind, number.
fn defects<'o>(of: &'o Overview) -> Vec<(&'o str, &'o str, u64)> {
    let kinds = |account: &'o Account| {
        let kinds = account.counts.get("defects").and_then(serde_json::Value::as_object);
        kinds.into_iter().flatten().map(|(kind, n)| (account.program.as_str(), kind.as_str(), n.as_u64().unwrap_or(0)))
    };
    of.accounts.iter().flat_map(kinds).collect()
}
