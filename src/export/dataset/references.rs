//! Counts the links, images and translations of records, and what became of them.

use crate::ndjson::Walk;
use crate::record::{Missing, Reason};
use serde::{Deserialize, Serialize};

/// How many references there are and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct References {
    /// The number of all references.
    pub(crate) found: u64,
    /// References that lead to the site itself.
    pub(crate) internal: u64,
    /// References that lead elsewhere; a manifest does not count them.
    #[serde(skip)]
    pub(crate) external: u64,
    /// References that have a target.
    pub(crate) resolved: u64,
    /// References that lead to the site but have no target.
    pub(crate) missing: Missings,
}

/// How many references to the site have no target, by the group of the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Missings {
    no_record: u64,
    outside_dump: u64,
    ambiguous: u64,
    /// References for which there should be a record, but there is none.
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

    /// The four numbers, in order.
    pub(crate) fn numbers(self) -> [u64; 4] {
        [self.no_record, self.outside_dump, self.ambiguous, self.dead]
    }
}

impl References {
    /// Counts the references in the list at the walk's position, without keeping them; `None` if it is not a list of objects.
    pub(super) fn walk(walk: &mut Walk<'_>) -> Option<Self> {
        let mut counts = References::default();
        walk.open(b'[')?;
        while walk.element()? {
            if walk.peek()? != b'{' {
                return None;
            }
            let [internal, target, reason] = walk.fields(["internal", "target", "reason"])?;
            let internal = match internal {
                Some(b"true") => Some(true),
                Some(b"false") => Some(false),
                _ => None,
            };
            let [r#type] = target.and_then(|target| Walk::new(target).fields(["type"])).unwrap_or_default();
            // A number out of range is read as null.
            let resolved = r#type.is_some_and(|r#type| r#type.starts_with(b"\""));
            // No reason has an escape.
            let reason = reason.and_then(|value| std::str::from_utf8(value).ok()?.strip_prefix('"')?.strip_suffix('"'));
            counts.add(References::one(internal, resolved, reason));
        }
        Some(counts)
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

/// The group of the reason why a reference to the site has no target; `None` if it has one, or leads elsewhere. If somebody has removed the
/// reason from the record, it counts as unknown.
pub(crate) fn missing(internal: Option<bool>, resolved: bool, reason: Option<&str>) -> Option<Missing> {
    let reason = || reason.and_then(Reason::parse).unwrap_or(Reason::Unknown);
    (internal == Some(true) && !resolved).then(|| reason().missing())
}
