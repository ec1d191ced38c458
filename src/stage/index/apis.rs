//! Detects dumps of two sites under one label: the APIs or exports of two hosts have different items with the same type and id, and neither
//! names the other host as that of a language. Other modules decide what to do about it.

use crate::dump::Item;
use crate::urls::{QuickMap, bare_host};
use crate::wordpress::is_of_wordpress_com;
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet};

/// The most hosts of APIs that are compared.
const MOST: usize = 16;

/// A record that names a host as that of a language contains one of these words: fields of Polylang and its add-ons, WPML and Bogo,
/// and the heads that SEO plugins add.
const LANGUAGE: [&[u8]; 3] = [b"translations\"", b"_original_post", b"hreflang"];

/// The APIs so far, by the numbers of their hosts.
#[derive(Default)]
pub(super) struct Apis {
    hosts: Vec<String>,
    types: QuickMap<String, u32>,
    /// The ids of each host and type, 64 in one number: one or two bits for each record if ids are close to each other.
    ids: QuickMap<(u32, u32, i64), u64>,
    /// For each pair of hosts, the first type and id that both use, and the links of these items.
    shared: BTreeMap<(u32, u32), String>,
    /// The pairs of hosts in which one has named the other.
    named: BTreeSet<(u32, u32)>,
    /// The front page of the site of the export that is being read; empty before the first.
    pub(super) home: String,
}

impl Apis {
    /// Adds an item and its record, `line`. Media and users are skipped: they may be the same in all languages of a site.
    pub(super) fn add(&mut self, item: &Item, line: &[u8]) {
        if !matches!(item.kind, "post" | "term") {
            return;
        }
        let address = of_own_site(item).or(item.self_link.as_ref().and(item.link.as_deref()));
        // Terms of exports have no link that shows whether they are different.
        let of_export = item.link.as_ref().filter(|_| item.via == "wxr").map(|_| &*self.home);
        let host = address.or(of_export).and_then(host_in);
        let Some(host) = host.and_then(|host| number_of(host, &mut self.hosts)) else {
            return;
        };
        let r#type = match self.types.get(&item.r#type) {
            Some(&known) => known,
            None => {
                let next = self.types.len() as u32;
                *self.types.entry(item.r#type.clone()).or_insert(next)
            }
        };
        let (group, bit) = (item.id >> 6, 1 << (item.id & 63));
        *self.ids.entry((host, r#type, group)).or_default() |= bit;
        for other in (0..self.hosts.len() as u32).filter(|&other| other != host) {
            let pair = (host.min(other), host.max(other));
            if !self.shared.contains_key(&pair)
                && self.ids.get(&(other, r#type, group)).is_some_and(|ids| ids & bit != 0)
            {
                let link = item.link.as_deref().unwrap_or("nothing");
                self.shared.insert(pair, format!("{} {} of the latter is {link}", item.r#type, item.id));
            }
            if !self.named.contains(&pair) && names(line, &self.hosts[other as usize]) {
                self.named.insert(pair);
            }
        }
    }

    /// Evidence that two hosts are two sites.
    pub(super) fn clash(&self) -> Option<String> {
        let ((a, b), what) = self.shared.iter().find(|(pair, _)| !self.named.contains(pair))?;
        let host = |at: &u32| &self.hosts[*at as usize];
        Some(format!("{} and {} have different items of one type and id ({what})", host(a), host(b)))
    }
}

/// The number of a host, which is added if there is room.
fn number_of(host: &str, hosts: &mut Vec<String>) -> Option<u32> {
    let known = hosts.iter().position(|known| known == host);
    if known.is_none() && hosts.len() < MOST {
        hosts.push(host.to_owned());
    }
    known.or((hosts.last()? == host).then_some(hosts.len() - 1)).map(|at| at as u32)
}

/// The address of an item in its site's own API.
pub(super) fn of_own_site(item: &Item) -> Option<&str> {
    item.self_link.as_deref().filter(|address| !is_of_wordpress_com(address))
}

/// Whether a record names a host as that of a language.
fn names(line: &[u8], host: &str) -> bool {
    memmem::find(line, host.as_bytes()).is_some() && LANGUAGE.iter().any(|word| memmem::find(line, word).is_some())
}

/// The host of an absolute URL as written, without www.: suitable only for telling hosts apart.
pub(super) fn host_in(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    Some(bare_host(host)).filter(|host| !host.is_empty())
}
