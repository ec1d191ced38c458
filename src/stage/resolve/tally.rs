//! Counts the rules that resolved something, and lists what was not resolved. Shared by all threads; the result does
//! not depend on their order.

use crate::ndjson::{Str, write_json};
use crate::registry::{Reason, Rule};
use crate::report::{Error, Report, shown_path};
use crate::urls::UrlKey;
use crate::whole_file::WholeFile;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The use of a URL in a record.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Link,
    Image,
}

impl Use {
    pub(super) fn all(self) -> &'static str {
        ["links", "images"][self as usize]
    }

    pub(super) fn internal(self) -> &'static str {
        ["links_internal", "images_internal"][self as usize]
    }

    pub(super) fn resolved(self) -> &'static str {
        ["links_resolved", "images_resolved"][self as usize]
    }
}

const RULES: usize = Rule::ALL.len();

/// Counts by rule and, on request, unresolved URLs.
pub(super) struct Tally {
    rules: [[AtomicU64; RULES]; 2],
    unresolved: Option<Mutex<HashMap<Box<str>, Unresolved>>>,
    files: Vec<Arc<str>>,
}

struct Unresolved {
    count: u64,
    reason: Reason,
    /// The position of the first: number of the input, line.
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
    pub(super) fn new(lists_unresolved: bool, files: Vec<Arc<str>>) -> Self {
        let unresolved = lists_unresolved.then(Mutex::default);
        Tally { rules: Default::default(), unresolved, files }
    }

    /// Counts a decision by a rule.
    pub(super) fn rule(&self, r#use: Use, rule: Rule) {
        self.rules[r#use as usize][rule as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Records a URL of the site without a record.
    pub(super) fn unresolved<'a>(&self, url: &str, reason: Reason, bearer: impl FnOnce() -> Bearer<'a>) {
        let Some(list) = &self.unresolved else { return };
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
                // With an id next to it, a file may be found that is not found otherwise.
                entry.reason = entry.reason.min(reason);
            }
            None => {
                list.insert(url.into(), Unresolved { count: 1, reason, place, r#type: (*r#type).into(), id });
            }
        }
    }

    /// Adds the counts by rule to the others.
    pub(super) fn report(&self, report: &mut Report) {
        let of = |r#use: Use| {
            let counts = Rule::ALL.iter().map(|&rule| {
                (rule.name().to_owned(), self.rules[r#use as usize][rule as usize].load(Ordering::Relaxed))
            });
            let counts = counts.filter(|(_, count)| *count > 0).map(|(name, count)| (name, count.into()));
            serde_json::Value::Object(counts.collect())
        };
        report.detail("rules", serde_json::json!({ "links": of(Use::Link), "images": of(Use::Image) }));
    }

    /// Writes the list of unresolved URLs: most frequent first, then by URL.
    pub(super) fn write_unresolved(self, path: &Path, left_out: &HashSet<u128>) -> Result<(), Error> {
        let Some(list) = self.unresolved else { return Ok(()) };
        let list = list.into_inner().expect("no thread panicked while it noted a URL");
        let mut list: Vec<_> = list.into_iter().collect();
        list.sort_unstable_by(|(a, x), (b, y)| y.count.cmp(&x.count).then_with(|| a.cmp(b)));
        let mut file = WholeFile::create(path)?;
        let mut line = Vec::new();
        for (url, entry) in &list {
            let is_left_out = || UrlKey::new(url).is_some_and(|key| left_out.contains(&key.hash()));
            let reason = match entry.reason {
                Reason::Unknown if is_left_out() => Reason::LeftOut,
                reason => reason,
            };
            let first = First { r#type: &entry.r#type, id: entry.id };
            line.clear();
            write_json(&mut line, &Row { url, count: entry.count, first, reason: reason.name() });
            line.push(b'\n');
            file.write_all(&line).map_err(|e| Error::io(shown_path(path), e))?;
        }
        file.commit()
    }
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
