//! The hosts of a site, and the hosts, directories and `?lang=` of its languages, as learned from its own records. This
//! module does not resolve URLs.

use super::{Kind, QuickMap};
use crate::language::LanguageTag;
use crate::urls::{UrlKey, rest_home};

/// A host with fewer than one record in this many of the most used host is a guest (a "page" that links elsewhere).
const GUEST: u32 = 50;

/// Maximum number of remembered segments.
const REMEMBERED: usize = 4096;

/// What the records with a declared language indicate for a place.
#[derive(Clone, Copy)]
struct Vote {
    language: u16,
    /// Another one, [`SEVERAL`] if there are more; 0 if they agree.
    other: u16,
    count: u32,
    /// Whether the place is named after the language.
    named: bool,
}

/// Is no language.
const SEVERAL: u16 = u16::MAX;

impl Vote {
    fn settled(self) -> Option<u16> {
        (self.other == 0 && self.count >= 2).then_some(self.language)
    }

    fn unite(&mut self, from: u16, to: u16) {
        for language in [&mut self.language, &mut self.other] {
            *language = if *language == from { to } else { *language };
        }
        if self.other == self.language {
            self.other = 0;
        }
    }
}

/// The place of records in no directory that may be a language's.
const ELSEWHERE: &str = "";

/// The site of the API that the last record named: nearly all name one.
#[derive(Default)]
pub(super) struct Home {
    root: String,
    key: Option<UrlKey>,
}

impl Home {
    pub(crate) fn read(&mut self, root: Option<&str>) -> Option<&UrlKey> {
        let root = root?;
        if self.root != root {
            self.key = UrlKey::new(rest_home(root));
            root.clone_into(&mut self.root);
        }
        self.key.as_ref()
    }
}

