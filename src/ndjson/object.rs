//! A record as its line gives it: keys in order, values raw. A stage replaces what it understands, the rest passes
//! unchanged, numbers to the last digit.

use super::{Str, write_json, write_key};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserializer as _, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The fields of a JSON object in input order, values as their source text.
#[derive(Clone, Debug, Default)]
pub struct Object<'a> {
    fields: Vec<(Str<'a>, Cow<'a, str>)>,
}

impl<'a> Object<'a> {
    /// Parses a line. White space around values is not kept, white space inside them is.
    ///
    /// # Errors
    /// When it is no UTF-8, no JSON, or no object; the message and the column (from 1) of the error.
    pub fn parse(line: &'a [u8]) -> Result<Self, (String, u64)> {
        Object::parse_str(text_of(line)?)
    }

    /// As [`Object::parse`], of text.
    ///
    /// # Errors
    /// As [`Object::parse`].
    pub fn parse_str(text: &'a str) -> Result<Self, (String, u64)> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let fields = deserializer.deserialize_map(Fields(text.len())).map_err(describe)?;
        deserializer.end().map_err(describe)?;
        Ok(Object { fields })
    }

    /// The raw value of `key`; of a key that stands twice the last one, as other JSON readers have it.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields.iter().rev().find(|(k, _)| &**k == key).map(|(_, value)| &**value)
    }

    /// As [`Object::get`], for values that stay borrowed from the line; none if the value has been replaced.
    pub fn get_borrowed(&self, key: &str) -> Option<&'a str> {
        match self.fields.iter().rev().find(|(k, _)| &**k == key) {
            Some((_, Cow::Borrowed(value))) => Some(value),
            _ => None,
        }
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(key, value)| (&**key, &**value))
    }

    /// Replaces the value of `key` in place; a key that is not there is appended.
    pub fn set(&mut self, key: &str, value: String) {
        let mut places = self.fields.iter_mut().filter(|(k, _)| &**k == key);
        let Some((_, first)) = places.next() else {
            self.fields.push((Str::from(key.to_owned()), Cow::Owned(value)));
            return;
        };
        // A key that stands twice is rare; both get the value.
        for (_, other) in places {
            *other = Cow::Owned(value.clone());
        }
        *first = Cow::Owned(value);
    }

    /// Replaces the value of `key` by `value` as JSON; see [`Object::set`].
    pub fn set_json(&mut self, key: &str, value: &impl Serialize) {
        let mut json = Vec::new();
        write_json(&mut json, value);
        self.set(key, String::from_utf8(json).expect("JSON is UTF-8"));
    }

    /// Removes `key`.
    pub fn remove(&mut self, key: &str) {
        self.fields.retain(|(k, _)| &**k != key);
    }

    /// Writes the object as one line with its end.
    pub fn write_line(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (i, (key, value)) in self.fields.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            write_key(out, key);
            out.extend_from_slice(value.as_bytes());
        }
        out.extend_from_slice(b"}\n");
    }
}

/// A line as text.
///
/// # Errors
/// When it is no UTF-8; the message and the column (from 1) of the error, as of [`Object::parse`].
pub fn text_of(line: &[u8]) -> Result<&str, (String, u64)> {
    // Five times as fast as the standard library's where a text is not plain ASCII.
    simdutf8::basic::from_utf8(line).map_err(|_| {
        let end = std::str::from_utf8(line).err().map_or(line.len(), |e| e.valid_up_to());
        ("invalid UTF-8".into(), end as u64 + 1)
    })
}

/// serde_json's words without the position, and the column. A line has no second line: control characters are errors.
pub fn describe(error: serde_json::Error) -> (String, u64) {
    let text = error.to_string();
    let text = text.rfind(" at line ").map_or(text.as_str(), |at| &text[..at]);
    (text.to_owned(), error.column() as u64)
}

/// Reads the fields of an object in a text of this many bytes.
struct Fields(usize);

impl<'de> Visitor<'de> for Fields {
    type Value = Vec<(Str<'de>, Cow<'de, str>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        // A record has about forty fields, a link ten.
        let mut fields = Vec::with_capacity(if self.0 > 4096 { 48 } else { 12 });
        while let Some(key) = map.next_key::<Str<'de>>()? {
            let value: &'de RawValue = map.next_value().map_err(de::Error::custom)?;
            fields.push((key, Cow::Borrowed(value.get())));
        }
        Ok(fields)
    }
}

/// JSON text in which every `\uXXXX` escape of a lone surrogate is replaced by `\ufffd`; none if there is none.
/// PHP writes such escapes when a plugin has cut an emoji in two; strict parsers refuse them.
pub fn repair_surrogates(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let unit = |at: usize| -> Option<u32> {
        let hex = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
    };
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &bytes[at..]) {
        at += next;
        let (length, lone) = match unit(at) {
            Some(0xd800..=0xdbff) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => (12, false),
            Some(0xd800..=0xdfff) => (6, true),
            _ => (2, false),
        };
        if lone {
            out.push_str(&json[done..at]);
            out.push_str("\\ufffd");
            done = at + 6;
        }
        at = (at + length).min(bytes.len());
    }
    if done == 0 {
        return None;
    }
    out.push_str(&json[done..]);
    Some(out)
}
