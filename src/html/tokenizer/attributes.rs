//! Attributes of a tag: where they stand, and their decoded values on demand.
//! What an attribute means is left to those who ask for it.

use super::is_space;
use super::references::{Text, TextKind};
use memchr::memchr;
use std::borrow::Cow;

/// Where one attribute stands in the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    name: (usize, usize),
    value: (usize, usize),
}

/// The attributes of one tag, duplicates included; the first of a name counts.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'t, 'a> {
    html: &'a str,
    spans: &'t [Attribute],
}

impl<'t, 'a> Attributes<'t, 'a> {
    pub(super) fn new(html: &'a str, spans: &'t [Attribute]) -> Self {
        Attributes { html, spans }
    }

    /// Names and values as written, in document order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'t, 'a> {
        let html = self.html;
        self.spans.iter().map(move |a| (&html[a.name.0..a.name.1], &html[a.value.0..a.value.1]))
    }

    /// The value as written of the first attribute called `name` (given in lower case).
    pub(crate) fn raw(&self, name: &str) -> Option<&'a str> {
        let found = place_of(self.html.as_bytes(), self.spans, name.as_bytes());
        found.map(|(start, end)| &self.html[start..end])
    }

    /// Whether there is an attribute whose name begins so (given in lower case).
    pub(crate) fn any_begins(&self, start: &str) -> bool {
        let bytes = self.html.as_bytes();
        let begins = |name: &[u8]| name.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start.as_bytes()));
        self.spans.iter().any(|a| begins(&bytes[a.name.0..a.name.1]))
    }

    /// The decoded value of the first attribute called `name` (given in lower case).
    pub(crate) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        self.raw(name).map(decode)
    }
}

/// The value that an attribute written as `raw` has.
pub(crate) fn decode(raw: &str) -> Cow<'_, str> {
    if raw.bytes().any(|b| matches!(b, b'&' | b'\r' | 0)) {
        let mut out = String::with_capacity(raw.len());
        Text { raw, kind: TextKind::Attribute }.decode_into(&mut out, super::Nul::Replace);
        Cow::Owned(out)
    } else {
        Cow::Borrowed(raw)
    }
}

/// Where the value of the first attribute called `name` (given in lower case) stands.
fn place_of(bytes: &[u8], spans: &[Attribute], name: &[u8]) -> Option<(usize, usize)> {
    let is_it =
        |a: &&Attribute| a.name.1 - a.name.0 == name.len() && bytes[a.name.0..a.name.1].eq_ignore_ascii_case(name);
    spans.iter().find(is_it).map(|a| a.value)
}

/// The value itself.
pub(super) fn find<'b>(bytes: &'b [u8], spans: &[Attribute], name: &[u8]) -> Option<&'b [u8]> {
    place_of(bytes, spans, name).map(|(start, end)| &bytes[start..end])
}

/// Reads attributes from behind the tag's name. Returns whether the tag closes itself, and where the input goes on
/// behind its `>`: none if the input ends first.
pub(super) fn read(bytes: &[u8], mut at: usize, spans: &mut Vec<Attribute>) -> (bool, Option<usize>) {
    spans.clear();
    loop {
        match bytes.get(at) {
            None => return (false, None),
            Some(b'>') => return (false, Some(at + 1)),
            Some(b'/') if bytes.get(at + 1) == Some(&b'>') => return (true, Some(at + 2)),
            Some(b'/') => at += 1,
            Some(&b) if is_space(b) => at += 1,
            Some(_) => match read_one(bytes, at) {
                Some((attribute, next)) => {
                    spans.push(attribute);
                    at = next;
                }
                None => return (false, None),
            },
        }
    }
}

/// Reads one attribute; none if the input ends in it.
fn read_one(bytes: &[u8], start: usize) -> Option<(Attribute, usize)> {
    let mut at = start + 1; // a `=` in the first place belongs to the name
    while !matches!(bytes.get(at)?, b'=' | b'>' | b'/') && !is_space(bytes[at]) {
        at += 1;
    }
    let name = (start, at);
    let mut next = at;
    while is_space(*bytes.get(next)?) {
        next += 1;
    }
    if bytes[next] != b'=' {
        return Some((Attribute { name, value: (at, at) }, next));
    }
    next += 1;
    while is_space(*bytes.get(next)?) {
        next += 1;
    }
    match bytes[next] {
        quote @ (b'"' | b'\'') => {
            let end = next + 1 + memchr(quote, &bytes[next + 1..])?;
            Some((Attribute { name, value: (next + 1, end) }, end + 1))
        }
        b'>' => Some((Attribute { name, value: (next, next) }, next)),
        _ => {
            let value = next;
            while !is_space(*bytes.get(next)?) && bytes[next] != b'>' {
                next += 1;
            }
            Some((Attribute { name, value: (value, next) }, next))
        }
    }
}
