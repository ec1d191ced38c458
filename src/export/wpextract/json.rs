//! JSON as written by Python's `json.dump(…, indent=2)`: indented by two spaces, ASCII only.

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// Appends a line end and `value` as an element of an array that is a file's whole content.
pub(crate) fn write_element(out: &mut Vec<u8>, value: &impl Serialize) {
    let mut formatter = Ascii(PrettyFormatter::new());
    // The bracket was written long ago; only the indent after it is needed.
    formatter.begin_array(&mut io::sink()).expect("a sink takes everything");
    out.extend_from_slice(b"\n  ");
    let mut serializer = Serializer::with_formatter(out, formatter);
    value.serialize(&mut serializer).expect("a Vec takes everything, and all keys are strings");
}

struct Ascii(PrettyFormatter<'static>);

impl Formatter for Ascii {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while !rest.is_empty() {
            let plain = rest.bytes().take_while(|&byte| is_plain(byte)).count();
            writer.write_all(&rest.as_bytes()[..plain])?;
            rest = &rest[plain..];
            rest = write_escapes(writer, rest)?;
        }
        Ok(())
    }
}

/// Whether the byte is a character that needs no escape.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Writes the characters before the first plain one as numbers, many at a time: in Cyrillic nearly all are. Returns what
/// follows them.
fn write_escapes<'a, W: ?Sized + Write>(writer: &mut W, text: &'a str) -> io::Result<&'a str> {
    const UNIT: usize = 6;
    let mut escapes = [b'0'; 32 * UNIT];
    let mut length = 0;
    let mut chars = text.chars();
    let mut rest = text;
    while let Some(char) = chars.next().filter(|&char| !u8::try_from(char).is_ok_and(is_plain)) {
        for unit in char.encode_utf16(&mut [0; 2]) {
            let digit = |shift: u32| b"0123456789abcdef"[usize::from(*unit >> shift & 15)];
            let escape = [b'\\', b'u', digit(12), digit(8), digit(4), digit(0)];
            escapes[length..length + UNIT].copy_from_slice(&escape);
            length += UNIT;
        }
        rest = chars.as_str();
        if length + 2 * UNIT > escapes.len() {
            writer.write_all(&escapes[..length])?;
            length = 0;
        }
    }
    writer.write_all(&escapes[..length])?;
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected as Python 3.11 writes it.
    #[test]
    fn strings_are_written_as_python_does() {
        let mut out = Vec::new();
        write_element(&mut out, &"a\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}é\u{2028}😀z");
        let expected = "\n  \"a\\\"\\\\/\\n\\r\\t\\b\\f\\u0001\\u007f\\u00e9\\u2028\\ud83d\\ude00z\"";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn long_runs_of_other_letters_lose_nothing() {
        for length in [0, 15, 16, 17, 31, 32, 33, 100] {
            let mut out = Vec::new();
            write_element(&mut out, &format!("{}a{}", "я".repeat(length), "😀".repeat(length)));
            let expected = format!("\n  \"{}a{}\"", "\\u044f".repeat(length), "\\ud83d\\ude00".repeat(length));
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn nesting_is_written_as_python_does() {
        let mut out = Vec::new();
        write_element(&mut out, &serde_json::json!({"a": [], "b": {}, "c": [1, {"d": null}]}));
        let expected = "\n  {\n    \"a\": [],\n    \"b\": {},\n    \"c\": [\n      1,\n      {\n        \"d\": null\n      }\n    ]\n  }";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
