//! wp-resolve: resolves the links, images and translations of a site once all its records are known. The registry has
//! the rules; wp-parse and wp-translations have read the single pages.
//!
//! It reads each site twice: the first pass registers every record, the second writes each with its targets. Keys are
//! never added, moved or dropped, except that a key removed by a user is appended if it has a value.

mod again;
mod answers;
mod element;
mod facts;
mod outline;
mod registries;
mod rewrite;
mod sites;
mod tally;
mod translations;

use crate::ndjson::{Batch, Input, Output, gather_batches};
use crate::report::{Error, Report};
use crate::steps::Step;
use sites::{Outlines, Sites};
use std::path::PathBuf;
use tally::Tally;

/// The options of wp-resolve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The number of threads.
    pub jobs: usize,
    /// Where to list the URLs of the site without a target: NDJSON `{url,count,first:{type,id},reason}`, most frequent
    /// first.
    pub unresolved: Option<PathBuf>,
    /// wp-index's log of pages, to tell pages that were left out from unknown ones.
    pub page_log: Option<PathBuf>,
    /// Where to write the registry: NDJSON, one record per line.
    pub registry_out: Option<PathBuf>,
    /// The registries of earlier runs, to whose records links may resolve, too.
    pub registries: Vec<PathBuf>,
}

impl Options {
    fn step(&self) -> Step {
        Step::of("wp-resolve").flag("--registry", !self.registries.is_empty())
    }
}

/// Resolves all records of `input`. Input that can be read only once is spooled.
///
/// Counts: `records_in`, `records_out`, `sites`, `registered`, `urls`, `links`, `links_internal`, `links_resolved`, `images`,
/// `images_internal`, `images_resolved`, `embeds`, `embeds_internal`, `embeds_resolved`, `translations`, `translations_resolved`,
/// `translations_completed`, `dropped_*`, `groups`, `translations_refused`, `languages_*`, `copies`, `dangling_*`; and `rules` and
/// `reasons`: the number of targets by rule, and of missing targets by reason.
///
/// # Errors
/// When reading, spooling or writing fails, or the records of a site are not contiguous; the error names both lines.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    input.expect_records();
    report.counts(&["records_in", "records_out", "registered", "urls", "groups", "copies"]);
    report.counts(&["translations", "translations_resolved", "translations_completed", "translations_refused"]);
    report.counts(&["links", "links_internal", "links_resolved", "images", "images_internal", "images_resolved"]);
    let left_out = options.page_log.as_deref().map(registries::left_out).transpose()?.unwrap_or_default();
    let tally = Tally::new(options.unresolved.is_some(), left_out, input.names().cloned().collect());
    let mut sites = Sites::new(options, input, output, &tally)?;
    gather_batches(
        |batch, _| input.read(batch),
        report,
        options.jobs,
        || |batch: &Batch, outlines: &mut Outlines, _: &mut _| outlines.of(batch, options.registry_out.is_some()),
        |batch, outlines, report| sites.register(batch, outlines, report),
    )?;
    sites.finish(report)?;
    tally.report(report);
    match &options.unresolved {
        Some(path) => tally.write_unresolved(path),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
