//! Holds the format that writes each record as a line of JSON, and the files that describe these lines to other programs: schemas, loaders,
//! a card.

pub(crate) mod jsonl;
