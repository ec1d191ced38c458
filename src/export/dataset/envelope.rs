//! Reads the fields of a record that every format needs: whose it is, and what a dataset's manifest counts. The fields are read leniently, since
//! users may change records on the way.

use crate::export::dataset::names;
use crate::export::dataset::passed::Passed;
use crate::export::dataset::references::{Count, HasPage, References};
use crate::export::dataset::rights::Stated;
use crate::ndjson::{self, Object, Str, Walk, describe, string, text_of};
use crate::record::{Fields, Rights, fields, read_fields};
use memchr::memmem;
use serde::de::{Deserializer, MapAccess};
use serde::{Deserialize, Serialize};
use std::ops::{Deref, Range};

/// Bytes from which it costs less to remember where a value ends than to look for its end once more.
const LONG: usize = 64;

fields! {
    /// The fields of a record that are counted.
    #[derive(PartialEq)]
    pub(crate) struct Envelope<'a> {
        pub(crate) site: Option<Str<'a>>,
        /// Shape of the record.
        pub(crate) kind: Option<Str<'a>>,
        /// WordPress' own word.
        pub(crate) r#type: Option<Str<'a>>,
        pub(crate) id: Option<i64>,
        pub(crate) link: Option<Str<'a>>,
        /// BCP 47 tag.
        pub(crate) language: Option<Str<'a>>,
        /// Name of its group, unique in the site.
        pub(crate) translation_group: Option<Str<'a>>,
        /// Why it is no translation but a copy.
        pub(crate) copy_source: Option<Str<'a>>,
        /// The language of the text itself, where wp-language has been sure of it.
        pub(crate) text_language: TextLanguage<'a>,
        text_rules: Option<Str<'a>>,
        links: Count,
        images: Count,
        translations: Count,
        /// What is stated of the rights in it.
        pub(crate) rights: Vec<Rights<'a>>,
        pub(crate) scrape: HasPage,
        pub(crate) source: Passed<'a>,
    }

    /// What wp-language says of a text.
    #[derive(PartialEq)]
    pub(crate) struct TextLanguage<'a> {
        pub(crate) language: Option<Str<'a>>,
    }
}

/// What formats write of the envelope: as their own fields, these must be texts.
#[derive(Default)]
struct Names;

impl<'a> Fields<'a> for Names {
    fn take<M: MapAccess<'a>>(&mut self, key: &str, map: &mut M) -> Result<bool, M::Error> {
        let is_name = matches!(key, "site" | "kind" | "type" | "language" | "translation_group");
        if is_name {
            map.next_value::<Option<Str<'a>>>()?;
        }
        Ok(is_name)
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_fields(deserializer)
    }
}

/// The fields that a format reads besides those of the envelope, in the same reading.
pub(crate) trait Own<'a>: Fields<'a> + Deserialize<'a> {
    /// A record that has them, in messages.
    const NAME: &'static str = "record";

    /// Whether the format takes records of this kind.
    fn is_of(kind: &str) -> bool {
        !matches!(kind, names::CHANGE | "alignment")
    }

    /// Sets in the envelope what it has not seen, because these fields have taken it.
    fn share(&self, _head: &mut Envelope<'a>) {}
}

/// A record as a format reads it. Its own fields are those of the format.
#[derive(Debug, Default)]
pub(crate) struct Enveloped<'a, T> {
    /// What every format counts.
    pub(crate) envelope: Envelope<'a>,
    pub(crate) own: T,
}

impl<T> Deref for Enveloped<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.own
    }
}

impl<'a, T: Fields<'a>> Fields<'a> for Enveloped<'a, T> {
    fn take<M: MapAccess<'a>>(&mut self, key: &str, map: &mut M) -> Result<bool, M::Error> {
        Ok(self.own.take(key, map)? || self.envelope.take(key, map)?)
    }
}

impl<'de, T: Fields<'de>> Deserialize<'de> for Enveloped<'de, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_fields(deserializer)
    }
}

/// Whether a line is a record of wp-diff.
pub(crate) fn is_change(line: &[u8]) -> bool {
    memmem::find(line, b"\"change\"").is_some()
        && Object::parse(line).is_ok_and(|object| object.text("kind").as_deref() == Some(names::CHANGE))
}

