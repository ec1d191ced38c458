//! wp-export: writes records as a dataset, or as one stream, in one of many formats.

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Ended, Formats, Invocation, Seat, Writes};
use wpipe::export::{self, Format};
use wpipe::formats::ALL;
use wpipe::stage::export::{Destination, Options, left, prepare};

const SHORT: &str = "\
Examples:
  wp-resolve records.ndjson | wp-export -d dataset/
  wp-export -d dataset/ --without users,comments --compress zst resolved.ndjson
  wp-export -d articles/ --format markdown resolved.ndjson
`wp-export --help` has all options, more examples, and a line for each format.";

const EXAMPLES: &str = "\
Examples:
  wp-resolve records.ndjson | wp-export -d dataset/
  wp-export -d dataset/ --without users,comments --compress zst resolved.ndjson
  wp-export -d old/ --format wpextract resolved.ndjson
  wp-export -d articles/ --format markdown resolved.ndjson
  wp-export -o corpus.xml.gz --format tei:corpus resolved.ndjson
  wp-export -d tables/ --format csv resolved.ndjson
  wp-export --format pairs --languages en,fr resolved.ndjson
  wp-export --format graphml -o site.graphml resolved.ndjson
  wp-export --format report -o report.html --with parse.stats resolved.ndjson

Formats:
  jsonl       the records as they are, a file for each type, with types and loaders for data frames
  parquet     the same in Apache Parquet (in the packages, and in builds with the feature parquet)
  wpextract   the six files of wpextract 1.1.1
  documents   {id, text, source, added, created, metadata}: for language models
  text        a .txt for each document, and metadata.tsv: AntConc, CQPweb (text:comments, text:slug)
  markdown    a .md for each document, with YAML front matter (markdown:slug)
  tei         a TEI P5 file for each document (tei:slug)
  tei:corpus  all documents in one teiCorpus
  vert        vertical text for NoSketch Engine and CWB (vert:comments)
  csv         seven flat tables: R, spreadsheets, SQL
  pairs       groups of translations, with their texts
  bitextor    pairs of translations, for bitextor's sentence aligners
  bitextor:warc2text   text.gz and url.gz for each language
  opus        documents and alignments in XML, for opus_read
  tmx         sentence pairs of wp-align as translation memories
  moses       sentence pairs of wp-align as lines of text
  graph       nodes.csv and edges.csv: Gephi, networkx (graph:term,author,reply,host)
  graphml     the same graph in one file: igraph, yEd (graphml:host)
  report      a page to look at

With -d, jsonl writes posts, pages, media, categories, tags, users and comments .jsonl (always); html.jsonl, \
TYPE.jsonl and TYPE-terms.jsonl (if there are such records); and manifest.json, last. When everything is complete it \
replaces the files of an earlier run; a run that fails leaves them as they were, and other files are always kept.";

/// Write records as a dataset (one file per type and a manifest) or as one stream
#[derive(Parser)]
#[command(name = "wp-export", version, after_help = SHORT, after_long_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Input files, read in order (none or -: stdin); .gz and .zst are decompressed
    files: Vec<PathBuf>,
    /// Write a dataset to DIR, all or nothing, manifest.json last
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, conflicts_with = "output")]
    directory: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT[:VARIANT]", value_parser = Formats { formats: ALL, aligned: true }, default_value = "jsonl")]
    format: (&'static Format, Vec<String>),
    /// Leave out files or types, such as users,comments, or copies of another record: copies
    #[arg(long, value_name = "NAME[,NAME...]", value_hint = clap::ValueHint::Other, value_delimiter = ',')]
    without: Vec<String>,
    /// Compress the files of a dataset
    #[arg(long, value_name = "HOW", value_enum, requires = "directory")]
    compress: Option<Compression>,
    /// Write posts in these languages with comments on them, and users, terms and media in no other; parallel text in this order [default: all]
    #[arg(long, value_name = "LANG[,LANG...]", value_delimiter = ',')]
    languages: Vec<String>,
    /// Where the links and images of Markdown and TEI lead: urls as on the site; files, relative paths to the documents of the
    /// dataset, as far as they are in it; files:DIR, also to uploads that are in DIR, each at HOST/PATH of its URL
    #[arg(long, value_name = "WHERE", value_parser = OsStringValueParser::new().try_map(links), default_value = "urls", hide_short_help = true)]
    links: Links,
    /// Give users and commenters pseudonyms, made with the key in FILE: in fields, URLs, attributes and beside these, not in running text
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pseudonyms: Option<PathBuf>,
    /// For a report: the --stats of a stage, or fetch.json of wp-fetch; may be given several times
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    with: Vec<PathBuf>,
    /// Fail unless all end records (wp-index --end) are there
    #[arg(long)]
    expect_end: bool,
    /// Write a dataset or document without records, too, instead of exiting with 1
    #[arg(long, hide_short_help = true)]
    allow_empty: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone)]
enum Links {
    Urls,
    Files(Option<PathBuf>),
}

/// Parses the value of `--links`.
fn links(value: OsString) -> Result<Links, &'static str> {
    match value.as_bytes() {
        b"urls" => Ok(Links::Urls),
        b"files" => Ok(Links::Files(None)),
        other => match other.strip_prefix(b"files:") {
            Some(folder) if !folder.is_empty() => Ok(Links::Files(Some(OsStr::from_bytes(folder).into()))),
            _ => Err("urls, files, or files:DIR"),
        },
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Compression {
    Gz,
    Zst,
}

pub(crate) fn main() -> ExitCode {
    called(cli::parse())(Seat::default()).into()
}

pub(crate) fn called(flags: Flags) -> impl FnOnce(Seat) -> Ended {
    let (format, variants) = flags.format;
    let (links, media) = match flags.links {
        Links::Urls => (false, None),
        Links::Files(media) => (true, media),
    };
    let options = Options {
        destination: flags.directory.clone().map_or(Destination::Stream, Destination::Folder),
        format,
        formats: ALL,
        variants,
        without: flags.without,
        compression: flags.compress.map(|how| match how {
            Compression::Gz => export::Compression::Gzip,
            Compression::Zst => export::Compression::Zstd,
        }),
        languages: flags.languages,
        with: flags.with,
        links,
        media,
        pseudonyms: flags.pseudonyms,
        expect_end: flags.expect_end,
        allow_empty: flags.allow_empty,
        jobs: flags.common.jobs(),
    };
    move |seat| {
        let text = if format.name() == "jsonl" { Writes::Records } else { Writes::Text };
        let writes = flags.directory.as_deref().map_or(text, Writes::Folder);
        let dataset = Cell::new(None);
        Invocation::new("wp-export", &flags.common, &flags.files).at(seat).writing(writes).filter_and_then(
            |input, output, report| {
                prepare(&options, input, output, report).map(|prepared| dataset.set(Some(prepared)))
            },
            |report, good| match dataset.take() {
                Some(prepared) if good => prepared.put_in_place(report),
                Some(_) if flags.directory.is_some() => {
                    let (n, left) = (report.rejected(), left(&options));
                    let rejects = if n == 1 { "reject" } else { "rejects" };
                    report.warn(&format!("{n} {rejects}: {left} (--max-rejects {n} allows for as many)"));
                    Ok(())
                }
                _ => Ok(()),
            },
        )
    }
}
