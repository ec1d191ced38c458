//! Reads what the registry needs to know about a record from the positions of its fields in the line. What is not in the
//! form that our stages write is read by serde_json, field by field.

use super::element::{Element, Slot, read_list};
use super::outline::{Entry, Field};
use super::value::{number, text};
use crate::ndjson::describe;
use crate::registry::{Facts, MediaFacts, SameFacts, ScrapeFacts, SizeFacts, SourceFacts, TermFacts, TranslationFacts};
use serde::Deserialize;

/// The facts of a line.
///
/// # Errors
/// The type of a field is wrong, in serde_json's words.
pub(super) fn facts<'a>(line: &'a [u8], entries: &[Entry]) -> Result<Facts<'a>, String> {
    let mut facts = Facts::default();
    for Entry { field, value } in entries {
        let raw = &line[value.clone()];
        let text = || or_serde(std::str::from_utf8(raw).ok().and_then(text), raw);
        let number = || or_serde(number(raw), raw);
        match field {
            Field::Site => facts.site = text()?,
            Field::Kind => facts.kind = text()?,
            Field::Type => facts.r#type = text()?,
            Field::Id => facts.id = number()?,
            Field::Link => facts.link = text()?,
            Field::Slug => facts.slug = text()?,
            Field::Name => facts.name = text()?,
            Field::Guid => facts.guid = text()?,
            Field::SourceUrl => facts.source_url = text()?,
            Field::Sizes => facts.sizes = list(raw, |raw| read_list(raw, size))?,
            Field::Aliases => facts.aliases = list(raw, |_| None)?,
            Field::Translations => facts.translations = list(raw, |raw| read_list(raw, translation))?,
            Field::ScrapeMapped => facts.scrape.mapped = list(raw, |_| None)?,
            Field::ScrapeFile => facts.scrape.file = text()?,
            Field::OriginalImage => facts.media_details.original_image = text()?,
            Field::Width => facts.media_details.width = number()?,
            Field::Height => facts.media_details.height = number()?,
            Field::SameType => facts.same.r#type = text()?,
            Field::SameId => facts.same.id = number()?,
            Field::Categories => facts.categories = list(raw, |_| None)?,
            Field::Tags => facts.tags = list(raw, |_| None)?,
            Field::Terms => facts.terms = list(raw, |raw| read_list(raw, term))?,
            Field::SourceRest => facts.source.rest = text()?,
            Field::Language => facts.language = text()?,
            Field::LanguageSource => facts.language_source = text()?,
            Field::XDefault => facts.x_default = text()?,
            Field::CopySource => facts.copy_source = text()?,
            // The fields in an object come before it.
            _ if raw.first() == Some(&b'{') => {}
            Field::Scrape => facts.scrape = or_serde::<ScrapeFacts<'_>>(None, raw)?,
            Field::MediaDetails => facts.media_details = or_serde::<MediaFacts<'_>>(None, raw)?,
            Field::Same => facts.same = or_serde::<SameFacts<'_>>(None, raw)?,
            Field::Source => facts.source = or_serde::<SourceFacts<'_>>(None, raw)?,
            _ => {}
        }
    }
    Ok(facts)
}

/// What was read, or what serde_json reads from `raw`; null is empty.
fn or_serde<'a, T: Deserialize<'a> + Default>(read: Option<T>, raw: &'a [u8]) -> Result<T, String> {
    match read {
        Some(read) => Ok(read),
        None => serde_json::from_slice::<Option<T>>(raw).map(Option::unwrap_or_default).map_err(|e| describe(e).0),
    }
}

fn list<'a, T: Deserialize<'a>>(
    raw: &'a [u8],
    read: impl FnOnce(&'a [u8]) -> Option<Vec<T>>,
) -> Result<Vec<T>, String> {
    or_serde(if matches!(raw, b"null" | b"[]") { Some(Vec::new()) } else { read(raw) }, raw)
}

fn size<'a>(size: &Element<'a>) -> Option<SizeFacts<'a>> {
    Some(SizeFacts { url: size.strict_text(Slot::Url)? })
}

fn term<'a>(term: &Element<'a>) -> Option<TermFacts<'a>> {
    Some(TermFacts { taxonomy: term.strict_text(Slot::Taxonomy)?, id: term.strict_number(Slot::Id)? })
}

fn translation<'a>(said: &Element<'a>) -> Option<TranslationFacts<'a>> {
    Some(TranslationFacts {
        language: said.strict_text(Slot::Language)?,
        language_raw: said.strict_text(Slot::LanguageRaw)?,
        href: said.strict_text(Slot::Href)?,
        id: said.strict_number(Slot::Id)?,
        r#type: said.strict_text(Slot::Type)?,
        source: said.strict_text(Slot::Source)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::outline::outline;
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    /// What serde_json reads from the line in which each key is there once, with its last value.
    fn check(line: &str) {
        let mut entries = Vec::new();
        outline(line.as_bytes(), &mut entries);
        let once = serde_json::from_str::<Value>(line).unwrap().to_string();
        let by_serde = serde_json::from_str::<Facts<'_>>(&once).map_err(|e| describe(e).0);
        match facts(line.as_bytes(), &entries) {
            Ok(facts) => assert_eq!(format!("{facts:?}"), format!("{:?}", by_serde.unwrap()), "{line}"),
            // Of several, the first in the line, and in the order of the keys.
            Err(_) => assert!(by_serde.is_err(), "{line}"),
        }
    }

    proptest! {
        #![proptest_config(crate::cases::cases(3000))]

        #[test]
        fn the_facts_are_what_serde_reads_of_the_last_of_each_key(
            fields in prop::collection::vec((0..22usize, 0..18usize), 0..6),
        ) {
            let keys = ["site", "kind", "id", "link", "sizes", "aliases", "translations", "content", "scrape", "same",
                "media_details", "language", "li\\u006ek", "guid", "slug", "type", "x", "source_url", "language_source", "links",
                "x_default", "copy_source"];
            let values = ["null", "\"a\"", "\"a\\u00e9\\n\"", "7", "-9", "1.5", "99999999999999999999", "[]", "{}", "[\"a\"]",
                "{\"hash\":\"h\",\"file\":null}", "{\"id\":3,\"type\":\"post\",\"\\u0069d\":null}",
                "[{\"url\":\"u\",\"href\":\"h\",\"id\":4}]", "true", "[{\"href\":1}]", "[{\"x\":1},{\"id\":\"4\"}]",
                "[{\"url\":\"a\",\"\\u0075rl\":\"b\"}]", "[{\"url\":\"a\",\"url\":\"b\"}]"];
            let fields: Vec<String> = fields.iter().map(|(k, v)| format!("\"{}\":{}", keys[*k], values[*v])).collect();
            check(&format!("{{{}}}", fields.join(",")));
        }
    }
}
