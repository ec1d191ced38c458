//! Collects the documents of a dataset, one file each: posts, pages, custom types, html records. This module determines a document's file
//! and the information from other records; the formats write the document.
//!
//! There are two passes, because only the first one shows whether an id belongs to several documents, who the authors are, and what terms
//! are called ([`Survey`]).

mod comments;
mod document;
pub(crate) mod flat;
mod glimpse;
mod identity;
mod links;
pub(crate) mod markdown;
mod metadata;
mod survey;
pub(crate) mod tei;
pub(crate) mod text;
mod thread;
pub(crate) mod vert;

pub(crate) use document::{Document, Table};
pub(crate) use survey::{COMMENTS, DocumentFile, SLUG, Survey};

use crate::export::dataset::envelope::{Envelope, Own, Wrong};
use crate::export::dataset::folder::Folder;
use crate::export::dataset::selection::Selection;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::ndjson::{self, Line, describe, gather_lines, text_of};
use crate::record::Post;
use crate::report::{Error, Notes};
use identity::sound;

/// Documents in the order of the input, and the counts of their records.
#[derive(Default)]
pub(crate) struct Written {
    bytes: Vec<u8>,
    /// The rows of the table beside the documents.
    rows: Vec<u8>,
    documents: Vec<WrittenDocument>,
    tally: Tally,
}

/// A document in [`Written`].
pub(crate) struct WrittenDocument {
    /// Its file, without the ending.
    pub(crate) file: String,
    kind: String,
    r#type: String,
    end: usize,
    /// The number of records that the document consists of.
    pub(crate) records: u64,
}

impl Written {
    /// The bytes of all documents, one after the other.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of records that the documents consist of.
    pub(crate) fn records(&self) -> u64 {
        self.documents.iter().map(|entry| entry.records).sum()
    }

