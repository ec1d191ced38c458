//! Runs wpipe: one command for the five filters, as the pipe that a user would type, in one process. It has hardly any options of its own:
//! each option is passed to the filters that have it.

use super::before::Before;
use super::flags::{exit, with_help};
use super::format::Formats;
use super::inputs::mirror;
use super::seat::{Ended, Seat};
use super::stop;
use crate::dump::is_fetched;
use crate::export::Format;
use crate::pipe;
use crate::report::{Error, in_shell, shown_path};
use crate::scrape::folders;
use crate::tree::stays_below;
use clap::builder::ArgAction;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  wpipe dump/ --scrape site/ -d dataset/
  wpipe raw/ -d dataset/ --format csv --stats logs/ --rejects logs/
  wpipe -n dump/ --scrape site/ -d dataset/

Every option goes to the programs that have it; their man pages describe them. The programs exchange end records, so that \
there is no dataset if one of them fails or is killed.";

/// Options that wpipe sets itself, that have another meaning in wpipe than in a filter, or that cannot be passed on.
const OWN: [&str; 7] = ["stats", "rejects", "end", "expect_end", "files", "explain", ROOT];

/// The option of wp-translations that names the directories of the pages.
const ROOT: &str = "scrape_root";

/// Headings of the help, above the options of each program, in the order of the pipe, and above those that several programs share.
const HEADINGS: [&str; 5] = [
    "Options of wp-index",
    "Options of wp-parse",
    "Options of wp-translations",
    "Options of wp-resolve",
    "Options of wp-export",
];
const SHARED: &str = "Options of several programs";
/// The options that `-h` shows.
const FIRST: [&str; 6] = ["dumps", "scrapes", "no_dump", "site", "directory", "format"];

/// A program of the pipe.
pub struct Program {
    /// The command line that it accepts.
    pub command: Command,
    /// Prepares the program to run with a parsed command line.
    pub called: fn(&ArgMatches) -> Called,
}

/// A program that is ready to run.
pub type Called = Box<dyn FnOnce(Seat) -> Ended + Send>;

/// Runs the five programs as threads of this process, in the order of the pipe, with the command line `arguments`. Returns the highest
/// status.
pub fn run(programs: Vec<Program>, formats: &'static [Format], arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let (commands, called): (Vec<Command>, Vec<_>) = programs.into_iter().map(|p| (p.command, p.called)).unzip();
    let command_line = with_help(command_line(&commands, formats));
    let matches = command_line.try_get_matches_from(arguments).unwrap_or_else(|error| exit(error));
    let fetched = Fetched::named(&matches);
    let stages: Vec<Stage> =
        (0..commands.len()).map(|at| Stage::of(&commands, at, &matches, fetched.as_ref())).collect();
    if matches.get_flag("dry_run") {
        let _ = writeln!(io::stdout(), "{}", script(&stages));
        return 0;
    }
    if !has_input(&matches) && nobody_writes_stdin() {
        return fail("name the dump, as in wpipe DUMP -d DATASET, or --no-dump and --scrape; --help has more");
    }
    if let Some(output) = written_over_input(&matches) {
        return fail(&format!("-o {}: this file is read; name another one", shown_path(output)));
    }
    if let Some((folder, read)) = written_into_input(&matches, fetched.as_ref()) {
        let [folder, read] = [shown_path(&folder), shown_path(&read)];
        let remedy = "the next run would read what this one writes; name a folder beside it";
        return fail(&format!("{folder} is in {read}, which is read: {remedy}"));
    }
    let called = commands.into_iter().zip(stages).zip(called).map(|((command, stage), called)| {
        let arguments = std::iter::once(stage.name.into()).chain(stage.arguments);
        called(&command.try_get_matches_from(arguments).unwrap_or_else(|error| exit(error)))
    });
    let called: Vec<Called> = called.collect();
    let mut folders = ["stats", "rejects"].into_iter().filter_map(|id| matches.get_one::<PathBuf>(id));
    if let Err(error) = folders.try_for_each(|folder| make(folder)) {
        return fail(&error.to_string());
    }
    stop::clean_up_on_signals();
    let dataset = matches.get_one("directory").map(PathBuf::as_path);
    let run = || run_joined(called, dataset, matches.get_flag("strict"));
    let fetches: Vec<&PathBuf> =
        matches.get_many::<PathBuf>("dumps").into_iter().flatten().filter(|of| is_fetched(of)).collect();
    match dataset.filter(|_| !fetches.is_empty()) {
        Some(dataset) => keeping_before(dataset, &fetches, matches.get_flag("quiet"), run),
        None => run(),
    }
}

