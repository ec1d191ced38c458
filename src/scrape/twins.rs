//! Pages without a record that state one URL: one of them is the page at that URL, the others are its aliases, its
//! copies, or pages of their own that quote it. Other modules decide which pages have no record.

use super::join::Scrape;
use super::outcome::Keep;
use super::variants::is_part_of;
use crate::urls::UrlKey;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// What a page is to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twin {
    /// It is shown at this page's URL too.
    Alias(u32),
    /// It was saved from the same URL.
    Repeated(u32),
}

/// The pages that share a URL with another one.
#[derive(Default)]
pub(super) struct Twins {
    /// Page → the one that has the URL.
    twins: BTreeMap<u32, Twin>,
    /// The other way round, without copies.
    aliases: BTreeMap<u32, Vec<u32>>,
    /// Pages that state the URL of another one, but are none of its twins.
    quoting: Vec<u32>,
}

impl Twins {
    /// Compares the pages that no record took and that are not left out. 16 bytes a page meanwhile.
    pub(super) fn new(scrape: &Scrape, keep: Keep) -> Self {
        let mut twins = Twins::default();
        let mut links: Vec<(u64, u32)> = Vec::new();
        for at in scrape.without_record(keep) {
            let link = scrape.link_of(at, &twins).as_deref().and_then(UrlKey::new);
            links.extend(link.map(|link| (xxh3_64(link.as_str().as_bytes()), at)));
        }
        links.sort_unstable();
        for same in links.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            twins.compare(scrape, same);
        }
        twins.quoting.sort_unstable();
        twins
    }

    fn compare(&mut self, scrape: &Scrape, same: &[(u64, u32)]) {
        let Some(link) = scrape.link_of(same[0].1, self).as_deref().and_then(UrlKey::new) else { return };
        let link = link.as_str();
        let place = |at: u32| scrape.place_of(at);
        let rank = |&(_, at): &(u64, u32)| (place(at) != link, is_part_of(&place(at), link), at);
        let Some(&(_, first)) = same.iter().min_by_key(|one| rank(one)) else { return };
        for &(_, at) in same.iter().filter(|(_, at)| *at != first) {
            let own = place(at);
            let is_variant = is_part_of(&own, link) || own.split('?').next() == Some(link);
            if own == link || own == place(first) {
                self.twins.insert(at, Twin::Repeated(first));
            } else if is_variant || scrape.claim_the_same(at, first) {
                self.twins.insert(at, Twin::Alias(first));
                self.aliases.entry(first).or_default().push(at);
            } else {
                self.quoting.push(at);
            }
        }
    }

    /// What a page is to another one.
    pub(super) fn of(&self, at: u32) -> Option<Twin> {
        self.twins.get(&at).copied()
    }

    /// Whether the page states the URL of another one as its own.
    pub(super) fn is_quoting(&self, at: u32) -> bool {
        self.quoting.binary_search(&at).is_ok()
    }

    /// The pages that are aliases of this one.
    pub(super) fn aliases_of(&self, at: u32) -> impl Iterator<Item = u32> {
        self.aliases.get(&at).into_iter().flatten().copied()
    }
}
