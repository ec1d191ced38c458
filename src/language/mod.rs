//! Languages of records: tags, language switchers as data, and the evidence of a page. [`crate::page`] reads pages, and
//! the registry resolves URLs.

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
