//! Finds the page of the scrape that shows each record, and decides what becomes of the other pages. Other modules read
//! the pages themselves.

mod judge;
mod names;

use super::location::NO_HOST;
use super::log::{self, PageLog};
use super::outcome::{Keep, LeftOver, Record, Saved, Shown};
use super::page::{Capture, Fate, Page};
use super::prefix::{Prefix, Prefixes, Votes, origin_of, rest_after};
use super::read::{Reading, folder_of};
use super::sites::{Site, Sites};
use super::twins::{Twin, Twins};
use crate::record::Target;
use crate::report::{Error, Report};
use crate::spill::Shelf;
use crate::urls::{PageUrl, UrlKey, rest_home, rest_root};
use judge::{Candidate, Verdict};
use names::tidy;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// All pages of all scrapes of a site.
#[derive(Default)]
pub struct Scrape {
    pages: Vec<Page>,
    /// What is known of those in archives.
    shelf: Shelf,
    /// The name of the site, as the pages' titles have it.
    site_name: Option<Arc<str>>,
    /// Why that cannot be read.
    failed: OnceCell<Error>,
    /// Pages by the id they claim.
    by_id: Vec<(i64, u32)>,
    /// Pages by the hashes of their URL keys.
    by_key: Vec<(u64, u32)>,
    /// Redirects by the hash of the key of their place.
    redirects: Vec<(u64, u32)>,
    /// The hashes of the keys of records' links at which there is a page.
    linked: Vec<u64>,
    prefixes: Prefixes,
    votes: Votes,
    /// Names in API addresses and their types.
    bases: BTreeMap<String, String>,
    /// Key and origin of the API's site.
    home: Option<(String, String)>,
    /// Whether an API address named it.
    home_is_named: bool,
    /// Root of the API of the last record, and the key of its site: most records have the same.
    api: (Option<String>, Option<UrlKey>),
    /// The keys of the sites whose APIs pages name, by root.
    named: BTreeMap<Arc<str>, String>,
    /// Whether there is no dump: what pages say of their records is all that is known.
    is_alone: bool,
    /// What became of the pages, if that is asked for.
    log: Option<PageLog>,
    /// Scratch space.
    key: UrlKey,
}

impl Scrape {
    /// The directories in which the files of scrapes are: themselves, or those of archives.
    pub fn folders(scrapes: &[String]) -> Vec<String> {
        scrapes.iter().map(|scrape| folder_of(scrape).to_owned()).collect()
    }

    /// Reads the heads of all pages of the scrapes `roots`, directories or archives. Counts `pages` and `not_html`.
    ///
    /// # Errors
    /// When a directory cannot be read.
    pub fn read(roots: &[String], reading: &Reading<'_>, report: &mut Report) -> Result<Self, Error> {
        let Site { pages, shelf, name } = Sites::read_as_one(roots, reading, report)?.pages()?;
        let mut scrape = Scrape { pages, shelf, site_name: name, ..Scrape::default() };
        let claims = scrape.pages.iter().zip(0..).filter_map(|(page, at)| Some((page.claim.as_ref()?.id, at)));
        scrape.by_id = claims.collect();
        scrape.by_id.sort_unstable();
        Ok(scrape)
    }

    /// These pages, of which there is no dump.
    pub(super) fn alone(Site { pages, shelf, name }: Site) -> Self {
        let mut site = Scrape { is_alone: true, site_name: name, ..Scrape::default() };
        for page in &pages {
            if let Some((rest, key)) = page.rest.as_deref().zip(UrlKey::new(&page.location())) {
                site.learn_home(&page.location(), &key, Some(rest));
            }
        }
        (site.pages, site.shelf) = (pages, shelf);
        site
    }

    /// Keeps a log of what becomes of the pages of these directories.
    pub fn keep_log(&mut self, roots: &[String]) {
        self.log = Some(PageLog::new(roots));
    }

    /// Records the names of types in API addresses.
    pub fn learn_bases(&mut self, pairs: Vec<(String, String)>) {
        self.bases.extend(pairs);
    }

