//! Replaces a dataset by a new one in one step, if the system can exchange two names (renameat2). The new dataset is completed with links
//! to foreign files (those that belong to others), moved beside the old dataset's folder, and exchanged with it. The old dataset, which is
//! then beside the folder, is removed; if this run is killed, the next one removes it. If a step before the exchange fails, it is taken
//! back, and [`super::swap`] replaces the dataset file by file.

use super::hidden::{self, Hidden};
use super::ownership::{Owner, all_folders};
use super::{changes, names};
use crate::report::{Error, Report, shown_path};
use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The most foreign files and folders to link: a folder with more belongs to others, who may be working in it.
const MOST: usize = 1000;

pub(super) struct Exchange {
    top: PathBuf,
    beside: PathBuf,
    /// The hidden folder of the new dataset, locked, so that a run that starts after the exchange finds the lock, too.
    next: Hidden,
}

/// The place of the other dataset during an exchange: `.NAME.wp-export` beside the folder, whose path must not have symbolic links.
fn beside(top: &Path) -> Option<PathBuf> {
    Some(top.with_file_name(format!(".{}{}", top.file_name()?.to_str()?, hidden::NAME)))
}

/// Handles a file or folder, given its path below the dataset.
type Each<'e> = dyn FnMut(&Path, &Metadata) -> io::Result<()> + 'e;

/// Visits all foreign files and folders below `folder` of `top`. `before` is called for each of them, for a folder ahead of its contents;
/// `after` is called for every folder, also the dataset's own, once its contents have been visited.
fn others(top: &Path, ours: &HashSet<&Path>, folder: &Path, before: &mut Each, after: &mut Each) -> io::Result<()> {
    for entry in fs::read_dir(top.join(folder))? {
        let name = folder.join(entry?.file_name());
        let found = fs::symlink_metadata(top.join(&name))?;
        if !ours.contains(&*name) {
            before(&name, &found)?;
        } else if !found.is_dir() || name == Path::new(hidden::NAME) {
            continue;
        }
        // A folder that `before` has moved as a whole no longer exists here.
        if found.is_dir() && top.join(&name).exists() {
            others(top, ours, &name, before, after)?;
            after(&name, &found)?;
        }
    }
    Ok(())
}

/// The files and folders that belong to the dataset.
fn ours(files: &HashSet<String>) -> HashSet<&Path> {
    let files = files.iter().map(String::as_str);
    all_folders(files.clone()).into_iter().chain(files).chain([names::MANIFEST, hidden::NAME]).map(Path::new).collect()
}

/// Gives a folder the mode of another one, if it has the same owner and file system.
fn make_alike(folder: &Path, of: &Metadata) -> io::Result<()> {
    let found = fs::symlink_metadata(folder)?;
    if (found.uid(), found.gid(), found.dev()) != (of.uid(), of.gid(), of.dev()) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    fs::set_permissions(folder, of.permissions())
}

impl Exchange {
    /// Adds links to foreign files to the new files in the hidden folder.
    ///
    /// # Errors
    /// If the names cannot be exchanged; the links are then removed with the hidden folder.
    pub(super) fn prepare(path: &Path, hidden: &Hidden, old: &HashSet<String>) -> io::Result<Self> {
        let top = path.canonicalize()?;
        let beside = beside(&top).ok_or(io::ErrorKind::Unsupported)?;
        // If the working directory is inside the folder, an exchange would move it away.
        if fs::symlink_metadata(&beside).is_ok() || std::env::current_dir()?.starts_with(&top) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let (new, ours, mut count) = (hidden.new_files(), ours(old), 0..MOST);
        let link = &mut |name: &Path, found: &Metadata| {
            count.next().ok_or(io::ErrorKind::Other)?;
            let place = new.join(name);
            let folder = if found.is_dir() { Some(&*place) } else { place.parent() };
            fs::create_dir_all(folder.expect("it has been joined"))?;
            if found.is_dir() { Ok(()) } else { changes::hard_link(&top.join(name), &place) }
        };
        let alike = &mut |name: &Path, found: &Metadata| match new.join(name) {
            folder if folder.is_dir() => make_alike(&folder, found),
            _ => Ok(()),
        };
        others(&top, &ours, Path::new(""), link, alike)?;
        make_alike(&new, &fs::symlink_metadata(&top)?)?;
        Ok(Exchange { next: hidden.next()?, top, beside })
    }

    /// Exchanges the datasets. Returns false if that is impossible; then everything is as it was before.
    ///
    /// # Errors
    /// If a failed exchange cannot be taken back; the old dataset is then still in its place.
    pub(super) fn run(self, hidden: &mut Hidden, owner: Owner, report: &mut Report) -> Result<bool, Error> {
        let Exchange { top, beside, mut next } = self;
        let (new, draft) = (hidden.new_files(), hidden.draft());
        let moves = [(&draft, &new.join(names::MANIFEST)), (&new, &beside)];
        let done = moves.iter().take_while(|(from, to)| changes::rename(from, to).is_ok()).count();
        if done < moves.len() || changes::exchange(&beside, &top).is_err() {
            for (to, from) in moves[..done].iter().rev() {
                changes::rename(from, to).map_err(|e| Error::io(shown_path(from), e))?;
            }
            return Ok(false);
        }
        // Each folder is now where the other one was.
        hidden.change_places(&mut next, &beside);
        clear(&top, owner, report);
        std::mem::swap(hidden, &mut next);
        Ok(true)
    }
}

/// Removes whatever an earlier run left beside a dataset's folder: a dataset that was replaced, or one that was not in its place yet.
pub(super) fn clear(top: &Path, owner: Owner, report: &mut Report) {
    let Some(beside) = top.canonicalize().ok().and_then(|top| beside(&top)) else { return };
    if let Err(e) = remove(top, &beside, owner) {
        report.warn(&Error::io(shown_path(&beside), e).to_string());
    }
}

fn remove(top: &Path, beside: &Path, owner: Owner) -> io::Result<()> {
    let manifest = beside.join(names::MANIFEST);
    if !fs::symlink_metadata(beside).is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    if let Ok(Some(dataset)) = owner.dataset(beside, &manifest) {
        let inode = |found: &Metadata| (found.dev(), found.ino());
        let give_back = &mut |name: &Path, found: &Metadata| match fs::symlink_metadata(top.join(name)) {
            Ok(same) if inode(&same) == inode(found) => changes::remove_file(&beside.join(name)),
            Err(_) => changes::rename(&beside.join(name), &top.join(name)),
            // The place is taken by something else: the file stays here.
            Ok(_) => Ok(()),
        };
        let leave = &mut |name: &Path, _: &Metadata| {
            let _ = changes::remove_dir(&beside.join(name));
            Ok(())
        };
        let files = dataset.files.iter().map(String::as_str);
        others(beside, &ours(&dataset.files), Path::new(""), give_back, leave)?;
        for name in files.clone() {
            hidden::is_gone(changes::remove_file(&beside.join(name)))?;
        }
        for folder in all_folders(files).into_iter().rev() {
            let _ = changes::remove_dir(&beside.join(folder));
        }
        hidden::is_gone(changes::remove_dir_all(&beside.join(hidden::NAME)))?;
        changes::remove_file(&manifest)?;
    }
    changes::remove_dir(beside)
}
