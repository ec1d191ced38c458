//! Stores the records of a site: 20 bytes each, and their links, types and languages, found by number. All phases of the registry use them;
//! [`ids`] finds them by id, [`super::table`] by URL.

mod ids;

use super::blogs::Blogs;
use super::record::{
    GUEST, KnownRecord, LANGUAGE_BY_OTHERS, LANGUAGE_BY_POSTS, LANGUAGE_BY_URL, LANGUAGES, NO_ID, RecordKind, TYPES,
};
use super::table::Table;
use crate::urls::QuickMap;
use ids::Ids;
use std::cmp::Ordering;
use std::ops::{Index, IndexMut, Range};

#[derive(Default)]
pub(super) struct Records {
    list: Vec<KnownRecord>,
    links: String,
    types: Vec<(RecordKind, Box<str>)>,
    /// For each type, whether a record on an own host has it.
    own_types: Vec<bool>,
    languages: Vec<Box<str>>,
    language_numbers: QuickMap<Box<str>, u16>,
    pub(super) table: Table,
    pub(super) blogs: Blogs,
    /// Terms by the hashes of their names; `None` if several terms have the same name.
    pub(super) named_terms: QuickMap<u128, Option<u32>>,
    ids: Ids,
    /// Whether some id has several links, as with plugins that translate on the fly.
    pub(super) shares_ids: bool,
}

impl Index<u32> for Records {
    type Output = KnownRecord;

    fn index(&self, number: u32) -> &KnownRecord {
        &self.list[number as usize]
    }
}

impl IndexMut<u32> for Records {
    fn index_mut(&mut self, number: u32) -> &mut KnownRecord {
        &mut self.list[number as usize]
    }
}

impl Records {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn numbers(&self) -> Range<u32> {
        0..self.list.len() as u32
    }

