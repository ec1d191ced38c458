//! Finds the other blogs of a multisite, each of which has an API and ids of its own: pages name theirs as versions in other languages.

use super::address::{is_same_site, normalise, origin, path_and_query};
use crate::page::Head;
use crate::wordpress::{rest_home, route};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use xxhash_rust::xxh3::xxh3_64;

/// Blogs that are named: a page could name any number of them.
const MOST: usize = 250;

/// The record that a page shows, by its route in the API and its id.
pub(super) type Shown = (String, i64);

/// Other blogs, as far as pages have named them.
#[derive(Default)]
pub(super) struct OtherBlogs {
    /// The home of the API that is fetched.
    own: Option<String>,
    /// The links of records, as hashes: what lies there is of this blog, whatever the API that it names.
    links: HashSet<u64>,
    /// Hosts of records: languages of one blog may have one each.
    hosts: BTreeSet<String>,
    /// Homes of other APIs.
    found: BTreeSet<String>,
    /// Hosts that are not asked, and whether the path of a version there was another one than that of its page.
    elsewhere: BTreeMap<String, bool>,
}

impl OtherBlogs {
    /// Those that are not the blog with this front page.
    pub(super) fn than(head: &Head) -> Self {
        OtherBlogs { own: home_of(head), ..OtherBlogs::default() }
    }

    /// Takes the link of a record.
    pub(super) fn note_link(&mut self, url: &str) {
        self.links.insert(xxh3_64(url.as_bytes()));
        if !self.hosts.contains(origin(url)) && self.hosts.len() < MOST {
            self.hosts.insert(origin(url).to_owned());
        }
    }

    /// Takes the page at `url`, which a page of `of` names as its version: of another blog if it names another API, and shows another
    /// record there. What a plugin translates in place has the id of the original.
    pub(super) fn note_version(&mut self, url: &str, head: &Head, of: Option<&Shown>) {
        let is_other = of.is_some() && shown(head).is_some_and(|shown| Some(&shown) != of);
        let home = home_of(head).filter(|home| is_other && self.own.as_ref().is_some_and(|own| own != home));
        if !self.links.contains(&xxh3_64(url.as_bytes())) && self.found.len() < MOST {
            self.found.extend(home);
        }
    }

    /// Takes a version of the page at `page` that is on another host. What translates a site as a whole keeps its paths.
    pub(super) fn note_elsewhere(&mut self, page: &str, version: &str) {
        if !is_same_site(page, version) && (self.elsewhere.len() < MOST || self.elsewhere.contains_key(origin(version)))
        {
            *self.elsewhere.entry(origin(version).to_owned()).or_default() |=
                path_and_query(page) != path_and_query(version);
        }
    }

    /// Their homes.
    pub(super) fn homes(self) -> Vec<String> {
        let is_blog = |(host, differs): &(String, bool)| *differs && !self.hosts.contains(host);
        let elsewhere = self.elsewhere.into_iter().filter(is_blog).map(|(host, _)| host + "/");
        self.found.into_iter().chain(elsewhere).collect()
    }
}

/// The record that a page shows, as its head states.
pub(super) fn shown(head: &Head) -> Option<Shown> {
    head.json_alternates.iter().find_map(|href| route(href).and_then(|(base, id)| Some((base, id?))))
}

/// The home of the API that a page names.
fn home_of(head: &Head) -> Option<String> {
    normalise(rest_home(head.rest_root.as_deref()?))
}
