//! The output of a stage: one large buffer, flushed by hand, so that a full disk is seen.

use crate::report::Error;
use std::io::{BufWriter, Write};

/// Bytes kept back before a write.
const BUFFER: usize = 256 * 1024;

/// Where the records of a stage go.
pub struct Output {
    name: String,
    writer: BufWriter<Box<dyn Write + Send>>,
}

impl Output {
    /// An output; `name` stands in errors.
    pub fn new(name: &str, writer: Box<dyn Write + Send>) -> Self {
        Output { name: name.to_owned(), writer: BufWriter::with_capacity(BUFFER, writer) }
    }

    /// Writes some whole lines.
    ///
    /// # Errors
    /// When they cannot be written, [`Error::BrokenPipe`] when nobody reads them.
    pub fn write(&mut self, lines: &[u8]) -> Result<(), Error> {
        self.writer.write_all(lines).map_err(|e| Error::io(self.name.as_str(), e))
    }

    /// Writes what is still in the buffer.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn flush(&mut self) -> Result<(), Error> {
        self.writer.flush().map_err(|e| Error::io(self.name.as_str(), e))
    }
}
