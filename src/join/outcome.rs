//! The questions and answers of joining: a record whose page is sought, the page found for it, and the pages without a
//! record.

use crate::record::Rights;
use crate::scrape::Sample;
use std::sync::Arc;

/// A record whose page is sought: the part of it that matters for pages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought<'r> {
    /// post, term, media, user, comment.
    pub(crate) kind: &'r str,
    /// WordPress' name of its type.
    pub(crate) r#type: &'r str,
    /// Its id.
    pub(crate) id: i64,
    /// Its permalink.
    pub(crate) link: &'r str,
    /// The name of its type in API addresses.
    pub(crate) rest_base: Option<&'r str>,
}

impl Sought<'_> {
    /// The id of a record that has none: no page claims it.
    pub(crate) const NO_ID: i64 = i64::MIN;
}

/// A page as it was saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Saved {
    /// Number of its scrape.
    pub(crate) root: u32,
    /// Path of the file in it, or its address in an archive.
    pub(crate) file: String,
    /// The URL it was saved from, to which its references are relative: as its record has it, where possible; none if
    /// the scrape does not reveal its host.
    pub(crate) url: Option<String>,
    /// When an archive saved it.
    pub(crate) time: Option<String>,
    /// The digest of its body in an archive.
    pub(crate) digest: Option<String>,
    /// The id of its record there.
    pub(crate) record: Option<String>,
    /// The status of the answer that it was.
    pub(crate) status: Option<u16>,
    /// The name of its site, as the titles of more than half of the pages have it.
    pub(crate) site_name: Option<Arc<str>>,
    /// Pages of its site, which show what repeats there.
    pub(crate) sample: Sample,
    /// What the answer with it and the files of its site state of rights.
    pub(crate) rights: Vec<Rights<'static>>,
}

/// The pages that show a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shown {
    /// The page of the record.
    pub(crate) page: Option<Saved>,
    /// Other URLs that show the record.
    pub(crate) aliases: Vec<String>,
    /// Root of the REST API that its page names, if the record is below it.
    pub(crate) rest: Option<String>,
}

/// A page without a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LeftOver {
    /// The page.
    pub(crate) saved: Saved,
    /// Its own URL; none if the scrape does not reveal its host.
    pub(crate) link: Option<String>,
    /// Whether it is a capture of which there is a newer one.
    pub(crate) is_older: bool,
    /// Other URLs that show it.
    pub(crate) aliases: Vec<String>,
    /// Type and id of the record whose id it has.
    pub(crate) same: Option<(String, i64)>,
    /// Root of the REST API that it names.
    pub(crate) rest: Option<String>,
}

/// Which pages are records although they are not content, or not the newest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Archives of terms and users, search results, error pages.
    pub all_pages: bool,
    /// Older captures of a URL.
    pub captures: bool,
}
