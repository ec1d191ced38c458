//! Reads the head of an HTML page: its `html`, `link`, `meta`, `title` and `body` tags, and HTTrack's comment. The layers above decide
//! what follows from them for a record.

use crate::html::elements::{Element, Sink};
use crate::html::names::Name;
use crate::html::tokenizer::{Attributes, Nul, Text};
use crate::rights::HeadRights;
use crate::wordpress::BodyClass;
use std::ops::Range;

/// One `link[rel~=alternate][hreflang]` of a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alternate {
    /// The language as written: `en`, `pt_BR`, `x-default`.
    pub hreflang: String,
    /// The URL as written, entities decoded; relative in mirrors.
    pub href: String,
}

/// The statements in the head of a page. Values are as written, except that entities are decoded and surrounding white space is removed.
/// Empty values are ignored; if there are several, the first counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// `html[lang]`, else `html[xml:lang]`.
    pub html_lang: Option<String>,
    /// `link[rel~=canonical]`.
    pub canonical: Option<String>,
    /// `meta[property=og:url]`.
    pub og_url: Option<String>,
    /// `meta[property=og:locale]`, which Yoast and others write.
    pub og_locale: Option<String>,
    /// `meta[property=og:title]`.
    pub og_title: Option<String>,
    /// `meta[property=og:site_name]`.
    pub site_name: Option<String>,
    /// `meta[property="article:published_time"]`.
    pub published: Option<String>,
    /// `meta[property="article:modified_time"]`.
    pub modified: Option<String>,
    /// `meta[property="article:section"]`.
    pub section: Option<String>,
    /// `meta[name=author]`, or `meta[property="article:author"]`, unless that is a URL.
    pub author: Option<String>,
    /// The title of the first `link[rel~=alternate][type="application/rss+xml"]`: WordPress writes `SITE » Feed`.
    pub feed_title: Option<String>,
    /// `link[rel~=alternate][type=application/json]`: the record in the REST API (WordPress 5.5 and later).
    pub json_alternates: Vec<String>,
    /// `link[rel~=alternate][type="application/json+oembed"]`: it has the permalink of the page in its query (WordPress 4.4 and later).
    pub oembed: Option<String>,
    /// `link[rel~=shortlink]`.
    pub shortlink: Option<String>,
    /// `link[rel~="https://api.w.org/"]`: the root of the REST API.
    pub rest_root: Option<String>,
    /// `body[class]`.
    pub body_class: Option<String>,
    /// The content of `meta[http-equiv=refresh]`: `0; url=…`.
    pub refresh: Option<String>,
    /// The address in HTTrack's comment `Mirrored from HOST/PATH by HTTrack`, without a scheme.
    pub mirrored_from: Option<String>,
    /// `link[rel~=alternate][hreflang]` in document order, those without a href left out.
    pub alternates: Vec<Alternate>,
    /// The text of `title`.
    pub title: Option<String>,
    /// Whether `meta[name=robots]` has `noindex`.
    pub noindex: bool,
    /// `meta[name=description]`.
    pub description: Option<String>,
    /// `meta[name=generator]`, all of them: WordPress and its plugins.
    pub generators: Vec<String>,
    /// The scripts of JSON-LD.
    pub json_ld: Vec<String>,
    /// The page's statements on rights.
    pub rights: HeadRights,
}

/// The most scripts of JSON-LD that are kept.
const MOST_SCRIPTS: usize = 20;

/// Reads a head up to body's start tag, or the next one if that has no class.
#[derive(Default)]
pub(super) struct HeadReader {
    pub(super) head: Head,
    /// The position of body's start tag.
    pub(super) body: Option<Range<usize>>,
    has_title: bool,
    in_json: bool,
    /// Whether a later part of the body was seen.
    has_more: bool,
}

/// The classes of a body without any, if its first element has them: some themes, such as Swell, write them there because plugins replace
/// the body.
pub(super) fn in_place_of_body<'a>(element: &Element<'a>, attributes: Attributes<'_, 'a>) -> Option<String> {
    let classes = attributes.raw("class").filter(|_| element.name == Name::DIV)?;
    BodyClass(classes).is_made_by_wordpress().then(|| classes.to_owned())
}

impl<'a> Sink<'a> for HeadReader {
    fn open(&mut self, element: &Element<'a>, tag: Attributes<'_, 'a>, _: usize, place: Range<usize>) {
        if self.body.is_some() {
            self.head.body_class = self.head.body_class.take().or_else(|| in_place_of_body(element, tag));
            self.has_more = true;
            return;
        }
        match element.name {
            Name::HTML => {
                let lang = || value(tag, "lang").or_else(|| value(tag, "xml:lang"));
                self.head.html_lang = self.head.html_lang.take().or_else(lang);
            }
            Name::LINK => self.head.see_link(tag),
            Name::META => self.head.see_meta(tag),
            Name::SCRIPT => self.in_json = tag.raw("type").is_some_and(|kind| kind.contains("ld+json")),
            Name::BODY => {
                self.head.body_class = value(tag, "class");
                self.body = Some(place);
            }
            _ => {}
        }
    }

