//! Defines the job of a format: its options, its input and the report, the same for all formats.

use crate::export::dataset::pseudonymised;
use crate::export::dataset::selection::Selection;
use crate::export::files::Uploads;
use crate::language::ranges::Languages;
use crate::ndjson::Input;
use crate::report::{Error, Report};
use crate::steps::Step;
use std::path::PathBuf;

/// Takes bytes of a single-file format, and the number of records in them.
pub(crate) type Put<'p> = dyn FnMut(&[u8], u64) -> Result<(), Error> + Send + 'p;

/// The records, and the options that apply to them.
pub(crate) struct Job<'a> {
    pub(crate) selection: &'a Selection,
    pub(crate) input: &'a mut Input,
    pub(crate) report: &'a mut Report,
    /// The number of threads; the result is the same for any number.
    pub(crate) jobs: usize,
    /// The languages and their order, if the format supports these.
    pub(crate) languages: &'a Languages,
    /// Files with reports of other programs, if the format supports these.
    pub(crate) with: &'a [PathBuf],
    /// The variants of the format that `--format` names.
    pub(crate) variants: &'a [String],
    /// Whether links lead to files, if the format supports that.
    pub(crate) links: bool,
    /// The uploads to which links then lead.
    pub(crate) uploads: Option<Uploads>,
    /// What --pseudonyms did to the records.
    pub(crate) pseudonyms: Option<pseudonymised::Counts>,
    /// The step that this run adds to the records' chain of programs.
    pub(crate) step: Step,
}

impl Job<'_> {
    /// Whether `--format` names this variant.
    pub(crate) fn has(&self, variant: &str) -> bool {
        self.variants.iter().any(|named| named == variant)
    }
}
