//! Elements that the strict parser refused: finds their end, so that the rest of the file can be read, and guesses what
//! they are. All of this takes time proportional to the file, whatever it contains.

use super::brackets::Brackets;
use super::fields::Fields;
use super::item::{Shape, recognise};
use super::strict::{Attempt, attempt};
use super::window::Window;
use crate::ndjson::{Gaps, Walk};
use crate::report::{Error, Place};
use memchr::{memchr, memchr2, memmem};
use std::mem::take;

/// Bytes kept of what cannot be an element.
const RAW: usize = 1 << 20;
/// How far beyond an error its element's end is looked for.
const REACH: usize = 64 << 20;
/// Bytes that shall be there of what may be a good element, so that it does not depend on where a read ended.
const WHOLE: usize = 1 << 20;

/// What cannot be passed on.
pub(crate) struct Broken {
    /// Where the error is, or else where the element begins.
    pub(crate) place: Place,
    /// What is wrong.
    pub(crate) what: String,
    /// Its text, at most its first MiB.
    pub(crate) raw: Vec<u8>,
}

/// Where among a dump's brackets the next element is.
#[derive(Default)]
pub(super) struct State {
    /// Open arrays.
    pub(super) depth: u32,
    /// Within an object of items by their ids.
    pub(super) keyed: bool,
    /// The file ended within an element, and this has been reported.
    pub(super) cut: bool,
    /// How the last good element begins: the others of its array do alike.
    pub(super) last: Vec<u8>,
    /// How far in the file lines outside of arrays were found not to be good, so that none is tried for two broken ones.
    barren: u64,
    /// Bytes looked at to find the ends of broken elements; bounded, so that a hostile file is read in linear time.
    effort: usize,
}

impl State {
    /// Whether the next element is one of several in brackets.
    pub(super) fn is_inside(&self) -> bool {
        self.depth > 0 || self.keyed
    }
}

/// The search for the end of a broken element, which the window begins with.
pub(super) struct Search<'s> {
    pub(super) window: &'s mut Window,
    state: &'s mut State,
}

impl<'s> Search<'s> {
    pub(super) fn new(window: &'s mut Window, state: &'s mut State) -> Self {
        Search { window, state }
    }

    /// The file ends before the element does.
    pub(super) fn unfinished(&mut self) -> Result<Broken, Error> {
        let place = self.window.place(0);
        let all = self.window.rest().len();
        let what = "the file ends within this element".to_owned();
        if self.state.is_inside() {
            let mut raw = Vec::new();
            match self.next_line_of_records(1, all)? {
                Some(line) => self.leave_brackets(&mut raw, line),
                None => return self.lose(place, what),
            }
            return Ok(Broken { place, what, raw });
        }
        let line = self.next_good_line_at_top(0, all)?;
        self.state.cut = line.is_none();
        Ok(self.broken(place, what, line.unwrap_or(all)))
    }

    /// The element is longer than any may be. Its end is where its strings and brackets say, outside of arrays before the next
    /// line that begins as JSON does; what is passed is not held in memory.
    pub(super) fn too_long(&mut self) -> Result<Broken, Error> {
        let (place, mut raw) = (self.window.place(0), Vec::new());
        let what = "the element is longer than --max-record allows".to_owned();
        if !self.state.is_inside() {
            self.skip_to_line_of_json(&mut raw)?;
            self.window.forget();
            return Ok(Broken { place, what, raw });
        }
        let mut brackets = Brackets::default();
        loop {
            let end = brackets.go_on(self.window.rest());
            if let Some(line) = self.next_line_of_records(1, brackets.done)? {
                self.leave_brackets(&mut raw, line);
                break;
            }
            if end.is_some() {
                self.drop_into(&mut raw, brackets.done);
                break;
            }
            // The line feed may be the last byte that has been read.
            self.drop_into(&mut raw, brackets.done.saturating_sub(1));
            brackets.done = brackets.done.min(1);
            if !self.window.more()? {
                self.skip_all(&mut raw)?;
                self.state.cut = true;
                break;
            }
        }
        self.window.forget();
        Ok(Broken { place, what, raw })
    }

