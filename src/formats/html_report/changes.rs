//! Collects the part of a report about wp-diff's records: how many records changed and how, how many were added and deleted by
//! date, the texts that changed most, and where ids and dates disagree. Memory is bounded, and the result does not depend on
//! the order of the input.

use super::view::{ChangeView, View};
use crate::export::dataset::envelope::Enveloped;
use crate::export::dataset::key::Key;
use crate::record::{BlockChange, Version};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most texts whose changed blocks are shown.
const TEXTS: usize = 10;
/// The most changed blocks that are shown of a text.
const BLOCKS: usize = 12;
/// The most letters that are shown of each side of a block.
const LETTERS: usize = 1500;
/// The most deleted records whose titles are shown.
const GONE: usize = 50;
/// The most sites with a chart of ids against dates.
const SITES: usize = 4;
/// The most points of a site in its chart.
const POINTS: usize = 500;

/// The data kept from changes, and from other records for comparison.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The number of records of wp-diff.
    pub(super) records: u64,
    /// The number of changes by type and class; a record may have several classes.
    pub(super) classes: BTreeMap<(String, String), u64>,
    /// The numbers of added and of deleted records, by month of publication, `YYYY-MM`; empty without a month.
    pub(super) months: BTreeMap<String, [u64; 2]>,
    /// The texts that changed most, the most changed first.
    pub(super) texts: BTreeSet<ChangedText>,
    /// The type, title and link of deleted records, the first in this order; without a title, the first letters of the text.
    pub(super) gone: BTreeSet<[String; 3]>,
    pub(super) dates: BTreeMap<String, Dates>,
}

/// A text with what changed in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChangedText {
    /// The number of letters added and removed; the largest comes first.
    pub(super) size: Reverse<usize>,
    pub(super) link: String,
    pub(super) title: String,
    pub(super) r#type: String,
    /// The number of blocks that differ, shown or not.
    pub(super) all: usize,
    pub(super) blocks: Vec<ChangedBlock>,
}

/// Both sides of a block, in pieces.
#[derive(Clone, Debug, Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChangedBlock {
    pub(super) op: String,
    pub(super) old: Vec<Piece>,
    pub(super) new: Vec<Piece>,
}

/// Words that are on both sides, or only on one.
#[derive(Clone, Debug, Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) is_same: bool,
    pub(super) text: String,
}

/// Ids and dates of a site's posts, by hashes of their keys: a sample of all posts, and the posts whose dates do not fit.
#[derive(Clone, Debug, Default)]
pub(super) struct Dates {
    pub(super) posts: BTreeMap<u64, Dated>,
    pub(super) odd: BTreeMap<u64, Dated>,
}

