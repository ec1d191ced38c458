//! The formats of a dataset, by what they are: [`documents`], a file or a line for each text; [`tables`] and graphs of the
//! records; [`parallel`] text, pairs of translations; [`lines`], the records as they came; [`html_report`], a page to look at.
//! All are written from the same resolved stream; what the records mean was decided before.
//!
//! A format is a function that reads a [`job::Job`], writes to a folder ([`dataset`]) or a stream, and returns a tally. A new one is
//! a file in the room of its like and a row in [`FORMATS`].

pub(crate) mod dataset;
mod documents;
pub(crate) mod files;
mod html_report;
pub(crate) mod job;
mod lines;
mod parallel;
pub(crate) mod pseudonyms;
pub(crate) mod tables;
mod xml;

pub use dataset::folder::Compression;

use crate::ndjson::Output;
use crate::report::Error;
use dataset::folder::Folder;
use dataset::tally::Tally;
use documents::{flat, markdown, tei, text, vert};
use job::Job;
use lines::jsonl;
use parallel::{bitextor, moses, opus, pairs, pairs_tsv, tmx, warc2text};
use tables::{csv, edges, graph, graphml, wpextract};

/// Reads a job and writes to a folder or a stream.
pub(crate) type Writer<Destination> = fn(&mut Destination, &mut Job<'_>) -> Result<Tally, Error>;

/// How a dataset is written: a row of the table of formats.
#[derive(Debug)]
pub struct Format {
    /// The word for it in `--format` and in the manifest.
    pub(crate) name: &'static str,
    /// Writes a dataset's files into a folder (`-d DIR`), all but the manifest.
    pub(crate) to_folder: Writer<Folder>,
    /// Writes a dataset as one stream (the standard output, `-o FILE`); none where it is several files.
    pub(crate) to_stream: Option<Writer<Output>>,
    /// Whether `--compress` applies to the files of a folder.
    pub(crate) compresses: bool,
    /// How the files of a folder are compressed without `--compress`.
    pub(crate) compression: Option<Compression>,
    /// The least number of languages that `--languages` may name; none where it does not apply.
    pub(crate) languages: Option<usize>,
    /// Whether `--prefix` applies.
    pub(crate) prefixes: bool,
    /// Whether `--with` applies.
    pub(crate) accounts: bool,
    /// Whether `--edges` applies.
    pub(crate) edges: bool,
    /// Whether `--comments` applies.
    pub(crate) comments: bool,
    /// Whether `--links` applies.
    pub(crate) links: bool,
    /// Whether `--names` applies.
    pub(crate) names: bool,
    /// Whether it is written from alignments alone.
    pub(crate) reads_alignments: bool,
}

/// A format of the records as they are; what the other rows change.
const JSONL: Format = Format {
    name: "jsonl",
    to_folder: jsonl::write_folder,
    to_stream: Some(jsonl::write_stream),
    compresses: true,
    compression: None,
    languages: None,
    prefixes: false,
    accounts: false,
    edges: false,
    comments: false,
    links: false,
    names: false,
    reads_alignments: false,
};

/// The base of formats that are several files, each whole.
const FILES: Format = Format { to_stream: None, compresses: false, ..JSONL };

const GZIP: Option<Compression> = Some(Compression::Gzip);

/// All formats, in the order in which `--help` names them; the first is the default.
static FORMATS: [Format; 19] = [
    JSONL,
    Format { name: "wpextract", to_folder: wpextract::write_folder, prefixes: true, ..FILES },
    Format { name: "documents", to_folder: flat::write_folder, to_stream: Some(flat::write_stream), ..JSONL },
    Format { name: "text", to_folder: text::write_folder, comments: true, names: true, ..FILES },
    Format { name: "markdown", to_folder: markdown::write_folder, links: true, names: true, ..FILES },
    Format { name: "tei", to_folder: tei::write_folder, links: true, names: true, ..FILES },
    Format {
        name: "tei-corpus",
        to_folder: tei::write_corpus_folder,
        to_stream: Some(tei::write_corpus_stream),
        ..JSONL
    },
    Format {
        name: "vert",
        to_folder: vert::write_folder,
        to_stream: Some(vert::write_stream),
        comments: true,
        ..JSONL
    },
    Format { name: "csv", to_folder: csv::write_folder, compresses: true, ..FILES },
    Format {
        name: "pairs",
        to_folder: pairs::write_folder,
        to_stream: Some(pairs::write_stream),
        languages: Some(2),
        ..JSONL
    },
    Format {
        name: "pairs-tsv",
        to_folder: pairs_tsv::write_folder,
        to_stream: Some(pairs_tsv::write_stream),
        languages: Some(2),
        ..JSONL
    },
    Format {
        name: "bitextor",
        to_folder: bitextor::write_folder,
        to_stream: Some(bitextor::write_stream),
        compression: GZIP,
        languages: Some(2),
        ..FILES
    },
    Format {
        name: "warc2text",
        to_folder: warc2text::write_folder,
        compresses: true,
        compression: GZIP,
        languages: Some(1),
        ..FILES
    },
    Format { name: "opus", to_folder: opus::write_folder, compression: GZIP, languages: Some(2), ..FILES },
    Format {
        name: "tmx",
        to_folder: tmx::write_folder,
        to_stream: Some(tmx::write_stream),
        reads_alignments: true,
        ..JSONL
    },
    Format { name: "moses", to_folder: moses::write_folder, compresses: true, reads_alignments: true, ..FILES },
    Format { name: "graph", to_folder: graph::write_folder, compresses: true, edges: true, ..FILES },
    Format {
        name: "graphml",
        to_folder: graphml::write_folder,
        to_stream: Some(graphml::write_stream),
        edges: true,
        ..JSONL
    },
    Format {
        name: "report",
        to_folder: html_report::write_folder,
        to_stream: Some(html_report::write_stream),
        compresses: false,
        accounts: true,
        ..JSONL
    },
];

impl Format {
    /// What `--edges` may name.
    pub const EDGES: &[&str] = &edges::KINDS;

    /// All formats.
    pub const ALL: &[Format] = &FORMATS;

    /// The word for it in `--format` and in the manifest.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

impl Default for &Format {
    fn default() -> Self {
        &FORMATS[0]
    }
}
