//! Translates the names of post types in REST API routes (`posts` for `post`), and decides which records a page may mean when it claims an
//! id under such a name or by its CSS classes.

use super::outcome::Sought;
use crate::scrape::{Claim, Space};
use crate::wordpress::{STANDARD, of_rest_base};
use std::collections::BTreeMap;

/// Names in API routes, and their types.
#[derive(Default)]
pub(super) struct Bases(BTreeMap<String, String>);

impl Bases {
    /// Adds the names that the API states for its types.
    pub(super) fn extend(&mut self, pairs: Vec<(String, String)>) {
        self.0.extend(pairs);
    }

    /// Adds the name of a record's type, unless it is already known.
    pub(super) fn learn(&mut self, record: &Sought<'_>) {
        if let Some(base) = record.rest_base
            && !self.0.contains_key(base)
        {
            self.0.insert(base.to_owned(), record.r#type.to_owned());
        }
    }

    /// The type with this name.
    pub(super) fn type_of(&self, base: &str) -> Option<&str> {
        self.0.get(base).map(String::as_str)
    }

    /// Whether a claim can refer to this record.
    pub(super) fn may_claim(&self, claim: &Claim, record: &Sought<'_>) -> bool {
        if claim.id != record.id {
            return false;
        }
        match &claim.space {
            Space::Posts => matches!(record.kind, "post" | "media"),
            Space::Terms => record.kind == "term",
            Space::Users => record.kind == "user",
            Space::Base(base) => match (self.0.get(&**base), record.rest_base) {
                (Some(r#type), _) => r#type == record.r#type,
                (None, Some(own)) => *own == **base,
                (None, None) => may_be_base_of(base, record),
            },
        }
    }
}

/// Whether a type may have this name in the API: each type that WordPress itself defines has only one name.
fn may_be_base_of(base: &str, record: &Sought<'_>) -> bool {
    match of_rest_base(base) {
        Some((_, name)) => name == record.r#type,
        None => record.kind != "comment" && !STANDARD.iter().any(|(_, name, _)| *name == record.r#type),
    }
}
