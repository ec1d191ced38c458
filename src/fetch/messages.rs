//! Reports the events of a run: lines of the log, gaps, warnings, progress. The report prints and counts them.

use super::log::Gap;
use super::progress::{Progress, Step};
use crate::ndjson::Output;
use crate::report::{Error, Place, Report, escape_control};
use std::time::{Duration, Instant};

/// The messages about one site.
pub(super) struct Messages<'r> {
    site: String,
    /// Where the lines of the log are copied to, if anywhere.
    output: Option<&'r mut Output>,
    report: &'r mut Report,
    progress: Progress,
}

impl<'r> Messages<'r> {
    pub(super) fn new(site: &str, output: Option<&'r mut Output>, report: &'r mut Report) -> Self {
        let progress = Progress::new(site);
        report.show(progress.text());
        Messages { site: site.to_owned(), output, report, progress }
    }

    /// Writes a line of the log or of a plan to the output.
    pub(super) fn line(&mut self, line: &[u8], is_request: bool) -> Result<(), Error> {
        self.report.count("requests", u64::from(is_request));
        let Some(output) = &mut self.output else { return Ok(()) };
        output.write(line)?;
        output.flush()
    }

    /// Reports something that could not be fetched.
    pub(super) fn gap(&mut self, gap: &Gap) -> Result<(), Error> {
        self.report.reject(&Place::file(&self.site), &describe(gap), b"")
    }

    /// Reports something that is kept although it has a fault; counts it under `kind`.
    pub(super) fn defect(&mut self, kind: &'static str, what: &str) {
        self.report.defect(kind, &Place::file(&self.site), what);
    }

    /// Warns the user.
    pub(super) fn warn(&mut self, what: &str) {
        self.report.warn(&format!("{}: {what}", self.site));
    }

    /// Sets the summary that is printed last.
    pub(super) fn conclude(&mut self, what: &str) {
        self.report.conclude(escape_control(what).into_owned());
    }

    /// Marks the run as stopped early: whatever number of gaps is allowed, that is an error.
    pub(super) fn cut_short(&mut self) {
        self.report.cut_short();
    }

    /// Prints a decision, with --verbose.
    pub(super) fn say(&mut self, what: &str) {
        self.report.tell(&format!("{}: {what}", self.site));
    }

    pub(super) fn waits(&mut self, wait: Duration, why: &str) {
        self.report.tell(&format!("{}: {why}: waits {:.1} s", self.site, wait.as_secs_f64()));
        self.progress.wait(wait, why);
        self.report.show(self.progress.text());
    }

    pub(super) fn step(&mut self, step: Step) {
        self.progress.step(step, Instant::now());
        self.report.show(self.progress.text());
    }

    /// Adds to a count of `--stats`.
    pub(super) fn count(&mut self, name: &'static str, n: u64) {
        self.report.count(name, n);
    }
}

fn describe(gap: &Gap) -> String {
    let mut text = match (gap.what.as_str(), gap.id) {
        ("item", Some(id)) => format!("{} {id}", gap.r#type),
        ("item", None) => format!("{}: an item at offset {}", gap.r#type, gap.offset.unwrap_or_default()),
        ("file", Some(id)) => format!("the file of {} {id}", gap.r#type),
        ("page" | "sitemap" | "image", _) => gap.what.clone(),
        _ => gap.r#type.clone(),
    };
    if let Some(link) = &gap.link {
        text += &format!(" ({link})");
    }
    format!("{text}: {}", gap.error)
}
