//! Reads what the registry needs to know about a record from the positions of its fields in the line. If a value is
//! unexpected, serde_json reads the whole line again and decides.

use super::element::{Element, Slot, read_list};
use super::outline::{Entry, Field};
use crate::ndjson::{Str, describe};
use crate::registry::{Facts, SizeFacts, TranslationFacts};

/// The facts of a line.
///
/// # Errors
/// The field that has the wrong type or is repeated, in serde_json's words.
pub(super) fn facts<'a>(line: &'a [u8], entries: &[Entry]) -> Result<Facts<'a>, String> {
    match quick(line, entries) {
        Some(facts) => Ok(facts),
        None => serde_json::from_slice(line).map_err(|e| describe(e).0),
    }
}

fn quick<'a>(line: &'a [u8], entries: &[Entry]) -> Option<Facts<'a>> {
    let mut facts = Facts::default();
    let mut seen = 0u64;
    for Entry { field, value } in entries {
        let raw = line.get(value.clone())?;
        let text = || text(std::str::from_utf8(raw).ok()?);
        let bit = 1u64 << *field as u8;
        if seen & bit != 0 {
            return None;
        }
        seen |= bit;
        match field {
            Field::Site => facts.site = text()?,
            Field::Kind => facts.kind = text()?,
            Field::Type => facts.r#type = text()?,
            Field::Id => facts.id = number(raw)?,
            Field::Link => facts.link = text()?,
            Field::Slug => facts.slug = text()?,
            Field::Guid => facts.guid = text()?,
            Field::SourceUrl => facts.source_url = text()?,
            Field::Sizes => facts.sizes = list(raw, |raw| read_list(raw, size))?,
            Field::Aliases => facts.aliases = list(raw, |raw| serde_json::from_slice(raw).ok())?,
            Field::Translations => facts.translations = list(raw, |raw| read_list(raw, translation))?,
            Field::ScrapeFile => facts.scrape.file = text()?,
            Field::OriginalImage => facts.media_details.original_image = text()?,
            Field::Width => facts.media_details.width = number(raw)?,
            Field::Height => facts.media_details.height = number(raw)?,
            Field::SameType => facts.same.r#type = text()?,
            Field::SameId => facts.same.id = number(raw)?,
            Field::Categories => facts.categories = list(raw, |raw| serde_json::from_slice(raw).ok())?,
            Field::Tags => facts.tags = list(raw, |raw| serde_json::from_slice(raw).ok())?,
            Field::Terms => facts.terms = list(raw, |raw| serde_json::from_slice(raw).ok())?,
            Field::SourceRest => facts.source.rest = text()?,
            Field::Language => facts.language = text()?,
            Field::LanguageSource => facts.language_source = text()?,
            Field::Scrape | Field::MediaDetails | Field::Same | Field::Source
                if raw != b"null" && raw.first() != Some(&b'{') =>
            {
                return None;
            }
            _ => {}
        }
    }
    Some(facts)
}

/// A string or null.
pub(super) fn text(raw: &str) -> Option<Option<Str<'_>>> {
    let inner = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
    match inner {
        Some(inner) if memchr::memchr(b'\\', inner.as_bytes()).is_none() => Some(Some(inner.into())),
        Some(_) => serde_json::from_str::<Str<'_>>(raw).ok().map(Some),
        None => (raw == "null").then_some(None),
    }
}

/// An integer or null.
pub(super) fn number(raw: &[u8]) -> Option<Option<i64>> {
    if raw == b"null" {
        return Some(None);
    }
    std::str::from_utf8(raw).ok()?.parse().ok().map(Some)
}

fn list<'a, T>(raw: &'a [u8], read: impl FnOnce(&'a [u8]) -> Option<Vec<T>>) -> Option<Vec<T>> {
    if matches!(raw, b"null" | b"[]") { Some(Vec::new()) } else { read(raw) }
}

fn size<'a>(size: &Element<'a>) -> Option<SizeFacts<'a>> {
    Some(SizeFacts { url: size.strict_text(Slot::Url)? })
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

    fn check(line: &str) {
        let mut entries = Vec::new();
        outline(line.as_bytes(), &mut entries);
        let by_serde = serde_json::from_str::<Facts<'_>>(line);
        match quick(line.as_bytes(), &entries) {
            Some(facts) => assert_eq!(format!("{facts:?}"), format!("{:?}", by_serde.unwrap()), "{line}"),
            None => assert!(facts(line.as_bytes(), &entries).is_err() == by_serde.is_err(), "{line}"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_short_way_reads_what_serde_reads(
            fields in prop::collection::vec((0..20usize, 0..18usize), 0..6),
        ) {
            let keys = ["site", "kind", "id", "link", "sizes", "aliases", "translations", "content", "scrape", "same",
                "media_details", "language", "li\\u006ek", "guid", "slug", "type", "x", "source_url", "language_source", "links"];
            let values = ["null", "\"a\"", "\"a\\u00e9\\n\"", "7", "-9", "1.5", "99999999999999999999", "[]", "{}", "[\"a\"]",
                "{\"hash\":\"h\",\"file\":null}", "{\"id\":3,\"type\":\"post\",\"\\u0069d\":null}",
                "[{\"url\":\"u\",\"href\":\"h\",\"id\":4}]", "true", "[{\"href\":1}]", "[{\"x\":1},{\"id\":\"4\"}]",
                "[{\"url\":\"a\",\"\\u0075rl\":\"b\"}]", "[{\"url\":\"a\",\"url\":\"b\"}]"];
            let fields: Vec<String> = fields.iter().map(|(k, v)| format!("\"{}\":{}", keys[*k], values[*v])).collect();
            check(&format!("{{{}}}", fields.join(",")));
        }
    }
}
