//! Finds the hosts of a site: its own hosts, those from which it was moved, and the path of the site on each.
//!
//! Only evidence makes a host the site's own: it is the host of the records' API, or the pages of an own host name it as the host of a
//! language and its records name that host in return. The guids of several items are evidence, too. If no item has any, the host with the
//! most records is the site's. Records on a host alone prove nothing: a plugin can give a page the URL of any other site, and neighbours at
//! the same university or hosting company are unrelated.

use super::groups::forest::root;
use crate::record::Mapped;
use crate::urls::{QuickMap, QuickSet, UrlKey};
use crate::wordpress::rest_home;
use std::collections::VecDeque;

/// A host that is not the site's own is internal if it has at least one record for every so many records on the most used host; otherwise,
/// it is foreign.
const GUEST: u32 = 50;

/// The most hosts of guids that are remembered.
const REMEMBERED: usize = 4096;

/// The most own hosts of a site among which a path that is missing on one host is looked up on the others. There is one host per language;
/// all sites that we have seen have fewer.
const MOST_HOSTS: usize = 64;

/// The most pairs of places that are remembered: a scrape has one, or one per host.
const MOST_MAPPED: usize = 64;

/// The site of the API that the last record named: nearly all records name the same one.
#[derive(Default)]
pub(super) struct Home {
    root: String,
    key: Option<UrlKey>,
}

impl Home {
    pub(super) fn read(&mut self, root: Option<&str>) -> Option<&UrlKey> {
        let root = root?;
        if self.root != root {
            self.key = UrlKey::new(rest_home(root));
            root.clone_into(&mut self.root);
        }
        self.key.as_ref()
    }
}

/// How a record names its site: by the API that it came from, by its guid, or, for a page without a record, by the API that the page names.
#[derive(Clone, Copy)]
pub(super) enum NamedBy {
    Api,
    Guid,
    Page,
}

/// The evidence about one host, until all records are known.
struct HostCount {
    name: Box<str>,
    /// Records whose link is on this host.
    records: u32,
    /// Items from an API on this host, items for which only the guid names it as home, and pages that name an API on it.
    items: u32,
    guids: u32,
    pages: u32,
}

/// The evidence about all hosts, until all records are known.
#[derive(Default)]
pub(super) struct HostCounts {
    numbers: QuickMap<Box<str>, u32>,
    hosts: Vec<HostCount>,
    /// Host → the path of the site on it, if that is not the whole host.
    bases: QuickMap<Box<str>, Box<str>>,
    /// The same from guids, and from pages without a record; each is used only if there is no better evidence.
    bases_of_guids: QuickMap<Box<str>, Box<str>>,
    bases_of_pages: QuickMap<Box<str>, Box<str>>,
    /// (number of a host, host and path that the guids of its records name) → count.
    guids: QuickMap<(u32, Box<str>), u32>,
    /// (host, other host) if records of the first name a translation on the second → whether a page does.
    named: QuickMap<(u32, u32), bool>,
    /// Places of scrapes and the corresponding places on the site, sorted.
    mapped: Vec<(Box<str>, Box<str>)>,
}

impl HostCounts {
    fn number(&mut self, host: &str) -> u32 {
        if let Some(number) = self.numbers.get(host) {
            return *number;
        }
        let number = self.hosts.len() as u32;
        self.hosts.push(HostCount { name: host.into(), records: 0, items: 0, guids: 0, pages: 0 });
        self.numbers.insert(host.into(), number);
        number
    }

    /// Counts a record for its host. Returns the host's number.
    pub(super) fn note(&mut self, key: &UrlKey) -> u32 {
        let number = self.number(key.host());
        self.hosts[number as usize].records += 1;
        number
    }

