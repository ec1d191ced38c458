//! The records exchanged by the stages: names, shapes, order, and nothing else.
//!
//! Every struct here is written key by key in the order of its fields, including nulls and empty lists, so that a
//! loader sees a constant shape for each kind. The stages fill the fields. When read, each struct accepts what a user's
//! jq may have made of it: missing keys and nulls are empty, the last value of a repeated key counts, unknown keys are
//! skipped.

mod shape;

pub use crate::ndjson::Str;
pub use shape::{Field, Form, Shape};
pub(crate) use shape::{Fields, Shaped, fields, key_of, read_fields, shaped};

/// The keys of a kind's records, in their order; none of an unknown kind.
pub fn shape_of(kind: &str) -> Option<&'static [Field]> {
    let shape = match kind {
        "post" | "html" => Post::SHAPE,
        "media" => Media::SHAPE,
        "term" => Term::SHAPE,
        "user" => User::SHAPE,
        "comment" => Comment::SHAPE,
        _ => return None,
    };
    if let Form::Object(fields) = shape.form { Some(fields) } else { None }
}

/// As [`shaped`], of whole records: what all of them begin and end with, and what those with a language have in common.
macro_rules! records {
    ($($(#[$about:meta])* $name:ident { $($before:tt)* } $(+ languages { $($after:tt)* })?)*) => { shaped! { $(
        $(#[$about])*
        pub $name {
            /// Label of the site, the same for one run of wp-index.
            site: Option<Str<'a>>,
            /// Shape of the record: post, term, media, user, comment, html.
            kind: Option<Str<'a>>,
            /// WordPress' name: post, page, product; category, tag; media; user; comment; html.
            r#type: Option<Str<'a>>,
            /// WordPress' id, null for html.
            id: Option<i64>,
            /// Permalink; of media the attachment page, of a user the author archive.
            link: Option<Str<'a>>,
            $($before)*
            $(
                /// BCP 47 tag of its language.
                language: Option<Str<'a>>,
                /// Where that is from: rest, html, hreflang, switcher, yoast, links, url, translation, posts, copy.
                language_source: Option<Str<'a>>,
                /// Its translations.
                translations: Vec<Translation<'a>>,
                /// Name of the group of records that are translations of each other.
                translation_group: Option<Str<'a>>,
                $($after)*
            )?
            /// Other URLs under which the scrape shows the record.
            aliases: Vec<Str<'a>>,
            /// Its scraped page.
            scrape: Scrape<'a>,
            /// Where wp-index read it.
            source: Source<'a>,
        }
    )* } };
}

shaped! {
    /// The record that a link, image or translation refers to. All three are null if there is none.
    pub Target {
        /// `type` of the target record.
        r#type: Option<Str<'a>>,
        /// `id` of the target record; null also for an `html` record.
        id: Option<i64>,
        /// `link` of the target record (of a media record: its page, not its file).
        link: Option<Str<'a>>,
    }

    /// HTML as WordPress rendered it and the text a reader sees of it.
    pub Rendered {
        /// The HTML, unchanged.
        html: Option<Str<'a>>,
        /// Its rendered text.
        text: Option<Str<'a>>,
    }

    /// The content of a post: like [`Rendered`], with more information.
    pub Content {
        /// The HTML, unchanged.
        html: Option<Str<'a>>,
        /// Its rendered text.
        text: Option<Str<'a>>,
        /// Whether a password is needed to read it.
        protected: Option<bool>,
        /// xxh3-128 of `text`, 32 hexadecimal digits: equal texts, equal hashes.
        hash: Option<Str<'a>>,
    }

    /// Reference to a term of a custom taxonomy.
    pub TermRef {
        /// The taxonomy, as WordPress names it in `type`.
        taxonomy: Option<Str<'a>>,
        /// Id of the term.
        id: Option<i64>,
    }

    /// One translation of a record, with its evidence.
    pub Translation {
        /// BCP 47 tag of the translation's language.
        language: Option<Str<'a>>,
        /// The language as the source wrote it.
        language_raw: Option<Str<'a>>,
        /// Its URL, absolute if the source gives one.
        href: Option<Str<'a>>,
        /// Its id, if the source gives one.
        id: Option<i64>,
        /// Its type, if the source gives one.
        r#type: Option<Str<'a>>,
        /// Its evidence: rest, hreflang, switcher; reverse or group if wp-resolve added it.
        source: Option<Str<'a>>,
        /// The record of the translation.
        target: Target<'a>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
    }

    /// A link of the content: every `a` and `area`, in document order.
    pub Link {
        /// `a` or `area`.
        element: Option<Str<'a>>,
        /// The href as written; null if there is none.
        href: Option<Str<'a>>,
        /// The absolute URL; null for mailto:, tel:, javascript: and broken ones.
        url: Option<Str<'a>>,
        /// Rendered text of the link.
        text: Option<Str<'a>>,
        /// Alternative text of the image of an image-only link.
        alt: Option<Str<'a>>,
        /// The rel attribute as written.
        rel: Option<Str<'a>>,
        /// Whether it leads to this site; null before wp-resolve.
        internal: Option<bool>,
        /// The record that it leads to.
        target: Target<'a>,
        /// The N of `#comment-N`.
        comment: Option<i64>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
    }

    /// An image of the content.
    pub Image {
        /// The source as written (with lazy loading: the real one).
        src: Option<Str<'a>>,
        /// The absolute URL; null if malformed.
        url: Option<Str<'a>>,
        /// Alternative text; null without the attribute.
        alt: Option<Str<'a>>,
        /// Rendered text of the caption.
        caption: Option<Str<'a>>,
        /// The width attribute, pixels.
        width: Option<i64>,
        /// The height attribute, pixels.
        height: Option<i64>,
        /// The N of the class `wp-image-N`: a hint only.
        id: Option<i64>,
        /// Whether the file is on this site; null until wp-resolve has seen the site.
        internal: Option<bool>,
        /// The media record of the image.
        target: Target<'a>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
    }

    /// Something of another document shown inside the content.
    pub Embed {
        /// The source as written.
        src: Option<Str<'a>>,
        /// The absolute URL; null if malformed.
        url: Option<Str<'a>>,
        /// The element that shows it: iframe, video, audio, object, embed, blockquote, figure, div, lite-youtube …
        element: Option<Str<'a>>,
        /// The provider: youtube, vimeo, x …; null if unknown.
        provider: Option<Str<'a>>,
        /// Rendered text of the caption.
        caption: Option<Str<'a>>,
    }

    /// Metadata from an SEO plugin.
    pub Seo {
        /// The page's title.
        title: Option<Str<'a>>,
        /// The meta description.
        description: Option<Str<'a>>,
        /// The canonical URL.
        canonical: Option<Str<'a>>,
        /// URL of the first image for social media.
        image: Option<Str<'a>>,
        /// The locale, as written.
        locale: Option<Str<'a>>,
        /// og:url.
        url: Option<Str<'a>>,
        /// Which plugin: yoast, rankmath, aioseo.
        source: Option<Str<'a>>,
    }

    /// A record in whose id this page is shown (plugins that translate on the fly).
    pub Same {
        /// Type of that record.
        r#type: Option<Str<'a>>,
        /// Id of that record.
        id: Option<i64>,
    }

    /// The scraped page of the record.
    pub Scrape {
        /// The --scrape argument as typed; the directory of it if it is an archive.
        root: Option<Str<'a>>,
        /// Path below root, `/`-separated, never absolute, without `..`; of a page in an archive PATH#OFFSET.
        file: Option<Str<'a>>,
        /// The page's own URL.
        url: Option<Str<'a>>,
        /// When an archive saved the page (WARC-Date).
        time: Option<Str<'a>>,
        /// The digest of the page's body in an archive (WARC-Payload-Digest).
        digest: Option<Str<'a>>,
    }

    /// Where wp-index read the item.
    pub Source {
        /// The dump's file as typed or found below the directory as typed, `-` for stdin.
        file: Option<Str<'a>>,
        /// The item's number in that file, from 1.
        item: Option<i64>,
        /// Root of the REST API that the item, or its page, names.
        rest: Option<Str<'a>>,
    }

    /// One file of an image or of another upload.
    pub Size {
        /// Name of the size: thumbnail, medium, large, full …
        name: Option<Str<'a>>,
        /// URL of the file.
        url: Option<Str<'a>>,
        /// Pixels.
        width: Option<i64>,
        /// Pixels.
        height: Option<i64>,
        /// MIME type of the file.
        mime_type: Option<Str<'a>>,
    }

    /// What the camera wrote into the file; all texts, as WordPress stores them.
    pub ImageMeta {
        /// Aperture.
        aperture: Option<Str<'a>>,
        /// Credit.
        credit: Option<Str<'a>>,
        /// Camera.
        camera: Option<Str<'a>>,
        /// Caption.
        caption: Option<Str<'a>>,
        /// Unix time, as text.
        created_timestamp: Option<Str<'a>>,
        /// Copyright.
        copyright: Option<Str<'a>>,
        /// Focal length, mm.
        focal_length: Option<Str<'a>>,
        /// ISO speed.
        iso: Option<Str<'a>>,
        /// Shutter speed, seconds.
        shutter_speed: Option<Str<'a>>,
        /// Title.
        title: Option<Str<'a>>,
        /// EXIF orientation.
        orientation: Option<Str<'a>>,
        /// Keywords.
        keywords: Vec<Str<'a>>,
    }

    /// What WordPress knows of the uploaded file.
    pub MediaDetails {
        /// Path below the uploads folder.
        file: Option<Str<'a>>,
        /// Pixels.
        width: Option<i64>,
        /// Pixels.
        height: Option<i64>,
        /// Bytes.
        filesize: Option<i64>,
        /// Seconds, for audio and video.
        length: Option<i64>,
        /// Bits per second, for audio and video.
        bitrate: Option<f64>,
        /// MIME type.
        mime_type: Option<Str<'a>>,
        /// Name of the file before WordPress scaled it.
        original_image: Option<Str<'a>>,
        /// What the camera wrote.
        image_meta: ImageMeta<'a>,
    }

    /// A user's picture in one size.
    pub Avatar {
        /// Pixels.
        size: Option<i64>,
        /// URL of the picture.
        url: Option<Str<'a>>,
    }
}

shaped! {
    /// An item on its way from wp-index to wp-parse. The JSON of the API follows in one more key, [`Item::API`].
    pub Item {
        /// Label of the site.
        site: Option<Str<'a>>,
        /// Shape of the record that it becomes.
        kind: Option<Str<'a>>,
        /// WordPress' own word.
        r#type: Option<Str<'a>>,
        /// WordPress' id, null for html.
        id: Option<i64>,
        /// Permalink; of html the page's own URL.
        link: Option<Str<'a>>,
        /// Where it was read.
        source: Source<'a>,
        /// Its scraped page.
        scrape: Scrape<'a>,
        /// Other URLs under which the scrape shows it.
        aliases: Vec<Str<'a>>,
    }
}

impl Item<'_> {
    /// The last key of an item: what the API gives, verbatim.
    pub const API: &'static str = "api";
}

