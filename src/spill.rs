//! Scratch space in TMPDIR, for what does not fit into memory: files without names, which disappear with the process. What is
//! written to them is up to the callers.

mod shelf;
mod sorter;

pub(crate) use shelf::Shelf;
pub(crate) use sorter::{Sorted, Sorter};

use crate::report::{Error, shown_path};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use tempfile::SpooledTempFile;

/// Bytes buffered before a write reaches the file.
const BUFFER: usize = 256 * 1024;

/// An unlinked file in TMPDIR, which disappears however the run ends. Written once, then read.
pub(crate) struct Spool {
    file: BufWriter<File>,
}

impl Spool {
    /// An empty spool in the system's temporary directory (`TMPDIR`).
    ///
    /// # Errors
    /// When the directory cannot be written; the error names it.
    pub(crate) fn new() -> Result<Self, Error> {
        let file = unnamed()?;
        Ok(Spool { file: BufWriter::with_capacity(BUFFER, file) })
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// When the disk is full, for example.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(failed)
    }

    /// The file, ready to be read from its start.
    ///
    /// # Errors
    /// When the written data cannot be flushed.
    pub(crate) fn into_reader(self) -> Result<File, Error> {
        let mut file = self.file.into_inner().map_err(|e| failed(e.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        Ok(file)
    }
}

/// An unlinked file in TMPDIR.
///
/// # Errors
/// When the directory cannot be written; the error names it.
pub(crate) fn unnamed() -> Result<File, Error> {
    tempfile::tempfile().map_err(failed)
}

/// An error of a spool, with its directory.
pub(crate) fn failed(source: io::Error) -> Error {
    Error::io(format!("{} (spool)", shown_path(&std::env::temp_dir())), source)
}

/// Bytes of a notebook that stay in memory.
const KEPT: usize = 4 << 20;

/// A scratch log: append, rewind, read, clear, reuse. Small ones stay in memory, larger ones go to an unlinked
/// file.
pub(crate) struct Notebook(SpooledTempFile);

impl Default for Notebook {
    fn default() -> Self {
        Notebook(tempfile::spooled_tempfile(KEPT))
    }
}

impl Notebook {
    /// Appends `bytes`.
    ///
    /// # Errors
    /// When they do not fit into TMPDIR.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.write_all(bytes).map_err(failed)
    }

    /// Goes back to the start for reading.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn turn(&mut self) -> Result<(), Error> {
        self.0.seek(SeekFrom::Start(0)).map(|_| ()).map_err(failed)
    }

    /// Fills `bytes`; false at the end.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> Result<bool, Error> {
        match self.0.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(e) => Err(failed(e)),
        }
    }

    /// Appends `block` as one, and empties it.
    ///
    /// # Errors
    /// As [`Notebook::write`].
    pub(crate) fn write_block(&mut self, block: &mut Vec<u8>) -> Result<(), Error> {
        self.write(&(block.len() as u64).to_le_bytes())?;
        self.write(block)?;
        block.clear();
        Ok(())
    }

    /// Reads the next of those that were written so; false after the last.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn read_block(&mut self, block: &mut Vec<u8>) -> Result<bool, Error> {
        let mut length = [0; 8];
        if !self.read(&mut length)? {
            return Ok(false);
        }
        block.resize(u64::from_le_bytes(length) as usize, 0);
        self.read(block)
    }

    /// Deletes everything.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        self.0.set_len(0).map_err(failed)?;
        self.turn()
    }
}

/// Copies all of `reader` into a spool and returns it as a file at its start.
///
/// # Errors
/// When reading (the error names `name`) or spooling fails.
pub(crate) fn spool(name: &str, mut reader: impl Read) -> Result<File, Error> {
    let mut spool = Spool::new()?;
    let mut buffer = vec![0; BUFFER];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return spool.into_reader(),
            Ok(n) => spool.write(&buffer[..n])?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::io(name, e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notebook_gives_back_its_blocks() {
        let mut book = Notebook::default();
        book.write_block(&mut vec![7; 200]).unwrap();
        book.turn().unwrap();
        let mut block = Vec::new();
        assert!(book.read_block(&mut block).unwrap() && block == [7; 200]);
        assert!(!book.read_block(&mut Vec::new()).unwrap());
    }

    #[test]
    fn a_spool_gives_back_what_it_took() {
        let mut file = spool("-", &b"abc"[..]).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
    }
}
