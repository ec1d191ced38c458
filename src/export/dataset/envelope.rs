//! Reads the fields of a record that every format needs: those that identify it, and those that a dataset's manifest counts. The fields are
//! read leniently, since users may change records on the way.

use crate::export::dataset::names;
use crate::export::dataset::references::References;
use crate::export::dataset::rights::RecordRights;
use crate::ndjson::{self, Object, Str, Walk, decode, describe, string, text_of};
use crate::record::{Fields, Rights, take_json};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::de::StrRead;
use std::borrow::Cow;
use std::ops::{Deref, Range};

/// From this number of bytes on, it costs less to remember where a value ends than to look for its end again.
const LONG: usize = 64;

/// The fields of a record that are counted.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Envelope<'a> {
    pub(crate) site: Option<Str<'a>>,
    /// The shape of the record.
    pub(crate) kind: Option<Str<'a>>,
    /// WordPress' own word for the type.
    pub(crate) r#type: Option<Str<'a>>,
    pub(crate) id: Option<i64>,
    pub(crate) link: Option<Str<'a>>,
    /// The language, as a BCP 47 tag.
    pub(crate) language: Option<Str<'a>>,
    /// The name of its translation group, unique in the site.
    pub(crate) translation_group: Option<Str<'a>>,
    /// Why it is not a translation but a copy.
    pub(crate) copy_source: Option<Str<'a>>,
    /// The language of the text itself, if wp-language is certain.
    pub(crate) text_language: Option<Str<'a>>,
    text_rules: Option<Str<'a>>,
    links: References,
    images: References,
    translations: References,
    /// The statements about the rights in it.
    rights: Vec<Rights<'a>>,
    has_page: bool,
    /// The programs that it has passed, as JSON.
    steps: Option<&'a str>,
    /// The error if a field that formats write as a text is not a string.
    wrong: Option<Wrong>,
}

/// The fields that a format reads besides those of the envelope, in the same reading.
pub(crate) trait Own<'a>: Fields<'a> + Deserialize<'a> {
    /// The name in messages of a record with these fields.
    const NAME: &'static str = "record";

    /// Whether the format takes records of this kind.
    fn is_of(kind: &str) -> bool {
        !matches!(kind, names::CHANGE | "alignment")
    }
}

/// A record as a format reads it. Its own fields are those of the format.
#[derive(Debug, Default)]
pub(crate) struct Enveloped<'a, T> {
    /// The fields that every format counts.
    pub(crate) envelope: Envelope<'a>,
    pub(crate) own: T,
}

impl<T> Deref for Enveloped<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.own
    }
}

/// Whether a line is a record of wp-diff.
pub(crate) fn is_change(line: &[u8]) -> bool {
    memmem::find(line, b"\"change\"").is_some()
        && Object::parse(line).is_ok_and(|object| object.text("kind").as_deref() == Some(names::CHANGE))
}

/// The error in a line, and its column.
pub(crate) type Wrong = (String, u64);

impl<'a> Envelope<'a> {
    /// Reads a line. A field that is not as expected is not counted; only a line that is not a JSON object is an error.
    pub(crate) fn parse(line: &'a [u8]) -> Result<Self, Wrong> {
        Envelope::parse_each(line, |_, _, _| ())
    }

    /// Like [`Envelope::parse`]; `long` gets the places of the long values that have been read, in order.
    pub(crate) fn parse_noting(line: &'a [u8], long: &mut Vec<Range<usize>>) -> Result<Self, Wrong> {
        long.clear();
        Envelope::parse_each(line, |_, _, value| {
            if value.len() >= LONG {
                long.push(value);
            }
        })
    }

