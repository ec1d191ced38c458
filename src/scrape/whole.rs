//! Reads whole pages of a scrape again, to learn from them where a site has its contents.

use super::page::Page;
use super::sites::Site;
use crate::archive::{Payload, Volume, read_at, split};
use crate::page::{PageBuffer, PageReader};
use crate::tree::Root;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// The longest page that is read again, in bytes.
const LONGEST: usize = 256 * 1024;

impl Site {
    /// The HTML of a page below the root of its scrape; [`None`] if it is too long, or can no longer be read.
    pub(crate) fn html(&self, page: &Page, roots: &[String]) -> Option<String> {
        let (file, _) = self.origin(page).ok()?;
        let root = Root::open(Path::new(roots.get(page.root as usize)?)).ok()?;
        match split(&file) {
            None => whole(root.file(Path::new(&*file)).ok()?, None),
            Some((path, name, place)) => {
                let volumes = Volume::open(path, root.file(Path::new(path)).ok()?).ok()?;
                let volume = volumes.iter().find(|volume| volume.name == name)?;
                let mut block = Vec::new();
                let record = read_at(volume, place, LONGEST, &mut block).ok()?;
                let Ok(Payload::Body(body)) = record.payload(&block, LONGEST) else { return None };
                whole(Cursor::new(body.bytes), body.charset.as_deref())
            }
        }
    }
}

fn whole(bytes: impl Read, charset: Option<&str>) -> Option<String> {
    let bytes = bytes.take(LONGEST as u64 + 1);
    let mut reader = PageReader::new(bytes, PageBuffer::default()).sent_as(charset);
    let html: io::Result<String> = reader.whole(str::to_owned);
    html.ok().filter(|html| html.len() <= LONGEST)
}
