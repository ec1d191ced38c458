//! The finished translation groups of a site, including groups of terms inferred from slugs and posts.

use super::Forest;
use crate::registry::records::Records;
use crate::urls::QuickMap;

/// The evidence that two terms are translations of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::registry) enum Guess {
    /// Their slugs.
    Slug,
    /// The posts that have them.
    Posts,
}

/// Pairs of terms that were inferred to be translations, with the evidence.
pub(in crate::registry) type Guesses = QuickMap<(u32, u32), Guess>;

/// All translations between records. All lists are sorted.
#[derive(Default)]
pub(crate) struct Groups {
    /// (from, to) for each statement that resolves to a record.
    pub(in crate::registry) stated: Vec<(u32, u32)>,
    /// (member, the member that names the group).
    pub(in crate::registry) first: Vec<(u32, u32)>,
    /// (the member that names the group, member), in the order of identities within a group.
    pub(in crate::registry) members: Vec<(u32, u32)>,
    /// Pairs of terms that were inferred, not stated.
    pub(in crate::registry) guessed: Guesses,
    pub(in crate::registry) refused: u64,
}

impl Groups {
    pub(crate) fn first_of(&self, record: u32) -> Option<u32> {
        let at = self.first.binary_search_by_key(&record, |&(member, _)| member).ok()?;
        Some(self.first[at].1)
    }

    pub(crate) fn members_of(&self, record: u32) -> &[(u32, u32)] {
        let Some(first) = self.first_of(record) else { return &[] };
        let start = self.members.partition_point(|&(f, _)| f < first);
        let length = self.members[start..].partition_point(|&(f, _)| f == first);
        &self.members[start..start + length]
    }

    /// Adds the sets with more than one node; the nodes are in the order of identities. A group is named after its smallest link, because
    /// ids are reused in other blogs.
    pub(super) fn add(&mut self, records: &Records, nodes: &[u32], forest: &mut Forest) {
        let mut leaders: QuickMap<u32, u32> = QuickMap::default();
        let order = |node: u32| (records.link(node).is_empty(), records.link(node));
        for (&node, rank) in nodes.iter().zip(0..) {
            let leader = leaders.entry(forest.root(rank)).or_insert(node);
            if order(node) < order(*leader) {
                *leader = node;
            }
        }
        for (&node, rank) in nodes.iter().zip(0..) {
            let root = forest.root(rank);
            if forest.size(root) > 1 {
                let leader = leaders[&root];
                self.first.push((node, leader));
                self.members.push((leader, node));
            }
        }
        self.first.sort_unstable();
        // Stable: keeps the order of identities within a group.
        self.members.sort_by_key(|&(leader, _)| leader);
    }

    /// Joins the groups of terms that were only inferred to be translations.
    pub(in crate::registry) fn add_terms(&mut self, records: &Records, guessed: Guesses) {
        if guessed.is_empty() {
            return;
        }
        let mut nodes: Vec<u32> = guessed.keys().flat_map(|&(a, b)| [a, b]).collect();
        nodes.extend(nodes.clone().iter().flat_map(|&node| self.members_of(node)).map(|&(_, member)| member));
        let rank = records.rank(&mut nodes);
        let mut forest = Forest::new(nodes.iter().map(|&node| (records.kind(node), records[node].language(), None)));
        for node in &nodes {
            self.first_of(*node).into_iter().for_each(|first| _ = forest.join(rank[&first], rank[node]));
        }
        let mut ordered: Vec<(Guess, u32, u32)> = Vec::with_capacity(guessed.len());
        ordered.extend(guessed.iter().map(|((a, b), guess)| (*guess, rank[a], rank[b])));
        ordered.sort_unstable();
        ordered.iter().for_each(|(_, a, b)| _ = forest.join(*a, *b));
        self.first.retain(|(member, _)| !rank.contains_key(member));
        self.members.retain(|(_, member)| !rank.contains_key(member));
        self.add(records, &nodes, &mut forest);
        self.guessed = guessed;
    }
}
