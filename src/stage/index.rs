//! wp-index: finds all items of a dump and all pages of a scrape, and matches pages to items. wp-parse and
//! wp-translations interpret their contents.

mod apis;
mod doors;
mod entries;
mod places;
mod records;

pub use crate::join::Keep;
pub use crate::wxr::Selection;

use crate::digest::{hex, of_file};
use crate::dump::{self, Answer, Event, Findings, Item, Sources, Text};
use crate::feed::{Feeds, Gathered};
use crate::join::{Joining, Learning, are_of_several_sites};
use crate::ndjson::{Gaps, Output};
use crate::report::{Error, Place, Report, shown_path};
use crate::scrape::{OwnFiles, ScrapeOptions, Site, Sites, folders};
use crate::steps::Step;
use crate::urls::{PageUrl, bare_host, bare_host_of};
use crate::whole_file::WholeFile;
use doors::Exports;
use entries::{Entries, gather, links_of, warn_of_foreign};
use records::{Records, record_of};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The options of wp-index.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Label of the site; default: the host, without www., of the first item's `_links.self`, else of its `link`.
    pub site: Option<String>,
    /// Directories that hold a scrape, and archives.
    pub scrapes: Vec<String>,
    /// The URL under which the scrape was made, if it is not the API's.
    pub scrape_base: Option<String>,
    /// The pages to keep although they are not content, or not the newest.
    pub keep: Keep,
    /// Whether to leave out pages that were not made by WordPress.
    pub wordpress_only: bool,
    /// Whether the scrapes are sites without a dump.
    pub no_dump: bool,
    /// Whether to go on if a scrape has no page, if none of its pages belongs to the dump, or if the dump has no item.
    pub allow_empty: bool,
    /// Whether to write an end record after all other records.
    pub end: bool,
    /// Where to log what became of each page.
    pub page_log: Option<PathBuf>,
    /// The items to take from exports of WordPress in addition to published items of public types.
    pub selection: Selection,
    /// The number of threads that read the heads of pages; 0 means 1.
    pub jobs: usize,
}

impl Options {
    /// The options as records name them. Paths are left out, and so is the label of the site, which is in each record.
    fn step(&self) -> Step {
        Step::of("wp-index")
            .flag("--site", self.site.is_some())
            .flag("--scrape", !self.scrapes.is_empty())
            .values("--scrape-base", &self.scrape_base)
            .flag("--no-dump", self.no_dump)
            .flag("--all-pages", self.keep.all_pages)
            .values("--captures", self.keep.captures.then_some("all"))
            .flag("--wordpress-only", self.wordpress_only)
            .list("--status", &self.selection.statuses)
            .list("--types", &self.selection.types)
    }
}

/// The counts that `--stats` has in every run, with or without a scrape.
const COUNTS: &str = "answers items pages feeds not_html records_out joined merged aliases duplicates left_out left_out_answers \
    left_out_archives left_out_authors left_out_comments left_out_errors left_out_feeds left_out_not_wordpress \
    left_out_older left_out_redirects left_out_status left_out_types left_out_without_id captures captures_not_ok \
    captures_revisits captures_revisits_unresolved captures_truncated records_skipped skipped_files skipped_links";

