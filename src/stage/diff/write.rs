//! Writes the changes in a second pass, site by site: compares every new record with its old one, then lists the records that are gone.

use super::accounts::Accounts;
use super::compare::{CLASSES, Comparer, Texts, frame, version};
use super::context::Context;
use super::facts::known;
use super::matches::Counterpart;
use super::side::Site;
use super::text;
use crate::ndjson::{Batch, Object, Output, gather_batches, write_end, write_json};
use crate::record::{Change, Evidence};
use crate::report::{Error, Notes, Report};
use std::collections::{BTreeMap, HashMap};

/// The result of comparing a batch of records.
#[derive(Default)]
struct ComparedBatch {
    /// Where the batch begins in the spool.
    start: u64,
    out: Vec<u8>,
    /// The sites that begin in the batch: the name, the position in `out`, and how many lines were written before.
    sites: Vec<(String, usize, u64)>,
    lines: u64,
    changes: BTreeMap<&'static str, u64>,
    ignored: BTreeMap<&'static str, u64>,
    /// Messages about differences that were ignored.
    told: Vec<String>,
}

impl ComparedBatch {
    fn clear(&mut self) {
        self.out.clear();
        self.sites.clear();
        self.changes.clear();
        self.ignored.clear();
        self.told.clear();
        self.lines = 0;
    }

    fn write(&mut self, change: &Change<'_>) {
        write_line(&mut self.out, change);
        self.lines += 1;
        count(&mut self.changes, change);
    }
}

fn write_line(out: &mut Vec<u8>, change: &Change<'_>) {
    write_json(out, change);
    out.push(b'\n');
}

fn count(changes: &mut BTreeMap<&'static str, u64>, change: &Change<'_>) {
    for class in &change.changes {
        let class = CLASSES.iter().find(|known| **known == class.as_str());
        class.iter().for_each(|class| *changes.entry(class).or_default() += 1);
    }
}

/// Writes the lines of both sides.
pub(super) struct Writer<'w> {
    pub(super) context: &'w Context<'w>,
    pub(super) accounts: &'w Accounts,
    pub(super) output: &'w mut Output,
    pub(super) jobs: usize,
    /// Lines of each site, and its end record.
    pub(super) ends: Vec<u8>,
    pub(super) changes: BTreeMap<&'static str, u64>,
    pub(super) ignored: BTreeMap<&'static str, u64>,
}

