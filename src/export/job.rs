//! The job of a format: its options, its input and the report, the same for all.

use crate::export::dataset::pseudonymised;
use crate::export::dataset::selection::Selection;
use crate::export::files::Uploads;
use crate::export::tables::edges::Wanted;
use crate::ndjson::Input;
use crate::pairs::languages::Languages;
use crate::report::{Error, Report};
use crate::steps::Step;
use std::path::PathBuf;

/// Takes bytes of a format that is one file, and how many records are in them.
pub(crate) type Put<'p> = dyn FnMut(&[u8], u64) -> Result<(), Error> + Send + 'p;

/// The records, and what the options say of them.
pub(crate) struct Job<'a> {
    pub(crate) selection: &'a Selection,
    pub(crate) input: &'a mut Input,
    pub(crate) report: &'a mut Report,
    /// Threads to work in; the result is the same for any number.
    pub(crate) jobs: usize,
    /// Which languages, in which order, where the format allows it.
    pub(crate) languages: &'a Languages,
    /// Files in which other programs say what they did, where the format allows it.
    pub(crate) with: &'a [PathBuf],
    /// Whether comments are part of documents, where the format leaves that open.
    pub(crate) comments: bool,
    /// Whether links lead to files, where the format allows it.
    pub(crate) links: bool,
    /// Where the uploads are to which links lead then.
    pub(crate) uploads: Option<Uploads>,
    /// Whether documents are named by their slugs, where the format allows it.
    pub(crate) slugs: bool,
    /// What --pseudonyms has done to the records.
    pub(crate) pseudonyms: Option<pseudonymised::Counts>,
    /// The step that this is of the records' way.
    pub(crate) step: Step,
    /// Which edges, where the format allows it.
    pub(crate) edges: Wanted,
}