/// Runs the stage: writes a line for each record of the dump, in the dump's order, then a line for each page that was not joined to a
/// record, by path. If there is a scrape, the dump is read twice: all links must be known before the first page is joined.
///
/// # Errors
/// When an input cannot be read or the output not be written, or the report stops the run.
pub fn run(options: &Options, sources: &mut Sources, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    COUNTS.split(' ').for_each(|name| report.count(name, 0));
    if options.end {
        sources.digest();
    }
    if options.no_dump {
        return run_without_dump(options, sources.max_record(), output, report);
    }
    for name in sources.learn_exports(&options.selection)? {
        report.warn(&format!("{name}: an export among the files of the site, skipped; it is read if it is named"));
    }
    let exported = sources.site_of_exports().unwrap_or_default();
    for (option, name) in options.selection.without_items(&exported) {
        report.warn(&format!("{option} {name}: no item of an export of WordPress has it"));
    }
    if sources.is_mirror {
        report.expect_damage();
    }
    if sources.is_mirror
        && let (false, has_rest) = contents(sources)?
    {
        let others = if has_rest { report_rest(sources, report)? } else { 0 };
        run_without_dump(options, sources.max_record(), output, report)?;
        let what = taken(&options.scrapes, others, report);
        report.warn(&what);
        return Ok(());
    }
    let may_be_empty = options.allow_empty;
    // A mirror is one site in one folder, which need not contain both items and pages.
    let options = &Options { allow_empty: options.allow_empty || sources.is_mirror, ..options.clone() };
    sources.report_links(report);
    let feeds = gather(sources, report)?;
    let exports = Exports::gather(sources, report)?;
    let (scrape, mut entries, findings) = if options.scrapes.is_empty() {
        (None, Entries::new(Feeds::of(&mut feeds.sorted()?, b"", &|_, _| false)?, None, report)?, None)
    } else {
        let (scrape, entries, findings) = read_scrape(options, sources, feeds, report)?;
        (Some(scrape), entries, Some(findings))
    };
    warn_of_foreign(report);
    let log = options.page_log.as_deref().map(WholeFile::create).transpose()?;
    let mut records = Records::new(options, sources.max_record());
    records.note_mapped(scrape.as_ref().map(Joining::mapped).unwrap_or_default());
    entries.exported = sources.site_of_exports();
    let (skipped_pages, dynamic) = (0, BTreeMap::new());
    let mut run = Indexing { records, scrape, entries, exports, log, output, report, skipped_pages, dynamic };
    match findings {
        Some(findings) => dump::read_again(sources, findings, |event| run.take(event))?,
        None => dump::read(sources, |event| run.take(event))?,
    }
    run.take_left_over(options)?;
    run.check(options, may_be_empty, sources.folders())?;
    run.report.detail("dynamic_blocks", std::mem::take(&mut run.dynamic).into_iter().collect());
    run.describe(options, sources);
    run.records.finish(options.end, run.output, run.report)?;
    run.log.map_or(Ok(()), |log| log.commit())
}

/// Whether a dump has an item, and whether it has anything that is reported if there is none.
fn contents(sources: &mut Sources) -> Result<(bool, bool), Error> {
    let (mut has_items, mut has_rest) = (false, false);
    dump::read_noting(sources, |event| {
        has_items |= matches!(event, Event::Item { .. });
        has_rest |= matches!(event, Event::Passed(Answer::Other, _) | Event::Broken { .. } | Event::LeftOut(_));
        Ok(())
    })?;
    Ok((has_items, has_rest))
}

/// Reports the rejects of a dump that has no item and what is left out of it, and counts its JSON that is something else.
fn report_rest(sources: &mut Sources, report: &mut Report) -> Result<u64, Error> {
    let mut others = 0;
    dump::read_noting(sources, |event| match event {
        Event::Passed(Answer::Other, _) => {
            others += 1;
            Ok(())
        }
        Event::Broken { place, what, raw } => {
            report.count("items", 1);
            report.reject(&place, &what, raw)
        }
        Event::Continued(raw) => report.go_on_rejecting(raw),
        Event::LeftOut(why) => {
            report.count("items", 1);
            report.leave_out(why, 1);
            Ok(())
        }
        _ => Ok(()),
    })?;
    Ok(others)
}

/// The state of a run, which the events of a dump change.
struct Indexing<'r> {
    records: Records,
    scrape: Option<Joining>,
    entries: Entries,
    exports: Exports,
    log: Option<WholeFile>,
    output: &'r mut Output,
    report: &'r mut Report,
    /// Files that were skipped and are most likely pages.
    skipped_pages: u64,
    /// The blocks of exports whose text only the site itself can make: how many there are, by name.
    dynamic: BTreeMap<String, u64>,
}

