//! The documents that accompany a jsonl dataset: a schema for each file, loaders that use the schema's types, a card,
//! and the description that dataset search engines read. Each document has its own module.

use crate::export::folder::Folder;
use crate::export::shape::{Shape, Shapes};
use crate::export::tally::Tally;
use crate::export::{card, croissant, loaders, manifest, schema};
use crate::report::Error;

/// A file of records, as the documents tell of it.
#[derive(Debug)]
pub struct Table<'a> {
    /// Its name without `.jsonl` and what follows.
    pub stem: &'a str,
    /// Kind of its records.
    pub kind: &'a str,
    /// Type of its records.
    pub r#type: &'a str,
    /// Its line in the manifest.
    pub file: &'a manifest::File,
    /// The shape of its records.
    pub shape: Shape,
    /// Bytes of its longest line.
    pub longest: usize,
}

/// Completes the files of a dataset and writes the documents about them.
///
/// # Errors
/// When the disk is full, for example.
pub fn write(folder: &mut Folder, tally: &Tally, shapes: &mut Shapes) -> Result<(), Error> {
    let files = folder.complete()?.to_vec();
    let tables: Vec<Table<'_>> = files.iter().filter_map(|file| table(file, shapes)).collect();
    for table in &tables {
        folder.write_document(&schema::path(table.stem), &schema::write(table))?;
    }
    for (name, text) in loaders::write(&tables) {
        folder.write_document(&format!("schema/{name}"), text.as_bytes())?;
    }
    folder.write_document(croissant::NAME, &croissant::write(&tables, tally))?;
    let name = if folder.keeps(card::NAME) { card::NAME_BESIDE } else { card::NAME };
    folder.write_document(name, card::write(&tables, tally).as_bytes())
}

fn table<'a>(file: &'a manifest::File, shapes: &mut Shapes) -> Option<Table<'a>> {
    let (kind, r#type) = (file.kind.as_deref()?, file.r#type.as_deref()?);
    let stem = file.name.rsplit_once(".jsonl").map_or(file.name.as_str(), |(stem, _)| stem);
    let of = shapes.of(kind, r#type);
    Some(Table { stem, kind, r#type, file, shape: of.shape.clone(), longest: of.longest })
}
