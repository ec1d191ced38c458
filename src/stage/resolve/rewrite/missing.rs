//! Restores the keys of a record that other programs have removed.

use super::Here;
use crate::ndjson::{write_json, write_key};
use crate::registry::RecordNumber;
use crate::report::Notes;
use crate::stage::resolve::element::target;
use crate::stage::resolve::outline::Field;
use crate::stage::resolve::translations;

/// The findings on a record.
pub(super) struct Conclusions<'f> {
    pub(super) language: Option<(&'f str, Option<&'static str>)>,
    pub(super) copy: Option<(&'static str, Option<RecordNumber>)>,
    /// The number of the record, if its translations are not written yet.
    pub(super) record: Option<RecordNumber>,
    pub(super) group: Option<&'f str>,
}

/// Appends keys that other programs have removed and that now have a value.
pub(super) fn append_missing(here: &Here<'_>, found: &Conclusions<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
    let Conclusions { language, copy, record, group } = *found;
    let mut append = |field: Field, write: &mut dyn FnMut(&mut Vec<u8>) -> Option<()>| {
        if here.raw(field).is_none() {
            let before = out.len();
            if !out.ends_with(b"{") {
                out.push(b',');
            }
            write_key(out, field.name());
            if write(out).is_none() {
                out.truncate(before);
            }
        }
    };
    append(Field::Language, &mut |out| language.map(|(tag, _)| write_json(out, tag)));
    append(Field::LanguageSource, &mut |out| language?.1.map(|source| write_json(out, source)));
    append(Field::CopySource, &mut |out| copy.map(|(source, _)| write_json(out, source)));
    append(Field::CopyOf, &mut |out| copy.map(|(_, of)| write_json(out, &target(here.registry, of))));
    append(Field::Translations, &mut |out| translations::edit(here.registry, record?, b"null", here.limit, out, notes));
    append(Field::TranslationGroup, &mut |out| group.map(|group| write_json(out, group)));
}
