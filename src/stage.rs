//! The stages: the five of the pipe, groups, and diff. Each has `Options` and `run`; they never import each other.

pub mod diff;
pub mod export;
pub mod groups;
pub mod index;
pub mod parse;
pub mod resolve;
pub mod translations;
