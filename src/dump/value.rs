//! Reads single values of an object whose text has been checked: for most of them only the kind of value, for a few
//! their text or number.

use crate::ndjson::{self, repair_surrogates};
use std::borrow::Cow;

/// A value of any type; only scalars are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Loose {
    #[default]
    Absent,
    /// null, or false, which PHP writes for null.
    Nothing,
    Int(i64),
    Text(String),
    Other,
}

impl Loose {
    pub(super) fn read(raw: &[u8]) -> Loose {
        match raw.first() {
            Some(b'n' | b'f') => Loose::Nothing,
            Some(b'"') => read_text(raw).map_or(Loose::Other, Loose::Text),
            Some(b'-' | b'0'..=b'9') => read_integer(raw).map_or(Loose::Other, Loose::Int),
            _ => Loose::Other,
        }
    }

    /// The text, if the value is a string that is not empty.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Loose::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// The value as an integer, also if it was written as a string.
    pub(crate) fn int(&self) -> Option<i64> {
        match self {
            Loose::Int(n) => Some(*n),
            Loose::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

/// Reads a string with its quotes. Half of a surrogate pair is replaced, as wp-parse does in the rest of the item.
pub(super) fn read_text(raw: &[u8]) -> Option<String> {
    let raw = ndjson::text_of(raw).ok()?;
    serde_json::from_str(raw).ok().or_else(|| serde_json::from_str(&repair_surrogates(raw)?).ok())
}

/// Reads a whole number, also one written with a fraction or an exponent.
fn read_integer(raw: &[u8]) -> Option<i64> {
    let number = std::str::from_utf8(raw).ok()?;
    number.parse().ok().or_else(|| {
        let float: f64 = number.parse().ok()?;
        // Beyond 2^53, a float cannot represent every integer.
        let is_whole = float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
        is_whole.then_some(float as i64)
    })
}

/// Decodes the escapes of a key; `written` is the text between its quotes.
pub(super) fn unescaped(written: &[u8]) -> Cow<'_, [u8]> {
    if !written.contains(&b'\\') {
        return written.into();
    }
    let text = read_text(&[b"\"", written, b"\""].concat());
    text.map_or(written.into(), |text| text.into_bytes().into())
}
