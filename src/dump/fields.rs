//! The few fields of an object that identify it; all others are checked and skipped. Other modules draw the
//! conclusions.

use super::links::Links;
use crate::ndjson::{Gaps, Refused, Walk, read_owned, text_of};
use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value of any type, of which only scalars are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Loose {
    /// The key is not there.
    #[default]
    Absent,
    /// null, or false: PHP's word for nothing.
    Nothing,
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
    /// Anything else.
    Other,
}

impl Loose {
    /// The text, if it is one and not empty.
    pub fn text(&self) -> Option<&str> {
        match self {
            Loose::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    pub(super) fn into_text(self) -> Option<String> {
        match self {
            Loose::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// The number; also one that was written as a text.
    pub fn int(&self) -> Option<i64> {
        match self {
            Loose::Int(n) => Some(*n),
            Loose::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

macro_rules! keys {
    ($($key:ident)*) => {
        /// A key whose presence is evidence.
        #[allow(non_camel_case_types, missing_docs)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key { $($key),* }

        /// The names of the keys.
        #[allow(non_upper_case_globals)]
        mod names {
            $(pub const $key: &[u8] = stringify!($key).as_bytes();)*
        }

        impl Key {
            fn of(name: &[u8]) -> Option<Key> {
                match name { $(names::$key => Some(Key::$key),)* _ => None }
            }
        }
    };
}

keys! {
    title content excerpt status slug date date_gmt name description count parent post author author_name avatar_urls
    media_type source_url mime_type categories tags sticky format menu_order routes namespaces html provider_name
    rest_base subtype url post_content post_title user_login term_id comment_ID modified guid query hierarchical
}

/// What is known of an object after one pass over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// Its id.
    pub id: Loose,
    /// `type`: a post type, or that of a comment.
    pub r#type: Loose,
    /// `taxonomy` of a term.
    pub taxonomy: Loose,
    /// Its permalink.
    pub link: Loose,
    /// `ID`, as wp-cli and the database write it.
    pub upper_id: Loose,
    /// `code` of an error of the API.
    pub code: Loose,
    /// `message` of an error of the API.
    pub message: Loose,
    /// Addresses in the API.
    pub links: Links,
    /// Whether there is any key at all.
    pub is_empty: bool,
    present: u64,
}

impl Fields {
    /// Whether the key is there and not null.
    pub fn has(&self, key: Key) -> bool {
        self.present & (1 << key as u32) != 0
    }

    /// Whether all of these are there.
    pub fn has_all(&self, keys: &[Key]) -> bool {
        keys.iter().all(|&key| self.has(key))
    }

    /// Whether one of these is there.
    pub fn has_any(&self, keys: &[Key]) -> bool {
        keys.iter().any(|&key| self.has(key))
    }

    /// Reads the object that `text` begins with: its fields, and how many bytes it takes. The white space between its
    /// tokens goes into `gaps`.
    ///
    /// # Errors
    /// When it is no such object, or none that is read here: then serde_json is to be asked, with the same type.
    pub(super) fn read(text: &[u8], gaps: &mut Gaps) -> Result<(Fields, usize), Refused> {
        let mut walk = Walk::noting(text, std::mem::take(gaps));
        let fields = Fields::walk(text, &mut walk);
        let (refused, length) = (walk.refused(), walk.at());
        *gaps = walk.into_gaps();
        // What was skipped has not been looked at.
        match fields.filter(|_| text_of(&text[..length]).is_ok()) {
            Some(fields) => Ok((fields, length)),
            None => {
                gaps.forget();
                Err(refused)
            }
        }
    }

    fn walk(text: &[u8], walk: &mut Walk<'_, Gaps>) -> Option<Fields> {
        let mut fields = Fields { is_empty: true, ..Fields::default() };
        walk.open(b'{')?;
        while let Some(key) = walk.key()? {
            let name = if key.contains(&b'\\') { read_key(key)? } else { Name::of(key) };
            match fields.slot(name) {
                Slot::Loose(place) => *place = read_value(&text[walk.value()?])?,
                Slot::Links(links) => *links = Links::walk(text, walk)?,
                Slot::Evidence(key) => {
                    let is_there = walk.peek()? != b'n';
                    walk.value()?;
                    fields.note(key, is_there);
                }
                Slot::None => _ = walk.value()?,
            }
        }
        Some(fields)
    }

    /// The last value of a repeated key counts, as in other JSON readers.
    fn slot(&mut self, name: Name) -> Slot<'_> {
        self.is_empty = false;
        match name {
            Name::Id => Slot::Loose(&mut self.id),
            Name::Type => Slot::Loose(&mut self.r#type),
            Name::Taxonomy => Slot::Loose(&mut self.taxonomy),
            Name::Link => Slot::Loose(&mut self.link),
            Name::UpperId => Slot::Loose(&mut self.upper_id),
            Name::Code => Slot::Loose(&mut self.code),
            Name::Message => Slot::Loose(&mut self.message),
            Name::Links => Slot::Links(&mut self.links),
            Name::Evidence(key) => Slot::Evidence(key),
            Name::Unknown => Slot::None,
        }
    }

    fn note(&mut self, key: Key, is_there: bool) {
        let bit = 1 << key as u32;
        self.present = if is_there { self.present | bit } else { self.present & !bit };
    }
}

/// A key with escapes, as written between its quotes.
pub(super) fn read_key<T: DeserializeOwned>(key: &[u8]) -> Option<T> {
    read_value(&[b"\"", key, b"\""].concat())
}

pub(super) fn read_value<T: DeserializeOwned>(value: &[u8]) -> Option<T> {
    read_owned(text_of(value).ok()?).ok()
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Fields { is_empty: true, ..Fields::default() };
        while let Some(name) = map.next_key::<Name>()? {
            match fields.slot(name) {
                Slot::Loose(value) => *value = map.next_value()?,
                Slot::Links(links) => *links = map.next_value()?,
                Slot::Evidence(key) => {
                    let there: Presence = map.next_value()?;
                    fields.note(key, there.0);
                }
                Slot::None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(fields)
    }
}

/// Where the value of a key goes.
enum Slot<'f> {
    Loose(&'f mut Loose),
    Links(&'f mut Links),
    Evidence(Key),
    None,
}

enum Name {
    Id,
    Type,
    Taxonomy,
    Link,
    UpperId,
    Code,
    Message,
    Links,
    Evidence(Key),
    Unknown,
}

impl Name {
    fn of(name: &[u8]) -> Name {
        match name {
            b"id" => Name::Id,
            b"type" => Name::Type,
            b"taxonomy" => Name::Taxonomy,
            b"link" => Name::Link,
            b"ID" => Name::UpperId,
            b"code" => Name::Code,
            b"message" => Name::Message,
            b"_links" => Name::Links,
            _ => Key::of(name).map_or(Name::Unknown, Name::Evidence),
        }
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name::of(name.as_bytes()))
            }
        }
        deserializer.deserialize_identifier(NameVisitor)
    }
}

/// The visits of a reader that takes any value and wants none of these.
macro_rules! pass_over_scalars {
    () => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Default::default())
        }
    };
}
pub(super) use pass_over_scalars;

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LooseVisitor;
        impl<'de> Visitor<'de> for LooseVisitor {
            type Value = Loose;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_unit<E>(self) -> Result<Loose, E> {
                Ok(Loose::Nothing)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Loose, E> {
                Ok(if value { Loose::Other } else { Loose::Nothing })
            }
            fn visit_i64<E>(self, n: i64) -> Result<Loose, E> {
                Ok(Loose::Int(n))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Loose, E> {
                Ok(i64::try_from(n).map_or(Loose::Other, Loose::Int))
            }
            fn visit_f64<E>(self, n: f64) -> Result<Loose, E> {
                // Beyond 2^53 a float no longer tells one integer from the next.
                let whole = n.fract() == 0.0 && n.abs() < 9_007_199_254_740_992.0;
                #[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
                Ok(if whole { Loose::Int(n as i64) } else { Loose::Other })
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Loose, E> {
                Ok(Loose::Text(text.to_owned()))
            }
            fn visit_string<E: de::Error>(self, text: String) -> Result<Loose, E> {
                Ok(Loose::Text(text))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Loose, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Loose::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Loose::Other)
            }
        }
        deserializer.deserialize_any(LooseVisitor)
    }
}

/// Whether a value is anything but null. A reader of its own, because reading a long text costs more than passing
/// over it.
struct Presence(bool);

impl<'de> Deserialize<'de> for Presence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = <Option<IgnoredAny>>::deserialize(deserializer)?;
        Ok(Presence(value.is_some()))
    }
}
