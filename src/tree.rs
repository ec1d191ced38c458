//! Lists the files below a directory in the byte order of their paths, without reading them.

use crate::report::Error;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use walkdir::WalkDir;

/// All regular files below the directory `root`, by their relative paths. A symbolic link is followed only if it leads
/// to a file in the same tree: git-annex stores files this way, and nothing outside what the user named is ever read.
///
/// # Errors
/// When `root` is not a directory, or it or a directory below it cannot be listed; it is named.
pub(crate) fn files_below(root: &str) -> Result<Vec<Box<Path>>, Error> {
    let top = Path::new(root).canonicalize().map_err(|e| Error::io(root, e))?;
    if !top.is_dir() {
        return Err(Error::io(root, std::io::ErrorKind::NotADirectory.into()));
    }
    let mut files: Vec<Box<Path>> = Vec::new();
    for entry in WalkDir::new(root) {
        let entry = entry.map_err(|e| {
            let path = e.path().unwrap_or(Path::new(root)).display().to_string();
            let source = e.into_io_error().unwrap_or_else(|| std::io::ErrorKind::InvalidInput.into());
            Error::io(path, source)
        })?;
        let is_file = match entry.file_type() {
            kind if kind.is_symlink() => leads_inside(entry.path(), &top),
            kind => kind.is_file(),
        };
        if is_file {
            files.push(entry.path().strip_prefix(root).unwrap_or(entry.path()).into());
        }
    }
    // Sorted by whole paths, not by directories, so that the order does not depend on how the tree is walked.
    files.sort_unstable_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
    Ok(files)
}

fn leads_inside(link: &Path, top: &Path) -> bool {
    link.canonicalize().is_ok_and(|target| target.starts_with(top) && target.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

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
        let files = files_below(root.to_str().unwrap()).unwrap();
        let names: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
        assert_eq!(names, ["B", "a-b", "a.b", "a/b/x", "in"]);
        assert!(files_below(root.join("B").to_str().unwrap()).is_err(), "a file has nothing below it");
    }
}
