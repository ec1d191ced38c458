//! `schema/NAME.schema.json`: what stands in a file, as [JSON Schema](https://json-schema.org/draft/2020-12/schema), from the
//! shape that all of its records have. The loaders beside it read their types from there.

use crate::export::beside::Table;
use crate::export::shape::{Field, Form, Shape};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The path of a file's schema below the dataset's folder.
pub fn path(stem: &str) -> String {
    format!("schema/{stem}.schema.json")
}

/// The schema of a file's lines, indented, with a final newline.
pub fn write(table: &Table<'_>) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(&Line(table)).expect("a Vec takes everything, and all keys are strings");
    json.push(b'\n');
    json
}

struct Line<'t>(&'t Table<'t>);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Table { stem, kind, r#type, shape, longest, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("$schema", "https://json-schema.org/draft/2020-12/schema")?;
        map.serialize_entry("title", stem)?;
        let what = format!(
            "A line of this file: a record of kind {kind}, type {type}; wp-records(5) tells what its fields mean"
        );
        map.serialize_entry("description", &what)?;
        // Readers that work block by block want to know.
        map.serialize_entry("x-longest-line", longest)?;
        entries(shape, &mut map)?;
        map.end()
    }
}

/// The schema of a value.
struct Schema<'s>(&'s Shape);

impl Serialize for Schema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entries(self.0, &mut map)?;
        map.end()
    }
}

/// The calls go as deep as the shape, which has a limit.
fn entries<M: SerializeMap>(shape: &Shape, map: &mut M) -> Result<(), M::Error> {
    let named = |map: &mut M, name: &str| match shape.null {
        true => map.serialize_entry("type", &[name, "null"]),
        false => map.serialize_entry("type", name),
    };
    match &shape.form {
        // Any value: an empty schema.
        Form::Any => Ok(()),
        Form::Unknown if shape.null => map.serialize_entry("type", "null"),
        // The element of a list that is always empty: there is none.
        Form::Unknown => map.serialize_entry("not", &Schema(&Shape { form: Form::Any, null: true })),
        Form::Text => named(map, "string"),
        Form::Integer => named(map, "integer"),
        Form::Number => named(map, "number"),
        Form::Boolean => named(map, "boolean"),
        Form::List(element) => {
            named(map, "array")?;
            map.serialize_entry("items", &Schema(element))
        }
        Form::Object(fields) => {
            named(map, "object")?;
            map.serialize_entry("properties", &Properties(fields))?;
            let required: Vec<&str> =
                fields.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
            map.serialize_entry("required", &required)?;
            map.serialize_entry("additionalProperties", &false)
        }
    }
}

struct Properties<'s>(&'s [Field]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|field| (&field.name, Schema(&field.shape))))
    }
}
