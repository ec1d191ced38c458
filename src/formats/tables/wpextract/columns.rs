//! Lists the columns of wpextract's files and the fields that they come from, in the order of WordPress' REST
//! controllers, as in wpextract. A dot in a column's name nests it.

use super::site::Site;
use crate::ndjson::Str;
use crate::record::{Image, Link, Media, Post, Rendered, Seo, Target, Term, Translation, User};
use crate::urls::PageUrl;
use Presence::{Always, WhereFilled, WithPages};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// When a column is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It is in every file: wpextract makes it itself, or requires it.
    Always,
    /// It is written if it is not null in all records: wpextract has the columns that are in the dump.
    WhereFilled,
    /// It is written if there is a scrape.
    WithPages,
}

pub(crate) struct Column<'r> {
    pub(crate) name: &'static str,
    pub(crate) presence: Presence,
    pub(crate) value: Value<'r>,
}

pub(crate) enum Value<'r> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'r str),
    Owned(String),
    Ids(&'r [i64]),
    Translations(&'r Post<'r>, &'r Site),
    InternalLinks(&'r Post<'r>, &'r Site),
    ExternalLinks(&'r Post<'r>),
    Embeds(&'r Post<'r>),
    Images(&'r Post<'r>, &'r Site),
}

impl Value<'_> {
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}

fn column<'r>(name: &'static str, presence: Presence, value: impl Into<Value<'r>>) -> Column<'r> {
    Column { name, presence, value: value.into() }
}

pub(crate) fn of_post<'r>(post: &'r Post<'r>, site: &'r Site) -> Vec<Column<'r>> {
    vec![
        column("id", Always, post.id),
        column("date_gmt", Always, date(&post.date_gmt)),
        column("modified_gmt", Always, date(&post.modified_gmt)),
        column("slug", WhereFilled, &post.slug),
        column("status", WhereFilled, &post.status),
        column("link", Always, &post.link),
        column("author", WhereFilled, post.author),
        column("featured_media", WhereFilled, post.featured_media),
        column("comment_status", WhereFilled, &post.comment_status),
        column("sticky", WhereFilled, post.sticky),
        column("categories", Always, Value::Ids(&post.categories)),
        column("tags", Always, Value::Ids(&post.tags)),
        column("title.html", Always, &post.title.html),
        column("title.text", Always, &post.title.text),
        column("content.html", Always, &post.content.html),
        column("content.text", Always, &post.content.text),
        column("excerpt.html", Always, &post.excerpt.html),
        column("excerpt.text", Always, &post.excerpt.text),
        column("page_title", WhereFilled, yoast(&post.seo, &post.seo.title)),
        column("og_image_url", Always, yoast(&post.seo, &post.seo.image)),
        column("link_locale", Always, locale(&post.link, site)),
        column("language", WithPages, &post.language),
        column("translations", WithPages, Value::Translations(post, site)),
        column("links.internal", Always, Value::InternalLinks(post, site)),
        column("links.external", Always, Value::ExternalLinks(post)),
        column("embeds", Always, Value::Embeds(post)),
        column("images", Always, Value::Images(post, site)),
    ]
}

pub(crate) fn of_page<'r>(page: &'r Post<'r>, site: &'r Site) -> Vec<Column<'r>> {
    vec![
        column("id", Always, page.id),
        column("date_gmt", Always, date(&page.date_gmt)),
        column("modified_gmt", Always, date(&page.modified_gmt)),
        column("slug", WhereFilled, &page.slug),
        column("link", Always, &page.link),
        column("author", WhereFilled, page.author),
        column("featured_media", WhereFilled, page.featured_media),
        column("parent", Always, page.parent),
        column("template", WhereFilled, &page.template),
        column("title.html", Always, &page.title.html),
        column("content.html", Always, &page.content.html),
        column("content.text", Always, &page.content.text),
        column("excerpt.html", Always, &page.excerpt.html),
        column("excerpt.text", Always, &page.excerpt.text),
        column("page_title", WhereFilled, yoast(&page.seo, &page.seo.title)),
        column("link_locale", Always, locale(&page.link, site)),
        column("links.internal", Always, Value::InternalLinks(page, site)),
        column("links.external", Always, Value::ExternalLinks(page)),
        column("embeds", Always, Value::Embeds(page)),
        column("images", Always, Value::Images(page, site)),
    ]
}

