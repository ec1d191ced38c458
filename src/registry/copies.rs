//! Copies: records that show the words of another one under another language's URL, as plugins do where a translation is
//! missing. The words of title and text tell them, of which a [`Sketch`] is kept; no group has them.
//!
//! Of records with one id the first is the original. Other records are compared where somebody says that they are
//! translations: [`super::doubts`].

use super::record::{Kind, LANGUAGES, NO_ID};
use super::records::Records;
use crate::minhash::Sketch;
use crate::urls::QuickMap;

/// Records of one id at most that are compared.
const MOST_OF_AN_ID: usize = 250;

/// The words of a site's records, and the copies that they tell.
#[derive(Default)]
pub(super) struct Texts {
    /// By number: of the records that are compared, or of more.
    sketches: Vec<(u32, Sketch)>,
    /// The records that show the words of another one, and whether they have its language.
    copies: QuickMap<u32, bool>,
}

impl Texts {
    /// Adds the words of the record that was registered last.
    pub(super) fn push(&mut self, record: u32, sketch: Option<Sketch>) {
        self.sketches.extend(sketch.map(|sketch| (record, sketch)));
    }

    /// Adds the words of records; of those that are given twice the first.
    pub(super) fn add(&mut self, words: Vec<(u32, Sketch)>) {
        self.sketches.extend(words);
        self.sketches.sort_by_key(|&(number, _)| number);
        self.sketches.dedup_by_key(|&mut (number, _)| number);
    }

    pub(super) fn sketch(&self, record: u32) -> Option<&Sketch> {
        let at = self.sketches.binary_search_by_key(&record, |(number, _)| *number).ok()?;
        Some(&self.sketches[at].1)
    }

    /// Whether a record's words are known, or it has none.
    pub(super) fn is_sketched(&self, records: &Records, record: u32) -> bool {
        !matches!(records.kind(record), Kind::Post | Kind::Html | Kind::Term) || self.sketch(record).is_some()
    }

    /// The records of ids that others have as well, without those whose words are known.
    pub(super) fn of_shared_ids(&self, records: &Records) -> Vec<u32> {
        if !records.shares_ids {
            return Vec::new();
        }
        let key = |&number: &u32| (records.kind(number).space(), records[number].id());
        let mut by_id: Vec<u32> = records.numbers().filter(|number| key(number).1 != NO_ID).collect();
        by_id.sort_by_key(key);
        let shared = by_id.chunk_by(|a, b| key(a) == key(b)).filter(|same| same.len() > 1).flatten();
        let mut wanted: Vec<u32> = shared.copied().filter(|&number| !self.is_sketched(records, number)).collect();
        wanted.sort_unstable();
        wanted
    }

    /// Finds the copies among the records of each id: they are those of the first that they are like, whose language they
    /// get; none is that of a record on a host of others. 16 bytes a record meanwhile.
    pub(super) fn find_copies(&mut self, records: &mut Records) {
        let mut by_id: Vec<(u8, i64, u32)> = Vec::new();
        for &(number, sketch) in &self.sketches {
            let id = records[number].id();
            if sketch.is_notice {
                self.copies.insert(number, false);
            }
            if records.shares_ids && id != NO_ID {
                by_id.push((records.kind(number).space(), id, number));
            }
        }
        let order = |n: u32| (records[n].is_guest(), records.kind(n), records.link(n).len());
        by_id.sort_unstable_by(|a, b| {
            let by_id = (a.0, a.1).cmp(&(b.0, b.1));
            by_id.then_with(|| order(a.2).cmp(&order(b.2))).then_with(|| records.compare(a.2, b.2))
        });
        let same_id = by_id.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|same| same.len() > 1);
        for same in same_id {
            let same = &same[..same.len().min(MOST_OF_AN_ID)];
            for (at, &(_, _, number)) in same.iter().enumerate().skip(1) {
                let original = same[..at]
                    .iter()
                    .map(|&(_, _, other)| other)
                    .find(|&other| !self.is_found(other) && self.is_alike(records, number, other));
                if let Some(original) = original {
                    let language = records[original].language();
                    let record = &mut records[number];
                    self.copies.insert(number, language != 0);
                    if language != 0 {
                        record.language = record.language & !LANGUAGES | language;
                    }
                }
            }
        }
    }

    /// Whether a record was found to be a copy.
    pub(super) fn is_found(&self, record: u32) -> bool {
        self.copies.contains_key(&record)
    }

    /// Whether a record is a copy in the language of its original.
    pub(super) fn has_language_of_original(&self, record: u32) -> bool {
        self.copies.get(&record) == Some(&true)
    }

    /// Whether two records have the same words; terms must have the very same.
    pub(super) fn is_alike(&self, records: &Records, a: u32, b: u32) -> bool {
        let Some((x, y)) = self.sketch(a).zip(self.sketch(b)) else { return false };
        if records.kind(a) == Kind::Term { x.is_same(y) } else { x.is_copy_of(y) }
    }
}
