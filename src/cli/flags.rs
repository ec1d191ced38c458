//! Declares the flags that several programs share, and explains errors in command lines. Other modules carry out the flags.

use super::stop;
use crate::html;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Parser};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The flags of all five programs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Common {
    /// Write to FILE, whole or not at all; .gz and .zst compress
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Write rejected lines and elements to FILE
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<PathBuf>,
    /// Rejects that leave the exit status 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub max_rejects: u64,
    /// Reject longer lines and elements
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = record_size)]
    pub max_record: usize,
    /// Stop at the first reject, with status 1
    #[arg(long)]
    pub strict: bool,
    /// Write all counts to FILE as one JSON object
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,
    /// Print only the error that ends the run
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print every defect and reject, and skipped files
    #[arg(short, long)]
    pub verbose: bool,
}

impl Common {
    /// The file of `-o`; `None` for stdout, which can also be written `-`.
    pub fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Number of threads.
    pub fn jobs(&self) -> usize {
        // determining the number reads eight files or more: do it once for all stages
        static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        self.jobs.map_or_else(|| *CORES, usize::from)
    }
}

/// Parses a number of bytes with a unit. A number that does not fit into `usize`, as on a 32-bit system, is reduced to the largest that
/// does.
fn record_size(text: &str) -> Result<usize, String> {
    let is_enough = |size: &u64| (1 << 20..1 << 40).contains(size);
    let size = size(text).ok().filter(is_enough).map(|size| usize::try_from(size).unwrap_or(isize::MAX.unsigned_abs()));
    size.ok_or("a number of bytes of at least 1M, such as 500M or 2G".into())
}

/// Parses a number of bytes: `500M`; K, M and G are powers of 1024.
///
/// # Errors
/// If it is not a number of bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.find(['K', 'M', 'G']) {
        Some(at) if at + 1 == text.len() => (&text[..at], 1 << (10 * (1 + "KMG".find(&text[at..]).unwrap_or(0)))),
        _ => (text, 1),
    };
    let size = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    size.ok_or("a number of bytes, such as 500M or 2G".into())
}

/// Accepts the name of a folder that records will contain.
///
/// # Errors
/// If the name cannot be written in JSON.
pub fn name_in_records(name: OsString) -> Result<String, String> {
    name.into_string()
        .map_err(|_| "its name is not UTF-8, so records cannot lead there; link to it by another name".into())
}

/// The flag of all programs that produce text.
#[derive(Clone, Debug, clap::Args)]
pub struct Texts {
    /// Make texts by other rules: those of wpextract 1.1.1; with the captions of images and embeds; without data tables; without leftover
    /// shortcodes ([vc_row ...]); with an empty line between blocks
    #[arg(long, value_name = "RULE[,RULE...]", value_delimiter = ',', value_parser = html::Options::RULES.map(|(rule, _)| rule))]
    text: Vec<String>,
}

impl Texts {
    /// The options that `--text` selects.
    pub fn options(&self) -> html::Options {
        let mut options = html::Options::default();
        html::Options::RULES
            .iter()
            .for_each(|(rule, of)| *of(&mut options) = self.text.iter().any(|given| given == rule));
        options
    }
}

/// The flags of a program that wpipe passes options to.
pub fn passed<C: FromArgMatches>(matches: &ArgMatches) -> C {
    C::from_arg_matches(matches).unwrap_or_else(|error| exit(error))
}

/// Parses the command line of a program that writes records. `--help`, `--version` and wrong usage (status 2) end the process here. Wrong
/// usage also breaks off the records on stdout: the next stage must not take them for an empty site.
pub fn parse<C: Parser>() -> C {
    try_parse().unwrap_or_else(|error| {
        if error.use_stderr() {
            stop::break_off(C::command().get_name());
        }
        exit(error)
    })
}

/// As [`parse`], for a program that writes no records.
pub fn parse_without_records<C: Parser>() -> C {
    try_parse().unwrap_or_else(|error| exit(error))
}

fn try_parse<C: Parser>() -> Result<C, clap::Error> {
    C::from_arg_matches(&with_help(C::command()).try_get_matches()?)
}

/// Formats help as a list, one option after the other: `-h` shows as much as fits on a screen, `--help` shows everything.
pub(super) fn with_help(command: Command) -> Command {
    let hides = command.get_arguments().any(Arg::is_hide_short_help_set);
    let says = if hides { "Print help; --help has all options" } else { "Print help" };
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort).help(says);
    let command = command.disable_help_flag(true).arg(help);
    if !std::env::args_os().any(|arg| arg == "--help") {
        return command;
    }
    let command = command.mut_args(|arg| arg.hide_short_help(false));
    match command.get_after_long_help().cloned() {
        Some(all) => command.after_help(all),
        None => command,
    }
}

/// Prints help or the error of a command line, and ends the process.
pub(super) fn exit(mut error: clap::Error) -> ! {
    // clap's advice to pass an unknown option as a file (`-- --site`) is misleading.
    error.remove(ContextKind::Suggested);
    // Pages were given as the dump.
    let names_pages = |arg: &ContextValue| arg.to_string().contains("--no-dump");
    if error.kind() == ErrorKind::ArgumentConflict && error.get(ContextKind::InvalidArg).is_some_and(names_pages) {
        let tip = "without a dump, --scrape names the pages";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error.exit()
}
