//! Plain text, one file per document: what most corpus tools read. The texts are those of the records; [`documents`]
//! determines the files. `metadata.tsv` has a row for each, which corpus tools ask for beside the texts.

use crate::export::dataset::folder::Folder;
use crate::export::dataset::names;
use crate::export::dataset::tally::Tally;
use crate::export::documents::{self, Document, Survey, Table, thread};
use crate::export::job::Job;
use crate::report::Error;

/// What the files' names end in.
const ENDING: &str = ".txt";

const METADATA: Table = Table {
    name: names::METADATA,
    header: "file\tsite\tlanguage\ttype\tid\tlink\ttitle\tdate\tmodified\tauthor\tcategories\ttags\ttranslation_group\n",
    row: write_row,
};

/// Writes the files. A document without title and text has none: it is left out and counted (`empty`).
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let survey = Survey::of(job)?;
    documents::write_files(folder, job, &survey, (ENDING, Some(&METADATA)), || write)
}

/// Title, empty line, text; or one of them alone. Comments follow, each behind an empty line.
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

/// The values on one line, separated by tabs; nothing for null. Nothing is quoted: white space within a value is a blank.
fn write_row(document: &Document<'_>, out: &mut Vec<u8>) {
    let post = document.post;
    let file = document.place.path() + ENDING;
    let id = post.id.map(|id| id.to_string());
    let (categories, tags) = (document.categories().join("; "), document.tags().join("; "));
    let values = [
        Some(file.as_str()),
        post.site.as_deref(),
        post.language.as_deref(),
        Some(document.r#type),
        id.as_deref(),
        post.link.as_deref(),
        post.title.text.as_deref(),
        post.date_gmt.as_deref(),
        post.modified_gmt.as_deref(),
        document.author(),
        Some(&categories),
        Some(&tags),
        post.translation_group.as_deref(),
    ];
    for (number, value) in values.into_iter().enumerate() {
        if number > 0 {
            out.push(b'\t');
        }
        let words = value.unwrap_or_default().split(|c: char| c.is_whitespace() || c.is_control());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        out.extend_from_slice(words.join(" ").as_bytes());
    }
    out.push(b'\n');
}