/// Runs a pipe that replaces a dataset made of fetches, and keeps the older dataset for wp-diff. The status is that of the pipe, even if
/// the older one cannot be kept.
fn keeping_before(dataset: &Path, fetches: &[&PathBuf], is_quiet: bool, run: impl FnOnce() -> u8) -> u8 {
    let say = |what: &str| {
        if !is_quiet {
            super::say(&format!("wpipe: {what}"))
        }
    };
    let before = Before::of(dataset);
    let status = run();
    match before.and_then(|before| before.filter(|_| status == 0).map(Before::keep).transpose()) {
        Ok(None | Some(None)) => {}
        Ok(Some(Some(place))) => {
            let accounts = fetches.iter().map(|fetch| fetch.join("fetch.json")).filter(|account| account.is_file());
            let with = accounts.map(|account| format!(" --with {}", shown_path(&account)));
            let ([place, dataset], with) = ([shown_path(&place), shown_path(dataset)], with.collect::<String>());
            say(&format!("{place} has the records of before: wp-diff {place} {dataset}{with}"));
        }
        Err(error) => say(&format!("the records of before cannot be kept: {error}")),
    }
    status
}

fn fail(what: &str) -> u8 {
    super::say(&format!("wpipe: {what}"));
    2
}

/// Runs the programs and returns the highest status. A dataset is replaced only if that is 0. wp-export learns from its input that an
/// earlier program has failed, but not that there were rejects: in that case its input is broken off after the last record, and its own
/// status is ignored.
fn run_joined(programs: Vec<Called>, dataset: Option<&Path>, is_strict: bool) -> u8 {
    let stage = |called: Called| -> pipe::Stage<'_, Ended> {
        Box::new(|input, output| {
            let ended = called(Seat::between(input, output));
            (ended, ended.is_whole)
        })
    };
    let status = |ended: &Result<Ended, Error>| ended.as_ref().map_or(2, |ended| ended.status);
    let highest = |ended: &[Result<Ended, Error>]| ended.iter().map(status).max().unwrap_or(0);
    let goes_on = |before: &[Result<Ended, Error>]| highest(before) != 1 || dataset.is_none() || is_strict;
    let stages = programs.into_iter().map(stage);
    let mut ended = pipe::join(pipe::PROGRAMS.into_iter().zip(stages).collect(), goes_on);
    for error in ended.iter().filter_map(|ended| ended.as_ref().err()) {
        super::say(&format!("wpipe: {error}"));
    }
    let last = ended.pop().expect("there are five");
    let is_held_back = !goes_on(&ended) && last.as_ref().is_ok_and(|last| last.is_cut);
    let before = highest(&ended);
    let highest = before.max(if is_held_back { 0 } else { status(&last) });
    if let Some(what) = dataset.filter(|_| before > 0).and_then(|dataset| fate(dataset, highest)) {
        super::say(&format!("wpipe: {what}"));
    }
    highest
}

/// The message on what happened to the dataset in a run that did not end with 0. It is omitted if there was no dataset and a program has
/// reported its failure.
fn fate(dataset: &Path, status: u8) -> Option<String> {
    let name = shown_path(dataset);
    match dataset.join("manifest.json").exists() {
        true => Some(format!("{name} is left as it was")),
        false => (status == 1).then(|| format!("{name} is not written")),
    }
}

/// Whether stdin is a terminal, or /dev/null, as in cron.
fn nobody_writes_stdin() -> bool {
    let stdin = io::stdin().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    io::stdin().is_terminal() || stdin.is_ok_and(|stdin| stdin.file_type().is_char_device())
}

/// Whether the command line names an input. Only a pipe on stdin is read without that: users do not type JSON into wpipe.
fn has_input(matches: &ArgMatches) -> bool {
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    ["dumps", "no_dump"].into_iter().any(is_given)
}

/// The output, if it is the file of a dump.
fn written_over_input(matches: &ArgMatches) -> Option<&PathBuf> {
    let output = matches.get_one::<PathBuf>("output")?;
    let place = output.canonicalize().ok().filter(|place| place.is_file())?;
    let mut dumps = matches.get_many::<PathBuf>("dumps").into_iter().flatten();
    dumps.any(|dump| dump.canonicalize().is_ok_and(|dump| dump == place)).then_some(output)
}

