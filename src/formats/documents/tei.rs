//! Exports documents as [TEI P5](https://tei-c.org/guidelines/p5/), one file each or all in one teiCorpus, for archives and corpus
//! tools. The header has the fields of the record; the body has the structure of the content, followed by the comments as divisions.
//!
//! Every document is valid according to tei_all, and according to the DTD that trafilatura uses for its own corpora, with TEI's
//! table, row and cell added. Memory: one document per thread, and the [`Survey`].

mod body;
mod comments;
mod time;

use crate::export::dataset::folder::Folder;
use crate::export::dataset::tally::Tally;
use crate::export::files::reference;
use crate::export::job::Job;
use crate::formats::documents::metadata::metadata;
use crate::formats::documents::{self, Document, DocumentFile, SLUG, Survey};
use crate::formats::xml;
use crate::html::structure::Structure;
use crate::ndjson::Output;
use crate::record::Translation;
use crate::report::Error;
use body::Body;
use std::fmt::Write as _;
use time::write_when;

/// The ending of the file names.
const ENDING: &str = ".xml";

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";

/// Whether each document has its own file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    Files,
    Corpus,
}

/// Writes one file per document.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let survey = Survey::with_comments(job)?.linking(job, ENDING);
    let table = (job.links || job.has(SLUG)).then(|| metadata(ENDING));
    documents::write_files(folder, job, &survey, (ENDING, table.as_ref()), || writer(Arrangement::Files))
}

/// Writes one teiCorpus, `corpus.xml`.
///
/// # Errors
/// As [`write_folder`].
pub(crate) fn write_corpus_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let number = folder.create("corpus.xml", None, None)?;
    write_corpus(job, |bytes, records| folder.append(number, bytes, records))
}

/// Writes one teiCorpus as a stream.
///
/// # Errors
/// As [`write_folder`].
pub(crate) fn write_corpus_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    write_corpus(job, |bytes, _| output.write(bytes))
}

fn write_corpus(
    job: &mut Job<'_>,
    mut put: impl FnMut(&[u8], u64) -> Result<(), Error> + Send,
) -> Result<Tally, Error> {
    let survey = Survey::with_comments(job)?;
    put(corpus_start(&survey).as_bytes(), 0)?;
    let mut empty = true;
    let tally = documents::each(
        job,
        &survey,
        || writer(Arrangement::Corpus),
        |written| {
            empty &= written.records() == 0;
            put(written.bytes(), written.records())
        },
    )?;
    put(b"</teiCorpus>\n", 0)?;
    if empty {
        job.report.warn("no documents: a teiCorpus without any is not valid");
    }
    Ok(tally)
}

fn corpus_start(survey: &Survey) -> String {
    let mut out =
        format!("{DECLARATION}<teiCorpus xmlns=\"{NAMESPACE}\">\n<teiHeader>\n<fileDesc>\n<titleStmt><title>");
    xml::text(&survey.sites().join(", "), &mut out);
    out.push_str("</title></titleStmt>\n<publicationStmt><p/></publicationStmt>\n<sourceDesc>");
    for site in survey.sites() {
        out.push_str("<bibl><title>");
        xml::text(site, &mut out);
        out.push_str("</title></bibl>");
    }
    out.push_str(if survey.sites().is_empty() { "<p/></sourceDesc>\n" } else { "</sourceDesc>\n" });
    out.push_str("</fileDesc>\n");
    write_languages(&survey.tags(), &mut out);
    out.push_str("</teiHeader>\n");
    out
}

/// Writes `langUsage` in its own `profileDesc`; nothing without languages.
fn write_languages(tags: &[&str], out: &mut String) {
    if !tags.is_empty() {
        out.push_str("<profileDesc>\n");
        write_language_list(tags, out);
        out.push_str("</profileDesc>\n");
    }
}

fn write_language_list(tags: &[&str], out: &mut String) {
    out.push_str("<langUsage>");
    for tag in tags {
        out.push_str("<language");
        xml::attribute("ident", tag, out);
        out.push('>');
        xml::text(tag, out);
        out.push_str("</language>");
    }
    out.push_str("</langUsage>\n");
}

fn writer(arrangement: Arrangement) -> impl FnMut(&Document<'_>, &mut Vec<u8>) -> u64 {
    let mut structure = Structure::default();
    move |document: &Document<'_>, out: &mut Vec<u8>| {
        let mut tei = String::new();
        if arrangement == Arrangement::Files {
            tei.push_str(DECLARATION);
        }
        write_start(document, arrangement, &mut tei);
        write_header(document, &mut tei);
        tei.push_str("<text>\n<body>\n<div type=\"content\">\n");
        let mut body = Body::behind(tei);
        document.tell_content(&mut structure, &mut body);
        body.finish();
        let mut tei = body.out;
        tei.push_str("</div>\n");
        let comments = comments::write(document, &mut structure, &mut tei);
        tei.push_str("</body>\n</text>\n</TEI>\n");
        out.extend_from_slice(tei.as_bytes());
        1 + comments
    }
}

fn id_of(site: &str, place: &DocumentFile) -> String {
    xml::name(&format!("{}.{site}", place.name))
}

