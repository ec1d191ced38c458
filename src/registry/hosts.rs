//! The hosts of a site: its own, those from which it was moved, and the path of the site on each. Learned from its own records, and
//! from the API that they are from.

use crate::urls::{QuickMap, UrlKey, rest_home};

/// A host with fewer than one record in this many of the most used host is a guest (a "page" that links elsewhere).
const GUEST: u32 = 50;

/// Maximum number of remembered hosts of guids.
const REMEMBERED: usize = 4096;

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

/// What the records tell about the hosts, until all are known.
#[derive(Default)]
pub(super) struct HostCounts {
    /// Records of each.
    hosts: QuickMap<Box<str>, u32>,
    /// Host → the path of the site there, if it is not the whole host.
    bases: QuickMap<Box<str>, Box<str>>,
    /// Hosts, with the path of the site there, that guids name, and how often.
    guids: QuickMap<Box<str>, u32>,
}

impl HostCounts {
    /// Counts where a record is.
    pub(super) fn note(&mut self, key: &UrlKey) {
        match self.hosts.get_mut(key.host()) {
            Some(count) => *count += 1,
            None => {
                self.hosts.insert(key.host().into(), 1);
            }
        }
    }

    /// Counts the site that a record at `key` names by its API: the shortest holds, since languages may have their own.
    pub(super) fn note_base(&mut self, key: &UrlKey, home: &UrlKey) {
        let below = key.path().strip_prefix(home.path()).is_some_and(starts_segment);
        if key.host() != home.host() || !below {
            return;
        }
        match self.bases.get_mut(home.host()) {
            Some(base) if base.len() <= home.path().len() => {}
            Some(base) => *base = home.path().into(),
            None => _ = self.bases.insert(home.host().into(), home.path().into()),
        }
    }

    /// Counts a guid that is a shortlink.
    pub(super) fn note_former(&mut self, guid: &UrlKey) {
        if let Some(count) = self.guids.get_mut(guid.page()) {
            *count += 1;
        } else if self.guids.len() < REMEMBERED {
            self.guids.insert(guid.page().into(), 1);
        }
    }

    /// Determines the site's own hosts, when all records are known.
    pub(super) fn close(self) -> Hosts {
        let HostCounts { hosts, bases, guids } = self;
        let most = hosts.values().copied().max().unwrap_or(0);
        let main = hosts.iter().filter(|(_, count)| **count == most).map(|(host, _)| host).min().cloned();
        let Some(main) = main else { return Hosts { own: Vec::new(), former: Vec::new(), bases } };
        let related = |host: &str| {
            let parent = |host: &str| host.split_once('.').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
            let below = |a: &str, b: &str| a.strip_suffix(b).is_some_and(|rest| rest.ends_with('.'));
            let siblings = parent(host) == parent(&main) && parent(host).contains('.');
            below(host, &main) || below(&main, host) || siblings
        };
        let own = hosts.iter().filter(|(host, count)| **count * GUEST >= most || related(host));
        let mut own: Vec<Box<str>> = own.map(|(host, _)| host.clone()).collect();
        own.sort_unstable();
        let all: u32 = guids.values().sum();
        let now = [&*main, bases.get(&main).map_or("", |base| base)].concat();
        let is_own = |site: &str| own.iter().any(|own| Some(&**own) == site.split('/').next());
        let former = guids.into_iter().filter(|(site, count)| count * 2 > all && !is_own(site));
        let former = former.map(|(site, _)| (site, now.clone().into())).collect();
        Hosts { own, former, bases }
    }
}

/// The hosts of a site.
pub(super) struct Hosts {
    own: Vec<Box<str>>,
    /// Those from which the site was moved, and where it is now.
    former: Vec<(Box<str>, Box<str>)>,
    /// As in [`HostCounts`].
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
        self.former.iter().find_map(|(from, to)| {
            let rest =
                key.as_str().strip_prefix(&**from).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']))?;
            UrlKey::new(&format!("https://{to}{rest}"))
        })
    }

    /// The site's own hosts.
    pub(super) fn own(&self) -> &[Box<str>] {
        &self.own
    }

    /// Whether the site's own records use this host (of a key).
    pub(super) fn is_own(&self, host: &str) -> bool {
        self.own.iter().any(|own| **own == *host)
    }
}

fn starts_segment(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}
