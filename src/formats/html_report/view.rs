//! Reads the fields of a record that a report needs.

use crate::export::dataset::envelope::Own;
use crate::export::dataset::names::CHANGE;
use crate::export::dataset::references::missing;
use crate::ndjson::Str;
use crate::record::{BlockChange, Missing, Target, Version, fields};

fields! {
    pub(super) struct View<'a> {
        pub(super) id: Option<i64>,
        pub(super) link: Option<Str<'a>>,
        pub(super) date: Option<Str<'a>>,
        pub(super) date_gmt: Option<Str<'a>>,
        pub(super) content: Words<'a>,
        pub(super) links: Vec<Reference<'a>>,
        pub(super) images: Vec<Reference<'a>>,
        pub(super) translations: Vec<Translation<'a>>,
    }

    /// The fields of a record of wp-diff that a report needs.
    pub(super) struct ChangeView<'a> {
        pub(super) id: Option<i64>,
        pub(super) link: Option<Str<'a>>,
        pub(super) change: Option<Str<'a>>,
        pub(super) changes: Vec<Str<'a>>,
        pub(super) old: Version<'a>,
        pub(super) new: Version<'a>,
        pub(super) text: Vec<BlockChange<'a>>,
    }

    pub(super) struct Words<'a> {
        pub(super) text: Option<Str<'a>>,
    }

    pub(super) struct Reference<'a> {
        pub(super) url: Option<Str<'a>>,
        pub(super) alt: Option<Str<'a>>,
        pub(super) internal: Option<bool>,
        pub(super) target: Target<'a>,
        pub(super) rule: Option<Str<'a>>,
        pub(super) reason: Option<Str<'a>>,
    }

    pub(super) struct Translation<'a> {
        pub(super) language: Option<Str<'a>>,
        pub(super) target: Target<'a>,
        pub(super) reason: Option<Str<'a>>,
    }
}

impl<'a> Own<'a> for View<'a> {}

impl<'a> Own<'a> for ChangeView<'a> {
    fn is_of(kind: &str) -> bool {
        kind == CHANGE
    }
}

impl Reference<'_> {
    pub(super) fn missing(&self) -> Option<Missing> {
        missing(self.internal, self.target.r#type.is_some(), self.reason.as_deref())
    }
}
