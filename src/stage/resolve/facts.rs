//! Reads what the registry needs to know about a record from the positions of its fields in the line.

use super::outline::FieldPlace;
use crate::ndjson::describe;
use crate::record::take_json;
use crate::registry::Facts;
use serde_json::de::SliceRead;

/// The facts of a line that is JSON.
///
/// # Errors
/// If the type of a field is wrong; the message is serde_json's.
pub(super) fn facts<'a>(line: &'a [u8], entries: &[FieldPlace]) -> Result<Facts<'a>, String> {
    let mut facts = Facts::default();
    for FieldPlace { field, value } in entries {
        take_json(&mut facts, field.name(), SliceRead::new(&line[value.clone()])).map_err(|error| describe(error).0)?;
    }
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::super::outline::outline;
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    /// Compares the facts with those that serde_json reads from the same line without repeated keys: each key has its last value.
    fn check(line: &str) {
        let mut entries = Vec::new();
        outline(line.as_bytes(), &mut entries);
        let once = serde_json::from_str::<Value>(line).unwrap().to_string();
        let by_serde = serde_json::from_str::<Facts<'_>>(&once).map_err(|e| describe(e).0);
        match facts(line.as_bytes(), &entries) {
            Ok(facts) => assert_eq!(format!("{facts:?}"), format!("{:?}", by_serde.unwrap()), "{line}"),
            // If several fields are wrong, the two report different ones: the first in the line, and the first in the order of the keys.
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
