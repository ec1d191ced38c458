//! Reads a whole dump and reports its elements in order. The caller decides what to do with them.

use super::findings::Findings;
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
    /// The source has no more at once: what came before must not wait for it.
    Awaited,
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

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn gaps(&self) -> &'a Gaps {
        self.gaps
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
pub fn read(sources: &mut Sources, visit: impl FnMut(Event<'_>) -> Result<(), Error>) -> Result<(), Error> {
    read_sources(sources, &mut Reading { visit, findings: None })
}

/// As [`read`]; what was found is noted for [`super::read_again`].
///
/// # Errors
/// As [`read`], and when it does not fit into `TMPDIR`.
pub fn read_noting(
    sources: &mut Sources,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    read_sources(sources, &mut Reading { visit, findings: Some(&mut findings) })?;
    Ok(findings)
}

/// Forwards events to the visitor and, on the first pass, to the notes.
struct Reading<'f, V> {
    visit: V,
    findings: Option<&'f mut Findings>,
}

impl<V: FnMut(Event<'_>) -> Result<(), Error>> Reading<'_, V> {
    /// Tells of an event whose text, if it has one, begins at `at` of its source.
    fn tell(&mut self, event: Event<'_>, at: u64) -> Result<(), Error> {
        if let Some(findings) = &mut self.findings {
            findings.note(&event, at)?;
        }
        (self.visit)(event)
    }
}

fn read_sources<V: FnMut(Event<'_>) -> Result<(), Error>>(
    sources: &mut Sources,
    reading: &mut Reading<V>,
) -> Result<(), Error> {
    for index in 0..sources.len() {
        let passed = match sources.get(index)? {
            Opened::Named(source) => {
                let is_file = matches!(source, Source::File { .. });
                let name = source.name().clone();
                let mut splitter = Splitter::open(source)?;
                // An empty pipe is not an input; an empty file is a failed download.
                if is_file && splitter.is_blank()? {
                    let what = "an empty file".to_owned();
                    reading.tell(Event::Broken { place: Place::file(&name), what, raw: b"" }, 0)?;
                }
                read_elements(&name, splitter, reading)?
            }
            Opened::Found(mut source) => {
                let name = source.name().clone();
                let mut splitter = Splitter::open(&mut source)?;
                if splitter.looks_like_json()? {
                    read_elements(&name, splitter, reading)?
                } else {
                    reading.tell(Event::SkippedFile(&name), 0)?;
                    0
                }
            }
        };
        if let Some(findings) = &mut reading.findings {
            findings.end_source(passed)?;
        }
    }
    Ok(())
}

/// Reads all elements of a file: how many bytes it has.
fn read_elements<V: FnMut(Event<'_>) -> Result<(), Error>>(
    file: &Arc<str>,
    mut splitter: Splitter,
    reading: &mut Reading<V>,
) -> Result<u64, Error> {
    let mut told = 0;
    let mut line = Vec::new();
    while let Some(element) = splitter.next()? {
        let at = splitter.passed();
        match element {
            Element::Awaited => (reading.visit)(Event::Awaited)?,
            Element::Broken { place, what, mut raw } => {
                // One line a reject: a line feed is either between tokens, or itself the error.
                raw.iter_mut().filter(|b| matches!(b, b'\n' | b'\r')).for_each(|b| *b = b' ');
                reading.tell(Event::Broken { place, what, raw: &raw }, at)?;
            }
            Element::Object(fields) => match recognise(&fields, splitter.bytes()) {
                Shape::Item(item) => {
                    let number = splitter.number();
                    reading.tell(Event::Item { item, text: splitter.text(), file, number }, at)?;
                }
                Shape::Passed(answer) => reading.tell(Event::Passed(answer, splitter.bytes()), at)?,
                Shape::Refused(what) => {
                    let place = splitter.place();
                    line.clear();
                    splitter.text().append_compact(&mut line);
                    reading.tell(Event::Broken { place, what, raw: &line }, at)?;
                }
            },
        }
        if splitter.passed() >= told + STEP {
            reading.tell(Event::Progress(splitter.passed() - told), at)?;
            told = splitter.passed();
        }
    }
    reading.tell(Event::Progress(splitter.passed() - told), 0)?;
    Ok(splitter.passed())
}
