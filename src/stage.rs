//! The stages: the five of the pipe, and groups. Each has `Options` and `run`; they never import each other.

pub mod export;
pub mod groups;
pub mod index;
pub mod parse;
pub mod resolve;
pub mod translations;
