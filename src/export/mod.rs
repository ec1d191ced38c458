//! The formats of a dataset, one small file each: [`jsonl`] as the lines came, [`wpextract`] for users of the peer.
//! All are written from the same resolved stream; what the records mean was decided before.
//!
//! A format is a function over the input that writes a [`folder::Folder`] and gives back a [`tally::Tally`]; a new one is
//! a file beside these, a variant of [`Format`] and an arm of the `match` in [`crate::stage::export`].

pub mod folder;
pub mod jsonl;
pub mod manifest;
pub mod names;
pub mod selection;
pub mod tally;
pub mod wpextract;

/// How a dataset is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// The records as they are, one a line, a file a type.
    #[default]
    Jsonl,
    /// The six JSON files of wpextract 1.1.1.
    Wpextract,
}
