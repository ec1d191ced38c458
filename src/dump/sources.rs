//! The inputs of a dump: files, stdin, web archives, and directories, whose files are read in the byte order of their
//! paths. This module does not look into the files.

use super::archived::{Age, Answers, Captured, is_archive};
use crate::archive;
use crate::feed;
use crate::ndjson::{Digest, MAX_RECORD, Source};
use crate::report::{Error, Report, describe_io, shown_path};
use crate::tree::{Astray, Below, files_below};
use crate::wordpress::is_brought;
use crate::wxr;
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// All that was named as the dump, in order.
#[derive(Default)]
pub struct Sources {
    list: Vec<Origin>,
    /// Bytes of the longest element.
    pub(super) max_record: usize,
    /// The directories among them, as they were named.
    folders: Vec<String>,
    /// The archives among them.
    archives: Vec<PathBuf>,
    /// Answers in archives that hold no items.
    pub(super) left_out: u64,
    /// Records of archives and folders that cannot be read, by their addresses, and why.
    pub(super) faults: Vec<(String, String)>,
    /// What is in the folders and not read: links, and how many files plugins and themes brought along.
    astray: Vec<Astray>,
    brought: usize,
    /// Of each file that has been read to its end, its length and its digest, if they are wanted.
    digests: Option<Vec<(u64, String)>>,
    /// The only folder among them is a mirror of the site, which holds other files as well.
    pub(crate) is_mirror: bool,
    /// The digest of the source that is being read.
    passing: Option<Arc<Mutex<Digest>>>,
    /// Which of them are exports of WordPress, and what all of these say.
    exports: Option<(HashSet<usize>, Arc<wxr::Site>)>,
    /// Which of them are feeds.
    feeds: HashSet<usize>,
}

enum Origin {
    /// Named by the user: it must hold items.
    Named(Source),
    Found(PathBuf),
    Captured(Captured),
}

/// A source to read now.
pub(crate) enum Opened<'a> {
    /// Named by the user: it must hold items. Whether it is a file.
    Named(&'a mut Source, bool),
    /// Found in a directory or an archive: it may be anything.
    Found(Source),
    /// An answer that cannot be read: its name, and why.
    Broken(String, String),
    /// Found in a directory, and cannot be opened: its name, and why.
    Unreadable(Arc<str>, Error),
}

/// Whether this is a folder that wp-fetch has made, which holds the dump.
pub(crate) fn is_fetched(folder: &Path) -> bool {
    folder.join("fetch.ndjson").is_file() && folder.join("dump").is_dir()
}

impl Origin {
    /// The file or stream, opened in `found` where it lies in a directory, and whether the user has named it; none for an answer in an
    /// archive, and where it cannot be opened, which is told when it is read.
    fn source<'o>(&'o mut self, found: &'o mut Option<Source>) -> Option<(&'o mut Source, bool)> {
        match self {
            Origin::Named(source) => Some((source, true)),
            Origin::Found(path) => Some((found.insert(Source::open(&*path).ok()?), false)),
            Origin::Captured(_) => None,
        }
    }
}

impl Sources {
    /// Takes the arguments of a command line; none or `-` is what `stdin` opens.
    ///
    /// # Errors
    /// When one cannot be opened, or a directory not be listed.
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
                // What a plugin or a theme brought along is not the site's, as its contents for demonstration.
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