/// Hosts and language directories of a site.
#[derive(Default)]
pub(super) struct Places {
    hosts: QuickMap<Box<str>, u32>,
    host_votes: QuickMap<Box<str>, Vote>,
    /// For directories `/fr` or `/base/fr`, for `?fr`, and [`ELSEWHERE`].
    votes: QuickMap<Box<str>, Vote>,
    /// Number of records of each language.
    languages: QuickMap<u16, u32>,
    /// Host → the path of the site there, if it is not the whole host.
    bases: QuickMap<Box<str>, Box<str>>,
    /// Segment → its primary language, if it is a language code.
    codes: QuickMap<Box<str>, Option<Box<str>>>,
    own: Vec<Box<str>>,
    /// Hosts, with the path of the site there, that guids name, and how often.
    guids: QuickMap<Box<str>, u32>,
    /// Those from which the site was moved, and where it is now.
    former: Vec<(Box<str>, Box<str>)>,
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
        *self.languages.entry(number).or_default() += 1;
        vote(&mut self.host_votes, key.host(), number, true);
        let mut elsewhere = true;
        for (place, code) in candidates(key) {
            if let Some(found) = self.code(code) {
                elsewhere = false;
                vote(&mut self.votes, &place, number, *found == *primary);
            }
        }
        if elsewhere {
            vote(&mut self.votes, ELSEWHERE, number, true);
        }
    }

    /// Counts the site that a record at `key` names by its API: the shortest holds, since languages may have their own.
    pub(crate) fn note_base(&mut self, key: &UrlKey, home: &UrlKey) {
        let below = key.path().strip_prefix(home.path()).is_some_and(starts_segment);
        if key.host() != home.host() || !below {
            return;
        }
        match self.bases.get_mut(home.host()) {
            Some(base) if base.len() <= home.path().len() => {}
            Some(base) => *base = home.path().into(),
            None => _ = self.bases.insert(home.host().into(), home.path().into()),
        }
    }

    /// Length of the path of the site in a path on an own host.
    pub(crate) fn base(&self, host: &str, path: &str) -> usize {
        let base = self.bases.get(host).filter(|base| path.strip_prefix(&***base).is_some_and(starts_segment));
        base.map_or(0, |base| base.len())
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
        let all: u32 = self.guids.values().sum();
        let now = [&*main, self.bases.get(&main).map_or("", |base| base)].concat();
        let guids = std::mem::take(&mut self.guids).into_iter();
        let former =
            guids.filter(|(site, count)| count * 2 > all && !self.is_own(site.split('/').next().unwrap_or_default()));
        self.former = former.map(|(site, _)| (site, now.clone().into())).collect();
    }

    /// Counts a guid that is a shortlink.
    pub(crate) fn note_former(&mut self, guid: &UrlKey) {
        if let Some(count) = self.guids.get_mut(guid.page()) {
            *count += 1;
        } else if self.guids.len() < REMEMBERED {
            self.guids.insert(guid.page().into(), 1);
        }
    }

    /// What the URL has become, if it is on a host from which the site was moved.
    pub(crate) fn moved(&self, key: &UrlKey) -> Option<UrlKey> {
        self.former.iter().find_map(|(from, to)| {
            let rest =
                key.as_str().strip_prefix(&**from).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']))?;
            UrlKey::new(&format!("https://{to}{rest}"))
        })
    }

    /// The site's own hosts.
    pub(crate) fn own(&self) -> &[Box<str>] {
        &self.own
    }

    /// Whether the site's own records use this host (of a key).
    pub(crate) fn is_own(&self, host: &str) -> bool {
        self.own.iter().any(|own| **own == *host)
    }

    /// How many records declare a language.
    pub(super) fn declared(&self, language: u16) -> u32 {
        self.languages.get(&language).copied().unwrap_or(0)
    }

    /// Whether one place has the one language alone, and another place the other.
    pub(super) fn separates(&self, a: u16, b: u16) -> bool {
        [&self.votes, &self.host_votes].iter().any(|votes| {
            let alone = |language| votes.values().any(|vote| vote.settled() == Some(language));
            alone(a) && alone(b)
        })
    }

    /// Counts what is in one language as in the other.
    pub(super) fn unite(&mut self, from: u16, to: u16) {
        let count = self.languages.remove(&from).unwrap_or(0);
        *self.languages.entry(to).or_default() += count;
        self.votes.values_mut().chain(self.host_votes.values_mut()).for_each(|vote| vote.unite(from, to));
    }

    /// The language of a directory or `?lang=`, if its records agree. One that is not named after it (`br` for pt-BR)
    /// must have nearly all records of that language.
    fn settled(&self, place: &str) -> Option<u16> {
        let vote = self.votes.get(place)?;
        let all = || self.languages.get(&vote.language).is_some_and(|all| vote.count * 20 >= all * 19);
        vote.settled().filter(|_| vote.named || (self.languages.len() > 1 && all()))
    }

    /// The language of the records in no language's directory, where other languages have one.
    pub(crate) fn default_language(&self) -> Option<u16> {
        let default = self.votes.get(ELSEWHERE)?.settled()?;
        let is_other = |place: &str| place != ELSEWHERE && self.settled(place).is_some_and(|other| other != default);
        self.votes.keys().any(|place| is_other(place)).then_some(default)
    }

    /// The language of everything at this URL; of pages also by what those in no language's directory have in common.
    pub(crate) fn language(&self, key: &UrlKey, is_page: bool) -> Option<u16> {
        let place = candidates(key).find_map(|(place, _)| self.settled(&place));
        let outside = || is_page && !candidates(key).any(|(place, _)| self.votes.contains_key(&*place));
        let place = place.or_else(|| self.default_language().filter(|_| outside()));
        place.or_else(|| {
            // Each language may have its own host; a single host for all indicates nothing.
            let language = self.host_votes.get(key.host())?.settled()?;
            let others = self.host_votes.values().filter_map(|vote| vote.settled());
            others.into_iter().any(|other| other != language).then_some(language)
        })
    }

    /// Length of the path of a front page at the start of this path (of a key on an own host): of the site, and of the
    /// language's directory in it.
    pub(crate) fn root(&self, host: &str, path: &str) -> usize {
        self.language_directory(path).max(self.base(host, path))
    }

    /// Length of the language's directory in this path (of a key on an own host): 0 if it is in none.
    pub(crate) fn language_directory(&self, path: &str) -> usize {
        let mut end = 0;
        for segment in path.split('/').skip(1).take(2) {
            end += 1 + segment.len();
            if self.settled(&path[..end]).is_some() {
                return end;
            }
        }
        0
    }

    /// Whether this path (of a key on an own host) is that of a front page.
    pub(crate) fn is_front(&self, host: &str, path: &str) -> bool {
        let has_base = || self.bases.get(host).is_some_and(|base| !base.is_empty());
        self.root(host, path) == path.len() && !(path.is_empty() && has_base())
    }

    /// Whether [`Places::is_home`] may be true for this, whatever the directories turn out to mean.
    pub(crate) fn may_be_home(key: &UrlKey, home: Option<&UrlKey>) -> bool {
        let path = key.path();
        let last = path.rsplit('/').next().unwrap_or_default();
        path.is_empty()
            || home.is_some_and(|home| home.page() == key.page())
            || (looks_like_code(last) && path.bytes().filter(|&b| b == b'/').count() <= 2)
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
            let below = &path[self.base(key.host(), path)..];
            let segment = below.strip_prefix('/').filter(|rest| !rest.contains('/') && looks_like_code(rest));
            let tag = segment.and_then(LanguageTag::parse);
            tag.is_some_and(|tag| Some(tag.primary()) == code)
        };
        self.is_front(key.host(), path) || stated()
    }
}

fn vote(votes: &mut QuickMap<Box<str>, Vote>, place: &str, language: u16, named: bool) {
    match votes.get_mut(place) {
        Some(vote) => {
            vote.count += 1;
            match vote.other {
                _ if vote.language == language => {}
                0 => vote.other = language,
                other if other != language => vote.other = SEVERAL,
                _ => {}
            }
            vote.named &= named;
        }
        None => {
            votes.insert(place.into(), Vote { language, other: 0, count: 1, named });
        }
    }
}

fn starts_segment(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// `fr`, `pt-br`, `zh-hant`: whether it looks like a language code.
fn looks_like_code(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    let primary = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    matches!(primary, 2 | 3) && bytes.len() <= 12 && matches!(bytes.get(primary), None | Some(b'-' | b'_'))
}

/// The places in a URL that may indicate a language, most significant first, each with its code: `?lang=fr`, the first
/// and the second directory.
pub(super) fn candidates(key: &UrlKey) -> impl Iterator<Item = (std::borrow::Cow<'_, str>, &str)> {
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
