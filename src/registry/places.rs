//! The hosts of a site, and the hosts, directories and `?lang=` of its languages, as learned from its own records. This
//! module does not resolve URLs.

use super::{Kind, QuickMap};
use crate::language::LanguageTag;
use crate::urls::UrlKey;

/// A host with fewer than one record in this many of the most used host is a guest (a "page" that links elsewhere).
const GUEST: u32 = 50;

/// Maximum number of remembered segments.
const REMEMBERED: usize = 4096;

/// What the records with a declared language indicate for a place.
#[derive(Clone, Copy)]
struct Vote {
    language: u16,
    count: u32,
    unanimous: bool,
}

impl Vote {
    fn settled(self) -> Option<u16> {
        (self.unanimous && self.count >= 2).then_some(self.language)
    }
}

/// Hosts and language directories of a site.
#[derive(Default)]
pub(super) struct Places {
    hosts: QuickMap<Box<str>, u32>,
    host_votes: QuickMap<Box<str>, Vote>,
    /// For directories `/fr` or `/base/fr`, and for `?fr`.
    votes: QuickMap<Box<str>, Vote>,
    /// Segment → its primary language, if it is a language code.
    codes: QuickMap<Box<str>, Option<Box<str>>>,
    own: Vec<Box<str>>,
}

impl Places {
    /// Counts where a record is, and its declared language.
    pub(crate) fn note(&mut self, kind: Kind, key: &UrlKey, language: Option<(u16, &str)>) {
        match self.hosts.get_mut(key.host()) {
            Some(count) => *count += 1,
            None => {
                self.hosts.insert(key.host().into(), 1);
            }
        }
        let Some((number, tag)) = language else { return };
        if matches!(kind, Kind::User | Kind::Comment) {
            return;
        }
        let primary = tag.split('-').next().unwrap_or(tag);
        vote(&mut self.host_votes, key.host(), number, true);
        for (place, code) in candidates(key) {
            if let Some(found) = self.code(code) {
                let agrees = *found == *primary;
                vote(&mut self.votes, &place, number, agrees);
            }
        }
    }

    /// The primary language of a segment that looks like a language code and is one.
    fn code(&mut self, segment: &str) -> Option<Box<str>> {
        if !looks_like_code(segment) {
            return None;
        }
        if let Some(known) = self.codes.get(segment) {
            return known.clone();
        }
        let code = LanguageTag::parse(segment).map(|tag| Box::from(tag.primary()));
        if self.codes.len() < REMEMBERED {
            self.codes.insert(segment.into(), code.clone());
        }
        code
    }

    /// Determines the site's own hosts.
    pub(crate) fn close(&mut self) {
        let most = self.hosts.values().copied().max().unwrap_or(0);
        let main = self.hosts.iter().filter(|(_, count)| **count == most).map(|(host, _)| host).min();
        let Some(main) = main.cloned() else { return };
        let related = |host: &str| {
            let parent = |host: &str| host.split_once('.').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
            let below = |a: &str, b: &str| a.strip_suffix(b).is_some_and(|rest| rest.ends_with('.'));
            let siblings = parent(host) == parent(&main) && parent(host).contains('.');
            below(host, &main) || below(&main, host) || siblings
        };
        let own = self.hosts.iter().filter(|(host, count)| **count * GUEST >= most || related(host));
        self.own = own.map(|(host, _)| host.clone()).collect();
        self.own.sort_unstable();
    }

    /// Whether the site's own records use this host (of a key).
    pub(crate) fn is_own(&self, host: &str) -> bool {
        self.own.iter().any(|own| **own == *host)
    }

    /// The language of everything at this URL.
    pub(crate) fn language(&self, key: &UrlKey) -> Option<u16> {
        let place = candidates(key).find_map(|(place, _)| self.votes.get(&*place)?.settled());
        place.or_else(|| {
            // Each language may have its own host; a single host for all indicates nothing.
            let language = self.host_votes.get(key.host())?.settled()?;
            let others = self.host_votes.values().filter_map(|vote| vote.settled());
            others.into_iter().any(|other| other != language).then_some(language)
        })
    }

    /// Length of the language's directory in this path (of a key on an own host): 0 if it is in none.
    pub(crate) fn language_directory(&self, path: &str) -> usize {
        let mut end = 0;
        for segment in path.split('/').skip(1).take(2) {
            end += 1 + segment.len();
            if self.votes.get(&path[..end]).is_some_and(|vote| vote.settled().is_some()) {
                return end;
            }
        }
        0
    }

    /// Whether [`Places::is_home`] may be true for this, whatever the directories turn out to mean.
    pub(crate) fn may_be_home(key: &UrlKey) -> bool {
        let path = key.path();
        let last = path.rsplit('/').next().unwrap_or_default();
        path.is_empty() || (looks_like_code(last) && path.bytes().filter(|&b| b == b'/').count() <= 2)
    }

    /// Whether this is the front page of the site or of one of its languages; `code` is a language whose directory
    /// counts without confirmation.
    pub(crate) fn is_home(&self, key: &UrlKey, code: Option<&str>) -> bool {
        let path = key.path();
        if key.query().is_some_and(|query| !query.starts_with("lang=")) {
            return false;
        }
        let stated = || {
            let code = code.and_then(|code| code.split('-').next());
            let segment = path.strip_prefix('/').filter(|rest| !rest.contains('/') && looks_like_code(rest));
            let tag = segment.and_then(LanguageTag::parse);
            tag.is_some_and(|tag| Some(tag.primary()) == code)
        };
        path.is_empty() || self.language_directory(path) == path.len() || stated()
    }
}

fn vote(votes: &mut QuickMap<Box<str>, Vote>, place: &str, language: u16, agrees: bool) {
    match votes.get_mut(place) {
        Some(vote) => {
            vote.count += 1;
            vote.unanimous &= agrees && vote.language == language;
        }
        None => {
            votes.insert(place.into(), Vote { language, count: 1, unanimous: agrees });
        }
    }
}

/// `fr`, `pt-br`, `zh-hant`: whether it looks like a language code.
fn looks_like_code(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    let primary = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    matches!(primary, 2 | 3) && bytes.len() <= 12 && matches!(bytes.get(primary), None | Some(b'-' | b'_'))
}

/// The places in a URL that may indicate a language, most significant first, each with its code: `?lang=fr`, the first
/// and the second directory.
fn candidates(key: &UrlKey) -> impl Iterator<Item = (std::borrow::Cow<'_, str>, &str)> {
    let asked = key.query().and_then(|query| query.split('&').find_map(|parameter| parameter.strip_prefix("lang=")));
    let path = key.path();
    let mut ends = path.match_indices('/').skip(1).map(|(at, _)| at).chain([path.len()]).take(2);
    let mut start = 0;
    let directories = std::iter::from_fn(move || {
        let end = ends.next().filter(|&end| end > start)?;
        let code = &path[start + 1..end];
        start = end;
        Some((std::borrow::Cow::Borrowed(&path[..end]), code))
    });
    asked.into_iter().map(|code| (format!("?{code}").into(), code)).chain(directories)
}
