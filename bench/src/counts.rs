//! What is in a corpus, counted: by the generator as it writes, and by `bench-corpus count` in what the stages made of
//! it. Both give the same keys, so that a wrong result is found before its speed is measured.

use serde::Serialize;
use std::collections::BTreeMap;

/// Counts of a corpus.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    /// All records.
    pub records: u64,
    /// Records of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// Records that have their scraped page.
    pub scraped: u64,
    /// Posts and pages of each language.
    pub languages: BTreeMap<String, u64>,
    /// Translations whose target is known, but for those of terms.
    pub translations: u64,
    /// Groups of them.
    pub groups: u64,
    /// `a` elements in contents and descriptions.
    pub links: u64,
    /// Those that lead to a record.
    pub links_resolved: u64,
    /// `img` elements in contents and descriptions.
    pub images: u64,
    /// Those that are a file of the library.
    pub images_resolved: u64,
}

impl Counts {
    /// Counts a record.
    pub fn record(&mut self, kind: &str) {
        self.records += 1;
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
    }

    /// Counts a language.
    pub fn language(&mut self, tag: &str) {
        *self.languages.entry(tag.to_owned()).or_default() += 1;
    }

    /// Counts a link.
    pub fn link(&mut self, resolved: bool) {
        self.links += 1;
        self.links_resolved += u64::from(resolved);
    }

    /// Counts an image.
    pub fn image(&mut self, resolved: bool) {
        self.images += 1;
        self.images_resolved += u64::from(resolved);
    }
}