    /// Counts the site that a record at `key` names. If it has several paths there, the shortest is kept, because languages may have their
    /// own.
    pub(super) fn note_home(&mut self, key: &UrlKey, home: &UrlKey, by: NamedBy) {
        let number = self.number(home.host());
        let host = &mut self.hosts[number as usize];
        let (count, bases) = match by {
            NamedBy::Api => (&mut host.items, &mut self.bases),
            NamedBy::Guid => (&mut host.guids, &mut self.bases_of_guids),
            NamedBy::Page => (&mut host.pages, &mut self.bases_of_pages),
        };
        *count += 1;
        let below = key.path().strip_prefix(home.path()).is_some_and(starts_segment);
        if key.host() != home.host() || !below {
            return;
        }
        match bases.get_mut(home.host()) {
            Some(base) if base.len() <= home.path().len() => {}
            Some(base) => *base = home.path().into(),
            None => _ = bases.insert(home.host().into(), home.path().into()),
        }
    }

    /// Counts a guid that is a shortlink, for a record on this host.
    pub(super) fn note_former(&mut self, host: u32, guid: &UrlKey) {
        let is_full = self.guids.len() >= REMEMBERED;
        match self.guids.get_mut(&(host, Box::from(guid.page()))) {
            Some(count) => *count += 1,
            None if is_full => {}
            None => _ = self.guids.insert((host, guid.page().into()), 1),
        }
    }

    /// Notes where the scrape of a record was made.
    pub(super) fn note_mapped(&mut self, pairs: &[Mapped<'_>]) {
        let pairs = pairs.iter().filter_map(|pair| Some((pair.from.as_deref()?, pair.to.as_deref()?)));
        for (from, to) in pairs.filter(|(from, to)| !from.is_empty() && !to.is_empty()) {
            let place = self.mapped.binary_search_by(|(f, t)| (&**f, &**t).cmp(&(from, to)));
            if let Err(at) = place
                && self.mapped.len() < MOST_MAPPED
            {
                self.mapped.insert(at, (from.into(), to.into()));
            }
        }
    }

    /// Whether a URL is on this host.
    pub(super) fn is_host(&self, host: u32, key: &UrlKey) -> bool {
        *self.hosts[host as usize].name == *key.host()
    }

    /// Notes that a record on this host names a translation on another host; `by_page`: its page does.
    pub(super) fn note_named(&mut self, from: u32, other: &UrlKey, by_page: bool) {
        if *self.hosts[from as usize].name != *other.host() {
            let to = self.number(other.host());
            *self.named.entry((from, to)).or_default() |= by_page;
        }
    }

    /// Determines the site's own hosts, once all records are known. `is_of_languages(a, b)`: the records on host `b` are in other languages
    /// than those on `a`. Also returns, by number, whether each host is an own host.
    pub(super) fn close(mut self, is_of_languages: impl Fn(&str, &str) -> bool) -> (Hosts, Vec<bool>) {
        // A single post with another site's guid does not make that host the site's, nor do a few such posts.
        let all: u32 = self.hosts.iter().map(|host| host.items + host.guids).sum();
        for host in self.hosts.iter_mut().filter(|host| host.guids > 1 && host.guids * GUEST >= all) {
            let base = self.bases_of_guids.remove(&host.name).filter(|_| host.items == 0);
            self.bases.extend(base.map(|base| (host.name.clone(), base)));
            host.items += host.guids;
        }
        if self.hosts.iter().all(|host| host.items == 0) {
            self.bases = std::mem::take(&mut self.bases_of_pages);
        }
        let order = |&at: &u32| {
            let host = &self.hosts[at as usize];
            (std::cmp::Reverse(host.records), host.name.clone())
        };
        let mut first = self.of_apis(order);
        // Behind a proxy, an API may have its own host, without records: then the host with the most records is the main one, too.
        let is_used = first.first().is_some_and(|&at| self.hosts[at as usize].records > 0);
        let most = (0..self.hosts.len() as u32).filter(|&at| self.hosts[at as usize].records > 0).min_by_key(order);
        let Some(main) = (if is_used { first.first().copied() } else { most }) else {
            let Self { mapped, bases, .. } = self;
            return (Hosts { mapped, bases, ..Hosts::default() }, Vec::new());
        };
        let mut sites: Vec<u32> = (0..self.hosts.len() as u32).collect();
        if !is_used {
            first.iter().for_each(|&api| unite(&mut sites, main, api));
            first.push(main);
        }
        let own = self.reached(&first, &mut sites, is_of_languages);
        let is_own = (0..self.hosts.len() as u32).map(|at| own.contains(&at)).collect();
        (self.closed(main, &own, &mut sites), is_own)
    }

    /// The hosts of the APIs that the items came from, in this order. Without items: the host that most pages name in their API.
    fn of_apis<K: Ord>(&self, order: impl Fn(&u32) -> K) -> Vec<u32> {
        let host = |at: &u32| &self.hosts[*at as usize];
        let all = || 0..self.hosts.len() as u32;
        let mut of_items: Vec<u32> = all().filter(|at| host(at).items > 0).collect();
        of_items.sort_by_key(&order);
        if of_items.is_empty() {
            let named = all().filter(|at| host(at).pages > 0);
            let named = named.min_by_key(|at| (std::cmp::Reverse(host(at).pages), order(at)));
            let most = self.hosts.iter().map(|host| host.records).max().unwrap_or(0);
            // A host with fewer records than another is a former host of the site, or belongs to somebody else.
            of_items.extend(named.filter(|at| host(at).records == 0 || host(at).records == most));
        }
        of_items
    }

    /// The own hosts that can be reached from the first ones; unites those that form one site in `sites`.
    fn reached(&self, first: &[u32], sites: &mut [u32], is_of_languages: impl Fn(&str, &str) -> bool) -> QuickSet<u32> {
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.hosts.len()];
        self.named.iter().filter(|(_, by_page)| **by_page).for_each(|(&(from, to), _)| next[from as usize].push(to));
        let mut own: QuickSet<u32> = first.iter().copied().collect();
        let mut queue: VecDeque<u32> = own.iter().copied().collect();
        while let Some(from) = queue.pop_front() {
            for &to in &next[from as usize] {
                let is_named_back = self.named.get(&(to, from)).is_some_and(|by_page| {
                    // A plugin may also name a page on a foreign site, but then in a language that the site itself has.
                    *by_page || is_of_languages(&self.hosts[from as usize].name, &self.hosts[to as usize].name)
                });
                if is_named_back {
                    unite(sites, from, to);
                    if own.insert(to) {
                        queue.push_back(to);
                    }
                }
            }
        }
        own
    }