    /// The parser refused the element at `offset`, for `what`; its end may be known.
    pub(super) fn refused(&mut self, what: String, offset: usize, end: Option<usize>) -> Result<Broken, Error> {
        let place = self.window.place(offset);
        let end = match end {
            Some(end) => Some(end),
            None => self.measure(offset, &what)?,
        };
        match end {
            Some(length) => Ok(self.broken(place, what, length)),
            None => self.lose(place, what),
        }
    }

    /// The length of an object that the parser refused at `offset`, for `what`; none if its brackets do not tell.
    fn measure(&mut self, offset: usize, what: &str) -> Result<Option<usize>, Error> {
        let at_top = !self.state.is_inside();
        if at_top && self.is_tired() {
            return Ok(None);
        }
        let mut brackets = Brackets::default();
        let length = loop {
            let before = brackets.done;
            let rest = self.window.rest();
            let end = brackets.go_on(&rest[..rest.len().min(offset + REACH)]);
            self.state.effort += brackets.done - before;
            // A line of NDJSON that was cut short does not take the next ones with it.
            if let Some(line) = self.next_good_line_at_top(before, brackets.done)? {
                return Ok(Some(line));
            }
            if end.is_some() {
                break end;
            }
            if brackets.done >= offset + REACH || self.is_tired() || !self.window.more()? {
                break None;
            }
        };
        if at_top {
            return Ok(length);
        }
        let Some(length) = length else { return Ok(None) };
        if !self.is_followed(length)? {
            return Ok(None);
        }
        // After a quote too many or too few strings and the rest have changed places, until the next such error.
        if what.starts_with("expected") || what.starts_with("key must") {
            let (mut from, mut entered) = (1, false);
            while let Some(at) = memchr2(b'{', b'[', &self.window.rest()[from..length]).map(|at| from + at) {
                from = match self.look(at, &mut entered)? {
                    Look::Begins => return Ok(Some(at)),
                    Look::Past(to) => to.min(length),
                    Look::Unfinished => at + 1,
                };
            }
        }
        Ok(Some(length))
    }

    /// Whether what follows the first `length` bytes follows an element: the next one, or the end of the brackets.
    fn is_followed(&mut self, length: usize) -> Result<bool, Error> {
        self.window.need(length + 256)?;
        let rest = &self.window.rest()[length..];
        let mut after = (length..).zip(rest).filter(|(_, byte)| !byte.is_ascii_whitespace());
        let (next, then) = (after.next().map(|(_, byte)| *byte), after.next());
        Ok(match (next, then) {
            (None, _) => true,
            (Some(b'}'), _) => self.state.keyed,
            (Some(b']'), None | Some((_, b'[' | b'{'))) => self.state.depth > 0,
            (Some(b']'), Some((_, b',' | b']'))) => self.state.depth > 1,
            (Some(b','), Some(_)) if self.state.keyed => true,
            (Some(b','), Some((at, b'{'))) => matches!(self.look(at, &mut true)?, Look::Begins),
            (Some(b','), _) => true,
            _ => false,
        })
    }

    /// The first line between `from` and `to` that begins with `{` and a good object; within arrays lines say nothing.
    fn next_good_line_at_top(&mut self, from: usize, to: usize) -> Result<Option<usize>, Error> {
        if self.state.is_inside() {
            return Ok(None);
        }
        let tried = usize::try_from(self.state.barren.saturating_sub(self.window.passed())).unwrap_or(usize::MAX);
        let mut from = from.saturating_sub(1).max(tried);
        while from < to
            && let Some(next) = memmem::find(&self.window.rest()[from..to], b"\n{")
        {
            from += next + 1;
            if self.is_good(from)? {
                return Ok(Some(from));
            }
            self.state.barren = self.window.passed() + from as u64;
        }
        Ok(None)
    }

    /// Whether there is a good object at `at`, found without examining too much.
    fn is_good(&mut self, at: usize) -> Result<bool, Error> {
        if self.is_tired() {
            return Ok(false);
        }
        self.window.need(at + WHOLE)?;
        let rest = &self.window.rest()[at..];
        let (effort, good) = match attempt(rest) {
            Attempt::Parsed(length) => (length, true),
            Attempt::Unfinished => (rest.len(), false),
            Attempt::Refused { offset, .. } => (offset, false),
        };
        self.state.effort += effort;
        Ok(good)
    }

