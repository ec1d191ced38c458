//! Reads the feeds in a scrape. Other modules decide how their entries affect records.

use super::location::NO_HOST;
use super::sorted::Gathered;
use crate::feed::{Place, Reading, Rest};
use crate::urls::bare_host_of;
use std::io::Read;

/// The most bytes of an entry.
const MOST: usize = 8 << 20;

/// Gathers the entries of a feed from `url`, which is called `name` in messages; `place` has the time at which an
/// archive saved it.
pub(super) fn read_feed(reader: impl Read, url: &str, name: &str, place: &Place<'_>, gathered: &Gathered) -> Rest {
    let host = bare_host_of(url).filter(|host| host != NO_HOST);
    let entries = Reading::new(reader, Some(url), name, MOST);
    entries.all(|entry| gathered.add_entry(host.as_deref(), &entry, place))
}
