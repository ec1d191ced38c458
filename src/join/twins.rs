//! Decides which of the pages that state the same URL as their own is the page at that URL, and what the others are: its aliases, its
//! copies, or separate pages that only quote the URL. It judges only pages that no record took. A variant of a page's URL, and a redirect
//! to it, are aliases as well. Other modules decide which pages have no record.

use super::settled::range;
use super::untaken::Untaken;
use super::variants::{is_further, is_part_of, without_suffix};
use crate::urls::UrlKey;
use crate::wordpress::is_upload;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// The relation of a page to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twin {
    /// The other page is also shown at this page's URL.
    Alias(u32),
    /// They are copies: both were saved from the same URL.
    Repeated(u32),
}

impl Twin {
    fn other(self) -> u32 {
        let (Twin::Alias(other) | Twin::Repeated(other)) = self;
        other
    }
}

/// The pages that share a URL with another one.
#[derive(Default)]
pub(super) struct Twins {
    /// Page → the page that keeps the URL.
    twins: BTreeMap<u32, Twin>,
    /// Page → the pages that are its aliases; copies are not listed.
    aliases: BTreeMap<u32, Vec<u32>>,
    /// Pages that state another page's URL but are neither aliases nor copies of that page.
    quoting: Vec<u32>,
    /// The quoting pages that claim the same id in the same language as the page at the URL that they quote.
    copies: Vec<u32>,
}

fn hash_of(link: &UrlKey) -> u64 {
    xxh3_64(link.as_str().as_bytes())
}

