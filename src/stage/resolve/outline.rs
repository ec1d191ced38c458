//! Finds the positions of the fields that wp-resolve needs, once in the first pass, for both. Other modules interpret them.
//!
//! A line is traversed once and checked as strictly as by a parser; the second pass goes straight to the few values
//! that it edits and copies the rest. This doubles the speed of the program: it was 220 MB/s when both passes parsed
//! every line, a third of it to skip what was not needed.

use crate::codec::{Packed, put_number};
use crate::ndjson::{Object, Str, Walk, decode, keys, string};
use serde_json::value::RawValue;
use std::ops::Range;

keys! {
    /// A field of a record.
    pub(super) enum Field {
        // Fields for the second pass.
        Kind = "kind",
        Type = "type",
        Id = "id",
        Language = "language",
        LanguageSource = "language_source",
        CopySource = "copy_source",
        CopyOf = "copy_of",
        Translations = "translations",
        TranslationGroup = "translation_group",
        Links = "links",
        Images = "images",
        Embeds = "embeds",
        Author = "author",
        Parent = "parent",
        FeaturedMedia = "featured_media",
        FeaturedImage = "featured_image",
        Terms = "terms",
        Categories = "categories",
        Tags = "tags",
        Post = "post",
        Source = "source",
        // Fields for the first pass alone.
        Site = "site",
        Link = "link",
        Slug = "slug",
        XDefault = "x_default",
        Guid = "guid",
        SourceUrl = "source_url",
        Sizes = "sizes",
        Aliases = "aliases",
        Content = "content",
        Description = "description",
        Scrape = "scrape",
        MediaDetails = "media_details",
        Same = "same",
        Title = "title",
        Name = "name",
    }
}

/// Each field has a bit in a `u64`, and one bit is left.
const _: () = assert!(Field::ALL.len() < u64::BITS as usize);

impl Field {
    /// Whether the second pass needs the field. These fields are values of the record itself, one after the other.
    pub(super) fn is_second(self) -> bool {
        self as u8 <= Field::Source as u8
    }
}

/// A field, and the position of its value in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldPlace {
    pub field: Field,
    pub value: Range<usize>,
}

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineShape {
    /// It is not UTF-8, not JSON, or not an object.
    Broken,
    /// It is an object as our stages write it.
    Plain,
    /// It is an object with white space between tokens, or with escapes in keys, and must be rewritten before it is edited.
    Untidy,
}

/// Appends the fields of a line to `entries`, each once: if a key is repeated, the last value counts, as in other JSON readers.
pub(super) fn outline(line: &[u8], entries: &mut Vec<FieldPlace>) -> LineShape {
    let before = entries.len();
    let mut untidy = false;
    let mut walk = Walk::new(line);
    let done = simdutf8::basic::from_utf8(line).is_ok() && record(&mut walk, &mut untidy, entries, ALL).is_some();
    if !done {
        entries.truncate(before);
        return LineShape::Broken;
    }
    if untidy || walk.spaced() { LineShape::Untidy } else { LineShape::Plain }
}

/// The source of a record (API, export, feed, page), from the value of `source`.
pub(super) fn via(source: &[u8]) -> Option<Str<'_>> {
    let [via] = Walk::new(source).fields(["via"])?;
    string(std::str::from_utf8(via?).ok()?)
}

/// Appends the fields of a line that is known to be an object, up to the last field with words. The rest, mostly links, is half of the line
/// and is not read.
pub(super) fn outline_words(line: &[u8], entries: &mut Vec<FieldPlace>) {
    let words = [Field::Kind, Field::Title, Field::Content].iter().fold(0, |all, field| all | 1 << *field as u8);
    record(&mut Walk::new(line), &mut false, entries, words);
}

/// A mask with every bit set, also the one that belongs to no field, so that reading never stops early.
const ALL: u64 = u64::MAX;