/// Writes the start tag of TEI: the document's id, its language, and its translations: in this dataset, or else on the web.
fn write_start(document: &Document<'_>, arrangement: Arrangement, out: &mut String) {
    out.push_str("<TEI");
    if arrangement == Arrangement::Files {
        xml::attribute("xmlns", NAMESPACE, out);
    }
    xml::attribute("xml:id", &id_of(document.site(), &document.place), out);
    if let Some(language) = document.post.language.as_deref().filter(|tag| !tag.is_empty()) {
        xml::attribute("xml:lang", language, out);
    }
    let way = |translation: &Translation<'_>| {
        let Some(place) = document.place_of(&translation.target) else {
            let url = translation.target.link.as_deref().or(translation.href.as_deref())?;
            return Some(xml::pointer(url)).filter(|url| !url.is_empty());
        };
        Some(match arrangement {
            Arrangement::Corpus => format!("#{}", id_of(document.site(), &place)),
            // A file name is not a URL: its % is literal.
            Arrangement::Files => reference(&document.place.way_to(&place, ENDING)),
        })
    };
    let ways: Vec<_> = document.post.translations.iter().filter_map(way).collect();
    if !ways.is_empty() {
        xml::attribute("corresp", &ways.join(" "), out);
    }
    out.push_str(">\n");
}

fn write_header(document: &Document<'_>, out: &mut String) {
    let post = document.post;
    let title = post.title.text.as_deref().unwrap_or_default();
    let author = document.author();
    out.push_str("<teiHeader>\n<fileDesc>\n<titleStmt><title>");
    xml::text(title, out);
    out.push_str("</title>");
    xml::element("author", author, out);
    out.push_str("</titleStmt>\n<publicationStmt><publisher>");
    xml::text(document.site(), out);
    out.push_str("</publisher>");
    write_date(document.published(), None, out);
    if let Some(id) = post.id {
        out.push_str("<idno");
        xml::attribute("type", &xml::pointer(document.r#type), out);
        let _ = write!(out, ">{id}</idno>");
    }
    write_availability(document, out);
    out.push_str("</publicationStmt>\n<sourceDesc><bibl><title>");
    xml::text(title, out);
    out.push_str("</title>");
    xml::element("author", author, out);
    if let Some(link) = &post.link {
        out.push_str("<ptr");
        xml::attribute("target", &xml::pointer(link), out);
        out.push_str("/>");
    }
    write_date(document.published(), Some("published"), out);
    write_date(post.modified_gmt.as_deref(), Some("modified"), out);
    out.push_str("</bibl></sourceDesc>\n</fileDesc>\n");
    write_profile(document, out);
    if let Some(date) = &post.modified_gmt {
        out.push_str("<revisionDesc><change");
        write_when(date, out);
        out.push_str("/></revisionDesc>\n");
    }
    out.push_str("</teiHeader>\n");
}

/// Writes the rights that are stated in the document: first the licences, then all others in words.
fn write_availability(document: &Document<'_>, out: &mut String) {
    let rights = &document.post.rights;
    if rights.is_empty() {
        return;
    }
    out.push_str("<availability>");
    for one in rights.iter().filter(|one| one.kind.as_deref() == Some("licence")) {
        out.push_str("<licence");
        if let Some(url) = one.url.as_deref() {
            xml::attribute("target", &xml::pointer(url), out);
        }
        xml::attribute("n", one.scope.as_deref().unwrap_or_default(), out);
        out.push('>');
        xml::text(one.value.as_deref().or(one.url.as_deref()).unwrap_or_default(), out);
        out.push_str("</licence>");
    }
    for one in rights.iter().filter(|one| one.kind.as_deref() != Some("licence")) {
        out.push_str("<p");
        xml::attribute("n", one.scope.as_deref().unwrap_or_default(), out);
        out.push('>');
        xml::text(one.value.as_deref().unwrap_or_default(), out);
        if let Some(url) = one.url.as_deref() {
            out.push(' ');
            out.push_str("<ptr");
            xml::attribute("target", &xml::pointer(url), out);
            out.push_str("/>");
        }
        out.push_str("</p>");
    }
    out.push_str("</availability>");
}

fn write_date(date: Option<&str>, r#type: Option<&str>, out: &mut String) {
    let Some(date) = date else { return };
    out.push_str("<date");
    if let Some(r#type) = r#type {
        xml::attribute("type", r#type, out);
    }
    write_when(date, out);
    out.push('>');
    xml::text(date.split('T').next().unwrap_or_default(), out);
    out.push_str("</date>");
}

/// Writes the language and the terms, with one list of keywords per taxonomy.
fn write_profile(document: &Document<'_>, out: &mut String) {
    let post = document.post;
    let mut schemes = document.terms();
    schemes.retain(|(_, terms)| !terms.is_empty());
    let language = post.language.as_deref().filter(|tag| !tag.is_empty());
    if language.is_none() && schemes.is_empty() {
        return;
    }
    out.push_str("<profileDesc>\n");
    if let Some(language) = language {
        write_language_list(&[language], out);
    }
    if !schemes.is_empty() {
        out.push_str("<textClass>");
        for (scheme, terms) in schemes {
            out.push_str("<keywords");
            xml::attribute("scheme", &xml::pointer(scheme), out);
            out.push('>');
            for term in terms {
                out.push_str("<term>");
                xml::text(&term, out);
                out.push_str("</term>");
            }
            out.push_str("</keywords>");
        }
        out.push_str("</textClass>\n");
    }
    out.push_str("</profileDesc>\n");
}

#[cfg(test)]
mod tests;
