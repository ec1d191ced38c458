//! Cuts a dump into its elements: arrays of any size, also indented or nested, single objects, concatenated values,
//! NDJSON, and objects that map ids to items. What an element means is for its caller.
//!
//! Each element is parsed once, strictly; where it ends is known from that. Only what the parser refuses is measured
//! by its strings and brackets, so that the rest of the file goes on.

use super::structure::Walk;
use super::window::Window;
use crate::ndjson::Source;
use crate::report::{Error, Place};
use memchr::memmem;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Arrays within arrays that are looked into (`jq -s . page*.json` makes two).
const DEPTH: u32 = 16;
/// Bytes kept of what cannot be an element.
const RAW: usize = 1 << 20;
/// How far beyond an error its element's end is looked for.
const REACH: usize = 64 << 20;

/// The elements of one source, in order.
pub struct Splitter {
    window: Window,
    /// Open arrays.
    depth: u32,
    /// Within an object of items by their ids.
    keyed: bool,
    number: u64,
    /// Length of the element that was given out last.
    spent: usize,
    passed: u64,
    /// Bytes looked at to find the ends of broken elements; bounded, so that a hostile file is read in linear time.
    effort: usize,
    /// The file ended within an element, and this has been said.
    cut: bool,
}

/// One element.
pub enum Element<T> {
    /// A complete object; [`Splitter::bytes`] has its text.
    Object(T),
    /// What cannot be passed on.
    Broken {
        /// Where the error is, or else where the element begins.
        place: Place,
        /// What is wrong.
        what: String,
        /// Its text, at most its first MiB.
        raw: Vec<u8>,
    },
}

/// What became of an attempt to parse.
enum Attempt<T> {
    Parsed(T, usize),
    Unfinished,
    Refused { what: String, offset: usize, end: Option<usize> },
}

