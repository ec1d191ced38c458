//! The first phase of joining pages to records: sees every record once to learn where the scrape was made and how the site names its post
//! types, before any page is given to a record.

use super::addresses::Addresses;
use super::bases::Bases;
use super::crowds::{Crowds, Shared};
use super::home::{Home, Homes};
use super::joining::Joining;
use super::outcome::Sought;
use super::prefix::{Prefix, Votes, host_of, origin_of, rest_after};
use super::settled::{Settled, is_archive_for, range};
use super::variants::is_in_directory_of;
use crate::report::Report;
use crate::scrape::{NO_HOST, Page, Site, is_public};
use crate::urls::UrlKey;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use xxhash_rust::xxh3::xxh3_64;

/// If many pages claim an id, only so many records with it examine them all: few ids have many pages, and most claims must agree.
const MOST_LOOKS: u32 = 4;

/// The pages of a scrape, while the records are examined.
#[derive(Default)]
pub(crate) struct Learning {
    site: Site,
    /// Pages by the id that they claim.
    by_id: Vec<(i64, u32)>,
    votes: Votes,
    bases: Bases,
    homes: Homes,
    /// The hashes of the keys of records' links.
    links: Vec<u64>,
    crowds: Crowds,
    /// Scratch space.
    key: UrlKey,
}

impl Learning {
    /// For the pages of a site that has a dump.
    pub(crate) fn new(site: Site) -> Self {
        let claims = site.pages.iter().zip(0..).filter_map(|(page, at)| Some((page.claim.as_ref()?.id, at)));
        let mut by_id: Vec<_> = claims.collect();
        by_id.sort_unstable();
        Learning { site, by_id, ..Learning::default() }
    }