pub(crate) fn of_media<'r>(media: &'r Media<'r>) -> Vec<Column<'r>> {
    let (details, meta) = (&media.media_details, &media.media_details.image_meta);
    let mut columns = vec![
        column("id", Always, media.id),
        column("date_gmt", Always, date(&media.date_gmt)),
        column("modified_gmt", Always, date(&media.modified_gmt)),
        column("slug", WhereFilled, &media.slug),
        column("author", WhereFilled, media.author),
        column("alt_text", WhereFilled, &media.alt_text),
        column("media_type", WhereFilled, &media.media_type),
        column("mime_type", WhereFilled, &media.mime_type),
        column("post_id", Always, media.post),
        column("source_url", Always, &media.source_url),
        column("guid", WhereFilled, &media.guid),
        column("title.html", Always, &media.title.html),
        column("title.text", Always, &media.title.text),
        column("page_title", WhereFilled, yoast(&media.seo, &media.seo.title)),
        column("og_url", WhereFilled, yoast(&media.seo, &media.seo.url)),
    ];
    let texts = |html, text, rendered: &'r Rendered<'r>| {
        [column(html, Always, &rendered.html), column(text, Always, &rendered.text)]
    };
    columns.extend(texts("description.html", "description.text", &media.description));
    columns.extend(texts("caption.html", "caption.text", &media.caption));
    columns.extend([
        column("media_details.file", WhereFilled, &details.file),
        column("media_details.bitrate", WhereFilled, details.bitrate),
        column("media_details.length", WhereFilled, details.length),
        column("media_details.mime_type", WhereFilled, &details.mime_type),
        column("media_details.image_meta.credit", WhereFilled, &meta.credit),
        column("media_details.image_meta.camera", WhereFilled, &meta.camera),
        column("media_details.image_meta.created_timestamp", WhereFilled, &meta.created_timestamp),
        column("media_details.image_meta.focal_length", WhereFilled, &meta.focal_length),
        column("media_details.image_meta.iso", WhereFilled, &meta.iso),
        column("media_details.image_meta.orientation", WhereFilled, &meta.orientation),
        column("media_details.original_image", WhereFilled, &details.original_image),
        column("parent_image_id", WhereFilled, media.parent_image_id),
    ]);
    columns
}

pub(crate) fn of_category<'r>(term: &'r Term<'r>, site: &'r Site) -> Vec<Column<'r>> {
    let parent = column("parent", Always, term.parent.filter(|&id| id != 0));
    let mut columns = of_tag(term, site);
    let last = columns.len() - 1;
    columns.insert(last, parent);
    columns
}

pub(crate) fn of_tag<'r>(term: &'r Term<'r>, site: &'r Site) -> Vec<Column<'r>> {
    vec![
        column("id", Always, term.id),
        column("count", WhereFilled, term.count),
        column("description", WhereFilled, &term.description.html),
        column("link", Always, &term.link),
        column("name", WhereFilled, &term.name_html),
        column("slug", WhereFilled, &term.slug),
        column("link_locale", Always, locale(&term.link, site)),
    ]
}

pub(crate) fn of_user<'r>(user: &'r User<'r>) -> Vec<Column<'r>> {
    vec![
        column("id", Always, user.id),
        column("name", WhereFilled, &user.name),
        column("url", WhereFilled, &user.url),
        column("description", WhereFilled, &user.description.html),
        column("link", WhereFilled, &user.link),
        column("slug", WhereFilled, &user.slug),
        column("avatar", Always, yoast(&user.seo, &user.seo.image)),
    ]
}

/// wpextract writes GMT without marking it as such.
fn date<'r>(date: &'r Option<Str<'_>>) -> Option<&'r str> {
    date.as_deref().map(|date| date.strip_suffix('Z').unwrap_or(date))
}

/// wpextract supports one SEO plugin.
fn yoast<'r>(seo: &Seo<'_>, value: &'r Option<Str<'_>>) -> Option<&'r str> {
    value.as_deref().filter(|_| seo.source.as_deref() == Some("yoast"))
}

fn locale<'r>(link: &Option<Str<'_>>, site: &Site) -> Value<'r> {
    match link.as_deref().and_then(|link| site.locale_of(link)) {
        Some(tag) => Value::Owned(tag),
        None => Value::Null,
    }
}

impl<'r> From<&'r Option<Str<'_>>> for Value<'r> {
    fn from(text: &'r Option<Str<'_>>) -> Self {
        text.as_deref().into()
    }
}

impl<'r> From<Option<&'r str>> for Value<'r> {
    fn from(text: Option<&'r str>) -> Self {
        text.map_or(Value::Null, Value::Text)
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Value::Null, Value::Int)
    }
}

impl From<Option<bool>> for Value<'_> {
    fn from(flag: Option<bool>) -> Self {
        flag.map_or(Value::Null, Value::Bool)
    }
}

impl From<Option<f64>> for Value<'_> {
    fn from(number: Option<f64>) -> Self {
        match number {
            // A whole number was written without a point.
            Some(n) if n.fract() == 0.0 && n.abs() < 9e15 => Value::Int(n as i64),
            Some(n) => Value::Float(n),
            None => Value::Null,
        }
    }
}

/// A record that a link or an image leads to, with wpextract's keys.
#[derive(serde::Serialize)]
struct Destination<'r> {
    link: &'r str,
    data_type: &'static str,
    idx: i64,
}

#[derive(serde::Serialize)]
struct InternalLink<'r> {
    text: Option<&'r str>,
    href: Option<&'r str>,
    destination: Option<Destination<'r>>,
}

#[derive(serde::Serialize)]
struct ExternalLink<'r> {
    text: Option<&'r str>,
    href: Option<&'r str>,
}

#[derive(serde::Serialize)]
struct TranslationLink<'r> {
    text: Option<&'r str>,
    href: Option<&'r str>,
    destination: Option<Destination<'r>>,
    lang: Option<&'r str>,
}

