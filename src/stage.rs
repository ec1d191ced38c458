//! Holds the programs' main functions, called stages: the five of the pipe, groups, language, diff and align. Each has `Options` and `run`;
//! stages never import each other.

pub mod align;
pub mod diff;
pub mod export;
pub mod groups;
pub mod index;
pub mod language;
pub mod parse;
pub mod resolve;
pub mod translations;
