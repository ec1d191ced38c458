//! Traverses JSON text and returns the positions of keys and values without copying, for stages that need only a few
//! fields of a line. If the text is not JSON, the caller gets the error from serde_json.

use super::skip::{Refused, skip_space, special, string_end, value_end, word_end};
use super::whitespace::Gaps;
use std::ops::Range;

/// A walk over one value. All skipped text is checked as strictly as serde_json does when it skips a value; `None` means
/// that the text is not valid JSON, or not of the expected kind.
///
/// Fields that are not needed are not stored, and white space between tokens is noted only on request.
#[derive(Clone)]
pub(crate) struct Walk<'a, G = ()> {
    text: &'a [u8],
    at: usize,
    /// Whether the next item is the first of its list or object.
    first: bool,
    spaced: bool,
    /// White space between all tokens.
    gaps: G,
    refused: Refused,
}

impl<'a> Walk<'a> {
    /// Creates a walk that begins at the start of `text`.
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Walk { text, at: 0, first: false, spaced: false, gaps: (), refused: Refused::Odd }
    }
}

impl<'a> Walk<'a, Gaps> {
    /// Like [`Walk::new`], but notes all white space between tokens, including skipped ones, in `gaps`, which is emptied
    /// first.
    pub(crate) fn noting(text: &'a [u8], mut gaps: Gaps) -> Self {
        gaps.clear();
        Walk { text, at: 0, first: false, spaced: false, gaps, refused: Refused::Odd }
    }

    /// The positions of the white space up to here.
    pub(crate) fn into_gaps(self) -> Gaps {
        self.gaps
    }
}

/// How to handle white space between tokens.
pub(crate) trait NoteGaps {
    /// Takes the start and the end of a gap.
    fn note(&mut self, start: usize, end: usize);
}

impl NoteGaps for () {
    fn note(&mut self, _: usize, _: usize) {}
}

impl NoteGaps for Gaps {
    fn note(&mut self, start: usize, end: usize) {
        Gaps::note(self, start, end);
    }
}

impl<'a, G: NoteGaps> Walk<'a, G> {
    /// The reason for a `None`: whether the text was incomplete or wrong.
    pub(crate) fn refused(&self) -> Refused {
        self.refused
    }

    /// Whether there was white space between the tokens that were read; white space inside skipped values does not count.
    pub(crate) fn spaced(&self) -> bool {
        self.spaced
    }

    /// The next byte that is not white space, without consuming it.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        match self.text.get(self.at) {
            Some(&byte) if byte > b' ' => Some(byte),
            _ => self.peek_past_space(),
        }
    }

    #[cold]
    fn peek_past_space(&mut self) -> Option<u8> {
        let next = skip_space(self.text, self.at);
        if next > self.at {
            self.spaced = true;
            self.gaps.note(self.at, next);
        }
        self.at = next;
        let byte = self.text.get(self.at).copied();
        if byte.is_none() {
            self.refused = Refused::Unfinished;
        }
        byte
    }

    /// Moves to the end of a value, or stores the reason if it has none.
    #[inline]
    fn end_of(&mut self, end: Result<usize, Refused>) -> Option<usize> {
        end.inspect_err(|&refused| self.refused = refused).ok()
    }

    #[inline]
    fn pass(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Enters an object (`{`) or a list (`[`).
    pub(crate) fn open(&mut self, bracket: u8) -> Option<()> {
        self.pass(bracket)?;
        self.first = true;
        Some(())
    }

    /// Consumes the text before the next item of an object or list; returns false if that is `end` instead.
    #[inline]
    fn goes_on(&mut self, end: u8) -> Option<bool> {
        let first = std::mem::take(&mut self.first);
        match self.peek()? {
            byte if byte == end => {
                self.at += 1;
                Some(false)
            }
            b',' if !first => {
                self.at += 1;
                Some(true)
            }
            _ if first => Some(true),
            _ => None,
        }
    }

    /// The next key of the object, as it is written between its quotes, after moving past its colon; `Some(None)` at the
    /// end of the object.
    pub(crate) fn key(&mut self) -> Option<Option<&'a [u8]>> {
        Some(self.key_place()?.map(|place| &self.text[place]))
    }

    /// The text at a position that [`Walk::key_place`] or [`Walk::value`] has returned.
    #[inline]
    pub(crate) fn read(&self, place: &Range<usize>) -> &'a [u8] {
        &self.text[place.clone()]
    }

    /// Whether a key or another string has an escape; `inside` is its place between the quotes. (Searching for a backslash took 3 % of
    /// wp-resolve.)
    #[inline]
    pub(crate) fn is_escaped(&self, inside: &Range<usize>) -> bool {
        special(self.text, inside.start) < inside.end
    }

    /// Skips the next key if it is `key`, written without escapes and white space around it.
    #[inline]
    pub(crate) fn passes(&mut self, key: &str) -> bool {
        let rest = &self.text[self.at..];
        let rest = if self.first { Some(rest) } else { rest.strip_prefix(b",") };
        let rest = rest.and_then(|rest| rest.strip_prefix(b"\"")).and_then(|rest| rest.strip_prefix(key.as_bytes()));
        let rest = rest.and_then(|rest| rest.strip_prefix(b"\":"));
        if let Some(rest) = rest {
            self.at = self.text.len() - rest.len();
            self.first = false;
        }
        rest.is_some()
    }

    /// Like [`Walk::key`], but returns the position between the quotes.
    #[inline]
    pub(crate) fn key_place(&mut self) -> Option<Option<Range<usize>>> {
        if !self.goes_on(b'}')? {
            return Some(None);
        }
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        self.at = self.end_of(string_end(self.text, self.at))?;
        let place = start..self.at - 1;
        self.pass(b':')?;
        Some(Some(place))
    }

    /// The values of these keys in the object that comes next; if a key is repeated, the last value. All are `None` if the next value is
    /// not an object.
    pub(crate) fn fields<const N: usize>(&mut self, keys: [&str; N]) -> Option<[Option<&'a [u8]>; N]> {
        let mut found = [None; N];
        if self.peek()? != b'{' {
            return self.value().map(|_| found);
        }
        self.open(b'{')?;
        while let Some(place) = self.key_place()? {
            let place_of = |key: &[u8]| keys.iter().position(|known| known.as_bytes() == key);
            let at = match place_of(self.read(&place)) {
                None if self.is_escaped(&place) => decode(self.read(&place)).and_then(|key| place_of(key.as_bytes())),
                at => at,
            };
            let value = self.value()?;
            if let Some(at) = at {
                found[at] = Some(self.read(&value));
            }
        }
        Some(found)
    }

    /// Whether the list has another element, which the caller must then skip; at its end, the list is left.
    pub(crate) fn element(&mut self) -> Option<bool> {
        self.goes_on(b']')
    }

    /// Skips a value and returns its position.
    #[inline]
    pub(crate) fn value(&mut self) -> Option<Range<usize>> {
        let first = self.peek()?;
        let start = self.at;
        let end = match first {
            b'"' => string_end(self.text, start),
            // Half of the values in a record are null.
            b'n' => word_end(self.text, start, "null"),
            b'[' if self.text.get(start + 1) == Some(&b']') => Ok(start + 2),
            _ => value_end(self.text, start, |start, end| self.gaps.note(start, end)),
        };
        self.at = self.end_of(end)?;
        Some(start..self.at)
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Continues after a part that another walk has read.
    pub(crate) fn go_to(&mut self, at: usize) {
        self.at = at;
        self.first = false;
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&mut self) -> Option<()> {
        self.peek().is_none().then_some(())
    }
}

