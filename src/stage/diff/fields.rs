//! Compares the values of fields, leaf by leaf: what is null on one side and empty on the other is equal, and so are URLs of
//! one address.

use super::noise::{Noise, Rules};
use crate::record::FieldChange;
use serde_json::{Map, Value};

#[derive(Default)]
pub(super) struct Fields {
    pub(super) changed: Vec<FieldChange<'static>>,
    /// What was not compared.
    pub(super) ignored: Rules,
}

impl Fields {
    /// A field whose values differ.
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

/// A value as it is compared.
fn cleaned(value: &Value, rules: &mut Rules) -> Value {
    match value {
        Value::String(text) if text.is_empty() => Value::Null,
        Value::String(text) if text.starts_with("http://") || text.starts_with("https://") => {
            Noise::builtin().url(text, rules).into_owned().into()
        }
        // 1.0 is what some writers of JSON make of 1.
        Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), Value::from),
        Value::Array(list) if list.is_empty() => Value::Null,
        Value::Array(list) => list.iter().map(|one| cleaned(one, rules)).collect(),
        Value::Object(object) => object.iter().map(|(key, one)| (key.clone(), cleaned(one, rules))).collect(),
        _ => value.clone(),
    }
}
