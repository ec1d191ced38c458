//! Finds the home URL of a site by the API addresses of its records: the shortest one counts. Without any, it is the host of a link.
//! Languages may have their own homes below it.

use super::prefix::{origin_of, rest_after};
use crate::urls::UrlKey;
use crate::wordpress::{rest_home, rest_root};

/// The URL of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Home {
    /// Its key.
    pub(super) key: String,
    /// Its scheme and host as written.
    pub(super) origin: String,
}

impl Home {
    /// The placeholder for a site whose host is unknown. The domain is reserved: <https://www.rfc-editor.org/rfc/rfc2606#section-2>
    pub(super) fn unknown() -> Self {
        Home { key: "site.invalid".to_owned(), origin: "http://site.invalid".to_owned() }
    }
}

/// The home, as far as it is known.
#[derive(Default)]
pub(super) struct Homes {
    found: Option<Home>,
    /// Whether an API address stated it.
    is_named: bool,
    /// Root of the API of the last record, and the key of that site: most records have the same.
    api: (Option<String>, Option<UrlKey>),
}

impl Homes {
    /// Considers a link with its key, and the record's API address if it has one; links alone are weaker evidence.
    pub(super) fn learn(&mut self, link: &str, key: &UrlKey, self_link: Option<&str>) {
        let is_named = self_link.is_some();
        if self.found.is_some() && !is_named {
            return;
        }
        let root = self_link.and_then(rest_root);
        if root != self.api.0.as_deref() {
            self.api = (root.map(str::to_owned), root.and_then(|root| UrlKey::new(rest_home(root))));
        }
        // Some hosts serve the APIs of all their sites from one address; in that case the link decides.
        let named = self.api.1.as_ref().filter(|site| rest_after(key.as_str(), site.as_str()).is_some());
        let home = named.map_or(key.host(), UrlKey::as_str);
        let is_shorter = self.found.as_ref().is_none_or(|known| home.len() < known.key.len());
        if (is_shorter || is_named && !self.is_named)
            && let Some(origin) = origin_of(link)
        {
            self.found = Some(Home { key: home.to_owned(), origin: origin.to_owned() });
            self.is_named = is_named;
        }
    }

    /// The home, if one was found.
    pub(super) fn into_found(self) -> Option<Home> {
        self.found
    }
}