impl Splitter {
    /// The elements of `source`, decompressed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(source: &mut Source) -> Result<Self, Error> {
        let window = Window::open(source)?;
        Ok(Splitter { window, depth: 0, keyed: false, number: 0, spent: 0, passed: 0, effort: 0, cut: false })
    }

    /// Whether the first byte that is no white space begins an object or an array.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn looks_like_json(&mut self) -> Result<bool, Error> {
        self.skip_blank()?;
        Ok(matches!(self.window.peek()?, Some(b'{' | b'[')))
    }

    /// Whether there is nothing but white space.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn is_blank(&mut self) -> Result<bool, Error> {
        self.skip_blank()?;
        Ok(self.window.peek()?.is_none())
    }

    /// The next element; none at the end.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<Element<T>>, Error> {
        let spent = std::mem::take(&mut self.spent);
        self.skip(spent);
        loop {
            self.skip_blank()?;
            let Some(byte) = self.window.peek()? else { return Ok(self.end()) };
            let inside = self.depth > 0 || self.keyed;
            match byte {
                b',' if inside => self.skip(1),
                b'[' if self.depth < DEPTH && !self.keyed => {
                    self.depth += 1;
                    self.skip(1);
                }
                b']' if self.depth > 0 => {
                    self.depth -= 1;
                    self.skip(1);
                }
                b'}' if self.keyed => {
                    self.keyed = false;
                    self.skip(1);
                }
                b'{' if !inside && self.opens_items_by_id()? => {
                    self.keyed = true;
                    self.skip(1);
                }
                b'"' if self.keyed => match self.id_key()? {
                    Some(length) => self.skip(length),
                    None => return self.other().map(Some),
                },
                b'{' => return self.object().map(Some),
                _ => return self.other().map(Some),
            }
        }
    }

    /// The text of the object that was given out last.
    pub fn bytes(&self) -> &[u8] {
        &self.window.rest()[..self.spent]
    }

    /// Where that object begins.
    pub fn place(&mut self) -> Place {
        self.window.place(0)
    }

    /// Its number in the source, from 1; broken ones count.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes that have been read and passed.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    fn skip(&mut self, n: usize) {
        self.passed += n as u64;
        self.window.skip(n);
    }

    fn skip_blank(&mut self) -> Result<(), Error> {
        while self.window.peek()?.is_some() {
            let rest = self.window.rest();
            let blank = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
            if blank == 0 {
                break;
            }
            self.skip(blank);
        }
        Ok(())
    }

    /// An array that is never closed has lost its end.
    fn end<T>(&mut self) -> Option<Element<T>> {
        if (self.depth == 0 && !self.keyed) || std::mem::replace(&mut self.cut, true) {
            return None;
        }
        self.number += 1;
        let what = "the file ends within an array: its end is missing".to_owned();
        Some(Element::Broken { place: self.window.place(0), what, raw: Vec::new() })
    }

    /// `{"12":{` begins an object of items by their ids, as PHP writes an array with gaps.
    fn opens_items_by_id(&mut self) -> Result<bool, Error> {
        self.window.need(256)?;
        let rest = &self.window.rest()[1..];
        let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        Ok(id_key(&rest[blank..]).is_some_and(|length| rest[blank + length..].first() == Some(&b'{')))
    }

    fn id_key(&mut self) -> Result<Option<usize>, Error> {
        self.window.need(256)?;
        Ok(id_key(self.window.rest()))
    }

    fn object<T: DeserializeOwned>(&mut self) -> Result<Element<T>, Error> {
        self.number += 1;
        loop {
            match attempt(self.window.rest()) {
                Attempt::Parsed(value, length) => {
                    self.spent = length;
                    return Ok(Element::Object(value));
                }
                Attempt::Unfinished => {
                    if !self.window.more()? {
                        let place = self.window.place(0);
                        let all = self.window.rest().len();
                        let line = (self.depth == 0 && !self.keyed).then(|| self.next_good_line(0, all)).flatten();
                        self.cut = line.is_none();
                        return Ok(self.broken(
                            place,
                            "the file ends within this element".to_owned(),
                            line.unwrap_or(all),
                        ));
                    }
                }
                Attempt::Refused { what, offset, end } => {
                    let place = self.window.place(offset);
                    let length = match end {
                        Some(end) => Some(end),
                        None => self.measure(offset, &what)?,
                    };
                    return match length {
                        Some(length) => Ok(self.broken(place, what, length)),
                        None => self.lose(place, what),
                    };
                }
            }
        }
    }

    /// The length of an object that the parser refused at `offset`, for `what`; none if its brackets do not tell.
    fn measure(&mut self, offset: usize, what: &str) -> Result<Option<usize>, Error> {
        let at_top = self.depth == 0 && !self.keyed;
        let mut walk = Walk::default();
        let length = loop {
            let before = walk.done;
            let end = walk.go_on(self.window.rest());
            self.effort += walk.done - before;
            // A line of NDJSON that was cut short does not take the next ones with it.
            if let Some(line) = at_top.then(|| self.next_good_line(before, walk.done)).flatten() {
                return Ok(Some(line));
            }
            if end.is_some() {
                break end;
            }
            if walk.done > offset + REACH || self.is_tired() || !self.window.more()? {
                break None;
            }
        };
        if at_top {
            return Ok(length);
        }
        let Some(length) = length else { return Ok(None) };
        self.window.need(length + 256)?;
        let next = self.window.rest()[length..].iter().find(|b| !b.is_ascii_whitespace());
        let plausible = match next {
            None | Some(b',') => true,
            Some(b']') => self.depth > 0,
            Some(b'}') => self.keyed,
            Some(_) => false,
        };
        // After a quote too many or too few strings and the rest have changed places, until the next such error.
        let may_be_shifted = what.starts_with("expected") || what.starts_with("key must");
        if plausible && may_be_shifted {
            let head = first_key(self.window.rest());
            let starts: Vec<usize> = memmem::find_iter(&self.window.rest()[..length], &head).skip(1).collect();
            let alone = starts.into_iter().find(|&at| self.stands_alone(at).is_some_and(|alone| alone));
            return Ok(alone.or(Some(length)));
        }
        Ok(plausible.then_some(length))
    }

    /// The first line between `from` and `to` that begins with `{` and a good object.
    fn next_good_line(&mut self, from: usize, to: usize) -> Option<usize> {
        let text = &self.window.rest()[from.saturating_sub(1)..to];
        let starts: Vec<usize> = memmem::find_iter(text, b"\n{").map(|at| from.saturating_sub(1) + at + 1).collect();
        starts.into_iter().find(|&at| self.is_good(at).is_some())
    }

    /// The length of the good object at `at`, if there is one and it has been read to its end.
    fn is_good(&mut self, at: usize) -> Option<usize> {
        if self.is_tired() {
            return None;
        }
        let rest = &self.window.rest()[at..];
        let (effort, good) = match attempt::<IgnoredAny>(rest) {
            Attempt::Parsed(_, length) => (length, Some(length)),
            Attempt::Unfinished => (rest.len(), None),
            Attempt::Refused { offset, .. } => (offset, None),
        };
        self.effort += effort;
        good
    }

    fn is_tired(&self) -> bool {
        self.effort > REACH + 16 * usize::try_from(self.passed).unwrap_or(usize::MAX / 32)
    }

    /// An element whose strings and brackets are broken too: the rest goes on at the next good object that begins
    /// as this one does and is followed as an element is.
    fn lose<T>(&mut self, place: Place, what: String) -> Result<Element<T>, Error> {
        let mut raw: Vec<u8> = Vec::new();
        if self.depth == 0 && !self.keyed {
            self.skip_to_line_of_json(&mut raw)?;
            return Ok(Element::Broken { place, what, raw });
        }
        let head = first_key(self.window.rest());
        let mut from = 1;
        loop {
            let Some(at) = memmem::find(&self.window.rest()[from..], &head).map(|at| from + at) else {
                // What was passed is kept but for one byte before, which tells whether an element may begin.
                let all = self.window.rest().len();
                let kept = all.saturating_sub(head.len() + 64).max(from.saturating_sub(64)).min(all);
                self.drop_into(&mut raw, kept);
                from = from.saturating_sub(kept);
                if self.window.more()? {
                    continue;
                }
                self.skip_all(&mut raw)?;
                self.cut = true;
                return Ok(Element::Broken { place, what, raw });
            };
            match self.stands_alone(at) {
                Some(true) => {
                    self.drop_into(&mut raw, at);
                    return Ok(Element::Broken { place, what, raw });
                }
                None if self.window.more()? => {}
                _ => from = at + 1,
            }
        }
    }

    /// Whether a good element begins at `at`: it follows a comma or a bracket, and one of them follows it. None if its
    /// end has not been read.
    fn stands_alone(&mut self, at: usize) -> Option<bool> {
        let before = self.window.rest()[..at].iter().rev().find(|b| !b.is_ascii_whitespace());
        if !matches!(before, Some(b',' | b'[')) || self.is_tired() {
            return Some(false);
        }
        let rest = &self.window.rest()[at..];
        let (effort, alone) = match attempt::<IgnoredAny>(rest) {
            Attempt::Unfinished => (rest.len(), None),
            Attempt::Refused { offset, .. } => (offset, Some(false)),
            Attempt::Parsed(_, length) => {
                let mut after = rest[length..].iter().filter(|b| !b.is_ascii_whitespace());
                let alone = match after.next() {
                    None => true,
                    Some(b',') => after.next() == Some(&b'{'),
                    Some(b']') => after.next().is_none(),
                    Some(_) => false,
                };
                (length, Some(alone))
            }
        };
        self.effort += effort;
        alone
    }

    /// Passes `length` bytes and keeps them in `raw`, as far as they fit.
    fn drop_into(&mut self, raw: &mut Vec<u8>, length: usize) {
        let bytes = &self.window.rest()[..length];
        let kept = length.min(RAW - raw.len().min(RAW));
        raw.extend_from_slice(&bytes[..kept]);
        self.skip(length);
    }

    fn broken<T>(&mut self, place: Place, what: String, length: usize) -> Element<T> {
        let raw = self.window.rest()[..length.min(RAW)].to_vec();
        self.skip(length);
        Element::Broken { place, what, raw }
    }

    /// Something that is no object: another value of an array, or no JSON at all.
    fn other<T>(&mut self) -> Result<Element<T>, Error> {
        self.number += 1;
        let place = self.window.place(0);
        self.window.need(1024)?;
        if self.depth > 0 || self.keyed {
            loop {
                match attempt::<IgnoredAny>(self.window.rest()) {
                    Attempt::Parsed(_, length) => {
                        return Ok(self.broken(place, "no object but another value".to_owned(), length));
                    }
                    Attempt::Unfinished if self.window.more()? => {}
                    _ => return self.lose(place, "no JSON".to_owned()),
                }
            }
        }
        let what = describe_junk(self.window.rest());
        let mut raw = Vec::new();
        if what.starts_with("HTML") {
            // Scripts in it have lines that look like JSON.
            self.skip_all(&mut raw)?;
        } else {
            self.skip_to_line_of_json(&mut raw)?;
        }
        Ok(Element::Broken { place, what, raw })
    }

    fn skip_to_line_of_json(&mut self, raw: &mut Vec<u8>) -> Result<(), Error> {
        loop {
            if let Some(at) = next_line_of_json(self.window.rest()) {
                self.drop_into(raw, at);
                return Ok(());
            }
            // The line feed may be the last byte that has been read.
            let kept = self.window.rest().len().saturating_sub(1);
            self.drop_into(raw, kept);
            if !self.window.more()? {
                return self.skip_all(raw);
            }
        }
    }

    fn skip_all(&mut self, raw: &mut Vec<u8>) -> Result<(), Error> {
        while self.window.peek()?.is_some() {
            let length = self.window.rest().len();
            self.drop_into(raw, length);
        }
        Ok(())
    }
}