impl Indexing<'_> {
    fn take_item(&mut self, mut item: Item, text: Text<'_>, mut place: (Arc<str>, u64)) -> Result<(), Error> {
        self.report.count("items", 1);
        if self.exports.is_taken(&item) {
            self.report.count("merged", 1);
            return Ok(());
        }
        if let Some(why) = self.exports.reason_to_leave_out(&item) {
            self.report.leave_out(why, 1);
            return Ok(());
        }
        let (entry, gaps) = (self.entries.take(&item, &text, self.scrape.as_ref())?, Gaps::default());
        let json = self.exports.complete(&mut item, &mut place, text, entry.as_ref())?;
        let text = json.as_ref().map_or(text, |json| Text::compact(json, &gaps));
        self.records.add(&item, text, (&place.0, place.1), &mut self.scrape, self.report)?;
        if let (Some(log), Some(scrape)) = (&mut self.log, &mut self.scrape) {
            log.put(&scrape.take_log())?;
        }
        self.records.write_if_full(self.output)
    }

    fn take(&mut self, event: Event<'_>) -> Result<(), Error> {
        match event {
            Event::Item { item, text, file, number } => self.take_item(item, text, (file.clone(), number))?,
            Event::Passed(..) => {
                self.report.count("items", 1);
                self.report.leave_out("left_out_answers", 1);
            }
            Event::Home(url) => {
                self.records.name_site_if_unknown(bare_host_of(url));
                self.records.begin_export(url);
            }
            Event::LeftOut(why) => {
                self.report.count("items", 1);
                self.report.leave_out(why, 1);
            }
            Event::Dynamic(blocks) => {
                for (name, count) in blocks {
                    *self.dynamic.entry(name.clone()).or_default() += count;
                }
            }
            Event::Broken { place, what, raw } => {
                self.report.count("items", 1);
                self.report.reject(&place, &what, raw)?;
            }
            Event::Continued(raw) => self.report.go_on_rejecting(raw)?,
            Event::Prefix { place, what } => {
                self.report.defect("prefix", &place, &format!("text before the JSON, skipped: {what}"));
            }
            Event::Charset(place, what) => self.report.defect("charset", &place, &what),
            Event::SkippedFile(file, other) => {
                self.report.count("skipped_files", 1);
                match other {
                    // A few messages are enough: a mirror may have many archives for its readers.
                    Some(what) if self.report.counted("skipped_files") <= 10 => {
                        self.report.warn(&format!("{file}: {what}; skipped"));
                    }
                    Some(what) => self.report.tell(&format!("{file}: {what}; skipped")),
                    None => {
                        self.skipped_pages += u64::from([".html", ".htm"].iter().any(|ending| file.ends_with(ending)));
                        self.report.tell(&format!("{file}: not JSON, skipped"));
                    }
                }
            }
            Event::Progress(bytes) => self.report.advance(0, bytes),
            Event::Awaited => {
                self.records.write(self.output)?;
                self.output.pause()?;
            }
        }
        Ok(())
    }

    /// Adds the entries of feeds that are not items of the dump, and the pages that were not joined to a record.
    fn take_left_over(&mut self, options: &Options) -> Result<(), Error> {
        let host = self.scrape.as_ref().and_then(Joining::host);
        self.records.name_site_if_unknown(host.map(|host| bare_host(&host).to_owned()));
        self.entries.finish(&mut self.records, self.scrape.as_mut(), self.output, self.report)?;
        let Some(scrape) = &mut self.scrape else { return Ok(()) };
        scrape.finish(options.keep, self.report, |page, report| {
            self.records.add_page(page, report)?;
            self.records.write_if_full(self.output)
        })?;
        if let Some(log) = &mut self.log {
            log.put(&scrape.take_log())?;
        }
        Ok(())
    }

    /// Warns of inputs that are probably mistakes. If there is nothing at all below `folders`, this is an error unless it may be so.
    fn check(&mut self, options: &Options, may_be_empty: bool, folders: &[String]) -> Result<(), Error> {
        let hosts = self.records.hosts();
        if let Some(scrape) = &self.scrape
            && self.report.counted("joined") + self.report.counted("aliases") + self.report.counted("merged") == 0
            && self.entries.made == 0
            && !hosts.is_empty()
        {
            let what = useless_scrape(&options.scrapes, scrape);
            if !options.allow_empty && !scrape.is_on_site() {
                return Err(refused(what));
            }
            self.report.warn(&what);
        }
        warn_of_hosts(self.records.all_hosts(), self.report);
        if let Some(what) = self.records.clash() {
            let remedy = "index one site at a time, or name it with --site if they are one";
            return Err(Error::Refused(format!("{what}: {remedy}")));
        }
        if self.report.counted("items") == 0 && !folders.is_empty() {
            let skipped = self.report.counted("skipped_files");
            let why = match skipped {
                0 => "no file, or none but empty lists".to_owned(),
                _ if self.skipped_pages > 0 => {
                    format!("{skipped} files skipped; pages of HTML: --no-dump --scrape {}", folders.join(" --scrape "))
                }
                _ => format!("{skipped} files skipped; -v names them"),
            };
            let what = format!("no items below {} ({why})", folders.join(", "));
            if self.records.are_none() && !may_be_empty { self.report.nothing(&what) } else { self.report.warn(&what) }
        } else if self.skipped_pages > 0 && self.scrape.is_none() {
            let what = format!(
                "pages of HTML among the dumps that are not read: {}; --scrape DIR reads pages",
                self.skipped_pages
            );
            self.report.warn(&what);
        }
        Ok(())
    }

    /// Tells what a mirror gave and names its site, and notes the inputs of which the end record has the sums.
    fn describe(&mut self, options: &Options, sources: &Sources) {
        if sources.is_mirror {
            let what = taken(&options.scrapes, 0, self.report);
            self.report.warn(&what);
            // If no item names a host, the pages may.
            let hosts = self.records.all_hosts().into_iter().filter(|(host, _)| !host.ends_with(".invalid"));
            let host = hosts.max_by_key(|(_, records)| *records).map(|(host, _)| bare_host(&host).to_owned());
            self.records.name_site_if_unknown(host.or_else(|| Some(name_of_folder(&options.scrapes, true))));
        }
        if options.end {
            let archives = sources.archives().iter().map(PathBuf::as_path).chain(options.scrapes.iter().map(Path::new));
            let archived: Vec<_> = archives.filter_map(stated).collect();
            self.records.note_inputs(sources.digests().iter().cloned().chain(archived));
        }
        let digests = options.end.then(|| sources.digests());
        sources.folders().iter().for_each(|folder| check_fetched(Path::new(folder), digests, self.report));
    }
}

