//! Finds the other blogs of a WordPress multisite: pages name them as versions in other languages, and sitemaps list their pages. Each has
//! its own API and its own ids.

use super::address::{is_same_site, normalise, origin, path_and_query};
use crate::page::Head;
use crate::wordpress::{rest_home, route};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_64;

/// The most blogs that are kept: a page could name any number of them.
const MOST: usize = 250;

/// The record that a page shows, by its route in the API and its id.
pub(super) type Shown = (String, i64);

/// Other blogs that pages have named so far.
#[derive(Default)]
pub(super) struct OtherBlogs {
    /// The home of the API that is being fetched.
    own: Option<String>,
    /// The links of records, as hashes: a page at one of these belongs to this blog, whatever API it names.
    links: HashSet<u64>,
    /// The hosts of records: each language of one blog may have its own.
    hosts: BTreeSet<String>,
    /// The pages that name another API, each with the home of that API.
    found: HashMap<u64, String>,
    /// The versions that pages name, as hashes of their URL and of the record that they show.
    versions: HashSet<u64>,
    /// The hosts that are not requested, and whether a version there had a different path than its page.
    elsewhere: BTreeMap<String, bool>,
}

impl OtherBlogs {
    /// Creates an empty list for the blog whose front page has this head; that blog is not in it.
    pub(super) fn than(head: &Head) -> Self {
        OtherBlogs { own: home_of(head), ..OtherBlogs::default() }
    }

    /// Notes the link of a record.
    pub(super) fn note_link(&mut self, url: &str) {
        self.links.insert(xxh3_64(url.as_bytes()));
        if !self.hosts.contains(origin(url)) && self.hosts.len() < MOST {
            self.hosts.insert(origin(url).to_owned());
        }
    }

    /// Notes a page that was requested at `url` and found at `place`. It belongs to another blog if it names another API, no record has its
    /// URL, and no page names it as a version of the record that it shows: a page translated in place has the id of the original. Authors
    /// are shared by all blogs.
    pub(super) fn note_page(&mut self, url: &str, place: &str, head: &Head) {
        let home = home_of(head).filter(|home| self.own.as_ref().is_some_and(|own| own != home));
        let is_own = |url: &str| self.links.contains(&xxh3_64(url.as_bytes()));
        let shown = shown(head).filter(|(base, _)| base != "users" && !is_own(url) && !is_own(place));
        self.found.extend(shown.zip(home).map(|(shown, home)| (hash(url, &shown), home)));
    }

    /// Notes the URL of a version of the page at `page`; `shown` is the record that it shows.
    pub(super) fn note_version(&mut self, page: &str, version: &str, shown: Option<&Shown>) {
        self.versions.extend(shown.filter(|_| page != version).map(|shown| hash(version, shown)));
    }

    /// Notes a version of the page at `page` that is on another host. Services that translate a whole site keep its paths.
    pub(super) fn note_elsewhere(&mut self, page: &str, version: &str) {
        if !is_same_site(page, version) && (self.elsewhere.len() < MOST || self.elsewhere.contains_key(origin(version)))
        {
            *self.elsewhere.entry(origin(version).to_owned()).or_default() |=
                path_and_query(page) != path_and_query(version);
        }
    }

    pub(super) fn homes(self) -> Vec<String> {
        let is_blog = |(host, differs): &(String, bool)| *differs && !self.hosts.contains(host);
        let elsewhere = self.elsewhere.into_iter().filter(is_blog).map(|(host, _)| host + "/");
        let found = self.found.into_iter().filter(|(page, _)| !self.versions.contains(page)).map(|(_, home)| home);
        let homes: BTreeSet<String> = found.chain(elsewhere).collect();
        homes.into_iter().take(MOST).collect()
    }
}

/// The record that a page shows, as stated in its head.
pub(super) fn shown(head: &Head) -> Option<Shown> {
    head.json_alternates.iter().find_map(|href| route(href).and_then(|(base, id)| Some((base, id?))))
}

fn hash(url: &str, (base, id): &Shown) -> u64 {
    xxh3_64(format!("{url} {base} {id}").as_bytes())
}

/// The home of the API that a page names.
fn home_of(head: &Head) -> Option<String> {
    normalise(rest_home(head.rest_root.as_deref()?))
}
