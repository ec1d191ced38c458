//! Lists inside a record (links, images, translations) whose elements are edited and otherwise stay as they came.
//! What is written into them is decided by who edits.

use crate::ndjson::{Object, write_json};
use crate::record::Target;
use crate::registry::{RecordNumber, Registry};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The list `raw` with each element that is an object as `edit` leaves it: kept when it says so. None if `raw` is no
/// list.
pub(super) fn edit_list(raw: &str, mut edit: impl FnMut(&mut Object<'_>) -> bool) -> Option<String> {
    let elements: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
    let mut out = Vec::with_capacity(raw.len() + elements.len() * 64);
    out.push(b'[');
    for element in elements {
        let start = out.len();
        if start > 1 {
            out.push(b',');
        }
        match Object::parse_str(element.get()) {
            Ok(mut object) => {
                if edit(&mut object) {
                    object.write_line(&mut out);
                    out.pop();
                } else {
                    out.truncate(start);
                }
            }
            // Not ours: a user's.
            Err(_) => out.extend_from_slice(element.get().as_bytes()),
        }
    }
    out.push(b']');
    Some(String::from_utf8(out).expect("text was put together from text"))
}

/// The list with elements appended.
pub(super) fn append(list: String, elements: &[String]) -> String {
    if elements.is_empty() {
        return list;
    }
    let open = list.strip_suffix(']').unwrap_or("[");
    let comma = if open.len() > 1 { "," } else { "" };
    format!("{open}{comma}{}]", elements.join(","))
}

/// The value of a key where it is what is wanted.
pub(super) fn value<T: DeserializeOwned>(object: &Object<'_>, key: &str) -> Option<T> {
    serde_json::from_str(object.get(key)?).ok()
}

/// A target as JSON.
pub(super) fn target_json(registry: &Registry, record: Option<RecordNumber>) -> String {
    let target = record.map_or_else(Target::default, |record| {
        let (r#type, id, link) = registry.target(record);
        Target { r#type: Some(r#type.into()), id, link: Some(link).filter(|link| !link.is_empty()).map(Into::into) }
    });
    json(&target)
}

/// Any value as JSON.
pub(super) fn json(value: &impl serde::Serialize) -> String {
    let mut out = Vec::new();
    write_json(&mut out, value);
    String::from_utf8(out).expect("JSON is UTF-8")
}
