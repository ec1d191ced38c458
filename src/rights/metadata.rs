//! Reads the rights that the fields of a file state: those that a camera or an editor of images wrote, and those that
//! plugins add.

use super::licence;
use super::statement::{FIELD, IMAGE_META, RECORD, Stated};
use serde_json::Value;

/// Reads the fields of a file.
pub(crate) struct Metadata;

/// Levels of a field's value.
const DEEPEST: usize = 3;

/// What a field holds that nobody has filled in.
const NOTHING: [&str; 9] = ["", "0", "1", "none", "null", "default", "unknown", "false", "true"];

impl Metadata {
    /// What `image_meta` says: a copyright, and a credit if it is a licence or a copyright line.
    pub(crate) fn of_image(copyright: Option<&str>, credit: Option<&str>) -> Vec<Stated> {
        let says = |text: &&str| {
            let lower = text.to_lowercase();
            licence::by_name(text).is_some()
                || lower.contains('©')
                || lower.contains("copyright")
                || lower.contains("(c)")
        };
        let filled = |text: &&str| !NOTHING.contains(&text.trim().to_lowercase().as_str());
        let texts = copyright.into_iter().filter(filled).chain(credit.into_iter().filter(says));
        texts.filter_map(|text| Stated::of_value(IMAGE_META, RECORD, text)).collect()
    }

    /// Whether a field of that name is about rights.
    pub(crate) fn is_field(name: &str) -> bool {
        is_licence(name) || name.to_lowercase().contains("copyright") || name.eq_ignore_ascii_case("rights")
    }

    /// What such a field says.
    pub(crate) fn of_field(name: &str, json: &str) -> Vec<Stated> {
        let mut found = Vec::new();
        if let Ok(value) = serde_json::from_str::<Value>(json) {
            see(is_licence(name), &value, DEEPEST, &mut found);
        }
        found
    }
}

fn is_licence(name: &str) -> bool {
    let name = name.to_lowercase();
    ["license", "licence", "lizenz"].iter().any(|word| name.contains(word)) && !name.contains("key")
}

fn see(is_licence: bool, value: &Value, levels: usize, found: &mut Vec<Stated>) {
    match value {
        Value::String(text) if !NOTHING.contains(&text.trim().to_lowercase().as_str()) => {
            let stated = Stated::of_value(FIELD, RECORD, text);
            let is_words = stated.as_ref().is_some_and(|stated| stated.href.is_none());
            found.extend(if is_licence && is_words {
                Some(Stated::licence(FIELD, RECORD, Some(text), None))
            } else {
                stated
            });
        }
        Value::Array(list) if levels > 0 => list.iter().for_each(|one| see(is_licence, one, levels - 1, found)),
        Value::Object(_) => {
            let text = ["url", "value", "name", "label", "slug"]
                .iter()
                .find_map(|key| value.get(*key).filter(|v| v.is_string()));
            text.into_iter().for_each(|text| see(is_licence, text, 0, found));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_filled_in_says_nothing() {
        let image = |copyright, credit| super::super::settle(Metadata::of_image(copyright, credit), None).len();
        assert_eq!(
            (image(Some(""), Some("Ann")), image(Some("Ann"), Some("© Ann")), image(None, Some("Ann / CC BY 4.0"))),
            (0, 2, 1)
        );
        let field = |name, json| -> Vec<_> {
            super::super::settle(Metadata::of_field(name, json), None)
                .into_iter()
                .map(|one| one.value.or(one.url).unwrap().to_string())
                .collect()
        };
        assert_eq!(field("license", r#""CC-BY-4.0""#), ["CC-BY-4.0"]);
        assert_eq!(
            field("isc_image_licence", r#"{"url":"https://creativecommons.org/licenses/by/2.0/","name":"x"}"#),
            ["CC-BY-2.0"]
        );
        assert_eq!(field("license", r#"["standard","0"]"#), ["standard"]);
        assert!(field("license", "17").is_empty() && field("license", "\"\"").is_empty());
        assert!(
            Metadata::is_field("photo_copyright")
                && !Metadata::is_field("license_key")
                && !Metadata::is_field("brightness")
        );
    }
}
