//! Learns where the pages of a scrape have their contents, from the pages whose content is also in a feed.

use super::entries::Entries;
use crate::join::{Joining, TemplateGroup};
use crate::place::{self, Known};
use crate::report::Error;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// The most kinds of pages for which a place is learnt.
const MOST_KINDS: usize = 64;

/// The most pages of a kind that are examined.
const MOST: usize = 16;

/// The fewest bytes of a content that shows its place: a shorter one may occur anywhere.
const SHORTEST: usize = 200;

/// Learns the place of the contents for each kind of pages, and notes it in `scrape`. The pages whose files' names have the lowest hashes
/// are examined, so that an additional page replaces at most one of them.
///
/// # Errors When the data of a page or an entry cannot be read again.
pub(super) fn learn(entries: &Entries, scrape: &mut Joining, roots: &[String]) -> Result<(), Error> {
    let mut kinds: BTreeMap<TemplateGroup, BTreeSet<(u64, u32, usize)>> = BTreeMap::new();
    for &at in &entries.with_content {
        let (entry, identity) = entries.entry(at, Some(scrape))?;
        let is_known = entry.content.is_some_and(|content| content.len() >= SHORTEST);
        let Some(page) = scrape.page_at(&identity).filter(|_| is_known) else { continue };
        let pages = kinds.entry(scrape.kind_of(page)).or_default();
        pages.insert((xxh3_64(scrape.file_of(page)?.as_bytes()), page, at));
        if pages.len() > MOST {
            pages.pop_last();
        }
    }
    for (kind, chosen) in kinds.into_iter().take(MOST_KINDS) {
        let mut known = Vec::new();
        for (_, page, at) in chosen {
            let content = entries.entry(at, Some(scrape))?.0.content;
            known.extend(scrape.html_of(page, roots).zip(content).map(|(page, content)| Known { page, content }));
        }
        if let Some(place) = place::learn(&known) {
            scrape.learn_place(kind, place);
        }
    }
    Ok(())
}
