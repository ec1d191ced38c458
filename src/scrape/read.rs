//! Reads the heads of all pages of a scrape in several threads; the result does not depend on their number. Other
//! modules compare the pages' claims with the records.

use super::claim::Names;
use super::location::locate;
use super::page::Page;
use super::sniff;
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
    NotHtml,
    /// Unreadable, or not read yet.
    Unreadable(io::Error),
}

/// The pages below the directory `root`, which has the number `number`, by path.
pub(super) fn read_pages(
    root: &str,
    number: u32,
    base: Option<&str>,
    jobs: usize,
    report: &mut Report,
) -> Result<Vec<Page>, Error> {
    let mut files: Vec<Seen> = files_below(Path::new(root))?
        .into_iter()
        .map(|below| Seen { below, what: What::Unreadable(io::ErrorKind::Other.into()) })
        .collect();
    let folder = Root::open(Path::new(root)).map_err(|e| Error::io(root, e))?;
    let helpers = jobs.min(files.len().div_ceil(SHARE)).saturating_sub(1);
    let shares = Mutex::new(files.chunks_mut(SHARE));
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
    // Collected in place, since there may be many.
    let pages: Vec<Page> =
        files.into_iter().filter_map(|Seen { below, what }| told(what, &below, root, report)).collect();
    report.count("pages", pages.len() as u64);
    Ok(pages)
}

/// The page, if it is one; otherwise reports why.
fn told(what: What, below: &Path, root: &str, report: &mut Report) -> Option<Page> {
    match what {
        What::Page(page) => return Some(page),
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
