//! A REST dump: its files, its elements, and the nature of each element according to its own fields. wp-index decides
//! which of them become records, and which pages belong to them.

mod broken;
mod fields;
mod findings;
mod item;
mod links;
mod read;
mod sources;
mod splitter;
mod structure;
mod window;

pub use findings::{Findings, read_again};
pub use item::{Answer, Item, rest_bases};
pub use read::{Event, Text, read, read_noting};
pub use sources::Sources;

#[cfg(test)]
mod tests;
