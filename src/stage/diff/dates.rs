//! Finds dates that do not fit: posts whose ids, comments or links show that they were published at another time. Each line has the
//! evidence, and the most frequent cause of such a date; it does not judge.
//!
//! WordPress numbers posts and files in the order in which they are made, so most dates rise with the ids. The longest rising sequence of
//! dates is called the line. A post whose date is off the line was made at another time than the date says.

use super::compare::version;
use super::context::owned;
use super::facts::KINDS;
use super::side::{Side, Site};
use super::text::longest;
use crate::ndjson::{Object, Output, Str, write_end, write_json};
use crate::record::dates::seconds;
use crate::record::{Change, Evidence, Link};
use crate::report::{Error, Report};
use std::collections::HashMap;

const DAY: i64 = 24 * 60 * 60;

/// At least this many records with ids in a row and dates before the line count as an import.
const IMPORTED: usize = 5;

/// A post or a file.
struct Item {
    id: i64,
    at: u64,
    date: i64,
    modified: i64,
    is_post: bool,
}

/// The position of a date relative to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    On,
    /// Earlier than the date of this item, which has a lower id.
    Before(usize),
    /// Later than the date of this item, which has a higher id.
    After(usize),
}

/// A site's posts and files, by id.
#[derive(Default)]
struct Dates {
    items: Vec<Item>,
    /// By post, its first comment: date, and position in the spool.
    comments: HashMap<i64, (i64, u64)>,
    /// By post: the posts that it links to; then the posts that link to it, and the files that were uploaded to it.
    links_to: HashMap<i64, Vec<i64>>,
    linked_by: HashMap<i64, Vec<i64>>,
    uploads: HashMap<i64, Vec<i64>>,
}

/// Writes a line for each post whose date does not fit.
pub(super) fn run(side: &Side, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let (mut ends, mut all) = (Vec::new(), 0);
    let mut counts = HashMap::<&str, u64>::new();
    for site in &side.sites {
        let dates = Dates::read(side, site)?;
        let places = dates.places();
        let mut lines = 0;
        for (number, item) in dates.items.iter().enumerate().filter(|(_, item)| item.is_post) {
            let evidence = dates.evidence(side, number, places[number])?;
            if evidence.is_empty() {
                continue;
            }
            let looks_like = dates.looks_like(&places, number, &evidence);
            *counts.entry(looks_like.unwrap_or("nothing")).or_default() += 1;
            write(side, item, evidence, looks_like, output)?;
            lines += 1;
        }
        all += lines;
        if site.has_end {
            write_end(&mut ends, Some(&site.name), lines);
        }
    }
    output.write(&ends)?;
    report.count("records_out", all);
    report.count("odd_date", all);
    report.conclude(format!("{all} odd dates"));
    report.detail(
        "looks_like",
        counts.iter().map(|(what, n)| ((*what).to_owned(), (*n).into())).collect::<serde_json::Map<_, _>>().into(),
    );
    Ok(())
}

fn write(
    side: &Side,
    item: &Item,
    evidence: Vec<Evidence<'_>>,
    looks_like: Option<&'static str>,
    output: &mut Output,
) -> Result<(), Error> {
    let line = side.line(item.at)?;
    let Ok(object) = Object::parse(&line) else { return Ok(()) };
    let change = Change {
        site: object.text("site"),
        kind: Some("change".into()),
        r#type: object.text("type"),
        id: Some(item.id),
        link: object.text("link"),
        change: Some("odd_date".into()),
        changes: vec!["odd_date".into()],
        new: version(&object),
        evidence,
        looks_like: looks_like.map(Str::from),
        ..Change::default()
    };
    let mut out = Vec::new();
    write_json(&mut out, &change);
    out.push(b'\n');
    output.write(&out)
}

impl Dates {
    fn read(side: &Side, site: &Site) -> Result<Self, Error> {
        let mut dates = Dates::default();
        side.each_line(site.records.clone(), |at, line| {
            if let Ok(object) = Object::parse(line) {
                dates.take(at, &object);
            }
        })?;
        dates.items.sort_by_key(|item| item.id);
        dates.items.dedup_by_key(|item| item.id);
        Ok(dates)
    }

    fn take(&mut self, at: u64, object: &Object<'_>) {
        let kind = object.text("kind").unwrap_or_default();
        let date = |key| object.text(key).and_then(|text| seconds(&text));
        let (Some(id), Some(own)) = (object.number("id"), date("date_gmt")) else { return };
        match KINDS.iter().position(|known| *known == &*kind).map(|kind| KINDS[kind]) {
            Some(kind @ ("post" | "media")) => {
                let is_post = kind == "post";
                self.items.push(Item { id, at, date: own, modified: date("modified_gmt").unwrap_or(own), is_post });
                if let Some(of) = object.number("post").filter(|of| *of != 0 && !is_post) {
                    self.uploads.entry(of).or_default().push(id);
                }
                let links: Vec<Link<'_>> = if is_post { object.read("links") } else { Vec::new() };
                let targets = links.iter().filter(|link| {
                    !matches!(
                        link.target.r#type.as_deref(),
                        None | Some("media" | "user" | "comment" | "category" | "tag" | "html")
                    )
                });
                for target in targets.filter_map(|link| link.target.id) {
                    self.links_to.entry(id).or_default().push(target);
                    self.linked_by.entry(target).or_default().push(id);
                }
            }
            Some("comment") => {
                let first = self.comments.entry(object.number("post").unwrap_or(0)).or_insert((own, at));
                *first = (*first).min((own, at));
            }
            _ => {}
        }
    }

