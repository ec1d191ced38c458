//! wp-resolve: finds the record that each link, image and translation refers to.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Ended, Invocation, Seat};
use wpipe::stage::resolve::{Options, run};

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ | wp-parse | wp-resolve | wp-export -d dataset/
  wp-resolve -o linked.ndjson --unresolved unresolved.ndjson records.ndjson
  wp-resolve --registry-out site.ndjson whole.ndjson >linked.ndjson
  wp-resolve --registry site.ndjson new-posts.ndjson

Regular files are read twice; anything else is spooled to TMPDIR. The records of a site must be contiguous. Each \
target comes with the rule that found it; where records contradict each other, there is no target, and the reason is ambiguous.";

/// Find the record that each link, image and translation refers to
#[derive(Parser)]
#[command(name = "wp-resolve", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Input files, read in order (none or -: stdin); .gz and .zst are decompressed
    files: Vec<PathBuf>,
    /// Write the site's URLs without a target to FILE, most frequent first
    #[arg(long, value_name = "FILE")]
    unresolved: Option<PathBuf>,
    /// Mark pages that wp-index left out (its --page-log) as left_out in --unresolved
    #[arg(long, value_name = "FILE", requires = "unresolved")]
    page_log: Option<PathBuf>,
    /// Write the registry, one record per line, for a later run with --registry
    #[arg(long, value_name = "FILE")]
    registry_out: Option<PathBuf>,
    /// Also resolve to the records of a registry; may be repeated
    #[arg(long, value_name = "FILE")]
    registry: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> ExitCode {
    called(cli::parse())(Seat::default()).into()
}

pub(crate) fn called(flags: Flags) -> impl FnOnce(Seat) -> Ended {
    let options = Options {
        jobs: flags.common.jobs(),
        unresolved: flags.unresolved,
        page_log: flags.page_log,
        registry_out: flags.registry_out,
        registries: flags.registry,
    };
    move |seat| {
        let beside =
            [("--unresolved", options.unresolved.as_deref()), ("--registry-out", options.registry_out.as_deref())];
        Invocation::new("wp-resolve", &flags.common, &flags.files)
            .at(seat)
            .beside(&beside)
            .filter(|input, output, report| run(&options, input, output, report))
    }
}
