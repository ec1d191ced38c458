//! Measures the rules for reading pages: the values that a record would have without each of the rules that applied to its page.

use crate::ndjson::Object;
use crate::rule::ablation::{held, without};
use std::collections::BTreeMap;

/// The keys that rules may change.
const KEYS: [&str; 7] = ["title", "content", "date", "date_gmt", "author_name", "terms", "featured_image"];

/// Adds `without` to a record that was filled: for each rule, the values that the record would otherwise have. `fill` fills a
/// record again, starting from its state `before`.
pub(super) fn measure(object: &mut Object<'_>, before: &Object<'_>, mut fill: impl FnMut(&mut Object<'_>)) {
    let mut all: BTreeMap<&str, BTreeMap<&str, serde_json::Value>> = BTreeMap::new();
    for rule in held().collect::<Vec<_>>() {
        let mut other = before.clone();
        without(rule, || fill(&mut other));
        for key in KEYS.into_iter().filter(|key| other.get(key) != object.get(key)) {
            let value = other.get(key).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
            all.entry(rule.name()).or_default().insert(key, value);
        }
    }
    held().for_each(drop);
    object.set_json("without", &all);
}