    /// For pages without a dump: only what they state of their site can be learned. If the tree has no host in its paths, the host that
    /// most pages state is trusted as much as the links of records.
    /// `entries` are those of its feeds that name a host, each with its link and its id, if any; `has_feeds`: there are others, too.
    pub(crate) fn without_dump(
        site: Site,
        has_feeds: bool,
        entries: &[(String, Option<i64>)],
        report: &mut Report,
    ) -> Joining {
        let mut learning = if has_feeds { Learning::new(site) } else { Learning { site, ..Learning::default() } };
        let stated = hosts_stated(learning.site.pages.iter());
        let host = most(&stated);
        let home = if stated.is_empty() { home_most_named(learning.site.pages.iter()) } else { None };
        let is_without_host = learning.site.pages.iter().any(|page| !is_placed(page));
        for page in &learning.site.pages {
            let location = page.location();
            let rest = page.rest.as_deref();
            let stated = || match &home {
                Some(home) => below(home, page),
                None => stated_without_host(page).filter(|(_, named)| host == Some(named.host())),
            };
            if is_placed(page) {
                let is_own = |key: &UrlKey| rest.is_some() || is_without_host && host == Some(key.host());
                if let Some(key) = UrlKey::new(&location).filter(is_own) {
                    learning.homes.learn(&location, &key, rest);
                }
            } else if let Some((url, named)) = stated()
                && let Some(key) = UrlKey::new(&location)
            {
                learning.homes.learn(&url, &named, rest);
                learning.votes.count(named.as_str(), &url, &[key.into_string()]);
            }
        }
        // For pages that name no host, or one that nobody else can visit, this is the best evidence of where they are.
        let of_pages = host.filter(|host| is_without_host && is_public(host));
        let mut moved = Vec::new();
        for (link, id) in entries {
            let id = id.filter(|_| is_without_host).unwrap_or(Sought::NO_ID);
            // A host below that of the feed is for tests.
            let is_other =
                |host: &str, key: &UrlKey| host != key.host() && !host.ends_with(&format!(".{}", key.host()));
            if let Some((host, key)) = of_pages.zip(UrlKey::new(link)).filter(|(host, key)| is_other(host, key)) {
                moved.extend(learning.page_of(host, id).map(|(url, page)| (url, page, key)));
                continue;
            }
            let entry = Sought { kind: "post", r#type: "post", id, link, rest_base: None };
            learning.learn(&entry, None);
        }
        // The first post has the same id and name on every site.
        for (url, page, entry) in moved.iter().filter(|_| moved.len() > 1) {
            learning.votes.count(page.as_str(), url, &[entry.as_str().to_owned()]);
        }
        Joining::new(learning.settled(false, report))
    }

    /// Adds the names of types in API routes.
    pub(crate) fn learn_bases(&mut self, pairs: Vec<(String, String)>) {
        self.bases.extend(pairs);
    }

    /// Examines a record before any is joined: the pages that claim it reveal the URL prefix of the scrape. `self_link` is the record's API
    /// address.
    pub(crate) fn learn(&mut self, record: &Sought<'_>, self_link: Option<&str>) {
        self.bases.learn(record);
        let mut link = std::mem::take(&mut self.key);
        if link.read(record.link) {
            self.homes.learn(record.link, &link, self_link);
            self.links.push(xxh3_64(link.as_str().as_bytes()));
            let claimants = self.keys_of_claimants(record, link.as_str());
            if !claimants.is_empty() {
                self.votes.count(link.as_str(), record.link, &claimants);
            }
        }
        self.key = link;
    }

    /// The URL, with its key, of the page with this id on the host that pages state: a site that has moved may have kept its feeds.
    fn page_of(&mut self, host: &str, id: i64) -> Option<(String, UrlKey)> {
        let claimants = range(&self.by_id, id);
        if !self.crowds.may_look(Shared::Id(id), claimants.len(), MOST_LOOKS) {
            return None;
        }
        let pages = claimants.iter().map(|&(_, at)| &self.site.pages[at as usize]);
        let (url, key) = pages.filter_map(stated_without_host).find(|(_, key)| key.host() == host)?;
        Some((url.into_owned(), key))
    }

    fn keys_of_claimants(&mut self, record: &Sought<'_>, link: &str) -> Vec<String> {
        let mut keys = Vec::new();
        let claimants = range(&self.by_id, record.id);
        if !self.crowds.may_look(Shared::Id(record.id), claimants.len(), MOST_LOOKS) {
            return keys;
        }
        for &(_, at) in claimants {
            let page = &self.site.pages[at as usize];
            // Claims under a name not yet known count, too: few ids collide, and most claims must agree.
            if page.claim.as_ref().is_some_and(|claim| self.bases.may_claim(claim, record))
                && !is_archive_for(page, record)
            {
                // A page in the directory of its own language is a translation, not a mirror.
                let is_translation = |key: &String| {
                    page.language.as_deref().is_some_and(|language| is_in_directory_of(key, link, language))
                };
                let key = |url: &str| UrlKey::new(url).map(UrlKey::into_string).filter(|key| !is_translation(key));
                keys.extend(key(&page.location()));
                if !page.states_its_location() {
                    keys.extend(page.stated().and_then(|url| key(&url)));
                }
            }
        }
        keys
    }

    /// Ends this phase and reports the prefixes that were found.
    pub(crate) fn settle(self, report: &mut Report) -> Joining {
        Joining::new(self.settled(true, report))
    }

    fn settled(self, has_dump: bool, report: &mut Report) -> Settled {
        let mut addresses = Addresses { home: self.homes.into_found(), ..Addresses::default() };
        let mut is_joined = self.votes.has_page_at_link();
        for (prefix, n, of) in self.votes.decide() {
            if !has_dump && is_below_top(&self.site.pages, &prefix.from) {
                continue;
            }
            is_joined = true;
            let is_plain = prefix.from == NO_HOST && addresses.home.as_ref().is_some_and(|home| home.key == prefix.to);
            let from = match prefix.from.strip_prefix(NO_HOST) {
                Some("") => "the top of the scrape",
                Some(folder) => folder.trim_start_matches('/'),
                None => &prefix.from,
            };
            let words = format!("{from} is mapped to {}, as {n} of {of} claims in its pages indicate", prefix.to);
            // A tree without a host is from the site itself: that is not worth a message.
            if is_plain {
                report.tell(&words)
            } else {
                report.warn(&words)
            }
            addresses.prefixes.add(prefix);
        }
        if addresses.prefixes.map(NO_HOST) == NO_HOST {
            let Home { key: to, origin: to_origin } = addresses.home.clone().unwrap_or_else(Home::unknown);
            addresses.prefixes.add(Prefix { from: NO_HOST.to_owned(), to, to_origin });
        }
        let mut settled = Settled::new(self.site, addresses, self.bases, self.by_id, self.links);
        settled.is_joined |= is_joined;
        settled.has_dump = has_dump;
        settled
    }
}

/// Whether this is a folder of a scrape without hosts whose top is the site's: WordPress made a page there. A stray page in the folder may
/// state a URL at the top.
fn is_below_top(pages: &[Page], folder: &str) -> bool {
    let is_top = |page: &&Page| matches!(&*page.file, "index.html" | "index.htm");
    let is_made = |page: &Page| page.claim.is_some() || page.is_archive;
    folder != NO_HOST && host_of(folder) == NO_HOST && pages.iter().filter(is_top).any(is_made)
}

/// Whether pages without a host come from several scrapes that do not all name the same host. If so, one site's host must not be used for
/// another site's pages.
pub(crate) fn are_of_several_sites(site: &Site) -> bool {
    let mut by_root: BTreeMap<u32, Vec<&Page>> = BTreeMap::new();
    let is_content = |page: &&Page| !page.has_host() && !page.is_error && !page.is_redirect;
    for page in site.pages.iter().filter(is_content) {
        by_root.entry(page.root).or_default().push(page);
    }
    let host = |pages: &Vec<&Page>| {
        let stated = hosts_stated(pages.iter().copied());
        let home = || home_most_named(pages.iter().copied());
        most(&stated).map(str::to_owned).or_else(|| UrlKey::new(&home()?).map(|key| key.host().to_owned()))
    };
    let hosts: Vec<Option<String>> = by_root.values().map(host).collect();
    hosts.len() > 1 && (hosts[0].is_none() || hosts.iter().any(|host| *host != hosts[0]))
}

/// The URL, with its key, that a page without a host states.
fn stated_without_host(page: &Page) -> Option<(Cow<'_, str>, UrlKey)> {
    let url = page.stated().filter(|_| !is_placed(page) && !page.is_redirect && !page.is_error)?;
    let key = UrlKey::new(&url).filter(|key| key.host() != NO_HOST)?;
    Some((url, key))
}

/// Whether a page was saved below the name of a host, and others can visit that: a local copy has the site's links.
fn is_placed(page: &Page) -> bool {
    page.has_host() && UrlKey::new(&page.location()).is_some_and(|key| is_public(key.host()))
}

/// The hosts that pages state, each with the number of pages; the host of a page that has one counts, too. If some pages state which record
/// they show, only these count: a mirror also contains pages of other sites, which state their own hosts, while those of the site itself may
/// have been rewritten.
fn hosts_stated<'p>(pages: impl Iterator<Item = &'p Page> + Clone) -> HashMap<String, usize> {
    let are_known = pages.clone().any(|page| page.claim.is_some());
    let mut hosts: HashMap<String, usize> = HashMap::new();
    for page in pages.filter(|page| !are_known || page.claim.is_some()) {
        let own = || UrlKey::new(&page.location()).filter(|_| is_placed(page));
        let local = || UrlKey::new(&page.location()).filter(|_| page.has_host());
        let key = own().or_else(|| Some(stated_without_host(page)?.1)).or_else(local);
        key.into_iter().for_each(|key| *hosts.entry(key.host().to_owned()).or_default() += 1);
    }
    hosts
}

