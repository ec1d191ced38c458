//! The command line shared by the five programs: common flags, inputs and outputs, exit codes. The only module that
//! touches stdin, stdout, stderr and the process.

mod inputs;
pub mod pipe;
mod progress;
mod stop;

use crate::html::{self, TextRules};
use crate::ndjson::{Input, Output, widen_if_pipe};
use crate::report::{Error, Report, shown_path};
use crate::whole_file::WholeFile;
use clap::Parser;
pub use inputs::{open_inputs, stdin};
use inputs::{refuse_own_input, spare_files, spare_inputs};
use progress::{AboveBar, draw_progress, draw_status, progress_bar};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// The flags of all five programs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Common {
    /// Write to FILE instead of stdout, all or nothing; compressed if the name ends in .gz or .zst
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of threads; does not affect the output [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Write the raw line or element of each reject to FILE
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<PathBuf>,
    /// Exit with 0 if there are at most N rejects
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub max_rejects: u64,
    /// Reject lines and elements of more than SIZE bytes (K, M, G: powers of 1024)
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = record_size)]
    pub max_record: usize,
    /// Stop at the first reject with exit status 1 and write no output file
    #[arg(long)]
    pub strict: bool,
    /// Write all counts to FILE as one JSON object
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,
    /// Print only the error that ends the run
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print every defect and reject, not just the first ten of each kind, and decisions such as skipped files
    #[arg(short, long)]
    pub verbose: bool,
    /// Whether the program writes a folder instead of stdout: matters for progress.
    #[arg(skip)]
    pub writes_folder: bool,
    /// The folder that a dataset is written to, for the summary of a run.
    #[arg(skip)]
    pub folder: Option<PathBuf>,
    /// What goes to stdout is not a stream of records, so that nothing in it can say that it is broken off
    #[arg(skip)]
    pub no_records: bool,
}

