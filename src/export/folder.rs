//! The folder of a dataset: files that grow side by side out of sight, and appear together when all are complete, the
//! manifest last. What stands in the files is the business of the formats.

use crate::export::manifest;
use crate::export::tally::Tally;
use crate::report::{Error, Report};
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Bytes of a file that are kept back before it is opened, appended to, and closed again.
const KEPT_BACK: usize = 256 * 1024;

/// Bytes kept back of all files together.
const KEPT_BACK_IN_ALL: usize = 8 << 20;

/// What the name of the hidden folder starts with in which the files grow.
const STAGING: &str = ".wp-export.";

/// How many foreign files are named.
const NAMED: usize = 5;

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
    pub fn suffix(self) -> &'static str {
        match self {
            Compression::Gzip => "gz",
            Compression::Zstd => "zst",
        }
    }
}

/// A dataset that is being written. Dropped before [`Folder::commit`], it leaves no file.
pub struct Folder {
    path: PathBuf,
    staging: TempDir,
    compression: Option<Compression>,
    files: Vec<Growing>,
    /// Numbers of the files by their names in lower case: some file systems do not tell `Post` from `post`.
    numbers: HashMap<String, usize>,
    kept_back: usize,
}

/// A file that is not complete yet. It is closed between two writes: there may be more types than open files allowed.
struct Growing {
    file: manifest::File,
    encoder: Encoder,
    hash: Sha256,
}

