//! wp-index: finds all items of a dump and all pages of a scrape, and matches pages to items. wp-parse and
//! wp-translations interpret their contents.

use crate::dump::{self, Answer, Event, Findings, Item, Sources, Text};
use crate::ndjson::{Output, add_field, write_end, write_json};
use crate::record;
use crate::report::{Error, Report, shown_path};
use crate::scrape::{Keep, LeftOver, Record, Saved, Scrape, Shown};
use crate::spill::WholeFile;
use crate::urls::{self, PageUrl};
use hashbrown::HashTable;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Bytes of lines that are collected before they are written.
const BATCH: usize = 256 * 1024;
/// Bytes of lines that may wait for the first item that names the site.
const WAITING: usize = 16 << 20;
/// Hosts that are counted.
const HOSTS: usize = 100;
/// What the line of an item without a site begins with.
const NO_SITE: &[u8] = b"{\"site\":null";

/// The options of wp-index.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Label of the site; default: the host, without www., of the first item's `_links.self`, else of its `link`.
    pub site: Option<String>,
    /// Directories that hold a scrape, and archives.
    pub scrapes: Vec<String>,
    /// URL under which the scrape was made, where it is not the API's.
    pub scrape_base: Option<String>,
    /// The pages to keep although they are not content, or not the newest.
    pub keep: Keep,
    /// Take the pages of the scrapes as sites of which there is no dump.
    pub no_dump: bool,
    /// Write an end record after the others.
    pub end: bool,
    /// Where to log what became of each page.
    pub page_log: Option<PathBuf>,
    /// Threads to read the heads of pages in; 0 and 1: one.
    pub jobs: usize,
}

/// Runs the stage: one line a record, those of the dump in its order, then the pages that no record took, by path.
/// A dump is read twice if there is a scrape: the links must be known before the first page is joined.
///
/// # Errors
/// When an input cannot be read or the output not be written, or the report stops the run.
pub fn run(options: &Options, sources: &mut Sources, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    if options.no_dump {
        return run_without_dump(options, output, report);
    }
    let (mut scrape, findings) = read_scrape(options, sources, report)?.unzip();
    let mut log = options.page_log.as_deref().map(PageLog::create).transpose()?;
    let mut records = Records::new(options);
    let visit = |event: Event<'_>| match event {
        Event::Item { item, text, file, number } => {
            report.count("items", 1);
            records.add(&item, text, file, number, &mut scrape);
            if let (Some(log), Some(scrape)) = (&mut log, &mut scrape) {
                log.write(scrape)?;
            }
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
        Event::Prefix { place, what } => {
            report.defect("prefix", &place, &format!("text before the JSON, skipped: {what}"));
            Ok(())
        }
        Event::SkippedFile(file, other) => {
            report.count("skipped_files", 1);
            match other {
                Some(what) => report.warn(&format!("{file}: {what}; skipped")),
                None => report.tell(&format!("{file}: not JSON, skipped")),
            }
            Ok(())
        }
        Event::Progress(bytes) => {
            report.advance(0, bytes);
            Ok(())
        }
        Event::Awaited => records.write(output).and_then(|()| output.pause()),
    };
    match findings {
        Some(findings) => dump::read_again(sources, findings, visit)?,
        None => dump::read(sources, visit)?,
    }
    let items = report.counted("items");
    if let Some(mut scrape) = scrape {
        let host = scrape.host().map(|host| without_www(&host));
        records.name_site_if_unknown(host.clone());
        scrape.finish(options.keep, report, |page| {
            records.add_page(page);
            records.write_if_full(output)
        })?;
        if let Some(log) = &mut log {
            log.write(&mut scrape)?;
        }
        warn_of_useless_scrape(&options.scrapes, host, &records.hosts, report);
    }
    warn_of_hosts(&records.hosts, report);
    if items == 0 && !sources.folders().is_empty() {
        let folders = sources.folders().join(", ");
        let what =
            format!("no items below {folders} ({} files skipped; -v names them)", report.counted("skipped_files"));
        if records.written == 0 { report.nothing(&what) } else { report.warn(&what) }
    }
    records.finish(options.end, output, report)?;
    log.map_or(Ok(()), |log| log.file.commit())
}

