//! Maps URLs of a scrape to the site if they differ in host or leading path (moved sites, local mirrors). The pages'
//! claims reveal the mapping: if a record's link and its page's URL have the same end, the parts before it are the same
//! place. Other modules decide which pages belong to which records.

use crate::scrape::NO_HOST;
use crate::urls::{UrlKey, split_common_end};
use crate::wordpress::without_query;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// URLs that begin with `from` in the scrape begin with `to` on the site; both are normalised, without scheme and
/// trailing slash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Prefix {
    pub(super) from: String,
    pub(super) to: String,
    /// Scheme and host of the site, as written there.
    pub(super) to_origin: String,
}

/// The known prefixes by host; for each host, the longest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefixes(HashMap<String, Vec<Prefix>>);

impl Prefixes {
    pub(super) fn add(&mut self, prefix: Prefix) {
        let of_host = self.0.entry(host_of(&prefix.from).to_owned()).or_default();
        of_host.push(prefix);
        of_host.sort_by_key(|prefix| std::cmp::Reverse(prefix.from.len()));
    }

    /// The pairs in which both sides have a host, sorted.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let known = self.0.iter().filter(|(host, _)| *host != NO_HOST).flat_map(|(_, prefixes)| prefixes);
        let mut pairs: Vec<(String, String)> = known.map(|prefix| (prefix.from.clone(), prefix.to.clone())).collect();
        pairs.sort();
        pairs
    }

    /// The folder of the site to which the top of a scrape without hosts is mapped.
    pub(super) fn folder_of_top(&self) -> Option<&str> {
        let top = self.0.get(NO_HOST)?.iter().find(|prefix| prefix.from == NO_HOST)?;
        Some(&*top.to).filter(|to| to.contains('/'))
    }

    /// Maps a key of the scrape to the key of the site's URL.
    pub(super) fn map<'k>(&self, key: &'k str) -> Cow<'k, str> {
        match self.find(key) {
            Some((prefix, rest)) => Cow::Owned(format!("{}{rest}", prefix.to)),
            None => Cow::Borrowed(key),
        }
    }

    /// As [`Prefixes::map`], for an owned key.
    pub(super) fn map_key(&self, key: UrlKey) -> String {
        match self.find(key.as_str()) {
            Some((prefix, rest)) => format!("{}{rest}", prefix.to),
            None => key.into_string(),
        }
    }

    pub(super) fn changes(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// Maps a URL of the scrape, whose key is `key`, to the site; `None` if it does not change.
    pub(super) fn map_url(&self, url: &str, key: &str) -> Option<String> {
        let (prefix, rest) = self.find(key)?;
        let path = prefix.to.find('/').map_or("", |at| &prefix.to[at..]);
        let (path_rest, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let slash = if without_query(url).ends_with('/') { "/" } else { "" };
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        Some(format!("{}{path}{path_rest}{slash}{query}", prefix.to_origin))
    }

    fn find<'k>(&self, key: &'k str) -> Option<(&Prefix, &'k str)> {
        self.0.get(host_of(key))?.iter().find_map(|prefix| Some((prefix, rest_after(key, &prefix.from)?)))
    }
}

/// The rest of `key` after `prefix`, if the prefix ends at a host or segment boundary.
pub(crate) fn rest_after<'k>(key: &'k str, prefix: &str) -> Option<&'k str> {
    let rest = key.strip_prefix(prefix)?;
    (rest.is_empty() || rest.starts_with(['/', '?'])).then_some(rest)
}

/// The host of a key.
pub(super) fn host_of(key: &str) -> &str {
    &key[..key.bytes().position(|b| matches!(b, b'/' | b'?')).unwrap_or(key.len())]
}

/// Scheme and host of a URL as written.
pub(super) fn origin_of(url: &str) -> Option<&str> {
    let at = url.find("://")? + 3;
    let end = url[at..].bytes().position(|b| matches!(b, b'/' | b'?' | b'#'));
    Some(&url[..end.map_or(url.len(), |end| at + end)])
}

/// The votes of the claims, by host.
#[derive(Default)]
pub(super) struct Votes(BTreeMap<String, HostVotes>);

#[derive(Default)]
struct HostVotes {
    /// Number of records that pages of this host claim.
    records: u64,
    /// Hosts of records whose page is at the record's own link.
    same: BTreeSet<String>,
    prefixes: BTreeMap<Prefix, u64>,
}

