//! Scrapes without a dump, as sites: their pages come host by host.

use super::archived::mark_older;
use super::claim::Names;
use super::join::Scrape;
use super::page::Page;
use super::read::{Reading, read_pages};
use crate::codec::Packed;
use crate::page::title::Titles;
use crate::report::{Error, Report};
use crate::spill::{Shelf, Sorted};
use std::sync::Arc;

/// The pages of scrapes of which there is no dump, site by site: by host, without `www.`; first those whose host is not known.
pub struct Sites {
    sorted: Sorted,
    names: Names,
}

impl Sites {
    /// Reads the heads of all pages of the scrapes `roots`, as [`Scrape::read`] does.
    ///
    /// # Errors
    /// When a directory cannot be read, or what is found does not fit into TMPDIR.
    pub fn read(roots: &[String], reading: &Reading<'_>, report: &mut Report) -> Result<Self, Error> {
        Ok(Sites { sorted: read_pages(roots, reading, true, report)?, names: Names::default() })
    }

    /// As [`Sites::read`], for all pages as one site, which [`Sites::pages`] returns.
    pub(super) fn read_as_one(roots: &[String], reading: &Reading<'_>, report: &mut Report) -> Result<Self, Error> {
        Ok(Sites { sorted: read_pages(roots, reading, false, report)?, names: Names::default() })
    }

    /// Whether no site is left.
    pub fn is_at_end(&self) -> bool {
        self.sorted.peek().is_none()
    }

    /// The pages of the next site.
    pub(super) fn pages(&mut self) -> Result<Site, Error> {
        let label = self.sorted.peek().map(|key| label_of(key).to_owned()).unwrap_or_default();
        let (mut pages, mut shelf, mut titles) = (Vec::new(), Shelf::default(), Titles::default());
        while self.sorted.peek().is_some_and(|key| label_of(key) == label) {
            let notes = self.sorted.next()?.map(|(_, notes)| notes).unwrap_or_default();
            let (mut page, title) = unpack(&mut Packed(&notes), &mut self.names).expect("it was packed so");
            titles.add(title);
            page.shelve(&mut shelf)?;
            pages.push(page);
        }
        pages.shrink_to_fit();
        mark_older(&mut pages, &shelf)?;
        Ok(Site { pages, shelf, name: titles.name().map(Arc::from) })
    }
}

/// A site that is read.
pub(super) struct Site {
    pub(super) pages: Vec<Page>,
    /// What is known of those in archives.
    pub(super) shelf: Shelf,
    /// What their titles share.
    pub(super) name: Option<Arc<str>>,
}

/// A page and its title, as they were gathered.
fn unpack<'n>(notes: &mut Packed<'n>, names: &mut Names) -> Option<(Page, &'n str)> {
    let page = Page::unpack(notes, names)?;
    Some((page, std::str::from_utf8(notes.bytes()?).ok()?))
}

impl Iterator for Sites {
    /// A site and its label, if the scrape reveals it.
    type Item = Result<(Option<String>, Scrape), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let label = String::from_utf8_lossy(label_of(self.sorted.peek()?)).into_owned();
        let site = self.pages().map(Scrape::alone);
        Some(site.map(|site| (Some(label).filter(|label| !label.is_empty()), site)))
    }
}

/// The label of the site in the key of a page.
fn label_of(key: &[u8]) -> &[u8] {
    key.split(|&b| b == 0).next().unwrap_or_default()
}
