//! Exports pairs of documents in the format of [bitextor]'s document output: `LANG1-LANG2.documents.gz` with a header
//! `src_url trg_url src_doc trg_doc` and one pair per line, tab-separated, the texts in base64. Bitextor aligns the
//! sentences.
//!
//! [bitextor]: https://github.com/bitextor/bitextor

use crate::export::dataset::folder::Folder;
use crate::export::dataset::names::Names;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::parallel::translated::{Document, Groups, Requirements, body};
use crate::formats::parallel::warc2text::write_cell;
use crate::ndjson::Output;
use crate::pairs::{Member, pairs};
use crate::report::Error;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use std::collections::BTreeMap;

/// The columns of bitextor's rule `make_documents_output_file`.
const HEADER: &[u8] = b"src_url\ttrg_url\tsrc_doc\ttrg_doc\n";

/// Writes a file for each pair of languages.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let (mut files, mut names) = (BTreeMap::new(), Names::of_languages());
    let mut tally = write(job, |languages, pair, line| {
        let number = match files.get(&pair) {
            Some(&number) => number,
            None => {
                let [one, other] = [pair.0, pair.1].map(|language| names.name(&languages[language]).to_owned());
                let number = folder.create(&format!("{one}-{other}.documents"), None, None)?;
                folder.append(number, HEADER, 0)?;
                *files.entry(pair).or_insert(number)
            }
        };
        folder.append(number, line, 1)
    })?;
    tally.name(&names);
    Ok(tally)
}

/// Writes the only file of two languages as a stream.
///
/// # Errors
/// As [`write_folder`], and if `--languages` does not name two.
pub(crate) fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    if job.languages.named().len() != 2 {
        let what = "--format bitextor as one stream needs two --languages; with -d DIR each two have a file";
        return Err(Error::Fatal(what.into()));
    }
    output.write(HEADER)?;
    write(job, |_, _, line| output.write(line))
}

fn write(
    job: &mut Job<'_>,
    mut take: impl FnMut(&[String], (usize, usize), &[u8]) -> Result<(), Error>,
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let gathered = Groups::gather(job, &mut tally, &Requirements { link: true, same_language: false, render })?;
    let mut line = Vec::new();
    gathered.each(&mut tally, |texts| {
        for (one, other) in pairs(texts) {
            let ((url1, text1), (url2, text2)) = (columns(one), columns(other));
            line.clear();
            for (i, column) in [url1, url2, text1, text2].into_iter().enumerate() {
                if i > 0 {
                    line.push(b'\t');
                }
                line.extend_from_slice(column);
            }
            line.push(b'\n');
            take(gathered.languages(), (one.language, other.language), &line)?;
        }
        Ok(())
    })?;
    Ok(tally)
}

fn render(document: &Document<'_>, _: &str, out: &mut Vec<u8>) {
    write_cell(out, document.link.as_deref().unwrap_or_default());
    out.push(b'\t');
    let mut text = Vec::new();
    document.write_text(&mut text);
    out.extend_from_slice(BASE64_STANDARD.encode(&text).as_bytes());
}

/// The URL and the text, as [`render`] wrote them.
fn columns(text: &Member) -> (&[u8], &[u8]) {
    let body = body(text);
    let tab = memchr::memchr(b'\t', body).unwrap_or(body.len());
    (&body[..tab], &body[(tab + 1).min(body.len())..])
}
