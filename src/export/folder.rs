//! The folder of a dataset: files that are written side by side out of sight and appear together when all are complete,
//! the manifest last. The formats determine their content.
//!
//! A file is either written piece by piece with [`Folder::create`] and [`Folder::append`], or at once with
//! [`Folder::write_file`]. Both take paths below the folder, separated by `/`. Memory: 128 KiB for each growing file, 8
//! MiB in total; for a file written at once, only its line in the manifest, about 200 bytes, and some 500 more when the
//! dataset is put in place. No file stays open.

mod encoder;
mod placing;

use crate::digest::Sha256;
use crate::export::manifest;
use crate::export::tally::Tally;
use crate::report::{Error, Report};
use crate::spill::Unfinished;
use encoder::Encoder;
use placing::Placing;
use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_128;

/// Bytes of a file that are kept back before it is opened, appended to, and closed again.
const KEPT_BACK: usize = 128 * 1024;

/// Bytes kept back of all files together.
const KEPT_BACK_IN_ALL: usize = 8 << 20;

/// What the name of the hidden folder starts with in which the files grow.
const STAGING: &str = ".wp-export.";

/// How the files of a dataset are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip: `.gz` is appended to each name.
    Gzip,
    /// Zstandard: `.zst` is appended.
    Zstd,
}

impl Compression {
    /// The suffix of compressed files.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Compression::Gzip => "gz",
            Compression::Zstd => "zst",
        }
    }
}

/// Whether a file of this name in this folder is no longer ours, and must stay.
pub(crate) type Keeps = fn(&Path, &str) -> bool;

/// A dataset that is being written. Dropped before [`Folder::commit`], it leaves no file.
pub(crate) struct Folder {
    path: PathBuf,
    keeps: Keeps,
    staging: TempDir,
    _unfinished: Unfinished,
    compression: Option<Compression>,
    growing: Vec<Growing>,
    /// The files that were written at once.
    whole: Vec<manifest::File>,
    /// Those that are complete, in the order of the manifest.
    complete: Vec<manifest::File>,
    documents: Vec<manifest::Document>,
    /// The files by the hash of their names in lower case: some file systems do not tell `Post` from `post`.
    names: HashMap<u128, Place>,
    /// The folders that have been made for them.
    folders: HashSet<String>,
    kept_back: usize,
}

/// Which file a name belongs to, by its number.
#[derive(Clone, Copy)]
enum Place {
    Growing(usize),
    Whole(usize),
}

/// A file that is not complete yet. It is closed between two writes: there may be more types than open files allowed.
struct Growing {
    file: manifest::File,
    encoder: Encoder,
    hash: Sha256,
}

