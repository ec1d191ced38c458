//! Collects the entries of all feeds in a temporary file, and merges the copies of each: a post is in the feeds of its categories, of its
//! author, of its month.

use super::appended::Appended;
use super::entry::{FeedEntry, identity};
use crate::report::Error;
use crate::spill::{Shelf, Sorted, Sorter};
use crate::urls::QuickMap;

/// Orders the copies of an entry whose dates do not show which is the newest.
pub(crate) struct Place<'p> {
    /// When an archive saved the feed.
    pub(crate) time: &'p str,
    /// The number of the scrape, or of the dump's source.
    pub(crate) root: u32,
}

/// The most entries whose bytes are remembered.
const MOST: usize = 1 << 16;

/// The entries collected so far, from any number of sites.
#[derive(Default)]
pub(crate) struct Gathered {
    entries: Sorter,
    /// By the hashes of entries their [`prefix`]es, and the first places at which they were found.
    known: QuickMap<u128, (Vec<u8>, Vec<u8>)>,
}

impl Gathered {
    /// Adds an entry of the site with this label. `hash`: that of its bytes, if a copy of them at the end of the site's feeds has the same
    /// meaning.
    pub(crate) fn add(
        &mut self,
        label: &str,
        entry: &FeedEntry,
        place: &Place<'_>,
        hash: Option<u128>,
    ) -> Result<(), Error> {
        let mut key = prefix(label, entry, place.time);
        let end = place_key(place.root, &entry.built, &entry.file, entry.number);
        if let Some(hash) = hash.filter(|hash| self.known.len() < MOST || self.known.contains_key(hash)) {
            self.known.insert(hash, (key.clone(), end.clone()));
        }
        key.extend_from_slice(&end);
        self.entries.add(&key, &serde_json::to_vec(entry).expect("its keys are strings"))
    }

    /// Adds a copy of a known entry, without its fields, if that was found at an earlier place. Returns whether it did.
    pub(crate) fn add_copy(
        &mut self,
        hash: u128,
        place: &Place<'_>,
        built: &str,
        file: &str,
        number: u64,
    ) -> Result<bool, Error> {
        let end = place_key(place.root, built, file, number);
        let Some((prefix, _)) = self.known.get(&hash).filter(|(_, first)| *first < end) else { return Ok(false) };
        self.entries.add(&[&prefix[..], &end].concat(), b"").map(|()| true)
    }

    /// The entries, sorted by the labels of their sites.
    pub(crate) fn sorted(self) -> Result<Sorted, Error> {
        self.entries.sorted()
    }
}

/// The start of the sort key of an entry: what its copies with the same date have in common.
fn prefix(label: &str, entry: &FeedEntry, time: &str) -> Vec<u8> {
    let kind = u8::from(entry.comment.is_some());
    let (identity, modified) = (identity(&entry.link), latest(entry.modified_gmt.as_deref().unwrap_or_default()));
    [label.as_bytes(), b"\0", &[kind], identity.as_bytes(), b"\0", &modified, &latest(time)].concat()
}

/// The end of the sort key of an entry: when its feed was built, and where it was found.
fn place_key(root: u32, built: &str, file: &str, number: u64) -> Vec<u8> {
    [&latest(built)[..], &root.to_be_bytes(), file.as_bytes(), b"\0", &number.to_be_bytes()].concat()
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
        let (mut feeds, mut last): (_, Option<(Vec<u8>, FeedEntry)>) = (Feeds::default(), None);
        while sorted.peek().is_some_and(|key| key.split(|&b| b == 0).next() == Some(label)) {
            let Some((key, value)) = sorted.next()? else { break };
            // A copy comes after the entry whose bytes it has.
            if value.is_empty() {
                feeds.copies += 1;
                continue;
            }
            let entry: FeedEntry = serde_json::from_slice(&value).expect("it was written so");
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

    fn put(&mut self, entry: Option<(Vec<u8>, FeedEntry)>) -> Result<(), Error> {
        let Some((_, entry)) = entry else { return Ok(()) };
        self.appended.count(&entry);
        self.places.push(self.shelf.put(&serde_json::to_vec(&entry).expect("its keys are strings"))?);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The entry with this number, as it is in the feed.
    ///
    /// # Errors
    /// If it cannot be read again.
    pub(crate) fn entry(&self, at: usize) -> Result<FeedEntry, Error> {
        Ok(serde_json::from_slice(&self.shelf.get(self.places[at])?).expect("it was written so"))
    }

    /// Removes the sentences that plugins added to an entry of the site.
    pub(crate) fn remove_appended(&self, entry: &mut FeedEntry) {
        self.appended.remove(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The merged entries of a site, and the number of copies, after entries were found in this order: those of the same variant have the
    /// same bytes. `remembers`: whether copies are recognised by their bytes.
    fn merged(found: &[(u8, u8, u64)], remembers: bool) -> (Vec<FeedEntry>, u64) {
        let (mut gathered, place) = (Gathered::default(), Place { time: "", root: 0 });
        for &(variant, file, number) in found {
            let (built, file) = (format!("2020-01-0{}T00:00:00Z", file % 3), format!("{file}/feed"));
            let hash = Some(u128::from(variant)).filter(|_| remembers);
            if hash.is_some_and(|hash| gathered.add_copy(hash, &place, &built, &file, number).unwrap()) {
                continue;
            }
            let link = format!("https://a.example/{}/", variant % 2);
            let modified_gmt = (variant > 3).then(|| format!("2020-01-0{}T00:00:00", variant % 5));
            let title = (variant % 3 > 0).then(|| variant.to_string());
            let entry = FeedEntry { link, modified_gmt, title, built, file, number, ..FeedEntry::default() };
            gathered.add("a.example", &entry, &place, hash).unwrap();
        }
        let mut sorted = gathered.sorted().unwrap();
        let feeds = Feeds::of(&mut sorted, b"a.example", &|_, _| false).unwrap();
        ((0..feeds.len()).map(|at| feeds.entry(at).unwrap()).collect(), feeds.copies)
    }

    proptest! {
        /// Feeds are read by several threads, so copies come in any order.
        #[test]
        fn copies_that_are_recognised_by_their_bytes_change_nothing(
            found in prop::collection::btree_map((0..4_u8, 1..4_u64), 0..9_u8, 0..16).prop_flat_map(|found| {
                Just(found.into_iter().map(|((file, number), variant)| (variant, file, number)).collect::<Vec<_>>()).prop_shuffle()
            }),
        ) {
            prop_assert_eq!(merged(&found, true), merged(&found, false));
        }
    }
}