    /// The first text in any title counts.
    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        if self.body.is_some() {
            self.has_more |= !text.raw.trim_ascii().is_empty();
            return;
        }
        if self.in_json && inside.name == Name::SCRIPT {
            self.head.rights.see_json(text.raw);
            if self.head.json_ld.len() < MOST_SCRIPTS {
                self.head.json_ld.push(text.raw.to_owned());
            }
        }
        if inside.name == Name::TITLE && !self.has_title {
            self.has_title = true;
            self.head.title = non_empty(text.decode(&mut String::new(), Nul::Replace));
        }
    }

    fn comment(&mut self, comment: Text<'a>) {
        if self.body.is_some() {
            return;
        }
        self.head.see_comment(comment.decode(&mut String::new(), Nul::Replace));
    }

    fn is_done(&self) -> bool {
        self.body.is_some() && (self.head.body_class.is_some() || self.has_more)
    }
}

impl Head {
    /// Whether WordPress wrote the page: by its generator, the link to its REST API, or the classes of its body.
    pub(crate) fn names_wordpress(&self) -> bool {
        let is_generator = |name: &String| name.get(..9).is_some_and(|name| name.eq_ignore_ascii_case("WordPress"));
        self.rest_root.is_some() || self.generators.iter().any(is_generator) || self.classes().post_id().is_some()
    }

    /// The classes of its body; empty if it has none.
    pub(crate) fn classes(&self) -> BodyClass<'_> {
        BodyClass(self.body_class.as_deref().unwrap_or_default())
    }

    fn see_link(&mut self, link: Attributes<'_, '_>) {
        let Some(rel) = link.raw("rel") else { return };
        let href = || value(link, "href");
        let (mut alternate, mut canonical, mut shortlink, mut rest_root, mut licence) =
            (false, false, false, false, false);
        for word in rel.split_ascii_whitespace() {
            let is = |other: &str| word.eq_ignore_ascii_case(other);
            alternate |= is("alternate");
            canonical |= is("canonical");
            shortlink |= is("shortlink");
            licence |= HeadRights::is_licence(word);
            rest_root |= is("https://api.w.org/") || is("https://github.com/WP-API/WP-API");
        }
        if alternate {
            if let (Some(hreflang), Some(href)) = (value(link, "hreflang"), href()) {
                self.alternates.push(Alternate { hreflang, href });
            } else if let Some(kind) = value(link, "type") {
                if kind.eq_ignore_ascii_case("application/json") {
                    self.json_alternates.extend(href());
                } else if kind.eq_ignore_ascii_case("application/json+oembed") {
                    self.oembed = self.oembed.take().or_else(href);
                } else if kind.eq_ignore_ascii_case("application/rss+xml") {
                    self.feed_title = self.feed_title.take().or_else(|| value(link, "title"));
                }
            }
        }
        if licence {
            self.rights.see_link(href());
        }
        if canonical {
            self.canonical = self.canonical.take().or_else(href);
        }
        if shortlink {
            self.shortlink = self.shortlink.take().or_else(href);
        }
        if rest_root {
            self.rest_root = self.rest_root.take().or_else(href);
        }
    }

    fn see_meta(&mut self, meta: Attributes<'_, '_>) {
        let content = || value(meta, "content");
        // HTML uses http-equiv and name, Open Graph uses property; sites confuse name and property
        let Some(name) = ["property", "name", "http-equiv"].iter().find_map(|key| meta.raw(key)) else {
            return;
        };
        let is = |other: &str| name.trim_ascii().eq_ignore_ascii_case(other);
        if is("generator") {
            return self.generators.extend(content());
        }
        if is("robots") {
            let content = content().unwrap_or_default().to_ascii_lowercase();
            self.noindex |= content.contains("noindex");
            return self.rights.see_robots(&content);
        }
        let is_name = is("author") || is("article:author") && !content().unwrap_or_default().contains("://");
        let values = [
            (is_name, &mut self.author),
            (is("og:url"), &mut self.og_url),
            (is("og:locale"), &mut self.og_locale),
            (is("og:title"), &mut self.og_title),
            (is("og:site_name"), &mut self.site_name),
            (is("article:published_time"), &mut self.published),
            (is("article:modified_time"), &mut self.modified),
            (is("article:section"), &mut self.section),
            (is("description"), &mut self.description),
            (is("refresh"), &mut self.refresh),
        ];
        match values.into_iter().find(|(is_it, _)| *is_it) {
            Some((_, value)) => *value = value.take().or_else(content),
            None if HeadRights::is_meta(name) => self.rights.see_meta(name, &content().unwrap_or_default()),
            None => {}
        }
    }

    /// `<!-- Mirrored from www.example.com/about/ by HTTrack Website Copier/3.x [XR&CO'2014], … -->`
    fn see_comment(&mut self, comment: &str) {
        let address =
            comment.trim_ascii_start().strip_prefix("Mirrored from ").and_then(|rest| rest.split_once(" by HTTrack"));
        if let Some((address, _)) = address
            && self.mirrored_from.is_none()
        {
            self.mirrored_from = non_empty(address);
        }
    }
}

/// An attribute, entities decoded and surrounding white space removed; [`None`] if it is empty.
fn value(tag: Attributes<'_, '_>, name: &str) -> Option<String> {
    non_empty(&tag.get(name)?)
}

fn non_empty(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}
