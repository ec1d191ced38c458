//! Matches new records with old ones: by site, kind, type, id and address; or else by a guid, by the id alone, or by their
//! words.
//!
//! Needs 44 bytes of memory for each record of the old side, and 24 for each new record that is not found at once.

use super::alike::{Alike, Unmatched};
use super::facts::{Facts, place_of};
use super::side::Side;
use crate::ndjson::Object;
use crate::report::Error;
use crate::urls::{QuickMap, QuickSet};
use std::collections::VecDeque;

/// Values of [`OldRecord::new`] for a deleted record, and for one that occurs twice on its side.
const NONE: u64 = u64::MAX;
const TWICE: u64 = u64::MAX - 1;
/// A bit of [`OldRecord::new`]: the record has another id.
const RENUMBERED: u64 = 1 << 62;

/// The most records of one id whose languages are compared.
const MOST_VERSIONS: usize = 64;

/// A record of the old side.
struct OldRecord {
    id: u64,
    at: u64,
    /// The position of the new record that it became.
    new: u64,
    link: u32,
    guid: u32,
}

/// All records of the old side, each with its new record.
pub(super) struct Matches {
    entries: Vec<OldRecord>,
    /// The numbers of the records, sorted by id, address and number, without repeated records.
    by_id: Vec<u32>,
    /// The numbers of records that were not found by id and address, by the positions of their new records.
    by_new: Vec<u32>,
    /// The positions of repeated new records.
    twice: QuickSet<u64>,
    /// The number of repeated old records.
    pub(super) old_twice: u64,
}

/// The relation of a new record to the old side.
pub(super) enum Counterpart {
    /// It is this old record, which may have had another id.
    Old {
        number: u32,
        renumbered: bool,
    },
    Added,
    /// It repeats a previous record.
    Twice,
}

/// The fate of a record to which another one refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The old side did not have it.
    Unknown,
    Gone,
    /// The new side has it under the same id.
    Stays,
    /// Its new record, with another id, is at this position.
    Renumbered(u64),
}

impl Matches {
    /// Finds the old record of each new one.
    pub(super) fn find(old: &Side, new: &Side) -> Result<Self, Error> {
        let mut matches = Matches::of(old)?;
        let mut left = Vec::new();
        new.each(|facts| {
            match matches.exact(facts.id, facts.link) {
                Some(number) if matches.entries[number as usize].new == NONE => {
                    matches.entries[number as usize].new = facts.at;
                }
                Some(_) => drop(matches.twice.insert(facts.at)),
                None => left.push(facts),
            }
            Ok(())
        })?;
        left.sort_unstable_by_key(|facts: &Facts| (facts.id, facts.link, facts.at));
        left.dedup_by(|later, first| {
            let is_twice = (later.id, later.link) == (first.id, first.link);
            is_twice && matches.twice.insert(later.at)
        });
        matches.pair(&left, old, new)?;
        Ok(matches)
    }

    fn of(old: &Side) -> Result<Self, Error> {
        let mut entries = Vec::with_capacity(old.count() as usize);
        old.each(|facts| {
            entries.push(OldRecord { id: facts.id, at: facts.at, new: NONE, link: facts.link, guid: facts.guid });
            Ok(())
        })?;
        let mut by_id: Vec<u32> = Vec::with_capacity(entries.len());
        by_id.extend(0..old.count());
        let key = |entries: &[OldRecord], number: u32| {
            let entry = &entries[number as usize];
            (entry.id, entry.link)
        };
        by_id.sort_unstable_by_key(|&number| (key(&entries, number), number));
        let mut old_twice = 0;
        by_id.dedup_by(|later, first| {
            let same = key(&entries, *later) == key(&entries, *first);
            if same {
                entries[*later as usize].new = TWICE;
                old_twice += 1;
            }
            same
        });
        Ok(Matches { entries, by_id, by_new: Vec::new(), twice: QuickSet::default(), old_twice })
    }

