//! Reads from a dump which media files a site has: those of media records, and the images in posts.

use super::super::address::normalise;
use crate::html::{Extractor, Options};
use crate::report::Error;
use crate::urls::{PageUrl, join};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// The fields of a media record that concern its file.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Medium {
    /// The URL of its file; `None` if the record has no URL that can be requested.
    pub(super) url: Option<String>,
    pub(super) stated: Option<String>,
    /// When the record was last changed (UTC).
    pub(super) modified: Option<String>,
    /// The size of its file in bytes.
    pub(in super::super) bytes: Option<u64>,
    pub(super) sizes: Vec<String>,
}

impl Medium {
    /// Reads what a record states about its file; relative URLs are resolved against `base`.
    pub(in super::super) fn read(record: &Value, base: Option<&PageUrl>) -> Self {
        let url = |value: &Value| value.as_str().and_then(|url| absolute(url, base));
        let details = &record["media_details"];
        let bytes = &details["filesize"];
        Medium {
            url: url(&record["source_url"]),
            stated: record["mime_type"].as_str().map(str::to_owned),
            modified: record["modified_gmt"].as_str().map(str::to_owned),
            bytes: bytes.as_u64().or_else(|| bytes.as_str()?.parse().ok()),
            sizes: details["sizes"]
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(_, size)| url(&size["source_url"]))
                .collect(),
        }
    }

    pub(in super::super) fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    pub(in super::super) fn urls(&self) -> impl Iterator<Item = &String> {
        self.url.iter().chain(&self.sizes)
    }
}

/// The media records in files of a dump, by id. If one occurs twice, the first one counts.
pub(in super::super) fn media(files: &[PathBuf], base: &str) -> Result<BTreeMap<i64, Medium>, Error> {
    let base = PageUrl::parse(base);
    let mut found = BTreeMap::new();
    each_item(files, |item| {
        if let Some(id) = item["id"].as_i64() {
            found.entry(id).or_insert_with(|| Medium::read(item, base.as_ref()));
        }
    })?;
    Ok(found)
}

/// The images in the content of the items in files of a dump.
pub(super) fn images(files: &[PathBuf], base: &str) -> Result<BTreeSet<String>, Error> {
    let base = PageUrl::parse(base);
    let mut found = BTreeSet::new();
    let mut extractor = Extractor::new(Options::default());
    each_item(files, |item| {
        let page = item["link"].as_str().and_then(PageUrl::parse);
        let Some(html) = item["content"]["rendered"].as_str() else { return };
        let extracted = extractor.content(html, page.as_ref().or(base.as_ref()));
        let urls = extracted.images.iter().filter_map(|image| image.url.as_deref());
        found.extend(urls.filter_map(|url| absolute(url, None)));
    })?;
    Ok(found)
}

fn absolute(url: &str, base: Option<&PageUrl>) -> Option<String> {
    if url.trim().is_empty() {
        return None;
    }
    normalise(&join(base, url)?)
}

/// Hands each item to `take`; keeps one file at a time in memory.
fn each_item(files: &[PathBuf], mut take: impl FnMut(&Value)) -> Result<(), Error> {
    for path in files {
        let bytes = fs::read(path).map_err(|e| Error::at(path, e))?;
        match serde_json::from_slice(&bytes).unwrap_or_default() {
            Value::Array(items) => items.iter().for_each(&mut take),
            item => take(&item),
        }
    }
    Ok(())
}
