//! Collects the entries of all feeds in a temporary file, and merges the copies of each: a post is in the feeds of its categories, of its
//! author, of its month.

use super::appended::Appended;
use super::entry::{Entry, identity};
use crate::report::Error;
use crate::spill::{Shelf, Sorted, Sorter};

/// Orders the copies of an entry whose dates do not show which is the newest.
pub(crate) struct Place<'p> {
    /// When an archive saved the feed.
    pub(crate) time: &'p str,
    /// The number of the scrape, or of the dump's source.
    pub(crate) root: u32,
}

/// The entries collected so far, from any number of sites.
#[derive(Default)]
pub(crate) struct Gathered(Sorter);

impl Gathered {
    /// Adds an entry of the site with this label.
    pub(crate) fn add(&mut self, label: &str, entry: &Entry, place: &Place<'_>) -> Result<(), Error> {
        let Place { time, root } = place;
        let kind = u8::from(entry.comment.is_some());
        let (identity, modified) = (identity(&entry.link), latest(entry.modified_gmt.as_deref().unwrap_or_default()));
        let mut key = [label.as_bytes(), b"\0", &[kind], identity.as_bytes(), b"\0", &modified, &latest(time)].concat();
        key.extend_from_slice(&root.to_be_bytes());
        key.extend_from_slice(entry.file.as_bytes());
        key.extend_from_slice(&[&b"\0"[..], &entry.number.to_be_bytes()].concat());
        let value = serde_json::to_vec(entry).expect("its keys are strings");
        self.0.add(&key, &value)
    }

    /// The entries, sorted by the labels of their sites.
    pub(crate) fn sorted(self) -> Result<Sorted, Error> {
        self.0.sorted()
    }
}

/// A sort key for a date: the latest first, a missing date last.
fn latest(date: &str) -> [u8; 20] {
    let mut bytes = [0xff; 20];
    bytes.iter_mut().zip(date.bytes()).for_each(|(byte, of_date)| *byte = !of_date);
    bytes
}

/// The entries of a site, each once: posts, then comments, by their links.
#[derive(Default)]
pub(crate) struct Feeds {
    shelf: Shelf,
    /// Where the entries are stored.
    places: Vec<u64>,
    /// The number of copies that were merged into others.
    pub(crate) copies: u64,
    /// Sentences that plugins add to the entries of the site.
    appended: Appended,
}

impl Feeds {
    /// The entries of the next site in order of labels. Outdated entries, known by their links and the times at which they were saved,
    /// count as copies.
    pub(crate) fn of(
        sorted: &mut Sorted,
        label: &[u8],
        is_outdated: &dyn Fn(&str, &str) -> bool,
    ) -> Result<Self, Error> {
        let (mut feeds, mut last): (_, Option<(Vec<u8>, Entry)>) = (Feeds::default(), None);
        while sorted.peek().is_some_and(|key| key.split(|&b| b == 0).next() == Some(label)) {
            let Some((key, value)) = sorted.next()? else { break };
            let entry: Entry = serde_json::from_slice(&value).expect("it was written so");
            let end = label.len() + 2 + memchr::memchr(0, &key[label.len() + 2..]).unwrap_or_default();
            let time: Vec<u8> = key[end + 21..end + 41].iter().map(|byte| !byte).collect();
            if is_outdated(&entry.link, String::from_utf8_lossy(&time).trim_end_matches('\0')) {
                feeds.copies += 1;
                continue;
            }
            match &mut last {
                Some((known, first)) if known[..] == key[..end] => {
                    feeds.copies += 1;
                    first.complete(entry);
                }
                _ => {
                    let before = last.replace((key[..end].to_vec(), entry));
                    feeds.put(before)?;
                }
            }
        }
        feeds.put(last)?;
        Ok(feeds)
    }

    fn put(&mut self, entry: Option<(Vec<u8>, Entry)>) -> Result<(), Error> {
        let Some((_, entry)) = entry else { return Ok(()) };
        self.appended.count(&entry);
        self.places.push(self.shelf.put(&serde_json::to_vec(&entry).expect("its keys are strings"))?);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The entry with this number, without the sentences that plugins added.
    ///
    /// # Errors
    /// If it cannot be read again.
    pub(crate) fn entry(&self, at: usize) -> Result<Entry, Error> {
        let mut entry = serde_json::from_slice(&self.shelf.get(self.places[at])?).expect("it was written so");
        self.appended.remove(&mut entry);
        Ok(entry)
    }
}
