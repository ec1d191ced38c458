//! Finds records of a site by id and by identity. If several records have the same id, the language of the reference decides, then their
//! links.
//!
//! An id has one record, or one per language. Broken input may give all records the same id: then references by id resolve to nothing, and
//! records are distinguished by hashes of their identities, so that such input takes no more time than other input.

use super::Records;
use crate::registry::blogs::Blog;
use crate::registry::record::{NO_ID, RecordKind};
use crate::registry::table::CONTESTED;
use crate::urls::{QuickMap, UrlKey};
use hashbrown::HashTable;

/// Up to this many records with one id are compared one by one to find an identity.
const FEW: usize = 16;

/// (id space, id) → records.
#[derive(Default)]
pub(super) struct Ids {
    /// The first record with each id.
    first: HashTable<u32>,
    /// First record → the other records with its id, up to a limit.
    others: QuickMap<u32, Vec<u32>>,
    /// Identity → record, for ids with more than a few records.
    crowded: QuickMap<u128, u32>,
}

fn id_hash(space: u8, id: i64) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(&id.to_le_bytes(), crate::urls::seed() ^ u64::from(space))
}

fn identity_hash(kind: RecordKind, r#type: &str, id: i64, link: &str) -> u128 {
    crate::urls::hash(&format!("{} {type} {id} {link}", kind as u8))
}

impl Records {
    /// Registers a record by its id, and notes whether ids are shared.
    pub(in crate::registry) fn register_id(&mut self, kind: RecordKind, id: i64, number: u32) {
        if id == NO_ID {
            return;
        }
        if kind == RecordKind::Page {
            self.shares_ids = true;
            return;
        }
        if let Some(first) = self.first_of_id(kind.space(), id) {
            return self.register_again(kind, first, number);
        }
        let mut first = std::mem::take(&mut self.ids.first);
        let hash = |&other: &u32| id_hash(self.kind(other).space(), self[other].id());
        first.insert_unique(id_hash(kind.space(), id), number, hash);
        self.ids.first = first;
    }

    fn register_again(&mut self, kind: RecordKind, first: u32, number: u32) {
        let mut others = self.ids.others.remove(&first).unwrap_or_default();
        let same_kind = || others.iter().chain([&first]).any(|&other| self.kind(other) == kind);
        self.shares_ids |= !self.shares_ids && kind == RecordKind::Post && same_kind();
        if others.len() < CONTESTED {
            others.push(number);
        }
        let known_late: &[u32] = match others.len() {
            0..=FEW => &[],
            // From now on, all of them are found by their identities.
            length if length == FEW + 1 => &others,
            _ => &[number],
        };
        for &number in known_late {
            let identity = self.identity(number);
            self.ids.crowded.entry(identity).or_insert(number);
        }
        self.ids.others.insert(first, others);
    }