/// The part of `fetch.json`, wp-fetch's account of its run, that describes the files beside it.
#[derive(Deserialize)]
struct Account {
    warc: Option<Fetched>,
    complete: Option<bool>,
    #[serde(default)]
    files: Vec<Fetched>,
}

#[derive(Deserialize)]
struct Fetched {
    file: String,
    bytes: u64,
    sha256: String,
}

/// A file beside a file or folder, which may be `.` or `..`.
fn beside(path: &Path, file: &str) -> PathBuf {
    match path.file_name() {
        Some(_) => path.with_file_name(file),
        None => path.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>().join("..").join(file),
    }
}

/// The account beside a file or folder.
fn account(path: &Path) -> Option<Account> {
    serde_json::from_slice(&std::fs::read(beside(path, "fetch.json")).ok()?).ok()
}

/// Length and SHA-256 of an archive that wp-fetch has made, from the account beside the archive; `None` if the account describes another
/// one.
fn stated(archive: &Path) -> Option<(u64, String)> {
    let Fetched { file, bytes, sha256 } = account(archive)?.warc?;
    let is_it = archive.file_name()?.to_str() == Some(&*file) && archive.metadata().ok()?.len() == bytes;
    is_it.then_some((bytes, sha256))
}

/// Compares a dump by wp-fetch with wp-fetch's account of it: a fetch that has not ended, answers that are missing there, and files that
/// are gone, damaged or changed. The contents of files are compared if `digests` are those of all files that were read.
fn check_fetched(folder: &Path, digests: Option<&[(u64, String)]>, report: &mut Report) {
    let place = |file: &str| Place::file(&shown_path(&beside(folder, file)));
    let Some(account) = account(folder) else {
        if beside(folder, "fetch.ndjson").is_file() {
            let what = "a fetch that has not ended (there is no fetch.json): the same wp-fetch command goes on with it";
            report.defect("unfinished_fetch", &place("fetch.ndjson"), what);
        }
        return;
    };
    if account.complete == Some(false) {
        let what = "this fetch is not complete: the same wp-fetch command requests its gaps again";
        report.defect("unfinished_fetch", &place("fetch.json"), what);
    }
    for Fetched { file, bytes, sha256 } in account.files {
        let path = beside(folder, &file);
        // An account by somebody else may name a device, or a file elsewhere.
        if !Path::new(&file).components().all(|part| matches!(part, Component::Normal(_))) {
            continue;
        }
        let is_read = || digests.is_none_or(|digests| digests.iter().any(|(_, own)| *own == sha256));
        let is_changed = || of_file(&path).is_ok_and(|own| (own.0, hex(&own.1)) != (bytes, sha256.clone()));
        if path.symlink_metadata().is_err() {
            report.defect("missing_files", &place(&file), "fetch.json lists this file, which is gone: fetch it again");
        } else if path.is_file() && !is_read() && is_changed() {
            let what = "its SHA-256 is not that in fetch.json: the file is damaged or was changed; fetch it again";
            report.defect("changed_files", &place(&file), what);
        }
    }
}

