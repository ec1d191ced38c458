//! `schema/NAME.schema.json`: the shape of a file's lines as [JSON Schema](https://json-schema.org/draft/2020-12/schema).
//! The loaders read their types from it.

use super::table::Table;
use super::types::{Field, ValueType};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The path of a file's schema below the dataset's folder.
pub(super) fn path(stem: &str) -> String {
    format!("schema/{stem}.schema.json")
}

/// The schema of a file's lines, indented, with a final newline.
pub(super) fn write(table: &Table<'_>) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(&Line(table)).expect("a Vec takes everything, and all keys are strings");
    json.push(b'\n');
    json
}

struct Line<'t>(&'t Table<'t>);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Table { stem, kind, r#type, longest, closed, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("$schema", "https://json-schema.org/draft/2020-12/schema")?;
        map.serialize_entry("title", stem)?;
        let what =
            format!("A line of this file: a record of kind {kind}, type {type}; see wp-records(5) for its fields");
        map.serialize_entry("description", &what)?;
        // For readers that work block by block.
        map.serialize_entry("x-longest-line", longest)?;
        map.serialize_entry("type", "object")?;
        map.serialize_entry("properties", &Properties(self.0.shape().fields()))?;
        map.serialize_entry("additionalProperties", &!closed)?;
        map.end()
    }
}

/// The schema of a value. The recursion is as deep as the shape, which is limited.
struct Schema<'s>(&'s ValueType);

impl Serialize for Schema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            // Any value: an empty schema.
            ValueType::Json => {}
            ValueType::Null => map.serialize_entry("type", "null")?,
            shape => map.serialize_entry("type", &[shape.name(), "null"])?,
        }
        match self.0 {
            ValueType::List(element) => map.serialize_entry("items", &Schema(element))?,
            ValueType::Object(fields) => {
                map.serialize_entry("properties", &Properties(fields))?;
                map.serialize_entry("additionalProperties", &false)?;
            }
            ValueType::Time => map.serialize_entry("format", "date-time")?,
            _ => {}
        }
        map.end()
    }
}

struct Properties<'s>(&'s [Field]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (&field.name, Schema(&field.shape))))
    }
}