    pub(crate) fn each(&self, mut take: impl FnMut(&WrittenDocument, &[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut start = 0;
        for entry in &self.documents {
            take(entry, &self.bytes[start..entry.end])?;
            start = entry.end;
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
        self.documents.clear();
    }
}

/// Writes each document to a file of its own, whose name ends in `ending`, and its row to a table beside the files. A writer appends a
/// document to its `Vec` and returns the number of records that the document consists of; 0 leaves the document out.
pub(crate) fn write_files<W>(
    folder: &mut Folder,
    job: &mut Job<'_>,
    survey: &Survey,
    (ending, table): (&str, Option<&Table>),
    make_writer: impl Fn() -> W + Sync,
) -> Result<Tally, Error>
where
    W: FnMut(&Document<'_>, &mut Vec<u8>) -> u64,
{
    let mut rows = table.map(|table| table.header.as_bytes().to_vec()).unwrap_or_default();
    let mut tally = each_with_row(job, survey, table, make_writer, |written| {
        rows.extend_from_slice(&written.rows);
        written.each(|entry, document| {
            let types = (Some(entry.kind.as_str()), Some(entry.r#type.as_str()));
            folder.write_file(&format!("{}{ending}", entry.file), types, document, entry.records)
        })
    })?;
    table.map_or(Ok(()), |table| folder.write_document(table.name, &rows))?;
    tally.name(survey.folders());
    Ok(tally)
}

/// Passes all documents to `take` in the order of the input, some at a time. The writer is as in [`write_files`].
pub(crate) fn each<W>(
    job: &mut Job<'_>,
    survey: &Survey,
    make_writer: impl Fn() -> W + Sync,
    take: impl FnMut(&Written) -> Result<(), Error> + Send,
) -> Result<Tally, Error>
where
    W: FnMut(&Document<'_>, &mut Vec<u8>) -> u64,
{
    each_with_row(job, survey, None, make_writer, take)
}

fn each_with_row<W>(
    job: &mut Job<'_>,
    survey: &Survey,
    table: Option<&Table>,
    make_writer: impl Fn() -> W + Sync,
    mut take: impl FnMut(&Written) -> Result<(), Error> + Send,
) -> Result<Tally, Error>
where
    W: FnMut(&Document<'_>, &mut Vec<u8>) -> u64,
{
    let mut tally = Tally::default();
    let selection = job.selection;
    gather_lines(
        job.input,
        job.report,
        job.jobs,
        || {
            let mut writer = make_writer();
            move |line: Line<'_>, written: &mut Written, notes: &mut Notes| {
                let taken = take_line(&line, selection, (survey, table), &mut writer, (written, notes));
                line.or_reject(taken, notes);
            }
        },
        |written: &mut Written| {
            tally.absorb(&mut written.tally);
            take(written)?;
            written.clear();
            Ok(())
        },
    )?;
    Ok(tally)
}

impl<'a> Own<'a> for Post<'a> {}

/// Appends the document of a line, or counts the line if it is something else.
fn take_line<W>(
    line: &Line<'_>,
    selection: &Selection,
    (survey, table): (&Survey, Option<&Table>),
    writer: &mut W,
    (written, notes): (&mut Written, &mut Notes),
) -> Result<(), Wrong>
where
    W: FnMut(&Document<'_>, &mut Vec<u8>) -> u64,
{
    let json = sound(line.bytes);
    let (envelope, post) = Envelope::with::<Post<'_>>(&json)?;
    let Some((kind, r#type)) = envelope.kind_and_type() else {
        return Err(("the record has no type, so its file is unknown".to_owned(), 0));
    };
    if selection.leave_out(&envelope, &mut written.tally) {
        return Ok(());
    }
    let is_written = match kind {
        "post" | "html" => {
            let post = post.map_err(|(what, column)| (misshapen(r#type, &what), column))?;
            let record = (kind, r#type, &*json);
            let is_written = write_document(line, record, &post, (survey, table), writer, (written, notes))?;
            written.tally.count("empty", u64::from(!is_written));
            is_written
        }
        // A comment is part of its post's document; here it is only counted.
        "comment" if survey.has_comments => {
            let comment = ndjson::from_str(text_of(&json)?).map_err(|error| {
                let (what, column) = describe(error);
                (misshapen("comment", &what), column)
            })?;
            survey.host_of(&comment).is_some()
        }
        _ => false,
    };
    match is_written {
        true => written.tally.add(&envelope),
        false => written.tally.leave_out(kind, r#type),
    }
    Ok(())
}

fn misshapen(r#type: &str, what: &str) -> String {
    format!("not the shape of a {type} record: {what}")
}

/// Appends a document; returns false if the writer has left it out.
fn write_document<W>(
    line: &Line<'_>,
    (kind, r#type, json): (&str, &str, &[u8]),
    post: &Post<'_>,
    (survey, table): (&Survey, Option<&Table>),
    writer: &mut W,
    (written, notes): (&mut Written, &mut Notes),
) -> Result<bool, Wrong>
where
    W: FnMut(&Document<'_>, &mut Vec<u8>) -> u64,
{
    let Some(mut document) = Document::of(survey, post, json, (kind, r#type)) else {
        return Err(("the record has neither id nor link, so its file has no name".to_owned(), 0));
    };
    if survey.is_repeated(line) {
        return Err(("a record of the same site, type, id and link came before".to_owned(), 0));
    }
    match survey.comments_of(document.identity()) {
        Ok(comments) => document.comments = comments,
        Err(e) => notes.fatal(format!("the spooled comments cannot be read: {e}")),
    }
    let start = written.bytes.len();
    let records = writer(&document, &mut written.bytes);
    if written.bytes.len() - start > survey.max_record {
        written.bytes.truncate(start);
        let name = post.id.map_or_else(|| r#type.to_owned(), |id| format!("{type} {id}"));
        return Err((format!("its document would be longer than --max-record allows ({name})"), 0));
    }
    if records > 0 {
        for (name, is_nameless) in crate::export::NAMELESS.into_iter().zip(document.are_nameless()) {
            written.tally.count(name, u64::from(is_nameless));
        }
        if let Some(table) = table {
            (table.row)(&document, table.ending, &mut written.rows);
        }
        let (file, end) = (document.place.path(), written.bytes.len());
        let (kind, r#type) = (kind.to_owned(), r#type.to_owned());
        written.documents.push(WrittenDocument { file, kind, r#type, end, records });
    }
    Ok(records > 0)
}

#[cfg(test)]
mod tests;
