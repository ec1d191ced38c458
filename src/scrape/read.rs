//! Reads the heads of all pages of the scrapes, in files or archives, in several threads; the result does not depend on
//! their number. Other modules compare the pages' claims with the records.

use super::archived::{ArchiveContents, read_archive};
use super::feeds::read_feed;
use super::heads::{Heads, Read};
use super::location::{host_of, locate};
use super::sorted::{self, Gathered, site_of};
use crate::archive::is_archive;
use crate::feed;
use crate::ndjson::start;
use crate::report::{Error, Place, Report, describe_io, shown_path};
use crate::rights::{Files, LONGEST};
use crate::tree::{Astray, Below, Root, files_below};
use crate::whole_file::is_part;
use crate::wordpress::rest_root;
use std::fs::File;
use std::io::{self, Read as _, Seek};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The number of files that a thread takes at a time.
const SHARE: usize = 32;

/// The options for reading scrapes.
pub(crate) struct ScrapeOptions<'o> {
    /// The URL of the top of a scrape, if known.
    pub(crate) base: Option<&'o str>,
    /// Whether to find the pages without a trace of WordPress.
    pub(crate) wordpress_only: bool,
    /// Whether a scrape may be without a page.
    pub(crate) allow_empty: bool,
    /// The number of threads; 0 counts as 1.
    pub(crate) jobs: usize,
}

/// A file of the scrape, and its kind.
struct ScrapeFile {
    below: Box<Path>,
    /// Its number among the archives; 0 if it is not one.
    archive: u32,
    what: What,
}

enum What {
    Page,
    Feed(feed::Rest),
    /// An answer of the API.
    Answer,
    Archive(Box<ArchiveContents>),
    NotHtml,
    /// The file cannot be read, or has not been read yet.
    Unreadable(io::Error),
}

/// The directories with the files of scrapes: the scrapes themselves, or the directories of archives.
pub(crate) fn folders(scrapes: &[String]) -> Vec<String> {
    scrapes.iter().map(|scrape| folder_of(scrape).to_owned()).collect()
}

/// The directory with the files of a scrape: the scrape itself, or the directory of an archive.
fn folder_of(scrape: &str) -> &str {
    if !is_single(scrape) {
        return scrape;
    }
    let folder = Path::new(scrape).parent().and_then(Path::to_str).unwrap_or_default();
    if folder.is_empty() { "." } else { folder }
}

/// Whether a scrape is a single archive.
fn is_single(scrape: &str) -> bool {
    let path = Path::new(scrape);
    is_archive(path) && path.is_file()
}

/// The pages of the scrapes `roots`, directories or archives, in their order (if `by_site`, sorted by their hosts first),
/// and the entries of feeds, including those in `feeds`. Counts `pages`, `not_html`, `feeds`, `items`.
pub(super) fn read_pages(
    roots: &[String],
    reading: &ScrapeOptions<'_>,
    by_site: bool,
    feeds: feed::Gathered,
    report: &mut Report,
) -> Result<sorted::SortedScrape, Error> {
    let gathered = Gathered::new(by_site, feeds);
    let mut folders = Vec::new();
    for (root, number) in roots.iter().zip(0..) {
        let folder = Root::open(Path::new(folder_of(root))).map_err(|e| Error::io(root.as_str(), e));
        let Below { files, unreadable, astray } = below(root)?;
        let folder = folder?;
        astray.report(report);
        for (path, why) in unreadable {
            tell(What::Unreadable(why), &path, folder_of(root), report)?;
        }
        read_scrape(folder_of(root), (&folder, number), entries(files), reading, &gathered, report)?;
        folders.push(folder);
    }
    if !reading.allow_empty {
        refuse_empty(roots, &gathered)?;
    }
    gathered.sorted(&folders, &mut Heads::new(reading.wordpress_only), report)
}

