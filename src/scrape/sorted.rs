//! Sorts the pages of all scrapes by their sites, outside of memory, as several threads deliver them. The order does not depend
//! on the order in which they arrive.

use super::heads::Heads;
use super::location::host_of;
use super::page::Page;
use super::revisit::{Revisit, revisited};
use crate::archive::{Archives, Outdated};
use crate::codec::{Packed, put_bytes, put_number};
use crate::feed;
use crate::report::{Error, Report};
use crate::rights::Files;
use crate::spill::{Sorted, Sorter};
use crate::tree::Root;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// The position of a page in its scrape: the number of its archive, 0 for a file, and its number in that archive.
pub(super) type Number = (u32, u64);

/// The most labels of sites that are remembered: archives of the web have any number of hosts.
const MOST_LABELS: usize = 100_000;

/// The pages gathered so far.
pub(super) struct Gathered {
    /// Whether the pages are sorted by their sites.
    by_site: bool,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    pages: Sorter,
    n: u64,
    /// The number of pages in each scrape, including captures whose body may be missing.
    of: Vec<u64>,
    /// Captures, and the revisits with the same body, by the hashes of their digests and of their URLs.
    bodies: Sorter,
    revisits: u64,
    /// The archives' notices about outdated pages.
    outdated: Outdated,
    /// The sites' files for robots.
    files: Files,
    /// The entries of feeds.
    feeds: feed::Gathered,
    /// The labels of sites.
    labels: BTreeSet<String>,
    /// The first error, which makes the result incomplete.
    error: Option<Error>,
}

impl Inner {
    fn count(&mut self, root: u32) {
        let root = root as usize;
        self.of.resize(self.of.len().max(root + 1), 0);
        self.of[root] += 1;
    }

    fn note(&mut self, label: &str) {
        if !self.labels.contains(label) && self.labels.len() < MOST_LABELS {
            self.labels.insert(label.to_owned());
        }
    }
}

/// All gathered pages, feeds and files.
pub(super) struct SortedScrape {
    /// All pages, in their final order.
    pub(super) pages: Sorted,
    pub(super) feeds: Sorted,
    pub(super) outdated: Outdated,
    /// The sites' files for robots.
    pub(super) files: Files,
    /// The labels of sites, at most [`MOST_LABELS`].
    pub(super) labels: BTreeSet<String>,
}

/// The key under which a body is found.
#[derive(Clone, Copy)]
enum By<'b> {
    Digest(&'b str),
    Url(&'b str),
}

impl By<'_> {
    fn key(self, is_revisit: bool, (archive, at): Number) -> Vec<u8> {
        let hash = match self {
            By::Digest(digest) => xxh3_128(digest.as_bytes()),
            By::Url(url) => !xxh3_128(url.as_bytes()),
        };
        [&hash.to_be_bytes()[..], &[u8::from(is_revisit)], &archive.to_be_bytes(), &at.to_be_bytes()].concat()
    }
}

impl Gathered {
    /// Creates an empty collection. `feeds`: the entries of feeds that are not in the scrapes.
    pub(super) fn new(by_site: bool, feeds: feed::Gathered) -> Self {
        Gathered { by_site, inner: Mutex::new(Inner { feeds, ..Inner::default() }) }
    }

    /// Adds a page and its title. `host`: that of its site. All files outside of the folders of hosts belong to one site, whatever hosts
    /// they state.
    pub(super) fn add(&self, (page, title): &(Page, String), host: Option<&str>, number: Number) {
        let label = host.filter(|_| self.by_site).unwrap_or_default();
        let (key, mut value) = (key(label, page, number), Vec::new());
        page.pack(&mut value);
        // The title of an error page may lack the site's name, and is not used to find that name.
        put_bytes(&mut value, if page.is_error { b"" } else { title.as_bytes() });
        let bodies = if page.capture.is_some() && !page.is_redirect { bodies_of(page, number) } else { Vec::new() };
        self.with(|inner| {
            inner.n += 1;
            inner.note(label);
            inner.count(page.root);
            bodies.iter().try_for_each(|(key, value)| inner.bodies.add(key, value))?;
            inner.pages.add(&key, &value)
        });
    }

    /// Adds a capture with the body of an earlier one.
    pub(super) fn add_revisit(&self, revisit: &Revisit, root: u32, number: Number) {
        let digest = revisit.capture.digest().map(By::Digest);
        // Without a digest, the URL identifies the body.
        let key = digest.unwrap_or(By::Url(revisit.of.as_deref().unwrap_or(&revisit.url))).key(true, number);
        let value = revisit.pack();
        self.with(|inner| {
            inner.revisits += 1;
            inner.count(root);
            inner.bodies.add(&key, &value)
        });
    }

    /// Adds an entry of a feed from this host, if the host is known.
    pub(super) fn add_entry(
        &self,
        host: Option<&str>,
        entry: &feed::FeedEntry,
        place: &feed::Place<'_>,
        hash: Option<u128>,
    ) {
        let label = host.filter(|_| self.by_site).unwrap_or_default();
        self.with(|inner| {
            inner.note(label);
            inner.count(place.root);
            inner.feeds.add(label, entry, place, hash)
        });
    }

