//! The files of scraped pages: which ones may be opened, and the messages if one cannot.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Result of opening a record's page.
pub(super) enum Opened {
    /// The page is open.
    Page(File),
    /// The record has no page.
    None,
    /// The page cannot be opened.
    Defect(String),
    /// The whole scrape cannot be opened.
    Trouble(String),
}

/// Opens pages below their roots.
pub(super) struct Pages<'o> {
    /// The root for all records, overriding theirs.
    given: Option<&'o Path>,
    /// Roots seen so far, with their problems.
    roots: HashMap<String, Option<String>>,
}

impl<'o> Pages<'o> {
    pub fn new(given: Option<&'o Path>) -> Self {
        Pages { given, roots: HashMap::new() }
    }

    /// Opens `root`/`file`, or that file below the given root. A record can lead neither out of its root nor to an
    /// absolute root that the user has not named.
    pub fn open(&mut self, root: &Option<String>, file: &Option<String>) -> Opened {
        let Some(file) = file.as_deref() else { return Opened::None };
        if !stays_below(file) {
            return Opened::Defect(format!("scrape.file leads out of its root: {file}"));
        }
        let root = match (self.given, root.as_deref()) {
            (Some(given), _) => given.to_string_lossy().into_owned(),
            (None, Some(root)) => root.to_owned(),
            (None, None) => return Opened::Defect(format!("scrape.root is null: {file}")),
        };
        if let Some(trouble) = self.trouble_with(&root) {
            return Opened::Trouble(trouble);
        }
        let path = PathBuf::from(root).join(file);
        match File::open(&path).and_then(|file| if file.metadata()?.is_file() { Ok(file) } else { Err(not_a_file()) }) {
            Ok(file) => Opened::Page(file),
            Err(e) => Opened::Defect(format!("page {}: {}", path.display(), e.kind())),
        }
    }

    /// The message for a page that could not be read to its end.
    pub fn describe(&self, file: &Option<String>, error: &io::Error) -> String {
        format!("page {}: {}", file.as_deref().unwrap_or_default(), error.kind())
    }

    fn trouble_with(&mut self, root: &str) -> Option<String> {
        if !self.roots.contains_key(root) {
            let trouble = match std::fs::read_dir(root) {
                _ if self.given.is_none() && !stays_below(root) => {
                    Some(format!("{root}: scrape.root must not be absolute or contain ..; use --scrape-root"))
                }
                Ok(_) => None,
                Err(e) => Some(format!("{root}: {} (has the scrape moved? use --scrape-root DIR)", e.kind())),
            };
            self.roots.insert(root.to_owned(), trouble);
        }
        self.roots[root].clone()
    }
}

fn stays_below(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}