impl Common {
    /// Number of threads.
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// Takes a number of bytes with a unit.
fn record_size(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.find(['K', 'M', 'G']) {
        Some(at) if at + 1 == text.len() => (&text[..at], 1 << (10 * (1 + "KMG".find(&text[at..]).unwrap_or(0)))),
        _ => (text, 1),
    };
    let size = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    size.filter(|size| (1 << 20..1 << 40).contains(size))
        .ok_or("a number of bytes of at least 1M, such as 500M or 2G".into())
}

/// Takes the name of a folder that records will name.
///
/// # Errors
/// When no JSON can hold it.
pub fn name_in_records(name: OsString) -> Result<String, String> {
    name.into_string()
        .map_err(|_| "its name is not UTF-8, so that no record can lead there; link to it by another name".into())
}

/// The flags of the programs that make texts.
#[derive(Clone, Debug, clap::Args)]
pub struct Texts {
    /// Keep the captions of images and embeds in content texts as well
    #[arg(long)]
    keep_captions: bool,
    /// Leave data tables out of content texts
    #[arg(long)]
    without_tables: bool,
    /// Separate blocks in texts by an empty line; br, list items and rows only by a line break
    #[arg(long)]
    paragraphs: bool,
    /// Refused: this has become the default
    #[arg(long, hide = true)]
    keep_tables: bool,
    /// Remove the tags of leftover shortcodes ([vc_row ...]) from texts, but keep what they enclose
    #[arg(long)]
    strip_shortcodes: bool,
}

impl Texts {
    /// How to make texts by the rules `text`; an option that is no more ends the process here (status 2).
    pub fn options(&self, text: TextRules) -> html::Options {
        if self.keep_tables {
            let change = "--keep-tables is gone: data tables are part of the text by default, --without-tables leaves them out\n";
            stop::break_off(env!("CARGO_PKG_NAME"));
            clap::Error::raw(clap::error::ErrorKind::UnknownArgument, change).exit();
        }
        html::Options {
            text,
            keep_captions: self.keep_captions,
            without_tables: self.without_tables,
            paragraphs: self.paragraphs,
            strip_shortcodes: self.strip_shortcodes,
        }
    }
}

/// Parses the command line of a program that writes records; `--help`, `--version` and wrong usage (status 2) end the process
/// here. Wrong usage also ends the records on stdout: the next stage must not see an empty site.
pub fn parse<C: Parser>() -> C {
    C::try_parse().unwrap_or_else(|error| {
        if error.use_stderr() {
            stop::break_off(C::command().get_name());
        }
        exit(error)
    })
}

/// As [`parse`], for a program that writes no records.
pub fn parse_without_records<C: Parser>() -> C {
    C::try_parse().unwrap_or_else(|error| exit(error))
}

/// Prints help or what is wrong with a command line, and ends the process.
fn exit(mut error: clap::Error) -> ! {
    // Its advice to pass an option that is not known as a file (`-- --site`) leads astray.
    error.remove(clap::error::ContextKind::Suggested);
    error.exit()
}

/// Runs a filter that reads `files`; see [`run`].
pub fn run_filter(
    program: &'static str,
    common: &Common,
    files: &[PathBuf],
    stage: impl FnOnce(&mut Input, &mut Output, &mut Report) -> Result<(), Error>,
) -> ExitCode {
    run_filter_beside(program, common, files, &[], stage)
}

/// Like [`run_filter`], for a filter that writes more than its output: `beside` has the flags and their files.
pub fn run_filter_beside(
    program: &'static str,
    common: &Common,
    files: &[PathBuf],
    beside: &[(&str, Option<&Path>)],
    stage: impl FnOnce(&mut Input, &mut Output, &mut Report) -> Result<(), Error>,
) -> ExitCode {
    if let Some(status) = refuse_own_input(program, common, files) {
        return status;
    }
    let mut size = None;
    let spared = spare_files(common, files, beside);
    let mut input = open_inputs(files).inspect(|input| size = input.size());
    input.iter_mut().for_each(|input| input.limit_records(common.max_record));
    run_sized(program, common, spared, size, |output, report| stage(&mut input?, output, report), |_, _| Ok(()))
}

/// Like [`run_filter`], for a filter that may write a folder: what `stage` has prepared, `last` puts in place. It is called
/// when all other files are in place, with whether the run is good: if so, the status is 0 if `last` succeeds.
pub fn run_filter_to_folder(
    program: &'static str,
    common: &Common,
    files: &[PathBuf],
    folder: Option<&Path>,
    stage: impl FnOnce(&mut Input, &mut Output, &mut Report) -> Result<(), Error>,
    last: impl FnOnce(&mut Report, bool) -> Result<(), Error>,
) -> ExitCode {
    if let Some(status) = refuse_own_input(program, common, files) {
        return status;
    }
    let mut size = None;
    let spared = spare_files(common, files, &[]).and_then(|()| folder.map_or(Ok(()), |f| spare_inputs(files, f)));
    let mut input = open_inputs(files).inspect(|input| size = input.size());
    input.iter_mut().for_each(|input| input.limit_records(common.max_record));
    run_sized(program, common, spared, size, |output, report| stage(&mut input?, output, report), last)
}

/// Runs a program: opens its output and report, calls `stage`, puts files in place, and turns the result into the exit
/// status: 0 success; 1 more than `--max-rejects` rejects, or nothing found; 2 error. If the reader of the output exits early, that is 0.
pub fn run(
    program: &'static str,
    common: &Common,
    files: &[PathBuf],
    stage: impl FnOnce(&mut Output, &mut Report) -> Result<(), Error>,
) -> ExitCode {
    if let Some(status) = refuse_own_input(program, common, files) {
        return status;
    }
    run_sized(program, common, spare_files(common, files, &[]), None, stage, |_, _| Ok(()))
}

fn run_sized(
    program: &'static str,
    common: &Common,
    spared: Result<(), Error>,
    size: Option<u64>,
    stage: impl FnOnce(&mut Output, &mut Report) -> Result<(), Error>,
    last: impl FnOnce(&mut Report, bool) -> Result<(), Error>,
) -> ExitCode {
    let bar = progress_bar(common, size);
    let log: Box<dyn Write + Send> = match &bar {
        _ if common.quiet => Box::new(io::sink()),
        Some(bar) => Box::new(AboveBar(bar.clone())),
        None => Box::new(io::stderr()),
    };
    let mut report = Report::new(program, log);
    report.verbose(common.verbose);
    report.strict(common.strict);
    if let Some(bar) = &bar {
        report.on_progress(draw_progress(program, bar.clone(), size));
        report.on_status(draw_status(bar.clone()));
    }
    let writes_records = common.output.is_none() && !common.writes_folder && !common.no_records;
    stop::clean_up_on_signals(program, writes_records);
    let outcome = spared.and_then(|()| run_with_files(common, &mut report, stage, last));
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if outcome.is_ok() && !report.found_nothing() && !common.quiet && io::stderr().is_terminal() {
        summarise(program, common, &report);
    }
    match outcome {
        Ok(()) if report.found_nothing() || report.rejected() > common.max_rejects => ExitCode::from(1),
        Ok(()) | Err(Error::BrokenPipe) => ExitCode::SUCCESS,
        Err(error) => {
            if writes_records {
                stop::break_off(program);
            }
            // Fatal errors are printed even with -q.
            let _ = writeln!(io::stderr(), "{program}: {error}");
            ExitCode::from(if matches!(error, Error::Strict) { 1 } else { 2 })
        }
    }
}

/// Tells a person what has become of a run, in one line.
fn summarise(program: &str, common: &Common, report: &Report) {
    let counted = |n: u64, what: &str| if n == 0 { String::new() } else { format!(", {n} {what}{}", plural(n)) };
    let records = report.counted("records_out");
    if records == 0 {
        return;
    }
    let mut line = format!("{program}: {records} record{}", plural(records));
    line += &counted(report.rejected(), "reject");
    line += &counted(report.all_defects(), "defect");
    let place = common.folder.as_ref().or(common.output.as_ref()).map(|place| shown_path(place));
    match place {
        Some(place) if report.rejected() <= common.max_rejects || common.folder.is_none() => {
            line += &format!("{} \u{2192} {}", counted(report.files(), "file"), place);
        }
        _ => {}
    }
    // The bar of the last program may be in this line.
    let _ = writeln!(io::stderr(), "\r\x1b[K{line}");
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// The output is put in place last, when nothing else can fail; a folder only if the status will be 0. Rejects are kept
/// however the run ends, because they explain why.
fn run_with_files(
    common: &Common,
    report: &mut Report,
    stage: impl FnOnce(&mut Output, &mut Report) -> Result<(), Error>,
    last: impl FnOnce(&mut Report, bool) -> Result<(), Error>,
) -> Result<(), Error> {
    let stats = common.stats.as_deref().map(WholeFile::create).transpose()?;
    let rejects = common.rejects.as_deref().map(Shared::create).transpose()?;
    if let (Some(path), Some(file)) = (&common.rejects, &rejects) {
        report.keep_rejects(&shown_path(path), Box::new(file.clone()));
    }
    let file = common.output.as_deref().map(Shared::create).transpose()?;
    let mut output = match (&common.output, &file) {
        (Some(path), Some(file)) => Output::new(&shown_path(path), Box::new(file.clone())),
        _ => Output::new("stdout", Box::new(stop::Stdout(stdout()?))).awaited(),
    };
    let done = stage(&mut output, report).and_then(|()| output.flush());
    drop(output);
    let finished = report.finish();
    let finished = finished.and_then(|()| rejects.map_or(Ok(()), Shared::commit));
    let reader_left = matches!(done, Err(Error::BrokenPipe));
    if reader_left { finished } else { done.and(finished) }?;
    if let Some(mut stats) = stats {
        let name = shown_path(common.stats.as_deref().unwrap_or(Path::new("")));
        writeln!(stats, "{}", report.stats()).map_err(|e| Error::io(name, e))?;
        stats.commit()?;
    }
    if reader_left {
        return Err(Error::BrokenPipe);
    }
    if report.found_nothing() {
        return Ok(());
    }
    file.map_or(Ok(()), Shared::commit)?;
    let good = report.rejected() <= common.max_rejects;
    last(report, good)
}

/// Stdout without the standard library's line buffer, which takes 20 times the time.
fn stdout() -> Result<File, Error> {
    let fd = io::stdout().as_fd().try_clone_to_owned().map_err(|e| Error::io("stdout", e))?;
    widen_if_pipe(&fd);
    Ok(File::from(fd))
}

/// A whole file with the compression that its name selects; shared, so that it can be committed after the stage.
#[derive(Clone)]
struct Shared {
    name: String,
    encoder: Arc<Mutex<Encoder>>,
}

enum Encoder {
    Plain(WholeFile),
    Gzip(flate2::write::GzEncoder<WholeFile>),
    Zstd(zstd::Encoder<'static, WholeFile>),
}

impl Shared {
    fn create(path: &Path) -> Result<Self, Error> {
        let file = WholeFile::create(path)?;
        let encoder = match path.extension().and_then(|e| e.to_str()) {
            Some("gz") => Encoder::Gzip(flate2::write::GzEncoder::new(file, flate2::Compression::default())),
            Some("zst") => {
                let encoder = zstd::Encoder::new(file, 0);
                Encoder::Zstd(encoder.map_err(|e| Error::io(shown_path(path), e))?)
            }
            _ => Encoder::Plain(file),
        };
        Ok(Shared { name: shown_path(path), encoder: Arc::new(Mutex::new(encoder)) })
    }

    fn commit(self) -> Result<(), Error> {
        let encoder = Arc::into_inner(self.encoder).expect("nobody writes any more").into_inner();
        let file = match encoder.expect("no writer panics") {
            Encoder::Plain(file) => Ok(file),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
        };
        file.map_err(|e| Error::io(self.name, e))?.commit()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.encoder.lock().expect("no writer panics") {
            Encoder::Plain(file) => file.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.encoder.lock().expect("no writer panics") {
            Encoder::Plain(file) => file.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Zstd(encoder) => encoder.flush(),
        }
    }
}

/// Whether stdout is a terminal.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}
