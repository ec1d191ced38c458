//! Keeps the files of a dataset that grow while records arrive. Each is closed between two writes, because there may be more types than
//! open files allowed.

use super::encoder::{Compression, Encoder};
use crate::digest::Sha256;
use crate::export::dataset::manifest;
use crate::report::{Error, shown_path};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The number of bytes of one file that are buffered before it is opened, appended to, and closed again.
pub(super) const KEPT_BACK: usize = 128 * 1024;

/// The most bytes that are buffered for all files together.
pub(super) const KEPT_BACK_IN_ALL: usize = 8 << 20;

/// The number of files that are compressed while they grow, and whose buffers are kept. Other files are compressed once they are
/// complete: with an encoder for each, 1,500 types took 1.2 GB.
const ENCODERS: usize = 64;

/// The files in the order in which they were started; each is identified by its number.
pub(super) struct GrowingFiles {
    list: Vec<Growing>,
    /// The folder in which the files are written.
    folder: PathBuf,
    /// Their final folder, which messages name.
    dataset: PathBuf,
    compression: Option<Compression>,
    pub(super) kept_back: usize,
}

/// A file that is not complete yet.
struct Growing {
    file: manifest::File,
    encoder: Encoder,
    hash: Sha256,
    /// Whether it is on the disk.
    exists: bool,
}

impl GrowingFiles {
    pub(super) fn new(folder: PathBuf, dataset: &Path, compression: Option<Compression>) -> Self {
        GrowingFiles { list: Vec::new(), folder, dataset: dataset.to_owned(), compression, kept_back: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The manifest's entry for a file.
    pub(super) fn file(&self, number: usize) -> &manifest::File {
        &self.list[number].file
    }

    pub(super) fn push(&mut self, file: manifest::File) -> Result<(), Error> {
        let at_once = self.compression.filter(|_| self.list.len() < ENCODERS);
        let encoder = Encoder::new(at_once).map_err(|e| self.error(&file.name, e))?;
        self.list.push(Growing { file, encoder, hash: Sha256::new(), exists: false });
        Ok(())
    }

    /// An error about a file, named by its final place.
    fn error(&self, name: &str, source: io::Error) -> Error {
        Error::io(shown_path(&self.dataset.join(name)), source)
    }

    /// Appends bytes that hold this many records to the file `number`.
    pub(super) fn append(&mut self, number: usize, bytes: &[u8], records: u64) -> Result<(), Error> {
        let growing = &mut self.list[number];
        growing.file.records += records;
        if growing.encoder.is_idle() && bytes.len() >= KEPT_BACK {
            return self.put(number, bytes);
        }
        let before = growing.encoder.waiting().len();
        growing.encoder.write(bytes).map_err(|e| Error::io(growing.file.name.as_str(), e))?;
        let waiting = growing.encoder.waiting().len();
        self.kept_back += waiting - before;
        if waiting >= KEPT_BACK {
            self.kept_back -= waiting;
            return self.write_out(number);
        }
        if self.kept_back >= KEPT_BACK_IN_ALL {
            self.kept_back = 0;
            return (0..self.list.len()).try_for_each(|number| self.write_out(number));
        }
        Ok(())
    }

    /// Writes the output that waits in a file's encoder to the disk.
    fn write_out(&mut self, number: usize) -> Result<(), Error> {
        let mut bytes = std::mem::take(self.list[number].encoder.waiting());
        self.put(number, &bytes)?;
        bytes.clear();
        if number >= ENCODERS {
            bytes = Vec::new();
        }
        *self.list[number].encoder.waiting() = bytes;
        Ok(())
    }

    /// Appends bytes to a file on the disk, as they are.
    fn put(&mut self, number: usize, bytes: &[u8]) -> Result<(), Error> {
        let Growing { file, hash, exists, .. } = &mut self.list[number];
        hash.update(bytes);
        file.bytes += bytes.len() as u64;
        let fail = |e| Error::io(shown_path(&self.dataset.join(&file.name)), e);
        let place = self.folder.join(&file.name);
        // Created only once: bytes must not be appended to a file that another program has begun.
        let create = !std::mem::replace(exists, true);
        let mut open = OpenOptions::new().append(true).create_new(create).open(place).map_err(fail)?;
        open.write_all(bytes).map_err(fail)
    }

    /// Compresses a file that was written uncompressed.
    fn compress(&mut self, number: usize) -> Result<(), Error> {
        let name = self.list[number].file.name.clone();
        let place = self.folder.join(&name);
        let fail = |e| self.error(&name, e);
        let mut plain = File::open(&place).map_err(fail)?;
        fs::remove_file(&place).map_err(fail)?;
        let encoder = Encoder::new(self.compression).map_err(fail)?;
        let Growing { file, exists, .. } = &mut self.list[number];
        (file.bytes, *exists) = (0, false);
        (self.list[number].encoder, self.list[number].hash) = (encoder, Sha256::new());
        let mut piece = vec![0; KEPT_BACK];
        loop {
            let encoder = &mut self.list[number].encoder;
            let length = plain.read(&mut piece).and_then(|length| {
                if length == 0 { encoder.finish() } else { encoder.write(&piece[..length]) }.map(|()| length)
            });
            let length = length.map_err(|e| self.error(&name, e))?;
            self.write_out(number)?;
            if length == 0 {
                self.list[number].encoder = Encoder::Plain(Vec::new());
                return Ok(());
            }
        }
    }

    /// Completes the files; they cannot be written any more after that.
    pub(super) fn complete(&mut self) -> Result<Vec<manifest::File>, Error> {
        for number in 0..self.list.len() {
            let growing = &mut self.list[number];
            growing.encoder.finish().map_err(|e| Error::io(growing.file.name.as_str(), e))?;
            self.write_out(number)?;
            if number >= ENCODERS && self.compression.is_some() {
                self.compress(number)?;
            }
        }
        let finish = |growing: Growing| manifest::File { sha256: growing.hash.finalize(), ..growing.file };
        Ok(std::mem::take(&mut self.list).into_iter().map(finish).collect())
    }
}
