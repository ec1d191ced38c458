//! Resolves host names for `wire`, and refuses addresses in private networks.

use super::super::address::is_public;
use super::tape::Shared;
use std::sync::OnceLock;
use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::unversioned::transport::time::Duration;

/// Resolves host names, and refuses addresses in private networks: a public site's name must not lead to a server
/// inside the user's network. Only a site that is private from the first request on may be there.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) host: String,
    pub(super) proxy: Option<String>,
    /// Whether the site's own host has a private address.
    pub(super) is_private: OnceLock<bool>,
    pub(super) tape: Shared,
    pub(super) inner: DefaultResolver,
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        // The inner resolver starts a thread to enforce the timeout, and panics if it cannot.
        let after = match std::thread::Builder::new().spawn(|| ()) {
            Ok(_) => timeout.after,
            Err(_) => Duration::NotHappening,
        };
        let addresses = self.inner.resolve(uri, config, NextTimeout { after, ..timeout })?;
        let host = uri.host().unwrap_or_default();
        if self.proxy.as_deref() == Some(host) {
            return Ok(addresses);
        }
        let inside = addresses.iter().map(|address| address.ip()).find(|ip| !is_public(*ip));
        let may_be_inside = host.eq_ignore_ascii_case(&self.host) && *self.is_private.get_or_init(|| inside.is_some());
        match inside {
            Some(ip) if !may_be_inside => {
                self.tape.lock().refused = Some(ip);
                Err(Error::HostNotFound)
            }
            _ => Ok(addresses),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_to_mean_a_server_inside_is_refused() {
        let guard = |host: &str, is_private: Option<bool>| {
            let cell = OnceLock::new();
            is_private.map(|is_private| cell.set(is_private));
            let (proxy, tape, inner) = (None, Shared::default(), DefaultResolver::default());
            Guard { host: host.to_owned(), proxy, is_private: cell, tape, inner }
        };
        let ask_for =
            |guard: &Guard, url: &str| guard.resolve(&url.parse().unwrap(), &Config::default(), NextTimeout::default());
        let ask = |guard: &Guard| ask_for(guard, "http://127.0.0.1/");
        assert!(ask(&guard("127.0.0.1", None)).is_ok(), "the site itself is on this network");
        assert!(ask(&guard("127.0.0.1", Some(false))).is_err(), "the site was public before");
        let other = guard("site.example", None);
        assert!(ask(&other).is_err());
        assert_eq!(other.tape.lock().refused, Some("127.0.0.1".parse().unwrap()));
        for inside in ["http://localhost/", "http://[::1]/", "http://169.254.169.254/", "http://[::ffff:10.0.0.1]/"] {
            assert!(ask_for(&other, inside).is_err(), "{inside}");
        }
        assert!(ask_for(&other, "http://198.51.100.7/").is_ok());
    }
}
