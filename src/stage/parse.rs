//! wp-parse: turns the API's JSON of an item into the complete record of its kind; one record in, one out, no state.
//! Later stages do everything that requires more than the item, such as the language of pages and the targets of links.

mod authors;
mod kinds;
mod rights;
mod terms;

use crate::html::{self, Extractor};
use crate::ndjson::{self, Input, Line, Object, Output, Str, add_field, describe, write_json};
use crate::record::{Field, Item, LooseLine, fields, shape_of};
use crate::report::{Error, Notes, Report};
use crate::rest::Api;
use crate::rights::Markup;
use crate::steps::Step;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The options of wp-parse.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How the texts of a record are made.
    pub html: html::Options,
    /// The fields of the API to copy into `extra`, as paths: `acf`, `meta.x`.
    pub keep: Vec<String>,
    /// Whether to leave the key `api` in the record.
    pub keep_api: bool,
    /// The number of threads.
    pub jobs: usize,
}

impl Options {
    fn step(&self) -> Step {
        let step = Step::of("wp-parse").list("--text", &self.html.rules());
        step.list("--keep", &self.keep).flag("--keep-api", self.keep_api)
    }
}

/// Turns each line of `input` into the complete record of its kind. Lines without the key `api`, and unknown kinds, pass
/// unchanged. Counts `records_in`, `records_out`, `passed_unchanged`, and in `rules` how often each rule on licences decided.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let most = input.max_record();
    let step = options.step().max_record(most);
    let found: Vec<AtomicBool> = options.keep.iter().map(|_| AtomicBool::new(false)).collect();
    ndjson::map_lines(input, output, report, options.jobs, || {
        let mut parser = Parser::new(options, &step, &found, most);
        move |line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes| parser.parse(line, out, notes)
    })?;
    let is_missing = |found: &AtomicBool| !found.load(Relaxed) && report.counted("records_in") > 0;
    let missing = options.keep.iter().zip(&found).filter(|(_, found)| is_missing(found)).map(|(path, _)| path);
    for path in missing.collect::<Vec<_>>() {
        report.warn(&format!("--keep {path}: no item has a value there"));
    }
    warn_of_unescaped_dump(report);
    Ok(())
}

/// Warns of a dump by `wpextract download`, which unescapes titles, excerpts and contents once too often. Then no content of the site has
/// an entity reference, although some have characters that WordPress always escapes. A single record does not show this.
fn warn_of_unescaped_dump(report: &mut Report) {
    let bare = report.counted("contents_with_bare_ampersand");
    if bare > 1 && report.counted("contents_with_entities") == 0 {
        report.warn(&format!(
            "the dump seems to be HTML-unescaped once too often (as by `wpextract download`): \
             {bare} contents have a bare ampersand and none an entity; escaped markup in the text may be lost"
        ));
    }
}

fields! {
    /// The keys of a line from wp-index besides those of the item.
    loose Added {
        /// The JSON of the API, if the line has that key.
        api: Option<Api<'a>>,
        ..rest, odd
    }
}

/// A line from wp-index. A filter in between may have given its keys values of any type: a value of the wrong type is converted as the
/// API's own fields are, or becomes null.
type Read<'a> = LooseLine<(Item<'a>, Added<'a>)>;

/// Replaces the values that were read from `nulled` by those in `text`, which differs from it only in numbers.
fn restore<'t>(fields: &mut [(Str<'t>, &'t RawValue)], nulled: &str, text: &'t str) {
    for (_, value) in fields {
        let at = value.get().as_ptr() as usize - nulled.as_ptr() as usize;
        if let Some(Ok(own)) = serde_json::Deserializer::from_str(&text[at..]).into_iter().next() {
            *value = own;
        }
    }
}

/// The state of one thread.
struct Parser<'o> {
    options: &'o Options,
    step: &'o Step,
    /// Whether an item has a value in each of the fields to keep.
    found: &'o [AtomicBool],
    extractor: Extractor,
    markup: Markup,
}

impl<'o> Parser<'o> {
    fn new(options: &'o Options, step: &'o Step, found: &'o [AtomicBool], most: usize) -> Self {
        let extractor = Extractor::new(options.html.clone()).bounded(most);
        Parser { options, step, found, extractor, markup: Markup::default() }
    }

