//! The second phase of a registry: it knows all records of a site, their places and the languages that follow from these, but not yet which
//! records are translations of each other.

use super::Registry;
use super::groups;
use super::lookup::Lookup;
use super::statements::Statements;
use super::terms::{self, Terms};
use crate::minhash::Sketch;

/// A registry whose translations are not grouped yet.
pub(crate) struct Located {
    pub(super) lookup: Lookup,
    pub(super) statements: Statements,
    pub(super) terms: Terms,
}

impl Located {
    /// The records whose words [`Located::group`] needs.
    pub(crate) fn of_doubtful_translations(&self) -> Vec<u32> {
        self.lookup.of_doubtful_translations(&self.statements)
    }

    /// Groups the translations, given the words of [`Located::of_doubtful_translations`].
    pub(crate) fn group(self, words: Vec<(u32, Sketch)>) -> Registry {
        let Located { mut lookup, statements, terms } = self;
        lookup.texts.add(words);
        let mut groups = groups::group(&mut lookup, statements);
        // Translated posts reveal which of their terms are translations.
        let guesses = terms::guesses(&lookup.records, &groups, &terms);
        groups.add_terms(&lookup.records, guesses);
        Registry { lookup, groups }
    }
}
