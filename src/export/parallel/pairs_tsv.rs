//! `pairs:tsv`: the URLs of documents that are translations of each other, two per line. Other formats have the texts.

use crate::export::dataset::tally::Tally;
use crate::export::job::{Job, Put};
use crate::export::parallel::translated::{Document, Groups, Requirements, body, counted};
use crate::pairs::pairs;
use crate::report::Error;
use std::io::Write as _;

const HEADER: &[u8] = b"language1\tlanguage2\turl1\turl2\tgroup\n";

/// Writes `pairs.tsv`.
pub(crate) fn write(job: &mut Job<'_>, put: &mut Put<'_>) -> Result<Tally, Error> {
    put(HEADER, 0)?;
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
            put(&line, 1)?;
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
