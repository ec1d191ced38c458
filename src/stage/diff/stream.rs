//! Opens one side of a comparison: a file of records, stdin, or the folder of a dataset, whose manifest names its
//! files.

use crate::digest::{self, hex};
use crate::ndjson::{Input, Source};
use crate::report::{Error, shown_path};
use serde::Deserialize;
use std::path::{Component, Path};

/// The records of one side.
pub struct Stream {
    pub(super) input: Input,
    /// As the user typed it.
    pub(super) name: String,
    /// The files of a dataset have one type each: the records of a site are in several files.
    pub(super) is_dataset: bool,
}

#[derive(Deserialize)]
struct Manifest {
    program: String,
    format: String,
    files: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    records: u64,
    bytes: u64,
    sha256: String,
}

impl Listed {
    /// Fails unless the file matches the manifest: records that were lost in a copy must not count as deleted from the
    /// site.
    fn check(&self, file: &Path, manifest: &Path) -> Result<(), Error> {
        let differs = |there: String, stated: String| {
            let (file, manifest) = (shown_path(file), shown_path(manifest));
            let what = "it is not whole, or has been changed";
            Err(Error::Fatal(format!("{file}: {there}, but {manifest} states {stated}: {what}")))
        };
        let there = std::fs::metadata(file).map_err(|e| Error::at(file, e))?;
        if !there.is_file() {
            return differs("not a file".to_owned(), format!("{} bytes", self.bytes));
        }
        let bytes = there.len();
        if bytes != self.bytes {
            return differs(format!("{bytes} bytes"), format!("{} bytes ({} records)", self.bytes, self.records));
        }
        let sha256 = hex(&digest::of_file(file).map_err(|e| Error::at(file, e))?.1);
        if sha256 != self.sha256 {
            return differs(format!("SHA-256 {sha256}"), self.sha256.clone());
        }
        Ok(())
    }
}

impl Stream {
    /// Opens a file, a dataset's folder, or, for `-`, the source that `stdin` opens.
    ///
    /// # Errors
    /// If it cannot be opened, or a folder is not a dataset of records.
    pub fn open(path: &Path, stdin: impl FnOnce() -> Result<Source, Error>) -> Result<Self, Error> {
        let name = shown_path(path);
        let sources = match path {
            _ if path.as_os_str() == "-" => vec![stdin()?],
            _ if path.is_dir() => return Stream::of_dataset(path, name),
            _ => vec![Source::open(path)?],
        };
        Ok(Stream { input: Input::new(sources), name, is_dataset: false })
    }

    fn of_dataset(folder: &Path, name: String) -> Result<Self, Error> {
        let path = folder.join("manifest.json");
        let bad = |what: &str| Error::Fatal(format!("{}: {what}", shown_path(&path)));
        let json = std::fs::read(&path).map_err(|e| Error::at(&path, e))?;
        let manifest: Manifest = serde_json::from_slice(&json).map_err(|_| bad("not a manifest of wp-export"))?;
        if manifest.program != "wp-export" || manifest.format != "jsonl" {
            return Err(bad("not the manifest of a dataset of wp-export --format jsonl"));
        }
        let is_inside = |file: &Path| file.components().all(|part| matches!(part, Component::Normal(_)));
        let root = folder.canonicalize().map_err(|e| Error::at(folder, e))?;
        let mut sources = Vec::new();
        for listed in &manifest.files {
            let name = Path::new(&listed.name);
            if !is_inside(name) {
                return Err(bad("names files elsewhere"));
            }
            let file = folder.join(name);
            if file.canonicalize().is_ok_and(|real| !real.starts_with(&root)) {
                return Err(bad(&format!("{} leads out of the directory", listed.name)));
            }
            listed.check(&file, &path)?;
            sources.push(Source::open(&file)?);
        }
        Ok(Stream { input: Input::new(sources), name, is_dataset: true })
    }

    /// Reads records from memory.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Stream { input: Input::from_bytes(name, bytes), name: name.to_owned(), is_dataset: false }
    }

    /// Rejects lines of more than `bytes`.
    pub fn limit_records(&mut self, bytes: usize) {
        self.input.limit_records(bytes);
    }
}
