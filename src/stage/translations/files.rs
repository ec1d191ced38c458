//! The files of scraped pages: which ones may be opened, and the messages if one cannot.

use crate::report::{describe_io, shown_path};
use crate::tree::Root;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Component, Path};

/// Roots that a thread keeps open: one a site is usual.
const OPEN_ROOTS: usize = 16;

/// Result of opening a record's page.
pub(super) enum Opened {
    /// The page is open.
    Page(File),
    /// The record has no page.
    None,
    /// The page cannot be opened: the kind of defect, and why.
    Defect(&'static str, String),
}

/// Opens pages below their roots.
pub(super) struct Pages<'o> {
    /// The root for all records, overriding theirs.
    given: Option<&'o Path>,
    /// Roots seen last, or why they cannot be used.
    roots: HashMap<String, Result<Root, String>>,
}

impl<'o> Pages<'o> {
    pub(super) fn new(given: Option<&'o Path>) -> Self {
        Pages { given, roots: HashMap::new() }
    }

    /// Opens `root`/`file`, or that file below the given root. A record can lead neither out of its root nor to an
    /// absolute root that the user has not named.
    pub(super) fn open(&mut self, root: &Option<String>, file: &Option<String>) -> Opened {
        let Some(file) = file.as_deref() else { return Opened::None };
        let given = self.given.map(shown_path);
        let Some(name) = given.as_deref().or(root.as_deref()) else {
            return Opened::Defect("page", format!("scrape.root is null: {file}"));
        };
        if !stays_below(file) {
            return Opened::Defect("page_outside", format!("page {name}/{file}: leads out of its root"));
        }
        let root = match self.root(name) {
            Ok(root) => root,
            Err(what) => return Opened::Defect("root", what.clone()),
        };
        match root.file(Path::new(file)) {
            Ok(file) => Opened::Page(file),
            Err(e) => {
                let kind = if e.kind() == io::ErrorKind::InvalidInput { "page_outside" } else { "page" };
                Opened::Defect(kind, format!("page {name}/{file}: {}", describe_io(&e)))
            }
        }
    }

    /// The message for a page that could not be read to its end.
    pub(super) fn describe(&self, file: &Option<String>, error: &io::Error) -> String {
        format!("page {}: {}", file.as_deref().unwrap_or_default(), describe_io(error))
    }

    fn root(&mut self, name: &str) -> &Result<Root, String> {
        if !self.roots.contains_key(name) {
            if self.roots.len() == OPEN_ROOTS {
                self.roots.clear();
            }
            let root = match self.given {
                None if !stays_below(name) => {
                    Err(format!("{name}: scrape.root must not be absolute or contain ..; use --scrape-root"))
                }
                given => Root::open(given.unwrap_or(Path::new(name))).map_err(|e| {
                    let name = if name.is_empty() { "scrape.root is empty" } else { name };
                    format!("{name}: {} (has the scrape moved? use --scrape-root DIR)", describe_io(&e))
                }),
            };
            self.roots.insert(name.to_owned(), root);
        }
        &self.roots[name]
    }
}

fn stays_below(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}
