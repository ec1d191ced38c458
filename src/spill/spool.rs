//! Creates spools: temporary files without a name that are written once and then read.

use crate::report::{Error, shown_path};
use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

/// The number of bytes that are buffered before a write reaches the file.
const BUFFER: usize = 256 * 1024;

/// An unlinked file in TMPDIR, which disappears however the run ends. It is written once, then read.
pub(crate) struct Spool {
    file: BufWriter<File>,
}

impl Spool {
    /// Creates an empty spool in the system's temporary directory (`TMPDIR`).
    ///
    /// # Errors
    /// If the directory cannot be written; the error names it.
    pub(crate) fn new() -> Result<Self, Error> {
        let file = unnamed()?;
        Ok(Spool { file: BufWriter::with_capacity(BUFFER, file) })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(failed)
    }

    /// The file, ready to be read from its start.
    pub(crate) fn into_reader(self) -> Result<File, Error> {
        let mut file = self.file.into_inner().map_err(|e| failed(e.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        Ok(file)
    }
}

/// An unlinked file in TMPDIR.
///
/// # Errors
/// If the directory cannot be written; the error names it.
pub(crate) fn unnamed() -> Result<File, Error> {
    tempfile::tempfile().map_err(failed)
}

/// A part of a file, which may be read at other positions at the same time.
pub(crate) struct PartOfFile<F> {
    pub(crate) file: F,
    pub(crate) at: u64,
    pub(crate) end: u64,
}

impl<F: Borrow<File>> Read for PartOfFile<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        let read = self.file.borrow().read_at(&mut buffer[..most], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// An error of a spool, with the name of its directory.
pub(crate) fn failed(source: io::Error) -> Error {
    Error::io(format!("{} (spool)", shown_path(&std::env::temp_dir())), source)
}

/// Copies all of `reader` into a spool and returns it as a file at its start.
///
/// # Errors
/// If reading (the error names `name`) or spooling fails.
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
    fn a_spool_gives_back_what_it_took() {
        let mut file = spool("-", &b"abc"[..]).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
    }
}
