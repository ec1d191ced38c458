//! Exports resolved records to a dataset in one of several formats: [`documents`], a file or a line for each text; [`tables`] and
//! graphs of the records; [`parallel`] text, pairs of translations; [`lines`], the records as they are; [`html_report`], a web page
//! for people. All formats are written from the same resolved stream; the programs before wp-export have decided what the records
//! mean.
//!
//! A format is a function that reads a [`job::Job`], writes to a folder ([`dataset`]) or a stream, and returns a tally. To add one,
//! add a file to the module of similar formats and a row to [`FORMATS`].

pub(crate) mod dataset;
mod documents;
pub(crate) mod files;
mod html_report;
pub(crate) mod job;
pub(crate) mod languages;
mod lines;
mod parallel;
pub(crate) mod pseudonyms;
pub(crate) mod tables;
mod xml;

pub(crate) use documents::NAMELESS;

pub use dataset::folder::Compression;

use crate::ndjson::Output;
use crate::report::Error;
use dataset::folder::Folder;
use dataset::tally::Tally;
use documents::{flat, markdown, tei, text, vert};
use job::{Job, Put};
use lines::jsonl;
use parallel::{bitextor, moses, opus, pairs, tmx, warc2text};
use tables::edges::KINDS;
use tables::{csv, graph, graphml, wpextract};

