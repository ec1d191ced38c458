//! Finds the languages of records: parses language tags, recognises language switchers by tables, and weighs the
//! evidence of a page. [`crate::page`] reads pages, and the registry resolves URLs.

mod code;
pub(crate) mod evidence;
mod pattern;
pub(crate) mod ranges;
pub(crate) mod script;
pub(crate) mod switchers;
mod tables;
pub(crate) mod tags;

pub use evidence::Sources;
pub(crate) use evidence::{Finding, Judge, Known};
pub use switchers::Switchers;
pub(crate) use tags::LanguageTag;
