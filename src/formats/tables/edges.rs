//! Defines the kinds of edges that a graph may have, which are variants of the formats of graphs.

/// The kinds of edges, as `--format graph:KIND` names them: to targets that wp-resolve found; to records named by their ids; to the
/// hosts of external links. The constants below are positions in this list.
pub(crate) const KINDS: [&str; 7] = ["link", "image", "translation", "term", "author", "reply", "host"];
/// The kind of an edge to a term, by its id.
pub(crate) const TERM: u32 = 3;
/// The kind of an edge to the author, by the id.
pub(crate) const AUTHOR: u32 = 4;
/// The kind of an edge from a comment to the comment or post that it answers.
pub(crate) const REPLY: u32 = 5;
/// The kind of an edge to the host of an external link.
pub(crate) const HOST: u32 = 6;

/// The kinds, out of [`KINDS`], that are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted(u8);

impl Wanted {
    /// The kinds with these names; without names, those to targets that wp-resolve found.
    pub(crate) fn new(names: &[String]) -> Self {
        let kinds = KINDS.iter().enumerate();
        let bits = kinds.filter(|(kind, name)| names.iter().any(|n| n == *name) || names.is_empty() && *kind < 3);
        Wanted(bits.map(|(kind, _)| 1 << kind).sum())
    }

    /// Whether only hosts are requested: then a record without such links is irrelevant.
    pub(crate) fn is_of_hosts_alone(self) -> bool {
        self.0 == 1 << HOST
    }

    pub(crate) fn has(self, kind: u32) -> bool {
        self.0 & (1 << kind) != 0
    }
}
