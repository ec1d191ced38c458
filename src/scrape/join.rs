//! Finds the page of the scrape that shows each record, and decides what becomes of the other pages. Other modules read
//! the pages themselves.

use super::claim::{Claim, Space};
use super::location::NO_HOST;
use super::page::{Fate, Page, Refusal};
use super::prefix::{Prefix, Prefixes, Votes, host_of, rest_after};
use super::read::read_pages;
use super::variants::{is_language, is_part_of, is_shortlink, leads_to};
use crate::report::{Error, Report};
use crate::urls::{PageUrl, UrlKey, rest_home, rest_root};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// The part of a record that matters for pages.
#[derive(Clone, Copy, Debug)]
pub struct Record<'r> {
    /// post, term, media, user, comment.
    pub kind: &'r str,
    /// WordPress' name of its type.
    pub r#type: &'r str,
    /// Its id.
    pub id: i64,
    /// Its permalink.
    pub link: &'r str,
    /// The name of its type in API addresses.
    pub rest_base: Option<&'r str>,
}

/// The pages that show a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Number of the scrape, path of the file in it, and the page's own URL.
    pub page: Option<(u32, String, Option<String>)>,
    /// Other URLs that show the record.
    pub aliases: Vec<String>,
}

/// A page without a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOver {
    /// Number of its scrape.
    pub root: u32,
    /// Path of the file in it.
    pub file: String,
    /// Its own URL; none if the scrape does not reveal its host.
    pub url: Option<String>,
    /// Type and id of the record whose id it has.
    pub same: Option<(String, i64)>,
    /// Root of the REST API that it names.
    pub rest: Option<String>,
}

/// All pages of all scrapes of a site.
#[derive(Default)]
pub struct Scrape {
    pages: Vec<Page>,
    /// Pages by the id they claim.
    by_id: Vec<(i64, u32)>,
    /// Pages by the hashes of their URL keys.
    by_key: Vec<(u64, u32)>,
    prefixes: Prefixes,
    votes: Votes,
    /// Names in API addresses and their types.
    bases: BTreeMap<String, String>,
    /// Key and origin of the API's site.
    home: Option<(String, String)>,
    /// Scratch space.
    key: UrlKey,
}

impl Scrape {
    /// Reads the heads of all pages below the directories `roots`, in `jobs` threads. `base` is the URL of the top of a
    /// scrape, if known. Counts `pages` and `not_html`.
    ///
    /// # Errors
    /// When a directory cannot be read.
    pub fn read(roots: &[String], base: Option<&str>, jobs: usize, report: &mut Report) -> Result<Self, Error> {
        let mut scrape = Scrape::default();
        for (number, root) in roots.iter().enumerate() {
            let number = u32::try_from(number).map_err(|_| Error::Trouble("too many scrapes".to_owned()))?;
            let mut pages = read_pages(root, number, base, jobs, report)?;
            // Most sites have a single scrape, which need not be copied.
            if scrape.pages.is_empty() {
                scrape.pages = pages;
            } else {
                scrape.pages.append(&mut pages);
            }
        }
        let claims = scrape.pages.iter().zip(0..).filter_map(|(page, at)| Some((page.claim.as_ref()?.id, at)));
        scrape.by_id = claims.collect();
        scrape.by_id.sort_unstable();
        Ok(scrape)
    }

    /// Records the names of types in API addresses.
    pub fn learn_bases(&mut self, pairs: Vec<(String, String)>) {
        self.bases.extend(pairs);
    }

