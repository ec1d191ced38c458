//! Translation groups under construction: sets of records without two of the same language or with the same words (a union-find structure).
//! The caller decides which records to join, and in which order.

use crate::registry::record::RecordKind;
use crate::urls::QuickMap;

/// The most records in a group. WordPress has some 200 languages; each member lists all others, so that a group's size in the output is the
/// square of its members.
const MOST_MEMBERS: u32 = 250;

/// A trait that only one record of a group may have: a language, or words whose original is unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trait {
    Language(u16),
    Words(u32),
}

/// The root of a node's tree; shortens the path to it.
pub(in crate::registry) fn root(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        parent[node as usize] = parent[parent[node as usize] as usize];
        node = parent[node as usize];
    }
    node
}

/// Sets of records that may be joined, with their traits.
pub(super) struct Forest {
    parent: Vec<u32>,
    /// For roots: the number of records.
    size: Vec<u32>,
    /// For roots with more than one record: their distinct traits.
    traits: QuickMap<u32, Vec<Trait>>,
    /// For roots: the kind of the records, if one is known. A page without a record may be of any kind.
    kinds: Vec<Option<RecordKind>>,
    /// Language and words of each record.
    own: Vec<(u16, Option<u32>)>,
}

impl Forest {
    /// Takes for each record its kind, its language (0 for none), and the first of the records with the same words.
    pub(crate) fn new(records: impl Iterator<Item = (RecordKind, u16, Option<u32>)>) -> Self {
        let known =
            records.map(|(kind, language, words)| (Some(kind).filter(|k| *k != RecordKind::Page), (language, words)));
        let (kinds, own): (Vec<_>, Vec<_>) = known.unzip();
        let count = own.len() as u32;
        Forest { parent: (0..count).collect(), size: vec![1; own.len()], traits: QuickMap::default(), kinds, own }
    }

    pub(crate) fn root(&mut self, node: u32) -> u32 {
        root(&mut self.parent, node)
    }

    pub(crate) fn size(&self, root: u32) -> u32 {
        self.size[root as usize]
    }

    fn take_traits(&mut self, root: u32) -> Vec<Trait> {
        self.traits.remove(&root).unwrap_or_else(|| {
            let (language, words) = self.own[root as usize];
            let language = (language != 0).then_some(Trait::Language(language));
            language.into_iter().chain(words.map(Trait::Words)).collect()
        })
    }

    /// Joins two sets; returns false if they share a trait, are of two kinds, or have too many members together.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let kinds = [a, b].map(|root| self.kinds[root as usize]);
        let are_of_two_kinds = matches!(kinds, [Some(kind), Some(other)] if kind != other);
        if are_of_two_kinds || self.size(a) + self.size(b) > MOST_MEMBERS {
            return false;
        }
        let (large, small) = if self.size(a) >= self.size(b) { (a, b) } else { (b, a) };
        let mut traits = self.take_traits(large);
        let others = self.take_traits(small);
        let clash = others.iter().any(|of_other| traits.contains(of_other));
        if clash {
            self.traits.insert(large, traits);
            self.traits.insert(small, others);
            return false;
        }
        traits.extend(others);
        self.traits.insert(large, traits);
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
        self.kinds[large as usize] = kinds[0].or(kinds[1]);
        true
    }
}
