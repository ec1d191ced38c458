//! Reads the statements of the REST API itself on language and translations: Polylang Pro and its add-ons, WPML REST API,
//! Bogo. [`crate::language`] handles pages, and the precedence of the evidence.

use super::Api;
use crate::language::LanguageTag;
use crate::ndjson::Str;
use crate::record::{Entries, Loose, Scalar, Translation, loose, next_loose};
use serde::de::{IgnoredAny, MapAccess, SeqAccess};
use std::cell::Cell;
use std::collections::HashSet;

/// The fields in which plugins write the item's own language: Polylang Pro; WP REST – Polylang; other add-ons; WPML REST API; Bogo.
const OWN: [&str; 5] = ["lang", "polylang_current_lang", "polylang_lang", "wpml_current_locale", "meta._locale"];

/// The fields in which plugins list the translations, as a list or as an object by language.
const LISTS: [&str; 3] = ["translations", "polylang_translations", "wpml_translations"];

/// The item's own language and its source: `rest` for a field of a multilingual plugin; `yoast` and `links` are hints
/// that a page may override. `link` is the item's permalink.
pub(crate) fn stated_language(api: &Api<'_>, link: Option<&str>) -> Option<(LanguageTag, &'static str)> {
    let fields = if mentions_plugin(api) { &OWN[..] } else { &[] };
    let stated = fields.iter().filter_map(|field| text(api, field)).find_map(|raw| LanguageTag::parse(&raw));
    if let Some(tag) = stated {
        return Some((tag, "rest"));
    }
    if let Some(yoast) = &api.yoast
        && let Some(tag) = yoast.in_language().and_then(LanguageTag::parse)
    {
        return Some((tag, "yoast"));
    }
    let own = api.links.own.first()?.href.as_deref()?;
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
    loose(api.raw(path)?)
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
    let lists = LISTS.iter().filter_map(|field| loose::<Members<'a>>(api.raw(field)?));
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
#[derive(Default)]
struct Members<'a>(Vec<Member<'a>>);

impl<'a> Loose<'a> for Members<'a> {
    fn of_list<A: SeqAccess<'a>>(list: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        Ok(Vec::of_list(list, odd)?.map(Members))
    }

    fn of_object<A: MapAccess<'a>>(map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        let members = Entries::<Member<'a>>::of_object(map, odd)?.unwrap_or_default().0.into_iter();
        let named = |(key, member): (_, Member<'a>)| Member { language: member.language.or(Some(key)), ..member };
        Ok(Some(Members(members.map(named).collect())))
    }
}

impl<'a> Loose<'a> for Member<'a> {
    fn nothing() -> Option<Self> {
        Some(Member::default())
    }

    /// Takes a string as an id or a URL; a bare slug would not be reliable.
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        Ok(match scalar {
            Scalar::Integer(id) => Member { id: id.try_into().ok(), ..Member::default() },
            Scalar::Text(text) => {
                let is_url = text.contains("://") || text.starts_with('/');
                Member { language: None, id: text.parse().ok(), href: Some(text).filter(|_| is_url) }
            }
            _ => Member::default(),
        })
    }

    fn of_object<A: MapAccess<'a>>(mut map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        let mut member = Member::default();
        while let Some(key) = map.next_key::<Str<'a>>()? {
            match &*key {
                "locale" | "lang" | "language" => member.language = next_loose(&mut map, odd)?,
                "id" => member.id = next_loose(&mut map, odd)?,
                "href" | "link" | "url" => member.href = next_loose(&mut map, odd)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(member))
    }
}
