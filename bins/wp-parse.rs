//! wp-parse: items of the API become complete records.

use clap::{Parser, ValueEnum};
use std::process::ExitCode;
use wpipe::cli::{self, Common};
use wpipe::html::TextRules;
use wpipe::stage::parse::{self, Options};

const EXAMPLES: &str = "\
Examples:
  wp-index dump/ | wp-parse > records.ndjson
  wp-parse --keep acf,meta.subtitle items.ndjson | jq -r '.extra.acf | fromjson? | .price'
  wp-parse --text wpextract items.ndjson | wp-export --format wpextract -d old/

Reads what wp-index writes; writes one record a line, described in wp-records(5).";

/// Turn WordPress items into complete records: text, links, images, embeds, dates, languages
#[derive(Parser)]
#[command(name = "wp-parse", version, after_help = EXAMPLES)]
struct Flags {
    /// Files to read, one after the other; none or - is stdin; .gz and .zst are decompressed
    files: Vec<String>,
    /// Whose rules every text of a record follows: what a browser shows, or those of wpextract 1.1.1
    #[arg(long, value_name = "RULES", value_enum, default_value = "rendered")]
    text: Rules,
    /// Keep figure captions in content texts
    #[arg(long)]
    keep_captions: bool,
    /// Keep data tables in content texts: a row a line, cells parted by TAB
    #[arg(long)]
    keep_tables: bool,
    /// Remove the tags of leftover shortcodes ([vc_row ...]) from texts, not what stands between them
    #[arg(long)]
    strip_shortcodes: bool,
    /// Copy API fields into the key extra: scalars as they are, anything else as a JSON string
    #[arg(long, value_name = "FIELD[,FIELD...]", value_delimiter = ',')]
    keep: Vec<String>,
    /// Leave the item as the API gave it in the key api
    #[arg(long)]
    keep_api: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rules {
    Rendered,
    Wpextract,
}

fn main() -> ExitCode {
    let flags: Flags = cli::parse(|flags: &Flags| &flags.common);
    let options = Options {
        text: match flags.text {
            Rules::Rendered => TextRules::Rendered,
            Rules::Wpextract => TextRules::Wpextract,
        },
        keep_captions: flags.keep_captions,
        keep_tables: flags.keep_tables,
        strip_shortcodes: flags.strip_shortcodes,
        keep: flags.keep,
        keep_api: flags.keep_api,
        jobs: flags.common.jobs(),
    };
    cli::run_filter("wp-parse", &flags.common, &flags.files, |input, output, report| {
        parse::run(&options, input, output, report)
    })
}