    /// Like [`Envelope::parse`]; `each` gets the text, every key, and the place of its value.
    fn parse_each(line: &'a [u8], each: impl FnMut(&'a str, &str, Range<usize>)) -> Result<Self, Wrong> {
        let text = text_of(line)?;
        let mut envelope = Envelope::default();
        if envelope.walk(text, each).is_none() {
            Object::parse_str(text)?;
        }
        if envelope.kind.as_deref() == Some("alignment") {
            // Its links are not references.
            envelope.links = References::default();
        }
        Ok(envelope)
    }

    /// Reads a line, and a format's own fields of it, which may not be as expected.
    pub(crate) fn with<T: Own<'a>>(line: &'a [u8]) -> Result<(Self, Result<T, Wrong>), Wrong> {
        let (mut own, mut is_read) = (T::default(), true);
        let mut envelope = Envelope::parse_each(line, |text, key, value| {
            is_read = is_read && take_json(&mut own, key, StrRead::new(&text[value])).is_ok();
        })?;
        let own = match envelope.wrong.take() {
            Some(wrong) => Err(wrong),
            None if is_read => Ok(own),
            // Numbers out of range become null; for everything else, this gives the error.
            None => text_of(line).and_then(|text| ndjson::from_str(text).map_err(describe)),
        };
        Ok((envelope, own))
    }

    /// Reads the fields by a walk. Nothing else is read of the lines of a stream, which are copied.
    fn walk(&mut self, text: &'a str, mut each: impl FnMut(&'a str, &str, Range<usize>)) -> Option<()> {
        let mut walk = Walk::new(text.as_bytes());
        walk.open(b'{')?;
        while let Some(place) = walk.key_place()? {
            let mut key = Cow::Borrowed(&text[place.clone()]);
            if walk.is_escaped(&place) {
                key = decode(key.as_bytes())?.into();
            }
            walk.peek()?;
            let start = walk.at();
            self.take(&key, &mut walk, text)?;
            each(text, &key, start..walk.at());
        }
        walk.end()
    }

    /// Takes the value of a key, which the walk reads.
    #[inline]
    fn take(&mut self, key: &str, walk: &mut Walk<'a>, text: &'a str) -> Option<()> {
        let is_name = matches!(key, "site" | "kind" | "type" | "language" | "translation_group");
        let field = match key {
            "links" => return counted(walk).map(|counts| self.links = counts),
            "images" => return counted(walk).map(|counts| self.images = counts),
            "translations" => return counted(walk).map(|counts| self.translations = counts),
            "scrape" => {
                self.has_page = walk.fields(["file"])?[0].is_some_and(|file| file != b"null");
                return Some(());
            }
            "source" => {
                self.steps = walk.fields(["steps"])?[0].and_then(|steps| std::str::from_utf8(steps).ok());
                return Some(());
            }
            "text_language" => {
                let [language] = walk.fields(["language"])?;
                self.text_language = language.and_then(|json| string(std::str::from_utf8(json).ok()?));
                return Some(());
            }
            "rights" => {
                self.rights = match &text[walk.value()?] {
                    "[]" => Vec::new(),
                    json => ndjson::from_str::<Option<_>>(json).ok().flatten().unwrap_or_default(),
                };
                return Some(());
            }
            "id" => {
                self.id = text[walk.value()?].parse().ok();
                return Some(());
            }
            "site" => &mut self.site,
            "link" => &mut self.link,
            "kind" => &mut self.kind,
            "type" => &mut self.r#type,
            "language" => &mut self.language,
            "translation_group" => &mut self.translation_group,
            "copy_source" => &mut self.copy_source,
            "text_rules" => &mut self.text_rules,
            _ => return walk.value().map(drop),
        };
        let value = walk.value()?;
        *field = string(&text[value.clone()]);
        if is_name && field.is_none() && self.wrong.is_none() {
            let error = ndjson::from_str::<Option<Str<'_>>>(&text[value.clone()]).err().map(describe);
            self.wrong = error.map(|(what, column)| (what, column + value.start as u64));
        }
        Some(())
    }

    /// The kind and type the record is filed under; see [`names::kind_and_type`].
    pub(crate) fn kind_and_type(&self) -> Option<(&str, &str)> {
        names::kind_and_type(self.kind.as_deref(), self.r#type.as_deref())
    }

    /// Like [`Envelope::kind_and_type`]; empty if the type is unknown.
    pub(crate) fn filed(&self) -> (&str, &str) {
        self.kind_and_type().unwrap_or((self.kind.as_deref().unwrap_or_default(), ""))
    }

    /// The fields of the record that a tally needs.
    pub(crate) fn counted(&self) -> Counted<'_> {
        fn borrow<'h>(text: &'h Str<'_>) -> Str<'h> {
            text.as_str().into()
        }
        let (kind, r#type) = self.filed();
        Counted {
            site: self.site.as_ref().map(borrow).unwrap_or_default(),
            kind: kind.into(),
            r#type: r#type.into(),
            language: self.language.as_ref().map(borrow),
            translation_group: self.translation_group.as_ref().map(borrow),
            text_language: self.text_language.as_ref().map(borrow),
            is_copy: self.copy_source.is_some(),
            by_peers_rules: self.text_rules.as_deref() == Some("wpextract"),
            has_page: self.has_page,
            steps: self.steps.map(Str::from),
            links: self.links,
            images: self.images,
            translations: self.translations,
            rights: RecordRights::of(&self.rights),
        }
    }
}