/// An output that lies inside one of the input folders, with that folder.
fn written_into_input(matches: &ArgMatches, fetched: Option<&Fetched>) -> Option<(PathBuf, PathBuf)> {
    let given = matches.get_many::<PathBuf>("dumps").into_iter().flatten().cloned();
    let dumps: Vec<PathBuf> = fetched.map_or_else(|| given.collect(), |fetched| fetched.dumps.clone());
    let read = dumps.into_iter().chain(matches.get_many::<String>("scrapes").into_iter().flatten().map(PathBuf::from));
    let read: Vec<(PathBuf, PathBuf)> = read.filter_map(|path| Some((path.canonicalize().ok()?, path))).collect();
    ["directory", "stats", "rejects"].into_iter().filter_map(|id| matches.get_one::<PathBuf>(id)).find_map(|folder| {
        let there = |path: &Path| if path.as_os_str().is_empty() { Path::new(".") } else { path }.canonicalize().ok();
        let place = folder.ancestors().find_map(there)?;
        let (_, around) = read.iter().find(|(read, _)| read.is_dir() && place.starts_with(read))?;
        Some((folder.clone(), around.clone()))
    })
}

fn make(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|e| Error::at(folder, e))
}

/// Whether wpipe passes this option to the program at this place.
fn is_passed(programs: &[Command], at: usize, arg: &Arg) -> bool {
    let id = arg.get_id().as_str();
    // wp-index writes the log of pages while wp-resolve would read it
    !OWN.contains(&id) && (id != "output" || at + 1 == programs.len()) && (id != "page_log" || at == 0)
}

/// The command line of wpipe: the options of all programs, and its own.
pub fn command_line(programs: &[Command], formats: &'static [Format]) -> Command {
    let folder = |id, help| {
        Arg::new(id)
            .long(id)
            .value_name("DIR")
            .value_hint(ValueHint::DirPath)
            .value_parser(value_parser!(PathBuf))
            .help(help)
    };
    let mut all = Command::new("wpipe")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Turn a dump, and a scrape of the same site, into a dataset")
        .after_help(EXAMPLES)
        .max_term_width(100)
        .arg(
            Arg::new("dry_run")
                .short('n')
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Print the pipe, as a shell reads it, and do not run it"),
        )
        .arg(folder("stats", "Write the counts of each program to DIR: index.json and so on"))
        .arg(folder("rejects", "Write the rejects of each program to DIR: index.rejects and so on"));
    for (at, program) in programs.iter().enumerate() {
        for arg in program.get_arguments().filter(|arg| is_passed(programs, at, arg)) {
            let has = |command: &Command| command.get_arguments().any(|other| other.get_id() == arg.get_id());
            if has(&all) {
                continue;
            }
            let id = arg.get_id().as_str();
            let hidden = !FIRST.contains(&id);
            let arg = &if id == "format" {
                arg.clone().value_parser(Formats { formats, aligned: false })
            } else {
                arg.clone()
            };
            all = all.arg(match programs.iter().filter(|program| has(program)).count() {
                _ if arg.is_positional() => arg.clone(),
                1 => arg.clone().help_heading(HEADINGS[at]).hide_short_help(hidden),
                n if n == programs.len() => arg.clone(),
                _ => arg.clone().help_heading(SHARED).hide_short_help(hidden),
            });
        }
    }
    all
}

struct Stage {
    name: String,
    arguments: Vec<OsString>,
}

impl Stage {
    fn of(programs: &[Command], at: usize, matches: &ArgMatches, fetched: Option<&Fetched>) -> Self {
        let name = programs[at].get_name().to_owned();
        let mut arguments: Vec<OsString> = Vec::new();
        // This also detects a program that was killed without a message.
        match at {
            0 => arguments.push("--end".into()),
            _ if at + 1 == programs.len() => arguments.push("--expect-end".into()),
            _ => {}
        }
        for (id, ending) in [("stats", "json"), ("rejects", "rejects")] {
            if let Some(folder) = matches.get_one::<PathBuf>(id) {
                let file = format!("{}.{ending}", name.trim_start_matches("wp-"));
                arguments.extend([format!("--{id}").into(), folder.join(file).into()]);
            }
        }
        let mut inputs = Vec::new();
        for arg in programs[at].get_arguments().filter(|arg| is_passed(programs, at, arg)) {
            let id = arg.get_id().as_str();
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            if arg.is_positional() {
                inputs.extend(matches.get_raw(id).into_iter().flatten().map(OsStr::to_owned));
            } else {
                option(arg, matches, &mut arguments);
            }
        }
        if let Some(Fetched { dumps, scrapes }) = fetched.filter(|_| at == 0) {
            inputs = dumps.iter().map(|dump| dump.into()).collect();
            arguments.extend(dumps.is_empty().then(|| "--no-dump".into()));
            arguments.extend(scrapes.iter().flat_map(|scrape| ["--scrape".into(), scrape.into()]));
        }
        let has_root = || programs[at].get_arguments().any(|arg| arg.get_id() == ROOT);
        for root in named_roots(matches, fetched).into_iter().filter(|_| has_root()) {
            arguments.extend([format!("--{}", ROOT.replace('_', "-")).into(), root.into()]);
        }
        if inputs.iter().any(|input| input != "-" && input.as_encoded_bytes().starts_with(b"-")) {
            arguments.push("--".into());
        }
        arguments.extend(inputs);
        Stage { name, arguments }
    }
}