    /// If an entry with this hash was found at an earlier place of a feed, adds a copy of it. Returns whether there was one.
    pub(super) fn add_copy(&self, hash: u128, place: &feed::Place<'_>, built: &str, file: &str, number: u64) -> bool {
        let mut is_known = false;
        self.with(|inner| {
            is_known = inner.feeds.add_copy(hash, place, built, file, number)?;
            if is_known {
                inner.count(place.root);
            }
            Ok(())
        });
        is_known
    }

    /// Adds an archive's notice about outdated pages.
    ///
    /// # Errors
    /// An error in the notice.
    pub(super) fn add_outdated(&self, notice: &[u8]) -> Result<(), String> {
        self.lock().outdated.add(notice)
    }

    /// Adds the body of a site's file for robots, with the time when it was saved, if known.
    pub(super) fn add_file(&self, url: &str, time: &str, body: &[u8]) {
        self.lock().files.add(url, time, body);
    }

    fn with(&self, add: impl FnOnce(&mut Inner) -> Result<(), Error>) {
        let mut inner = self.lock();
        if inner.error.is_none() {
            inner.error = add(&mut inner).err();
        }
    }

    /// The number of pages gathered so far from the scrape with this number.
    pub(super) fn pages_of(&self, root: u32) -> u64 {
        self.lock().of.get(root as usize).copied().unwrap_or(0)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All pages in their final order, including pages with the body of another capture. `folders` are those of the scrapes.
    ///
    /// # Errors
    /// If they do not fit into TMPDIR.
    pub(super) fn sorted(
        self,
        folders: &[Root],
        heads: &mut Heads,
        report: &mut Report,
    ) -> Result<SortedScrape, Error> {
        let bodies = std::mem::take(&mut self.lock().bodies);
        if self.lock().revisits > 0 {
            let missing = self.add_revisited(bodies, folders, heads)?;
            report.count("captures_revisits_unresolved", missing);
        }
        let inner = self.inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.count("pages", inner.n);
        match inner.error {
            Some(error) => Err(error),
            None => {
                let (pages, feeds) = (inner.pages.sorted()?, inner.feeds.sorted()?);
                Ok(SortedScrape { pages, feeds, outdated: inner.outdated, files: inner.files, labels: inner.labels })
            }
        }
    }

    /// Adds the revisits as pages, each with the record that has its body. Returns the number of revisits whose body is
    /// missing.
    fn add_revisited(&self, bodies: Sorter, folders: &[Root], heads: &mut Heads) -> Result<u64, Error> {
        let (mut bodies, mut missing, archives) = (bodies.sorted()?, 0, Archives::default());
        let mut body: (Vec<u8>, Vec<u8>) = Default::default();
        while let Some((key, value)) = bodies.next()? {
            let (hash, rest) = key.split_at(16);
            if rest[0] == 0 {
                body = (hash.to_owned(), value);
                continue;
            }
            let number = |at: usize| u64::from_be_bytes(rest[at..at + 8].try_into().expect("it has this length"));
            let of = (body.0 == hash).then(|| unpack_body(&body.1)).flatten();
            let page = of.and_then(|(root, address)| {
                revisited(heads, &archives, root, address, folders.get(root as usize)?, Revisit::unpack(&value)?)
            });
            match page {
                Some(page) => self.add(&page, site_of(&page.0).as_deref(), ((number(1) >> 32) as u32, number(5))),
                None => missing += 1,
            }
        }
        Ok(missing)
    }
}

/// The sort key of a page.
fn key(label: &str, page: &Page, (archive, at): Number) -> Vec<u8> {
    let (root, archive, at) = (page.root.to_be_bytes(), archive.to_be_bytes(), at.to_be_bytes());
    [label.as_bytes(), b"\0", &root, order_of(page).as_bytes(), b"\0", &archive, &at].concat()
}

/// The keys under which the body of a page is found, and its position.
fn bodies_of(page: &Page, number: Number) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut value = Vec::new();
    put_number(&mut value, u64::from(page.root));
    put_bytes(&mut value, page.file.as_bytes());
    let digest = page.capture.as_ref().and_then(|capture| capture.digest()).map(By::Digest);
    let location = page.location();
    digest.into_iter().chain([By::Url(&location)]).map(|by| (by.key(false, number), value.clone())).collect()
}

fn unpack_body(value: &[u8]) -> Option<(u32, &str)> {
    let mut notes = Packed(value);
    Some((u32::try_from(notes.number()?).ok()?, std::str::from_utf8(notes.bytes()?).ok()?))
}

/// The host of a page, without `www.`, if it has one.
pub(super) fn site_of(page: &Page) -> Option<String> {
    host_of(&page.location())
}

/// The sort key of a page in its scrape: a page of an archive comes where wget would have put its file.
fn order_of(page: &Page) -> String {
    if page.capture.is_none() {
        return page.file.to_string();
    }
    let location = page.location();
    let tail = location.split_once("://").map_or(&*location, |(_, tail)| tail);
    let (path, query) = tail.split_once('?').map_or((tail, None), |(path, query)| (path, Some(query)));
    let index = if path.ends_with('/') { "index.html" } else { "" };
    let mark = if query.is_some() { "?" } else { "" };
    [path, index, mark, query.unwrap_or_default()].concat()
}
