//! The 20 bytes that the registry keeps for each record: its id, the end of its link, its type and its language.

use super::facts::Facts;
use crate::record::is_of_page;

/// The kind of a record, as the registry distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum RecordKind {
    // In the order in which records name groups: kinds with an id come before the kind without.
    Post,
    Term,
    Media,
    User,
    Comment,
    /// A page without an item, whatever record it claims to be.
    Page,
}

impl RecordKind {
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "comment" => RecordKind::Comment,
            "html" => RecordKind::Page,
            "media" => RecordKind::Media,
            "post" => RecordKind::Post,
            "term" => RecordKind::Term,
            "user" => RecordKind::User,
            _ => return None,
        })
    }

    /// The kind of a record; `None` if nothing can refer to it.
    pub(super) fn of(facts: &Facts<'_>) -> Option<Self> {
        let kind = facts.kind.as_deref();
        if is_of_page(kind, facts.source.via.as_deref()) { Some(RecordKind::Page) } else { RecordKind::parse(kind?) }
    }

    /// The space in which ids are unique: WordPress keeps posts and media in one table.
    pub(super) fn space(self) -> u8 {
        match self {
            RecordKind::Post | RecordKind::Media | RecordKind::Page => 0,
            RecordKind::Term => 1,
            RecordKind::User => 2,
            RecordKind::Comment => 3,
        }
    }
}

/// A record in 20 bytes; its link is in [`super::records::Records`] between the end of the previous record's and its
/// own.
pub(super) struct KnownRecord {
    /// The id; for a page, that of the record it shows.
    pub(super) id: [u32; 2],
    pub(super) link_end: u32,
    /// For media: hash of the file's name, and its proportions; 0 = unknown.
    pub(super) words: u32,
    /// Number of its type; the high bits are flags.
    pub(super) r#type: u16,
    /// Number of its language, 0 = none; the high bits are flags.
    pub(super) language: u16,
}

pub(super) const NO_ID: i64 = i64::MIN;
/// The most languages that can have a number, and the most types.
pub(super) const LANGUAGES: u16 = 0x0fff;
pub(super) const TYPES: usize = LANGUAGES as usize;
/// Flags in the type: the record is on a foreign host; a page is the record whose id it has.
pub(super) const GUEST: u16 = 0x8000;
pub(super) const ITEM: u16 = 0x4000;
pub(super) const SCRAPED: u16 = 0x8000;
/// The language comes from the URL, or from statements of other records.
pub(super) const LANGUAGE_BY_URL: u16 = 0x4000;
pub(super) const LANGUAGE_BY_OTHERS: u16 = 0x2000;
/// The language comes from the posts that have this term: both bits.
pub(super) const LANGUAGE_BY_POSTS: u16 = LANGUAGE_BY_URL | LANGUAGE_BY_OTHERS;
/// The record is the front page of the site or of a language; until the registry is closed, it may turn out not to be.
pub(super) const HOME: u16 = 0x1000;

impl KnownRecord {
    pub(super) fn id(&self) -> i64 {
        (u64::from(self.id[1]) << 32 | u64::from(self.id[0])) as i64
    }

    pub(super) fn r#type(&self) -> u16 {
        self.r#type & LANGUAGES
    }

    /// Whether its link is on a host that is not the site's own: it may be a page of another site.
    pub(super) fn is_guest(&self) -> bool {
        self.r#type & GUEST != 0
    }

    /// Whether a page is itself the record with its id, and not just another page with that id.
    pub(super) fn is_item(&self) -> bool {
        self.r#type & ITEM != 0
    }

    pub(super) fn language(&self) -> u16 {
        self.language & LANGUAGES
    }

    /// The language of the record, unless only other records state it: the choice of the record that a statement refers to must not depend
    /// on statements, or a second run would choose other records.
    pub(super) fn firm_language(&self) -> u16 {
        if self.language & LANGUAGE_BY_OTHERS == 0 { self.language() } else { 0 }
    }
}

/// The number of a record in this registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RecordNumber(pub(super) u32);

impl From<u32> for RecordNumber {
    fn from(number: u32) -> Self {
        RecordNumber(number)
    }
}

impl From<RecordNumber> for u32 {
    fn from(number: RecordNumber) -> Self {
        number.0
    }
}