    fn is_tired(&self) -> bool {
        self.state.effort > REACH + 16 * usize::try_from(self.window.passed()).unwrap_or(usize::MAX / 32)
    }

    /// An element whose strings and brackets are broken too: the rest goes on at the next good object that begins
    /// as this one does and is followed as an element is, or that is a line of NDJSON.
    fn lose(&mut self, place: Place, what: String) -> Result<Broken, Error> {
        let mut raw: Vec<u8> = Vec::new();
        if !self.state.is_inside() {
            self.skip_to_line_of_json(&mut raw)?;
            return Ok(Broken { place, what, raw });
        }
        let (mut from, mut entered) = (1, false);
        loop {
            let Some(at) = memchr2(b'{', b'[', &self.window.rest()[from..]).map(|at| from + at) else {
                // What was passed is kept but for a few bytes before, which tell whether an element may begin.
                let all = self.window.rest().len();
                let kept = all.saturating_sub(64);
                self.drop_into(&mut raw, kept);
                from = all - kept;
                if self.window.more()? {
                    continue;
                }
                self.skip_all(&mut raw)?;
                self.state.cut = true;
                return Ok(Broken { place, what, raw });
            };
            if self.is_line_of_records(at)? {
                self.leave_brackets(&mut raw, at);
                return Ok(Broken { place, what, raw });
            }
            match self.look(at, &mut entered)? {
                Look::Begins => {
                    self.drop_into(&mut raw, at);
                    return Ok(Broken { place, what, raw });
                }
                Look::Past(to) => from = to,
                Look::Unfinished if self.window.more()? => {}
                Look::Unfinished => from = at + 1,
            }
        }
    }

