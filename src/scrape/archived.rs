//! Finds the pages in the archives of a scrape. Other modules read the pages of directories, and join both to records.

use super::claim::Names;
use super::location::Location;
use super::page::{Capture, Page};
use super::sniff;
use super::sorted::Gathered;
use crate::archive::{Archives, Payload, Records, ResponseHead, Volume, WarcRecord, read_at, split};
use crate::codec::{Packed, put_bytes};
use crate::page::{self, PAGE_LIMIT, PageBuffer, PageReader};
use crate::report::Error;
use crate::spill::Shelf;
use crate::tree::Root;
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// What an archive holds besides pages.
#[derive(Default)]
pub(super) struct Found {
    /// Records that cannot be read, by their addresses, and why.
    pub(super) faults: Vec<(String, String)>,
    /// Volumes that had to be unpacked.
    pub(super) unpacked: Vec<String>,
    /// Names and numbers for `--stats`.
    pub(super) counts: [(&'static str, u64); 6],
}

/// A capture that has the body of an earlier one.
pub(super) struct Revisit {
    pub(super) url: String,
    pub(super) capture: Capture,
    /// The URL of the earlier one.
    pub(super) of: Option<String>,
}

impl Revisit {
    /// What is left of it once the body has been found.
    pub(super) fn pack(&self) -> Vec<u8> {
        let mut notes = Vec::new();
        let texts = [Some(&*self.url), self.capture.time(), self.capture.digest()];
        texts.iter().for_each(|text| put_bytes(&mut notes, text.unwrap_or_default().as_bytes()));
        notes
    }

    pub(super) fn unpack(notes: &[u8]) -> Option<Self> {
        let mut notes = Packed(notes);
        let mut text = || std::str::from_utf8(notes.bytes()?).ok();
        let (url, time, digest) = (text()?, text()?, text()?);
        Some(Revisit { url: url.to_owned(), capture: Capture::new(time, digest), of: None })
    }
}

/// Reads the heads of pages.
#[derive(Default)]
pub(super) struct Heads {
    wordpress_only: bool,
    pub(super) names: Names,
    buffer: PageBuffer,
    archives: Archives,
}

impl Heads {
    /// `wordpress_only`: whether to find out which pages no WordPress made.
    pub(super) fn new(wordpress_only: bool) -> Self {
        Heads { wordpress_only, ..Heads::default() }
    }

    /// The head of a page, and whether no WordPress made it; none if it is not HTML.
    pub(super) fn read(&mut self, source: impl Read) -> io::Result<Option<(page::Head, bool)>> {
        let mut page = PageReader::new(source, std::mem::take(&mut self.buffer));
        let head = self.read_page(&mut page);
        self.buffer = page.into_buffer();
        head
    }

    fn read_page(&self, page: &mut PageReader<impl Read>) -> io::Result<Option<(page::Head, bool)>> {
        let start = page.first_bytes()?;
        if !sniff::is_html(&start[..start.len().min(sniff::SAMPLE)]) {
            return Ok(None);
        }
        let head = page.head()?;
        let is_foreign = self.wordpress_only && !page.is_of_wordpress(&head);
        Ok(Some((head, is_foreign)))
    }

    /// The page in the body of a capture, and its title; none if it is something else.
    fn page(&mut self, html: impl Read, root: u32, file: String, url: String) -> Option<(Page, String)> {
        let (head, is_foreign) = self.read(html).expect("memory can be read")?;
        let mut page = Page::new(root, file, Location { url, is_certain: true }, &head, &mut self.names);
        page.is_foreign = is_foreign;
        Some((page, head.title.unwrap_or_default()))
    }

    /// The page of a revisit, whose body is at an address below `folder`, and its title.
    pub(super) fn revisited(
        &mut self,
        root: u32,
        address: &str,
        folder: &Root,
        revisit: Revisit,
    ) -> Option<(Page, String)> {
        let (path, name, place) = split(address)?;
        let open = || Volume::open(path, folder.file(Path::new(path))?);
        let volumes = self.archives.volumes(Path::new(&root.to_string()).join(path), open).ok()?;
        let mut block = Vec::new();
        let record = read_at(volumes.iter().find(|volume| volume.name == name)?, place, PAGE_LIMIT, &mut block).ok()?;
        let Ok(Payload::Body(body)) = record.payload(&block, PAGE_LIMIT) else { return None };
        let (mut page, title) = self.page(body.page(), root, address.to_owned(), revisit.url)?;
        page.capture = Some(revisit.capture);
        Some((page, title))
    }
}

/// What a record is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// It may hold a page, or leads to one.
    Page,
    /// A file of another kind.
    NotHtml,
    /// An answer that is neither a page nor a redirect.
    NotOk,
    /// It may hold a page, whose body is another record's.
    Revisit,
    /// Anything else: requests, metadata.
    Other,
}

impl Class {
    fn of(record: &WarcRecord, start: &[u8]) -> Self {
        if !record.has_payload() {
            return Class::Other;
        }
        let (status, media_type) = match record.kind() {
            "resource" => (200, record.get("content-type").map(Cow::Borrowed)),
            // A revisit repeats the head of the answer, as a rule.
            _ => ResponseHead::read(start)
                .map_or((200, None), |(head, _)| (head.status, head.media_type().map(Cow::Owned))),
        };
        let is_revisit = record.kind() == "revisit";
        match status {
            200 if media_type.is_some_and(|name| is_other_file(&name)) => Class::NotHtml,
            200 | 304 if is_revisit => Class::Revisit,
            200 | 301 | 302 | 303 | 307 | 308 => Class::Page,
            _ => Class::NotOk,
        }
    }
}

/// Whether this is the media type of a file that need not be looked into.
fn is_other_file(media_type: &str) -> bool {
    let is_script =
        || ["text/css", "text/javascript", "application/"].iter().any(|start| media_type.starts_with(start));
    let is_media = || ["image/", "video/", "audio/", "font/"].iter().any(|start| media_type.starts_with(start));
    is_media() || is_script() && !media_type.contains("html") && !media_type.starts_with("application/octet-stream")
}

/// Reads the heads of all pages in the archive `below` the directory `folder` of the scrape `root`, whose number among the
/// archives is `number`.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn read_archive(
    (folder, root): (&Root, u32),
    below: &str,
    number: u32,
    heads: &mut Heads,
    gathered: &Gathered,
) -> io::Result<Found> {
    let mut found = Found::default();
    let (mut captures, mut skipped, mut not_html, mut not_ok, mut truncated, mut revisits) = (0, 0, 0, 0, 0, 0);
    for volume in Volume::open(below, folder.file(Path::new(below))?)? {
        if volume.is_unpacked {
            found.unpacked.push(volume.name.clone());
        }
        let mut records = Records::new(&volume, PAGE_LIMIT);
        let mut block = Vec::new();
        let class = Cell::new(Class::Other);
        let look = |record: &WarcRecord, start: &[u8]| {
            class.set(Class::of(record, start));
            class.get() == Class::Page
        };
        while let Some(record) = records.next(look, &mut block) {
            let record = match record {
                Ok(record) => record,
                Err(fault) => {
                    found.faults.push((format!("{}#{}", volume.name, fault.place), fault.what));
                    continue;
                }
            };
            captures += u64::from(class.get() != Class::Other);
            revisits += u64::from(class.get() != Class::Other && record.kind() == "revisit");
            truncated += u64::from(record.get("warc-truncated").is_some());
            match class.get() {
                Class::Other => skipped += 1,
                Class::NotHtml => not_html += 1,
                Class::NotOk => not_ok += 1,
                Class::Revisit => gathered.add_revisit(&revisit_of(&record), (number, captures)),
                Class::Page => match page_of(&record, &volume.name, &block, root, heads) {
                    Ok(Some(page)) => gathered.add(&page, (number, captures)),
                    Ok(None) => not_html += 1,
                    Err(what) => found.faults.push((format!("{}#{}", volume.name, record.place), what)),
                },
            }
        }
    }
    found.counts = [
        ("captures", captures),
        ("captures_not_ok", not_ok),
        ("captures_truncated", truncated),
        ("captures_revisits", revisits),
        ("not_html", not_html),
        ("records_skipped", skipped),
    ];
    Ok(found)
}

