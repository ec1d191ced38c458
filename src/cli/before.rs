//! Keeps the previous version of a dataset: when `wpipe RAW -d DATASET` replaces a dataset with one of a later fetch, the older one
//! is kept as `DATASET.before`, for wp-diff.

use crate::export::dataset::manifest::{self, Listed};
use crate::export::dataset::names::MANIFEST;
use crate::report::shown_path;
use crate::whole_file::Unfinished;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::Builder;

/// An older dataset of JSON Lines; while a run replaces it, each of its files has a second name (a hard link).
pub(super) struct Before {
    dataset: PathBuf,
    older: Listed,
    /// Where the previous version will be kept.
    place: PathBuf,
    /// The hidden folder beside it that holds the second names until then.
    hidden: PathBuf,
    _unfinished: Unfinished,
}

impl Before {
    /// Returns `None` if there is no such dataset.
    pub(super) fn of(dataset: &Path) -> io::Result<Option<Self>> {
        let Some((older, json)) = read(dataset) else { return Ok(None) };
        // `.` and `..` have no name.
        let named = if dataset.file_name().is_some() { dataset.to_owned() } else { dataset.canonicalize()? };
        let mut name = named.file_name().unwrap_or_default().to_owned();
        name.push(".before");
        let (parent, place) = (named.parent().unwrap_or(&named), named.with_file_name(&name));
        let hidden = [".".into(), name, ".".into()].into_iter().collect::<OsString>();
        let made = Builder::new()
            .prefix(&hidden)
            .make_in(parent, |path| Ok(Unfinished::make(path, || fs::create_dir(path))?.1))?;
        let (unfinished, hidden) = made.keep().map_err(|e| e.error)?;
        let before = Before { dataset: dataset.to_owned(), older, place, hidden, _unfinished: unfinished };
        before.link()?;
        // Another run may have replaced the dataset meanwhile.
        let is_whole = fs::read(before.hidden.join(MANIFEST)).is_ok_and(|linked| linked == json);
        if is_whole { Ok(Some(before)) } else { Err(io::Error::other("another run has replaced them")) }
    }

    fn link(&self) -> io::Result<()> {
        for name in self.older.names.iter().map(String::as_str).chain([MANIFEST]) {
            let (from, to) = (self.dataset.join(name), self.hidden.join(name));
            // A file that somebody has removed cannot be kept.
            if from.exists() {
                fs::create_dir_all(to.parent().unwrap_or(&self.hidden))?;
                fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))?;
            }
        }
        Ok(())
    }

    /// Moves it to its place, and returns that; `None` if the new dataset has the same inputs or another format.
    ///
    /// # Errors
    /// If it cannot be moved there, or somebody else has put something there.
    pub(super) fn keep(self) -> io::Result<Option<PathBuf>> {
        if read(&self.dataset).is_none_or(|(new, _)| new.inputs == self.older.inputs) {
            return Ok(None);
        }
        if self.place.exists() {
            let is_ours = |(there, _): (Listed, _)| holds_only(&there.names, &self.place, Path::new(""));
            if !read(&self.place).map_or(Ok(false), is_ours)? {
                return Err(io::Error::other(format!("{}: holds other files", shown_path(&self.place))));
            }
            fs::remove_dir_all(&self.place)?;
        }
        fs::rename(&self.hidden, &self.place)?;
        Ok(Some(self.place.clone()))
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.hidden);
    }
}

/// The manifest of a dataset of JSON Lines, parsed and as text.
fn read(dataset: &Path) -> Option<(Listed, Vec<u8>)> {
    let json = fs::read(dataset.join(MANIFEST)).ok()?;
    Some((manifest::listed(&json).filter(|listed| listed.format == "jsonl")?, json))
}

/// Whether a folder holds files of these names and no others; `below` is the subfolder to look at.
fn holds_only(names: &[String], folder: &Path, below: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        let is_one = match entry.file_type()?.is_dir() {
            true => holds_only(names, folder, &name)?,
            false => name == Path::new(MANIFEST) || names.iter().any(|one| name == Path::new(one)),
        };
        if !is_one {
            return Ok(false);
        }
    }
    Ok(true)
}
