//! Declares the records that the stages exchange: names, shapes, order, and nothing else.
//!
//! Every struct here is written key by key in the order of its fields, including nulls and empty lists, so that a
//! loader sees a constant shape for each kind. The stages fill the fields. When read, each struct accepts what a user's
//! jq may have made of it: missing keys and nulls are empty, the last value of a repeated key counts, unknown keys are
//! skipped.

mod alignment;
mod change;
pub(crate) mod dates;
mod loose;
mod parts;
mod reason;
mod shape;

pub use crate::ndjson::Str;
pub use alignment::{Aligned, Alignment, Anchor, Sentence, Side};
pub use change::{
    BlockChange, Change, Evidence, FieldChange, ImageChanges, LinkChanges, TermChanges, TranslationChanges, Version,
    WordChange,
};
pub(crate) use loose::{Entries, Loose, LooseFields, LooseLine, Scalar, loose, next_loose};
pub use parts::{
    Author, Avatar, Content, Embed, FeaturedImage, Image, ImageMeta, Link, Mapped, MediaDetails, NextPage, Place,
    Rendered, Rights, Same, Scrape, Seo, Size, Source, Target, TermRef, Translation,
};
pub(crate) use reason::{Missing, Reason};
pub use shape::{Field, Form, Shape};
pub(crate) use shape::{Fields, Shaped, fields, key_of, read_fields, read_object, take_json};

/// The taxonomy and id of each term of a post whose id is known, each once. They are in `categories` and `tags`; if one of these is empty,
/// in the terms of that taxonomy in `terms`.
pub(crate) fn term_ids<'t>(
    categories: &'t [i64],
    tags: &'t [i64],
    terms: impl Iterator<Item = (Option<&'t str>, Option<i64>)>,
) -> impl Iterator<Item = (&'t str, i64)> {
    let is_listed = move |taxonomy: &str| match taxonomy {
        CATEGORY => !categories.is_empty(),
        TAG => !tags.is_empty(),
        _ => false,
    };
    let others = terms.filter_map(|(taxonomy, id)| taxonomy.zip(id));
    let categories = categories.iter().map(|&id| (CATEGORY, id));
    categories.chain(tags.iter().map(|&id| (TAG, id))).chain(others.filter(move |(taxonomy, _)| !is_listed(taxonomy)))
}

impl TermRef<'_> {
    /// Its taxonomy and its id.
    pub(crate) fn reference(&self) -> (Option<&str>, Option<i64>) {
        (self.taxonomy.as_deref(), self.id)
    }
}

/// The `type` of records of WordPress' own categories.
pub(crate) const CATEGORY: &str = "category";
/// The `type` of records of WordPress' own tags.
pub(crate) const TAG: &str = "tag";

/// The kinds of records.
pub(crate) const KINDS: [&str; 8] = ["post", "html", "media", "term", "user", "comment", "change", "alignment"];

/// Whether a record was read from a page: its fields are the page's statements, and its kind is the one that the page states.
pub(crate) fn is_of_page(kind: Option<&str>, via: Option<&str>) -> bool {
    kind == Some("html") || via == Some("page") && matches!(kind, Some("post" | "media"))
}

/// Whether records of this kind have a list of rights.
pub(crate) fn has_rights(kind: &str) -> bool {
    matches!(kind, "post" | "media" | "html")
}

/// The keys of a kind's records, in their order; `None` for an unknown kind.
pub fn shape_of(kind: &str) -> Option<&'static [Field]> {
    let shape = match kind {
        "post" | "html" => Post::SHAPE,
        "media" => Media::SHAPE,
        "term" => Term::SHAPE,
        "user" => User::SHAPE,
        "comment" => Comment::SHAPE,
        "alignment" => Alignment::SHAPE,
        "change" => Change::SHAPE,
        _ => return None,
    };
    if let Form::Object(fields) = shape.form { Some(fields) } else { None }
}

