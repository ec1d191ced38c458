//! Finds licences and copyright lines in HTML: links to licences and names of licences, with the text and the markup around them, which
//! show their subject.

mod block;
mod credit;
mod statements;
mod trigger;

use super::json_ld;
use super::licence;
use super::names as licences;
use super::places::{Inside, Known, Region, Where};
use super::sentence::{HEADING, LABEL, LINE, beginning, is_copyright, sentence};
use super::statement::{IMAGE, RECORD, RawStatement, SITE};
use super::subject::{Scopes, Surroundings, is_about_text, is_labelled, is_of_others};
use super::title::Titles;
use crate::html::elements::{Buffers, Element, ParseOptions, Sink, read};
use crate::html::names::{self, Name};
use crate::html::tokenizer::{Attributes, Nul, Text};
use crate::rule::Rule;
use crate::urls::{PageUrl, join};
use block::{Block, Link, is_marked, is_other};
use credit::{is_amid, is_before_author};
use statements::MarkupStatements;
use std::cell::OnceCell;
use std::ops::Range;
use trigger::{may_say, next_name, says_something};

/// Finds statements in one HTML text after another.
#[derive(Default)]
pub(crate) struct Markup {
    buffers: Buffers,
    memory: Memory,
}

/// Cached results: a site repeats the same statements on each page.
#[derive(Default)]
struct Memory {
    names: Known,
    scopes: Scopes,
    /// The rules that have decided since they were last taken.
    decided: Vec<Rule>,
}

impl Markup {
    /// The statements in HTML. `page` is its own URL, `title` its title, if known; a whole page contains its title.
    pub(crate) fn read(
        &mut self,
        html: &str,
        of: Where,
        page: Option<&PageUrl>,
        title: Option<&str>,
    ) -> Vec<RawStatement> {
        self.read_from(html, 0, of, page, title)
    }

    /// The statements in a page from its body on; the body's start tag is at `body`.
    pub(crate) fn read_from(
        &mut self,
        html: &str,
        body: usize,
        of: Where,
        page: Option<&PageUrl>,
        title: Option<&str>,
    ) -> Vec<RawStatement> {
        let mut listener = Listener::new(of, page, title, &mut self.memory);
        if listener.begin(html, body) {
            let reading = ParseOptions { plain: true, page: of.is_page(), ..ParseOptions::default() };
            read(html, reading, &mut self.buffers, &mut listener);
        }
        listener.finish().unwrap_or_default()
    }

    /// The rules that have decided since the last call.
    pub(crate) fn decided(&mut self) -> impl Iterator<Item = Rule> {
        self.memory.decided.drain(..)
    }

    /// A listener that finds the same statements while another module reads the page.
    pub(crate) fn listener<'p>(&'p mut self, page: Option<&'p PageUrl>, title: Option<&'p str>) -> Listener<'p> {
        Listener::new(Where::WholePage, page, title, &mut self.memory)
    }
}

/// Receives the events of an HTML text, and uses those from its body on.
pub(crate) struct Listener<'p> {
    of: Where,
    page: Option<&'p PageUrl>,
    title: Option<&'p str>,
    /// The position of the body's start tag, once it is known.
    body: Option<usize>,
    has_begun: bool,
    titles: Titles,
    found: MarkupStatements,
    inside: Inside,
    block: Block,
    /// The statements in JSON-LD.
    nodes: Vec<json_ld::Said>,
    /// The licence of a badge without other text: the next sentence may show its subject.
    badge: Option<String>,
    after_image: bool,
    /// The last heading, or a line that introduces others as a heading does.
    heading: String,
    /// Whether that heading is about images or about works of others; computed when a licence is found.
    is_below_credits: OnceCell<bool>,
    json: bool,
    scratch: String,
    memory: &'p mut Memory,
}

