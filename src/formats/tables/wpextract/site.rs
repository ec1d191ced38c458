//! Reads the data about a site that are needed before its first record is written.

use crate::language::LanguageTag;
use std::collections::{BTreeSet, HashMap};

/// The result of the first pass over a site.
#[derive(Debug, Default)]
pub(super) struct Site {
    /// Whether any record has a scraped page: only then do posts have languages and translations.
    pub(super) has_pages: bool,
    pub(super) languages: BTreeSet<String>,
    /// The URLs of the files of media records, by id: wpextract uses these as links of media records.
    pub(super) media: HashMap<i64, String>,
    /// The columns that are not null everywhere, one bit per column, by file.
    pub(super) filled: [u64; 6],
    /// The label in the first record: the files hold one site.
    pub(super) label: Option<String>,
}

impl Site {
    /// Takes over the data about the records that follow, and empties `other`.
    pub(super) fn absorb(&mut self, other: &mut Site) {
        let other = std::mem::take(other);
        self.has_pages |= other.has_pages;
        self.languages.extend(other.languages);
        for (id, url) in other.media {
            // One id may belong to several languages; the file is the same.
            self.media.entry(id).or_insert(url);
        }
        for (filled, more) in self.filled.iter_mut().zip(other.filled) {
            *filled |= more;
        }
        self.label = self.label.take().or(other.label);
    }

    /// The language that a URL names in its first path segment, if it is one of this site's.
    pub(super) fn locale_of(&self, link: &str) -> Option<String> {
        let path = link.split_once("://").map_or(link, |(_, rest)| rest);
        let segment = path.split(['?', '#']).next()?.split('/').nth(1)?;
        let tag = LanguageTag::parse(segment)?;
        let is_of_site = |language: &String| {
            let bare = tag.as_str() == tag.primary();
            language == tag.as_str() || (bare && language.split('-').next() == Some(tag.primary()))
        };
        self.languages.iter().any(is_of_site).then(|| tag.as_str().to_owned())
    }
}
