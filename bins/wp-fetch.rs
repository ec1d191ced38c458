//! wp-fetch: flags to options, one call.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use wpipe::cli::{self, Common, Run, Writes};
use wpipe::fetch::{Media, Options, Pages, read_headers, run};
use wpipe::report::Error;

const EXAMPLES: &str = "\
Examples:
  wp-fetch https://site.example/ -d raw/ --contact me@university.example
  wp-fetch https://site.example/ --dry-run
  wp-fetch https://site.example/ -d raw/ | jq -r 'select(.error) | [.url, .error] | @tsv'
  wp-index raw/dump | wp-parse | wp-translations | wp-resolve | wp-export -d dataset/

Killed or broken off at any moment, the same command goes on where it was, and asks nothing twice.";

/// Fetch a WordPress site through its REST API: a complete dump, its pages, an archive of all answers, and a log
///
/// Writes into the directory of -d: dump/ with the API's answers for wp-index, fetch.warc.gz with every request and
/// response, fetch.ndjson with a line for each request, and at the end fetch.json with what was got of each collection.
/// With --media also the media files below media/, and media.warc.gz. The log also goes to stdout, unless that is a terminal.
#[derive(Parser)]
#[command(name = "wp-fetch", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// URL of the site's front page
    site: String,
    #[arg(hide = true, value_parser = refuse_more)]
    more: Vec<String>,
    /// Directory to write into; it is made if it is not there
    #[arg(short, long, value_name = "DIR", required_unless_present = "dry_run")]
    directory: Option<PathBuf>,
    /// Your mail address or page, for the people who run the site: part of the user agent and of the archive
    #[arg(long, value_name = "TEXT")]
    contact: Option<String>,
    /// Types to fetch, separated by commas, by their name or that of their route [default: all that are content]
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    types: Vec<String>,
    /// Pages to fetch: records (those of the records, and their versions in other languages), all (also those that sitemaps
    /// list), none
    #[arg(long, value_name = "WHICH", default_value = "records", value_parser = pages)]
    pages: Pages,
    /// Also write the pages as files below DIR/scrape/, named as wget names them
    #[arg(long)]
    tree: bool,
    /// Fetch media files below DIR/media/ and into DIR/media.warc.gz: originals (the file of each media record), all (also
    /// images of contents that no record names)
    #[arg(long, value_name = "WHICH", value_parser = media)]
    media: Option<Media>,
    /// Other hosts that media files may come from, separated by commas; else what is there is a gap
    #[arg(long, value_name = "HOST", value_delimiter = ',', requires = "media", value_parser = host, hide_short_help = true)]
    media_host: Vec<String>,
    /// Requests a second, at most; the time that the server takes to answer is waited in addition
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = rate)]
    rate: f64,
    /// Times that a request is repeated that failed in a way that may pass
    #[arg(long, value_name = "N", default_value_t = 6)]
    retries: u32,
    /// Longest time in seconds that the site may ask to wait before the next request
    #[arg(long, value_name = "SECONDS", default_value_t = 300, hide_short_help = true)]
    max_wait: u64,
    /// Longest time in seconds that an answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    timeout: f64,
    /// Send the headers in FILE, lines of Name: value, with every request; they appear in no log and no archive
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    header_file: Option<PathBuf>,
    /// Go through a proxy: http://HOST:PORT
    #[arg(long, value_name = "URL", hide_short_help = true)]
    proxy: Option<String>,
    /// Trust the authorities whose certificates are in FILE (PEM) instead of those that browsers trust
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    ca_file: Option<PathBuf>,
    /// Take any certificate, as of a server of your own that has signed its own; the log and the archive record it
    #[arg(long, conflicts_with = "ca_file", hide_short_help = true)]
    insecure: bool,
    /// Ask only what there is, about two requests for each type; print what would be asked for (NDJSON, unless on a
    /// terminal), and write nothing
    #[arg(long, conflicts_with = "update")]
    dry_run: bool,
    /// Once all was fetched: fetch what is new or has changed since, and list what is gone in DIR/deleted.ndjson
    #[arg(long)]
    update: bool,
    /// Ask also for what robots.txt forbids, and do not heed its Crawl-delay; the log and the archive record it
    #[arg(long)]
    ignore_robots: bool,
    /// Exit with 0 as long as there are no more than N gaps
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_gaps: u64,
    /// Write all counts to FILE as one JSON object
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Print only the error that ends the run
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print every defect, not just the first ten of each kind, and what was decided
    #[arg(short, long)]
    verbose: bool,
}

/// Side by side, processes that know nothing of each other could ask one host at several times the rate.
fn refuse_more(_: &str) -> Result<String, String> {
    Err("a run fetches one site; for a list of sites, see \"Fetching many sites\" in the cookbook".to_owned())
}

fn pages(text: &str) -> Result<Pages, String> {
    let found = Pages::ALL.into_iter().find(|(name, _)| *name == text);
    found.map(|(_, pages)| pages).ok_or("not one of records, all, none".to_owned())
}

fn media(text: &str) -> Result<Media, String> {
    let found = Media::ALL.into_iter().find(|(name, _)| *name == text);
    found.map(|(_, media)| media).ok_or("not one of originals, all".to_owned())
}

fn host(text: &str) -> Result<String, String> {
    let is_host = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "/?#@*".contains(c));
    is_host.then(|| text.to_owned()).ok_or("not a host, as in cdn.example or cdn.example:8080".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|rate| (1e-4..=1e6).contains(rate)).ok_or("not a number of requests".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|seconds| (1e-3..=1e6).contains(seconds)).ok_or("not a number of seconds".to_owned())
}

pub(crate) fn main() -> ExitCode {
    let flags: Flags = cli::parse_without_records();
    let common = Common {
        max_rejects: flags.max_gaps,
        stats: flags.stats,
        quiet: flags.quiet,
        verbose: flags.verbose,
        ..Common::default()
    };
    let headers = flags.header_file;
    let mut options = Options {
        directory: flags.directory.unwrap_or_default(),
        contact: flags.contact,
        pause: Duration::from_secs_f64(1.0 / flags.rate),
        retries: flags.retries,
        max_wait: Duration::from_secs(flags.max_wait),
        timeout: Duration::from_secs_f64(flags.timeout),
        types: flags.types,
        pages: flags.pages,
        tree: flags.tree,
        media: flags.media,
        media_hosts: flags.media_host,
        update: flags.update,
        ignore_robots: flags.ignore_robots,
        headers: Vec::new(),
        proxy: flags.proxy,
        dry_run: flags.dry_run,
        as_table: cli::stdout_is_terminal(),
        authorities: None,
        insecure: flags.insecure,
        most_pages: Options::MOST_PAGES,
        most_sitemaps: Options::MOST_SITEMAPS,
    };
    let directory = options.directory.clone();
    let writes = if flags.dry_run { Writes::Text } else { Writes::Folder(&directory) };
    Run::new("wp-fetch", &common, &[]).writing(writes).start(|output, report| {
        let read = |path: &PathBuf| std::fs::read(path).map_err(|e| Error::at(path, e));
        options.authorities = flags.ca_file.as_ref().map(read).transpose()?;
        options.headers = headers.as_deref().map(read_headers).transpose()?.unwrap_or_default();
        let is_printed = flags.dry_run || !cli::stdout_is_terminal();
        run(&options, &flags.site, is_printed.then_some(output), report)
    })
}
