//! The URLs of a page: as keys, as the site writes them, and as aliases of a record. Other modules decide whose they are.

use super::super::location::NO_HOST;
use super::super::page::Page;
use super::super::prefix::{host_of, origin_of};
use super::super::variants::{has_id, is_part_of, leads_to, without_suffix};
use super::{Fate, Scrape, range};
use crate::urls::UrlKey;
use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_64;

/// Redirects from page to page that are followed.
const MOST_REDIRECTS: usize = 8;

impl Scrape {
    pub(super) fn keys(&self, page: &Page) -> Keys {
        let key = UrlKey::new(&page.location());
        let is_moved = key.as_ref().is_some_and(|key| key.host() != NO_HOST && self.prefixes.changes(key.as_str()));
        let location = key.map(|key| self.prefixes.map_key(key)).unwrap_or_default();
        let states_location = page.states_its_location();
        let stated = page.stated().filter(|_| !states_location).and_then(|url| UrlKey::new(&url));
        Keys { location, is_moved, states_location, stated: stated.map(|key| self.prefixes.map_key(key)) }
    }

    /// The URL of a page on the site: the one it states, if wanted, otherwise that of its file; none if the host is
    /// unknown.
    pub(super) fn own_url(&self, page: &Page, stated: bool) -> Option<String> {
        let stated = page.stated().filter(|_| stated && !page.is_redirect);
        let location = page.location();
        let url = stated.as_deref().unwrap_or(&location);
        let key = UrlKey::new(url)?;
        if let Some(mapped) = self.prefixes.map_url(url, key.as_str()) {
            return Some(mapped);
        }
        if key.host() == NO_HOST {
            return None;
        }
        // A path reveals neither https nor www.; the site does.
        let home = self.home.as_ref().filter(|(home, _)| stated.is_none() && host_of(home) == key.host());
        Some(match home {
            Some((_, origin)) => format!("{origin}{}", &url[origin_of(url)?.len()..]),
            None => url.to_owned(),
        })
    }

    /// The key of the URL that a page was saved from.
    pub(in crate::scrape) fn place_of(&self, at: u32) -> String {
        self.keys(&self.pages[at as usize]).location
    }

