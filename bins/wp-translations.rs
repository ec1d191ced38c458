//! wp-translations: language, translations and missing content from a record's scraped page.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common};
use wpipe::html;
use wpipe::language::Sources;
use wpipe::stage::translations::{self, Options};

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ --scrape site/ | wp-parse | wp-translations > records.ndjson
  wp-translations --sources hreflang,html records.ndjson
  wp-translations --scrape-root /data/site --switchers theme.toml records.ndjson

Pages are opened below scrape.root of their record, a relative path, from the current directory; --scrape-root
names another directory, which may be absolute. The format of --switchers is described in wp-translations(1).";

/// Find each record's language and translations on its scraped page, and content where the API has none
#[derive(Parser)]
#[command(name = "wp-translations", version, after_help = EXAMPLES)]
struct Flags {
    /// Files to read, one after the other; none or - is stdin; .gz and .zst are decompressed
    files: Vec<String>,
    /// Use only this evidence: rest, hreflang, switcher, html (a restriction, not an order)
    #[arg(long, value_name = "SOURCE[,SOURCE...]", value_parser = Sources::parse, default_value = "rest,hreflang,switcher,html")]
    sources: Sources,
    /// Look for the language switchers of FILE as well, before the built-in ones
    #[arg(long, value_name = "FILE")]
    switchers: Option<PathBuf>,
    /// Open pages below DIR, whatever scrape.root says
    #[arg(long, value_name = "DIR")]
    scrape_root: Option<PathBuf>,
    /// Do not take content from pages
    #[arg(long)]
    no_page_content: bool,
    /// Main content of a page, a CSS selector, in place of the built-in ones; may be given several times, the first
    /// that matches counts
    #[arg(long, value_name = "SELECTOR")]
    content_selector: Vec<String>,
    /// Keep figure captions in content texts
    #[arg(long)]
    keep_captions: bool,
    /// Keep data tables in content texts: a row a line, cells parted by TAB
    #[arg(long)]
    keep_tables: bool,
    /// Remove the tags of leftover shortcodes ([vc_row ...]) from texts, not what stands between them
    #[arg(long)]
    strip_shortcodes: bool,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    let flags: Flags = cli::parse(|flags: &Flags| &flags.common);
    cli::run_filter("wp-translations", &flags.common, &flags.files, |input, output, report| {
        let options = Options {
            sources: flags.sources,
            switchers: flags.switchers.as_deref().map(translations::read_switchers).transpose()?,
            scrape_root: flags.scrape_root.clone(),
            page_content: !flags.no_page_content,
            content_selectors: flags.content_selector.clone(),
            html: html::Options {
                keep_captions: flags.keep_captions,
                keep_tables: flags.keep_tables,
                strip_shortcodes: flags.strip_shortcodes,
                ..html::Options::default()
            },
            jobs: flags.common.jobs(),
        };
        translations::run(&options, input, output, report)
    })
}
