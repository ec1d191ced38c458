//! Lists within a record (links, images, translations), whose elements are edited in place while everything else is
//! copied. The callers decide what to write.

use super::facts::{number, text};
use crate::ndjson::{Str, Walk, write_json};
use crate::registry::{RecordNumber, Registry};
use std::ops::Range;

/// A field of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Slot {
    Url,
    Href,
    Rel,
    Id,
    Type,
    Source,
    LanguageRaw,
    // From here on: fields that are written.
    Language,
    Internal,
    Target,
    Comment,
    Rule,
}

const SLOTS: usize = 12;

impl Slot {
    fn of(key: &[u8]) -> Option<Slot> {
        Some(match key {
            b"url" => Slot::Url,
            b"href" => Slot::Href,
            b"rel" => Slot::Rel,
            b"id" => Slot::Id,
            b"type" => Slot::Type,
            b"source" => Slot::Source,
            b"language_raw" => Slot::LanguageRaw,
            b"language" => Slot::Language,
            b"internal" => Slot::Internal,
            b"target" => Slot::Target,
            b"comment" => Slot::Comment,
            b"rule" => Slot::Rule,
            _ => return None,
        })
    }

    fn key(self) -> &'static str {
        match self {
            Slot::Url => "url",
            Slot::Href => "href",
            Slot::Rel => "rel",
            Slot::Id => "id",
            Slot::Type => "type",
            Slot::Source => "source",
            Slot::LanguageRaw => "language_raw",
            Slot::Language => "language",
            Slot::Internal => "internal",
            Slot::Target => "target",
            Slot::Comment => "comment",
            Slot::Rule => "rule",
        }
    }
}

/// An element as read.
pub(super) struct Element<'a> {
    list: &'a str,
    slots: [Range<usize>; SLOTS],
}

impl<'a> Element<'a> {
    fn raw(&self, slot: Slot) -> &'a str {
        &self.list[self.slots[slot as usize].clone()]
    }

    /// A field that is a string.
    pub fn text(&self, slot: Slot) -> Option<Str<'a>> {
        text(self.raw(slot)).flatten()
    }

    /// A field that must be a string or null if present.
    pub fn strict_text(&self, slot: Slot) -> Option<Option<Str<'a>>> {
        let raw = self.raw(slot);
        if raw.is_empty() { Some(None) } else { text(raw) }
    }

    /// A field that must be an integer or null if present.
    pub fn strict_number(&self, slot: Slot) -> Option<Option<i64>> {
        let raw = self.raw(slot);
        if raw.is_empty() { Some(None) } else { number(raw.as_bytes()) }
    }

    /// A field that is an integer.
    pub fn number(&self, slot: Slot) -> Option<i64> {
        number(self.raw(slot).as_bytes()).flatten()
    }
}

/// Reads the objects of a list; none if it contains anything else, or a key is repeated or has an escape.
pub(super) fn read_list<'a, T>(list: &'a [u8], mut read: impl FnMut(&Element<'a>) -> Option<T>) -> Option<Vec<T>> {
    let text = std::str::from_utf8(list).ok()?;
    let mut walk = Walk::new(list);
    let mut found = Vec::new();
    walk.open(b'[')?;
    while walk.element()? {
        walk.open(b'{')?;
        let mut element = Element { list: text, slots: Default::default() };
        while let Some(key) = walk.key()? {
            let value = walk.value()?;
            if let Some(slot) = Slot::of(key) {
                if !element.slots[slot as usize].is_empty() {
                    return None;
                }
                element.slots[slot as usize] = value;
            } else if key.contains(&b'\\') {
                return None;
            }
        }
        found.push(read(&element)?);
    }
    walk.end()?;
    Some(found)
}

