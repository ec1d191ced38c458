//! Collects the messages and counts of a run, and defines its error type: places, rejects, defects, warnings. It formats and
//! counts; the creator of the [`Report`] decides where messages go (to a terminal, a file, nowhere).

mod ends;
mod error;

use ends::Ends;
#[cfg(feature = "fetch")]
pub(crate) use error::escape_control;
use error::shown;
pub use error::{Error, Place};
pub(crate) use error::{describe_io, is_of_system};
pub(crate) use error::{in_shell, shown_path};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// How many defects of a kind, and how many rejects with the same message, are printed; further ones are only counted.
const SHOWN: u64 = 10;
/// How many different messages of rejects are counted separately; all others count as one.
const MESSAGES: usize = 1000;

/// A message about an input.
#[derive(Debug)]
enum Note {
    Reject { place: Place, what: String, raw: Vec<u8> },
    Defect { kind: &'static str, place: Place, what: String },
    Fatal(String),
}

/// A worker's messages and counts for its batch, in order; the report absorbs them in the order of the batches.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    counts: BTreeMap<&'static str, u64>,
    /// The counts by name within a key of `--stats`.
    named: BTreeMap<(&'static str, &'static str), u64>,
    aside: Vec<u8>,
    ends: Ends,
    inputs: BTreeSet<Read>,
    rejects_before: Option<u64>,
}

impl Notes {
    /// Rejects a line or element that cannot be passed on.
    pub(crate) fn reject(&mut self, place: Place, what: impl Into<String>, raw: &[u8]) {
        self.list.push(Note::Reject { place, what: what.into(), raw: raw.to_vec() });
    }

    /// Reports something that is passed on without a value that it should have; `kind` is a short name in snake_case.
    pub(crate) fn defect(&mut self, kind: &'static str, place: Place, what: impl Into<String>) {
        self.list.push(Note::Defect { kind, place, what: what.into() });
    }

    /// Ends the run when the report absorbs it.
    pub(crate) fn fatal(&mut self, what: impl Into<String>) {
        self.list.push(Note::Fatal(what.into()));
    }

    /// Adds `n` to the count `name` (snake_case, a key of `--stats`).
    pub(crate) fn count(&mut self, name: &'static str, n: u64) {
        *self.counts.entry(name).or_default() += n;
    }

    /// Adds one to the count `name` within the key `key` of `--stats`.
    pub(crate) fn count_named(&mut self, key: &'static str, name: &'static str) {
        *self.named.entry((key, name)).or_default() += 1;
    }

    /// Adds bytes for [`Report::on_aside`].
    pub(crate) fn aside(&mut self, bytes: &[u8]) {
        self.aside.extend_from_slice(bytes);
    }

    /// Notes a record of `site`, for [`Report::check_ends`].
    pub(crate) fn record_of(&mut self, site: &str) {
        self.ends.record(site);
    }

    /// Notes the end record of `site`, and its number of records.
    pub(crate) fn end_of(&mut self, site: &str, counted: u64) {
        self.ends.end(site, counted);
    }

    /// Notes an input of wp-index that an end record describes.
    pub(crate) fn input_of(&mut self, read: Read) {
        self.inputs.insert(read);
    }

    /// Adds the number of elements that wp-index could not read, as an end record states it.
    pub(crate) fn rejects_before(&mut self, rejects: u64) {
        self.rejects_before = sum(self.rejects_before, Some(rejects));
    }
}

/// The sum of two numbers, each of which may be missing.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).reduce(u64::saturating_add)
}

/// An input as an end record describes it: a file that wp-index has read to its end, or an archive described by wp-fetch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub(crate) struct Read {
    pub(crate) site: Option<String>,
    /// Its number among the inputs of its site, from 1.
    pub(crate) number: u64,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// The messages and counts of a run so far.
