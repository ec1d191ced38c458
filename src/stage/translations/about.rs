//! Finds the title, dates and author of a page without a record, in its head, its JSON-LD and its elements. This file decides which
//! texts are names of the site; all of the modules below need that.

mod byline;
mod dates;
mod days;
mod titles;

use super::Paper;
use super::schema::Schema;
use crate::html::Extractor;
use crate::page::title::{BY, LONGEST_NAME, separators};
use crate::page::{Head, PageStatements};
use crate::record::Scrape;
use crate::rule::Rule;
use crate::urls::{PageUrl, UrlKey, bare_host, is_address};
use std::cell::RefCell;

/// The statements of a page in its head, its elements and its JSON-LD.
pub(super) struct About<'p> {
    head: &'p Head,
    stated: &'p PageStatements,
    schema: &'p Schema,
    url: Option<&'p PageUrl>,
    /// The file of the page, and the name of the site as learnt from the titles of its pages.
    scrape: &'p Scrape<'p>,
    /// Whether WordPress made it, according to its head or the files named there.
    is_of_wordpress: bool,
    /// The letters of the site's names: those that the page states, and the one learnt from the titles.
    names: Vec<String>,
    /// The letters of the site's host.
    host: Option<String>,
    /// The rules that have decided so far.
    decided: RefCell<Vec<Rule>>,
}

impl<'p> About<'p> {
    pub(super) fn new(
        &Paper { head, url, scrape }: &Paper<'p>,
        stated: &'p PageStatements,
        schema: &'p Schema,
        is_of_wordpress: bool,
    ) -> Self {
        // WordPress writes `SITE » Feed`
        let feed = head.feed_title.as_deref().and_then(|title| title.split_once('»')).map(|(site, _)| site);
        let names = [head.site_name.as_deref(), schema.site.as_deref(), feed, scrape.site_name.as_deref()];
        let names = names.into_iter().flatten().filter(|name| name.len() <= LONGEST_NAME).map(letters).collect();
        let host = url.map(|url| letters(bare_host(url.host())));
        About { head, stated, schema, url, scrape, is_of_wordpress, names, host, decided: RefCell::default() }
    }

    /// Whether a text is the name of the site, or the beginning of its host.
    fn is_site(&self, text: &str) -> bool {
        if text.len() > LONGEST_NAME {
            return false;
        }
        let own = letters(text);
        let is_host = || self.host.as_ref().is_some_and(|host| own.len() >= SHORTEST_HOST && host.starts_with(&own));
        !own.is_empty() && (is_host() || self.names.contains(&own))
    }

    /// Whether a text is a stated or learnt name of the site, or its whole host.
    fn is_known_name(&self, text: &str) -> bool {
        let own = letters(text);
        !own.is_empty() && (self.names.contains(&own) || self.host.as_ref() == Some(&own))
    }

