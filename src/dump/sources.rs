//! Opens the inputs of a dump: files, stdin, web archives, and directories, whose files are read in the byte order of their paths. Other
//! modules parse the files.

use super::archived::{Age, Answers, Captured, is_archive};
use crate::archive;
use crate::feed;
use crate::ndjson::{Digest, MAX_RECORD, Source};
use crate::report::{Error, Report, describe_io, is_of_system, shown_path};
use crate::tree::{Astray, Below, files_below};
use crate::wordpress::is_brought;
use crate::wxr;
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Everything that was named as the dump, in order.
#[derive(Default)]
pub struct Sources {
    list: Vec<Origin>,
    /// The longest element that is accepted, in bytes.
    pub(super) max_record: usize,
    /// The directories that the user named.
    folders: Vec<String>,
    /// The archives that the user named, and those found in directories.
    archives: Vec<PathBuf>,
    /// The number of responses in archives that contain no items.
    pub(super) left_out: u64,
    /// Records of archives, and entries of folders, that cannot be read: their addresses and errors.
    pub(super) faults: Vec<(String, String)>,
    /// Entries of the folders that are not read, such as symbolic links.
    astray: Vec<Astray>,
    /// The number of files that are not read because they belong to plugins and themes.
    brought: usize,
    /// The length and digest of each file that has been read to its end, if they were asked for.
    digests: Option<Vec<(u64, String)>>,
    /// Whether the only folder among them is a mirror of the site, which also contains other files.
    pub(crate) is_mirror: bool,
    /// The digest of the source that is being read.
    passing: Option<Arc<Mutex<Digest>>>,
    /// Which of the sources are WordPress exports, and what those say about their site.
    exports: Option<(HashSet<usize>, Arc<wxr::Site>)>,
    /// Which of the sources are feeds.
    feeds: HashSet<usize>,
}

enum Origin {
    /// The user named it: it must contain items.
    Named(Source),
    Found(PathBuf),
    Captured(Captured),
}

/// A source that is ready to be read.
pub(crate) enum Opened<'a> {
    /// The user named it: it must contain items. The flag says whether it is a file.
    Named(&'a mut Source, bool),
    /// It was found in a directory or an archive, and may be anything.
    Found(Source),
    /// A response that cannot be read: its name and the error.
    Broken(String, String),
    /// A file that was found in a directory but cannot be opened: its name and the error.
    Unreadable(Arc<str>, Error),
}

/// Whether a source with these first bytes is a feed.
fn is_feed(start: &[u8]) -> bool {
    feed::is_feed(&start[..start.len().min(feed::START)])
}

/// Whether these are the first bytes of a zip archive with files.
pub(super) fn is_zip(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04")
}

/// Whether these are the first bytes of a tar archive (<https://www.gnu.org/software/tar/manual/html_node/Standard.html>).
pub(super) fn is_tar(start: &[u8]) -> bool {
    start.get(257..262) == Some(b"ustar")
}

/// Whether this folder was made by wp-fetch and contains a dump.
pub(crate) fn is_fetched(folder: &Path) -> bool {
    folder.join("fetch.ndjson").is_file() && folder.join("dump").is_dir()
}

impl Origin {
    /// The file or stream, opened in `found` if it lies in a directory, and whether the user named it. `None` for a response in an archive,
    /// and for a file that cannot be opened, which is reported when it is read.
    fn source<'o>(&'o mut self, found: &'o mut Option<Source>) -> Option<(&'o mut Source, bool)> {
        match self {
            Origin::Named(source) => Some((source, true)),
            Origin::Found(path) => Some((found.insert(Source::open(&*path).ok()?), false)),
            Origin::Captured(_) => None,
        }
    }
}

