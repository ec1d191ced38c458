//! Writes the log of pages (`--page-log`): one line for each page of the scrape, with its record or the reason why it
//! has none. Other modules find these.

use crate::ndjson::write_json;
use crate::record::{Str, Target, fields};

fields! {
    /// A line of the log.
    record Line {
        /// The --scrape argument as typed.
        root: Option<Str<'a>>,
        /// Path below root.
        file: Option<Str<'a>>,
        /// The URL it was saved from.
        url: Option<Str<'a>>,
        /// joined, alias, record, left_out, duplicate.
        fate: Option<Str<'a>>,
        /// The record that it shows.
        record: Target<'a>,
        /// The reason.
        why: Option<Str<'a>>,
    }
}

/// The lines that are not written yet.
pub(super) struct PageLog {
    roots: Vec<String>,
    lines: Vec<u8>,
}

impl PageLog {
    pub(super) fn new(roots: &[String]) -> Self {
        PageLog { roots: roots.to_vec(), lines: Vec::new() }
    }

    pub(super) fn note(&mut self, root: u32, file: &str, url: &str, fate: &str, record: Target<'_>, why: &str) {
        let line = Line {
            root: self.roots.get(root as usize).map(|root| (&**root).into()),
            file: Some(file.into()),
            url: Some(url.into()),
            fate: Some(fate.into()),
            record,
            why: Some(why.into()),
        };
        write_json(&mut self.lines, &line);
        self.lines.push(b'\n');
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.lines)
    }
}

/// A record without an item, as the log names it; `own`: the type and the id that it has.
pub(super) fn page<'a>(own: Option<&'a (String, i64)>, link: Option<&'a str>) -> Target<'a> {
    target(own.map_or("html", |(r#type, _)| r#type), own.map(|(_, id)| *id), link)
}

/// A record, as the log names it.
pub(super) fn target<'a>(r#type: &'a str, id: Option<i64>, link: Option<&'a str>) -> Target<'a> {
    Target { r#type: Some(r#type.into()), id, link: link.map(Into::into) }
}
