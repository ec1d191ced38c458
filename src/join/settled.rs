//! The facts that joining needs about the pages, fixed before the first page is joined: where the site is, and which pages have which id
//! and URL.

use super::addresses::{Addresses, Keys};
use super::bases::Bases;
use super::outcome::Sought;
use super::prefix::{host_of, rest_after};
use super::variants::{is_language, shown_at};
use crate::scrape::{Page, Site};
use crate::urls::{QuickSet, UrlKey};
use crate::wordpress::rest_home;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The most pages with one id that are examined.
const MOST_LOOKS: usize = 64;

/// The most redirects from page to page that are followed.
const MOST_REDIRECTS: usize = 8;

/// The pages of a site, with indexes to find them.
pub(super) struct Settled {
    pub(super) site: Site,
    pub(super) addresses: Addresses,
    /// Names of types in API routes.
    pub(super) bases: Bases,
    /// Whether there is a dump; otherwise, records are known only from pages.
    pub(super) has_dump: bool,
    /// Whether it is already known that pages belong to records.
    pub(super) is_joined: bool,
    /// Whether pages were saved from below the home of the site.
    pub(super) is_on_site: bool,
    /// Pages by the id that they claim.
    pub(super) by_id: Vec<(i64, u32)>,
    /// Pages by the hashes of their URL keys; redirects also by the hashes of their final targets.
    pub(super) by_key: Vec<(u64, u32)>,
    /// Redirects by the hash of the key of their own URL.
    pub(super) redirects: Vec<(u64, u32)>,
    /// The hashes of the keys of records' links that have a page.
    linked: Vec<u64>,
    /// The keys of the sites whose APIs the pages name, by API root.
    named: BTreeMap<Arc<str>, String>,
    /// The same keys, as a set.
    homes: HashSet<String>,
}

impl Settled {
    /// Indexes the pages of `site`; `by_id` are those that claim an id, `links` the hashes of the keys of all records' links.
    pub(super) fn new(site: Site, addresses: Addresses, bases: Bases, by_id: Vec<(i64, u32)>, links: Vec<u64>) -> Self {
        let mut settled = Settled {
            site,
            addresses,
            bases,
            has_dump: true,
            is_joined: false,
            is_on_site: false,
            by_id,
            by_key: Vec::new(),
            redirects: Vec::new(),
            linked: links,
            named: BTreeMap::new(),
            homes: HashSet::new(),
        };
        settled.name_sites();
        settled.forget_dead_references();
        settled.index();
        settled
    }

    /// Finds the sites whose APIs the pages name.
    fn name_sites(&mut self) {
        for root in self.site.pages.iter().filter_map(|page| page.rest.as_ref()) {
            if !self.named.contains_key(root)
                && let Some(key) = UrlKey::new(rest_home(root))
            {
                let home = self.addresses.prefixes.map_key(key);
                self.homes.insert(home.clone());
                self.named.insert(root.clone(), home);
            }
        }
    }

    /// Forgets the URLs to which relative references of files lead, unless a record is there, or a page that leads nowhere else: only there has
    /// a mirror saved the page. The URL without the query is not in doubt.
    fn forget_dead_references(&mut self) {
        let pages = &self.site.pages;
        if !pages.iter().any(Page::is_stated_by_file) {
            return;
        }
        let hash = |key: &str| xxh3_64(key.as_bytes());
        let mut known: QuickSet<u64> = self.linked.iter().copied().collect();
        for page in pages {
            let keys = self.keys(page);
            let is_on_host = |key: &&str| host_of(key) == host_of(&keys.location);
            if keys.stated().filter(is_on_host).is_none_or(|key| key == keys.location) {
                known.insert(hash(&keys.location));
                let file = page.file_url().and_then(|url| UrlKey::new(&url));
                known.extend(file.map(|key| hash(&self.addresses.prefixes.map_key(key))));
            }
        }
        let is_dead = |page: &Page| {
            let keys = self.keys(page);
            let without_query = keys.location.split('?').next();
            keys.stated().is_some_and(|key| Some(key) != without_query && !known.contains(&hash(key)))
        };
        let doubtful = (0..pages.len()).filter(|&at| pages[at].is_stated_by_file());
        let dead: Vec<usize> = doubtful.filter(|&at| is_dead(&pages[at])).collect();
        dead.into_iter().for_each(|at| self.site.pages[at].forget_stated());
    }

