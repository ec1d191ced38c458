//! Writes the files of a fetched site. A lock keeps other runs out of the folder, and no file of the dump is ever visible half written.

use super::before::Held;
use super::file_names::{file_name, tree_path};
use super::warc::hash_of;
use crate::report::{Error, shown_path};
use crate::whole_file::{self, is_part, is_refused};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Holds the folder for one run until it is dropped or the process ends, even if killed.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File);

impl Lock {
    /// Locks the folder, creating it if necessary.
    pub(super) fn take(folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|e| Error::at(folder, e))?;
        let path = folder.join(".lock");
        let file = File::create(&path).map_err(|e| Error::at(&path, e))?;
        match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Lock(file)),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                Err(Error::Fatal(format!("{}: another run is at work here", shown_path(folder))))
            }
            Err(e) => Err(Error::at(&path, e.into())),
        }
    }
}

/// Removes files of pages and of the account that a killed run left half written, and no others. Skips folders that cannot be listed:
/// wp-index skips such files.
pub(super) fn clear_parts(top: &Path) {
    let is_own =
        |name: &str| [".index.html", ".fetch.json.", ".deleted.ndjson."].iter().any(|own| name.starts_with(own));
    let mut folders = vec![top.to_owned(), top.join("scrape")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            // A symbolic link counts as a file, so nothing outside is touched.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.extend((folder != top).then_some(path));
            } else if is_part(&path) && is_own(&entry.file_name().to_string_lossy()) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The folder of API answers that wp-index reads.
#[derive(Default)]
pub(super) struct Dump {
    folder: PathBuf,
    /// The number of files of each collection so far.
    numbers: BTreeMap<String, u32>,
    /// All files, sorted by name.
    names: BTreeMap<String, u64>,
}

/// A file of the dump, as fetch.json lists it.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    file: String,
    bytes: u64,
    sha256: String,
}

impl Dump {
    /// Opens the folder, creating it if necessary; removes half-written files of an interrupted run.
    pub(super) fn open(folder: PathBuf) -> Result<Self, Error> {
        fs::create_dir_all(&folder).map_err(|e| Error::at(&folder, e))?;
        remove_files(&folder, |name| is_part(Path::new(name)))?;
        Ok(Dump { folder, ..Dump::default() })
    }

    /// Writes the next file of a collection: `posts-0001.json`.
    pub(super) fn add(&mut self, collection: &str, json: &[u8]) -> Result<(), Error> {
        let number = self.numbers.entry(collection.to_owned()).or_default();
        *number += 1;
        let name = numbered(collection, *number);
        self.write(name, json)
    }

    /// Writes a file whose name has no number.
    pub(super) fn write(&mut self, name: String, json: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(&name);
        if !fs::read(&path).is_ok_and(|there| there == json) {
            whole_file::write(&path, json)?;
        }
        self.names.insert(name, json.len() as u64);
        Ok(())
    }

    /// The files of a collection that this run wrote, in order.
    pub(super) fn paths(&self, collection: &str) -> Vec<PathBuf> {
        let count = self.numbers.get(collection).copied().unwrap_or_default();
        (1..=count).map(|number| self.folder.join(numbered(collection, number))).collect()
    }

    /// The items of a collection in this folder.
    pub(super) fn held(&self, collection: &str) -> Result<Held, Error> {
        Held::read(&self.folder, collection)
    }

    /// Notes that the folder was renamed.
    pub(super) fn moved_to(&mut self, folder: PathBuf) {
        self.folder = folder;
    }

    /// Removes files of earlier runs that this one did not write.
    pub(super) fn clear(&self) -> Result<(), Error> {
        remove_files(&self.folder, |name| name.ends_with(".json") && !self.names.contains_key(name))
    }

    pub(super) fn list(&self) -> Result<Vec<Listed>, Error> {
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let listed = self.names.iter().map(|(name, &bytes)| {
            let sha256 = hash_of(&self.folder.join(name))?;
            Ok(Listed { file: format!("{folder}/{name}"), bytes, sha256 })
        });
        listed.collect()
    }
}

