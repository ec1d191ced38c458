//! The records of before: when `wpipe RAW -d DATASET` replaces a dataset by one of a later fetch, the older one stays beside it, in
//! `DATASET.before`, for wp-diff.

use crate::export::dataset::manifest;
use crate::export::dataset::names::MANIFEST;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// An older dataset of JSON Lines, whose files have a second name each while a run replaces it.
pub(super) struct Before {
    dataset: PathBuf,
    hidden: PathBuf,
    inputs: Value,
}

impl Before {
    /// None where there is no such dataset.
    pub(super) fn of(dataset: &Path) -> io::Result<Option<Self>> {
        let Ok(json) = fs::read(dataset.join(MANIFEST)) else { return Ok(None) };
        let Some(hidden) = beside(dataset, ".", ".before") else { return Ok(None) };
        let Some(listed) = manifest::listed(&json).filter(|listed| listed.format == "jsonl") else { return Ok(None) };
        // Of a run that was killed.
        if hidden.exists() {
            fs::remove_dir_all(&hidden)?;
        }
        for name in listed.names.iter().map(String::as_str).chain([MANIFEST]) {
            let (from, to) = (dataset.join(name), hidden.join(name));
            fs::create_dir_all(to.parent().unwrap_or(&hidden))?;
            fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))?;
        }
        Ok(Some(Before { dataset: dataset.to_owned(), hidden, inputs: inputs(dataset) }))
    }

    /// Where it is now; none if the new dataset is of the same inputs, or if somebody else has put something in its place.
    pub(super) fn keep(self) -> io::Result<Option<PathBuf>> {
        let Some(place) = beside(&self.dataset, "", ".before") else { return Ok(None) };
        let is_free =
            !place.exists() || fs::read(place.join(MANIFEST)).is_ok_and(|json| manifest::listed(&json).is_some());
        if inputs(&self.dataset) == self.inputs || !is_free {
            return Ok(None);
        }
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::rename(&self.hidden, &place)?;
        Ok(Some(place))
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.hidden);
    }
}

/// What a dataset was made of; null where that is not known.
fn inputs(dataset: &Path) -> Value {
    let json = fs::read(dataset.join(MANIFEST)).unwrap_or_default();
    serde_json::from_slice::<Value>(&json).map(|manifest| manifest["inputs"].clone()).unwrap_or_default()
}

/// A name beside a folder.
fn beside(folder: &Path, before: &str, after: &str) -> Option<PathBuf> {
    let name = folder.file_name()?.to_str()?;
    Some(folder.with_file_name(format!("{before}{name}{after}")))
}