/// What is wrong with a line, and the column.
pub(crate) type Wrong = (String, u64);

impl<'a> Envelope<'a> {
    /// Reads a line. A field that is not as expected is not counted; only a line that is not a JSON object is an error.
    pub(crate) fn parse(line: &'a [u8]) -> Result<Self, Wrong> {
        Envelope::parse_noting(line, &mut Vec::new())
    }

    /// As [`Envelope::parse`]; `long` gets the places of the record's long values that have been passed, in their order.
    pub(crate) fn parse_noting(line: &'a [u8], long: &mut Vec<Range<usize>>) -> Result<Self, Wrong> {
        long.clear();
        let text = text_of(line)?;
        let mut envelope = Envelope::strict(text, long).map_or_else(|| Envelope::lenient(text), Ok)?;
        if envelope.kind.as_deref() == Some("alignment") {
            // Its links are not references.
            envelope.links = Count::default();
        }
        Ok(envelope)
    }

    /// Reads a line, and a format's own fields of it, which may not be as expected.
    pub(crate) fn with<T: Own<'a>>(line: &'a [u8]) -> Result<(Self, Result<T, Wrong>), Wrong> {
        let text = text_of(line)?;
        if let Ok(Enveloped { mut envelope, own }) = serde_json::from_str::<Enveloped<'_, T>>(text) {
            own.share(&mut envelope);
            return Ok((envelope, Ok(own)));
        }
        let envelope = Envelope::lenient(text)?;
        let own = ndjson::from_str::<Names>(text).and_then(|_| ndjson::from_str(text));
        Ok((envelope, own.map_err(describe)))
    }

    /// By a walk: of the copied lines of a stream nothing else is read.
    fn strict(text: &'a str, long: &mut Vec<Range<usize>>) -> Option<Self> {
        let (mut envelope, mut walk) = (Envelope::default(), Walk::new(text.as_bytes()));
        walk.open(b'{')?;
        while let Some(key) = walk.key_place()? {
            let field = match walk.read(&key) {
                b"links" => {
                    envelope.links = Count::walk(&mut walk)?;
                    continue;
                }
                b"images" => {
                    envelope.images = Count::walk(&mut walk)?;
                    continue;
                }
                b"translations" => {
                    envelope.translations = Count::walk(&mut walk)?;
                    continue;
                }
                b"rights" => {
                    envelope.rights = match &text[walk.value()?] {
                        "[]" => Vec::new(),
                        json => serde_json::from_str::<Option<_>>(json).ok()?.unwrap_or_default(),
                    };
                    continue;
                }
                b"scrape" => {
                    envelope.scrape = HasPage::walk(&mut walk)?;
                    continue;
                }
                b"source" => {
                    envelope.source = Passed::walk(&mut walk, text)?;
                    continue;
                }
                b"text_language" => {
                    envelope.text_language = ndjson::from_str(&text[walk.value()?]).ok()?;
                    continue;
                }
                b"id" => {
                    envelope.id = text[walk.value()?].parse().ok();
                    continue;
                }
                b"site" => &mut envelope.site,
                b"link" => &mut envelope.link,
                b"kind" => &mut envelope.kind,
                b"type" => &mut envelope.r#type,
                b"language" => &mut envelope.language,
                b"translation_group" => &mut envelope.translation_group,
                b"copy_source" => &mut envelope.copy_source,
                b"text_rules" => &mut envelope.text_rules,
                _ if walk.is_escaped(&key) => return None,
                _ => {
                    let value = walk.value()?;
                    if value.len() >= LONG {
                        long.push(value);
                    }
                    continue;
                }
            };
            *field = match &text[walk.value()?] {
                "null" => None,
                value => Some(string(value)?),
            };
        }
        walk.end().map(|()| envelope)
    }

    /// Slower, and rarely needed: fields of other types.
    fn lenient(text: &'a str) -> Result<Self, Wrong> {
        let object = Object::parse_str(text)?;
        let text = |key: &str| object.get_borrowed(key).and_then(|raw| ndjson::from_str(raw).ok());
        let count = |key: &str| object.get(key).and_then(|raw| ndjson::from_str(raw).ok()).unwrap_or_default();
        Ok(Envelope {
            site: text("site"),
            kind: text("kind"),
            r#type: text("type"),
            id: object.get("id").and_then(|raw| raw.parse().ok()),
            link: text("link"),
            language: text("language"),
            translation_group: text("translation_group"),
            copy_source: text("copy_source"),
            text_language: object
                .get_borrowed("text_language")
                .and_then(|raw| ndjson::from_str(raw).ok())
                .unwrap_or_default(),
            text_rules: text("text_rules"),
            links: count("links"),
            images: count("images"),
            translations: count("translations"),
            rights: object
                .get_borrowed("rights")
                .and_then(|raw| ndjson::from_str::<Option<_>>(raw).ok().flatten())
                .unwrap_or_default(),
            scrape: object.get("scrape").and_then(|raw| ndjson::from_str(raw).ok()).unwrap_or_default(),
            source: object.get("source").and_then(|raw| ndjson::from_str(raw).ok()).unwrap_or_default(),
        })
    }

    /// The kind and type the record is filed under; see [`names::kind_and_type`].
    pub(crate) fn kind_and_type(&self) -> Option<(&str, &str)> {
        names::kind_and_type(self.kind.as_deref(), self.r#type.as_deref())
    }

    /// As [`Envelope::kind_and_type`]; empty where nothing tells.
    pub(crate) fn filed(&self) -> (&str, &str) {
        self.kind_and_type().unwrap_or((self.kind.as_deref().unwrap_or_default(), ""))
    }

    /// Sets what is counted of links, images and translations.
    pub(crate) fn count(&mut self, links: References, images: References, translations: References) {
        (self.links, self.images, self.translations) = (Count(links), Count(images), Count(translations));
    }

    /// What a tally takes of the record.
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
            text_language: self.text_language.language.as_ref().map(borrow),
            is_copy: self.copy_source.is_some(),
            by_peers_rules: self.text_rules.as_deref() == Some("wpextract"),
            has_page: self.scrape.0,
            steps: self.source.json().map(Str::from),
            links: self.links.0,
            images: self.images.0,
            translations: self.translations.0,
            rights: Stated::of(&self.rights),
        }
    }
}

