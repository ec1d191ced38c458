//! Finds the pages in a scrape's web archives (WARC, WACZ). Other modules read pages that are saved as files.

use super::capture::Capture;
use super::feeds::read_feed;
use super::heads::Heads;
use super::page::Page;
use super::revisit::Revisit;
use super::sniff::SAMPLE;
use super::sorted::{Gathered, site_of};
use crate::archive::{Payload, Records, ResponseHead, Volume, WarcRecord};
use crate::feed::{Place, Rest, is_feed};
use crate::page::PAGE_LIMIT;
use crate::report::shown_path;
use crate::rights::{Files, Headers};
use crate::tree::Root;
use crate::wordpress::rest_root;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io;
use std::path::Path;

/// The contents of an archive besides pages.
#[derive(Default)]
pub(super) struct ArchiveContents {
    /// The records that cannot be read: the address of each, and why.
    pub(super) faults: Vec<(String, String)>,
    /// The feeds: the address of each, and its other contents.
    pub(super) feeds: Vec<(String, Rest)>,
    /// The names of the volumes that had to be unpacked.
    pub(super) unpacked: Vec<String>,
    /// The counts of records, with their names in `--stats`.
    pub(super) counts: [(&'static str, u64); 7],
}

/// The class of a WARC record, by its headers and first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// A possible page, or a redirect to one.
    Page,
    /// A file of another kind.
    NotHtml,
    /// A file of the site for robots (`robots.txt`, `tdmrep.json`).
    Robots,
    /// An answer whose status shows that it is neither a page nor a redirect.
    NotOk,
    /// A possible page, whose body is in another record.
    Revisit,
    /// A notice about outdated pages.
    Notice,
    /// Anything else: requests, metadata.
    Other,
}

impl Class {
    /// The class, and the status of the answer, if it is stated.
    fn of(record: &WarcRecord, start: &[u8]) -> (Self, Option<u16>) {
        if !record.has_payload() {
            return (if record.is_notice() { Class::Notice } else { Class::Other }, None);
        }
        let (status, media_type) = match record.kind() {
            "resource" => (None, record.get("content-type").map(Cow::Borrowed)),
            // A revisit usually repeats the head of the answer.
            _ => ResponseHead::read(start)
                .map_or((None, None), |(head, _)| (Some(head.status), head.media_type().map(Cow::Owned))),
        };
        let is_revisit = record.kind() == "revisit";
        let class = match status.unwrap_or(200) {
            200 if !is_revisit && Files::are_at(&url_of(record)) => Class::Robots,
            200 if media_type.is_some_and(|name| is_other_file(&name) && (is_revisit || !may_be_feed(&name))) => {
                Class::NotHtml
            }
            200 | 304 if is_revisit => Class::Revisit,
            200 | 301 | 302 | 303 | 307 | 308 => Class::Page,
            _ => Class::NotOk,
        };
        (class, status)
    }
}

/// Whether this is the media type of a file that need not be inspected.
fn is_other_file(media_type: &str) -> bool {
    let is_script =
        || ["text/css", "text/javascript", "application/"].iter().any(|start| media_type.starts_with(start));
    let is_media = || ["image/", "video/", "audio/", "font/"].iter().any(|start| media_type.starts_with(start));
    is_media() || is_script() && !media_type.contains("html") && !media_type.starts_with("application/octet-stream")
}

/// Whether a feed may have this media type.
fn may_be_feed(media_type: &str) -> bool {
    ["rss", "atom", "rdf", "/xml"].iter().any(|name| media_type.contains(name))
}

/// Reads the heads of all pages in an archive: the file `below` the directory `folder`, which is called `name`. `root` is the number of the
/// scrape, `number` that of the archive.
///
/// # Errors
/// If it cannot be opened.
pub(super) fn read_archive(
    (folder, root): (&Root, u32),
    (name, below): (&str, &str),
    number: u32,
    heads: &mut Heads,
    gathered: &Gathered,
) -> io::Result<ArchiveContents> {
    let mut found = ArchiveContents::default();
    let mut counts = Counts::default();
    for volume in Volume::open(below, folder.file(Path::new(below))?)? {
        if volume.is_unpacked {
            found.unpacked.push(volume.name.clone());
        }
        let mut records = Records::new(&volume, PAGE_LIMIT);
        let mut block = Vec::new();
        let (class, status) = (Cell::new(Class::Other), Cell::new(None));
        let headers = RefCell::new(None);
        let look = |record: &WarcRecord, start: &[u8]| {
            let (looked, stated) = Class::of(record, start);
            class.set(looked);
            status.set(stated);
            if looked == Class::Revisit {
                *headers.borrow_mut() = ResponseHead::read(start).map(|(head, _)| Headers::note(&head));
            }
            matches!(looked, Class::Page | Class::Notice | Class::Robots)
        };
        while let Some(record) = records.next(look, &mut block) {
            let taken = record.map_err(|fault| (fault.place, fault.what)).and_then(|record| {
                counts.add(&record, class.get());
                let place = (number, counts.captures);
                let is_page = match class.get() {
                    Class::Notice => gathered.add_outdated(&block).map(|()| true),
                    Class::Robots => add_file(&record, &block, gathered).map(|()| true),
                    Class::Revisit => {
                        let revisit = Revisit { headers: headers.take(), ..revisit_of(&record, status.get()) };
                        gathered.add_revisit(&revisit, root, place);
                        Ok(true)
                    }
                    Class::Page => page_of(&record, &volume.name, &block, root, heads).map(|page| {
                        page.map(|(mut page, title)| {
                            page.capture = Some(capture_of(&record, status.get()));
                            let host = site_of(&page);
                            gathered.add(&(page, title), host.as_deref(), place);
                        })
                        .is_some()
                    }),
                    Class::Other | Class::NotHtml | Class::NotOk => Ok(true),
                };
                let feed = || add_feed(&record, &block, (name, &volume.name, root), gathered);
                if let Ok(false) = is_page {
                    match feed() {
                        Some(feed) => found.feeds.push(feed),
                        None => counts.not_html += 1,
                    }
                }
                is_page.map_err(|what| (record.place, what))
            });
            if let Err((place, what)) = taken {
                found.faults.push((format!("{}#{place}", volume.name), what));
            }
        }
    }
    found.counts = counts.named();
    Ok(found)
}

/// The counts of an archive's records.
#[derive(Default)]
struct Counts {
    captures: u64,
    not_ok: u64,
    truncated: u64,
    revisits: u64,
    not_html: u64,
    answers: u64,
    skipped: u64,
}

impl Counts {
    fn add(&mut self, record: &WarcRecord, class: Class) {
        self.captures += u64::from(record.has_payload());
        self.revisits += u64::from(record.has_payload() && record.kind() == "revisit");
        self.truncated += u64::from(record.get("warc-truncated").is_some());
        self.answers += u64::from(class == Class::NotHtml && rest_root(record.uri().unwrap_or_default()).is_some());
        match class {
            Class::Other | Class::Notice => self.skipped += 1,
            Class::NotHtml | Class::Robots => self.not_html += 1,
            Class::NotOk => self.not_ok += 1,
            Class::Revisit | Class::Page => {}
        }
    }

