//! Reads the JSON of WordPress' REST API: one lenient struct for all kinds of items, and the fields that plugins add to
//! them. wp-parse turns the fields into records; [`crate::dump`] finds items and recognises their kind. Source:
//! <https://developer.wordpress.org/rest-api/reference/>.

pub(crate) mod language;
pub(crate) mod media;
pub(crate) mod seo;

use crate::ndjson::{Object, Str};
pub(crate) use crate::record::dates;
use crate::record::{Author, Entries, Loose, MediaDetails, Same, Scalar, TermRef, fields, loose, next_loose};
use serde::de::{IgnoredAny, MapAccess};
use std::cell::Cell;
use std::collections::HashMap;

fields! {
    /// An item of any kind. Field names mean the same in all kinds, so one struct fits all.
    pub(crate) loose Api {
        /// Posts, media, terms, users.
        slug: Option<Str<'a>>,
        /// Posts, media, comments.
        status: Option<Str<'a>>,
        /// Posts, media, comments.
        date: Option<Str<'a>>,
        /// Posts, media, comments.
        date_gmt: Option<Str<'a>>,
        /// Posts, media.
        modified_gmt: Option<Str<'a>>,
        /// Posts, media, comments: a user's id.
        author: Option<i64>,
        /// Pages, terms, comments.
        parent: Option<i64>,
        /// Pages.
        menu_order: Option<i64>,
        /// Posts, media.
        featured_media: Option<i64>,
        /// Posts.
        format: Option<Str<'a>>,
        /// Posts, media.
        template: Option<Str<'a>>,
        /// Posts.
        sticky: Option<bool>,
        /// Posts, media.
        comment_status: Option<Str<'a>>,
        /// Posts, media.
        guid: Markup<'a>,
        /// Posts.
        categories: Vec<i64>,
        /// Posts.
        tags: Vec<i64>,
        /// Posts, media.
        title: Markup<'a>,
        /// Posts, comments.
        content: Markup<'a>,
        /// Posts.
        excerpt: Markup<'a>,
        /// Media, terms, users.
        description: Markup<'a>,
        /// Media.
        caption: Markup<'a>,
        /// Media.
        alt_text: Option<Str<'a>>,
        /// Media.
        media_type: Option<Str<'a>>,
        /// Media.
        mime_type: Option<Str<'a>>,
        /// Media, comments: a post's id.
        post: Option<i64>,
        /// Media.
        source_url: Option<Str<'a>>,
        /// Media.
        media_details: (MediaDetails<'a>, media::Files<'a>),
        /// Terms, users.
        name: Option<Str<'a>>,
        /// Terms.
        count: Option<i64>,
        /// Terms.
        taxonomy: Option<Str<'a>>,
        /// Users.
        url: Option<Str<'a>>,
        /// Users: size in pixels → URL.
        avatar_urls: Entries<'a, Option<Str<'a>>>,
        /// Comments.
        author_name: Option<Str<'a>>,
        /// PublishPress Authors: all authors of a post.
        authors: Vec<Byline<'a>>,
        /// Comments.
        author_url: Option<Str<'a>>,
        /// Yoast SEO.
        yoast "yoast_head_json": Option<seo::Yoast<'a>>,
        /// All in One SEO.
        aioseo "aioseo_head_json": Option<seo::Aioseo<'a>>,
        /// The source of the content, if not the API: wp-index has added it from an export or a feed.
        content_source: Option<Str<'a>>,
        /// The same, for the name of its author.
        author_source: Option<Str<'a>>,
        /// The files of a podcast's episode: wp-index has added them from an export or a feed.
        enclosures "_enclosures": Vec<Str<'a>>,
        /// Links to other resources about the item.
        links "_links": Links<'a>,
        /// The resources that the API embeds on request.
        embedded "_embedded": Embedded<'a>,
        /// For html records: the record whose id the page has.
        same: Same<'a>,
        ..rest, odd
    }

    /// The hypermedia links of an item that wp-parse needs.
    pub(crate) loose Links {
        /// The item's own URL in the API.
        own "self": Vec<Href<'a>>,
        /// The lists of its terms, one per taxonomy.
        terms "wp:term": Vec<Href<'a>>,
    }

    /// The items that are embedded in another one, as far as wp-parse needs them.
    pub(crate) loose Embedded {
        /// The item's author; in exports all of them.
        authors "author": Vec<Author<'a>>,
        /// The item's terms, a list for each taxonomy.
        terms "wp:term": Vec<Vec<TermRef<'a>>>,
        /// The featured image.
        featured "wp:featuredmedia": Vec<EmbeddedMedia<'a>>,
    }

    /// An author of PublishPress Authors (<https://publishpress.com/knowledge-base/rest-api/>).
    pub(crate) loose Byline {
        /// Id of the user; 0 of a guest.
        user_id: Option<i64>,
        /// The name.
        display_name: Option<Str<'a>>,
        /// The slug.
        slug: Option<Str<'a>>,
        /// The archive.
        link: Option<Str<'a>>,
    }

    pub(crate) loose EmbeddedMedia {
        /// Its file.
        source_url: Option<Str<'a>>,
    }

    /// One hypermedia link.
    pub(crate) loose Href {
        /// The URL.
        href: Option<Str<'a>>,
        /// For `wp:term`: the taxonomy.
        taxonomy: Option<Str<'a>>,
    }
}