/// What a tally takes of one record. It can lie in a spool until it is known whether the record is written.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Counted<'a> {
    #[serde(borrow)]
    pub(crate) site: Str<'a>,
    pub(crate) kind: Str<'a>,
    pub(crate) r#type: Str<'a>,
    pub(crate) language: Option<Str<'a>>,
    /// Name of its group, unique in the site.
    pub(crate) translation_group: Option<Str<'a>>,
    /// That of its text, if wp-language is sure of it.
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
    pub(crate) rights: Stated,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn of_a_key_that_stands_twice_the_last_counts() {
        assert_eq!(Envelope::parse(br#"{"type":"a","type":"b"}"#).unwrap().r#type.as_deref(), Some("b"));
    }

    #[test]
    fn what_is_no_object_is_an_error_with_its_column() {
        assert!(Envelope::parse(b"[\"a\",\"post\"]").is_err());
        assert_eq!(Envelope::parse(b"{\"a\":\"\xff\"}").unwrap_err(), ("invalid UTF-8".to_owned(), 7));
        assert!(Envelope::parse(b"{} {}").is_err());
    }

    #[test]
    fn lone_surrogates_and_long_numbers_are_no_errors() {
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
            let mut text = record.to_owned();
            for (at, length, piece) in places {
                let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
                let (start, end) = (boundary(at).unwrap_or(0), boundary(at + length).unwrap_or(0));
                text.replace_range(start..end, piece);
            }
            text
        })
    }

    proptest! {
        #![proptest_config(crate::cases::cases(4000))]

        /// What is read strictly is read leniently to the same end, and nothing is an object to one alone.
        #[test]
        fn both_ways_to_read_an_envelope_agree(text in damaged()) {
            if let Some(envelope) = Envelope::strict(&text, &mut Vec::new()) {
                prop_assert_eq!(Envelope::lenient(&text), Ok(envelope));
            }
            prop_assert_eq!(Envelope::parse(text.as_bytes()).is_ok(), Object::parse_str(&text).is_ok());
        }
    }
}
