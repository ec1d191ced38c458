//! `pairs-tsv`: the URLs of documents that are translations of each other, two per line. Other formats have the texts.

use crate::export::dataset::folder::Folder;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::export::parallel::translated::{Document, Groups, Requirements, body, counted};
use crate::ndjson::Output;
use crate::pairs::pairs;
use crate::report::Error;
use std::io::Write as _;

const HEADER: &[u8] = b"language1\tlanguage2\turl1\turl2\tgroup\n";

/// Writes `pairs.tsv`.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let number = folder.create("pairs.tsv", None, None)?;
    folder.append(number, HEADER, 0)?;
    write(job, |line| folder.append(number, line, 1))
}

/// Writes the same lines as one stream.
pub(crate) fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    output.write(HEADER)?;
    write(job, |line| output.write(line))
}

fn write(job: &mut Job<'_>, mut take: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let render = |document: &Document<'_>, _: &str, out: &mut Vec<u8>| {
        write_cell(out, document.link.as_deref().unwrap_or_default());
    };
    let gathered = Groups::gather(job, &mut tally, &Requirements { link: true, same_language: false, render })?;
    let mut line = Vec::new();
    gathered.each(&mut tally, |texts| {
        for (one, other) in pairs(texts) {
            line.clear();
            for text in [one, other] {
                write_cell(&mut line, &gathered.languages()[text.language]);
                line.push(b'\t');
            }
            for text in [one, other] {
                line.extend_from_slice(body(text));
                line.push(b'\t');
            }
            write_cell(&mut line, counted(one).translation_group.as_deref().unwrap_or_default());
            line.push(b'\n');
            take(&line)?;
        }
        Ok(())
    })?;
    Ok(tally)
}

/// Appends a URL or a name; the control characters that would break the line become %XX. WordPress writes none.
pub(crate) fn write_cell(out: &mut Vec<u8>, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_control() {
            write!(out, "%{byte:02X}").expect("a Vec takes everything");
        } else {
            out.push(byte);
        }
    }
}