/// The pages of the scrapes, site by site.
fn run_without_dump(options: &Options, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let mut log = options.page_log.as_deref().map(PageLog::create).transpose()?;
    let mut records = Records::new(options);
    for (label, mut site) in read_pages(options, report)?.into_sites() {
        if log.is_some() {
            site.keep_log(&Scrape::folders(&options.scrapes));
        }
        site.settle(report);
        let label = options.site.clone().or(label).or_else(|| site.host().map(|host| without_www(&host)));
        records.begin_site(Some(label.ok_or_else(no_site)?));
        site.finish(options.keep, report, |page| {
            records.add_page(page);
            records.write_if_full(output)
        })?;
        records.end_site(options.end);
        if let Some(log) = &mut log {
            log.write(&mut site)?;
        }
    }
    records.finish(false, output, report)?;
    log.map_or(Ok(()), |log| log.file.commit())
}

/// Reads the scrapes.
fn read_pages(options: &Options, report: &mut Report) -> Result<Scrape, Error> {
    let base = options.scrape_base.as_deref();
    if let Some(base) = base.filter(|base| PageUrl::parse(base).is_none()) {
        return Err(Error::Trouble(format!("--scrape-base {base}: not an http or https URL")));
    }
    Scrape::read(&options.scrapes, base, options.jobs, report)
}

/// The file that says what became of each page.
struct PageLog {
    name: String,
    file: WholeFile,
}

impl PageLog {
    fn create(path: &Path) -> Result<Self, Error> {
        Ok(PageLog { name: shown_path(path), file: WholeFile::create(path)? })
    }

    fn write(&mut self, scrape: &mut Scrape) -> Result<(), Error> {
        self.file.write_all(&scrape.take_log()).map_err(|e| Error::io(self.name.as_str(), e))
    }
}

/// Two dumps under one label get into each other: their ids are the same numbers.
fn warn_of_hosts(hosts: &[(String, u64)], report: &mut Report) {
    let mut hosts: Vec<&(String, u64)> = hosts.iter().filter(|(_, items)| *items > 1).collect();
    if hosts.len() < 2 {
        return;
    }
    hosts.sort_by_key(|(host, items)| (std::cmp::Reverse(*items), host));
    let list: Vec<String> = hosts.iter().take(5).map(|(host, items)| format!("{host} {items}")).collect();
    let more = if hosts.len() > 5 { ", ..." } else { "" };
    let what = format!("items of {} hosts under one label: {}{more}; ", hosts.len(), list.join(", "));
    report.warn(&(what + "their ids get mixed up unless they are one site: index one site at a time"));
}

/// A scrape of another site is noticed by this: none of its pages belongs to a record.
fn warn_of_useless_scrape(roots: &[String], host: Option<String>, hosts: &[(String, u64)], report: &mut Report) {
    let (roots, pages) = (roots.join(", "), report.counted("pages"));
    let items = hosts.iter().max_by_key(|(_, items)| *items);
    match items {
        _ if pages == 0 => report.warn(&format!("--scrape {roots}: no page of HTML in it")),
        Some((items, _)) if report.counted("joined") + report.counted("aliases") == 0 => {
            let of = host.map(|host| format!(" of {host}")).unwrap_or_default();
            report.warn(&format!(
                "--scrape {roots}: none of its {pages} pages{of} belongs to an item of {items}; \
                 if they are of the same site, --scrape-base URL says where the scrape was made"
            ));
        }
        _ => {}
    }
}

/// Reads the scrape and what the dump says of where it lies.
fn read_scrape(
    options: &Options,
    sources: &mut Sources,
    report: &mut Report,
) -> Result<Option<(Scrape, Findings)>, Error> {
    if options.scrapes.is_empty() {
        return Ok(None);
    }
    let mut scrape = read_pages(options, report)?;
    if options.page_log.is_some() {
        scrape.keep_log(&Scrape::folders(&options.scrapes));
    }
    sources.make_rereadable()?;
    let findings = dump::read_noting(sources, |event| {
        match event {
            Event::Item { item, .. } => {
                if let Some(record) = record_of(&item) {
                    scrape.learn(&record, item.self_link.as_deref());
                }
            }
            Event::Passed(Answer::Types, text) => scrape.learn_bases(dump::rest_bases(text)),
            _ => {}
        }
        Ok(())
    })?;
    scrape.settle(report);
    Ok(Some((scrape, findings)))
}

