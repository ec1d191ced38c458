//! Holds the formats that keep the records as lines of JSON, with the files that programs need to read them.

pub(crate) mod jsonl;
