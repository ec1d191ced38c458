//! Lists the files below a directory that the user has named, in the byte order of their paths, and opens them. Whatever
//! their names, and wherever their links lead: nothing outside that directory is opened, and neither are pipes and
//! devices.

use crate::report::{Error, Report, shown_path};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// Whether a path is relative and does not lead upwards.
pub(crate) fn stays_below(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The flags with which files are opened. Opening a pipe does not wait for its writer; for regular files, that flag has no effect.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// A directory below which files are opened. It may itself be a link, because the user has named it.
pub(crate) struct Root {
    folder: OwnedFd,
    /// Its canonical path.
    top: PathBuf,
}

impl Root {
    /// # Errors
    /// If it is not a directory, or cannot be read.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let folder = open(path, READ | OFlags::DIRECTORY, Mode::empty())?;
        Ok(Root { folder, top: path.canonicalize()? })
    }

    /// Opens the regular file `below` this directory, following links that stay below it.
    ///
    /// # Errors
    /// If there is no such file; an error of the kind [`io::ErrorKind::InvalidInput`] for anything but a regular file
    /// below the directory: a link that leads out, a pipe.
    pub(crate) fn file(&self, below: &Path) -> io::Result<File> {
        let file = match self.beneath(below) {
            // The system lacks the call, or the container forbids it; or a link is absolute, which may nevertheless lead
            // to a place below the directory.
            Err(Errno::NOSYS | Errno::PERM | Errno::XDEV | Errno::AGAIN) => self.by_canonical_path(below)?,
            opened => opened?,
        };
        let file = File::from(file);
        if file.metadata()?.is_file() { Ok(file) } else { Err(refused("not a regular file")) }
    }

    #[cfg(target_os = "linux")]
    fn beneath(&self, below: &Path) -> rustix::io::Result<OwnedFd> {
        use rustix::fs::{ResolveFlags, openat2};
        openat2(&self.folder, below, READ, Mode::empty(), ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS)
    }

    #[cfg(not(target_os = "linux"))]
    fn beneath(&self, _: &Path) -> rustix::io::Result<OwnedFd> {
        Err(Errno::NOSYS)
    }

    fn by_canonical_path(&self, below: &Path) -> io::Result<OwnedFd> {
        let path = self.top.join(below).canonicalize()?;
        let below = path.strip_prefix(&self.top).map_err(|_| refused("leads out of its root"))?;
        match self.beneath(below) {
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => Ok(open(&path, READ | OFlags::NOFOLLOW, Mode::empty())?),
            opened => Ok(opened?),
        }
    }
}

