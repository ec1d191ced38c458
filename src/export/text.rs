//! Plain text, one file per document: what most corpus tools read. The texts are those of the records; [`documents`]
//! determines the files.

use crate::export::Job;
use crate::export::documents::{self, Document, Extras, Survey};
use crate::export::folder::Folder;
use crate::export::tally::Tally;
use crate::report::Error;

/// Writes the files. A document without title and text has none: it is left out and counted (`empty`).
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let survey = Survey::of(job, Extras::default())?;
    documents::write_files(folder, job, &survey, ".txt", || write)
}

/// Title, empty line, text; or one of them alone.
fn write(document: &Document<'_>, out: &mut Vec<u8>) -> u64 {
    let parts =
        [&document.post.title.text, &document.post.content.text].map(|text| text.as_deref().unwrap_or_default());
    let [title, text] = parts.map(|text| text.trim_matches(['\n', '\r']));
    for (number, part) in [title, text].into_iter().filter(|part| !part.is_empty()).enumerate() {
        if number > 0 {
            out.push(b'\n');
        }
        out.extend_from_slice(part.as_bytes());
        out.push(b'\n');
    }
    u64::from(!title.is_empty() || !text.is_empty())
}
