//! wp-export: writes records as a dataset, in a folder with a manifest or as one stream. [`crate::export`] has the
//! formats; content is never changed.
//!
//! # A folder
//! The new files are written to a hidden folder within it. When all are complete, the new dataset takes the place of an
//! older one, and `manifest.json` appears last, as a target for make. A run that fails leaves the older dataset as it was.
//! Other files in the folder are kept and reported. With the format `jsonl` the files are `posts pages media categories
//! tags users comments` `.jsonl`, always all seven, so that a script finds `comments.jsonl` whether or not there are
//! comments; `html.jsonl`, `TYPE.jsonl` and `TYPE-terms.jsonl` if there are such records.
//!
//! # Counts
//! `records_in` = `records_out` + `left_out` (by `--without` or `--languages`, or because the format cannot represent them) + rejects;
//! `links`, `images`, `translations` with their outcome.

use crate::export::dataset::folder::{Compression, Folder, Ready};
use crate::export::dataset::manifest::Holds;
use crate::export::dataset::selection::Selection;
use crate::export::dataset::tally::{Tally, Types};
use crate::export::dataset::{card, names};
use crate::export::files::Uploads;
use crate::export::job::Job;
use crate::export::languages;
use crate::export::pseudonyms::{self, Key};
use crate::export::{Format, NAMELESS};
use crate::language::ranges::Languages;
use crate::ndjson::{Input, Output};
use crate::report::{Error, Report, shown_path};
use crate::steps::Step;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The most sites of an older dataset that a message names.
const NAMED: usize = 5;

/// The options of wp-export.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The destination of the dataset.
    pub destination: Destination,
    /// The format of the dataset.
    pub format: &'static Format,
    /// All formats of the program, for messages.
    pub formats: &'static [Format],
    /// The types or files to leave out: `users`, `comments`, `product` …; or `copies`: records with the words of another record, or with a
    /// notice in place of a translation.
    pub without: Vec<String>,
    /// The compression of the files in a folder, if the format allows it.
    pub compression: Option<Compression>,
    /// The languages, in this order if the format has one; all languages if empty.
    pub languages: Vec<String>,
    /// Files with the accounts of other programs' runs, if the format allows it.
    pub with: Vec<PathBuf>,
    /// The variants of the format: kinds of edges (links, images and translations if none is named), `comments`, `slug`.
    pub variants: Vec<String>,
    /// Whether links and images lead to files of the dataset instead of URLs, if the format allows it.
    pub links: bool,
    /// A file with the key for the pseudonyms of persons.
    pub pseudonyms: Option<PathBuf>,
    /// A folder with uploads (`HOST/PATH`), to which such links may lead, too.
    pub media: Option<PathBuf>,
    /// Whether every site must have its end record.
    pub expect_end: bool,
    /// Whether to accept a dataset without records.
    pub allow_empty: bool,
    /// The number of threads.
    pub jobs: usize,
}

impl Options {
    /// The options without those that only affect the places and names of files.
    fn step(&self) -> Step {
        let compression = self.compression.map(|how| match how {
            Compression::Gzip => "gz",
            Compression::Zstd => "zst",
        });
        Step::of("wp-export")
            .values("--format", [[self.format.name, &self.variants.join(",")].join(":").trim_end_matches(':')])
            .list("--without", &self.without)
            .values("--compress", compression)
            .list("--languages", &self.languages)
            .values("--links", self.links.then_some("files"))
            .flag("--pseudonyms", self.pseudonyms.is_some())
            .flag("--with", !self.with.is_empty())
    }
}

/// The destination of a dataset.
#[derive(Clone, Debug, Default)]
pub enum Destination {
    /// The stage's output, one record a line.
    #[default]
    Stream,
    /// Files in this folder, with a manifest.
    Folder(PathBuf),
}

/// A complete dataset that has not replaced the older one yet; empty for a stream. If it is dropped, the older dataset stays as it was.
pub struct Dataset(Option<Ready>);

impl Dataset {
    /// Replaces an older dataset.
    ///
    /// # Errors
    /// If a file cannot be moved; then the older dataset stays as it was.
    pub fn put_in_place(self, report: &mut Report) -> Result<(), Error> {
        self.0.map_or(Ok(()), |ready| ready.put_in_place(report))
    }
}

/// Writes the records of `input` as a dataset: [`prepare`], then [`Dataset::put_in_place`], unless the dataset is empty.
///
/// # Errors
/// Those of both functions.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let dataset = prepare(options, input, output, report)?;
    if report.found_nothing().is_some() { Ok(()) } else { dataset.put_in_place(report) }
}

