//! Reads the statements of the REST API itself on language and translations: Polylang Pro and its add-ons, WPML REST API,
//! Bogo. [`crate::language`] handles pages, and the precedence of the evidence.

use super::shapes::{Maybe, Text};
use super::{Api, Given};
use crate::language::LanguageTag;
use crate::ndjson::Str;
use crate::record::Translation;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Fields in which plugins write the item's own language: Polylang Pro; WP REST – Polylang; other add-ons; WPML REST API;
/// Bogo.
const OWN: [&str; 5] = ["lang", "polylang_current_lang", "polylang_lang", "wpml_current_locale", "meta._locale"];

/// Fields in which plugins list the translations, as a list or as an object by language.
const LISTS: [&str; 3] = ["translations", "polylang_translations", "wpml_translations"];

/// The item's own language and its source: `rest` for a field of a multilingual plugin; `yoast` and `links` are hints
/// that a page may override. `link` is the item's permalink.
pub(crate) fn own(api: &Api<'_>, link: Option<&str>) -> Option<(LanguageTag, &'static str)> {
    let fields = if mentions_plugin(api) { &OWN[..] } else { &[] };
    let stated = fields.iter().filter_map(|field| text(api, field)).find_map(|raw| LanguageTag::parse(&raw));
    if let Some(tag) = stated {
        return Some((tag, "rest"));
    }
    if let Given(Some(Maybe(yoast))) = &api.yoast
        && let Some(tag) = yoast.in_language().and_then(LanguageTag::parse)
    {
        return Some((tag, "yoast"));
    }
    let own = api.links.0.own.0.first()?.0.href.0.as_deref()?;
    Some((LanguageTag::parse(api_directory(own, link?)?)?, "links"))
}

/// Whether any of the fields above is present.
fn mentions_plugin(api: &Api<'_>) -> bool {
    api.mentions(|field| OWN.contains(&field) || LISTS.contains(&field), &["_locale", "_original_post"])
}

/// The `fr` of `https://host/fr/wp-json/…`, if the permalink begins with the same directory.
fn api_directory<'u>(api_url: &'u str, link: &str) -> Option<&'u str> {
    let before = api_url.split_once("/wp-json/")?.0;
    let (host, directory) = before.rsplit_once('/')?;
    let same = link.strip_prefix(before)?.starts_with('/');
    (same && !host.ends_with('/') && !host.ends_with(':')).then_some(directory)
}

fn text<'a>(api: &Api<'a>, path: &str) -> Option<Str<'a>> {
    serde_json::from_str::<Text<'a>>(api.raw(path)?).ok()?.0
}

/// The item's translations as listed by plugins, excluding the item itself.
pub(crate) fn translations<'a>(
    api: &Api<'a>,
    r#type: Option<&str>,
    id: Option<i64>,
    link: Option<&str>,
) -> Vec<Translation<'a>> {
    let mut found: Vec<Translation<'a>> = Vec::new();
    if !mentions_plugin(api) {
        return found;
    }
    // A list may have any length, so duplicates are found by hash.
    let mut known: HashSet<(Option<i64>, Option<Str<'a>>)> = HashSet::new();
    let lists = LISTS.iter().filter_map(|field| serde_json::from_str::<Members<'a>>(api.raw(field)?).ok());
    for mut member in lists.flat_map(|list| list.0).chain(original(api)) {
        // WordPress writes 0 for none.
        member.id = member.id.filter(|&id| id > 0);
        let itself =
            (member.id.is_some() && member.id == id) || (member.href.is_some() && member.href.as_deref() == link);
        let empty = member.id.is_none() && member.href.is_none();
        if itself || empty || !known.insert((member.id, member.href.clone())) {
            continue;
        }
        let tag = member.language.as_deref().and_then(LanguageTag::parse);
        found.push(Translation {
            language: tag.map(|tag| Str::from(tag.as_str().to_owned())),
            language_raw: member.language,
            href: member.href,
            r#type: member.id.and(r#type.map(|t| Str::from(t.to_owned()))),
            id: member.id,
            source: Some("rest".into()),
            ..Translation::default()
        });
    }
    found
}

/// Bogo's `_original_post`: the guid, URL or id of the post that this one was translated from; for the original, its
/// own guid.
fn original<'a>(api: &Api<'a>) -> Option<Member<'a>> {
    let raw = text(api, "meta._original_post")?;
    if api.guid.rendered.as_deref() == Some(&*raw) {
        return None;
    }
    match raw.parse() {
        Ok(id) => Some(Member { id: Some(id), ..Member::default() }),
        Err(_) => Some(Member { href: Some(raw).filter(|r| !r.is_empty()), ..Member::default() }),
    }
}

/// One entry of a list of translations.
#[derive(Default)]
struct Member<'a> {
    language: Option<Str<'a>>,
    id: Option<i64>,
    href: Option<Str<'a>>,
}

/// A list of translations in any of the plugins' formats: `{"fr": 12}`, `[{"locale": "fr_FR", "id": 12}]`, `{"fr_FR":
/// {"id": 12, "href": …}}`.
struct Members<'a>(Vec<Member<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of translations")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some((key, mut member)) = map.next_entry::<Str<'de>, Member<'de>>()? {
            member.language = member.language.or(Some(key));
            members.push(member);
        }
        Ok(Members(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = list.next_element()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Member<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MemberVisitor)
    }
}

struct MemberVisitor;

impl<'de> Visitor<'de> for MemberVisitor {
    type Value = Member<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a translation")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Member::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Member::default())
    }

    fn visit_i64<E>(self, id: i64) -> Result<Self::Value, E> {
        Ok(Member { id: Some(id), ..Member::default() })
    }

    fn visit_u64<E>(self, id: u64) -> Result<Self::Value, E> {
        Ok(Member { id: i64::try_from(id).ok().filter(|&id| id > 0), ..Member::default() })
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Member::default())
    }

    /// A string is an id or a URL; a bare slug would not be reliable.
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        let url = text.contains("://") || text.starts_with('/');
        Ok(Member { language: None, id: text.parse().ok(), href: url.then(|| text.to_owned().into()) })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Member::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut member = Member::default();
        while let Some(key) = map.next_key::<Str<'de>>()? {
            match &*key {
                "locale" | "lang" | "language" => member.language = map.next_value::<Text<'de>>()?.0,
                "id" => member.id = map.next_value::<super::shapes::Int>()?.0,
                "href" | "link" | "url" => member.href = map.next_value::<Text<'de>>()?.0,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(member)
    }
}
