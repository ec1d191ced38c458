//! Skips bytes after damage until the next element can begin, and returns all of them as rejects, in pieces, because the skipped
//! part may be larger than memory.

use super::brackets::Brackets;
use super::search::{Broken, Look, Passing, Search};
use crate::report::{Error, Place};
use memchr::{memchr_iter, memchr2};

/// The fewest bytes of a piece, except the last.
pub(super) const PIECE: usize = 1 << 20;

impl Search<'_> {
    /// Skips an element that is longer than `--max-record`. In an array, strings and brackets show where it ends; elsewhere it
    /// ends before the next line that begins like JSON. It is not held in memory.
    pub(super) fn too_long(&mut self) -> Result<Broken, Error> {
        let place = self.window.place(0);
        let how = if self.state.is_inside() { Passing::Close(Brackets::default()) } else { Passing::Line };
        let broken = self.pass(how, place, "the element is longer than --max-record allows".to_owned());
        self.window.forget();
        broken
    }

    /// Skips an element whose strings and brackets are broken too: reading resumes at the next good object that is either a line
    /// of NDJSON, or begins like this element and is followed by what can follow an element.
    pub(super) fn lose(&mut self, place: Place, what: String) -> Result<Broken, Error> {
        let inside = self.state.is_inside();
        self.pass(if inside { Passing::Element { from: 1, entered: false } } else { Passing::Line }, place, what)
    }

    /// Skips text that is not an element.
    pub(super) fn pass(&mut self, how: Passing, place: Place, what: String) -> Result<Broken, Error> {
        Ok(Broken { place, what, raw: self.piece(how)? })
    }

    /// Returns a piece of the skipped text; `state.passing` says how to continue if more follows.
    pub(super) fn piece(&mut self, how: Passing) -> Result<Vec<u8>, Error> {
        let mut raw = Vec::new();
        let rest = match how {
            Passing::Line => self.pass_to_line(&mut raw)?,
            Passing::End => self.pass_to_end(&mut raw)?,
            Passing::Element { from, entered } => self.pass_to_element(from, entered, &mut raw)?,
            Passing::Close(brackets) => self.pass_to_close(brackets, &mut raw)?,
        };
        self.state.passing = rest;
        Ok(raw)
    }

    fn pass_to_line(&mut self, raw: &mut Vec<u8>) -> Result<Option<Passing>, Error> {
        loop {
            if let Some(at) = next_line_of_json(self.window.rest()) {
                self.drop_into(raw, at);
                return Ok(None);
            }
            // The last byte that was read may be a line feed.
            let kept = self.window.rest().len().saturating_sub(1);
            self.drop_into(raw, kept);
            if raw.len() >= PIECE {
                return Ok(Some(Passing::Line));
            }
            if !self.window.more()? {
                self.drop_rest(raw);
                return Ok(None);
            }
        }
    }

    fn pass_to_end(&mut self, raw: &mut Vec<u8>) -> Result<Option<Passing>, Error> {
        while self.window.peek()?.is_some() {
            if raw.len() >= PIECE {
                return Ok(Some(Passing::End));
            }
            self.drop_rest(raw);
        }
        Ok(None)
    }

    fn pass_to_element(
        &mut self,
        mut from: usize,
        mut entered: bool,
        raw: &mut Vec<u8>,
    ) -> Result<Option<Passing>, Error> {
        loop {
            let Some(at) = memchr2(b'{', b'[', &self.window.rest()[from..]).map(|at| from + at) else {
                // Keeps a few bytes, which show whether an element may begin after them.
                let all = self.window.rest().len();
                let kept = all.saturating_sub(64);
                self.drop_into(raw, kept);
                from = all - kept;
                if raw.len() >= PIECE {
                    return Ok(Some(Passing::Element { from, entered }));
                }
                if self.window.more()? {
                    continue;
                }
                self.drop_rest(raw);
                self.state.cut = true;
                return Ok(None);
            };
            if self.is_line_of_records(at)? {
                self.leave_brackets(raw, at);
                return Ok(None);
            }
            match self.look(at, &mut entered)? {
                Look::Begins => {
                    self.drop_into(raw, at);
                    return Ok(None);
                }
                Look::Past(to) => from = to,
                Look::Unfinished if self.window.more()? => {}
                Look::Unfinished => from = at + 1,
            }
        }
    }

    fn pass_to_close(&mut self, mut brackets: Brackets, raw: &mut Vec<u8>) -> Result<Option<Passing>, Error> {
        loop {
            let end = brackets.go_on(self.window.rest());
            if let Some(line) = self.next_line_of_records(brackets.done)? {
                self.leave_brackets(raw, line);
                return Ok(None);
            }
            if end.is_some() {
                self.drop_into(raw, brackets.done);
                return Ok(None);
            }
            // The last byte that was read may be a line feed.
            self.drop_into(raw, brackets.done.saturating_sub(1));
            brackets.done = brackets.done.min(1);
            if raw.len() >= PIECE {
                return Ok(Some(Passing::Close(brackets)));
            }
            if !self.window.more()? {
                self.drop_rest(raw);
                self.state.cut = true;
                return Ok(None);
            }
        }
    }

    fn drop_rest(&mut self, raw: &mut Vec<u8>) {
        let length = self.window.rest().len();
        self.drop_into(raw, length);
    }
}

fn next_line_of_json(text: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', text).find(|&at| matches!(text.get(at + 1), Some(b'{' | b'['))).map(|at| at + 1)
}
