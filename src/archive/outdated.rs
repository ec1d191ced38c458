//! Finds out which captures in an archive are outdated: each update of wp-fetch lists, in a metadata record, items and pages
//! that it has deleted or fetched again. Their older captures remain in the archive; readers of pages and API responses ask
//! here which to ignore.

use super::record::WarcRecord;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// A list of outdated captures: the block of the metadata record, in JSON.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Notice {
    /// When the update began (UTC): only captures before that are outdated.
    pub(crate) before: String,
    /// The ids of the items that were deleted or fetched again, by type.
    pub(crate) items: BTreeMap<String, Vec<i64>>,
    /// The URLs of pages that were deleted or have moved.
    pub(crate) pages: Vec<String>,
}

impl Notice {
    /// The Content-Type of the record.
    pub(crate) const TYPE: &str = "application/vnd.wpipe.outdated+json";

    /// Splits a notice into notices that are short enough to be read.
    #[cfg(feature = "fetch")]
    pub(crate) fn parts(&self) -> impl Iterator<Item = Notice> {
        let of_pages =
            |pages: &[String]| Notice { before: self.before.clone(), pages: pages.to_vec(), ..Notice::default() };
        let items = Notice { before: self.before.clone(), items: self.items.clone(), pages: Vec::new() };
        std::iter::once(items).chain(self.pages.chunks(1000).map(of_pages))
    }
}

impl WarcRecord {
    /// Whether this record lists outdated captures.
    pub(crate) fn is_notice(&self) -> bool {
        self.kind() == "metadata" && self.get("content-type") == Some(Notice::TYPE)
    }
}

/// All notices of the archives together: until when captures of an item or a page are outdated.
#[derive(Debug, Default)]
pub(crate) struct Outdated {
    items: HashMap<String, HashMap<i64, String>>,
    pages: HashMap<String, String>,
}

impl Outdated {
    /// The longest notice that is read, in bytes.
    pub(crate) const MOST: usize = 32 << 20;

    /// Adds the block of a notice.
    pub(crate) fn add(&mut self, block: &[u8]) -> Result<(), String> {
        let Notice { before, items, pages } =
            serde_json::from_slice(block).map_err(|e| format!("this list of outdated records cannot be read: {e}"))?;
        let until = |known: &mut String| {
            if *known < before {
                known.clone_from(&before);
            }
        };
        for (r#type, ids) in items {
            let known = self.items.entry(r#type).or_default();
            ids.into_iter().for_each(|id| until(known.entry(id).or_default()));
        }
        pages.into_iter().for_each(|url| until(self.pages.entry(url).or_default()));
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.pages.is_empty()
    }

    /// Whether the capture of an item at `time` is outdated.
    pub(crate) fn has_item(&self, r#type: &str, id: i64, time: &str) -> bool {
        self.items.get(r#type).and_then(|ids| ids.get(&id)).is_some_and(|before| is_before(time, before))
    }

    /// Whether the capture of the page at `url` at `time` is outdated.
    pub(crate) fn has_page(&self, url: &str, time: &str) -> bool {
        self.pages.get(url).is_some_and(|before| is_before(time, before))
    }
}

/// Whether a time in UTC is before another; either of them may have fractions of a second.
fn is_before(time: &str, other: &str) -> bool {
    time.trim_end_matches('Z') < other.trim_end_matches('Z')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_captured_before_an_update_is_outdated_and_what_came_later_is_not() {
        let mut outdated = Outdated::default();
        assert!(outdated.is_empty() && outdated.add(b"{}").is_err());
        for before in ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"] {
            let notice = Notice {
                before: before.to_owned(),
                items: [("post".to_owned(), vec![7])].into(),
                pages: vec!["https://a.example/p7/".to_owned()],
            };
            outdated.add(&serde_json::to_vec(&notice).unwrap()).unwrap();
        }
        for (time, is_outdated) in
            [("2026-01-01T23:59:59Z", true), ("2026-01-01T23:59:59.5Z", true), ("2026-01-02T00:00:00Z", false)]
        {
            assert_eq!(outdated.has_item("post", 7, time), is_outdated, "{time}");
            assert_eq!(outdated.has_page("https://a.example/p7/", time), is_outdated, "{time}");
            assert!(!outdated.has_item("page", 7, time) && !outdated.has_item("post", 8, time));
            assert!(!outdated.has_page("https://a.example/p7", time));
        }
    }
}
