//! Reads the JSON of a line into anything that implements `Deserialize` without copying strings twice: those without
//! escapes stay in the line, the others are unescaped into an [`Arena`]. serde_json reads again what this refuses, and
//! its answer counts: it reports the position, or accepts what is too unusual for this reader.
//!
//! This exists for what PHP writes: a quarter of the bytes of a dump are in strings full of `\"`, `\/`, `\n` and
//! `\u00e9`. With [`super::writer`] and related changes, it took wp-parse from 435 to 294 million instructions for 12
//! MB of items.

mod unescape;

use super::lanes::{LANES, escaped};
use super::skip::{Refused, number_end, special, token, value_end, word_end};
use bumpalo::Bump;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::num::NonZeroU32;

/// Where unescaped strings live until the next line.
#[derive(Default)]
pub(crate) struct Arena {
    strings: Bump,
    /// A string in the making.
    scratch: Cell<Vec<u8>>,
}

impl Arena {
    /// Forgets all strings; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.strings.reset();
    }

    fn keep(&self, string: &[u8]) -> Result<&str, Refused> {
        // The bytes are UTF-8, put together from whole characters: to look again costs next to nothing.
        simdutf8::basic::from_utf8(self.strings.alloc_slice_copy(string)).map_err(|_| Refused::Odd)
    }
}

impl de::Error for Refused {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Refused::Odd
    }
}

/// Reads a value from a whole text.
///
/// # Errors
/// When it is not JSON or not a `T`; also, of what serde_json takes, nesting deeper than 128.
pub(crate) fn read<'de, T: de::Deserialize<'de>>(text: &'de str, arena: &'de Arena) -> Result<T, Refused> {
    read_whole(text, Some(arena))
}

/// As [`read`], for what outlives every arena: strings with escapes are owned. For a few short fields of a long line.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_owned<'de, T: de::Deserialize<'de>>(text: &'de str) -> Result<T, Refused> {
    read_whole(text, None)
}

/// As [`read_owned`]; what it refuses is read by serde_json, or refused in its words: for whole records.
///
/// # Errors
/// Those of [`serde_json::from_str`].
pub(crate) fn from_str<'de, T: de::Deserialize<'de>>(text: &'de str) -> Result<T, serde_json::Error> {
    read_owned(text).or_else(|_| serde_json::from_str(text))
}

fn read_whole<'de, T: de::Deserialize<'de>>(text: &'de str, arena: Option<&'de Arena>) -> Result<T, Refused> {
    let mut reader = Reader { bytes: text.as_bytes(), text, at: 0, arena, open: 0 };
    let value = T::deserialize(&mut reader)?;
    match reader.next_token() {
        Err(Refused::Unfinished) => Ok(value),
        _ => Err(Refused::Odd),
    }
}

/// The source text of a value, borrowed from the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a>(pub &'a str);

/// By this name of a newtype [`Raw`] asks our reader for the source text.
const RAW: &str = "$wpipe::Raw";

impl<'de: 'a, 'a> de::Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawVisitor;
        impl<'de> Visitor<'de> for RawVisitor {
            type Value = Raw<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON value")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Raw<'de>, E> {
                Ok(Raw(text))
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw<'de>, D::Error> {
                <&serde_json::value::RawValue as de::Deserialize>::deserialize(deserializer).map(|raw| Raw(raw.get()))
            }
        }
        deserializer.deserialize_newtype_struct(RAW, RawVisitor)
    }
}

/// How deep lists and objects may be nested.
const DEEPEST: u32 = 128;

/// Whether no floating-point number is as large, such as 1e400: it is JSON, but not a value that anyone can have meant, and
/// counts as null.
fn is_huge(number: &str) -> bool {
    (number.len() > 300 || number.contains(['e', 'E'])) && number.parse::<f64>().is_ok_and(f64::is_infinite)
}

struct Reader<'de> {
    text: &'de str,
    bytes: &'de [u8],
    at: usize,
    /// Where strings with escapes go; without one they are owned.
    arena: Option<&'de Arena>,
    /// Lists and objects that are open.
    open: u32,
}