/// The pages of the scrapes, site by site.
fn run_without_dump(
    options: &Options,
    max_record: usize,
    output: &mut Output,
    report: &mut Report,
) -> Result<(), Error> {
    let mut log = options.page_log.as_deref().map(WholeFile::create).transpose()?;
    let mut records = Records::new(options, max_record);
    let sites = Sites::read(&options.scrapes, &reading(options)?, report);
    warn_of_foreign(report);
    let mut sites = sites?;
    while let Some(site) = sites.next() {
        let (label, mut site) = site?;
        if options.site.is_none() && are_of_several_sites(&site) {
            return Err(Error::Refused(SEVERAL_SITES.to_owned()));
        }
        let feeds = std::mem::take(&mut site.feeds);
        let mut site = Learning::without_dump(site, feeds.len() > 0, &links_of(&feeds)?, report);
        if log.is_some() {
            site.keep_log(&folders(&options.scrapes));
        }
        let unknown = site.unknown_home();
        // The records of a site must be contiguous, so two sites must not have the same name.
        let named = || site.host_of_most().filter(|host| !sites.has(host));
        let label = options
            .site
            .clone()
            .or(label)
            .or_else(named)
            .unwrap_or_else(|| name_of_folder(&options.scrapes, sites.is_at_end()));
        records.begin_site(Some(label.clone()));
        records.note_mapped(site.mapped());
        let mut entries = Entries::new(feeds, Some(&mut site), report)?;
        places::learn(&entries, &mut site, &folders(&options.scrapes))?;
        entries.finish(&mut records, Some(&mut site), output, report)?;
        site.finish(options.keep, report, |page, report| {
            records.add_page(page, report)?;
            records.write_if_full(output)
        })?;
        match unknown {
            // HTTrack's list of saved pages lies above the sites, and does not become a record.
            Some(_) if records.of_site() == 0 && !sites.is_at_end() => {}
            unknown => {
                if let Some(home) = unknown.filter(|_| records.of_site() > 0) {
                    report.warn(&unknown_host(&home, &label, &site, options));
                }
                let archived =
                    options.scrapes.iter().filter(|_| options.end).filter_map(|path| stated(Path::new(path)));
                records.note_inputs(archived);
                records.end_site(options.end, report);
            }
        }
        if let Some(log) = &mut log {
            log.put(&site.take_log())?;
        }
    }
    if records.are_none() && report.counted("pages") > 0 && !options.allow_empty {
        report.nothing("no page became a record: lists, error pages and the like are left out (--all-pages keeps them); --page-log says why");
    }
    if options.no_dump && report.counted("answers") > 0 {
        report.warn(&left_aside(&options.scrapes, report.counted("answers")));
    }
    records.finish(false, output, report)?;
    log.map_or(Ok(()), |log| log.commit())
}

