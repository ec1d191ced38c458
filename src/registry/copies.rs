//! Recognises copies: records that show the words of another record under a different language's URL, as plugins do where a translation is
//! missing. Evidence is either the words of title and text, kept as a [`Sketch`], or a plugin's notice. Copies belong to no group. They
//! keep the language that they declare, whatever they show.
//!
//! Among records with the same id, the original is the one that their pages name as x-default, or else the one outside of language
//! directories, or else the dump's. If there is none, all of them stay, and are merely not translations of each other. Other records are
//! compared if some record states that they are translations: see [`super::doubts`].

use super::record::{LANGUAGES, NO_ID, RecordKind};
use super::records::Records;
use super::votes::candidates;
use crate::language::LanguageTag;
use crate::minhash::Sketch;
use crate::urls::{QuickMap, QuickSet, UrlKey};

/// The most records with one id that are compared.
const MOST_OF_AN_ID: usize = 250;

/// The words of a site's records, and the copies that they reveal.
#[derive(Default)]
pub(super) struct Texts {
    /// By record number: the records to compare, and perhaps others.
    sketches: Vec<(u32, Sketch)>,
    /// Records with a plugin's notice.
    notices: QuickSet<u32>,
    /// Records in a language that they do not declare.
    undeclared: QuickSet<u32>,
    copies: QuickMap<u32, Copy>,
    /// Records with the same words, if none is known to be the original → the first of them.
    alike: QuickMap<u32, u32>,
}

/// Why a record is a copy, and its original.
#[derive(Clone, Copy)]
pub(super) struct Copy {
    pub(super) is_notice: bool,
    pub(super) of: Option<u32>,
    /// Whether it takes its language from the original.
    pub(super) adopts: bool,
}

impl Texts {
    /// Adds the evidence about the last registered record.
    pub(super) fn push(&mut self, record: u32, sketch: Option<Sketch>, is_notice: bool) {
        self.sketches.extend(sketch.map(|sketch| (record, sketch)));
        if is_notice {
            self.notices.insert(record);
        }
    }

    /// Notes that the last registered record does not declare its language.
    pub(super) fn push_undeclared(&mut self, record: u32) {
        self.undeclared.insert(record);
    }

    /// Adds the words of records; if a record occurs twice, the first words count.
    pub(super) fn add(&mut self, words: Vec<(u32, Sketch)>) {
        self.sketches.extend(words);
        self.sketches.sort_by_key(|&(number, _)| number);
        self.sketches.dedup_by_key(|&mut (number, _)| number);
    }

    pub(super) fn sketch(&self, record: u32) -> Option<&Sketch> {
        let at = self.sketches.binary_search_by_key(&record, |(number, _)| *number).ok()?;
        Some(&self.sketches[at].1)
    }

    /// Whether a record's words are known, or its kind has none.
    pub(super) fn is_sketched(&self, records: &Records, record: u32) -> bool {
        !matches!(records.kind(record), RecordKind::Post | RecordKind::Page | RecordKind::Term)
            || self.sketch(record).is_some()
    }

    /// The records that share their id with others, without those whose words are known.
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

    /// Finds the copies among records with the same id in a blog. A record on an own host is never taken for the copy of one on a foreign
    /// host. `stated`: for each record, the record that its page names as x-default; `named`: for each record, how many others name it as a
    /// translation. Needs 4 bytes per record while it runs.
    pub(super) fn find_copies(&mut self, records: &Records, stated: &QuickMap<u32, u32>, named: &QuickMap<u32, u32>) {
        for &number in &self.notices {
            self.copies.insert(number, Copy { is_notice: true, of: None, adopts: false });
        }
        if !records.shares_ids {
            return;
        }
        let key = |number: u32| (records.blogs.of(number).number(), records.kind(number).space(), records[number].id());
        let numbers = self.sketches.iter().map(|&(number, _)| number).filter(|&number| key(number).2 != NO_ID);
        let mut by_id: Vec<u32> = numbers.collect();
        by_id.sort_unstable_by(|&a, &b| {
            let order = |n: u32| (records[n].is_guest(), records.kind(n), records.link(n).len());
            key(a).cmp(&key(b)).then_with(|| order(a).cmp(&order(b))).then_with(|| records.compare(a, b))
        });
        // Only declared languages count: a language that other records state is lost again if the record turns out to be a copy.
        let declares = |number: &u32| records[*number].language() != 0 && !self.undeclared.contains(number);
        let declared: QuickSet<u16> = records.numbers().filter(declares).map(|at| records[at].language()).collect();
        let known = records.languages().filter(|(_, number)| declared.contains(number));
        let languages: QuickSet<&str> = known.filter_map(|(tag, _)| tag.split('-').next()).collect();
        for same in by_id.chunk_by(|&a, &b| key(a) == key(b)).filter(|same| same.len() > 1) {
            let same = &same[..same.len().min(MOST_OF_AN_ID)];
            let originals = Originals::new(records, same, stated, &languages);
            self.compare(records, same, &originals, named);
        }
    }

