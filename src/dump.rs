//! Reads a dump of the REST API: the files, the elements (JSON objects) in them, and the type of each element, by its
//! own fields. wp-index decides which elements become records, and which pages belong to them.

mod archived;
mod brackets;
mod broken;
mod deleted;
mod doubts;
mod event;
mod exported;
mod fields;
mod findings;
mod held;
mod item;
mod links;
mod namespace;
mod passing;
mod read;
mod search;
mod short;
mod sources;
mod splitter;
mod strict;
mod value;
mod window;

#[cfg(feature = "fetch")]
pub(crate) use archived::LANGUAGE_LISTS;
pub(crate) use deleted::{Deleted, own_type};
pub(crate) use event::{Event, Text};
pub(crate) use findings::Findings;
pub(crate) use item::{Answer, Item, identity, rest_bases};
pub(crate) use read::{read, read_again, read_exports, read_noting};
pub use sources::Sources;
pub(crate) use sources::is_fetched;

#[cfg(test)]
mod tests;
