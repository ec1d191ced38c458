//! Reads the heads of all pages of a scrape, in several threads; the result does not depend on how many.
//! What the pages claim is compared with the records elsewhere.

use super::location::locate;
use super::page::Page;
use super::sniff;
use super::walk::{Found, walk};
use crate::html::page::{Head, PageBuffer, PageReader};
use crate::report::{Error, Place, Report};
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files that a thread takes at a time.
const SHARE: usize = 32;

/// What a file turned out to be.
enum Seen {
    Page(Box<Page>),
    NotHtml,
    Unreadable(String),
}

/// The pages below the directory `root`, which is number `number`; by path.
pub(super) fn read_pages(
    root: &str,
    number: u32,
    base: Option<&str>,
    jobs: usize,
    report: &mut Report,
) -> Result<Vec<Page>, Error> {
    let files = walk(root)?;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut seen = Vec::new();
        let mut buffer = PageBuffer::default();
        loop {
            let from = next.fetch_add(SHARE, Ordering::Relaxed);
            if from >= files.len() {
                return seen;
            }
            for (at, file) in files.iter().enumerate().skip(from).take(SHARE) {
                seen.push((at, read_page(file, number, base, &mut buffer)));
            }
        }
    };
    let mut seen = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..jobs).map(|_| scope.spawn(work)).collect();
        let mut seen = work();
        for thread in threads {
            seen.extend(thread.join().expect("reading a page does not panic"));
        }
        seen
    });
    seen.sort_by_key(|(at, _)| *at);
    let mut pages = Vec::new();
    for (at, seen) in seen {
        match seen {
            Seen::Page(page) => pages.push(*page),
            Seen::NotHtml => report.count("not_html", 1),
            Seen::Unreadable(why) => {
                let place = Place::file(&files[at].path.display().to_string());
                report.defect("page_unreadable", &place, &why);
            }
        }
    }
    report.count("pages", pages.len() as u64);
    Ok(pages)
}

fn read_page(file: &Found, root: u32, base: Option<&str>, buffer: &mut PageBuffer) -> Seen {
    match try_page(file, root, base, buffer) {
        Ok(Some(page)) => Seen::Page(Box::new(page)),
        Ok(None) => Seen::NotHtml,
        Err(e) => Seen::Unreadable(format!("cannot be read: {}", e.kind())),
    }
}

fn try_page(file: &Found, root: u32, base: Option<&str>, buffer: &mut PageBuffer) -> io::Result<Option<Page>> {
    let mut page = PageReader::new(File::open(&file.path)?, std::mem::take(buffer));
    let head = read_head(&mut page);
    *buffer = page.into_buffer();
    let name = file.below.to_string_lossy().into_owned();
    Ok(head?.map(|head| Page::new(root, name, locate(&file.below, base), &head)))
}

/// The head of a page; none if the file is no page.
fn read_head(page: &mut PageReader<File>) -> io::Result<Option<Head>> {
    let start = page.first_bytes()?;
    if sniff::is_html(&start[..start.len().min(sniff::SAMPLE)]) { page.head().map(Some) } else { Ok(None) }
}
