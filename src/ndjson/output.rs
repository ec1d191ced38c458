//! The output of a stage: one large buffer, flushed explicitly, so that a full disk is noticed.

use super::handed::Hand;
use crate::report::Error;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes kept back before a write. What is made of a batch is more and goes out as it is: with a larger buffer it was copied
/// first, 3 % of wp-parse.
const BUFFER: usize = 64 * 1024;

/// Where the records of a stage go.
pub struct Output {
    name: String,
    to: To,
    awaited: bool,
}

enum To {
    Writer(BufWriter<Box<dyn Write + Send>>),
    /// Another stage of this process, and what is kept back of it.
    Stage(Arc<Hand>, Vec<u8>),
}

impl Output {
    /// An output; `name` is used in errors.
    pub fn new(name: &str, writer: Box<dyn Write + Send>) -> Self {
        let to = To::Writer(BufWriter::with_capacity(BUFFER, writer));
        Output { name: name.to_owned(), to, awaited: false }
    }

    /// An output that another stage of this process reads.
    pub(super) fn handed(hand: Arc<Hand>) -> Self {
        Output { name: "-".to_owned(), to: To::Stage(hand, Vec::new()), awaited: true }
    }

    /// Notes that a reader may be waiting for each record: the output is not a file that appears when complete.
    pub(crate) fn awaited(self) -> Self {
        Output { awaited: true, ..self }
    }

    /// An output into memory, and the handle that gets what was written (after [`Output::flush`]).
    pub fn in_memory() -> (Self, Memory) {
        let memory = Memory::default();
        (Output::new("memory", Box::new(memory.clone())), memory)
    }

    /// Writes some whole lines.
    ///
    /// # Errors
    /// When they cannot be written, [`Error::BrokenPipe`] when nobody reads them.
    pub fn write(&mut self, lines: &[u8]) -> Result<(), Error> {
        match &mut self.to {
            To::Writer(writer) => writer.write_all(lines).map_err(|e| failed(&self.name, e)),
            To::Stage(hand, kept) => {
                kept.extend_from_slice(lines);
                given(kept.len() < BUFFER || hand.give(kept))
            }
        }
    }

    /// Writes some whole lines and leaves an empty vector, which is another one where a stage of this process reads them.
    ///
    /// # Errors
    /// As [`Output::write`].
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

    /// The input has nothing more at once: whoever waits for the records gets those that are ready.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn pause(&mut self) -> Result<(), Error> {
        if self.awaited { self.flush() } else { Ok(()) }
    }

    /// Writes what is still in the buffer.
    ///
    /// # Errors
    /// As [`Output::write`].
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

/// Only of an output that nobody reads any more it may be said that all is well.
fn failed(name: &str, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Error::BrokenPipe,
        _ => Error::io(name, error),
    }
}

/// What was written to [`Output::in_memory`].
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
