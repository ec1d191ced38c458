//! Collects facts about each record while its stream is read: the hashes that identify it, and which of its fields have a value.

use crate::ndjson::{Object, Str, Walk};
use crate::record::shape_of;
use crate::urls::{UrlKey, seed};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The kinds of records that are compared.
pub(super) const KINDS: [&str; 6] = ["post", "html", "media", "term", "user", "comment"];

/// Keys that are never compared: they identify a record, describe how it was read, or follow from other records or another key. The time of
/// the last edit alone is not a change.
pub(super) const NEVER: &[&str] = &[
    "site",
    "kind",
    "type",
    "id",
    "source",
    "scrape",
    "aliases",
    "content_source",
    "content_rule",
    "content_share",
    "content_doubt",
    "language_source",
    "translation_group",
    "modified_gmt",
    "count",
    "name_html",
    "same",
    "x_default",
    "copy_source",
    "copy_of",
];

/// The facts that identify a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// The hash of site, kind, type and id; a page without an id has its address in place of the id.
    pub(super) id: u64,
    /// Where its line begins in the spool.
    pub(super) at: u64,
    /// The hash of the address; 0 if there is none.
    pub(super) link: u32,
    /// The hash of the guid, without scheme and host; 0 if there is none.
    pub(super) guid: u32,
}

impl Facts {
    pub(super) const BYTES: usize = 24;

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.id.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.at.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.link.to_le_bytes());
        bytes[20..].copy_from_slice(&self.guid.to_le_bytes());
        bytes
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let eight = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let four = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        Facts { id: eight(0), at: eight(8), link: four(16), guid: four(20) }
    }
}

/// The hash of a site, a kind, a type and an id (as JSON), which identifies a record or the target of a reference.
pub(super) fn identity(site: &str, kind: &str, r#type: &str, id: &str) -> u64 {
    let mut name = Vec::with_capacity(site.len() + r#type.len() + 32);
    for part in [site, kind, r#type, id] {
        name.extend_from_slice(part.as_bytes());
        name.push(0xff);
    }
    xxh3_64_with_seed(&name, seed())
}

/// 32 bits of a text's hash, never 0.
fn hash_32(text: &str) -> u32 {
    (xxh3_64_with_seed(text.as_bytes(), seed()) as u32).max(1)
}

pub(super) fn address(link: &str) -> u32 {
    UrlKey::new(link).map_or_else(|| hash_32(link), |key| hash_32(key.as_str()))
}

/// The text that identifies a page without an id, in place of the id.
pub(super) fn place_of(link: &str) -> String {
    UrlKey::new(link).map_or_else(|| link.to_owned(), UrlKey::into_string)
}

/// A record of a kind that is compared; its position in the spool is not known yet.
pub(super) struct Known<'l> {
    pub(super) site: Str<'l>,
    /// Its number in [`KINDS`].
    pub(super) kind: usize,
    pub(super) facts: Facts,
    /// A bit for each key of its kind that has a value.
    pub(super) present: u64,
}

/// The record in a line; `None` if it is of another kind, or has no site.
pub(super) fn known<'o>(object: &'o Object<'_>) -> Option<Known<'o>> {
    let text = |key| object.text(key).unwrap_or_default();
    let kind_name = text("kind");
    let kind = KINDS.iter().position(|kind| *kind == &*kind_name)?;
    let (site, link) = (object.text("site")?, text("link"));
    let id = object.get("id").filter(|id| *id != "null");
    // The pages of a mirror whose host is unknown have no address: they are identified by their files.
    let place = || object.text_in("scrape", "file").map(|file| file.to_string());
    let name = || if link.is_empty() { place().unwrap_or_default() } else { place_of(&link) };
    let key = id.is_none().then(name);
    let guid = text("guid");
    let guid = UrlKey::new(&guid).map_or_else(|| guid.to_string(), |key| key.tail().to_owned());
    let facts = Facts {
        id: identity(&site, &kind_name, &text("type"), id.or(key.as_deref()).unwrap_or_default()),
        at: 0,
        link: if link.is_empty() { 0 } else { address(&link) },
        guid: if guid.is_empty() { 0 } else { hash_32(&guid) },
    };
    let (shape, mut next, mut present) = (shape_of(KINDS[kind]).unwrap_or_default(), 0, 0);
    for (key, value) in object.iter() {
        // Records have their keys in the order of their shape.
        let places = (next..shape.len()).chain(0..next.min(shape.len()));
        let Some(place) = places.into_iter().find(|&place| shape[place].key == key) else { continue };
        next = place + 1;
        present |= u64::from(!is_empty(value)) << place;
    }
    Some(Known { site, kind, facts, present })
}

/// Whether a value is null or empty, or an object of such values.
pub(super) fn is_empty(json: &str) -> bool {
    matches!(json, "null" | "\"\"" | "[]" | "{}") || json.starts_with('{') && is_empty_object(json).unwrap_or(false)
}

fn is_empty_object(json: &str) -> Option<bool> {
    let mut walk = Walk::new(json.as_bytes());
    walk.open(b'{')?;
    while walk.key()?.is_some() {
        let value = walk.value()?;
        if !is_empty(json.get(value)?) {
            return Some(false);
        }
    }
    Some(true)
}
