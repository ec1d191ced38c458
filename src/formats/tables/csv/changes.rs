//! Writes `changes.csv`: a row for each record of wp-diff, with those of its values that fit into a cell.

use super::cells::{Row, header};
use crate::export::dataset::envelope::{Enveloped, Own};
use crate::export::dataset::folder::Folder;
use crate::export::dataset::key::Key;
use crate::export::dataset::names;
use crate::ndjson::Str;
use crate::record::{
    BlockChange, Evidence, FieldChange, LinkChanges, TermChanges, TranslationChanges, Version, fields,
};
use crate::report::Error;

const NAME: &str = "changes.csv";

const COLUMNS: &str = "record site type id link change changes old_id new_id old_link new_link old_status new_status old_date_gmt \
    new_date_gmt old_modified_gmt new_modified_gmt old_author new_author old_title new_title fields blocks_added \
    blocks_removed blocks_changed blocks_moved links_added links_removed images_added images_removed \
    translations_added translations_removed terms_added terms_removed evidence looks_like";

fields! {
    /// The fields of a change that the table needs.
    pub(super) struct ChangeCells<'a> {
        id: Option<i64>,
        link: Option<Str<'a>>,
        change: Option<Str<'a>>,
        changes: Vec<Str<'a>>,
        old: Version<'a>,
        new: Version<'a>,
        fields: Vec<FieldChange<'a>>,
        text: Vec<BlockChange<'a>>,
        links: LinkChanges<'a>,
        images: crate::record::ImageChanges<'a>,
        translations: TranslationChanges<'a>,
        terms: TermChanges<'a>,
        evidence: Vec<Evidence<'a>>,
        looks_like: Option<Str<'a>>,
    }
}

impl<'a> Own<'a> for ChangeCells<'a> {
    fn is_of(kind: &str) -> bool {
        kind == names::CHANGE
    }
}

/// Creates the table, with its header.
pub(super) fn create(folder: &mut Folder) -> Result<usize, Error> {
    let number = folder.create(NAME, None, None)?;
    folder.append(number, &header(COLUMNS), 0)?;
    Ok(number)
}

/// Appends the row of a change; lists are separated by blanks.
pub(super) fn push(change: &Enveloped<'_, ChangeCells<'_>>, (out, rows): &mut (Vec<u8>, u64)) {
    *rows += 1;
    let (site, r#type) = (change.envelope.site.as_deref(), change.envelope.r#type.as_deref());
    let key = Key::new(site.unwrap_or_default(), r#type.unwrap_or_default(), change.id, change.link.as_deref());
    let words = |words: Vec<&str>| words.join(" ");
    let mut row = Row::new(out);
    row.plain(Some(key)).text(site).text(r#type).plain(change.id).text(change.link.as_deref());
    row.text(change.change.as_deref()).text(Some(&words(change.changes.iter().map(Str::as_str).collect())));
    let (old, new) = (&change.old, &change.new);
    row.plain(old.id).plain(new.id).text(old.link.as_deref()).text(new.link.as_deref());
    row.text(old.status.as_deref()).text(new.status.as_deref());
    row.text(old.date_gmt.as_deref()).text(new.date_gmt.as_deref());
    row.text(old.modified_gmt.as_deref()).text(new.modified_gmt.as_deref());
    row.plain(old.author).plain(new.author).text(old.title.as_deref()).text(new.title.as_deref());
    row.text(Some(&words(change.fields.iter().filter_map(|field| field.field.as_deref()).collect())));
    for op in ["added", "removed", "changed", "moved"] {
        row.plain(Some(change.text.iter().filter(|block| block.op.as_deref() == Some(op)).count()));
    }
    row.plain(Some(change.links.added.len())).plain(Some(change.links.removed.len()));
    row.plain(Some(change.images.added.len())).plain(Some(change.images.removed.len()));
    row.plain(Some(change.translations.added.len())).plain(Some(change.translations.removed.len()));
    row.plain(Some(change.terms.added.len())).plain(Some(change.terms.removed.len()));
    row.text(Some(&words(change.evidence.iter().filter_map(|evidence| evidence.rule.as_deref()).collect())));
    row.text(change.looks_like.as_deref()).end();
}
