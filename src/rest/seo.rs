//! Reads the fields that SEO plugins add to an item: Yoast SEO, All in One SEO, Rank Math.

use super::Api;
use crate::ndjson::Str;
use crate::record::{Seo, fields, loose};

fields! {
    /// The field `yoast_head_json`. Source: <https://developer.yoast.com/customization/apis/rest-api/>.
    pub(crate) loose Yoast {
        /// The page's title.
        title: Option<Str<'a>>,
        /// The meta description.
        description: Option<Str<'a>>,
        /// The canonical URL.
        canonical: Option<Str<'a>>,
        /// The locale, as `en_US`.
        og_locale: Option<Str<'a>>,
        /// og:url.
        og_url: Option<Str<'a>>,
        /// The images for social media.
        og_image: Vec<Picture<'a>>,
        /// The name of the author.
        author: Option<Str<'a>>,
        /// schema.org.
        schema: Schema<'a>,
    }

    /// One image for social media.
    pub(crate) loose Picture {
        /// Its URL.
        url: Option<Str<'a>>,
    }

    /// schema.org's graph.
    pub(crate) loose Schema {
        /// Its nodes.
        graph "@graph": Vec<Node<'a>>,
    }

    /// One node of the graph.
    pub(crate) loose Node {
        /// The language, as `en-US`.
        in_language "inLanguage": Option<Str<'a>>,
    }

    /// The field `aioseo_head_json`. Source: <https://aioseo.com/docs/accessing-aioseo-data-with-wordpress-rest-api/>.
    pub(crate) loose Aioseo {
        /// The page's title.
        title: Option<Str<'a>>,
        /// The meta description.
        description: Option<Str<'a>>,
        /// The canonical URL.
        canonical "canonical_url": Option<Str<'a>>,
        /// The locale.
        og_locale "og:locale": Option<Str<'a>>,
        /// og:url.
        og_url "og:url": Option<Str<'a>>,
        /// og:image.
        og_image "og:image": Option<Str<'a>>,
    }
}

impl<'a> Yoast<'a> {
    /// The first language in schema.org's graph.
    pub(crate) fn in_language(&self) -> Option<&str> {
        self.schema.graph.iter().find_map(|node| node.in_language.as_deref())
    }
}

/// Reads the metadata from SEO plugins: the first of Yoast, AIOSEO, Rank Math.
pub(crate) fn take<'a>(api: &mut Api<'a>) -> Seo<'a> {
    if let Some(yoast) = api.yoast.take() {
        let picture = yoast.og_image.into_iter().next();
        return Seo {
            title: yoast.title,
            description: yoast.description,
            canonical: yoast.canonical,
            image: picture.and_then(|picture| picture.url),
            locale: yoast.og_locale,
            url: yoast.og_url,
            source: Some("yoast".into()),
        };
    }
    if let Some(aioseo) = api.aioseo.take() {
        return Seo {
            title: aioseo.title,
            description: aioseo.description,
            canonical: aioseo.canonical,
            image: aioseo.og_image,
            locale: aioseo.og_locale,
            url: aioseo.og_url,
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
        loose::<Str<'a>>(raw).filter(|text| !text.is_empty())
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
