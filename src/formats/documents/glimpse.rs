//! Reads the fields of each record that the first pass over the records needs.

use super::identity::{Hosted, Identity, UNDETERMINED, document_key, id_key, key_of, named_key, sound};
use crate::export::dataset::key::blog;
use crate::export::dataset::names;
use crate::export::dataset::selection::Selection;
use crate::ndjson::{self, Line, Str, text_of};
use crate::record::{Comment, fields, read_object};
use serde::Deserialize;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The fields that the first pass keeps of a record.
pub(super) enum Glimpse {
    Document {
        key: Identity,
        of_id: Option<Identity>,
        site: String,
        link: String,
        /// Its slug, if files are named after slugs.
        slug: Option<Box<str>>,
        /// The hashes of its possible names.
        names: [Option<u64>; 2],
        language: Option<String>,
        blog: u64,
        place: (Arc<str>, u64),
    },
    Named {
        key: Identity,
        named: Named,
    },
    Comment {
        hosted: Hosted,
        line: Vec<u8>,
    },
}

/// The information from other records that the formats need.
#[derive(Clone, Copy)]
pub(super) struct Wants {
    pub(super) comments: bool,
    /// Whether the URLs of uploads are needed.
    pub(super) uploads: bool,
    /// Whether the slugs of documents are needed.
    pub(super) slugs: bool,
}

/// A user, a term or an upload (whose name is its URL), in one language.
pub(super) struct Named {
    pub(super) blog: u64,
    pub(super) language: Option<String>,
    pub(super) link: String,
    pub(super) name: String,
}

fields! {
    /// The fields that the first pass reads of every record.
    struct Glance<'a> {
        site: Option<Str<'a>>,
        kind: Option<Str<'a>>,
        r#type: Option<Str<'a>>,
        id: Option<i64>,
        link: Option<Str<'a>>,
        language: Option<Str<'a>>,
        copy_source: Option<Str<'a>>,
        slug: Option<Str<'a>>,
        source: Origin<'a>,
    }

    /// The root of the API that a record is from.
    struct Origin<'a> {
        rest: Option<Str<'a>>,
    }
}

/// The field that it reads of users and terms.
#[derive(Deserialize)]
struct Name {
    name: String,
}

/// The field that it reads of uploads.
#[derive(Deserialize)]
struct Source {
    source_url: String,
}

/// Reads the fields of a record; `None` if the documents do not need it.
pub(super) fn look_at(line: Line<'_>, wants: Wants, selection: &Selection) -> Option<Glimpse> {
    let json = sound(line.bytes);
    let json = text_of(&json).ok()?;
    let glance: Glance<'_> = read_object(json).ok()?;
    let (kind, r#type) = names::kind_and_type(glance.kind.as_deref(), glance.r#type.as_deref())?;
    let useful = match kind {
        "post" | "html" | "user" | "term" => true,
        "comment" => wants.comments,
        "media" => wants.uploads,
        _ => false,
    };
    if !useful || selection.leaves_out(kind, r#type) || selection.leaves_out_copy(glance.copy_source.as_deref()) {
        return None;
    }
    if kind == "comment" {
        let comment: Comment<'_> = ndjson::from_str(json).ok()?;
        return Some(Glimpse::Comment { hosted: Hosted::of(&comment)?, line: json.as_bytes().to_vec() });
    }
    let site = glance.site.as_deref().unwrap_or_default();
    let link = glance.link.as_deref().unwrap_or_default().to_owned();
    let language = glance.language.map(|tag| tag.to_string());
    let blog = blog(glance.source.rest.as_deref());
    if matches!(kind, "user" | "term" | "media") {
        let name = match kind {
            "media" => ndjson::from_str::<Source>(json).ok()?.source_url,
            _ => ndjson::from_str::<Name>(json).ok()?.name,
        };
        return Some(Glimpse::Named {
            key: named_key(site, kind, glance.id?),
            named: Named { blog, language, link, name },
        });
    }
    let key = document_key(site, kind, r#type, glance.id, &link);
    let of_id = glance.id.map(|id| id_key(site, id));
    let slug = glance.slug.as_deref().filter(|_| wants.slugs).and_then(names::slug).map(String::into_boxed_str);
    let names = match &slug {
        Some(slug) => names_by_slug(slug, r#type, glance.id, &link),
        None => names_of(r#type, glance.id, &link),
    };
    let scope = scope(site, wants.slugs, language.as_deref());
    let names = names.map(|name| Some(name_hash(&scope, &name?)));
    let (site, place) = (site.to_owned(), (line.file.clone(), line.number));
    Some(Glimpse::Document { key, of_id, site, link, slug, names, language, blog, place })
}

/// The possible names of a document: by its id, unless another document has the same id; then with a hash of its link, too.
pub(super) fn names_of(r#type: &str, id: Option<i64>, link: &str) -> [Option<String>; 2] {
    let r#type = names::part(r#type);
    let hash = &format!("{:016x}", xxh3_64(link.as_bytes()))[..12];
    match id {
        Some(id) => [Some(format!("{type}-{id}")), Some(format!("{type}-{id}-{hash}"))],
        None => [None, (!link.is_empty()).then(|| format!("{type}-{hash}"))],
    }
}

/// The possible names of a document by its slug: the slug alone, unless another document in its folder has the same one; then
/// with its type and id, or a hash of its link. The slugs `index` and `_index` are never used alone: some programs take a
/// file of this name for the text of its folder.
pub(super) fn names_by_slug(slug: &str, r#type: &str, id: Option<i64>, link: &str) -> [Option<String>; 2] {
    let alone = !matches!(slug.to_lowercase().as_str(), "index" | "_index");
    let [by_id, by_hash] = names_of(r#type, id, link);
    [alone.then(|| slug.to_owned()), by_id.or(by_hash).map(|name| format!("{slug}-{name}"))]
}

/// The scope in which names must differ: a site, whatever the language, or, if files are named after slugs, a folder.
pub(super) fn scope(site: &str, slugs: bool, language: Option<&str>) -> String {
    let language = language.filter(|tag| *tag != UNDETERMINED).unwrap_or_default();
    if slugs { format!("{site}/{}", language.to_lowercase()) } else { site.to_owned() }
}

/// A hash that detects clashing names: some file systems do not distinguish upper and lower case.
pub(super) fn name_hash(site: &str, name: &str) -> u64 {
    key_of(&[site, &name.to_lowercase()]) as u64
}
