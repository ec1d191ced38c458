//! Opens the files that a run reads, by name or from stdin, and makes sure that the run does not overwrite them.

use super::flags::Common;
use crate::dump::is_fetched;
use crate::ndjson::{Input, Source, widen_if_pipe};
use crate::report::{Error, shown_path};
use crate::scrape::is_mirror;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Opens the stdin of the process: if it is redirected from a regular file, it can be read twice.
///
/// # Errors
/// If it is closed or is a directory.
pub fn stdin() -> Result<Source, Error> {
    if io::stdin().is_terminal() {
        super::say("reading from the terminal, until Ctrl-D; --help shows how to name files");
    }
    let fd = io::stdin().as_fd().try_clone_to_owned().map_err(|e| Error::io("-", e))?;
    widen_if_pipe(&fd);
    Source::from_file("-", File::from(fd))
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Opens the inputs of a filter: files by name; stdin for `-` or if no files are named.
pub(super) fn open_inputs(files: &[PathBuf]) -> Result<Input, Error> {
    if files.is_empty() {
        return Ok(Input::new(vec![stdin()?]));
    }
    let open = |file: &PathBuf| match file {
        file if is_stdin(file) => stdin(),
        folder if folder.is_dir() => {
            let what = "is a directory; name the files in it that are to be read";
            Err(Error::Fatal(format!("{}: {what}", shown_path(folder))))
        }
        file => Source::open(file),
    };
    Ok(Input::new(files.iter().map(open).collect::<Result<_, _>>()?))
}

/// Fails if a dataset would replace the records that it is made of.
pub(super) fn spare_inputs(files: &[PathBuf], folder: &Path) -> Result<(), Error> {
    let Ok(top) = folder.canonicalize() else { return Ok(()) };
    let stdin = ["-".into()];
    for file in if files.is_empty() { &stdin } else { files } {
        let path = if is_stdin(file) { Path::new("/dev/stdin") } else { file };
        if place(path).is_some_and(|place| place.starts_with(&top)) {
            let (file, folder) = (shown_path(file), shown_path(folder));
            return Err(Error::Fatal(format!("{file}: is in {folder}, which -d replaces; name another folder")));
        }
    }
    Ok(())
}

/// Fails if the additional files of a run would replace its inputs, its output, or each other.
pub(super) fn spare_files(common: &Common, files: &[PathBuf], beside: &[(&str, Option<&Path>)]) -> Result<(), Error> {
    let own = [("--rejects", common.rejects.as_deref()), ("--stats", common.stats.as_deref())];
    let inputs = files.iter().filter_map(|file| Some((place(file)?, "an input")));
    let output = common.output().and_then(place).map(|place| (place, "the output"));
    let mut taken: Vec<(PathBuf, &str)> = inputs.chain(output).collect();
    for (flag, path) in own.iter().chain(beside).filter_map(|(flag, path)| Some((*flag, (*path)?))) {
        let Some(place) = place(path) else { continue };
        if let Some((_, what)) = taken.iter().find(|(other, _)| *other == place) {
            return Err(Error::Fatal(format!("{}: is {what}; {flag} would replace it", shown_path(path))));
        }
        taken.push((place, flag));
    }
    Ok(())
}

/// Returns an error if the standard output is one of the inputs: the run would read its own output.
pub(super) fn refuse_own_input(files: &[PathBuf]) -> Option<Error> {
    let of_fd = |fd: BorrowedFd<'_>| identity(&File::from(fd.try_clone_to_owned().ok()?).metadata().ok()?);
    let output = of_fd(io::stdout().as_fd())?;
    let stdin = ["-".into()];
    let mut files = if files.is_empty() { stdin.iter() } else { files.iter() };
    let file = files.find(|file| {
        let input = match is_stdin(file) {
            true => of_fd(io::stdin().as_fd()),
            false => std::fs::metadata(file).ok().as_ref().and_then(identity),
        };
        input == Some(output)
    })?;
    Some(Error::Fatal(format!("{}: is also the output", shown_path(file))))
}

/// Identifies a regular file that is not empty, by its device and number.
fn identity(file: &Metadata) -> Option<(u64, u64)> {
    (file.is_file() && file.len() > 0).then(|| (file.dev(), file.ino()))
}

/// The path of a regular file, existing or not, with links resolved. Returns `None` for devices and pipes, which may be
/// named more than once.
fn place(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(there) => there.is_file().then_some(there),
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(path.file_name()?))
        }
    }
}

/// The scrapes of a run: those named by the user; else the only dump, if it is a mirror of the site.
pub fn scrapes_of(dumps: &[PathBuf], named: Vec<String>, no_dump: bool) -> Vec<String> {
    let is_asked = named.is_empty() && !no_dump;
    if let Some(folder) = is_asked.then(|| mirror(dumps)).flatten() { vec![folder] } else { named }
}

/// The only dump, if it is a mirror of the site, as records can name it.
pub(super) fn mirror(dumps: &[PathBuf]) -> Option<String> {
    let [folder] = dumps else { return None };
    let is_one = || folder.is_dir() && !is_fetched(folder) && is_mirror(folder);
    folder.to_str().filter(|_| is_one()).map(str::to_owned)
}
