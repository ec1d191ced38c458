//! Parses the attributes of an HTML tag: their positions, and their decoded values on request. The callers interpret
//! them.

use super::references::{Text, TextKind};
use super::{is_space, lanes};
use std::borrow::Cow;

/// The position of an attribute in the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    name: (usize, usize),
    value: (usize, usize),
}

impl Attribute {
    /// Whether its name is this one (given in lower case).
    fn is_called(&self, html: &[u8], name: &[u8]) -> bool {
        self.name.1 - self.name.0 == name.len() && {
            let written = &html[self.name.0..self.name.1];
            written == name || written.eq_ignore_ascii_case(name)
        }
    }
}

/// The positions of a tag's attributes, in reused memory.
#[derive(Debug, Default)]
pub(super) struct Spans {
    list: Vec<Attribute>,
    /// A bit for each length of a name that occurs: a quick test, because most requested attributes are absent.
    lengths: u32,
}

impl Spans {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.lengths = 0;
    }

    fn push(&mut self, attribute: Attribute) {
        self.lengths |= length_bit(attribute.name.1 - attribute.name.0);
        self.list.push(attribute);
    }

    /// The position of the value of the first attribute called `name` (given in lower case).
    fn place_of(&self, html: &[u8], name: &[u8]) -> Option<(usize, usize)> {
        if self.lengths & length_bit(name.len()) == 0 {
            return None;
        }
        self.list.iter().find(|a| a.is_called(html, name)).map(|a| a.value)
    }
}

/// The bit for names of this length; long names share one.
const fn length_bit(length: usize) -> u32 {
    1 << if length < 31 { length } else { 31 }
}

/// The attributes of one tag, duplicates included; the first one with a name counts.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'t, 'a> {
    html: &'a str,
    spans: &'t Spans,
}

impl<'t, 'a> Attributes<'t, 'a> {
    pub(super) fn new(html: &'a str, spans: &'t Spans) -> Self {
        Attributes { html, spans }
    }

    /// The names and values as written, in document order, as bytes, without checking character boundaries.
    pub(crate) fn bytes(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'t, 'a> {
        let html = self.html.as_bytes();
        self.spans.list.iter().map(move |a| (&html[a.name.0..a.name.1], &html[a.value.0..a.value.1]))
    }

    /// Like [`Attributes::bytes`], but as text.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'t, 'a> {
        let html = self.html;
        self.spans.list.iter().map(move |a| (&html[a.name.0..a.name.1], &html[a.value.0..a.value.1]))
    }

    /// The value as written of the first attribute called `name` (given in lower case).
    pub(crate) fn raw(&self, name: &str) -> Option<&'a str> {
        let (start, end) = self.spans.place_of(self.html.as_bytes(), name.as_bytes())?;
        Some(&self.html[start..end])
    }

    /// Like [`Attributes::raw`], for several names in one pass.
    pub(crate) fn several<const N: usize>(&self, names: [&str; N]) -> [Option<&'a str>; N] {
        let mut values = [None; N];
        let asked = names.iter().fold(0, |lengths, name| lengths | length_bit(name.len()));
        if self.spans.lengths & asked == 0 {
            return values;
        }
        for attribute in &self.spans.list {
            if asked & length_bit(attribute.name.1 - attribute.name.0) == 0 {
                continue;
            }
            let is_it = |(name, _): &(&&str, _)| attribute.is_called(self.html.as_bytes(), name.as_bytes());
            if let Some((_, place)) = names.iter().zip(&mut values).find(is_it) {
                place.get_or_insert(&self.html[attribute.value.0..attribute.value.1]);
            }
        }
        values
    }

    /// Whether an attribute's name has a length in this range.
    pub(crate) fn any_as_long_as(&self, shortest: usize, longest: usize) -> bool {
        self.spans.lengths & (length_bit(longest + 1) - length_bit(shortest)) != 0
    }

    /// Whether there is an attribute whose name begins with `start` (given in lower case).
    pub(crate) fn any_begins(&self, start: &str) -> bool {
        let bytes = self.html.as_bytes();
        let begins = |name: &[u8]| name.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start.as_bytes()));
        self.spans.list.iter().any(|a| begins(&bytes[a.name.0..a.name.1]))
    }

    /// The decoded value of the first attribute called `name` (given in lower case).
    pub(crate) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        self.raw(name).map(decode)
    }
}

/// Decodes an attribute's value, written as `raw`.
pub(crate) fn decode(raw: &str) -> Cow<'_, str> {
    if lanes::is_plain(raw.as_bytes()) {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    Text { raw, kind: TextKind::Attribute }.decode_into(&mut out, super::Nul::Replace);
    Cow::Owned(out)
}

/// Reads the attributes after the tag's name. Returns whether the tag is self-closing, and where the input continues
/// after its `>`; `None` if the input ends first.
pub(super) fn read(bytes: &[u8], mut at: usize, spans: &mut Spans) -> (bool, Option<usize>) {
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

/// The end of a name of any length; `None` if the input ends in it.
fn name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1; // a `=` at the first position belongs to the name
    while !matches!(bytes.get(at)?, b'=' | b'>' | b'/') && !is_space(bytes[at]) {
        at += 1;
    }
    Some(at)
}

/// Reads one attribute; `None` if the input ends in it.
fn read_one(bytes: &[u8], start: usize) -> Option<(Attribute, usize)> {
    let at = match lanes::attribute_name(bytes, start) {
        Some(length) => start + length,
        None => name_end(bytes, start)?,
    };
    let name = (start, at);
    if let Some(&[b'=', quote @ (b'"' | b'\'')]) = bytes.get(at..at + 2) {
        let end = lanes::find(quote, bytes, at + 2)?;
        return Some((Attribute { name, value: (at + 2, end) }, end + 1));
    }
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
            let end = lanes::find(quote, bytes, next + 1)?;
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
