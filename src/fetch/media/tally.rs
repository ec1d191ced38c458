//! Counts the results of fetching media files, for fetch.json.

use super::super::answer::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, Serialize)]
pub(in super::super) struct MediaTally {
    /// Which files were requested: `originals` or `all`.
    pub(super) which: String,
    /// The number of media records.
    pub(super) records: u64,
    /// The media records whose file was fetched.
    pub(super) got: u64,
    /// The media records whose file was not.
    pub(in super::super) gaps: u64,
    /// With `all`: images in posts that belong to no media record.
    pub(super) images: Option<Images>,
    /// The number of files that were fetched.
    pub(in super::super) files: u64,
    /// Their total size in bytes.
    pub(in super::super) bytes: u64,
    /// How many of them are only in the archive.
    pub(super) only_in_archive: u64,
    /// How many of them have another type than their record states.
    pub(super) other_types: u64,
    /// Why records and images are gaps.
    pub(super) reasons: Reasons,
    /// Other hosts that were not requested, and the number of files on each.
    pub(super) hosts: BTreeMap<String, u64>,
}

/// Images in posts that belong to no media record.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Images {
    pub(super) found: u64,
    pub(super) got: u64,
    pub(super) gaps: u64,
}

/// The number of gaps by reason.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Reasons {
    missing: u64,
    /// The site refuses to serve it.
    refused: u64,
    disallowed: u64,
    /// It is on another host that wp-fetch may not request.
    elsewhere: u64,
    /// The answer was HTML or another text instead.
    not_media: u64,
    /// Every attempt brought an incomplete answer, or none at all.
    failed: u64,
    /// It would have exceeded --max-media.
    beyond: u64,
    no_url: u64,
}

impl Reasons {
    /// Counts `n` gaps with this verdict as their reason.
    pub(super) fn count(&mut self, verdict: Option<&Verdict>, n: u64) {
        *match verdict {
            None => &mut self.no_url,
            Some(Verdict::Missing(_)) => &mut self.missing,
            Some(Verdict::Refused(why)) if why == super::BEYOND => &mut self.beyond,
            Some(Verdict::Refused(why)) if why.starts_with("robots.txt") => &mut self.disallowed,
            Some(Verdict::Refused(why)) if why.starts_with("it leads to another site") => &mut self.elsewhere,
            Some(Verdict::Refused(why)) if why.starts_with("on another host") => &mut self.elsewhere,
            Some(Verdict::Refused(why)) if super::super::file_type::is_wrong(why) => &mut self.not_media,
            Some(Verdict::Refused(_) | Verdict::Parameter(_)) => &mut self.refused,
            Some(_) => &mut self.failed,
        } += n;
    }
}

impl MediaTally {
    /// The gaps of records and of images together.
    pub(in super::super) fn all_gaps(&self) -> u64 {
        self.gaps + self.images.as_ref().map_or(0, |images| images.gaps)
    }
}
