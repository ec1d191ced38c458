//! Events: what the readers of a dump report to wp-index.

use super::item::{Answer, Item};
use crate::ndjson::Gaps;
use crate::report::Place;
use crate::wxr::Dynamic;
use std::sync::Arc;

/// Something met in a dump.
pub(crate) enum Event<'a> {
    Item {
        item: Item,
        text: Text<'a>,
        /// The file it is in, as the user typed it.
        file: &'a Arc<str>,
        /// Its number in that file, from 1.
        number: u64,
    },
    /// Another answer of the API, with its JSON.
    Passed(Answer, &'a [u8]),
    /// The front page of the site of an export.
    Home(&'a str),
    /// What an export holds and is not wanted: under which count.
    LeftOut(&'static str),
    /// Blocks of an export whose text only its site can make.
    Dynamic(&'a Dynamic),
    /// What cannot be a record.
    Broken {
        place: Place,
        what: String,
        /// Its text, as one line; the first MiB of it.
        raw: &'a [u8],
    },
    /// The next MiB of that text.
    Continued(&'a [u8]),
    /// Something before the JSON of a source that has been passed over: what PHP has to say.
    Prefix {
        place: Place,
        /// Its first line.
        what: String,
    },
    /// A file of a directory that does not hold JSON, and what it is where that is known.
    SkippedFile(&'a str, Option<&'static str>),
    /// So many more bytes are read.
    Progress(u64),
    /// The source has no more at once: what came before shall not wait for it.
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

    /// Appends it without the white space between its tokens.
    pub(crate) fn append_compact(&self, out: &mut Vec<u8>) {
        self.gaps.append_without(out, self.bytes);
    }
}