    /// Indexes the pages by the keys of their URLs.
    fn index(&mut self) {
        let mut by_key = Vec::with_capacity(self.site.pages.len());
        for (page, at) in self.site.pages.iter().zip(0..) {
            let keys = self.keys(page);
            let home = self.addresses.home.as_ref().filter(|_| !self.is_on_site && page.has_host());
            self.is_on_site |= home.is_some_and(|home| rest_after(&keys.location, &home.key).is_some());
            by_key.extend(keys.all().map(|key| (xxh3_64(key.as_bytes()), at)));
            by_key.extend(self.shown_by(page, &keys).map(|key| (xxh3_64(key.as_bytes()), at)));
            if page.is_redirect {
                self.redirects.push((xxh3_64(keys.location.as_bytes()), at));
            }
        }
        by_key.sort_unstable();
        by_key.dedup();
        self.linked.retain(|&link| !range(&by_key, link).is_empty());
        self.linked.sort_unstable();
        self.linked.dedup();
        let shows = |&(_, at): &(u64, u32)| {
            let page = self.page(at);
            page.claim.is_none() && !page.is_error && !page.is_redirect && !page.is_older
        };
        self.is_joined = self.linked.iter().any(|&link| range(&by_key, link).iter().any(shows));
        self.redirects.sort_unstable();
        let end = |&(_, at): &(u64, u32)| Some((xxh3_64(self.end_of(self.page(at))?.as_bytes()), at));
        by_key.extend(self.redirects.iter().filter_map(end));
        by_key.sort_unstable();
        by_key.dedup();
        self.by_key = by_key;
    }

    /// Adds hashes of the keys of records' links.
    pub(super) fn add_linked(&mut self, links: impl Iterator<Item = u64>) {
        self.linked.extend(links.filter(|&link| !range(&self.by_key, link).is_empty()));
        self.linked.sort_unstable();
        self.linked.dedup();
    }

    pub(super) fn page(&self, at: u32) -> &Page {
        &self.site.pages[at as usize]
    }

    pub(super) fn keys(&self, page: &Page) -> Keys {
        self.addresses.keys(page)
    }

