//! Holds a batch of lines, each with its place.

use crate::report::{Notes, Place};
use memchr::memchr;
use std::sync::Arc;

/// A line without its end, and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The bytes, without LF, CR LF, or a byte order mark.
    pub bytes: &'a [u8],
    /// The file, as the user typed it.
    pub file: &'a Arc<str>,
    /// The line's number, from 1.
    pub number: u64,
    /// Where in its batch the line begins.
    pub start: usize,
}

impl Line<'_> {
    /// Returns the parsed value; on an error, rejects the line at that column and returns `None`.
    pub(crate) fn or_reject<T, W: Into<String>>(&self, read: Result<T, (W, u64)>, notes: &mut Notes) -> Option<T> {
        read.map_err(|(what, column)| notes.reject(self.place().column(column), what, self.bytes)).ok()
    }

    pub(crate) fn place(&self) -> Place {
        Place::line(self.file, self.number)
    }
}

/// Some whole lines of one file.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Its bytes, followed by remains of a longer batch: clearing them for each batch took 5 % of wp-resolve.
    pub(super) bytes: Vec<u8>,
    pub(super) length: usize,
    pub(super) file: Arc<str>,
    pub(super) first: u64,
    pub(super) awaited: bool,
    /// The starts of overlong lines that precede the first line.
    pub(super) long: Vec<Vec<u8>>,
    /// The number of bytes in those lines.
    pub(super) skipped: u64,
}

impl Batch {
    /// Creates a batch to be filled by [`Input::read`](super::Input::read).
    pub(crate) fn empty() -> Self {
        Batch { bytes: Vec::new(), length: 0, file: "".into(), first: 1, awaited: false, long: Vec::new(), skipped: 0 }
    }

    /// Whether the next input has not arrived yet: the results of this batch should be written at once.
    pub(crate) fn is_awaited(&self) -> bool {
        self.awaited
    }

    pub(crate) fn clear(&mut self) {
        self.length = 0;
        self.long.clear();
        self.skipped = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0 && self.long.is_empty()
    }

    /// The overlong lines that precede the first line: their places and starts.
    pub(super) fn too_long(&self) -> impl Iterator<Item = (Place, &[u8])> {
        let first = self.first - self.long.len() as u64;
        (first..).zip(&self.long).map(|(number, start)| (Place::line(&self.file, number), &**start))
    }

    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Replaces this batch by the part of `other` between two offsets, at which lines must begin.
    pub(crate) fn copy_part(&mut self, other: &Batch, part: std::ops::Range<usize>) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&other.bytes[part.clone()]);
        self.length = part.len();
        self.file = other.file.clone();
        self.first = other.first + memchr::memchr_iter(b'\n', &other.bytes[..part.start]).count() as u64;
    }

    /// The file it comes from, as the user typed it.
    pub(crate) fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// Its lines; blank ones are skipped (they count as lines).
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut rest = &self.bytes[..self.length];
        let mut number = self.first;
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let mut start = self.length - rest.len();
                let end = memchr(b'\n', rest).unwrap_or(rest.len());
                let bytes = &rest[..end];
                rest = rest.get(end + 1..).unwrap_or_default();
                number += 1;
                let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
                let bom = if number == 2 { bytes.strip_prefix(b"\xef\xbb\xbf") } else { None };
                if bom.is_some() {
                    start += 3;
                }
                let bytes = bom.unwrap_or(bytes);
                if !bytes.iter().all(u8::is_ascii_whitespace) {
                    return Some(Line { bytes, file: &self.file, number: number - 1, start });
                }
            }
            None
        })
    }
}
