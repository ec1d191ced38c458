//! Classifies an object of a dump by its own fields: an item with its kind and type, another response of the API, an
//! error, or unknown. The name of the file does not matter.
//!
//! The fields are those of WordPress' REST controllers: <https://developer.wordpress.org/rest-api/reference/>.

use super::fields::{Fields, Key};
use super::value::Loose;
use crate::wordpress::{common_name, of_rest_base, route_tail};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::Xxh3;

/// The result of classifying an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Item(Item),
    /// Another response of the API, which does not become a record.
    Passed(Answer),
    /// Not recognised as either, with the reason.
    Refused(String),
}

pub(super) const KINDS: [&str; 5] = ["post", "term", "media", "user", "comment"];

/// Responses of the API that describe the site and contain no items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The list of routes.
    Index,
    /// Post types or taxonomies, one or several: they give the name of each type in the API's addresses.
    Types,
    /// Post statuses.
    Statuses,
    /// The description of a page for sites that embed it.
    Oembed,
    /// A response in a namespace other than `wp/v2`, without items; in a mirror, any JSON without items.
    Other,
    /// In an archive: an error, an inventory, or an outdated capture.
    Archived,
}

/// An object that becomes a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// The kind of record: `post`, `term`, `media`, `user` or `comment`.
    pub(crate) kind: &'static str,
    /// Its WordPress type, such as `post` or `category`.
    pub(crate) r#type: String,
    pub(crate) id: i64,
    /// Its permalink, which some media lack.
    pub(crate) link: Option<String>,
    /// Its own address in the API.
    pub(crate) self_link: Option<String>,
    /// The name of its type in the API's addresses: posts, categories.
    pub(crate) rest_base: Option<String>,
    /// The format from which it was read: `rest`, or `wxr`.
    pub(crate) via: &'static str,
    /// The item's former links.
    pub(crate) aliases: Vec<String>,
    /// Whether it lacks a field that the API returns for every item of its kind.
    pub(crate) is_short: bool,
}

impl Item {
    pub(super) fn identity(&self) -> u128 {
        identity(self.kind, &self.r#type, Some(self.id), self.link.as_deref())
    }
}

/// A hash that identifies a record within its site.
pub(crate) fn identity(kind: &str, r#type: &str, id: Option<i64>, link: Option<&str>) -> u128 {
    let mut hasher = Xxh3::new();
    hasher.update(kind.as_bytes());
    hasher.update(b"\0");
    hasher.update(r#type.as_bytes());
    hasher.update(b"\0");
    hasher.update(&id.unwrap_or(0).to_le_bytes());
    // A missing link differs from an empty one.
    if let Some(link) = link {
        hasher.update(b"\0");
        hasher.update(link.as_bytes());
    }
    hasher.digest128()
}

/// The fields that the API returns for every item of a kind; types without a text lack some of them.
fn fields_of(kind: &str) -> &'static [Key] {
    match kind {
        "post" => &[Key::guid, Key::date, Key::status, Key::content],
        "media" => &[Key::guid, Key::date, Key::media_type, Key::source_url],
        "term" => &[Key::name, Key::slug, Key::description, Key::count],
        "comment" => &[Key::post, Key::author_name, Key::date, Key::content, Key::status],
        _ => &[Key::name, Key::slug, Key::description],
    }
}

/// The error for an item whose download omitted the type.
const WITHOUT_TYPE: &str =
    "an item without type; where _fields chooses the fields of a download, it has to name type, taxonomy and _links";

/// Classifies an object. `text` is its JSON, which is parsed again only if the fields are not conclusive.
pub(crate) fn recognise(fields: &Fields, text: &[u8]) -> Shape {
    if let Some(refusal) = refuse(fields) {
        return Shape::Refused(refusal);
    }
    let Some((kind, r#type)) = kind_and_type(fields) else {
        return match answer(fields, text) {
            Some(answer) => Shape::Passed(answer),
            None if fields.is_empty => Shape::Refused("an empty object".to_owned()),
            None if fields.r#type == Loose::Absent && fields.has_any(&[Key::title, Key::content, Key::excerpt]) => {
                Shape::Refused(WITHOUT_TYPE.to_owned())
            }
            None => Shape::Refused(match list_in(text) {
                Some(key) if key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
                    format!("an object with items in the list {key}; jq '.[\"{key}\"][]' writes them alone")
                }
                Some(_) => "an object with items in a list: wp-index reads these alone".to_owned(),
                None => "not recognised as an item of the REST API".to_owned(),
            }),
        };
    };
    let Some(id) = fields.id.int() else {
        // A list of post types superficially has the keys of a term or a user, but no id.
        return match answer(fields, text) {
            Some(answer) => Shape::Passed(answer),
            None if matches!(fields.id, Loose::Absent | Loose::Nothing) => {
                Shape::Refused(format!("an item of type {type} without id"))
            }
            None => Shape::Refused(format!("a {type} whose id is not an integer")),
        };
    };
    Shape::Item(Item {
        kind,
        r#type,
        id,
        link: fields.link.text().map(|link| without_second_scheme(link).to_owned()),
        self_link: fields.links.own.clone(),
        rest_base: rest_base(fields),
        via: "rest",
        aliases: Vec::new(),
        is_short: !fields.has_all(fields_of(kind)),
    })
}

