//! Reads the heads of pages, from files and from the bodies of captures, and tells pages from files of other kinds.

use super::claim::Names;
use super::location::Location;
use super::page::Page;
use super::sniff;
use crate::archive::Body;
use crate::page::{self, PageBuffer, PageReader};
use crate::rights::Headers;
use std::io::{self, Read};

/// Reads the heads of pages.
#[derive(Default)]
pub(super) struct Heads {
    wordpress_only: bool,
    pub(super) names: Names,
    buffer: PageBuffer,
}

impl Heads {
    /// `wordpress_only`: whether to find out which pages no WordPress made.
    pub(super) fn new(wordpress_only: bool) -> Self {
        Heads { wordpress_only, ..Heads::default() }
    }

    /// The head of a page, and whether no WordPress made it; none if it is not HTML. `said`: whether a server said that it is.
    pub(super) fn read(&mut self, source: impl Read, said: bool) -> io::Result<Option<(page::Head, bool)>> {
        let mut page = PageReader::new(source, std::mem::take(&mut self.buffer));
        let head = self.read_page(&mut page, said);
        self.buffer = page.into_buffer();
        head
    }

    fn read_page(&self, page: &mut PageReader<impl Read>, said: bool) -> io::Result<Option<(page::Head, bool)>> {
        let start = page.first_bytes()?;
        if !sniff::is_html(&start[..start.len().min(sniff::SAMPLE)], said) {
            return Ok(None);
        }
        let head = page.head()?;
        let is_foreign = self.wordpress_only && !page.is_of_wordpress(&head);
        Ok(Some((head, is_foreign)))
    }

    /// The page in the body of a capture, and its title; none if it is something else.
    pub(super) fn page(&mut self, body: &Body<'_>, root: u32, file: String, url: String) -> Option<(Page, String)> {
        let said = matches!(body.media_type.as_deref(), Some("text/html" | "application/xhtml+xml"));
        let (head, is_foreign) = self.read(body.page(), said).expect("memory can be read")?;
        let mut page = Page::new(root, file, Location { url, is_certain: true }, &head, &mut self.names);
        page.is_foreign = is_foreign;
        let headers = Headers::note(&body.head);
        page.headers = (!headers.is_empty()).then(|| self.names.share(&headers));
        Some((page, head.title.unwrap_or_default()))
    }
}
