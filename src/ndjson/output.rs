//! Writes the output of a stage through one large buffer, flushed explicitly, so that a full disk is noticed.

use super::handed::Hand;
use crate::report::Error;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of bytes that are buffered before a write. The results of a batch are larger and are written directly: a larger buffer would
/// copy them first, which took 3 % of wp-parse.
const BUFFER: usize = 64 * 1024;

/// The destination of a stage's records.
pub struct Output {
    name: String,
    to: To,
    awaited: bool,
}

enum To {
    Writer(BufWriter<Box<dyn Write + Send>>),
    /// Another stage of this process, and the lines that are buffered for it.
    Stage(Arc<Hand>, Vec<u8>),
}

impl Output {
    /// Creates an output to `writer`; `name` is used in errors.
    pub fn new(name: &str, writer: Box<dyn Write + Send>) -> Self {
        let to = To::Writer(BufWriter::with_capacity(BUFFER, writer));
        Output { name: name.to_owned(), to, awaited: false }
    }

    /// Creates an output that another stage of this process reads.
    pub(super) fn handed(hand: Arc<Hand>) -> Self {
        Output { name: "-".to_owned(), to: To::Stage(hand, Vec::new()), awaited: true }
    }

    /// Marks an output whose reader may be waiting for each record, unlike a file that appears when complete.
    pub(crate) fn awaited(self) -> Self {
        Output { awaited: true, ..self }
    }

    /// Creates an output into memory, and a handle to the bytes that have been written (after [`Output::flush`]).
    pub fn in_memory() -> (Self, Memory) {
        let memory = Memory::default();
        (Output::new("memory", Box::new(memory.clone())), memory)
    }

    /// Writes some whole lines.
    ///
    /// # Errors
    /// If they cannot be written; [`Error::BrokenPipe`] if the reader has gone.
    pub fn write(&mut self, lines: &[u8]) -> Result<(), Error> {
        match &mut self.to {
            To::Writer(writer) => writer.write_all(lines).map_err(|e| failed(&self.name, e)),
            To::Stage(hand, kept) => {
                kept.extend_from_slice(lines);
                given(kept.len() < BUFFER || hand.give(kept))
            }
        }
    }

    /// Writes some whole lines and leaves an empty vector; if another stage of this process is the reader, that is a
    /// different vector.
    ///
    /// # Errors
    /// Those of [`Output::write`].
    pub(crate) fn hand_on(&mut self, lines: &mut Vec<u8>) -> Result<(), Error> {
        if let To::Stage(hand, kept) = &mut self.to
            && lines.len() >= BUFFER
        {
            return given((kept.is_empty() || hand.give(kept)) && hand.give(lines));
        }
        self.write(lines)?;
        lines.clear();
        Ok(())
    }

    /// Called when the next input has not arrived yet: passes the buffered records on if their reader may be waiting.
    ///
    /// # Errors
    /// Those of [`Output::write`].
    pub fn pause(&mut self) -> Result<(), Error> {
        if self.awaited { self.flush() } else { Ok(()) }
    }

    /// Writes the bytes that are still buffered.
    ///
    /// # Errors
    /// Those of [`Output::write`].
    pub fn flush(&mut self) -> Result<(), Error> {
        match &mut self.to {
            To::Writer(writer) => writer.flush().map_err(|e| failed(&self.name, e)),
            To::Stage(hand, kept) => given(kept.is_empty() || hand.give(kept)),
        }
    }
}

fn given(is_read: bool) -> Result<(), Error> {
    if is_read { Ok(()) } else { Err(Error::BrokenPipe) }
}

/// The error of a failed write: only a missing reader is not a failure of the run.
fn failed(name: &str, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Error::BrokenPipe,
        _ => Error::io(name, error),
    }
}

/// The bytes that were written to [`Output::in_memory`].
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    /// Takes the bytes that have arrived so far.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
