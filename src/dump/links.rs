//! `_links` of an object: the addresses that reveal its type. Other modules interpret the addresses.

use super::fields::{Loose, pass_over_scalars, read_key, read_value};
use crate::ndjson::{Gaps, Str, Walk};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// `_links`, as far as an item is known by them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    /// `self`: the item's own address in the API.
    pub own: Option<String>,
    /// The address of its type or taxonomy.
    pub about: Option<String>,
    /// The address of all of its type.
    pub collection: Option<String>,
}

impl Links {
    /// Reads what comes next. A tenth of a small item is links to what is not asked for: they are passed over.
    pub(super) fn walk(text: &[u8], walk: &mut Walk<'_, Gaps>) -> Option<Links> {
        if walk.peek()? != b'{' {
            return read_value(&text[walk.value()?]);
        }
        let mut links = Links::default();
        walk.open(b'{')?;
        while let Some(key) = walk.key()? {
            let relation = if key.contains(&b'\\') { read_key(key)? } else { Relation::of(key) };
            let value = walk.value()?;
            if let Some(place) = links.place(relation) {
                *place = read_value::<Href>(&text[value])?.0;
            }
        }
        Some(links)
    }

    fn place(&mut self, relation: Relation) -> Option<&mut Option<String>> {
        match relation {
            Relation::Own => Some(&mut self.own),
            Relation::About => Some(&mut self.about),
            Relation::Collection => Some(&mut self.collection),
            Relation::Unknown => None,
        }
    }
}

impl<'de> Deserialize<'de> for Links {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LinksVisitor;
        impl<'de> Visitor<'de> for LinksVisitor {
            type Value = Links;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            pass_over_scalars!();
            fn visit_str<E>(self, _: &str) -> Result<Links, E> {
                Ok(Links::default())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Links, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Links::default())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Links, A::Error> {
                let mut links = Links::default();
                while let Some(relation) = map.next_key::<Relation>()? {
                    match links.place(relation) {
                        Some(place) => *place = map.next_value::<Href>()?.0,
                        None => _ = map.next_value::<IgnoredAny>()?,
                    }
                }
                Ok(links)
            }
        }
        deserializer.deserialize_any(LinksVisitor)
    }
}

#[derive(serde::Deserialize)]
enum Relation {
    #[serde(rename = "self")]
    Own,
    #[serde(rename = "about")]
    About,
    #[serde(rename = "collection")]
    Collection,
    #[serde(other)]
    Unknown,
}

impl Relation {
    fn of(name: &[u8]) -> Relation {
        match name {
            b"self" => Relation::Own,
            b"about" => Relation::About,
            b"collection" => Relation::Collection,
            _ => Relation::Unknown,
        }
    }
}

/// `[{"href":…}]`, `{"href":…}` or the URL itself: dumps that were reshaped have all three.
#[derive(Default)]
struct Href(Option<String>);

impl<'de> Deserialize<'de> for Href {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct HrefVisitor;
        impl<'de> Visitor<'de> for HrefVisitor {
            type Value = Href;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            pass_over_scalars!();
            fn visit_str<E>(self, url: &str) -> Result<Href, E> {
                Ok(Href(Some(url.to_owned())))
            }
            fn visit_string<E>(self, url: String) -> Result<Href, E> {
                Ok(Href(Some(url)))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Href, A::Error> {
                // Only objects are expected in this list: one level, no recursion controlled by the input.
                let first = list.next_element::<HrefObject>()?;
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Href(first.and_then(|object| object.0)))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Href, A::Error> {
                Ok(Href(href_of(map)?))
            }
        }
        deserializer.deserialize_any(HrefVisitor)
    }
}

#[derive(Default)]
struct HrefObject(Option<String>);

impl<'de> Deserialize<'de> for HrefObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = HrefObject;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            pass_over_scalars!();
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<HrefObject, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(HrefObject(None))
            }
            fn visit_str<E>(self, url: &str) -> Result<HrefObject, E> {
                Ok(HrefObject(Some(url.to_owned())))
            }
            fn visit_string<E>(self, url: String) -> Result<HrefObject, E> {
                Ok(HrefObject(Some(url)))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HrefObject, A::Error> {
                Ok(HrefObject(href_of(map)?))
            }
        }
        deserializer.deserialize_any(ObjectVisitor)
    }
}

fn href_of<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<String>, A::Error> {
    let mut href = None;
    while let Some(key) = map.next_key::<Str>()? {
        if &*key == "href" {
            href = map.next_value::<Loose>()?.into_text();
        } else {
            map.next_value::<IgnoredAny>()?;
        }
    }
    Ok(href)
}
