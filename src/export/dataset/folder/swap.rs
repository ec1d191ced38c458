//! Replaces a dataset by a new one, file by file. The old manifest is moved out, then stale files; new files are moved in,
//! over those of the same name, and the new manifest last. The old files are kept until then, so that all of it can be taken
//! back. Each step depends only on which files are where, so the next run finishes a killed one with the same steps.
//!
//! Foreign files never move: only files that the old manifest lists count as ours.

use super::changes;
use super::hidden::Hidden;
use super::ownership::{Owner, all_folders, folders_of};
use crate::export::dataset::names;
use crate::report::{Error, shown_path};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) struct Swap<'a> {
    top: &'a Path,
    hidden: &'a Hidden,
    /// The files of the new dataset.
    new: &'a [&'a str],
    /// The old dataset's files that are ours.
    old: &'a HashSet<String>,
    owner: Owner,
    /// The folders made for new files.
    made: Vec<&'a str>,
    known: HashSet<&'a str>,
}

fn error(place: &Path, source: io::Error) -> Error {
    Error::io(shown_path(place), source)
}

/// Whether there is a file. A folder does not count: it may have the name of a file in the other dataset.
fn is_there(place: &Path) -> bool {
    fs::symlink_metadata(place).is_ok_and(|found| !found.is_dir())
}

impl<'a> Swap<'a> {
    pub(super) fn new(
        top: &'a Path,
        hidden: &'a Hidden,
        new: &'a [&'a str],
        old: &'a HashSet<String>,
        owner: Owner,
    ) -> Self {
        Swap { top, hidden, new, old, owner, made: Vec::new(), known: HashSet::new() }
    }

    /// Does all remaining steps. If one fails, everything is taken back.
    pub(super) fn run(mut self) -> Result<(), Error> {
        let Err(failed) = self.finish() else { return Ok(()) };
        match self.take_back() {
            Ok(()) => Err(failed),
            Err(again) => {
                let what =
                    format!("{failed}; the next run tries again, for the old files could not be put back: {again}");
                Err(Error::Fatal(what))
            }
        }
    }

    fn manifest(&self) -> PathBuf {
        self.top.join(names::MANIFEST)
    }

    fn finish(&mut self) -> Result<(), Error> {
        let (manifest, aside) = (self.manifest(), self.hidden.old_manifest());
        if is_there(&manifest) && !is_there(&aside) {
            changes::rename(&manifest, &aside).map_err(|e| error(&manifest, e))?;
        }
        self.remove_stale_files()?;
        for &name in self.new {
            self.place(name)?;
        }
        changes::rename(&self.hidden.new_manifest(), &manifest).map_err(|e| error(&manifest, e))
    }

    /// Moves out the files that the new dataset does not have, and removes folders that become empty.
    fn remove_stale_files(&self) -> Result<(), Error> {
        let new: HashSet<&str> = self.new.iter().copied().collect();
        let stale = || self.old.iter().map(String::as_str).filter(|name| !new.contains(name));
        for name in stale() {
            let from = self.top.join(name);
            if is_there(&from) && !is_there(&self.hidden.old_files().join(name)) {
                changes::rename(&from, &self.old_place(name)?).map_err(|e| error(&from, e))?;
            }
        }
        for folder in all_folders(stale()).into_iter().rev() {
            // A folder that holds other files stays.
            let _ = changes::remove_dir(&self.top.join(folder));
        }
        Ok(())
    }

    /// The temporary place of an old file; its folder exists.
    fn old_place(&self, name: &str) -> Result<PathBuf, Error> {
        let place = self.hidden.old_files().join(name);
        let folder = place.parent().expect("it has been joined");
        if !folder.is_dir() {
            changes::create_dir_all(folder).map_err(|e| error(folder, e))?;
        }
        Ok(place)
    }

    /// Puts a new file in its place, over an old one of ours.
    fn place(&mut self, name: &'a str) -> Result<(), Error> {
        let (from, to) = (self.hidden.new_files().join(name), self.top.join(name));
        if !is_there(&from) {
            // A killed run has already moved it.
            return Ok(());
        }
        self.make_folders(name)?;
        if self.owner.is_ours(self.top, name, |name| self.old.contains(name))? {
            let aside = self.old_place(name)?;
            // Not every file system has hard links. Without one, the file is missing for a moment.
            changes::hard_link(&to, &aside).or_else(|_| changes::rename(&to, &aside)).map_err(|e| error(&to, e))?;
        }
        changes::rename(&from, &to).map_err(|e| error(&to, e))
    }

    fn make_folders(&mut self, name: &'a str) -> Result<(), Error> {
        let mut missing: Vec<&str> = folders_of(name).take_while(|folder| !self.known.contains(folder)).collect();
        while let Some(folder) = missing.pop() {
            let place = self.top.join(folder);
            match changes::create_dir(&place) {
                Ok(()) => self.made.push(folder),
                // A link to a folder does not count as one: its target is not part of the dataset.
                Err(_) if fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) => {}
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(error(&place, io::ErrorKind::NotADirectory.into()));
                }
                Err(e) => return Err(error(&place, e)),
            }
            self.known.insert(folder);
        }
        Ok(())
    }

    /// Moves everything back. The first failure ends this; the folder is then without a manifest.
    pub(super) fn take_back(&self) -> Result<(), Error> {
        for name in self.new {
            let (place, from) = (self.top.join(name), self.hidden.new_files().join(name));
            if !is_there(&from) && is_there(&place) {
                changes::rename(&place, &from).map_err(|e| error(&place, e))?;
            }
        }
        for folder in self.made.iter().rev() {
            let _ = changes::remove_dir(&self.top.join(folder));
        }
        for name in self.old.iter().map(String::as_str).chain(self.new.iter().copied()) {
            let (place, aside) = (self.top.join(name), self.hidden.old_files().join(name));
            if is_there(&aside) {
                let folder = place.parent().expect("it has been joined");
                changes::create_dir_all(folder).map_err(|e| error(folder, e))?;
                // The place is empty, or has the same file by another name.
                changes::rename(&aside, &place).map_err(|e| error(&place, e))?;
            }
        }
        let (manifest, aside) = (self.manifest(), self.hidden.old_manifest());
        if is_there(&aside) {
            changes::rename(&aside, &manifest).map_err(|e| error(&manifest, e))?;
        }
        let decision = self.hidden.new_manifest();
        changes::remove_file(&decision).map_err(|e| error(&decision, e))
    }
}
