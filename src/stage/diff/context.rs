//! Keeps what is known of the other records when two are compared: which have come, gone, moved, or been given another
//! id.

use super::facts::{KINDS, address, identity};
use super::matches::{Fate, Matches};
use super::side::Side;
use crate::ndjson::{Object, Str};
use crate::record::Target;

/// Both sides, and which record is which.
pub(super) struct Context<'c> {
    pub(super) old: &'c Side,
    pub(super) new: &'c Side,
    pub(super) matches: &'c Matches,
}

/// A record that another one follows, and where it was and is.
pub(super) struct Moved {
    pub(super) old_link: String,
    pub(super) new_link: String,
}

impl Context<'_> {
    /// Whether a key of a kind has a value on both sides.
    pub(super) fn is_compared(&self, kind: &str, place: usize) -> bool {
        let kind = KINDS.iter().position(|known| *known == kind);
        kind.is_some_and(|kind| (self.old.present[kind] & self.new.present[kind]) >> place & 1 == 1)
    }

    fn kind_of<'t>(&self, r#type: &'t str) -> &'t str {
        match r#type {
            "media" | "user" | "comment" | "html" => r#type,
            _ if self.old.post_types.contains(r#type) || self.new.post_types.contains(r#type) => "post",
            _ => "term",
        }
    }

    /// What has become of the old record of this type and id.
    pub(super) fn fate(&self, site: &str, r#type: &str, id: i64) -> Fate {
        self.matches.fate(identity(site, self.kind_of(r#type), r#type, &id.to_string()))
    }

    /// The id that the record with this old id has now.
    pub(super) fn new_id(&self, site: &str, r#type: &str, id: i64) -> i64 {
        let Fate::Renumbered(at) = self.fate(site, r#type, id) else { return id };
        let line = self.new.line(at).unwrap_or_default();
        let new = Object::parse(&line).ok().and_then(|object| object.get("id")?.parse().ok());
        new.unwrap_or(id)
    }

    /// What a link is compared by if it leads to a record: the type and the new id of that.
    pub(super) fn target(&self, site: &str, target: &Target<'_>, is_old: bool) -> Option<String> {
        let (r#type, id) = (target.r#type.as_deref()?, target.id?);
        let id = if is_old { self.new_id(site, r#type, id) } else { id };
        Some(format!("{type}:{id}"))
    }

    /// Where the record of this type and old id has moved, if it has.
    pub(super) fn moved(&self, site: &str, kind: &str, r#type: &str, id: i64) -> Option<Moved> {
        let (old, new) = self.matches.pair_of(identity(site, kind, r#type, &id.to_string()))?;
        let link = |line: Vec<u8>| Some(Object::parse(&line).ok()?.text("link")?.as_str().to_owned());
        let (old_link, new_link) = (link(self.old.line(old).ok()?)?, link(self.new.line(new).ok()?)?);
        (address(&old_link) != address(&new_link)).then_some(Moved { old_link, new_link })
    }

    /// The types of posts, of which one has this id.
    pub(super) fn post_types(&self) -> impl Iterator<Item = &str> {
        self.old.post_types.iter().map(String::as_str)
    }
}

/// A string of a record, which stays after it.
pub(super) fn owned(text: Option<Str<'_>>) -> Option<Str<'static>> {
    text.map(Str::into_owned)
}
