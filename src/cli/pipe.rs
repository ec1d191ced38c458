//! wpipe: one command that starts the five programs as the pipe that a person would type. It defines hardly any options: each
//! option goes to the programs that have it.

use super::flags::{exit, with_help};
use super::position::Position;
use super::stop;
use crate::dump::is_fetched;
use crate::report::{Error, in_shell, shown_path};
use crate::scrape::folders;
use crate::tree::stays_below;
use clap::builder::ArgAction;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use signal_hook::iterator::Signals;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal, PipeWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

const EXAMPLES: &str = "\
Examples:
  wpipe dump/ --scrape site/ -d dataset/
  wpipe raw/ -d dataset/ --format csv --stats logs/ --rejects logs/
  wpipe -n dump/ --scrape site/ -d dataset/

Every option goes to the programs that have it; their man pages describe them. The programs exchange end records, so that \
there is no dataset if one of them fails or is killed.";

/// Options that are set here, that mean something else here than in a program, or that cannot be passed on.
const OWN: [&str; 6] = ["stats", "rejects", "end", "expect_end", "files", "explain"];

/// The option of wp-translations that says where the pages are.
const ROOT: &str = "scrape_root";

/// Above the options of each program, in the order of the pipe, and of those that only some share.
const HEADINGS: [&str; 5] = [
    "Options of wp-index",
    "Options of wp-parse",
    "Options of wp-translations",
    "Options of wp-resolve",
    "Options of wp-export",
];
const SHARED: &str = "Options of several programs";
/// What `-h` shows of them.
const FIRST: [&str; 6] = ["dumps", "scrapes", "no_dump", "site", "directory", "format"];

/// Runs the five programs with these command lines, in the order of the pipe. The status is the highest of theirs; of one that a
/// signal has ended, 128 and the signal, as in a shell.
pub fn run(programs: &[Command]) -> ExitCode {
    let matches = with_help(command_line(programs)).try_get_matches().unwrap_or_else(|error| exit(error));
    let fetched = Fetched::named(&matches);
    let stages: Vec<Stage> =
        (0..programs.len()).map(|at| Stage::of(programs, at, &matches, fetched.as_ref())).collect();
    if matches.get_flag("dry_run") {
        let _ = writeln!(io::stdout(), "{}", script(&stages));
        return ExitCode::SUCCESS;
    }
    if !has_input(&matches) && nobody_writes_stdin() {
        let remedy = "name the dump, as in wpipe DUMP -d DATASET, or --no-dump and --scrape; --help has more";
        super::say(&format!("wpipe: {remedy}"));
        return ExitCode::from(2);
    }
    if let Some((folder, read)) = written_into_input(&matches, fetched.as_ref()) {
        let [folder, read] = [shown_path(&folder), shown_path(&read)];
        let remedy = "the next run would read what this one writes; name a folder beside it";
        super::say(&format!("wpipe: {folder} is in {read}, which is read: {remedy}"));
        return ExitCode::from(2);
    }
    let mut folders = ["stats", "rejects"].into_iter().filter_map(|id| matches.get_one::<PathBuf>(id));
    let running = Arc::new(Mutex::new(Vec::new()));
    let started = folders.try_for_each(|folder| make(folder)).and_then(|()| start(&stages, &running));
    match started {
        Ok((mut children, last)) => {
            let dataset = matches.get_one::<PathBuf>("directory");
            let (has_failed, is_held_back) =
                hold_back(&children, last, dataset.is_some() && !matches.get_flag("strict"));
            let status = wait(&stages, &mut children, &running, is_held_back);
            if let Some(what) = dataset.filter(|_| has_failed).and_then(|dataset| fate(dataset, status)) {
                super::say(&format!("wpipe: {what}"));
            }
            ExitCode::from(status)
        }
        Err(error) => {
            super::say(&format!("wpipe: {error}"));
            ExitCode::from(2)
        }
    }
}

/// What a run that does not end with 0 leaves of a dataset. Where there was none and a program has failed, its message tells enough.
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

/// Whether the command line names what to read. A pipe may be read without that; a person who types JSON does not start wpipe.
fn has_input(matches: &ArgMatches) -> bool {
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    ["dumps", "no_dump"].into_iter().any(is_given)
}

/// A folder that is written and the one that is read around it.
fn written_into_input(matches: &ArgMatches, fetched: Option<&Fetched>) -> Option<(PathBuf, PathBuf)> {
    let given = matches.get_many::<PathBuf>("dumps").into_iter().flatten().cloned();
    let dumps: Vec<PathBuf> = fetched.map_or_else(|| given.collect(), |fetched| vec![fetched.dump.clone()]);
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

/// Whether a program gets this option from here.
fn is_passed(programs: &[Command], at: usize, arg: &Arg) -> bool {
    let id = arg.get_id().as_str();
    // wp-index writes the log of pages while wp-resolve would read it
    !OWN.contains(&id) && (id != "output" || at + 1 == programs.len()) && (id != "page_log" || at == 0)
}

/// The options of all programs, and those of wpipe itself.
pub fn command_line(programs: &[Command]) -> Command {
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
        // Not even a program that is killed without a word is overlooked.
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
        if let Some(Fetched { dump, scrape }) = fetched.filter(|_| at == 0) {
            inputs = vec![dump.into()];
            arguments.extend(scrape.iter().flat_map(|scrape| ["--scrape".into(), scrape.into()]));
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

    /// The program beside this one, else that on the PATH.
    fn program(&self) -> PathBuf {
        let here = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&self.name)));
        here.filter(|program| program.is_file()).unwrap_or_else(|| PathBuf::from(&self.name))
    }
}

/// The parts of a folder that wp-fetch has made, where that is named in place of the dump.
struct Fetched {
    dump: PathBuf,
    /// Its pages, unless others are named: the files, else the archive.
    scrape: Option<String>,
}

