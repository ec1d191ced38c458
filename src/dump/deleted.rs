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
    /// The lines of a file; none if it is not there.
    ///
    /// # Errors
    /// When it cannot be read, or is another file.
    pub(crate) fn read(path: &Path) -> Result<Vec<Self>, Error> {
        if !path.exists() {
            return Ok(Vec::new());
        }
        let lines = fs::read(path).map_err(|e| Error::at(path, e))?;
        let lines = (1..).zip(lines.split(|&b| b == b'\n')).filter(|(_, line)| !line.is_empty());
        let read = |(number, line): (u64, &[u8])| {
            serde_json::from_slice(line)
                .map_err(|e| Error::Fatal(format!("{}:{number}: not a line of deleted.ndjson: {e}", shown_path(path))))
        };
        lines.map(read).collect()
    }
}