/// Fails if a folder has no pages: usually, its disk is not mounted. Of several archives, some may be without pages.
fn refuse_empty(roots: &[String], gathered: &Gathered) -> Result<(), Error> {
    let without = |(_, number): &(&String, u32)| gathered.pages_of(*number) == 0;
    let empty: Vec<&str> = roots.iter().zip(0..).filter(without).map(|(root, _)| root.as_str()).collect();
    if empty.len() < roots.len() && empty.iter().all(|root| is_single(root)) {
        return Ok(());
    }
    let doubt =
        if empty.iter().all(|root| is_single(root)) { ";" } else { ": is it the right place, and its disk mounted?" };
    let remedy = "--allow-empty goes on without pages";
    Err(Error::Refused(format!("--scrape {}: no page of HTML in it{doubt} {remedy}", empty.join(", "))))
}

/// The files of a scrape.
fn below(root: &str) -> Result<Below, Error> {
    match is_single(root) {
        true => {
            let files = Path::new(root).file_name().map(|name| Path::new(name).into()).into_iter().collect();
            Ok(Below { files, unreadable: Vec::new(), astray: Astray::default() })
        }
        false if Path::new(root).is_file() => {
            let what = "neither a directory nor an archive (.warc, .warc.gz, .warc.zst, .wacz)";
            Err(Error::Fatal(format!("--scrape {root}: {what}")))
        }
        false => files_below(Path::new(root)),
    }
}

/// The files of a scrape, not read yet.
fn entries(files: Vec<Box<Path>>) -> Vec<ScrapeFile> {
    let mut archives = 0;
    let seen = |below: Box<Path>| {
        archives += u32::from(is_archive(&below));
        let archive = if is_archive(&below) { archives } else { 0 };
        ScrapeFile { below, archive, what: What::Unreadable(io::ErrorKind::Other.into()) }
    };
    files.into_iter().map(seen).collect()
}

/// Gathers the pages of one scrape, and reports its other files.
fn read_scrape(
    name: &str,
    root: (&Root, u32),
    mut files: Vec<ScrapeFile>,
    reading: &ScrapeOptions<'_>,
    gathered: &Gathered,
    report: &mut Report,
) -> Result<(), Error> {
    let share = if files.iter().any(|file| file.archive > 0) { 1 } else { SHARE };
    let helpers = reading.jobs.min(files.len().div_ceil(share)).saturating_sub(1);
    let shares = Mutex::new(files.chunks_mut(share));
    let work = || {
        let heads = Heads::new(reading.wordpress_only);
        let mut reader = Reader { name, root, base: reading.base, gathered, heads };
        loop {
            let share = shares.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(share) = share else { return };
            for file in share {
                file.what = reader.read(&mut file.below, file.archive);
            }
        }
    };
    std::thread::scope(|scope| {
        let _ = (0..helpers).map_while(|_| start(scope, work)).count();
        work();
    });
    files.into_iter().try_for_each(|ScrapeFile { below, what, .. }| tell(what, &below, name, report))
}

/// Counts and reports a file of the scrape `root` according to its kind.
fn tell(what: What, below: &Path, root: &str, report: &mut Report) -> Result<(), Error> {
    match what {
        What::Page => {}
        What::Feed(feed) => feed.report(&shown_path(&Path::new(root).join(below)), report)?,
        What::Answer => {
            report.count("not_html", 1);
            report.count("answers", 1);
        }
        What::NotHtml => {
            report.count("not_html", 1);
            let file = shown_path(&Path::new(root).join(below));
            if is_part(below) {
                report.tell(&format!("{file}: not complete when its program was killed, skipped"));
            } else if is_backup(below) {
                report.tell(&format!("{file}: the backup of a page by wget, skipped"));
            } else if below.extension().is_some_and(|end| end == "html" || end == "htm") {
                report.tell(&format!("{file}: begins as no HTML does, skipped"));
            }
        }
        What::Unreadable(why) => {
            let place = Place::file(&shown_path(&Path::new(root).join(below)));
            report.defect("page_unreadable", &place, &format!("cannot be read: {}", describe_io(&why)));
        }
        What::Archive(archive) => {
            for (name, n) in archive.counts {
                report.count(name, n);
            }
            for volume in archive.unpacked {
                report.warn(&format!("{root}/{volume}: compressed in the WACZ, unpacked into TMPDIR"));
            }
            for (address, feed) in archive.feeds {
                feed.report(&shown_path(&Path::new(root).join(address)), report)?;
            }
            for (address, what) in archive.faults {
                report.count("pages", 1);
                report.reject(&Place::file(&shown_path(&Path::new(root).join(address))), &what, b"")?;
            }
        }
    }
    Ok(())
}