    /// Whether two pages claim one id in one language.
    pub(in crate::scrape) fn claim_the_same(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.pages[a as usize], &self.pages[b as usize]);
        a.claim.is_some() && a.claim == b.claim && a.language.is_some() && a.language == b.language
    }

    /// The hash of the id that a page claims, its type and its language; none for a list.
    pub(in crate::scrape) fn hash_of_claim(&self, at: u32) -> Option<u64> {
        let page = &self.pages[at as usize];
        let (claim, language) = (page.claim.as_ref()?, page.language.as_ref()?);
        let space = page.r#type.as_deref().map_or_else(|| format!("{:?}", claim.space), str::to_owned);
        (!page.is_archive).then(|| xxh3_64(format!("{space} {} {language}", claim.id).as_bytes()))
    }

    /// Whether the query of the place of a page is all that tells it from another one with its id.
    pub(in crate::scrape) fn is_query_of(&self, at: u32, place: &str, link: &str) -> bool {
        let page = &self.pages[at as usize];
        let Some(claim) = page.claim.as_ref().filter(|_| place.contains('?') && !is_part_of(place, link)) else {
            return false;
        };
        let states_id = || self.keys(page).stated().is_some_and(|stated| has_id(stated, claim.id));
        leads_to(place, link, claim.id) || has_id(place, claim.id) || states_id()
    }

    /// Whether a page states a variant of its own place.
    pub(in crate::scrape) fn states_variant(&self, at: u32) -> bool {
        let page = &self.pages[at as usize];
        let keys = self.keys(page);
        let id = page.claim.as_ref().map(|claim| claim.id);
        let is_variant =
            |stated: &str| without_suffix(stated) == Some(&keys.location) || id.is_some_and(|id| has_id(stated, id));
        keys.stated().is_some_and(is_variant)
    }

    /// The redirects by the URL where they are.
    pub(super) fn redirects(&self) -> Vec<(u64, u32)> {
        let redirects = (0..).zip(&self.pages).filter(|(_, page)| page.is_redirect);
        let mut redirects: Vec<_> =
            redirects.map(|(at, page)| (xxh3_64(self.keys(page).location.as_bytes()), at)).collect();
        redirects.sort_unstable();
        redirects
    }

    /// The hashes of where redirects lead in the end, of those that no record took and that are not older captures.
    pub(in crate::scrape) fn ends_of_redirects(&self) -> impl Iterator<Item = (u64, u32)> {
        let redirects = self.redirects.iter().map(|&(_, at)| (at, &self.pages[at as usize]));
        let left = redirects.filter(|(_, page)| !page.is_older && !matches!(page.fate, Fate::Joined | Fate::Alias));
        left.filter_map(|(at, page)| Some((xxh3_64(self.end_of(page)?.as_bytes()), at)))
    }

    /// Where a redirect leads in the end.
    pub(super) fn end_of(&self, page: &Page) -> Option<String> {
        let mut goal = self.keys(page).stated()?.to_owned();
        for _ in 0..MOST_REDIRECTS {
            let Some(&(_, next)) = range(&self.redirects, xxh3_64(goal.as_bytes())).first() else { break };
            match self.keys(&self.pages[next as usize]).stated() {
                Some(further) => goal = further.to_owned(),
                None => break,
            }
        }
        Some(goal)
    }

    /// Adds the URLs of a page to the aliases of its record, whose link has the key `link`.
    pub(super) fn add_names(&self, page: &Page, keys: &Keys, link: &str, aliases: &mut Vec<String>) {
        self.add_place(page, keys, link, aliases);
        // A page at the record's link that states another URL quotes that of another record: plugins do where a
        // translation is missing.
        if link != keys.location {
            self.add(page.stated().as_deref(), aliases);
        }
    }

    /// Adds where a page was saved, as the site's URL and as that of the scrape, and the name of its file.
    pub(super) fn add_place(&self, page: &Page, keys: &Keys, link: &str, aliases: &mut Vec<String>) {
        if page.is_certain {
            let location = page.location();
            // Most pages are at their records' links: `tidy` would look at that once more.
            if keys.location != link || keys.is_moved || location.contains("/index.php") {
                self.add(Some(&location), aliases);
            }
        }
        if let Some(file) = page.file_url() {
            self.add(Some(&file), aliases);
        }
    }

    /// Adds a URL, and the site's for it if the scrape was made elsewhere.
    fn add(&self, url: Option<&str>, aliases: &mut Vec<String>) {
        let Some((url, key)) = url.and_then(|url| Some((url, UrlKey::new(url)?))) else { return };
        match self.prefixes.map_url(url, key.as_str()) {
            Some(mapped) => {
                aliases.push(mapped);
                if key.host() != NO_HOST {
                    aliases.push(url.to_owned());
                }
            }
            None if key.host() != NO_HOST => aliases.push(self.as_site_writes(url, &key)),
            None => {}
        }
    }

    /// A URL with the scheme and host of the site as the site writes them, if it is there: a path reveals neither https nor
    /// www., and what is not mapped is the site's own.
    fn as_site_writes(&self, url: &str, key: &UrlKey) -> String {
        let home = self.home.as_ref().filter(|(home, _)| host_of(home) == key.host());
        home.map_or_else(
            || url.to_owned(),
            |(_, origin)| format!("{origin}{}", &url[origin_of(url).map_or(0, str::len)..]),
        )
    }
}

/// The keys of the URLs of a page on the site.
pub(super) struct Keys {
    pub(super) location: String,
    /// Whether it was saved from another host or folder.
    is_moved: bool,
    states_location: bool,
    /// What it states, if not its location.
    stated: Option<String>,
}

impl Keys {
    pub(super) fn stated(&self) -> Option<&str> {
        if self.states_location { Some(&self.location) } else { self.stated.as_deref() }
    }

    /// The location without the file ending added by wget and HTTrack.
    pub(super) fn bare(&self) -> Option<&str> {
        self.location.strip_suffix(".html").or_else(|| self.location.strip_suffix(".htm"))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let stated = self.stated().filter(|stated| *stated != self.location);
        [Some(self.location.as_str()), self.bare(), stated].into_iter().flatten()
    }
}

/// Sorts aliases, without those that are `link`, of which this is the key, and all but one of each key.
pub(super) fn tidy(aliases: &mut Vec<String>, link: &str) {
    if aliases.is_empty() {
        return;
    }
    aliases.sort();
    aliases.dedup();
    let mut seen = HashSet::from([link.to_owned()]);
    aliases.retain(|alias| {
        let Some(key) = UrlKey::new(alias) else { return false };
        // Keys are indifferent to the script, redirects are not.
        let key = if alias.contains("/index.php") { alias.clone() } else { key.as_str().to_owned() };
        seen.insert(key)
    });
}