/// An editor of a list.
pub(super) trait Editor {
    /// The result for an element.
    type Decision;
    /// The fields to write, in the order in which they are appended if a user removed them.
    const WRITTEN: &'static [Slot];
    /// Decides about an element; none drops it.
    fn decide(&mut self, element: &Element<'_>) -> Option<Self::Decision>;
    /// Writes a field; false leaves it unchanged.
    fn write(&mut self, slot: Slot, decision: &Self::Decision, out: &mut Vec<u8>) -> bool;
}

/// Writes `list`, a tidy list, with edits. Elements that are not objects are a user's and are kept. None if it is not a
/// list.
pub(super) fn edit_list<E: Editor>(list: &[u8], editor: &mut E, out: &mut Vec<u8>) -> Option<()> {
    let text = simdutf8::basic::from_utf8(list).ok()?;
    let mut walk = Walk::new(list);
    let mut written: Vec<(Slot, Range<usize>)> = Vec::with_capacity(8);
    walk.open(b'[')?;
    out.push(b'[');
    let first = out.len();
    while walk.element()? {
        let before = out.len();
        if before > first {
            out.push(b',');
        }
        if walk.peek()? != b'{' {
            out.extend_from_slice(&list[walk.value()?]);
            continue;
        }
        let mut element = Element { list: text, slots: Default::default() };
        written.clear();
        let start = walk.at();
        walk.open(b'{')?;
        while let Some(key) = walk.key()? {
            let value = walk.value()?;
            let Some(slot) = Slot::of(key) else { continue };
            element.slots[slot as usize] = value.clone();
            if E::WRITTEN.contains(&slot) {
                written.push((slot, value));
            }
        }
        let end = walk.at() - 1;
        match editor.decide(&element) {
            Some(decision) => write_element(list, start..end, &written, editor, &decision, out),
            None => out.truncate(before),
        }
    }
    out.push(b']');
    walk.end()
}

/// Writes the element at `place`, without its closing bracket.
fn write_element<E: Editor>(
    list: &[u8],
    place: Range<usize>,
    written: &[(Slot, Range<usize>)],
    editor: &mut E,
    decision: &E::Decision,
    out: &mut Vec<u8>,
) {
    let mut done = place.start;
    for (slot, value) in written {
        out.extend_from_slice(&list[done..value.start]);
        let before = out.len();
        if editor.write(*slot, decision, out) {
            done = value.end;
        } else {
            out.truncate(before);
            done = value.start;
        }
    }
    out.extend_from_slice(&list[done..place.end]);
    let mut empty = place.len() == 1;
    for &slot in E::WRITTEN.iter().filter(|slot| !written.iter().any(|(there, _)| there == *slot)) {
        let before = out.len();
        if !empty {
            out.push(b',');
        }
        push_key(slot.key(), out);
        if editor.write(slot, decision, out) {
            empty = false;
        } else {
            out.truncate(before);
        }
    }
    out.push(b'}');
}

/// `"key":`, for a key that needs no escapes.
pub(super) fn push_key(key: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

/// A string as JSON. These texts (links, tags, types) hardly ever need an escape.
pub(super) fn push_text(text: &str, out: &mut Vec<u8>) {
    let odd = text.bytes().fold(false, |odd, byte| odd | matches!(byte, 0..0x20 | b'"' | b'\\' | 0x7f));
    if odd {
        return write_json(out, &text);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// A string or null as JSON.
pub(super) fn push_option(text: Option<&str>, out: &mut Vec<u8>) {
    match text {
        Some(text) => push_text(text, out),
        None => out.extend_from_slice(b"null"),
    }
}

/// An integer or null as JSON.
pub(super) fn push_number(number: Option<i64>, out: &mut Vec<u8>) {
    use std::io::Write;
    match number {
        Some(number) => write!(out, "{number}").expect("a Vec takes everything"),
        None => out.extend_from_slice(b"null"),
    }
}

/// A target as JSON.
pub(super) fn push_target(registry: &Registry, record: Option<RecordNumber>, out: &mut Vec<u8>) {
    let Some(record) = record else { return out.extend_from_slice(br#"{"type":null,"id":null,"link":null}"#) };
    let (r#type, id, link) = registry.target(record);
    out.extend_from_slice(b"{\"type\":");
    push_text(r#type, out);
    out.extend_from_slice(b",\"id\":");
    push_number(id, out);
    out.extend_from_slice(b",\"link\":");
    push_option(Some(link).filter(|link| !link.is_empty()), out);
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns its query as the answer.
    struct Echo;

    impl Editor for Echo {
        type Decision = i64;
        const WRITTEN: &'static [Slot] = &[Slot::Internal, Slot::Rule];
        fn decide(&mut self, element: &Element<'_>) -> Option<i64> {
            let length = element.text(Slot::Url).map_or(0, |url| url.len() as i64);
            (element.number(Slot::Id) != Some(0)).then_some(length)
        }
        fn write(&mut self, slot: Slot, decision: &i64, out: &mut Vec<u8>) -> bool {
            push_number(Some(*decision), out);
            slot == Slot::Internal || *decision != 2
        }
    }

    fn edited(list: &str) -> Option<String> {
        let mut out = Vec::new();
        edit_list(list.as_bytes(), &mut Echo, &mut out)?;
        Some(String::from_utf8(out).unwrap())
    }

    #[test]
    fn only_what_is_written_changes() {
        let cases = [
            ("[]", "[]"),
            ("[7,[1],\"x\"]", "[7,[1],\"x\"]"),
            ("[{}]", r#"[{"internal":0,"rule":0}]"#),
            (
                r#"[{"url":"a\u0062c","rule":null,"x":{"rule":[1, 2]}}]"#,
                r#"[{"url":"a\u0062c","rule":3,"x":{"rule":[1, 2]},"internal":3}]"#,
            ),
            (r#"[{"id":0},{"rule":1,"internal":2,"rule":3},{"id":0}]"#, r#"[{"rule":0,"internal":0,"rule":0}]"#),
            (r#"[1,{"id":0},2]"#, "[1,2]"),
        ];
        for (before, after) in cases {
            assert_eq!(edited(before).as_deref(), Some(after));
        }
        assert_eq!(edited("null"), None);
    }

    #[test]
    fn texts_are_escaped_as_elsewhere() {
        for text in ["", "a/b?c=é", "\"", "\\", "\u{1}", "\u{7f}", "\n", "\u{2028}"] {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            push_text(text, &mut ours);
            write_json(&mut theirs, &text);
            assert_eq!(ours, theirs, "{text:?}");
        }
    }
}
