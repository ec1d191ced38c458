//! Runs a program: opens its report and files, calls the stage, puts the output in place, and turns the result into the exit status.
//! Other modules open the inputs and outputs.

use super::bar::{Messages, draw_progress, draw_status, progress_bar};
use super::flags::Common;
use super::inputs::{open_inputs, refuse_own_input, spare_files, spare_inputs};
use super::output::{OutputFile, stdout};
use super::seat::{Ended, Position, Seat};
use super::stop;
use crate::ndjson::{Input, Output};
use crate::report::{Error, Report, shown_path};
use crate::whole_file::WholeFile;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// What a program writes if there is no `-o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes<'c> {
    /// Records to stdout: if the run fails, an unfinished line informs the next stage.
    Records,
    /// Text in another format to stdout, which cannot be marked as incomplete.
    Text,
    /// A folder.
    Folder(&'c Path),
}

/// A program with its flags and inputs.
pub struct Invocation<'c> {
    program: &'static str,
    common: &'c Common,
    files: &'c [PathBuf],
    beside: &'c [(&'c str, Option<&'c Path>)],
    writes: Writes<'c>,
    seat: Seat,
}

impl<'c> Invocation<'c> {
    /// Creates a run of a program that reads `files` and writes records.
    pub fn new(program: &'static str, common: &'c Common, files: &'c [PathBuf]) -> Self {
        Invocation { program, common, files, beside: &[], writes: Writes::Records, seat: Seat::default() }
    }

    /// Sets the place at which it runs, such as a stage of wpipe.
    pub fn at(self, seat: Seat) -> Self {
        Invocation { seat, ..self }
    }

    /// Sets what it writes, if not records.
    pub fn writing(self, writes: Writes<'c>) -> Self {
        Invocation { writes, ..self }
    }

    /// Names the files that it writes besides its output, with the flags that named them.
    pub fn beside(self, beside: &'c [(&'c str, Option<&'c Path>)]) -> Self {
        Invocation { beside, ..self }
    }

    /// Runs a program that opens its inputs itself. The status is 1 if there are more rejects than `--max-rejects`, or nothing was
    /// found; it is 0 if the reader of the output exits early.
    pub fn start(self, stage: impl FnOnce(&mut Output, &mut Report) -> Result<(), Error>) -> Ended {
        if let Some(ended) = self.refuse_own_input() {
            return ended;
        }
        let spared = spare_files(self.common, self.files, self.beside);
        self.start_sized(spared, None, stage, |_, _| Ok(()))
    }

    /// Runs a filter; see [`Invocation::start`].
    pub fn filter(self, stage: impl FnOnce(&mut Input, &mut Output, &mut Report) -> Result<(), Error>) -> Ended {
        self.filter_and_then(stage, |_, _| Ok(()))
    }

    /// Runs a filter, and calls `last` when all other files are in place; its argument is whether the number of rejects is acceptable.
    /// If so, and `last` succeeds, the status is 0.
    pub fn filter_and_then(
        mut self,
        stage: impl FnOnce(&mut Input, &mut Output, &mut Report) -> Result<(), Error>,
        last: impl FnOnce(&mut Report, bool) -> Result<(), Error>,
    ) -> Ended {
        if let Some(ended) = self.refuse_own_input() {
            return ended;
        }
        let mut size = None;
        let handed = self.seat.input.take();
        let folder = self.folder().filter(|_| handed.is_none());
        let spared = spare_files(self.common, self.files, self.beside);
        let spared = spared.and_then(|()| folder.map_or(Ok(()), |folder| spare_inputs(self.files, folder)));
        let input = handed.map_or_else(|| open_inputs(self.files), Ok);
        let mut input = input.inspect(|input| size = input.size());
        input.iter_mut().for_each(|input| input.limit_records(self.common.max_record));
        self.start_sized(spared, size, |output, report| stage(&mut input?, output, report), last)
    }

    fn start_sized(
        mut self,
        spared: Result<(), Error>,
        size: Option<u64>,
        stage: impl FnOnce(&mut Output, &mut Report) -> Result<(), Error>,
        last: impl FnOnce(&mut Report, bool) -> Result<(), Error>,
    ) -> Ended {
        let (program, common, position) = (self.program, self.common, self.seat.position);
        let bar = progress_bar(position, common.quiet, self.writes_to_stdout(), size);
        let log: Box<dyn Write + Send> =
            if common.quiet { Box::new(io::sink()) } else { Box::new(Messages(bar.clone())) };
        let mut report = Report::new(program, log);
        report.verbose(common.verbose);
        report.strict(common.strict);
        if let Some(bar) = &bar {
            report.on_progress(draw_progress(program, position, bar.clone(), size));
            report.on_status(draw_status(bar.clone()));
        }
        if self.writes_records() {
            stop::breaks_off(program);
        }
        if position.is_none() {
            stop::clean_up_on_signals();
        }
        let output = self.seat.output.take();
        let outcome = spared.and_then(|()| run_with_files(common, output, &mut report, stage, last));
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        if outcome.is_ok() && report.found_nothing().is_none() && !common.quiet && io::stderr().is_terminal() {
            summarise(&self, &report);
        }
        self.end(outcome, &report)
    }

    fn refuse_own_input(&self) -> Option<Ended> {
        let error = self.writes_to_stdout().then(|| refuse_own_input(self.files)).flatten()?;
        super::say(&format!("{}: {error}", self.program));
        Some(Ended { status: 2, is_whole: false, is_cut: false })
    }

