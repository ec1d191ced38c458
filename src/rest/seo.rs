//! Reads the fields that SEO plugins add to an item: Yoast SEO, All in One SEO, Rank Math.

use super::shapes::{FromObject, List, Maybe, Text, object};
use super::{Api, Given};
use crate::ndjson::Str;
use crate::record::Seo;
use serde::de::{IgnoredAny, MapAccess};

object! {
    /// The field `yoast_head_json`. Source: <https://developer.yoast.com/customization/apis/rest-api/>.
    pub(crate) struct Yoast<'a> {
        /// The page's title.
        "title" => title: Text<'a>,
        /// The meta description.
        "description" => description: Text<'a>,
        /// The canonical URL.
        "canonical" => canonical: Text<'a>,
        /// The locale, as `en_US`.
        "og_locale" => og_locale: Text<'a>,
        /// og:url.
        "og_url" => og_url: Text<'a>,
        /// The images for social media.
        "og_image" => og_image: List<Maybe<Picture<'a>>>,
        /// The name of the author.
        "author" => author: Text<'a>,
        /// schema.org.
        "schema" => schema: Maybe<Schema<'a>>,
    }
}

object! {
    /// One image for social media.
    pub(crate) struct Picture<'a> {
        /// Its URL.
        "url" => url: Text<'a>,
    }
}

object! {
    /// schema.org's graph.
    pub(crate) struct Schema<'a> {
        /// Its nodes.
        "@graph" => graph: List<Maybe<Node<'a>>>,
    }
}

object! {
    /// One node of the graph.
    pub(crate) struct Node<'a> {
        /// The language, as `en-US`.
        "inLanguage" => in_language: Text<'a>,
    }
}

object! {
    /// The field `aioseo_head_json`. Source: <https://aioseo.com/docs/accessing-aioseo-data-with-wordpress-rest-api/>.
    pub(crate) struct Aioseo<'a> {
        /// The page's title.
        "title" => title: Text<'a>,
        /// The meta description.
        "description" => description: Text<'a>,
        /// The canonical URL.
        "canonical_url" => canonical: Text<'a>,
        /// The locale.
        "og:locale" => og_locale: Text<'a>,
        /// og:url.
        "og:url" => og_url: Text<'a>,
        /// og:image.
        "og:image" => og_image: Text<'a>,
    }
}

impl<'a> Yoast<'a> {
    /// The first language in schema.org's graph.
    pub(crate) fn in_language(&self) -> Option<&str> {
        self.schema.0.graph.0.iter().find_map(|Maybe(node)| node.in_language.0.as_deref())
    }
}

/// Reads the metadata from SEO plugins: the first of Yoast, AIOSEO, Rank Math.
pub(crate) fn take<'a>(api: &mut Api<'a>) -> Seo<'a> {
    if let Given(Some(Maybe(yoast))) = std::mem::take(&mut api.yoast) {
        let picture = yoast.og_image.0.into_iter().next();
        return Seo {
            title: yoast.title.0,
            description: yoast.description.0,
            canonical: yoast.canonical.0,
            image: picture.and_then(|Maybe(p)| p.url.0),
            locale: yoast.og_locale.0,
            url: yoast.og_url.0,
            source: Some("yoast".into()),
        };
    }
    if let Given(Some(Maybe(aioseo))) = std::mem::take(&mut api.aioseo) {
        return Seo {
            title: aioseo.title.0,
            description: aioseo.description.0,
            canonical: aioseo.canonical.0,
            image: aioseo.og_image.0,
            locale: aioseo.og_locale.0,
            url: aioseo.og_url.0,
            source: Some("aioseo".into()),
        };
    }
    rank_math(api)
}

/// Rank Math has no field of its own; sites that expose its post meta use these names.
fn rank_math<'a>(api: &Api<'a>) -> Seo<'a> {
    if !api.mentions(|field| field.starts_with("rank_math_"), &["rank_math_"]) {
        return Seo::default();
    }
    let meta = |name: &str| -> Option<Str<'a>> {
        let raw = api.raw(&format!("rank_math_{name}")).or_else(|| api.raw(&format!("meta.rank_math_{name}")))?;
        serde_json::from_str::<Text<'a>>(raw).ok()?.0.filter(|text| !text.is_empty())
    };
    let mut seo = Seo {
        title: meta("title"),
        description: meta("description"),
        canonical: meta("canonical_url"),
        image: meta("facebook_image"),
        ..Seo::default()
    };
    if seo != Seo::default() {
        seo.source = Some("rankmath".into());
    }
    seo
}