    fn exact(&self, id: u64, link: u32) -> Option<u32> {
        let key = |&number: &u32| {
            let entry = &self.entries[number as usize];
            (entry.id, entry.link)
        };
        self.by_id.binary_search_by_key(&(id, link), key).ok().map(|at| self.by_id[at])
    }

    /// The records with an id.
    fn of_id(&self, id: u64) -> &[u32] {
        let of = |number: &u32| self.entries[*number as usize].id;
        let start = self.by_id.partition_point(|number| of(number) < id);
        let length = self.by_id[start..].iter().take_while(|number| of(number) == id).count();
        &self.by_id[start..start + length]
    }

    /// Whether several records have an id.
    fn is_shared(&self, id: u64) -> bool {
        let of = |number: &u32| self.entries[*number as usize].id;
        let start = self.by_id.partition_point(|number| of(number) < id);
        self.by_id.get(start + 1).is_some_and(|next| of(next) == id)
    }

    /// Finds the old records of new ones that were not found by id and address.
    fn pair(&mut self, left: &[Facts], old: &Side, new: &Side) -> Result<(), Error> {
        if left.is_empty() {
            return Ok(());
        }
        let mut found = vec![false; left.len()];
        self.pair_by_guid(left, &mut found, old, new)?;
        self.pair_by_id(left, &mut found, old, new)?;
        self.pair_by_page(left, &mut found, old, new)?;
        let unmatched = (0..).zip(left.iter().zip(&found)).filter(|(_, (_, found))| !**found);
        let unmatched = unmatched.map(|(number, (facts, _))| Unmatched { number, at: facts.at, guid: facts.guid });
        let unmatched: Vec<Unmatched> = unmatched.collect();
        let gone: Vec<Unmatched> = self.gone(0..self.entries.len() as u32).collect();
        if !unmatched.is_empty() && !gone.is_empty() {
            for (number, at) in Alike::pairs(old, &gone, new, &unmatched)? {
                self.join(number, &left[at as usize]);
            }
        }
        let entries = &self.entries;
        self.by_new.sort_unstable_by_key(|&number| entries[number as usize].new & !RENUMBERED);
        Ok(())
    }

    /// Notes that an old record became this new one.
    fn join(&mut self, number: u32, new: &Facts) {
        let entry = &mut self.entries[number as usize];
        entry.new = new.at | if entry.id == new.id { 0 } else { RENUMBERED };
        self.by_new.push(number);
    }

    /// Pairs records by a guid that occurs only once on each side. `left` is sorted by id.
    fn pair_by_guid(&mut self, left: &[Facts], found: &mut [bool], old: &Side, new: &Side) -> Result<(), Error> {
        let mut by_guid: Vec<u32> = (0..left.len() as u32).filter(|&at| left[at as usize].guid != 0).collect();
        by_guid.sort_unstable_by_key(|&at| (left[at as usize].guid, left[at as usize].at));
        let guid = |entries: &[OldRecord], number: u32| entries[number as usize].guid;
        let entries = &self.entries;
        let mut old_by_guid: Vec<u32> =
            self.by_id.iter().copied().filter(|&number| guid(entries, number) != 0).collect();
        old_by_guid.sort_unstable_by_key(|&number| (guid(entries, number), number));
        for same in by_guid.chunk_by(|a, b| left[*a as usize].guid == left[*b as usize].guid) {
            let [at] = same else { continue };
            let facts = left[*at as usize];
            let start = old_by_guid.partition_point(|&number| guid(&self.entries, number) < facts.guid);
            let mut of_guid =
                old_by_guid[start..].iter().take_while(|number| guid(&self.entries, **number) == facts.guid);
            let (Some(&number), None) = (of_guid.next(), of_guid.next()) else { continue };
            if self.entries[number as usize].new != NONE {
                continue;
            }
            // The home page of a language is part of a guid, and another language may have taken it.
            let of_left = left.partition_point(|other| other.id < facts.id);
            let is_shared = left.get(of_left + 1).is_some_and(|next| next.id == facts.id)
                || [facts.id, self.entries[number as usize].id].into_iter().any(|id| self.is_shared(id));
            let versions = || -> Result<_, Error> { Ok([old.line(self.at(number))?, new.line(facts.at)?]) };
            if is_shared && Version::are_apart(&versions()?) {
                continue;
            }
            self.join(number, &facts);
            found[*at as usize] = true;
        }
        Ok(())
    }

