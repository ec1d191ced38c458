//! The hidden folder inside a dataset's folder. New files grow in it; while datasets change places, the files of the old one
//! lie in it. Its name is always the same and a run locks it: a second one finds the lock, a later one what a killed run left.

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

/// How often a folder is looked for that other runs remove at the same time.
const TRIES: usize = 100;

/// The folder, locked. Dropped, it is removed with its contents, unless datasets are changing places.
pub(super) struct Hidden {
    path: PathBuf,
    /// Closed last: the lock ends with it.
    _lock: Option<File>,
    unfinished: Option<Unfinished>,
}

impl Hidden {
    /// Makes and locks the folder, or takes over that of a killed run.
    ///
    /// # Errors
    /// When another run holds it, or it cannot be made.
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

    /// The hidden folder of a new dataset that will change places with the whole folder, among the new files, locked.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn next(&self) -> io::Result<Self> {
        let path = self.new_files().join(NAME);
        fs::create_dir(&path)?;
        let lock = lock_at(&path)?.ok_or(io::ErrorKind::NotFound)?;
        Ok(Hidden { path, _lock: Some(lock), unfinished: None })
    }

    /// That of the new dataset is in its place, and it is in the folder `beside`.
    pub(super) fn change_places(&mut self, next: &mut Hidden, beside: &Path) {
        next.path = std::mem::replace(&mut self.path, beside.join(NAME));
    }

    /// Where the old files are while datasets change places.
    pub(super) fn old_files(&self) -> PathBuf {
        self.path.join("old")
    }

    /// The manifest of the new dataset. While it is here, datasets are changing places.
    pub(super) fn new_manifest(&self) -> PathBuf {
        self.path.join("new.json")
    }

    /// The manifest of the old dataset meanwhile.
    pub(super) fn old_manifest(&self) -> PathBuf {
        self.path.join("old.json")
    }

    /// The manifest of the new dataset before that.
    pub(super) fn draft(&self) -> PathBuf {
        self.path.join("draft.json")
    }

    /// Whether datasets are changing places: a run was killed in between.
    pub(super) fn is_changing(&self) -> bool {
        fs::symlink_metadata(self.new_manifest()).is_ok()
    }

    /// Makes room for new files. From here on a signal removes the folder.
    ///
    /// # Errors
    /// When what a killed run left cannot be removed.
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

    /// From here on a signal waits until what this returns is dropped.
    pub(super) fn keep(&mut self) -> Option<Undisturbed> {
        self.unfinished.take().map(Unfinished::keep)
    }

    /// Removes what runs put into it, and nothing else.
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

/// What is not there need not be removed.
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

/// The lock of the folder at `path`, which is made if it is missing, and then removed by a signal; none if the run that made it has removed it meanwhile. A file
/// system that knows no locks does without.
fn try_lock(path: &Path) -> io::Result<Option<(File, Option<Unfinished>)>> {
    let unfinished = match Unfinished::make(path, || fs::create_dir(path)) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
        made => made.ok().map(|(_, unfinished)| unfinished),
    };
    Ok(lock_at(path)?.map(|lock| (lock, unfinished)))
}

/// The lock of a folder; none if it is there no more.
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
