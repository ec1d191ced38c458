//! Reads a whole dump and reports its elements in order. The caller decides what to do with them.

use super::archived::Age;
use super::doubts::Doubts;
use super::event::{Event, Text};
use super::findings::{Findings, Found};
use super::held::Held;
use super::item::{Answer, Item, Shape, recognise};
use super::namespace::{is_of_other_namespace, is_route};
use super::passing::PIECE;
use super::search::Broken;
use super::short::Short;
use super::sources::{Opened, Sources};
use super::splitter::{Element, Splitter, has_changed};
use crate::ndjson::{Gaps, Source};
use crate::report::{Error, Place, describe_io};
use std::io;
use std::sync::Arc;

/// Bytes read between two [`Event::Progress`].
const STEP: u64 = 1 << 20;

/// Calls `visit` for all that is in `sources`.
pub(crate) fn read(sources: &mut Sources, visit: impl FnMut(Event<'_>) -> Result<(), Error>) -> Result<(), Error> {
    Reading::new(visit).read(sources)
}

/// As [`read`]; what was found is noted for [`read_again`].
pub(crate) fn read_noting(
    sources: &mut Sources,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    Reading { noted: Some(&mut findings), ..Reading::new(visit) }.read(sources)?;
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
    Reading { known: Some((findings, next)), ..Reading::new(visit) }.read(sources)
}

/// As [`read`], of the exports alone.
pub(crate) fn read_exports(
    sources: &mut Sources,
    visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    Reading { noted: Some(&mut Findings::default()), ..Reading::new(visit) }.read_exports(sources)
}

/// Forwards what is read to the visitor, and notes it or has it noted.
pub(super) struct Reading<'f, V> {
    pub(super) visit: V,
    noted: Option<&'f mut Findings>,
    /// What is known from the first reading, and where its next item is.
    known: Option<(Findings, Option<Found>)>,
    /// How old the source is, if it is of an archive.
    age: Option<Age>,
    doubts: Doubts,
    short: Short,
    /// The source need not hold items: what is none is passed.
    is_lenient: bool,
    /// It is of a namespace of the API that is not WordPress' own.
    is_of_plugin: bool,
}

