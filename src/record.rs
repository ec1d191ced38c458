//! The records that flow between the stages: names, shapes, order, and nothing else.
//!
//! Every struct here is written key by key in the order of its fields, nulls and empty lists included, so that a
//! loader sees one constant shape for each kind. What fills the fields is the business of the stages.

pub use crate::ndjson::Str;
use serde::{Deserialize, Serialize};

/// What a link, an image or a translation means: the record it leads to. All three are null when there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Target<'a> {
    /// `type` of the target record.
    #[serde(borrow)]
    pub r#type: Option<Str<'a>>,
    /// `id` of the target record; null also for an `html` record.
    pub id: Option<i64>,
    /// `link` of the target record (of a media record: its page, not its file).
    pub link: Option<Str<'a>>,
}

/// The five keys that say which record this is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity<'a> {
    /// Label of the site, the same for one run of wp-index.
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// Shape of the record: post, term, media, user, comment, html.
    pub kind: Option<Str<'a>>,
    /// WordPress' own word: post, page, product; category, tag; media; user; comment; html.
    pub r#type: Option<Str<'a>>,
    /// WordPress' id, null for html.
    pub id: Option<i64>,
    /// Permalink.
    pub link: Option<Str<'a>>,
}

/// HTML as WordPress rendered it and the text a reader sees of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rendered<'a> {
    /// The HTML, unchanged.
    #[serde(borrow)]
    pub html: Option<Str<'a>>,
    /// Its rendered text.
    pub text: Option<Str<'a>>,
}

/// The content of a post: as [`Rendered`], with what else is known of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Content<'a> {
    /// The HTML, unchanged.
    #[serde(borrow)]
    pub html: Option<Str<'a>>,
    /// Its rendered text.
    pub text: Option<Str<'a>>,
    /// Whether a password is needed to read it.
    pub protected: Option<bool>,
    /// xxh3-128 of `text`, 32 hexadecimal digits: equal texts, equal hashes.
    pub hash: Option<Str<'a>>,
}

/// A term of a custom taxonomy that a post carries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TermRef<'a> {
    /// The taxonomy, as WordPress names it in `type`.
    #[serde(borrow)]
    pub taxonomy: Option<Str<'a>>,
    /// Id of the term.
    pub id: Option<i64>,
}

/// One translation of a record, with its evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Translation<'a> {
    /// BCP 47 tag of the translation's language.
    #[serde(borrow)]
    pub language: Option<Str<'a>>,
    /// The language as the source wrote it.
    pub language_raw: Option<Str<'a>>,
    /// Where it is, as an absolute URL where the source gave one.
    pub href: Option<Str<'a>>,
    /// Its id, where the source gave one.
    pub id: Option<i64>,
    /// Its type, where the source gave one.
    pub r#type: Option<Str<'a>>,
    /// Who said so: rest, hreflang, switcher, or reverse and group for what wp-resolve completed.
    pub source: Option<Str<'a>>,
    /// The record it is.
    pub target: Target<'a>,
    /// The rule by which the target was found.
    pub rule: Option<Str<'a>>,
}

/// A link of the content: every `a` and `area`, in document order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Link<'a> {
    /// `a` or `area`.
    #[serde(borrow)]
    pub element: Option<Str<'a>>,
    /// The href as written; null when there is none.
    pub href: Option<Str<'a>>,
    /// The absolute URL; null for mailto:, tel:, javascript: and broken ones.
    pub url: Option<Str<'a>>,
    /// Rendered text of the link.
    pub text: Option<Str<'a>>,
    /// Alternative text of the image of an image-only link.
    pub alt: Option<Str<'a>>,
    /// The rel attribute as written.
    pub rel: Option<Str<'a>>,
    /// Whether it leads to this site; null until wp-resolve has seen the site.
    pub internal: Option<bool>,
    /// The record it leads to.
    pub target: Target<'a>,
    /// The N of `#comment-N`.
    pub comment: Option<i64>,
    /// The rule by which the target was found.
    pub rule: Option<Str<'a>>,
}

/// An image of the content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Image<'a> {
    /// The source as written (behind lazy loading: the real one).
    #[serde(borrow)]
    pub src: Option<Str<'a>>,
    /// The absolute URL; null when it cannot be one.
    pub url: Option<Str<'a>>,
    /// Alternative text; null when there is no attribute.
    pub alt: Option<Str<'a>>,
    /// Rendered text of the caption.
    pub caption: Option<Str<'a>>,
    /// The width attribute, pixels.
    pub width: Option<i64>,
    /// The height attribute, pixels.
    pub height: Option<i64>,
    /// The N of the class `wp-image-N`: a hint only.
    pub id: Option<i64>,
    /// Whether the file is on this site; null until wp-resolve has seen the site.
    pub internal: Option<bool>,
    /// The media record it is.
    pub target: Target<'a>,
    /// The rule by which the target was found.
    pub rule: Option<Str<'a>>,
}