enum Encoder {
    Plain(Vec<u8>),
    Gzip(GzEncoder<Vec<u8>>),
    Zstd(zstd::Encoder<'static, Vec<u8>>),
}

impl Folder {
    /// Makes the folder at `path` ready: creates it if need be, removes an old manifest of ours and the files it lists.
    ///
    /// # Errors
    /// When it cannot be created, read or written, is no directory, or holds a manifest.json that is not ours.
    pub fn open(path: &Path, compression: Option<Compression>) -> Result<Self, Error> {
        let fail = |e: io::Error| Error::io(path.display().to_string(), e);
        fs::create_dir_all(path).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => fail(io::ErrorKind::NotADirectory.into()),
            _ => fail(e),
        })?;
        remove_old_dataset(path)?;
        for name in names_in(path)?.iter().filter(|name| name.starts_with(STAGING)) {
            // A run that was killed left it.
            fs::remove_dir_all(path.join(name)).map_err(fail)?;
        }
        let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(path).map_err(|e| fail(e.kind().into()))?;
        Ok(Folder {
            path: path.to_owned(),
            staging,
            compression,
            files: Vec::new(),
            numbers: HashMap::new(),
            kept_back: 0,
        })
    }

    /// Starts a file (`name` without the suffix of compression) for the records of a type; gives back its number.
    ///
    /// # Errors
    /// When another type has a file of this name, upper and lower case aside.
    pub fn create(&mut self, name: &str, kind: &str, r#type: &str) -> Result<usize, Error> {
        let name = match self.compression {
            Some(compression) => format!("{name}.{}", compression.suffix()),
            None => name.to_owned(),
        };
        let number = self.files.len();
        if let Some(other) = self.numbers.insert(name.to_lowercase(), number) {
            let of = |file: &manifest::File| {
                let word = |word: &Option<String>| word.as_deref().unwrap_or("?").to_owned();
                format!("{} ({} {})", file.name, word(&file.kind), word(&file.r#type))
            };
            let other = of(&self.files[other].file);
            let what = format!("{}: {name} ({kind} {type}) would clash with {other}", self.path.display());
            return Err(Error::Trouble(what));
        }
        let encoder = match self.compression {
            None => Encoder::Plain(Vec::new()),
            Some(Compression::Gzip) => Encoder::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::default())),
            Some(Compression::Zstd) => {
                let encoder = zstd::Encoder::new(Vec::new(), 0);
                Encoder::Zstd(encoder.map_err(|e| Error::io(name.as_str(), e))?)
            }
        };
        let (kind, r#type) = (Some(kind.to_owned()), Some(r#type.to_owned()));
        let file = manifest::File { name, kind, r#type, records: 0, bytes: 0, sha256: String::new() };
        self.files.push(Growing { file, encoder, hash: Sha256::new() });
        Ok(number)
    }

    /// Appends to the file `number` bytes that hold so many records.
    ///
    /// # Errors
    /// When the disk is full, for example.
    pub fn append(&mut self, number: usize, bytes: &[u8], records: u64) -> Result<(), Error> {
        let growing = &mut self.files[number];
        growing.file.records += records;
        if matches!(&growing.encoder, Encoder::Plain(waiting) if waiting.is_empty()) && bytes.len() >= KEPT_BACK {
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
            return (0..self.files.len()).try_for_each(|number| self.write_out(number));
        }
        Ok(())
    }

    /// Moves what waits in the encoder of a file to the disk.
    fn write_out(&mut self, number: usize) -> Result<(), Error> {
        let mut bytes = std::mem::take(self.files[number].encoder.waiting());
        self.put(number, &bytes)?;
        bytes.clear();
        *self.files[number].encoder.waiting() = bytes;
        Ok(())
    }

    /// Appends bytes to a file on the disk, as they are.
    fn put(&mut self, number: usize, bytes: &[u8]) -> Result<(), Error> {
        let Growing { file, hash, .. } = &mut self.files[number];
        hash.update(bytes);
        file.bytes += bytes.len() as u64;
        let fail = |e| Error::io(self.path.join(&file.name).display().to_string(), e);
        let place = self.staging.path().join(&file.name);
        let mut open = OpenOptions::new().create(true).append(true).open(place).map_err(fail)?;
        open.write_all(bytes).map_err(fail)
    }

    /// Completes the files, puts them in their places, and then the manifest. Files of others in the folder stay and are
    /// named in a warning.
    ///
    /// # Errors
    /// When a file cannot be written or renamed; then those already in place are removed again.
    pub fn commit(mut self, format: &str, tally: &Tally, report: &mut Report) -> Result<(), Error> {
        for number in 0..self.files.len() {
            let growing = &mut self.files[number];
            growing.encoder.finish().map_err(|e| Error::io(growing.file.name.as_str(), e))?;
            self.write_out(number)?;
        }
        let finish = |growing: Growing| manifest::File { sha256: hex(&growing.hash.finalize()), ..growing.file };
        let files: Vec<_> = std::mem::take(&mut self.files).into_iter().map(finish).collect();
        let compression = self.compression.map(Compression::suffix);
        let json = manifest::write(format, compression, &files, tally);
        self.warn_of_foreign(&files, report)?;
        let mut placed = Vec::new();
        let outcome = self.place(&files, &json, &mut placed);
        if outcome.is_err() {
            for path in placed {
                // The trouble that is reported is the first one.
                let _ = fs::remove_file(path);
            }
        }
        outcome
    }

    fn place(&self, files: &[manifest::File], manifest: &[u8], placed: &mut Vec<PathBuf>) -> Result<(), Error> {
        let rename = |name: &str| {
            let (from, to) = (self.staging.path().join(name), self.path.join(name));
            fs::rename(from, &to).map(|()| to.clone()).map_err(|e| Error::io(to.display().to_string(), e))
        };
        let staged = self.staging.path().join(manifest::NAME);
        let in_place = || self.path.join(manifest::NAME).display().to_string();
        fs::write(staged, manifest).map_err(|e| Error::io(in_place(), e))?;
        for file in files {
            placed.push(rename(&file.name)?);
        }
        placed.push(rename(manifest::NAME)?);
        Ok(())
    }

    fn warn_of_foreign(&self, files: &[manifest::File], report: &mut Report) -> Result<(), Error> {
        let ours: HashSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let mut foreign = names_in(&self.path)?;
        foreign.retain(|name| !name.starts_with(STAGING));
        let (replaced, left): (Vec<_>, Vec<_>) = foreign.into_iter().partition(|name| ours.contains(name.as_str()));
        for (names, what) in
            [(left, "not of this dataset, left as it is"), (replaced, "stood there without a manifest, replaced")]
        {
            for name in names.iter().take(NAMED) {
                report.warn(&format!("{}: {what}", self.path.join(name).display()));
            }
            if names.len() > NAMED {
                report.warn(&format!("{}: {} more files {what}", self.path.display(), names.len() - NAMED));
            }
        }
        Ok(())
    }
}

impl Encoder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Plain(waiting) => {
                waiting.extend_from_slice(bytes);
                Ok(())
            }
            Encoder::Gzip(encoder) => encoder.write_all(bytes),
            Encoder::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    /// The bytes that have come out of it and are not yet on the disk.
    fn waiting(&mut self) -> &mut Vec<u8> {
        match self {
            Encoder::Plain(waiting) => waiting,
            Encoder::Gzip(encoder) => encoder.get_mut(),
            Encoder::Zstd(encoder) => encoder.get_mut(),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self {
            Encoder::Plain(_) => Ok(()),
            Encoder::Gzip(encoder) => encoder.try_finish(),
            Encoder::Zstd(encoder) => encoder.do_finish(),
        }
    }
}

/// Removes the manifest at `path` first, then the files it lists.
fn remove_old_dataset(path: &Path) -> Result<(), Error> {
    let place = path.join(manifest::NAME);
    let fail = |place: &Path, e| Err(Error::io(place.display().to_string(), e));
    let json = match fs::read(&place) {
        Ok(json) => json,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return fail(&place, e),
    };
    let Some(files) = manifest::listed_files(&json) else {
        let what = format!("{}: not written by wp-export; nothing was touched", place.display());
        return Err(Error::Trouble(what));
    };
    for place in std::iter::once(place).chain(files.iter().map(|name| path.join(name))) {
        match fs::remove_file(&place) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return fail(&place, e),
            _ => {}
        }
    }
    Ok(())
}

/// The names in a folder, sorted, so that messages do not depend on the file system.
fn names_in(path: &Path) -> Result<Vec<String>, Error> {
    let fail = |e| Error::io(path.display().to_string(), e);
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(fail)? {
        names.push(entry.map_err(fail)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
