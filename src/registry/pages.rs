//! The URLs that WordPress makes of a record beside its link: archives of terms and authors, feeds, numbered pages. They are known
//! by names like `#author BASE/SLUG`, which the lookup asks for.

use super::facts::Facts;
use super::record::Kind;
use super::table::{Owner, Role, Table};
use crate::urls::{UrlKey, hash};
use std::borrow::Cow;

/// A name is that of a record on one host: what lies on another may be of another site.
///
/// The name for finding a post whose category is missing or has changed.
pub(super) fn slug_name(host: &str, slug: &str) -> u128 {
    hash(&format!("#slug {host} {slug}"))
}

/// The name for finding a term, or a post of a custom type, by its type.
pub(super) fn type_name(host: &str, r#type: &str, slug: &str) -> u128 {
    hash(&format!("#type {host} {type} {slug}"))
}

/// The name for finding any term, to recognise that a segment of a path is one.
pub(super) fn any_term_name(host: &str, slug: &str) -> u128 {
    hash(&format!("#anyterm {host} {slug}"))
}

/// The name for finding a post by its `guid`, of which this is the key.
pub(super) fn guid_name(key: &str) -> u128 {
    hash(&format!("#guid {key}"))
}

/// The name for finding an author: base and slug of the archive.
pub(super) fn author_name(host: &str, base_and_slug: &str) -> u128 {
    hash(&format!("#author {host} {base_and_slug}"))
}

/// The name for finding an author by the slug alone.
pub(super) fn author_slug_name(host: &str, slug: &str) -> u128 {
    hash(&format!("#nicename {host} {slug}"))
}

/// The last segment of a path and what precedes it.
pub(super) fn split_last(path: &str) -> Option<(&str, &str)> {
    path.rsplit_once('/').filter(|(_, last)| !last.is_empty())
}

/// The last two segments of a path, joined, and what precedes them.
pub(super) fn split_last_two(path: &str) -> Option<(&str, &str)> {
    let (rest, last) = split_last(path)?;
    let (before, _) = rest.rsplit_once('/')?;
    Some((before, &path[path.len() - (rest.len() - before.len()) - last.len()..]))
}