impl Twins {
    /// Compares the pages that no record took and no rule leaves out. Needs 16 bytes per page while it runs.
    pub(super) fn new(untaken: Untaken<'_>) -> Self {
        let mut twins = Twins::default();
        twins.find_variants(untaken);
        let refused = untaken.all().filter(|at| untaken.fates.refusal(*at).is_quoting && twins.of(*at).is_none());
        twins.join_copies(untaken, refused.collect());
        let (mut links, mut quoting): (Vec<(u64, u32)>, Vec<u32>) = Default::default();
        for at in untaken.all().filter(|at| twins.of(*at).is_none()) {
            let link = untaken.link_of(at, twins.is_quoting(at));
            let page = link.as_deref().filter(|link| is_upload(link)).and_then(|_| untaken.record_link(at, false));
            links.extend(
                [link, page].into_iter().flatten().filter_map(|link| Some((hash_of(&UrlKey::new(&link)?), at))),
            );
        }
        links.sort_unstable();
        for same in links.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            quoting.extend(twins.compare(untaken, same));
        }
        twins.quoting.append(&mut quoting);
        twins.quoting.sort_unstable();
        twins.copies.sort_unstable();
        // A redirect never leads to a page that only quotes its target.
        links.retain(|&(_, at)| !twins.is_quoting(at));
        twins.add_redirects(untaken, &links);
        twins
    }

    /// Finds pages at a variant of another page's URL that claim the same id in the same language, such as the pages of a post's comments,
    /// or of its content. The URL that they state is ignored, because the canonical link in a mirror may name a file.
    fn find_variants(&mut self, untaken: Untaken<'_>) {
        let claims = untaken.all().filter_map(|at| Some((untaken.hash_of_claim(at)?, at)));
        let mut claims: Vec<(u64, u32)> = claims.collect();
        claims.sort_unstable();
        for same in claims.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let places: Vec<(String, u32)> = same.iter().map(|&(_, at)| (untaken.place_of(at), at)).collect();
            let stated = |&(_, at): &(u64, u32)| Some((untaken.keys_of(at).stated()?.to_owned(), at));
            let stated: Vec<(String, u32)> = same.iter().filter_map(stated).collect();
            // A mirror may have saved a page only under a former URL: the URL that it states counts, too.
            let by_url = stated.iter().rev().chain(places.iter().rev()).map(|(url, at)| (url.as_str(), *at));
            let by_place: BTreeMap<&str, u32> = by_url.collect();
            let is_variant = |place: &str| without_suffix(place).is_some_and(|place| by_place.contains_key(place));
            let plain = places.iter().filter(|(place, _)| !place.contains('?') && !is_variant(place));
            let first = plain.min_by_key(|(place, at)| (!untaken.is_in_own_language(*at), place.len(), *at));
            for (place, at) in &places {
                let by_suffix =
                    without_suffix(place).filter(|link| !is_variant(link)).and_then(|link| by_place.get(link));
                let is_of = |&&(ref link, home): &&(String, u32)| {
                    untaken.is_query_of(*at, place, link) || home != *at && untaken.state_one_shortlink(*at, home)
                };
                let by_id = || first.filter(is_of).map(|(_, home)| home);
                let other = by_place.get(place.as_str()).filter(|&other| other != at);
                // If that page is an alias itself, the page that it is an alias of is meant.
                let home = by_suffix.or_else(by_id).map(|&home| self.of(home).map_or(home, Twin::other));
                if let Some(home) = home.filter(|home| home != at) {
                    self.join(*at, Twin::Alias(home), home);
                } else if let Some(&other) = other {
                    self.twins.insert(*at, Twin::Repeated(other));
                }
            }
        }
        let mut shown: Vec<(String, u32)> = untaken.all().filter_map(|at| Some((untaken.shown_by(at)?, at))).collect();
        if !shown.is_empty() {
            // that of /x/ comes before that of /x/trackback/
            shown.sort_unstable();
            let wanted: BTreeSet<&str> = shown.iter().map(|(key, _)| &**key).collect();
            let mut homes = BTreeMap::new();
            for home in untaken.all() {
                let place = untaken.place_of(home);
                if wanted.contains(&*place) {
                    homes.entry(place).or_insert(home);
                }
            }
            for (key, at) in &shown {
                if let Some(&home) = homes.get(key) {
                    let home = self.of(home).map_or(home, Twin::other);
                    self.join(*at, Twin::Alias(home), home);
                }
            }
        }
        let homes = self.aliases.keys().copied();
        self.quoting = homes.filter(|&home| untaken.states_variant(home)).collect();
    }

    /// Makes each redirect an alias of the page that was saved at its target or, if there is none, of the page that states the target as
    /// its URL. `links` must be sorted.
    fn add_redirects(&mut self, untaken: Untaken<'_>, links: &[(u64, u32)]) {
        let redirects: Vec<(u64, u32)> = untaken.ends_of_redirects().collect();
        if redirects.is_empty() {
            return;
        }
        let places = untaken.all().map(|at| (xxh3_64(untaken.place_of(at).as_bytes()), at));
        let mut places: Vec<(u64, u32)> = places.collect();
        places.sort_unstable();
        for (end, redirect) in redirects {
            let at_place = range(&places, end).first().map(|&(_, at)| at);
            let at_link = || range(links, end).first().map(|&(_, at)| at);
            let mut home = at_place.or_else(at_link);
            while let Some(Twin::Alias(first) | Twin::Repeated(first)) = home.and_then(|home| self.of(home)) {
                home = Some(first);
            }
            if let Some(home) = home {
                self.twins.insert(redirect, Twin::Alias(home));
                self.aliases.entry(home).or_default().push(redirect);
            }
        }
    }

    /// Compares pages with one URL; returns those that only quote it.
    fn compare(&mut self, untaken: Untaken<'_>, same: &[(u64, u32)]) -> Vec<u32> {
        let mut quoting = Vec::new();
        // The page about a file has two: the file's, which it states, and its own.
        let (hash, at) = same[0];
        let links = [untaken.link_of(at, self.is_quoting(at)), untaken.record_link(at, false)].into_iter().flatten();
        let Some(link) = links.filter_map(|link| UrlKey::new(&link)).find(|link| hash_of(link) == hash) else {
            return quoting;
        };
        let link = link.as_str();
        let place = |at: u32| untaken.place_of(at);
        let rank = |&(_, at): &(u64, u32)| {
            let place = place(at);
            (place != link, is_part_of(&place, link), is_further(&place), at)
        };
        let Some(&(_, first)) = same.iter().min_by_key(|one| rank(one)) else { return quoting };
        for &(_, at) in same.iter().filter(|(_, at)| *at != first) {
            let own = place(at);
            let is_variant = is_part_of(&own, link) || own.split('?').next() == Some(link);
            if own == link || own == place(first) {
                self.join(at, Twin::Repeated(first), first);
            } else if is_variant
                || untaken.claim_the_same(at, first)
                || place(first) == link && untaken.differ_by_language(at, first)
            {
                self.join(at, Twin::Alias(first), first);
            } else {
                let claims = [at, first].map(|at| untaken.known.page(at)).map(|page| (&page.claim, &page.language));
                self.copies.extend((place(first) == link && claims[0] == claims[1]).then_some(at));
                quoting.push(at);
            }
        }
        // Copies made by hand all state the URL of their original. If the mirror lacks the original, none of them is at that URL.
        let known = untaken.known;
        let is_copy =
            |&at: &u32| untaken.hash_of_claim(at).is_some_and(|hash| untaken.hash_of_claim(first) == Some(hash));
        if known.page(first).is_rewritten && place(first) != link && quoting.iter().any(is_copy) {
            quoting.push(first);
        }
        self.join_copies(untaken, quoting)
    }

    /// Makes a quoting page an alias of another one that has the same id, language, title and folder; returns the others.
    fn join_copies(&mut self, untaken: Untaken<'_>, mut quoting: Vec<u32>) -> Vec<u32> {
        quoting.sort_by_cached_key(|&at| (untaken.place_of(at).len(), at));
        let mut firsts = BTreeMap::new();
        quoting.retain(|&at| {
            let title = untaken.known.page(at).title;
            let Some(claim) = untaken.hash_of_claim(at).filter(|_| title != 0) else { return true };
            let place = untaken.place_of(at);
            let page = place.split('?').next().unwrap_or_default();
            let is_file = page.ends_with(".html") || page.ends_with(".htm");
            let folder = page.rsplit_once('/').filter(|_| is_file).map_or(page, |(folder, _)| folder);
            let first = *firsts.entry((claim, title, folder.to_owned())).or_insert(at);
            if first != at {
                self.join(at, Twin::Alias(first), first);
            }
            first == at
        });
        quoting
    }

    /// Makes a page a twin of another one, and hands its own aliases to the other.
    fn join(&mut self, at: u32, twin: Twin, first: u32) {
        let mut aliases = self.aliases.remove(&at).unwrap_or_default();
        self.twins.extend(aliases.iter().map(|&alias| (alias, Twin::Alias(first))));
        self.twins.insert(at, twin);
        aliases.extend((twin == Twin::Alias(first)).then_some(at));
        if !aliases.is_empty() {
            self.aliases.entry(first).or_default().append(&mut aliases);
        }
    }

    /// The relation of a page to another one.
    pub(super) fn of(&self, at: u32) -> Option<Twin> {
        self.twins.get(&at).copied()
    }

    /// Whether the page only quotes the URL of another one.
    pub(super) fn is_quoting(&self, at: u32) -> bool {
        self.quoting.binary_search(&at).is_ok()
    }

    /// Whether the page was made from a copy of another one, whose URL and id it still states.
    pub(super) fn is_copy(&self, at: u32) -> bool {
        self.copies.binary_search(&at).is_ok()
    }

    /// The pages that are aliases of this one.
    pub(super) fn aliases_of(&self, at: u32) -> impl Iterator<Item = u32> {
        self.aliases.get(&at).into_iter().flatten().copied()
    }
}
