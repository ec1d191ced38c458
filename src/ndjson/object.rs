//! Reads a record as it is in its line: keys in order, values raw. A stage replaces the values that it understands; the
//! rest passes unchanged, numbers to the last digit.

use super::{Str, Walk, describe, from_str, json_of, text_of, write_key};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The fields of a JSON object in input order, values as their source text.
#[derive(Clone, Debug, Default)]
pub struct Object<'a> {
    line: &'a str,
    fields: Vec<Field<'a>>,
}

#[derive(Clone, Debug)]
struct Field<'a> {
    key: Str<'a>,
    value: Cow<'a, str>,
    /// Where key and value are in the line if they can be copied from there, otherwise empty.
    place: Range<usize>,
}

impl<'a> Object<'a> {
    /// Parses a line. White space around values is not kept, white space inside them is.
    ///
    /// # Errors
    /// If the line is not UTF-8, not JSON, or not an object: the message and the column (from 1) of the error.
    pub fn parse(line: &'a [u8]) -> Result<Self, (String, u64)> {
        Object::parse_str(text_of(line)?)
    }

    /// Like [`Object::parse`], for text.
    ///
    /// # Errors
    /// Those of [`Object::parse`].
    pub fn parse_str(text: &'a str) -> Result<Self, (String, u64)> {
        Object::walk(text).ok_or_else(|| match serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text) {
            Err(error) => describe(error),
            Ok(_) => ("not a JSON object".to_owned(), 1),
        })
    }

    fn walk(text: &'a str) -> Option<Self> {
        // A record has about forty fields, a link ten.
        let mut fields = Vec::with_capacity(if text.len() > 4096 { 48 } else { 12 });
        let mut walk = Walk::new(text.as_bytes());
        walk.open(b'{')?;
        while let Some(key) = walk.key_place()? {
            let escaped = walk.is_escaped(&key);
            let value = walk.value()?;
            let mut place = key.start - 1..value.end;
            let key = match escaped {
                true => {
                    place = 0..0;
                    serde_json::from_str(&text[key.start - 1..key.end + 1]).ok()?
                }
                false => Str::from(&text[key]),
            };
            fields.push(Field { key, value: Cow::Borrowed(&text[value]), place });
        }
        walk.end()?;
        if walk.spaced() {
            fields.iter_mut().for_each(|field| field.place = 0..0);
        }
        Some(Object { line: text, fields })
    }

    fn find(&self, key: &str) -> Option<&Cow<'a, str>> {
        self.fields.iter().rev().find(|field| &*field.key == key).map(|field| &field.value)
    }

    /// The raw value of `key`; if the key is repeated, the last value, as in other JSON readers.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.find(key).map(|value| &**value)
    }

    /// The value of a field if it is a string.
    pub fn text(&self, key: &str) -> Option<Str<'_>> {
        string(self.get(key)?)
    }

    /// The value of a field if it is a number of at most 64 bits without a fraction.
    pub(crate) fn number(&self, key: &str) -> Option<i64> {
        self.get(key)?.parse().ok()
    }

    /// The value of a field as a `T`; the default if it is not one.
    pub(crate) fn read<'o, T: Deserialize<'o> + Default>(&'o self, key: &str) -> T {
        self.get(key).and_then(|json| from_str(json).ok()).unwrap_or_default()
    }

    /// The raw value of a key in the object that is the value of `outer`.
    pub(crate) fn get_in(&self, outer: &str, key: &str) -> Option<&str> {
        let [value] = Walk::new(self.get(outer)?.as_bytes()).fields([key])?;
        std::str::from_utf8(value?).ok()
    }

    /// Like [`Object::get_in`], for a string.
    pub(crate) fn text_in(&self, outer: &str, key: &str) -> Option<Str<'_>> {
        string(self.get_in(outer, key)?)
    }

    /// Like [`Object::get`], for values that remain borrowed from the line; `None` if the value has been replaced.
    pub(crate) fn get_borrowed(&self, key: &str) -> Option<&'a str> {
        match self.find(key) {
            Some(Cow::Borrowed(value)) => Some(value),
            _ => None,
        }
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|field| (&*field.key, &*field.value))
    }

    /// Replaces the value of `key` in place, or appends the key if it is missing. A repeated key becomes a single one.
    pub fn set(&mut self, key: &str, value: String) {
        let is_asked = |field: &Field<'_>| &*field.key == key;
        let Some(first) = self.fields.iter().position(is_asked) else {
            self.fields.push(Field { key: Str::from(key.to_owned()), value: Cow::Owned(value), place: 0..0 });
            return;
        };
        (self.fields[first].value, self.fields[first].place) = (Cow::Owned(value), 0..0);
        // Repeated keys are rare.
        if self.fields[first + 1..].iter().any(is_asked) {
            let mut number = 0..;
            self.fields.retain(|field| number.next() == Some(first) || !is_asked(field));
        }
    }

    /// Replaces the value of `key` by `value` as JSON; see [`Object::set`].
    pub(crate) fn set_json(&mut self, key: &str, value: &impl Serialize) {
        self.set(key, json_of(value));
    }

    /// Removes `key`.
    pub fn remove(&mut self, key: &str) {
        self.fields.retain(|field| &*field.key != key);
    }

    /// Writes the object as one line with its line feed.
    pub(crate) fn write_line(&self, out: &mut Vec<u8>) {
        self.write(out);
        out.push(b'\n');
    }

    /// The object as JSON.
    pub(crate) fn to_json(&self) -> String {
        let mut out = Vec::new();
        self.write(&mut out);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    /// Writes the object. Adjacent fields that have not changed are copied in one piece: this saves half of
    /// wp-translations' time for records without pages.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut run = 0..0;
        for (i, field) in self.fields.iter().enumerate() {
            if !run.is_empty() && run.end + 1 == field.place.start {
                run.end = field.place.end;
                continue;
            }
            out.extend_from_slice(self.line[run].as_bytes());
            if i > 0 {
                out.push(b',');
            }
            run = field.place.clone();
            if run.is_empty() {
                write_key(out, &field.key);
                out.extend_from_slice(field.value.as_bytes());
            }
        }
        out.extend_from_slice(self.line[run].as_bytes());
        out.push(b'}');
    }
}

/// The decoded value of a JSON string. Most have no escapes, and are borrowed from the line.
pub(crate) fn string(json: &str) -> Option<Str<'_>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') { serde_json::from_str(json).ok() } else { Some(Str::from(inner)) }
}

/// Adds a key to the object that `out` ends with; `write` appends its value.
pub(crate) fn add_field(out: &mut Vec<u8>, key: &str, write: impl FnOnce(&mut Vec<u8>)) {
    let brace = out.pop();
    debug_assert_eq!(brace, Some(b'}'), "an object ends with its brace");
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    write_key(out, key);
    write(out);
    out.push(b'}');
}
