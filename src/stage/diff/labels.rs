//! Compares the labels of images and embeds that are not in the text: alternative texts and captions. If an image or embed is added or
//! removed, its labels are not compared.

use super::fields::Fields;
use serde_json::json;
use std::collections::HashSet;

/// A list of a record, and the key of its elements that holds a label.
type Field = (&'static str, &'static str);

/// The labels that are compared.
const FIELDS: [Field; 3] = [("images", "alt"), ("images", "caption"), ("embeds", "caption")];

/// A caption or an alternative text; [`None`] if it is missing.
pub(super) struct Label {
    field: Field,
    /// The URL of its image or embed, and the form in which that URL is compared.
    url: String,
    key: String,
    text: Option<String>,
}

impl Label {
    pub(super) fn new(field: Field, [url, key]: [&str; 2], text: Option<&str>) -> Self {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        Label { field, url: url.to_owned(), key: key.to_owned(), text: text.map(str::to_owned) }
    }
}

/// Compares the labels in these lists at the URLs that both sides have. Adds a field for each key whose labels differ: for each side, the
/// labels that only this side has, as JSON.
pub(super) fn compare([old, new]: [&[Label]; 2], lists: &[&str], fields: &mut Fields) {
    for field in FIELDS.into_iter().filter(|field| lists.contains(&field.0)) {
        let sides = [only(old, new, field), only(new, old, field)];
        if sides.iter().any(|side| !side.is_empty()) {
            let [old, new] = sides.map(|side| serde_json::Value::from(side).to_string());
            fields.push(&format!("{}.{}", field.0, field.1), &old, &new);
        }
    }
}

/// The labels of a key that differ from the other side's labels at the same URL.
fn only(of: &[Label], other: &[Label], field: Field) -> Vec<serde_json::Value> {
    let others = || other.iter().filter(|label| label.field == field);
    let (known, keys): (HashSet<_>, HashSet<_>) = others().map(|label| ((&label.key, &label.text), &label.key)).unzip();
    let differs = |label: &&Label| keys.contains(&label.key) && !known.contains(&(&label.key, &label.text));
    let of = of.iter().filter(|label| label.field == field).filter(differs);
    of.map(|label| json!({"url": label.url, field.1: label.text})).collect()
}
