//! The default format: the lines unchanged, one file per type or all in one stream. The manifest's counts are taken as
//! the lines pass.

use crate::export::folder::Folder;
use crate::export::selection::Selection;
use crate::export::shape::Shapes;
use crate::export::tally::{Head, Tally};
use crate::export::{Job, beside, names};
use crate::ndjson::{Line, Output, gather_awaited_lines, gather_lines};
use crate::report::{Error, Notes};
use std::collections::HashMap;

/// Lines of a batch in their order, and where each belongs.
#[derive(Default)]
struct Sorted {
    lines: Vec<u8>,
    runs: Vec<Run>,
    tally: Tally,
    /// What is new in the shapes of records, where a file a type is written.
    shapes: Shapes,
}

/// Lines of one type that follow each other.
struct Run {
    kind: String,
    r#type: String,
    /// Where they end in `lines`.
    end: usize,
    records: u64,
}

impl Sorted {
    fn push(&mut self, line: &[u8], kind: &str, r#type: &str) {
        self.lines.extend_from_slice(line);
        self.lines.push(b'\n');
        let end = self.lines.len();
        match self.runs.last_mut() {
            Some(run) if run.r#type == r#type && run.kind == kind => {
                run.end = end;
                run.records += 1;
            }
            _ => self.runs.push(Run { kind: kind.to_owned(), r#type: r#type.to_owned(), end, records: 1 }),
        }
    }

    /// Each run with its lines; empties the whole.
    fn drain(&mut self, mut take: impl FnMut(&Run, &[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut start = 0;
        for run in self.runs.drain(..) {
            take(&run, &self.lines[start..run.end])?;
            start = run.end;
        }
        self.lines.clear();
        Ok(())
    }
}

/// Writes a file a type, and documents about them. The seven files of the standard types are there even when they are
/// empty.
///
/// # Errors
/// When reading or writing fails, two types would have the same file, or the report stops the run.
pub fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut numbers = HashMap::new();
    let mut number_of = |folder: &mut Folder, kind: &str, r#type: &str| {
        let key = (kind.to_owned(), r#type.to_owned());
        if let Some(&number) = numbers.get(&key) {
            return Ok(number);
        }
        let number = folder.create(&format!("{}.jsonl", names::stem(kind, r#type)), Some(kind), Some(r#type))?;
        numbers.insert(key, number);
        Ok(number)
    };
    for (kind, r#type, _) in names::STANDARD {
        if !job.selection.leaves_out(kind, r#type) {
            number_of(folder, kind, r#type)?;
        }
    }
    let (mut tally, mut shapes) = (Tally::default(), Shapes::default());
    gather_lines(
        job.input,
        job.report,
        job.jobs,
        || sorter(job.selection, true),
        |sorted: &mut Sorted| {
            tally.absorb(&mut sorted.tally);
            shapes.absorb(&mut sorted.shapes);
            sorted.drain(|run, lines| {
                let number = number_of(folder, &run.kind, &run.r#type)?;
                folder.append(number, lines, run.records)
            })
        },
    )?;
    beside::write(folder, &tally, &mut shapes)?;
    Ok(tally)
}

/// Writes the lines to `output` in the order they came, but for those that are left out.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    gather_awaited_lines(
        job.input,
        job.report,
        job.jobs,
        || sorter(job.selection, false),
        |sorted: &mut Sorted, awaited| {
            tally.absorb(&mut sorted.tally);
            output.write(&sorted.lines)?;
            sorted.drain(|_, _| Ok(()))?;
            if awaited { output.pause() } else { Ok(()) }
        },
    )?;
    Ok(tally)
}

/// A worker. With `to_files`, a record must have a type, which determines its file.
fn sorter(selection: &Selection, to_files: bool) -> impl FnMut(Line<'_>, &mut Sorted, &mut Notes) {
    let mut shapes = Shapes::default();
    move |line, sorted, notes| {
        // Most records are of a known shape, and read in the same pass in which this is seen.
        let fitting = shapes.of_line(line.bytes).and_then(|shape| Head::of_shape(line.bytes, shape));
        let fits = fitting.is_some();
        let head = match fitting.map_or_else(|| Head::parse(line.bytes), Ok) {
            Ok(head) => head,
            Err((what, column)) => return notes.reject(line.place().column(column), what, line.bytes),
        };
        let (kind, r#type) = match head.kind_and_type() {
            Some(found) => found,
            None if !to_files => (head.kind.as_deref().unwrap_or_default(), ""),
            None => return notes.reject(line.place(), "the record has no type, so no file to go to", line.bytes),
        };
        if selection.leaves_out(kind, r#type) {
            return sorted.tally.leave_out(kind, r#type);
        }
        shapes.take_in(line.bytes, fits, (kind, r#type), &mut sorted.shapes);
        sorted.tally.add(&head, kind, r#type);
        sorted.push(line.bytes, kind, r#type);
    }
}
