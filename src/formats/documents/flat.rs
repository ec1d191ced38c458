//! Exports `documents`: one flat object per document and line, `{id, text, source, added, created, metadata}`, as the tools that prepare
//! texts for language models read it ([Dolma], [datatrove]). A card beside it declares the types to Hugging Face. [`documents`] determines
//! what is a document and what other records say about it.
//!
//! [Dolma]: https://github.com/allenai/dolma/blob/main/docs/data-format.md
//! [datatrove]: https://github.com/huggingface/datatrove

use crate::export::dataset::card;
use crate::export::dataset::folder::Folder;
use crate::export::dataset::key::Key;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::documents::{self, Document, Survey};
use crate::ndjson::{self, Output, Str, text_of, write_json};
use crate::record::{Rights, fields};
use crate::report::Error;
use memchr::memmem;
use serde::Serialize;

const FILE: &str = "documents.jsonl";

#[derive(Serialize)]
struct Flat<'a> {
    id: String,
    text: &'a str,
    source: Option<&'a str>,
    added: Option<String>,
    created: Option<&'a str>,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    url: Option<&'a str>,
    title: Option<&'a str>,
    language: Option<&'a str>,
    text_language: Option<String>,
    kind: &'a str,
    r#type: &'a str,
    record_id: Option<i64>,
    modified: Option<&'a str>,
    author: Option<&'a str>,
    categories: Vec<String>,
    tags: Vec<String>,
    translation_group: Option<&'a str>,
    hash: Option<&'a str>,
    /// The licences of the text: their SPDX ids, or else their URLs or words.
    licences: Vec<String>,
    rights: &'a [Rights<'a>],
    /// Why it is not a translation but a copy; `copy_of` is the key of the document whose words it has.
    copy_source: Option<&'a str>,
    copy_of: Option<String>,
    duplicate_group: Option<String>,
}

/// Writes `documents.jsonl` and a card.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let number = folder.create(FILE, None, None)?;
    let tally = write(job, |lines, records| folder.append(number, lines, records))?;
    let name = folder.complete()?[number].name.clone();
    let counts = [card::languages(&tally), card::rights(&tally)];
    let counts: Vec<&str> = counts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    let card = include_str!("flat/README.md").replace("{FILE}", &name).replace("{ABOUT}", &card::about(&tally));
    let card = card.replace("{COUNTS}", &counts.join("\n\n")).replace("{VERSION}", env!("CARGO_PKG_VERSION"));
    let card = card.replace("{TITLE}", &card::title_in_markdown(&tally));
    folder.write_document(card::name_in(folder), card::sealed(card).as_bytes())?;
    Ok(tally)
}

/// Writes the same lines as one stream.
pub(crate) fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    write(job, |lines, _| output.write(lines))
}

fn write(job: &mut Job<'_>, mut take: impl FnMut(&[u8], u64) -> Result<(), Error> + Send) -> Result<Tally, Error> {
    let survey = Survey::of(job)?;
    documents::each(job, &survey, || write_line, |written| take(written.bytes(), written.records()))
}

fields! {
    /// The metadata that only some records have.
    struct More<'a> {
        scrape: Page<'a>,
        text_language: TextLanguage<'a>,
        duplicate_group: Option<Str<'a>>,
    }

    struct Page<'a> {
        time: Option<Str<'a>>,
    }

    struct TextLanguage<'a> {
        language: Option<Str<'a>>,
    }
}

/// When its page was fetched (`scrape.time`), the language of the text (wp-language), and the texts that are nearly the same (wp-groups),
/// if the record says so.
fn more(json: &[u8]) -> Option<More<'_>> {
    let may_be = [&b"\"time\""[..], b"\"duplicate_group\"", b"\"text_language\""]
        .iter()
        .any(|key| memmem::find(json, key).is_some());
    if may_be { ndjson::from_str(text_of(json).ok()?).ok() } else { None }
}

/// A document without a text is left out.
fn write_line(document: &Document<'_>, out: &mut Vec<u8>) -> u64 {
    let post = document.post;
    let Some(text) = post.content.text.as_deref().filter(|text| !text.trim().is_empty()) else { return 0 };
    let more = more(document.json).unwrap_or_default();
    let original = Key::of_target(document.site(), &post.copy_of);
    let flat = Flat {
        id: document.key().to_string(),
        text,
        source: post.site.as_deref(),
        added: more.scrape.time.map(|time| time.to_string()),
        created: document.published(),
        metadata: Metadata {
            url: post.link.as_deref(),
            title: post.title.text.as_deref(),
            language: post.language.as_deref(),
            text_language: more.text_language.language.map(|language| language.to_string()),
            kind: document.kind,
            r#type: document.r#type,
            record_id: post.id,
            modified: post.modified_gmt.as_deref(),
            author: document.author(),
            categories: document.categories(),
            tags: document.tags(),
            translation_group: post.translation_group.as_deref(),
            hash: post.content.hash.as_deref(),
            licences: document.licences(),
            rights: &post.rights,
            copy_source: post.copy_source.as_deref(),
            copy_of: original.map(|key| key.to_string()),
            duplicate_group: more.duplicate_group.map(|group| group.to_string()),
        },
    };
    write_json(out, &flat);
    out.push(b'\n');
    1
}