/// Reads the fields of an object, and stops as soon as all `wanted` fields have been read.
fn record(walk: &mut Walk<'_>, untidy: &mut bool, entries: &mut Vec<FieldPlace>, wanted: u64) -> Option<()> {
    let before = entries.len();
    let mut seen = 0;
    walk.open(b'{')?;
    while let Some(place) = walk.key_place()? {
        let key = walk.read(&place);
        let field = match Field::of(key) {
            None if walk.is_escaped(&place) => {
                *untidy = true;
                Field::of(decode(key)?.as_bytes())
            }
            field => field,
        };
        let Some(field) = field else {
            walk.value()?;
            continue;
        };
        let value = match field {
            Field::Links | Field::Images | Field::Embeds | Field::Translations | Field::Terms => list(walk, untidy)?,
            Field::FeaturedImage => {
                let start = walk.at();
                edited(walk, untidy)?;
                start..walk.at()
            }
            _ => walk.value()?,
        };
        if seen & 1 << field as u8 != 0 {
            let earlier = entries[before..].iter().position(|entry| entry.field == field);
            entries.remove(before + earlier.expect("it was seen"));
        }
        entries.push(FieldPlace { field, value });
        seen |= 1 << field as u8;
        if seen & wanted == wanted {
            return Some(());
        }
    }
    walk.end()
}

/// Reads a list whose elements will be edited.
fn list(walk: &mut Walk<'_>, untidy: &mut bool) -> Option<Range<usize>> {
    if walk.peek()? != b'[' {
        return walk.value();
    }
    let start = walk.at();
    walk.open(b'[')?;
    while walk.element()? {
        edited(walk, untidy)?;
    }
    Some(start..walk.at())
}

/// Reads an object that will be edited, or another value, which will not.
fn edited(walk: &mut Walk<'_>, untidy: &mut bool) -> Option<()> {
    if walk.peek()? != b'{' {
        return walk.value().map(|_| ());
    }
    walk.open(b'{')?;
    while let Some(key) = walk.key_place()? {
        *untidy |= walk.is_escaped(&key);
        walk.value()?;
    }
    Some(())
}

/// Rewrites an untidy line as our stages would write it.
pub(super) fn tidy(line: &[u8]) -> Option<Vec<u8>> {
    let mut object = Object::parse(line).ok()?;
    for key in ["links", "images", "embeds", "translations", "terms"] {
        let Some(elements) = object.get(key).and_then(|raw| serde_json::from_str::<Vec<&RawValue>>(raw).ok()) else {
            continue;
        };
        let mut list = vec![b'['];
        for element in elements {
            if list.len() > 1 {
                list.push(b',');
            }
            tidy_object(element.get(), &mut list);
        }
        list.push(b']');
        object.set(key, String::from_utf8(list).ok()?);
    }
    if let Some(image) = object.get(Field::FeaturedImage.name()) {
        let mut tidied = Vec::new();
        tidy_object(image, &mut tidied);
        object.set(Field::FeaturedImage.name(), String::from_utf8(tidied).ok()?);
    }
    let mut out = Vec::with_capacity(line.len());
    object.write(&mut out);
    Some(out)
}

/// Appends an object as our stages would write it; any other value comes from a user and is copied as it is.
fn tidy_object(json: &str, out: &mut Vec<u8>) {
    match Object::parse_str(json) {
        Ok(object) => object.write(out),
        Err(_) => out.extend_from_slice(json.as_bytes()),
    }
}

/// What the second pass knows about a line from the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineNote {
    /// The line is rejected.
    Broken,
    /// The line is passed on unchanged.
    Foreign,
    /// It is a record. `site` is the number of its site among those that are processed together, `record` its number in the registry, if it
    /// has one.
    Record { site: usize, record: Option<u32>, untidy: bool },
}

const BROKEN: u8 = 0;
const FOREIGN: u8 = 1;
const RECORD: u8 = 2;
const UNTIDY: u8 = 4;

