//! Records what the first reading of a dump found and where, so that the second can copy items without parsing them
//! again. The caller handles the elements in the same way both times.

use super::event::Text;
use super::item::{Item, KINDS};
use crate::codec::{Packed, put_bytes, put_number};
use crate::ndjson::Gaps;
use crate::report::Error;
use crate::spill::Notebook;

/// The number of bytes of findings that are written at a time.
const BLOCK: usize = 64 * 1024;

/// The findings of [`super::read_noting`], for [`super::read_again`]: about 100 bytes per item, and two or three for
/// each gap between its tokens.
#[derive(Default)]
pub(crate) struct Findings {
    notebook: Notebook,
    /// The block that is being written or read.
    block: Vec<u8>,
    /// How many of its bytes have been read.
    read: usize,
}

/// The place of an item.
#[derive(Clone, Copy)]
pub(super) struct ItemPlace {
    pub(super) source: usize,
    /// The offset of the item in its source.
    pub(super) at: u64,
    pub(super) length: usize,
}

impl Findings {
    /// Records an item that begins at offset `at` of the source with this number.
    pub(super) fn note(&mut self, source: usize, at: u64, item: &Item, text: &Text<'_>) -> Result<(), Error> {
        let block = &mut self.block;
        let kind = KINDS.iter().position(|kind| *kind == item.kind).expect("the list has all kinds");
        let kind = kind * 2 + usize::from(item.is_short);
        // A negative id becomes a large number, and back.
        for n in [source as u64, at, text.bytes.len() as u64, kind as u64, item.id.cast_unsigned()] {
            put_number(block, n);
        }
        put_bytes(block, item.r#type.as_bytes());
        for text in [&item.link, &item.self_link, &item.rest_base] {
            put_number(block, text.is_some().into());
            put_bytes(block, text.as_deref().unwrap_or_default().as_bytes());
        }
        text.gaps.note_in(block);
        if self.block.len() >= BLOCK { self.notebook.write_block(&mut self.block) } else { Ok(()) }
    }

    /// Ends the recording, and goes back to the first item.
    pub(super) fn turn(&mut self) -> Result<(), Error> {
        self.notebook.write_block(&mut self.block)?;
        self.notebook.turn()
    }

    /// Returns the place of the next item; `None` after the last one.
    pub(super) fn next(&mut self) -> Result<Option<ItemPlace>, Error> {
        while self.read == self.block.len() {
            self.read = 0;
            if !self.notebook.read_block(&mut self.block)? {
                return Ok(None);
            }
        }
        self.pull(|notes| {
            let (source, at, length) = (notes.size()?, notes.number()?, notes.size()?);
            Some(ItemPlace { source, at, length })
        })
        .map(Some)
    }

    /// Returns the item and the white space in it; call it once after each [`Findings::next`].
    pub(super) fn item(&mut self, gaps: &mut Gaps) -> Result<Item, Error> {
        self.pull(|notes| {
            let string = |notes: &mut Packed<'_>| String::from_utf8(notes.bytes()?.to_owned()).ok();
            let string_or_none = |notes: &mut Packed<'_>| {
                let is_there = notes.number()? != 0;
                string(notes).map(|text| is_there.then_some(text))
            };
            let kind = notes.size()?;
            let item = Item {
                kind: KINDS.get(kind / 2)?,
                is_short: kind % 2 == 1,
                id: notes.number()?.cast_signed(),
                r#type: string(notes)?,
                link: string_or_none(notes)?,
                self_link: string_or_none(notes)?,
                rest_base: string_or_none(notes)?,
                via: "rest",
                aliases: Vec::new(),
            };
            gaps.recall(notes)?;
            Some(item)
        })
    }

    fn pull<T>(&mut self, read: impl FnOnce(&mut Packed<'_>) -> Option<T>) -> Result<T, Error> {
        let mut notes = Packed(&self.block[self.read..]);
        let value =
            read(&mut notes).ok_or_else(|| Error::Fatal("internal spool of the dump is truncated".to_owned()))?;
        self.read = self.block.len() - notes.0.len();
        Ok(value)
    }
}
