//! The formats of a dataset, one small file each: [`jsonl`] as the lines came, [`wpextract`] for users of the peer;
//! [`text`], [`markdown`] and [`tei`] with a file a document; [`csv`] for programs that read tables; [`pairs`],
//! [`pairs_tsv`], [`bitextor`], [`warc2text`], [`opus`] for parallel text, of which [`parallel`] knows what belongs
//! together; [`graph`] and [`graphml`]. [`beside`] writes what is said about a jsonl dataset.
//! All are written from the same resolved stream; what the records mean was decided before.
//!
//! A format is a function that reads a [`Job`], writes a [`folder::Folder`] or a stream, and gives back a
//! [`tally::Tally`]. A new one is a file beside these, a variant of [`Format`] with its line in [`Format::traits`], and an
//! arm in [`write_folder`] or [`write_stream`].

pub mod beside;
pub mod bitextor;
pub mod card;
pub mod croissant;
pub mod csv;
pub mod documents;
pub mod folder;
pub mod graph;
pub mod graphml;
pub mod jsonl;
pub mod key;
pub mod loaders;
pub mod manifest;
pub mod markdown;
pub mod names;
pub mod opus;
pub mod pairs;
pub mod pairs_tsv;
pub mod parallel;
pub mod schema;
pub mod selection;
pub mod shape;
pub mod tally;
pub mod tei;
pub mod text;
pub mod warc2text;
pub mod wpextract;
pub mod xml;

use crate::ndjson::{Input, Output};
use crate::report::{Error, Report};
use folder::{Compression, Folder};
use parallel::languages::Languages;
use selection::Selection;
use tally::Tally;

/// How a dataset is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// The records as they are, one a line, a file a type.
    #[default]
    Jsonl,
    /// The six JSON files of wpextract 1.1.1.
    Wpextract,
    /// Flat tables of records, links, images, translations, terms.
    Csv,
    /// Documents that are translations of each other, a group a line.
    Pairs,
    /// Their URLs, two a line.
    PairsTsv,
    /// Their texts, two a line, as bitextor has pairs of documents.
    Bitextor,
    /// Documents by language, as warc2text writes them.
    Warc2text,
    /// Documents and their alignments as OPUS has them.
    Opus,
    /// Nodes and edges for Gephi.
    Graph,
    /// Nodes and edges as one GraphML document.
    Graphml,
    /// Plain text, a file a document.
    Text,
    /// Markdown with a front matter, a file a document.
    Markdown,
    /// TEI P5, a file a document.
    Tei,
    /// TEI P5, one teiCorpus.
    TeiCorpus,
}

/// What is true of a format.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// The word for it in `--format` and in the manifest.
    pub name: &'static str,
    /// The function for `-d DIR` exists: files and a manifest.
    pub to_folder: bool,
    /// The one for the standard output and `-o FILE`.
    pub to_stream: bool,
    /// `--compress` applies to the files of a folder.
    pub compresses: bool,
    /// How the files of a folder are compressed when nothing else is asked for.
    pub compression: Option<Compression>,
    /// `--languages` applies, and names so many at least.
    pub languages: Option<usize>,
    /// `--prefix` applies.
    pub prefixes: bool,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 14] = [
        Format::Jsonl,
        Format::Wpextract,
        Format::Text,
        Format::Markdown,
        Format::Tei,
        Format::TeiCorpus,
        Format::Csv,
        Format::Pairs,
        Format::PairsTsv,
        Format::Bitextor,
        Format::Warc2text,
        Format::Opus,
        Format::Graph,
        Format::Graphml,
    ];

    /// What is true of it.
    pub fn traits(self) -> Traits {
        let files = Traits {
            name: "",
            to_folder: true,
            to_stream: false,
            compresses: false,
            compression: None,
            languages: None,
            prefixes: false,
        };
        let both = Traits { to_stream: true, compresses: true, ..files };
        let gzip = Some(Compression::Gzip);
        match self {
            Format::Jsonl => Traits { name: "jsonl", ..both },
            Format::Wpextract => Traits { name: "wpextract", prefixes: true, ..files },
            Format::Csv => Traits { name: "csv", compresses: true, ..files },
            Format::Pairs => Traits { name: "pairs", languages: Some(2), ..both },
            Format::PairsTsv => Traits { name: "pairs-tsv", languages: Some(2), ..both },
            Format::Bitextor => {
                Traits { name: "bitextor", to_stream: true, compression: gzip, languages: Some(2), ..files }
            }
            Format::Warc2text => {
                Traits { name: "warc2text", compresses: true, compression: gzip, languages: Some(1), ..files }
            }
            Format::Opus => Traits { name: "opus", compression: gzip, languages: Some(2), ..files },
            Format::Graph => Traits { name: "graph", compresses: true, ..files },
            Format::Graphml => Traits { name: "graphml", ..both },
            Format::Text => Traits { name: "text", ..files },
            Format::Markdown => Traits { name: "markdown", ..files },
            Format::Tei => Traits { name: "tei", ..files },
            Format::TeiCorpus => Traits { name: "tei-corpus", to_stream: true, compresses: true, ..files },
        }
    }

    /// The word for it in `--format` and in the manifest.
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// What every format works with.
pub struct Job<'a> {
    /// What is left out.
    pub selection: &'a Selection,
    /// The records.
    pub input: &'a mut Input,
    /// What there is to say.
    pub report: &'a mut Report,
    /// Threads to work in; the result is the same for any number.
    pub jobs: usize,
    /// What the names of files begin with ([`Traits::prefixes`]).
    pub prefix: &'a str,
    /// Which languages, in which order ([`Traits::languages`]).
    pub languages: &'a Languages,
}

/// Writes a dataset's files into `folder`, but for the manifest.
///
/// # Errors
/// When reading or writing fails, the format cannot be files, or the report stops the run.
pub fn write_folder(format: Format, folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    match format {
        Format::Jsonl => jsonl::write_folder(folder, job),
        Format::Wpextract => wpextract::write_folder(folder, job),
        Format::Csv => csv::write_folder(folder, job),
        Format::Pairs => pairs::write_folder(folder, job),
        Format::PairsTsv => pairs_tsv::write_folder(folder, job),
        Format::Bitextor => bitextor::write_folder(folder, job),
        Format::Warc2text => warc2text::write_folder(folder, job),
        Format::Opus => opus::write_folder(folder, job),
        Format::Graph => graph::write_folder(folder, job),
        Format::Graphml => graphml::write_folder(folder, job),
        Format::Text => text::write_folder(folder, job),
        Format::Markdown => markdown::write_folder(folder, job),
        Format::Tei => tei::write_folder(folder, job),
        Format::TeiCorpus => tei::write_corpus_folder(folder, job),
    }
}

/// Writes a dataset as one stream.
///
/// # Errors
/// As [`write_folder`], or the format cannot be a stream.
pub fn write_stream(format: Format, output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    match format {
        Format::Jsonl => jsonl::write_stream(output, job),
        Format::Pairs => pairs::write_stream(output, job),
        Format::PairsTsv => pairs_tsv::write_stream(output, job),
        Format::Bitextor => bitextor::write_stream(output, job),
        Format::Graphml => graphml::write_stream(output, job),
        Format::TeiCorpus => tei::write_corpus_stream(output, job),
        Format::Wpextract
        | Format::Text
        | Format::Markdown
        | Format::Tei
        | Format::Csv
        | Format::Warc2text
        | Format::Opus
        | Format::Graph => {
            Err(Error::Trouble(format!("--format {} writes several files: -d DIR says where", format.name())))
        }
    }
}