impl<'a> Sink<'a> for Listener<'_> {
    fn open(&mut self, element: &Element<'a>, tag: Attributes<'_, 'a>, depth: usize, at: Range<usize>) {
        self.has_begun |= self.body.is_some_and(|body| at.start >= body);
        if !self.has_begun {
            return;
        }
        if is_block(element.name) {
            self.flush();
        }
        if let Some(part) = self.part(element.name, tag) {
            if part == Region::Article && !self.inside.is_of_others() {
                self.found.open_article(depth);
            }
            self.inside.open(part, depth);
        }
        self.block.see_rdfa(tag);
        match element.name {
            Name::BR => self.block.text.push('\n'),
            Name::A | Name::AREA => {
                let page = self.page;
                self.block.open_link(tag, depth, element.name == Name::AREA, |href| is_other(page, href));
            }
            Name::IMG => self.block.see_image(tag),
            Name::LINK | Name::META => self.see_hidden(tag),
            Name::SCRIPT => self.json = tag.raw("type").is_some_and(|kind| kind.contains("ld+json")),
            _ => {}
        }
    }

    fn close(&mut self, element: &Element<'a>, depth: usize, _: Range<usize>) {
        if !self.has_begun {
            return;
        }
        if element.name == Name::A {
            self.block.close_link(depth);
        }
        if is_block(element.name) {
            self.flush();
        }
        self.inside.close(depth);
        self.found.close(depth);
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        if !self.has_begun {
            return;
        }
        if inside.name == Name::SCRIPT {
            if self.json && self.of.is_page() && !self.inside.is_in(Region::Unseen) {
                self.nodes.extend(json_ld::read(text.raw));
            }
            return;
        }
        let is_title = inside.name == Name::TITLE && self.of.is_page() && !inside.foreign;
        if (inside.name.is(names::NOT_TEXT) || inside.foreign) && !is_title {
            return;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let decoded = text.decode(&mut scratch, Nul::Drop);
        if is_title {
            self.titles.add(decoded);
        } else {
            self.found.see_text(decoded.len());
            self.block.see_text(decoded);
        }
        self.scratch = scratch;
    }
}

/// A sentence with at most this many bytes is only a name.
const NAME: usize = 24;

fn is_block(name: Name) -> bool {
    name.is(names::BLOCK | names::CELL) || matches!(name, Name::TR | Name::BODY | Name::TEMPLATE | Name::NOSCRIPT)
}

impl<'p> Listener<'p> {
    fn new(of: Where, page: Option<&'p PageUrl>, title: Option<&'p str>, memory: &'p mut Memory) -> Self {
        Listener {
            of,
            page,
            title,
            body: None,
            has_begun: false,
            titles: Titles::default(),
            found: MarkupStatements::default(),
            inside: Inside::default(),
            block: Block::default(),
            nodes: Vec::new(),
            badge: None,
            after_image: false,
            heading: String::new(),
            is_below_credits: OnceCell::new(),
            json: false,
            scratch: String::new(),
            memory,
        }
    }

    /// Prepares for a text whose body's start tag is at `body`. Returns whether it may contain statements.
    pub(crate) fn begin(&mut self, html: &str, body: usize) -> bool {
        (self.body, self.has_begun) = (Some(body), body == 0);
        let may_say = may_say(html.get(body..).unwrap_or(html));
        if may_say {
            self.titles = Titles::of(self.page);
            self.title.into_iter().for_each(|title| self.titles.add(title));
        }
        may_say
    }

    fn is_in(&self, part: Region) -> bool {
        self.inside.is_in(part)
    }

    fn part(&mut self, name: Name, tag: Attributes<'_, '_>) -> Option<Region> {
        let part = Region::of(name, tag, self.of.is_page(), self.inside.is_in(Region::Article), &mut self.memory.names);
        part.or_else(|| tag.raw("about").is_some_and(|about| is_other(self.page, about)).then_some(Region::Other))
    }

    fn is_of_program(&self, href: &str) -> bool {
        join(self.page, href).is_some_and(|url| licence::is_of_program(&url))
    }