/// The value that more than half of the pages state.
fn most<T>(said: &HashMap<T, usize>) -> Option<&str>
where
    T: AsRef<str>,
{
    let all: usize = said.values().sum();
    said.iter().find(|(_, pages)| **pages * 2 > all).map(|(one, _)| one.as_ref())
}

/// The home that more than half of the pages without a host state, not counting pages that state none.
fn home_most_named<'p>(pages: impl Iterator<Item = &'p Page>) -> Option<String> {
    let mut homes: HashMap<&str, usize> = HashMap::new();
    let named = pages.filter(|page| !page.has_host()).filter_map(Page::named_home);
    named.for_each(|home| *homes.entry(home).or_default() += 1);
    most(&homes).map(str::to_owned)
}

/// The URL of a page without a host, with its key. The top of the scrape is the site's home or, if the scrape contains the home's folder,
/// the root of its host.
fn below(home: &str, page: &Page) -> Option<(Cow<'static, str>, UrlKey)> {
    let location = page.location();
    let path = location.strip_prefix("http://")?.strip_prefix(NO_HOST)?.trim_start_matches('/');
    let origin = origin_of(home)?;
    let folder = home[origin.len()..].trim_matches('/');
    let is_within = !folder.is_empty() && rest_after(path, folder).is_some();
    let top = if is_within { origin } else { home.trim_end_matches('/') };
    let url = format!("{top}/{path}");
    let key = UrlKey::new(&url)?;
    Some((Cow::Owned(url), key))
}
