//! Exports documents as vertical text (`vert`) for NoSketch Engine and the IMS Open Corpus Workbench: one token per line
//! between tags, one file per language, each with a registry file. [`crate::sentences`] finds words and sentences;
//! [`documents`] selects the documents.

use crate::export::dataset::folder::Folder;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::documents::{self, Document, Survey, thread};
use crate::formats::xml;
use crate::ndjson::Output;
use crate::pairs::document::lines_of;
use crate::report::Error;
use crate::sentences::Segmenter;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;

/// The attributes of a document, in their order; those of [`MULTIPLE`] may have several values, separated by `|`.
const ATTRIBUTES: &str = "id site language type record_id url title date modified author categories tags group";

const MULTIPLE: [&str; 2] = ["categories", "tags"];

/// Writes `LANGUAGE.vert` and `LANGUAGE.registry` for each language.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let survey = Survey::of(job)?;
    let mut files = BTreeMap::<String, (String, usize)>::new();
    let tally = documents::each(job, &survey, writer, |written| {
        written.each(|entry, document| {
            // The file of a document is SITE/LANGUAGE/NAME. Two languages that differ in case have one file.
            let language = entry.file.split('/').nth(1).unwrap_or_default();
            let number = match files.entry(language.to_lowercase()) {
                Entry::Occupied(known) => known.get().1,
                Entry::Vacant(new) => {
                    let number = folder.create(&format!("{language}.vert"), None, None)?;
                    new.insert((language.to_owned(), number)).1
                }
            };
            folder.append(number, document, entry.records)
        })
    })?;
    for (language, _) in files.values() {
        folder.write_document(&format!("{language}.registry"), registry(language, survey.sites()).as_bytes())?;
    }
    Ok(tally)
}

/// Writes all documents as one stream.
pub(crate) fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    let survey = Survey::of(job)?;
    documents::each(job, &survey, writer, |written| output.write(written.bytes()))
}

/// A document without title, text and comments is left out.
fn writer() -> impl FnMut(&Document<'_>, &mut Vec<u8>) -> u64 {
    let segmenter = Segmenter::default();
    move |document: &Document<'_>, out: &mut Vec<u8>| {
        let post = document.post;
        let mut vert = String::new();
        let title = post.title.text.as_deref().unwrap_or_default();
        let parts = [("title", title), ("text", post.content.text.as_deref().unwrap_or_default())];
        let comments = thread::texts(&document.comments);
        let said = comments.iter().map(|text| ("comment", text.as_str()));
        for (part, text) in parts.into_iter().chain(said) {
            for line in lines_of(text) {
                let mut paragraph = String::new();
                for sentence in segmenter.sentences(&line, post.language.as_deref()) {
                    write_sentence(&segmenter.words(sentence, post.language.as_deref()), &mut paragraph);
                }
                if !paragraph.is_empty() {
                    let _ = write!(vert, "<p type=\"{part}\">\n{paragraph}</p>\n");
                }
            }
        }
        if vert.is_empty() && comments.is_empty() {
            return 0;
        }
        out.extend_from_slice(begin_document(document).as_bytes());
        out.extend_from_slice(vert.as_bytes());
        out.extend_from_slice(b"</doc>\n");
        1 + comments.len() as u64
    }
}

/// Writes the tokens of a sentence. `<g/>` between two means that there is no white space there.
fn write_sentence(words: &[&str], out: &mut String) {
    let (mut glued, mut empty) = (false, true);
    for word in words {
        let token = word.trim_matches(is_blank);
        if token.is_empty() {
            glued = false;
            continue;
        }
        if std::mem::take(&mut empty) {
            out.push_str("<s>\n");
        } else if glued {
            out.push_str("<g/>\n");
        }
        xml::text(token, out);
        out.push('\n');
        glued = true;
    }
    if !empty {
        out.push_str("</s>\n");
    }
}