    fn closed(self, main: u32, own: &QuickSet<u32>, sites: &mut [u32]) -> Hosts {
        let mut numbers: QuickMap<u32, u32> = QuickMap::default();
        let mut together: Vec<Vec<Box<str>>> = Vec::new();
        let mut by_name: QuickMap<Box<str>, u32> = QuickMap::default();
        for &host in own {
            let number = *numbers.entry(root(sites, host)).or_insert(together.len() as u32);
            together.resize(together.len().max(number as usize + 1), Vec::new());
            together[number as usize].push(self.hosts[host as usize].name.clone());
            by_name.insert(self.hosts[host as usize].name.clone(), number);
        }
        together.iter_mut().for_each(|hosts| hosts.sort_unstable());
        let main = &self.hosts[main as usize].name;
        let most = self.hosts.iter().map(|host| host.records).max().unwrap_or(0);
        let internal =
            |host: &&HostCount| host.records > 0 && (host.records * GUEST >= most || is_near(&host.name, main));
        let internal = self.hosts.iter().filter(internal).map(|host| host.name.clone()).collect();
        let mut guids: QuickMap<Box<str>, u32> = QuickMap::default();
        for ((_, site), count) in self.guids.into_iter().filter(|((host, _), _)| own.contains(host)) {
            *guids.entry(site).or_default() += count;
        }
        let all: u32 = guids.values().sum();
        let is_own = |site: &str| site.split('/').next().is_some_and(|host| by_name.contains_key(host));
        let former = guids.into_iter().find(|(site, count)| count * 2 > all && !is_own(site));
        let now = [&**main, self.bases.get(main).map_or("", |base| base)].concat();
        Hosts {
            own: by_name,
            together,
            internal,
            former: former.map(|(site, _)| (site, now.into())),
            mapped: self.mapped,
            bases: self.bases,
        }
    }
}

