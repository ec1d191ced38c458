//! Reads languages and translations from an export: Polylang's taxonomies, the metadata of WPML's exporter and of Bogo, the tags of
//! qTranslate. They become the fields that these plugins add to the REST API, which [`crate::rest`] reads.

use super::entry::{Term, meta};
use super::php::unserialize;
use crate::xml::Element;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// The versions of one text or term: languages and ids.
type Group = Arc<Vec<(String, i64)>>;

/// The languages and translations of a site.
#[derive(Default)]
pub(super) struct Languages {
    /// The locale of each of Polylang's languages, by its slug.
    locales: HashMap<String, String>,
    posts: HashMap<i64, Group>,
    terms: HashMap<i64, Group>,
    /// The posts of each of WPML's groups.
    groups: HashMap<String, Vec<(String, i64)>>,
}

/// The most members of a group of translations: larger groups are something else.
const MOST: usize = 200;

/// Polylang's taxonomies.
const POLYLANG: [&str; 4] = ["language", "term_language", "post_translations", "term_translations"];

/// Whether the only purpose of a taxonomy is to assign languages.
pub(super) fn is_of_languages(taxonomy: &str) -> bool {
    POLYLANG.contains(&taxonomy)
}

impl Languages {
    pub(super) fn learn_term(&mut self, term: &Term<'_>) {
        if !is_of_languages(term.taxonomy) {
            return;
        }
        let Some(Value::Object(stated)) = unserialize(term.description) else { return };
        let by_id = match term.taxonomy {
            "language" => {
                let locale = stated.get("locale").and_then(Value::as_str).unwrap_or(term.slug);
                self.locales.insert(term.slug.to_owned(), locale.to_owned());
                return;
            }
            "post_translations" => &mut self.posts,
            "term_translations" => &mut self.terms,
            _ => return,
        };
        let member = |(slug, id): (String, Value)| Some((slug, id.as_i64().or_else(|| id.as_str()?.parse().ok())?));
        let members = stated.into_iter().filter_map(member).filter(|(_, id)| *id > 0);
        let group: Group = Arc::new(members.take(MOST).collect());
        for (_, id) in group.iter() {
            by_id.insert(*id, group.clone());
        }
    }

    pub(super) fn learn_item(&mut self, id: i64, item: &Element) {
        let (group, language) =
            (meta(item, "_wpml_import_translation_group"), meta(item, "_wpml_import_language_code"));
        if !group.is_empty() && !language.is_empty() {
            self.groups.entry(group.to_owned()).or_default().push((language.to_owned(), id));
        }
    }

    fn locale(&self, slug: &str) -> String {
        self.locales.get(slug).map_or(slug, |locale| locale).to_owned()
    }

    fn listed(&self, group: &[(String, i64)]) -> Value {
        group.iter().map(|(slug, id)| (self.locale(slug), Value::from(*id))).collect::<Map<_, _>>().into()
    }

    /// Adds the language and the translations of a post to its fields.
    pub(super) fn add_to_post(&self, id: i64, item: &Element, api: &mut Map<String, Value>) {
        let polylang = item.all("category").find(|term| term.attribute("domain") == "language");
        if let Some(language) = polylang {
            api.insert("lang".to_owned(), self.locale(language.attribute("nicename")).into());
        }
        if let Some(group) = self.posts.get(&id) {
            api.insert("translations".to_owned(), self.listed(group));
        }
        let language = meta(item, "_wpml_import_language_code");
        if !language.is_empty() {
            api.insert("wpml_current_locale".to_owned(), language.into());
            let group = self.groups.get(meta(item, "_wpml_import_translation_group")).into_iter().flatten().take(MOST);
            let list: Vec<Value> = group.map(|(locale, id)| json!({ "locale": locale, "id": id })).collect();
            api.insert("wpml_translations".to_owned(), list.into());
        }
        let bogo: Map<String, Value> = ["_locale", "_original_post"]
            .into_iter()
            .filter_map(|key| Some((key.to_owned(), Some(meta(item, key)).filter(|value| !value.is_empty())?.into())))
            .collect();
        if !bogo.is_empty() {
            api.insert("meta".to_owned(), bogo.into());
        }
    }

    /// Adds the language and the translations of a term, both from its group.
    pub(super) fn add_to_term(&self, id: i64, api: &mut Map<String, Value>) {
        let Some(group) = self.terms.get(&id) else { return };
        if let Some((slug, _)) = group.iter().find(|(_, other)| *other == id) {
            api.insert("lang".to_owned(), self.locale(slug).into());
        }
        api.insert("translations".to_owned(), self.listed(group));
    }
}

/// Splits a text at qTranslate's tags, `[:de]`, `<!--:de-->` or `{:de}`; a part without a language belongs to all.
fn parts(text: &str) -> Vec<(&str, &str)> {
    let (mut parts, mut language, mut from, mut at) = (Vec::new(), "", 0, 0);
    while let Some(next) = text[at..].find(['[', '<', '{']).map(|next| at + next) {
        at = next + 1;
        let Some((code, end)) = [("[:", "]"), ("<!--:", "-->"), ("{:", "}")].into_iter().find_map(|(open, close)| {
            let inside = text[next..].strip_prefix(open)?;
            let length = inside.bytes().take_while(u8::is_ascii_lowercase).count();
            (matches!(length, 0 | 2) && inside[length..].starts_with(close))
                .then(|| (&inside[..length], next + open.len() + length + close.len()))
        }) else {
            continue;
        };
        parts.push((language, &text[from..next]));
        (language, from, at) = (code, end, end);
    }
    parts.push((language, &text[from..]));
    parts
}

/// The languages of texts with qTranslate's tags, in order.
pub(super) fn tagged(texts: [&str; 3]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (language, text) in texts.into_iter().flat_map(parts) {
        if !language.is_empty() && !text.trim().is_empty() && !found.contains(&language) {
            found.push(language);
        }
    }
    found
}

/// The version of a text in one language.
pub(super) fn in_language(text: &str, language: &str) -> String {
    parts(text).into_iter().filter(|(own, _)| own.is_empty() || *own == language).map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_qtranslate_are_taken_apart() {
        let text = "a [:en]Hello[:de]Hallo[:]<!--:fr-->Salut<!--:--> [:not] {:x}";
        assert_eq!(tagged([text, "", "[:it] [:]"]), ["en", "de", "fr"]);
        assert_eq!(in_language(text, "de"), "a Hallo [:not] {:x}");
        assert_eq!(in_language("[sic] [1:2]", "de"), "[sic] [1:2]");
    }
}
