//! Reads WARC records one after the other from decompressed bytes, and keeps only one record and the read-ahead in memory.
//! Callers choose the bytes, and decide how to go on after a broken record.

use super::header::{Headers, START};
use super::record::{WarcPlace, WarcRecord};
use memchr::memmem;
use std::io::{self, Read};

/// The longest header of a record, in bytes.
const MOST_HEADER: usize = 64 * 1024;

/// The number of bytes that are decompressed at a time.
const PIECE: usize = 64 * 1024;

/// The most bytes after a record that are searched for the next one: the empty lines between them, and its start.
const MOST_BLANK: usize = 64;

/// The error of a record that does not end where its header says.
const WRONG_LENGTH: &str = "its Content-Length is wrong";

/// Decompressed bytes, with a read-ahead.
pub(super) struct Stream<M> {
    pub(super) member: M,
    /// Memory that is reused without being cleared; the read-ahead lies from `at` to `end`.
    pub(super) buffer: Vec<u8>,
    at: usize,
    end: usize,
    pub(super) passed: u64,
    ended: bool,
    pub(super) error: Option<String>,
    /// Whether to check what follows a record before skipping it.
    pub(super) is_careful: bool,
}

impl<M: Read> Stream<M> {
    pub(super) fn new(member: M, buffer: Vec<u8>) -> Self {
        Stream { member, buffer, at: 0, end: 0, passed: 0, ended: false, error: None, is_careful: false }
    }

    pub(super) fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    pub(super) fn skip(&mut self, n: usize) {
        self.at += n;
        self.passed += n as u64;
    }

    /// Reads more; returns false at the end, and where the rest cannot be read.
    fn more(&mut self) -> bool {
        if self.ended {
            return false;
        }
        // Bytes are moved only when at least as many have been consumed.
        if self.at >= self.end / 2 {
            self.buffer.copy_within(self.at..self.end, 0);
            (self.at, self.end) = (0, self.end - self.at);
        }
        if self.buffer.len() < self.end + PIECE {
            self.buffer.resize(self.end + PIECE, 0);
        }
        let read = loop {
            match self.member.read(&mut self.buffer[self.end..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.end += *read.as_ref().unwrap_or(&0);
        self.ended = !matches!(read, Ok(1..));
        self.error = read.err().map(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => "the file ends in the midst of it".to_owned(),
            _ => e.to_string(),
        });
        !self.ended
    }

    /// Reads until `n` bytes are available, or the member ends.
    fn need(&mut self, n: usize) -> bool {
        while self.rest().len() < n && self.more() {}
        self.rest().len() >= n
    }

    /// Skips the empty lines that separate records.
    pub(super) fn skip_blank(&mut self) {
        loop {
            let blank = self.rest().iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
            self.skip(blank);
            if !self.rest().is_empty() || !self.more() {
                return;
            }
        }
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        !self.need(1)
    }

    /// Skips the bytes before the next record; returns true if a record or the end of the member was found within `most` bytes.
    pub(super) fn find_record(&mut self, most: u64) -> bool {
        let end = self.passed.saturating_add(most);
        loop {
            if let Some(at) = memmem::find(self.rest(), b"\nWARC/1.") {
                self.skip(at + 1);
                return true;
            }
            if self.passed > end {
                return false;
            }
            // The start of a record may be cut in two.
            self.skip(self.rest().len().saturating_sub(8));
            if !self.more() {
                self.skip(self.rest().len());
                return self.error.is_none();
            }
        }
    }

    /// Reads the record that begins here, and its block if it is wanted and `is_end` confirms that the record can end where its
    /// length says. If it cannot, nothing is consumed.
    pub(super) fn record(
        &mut self,
        place: WarcPlace,
        most: usize,
        is_end: &impl Fn(u64) -> bool,
        is_wanted: &impl Fn(&WarcRecord, &[u8]) -> bool,
        block: &mut Vec<u8>,
    ) -> Result<WarcRecord, String> {
        block.clear();
        let (headers, header_length) = self.header()?;
        let length = headers.get("content-length").ok_or("it has no Content-Length")?;
        let length: u64 = length.parse().map_err(|_| format!("its Content-Length is {length}"))?;
        if !is_end(self.passed.saturating_add(header_length as u64).saturating_add(length)) {
            return Err(WRONG_LENGTH.to_owned());
        }
        let record = WarcRecord { place, headers };
        self.need(header_length + usize::try_from(length).unwrap_or(PIECE).min(PIECE));
        let start = self.rest().get(header_length..).unwrap_or_default();
        let is_wanted = is_wanted(&record, &start[..start.len().min(usize::try_from(length).unwrap_or(PIECE))]);
        if is_wanted && length > most as u64 {
            return Err(format!("it has {length} bytes; at most {most} are read"));
        }
        if self.is_careful && (length > most as u64 || !self.ends_after(header_length + length as usize)) {
            let is_cut = self.rest().len() as u64 <= length.saturating_add(header_length as u64);
            return Err(self.error.clone().filter(|_| is_cut).unwrap_or_else(|| WRONG_LENGTH.to_owned()));
        }
        self.skip(header_length);
        if !is_wanted {
            self.pass(length, |_| {})?;
        } else {
            self.pass(length, |piece| block.extend_from_slice(piece))?;
        }
        self.skip_blank();
        // The bytes that were read before an error are good.
        if let Some(what) = self.error.as_ref().filter(|_| self.rest().is_empty()) {
            return Err(what.clone());
        }
        if self.is_at_end() || self.need(START.len()) && self.rest().starts_with(START) {
            Ok(record)
        } else {
            Err(WRONG_LENGTH.to_owned())
        }
    }

    /// Whether the next `length` bytes are followed by a record or by the end.
    fn ends_after(&mut self, length: usize) -> bool {
        let is_all = !self.need(length + MOST_BLANK);
        let Some(next) = self.rest().get(length..) else { return false };
        let next = &next[next.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count()..];
        next.starts_with(START) || is_all && START.starts_with(next)
    }

    fn header(&mut self) -> Result<(Headers, usize), String> {
        self.need(START.len());
        if !self.rest().starts_with(START) {
            return Err("no record begins there".to_owned());
        }
        loop {
            // Without this check, a file of many starts of records would be read as many times.
            let next = memmem::find(self.rest(), b"\nWARC/1.");
            if let Some(header) = Headers::read(&self.rest()[..next.unwrap_or(self.rest().len())]) {
                return Ok(header);
            }
            if next.is_some() {
                return Err("its header does not end".to_owned());
            }
            if self.rest().len() > MOST_HEADER {
                return Err(format!("its header has more than {MOST_HEADER} bytes"));
            }
            if !self.more() {
                return Err(self.error.clone().unwrap_or_else(|| "the file ends in its header".to_owned()));
            }
        }
    }

    /// Skips the next `length` bytes, piece by piece.
    pub(super) fn pass(&mut self, length: u64, mut each: impl FnMut(&[u8])) -> Result<(), String> {
        let mut left = length;
        loop {
            let n = self.rest().len().min(usize::try_from(left).unwrap_or(usize::MAX));
            each(&self.rest()[..n]);
            self.skip(n);
            left -= n as u64;
            if left == 0 {
                return Ok(());
            }
            if !self.more() {
                let found = length - left;
                return Err(self.error.clone().unwrap_or(format!("it ends after {found} of {length} bytes")));
            }
        }
    }
}
