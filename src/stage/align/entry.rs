//! Reads the fields of a record that wp-align needs, and keeps documents in a temporary file until their group is
//! complete.

use crate::alignment::{Anchor, Contents, Document, DocumentReader};
use crate::export::dataset::key::Key;
use crate::html::images::without_size;
use crate::ndjson::{Str, write_json};
use crate::pairs::Traits;
use crate::pairs::document::lines_of;
use crate::record::{Side, Target, fields};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

fields! {
    pub(super) struct Record<'a> {
        site: Option<Str<'a>>,
        pub(super) kind: Option<Str<'a>>,
        pub(super) r#type: Option<Str<'a>>,
        id: Option<i64>,
        link: Option<Str<'a>>,
        language: Option<Str<'a>>,
        pub(super) translation_group: Option<Str<'a>>,
        title: Content<'a>,
        content: Content<'a>,
        links: Vec<Reference<'a>>,
        images: Vec<Reference<'a>>,
    }

    /// HTML and its text.
    struct Content<'a> {
        html: Option<Str<'a>>,
        text: Option<Str<'a>>,
    }

    struct Reference<'a> {
        url: Option<Str<'a>>,
        target: Target<'a>,
    }
}

impl Record<'_> {
    pub(super) fn site(&self) -> &str {
        self.site.as_deref().unwrap_or_default()
    }

    /// The key by which references name it.
    pub(super) fn key(&self, r#type: &str) -> Option<Key> {
        let has_name = self.id.is_some() || self.link.is_some();
        has_name.then(|| Key::new(self.site(), r#type, self.id, self.link.as_deref()))
    }

    /// The facts that decide its group.
    pub(super) fn traits(&self) -> Traits<'_> {
        let has_lines = |text: &Option<Str<'_>>| text.as_deref().is_some_and(|text| lines_of(text).next().is_some());
        Traits {
            site: self.site(),
            language: self.language.as_deref(),
            group: self.translation_group.as_deref(),
            link: self.link.as_deref(),
            has_text: has_lines(&self.content.text),
        }
    }

    pub(super) fn read(&self, reader: &mut DocumentReader) -> Document {
        let (links, images) = (targets(self.site(), &self.links), targets(self.site(), &self.images));
        let contents = Contents {
            title: self.title.text.as_deref(),
            html: self.content.html.as_deref(),
            text: self.content.text.as_deref(),
            link: self.link.as_deref(),
            language: self.language.as_deref(),
        };
        let of_url = |url: &str| Anchor { key: xxh3_64(url.as_bytes()), value: url.to_owned() };
        reader.read(
            &contents,
            |url| images.get(url).cloned().unwrap_or_else(|| of_url(&without_size(url))),
            |url| links.get(url).cloned().unwrap_or_else(|| of_url(url)),
        )
    }
}

/// The records to which URLs lead.
fn targets<'r>(site: &str, references: &'r [Reference<'_>]) -> HashMap<&'r str, Anchor> {
    let target = |reference: &'r Reference<'_>| {
        let Target { r#type, id, link } = &reference.target;
        let key = Key::of_target(site, &reference.target)?;
        let name = id.map_or_else(|| link.as_deref().unwrap_or_default().to_owned(), |id| id.to_string());
        Some((reference.url.as_deref()?, Anchor { key: key.0, value: format!("{}:{name}", r#type.as_deref()?) }))
    };
    references.iter().filter_map(target).collect()
}

/// A document's identity and size: the first line of its entry.
#[derive(Serialize, Deserialize)]
pub(super) struct Head<'h> {
    #[serde(borrow)]
    pub(super) site: Str<'h>,
    pub(super) r#type: Str<'h>,
    pub(super) id: Option<i64>,
    link: Option<Str<'h>>,
    language: Option<Str<'h>>,
    pub(super) group: Str<'h>,
    pub(super) length: usize,
    pub(super) sentences: usize,
}

impl Head<'_> {
    /// The document's identity in the form that is written into an alignment.
    pub(super) fn side(&self) -> Side<'_> {
        let (link, language) = (borrow(&self.link), borrow(&self.language));
        Side { r#type: Some(self.r#type.as_str().into()), id: self.id, link, language }
    }
}

fn borrow<'s>(text: &'s Option<Str<'_>>) -> Option<Str<'s>> {
    text.as_ref().map(|text| text.as_str().into())
}

/// Appends the entry of a document.
pub(super) fn write_entry(record: &Record<'_>, r#type: &str, document: &Document, out: &mut Vec<u8>) {
    let head = Head {
        site: record.site().into(),
        r#type: r#type.into(),
        id: record.id,
        link: borrow(&record.link),
        language: borrow(&record.language),
        group: borrow(&record.translation_group).unwrap_or_default(),
        length: document.length(),
        sentences: document.sentences().len(),
    };
    write_json(out, &head);
    out.push(b'\n');
    write_json(out, document);
}

/// Reads an entry that [`write_entry`] has written.
pub(super) fn read_entry(entry: &[u8]) -> (Head<'_>, Document) {
    let end = memchr::memchr(b'\n', entry).unwrap_or(entry.len());
    let document = serde_json::from_slice(&entry[(end + 1).min(entry.len())..]).expect("it was written by us");
    (read_head(entry), document)
}

/// Reads the first line of an entry.
pub(super) fn read_head(entry: &[u8]) -> Head<'_> {
    let end = memchr::memchr(b'\n', entry).unwrap_or(entry.len());
    serde_json::from_slice(&entry[..end]).expect("it was written by us")
}
