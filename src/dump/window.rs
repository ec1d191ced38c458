//! Holds the part of an input that is in memory: a window that slides over the bytes, and keeps track of lines and columns. Other modules
//! interpret the bytes.

use crate::ndjson::{ALIGNMENT, Reader, Source, start_of_reads};
use crate::report::{Error, Place};
use memchr::{memchr_iter, memrchr};
use std::io::{self, Read};
use std::sync::Arc;

/// The number of bytes that are read at a time, unless an element needs more: they stay in a core's cache until the element is written.
const CHUNK: usize = 256 << 10;

/// The bytes of a source from offset `at` on, as far as they have been read.
pub(super) struct Window {
    name: Arc<str>,
    reader: Reader,
    /// The bytes that have been read, followed by remains of an earlier read.
    bytes: Vec<u8>,
    at: usize,
    end: usize,
    ended: bool,
    /// Why the source cannot be read any further.
    pub(super) fault: Option<io::Error>,
    /// The number of bytes before `at`, without the byte order mark.
    passed: u64,
    /// An offset whose line and column are known; never after `at`.
    mark: usize,
    line: u64,
    column: u64,
    /// The longest element that is accepted, in bytes.
    pub(super) max_record: usize,
}

impl Window {
    /// Opens a source and skips its byte order mark. `memory` is reused: it comes from the previous source. A part of the source that
    /// cannot be read counts as its end.
    pub(super) fn open(source: &mut Source, memory: Vec<u8>, max_record: usize) -> Result<Self, Error> {
        let mut window = Window {
            name: source.name().clone(),
            reader: source.reader()?,
            bytes: memory,
            at: 0,
            end: 0,
            ended: false,
            fault: None,
            passed: 0,
            mark: 0,
            line: 1,
            column: 1,
            max_record,
        };
        window.need(3)?;
        if window.rest().starts_with(b"\xef\xbb\xbf") {
            window.at += 3;
            window.mark = window.at;
        }
        Ok(window)
    }

    /// Returns the memory, for the next source.
    pub(super) fn into_memory(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes that have been read and not yet consumed.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.at..self.end]
    }

    /// The next byte; `None` at the end.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Error> {
        if self.at == self.end && !self.more()? {
            return Ok(None);
        }
        Ok(Some(self.bytes[self.at]))
    }

    /// Whether as many bytes are in memory as one element may have.
    pub(super) fn is_full(&self) -> bool {
        self.rest().len() > self.max_record
    }

    /// Frees the memory that one long element needed.
    pub(super) fn forget(&mut self) {
        self.move_mark(self.at);
        self.bytes = self.rest().to_vec();
        (self.at, self.mark, self.end) = (0, 0, self.bytes.len());
    }

    pub(super) fn skip(&mut self, n: usize) {
        self.at += n;
        self.passed += n as u64;
    }

    pub(super) fn skip_blank(&mut self) -> Result<(), Error> {
        while self.peek()?.is_some() {
            let rest = self.rest();
            let blank = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
            if blank == 0 {
                break;
            }
            self.skip(blank);
        }
        Ok(())
    }

    pub(super) fn passed(&self) -> u64 {
        self.passed
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether the next read would have to wait for data.
    pub(super) fn is_dry(&self) -> bool {
        !self.ended && self.reader.is_dry()
    }

    /// Reads until `n` bytes are available, the source ends, or the next read would have to wait.
    pub(super) fn want(&mut self, n: usize) -> Result<(), Error> {
        while self.rest().len() < n && !self.is_dry() && self.more()? {}
        Ok(())
    }

    /// Reads until `n` bytes are available or the source ends.
    pub(super) fn need(&mut self, n: usize) -> Result<(), Error> {
        while self.rest().len() < n && self.more()? {}
        Ok(())
    }

    /// Reads more: at least as much as is in memory already, unless that means waiting, so that an element of any length is read in
    /// linear time. Returns false at the end.
    pub(super) fn more(&mut self) -> Result<bool, Error> {
        if self.ended {
            return Ok(false);
        }
        self.move_mark(self.at);
        let old = self.end - self.at;
        let full = (old + old.max(CHUNK)).min(old.max(self.max_record) + CHUNK);
        if self.bytes.is_empty() {
            // The system provides zeroed memory without writing it: a small file touches only a few pages of it.
            self.bytes = vec![0; full + ALIGNMENT];
        } else if self.bytes.len() < full + ALIGNMENT {
            self.bytes.resize(full + ALIGNMENT, 0);
        }
        // A small file is read at once. Later, the address of the next read follows from the bytes that were kept.
        let start = if old == 0 { start_of_reads(&self.bytes) } else { 0 };
        self.bytes.copy_within(self.at..self.end, start);
        (self.at, self.mark, self.end) = (start, start, start + old);
        let full = start + full;
        while self.end < full && !(self.end > start + old && self.reader.is_dry()) {
            match self.reader.read(&mut self.bytes[self.end..full]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(n) => self.end += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    (self.ended, self.fault) = (true, Some(e));
                    break;
                }
            }
        }
        Ok(self.end > start + old)
    }

    /// The place of the byte `offset` after the next one.
    pub(super) fn place(&mut self, offset: usize) -> Place {
        self.move_mark(self.at);
        let (line, column) = self.measure(self.at + offset);
        Place { file: self.name.clone(), line, column }
    }

    fn move_mark(&mut self, to: usize) {
        if to > self.mark {
            (self.line, self.column) = self.measure(to);
            self.mark = to;
        }
    }

    fn measure(&self, to: usize) -> (u64, u64) {
        let passed = &self.bytes[self.mark..to];
        match memrchr(b'\n', passed) {
            Some(last) => (self.line + memchr_iter(b'\n', passed).count() as u64, (passed.len() - last) as u64),
            None => (self.line, self.column + passed.len() as u64),
        }
    }
}
