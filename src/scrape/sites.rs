//! Groups the pages of scrapes into sites: a single site if there is a dump, otherwise one site for each host.

use super::capture::Capture;
use super::claim::Names;
use super::names::{self, Gatherer};
use super::newest::mark_older;
use super::own_files::OwnFiles;
use super::page::Page;
use super::read::{ScrapeOptions, read_pages};
use super::sorted::SortedScrape;
use crate::archive::Outdated;
use crate::codec::Packed;
use crate::feed::{Feeds, Gathered};
use crate::record::Rights;
use crate::report::{Error, Report};
use crate::rights::{Files, Headers, settle};
use crate::spill::{Shelf, Sorted};
use crate::urls::PageUrl;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The pages of scrapes without a dump, site by site, by host without `www.`; pages without a known host come first.
pub(crate) struct Sites {
    sorted: Sorted,
    feeds: Sorted,
    outdated: Outdated,
    files: Arc<Files>,
    names: Names,
    labels: BTreeSet<String>,
}

impl Sites {
    /// Reads the heads of all pages of the scrapes `roots`, directories or archives. Counts `pages` and `not_html`.
    ///
    /// # Errors
    /// If a directory cannot be read, or the findings do not fit into TMPDIR.
    pub(crate) fn read(roots: &[String], reading: &ScrapeOptions<'_>, report: &mut Report) -> Result<Self, Error> {
        Sites::of(roots, reading, true, Gathered::default(), report)
    }

    fn of(
        roots: &[String],
        reading: &ScrapeOptions<'_>,
        by_site: bool,
        feeds: Gathered,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let SortedScrape { pages, feeds, outdated, files, labels } =
            read_pages(roots, reading, by_site, feeds, report)?;
        Ok(Sites { sorted: pages, feeds, outdated, files: Arc::new(files), names: Names::default(), labels })
    }

    /// Whether a site has this label.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.labels.contains(label)
    }

    /// Whether no site is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.label().is_none()
    }

    /// The label of the next site.
    fn label(&self) -> Option<&[u8]> {
        [self.sorted.peek(), self.feeds.peek()].into_iter().flatten().map(label_of).min()
    }

    /// The pages of the next site.
    fn pages(&mut self) -> Result<Site, Error> {
        let label = self.label().map(<[u8]>::to_owned).unwrap_or_default();
        let (mut pages, mut shelf, mut titles) = (Vec::new(), Shelf::default(), Gatherer::default());
        while self.sorted.peek().is_some_and(|key| label_of(key) == label) {
            let notes = self.sorted.next()?.map(|(_, notes)| notes).unwrap_or_default();
            let (mut page, title) = unpack(&mut Packed(&notes), &mut self.names).expect("it was packed so");
            titles.add(&page.location(), title);
            page.shelve(&mut shelf)?;
            pages.push(page);
        }
        pages.shrink_to_fit();
        mark_older(&mut pages, &shelf, &self.outdated)?;
        let outdated = &self.outdated;
        let feeds = Feeds::of(&mut self.feeds, &label, &|link, time| outdated.has_page(link, time))?;
        Ok(Site { pages, feeds, shelf, names: titles.names(), files: self.files.clone() })
    }
}

/// The pages of a site.
#[derive(Default)]
pub(crate) struct Site {
    /// The pages, in the order of the scrapes and of the paths in them.
    pub(crate) pages: Vec<Page>,
    pub(crate) feeds: Feeds,
    /// The captures and paths of pages in archives.
    shelf: Shelf,
    /// The names of the site and its directories, learnt from the titles.
    names: names::Names,
    /// The files for robots of all sites in the scrapes.
    files: Arc<Files>,
}

impl Site {
    /// Like [`Sites::read`], with all pages as one site; `feeds`: entries of feeds that are not in the scrapes.
    ///
    /// # Errors
    /// The same as for [`Sites::read`].
    pub(crate) fn read(
        roots: &[String],
        reading: &ScrapeOptions<'_>,
        feeds: Gathered,
        report: &mut Report,
    ) -> Result<Self, Error> {
        Sites::of(roots, reading, false, feeds, report)?.pages()
    }

    /// A page's path in its scrape, and the description of its capture, if it is from an archive.
    ///
    /// # Errors
    /// If the shelf cannot be read.
    pub(crate) fn origin<'p>(&self, page: &'p Page) -> Result<(Cow<'p, str>, Option<Cow<'p, Capture>>), Error> {
        page.origin(&self.shelf)
    }

    /// The folder from which most of the pages below these roots load WordPress' own files.
    pub(crate) fn own_files(&self, roots: &[String]) -> Option<OwnFiles> {
        OwnFiles::of(&self.pages, roots)
    }

    /// The site's name for a page.
    pub(crate) fn name(&self, page: &Page) -> Option<Arc<str>> {
        self.names.of(&page.location())
    }

    /// The rights according to the answer with a page, saved at a time, and to the files of its site; links are relative to
    /// `url`.
    pub(crate) fn rights(&self, page: &Page, time: Option<&str>, url: Option<&str>) -> Vec<Rights<'static>> {
        let headers = page.headers.as_deref().map(Headers::read).unwrap_or_default();
        let files = self.files.say(&page.location(), time);
        match headers.is_empty() && files.is_empty() {
            true => Vec::new(),
            false => settle(headers.into_iter().chain(files), url.and_then(PageUrl::parse).as_ref()),
        }
    }

    /// The rights according to the files of the site, for a URL without a page.
    pub(crate) fn rights_at(&self, url: &str) -> Vec<Rights<'static>> {
        settle(self.files.say(url, None), None)
    }

    /// The host of most pages that have one; of several the first in the alphabet.
    pub(crate) fn host(&self) -> Option<String> {
        let mut hosts: BTreeMap<String, usize> = BTreeMap::new();
        for page in self.pages.iter().filter(|page| page.has_host()) {
            let url = PageUrl::parse(&page.location());
            url.into_iter().for_each(|url| *hosts.entry(url.host().to_owned()).or_default() += 1);
        }
        hosts.into_iter().rev().max_by_key(|(_, pages)| *pages).map(|(host, _)| host)
    }
}

/// Reads a page and its title again.
fn unpack<'n>(notes: &mut Packed<'n>, names: &mut Names) -> Option<(Page, &'n str)> {
    let page = Page::unpack(notes, names)?;
    Some((page, std::str::from_utf8(notes.bytes()?).ok()?))
}

impl Iterator for Sites {
    /// A site and its label, if the scrape reveals it.
    type Item = Result<(Option<String>, Site), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let label = String::from_utf8_lossy(self.label()?).into_owned();
        Some(self.pages().map(|site| (Some(label).filter(|label| !label.is_empty()), site)))
    }
}

/// The label of the site in a page's key.
fn label_of(key: &[u8]) -> &[u8] {
    key.split(|&b| b == 0).next().unwrap_or_default()
}
