//! Defines the events by which the readers of a dump report to wp-index what they find.

use super::item::{Answer, Item};
use crate::ndjson::Gaps;
use crate::report::Place;
use crate::wxr::Dynamic;
use std::sync::Arc;

/// Something found in a dump.
pub(crate) enum Event<'a> {
    Item {
        item: Item,
        text: Text<'a>,
        /// The file it is in, as the user typed it.
        file: &'a Arc<str>,
        /// The number of the item in that file, from 1.
        number: u64,
    },
    /// A response of the API that contains no items, with its JSON.
    Passed(Answer, &'a [u8]),
    /// The front page of the site of the following items, which an export states.
    Home(&'a str),
    /// A part of an export that was not selected, with the name of its count.
    LeftOut(&'static str),
    /// Blocks of an export that only the site itself can render to text.
    Dynamic(&'a Dynamic),
    /// An element that cannot become a record.
    Broken {
        place: Place,
        what: String,
        /// The first MiB of its text, as one line.
        raw: &'a [u8],
    },
    /// The next MiB of the text of a broken element.
    Continued(&'a [u8]),
    /// Text before the JSON of a source that was skipped: messages of PHP.
    Prefix {
        place: Place,
        /// Its first line.
        what: String,
    },
    /// An item of an export in which characters were replaced, as the text says.
    Charset(Place, String),
    /// A file in a directory that is not JSON, with its format if that is known.
    SkippedFile(&'a str, Option<&'static str>),
    /// The number of bytes read since the last such event.
    Progress(u64),
    /// The next bytes of the source have not arrived: earlier records should be written now.
    Awaited,
}

#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) gaps: &'a Gaps,
}

impl Text<'_> {
    /// A text without white space between its tokens; `gaps` is empty.
    pub(crate) fn compact<'a>(bytes: &'a [u8], gaps: &'a Gaps) -> Text<'a> {
        Text { bytes, gaps }
    }

    /// Appends the text without the white space between its tokens.
    pub(crate) fn append_compact(&self, out: &mut Vec<u8>) {
        self.gaps.append_without(out, self.bytes);
    }
}
