//! Scratch space in TMPDIR, for what does not fit into memory: files without names, which disappear with the process. What is
//! written to them is up to the callers.

mod notebook;
mod shelf;
mod sorter;
mod spool;

pub(crate) use notebook::Notebook;
pub(crate) use shelf::Shelf;
pub(crate) use sorter::{Sorted, Sorter};
pub(crate) use spool::{PartOfFile, Spool, failed, spool, unnamed};
