//! wp-export: records become a dataset.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common};
use wpipe::export::{Format, folder};
use wpipe::stage::export::{Destination, Options, run};

const EXAMPLES: &str = "\
Examples:
  wp-resolve records.ndjson | wp-export -d dataset/
  wp-export -d dataset/ --without users,comments --compress zst resolved.ndjson
  wp-export -d old/ --format wpextract resolved.ndjson
  wp-export -d articles/ --format markdown resolved.ndjson
  wp-export -o corpus.xml.gz --format tei-corpus resolved.ndjson
  wp-export -d tables/ --format csv resolved.ndjson
  wp-export --format pairs --languages en,fr resolved.ndjson
  wp-export --format graphml -o site.graphml resolved.ndjson

With -d the files of jsonl are posts, pages, media, categories, tags, users, comments .jsonl (always), \
html.jsonl, TYPE.jsonl and TYPE-terms.jsonl (when there are such records), and manifest.json, which appears last, \
when all is complete. A manifest of an earlier run and the files it lists are removed first; other files are left alone.";

/// Write records as a dataset: a file a type and a manifest, or one stream
#[derive(Parser)]
#[command(name = "wp-export", version, after_help = EXAMPLES)]
struct Flags {
    /// Files to read, one after the other; none or - is stdin; .gz and .zst are decompressed
    files: Vec<String>,
    /// Write a dataset to DIR: the files whole or not at all, manifest.json last
    #[arg(short, long, value_name = "DIR", conflicts_with = "output")]
    directory: Option<PathBuf>,
    /// How to write it: records as they are; wpextract's files; a file a document; tables; parallel text; graphs (see
    /// wp-export(1))
    #[arg(long, value_name = "FORMAT", value_parser = formats(), default_value = "jsonl")]
    format: &'static Format,
    /// Leave out files or types, and count them: users,comments hold personal data
    #[arg(long, value_name = "NAME[,NAME...]", value_delimiter = ',')]
    without: Vec<String>,
    /// Compress the files of a dataset (without -d: -o FILE.gz)
    #[arg(long, value_name = "HOW", value_enum, requires = "directory")]
    compress: Option<Compression>,
    /// What the names of wpextract's files begin with
    #[arg(long, value_name = "PREFIX", default_value = "", hide_default_value = true)]
    prefix: String,
    /// Which languages of parallel text, in which order: en takes en-US and en-GB [default: all]
    #[arg(long, value_name = "LANG[,LANG...]", value_delimiter = ',')]
    languages: Vec<String>,
    #[command(flatten)]
    common: Common,
}

/// Takes the name of a format.
fn formats() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(Format::name))
        .try_map(|name| Format::named(&name).ok_or("not a format"))
}

#[derive(Clone, Copy, ValueEnum)]
enum Compression {
    Gz,
    Zst,
}

fn main() -> ExitCode {
    let mut flags: Flags = cli::parse(|flags: &Flags| &flags.common);
    flags.common.writes_folder = flags.directory.is_some();
    let options = Options {
        destination: flags.directory.map_or(Destination::Stream, Destination::Folder),
        format: flags.format,
        without: flags.without,
        compression: flags.compress.map(|how| match how {
            Compression::Gz => folder::Compression::Gzip,
            Compression::Zst => folder::Compression::Zstd,
        }),
        prefix: flags.prefix,
        languages: flags.languages,
        jobs: flags.common.jobs(),
    };
    cli::run_filter("wp-export", &flags.common, &flags.files, |input, output, report| {
        run(&options, input, output, report)
    })
}
