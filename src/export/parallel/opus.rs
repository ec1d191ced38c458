//! `opus`: pairs of documents in the layout of [OPUS] corpora, which `opus_read` reads: `raw/LANG/SITE/TYPE-ID.xml.gz`
//! for each document, `xml/LANG1-LANG2.xml.gz` for the alignments of two languages, with one `linkGrp` per pair of
//! documents.
//!
//! Sentences are not split: an `s` is a line of the text, in its own `p`; the first is the title, if there is one.
//! Lines are not aligned either: one link joins the titles, another all other lines.
//!
//! [OPUS]: https://opus.nlpl.eu/

use crate::export::dataset::folder::Folder;
use crate::export::dataset::names;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::export::parallel::translated::{Document, Groups, Requirements, body};
use crate::export::xml;
use crate::pairs::Member;
use crate::report::Error;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

const ALIGNMENTS: &[u8] = b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <!DOCTYPE cesAlign PUBLIC \"-//CES//DTD XML cesAlign//EN\" \"\">\n<cesAlign version=\"1.0\">\n";

/// A document whose file is written.
struct Written {
    language: usize,
    /// As an alignment names it: below `raw`, with the ending of a compressed file.
    name: String,
    title: bool,
    lines: usize,
}

/// Writes the documents that are in pairs, and the alignments.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let gathered = Groups::gather(job, &mut tally, &Requirements { link: false, same_language: false, render })?;
    let (mut taken, mut languages) = (names::Taken::default(), names::Names::of_languages());
    let folders: Vec<String> = gathered.languages().iter().map(|tag| languages.name(tag).to_owned()).collect();
    tally.name(&languages);
    let mut files = BTreeMap::new();
    let mut group = String::new();
    gathered.each(&mut tally, |texts| {
        let mut documents = Vec::with_capacity(texts.len());
        for text in texts {
            documents.push(write_document(folder, &mut taken, &folders[text.language], text)?);
        }
        // opus_read looks for the language first that comes first in the alphabet.
        documents.sort_by_key(|document| &folders[document.language]);
        for (i, one) in documents.iter().enumerate() {
            for other in &documents[i + 1..] {
                let pair = (one.language, other.language);
                let number = match files.get(&pair) {
                    Some(&number) => number,
                    None => {
                        let name = format!("xml/{}-{}.xml", folders[pair.0], folders[pair.1]);
                        let number = folder.create(&name, None, None)?;
                        folder.append(number, ALIGNMENTS, 0)?;
                        *files.entry(pair).or_insert(number)
                    }
                };
                group.clear();
                write_group(one, other, &mut group);
                folder.append(number, group.as_bytes(), 1)?;
            }
        }
        Ok(())
    })?;
    files.values().try_for_each(|&number| folder.append(number, b"</cesAlign>\n", 0))?;
    Ok(tally)
}

/// What the spool holds: whether there is a title, how many lines, where the file is to be; the document's link; its content.
fn render(document: &Document<'_>, language: &str, out: &mut Vec<u8>) {
    let title = document.title_line();
    let mut content = String::new();
    let mut lines = 0;
    for line in title.as_deref().map(Into::into).into_iter().chain(document.lines()) {
        lines += 1;
        let _ = write!(content, "  <p id=\"{lines}\"><s id=\"{lines}\">");
        xml::data(&line, &mut content);
        content.push_str("</s></p>\n");
    }
    let (name, link) = (stem(document), document.link.as_deref().unwrap_or_default());
    let mut start = format!("{} {lines} {name}\n{}\n", u8::from(title.is_some()), serde_json::Value::from(link));
    start.push_str("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<document");
    xml::attribute("id", &name, &mut start);
    xml::attribute("lang", document.envelope.language.as_deref().unwrap_or(language), &mut start);
    xml::attribute("url", link, &mut start);
    xml::attribute("group", document.envelope.translation_group.as_deref().unwrap_or_default(), &mut start);
    start.push_str(">\n");
    for part in [&start, &content, "</document>\n"] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// `SITE/TYPE-ID`; of a page without an id `SITE/html-HASH`.
fn stem(document: &Document<'_>) -> String {
    let site = names::part(document.envelope.site.as_deref().filter(|site| !site.is_empty()).unwrap_or("site"));
    let r#type = names::part(document.envelope.r#type.as_deref().unwrap_or("html"));
    match document.id {
        Some(id) => format!("{site}/{type}-{id}"),
        None => {
            format!("{site}/{type}-{:016x}", xxh3_64(document.link.as_deref().unwrap_or_default().as_bytes()))
        }
    }
}

fn write_document(
    folder: &mut Folder,
    taken: &mut names::Taken,
    language: &str,
    text: &Member,
) -> Result<Written, Error> {
    let mut parts = body(text).splitn(3, |byte| *byte == b'\n');
    let mut part = || parts.next().unwrap_or_default();
    let (start, link, content) = (part(), part(), part());
    let start = std::str::from_utf8(start).expect("it was written by us");
    let mut words = start.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (title, lines, stem) = (word() == "1", word().parse().unwrap_or(0), word());
    let link: String = serde_json::from_slice(link).expect("it was written by us");
    // One id may have several links, and two documents of a language may be in different groups.
    let name = taken.unique(format!("{language}/{stem}"), '-', &link) + ".xml";
    folder.write_file(&format!("raw/{name}"), (None, None), content, 1)?;
    Ok(Written { language: text.language, name: format!("{name}.gz"), title, lines })
}

fn write_group(one: &Written, other: &Written, out: &mut String) {
    out.push_str(" <linkGrp targType=\"s\"");
    xml::attribute("fromDoc", &one.name, out);
    xml::attribute("toDoc", &other.name, out);
    out.push_str(">\n");
    let titles = one.title && other.title;
    let mut links = 0;
    let mut link = |from: &str, to: &str| {
        links += 1;
        let _ = writeln!(out, "  <link id=\"SL{links}\" xtargets=\"{from};{to}\" />");
    };
    if titles {
        link("1", "1");
    }
    let from = if titles { 2 } else { 1 };
    link(&numbers(from, one.lines), &numbers(from, other.lines));
    out.push_str(" </linkGrp>\n");
}

fn numbers(from: usize, to: usize) -> String {
    (from..=to).map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
}
