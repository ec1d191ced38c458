//! Reads a feed: its posts, its comments, and where it goes on. What these mean for a fetch is up to others.

use super::address::{is_same_site, normalise};
use crate::feed::{self, Entry};

/// Bytes of the longest entry that is looked at.
const LONGEST: usize = 64 << 20;

/// What a feed has.
pub(super) struct Page {
    pub(super) posts: Vec<Entry>,
    pub(super) comments: Vec<Entry>,
    /// Where the feed says that it goes on (RFC 5005).
    pub(super) next: Option<String>,
    /// Entries that cannot be read.
    pub(super) broken: u64,
}

/// Reads a feed of the site.
pub(super) fn read(body: &[u8], url: &str, site: &str) -> Page {
    let next = feed::next_of(body, url).and_then(|next| normalise(&next)).filter(|next| is_same_site(site, next));
    let mut page = Page { posts: Vec::new(), comments: Vec::new(), next, broken: 0 };
    let rest = feed::Reading::new(body, Some(url), "", LONGEST)
        .all(|entry| if entry.comment.is_some() { &mut page.comments } else { &mut page.posts }.push(entry));
    Page { broken: rest.broken.len() as u64, ..page }
}
