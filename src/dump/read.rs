//! Reads a whole dump and says what is in it, element by element, in order.
//! What becomes of the elements is for its caller.

use super::item::{Answer, Item, Shape, recognise};
use super::sources::{Opened, Sources};
use super::splitter::{Element, Splitter};
use crate::ndjson::{Gaps, Source};
use crate::report::{Error, Place};
use std::sync::Arc;

/// Bytes read between two [`Event::Progress`].
const STEP: u64 = 1 << 20;

/// Something met in a dump.
pub enum Event<'a> {
    /// A record.
    Item {
        /// What it is.
        item: Item,
        /// Its JSON.
        text: Text<'a>,
        /// The file it is in, as the user typed it.
        file: &'a Arc<str>,
        /// Its number in that file, from 1.
        number: u64,
    },
    /// Another answer of the API, with its JSON.
    Passed(Answer, &'a [u8]),
    /// What cannot be a record.
    Broken {
        /// Where.
        place: Place,
        /// Why not.
        what: String,
        /// Its text, as one line.
        raw: &'a [u8],
    },
    /// A file of a directory that holds no JSON.
    SkippedFile(&'a str),
    /// So many more bytes are read.
    Progress(u64),
}

/// The JSON of an item.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    bytes: &'a [u8],
    gaps: &'a Gaps,
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8], gaps: &'a Gaps) -> Self {
        Text { bytes, gaps }
    }

    /// Appends it without the white space between its tokens.
    pub fn append_compact(&self, out: &mut Vec<u8>) {
        self.gaps.append_without(out, self.bytes);
    }
}

/// Calls `visit` for all that is in `sources`.
///
/// # Errors
/// When a source cannot be read, and whatever `visit` returns.
pub fn read(sources: &mut Sources, mut visit: impl FnMut(Event<'_>) -> Result<(), Error>) -> Result<(), Error> {
    for index in 0..sources.len() {
        match sources.get(index)? {
            Opened::Named(source) => {
                let is_file = matches!(source, Source::File { .. });
                let name = source.name().clone();
                let mut splitter = Splitter::open(source)?;
                // An empty pipe is no input; an empty file is a download that failed.
                if is_file && splitter.is_blank()? {
                    visit(Event::Broken { place: Place::file(&name), what: "an empty file".to_owned(), raw: b"" })?;
                }
                read_elements(&name, splitter, &mut visit)?;
            }
            Opened::Found(mut source) => {
                let name = source.name().clone();
                let mut splitter = Splitter::open(&mut source)?;
                if splitter.looks_like_json()? {
                    read_elements(&name, splitter, &mut visit)?;
                } else {
                    visit(Event::SkippedFile(&name))?;
                }
            }
        }
    }
    Ok(())
}

fn read_elements(
    file: &Arc<str>,
    mut splitter: Splitter,
    visit: &mut impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut told = 0;
    let mut line = Vec::new();
    while let Some(element) = splitter.next()? {
        match element {
            Element::Broken { place, what, mut raw } => {
                // One line a reject: a line feed is either between tokens, or itself the error.
                raw.iter_mut().filter(|b| matches!(b, b'\n' | b'\r')).for_each(|b| *b = b' ');
                visit(Event::Broken { place, what, raw: &raw })?;
            }
            Element::Object(fields) => match recognise(&fields, splitter.bytes()) {
                Shape::Item(item) => {
                    visit(Event::Item { item, text: splitter.text(), file, number: splitter.number() })?;
                }
                Shape::Passed(answer) => visit(Event::Passed(answer, splitter.bytes()))?,
                Shape::Refused(what) => {
                    let place = splitter.place();
                    line.clear();
                    splitter.text().append_compact(&mut line);
                    visit(Event::Broken { place, what, raw: &line })?;
                }
            },
        }
        if splitter.passed() >= told + STEP {
            visit(Event::Progress(splitter.passed() - told))?;
            told = splitter.passed();
        }
    }
    visit(Event::Progress(splitter.passed() - told))
}
