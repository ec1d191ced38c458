//! wp-parse: turns the API's JSON of an item into the complete record of its kind; one record in, one out, no state.
//! Later stages do everything that requires more than the item, such as the language of pages and the targets of links.

mod kinds;

use crate::html::{self, Extractor, TextRules};
use crate::ndjson::{self, Arena, Input, Line, Object, Output, Str, write_json, write_key};
use crate::record::{Scrape, Source};
use crate::report::{Error, Notes, Report};
use crate::rest::shapes::{FromObject, Int, List, Maybe, Text, object};
use crate::rest::{Api, Given};
use serde::de::{IgnoredAny, MapAccess};

/// What wp-parse can be told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How every text of a record is made.
    pub html: html::Options,
    /// API fields to copy into `extra`, as paths: `acf`, `meta.x`.
    pub keep: Vec<String>,
    /// Leave the key `api` in the record.
    pub keep_api: bool,
    /// Threads to work in.
    pub jobs: usize,
}

/// Turns each line of `input` into the complete record of its kind. Lines without the key `api`, and unknown kinds, pass
/// unchanged. Counts `records_in`, `records_out`, `passed_unchanged`.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    ndjson::map_lines(input, output, report, options.jobs, || {
        let mut parser = Parser::new(options);
        move |line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes| parser.parse(line, out, notes)
    })?;
    warn_of_unescaped_dump(report);
    Ok(())
}

/// `wpextract download` unescapes titles, excerpts and contents once too often: then no content of a site holds an entity
/// reference any more, though some hold what WordPress always escapes. One record alone does not tell.
fn warn_of_unescaped_dump(report: &mut Report) {
    let bare = report.counted("contents_with_bare_ampersand");
    if bare > 0 && report.counted("contents_with_entities") == 0 {
        report.warn(&format!(
            "the dump seems to be HTML-unescaped once too often (as by `wpextract download`): \
             {bare} contents have a bare ampersand and none an entity; escaped markup in the text may be lost"
        ));
    }
}

object! {
    /// A line from wp-index.
    pub(crate) struct Item<'a> {
        "site" => site: Text<'a>,
        "kind" => kind: Text<'a>,
        "type" => r#type: Text<'a>,
        "id" => id: Int,
        "link" => link: Text<'a>,
        "source" => source: Maybe<SourceItem<'a>>,
        "scrape" => scrape: Maybe<ScrapeItem<'a>>,
        "aliases" => aliases: List<Text<'a>>,
        "api" => api: Given<Maybe<Api<'a>>>,
    }
    else rest
}

object! {
    /// Its key `source`.
    pub(crate) struct SourceItem<'a> {
        "file" => file: Text<'a>,
        "item" => item: Int,
    }
}

object! {
    /// Its key `scrape`.
    pub(crate) struct ScrapeItem<'a> {
        "root" => root: Text<'a>,
        "file" => file: Text<'a>,
        "url" => url: Text<'a>,
    }
}

impl<'a> SourceItem<'a> {
    fn record(&self) -> Source<'a> {
        Source { file: self.file.0.clone(), item: self.item.0 }
    }
}

impl<'a> ScrapeItem<'a> {
    fn record(&self) -> Scrape<'a> {
        Scrape { root: self.root.0.clone(), file: self.file.0.clone(), url: self.url.0.clone() }
    }
}

/// What one thread needs.
struct Parser<'o> {
    options: &'o Options,
    extractor: Extractor,
    arena: Arena,
}

impl<'o> Parser<'o> {
    fn new(options: &'o Options) -> Self {
        Parser { options, extractor: Extractor::new(options.html.clone()), arena: Arena::default() }
    }