    fn parse(&mut self, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        let Some(text) = line.or_reject(ndjson::text_of(line.bytes), notes) else { return };
        // Repaired also in values that are not read here, because other readers of the record refuse such escapes.
        let paired = ndjson::repair_surrogates(text);
        if paired.is_some() {
            notes.defect("lone_surrogate", line.place(), "lone surrogate, replaced by U+FFFD");
        }
        let text = paired.as_deref().unwrap_or(text);
        match serde_json::from_str(text) {
            Ok(read) => self.write(read, text, line, out, notes),
            Err(_) => self.parse_repaired(text, line, out, notes),
        }
    }

    /// Like [`Parser::parse`], for a line that was refused, perhaps only because of a number out of range.
    fn parse_repaired(&mut self, text: &str, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        let nulled = ndjson::null_huge_numbers(text);
        let read = serde_json::from_str::<Read<'_>>(&nulled).map_err(describe);
        let Some(mut read) = line.or_reject(read, notes) else { return };
        let added = &mut read.0.1;
        restore(&mut added.rest, &nulled, text);
        restore(added.api.as_mut().map_or(&mut [], |api| &mut api.rest), &nulled, text);
        self.write(read, text, line, out, notes);
    }

    fn write(&mut self, read: Read<'_>, text: &str, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        let LooseLine((mut item, Added { api, rest, .. })) = read;
        let keys = item.kind.as_deref().and_then(shape_of);
        let (Some(keys), Some(mut api)) = (keys, api) else {
            notes.count("passed_unchanged", 1);
            out.extend_from_slice(text.as_bytes());
            return out.push(b'\n');
        };
        self.step.append(&mut item.source.steps);
        let start = out.len();
        let extra = extra(&self.options.keep, self.found, &api);
        let mut context = kinds::Context {
            extractor: &mut self.extractor,
            markup: &mut self.markup,
            line,
            notes,
            is_too_long: false,
        };
        kinds::write(&mut context, &item, &mut api, out);
        let is_too_long = context.is_too_long;
        self.markup.decided().for_each(|rule| notes.count_named("rules", rule.name()));
        if is_too_long {
            out.truncate(start);
            return ndjson::reject_too_long(&line, notes);
        }
        if let Some(extra) = extra {
            add_field(out, "extra", |out| out.extend_from_slice(&extra));
        }
        if self.options.html.wpextract {
            add_field(out, "text_rules", |out| write_json(out, "wpextract"));
        }
        if self.options.keep_api
            && let Ok(object) = Object::parse_str(text)
            && let Some(api) = object.get(Item::API)
        {
            add_field(out, Item::API, |out| out.extend_from_slice(api.as_bytes()));
        }
        add_rest(keys, &rest, start, out);
        out.push(b'\n');
    }
}

/// Adds the keys that wp-index did not write to the record at `out[start..]`, in input order. If the record has such a key itself (a user's
/// jq has set `language`, for example), the user's value replaces its own, so that no key occurs twice.
fn add_rest(keys: &[Field], rest: &[(Str<'_>, &RawValue)], start: usize, out: &mut Vec<u8>) {
    // They are found by their hashes, because a record may have a hundred thousand keys.
    let mut last: HashMap<&str, &str> = rest.iter().map(|(key, value)| (key.as_str(), value.get())).collect();
    let is_own = |key: &str| keys.iter().any(|own| own.key == key) || matches!(key, "extra" | "text_rules" | Item::API);
    if rest.iter().any(|(key, _)| is_own(key)) {
        let record = out.split_off(start);
        let mut object = Object::parse(&record).expect("a record that was just written");
        for (key, _) in rest.iter().filter(|(key, _)| is_own(key)) {
            if object.get(key).is_some()
                && let Some(value) = last.remove(key.as_str())
            {
                object.set(key, value.to_owned());
            }
        }
        object.write(out);
    }
    for (key, _) in rest {
        if let Some(value) = last.remove(key.as_str()) {
            add_field(out, key, |out| out.extend_from_slice(value.as_bytes()));
        }
    }
}

/// The object of the kept fields: scalars as they are, anything else as a JSON string, and null if the item has no such field. `None` if no
/// fields are to be kept.
fn extra(keep: &[String], found: &[AtomicBool], api: &Api<'_>) -> Option<Vec<u8>> {
    if keep.is_empty() {
        return None;
    }
    let mut out = b"{}".to_vec();
    for (path, found) in keep.iter().zip(found) {
        let raw = api.raw(path);
        if raw.is_some() {
            found.store(true, Relaxed);
        }
        add_field(&mut out, path, |out| match raw {
            Some(raw) if raw.starts_with(['{', '[']) => write_json(out, raw),
            raw => out.extend_from_slice(raw.unwrap_or("null").as_bytes()),
        });
    }
    Some(out)
}
