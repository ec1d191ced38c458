//! Keeps the newest of several captures of a URL in web archives, unless it is outdated.

use super::capture::Capture;
use super::page::Page;
use crate::archive::Outdated;
use crate::report::Error;
use crate::spill::Shelf;
use xxhash_rust::xxh3::xxh3_64;

/// Marks the captures that are outdated or have a newer one; a page is preferred to a redirect.
pub(super) fn mark_older(pages: &mut [Page], shelf: &Shelf, outdated: &Outdated) -> Result<(), Error> {
    for page in pages.iter_mut().filter(|page| page.capture.is_some() && !outdated.is_empty()) {
        let (_, capture) = page.origin(shelf)?;
        let time = capture.as_deref().and_then(Capture::time).unwrap_or_default();
        page.is_older = outdated.has_page(&page.location(), time);
    }
    let mut captures: Vec<(u64, usize)> = Vec::new();
    let is_rival = |page: &Page| page.capture.is_some() && !page.is_older;
    for (page, at) in pages.iter().zip(0..).filter(|(page, _)| is_rival(page)) {
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