records! {
    /// A record of kind post or html.
    Post {
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// publish, draft, private …
        status: Option<Str<'a>>,
        /// Publication, `YYYY-MM-DDTHH:MM:SSZ`.
        date_gmt: Option<Str<'a>>,
        /// Last change, `YYYY-MM-DDTHH:MM:SSZ`.
        modified_gmt: Option<Str<'a>>,
        /// Id of the author (a user); 0 = none.
        author: Option<i64>,
        /// Id of the parent page; 0 = none.
        parent: Option<i64>,
        /// Id of the featured image (media); 0 = none.
        featured_media: Option<i64>,
        /// The post format.
        format: Option<Str<'a>>,
        /// The page template.
        template: Option<Str<'a>>,
        /// Whether the post stays on top.
        sticky: Option<bool>,
        /// open or closed.
        comment_status: Option<Str<'a>>,
        /// The globally unique identifier, often `?p=ID`.
        guid: Option<Str<'a>>,
        /// Ids of its categories.
        categories: Vec<i64>,
        /// Ids of its tags.
        tags: Vec<i64>,
        /// Its terms in custom taxonomies.
        terms: Vec<TermRef<'a>>,
        /// The title.
        title: Rendered<'a>,
        /// The excerpt.
        excerpt: Rendered<'a>,
        /// The content.
        content: Content<'a>,
        /// Origin of the content: api or scrape; null if there is none.
        content_source: Option<Str<'a>>,
        /// What chose the content in its page: a CSS selector, scored, or list (the posts of an archive); null if it is not from a page.
        content_rule: Option<Str<'a>>,
        /// The share that the content has of the visible letters of its page; null if it is not from a page.
        content_share: Option<f64>,
    } + languages {
        /// Its links, in document order.
        links: Vec<Link<'a>>,
        /// Its images, in document order.
        images: Vec<Image<'a>>,
        /// Its embeds, in document order.
        embeds: Vec<Embed<'a>>,
        /// Metadata from an SEO plugin.
        seo: Seo<'a>,
        /// The record whose id the page has (html only).
        same: Same<'a>,
    }

    /// A record of kind media: an uploaded file.
    Media {
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// inherit, private …
        status: Option<Str<'a>>,
        /// Upload, `YYYY-MM-DDTHH:MM:SSZ`.
        date_gmt: Option<Str<'a>>,
        /// Last change, `YYYY-MM-DDTHH:MM:SSZ`.
        modified_gmt: Option<Str<'a>>,
        /// Id of the author (a user); 0 = none.
        author: Option<i64>,
        /// Id of the featured image, for audio and video; 0 = none.
        featured_media: Option<i64>,
        /// The page template.
        template: Option<Str<'a>>,
        /// open or closed.
        comment_status: Option<Str<'a>>,
        /// The globally unique identifier, often the file's URL.
        guid: Option<Str<'a>>,
        /// Alternative text.
        alt_text: Option<Str<'a>>,
        /// image or file.
        media_type: Option<Str<'a>>,
        /// MIME type.
        mime_type: Option<Str<'a>>,
        /// Id of the post it was uploaded to.
        post: Option<i64>,
        /// URL of the file.
        source_url: Option<Str<'a>>,
        /// The title.
        title: Rendered<'a>,
        /// The caption.
        caption: Rendered<'a>,
        /// The description.
        description: Rendered<'a>,
        /// Its files, one per size.
        sizes: Vec<Size<'a>>,
        /// What WordPress knows of the file.
        media_details: MediaDetails<'a>,
        /// Id of the image this one was edited from.
        parent_image_id: Option<i64>,
    } + languages {
        /// Links of the description.
        links: Vec<Link<'a>>,
        /// Images of the description.
        images: Vec<Image<'a>>,
        /// Metadata from an SEO plugin.
        seo: Seo<'a>,
    }

    /// A record of kind term: a category, a tag, a term of a custom taxonomy.
    Term {
        /// The name, as text.
        name: Option<Str<'a>>,
        /// The name as the API gives it, with its entities.
        name_html: Option<Str<'a>>,
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// The description.
        description: Rendered<'a>,
        /// Number of posts with this term.
        count: Option<i64>,
        /// Id of the parent term; 0 = none.
        parent: Option<i64>,
        /// The taxonomy, as the API names it: category, post_tag …
        taxonomy: Option<Str<'a>>,
    } + languages {
        /// Links of the description.
        links: Vec<Link<'a>>,
        /// Images of the description.
        images: Vec<Image<'a>>,
    }

    /// A record of kind user.
    User {
        /// The display name.
        name: Option<Str<'a>>,
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// The description.
        description: Rendered<'a>,
        /// The user's own site.
        url: Option<Str<'a>>,
        /// The user's pictures.
        avatar_urls: Vec<Avatar<'a>>,
        /// Links of the description.
        links: Vec<Link<'a>>,
        /// Metadata from an SEO plugin.
        seo: Seo<'a>,
    }

    /// A record of kind comment.
    Comment {
        /// Id of the post.
        post: Option<i64>,
        /// Id of the comment it answers; 0 = none.
        parent: Option<i64>,
        /// Id of the author (a user); 0 = a visitor.
        author: Option<i64>,
        /// The author's name.
        author_name: Option<Str<'a>>,
        /// The author's own site.
        author_url: Option<Str<'a>>,
        /// When it was written, `YYYY-MM-DDTHH:MM:SSZ`.
        date_gmt: Option<Str<'a>>,
        /// The content.
        content: Rendered<'a>,
        /// approved, hold …
        status: Option<Str<'a>>,
        /// Links of the content.
        links: Vec<Link<'a>>,
        /// Images of the content.
        images: Vec<Image<'a>>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};
    use serde_json::{Map, Value, json};

    /// A value that has this shape, its lists of one element.
    fn sample(shape: &Shape) -> Value {
        match shape.form {
            Form::Text => json!("a"),
            Form::Integer => json!(1),
            Form::Number => json!(1.5),
            Form::Boolean => json!(true),
            Form::List(element) => json!([sample(element)]),
            Form::Object(fields) => object(fields, |field| sample(&field.shape)),
        }
    }

    fn object(fields: &[Field], value: impl Fn(&Field) -> Value) -> Value {
        Value::Object(fields.iter().map(|field| (field.key.to_owned(), value(field))).collect::<Map<_, _>>())
    }

    /// What an empty record has in the place of a value of this shape.
    fn empty(shape: &Shape) -> Value {
        match shape.form {
            _ if shape.nullable => Value::Null,
            Form::List(_) => json!([]),
            Form::Object(fields) => object(fields, |field| empty(&field.shape)),
            _ => panic!("a scalar that cannot be null"),
        }
    }

    fn through<'a, T: Deserialize<'a> + Serialize>(json: &'a str) -> String {
        serde_json::to_string(&serde_json::from_str::<T>(json).unwrap()).unwrap()
    }

    fn through_kind(kind: &str, json: &str) -> String {
        match kind {
            "post" | "html" => through::<Post<'_>>(json),
            "media" => through::<Media<'_>>(json),
            "term" => through::<Term<'_>>(json),
            "user" => through::<User<'_>>(json),
            _ => through::<Comment<'_>>(json),
        }
    }

    /// A value of this shape in which everything is null: the fields of objects, also of those in lists.
    fn nulls_within(shape: &Shape) -> Value {
        match shape.form {
            Form::Object(fields) => object(fields, |field| nulls_within(&field.shape)),
            Form::List(element) if matches!(element.form, Form::Object(_)) => json!([nulls_within(element)]),
            _ => Value::Null,
        }
    }

    const KINDS: [&str; 6] = ["post", "html", "media", "term", "user", "comment"];

    #[test]
    fn the_shape_is_what_is_written_and_read() {
        for kind in KINDS {
            let fields = shape_of(kind).unwrap();
            let whole = Shape { form: Form::Object(fields), nullable: false };
            let (full, none) = (sample(&whole).to_string(), empty(&whole).to_string());
            let keys = |json: &str| {
                let object = crate::ndjson::Object::parse_str(json).unwrap();
                object.iter().map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
            };
            assert_eq!(keys(&through_kind(kind, &full)), fields.iter().map(|field| field.key).collect::<Vec<_>>());
            assert_eq!(serde_json::from_str::<Value>(&through_kind(kind, &full)).unwrap(), sample(&whole), "{kind}");
            assert_eq!(serde_json::from_str::<Value>(&through_kind(kind, "{}")).unwrap(), empty(&whole), "{kind}");
            assert_eq!(through_kind(kind, &none), through_kind(kind, "{}"));
        }
    }

    #[test]
    fn null_is_empty_and_a_key_may_come_twice() {
        for kind in KINDS {
            let nulls = object(shape_of(kind).unwrap(), |_| Value::Null).to_string();
            assert_eq!(through_kind(kind, &nulls), through_kind(kind, "{}"), "{kind}");
        }
        for kind in KINDS {
            let fields = shape_of(kind).unwrap();
            // It is read, whatever is null in it.
            through_kind(kind, &object(fields, |field| nulls_within(&field.shape)).to_string());
        }
        let post = through::<Post<'_>>(r#"{"id":1,"x":[],"id":2,"title":{"html":null,"text":"t"}}"#);
        assert!(post.contains(r#""id":2,"#) && post.contains(r#""title":{"html":null,"text":"t"}"#), "{post}");
        for wrong in ["[]", "null", r#"{"id":"1"}"#, r#"{"tags":{}}"#, r#"{"tags":[null]}"#, r#"{"links":[null]}"#] {
            assert!(serde_json::from_str::<Post<'_>>(wrong).is_err(), "{wrong}");
        }
    }
}
