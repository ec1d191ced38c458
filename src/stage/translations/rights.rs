//! Collects the rights that a page states for its record: in its head, in its body where that is read anyway, and in the
//! template of its site.

use super::files::Pages;
use super::samples::Templates;
use crate::ndjson::Object;
use crate::page::{Head, PageReader};
use crate::record::{Rights, Scrape, has_rights, is_of_page};
use crate::report::Notes;
use crate::rights::{Listener, Markup, RawStatement, Where, beside, links_only_to, merge, settle};
use crate::urls::PageUrl;
use std::io::{self, Read};

/// Reads the statements on rights of pages.
pub(super) struct Reader<'o> {
    templates: &'o Templates,
    markup: Markup,
}

/// What is known about a page.
pub(super) struct Seen<'p> {
    pub(super) head: &'p Head,
    pub(super) url: Option<&'p PageUrl>,
    pub(super) scrape: &'p Scrape<'p>,
    /// Whether the whole page has been read.
    pub(super) is_whole: bool,
    /// Whether the content of the record is from the page.
    pub(super) is_from_page: bool,
    /// That content as HTML, if it has just been taken.
    pub(super) taken: Option<&'p str>,
}

impl<'o> Reader<'o> {
    pub(super) fn new(templates: &'o Templates) -> Self {
        Reader { templates, markup: Markup::default() }
    }

    /// A listener for a page whose content is searched for: it collects the statements in the same reading.
    pub(super) fn listener<'m>(&'m mut self, head: &'m Head, url: Option<&'m PageUrl>) -> Listener<'m> {
        self.markup.listener(url, head.title.as_deref())
    }

    /// Adds the statements of the page to the record, and counts their rules. `heard` has those of the whole page, if a listener has
    /// collected them.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub(super) fn read<R: Read>(
        &mut self,
        object: &mut Object<'_>,
        page: &mut PageReader<R>,
        seen: &Seen<'_>,
        heard: Option<Vec<RawStatement>>,
        pages: &mut Pages<'_>,
        notes: &mut Notes,
    ) -> io::Result<()> {
        let kind = object.text("kind").map(|kind| kind.to_string());
        if !kind.as_deref().is_some_and(has_rights) {
            return Ok(());
        }
        let json = object.get("rights").unwrap_or("[]").to_owned();
        let known: Vec<Rights<'_>> = serde_json::from_str(&json).unwrap_or_default();
        let mut found = settle(seen.head.rights.all(seen.url), seen.url);
        if !seen.scrape.sample.is_empty() {
            let slot = self.templates.learn_rights(seen.scrape, pages);
            found.extend(settle(slot.rights().iter().cloned(), seen.url));
        }
        let title = seen.head.title.as_deref();
        if seen.is_from_page {
            let before = if seen.taken.is_some() { None } else { object.text_in("content", "html") };
            let html = seen.taken.or(before.as_deref()).unwrap_or_default();
            found.extend(settle(self.markup.read(html, Where::Content, seen.url, title), seen.url));
        }
        if seen.is_whole {
            let all: Vec<Rights<'_>> = known.iter().chain(&found).cloned().collect();
            let markup = &mut self.markup;
            let of_page = match heard {
                Some(heard) => heard,
                None if is_of_page(kind.as_deref(), object.text_in("source", "via").as_deref()) => {
                    let body = page.body_start();
                    page.whole(|html| markup.read_from(html, body, Where::WholePage, seen.url, title))?
                }
                None => page.body(|html| {
                    let wide = all.iter().filter(|entry| matches!(entry.scope.as_deref(), Some("record" | "site")));
                    let urls: Vec<&str> = wide.filter_map(|entry| entry.url.as_deref()).collect();
                    let is_new = !links_only_to(html, &urls);
                    if is_new { markup.read(html, Where::Page, seen.url, title) } else { Vec::new() }
                })?,
            };
            found.extend(beside(settle(of_page, seen.url), &all));
        }
        self.markup.decided().for_each(|rule| notes.count_named("rules", rule.name()));
        if !found.is_empty() {
            let all = merge(known.into_iter().chain(found).collect());
            object.set_json("rights", &all);
        }
        Ok(())
    }
}
