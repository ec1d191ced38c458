//! The documents of a dataset, one file each: posts, pages, custom types, html records. This module determines a
//! document's file and what other records say about it; the formats write the document.
//!
//! Two passes: whether an id belongs to several documents, who the authors are and what terms are called is known only
//! when all records have been seen ([`Survey`]).

mod comments;
mod survey;

pub(crate) use survey::{Document, Place, Survey, Wanted};

use crate::export::Job;
use crate::export::folder::Folder;
use crate::export::head::Head;
use crate::export::tally::Tally;
use crate::ndjson::{self, Line, describe, gather_lines, repair_surrogates, text_of};
use crate::record::{Comment, Post};
use crate::report::{Error, Notes};
use memchr::memmem;
use std::borrow::Cow;

/// Documents in the order of the input, and what was counted on the way.
#[derive(Default)]
pub(crate) struct Written {
    bytes: Vec<u8>,
    documents: Vec<Entry>,
    tally: Tally,
}

/// A document among others.
struct Entry {
    /// Its file, without the ending.
    file: String,
    kind: String,
    r#type: String,
    /// Where it ends.
    end: usize,
    /// How many records it is made of.
    records: u64,
}

impl Written {
    /// All documents in one stream.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many records they are made of.
    pub(crate) fn records(&self) -> u64 {
        self.documents.iter().map(|entry| entry.records).sum()
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.documents.clear();
    }
}

/// Writes each document to a file of its own, whose name ends in `ending`. A writer appends a document to its `Vec` and
/// gives back of how many records it is made; 0 leaves it out.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_files<W>(
    folder: &mut Folder,
    job: &mut Job<'_>,
    survey: &Survey,
    ending: &str,
    make_writer: impl Fn() -> W + Sync,
) -> Result<Tally, Error>
where
    W: FnMut(&Document<'_>, &mut Vec<u8>) -> u64,
{
    each(job, survey, make_writer, |written| {
        let mut start = 0;
        for entry in &written.documents {
            let types = (Some(entry.kind.as_str()), Some(entry.r#type.as_str()));
            let name = format!("{}{ending}", entry.file);
            folder.write_file(&name, types, &written.bytes[start..entry.end], entry.records)?;
            start = entry.end;
        }
        Ok(())
    })
}

/// Hands all documents to `take` in the order of the input, some at a time; the writer as for [`write_files`].
///
/// # Errors
/// When reading fails, those of `take`, or the report stops the run.
pub(crate) fn each<W>(
    job: &mut Job<'_>,
    survey: &Survey,
    make_writer: impl Fn() -> W + Sync,
    mut take: impl FnMut(&Written) -> Result<(), Error>,
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
                let (kind, r#type, head) = match filed(&line) {
                    Ok(found) => found,
                    Err((what, column)) => return notes.reject(line.place().column(column), what, line.bytes),
                };
                if selection.leaves_out(&kind, &r#type) {
                    return written.tally.leave_out(&kind, &r#type);
                }
                let outcome = match kind.as_str() {
                    "post" | "html" => {
                        let outcome =
                            write_document(&line, (&kind, &r#type), &head, survey, &mut writer, (written, notes));
                        written.tally.count("empty", u64::from(matches!(outcome, Ok(false))));
                        outcome.map(drop)
                    }
                    "comment" if survey.wanted.comments => count_comment(&line, &head, survey, written),
                    _ => {
                        written.tally.leave_out(&kind, &r#type);
                        Ok(())
                    }
                };
                if let Err((what, column)) = outcome {
                    notes.reject(line.place().column(column), what, line.bytes);
                }
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

/// What is wrong with a line, and the column.
type Wrong = (String, u64);

/// The line without escapes of lone surrogates, which strict parsers refuse.
fn sound(json: &[u8]) -> Cow<'_, [u8]> {
    let suspicious = [b"\\ud", b"\\uD"].iter().any(|start| memmem::find(json, *start).is_some());
    let repaired = || std::str::from_utf8(json).ok().and_then(repair_surrogates);
    if suspicious { repaired().map_or(json.into(), |text| text.into_bytes().into()) } else { json.into() }
}

/// Kind and type of a line's record.
fn filed<'l>(line: &Line<'l>) -> Result<(String, String, Head<'l>), Wrong> {
    let head = Head::parse(line.bytes)?;
    let (kind, r#type) = match head.kind_and_type() {
        Some((kind, r#type)) => (kind.to_owned(), r#type.to_owned()),
        None => return Err(("the record has no type, so its file is unknown".to_owned(), 0)),
    };
    Ok((kind, r#type, head))
}

/// Appends a document; false where the writer has left it out.
fn write_document<W>(
    line: &Line<'_>,
    (kind, r#type): (&str, &str),
    head: &Head<'_>,
    survey: &Survey,
    writer: &mut W,
    (written, notes): (&mut Written, &mut Notes),
) -> Result<bool, Wrong>
where
    W: FnMut(&Document<'_>, &mut Vec<u8>) -> u64,
{
    let json = sound(line.bytes);
    let post: Post<'_> = ndjson::from_str(text_of(&json)?).map_err(|error| {
        let (what, column) = describe(error);
        (format!("not the shape of a {type} record: {what}"), column)
    })?;
    let Some(mut document) = survey.document(&post, kind, r#type) else {
        return Err(("the record has neither id nor link, so its file has no name".to_owned(), 0));
    };
    if survey.is_repeated(line) {
        return Err(("a record of the same site, type, id and link came before".to_owned(), 0));
    }
    match survey.comments_of(&document) {
        Ok(comments) => document.comments = comments,
        Err(e) => notes.trouble(format!("the spooled comments cannot be read: {e}")),
    }
    let records = writer(&document, &mut written.bytes);
    if records == 0 {
        written.tally.leave_out(kind, r#type);
        return Ok(false);
    }
    let (file, end) = (document.place.path(), written.bytes.len());
    let (kind, r#type) = (kind.to_owned(), r#type.to_owned());
    written.tally.add(head, &kind, &r#type);
    written.documents.push(Entry { file, kind, r#type, end, records });
    Ok(true)
}

/// A comment is part of its post's document; here it is counted.
fn count_comment(line: &Line<'_>, head: &Head<'_>, survey: &Survey, written: &mut Written) -> Result<(), Wrong> {
    let json = sound(line.bytes);
    let comment: Comment<'_> = ndjson::from_str(text_of(&json)?).map_err(|error| {
        let (what, column) = describe(error);
        (format!("not the shape of a comment record: {what}"), column)
    })?;
    match survey.host_of(&comment) {
        Some(_) => written.tally.add(head, "comment", "comment"),
        None => written.tally.leave_out("comment", "comment"),
    }
    Ok(())
}

#[cfg(test)]
mod tests;
