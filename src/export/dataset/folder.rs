//! Writes the folder of a dataset: its files are written side by side out of sight and appear together once all are complete, the manifest
//! last. The formats determine their content.
//!
//! A file is written either piece by piece with [`Folder::create`] and [`Folder::append`], or at once with [`Folder::write_file`]. Both
//! take paths below the folder, separated by `/`. Memory: 128 KiB for each growing file, 8 MiB in total, and with compression 1 MiB for
//! each of the first 64. A file that is written at once needs only its line in the manifest, about 200 bytes, and some 500 more when the
//! dataset is put in place. Files are not kept open.

mod changes;
mod encoder;
mod exchange;
mod growing;
mod hidden;
mod ownership;
#[cfg(feature = "parquet")]
mod rewritten;
mod swap;

use crate::digest::Sha256;
use crate::export::dataset::manifest::Holds;
use crate::export::dataset::tally::Tally;
use crate::export::dataset::{manifest, names};
use crate::report::{Error, Report, shown_path};
pub use encoder::Compression;
use encoder::Encoder;
use exchange::Exchange;
use growing::GrowingFiles;
use hidden::Hidden;
use ownership::{Owner, all_folders, warn_of_foreign};
pub(crate) use ownership::{SaysOurs, read_regular};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use swap::Swap;
use xxhash_rust::xxh3::xxh3_128;

/// A dataset that is being written. If dropped before [`Ready::put_in_place`], it leaves no files, and an older dataset as it was.
pub(crate) struct Folder {
    path: PathBuf,
    owner: Owner,
    hidden: Hidden,
    /// The folder, if it was created for the dataset. It is dropped after `hidden`, which is inside it.
    _made: Made,
    /// The hashes of the names of an older dataset's files and folders.
    old: HashSet<u128>,
    /// Data of an older dataset that must not get lost.
    replaces: Holds,
    compression: Option<Compression>,
    growing: GrowingFiles,
    /// The files that were written at once.
    whole: Vec<manifest::File>,
    /// The complete files, in the order of the manifest.
    complete: Vec<manifest::File>,
    documents: Vec<manifest::Document>,
    /// The files by the hash of their names in lower case: some file systems do not distinguish `Post` from `post`.
    names: HashMap<u128, Slot>,
    /// The folders that were created for them.
    folders: HashSet<String>,
}

/// The folder, if it was created for the dataset: when the run ends, it is removed if it is empty.
struct Made(Option<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Fails, as it should, if the folder is not empty.
            let _ = fs::remove_dir(path);
        }
    }
}

/// A dataset that is complete, with its manifest, but not in its place yet.
pub(crate) struct Ready(Folder);

/// The file that has a name, by its number.
#[derive(Clone, Copy)]
enum Slot {
    Growing(usize),
    Whole(usize),
}

fn hash_of(name: &str) -> u128 {
    xxh3_128(name.as_bytes())
}

