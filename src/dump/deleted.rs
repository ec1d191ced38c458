//! What an update of wp-fetch has found to be gone: the lines of `deleted.ndjson`.

use crate::report::{Error, shown_path};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// The part of a line that is read.
#[derive(Deserialize)]
pub(crate) struct Deleted {
    pub(crate) time: String,
    pub(crate) r#type: String,
    /// A post of a feed may have none.
    pub(crate) id: Option<i64>,
    pub(crate) link: Option<String>,
}

impl Deleted {
    /// The lines of a file, with the types of records; none if it is not there. `wrong` is told what cannot be read.
    ///
    /// # Errors
    /// Those of `wrong`.
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

/// The type of records that wp-fetch names as WordPress does.
pub(crate) fn own_type(name: &str) -> &str {
    match name {
        "attachment" => "media",
        "post_tag" => "tag",
        _ => name,
    }
}
