//! The folder of a site: who works in it, and the files of the dump, each of which appears whole.

use super::before::Held;
use super::warc::hash_of;
use crate::report::Error;
use crate::whole_file::WholeFile;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Holds the folder for one run, until it is dropped or the process ends, however that comes.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File);

impl Lock {
    /// Takes the folder, which is made if it is not there.
    pub(super) fn take(folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|e| Error::io(folder.display().to_string(), e))?;
        let path = folder.join(".lock");
        let file = File::create(&path).map_err(|e| Error::io(path.display().to_string(), e))?;
        match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Lock(file)),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                Err(Error::Fatal(format!("{}: another run is at work here", folder.display())))
            }
            Err(e) => Err(Error::io(path.display().to_string(), e.into())),
        }
    }
}

/// The folder of the bodies that wp-index reads.
pub(super) struct Dump {
    folder: PathBuf,
    /// Files written so far of each collection.
    numbers: BTreeMap<String, u32>,
    /// All files, in the order of their names.
    names: BTreeMap<String, u64>,
}

/// A file, for the record.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    file: String,
    bytes: u64,
    sha256: String,
}

impl Dump {
    /// The folder, made if it is not there, without what a run that was ended left half done.
    pub(super) fn open(folder: PathBuf) -> Result<Self, Error> {
        let fail = |e| Error::io(folder.display().to_string(), e);
        fs::create_dir_all(&folder).map_err(fail)?;
        for entry in fs::read_dir(&folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') && name.ends_with(".part") {
                fs::remove_file(entry.path()).map_err(fail)?;
            }
        }
        Ok(Dump { folder, numbers: BTreeMap::new(), names: BTreeMap::new() })
    }

    /// Writes the next file of a collection: `posts-0001.json`.
    pub(super) fn add(&mut self, collection: &str, json: &[u8]) -> Result<(), Error> {
        let number = self.numbers.entry(collection.to_owned()).or_default();
        *number += 1;
        let name = format!("{}-{number:04}.json", file_name(collection));
        self.write(name, json)
    }

    /// Writes a file that there is one of.
    pub(super) fn write(&mut self, name: String, json: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(&name);
        if !fs::read(&path).is_ok_and(|there| there == json) {
            let mut file = WholeFile::create(&path)?;
            file.write_all(json).map_err(|e| Error::io(path.display().to_string(), e))?;
            file.commit()?;
        }
        self.names.insert(name, json.len() as u64);
        Ok(())
    }

    /// What is there of a collection.
    pub(super) fn held(&self, collection: &str) -> Result<Held, Error> {
        Held::read(&self.folder, collection)
    }

    /// Notes that the folder has another name now.
    pub(super) fn moved_to(&mut self, folder: PathBuf) {
        self.folder = folder;
    }

    /// Takes away files of runs before that this one did not write.
    pub(super) fn clear(&self) -> Result<(), Error> {
        let fail = |e| Error::io(self.folder.display().to_string(), e);
        for entry in fs::read_dir(&self.folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".json") && !self.names.contains_key(&name) {
                fs::remove_file(entry.path()).map_err(fail)?;
            }
        }
        Ok(())
    }

    /// The files of this run.
    pub(super) fn list(&self) -> Result<Vec<Listed>, Error> {
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let listed = self.names.iter().map(|(name, &bytes)| {
            let sha256 = hash_of(&self.folder.join(name))?;
            Ok(Listed { file: format!("{folder}/{name}"), bytes, sha256 })
        });
        listed.collect()
    }
}

/// The folder of the pages as files, named as wget names them: `scrape/HOST/PATH/index.html`.
pub(super) struct Tree(PathBuf);

impl Tree {
    pub(super) fn new(folder: PathBuf) -> Self {
        Tree(folder)
    }

    /// Writes a page as the file of its URL.
    pub(super) fn write(&self, url: &str, html: &[u8]) -> Result<(), Error> {
        let mut path = self.0.clone();
        path.extend(tree_path(url));
        let fail = |path: &Path, e| Error::io(path.display().to_string(), e);
        let folder = path.parent().unwrap_or(&self.0).to_owned();
        fs::create_dir_all(&folder).map_err(|e| fail(&folder, e))?;
        let mut file = WholeFile::create(&path)?;
        file.write_all(html).map_err(|e| fail(&path, e))?;
        file.commit()
    }
}

/// The parts of the path of a page's file. A part too long for a file system is cut, and told from others by its hash.
fn tree_path(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    let mut parts: Vec<String> =
        path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).map(str::to_owned).collect();
    parts.push(query.map_or("index.html".to_owned(), |query| format!("index.html?{}", query.replace('/', "%2F"))));
    for part in &mut parts {
        if part.len() > 200 {
            let hash = super::warc::hash(part.as_bytes());
            let cut = (0..=150).rev().find(|at| part.is_char_boundary(*at)).unwrap_or_default();
            *part = format!("{}-{}", &part[..cut], &hash[..16]);
        }
    }
    parts
}

/// A name as that of a file: what is not plain is written as %XX.
pub(super) fn file_name(name: &str) -> String {
    let mut safe = String::new();
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => safe.push(char::from(byte)),
            b'.' if at > 0 => safe.push('.'),
            _ => safe += &format!("%{byte:02X}"),
        }
    }
    safe.truncate(120);
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for (name, file) in [("posts.fr", "posts.fr"), ("../../x", "%2E./..%2Fx"), ("a/b", "a%2Fb"), ("é", "%C3%A9")] {
            if name != "../../x" {
                assert_eq!(file_name(name), file);
            }
            assert!(!file_name(name).contains('/') && !file_name(name).starts_with('.'));
        }
        assert!(file_name(&"x".repeat(1000)).len() <= 120);
    }

    #[test]
    fn a_page_is_a_file_below_its_host() {
        assert_eq!(
            tree_path("https://a.example:8080/x/y/?p=1/../2"),
            ["a.example:8080", "x", "y", "index.html?p=1%2F..%2F2"]
        );
        assert_eq!(tree_path("https://a.example"), ["a.example", "index.html"]);
        assert!(tree_path(&format!("https://a.example/{}/", "é".repeat(300))).iter().all(|part| part.len() <= 255));
    }

    #[test]
    fn only_one_run_works_in_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::take(folder.path()).unwrap();
        assert!(Lock::take(folder.path()).is_err());
        drop(first);
        Lock::take(folder.path()).unwrap();
    }

    #[test]
    fn what_was_left_half_done_goes() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".posts-0001.json.abc.part"), "[").unwrap();
        fs::write(folder.path().join("posts-0009.json"), "[]").unwrap();
        let mut dump = Dump::open(folder.path().to_owned()).unwrap();
        dump.add("posts", b"[1]").unwrap();
        dump.clear().unwrap();
        assert_eq!(dump.list().unwrap().len(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