    /// A title without the name of the site before or after it. A topic may begin like the host: before a title, only known names are
    /// removed, if there is one.
    fn without_site<'t>(&self, title: &'t str) -> &'t str {
        let title = title.trim();
        let name = self.scrape.site_name.as_deref();
        let listed = name.and_then(|name| title.strip_suffix(name)?.trim_end().strip_suffix(','));
        if let Some(title) = listed.filter(|title| !title.is_empty()) {
            return title;
        }
        let parts = || {
            let parts = separators(title).map(|sign| (title[..sign.start].trim(), title[sign.end..].trim()));
            parts.filter(|(before, after)| !before.is_empty() && !after.is_empty())
        };
        let is_known = |part: &str| part.len() <= LONGEST_NAME && self.is_known_name(part);
        let known = parts().find_map(
            |(before, after)| {
                if is_known(after) { Some(before) } else { is_known(before).then_some(after) }
            },
        );
        let is_named = !self.names.is_empty();
        let by_host = || {
            parts().find_map(|(before, after)| {
                if self.is_site(after) { Some(before) } else { (!is_named && self.is_site(before)).then_some(after) }
            })
        };
        known.or_else(by_host).unwrap_or(title)
    }

    /// Notes that a rule has decided.
    fn decide(&self, rule: Rule) {
        self.decided.borrow_mut().push(rule);
    }

    /// The rules that have decided on title, dates and author.
    pub(super) fn decided(self) -> Vec<Rule> {
        self.decided.into_inner()
    }

    /// The section of the site that the page belongs to.
    pub(super) fn section(&self) -> Option<String> {
        self.head.section.clone().or_else(|| self.schema.section.clone())
    }

    /// The author of the page.
    pub(super) fn author(&self, extractor: &mut Extractor) -> Option<String> {
        let elements = self.stated.authors.iter().map(|html| extractor.text(html)).filter(|name| {
            // "View all posts by"
            name.split_whitespace().count() <= 4 && !is_sentence(name)
        });
        let elements: Vec<String> = elements.collect();
        let head = self.head.author.clone().filter(|name| !self.is_site(name));
        let schema = self.schema.author.clone().map(|name| (Rule::AuthorOfJsonLd, name));
        let elements = elements.into_iter().map(|name| (Rule::AuthorOfElement, name));
        let head = head.map(|name| (Rule::AuthorOfHead, name));
        let mut stated = schema.into_iter().chain(elements).chain(head);
        let stated = stated.find(|(rule, name)| rule.holds(is_name(name))).map(|(rule, name)| {
            self.decide(rule);
            // "Author: "
            let is_label = |by: &str| by.ends_with(':') || BY.contains(&by.to_lowercase().as_str());
            let by = name.split_once(' ').filter(|(by, _)| is_label(by));
            by.map_or(name.as_str(), |(_, name)| name).to_owned()
        });
        stated.or_else(|| self.author_in_words(extractor))
    }

    /// The author of a post, according to the words between title and text.
    fn author_in_words(&self, extractor: &mut Extractor) -> Option<String> {
        let is_page = || self.head.classes().has(&["page"]);
        let head = self.stated.head.as_ref().filter(|_| self.is_of_wordpress && self.is_post() && !is_page())?;
        let text = extractor.text(head);
        let name = text.lines().find_map(byline::author).filter(|name| is_name(name)).map(str::to_owned);
        name.filter(|_| Rule::AuthorInWords.is_on()).inspect(|_| self.decide(Rule::AuthorInWords))
    }
}

/// Whether a page is the front page, by its address or by the class that WordPress gives its body.
pub(super) fn is_front_page(head: &Head, url: Option<&PageUrl>) -> bool {
    let is_root = |url: &PageUrl| UrlKey::new(url.as_str()).is_some_and(|key| key.tail().is_empty());
    url.is_some_and(is_root) || head.classes().is_front_page()
}

/// The fewest letters of a host's beginning that may be a name.
const SHORTEST_HOST: usize = 4;

/// Whether a text can be a name: a single line, without an address.
fn is_name(text: &str) -> bool {
    let is_short = text.chars().count() <= 80 && !text.contains('\n');
    is_short && text.chars().any(char::is_alphabetic) && !text.contains('@') && !is_address(text)
}

fn is_sentence(text: &str) -> bool {
    let last = text.split_whitespace().next_back().unwrap_or_default();
    // a name may end with an initial
    text.ends_with([':', '»', '→']) || text.ends_with('.') && last.chars().count() > 3
}

/// A URL without the file at its end, its query and its scheme.
fn folder(url: &str) -> &str {
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.strip_suffix("index.html").unwrap_or(path)
}

/// The letters and digits of a text, in lower case.
pub(super) fn letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for c in text.chars() {
        // most are ASCII, for which Unicode's tables are slow
        match c.is_ascii() {
            true if c.is_ascii_alphanumeric() => letters.push(c.to_ascii_lowercase()),
            false if c.is_alphanumeric() => letters.extend(c.to_lowercase()),
            _ => {}
        }
    }
    letters
}
