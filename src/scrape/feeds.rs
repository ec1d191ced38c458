//! Reads the feeds in a scrape. What their entries mean for records is decided elsewhere.

use super::location::NO_HOST;
use super::sorted::Gathered;
use crate::feed::{Place, Reading, Rest};
use crate::urls::bare_host_of;
use std::io::Read;

/// Bytes of the longest entry.
const MOST: usize = 8 << 20;

/// Gathers the entries of a feed from `url`, which is called `name`; an archive has saved it at a time.
pub(super) fn read_feed(reader: impl Read, url: &str, name: &str, place: &Place<'_>, gathered: &Gathered) -> Rest {
    let host = bare_host_of(url).filter(|host| host != NO_HOST);
    let entries = Reading::new(reader, Some(url), name, MOST);
    entries.all(|entry| gathered.add_entry(host.as_deref(), &entry, place))
}
