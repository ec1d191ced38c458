//! wp-fetch: fetches a WordPress site through its REST API.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use wpipe::cli::{self, Common, Invocation, Writes};
use wpipe::fetch::{Media, Options, Pages, read_headers, run};
use wpipe::report::Error;

const EXAMPLES: &str = "\
Examples:
  wp-fetch https://site.example/ -d raw/ --contact me@university.example
  wp-fetch https://site.example/ --dry-run
  wp-index raw/dump | wp-parse | wp-translations | wp-resolve | wp-export -d dataset/

After an interruption, the same command continues.";

/// Fetch a WordPress site through its REST API: a complete dump, its pages, an archive, a log
#[derive(Parser)]
#[command(name = "wp-fetch", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// URL of the site's front page
    site: String,
    #[arg(hide = true, value_parser = refuse_more)]
    more: Vec<String>,
    /// Directory to write into
    #[arg(short, long, value_name = "DIR", required_unless_present = "dry_run")]
    directory: Option<PathBuf>,
    /// Your mail address or page, for the site's operators
    #[arg(long, value_name = "TEXT")]
    contact: Option<String>,
    /// Types to fetch, separated by commas [default: all content]
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    types: Vec<String>,
    /// Pages to fetch: records, all (also from sitemaps) or none
    #[arg(long, value_name = "WHICH", default_value = "records", value_parser = pages)]
    pages: Pages,
    /// Feeds of a site whose API is closed: auto, none
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = ["auto", "none"], hide_short_help = true)]
    feeds: String,
    /// Also write the pages as files below DIR/scrape/
    #[arg(long)]
    tree: bool,
    /// Also fetch media files: originals, or all (also other images of texts)
    #[arg(long, value_name = "WHICH", value_parser = media)]
    media: Option<Media>,
    /// Other hosts of media files, separated by commas
    #[arg(long, value_name = "HOST", value_delimiter = ',', requires = "media", value_parser = host)]
    media_host: Vec<String>,
    /// Most bytes of all media files
    #[arg(long, value_name = "SIZE", requires = "media", value_parser = cli::size, hide_short_help = true)]
    max_media: Option<u64>,
    /// Requests a second, at most
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = rate)]
    rate: f64,
    /// Repetitions of a request after failures that may pass
    #[arg(long, value_name = "N", default_value_t = 6)]
    retries: u32,
    /// Longest wait that a site may ask for
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    max_wait: u64,
    /// Longest time of an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    timeout: f64,
    /// Send the headers in FILE (Name: value) to the site
    #[arg(long, value_name = "FILE")]
    header_file: Option<PathBuf>,
    /// Go through a proxy: http://HOST:PORT
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// Trust the authorities in FILE (PEM) instead of those of browsers
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Accept any certificate, even an impostor's
    #[arg(long, conflicts_with = "ca_file")]
    insecure: bool,
    /// Print how much there is and how long a fetch would take
    #[arg(long, conflicts_with = "update")]
    dry_run: bool,
    /// After a finished run: fetch changes, list deletions
    #[arg(long)]
    update: bool,
    /// Also request URLs that robots.txt forbids
    #[arg(long)]
    ignore_robots: bool,
    /// Gaps that leave the exit status 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_gaps: u64,
    /// Write all counts to FILE as one JSON object
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Print only the error that ends the run
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print every defect, and decisions
    #[arg(short, long)]
    verbose: bool,
}

/// Refuses a second site: two processes that do not coordinate could request pages of one host at several times the
/// rate.
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
        feeds: flags.feeds == "auto",
        tree: flags.tree,
        media: flags.media,
        media_hosts: flags.media_host,
        max_media: flags.max_media,
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
    Invocation::new("wp-fetch", &common, &[])
        .writing(writes)
        .start(|output, report| {
            let read = |path: &PathBuf| std::fs::read(path).map_err(|e| Error::at(path, e));
            options.authorities = flags.ca_file.as_ref().map(read).transpose()?;
            options.headers = headers.as_deref().map(read_headers).transpose()?.unwrap_or_default();
            let is_printed = flags.dry_run || !cli::stdout_is_terminal();
            run(&options, &flags.site, is_printed.then_some(output), report)
        })
        .into()
}