/// Registers the names by which archives and shortened permalinks refer to a record.
pub(super) fn register_names(table: &mut Table, kind: Kind, key: &UrlKey, facts: &Facts<'_>, record: u32) {
    let mut name = |hash: u128| table.insert(hash, Owner { role: Role::Name, record });
    match kind {
        Kind::Post => {
            if let Some((_, slug)) = split_last(key.path()) {
                name(slug_name(key.host(), slug));
            }
            let (r#type, slug) =
                (facts.r#type.as_deref().unwrap_or_default(), facts.slug.as_deref().unwrap_or_default());
            if !matches!(r#type, "post" | "page") && !slug.is_empty() {
                name(type_name(key.host(), r#type, &normal_slug(slug)));
            }
        }
        Kind::Term => {
            let slug = facts.slug.as_deref().unwrap_or_default();
            let key_slug = split_last(key.path()).map(|(_, slug)| slug).unwrap_or_default();
            name(any_term_name(key.host(), key_slug));
            name(type_name(key.host(), facts.r#type.as_deref().unwrap_or_default(), &normal_slug(slug)));
        }
        Kind::User => {
            if let Some((_, two)) = split_last_two(key.path()) {
                name(author_name(key.host(), two));
            }
            name(author_slug_name(key.host(), facts.slug.as_deref().unwrap_or_default()));
        }
        Kind::Media | Kind::Comment | Kind::Html => {}
    }
}

/// A slug as it would be in the key of a query: WordPress escapes it in lower case.
fn normal_slug(slug: &str) -> Cow<'_, str> {
    if !slug.contains('%') && slug.is_ascii() {
        return Cow::Borrowed(slug);
    }
    let key = UrlKey::new(&format!("https://x/?x={slug}"));
    key.and_then(|key| Some(key.query()?.strip_prefix("x=")?.to_owned())).map_or(Cow::Borrowed(slug), Cow::Owned)
}

/// Whether WordPress itself reads this parameter: <https://developer.wordpress.org/reference/classes/wp/> (public query
/// variables), and a language's.
pub(super) fn is_query_variable(name: &str) -> bool {
    let variables = [
        "m",
        "p",
        "posts",
        "w",
        "cat",
        "withcomments",
        "withoutcomments",
        "s",
        "search",
        "exact",
        "sentence",
        "calendar",
        "page",
        "paged",
        "more",
        "tb",
        "pb",
        "author",
        "order",
        "orderby",
        "year",
        "monthnum",
        "day",
        "hour",
        "minute",
        "second",
        "name",
        "category_name",
        "tag",
        "feed",
        "author_name",
        "pagename",
        "page_id",
        "error",
        "attachment",
        "attachment_id",
        "subpost",
        "subpost_id",
        "preview",
        "robots",
        "favicon",
        "taxonomy",
        "term",
        "cpage",
        "post_type",
        "embed",
        "rest_route",
        "sitemap",
        "lang",
        "language",
        "wc-ajax",
    ];
    variables.contains(&name)
}

/// Whether a path ends in a number.
pub(super) fn is_numbered(path: &str) -> bool {
    split_last(path).is_some_and(|(_, last)| last.bytes().all(|b| b.is_ascii_digit()))
}

/// The nature of a path that is not a record's.
pub(super) enum PageShape {
    Feed,
    /// A list by date, a search, a page of the front page.
    Archive,
    /// One of WordPress' own URLs.
    System,
    Other,
}

/// The nature of a path and query that are not a record's; the language's directory has been removed from the path.
pub(super) fn shape(path: &str, query: Option<&str>) -> PageShape {
    let first = path.split('/').nth(1).unwrap_or_default();
    let names = || query.into_iter().flat_map(|q| q.split('&')).map(|p| p.split('=').next().unwrap_or(p));
    let php = path.ends_with(".php") && path.rsplit('/').next().is_some_and(|f| f.starts_with("wp-"));
    if matches!(first, "wp-json" | "wp-admin" | "wp-includes")
        || php
        || path.ends_with("/xmlrpc.php")
        || names().any(|n| n == "rest_route")
    {
        return PageShape::System;
    }
    let is_feed = |segment: &str| matches!(segment, "feed" | "rss" | "rss2" | "rdf" | "atom");
    if path.rsplit('/').take(2).any(|s| s == "feed") && path.rsplit('/').next().is_some_and(is_feed)
        || names().any(|n| n == "feed" || n == "withcomments")
    {
        return PageShape::Feed;
    }
    let is_list = |name: &str| matches!(name, "m" | "w" | "s" | "year" | "monthnum" | "day" | "paged");
    if is_date(path) || first == "search" || strip_numbered(path, "page") == Some("") || names().any(is_list) {
        return PageShape::Archive;
    }
    PageShape::Other
}

/// `/2024`, `/2024/02`, `/2024/02/06`, each with or without `/page/N`.
fn is_date(path: &str) -> bool {
    let path = strip_numbered(path, "page").unwrap_or(path);
    let mut parts = path.split('/').skip(1);
    let number = |part: &str, length: usize| part.len() <= length && part.bytes().all(|b| b.is_ascii_digit());
    let year = parts.next().is_some_and(|year| year.len() == 4 && number(year, 4));
    year && parts.clone().count() <= 2 && parts.all(|part| !part.is_empty() && number(part, 2))
}

/// `path` without a final `/word/N`.
fn strip_numbered<'p>(path: &'p str, word: &str) -> Option<&'p str> {
    let (rest, last) = split_last(path)?;
    if !last.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    rest.strip_suffix(word)?.strip_suffix('/')
}

/// `path` without the suffix for a page of a record: `/page/N`, `/N`, `/comment-page-N`, `/amp`, `/embed`,
/// `/trackback`; and whether only posts have such pages.
pub(super) fn parent_page(path: &str) -> Option<(&str, bool)> {
    if let Some(rest) = strip_numbered(path, "page") {
        return Some((rest, false));
    }
    let (rest, last) = split_last(path)?;
    let number = |text: &str| !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    // `/news/2023/` is an archive, and dead without one: no text has so many pages.
    let is_year = |text: &str| text.len() == 4 && matches!(&text[..2], "19" | "20");
    let post_only = match last {
        "amp" => false,
        "embed" | "trackback" => true,
        _ if number(last) && !is_year(last) => true,
        _ if last.strip_prefix("comment-page-").is_some_and(number) => true,
        _ => return None,
    };
    Some((rest, post_only))
}