/// The page, or redirect, in a record of this volume, and its title; none if it is something else.
fn page_of(
    record: &WarcRecord,
    volume: &str,
    block: &[u8],
    root: u32,
    heads: &mut Heads,
) -> Result<Option<(Page, String)>, String> {
    let url = url_of(record);
    let file = format!("{volume}#{}", record.place);
    let (mut page, title) = match record.payload(block, PAGE_LIMIT)? {
        Payload::Redirect(goal) => (Page::redirect(root, file, url, &goal), String::new()),
        Payload::Body(body) => match heads.page(body.page(), root, file, url) {
            Some(page) => page,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    page.capture = Some(capture_of(record));
    Ok(Some((page, title)))
}

/// The URL of a record, without a fragment.
fn url_of(record: &WarcRecord) -> String {
    let url = record.uri().unwrap_or_default();
    url.split('#').next().unwrap_or_default().to_owned()
}

fn capture_of(record: &WarcRecord) -> Capture {
    let text = |name: &str| record.get(name).unwrap_or_default();
    Capture::new(text("warc-date"), text("warc-payload-digest"))
}

fn revisit_of(record: &WarcRecord) -> Revisit {
    // What a server has not sent again is what it sent last time.
    let of = record.get("warc-refers-to-target-uri").map(|uri| uri.trim_matches(['<', '>']).to_owned());
    Revisit { url: url_of(record), capture: capture_of(record), of }
}

/// Marks the captures of which there is a newer one: a page is preferred to a redirect.
pub(super) fn mark_older(pages: &mut [Page], shelf: &Shelf) -> Result<(), Error> {
    let mut captures: Vec<(u64, usize)> = Vec::new();
    for (page, at) in pages.iter().zip(0..).filter(|(page, _)| page.capture.is_some()) {
        captures.push((xxh3_64(page.location().as_bytes()), at));
    }
    captures.sort_unstable();
    for same in captures.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        let url = pages[same[0].1].location().into_owned();
        let mut newest: Option<((bool, String), usize)> = None;
        for &(_, at) in same {
            if pages[at].location() != url {
                continue;
            }
            let rank = rank(&pages[at], shelf)?;
            let (is_newer, other) = newest.as_ref().map_or((true, at), |(best, other)| (rank >= *best, *other));
            pages[if is_newer { other } else { at }].is_older = other != at;
            if is_newer {
                newest = Some((rank, at));
            }
        }
    }
    Ok(())
}

/// A capture with a higher rank is preferred.
fn rank(page: &Page, shelf: &Shelf) -> Result<(bool, String), Error> {
    let (_, capture) = page.origin(shelf)?;
    let time = capture.as_deref().and_then(Capture::time).unwrap_or_default();
    Ok((!page.is_redirect, time.trim_end_matches('Z').to_owned()))
}

/// Where a page comes in the order of a scrape: a page of an archive where wget would have put its file.
pub(super) fn order_of(page: &Page) -> String {
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
