//! Groups the records that are translations of each other: the translations that one record states hold for its whole group, unless
//! something contradicts them.
//!
//! Statements are processed in this order, each class in the order of the records' identities, so that the result does not depend on the
//! order of arrival: two records that refer to each other; one-sided references; additions by an earlier run. A statement is refused if it
//! would put two records with the same language or the same words into a group. It is also refused if several records of one language claim
//! one translation (or one claims several of one language) without a reference in return: the home pages of languages and archive lists are
//! claimed like this. A refused statement keeps its href and gets no target.

pub(super) mod forest;
mod sets;

use super::copies::Texts;
use super::lookup::Lookup;
use super::record::{HOME, LANGUAGE_BY_OTHERS, LANGUAGE_BY_POSTS, LANGUAGE_BY_URL, LANGUAGES, RecordKind};
use super::records::Records;
use super::statements::Statements;
use crate::urls::{QuickMap, QuickSet, UrlKey};
use forest::Forest;
pub(super) use sets::{Groups, Guess, Guesses};

pub(super) const DROPPED_HOME: &str = "dropped_home";

/// A statement whose record is known.
#[derive(Clone, Copy)]
struct Pair {
    from: u32,
    to: u32,
    /// The stated language, 0 if there is none.
    language: u16,
    derived: bool,
    /// Whether one of the two is on a foreign host: the statement then has no effect on records of own hosts.
    guest: bool,
    /// Whether it leads to a front page, which must refer back: otherwise, the front page replaces a missing translation.
    home: bool,
}

/// How often statements are resolved again after languages have become known.
const MOST_ROUNDS: u32 = 4;

/// Groups the translations of a site as far as records state them; determines the languages that other records state.
pub(super) fn group(lookup: &mut Lookup, statements: Statements) -> Groups {
    let (mut pairs, mut of_two_kinds) = stated_pairs(lookup, &statements);
    let mut rounds = 0..MOST_ROUNDS;
    // A newly known language can change which record an id means.
    while learn_languages(lookup, &pairs) && lookup.records.shares_ids && rounds.next().is_some() {
        (pairs, of_two_kinds) = stated_pairs(lookup, &statements);
    }
    drop(statements);
    let mut groups = group_pairs(&lookup.records, &lookup.texts, pairs);
    groups.refused += of_two_kinds;
    groups
}

/// The statements whose record is known, except implausible ones; and the number of statements between records of two kinds: a plugin may
/// link a category to a post, which is not its translation. A page without a record may be of any kind.
fn stated_pairs(lookup: &Lookup, statements: &Statements) -> (Vec<Pair>, u64) {
    let mut of_two_kinds = 0;
    let mut pairs = Vec::with_capacity(statements.edges.len());
    let (mut from, mut named) = (u32::MAX, QuickSet::default());
    for edge in &statements.edges {
        let Some((to, _)) = statements.resolve(lookup, edge) else { continue };
        // It is not yet known which records refer back.
        let why = lookup.refusal(edge.from, to, || false);
        let home = why == Some(DROPPED_HOME);
        if why.is_some() && !home {
            continue;
        }
        let kinds = [edge.from, to].map(|record| lookup.records.kind(record));
        if kinds[0] != kinds[1] && !kinds.contains(&RecordKind::Page) {
            of_two_kinds += 1;
            continue;
        }
        if edge.from != from {
            from = edge.from;
            // Not cleared: clearing takes time proportional to the set's largest size so far.
            named = QuickSet::default();
        }
        // Only the first of several statements about one record is kept.
        if !named.insert(to) {
            continue;
        }
        let derived = edge.is_derived();
        let guest = [edge.from, to].iter().any(|&record| lookup.records[record].is_guest());
        pairs.push(Pair { from: edge.from, to, language: edge.language, derived, guest, home });
    }
    let of_homes = |pair: &&Pair| !pair.home && !pair.derived && lookup.is_home_record(pair.from);
    let back: QuickSet<(u32, u32)> = pairs.iter().filter(of_homes).map(|pair| (pair.to, pair.from)).collect();
    pairs.retain(|pair| !pair.home || !pair.derived && back.contains(&(pair.from, pair.to)));
    (pairs, of_two_kinds)
}

/// Gives records without a language the one that other records state, if these agree; also replaces languages that were only assumed
/// because other pages outside of language directories are in them. Returns whether any language has changed.
fn learn_languages(lookup: &mut Lookup, pairs: &[Pair]) -> bool {
    let Lookup { records, places, .. } = lookup;
    let mut said: QuickMap<u32, Option<u16>> = QuickMap::default();
    let tells = |pair: &&Pair| !pair.guest || records[pair.to].is_guest();
    for pair in pairs.iter().filter(|pair| pair.language != 0 && !pair.derived).filter(tells) {
        let say = said.entry(pair.to).or_insert(Some(pair.language));
        *say = say.filter(|&language| language == pair.language);
    }
    let mut key = UrlKey::default();
    let mut is_common = |number: u32| {
        records[number].language & LANGUAGE_BY_POSTS == LANGUAGE_BY_URL
            && key.read(records.link(number))
            && places.languages.stated(&key, records.blogs.home_path(&key)).is_none()
    };
    let is_new = |(number, language): (u32, Option<u16>)| {
        let (own, language) = (records[number].language(), language?);
        (own == 0 || own != language && is_common(number)).then_some((number, language))
    };
    let learned: Vec<(u32, u16)> = said.into_iter().filter_map(is_new).collect();
    for &(number, language) in &learned {
        let record = &mut records[number];
        record.language = record.language & !(LANGUAGES | LANGUAGE_BY_URL) | language | LANGUAGE_BY_OTHERS;
    }
    !learned.is_empty()
}

