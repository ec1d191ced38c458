//! Writes the table beside documents, `metadata.tsv`: the record of each file, with the columns that corpus tools need.

use super::document::{Document, Table};
use crate::export::dataset::names;

/// The table for files with this ending.
pub(crate) fn metadata(ending: &'static str) -> Table {
    Table {
        name: names::METADATA,
        header: "file\tsite\tlanguage\ttype\tid\tlink\ttitle\tdate\tmodified\tauthor\tcategories\ttags\ttranslation_group\tkind\n",
        ending,
        row: write_row,
    }
}

/// Writes the values on one line, separated by tabs; null is empty. Values are not quoted: white space within one becomes
/// a blank.
fn write_row(document: &Document<'_>, ending: &str, out: &mut Vec<u8>) {
    let post = document.post;
    let file = document.place.path() + ending;
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
        document.published(),
        post.modified_gmt.as_deref(),
        document.author(),
        Some(&categories),
        Some(&tags),
        post.translation_group.as_deref(),
        Some(document.kind),
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
