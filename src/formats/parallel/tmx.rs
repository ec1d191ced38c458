//! Exports sentence pairs as translation memories in [TMX 1.4b], one file for each pair of languages. A unit is a link of an alignment
//! with two sides; it has the link's score, and each variant has the URL of its document. There is no date, so that the same input gives
//! the same bytes.
//!
//! [TMX 1.4b]: https://www.gala-global.org/tmx-14b

use super::aligned::{each, language, text};
use crate::export::dataset::folder::Folder;
use crate::export::dataset::names::Names;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::xml;
use crate::ndjson::Output;
use crate::record::{Aligned, Alignment, Sentence, Side};
use crate::report::Error;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const END: &[u8] = b"</body>\n</tmx>\n";

/// Writes `LANG1-LANG2.tmx` for each pair of languages.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let (mut files, mut names) = (BTreeMap::new(), Names::of_languages());
    let mut tally = each(job, unit, |languages, parts| {
        let number = match files.get(languages) {
            Some(&number) => number,
            None => {
                let [one, other] = [0, 1].map(|at| names.name(&languages[at]).to_owned());
                let number = folder.create(&format!("{one}-{other}.tmx"), None, None)?;
                folder.append(number, header(&languages[0]).as_bytes(), 0)?;
                *files.entry(languages.clone()).or_insert(number)
            }
        };
        folder.append(number, &parts[0], 1)
    })?;
    files.values().try_for_each(|&number| folder.append(number, END, 0))?;
    tally.name(&names);
    Ok(tally)
}

/// Writes the units of all languages as one file.
pub(crate) fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    output.write(header("*all*").as_bytes())?;
    let tally = each(job, unit, |_, parts| output.write(&parts[0]))?;
    output.write(END)?;
    Ok(tally)
}

fn header(language: &str) -> String {
    let mut header =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\">\n\
        <header creationtool=\"wp-export\""
            .to_owned();
    xml::attribute("creationtoolversion", env!("CARGO_PKG_VERSION"), &mut header);
    xml::attribute("srclang", language, &mut header);
    header + " segtype=\"block\" o-tmf=\"wp-records\" adminlang=\"en\" datatype=\"plaintext\"/>\n<body>\n"
}

fn unit(alignment: &Alignment<'_>, link: &Aligned<'_>, parts: &mut [Vec<u8>; 3]) {
    let mut out = "<tu>".to_owned();
    if let Some(score) = link.score {
        let _ = write!(out, "<prop type=\"score\">{score}</prop>");
    }
    property("site", alignment.site.as_deref(), &mut out);
    property("group", alignment.group.as_deref(), &mut out);
    out.push('\n');
    variant(&alignment.from, &link.from, &mut out);
    variant(&alignment.to, &link.to, &mut out);
    out.push_str("</tu>\n");
    parts[0].extend_from_slice(out.as_bytes());
}

fn property(name: &str, value: Option<&str>, out: &mut String) {
    if let Some(value) = value {
        let _ = write!(out, "<prop type=\"{name}\">");
        xml::data(value, out);
        out.push_str("</prop>");
    }
}

fn variant(side: &Side<'_>, sentences: &[Sentence<'_>], out: &mut String) {
    let language = language(side);
    out.push_str("<tuv");
    xml::attribute("xml:lang", &language, out);
    out.push('>');
    property("url", side.link.as_deref(), out);
    out.push_str("<seg>");
    xml::data(&text(sentences, &language), out);
    out.push_str("</seg></tuv>\n");
}
