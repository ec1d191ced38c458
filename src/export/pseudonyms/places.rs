//! Collects the URLs that users and commenters give as their own, to find them wherever else they occur.

use crate::urls::bare_host;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// URLs of persons, and the hosts of their site, whose URLs do not identify anybody.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    persons: BTreeMap<String, String>,
    own: BTreeSet<String>,
}

impl Places {
    /// Notes the URL of a person.
    pub(super) fn learn(&mut self, url: &str, pseudonym: &str) {
        if let Some(key) = key(url) {
            self.persons.entry(key).or_insert_with(|| pseudonym.to_owned());
        }
    }

    /// Notes that the host of a URL is the site's.
    pub(super) fn learn_own(&mut self, url: &str) {
        if let Some(host) = key(url).map(|key| host_of(&key).to_owned()) {
            self.own.insert(host);
        }
    }

    /// Whether a text may contain a URL after its beginning.
    pub(super) fn may_hold(text: &str) -> bool {
        text.rfind("http").is_some_and(|at| at > 0)
    }

    /// Finds persons' URLs at the ends of the parts of another URL. Returns their places and replacements.
    pub(super) fn find<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (Range<usize>, String)> + 't {
        let mut end = 0;
        text.split(['&', ' ', '"', '\'', '<', '>']).filter_map(move |part| {
            end += part.len() + 1;
            let at = part.rfind("http").filter(|_| !self.persons.is_empty())?;
            Some((end - 1 - part.len() + at..end - 1, self.rewrite(&part[at..])?))
        })
    }

    /// The replacement for a person's URL, or for one below it. A bare host matches only itself: its pages may be anybody's.
    pub(super) fn rewrite(&self, url: &str) -> Option<String> {
        if self.persons.is_empty() {
            return None;
        }
        let key = key(url)?;
        if self.own.contains(host_of(&key)) {
            return None;
        }
        let mut part = key.as_str();
        loop {
            if let Some(pseudonym) = self.persons.get(part) {
                return Some(format!("https://{pseudonym}.invalid/"));
            }
            part = part.rsplit_once('/')?.0;
            if !part.contains('/') {
                return None;
            }
        }
    }
}

/// A URL without differences in spelling: scheme, www, query, fragment, the slash at its end, the case of its host.
fn key(url: &str) -> Option<String> {
    let url = url.trim();
    let rest = ["https://", "http://", "//"].iter().find_map(|scheme| strip(url, scheme))?;
    let rest = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.to_ascii_lowercase();
    host.contains(['.', ':']).then(|| [bare_host(&host), path].concat())
}

fn strip<'u>(url: &'u str, scheme: &str) -> Option<&'u str> {
    let start = url.get(..scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then(|| &url[scheme.len()..])
}

fn host_of(key: &str) -> &str {
    key.split('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persons_url_is_found_however_it_is_written() {
        let mut places = Places::default();
        assert_eq!(places.rewrite("https://bob.example/"), None);
        places.learn("http://www.Bob.example", "person-b");
        places.learn("https://social.example/@ann/", "person-a");
        places.learn("https://a.example/blog/bob/", "person-b");
        places.learn_own("https://www.a.example/blog/wp-json/");
        for (url, whose) in [
            ("https://bob.example/", Some("person-b")),
            ("HTTP://WWW.BOB.EXAMPLE?utm=1#x", Some("person-b")),
            ("//bob.example", Some("person-b")),
            ("https://bob.example/else/", None),
            ("https://social.example/@ann", Some("person-a")),
            ("https://social.example/@ann/1/2?x", Some("person-a")),
            ("https://social.example/@anna", None),
            ("https://social.example/", None),
            ("https://a.example/blog/bob/", None),
            ("/@ann", None),
            ("mailto:bob@bob.example", None),
            ("https://é", None),
        ] {
            let want = whose.map(|whose| format!("https://{whose}.invalid/"));
            assert_eq!(places.rewrite(url), want, "{url}");
        }
    }
}