    /// Makes room for a record and stores its link. Returns the record's number and the link's end; the error is a message: there are too
    /// many records.
    pub(super) fn make_room(&mut self, link: &str) -> Result<(u32, u32), &'static str> {
        let number = u32::try_from(self.list.len()).map_err(|_| "the site has more than 4,294,967,295 records")?;
        let link_end =
            u32::try_from(self.links.len() + link.len()).map_err(|_| "the site has more than 4 GiB of links")?;
        self.links.push_str(link);
        Ok((number, link_end))
    }

    /// Stores a record for which there is room.
    pub(super) fn push(&mut self, record: KnownRecord) {
        self.list.push(record);
    }

    /// The number of a type; `None` if there are too many. Types are searched one by one: a site has a dozen.
    pub(super) fn number_type(&mut self, kind: RecordKind, name: &str) -> Option<u16> {
        let known = self.types.iter().position(|(k, n)| *k == kind && **n == *name);
        if known.is_none() && self.types.len() < TYPES {
            self.types.push((kind, name.into()));
            return u16::try_from(self.types.len() - 1).ok();
        }
        known.and_then(|number| u16::try_from(number).ok())
    }

    /// The number of a language, 0 for no language; `None` if there are too many.
    pub(super) fn number_language(&mut self, tag: Option<&str>) -> Option<u16> {
        let Some(tag) = tag.filter(|tag| !tag.is_empty()) else { return Some(0) };
        if let Some(&number) = self.language_numbers.get(tag) {
            return Some(number);
        }
        let number = u16::try_from(self.languages.len() + 1).ok().filter(|&n| n <= LANGUAGES)?;
        self.languages.push(tag.into());
        self.language_numbers.insert(tag.into(), number);
        Some(number)
    }

    /// The number of a language that a record has named; 0 otherwise.
    pub(super) fn language_number(&self, tag: Option<&str>) -> u16 {
        tag.and_then(|tag| self.language_numbers.get(tag)).copied().unwrap_or(0)
    }

    pub(super) fn language_name(&self, number: u16) -> Option<&str> {
        self.languages.get(usize::from(number).checked_sub(1)?).map(|tag| &**tag)
    }

    pub(super) fn languages(&self) -> impl Iterator<Item = (&str, u16)> {
        self.languages.iter().map(|tag| &**tag).zip(1..)
    }

    /// Replaces one language by another, in all records and in later queries.
    pub(super) fn rename_language(&mut self, from: u16, to: u16) {
        for record in self.list.iter_mut().filter(|record| record.language() == from) {
            record.language = record.language & !LANGUAGES | to;
        }
        self.language_numbers.insert(self.languages[usize::from(from) - 1].clone(), to);
    }

    /// Marks the records on foreign hosts, once those are known.
    pub(super) fn mark_guests(&mut self, is_guest: impl Fn(u32) -> bool) {
        self.own_types = vec![false; self.types.len()];
        for number in self.numbers() {
            if is_guest(number) {
                self[number].r#type |= GUEST;
            } else {
                let r#type = self[number].r#type();
                self.own_types[usize::from(r#type)] = true;
            }
        }
    }

    pub(super) fn has_kind(&self, kind: RecordKind) -> bool {
        self.types.iter().any(|(known, _)| *known == kind)
    }

    /// Whether a record on an own host has a type with this name.
    pub(super) fn has_type(&self, name: &str) -> bool {
        self.types.iter().zip(&self.own_types).any(|((_, r#type), is_own)| *is_own && **r#type == *name)
    }

    pub(super) fn r#type(&self, number: u32) -> (RecordKind, &str) {
        let (kind, name) = &self.types[usize::from(self[number].r#type())];
        (*kind, name)
    }

    pub(super) fn kind(&self, number: u32) -> RecordKind {
        self.r#type(number).0
    }

    /// The kind of a record; for a page that is the post or the file whose id it has, post or media.
    pub(super) fn item_kind(&self, number: u32) -> RecordKind {
        match self.r#type(number) {
            (RecordKind::Page, "media") if self[number].is_item() => RecordKind::Media,
            (RecordKind::Page, _) if self[number].is_item() => RecordKind::Post,
            (kind, _) => kind,
        }
    }

    pub(super) fn link(&self, number: u32) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self[before].link_end as usize);
        &self.links[start..self[number].link_end as usize]
    }

    /// The order of records for naming groups: kind (post, term, media, user, comment, html), type, id, link.
    pub(super) fn compare(&self, a: u32, b: u32) -> Ordering {
        let order = |n: u32| {
            let (kind, r#type) = self.r#type(n);
            let id = if kind == RecordKind::Page { NO_ID } else { self[n].id() };
            (kind, r#type, id, self.link(n))
        };
        order(a).cmp(&order(b))
    }

    /// Sorts records by identity, drops duplicates, and returns the rank of each.
    pub(super) fn rank(&self, nodes: &mut Vec<u32>) -> QuickMap<u32, u32> {
        nodes.sort_unstable_by(|&a, &b| self.compare(a, b).then(a.cmp(&b)));
        nodes.dedup();
        nodes.iter().zip(0..).map(|(&node, rank)| (node, rank)).collect()
    }

    /// Type, id (`None` for an html record) and link of a record.
    pub(super) fn target(&self, number: u32) -> (&str, Option<i64>, &str) {
        let r#type = self.r#type(number).1;
        let id = Some(self[number].id()).filter(|&id| id != NO_ID && self.item_kind(number) != RecordKind::Page);
        (r#type, id, self.link(number))
    }

    /// A record's language and, if the registry inferred it, the source: `url`, `translation`, `posts`.
    pub(super) fn language(&self, number: u32) -> Option<(&str, Option<&'static str>)> {
        let record = &self[number];
        let source = match record.language {
            l if l & LANGUAGE_BY_POSTS == LANGUAGE_BY_POSTS => Some("posts"),
            l if l & LANGUAGE_BY_URL != 0 => Some("url"),
            l if l & LANGUAGE_BY_OTHERS != 0 => Some("translation"),
            _ => None,
        };
        Some((self.language_name(record.language())?, source))
    }
}
