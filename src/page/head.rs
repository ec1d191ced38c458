//! The head of a page: what its `html`, `link`, `meta`, `title` and `body` tags and HTTrack's comment say of it.
//! What that means for a record is left to the layers above.

use super::scanner::{Scanner, Tag, Token};
use crate::html::names::Name;
use crate::html::tokenizer::AttributeBuffer;
use std::borrow::Cow;

/// One `link[rel~=alternate][hreflang]` of a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternate {
    /// The language as written: `en`, `pt_BR`, `x-default`.
    pub hreflang: String,
    /// The URL as written, entities decoded; relative in mirrors.
    pub href: String,
}

/// What the head of a page says of it. Values are as written but for decoded entities and white space around;
/// empty ones are none; of several the first counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
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
    /// `link[rel~=alternate][type=application/json]`: the record in the REST API (WordPress 5.5 and later).
    pub json_alternates: Vec<String>,
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
    /// `meta[name=description]`.
    pub description: Option<String>,
    /// `meta[name=generator]`, all of them: WordPress and its plugins.
    pub generators: Vec<String>,
}

/// Reads a head while it arrives.
pub(super) struct HeadReader {
    head: Head,
    scanner: Scanner,
    in_title: bool,
    has_title: bool,
}

impl HeadReader {
    pub(super) fn new(attributes: AttributeBuffer) -> Self {
        HeadReader { head: Head::default(), scanner: Scanner::new(attributes), in_title: false, has_title: false }
    }

    /// Reads on in `html`, which has grown since the last time; returns where body's start tag stands if it is there.
    pub(super) fn read(&mut self, html: &[u8], is_all: bool) -> Option<usize> {
        while let Some(token) = self.scanner.next(html, is_all) {
            match token {
                Token::Start(tag) if tag.name == Name::BODY => {
                    self.head.body_class = value(&self.scanner, html, "class");
                    return Some(tag.start);
                }
                Token::Start(tag) => self.see(html, &tag),
                Token::End(tag) if tag.name == Name::TITLE => self.in_title = false,
                // the first text in any title counts
                Token::Text(bytes) if self.in_title && !self.has_title => {
                    self.has_title = true;
                    self.head.title = non_empty(&htmlize::unescape(text(bytes)));
                }
                Token::Comment(comment) => self.head.see_comment(comment),
                _ => {}
            }
        }
        None
    }

    /// Where the next token begins: it has not arrived as a whole yet.
    pub(super) fn at(&self) -> usize {
        self.scanner.at()
    }

    pub(super) fn finish(self) -> (Head, AttributeBuffer) {
        (self.head, self.scanner.into_attributes())
    }

    fn see(&mut self, html: &[u8], tag: &Tag<'_>) {
        match tag.name {
            Name::HTML => {
                let lang = || value(&self.scanner, html, "lang").or_else(|| value(&self.scanner, html, "xml:lang"));
                self.head.html_lang = self.head.html_lang.take().or_else(lang);
            }
            Name::LINK => self.head.see_link(html, &self.scanner),
            Name::META => self.head.see_meta(html, &self.scanner),
            Name::TITLE => self.in_title = !(tag.foreign && tag.self_closing),
            _ => {}
        }
    }
}

impl Head {
    fn see_link(&mut self, html: &[u8], link: &Scanner) {
        let Some(rel) = link.attribute(html, "rel") else { return };
        let href = || value(link, html, "href");
        let (mut alternate, mut canonical, mut shortlink, mut rest_root) = (false, false, false, false);
        for word in rel.split(u8::is_ascii_whitespace) {
            let is = |other: &str| word.eq_ignore_ascii_case(other.as_bytes());
            alternate |= is("alternate");
            canonical |= is("canonical");
            shortlink |= is("shortlink");
            rest_root |= is("https://api.w.org/") || is("https://github.com/WP-API/WP-API");
        }
        if alternate {
            if let (Some(hreflang), Some(href)) = (value(link, html, "hreflang"), href()) {
                self.alternates.push(Alternate { hreflang, href });
            } else if value(link, html, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
                self.json_alternates.extend(href());
            }
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

    fn see_meta(&mut self, html: &[u8], meta: &Scanner) {
        let content = || value(meta, html, "content");
        // HTML says http-equiv and name, Open Graph property; sites mix name and property up
        let Some(name) = ["property", "name", "http-equiv"].iter().find_map(|key| meta.attribute(html, key)) else {
            return;
        };
        let is = |other: &str| name.trim_ascii().eq_ignore_ascii_case(other.as_bytes());
        let value = if is("og:url") {
            &mut self.og_url
        } else if is("og:locale") {
            &mut self.og_locale
        } else if is("og:title") {
            &mut self.og_title
        } else if is("description") {
            &mut self.description
        } else if is("refresh") {
            &mut self.refresh
        } else if is("generator") {
            return self.generators.extend(content());
        } else {
            return;
        };
        *value = value.take().or_else(content);
    }

    /// `<!-- Mirrored from www.example.com/about/ by HTTrack Website Copier/3.x [XR&CO'2014], … -->`
    fn see_comment(&mut self, comment: &[u8]) {
        let Some(rest) = comment.trim_ascii_start().strip_prefix(b"Mirrored from ") else { return };
        if let Some((address, _)) = text(rest).split_once(" by HTTrack")
            && self.mirrored_from.is_none()
        {
            self.mirrored_from = non_empty(address);
        }
    }
}

/// The last tag's attribute, entities decoded and white space around dropped; none where nothing is left.
fn value(tag: &Scanner, html: &[u8], name: &str) -> Option<String> {
    non_empty(&htmlize::unescape_attribute(text(tag.attribute(html, name)?)))
}

/// Bytes of a page as text; what is no UTF-8 is replaced.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    simdutf8::basic::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

fn non_empty(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}
