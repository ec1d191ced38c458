//! Reads the JSON of WordPress' REST API: one lenient struct for all kinds of items, and the fields that plugins add to
//! them. wp-parse turns the fields into records; [`crate::dump`] finds items and recognises their kind. Source:
//! <https://developer.wordpress.org/rest-api/reference/>.

pub(crate) mod language;
pub(crate) mod media;
pub(crate) mod seo;
pub(crate) mod shapes;

use crate::ndjson::Str;
pub(crate) use crate::record::dates;
use serde::de::{IgnoredAny, MapAccess};
use serde_json::value::RawValue;
use shapes::{Entries, Flag, FromObject, Int, List, Markup, Maybe, Text, object};
use std::collections::HashMap;

object! {
    /// An item of any kind. Field names mean the same in all kinds, so one struct fits all.
    pub(crate) struct Api<'a> {
        /// Posts, media, terms, users.
        "slug" => slug: Text<'a>,
        /// Posts, media, comments.
        "status" => status: Text<'a>,
        /// Posts, media, comments.
        "date" => date: Given<Text<'a>>,
        /// Posts, media, comments.
        "date_gmt" => date_gmt: Given<Text<'a>>,
        /// Posts, media.
        "modified_gmt" => modified_gmt: Given<Text<'a>>,
        /// Posts, media, comments: a user's id.
        "author" => author: Int,
        /// Pages, terms, comments.
        "parent" => parent: Int,
        /// Pages.
        "menu_order" => menu_order: Int,
        /// Posts, media.
        "featured_media" => featured_media: Int,
        /// Posts.
        "format" => format: Text<'a>,
        /// Posts, media.
        "template" => template: Text<'a>,
        /// Posts.
        "sticky" => sticky: Flag,
        /// Posts, media.
        "comment_status" => comment_status: Text<'a>,
        /// Posts, media.
        "guid" => guid: Markup<'a>,
        /// Posts.
        "categories" => categories: List<Int>,
        /// Posts.
        "tags" => tags: List<Int>,
        /// Posts, media.
        "title" => title: Markup<'a>,
        /// Posts, comments.
        "content" => content: Markup<'a>,
        /// Posts.
        "excerpt" => excerpt: Markup<'a>,
        /// Media, terms, users.
        "description" => description: Markup<'a>,
        /// Media.
        "caption" => caption: Markup<'a>,
        /// Media.
        "alt_text" => alt_text: Text<'a>,
        /// Media.
        "media_type" => media_type: Text<'a>,
        /// Media.
        "mime_type" => mime_type: Text<'a>,
        /// Media, comments: a post's id.
        "post" => post: Int,
        /// Media.
        "source_url" => source_url: Text<'a>,
        /// Media.
        "media_details" => media_details: Maybe<media::Details<'a>>,
        /// Terms, users.
        "name" => name: Text<'a>,
        /// Terms.
        "count" => count: Int,
        /// Terms.
        "taxonomy" => taxonomy: Text<'a>,
        /// Users.
        "url" => url: Text<'a>,
        /// Users: size in pixels → URL.
        "avatar_urls" => avatar_urls: Entries<'a, Text<'a>>,
        /// Comments.
        "author_name" => author_name: Text<'a>,
        /// PublishPress Authors: all authors of a post.
        "authors" => authors: List<Maybe<Byline<'a>>>,
        /// Comments.
        "author_url" => author_url: Text<'a>,
        /// Yoast SEO.
        "yoast_head_json" => yoast: Given<Maybe<seo::Yoast<'a>>>,
        /// All in One SEO.
        "aioseo_head_json" => aioseo: Given<Maybe<seo::Aioseo<'a>>>,
        /// The source of the content, if not the API: wp-index has added it from an export or a feed.
        "content_source" => content_source: Text<'a>,
        /// The same, for the name of its author.
        "author_source" => author_source: Text<'a>,
        /// Links to other resources about the item.
        "_links" => links: Maybe<Links<'a>>,
        /// The resources that the API embeds on request.
        "_embedded" => embedded: Maybe<Embedded<'a>>,
        /// For html records: the record whose id the page has.
        "same" => same: Maybe<SameItem<'a>>,
    }
    else rest
}

object! {
    /// The hypermedia links of an item that wp-parse needs.
    pub(crate) struct Links<'a> {
        /// The item's own URL in the API.
        "self" => own: List<Maybe<Href<'a>>>,
        /// The lists of its terms, one per taxonomy.
        "wp:term" => terms: List<Maybe<Href<'a>>>,
    }
}

object! {
    /// The items that are embedded in another one, as far as wp-parse needs them.
    pub(crate) struct Embedded<'a> {
        /// The item's author; in exports all of them.
        "author" => authors: List<Maybe<EmbeddedUser<'a>>>,
        /// The item's terms, a list for each taxonomy.
        "wp:term" => terms: List<List<Maybe<EmbeddedTerm<'a>>>>,
        /// The featured image.
        "wp:featuredmedia" => featured: List<Maybe<EmbeddedMedia<'a>>>,
    }
}

