//! Finds the end of elements that the strict parser rejected, so that the rest of the file can be read, and identifies
//! common mistakes such as HTML. The time is proportional to the size of the file, whatever it contains.

use super::brackets::Brackets;
use super::search::{Broken, Look, Passing, REACH, Search};
use super::strict::{Attempt, attempt};
use crate::ndjson::is_of_another_kind;
use crate::report::Error;
use memchr::{memchr2, memmem};

/// The end of the message on a truncated file.
const AND_MORE: &str = ": what followed is lost, and not counted";

impl Search<'_> {
    /// Handles an element that is not complete when the file ends.
    pub(super) fn unfinished(&mut self) -> Result<Broken, Error> {
        let place = self.window.place(0);
        let all = self.window.rest().len();
        let what = "the file ends within this element".to_owned();
        if self.state.is_inside() {
            let mut raw = Vec::new();
            match self.next_line_of_records(all)? {
                Some(line) => self.leave_brackets(&mut raw, line),
                None => return self.lose(place, what + AND_MORE),
            }
            return Ok(Broken { place, what, raw });
        }
        let line = self.next_good_line_at_top(0, all)?;
        self.state.cut = line.is_none();
        let what = if self.state.cut { what + AND_MORE } else { what };
        Ok(self.broken(place, what, line.unwrap_or(all)))
    }

    /// Handles an element that the parser rejected at `offset` with the message `what`; its end may be known.
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

    /// The length of an object that the parser rejected at `offset` with the message `what`; `None` if its brackets do
    /// not show where it ends.
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
            // If a line of NDJSON was truncated, the following lines are not lost with it.
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
        // A superfluous or missing quote inverts strings and the text between them, up to the next such error.
        if is_of_another_kind(what) {
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

    /// Whether the text after the first `length` bytes can follow an element: another element, or closing brackets.
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

    /// Handles a value that is not an object: another value in an array, or text that is not JSON.
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
        // Scripts in HTML contain lines that look like JSON.
        let to = if ["HTML", "XML"].iter().any(|name| what.starts_with(name)) { Passing::End } else { Passing::Line };
        self.pass(to, place, what)
    }
}

fn describe_junk(text: &[u8]) -> String {
    let start = &text[..text.len().min(1024)];
    let lower = start.to_ascii_lowercase();
    let begins = |tags: &[&[u8]]| tags.iter().any(|tag| lower.starts_with(tag));
    let what = if begins(&[b"<?xml"]) && memmem::find(&lower, b"<html").is_none() {
        "XML, not JSON"
    } else if begins(&[b"<!doctype html", b"<html", b"<head", b"<?xml"]) {
        "HTML, not JSON"
    } else if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        "UTF-16, not UTF-8"
    } else {
        "not JSON"
    };
    what.to_owned()
}