    /// Examines a record before any is joined: the pages that claim it reveal the URL prefix of the scrape. `self_link`
    /// is its API address.
    pub fn learn(&mut self, record: &Record<'_>, self_link: Option<&str>) {
        if self.home.is_none() {
            self.home = home_of(record.link, self_link);
        }
        if let Some(base) = record.rest_base
            && !self.bases.contains_key(base)
        {
            self.bases.insert(base.to_owned(), record.r#type.to_owned());
        }
        let claimants = range(&self.by_id, record.id);
        if claimants.is_empty() || !self.key.read(record.link) {
            return;
        }
        let mut keys = Vec::new();
        for &(_, at) in claimants {
            let page = &self.pages[at as usize];
            // Claims with a name not yet known count, too: few ids collide, and most claims must agree.
            if page.claim.as_ref().is_some_and(|claim| self.may_claim(claim, record)) && !page.is_archive_of(record) {
                let key = |url: &str| UrlKey::new(url).map(|key| key.as_str().to_owned());
                keys.extend(key(&page.location()));
                if !page.states_its_location() {
                    keys.extend(page.stated().and_then(|url| key(&url)));
                }
            }
        }
        if let Some(origin) = origin_of(record.link).filter(|_| !keys.is_empty()) {
            self.votes.count(self.key.as_str(), &origin, &keys);
        }
    }

    /// Ends the learning phase: reports the prefixes found, and indexes the pages by the meaning of their URLs.
    pub fn settle(&mut self, report: &mut Report) {
        for (prefix, n, of) in std::mem::take(&mut self.votes).decide() {
            let is_plain = prefix.from == NO_HOST && self.home.as_ref().is_some_and(|(home, _)| *home == prefix.to);
            let from = if prefix.from == NO_HOST { "the top of the scrape" } else { &prefix.from };
            let words = format!("{from} is mapped to {}, as {n} of {of} claims in its pages indicate", prefix.to);
            // A tree without a host is the site's own: not worth a message.
            if is_plain {
                report.tell(&words)
            } else {
                report.warn(&words)
            }
            self.prefixes.add(prefix);
        }
        if let Some((to, to_origin)) = self.home.clone()
            && self.prefixes.map(NO_HOST) == NO_HOST
        {
            self.prefixes.add(Prefix { from: NO_HOST.to_owned(), to, to_origin });
        }
        self.by_key = Vec::with_capacity(self.pages.len());
        for (page, at) in self.pages.iter().zip(0..) {
            for key in self.keys(page).all() {
                self.by_key.push((xxh3_64(key.as_bytes()), at));
            }
        }
        self.by_key.sort_unstable();
        self.by_key.dedup();
    }

    /// Takes the page and the aliases of a record.
    pub fn take(&mut self, record: &Record<'_>) -> Shown {
        let mut shown = Shown::default();
        let Some(link) = UrlKey::new(record.link).filter(|_| record.kind != "comment") else { return shown };
        let candidates = self.candidates(record, link.as_str());
        // A page that claims the record takes precedence over one that only has its URL, then the first by path.
        let rank = |&(at, verdict): &(u32, Verdict)| match verdict {
            Verdict::Shows { rank, .. } => Some((self.pages[at as usize].claim.is_none(), rank, at)),
            _ => None,
        };
        let best = candidates.iter().filter_map(rank).min().map(|(_, _, at)| at);
        for (at, verdict) in candidates {
            let page = &self.pages[at as usize];
            let fate = match verdict {
                _ if best == Some(at) => {
                    shown.page = Some((page.root, page.file.to_string(), self.own_url(page, true)));
                    Fate::Joined
                }
                Verdict::Shows { or_alias: true, .. } | Verdict::Alias => {
                    if page.is_certain {
                        shown.aliases.extend(self.own_url(page, false));
                    }
                    Fate::Alias
                }
                Verdict::Shows { or_alias: false, .. } => self.refused(at, record, true),
                Verdict::Differs { is_quoting } => self.refused(at, record, is_quoting),
            };
            self.pages[at as usize].fate = fate;
        }
        shown.aliases.sort();
        shown.aliases.dedup();
        shown.aliases.retain(|alias| alias != record.link);
        shown
    }

    /// Passes on the pages without a record, by scrape and path. Omits archives (unless `all`) and redirects; counts
    /// `joined`, `aliases`, `left_out` and its parts.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn finish(
        self,
        all: bool,
        report: &mut Report,
        mut each: impl FnMut(&LeftOver) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for page in &self.pages {
            match &page.fate {
                Fate::Joined => report.count("joined", 1),
                Fate::Alias => report.count("aliases", 1),
                _ if page.is_redirect => {
                    report.count("left_out", 1);
                    report.count("left_out_redirects", 1);
                }
                _ if page.is_archive && !all => {
                    report.count("left_out", 1);
                    report.count("left_out_archives", 1);
                }
                fate => {
                    let Refusal { same, is_quoting } = fate.refusal();
                    each(&LeftOver {
                        root: page.root,
                        file: page.file.to_string(),
                        url: self.own_url(page, !is_quoting),
                        same: same.map(|(r#type, id)| (r#type.into_string(), id)),
                        rest: page.rest.as_deref().map(str::to_owned),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// A label for the site, from the first page that names a host.
    pub fn host(&self) -> Option<String> {
        let url = |page: &Page| page.has_host().then(|| PageUrl::parse(&page.location())).flatten();
        self.pages.iter().find_map(url).map(|url| url.host().to_owned())
    }

    /// The untaken pages that may be related to a record, with their relation.
    fn candidates(&self, record: &Record<'_>, link: &str) -> Vec<(u32, Verdict)> {
        let claimants = range(&self.by_id, record.id).iter().map(|&(_, at)| at);
        let neighbours = range(&self.by_key, xxh3_64(link.as_bytes())).iter().map(|&(_, at)| at);
        let mut candidates: Vec<u32> = claimants.chain(neighbours).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let judged =
            candidates.into_iter().filter_map(|at| Some((at, self.judge(&self.pages[at as usize], record, link)?)));
        judged.collect()
    }

    /// How a page is related to a record whose link has the key `link`, if at all.
    fn judge(&self, page: &Page, record: &Record<'_>, link: &str) -> Option<Verdict> {
        if matches!(page.fate, Fate::Joined | Fate::Alias) {
            return None;
        }
        let keys = self.keys(page);
        if page.is_redirect {
            return (keys.stated.as_deref() == Some(link)).then_some(Verdict::Alias);
        }
        let is_claim = match &page.claim {
            Some(claim) if self.may_claim(claim, record) && !self.is_of_another_site(page, link) => true,
            Some(_) => return None,
            None => false,
        };
        let location = keys.location.as_str();
        let at_link = page.is_certain && (location == link || keys.bare() == Some(link));
        let says_link = keys.stated.as_deref().is_some_and(|key| key == link || is_shortlink(key, link, record.id));
        if !is_claim && !at_link && !says_link {
            return None;
        }
        let is_archive = page.is_archive_of(record);
        let leads_here = leads_to(location, link, record.id)
            || !page.is_certain && location == link
            || !is_archive && keys.stated.as_deref().is_some_and(|key| leads_to(key, link, record.id));
        Some(if at_link {
            Verdict::Shows { rank: 0, or_alias: true }
        } else if is_part_of(location, link) || leads_here && (is_archive || !says_link) {
            Verdict::Alias
        } else if is_archive {
            Verdict::Differs { is_quoting: says_link }
        } else if says_link {
            Verdict::Shows { rank: if leads_here { 2 } else { 1 }, or_alias: leads_here }
        } else {
            Verdict::Differs { is_quoting: false }
        })
    }

    fn refused(&self, at: u32, record: &Record<'_>, is_quoting: bool) -> Fate {
        let page = &self.pages[at as usize];
        let claims = page.claim.is_some() && !page.is_archive_of(record);
        let before = page.fate.refusal();
        let same = before.same.or_else(|| claims.then(|| (record.r#type.into(), record.id)));
        Fate::Refused(Box::new(Refusal { same, is_quoting: is_quoting || before.is_quoting }))
    }

    /// Whether a claim can refer to this record.
    fn may_claim(&self, claim: &Claim, record: &Record<'_>) -> bool {
        if claim.id != record.id {
            return false;
        }
        match &claim.space {
            Space::Posts => matches!(record.kind, "post" | "media"),
            Space::Terms => record.kind == "term",
            Space::Users => record.kind == "user",
            Space::Base(base) => match (self.bases.get(&**base), record.rest_base) {
                (Some(r#type), _) => r#type == record.r#type,
                (None, Some(own)) => *own == **base,
                (None, None) => record.kind != "comment",
            },
        }
    }

    /// Whether the page names the REST API of a different site: neither the record's, nor one above its link (the
    /// directory or domain of a language), nor one for a language below the site.
    fn is_of_another_site(&self, page: &Page, link: &str) -> bool {
        let (Some(named), Some((home, _))) = (page.rest.as_deref().map(rest_home).and_then(UrlKey::new), &self.home)
        else {
            return false;
        };
        let named = self.prefixes.map(named.as_str());
        if named == home.as_str() {
            return false;
        }
        match rest_after(&named, home) {
            Some(below) => rest_after(link, &named).is_none() && !is_language(below),
            None => rest_after(link, &named).is_none() || rest_after(home, &named).is_some(),
        }
    }

    fn keys(&self, page: &Page) -> Keys {
        let key = |url: &str| UrlKey::new(url).map(|key| self.prefixes.map(key.as_str()).into_owned());
        let location = key(&page.location()).unwrap_or_default();
        let stated =
            if page.states_its_location() { Some(location.clone()) } else { page.stated().and_then(|url| key(&url)) };
        Keys { location, stated }
    }

    /// The URL of a page on the site: the one it states, if wanted, otherwise that of its file; none if the host is
    /// unknown.
    fn own_url(&self, page: &Page, stated: bool) -> Option<String> {
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
}

/// How a page is related to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is the record's page unless another has a lower rank: 0 at the record's own link, 1 by its own claim, 2 by
    /// its own claim but from a URL that leads to the record. `or_alias`: what it is otherwise.
    Shows { rank: u8, or_alias: bool },
    /// It has a URL that leads to the record.
    Alias,
    /// It has the record's id but another URL; `is_quoting`: it states the record's URL as its own.
    Differs { is_quoting: bool },
}

/// The keys of the URLs of a page on the site.
struct Keys {
    location: String,
    stated: Option<String>,
}

impl Keys {
    /// The location without the file ending added by wget and HTTrack.
    fn bare(&self) -> Option<&str> {
        self.location.strip_suffix(".html").or_else(|| self.location.strip_suffix(".htm"))
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let stated = self.stated.as_deref().filter(|stated| *stated != self.location);
        [Some(self.location.as_str()), self.bare(), stated].into_iter().flatten()
    }
}

impl Page {
    /// Archives show terms and users, not posts.
    fn is_archive_of(&self, record: &Record<'_>) -> bool {
        self.is_archive && !matches!(record.kind, "term" | "user")
    }
}

fn range<K: Ord + Copy>(sorted: &[(K, u32)], key: K) -> &[(K, u32)] {
    let from = sorted.partition_point(|&(k, _)| k < key);
    let length = sorted[from..].partition_point(|&(k, _)| k == key);
    &sorted[from..from + length]
}

/// Scheme and host of a URL as written.
fn origin_of(url: &str) -> Option<String> {
    let at = url.find("://")? + 3;
    let end = url[at..].find(['/', '?', '#']).map_or(url.len(), |end| at + end);
    Some(url[..end].to_owned())
}

/// Key and origin of the site whose API returned a record.
fn home_of(link: &str, self_link: Option<&str>) -> Option<(String, String)> {
    let key = UrlKey::new(link)?;
    let origin = origin_of(link)?;
    let named = self_link.and_then(rest_root).and_then(|root| UrlKey::new(rest_home(root)));
    // Some hosts serve the APIs of all their sites from one address; then the link decides.
    let home = named.filter(|home| rest_after(key.as_str(), home.as_str()).is_some());
    Some((home.map_or_else(|| key.host().to_owned(), |home| home.as_str().to_owned()), origin))
}
