//! Parses an element with a strict parser, to find its end or, if it has an error, the place of the error.

use crate::ndjson::describe;
use serde::de::IgnoredAny;

/// The result of an attempt to parse.
pub(super) enum Attempt {
    /// Good JSON of this length.
    Parsed(usize),
    Unfinished,
    Refused {
        what: String,
        /// The offset of the error.
        offset: usize,
        /// The end of the value, if it is known.
        end: Option<usize>,
    },
}

/// Parses the value at the start of `text`.
pub(super) fn attempt(text: &[u8]) -> Attempt {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    match values.next() {
        None => Attempt::Unfinished,
        Some(Ok(_)) => {
            let end = values.byte_offset();
            match std::str::from_utf8(&text[..end]) {
                Ok(_) => Attempt::Parsed(end),
                Err(e) => {
                    Attempt::Refused { what: "invalid UTF-8".to_owned(), offset: e.valid_up_to(), end: Some(end) }
                }
            }
        }
        Some(Err(e)) if e.is_eof() => Attempt::Unfinished,
        Some(Err(e)) => {
            let offset = offset_of(text, e.line(), e.column());
            Attempt::Refused { what: describe(e).0, offset, end: None }
        }
    }
}

/// The offset of a line and column (from 1).
fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => memchr::memchr_iter(b'\n', text).nth(line - 2).map_or(0, |at| at + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}
