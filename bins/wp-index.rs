//! wp-index: lists the items of a WordPress dump, each with its scraped page.
use clap::Parser;
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Ended, Invocation, Seat};
use wpipe::dump::Sources;
use wpipe::stage::index::{self, Keep, Options, Selection};

/// List all items of a WordPress REST API dump, each with its scraped page
#[derive(Parser)]
#[command(name = "wp-index", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Files, directories and web archives with the dump (none or -: stdin)
    #[arg(value_name = "DUMP")]
    dumps: Vec<PathBuf>,
    /// Scrape of the same site: a directory or web archive (WARC, WACZ)
    #[arg(long = "scrape", value_name = "PATH", value_hint = clap::ValueHint::AnyPath, value_parser = OsStringValueParser::new().try_map(cli::name_in_records))]
    scrapes: Vec<String>,
    /// Label of the site [default: host of the first record, without www.]
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// URL that corresponds to the top of the scrape [default: inferred]
    #[arg(long, value_name = "URL")]
    scrape_base: Option<String>,
    /// List the pages of the scrapes, without a dump
    #[arg(long, requires = "scrapes", conflicts_with = "dumps")]
    no_dump: bool,
    /// Keep archives, search results and error pages, too
    #[arg(long)]
    all_pages: bool,
    /// Leave out pages without a trace of WordPress
    #[arg(long)]
    wordpress_only: bool,
    /// Of several captures of a URL, keep these
    #[arg(long, value_name = "WHICH", default_value = "newest", value_parser = ["newest", "all"])]
    captures: String,
    /// From WordPress exports, also take items of these statuses (draft, private, ...)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    status: Vec<String>,
    /// From WordPress exports, also take items of these types
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    types: Vec<String>,
    /// Go on without any item, or any page of the site
    #[arg(long)]
    allow_empty: bool,
    /// Write an end record, for wp-export --expect-end
    #[arg(long)]
    end: bool,
    /// Write what became of each page to FILE
    #[arg(long, value_name = "FILE")]
    page_log: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ --scrape site/ | wp-parse > records.ndjson
  curl -s 'https://example.org/wp-json/wp/v2/posts?per_page=100' | wp-index | jq .link
  wp-index posts.en.json.gz posts.fr.json.gz --site example -o index.ndjson.zst";

pub(crate) fn main() -> ExitCode {
    called(cli::parse())(Seat::default()).into()
}

pub(crate) fn called(flags: Flags) -> impl FnOnce(Seat) -> Ended {
    let scrapes = cli::scrapes_of(&flags.dumps, flags.scrapes, flags.no_dump);
    let (all_pages, captures, wordpress_only) = (flags.all_pages, flags.captures == "all", flags.wordpress_only);
    let options = Options {
        site: flags.site,
        scrapes,
        scrape_base: flags.scrape_base,
        keep: Keep { all_pages, captures },
        wordpress_only,
        allow_empty: flags.allow_empty,
        page_log: flags.page_log,
        no_dump: flags.no_dump,
        end: flags.end,
        selection: Selection { statuses: flags.status, types: flags.types },
        jobs: flags.common.jobs(),
    };
    move |seat| {
        Invocation::new("wp-index", &flags.common, &flags.dumps).at(seat).start(|output, report| {
            let mut sources =
                if flags.no_dump { Sources::new(vec![]) } else { Sources::open(&flags.dumps, cli::stdin)? };
            sources.limit_records(flags.common.max_record);
            sources.may_be_mirror(&options.scrapes);
            index::run(&options, &mut sources, output, report)
        })
    }
}