object! {
    pub(crate) struct EmbeddedUser<'a> {
        /// Its id.
        "id" => id: Int,
        /// Its name.
        "name" => name: Text<'a>,
        /// Its slug.
        "slug" => slug: Text<'a>,
        /// Its archive.
        "link" => link: Text<'a>,
    }
}

object! {
    /// An author of PublishPress Authors (<https://publishpress.com/knowledge-base/rest-api/>).
    pub(crate) struct Byline<'a> {
        /// Id of the user; 0 of a guest.
        "user_id" => user_id: Int,
        /// The name.
        "display_name" => display_name: Text<'a>,
        /// The slug.
        "slug" => slug: Text<'a>,
        /// The archive.
        "link" => link: Text<'a>,
    }
}

object! {
    pub(crate) struct EmbeddedTerm<'a> {
        /// Its taxonomy.
        "taxonomy" => taxonomy: Text<'a>,
        /// Its id.
        "id" => id: Int,
        /// Its name, as HTML.
        "name" => name: Text<'a>,
        /// Its slug.
        "slug" => slug: Text<'a>,
        /// Its archive.
        "link" => link: Text<'a>,
    }
}

object! {
    pub(crate) struct EmbeddedMedia<'a> {
        /// Its file.
        "source_url" => source_url: Text<'a>,
    }
}

object! {
    /// One hypermedia link.
    pub(crate) struct Href<'a> {
        /// The URL.
        "href" => href: Text<'a>,
        /// For `wp:term`: the taxonomy.
        "taxonomy" => taxonomy: Text<'a>,
    }
}

object! {
    /// Type and id of another record.
    pub(crate) struct SameItem<'a> {
        /// Its type.
        "type" => r#type: Text<'a>,
        /// Its id.
        "id" => id: Int,
    }
}

/// A field that was present, with any value; `None` if the item has no such field.
#[derive(Debug)]
pub(crate) struct Given<T>(pub Option<T>);

impl<T> Default for Given<T> {
    fn default() -> Self {
        Given(None)
    }
}

impl<'de, T: serde::Deserialize<'de>> serde::Deserialize<'de> for Given<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|value| Given(Some(value)))
    }
}

impl<'a> Api<'a> {
    /// The raw value at a path such as `acf` or `meta.x` among the fields without a struct member; null counts as
    /// absent.
    pub(crate) fn raw(&self, path: &str) -> Option<&'a str> {
        let (first, deeper) = path.split_once('.').map_or((path, None), |(first, deeper)| (first, Some(deeper)));
        let mut value = self.rest.iter().rev().find(|(key, _)| &**key == first)?.1.get();
        for key in deeper.into_iter().flat_map(|d| d.split('.')) {
            let entries: Entries<'a, &'a RawValue> = serde_json::from_str(value).ok()?;
            value = entries.0.iter().rev().find(|(k, _)| &**k == key)?.1.get();
        }
        (value != "null").then_some(value)
    }

    /// Whether the item has a field with such a name, or its post meta contains one of the `texts`. Most items have
    /// nothing from plugins: this looks once for all fields of a plugin instead of once for each.
    pub(crate) fn mentions(&self, name: impl Fn(&str) -> bool, texts: &[&str]) -> bool {
        let in_meta =
            |meta: &str| texts.iter().any(|text| memchr::memmem::find(meta.as_bytes(), text.as_bytes()).is_some());
        self.rest
            .iter()
            .any(|(field, value)| name(field) || (&**field == "meta" && value.get().len() > 2 && in_meta(value.get())))
    }

    /// The item's terms in custom taxonomies: (taxonomy, ids). `_links` reveals which fields are taxonomies: the field
    /// for `wp:term`'s `…/wp/v2/BASE?post=ID` is BASE. A field belongs to the first taxonomy that names it.
    pub(crate) fn custom_terms(&self) -> Vec<(&str, Vec<i64>)> {
        let is_custom = |taxonomy: &str| !matches!(taxonomy, "category" | "post_tag");
        let links = self.links.0.terms.0.iter().filter_map(|Maybe(link)| {
            let taxonomy = link.taxonomy.0.as_deref().filter(|taxonomy| is_custom(taxonomy))?;
            Some((taxonomy, link.href.0.as_deref()?))
        });
        let mut links = links.peekable();
        if links.peek().is_none() {
            return Vec::new();
        }
        let mut fields: HashMap<&str, &str> = self.rest.iter().map(|(key, raw)| (key.as_str(), raw.get())).collect();
        let mut found = Vec::new();
        for (taxonomy, href) in links {
            let path = href.split('?').next().unwrap_or_default();
            let base = path.rsplit('/').next().unwrap_or_default();
            let value = fields.remove(base).or_else(|| fields.remove(taxonomy));
            if let Some(ids) = value.and_then(|raw| serde_json::from_str::<List<Int>>(raw).ok()) {
                found.push((taxonomy, ids.ids()));
            }
        }
        found
    }
}
