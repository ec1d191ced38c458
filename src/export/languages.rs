//! Leaves out the records of languages that `--languages` does not name, before a format sees them: documents without a language, too, but
//! not terms, users and media without one. Comments follow their posts.

use crate::digest::group_hash;
use crate::export::dataset::key::blog;
use crate::export::dataset::tally::Types;
use crate::language::ranges::Languages;
use crate::ndjson::{self, Batch, Input, Object};
use crate::report::{Error, Report};
use std::collections::{BTreeSet, HashMap};

/// The records that are left, and those that are not. Memory: some 20 bytes a post.
pub(crate) fn choose(languages: &Languages, input: &mut Input, report: &mut Report) -> Result<(Input, Types), Error> {
    input.make_rereadable()?;
    let (mut batch, mut used, mut posts) = (Batch::empty(), BTreeSet::new(), HashMap::<u128, bool>::new());
    while input.read(&mut batch)? {
        for object in batch.lines().filter_map(|line| Object::parse(line.bytes).ok()) {
            let tag = object.text("language").unwrap_or_default();
            let name = languages.name_of(&tag);
            used.extend(name.map(str::to_owned));
            if object.text("kind").as_deref() == Some("post") {
                // A plugin's post may be in several languages.
                *posts.entry(name_of(&object, "id")).or_default() |= name.is_some();
            }
        }
    }
    languages.warn_of_unused(|name| used.contains(name), report);
    input.rewind();
    let mut left_out = Types::default();
    let chosen = ndjson::respool(input, report, |line, out| match Object::parse(line.bytes) {
        Ok(object) if !is_chosen(&object, languages, &posts) => {
            let text = |key| object.text(key).unwrap_or_default();
            left_out.add(&text("kind"), &text("type"), 1);
        }
        _ => {
            out.extend_from_slice(line.bytes);
            out.push(b'\n');
        }
    })?;
    Ok((chosen, left_out))
}

fn is_chosen(object: &Object<'_>, languages: &Languages, posts: &HashMap<u128, bool>) -> bool {
    let tag = object.text("language");
    match object.text("kind").as_deref() {
        Some("post" | "html") => languages.name_of(&tag.unwrap_or_default()).is_some(),
        Some("term" | "user" | "media") => tag.is_none_or(|tag| languages.name_of(&tag).is_some()),
        Some("comment") => posts.get(&name_of(object, "post")) != Some(&false),
        _ => true,
    }
}

/// A post, by the key that has its id.
fn name_of(object: &Object<'_>, id: &str) -> u128 {
    let rest = object.text_in("source", "rest");
    let site = object.text("site").unwrap_or_default();
    group_hash(&site, &format!("{} {}", blog(rest.as_deref()), object.get(id).unwrap_or_default()))
}
