//! Reads and writes the log of a fetch, fetch.ndjson: one line per request, appended and synced after its records are in the archive. An
//! interrupted run resumes from it, so every line must be true, and a request without a line counts as not made.

use super::archives::OF_MEDIA;
use crate::ndjson::write_json;
use crate::report::{Error, shown_path};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The type of a request for a media file.
pub(super) const MEDIA_FILES: &str = "media_files";

/// A line of the log. Every line has all keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LogLine {
    /// The time, in UTC.
    pub(super) time: String,
    /// The event: start, request, gap, gone, end.
    pub(super) event: String,
    pub(super) url: Option<String>,
    /// The URL that answered, if redirects led to another one.
    pub(super) final_url: Option<String>,
    pub(super) status: Option<u16>,
    /// The length of the decompressed body in bytes.
    pub(super) bytes: Option<u64>,
    /// The SHA-256 of the decompressed body.
    pub(super) sha256: Option<String>,
    /// For a media file: its path in the folder, unless it is only in the archive.
    #[serde(default)]
    pub(super) file: Option<String>,
    /// For a media file: when its record was last changed, according to the record.
    #[serde(default)]
    pub(super) modified: Option<String>,
    /// The collection that was requested, as its files are called, or `html`, `sitemaps` or `media_files`.
    pub(super) r#type: Option<String>,
    /// The page of the collection that was requested.
    pub(super) page: Option<u64>,
    /// The offset in the collection that was requested.
    pub(super) offset: Option<u64>,
    /// The ids of the items in the answer.
    pub(super) ids: Option<Vec<i64>>,
    pub(super) total: Option<u64>,
    pub(super) total_pages: Option<u64>,
    /// The number of the attempt, from 1.
    pub(super) attempt: Option<u32>,
    /// The archive that holds the exchange: that of the site if the line names none.
    #[serde(default)]
    pub(super) archive: Option<String>,
    /// Where the record of the response begins in the archive.
    pub(super) warc_offset: Option<u64>,
    /// The length of the archive after that record.
    pub(super) warc_length: u64,
    /// Why the answer cannot be used.
    pub(super) error: Option<String>,
    pub(super) gap: Option<Gap>,
    /// The options of the run, the pages that it found deleted, or how it ended.
    pub(super) run: Option<serde_json::Value>,
}

impl LogLine {
    /// Whether the exchange is in the archive of the media files.
    fn is_of_media(&self) -> bool {
        self.archive.as_deref() == Some(OF_MEDIA)
    }

    /// Whether this media file was fetched, and late enough to match a record last `modified` at that time.
    pub(super) fn is_as_of(&self, modified: Option<&str>) -> bool {
        let is_later = modified.is_none_or(|modified| modified < self.time.trim_end_matches('Z'));
        self.error.is_none() && self.modified.as_deref() == modified && is_later
    }

    /// Whether this media file is still on disk, in the place that it should have.
    pub(super) fn has_file(&self, folder: &Path, file: Option<&str>) -> bool {
        let is_there =
            |file: &String| fs::metadata(folder.join(file)).is_ok_and(|there| Some(there.len()) == self.bytes);
        self.error.is_some()
            || self.file.is_none() && file.is_none()
            || self.file.as_deref() == file && self.file.as_ref().is_some_and(is_there)
    }
}

/// Something on the site that could not be fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Gap {
    /// The collection, as its files are called; `html` for a page of the site.
    pub(super) r#type: String,
    /// What could not be fetched: an item, a page, or the whole collection.
    pub(super) what: String,
    pub(super) id: Option<i64>,
    pub(super) link: Option<String>,
    /// The position in the collection, ordered by id.
    pub(super) offset: Option<u64>,
    /// The id before that position.
    pub(super) after_id: Option<i64>,
    /// The id after it.
    pub(super) before_id: Option<i64>,
    pub(super) error: String,
}

/// An update that was begun, and the dump that it is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Update {
    /// When the update began.
    pub(super) time: String,
    /// When the fetch of the previous dump began.
    pub(super) since: String,
    /// The folder that the previous dump moves to: `dumps/2026-11-22T01-02-03Z`.
    pub(super) before: String,
}

/// The contents of the log of earlier runs: the answers by URL, in the log's order.
#[derive(Debug, Default)]
pub(super) struct Past {
    answers: HashMap<String, VecDeque<LogLine>>,
    /// Pages, feeds and media files as they were before the last update began.
    pages: HashMap<String, LogLine>,
    /// Feeds that were fetched before the last update began.
    pub(super) old_feeds: BTreeSet<String>,
    /// The URLs where pages were found since the last update began.
    found: BTreeSet<String>,
    /// The URLs where pages were found before that, unless an update found them deleted.
    pub(super) old: BTreeSet<String>,
    /// What the last update noted as outdated: the number of items, and of deleted pages.
    pub(super) outdated: Option<(u64, u64)>,
    /// How many media files it noted as deleted.
    pub(super) media_gone: u64,
    gaps: HashSet<Gap>,
    /// The media files on disk, by URL.
    pub(super) files: BTreeMap<String, String>,
    pub(super) update: Option<Update>,
    /// The site that was fetched.
    pub(super) site: Option<String>,
    /// When the fetch that makes the dump began.
    pub(super) began: Option<String>,
    /// When that fetch was done.
    pub(super) done: Option<String>,
    /// The length of the site's archive that the log accounts for, in bytes.
    pub(super) warc_length: u64,
    /// The length of the archive of media files that the log accounts for, in bytes.
    pub(super) media_length: u64,
    /// Whether there was an earlier run.
    pub(super) is_there: bool,
    /// When the last complete run ended.
    pub(super) ended: Option<String>,
}

