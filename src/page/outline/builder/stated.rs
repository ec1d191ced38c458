//! Collects the statements of a page about itself: in its links and metas, and in the class of its body.

use super::super::description;
use super::Builder;
use crate::html::elements::Element;
use crate::html::names::Name;
use crate::html::tokenizer::Attributes;
use crate::page::head::in_place_of_body;
use crate::urls::bare_host;
use crate::wordpress::{BodyClass, number};

/// The most titles of a page that its texts are compared with.
pub(super) const MOST_STATED: usize = 8;

impl Builder<'_> {
    /// Records the statements of an element about the page.
    pub(super) fn state(&mut self, element: &Element<'_>, attributes: Attributes<'_, '_>) {
        if matches!(element.name, Name::LINK | Name::META) {
            self.host.add(attributes);
        }
        if std::mem::take(&mut self.lacks_class)
            && let Some(class) = in_place_of_body(element, attributes)
        {
            self.body(&class);
        }
        match element.name {
            Name::BODY => {
                self.lacks_class = attributes.raw("class").is_none_or(|class| class.trim_ascii().is_empty());
                self.body(attributes.raw("class").unwrap_or_default());
            }
            Name::META => {
                if self.outline.titles.len() < MOST_STATED {
                    self.outline.titles.extend(description::title(attributes));
                }
                self.outline.is_article |= says_article(attributes);
            }
            _ => {}
        }
    }

    /// Reads the class of the body (`get_body_class()`).
    fn body(&mut self, class: &str) {
        let body = BodyClass(class);
        self.outline.is_of_one_post |= body.is_singular();
        // SEO plugins state `article` for all pages
        self.outline.is_article &= !body.has(&["page"]);
        self.own = number(class, "postid-");
        self.outline.number = body.post_id();
        let numbers = class.split_ascii_whitespace().filter(|name| !name.starts_with("postid-"));
        self.templates = numbers.filter_map(|name| name.rsplit(['-', '_']).next()?.parse().ok()).collect();
        self.outline.is_page = number::<u64>(class, "page-id-").is_some();
        // the classes of bbPress
        self.is_topic = body.has(&["single-topic", "bbpress"]);
    }
}

/// The page's host, according to its links and metas.
#[derive(Default)]
pub(super) struct OwnHost {
    /// The host of the URL that it states as its own.
    stated: Option<String>,
    /// The host from which it loads WordPress' own files.
    files: Option<String>,
    /// The URL that it states as its own has no host: a mirror rewrote all links between its pages.
    is_relative: bool,
}

impl OwnHost {
    fn add(&mut self, attributes: Attributes<'_, '_>) {
        let states = |key: &str, of: &str| attributes.raw(key).is_some_and(|name| name.eq_ignore_ascii_case(of));
        let link = attributes.raw("href");
        let own = match states("rel", "canonical") {
            true => link,
            false if states("property", "og:url") => attributes.raw("content"),
            false => None,
        };
        if self.stated.is_none() {
            self.stated = own.and_then(host_of).map(str::to_owned);
            self.is_relative |= own.is_some_and(|url| !url.trim_ascii().is_empty());
        }
        if self.files.is_none() {
            self.files = link.filter(|url| is_of_wordpress(url)).and_then(host_of).map(str::to_owned);
        }
    }

    /// The page's own host; empty if links to the site have no host.
    pub(super) fn name(&self) -> Option<&str> {
        self.stated.as_deref().or(self.files.as_deref()).or(self.is_relative.then_some(""))
    }
}

/// Whether a URL is below one of WordPress' folders.
fn is_of_wordpress(url: &str) -> bool {
    ["/wp-content/", "/wp-includes/", "/wp-json/"].iter().any(|folder| url.contains(folder))
}

/// The host of a complete URL, without `www.`.
pub(super) fn host_of(url: &str) -> Option<&str> {
    let url = url.trim_ascii();
    let scheme = ["//", "https://", "http://"].iter().find(|web| begins(url, web))?;
    let rest = &url[scheme.len()..];
    let host = &rest[..rest.bytes().position(|byte| b"/?#:".contains(&byte)).unwrap_or(rest.len())];
    Some(bare_host(host)).filter(|host| !host.is_empty())
}

fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

fn says_article(meta: Attributes<'_, '_>) -> bool {
    meta.raw("property").is_some_and(|name| name.eq_ignore_ascii_case("og:type"))
        && meta.raw("content").is_some_and(|of| of.trim_ascii().eq_ignore_ascii_case("article"))
}
