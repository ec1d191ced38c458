//! The inputs and results of joining pages to records: a record whose page is sought, the page found for it, and the
//! pages without a record.

use crate::record::{Place, Rights};
use crate::scrape::Sample;
use std::sync::Arc;

/// A record whose page is sought: the fields needed to find it.
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
    /// The id of a record without one: it matches no page.
    pub(crate) const NO_ID: i64 = i64::MIN;
}

/// A page as it was saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Saved {
    /// Number of its scrape.
    pub(crate) root: u32,
    /// Path of the file in it, or its address in an archive.
    pub(crate) file: String,
    /// The URL it was saved from, against which its references are resolved; as its record writes it, where possible;
    /// `None` if the scrape does not reveal its host.
    pub(crate) url: Option<String>,
    /// When it was archived.
    pub(crate) time: Option<String>,
    /// The digest of its body in an archive.
    pub(crate) digest: Option<String>,
    /// The id of its record in the archive.
    pub(crate) record: Option<String>,
    /// The HTTP status with which it was answered.
    pub(crate) status: Option<u16>,
    /// The name of its site, as it occurs in the titles of more than half of the pages.
    pub(crate) site_name: Option<Arc<str>>,
    /// Pages of its site for comparison, to recognise repeated parts.
    pub(crate) sample: Sample,
    /// Files and URLs of the further pages of the same content, in their order.
    pub(crate) next_pages: Vec<(String, Option<String>)>,
    /// Where pages like it have their content, if known contents show that.
    pub(crate) place: Option<Arc<Place<'static>>>,
    /// The rights stated by its HTTP headers and by the files of its site.
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
    /// Its own URL; `None` if the scrape does not reveal its host.
    pub(crate) link: Option<String>,
    /// Type and id of the post or file that it is, if it states them and no other page has them in its language.
    pub(crate) own: Option<(String, i64)>,
    /// Whether there is a newer capture of it.
    pub(crate) is_older: bool,
    /// Other URLs that show it.
    pub(crate) aliases: Vec<String>,
    /// Type and id of the record with the same id.
    pub(crate) same: Option<(String, i64)>,
    /// Root of the REST API that it names.
    pub(crate) rest: Option<String>,
}

impl LeftOver {
    /// Kind, type and id of its record.
    pub(crate) fn identity(&self) -> (&str, &str, Option<i64>) {
        match &self.own {
            Some((r#type, id)) => (if r#type == "media" { "media" } else { "post" }, r#type, Some(*id)),
            None => ("html", "html", None),
        }
    }
}

/// Which pages become records although they are not content, or not the newest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Archives of terms and users, search results, error pages.
    pub all_pages: bool,
    /// Older captures of a URL.
    pub captures: bool,
}
