//! Decides who owns a file in a dataset's folder: it is ours if the manifest lists it. Foreign files are neither moved nor
//! replaced, only named in warnings.

use super::hidden;
use crate::export::dataset::manifest::{self, Holds, Listed};
use crate::export::dataset::names;
use crate::report::{Error, Report, shown_path};
use rustix::fs::OFlags;
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The most foreign files that a warning names.
const NAMED: usize = 5;

/// Judges by the contents of a file whether it is exactly as we wrote it; `None` if they do not show it.
pub(crate) type SaysOurs = fn(&Path, &str) -> Option<bool>;

#[derive(Clone, Copy)]
pub(super) struct Owner {
    pub(super) says_ours: SaysOurs,
}

fn error(place: &Path, source: io::Error) -> Error {
    Error::io(shown_path(place), source)
}

/// The contents of a regular file, or of one that a link leads to: reading a named pipe or a device may never end.
pub(crate) fn read_regular(place: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let mut file = OpenOptions::new().read(true).custom_flags(flags).open(place)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The folders above a file, as paths below the dataset, the innermost first: `a/b`, `a`.
pub(super) fn folders_of(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(name.rsplit_once('/'), |(folder, _)| folder.rsplit_once('/')).map(|(folder, _)| folder)
}

/// The parent folders of all `names`, sorted: a folder comes before its contents.
pub(super) fn all_folders<'n>(names: impl Iterator<Item = &'n str>) -> BTreeSet<&'n str> {
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

impl Owner {
    /// Reads from the manifest at `place` which dataset is in the folder `top`; `None` without a manifest.
    ///
    /// # Errors
    /// If the manifest is not ours or cannot be read.
    pub(super) fn dataset(self, top: &Path, place: &Path) -> Result<Option<Dataset>, Error> {
        let json = match read_regular(place) {
            Ok(json) => json,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(error(place, e)),
        };
        let Some(Listed { format, names, holds, .. }) = manifest::listed(&json) else {
            let what = format!("{}: not written by wp-export; nothing was touched", shown_path(place));
            return Err(Error::Fatal(what));
        };
        Ok(Some(Dataset { format, files: self.ours_among(top, names), holds }))
    }

    /// The files that are ours among those that a manifest lists. A file that is reached through a symbolic link is not:
    /// anybody may have written the manifest.
    fn ours_among(self, top: &Path, names: Vec<String>) -> HashSet<String> {
        let mut outside = HashSet::new();
        for folder in all_folders(names.iter().map(String::as_str)) {
            let below_outside = folder.rsplit_once('/').is_some_and(|(above, _)| outside.contains(above));
            // A missing folder does not count: a replacement may be under way.
            let is_other = fs::symlink_metadata(top.join(folder)).is_ok_and(|found| !found.is_dir());
            if below_outside || is_other {
                outside.insert(folder.to_owned());
            }
        }
        let inside = |name: &String| name.rsplit_once('/').is_none_or(|(above, _)| !outside.contains(above));
        let ours = |name: &String| {
            let is_folder = fs::symlink_metadata(top.join(name)).is_ok_and(|found| found.is_dir());
            inside(name) && !is_folder && (self.says_ours)(top, name) != Some(false)
        };
        names.into_iter().filter(ours).collect()
    }

    /// Whether a file of this name exists and is ours; false if there is none, or if it is a listed folder (`NAME/`).
    ///
    /// # Errors
    /// If it belongs to somebody else.
    pub(super) fn is_ours(self, top: &Path, name: &str, is_listed: impl Fn(&str) -> bool) -> Result<bool, Error> {
        let place = top.join(name);
        let Ok(found) = fs::symlink_metadata(&place) else { return Ok(false) };
        if found.is_dir() && is_listed(&format!("{name}/")) {
            return Ok(false);
        }
        if found.is_dir() {
            return Err(error(&place, io::ErrorKind::IsADirectory.into()));
        }
        if (self.says_ours)(top, name).unwrap_or_else(|| is_listed(name)) {
            return Ok(true);
        }
        let what = format!(
            "{}: exists, and no manifest.json says that wp-export wrote it; remove it or name another folder",
            shown_path(&place)
        );
        Err(Error::Fatal(what))
    }
}

pub(super) struct Dataset {
    pub(super) format: String,
    /// Its files that are ours.
    pub(super) files: HashSet<String>,
    /// Data that a new run may lose.
    pub(super) holds: Holds,
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

/// Warns about foreign files in the folders of a dataset with the files `ours`.
pub(super) fn warn_of_foreign(path: &Path, ours: &[&str], report: &mut Report) -> Result<(), Error> {
    let ours: HashSet<&str> = ours.iter().copied().collect();
    let folders = all_folders(ours.iter().copied());
    let mut left = Vec::new();
    for folder in std::iter::once("").chain(folders.iter().copied()) {
        let place = path.join(folder);
        if !fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir() || folder.is_empty()) {
            continue;
        }
        for name in names_in(&place)? {
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let is_ours = ours.contains(name.as_str()) || name == names::MANIFEST || name == hidden::NAME;
            if !is_ours && !folders.contains(name.as_str()) {
                left.push(name);
            }
        }
    }
    for name in left.iter().take(NAMED) {
        report.warn(&format!("{}: not of this dataset, left as it is", shown_path(&path.join(name))));
    }
    if left.len() > NAMED {
        let more = left.len() - NAMED;
        report.warn(&format!("{}: {more} more files not of this dataset, left as they are", shown_path(path)));
    }
    Ok(())
}
