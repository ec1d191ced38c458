//! Processes the stream site by site: the first pass registers records until their site ends, then the second writes
//! them. Other modules decide what to register and what to write.
//!
//! Both passes read the same batches, the second with its own reader, which follows the first at a distance of one
//! site; this way only the registry of one site, and of those that lie within one batch, is in memory.

use super::Options;
use super::again::{Again, Block, Words, sketch};
use super::facts::facts;
use super::outline::{Field, FieldPlace, LineNote, LineShape, note, outline, recall};
use super::registries::{Earlier, RegistryFile};
use super::rewrite::Rewriter;
use super::tally::Tally;
use crate::codec;
use crate::minhash::Sketch;
use crate::ndjson::{Batch, Input, Line, Output, Str, gather_batches, is_end, string};
use crate::registry::{Facts, Located, Register, Registry, is_known_kind};
use crate::report::{Error, Notes, Place, Report};
use crate::spill::Notebook;
use crate::steps::Step;
use std::collections::HashMap;
use std::ops::Range;

/// The first pass's result for a batch: the forms of its lines, each with the end of its entries, and all entries.
#[derive(Default)]
pub(super) struct Outlines {
    lines: Vec<(LineShape, usize)>,
    entries: Vec<FieldPlace>,
    /// The words of the records whose words are wanted.
    sketches: Vec<Option<Sketch>>,
}

impl Outlines {
    /// Outlines a batch. Without `all`, no words are read, because it is not yet known whose are needed.
    pub(super) fn of(&mut self, batch: &Batch, all: bool) {
        self.lines.clear();
        self.entries.clear();
        self.sketches.clear();
        for line in batch.lines() {
            let start = self.entries.len();
            let shape = outline(line.bytes, &mut self.entries);
            self.sketches.push(if all { sketch(line.bytes, &self.entries[start..]) } else { None });
            self.lines.push((shape, self.entries.len()));
        }
    }
}

/// A site with records still to be written.
struct Site {
    name: Box<str>,
    /// Its last line in the stream so far.
    last: Place,
}

/// The two passes over the sites of a stream.
pub(super) struct Sites<'a> {
    jobs: usize,
    /// The longest record, in bytes.
    most: usize,
    step: Step,
    output: &'a mut Output,
    tally: &'a Tally,
    /// The second pass's reader.
    following: Again,
    /// The readers of words of records between the passes: for shared ids, then for doubtful translations.
    words: [Again; 2],
    /// The number of bytes of the stream before the current batch.
    position: u64,
    earlier: Option<Earlier>,
    registry_out: Option<RegistryFile>,
    /// Sites whose records are all written, with their last lines.
    ended: HashMap<Box<str>, Place>,
    sites: Vec<Site>,
    /// The registers of the sites, in the same order.
    registers: Vec<Register>,
    /// Notes for the second pass on lines that are not yet written.
    notes: Notebook,
    /// Notes for the second pass on lines of the current batch.
    part: Vec<u8>,
    /// The end records so far: written last, so that a run that is killed writes none.
    ends: Vec<u8>,
    /// Whether a batch before the current one is not yet written.
    behind: bool,
    /// The number of lines in the first pass.
    registered: u64,
}

impl<'a> Sites<'a> {
    pub(super) fn new(
        options: &Options,
        input: &mut Input,
        output: &'a mut Output,
        tally: &'a Tally,
    ) -> Result<Self, Error> {
        let [following, first, second] = input.followers()?.map(Again::new);
        Ok(Sites {
            jobs: options.jobs,
            most: input.max_record(),
            step: options.step().max_record(input.max_record()),
            output,
            tally,
            following,
            words: [first, second],
            position: 0,
            earlier: Earlier::read(&options.registries)?,
            registry_out: options.registry_out.as_deref().map(RegistryFile::create).transpose()?,
            ended: HashMap::new(),
            sites: Vec::new(),
            registers: Vec::new(),
            notes: Notebook::default(),
            part: Vec::new(),
            ends: Vec::new(),
            behind: false,
            registered: 0,
        })
    }

    /// Registers the records of the next batch. If their site began in an earlier batch and ends in this one, writes
    /// everything up to its end.
    pub(super) fn register(&mut self, batch: &Batch, outlines: &Outlines, report: &mut Report) -> Result<(), Error> {
        if !batch.is_empty() {
            self.register_lines(batch, outlines, report)?;
        }
        if batch.is_awaited() { self.output.pause() } else { Ok(()) }
    }