/// The key of a list of items in an object, such as a program keeps, or `?_envelope` answers.
fn list_in(text: &[u8]) -> Option<String> {
    let lists: BTreeMap<String, &RawValue> = serde_json::from_slice(text).ok()?;
    let is_of_items = |list: &RawValue| {
        let first =
            list.get().strip_prefix('[').and_then(|list| Deserializer::from_str(list).into_iter::<Value>().next());
        first.and_then(Result::ok).is_some_and(|first| first["id"].is_i64() && first["link"].is_string())
    };
    lists.into_iter().find(|(_, list)| is_of_items(list)).map(|(key, _)| key)
}

/// Rejects objects that look like items but are known not to be.
fn refuse(fields: &Fields) -> Option<String> {
    let has_id = !matches!(fields.id, Loose::Absent);
    if let (Some(code), Loose::Text(message), false) = (fields.code.text(), &fields.message, has_id) {
        return Some(format!("API error instead of an item: {code}: {message}"));
    }
    let database = [Key::post_content, Key::post_title, Key::user_login, Key::term_id, Key::comment_ID];
    let is_row = !has_id && fields.has_any(&database);
    if let Some((name, instead)) = of_other_api(fields).filter(|_| !is_row) {
        return Some(format!("{name} instead of an item of wp/v2; fetch {instead}"));
    }
    if is_row || !has_id && fields.upper_id != Loose::Absent {
        return Some("database row (wp-cli) instead of a REST API item".to_owned());
    }
    if fields.has_all(&[Key::site, Key::kind, Key::source]) {
        return Some(
            "a record of wpipe instead of an item; wp-export and the stages before it read records".to_owned(),
        );
    }
    if is_of_wpextract(fields) {
        return Some("a record of wpextract's output instead of an item; its download is a dump".to_owned());
    }
    if fields.has_all(&[Key::subtype, Key::url]) && fields.link == Loose::Absent {
        return Some("search result instead of an item".to_owned());
    }
    None
}

/// Recognises the response of an API whose items have other fields than those of `wp/v2`. Returns its name, and what to
/// request instead (<https://developer.wordpress.com/docs/api/rest-api-reference/>,
/// <https://developer.woocommerce.com/docs/apis/>, <https://github.com/WP-API/WP-API/tree/1.2>).
fn of_other_api(fields: &Fields) -> Option<(&'static str, &'static str)> {
    let has = |keys: &[Key]| fields.has_all(keys);
    if has(&[Key::found, Key::posts]) || has(&[Key::site_ID]) || has(&[Key::global_ID]) {
        return Some(("answer of WordPress.com's API v1.1", "https://public-api.wordpress.com/wp/v2/sites/SITE/posts"));
    }
    if has(&[Key::permalink]) && fields.link == Loose::Absent {
        return Some(("answer of WooCommerce's API", "/wp-json/wp/v2/product or /wp-json/wp/v2/product_cat"));
    }
    let is_old = fields.upper_id != Loose::Absent && has(&[Key::title, Key::content]) && fields.link.text().is_some();
    is_old.then_some(("post of WP-API version 1", "/wp-json/wp/v2/posts"))
}

/// A link without the scheme that somebody entered before the site's address: `http://https://a.example/b/`.
fn without_second_scheme(link: &str) -> &str {
    let rest = link.split_once("://").map(|(_, rest)| rest);
    rest.filter(|rest| ["http://", "https://"].iter().any(|scheme| rest.starts_with(scheme))).unwrap_or(link)
}

/// Whether an object was written by `wpextract extract`: it has that program's keys, and neither a type nor an address
/// in the API.
fn is_of_wpextract(fields: &Fields) -> bool {
    let is_user = fields.has(Key::avatar) && !fields.has(Key::avatar_urls);
    let is_media = fields.has_all(&[Key::media_type, Key::post_id]);
    let is_item = fields.r#type != Loose::Absent || fields.links.own.is_some();
    (fields.has(Key::link_locale) || is_user || is_media) && !is_item
}