/// The warning about answers of the API that `--no-dump` leaves aside.
fn left_aside(roots: &[String], answers: u64) -> String {
    let what = format!("--no-dump leaves aside the answers of the REST API in it ({answers} files)");
    format!("{}: {what}; as DUMP and --scrape, it gives both", roots.join(", "))
}

/// The error for scrapes of several sites: the pages of one would get the host of another, or two pages would get the same address.
const SEVERAL_SITES: &str = "the pages of several --scrape do not name the same host: take one at a time, or --site NAME if all are of one site";

/// The warning about pages whose host is unknown.
fn unknown_host(home: &str, label: &str, site: &Joining, options: &Options) -> String {
    let hint = site.own_files(&options.scrapes).map(|OwnFiles { url, pages, of }| {
        format!("; {pages} of {of} pages have their theme's files at {url}, which may be the site")
    });
    let (called, name) = match options.site {
        Some(_) => (String::new(), ""),
        None => (format!("the site is called {label}, and "), "--site NAME names it, "),
    };
    let what = format!("the host of the pages is not known: {called}its links begin with {home}");
    format!("{what}; {name}--scrape-base URL says what the top of the scrape is{}", hint.unwrap_or_default())
}

/// The real name of the folder of the first scrape, for a site that has no other name. If there are several sites, a folder's name that
/// looks like a host is not used: it may be the name of another site.
fn name_of_folder(roots: &[String], is_only: bool) -> String {
    let folder = folders(roots).first().and_then(|folder| std::fs::canonicalize(folder).ok());
    let name = folder.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| is_only || !name.contains('.')).unwrap_or_else(|| "site".to_owned())
}

/// How the scrapes are to be read.
fn reading(options: &Options) -> Result<ScrapeOptions<'_>, Error> {
    let base = options.scrape_base.as_deref();
    if let Some(base) = base.filter(|base| PageUrl::parse(base).is_none()) {
        return Err(Error::Fatal(format!("--scrape-base {base}: not an http or https URL")));
    }
    Ok(ScrapeOptions {
        base,
        wordpress_only: options.wordpress_only,
        allow_empty: options.allow_empty,
        jobs: options.jobs,
    })
}

/// Warns of records on several hosts: two dumps under one label get mixed up, because they use the same ids.
fn warn_of_hosts(mut hosts: Vec<(String, u64)>, report: &mut Report) {
    hosts.retain(|(_, records)| *records > 1);
    if hosts.len() < 2 {
        return;
    }
    hosts.sort_by(|(host, n), (other, of_other)| of_other.cmp(n).then_with(|| host.cmp(other)));
    let list: Vec<String> = hosts.iter().take(5).map(|(host, items)| format!("{host} {items}")).collect();
    let more = if hosts.len() > 5 { ", ..." } else { "" };
    let what = format!("records of {} hosts under one label: {}{more}; ", hosts.len(), list.join(", "));
    report.warn(&(what + "their ids get mixed up unless they are one site: index one site at a time"));
}