/// Reads a job and writes to a folder or a stream.
type WriteTo<Destination> = fn(&mut Destination, &mut Job<'_>) -> Result<Tally, Error>;

/// How a format writes its dataset, except for the manifest.
#[derive(Debug)]
enum Writing {
    /// One file of this name in a folder (`-d DIR`), or one stream (the standard output, `-o FILE`).
    One(&'static str, fn(&mut Job<'_>, &mut Put<'_>) -> Result<Tally, Error>),
    /// Files in a folder, or one stream if the format supports it.
    Files(WriteTo<Folder>, Option<WriteTo<Output>>),
}
use Writing::{Files, One};

/// How a dataset is written: a row of the table of formats.
#[derive(Debug)]
pub struct Format {
    /// The word for it in `--format` and in the manifest.
    pub(crate) name: &'static str,
    writing: Writing,
    /// Whether `--compress` applies to the files of a folder.
    pub(crate) compresses: bool,
    /// How the files of a folder are compressed without `--compress`.
    pub(crate) compression: Option<Compression>,
    /// The minimum number of languages in `--languages`, for formats in which this option also gives an order; `None` if it only selects
    /// records.
    pub(crate) languages: Option<usize>,
    /// Whether `--with` applies.
    pub(crate) accounts: bool,
    /// Whether `--links` applies.
    pub(crate) links: bool,
    /// Words that may follow the name, as in `graph:link,term`.
    pub(crate) variants: &'static [&'static str],
    /// Whether it is written from alignments alone.
    pub(crate) reads_alignments: bool,
    /// Whether other tables refer to its rows by their keys, so that each may come only once.
    pub(crate) has_keys: bool,
}

/// The base of all rows: the records as they are. Other rows change some of its fields.
const JSONL: Format = Format {
    name: "jsonl",
    writing: Files(jsonl::write_folder, Some(jsonl::write_stream)),
    compresses: true,
    compression: None,
    languages: None,
    accounts: false,
    links: false,
    variants: &[],
    reads_alignments: false,
    has_keys: false,
};

/// The base of formats to which `--compress` does not apply.
const WHOLE: Format = Format { compresses: false, ..JSONL };

/// The variant in which each document's comments follow its text.
pub(crate) const COMMENTS: &str = "comments";
/// The variant whose files are named after the slugs of documents.
pub(crate) const SLUG: &str = "slug";

const GZIP: Option<Compression> = Some(Compression::Gzip);

/// All formats, in the order in which `--help` names them; the first is the default.
static FORMATS: &[Format] = &[
    JSONL,
    #[cfg(feature = "parquet")]
    Format { name: "parquet", writing: Files(jsonl::write_parquet, None), ..WHOLE },
    Format { name: "wpextract", writing: Files(wpextract::write_folder, None), ..WHOLE },
    Format { name: "documents", writing: Files(flat::write_folder, Some(flat::write_stream)), ..JSONL },
    Format { name: "text", writing: Files(text::write_folder, None), variants: &[COMMENTS, SLUG], ..WHOLE },
    Format { name: "markdown", writing: Files(markdown::write_folder, None), links: true, variants: &[SLUG], ..WHOLE },
    Format { name: "tei", writing: Files(tei::write_folder, None), links: true, variants: &[SLUG], ..WHOLE },
    Format { name: "tei:corpus", writing: Files(tei::write_corpus_folder, Some(tei::write_corpus_stream)), ..JSONL },
    Format {
        name: "vert",
        writing: Files(vert::write_folder, Some(vert::write_stream)),
        variants: &[COMMENTS],
        ..JSONL
    },
    Format { name: "csv", writing: Files(csv::write_folder, None), has_keys: true, ..JSONL },
    Format { name: "pairs", writing: One("pairs.jsonl", pairs::write), languages: Some(2), ..JSONL },
    Format {
        name: "bitextor",
        writing: Files(bitextor::write_folder, Some(bitextor::write_stream)),
        compression: GZIP,
        languages: Some(2),
        ..WHOLE
    },
    Format {
        name: "bitextor:warc2text",
        writing: Files(warc2text::write_folder, None),
        compression: GZIP,
        languages: Some(1),
        ..JSONL
    },
    Format { name: "opus", writing: Files(opus::write_folder, None), compression: GZIP, languages: Some(2), ..WHOLE },
    Format { name: "tmx", writing: Files(tmx::write_folder, Some(tmx::write_stream)), reads_alignments: true, ..JSONL },
    Format { name: "moses", writing: Files(moses::write_folder, None), reads_alignments: true, ..JSONL },
    Format { name: "graph", writing: Files(graph::write_folder, None), variants: &KINDS, ..JSONL },
    Format { name: "graphml", writing: One("graph.graphml", graphml::write), variants: &KINDS, ..JSONL },
    Format { name: "report", writing: One("report.html", html_report::write), accounts: true, ..WHOLE },
];

impl Format {
    /// All formats.
    pub const ALL: &[Format] = FORMATS;

    /// The word for it in `--format` and in the manifest.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn write_folder(&self, folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
        match self.writing {
            Files(write, _) => write(folder, job),
            One(file, write) => {
                let number = folder.create(file, None, None)?;
                write(job, &mut |bytes, records| folder.append(number, bytes, records))
            }
        }
    }

    pub(crate) fn write_stream(&self, output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
        match self.writing {
            Files(_, Some(write)) => write(output, job),
            One(_, write) => write(job, &mut |bytes, _| output.write(bytes)),
            Files(_, None) => {
                let what = format!("--format {} writes several files: name a folder with -d DIR", self.name);
                Err(Error::Fatal(what))
            }
        }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The format that `--format` names, and its variants: `graph:link,term`.
    ///
    /// # Errors
    /// If the name or a variant is unknown: a message that says so.
    pub fn chosen(text: &str) -> Result<(&'static Format, Vec<String>), String> {
        if let Some(format) = Format::named(text) {
            return Ok((format, Vec::new()));
        }
        let (name, variants) = text.split_once(':').unwrap_or((text, ""));
        let variants: Vec<String> = variants.split(',').map(str::to_owned).collect();
        let format = Format::named(name).ok_or_else(|| match name {
            "parquet" => "not in this build; in the packages, and with cargo build --features parquet".to_owned(),
            _ => format!("the formats are {}", Format::ALL.iter().map(Format::name).collect::<Vec<_>>().join(", ")),
        })?;
        let Some(wrong) = variants.iter().find(|variant| !format.variants.contains(&variant.as_str())) else {
            return Ok((format, variants));
        };
        let own = format.variants.iter().map(|variant| format!("{name}:{variant}"));
        let others = Format::ALL.iter().map(|other| other.name.to_owned());
        let others = others.filter(|other| other.split_once(':').is_some_and(|(of, _)| of == name));
        let known = own.chain(others).collect::<Vec<_>>().join(", ");
        let there_are = if known.is_empty() { String::new() } else { format!("; there are {known}") };
        Err(format!("{name} has no variant {wrong}{there_are}"))
    }
}

impl Default for &Format {
    fn default() -> Self {
        &FORMATS[0]
    }
}