/// Counts a list of references; a list in an unusual form counts as empty.
fn counted(walk: &mut Walk<'_>) -> Option<References> {
    let mut inside = walk.clone();
    match References::walk(&mut inside) {
        None => walk.value().map(|_| References::default()),
        counts => {
            walk.go_to(inside.at());
            counts
        }
    }
}

/// The fields of one record that a tally needs. They can be kept in a spool until it is known whether the record is written.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Counted<'a> {
    #[serde(borrow)]
    pub(crate) site: Str<'a>,
    pub(crate) kind: Str<'a>,
    pub(crate) r#type: Str<'a>,
    pub(crate) language: Option<Str<'a>>,
    /// The name of its translation group, unique in the site.
    pub(crate) translation_group: Option<Str<'a>>,
    /// The language of its text, if wp-language is certain.
    pub(crate) text_language: Option<Str<'a>>,
    /// Whether its words are those of another record.
    pub(crate) is_copy: bool,
    /// Whether its texts follow the rules of wpextract.
    pub(crate) by_peers_rules: bool,
    /// Whether it has a page in a scrape.
    pub(crate) has_page: bool,
    /// The programs that it has passed, as JSON.
    pub(crate) steps: Option<Str<'a>>,
    pub(crate) links: References,
    pub(crate) images: References,
    pub(crate) translations: References,
    /// Its licences and reservations.
    pub(crate) rights: RecordRights,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Link, fields};
    use proptest::prelude::*;

    #[test]
    fn the_last_value_of_a_repeated_key_is_read() {
        assert_eq!(Envelope::parse(br#"{"type":"a","type":"b"}"#).unwrap().r#type.as_deref(), Some("b"));
    }

    #[test]
    fn a_line_that_is_not_an_object_is_an_error_with_its_column() {
        assert!(Envelope::parse(b"[\"a\",\"post\"]").is_err());
        assert_eq!(Envelope::parse(b"{\"a\":\"\xff\"}").unwrap_err(), ("invalid UTF-8".to_owned(), 7));
        assert!(Envelope::parse(b"{} {}").is_err());
    }

    #[test]
    fn lone_surrogates_and_long_numbers_are_accepted() {
        let envelope = Envelope::parse(br#"{"type":"post","x":"\ud800","n":123456789012345678901234567890}"#).unwrap();
        assert_eq!(envelope.r#type.as_deref(), Some("post"));
    }

    /// A record whose bytes, at some places, are replaced by pieces that break or bend JSON.
    fn damaged() -> impl Strategy<Value = String> {
        let record = r#"{"site":"a","kind":"post","type":"post","language":"de","text_language":{"language":"en"},"translation_group":"g","text_rules":"wpextract",
            "scrape":{"file":"x"},"source":{"file":"x","steps":["a","b"]},"links":[{"internal":true,"target":{"type":"post"}}],"images":[{"target":null}],"translations":[],"rights":[{"kind":"licence","value":"CC0-1.0"}]}"#;
        let pieces = [
            "",
            "\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "null",
            "5",
            "1e999",
            "\\ud800",
            "\\u0061",
            "\\",
            " ",
            "é",
            "\"kind\":1,",
        ];
        let places = prop::collection::vec((0..record.len(), 0..9usize, prop::sample::select(pieces.to_vec())), 0..4);
        places.prop_map(move |places| {
            let mut text = record.replace('\n', "");
            for (at, length, piece) in places {
                let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
                let (start, end) = (boundary(at).unwrap_or(0), boundary(at + length).unwrap_or(0));
                text.replace_range(start..end, piece);
            }
            text
        })
    }

    fields! {
        /// What formats write of the envelope.
        struct Names<'a> {
            site: Option<Str<'a>>,
            kind: Option<Str<'a>>,
            r#type: Option<Str<'a>>,
            language: Option<Str<'a>>,
            translation_group: Option<Str<'a>>,
        }
    }

    impl<'a> Own<'a> for Names<'a> {}

    proptest! {
        #![proptest_config(crate::cases::cases(4000))]

        /// Whatever is damaged, the walk reads the fields that [`Object`] reads, and gives the errors that serde_json gives.
        #[test]
        fn an_envelope_has_the_fields_of_the_object(text in prop_oneof![19 => damaged(), 1 => Just(r#"{"source":{"\ud800file":"x","steps":["a"]}}"#.to_owned()), 1 => Just(r#"{"links":[{"target":{"type":1e999}}]}"#.to_owned())]) {
            let (envelope, object) = match (Envelope::with::<Names<'_>>(text.as_bytes()), Object::parse_str(&text)) {
                (Ok(read), Ok(object)) => (read, object),
                (read, object) => {
                    prop_assert_eq!(read.err(), object.err());
                    return Ok(());
                }
            };
            let names: Result<Names<'_>, _> = ndjson::from_str(&text);
            prop_assert_eq!(envelope.1.err(), names.err().map(describe));
            let envelope = envelope.0;
            prop_assert_eq!(&envelope.kind, &object.text("kind"));
            prop_assert_eq!(&envelope.text_rules, &object.text("text_rules"));
            let rights = object.get("rights").and_then(|json| ndjson::from_str::<Option<Vec<Rights<'_>>>>(json).ok().flatten());
            prop_assert_eq!(&envelope.rights, &rights.unwrap_or_default());
            let inside = |key, inner: &str| Some(Object::parse_str(object.get(key)?).ok()?.get(inner)?.to_owned());
            // Unlike [`Object`], the walk also reads an object with a key that has a lone surrogate.
            let is_read = |key| object.get(key).is_none_or(|json| !json.starts_with('{') || Object::parse_str(json).is_ok());
            if is_read("source") {
                prop_assert_eq!(envelope.steps.map(str::to_owned), inside("source", "steps"));
            }
            if is_read("scrape") {
                prop_assert_eq!(envelope.has_page, inside("scrape", "file").is_some_and(|file| file != "null"));
            }
            let links = object.get("links").and_then(|json| ndjson::from_str::<Vec<Link<'_>>>(json).ok());
            let resolved = |links: &[Link<'_>]| links.iter().filter(|link| link.target.r#type.is_some()).count() as u64;
            if let Some(links) = links.filter(|_| envelope.links.found > 0) {
                prop_assert_eq!((envelope.links.found, envelope.links.resolved), (links.len() as u64, resolved(&links)));
            }
        }
    }
}
