//! Exports all documents by language, as [warc2text] extracts them from a crawl and bitextor reads them:
//! `LANG/text.gz`, `LANG/url.gz`, `LANG/mime.gz`, where line N of each belongs to document N. Translations are ignored:
//! the purpose of such directories is to find them.
//!
//! [warc2text]: https://github.com/bitextor/warc2text

use crate::export::dataset::folder::Folder;
use crate::export::dataset::names::Names;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::parallel::translated::Document;
use crate::language::ranges::Languages;
use crate::ndjson::{Line, gather_lines};
use crate::pairs::NO_LINK;
use crate::report::{Error, Notes};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use std::collections::HashMap;
use std::io::Write as _;

/// The directory of documents without a language: warc2text's own word for languages that it does not know.
const UNKNOWN: &str = "unk";

/// The files of a language.
const FILES: [&str; 3] = ["text", "url", "mime"];

#[derive(Default)]
struct Documents {
    bytes: Vec<u8>,
    documents: Vec<DocumentEnd>,
    tally: Tally,
}

/// The ends of a document's text and URL in the bytes.
struct DocumentEnd {
    language: String,
    text: usize,
    url: usize,
}

/// Writes the directories.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    for reason in ["documents_without_text", "documents_without_language", "documents_in_other_languages", NO_LINK] {
        tally.count(reason, 0);
    }
    let mut files: HashMap<String, [usize; 3]> = HashMap::new();
    let mut names = Names::of_languages();
    let (selection, languages) = (job.selection, job.languages);
    let worker = || {
        move |line: Line<'_>, found: &mut Documents, notes: &mut Notes| {
            let Some(document) = selection.admit(line, &mut found.tally, notes) else { return };
            match found.push(&document, languages) {
                Ok(()) => found.tally.add(&document.envelope),
                Err(reason) => found.tally.leave_out_as(reason, document.envelope.filed()),
            }
        }
    };
    gather_lines(job.input, job.report, job.jobs, worker, |found: &mut Documents| {
        tally.absorb(&mut found.tally);
        let mut start = 0;
        for DocumentEnd { language, text, url } in found.documents.drain(..) {
            if !files.contains_key(&language) {
                let mut numbers = [0; 3];
                for (number, name) in numbers.iter_mut().zip(FILES) {
                    *number = folder.create(&format!("{}/{name}", names.name(&language)), None, None)?;
                }
                files.insert(language.clone(), numbers);
            }
            let numbers = files[&language];
            let lines: [&[u8]; 3] = [&found.bytes[start..text], &found.bytes[text..url], b"text/html\n"];
            for (number, line) in numbers.into_iter().zip(lines) {
                folder.append(number, line, 1)?;
            }
            start = url;
        }
        found.bytes.clear();
        Ok(())
    })?;
    job.languages.warn_of_unused(|name| files.contains_key(name), job.report);
    tally.name(&names);
    Ok(tally)
}

impl Documents {
    /// Adds a document, or returns the reason why it is left out.
    fn push(&mut self, document: &Document<'_>, languages: &Languages) -> Result<(), &'static str> {
        if document.text().is_none() {
            return Err("documents_without_text");
        }
        let language = match document.envelope.language.as_deref().filter(|tag| !tag.is_empty()) {
            Some(tag) => languages.name_of(tag).ok_or("documents_in_other_languages")?.to_owned(),
            None if languages.named().is_empty() => UNKNOWN.to_owned(),
            None => return Err("documents_without_language"),
        };
        let link = document.link.as_deref().filter(|link| !link.is_empty()).ok_or(NO_LINK)?;
        let mut text = Vec::new();
        document.write_text(&mut text);
        self.bytes.extend_from_slice(BASE64_STANDARD.encode(&text).as_bytes());
        self.bytes.push(b'\n');
        let end = self.bytes.len();
        write_cell(&mut self.bytes, link);
        self.bytes.push(b'\n');
        self.documents.push(DocumentEnd { language, text: end, url: self.bytes.len() });
        Ok(())
    }
}

/// Appends a URL or a name; control characters, which would break the line, become %XX. WordPress does not write any.
pub(crate) fn write_cell(out: &mut Vec<u8>, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_control() {
            write!(out, "%{byte:02X}").expect("a Vec takes everything");
        } else {
            out.push(byte);
        }
    }
}