    /// Compares records that share an id: first with their possible originals, then the remaining ones with each other.
    fn compare(&mut self, records: &Records, same: &[u32], originals: &Originals, named: &QuickMap<u32, u32>) {
        // A language inferred by an earlier run is not declared.
        let declared = |number: u32| Some(records[number].language()).filter(|_| !self.undeclared.contains(&number));
        for &number in same {
            let adopts = declared(number).is_none_or(|language| language == 0);
            let is_original = |&other: &u32| !self.notices.contains(&other) && self.is_alike(records, number, other);
            let of_other_language = |&other: &u32| adopts || declared(other) != declared(number);
            let mut others =
                originals.of(number).iter().copied().filter(|other| *other != number && of_other_language(other));
            // In one language, it is the same text twice: the one that most records name as a translation is the original.
            let again = || {
                let same = same.iter().rev().copied().filter(|other| !adopts && !of_other_language(other));
                let rank = |other: &u32| {
                    let is_post = records.kind(*other) != RecordKind::Page;
                    (!records[*other].is_guest(), is_post, named.get(other).copied().unwrap_or(0))
                };
                // If several are equal, `max_by_key` takes the last: because of `rev`, the first in the order of the records.
                let best = same.filter(is_original).max_by_key(rank);
                best.filter(|best| *best != number)
            };
            if let Some(original) = others.find(is_original).or_else(again) {
                let is_notice = self.notices.contains(&number);
                self.copies.insert(number, Copy { is_notice, of: Some(original), adopts });
            }
        }
        // Where an original is known, the others are copies of it or none.
        let has_none = |&number: &u32| !self.is_found(number) && originals.of(number).is_empty();
        let rest: Vec<u32> = same.iter().copied().filter(has_none).collect();
        for (at, &number) in rest.iter().enumerate() {
            if let Some(&first) = rest[..at].iter().find(|&&first| self.is_alike(records, number, first)) {
                let first = self.alike.get(&first).copied().unwrap_or(first);
                self.alike.extend([(first, first), (number, first)]);
            }
        }
    }

    /// Gives copies without a declared language the language of their originals, which is known by now.
    pub(super) fn adopt_languages(&self, records: &mut Records) {
        for (&number, copy) in self.copies.iter().filter(|(_, copy)| copy.adopts) {
            let language = copy.of.map_or(0, |original| records[original].firm_language());
            let record = &mut records[number];
            record.language = record.language & !LANGUAGES | language;
        }
    }

    /// Whether a record was found to be a copy.
    pub(super) fn is_found(&self, record: u32) -> bool {
        self.copies.contains_key(&record)
    }

    /// Why a record is a copy, and its original.
    pub(super) fn copy(&self, record: u32) -> Option<Copy> {
        self.copies.get(&record).copied()
    }

    /// Whether a record is a copy that takes its language from its original.
    pub(super) fn adopts(&self, record: u32) -> bool {
        self.copies.get(&record).is_some_and(|copy| copy.adopts)
    }

    /// The first of the records with the same words, if none is known to be the original.
    pub(super) fn first_alike(&self, record: u32) -> Option<u32> {
        self.alike.get(&record).copied()
    }

    /// Whether two records have nearly the same words; terms must have exactly the same.
    pub(super) fn is_alike(&self, records: &Records, a: u32, b: u32) -> bool {
        let Some((x, y)) = self.sketch(a).zip(self.sketch(b)) else { return false };
        if records.kind(a) == RecordKind::Term { x.is_same(y) } else { x.is_copy_of(y) }
    }
}

/// The possible originals among records with one id; records on foreign hosts are excluded.
struct Originals {
    /// For each record, the record that its page names as x-default, if that has the id, too.
    stated: QuickMap<u32, u32>,
    /// The record that all pages name, if they agree.
    named: Option<u32>,
    /// Records that are not in a language's directory; if all are in one, the record of the dump.
    outside: Vec<u32>,
}

impl Originals {
    fn new(records: &Records, same: &[u32], stated: &QuickMap<u32, u32>, languages: &QuickSet<&str>) -> Self {
        let own: Vec<u32> = same.iter().copied().filter(|&number| !records[number].is_guest()).collect();
        let pairs = own.iter().filter_map(|number| Some((*number, *stated.get(number)?)));
        let stated: QuickMap<u32, u32> = pairs.filter(|(_, named)| own.contains(named)).collect();
        let is_outside = |number: &u32| {
            UrlKey::new(records.link(*number)).is_some_and(|key| {
                let is_language = |code| LanguageTag::parse(code).is_some_and(|tag| languages.contains(tag.primary()));
                !candidates(&key).any(|(_, code)| is_language(code))
            })
        };
        let first = stated.values().next().copied();
        let named = first.filter(|&first| stated.values().all(|&named| named == first));
        let mut outside: Vec<u32> = own.iter().copied().filter(is_outside).collect();
        if outside.is_empty() {
            let of_dump: Vec<u32> =
                own.into_iter().filter(|&number| records.kind(number) != RecordKind::Page).collect();
            if let [record] = of_dump[..] {
                outside.push(record);
            }
        }
        Originals { stated, named, outside }
    }

    /// The possible originals of a record.
    fn of(&self, number: u32) -> &[u32] {
        match self.stated.get(&number).or(self.named.as_ref()) {
            Some(named) => std::slice::from_ref(named),
            None if self.stated.is_empty() && !self.outside.contains(&number) => &self.outside,
            None => &[],
        }
    }
}
