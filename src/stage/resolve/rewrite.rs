//! The second pass: writes each record with its targets, translations, group and language. The registry finds the
//! records.

mod missing;
mod terms;

use super::answers::Answers;
use super::element::{Editor, Element, Slot, edit_list, edit_object, target};
use super::outline::{Field, FieldPlace, LineNote, outline, tidy};
use super::tally::{Bearer, Tally, Use};
use super::translations;
use crate::ndjson::{Line, Object, Str, end_record, string, write_json};
use crate::record::Reason;
use crate::registry::{Answer, Blog, Query, RecordNumber, Registry, Rule};
use crate::report::Notes;
use crate::steps::{Step, Stepper};
use crate::wordpress;
use missing::{Conclusions, append_missing};
use std::borrow::Cow;
use terms::{Featured, Terms};

/// What to resolve in the records of a kind.
struct Parts {
    links: bool,
    images: bool,
    translations: bool,
    /// Whether it has terms, embeds and a featured image.
    terms: bool,
    /// The fields that refer to records by id.
    references: &'static [Reference],
}

/// A field that refers to records by id: the field; the kind and, if it matters, the type of these records; the name of the count.
type Reference = (Field, &'static str, Option<&'static str>, &'static str);

const POST: &[Reference] = &[
    (Field::Author, "user", None, "dangling_author"),
    (Field::Parent, "post", None, "dangling_parent"),
    (Field::FeaturedMedia, "media", None, "dangling_featured_media"),
    (Field::Categories, "term", Some("category"), "dangling_categories"),
    (Field::Tags, "term", Some("tag"), "dangling_tags"),
];

const MEDIA: &[Reference] = &[
    (Field::Author, "user", None, "dangling_author"),
    (Field::Post, "post", None, "dangling_post"),
    (Field::FeaturedMedia, "media", None, "dangling_featured_media"),
];

const COMMENT: &[Reference] = &[
    (Field::Author, "user", None, "dangling_author"),
    (Field::Parent, "comment", None, "dangling_parent"),
    (Field::Post, "post", None, "dangling_post"),
];

const TERM: &[Reference] = &[(Field::Parent, "term", None, "dangling_parent")];

fn parts(kind: &str) -> Option<Parts> {
    let terms = matches!(kind, "post" | "html");
    let parts =
        |links, images, translations, references| Some(Parts { links, images, translations, terms, references });
    match kind {
        "post" => parts(true, true, true, POST),
        "html" => parts(true, true, true, &[]),
        "media" => parts(true, true, true, MEDIA),
        "term" => parts(true, true, true, TERM),
        "user" => parts(true, false, false, &[]),
        "comment" => parts(true, true, false, COMMENT),
        _ => None,
    }
}

/// The record being written.
pub(super) struct Here<'a> {
    pub registry: &'a Registry,
    pub record: Option<RecordNumber>,
    line: Line<'a>,
    /// The line, tidied if necessary.
    bytes: &'a [u8],
    entries: &'a [FieldPlace],
    language: Option<Str<'a>>,
    /// The longest that the output may be with this record, in bytes.
    limit: usize,
}

impl<'a> Here<'a> {
    pub(super) fn raw(&self, field: Field) -> Option<&'a [u8]> {
        let entry = self.entries.iter().find(|entry| entry.field == field)?;
        self.bytes.get(entry.value.clone())
    }

    fn blog(&self) -> Blog {
        self.registry.blog(self.record)
    }

    fn text(&self, field: Field) -> Option<Str<'a>> {
        string(std::str::from_utf8(self.raw(field)?).ok()?)
    }

    fn number(&self, field: Field) -> Option<i64> {
        number(self.raw(field)?)
    }
}

/// Writes the records of some sites, resolved with the registries.
pub(super) struct Rewriter<'a> {
    registries: &'a [Registry],
    tally: &'a Tally,
    answers: Answers,
    /// The longest record, in bytes.
    most: usize,
    stepper: Stepper<'a>,
}

/// The error that a line differs from the first reading.
pub(super) struct Changed;

impl<'a> Rewriter<'a> {
    pub(super) fn new(registries: &'a [Registry], tally: &'a Tally, most: usize, step: &'a Step) -> Self {
        Rewriter { registries, tally, answers: Answers::default(), most, stepper: Stepper::new(step) }
    }

