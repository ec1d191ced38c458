//! Finds languages that the API's lists leave out: some plugins list only the default language, unless a request names another.

use super::answer::{Verdict, Want};
use super::discover::{Api, Collection, Home, ItemKind};
use super::session::{Ask, Session, Stop};
use crate::dump::LANGUAGE_LISTS;
use crate::page::Alternate;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The possible codes of one language, the likeliest first: plugins use its tag, its primary subtag, or the code in URLs.
type Codes = Vec<String>;

/// The collections in the languages that their lists leave out. `known` has the ids fetched from each route.
pub(super) fn left_out(
    session: &mut Session<'_>,
    api: &Api,
    home: &Home,
    collections: &[Collection],
    known: &BTreeMap<String, BTreeSet<i64>>,
) -> Result<Vec<Collection>, Stop> {
    let has_words = |collection: &&Collection| matches!(collection.kind, ItemKind::Post | ItemKind::Term);
    let mut found = Vec::new();
    for codes in languages(session, api, home)? {
        'codes: for code in &codes {
            let before = found.len();
            for collection in collections.iter().filter(has_words) {
                let collection = collection.in_language(code);
                match brings_more(session, api, &collection, known.get(&collection.route))? {
                    Some(true) => found.push(collection),
                    Some(false) => {}
                    // The site does not know the language by this code.
                    None => continue 'codes,
                }
            }
            if found.len() > before {
                session.messages.say(&format!("lists leave out the language {code}: it is asked for"));
                break;
            }
        }
    }
    Ok(found)
}

/// Whether a list in a language has items that the plain list lacks; `None` if the language cannot be requested.
fn brings_more(
    session: &mut Session<'_>,
    api: &Api,
    collection: &Collection,
    known: Option<&BTreeSet<i64>>,
) -> Result<Option<bool>, Stop> {
    let language = collection.language.as_deref().unwrap_or_default();
    let parameters = format!("per_page=100&orderby=id&order=asc&_fields=id&lang={language}");
    let ask =
        Ask { r#type: Some(collection.name.clone()), ..Ask::new(api.url(&collection.route, &parameters), Want::Items) };
    let answer = session.ask(&ask)?;
    if answer.verdict != Verdict::Good {
        return Ok(None);
    }
    let is_known = |id: i64| known.is_some_and(|known| known.contains(&id));
    let total = answer.response.number("x-wp-total").unwrap_or_default();
    let plain = known.map_or(0, |known| known.len() as u64);
    Ok(Some(answer.ids().any(|id| !is_known(id)) || total > plain))
}

/// The languages of the site, as plugins and the front page state them.
fn languages(session: &mut Session<'_>, api: &Api, home: &Home) -> Result<Vec<Codes>, Stop> {
    let index: Value = serde_json::from_slice(api.index.json()).unwrap_or_default();
    let namespaces = index.get("namespaces").and_then(Value::as_array).into_iter().flatten();
    let namespaces: Vec<&str> = namespaces.filter_map(Value::as_str).collect();
    let mut languages: Vec<Codes> = Vec::new();
    for route in LANGUAGE_LISTS {
        if route.rsplit_once('/').is_some_and(|(namespace, _)| namespaces.contains(&namespace)) {
            let answer = session.ask(&Ask::new(api.url(route, ""), Want::Json))?;
            let told: Value = serde_json::from_slice(answer.json()).unwrap_or_default();
            languages.extend(named(&told));
        }
    }
    languages.extend(home.head.alternates.iter().filter_map(codes_of));
    let mut seen = BTreeSet::new();
    languages.retain(|codes| codes.first().is_some_and(|first| seen.insert(first.clone())));
    Ok(languages)
}

/// The languages of a plugin's list: objects with a slug, or an object keyed by locale.
fn named(told: &Value) -> Vec<Codes> {
    let slug = |value: &Value| value.get("slug").and_then(Value::as_str).map(|slug| vec![slug.to_owned()]);
    match told {
        Value::Array(list) => list.iter().filter_map(slug).collect(),
        Value::Object(locales) => {
            let codes = |locale: &String| vec![primary(locale).to_owned(), locale.clone()];
            locales.keys().map(codes).filter(|codes| codes.iter().all(|code| is_code(code))).collect()
        }
        _ => Vec::new(),
    }
}

/// The codes under which the language of a link may be requested.
fn codes_of(alternate: &Alternate) -> Option<Codes> {
    let tag = alternate.hreflang.to_ascii_lowercase();
    if tag == "x-default" {
        return None;
    }
    let (path, query) = alternate.href.split_once('?').unwrap_or((&alternate.href, ""));
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("lang=")).map(str::to_owned);
    let folder = path.trim_end_matches('/').rsplit('/').next().map(str::to_ascii_lowercase);
    let folder = folder.filter(|folder| primary(folder) == primary(&tag));
    let primary = primary(&tag).to_owned();
    let mut codes: Codes = asked.into_iter().chain(folder).chain([tag, primary]).filter(|code| is_code(code)).collect();
    let mut seen = BTreeSet::new();
    codes.retain(|code| seen.insert(code.clone()));
    (!codes.is_empty()).then_some(codes)
}

fn primary(code: &str) -> &str {
    code.split(['-', '_']).next().unwrap_or_default()
}

fn is_code(code: &str) -> bool {
    (2..=20).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_goes_by_several_names() {
        let codes = |hreflang: &str, href: &str| {
            codes_of(&Alternate { hreflang: hreflang.to_owned(), href: href.to_owned() }).unwrap_or_default()
        };
        assert_eq!(codes("fr-FR", "https://a.example/fr/"), ["fr", "fr-fr"]);
        assert_eq!(codes("pt-BR", "https://a.example/pt-br/"), ["pt-br", "pt"]);
        assert_eq!(codes("de", "https://a.example/?lang=de_CH"), ["de_CH", "de"]);
        assert!(codes("x-default", "https://a.example/").is_empty());
        assert!(codes("../x", "https://a.example/").iter().all(|code| is_code(code)));
        assert_eq!(named(&serde_json::json!([{"slug": "fr"}, {"x": 1}])), [["fr"]]);
        assert_eq!(named(&serde_json::json!({"ja_JP": {}})), [["ja", "ja_JP"]]);
    }
}
