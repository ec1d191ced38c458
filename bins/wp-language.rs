//! wp-language: marks each text with the language that it is written in.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Invocation};
use wpipe::stage::language::{Options, run};

const EXAMPLES: &str = "\
Examples:
  wp-resolve records.ndjson | wp-language | wp-export -d dataset/
  wp-language site.ndjson | jq -r 'select(.text_language.language != null and .language == null) | [.text_language.language, .link] | @tsv'";

/// Mark texts with the language that they are in, by their letters and words; the stated language stays as it is
#[derive(Parser)]
#[command(name = "wp-language", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Input files, read in order (none or -: stdin); .gz and .zst are decompressed
    files: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> ExitCode {
    let flags: Flags = cli::parse();
    let options = Options { jobs: flags.common.jobs() };
    Invocation::new("wp-language", &flags.common, &flags.files)
        .filter(|input, output, report| run(&options, input, output, report))
        .into()
}