/// Parses the value at the start of `text`.
fn attempt<T: DeserializeOwned>(text: &[u8]) -> Attempt<T> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<T>();
    match values.next() {
        None => Attempt::Unfinished,
        Some(Ok(value)) => {
            let end = values.byte_offset();
            match std::str::from_utf8(&text[..end]) {
                Ok(_) => Attempt::Parsed(value, end),
                Err(e) => {
                    Attempt::Refused { what: "invalid UTF-8".to_owned(), offset: e.valid_up_to(), end: Some(end) }
                }
            }
        }
        Some(Err(e)) if e.is_eof() => Attempt::Unfinished,
        Some(Err(e)) => {
            let words = e.to_string();
            let what = words.rfind(" at line ").map_or(words.as_str(), |at| &words[..at]).to_owned();
            Attempt::Refused { what, offset: offset_of(text, e.line(), e.column()), end: None }
        }
    }
}

/// The offset of a line and column (from 1).
fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => memchr::memchr_iter(b'\n', text).nth(line - 2).map_or(0, |at| at + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}

/// The length of `"12":` with the white space around its colon.
fn id_key(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"\"")?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest[digits..].strip_prefix(b"\"").filter(|_| digits > 0)?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    Some(text.len() - rest.len())
}

/// `{"id"`: the start of an object with its first key, or only the bracket.
fn first_key(object: &[u8]) -> Vec<u8> {
    if !object.starts_with(b"{") {
        return b"{".to_vec();
    }
    let blank = object[1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let key = &object[1 + blank..];
    let length = match key.first() {
        Some(b'"') => memchr::memchr(b'"', &key[1..]).filter(|&n| n < 64).map_or(0, |n| n + 2),
        _ => 0,
    };
    object[..1 + if length == 0 { 0 } else { blank + length }].to_vec()
}

fn next_line_of_json(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', text).find(|&at| matches!(text.get(at + 1), Some(b'{' | b'['))).map(|at| at + 1)
}

fn describe_junk(text: &[u8]) -> String {
    let start = &text[..text.len().min(1024)];
    let lower = start.to_ascii_lowercase();
    let what = if [&b"<!doctype html"[..], b"<html", b"<head", b"<?xml"].iter().any(|tag| lower.starts_with(tag)) {
        "HTML, not JSON"
    } else if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        "UTF-16, not UTF-8"
    } else {
        "no JSON"
    };
    what.to_owned()
}
