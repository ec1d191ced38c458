//! Groups as they grow: sets of records, none with two records of one language. The caller decides which records to
//! join, and in which order.

use crate::urls::QuickMap;

/// Records of a group at most. WordPress has some 200 languages; each member lists all others, so that a group takes the
/// square of its members.
const MOST_MEMBERS: u32 = 250;

/// Sets of records that may be joined, with the languages in each.
pub(super) struct Forest {
    parent: Vec<u32>,
    /// For roots: number of records.
    size: Vec<u32>,
    /// For roots with more than one record: their distinct languages.
    languages: QuickMap<u32, Vec<u16>>,
    own: Vec<u16>,
}

impl Forest {
    pub(crate) fn new(languages: impl Iterator<Item = u16>) -> Self {
        let own: Vec<u16> = languages.collect();
        let count = own.len() as u32;
        Forest { parent: (0..count).collect(), size: vec![1; own.len()], languages: QuickMap::default(), own }
    }

    pub(crate) fn root(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let above = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = above;
            node = above;
        }
        node
    }

    pub(crate) fn size(&self, root: u32) -> u32 {
        self.size[root as usize]
    }

    fn take_languages(&mut self, root: u32) -> Vec<u16> {
        self.languages.remove(&root).unwrap_or_else(|| match self.own[root as usize] {
            0 => Vec::new(),
            language => vec![language],
        })
    }

    /// Joins two sets; false if they share a language, or have too many members together.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        if self.size(a) + self.size(b) > MOST_MEMBERS {
            return false;
        }
        let (large, small) = if self.size(a) >= self.size(b) { (a, b) } else { (b, a) };
        let mut languages = self.take_languages(large);
        let others = self.take_languages(small);
        let clash = others.iter().any(|language| languages.contains(language));
        if clash {
            self.languages.insert(large, languages);
            self.languages.insert(small, others);
            return false;
        }
        languages.extend(others);
        self.languages.insert(large, languages);
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
        true
    }
}