/// Something of another document shown inside the content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Embed<'a> {
    /// The source as written.
    #[serde(borrow)]
    pub src: Option<Str<'a>>,
    /// The absolute URL; null when it cannot be one.
    pub url: Option<Str<'a>>,
    /// The element it stands in: iframe, video, audio, object, embed, blockquote, figure.
    pub element: Option<Str<'a>>,
    /// The provider: youtube, vimeo, x …; null when not known.
    pub provider: Option<Str<'a>>,
}

/// What an SEO plugin says of the record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seo<'a> {
    /// The page's title.
    #[serde(borrow)]
    pub title: Option<Str<'a>>,
    /// The meta description.
    pub description: Option<Str<'a>>,
    /// The canonical URL.
    pub canonical: Option<Str<'a>>,
    /// URL of the first image for social media.
    pub image: Option<Str<'a>>,
    /// The locale, as written.
    pub locale: Option<Str<'a>>,
    /// og:url.
    pub url: Option<Str<'a>>,
    /// Which plugin: yoast, rankmath, aioseo.
    pub source: Option<Str<'a>>,
}

/// A record in whose id this page is shown (plugins that translate on the fly).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Same<'a> {
    /// Type of that record.
    #[serde(borrow)]
    pub r#type: Option<Str<'a>>,
    /// Id of that record.
    pub id: Option<i64>,
}

/// The scraped page of the record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scrape<'a> {
    /// The --scrape argument as typed.
    #[serde(borrow)]
    pub root: Option<Str<'a>>,
    /// Path below root, `/`-separated, never absolute, without `..`.
    pub file: Option<Str<'a>>,
    /// The page's own URL.
    pub url: Option<Str<'a>>,
}

/// Where wp-index read the item.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Source<'a> {
    /// The dump's file as typed or found below the directory as typed, `-` for stdin.
    #[serde(borrow)]
    pub file: Option<Str<'a>>,
    /// The item's number in that file, from 1.
    pub item: Option<i64>,
}

/// A record of kind post or html.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Post<'a> {
    /// See [`Identity`].
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// See [`Identity`].
    pub kind: Option<Str<'a>>,
    /// See [`Identity`].
    pub r#type: Option<Str<'a>>,
    /// See [`Identity`].
    pub id: Option<i64>,
    /// See [`Identity`].
    pub link: Option<Str<'a>>,
    /// Last part of the permalink.
    pub slug: Option<Str<'a>>,
    /// publish, draft, private …
    pub status: Option<Str<'a>>,
    /// Publication, `YYYY-MM-DDTHH:MM:SSZ`.
    pub date_gmt: Option<Str<'a>>,
    /// Last change, `YYYY-MM-DDTHH:MM:SSZ`.
    pub modified_gmt: Option<Str<'a>>,
    /// Id of the author (a user); 0 = none.
    pub author: Option<i64>,
    /// Id of the parent page; 0 = none.
    pub parent: Option<i64>,
    /// Id of the featured image (media); 0 = none.
    pub featured_media: Option<i64>,
    /// The post format.
    pub format: Option<Str<'a>>,
    /// The page template.
    pub template: Option<Str<'a>>,
    /// Whether the post stays on top.
    pub sticky: Option<bool>,
    /// open or closed.
    pub comment_status: Option<Str<'a>>,
    /// The globally unique identifier, often `?p=ID`.
    pub guid: Option<Str<'a>>,
    /// Ids of its categories.
    pub categories: Vec<i64>,
    /// Ids of its tags.
    pub tags: Vec<i64>,
    /// Its terms in custom taxonomies.
    pub terms: Vec<TermRef<'a>>,
    /// The title.
    pub title: Rendered<'a>,
    /// The excerpt.
    pub excerpt: Rendered<'a>,
    /// The content.
    pub content: Content<'a>,
    /// Where the content comes from: api or scrape; null when there is none.
    pub content_source: Option<Str<'a>>,
    /// BCP 47 tag of its language.
    pub language: Option<Str<'a>>,
    /// Who said so: rest, html, hreflang, switcher, yoast, links, url, translation.
    pub language_source: Option<Str<'a>>,
    /// Its translations.
    pub translations: Vec<Translation<'a>>,
    /// Name of the group of records that are translations of each other.
    pub translation_group: Option<Str<'a>>,
    /// Its links, in document order.
    pub links: Vec<Link<'a>>,
    /// Its images, in document order.
    pub images: Vec<Image<'a>>,
    /// Its embeds, in document order.
    pub embeds: Vec<Embed<'a>>,
    /// What an SEO plugin says.
    pub seo: Seo<'a>,
    /// The record whose id the page carries (html only).
    pub same: Same<'a>,
    /// Other URLs under which the scrape shows the record.
    pub aliases: Vec<Str<'a>>,
    /// Its scraped page.
    pub scrape: Scrape<'a>,
    /// Where wp-index read it.
    pub source: Source<'a>,
}

