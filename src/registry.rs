//! Finds the record of a site that a URL leads to, by named rules that prefer no answer to a wrong one, and the groups of records that are
//! translations of each other. Other modules read and write lines, and find the language of pages.
//!
//! A registry has three phases, each a type that creates the next: [`Register`] takes all records, [`Located`] knows their places and
//! languages, and [`Registry`] answers queries from any thread. It stores hashes of URLs (24 bytes each, at most 57 including free slots),
//! the `link` and 20 bytes per record, at most 9 bytes for its id, some 10 bytes per post with terms, 68 bytes per record whose words are
//! compared, and 24 bytes per translation (plus its URL if that is a shortlink). While it is filled, it needs 4 bytes per record more, and
//! 8 for distinguishing blogs. The result does not depend on the order of the records.

mod blogs;
mod copies;
mod doubts;
mod facts;
mod groups;
mod homes;
mod hosts;
mod located;
mod lookup;
mod media;
mod pages;
mod places;
mod record;
mod records;
mod register;
mod rule;
mod statements;
mod table;
mod tags;
mod terms;
mod translations;
mod votes;

pub(crate) use blogs::Blog;
pub(crate) use facts::{Facts, TranslationFacts};
pub(crate) use located::Located;
pub(crate) use lookup::{Answer, Query};
pub(crate) use record::RecordNumber;
use register::NOTICE;
pub(crate) use register::Register;
pub use rule::Rule;
pub(crate) use translations::{Completed, Verdict};

use crate::urls::UrlKey;
use groups::Groups;
use lookup::Lookup;
use record::RecordKind;

/// Whether anything can refer to records of this kind.
pub(crate) fn is_known_kind(name: &str) -> bool {
    RecordKind::parse(name).is_some()
}

/// The complete registry of a site.
pub(crate) struct Registry {
    lookup: Lookup,
    groups: Groups,
}

impl Registry {
    pub(crate) fn len(&self) -> usize {
        self.lookup.records.len()
    }

    /// Number of URLs and names in the table.
    pub(crate) fn urls(&self) -> usize {
        self.lookup.records.table.len()
    }

    pub(crate) fn find_url(&self, asked: &Query<'_>, key: &mut UrlKey) -> Answer {
        self.lookup.find_url(asked, key)
    }

    pub(crate) fn blog(&self, record: Option<RecordNumber>) -> Blog {
        record.map_or(Blog::default(), |record| self.lookup.records.blogs.of(record.0))
    }

    /// Whether a blog has a record with this id, of this kind (post, media, term, user, comment) and type (of any type if `None`).
    pub(crate) fn has(&self, kind: &str, r#type: Option<&str>, id: i64, blog: Blog) -> bool {
        self.lookup.records.has(kind, r#type, id, blog)
    }

    /// The record of this kind and type (of any type if `None`) that an id means when a record of this blog and language refers to it.
    pub(crate) fn of_id(
        &self,
        kind: &str,
        r#type: Option<&str>,
        id: i64,
        blog: Blog,
        language: Option<&str>,
    ) -> Option<RecordNumber> {
        let (kind, records) = (RecordKind::parse(kind)?, &self.lookup.records);
        let fits = |_: u32, of: RecordKind, name: &str| of == kind && r#type.is_none_or(|wanted| wanted == name);
        records.referred(kind.space(), id, blog, records.language_number(language), fits).map(RecordNumber)
    }

    /// The only term with this name in a blog.
    pub(crate) fn term_called(&self, name: &str, blog: Blog) -> Option<RecordNumber> {
        let records = &self.lookup.records;
        let number = records.named_terms.get(&crate::urls::hash(name)).copied().flatten();
        number.filter(|number| records.blogs.of(*number) == blog).map(RecordNumber)
    }

    /// Whether the record is a term.
    pub(crate) fn is_term(&self, record: RecordNumber) -> bool {
        self.lookup.records.kind(record.0) == RecordKind::Term
    }

    /// Type, id (`None` for an html record) and link of a record.
    pub(crate) fn target(&self, record: RecordNumber) -> (&str, Option<i64>, &str) {
        self.lookup.records.target(record.0)
    }

    /// A record's language and, if the registry inferred it, the source: `url`, `translation`, `posts`, `copy`.
    pub(crate) fn language(&self, record: RecordNumber) -> Option<(&str, Option<&'static str>)> {
        let (tag, source) = self.lookup.records.language(record.0)?;
        Some((tag, if self.lookup.texts.adopts(record.0) { Some("copy") } else { source }))
    }

    /// Why a record is a copy, `notice` or `words`, and the original if it is known.
    pub(crate) fn copy(&self, record: RecordNumber) -> Option<(&'static str, Option<RecordNumber>)> {
        let copy = self.lookup.texts.copy(record.0)?;
        Some((if copy.is_notice { NOTICE } else { "words" }, copy.of.map(RecordNumber)))
    }

    /// The registry's tag for a record's language, if the record declares the same language with a different tag.
    pub(crate) fn other_tag(&self, record: RecordNumber, declared: &str) -> Option<&str> {
        let records = &self.lookup.records;
        let language = records[record.0].language();
        let tag = records.language_name(language)?;
        (tag != declared && records.language_number(Some(declared)) == language).then_some(tag)
    }
}

#[cfg(test)]
mod tests;