    fn register_lines(&mut self, batch: &Batch, outlines: &Outlines, report: &mut Report) -> Result<(), Error> {
        let mut start = 0;
        let mut entries = 0;
        self.position += batch.skipped();
        for ((line, &(shape, end)), sketch) in batch.lines().zip(&outlines.lines).zip(&outlines.sketches) {
            let of_line = &outlines.entries[entries..end];
            entries = end;
            let known = match shape {
                LineShape::Broken => LineNote::Broken,
                LineShape::Plain | LineShape::Untidy => {
                    let facts = facts(line.bytes, of_line);
                    let [site, kind] = match &facts {
                        Ok(facts) => [facts.site.clone(), facts.kind.clone()],
                        Err(_) => [Field::Site, Field::Kind].map(|field| text(&line, of_line, field)),
                    };
                    match site.filter(|_| kind.as_deref().is_some_and(is_known_kind)) {
                        // Records of an unknown kind are passed on, wherever they are.
                        None => {
                            complain(&line, facts.err(), report);
                            LineNote::Foreign
                        }
                        Some(site) => {
                            if self.sites.last().is_none_or(|last| *last.name != *site) {
                                if self.behind || (batch.is_awaited() && !self.sites.is_empty()) {
                                    if line.start > start {
                                        self.end_part(batch, start..line.start)?;
                                        start = line.start;
                                    }
                                    self.write(report)?;
                                }
                                self.begin(&site, &line)?;
                            }
                            let record = self.take(&line, facts, *sketch, report)?;
                            LineNote::Record { site: self.sites.len() - 1, record, untidy: shape == LineShape::Untidy }
                        }
                    }
                }
            };
            note(&known, of_line, &mut self.part);
        }
        self.end_part(batch, start..batch.len())?;
        self.position += batch.len() as u64;
        self.behind = true;
        self.registered += outlines.lines.len() as u64;
        report.show(format!("wp-resolve has registered {} records and writes none yet", self.registered));
        Ok(())
    }

    fn begin(&mut self, name: &str, line: &Line<'_>) -> Result<(), Error> {
        let pending = self.sites.iter().find(|site| *site.name == *name).map(|site| &site.last);
        if let Some(last) = pending.or_else(|| self.ended.get(name)) {
            return Err(Error::Fatal(format!(
                "{}: the records of site {name} are not contiguous: the earlier ones end at {last}; sort the stream by site",
                line.place()
            )));
        }
        self.complete_last()?;
        self.sites.push(Site { name: name.into(), last: line.place() });
        self.registers.push(Register::default());
        Ok(())
    }

    /// The number for a record in the registry of the last site.
    fn take(
        &mut self,
        line: &Line<'_>,
        facts: Result<Facts<'_>, String>,
        sketch: Option<Sketch>,
        report: &mut Report,
    ) -> Result<Option<u32>, Error> {
        let (Some(site), Some(register)) = (self.sites.last_mut(), self.registers.last_mut()) else { return Ok(None) };
        site.last = line.place();
        let mut facts = match facts {
            Ok(facts) => facts,
            Err(what) => {
                complain(line, Some(what), report);
                return Ok(None);
            }
        };
        let taken = register.register(&facts, sketch);
        if let Some(what) = taken.lost {
            let lost =
                if taken.record.is_some() { "this one is ignored" } else { "nothing can resolve to this record" };
            report.defect("unregistered", &line.place(), &format!("{what}: {lost}"));
        }
        if taken.is_new
            && let Some(out) = &mut self.registry_out
        {
            facts.sketch = sketch.map(|sketch| sketch.to_text().into());
            out.write(&facts)?;
        }
        Ok(taken.record.map(Into::into))
    }

    /// Adds the records that earlier runs know of the last site, when all of its own are registered.
    fn complete_last(&mut self) -> Result<(), Error> {
        match (self.sites.last(), self.registers.last_mut(), &self.earlier) {
            (Some(site), Some(register), Some(earlier)) => {
                earlier.complete(&site.name, register, self.registry_out.as_mut())
            }
            _ => Ok(()),
        }
    }

    /// The registries, when all records are known: each asks for the words of some records before it answers.
    fn close(&mut self, report: &mut Report) -> Result<Vec<Registry>, Error> {
        let registers = std::mem::take(&mut self.registers);
        let words = self.read_words(0, registers.iter().map(Register::of_shared_ids).collect(), report)?;
        let located = registers.into_iter().zip(words).map(|(register, words)| register.locate(words));
        let located: Vec<Located> = located.collect();
        let words = self.read_words(1, located.iter().map(Located::of_doubtful_translations).collect(), report)?;
        Ok(located.into_iter().zip(words).map(|(located, words)| located.group(words)).collect())
    }

