//! Stores the translations that records state, in 24 bytes each; they are resolved to records once all records are registered.

use super::facts::TranslationFacts;
use super::lookup::{Lookup, Query};
use super::record::RecordKind;
use super::records::Records;
use super::rule::Rule;
use super::table::Role;
use crate::urls::{QuickMap, UrlKey, hash_32};
use crate::wordpress::is_shortlink;

/// The kinds of evidence for translations that wp-translations has added to a record.
pub(super) const ADDED: [&str; 4] = ["reverse", "slug", "posts", "group"];

const BY_ID: u16 = 1;
const DERIVED: u16 = 2;

/// A record's statement about another record, in 24 bytes.
pub(super) struct Edge {
    /// The hash of the other record's URL, or its id and the hash of its type.
    to: [u32; 4],
    pub(super) from: u32,
    pub(super) language: u16,
    flags: u16,
}

impl Edge {
    /// `None` if the record states neither URL nor id.
    pub(super) fn new(
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

    /// Whether an earlier run added it.
    pub(super) fn is_derived(&self) -> bool {
        self.flags & DERIVED != 0
    }

    pub(super) fn is_by_id(&self) -> bool {
        self.flags & BY_ID != 0
    }

    fn hash(&self) -> u128 {
        self.to.iter().rev().fold(0, |hash, &word| hash << 32 | u128::from(word))
    }
}

/// `x-default` is not a language.
pub(super) fn is_default(said: &TranslationFacts<'_>) -> bool {
    let raw = said.language_raw.as_deref().or(said.language.as_deref());
    raw.is_some_and(|raw| raw.eq_ignore_ascii_case("x-default"))
}

/// All statements of a site's records.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) edges: Vec<Edge>,
    /// URLs of statements that may be shortlinks, or that are from a scrape made elsewhere, by their hashes.
    urls: QuickMap<u128, Box<str>>,
    /// Whether a record that was ignored as a duplicate states translations.
    pub(super) has_repeated: bool,
}

impl Statements {
    /// Adds a statement. Also keeps its URL, whose key is `key`, if it may turn out to be a shortlink when all records are known, or if it
    /// is on another host than its record, or on one that is mapped.
    pub(super) fn add(&mut self, edge: Edge, key: &UrlKey, is_elsewhere: bool) {
        if !edge.is_by_id() && (is_elsewhere || key.query().is_some_and(is_shortlink)) {
            self.urls.entry(edge.hash()).or_insert_with(|| key.as_str().into());
        }
        self.edges.push(edge);
    }

    /// The record that a statement refers to, once all records are known.
    pub(super) fn resolve(&self, lookup: &Lookup, edge: &Edge) -> Option<(u32, Rule)> {
        lookup.resolve(edge, self.urls.get(&edge.hash()).map(|url| &**url))
    }
}

impl Records {
    /// The record that a statement refers to by its id or its URL; the outer `None` means that the URL belongs to no registered record.
    pub(super) fn stated(&self, edge: &Edge) -> Option<Option<(u32, Rule)>> {
        if edge.is_by_id() {
            let id = (u64::from(edge.to[1]) << 32 | u64::from(edge.to[0])) as i64;
            let kind = self.kind(edge.from);
            let fits = |_, k: RecordKind, r#type: &str| k == kind && hash_32(r#type) == edge.to[2];
            let record = self.referred(kind.space(), id, self.blogs.of(edge.from), edge.language, fits);
            return Some(record.map(|record| (record, Rule::Id)));
        }
        let owner = self.table.get(edge.hash(), |owners| self.choose(owners, &Query::default(), edge.language))?;
        Some(owner.and_then(|owner| {
            let rule = match owner.role {
                Role::Link => Rule::Normalised,
                Role::Alias => Rule::Alias,
                Role::Page => Rule::Html,
                _ => return None,
            };
            Some((owner.record, rule))
        }))
    }
}

impl Lookup {
    /// The record that a statement refers to; `url` is the key of its URL if that may be a shortlink.
    pub(super) fn resolve(&self, edge: &Edge, url: Option<&str>) -> Option<(u32, Rule)> {
        self.records.stated(edge).unwrap_or_else(|| {
            let url = url?;
            self.stated_by_shortlink(edge, url).or_else(|| self.stated_elsewhere(edge, url))
        })
    }

    /// The record that a statement refers to by a URL of a scrape that was made elsewhere.
    fn stated_elsewhere(&self, edge: &Edge, url: &str) -> Option<(u32, Rule)> {
        let current = self.places.hosts.mapped(&UrlKey::new(&format!("https://{url}"))?, true)?;
        let owner = self
            .records
            .table
            .get(current.hash(), |owners| self.records.choose(owners, &Query::default(), edge.language));
        let owner = owner??;
        matches!(owner.role, Role::Link | Role::Alias | Role::Page).then_some((owner.record, Rule::Former))
    }

    /// The record that a statement refers to by a shortlink, if the shortlink is not the record's link.
    fn stated_by_shortlink(&self, edge: &Edge, url: &str) -> Option<(u32, Rule)> {
        if !url.contains('?') {
            return None;
        }
        let key = UrlKey::new(&format!("https://{url}"))?;
        if !self.places.hosts.is_own(key.host()) {
            return None;
        }
        Some((self.shortlink(&key, self.records.blogs.of(edge.from), edge.language)?, Rule::Shortlink))
    }
}
