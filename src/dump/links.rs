//! Reads `_links` of an object: the addresses that reveal its type. Other modules interpret the addresses.

use super::value::{Loose, read_text, unescaped};
use crate::ndjson::{Gaps, Walk};

/// The entries of `_links` that identify an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Links {
    /// `self`: the item's own address in the API.
    pub(crate) own: Option<String>,
    /// The address of its type or taxonomy.
    pub(crate) about: Option<String>,
    /// The address of the list of all items of its type.
    pub(crate) collection: Option<String>,
}

impl Links {
    /// Reads the value that comes next. A tenth of a small item consists of links that are not needed; they are
    /// skipped.
    pub(super) fn walk(text: &[u8], walk: &mut Walk<'_, Gaps>) -> Option<Links> {
        let mut links = Links::default();
        if walk.peek()? != b'{' {
            return walk.value().map(|_| links);
        }
        walk.open(b'{')?;
        while let Some(key) = walk.key()? {
            let value = walk.value()?;
            match &*unescaped(key) {
                b"self" => links.own = href(&text[value]),
                b"about" => links.about = href(&text[value]),
                b"collection" => links.collection = href(&text[value]),
                _ => {}
            }
        }
        Some(links)
    }
}

/// The URL in `[{"href":…}]`, in `{"href":…}`, or as a plain string: reshaped dumps have all three.
fn href(raw: &[u8]) -> Option<String> {
    let mut walk = Walk::new(raw);
    let raw = match walk.peek()? {
        b'[' => {
            walk.open(b'[')?;
            &raw[if walk.element()? { walk.value()? } else { return None }]
        }
        _ => raw,
    };
    if raw.starts_with(b"\"") {
        return read_text(raw);
    }
    let mut walk = Walk::new(raw);
    let mut href = Loose::Absent;
    walk.open(b'{')?;
    while let Some(key) = walk.key()? {
        let value = walk.value()?;
        if *unescaped(key) == *b"href" {
            href = Loose::read(&raw[value]);
        }
    }
    href.text().map(str::to_owned)
}
