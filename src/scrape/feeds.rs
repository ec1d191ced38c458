//! Reads the feeds in a scrape. What their entries mean for records is decided elsewhere.

use super::location::NO_HOST;
use super::sorted::Gathered;
use crate::feed::{self, Place};
use crate::report::{self, Error, Report};
use crate::urls::{PageUrl, bare_host};
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes of the longest entry.
const MOST: usize = 8 << 20;
/// Bytes of a broken entry that are kept.
const KEPT: usize = 4096;

/// What is in a feed beside entries of its site.
#[derive(Default)]
pub(super) struct InFeed {
    entries: u64,
    foreign: u64,
    /// Entries that cannot be read: their lines, why, and how they begin.
    broken: Vec<(u64, String, Vec<u8>)>,
}

/// Gathers the entries of a feed from `url`, which is called `name`; an archive has saved it at a time.
pub(super) fn read_feed(
    reader: impl Read,
    url: &str,
    name: &str,
    place: &Place<'_>,
    gathered: &Gathered,
) -> io::Result<InFeed> {
    let mut found = InFeed::default();
    let host = PageUrl::parse(url).map(|url| bare_host(url.host()).to_owned()).filter(|host| host != NO_HOST);
    let mut entries = feed::Reading::new(reader, Some(url), name, MOST);
    while let Some(entry) = entries.next()? {
        found.entries += 1;
        match entry {
            feed::Found::Entry(entry) => gathered.add_entry(host.as_deref(), &entry, place),
            feed::Found::Foreign => found.foreign += 1,
            feed::Found::Broken(line, what, mut raw) => {
                raw.truncate(KEPT);
                found.broken.push((line, what, raw));
            }
        }
    }
    Ok(found)
}

impl InFeed {
    /// Counts and reports them.
    pub(super) fn report(self, name: &str, report: &mut Report) -> Result<(), Error> {
        report.count("feeds", 1);
        report.count("items", self.entries);
        report.count("left_out", self.foreign);
        report.count("left_out_feeds", self.foreign);
        let file: Arc<str> = name.into();
        self.broken.into_iter().try_for_each(|(line, what, mut raw)| {
            raw.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
            report.reject(&report::Place::line(&file, line), &what, &raw)
        })
    }
}
