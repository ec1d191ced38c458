//! Counts the rules by which URLs were resolved to records, and lists unresolved URLs. Shared by all threads; the
//! result does not depend on their order.

use crate::ndjson::{Str, write_json};
use crate::record::{Missing, Reason};
use crate::registry::Rule;
use crate::report::{Error, Report};
use crate::urls::UrlKey;
use crate::whole_file::WholeFile;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The use of a URL in a record.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Link,
    Image,
    Embed,
}

impl Use {
    /// The names of the counts: all of them, internal ones, and those with a target.
    pub(super) fn counts(self) -> [&'static str; 3] {
        match self {
            Use::Link => ["links", "links_internal", "links_resolved"],
            Use::Image => ["images", "images_internal", "images_resolved"],
            Use::Embed => ["embeds", "embeds_internal", "embeds_resolved"],
        }
    }
}

const USES: usize = 3;
const RULES: usize = Rule::ALL.len();
const REASONS: usize = Reason::ALL.len();

/// Counts by rule and by reason and, on request, unresolved URLs.
pub(super) struct Tally {
    rules: [[AtomicU64; RULES]; USES],
    reasons: [[AtomicU64; REASONS]; USES],
    /// The URLs of pages that are not records, by wp-index's log.
    left_out: HashSet<u128>,
    unresolved: Option<Mutex<HashMap<Box<str>, Unresolved>>>,
    files: Vec<Arc<str>>,
}

struct Unresolved {
    count: u64,
    reason: Reason,
    /// The position of the first occurrence: the number of the input, and the line.
    place: (usize, u64),
    r#type: Box<str>,
    id: Option<i64>,
}

/// The record that contains a URL.
pub(super) struct Bearer<'a> {
    pub file: &'a Arc<str>,
    pub line: u64,
    pub r#type: Str<'a>,
    pub id: Option<i64>,
}

impl Tally {
    pub(super) fn new(lists_unresolved: bool, left_out: HashSet<u128>, files: Vec<Arc<str>>) -> Self {
        let unresolved = lists_unresolved.then(Mutex::default);
        Tally { rules: Default::default(), reasons: Default::default(), left_out, unresolved, files }
    }

    /// The final reason for a URL, given the registry's reason: only wp-index's log shows which pages were left out.
    pub(super) fn reason(&self, url: &str, reason: Reason) -> Reason {
        let is_left_out = || UrlKey::new(url).is_some_and(|key| self.left_out.contains(&key.hash()));
        match reason {
            Reason::Unknown if !self.left_out.is_empty() && is_left_out() => Reason::LeftOut,
            reason => reason,
        }
    }

    pub(super) fn rule(&self, r#use: Use, rule: Rule) {
        self.rules[r#use as usize][rule as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Adds a URL of the site that has no record.
    pub(super) fn unresolved<'a>(&self, url: &str, r#use: Use, reason: Reason, bearer: impl FnOnce() -> Bearer<'a>) {
        self.reasons[r#use as usize][reason as usize].fetch_add(1, Ordering::Relaxed);
        let Some(list) = self.unresolved.as_ref().filter(|_| reason.missing() != Missing::NoRecord) else { return };
        let Bearer { file, line, r#type, id } = bearer();
        let file = self.files.iter().position(|other| **other == **file).unwrap_or(self.files.len());
        let place = (file, line);
        let mut list = list.lock().expect("no thread panics while it notes a URL");
        match list.get_mut(url) {
            Some(entry) => {
                entry.count += 1;
                if place < entry.place {
                    entry.place = place;
                    entry.r#type = (*r#type).into();
                    entry.id = id;
                }
                entry.reason = entry.reason.min(reason);
            }
            None => {
                list.insert(url.into(), Unresolved { count: 1, reason, place, r#type: (*r#type).into(), id });
            }
        }
    }

    /// Adds the counts by rule and by reason to the report.
    pub(super) fn report(&self, report: &mut Report) {
        let rules = Rule::ALL.iter().map(|rule| rule.name());
        report.detail("rules", by_name(rules, &self.rules));
        let reasons = Reason::ALL.iter().map(|reason| reason.name());
        report.detail("reasons", by_name(reasons, &self.reasons));
    }

    /// Writes the list of unresolved URLs: most frequent first, then by URL.
    pub(super) fn write_unresolved(self, path: &Path) -> Result<(), Error> {
        let Some(list) = self.unresolved else { return Ok(()) };
        let list = list.into_inner().expect("no thread panicked while it noted a URL");
        let mut list: Vec<_> = list.into_iter().collect();
        list.sort_unstable_by(|(a, x), (b, y)| y.count.cmp(&x.count).then_with(|| a.cmp(b)));
        let mut file = WholeFile::create(path)?;
        let mut line = Vec::new();
        for (url, entry) in &list {
            let first = First { r#type: &entry.r#type, id: entry.id };
            line.clear();
            write_json(&mut line, &Row { url, count: entry.count, first, reason: entry.reason.name() });
            line.push(b'\n');
            file.put(&line)?;
        }
        file.commit()
    }
}

/// The counts of links, of images and of embeds that are not 0.
fn by_name<const N: usize>(
    names: impl Iterator<Item = &'static str> + Clone,
    counts: &[[AtomicU64; N]; USES],
) -> Value {
    let of = |r#use: Use| {
        let counts = counts[r#use as usize].iter().map(|count| count.load(Ordering::Relaxed));
        let counts = names.clone().zip(counts).filter(|(_, count)| *count > 0);
        Value::Object(counts.map(|(name, count)| (name.to_owned(), count.into())).collect())
    };
    json!({ "links": of(Use::Link), "images": of(Use::Image), "embeds": of(Use::Embed) })
}

/// A line of the list of unresolved URLs.
#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    count: u64,
    first: First<'a>,
    reason: &'static str,
}

/// The first record that contains the URL.
#[derive(Serialize)]
struct First<'a> {
    r#type: &'a str,
    id: Option<i64>,
}
