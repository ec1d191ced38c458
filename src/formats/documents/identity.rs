//! Computes the hashes by which both passes over the records recognise a document, the name of a user or term, the URL of an upload, and
//! the document that a comment belongs to.

use crate::export::dataset::key::blog;
use crate::ndjson::repair_surrogates;
use crate::record::Comment;
use memchr::memmem;
use std::borrow::Cow;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// A hash of words in their order.
pub(super) type Identity = u128;

/// The folder of documents in an unknown language: BCP 47's code for it.
pub(super) const UNDETERMINED: &str = "und";

/// The line without escaped lone surrogates, which strict parsers refuse.
pub(super) fn sound(json: &[u8]) -> Cow<'_, [u8]> {
    let suspicious = memmem::find(json, b"\\u").is_some();
    let repaired = || std::str::from_utf8(json).ok().and_then(repair_surrogates);
    if suspicious { repaired().map_or(json.into(), |text| text.into_bytes().into()) } else { json.into() }
}

/// Identifies the document of a comment.
#[derive(Clone, Copy)]
pub(super) struct Hosted {
    /// The hash of site and id of the post.
    pub(super) post: Identity,
    /// The hash of the post's link, which distinguishes documents that share an id.
    pub(super) link: u64,
    /// The blog of the comment, which is preferred if no document with the id has the link.
    pub(super) blog: u64,
}

impl Hosted {
    /// The document of a comment; `None` if the comment does not name a post.
    pub(super) fn of(comment: &Comment<'_>) -> Option<Hosted> {
        let link = comment.link.as_deref().unwrap_or_default();
        let link = xxh3_64(link.split('#').next().unwrap_or_default().as_bytes());
        let blog = blog(comment.source.rest.as_deref());
        Some(Hosted { post: id_key(comment.site.as_deref().unwrap_or_default(), comment.post?), link, blog })
    }
}

/// The hash of these words.
pub(super) fn key_of(words: &[&str]) -> Identity {
    // Lengths keep "ab" + "c" apart from "a" + "bc".
    let mut joined = Vec::with_capacity(words.iter().map(|word| word.len() + 8).sum());
    for word in words {
        joined.extend_from_slice(&(word.len() as u64).to_le_bytes());
        joined.extend_from_slice(word.as_bytes());
    }
    xxh3_128(&joined)
}

pub(super) fn document_key(site: &str, kind: &str, r#type: &str, id: Option<i64>, link: &str) -> Identity {
    key_of(&[site, kind, r#type, &id.map(|id| id.to_string()).unwrap_or_default(), link])
}

pub(super) fn id_key(site: &str, id: i64) -> Identity {
    key_of(&[site, &id.to_string()])
}

pub(super) fn named_key(site: &str, kind: &str, id: i64) -> Identity {
    key_of(&[site, kind, &id.to_string()])
}