/// One file of an image or of another upload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Size<'a> {
    /// Name of the size: thumbnail, medium, large, full …
    #[serde(borrow)]
    pub name: Option<Str<'a>>,
    /// URL of the file.
    pub url: Option<Str<'a>>,
    /// Pixels.
    pub width: Option<i64>,
    /// Pixels.
    pub height: Option<i64>,
    /// MIME type of the file.
    pub mime_type: Option<Str<'a>>,
}

/// What the camera wrote into the file; all texts, as WordPress stores them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImageMeta<'a> {
    /// Aperture.
    #[serde(borrow)]
    pub aperture: Option<Str<'a>>,
    /// Credit.
    pub credit: Option<Str<'a>>,
    /// Camera.
    pub camera: Option<Str<'a>>,
    /// Caption.
    pub caption: Option<Str<'a>>,
    /// Unix time, as text.
    pub created_timestamp: Option<Str<'a>>,
    /// Copyright.
    pub copyright: Option<Str<'a>>,
    /// Focal length, mm.
    pub focal_length: Option<Str<'a>>,
    /// ISO speed.
    pub iso: Option<Str<'a>>,
    /// Shutter speed, seconds.
    pub shutter_speed: Option<Str<'a>>,
    /// Title.
    pub title: Option<Str<'a>>,
    /// EXIF orientation.
    pub orientation: Option<Str<'a>>,
    /// Keywords.
    pub keywords: Vec<Str<'a>>,
}

/// What WordPress knows of the uploaded file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MediaDetails<'a> {
    /// Path below the uploads folder.
    #[serde(borrow)]
    pub file: Option<Str<'a>>,
    /// Pixels.
    pub width: Option<i64>,
    /// Pixels.
    pub height: Option<i64>,
    /// Bytes.
    pub filesize: Option<i64>,
    /// Seconds, of sound and video.
    pub length: Option<i64>,
    /// Bits a second, of sound and video.
    pub bitrate: Option<f64>,
    /// MIME type.
    pub mime_type: Option<Str<'a>>,
    /// Name of the file before WordPress scaled it.
    pub original_image: Option<Str<'a>>,
    /// What the camera wrote.
    pub image_meta: ImageMeta<'a>,
}

/// A record of kind media: an uploaded file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Media<'a> {
    /// See [`Identity`].
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// See [`Identity`].
    pub kind: Option<Str<'a>>,
    /// See [`Identity`].
    pub r#type: Option<Str<'a>>,
    /// See [`Identity`].
    pub id: Option<i64>,
    /// See [`Identity`]: the attachment page.
    pub link: Option<Str<'a>>,
    /// Last part of the permalink.
    pub slug: Option<Str<'a>>,
    /// inherit, private …
    pub status: Option<Str<'a>>,
    /// Upload, `YYYY-MM-DDTHH:MM:SSZ`.
    pub date_gmt: Option<Str<'a>>,
    /// Last change, `YYYY-MM-DDTHH:MM:SSZ`.
    pub modified_gmt: Option<Str<'a>>,
    /// Id of the author (a user); 0 = none.
    pub author: Option<i64>,
    /// Id of the featured image, of sound and video; 0 = none.
    pub featured_media: Option<i64>,
    /// The page template.
    pub template: Option<Str<'a>>,
    /// open or closed.
    pub comment_status: Option<Str<'a>>,
    /// The globally unique identifier, often the file's URL.
    pub guid: Option<Str<'a>>,
    /// Alternative text.
    pub alt_text: Option<Str<'a>>,
    /// image or file.
    pub media_type: Option<Str<'a>>,
    /// MIME type.
    pub mime_type: Option<Str<'a>>,
    /// Id of the post it was uploaded to.
    pub post: Option<i64>,
    /// URL of the file.
    pub source_url: Option<Str<'a>>,
    /// The title.
    pub title: Rendered<'a>,
    /// The caption.
    pub caption: Rendered<'a>,
    /// The description.
    pub description: Rendered<'a>,
    /// Its files, one a size.
    pub sizes: Vec<Size<'a>>,
    /// What WordPress knows of the file.
    pub media_details: MediaDetails<'a>,
    /// Id of the image this one was edited from.
    pub parent_image_id: Option<i64>,
    /// BCP 47 tag of its language.
    pub language: Option<Str<'a>>,
    /// Who said so, as of [`Post`].
    pub language_source: Option<Str<'a>>,
    /// Its translations.
    pub translations: Vec<Translation<'a>>,
    /// Name of the group of records that are translations of each other.
    pub translation_group: Option<Str<'a>>,
    /// Links of the description.
    pub links: Vec<Link<'a>>,
    /// Images of the description.
    pub images: Vec<Image<'a>>,
    /// What an SEO plugin says.
    pub seo: Seo<'a>,
    /// Other URLs under which the scrape shows the record.
    pub aliases: Vec<Str<'a>>,
    /// Its scraped page.
    pub scrape: Scrape<'a>,
    /// Where wp-index read it.
    pub source: Source<'a>,
}