    fn parse(&mut self, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        let text = match ndjson::text_of(line.bytes) {
            Ok(text) => text,
            Err((what, column)) => return notes.reject(line.place().column(column), what, line.bytes),
        };
        let mut arena = std::mem::take(&mut self.arena);
        arena.clear();
        let read = ndjson::read::<Maybe<Item<'_>>>(text, &arena).ok().filter(|_| text.trim_start().starts_with('{'));
        let done = read.map(|Maybe(item)| self.write(item, text, line, out, notes));
        self.arena = arena;
        if done.is_none() {
            self.parse_odd(text, line, out, notes);
        }
    }

    /// As [`Parser::parse`], of what the fast reader has refused.
    fn parse_odd(&mut self, text: &str, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        if let Some(repaired) = self.try_parse(text, line, out, notes)
            && let Some(again) = self.try_parse(&repaired, line, out, notes)
        {
            // What the strict parser refuses even then: its first words say why.
            let (what, column) = Object::parse(again.as_bytes()).err().unwrap_or(("invalid JSON".into(), 0));
            notes.reject(line.place().column(column), what, line.bytes);
        }
    }

    /// Writes the record of `text`; where its JSON cannot be read, gives back a repaired form to try, or the same text.
    fn try_parse(&mut self, text: &str, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) -> Option<String> {
        if !text.trim_start().starts_with('{') {
            return Some(text.to_owned());
        }
        match serde_json::from_str::<Maybe<Item<'_>>>(text) {
            Ok(Maybe(item)) => {
                self.write(item, text, line, out, notes);
                None
            }
            Err(_) => Some(match ndjson::repair_surrogates(text) {
                Some(repaired) => {
                    notes.defect("lone_surrogate", line.place(), "lone surrogate, replaced by U+FFFD");
                    repaired
                }
                None => text.to_owned(),
            }),
        }
    }

    fn write(&mut self, mut item: Item<'_>, text: &str, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        notes.count("records_out", 1);
        let api = item.api.0.take().filter(|_| kinds::is_known(item.kind.0.as_deref()));
        let Some(Maybe(mut api)) = api else {
            notes.count("passed_unchanged", 1);
            out.extend_from_slice(text.as_bytes());
            return out.push(b'\n');
        };
        let start = out.len();
        let extra = extra(&self.options.keep, &api);
        kinds::write(&mut kinds::Context { extractor: &mut self.extractor, line, notes }, &item, &mut api, out);
        // The record is an object: what follows its own keys goes before its closing brace.
        out.pop();
        if let Some(extra) = extra {
            out.extend_from_slice(b",\"extra\":");
            out.extend_from_slice(&extra);
        }
        if self.options.html.text == TextRules::Wpextract {
            out.extend_from_slice(b",\"text_rules\":\"wpextract\"");
        }
        if self.options.keep_api
            && let Ok(object) = Object::parse_str(text)
            && let Some(api) = object.get("api")
        {
            out.extend_from_slice(b",\"api\":");
            out.extend_from_slice(api.as_bytes());
        }
        out.push(b'}');
        if !item.rest.is_empty() {
            add_rest(&item, start, out);
        }
        out.push(b'\n');
    }
}

/// Adds the keys that are not wp-index's to the record at `out[start..]`, in input order. One that the record has by
/// itself (a user's jq has set `language`, say) takes the place of that value: no key stands twice.
fn add_rest(item: &Item<'_>, start: usize, out: &mut Vec<u8>) {
    let record = out.split_off(start);
    let mut object = Object::parse(&record).expect("a record that was just written");
    for (key, value) in &item.rest {
        object.set(key, value.0.to_owned());
    }
    object.write_line(out);
    out.pop();
}

/// The object of the kept fields: scalars as they are, anything else as a JSON string, null where the item has no such
/// field. None when nothing is to be kept.
fn extra(keep: &[String], api: &Api<'_>) -> Option<Vec<u8>> {
    if keep.is_empty() {
        return None;
    }
    let mut out = vec![b'{'];
    for (i, path) in keep.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write_key(&mut out, path);
        match api.raw(path) {
            Some(raw) if raw.starts_with(['{', '[']) => write_json(&mut out, &raw),
            Some(raw) => out.extend_from_slice(raw.as_bytes()),
            None => out.extend_from_slice(b"null"),
        }
    }
    out.push(b'}');
    Some(out)
}

/// An owned copy of a text of the parse, for records.
fn owned(text: String) -> Option<Str<'static>> {
    Some(Str::from(text))
}
