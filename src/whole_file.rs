//! Writes output files that appear complete or not at all, however the run ends. Callers define their contents.

use crate::report::{Error, shown_path};
use rustix::fs::CWD;
#[cfg(target_os = "linux")]
use rustix::{
    fs::{AtFlags, Mode, OFlags, RawDir, openat, unlinkat},
    io::Errno,
};
use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use tempfile::NamedTempFile;

/// The number of bytes that are buffered before a write reaches the file.
const BUFFER: usize = 256 * 1024;

/// The number of bytes of the random part of a temporary file's name.
const RANDOM: usize = 6;

/// The most attempts to empty a folder that a thread may still be writing to.
const TRIES: u32 = 100;

/// The files and folders that are removed unless their run ends well. The list is needed because a signal ends the process without running
/// destructors.
static UNFINISHED: Mutex<Vec<CString>> = Mutex::new(Vec::new());

/// A file or folder that is removed when a signal ends the process; dropping this removes it from the list only.
#[derive(Debug)]
pub(crate) struct Unfinished(CString);

impl Unfinished {
    /// Calls `make` to create a file or folder at `path`, so that no signal comes between its creation and its entry in the list. The
    /// thread that cleans up after a failed allocation cannot wait for the thread that failed: so while the list is locked, only
    /// `make` allocates memory.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn make<T>(path: &Path, make: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Self)> {
        let own = CString::new(path.as_os_str().as_bytes())?;
        let entry = own.clone();
        let mut list = unfinished();
        list.try_reserve(1)?;
        let made = make()?;
        list.push(entry);
        Ok((made, Unfinished(own)))
    }

    /// Keeps the file: it is taken off the list, and signals wait while the returned value exists.
    pub(crate) fn keep(self) -> Undisturbed {
        let mut list = unfinished();
        list.retain(|path| *path != self.0);
        // The destructor would wait for the lock on the list forever, and has nothing left to do.
        std::mem::forget(self);
        Undisturbed { _list: list }
    }
}

/// Prevents signals from ending the process while it exists.
pub(crate) struct Undisturbed {
    _list: MutexGuard<'static, Vec<CString>>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

fn unfinished() -> MutexGuard<'static, Vec<CString>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file in `folder`, with the usual mode of new files: the umask applies.
pub(crate) fn new_file(name: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<(NamedTempFile, Unfinished)> {
    let mut unfinished = None;
    let file = name.make_in(folder, |path| {
        let make = || fs::OpenOptions::new().read(true).write(true).create_new(true).mode(0o666).open(path);
        let (file, made) = Unfinished::make(path, make)?;
        unfinished = Some(made);
        Ok(file)
    })?;
    Ok((file, unfinished.expect("the file was made")))
}

/// Removes all unfinished files, and prevents new ones, because the process is about to end. Returns false if a file is being made or
/// kept at this moment, unless it `waits` for that. It does not allocate, because memory may have run out.
pub(crate) fn remove_unfinished(waits: bool) -> bool {
    let list = match UNFINISHED.try_lock() {
        Ok(list) => list,
        Err(TryLockError::Poisoned(list)) => list.into_inner(),
        Err(TryLockError::WouldBlock) if waits => unfinished(),
        Err(TryLockError::WouldBlock) => return false,
    };
    for path in &*list {
        // Another file may be created in a folder while it is being removed.
        let _ = (0..TRIES).any(|_| remove(CWD, path).is_ok());
    }
    std::mem::forget(list);
    true
}

/// Removes a file, or a folder with everything in it.
#[cfg(target_os = "linux")]
fn remove(at: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    if matches!(unlinkat(at, name, AtFlags::empty()), Ok(()) | Err(Errno::NOENT)) {
        return Ok(());
    }
    let folder = openat(at, name, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
    let mut entries = RawDir::new(&folder, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            // If a file cannot be removed, its folder remains, too.
            let _ = remove(std::os::fd::AsFd::as_fd(&folder), entry.file_name());
        }
    }
    unlinkat(at, name, AtFlags::REMOVEDIR)
}

/// The same for other systems, where a folder cannot be listed without an allocation.
#[cfg(not(target_os = "linux"))]
fn remove(_: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    let path = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => fs::remove_dir_all(path),
    }
}

/// An output file, written to a temporary file in the same directory and renamed when complete. If dropped before that,
/// it leaves no file. Anything but a regular file (a device, a named pipe) is written directly.
pub(crate) struct WholeFile {
    /// The name as the user typed it.
    name: String,
    path: PathBuf,
    inner: Inner,
}

enum Inner {
    Beside(BufWriter<NamedTempFile>, Unfinished),
    Direct(BufWriter<File>),
}

/// Whether a file has the name of an incomplete file, `.index.html.x3YzAb.part`, which a killed run leaves behind.
pub(crate) fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parts = name.strip_prefix('.').and_then(|name| name.strip_suffix(".part")?.rsplit_once('.'));
    parts.is_some_and(|(own, random)| {
        !own.is_empty() && random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Whether the file system can never have a file of this name in this place, unlike an error such as a full disk.
#[cfg(feature = "fetch")]
pub(crate) fn is_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory};
    matches!(error.kind(), AlreadyExists | InvalidFilename | InvalidInput | IsADirectory | NotADirectory)
}

/// Writes a file that appears only when complete.
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
            // The longest possible name must leave room for the additions.
            let own: String = own.chars().take(50).collect();
            let prefix = format!(".{own}.");
            let file = new_file(tempfile::Builder::new().prefix(&prefix).rand_bytes(RANDOM).suffix(".part"), folder);
            let (file, unfinished) = file.map_err(|e| fail(e.kind().into()))?;
            if let Some(old) = old {
                file.as_file().set_permissions(old.permissions()).map_err(fail)?;
            }
            Inner::Beside(BufWriter::with_capacity(BUFFER, file), unfinished)
        };
        Ok(WholeFile { path: path.to_owned(), inner, name })
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(|e| Error::io(self.name.as_str(), e))
    }

    /// Puts the file in place.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file cannot be renamed; there is no file then.
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

/// The target of a link, if the target does not exist yet.
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
    fn an_unfinished_folder_is_removed_with_its_contents() {
        let top = tempfile::tempdir().unwrap();
        let kept = top.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "").unwrap();
        for folder in ["new", "new/a", "new/a/b"] {
            fs::create_dir(top.path().join(folder)).unwrap();
            // More names than one read of a folder returns.
            (0..300).for_each(|n| fs::write(top.path().join(format!("{folder}/{n:050}")), "").unwrap());
        }
        std::os::unix::fs::symlink(&kept, top.path().join("new/a/link")).unwrap();
        fs::write(top.path().join("part"), "").unwrap();
        for name in ["new", "part", "gone"] {
            let path = CString::new(top.path().join(name).as_os_str().as_bytes()).unwrap();
            assert!(remove(CWD, &path).is_ok(), "{name}");
        }
        let left = fs::read_dir(top.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["kept"]);
        assert!(kept.join("file").exists());
    }

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
