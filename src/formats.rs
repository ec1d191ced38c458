//! The formats of datasets beside the lines of JSON that [`crate::export`] writes itself: [`documents`], a file or a line for each text;
//! [`tables`] and graphs of the records; [`parallel`] text, pairs of translations; [`html_report`], a web page for people. wp-export gets
//! them as a table, [`ALL`].
//!
//! To add a format, add a file to the module of similar formats and a row to the table.

mod documents;
mod html_report;
mod parallel;
#[cfg(feature = "parquet")]
mod parquet;
mod tables;
mod xml;

use crate::export::Writing::{Files, One};
use crate::export::{Compression, Format, JSONL};
use documents::{COMMENTS, SLUG, flat, markdown, tei, text, vert};
use parallel::{bitextor, moses, opus, pairs, tmx, warc2text};
use tables::edges::KINDS;
use tables::{csv, graph, graphml, wpextract};

/// The base of formats to which `--compress` does not apply.
const WHOLE: Format = Format { compresses: false, ..JSONL };

const GZIP: Option<Compression> = Some(Compression::Gzip);

/// All formats, in the order in which `--help` names them; the first is the default.
pub static ALL: &[Format] = &[
    JSONL,
    #[cfg(feature = "parquet")]
    Format { name: "parquet", writing: Files(parquet::write_folder, None), ..WHOLE },
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
