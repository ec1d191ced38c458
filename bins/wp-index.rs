//! wp-index: flags to options, one call.
use clap::Parser;
use std::process::ExitCode;
use wpipe::cli::{self, Common};
use wpipe::dump::Sources;
use wpipe::stage::index::{self, Options};

/// List all items of a WordPress REST API dump, each with its page of a scrape
///
/// Reads what the REST API of one WordPress site gave out and writes one line of JSON a record:
/// {site, kind, type, id, link, source, scrape, aliases, api}. api is the item, verbatim but for white space.
/// Files may hold an array of any size, one object, several values or NDJSON, and may be compressed (gzip, zstd).
/// Their names do not matter: an item is recognised by its fields. Records that are there twice are written once.
#[derive(Parser)]
#[command(name = "wp-index", version, max_term_width = 100, after_help = EXAMPLES)]
struct Flags {
    /// Files and directories of the dump; none or - is stdin. A file that is named must hold items; in a directory
    /// what is no JSON is passed over
    #[arg(value_name = "DUMP")]
    dumps: Vec<String>,
    /// Directory of a scrape of the same site; pages that belong to no record become records of kind html
    #[arg(long = "scrape", value_name = "DIR")]
    scrapes: Vec<String>,
    /// Label of the site [default: host of the first record, without www.]
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// URL on the site that the top of the scrape stands for [default: found out]
    #[arg(long, value_name = "URL")]
    scrape_base: Option<String>,
    /// Keep archive, search and error pages, too, as records of kind html
    #[arg(long)]
    all_pages: bool,
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ --scrape site/ | wp-parse > records.ndjson
  curl -s 'https://example.org/wp-json/wp/v2/posts?per_page=100' | wp-index | jq .link
  wp-index posts.en.json.gz posts.fr.json.gz --site example -o index.ndjson.zst";

fn main() -> ExitCode {
    let flags: Flags = cli::parse(|flags: &Flags| &flags.common);
    let options = Options {
        site: flags.site,
        scrapes: flags.scrapes,
        scrape_base: flags.scrape_base,
        all_pages: flags.all_pages,
        jobs: flags.common.jobs(),
    };
    cli::run("wp-index", &flags.common, &flags.dumps, |output, report| {
        let mut sources = Sources::open(&flags.dumps, cli::stdin)?;
        index::run(&options, &mut sources, output, report)
    })
}
