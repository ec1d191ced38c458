//! Finds the folder from which the pages of a scrape without a host load WordPress' own files: a hint for users who have to name
//! the site. It is not used as evidence, because the folder may belong to a copy of the site or to a content delivery network.

use super::location::is_public;
use super::page::Page;
use crate::urls::PageUrl;
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most pages that are read to find the folder.
const PAGES: usize = 64;
/// The most bytes of each of these pages.
const BYTES: u64 = 256 * 1024;

/// The most bytes of a URL before the name of the folder.
const LONGEST: usize = 200;

/// The folder from which most pages load WordPress' own files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OwnFiles {
    /// The folder above `wp-content`.
    pub(crate) url: String,
    /// The pages that load files from there, and all pages that were read.
    pub(crate) pages: usize,
    pub(crate) of: usize,
}

impl OwnFiles {
    /// Reads some pages below these roots; [`None`] unless more than half of them load files from the same folder.
    pub(super) fn of(pages: &[Page], roots: &[String]) -> Option<Self> {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut of = 0;
        for page in pages.iter().step_by(pages.len().div_ceil(PAGES).max(1)) {
            let Some(root) = roots.get(page.root as usize) else { continue };
            let mut html = Vec::new();
            let file = File::open(Path::new(root).join(&*page.file));
            if file.and_then(|file| file.take(BYTES).read_to_end(&mut html)).is_ok() {
                of += 1;
                folders(&html).into_iter().for_each(|folder| *places.entry(folder).or_default() += 1);
            }
        }
        let (url, pages) = places.into_iter().max_by_key(|(_, pages)| *pages)?;
        (pages * 2 > of).then_some(OwnFiles { url, pages, of })
    }
}

/// The folders above `wp-content` and `wp-includes` in absolute URLs of a page, except WordPress.com's copies and hosts that only
/// one machine or network can reach.
fn folders(html: &[u8]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in ["/wp-content/", "/wp-includes/"] {
        for at in memmem::find_iter(html, name) {
            let before = &html[at.saturating_sub(LONGEST)..at];
            let is_end = |byte: &u8| !byte.is_ascii_graphic() || b"\"'()<>,;=".contains(byte);
            let start = before.iter().rposition(is_end).map_or(0, |end| end + 1);
            let url = std::str::from_utf8(&before[start..]).ok().and_then(|text| PageUrl::parse(&format!("{text}/")));
            found.extend(url.filter(|url| is_public(url.host())).map(|url| url.as_str().to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_of_absolute_addresses() {
        let page = "<link href='https://a.example/blog/wp-content/themes/x.css'><script src=\"/wp-includes/x.js\"></script>
            <img src=https://a.example/blog/wp-content/a.png><script src='https://c0.wp.com/c/6.1/wp-includes/y.js'></script>
            <style>@import url(http://b.example/wp-content/b.css)</style>/wp-content/ http://localhost:8080/wp/wp-content/x
            http://192.168.0.5/wp-content/x https:///wp-content/ ../../wp-content/";
        let found: Vec<_> = folders(page.as_bytes()).into_iter().collect();
        assert_eq!(found, ["http://b.example/", "https://a.example/blog/"]);
    }
}
