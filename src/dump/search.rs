//! Searches for the next element after damage, in time proportional to the size of the file, whatever it contains.

use super::brackets::Brackets;
use super::fields::Fields;
use super::item::{Shape, recognise};
use super::strict::{Attempt, attempt};
use super::window::Window;
use crate::ndjson::{Gaps, Walk};
use crate::report::{Error, Place};
use memchr::{memchr, memmem};
use std::mem::take;

/// How many bytes beyond an error the end of the element is searched for.
pub(super) const REACH: usize = 64 << 20;
/// The number of bytes that are read of a possible element before it is judged, so that the result does not depend on where a read ended.
const WHOLE: usize = 1 << 20;

pub(crate) struct Broken {
    /// The place of the error or, if that is unknown, the start of the element.
    pub(crate) place: Place,
    pub(crate) what: String,
    /// Its text, or the first piece of it.
    pub(crate) raw: Vec<u8>,
}

/// The state of a reader within the brackets of a dump.
#[derive(Default)]
pub(super) struct State {
    /// The number of open arrays.
    pub(super) depth: u32,
    /// Whether it is in an object that maps ids to items.
    pub(super) keyed: bool,
    /// Whether the file ended within an element, and this has been reported.
    pub(super) cut: bool,
    /// The start of the last good element: the others in its array begin alike.
    pub(super) last: Vec<u8>,
    /// The offset up to which lines outside of arrays are known not to be good, so that no line is tried for two broken elements.
    barren: u64,
    /// How to continue skipping after a full piece.
    pub(super) passing: Option<Passing>,
    /// The number of bytes examined to find the ends of broken elements. It is limited, so that even a malicious file is read in linear
    /// time.
    pub(super) effort: usize,
}

impl State {
    /// Whether the next element is inside an array or an object of items.
    pub(super) fn is_inside(&self) -> bool {
        self.depth > 0 || self.keyed
    }
}

/// Where to stop skipping.
pub(super) enum Passing {
    /// At the next line that begins like JSON.
    Line,
    /// At the end of the source.
    End,
    /// At the next element of the array, searched for from this offset. `entered`: the search is inside the value of a key; see
    /// [`Search::look`].
    Element { from: usize, entered: bool },
    /// At the end of the element.
    Close(Brackets),
}

/// Searches for the end of a broken element, which begins at the start of the window.
pub(super) struct Search<'s> {
    pub(super) window: &'s mut Window,
    pub(super) state: &'s mut State,
}

impl<'s> Search<'s> {
    pub(super) fn new(window: &'s mut Window, state: &'s mut State) -> Self {
        Search { window, state }
    }

    /// The first line between `from` and `to` that begins with a good object; `None` within arrays, where lines have no meaning.
    pub(super) fn next_good_line_at_top(&mut self, from: usize, to: usize) -> Result<Option<usize>, Error> {
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

    /// Whether a good object begins at `at`; false once the limit on the effort is reached.
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

    pub(super) fn is_tired(&self) -> bool {
        self.state.effort > REACH + 16 * usize::try_from(self.window.passed()).unwrap_or(usize::MAX / 32)
    }

    /// The first line before `to`, but for the one that begins here, that is a record of NDJSON.
    pub(super) fn next_line_of_records(&mut self, to: usize) -> Result<Option<usize>, Error> {
        let starts: Vec<usize> = memmem::find_iter(&self.window.rest()[..to], b"\n{").map(|at| at + 1).collect();
        for at in starts {
            if self.is_line_of_records(at)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Whether the object at `at` is a line of NDJSON: it fills its line, and another one or the end of the input follows. Inside an
    /// array or an object, a comma or a bracket would follow; so the brackets that seem to be open belong to a broken line.
    pub(super) fn is_line_of_records(&mut self, at: usize) -> Result<bool, Error> {
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

    /// Skips the text before a line of NDJSON at `at`, and forgets the brackets that were open there.
    pub(super) fn leave_brackets(&mut self, raw: &mut Vec<u8>, at: usize) {
        self.drop_into(raw, at);
        *self.state = State { effort: self.state.effort, last: take(&mut self.state.last), ..State::default() };
    }

    /// Classifies the bracket at `at`, inside the text of a broken element or after it. The value of a key is skipped as a whole, and
    /// so is any other object that is not an element. If such a value is itself broken, the search is inside it (`entered`), and from
    /// then on only an object that begins like the last element counts as an element.
    pub(super) fn look(&mut self, at: usize, entered: &mut bool) -> Result<Look, Error> {
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

    /// Whether a good object is an element of the array: it begins with the same keys as the last element or, if there was none and
    /// `alike` is false, it is an item with an address.
    pub(super) fn is_element(&self, object: &[u8], alike: bool) -> bool {
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

    /// Skips `length` bytes and appends them to `raw`.
    pub(super) fn drop_into(&mut self, raw: &mut Vec<u8>, length: usize) {
        raw.extend_from_slice(&self.window.rest()[..length]);
        self.window.skip(length);
    }

    pub(super) fn broken(&mut self, place: Place, what: String, length: usize) -> Broken {
        let raw = self.window.rest()[..length].to_vec();
        self.window.skip(length);
        Broken { place, what, raw }
    }
}

/// The meaning of a bracket within or after a broken element.
#[derive(PartialEq)]
pub(super) enum Look {
    /// An element begins.
    Begins,
    /// An element begins at this offset at the earliest.
    Past(usize),
    /// The element begins here, but its end has not been read.
    Unfinished,
}

/// The first keys of an object, as far as it can be parsed.
pub(super) fn first_keys(object: &[u8]) -> Vec<&[u8]> {
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

/// Whether the text can follow an element.
fn is_end(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start().first(), None | Some(b',' | b']'))
}