/// Whether a character is white space or invisible.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn begin_document(document: &Document<'_>) -> String {
    let post = document.post;
    let several = |names: Vec<String>| {
        let names = names.into_iter().map(|name| name.replace('|', "¦"));
        Some(names.collect::<Vec<_>>().join("|"))
    };
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let values = [
        Some(document.key().to_string()),
        owned(post.site.as_deref()),
        owned(post.language.as_deref()),
        owned(Some(document.r#type)),
        post.id.map(|id| id.to_string()),
        owned(post.link.as_deref()),
        owned(post.title.text.as_deref()),
        owned(document.published()),
        owned(post.modified_gmt.as_deref()),
        owned(document.author()),
        several(document.categories()),
        several(document.tags()),
        owned(post.translation_group.as_deref()),
    ];
    let mut tag = "<doc".to_owned();
    for (name, value) in ATTRIBUTES.split(' ').zip(values) {
        let value = value.unwrap_or_default();
        let words: Vec<&str> = value.split(is_blank).filter(|word| !word.is_empty()).collect();
        xml::attribute(name, &words.join(" "), &mut tag);
    }
    tag + ">\n"
}

/// The names of the sites; if there are many, only of the first ones, because every language has a file with this title.
fn title(sites: &[String]) -> String {
    const NAMED: usize = 50;
    let named = sites[..sites.len().min(NAMED)].join(", ");
    if sites.len() > NAMED { format!("{named} and {} other sites", sites.len() - NAMED) } else { named }
}

/// The registry file of a language's corpus, as Manatee reads it.
fn registry(language: &str, sites: &[String]) -> String {
    let quoted =
        |text: &str| text.chars().map(|c| if c == '"' || c.is_control() { '\'' } else { c }).collect::<String>();
    let mut text = format!(
        "NAME \"{} ({language})\"\nPATH \"data/{language}\"\nVERTICAL \"{language}.vert\"\nENCODING \"UTF-8\"\n\
         ATTRIBUTE word\nATTRIBUTE lc {{\n\tDYNAMIC utf8lowercase\n\tDYNLIB internal\n\tARG1 \"C\"\n\tFUNTYPE s\n\
         \tFROMATTR word\n\tTYPE index\n\tTRANSQUERY yes\n}}\nSTRUCTURE doc {{\n",
        quoted(&title(sites))
    );
    for name in ATTRIBUTES.split(' ') {
        text.push_str(&format!("\tATTRIBUTE {name}"));
        text.push_str(if MULTIPLE.contains(&name) {
            " {\n\t\tMULTIVALUE yes\n\t\tMULTISEP \"|\"\n\t}\n"
        } else {
            "\n"
        });
    }
    text + "}\nSTRUCTURE p {\n\tATTRIBUTE type\n}\nSTRUCTURE s\nSTRUCTURE g {\n\tDISPLAYTAG 0\n\tDISPLAYBEGIN \"_EMPTY_\"\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(sentence: &str) -> String {
        let mut out = String::new();
        write_sentence(&Segmenter::default().words(sentence, None), &mut out);
        out.replace('\n', " ")
    }

    #[test]
    fn words_are_those_of_unicode_and_glue_marks_missing_spaces() {
        assert_eq!(tokens("Don’t  pay 3.5 €! "), "<s> Don’t pay 3.5 € <g/> ! </s> ");
        assert_eq!(tokens("a<b&\u{200b}c"), "<s> a <g/> &lt; <g/> b <g/> &amp; c </s> ");
        assert_eq!(tokens(" \u{feff}\t"), "");
    }

    #[test]
    fn many_sites_are_counted_not_named() {
        let sites: Vec<String> = (0..60).map(|n| n.to_string()).collect();
        assert!(title(&sites).ends_with(" 48, 49 and 10 other sites"));
        assert_eq!(title(&sites[..2]), "0, 1");
    }

    #[test]
    fn languages_without_blanks_have_words_too() {
        assert_eq!(tokens("东京大学"), "<s> 东京 <g/> 大学 </s> ");
        assert_eq!(tokens("สวัสดีชาวโลก"), "<s> สวัสดี <g/> ชาว <g/> โลก </s> ");
    }
}