    /// Writes one line with its notes `known` and `entries`. Rejects lines that are not JSON objects, and records that get too long. Lines
    /// that are not our records are passed on unchanged.
    pub(super) fn rewrite(
        &mut self,
        line: Line<'_>,
        known: &LineNote,
        entries: &mut Vec<FieldPlace>,
        out: &mut Vec<u8>,
        notes: &mut Notes,
    ) -> Result<(), Changed> {
        let start = out.len();
        match known {
            LineNote::Broken => {
                let Err((what, column)) = Object::parse(line.bytes) else { return Err(Changed) };
                notes.reject(line.place().column(column), what, line.bytes);
                return Ok(());
            }
            LineNote::Foreign => out.extend_from_slice(line.bytes),
            LineNote::Record { site, record, untidy } => {
                let registry = self.registries.get(*site).ok_or(Changed)?;
                let bytes = if *untidy {
                    let tidied = tidy(line.bytes).ok_or(Changed)?;
                    outline(&tidied, entries);
                    entries.retain(|entry| entry.field.is_second());
                    Cow::Owned(tidied)
                } else {
                    Cow::Borrowed(line.bytes)
                };
                let record = record.map(RecordNumber::from);
                let limit = start.saturating_add(self.most);
                let mut here = Here { registry, record, line, bytes: &bytes, entries, language: None, limit };
                let declared = || here.text(Field::Language);
                let of_copy =
                    found_language(&here).filter(|(_, source)| *source == Some("copy")).map(|(tag, _)| tag.into());
                here.language = of_copy.or_else(declared).or_else(|| Some(registry.language(record?)?.0.into()));
                self.record(&here, out, notes)?;
            }
        }
        out.push(b'\n');
        end_record(&line, start, self.most, out, notes);
        Ok(())
    }

    /// Copies the line except for the values that are edited.
    fn record(&mut self, here: &Here<'_>, out: &mut Vec<u8>, notes: &mut Notes) -> Result<(), Changed> {
        let kind = here.text(Field::Kind).unwrap_or_default();
        let parts = parts(&kind).ok_or(Changed)?;
        let language = if parts.translations { found_language(here) } else { None };
        if let Some((_, source)) = language {
            notes.count(counted_as(source), 1);
        }
        let record = here.record.filter(|_| parts.translations);
        let copy = record.and_then(|record| here.registry.copy(record));
        notes.count("copies", u64::from(copy.is_some()));
        let group = record.and_then(|record| here.registry.group_name(record));
        let mut completed = false;
        let mut done = 0;
        for FieldPlace { field, value } in here.entries {
            // A line that was traversed before can be invalid only if it has changed.
            let is_value = here.bytes.get(..value.start).is_some_and(|before| before.ends_with(b"\":"));
            let raw = here.bytes.get(value.clone()).filter(|_| is_value).ok_or(Changed)?;
            let copied = here.bytes.get(done..value.start).ok_or(Changed)?;
            let before = out.len();
            out.extend_from_slice(copied);
            let edited = match field {
                Field::Links if parts.links => self.references::<false>(here, Use::Link, raw, out, notes),
                Field::Images if parts.images => self.references::<true>(here, Use::Image, raw, out, notes),
                Field::Embeds if parts.terms => self.references::<false>(here, Use::Embed, raw, out, notes),
                Field::Terms if parts.terms => {
                    edit_list(raw, &mut Terms::new(&mut self.answers, here), here.limit, out)
                }
                Field::FeaturedImage if parts.terms => {
                    edit_object(raw, &mut Featured { here, answers: &mut self.answers }, here.limit, out)
                }
                Field::Translations => record.and_then(|record| {
                    completed = true;
                    translations::edit(here.registry, record, raw, here.limit, out, notes)
                }),
                Field::TranslationGroup => record.map(|_| write_json(out, &group)),
                Field::Language => language.map(|(tag, _)| write_json(out, tag)),
                Field::CopySource => record.map(|_| write_json(out, &copy.map(|(source, _)| source))),
                Field::CopyOf => record.map(|_| write_json(out, &target(here.registry, copy.and_then(|(_, of)| of)))),
                Field::Source => self.stepper.edit(raw, out).then_some(()),
                Field::LanguageSource => language.and_then(|(_, source)| source).map(|source| write_json(out, source)),
                _ => None,
            };
            if edited.is_some() {
                done = value.end;
            } else {
                out.truncate(before);
            }
        }
        let end =
            here.bytes.len().checked_sub(1).filter(|&end| end >= done && here.bytes[end] == b'}').ok_or(Changed)?;
        out.extend_from_slice(&here.bytes[done..end]);
        let found = Conclusions { language, copy, record: record.filter(|_| !completed), group: group.as_deref() };
        append_missing(here, &found, out, notes);
        out.push(b'}');
        count_dangling(here, &parts, notes);
        Ok(())
    }

    fn references<const ARE_IMAGES: bool>(
        &mut self,
        here: &Here<'_>,
        used_as: Use,
        raw: &[u8],
        out: &mut Vec<u8>,
        notes: &mut Notes,
    ) -> Option<()> {
        let Rewriter { tally, answers, .. } = self;
        let mut editor = References::<ARE_IMAGES> { here, used_as, tally, answers, counts: [0; 3] };
        edit_list(raw, &mut editor, here.limit, out)?;
        for (name, count) in used_as.counts().into_iter().zip(editor.counts).filter(|(_, count)| *count > 0) {
            notes.count(name, count);
        }
        Some(())
    }
}