/// Like [`fields`], for whole records: adds the keys with which all of them begin and end, and those that all records with a language have
/// in common.
macro_rules! records {
    ($($(#[$about:meta])* $name:ident { $($before:tt)* } $(+ languages { $($after:tt)* })?)*) => { fields! { $(
        $(#[$about])*
        pub record $name {
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
                /// The page for readers of other languages that its own page names (hreflang x-default).
                x_default: Option<Str<'a>>,
                /// Why it is no translation: notice (a plugin's, in place of one), words (those of another record).
                copy_source: Option<Str<'a>>,
                /// The record whose words it shows.
                copy_of: Target<'a>,
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

fields! {
    /// An item on its way from wp-index to wp-parse. The JSON of the API follows in one more key, [`Item::API`].
    pub record Item {
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
        /// What the answer with its page and the site's files for robots state of rights.
        rights: Vec<Rights<'a>>,
    }
}

impl Item<'_> {
    /// The last key of an item: what the API gives, verbatim.
    pub const API: &'static str = "api";
}

records! {
    /// A record of kind post or html: html is a page that does not state that it is a post.
    Post {
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// publish, draft, private …
        status: Option<Str<'a>>,
        /// Publication in the time of the site, `YYYY-MM-DDTHH:MM:SS`; of a page that states no hour `YYYY-MM-DD`.
        date: Option<Str<'a>>,
        /// Publication, `YYYY-MM-DDTHH:MM:SSZ`.
        date_gmt: Option<Str<'a>>,
        /// Last change, `YYYY-MM-DDTHH:MM:SSZ`.
        modified_gmt: Option<Str<'a>>,
        /// Id of the author (a user); 0 = none.
        author: Option<i64>,
        /// The name of the first of its authors, where the API, a feed, an export or its page states one.
        author_name: Option<Str<'a>>,
        /// All whom the post names as authors, in their order.
        authors: Vec<Author<'a>>,
        /// The section that a page without a record states it is in.
        section: Option<Str<'a>>,
        /// Id of the parent page; 0 = none.
        parent: Option<i64>,
        /// Its place among the pages with the same parent, as the site's editors order them.
        menu_order: Option<i64>,
        /// Id of the featured image (media); 0 = none.
        featured_media: Option<i64>,
        /// The featured image, as the API or the page shows it.
        featured_image: FeaturedImage<'a>,
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
        /// Its terms in all taxonomies.
        terms: Vec<TermRef<'a>>,
        /// The title.
        title: Rendered<'a>,
        /// The excerpt.
        excerpt: Rendered<'a>,
        /// The content.
        content: Content<'a>,
        /// Origin of the content: api, export, feed or scrape; null if there is none.
        content_source: Option<Str<'a>>,
        /// What chose the content in its page: a CSS selector, scored, thread (the posts of a forum's), or list (the posts of an archive);
        /// null if it is not from a page.
        content_rule: Option<Str<'a>>,
        /// The share that the content has of the visible letters of its page; null if it is not from a page.
        content_share: Option<f64>,
        /// The share of contents that were wrong among those that were taken from such pages in such a way; null if it is not from a page.
        content_doubt: Option<f64>,
    } + languages {
        /// Its links, in document order.
        links: Vec<Link<'a>>,
        /// Its images, in document order.
        images: Vec<Image<'a>>,
        /// Its embeds, in document order.
        embeds: Vec<Embed<'a>>,
        /// Metadata from an SEO plugin.
        seo: Seo<'a>,
        /// What is stated of the rights in it.
        rights: Vec<Rights<'a>>,
        /// The record whose id its page has, where it was read from that.
        same: Same<'a>,
    }

    /// A record of kind media: an uploaded file.
    Media {
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// inherit, private …
        status: Option<Str<'a>>,
        /// Upload in the time of the site, `YYYY-MM-DDTHH:MM:SS`.
        date: Option<Str<'a>>,
        /// Upload, `YYYY-MM-DDTHH:MM:SSZ`.
        date_gmt: Option<Str<'a>>,
        /// Last change, `YYYY-MM-DDTHH:MM:SSZ`.
        modified_gmt: Option<Str<'a>>,
        /// Id of the author (a user); 0 = none.
        author: Option<i64>,
        /// The name of who uploaded it, where the API or its page states it.
        author_name: Option<Str<'a>>,
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
        /// What is stated of the rights in it.
        rights: Vec<Rights<'a>>,
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
        /// When it was written in the time of the site, `YYYY-MM-DDTHH:MM:SS`.
        date: Option<Str<'a>>,
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
            "alignment" => through::<Alignment<'_>>(json),
            "change" => through::<Change<'_>>(json),
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
