//! Prepares a line for a strict parser: repairs half surrogate pairs and numbers out of range, checks UTF-8, and rewords
//! the parser's errors.

use super::skip::{number_end, string_end};
use serde::Deserialize;
use serde_json::Value;

/// The line as text.
///
/// # Errors
/// If it is not UTF-8: the message and the column (from 1) of the error.
pub(crate) fn text_of(line: &[u8]) -> Result<&str, (String, u64)> {
    // Five times as fast as the standard library if a text is not plain ASCII.
    simdutf8::basic::from_utf8(line).map_err(|_| {
        let end = std::str::from_utf8(line).err().map_or(line.len(), |e| e.valid_up_to());
        ("invalid UTF-8".into(), end as u64 + 1)
    })
}

/// The parser's message without the position, and the column. The line number is not needed: inside a line, line feeds
/// are errors.
pub(crate) fn describe(error: serde_json::Error) -> (String, u64) {
    let text = error.to_string();
    let text = text.rfind(" at line ").map_or(text.as_str(), |at| &text[..at]);
    (in_plain_words(text), error.column() as u64)
}

/// Rewords the parser's most common messages for users.
fn in_plain_words(text: &str) -> String {
    let of_object = |text: &str| {
        let found = text.strip_prefix("invalid type: ")?;
        let found = found.strip_suffix(", expected a map").or(found.strip_suffix(", expected a JSON object"))?;
        let value = match found.split(' ').next()? {
            "sequence" => "an array",
            "string" => "a text",
            "integer" | "floating" => "a number",
            _ => "a single value",
        };
        Some(format!("{value}, not a JSON object"))
    };
    let plain = match text {
        "expected value" => "not JSON",
        "expected ident" => "not JSON: a word that is neither true, false nor null",
        "key must be a string" => "a key without quotation marks",
        "trailing characters" => "something follows the JSON",
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => "half of a surrogate pair",
        _ if text.starts_with("EOF while parsing") => "the JSON ends too early",
        _ if text.starts_with("control character") => "a control character in a string",
        _ => return of_object(text).unwrap_or_else(|| text.to_owned()),
    };
    plain.to_owned()
}

/// Whether a message of [`describe`] says that another kind of token was expected, as after a missing quote.
pub(crate) fn is_of_another_kind(what: &str) -> bool {
    ["expected", "not JSON", "a key without"].iter().any(|start| what.starts_with(start))
}

/// JSON text in which every `\uXXXX` escape of a lone surrogate is replaced by `\ufffd`; `None` if there is none. PHP
/// writes such escapes when a plugin has cut an emoji in two; strict parsers refuse them.
pub(crate) fn repair_surrogates(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    memchr::memmem::find(bytes, b"\\ud").or_else(|| memchr::memmem::find(bytes, b"\\uD"))?;
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

/// Parses a whole text; numbers out of range count as null.
pub(crate) fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match error.to_string().starts_with("number out of range") {
        true => T::deserialize(serde_json::from_str::<Value>(&null_huge_numbers(text))?),
        false => Err(error),
    })
}

/// JSON text of the same length in which every number beyond the range of floating-point numbers is null: 1e400 is valid
/// JSON, but cannot have been intended.
pub(crate) fn null_huge_numbers(json: &str) -> String {
    let (mut out, mut done, mut at) = (String::new(), 0, 0);
    while let Some(byte) = json.as_bytes().get(at) {
        let start = at;
        at = match byte {
            b'"' => string_end(json.as_bytes(), at).unwrap_or(json.len()),
            b'-' | b'0'..=b'9' => number_end(json.as_bytes(), at).unwrap_or(at + 1),
            _ => at + 1,
        };
        if *byte != b'"' && json.get(start..at).is_some_and(|n| n.parse().is_ok_and(f64::is_infinite)) {
            out.push_str(&json[done..start]);
            out.push_str(&format!("{:1$}", "null", at - start));
            done = at;
        }
    }
    out + &json[done..]
}