fn record_of(item: &Item) -> Option<Record<'_>> {
    let link = item.link.as_deref()?;
    let rest_base = item.rest_base.as_deref();
    Some(Record { kind: item.kind, r#type: &item.r#type, id: item.id, link, rest_base })
}

/// The records on their way out.
struct Records {
    site: Option<String>,
    /// Lines without a site, while it is not known.
    waiting: Vec<u8>,
    out: Vec<u8>,
    /// Hashes of the identities that are out: 2^-64 for a pair to be taken for equal by mistake.
    seen: HashTable<u128>,
    types: BTreeMap<String, u64>,
    written: u64,
    /// Those of the sites before this one.
    written_before: u64,
    duplicates: u64,
    /// The hosts of the items, by their addresses in the API, else their links, and how many they are.
    hosts: Vec<(String, u64)>,
    /// The directories of the scrapes.
    roots: Vec<String>,
}

impl Records {
    fn new(options: &Options) -> Self {
        let mut records = Records {
            site: None,
            waiting: Vec::new(),
            out: Vec::with_capacity(2 * BATCH),
            seen: HashTable::new(),
            types: BTreeMap::new(),
            written: 0,
            written_before: 0,
            duplicates: 0,
            hosts: Vec::new(),
            roots: Scrape::folders(&options.scrapes),
        };
        records.name_site_if_unknown(options.site.clone());
        records
    }

    /// Appends the line of an item with its page, unless the same record is there.
    fn add(&mut self, item: &Item, text: Text, file: &Arc<str>, number: u64, scrape: &mut Option<Scrape>) {
        if self.is_repeated(hash_identity(item.kind, &item.r#type, Some(item.id), item.link.as_deref())) {
            return;
        }
        if self.site.is_none() {
            self.name_site_if_unknown(site_of(item));
        }
        self.count_host(item);
        let shown = match (scrape, record_of(item)) {
            (Some(scrape), Some(record)) => scrape.take(&record),
            _ => Shown::default(),
        };
        let mut line = self.begin();
        let known = record::Item {
            site: self.site.as_deref().map(Into::into),
            kind: Some(item.kind.into()),
            r#type: Some((&*item.r#type).into()),
            id: Some(item.id),
            link: item.link.as_deref().map(Into::into),
            source: record::Source {
                file: Some((&**file).into()),
                item: Some(number.cast_signed()),
                rest: item.self_link.as_deref().and_then(urls::rest_root).map(Into::into),
            },
            scrape: shown.page.as_ref().map_or_else(Default::default, |page| self.scrape(page)),
            aliases: shown.aliases.iter().map(|alias| (&**alias).into()).collect(),
        };
        write_json(&mut line, &known);
        add_field(&mut line, record::Item::API, |line| text.append_compact(line));
        self.end(line, &item.r#type);
    }

    fn count_host(&mut self, item: &Item) {
        let Some(host) = item.self_link.as_deref().or(item.link.as_deref()).and_then(host_in) else { return };
        match self.hosts.iter().position(|(known, _)| known == host) {
            Some(at) => self.hosts[at].1 += 1,
            // Links may lead anywhere.
            None if self.hosts.len() < HOSTS => self.hosts.push((host.to_owned(), 1)),
            None => {}
        }
    }

    /// Appends the line of a page that no record took. The record whose id it carries goes into `api`, from which
    /// wp-parse takes it: the keys are the same for every kind.
    fn add_page(&mut self, page: &LeftOver) {
        // The captures of a page are as many records.
        if page.link.is_some()
            && !page.is_older
            && self.is_repeated(hash_identity("html", "html", None, page.link.as_deref()))
        {
            return;
        }
        let mut line = self.begin();
        let known = record::Item {
            site: self.site.as_deref().map(Into::into),
            kind: Some("html".into()),
            r#type: Some("html".into()),
            link: page.link.as_deref().map(Into::into),
            source: record::Source { rest: page.rest.as_deref().map(Into::into), ..record::Source::default() },
            aliases: page.aliases.iter().map(|alias| (&**alias).into()).collect(),
            scrape: self.scrape(&page.saved),
            ..record::Item::default()
        };
        write_json(&mut line, &known);
        let same =
            page.same.as_ref().map(|(r#type, id)| record::Same { r#type: Some((&**r#type).into()), id: Some(*id) });
        add_field(&mut line, record::Item::API, |line| match same {
            Some(same) => {
                line.extend_from_slice(b"{}");
                add_field(line, "same", |line| write_json(line, &same));
            }
            None => line.extend_from_slice(b"null"),
        });
        self.end(line, "html");
    }

    fn scrape<'s>(&'s self, page: &'s Saved) -> record::Scrape<'s> {
        record::Scrape {
            root: Some((&*self.roots[page.root as usize]).into()),
            file: Some((&*page.file).into()),
            url: page.url.as_deref().map(Into::into),
            time: page.time.as_deref().map(Into::into),
            digest: page.digest.as_deref().map(Into::into),
        }
    }

    /// Whether the identity was there before; it is from now on.
    fn is_repeated(&mut self, hash: u128) -> bool {
        let is_repeated = self.seen.find(hash as u64, |&other| other == hash).is_some();
        if is_repeated {
            self.duplicates += 1;
        } else {
            self.seen.insert_unique(hash as u64, hash, |&other| other as u64);
        }
        is_repeated
    }

    /// Takes out the buffer to append a line to.
    fn begin(&mut self) -> Vec<u8> {
        std::mem::take(if self.site.is_none() { &mut self.waiting } else { &mut self.out })
    }

    /// Ends a line and puts its buffer back.
    fn end(&mut self, mut line: Vec<u8>, r#type: &str) {
        line.push(b'\n');
        *if self.site.is_none() { &mut self.waiting } else { &mut self.out } = line;
        self.written += 1;
        match self.types.get_mut(r#type) {
            Some(n) => *n += 1,
            None => _ = self.types.insert(r#type.to_owned(), 1),
        }
    }

    /// Once the site is known, lines that waited for it can go.
    fn name_site_if_unknown(&mut self, site: Option<String>) {
        let Some(site) = site.filter(|_| self.site.is_none()) else { return };
        for line in std::mem::take(&mut self.waiting).split_inclusive(|&b| b == b'\n') {
            self.out.extend_from_slice(b"{\"site\":");
            write_json(&mut self.out, &site);
            self.out.extend_from_slice(line.strip_prefix(NO_SITE).expect("it waits because it has none"));
        }
        self.site = Some(site);
    }

    /// Goes on with the records of another site.
    fn begin_site(&mut self, site: Option<String>) {
        self.site = site;
        self.seen.clear();
        self.written_before = self.written;
    }

    fn end_site(&mut self, with_end: bool) {
        if with_end {
            write_end(&mut self.out, self.site.as_deref(), self.written - self.written_before);
        }
    }

    fn write_if_full(&mut self, output: &mut Output) -> Result<(), Error> {
        if self.waiting.len() > WAITING {
            return Err(no_site());
        }
        if self.out.len() >= BATCH { self.write(output) } else { Ok(()) }
    }

    fn write(&mut self, output: &mut Output) -> Result<(), Error> {
        output.write(&self.out)?;
        self.out.clear();
        Ok(())
    }

    fn finish(mut self, with_end: bool, output: &mut Output, report: &mut Report) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            return Err(no_site());
        }
        self.end_site(with_end);
        output.write(&self.out)?;
        report.count("records_out", self.written);
        report.count("duplicates", self.duplicates);
        report.detail("types", self.types.into_iter().collect());
        Ok(())
    }
}

fn no_site() -> Error {
    Error::Trouble("no item has a link that reveals the site; use --site".to_owned())
}

fn hash_identity(kind: &str, r#type: &str, id: Option<i64>, link: Option<&str>) -> u128 {
    let mut hasher = Xxh3::new();
    hasher.update(kind.as_bytes());
    hasher.update(b"\0");
    hasher.update(r#type.as_bytes());
    hasher.update(b"\0");
    hasher.update(&id.unwrap_or(0).to_le_bytes());
    // No link and an empty one are not the same.
    if let Some(link) = link {
        hasher.update(b"\0");
        hasher.update(link.as_bytes());
    }
    hasher.digest128()
}

fn site_of(item: &Item) -> Option<String> {
    let host = |url: &Option<String>| PageUrl::parse(url.as_deref()?).map(|url| url.host().to_owned());
    host(&item.self_link).or_else(|| host(&item.link)).map(|host| without_www(&host))
}

/// The host of an absolute URL as it is written, without www.: only told from others.
fn host_in(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    Some(host.strip_prefix("www.").unwrap_or(host)).filter(|host| !host.is_empty())
}

fn without_www(host: &str) -> String {
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}
