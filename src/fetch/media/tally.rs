//! Counts what became of the media files, for fetch.json.

use super::super::answer::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, Serialize)]
pub(in super::super) struct MediaTally {
    /// `originals` or `all`.
    pub(super) which: String,
    /// Media records: `got` of them have their file, `gaps` have not.
    pub(super) records: u64,
    pub(super) got: u64,
    pub(in super::super) gaps: u64,
    /// With `all`: images of contents that no record names.
    pub(super) images: Option<Images>,
    /// Files that were got, and their bytes.
    pub(in super::super) files: u64,
    pub(in super::super) bytes: u64,
    /// Those of them that are only in the archive.
    pub(super) only_in_archive: u64,
    /// Those of them that have another type than their record states.
    pub(super) other_types: u64,
    /// Why records and images are gaps.
    pub(super) reasons: Reasons,
    /// Other hosts that were not asked, and how many files are there.
    pub(super) hosts: BTreeMap<String, u64>,
}

/// Images of contents that no record names.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Images {
    pub(super) found: u64,
    pub(super) got: u64,
    pub(super) gaps: u64,
}

/// How many gaps have which reason.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Reasons {
    missing: u64,
    /// The site does not give it out.
    refused: u64,
    disallowed: u64,
    /// On another host that may not be asked.
    elsewhere: u64,
    /// HTML or another text came in its place.
    not_media: u64,
    /// No answer that is whole, however often it was asked.
    failed: u64,
    /// There was no room for it in what all files may have.
    beyond: u64,
    no_url: u64,
}

impl Reasons {
    /// Counts `n` gaps for which this is why.
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
    /// Gaps of records and of images.
    pub(in super::super) fn all_gaps(&self) -> u64 {
        self.gaps + self.images.as_ref().map_or(0, |images| images.gaps)
    }
}
