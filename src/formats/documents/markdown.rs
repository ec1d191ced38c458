//! Exports documents as Markdown, one file each: CommonMark with GFM's tables and strikethrough after a YAML front matter.
//! The words are those that a reader of the page sees, including tables and captions; the structure is that of the HTML.

mod inline;
mod writer;

use crate::export::dataset::folder::Folder;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::documents::metadata::metadata;
use crate::formats::documents::{self, Document, SLUG, Survey};
use crate::html::structure::Structure;
use crate::record::Post;
use crate::report::Error;
use std::collections::HashSet;
use std::fmt::Write as _;
use writer::Writer;

/// The ending of the file names.
const ENDING: &str = ".md";

/// Writes the files.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let survey = Survey::of(job)?.linking(job, ENDING);
    let table = (job.links || job.has(SLUG)).then(|| metadata(ENDING));
    documents::write_files(folder, job, &survey, (ENDING, table.as_ref()), || {
        let mut structure = Structure::default();
        move |document: &Document<'_>, out: &mut Vec<u8>| {
            write_front_matter(document, out);
            let body = body(document, &mut structure, survey.max_record);
            if !body.is_empty() {
                out.push(b'\n');
                out.extend_from_slice(body.as_bytes());
            }
            1
        }
    })
}

/// The content as Markdown, cut off if it has more than `most` bytes.
fn body(document: &Document<'_>, structure: &mut Structure, most: usize) -> String {
    let mut writer = Writer::bounded(most);
    document.tell_content(structure, &mut writer);
    writer.finish()
}

/// The keys that static site generators need, under the names that they use, with paths relative to this file.
fn for_local_sites(document: &Document<'_>) -> Vec<(&'static str, String)> {
    let post = document.post;
    let parent = document.parent().map(|place| document.place.way_to(&place, ENDING));
    vec![
        ("slug", quoted(post.slug.as_deref())),
        ("excerpt", quoted(post.excerpt.text.as_deref())),
        ("featured_image", quoted(document.featured_image().as_deref())),
        ("parent", quoted(parent.as_deref())),
        ("menu_order", post.menu_order.map_or("null".to_owned(), |order| order.to_string())),
        ("redirect_from", list(&former_paths(post))),
    ]
}

/// The paths that the document has had on the site, with their slashes: that of its link, then those of its aliases.
fn former_paths(post: &Post<'_>) -> Vec<String> {
    let urls = post.link.iter().chain(&post.aliases).map(|url| &**url);
    let mut paths: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for url in urls.filter(|url| !url.contains('?')) {
        let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map(|(_, path)| path);
        let path = path.map(|path| format!("/{}", path.split('#').next().unwrap_or_default()));
        paths.extend(path.filter(|path| seen.insert(path.clone())));
    }
    paths
}

/// Every document has the same keys; missing values are null or an empty list.
fn write_front_matter(document: &Document<'_>, out: &mut Vec<u8>) {
    let post = document.post;
    let id = post.id.map_or("null".to_owned(), |id| id.to_string());
    let lines = [
        ("title", quoted(post.title.text.as_deref())),
        ("link", quoted(post.link.as_deref())),
        ("site", quoted(post.site.as_deref())),
        ("type", quoted(Some(document.r#type))),
        ("id", id),
        ("language", quoted(post.language.as_deref())),
        ("date", quoted(document.published())),
        ("modified", quoted(post.modified_gmt.as_deref())),
        ("author", quoted(document.author())),
        ("categories", list(&document.categories())),
        ("tags", list(&document.tags())),
        ("translations", translations(document)),
        ("licenses", list(&document.licences())),
        ("rights", rights(document)),
    ];
    let local = if document.links_files() { for_local_sites(document) } else { Vec::new() };
    out.extend_from_slice(b"---\n");
    for (name, value) in lines.into_iter().chain(local) {
        let blank = if value.starts_with('\n') { "" } else { " " };
        out.extend_from_slice(format!("{name}:{blank}{value}\n").as_bytes());
    }
    out.extend_from_slice(b"---\n");
}

fn list(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| quoted(Some(word))).collect();
    format!("[{}]", words.join(", "))
}

/// The rights that are stated in it, each with all its keys.
fn rights(document: &Document<'_>) -> String {
    let entries = document.post.rights.iter().map(|one| {
        let pairs = [
            ("kind", &one.kind),
            ("value", &one.value),
            ("url", &one.url),
            ("place", &one.place),
            ("scope", &one.scope),
        ];
        let lines = pairs.iter().enumerate().map(|(number, (key, value))| {
            format!("\n  {} {key}: {}", if number == 0 { "-" } else { " " }, quoted(value.as_deref()))
        });
        lines.collect::<String>()
    });
    let text: String = entries.collect();
    if text.is_empty() { "[]".to_owned() } else { text }
}

/// Language, link and file of each translation; the file is a path below the dataset's folder, or relative to this file.
fn translations(document: &Document<'_>) -> String {
    let mut text = String::new();
    for translation in &document.post.translations {
        let link = translation.target.link.as_ref().or(translation.href.as_ref());
        let file = document.place_of(&translation.target).map(|place| match document.links_files() {
            true => document.place.way_to(&place, ENDING),
            false => place.path() + ENDING,
        });
        let _ = write!(
            text,
            "\n  - language: {}\n    link: {}\n    file: {}",
            quoted(translation.language.as_deref()),
            quoted(link.map(|link| &**link)),
            quoted(file.as_deref())
        );
    }
    if text.is_empty() { "[]".to_owned() } else { text }
}

/// A string in double quotes, with escapes that [YAML](https://yaml.org/spec/1.2.2/#57-escaped-characters) and JSON share;
/// null without a string. Characters that YAML 1.1 takes for a line end or for unprintable are escaped, too.
fn quoted(text: Option<&str>) -> String {
    let Some(text) = text else { return "null".to_owned() };
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", char as u32);
            }
            char if char.is_control() => {
                let _ = write!(out, "\\u{:04x}", char as u32);
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests;
