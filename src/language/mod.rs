//! Languages of records: tags, language switchers as data, and what the evidence of a page amounts to.
//! How a page is read is [`crate::html::page`]'s business, and what a URL means on the site the registry's.

pub mod tags;

pub use tags::LanguageTag;
