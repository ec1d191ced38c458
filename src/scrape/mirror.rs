//! Distinguishes a mirror of a site from a folder with a dump: a mirror has pages or feeds, perhaps besides answers of the API.

use super::location::{NO_HOST, locate};
use super::sniff::{SAMPLE, is_html};
use crate::feed::is_feed;
use crate::tree::{Root, files_below};
use std::io::Read;
use std::path::Path;

/// Whether a folder has feeds, pages below a host, or a page that is the index of a folder, as mirrors without a host have. Any other page
/// besides a dump may be the answer to a failed request.
pub(crate) fn is_mirror(folder: &Path) -> bool {
    let (Ok(below), Ok(root)) = (files_below(folder), Root::open(folder)) else { return false };
    let mut start = Vec::with_capacity(SAMPLE);
    below.files.iter().filter(|file| !is_of_dump(file)).any(|file| {
        let Ok(reader) = root.file(file) else { return false };
        start.clear();
        let is_read = reader.take(SAMPLE as u64).read_to_end(&mut start).is_ok();
        let is_below_host = || !locate(file, None).url.contains(NO_HOST);
        let is_index = || file.file_stem().is_some_and(|name| name == "index");
        is_read && (is_feed(&start) || is_html(&start, false) && (is_index() || is_below_host()))
    })
}

/// Whether a file need not be opened: by its extension, it belongs to a dump, or cannot be a page or a feed.
fn is_of_dump(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let others = "json ndjson jsonl gz zst warc wacz css js map png jpg jpeg gif webp svg ico woff woff2 ttf eot mp3 mp4 pdf zip";
    others.split(' ').any(|other| other == ending)
}