/// Whether two hosts differ only in their first labels, or one is a subdomain of the other.
fn is_near(host: &str, main: &str) -> bool {
    let parent = |host: &str| host.split_once('.').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    let below = |a: &str, b: &str| a.strip_suffix(b).is_some_and(|rest| rest.ends_with('.'));
    let siblings = parent(host) == parent(main) && parent(host).contains('.');
    below(host, main) || below(main, host) || siblings
}

fn unite(sites: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(sites, a), root(sites, b));
    sites[a.max(b) as usize] = a.min(b);
}

#[derive(Default)]
pub(super) struct Hosts {
    /// Own hosts, each with its index in `together`.
    own: QuickMap<Box<str>, u32>,
    /// Groups of own hosts that form one site, sorted: two APIs on different hosts are two sites, unless their pages name each other.
    together: Vec<Vec<Box<str>>>,
    /// Other hosts with many records: URLs there are not external, but the site's rules for paths do not apply.
    internal: QuickSet<Box<str>>,
    /// The host from which the site was moved, and the present one.
    former: Option<(Box<str>, Box<str>)>,
    /// As in [`HostCounts`].
    mapped: Vec<(Box<str>, Box<str>)>,
    bases: QuickMap<Box<str>, Box<str>>,
}

impl Hosts {
    /// Length of the site's own path at the start of a path on an own host.
    pub(super) fn base(&self, host: &str, path: &str) -> usize {
        let base = self.bases.get(host).filter(|base| path.strip_prefix(&***base).is_some_and(starts_segment));
        base.map_or(0, |base| base.len())
    }

    /// Whether the site is in a subdirectory of a host.
    pub(super) fn has_base(&self, host: &str) -> bool {
        self.bases.get(host).is_some_and(|base| !base.is_empty())
    }

    /// The present URL, if this one is on a host from which the site was moved.
    pub(super) fn moved(&self, key: &UrlKey) -> Option<UrlKey> {
        let (from, to) = self.former.as_ref()?;
        let rest = key.as_str().strip_prefix(&**from).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']))?;
        UrlKey::new(&format!("https://{to}{rest}"))
    }

    /// The URL on the site, if this one is from a scrape that was made elsewhere: by the longest matching place. `/` stands for the top of
    /// the host, of a site in a folder that was moved there: only references that begin with a slash (`is_from_top`) mean that.
    pub(super) fn mapped(&self, key: &UrlKey, is_from_top: bool) -> Option<UrlKey> {
        let below = |prefix: &str| {
            key.as_str().strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        };
        let fits = self.mapped.iter().filter_map(|(from, to)| {
            if &**from == "/" {
                let host = to.split('/').next().filter(|_| is_from_top && below(to).is_none())?;
                return Some((from.len(), to, below(host)?));
            }
            Some((from.len(), to, below(from)?))
        });
        let (_, to, rest) = fits.max_by_key(|(length, ..)| *length)?;
        UrlKey::new(&format!("https://{to}{rest}"))
    }

    /// Whether this host (of a key) is the site's own.
    pub(super) fn is_own(&self, host: &str) -> bool {
        self.own.contains_key(host)
    }

    /// Whether URLs on this host are not external: it is the site's own, or has many of its records.
    pub(super) fn is_internal(&self, host: &str) -> bool {
        self.own.contains_key(host) || self.internal.contains(host)
    }

    /// The own hosts that form one site with this one, itself included; only this one if they are too many, none for a foreign host.
    pub(super) fn together(&self, host: &str) -> &[Box<str>] {
        let hosts = self.own.get(host).map_or(&[][..], |&number| &self.together[number as usize]);
        if hosts.len() <= MOST_HOSTS {
            return hosts;
        }
        hosts.binary_search_by(|own| (**own).cmp(host)).map_or(&[], |at| &hosts[at..=at])
    }

    /// Whether the own hosts form several sites.
    pub(super) fn are_several_sites(&self) -> bool {
        self.together.len() > 1
    }

    /// Whether two own hosts belong to different sites.
    pub(super) fn are_apart(&self, a: &str, b: &str) -> bool {
        self.own.get(a).zip(self.own.get(b)).is_some_and(|(a, b)| a != b)
    }
}

fn starts_segment(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}