/// The name of the count of languages that were found by this source. `None` stands for the site's tag for a declared language.
fn counted_as(source: Option<&str>) -> &'static str {
    match source {
        Some("url") => "languages_from_url",
        Some("copy") => "languages_of_copies",
        Some(_) => "languages_from_translations",
        None => "languages_with_two_tags",
    }
}

/// The language that only the site reveals, with its source; or the site's tag for a language that the record declares with another tag,
/// without a source. `None` if the record declares its language, unless it is a copy.
fn found_language<'a>(here: &Here<'a>) -> Option<(&'a str, Option<&'static str>)> {
    let (language, source) = here.registry.language(here.record?)?;
    match here.text(Field::Language).filter(|tag| !tag.is_empty()) {
        Some(tag) if source != Some("copy") => Some((here.registry.other_tag(here.record?, &tag)?, None)),
        _ => Some((language, Some(source?))),
    }
}

/// Finds the targets of a list of links, images or embeds.
struct References<'r, 'h, const ARE_IMAGES: bool> {
    here: &'h Here<'h>,
    used_as: Use,
    tally: &'r Tally,
    answers: &'r mut Answers,
    /// The number of references, of internal ones, and of those with a target.
    counts: [u64; 3],
}

impl<const ARE_IMAGES: bool> References<'_, '_, ARE_IMAGES> {
    fn find(&mut self, asked: &Query<'_>) -> Answer {
        let mut found = self.answers.find(self.here.registry, asked);
        self.counts[0] += 1;
        self.counts[1] += u64::from(found.internal);
        match found.target {
            Ok(_) => self.counts[2] += 1,
            Err(None) => {}
            Err(Some(reason)) => {
                let reason = self.tally.reason(asked.url, reason);
                found.target = Err(Some(reason));
                self.tally.unresolved(asked.url, self.used_as, reason, || Bearer {
                    file: self.here.line.file,
                    line: self.here.line.number,
                    r#type: self.here.text(Field::Type).unwrap_or_default(),
                    id: self.here.number(Field::Id),
                });
            }
        }
        if let Some(rule) = found.rule {
            self.tally.rule(self.used_as, rule);
        }
        found
    }
}

impl<const ARE_IMAGES: bool> Editor for References<'_, '_, ARE_IMAGES> {
    type Decision = Answer;
    const WRITTEN: &'static [Slot] = match ARE_IMAGES {
        true => &[Slot::Internal, Slot::Target, Slot::Rule, Slot::Reason],
        false => &[Slot::Internal, Slot::Target, Slot::Comment, Slot::Rule, Slot::Reason],
    };

    fn decide(&mut self, one: &Element<'_>) -> Option<Answer> {
        let url = one.text(Slot::Url);
        let (url, language) = (url.as_deref().unwrap_or_default(), self.here.language.as_deref());
        let blog = self.here.blog();
        if ARE_IMAGES {
            let hint = one.number(Slot::Id);
            return Some(self.find(&Query { url, written: None, language, hint, image: true, blog }));
        }
        let hint = one.text(Slot::Rel).and_then(|rel| wordpress::number(&rel, "wp-att-"));
        Some(self.find(&Query { url, written: one.text(Slot::Href).as_deref(), language, hint, image: false, blog }))
    }

    fn write(&mut self, slot: Slot, found: &Answer, out: &mut Vec<u8>) -> bool {
        match slot {
            Slot::Internal => write_json(out, &found.internal),
            Slot::Target => write_json(out, &target(self.here.registry, found.target.ok())),
            Slot::Comment => write_json(out, &found.comment),
            Slot::Rule => write_json(out, &found.rule.map(Rule::name)),
            Slot::Reason => write_json(out, &found.target.err().flatten().map(Reason::name)),
            _ => return false,
        }
        true
    }
}

fn number(raw: &[u8]) -> Option<i64> {
    std::str::from_utf8(raw).ok()?.parse().ok()
}

/// Counts the references by id to records that do not exist; the id 0 means no record.
fn count_dangling(here: &Here<'_>, parts: &Parts, notes: &mut Notes) {
    for &(field, kind, r#type, count) in parts.references {
        let Some(raw) = here.raw(field) else { continue };
        let known = |id: i64| id <= 0 || here.registry.has(kind, r#type, id, here.blog());
        let dangling = match raw {
            [b'[', inner @ .., b']'] => {
                let ids: Option<Vec<i64>> = inner.split(|&b| b == b',').map(|id| number(id.trim_ascii())).collect();
                ids.unwrap_or_default().into_iter().filter(|&id| !known(id)).count()
            }
            _ => usize::from(number(raw).is_some_and(|id| !known(id))),
        };
        if dangling > 0 {
            notes.count(count, dangling as u64);
        }
    }
}