pub struct Report {
    program: &'static str,
    log: Box<dyn Write + Send>,
    rejects: Option<(String, Box<dyn Write + Send>)>,
    aside: Option<Aside>,
    progress: Option<Box<dyn FnMut(u64, u64) + Send>>,
    status: Option<Box<dyn FnMut(String) + Send>>,
    verbose: bool,
    strict: bool,
    pub(crate) expects_ends: bool,
    ends: Ends,
    inputs: BTreeSet<Read>,
    /// The number of elements that wp-index could not read; `None` if no end record states it.
    rejects_before: Option<u64>,
    rejected: u64,
    /// Whether the input is damaged as a rule, so that rejects do not fail the run unless the user asks for that.
    expects_damage: bool,
    /// The number of rejects by message.
    messages: BTreeMap<String, u64>,
    /// Why there is nothing to write.
    nothing: Option<String>,
    is_cut_short: bool,
    conclusion: Option<String>,
    files: u64,
    defects: BTreeMap<&'static str, u64>,
    counts: BTreeMap<&'static str, u64>,
    named: BTreeMap<(&'static str, &'static str), u64>,
    details: BTreeMap<&'static str, serde_json::Value>,
}

/// Writes the bytes that workers have for a file beside the output.
type Aside = Box<dyn FnMut(&[u8]) -> Result<(), Error> + Send>;

impl Report {
    /// A report that counts but prints nothing, for use from Rust. Messages begin with `program`.
    pub fn silent(program: &'static str) -> Self {
        Report::new(program, Box::new(io::sink()))
    }

    /// A report that writes its messages to `log`, one line each.
    pub fn new(program: &'static str, log: Box<dyn Write + Send>) -> Self {
        Report {
            program,
            log,
            rejects: None,
            aside: None,
            progress: None,
            status: None,
            verbose: false,
            strict: false,
            expects_ends: false,
            ends: Ends::default(),
            inputs: BTreeSet::new(),
            rejects_before: None,
            rejected: 0,
            expects_damage: false,
            messages: BTreeMap::new(),
            nothing: None,
            is_cut_short: false,
            conclusion: None,
            files: 0,
            defects: BTreeMap::new(),
            counts: BTreeMap::new(),
            named: BTreeMap::new(),
            details: BTreeMap::new(),
        }
    }

    /// Writes the raw line of each reject to `writer`; `file` names it in errors.
    pub(crate) fn keep_rejects(&mut self, file: &str, writer: Box<dyn Write + Send>) {
        self.rejects = Some((file.to_owned(), writer));
    }

    /// Passes the bytes that workers write aside to `put`, in the order of their batches.
    pub(crate) fn on_aside(&mut self, put: Aside) {
        self.aside = Some(put);
    }

    /// Prints every defect, not just the first ten of each kind.
    pub fn verbose(&mut self, verbose: bool) {
        self.verbose = verbose;
    }

    /// Makes the first reject end the run.
    pub fn strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    /// Calls `draw(records, bytes)` as the run proceeds.
    pub(crate) fn on_progress(&mut self, draw: Box<dyn FnMut(u64, u64) + Send>) {
        self.progress = Some(draw);
    }

    /// Calls `draw(text)` as the run proceeds, for runs whose progress is described in words.
    pub(crate) fn on_status(&mut self, draw: Box<dyn FnMut(String) + Send>) {
        self.status = Some(draw);
    }

    /// Rejects a line or element that cannot be passed on.
    ///
    /// # Errors
    /// [`Error::Strict`] if the run must stop at the first reject, or an error if the rejects' file cannot be written.
    pub fn reject(&mut self, place: &Place, what: &str, raw: &[u8]) -> Result<(), Error> {
        self.rejected += 1;
        if self.verbose || self.count_message(what) <= SHOWN {
            self.say(&format!("{place}: {what}"));
        }
        self.go_on_rejecting(raw)?;
        if self.strict { Err(Error::Strict) } else { Ok(()) }
    }