    /// Handles microdata and RDFa that are not displayed.
    fn see_hidden(&mut self, tag: Attributes<'_, '_>) {
        if let Some(href) = tag.get("href").or_else(|| tag.get("content"))
            && is_marked(tag)
            && !self.inside.is_of_others()
            && !self.is_of_program(&href)
        {
            let scope = if self.is_in(Region::Figure) { IMAGE } else { RECORD };
            self.push(Some(RawStatement::licence(self.of.place(), scope, None, Some(&href))));
        }
    }

    /// Ends a block at the boundary of an element, and evaluates it.
    fn flush(&mut self) {
        self.block.end_link();
        let is_empty = self.block.text.trim().is_empty();
        if !is_empty || !self.block.links.is_empty() {
            self.see_block();
        }
        if !is_empty || self.block.has_image {
            self.after_image = self.block.has_image && is_empty;
        }
        self.block.clear();
    }

    fn see_block(&mut self) {
        let text = std::mem::take(&mut self.block.text);
        let line = text.trim();
        let is_heading = self.is_in(Region::Heading);
        if is_heading || line.ends_with(':') && line.chars().count() <= HEADING && self.block.links.is_empty() {
            line.clone_into(&mut self.heading);
            self.is_below_credits.take();
        }
        if !self.inside.is_of_others() && !is_heading {
            for at in 0..self.block.links.len() {
                self.see_licence(&text, at);
            }
            if says_something(&text, &mut self.scratch) {
                if !self.block.links.iter().any(|link| link.is_licence) {
                    self.see_named(line);
                }
                if self.of != Where::Page {
                    self.see_copyright(line);
                }
            }
        }
        self.block.text = text;
    }

    fn see_licence(&mut self, text: &str, at: usize) {
        let link = &self.block.links[at];
        if !link.is_licence {
            return;
        }
        // other links beside a known licence describe that licence
        let is_known = licence::by_url(&link.href).is_some();
        let links = &self.block.links;
        if !is_known && links.iter().any(|other| other.is_licence && licence::by_url(&other.href).is_some()) {
            return;
        }
        let sentence = sentence(text, &link.place);
        let start = beginning(text, link.place.start);
        let is_before = |other: &Link| other.place.start >= start && other.place.end <= link.place.start;
        let follows_link = links[..at].iter().any(|other| other.is_foreign && is_before(other));
        let is_marked = link.is_marked || link.has_image && text[link.place.clone()].trim().is_empty();
        let is_at_edge = self.is_in(Region::Edge);
        let said = &text[sentence.clone()];
        let within = |at: usize| at.clamp(sentence.start, sentence.end) - sentence.start;
        let end = within(link.place.end);
        // a badge comes before its sentence
        let is_badge = text[link.place.clone()].trim().is_empty();
        let before = if is_badge { said } else { &said[..within(link.place.start)] };
        let follows_image = (link.follows_image || self.after_image) && !link.has_image && !is_at_edge;
        let is_credited = is_before_author(before, &said[end..]) && !is_about_text(said, end);
        let around = Surroundings {
            is_marked,
            // a footer has links of all kinds
            follows_link: follows_link && !(is_marked && is_at_edge),
            follows_image,
            is_of_program: !is_known && self.is_of_program(&link.href),
            is_of_another: !is_at_edge && (is_credited || self.titles.are_others(before)),
            ..self.around(text, &sentence)
        };
        let is_footer_badge = link.is_badge && is_at_edge;
        let href = link.href.clone();
        let scopes = &mut self.memory.scopes;
        let (rule, said_of) = scopes.of(said, end, around);
        let found = said_of.filter(|_| !self.block.is_of_other);
        let unmoved = Surroundings { follows_image: false, ..around };
        let by_words = if follows_image { scopes.of(said, end, unmoved).1 } else { said_of };
        self.memory.decided.extend(rule);
        let scope = if is_footer_badge && !self.of.is_of_file() { found } else { self.scope_of(found) };
        if !is_at_edge && !self.is_in(Region::Figure) && by_words != Some(IMAGE) {
            self.found.see_linked(&href);
        }
        let is_of_another = around.is_of_another || scope == Some(IMAGE);
        if self.badge.take().is_some_and(|badge| badge == href) && is_of_another {
            self.found.retract();
        }
        let is_text = matches!(scope, Some(RECORD | SITE));
        self.badge = (is_text && said.trim().is_empty()).then(|| href.clone());
        self.push(scope.map(|scope| RawStatement::licence(self.of.place(), scope, None, Some(&href))));
    }