#[derive(serde::Serialize)]
struct MediaUse<'r> {
    src: &'r str,
    alt: Option<&'r str>,
    caption: Option<&'r str>,
    /// The key is written only if the image is on this site.
    #[serde(skip_serializing_if = "Option::is_none")]
    destination: Option<Option<Destination<'r>>>,
}

/// The destination of a reference; `None` also for the types that wpextract does not link to.
fn destination<'r>(target: &'r Target<'_>, site: &'r Site) -> Option<Destination<'r>> {
    let idx = target.id?;
    let link = target.link.as_deref();
    let (data_type, link) = match target.r#type.as_deref()? {
        "post" => ("post", link?),
        "page" => ("pages", link?),
        "tag" => ("tag", link?),
        "category" => ("category", link?),
        "media" => ("media", site.media.get(&idx).map(String::as_str).or(link)?),
        _ => return None,
    };
    Some(Destination { link, data_type, idx })
}

/// wp-resolve's decision; without it, wpextract's rule: the host is the post's own.
fn is_internal(said: Option<bool>, url: Option<&str>, post: &Post<'_>) -> bool {
    said.unwrap_or_else(|| {
        let host = |url: Option<&str>| url.and_then(PageUrl::parse).map(|url| url.host().to_owned());
        host(url).is_some_and(|own| Some(own) == host(post.link.as_deref()))
    })
}

/// The `a` elements whose links are internal, or external; wpextract does not support `area`.
fn links<'r>(post: &'r Post<'r>, internal: bool) -> impl Iterator<Item = &'r Link<'r>> {
    post.links.iter().filter(move |link| {
        link.element.as_deref() != Some("area") && is_internal(link.internal, link.url.as_deref(), post) == internal
    })
}

fn internal_link<'r>(link: &'r Link<'r>, site: &'r Site) -> InternalLink<'r> {
    // Python's urlunparse writes neither an empty fragment nor an empty query.
    let href = link.url.as_deref().map(|url| url.strip_suffix('#').unwrap_or(url));
    let href = href.map(|url| url.strip_suffix('?').unwrap_or(url)).or(link.href.as_deref());
    InternalLink { text: link.text.as_deref(), href, destination: destination(&link.target, site) }
}

fn translation<'r>(translation: &'r Translation<'r>, site: &'r Site) -> TranslationLink<'r> {
    TranslationLink {
        text: None,
        href: translation.href.as_deref(),
        destination: destination(&translation.target, site),
        // Not the raw one: a head has `de` where the switcher, which wpextract reads, has `de-DE`. wp-resolve has set
        // the language to that of the target.
        lang: translation.language.as_deref().or(translation.language_raw.as_deref()),
    }
}

fn media_use<'r>(image: &'r Image<'r>, post: &Post<'_>, site: &'r Site) -> MediaUse<'r> {
    let url = image.url.as_deref();
    MediaUse {
        src: url.or(image.src.as_deref()).unwrap_or_default(),
        alt: image.alt.as_deref(),
        caption: image.caption.as_deref(),
        destination: is_internal(image.internal, url, post).then(|| destination(&image.target, site)),
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::Float(number) => serializer.serialize_f64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Owned(text) => serializer.serialize_str(text),
            Value::Ids(ids) => ids.serialize(serializer),
            Value::Translations(post, site) => {
                serializer.collect_seq(post.translations.iter().map(|t| translation(t, site)))
            }
            Value::InternalLinks(post, site) => {
                serializer.collect_seq(links(post, true).map(|link| internal_link(link, site)))
            }
            Value::ExternalLinks(post) => serializer.collect_seq(
                links(post, false).map(|l| ExternalLink { text: l.text.as_deref(), href: l.href.as_deref() }),
            ),
            Value::Embeds(post) => {
                let frames = post.embeds.iter().filter(|embed| embed.element.as_deref() == Some("iframe"));
                serializer.collect_seq(frames.filter_map(|embed| embed.src.as_deref()))
            }
            Value::Images(post, site) => {
                serializer.collect_seq(post.images.iter().map(|image| media_use(image, post, site)))
            }
        }
    }
}

/// Columns as an object: neighbours whose names share the part before a dot form a nested object.
pub(crate) struct Object<'c> {
    columns: &'c [Column<'c>],
    /// The number of leading parts of the names that the outer objects have written.
    depth: usize,
}

impl<'c> Object<'c> {
    pub(crate) fn new(columns: &'c [Column<'c>]) -> Self {
        Object { columns, depth: 0 }
    }
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let part = |column: &Column<'_>| column.name.split('.').nth(self.depth).unwrap_or_default();
        let mut map = serializer.serialize_map(None)?;
        let mut rest = self.columns;
        while let Some(first) = rest.first() {
            let name = part(first);
            let (group, others) = rest.split_at(rest.iter().take_while(|column| part(column) == name).count());
            if first.name.split('.').count() == self.depth + 1 {
                map.serialize_entry(name, &first.value)?;
            } else {
                map.serialize_entry(name, &Object { columns: group, depth: self.depth + 1 })?;
            }
            rest = others;
        }
        map.end()
    }
}
