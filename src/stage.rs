//! The programs' main functions, called stages: the five of the pipe, groups, diff, and alignments. Each has `Options` and
//! `run`; they never import each other.

pub mod align;
pub mod diff;
pub mod export;
pub mod groups;
pub mod index;
pub mod language;
pub mod parse;
pub mod resolve;
pub mod translations;