    /// The surroundings of a sentence in a text.
    fn around(&self, text: &str, sentence: &Range<usize>) -> Surroundings {
        let is_at_edge = self.is_in(Region::Edge);
        Surroundings {
            is_asked: text[sentence.end..].starts_with(['?', '？']),
            is_amid: is_amid(text, sentence),
            is_of_page: self.block.is_of_page,
            follows_image: self.after_image && !is_at_edge,
            is_listed: self.is_in(Region::Item),
            is_below_credits: !is_at_edge && *self.is_below_credits.get_or_init(|| is_of_others(&self.heading)),
            is_at_edge,
            ..Surroundings::default()
        }
    }

    /// The licence in a figure is that of an image; a licence in the description of a file is that of the file.
    fn scope_of(&self, found: Option<&'static str>) -> Option<&'static str> {
        if self.of.is_of_file() {
            return Some(RECORD);
        }
        if self.is_in(Region::Figure) || self.block.is_of_image {
            return Some(IMAGE);
        }
        found
    }

    /// Finds licences that are named without a link.
    fn see_named(&mut self, line: &str) {
        let is_label = line.chars().count() <= LABEL;
        let mut at = 0;
        while let Some(place) = next_name(line, at) {
            let sentence = sentence(line, &(place..place));
            let end = sentence.end.max(place + 3).min(line.len());
            let around = self.around(line, &sentence);
            // "© 2024 Ann. CC BY"
            let is_name = sentence.len() <= NAME && is_label;
            self.see_name(if is_name { line } else { &line[sentence] }, around);
            at = (end..=line.len()).find(|&at| line.is_char_boundary(at)).unwrap_or(line.len());
        }
    }

    /// Examines a sentence that may name a licence without a link.
    fn see_name(&mut self, said: &str, around: Surroundings) {
        let Some(name) = licences::find(said) else { return };
        let value = name.id.map_or(name.code, str::to_owned);
        let is_label = around.is_at_edge || is_about_text(said, name.end) || is_labelled(&said[..name.start]);
        let is_short = said.chars().count() <= LINE;
        let (rule, found) = if is_short { self.memory.scopes.of(said, name.end, around) } else { (None, None) };
        self.memory.decided.extend(rule);
        let scope = self.scope_of(found.filter(|scope| is_label || *scope != RECORD));
        if !self.is_in(Region::Edge) && scope != Some(IMAGE) {
            self.found.see_named(&value);
        }
        self.push(scope.map(|scope| RawStatement::licence(self.of.place(), scope, Some(&value), None)));
    }

    fn see_copyright(&mut self, line: &str) {
        if line.is_empty() || line.chars().count() > LINE || !is_copyright(line, self.of.is_page()) {
            return;
        }
        let scope = match () {
            () if self.of.is_of_file() => RECORD,
            () if self.is_in(Region::Figure) => IMAGE,
            () if self.is_in(Region::Edge) => SITE,
            () => RECORD,
        };
        self.push(Some(RawStatement::copyright(self.of.place(), scope, line)));
    }

    fn push(&mut self, stated: Option<RawStatement>) {
        self.found.push(stated, self.inside.is_in(Region::Edge));
    }

    /// The statements found; `None` if nothing was read.
    pub(crate) fn finish(mut self) -> Option<Vec<RawStatement>> {
        self.body?;
        self.flush();
        let mut all = self.found.finish(self.of.is_of_file(), &mut self.memory.decided);
        all.extend(json_ld::of_page(&self.nodes, self.page).cloned());
        Some(all)
    }
}

#[cfg(test)]
mod tests;
