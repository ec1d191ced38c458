//! JSON as the two usual sources of dumps write it: PHP (what WordPress sends) and Python (what wpextract downloads).

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// Whose JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Style {
    /// `json.dump` of Python: a space after comma and colon, all that is not ASCII escaped
    Python,
    /// `json_encode` of PHP: no white space, slashes escaped too
    Php,
}

/// Writes a value.
pub fn write(out: &mut impl Write, value: &impl Serialize, style: Style) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, style)).map_err(io::Error::other)
}

impl Formatter for Style {
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        comma(*self, out, first)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        comma(*self, out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if *self == Style::Python { b": " } else { b":" })
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        let odd = |c: char| !c.is_ascii() || (c == '/' && *self == Style::Php);
        while let Some(at) = rest.find(odd) {
            out.write_all(&rest.as_bytes()[..at])?;
            let letter = rest[at..].chars().next().expect("found above");
            if letter == '/' {
                out.write_all(b"\\/")?;
            } else {
                letter.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))?;
            }
            rest = &rest[at + letter.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

fn comma<W: ?Sized + Write>(style: Style, out: &mut W, first: bool) -> io::Result<()> {
    match (first, style) {
        (true, _) => Ok(()),
        (false, Style::Python) => out.write_all(b", "),
        (false, Style::Php) => out.write_all(b","),
    }
}
