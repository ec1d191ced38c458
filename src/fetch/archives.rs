//! The archives of a folder: that of the site, and beside it one of the media files, which readers of pages and answers need not
//! read. All that is recorded goes into one of them at a time.

use super::warc::Warc;
use crate::report::{Error, shown_path};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the archive of the media files.
pub(super) const OF_MEDIA: &str = "media.warc.gz";

pub(super) struct Archives {
    site: Warc,
    media: Option<Warc>,
    /// Where that of the media files is, and how much of it the log knows.
    place: (PathBuf, u64),
    is_media: bool,
}

impl Archives {
    /// That of the site is open; of that of the media files in `folder`, the log knows the first `known` bytes.
    pub(super) fn new(site: Warc, folder: &Path, known: u64) -> Self {
        Archives { site, media: None, place: (folder.join(OF_MEDIA), known), is_media: false }
    }

    /// Records in that of the media files from now on.
    ///
    /// # Errors
    /// When it cannot be written, or is not what the log tells of.
    pub(super) fn turn_to_media(&mut self) -> Result<(), Error> {
        let (path, known) = &self.place;
        if self.media.is_none() {
            let bytes = fs::metadata(path).map_or(0, |file| file.len());
            if bytes < *known {
                let what = "the archive is shorter than the log says: put it back, or name another directory with -d";
                return Err(Error::Fatal(format!("{}: {what}", shown_path(path))));
            }
            self.media = Some(Warc::open(path, *known)?);
        }
        self.is_media = true;
        Ok(())
    }

    /// Records in that of the site from now on.
    pub(super) fn turn_to_site(&mut self) {
        self.is_media = false;
    }

    /// The one that is recorded in.
    pub(super) fn current(&mut self) -> &mut Warc {
        match &mut self.media {
            Some(media) if self.is_media => media,
            _ => &mut self.site,
        }
    }

    /// The one of that name; that of the site if there is no name.
    pub(super) fn get(&self, name: Option<&str>) -> &Warc {
        self.media.as_ref().filter(|_| name == Some(OF_MEDIA)).unwrap_or(&self.site)
    }

    pub(super) fn of_site(&self) -> &Warc {
        &self.site
    }

    /// That of the media files, if it was opened.
    pub(super) fn of_media(&self) -> Option<&Warc> {
        self.media.as_ref()
    }
}
