//! Compares the values of fields in two versions of a record, leaf by leaf: null and empty values are equal, and so are URLs
//! with the same address.

use super::noise::{Noise, Rules};
use crate::record::FieldChange;
use serde_json::{Map, Value};

#[derive(Default)]
pub(super) struct Fields {
    pub(super) changed: Vec<FieldChange<'static>>,
    /// The rules by which something was not compared.
    pub(super) ignored: Rules,
}

impl Fields {
    /// Adds a field whose values differ.
    pub(super) fn push(&mut self, field: &str, old: &str, new: &str) {
        let (old, new) = (Some(old.to_owned().into()), Some(new.to_owned().into()));
        self.changed.push(FieldChange { field: Some(field.to_owned().into()), old, new });
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.changed.iter().any(|field| field.field.as_deref() == Some(name))
    }

    pub(super) fn compare(&mut self, field: &str, old: &str, new: &str) {
        let parse = |json: &str| serde_json::from_str::<Value>(json).unwrap_or(Value::Null);
        self.compare_values(field, &parse(old), &parse(new));
    }

    fn compare_values(&mut self, field: &str, old: &Value, new: &Value) {
        let none = Map::new();
        let object = |value: &Value| value.is_object() || value.is_null();
        if (old.is_object() || new.is_object()) && object(old) && object(new) {
            let (old, new) = (old.as_object().unwrap_or(&none), new.as_object().unwrap_or(&none));
            let only_old = old.keys().filter(|key| !new.contains_key(*key));
            for key in new.keys().chain(only_old) {
                let value = |of: &Map<String, Value>| of.get(key).cloned().unwrap_or_default();
                self.compare_values(&format!("{field}.{key}"), &value(old), &value(new));
            }
        } else if cleaned(old, &mut self.ignored) != cleaned(new, &mut self.ignored) {
            self.push(field, &old.to_string(), &new.to_string());
        }
    }
}

/// Normalises a value for the comparison.
fn cleaned(value: &Value, rules: &mut Rules) -> Value {
    match value {
        Value::String(text) if text.is_empty() => Value::Null,
        Value::String(text) if text.starts_with("http://") || text.starts_with("https://") => {
            Noise::builtin().url(text, rules).into_owned().into()
        }
        // some writers of JSON turn 1 into 1.0
        Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), Value::from),
        Value::Array(list) if list.is_empty() => Value::Null,
        Value::Array(list) => list.iter().map(|one| cleaned(one, rules)).collect(),
        Value::Object(object) => object.iter().map(|(key, one)| (key.clone(), cleaned(one, rules))).collect(),
        _ => value.clone(),
    }
}