    /// Adds the next piece of the last reject, as a line of its own in the rejects' file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn go_on_rejecting(&mut self, raw: &[u8]) -> Result<(), Error> {
        let Some((file, writer)) = &mut self.rejects else { return Ok(()) };
        let written = writer.write_all(raw).and_then(|()| writer.write_all(b"\n"));
        written.map_err(|e| Error::io(file.as_str(), e))
    }

    /// Adds one to the number of rejects with this message, and returns the number.
    fn count_message(&mut self, what: &str) -> u64 {
        let what =
            if self.messages.len() < MESSAGES || self.messages.contains_key(what) { what } else { "other messages" };
        let seen = match self.messages.get_mut(what) {
            Some(seen) => seen,
            None => self.messages.entry(what.to_owned()).or_default(),
        };
        *seen += 1;
        *seen
    }

    /// Reports something that is passed on without a value that it should have; `kind` is a short name in snake_case.
    pub fn defect(&mut self, kind: &'static str, place: &Place, what: &str) {
        let seen = self.defects.entry(kind).or_default();
        *seen += 1;
        let seen = *seen;
        if self.verbose || seen <= SHOWN {
            self.say(&format!("{place}: {what}"));
        } else if seen == SHOWN + 1 {
            self.say(&format!("further defects of kind {kind} are counted but not printed; -v prints all"));
        }
    }

    /// Prints a warning.
    pub fn warn(&mut self, what: &str) {
        self.say(what);
    }

    /// Reports that there is nothing to write: the run continues to its end and puts nothing in place, and its status is 1.
    pub fn nothing(&mut self, what: &str) {
        self.say(what);
        self.nothing.get_or_insert_with(|| what.to_owned());
    }

    /// What [`Report::nothing`] was first called with.
    pub(crate) fn found_nothing(&self) -> Option<&str> {
        self.nothing.as_deref()
    }

    /// Reports that the run is incomplete, although its files are in place: its status is 1, however many rejects are allowed.
    #[cfg(feature = "fetch")]
    pub(crate) fn cut_short(&mut self) {
        self.is_cut_short = true;
    }

    /// Whether the run is incomplete.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// Sets the result of the run in words, for the last line on a terminal.
    pub(crate) fn conclude(&mut self, what: String) {
        self.conclusion = Some(what);
    }

    /// The text that [`Report::conclude`] has set.
    pub(crate) fn conclusion(&self) -> Option<&str> {
        self.conclusion.as_deref()
    }

    /// Prints a message only with -v.
    pub fn tell(&mut self, what: &str) {
        if self.verbose {
            self.say(what);
        }
    }

    /// Adds `n` to the count `name` (snake_case, a key of `--stats`).
    pub fn count(&mut self, name: &'static str, n: u64) {
        *self.counts.entry(name).or_default() += n;
    }

    /// Adds counts with these names to the statistics, even if they remain 0.
    pub(crate) fn counts(&mut self, names: &[&'static str]) {
        names.iter().for_each(|name| self.count(name, 0));
    }

    /// Counts items that do not become records, by the reason.
    pub(crate) fn leave_out(&mut self, why: &'static str, n: u64) {
        self.count("left_out", n);
        self.count(why, n);
    }

    /// Adds a value to the counts (snake_case, a key of `--stats`).
    pub(crate) fn detail(&mut self, name: &'static str, value: serde_json::Value) {
        self.details.insert(name, value);
    }

    /// Advances the progress by this many records and bytes of input.
    pub(crate) fn advance(&mut self, records: u64, bytes: u64) {
        if let Some(draw) = &mut self.progress {
            draw(records, bytes);
        }
    }

    /// Shows the progress in words.
    pub fn show(&mut self, text: String) {
        if let Some(draw) = &mut self.status {
            draw(text);
        }
    }

    /// Absorbs a worker's messages and counts.
    ///
    /// # Errors
    /// Those of [`Report::reject`], and a fatal error of the worker.
    pub(crate) fn absorb(&mut self, notes: Notes) -> Result<(), Error> {
        for (name, n) in notes.counts {
            self.count(name, n);
        }
        for (name, n) in notes.named {
            *self.named.entry(name).or_default() += n;
        }
        if let Some(put) = self.aside.as_mut().filter(|_| !notes.aside.is_empty()) {
            put(&notes.aside)?;
        }
        self.ends.absorb(notes.ends);
        self.inputs.extend(notes.inputs);
        self.rejects_before = sum(self.rejects_before, notes.rejects_before);
        for note in notes.list {
            match note {
                Note::Reject { place, what, raw } => self.reject(&place, &what, &raw)?,
                Note::Defect { kind, place, what } => self.defect(kind, &place, &what),
                Note::Fatal(what) => return Err(Error::Fatal(what)),
            }
        }
        Ok(())
    }

    /// The inputs of wp-index that end records describe, site by site.
    pub(crate) fn inputs(&self) -> Vec<Read> {
        self.inputs.iter().cloned().collect()
    }

    /// The number of elements that wp-index rejected, if end records state it.
    pub(crate) fn rejects_before(&self) -> Option<u64> {
        self.rejects_before
    }

    /// How many lines or elements were rejected.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// States that the input is damaged as a rule: any number of rejects is allowed, unless the user says how many, or is strict.
    pub(crate) fn expect_damage(&mut self) {
        self.expects_damage = true;
    }

    /// Whether there are more rejects than `most`, which is 0 if the user has not said how many.
    pub(crate) fn has_too_many_rejects(&self, most: u64) -> bool {
        self.rejected > most && (most > 0 || self.strict || !self.expects_damage)
    }

    /// The count `name`, 0 if it was never counted.
    pub fn counted(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// How many defects of `kind` there were.
    pub fn defects(&self, kind: &str) -> u64 {
        self.defects.get(kind).copied().unwrap_or(0)
    }

    /// How many defects there were of all kinds.
    pub(crate) fn all_defects(&self) -> u64 {
        self.defects.values().sum()
    }

    /// The number of files that the run has put in place, if it writes more than its output.
    pub fn files(&self) -> u64 {
        self.files
    }

    /// Notes how many files were put in place.
    pub(crate) fn placed(&mut self, files: usize) {
        self.files = files as u64;
    }

    /// All counts as one JSON object: program, version, each count, rejects, defects {kind: n}, details.
    pub fn stats(&self) -> serde_json::Value {
        let mut stats = serde_json::Map::new();
        stats.insert("program".into(), self.program.into());
        stats.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        for (&name, &n) in &self.counts {
            stats.insert(name.into(), n.into());
        }
        stats.insert("rejects".into(), self.rejected.into());
        let defects = self.defects.iter().map(|(&kind, &n)| (kind.to_owned(), n.into()));
        stats.insert("defects".into(), serde_json::Value::Object(defects.collect()));
        for (&(key, name), &n) in &self.named {
            stats.entry(key).or_insert_with(|| serde_json::json!({}))[name] = n.into();
        }
        for (&name, value) in &self.details {
            stats.insert(name.into(), value.clone());
        }
        serde_json::Value::Object(stats)
    }

    /// Reports how many rejects were not printed; flushes and closes the rejects' file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> Result<(), Error> {
        for (what, seen) in std::mem::take(&mut self.messages) {
            if seen > SHOWN {
                self.say(&format!("{what}: {} more rejects; -v prints all", seen - SHOWN));
            }
        }
        match self.rejects.take() {
            Some((file, mut writer)) => writer.flush().map_err(|e| Error::io(file, e)),
            None => Ok(()),
        }
    }

    /// A message that cannot be written is lost, since there is nowhere left to report it.
    fn say(&mut self, what: &str) {
        // A single write, so that the messages of several stages of a pipeline do not mix.
        let line = format!("{}: {}\n", self.program, shown(what));
        let _ = self.log.write_all(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eleventh_defect_of_a_kind_is_only_counted() {
        let (reader, writer) = io::pipe().unwrap();
        let mut report = Report::new("wp-test", Box::new(writer));
        for _ in 0..15 {
            report.defect("date", &Place::file("a"), "no date");
        }
        assert_eq!(report.defects("date"), 15);
        drop(report);
        assert_eq!(io::read_to_string(reader).unwrap().lines().count(), 11);
    }
}
