//! Reads the few fields of an object that identify it; all others are only checked. Other modules draw the conclusions.

use super::links::Links;
use super::value::{Loose, unescaped};
use crate::ndjson::{Gaps, Refused, Walk, keys, text_of};

keys! {
    /// A key whose presence identifies a kind of item.
    pub(crate) enum Key {
        title content excerpt status slug date date_gmt name description count parent post author author_name avatar_urls
        media_type source_url mime_type categories tags sticky format menu_order routes namespaces html provider_name
        rest_base subtype url post_content post_title user_login term_id comment_ID modified guid query hierarchical
        site kind source link_locale avatar post_id found posts site_ID global_ID permalink
    }
}

// Each key is one bit of `present`.
const _: () = assert!(Key::ALL.len() <= u64::BITS as usize);

/// The fields of an object, read in one pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fields {
    pub(crate) id: Loose,
    /// The value of `type`: a post type, or that of a comment.
    pub(crate) r#type: Loose,
    /// The value of `taxonomy`, which terms have.
    pub(crate) taxonomy: Loose,
    pub(crate) link: Loose,
    /// The value of `ID`, as wp-cli and the database write an id.
    pub(crate) upper_id: Loose,
    /// The value of `code`, which errors of the API have.
    pub(crate) code: Loose,
    /// The value of `message`, which errors of the API have.
    pub(crate) message: Loose,
    /// The object's addresses in the API.
    pub(crate) links: Links,
    pub(crate) is_empty: bool,
    present: u64,
}

impl Fields {
    /// Whether the key is present and, where null would mean that it is absent, not null.
    pub(crate) fn has(&self, key: Key) -> bool {
        self.present & (1 << key as u32) != 0
    }

    /// Whether the object states its type, in a field or in its addresses in the API.
    pub(super) fn state_type(&self) -> bool {
        self.r#type.text().is_some() || self.links.about.is_some() || self.links.collection.is_some()
    }

    pub(crate) fn has_all(&self, keys: &[Key]) -> bool {
        keys.iter().all(|&key| self.has(key))
    }

    pub(crate) fn has_any(&self, keys: &[Key]) -> bool {
        keys.iter().any(|&key| self.has(key))
    }

    /// Reads the object at the start of `text`: returns its fields and its length in bytes, and puts the white space
    /// between its tokens into `gaps`.
    ///
    /// # Errors
    /// If it is not an object or not UTF-8; serde_json can describe the error.
    pub(super) fn read(text: &[u8], gaps: &mut Gaps) -> Result<(Fields, usize), Refused> {
        let mut walk = Walk::noting(text, std::mem::take(gaps));
        let fields = Fields::walk(text, &mut walk);
        let (refused, length) = (walk.refused(), walk.at());
        *gaps = walk.into_gaps();
        // The values that were skipped have not been checked for UTF-8.
        match fields.filter(|_| text_of(&text[..length]).is_ok()) {
            Some(fields) => Ok((fields, length)),
            None => Err(refused),
        }
    }

    fn walk(text: &[u8], walk: &mut Walk<'_, Gaps>) -> Option<Fields> {
        let mut fields = Fields { is_empty: true, ..Fields::default() };
        walk.open(b'{')?;
        while let Some(key) = walk.key()? {
            fields.is_empty = false;
            fields.take(&unescaped(key), text, walk)?;
        }
        Some(fields)
    }

    /// Reads the next value. If a key occurs twice, the last value counts, as in other JSON readers.
    fn take(&mut self, key: &[u8], text: &[u8], walk: &mut Walk<'_, Gaps>) -> Option<()> {
        let place = match key {
            b"id" => &mut self.id,
            b"type" => &mut self.r#type,
            b"taxonomy" => &mut self.taxonomy,
            b"link" => &mut self.link,
            b"ID" => &mut self.upper_id,
            b"code" => &mut self.code,
            b"message" => &mut self.message,
            b"_links" => {
                self.links = Links::walk(text, walk)?;
                return Some(());
            }
            _ => {
                let is_null = walk.peek()? == b'n';
                walk.value()?;
                if let Some(key) = Key::of(key) {
                    let bit = 1 << key as u32;
                    // Objects of wpextract are recognised by these keys, even with null values.
                    let is_there = !is_null || matches!(key, Key::link_locale | Key::avatar | Key::post_id);
                    self.present = if is_there { self.present | bit } else { self.present & !bit };
                }
                return Some(());
            }
        };
        *place = Loose::read(&text[walk.value()?]);
        Some(())
    }
}
