//! Manages the hidden folder inside a dataset's folder. New files grow in it; while the new dataset replaces the old one, it holds the old
//! files. Its name is always the same, and a run locks it: a concurrent run finds the lock, and a later run finds whatever a killed run
//! left.

use super::changes;
use crate::report::{Error, shown_path};
use crate::whole_file::{Undisturbed, Unfinished};
use rustix::fs::{FlockOperation, OFlags, flock};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Its name in the dataset's folder.
pub(super) const NAME: &str = ".wp-export";

/// How often to retry if other runs remove the folder at the same time.
const TRIES: usize = 100;

/// The hidden folder, locked. Dropping it removes it with its contents, unless a replacement is under way.
pub(super) struct Hidden {
    path: PathBuf,
    /// The folder, opened; it is closed last, which releases the lock.
    _lock: Option<File>,
    unfinished: Option<Unfinished>,
}

impl Hidden {
    /// Creates and locks the folder, or takes over the one that a killed run left.
    ///
    /// # Errors
    /// If another run holds it, or it cannot be created.
    pub(super) fn lock(top: &Path) -> Result<Self, Error> {
        let path = top.join(NAME);
        for _ in 0..TRIES {
            match try_lock(&path) {
                Ok(Some((lock, unfinished))) => return Ok(Hidden { path, _lock: Some(lock), unfinished }),
                Ok(None) => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(e) => return Err(Error::io(shown_path(&path), e)),
            }
        }
        let what = format!("{}: another wp-export is writing to this folder; nothing was touched", shown_path(top));
        Err(Error::Fatal(what))
    }

    pub(super) fn new_files(&self) -> PathBuf {
        self.path.join("new")
    }

    /// Creates and locks, among the new files, the hidden folder of a new dataset that will be exchanged with the whole old one.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(super) fn next(&self) -> io::Result<Self> {
        let path = self.new_files().join(NAME);
        fs::create_dir(&path)?;
        let lock = lock_at(&path)?.ok_or(io::ErrorKind::NotFound)?;
        Ok(Hidden { path, _lock: Some(lock), unfinished: None })
    }

    /// Updates both paths after an exchange: `next` is now in the dataset's folder, and this one in the folder `beside`.
    pub(super) fn change_places(&mut self, next: &mut Hidden, beside: &Path) {
        next.path = std::mem::replace(&mut self.path, beside.join(NAME));
    }

    /// Where the old files are during a replacement.
    pub(super) fn old_files(&self) -> PathBuf {
        self.path.join("old")
    }

    /// The manifest of the new dataset. As long as it is here, a replacement is under way.
    pub(super) fn new_manifest(&self) -> PathBuf {
        self.path.join("new.json")
    }

    /// The manifest of the old dataset during a replacement.
    pub(super) fn old_manifest(&self) -> PathBuf {
        self.path.join("old.json")
    }

    /// The manifest of the new dataset before the replacement.
    pub(super) fn draft(&self) -> PathBuf {
        self.path.join("draft.json")
    }

    /// Whether a replacement is under way: a run was killed during it.
    pub(super) fn is_changing(&self) -> bool {
        fs::symlink_metadata(self.new_manifest()).is_ok()
    }

    /// Creates the folder for new files. From here on, a signal removes the hidden folder.
    ///
    /// # Errors
    /// If leftovers of a killed run cannot be removed.
    pub(super) fn start(&mut self) -> Result<(), Error> {
        let fail = |e| Error::io(shown_path(&self.path), e);
        self.empty().map_err(fail)?;
        let new = self.new_files();
        let make = || fs::create_dir(&new);
        if self.unfinished.is_some() {
            return make().map_err(fail);
        }
        let ((), unfinished) = Unfinished::make(&self.path, make).map_err(fail)?;
        self.unfinished = Some(unfinished);
        Ok(())
    }

    /// Lets signals wait, from here on, until the returned value is dropped.
    pub(super) fn keep(&mut self) -> Option<Undisturbed> {
        self.unfinished.take().map(Unfinished::keep)
    }

    /// Removes the files that runs put into the folder, and nothing else.
    fn empty(&self) -> io::Result<()> {
        for folder in [self.new_files(), self.old_files()] {
            is_gone(changes::remove_dir_all(&folder))?;
        }
        for file in [self.old_manifest(), self.draft()] {
            is_gone(changes::remove_file(&file))?;
        }
        Ok(())
    }
}

/// Treats a missing file as a removed one.
pub(super) fn is_gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if !self.is_changing() {
            let _ = self.empty().and_then(|()| changes::remove_dir(&self.path));
        }
    }
}

/// Creates the folder at `path` if it is missing, in which case a signal removes it, and locks it. `None` if the run that created it has
/// removed it meanwhile. On a file system without locks, it goes without one.
fn try_lock(path: &Path) -> io::Result<Option<(File, Option<Unfinished>)>> {
    let unfinished = match Unfinished::make(path, || fs::create_dir(path)) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
        made => made.ok().map(|(_, unfinished)| unfinished),
    };
    Ok(lock_at(path)?.map(|lock| (lock, unfinished)))
}

/// Locks a folder; `None` if it no longer exists.
fn lock_at(path: &Path) -> io::Result<Option<File>> {
    let flags = (OFlags::DIRECTORY | OFlags::NOFOLLOW).bits().cast_signed();
    let folder = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        folder => folder?,
    };
    match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) | Err(rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOLCK) => {}
        Err(e) => return Err(e.into()),
    }
    let ours = folder.metadata()?;
    let same = |found: &fs::Metadata| (found.dev(), found.ino()) == (ours.dev(), ours.ino());
    Ok(fs::symlink_metadata(path).is_ok_and(|found| same(&found)).then_some(folder))
}