    fn identity(&self, number: u32) -> u128 {
        let (kind, r#type) = self.r#type(number);
        identity_hash(kind, r#type, self[number].id(), self.link(number))
    }

    /// Whether a record may share its id with another one, as far as is known.
    pub(in crate::registry) fn may_be_copy(&self, kind: RecordKind, id: i64, number: u32) -> bool {
        let is_later = || self.first_of_id(kind.space(), id).is_some_and(|first| first != number);
        id != NO_ID && (kind == RecordKind::Page || is_later())
    }

    fn first_of_id(&self, space: u8, id: i64) -> Option<u32> {
        let same = |&n: &u32| self[n].id() == id && self.kind(n).space() == space;
        self.ids.first.find(id_hash(space, id), same).copied()
    }

    /// Whether records with one id are in several languages, or pages state the id of a record at another URL. Considers records that share
    /// an id, on own hosts.
    pub(in crate::registry) fn is_one_id_of_languages(&self, of_shared_ids: impl Iterator<Item = u32>) -> bool {
        let mut languages: QuickMap<(Blog, i64), u16> = QuickMap::default();
        let mut is_another = |number: u32| {
            let (id, language) = ((self.blogs.of(number), self[number].id()), self[number].language());
            language != 0 && *languages.entry(id).or_insert(language) != language
        };
        let mut own = of_shared_ids.filter(|&number| !self[number].is_guest());
        own.any(|number| {
            let (blog, id) = (self.blogs.of(number), self[number].id());
            let first = self.by_id(RecordKind::Post.space(), id).find(|&first| self.blogs.of(first) == blog);
            match self.kind(number) {
                // The record that the page shows may be missing from the dump. This does not count if the page's blog is known: the id may
                // be that of a record in another blog.
                RecordKind::Page => first.is_some() || !blog.is_known(),
                RecordKind::Post => {
                    let first = first.filter(|&first| self.kind(first) == RecordKind::Post && !self[first].is_guest());
                    is_another(number) | first.is_some_and(&mut is_another)
                }
                _ => false,
            }
        })
    }

    /// All records with an id; empty if there are too many.
    pub(in crate::registry) fn by_id(&self, space: u8, id: i64) -> impl Iterator<Item = u32> {
        let first = self.first_of_id(space, id);
        let others = first.and_then(|first| self.ids.others.get(&first)).map_or(&[][..], Vec::as_slice);
        let first = first.filter(|_| others.len() < CONTESTED);
        let others = if first.is_some() { others } else { &[] };
        first.into_iter().chain(others.iter().copied())
    }

    /// The record with this identity. A page is found by its link, even if it has an id.
    pub(in crate::registry) fn find(&self, kind: RecordKind, r#type: &str, id: Option<i64>, link: &str) -> Option<u32> {
        let same = |&other: &u32| {
            let (k, t) = self.r#type(other);
            let is_id = kind != RecordKind::Page || id.is_none() || id == Some(self[other].id());
            k == kind && t == r#type && is_id && self.link(other) == link
        };
        let Some(id) = id.filter(|_| kind != RecordKind::Page) else {
            let key = UrlKey::new(link)?;
            return self.table.get(key.hash(), |owners| owners.iter().map(|o| o.record).find(same))?;
        };
        let first = self.first_of_id(kind.space(), id)?;
        if same(&first) {
            return Some(first);
        }
        let others = self.ids.others.get(&first)?;
        if others.len() <= FEW {
            return others.iter().copied().find(same);
        }
        self.ids.crowded.get(&identity_hash(kind, r#type, id, link)).copied()
    }

    /// The record of this blog that a reference by id means: the one in `language` or one of its regions, otherwise the one with the
    /// shortest link, then the least. Records on own hosts take precedence.
    pub(in crate::registry) fn referred(
        &self,
        space: u8,
        id: i64,
        blog: Blog,
        language: u16,
        fits: impl Fn(u32, RecordKind, &str) -> bool,
    ) -> Option<u32> {
        let fitting = self.by_id(space, id).filter(|&n| {
            let (kind, r#type) = self.r#type(n);
            self.blogs.is_meant(n, blog) && fits(n, kind, r#type)
        });
        let primary = |number: u16| self.language_name(number).and_then(|tag| tag.split('-').next());
        fitting.min_by_key(|&n| {
            let other = self[n].firm_language();
            let link = self.link(n);
            (
                self[n].is_guest(),
                language == 0 || other != language,
                primary(language) != primary(other),
                link.is_empty(),
                link.len(),
                link,
            )
        })
    }

    /// Whether a blog has a record with this id, of this kind (post, media, term, user, comment) and type (of any type if `None`).
    pub(in crate::registry) fn has(&self, kind: &str, r#type: Option<&str>, id: i64, blog: Blog) -> bool {
        let Some(kind) = RecordKind::parse(kind) else { return false };
        let is_of_type = |n: u32| self.kind(n) == kind && r#type.is_none_or(|t| self.r#type(n).1 == t);
        let fits = |n: u32| is_of_type(n) && self.blogs.is_meant(n, blog);
        self.first_of_id(kind.space(), id).is_some_and(|first| {
            fits(first) || self.ids.others.get(&first).is_some_and(|others| others.iter().any(|&n| fits(n)))
        })
    }
}
