//! Locates a URL within a site: its host, the directory of its language, and whether it is a front page. The lookup decides which record it
//! leads to.

use super::hosts::Hosts;
use super::votes::{Settled, looks_like_code};
use crate::language::LanguageTag;
use crate::urls::UrlKey;

/// Hosts and language directories of a site.
pub(super) struct Places {
    pub(super) hosts: Hosts,
    pub(super) languages: Settled,
}

impl Places {
    /// Length of the part of a path that leads to a front page: the site's own path, and the language's directory in it. The path is that
    /// of a key on an own host.
    pub(super) fn root(&self, host: &str, path: &str) -> usize {
        self.language_directory(path).max(self.hosts.base(host, path))
    }

    /// Length of the path up to the end of the language's directory; 0 if the path is not in one. The path is that of a key on an own host.
    pub(super) fn language_directory(&self, path: &str) -> usize {
        let mut end = 0;
        for segment in path.split('/').skip(1).take(2) {
            end += 1 + segment.len();
            if self.languages.is_directory(&path[..end]) {
                return end;
            }
        }
        0
    }

    /// Whether this path (of a key on an own host) is a front page's.
    pub(super) fn is_front(&self, host: &str, path: &str) -> bool {
        self.root(host, path) == path.len() && !(path.is_empty() && self.hosts.has_base(host))
    }

    /// Whether this is the front page of the site or of one of its languages; `code` is a language whose directory is accepted without
    /// confirmation.
    pub(super) fn is_home(&self, key: &UrlKey, code: Option<&str>) -> bool {
        let path = key.path();
        if key.query().is_some_and(|query| !query.starts_with("lang=")) {
            return false;
        }
        let stated = || {
            let code = code.and_then(|code| code.split('-').next());
            let below = &path[self.hosts.base(key.host(), path)..];
            let segment = below.strip_prefix('/').filter(|rest| !rest.contains('/') && looks_like_code(rest));
            let tag = segment.and_then(LanguageTag::parse);
            tag.is_some_and(|tag| Some(tag.primary()) == code)
        };
        self.is_front(key.host(), path) || stated()
    }
}

/// Whether [`Places::is_home`] may be true for this URL once the directories are known.
pub(super) fn may_be_home(key: &UrlKey, home: Option<&UrlKey>) -> bool {
    let path = key.path();
    let last = path.rsplit('/').next().unwrap_or_default();
    path.is_empty()
        || home.is_some_and(|home| home.page() == key.page())
        || (looks_like_code(last) && path.bytes().filter(|&b| b == b'/').count() <= 2)
}
