//! Keeps the WARC archives of a folder: one of the site, and a separate one of its media files, so that readers of pages and API answers
//! need not read the media files. Each exchange is recorded in one of the two.

use super::warc::Warc;
use crate::report::{Error, shown_path};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the archive of the media files.
pub(super) const OF_MEDIA: &str = "media.warc.gz";

pub(super) struct Archives {
    site: Warc,
    media: Option<Warc>,
    /// The path of the media archive, and how many bytes of it the log accounts for.
    place: (PathBuf, u64),
    is_media: bool,
}

impl Archives {
    /// Takes the open archive of the site; the log accounts for the first `known` bytes of the media archive in `folder`.
    pub(super) fn new(site: Warc, folder: &Path, known: u64) -> Self {
        Archives { site, media: None, place: (folder.join(OF_MEDIA), known), is_media: false }
    }

    /// Makes the media archive the current one.
    ///
    /// # Errors
    /// When it cannot be written, or is shorter than the log states.
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

    /// Makes the archive of the site the current one.
    pub(super) fn turn_to_site(&mut self) {
        self.is_media = false;
    }

    /// The archive that exchanges are recorded in now.
    pub(super) fn current(&mut self) -> &mut Warc {
        match &mut self.media {
            Some(media) if self.is_media => media,
            _ => &mut self.site,
        }
    }

    /// The archive with that name; the archive of the site if there is no name.
    pub(super) fn get(&self, name: Option<&str>) -> &Warc {
        self.media.as_ref().filter(|_| name == Some(OF_MEDIA)).unwrap_or(&self.site)
    }

    pub(super) fn of_site(&self) -> &Warc {
        &self.site
    }

    /// The media archive, if it was opened.
    pub(super) fn of_media(&self) -> Option<&Warc> {
        self.media.as_ref()
    }
}
