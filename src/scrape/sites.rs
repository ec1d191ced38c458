//! Scrapes without a dump, as sites: their pages come host by host.

use super::archived::mark_older;
use super::claim::Names;
use super::join::Scrape;
use super::page::Page;
use super::read::{Reading, read_pages};
use crate::report::{Error, Report};
use crate::spill::{Notes, Shelf, Sorted};

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

    /// The pages of the next site, and what is known of those in archives.
    pub(super) fn pages(&mut self) -> Result<(Vec<Page>, Shelf), Error> {
        let label = self.sorted.peek().map(|key| label_of(key).to_owned()).unwrap_or_default();
        let (mut pages, mut shelf) = (Vec::new(), Shelf::default());
        while self.sorted.peek().is_some_and(|key| label_of(key) == label) {
            let page = self.sorted.next()?.and_then(|(_, page)| Page::unpack(&mut Notes(&page), &mut self.names));
            let mut page = page.expect("it was packed so");
            page.shelve(&mut shelf)?;
            pages.push(page);
        }
        pages.shrink_to_fit();
        mark_older(&mut pages, &shelf)?;
        Ok((pages, shelf))
    }
}

impl Iterator for Sites {
    /// A site and its label, if the scrape reveals it.
    type Item = Result<(Option<String>, Scrape), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let label = String::from_utf8_lossy(label_of(self.sorted.peek()?)).into_owned();
        let (pages, shelf) = match self.pages() {
            Ok(pages) => pages,
            Err(e) => return Some(Err(e)),
        };
        Some(Ok((Some(label).filter(|label| !label.is_empty()), Scrape::alone(pages, shelf))))
    }
}

/// The label of the site in the key of a page.
fn label_of(key: &[u8]) -> &[u8] {
    key.split(|&b| b == 0).next().unwrap_or_default()
}
