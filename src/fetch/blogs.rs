//! Finds the other blogs of a multisite, each of which has an API and ids of its own: pages name theirs as versions in other languages, and
//! sitemaps list them.

use super::address::{is_same_site, normalise, origin, path_and_query};
use crate::page::Head;
use crate::wordpress::{rest_home, route};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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
    /// Pages that name another API, with its home, and the versions that pages name, as hashes of their URLs and of what they show.
    found: HashMap<u64, String>,
    versions: HashSet<u64>,
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

    /// Takes a page that was asked for at `url`, and is at `place`: of another blog if it names another API, no record lies there, and no
    /// page names it as a version of the record that it shows: what is translated in place has the id of the original. Authors are of
    /// all blogs.
    pub(super) fn note_page(&mut self, url: &str, place: &str, head: &Head) {
        let home = home_of(head).filter(|home| self.own.as_ref().is_some_and(|own| own != home));
        let is_own = |url: &str| self.links.contains(&xxh3_64(url.as_bytes()));
        let shown = shown(head).filter(|(base, _)| base != "users" && !is_own(url) && !is_own(place));
        self.found.extend(shown.zip(home).map(|(shown, home)| (hash(url, &shown), home)));
    }

    /// Takes the URL of a version of the page at `page`, which shows this.
    pub(super) fn note_version(&mut self, page: &str, version: &str, shown: Option<&Shown>) {
        self.versions.extend(shown.filter(|_| page != version).map(|shown| hash(version, shown)));
    }

    /// Takes a version of the page at `page` that is on another host. What translates a site as a whole keeps its paths.
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

/// The record that a page shows, as its head states.
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
