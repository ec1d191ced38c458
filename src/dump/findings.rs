//! What a first reading of a dump found and where, so that the second copies without parsing again. The caller handles
//! the elements as on the first pass.

use super::item::{Answer, Item};
use super::read::{Event, Text};
use super::sources::{Opened, Sources};
use super::window::Window;
use crate::ndjson::{Gaps, Source};
use crate::report::{Error, Place};
use crate::spill::Notebook;
use std::sync::Arc;

/// Bytes of findings that are written at once.
const BLOCK: usize = 64 * 1024;

/// What [`super::read_noting`] has found, for [`super::read_again`]: about 100 bytes an item, and one or two for each gap
/// between its tokens. Of wp-index with a scrape it saves 8 %.
#[derive(Default)]
pub struct Findings {
    notebook: Notebook,
    block: Vec<u8>,
    /// Where in the current source the last text that was noted ends.
    done: u64,
}

// What a finding begins with.
const END: u8 = 0;
const ITEM: u8 = 1;
const PASSED: u8 = 2;
const BROKEN: u8 = 3;
const SKIPPED: u8 = 4;

const KINDS: [&str; 5] = ["post", "term", "media", "user", "comment"];
const ANSWERS: [Answer; 4] = [Answer::Index, Answer::Types, Answer::Statuses, Answer::Oembed];

impl Findings {
    /// Takes down `event`, whose text begins at `at` of its source.
    pub(super) fn note(&mut self, event: &Event, at: u64) -> Result<(), Error> {
        let block = &mut self.block;
        match event {
            Event::Item { item, text, number, .. } => {
                block.push(ITEM);
                let length = text.bytes().len() as u64;
                for n in [at - self.done, length, *number, place_in(&KINDS, &item.kind)] {
                    put_number(block, n);
                }
                // The sign is one bit of many.
                put_number(block, item.id.cast_unsigned());
                put_bytes(block, item.r#type.as_bytes());
                for text in [&item.link, &item.self_link, &item.rest_base] {
                    block.push(u8::from(text.is_some()));
                    put_bytes(block, text.as_deref().unwrap_or_default().as_bytes());
                }
                put_gaps(block, text.gaps());
                self.done = at + length;
            }
            Event::Passed(answer, text) => {
                block.push(PASSED);
                for n in [at - self.done, text.len() as u64, place_in(&ANSWERS, answer)] {
                    put_number(block, n);
                }
                self.done = at + text.len() as u64;
            }
            Event::Broken { place, what, raw } => {
                block.push(BROKEN);
                put_number(block, place.line);
                put_number(block, place.column);
                put_bytes(block, what.as_bytes());
                put_bytes(block, raw);
            }
            Event::SkippedFile(_) => block.push(SKIPPED),
            Event::Progress(_) | Event::Awaited => {}
        }
        self.write_if_full()
    }

    /// Says that the current source has no more than these bytes.
    pub(super) fn end_source(&mut self, passed: u64) -> Result<(), Error> {
        self.block.push(END);
        put_number(&mut self.block, passed);
        self.done = 0;
        self.write_if_full()
    }

    fn write_if_full(&mut self) -> Result<(), Error> {
        if self.block.len() >= BLOCK { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> Result<(), Error> {
        self.notebook.write(&(self.block.len() as u64).to_le_bytes())?;
        self.notebook.write(&self.block)?;
        self.block.clear();
        Ok(())
    }
}

/// Calls `visit` for all that is in `sources` as the reading did from which the findings are.
///
/// # Errors
/// When a source cannot be read or has changed since, and whatever `visit` returns.
pub fn read_again(
    sources: &mut Sources,
    mut findings: Findings,
    mut visit: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    findings.write_block()?;
    findings.notebook.turn()?;
    let mut teller = Teller { notebook: findings.notebook, block: Vec::new(), at: 0, gaps: Gaps::default() };
    for index in 0..sources.len() {
        match sources.get(index)? {
            Opened::Named(source) => teller.tell_source(source, &mut visit)?,
            Opened::Found(mut source) => teller.tell_source(&mut source, &mut visit)?,
        }
    }
    Ok(())
}

/// The findings on their way back.
struct Teller {
    notebook: Notebook,
    block: Vec<u8>,
    at: usize,
    gaps: Gaps,
}

impl Teller {
    fn tell_source(
        &mut self,
        source: &mut Source,
        visit: &mut impl FnMut(Event<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let name = source.name().clone();
        let mut window = None;
        let mut told = 0;
        loop {
            self.next_block_if_done()?;
            let mut left = Left(&self.block[self.at..]);
            let Finding { skipped, length, what } = left.finding(&name, &mut self.gaps).ok_or_else(lost)?;
            self.at = self.block.len() - left.0.len();
            match what {
                What::End(passed) => return visit(Event::Progress(passed - told)),
                What::Broken(place, what, raw) => visit(Event::Broken { place, what, raw })?,
                What::SkippedFile => visit(Event::SkippedFile(&name))?,
                What::Item(item, number) => {
                    let bytes = text(&mut window, source, skipped, length)?;
                    visit(Event::Item { item, text: Text::new(bytes, &self.gaps), file: &name, number })?;
                }
                What::Passed(answer) => visit(Event::Passed(answer, text(&mut window, source, skipped, length)?))?,
            }
            if length > 0 {
                window.as_mut().map_or(Ok(true), |window: &mut Window| window.pass(length))?;
                told += skipped + length;
                visit(Event::Progress(skipped + length))?;
            }
        }
    }

    fn next_block_if_done(&mut self) -> Result<(), Error> {
        while self.at == self.block.len() {
            let mut length = [0; 8];
            if !self.notebook.read(&mut length)? {
                return Err(lost());
            }
            self.block.resize(usize::try_from(u64::from_le_bytes(length)).map_err(|_| lost())?, 0);
            self.notebook.read(&mut self.block)?;
            self.at = 0;
        }
        Ok(())
    }
}

/// The text that begins `skipped` bytes further on.
fn text<'w>(window: &'w mut Option<Window>, source: &mut Source, skipped: u64, length: u64) -> Result<&'w [u8], Error> {
    let window = match window {
        Some(window) => window,
        None => window.insert(Window::open(source)?),
    };
    window.pass(skipped)?;
    let length = usize::try_from(length).map_err(|_| lost())?;
    window.need(length)?;
    match window.rest().get(..length) {
        Some(text) if text.starts_with(b"{") && text.ends_with(b"}") => Ok(text),
        _ => Err(Error::Trouble(format!("{}: has changed while it was read", source.name()))),
    }
}

fn lost() -> Error {
    Error::Trouble("internal spool of the dump is truncated".to_owned())
}

/// One thing that was found: how many bytes after the one before its text begins, and how long that is.
struct Finding<'b> {
    skipped: u64,
    length: u64,
    what: What<'b>,
}

enum What<'b> {
    End(u64),
    Item(Item, u64),
    Passed(Answer),
    Broken(Place, String, &'b [u8]),
    SkippedFile,
}

/// What is left of a block.
struct Left<'b>(&'b [u8]);