/// A key without its escapes.
pub(crate) fn decode(key: &[u8]) -> Option<String> {
    serde_json::from_slice(&[b"\"", key, b"\""].concat()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserializer as _;
    use serde::de::{MapAccess, Visitor};
    use serde_json::value::RawValue;

    fn fields(text: &str) -> Option<Vec<(String, String)>> {
        let mut walk = Walk::new(text.as_bytes());
        let mut fields = Vec::new();
        walk.open(b'{')?;
        while let Some(key) = walk.key()? {
            let key = serde_json::from_str(&format!("\"{}\"", std::str::from_utf8(key).unwrap())).ok()?;
            fields.push((key, text[walk.value()?].to_owned()));
        }
        walk.end()?;
        Some(fields)
    }

    /// The same result by serde_json.
    fn by_serde_json(text: &str) -> Option<Vec<(String, String)>> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Vec<(String, String)>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    fields.push((key, value.get().to_owned()));
                }
                Ok(fields)
            }
        }
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let fields = deserializer.deserialize_map(Fields).ok()?;
        deserializer.end().ok()?;
        Some(fields)
    }

    #[test]
    fn deeply_nested_values_are_skipped() {
        for depth in [1, 63, 64, 65, 127, 128, 129, 5000] {
            let text = format!("{{\"a\":{}1{}}}", "[{\"x\":".repeat(depth), "}]".repeat(depth));
            assert_eq!(fields(&text).unwrap().len(), 1, "{depth}");
            let crossed = format!("{{\"a\":{}1{}]}}}}", "[{\"x\":".repeat(depth), "}]".repeat(depth - 1));
            assert_eq!(fields(&crossed), None, "{depth}");
        }
    }

    #[test]
    fn long_strings_end_where_they_end() {
        for length in 0..200 {
            let text = format!("{{\"{0}\":\"{0}\\\"é\\\\\",\"b\":\"{0}\"}}", "x".repeat(length));
            assert_eq!(fields(&text), by_serde_json(&text));
            for broken in [text.replace("\\\\", "\n"), text.replace("\\\\", "\\x"), text.replace("\\\\", "\\u12g4")] {
                assert_eq!(fields(&broken), None);
            }
        }
    }

    /// Text that is nearly JSON.
    fn nearly() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\"a\"",
            "\"b\\u00e9\"",
            "\"\\ud800\"",
            "\"é\"",
            "\"\\n\"",
            "1",
            "-",
            "0",
            ".5",
            "e+9",
            "E",
            "01",
            "true",
            "false",
            "null",
            "nul",
            " ",
            "\t",
            "\n",
            "\u{1}",
            "{\"k\":",
            "\"k\":1",
            "{}",
            "[]",
            "[1,2]",
            "{\"a\":[{}]}",
            "-0.10e-2",
            "\u{7f}",
        ]);
        let pieces = prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
        prop_oneof![
            pieces.clone(),
            pieces.clone().prop_map(|value| format!("{{\"x\":{value}}}")),
            pieces.prop_map(|value| format!("{{\"x\":[{value}],\"y\":0}}")),
        ]
    }

    proptest! {
        #![proptest_config(crate::cases::cases(20_000))]

        #[test]
        fn the_walk_takes_what_serde_json_takes(text in nearly()) {
            prop_assert_eq!(fields(&text), by_serde_json(&text));
        }

        #[test]
        fn lists_too(text in nearly()) {
            let elements = || {
                let mut walk = Walk::new(text.as_bytes());
                let mut found = Vec::new();
                walk.open(b'[')?;
                while walk.element()? {
                    found.push(text[walk.value()?].to_owned());
                }
                walk.end()?;
                Some(found)
            };
            let want: Option<Vec<&RawValue>> = serde_json::from_str(&text).ok();
            prop_assert_eq!(elements(), want.map(|list| list.iter().map(|raw| raw.get().to_owned()).collect()));
        }
    }
}
