//! Groups translations: completes what the records state about each other, without believing everything.
//!
//! Statements are processed in this order, each class in the order of the records' identities, so that nothing depends
//! on the order of arrival: two records that refer to each other; one-sided references; additions by an earlier run. A
//! statement is refused if it would put two records of one language into a group, or if several records of one language
//! claim one translation (or one claims several of one language) without a reference in return: this is how home pages
//! of languages and lists are claimed. A refused statement keeps its href and gets no target.

mod forest;
mod sets;

use super::facts::TranslationFacts;
use super::lookup::{Query, shortlink_name};
use super::table::Role;
use super::terms;
use super::{Kind, LANGUAGE_BY_OTHERS, QuickMap, QuickSet, RecordNumber, Registry, Rule};
use crate::urls::{UrlKey, hash_32};
use forest::Forest;
pub(super) use sets::Groups;

const DROPPED_HOME: &str = "dropped_home";

/// The evidence of translations that were added to a record.
const ADDED: [&str; 4] = ["reverse", "slug", "posts", "group"];

const BY_ID: u16 = 1;
const DERIVED: u16 = 2;

/// A record's statement about another, 24 bytes.
pub(super) struct Edge {
    /// The hash of the other's URL, or its id and the hash of its type.
    to: [u32; 4],
    pub(super) from: u32,
    /// The stated language.
    pub(super) language: u16,
    flags: u16,
}

impl Edge {
    /// None if nothing is stated.
    pub(crate) fn new(
        from: u32,
        said: &TranslationFacts<'_>,
        own: &str,
        language: u16,
        key: &mut UrlKey,
    ) -> Option<Self> {
        if is_default(said) {
            return None;
        }
        let derived = if said.source.as_deref().is_some_and(|source| ADDED.contains(&source)) { DERIVED } else { 0 };
        if let Some(id) = said.id {
            let r#type = hash_32(said.r#type.as_deref().unwrap_or(own));
            let to = [id as u32, (id as u64 >> 32) as u32, r#type, 0];
            return Some(Edge { to, from, language, flags: BY_ID | derived });
        }
        if !key.read(said.href.as_deref()?) {
            return None;
        }
        if let Some(clean) = key.without_noise() {
            *key = clean;
        }
        let hash = key.hash();
        let to = [hash as u32, (hash >> 32) as u32, (hash >> 64) as u32, (hash >> 96) as u32];
        Some(Edge { to, from, language, flags: derived })
    }

    pub(super) fn hash(&self) -> u128 {
        self.to.iter().rev().fold(0, |hash, &word| hash << 32 | u128::from(word))
    }
}

/// `x-default` is not a language.
fn is_default(said: &TranslationFacts<'_>) -> bool {
    let raw = said.language_raw.as_deref().or(said.language.as_deref());
    raw.is_some_and(|raw| raw.eq_ignore_ascii_case("x-default"))
}

/// The outcome for a stated translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It resolves to this record.
    Target(RecordNumber, Rule),
    /// It gets no target, because it is on another site or records contradict each other.
    Open(Option<Rule>),
    /// It is not a translation and is dropped; the name of its count.
    Dropped(&'static str),
}

/// A translation that the record did not state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Completed {
    /// The translation.
    pub(crate) record: RecordNumber,
    /// The evidence: it refers to this record itself, both have slugs or posts that tell, or others connect them.
    pub(crate) source: &'static str,
    /// Whether it must be identified by its id, because it shares its link.
    pub(crate) by_id: bool,
    /// The rule that finds it when identified like that.
    pub(crate) rule: Rule,
}

/// A statement with a known record.
#[derive(Clone, Copy)]
struct Pair {
    from: u32,
    to: u32,
    /// The stated language, 0 if there is none.
    language: u16,
    derived: bool,
    /// Whether it leads to a front page, which must refer back: elsewhere it replaces a missing translation.
    home: bool,
}

