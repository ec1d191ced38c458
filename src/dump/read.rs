//! Reads a whole dump and reports its elements in order. The caller decides what to do with them.

use super::archived::Age;
use super::doubts::Doubts;
use super::event::{Event, Text};
use super::findings::{Findings, ItemPlace};
use super::held::Held;
use super::item::{Answer, Item, Shape, recognise};
use super::namespace::{is_of_other_namespace, is_route};
use super::passing::PIECE;
use super::search::Broken;
use super::short::Short;
use super::sources::{Opened, Sources, is_tar, is_zip};
use super::splitter::{Element, Splitter, has_changed};
use crate::ndjson::{Gaps, Source};
use crate::report::{Error, Place, describe_io, is_of_system};
use crate::wordpress::of_rest_base;
use std::io;
use std::sync::Arc;

/// The number of bytes that are read between two [`Event::Progress`].
const STEP: u64 = 1 << 20;

/// Reads `sources` and calls `visit` for everything found in them.
pub(crate) fn read(sources: &mut Sources, visit: impl FnMut(Event<'_>) -> Result<(), Error>) -> Result<(), Error> {
    DumpReader::new(visit).read(sources)
}

/// Like [`read`], and returns the findings for [`read_again`].
pub(crate) fn read_noting(
    sources: &mut Sources,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    DumpReader { noted: Some(&mut findings), ..DumpReader::new(visit) }.read(sources)?;
    findings.turn()?;
    Ok(findings)
}

/// Like [`read`], for the sources that `findings` came from: their items are not parsed again.
///
/// # Errors
/// Those of [`read`], and if a source has changed since.
pub(crate) fn read_again(
    sources: &mut Sources,
    mut findings: Findings,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = findings.next()?;
    DumpReader { known: Some((findings, next)), ..DumpReader::new(visit) }.read(sources)
}

/// Like [`read`], for the exports only.
pub(crate) fn read_exports(
    sources: &mut Sources,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    DumpReader { noted: Some(&mut Findings::default()), ..DumpReader::new(visit) }.read_exports(sources)
}

/// Passes items and other events to the visitor, after holding back doubtful and short items.
pub(super) struct DumpReader<'f, V> {
    pub(super) visit: V,
    noted: Option<&'f mut Findings>,
    /// The findings of the first reading, and the place of its next item.
    known: Option<(Findings, Option<ItemPlace>)>,
    /// The age of the source, if it is from an archive.
    age: Option<Age>,
    doubts: Doubts,
    short: Short,
    /// Whether the source need not contain items: other elements are then skipped.
    is_lenient: bool,
    /// Whether the source belongs to a namespace of a plugin.
    is_of_plugin: bool,
}

