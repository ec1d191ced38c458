//! Names for the URLs that WordPress derives from a record's link: archives of terms and authors, feeds, numbered pages. They are hashes of
//! names such as `#author BASE/SLUG`, by which the lookup finds the record.

use super::facts::Facts;
use super::record::RecordKind;
use super::table::{Owner, Role, Table};
use crate::urls::{UrlKey, hash};
use std::borrow::Cow;

/// The name for finding a post whose category is missing or has changed.
///
/// Every name includes the host, because records on another host may belong to another site.
pub(super) fn slug_name(host: &str, slug: &str) -> u128 {
    hash(&format!("#slug {host} {slug}"))
}

/// The name for finding a term, or a post of a custom type, by its type.
pub(super) fn type_name(host: &str, r#type: &str, slug: &str) -> u128 {
    hash(&format!("#type {host} {type} {slug}"))
}

/// The name for finding any term, to recognise that a segment of a path is a term's slug.
pub(super) fn any_term_name(host: &str, slug: &str) -> u128 {
    hash(&format!("#anyterm {host} {slug}"))
}

/// The name for finding a post by its `guid`; `key` is the guid's key.
pub(super) fn guid_name(key: &str) -> u128 {
    hash(&format!("#guid {key}"))
}

/// The name for finding an author by base and slug of the archive.
pub(super) fn author_name(host: &str, base_and_slug: &str) -> u128 {
    hash(&format!("#author {host} {base_and_slug}"))
}

/// The name for finding an author by the slug alone.
pub(super) fn author_slug_name(host: &str, slug: &str) -> u128 {
    hash(&format!("#nicename {host} {slug}"))
}

/// The last segment of a path, with the part before it first.
pub(super) fn split_last(path: &str) -> Option<(&str, &str)> {
    path.rsplit_once('/').filter(|(_, last)| !last.is_empty())
}

/// The last two segments of a path, joined, with the part before them first.
pub(super) fn split_last_two(path: &str) -> Option<(&str, &str)> {
    let (rest, last) = split_last(path)?;
    let (before, _) = rest.rsplit_once('/')?;
    Some((before, &path[path.len() - (rest.len() - before.len()) - last.len()..]))
}

/// Registers the names by which archives and shortened permalinks refer to a record.
pub(super) fn register_names(table: &mut Table, kind: RecordKind, key: &UrlKey, facts: &Facts<'_>, record: u32) {
    let mut name = |hash: u128| table.insert(hash, Owner { role: Role::Name, record });
    match kind {
        RecordKind::Post => {
            if let Some((_, slug)) = split_last(key.path()) {
                name(slug_name(key.host(), slug));
            }
            let (r#type, slug) =
                (facts.r#type.as_deref().unwrap_or_default(), facts.slug.as_deref().unwrap_or_default());
            if !matches!(r#type, "post" | "page") && !slug.is_empty() {
                name(type_name(key.host(), r#type, &normal_slug(slug)));
            }
        }
        RecordKind::Term => {
            let slug = facts.slug.as_deref().unwrap_or_default();
            let key_slug = split_last(key.path()).map(|(_, slug)| slug).unwrap_or_default();
            name(any_term_name(key.host(), key_slug));
            name(type_name(key.host(), facts.r#type.as_deref().unwrap_or_default(), &normal_slug(slug)));
        }
        RecordKind::User => {
            if let Some((_, two)) = split_last_two(key.path()) {
                name(author_name(key.host(), two));
            }
            name(author_slug_name(key.host(), facts.slug.as_deref().unwrap_or_default()));
        }
        RecordKind::Media | RecordKind::Comment | RecordKind::Page => {}
    }
}

/// A slug as it would be in the key of a query: WordPress writes its escapes in lower case.
fn normal_slug(slug: &str) -> Cow<'_, str> {
    if !slug.contains('%') && slug.is_ascii() {
        return Cow::Borrowed(slug);
    }
    let key = UrlKey::new(&format!("https://x/?x={slug}"));
    key.and_then(|key| Some(key.query()?.strip_prefix("x=")?.to_owned())).map_or(Cow::Borrowed(slug), Cow::Owned)
}