impl Votes {
    /// Counts a record: the key of its link, the link as written, and the keys of the pages that claim it.
    pub(super) fn count(&mut self, link: &str, url: &str, pages: &[String]) {
        let mut hosts: BTreeMap<&str, BTreeSet<Prefix>> = BTreeMap::new();
        for page in pages {
            let prefixes = hosts.entry(host_of(page)).or_default();
            if page == link {
                let same = &mut self.of(host_of(page)).same;
                if !same.contains(host_of(link)) {
                    same.insert(host_of(link).to_owned());
                }
            } else if let (Some((from, to)), Some(origin)) = (split_common_end(page, link), origin_of(url)) {
                prefixes.insert(Prefix { from: from.to_owned(), to: to.to_owned(), to_origin: origin.to_owned() });
            }
        }
        for (host, prefixes) in hosts {
            let votes = self.of(host);
            votes.records += 1;
            for prefix in prefixes {
                *votes.prefixes.entry(prefix).or_default() += 1;
            }
        }
    }

    /// Whether any page that claims a record is at the record's link.
    pub(super) fn has_page_at_link(&self) -> bool {
        self.0.values().any(|votes| !votes.same.is_empty())
    }

    fn of(&mut self, host: &str) -> &mut HostVotes {
        if !self.0.contains_key(host) {
            self.0.insert(host.to_owned(), HostVotes::default());
        }
        self.0.get_mut(host).expect("it is there now")
    }

    /// The prefixes on which the claims agree, as (prefix, records that agree, all records).
    pub(super) fn decide(self) -> Vec<(Prefix, u64, u64)> {
        let settled: BTreeSet<String> = self.0.values().flat_map(|votes| votes.same.iter().cloned()).collect();
        let mut decided = Vec::new();
        for (host, votes) in self.0 {
            let Some(most) = votes.prefixes.values().max().copied() else { continue };
            if !votes.same.is_empty() {
                continue;
            }
            // Plugins that show one id in several languages also vote for the directory of each language; the shortest
            // prefix is the site's.
            let strong = votes.prefixes.into_iter().filter(|(_, n)| *n * 2 >= most);
            let Some((prefix, n)) = strong.min_by_key(|(prefix, _)| (prefix.from.len(), prefix.to.len())) else {
                continue;
            };
            // If the scrape also has the record's own host, this host is another site, whose ids agree only by chance.
            let is_other = host != NO_HOST && settled.contains(host_of(&prefix.to));
            if !is_other && n * 2 >= votes.records {
                decided.push((prefix, n, votes.records));
            }
        }
        decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(records: &[(&str, &[&str])]) -> Vec<(String, String)> {
        let mut votes = Votes::default();
        for (link, pages) in records {
            let pages: Vec<String> = pages.iter().map(|p| (*p).to_owned()).collect();
            votes.count(link, "https://new.example", &pages);
        }
        votes.decide().into_iter().map(|(p, ..)| (p.from, p.to)).collect()
    }

    fn one(from: &str, to: &str) -> Vec<(String, String)> {
        vec![(from.to_owned(), to.to_owned())]
    }

    #[test]
    fn a_mirror_is_learned_from_its_claims() {
        assert_eq!(
            decide(&[("a.example/x", &["b.example/m/x"]), ("a.example/y/z", &["b.example/m/y/z"])]),
            one("b.example/m", "a.example")
        );
        assert_eq!(decide(&[("a.example/blog/x", &["b.example/x"])]), one("b.example", "a.example/blog"));
        let languages: &[&str] = &["m.example/x", "m.example/fr/x", "m.example/x/embed"];
        assert_eq!(
            decide(&[("a.example/x", languages), ("a.example/y", &["m.example/fr/y", "m.example/y"])]),
            one("m.example", "a.example")
        );
    }

    #[test]
    fn a_host_that_has_the_links_themselves_is_no_mirror() {
        assert_eq!(
            decide(&[("a.example/x", &["a.example/x", "a.example/fr/x"]), ("a.example/y", &["a.example/fr/y"])]),
            []
        );
    }

    #[test]
    fn a_second_blog_is_no_mirror_though_its_ids_collide() {
        let hello: &[&str] = &["a.example/hello", "b.example/hello"];
        assert_eq!(decide(&[("a.example/hello", hello), ("a.example/x", &["b.example/q"])]), []);
        assert_eq!(
            decide(&[
                ("a.example/hello", &["b.example/hello"]),
                ("a.example/x", &["b.example/q"]),
                ("a.example/y", &["b.example/r"])
            ]),
            []
        );
    }

    #[test]
    fn urls_are_mapped_with_their_slashes_and_queries() {
        let mut prefixes = Prefixes::default();
        prefixes.add(Prefix {
            from: "m.example/s".into(),
            to: "a.example/blog".into(),
            to_origin: "https://www.a.example".into(),
        });
        assert_eq!(prefixes.map("m.example/s/x"), "a.example/blog/x");
        assert_eq!(prefixes.map("m.example/sx"), "m.example/sx");
        let url = prefixes.map_url("http://m.example/s/x/?a=1#b", "m.example/s/x?a=1");
        assert_eq!(url.as_deref(), Some("https://www.a.example/blog/x/?a=1"));
        assert_eq!(prefixes.map_url("http://m.example/t", "m.example/t"), None);
    }
}