    /// The first line between `from` and `to` that is a line of NDJSON.
    fn next_line_of_records(&mut self, from: usize, to: usize) -> Result<Option<usize>, Error> {
        let starts: Vec<usize> = memmem::find_iter(&self.window.rest()[from.min(to).saturating_sub(1)..to], b"\n{")
            .map(|at| from + at)
            .collect();
        for at in starts {
            if self.is_line_of_records(at)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Whether the object at `at` is a line of NDJSON: a line begins or the input ends after it. Within an array or an object a
    /// comma or a bracket would follow, so that the brackets before it must be those of a broken line.
    fn is_line_of_records(&mut self, at: usize) -> Result<bool, Error> {
        if at.checked_sub(1).is_none_or(|before| self.window.rest()[before] != b'\n') {
            return Ok(false);
        }
        let mut read = at;
        let end = loop {
            match memchr(b'\n', &self.window.rest()[read..]) {
                Some(end) => break read + end,
                None => read = self.window.rest().len(),
            }
            if read - at > self.window.max_record || self.is_tired() {
                return Ok(false);
            }
            if !self.window.more()? {
                break read;
            }
        };
        self.window.need(end + 2)?;
        self.state.effort += end - at;
        if self.is_tired() || !matches!(self.window.rest().get(end + 1), None | Some(b'{' | b'[')) {
            return Ok(false);
        }
        let line = self.window.rest()[at..end].trim_ascii_end();
        Ok(matches!(attempt(line), Attempt::Parsed(length) if length == line.len()))
    }

    /// Passes what comes before a line of NDJSON at `at`, and forgets the brackets that were open there.
    fn leave_brackets(&mut self, raw: &mut Vec<u8>, at: usize) {
        self.drop_into(raw, at);
        *self.state = State { effort: self.state.effort, last: take(&mut self.state.last), ..State::default() };
    }

    /// What the bracket at `at` is, within the text of a broken element or after it. A value under a key is passed as a whole, and so
    /// is another object that is no element; from then on that one of them is broken, and has been `entered`, only what
    /// begins as the last element did is one.
    fn look(&mut self, at: usize, entered: &mut bool) -> Result<Look, Error> {
        let rest = self.window.rest();
        let mut before = rest[at.saturating_sub(64)..at].iter().rev().filter(|b| !b.is_ascii_whitespace());
        let is_list = rest[at] == b'[';
        let first = before.clone().next();
        let under_key = before.find(|b| **b != b'[') == Some(&b':');
        if self.is_tired() || !under_key && (is_list || !matches!(first, Some(b',' | b'['))) {
            return Ok(Look::Past(at + 1));
        }
        self.window.need(at + WHOLE)?;
        let rest = &self.window.rest()[at..];
        let (effort, look) = match attempt(rest) {
            Attempt::Parsed(length)
                if !under_key && self.is_element(&rest[..length], *entered) && is_end(&rest[length..]) =>
            {
                (length, Look::Begins)
            }
            Attempt::Parsed(length) => (length, Look::Past(at + length)),
            Attempt::Unfinished if under_key => (rest.len(), Look::Past(at + 1)),
            Attempt::Unfinished => (rest.len(), Look::Unfinished),
            Attempt::Refused { offset, .. } => (offset, Look::Past(at + 1)),
        };
        *entered |= under_key && look == Look::Past(at + 1);
        self.state.effort += effort;
        Ok(look)
    }

    /// Whether a good object is an element like those of its array: it begins with the same keys, or, where that need not be, it is
    /// an item with an address.
    fn is_element(&self, object: &[u8], alike: bool) -> bool {
        let (own, mut wanted) = (first_keys(object), first_keys(&self.state.last));
        if wanted.is_empty() {
            wanted = first_keys(self.window.rest());
        }
        if !wanted.is_empty() && !own.is_empty() && own.iter().zip(&wanted).all(|(own, wanted)| own == wanted) {
            return true;
        }
        let fields = Fields::read(object, &mut Gaps::default()).ok().map(|(fields, _)| fields);
        let shape = fields.as_ref().map(|fields| recognise(fields, object));
        matches!(shape, Some(Shape::Item(item)) if item.self_link.is_some() || item.link.is_some())
            && !alike
            && self.state.last.is_empty()
    }

    /// Passes `length` bytes and keeps them in `raw`, as far as they fit.
    fn drop_into(&mut self, raw: &mut Vec<u8>, length: usize) {
        let bytes = &self.window.rest()[..length];
        let kept = length.min(RAW - raw.len().min(RAW));
        raw.extend_from_slice(&bytes[..kept]);
        self.window.skip(length);
    }

    fn broken(&mut self, place: Place, what: String, length: usize) -> Broken {
        let raw = self.window.rest()[..length.min(RAW)].to_vec();
        self.window.skip(length);
        Broken { place, what, raw }
    }

    /// Something that is not an object: another value of an array, or not JSON at all.
    pub(super) fn other(&mut self) -> Result<Broken, Error> {
        let place = self.window.place(0);
        self.window.need(1024)?;
        if self.state.is_inside() {
            loop {
                match attempt(self.window.rest()) {
                    Attempt::Parsed(length) if length <= self.window.max_record => {
                        return Ok(self.broken(place, "not an object".to_owned(), length));
                    }
                    Attempt::Parsed(_) => return self.too_long(),
                    Attempt::Unfinished if self.window.is_full() => return self.too_long(),
                    Attempt::Unfinished if self.window.more()? => {}
                    _ => return self.lose(place, "not JSON".to_owned()),
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
        Ok(Broken { place, what, raw })
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

/// What a bracket within or after a broken element is.
#[derive(PartialEq)]
enum Look {
    /// An element begins.
    Begins,
    /// None does before this place.
    Past(usize),
    /// Its end has not been read.
    Unfinished,
}

/// The first keys of an object, as far as it can be read.
fn first_keys(object: &[u8]) -> Vec<&[u8]> {
    let (mut walk, mut keys) = (Walk::new(object), Vec::new());
    if walk.open(b'{').is_some() {
        while keys.len() < 4
            && let Some(Some(key)) = walk.key()
        {
            keys.push(key);
            if walk.value().is_none() {
                break;
            }
        }
    }
    keys
}

/// Whether an element may end before this.
fn is_end(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start().first(), None | Some(b',' | b']'))
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
        "not JSON"
    };
    what.to_owned()
}