/// The inputs if folders made by wp-fetch, or a mirror, were named as dumps.
struct Fetched {
    /// Their dumps, without empty ones.
    dumps: Vec<PathBuf>,
    /// Their pages, unless the user has named scrapes: the files, or else the archive.
    scrapes: Vec<String>,
}

impl Fetched {
    fn named(matches: &ArgMatches) -> Option<Self> {
        let dumps: Vec<PathBuf> = matches.get_many("dumps")?.cloned().collect();
        let is_asked = !matches.contains_id("scrapes") && !matches.get_flag("no_dump");
        if let Some(folder) = is_asked.then(|| mirror(&dumps)).flatten() {
            return Some(Fetched { dumps, scrapes: vec![folder] });
        }
        let named: Vec<&PathBuf> = dumps.iter().collect();
        let folders: Vec<&PathBuf> = named.iter().copied().filter(|folder| is_fetched(folder)).collect();
        // If the API of a site is closed, the fetch has only feeds and pages, and the feeds are in the archive.
        let is_empty = |dump: &PathBuf| dump.read_dir().is_ok_and(|mut files| files.next().is_none());
        let pages = |folder: &&PathBuf| {
            let mut places = ["scrape", "fetch.warc.gz"].map(|name| folder.join(name));
            if is_empty(&folder.join("dump")) {
                places.reverse();
            }
            places.into_iter().find(|path| path.exists())?.to_str().map(str::to_owned)
        };
        let scrapes = folders.iter().filter(|_| !matches.contains_id("scrapes")).filter_map(pages).collect();
        let dump = |folder: &PathBuf| if is_fetched(folder) { folder.join("dump") } else { folder.clone() };
        let dumps = named.into_iter().map(dump).filter(|dump| !is_empty(dump)).collect();
        (!folders.is_empty()).then_some(Fetched { dumps, scrapes })
    }
}

/// The scrapes that wp-translations needs as `--scrape-root`, because records may not name such places; empty if records may name all of
/// them.
fn named_roots(matches: &ArgMatches, fetched: Option<&Fetched>) -> Vec<String> {
    let named = matches.get_many::<String>("scrapes").into_iter().flatten();
    let scrapes: Vec<String> = named.chain(fetched.iter().flat_map(|fetched| &fetched.scrapes)).cloned().collect();
    let mut seen = HashSet::new();
    let roots: Vec<String> = folders(&scrapes).into_iter().filter(|root| seen.insert(root.clone())).collect();
    if roots.iter().all(|root| stays_below(root)) { Vec::new() } else { roots }
}

/// Appends an option with its values as the user gave it, once per occurrence.
fn option(arg: &Arg, matches: &ArgMatches, arguments: &mut Vec<OsString>) {
    let long = format!("--{}", arg.get_long().unwrap_or_default());
    let name = arg.get_short().map_or_else(|| long.clone(), |short| format!("-{short}"));
    if !arg.get_action().takes_values() {
        return arguments.push(name.into());
    }
    for values in matches.get_raw_occurrences(arg.get_id().as_str()).into_iter().flatten() {
        let value = values.collect::<Vec<_>>().join(OsStr::new(","));
        if value.as_encoded_bytes().starts_with(b"-") {
            let mut both = OsString::from(long.clone() + "=");
            both.push(value);
            arguments.push(both);
        } else {
            arguments.extend([name.clone().into(), value]);
        }
    }
}

/// The pipe as shell code.
fn script(stages: &[Stage]) -> String {
    let mut script = String::new();
    for (at, stage) in stages.iter().enumerate() {
        script += if at == 0 { "" } else { " |\n  " };
        script += &stage.name;
        for argument in &stage.arguments {
            let _ = write!(script, " {}", in_shell(&argument.to_string_lossy()));
        }
    }
    script
}
