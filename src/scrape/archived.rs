//! Finds the pages in the archives of a scrape. Other modules read the pages of directories, and join both to records.

use super::claim::Names;
use super::location::Location;
use super::page::{Capture, Page};
use super::sniff;
use crate::archive::{Head, Payload, Record, Records, Volume, read_at, split};
use crate::page::{PAGE_LIMIT, PageBuffer, read_head};
use crate::tree::Root;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// What an archive holds.
#[derive(Default)]
pub(super) struct Found {
    pub(super) pages: Vec<Page>,
    /// Pages whose body is that of another record.
    revisits: Vec<Revisit>,
    /// Records that cannot be read, by their addresses, and why.
    pub(super) faults: Vec<(String, String)>,
    /// Volumes that had to be unpacked.
    pub(super) unpacked: Vec<String>,
    /// Names and numbers for `--stats`.
    pub(super) counts: [(&'static str, u64); 6],
}

/// A capture that has the body of an earlier one.
struct Revisit {
    url: String,
    capture: Capture,
    /// The URL of the earlier one.
    of: Option<String>,
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
    /// The body of another record.
    Revisit,
    /// Anything else: requests, metadata.
    Other,
}

impl Class {
    fn of(record: &Record, start: &[u8]) -> Self {
        if !record.has_payload() {
            return Class::Other;
        }
        let media_type = match record.kind() {
            "revisit" => return Class::Revisit,
            "resource" => record.get("content-type").map(Cow::Borrowed),
            _ => match Head::read(start) {
                None => None,
                Some((head, _)) => match head.status {
                    200 => head.media_type().map(Cow::Owned),
                    301 | 302 | 303 | 307 | 308 => None,
                    _ => return Class::NotOk,
                },
            },
        };
        if media_type.is_some_and(|name| is_other_file(&name)) { Class::NotHtml } else { Class::Page }
    }
}

/// Whether this is the media type of a file that need not be looked into.
fn is_other_file(media_type: &str) -> bool {
    let is_script =
        || ["text/css", "text/javascript", "application/"].iter().any(|start| media_type.starts_with(start));
    let is_media = || ["image/", "video/", "audio/", "font/"].iter().any(|start| media_type.starts_with(start));
    is_media() || is_script() && !media_type.contains("html") && !media_type.starts_with("application/octet-stream")
}

/// Reads the heads of all pages in the archive `below` the directory `folder` of the scrape with this number.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn read_archive(
    folder: &Root,
    number: u32,
    below: &str,
    buffer: &mut PageBuffer,
    names: &mut Names,
) -> io::Result<Found> {
    let mut found = Found::default();
    let (mut captures, mut skipped, mut not_html, mut not_ok, mut truncated) = (0, 0, 0, 0, 0);
    for volume in Volume::open(below, folder.file(Path::new(below))?)? {
        if volume.is_unpacked {
            found.unpacked.push(volume.name.clone());
        }
        let mut records = Records::new(&volume, PAGE_LIMIT);
        let mut block = Vec::new();
        let class = Cell::new(Class::Other);
        let look = |record: &Record, start: &[u8]| {
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
            truncated += u64::from(record.get("warc-truncated").is_some());
            match class.get() {
                Class::Other => skipped += 1,
                Class::NotHtml => not_html += 1,
                Class::NotOk => not_ok += 1,
                Class::Revisit => found.revisits.extend(revisit(&record)),
                Class::Page => match page_of(&record, &volume.name, &block, number, buffer, names) {
                    Ok(Some(page)) => found.pages.push(page),
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
        ("captures_revisits", found.revisits.len() as u64),
        ("not_html", not_html),
        ("records_skipped", skipped),
    ];
    Ok(found)
}

/// The page, or redirect, in a record of this volume; none if it is something else.
fn page_of(
    record: &Record,
    volume: &str,
    block: &[u8],
    number: u32,
    buffer: &mut PageBuffer,
    names: &mut Names,
) -> Result<Option<Page>, String> {
    let url = url_of(record);
    let file = format!("{volume}#{}", record.place);
    let mut page = match record.payload(block, PAGE_LIMIT)? {
        Payload::Redirect(goal) => Page::redirect(number, file, url, &goal),
        Payload::Body(body) => {
            let page = body.into_page();
            if !sniff::is_html(&page[..page.len().min(sniff::SAMPLE)]) {
                return Ok(None);
            }
            let head = read_head(&*page, buffer).expect("memory can be read");
            Page::new(number, file, Location { url, is_certain: true }, &head, names)
        }
        _ => return Ok(None),
    };
    page.capture = Some(Box::new(capture_of(record)));
    Ok(Some(page))
}

/// The URL of a record, without a fragment.
fn url_of(record: &Record) -> String {
    let url = record.uri().unwrap_or_default();
    url.split('#').next().unwrap_or_default().to_owned()
}

fn capture_of(record: &Record) -> Capture {
    let text = |name: &str| record.get(name).map(Into::into);
    Capture { time: text("warc-date"), digest: text("warc-payload-digest"), is_older: false }
}

fn revisit(record: &Record) -> Option<Revisit> {
    // What a server has not sent again is what it sent last time.
    let of = record.get("warc-refers-to-target-uri").map(|uri| uri.trim_matches(['<', '>']).to_owned());
    Some(Revisit { url: url_of(record), capture: capture_of(record), of })
}

/// The revisits as pages: each with the record that has its body. The number is that of those whose body is not there.
pub(super) fn resolve_revisits(
    found: &mut [Found],
    folder: &Root,
    number: u32,
    buffer: &mut PageBuffer,
    names: &mut Names,
) -> (Vec<Page>, u64) {
    let revisits: Vec<Revisit> = found.iter_mut().flat_map(|found| std::mem::take(&mut found.revisits)).collect();
    if revisits.is_empty() {
        return (Vec::new(), 0);
    }
    let mut by_digest: HashMap<&str, &Page> = HashMap::new();
    let mut by_url: HashMap<Cow<'_, str>, &Page> = HashMap::new();
    for page in found.iter().flat_map(|found| &found.pages).filter(|page| !page.is_redirect) {
        by_url.insert(page.location(), page);
        if let Some(digest) = page.capture.as_ref().and_then(|capture| capture.digest.as_deref()) {
            by_digest.insert(digest, page);
        }
    }
    let mut pages = Vec::new();
    let mut missing = 0;
    for Revisit { url, capture, of } in revisits {
        let digest = capture.digest.as_deref();
        let same = digest.and_then(|digest| by_digest.get(digest));
        // Without a digest the URL tells.
        let same = same.or_else(|| by_url.get(of.as_deref().unwrap_or(&url)).filter(|_| digest.is_none()));
        let head = same.and_then(|same| read_again(&same.file, folder, buffer));
        match (same, head) {
            (Some(same), Some(head)) => {
                let location = Location { url, is_certain: true };
                let mut page = Page::new(number, same.file.to_string(), location, &head, names);
                page.capture = Some(Box::new(capture));
                pages.push(page);
            }
            _ => missing += 1,
        }
    }
    (pages, missing)
}

/// The head of the page at an address.
fn read_again(address: &str, folder: &Root, buffer: &mut PageBuffer) -> Option<crate::page::Head> {
    let (path, name, place) = split(address)?;
    let volumes = Volume::open(path, folder.file(Path::new(path)).ok()?).ok()?;
    let mut block = Vec::new();
    let record = read_at(volumes.iter().find(|volume| volume.name == name)?, place, PAGE_LIMIT, &mut block).ok()?;
    let Ok(Payload::Body(body)) = record.payload(&block, PAGE_LIMIT) else { return None };
    read_head(&*body.into_page(), buffer).ok()
}

/// Marks the captures of which there is a newer one: a page is preferred to a redirect.
pub(super) fn mark_older(pages: &mut [Page]) {
    let mut newest: HashMap<Box<str>, usize> = HashMap::new();
    for at in 0..pages.len() {
        if pages[at].capture.is_none() {
            continue;
        }
        let url: Box<str> = pages[at].location().into();
        let mut older = at;
        newest
            .entry(url)
            .and_modify(|best| {
                if rank(&pages[at]) >= rank(&pages[*best]) {
                    older = std::mem::replace(best, at);
                }
            })
            .or_insert_with(|| {
                older = usize::MAX;
                at
            });
        if let Some(capture) = pages.get_mut(older).and_then(|page| page.capture.as_mut()) {
            capture.is_older = true;
        }
    }
}

/// A capture with a higher rank is preferred.
fn rank(page: &Page) -> (bool, &str) {
    let time = page.capture.as_ref().and_then(|capture| capture.time.as_deref()).unwrap_or_default();
    (!page.is_redirect, time.trim_end_matches('Z'))
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
