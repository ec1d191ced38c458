//! Holds the formats of parallel text: documents that are translations of each other, grouped by [`crate::pairs`]. Each
//! format decides how to write a document and a pair.
//!
//! Documents in a language that their group already has are counted as `same_language`.

mod aligned;
pub(crate) mod bitextor;
pub(crate) mod moses;
pub(crate) mod opus;
pub(crate) mod pairs;
pub(crate) mod tmx;
mod translated;
pub(crate) mod warc2text;