    fn end(self, outcome: Result<(), Error>, report: &Report) -> Ended {
        let is_stage = self.seat.position.is_some();
        let ended = |status| Ended { status, is_whole: true, is_cut: false };
        match outcome {
            Ok(()) if report.found_nothing().is_some() || report.is_cut_short() => {
                // What explains the status is printed even with -q.
                if let Some(what) = report.found_nothing().filter(|_| self.common.quiet) {
                    super::say(&format!("{}: {what}", self.program));
                }
                ended(1)
            }
            Ok(()) if report.has_too_many_rejects(self.common.max_rejects) => {
                let n = report.rejected();
                // Where it writes a dataset, wp-export has reported this; without any good record, the advice would not help.
                let is_reported = !is_stage || self.folder().is_some();
                if (!is_reported || self.common.quiet) && report.counted("records_out") > 0 {
                    let what = format!("{n} reject{}: --max-rejects {n} allows for as many", plural(n));
                    super::say(&format!("{}: {what}", self.program));
                }
                ended(1)
            }
            Ok(()) | Err(Error::BrokenPipe) => ended(0),
            Err(error) => {
                if self.writes_records() {
                    stop::break_off(self.program);
                }
                // Fatal errors are printed even with -q, but not if another program of the same pipe has printed the cause.
                let is_cut = matches!(error, Error::BrokenOff(_));
                if !is_cut || !is_stage {
                    super::say(&format!("{}: {error}", self.program));
                }
                let status = if matches!(error, Error::Strict | Error::Refused(_)) { 1 } else { 2 };
                Ended { status, is_whole: false, is_cut }
            }
        }
    }

    /// Whether records go to stdout.
    fn writes_records(&self) -> bool {
        self.writes_to_stdout() && self.writes == Writes::Records
    }

    /// Whether it writes records or other output to stdout.
    fn writes_to_stdout(&self) -> bool {
        let is_last = matches!(self.seat.position, None | Some(Position::Last));
        is_last && self.common.output().is_none() && self.folder().is_none()
    }

    fn folder(&self) -> Option<&'c Path> {
        match self.writes {
            Writes::Folder(folder) => Some(folder),
            Writes::Records | Writes::Text => None,
        }
    }
}

/// Prints the result of a run in one line.
fn summarise(run: &Invocation<'_>, report: &Report) {
    let Invocation { program, common, .. } = run;
    let counted = |n: u64, what: &str| if n == 0 { String::new() } else { format!(", {n} {what}{}", plural(n)) };
    let records = report.counted("records_out");
    let mut line = match report.conclusion() {
        Some(conclusion) => format!("{program}: {conclusion}"),
        None if records == 0 => return,
        None => format!("{program}: {records} record{}", plural(records)),
    };
    line += &match report.counted("copies") {
        0 => String::new(),
        1 => ", 1 of them a copy of another one's words".to_owned(),
        n => format!(", {n} of them copies of others' words"),
    };
    // wp-fetch has counted its gaps in its own words, and keeps the files of an incomplete fetch.
    let is_told = report.conclusion().is_some() && run.folder().is_some();
    if !is_told {
        line += &counted(report.rejected(), "reject");
    }
    line += &counted(report.all_defects(), "defect");
    let folder = run.folder();
    let place = folder.or(common.output()).map(shown_path);
    match place {
        Some(place) if is_told || !report.has_too_many_rejects(common.max_rejects) || folder.is_none() => {
            line += &format!("{} \u{2192} {}", counted(report.files(), "file"), place);
        }
        _ => {}
    }
    // The line may still show the bar of the last program.
    super::say(&format!("\r\x1b[K{line}"));
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Runs a stage and then puts its files in place. The output comes last, when nothing else can fail; a folder only if the status will be
/// 0. The file of rejects is kept however the run ends, because it explains the failure.
fn run_with_files(
    common: &Common,
    handed: Option<Output>,
    report: &mut Report,
    stage: impl FnOnce(&mut Output, &mut Report) -> Result<(), Error>,
    last: impl FnOnce(&mut Report, bool) -> Result<(), Error>,
) -> Result<(), Error> {
    let stats = common.stats.as_deref().map(WholeFile::create).transpose()?;
    let rejects = common.rejects.as_deref().map(OutputFile::create).transpose()?;
    if let (Some(path), Some(file)) = (&common.rejects, &rejects) {
        report.keep_rejects(&shown_path(path), Box::new(file.clone()));
    }
    let file = common.output().map(OutputFile::create).transpose()?;
    let mut output = match (handed, common.output(), &file) {
        (Some(output), ..) => output,
        (_, Some(path), Some(file)) => Output::new(&shown_path(path), Box::new(file.clone())),
        _ => Output::new("stdout", Box::new(stop::Stdout(stdout()?))).awaited(),
    };
    // Records that were written before an error are passed on to the next stage.
    let done = stage(&mut output, report);
    let done = done.and(output.flush());
    drop(output);
    let finished = report.finish();
    let finished = finished.and_then(|()| rejects.map_or(Ok(()), OutputFile::commit));
    let reader_left = matches!(done, Err(Error::BrokenPipe));
    if reader_left { finished } else { done.and(finished) }?;
    if let Some(mut stats) = stats {
        stats.put(format!("{}\n", report.stats()).as_bytes())?;
        stats.commit()?;
    }
    if reader_left {
        return Err(Error::BrokenPipe);
    }
    if report.found_nothing().is_some() {
        return Ok(());
    }
    file.map_or(Ok(()), OutputFile::commit)?;
    let good = !report.has_too_many_rejects(common.max_rejects);
    last(report, good)
}
