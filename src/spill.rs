//! Stores data that do not fit into memory in TMPDIR: in files without names, which disappear with the process. Callers define the
//! contents.

mod notebook;
mod shelf;
mod sorter;
mod spool;

pub(crate) use notebook::Notebook;
pub(crate) use shelf::Shelf;
pub(crate) use sorter::{Sorted, Sorter};
pub(crate) use spool::{PartOfFile, Spool, failed, spool, unnamed};
