//! Splits a dump into its elements: arrays of any size, also indented or nested, single objects, concatenated values,
//! NDJSON, and objects that map ids to items. The caller interprets the elements.
//!
//! Each element is parsed once, strictly, which also finds its end. Only what the parser refuses is measured by its
//! strings and brackets, so that the rest of the file can be read.

use super::fields::Fields;
use super::read::Text;
use super::window::Window;
use crate::ndjson::{Gaps, Refused, Source};
use crate::report::{Error, Place};
use serde::de::DeserializeOwned;

/// Arrays within arrays that are looked into (`jq -s . page*.json` makes two).
const DEPTH: u32 = 16;
/// Bytes that shall be there when an element's turn comes. Without them the last of each window would be read twice: of
/// elements of 20 KB 4 % of all.
const AHEAD: usize = 32 * 1024;

/// The elements of one source, in order.
pub struct Splitter {
    pub(super) window: Window,
    /// Open arrays.
    pub(super) depth: u32,
    /// Within an object of items by their ids.
    pub(super) keyed: bool,
    pub(super) number: u64,
    /// Length of the element that was given out last.
    pub(super) spent: usize,
    pub(super) passed: u64,
    /// Bytes looked at to find the ends of broken elements; bounded, so that a hostile file is read in linear time.
    pub(super) effort: usize,
    /// The file ended within an element, and this has been said.
    pub(super) cut: bool,
    /// [`Element::Awaited`] was given out last.
    waits: bool,
    gaps: Gaps,
}

/// One element.
pub enum Element {
    /// A complete object; [`Splitter::bytes`] has its text.
    Object(Fields),
    /// None yet: the source has no more at once.
    Awaited,
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
pub(super) enum Attempt<T> {
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
        let gaps = Gaps::default();
        Ok(Splitter {
            window,
            depth: 0,
            keyed: false,
            number: 0,
            spent: 0,
            passed: 0,
            effort: 0,
            cut: false,
            waits: false,
            gaps,
        })
    }

    /// Whether the first byte that is not white space begins an object or an array.
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
    pub fn next(&mut self) -> Result<Option<Element>, Error> {
        let spent = std::mem::take(&mut self.spent);
        self.skip(spent);
        let said = std::mem::take(&mut self.waits);
        loop {
            if !said && self.window.rest().trim_ascii_start().is_empty() && self.window.is_dry() {
                return Ok(Some(self.wait()));
            }
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
                b'{' => return self.object(said).map(Some),
                _ => return self.other().map(Some),
            }
        }
    }

    fn wait(&mut self) -> Element {
        self.waits = true;
        Element::Awaited
    }

    /// The text of the object that was given out last.
    pub fn bytes(&self) -> &[u8] {
        &self.window.rest()[..self.spent]
    }

    /// The same, with the white space between its tokens.
    pub fn text(&self) -> Text<'_> {
        Text::new(self.bytes(), &self.gaps)
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

    pub(super) fn skip(&mut self, n: usize) {
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
    fn end(&mut self) -> Option<Element> {
        if (self.depth == 0 && !self.keyed) || std::mem::replace(&mut self.cut, true) {
            return None;
        }
        self.number += 1;
        let what = "the file ends within an array: its end is missing".to_owned();
        Some(Element::Broken { place: self.window.place(0), what, raw: Vec::new() })
    }

    /// `{"12":{` begins an object of items by their ids, as PHP writes an array with gaps.
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

    /// Reads as much as it takes to tell a key that is an id.
    fn need_key(&mut self) -> Result<(), Error> {
        let of_key = |b: &u8| b.is_ascii_digit() || b.is_ascii_whitespace() || matches!(b, b'"' | b':');
        while self.window.rest().len() < 256 && self.window.rest().iter().skip(1).all(of_key) && self.window.more()? {}
        Ok(())
    }

    /// An object; that the source has no more at once may have been `said`.
    fn object(&mut self, said: bool) -> Result<Element, Error> {
        self.number += 1;
        self.window.want(AHEAD)?;
        loop {
            let rest = self.window.rest();
            let attempt = match Fields::read(rest, &mut self.gaps) {
                Ok((fields, length)) => Attempt::Parsed(fields, length),
                Err(Refused::Unfinished) => Attempt::Unfinished,
                // What is wrong, and whether anything is, says the strict parser.
                Err(Refused::Odd) => attempt(rest),
            };
            match attempt {
                Attempt::Parsed(value, length) => {
                    self.spent = length;
                    return Ok(Element::Object(value));
                }
                Attempt::Unfinished => {
                    if !said && self.window.is_dry() {
                        self.number -= 1;
                        return Ok(self.wait());
                    }
                    if !self.window.more()? {
                        let place = self.window.place(0);
                        let all = self.window.rest().len();
                        let line = self.next_good_line_at_top(0, all)?;
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
}

/// Parses the value at the start of `text`.
pub(super) fn attempt<T: DeserializeOwned>(text: &[u8]) -> Attempt<T> {
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