/// A record of kind term: a category, a tag, a term of a custom taxonomy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Term<'a> {
    /// See [`Identity`].
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// See [`Identity`].
    pub kind: Option<Str<'a>>,
    /// See [`Identity`].
    pub r#type: Option<Str<'a>>,
    /// See [`Identity`].
    pub id: Option<i64>,
    /// See [`Identity`].
    pub link: Option<Str<'a>>,
    /// The name, as text.
    pub name: Option<Str<'a>>,
    /// The name as the API gives it, with its entities.
    pub name_html: Option<Str<'a>>,
    /// Last part of the permalink.
    pub slug: Option<Str<'a>>,
    /// The description.
    pub description: Rendered<'a>,
    /// How many posts carry it.
    pub count: Option<i64>,
    /// Id of the parent term; 0 = none.
    pub parent: Option<i64>,
    /// The taxonomy, as the API names it: category, post_tag …
    pub taxonomy: Option<Str<'a>>,
    /// BCP 47 tag of its language.
    pub language: Option<Str<'a>>,
    /// Who said so, as of [`Post`].
    pub language_source: Option<Str<'a>>,
    /// Its translations.
    pub translations: Vec<Translation<'a>>,
    /// Name of the group of records that are translations of each other.
    pub translation_group: Option<Str<'a>>,
    /// Links of the description.
    pub links: Vec<Link<'a>>,
    /// Images of the description.
    pub images: Vec<Image<'a>>,
    /// Other URLs under which the scrape shows the record.
    pub aliases: Vec<Str<'a>>,
    /// Its scraped page.
    pub scrape: Scrape<'a>,
    /// Where wp-index read it.
    pub source: Source<'a>,
}

/// A user's picture in one size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Avatar<'a> {
    /// Pixels.
    pub size: Option<i64>,
    /// URL of the picture.
    #[serde(borrow)]
    pub url: Option<Str<'a>>,
}

/// A record of kind user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct User<'a> {
    /// See [`Identity`].
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// See [`Identity`].
    pub kind: Option<Str<'a>>,
    /// See [`Identity`].
    pub r#type: Option<Str<'a>>,
    /// See [`Identity`].
    pub id: Option<i64>,
    /// See [`Identity`]: the author archive.
    pub link: Option<Str<'a>>,
    /// The display name.
    pub name: Option<Str<'a>>,
    /// Last part of the permalink.
    pub slug: Option<Str<'a>>,
    /// The description.
    pub description: Rendered<'a>,
    /// The user's own site.
    pub url: Option<Str<'a>>,
    /// The user's pictures.
    pub avatar_urls: Vec<Avatar<'a>>,
    /// Links of the description.
    pub links: Vec<Link<'a>>,
    /// What an SEO plugin says.
    pub seo: Seo<'a>,
    /// Other URLs under which the scrape shows the record.
    pub aliases: Vec<Str<'a>>,
    /// Its scraped page.
    pub scrape: Scrape<'a>,
    /// Where wp-index read it.
    pub source: Source<'a>,
}

/// A record of kind comment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comment<'a> {
    /// See [`Identity`].
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// See [`Identity`].
    pub kind: Option<Str<'a>>,
    /// See [`Identity`].
    pub r#type: Option<Str<'a>>,
    /// See [`Identity`].
    pub id: Option<i64>,
    /// See [`Identity`].
    pub link: Option<Str<'a>>,
    /// Id of the post.
    pub post: Option<i64>,
    /// Id of the comment it answers; 0 = none.
    pub parent: Option<i64>,
    /// Id of the author (a user); 0 = a visitor.
    pub author: Option<i64>,
    /// The author's name.
    pub author_name: Option<Str<'a>>,
    /// The author's own site.
    pub author_url: Option<Str<'a>>,
    /// When it was written, `YYYY-MM-DDTHH:MM:SSZ`.
    pub date_gmt: Option<Str<'a>>,
    /// The content.
    pub content: Rendered<'a>,
    /// approved, hold …
    pub status: Option<Str<'a>>,
    /// Links of the content.
    pub links: Vec<Link<'a>>,
    /// Images of the content.
    pub images: Vec<Image<'a>>,
    /// Other URLs under which the scrape shows the record.
    pub aliases: Vec<Str<'a>>,
    /// Its scraped page.
    pub scrape: Scrape<'a>,
    /// Where wp-index read it.
    pub source: Source<'a>,
}
