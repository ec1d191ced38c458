//! Puts a dataset in place: removes the old one, renames the new files with their parent folders, and notices files
//! that belong to others. The files are complete by then.

use super::{Keeps, STAGING};
use crate::export::manifest;
use crate::report::{Error, Report};
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::Path;

/// How many foreign files are named.
const NAMED: usize = 5;

fn error(place: &Path, source: io::Error) -> Error {
    Error::io(place.display().to_string(), source)
}

/// The folders above a file, as paths below the dataset, the innermost first: `a/b`, `a`.
fn folders_of(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(name.rsplit_once('/'), |(folder, _)| folder.rsplit_once('/')).map(|(folder, _)| folder)
}

/// The parent folders of all `names`, sorted: a folder comes before its contents.
fn all_folders<'n>(names: impl Iterator<Item = &'n str>) -> BTreeSet<&'n str> {
    let mut folders = BTreeSet::new();
    for name in names {
        for folder in folders_of(name) {
            if !folders.insert(folder) {
                break;
            }
        }
    }
    folders
}

/// Removes the manifest at `path` first, then the files it lists, then the folders that are empty without them. Nothing
/// that a symbolic link points to is touched: the manifest may be anybody's.
pub(super) fn remove_old_dataset(path: &Path, keeps: Keeps) -> Result<(), Error> {
    let place = path.join(manifest::NAME);
    let json = match fs::read(&place) {
        Ok(json) => json,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(error(&place, e)),
    };
    let Some(files) = manifest::listed_files(&json) else {
        let what = format!("{}: not written by wp-export; nothing was touched", place.display());
        return Err(Error::Trouble(what));
    };
    let folders = all_folders(files.iter().map(String::as_str));
    let mut outside = HashSet::new();
    for &folder in &folders {
        let below_outside = folder.rsplit_once('/').is_some_and(|(above, _)| outside.contains(above));
        let is_folder = fs::symlink_metadata(path.join(folder)).is_ok_and(|found| found.is_dir());
        if below_outside || !is_folder {
            outside.insert(folder);
        }
    }
    let inside = files.iter().filter(|name| name.rsplit_once('/').is_none_or(|(above, _)| !outside.contains(above)));
    let inside = inside.filter(|name| !keeps(path, name));
    for place in std::iter::once(place).chain(inside.map(|name| path.join(name))) {
        match fs::remove_file(&place) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(error(&place, e)),
            _ => {}
        }
    }
    for folder in folders.into_iter().rev().filter(|folder| !outside.contains(folder)) {
        // One that holds a file of somebody else stays.
        let _ = fs::remove_dir(path.join(folder));
    }
    Ok(())
}

/// The names in a folder, sorted, so that messages do not depend on the file system.
pub(super) fn names_in(path: &Path) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(|e| error(path, e))? {
        names.push(entry.map_err(|e| error(path, e))?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Says what else is in the folders of `files` below `path`: files of others, and those that will be replaced.
pub(super) fn warn_of_foreign(path: &Path, ours: &[&str], report: &mut Report) -> Result<(), Error> {
    let ours: HashSet<&str> = ours.iter().copied().collect();
    let folders = all_folders(ours.iter().copied());
    let (mut left, mut replaced) = (Vec::new(), Vec::new());
    for folder in std::iter::once("").chain(folders.iter().copied()) {
        let place = path.join(folder);
        if !fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir() || folder.is_empty()) {
            continue;
        }
        for name in names_in(&place)? {
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if ours.contains(name.as_str()) {
                replaced.push(name);
            } else if !folders.contains(name.as_str()) && !name.starts_with(STAGING) {
                left.push(name);
            }
        }
    }
    for (names, what) in
        [(left, "not of this dataset, left as it is"), (replaced, "existed without a manifest, replaced")]
    {
        for name in names.iter().take(NAMED) {
            report.warn(&format!("{}: {what}", path.join(name).display()));
        }
        if names.len() > NAMED {
            report.warn(&format!("{}: {} more files {what}", path.display(), names.len() - NAMED));
        }
    }
    Ok(())
}

/// Renames files from one folder to another, and takes that back if it has to.
pub(super) struct Placing<'a> {
    pub(crate) from: &'a Path,
    pub(crate) to: &'a Path,
    /// Files in place.
    placed: Vec<&'a str>,
    /// Folders that are there, and whether they were made here.
    folders: Vec<(&'a str, bool)>,
    known: HashSet<&'a str>,
}

impl<'a> Placing<'a> {
    pub(super) fn new(from: &'a Path, to: &'a Path) -> Self {
        Placing { from, to, placed: Vec::new(), folders: Vec::new(), known: HashSet::new() }
    }

    /// Puts a file in its place, with the folders above it.
    pub(super) fn place(&mut self, name: &'a str) -> Result<(), Error> {
        if let Some((folder, _)) = name.rsplit_once('/')
            && !self.known.contains(folder)
        {
            self.make_folders(name)?;
        }
        let to = self.to.join(name);
        fs::rename(self.from.join(name), &to).map_err(|e| error(&to, e))?;
        self.placed.push(name);
        Ok(())
    }

    fn make_folders(&mut self, name: &'a str) -> Result<(), Error> {
        let mut missing: Vec<&str> = folders_of(name).take_while(|folder| !self.known.contains(folder)).collect();
        while let Some(folder) = missing.pop() {
            let place = self.to.join(folder);
            let made = match fs::create_dir(&place) {
                Ok(()) => true,
                // A link to a folder is none: what it leads to is not the dataset's.
                Err(_) if fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) => false,
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(error(&place, io::ErrorKind::NotADirectory.into()));
                }
                Err(e) => return Err(error(&place, e)),
            };
            self.folders.push((folder, made));
            self.known.insert(folder);
        }
        Ok(())
    }

    /// Removes what was placed and created. Only the first error is reported.
    pub(super) fn take_back(self) {
        for name in self.placed {
            let _ = fs::remove_file(self.to.join(name));
        }
        for (folder, _) in self.folders.into_iter().rev().filter(|(_, made)| *made) {
            let _ = fs::remove_dir(self.to.join(folder));
        }
    }
}
