//! Edits lists within a record (links, images, translations) in place, and copies everything else. Callers decide what
//! to write.

use crate::ndjson::{Str, Walk, keys, string, write_key};
use crate::record::Target;
use crate::registry::{RecordNumber, Registry};
use std::ops::Range;

keys! {
    pub(super) enum Slot {
        Url = "url",
        Href = "href",
        Rel = "rel",
        Id = "id",
        Type = "type",
        Source = "source",
        LanguageRaw = "language_raw",
        Link = "link",
        Name = "name",
        // The fields from here on are written.
        Taxonomy = "taxonomy",
        Language = "language",
        Internal = "internal",
        Target = "target",
        Comment = "comment",
        Rule = "rule",
        Reason = "reason",
    }
}

pub(super) struct Element<'a> {
    list: &'a str,
    slots: [Range<usize>; Slot::ALL.len()],
}

impl<'a> Element<'a> {
    fn raw(&self, slot: Slot) -> &'a str {
        &self.list[self.slots[slot as usize].clone()]
    }

    pub(super) fn text(&self, slot: Slot) -> Option<Str<'a>> {
        string(self.raw(slot))
    }

    pub(super) fn number(&self, slot: Slot) -> Option<i64> {
        self.raw(slot).parse().ok()
    }
}

/// An editor of a list.
pub(super) trait Editor {
    /// The result for an element.
    type Decision;
    /// The fields to write, in the order in which they are appended if a user removed them.
    const WRITTEN: &'static [Slot];
    /// Decides about an element; `None` drops it.
    fn decide(&mut self, element: &Element<'_>) -> Option<Self::Decision>;
    /// Writes a field; false leaves it unchanged.
    fn write(&mut self, slot: Slot, decision: &Self::Decision, out: &mut Vec<u8>) -> bool;
}

/// Writes `list`, a tidy list, with edits. Elements that are not objects come from a user and are kept. Returns `None`
/// if it is not a list. Stops as soon as `out` is longer than `limit`, because its record cannot be written.
pub(super) fn edit_list<E: Editor>(list: &[u8], editor: &mut E, limit: usize, out: &mut Vec<u8>) -> Option<()> {
    let text = simdutf8::basic::from_utf8(list).ok()?;
    let mut walk = Walk::new(list);
    let mut written: Vec<(Slot, Range<usize>)> = Vec::with_capacity(8);
    walk.open(b'[')?;
    out.push(b'[');
    let first = out.len();
    while walk.element()? {
        let before = out.len();
        if before > limit {
            return Some(());
        }
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

/// Like [`edit_list`], for one object.
pub(super) fn edit_object<E: Editor>(object: &[u8], editor: &mut E, limit: usize, out: &mut Vec<u8>) -> Option<()> {
    if object.first() != Some(&b'{') {
        return None;
    }
    let start = out.len();
    let list = [b"[", object, b"]"].concat();
    edit_list(&list, editor, limit.saturating_add(2), out)?;
    out.pop();
    out.remove(start);
    Some(())
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
        write_key(out, slot.name());
        if editor.write(slot, decision, out) {
            empty = false;
        } else {
            out.truncate(before);
        }
    }
    out.push(b'}');
}

/// The target as a list states it.
pub(super) fn target(registry: &Registry, record: Option<RecordNumber>) -> Target<'_> {
    let Some(record) = record else { return Target::default() };
    let (r#type, id, link) = registry.target(record);
    Target { r#type: Some(r#type.into()), id, link: Some(link).filter(|link| !link.is_empty()).map(Str::from) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndjson::write_json;

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
            write_json(out, decision);
            slot == Slot::Internal || *decision != 2
        }
    }

    fn edited(list: &str) -> Option<String> {
        let mut out = Vec::new();
        edit_list(list.as_bytes(), &mut Echo, usize::MAX, &mut out)?;
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
}
