//! Parses an RSS or Atom feed into its posts, its comments and the URL of its next page. Other modules decide what
//! follows from these for a fetch.

use super::address::{is_same_site, normalise};
use crate::feed::{self, FeedEntry};

/// The longest entry that is parsed, in bytes.
const LONGEST: usize = 64 << 20;

/// The contents of one page of a feed.
pub(super) struct Page {
    pub(super) posts: Vec<FeedEntry>,
    pub(super) comments: Vec<FeedEntry>,
    /// The next page, as the feed states it (RFC 5005).
    pub(super) next: Option<String>,
    /// Entries that cannot be parsed.
    pub(super) broken: u64,
}

/// Reads a feed of the site.
pub(super) fn read(body: &[u8], url: &str, site: &str) -> Page {
    let next = feed::next_of(body, url).and_then(|next| normalise(&next)).filter(|next| is_same_site(site, next));
    let mut page = Page { posts: Vec::new(), comments: Vec::new(), next, broken: 0 };
    let rest = feed::FeedReader::new(body, Some(url), "", LONGEST)
        .all(|entry| if entry.comment.is_some() { &mut page.comments } else { &mut page.posts }.push(entry));
    Page { broken: rest.broken.len() as u64, ..page }
}