    /// Reads the words of the `wanted` records of each site.
    fn read_words(
        &mut self,
        reader: usize,
        wanted: Vec<Vec<u32>>,
        report: &mut Report,
    ) -> Result<Vec<Vec<(u32, Sketch)>>, Error> {
        let mut found = vec![Vec::new(); wanted.len()];
        if wanted.iter().all(Vec::is_empty) {
            return Ok(found);
        }
        self.notes.turn()?;
        let Sites { notes, words, .. } = self;
        let words = &mut words[reader];
        let take = |_: &Batch, job: &mut Words, _: &mut Report| {
            job.found.drain(..).for_each(|(site, record, sketch)| found[site].push((record, sketch)));
            Ok(())
        };
        let make_worker = || |batch: &Batch, job: &mut Words, _: &mut Notes| job.read(batch, &wanted);
        gather_batches(|batch, job| words.next(batch, &mut job.notes, notes), report, self.jobs, make_worker, take)?;
        Ok(found)
    }

    fn end_part(&mut self, batch: &Batch, lines: Range<usize>) -> Result<(), Error> {
        let block = Block { start: self.position, length: batch.len(), lines };
        block.write(&mut self.part, &mut self.notes)
    }

    /// Writes the end of the stream, and the registry.
    pub(super) fn finish(mut self, report: &mut Report) -> Result<(), Error> {
        self.write(report)?;
        self.output.write(&self.ends)?;
        report.count("sites", self.ended.len() as u64);
        self.registry_out.map_or(Ok(()), RegistryFile::commit)
    }

    /// Runs the second pass over all lines that are registered and not yet written.
    fn write(&mut self, report: &mut Report) -> Result<(), Error> {
        self.complete_last()?;
        let registries = self.close(report)?;
        for (site, registry) in self.sites.iter().zip(&registries) {
            count(&site.name, registry, report);
        }
        self.notes.turn()?;
        let Sites { notes, following, tally, output, ends, most, step, .. } = self;
        let make_worker = || {
            let mut rewriter = Rewriter::new(&registries, tally, *most, step);
            move |batch: &Batch, job: &mut Second, said: &mut Notes| job.write(batch, &mut rewriter, said)
        };
        let take = |batch: &Batch, job: &mut Second, report: &mut Report| {
            output.hand_on(&mut job.out)?;
            ends.append(&mut job.ends);
            report.count("records_in", job.lines);
            report.advance(job.lines, batch.len() as u64);
            Ok(())
        };
        gather_batches(
            |batch, job| following.next(batch, &mut job.notes, notes),
            report,
            self.jobs,
            make_worker,
            take,
        )?;
        self.notes.clear()?;
        self.behind = false;
        self.ended.extend(self.sites.drain(..).map(|site| (site.name, site.last)));
        Ok(())
    }
}

fn text<'a>(line: &Line<'a>, entries: &[FieldPlace], field: Field) -> Option<Str<'a>> {
    let entry = entries.iter().find(|entry| entry.field == field)?;
    string(std::str::from_utf8(&line.bytes[entry.value.clone()]).ok()?)
}

/// Reports a line with an invalid field that identifies the record.
fn complain(line: &Line<'_>, what: Option<String>, report: &mut Report) {
    if let Some(what) = what {
        report.defect("unregistered", &line.place(), &format!("{what}: nothing can resolve to this record"));
    }
}

/// Counts what was registered for a site.
fn count(name: &str, registry: &Registry, report: &mut Report) {
    let (groups, refused) = registry.group_counts();
    report.count("registered", registry.len() as u64);
    report.count("urls", registry.urls() as u64);
    report.count("groups", groups);
    report.count("translations_refused", refused);
    if let Some([one, other]) = registry.of_two_sites() {
        report.warn(&format!(
            "site {name}: {one} and {other} have one id and type: these look like two sites under one label; \
             wp-index --site gives each its own"
        ));
    }
    if refused > 0 {
        report.warn(&format!(
            "{name}: {refused} translations contradict others (two records of one language in a group); they have no target"
        ));
    }
}

/// The second pass's result for a batch, or a part of one.
#[derive(Default)]
struct Second {
    notes: Vec<u8>,
    out: Vec<u8>,
    ends: Vec<u8>,
    lines: u64,
}

impl Second {
    fn write(&mut self, batch: &Batch, rewriter: &mut Rewriter<'_>, said: &mut Notes) {
        self.out.clear();
        self.lines = 0;
        let mut notes = codec::Packed(&self.notes);
        let mut entries = Vec::new();
        for line in batch.lines() {
            let known = recall(&mut notes, &mut entries);
            if matches!(known, Some(LineNote::Foreign)) && is_end(line.bytes) {
                self.ends.extend_from_slice(line.bytes);
                self.ends.push(b'\n');
                continue;
            }
            self.lines += 1;
            let written =
                known.and_then(|known| rewriter.rewrite(line, &known, &mut entries, &mut self.out, said).ok());
            if written.is_none() {
                return said.fatal(format!("{}: has changed while it was read", line.place()));
            }
        }
    }
}