fn group_pairs(records: &Records, texts: &Texts, pairs: Vec<Pair>) -> Groups {
    let mut nodes: Vec<u32> = pairs.iter().flat_map(|pair| [pair.from, pair.to]).collect();
    let rank = records.rank(&mut nodes);
    let mut stated: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.from, pair.to)).collect();
    stated.sort_unstable();
    stated.dedup();
    let mut ordered = order(records, &pairs, &rank);
    drop(pairs);
    ordered.sort_unstable();
    ordered.dedup();
    let traits = |&node: &u32| (records.kind(node), records[node].language(), texts.first_alike(node));
    let mut forest = Forest::new(nodes.iter().map(traits));
    let mut has_own: Vec<bool> = nodes.iter().map(|&node| !records[node].is_guest()).collect();
    let mut join = |class: Class, a: u32, b: u32| {
        // A record on a foreign host may join a group, but must not connect two groups.
        let roots = [forest.root(a) as usize, forest.root(b) as usize];
        let is_bridge = class == Class::Guest && roots[0] != roots[1] && roots.iter().all(|&root| has_own[root]);
        let joined = class != Class::Refused && !is_bridge && forest.join(a, b);
        if joined {
            has_own[forest.root(a) as usize] = roots.iter().any(|&root| has_own[root]);
        }
        joined
    };
    let refused = ordered.iter().filter(|(class, a, b)| !join(*class, *a, *b)).count();
    let mut groups = Groups { stated, refused: refused as u64, ..Groups::default() };
    groups.add(records, &nodes, &mut forest);
    groups
}

/// The reliability of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Mutual,
    OneSided,
    Derived,
    Guest,
    Refused,
}

/// Each pair once, with its class and the ranks of its records.
fn order(records: &Records, pairs: &[Pair], rank: &QuickMap<u32, u32>) -> Vec<(Class, u32, u32)> {
    let evidence: QuickSet<(u32, u32)> =
        pairs.iter().filter(|pair| !pair.derived).map(|pair| (pair.from, pair.to)).collect();
    let language = |record: u32| records[record].language();
    let is_guest = |from: u32, to: u32| records[from].is_guest() || records[to].is_guest();
    // (record, language of the other side, whether the record is the one claimed) → count, without and with records on foreign hosts.
    let mut claims: QuickMap<(u32, u16, bool), [u32; 2]> = QuickMap::default();
    let one_sided = |&&(from, to): &&(u32, u32)| !evidence.contains(&(to, from));
    for &(from, to) in evidence.iter().filter(one_sided) {
        for (record, other, claimed) in [(to, from, true), (from, to, false)] {
            if language(other) != 0 {
                let counts = claims.entry((record, language(other), claimed)).or_default();
                counts[0] += u32::from(!is_guest(from, to));
                counts[1] += 1;
            }
        }
    }
    let contradicted = |from: u32, to: u32| {
        let which = usize::from(is_guest(from, to));
        let count = |record, other, claimed| claims.get(&(record, language(other), claimed)).map_or(0, |n| n[which]);
        count(to, from, true) > 1 || count(from, to, false) > 1
    };
    let class = |pair: &Pair| match pair {
        Pair { derived: true, .. } => Class::Derived,
        Pair { from, to, .. } if !evidence.contains(&(*to, *from)) && contradicted(*from, *to) => Class::Refused,
        Pair { guest: true, .. } => Class::Guest,
        Pair { from, to, .. } if evidence.contains(&(*to, *from)) => Class::Mutual,
        _ => Class::OneSided,
    };
    let ranked = |pair: &Pair| {
        let (a, b) = (rank[&pair.from], rank[&pair.to]);
        (class(pair), a.min(b), a.max(b))
    };
    pairs.iter().map(ranked).collect()
}

impl Lookup {
    /// Why `to` is not a translation of `from`, as the name of a count: `to` is `from` itself, or a page that shows the same text at
    /// another language's URL, or a home page, unless `from` is one, too, or `to` refers back to it (`refers_back`).
    pub(super) fn refusal(&self, from: u32, to: u32, refers_back: impl FnOnce() -> bool) -> Option<&'static str> {
        if from == to {
            return Some("dropped_self");
        }
        if self.is_copy(from, to) {
            return Some("dropped_fallback");
        }
        if self.is_home_record(to) && !self.is_home_record(from) {
            return if refers_back() { None } else { Some(DROPPED_HOME) };
        }
        None
    }

    pub(super) fn is_home_record(&self, record: u32) -> bool {
        self.records[record].language & HOME != 0
    }
}
