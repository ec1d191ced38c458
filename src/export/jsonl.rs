//! Exports the records as lines of JSON, the default format: one file per type, or all in one stream. Content is never changed,
//! except that a value that would make loaders reject a file becomes null.
//!
//! A folder also has documents about its files: a schema for each, loaders that read their types from it, a card, its
//! columns for Hugging Face, and the description for dataset search engines. Each of these has its own module.

mod croissant;
mod infos;
mod loaders;
mod pretty;
mod readme;
mod schema;
mod table;
pub(crate) mod types;

use crate::export::dataset::envelope::Envelope;
use crate::export::dataset::folder::Folder;
use crate::export::dataset::selection::Selection;
use crate::export::dataset::tally::{AddedKey, Tally};
use crate::export::dataset::{card, manifest, names};
use crate::export::job::Job;
use crate::ndjson::{Line, Output, gather_awaited_lines, gather_lines};
use crate::report::{Error, Notes};
use std::collections::HashMap;
#[cfg(feature = "parquet")]
use std::{
    fs::File,
    io::{self, BufReader, Write},
};
use table::Table;
use types::{Added, ValueType};

/// The lines of a batch, in order, and the types that they belong to.
#[derive(Default)]
struct Sorted {
    lines: Vec<u8>,
    runs: Vec<LinesOfType>,
    tally: Tally,
}

/// Consecutive lines of one type.
struct LinesOfType {
    kind: String,
    r#type: String,
    /// Where its lines end in `lines`.
    end: usize,
    records: u64,
    seen: Observed,
}

/// Observations about the records of a type.
#[derive(Default)]
struct Observed {
    /// The length of the longest line in bytes.
    longest: usize,
    /// Keys that record.rs does not define.
    added: Added,
}

/// The most types that the documents about all files describe in full; further types are described only by the manifest and by
/// the file's own schema. Few sites have a hundred types; a site with thousands is broken or hostile, and each type would take
/// 100 KB.
const MOST_DESCRIBED: usize = 500;

