//! wp-translations: finds language, translations and missing content in scraped pages.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use wpipe::cli::{self, Common, Ended, Invocation, Seat, Texts};
use wpipe::language::Sources;
use wpipe::stage::translations::{self, Options};

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ --scrape site/ | wp-parse | wp-translations > records.ndjson
  wp-translations --sources hreflang,html records.ndjson
  wp-translations --scrape-root /data/site --switchers theme.toml records.ndjson

Pages are opened below scrape.root, relative to the current directory; --scrape-root names another directory, which may \
be absolute. wp-translations(1) describes the format of --switchers.";

/// Find languages, translations and missing content of records in their scraped pages
#[derive(Parser)]
#[command(name = "wp-translations", version, after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// Input files, read in order (none or -: stdin); .gz and .zst are decompressed
    files: Vec<PathBuf>,
    /// Use only these
    #[arg(long, value_name = "SOURCE[,SOURCE...]", value_parser = Sources::parse, default_value = "rest,hreflang,switcher,html")]
    sources: Sources,
    /// Also recognise the language switchers in FILE
    #[arg(long, value_name = "FILE")]
    switchers: Option<PathBuf>,
    /// Open pages below DIR instead of scrape.root
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    scrape_root: Vec<PathBuf>,
    /// CSS selector of main content; may be repeated
    #[arg(long, value_name = "SELECTOR")]
    content_selector: Vec<String>,
    /// Write to FILE the rule that kept or dropped each text of a page
    #[arg(long, value_name = "FILE")]
    explain: Option<PathBuf>,
    /// Never ask the rule of this name
    #[cfg(feature = "ablation")]
    #[arg(long, value_name = "NAME")]
    without_rule: Vec<String>,
    #[command(flatten)]
    texts: Texts,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn main() -> ExitCode {
    called(cli::parse())(Seat::default()).into()
}

pub(crate) fn called(flags: Flags) -> impl FnOnce(Seat) -> Ended {
    let html = flags.texts.options();
    #[cfg(feature = "ablation")]
    translations::never_ask(&flags.without_rule).expect("--without-rule has names of rules");
    move |seat| {
        let beside = [("--explain", flags.explain.as_deref())];
        let run = Invocation::new("wp-translations", &flags.common, &flags.files).at(seat).beside(&beside);
        run.filter(|input, output, report| {
            let options = Options {
                sources: flags.sources,
                switchers: flags.switchers.as_deref().map(translations::read_switchers).transpose()?,
                scrape_roots: flags.scrape_root.clone(),
                content_selectors: flags.content_selector.clone(),
                explain: flags.explain.clone(),
                html,
                jobs: flags.common.jobs(),
            };
            translations::run(&options, input, output, report)
        })
    }
}
