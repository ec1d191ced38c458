//! Parses the value of `--format`, by the table of formats that a program hands in.

use crate::export::Format;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use std::ffi::OsStr;

/// Parses the name of a format, and its variants.
#[derive(Clone)]
pub struct Formats {
    /// The formats that the program has.
    pub formats: &'static [Format],
    /// Whether alignments may reach it: only after wp-align, which is not in wpipe.
    pub aligned: bool,
}

impl TypedValueParser for Formats {
    type Value = (&'static Format, Vec<String>);

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        let Formats { formats, aligned } = *self;
        let chosen = move |text: String| match Format::chosen(formats, &text)? {
            (format, _) if format.reads_alignments && !aligned => {
                Err(format!("wpipe makes no alignments: wpipe ... | wp-align | wp-export --format {text}"))
            }
            chosen => Ok(chosen),
        };
        StringValueParser::new().try_map(chosen).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let formats = self.formats.iter().filter(|format| self.aligned || !format.reads_alignments);
        Some(Box::new(formats.map(|format| PossibleValue::new(format.name()))))
    }
}