    /// A file, or the exports in a ZIP archive.
    fn add_file(&mut self, path: &Path) -> Result<(), Error> {
        let mut source = Source::open(path)?;
        if source.start(4)?.starts_with(b"PK\x03\x04") {
            let name = shown_path(path);
            let fail = |e| Error::io(&*name, e);
            let files = archive::xml_in_zip(&name, File::open(path).map_err(fail)?).map_err(fail)?;
            if !files.is_empty() {
                let origin =
                    |(name, file): (String, File)| Origin::Named(Source::File { name: name.into(), file, start: 0 });
                self.list.extend(files.into_iter().map(origin));
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

    /// Says that the dump is in a mirror of the site, which has these scrapes, too.
    pub fn may_be_mirror(&mut self, scrapes: &[String]) {
        self.is_mirror = self.folders.len() == 1 && self.folders == scrapes;
    }

    /// Makes elements of more than `bytes` rejects, of which the rest is not held in memory.
    pub fn limit_records(&mut self, bytes: usize) {
        self.max_record = bytes;
    }

    /// Bytes of the longest element.
    pub(crate) fn max_record(&self) -> usize {
        self.max_record
    }

    /// Sources from memory, for use from Rust.
    pub fn new(sources: Vec<Source>) -> Self {
        let list = sources.into_iter().map(Origin::Named).collect();
        Sources { list, max_record: MAX_RECORD, ..Sources::default() }
    }

    /// Finds the exports of WordPress and the feeds among them, by their first bytes; and learns what the items of the exports need of each
    /// other. Of these, pipes are spooled. The feeds of a mirror are those of its scrape.
    ///
    /// # Errors
    /// When an export that the user has named cannot be read.
    pub(crate) fn learn_exports(&mut self, selection: &wxr::Selection) -> Result<(), Error> {
        let mut known = HashSet::new();
        let mut site = wxr::Site::new(selection.clone());
        for (index, origin) in self.list.iter_mut().enumerate() {
            let mut found = None;
            let Some((source, is_named)) = origin.source(&mut found) else { continue };
            let start = source.start(wxr::START).unwrap_or_default();
            if !wxr::is_export(&start) {
                if !self.is_mirror && feed::is_feed(&start[..start.len().min(feed::START)]) {
                    self.feeds.insert(index);
                }
                continue;
            }
            known.insert(index);
            source.make_rereadable()?;
            let name = source.name().clone();
            // What is found and cannot be read is told when its items are.
            match source.reader().map(|reader| site.learn(reader, self.max_record)) {
                Ok(Err(error)) if is_named => return Err(Error::io(&*name, error)),
                Err(error) if is_named => return Err(error),
                _ => {}
            }
        }
        self.exports = (!known.is_empty()).then(|| (known, Arc::new(site)));
        Ok(())
    }

    /// Whether there are exports, and other sources or several of them.
    pub(crate) fn may_have_items_of_exports_twice(&self) -> bool {
        let has_others = |known: usize| known + self.feeds.len() < self.list.len();
        self.exports.as_ref().is_some_and(|(known, _)| known.len() > 1 || has_others(known.len()))
    }

    /// What the exports say of their site.
    pub(crate) fn site_of_exports(&self) -> Option<Arc<wxr::Site>> {
        self.exports.as_ref().map(|(_, site)| site.clone())
    }

    /// What is known of the site of the source number `index`, if that is an export.
    pub(super) fn export(&self, index: usize) -> Option<Arc<wxr::Site>> {
        self.exports.as_ref().filter(|(known, _)| known.contains(&index)).map(|(_, site)| site.clone())
    }

    /// Reads the feeds that [`Sources::learn_exports`] has found, and calls `each` for their entries with the numbers of the feeds. They are
    /// passed by when the items are read.
    ///
    /// # Errors
    /// Those of `report`, and when a feed that the user has named cannot be read.
    pub(crate) fn read_feeds(
        &mut self,
        report: &mut Report,
        mut each: impl FnMut(usize, feed::Entry),
    ) -> Result<(), Error> {
        let feeds = &self.feeds;
        for (index, origin) in self.list.iter_mut().enumerate().filter(|(index, _)| feeds.contains(index)) {
            let mut found = None;
            let Some((source, is_named)) = origin.source(&mut found) else { continue };
            source.make_rereadable()?;
            let name = source.name().clone();
            let entries = feed::Reading::new(source.reader()?, None, &name, self.max_record);
            let mut rest = entries.all(|entry| each(index, entry));
            if let Some(error) = rest.fault.take().filter(|_| is_named) {
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

    /// Whether it is wanted how long they are, and their digests.
    pub(super) fn are_digested(&self) -> bool {
        self.digests.is_some()
    }

    /// Digests what will be read.
    pub(crate) fn digest(&mut self) {
        self.digests = Some(Vec::new());
    }

    /// Length and SHA-256 of each file that has been read to its end, in their order.
    pub(crate) fn digests(&self) -> &[(u64, String)] {
        self.digests.as_deref().unwrap_or_default()
    }

    /// Reports the symbolic links in its folders that are not followed, and counts the files that are passed over.
    pub(crate) fn report_links(&self, report: &mut Report) {
        if self.brought > 0 {
            report.count("skipped_files", self.brought as u64);
            report.tell(&format!("files that WordPress, plugins and themes brought along, skipped: {}", self.brought));
        }
        self.astray.iter().for_each(|astray| astray.report(report));
    }

    /// The directories among them, as the user typed them.
    pub(crate) fn folders(&self) -> &[String] {
        &self.folders
    }

    pub(crate) fn archives(&self) -> &[PathBuf] {
        &self.archives
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// What is outdated in the source number `index`, if it is of an archive.
    pub(super) fn age(&self, index: usize) -> Option<Age> {
        if let Origin::Captured(captured) = &self.list[index] { Some(captured.age.clone()) } else { None }
    }

    /// The source number `index`, ready to be read; if this `is_last`, it will not be read again.
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

    /// Ends the source that was got last: its digest counts if it has been read to its end.
    pub(super) fn note_digest(&mut self, is_whole: bool) {
        let Some(digest) = self.passing.take().filter(|_| is_whole) else { return };
        let digest = digest.lock().unwrap_or_else(PoisonError::into_inner);
        self.digests.get_or_insert_default().push((digest.bytes, digest.sha256()));
    }

    /// Makes all of them readable twice: anything but a regular file is spooled.
    pub(crate) fn make_rereadable(&mut self) -> Result<(), Error> {
        for place in &mut self.list {
            if let Origin::Named(source) = place {
                source.make_rereadable()?;
            }
        }
        Ok(())
    }

    /// Bytes of all sources as they lie on the disk, where all are known.
    pub fn size(&self) -> Option<u64> {
        let size = |place: &Origin| match place {
            Origin::Named(source) => source.size(),
            Origin::Found(path) => std::fs::metadata(path).ok().map(|m| m.len()),
            Origin::Captured(_) => None,
        };
        self.list.iter().map(size).sum()
    }
}
