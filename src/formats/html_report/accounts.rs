//! Reads reports of other programs about the dataset: the `--stats` of the stages and wp-fetch's `fetch.json`.

use crate::export::dataset::folder::read_regular;
use crate::report::Error;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The report of one program.
#[derive(Debug, Serialize)]
pub(super) struct Account {
    /// Its name.
    pub(super) program: String,
    /// Its counts, including those of defects.
    pub(super) counts: Map<String, Value>,
    /// For wp-fetch: its report on the site.
    pub(super) fetched: Option<Fetched>,
}

/// The part of `fetch.json` that the page shows.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Fetched {
    pub(super) site: Option<String>,
    pub(super) started: Option<String>,
    pub(super) ended: Option<String>,
    pub(super) complete: Option<bool>,
    pub(super) gaps: Option<u64>,
    pub(super) stopped: Option<String>,
    pub(super) collections: Vec<Collection>,
}

/// The outcome of fetching a collection.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Collection {
    pub(super) r#type: Option<String>,
    pub(super) language: Option<String>,
    pub(super) total_end: Option<u64>,
    pub(super) got: Option<u64>,
    pub(super) hidden: Option<u64>,
    pub(super) gaps: Option<u64>,
    pub(super) refused: Option<String>,
}

/// Reads the files.
///
/// # Errors
/// If a file cannot be read, or is neither of the two.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Account>, Error> {
    files.iter().map(|file| read_one(file)).collect()
}

fn read_one(file: &Path) -> Result<Account, Error> {
    let name = file.display().to_string();
    let json = read_regular(file).map_err(|e| Error::io(name.as_str(), e))?;
    let neither = || Error::Fatal(format!("{name}: neither the --stats of a stage nor wp-fetch's fetch.json"));
    let mut object: Map<String, Value> = serde_json::from_slice(&json).map_err(|_| neither())?;
    let Some(Value::String(program)) = object.remove("program") else { return Err(neither()) };
    if object.contains_key("collections") {
        let fetched = serde_json::from_value(Value::Object(object)).map_err(|_| neither())?;
        return Ok(Account { program, counts: Map::new(), fetched: Some(fetched) });
    }
    if !object.contains_key("rejects") {
        return Err(neither());
    }
    object.remove("version");
    Ok(Account { program, counts: object, fetched: None })
}
