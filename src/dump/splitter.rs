//! Splits a dump into its elements: arrays of any size, also indented or nested, single objects, concatenated values, NDJSON, and
//! objects that map ids to items. The caller interprets the elements.
//!
//! Each element is parsed once and strictly, which also finds its end. Only an element that the parser rejects is measured by its
//! strings and brackets, so that the rest of the file can be read.

use super::event::Text;
use super::fields::Fields;
use super::search::{Broken, Search, State};
use super::strict::{Attempt, attempt};
use super::window::Window;
use crate::ndjson::{Gaps, Refused, Source};
use crate::report::{Error, Place};
use std::io;

/// The depth to which nested arrays are searched for elements (`jq -s . page*.json` nests two).
const DEPTH: u32 = 16;
/// The number of bytes that are read ahead before an element is parsed. Otherwise the last element of each window would be read twice: with
/// elements of 20 KB, 4 % of all.
const AHEAD: usize = 32 * 1024;

/// The number of bytes that are kept of a good element, to recognise others by the same keys.
const START: usize = 512;

/// The number of bytes within which the messages of PHP must end and the first element after them must be complete.
const PREFIX: usize = 1 << 20;
/// The most brackets that are tried within these bytes.
const BRACKETS: usize = 100;

/// The elements of one source, in order.
pub(crate) struct Splitter {
    window: Window,
    state: State,
    number: u64,
    /// The length of the element that was returned last.
    spent: usize,
    gaps: Gaps,
    /// The offset and length of an object that need not be parsed.
    known: Option<(u64, usize)>,
    /// Whether [`Element::Awaited`] was returned last.
    waits: bool,
}

pub(crate) enum Element {
    /// A complete object; [`Splitter::text`] returns its text.
    Object(Fields),
    /// A complete object that [`Splitter::expect`] announced.
    Known,
    /// The next bytes of the source have not arrived yet.
    Awaited,
    Broken(Broken),
    /// More of the text of a broken element.
    More(Vec<u8>),
}

impl Splitter {
    /// Opens `source`, decompressed, to split it into its elements; `memory` is reused, see [`Splitter::into_memory`]. An element of
    /// more than `max_record` bytes is broken. An error in reading the source ends it, and [`Splitter::fault`] returns the error.
    ///
    /// # Errors
    /// If nothing can be read from it.
    pub(crate) fn open(source: &mut Source, memory: Vec<u8>, max_record: usize) -> Result<Self, Error> {
        Window::open(source, memory, max_record).map(Splitter::new)
    }

    /// Whether the source cannot be read further.
    pub(crate) fn is_at_fault(&self) -> bool {
        self.window.fault.is_some()
    }

    /// Why the source cannot be read further.
    pub(crate) fn fault(&mut self) -> Option<io::Error> {
        self.window.fault.take()
    }

    fn new(window: Window) -> Self {
        let (state, gaps) = (State::default(), Gaps::default());
        Splitter { window, state, number: 0, spent: 0, gaps, known: None, waits: false }
    }