impl Sources {
    /// Takes the arguments of a command line; without arguments, and for `-`, calls `stdin`.
    ///
    /// # Errors
    /// If one cannot be opened, or a directory cannot be listed.
    pub fn open(arguments: &[PathBuf], stdin: impl Fn() -> Result<Source, Error>) -> Result<Self, Error> {
        let mut sources = Sources::new(Vec::new());
        if arguments.is_empty() {
            sources.list.push(Origin::Named(stdin()?));
        }
        for argument in arguments {
            if argument.as_os_str() == "-" {
                sources.list.push(Origin::Named(stdin()?));
            } else if is_fetched(argument) {
                let folder = shown_path(argument);
                let folder = folder.trim_end_matches('/');
                let what = format!(
                    "{folder}: made by wp-fetch, not itself a dump: name {folder}/dump (and --scrape {folder}/scrape)"
                );
                return Err(Error::Fatal(what));
            } else if argument.is_dir() {
                sources.folders.push(shown_path(argument));
                let Below { files, unreadable, astray } = files_below(argument)?;
                let place = |path: &Path| argument.join(path);
                // Files of a plugin or theme, such as its demo content, are not part of the site.
                let is_own = |file: &Path| !is_brought(&format!("/{}", file.to_string_lossy()));
                let before = sources.list.len();
                sources.list.extend(files.iter().filter(|file| is_own(file)).map(|file| Origin::Found(place(file))));
                sources.brought += files.len() + before - sources.list.len();
                let faults = unreadable.iter().map(|(path, why)| (shown_path(&place(path)), describe_io(why)));
                sources.faults.extend(faults);
                sources.astray.push(astray);
            } else if is_archive(argument) {
                sources.add_archive(argument)?;
            } else {
                sources.add_file(argument)?;
            }
        }
        Ok(sources)
    }

    /// Adds a file, or the exports in a ZIP archive.
    fn add_file(&mut self, path: &Path) -> Result<(), Error> {
        let mut source = Source::open(path)?;
        if is_zip(&source.start(4)?) {
            let name = shown_path(path);
            let fail = |e| Error::io(&*name, e);
            let files = archive::xml_in_zip(&name, File::open(path).map_err(fail)?).map_err(fail)?;
            let source = |(name, file): (String, File)| Source::File { name: name.into(), file, start: 0 };
            let mut files: Vec<Source> = files.into_iter().map(source).collect();
            let mut starts = Vec::new();
            for file in &mut files {
                starts.push(file.start(wxr::START)?);
            }
            // a packed mirror has other XML, too
            let has_export = starts.iter().any(|start| wxr::is_export(start));
            if has_export || !files.is_empty() && starts.iter().all(|start| is_feed(start)) {
                self.list.extend(files.into_iter().map(Origin::Named));
                return Ok(());
            }
        }
        self.list.push(Origin::Named(source));
        Ok(())
    }

    fn add_archive(&mut self, path: &Path) -> Result<(), Error> {
        self.archives.push(path.to_owned());
        let mut answers = Answers::in_archive(path)?;
        if answers.list.is_empty() {
            let what = "no answer of the REST API is in it; --scrape reads its pages and feeds, and --no-dump does without a dump";
            answers.faults.push((shown_path(path), what.to_owned()));
        }
        self.list.extend(answers.list.into_iter().map(Origin::Captured));
        self.left_out += answers.left_out;
        self.faults.append(&mut answers.faults);
        Ok(())
    }

    /// Takes the scrapes of the run, which show whether the dump's folder is a mirror of the site.
    pub fn may_be_mirror(&mut self, scrapes: &[String]) {
        self.is_mirror = self.folders.len() == 1 && self.folders == scrapes;
    }

    /// Sets the longest element that is accepted: one of more than `bytes` becomes a reject, and is never held in memory as a whole.
    pub fn limit_records(&mut self, bytes: usize) {
        self.max_record = bytes;
    }

    /// The longest element that is accepted, in bytes.
    pub(crate) fn max_record(&self) -> usize {
        self.max_record
    }

    /// Creates sources from memory, for use from Rust.
    pub fn new(sources: Vec<Source>) -> Self {
        let list = sources.into_iter().map(Origin::Named).collect();
        Sources { list, max_record: MAX_RECORD, ..Sources::default() }
    }

