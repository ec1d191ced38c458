//! Compares the words of doubtful translations: one record states that another is its translation, but the other may be its copy, because
//! both are in one language, one of them has no language, or they are pages without an id.
//!
//! Reading all words took a third of wp-resolve's time, and few records are ever compared: once all are registered, the registry lists the
//! records whose words it needs. Two records with different ids and two declared languages are never compared: `en-US` and `en-GB` are real
//! pairs.

use super::groups::forest::root;
use super::lookup::Lookup;
use super::record::{NO_ID, RecordKind};
use super::statements::{Edge, Statements};
use crate::minhash::Sketch;
use crate::urls::QuickSet;

impl Lookup {
    /// The records whose words must be read: those of doubtful translations, and those that may be in a group with them, unless their words
    /// are known. Must be called when the languages of records are known, except languages that only other records state.
    pub(super) fn of_doubtful_translations(&self, statements: &Statements) -> Vec<u32> {
        let pair = |edge: &Edge| {
            let to = statements.resolve(self, edge)?.0;
            (to != edge.from).then_some((edge.from, to))
        };
        let pairs: Vec<(u32, u32)> = statements.edges.iter().filter_map(pair).collect();
        let doubtful = || pairs.iter().filter(|(from, to)| self.may_be_copies(*from, *to));
        if !statements.has_repeated && doubtful().next().is_none() {
            return Vec::new();
        }
        let mut forest: Vec<u32> = self.records.numbers().collect();
        for &(from, to) in &pairs {
            let (from, to) = (root(&mut forest, from), root(&mut forest, to));
            forest[from as usize] = to;
        }
        let groups: QuickSet<u32> = doubtful().map(|&(from, _)| root(&mut forest, from)).collect();
        let is_wanted = |number: &u32| statements.has_repeated || groups.contains(&root(&mut forest, *number));
        let wanted = self.records.numbers().filter(is_wanted);
        wanted.filter(|&number| !self.texts.is_sketched(&self.records, number)).collect()
    }

    /// Whether `to` is not a translation of `from`, because one of them is a copy, or because they have the same words.
    pub(super) fn is_copy(&self, from: u32, to: u32) -> bool {
        let alike = self.texts.first_alike(from);
        if self.texts.is_found(from)
            || self.texts.is_found(to)
            || alike.is_some() && alike == self.texts.first_alike(to)
        {
            return true;
        }
        // Short texts are often the same by chance.
        let is_long = |record| self.texts.sketch(record).is_some_and(Sketch::is_long);
        if !self.may_be_copies(from, to) || !is_long(from) {
            return false;
        }
        // Lists of names are nearly the same in two languages, except for their titles.
        let is_same = || self.texts.sketch(from).zip(self.texts.sketch(to)).is_some_and(|(x, y)| x.is_same(y));
        if self.may_be_one_language(from, to) { self.texts.is_alike(&self.records, from, to) } else { is_same() }
    }

    fn may_be_one_language(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|record| self.records[record].firm_language());
        a == b || a == 0 || b == 0
    }

    fn may_be_copies(&self, a: u32, b: u32) -> bool {
        let [x, y] = [a, b].map(|record| self.records[record].firm_language());
        let is_page = |record| self.records.kind(record) == RecordKind::Page && self.records[record].id() == NO_ID;
        let primary = |language| self.records.language_name(language).and_then(|tag| tag.split('-').next());
        self.may_be_one_language(a, b) || is_page(a) && is_page(b) && primary(x) != primary(y)
    }
}