impl Sorted {
    /// The run of this type to which the next line belongs.
    fn run(&mut self, kind: &str, r#type: &str) -> &mut LinesOfType {
        let goes_on = self.runs.last().is_some_and(|run| run.r#type == r#type && run.kind == kind);
        if !goes_on {
            let (kind, r#type, end) = (kind.to_owned(), r#type.to_owned(), self.lines.len());
            self.runs.push(LinesOfType { kind, r#type, end, records: 0, seen: Observed::default() });
        }
        self.runs.last_mut().expect("one has been pushed")
    }

    fn push(&mut self, line: &[u8], kind: &str, r#type: &str) {
        self.lines.extend_from_slice(line);
        self.lines.push(b'\n');
        let end = self.lines.len();
        let run = self.run(kind, r#type);
        run.end = end;
        run.records += 1;
        run.seen.longest = run.seen.longest.max(line.len());
    }
}

/// Writes a file per type, and documents about the files. The seven files of the standard types are written even if they are
/// empty.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let (mut tally, seen) = write_files(folder, job, "jsonl")?;
    write_documents(folder, &mut tally, &seen, job)?;
    Ok(tally)
}

/// Writes the same records in files of another format, one per type, and a card. The lines take the place of a file until it is complete,
/// because its shape is known only then; `rewrite` writes the file.
///
/// # Errors
/// As [`write_folder`].
#[cfg(feature = "parquet")]
pub(crate) fn write_rewritten(
    folder: &mut Folder,
    job: &mut Job<'_>,
    (ending, loading): (&str, &str),
    rewrite: fn(BufReader<File>, &mut (dyn Write + Send), &ValueType) -> io::Result<()>,
) -> Result<Tally, Error> {
    let (mut tally, seen) = write_files(folder, job, ending)?;
    let files = folder.complete()?.to_vec();
    let tables = tables(&files, &seen, &mut tally, job);
    for (number, table) in tables.iter().enumerate() {
        folder.rewrite(number, |lines, out| rewrite(lines, out, &table.shape()))?;
    }
    let card = readme::write(&tables, &tally, loading);
    folder.write_document(card::name_in(folder), card.as_bytes())?;
    Ok(tally)
}

/// Writes a file per type with this ending, with the lines of its records; also returns the observations about each type.
fn write_files(folder: &mut Folder, job: &mut Job<'_>, ending: &str) -> Result<(Tally, Vec<Observed>), Error> {
    let (mut numbers, mut seen) = (HashMap::new(), Vec::new());
    let mut stems = names::Taken::default();
    let mut take = |folder: &mut Folder, kind: String, r#type: String, of_run: Observed| {
        let key = (kind, r#type);
        if let Some(&number) = numbers.get(&key) {
            let seen: &mut Observed = &mut seen[number];
            seen.longest = seen.longest.max(of_run.longest);
            seen.added.absorb(of_run.added);
            return Ok(number);
        }
        let stem = stems.unique(names::stem(&key.0, &key.1), '-', &format!("{} {}", key.0, key.1));
        let name = format!("{stem}.{ending}");
        let number = folder.create(&name, Some(&key.0), Some(&key.1))?;
        numbers.insert(key, number);
        seen.push(of_run);
        Ok(number)
    };
    for (kind, r#type, _) in names::STANDARD {
        if !job.selection.leaves_out(kind, r#type) {
            take(folder, kind.into(), r#type.into(), Observed::default())?;
        }
    }
    let mut tally = Tally::default();
    gather_lines(
        job.input,
        job.report,
        job.jobs,
        || sorter(job.selection, true),
        |sorted: &mut Sorted| {
            tally.absorb(&mut sorted.tally);
            let mut start = 0;
            for LinesOfType { kind, r#type, end, records, seen } in sorted.runs.drain(..) {
                let number = take(folder, kind, r#type, seen)?;
                folder.append(number, &sorted.lines[start..end], records)?;
                start = end;
            }
            sorted.lines.clear();
            Ok(())
        },
    )?;
    Ok((tally, seen))
}

/// Writes the lines to `output` in the order of the input, except for those that are left out.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    gather_awaited_lines(
        job.input,
        job.report,
        job.jobs,
        || sorter(job.selection, false),
        |sorted: &mut Sorted, awaited| {
            tally.absorb(&mut sorted.tally);
            output.write(&sorted.lines)?;
            sorted.lines.clear();
            sorted.runs.clear();
            if awaited { output.pause() } else { Ok(()) }
        },
    )?;
    Ok(tally)
}

/// Returns a worker. With `to_files`, a record must have a type, which determines its file, and values whose type is not that
/// of their key become null, because loaders rely on the types.
fn sorter(selection: &Selection, to_files: bool) -> impl FnMut(Line<'_>, &mut Sorted, &mut Notes) {
    let mut long = Vec::new();
    move |line, sorted, notes| {
        let Some(envelope) = line.or_reject(Envelope::parse_noting(line.bytes, &mut long), notes) else { return };
        let (kind, r#type) = envelope.filed();
        if r#type.is_empty() && to_files {
            return notes.reject(line.place(), "the record has no type, so its file is unknown", line.bytes);
        }
        if selection.leave_out(&envelope, &mut sorted.tally) {
            return;
        }
        sorted.tally.add(&envelope);
        let r#type = if kind == names::CHANGE { kind } else { r#type };
        if !to_files {
            return sorted.push(line.bytes, kind, r#type);
        }
        let odd = types::look_at(kind, line.bytes, &long, &mut sorted.run(kind, r#type).seen.added);
        for types::Odd { place, what } in &odd {
            if let Some(what) = what {
                let place = line.place().column(place.start as u64 + 1);
                notes.defect("type", place, format!("{what}; null takes its place"));
            }
        }
        match odd.is_empty() {
            true => sorted.push(line.bytes, kind, r#type),
            false => sorted.push(&types::without(line.bytes, &odd), kind, r#type),
        }
    }
}

/// Collects the data about each file for the documents; `seen` has the observations about its records. Data about all files go
/// into the tally.
fn tables<'f>(
    files: &'f [manifest::File],
    seen: &'f [Observed],
    tally: &mut Tally,
    job: &mut Job<'_>,
) -> Vec<Table<'f>> {
    let mut tables = Vec::new();
    for (file, Observed { longest, added }) in files.iter().zip(seen) {
        let (Some(kind), Some(r#type)) = (file.kind.as_deref(), file.r#type.as_deref()) else { continue };
        let ends = [".jsonl", ".parquet"].into_iter().filter_map(|ending| file.name.rsplit_once(ending)).next();
        let stem = ends.map_or(file.name.as_str(), |(stem, _)| stem);
        let key = |(key, shape): (String, &ValueType)| AddedKey {
            kind: kind.to_owned(),
            r#type: r#type.to_owned(),
            key,
            values: shape.name(),
        };
        tally.added_keys.extend(added.iter().map(key));
        if added.more {
            job.report.warn(&format!(
                "{}: too many added keys, the schema lists the first {}",
                file.name,
                types::MOST_ADDED
            ));
        }
        let (longest, closed) = (*longest, !added.more);
        tables.push(Table { stem, kind, r#type, file, added, longest, closed });
    }
    tally.pseudonyms = job.pseudonyms;
    (tally.step, tally.inputs) = (Some(job.step.clone()), job.report.inputs());
    tally.rejects = job.report.rejects_before();
    tables
}

/// Completes the files and writes the documents about them.
fn write_documents(folder: &mut Folder, tally: &mut Tally, seen: &[Observed], job: &mut Job<'_>) -> Result<(), Error> {
    let files = folder.complete()?.to_vec();
    let mut tables = tables(&files, seen, tally, job);
    for table in &tables {
        folder.write_document(&schema::path(table.stem), &schema::write(table))?;
    }
    if tables.len() > MOST_DESCRIBED {
        let what = "types: the loader for DuckDB, croissant.json and the card describe the first";
        job.report.warn(&format!("{} {what} {MOST_DESCRIBED} files", tables.len()));
        tables.truncate(MOST_DESCRIBED);
    }
    for (name, text) in loaders::write(&tables) {
        folder.write_document(&format!("schema/{name}"), text.as_bytes())?;
    }
    folder.write_document(croissant::NAME, &croissant::write(&tables, tally))?;
    folder.write_document(infos::NAME, infos::write(&tables).as_bytes())?;
    folder.write_document(card::name_in(folder), readme::write(&tables, tally, readme::LOADING).as_bytes())
}
