//! Exports documents as plain text, one file each, which most corpus tools read. The texts are those of the records;
//! [`documents`] determines the files. `metadata.tsv` has a row for each file, because corpus tools need one.

use crate::export::dataset::folder::Folder;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::documents::metadata::metadata;
use crate::formats::documents::{self, Document, Survey, thread};
use crate::report::Error;

const ENDING: &str = ".txt";

/// Writes the files. A document without title, text and comments is left out and counted (`empty`).
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let survey = Survey::of(job)?;
    documents::write_files(folder, job, &survey, (ENDING, Some(&metadata(ENDING))), || write)
}

/// Writes title, empty line, text, or only one of the two. Comments follow, each after an empty line.
fn write(document: &Document<'_>, out: &mut Vec<u8>) -> u64 {
    let parts =
        [&document.post.title.text, &document.post.content.text].map(|text| text.as_deref().unwrap_or_default());
    let [title, text] = parts.map(|text| text.trim_matches(['\n', '\r']));
    let comments = thread::texts(&document.comments);
    let said = comments.iter().map(|text| text.trim_matches(['\n', '\r']));
    if title.is_empty() && text.is_empty() && comments.is_empty() {
        return 0;
    }
    for (number, part) in [title, text].into_iter().chain(said).filter(|part| !part.is_empty()).enumerate() {
        if number > 0 {
            out.push(b'\n');
        }
        out.extend_from_slice(part.as_bytes());
        out.push(b'\n');
    }
    1 + comments.len() as u64
}
