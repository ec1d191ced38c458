//! The five stages. Each has `Options` and `run`; they never import each other.

pub mod export;
pub mod index;
pub mod parse;
pub mod resolve;
pub mod translations;