/// Appends the notes on a line for the second pass: about 50 bytes per record.
pub(super) fn note(known: &LineNote, entries: &[FieldPlace], out: &mut Vec<u8>) {
    match known {
        LineNote::Broken => out.push(BROKEN),
        LineNote::Foreign => out.push(FOREIGN),
        LineNote::Record { site, record, untidy } => {
            out.push(if *untidy { RECORD | UNTIDY } else { RECORD });
            put_number(out, *site as u64);
            put_number(out, record.map_or(0, |record| u64::from(record) + 1));
            // The positions in an untidy line are useless, since it will be rewritten.
            let wanted = || entries.iter().filter(|entry| !untidy && entry.field.is_second());
            put_number(out, wanted().count() as u64);
            let mut done = 0;
            for FieldPlace { field, value } in wanted() {
                out.push(*field as u8);
                put_number(out, (value.start - done) as u64);
                put_number(out, value.len() as u64);
                done = value.end;
            }
        }
    }
}

/// Reads the notes of [`note`] on the next line; `None` at the end.
pub(super) fn recall(notes: &mut Packed<'_>, entries: &mut Vec<FieldPlace>) -> Option<LineNote> {
    entries.clear();
    let tag = notes.number()? as u8;
    Some(match tag {
        BROKEN => LineNote::Broken,
        FOREIGN => LineNote::Foreign,
        _ => {
            let site = notes.size()?;
            let record = notes.number()?.checked_sub(1).and_then(|record| u32::try_from(record).ok());
            let mut done = 0;
            for _ in 0..notes.size()? {
                let field = *Field::ALL.get(notes.size()?)?;
                let start = done + notes.size()?;
                done = start + notes.size()?;
                entries.push(FieldPlace { field, value: start..done });
            }
            LineNote::Record { site, record, untidy: tag & UNTIDY != 0 }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(line: &str) -> LineShape {
        outline(line.as_bytes(), &mut Vec::new())
    }

    #[test]
    fn lines_are_told_by_their_shape() {
        assert_eq!(shape(r#"{"a":{"b": 1},"links":[{"x":[1, 2]}],"content":{ "hash" : "1" }}"#), LineShape::Plain);
        for line in [r#"{"a" :1}"#, r#" {"a":1}"#, r#"{"\u0061":1}"#, r#"{"links":[ ]}"#, r#"{"links":[{"a": 1}]}"#] {
            assert_eq!(shape(line), LineShape::Untidy, "{line}");
        }
        for line in ["", "{", "[]", "{} {}", r#"{"a":01}"#, "{\"a\":\"\u{1}\"}", r#"{"\ud800":1}"#] {
            assert_eq!(shape(line), LineShape::Broken, "{line}");
        }
        assert_eq!(outline(b"{\"a\":\"\xff\"}", &mut Vec::new()), LineShape::Broken);
    }

    #[test]
    fn a_tidy_line_stays_tidy() {
        let line = r#" {"l\u0069nks" : [ {"a": 1} , 7], "x":[1, 2], "images":null}"#;
        let tidied = tidy(line.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(tidied.clone()).unwrap(), r#"{"links":[{"a":1},7],"x":[1, 2],"images":null}"#);
        assert_eq!(outline(&tidied, &mut Vec::new()), LineShape::Plain);
    }

    #[test]
    fn what_was_noted_is_recalled() {
        let line = format!(
            r#"{{"kind":"post","content":{{"html":"{}","hash":"x"}},"links":[],"tags":[1,2]}}"#,
            "x".repeat(300)
        );
        let mut entries = Vec::new();
        outline(line.as_bytes(), &mut entries);
        let record = LineNote::Record { site: 300, record: Some(70_000), untidy: false };
        let mut notes = Vec::new();
        for known in [&LineNote::Broken, &record, &LineNote::Foreign] {
            note(known, &entries, &mut notes);
        }
        let mut notes = Packed(&notes);
        let mut found = Vec::new();
        assert_eq!(recall(&mut notes, &mut found), Some(LineNote::Broken));
        assert_eq!(recall(&mut notes, &mut found), Some(record));
        let texts: Vec<&str> = found.iter().map(|entry| &line[entry.value.clone()]).collect();
        assert_eq!(texts, ["\"post\"", "[]", "[1,2]"]);
        assert_eq!(recall(&mut notes, &mut found), Some(LineNote::Foreign));
        assert_eq!(recall(&mut notes, &mut found), None);
    }
}
