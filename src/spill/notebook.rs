//! Keeps a temporary log that is written, read and cleared many times, mostly in memory.

use super::spool::failed;
use crate::report::Error;
use std::io::{self, Read, Seek, SeekFrom, Write};
use tempfile::SpooledTempFile;

/// The number of bytes of a notebook that are kept in memory.
const KEPT: usize = 4 << 20;

/// A temporary log: append, rewind, read, clear, reuse. A small log stays in memory; a larger one goes to an unlinked
/// file.
pub(crate) struct Notebook(SpooledTempFile);

impl Default for Notebook {
    fn default() -> Self {
        Notebook(tempfile::spooled_tempfile(KEPT))
    }
}

impl Notebook {
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.write_all(bytes).map_err(failed)
    }

    /// Goes back to the start for reading.
    pub(crate) fn turn(&mut self) -> Result<(), Error> {
        self.0.seek(SeekFrom::Start(0)).map(|_| ()).map_err(failed)
    }

    /// Fills `bytes`; returns false at the end.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> Result<bool, Error> {
        match self.0.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(e) => Err(failed(e)),
        }
    }

    /// Appends `block` with its length, and empties it.
    pub(crate) fn write_block(&mut self, block: &mut Vec<u8>) -> Result<(), Error> {
        self.write(&(block.len() as u64).to_le_bytes())?;
        self.write(block)?;
        block.clear();
        Ok(())
    }

    /// Reads the next block that [`Notebook::write_block`] wrote; returns false after the last one.
    pub(crate) fn read_block(&mut self, block: &mut Vec<u8>) -> Result<bool, Error> {
        let mut length = [0; 8];
        if !self.read(&mut length)? {
            return Ok(false);
        }
        block.resize(u64::from_le_bytes(length) as usize, 0);
        self.read(block)
    }

    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        self.0.set_len(0).map_err(failed)?;
        self.turn()
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
}
