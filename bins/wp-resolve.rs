//! wp-resolve: which record each link, image and translation means.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common};
use wpipe::stage::resolve::{Options, run};

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ | wp-parse | wp-resolve | wp-export -d dataset/
  wp-resolve -o linked.ndjson --unresolved dead.ndjson records.ndjson
  wp-resolve --registry-out site.ndjson whole.ndjson >linked.ndjson
  wp-resolve --registry site.ndjson new-posts.ndjson

A regular file is read twice; anything else is spooled to TMPDIR. The records of a site must stand together. Every
target carries the rule by which it was found; where records contradict each other the rule is ambiguous and there is
no target: a wrong one is worse than none.";

/// Resolve links, images and translations to the records of their site
#[derive(Parser)]
#[command(name = "wp-resolve", version, after_help = EXAMPLES)]
struct Flags {
    /// Files to read, one after the other; none or - is stdin; .gz and .zst are decompressed
    files: Vec<String>,
    /// List the site's URLs that have no record: NDJSON {url,count,first:{type,id},reason}, most frequent first
    #[arg(long, value_name = "FILE")]
    unresolved: Option<PathBuf>,
    /// Write the registry, one record a line, for a later run with --registry
    #[arg(long, value_name = "FILE")]
    registry_out: Option<PathBuf>,
    /// Let links also lead to the records of a registry; may be given several times
    #[arg(long, value_name = "FILE")]
    registry: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    let flags = cli::parse(|flags: &Flags| &flags.common);
    let (unresolved, registry_out) = (flags.unresolved.clone(), flags.registry_out.clone());
    let beside = [("--unresolved", unresolved.as_deref()), ("--registry-out", registry_out.as_deref())];
    let options = Options {
        jobs: flags.common.jobs(),
        unresolved: flags.unresolved,
        registry_out: flags.registry_out,
        registries: flags.registry,
    };
    cli::run_filter_beside("wp-resolve", &flags.common, &flags.files, &beside, |input, output, report| {
        run(&options, input, output, report)
    })
}