impl<V: FnMut(Event<'_>) -> Result<(), Error>> Reading<'_, V> {
    fn new(visit: V) -> Self {
        let (doubts, short) = (Doubts::default(), Short::default());
        Reading { visit, noted: None, known: None, age: None, doubts, short, is_lenient: false, is_of_plugin: false }
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
        // Of two readings the second is digested, in which nothing is waited for.
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
                Opened::Found(mut source) => {
                    let name = source.name().clone();
                    self.is_of_plugin = is_of_other_namespace(&name);
                    self.is_lenient = self.is_of_plugin || sources.is_mirror && !is_route(&name);
                    let mut splitter = match Splitter::open_leniently(&mut source, memory, max_record) {
                        Ok(splitter) => splitter,
                        Err(error) => {
                            memory = Vec::new();
                            self.pass_unreadable(&name, false, describe(&error))?;
                            continue;
                        }
                    };
                    self.read_found(index, &name, &mut splitter)?;
                    if let Some(what) = splitter.fault() {
                        is_whole = false;
                        self.pass_unreadable(&name, splitter.number() > 0, what)?;
                    }
                    (self.is_lenient, self.is_of_plugin) = (false, false);
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

    /// Reads the exports, after all else: what they say completes other items.
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

    /// Tells of an item, unless it waits: it is short, or one of its identity waits that does not yield to it.
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

    /// Tells of the items of a file that were doubtful until its end.
    fn tell_settled(&mut self) -> Result<(), Error> {
        let (mut bytes, gaps) = (Vec::new(), Gaps::default());
        self.doubts.end_file().into_iter().try_for_each(|held| {
            let (item, text, file, number) = held.parts(&mut bytes, &gaps);
            self.tell_item(item, text, &file, number)
        })
    }

    /// Tells of items that have waited.
    fn tell_held(&mut self, held: impl IntoIterator<Item = Held>) -> Result<(), Error> {
        let (mut bytes, gaps) = (Vec::new(), Gaps::default());
        held.into_iter().try_for_each(|held| {
            let (item, text, file, number) = held.parts(&mut bytes, &gaps);
            (self.visit)(Event::Item { item, text, file: &file, number })
        })
    }

    /// Tells of a file of a directory that cannot be read, or not to its end.
    pub(super) fn pass_unreadable(&mut self, name: &Arc<str>, has_elements: bool, what: String) -> Result<(), Error> {
        match has_elements || is_named_json(name) {
            true => (self.visit)(Event::Broken { place: Place::file(name), what, raw: b"" }),
            false => (self.visit)(Event::SkippedFile(name, None)),
        }
    }

    /// Reads a file that a folder has beside others: a dump if it looks like one.
    fn read_found(&mut self, source: usize, name: &Arc<str>, splitter: &mut Splitter) -> Result<(), Error> {
        if splitter.looks_like_json()? && (is_named_json(name) || splitter.begins_as_json()?) {
            self.read_elements(source, name, splitter)
        } else if splitter.is_at_fault() {
            // What there is of it says nothing.
            Ok(())
        } else if is_named_json(name) && !self.is_lenient {
            self.read_named(source, name, splitter, true)
        } else {
            (self.visit)(Event::SkippedFile(name, other_format(splitter.start()?)))
        }
    }

    /// Reads a source that must contain items, by the word of the user or of its name.
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
        if is_file && splitter.is_blank()? {
            return broken("an empty file");
        }
        // What comes down a pipe is looked at when it is there.
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

    /// Tells the rest of what is broken.
    fn go_on(&mut self, raw: &[u8]) -> Result<(), Error> {
        raw.chunks(PIECE).try_for_each(|raw| (self.visit)(Event::Continued(raw)))
    }

    fn tell(&mut self, source: usize, file: &Arc<str>, splitter: &mut Splitter, element: Element) -> Result<(), Error> {
        let shape = match element {
            Element::Awaited => return (self.visit)(Event::Awaited),
            // What a plugin calls an id, a title, a status is not WordPress' item of that id.
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

/// Reads a feed once more, for its digest.
fn pass_feed(sources: &mut Sources, index: usize) -> Result<(), Error> {
    let pass = |source: &mut Source| {
        let name = source.name().clone();
        io::copy(&mut source.reader()?, &mut io::sink()).map_err(|e| Error::io(&*name, e))
    };
    match sources.get(index, true)? {
        Opened::Named(source, _) => pass(source).map(|_| ())?,
        Opened::Found(mut source) => pass(&mut source).map(|_| ())?,
        Opened::Broken(..) | Opened::Unreadable(..) => {}
    }
    sources.note_digest(true);
    Ok(())
}

/// A line feed is either between tokens, or itself the error.
fn in_one_line(raw: &mut [u8]) {
    raw.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

/// What is wrong with a file, without its name.
fn describe(error: &Error) -> String {
    match error {
        Error::Io { source, .. } => describe_io(source),
        error => error.to_string(),
    }
}

/// Whether a file must be JSON by its name.
fn is_named_json(name: &str) -> bool {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    [".json", ".ndjson", ".jsonl"].iter().any(|ending| name.ends_with(ending))
}

/// What people take for a dump, by its first bytes, and what to do about it.
fn other_format(start: &[u8]) -> Option<&'static str> {
    match start {
        _ if start.starts_with(b"PK\x03\x04") => Some("a zip archive: unpack it first"),
        // https://www.gnu.org/software/tar/manual/html_node/Standard.html
        _ if start.get(257..262) == Some(b"ustar") => Some("a tar archive: unpack it first"),
        _ => None,
    }
}
