//! Reads lines a second time after they were registered: first the words of records that may be copies, then all lines, to write them.

use super::outline::{Field, FieldPlace, LineNote, outline_words, recall, via};
use crate::codec;
use crate::minhash::Sketch;
use crate::ndjson::{Batch, Input, Walk};
use crate::record::is_of_page;
use crate::report::Error;
use crate::spill::Notebook;
use std::ops::Range;

/// The part of a batch whose notes follow in the notebook.
pub(super) struct Block {
    /// Where the batch begins in the stream, after the lines that are too long.
    pub(super) start: u64,
    /// The batch's length.
    pub(super) length: usize,
    /// The range of the part in the batch.
    pub(super) lines: Range<usize>,
}

impl Block {
    /// Writes the part, and the `notes` on its lines, which are emptied.
    pub(super) fn write(&self, notes: &mut Vec<u8>, to: &mut Notebook) -> Result<(), Error> {
        for number in [self.start, self.length as u64, self.lines.start as u64, self.lines.end as u64] {
            to.write(&number.to_le_bytes())?;
        }
        to.write_block(notes)
    }

    /// Reads the next part and its `notes`; `None` after the last one.
    fn read(notes: &mut Vec<u8>, from: &mut Notebook) -> Result<Option<Self>, Error> {
        let mut head = [[0; 8]; 4];
        if !from.read(head.as_flattened_mut())? {
            return Ok(None);
        }
        let [start, length, first, end] = head.map(u64::from_le_bytes);
        from.read_block(notes)?;
        Ok(Some(Block { start, length: length as usize, lines: first as usize..end as usize }))
    }
}

/// A reader that follows the first pass.
pub(super) struct Again {
    input: Input,
    /// How far it has read, in bytes.
    position: u64,
    /// The batch of which a part was returned last.
    batch: Batch,
    /// Where that batch begins.
    batch_start: Option<u64>,
}

impl Again {
    pub(super) fn new(input: Input) -> Self {
        Again { input, position: 0, batch: Batch::empty(), batch_start: None }
    }

    /// Returns the next part of a batch with notes, and the notes.
    pub(super) fn next(&mut self, batch: &mut Batch, notes: &mut Vec<u8>, from: &mut Notebook) -> Result<bool, Error> {
        let Some(block) = Block::read(notes, from)? else { return Ok(false) };
        let whole = block.lines == (0..block.length);
        if whole || self.batch_start != Some(block.start) {
            let target = if whole { &mut *batch } else { &mut self.batch };
            let skipped = block.start - self.position;
            if !self.input.read_again(target, skipped, block.length)? {
                let name = target.file();
                return Err(Error::Fatal(format!("{name}: has changed while it was read")));
            }
            self.position = block.start + block.length as u64;
            if !whole {
                self.batch_start = Some(block.start);
            }
        }
        if !whole {
            batch.copy_part(&self.batch, block.lines);
        }
        Ok(true)
    }
}

/// The words of a record: the title and text of a post or page, or the name of a term; of a media file, the words that its page shows.
pub(super) fn sketch(line: &[u8], entries: &[FieldPlace]) -> Option<Sketch> {
    let value =
        |field| entries.iter().find(|entry| entry.field == field).map_or(b"".as_slice(), |e| &line[e.value.clone()]);
    let text = |field| Walk::new(value(field)).fields(["text"]).and_then(|[text]| text).unwrap_or_default();
    match value(Field::Kind) {
        b"\"post\"" | b"\"html\"" => Sketch::of([text(Field::Title), text(Field::Content)].into_iter()),
        b"\"media\"" if is_of_page(Some("media"), via(value(Field::Source)).as_deref()) => {
            Sketch::of([text(Field::Title), text(Field::Description)].into_iter())
        }
        b"\"term\"" => Sketch::of(std::iter::once(value(Field::Name))),
        _ => None,
    }
}

/// The words found in a part of a batch.
#[derive(Default)]
pub(super) struct Words {
    pub(super) notes: Vec<u8>,
    /// The record's site, its number there, and its words.
    pub(super) found: Vec<(usize, u32, Sketch)>,
}

impl Words {
    /// Reads the words of the `wanted` records of each site.
    pub(super) fn read(&mut self, batch: &Batch, wanted: &[Vec<u32>]) {
        let mut notes = codec::Packed(&self.notes);
        let mut entries = Vec::new();
        for line in batch.lines() {
            // A file that has changed meanwhile is noticed by the second pass.
            let Some(LineNote::Record { site, record: Some(record), .. }) = recall(&mut notes, &mut entries) else {
                continue;
            };
            if wanted[site].binary_search(&record).is_ok() {
                entries.clear();
                outline_words(line.bytes, &mut entries);
                self.found.extend(sketch(line.bytes, &entries).map(|sketch| (site, record, sketch)));
            }
        }
    }
}