/// The kind and type of an item; `None` if the object is not an item.
fn kind_and_type(fields: &Fields) -> Option<(&'static str, String)> {
    let about = fields.links.about.as_deref().and_then(|url| route_tail(url, 2));
    let of_type = about.filter(|tail| tail[0] == "types").map(|tail| tail[1]);
    let of_taxonomy = about.filter(|tail| tail[0] == "taxonomies").map(|tail| tail[1]);
    let word = fields.r#type.text();
    let is_post_like = fields.has_any(&[Key::title, Key::content, Key::excerpt, Key::date, Key::date_gmt, Key::status]);

    if word == Some("attachment")
        || of_type == Some("attachment")
        || fields.has_all(&[Key::media_type, Key::source_url])
    {
        return Some(("media", "media".to_owned()));
    }
    if is_comment(fields, word) {
        return Some(("comment", "comment".to_owned()));
    }
    if let Some(name) = of_taxonomy.or_else(|| fields.taxonomy.text().filter(|_| word.is_none() || !is_post_like)) {
        return Some(("term", common_name(name).to_owned()));
    }
    if let Some(name) = of_type {
        return Some(("post", name.to_owned()));
    }
    if let Some(name) = word.filter(|_| is_post_like || fields.has_any(&[Key::slug, Key::guid, Key::modified])) {
        let is_oembed = fields.has_any(&[Key::html, Key::provider_name]) && fields.id == Loose::Absent;
        return (!is_oembed).then(|| ("post", name.to_owned()));
    }
    without_a_word(fields)
}

/// The type of an item from which a tool has removed `type` and `taxonomy`: from its address, or else from fields that
/// only one type has.
fn without_a_word(fields: &Fields) -> Option<(&'static str, String)> {
    let named = |kind, name: &str| Some((kind, name.to_owned()));
    if fields.has(Key::rest_base) {
        return None;
    }
    if let Some((kind, r#type)) = rest_base(fields).as_deref().and_then(of_rest_base) {
        return named(kind, r#type);
    }
    let is_titled = fields.has(Key::title) && fields.has_any(&[Key::content, Key::excerpt, Key::date, Key::slug]);
    if is_titled && fields.has_any(&[Key::categories, Key::tags, Key::sticky, Key::format]) {
        return named("post", "post");
    }
    if is_titled && fields.has_any(&[Key::menu_order, Key::parent]) {
        return named("post", "page");
    }
    if is_titled || !fields.has(Key::name) {
        return None;
    }
    if fields.has(Key::count) {
        return named("term", if fields.has(Key::parent) { "category" } else { "tag" });
    }
    let is_user = fields.has(Key::avatar_urls)
        || fields.has(Key::slug) && (fields.link.text().is_some() || fields.has_any(&[Key::url, Key::description]));
    is_user.then(|| ("user", "user".to_owned()))
}

/// Whether an item is a comment. Comments have `type: comment` (or pingback, trackback), which is not a post type.
fn is_comment(fields: &Fields, word: Option<&str>) -> bool {
    let is_called_so = matches!(word, Some("comment" | "pingback" | "trackback"));
    let has_name = fields.has(Key::author_name);
    let has_post = fields.has(Key::post);
    !fields.has(Key::title)
        && (is_called_so && (has_name || has_post)
            || has_post && (has_name || word.is_none() && fields.has_all(&[Key::content, Key::parent])))
}

/// The name of the type in the item's address: `posts` of `…/wp-json/wp/v2/posts/12`.
fn rest_base(fields: &Fields) -> Option<String> {
    let of_collection = fields.links.collection.as_deref().and_then(|url| route_tail(url, 1)).map(|tail| tail[1]);
    let of_self = || fields.links.own.as_deref().and_then(|url| route_tail(url, 2)).map(|tail| tail[0]);
    of_collection.or_else(of_self).map(str::to_owned)
}

/// Which response without items this is, if any.
fn answer(fields: &Fields, text: &[u8]) -> Option<Answer> {
    if fields.id != Loose::Absent {
        return None;
    }
    if fields.has(Key::routes) || fields.has(Key::namespaces) {
        return Some(Answer::Index);
    }
    if fields.has(Key::rest_base) {
        return Some(Answer::Types);
    }
    let kinds = ["rich", "photo", "video", "link"];
    if fields.r#type.text().is_some_and(|t| kinds.contains(&t))
        && fields.has_any(&[Key::html, Key::provider_name, Key::url])
    {
        return Some(Answer::Oembed);
    }
    let table: BTreeMap<String, Described> = serde_json::from_slice(text).ok()?;
    if table.is_empty() {
        return None;
    }
    if table.values().all(|entry| entry.rest_base.is_some()) {
        return Some(Answer::Types);
    }
    let is_status = |(key, entry): (&String, &Described)| entry.slug.as_ref() == Some(key) && entry.name.is_some();
    table.iter().all(is_status).then_some(Answer::Statuses)
}

/// An entry in the lists of types, taxonomies and statuses.
#[derive(Deserialize)]
struct Described {
    rest_base: Option<String>,
    slug: Option<String>,
    name: Option<IgnoredAny>,
}

/// The pairs (rest_base, type) in a list of types or taxonomies.
pub(crate) fn rest_bases(text: &[u8]) -> Vec<(String, String)> {
    let pair = |entry: Described| Some((entry.rest_base?, common_name(&entry.slug?).to_owned()));
    if let Ok(table) = serde_json::from_slice::<BTreeMap<String, Described>>(text) {
        return table.into_values().filter_map(pair).collect();
    }
    serde_json::from_slice::<Described>(text).ok().and_then(pair).into_iter().collect()
}