/// HTML: `{"rendered": …, "protected": …}`, or the bare string in old and reduced dumps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Markup<'a> {
    /// The HTML.
    pub(crate) rendered: Option<Str<'a>>,
    /// Whether it is protected by a password.
    pub(crate) protected: Option<bool>,
}

impl<'a> Loose<'a> for Markup<'a> {
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        match scalar {
            Scalar::Text(text) => Ok(Markup { rendered: Some(text), protected: None }),
            other => Err(other.holds()),
        }
    }

    fn of_object<A: MapAccess<'a>>(mut map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        let mut markup = Markup::default();
        let (mut is_rendered, mut holds) = (false, false);
        while let Some(key) = map.next_key::<Str<'a>>()? {
            match key.as_str() {
                "rendered" => {
                    is_rendered = true;
                    markup.rendered = next_loose(&mut map, odd)?;
                }
                "protected" => markup.protected = next_loose(&mut map, odd)?,
                _ => {
                    holds = true;
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        // Only `raw`, say, of a dump for editing from which `rendered` was taken.
        odd.set(odd.get() || holds && !is_rendered);
        Ok(Some(markup))
    }
}

impl<'a> Api<'a> {
    /// The raw value at a path such as `acf` or `meta.x` among the fields without a struct member; null counts as
    /// absent.
    pub(crate) fn raw(&self, path: &str) -> Option<&'a str> {
        let (first, deeper) = path.split_once('.').map_or((path, None), |(first, deeper)| (first, Some(deeper)));
        let mut value = self.rest.iter().rev().find(|(key, _)| &**key == first)?.1.get();
        for key in deeper.into_iter().flat_map(|d| d.split('.')) {
            value = Object::parse_str(value).ok()?.get_borrowed(key)?;
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
        let links = self.links.terms.iter().filter_map(|link| {
            let taxonomy = link.taxonomy.as_deref().filter(|taxonomy| is_custom(taxonomy))?;
            Some((taxonomy, link.href.as_deref()?))
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
            found.extend(value.and_then(loose).map(|ids| (taxonomy, ids)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_may_be_bare_or_raw() {
        let read = |json| loose::<Markup<'_>>(json).unwrap_or_default();
        assert_eq!(read("\"<p>\"").rendered.unwrap().as_str(), "<p>");
        assert_eq!(read("{\"rendered\":\"x\",\"protected\":true}").protected, Some(true));
        assert_eq!(read("{\"rendered\":null}"), Markup::default());
        let odd = |content| {
            let json = format!("{{\"content\":{content}}}");
            loose::<Api<'_>>(&json).unwrap().odd.len()
        };
        assert_eq!([odd("{\"raw\":\"x\"}"), odd("{\"raw\":\"x\",\"rendered\":null}"), odd("[1]")], [1, 0, 1]);
    }
}
