//! The dataset that every format writes into: a folder with its manifest, and the counts, names and selections on the way. A
//! rule for files or names is here once, for all formats; what is in a file is up to the format.

pub(crate) mod card;
pub(crate) mod envelope;
pub(crate) mod folder;
pub(crate) mod key;
pub(crate) mod manifest;
pub(crate) mod names;
pub(crate) mod passed;
pub(crate) mod pseudonymised;
pub(crate) mod references;
pub(crate) mod rights;
pub(crate) mod selection;
pub(crate) mod sites;
pub(crate) mod tally;
