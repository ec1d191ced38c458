//! Makes the changes on disk that replace one dataset by another. All of them go through this module, so that tests can
//! end a run after any number of changes, as a kill or a full disk does.

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
use rustix::fs::CWD;
use std::fs;
use std::io;
use std::path::Path;

pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    fs::rename(from, to)
}

/// Exchanges the names of two folders.
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    step()?;
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    return Ok(rustix::fs::renameat_with(CWD, one, CWD, other, rustix::fs::RenameFlags::EXCHANGE)?);
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    Err(io::Error::other(format!("{one:?} and {other:?} cannot be exchanged")))
}

pub(super) fn hard_link(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    fs::hard_link(from, to)
}

pub(super) fn create_dir(path: &Path) -> io::Result<()> {
    step()?;
    fs::create_dir(path)
}

pub(super) fn create_dir_all(path: &Path) -> io::Result<()> {
    step()?;
    fs::create_dir_all(path)
}

pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    step()?;
    fs::remove_file(path)
}

pub(super) fn remove_dir(path: &Path) -> io::Result<()> {
    step()?;
    fs::remove_dir(path)
}

pub(super) fn remove_dir_all(path: &Path) -> io::Result<()> {
    step()?;
    fs::remove_dir_all(path)
}

#[cfg(not(test))]
fn step() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(super) use hook::{allow, step};

#[cfg(test)]
mod hook {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        /// How many changes succeed, then how many fail; after that all succeed.
        static ALLOWED: Cell<(u32, u32)> = const { Cell::new((u32::MAX, 0)) };
    }

    /// Lets this many changes of this thread succeed, and this many fail after them.
    pub(in crate::export::dataset::folder) fn allow(changes: u32, failures: u32) {
        ALLOWED.set((changes, failures));
    }

    pub(in crate::export::dataset::folder) fn step() -> io::Result<()> {
        match ALLOWED.get() {
            (0, 0) => Ok(()),
            (0, failures) => {
                ALLOWED.set((0, failures - 1));
                Err(io::Error::other("a change that the test does not allow"))
            }
            (changes, failures) => {
                ALLOWED.set((changes - 1, failures));
                Ok(())
            }
        }
    }
}
