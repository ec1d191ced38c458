//! Parses the rights stated in the metadata of media files: in fields written by cameras and image editors, and in
//! fields that plugins add.

use super::licence;
use super::statement::{FIELD, IMAGE_META, RECORD, RawStatement};
use super::words::DEVICES;
use serde_json::Value;

/// Parses the metadata fields of a file.
pub(crate) struct Metadata;

/// The deepest level in a field's value that is read.
const DEEPEST: usize = 3;

/// Values of fields that were never filled in, or that plugin shops store.
const NOTHING: &str =
    "0 1 none null default unknown false true valid invalid active inactive expired deactivated yes no n/a";

/// Words in the names of fields for software licences.
const OF_PROGRAMS: &str = "key status plugin theme software edd expires expiry expiration activation activated email";

/// A text without spaces of at least this many characters may be a licence key.
const KEY: usize = 20;

impl Metadata {
    /// The statements in `image_meta`: its copyright, and its credit if that is a licence or a copyright line.
    pub(crate) fn of_image(copyright: Option<&str>, credit: Option<&str>) -> Vec<RawStatement> {
        let says = |text: &&str| {
            let lower = text.to_lowercase();
            licence::by_name(text).is_some()
                || lower.contains('©')
                || lower.contains("copyright")
                || lower.contains("(c)")
        };
        let filled = |text: &&str| is_filled(text) && (says(text) || !is_device(text));
        let texts = copyright.into_iter().filter(filled).chain(credit.into_iter().filter(says));
        texts.filter_map(|text| RawStatement::of_value(IMAGE_META, RECORD, text)).collect()
    }

    /// Whether a field with this name is about rights.
    pub(crate) fn is_field(name: &str) -> bool {
        is_licence(name) || name.to_lowercase().contains("copyright") || name.eq_ignore_ascii_case("rights")
    }

    /// The statements in such a field.
    pub(crate) fn of_field(name: &str, json: &str) -> Vec<RawStatement> {
        let mut found = Vec::new();
        if let Ok(value) = serde_json::from_str::<Value>(json) {
            see(is_licence(name), &value, DEEPEST, &mut found);
        }
        found
    }
}

fn is_licence(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["license", "licence", "lizenz"].iter().any(|word| lower.contains(word))
        && !words(name).any(|word| OF_PROGRAMS.split(' ').any(|of| of == word))
}

/// The words of a name such as `license_key` or `licenseKey`.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.iter_mut().last().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
    }
    words.into_iter()
}

fn is_filled(text: &str) -> bool {
    let text = text.trim();
    let is_key = text.len() >= KEY
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && licence::by_name(text).is_none();
    let lower = text.to_lowercase();
    !is_key && !text.is_empty() && NOTHING.split(' ').all(|nothing| nothing != lower)
}

/// Whether a camera or a program has written its own name.
fn is_device(text: &str) -> bool {
    let lower = text.to_lowercase();
    DEVICES.iter().any(|device| lower.contains(device))
}

fn see(is_licence: bool, value: &Value, levels: usize, found: &mut Vec<RawStatement>) {
    match value {
        Value::String(text) if is_filled(text) => {
            let stated = RawStatement::of_value(FIELD, RECORD, text);
            let is_words = stated.as_ref().is_some_and(|stated| stated.href.is_none());
            found.extend(if is_licence && is_words {
                Some(RawStatement::licence(FIELD, RECORD, Some(text), None))
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

    /// Licence keys of plugin shops, and names of cameras and programs, are not statements.
    #[test]
    fn what_programs_write_says_nothing() {
        for name in ["plugin_license", "license_status", "edd_license_key", "theme_licence", "licenseExpires"] {
            assert!(!Metadata::is_field(name), "{name}");
        }
        for name in ["license", "image_licence", "photo_copyright", "licenseType", "cc_license"] {
            assert!(Metadata::is_field(name), "{name}");
        }
        for value in ["\"valid\"", "\"inactive\"", "\"yes\"", "\"4f1d0c3ab2c94e5d8a7b6c5d4e3f2a1b\""] {
            assert!(Metadata::of_field("license", value).is_empty(), "{value}");
        }
        for device in [
            "OLYMPUS DIGITAL CAMERA",
            "Picasa",
            "Canon EOS 5D Mark II",
            "Adobe Photoshop CS6",
            "SONY DSC",
            "KODAK Digital Still Camera",
        ] {
            assert!(Metadata::of_image(Some(device), None).is_empty(), "{device}");
        }
        assert_eq!(Metadata::of_image(Some("© Microsoft Corporation"), None).len(), 1);
        assert_eq!(Metadata::of_image(Some("Sony Music"), None).len(), 1);
    }
}