impl Folder {
    /// Makes the folder at `path` ready: creates it if need be, removes an old manifest of ours and the files it lists.
    ///
    /// # Errors
    /// When it cannot be created, read or written, is not a directory, or has a manifest.json that is not ours.
    pub(crate) fn open(path: &Path, compression: Option<Compression>, keeps: Keeps) -> Result<Self, Error> {
        let fail = |e: io::Error| Error::io(path.display().to_string(), e);
        fs::create_dir_all(path).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => fail(io::ErrorKind::NotADirectory.into()),
            _ => fail(e),
        })?;
        placing::remove_old_dataset(path, keeps)?;
        for name in placing::names_in(path)?.iter().filter(|name| name.starts_with(STAGING)) {
            // A run that was killed left it.
            fs::remove_dir_all(path.join(name)).map_err(fail)?;
        }
        let make = || tempfile::Builder::new().prefix(STAGING).tempdir_in(path);
        let (staging, unfinished) = Unfinished::make(make).map_err(|e| fail(e.kind().into()))?;
        Ok(Folder {
            path: path.to_owned(),
            keeps,
            staging,
            _unfinished: unfinished,
            compression,
            growing: Vec::new(),
            whole: Vec::new(),
            complete: Vec::new(),
            documents: Vec::new(),
            names: HashMap::new(),
            folders: HashSet::new(),
            kept_back: 0,
        })
    }

    /// Starts a file (`name` without the suffix of compression) for records of a kind and type, where it holds only such;
    /// gives back its number.
    ///
    /// # Errors
    /// When there is a file of this name, upper and lower case aside.
    pub(crate) fn create(&mut self, name: &str, kind: Option<&str>, r#type: Option<&str>) -> Result<usize, Error> {
        let number = self.growing.len();
        let file = self.enter(name, kind, r#type, Place::Growing(number))?;
        let encoder = Encoder::new(self.compression).map_err(|e| self.error(&file.name, e))?;
        self.growing.push(Growing { file, encoder, hash: Sha256::new() });
        Ok(number)
    }

    /// Writes a whole file of so many records, named as for [`Folder::create`].
    ///
    /// # Errors
    /// As [`Folder::create`], and when the disk is full, for example.
    pub(crate) fn write_file(
        &mut self,
        name: &str,
        (kind, r#type): (Option<&str>, Option<&str>),
        bytes: &[u8],
        records: u64,
    ) -> Result<(), Error> {
        let mut file = self.enter(name, kind, r#type, Place::Whole(self.whole.len()))?;
        let encoded = match self.compression {
            None => None,
            Some(_) => Some(self.encode(bytes).map_err(|e| self.error(&file.name, e))?),
        };
        let bytes = encoded.as_deref().unwrap_or(bytes);
        fs::write(self.staging.path().join(&file.name), bytes).map_err(|e| self.error(&file.name, e))?;
        (file.records, file.bytes, file.sha256) = (records, bytes.len() as u64, Sha256::digest(bytes));
        self.whole.push(file);
        Ok(())
    }

    fn encode(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = Encoder::new(self.compression)?;
        encoder.write(bytes)?;
        encoder.finish()?;
        Ok(std::mem::take(encoder.waiting()))
    }

    /// A new file in the manifest, and room for it.
    fn enter(
        &mut self,
        name: &str,
        kind: Option<&str>,
        r#type: Option<&str>,
        place: Place,
    ) -> Result<manifest::File, Error> {
        let name = match self.compression {
            Some(compression) => format!("{name}.{}", compression.suffix()),
            None => name.to_owned(),
        };
        let [kind, r#type] = [kind, r#type].map(|word| word.map(Box::from));
        let file = manifest::File { name, kind, r#type, records: 0, bytes: 0, sha256: [0; 32] };
        if let Some(other) = self.names.insert(xxh3_128(file.name.to_lowercase().as_bytes()), place) {
            let other = match other {
                Place::Growing(number) => &self.growing[number].file,
                Place::Whole(number) => &self.whole[number],
            };
            let what = format!("{}: {} would clash with {}", self.path.display(), told(&file), told(other));
            return Err(Error::Trouble(what));
        }
        if let Some((folder, _)) = file.name.rsplit_once('/')
            && !self.folders.contains(folder)
        {
            fs::create_dir_all(self.staging.path().join(folder)).map_err(|e| self.error(&file.name, e))?;
            self.folders.insert(folder.to_owned());
        }
        Ok(file)
    }

    /// Trouble with a file, named by the place where it would be.
    fn error(&self, name: &str, source: io::Error) -> Error {
        Error::io(self.path.join(name).display().to_string(), source)
    }

    /// Appends to the file `number` bytes that hold so many records.
    ///
    /// # Errors
    /// When the disk is full, for example.
    pub(crate) fn append(&mut self, number: usize, bytes: &[u8], records: u64) -> Result<(), Error> {
        let growing = &mut self.growing[number];
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
            return (0..self.growing.len()).try_for_each(|number| self.write_out(number));
        }
        Ok(())
    }

    /// Moves what waits in the encoder of a file to the disk.
    fn write_out(&mut self, number: usize) -> Result<(), Error> {
        let mut bytes = std::mem::take(self.growing[number].encoder.waiting());
        self.put(number, &bytes)?;
        bytes.clear();
        *self.growing[number].encoder.waiting() = bytes;
        Ok(())
    }

    /// Appends bytes to a file on the disk, as they are.
    fn put(&mut self, number: usize, bytes: &[u8]) -> Result<(), Error> {
        let Growing { file, hash, .. } = &mut self.growing[number];
        hash.update(bytes);
        file.bytes += bytes.len() as u64;
        let fail = |e| Error::io(self.path.join(&file.name).display().to_string(), e);
        let place = self.staging.path().join(&file.name);
        let mut open = OpenOptions::new().create(true).append(true).open(place).map_err(fail)?;
        open.write_all(bytes).map_err(fail)
    }

    /// Completes the files, of which none can be written after that; gives them back as the manifest will list them.
    ///
    /// # Errors
    /// When the disk is full, for example.
    pub(crate) fn complete(&mut self) -> Result<&[manifest::File], Error> {
        for number in 0..self.growing.len() {
            let growing = &mut self.growing[number];
            growing.encoder.finish().map_err(|e| Error::io(growing.file.name.as_str(), e))?;
            self.write_out(number)?;
        }
        let finish = |growing: Growing| manifest::File { sha256: growing.hash.finalize(), ..growing.file };
        self.complete.extend(std::mem::take(&mut self.growing).into_iter().map(finish));
        self.whole.sort_by(|a, b| a.name.cmp(&b.name));
        self.complete.append(&mut self.whole);
        Ok(&self.complete)
    }

    /// Whether there is a document of this name that somebody else has written or worked on.
    pub(crate) fn keeps(&self, name: &str) -> bool {
        (self.keeps)(&self.path, name)
    }

    /// Writes a document about the dataset beside its files: never compressed, in the manifest a list of its own.
    ///
    /// # Errors
    /// When the disk is full, for example.
    pub(crate) fn write_document(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let place = self.staging.path().join(name);
        let written = place.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&place, bytes));
        written.map_err(|e| self.error(name, e))?;
        let (bytes, sha256) = (bytes.len() as u64, Sha256::digest(bytes));
        self.documents.push(manifest::Document { name: name.to_owned(), bytes, sha256 });
        Ok(())
    }

    /// Completes the files, puts them in their places, and then the manifest. Files of others in the folder stay and are
    /// named in a warning.
    ///
    /// # Errors
    /// When a file cannot be written or renamed; then those already in place are removed again.
    pub(crate) fn commit(mut self, format: &str, tally: &Tally, report: &mut Report) -> Result<(), Error> {
        self.complete()?;
        let (files, documents) = (&self.complete, &self.documents);
        let json = manifest::write(format, self.compression.map(Compression::suffix), files, documents, tally);
        let staged = self.staging.path().join(manifest::NAME);
        fs::write(staged, json).map_err(|e| self.error(manifest::NAME, e))?;
        let names = files.iter().map(|file| &file.name).chain(documents.iter().map(|document| &document.name));
        let names: Vec<&str> = names.map(String::as_str).collect();
        placing::warn_of_foreign(&self.path, &names, report)?;
        let mut placing = Placing::new(self.staging.path(), &self.path);
        let outcome = names.into_iter().chain([manifest::NAME]).try_for_each(|name| placing.place(name));
        if outcome.is_err() {
            placing.take_back();
        }
        outcome
    }
}

/// A file in words.
fn told(file: &manifest::File) -> String {
    match (&file.kind, &file.r#type) {
        (None, None) => file.name.clone(),
        (kind, r#type) => {
            let word = |word: &Option<Box<str>>| word.as_deref().unwrap_or("?").to_owned();
            format!("{} ({} {})", file.name, word(kind), word(r#type))
        }
    }
}

#[cfg(test)]
mod tests;
