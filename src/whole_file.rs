//! Writes output files that appear complete or not at all, however the run ends. What is in them is up to the callers.

use crate::report::{Error, shown_path};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use tempfile::NamedTempFile;

/// Bytes buffered before a write reaches the file.
const BUFFER: usize = 256 * 1024;

/// Bytes of the random part of a temporary file's name.
const RANDOM: usize = 6;

/// Files and folders that vanish unless their run ends well: a signal does not run what Rust does at the end.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Something that is removed when a signal ends the process; forgotten when dropped.
#[derive(Debug)]
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes it, so that no signal comes in between.
    pub(crate) fn make<T: AsRef<Path>>(make: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Self)> {
        let mut list = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let made = make()?;
        let path = made.as_ref().to_owned();
        list.push(path.clone());
        Ok((made, Unfinished(path)))
    }

    /// It is no longer removed, and a signal has to wait for the end of what this returns.
    pub(crate) fn keep(self) -> Undisturbed {
        let mut list = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|path| *path != self.0);
        // Nothing is left for its end to do, which would wait for the list for ever.
        std::mem::forget(self);
        Undisturbed { _list: list }
    }
}

/// While it lasts, a signal does not end the process.
pub(crate) struct Undisturbed {
    _list: MutexGuard<'static, Vec<PathBuf>>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes all that is not finished, and lets nobody make any more: the process ends. False if a file is just being made or kept, and
/// `waits` is not.
pub(crate) fn remove_unfinished(waits: bool) -> bool {
    let list = match UNFINISHED.try_lock() {
        Ok(list) => list,
        Err(TryLockError::Poisoned(list)) => list.into_inner(),
        Err(TryLockError::WouldBlock) if waits => UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner),
        Err(TryLockError::WouldBlock) => return false,
    };
    for path in &*list {
        // A folder may get another file while it is removed.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path)).or_else(|_| fs::remove_dir_all(path));
    }
    std::mem::forget(list);
    true
}

/// An output file, written to a temporary file in the same directory and renamed when complete. If dropped before that,
/// it leaves no file. Anything but a regular file (a device, a named pipe) is written directly.
pub(crate) struct WholeFile {
    /// As the user typed it.
    name: String,
    path: PathBuf,
    inner: Inner,
}

enum Inner {
    Beside(BufWriter<NamedTempFile>, Unfinished),
    Direct(BufWriter<File>),
}

/// Whether a file has the name of one that is not yet complete: `.index.html.x3YzAb.part`. A run that was killed leaves it behind.
pub(crate) fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parts = name.strip_prefix('.').and_then(|name| name.strip_suffix(".part")?.rsplit_once('.'));
    parts.is_some_and(|(own, random)| {
        !own.is_empty() && random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Whether a file system cannot have a file of this name in this place, however often it is tried; a full disk is another matter.
#[cfg(feature = "fetch")]
pub(crate) fn is_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory};
    matches!(error.kind(), AlreadyExists | InvalidFilename | InvalidInput | IsADirectory | NotADirectory)
}

/// Writes a file that appears whole.
#[cfg(feature = "fetch")]
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = WholeFile::create(path)?;
    file.put(bytes)?;
    file.commit()
}

impl WholeFile {
    /// Starts the file that will appear at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let name = shown_path(path);
        let fail = |e| Error::io(name.as_str(), e);
        // Replaces the target of a link, not the link.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| target(path));
        let old = fs::metadata(path).ok();
        let special = old.as_ref().is_some_and(|old| !old.is_file());
        let inner = if special {
            let file = fs::OpenOptions::new().write(true).open(path).map_err(fail)?;
            Inner::Direct(BufWriter::with_capacity(BUFFER, file))
        } else {
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let own = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
            // The longest name leaves room for what is added here.
            let own: String = own.chars().take(50).collect();
            // The same mode as files of other programs: the umask applies.
            let make = || {
                tempfile::Builder::new()
                    .prefix(&format!(".{own}."))
                    .rand_bytes(RANDOM)
                    .suffix(".part")
                    .permissions(fs::Permissions::from_mode(0o666))
                    .tempfile_in(folder)
            };
            let (file, unfinished) = Unfinished::make(make).map_err(|e| fail(e.kind().into()))?;
            if let Some(old) = old {
                file.as_file().set_permissions(old.permissions()).map_err(fail)?;
            }
            Inner::Beside(BufWriter::with_capacity(BUFFER, file), unfinished)
        };
        Ok(WholeFile { path: path.to_owned(), inner, name })
    }

    /// Appends bytes.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(|e| Error::io(self.name.as_str(), e))
    }

    /// Puts the file in place.
    ///
    /// # Errors
    /// When the last bytes cannot be written or the file cannot be renamed; then there is no file.
    pub(crate) fn commit(self) -> Result<(), Error> {
        let fail = |e| Error::io(shown_path(&self.path), e);
        match self.inner {
            Inner::Direct(mut file) => file.flush().map_err(fail),
            Inner::Beside(file, _unfinished) => {
                let file = file.into_inner().map_err(|e| fail(e.into_error()))?;
                file.persist(&self.path).map_err(|e| fail(e.error))?;
                Ok(())
            }
        }
    }
}

/// Where a link leads whose target does not exist yet.
fn target(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.inner {
            Inner::Beside(file, _) => file.write(bytes),
            Inner::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.inner {
            Inner::Beside(file, _) => file.flush(),
            Inner::Direct(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_only_when_committed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        let parts: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(parts.len() == 1 && is_part(&parts[0]), "{parts:?}");
        assert!(
            ![".out.part", "out.x3YzAb.part", ".x3YzAb.part", ".out.x3Yz-b.part"]
                .iter()
                .any(|name| is_part(Path::new(name)))
        );
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"whole").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