impl<'b> Left<'b> {
    fn finding(&mut self, file: &Arc<str>, gaps: &mut Gaps) -> Option<Finding<'b>> {
        let without_text = |what| Some(Finding { skipped: 0, length: 0, what });
        match self.byte()? {
            END => without_text(What::End(self.number()?)),
            SKIPPED => without_text(What::SkippedFile),
            BROKEN => {
                let place = Place { file: file.clone(), line: self.number()?, column: self.number()? };
                without_text(What::Broken(place, self.string()?, self.bytes()?))
            }
            PASSED => {
                let (skipped, length) = (self.number()?, self.number()?);
                Some(Finding { skipped, length, what: What::Passed(*ANSWERS.get(self.size()?)?) })
            }
            ITEM => {
                let (skipped, length, number) = (self.number()?, self.number()?, self.number()?);
                let item = Item {
                    kind: KINDS.get(self.size()?)?,
                    id: self.number()?.cast_signed(),
                    r#type: self.string()?,
                    link: self.string_or_none()?,
                    self_link: self.string_or_none()?,
                    rest_base: self.string_or_none()?,
                };
                self.gaps(gaps)?;
                Some(Finding { skipped, length, what: What::Item(item, number) })
            }
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    #[inline]
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn string(&mut self) -> Option<String> {
        Some(std::str::from_utf8(self.bytes()?).ok()?.to_owned())
    }

    fn string_or_none(&mut self) -> Option<Option<String>> {
        let is_there = self.byte()? != 0;
        let string = self.string()?;
        Some(is_there.then_some(string))
    }

    fn gaps(&mut self, gaps: &mut Gaps) -> Option<()> {
        gaps.clear();
        let Some(count) = self.number()?.checked_sub(1) else {
            gaps.forget();
            return Some(());
        };
        let mut at = 0;
        for _ in 0..count {
            let between = self.size()?;
            let start = at + (between >> 1);
            at = start + if between & 1 == 0 { 1 } else { self.size()? };
            gaps.note(start, at);
        }
        Some(())
    }
}

/// Seven bits a byte, the lowest first; the eighth says that others follow.
#[inline]
fn put_number(block: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        block.push(number as u8 | 0x80);
        number >>= 7;
    }
    block.push(number as u8);
}

fn put_bytes(block: &mut Vec<u8>, bytes: &[u8]) {
    put_number(block, bytes.len() as u64);
    block.extend_from_slice(bytes);
}

/// Most gaps are one space: that is a bit of the number that says how many bytes stand before it.
fn put_gaps(block: &mut Vec<u8>, gaps: &Gaps) {
    let Some(bounds) = gaps.bounds() else { return put_number(block, 0) };
    put_number(block, bounds.len() as u64 + 1);
    let mut at = 0;
    for &(start, end) in bounds {
        let (before, width) = ((start - at) as u64, (end - start) as u64);
        put_number(block, before << 1 | u64::from(width > 1));
        if width > 1 {
            put_number(block, width);
        }
        at = end;
    }
}

fn place_in<T: PartialEq>(list: &[T], wanted: &T) -> u64 {
    list.iter().position(|one| one == wanted).expect("the list has all of them") as u64
}
