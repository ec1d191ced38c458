//! Reads the heads of all pages of a scrape, files or archives, in several threads; the result does not depend on their number. Other
//! modules compare the pages' claims with the records.

use super::archived::{Found, order_of, read_archive, resolve_revisits};
use super::claim::Names;
use super::location::locate;
use super::page::Page;
use super::sniff;
use crate::archive::is_archive;
use crate::ndjson::start;
use crate::page::{Head, PageBuffer, PageReader};
use crate::report::{Error, Place, Report, describe_io, shown_path};
use crate::tree::{Root, files_below};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Number of files that a thread takes at a time.
const SHARE: usize = 32;

/// A file of the scrape, and what it turned out to be.
struct Seen {
    below: Box<Path>,
    what: What,
}

enum What {
    /// A page, which now owns the file's name.
    Page(Page),
    /// An archive.
    Archive(Box<Found>),
    NotHtml,
    /// Unreadable, or not read yet.
    Unreadable(io::Error),
}

/// The directory in which the files of a scrape are: itself, or that of an archive.
pub(super) fn folder_of(scrape: &str) -> &str {
    if !is_single(scrape) {
        return scrape;
    }
    let folder = Path::new(scrape).parent().and_then(Path::to_str).unwrap_or_default();
    if folder.is_empty() { "." } else { folder }
}

/// Whether a scrape is one archive.
fn is_single(scrape: &str) -> bool {
    let path = Path::new(scrape);
    is_archive(path) && path.is_file()
}

/// The pages of the scrape `root`, a directory or an archive, which has the number `number`, by path.
pub(super) fn read_pages(
    root: &str,
    number: u32,
    base: Option<&str>,
    jobs: usize,
    report: &mut Report,
) -> Result<Vec<Page>, Error> {
    let below = match is_single(root) {
        true => Path::new(root).file_name().map(|name| Path::new(name).into()).into_iter().collect(),
        false if Path::new(root).is_file() => {
            let what = "neither a directory nor an archive (.warc, .warc.gz, .warc.zst, .wacz)";
            return Err(Error::Trouble(format!("--scrape {root}: {what}")));
        }
        false => files_below(Path::new(root))?,
    };
    let root = folder_of(root);
    let has_archives = below.iter().any(|below| is_archive(below));
    let mut files: Vec<Seen> =
        below.into_iter().map(|below| Seen { below, what: What::Unreadable(io::ErrorKind::Other.into()) }).collect();
    let folder = Root::open(Path::new(root)).map_err(|e| Error::io(root, e))?;
    let share = if has_archives { 1 } else { SHARE };
    let helpers = jobs.min(files.len().div_ceil(share)).saturating_sub(1);
    let shares = Mutex::new(files.chunks_mut(share));
    let work = || {
        let (buffer, names) = (PageBuffer::default(), Names::default());
        let mut reader = Reader { root: &folder, number, base, buffer, names };
        loop {
            let share = shares.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(share) = share else { return };
            for file in share {
                file.what = reader.read(&mut file.below);
            }
        }
    };
    std::thread::scope(|scope| {
        let _ = (0..helpers).map_while(|_| start(scope, work)).count();
        work();
    });
    let mut archives = Vec::new();
    // Collected in place, since there may be many.
    let mut pages: Vec<Page> =
        files.into_iter().filter_map(|Seen { below, what }| told(what, &below, root, &mut archives, report)).collect();
    if has_archives {
        add_archived(&mut pages, archives, root, &folder, number, report)?;
    }
    report.count("pages", pages.len() as u64);
    Ok(pages)
}

/// Adds the pages of archives, each where it would be in a directory, and reports what else is in them.
fn add_archived(
    pages: &mut Vec<Page>,
    mut archives: Vec<Found>,
    root: &str,
    folder: &Root,
    number: u32,
    report: &mut Report,
) -> Result<(), Error> {
    let (mut buffer, mut names) = (PageBuffer::default(), Names::default());
    let (mut revisited, missing) = resolve_revisits(&mut archives, folder, number, &mut buffer, &mut names);
    report.count("captures_revisits_unresolved", missing);
    pages.append(&mut revisited);
    for mut archive in archives {
        pages.append(&mut archive.pages);
        for (name, n) in archive.counts {
            report.count(name, n);
        }
        for volume in archive.unpacked {
            report.warn(&format!("{root}/{volume}: compressed in the WACZ, unpacked into TMPDIR"));
        }
        for (address, what) in archive.faults {
            report.count("pages", 1);
            report.reject(&Place::file(&Path::new(root).join(address).display().to_string()), &what, b"")?;
        }
    }
    pages.sort_by_cached_key(order_of);
    Ok(())
}

/// The page, if it is one; otherwise puts the archive aside, or reports why.
fn told(what: What, below: &Path, root: &str, archives: &mut Vec<Found>, report: &mut Report) -> Option<Page> {
    match what {
        What::Page(page) => return Some(page),
        What::Archive(found) => archives.push(*found),
        What::NotHtml => report.count("not_html", 1),
        What::Unreadable(why) => {
            let place = Place::file(&shown_path(&Path::new(root).join(below)));
            report.defect("page_unreadable", &place, &format!("cannot be read: {}", describe_io(&why)));
        }
    }
    None
}

/// State of a thread.
struct Reader<'o> {
    root: &'o Root,
    number: u32,
    base: Option<&'o str>,
    buffer: PageBuffer,
    names: Names,
}

impl Reader<'_> {
    fn read(&mut self, below: &mut Box<Path>) -> What {
        if let Some(name) = below.to_str().filter(|_| is_archive(below)) {
            return match read_archive(self.root, self.number, name, &mut self.buffer, &mut self.names) {
                Ok(found) => What::Archive(Box::new(found)),
                Err(e) => What::Unreadable(e),
            };
        }
        let head = match self.head(below) {
            Ok(Some(head)) => head,
            Ok(None) => return What::NotHtml,
            Err(e) => return What::Unreadable(e),
        };
        // JSON cannot hold such a name: wp-translations would not find the file again.
        if below.to_str().is_none() {
            return What::Unreadable(io::Error::other("its name is not UTF-8 (convmv renames such files)"));
        }
        let location = locate(below, self.base);
        let file = std::mem::replace(below, Path::new("").into()).into_path_buf().into_os_string();
        let file = file.into_string().expect("it is UTF-8");
        What::Page(Page::new(self.number, file, location, &head, &mut self.names))
    }

    /// The head of a page; none if the file is not a page.
    fn head(&mut self, below: &Path) -> io::Result<Option<Head>> {
        let mut page = PageReader::new(self.root.file(below)?, std::mem::take(&mut self.buffer));
        let head = read_head(&mut page);
        self.buffer = page.into_buffer();
        head
    }
}

fn read_head(page: &mut PageReader<File>) -> io::Result<Option<Head>> {
    let start = page.first_bytes()?;
    if sniff::is_html(&start[..start.len().min(sniff::SAMPLE)]) { page.head().map(Some) } else { Ok(None) }
}