/// Resolves and groups all translations of a registry.
pub(super) fn close(registry: &mut Registry) {
    let edges = std::mem::take(&mut registry.edges);
    let mut pairs = Vec::with_capacity(edges.len());
    let (mut from, mut named) = (u32::MAX, QuickSet::default());
    for edge in &edges {
        let shortlink = registry.shortlinks.get(&edge.hash());
        let Some((to, _)) = registry.resolve(edge, shortlink.map(|url| &**url)) else { continue };
        let why = registry.is_none(edge.from, to);
        let home = why == Some(DROPPED_HOME);
        if why.is_some() && !home {
            continue;
        }
        if edge.from != from {
            from = edge.from;
            // Not cleared, which takes as long as the set has once been large.
            named = QuickSet::default();
        }
        // Only the first of two statements about one record is kept.
        if !named.insert(to) {
            continue;
        }
        let derived = edge.flags & DERIVED != 0;
        pairs.push(Pair { from: edge.from, to, language: edge.language, derived, home });
    }
    drop(edges);
    let of_homes = |pair: &&Pair| !pair.home && !pair.derived && registry.is_home_record(pair.from);
    let back: QuickSet<(u32, u32)> = pairs.iter().filter(of_homes).map(|pair| (pair.to, pair.from)).collect();
    pairs.retain(|pair| !pair.home || !pair.derived && back.contains(&(pair.from, pair.to)));
    let mut said: QuickMap<u32, Option<u16>> = QuickMap::default();
    for pair in pairs.iter().filter(|pair| pair.language != 0 && !pair.derived) {
        let say = said.entry(pair.to).or_insert(Some(pair.language));
        *say = say.filter(|&language| language == pair.language);
    }
    for (record, language) in said {
        let record = &mut registry.records[record as usize];
        if let (0, Some(language)) = (record.language(), language) {
            record.language |= language | LANGUAGE_BY_OTHERS;
        }
    }
    registry.groups = group(registry, pairs);
    // Which posts are translations tells which terms are.
    let guessed = terms::pairs(registry);
    let mut groups = std::mem::take(&mut registry.groups);
    groups.add_terms(registry, guessed);
    registry.groups = groups;
}

fn group(registry: &Registry, pairs: Vec<Pair>) -> Groups {
    let mut nodes: Vec<u32> = pairs.iter().flat_map(|pair| [pair.from, pair.to]).collect();
    let rank = registry.rank(&mut nodes);
    let mut stated: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.from, pair.to)).collect();
    stated.sort_unstable();
    stated.dedup();
    let mut ordered = order(registry, &pairs, &rank);
    drop(pairs);
    ordered.sort_unstable();
    ordered.dedup();
    let mut forest = Forest::new(nodes.iter().map(|&node| registry.records[node as usize].language()));
    let refused = ordered.iter().filter(|(class, a, b)| *class == Class::Refused || !forest.join(*a, *b)).count();
    let mut groups = Groups { stated, refused: refused as u64, ..Groups::default() };
    groups.add(&nodes, &mut forest);
    groups
}

/// How reliable a statement is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Mutual,
    OneSided,
    Derived,
    Refused,
}

/// Each pair once, with its class and the ranks of its records.
fn order(registry: &Registry, pairs: &[Pair], rank: &QuickMap<u32, u32>) -> Vec<(Class, u32, u32)> {
    let evidence: QuickSet<(u32, u32)> =
        pairs.iter().filter(|pair| !pair.derived).map(|pair| (pair.from, pair.to)).collect();
    let language = |record: u32| registry.records[record as usize].language();
    // (record, language of the other side, whether the record is the one claimed) → count.
    let mut claims: QuickMap<(u32, u16, bool), u32> = QuickMap::default();
    let one_sided = |&&(from, to): &&(u32, u32)| !evidence.contains(&(to, from));
    for &(from, to) in evidence.iter().filter(one_sided) {
        for (record, other, claimed) in [(to, from, true), (from, to, false)] {
            if language(other) != 0 {
                *claims.entry((record, language(other), claimed)).or_default() += 1;
            }
        }
    }
    let contradicted = |from: u32, to: u32| {
        let count = |record, other, claimed| claims.get(&(record, language(other), claimed)).copied().unwrap_or(0);
        count(to, from, true) > 1 || count(from, to, false) > 1
    };
    let class = |pair: &Pair| match pair {
        Pair { derived: true, .. } => Class::Derived,
        Pair { from, to, .. } if evidence.contains(&(*to, *from)) => Class::Mutual,
        Pair { from, to, .. } if contradicted(*from, *to) => Class::Refused,
        _ => Class::OneSided,
    };
    let ranked = |pair: &Pair| {
        let (a, b) = (rank[&pair.from], rank[&pair.to]);
        (class(pair), a.min(b), a.max(b))
    };
    pairs.iter().map(ranked).collect()
}

