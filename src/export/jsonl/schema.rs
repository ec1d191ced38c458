//! Writes `schema/NAME.schema.json`: the shape of a file's lines as
//! [JSON Schema](https://json-schema.org/draft/2020-12/schema). The loaders read their types from it.

use super::pretty::Pretty;
use super::table::Table;
use super::types::{Field, ValueType};

/// The path of a file's schema below the dataset's folder.
pub(super) fn path(stem: &str) -> String {
    format!("schema/{stem}.schema.json")
}

/// The schema of a file's lines, indented, with a final newline.
pub(super) fn write(table: &Table<'_>) -> Vec<u8> {
    let Table { stem, kind, r#type, longest, closed, .. } = table;
    let mut json = Pretty::default();
    json.open(b'{');
    json.key("$schema").string(&["https://json-schema.org/draft/2020-12/schema"]);
    json.key("title").string(&[stem]);
    let what =
        ["A line of this file: a record of kind ", kind, ", type ", r#type, "; see wp-records(5) for its fields"];
    json.key("description").string(&what);
    // For readers that work block by block.
    json.key("x-longest-line").plain(&longest.to_string());
    json.key("type").string(&["object"]);
    properties(&mut json, table.shape().fields());
    json.key("additionalProperties").plain(if *closed { "false" } else { "true" });
    json.close(b'}');
    json.text.push(b'\n');
    json.text
}

/// The recursion is as deep as the shape, which is limited.
fn properties(json: &mut Pretty, fields: &[Field]) {
    json.key("properties").open(b'{');
    for field in fields {
        json.key(&field.name);
        schema(json, &field.shape);
    }
    json.close(b'}');
}

/// The schema of a value.
fn schema(json: &mut Pretty, shape: &ValueType) {
    json.open(b'{');
    match shape {
        // Any value: an empty schema.
        ValueType::Json => {}
        ValueType::Null => json.key("type").string(&["null"]),
        _ => {
            json.key("type").open(b'[');
            json.element().string(&[shape.name()]);
            json.element().string(&["null"]);
            json.close(b']');
        }
    }
    match shape {
        ValueType::List(element) => schema(json.key("items"), element),
        ValueType::Object(fields) => {
            properties(json, fields);
            json.key("additionalProperties").plain("false");
        }
        ValueType::Time => json.key("format").string(&["date-time"]),
        _ => {}
    }
    json.close(b'}');
}
