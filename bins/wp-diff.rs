//! wp-diff: reports what changed on a site between two fetches.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Invocation};
use wpipe::report::Error;
use wpipe::stage::diff::{Options, Stream, run, run_dates};

const EXAMPLES: &str = "\
Examples:
  wp-diff 2026-10.ndjson.zst 2026-11.ndjson.zst > changes.ndjson
  wp-resolve records.ndjson | wp-diff october/ - | jq -r 'select(.change == \"gone\") | .link'
  wp-diff --with raw/fetch.json 2026-10.ndjson.zst 2026-11.ndjson.zst -o changes.ndjson
  wp-diff --dates 2026-11.ndjson.zst | jq -c 'select(.looks_like == null) | [.link, .new.date_gmt, .evidence]'

OLD and NEW are records of any stage from wp-parse on, or the directory of a dataset. A line says what changed in a record's \
own item or page, not what follows from another record. Both sides are spooled to TMPDIR.";

/// Report what changed between two fetches of a site: added, gone, renumbered, moved, re-dated, changed
#[derive(Parser)]
#[command(name = "wp-diff", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// The earlier records: a file, a dataset's directory, or - for stdin; .gz and .zst are decompressed
    #[arg(required_unless_present = "dates")]
    old: Option<PathBuf>,
    /// The later records, in the same way [default: -]
    #[arg(conflicts_with = "dates")]
    new: Option<PathBuf>,
    /// Report the posts of one side whose dates do not fit to their ids, comments and links [default of OLD: -]
    #[arg(long, conflicts_with = "with")]
    dates: bool,
    /// wp-fetch's fetch.json of the later fetch, the evidence for deleted records and gaps; may be repeated
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Compare with a side that has no records, too, instead of exiting with 1
    #[arg(long)]
    allow_empty: bool,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> ExitCode {
    let flags: Flags = cli::parse();
    let options = Options { with: flags.with, allow_empty: flags.allow_empty, jobs: flags.common.jobs() };
    let stdin = || PathBuf::from("-");
    let mut files = vec![flags.old.unwrap_or_else(stdin)];
    if !flags.dates {
        files.push(flags.new.unwrap_or_else(stdin));
    }
    Invocation::new("wp-diff", &flags.common, &files)
        .start(|output, report| {
            let open = |file: &PathBuf| -> Result<Stream, Error> {
                let mut stream = Stream::open(file, cli::stdin)?;
                stream.limit_records(flags.common.max_record);
                Ok(stream)
            };
            match files.as_slice() {
                [old, new] if old == new && old.as_os_str() == "-" => {
                    Err(Error::Fatal("OLD and NEW are both the standard input".into()))
                }
                [old, new] => run(&options, &mut open(old)?, &mut open(new)?, output, report),
                _ => run_dates(&options, &mut open(&files[0])?, output, report),
            }
        })
        .into()
}
