//! Sorts more data than fit into memory: byte strings by their keys. A run is what is sorted in memory at once; runs are written to an
//! unlinked file and merged when they are read. Callers interpret keys and values.

use super::spool::{PartOfFile, failed, unnamed};
use crate::codec::{Packed, put_bytes};
use crate::report::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;

/// The default size of a run in bytes.
const RUN: usize = 8 << 20;

/// The number of bytes of a run that are read at a time.
const PIECE: usize = 32 << 10;

/// Entries that have been added but not sorted.
pub(crate) struct Sorter {
    /// The most bytes of a run.
    most: usize,
    bytes: Vec<u8>,
    /// For each entry in `bytes`: the offset of its key, and the lengths of key and value.
    entries: Vec<(u32, u32, u32)>,
    /// The file with the earlier runs.
    file: Option<File>,
    /// The offset of each run in the file.
    starts: Vec<u64>,
    written: u64,
}

impl Default for Sorter {
    fn default() -> Self {
        Sorter::with_runs_of(RUN)
    }
}

impl Sorter {
    /// Creates a sorter with runs of `most` bytes, which are held in memory. Longer runs are fewer, and reading each needs 32 KiB.
    pub(crate) fn with_runs_of(most: usize) -> Self {
        Sorter { most, bytes: Vec::new(), entries: Vec::new(), file: None, starts: Vec::new(), written: 0 }
    }

    /// Adds an entry. The order of entries with equal keys is undefined.
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error> {
        if !self.entries.is_empty() && self.bytes.len() + 12 * self.entries.len() + key.len() + value.len() > self.most
        {
            self.write_run()?;
        }
        let length = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(|_| failed(io::ErrorKind::FileTooLarge.into()));
        self.entries.push((self.bytes.len() as u32, length(key)?, length(value)?));
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        Ok(())
    }

    fn write_run(&mut self) -> Result<(), Error> {
        let run = self.take_run();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(unnamed()?),
        };
        file.write_all(&run).map_err(failed)?;
        self.starts.push(self.written);
        self.written += run.len() as u64;
        Ok(())
    }

    /// Sorts the entries in memory, and removes them.
    fn take_run(&mut self) -> Vec<u8> {
        let bytes = std::mem::take(&mut self.bytes);
        let mut entries = std::mem::take(&mut self.entries);
        let key = |&(start, key, _): &(u32, u32, u32)| &bytes[start as usize..][..key as usize];
        entries.sort_unstable_by(|a, b| key(a).cmp(key(b)));
        let mut run = Vec::with_capacity(bytes.len() + 8 * entries.len());
        for (start, key, value) in entries {
            let (key, value) = bytes[start as usize..][..(key + value) as usize].split_at(key as usize);
            put_bytes(&mut run, key);
            put_bytes(&mut run, value);
        }
        run
    }

    /// Returns the entries, sorted by the bytes of their keys.
    pub(crate) fn sorted(mut self) -> Result<Sorted, Error> {
        let last = self.take_run();
        let mut runs: Vec<SortedRun> = Vec::new();
        if let Some(file) = self.file {
            let file = Arc::new(file);
            let ends = self.starts.iter().skip(1).copied().chain([self.written]);
            for (&start, end) in self.starts.iter().zip(ends) {
                let piece = PartOfFile { file: file.clone(), at: start, end };
                runs.push(SortedRun(Box::new(BufReader::with_capacity(PIECE, piece))));
            }
        }
        runs.push(SortedRun(Box::new(io::Cursor::new(last))));
        let mut sorted = Sorted { runs, heads: BinaryHeap::new() };
        for number in 0..sorted.runs.len() {
            sorted.advance(number)?;
        }
        Ok(sorted)
    }
}

/// An entry: its key and its value.
pub(crate) type KeyValue = (Vec<u8>, Vec<u8>);

pub(crate) struct Sorted {
    runs: Vec<SortedRun>,
    /// The next entry of each run.
    heads: BinaryHeap<Reverse<First>>,
}

/// An entry: its key, the number of its run, its value.
type First = (Vec<u8>, usize, Vec<u8>);

impl Sorted {
    pub(crate) fn next(&mut self) -> Result<Option<KeyValue>, Error> {
        let Some(Reverse((key, number, value))) = self.heads.pop() else { return Ok(None) };
        self.advance(number)?;
        Ok(Some((key, value)))
    }

    /// The key of the next entry.
    pub(crate) fn peek(&self) -> Option<&[u8]> {
        self.heads.peek().map(|Reverse((key, ..))| key.as_slice())
    }

    fn advance(&mut self, number: usize) -> Result<(), Error> {
        if let Some((key, value)) = self.runs[number].next().map_err(failed)? {
            self.heads.push(Reverse((key, number, value)));
        }
        Ok(())
    }
}

/// A sorted run, read from its start.
struct SortedRun(Box<dyn Read + Send>);

impl SortedRun {
    fn next(&mut self) -> io::Result<Option<KeyValue>> {
        let Some(key) = self.bytes()? else { return Ok(None) };
        let value = self.bytes()?.ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(Some((key, value)))
    }

    fn bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (mut number, mut length) = ([0; 10], 0);
        let size = loop {
            if self.0.read(&mut number[length..=length])? == 0 {
                return Ok(None);
            }
            length += 1;
            if number[length - 1] < 0x80 || length == number.len() {
                break Packed(&number[..length]).size().ok_or(io::ErrorKind::InvalidData)?;
            }
        };
        let mut bytes = vec![0; size];
        self.0.read_exact(&mut bytes)?;
        Ok(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_the_order_of_their_keys() {
        for n in [0_u64, 1, 1000, 40_000] {
            let mut sorter = Sorter::default();
            let value = |n: u64| vec![n as u8; (n % 700) as usize];
            // 7919 is prime: this yields each number once, in another order
            for n in (0..n).map(|at| at * 7919 % n) {
                sorter.add(&n.to_be_bytes(), &value(n)).unwrap();
            }
            assert_eq!(sorter.starts.is_empty(), n < 40_000, "only many go to a file");
            let mut sorted = sorter.sorted().unwrap();
            for n in 0..n {
                assert_eq!(sorted.peek(), Some(&n.to_be_bytes()[..]));
                assert_eq!(sorted.next().unwrap(), Some((n.to_be_bytes().to_vec(), value(n))));
            }
            assert_eq!(sorted.peek(), None);
            assert_eq!(sorted.next().unwrap(), None);
        }
    }
}