fn remove_files(folder: &Path, is_old: impl Fn(&str) -> bool) -> Result<(), Error> {
    let fail = |e| Error::at(folder, e);
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if is_old(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path()).map_err(fail)?;
        }
    }
    Ok(())
}

/// The name of a file of a collection.
fn numbered(collection: &str, number: u32) -> String {
    format!("{}-{number:04}.json", file_name(collection))
}

/// The folder of the pages as files, named as wget names them: `scrape/HOST/PATH/index.html`.
pub(super) struct Tree(PathBuf);

impl Tree {
    pub(super) fn new(folder: PathBuf) -> Self {
        Tree(folder)
    }

    /// Writes a page to the file of its URL. Returns false if the file system rejects the path, which may be too long.
    pub(super) fn write(&self, url: &str, html: &[u8]) -> Result<bool, Error> {
        let mut path = self.0.clone();
        path.extend(tree_path(url));
        let folder = path.parent().unwrap_or(&self.0);
        let made = fs::create_dir_all(folder).map_err(|e| Error::at(folder, e));
        match made.and_then(|()| whole_file::write(&path, html)) {
            Err(Error::Io { source, .. }) if is_refused(&source) => Ok(false),
            written => written.map(|()| true),
        }
    }

    /// Moves a file out of the tree to the folder `target`, and removes the folders that become empty. A missing file is not an error.
    /// If `target` cannot hold it, because its path is longer there, the file is deleted: the page is still in the archive.
    pub(super) fn move_out(&self, path: &[String], target: &Path) -> Result<(), Error> {
        let place = |top: &Path| path.iter().fold(top.to_owned(), |path, part| path.join(part));
        let (from, to) = (place(&self.0), place(target));
        if !from.exists() {
            return Ok(());
        }
        let folder = to.parent().unwrap_or(target);
        match fs::create_dir_all(folder).and_then(|()| fs::rename(&from, &to)) {
            Err(e) if e.kind() == io::ErrorKind::InvalidFilename => fs::remove_file(&from),
            moved => moved,
        }
        .map_err(|e| Error::at(&from, e))?;
        let folders = from.ancestors().skip(1).take_while(|folder| **folder != *self.0);
        // The first folder that is not empty stays, and so do those above it.
        let _ = folders.map(fs::remove_dir).take_while(Result::is_ok).count();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_run_works_in_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::take(folder.path()).unwrap();
        assert!(Lock::take(folder.path()).is_err());
        drop(first);
        Lock::take(folder.path()).unwrap();
    }

    #[test]
    fn a_page_whose_path_is_too_long_elsewhere_leaves_the_tree_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, target) = (Tree::new(folder.path().join("scrape")), folder.path().join("dumps/before/scrape"));
        let start = tree.0.as_os_str().len() + "/h/index.html".len();
        let mut path = vec!["h".to_owned()];
        path.extend((0..(4085 - start) / 200).map(|_| "p".repeat(199)));
        path.push("q".repeat((4085 - start) % 200 - 1));
        let url = format!("https://{}/", path.join("/"));
        path.push("index.html".to_owned());
        assert!(!tree.write(&url, b"x").unwrap(), "the name of the file while it is written is longer");
        let place = path.iter().fold(tree.0.clone(), |place, part| place.join(part));
        fs::write(&place, "x").unwrap();
        tree.move_out(&path, &target).unwrap();
        assert!(!place.exists() && !tree.write(&format!("{url}{}/", "r/".repeat(99)), b"x").unwrap());
    }

    #[test]
    fn what_was_left_half_done_goes() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".posts-0001.json.abc123.part"), "[").unwrap();
        fs::write(folder.path().join("posts-0009.json"), "[]").unwrap();
        let mut dump = Dump::open(folder.path().to_owned()).unwrap();
        dump.add("posts", b"[1]").unwrap();
        dump.clear().unwrap();
        assert_eq!(dump.list().unwrap().len(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