    /// Examines a record before any is joined: the pages that claim it reveal the URL prefix of the scrape. `self_link`
    /// is its API address.
    pub fn learn(&mut self, record: &Record<'_>, self_link: Option<&str>) {
        if let Some(base) = record.rest_base
            && !self.bases.contains_key(base)
        {
            self.bases.insert(base.to_owned(), record.r#type.to_owned());
        }
        let mut link = std::mem::take(&mut self.key);
        if link.read(record.link) {
            self.learn_home(record.link, &link, self_link);
            self.linked.push(xxh3_64(link.as_str().as_bytes()));
            let claimants = self.keys_of_claimants(record);
            if !claimants.is_empty() {
                self.votes.count(link.as_str(), record.link, &claimants);
            }
        }
        self.key = link;
    }

    fn keys_of_claimants(&self, record: &Record<'_>) -> Vec<String> {
        let mut keys = Vec::new();
        for &(_, at) in range(&self.by_id, record.id) {
            let page = &self.pages[at as usize];
            // Claims with a name not yet known count, too: few ids collide, and most claims must agree.
            if page.claim.as_ref().is_some_and(|claim| self.may_claim(claim, record)) && !page.is_archive_of(record) {
                let key = |url: &str| UrlKey::new(url).map(UrlKey::into_string);
                keys.extend(key(&page.location()));
                if !page.states_its_location() {
                    keys.extend(page.stated().and_then(|url| key(&url)));
                }
            }
        }
        keys
    }

    /// The home of the site is the shortest that its API names: languages may have their own. Links alone tell less.
    fn learn_home(&mut self, link: &str, key: &UrlKey, self_link: Option<&str>) {
        let is_named = self_link.is_some();
        if self.home.is_some() && !is_named {
            return;
        }
        let root = self_link.and_then(rest_root);
        if root != self.api.0.as_deref() {
            self.api = (root.map(str::to_owned), root.and_then(|root| UrlKey::new(rest_home(root))));
        }
        // Some hosts serve the APIs of all their sites from one address; then the link decides.
        let named = self.api.1.as_ref().filter(|site| rest_after(key.as_str(), site.as_str()).is_some());
        let home = named.map_or(key.host(), UrlKey::as_str);
        let is_shorter = self.home.as_ref().is_none_or(|(known, _)| home.len() < known.len());
        if (is_shorter || is_named && !self.home_is_named)
            && let Some(origin) = origin_of(link)
        {
            self.home = Some((home.to_owned(), origin.to_owned()));
            self.home_is_named = is_named;
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
        for root in self.pages.iter().filter_map(|page| page.rest.as_ref()) {
            if !self.named.contains_key(root)
                && let Some(key) = UrlKey::new(rest_home(root))
            {
                self.named.insert(root.clone(), self.prefixes.map_key(key));
            }
        }
        self.by_key = Vec::with_capacity(self.pages.len());
        for (page, at) in self.pages.iter().zip(0..) {
            for key in self.keys(page).all() {
                self.by_key.push((xxh3_64(key.as_bytes()), at));
            }
        }
        self.by_key.sort_unstable();
        self.by_key.dedup();
        self.linked.retain(|&link| !range(&self.by_key, link).is_empty());
        self.linked.sort_unstable();
        self.redirects = self.redirects();
        let ends = self
            .redirects
            .iter()
            .filter_map(|&(_, at)| Some((xxh3_64(self.end_of(&self.pages[at as usize])?.as_bytes()), at)));
        let ends: Vec<_> = ends.collect();
        self.by_key.extend(ends);
        self.by_key.sort_unstable();
        self.by_key.dedup();
    }

    /// Takes the page and the aliases of a record.
    pub fn take(&mut self, record: &Record<'_>) -> Shown {
        let mut shown = Shown::default();
        let Some(link) = UrlKey::new(record.link).filter(|_| record.kind != "comment") else { return shown };
        let candidates = self.candidates(record, link.as_str());
        // A page that claims the record takes precedence over one that only has its URL, then the first by path.
        let rank = |&Candidate { at, verdict, .. }: &Candidate| match verdict {
            Verdict::Shows { rank, .. } => Some((self.pages[at as usize].claim.is_none(), rank, at)),
            _ => None,
        };
        let best = candidates.iter().filter_map(rank).min().map(|(_, _, at)| at);
        let best = best.or_else(|| self.only_claim(&candidates, record, link.as_str()));
        let claims = |candidate: &&Candidate| self.pages[candidate.at as usize].claim.is_some();
        let mut places: Vec<&str> =
            candidates.iter().filter(claims).map(|other| other.keys.location.as_str()).collect();
        places.sort_unstable();
        for candidate in &candidates {
            let Candidate { at, verdict, keys } = candidate;
            let page = &self.pages[*at as usize];
            let fate = match *verdict {
                _ if best == Some(*at) => {
                    let is_at_link = keys.location == link.as_str();
                    let url = if is_at_link { Some(record.link.to_owned()) } else { self.own_url(page, false) };
                    shown.page = Some(self.saved(page, url));
                    self.add_names(page, keys, link.as_str(), &mut shown.aliases);
                    Fate::Joined
                }
                Verdict::Shows { or_alias: true, .. } | Verdict::Alias => {
                    self.add_place(page, keys, link.as_str(), &mut shown.aliases);
                    Fate::Alias
                }
                _ if best.is_some_and(|best| self.is_twin(candidate, &self.pages[best as usize], &places)) => {
                    self.add_place(page, keys, link.as_str(), &mut shown.aliases);
                    Fate::Alias
                }
                Verdict::Shows { or_alias: false, .. } => self.refused(*at, record, true),
                Verdict::Differs { is_quoting } => self.refused(*at, record, is_quoting),
                Verdict::Older => self.refused(*at, record, false),
            };
            self.pages[*at as usize].fate = fate;
        }
        self.note_shown(record, &candidates, best);
        tidy(&mut shown.aliases, link.as_str());
        shown
    }

    /// Notes the pages that show a record, if that is asked for.
    fn note_shown(&mut self, record: &Record<'_>, candidates: &[Candidate], best: Option<u32>) {
        for &Candidate { at, verdict, .. } in candidates {
            let page = &self.pages[at as usize];
            let why = match verdict {
                Verdict::Shows { rank: 0 | 1, .. } if best == Some(at) => "at_link",
                Verdict::Shows { .. } if best == Some(at) => "states_link",
                _ if best == Some(at) => "only_claim",
                _ if page.is_redirect => "redirect",
                Verdict::Shows { or_alias: true, .. } | Verdict::Alias => "variant",
                _ => "same_page",
            };
            let fate = match page.fate {
                Fate::Joined => "joined",
                Fate::Alias => "alias",
                _ => continue,
            };
            let target = log::target(record.r#type, Some(record.id), Some(record.link));
            self.note(at, fate, target, why);
        }
    }

    /// Notes what became of a page, if that is asked for.
    fn note(&mut self, at: u32, fate: &'static str, record: Target<'_>, why: &str) {
        let Some(mut log) = self.log.take() else { return };
        let page = &self.pages[at as usize];
        let location = page.location();
        let url = self.prefixes.map_url(&location, UrlKey::new(&location).as_ref().map_or("", UrlKey::as_str));
        log.note(page.root, &self.origin_of(page).0, url.as_deref().unwrap_or(&location), fate, record, why);
        self.log = Some(log);
    }

    /// The lines of the log of pages so far, to be written by the caller.
    pub fn take_log(&mut self) -> Vec<u8> {
        self.log.as_mut().map(PageLog::take).unwrap_or_default()
    }

    /// Passes on the pages without a record, by scrape and path. Omits redirects, and what `keep` does not want; counts
    /// `joined`, `aliases`, `left_out` and its parts.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn finish(
        &mut self,
        keep: Keep,
        report: &mut Report,
        mut each: impl FnMut(&LeftOver) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let twins = Twins::new(self, keep);
        for at in 0..u32::try_from(self.pages.len()).unwrap_or(u32::MAX) {
            let page = &self.pages[at as usize];
            if matches!(page.fate, Fate::Joined | Fate::Alias) {
                report.count(if page.fate == Fate::Joined { "joined" } else { "aliases" }, 1);
            } else if let Some(why) = why_left_out(page, keep).filter(|_| twins.of(at).is_none()) {
                report.count("left_out", 1);
                report.count(count_of(why), 1);
                self.note(at, "left_out", Target::default(), why);
            } else if let Some(twin) = twins.of(at) {
                let (first, fate, why) = match twin {
                    Twin::Alias(first) if page.is_redirect => (first, "alias", "redirect"),
                    Twin::Alias(first) => (first, "alias", "variant"),
                    Twin::Repeated(first) => (first, "duplicate", "same_url"),
                };
                report.count(if fate == "alias" { "aliases" } else { "duplicates" }, 1);
                let link = self.link_of(first, &twins);
                self.note(at, fate, log::target("html", None, link.as_deref()), why);
            } else {
                let page = self.left_over(at, &twins);
                let why = match &page.same {
                    Some(_) => "same_id",
                    None if twins.is_quoting(at) => "quotes",
                    None => "no_record",
                };
                self.note(at, "record", log::target("html", None, page.link.as_deref()), why);
                each(&page)?;
            }
        }
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Leaves out all pages, as nothing reveals of which site they are.
    pub fn leave_out(&mut self, report: &mut Report) {
        for at in 0..u32::try_from(self.pages.len()).unwrap_or(u32::MAX) {
            report.count("left_out", 1);
            report.count("left_out_no_host", 1);
            self.note(at, "left_out", Target::default(), "no_host");
        }
        report.warn(&format!("{} pages do not reveal their host: left out; --site NAME keeps them", self.pages.len()));
    }

    /// The pages that no record took and that are not left out.
    pub(super) fn without_record(&self, keep: Keep) -> impl Iterator<Item = u32> {
        let is_taken = |page: &Page| matches!(page.fate, Fate::Joined | Fate::Alias) || page.is_older;
        let is_left = move |page: &Page| !is_taken(page) && why_left_out(page, keep).is_none();
        (0..).zip(&self.pages).filter(move |(_, page)| is_left(page)).map(|(at, _)| at)
    }

    /// The URL of a page without a record.
    pub(super) fn link_of(&self, at: u32, twins: &Twins) -> Option<String> {
        let page = &self.pages[at as usize];
        self.own_url(page, !page.fate.refusal().is_quoting && !twins.is_quoting(at))
    }

    fn left_over(&self, at: u32, twins: &Twins) -> LeftOver {
        let page = &self.pages[at as usize];
        let refusal = page.fate.refusal();
        let link = self.link_of(at, twins);
        let key = link.as_deref().and_then(UrlKey::new);
        let key = key.as_ref().map_or("", UrlKey::as_str);
        let mut aliases = Vec::new();
        for page in std::iter::once(at).chain(twins.aliases_of(at)).map(|at| &self.pages[at as usize]) {
            self.add_place(page, &self.keys(page), key, &mut aliases);
        }
        tidy(&mut aliases, key);
        LeftOver {
            saved: self.saved(page, self.own_url(page, false)),
            link,
            is_older: page.is_older,
            aliases,
            same: refusal.same.map(|(r#type, id)| (r#type.into_string(), id)).or_else(|| self.stated_record(page)),
            rest: page.rest.as_deref().map(str::to_owned),
        }
    }

    /// Where a page is and what an archive says of it; nothing where that cannot be read again, which ends the run.
    fn origin_of<'p>(&self, page: &'p Page) -> (Cow<'p, str>, Option<Cow<'p, Capture>>) {
        page.origin(&self.shelf).unwrap_or_else(|error| {
            let _ = self.failed.set(error);
            Default::default()
        })
    }

    fn saved(&self, page: &Page, url: Option<String>) -> Saved {
        let (file, capture) = self.origin_of(page);
        let text = |of: fn(&Capture) -> Option<&str>| capture.as_deref().and_then(of).map(str::to_owned);
        let (time, digest) = (text(Capture::time), text(Capture::digest));
        Saved { root: page.root, file: file.into_owned(), url, time, digest, site_name: self.site_name.clone() }
    }

    /// Type and id of the record that a page says it shows, where no dump can confirm it.
    fn stated_record(&self, page: &Page) -> Option<(String, i64)> {
        let claim = page.claim.as_ref().filter(|_| self.is_alone)?;
        Some((page.r#type.as_deref()?.to_owned(), claim.id))
    }

    /// A label for the site, from the first page that names a host.
    pub fn host(&self) -> Option<String> {
        let url = |page: &Page| page.has_host().then(|| PageUrl::parse(&page.location())).flatten();
        self.pages.iter().find_map(url).map(|url| url.host().to_owned())
    }
}

pub(super) fn range<K: Ord + Copy>(sorted: &[(K, u32)], key: K) -> &[(K, u32)] {
    let from = sorted.partition_point(|&(k, _)| k < key);
    let length = sorted[from..].partition_point(|&(k, _)| k == key);
    &sorted[from..from + length]
}

/// The count of pages left out for a reason.
fn count_of(why: &str) -> &'static str {
    match why {
        "redirects" => "left_out_redirects",
        "older_capture" => "left_out_older",
        "errors" => "left_out_errors",
        "not_wordpress" => "left_out_not_wordpress",
        _ => "left_out_archives",
    }
}

/// Why a page without a record is left out.
fn why_left_out(page: &Page, keep: Keep) -> Option<&'static str> {
    match page {
        _ if page.is_older && !keep.captures => Some("older_capture"),
        _ if page.is_redirect => Some("redirects"),
        _ if page.is_foreign => Some("not_wordpress"),
        _ if page.is_error && !keep.all_pages => Some("errors"),
        _ if page.is_archive && !keep.all_pages => Some("archives"),
        _ => None,
    }
}