impl Registry {
    /// The record that a statement refers to; `url` is the key of its URL if that may be a shortlink.
    pub(super) fn resolve(&self, edge: &Edge, url: Option<&str>) -> Option<(u32, Rule)> {
        if edge.flags & BY_ID != 0 {
            let id = (u64::from(edge.to[1]) << 32 | u64::from(edge.to[0])) as i64;
            let kind = self.kind(edge.from);
            let fits = |k: Kind, r#type: &str| k == kind && hash_32(r#type) == edge.to[2];
            return Some((self.referred(kind.space(), id, edge.language, fits)?, Rule::Id));
        }
        let asked = Query::default();
        let Some(record) = self.table.get(edge.hash(), |owners| self.choose(owners, &asked, edge.language)) else {
            return self.resolve_shortlink(edge, url?);
        };
        let record = record?;
        let rule = match record.role {
            Role::Link => Rule::Normalised,
            Role::Alias => Rule::Alias,
            Role::Html => Rule::Html,
            _ => return None,
        };
        Some((record.record, rule))
    }

    /// Keeps the URL of a statement, which is in [`Registry::key`], if it may turn out to be a shortlink when all
    /// records are known.
    pub(super) fn remember_shortlink(&mut self, edge: &Edge) {
        let named = |query: &str| query.split('&').any(|parameter| shortlink_name(parameter).is_some());
        if edge.flags & BY_ID == 0 && self.key.query().is_some_and(named) {
            self.shortlinks.entry(edge.hash()).or_insert_with(|| self.key.as_str().into());
        }
    }

    /// The record that a statement refers to by a shortlink other than its link.
    fn resolve_shortlink(&self, edge: &Edge, url: &str) -> Option<(u32, Rule)> {
        if !url.contains('?') {
            return None;
        }
        let key = UrlKey::new(&format!("https://{url}"))?;
        if !self.places.is_own(key.host()) {
            return None;
        }
        Some((self.shortlink(&key, edge.language)?, Rule::Shortlink))
    }

