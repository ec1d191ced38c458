//! `croissant.json`: the dataset in [Croissant 1.1](https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html),
//! which dataset search engines read. It leaves out what only the owner knows (licence, publication) instead of
//! inventing it.

use super::table::Table;
use super::types::{Field, ValueType};
use crate::digest::hex;
use crate::export::dataset::card;
use crate::export::dataset::passed::{Chain, Told};
use crate::export::dataset::tally::Tally;
use crate::report::Read;
use crate::steps;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

/// The file's name in a dataset's folder.
pub(crate) const NAME: &str = "croissant.json";

/// The description of a dataset, indented, with a final newline.
pub(super) fn write(tables: &[Table<'_>], tally: &Tally) -> Vec<u8> {
    let sites = card::title(tally);
    let languages: Vec<&str> = tally.in_own_words().map(|(tag, ..)| tag).collect();
    let description =
        format!("{} records of {sites}, taken from WordPress by wpipe {}.", tally.written(), env!("CARGO_PKG_VERSION"));
    let description = description + &licences(tally);
    let croissant = Croissant { sites: &sites, description, languages, tables, tally };
    let mut text = serde_json::to_vec_pretty(&croissant).expect("a Vec takes everything, and all keys are strings");
    text.push(b'\n');
    text
}

/// How many records state which licence: a licence of the dataset is its owner's to say.
fn licences(tally: &Tally) -> String {
    let stated = tally.rights.licences.iter().map(|(name, records)| format!("{name} ({records})"));
    let stated: Vec<String> = stated.collect();
    if stated.is_empty() { String::new() } else { format!(" Licences that records state: {}.", stated.join(", ")) }
}

/// The whole, of which one table at a time is made: their values take eight times as much memory as their text.
struct Croissant<'t> {
    sites: &'t str,
    description: String,
    languages: Vec<&'t str>,
    tables: &'t [Table<'t>],
    tally: &'t Tally,
}

impl Serialize for Croissant<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Of a file without records no reader makes a table.
        let filled = || self.tables.iter().filter(|table| table.file.records > 0);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("@context", &context())?;
        map.serialize_entry("@type", "sc:Dataset")?;
        map.serialize_entry("conformsTo", "http://mlcommons.org/croissant/1.1")?;
        map.serialize_entry("description", &self.description)?;
        map.serialize_entry("distribution", &Each(|| self.tables.iter().map(file)))?;
        map.serialize_entry("inLanguage", &self.languages)?;
        map.serialize_entry("keywords", &["wordpress"])?;
        map.serialize_entry("name", self.sites)?;
        if !self.tally.inputs.is_empty() {
            map.serialize_entry("prov:wasDerivedFrom", &Each(|| self.tally.inputs.iter().map(entity)))?;
        }
        map.serialize_entry("prov:wasGeneratedBy", &generation(self.tally))?;
        map.serialize_entry("recordSet", &Each(|| filled().map(record_set)))?;
        map.end()
    }
}

/// A list whose elements are made when they are written.
struct Each<F>(F);

impl<I: Iterator<Item = Value>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// What wp-index read, by its digest alone: the names of files are of one machine.
fn entity(read: &Read) -> Value {
    json!({
        "@type": "prov:Entity",
        "@id": format!("urn:sha256:{}", read.sha256),
        "contentSize": format!("{} B", read.bytes),
        "sha256": read.sha256,
    })
}

/// What records have passed: each chain of programs an activity, and each program in it one that had the one before it as its
/// source.
fn generation(tally: &Tally) -> Value {
    let activity = |(number, Chain { records, steps }): (usize, Chain)| {
        let mut before: Option<Value> = None;
        for (place, Told(step)) in steps.iter().enumerate() {
            let [name, version, _] = steps::parts(step);
            let program: Vec<&str> = [name, version].into_iter().flatten().collect();
            let mut activity = json!({
                "@type": "prov:Activity",
                "@id": format!("#chain-{}-step-{}", number + 1, place + 1),
                "prov:label": step,
                "prov:wasAssociatedWith": {
                    "@type": "prov:SoftwareAgent",
                    "prov:label": program.join(" "),
                },
            });
            if let Some(before) = before.take() {
                activity["prov:wasInformedBy"] = before;
            }
            before = Some(activity);
        }
        let mut last = before.unwrap_or_else(|| json!({"@type": "prov:Activity"}));
        last["description"] = json!(format!("{records} records"));
        last
    };
    tally.chains.told(tally.step.as_ref()).into_iter().enumerate().map(activity).collect()
}

/// The context as the specification gives it.
fn context() -> Value {
    serde_json::from_str(include_str!("croissant/context.json")).expect("the file is part of the program")
}

fn file(table: &Table<'_>) -> Value {
    let format = match table.file.name.rsplit('.').next() {
        Some("gz") => json!(["application/jsonlines", "application/gzip"]),
        Some("zst") => json!(["application/jsonlines", "application/zstd"]),
        _ => json!("application/jsonlines"),
    };
    json!({
        "@type": "cr:FileObject",
        "@id": table.file.name,
        "name": table.file.name,
        "contentUrl": table.file.name,
        "contentSize": format!("{} B", table.file.bytes),
        "encodingFormat": format,
        "sha256": hex(&table.file.sha256),
    })
}

fn record_set(table: &Table<'_>) -> Value {
    let fields: Vec<Value> = table.shape().fields().iter().map(|field| column(table, field)).collect();
    json!({"@type": "cr:RecordSet", "@id": table.stem, "name": table.stem, "field": fields})
}

/// A column; of objects the leaves as its parts, each found by its path.
fn column(table: &Table<'_>, field: &Field) -> Value {
    let id = format!("{}/{}", table.stem, field.name);
    let source = json!({"fileObject": {"@id": table.file.name}, "extract": {"column": field.name}});
    let mut column = json!({"@type": "cr:Field", "@id": id, "name": id});
    let (repeated, inner) = match &field.shape {
        ValueType::List(element) => (true, &**element),
        _ => (false, &field.shape),
    };
    if repeated {
        column["repeated"] = json!(true);
    }
    if inner.fields().is_empty() {
        column["dataType"] = json!(data_type(inner));
        column["source"] = source;
        return column;
    }
    let mut parts = Vec::new();
    leaves(inner, "", &mut parts);
    let part = |(path, shape): (String, &ValueType)| {
        let mut part = json!({
            "@type": "cr:Field", "@id": format!("{id}/{path}"), "name": format!("{id}/{path}"),
            "dataType": data_type(if let ValueType::List(element) = shape { element } else { shape }), "source": source,
        });
        part["source"]["transform"] = json!({"jsonPath": path});
        if matches!(shape, ValueType::List(_)) {
            part["repeated"] = json!(true);
        }
        part
    };
    column["subField"] = parts.into_iter().map(part).collect();
    column
}

/// The members of an object that are not objects, with their paths. The recursion is as deep as the shape, which is
/// limited.
fn leaves<'s>(shape: &'s ValueType, path: &str, found: &mut Vec<(String, &'s ValueType)>) {
    for Field { name, shape, .. } in shape.fields() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        if shape.fields().is_empty() { found.push((path, shape)) } else { leaves(shape, &path, found) }
    }
}

fn data_type(shape: &ValueType) -> &'static str {
    match shape {
        ValueType::Integer => "sc:Integer",
        ValueType::Number => "sc:Float",
        ValueType::Boolean => "sc:Boolean",
        ValueType::Time => "sc:DateTime",
        _ => "sc:Text",
    }
}
