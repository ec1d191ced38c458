//! Describes one file of the dataset for the documents about it.

use super::types::{Added, ValueType};
use crate::export::dataset::manifest;
use std::borrow::Cow;

/// A file of records, as the documents describe it.
pub(super) struct Table<'a> {
    /// Its name without `.jsonl` and any further ending.
    pub(super) stem: &'a str,
    pub(super) kind: &'a str,
    pub(super) r#type: &'a str,
    /// Its entry in the manifest.
    pub(super) file: &'a manifest::File,
    /// The keys of its records that record.rs does not define.
    pub(super) added: &'a Added,
    /// The length of its longest line, in bytes.
    pub(super) longest: usize,
    /// Whether all keys of its records are in the shape.
    pub(super) closed: bool,
}

impl Table<'_> {
    /// The shape of its records. A shape with added keys is built anew each time, because it takes more memory than
    /// everything else here.
    pub(super) fn shape(&self) -> Cow<'static, ValueType> {
        match ValueType::of_kind(self.kind).filter(|_| self.added.is_empty()) {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(ValueType::of(self.kind, self.added)),
        }
    }
}
