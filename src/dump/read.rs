//! Reads a whole dump and reports its elements in order. The caller decides what to do with them.

use super::broken::Broken;
use super::event::Event;
use super::findings::{Findings, Found};
use super::item::{Shape, recognise};
use super::sources::{Opened, Sources};
use super::splitter::{Element, Splitter, has_changed};
use crate::ndjson::Source;
use crate::report::{Error, Place};
use std::sync::Arc;

/// Bytes read between two [`Event::Progress`].
const STEP: u64 = 1 << 20;

/// Calls `visit` for all that is in `sources`.
///
/// # Errors
/// When a source cannot be read, and whatever `visit` returns.
pub(crate) fn read(sources: &mut Sources, visit: impl FnMut(Event<'_>) -> Result<(), Error>) -> Result<(), Error> {
    Reading { visit, noted: None, known: None }.read(sources)
}

/// As [`read`]; what was found is noted for [`read_again`].
///
/// # Errors
/// As [`read`], and when it does not fit into `TMPDIR`.
pub(crate) fn read_noting(
    sources: &mut Sources,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    Reading { visit, noted: Some(&mut findings), known: None }.read(sources)?;
    findings.turn()?;
    Ok(findings)
}

/// As [`read`], of sources from which the findings are: their items are not parsed again.
///
/// # Errors
/// As [`read`], and when a source has changed since.
pub(crate) fn read_again(
    sources: &mut Sources,
    mut findings: Findings,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = findings.next()?;
    Reading { visit, noted: None, known: Some((findings, next)) }.read(sources)
}

/// Forwards what is read to the visitor, and notes it or has it noted.
struct Reading<'f, V> {
    visit: V,
    noted: Option<&'f mut Findings>,
    /// What is known from the first reading, and where its next item is.
    known: Option<(Findings, Option<Found>)>,
}

impl<V: FnMut(Event<'_>) -> Result<(), Error>> Reading<'_, V> {
    fn read(&mut self, sources: &mut Sources) -> Result<(), Error> {
        let mut memory = Vec::new();
        let max_record = sources.max_record;
        for index in 0..sources.len() {
            let splitter = match sources.get(index)? {
                Opened::Named(source) => {
                    let is_file = matches!(source, Source::File { .. });
                    let name = source.name().clone();
                    let mut splitter = Splitter::open(source, memory, max_record)?;
                    // An empty pipe is no input; an empty file is a download that failed.
                    if is_file && splitter.is_blank()? {
                        let what = "an empty file".to_owned();
                        (self.visit)(Event::Broken { place: Place::file(&name), what, raw: b"" })?;
                    }
                    self.read_elements(index, &name, &mut splitter)?;
                    splitter
                }
                Opened::Found(mut source) => {
                    let name = source.name().clone();
                    let mut splitter = Splitter::open(&mut source, memory, max_record)?;
                    if splitter.looks_like_json()? {
                        self.read_elements(index, &name, &mut splitter)?;
                    } else {
                        (self.visit)(Event::SkippedFile(&name))?;
                    }
                    splitter
                }
            };
            memory = splitter.into_memory();
        }
        Ok(())
    }

    fn read_elements(&mut self, source: usize, file: &Arc<str>, splitter: &mut Splitter) -> Result<(), Error> {
        let mut told = 0;
        loop {
            let known = self.known.as_ref().and_then(|(_, next)| *next).filter(|next| next.source == source);
            splitter.expect(known.map(|next| (next.at, next.length)));
            let Some(element) = splitter.next()? else {
                (self.visit)(Event::Progress(splitter.passed() - told))?;
                return if known.is_some() { Err(has_changed(file)) } else { Ok(()) };
            };
            self.tell(source, file, splitter, element)?;
            if splitter.passed() >= told + STEP {
                (self.visit)(Event::Progress(splitter.passed() - told))?;
                told = splitter.passed();
            }
        }
    }

    /// Tells of an element.
    fn tell(&mut self, source: usize, file: &Arc<str>, splitter: &mut Splitter, element: Element) -> Result<(), Error> {
        let shape = match element {
            Element::Awaited => return (self.visit)(Event::Awaited),
            Element::Object(fields) => recognise(&fields, splitter.bytes()),
            Element::Known => {
                let (findings, next) = self.known.as_mut().expect("it is known from them");
                let item = findings.item(splitter.gaps())?;
                *next = findings.next()?;
                Shape::Item(item)
            }
            Element::Broken(Broken { place, what, mut raw }) => {
                // One line a reject: a line feed is either between tokens, or itself the error.
                raw.iter_mut().filter(|b| matches!(b, b'\n' | b'\r')).for_each(|b| *b = b' ');
                return (self.visit)(Event::Broken { place, what, raw: &raw });
            }
        };
        match shape {
            Shape::Item(item) => {
                let (text, number) = (splitter.text(), splitter.number());
                if let Some(noted) = &mut self.noted {
                    noted.note(source, splitter.passed(), &item, &text)?;
                }
                (self.visit)(Event::Item { item, text, file, number })
            }
            Shape::Passed(answer) => (self.visit)(Event::Passed(answer, splitter.bytes())),
            Shape::Refused(what) => {
                let place = splitter.place();
                let mut line = Vec::new();
                splitter.text().append_compact(&mut line);
                (self.visit)(Event::Broken { place, what, raw: &line })
            }
        }
    }
}