    /// The key of the page that another one shows which names no record and no URL of its own.
    pub(super) fn shown_by<'k>(&self, page: &Page, keys: &'k Keys) -> Option<&'k str> {
        let shown = shown_at(&keys.location).filter(|_| page.claim.is_none() && !page.is_redirect)?;
        keys.stated().is_none_or(|stated| stated == shown).then_some(shown)
    }

    /// The final target of a redirect.
    pub(super) fn end_of(&self, page: &Page) -> Option<String> {
        let mut goal = self.keys(page).stated()?.to_owned();
        for _ in 0..MOST_REDIRECTS {
            let Some(&(_, next)) = range(&self.redirects, xxh3_64(goal.as_bytes())).first() else { break };
            match self.keys(self.page(next)).stated() {
                Some(further) => goal = further.to_owned(),
                None => break,
            }
        }
        Some(goal)
    }

    /// Whether this is the key of a record's link at which there is a page.
    pub(super) fn is_linked(&self, key: &str) -> bool {
        self.linked.binary_search(&xxh3_64(key.as_bytes())).is_ok()
    }

    /// Whether the page names the REST API of a different site. An API above the record's link (of the directory or domain of a language)
    /// is not one, nor is an API for a language below the site, or that of the site if the dump is from such an API.
    pub(super) fn is_of_another_site(&self, page: &Page, link: &str) -> bool {
        let named = page.rest.as_ref().and_then(|root| self.named.get(root));
        let (Some(named), Some(home)) = (named, &self.addresses.home) else { return false };
        if *named == home.key {
            return self.is_of_another_below(page, link);
        }
        match rest_after(named, &home.key) {
            Some(below) => rest_after(link, named).is_none() && !is_language(below),
            None if is_above_language(named, &home.key) => false,
            None => rest_after(link, named).is_none() || rest_after(&home.key, named).is_some(),
        }
    }

    /// Whether a link lies in the folder of another blog of the site, and a page of that blog has the id that this page claims.
    fn is_of_another_below(&self, page: &Page, link: &str) -> bool {
        let Some((claim, home)) = page.claim.as_ref().zip(self.addresses.home.as_ref()) else { return false };
        let below = |folder: &&str| rest_after(folder, &home.key).is_some_and(|rest| !rest.is_empty());
        let folders = std::iter::successors(Some(link), |folder| Some(folder.rsplit_once('/')?.0)).take_while(below);
        let Some(own) = folders.into_iter().find(|folder| self.homes.contains(*folder)) else { return false };
        let is_its = |other: &Page| {
            let named = other.rest.as_ref().and_then(|root| self.named.get(root));
            named.is_some_and(|named| named == own) && other.claim.as_ref() == Some(claim)
        };
        range(&self.by_id, claim.id).iter().take(MOST_LOOKS).any(|&(_, at)| is_its(self.page(at)))
    }

    /// The root of the API that a page names, if a link is below that API's site.
    pub(super) fn rest_above(&self, page: &Page, link: &str) -> Option<String> {
        let root = page.rest.as_deref()?;
        rest_after(link, self.named.get(root)?).map(|_| root.to_owned())
    }

    /// Whether the API that a page names is the site's, even if the dump is from that of a language; for a page that names none, whether it
    /// was saved from the site.
    pub(super) fn is_of_own_site(&self, page: &Page) -> bool {
        let Some(home) = &self.addresses.home else { return false };
        match page.rest.as_ref().and_then(|root| self.named.get(root)) {
            Some(named) => *named == home.key || is_above_language(named, &home.key),
            None => {
                let place = self.keys(page).location;
                let is_below = |site: &str| rest_after(&place, site).is_some();
                let site = home.key.rsplit_once('/').map(|(site, _)| site);
                let is_of_tree = |site: &str| !page.has_host() && is_above_language(site, &home.key) && is_below(site);
                is_below(&home.key) || site.is_some_and(is_of_tree)
            }
        }
    }

    /// Type and id of the post or file that a page of the site claims to be; `None` if the page has only the API's name for the type, and
    /// the API has not stated which type has that name.
    pub(super) fn identity(&self, page: &Page) -> Option<(String, i64)> {
        let (r#type, id) = self.stated_record(page)?;
        match page.has_rest_base {
            true => Some((self.bases.type_of(&r#type)?.to_owned(), id)),
            false => Some((r#type, id)),
        }
    }

    /// Type and id of the record that a page states. With a dump, only for a page of its own site: on another site, the same id is another
    /// record.
    pub(super) fn stated_record(&self, page: &Page) -> Option<(String, i64)> {
        let claim = page.claim.as_ref().filter(|_| !self.has_dump || self.is_of_own_site(page))?;
        Some((page.r#type.as_deref()?.to_owned(), claim.id))
    }
}

/// Whether `home` is the directory of a language below `site`.
fn is_above_language(site: &str, home: &str) -> bool {
    rest_after(home, site).is_some_and(is_language)
}

/// Whether a page is an archive list, which can show terms and users but not this record.
pub(super) fn is_archive_for(page: &Page, record: &Sought<'_>) -> bool {
    page.is_archive && !matches!(record.kind, "term" | "user")
}

/// The part of a sorted index with this key.
pub(super) fn range<K: Ord + Copy>(sorted: &[(K, u32)], key: K) -> &[(K, u32)] {
    let from = sorted.partition_point(|&(k, _)| k < key);
    let length = sorted[from..].partition_point(|&(k, _)| k == key);
    &sorted[from..from + length]
}
