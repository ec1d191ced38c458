//! wp-index: finds all items of a dump and all pages of a scrape, and says which page shows which item.
//! What is in them is not understood here: that is wp-parse's and wp-translations' business.

use crate::dump::{self, Event, Item, Sources};
use crate::ndjson::{Output, write_json};
use crate::report::{Error, Report};
use crate::urls::PageUrl;
use hashbrown::HashTable;
use std::collections::BTreeMap;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Bytes of lines that are collected before they are written.
const BATCH: usize = 256 * 1024;
/// Bytes of lines that may wait for the first item that names the site.
const WAITING: usize = 16 << 20;

/// What can be asked of wp-index.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Label of the site; default: the host, without www., of the first item's `_links.self`, else of its `link`.
    pub site: Option<String>,
    /// Directories that hold a scrape.
    pub scrapes: Vec<String>,
    /// URL under which the scrape was made, where it is not the API's.
    pub scrape_base: Option<String>,
    /// Keep archive pages too.
    pub all_pages: bool,
    /// Threads to read the heads of pages in; 0 and 1: one.
    pub jobs: usize,
}

/// Runs the stage: one line a record, those of the dump in its order, then the pages that no record took, by path.
///
/// # Errors
/// When an input cannot be read or the output not be written, or the report stops the run.
pub fn run(options: &Options, sources: &mut Sources, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let mut records = Records::new(options.site.clone());
    dump::read(sources, |event| match event {
        Event::Item { item, text, file, number } => {
            report.count("items", 1);
            records.add(&item, text, file, number);
            records.write_if_full(output)
        }
        Event::Passed(..) => {
            report.count("items", 1);
            report.count("left_out", 1);
            report.count("left_out_answers", 1);
            Ok(())
        }
        Event::Broken { place, what, raw } => {
            report.count("items", 1);
            report.reject(&place, &what, raw)
        }
        Event::SkippedFile(file) => {
            report.count("skipped_files", 1);
            report.tell(&format!("{file}: no JSON, skipped"));
            Ok(())
        }
        Event::Progress(bytes) => {
            report.advance(0, bytes);
            Ok(())
        }
    })?;
    records.finish(output, report)
}

/// The records on their way out.
struct Records {
    site: Option<String>,
    /// `{"site":"…","kind":`, once the site is known.
    start: Vec<u8>,
    /// Lines without their start, while the site is not known.
    waiting: Vec<u8>,
    out: Vec<u8>,
    /// Hashes of the identities that are out: 2^-64 for a pair to be taken for equal by mistake.
    seen: HashTable<u64>,
    types: BTreeMap<String, u64>,
    written: u64,
    duplicates: u64,
    file: Arc<str>,
    /// The file's name as JSON.
    file_json: Vec<u8>,
}

impl Records {
    fn new(site: Option<String>) -> Self {
        let mut records = Records {
            site: None,
            start: Vec::new(),
            waiting: Vec::new(),
            out: Vec::with_capacity(2 * BATCH),
            seen: HashTable::new(),
            types: BTreeMap::new(),
            written: 0,
            duplicates: 0,
            file: "".into(),
            file_json: b"\"\"".to_vec(),
        };
        if let Some(site) = site {
            records.name_site(site);
        }
        records
    }

    /// Appends the line of an item, unless the same record is there.
    fn add(&mut self, item: &Item, text: &[u8], file: &Arc<str>, number: u64) {
        let hash = hash_identity(item);
        if self.seen.find(hash, |&other| other == hash).is_some() {
            self.duplicates += 1;
            return;
        }
        self.seen.insert_unique(hash, hash, |&other| other);
        if self.site.is_none()
            && let Some(site) = site_of(item)
        {
            self.name_site(site);
        }
        if !Arc::ptr_eq(&self.file, file) {
            self.file = file.clone();
            self.file_json.clear();
            write_json(&mut self.file_json, &&**file);
        }
        let line = if self.site.is_some() {
            self.out.extend_from_slice(&self.start);
            &mut self.out
        } else {
            &mut self.waiting
        };
        write_json(line, &item.kind);
        line.extend_from_slice(b",\"type\":");
        write_json(line, &item.r#type);
        line.extend_from_slice(b",\"id\":");
        write_json(line, &item.id);
        line.extend_from_slice(b",\"link\":");
        write_json(line, &item.link);
        line.extend_from_slice(b",\"source\":{\"file\":");
        line.extend_from_slice(&self.file_json);
        line.extend_from_slice(b",\"item\":");
        write_json(line, &number);
        line.extend_from_slice(b"},\"scrape\":{\"root\":null,\"file\":null,\"url\":null},\"aliases\":[],\"api\":");
        dump::append_compact(line, text);
        line.extend_from_slice(b"}\n");
        self.written += 1;
        match self.types.get_mut(&item.r#type) {
            Some(n) => *n += 1,
            None => _ = self.types.insert(item.r#type.clone(), 1),
        }
    }

    /// The site is known: lines that waited for it can go.
    fn name_site(&mut self, site: String) {
        self.start.extend_from_slice(b"{\"site\":");
        write_json(&mut self.start, &site);
        self.start.extend_from_slice(b",\"kind\":");
        self.site = Some(site);
        for line in std::mem::take(&mut self.waiting).split_inclusive(|&b| b == b'\n') {
            self.out.extend_from_slice(&self.start);
            self.out.extend_from_slice(line);
        }
    }

    fn write_if_full(&mut self, output: &mut Output) -> Result<(), Error> {
        if self.waiting.len() > WAITING {
            return Err(no_site());
        }
        if self.out.len() >= BATCH {
            output.write(&self.out)?;
            self.out.clear();
        }
        Ok(())
    }

    fn finish(self, output: &mut Output, report: &mut Report) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            return Err(no_site());
        }
        output.write(&self.out)?;
        report.count("records_out", self.written);
        report.count("duplicates", self.duplicates);
        report.detail("types", self.types.into_iter().collect());
        Ok(())
    }
}

fn no_site() -> Error {
    Error::Trouble("no item has a link that names the site: name it with --site".to_owned())
}

fn hash_identity(item: &Item) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(item.kind.as_bytes());
    hasher.update(b"\0");
    hasher.update(item.r#type.as_bytes());
    hasher.update(b"\0");
    hasher.update(&item.id.to_le_bytes());
    // No link and an empty one are not the same.
    if let Some(link) = &item.link {
        hasher.update(b"\0");
        hasher.update(link.as_bytes());
    }
    hasher.digest()
}

fn site_of(item: &Item) -> Option<String> {
    let host = |url: &Option<String>| PageUrl::parse(url.as_deref()?).map(|url| url.host().to_owned());
    let host = host(&item.self_link).or_else(|| host(&item.link))?;
    Some(host.strip_prefix("www.").map(str::to_owned).unwrap_or(host))
}
