//! wp-align: writes the sentence pairs of documents that are translations of each other.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Invocation};
use wpipe::stage::align::{Options, run};

const EXAMPLES: &str = "\
Examples:
  wp-resolve records.ndjson | wp-align | wp-export --format tmx -d tmx/
  wp-align --languages en,fr --min-score 0.9 datasets/*/posts.jsonl -o pairs.ndjson
  wp-align posts.jsonl | jq -r '.links[] | select(.score > .9) | [.from, .to] | map(map(.text) | join(\" \")) | @tsv'

One line for each pair of documents; documents are spooled to TMPDIR.";

/// Align the sentences of documents that are translations of each other
#[derive(Parser)]
#[command(name = "wp-align", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Input files, read in order (none or -: stdin); .gz and .zst are decompressed
    files: Vec<PathBuf>,
    /// Align documents in these languages only, and in this order: the first is from, the later to
    #[arg(long, value_name = "TAG,TAG", value_delimiter = ',')]
    languages: Vec<String>,
    /// Take links with a lower score apart: their sentences are unaligned
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, value_parser = score)]
    min_score: f64,
    #[command(flatten)]
    common: Common,
}

fn score(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|score| (0.0..=1.0).contains(score)).ok_or("a number from 0 to 1")
}

pub(crate) fn main() -> ExitCode {
    let flags: Flags = cli::parse();
    let jobs = flags.common.jobs();
    let options = Options { languages: flags.languages, min_score: flags.min_score, jobs, ..Options::default() };
    Invocation::new("wp-align", &flags.common, &flags.files)
        .filter(|input, output, report| run(&options, input, output, report))
        .into()
}
