//! Finds the languages of a site's hosts and directories by vote: each record with a declared language votes for its host, for the
//! directories in its URL that may be named after a language, and for its `?lang=`.

use super::record::RecordKind;
use crate::language::LanguageTag;
use crate::urls::{QuickMap, UrlKey};
use std::borrow::Cow;

/// The most segments that are remembered.
const REMEMBERED: usize = 4096;

/// The votes of records with a declared language for a place.
#[derive(Clone, Copy)]
struct Vote {
    language: u16,
    /// Another language that was voted for, or [`SEVERAL`]; 0 if all votes agree.
    other: u16,
    count: u32,
    /// Whether the place is named after the language.
    named: bool,
}

/// A number that is not a language's.
const SEVERAL: u16 = u16::MAX;

impl Vote {
    fn settled(self) -> Option<u16> {
        (self.other == 0 && self.count >= 2).then_some(self.language)
    }

    /// Adds the votes for another place to this one.
    fn add(&mut self, more: Vote) {
        self.count += more.count;
        self.named &= more.named;
        for language in [more.language, more.other] {
            match self.other {
                _ if language == 0 || language == self.language => {}
                0 => self.other = language,
                other if other != language => self.other = SEVERAL,
                _ => {}
            }
        }
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

/// The place of records that are not in a directory that may be a language's.
const ELSEWHERE: &str = "";

/// The votes of records, kept by host, because the site's own hosts are known only at the end.
#[derive(Default)]
pub(super) struct VotesOfHosts(QuickMap<Box<str>, Votes>);

impl VotesOfHosts {
    /// Counts the vote of a record in a declared language.
    pub(super) fn note(&mut self, kind: RecordKind, key: &UrlKey, number: u16, tag: &str) {
        match self.0.get_mut(key.host()) {
            Some(votes) => votes.note(kind, key, number, tag),
            None => self.0.entry(key.host().into()).or_default().note(kind, key, number, tag),
        }
    }

    /// Whether records on the second host declare languages, all of them different from those on the first.
    pub(super) fn are_of_other_languages(&self, host: &str, other: &str) -> bool {
        let languages = |host: &str| self.0.get(host).map(|votes| &votes.languages).filter(|all| !all.is_empty());
        languages(other).is_some_and(|others| {
            languages(host).is_none_or(|own| !others.keys().any(|language| own.contains_key(language)))
        })
    }

    /// The votes on all own hosts together.
    pub(super) fn of_own(self, is_own: impl Fn(&str) -> bool) -> Votes {
        let mut all = Votes::default();
        for (_, votes) in self.0.into_iter().filter(|(host, _)| is_own(host)) {
            for (of_all, more) in [(&mut all.hosts, votes.hosts), (&mut all.places, votes.places)] {
                for (place, vote) in more {
                    match of_all.get_mut(&place) {
                        Some(known) => known.add(vote),
                        None => _ = of_all.insert(place, vote),
                    }
                }
            }
            votes
                .languages
                .into_iter()
                .for_each(|(language, count)| *all.languages.entry(language).or_default() += count);
        }
        all
    }
}

/// The votes of a site's records.
#[derive(Default)]
pub(super) struct Votes {
    hosts: QuickMap<Box<str>, Vote>,
    /// For directories `/fr` or `/base/fr`, for `?fr`, and [`ELSEWHERE`].
    places: QuickMap<Box<str>, Vote>,
    /// Number of records of each language.
    languages: QuickMap<u16, u32>,
    /// Segment → its primary language, if it is a language code.
    codes: QuickMap<Box<str>, Option<Box<str>>>,
}

impl Votes {
    /// Counts the vote of a record in a declared language.
    pub(super) fn note(&mut self, kind: RecordKind, key: &UrlKey, number: u16, tag: &str) {
        if matches!(kind, RecordKind::User | RecordKind::Comment) {
            return;
        }
        let primary = tag.split('-').next().unwrap_or(tag);
        *self.languages.entry(number).or_default() += 1;
        vote(&mut self.hosts, key.host(), number, true);
        let mut elsewhere = true;
        for (place, code) in candidates(key) {
            if let Some(found) = self.code(code) {
                elsewhere = false;
                vote(&mut self.places, &place, number, *found == *primary);
            }
        }
        if elsewhere {
            vote(&mut self.places, ELSEWHERE, number, true);
        }
    }

    /// The primary language of a segment that is a valid language code.
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

    /// How many records declare a language.
    pub(super) fn declared(&self, language: u16) -> u32 {
        self.languages.get(&language).copied().unwrap_or(0)
    }

    /// Whether one place has only the first language, and another place only the second.
    pub(super) fn separates(&self, a: u16, b: u16) -> bool {
        [&self.places, &self.hosts].iter().any(|votes| {
            let alone = |language| votes.values().any(|vote| vote.settled() == Some(language));
            alone(a) && alone(b)
        })
    }

    /// Counts the votes for one language as votes for the other.
    pub(super) fn unite(&mut self, from: u16, to: u16) {
        let count = self.languages.remove(&from).unwrap_or(0);
        *self.languages.entry(to).or_default() += count;
        self.places.values_mut().chain(self.hosts.values_mut()).for_each(|vote| vote.unite(from, to));
    }

    /// The language of a directory or `?lang=`, if its records agree. A directory that is not named after the language (`br` for pt-BR)
    /// must have nearly all records in that language.
    fn settled(&self, vote: Vote) -> Option<u16> {
        let all = || self.languages.get(&vote.language).is_some_and(|all| vote.count * 20 >= all * 19);
        vote.settled().filter(|_| vote.named || (self.languages.len() > 1 && all()))
    }

    /// Counts the votes, once all are in.
    pub(super) fn close(self) -> Settled {
        let places: QuickMap<Box<str>, Option<u16>> =
            self.places.iter().map(|(place, vote)| (place.clone(), self.settled(*vote))).collect();
        let default = self.places.get(ELSEWHERE).and_then(|vote| vote.settled());
        let hosts: QuickMap<Box<str>, Option<u16>> =
            self.hosts.into_iter().map(|(host, vote)| (host, vote.settled())).collect();
        let mut of_hosts = hosts.values().flatten();
        let first = of_hosts.next();
        let is_by_host = of_hosts.any(|language| Some(language) != first);
        let others = || places.iter().filter(|(place, _)| ***place != *ELSEWHERE).filter_map(|(_, language)| *language);
        Settled {
            default: default.filter(|default| others().any(|other| other != *default)),
            places,
            hosts: if is_by_host { hosts } else { QuickMap::default() },
        }
    }
}

/// The result of the votes.
pub(super) struct Settled {
    /// Directories and `?lang=` that have votes, each with its language if its records agree.
    places: QuickMap<Box<str>, Option<u16>>,
    /// The language of the records outside of language directories, if other languages have directories.
    default: Option<u16>,
    /// Hosts that have votes, each with its language if its records agree; empty if all hosts have the same language.
    hosts: QuickMap<Box<str>, Option<u16>>,
}

impl Settled {
    pub(super) fn default_language(&self) -> Option<u16> {
        self.default
    }

    /// Whether a directory belongs to a language.
    pub(super) fn is_directory(&self, path: &str) -> bool {
        self.places.get(path).is_some_and(Option::is_some)
    }

    /// The language of everything at this URL; `home` is the length of the path of its blog's home. Hosts count only if their languages
    /// differ.
    pub(super) fn stated(&self, key: &UrlKey, home: usize) -> Option<u16> {
        let of_blog = |place: &Cow<'_, str>| !place.starts_with('/') || place.len() >= home;
        let mut places = candidates(key).filter(|(place, _)| of_blog(place));
        let place = places.find_map(|(place, _)| *self.places.get(&*place)?);
        place.or_else(|| self.hosts.get(key.host()).copied().flatten())
    }

    /// The common language of pages outside of language directories, if this URL is one of them.
    pub(super) fn common(&self, key: &UrlKey, home: usize) -> Option<u16> {
        let is_known = home == 0 && (self.hosts.is_empty() || self.hosts.contains_key(key.host()));
        let is_outside = || !candidates(key).any(|(place, _)| self.places.contains_key(&*place));
        self.default.filter(|_| is_known && is_outside())
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

/// Whether a segment looks like a language code: `fr`, `pt-br`, `zh-hant`.
pub(super) fn looks_like_code(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    let primary = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    matches!(primary, 2 | 3) && bytes.len() <= 12 && matches!(bytes.get(primary), None | Some(b'-' | b'_'))
}

/// The places in a URL that may indicate a language, most significant first, each with its code: `?lang=fr`, the first and the second
/// directory.
pub(super) fn candidates(key: &UrlKey) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    let asked = key.query().and_then(|query| query.split('&').find_map(|parameter| parameter.strip_prefix("lang=")));
    let path = key.path();
    let mut ends = path.match_indices('/').skip(1).map(|(at, _)| at).chain([path.len()]).take(2);
    let mut start = 0;
    let directories = std::iter::from_fn(move || {
        let end = ends.next().filter(|&end| end > start)?;
        let code = &path[start + 1..end];
        start = end;
        Some((Cow::Borrowed(&path[..end]), code))
    });
    asked.into_iter().map(|code| (format!("?{code}").into(), code)).chain(directories)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_become_one_are_of_a_language_only_if_they_agree() {
        let of = |language| Vote { language, other: 0, count: 2, named: true };
        let mut all = of(1);
        let mut others = Vec::new();
        for language in [1, 2, 2, 3, 2] {
            all.add(of(language));
            others.push((all.other, all.settled()));
        }
        assert_eq!(others, [(0, Some(1)), (2, None), (2, None), (SEVERAL, None), (SEVERAL, None)]);
        assert_eq!(all.count, 12);
    }
}
