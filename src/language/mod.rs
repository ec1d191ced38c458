//! Languages of records: tags, language switchers as data, and what the evidence of a page amounts to.
//! How a page is read is [`crate::page`]'s business, and what a URL means on the site the registry's.

mod code;
pub mod evidence;
mod pattern;
pub mod switchers;
mod tables;
pub mod tags;

pub use evidence::{Finding, Judge, Known, Sources};
pub use switchers::{Item, SwitcherFinding, Switchers};
pub use tables::SwitchersError;
pub use tags::LanguageTag;
