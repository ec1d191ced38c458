//! Decompresses members of archives that contain many records, each once, into one temporary file without a name.

use crate::spill::{self, PartOfFile};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

/// Identifies a member: the device and number of its file, the start and length of its volume in the file, and its
/// offset in the volume.
pub(super) type Key = ([u64; 4], u64);

#[derive(Default)]
pub(super) struct Scratch(Mutex<Pieces>);

#[derive(Default)]
struct Pieces {
    file: Option<Arc<File>>,
    end: u64,
    /// Where each member begins and ends in the temporary file.
    places: HashMap<Key, (u64, u64)>,
}

impl Scratch {
    /// The bytes of a member from `skip` on; calls `open` to decompress the member unless that has been done.
    ///
    /// # Errors
    /// The errors of `open`, if nothing of the member can be read, or if it does not fit into TMPDIR.
    pub(super) fn from<R: Read>(&self, key: Key, skip: u64, open: impl FnOnce() -> io::Result<R>) -> io::Result<Piece> {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match &pieces.file {
            Some(file) => file.clone(),
            None => {
                let file = spill::unnamed().map_err(|e| io::Error::other(e.to_string()))?;
                pieces.file.insert(Arc::new(file)).clone()
            }
        };
        let (start, end) = match pieces.places.get(&key) {
            Some(&place) => place,
            None => {
                let start = pieces.end;
                let mut piece = Append { file: &file, at: start };
                // The readable part of a broken member is useful.
                let copied = io::copy(&mut open()?, &mut piece);
                let end = piece.at;
                if end == start {
                    copied?;
                }
                pieces.end = end;
                pieces.places.insert(key, (start, end));
                (start, end)
            }
        };
        Ok(Piece { file, at: start.saturating_add(skip).min(end), end })
    }
}

/// Writes to a file from an offset on.
struct Append<'f> {
    file: &'f File,
    at: u64,
}

impl io::Write for Append<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write_at(bytes, self.at)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An unpacked member, or its rest.
pub(super) type Piece = PartOfFile<Arc<File>>;