/// The id of a post and its date; if the date was changed, also the old one.
#[derive(Clone, Debug)]
pub(super) struct Dated {
    pub(super) id: i64,
    pub(super) date: String,
    pub(super) before: Option<String>,
    pub(super) title: String,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Adds the id and the date of a post.
    pub(super) fn add_post(&mut self, record: &Enveloped<'_, View<'_>>) {
        let (kind, r#type) = record.envelope.filed();
        if let ("post", Some(id), Some(date)) = (kind, record.id, record.date_gmt.as_deref()) {
            let dated = Dated { id, date: date.to_owned(), before: None, title: String::new() };
            let site = record.envelope.site.as_deref().unwrap_or_default();
            self.dates_of(site).posts.insert(Key::new(site, r#type, record.id, None).0, dated);
            self.bound();
        }
    }

    fn dates_of(&mut self, site: &str) -> &mut Dates {
        if !self.dates.contains_key(site) {
            self.dates.insert(site.to_owned(), Dates::default());
        }
        self.dates.get_mut(site).expect("it is there now")
    }

    pub(super) fn add(&mut self, record: &Enveloped<'_, ChangeView<'_>>) {
        let (site, r#type) = (record.envelope.site.as_deref().unwrap_or_default(), record.envelope.r#type.as_deref());
        let (r#type, change) = (r#type.unwrap_or_default(), record.change.as_deref().unwrap_or_default());
        self.records += 1;
        let mut classes: Vec<&str> = record.changes.iter().map(|class| &**class).collect();
        if classes.is_empty() {
            classes.push(change);
        }
        for class in &classes {
            *self.classes.entry((r#type.to_owned(), (*class).to_owned())).or_default() += 1;
        }
        if let Some(side) = ["added", "gone"].iter().position(|class| *class == change) {
            let version = if side == 0 { &record.new } else { &record.old };
            let month = version.date_gmt.as_deref().and_then(|date| date.get(..7)).unwrap_or_default();
            self.months.entry(month.to_owned()).or_default()[side] += 1;
        }
        if change == "gone" {
            let first = record.text.first().and_then(|block| block.old.as_deref()).unwrap_or_default();
            let title = record.old.title.as_deref().filter(|title| !title.is_empty()).unwrap_or(first);
            let title = title.chars().take(100).collect();
            self.gone.insert([r#type.to_owned(), title, record.link.as_deref().unwrap_or_default().to_owned()]);
        } else if !record.text.is_empty() {
            self.texts.insert(ChangedText::of(record, r#type));
        }
        let title = |version: &Version<'_>| version.title.as_deref().unwrap_or_default().to_owned();
        let (is_redated, is_odd) = (classes.contains(&"redated"), change == "odd_date");
        let date = |version: &Version<'_>| version.date_gmt.as_deref().map(str::to_owned);
        let new = if record.new.date_gmt.is_some() { &record.new } else { &record.old };
        if let (true, Some(id), Some(now)) = (is_redated || is_odd, record.id, date(new)) {
            let before = date(&record.old).filter(|before| is_redated && *before != now);
            let key = Key::new(site, r#type, record.id, None);
            self.dates_of(site).odd.insert(key.0, Dated { id, date: now, before, title: title(new) });
        }
        self.bound();
    }

    /// Adds the data of other records.
    pub(super) fn absorb(&mut self, other: Changes) {
        self.records += other.records;
        other.classes.into_iter().for_each(|(key, n)| *self.classes.entry(key).or_default() += n);
        for (month, [added, gone]) in other.months {
            let sides = self.months.entry(month).or_default();
            sides[0] += added;
            sides[1] += gone;
        }
        self.texts.extend(other.texts);
        self.gone.extend(other.gone);
        for (site, dates) in other.dates {
            let own = self.dates.entry(site).or_default();
            own.posts.extend(dates.posts);
            own.odd.extend(dates.odd);
        }
        self.bound();
    }

    fn bound(&mut self) {
        while self.texts.len() > TEXTS {
            self.texts.pop_last();
        }
        while self.gone.len() > GONE {
            self.gone.pop_last();
        }
        while self.dates.len() > SITES {
            self.dates.pop_last();
        }
        for sample in self.dates.values_mut().flat_map(|dates| [&mut dates.posts, &mut dates.odd]) {
            while sample.len() > POINTS {
                sample.pop_last();
            }
        }
    }
}

impl ChangedText {
    fn of(record: &ChangeView<'_>, r#type: &str) -> Self {
        let title = record.new.title.as_deref().or(record.old.title.as_deref()).unwrap_or_default();
        ChangedText {
            size: Reverse(record.text.iter().map(size).sum()),
            link: record.link.as_deref().unwrap_or_default().to_owned(),
            title: title.to_owned(),
            r#type: r#type.to_owned(),
            all: record.text.len(),
            blocks: record.text.iter().take(BLOCKS).map(ChangedBlock::of).collect(),
        }
    }
}

/// The number of letters added and removed in a block; 0 if it only moved.
fn size(block: &BlockChange<'_>) -> usize {
    let all = |text: &Option<crate::ndjson::Str<'_>>| text.as_deref().map_or(0, |text| text.chars().count());
    match block.op.as_deref() {
        Some("moved") => 0,
        Some("changed") => {
            let words = block.words.iter().filter(|words| words.op.as_deref() != Some("same"));
            words.map(|words| all(&words.text)).sum()
        }
        _ => all(&block.old) + all(&block.new),
    }
}

impl ChangedBlock {
    fn of(block: &BlockChange<'_>) -> Self {
        let op = block.op.as_deref().unwrap_or_default();
        let side = |own: &str, text: Option<&str>| {
            let words =
                block.words.iter().filter(|words| matches!(words.op.as_deref(), Some(op) if op == "same" || op == own));
            let piece = |is_same: bool, text: &str| Piece { is_same, text: text.to_owned() };
            let mut pieces: Vec<Piece> = words
                .map(|words| piece(words.op.as_deref() == Some("same"), words.text.as_deref().unwrap_or_default()))
                .collect();
            if pieces.is_empty() {
                pieces.extend(text.map(|text| piece(op == "moved", text)));
            }
            shortened(pieces)
        };
        ChangedBlock {
            op: op.to_owned(),
            old: side("removed", block.old.as_deref()),
            new: side("added", block.new.as_deref()),
        }
    }
}

/// The pieces of a side, shortened for people: a long unchanged piece keeps only its ends, and the total length is limited.
fn shortened(pieces: Vec<Piece>) -> Vec<Piece> {
    const ENDS: usize = 80;
    let mut left = LETTERS;
    let mut kept = Vec::new();
    for Piece { is_same, text } in pieces {
        let letters = text.chars().count();
        let text = if is_same && letters > 3 * ENDS {
            let begin: String = text.chars().take(ENDS).collect();
            let end: String = text.chars().skip(letters - ENDS).collect();
            format!("{begin} … {end}")
        } else {
            text
        };
        let letters = text.chars().count();
        if letters > left {
            kept.push(Piece { is_same, text: text.chars().take(left).chain(['…']).collect() });
            break;
        }
        left -= letters;
        kept.push(Piece { is_same, text });
    }
    kept
}