/// Writes the records of `input` as a dataset without replacing an older one: the caller decides whether the run was successful.
///
/// # Errors
/// If reading or writing fails, the format cannot be written to the destination, or the report stops the run.
pub fn prepare(
    options: &Options,
    input: &mut Input,
    output: &mut Output,
    report: &mut Report,
) -> Result<Dataset, Error> {
    refuse_idle_options(options)?;
    let selection = Selection::new(&options.without);
    let format = options.format;
    let languages = Languages::new(&options.languages)?;
    report.expect_ends(options.expect_end);
    input.expect_records();
    let dataset = if let Destination::Folder(path) = &options.destination { Some(path.as_path()) } else { None };
    let key = options.pseudonyms.as_deref().map(|file| Key::read(file, dataset)).transpose()?;
    let compression = options.compression.or(format.compression);
    let open = |path| Folder::open(path, format.name, compression, card::says_ours, report);
    let mut folder = dataset.map(open).transpose()?;
    let uploads = options.media.as_deref().zip(dataset).map(|(media, dataset)| Uploads::below(media, dataset));
    let uploads = uploads.transpose()?;
    let (mut with_pseudonyms, mut pseudonyms, mut passed_over) = (None, None, Types::default());
    if let Some(key) = &key {
        let outcome = pseudonyms::apply(key, input, report)?;
        (with_pseudonyms, pseudonyms, passed_over) = (Some(outcome.input), Some(outcome.counts), outcome.left_out);
    }
    let input = with_pseudonyms.as_mut().unwrap_or(input);
    let mut chosen = None;
    if format.languages.is_none() && !languages.named().is_empty() {
        let (input, left_out) = languages::choose(&languages, input, report)?;
        passed_over.absorb(left_out);
        chosen = Some(input);
    }
    let input = chosen.as_mut().unwrap_or(input);
    let mut job = Job {
        selection: &selection,
        input,
        report,
        jobs: options.jobs,
        languages: &languages,
        with: &options.with,
        variants: &options.variants,
        links: options.links,
        uploads,
        pseudonyms,
        step: options.step(),
    };
    let mut tally = match &mut folder {
        Some(folder) => format.write_folder(folder, &mut job)?,
        None => format.write_stream(output, &mut job)?,
    };
    tally.pseudonyms = pseudonyms;
    (tally.step, tally.inputs) = (Some(options.step()), report.inputs());
    tally.rejects = report.rejects_before();
    report.count("records_in", passed_over.total());
    tally.left_out.absorb(passed_over);
    report.check_ends()?;
    judge(options, &selection, &tally, report)?;
    if let Some((path, folder)) = dataset.zip(folder.as_ref()) {
        compare_with_replaced(options, &tally, (path, folder.replaces()), report);
    }
    folder.map(|folder| folder.prepare(format.name, &tally)).transpose().map(Dataset)
}

/// Reports that the dataset in the folder, if there is one, is of another site, or has what this one lacks.
fn compare_with_replaced(options: &Options, tally: &Tally, (path, replaces): (&Path, &Holds), report: &mut Report) {
    if let Some(others) = other_sites(tally, replaces) {
        report
            .nothing(&format!("{} holds the dataset of {others}; name another folder, or remove it", shown_path(path)));
    } else if let Some(lost) = lost(options.format, tally, replaces).filter(|_| !options.allow_empty) {
        report.nothing(&format!("{lost}: {} (--allow-empty writes it anyway)", left(options)));
    }
}

/// Warns of probable mistakes, judging by the counts of the run.
///
/// # Errors
/// If a type to be left out resembles a type in the records, but has a slightly different name.
fn judge(options: &Options, selection: &Selection, tally: &Tally, report: &mut Report) -> Result<(), Error> {
    if let Some((name, meant)) = selection.misspelt(tally) {
        let what = format!("--without {name}: no record is of this type; did you mean {meant}?");
        return Err(Error::Fatal(format!("{what} ({})", left(options))));
    }
    for name in selection.unknown(tally) {
        report.warn(&format!("--without {name}: no record of this type, and no type of WordPress"));
    }
    if tally.text_rules() == "mixed" {
        report.warn("some records carry text by the rules of wpextract and some do not (wp-parse --text)");
    }
    if tally.repeated > 0 {
        let what = format!(
            "{} records have the site, type, id and link of an earlier one: has a site come in twice?",
            tally.repeated
        );
        if options.format.has_keys {
            let what = format!("{what} --format {} needs a key for each ({})", options.format.name, left(options));
            return Err(Error::Fatal(what));
        }
        report.warn(&what);
    }
    if tally.is_unresolved() {
        report.warn("no link, image or translation has been looked up: wp-resolve comes before wp-export");
    }
    if tally.is_resolved_too_early() {
        report.warn(
            "none of the translations has been looked up, or all are on other sites: \
             wp-translations comes before wp-resolve",
        );
    }
    let [authors, terms] = NAMELESS.map(|name| tally.counts.get(name).copied().unwrap_or(0));
    let are_most = |documents: u64| documents * 2 > tally.written();
    if are_most(terms) || are_most(authors) && !selection.leaves_out("user", "user") {
        report.warn(&format!(
            "only ids are known of the authors of {authors} documents and of terms of {terms}: the records of users and terms have their names"
        ));
    }
    count(tally, report);
    if tally.written() == 0 && !options.allow_empty {
        report_nothing(options, report);
    }
    Ok(())
}