    /// Finds the WordPress exports and the feeds among the sources by their first bytes, and collects from the exports what their items
    /// need to know about each other. Pipes that contain one are spooled. The feeds of a mirror are read with its scrape. Returns the names of
    /// exports that are not read, because they lie among the files of the site.
    ///
    /// # Errors
    /// If an export that the user named cannot be read.
    pub(crate) fn learn_exports(&mut self, selection: &wxr::Selection) -> Result<Vec<Arc<str>>, Error> {
        let (mut known, mut uploaded) = (HashSet::new(), Vec::new());
        let mut site = wxr::Site::new(selection.clone());
        for (index, origin) in self.list.iter_mut().enumerate() {
            let mut found = None;
            let below = match &origin {
                Origin::Found(path) => self
                    .folders
                    .iter()
                    .filter_map(|folder| path.strip_prefix(folder).ok())
                    .min_by_key(|rest| rest.as_os_str().len()),
                _ => None,
            };
            let below = below.map(|name| format!("/{}", name.display()));
            let Some((source, is_named)) = origin.source(&mut found) else { continue };
            let start = source.start(wxr::START).unwrap_or_default();
            // An archive may begin with an export.
            if is_tar(&start) || is_zip(&start) {
                continue;
            }
            // An export below wp-content is a file of the site: a theme's demo content, or a state of the site from which it was moved.
            let is_of_site = |name: &str| name.contains("/wp-content/");
            let is_export = wxr::is_export(&start);
            if is_export && below.as_deref().is_some_and(is_of_site) {
                uploaded.push(source.name().clone());
                continue;
            }
            if !is_export {
                if !self.is_mirror && is_feed(&start) {
                    self.feeds.insert(index);
                }
                continue;
            }
            known.insert(index);
            source.make_rereadable()?;
            let name = source.name().clone();
            // An error in a file that was found in a folder is reported when its items are read.
            match source.reader().map(|reader| site.learn(reader, self.max_record)) {
                Ok(Err(error)) if is_named && is_of_system(&error) => {
                    return Err(Error::io(&*name, error));
                }
                Err(error) if is_named => return Err(error),
                _ => {}
            }
        }
        self.exports = (!known.is_empty()).then(|| (known, Arc::new(site)));
        Ok(uploaded)
    }

    /// Whether there are exports together with other sources, or several exports.
    pub(crate) fn may_have_items_of_exports_twice(&self) -> bool {
        let has_others = |known: usize| known + self.feeds.len() < self.list.len();
        self.exports.as_ref().is_some_and(|(known, _)| known.len() > 1 || has_others(known.len()))
    }

    /// What the exports say about their site.
    pub(crate) fn site_of_exports(&self) -> Option<Arc<wxr::Site>> {
        self.exports.as_ref().map(|(_, site)| site.clone())
    }

    /// What the exports say about the site, if the source number `index` is an export.
    pub(super) fn export(&self, index: usize) -> Option<Arc<wxr::Site>> {
        self.exports.as_ref().filter(|(known, _)| known.contains(&index)).map(|(_, site)| site.clone())
    }

    /// Reads the feeds that [`Sources::learn_exports`] has found, and calls `each` with their entries and the number of the feed. Reading
    /// the items skips feeds.
    ///
    /// # Errors
    /// Those that `report` returns, and if a feed that the user named cannot be read.
    pub(crate) fn read_feeds(
        &mut self,
        report: &mut Report,
        mut each: impl FnMut(usize, feed::FeedEntry),
    ) -> Result<(), Error> {
        let feeds = &self.feeds;
        for (index, origin) in self.list.iter_mut().enumerate().filter(|(index, _)| feeds.contains(index)) {
            let mut found = None;
            let Some((source, is_named)) = origin.source(&mut found) else { continue };
            source.make_rereadable()?;
            let name = source.name().clone();
            let entries = feed::FeedReader::new(source.reader()?, None, &name, self.max_record);
            let mut rest = entries.all(|entry| each(index, entry));
            if let Some(error) = rest.fault.take().filter(|error| is_named && is_of_system(error)) {
                return Err(Error::io(&*name, error));
            }
            rest.report(&name, report)?;
        }
        Ok(())
    }

