//! Receives the body of a media file into a temporary file until it is complete, so that a truncated file is never taken for a whole one.
//! Only one file is received at a time, so a killed run leaves at most one behind.

use crate::digest::{Sha256, hex};
use crate::whole_file::{Unfinished, is_refused, new_file};
use flate2::write::MultiGzDecoder;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// The name of the temporary file.
const NAME: &str = ".media.part";

/// The number of bytes at the start of a body that are kept, from which its type is recognised.
const MOST_START: usize = 4096;

/// The state of receiving a body.
pub(super) enum ReceivedBody {
    /// The body has not begun.
    Waiting(Sink),
    Plain(Sink),
    Gzip(Box<MultiGzDecoder<Sink>>),
    Whole(Sink),
    /// The body cannot be decoded.
    Broken,
}

/// The file into which the decoded bytes of a body go, and what is learnt of them on the way.
pub(super) struct Sink {
    file: NamedTempFile,
    unfinished: Unfinished,
    hasher: Sha256,
    start: Vec<u8>,
    bytes: u64,
    most: u64,
    /// Why the file cannot be written, as opposed to a body that cannot be decoded.
    failed: Option<io::Error>,
}

/// A complete body.
#[derive(Debug)]
pub(in super::super) struct Whole {
    file: NamedTempFile,
    unfinished: Unfinished,
    /// The first bytes of the body.
    pub(in super::super) start: Vec<u8>,
    pub(in super::super) bytes: u64,
    /// The SHA-256 of the body, in hexadecimal.
    pub(in super::super) sha256: String,
}

impl ReceivedBody {
    /// Creates the file in `folder`; removes one that an earlier run left.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        match fs::remove_file(folder.join(NAME)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        let (file, unfinished) = new_file(tempfile::Builder::new().prefix(NAME).rand_bytes(0), folder)?;
        let (hasher, start) = (Sha256::new(), Vec::new());
        Ok(ReceivedBody::Waiting(Sink { file, unfinished, hasher, start, bytes: 0, most: 0, failed: None }))
    }

    /// Starts a body with this content encoding and at most `most` decoded bytes.
    pub(super) fn begin(&mut self, encoding: &str, most: u64) -> io::Result<()> {
        let ReceivedBody::Waiting(sink) = std::mem::replace(self, ReceivedBody::Broken) else { return Ok(()) };
        let sink = Sink { most, ..sink };
        *self = match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" | "none" => ReceivedBody::Plain(sink),
            "gzip" | "x-gzip" => ReceivedBody::Gzip(Box::new(MultiGzDecoder::new(sink))),
            other => return Err(io::Error::other(format!("an encoding that was not asked for: {other}"))),
        };
        Ok(())
    }

    /// Ends the body.
    pub(super) fn end(&mut self) -> io::Result<()> {
        *self = match std::mem::replace(self, ReceivedBody::Broken) {
            ReceivedBody::Plain(sink) => ReceivedBody::Whole(sink),
            ReceivedBody::Gzip(mut decoder) => {
                decoder.try_finish().map_err(broken)?;
                ReceivedBody::Whole(decoder.finish().map_err(broken)?)
            }
            other => other,
        };
        Ok(())
    }

    /// The body, if it is complete.
    ///
    /// # Errors
    /// When the file could not be written.
    pub(super) fn finish(self) -> io::Result<Option<Whole>> {
        let mut sink = match self {
            ReceivedBody::Whole(sink) | ReceivedBody::Plain(sink) | ReceivedBody::Waiting(sink)
                if sink.failed.is_some() =>
            {
                sink
            }
            ReceivedBody::Whole(sink) => {
                let Sink { file, unfinished, hasher, start, bytes, .. } = sink;
                return Ok(Some(Whole { file, unfinished, start, bytes, sha256: hex(&hasher.finalize()) }));
            }
            ReceivedBody::Gzip(mut decoder) => return decoder.get_mut().failed.take().map_or(Ok(None), Err),
            _ => return Ok(None),
        };
        sink.failed.take().map_or(Ok(None), Err)
    }
}

impl Write for ReceivedBody {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            ReceivedBody::Plain(sink) => sink.write(bytes),
            ReceivedBody::Gzip(decoder) => {
                let written = decoder.write(bytes);
                if decoder.get_ref().failed.is_some() { written } else { written.map_err(broken) }
            }
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes + bytes.len() as u64 > self.most {
            return Err(io::Error::other(format!("more than {} MiB when decompressed", self.most >> 20)));
        }
        if let Err(e) = self.file.write_all(bytes) {
            let kind = e.kind();
            self.failed = Some(e);
            return Err(kind.into());
        }
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        let room = MOST_START.saturating_sub(self.start.len());
        self.start.extend_from_slice(&bytes[..bytes.len().min(room)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Whole {
    /// Moves the file to its place, creating the folders above it. Returns false if the file system does not allow that: there may be a
    /// folder with its name, or a file with the name of a folder above it.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(in super::super) fn commit(self, path: &Path) -> io::Result<bool> {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let put = made.and_then(|()| self.file.persist(path).map_err(|e| e.error));
        drop(self.unfinished);
        match put {
            Ok(_) => Ok(true),
            Err(e) if is_refused(&e) => Ok(false),
            Err(e) => Err(e),
        }
    }
}

/// The error for a body that does not decode.
fn broken(error: io::Error) -> io::Error {
    io::Error::other(format!("broken compression: {error}"))
}