    fn item(&self, id: i64) -> Option<&Item> {
        self.items.binary_search_by_key(&id, |item| item.id).ok().map(|at| &self.items[at])
    }

    /// The position of each date. The date of a file is always that of its upload.
    fn places(&self) -> Vec<Fit> {
        // The items on the line.
        let mut is_on = vec![false; self.items.len()];
        for number in longest(self.items.len(), |one, next| self.items[one].date <= self.items[next].date) {
            is_on[number] = true;
        }
        let mut places = vec![Fit::On; self.items.len()];
        let mut last = None;
        for number in 0..self.items.len() {
            if is_on[number] {
                last = Some(number);
            } else if let Some(lower) =
                last.filter(|&lower: &usize| self.items[number].date < self.items[lower].date - DAY)
            {
                places[number] = Fit::Before(lower);
            }
        }
        let mut following = None;
        for number in (0..self.items.len()).rev() {
            if is_on[number] {
                following = Some(number);
            } else if let Some(higher) =
                following.filter(|&higher: &usize| self.items[number].date > self.items[higher].date + DAY)
            {
                places[number] = Fit::After(higher);
            }
        }
        places
    }

    /// The evidence that the date of a post does not fit.
    fn evidence(&self, side: &Side, number: usize, place: Fit) -> Result<Vec<Evidence<'static>>, Error> {
        let item = &self.items[number];
        let mut found = Vec::new();
        if let Fit::Before(other) | Fit::After(other) = place {
            found.push(evidence(side, "ids", item, self.items[other].at)?);
        }
        if item.modified < item.date - 60 {
            found.push(evidence(side, "modified", item, item.at)?);
        }
        if let Some(&(date, at)) = self.comments.get(&item.id)
            && date < item.date - DAY
        {
            found.push(evidence(side, "comment", item, at)?);
        }
        match place {
            Fit::On => {}
            Fit::After(_) => {
                // A record that links to the post, and was last edited before the post's date, shows that the post already existed.
                let sources = self.linked_by.get(&item.id).into_iter().flatten().filter_map(|&id| self.item(id));
                let earlier = sources.filter(|source| source.date.max(source.modified) < item.date - DAY);
                if let Some(source) = earlier.min_by_key(|source| (source.date, source.id)) {
                    found.push(evidence(side, "linked_by", item, source.at)?);
                }
            }
            Fit::Before(_) => {
                let last = item.date.max(item.modified) + DAY;
                for (rule, ids) in [("links_to", &self.links_to), ("upload", &self.uploads)] {
                    let known = ids.get(&item.id).into_iter().flatten().filter_map(|&id| self.item(id));
                    if let Some(later) = known.filter(|one| one.date > last).max_by_key(|one| (one.date, one.id)) {
                        found.push(evidence(side, rule, item, later.at)?);
                    }
                }
            }
        }
        Ok(found)
    }

    /// The most frequent cause of such a date. Only a comment or a link distinguishes a post that was re-dated from a draft that took long.
    fn looks_like(&self, places: &[Fit], number: usize, evidence: &[Evidence<'_>]) -> Option<&'static str> {
        let has = |rule: &str| evidence.iter().any(|one| one.rule.as_deref() == Some(rule));
        if has("comment") || has("linked_by") {
            return None;
        }
        let is_before = |place: &&Fit| matches!(place, Fit::Before(_));
        let run = places[number..].iter().take_while(is_before).take(IMPORTED).count()
            + places[..number].iter().rev().take_while(is_before).take(IMPORTED).count();
        match places[number] {
            _ if has("modified") => Some("scheduled"),
            Fit::Before(_) if run >= IMPORTED => Some("import"),
            Fit::After(_) => Some("draft"),
            Fit::Before(_) | Fit::On => None,
        }
    }
}

/// The evidence that compares the date of `item` with that of the record at `at`.
fn evidence(side: &Side, rule: &'static str, item: &Item, at: u64) -> Result<Evidence<'static>, Error> {
    let dated = |at: u64| -> Result<Evidence<'static>, Error> {
        let line = side.line(at)?;
        let Ok(object) = Object::parse(&line) else { return Ok(Evidence::default()) };
        let text = |key| owned(object.text(key));
        let id = object.number("id");
        let (value, expected) = (text("date_gmt"), text("modified_gmt"));
        Ok(Evidence { rule: Some(rule.into()), value, expected, r#type: text("type"), id, link: text("link") })
    };
    let (own, other) = (dated(item.at)?, dated(at)?);
    Ok(if rule == "modified" {
        Evidence { value: own.expected, expected: own.value, rule: own.rule, ..Evidence::default() }
    } else {
        Evidence { value: own.value, expected: other.value, ..other }
    })
}