    /// Pairs records by the id alone, if the address has changed. `left` is sorted by id.
    fn pair_by_id(&mut self, left: &[Facts], found: &mut [bool], old: &Side, new: &Side) -> Result<(), Error> {
        let mut start = 0;
        for same in left.chunk_by(|a, b| a.id == b.id) {
            let places = start..start + same.len();
            start += same.len();
            let of_id = self.of_id(same[0].id);
            // Records that share an id are one post in several languages.
            let is_shared = of_id.len() > 1 || same.len() > 1;
            let mut gone: Vec<u32> = of_id.to_vec();
            gone.retain(|&number| self.entries[number as usize].new == NONE);
            gone.sort_unstable();
            let mut added: Vec<usize> = places.filter(|&at| !found[at]).collect();
            added.sort_unstable_by_key(|&at| left[at].at);
            if gone.is_empty() || added.is_empty() {
                continue;
            }
            if is_shared && gone.len().max(added.len()) > MOST_VERSIONS {
                continue;
            }
            let version = |side: &Side, at: u64| {
                if is_shared { side.line(at).map(|line| Version::of(&line)) } else { Ok(Version::default()) }
            };
            let was = gone.iter().map(|&number| version(old, self.at(number))).collect::<Result<Vec<_>, _>>()?;
            let is = added.iter().map(|&at| version(new, left[at].at)).collect::<Result<Vec<_>, _>>()?;
            let mut was: VecDeque<(u32, Version)> = gone.into_iter().zip(was).collect();
            // Those that agree in more come first; of equal ones, both sides have them in the same order.
            for distance in 0..=Version::MOST {
                for (&at, is) in added.iter().zip(&is) {
                    let may_be = |(number, was): &(u32, Version)| {
                        let guids = [self.entries[*number as usize].guid, left[at].guid];
                        (guids.contains(&0) || guids[0] == guids[1]) && was.distance(is) == Some(distance)
                    };
                    let Some(place) = was.iter().position(may_be).filter(|_| !found[at]) else {
                        continue;
                    };
                    if let Some((number, _)) = was.remove(place) {
                        self.join(number, &left[at]);
                        found[at] = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Pairs a page without an id with the only record at its address on the other side. It may have an id on that side, if only that side
    /// has a dump, or if the theme has changed its marks.
    fn pair_by_page(&mut self, left: &[Facts], found: &mut [bool], old: &Side, new: &Side) -> Result<(), Error> {
        let mut gone: QuickMap<u32, Option<u32>> = QuickMap::default();
        for (number, entry) in (0..).zip(&self.entries).filter(|(_, entry)| entry.new == NONE && entry.link != 0) {
            gone.entry(entry.link).and_modify(|known| *known = None).or_insert(Some(number));
        }
        let mut added: QuickMap<u32, Option<usize>> = QuickMap::default();
        for at in (0..left.len()).filter(|&at| !found[at] && gone.contains_key(&left[at].link)) {
            added.entry(left[at].link).and_modify(|known| *known = None).or_insert(Some(at));
        }
        let mut added: Vec<usize> = added.into_values().flatten().collect();
        added.sort_unstable();
        for at in added {
            let Some(number) = gone[&left[at].link] else { continue };
            let [a, b] = [old.line(self.entries[number as usize].at)?, new.line(left[at].at)?];
            if is_page_of(&a, &b) {
                self.join(number, &left[at]);
                found[at] = true;
            }
        }
        Ok(())
    }

    /// The old records among these that have no new record.
    pub(super) fn gone(&self, numbers: std::ops::Range<u32>) -> impl Iterator<Item = Unmatched> + '_ {
        let of = |number: u32| (number, &self.entries[number as usize]);
        let gone = numbers.map(of).filter(|(_, entry)| entry.new == NONE);
        gone.map(|(number, entry)| Unmatched { number, at: entry.at, guid: entry.guid })
    }

    pub(super) fn of_new(&self, facts: &Facts) -> Counterpart {
        let new = |number: u32| self.entries[number as usize].new;
        if let Some(number) = self.exact(facts.id, facts.link).filter(|&number| new(number) == facts.at) {
            return Counterpart::Old { number, renumbered: false };
        }
        match self.by_new.binary_search_by_key(&facts.at, |&number| new(number) & !RENUMBERED) {
            Ok(at) => Counterpart::Old { number: self.by_new[at], renumbered: new(self.by_new[at]) & RENUMBERED != 0 },
            Err(_) if self.twice.contains(&facts.at) => Counterpart::Twice,
            Err(_) => Counterpart::Added,
        }
    }

    pub(super) fn at(&self, number: u32) -> u64 {
        self.entries[number as usize].at
    }

    /// The fate of the old record with this [`super::facts::identity`].
    pub(super) fn fate(&self, id: u64) -> Fate {
        let mut fate = Fate::Unknown;
        for &number in self.of_id(id).iter().take(2) {
            fate = match self.entries[number as usize].new {
                NONE | TWICE if fate == Fate::Unknown => Fate::Gone,
                NONE | TWICE => fate,
                new if new & RENUMBERED != 0 => Fate::Renumbered(new & !RENUMBERED),
                _ => return Fate::Stays,
            };
        }
        fate
    }

    /// The positions of the old and the new record with this identity, if it has both.
    pub(super) fn pair_of(&self, id: u64) -> Option<(u64, u64)> {
        let mut entries = self.of_id(id).iter().map(|&number| &self.entries[number as usize]);
        let entry = entries.find(|entry| entry.new < TWICE)?;
        Some((entry.at, entry.new & !RENUMBERED))
    }
}

/// The parts of a record that tell it from others with its id.
#[derive(Default)]
struct Version {
    language: Option<String>,
    slug: Option<String>,
}

impl Version {
    const MOST: u8 = 3;

    fn of(line: &[u8]) -> Self {
        let Ok(object) = Object::parse(line) else { return Version::default() };
        let [language, slug] = ["language", "slug"].map(|key| object.text(key).map(|text| text.as_str().to_owned()));
        Version { language, slug }
    }

    /// Whether two records are in two languages.
    fn are_apart(lines: &[Vec<u8>; 2]) -> bool {
        let [own, other] = lines.each_ref().map(|line| Version::of(line));
        own.distance(&other).is_none()
    }

    /// How far two are apart, up to [`Version::MOST`]: languages count more than slugs. `None` if they are in two languages.
    fn distance(&self, other: &Version) -> Option<u8> {
        let primary = |of: &Version| of.language.as_deref().and_then(|tag| Some(tag.split('-').next()?.to_owned()));
        let is_other = primary(self).zip(primary(other)).is_some_and(|(own, other)| own != other);
        let by_language = 2 * u8::from(self.language != other.language);
        (!is_other).then(|| by_language + u8::from(self.slug != other.slug))
    }
}

/// Whether one of two records is a page without an id, and the other one the post or file at its address.
fn is_page_of(old: &[u8], new: &[u8]) -> bool {
    let (Ok(old), Ok(new)) = (Object::parse(old), Object::parse(new)) else { return false };
    let [kinds, sites, links] =
        ["kind", "site", "link"].map(|key| [&old, &new].map(|of| of.text(key).unwrap_or_default()));
    let [a, b] = kinds.each_ref().map(|kind| &**kind);
    let is_pair = matches!((a, b), ("html", "post" | "media") | ("post" | "media", "html"));
    is_pair && sites[0] == sites[1] && place_of(&links[0]) == place_of(&links[1])
}