impl<'de> Reader<'de> {
    #[inline]
    fn slice(&self, start: usize, end: usize) -> Result<&'de str, Refused> {
        self.text.get(start..end).ok_or(Refused::Odd)
    }

    /// The first byte of what comes next.
    #[inline]
    fn next_token(&mut self) -> Result<u8, Refused> {
        let (byte, at) = token(self.bytes, self.at)?;
        self.at = at;
        Ok(byte)
    }

    fn expect(&mut self, token: u8) -> Result<(), Refused> {
        if self.next_token()? != token {
            return Err(Refused::Odd);
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), Refused> {
        self.at = word_end(self.bytes, self.at, word)?;
        Ok(())
    }

    fn enter(&mut self) -> Result<(), Refused> {
        self.at += 1;
        self.open += 1;
        if self.open > DEEPEST { Err(Refused::Odd) } else { Ok(()) }
    }

    /// A string whose opening quote comes next.
    // In place where it is short: half of all strings are keys.
    #[inline(always)]
    fn string(&mut self) -> Result<Cow<'de, str>, Refused> {
        let start = self.at + 1;
        if let Some(&chunk) = self.bytes.get(start..).and_then(|rest| rest.first_chunk::<LANES>())
            && let Some(n) = NonZeroU32::new(escaped(chunk)).map(|marks| marks.trailing_zeros() as usize)
            && chunk[n] == b'"'
        {
            self.at = start + n + 1;
            return self.slice(start, start + n).map(Cow::Borrowed);
        }
        self.long_string(start)
    }

    fn long_string(&mut self, start: usize) -> Result<Cow<'de, str>, Refused> {
        let end = special(self.bytes, start);
        self.at = end + 1;
        match self.bytes.get(end) {
            Some(b'"') => self.slice(start, end).map(Cow::Borrowed),
            Some(b'\\') => self.unescape(start),
            Some(_) => Err(Refused::Odd),
            None => Err(Refused::Unfinished),
        }
    }

    /// The string from `start`, which has escapes.
    fn unescape(&mut self, start: usize) -> Result<Cow<'de, str>, Refused> {
        let mut out = self.arena.map(|arena| arena.scratch.take()).unwrap_or_default();
        let (length, end) = unescape::unescape(self.bytes, start, &mut out)?;
        self.at = end + 1;
        let Some(arena) = self.arena else {
            out.truncate(length);
            return String::from_utf8(out).map(Cow::Owned).map_err(|_| Refused::Odd);
        };
        let string = arena.keep(&out[..length]).map(Cow::Borrowed);
        arena.scratch.replace(out);
        string
    }

    /// The digits and signs of a number.
    fn number(&mut self) -> Result<&'de str, Refused> {
        let start = self.at;
        self.at = number_end(self.bytes, start)?;
        self.slice(start, self.at)
    }

    /// Skips the value that comes next, whatever it is.
    fn skip(&mut self) -> Result<(), Refused> {
        self.at = value_end(self.bytes, self.at)?;
        Ok(())
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.next_token()? {
            b'"' => match self.string()? {
                Cow::Borrowed(string) => visitor.visit_borrowed_str(string),
                Cow::Owned(string) => visitor.visit_string(string),
            },
            b'{' => {
                self.enter()?;
                let value = visitor.visit_map(Elements { reader: self, first: true })?;
                self.open -= 1;
                self.expect(b'}')?;
                Ok(value)
            }
            b'[' => {
                self.enter()?;
                let value = visitor.visit_seq(Elements { reader: self, first: true })?;
                self.open -= 1;
                self.expect(b']')?;
                Ok(value)
            }
            b't' => self.word("true").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.word("false").and_then(|()| visitor.visit_bool(false)),
            b'n' => self.word("null").and_then(|()| visitor.visit_unit()),
            _ => {
                let number = self.number()?;
                // Up to 18 digits, no zero with a sign.
                if number.len() <= 18
                    && number != "-0"
                    && let Ok(integer) = number.parse::<i64>()
                {
                    return match u64::try_from(integer) {
                        Ok(integer) => visitor.visit_u64(integer),
                        Err(_) => visitor.visit_i64(integer),
                    };
                }
                if is_huge(number) {
                    return visitor.visit_unit();
                }
                let mut odd = serde_json::Deserializer::from_str(number);
                odd.deserialize_any(visitor).map_err(|_| Refused::Odd)
            }
        }
    }

    /// Of keys, mostly, which are a fifth of all that is read.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.next_token()? {
            b'"' => match self.string()? {
                Cow::Borrowed(string) => visitor.visit_borrowed_str(string),
                Cow::Owned(string) => visitor.visit_string(string),
            },
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.next_token() {
            Ok(b'n') => self.word("null").and_then(|()| visitor.visit_none()),
            Ok(b'-' | b'0'..=b'9') if is_huge(&self.text[self.at..number_end(self.bytes, self.at)?]) => {
                self.number().and_then(|_| visitor.visit_none())
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Refused> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        self.next_token()?;
        let start = self.at;
        self.skip()?;
        visitor.visit_borrowed_str(self.slice(start, self.at)?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.skip()?;
        visitor.visit_unit()
    }

    /// Only of names without data: a string.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        match self.next_token()? {
            b'"' => visitor.visit_enum(de::value::CowStrDeserializer::new(self.string()?)),
            _ => Err(Refused::Odd),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

/// The elements of a list or an object that is being read.
struct Elements<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl Elements<'_, '_> {
    /// Consumes the separator; false at the closing bracket.
    fn goes_on(&mut self, end: u8) -> Result<bool, Refused> {
        if self.reader.next_token()? == end {
            return Ok(false);
        }
        if !std::mem::take(&mut self.first) {
            self.reader.expect(b',')?;
        }
        Ok(true)
    }
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        if self.goes_on(b']')? { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Elements<'_, 'de> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        // As it is nearly always written: a comma, and the key at once.
        if let Some(&[before, b'"']) = self.reader.bytes.get(self.reader.at..).and_then(|rest| rest.first_chunk())
            && before == b','
            && !self.first
        {
            self.reader.at += 1;
            return seed.deserialize(&mut *self.reader).map(Some);
        }
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        match self.reader.next_token()? {
            b'"' => seed.deserialize(&mut *self.reader).map(Some),
            _ => Err(Refused::Odd),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        self.reader.expect(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

#[cfg(test)]
mod tests;
