//! Formats that keep the records as lines of JSON, with what programs need to read them.

pub(crate) mod jsonl;
