//! A REST dump: its files, its elements, and what each of them is by its own fields.
//! Which of them become records, and which pages belong to them, is decided by wp-index.

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
