//! wp-groups: marks texts that are nearly the same, within a site and across sites.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Invocation};
use wpipe::stage::groups::{Options, SIMILARITY, run};

const EXAMPLES: &str = "\
Examples:
  wp-resolve records.ndjson | wp-groups --sign | wp-export -d dataset/
  wp-groups datasets/*/posts.jsonl -o marked.ndjson
  wp-groups --similarity 0.9 signed.ndjson | jq -r 'select(.duplicate_group) | [.duplicate_group, .link] | @tsv'

Sign each site where it is made, group all sites at once. Regular files are read twice; anything else is spooled to \
TMPDIR, as are the signatures (0.9 KB per record, with the space for sorting).";

/// Mark texts that are nearly the same, within a site and across sites; nothing is removed
#[derive(Parser)]
#[command(name = "wp-groups", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Input files, read in order (none or -: stdin); .gz and .zst are decompressed
    files: Vec<PathBuf>,
    /// Add a signature of its text to each record that has a content
    #[arg(long)]
    sign: bool,
    /// Group texts that have this share of their 5-word shingles in common, by their signatures: 0.5 to 1
    #[arg(long, value_name = "SHARE", default_value_t = SIMILARITY, value_parser = share, conflicts_with = "sign")]
    similarity: f64,
    #[command(flatten)]
    common: Common,
}

fn share(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|share| (0.5..=1.0).contains(share)).ok_or("a number from 0.5 to 1")
}

pub(crate) fn main() -> ExitCode {
    let flags: Flags = cli::parse();
    let options = Options { sign: flags.sign, similarity: flags.similarity, jobs: flags.common.jobs() };
    Invocation::new("wp-groups", &flags.common, &flags.files)
        .filter(|input, output, report| run(&options, input, output, report))
        .into()
}
