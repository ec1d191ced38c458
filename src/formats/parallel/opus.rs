//! Exports pairs of documents in the layout of [OPUS] corpora, which `opus_read` reads: `raw/LANG/SITE/TYPE-ID.xml.gz` for each
//! document, `xml/LANG1-LANG2.xml.gz` for the alignments of two languages, with one `linkGrp` per pair of documents.
//!
//! The sentences of records are not split: an `s` is a line of the text, in its own `p`; the first is the title, if there is
//! one. Lines are not aligned, either: one link joins the titles, another one all other lines. Alignments have sentences and
//! links ([`sentences`]); if there are any, the corpus is made from them alone.
//!
//! [OPUS]: https://opus.nlpl.eu/

mod sentences;

use crate::export::dataset::envelope::Envelope;
use crate::export::dataset::folder::Folder;
use crate::export::dataset::names;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::parallel::translated::{ALIGNMENTS_IN_OTHER_LANGUAGES, Document, Groups, Requirements, body};
use crate::formats::xml;
use crate::pairs::Member;
use crate::report::Error;
use sentences::Sentences;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

const ALIGNMENTS: &[u8] = b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <!DOCTYPE cesAlign PUBLIC \"-//CES//DTD XML cesAlign//EN\" \"\">\n<cesAlign version=\"1.0\">\n";

/// A document whose file has been written.
struct Written {
    language: String,
    /// Its name in alignments: the path below `raw`, with the ending of a compressed file.
    name: String,
    title: bool,
    lines: usize,
}

/// Writes the documents that are in pairs, and the alignments.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let (mut corpus, mut sentences) = (Corpus::new(folder), Sentences::new()?);
    let (wanted, asked) = (Requirements { link: false, same_language: false, render }, job.languages);
    let mut take = |line: &[u8]| sentences.take(line, asked, &mut corpus);
    let gathered = Groups::gather_beside(job, &mut tally, &wanted, Some(&mut take))?;
    asked.warn_of_unused(|name| gathered.has(name) || sentences.has(name), job.report);
    let in_others = tally.counts.get(ALIGNMENTS_IN_OTHER_LANGUAGES).is_some_and(|count| *count > 0);
    let has_alignments = !sentences.is_empty() || in_others;
    sentences.finish(&mut corpus, &mut tally)?;
    if has_alignments {
        // Otherwise, the documents of the alignments would be in the corpus twice: the second time by lines.
        let beside = gathered.leave_out(&mut tally)?;
        tally.count("records_beside_alignments", beside);
        if beside > 0 {
            job.report.warn(&format!("alignments are written, and {beside} records beside them are not"));
        }
        corpus.finish(&mut tally)?;
        return Ok(tally);
    }
    let folders: Vec<String> = gathered.languages().iter().map(|tag| corpus.languages.name(tag).to_owned()).collect();
    gathered.each(&mut tally, |texts| {
        let mut documents = Vec::with_capacity(texts.len());
        for text in texts {
            documents.push(write_document(&mut corpus, &folders[text.language], text)?);
        }
        documents.sort_by(|a, b| a.language.cmp(&b.language));
        let mut group = String::new();
        for (i, one) in documents.iter().enumerate() {
            for other in &documents[i + 1..] {
                group.clear();
                write_group(one, other, &mut group);
                corpus.append(&one.language, &other.language, &group)?;
            }
        }
        Ok(())
    })?;
    corpus.finish(&mut tally)?;
    Ok(tally)
}

struct Corpus<'f> {
    folder: &'f mut Folder,
    taken: names::Taken,
    languages: names::Names,
    files: BTreeMap<String, usize>,
}

impl<'f> Corpus<'f> {
    fn new(folder: &'f mut Folder) -> Self {
        let (taken, languages) = (names::Taken::default(), names::Names::of_languages());
        Corpus { folder, taken, languages, files: BTreeMap::new() }
    }

    /// Reserves a name for a document: one id may have several links, and two documents in one language may be in different
    /// groups.
    fn name(&mut self, language: &str, stem: &str, link: &str) -> String {
        self.taken.unique(format!("{language}/{stem}"), '-', link) + ".xml"
    }

    /// Appends to the alignments of two languages. `one` must be the language that opus_read looks for first: the first in the
    /// alphabet.
    fn append(&mut self, one: &str, other: &str, group: &str) -> Result<(), Error> {
        let name = format!("xml/{one}-{other}.xml");
        let number = match self.files.get(&name) {
            Some(&number) => number,
            None => {
                let number = self.folder.create(&name, None, None)?;
                self.folder.append(number, ALIGNMENTS, 0)?;
                *self.files.entry(name).or_insert(number)
            }
        };
        self.folder.append(number, group.as_bytes(), 1)
    }

    fn finish(self, tally: &mut Tally) -> Result<(), Error> {
        tally.name(&self.languages);
        self.files.values().try_for_each(|&number| self.folder.append(number, b"</cesAlign>\n", 0))
    }
}

/// Writes a document for the spool: whether there is a title, the number of lines, the path of the file; the document's link;
/// its content.
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
    let language = document.envelope.language.as_deref().unwrap_or(language);
    let group = document.envelope.translation_group.as_deref();
    open_document(&name, language, link, group.unwrap_or_default(), &mut start);
    for part in [&start, &content, "</document>\n"] {
        out.extend_from_slice(part.as_bytes());
    }
}

fn open_document(name: &str, language: &str, link: &str, group: &str, out: &mut String) {
    out.push_str("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<document");
    for (key, value) in [("id", name), ("lang", language), ("url", link), ("group", group)] {
        xml::attribute(key, value, out);
    }
    out.push_str(">\n");
}

fn stem(document: &Document<'_>) -> String {
    let Envelope { site, r#type, .. } = &document.envelope;
    stem_of(site.as_deref(), r#type.as_deref(), document.id, document.link.as_deref())
}

/// The path of a document without its ending: `SITE/TYPE-ID`; for a page without an id, `SITE/html-HASH`.
fn stem_of(site: Option<&str>, r#type: Option<&str>, id: Option<i64>, link: Option<&str>) -> String {
    let site = names::part(site.filter(|site| !site.is_empty()).unwrap_or("site"));
    let r#type = names::part(r#type.unwrap_or("html"));
    match id {
        Some(id) => format!("{site}/{type}-{id}"),
        None => format!("{site}/{type}-{:016x}", xxh3_64(link.unwrap_or_default().as_bytes())),
    }
}

fn write_document(corpus: &mut Corpus<'_>, language: &str, text: &Member) -> Result<Written, Error> {
    let mut parts = body(text).splitn(3, |byte| *byte == b'\n');
    let mut part = || parts.next().unwrap_or_default();
    let (start, link, content) = (part(), part(), part());
    let start = std::str::from_utf8(start).expect("it was written by us");
    let mut words = start.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (title, lines, stem) = (word() == "1", word().parse().unwrap_or(0), word());
    let link: String = serde_json::from_slice(link).expect("it was written by us");
    let name = corpus.name(language, stem, &link);
    corpus.folder.write_file(&format!("raw/{name}"), (None, None), content, 1)?;
    Ok(Written { language: language.to_owned(), name: format!("{name}.gz"), title, lines })
}

fn write_group(one: &Written, other: &Written, out: &mut String) {
    open_group(&one.name, &other.name, out);
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

fn open_group(one: &str, other: &str, out: &mut String) {
    out.push_str(" <linkGrp targType=\"s\"");
    xml::attribute("fromDoc", one, out);
    xml::attribute("toDoc", other, out);
    out.push_str(">\n");
}

fn numbers(from: usize, to: usize) -> String {
    (from..=to).map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
}