/// The first sites of the dataset that this run would replace, if it has none of them.
fn other_sites(tally: &Tally, replaces: &Holds) -> Option<String> {
    let (old, new) = (&replaces.sites, tally.sites.labels());
    let (old, new): (HashSet<&String>, HashSet<&String>) = (old.iter().collect(), new.iter().collect());
    let is_other =
        !old.is_empty() && !new.is_empty() && old.is_disjoint(&new) && !old.union(&new).any(|site| site.is_empty());
    let more = if replaces.sites.len() > NAMED { ", …" } else { "" };
    is_other.then(|| replaces.sites[..replaces.sites.len().min(NAMED)].join(", ") + more)
}

/// The loss that this run would cause in the dataset that it replaces.
fn lost(format: &Format, tally: &Tally, replaces: &Holds) -> Option<&'static str> {
    let is_of_alignments =
        format.reads_alignments || tally.counts.get("sentence_pairs").is_some_and(|pairs| *pairs > 0);
    match () {
        () if tally.written() == 0 => None,
        () if tally.is_unresolved() && replaces.targets => {
            Some("nothing has passed wp-resolve, and the dataset there has targets")
        }
        // Alignments do not state whether their documents have pages.
        () if tally.pages == 0 && replaces.pages && !is_of_alignments => {
            Some("no record has a page, and the dataset there has records with pages")
        }
        () => None,
    }
}

/// Reports an empty output as a mistake in an earlier step, unless this run only passes records through, as a stream of lines.
fn report_nothing(options: &Options, report: &mut Report) {
    if matches!(options.destination, Destination::Stream) && options.format.name == "jsonl" {
        return;
    }
    let name = options.format.name;
    let why = match report.counted("records_in") {
        0 => "no records came in".to_owned(),
        n if options.format.languages == Some(2) => {
            let remedy = "wp-resolve finds translations, most of them in the pages of wp-index --scrape";
            format!("no pair of documents in {n} records for --format {name} ({remedy})")
        }
        n if options.format.reads_alignments => {
            format!("no alignment in {n} records for --format {name} (wp-resolve | wp-align makes them)")
        }
        n => format!("nothing in {n} records for --format {name}"),
    };
    report.nothing(&format!("{why}: {} (--allow-empty writes it anyway)", left(options)));
}

/// Names the output that stays unwritten or unchanged.
pub fn left(options: &Options) -> String {
    match &options.destination {
        Destination::Folder(path) if !path.join(names::MANIFEST).exists() => {
            format!("{} is not written", shown_path(path))
        }
        Destination::Folder(path) => format!("{} is left as it was", shown_path(path)),
        Destination::Stream => "nothing is written".to_owned(),
    }
}

/// Rejects options that do not apply to the format: they would go unnoticed.
fn refuse_idle_options(options: &Options) -> Result<(), Error> {
    let (format, named) = (options.format, options.languages.len());
    let applies = |option: &str, to: fn(&Format) -> bool| {
        let names: Vec<_> = options.formats.iter().filter(|format| to(format)).map(|format| format.name).collect();
        format!("{option} applies to --format {}", names.join(", "))
    };
    let what = match format.languages {
        _ if !options.with.is_empty() && !format.accounts => applies("--with", |format| format.accounts),
        _ if options.links && !format.links => applies("--links files", |format| format.links),
        _ if options.compression.is_some() && !format.compresses => applies("--compress", |format| format.compresses),
        None if named > 0 && format.reads_alignments => {
            format!("--format {} writes what wp-align chose: wp-align --languages", format.name)
        }
        Some(least) if (1..least).contains(&named) => {
            format!("--format {} makes pairs: --languages needs two or more", format.name)
        }
        _ => return Ok(()),
    };
    Err(Error::Fatal(what))
}

fn count(tally: &Tally, report: &mut Report) {
    report.count("records_out", tally.written());
    report.count("left_out", tally.left_out.total());
    report.count("copies", tally.copies.values().sum());
    report.count("text_in_others", tally.text_in_others.values().sum());
    report.count("repeated", tally.repeated);
    for (names, references) in [
        (["links", "links_internal", "links_resolved", "links_dead"], tally.links),
        (["images", "images_internal", "images_resolved", "images_dead"], tally.images),
    ] {
        let numbers = [references.found, references.internal, references.resolved, references.missing.dead];
        names.into_iter().zip(numbers).for_each(|(name, n)| report.count(name, n));
    }
    report.count("translations", tally.translations.found);
    report.count("translations_resolved", tally.translations.resolved);
    report.count("translation_groups", tally.groups());
    tally.counts.iter().for_each(|(&name, &n)| report.count(name, n));
}

#[cfg(test)]
mod tests;