    /// Whether the source number `index` is a feed.
    pub(super) fn is_feed(&self, index: usize) -> bool {
        self.feeds.contains(&index)
    }

    /// Whether the lengths and digests of the files were asked for.
    pub(super) fn are_digested(&self) -> bool {
        self.digests.is_some()
    }

    /// Asks for the digests of all files that will be read.
    pub(crate) fn digest(&mut self) {
        self.digests = Some(Vec::new());
    }

    /// The length and SHA-256 of each file that has been read to its end, in order.
    pub(crate) fn digests(&self) -> &[(u64, String)] {
        self.digests.as_deref().unwrap_or_default()
    }

    /// Reports symbolic links in the folders, which are not followed, and counts the files that are skipped.
    pub(crate) fn report_links(&self, report: &mut Report) {
        if self.brought > 0 {
            report.count("skipped_files", self.brought as u64);
            report.tell(&format!("files that WordPress, plugins and themes brought along, skipped: {}", self.brought));
        }
        self.astray.iter().for_each(|astray| astray.report(report));
    }

    /// The directories that were named, as the user typed them.
    pub(crate) fn folders(&self) -> &[String] {
        &self.folders
    }

    pub(crate) fn archives(&self) -> &[PathBuf] {
        &self.archives
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The age of the source number `index`, if it is from an archive.
    pub(super) fn age(&self, index: usize) -> Option<Age> {
        if let Origin::Captured(captured) = &self.list[index] { Some(captured.age.clone()) } else { None }
    }

    /// Returns the source number `index`, ready to be read. If `is_last`, it will not be read again.
    pub(crate) fn get(&mut self, index: usize, is_last: bool) -> Result<Opened<'_>, Error> {
        let (passing, is_digested) = (&mut self.passing, is_last && self.digests.is_some());
        let mut digested = |source: &mut Source| -> Result<Source, Error> {
            let (source, digest) = source.digested()?;
            *passing = Some(digest);
            Ok(source)
        };
        Ok(match &mut self.list[index] {
            Origin::Named(source) => {
                let is_file = matches!(source, Source::File { .. });
                if is_digested {
                    *source = digested(source)?;
                }
                Opened::Named(source, is_file)
            }
            Origin::Found(path) => {
                let opened = Source::open(&*path);
                match opened.and_then(|mut source| if is_digested { digested(&mut source) } else { Ok(source) }) {
                    Ok(source) => Opened::Found(source),
                    Err(error) => Opened::Unreadable(shown_path(path).into(), error),
                }
            }
            Origin::Captured(captured) => match captured.body(self.max_record) {
                Ok(body) => Opened::Found(Source::from_bytes(&captured.name, body)),
                Err(what) => Opened::Broken(captured.name.clone(), what),
            },
        })
    }

    /// Ends the source that [`Sources::get`] returned last: its digest is kept if it has been read to its end.
    pub(super) fn note_digest(&mut self, is_whole: bool) {
        let Some(digest) = self.passing.take().filter(|_| is_whole) else { return };
        let digest = digest.lock().unwrap_or_else(PoisonError::into_inner);
        self.digests.get_or_insert_default().push((digest.bytes, digest.sha256()));
    }

    /// Makes all sources readable twice: any that is not a regular file is spooled.
    pub(crate) fn make_rereadable(&mut self) -> Result<(), Error> {
        for place in &mut self.list {
            if let Origin::Named(source) = place {
                source.make_rereadable()?;
            }
        }
        Ok(())
    }

    /// The size of all sources on disk, in bytes; `None` if one is unknown.
    pub fn size(&self) -> Option<u64> {
        let size = |place: &Origin| match place {
            Origin::Named(source) => source.size(),
            Origin::Found(path) => std::fs::metadata(path).ok().map(|m| m.len()),
            Origin::Captured(_) => None,
        };
        self.list.iter().map(size).sum()
    }
}
