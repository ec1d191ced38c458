//! Files that never appear half written: unnamed spools in TMPDIR, and outputs that appear complete or not at all.
//! Their content is up to the callers.

mod shelf;
mod sorter;

pub(crate) use shelf::Shelf;
pub(crate) use sorter::{Sorted, Sorter};

use crate::report::{Error, shown_path};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, SpooledTempFile};

/// Bytes buffered before a write reaches the file.
const BUFFER: usize = 256 * 1024;

/// An unlinked file in TMPDIR, which disappears however the run ends. Written once, then read.
pub(crate) struct Spool {
    file: BufWriter<File>,
}

impl Spool {
    /// An empty spool in the system's temporary directory (`TMPDIR`).
    ///
    /// # Errors
    /// When the directory cannot be written; the error names it.
    pub(crate) fn new() -> Result<Self, Error> {
        let file = unnamed()?;
        Ok(Spool { file: BufWriter::with_capacity(BUFFER, file) })
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// When the disk is full, for example.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(failed)
    }

    /// The file, ready to be read from its start.
    ///
    /// # Errors
    /// When the written data cannot be flushed.
    pub(crate) fn into_reader(self) -> Result<File, Error> {
        let mut file = self.file.into_inner().map_err(|e| failed(e.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        Ok(file)
    }
}

/// An unlinked file in TMPDIR.
///
/// # Errors
/// When the directory cannot be written; the error names it.
pub(crate) fn unnamed() -> Result<File, Error> {
    tempfile::tempfile().map_err(failed)
}

/// An error of a spool, with its directory.
pub(crate) fn failed(source: io::Error) -> Error {
    Error::io(format!("{} (spool)", shown_path(&std::env::temp_dir())), source)
}

/// Bytes of a notebook that stay in memory.
const KEPT: usize = 4 << 20;

/// A scratch log: append, rewind, read, clear, reuse. Small ones stay in memory, larger ones go to an unlinked
/// file.
pub(crate) struct Notebook(SpooledTempFile);

impl Default for Notebook {
    fn default() -> Self {
        Notebook(tempfile::spooled_tempfile(KEPT))
    }
}

impl Notebook {
    /// Appends `bytes`.
    ///
    /// # Errors
    /// When they do not fit into TMPDIR.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.write_all(bytes).map_err(failed)
    }

    /// Goes back to the start for reading.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn turn(&mut self) -> Result<(), Error> {
        self.0.seek(SeekFrom::Start(0)).map(|_| ()).map_err(failed)
    }

    /// Fills `bytes`; false at the end.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> Result<bool, Error> {
        match self.0.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(e) => Err(failed(e)),
        }
    }

    /// Appends `block` as one, and empties it.
    ///
    /// # Errors
    /// As [`Notebook::write`].
    pub(crate) fn write_block(&mut self, block: &mut Vec<u8>) -> Result<(), Error> {
        self.write(&(block.len() as u64).to_le_bytes())?;
        self.write(block)?;
        block.clear();
        Ok(())
    }

    /// Reads the next of those that were written so; false after the last.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn read_block(&mut self, block: &mut Vec<u8>) -> Result<bool, Error> {
        let mut length = [0; 8];
        if !self.read(&mut length)? {
            return Ok(false);
        }
        block.resize(u64::from_le_bytes(length) as usize, 0);
        self.read(block)
    }

    /// Deletes everything.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        self.0.set_len(0).map_err(failed)?;
        self.turn()
    }
}

/// Appends a number: seven bits a byte, the lowest first; the eighth says that others follow.
#[inline]
pub(crate) fn put_number(notes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        notes.push(number as u8 | 0x80);
        number >>= 7;
    }
    notes.push(number as u8);
}

/// Appends bytes after their number.
pub(crate) fn put_bytes(notes: &mut Vec<u8>, bytes: &[u8]) {
    put_number(notes, bytes.len() as u64);
    notes.extend_from_slice(bytes);
}

/// What was appended so, to be read from its start; `None` where it is truncated.
pub(crate) struct Notes<'n>(pub(crate) &'n [u8]);

impl<'n> Notes<'n> {
    #[inline]
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[inline]
    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(crate) fn bytes(&mut self) -> Option<&'n [u8]> {
        let length = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Copies all of `reader` into a spool and returns it as a file at its start.
///
/// # Errors
/// When reading (the error names `name`) or spooling fails.
pub(crate) fn spool(name: &str, mut reader: impl Read) -> Result<File, Error> {
    let mut spool = Spool::new()?;
    let mut buffer = vec![0; BUFFER];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return spool.into_reader(),
            Ok(n) => spool.write(&buffer[..n])?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::io(name, e)),
        }
    }
}

/// Files and folders that vanish unless their run ends well: a signal does not run what Rust does at the end.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Something that is removed when a signal ends the process; forgotten when dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes it, so that no signal comes in between.
    ///
    /// # Errors
    /// Those of `make`.
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

/// Removes all that is not finished, and lets nobody make any more: the process ends.
pub(crate) fn remove_unfinished() {
    let list = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in &*list {
        // A folder may get another file while it is removed.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path)).or_else(|_| fs::remove_dir_all(path));
    }
    std::mem::forget(list);
}

/// An output file, written to a temporary file in the same directory and renamed when complete. If dropped before that,
/// it leaves no file. Anything but a regular file (a device, a named pipe) is written directly.
pub(crate) struct WholeFile {
    path: PathBuf,
    inner: Inner,
}

enum Inner {
    Beside(BufWriter<NamedTempFile>, Unfinished),
    Direct(BufWriter<File>),
}

impl WholeFile {
    /// Starts the file that will appear at `path`.
    ///
    /// # Errors
    /// When its directory cannot be written.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let fail = |e| Error::io(shown_path(path), e);
        // Replaces the target of a link, not the link.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| target(path));
        let old = fs::metadata(path).ok();
        let special = old.as_ref().is_some_and(|old| !old.is_file());
        let inner = if special {
            let file = fs::OpenOptions::new().write(true).open(path).map_err(fail)?;
            Inner::Direct(BufWriter::with_capacity(BUFFER, file))
        } else {
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
            // The longest name leaves room for what is added here.
            let name: String = name.chars().take(50).collect();
            // The same mode as files of other programs: the umask applies.
            let make = || {
                tempfile::Builder::new()
                    .prefix(&format!(".{name}."))
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
        Ok(WholeFile { path: path.to_owned(), inner })
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
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"whole").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn notes_come_back_as_they_went() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut notes = Vec::new();
        numbers.iter().for_each(|&number| put_number(&mut notes, number));
        put_bytes(&mut notes, &[7; 200]);
        let mut book = Notebook::default();
        book.write_block(&mut notes.clone()).unwrap();
        book.turn().unwrap();
        let mut block = Vec::new();
        assert!(book.read_block(&mut block).unwrap() && block == notes);
        assert!(!book.read_block(&mut Vec::new()).unwrap());
        let mut back = Notes(&block);
        assert_eq!(numbers.map(|_| back.number()), numbers.map(Some));
        assert_eq!((back.bytes(), back.number()), (Some(&[7; 200][..]), None));
        assert_eq!(Notes(&[5, 1]).bytes(), None);
    }

    #[test]
    fn a_spool_gives_back_what_it_took() {
        let mut file = spool("-", &b"abc"[..]).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
    }
}
