//! Holds the parts that all formats share: the dataset's folder with its manifest, counts, names and selections. Each rule for files or
//! names is here once; the formats determine the contents of the files.

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
