//! Bounds the work if many pages and many records share one id or URL: only the first records examine all of these pages. Otherwise, n
//! records and n pages with one id would take n² comparisons.

use std::collections::HashMap;

/// Up to this many pages are examined for every record.
const FEW: usize = 64;

/// The property that pages and records share.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shared {
    /// The id that pages claim.
    Id(i64),
    /// A URL, by the hash of its key.
    Url(u64),
}

/// How many records have examined each crowd.
#[derive(Default)]
pub(super) struct Crowds(HashMap<Shared, u32>);

impl Crowds {
    /// Whether a record may examine this many pages that share a property with it. If they are a crowd, only the first `most` records may;
    /// later records still find pages with their id by their links.
    pub(super) fn may_look(&mut self, shared: Shared, pages: usize, most: u32) -> bool {
        if pages <= FEW {
            return true;
        }
        let looks = self.0.entry(shared).or_default();
        *looks = looks.saturating_add(1);
        *looks <= most
    }
}