    /// Returns the memory, for the next source.
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.window.into_memory()
    }

    /// Announces the offset and length of an object that need not be parsed.
    pub(crate) fn expect(&mut self, known: Option<(u64, usize)>) {
        self.known = known;
    }

    /// Whether the first byte after white space begins an object or an array.
    pub(crate) fn looks_like_json(&mut self) -> Result<bool, Error> {
        self.window.skip_blank()?;
        Ok(matches!(self.window.peek()?, Some(b'{' | b'[')))
    }

    /// Whether the text after the next bracket can be JSON: style sheets may begin with `[data-x]`.
    pub(crate) fn begins_as_json(&mut self) -> Result<bool, Error> {
        self.window.need(AHEAD)?;
        let rest = self.window.rest();
        let inside = rest.get(1..).unwrap_or_default().trim_ascii_start();
        let is_word = || [&b"true"[..], b"false", b"null"].iter().any(|word| inside.starts_with(word));
        Ok(match (rest.first(), inside.first()) {
            (_, None) => true,
            (Some(b'{'), Some(next)) => matches!(next, b'"' | b'}'),
            (_, Some(next)) => matches!(next, b'{' | b'[' | b']' | b'"' | b'-' | b'0'..=b'9') || is_word(),
        })
    }

    /// Whether there is nothing but white space.
    pub(crate) fn is_blank(&mut self) -> Result<bool, Error> {
        self.window.skip_blank()?;
        Ok(self.window.peek()?.is_none())
    }

    /// The first bytes.
    pub(crate) fn start(&mut self) -> Result<&[u8], Error> {
        self.window.need(AHEAD)?;
        Ok(self.window.rest())
    }

    /// Skips messages of PHP before the JSON. They end at the first bracket from which an element can be parsed; if there is none, or
    /// if the source is a page of HTML, nothing is skipped. Returns the place where the messages begin, and their first line.
    pub(crate) fn skip_prefix(&mut self) -> Result<Option<(Place, String)>, Error> {
        self.window.need(PREFIX)?;
        let rest = self.window.rest();
        let begins_with = |word: &[u8]| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if [&b"<!doctype"[..], b"<html", b"<?xml", b"<head", b"<body"].iter().any(|word| begins_with(word)) {
            return Ok(None);
        }
        let brackets = memchr::memchr2_iter(b'[', b'{', &rest[..rest.len().min(PREFIX / 2)]).take(BRACKETS);
        let Some(at) = brackets.into_iter().find(|&at| begins_element(&rest[at..])) else { return Ok(None) };
        let first = rest[..at].split(|&b| b == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
        let first = String::from_utf8_lossy(first.unwrap_or_default()).chars().take(100).collect();
        let place = self.window.place(0);
        self.window.skip(at);
        Ok(Some((place, first)))
    }

    /// The next element; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Element>, Error> {
        let spent = std::mem::take(&mut self.spent);
        self.window.skip(spent);
        if let Some(how) = self.state.passing.take() {
            let piece = Search::new(&mut self.window, &mut self.state).piece(how)?;
            return Ok(Some(Element::More(piece)));
        }
        let waited = std::mem::take(&mut self.waits);
        loop {
            if !waited && self.window.rest().trim_ascii_start().is_empty() && self.window.is_dry() {
                return Ok(Some(self.wait()));
            }
            self.window.skip_blank()?;
            let Some(byte) = self.window.peek()? else { return Ok(self.end()) };
            let inside = self.state.is_inside();
            match byte {
                b',' if inside => {}
                // A superfluous bracket has closed the array, or the opening one is missing.
                b',' if self.number > 0 && self.is_before_object()? => return self.reopen().map(Some),
                b'[' if self.state.depth < DEPTH && !self.state.keyed => self.state.depth += 1,
                b']' if self.state.depth > 0 => self.state.depth -= 1,
                b'}' if self.state.keyed => self.state.keyed = false,
                b'{' if !inside && self.opens_items_by_id()? => self.state.keyed = true,
                b'{' => return self.object(waited).map(Some),
                b'"' if self.state.keyed => match self.id_key()? {
                    Some(length) => {
                        self.window.skip(length);
                        continue;
                    }
                    None => return self.other().map(Some),
                },
                _ => return self.other().map(Some),
            }
            self.window.skip(1);
        }
    }

    fn is_before_object(&mut self) -> Result<bool, Error> {
        self.window.need(256)?;
        Ok(self.window.rest()[1..].trim_ascii_start().starts_with(b"{"))
    }

    /// Reopens an array that was closed too early.
    fn reopen(&mut self) -> Result<Element, Error> {
        self.number += 1;
        self.state.depth = 1;
        let (place, what) = (self.place(), "the array has ended before this element".to_owned());
        self.window.skip(1);
        Ok(Element::Broken(Broken { place, what, raw: b",".to_vec() }))
    }

    fn wait(&mut self) -> Element {
        self.waits = true;
        Element::Awaited
    }

    /// The text of the object that was returned last.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.window.rest()[..self.spent]
    }

    /// That text, together with the white space between its tokens.
    pub(crate) fn text(&self) -> Text<'_> {
        Text { bytes: self.bytes(), gaps: &self.gaps }
    }

    /// The white space between its tokens.
    pub(crate) fn gaps(&mut self) -> &mut Gaps {
        &mut self.gaps
    }

    pub(crate) fn place(&mut self) -> Place {
        self.window.place(0)
    }

    /// The number of the element in the source, from 1; broken ones count.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Bytes that have been read and consumed.
    pub(crate) fn passed(&self) -> u64 {
        self.window.passed()
    }

    /// Ends the source; an array that was never closed is truncated.
    fn end(&mut self) -> Option<Element> {
        if !self.state.is_inside() || self.window.fault.is_some() || std::mem::replace(&mut self.state.cut, true) {
            return None;
        }
        self.number += 1;
        let what = "the file ends within an array: its end is missing".to_owned();
        Some(Element::Broken(Broken { place: self.place(), what, raw: Vec::new() }))
    }

    /// Whether an object that maps ids to items begins here, `{"12":{`: PHP writes arrays with gaps in this way.
    fn opens_items_by_id(&mut self) -> Result<bool, Error> {
        self.need_key()?;
        let rest = &self.window.rest()[1..];
        let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        Ok(id_key(&rest[blank..]).is_some_and(|length| rest[blank + length..].first() == Some(&b'{')))
    }

    fn id_key(&mut self) -> Result<Option<usize>, Error> {
        self.need_key()?;
        Ok(id_key(self.window.rest()))
    }

    /// Reads as much as is needed to decide whether a key is an id.
    fn need_key(&mut self) -> Result<(), Error> {
        let of_key = |b: &u8| b.is_ascii_digit() || b.is_ascii_whitespace() || matches!(b, b'"' | b':');
        while self.window.rest().len() < 256 && self.window.rest().iter().skip(1).all(of_key) && self.window.more()? {}
        Ok(())
    }

    /// Handles a value that is not an object.
    fn other(&mut self) -> Result<Element, Error> {
        self.number += 1;
        Search::new(&mut self.window, &mut self.state).other().map(Element::Broken)
    }

    /// Reads an object. `waited`: whether its bytes had to be waited for.
    fn object(&mut self, waited: bool) -> Result<Element, Error> {
        self.number += 1;
        if let Some((_, length)) = self.known.take_if(|(at, _)| *at == self.window.passed()) {
            return self.known_object(length);
        }
        self.window.want(AHEAD)?;
        loop {
            let rest = self.window.rest();
            let attempt = match Fields::read(rest, &mut self.gaps) {
                Ok((_, length)) if length > self.window.max_record => {
                    return Search::new(&mut self.window, &mut self.state).too_long().map(Element::Broken);
                }
                Ok((fields, length)) => {
                    self.spend(length);
                    return Ok(Element::Object(fields));
                }
                Err(Refused::Unfinished) => Attempt::Unfinished,
                Err(Refused::Odd) => attempt(rest),
            };
            if !waited && matches!(attempt, Attempt::Unfinished) && self.window.is_dry() {
                self.number -= 1;
                return Ok(self.wait());
            }
            let mut search = Search::new(&mut self.window, &mut self.state);
            let (what, offset, end) = match attempt {
                Attempt::Unfinished if search.window.is_full() => return search.too_long().map(Element::Broken),
                Attempt::Unfinished if search.window.more()? => continue,
                Attempt::Unfinished => return search.unfinished().map(Element::Broken),
                Attempt::Refused { what, offset, end } => (what, offset, end),
                // Not reached: both parsers accept the same grammar.
                Attempt::Parsed(end) => ("not JSON".to_owned(), 0, Some(end)),
            };
            return search.refused(what, offset, end).map(Element::Broken);
        }
    }

    fn known_object(&mut self, length: usize) -> Result<Element, Error> {
        self.window.need(length)?;
        let text = self.window.rest().get(..length);
        if text.is_none_or(|text| !text.ends_with(b"}")) {
            return Err(has_changed(self.window.name()));
        }
        self.spend(length);
        Ok(Element::Known)
    }

    /// Returns a good object of `length` bytes. Its start is kept even if it was not parsed, because the search after damage compares
    /// it with others, in the second reading as in the first.
    fn spend(&mut self, length: usize) {
        self.spent = length;
        // `{}` may be a result of damage.
        if length > "{}".len() {
            self.state.last.clear();
            self.state.last.extend_from_slice(&self.window.rest()[..length.min(START)]);
        }
    }
}

/// The error for a source that was different when it was read again.
pub(super) fn has_changed(name: &str) -> Error {
    Error::Fatal(format!("{name}: has changed while it was read"))
}

/// Whether an object can be parsed at the start of `text`, or the first one of an array, which may also be empty.
fn begins_element(text: &[u8]) -> bool {
    let element = text.strip_prefix(b"[").map_or(text, <[u8]>::trim_ascii_start);
    match element.first() {
        Some(b'{') => Fields::read(element, &mut Gaps::default()).is_ok(),
        // Inside messages, an array must not be empty; a whole response may be `[]`, if the site has no such items.
        Some(b']') => element[1..].trim_ascii().is_empty(),
        _ => false,
    }
}

/// The length of `"12":` with the white space around its colon.
fn id_key(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"\"")?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest[digits..].strip_prefix(b"\"").filter(|_| digits > 0)?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    Some(text.len() - rest.len())
}
