//! wp-resolve: what the links, images and translations of a site mean, once all of its records are known.
//! The rules are the registry's; what a single page says was wp-parse's and wp-translations' business.
//!
//! Two passes over each site: the first registers every record, the second writes each with its targets. Keys are never
//! added, moved or dropped; one that a user removed is appended when there is something to write.

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
use sites::{Outlines, Sites};
use std::path::PathBuf;
use tally::Tally;

/// What may be asked of wp-resolve.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads to work in.
    pub jobs: usize,
    /// Where to list the URLs of the site that have no target: NDJSON `{url,count,first:{type,id},reason}`, the most
    /// frequent first.
    pub unresolved: Option<PathBuf>,
    /// Where to write the registry: NDJSON, one record a line.
    pub registry_out: Option<PathBuf>,
    /// Registries of earlier runs, whose records can be meant as well.
    pub registries: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options { jobs: 1, unresolved: None, registry_out: None, registries: Vec::new() }
    }
}

/// Resolves all records of `input`. What can be read only once is spooled.
///
/// Counts: `records_in`, `records_out`, `sites`, `registered`, `urls`, `links`, `links_internal`, `links_resolved`,
/// `images`, `images_internal`, `images_resolved`, `translations`, `translations_resolved`, `translations_completed`,
/// `dropped_*`, `groups`, `translations_refused`, `languages_from_url`, `languages_from_translations`, `dangling_*`;
/// and `rules`: by which rule how many targets were found.
///
/// # Errors
/// When reading, spooling or writing fails; when a site comes back after another: both lines are named.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let tally = Tally::new(options.unresolved.is_some(), input.names().cloned().collect());
    let mut sites = Sites::new(options, input, output, &tally)?;
    gather_batches(
        |batch, _| input.read(batch),
        report,
        options.jobs,
        || |batch: &Batch, outlines: &mut Outlines, _: &mut _| outlines.of(batch),
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