impl Fetched {
    fn named(matches: &ArgMatches) -> Option<Self> {
        let mut dumps = matches.get_many::<PathBuf>("dumps")?;
        let folder = dumps.next().filter(|folder| dumps.next().is_none() && is_fetched(folder))?;
        let pages = ["scrape", "fetch.warc.gz"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
        let scrape =
            pages.filter(|_| !matches.contains_id("scrapes")).and_then(|path| path.to_str().map(str::to_owned));
        Some(Fetched { dump: folder.join("dump"), scrape })
    }
}

/// The scrapes, where wp-translations opens one of them only by its own option, because a record may not name such a place.
fn named_roots(matches: &ArgMatches, fetched: Option<&Fetched>) -> Vec<String> {
    let named = matches.get_many::<String>("scrapes").into_iter().flatten();
    let scrapes: Vec<String> = named.chain(fetched.and_then(|fetched| fetched.scrape.as_ref())).cloned().collect();
    let mut seen = HashSet::new();
    let roots: Vec<String> = folders(&scrapes).into_iter().filter(|root| seen.insert(root.clone())).collect();
    let are_needed = matches.value_source(ROOT).is_none() && !roots.iter().all(|root| stays_below(root));
    if are_needed { roots } else { Vec::new() }
}

/// An option as the user gave it, as often as he did.
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

/// The pipe as a shell reads it.
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

/// Starts the programs, each reading what the one before it writes; `running` gets their numbers. The last one's input does not end
/// before the writer that is returned is dropped.
fn start(stages: &[Stage], running: &Arc<Mutex<Vec<Pid>>>) -> Result<(Vec<Child>, PipeWriter), Error> {
    pass_signals_on(Arc::clone(running));
    // A signal waits until all are there.
    let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
    let mut children: Vec<Child> = Vec::new();
    let (reader, last) = io::pipe().map_err(|e| Error::io("pipe", e))?;
    let mut reader = Some(reader);
    for (at, stage) in stages.iter().enumerate() {
        let before = children.last_mut().and_then(|before| before.stdout.take()).map(Stdio::from);
        let (input, output) = match stages.len() - at {
            1 => (reader.take().map(Stdio::from), Stdio::inherit()),
            2 => (before, last.try_clone().map_err(|e| Error::io("pipe", e))?.into()),
            _ => (before, Stdio::piped()),
        };
        let program = stage.program();
        let mut command = std::process::Command::new(&program);
        let (name, value) = Position::of(at, stages.len()).variable();
        command.env(name, value).args(&stage.arguments);
        let child = command.stdin(input.unwrap_or_else(Stdio::inherit)).stdout(output).spawn();
        match child {
            Ok(child) => {
                running.push(Pid::from_child(&child));
                children.push(child);
            }
            Err(error) => {
                // Without the rest they would write to nobody.
                for child in &mut children {
                    let _ = child.kill().and_then(|()| child.wait());
                }
                return Err(Error::at(&program, error));
            }
        }
    }
    Ok((children, last))
}

/// Passes signals that would end this process on to the programs that are running: each ends in its way, and this one after
/// them. Those that the caller ignores (nohup) stay ignored. Without the thread the programs go on to their ends.
fn pass_signals_on(running: Arc<Mutex<Vec<Pid>>>) {
    let ignored = stop::ignored_signals();
    let wanted = stop::ENDING.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let pass_on = move || {
        for signal in signals.forever() {
            let signal = Signal::from_named_raw(signal).unwrap_or(Signal::TERM);
            for &child in &*running.lock().unwrap_or_else(PoisonError::into_inner) {
                let _ = kill_process(child, signal);
            }
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(pass_on);
}

/// Waits until a program has ended, and says with which status; none if by a signal. Its number stays its own.
fn ended(child: &Child) -> Option<i32> {
    let child = WaitId::Pid(Pid::from_child(child));
    let ended = rustix::io::retry_on_intr(|| waitid(child.clone(), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
    ended.ok().flatten().and_then(|ended| ended.exit_status())
}

/// Only a run that ends with 0 replaces a dataset. That a program before it has failed, wp-export learns from its input, but not that
/// there were rejects: then its input is broken off here, after all records. Whether a program before it has failed or had rejects, and
/// whether that was done.
fn hold_back(children: &[Child], mut last: PipeWriter, writes_dataset: bool) -> (bool, bool) {
    let Some((_, before)) = children.split_last() else { return (false, false) };
    let highest = before.iter().map(|child| ended(child).unwrap_or(2)).max().unwrap_or(0);
    let is_held_back = highest == 1 && writes_dataset && last.write_all(stop::broken_off("wpipe").as_bytes()).is_ok();
    (highest > 0, is_held_back)
}

/// Waits for all programs and returns the highest status, without that of wp-export if it was held back.
fn wait(stages: &[Stage], children: &mut [Child], running: &Mutex<Vec<Pid>>, is_held_back: bool) -> u8 {
    // A number is free for another process as soon as its end has been taken note of: so of none before all have ended.
    for child in &*children {
        ended(child);
    }
    running.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let mut highest = 0;
    for (at, (stage, child)) in stages.iter().zip(children).enumerate() {
        let status = child.wait().ok().and_then(|status| {
            if is_held_back && at + 1 == stages.len() && status.code() == Some(2) {
                return Some(0);
            }
            let signal = status.signal();
            if let Some(signal) = signal {
                super::say(&format!("wpipe: {}: ended by signal {signal}", stage.name));
            }
            status.code().or(signal.map(|signal| 128 + signal))
        });
        highest = highest.max(status.and_then(|status| u8::try_from(status).ok()).unwrap_or(2));
    }
    highest
}
