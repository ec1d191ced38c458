//! Writes `dataset_infos.json`: the columns of each file and their types, for Hugging Face's library. The library would also read them from
//! the head of the card, but there, people would see them before the first word of the text.

use super::table::Table;
use super::types::{Field, ValueType};
use crate::export::dataset::card::quoted;
use std::fmt::Write as _;

/// The file's name in a dataset's folder, which the library prescribes.
pub(crate) const NAME: &str = "dataset_infos.json";

/// The columns of the files with records, one line per file.
pub(super) fn write(tables: &[Table<'_>]) -> String {
    let mut text = String::new();
    let filled: Vec<_> =
        tables.iter().filter(|table| table.file.records > 0).map(|table| (table.stem, table)).collect();
    // The library looks for a single file under this name.
    let again = filled.first().filter(|_| filled.len() == 1).map(|(_, table)| ("default", *table));
    for (stem, table) in filled.iter().copied().chain(again) {
        let _ = write!(text, "{}{}:{{\"features\":", if text.is_empty() { "{\n" } else { ",\n" }, quoted(stem));
        features(&mut text, table.shape().fields());
        let (bytes, records) = (table.file.bytes, table.file.records);
        let _ = write!(
            text,
            ",\"splits\":{{\"train\":{{\"name\":\"train\",\"num_bytes\":{bytes},\"num_examples\":{records}}}}}}}"
        );
    }
    text + if filled.is_empty() { "{}\n" } else { "\n}\n" }
}

/// The recursion is as deep as the shape, which is limited.
fn features(text: &mut String, fields: &[Field]) {
    for (number, field) in fields.iter().enumerate() {
        let _ = write!(text, "{}{}:", if number == 0 { "{" } else { "," }, quoted(&field.name));
        feature(text, &field.shape);
    }
    text.push_str(if fields.is_empty() { "{}" } else { "}" });
}

fn feature(text: &mut String, shape: &ValueType) {
    let name = match shape {
        ValueType::Integer => "int64",
        ValueType::Number => "float64",
        ValueType::Boolean => "bool",
        ValueType::Json => return text.push_str("{\"_type\":\"Json\"}"),
        // The hub's JSON reader parses every text that looks like a time; if the column were declared as text, it would then
        // format it differently.
        ValueType::Time => "timestamp[s, tz=UTC]",
        ValueType::Object(fields) => return features(text, fields),
        // record.rs has no lists of lists.
        ValueType::List(element) => {
            text.push('[');
            feature(text, element);
            return text.push(']');
        }
        ValueType::Text | ValueType::Null => "string",
    };
    let _ = write!(text, "{{\"dtype\":\"{name}\",\"_type\":\"Value\"}}");
}
