//! Writes `croissant.json`: a description of the dataset in
//! [Croissant 1.1](https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html), which dataset search engines read. It
//! leaves out facts that only the owner knows (licence, publication) instead of inventing them.

use super::pretty::Pretty;
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
    // Cuts off the empty list of the last key, which is written below instead.
    text.truncate(text.len() - "[]\n}".len());
    let mut json = Pretty::after(text, 1);
    json.open(b'[');
    // Readers do not make a table from a file without records.
    tables.iter().filter(|table| table.file.records > 0).for_each(|table| record_set(&mut json, table));
    json.close(b']');
    json.close(b'}');
    json.text.push(b'\n');
    json.text
}

/// How many records state each licence. Only the owner of the dataset can state a licence for the whole.
fn licences(tally: &Tally) -> String {
    let stated = tally.rights.licences.iter().map(|(name, records)| format!("{name} ({records})"));
    let stated: Vec<String> = stated.collect();
    if stated.is_empty() { String::new() } else { format!(" Licences that records state: {}.", stated.join(", ")) }
}

/// Everything except the record sets.
struct Croissant<'t> {
    sites: &'t str,
    description: String,
    languages: Vec<&'t str>,
    tables: &'t [Table<'t>],
    tally: &'t Tally,
}

impl Serialize for Croissant<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
        map.serialize_entry("recordSet", &[(); 0])?;
        map.end()
    }
}

/// A list whose elements are created when it is written.
struct Each<F>(F);

impl<I: Iterator<Item = Value>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// An input of wp-index, identified by its digest alone, because file names are those of one machine.
fn entity(read: &Read) -> Value {
    json!({
        "@type": "prov:Entity",
        "@id": format!("urn:sha256:{}", read.sha256),
        "contentSize": format!("{} B", read.bytes),
        "sha256": read.sha256,
    })
}

/// The programs that the records have passed through: each program of a chain is an activity, and the program before it is
/// its source.
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
    tally.chains.ranked(tally.step.as_ref()).into_iter().enumerate().map(activity).collect()
}

/// The JSON-LD context that the specification prescribes.
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

fn record_set(json: &mut Pretty, table: &Table<'_>) {
    json.element().open(b'{');
    json.key("@id").string(&[table.stem]);
    json.key("@type").string(&["cr:RecordSet"]);
    json.key("field").open(b'[');
    table.shape().fields().iter().for_each(|field| column(json, table, field));
    json.close(b']');
    json.key("name").string(&[table.stem]);
    json.close(b'}');
}

/// Writes a column; the leaves of an object become its parts, each found by its path.
fn column(json: &mut Pretty, table: &Table<'_>, field: &Field) {
    let id = [table.stem, "/", &field.name];
    let shape = if let ValueType::List(element) = &field.shape { element } else { &field.shape };
    let is_leaf = shape.fields().is_empty();
    begin(json, &id, is_leaf.then_some(shape));
    if let ValueType::List(_) = field.shape {
        json.key("repeated").plain("true");
    }
    if is_leaf {
        source(json, table, field, None);
    } else {
        let mut parts = Vec::new();
        leaves(shape, "", &mut parts);
        json.key("subField").open(b'[');
        for (path, shape) in parts {
            let element = if let ValueType::List(element) = shape { element } else { shape };
            begin(json, &[id[0], id[1], id[2], "/", &path], Some(element));
            if let ValueType::List(_) = shape {
                json.key("repeated").plain("true");
            }
            source(json, table, field, Some(&path));
            json.close(b'}');
        }
        json.close(b']');
    }
    json.close(b'}');
}

fn begin(json: &mut Pretty, id: &[&str], shape: Option<&ValueType>) {
    json.element().open(b'{');
    json.key("@id").string(id);
    json.key("@type").string(&["cr:Field"]);
    if let Some(shape) = shape {
        json.key("dataType").string(&[data_type(shape)]);
    }
    json.key("name").string(id);
}

fn source(json: &mut Pretty, table: &Table<'_>, field: &Field, path: Option<&str>) {
    let from = [
        ("extract", "column", Some(&*field.name)),
        ("fileObject", "@id", Some(&*table.file.name)),
        ("transform", "jsonPath", path),
    ];
    json.key("source").open(b'{');
    for (part, key, value) in from {
        if let Some(value) = value {
            json.key(part).open(b'{');
            json.key(key).string(&[value]);
            json.close(b'}');
        }
    }
    json.close(b'}');
}

/// The leaves of an object at any depth, which are not objects themselves, with their paths. The recursion is as deep as the
/// shape, which is limited.
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