impl Writer<'_> {
    pub(super) fn run(&mut self, report: &mut Report) -> Result<(), Error> {
        let context = self.context;
        let old_sites: HashMap<&str, &Site> = context.old.sites.iter().map(|site| (&*site.name, site)).collect();
        let new_sites: HashMap<&str, &Site> = context.new.sites.iter().map(|site| (&*site.name, site)).collect();
        let of = |name: &str| (old_sites.get(name).copied(), new_sites.get(name).copied());
        let (mut input, mut position) = (context.new.input()?, 0);
        let (mut site, mut lines) = (None::<String>, 0);
        gather_batches(
            |batch, part: &mut ComparedBatch| {
                part.start = position;
                let more = input.read(batch)?;
                position += batch.len() as u64;
                Ok(more)
            },
            report,
            self.jobs,
            || {
                let mut comparer = Comparer::new(context);
                move |batch: &Batch, part: &mut ComparedBatch, notes: &mut Notes| {
                    part.read(batch, context, &mut comparer, notes)
                }
            },
            |batch, part, report| {
                let mut start = 0;
                let mut before = 0;
                for (name, end, count) in &part.sites {
                    if site.as_deref() != Some(name.as_str()) {
                        self.output.write(&part.out[start..*end])?;
                        (start, lines) = (*end, lines + count - before);
                        before = *count;
                        if let Some(ended) = site.replace(name.clone()) {
                            self.end(of(&ended), &ended, lines, report)?;
                            lines = 0;
                        }
                    }
                }
                self.output.write(&part.out[start..])?;
                lines += part.lines - before;
                part.changes.iter().for_each(|(class, n)| *self.changes.entry(class).or_default() += n);
                part.ignored.iter().for_each(|(rule, n)| *self.ignored.entry(rule).or_default() += n);
                part.told.iter().for_each(|what| report.tell(what));
                part.clear();
                report.advance(0, batch.len() as u64);
                Ok(())
            },
        )?;
        if let Some(ended) = site {
            self.end(of(&ended), &ended, lines, report)?;
        }
        for site in context.old.sites.iter().filter(|site| !new_sites.contains_key(&*site.name)) {
            self.end((Some(site), None), &site.name, 0, report)?;
        }
        self.output.write(&self.ends)
    }

    /// Writes the records that are gone from a site, and notes its end record.
    fn end(
        &mut self,
        (old, new): (Option<&Site>, Option<&Site>),
        name: &str,
        mut lines: u64,
        report: &mut Report,
    ) -> Result<(), Error> {
        let mut out = Vec::new();
        if let Some(old) = old {
            for gone in self.context.matches.gone(old.records.clone()) {
                let line = self.context.old.line(gone.at)?;
                let object = Object::parse(&line).map_err(|(what, _)| Error::Fatal(format!("spool: {what}")))?;
                let words = object.text_in("content", "text").unwrap_or_default();
                let mut change = frame(None, &object);
                (change.old, change.new) = (version(&object), Default::default());
                (change.change, change.changes) = (Some("gone".into()), vec!["gone".into()]);
                change.text = text::blocks(&words).into_iter().map(text::removed).collect();
                change.evidence = self.accounts.of_gone(&change).into_iter().collect();
                for evidence in &change.evidence {
                    report.count(rule_count(evidence), 1);
                }
                write_line(&mut out, &change);
                count(&mut self.changes, &change);
                lines += 1;
                if out.len() > 1 << 16 {
                    self.output.write(&out)?;
                    out.clear();
                }
            }
        }
        self.output.write(&out)?;
        report.count("records_out", lines);
        if new.or(old).is_some_and(|site| site.has_end) {
            write_end(&mut self.ends, Some(name), lines);
        }
        Ok(())
    }
}

/// The count of a piece of evidence.
fn rule_count(evidence: &Evidence<'_>) -> &'static str {
    match evidence.rule.as_deref() {
        Some("deleted") => "gone_deleted",
        Some("gap") => "gone_gap",
        _ => "gone_unknown",
    }
}

impl ComparedBatch {
    fn read(&mut self, batch: &Batch, context: &Context<'_>, comparer: &mut Comparer<'_>, notes: &mut Notes) {
        for line in batch.lines() {
            let Ok(new) = Object::parse(line.bytes) else { continue };
            let Some(record) = known(&new) else { continue };
            let mut facts = record.facts;
            facts.at = self.start + line.start as u64;
            if self.sites.last().is_none_or(|(last, ..)| **last != *record.site) {
                self.sites.push((record.site.as_str().to_owned(), self.out.len(), self.lines));
            }
            let (number, renumbered) = match context.matches.of_new(&facts) {
                Counterpart::Old { number, renumbered } => (number, renumbered),
                Counterpart::Twice => {
                    notes.count("duplicates", 1);
                    continue;
                }
                Counterpart::Added => {
                    let mut change = frame(None, &new);
                    (change.change, change.changes) = (Some("added".into()), vec!["added".into()]);
                    self.write(&change);
                    continue;
                }
            };
            let line = match context.old.line(context.matches.at(number)) {
                Ok(line) => line,
                Err(error) => return notes.fatal(error.to_string()),
            };
            let Ok(old) = Object::parse(&line) else { return notes.fatal("the spool has changed while it was read") };
            let mut texts = Texts::default();
            let (change, rules) = comparer.compare(&old, &new, renumbered, &mut texts);
            match change {
                Some(change) => self.write(&change),
                None => notes.count("unchanged", 1),
            }
            for rule in &rules {
                *self.ignored.entry(rule).or_default() += 1;
                let (r#type, id) = (new.text("type").unwrap_or_default(), new.get("id").unwrap_or("null"));
                self.told.push(format!("{type} {id}: not compared: {rule}"));
            }
        }
    }
}