impl<V: FnMut(Event<'_>) -> Result<(), Error>> DumpReader<'_, V> {
    fn new(visit: V) -> Self {
        let (doubts, short) = (Doubts::default(), Short::default());
        DumpReader { visit, noted: None, known: None, age: None, doubts, short, is_lenient: false, is_of_plugin: false }
    }

    fn read(&mut self, sources: &mut Sources) -> Result<(), Error> {
        let mut memory = Vec::new();
        let max_record = sources.max_record;
        for _ in 0..sources.left_out {
            (self.visit)(Event::Passed(Answer::Archived, b""))?;
        }
        for (address, what) in &sources.faults {
            (self.visit)(Event::Broken { place: Place::file(address), what: what.clone(), raw: b"" })?;
        }
        // If there are two readings, digests are computed in the second, which never waits for data.
        let is_last = self.noted.is_none();
        for index in 0..sources.len() {
            self.age = sources.age(index);
            if sources.is_feed(index) {
                if is_last && sources.are_digested() {
                    pass_feed(sources, index)?;
                }
                continue;
            }
            if sources.export(index).is_some() {
                continue;
            }
            let mut is_whole = true;
            let splitter = match sources.get(index, is_last)? {
                Opened::Named(source, is_file) => {
                    let name = source.name().clone();
                    let mut splitter = Splitter::open(source, memory, max_record)?;
                    self.read_named(index, &name, &mut splitter, is_file)?;
                    if let Some(fault) = splitter.fault() {
                        if is_of_system(&fault) {
                            return Err(Error::io(&*name, fault));
                        }
                        is_whole = false;
                        (self.visit)(Event::Broken { place: Place::file(&name), what: describe_io(&fault), raw: b"" })?;
                    }
                    splitter
                }
                Opened::Broken(name, what) => {
                    (self.visit)(Event::Broken { place: Place::file(&name), what, raw: b"" })?;
                    continue;
                }
                Opened::Unreadable(name, error) => {
                    self.pass_unreadable(&name, false, describe(&error))?;
                    continue;
                }
                Opened::Found(source) => {
                    let Some((splitter, whole)) =
                        self.read_file(index, source, sources.is_mirror, (memory, max_record))?
                    else {
                        memory = Vec::new();
                        continue;
                    };
                    is_whole = whole;
                    splitter
                }
            };
            sources.note_digest(is_whole && splitter.number() > 0);
            memory = splitter.into_memory();
            self.tell_settled()?;
        }
        let rest = self.short.end().into_iter().chain(self.doubts.end());
        self.tell_held(rest)?;
        self.read_exports(sources)
    }

    /// Reads a file that was found below a folder, and tells whether it is whole; `None` if it cannot be opened.
    fn read_file(
        &mut self,
        index: usize,
        mut source: Source,
        is_mirror: bool,
        (memory, max_record): (Vec<u8>, usize),
    ) -> Result<Option<(Splitter, bool)>, Error> {
        let name = source.name().clone();
        self.is_of_plugin = is_of_other_namespace(&name);
        self.is_lenient = self.is_of_plugin || is_mirror && !is_route(&name) && !is_named_as_dump(&name);
        let mut splitter = match Splitter::open(&mut source, memory, max_record) {
            Ok(splitter) => splitter,
            Err(error) => return self.pass_unreadable(&name, false, describe(&error)).map(|()| None),
        };
        self.read_found(index, &name, &mut splitter)?;
        let fault = splitter.fault();
        let is_whole = fault.is_none();
        if let Some(fault) = fault {
            self.pass_unreadable(&name, splitter.number() > 0, describe_io(&fault))?;
        }
        (self.is_lenient, self.is_of_plugin) = (false, false);
        Ok(Some((splitter, is_whole)))
    }

    /// Reads the exports after everything else: they complete other items.
    fn read_exports(&mut self, sources: &mut Sources) -> Result<(), Error> {
        let (most, is_last) = (sources.max_record, self.noted.is_none());
        for index in 0..sources.len() {
            if let Some(site) = sources.export(index) {
                let is_whole = self.read_export(&site, sources.get(index, is_last)?, most)?;
                sources.note_digest(is_whole);
            }
        }
        Ok(())
    }

    /// Reports an item, unless it has to be held back: because it is short, or because a held item with the same identity does not yield to
    /// it.
    fn tell_item(&mut self, item: Item, text: Text<'_>, file: &Arc<str>, number: u64) -> Result<(), Error> {
        let is_second = self.short.has(&item);
        let yielding = if is_second { self.short.yielding(&item, &text, file, number) } else { None };
        let waits = match (&yielding, item.is_short) {
            (Some(_), true) => yielding,
            (None, is_short) if is_short || is_second => Some(Held::new(item, &text, file, number)),
            _ => {
                (self.visit)(Event::Item { item, text, file, number })?;
                return self.tell_held(yielding);
            }
        };
        let gone: Vec<Held> = waits.into_iter().flat_map(|held| self.short.hold(held)).collect();
        self.tell_held(gone)
    }

    /// Reports the items of a file that were doubtful until its end.
    fn tell_settled(&mut self) -> Result<(), Error> {
        let (mut bytes, gaps) = (Vec::new(), Gaps::default());
        self.doubts.end_file().into_iter().try_for_each(|held| {
            let (item, text, file, number) = held.parts(&mut bytes, &gaps);
            self.tell_item(item, text, &file, number)
        })
    }

    /// Reports items that were held back.
    fn tell_held(&mut self, held: impl IntoIterator<Item = Held>) -> Result<(), Error> {
        let (mut bytes, gaps) = (Vec::new(), Gaps::default());
        held.into_iter().try_for_each(|held| {
            let (item, text, file, number) = held.parts(&mut bytes, &gaps);
            (self.visit)(Event::Item { item, text, file: &file, number })
        })
    }

    /// Reports a file of a directory that cannot be read, or not to its end.
    pub(super) fn pass_unreadable(&mut self, name: &Arc<str>, has_elements: bool, what: String) -> Result<(), Error> {
        match has_elements || is_named_json(name) {
            true => (self.visit)(Event::Broken { place: Place::file(name), what, raw: b"" }),
            false => (self.visit)(Event::SkippedFile(name, None)),
        }
    }

    /// Reads a file that was found in a directory: as a dump if it looks like one.
    fn read_found(&mut self, source: usize, name: &Arc<str>, splitter: &mut Splitter) -> Result<(), Error> {
        if splitter.looks_like_json()? && (is_named_json(name) || splitter.begins_as_json()?) {
            self.read_elements(source, name, splitter)
        } else if splitter.is_at_fault() {
            // The part that could be read does not show what the file is.
            Ok(())
        } else if is_named_json(name) && !self.is_lenient {
            self.read_named(source, name, splitter, true)
        } else {
            (self.visit)(Event::SkippedFile(name, other_format(splitter.start()?)))
        }
    }

    /// Reads a source that must contain items, because the user named it or because of its file name.
    fn read_named(
        &mut self,
        source: usize,
        name: &Arc<str>,
        splitter: &mut Splitter,
        is_file: bool,
    ) -> Result<(), Error> {
        let mut broken =
            |what: &str| (self.visit)(Event::Broken { place: Place::file(name), what: what.to_owned(), raw: b"" });
        // An empty pipe is missing input; an empty file is a failed download.
        if is_file && splitter.is_blank()? && !splitter.is_at_fault() {
            return broken("an empty file");
        }
        // Input from a pipe is examined when it arrives.
        if is_file && !splitter.looks_like_json()? {
            if let Some(what) = other_format(splitter.start()?) {
                return broken(what);
            }
            if let Some((place, what)) = splitter.skip_prefix()? {
                (self.visit)(Event::Prefix { place, what })?;
            }
        }
        self.read_elements(source, name, splitter)
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

    /// Reports the rest of a broken element.
    fn go_on(&mut self, raw: &[u8]) -> Result<(), Error> {
        raw.chunks(PIECE).try_for_each(|raw| (self.visit)(Event::Continued(raw)))
    }

    fn tell(&mut self, source: usize, file: &Arc<str>, splitter: &mut Splitter, element: Element) -> Result<(), Error> {
        let shape = match element {
            Element::Awaited => return (self.visit)(Event::Awaited),
            // An object of a plugin may have an id, a title and a status without being an item of WordPress.
            Element::Object(fields) if self.is_of_plugin && !fields.state_type() => Shape::Passed(Answer::Other),
            Element::Object(fields) => recognise(&fields, splitter.bytes()),
            Element::Known => {
                let (findings, next) = self.known.as_mut().expect("it is known from them");
                let item = findings.item(splitter.gaps())?;
                *next = findings.next()?;
                Shape::Item(item)
            }
            Element::Broken(_) if self.is_lenient => return (self.visit)(Event::Passed(Answer::Other, b"")),
            Element::More(_) if self.is_lenient => return Ok(()),
            Element::Broken(Broken { place, what, mut raw }) => {
                self.doubts.is_damaged = true;
                in_one_line(&mut raw);
                let (first, more) = raw.split_at(raw.len().min(PIECE));
                (self.visit)(Event::Broken { place, what, raw: first })?;
                return self.go_on(more);
            }
            Element::More(mut raw) => {
                in_one_line(&mut raw);
                return self.go_on(&raw);
            }
        };
        match shape {
            Shape::Item(item) if self.age.as_ref().is_some_and(|age| age.is_outdated(&item)) => {
                (self.visit)(Event::Passed(Answer::Archived, b""))
            }
            Shape::Item(item) => {
                let (text, number) = (splitter.text(), splitter.number());
                if let Some(noted) = &mut self.noted {
                    noted.note(source, splitter.passed(), &item, &text)?;
                }
                if self.doubts.has(&item, splitter.bytes()) {
                    self.doubts.hold(item, &text, file, number);
                    return Ok(());
                }
                self.tell_item(item, text, file, number)
            }
            Shape::Passed(answer) => (self.visit)(Event::Passed(answer, splitter.bytes())),
            Shape::Refused(_) if self.is_lenient => (self.visit)(Event::Passed(Answer::Other, b"")),
            Shape::Refused(what) => {
                let place = splitter.place();
                let mut line = Vec::new();
                splitter.text().append_compact(&mut line);
                (self.visit)(Event::Broken { place, what, raw: &line })
            }
        }
    }
}

/// Reads a feed again, to compute its digest.
fn pass_feed(sources: &mut Sources, index: usize) -> Result<(), Error> {
    let pass = |source: &mut Source| {
        let name = source.name().clone();
        match io::copy(&mut source.reader()?, &mut io::sink()) {
            Err(error) if is_of_system(&error) => Err(Error::io(&*name, error)),
            // Its damage has been reported with its entries.
            passed => Ok(passed.is_ok()),
        }
    };
    let is_whole = match sources.get(index, true)? {
        Opened::Named(source, _) => pass(source)?,
        Opened::Found(mut source) => pass(&mut source)?,
        Opened::Broken(..) | Opened::Unreadable(..) => true,
    };
    sources.note_digest(is_whole);
    Ok(())
}

/// Replaces line feeds, which either separate tokens or are themselves the error.
fn in_one_line(raw: &mut [u8]) {
    raw.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

/// The error of a file, without its name.
fn describe(error: &Error) -> String {
    match error {
        Error::Io { source, .. } => describe_io(source),
        error => error.to_string(),
    }
}

/// Whether the name of a file says that it is JSON.
fn is_named_json(name: &str) -> bool {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    [".json", ".ndjson", ".jsonl"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file is named after what the API lists: `posts.json`, `media-0001.json`.
fn is_named_as_dump(name: &str) -> bool {
    let name = &name[name.rfind(['/', '\\']).map_or(0, |at| at + 1)..];
    let base = name.split('.').next().unwrap_or_default().trim_end_matches(|c: char| !c.is_alphabetic());
    is_named_json(name) && of_rest_base(base).is_some()
}

/// Recognises, by the first bytes, formats that users mistake for a dump; returns what to do about each.
fn other_format(start: &[u8]) -> Option<&'static str> {
    match start {
        _ if is_zip(start) => Some("a zip archive: unpack it first"),
        _ if is_tar(start) => Some("a tar archive: unpack it first"),
        _ => None,
    }
}
