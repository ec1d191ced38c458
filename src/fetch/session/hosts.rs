//! Keeps the hosts of a session: the site, its API's host, and those that media files may come from, each with its own robots.txt.

use super::super::address::{authority, is_same_site};
use super::super::answer::Want;
use super::super::robots::Rules;
use super::Ask;
use std::collections::HashMap;

/// The hosts of a session, and the rules in the robots.txt of each.
pub(in super::super) struct Hosts {
    site: String,
    rules: Rules,
    /// The host of the API, if it differs from the site's.
    api: Option<String>,
    /// Other hosts that media files may come from.
    media: Vec<String>,
    /// The robots rules of every host but the site's: those of media files and of the API.
    others: HashMap<String, Rules>,
}

impl Hosts {
    pub(super) fn new(site: &str, media: &[String]) -> Self {
        let media = media.iter().map(|host| host.to_ascii_lowercase()).collect();
        Hosts { site: site.to_owned(), rules: Rules::none(), api: None, media, others: HashMap::new() }
    }

    pub(super) fn site(&self) -> &str {
        &self.site
    }

    /// Whether a URL is on the site.
    pub(in super::super) fn is_own(&self, url: &str) -> bool {
        is_same_site(&self.site, url)
    }

    /// Notes that the API is on another host, that of `root`. That host has its own robots.txt, and requests to it carry no secret headers.
    pub(in super::super) fn add_api(&mut self, root: &str) {
        self.api = Some(authority(root).to_owned());
    }

    /// Whether a URL is on the API's host.
    pub(super) fn is_of_api(&self, url: &str) -> bool {
        self.api.as_deref() == Some(authority(url))
    }

    /// Whether a missing answer from this URL counts as a failure of the site.
    pub(super) fn is_of_site(&self, url: &str) -> bool {
        self.is_own(url) || self.is_of_api(url)
    }

    /// Whether a request may carry the secret headers: only one to the site, and not in plain text over http if the site is on https.
    pub(super) fn may_have_secrets(&self, url: &str) -> bool {
        self.is_own(url) && (is_encrypted(url) || !is_encrypted(&self.site))
    }

    /// Whether the rules of robots.txt for this URL are known.
    pub(in super::super) fn knows(&self, url: &str) -> bool {
        self.is_own(url) || self.others.contains_key(authority(url))
    }

    pub(super) fn obey(&mut self, url: &str, rules: Rules) {
        if self.is_own(url) {
            self.rules = rules;
        } else {
            self.others.insert(authority(url).to_owned(), rules);
        }
    }

    /// Why robots.txt forbids requesting a URL; `None` if it does not.
    pub(super) fn forbid(&self, url: &str) -> Option<String> {
        let rules = if self.is_own(url) { Some(&self.rules) } else { self.others.get(authority(url)) };
        rules.and_then(|rules| rules.forbid(url))
    }

    pub(in super::super) fn sitemaps(&self) -> Vec<String> {
        self.rules.sitemaps()
    }

    /// Whether media files may come from the host of this URL.
    pub(in super::super) fn may_have_files(&self, url: &str) -> bool {
        self.is_own(url) || self.media.iter().any(|host| host == authority(url))
    }

    /// Whether a request may be redirected to `target`.
    pub(super) fn may_lead(&self, ask: &Ask, target: &str) -> bool {
        let is_of_api = self.is_of_api(&ask.url) && self.is_of_api(target);
        ask.may_leave || self.is_own(target) || is_of_api || ask.want == Want::File && self.may_have_files(target)
    }
}

fn is_encrypted(url: &str) -> bool {
    url.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_goes_to_the_site_and_from_https_never_to_http() {
        let secrets = |site: &str, url: &str| Hosts::new(site, &["cdn.example".to_owned()]).may_have_secrets(url);
        for url in ["https://a.example/p/", "https://www.a.example/"] {
            assert!(secrets("https://a.example/", url) && secrets("http://a.example/", url), "{url}");
        }
        for url in ["http://a.example/p/", "http://www.a.example/wp-json/", "http://a.example/sitemap.xml"] {
            assert!(!secrets("https://a.example/", url) && !secrets("https://www.a.example/x/", url), "{url}");
            assert!(secrets("http://a.example/", url), "{url}");
        }
        assert!(!secrets("https://a.example:8443/", "http://a.example:8443/"));
        for url in
            ["https://cdn.example/a.jpg", "https://b.a.example/", "https://a.example:8443/", "http://a.example:443/"]
        {
            assert!(!secrets("https://a.example/", url) && !secrets("http://a.example/", url), "{url}");
        }
    }
}
