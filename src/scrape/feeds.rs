//! Reads the feeds in a scrape. Other modules decide how their entries affect records.

use super::location::host_of;
use super::sorted::Gathered;
use crate::feed::{FeedReader, Place, Rest};
use std::io::Read;

/// The most bytes of an entry of a feed; a longer one is not read.
const MOST: usize = 8 << 20;

/// Gathers the entries of a feed from `url`, which is called `name` in messages; `place` has the time at which an
/// archive saved it.
pub(super) fn read_feed(reader: impl Read, url: &str, name: &str, place: &Place<'_>, gathered: &Gathered) -> Rest {
    let host = host_of(url);
    // Entries of captures with a time are not merged: each capture may be outdated by itself.
    let is_known =
        |hash, built: &str, number| place.time.is_empty() && gathered.add_copy(hash, place, built, name, number);
    let entries = FeedReader::new(reader, Some(url), name, MOST);
    entries.all_unless(is_known, |entry, hash| {
        gathered.add_entry(host.as_deref(), &entry, place, hash.filter(|_| place.time.is_empty()));
    })
}