    /// The counts, with the names that wp-index gives them in `--stats`.
    fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("captures", self.captures),
            ("captures_not_ok", self.not_ok),
            ("captures_truncated", self.truncated),
            ("captures_revisits", self.revisits),
            ("not_html", self.not_html),
            ("answers", self.answers),
            ("records_skipped", self.skipped),
        ]
    }
}

/// Keeps a file with the site's rules for robots (robots.txt, tdmrep.json) that is the body of this record.
fn add_file(record: &WarcRecord, block: &[u8], gathered: &Gathered) -> Result<(), String> {
    if let Payload::Body(body) = record.payload(block, PAGE_LIMIT)? {
        gathered.add_file(&url_of(record), record.get("warc-date").unwrap_or_default(), &body.bytes);
    }
    Ok(())
}

/// Gathers the entries of the feed that is the body of this record, in a volume of the scrape with this name and number. Returns its
/// address and its other contents; [`None`] if it is not a feed.
fn add_feed(
    record: &WarcRecord,
    block: &[u8],
    (name, volume, root): (&str, &str, u32),
    gathered: &Gathered,
) -> Option<(String, Rest)> {
    let Ok(Payload::Body(body)) = record.payload(block, PAGE_LIMIT) else { return None };
    if !is_feed(&body.bytes[..body.bytes.len().min(SAMPLE)]) {
        return None;
    }
    let address = format!("{volume}#{}", record.place);
    let file = shown_path(&Path::new(name).join(&address));
    let place = Place { time: record.get("warc-date").unwrap_or_default(), root };
    let feed = read_feed(&*body.bytes, &url_of(record), &file, &place, gathered);
    Some((address, feed))
}

/// The page or redirect in a record of this volume, and its title; [`None`] if it is something else.
fn page_of(
    record: &WarcRecord,
    volume: &str,
    block: &[u8],
    root: u32,
    heads: &mut Heads,
) -> Result<Option<(Page, String)>, String> {
    let url = url_of(record);
    let file = format!("{volume}#{}", record.place);
    Ok(match record.payload(block, PAGE_LIMIT)? {
        Payload::Redirect(goal) => Some((Page::redirect(root, file, url, &goal), String::new())),
        Payload::Body(body) => heads.page(&body, root, file, url),
        _ => None,
    })
}

/// The URL of a record, without a fragment.
fn url_of(record: &WarcRecord) -> String {
    let url = record.uri().unwrap_or_default();
    url.split('#').next().unwrap_or_default().to_owned()
}

fn capture_of(record: &WarcRecord, status: Option<u16>) -> Capture {
    let text = |name: &str| record.get(name).unwrap_or_default();
    Capture::new(text("warc-date"), text("warc-payload-digest"), text("warc-record-id"), status)
}

fn revisit_of(record: &WarcRecord, status: Option<u16>) -> Revisit {
    // If a server answers 304 (not modified), its last answer still holds.
    let of = record.get("warc-refers-to-target-uri").map(|uri| uri.trim_matches(['<', '>']).to_owned());
    Revisit { url: url_of(record), capture: capture_of(record, status), of, headers: None }
}
