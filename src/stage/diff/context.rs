//! Answers questions about other records while two are compared: which ones were added, deleted, moved, or renumbered.

use super::facts::{KINDS, address, identity, place_of};
use super::matches::{Fate, Matches};
use super::side::Side;
use crate::ndjson::{Object, Str};
use crate::record::{Target, shape_of};

/// The most types of posts that are tried for an id whose type is unknown.
const MOST_TYPES: usize = 64;

/// Both sides, and which old record is which new one.
pub(super) struct Context<'c> {
    pub(super) old: &'c Side,
    pub(super) new: &'c Side,
    pub(super) matches: &'c Matches,
}

/// The old and the new address of a record that has moved.
pub(super) struct Moved {
    pub(super) old_link: String,
    pub(super) new_link: String,
}

impl Context<'_> {
    /// Whether a key has a value in some record on each side; `kinds` has the kind of record for each side.
    pub(super) fn is_compared(&self, kinds: [&str; 2], key: &str) -> bool {
        let is_there = |(side, kind): (&Side, &str)| {
            let place = shape_of(kind).unwrap_or_default().iter().position(|field| field.key == key);
            let kind = KINDS.iter().position(|known| *known == kind);
            kind.zip(place).is_some_and(|(kind, place)| side.present[kind] >> place & 1 == 1)
        };
        [self.old, self.new].into_iter().zip(kinds).all(is_there)
    }

    fn kind_of<'t>(&self, site: &str, r#type: &'t str) -> &'t str {
        let is_post = |side: &Side| side.post_types.get(site).is_some_and(|types| types.contains(r#type));
        match r#type {
            "media" | "user" | "comment" | "html" => r#type,
            _ if is_post(self.old) || is_post(self.new) => "post",
            _ => "term",
        }
    }

    /// What has become of the old record of this type and id.
    pub(super) fn fate(&self, site: &str, r#type: &str, id: i64) -> Fate {
        self.matches.fate(identity(site, self.kind_of(site, r#type), r#type, &id.to_string()))
    }

    /// The id that the record with this old id has now.
    pub(super) fn new_id(&self, site: &str, r#type: &str, id: i64) -> i64 {
        let Fate::Renumbered(at) = self.fate(site, r#type, id) else { return id };
        let line = self.new.line(at).unwrap_or_default();
        let new = Object::parse(&line).ok().and_then(|object| object.number("id"));
        new.unwrap_or(id)
    }

    /// What has become of the old record that a reference leads to.
    pub(super) fn fate_of(&self, site: &str, target: &Target<'_>) -> Option<Fate> {
        let r#type = target.r#type.as_deref()?;
        match target.id {
            Some(id) => Some(self.fate(site, r#type, id)),
            None => Some(self.matches.fate(self.page(site, r#type, target.link.as_deref()?))),
        }
    }

    /// The form in which a link to a record is compared: the type and new id of the record, or, if it is a page without an id, its new
    /// address.
    pub(super) fn target(&self, site: &str, target: &Target<'_>, is_old: bool) -> Option<String> {
        let r#type = target.r#type.as_deref()?;
        if let Some(id) = target.id {
            let id = if is_old { self.new_id(site, r#type, id) } else { id };
            return Some(format!("{type}:{id}"));
        }
        let link = target.link.as_deref()?;
        let moved = if is_old { self.moved_of(self.page(site, r#type, link)) } else { None };
        Some(format!("{type}:{}", place_of(moved.as_ref().map_or(link, |moved| &moved.new_link))))
    }

    /// The identity of a record without an id.
    fn page(&self, site: &str, r#type: &str, link: &str) -> u64 {
        identity(site, self.kind_of(site, r#type), r#type, &place_of(link))
    }

    /// Where the record of this type and old id has moved, if it has.
    pub(super) fn moved(&self, site: &str, kind: &str, r#type: &str, id: i64) -> Option<Moved> {
        self.moved_of(identity(site, kind, r#type, &id.to_string()))
    }

    fn moved_of(&self, id: u64) -> Option<Moved> {
        let (old, new) = self.matches.pair_of(id)?;
        let link = |line: Vec<u8>| Some(Object::parse(&line).ok()?.text("link")?.as_str().to_owned());
        let (old_link, new_link) = (link(self.old.line(old).ok()?)?, link(self.new.line(new).ok()?)?);
        (address(&old_link) != address(&new_link)).then_some(Moved { old_link, new_link })
    }

    /// The types of a site's posts, at most [`MOST_TYPES`]: a file names its post by the id alone, so each type must be tried.
    pub(super) fn post_types(&self, site: &str) -> impl Iterator<Item = &str> {
        self.old.post_types.get(site).into_iter().flatten().map(String::as_str).take(MOST_TYPES)
    }
}

/// A string of a record, copied so that it outlives the record.
pub(super) fn owned(text: Option<Str<'_>>) -> Option<Str<'static>> {
    text.map(Str::into_owned)
}
