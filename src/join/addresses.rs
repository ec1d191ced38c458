//! The URLs of a saved page: as keys for comparison, as the site writes them, and as aliases of a record. Other modules decide which record
//! a page belongs to.

use super::home::Home;
use super::prefix::{Prefixes, host_of, origin_of};
use crate::scrape::{NO_HOST, Page};
use crate::urls::UrlKey;
use std::collections::HashSet;

/// The known URLs of the site, and their counterparts in the scrape.
#[derive(Default)]
pub(super) struct Addresses {
    pub(super) prefixes: Prefixes,
    pub(super) home: Option<Home>,
}

impl Addresses {
    /// The keys of the URLs of a page.
    pub(super) fn keys(&self, page: &Page) -> Keys {
        let key = UrlKey::new(&page.location());
        let is_moved = key.as_ref().is_some_and(|key| key.host() != NO_HOST && self.prefixes.changes(key.as_str()));
        let location = key.map(|key| self.prefixes.map_key(key)).unwrap_or_default();
        let states_location = page.states_its_location();
        let stated = page.stated().filter(|_| !states_location).and_then(|url| UrlKey::new(&url));
        Keys { location, is_moved, states_location, stated: stated.map(|key| self.prefixes.map_key(key)) }
    }

    /// The URL of a page on the site: the one that it states, if wanted, otherwise that of its file; `None` if the host is unknown.
    pub(super) fn own_url(&self, page: &Page, stated: bool) -> Option<String> {
        let stated = page.stated().filter(|_| stated && !page.is_redirect);
        let location = page.location();
        let url = stated.as_deref().unwrap_or(&location);
        let key = UrlKey::new(url)?;
        if let Some(mapped) = self.prefixes.map_url(url, key.as_str()) {
            return Some(mapped);
        }
        if key.host() == NO_HOST {
            return None;
        }
        // A path reveals neither https nor www.; the site's home does.
        let home = self.home.as_ref().filter(|home| stated.is_none() && host_of(&home.key) == key.host());
        Some(match home {
            Some(home) => format!("{}{}", home.origin, &url[origin_of(url)?.len()..]),
            None => url.to_owned(),
        })
    }

    /// The URL that a page was saved from, mapped to the site if the scrape was made elsewhere.
    pub(super) fn place(&self, page: &Page) -> String {
        let location = page.location();
        let key = UrlKey::new(&location);
        let mapped = self.prefixes.map_url(&location, key.as_ref().map_or("", UrlKey::as_str));
        mapped.unwrap_or_else(|| location.into_owned())
    }

    /// Adds the URLs of a page to the aliases of its record; `link` is the key of the record's link.
    pub(super) fn add_names(&self, page: &Page, keys: &Keys, link: &str, aliases: &mut Vec<String>) {
        self.add_place(page, keys, link, aliases);
        // If a page at the record's link states another URL, that is the URL of another record: plugins do this where a translation is
        // missing.
        if link != keys.location {
            self.add(page.stated().as_deref(), aliases);
        }
    }

    /// Adds the URL that a page was saved from, both on the site and in the scrape, and the name of its file.
    pub(super) fn add_place(&self, page: &Page, keys: &Keys, link: &str, aliases: &mut Vec<String>) {
        if page.is_certain {
            let location = page.location();
            // Most pages are at their records' links: this saves `tidy` a comparison.
            if keys.location != link || keys.is_moved || location.contains("/index.php") {
                self.add(Some(&location), aliases);
            }
        }
        if let Some(file) = page.file_url() {
            self.add(Some(&file), aliases);
        }
    }

    /// Adds a URL; if the scrape was made elsewhere, also the corresponding URL on the site.
    pub(super) fn add(&self, url: Option<&str>, aliases: &mut Vec<String>) {
        let Some((url, key)) = url.and_then(|url| Some((url, UrlKey::new(url)?))) else { return };
        match self.prefixes.map_url(url, key.as_str()) {
            Some(mapped) => {
                aliases.push(mapped);
                if key.host() != NO_HOST {
                    aliases.push(url.to_owned());
                }
            }
            None if key.host() != NO_HOST => aliases.push(self.as_site_writes(url, &key)),
            None => {}
        }
    }

    /// Rewrites scheme and host of a URL as the site writes them, if the URL is on the site: a path reveals neither https nor www., and a
    /// URL that is not mapped belongs to the site.
    fn as_site_writes(&self, url: &str, key: &UrlKey) -> String {
        let home = self.home.as_ref().filter(|home| host_of(&home.key) == key.host());
        home.map_or_else(
            || url.to_owned(),
            |home| format!("{}{}", home.origin, &url[origin_of(url).map_or(0, str::len)..]),
        )
    }
}

/// The keys of the URLs of a page on the site.
pub(super) struct Keys {
    pub(super) location: String,
    /// Whether the page was saved from another host or folder.
    is_moved: bool,
    states_location: bool,
    /// The URL that the page states, if it differs from its location.
    stated: Option<String>,
}

impl Keys {
    pub(super) fn stated(&self) -> Option<&str> {
        if self.states_location { Some(&self.location) } else { self.stated.as_deref() }
    }

    /// The location without the file ending added by wget and HTTrack.
    pub(super) fn bare(&self) -> Option<&str> {
        self.location.strip_suffix(".html").or_else(|| self.location.strip_suffix(".htm"))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let stated = self.stated().filter(|stated| *stated != self.location);
        [Some(self.location.as_str()), self.bare(), stated].into_iter().flatten()
    }
}

/// Sorts aliases; drops those that equal the record's own link, whose key is `link`, and duplicates with the same key.
pub(super) fn tidy(aliases: &mut Vec<String>, link: &str) {
    if aliases.is_empty() {
        return;
    }
    aliases.sort();
    aliases.dedup();
    let mut seen = HashSet::from([link.to_owned()]);
    aliases.retain(|alias| {
        let Some(key) = UrlKey::new(alias) else { return false };
        // Keys ignore the script `index.php`; redirects do not.
        let key = if alias.contains("/index.php") { alias.clone() } else { key.as_str().to_owned() };
        seen.insert(key)
    });
}
