//! Counts the links, images and translations of records, what became of them, and whether there is a page, line by line, without
//! keeping anything.

use crate::ndjson::Walk;
use crate::record::{Missing, Reason, Str, Target};
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Whether a record has a page in a scrape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HasPage(pub(crate) bool);

impl HasPage {
    /// Of the object that a walk is at; none where a key has an escape.
    pub(super) fn walk(walk: &mut Walk<'_>) -> Option<Self> {
        if walk.peek()? != b'{' {
            return walk.value().map(|_| HasPage(false));
        }
        let mut has = false;
        walk.open(b'{')?;
        while let Some(key) = walk.key_place()? {
            let value = value(walk)?;
            match walk.read(&key) {
                b"file" => has = value != b"null",
                _ if walk.is_escaped(&key) => return None,
                _ => {}
            }
        }
        Some(HasPage(has))
    }
}

impl<'de> Deserialize<'de> for HasPage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let scrape = Option::<BTreeMap<Cow<'_, str>, Option<IgnoredAny>>>::deserialize(deserializer)?;
        Ok(HasPage(scrape.is_some_and(|scrape| matches!(scrape.get("file"), Some(Some(_))))))
    }
}

/// A link, an image or a translation, as far as it is counted.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Reference<'a> {
    internal: Option<bool>,
    target: Option<Goal>,
    #[serde(borrow)]
    reason: Option<Str<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Goal {
    r#type: Option<IgnoredAny>,
}

/// How many references there are and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct References {
    /// All.
    pub(crate) found: u64,
    /// Those that lead to the site itself.
    pub(crate) internal: u64,
    /// Those that lead elsewhere. Not counted in a manifest.
    #[serde(skip)]
    pub(crate) external: u64,
    /// Those that have a target.
    pub(crate) resolved: u64,
    /// Internal ones without a target.
    pub(crate) missing: Missings,
}

/// How many references to the site have no target, by what that comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Missings {
    no_record: u64,
    outside_dump: u64,
    ambiguous: u64,
    /// Of them a record should be there, and none is.
    pub(crate) dead: u64,
}

impl Missings {
    pub(crate) fn count(&mut self, missing: Missing) {
        *match missing {
            Missing::NoRecord => &mut self.no_record,
            Missing::OutsideDump => &mut self.outside_dump,
            Missing::Ambiguous => &mut self.ambiguous,
            Missing::Dead => &mut self.dead,
        } += 1;
    }

    pub(crate) fn add(&mut self, other: Missings) {
        self.no_record += other.no_record;
        self.outside_dump += other.outside_dump;
        self.ambiguous += other.ambiguous;
        self.dead += other.dead;
    }

    /// All of them in their order.
    pub(crate) fn numbers(self) -> [u64; 4] {
        [self.no_record, self.outside_dump, self.ambiguous, self.dead]
    }
}

impl References {
    /// Counts references: whether each leads to the site itself, its target, and why it has none.
    pub(crate) fn of<'t>(list: impl Iterator<Item = (Option<bool>, &'t Target<'t>, &'t Option<Str<'t>>)>) -> Self {
        let mut counts = References::default();
        list.for_each(|(internal, target, reason)| {
            counts.add(References::one(internal, target.r#type.is_some(), reason.as_deref()));
        });
        counts
    }

    fn one(internal: Option<bool>, resolved: bool, reason: Option<&str>) -> Self {
        let mut missings = Missings::default();
        missing(internal, resolved, reason).into_iter().for_each(|missing| missings.count(missing));
        References {
            found: 1,
            internal: (internal == Some(true)).into(),
            external: (internal == Some(false)).into(),
            resolved: resolved.into(),
            missing: missings,
        }
    }

    pub(crate) fn add(&mut self, other: References) {
        self.found += other.found;
        self.internal += other.internal;
        self.external += other.external;
        self.resolved += other.resolved;
        self.missing.add(other.missing);
    }
}

/// What it comes to that a reference to the site has no target. A record in which somebody has removed the reason counts as one
/// of which nobody knows a better.
pub(crate) fn missing(internal: Option<bool>, resolved: bool, reason: Option<&str>) -> Option<Missing> {
    let reason = || reason.and_then(Reason::parse).unwrap_or(Reason::Unknown);
    (internal == Some(true) && !resolved).then(|| reason().missing())
}

/// Counts the elements of a list without keeping them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Count(pub(super) References);

impl Count {
    /// Of a list that a walk is at; none where an element is not of the usual form.
    pub(super) fn walk(walk: &mut Walk<'_>) -> Option<Self> {
        let mut counts = References::default();
        walk.open(b'[')?;
        while walk.element()? {
            let (mut internal, mut resolved, mut reason) = (None, None, None);
            walk.open(b'{')?;
            while let Some(key) = walk.key_place()? {
                let is_new = match walk.read(&key) {
                    b"internal" => internal.replace(value(walk)?).is_none(),
                    b"reason" => reason.replace(value(walk)?).is_none(),
                    b"target" if walk.peek()? == b'{' => resolved.replace(has_type(walk)?).is_none(),
                    b"target" => value(walk)? == b"null" && resolved.replace(false).is_none(),
                    _ => value(walk).is_some() && !walk.is_escaped(&key),
                };
                is_new.then_some(())?;
            }
            let internal = match internal.unwrap_or(b"null") {
                b"null" => None,
                value => Some(value == b"true").filter(|yes| *yes || value == b"false").map(Some)?,
            };
            // None of the reasons has an escape.
            let reason = reason.and_then(|value| std::str::from_utf8(value).ok()?.strip_prefix('"')?.strip_suffix('"'));
            counts.add(References::one(internal, resolved == Some(true), reason));
        }
        Some(Count(counts))
    }
}

fn value<'a>(walk: &mut Walk<'a>) -> Option<&'a [u8]> {
    walk.value().map(|value| walk.read(&value))
}

/// Whether the object that a walk is at has a type.
fn has_type(walk: &mut Walk<'_>) -> Option<bool> {
    let mut found = None;
    walk.open(b'{')?;
    while let Some(key) = walk.key_place()? {
        let value = value(walk)?;
        if walk.is_escaped(&key) || walk.read(&key) == b"type" && found.replace(value != b"null").is_some() {
            return None;
        }
    }
    Some(found == Some(true))
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Count::default())
    }
}

impl<'de> Visitor<'de> for Count {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of references")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while let Some(Reference { internal, target, reason }) = list.next_element()? {
            let resolved = target.is_some_and(|target| target.r#type.is_some());
            self.0.add(References::one(internal, resolved, reason.as_deref()));
        }
        Ok(self)
    }
}
