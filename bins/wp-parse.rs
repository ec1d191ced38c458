//! wp-parse: turns the items of the REST API into complete records.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Ended, Invocation, Seat, Texts};
use wpipe::stage::parse::{self, Options};

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ | wp-parse > records.ndjson
  wp-parse --keep acf,meta.subtitle items.ndjson | jq -r '.extra.acf | fromjson? | .price'
  wp-parse --text wpextract items.ndjson | wp-export --format wpextract -d old/

Reads the output of wp-index and writes one record per line; wp-records(5) describes them.";

/// Turn WordPress items into complete records: text, links, images, embeds, dates, languages
#[derive(Parser)]
#[command(name = "wp-parse", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Input files, read in order (none or -: stdin); .gz and .zst are decompressed
    files: Vec<PathBuf>,
    #[command(flatten)]
    texts: Texts,
    /// Copy API fields to the key extra, all but scalars as JSON text
    #[arg(long, value_name = "FIELD[,FIELD...]", value_delimiter = ',')]
    keep: Vec<String>,
    /// Keep the API's item in the key api
    #[arg(long)]
    keep_api: bool,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> ExitCode {
    called(cli::parse())(Seat::default()).into()
}

pub(crate) fn called(flags: Flags) -> impl FnOnce(Seat) -> Ended {
    let options =
        Options { html: flags.texts.options(), keep: flags.keep, keep_api: flags.keep_api, jobs: flags.common.jobs() };
    move |seat| {
        Invocation::new("wp-parse", &flags.common, &flags.files)
            .at(seat)
            .filter(|input, output, report| parse::run(&options, input, output, report))
    }
}