impl Folder {
    /// Prepares the folder at `path` for a dataset of this format: creates it if necessary, locks it, and finishes a replacement that a
    /// killed run began. An older dataset stays as it is.
    ///
    /// # Errors
    /// When it cannot be created, read or written, is not a directory, is locked, or has a manifest.json that is not ours.
    pub(crate) fn open(
        path: &Path,
        format: &str,
        compression: Option<Compression>,
        says_ours: SaysOurs,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let fail = |e: io::Error| Error::io(shown_path(path), e);
        let made = Made((!path.exists()).then(|| path.to_owned()));
        fs::create_dir_all(path).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => fail(io::ErrorKind::NotADirectory.into()),
            _ => fail(e),
        })?;
        let owner = Owner { says_ours };
        let mut hidden = Hidden::lock(path)?;
        if hidden.is_changing() {
            finish_for_killed_run(path, &hidden, owner)?;
            let what = "an earlier run was killed while it put its dataset in place; this has been finished";
            report.warn(&format!("{}: {what}", shown_path(path)));
        }
        exchange::clear(path, owner, report);
        let old = owner.dataset(path, &path.join(names::MANIFEST))?;
        if let Some(old) = old.as_ref().filter(|old| old.format != format) {
            let what = format!("holds a dataset of the format {}, which {format} will replace", old.format);
            report.warn(&format!("{}: {what}", shown_path(path)));
        }
        let replaces = old.as_ref().map(|old| old.holds.clone()).unwrap_or_default();
        let old = old.map(|old| old.files).unwrap_or_default();
        // A new file may take the place of an old folder.
        let folders = all_folders(old.iter().map(String::as_str)).into_iter().map(|name| hash_of(&format!("{name}/")));
        let old = old.iter().map(|name| hash_of(name)).chain(folders).collect();
        hidden.start()?;
        let growing = GrowingFiles::new(hidden.new_files(), path, compression);
        Ok(Folder {
            path: path.to_owned(),
            owner,
            hidden,
            _made: made,
            old,
            replaces,
            compression,
            growing,
            whole: Vec::new(),
            complete: Vec::new(),
            documents: Vec::new(),
            names: HashMap::new(),
            folders: HashSet::new(),
        })
    }

    /// Starts a file (`name` without the suffix of compression) and returns its number. `kind` and `type` are those of its records, if all
    /// have the same.
    ///
    /// # Errors
    /// If the dataset has a file of this name, ignoring case (formats ask [`names`] for a free one), or somebody else's file is in its
    /// place.
    pub(crate) fn create(&mut self, name: &str, kind: Option<&str>, r#type: Option<&str>) -> Result<usize, Error> {
        let number = self.growing.len();
        let file = self.enter(name, kind, r#type, Slot::Growing(number))?;
        self.growing.push(file)?;
        Ok(number)
    }

    /// Writes a whole file with this many records, named as for [`Folder::create`].
    ///
    /// # Errors
    /// As for [`Folder::create`], and I/O errors such as a full disk.
    pub(crate) fn write_file(
        &mut self,
        name: &str,
        (kind, r#type): (Option<&str>, Option<&str>),
        bytes: &[u8],
        records: u64,
    ) -> Result<(), Error> {
        let mut file = self.enter(name, kind, r#type, Slot::Whole(self.whole.len()))?;
        let encoded = match self.compression {
            None => None,
            Some(_) => Some(self.encode(bytes).map_err(|e| self.error(&file.name, e))?),
        };
        let bytes = encoded.as_deref().unwrap_or(bytes);
        fs::write(self.hidden.new_files().join(&file.name), bytes).map_err(|e| self.error(&file.name, e))?;
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

    /// Checks the name of a new file, makes its folder, and returns its entry for the manifest.
    fn enter(
        &mut self,
        name: &str,
        kind: Option<&str>,
        r#type: Option<&str>,
        place: Slot,
    ) -> Result<manifest::File, Error> {
        let name = match self.compression {
            Some(compression) => format!("{name}.{}", compression.suffix()),
            None => name.to_owned(),
        };
        let [kind, r#type] = [kind, r#type].map(|word| word.map(Box::from));
        let file = manifest::File { name, kind, r#type, records: 0, bytes: 0, sha256: [0; 32] };
        if let Some(other) = self.names.insert(xxh3_128(file.name.to_lowercase().as_bytes()), place) {
            let other = match other {
                Slot::Growing(number) => self.growing.file(number),
                Slot::Whole(number) => &self.whole[number],
            };
            let what =
                format!("{}: {} would clash with {}", shown_path(&self.path), described(&file), described(other));
            return Err(Error::Fatal(what));
        }
        if !manifest::is_inside(&file.name) {
            let what = format!("{}: {:?} would be outside of it", shown_path(&self.path), file.name);
            return Err(Error::Fatal(what));
        }
        self.refuse_foreign(&file.name)?;
        if let Some((folder, _)) = file.name.rsplit_once('/')
            && !self.folders.contains(folder)
        {
            fs::create_dir_all(self.hidden.new_files().join(folder)).map_err(|e| self.error(&file.name, e))?;
            self.folders.insert(folder.to_owned());
        }
        Ok(file)
    }

    /// Refuses a foreign file in the place of a new one. Checked before anything is written, which may take hours.
    fn refuse_foreign(&self, name: &str) -> Result<(), Error> {
        self.owner.is_ours(&self.path, name, |name| self.old.contains(&hash_of(name))).map(drop)
    }

    /// An error about a file, named by its final place.
    fn error(&self, name: &str, source: io::Error) -> Error {
        Error::io(shown_path(&self.path.join(name)), source)
    }

    /// Appends bytes that hold this many records to the file `number`.
    pub(crate) fn append(&mut self, number: usize, bytes: &[u8], records: u64) -> Result<(), Error> {
        self.growing.append(number, bytes, records)
    }

    /// Completes the files and returns them as the manifest will list them; they cannot be written any more after that.
    pub(crate) fn complete(&mut self) -> Result<&[manifest::File], Error> {
        self.complete.extend(self.growing.complete()?);
        self.whole.sort_by(|a, b| a.name.cmp(&b.name));
        self.complete.append(&mut self.whole);
        Ok(&self.complete)
    }

    /// The data of an older dataset in this place that must not get lost.
    pub(crate) fn replaces(&self) -> &Holds {
        &self.replaces
    }

    /// Whether there is a document of this name that somebody else wrote or edited.
    pub(crate) fn keeps(&self, name: &str) -> bool {
        (self.owner.says_ours)(&self.path, name) == Some(false)
    }

    /// Writes a document about the dataset beside its files. It is never compressed, and the manifest has a separate list for it.
    ///
    /// # Errors
    /// I/O errors such as a full disk, or if somebody else's file is in its place.
    pub(crate) fn write_document(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.refuse_foreign(name)?;
        let place = self.hidden.new_files().join(name);
        let written = place.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&place, bytes));
        written.map_err(|e| self.error(name, e))?;
        let (bytes, sha256) = (bytes.len() as u64, Sha256::digest(bytes));
        self.documents.push(manifest::Document { name: name.to_owned(), bytes, sha256 });
        Ok(())
    }

    /// Completes the files and writes the manifest, all in the hidden folder.
    pub(crate) fn prepare(mut self, format: &str, tally: &Tally) -> Result<Ready, Error> {
        self.complete()?;
        let (files, documents) = (&self.complete, &self.documents);
        let json = manifest::write(format, self.compression.map(Compression::suffix), files, documents, tally);
        fs::write(self.hidden.draft(), json).map_err(|e| self.error(names::MANIFEST, e))?;
        Ok(Ready(self))
    }
}

impl Ready {
    /// Puts the dataset in its place, where it replaces an older one. Foreign files stay and are named in a warning.
    ///
    /// # Errors
    /// If a file cannot be moved; then everything is as it was before.
    pub(crate) fn put_in_place(self, report: &mut Report) -> Result<(), Error> {
        let Ready(mut folder) = self;
        let path = &folder.path;
        let old = folder.owner.dataset(path, &path.join(names::MANIFEST))?.map(|old| old.files).unwrap_or_default();
        let names = folder.complete.iter().map(|file| &file.name);
        let names = names.chain(folder.documents.iter().map(|document| &document.name));
        let names: Vec<&str> = names.map(String::as_str).collect();
        // `Swap` refuses a foreign file in the place of a new one, and names it.
        let can_exchange = !old.is_empty() && names.iter().all(|name| folder.refuse_foreign(name).is_ok());
        let undisturbed = folder.hidden.keep();
        let exchange = can_exchange.then(|| Exchange::prepare(path, &folder.hidden, &old).ok()).flatten();
        let exchanged = exchange.map(|exchange| exchange.run(&mut folder.hidden, folder.owner, report)).transpose()?;
        if exchanged != Some(true) {
            // From here on, the replacement is decided: if this run is killed, the next one finishes it.
            let (draft, decision) = (folder.hidden.draft(), folder.hidden.new_manifest());
            changes::rename(&draft, &decision).map_err(|e| Error::io(shown_path(&decision), e))?;
            Swap::new(path, &folder.hidden, &names, &old, folder.owner).run()?;
        }
        report.placed(names.len() + 1);
        let warned = warn_of_foreign(path, &names, report);
        drop(folder);
        drop(undisturbed);
        warned
    }
}

/// Finishes the replacement that a killed run began.
fn finish_for_killed_run(path: &Path, hidden: &Hidden, owner: Owner) -> Result<(), Error> {
    let place = hidden.new_manifest();
    let json = fs::read(&place).map_err(|e| Error::io(shown_path(&place), e))?;
    let new = manifest::listed(&json).map(|listed| listed.names);
    let old = match owner.dataset(path, &hidden.old_manifest())? {
        Some(old) => Some(old),
        None => owner.dataset(path, &path.join(names::MANIFEST))?,
    };
    let old = old.map(|old| old.files).unwrap_or_default();
    let names: Vec<&str> = new.iter().flatten().map(String::as_str).collect();
    let swap = Swap::new(path, hidden, &names, &old, owner);
    // A manifest damaged by a power cut does not list the new files.
    if new.is_some() { swap.run() } else { swap.take_back() }
}

fn described(file: &manifest::File) -> String {
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