impl Past {
    /// The next logged answer to a request for this URL.
    pub(super) fn next(&mut self, url: &str) -> Option<LogLine> {
        self.answers.get_mut(url)?.pop_front()
    }

    /// The answer to the last request for a page or a feed before the last update began.
    pub(super) fn page(&mut self, url: &str) -> Option<LogLine> {
        self.pages.remove(url)
    }

    /// Whether the gap is not in the log yet; adds it.
    pub(super) fn is_new(&mut self, gap: &Gap) -> bool {
        self.gaps.insert(gap.clone())
    }

    /// Begins an update: everything is requested again, except for pages known to be unchanged.
    pub(super) fn begin(&mut self, update: Update) {
        self.old_feeds.clear();
        for (url, answers) in self.answers.drain() {
            let is_of = |entry: &LogLine, types: &[&str]| types.iter().any(|of| entry.r#type.as_deref() == Some(of));
            let last = answers.into_iter().rfind(|entry| is_of(entry, &["html", "feeds", MEDIA_FILES]));
            let is_feed = last.as_ref().is_some_and(|last| is_of(last, &["feeds"]) && last.error.is_none());
            self.old_feeds.extend(is_feed.then(|| url.clone()));
            self.pages.extend(last.map(|entry| (url, entry)));
        }
        self.old.append(&mut self.found);
        (self.ended, self.began) = (None, Some(update.time.clone()));
        self.gaps.clear();
        (self.outdated, self.media_gone) = (None, 0);
        self.update = Some(update);
    }

    /// Takes in a line. When a completed run is started again, its failed requests are dropped here, so that they are made again. Answers
    /// that something does not exist, or that the site does not understand the request, are kept.
    fn add(&mut self, entry: LogLine) {
        self.is_there = true;
        *(if entry.is_of_media() { &mut self.media_length } else { &mut self.warc_length }) = entry.warc_length;
        let told = |key: &str| entry.run.as_ref().and_then(|run| run.get(key)).filter(|value| !value.is_null());
        match (entry.event.as_str(), &entry.url) {
            ("start", _) => {
                self.site = told("site").and_then(|site| site.as_str()).map(str::to_owned);
                self.began.get_or_insert_with(|| entry.time.clone());
                let update = told("update").and_then(|update| serde_json::from_value(update.clone()).ok());
                update.into_iter().for_each(|update| self.begin(update));
            }
            ("request", Some(url)) => {
                self.ended = None;
                if entry.r#type.as_deref() == Some("html") && entry.error.is_none() {
                    self.found.insert(entry.final_url.as_ref().unwrap_or(url).clone());
                }
                if let (Some(file), None) = (&entry.file, &entry.error) {
                    self.files.insert(url.clone(), file.clone());
                }
                self.answers.entry(url.clone()).or_default().push_back(entry);
            }
            ("gap", _) => self.gaps.extend(entry.gap),
            ("gone", _) => {
                let urls = |key: &str| told(key).and_then(|urls| Vec::deserialize(urls).ok()).unwrap_or_default();
                let (pages, media): (Vec<String>, Vec<String>) = (urls("pages"), urls("media"));
                pages.iter().for_each(|url| {
                    self.pages.remove(url);
                    self.old.remove(url);
                });
                media.iter().for_each(|url| {
                    self.pages.remove(url);
                    self.files.remove(url);
                });
                self.media_gone += media.len() as u64;
                let items = told("items").and_then(serde_json::Value::as_u64).unwrap_or_default();
                let before = self.outdated.map_or(0, |(_, pages)| pages);
                self.outdated = Some((items, before + pages.len() as u64));
            }
            ("end", _) => {
                // Damage to a sitemap shows only when it is read, after its line is written.
                for link in self.gaps.drain().filter(|gap| gap.what == "sitemap").filter_map(|gap| gap.link) {
                    self.answers.entry(link).or_default().retain(|answer| answer.error.is_some());
                }
                for (url, answers) in &mut self.answers {
                    answers.retain(|answer| answer.error.is_none() || matches!(answer.status, Some(400 | 404 | 410)));
                    if answers.is_empty() {
                        self.pages.remove(url);
                    }
                }
                let (is_ended, is_done) = (told("stopped").is_none(), told("dump") == Some(&true.into()));
                self.ended = is_ended.then(|| entry.time.clone());
                self.done = is_done.then(|| entry.time.clone()).or(self.done.take());
            }
            _ => {}
        }
    }
}

/// The log file, open for appending.
pub(super) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens or creates the log and reads its lines, as far as the archive of `warc_bytes` bytes confirms them. Cuts off an incomplete last
    /// line, and lines about records that the archive lacks.
    pub(super) fn open(path: &Path, warc_bytes: u64) -> Result<(Self, Past), Error> {
        let fail = |e| Error::at(path, e);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let (mut past, mut kept) = (Past::default(), 0);
        for (line, number) in text.split_inclusive(|&b| b == b'\n').zip(1..) {
            if !line.ends_with(b"\n") {
                break;
            }
            let entry: LogLine = serde_json::from_slice(line)
                .map_err(|e| Error::Fatal(format!("{}:{number}: not a line of a log: {e}", shown_path(path))))?;
            if entry.warc_length > warc_bytes && !entry.is_of_media() {
                break;
            }
            kept += line.len() as u64;
            past.add(entry);
        }
        file.set_len(kept).and_then(|()| file.seek(SeekFrom::Start(kept))).map_err(fail)?;
        Ok((Log { path: path.to_owned(), file }, past))
    }

    /// Appends a line and returns it. On return, the line is on the disk.
    pub(super) fn append(&mut self, entry: &LogLine) -> Result<Vec<u8>, Error> {
        let mut line = Vec::new();
        write_json(&mut line, entry);
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(|e| Error::at(&self.path, e))?;
        Ok(line)
    }
}
