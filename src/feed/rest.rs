//! Counts the entries of a feed, and reports those that are broken, damaged or belong to other sites, in the same way for all
//! programs that read feeds.

use super::FeedEntry;
use super::read::{FeedElement, FeedReader};
use crate::report::{self, Error, Report, describe_io};
use std::io::{self, Read};

/// Bytes that are kept of a broken entry.
const KEPT: usize = 4096;

/// The number of entries in a feed, and of those that do not belong to its site.
#[derive(Default)]
pub(crate) struct Rest {
    entries: u64,
    foreign: u64,
    /// Entries that cannot be read: their lines, errors, and first bytes.
    pub(crate) broken: Vec<(u64, String, Vec<u8>)>,
    /// Entries in which characters were replaced: their lines, and what was replaced.
    replaced: Vec<(u64, String)>,
    /// Why the feed could not be read to its end.
    pub(crate) fault: Option<io::Error>,
}

impl<R: Read> FeedReader<'_, R> {
    /// Reads the feed to its end, and calls `each` with its entries.
    pub(crate) fn all(self, mut each: impl FnMut(FeedEntry)) -> Rest {
        self.all_unless(|_, _, _| false, |entry, _| each(entry))
    }

    /// Like [`FeedReader::all`], without the entries that `is_known` knows by their hashes, the dates of their feeds and their numbers; `each`
    /// gets the hashes of those that mean the same in all feeds of their site.
    pub(crate) fn all_unless(
        mut self,
        is_known: impl Fn(u128, &str, u64) -> bool,
        mut each: impl FnMut(FeedEntry, Option<u128>),
    ) -> Rest {
        let mut rest = Rest::default();
        loop {
            let found = match self.next(&is_known) {
                Ok(None) => return rest,
                Ok(Some(found)) => found,
                Err(fault) => {
                    rest.broken.push((0, describe_io(&fault), Vec::new()));
                    return Rest { entries: rest.entries + 1, fault: Some(fault), ..rest };
                }
            };
            rest.entries += 1;
            match found {
                FeedElement::Entry(entry, hash) => {
                    rest.replaced.extend(self.entries.defect().map(|what| (self.entries.begins_at, what)));
                    each(*entry, hash);
                }
                FeedElement::Known => {}
                FeedElement::Foreign => rest.foreign += 1,
                FeedElement::Broken(line, what, mut raw) => {
                    raw.truncate(KEPT);
                    raw.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
                    rest.broken.push((line, what, raw));
                }
            }
        }
    }
}

impl Rest {
    /// Adds this to the counts of the report, and reports broken entries as rejects.
    pub(crate) fn report(self, name: &str, report: &mut Report) -> Result<(), Error> {
        report.count("feeds", 1);
        report.count("items", self.entries);
        report.leave_out("left_out_feeds", self.foreign);
        let place = |line| report::Place::line(&name.into(), line);
        self.replaced.iter().for_each(|(line, what)| report.defect("charset", &place(*line), what));
        self.broken.into_iter().try_for_each(|(line, what, raw)| report.reject(&place(line), &what, &raw))
    }
}