/// What one of the reading threads needs.
struct Reader<'o> {
    /// The directory of the scrape, as the user named it.
    name: &'o str,
    root: (&'o Root, u32),
    base: Option<&'o str>,
    gathered: &'o Gathered,
    heads: Heads,
}

impl Reader<'_> {
    /// Reads a file for robots of the site, if it is one.
    fn read_for_robots(&self, below: &Path) -> io::Result<()> {
        let is_near = below.extension().is_some_and(|end| end == "txt" || end == "json");
        let url = if is_near { locate(below, self.base).url } else { String::new() };
        if Files::are_at(&url) {
            let mut body = Vec::new();
            self.root.0.file(below)?.take(LONGEST as u64).read_to_end(&mut body)?;
            self.gathered.add_file(&url, "", &body);
        }
        Ok(())
    }

    fn read_feed(&self, mut file: &File, below: &Path, url: &str) -> io::Result<feed::Rest> {
        file.rewind()?;
        let name = shown_path(&Path::new(self.name).join(below));
        Ok(read_feed(file, url, &name, &feed::Place { time: "", root: self.root.1 }, self.gathered))
    }

    fn read(&mut self, below: &mut Box<Path>, archive: u32) -> What {
        if let Some(name) = below.to_str().filter(|_| archive > 0) {
            return match read_archive(self.root, (self.name, name), archive, &mut self.heads, self.gathered) {
                Ok(found) => What::Archive(Box::new(found)),
                Err(e) => What::Unreadable(e),
            };
        }
        if is_part(below) || is_backup(below) {
            return What::NotHtml;
        }
        if let Err(e) = self.read_for_robots(below) {
            return What::Unreadable(e);
        }
        let location = locate(below, self.base);
        let file = match self.root.0.file(below) {
            Ok(file) => file,
            Err(e) => return What::Unreadable(e),
        };
        let head = match self.heads.read(&file, &location.url, false, None) {
            Ok(Read::Page(head)) => head,
            Ok(Read::Feed) => {
                return self.read_feed(&file, below, &location.url).map_or_else(What::Unreadable, What::Feed);
            }
            Ok(Read::Other) if rest_root(&location.url).is_some() => return What::Answer,
            Ok(Read::Other) => return What::NotHtml,
            Err(e) => return What::Unreadable(e),
        };
        // JSON cannot represent such a name: wp-translations would not find the file again.
        if below.to_str().is_none() {
            return What::Unreadable(io::Error::other("its name is not UTF-8 (convmv renames such files)"));
        }
        let file = std::mem::replace(below, Path::new("").into()).into_path_buf().into_os_string();
        let file = file.into_string().expect("it is UTF-8");
        let is_loose = host_of(&location.url).is_none();
        let page = head.page(self.root.1, file, location, &mut self.heads.names);
        let host = site_of(&page.0).filter(|_| !is_loose);
        self.gathered.add(&page, host.as_deref(), (0, 0));
        What::Page
    }
}

/// Whether a file is what `wget -K` keeps of a page whose references it has converted: `index.html.orig`.
fn is_backup(below: &Path) -> bool {
    let name = below.file_name().unwrap_or_default().to_string_lossy();
    [".html.orig", ".htm.orig"].iter().any(|ending| name.ends_with(ending))
}