/// The message about a scrape without a page that belongs to the dump.
fn useless_scrape(roots: &[String], scrape: &Joining) -> String {
    let of = scrape.host().map(|host| format!(" of {}", bare_host(&host))).unwrap_or_default();
    let pages = match scrape.pages() {
        0 => "it has no page".to_owned(),
        n => format!("none of its pages{of} ({n}) belongs to an item of {}", scrape.home().unwrap_or("the dump")),
    };
    let remedy = "; if they are of the same site, --scrape-base URL says where the scrape was made";
    format!("--scrape {}: {pages}{}", roots.join(", "), if scrape.is_on_site() { "" } else { remedy })
}

/// The warning about a mirror that was read as dump and as scrape.
fn taken(roots: &[String], others: u64, report: &Report) -> String {
    let [items, feeds, pages] = ["items", "feeds", "pages"].map(|name| report.counted(name));
    let others = if others > 0 { format!("; JSON without an item of the API: {others}") } else { String::new() };
    let roots = roots.join(", ");
    format!("{roots}: a mirror, read as dump and as scrape (items: {items}, feeds: {feeds}, pages: {pages}{others})")
}

/// The error for a run that is probably a mistake.
fn refused(what: String) -> Error {
    Error::Refused(what + "; --allow-empty goes on all the same")
}

/// Reads the scrape, and learns from the dump where the scrape was made.
fn read_scrape(
    options: &Options,
    sources: &mut Sources,
    feeds: Gathered,
    report: &mut Report,
) -> Result<(Joining, Entries, Findings), Error> {
    let (of_feeds, mut items) = (report.counted("items"), 0);
    let mut site = Site::read(&options.scrapes, &reading(options)?, feeds, report)?;
    let feeds = std::mem::take(&mut site.feeds);
    let mut learning = Learning::new(site);
    sources.make_rereadable()?;
    let findings = dump::read_noting(sources, |event| {
        match event {
            Event::Item { item, .. } => {
                items += 1;
                if let Some(record) = record_of(&item) {
                    learning.learn(&record, item.self_link.as_deref());
                }
            }
            Event::Passed(Answer::Types, text) => learning.learn_bases(dump::rest_bases(text)),
            Event::Broken { .. } => items += 1,
            _ => {}
        }
        Ok(())
    })?;
    let mut scrape = learning.settle(report);
    if !options.allow_empty && (items > 0 || feeds.len() == 0) {
        refuse_useless(options, sources, &mut scrape, &feeds, of_feeds + items)?;
    }
    if options.page_log.is_some() {
        scrape.keep_log(&folders(&options.scrapes));
    }
    let entries = Entries::new(feeds, Some(&mut scrape), report)?;
    places::learn(&entries, &mut scrape, &folders(&options.scrapes))?;
    Ok((scrape, entries, findings))
}

/// Ends the run before its first record if the dump or the scrape is probably not the one that was meant.
fn refuse_useless(
    options: &Options,
    sources: &mut Sources,
    scrape: &mut Joining,
    feeds: &Feeds,
    items: u64,
) -> Result<(), Error> {
    if items == 0 && !sources.folders().is_empty() {
        let remedy = "--no-dump lists the pages alone, --allow-empty goes on all the same";
        return Err(Error::Refused(format!("no items below {}: {remedy}", sources.folders().join(", "))));
    }
    if items == 0 || scrape.is_on_site() || scrape.is_known_to_join() {
        return Ok(());
    }
    // Few scrapes get here: their pages belong to records by their ids alone or do not belong to any, or the scrapes have only feeds of the
    // site.
    let mut is_joined = false;
    let host = links_of(feeds)?.first().and_then(|(link, _)| bare_host_of(link));
    dump::read(sources, |event| {
        if let Event::Item { item, .. } = event
            && !is_joined
            && let Some(record) = record_of(&item)
        {
            let is_of_feeds = || host.is_some() && host == bare_host_of(record.link);
            is_joined = scrape.has_page_of(&record) || is_of_feeds();
        }
        Ok(())
    })?;
    scrape.begin();
    if is_joined { Ok(()) } else { Err(refused(useless_scrape(&options.scrapes, scrape))) }
}
