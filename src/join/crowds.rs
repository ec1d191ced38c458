//! Guards against ids and URLs that many pages share with many records: only the first records look at all of these pages.
//! Otherwise n records and n pages of one id would take n² looks.

use std::collections::HashMap;

/// Up to so many pages are looked at by every record.
const FEW: usize = 64;

/// What pages and records share.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shared {
    /// The id that pages claim.
    Id(i64),
    /// A URL, by the hash of its key.
    Url(u64),
}

/// Which crowds have been looked at, and how often.
#[derive(Default)]
pub(super) struct Crowds(HashMap<Shared, u32>);

impl Crowds {
    /// Whether a record may look at this many pages, which share this with it; of a crowd the first `most` records may. After
    /// that, pages with the id of a record are still found by its link.
    pub(super) fn may_look(&mut self, shared: Shared, pages: usize, most: u32) -> bool {
        if pages <= FEW {
            return true;
        }
        let looks = self.0.entry(shared).or_default();
        *looks = looks.saturating_add(1);
        *looks <= most
    }
}
