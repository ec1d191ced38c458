//! Finds the hosts of a site: its own, those from which it was moved, and the path of the site on each.
//!
//! A host is the site's own by evidence alone: the API that the records are from is there, or the pages of an own host name it as
//! that of a language, and its own records name that host back. Guids of several items tell it, too. Where no item does, the host with most
//! records is the site's. That records lie on a host is no evidence: a plugin gives a page the address of any other site, and its
//! neighbours of the same university or hoster are no relatives.

use super::groups::forest::root;
use crate::record::Mapped;
use crate::urls::{QuickMap, QuickSet, UrlKey};
use crate::wordpress::rest_home;
use std::collections::VecDeque;

/// A host that is not the site's own has fewer than one record in this many of the most used host, or it counts as internal.
const GUEST: u32 = 50;

/// Maximum number of remembered hosts of guids.
const REMEMBERED: usize = 4096;

/// Own hosts of a site at most on which a path is looked for that another one lacks: one a language. No site was seen with as many.
const MOST_HOSTS: usize = 64;

/// Pairs of places that are remembered: a scrape has one, or one a host.
const MOST_MAPPED: usize = 64;

/// The site of the API that the last record named: nearly all name one.
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

/// By what a record names its site: the API that it is from, its guid, or the API that a page without a record names.
#[derive(Clone, Copy)]
pub(super) enum NamedBy {
    Api,
    Guid,
    Page,
}

/// What the records tell about a host, until all are known.
struct HostCount {
    name: Box<str>,
    /// Records whose link is there.
    records: u32,
    /// Items that are from an API there, items whose guids alone name it as their home, and pages that name an API there.
    items: u32,
    guids: u32,
    pages: u32,
}

/// What the records tell about the hosts, until all are known.
#[derive(Default)]
pub(super) struct HostCounts {
    numbers: QuickMap<Box<str>, u32>,
    hosts: Vec<HostCount>,
    /// Host → the path of the site there, if it is not the whole host.
    bases: QuickMap<Box<str>, Box<str>>,
    /// The same by guids, and by pages without a record: each counts where nothing better names a site.
    bases_of_guids: QuickMap<Box<str>, Box<str>>,
    bases_of_pages: QuickMap<Box<str>, Box<str>>,
    /// The number of a host; what the guids of its records name, a host and the path of the site there; how often.
    guids: QuickMap<(u32, Box<str>), u32>,
    /// Records of the one host name a translation on the other: whether a page does.
    named: QuickMap<(u32, u32), bool>,
    /// Places of scrapes and what they are on the site, in their order.
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

    /// Counts where a record is: the number of its host.
    pub(super) fn note(&mut self, key: &UrlKey) -> u32 {
        let number = self.number(key.host());
        self.hosts[number as usize].records += 1;
        number
    }

    /// Counts the site that a record at `key` names: of its paths the shortest holds, since languages may have their own.
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

    /// Counts a guid that is a shortlink, of a record on this host.
    pub(super) fn note_former(&mut self, host: u32, guid: &UrlKey) {
        let is_full = self.guids.len() >= REMEMBERED;
        match self.guids.get_mut(&(host, Box::from(guid.page()))) {
            Some(count) => *count += 1,
            None if is_full => {}
            None => _ = self.guids.insert((host, guid.page().into()), 1),
        }
    }

    /// Notes where the scrape was made of which a record is.
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

    /// A record on this host names a translation on another one; `by_page`: its page does.
    pub(super) fn note_named(&mut self, from: u32, other: &UrlKey, by_page: bool) {
        if *self.hosts[from as usize].name != *other.host() {
            let to = self.number(other.host());
            *self.named.entry((from, to)).or_default() |= by_page;
        }
    }