    /// Why `to` is not a translation of `from`, as the name of a count: it is the record itself, a home page, or a page
    /// that shows the same text at another language's URL.
    fn is_none(&self, from: u32, to: u32) -> Option<&'static str> {
        if from == to {
            return Some("dropped_self");
        }
        if self.is_copy(from, to) {
            return Some("dropped_fallback");
        }
        if self.is_home_record(to) && !self.is_home_record(from) {
            let states = |from, to| self.groups.stated.binary_search(&(from, to)).is_ok();
            let refers_back = states(to, from) && states(from, to);
            return if refers_back { None } else { Some(DROPPED_HOME) };
        }
        None
    }

    fn is_home_record(&self, record: u32) -> bool {
        self.records[record as usize].language & super::HOME != 0
    }

    /// The outcome for a translation that `record` states.
    pub(crate) fn verdict(&self, record: RecordNumber, said: &TranslationFacts<'_>) -> Verdict {
        if is_default(said) {
            return Verdict::Dropped("dropped_x_default");
        }
        let language = said.language.as_deref().and_then(|tag| self.language_numbers.get(tag)).copied().unwrap_or(0);
        let mut key = UrlKey::default();
        let own = self.r#type(record.0).1;
        let Some(edge) = Edge::new(record.0, said, own, language, &mut key) else { return Verdict::Open(None) };
        let Some((to, rule)) = self.resolve(&edge, Some(key.as_str())) else {
            let url = said.href.as_deref().filter(|url| key.read(url));
            let code = said.language.as_deref();
            let home = url.is_some_and(|_| self.places.is_own(key.host()) && self.places.is_home(&key, code));
            let drop = home && !self.is_home_record(record.0);
            return if drop { Verdict::Dropped(DROPPED_HOME) } else { Verdict::Open(None) };
        };
        if let Some(count) = self.is_none(record.0, to) {
            return Verdict::Dropped(count);
        }
        let together = self.groups.first_of(to).is_some_and(|first| self.groups.first_of(record.0) == Some(first));
        if !together {
            return Verdict::Open(Some(Rule::Ambiguous));
        }
        let exact = rule == Rule::Normalised && said.href.as_deref() == Some(self.link(to));
        let cleaned = rule == Rule::Normalised
            && said.href.as_deref().and_then(UrlKey::new).is_some_and(|key| key.without_noise().is_some());
        let rule = match rule {
            _ if exact => Rule::Exact,
            _ if cleaned => Rule::QueryCleaned,
            rule => rule,
        };
        Verdict::Target(RecordNumber(to), rule)
    }

    /// The translations of `record` that are not in `stated`, in the order of identities. Omits those that neither link
    /// nor id would identify: the list must mean the same when it is read again.
    pub(crate) fn complete(&self, record: RecordNumber, stated: &[RecordNumber]) -> impl Iterator<Item = Completed> {
        let others = self.groups.members_of(record.0).iter().map(|&(_, member)| RecordNumber(member));
        others.filter(move |other| *other != record && !stated.contains(other)).filter_map(move |other| {
            let source = self.evidence(record, other);
            let (by_id, rule) = self.name_again(record, other, source)?;
            Some(Completed { record: other, source, by_id, rule })
        })
    }

    /// Why `other` is a translation of `record`, which does not state it: one of [`ADDED`].
    fn evidence(&self, record: RecordNumber, other: RecordNumber) -> &'static str {
        if self.groups.stated.binary_search(&(other.0, record.0)).is_ok() {
            return "reverse";
        }
        let guessed = |a, b| self.groups.guessed.get(&(a, b));
        match guessed(record.0, other.0).or_else(|| guessed(other.0, record.0)) {
            Some(terms::Guess::Slug) => "slug",
            Some(terms::Guess::Posts) => "posts",
            None => "group",
        }
    }

    /// How `record` can identify its translation `other`: whether by id, and the rule that then finds it.
    fn name_again(&self, record: RecordNumber, other: RecordNumber, source: &str) -> Option<(bool, Rule)> {
        let (r#type, id, link) = self.target(other);
        let mut said = TranslationFacts {
            language: self.language(other).map(|(language, _)| language.into()),
            href: Some(link).filter(|link| !link.is_empty()).map(Into::into),
            source: Some(source.into()),
            ..TranslationFacts::default()
        };
        let found = |said: &TranslationFacts<'_>| match self.verdict(record, said) {
            Verdict::Target(target, rule) if target == other => Some(rule),
            _ => None,
        };
        if let Some(rule) = found(&said) {
            return Some((false, rule));
        }
        (said.id, said.r#type) = (Some(id?), Some(r#type.into()));
        found(&said).map(|rule| (true, rule))
    }

    /// The name of the record's group: `TYPE:ID` of its first member by kind, type, id and link, or `html:URL` if that
    /// has no id; none if the record has no translations here.
    pub(crate) fn group_name(&self, record: RecordNumber) -> Option<String> {
        let (r#type, id, link) = self.target(RecordNumber(self.groups.first_of(record.0)?));
        Some(match id {
            Some(id) => format!("{type}:{id}"),
            None => format!("html:{link}"),
        })
    }

    /// Number of groups, and of statements refused because they contradict others or the group is full.
    pub(crate) fn group_counts(&self) -> (u64, u64) {
        let groups = self.groups.first.iter().filter(|(member, first)| member == first).count();
        (groups as u64, self.groups.refused)
    }
}