fn refused(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

/// The contents of a directory, by paths relative to it.
pub(crate) struct Below {
    /// The regular files.
    pub(crate) files: Vec<Box<Path>>,
    /// The directories that cannot be listed, with their errors.
    pub(crate) unreadable: Vec<(Box<Path>, io::Error)>,
    /// The symbolic links that are not followed.
    pub(crate) astray: Astray,
}

/// The symbolic links below a directory that lead out of it, or are broken.
#[derive(Default)]
pub(crate) struct Astray {
    /// The directory, as messages show it.
    folder: String,
    number: u64,
    /// The first of these links, in byte order.
    first: Option<Box<Path>>,
}

impl Astray {
    fn add(&mut self, link: &Path) {
        self.number += 1;
        if self.first.as_deref().is_none_or(|first| link.as_os_str() < first.as_os_str()) {
            self.first = Some(link.into());
        }
    }

    /// Counts `skipped_links`, and names the first link.
    pub(crate) fn report(&self, report: &mut Report) {
        let Some(first) = &self.first else { return };
        report.count("skipped_links", self.number);
        let (links, lead) = if self.number == 1 { ("link", "leads") } else { ("links", "lead") };
        report.warn(&format!(
            "{}: {} symbolic {links} in it {lead} out of it, or to nothing (first: {}); skipped",
            self.folder,
            self.number,
            shown_path(first)
        ));
    }
}

/// All regular files below the directory `root`, by their relative paths. A symbolic link is followed only if it leads
/// to a file in the same tree: git-annex stores files this way, and no file outside the directory that the user named is
/// ever read.
///
/// # Errors
/// If `root` is not a directory, or cannot be listed.
pub(crate) fn files_below(root: &Path) -> Result<Below, Error> {
    let top = root.canonicalize().map_err(|e| Error::io(shown_path(root), e))?;
    if !top.is_dir() {
        return Err(Error::io(shown_path(root), std::io::ErrorKind::NotADirectory.into()));
    }
    let (mut files, mut unreadable) = (Vec::<Box<Path>>::new(), Vec::<(Box<Path>, io::Error)>::new());
    let mut astray = Astray { folder: shown_path(root), ..Astray::default() };
    for entry in WalkDir::new(root) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(e) => {
                let path = e.path().unwrap_or(root).to_owned();
                let is_top = e.depth() == 0;
                let source = e.into_io_error().unwrap_or_else(|| io::ErrorKind::InvalidInput.into());
                if is_top {
                    return Err(Error::at(path, source));
                }
                unreadable.push((path.strip_prefix(root).unwrap_or(&path).into(), source));
                continue;
            }
        };
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let is_file = match entry.file_type() {
            kind if kind.is_symlink() => match entry.path().canonicalize() {
                // A directory in the same tree is listed at its own place.
                Ok(target) if target.starts_with(&top) => target.is_file(),
                _ => {
                    astray.add(below);
                    false
                }
            },
            kind => kind.is_file(),
        };
        if is_file {
            files.push(below.into());
        }
    }
    // Sorted by whole paths, not by directories, so that the order does not depend on how the tree is walked.
    let bytes = |path: &Path| path.as_os_str().as_bytes().to_owned();
    files.sort_unstable_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
    unreadable.sort_by_cached_key(|(path, _)| bytes(path));
    Ok(Below { files, unreadable, astray })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_files_below_the_root_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        fs::create_dir_all(site.join("a")).unwrap();
        fs::write(site.join("a/page"), "page").unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        for (to, name) in
            [("../secret", "out"), ("..", "up"), ("a/../a/page", "in"), ("/dev/zero", "zero"), ("loop", "loop")]
        {
            symlink(to, site.join(name)).unwrap();
        }
        symlink(site.join("a/page"), site.join("absolute")).unwrap();
        symlink(&site, folder.path().join("link")).unwrap();
        std::process::Command::new("mkfifo").arg(site.join("fifo")).status().unwrap();
        let root = Root::open(&folder.path().join("link")).unwrap();
        type Open = fn(&Root, &Path) -> io::Result<File>;
        let ways: [Open; 2] = [Root::file, |root, below| Ok(File::from(root.by_canonical_path(below)?))];
        for way in ways {
            for name in ["a/page", "in", "absolute"] {
                assert_eq!(io::read_to_string(way(&root, Path::new(name)).unwrap()).unwrap(), "page", "{name}");
            }
            for name in ["out", "up/secret", "zero", "../secret", "/etc/passwd"] {
                assert_eq!(way(&root, Path::new(name)).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{name}");
            }
            assert!(way(&root, Path::new("loop")).is_err());
        }
        for name in ["fifo", "a"] {
            assert_eq!(root.file(Path::new(name)).unwrap_err().to_string(), "not a regular file", "{name}");
        }
        assert!(Root::open(&site.join("fifo")).is_err());
    }

    #[test]
    fn files_come_in_the_order_of_their_bytes_and_links_stay_inside() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("site");
        fs::create_dir_all(root.join("a/b")).unwrap();
        for name in ["a/b/x", "a-b", "a.b", "B"] {
            fs::write(root.join(name), "").unwrap();
        }
        fs::write(folder.path().join("secret"), "").unwrap();
        symlink("../secret", root.join("out")).unwrap();
        symlink("a-b", root.join("in")).unwrap();
        symlink(".", root.join("loop")).unwrap();
        symlink("nowhere", root.join("dead")).unwrap();
        symlink("..", root.join("a/up")).unwrap();
        let Below { files, astray, .. } = files_below(&root).unwrap();
        let names: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
        assert_eq!(names, ["B", "a-b", "a.b", "a/b/x", "in"]);
        assert_eq!((astray.number, astray.first.as_deref()), (2, Some(Path::new("dead"))));
        assert!(files_below(&root.join("B")).is_err(), "a file has nothing below it");
    }
}