    /// Determines the site's own hosts, when all records are known. `is_of_languages(a, b)`: the records on host `b` are in other
    /// languages than those on `a`. Also of each number of a host, whether it is an own one.
    pub(super) fn close(mut self, is_of_languages: impl Fn(&str, &str) -> bool) -> (Hosts, Vec<bool>) {
        // A post with the guid of another site is a guest, and so are few.
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
        // Behind a proxy an API may have a host of its own; where no evidence travels, there is no other.
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

    /// The hosts of the APIs that the items are from, in this order. Where there are no items, pages name them, each for itself: the
    /// host that most pages name.
    fn of_apis<K: Ord>(&self, order: impl Fn(&u32) -> K) -> Vec<u32> {
        let host = |at: &u32| &self.hosts[*at as usize];
        let all = || 0..self.hosts.len() as u32;
        let mut of_items: Vec<u32> = all().filter(|at| host(at).items > 0).collect();
        of_items.sort_by_key(&order);
        if of_items.is_empty() {
            let named = all().filter(|at| host(at).pages > 0);
            let named = named.min_by_key(|at| (std::cmp::Reverse(host(at).pages), order(at)));
            let most = self.hosts.iter().map(|host| host.records).max().unwrap_or(0);
            // One that has fewer records than another host is where the site was, or that of somebody else.
            of_items.extend(named.filter(|at| host(at).records == 0 || host(at).records == most));
        }
        of_items
    }

    /// The own hosts, reached from the first ones; those that are one site are united in `sites`.
    fn reached(&self, first: &[u32], sites: &mut [u32], is_of_languages: impl Fn(&str, &str) -> bool) -> QuickSet<u32> {
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.hosts.len()];
        self.named.iter().filter(|(_, by_page)| **by_page).for_each(|(&(from, to), _)| next[from as usize].push(to));
        let mut own: QuickSet<u32> = first.iter().copied().collect();
        let mut queue: VecDeque<u32> = own.iter().copied().collect();
        while let Some(from) = queue.pop_front() {
            for &to in &next[from as usize] {
                let is_named_back = self.named.get(&(to, from)).is_some_and(|by_page| {
                    // A plugin names a page that lies elsewhere, too; but that is in a language that is here as well.
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

/// Whether two hosts have all but their first labels in common, or one is below the other.
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
    /// Own hosts, each with its number in `together`.
    own: QuickMap<Box<str>, u32>,
    /// Own hosts that are one site, sorted: two APIs on different hosts are two sites unless their pages name each other.
    together: Vec<Vec<Box<str>>>,
    /// Hosts with records that are not few: what is there is not external, but no path of ours is expected there.
    internal: QuickSet<Box<str>>,
    /// That from which the site was moved, and where it is now.
    former: Option<(Box<str>, Box<str>)>,
    /// As in [`HostCounts`].
    mapped: Vec<(Box<str>, Box<str>)>,
    bases: QuickMap<Box<str>, Box<str>>,
}

impl Hosts {
    /// Length of the path of the site in a path on an own host.
    pub(super) fn base(&self, host: &str, path: &str) -> usize {
        let base = self.bases.get(host).filter(|base| path.strip_prefix(&***base).is_some_and(starts_segment));
        base.map_or(0, |base| base.len())
    }

    /// Whether the site is below a path of a host.
    pub(super) fn has_base(&self, host: &str) -> bool {
        self.bases.get(host).is_some_and(|base| !base.is_empty())
    }

    /// What the URL has become, if it is on a host from which the site was moved.
    pub(super) fn moved(&self, key: &UrlKey) -> Option<UrlKey> {
        let (from, to) = self.former.as_ref()?;
        let rest = key.as_str().strip_prefix(&**from).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']))?;
        UrlKey::new(&format!("https://{to}{rest}"))
    }

    /// What a URL of a scrape is on the site, if the scrape was made elsewhere: by the longest of the places that it begins with.
    pub(super) fn mapped(&self, key: &UrlKey) -> Option<UrlKey> {
        let fits = self.mapped.iter().filter_map(|(from, to)| {
            let rest = key.as_str().strip_prefix(&**from)?;
            (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((from.len(), to, rest))
        });
        let (_, to, rest) = fits.max_by_key(|(length, ..)| *length)?;
        UrlKey::new(&format!("https://{to}{rest}"))
    }

    /// Whether this host (of a key) is the site's own.
    pub(super) fn is_own(&self, host: &str) -> bool {
        self.own.contains_key(host)
    }

    /// Whether what is on this host is not external: it is the site's own, or has many of its records.
    pub(super) fn is_internal(&self, host: &str) -> bool {
        self.own.contains_key(host) || self.internal.contains(host)
    }

    /// The own hosts that are one site with this one, and it; it alone where they are too
    /// many, none for a host of others.
    pub(super) fn together(&self, host: &str) -> &[Box<str>] {
        let hosts = self.own.get(host).map_or(&[][..], |&number| &self.together[number as usize]);
        if hosts.len() <= MOST_HOSTS {
            return hosts;
        }
        hosts.binary_search_by(|own| (**own).cmp(host)).map_or(&[], |at| &hosts[at..=at])
    }

    /// Whether the own hosts are not one site.
    pub(super) fn are_several_sites(&self) -> bool {
        self.together.len() > 1
    }

    /// Whether two own hosts are different sites.
    pub(super) fn are_apart(&self, a: &str, b: &str) -> bool {
        self.own.get(a).zip(self.own.get(b)).is_some_and(|(a, b)| a != b)
    }
}

fn starts_segment(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}
