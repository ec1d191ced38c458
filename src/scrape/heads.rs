//! Reads the heads of HTML pages, from files and from the bodies of captures in web archives, and sorts out files of other kinds.

use super::claim::{Names, may_be_list};
use super::location::Location;
use super::page::Page;
use super::sniff;
use crate::archive::Body;
use crate::feed::is_feed;
use crate::page::{self, Head, PageBuffer, PageReader};
use crate::rights::Headers;
use crate::wordpress::{is_brought, is_list_without_canonical, may_be_list_of_base};
use std::io;

/// The head of a page, and further findings.
pub(super) struct PageHead {
    head: page::Head,
    /// The page has no trace of WordPress.
    is_foreign: bool,
    /// It shows several posts, and its URL may belong to a list.
    is_list: bool,
}

impl PageHead {
    /// The page with this head, and its title.
    pub(super) fn page(self, root: u32, file: String, location: Location, names: &mut Names) -> (Page, String) {
        let mut page = Page::new(root, file, location, &self.head, names);
        page.is_foreign = self.is_foreign;
        page.is_archive |= self.is_list;
        (page, self.head.title.unwrap_or_default())
    }
}

/// The kind of a file.
pub(super) enum Read {
    Page(Box<PageHead>),
    Feed,
    Other,
}

/// Reads the heads of pages.
#[derive(Default)]
pub(super) struct Heads {
    wordpress_only: bool,
    pub(super) names: Names,
    buffer: PageBuffer,
}

impl Heads {
    /// Creates a reader. `wordpress_only`: whether to find the pages without a trace of WordPress.
    pub(super) fn new(wordpress_only: bool) -> Self {
        Heads { wordpress_only, ..Heads::default() }
    }

    /// Reads the page saved from `url`. `said`: whether a server stated that it is HTML. `charset`: the encoding that the server
    /// named.
    pub(super) fn read(
        &mut self,
        source: impl io::Read,
        url: &str,
        said: bool,
        charset: Option<&str>,
    ) -> io::Result<Read> {
        let mut page = PageReader::new(source, std::mem::take(&mut self.buffer)).sent_as(charset);
        let head = self.read_page(&mut page, url, said);
        self.buffer = page.into_buffer();
        head
    }

    fn read_page(&self, page: &mut PageReader<impl io::Read>, url: &str, said: bool) -> io::Result<Read> {
        let start = page.first_bytes()?;
        let start = &start[..start.len().min(sniff::SAMPLE)];
        if is_feed(start) {
            // a plugin's own feed, such as that of NextGEN's images, has no posts
            return Ok(if is_brought(url) { Read::Other } else { Read::Feed });
        }
        if !sniff::is_html(start, said) {
            return Ok(Read::Other);
        }
        let head = page.head()?;
        let is_foreign = self.wordpress_only && !page.is_of_wordpress(&head);
        // At the URL of a date, a single post may be the page's own; at that of a term or an author, it is a list.
        let posts = if may_be_list_of_base(url) { 1 } else { 2 };
        let is_unmarked = || head.canonical.is_none() && is_list_without_canonical(url) && writes_canonical(&head);
        let is_list = may_be_list(&head, url) && (is_unmarked() || page.shows_posts(posts)?);
        Ok(Read::Page(Box::new(PageHead { head, is_foreign, is_list })))
    }

    /// The page in the body of a capture, and its title; [`None`] if it is something else.
    pub(super) fn page(&mut self, body: &Body<'_>, root: u32, file: String, url: String) -> Option<(Page, String)> {
        let said = matches!(body.media_type.as_deref(), Some("text/html" | "application/xhtml+xml"));
        let read = self.read(&*body.bytes, &url, said, body.charset.as_deref()).expect("memory can be read");
        let Read::Page(head) = read else { return None };
        let (mut page, title) = head.page(root, file, Location { url, is_certain: true }, &mut self.names);
        let headers = Headers::note(&body.head);
        page.headers = (!headers.is_empty()).then(|| self.names.share(&headers));
        Some((page, title))
    }
}

/// Whether the page was made by a WordPress that writes canonical links of posts, by a theme that calls `wp_head()`: since 2.9.
fn writes_canonical(head: &Head) -> bool {
    let version = |name: &String| -> Option<(u32, u32)> {
        let mut numbers = name.strip_prefix("WordPress ")?.split(|c: char| !c.is_ascii_digit()).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    head.generators.iter().filter_map(version).any(|version| version >= (2, 9))
}
