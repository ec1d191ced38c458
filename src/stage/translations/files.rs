//! Opens the files of scraped pages and pages in web archives, if that is permitted, and explains why if not.

use crate::archive::{self, Archives, Payload, Volume, WarcPlace, read_at};
use crate::page::{PAGE_LIMIT, PageBuffer, PageReader};
use crate::record::Scrape;
use crate::report::{describe_io, in_shell, shown_path};
use crate::tree::{Root, stays_below};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// The most roots that a thread keeps open: usually, a site has one.
const OPEN_ROOTS: usize = 16;

/// The result of opening a record's page.
pub(super) enum Opened {
    /// The page is open.
    Page(Opening),
    /// The record has no page.
    None,
    /// The page cannot be opened: the kind of defect, and the cause.
    Defect(&'static str, String),
    /// The record names a root that only the user may name: the option to use.
    Refused(String),
}

/// The bytes of a page.
pub(super) enum Opening {
    /// The bytes of a file.
    File(File),
    /// The bytes of a capture in an archive, and the name of their encoding, if the server gave one.
    Archived(Cursor<Vec<u8>>, Option<String>),
}

impl Opening {
    /// The encoding in which a server sent the page.
    pub(super) fn charset(&self) -> Option<String> {
        if let Opening::Archived(_, charset) = self { charset.clone() } else { None }
    }
}

impl Read for Opening {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Opening::File(file) => file.read(buffer),
            Opening::Archived(bytes, _) => bytes.read(buffer),
        }
    }
}

/// Opens pages below their roots.
pub(super) struct Pages<'o> {
    /// A single root is used for all records and overrides theirs; several are those that records may name.
    given: &'o [PathBuf],
    /// The most recently used roots, or why they cannot be used.
    roots: HashMap<String, Result<Root, String>>,
    archives: &'o Archives,
    /// The block of a record.
    block: Vec<u8>,
}

impl<'o> Pages<'o> {
    pub(super) fn new(given: &'o [PathBuf], archives: &'o Archives) -> Self {
        Pages { given, roots: HashMap::new(), archives, block: Vec::new() }
    }

    /// Opens the page below its root or the given one. A record cannot lead out of its root, nor to an absolute root that
    /// the user has not named. The record of an archive must have the payload with the page's digest, if it has one.
    pub(super) fn open(&mut self, page: &Scrape<'_>) -> Opened {
        let Some(file) = page.file.as_deref() else { return Opened::None };
        let only = self.only().map(shown_path);
        let Some(name) = only.as_deref().or(page.root.as_deref()) else {
            return Opened::Defect("page", format!("scrape.root is null: {file}"));
        };
        if !stays_below(file) {
            return Opened::Defect("page_outside", format!("page {name}/{file}: leads out of its root"));
        }
        let mut block = std::mem::take(&mut self.block);
        let archives = self.archives;
        if only.is_none() && !stays_below(name) && self.named(name).is_none() {
            return Opened::Refused(format!(
                "the scrape lies outside of this directory, which no record may say by itself: add {} \
                 (and one for each further scrape)",
                as_option(name)
            ));
        }
        let root = match self.root(name) {
            Ok(root) => root,
            Err(what) => return Opened::Defect("root", what.clone()),
        };
        let opened = match archive::split(file) {
            None => root.file(Path::new(file)).map(Opening::File),
            Some((path, volume, place)) => {
                let open = || Volume::open(path, root.file(Path::new(path))?);
                let volumes = archives.volumes(Path::new(name).join(path), open);
                volumes.and_then(|volumes| archived(&volumes, volume, place, page.digest.as_deref(), &mut block))
            }
        };
        self.block = block;
        match opened {
            Ok(page) => Opened::Page(page),
            Err(e) => {
                let kind = if e.kind() == io::ErrorKind::InvalidInput { "page_outside" } else { "page" };
                Opened::Defect(kind, format!("page {name}/{file}: {}", describe_io(&e)))
            }
        }
    }

    /// Reads a page whole.
    ///
    /// # Errors
    /// Why it cannot be opened or read.
    pub(super) fn read<T>(
        &mut self,
        page: &Scrape<'_>,
        buffer: &mut PageBuffer,
        look: impl FnOnce(&str) -> T,
    ) -> Result<T, String> {
        match self.open(page) {
            Opened::Page(opening) => {
                let charset = opening.charset();
                let mut reader = PageReader::new(opening, std::mem::take(buffer)).sent_as(charset.as_deref());
                let read = reader.whole(look);
                *buffer = reader.into_buffer();
                read.map_err(|e| self.describe(page, &e))
            }
            Opened::Defect(_, what) | Opened::Refused(what) => Err(what),
            Opened::None => Err(io::Error::from(io::ErrorKind::NotFound).to_string()),
        }
    }

    /// The root for all records.
    fn only(&self) -> Option<&'o Path> {
        if let [only] = self.given { Some(only) } else { None }
    }

    /// The root with this name, if there are several.
    fn named(&self, name: &str) -> Option<&'o Path> {
        self.given.iter().map(PathBuf::as_path).find(|given| *given == Path::new(name))
    }

    /// The message for a page that could not be read to its end.
    pub(super) fn describe(&self, page: &Scrape<'_>, error: &io::Error) -> String {
        format!("page {}: {}", page.file.as_deref().unwrap_or_default(), describe_io(error))
    }

    fn root(&mut self, name: &str) -> &Result<Root, String> {
        if !self.roots.contains_key(name) {
            if self.roots.len() == OPEN_ROOTS {
                self.roots.clear();
            }
            let path = self.only().or_else(|| self.named(name)).unwrap_or(Path::new(name));
            let root = Root::open(path).map_err(|e| {
                let name = if name.is_empty() { "scrape.root is empty" } else { name };
                format!("{name}: {} (has the scrape moved? use --scrape-root DIR)", describe_io(&e))
            });
            self.roots.insert(name.to_owned(), root);
        }
        &self.roots[name]
    }
}

/// The page in the record at `place` of the volume with this name.
fn archived(
    volumes: &[Volume],
    name: &str,
    place: WarcPlace,
    digest: Option<&str>,
    block: &mut Vec<u8>,
) -> io::Result<Opening> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let volume = volumes.iter().find(|volume| volume.name == name).ok_or(io::ErrorKind::NotFound)?;
    let record = read_at(volume, place, PAGE_LIMIT, block)?;
    if let (Some(want), Some(found)) = (digest, record.get("warc-payload-digest"))
        && want != found
    {
        return Err(wrong(format!("the record there has another digest, {found}")));
    }
    match record.payload(block, PAGE_LIMIT).map_err(wrong)? {
        Payload::Body(body) => Ok(Opening::Archived(Cursor::new(body.bytes.into_owned()), body.charset)),
        _ => Err(wrong("the record there holds no page".to_owned())),
    }
}

/// The option that names this root, quoted for a shell.
fn as_option(root: &str) -> String {
    format!("--scrape-root {}", in_shell(root))
}
