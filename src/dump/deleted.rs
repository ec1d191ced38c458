//! Reads the records that an update of wp-fetch has found deleted: the lines of `deleted.ndjson`.

use crate::report::{Error, shown_path};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// The fields of a line that are used.
#[derive(Deserialize)]
pub(crate) struct Deleted {
    pub(crate) time: String,
    pub(crate) r#type: String,
    /// The id of the record; `None` for some posts of feeds.
    pub(crate) id: Option<i64>,
    pub(crate) link: Option<String>,
}

impl Deleted {
    /// Reads the lines of a file, and turns the types into those of records; empty if the file does not exist. `wrong`
    /// is called with each error.
    ///
    /// # Errors
    /// Those that `wrong` returns.
    pub(crate) fn read(path: &Path, mut wrong: impl FnMut(Error) -> Result<(), Error>) -> Result<Vec<Self>, Error> {
        let mut all = Vec::new();
        if !path.exists() {
            return Ok(all);
        }
        let lines = match fs::read(path) {
            Ok(lines) => lines,
            Err(e) => return wrong(Error::at(path, e)).map(|()| all),
        };
        for (number, line) in (1..).zip(lines.split(|&b| b == b'\n')).filter(|(_, line)| !line.is_empty()) {
            match serde_json::from_slice::<Self>(line) {
                Ok(gone) => all.push(Deleted { r#type: own_type(&gone.r#type).to_owned(), ..gone }),
                Err(e) => {
                    let what = format!("{}:{number}: not a line of deleted.ndjson: {e}", shown_path(path));
                    wrong(Error::Fatal(what))?;
                }
            }
        }
        Ok(all)
    }
}

/// The type of records for a type in wp-fetch's spelling, which is WordPress' own.
pub(crate) fn own_type(name: &str) -> &str {
    match name {
        "attachment" => "media",
        "post_tag" => "tag",
        _ => name,
    }
}
