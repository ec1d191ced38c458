//! Reads HTML for licences and copyright lines: links to licences, and the text and the markup around them, which show their
//! subject.

use super::json_ld;
use super::licence;
use super::places::Part;
use super::sentence::{HEADING, LINE, is_copyright, sentence};
use super::statement::{CAPTION, CONTENT, IMAGE, LICENCE, PAGE, RECORD, SITE, Stated};
use super::subject::{Surroundings, is_of_others, scope};
use crate::html::elements::{Buffers, Element, Reading, Sink, read};
use crate::html::names::{self, Name};
use crate::html::tokenizer::{Attributes, Nul, Text};
use crate::urls::{PageUrl, join};
use aho_corasick::packed::{self, MatchKind, Searcher};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// What the HTML is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    /// The content of a post.
    Content,
    /// The description of a file.
    Description,
    /// The caption of a file.
    Caption,
    /// A page, of which licences are wanted.
    Page,
    /// A page, of which copyright lines are wanted as well.
    WholePage,
}

impl Where {
    fn place(self) -> &'static str {
        match self {
            Where::Content | Where::Description => CONTENT,
            Where::Caption => CAPTION,
            Where::Page | Where::WholePage => PAGE,
        }
    }

    fn is_page(self) -> bool {
        matches!(self, Where::Page | Where::WholePage)
    }

    fn is_of_file(self) -> bool {
        matches!(self, Where::Description | Where::Caption)
    }
}

/// Reads HTML again and again.
#[derive(Default)]
pub(crate) struct Markup {
    buffers: Buffers,
}

/// Different licences of a text that is about licences.
const SEVERAL: usize = 3;

impl Markup {
    /// What HTML says. `page` is its own URL.
    pub(crate) fn read(&mut self, html: &str, of: Where, page: Option<&PageUrl>) -> Vec<Stated> {
        if !may_say(html) {
            return Vec::new();
        }
        let mut reader = Reader::new(of, page);
        let reading = Reading { plain: true, page: of.is_page(), ..Reading::default() };
        read(html, reading, &mut self.buffers, &mut reader);
        reader.flush();
        reader.finish()
    }
}

/// Texts without one of which HTML says nothing: most contents have none.
const WORDS: [&str; 16] = [
    "icens",
    "ICENS",
    "icenc",
    "izenz",
    "reative Commons",
    "reativecommons",
    "cc:",
    "CC ",
    "CC-",
    "CC0",
    "opyright",
    "OPYRIGHT",
    "©",
    "&copy",
    "&#169",
    "eserved",
];

/// Finds them in one pass; none where the machine has no vectors.
static SEARCHER: LazyLock<Option<Searcher>> =
    LazyLock::new(|| packed::Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(WORDS).build());

fn may_say(html: &str) -> bool {
    match &*SEARCHER {
        Some(searcher) => searcher.find(html.as_bytes()).is_some(),
        None => WORDS.iter().any(|word| html.contains(word)),
    }
}

/// A link in a block.
struct Link {
    place: Range<usize>,
    href: String,
    depth: usize,
    /// Its licence, if it is that of one.
    is_licence: bool,
    is_marked: bool,
    /// It shows an image: a badge, if it shows nothing else.
    has_image: bool,
    /// It leads to another site.
    is_foreign: bool,
    follows_image: bool,
}

struct Reader<'p> {
    of: Where,
    page: Option<&'p PageUrl>,
    /// What was found, and whether at the edge of a page.
    found: Vec<(Stated, bool)>,
    /// Those that are neither at an edge nor of images.
    licences: BTreeSet<String>,
    /// Names of licences without a link, likewise.
    named: BTreeSet<String>,
    parts: Vec<(usize, Part)>,
    /// How many of each are open.
    inside: [u16; Part::COUNT],
    /// The text of the block so far, and its links.
    text: String,
    links: Vec<Link>,
    /// How many of them are open.
    open: Option<usize>,
    has_image: bool,
    /// RDFa in the block says that it is about a page, or about a thing of another kind.
    is_of_page: bool,
    is_of_image: bool,
    is_of_other: bool,
    after_image: bool,
    is_below_credits: bool,
    json: bool,
    scratch: String,
}

impl<'a> Sink<'a> for Reader<'_> {
    fn open(&mut self, element: &Element<'a>, tag: Attributes<'_, 'a>, depth: usize, _: Range<usize>) {
        if is_block(element.name) {
            self.flush();
        }
        if let Some(part) = self.part(element.name, tag) {
            self.parts.push((depth, part));
            self.inside[part as usize] += 1;
        }
        self.see_rdfa(tag);
        match element.name {
            Name::BR => self.text.push('\n'),
            Name::A | Name::AREA => self.open_link(tag, depth, element.name == Name::AREA),
            Name::IMG => self.see_image(tag),
            Name::LINK | Name::META => self.see_hidden(tag),
            Name::SCRIPT => self.json = tag.raw("type").is_some_and(|kind| kind.contains("ld+json")),
            _ => {}
        }
    }

    fn close(&mut self, element: &Element<'a>, depth: usize, _: Range<usize>) {
        if element.name == Name::A
            && let Some(at) = self.open.filter(|&at| self.links[at].depth == depth)
        {
            self.links[at].place.end = self.text.len();
            self.open = None;
        }
        if is_block(element.name) {
            self.flush();
        }
        while let Some((_, part)) = self.parts.pop_if(|(at, _)| *at >= depth) {
            self.inside[part as usize] -= 1;
        }
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        if inside.name == Name::SCRIPT {
            if self.json && self.of.is_page() {
                json_ld::read(text.raw).into_iter().for_each(|stated| self.push(Some(stated)));
            }
            return;
        }
        if inside.name.is(names::NOT_TEXT) {
            return;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let decoded = text.decode(&mut scratch, Nul::Drop);
        if self.text.len() < MOST_TEXT {
            self.text.extend(decoded.chars().map(|c| if c.is_whitespace() { ' ' } else { c }));
        }
        self.scratch = scratch;
    }
}

/// Links of a block, and statements of a text, that are looked at: beyond that nobody means them.
const MOST_LINKS: usize = 100;
const MOST: usize = 200;

/// Bytes of a block that are read.
const MOST_TEXT: usize = 64 * 1024;

fn is_block(name: Name) -> bool {
    name.is(names::BLOCK | names::CELL) || name == Name::TR || name == Name::BODY
}

impl<'p> Reader<'p> {
    fn new(of: Where, page: Option<&'p PageUrl>) -> Self {
        Reader {
            of,
            page,
            found: Vec::new(),
            licences: BTreeSet::new(),
            named: BTreeSet::new(),
            parts: Vec::new(),
            inside: [0; Part::COUNT],
            text: String::new(),
            links: Vec::new(),
            open: None,
            has_image: false,
            is_of_page: false,
            is_of_image: false,
            is_of_other: false,
            after_image: false,
            is_below_credits: false,
            json: false,
            scratch: String::new(),
        }
    }

    fn is_in(&self, part: Part) -> bool {
        self.inside[part as usize] > 0
    }

    fn part(&self, name: Name, tag: Attributes<'_, '_>) -> Option<Part> {
        let part = Part::of(name, tag, self.of.is_page(), self.is_in(Part::Article));
        part.or_else(|| tag.raw("about").is_some_and(|about| self.is_other(about)).then_some(Part::Other))
    }

    /// Whether an address is that of something else than the page or its site.
    fn is_other(&self, address: &str) -> bool {
        let is_relative = !address.contains("://") && !address.starts_with("//");
        !is_relative && !self.is_own(address)
    }

    fn is_own(&self, address: &str) -> bool {
        let host = |url: &str| PageUrl::parse(url).map(|url| url.host().to_owned());
        let url = join(self.page, address);
        let own = self.page.map(PageUrl::host);
        own.is_some() && url.as_deref().and_then(host).as_deref() == own
    }

    fn see_rdfa(&mut self, tag: Attributes<'_, '_>) {
        if !tag.any_begins("property") && !tag.any_begins("rel") {
            return;
        }
        let has = |key: &str, word: &str| tag.raw(key).is_some_and(|value| value.contains(word));
        self.is_of_page |=
            has("property", ":title") || has("property", "attributionName") || has("rel", "attributionURL");
        if has("rel", ":type") {
            let kind = tag.raw("href").unwrap_or_default();
            self.is_of_image |= kind.ends_with("StillImage");
            self.is_of_other |= ["Sound", "MovingImage", "Dataset", "Software"].iter().any(|end| kind.ends_with(end));
        }
    }

    fn open_link(&mut self, tag: Attributes<'_, '_>, depth: usize, is_area: bool) {
        let Some(href) = tag.get("href") else { return };
        if let Some(at) = self.open.take() {
            self.links[at].place.end = self.text.len();
        }
        let is_marked = is_marked(tag);
        let is_licence =
            is_marked && is_followed(&href) || licence::by_url(&href).is_some() && !licence::is_image(&href);
        let is_foreign = !is_licence && self.is_other(&href) && !tag.raw("rel").is_some_and(|rel| rel.contains("cc:"));
        if (is_licence || is_foreign) && self.links.len() < MOST_LINKS {
            let at = self.text.len();
            let follows_image = self.has_image;
            self.links.push(Link {
                place: at..at,
                href: href.into_owned(),
                depth,
                is_licence,
                is_marked,
                has_image: false,
                is_foreign,
                follows_image,
            });
            self.open = (!is_area).then_some(self.links.len() - 1);
        }
    }

    fn see_image(&mut self, tag: Attributes<'_, '_>) {
        let is_badge = |text: &str| {
            ["creativecommons", "licensebuttons", "cc-by", "Creative Commons", "88x31"]
                .iter()
                .any(|mark| text.contains(mark))
        };
        let names = [tag.get("src"), tag.get("data-src"), tag.get("alt")];
        match self.open.map(|at| &mut self.links[at]).filter(|link| link.is_licence) {
            Some(link) => {
                link.has_image = true;
                link.is_marked |= names.iter().flatten().any(|text| is_badge(text));
            }
            None => self.has_image = true,
        }
    }

    /// Microdata and RDFa that readers do not see.
    fn see_hidden(&mut self, tag: Attributes<'_, '_>) {
        let is_own = !self.is_in(Part::Quote) && !self.is_in(Part::Comments) && !self.is_in(Part::Other);
        if let Some(href) = tag.get("href").or_else(|| tag.get("content"))
            && is_marked(tag)
            && is_own
        {
            let scope = if self.is_in(Part::Figure) { IMAGE } else { RECORD };
            self.push(Some(Stated::licence(self.of.place(), scope, None, Some(&href))));
        }
    }

    /// A block has ended: what it says.
    fn flush(&mut self) {
        if let Some(at) = self.open.take() {
            self.links[at].place.end = self.text.len();
        }
        let is_empty = self.text.trim().is_empty();
        if !is_empty || !self.links.is_empty() {
            self.see_block();
        }
        if !is_empty || self.has_image {
            self.after_image = self.has_image && is_empty;
        }
        self.text.clear();
        self.links.clear();
        (self.has_image, self.is_of_page, self.is_of_image, self.is_of_other) = Default::default();
    }

    fn see_block(&mut self) {
        let text = std::mem::take(&mut self.text);
        let line = text.trim();
        let is_heading = self.is_in(Part::Heading);
        if is_heading || line.ends_with(':') && line.chars().count() <= HEADING && self.links.is_empty() {
            self.is_below_credits = is_of_others(line);
        }
        let is_of_others =
            [Part::Quote, Part::Comments, Part::Other, Part::Unseen].iter().any(|part| self.is_in(*part));
        if !is_of_others && !is_heading {
            for at in 0..self.links.len() {
                self.see_licence(&text, at);
            }
            if !self.links.iter().any(|link| link.is_licence) {
                self.see_named(line);
            }
            if self.of != Where::Page {
                self.see_copyright(line);
            }
        }
        self.text = text;
    }

    fn see_licence(&mut self, text: &str, at: usize) {
        let link = &self.links[at];
        if !link.is_licence {
            return;
        }
        // what is beside a licence that is known describes that one
        let is_known = licence::by_url(&link.href).is_some();
        if !is_known && self.links.iter().any(|other| other.is_licence && licence::by_url(&other.href).is_some()) {
            return;
        }
        let sentence = sentence(text, &link.place);
        let follows_link = self.links[..at].iter().any(|other| {
            other.is_foreign && other.place.start >= sentence.start && other.place.end <= link.place.start
        });
        let is_marked = link.is_marked || link.has_image && text[link.place.clone()].trim().is_empty();
        let is_at_edge = self.is_in(Part::Edge);
        let around = Surroundings {
            is_marked,
            // a footer has links of all kinds
            follows_link: follows_link && !(is_marked && is_at_edge),
            follows_image: (link.follows_image || self.after_image) && !link.has_image && !is_at_edge,
            ..self.around()
        };
        let href = link.href.clone();
        let end = link.place.end.clamp(sentence.start, sentence.end) - sentence.start;
        let found = if self.is_of_other { None } else { scope(&text[sentence], end, around) };
        let scope = self.scope_of(found);
        if !is_at_edge && scope != Some(IMAGE) {
            self.licences.insert(href.clone());
        }
        self.push(scope.map(|scope| Stated::licence(self.of.place(), scope, None, Some(&href))));
    }

    fn around(&self) -> Surroundings {
        Surroundings {
            is_of_page: self.is_of_page,
            follows_image: self.after_image && !self.is_in(Part::Edge),
            is_listed: self.is_in(Part::Item),
            is_below_credits: self.is_below_credits && !self.is_in(Part::Edge),
            is_at_edge: self.is_in(Part::Edge),
            ..Surroundings::default()
        }
    }

    /// A figure is an image; what is said of a file is about the file.
    fn scope_of(&self, found: Option<&'static str>) -> Option<&'static str> {
        if self.of.is_of_file() {
            return Some(RECORD);
        }
        if self.is_in(Part::Figure) || self.is_of_image {
            return Some(IMAGE);
        }
        found
    }

    /// A licence that is named without a link.
    fn see_named(&mut self, line: &str) {
        let mut at = 0;
        while let Some(place) =
            ["Creative Commons", "CC BY", "CC-BY", "CC0"].iter().filter_map(|name| line[at..].find(name)).min()
        {
            let sentence = sentence(line, &(at + place..at + place));
            let end = sentence.end.max(at + place + 3).min(line.len());
            let said = &line[sentence];
            if let Some(name) = licence::name_in(said) {
                let found = scope(said, said.len(), self.around()).filter(|_| said.len() <= LINE);
                let scope = self.scope_of(found);
                if !self.is_in(Part::Edge) && scope != Some(IMAGE) {
                    self.named.insert(name.clone());
                }
                self.push(scope.map(|scope| Stated::licence(self.of.place(), scope, Some(&name), None)));
            }
            at = (end..=line.len()).find(|&at| line.is_char_boundary(at)).unwrap_or(line.len());
        }
    }

    fn see_copyright(&mut self, line: &str) {
        if line.is_empty() || line.chars().count() > LINE || !is_copyright(line, self.of.is_page()) {
            return;
        }
        let scope = match () {
            () if self.of.is_of_file() => RECORD,
            () if self.is_in(Part::Figure) => IMAGE,
            () if self.is_in(Part::Edge) => SITE,
            () => RECORD,
        };
        self.push(Some(Stated::copyright(self.of.place(), scope, line)));
    }

    fn push(&mut self, stated: Option<Stated>) {
        let is_at_edge = self.is_in(Part::Edge);
        if self.found.len() < MOST {
            self.found.extend(stated.map(|stated| (stated, is_at_edge)));
        }
    }

    /// A text that is about licences has none of them.
    fn finish(mut self) -> Vec<Stated> {
        if self.licences.len().max(self.named.len()) >= SEVERAL && !self.of.is_of_file() {
            self.found.retain(|(stated, is_at_edge)| stated.kind != LICENCE || stated.scope == IMAGE || *is_at_edge);
        }
        self.found.into_iter().map(|(stated, _)| stated).collect()
    }
}

/// Whether a link is one to follow.
fn is_followed(href: &str) -> bool {
    !href.trim().is_empty() && !href.trim_start().starts_with(['#'])
}

/// Whether markup says that a link is that of a licence: rel, RDFa, microdata.
fn is_marked(tag: Attributes<'_, '_>) -> bool {
    let is_licence = |word: &str| {
        let name = word.rsplit([':', '/', '#']).next().unwrap_or_default();
        ["license", "licence"].iter().any(|own| name.eq_ignore_ascii_case(own))
    };
    let has = |key: &str| tag.raw(key).is_some_and(|value| value.split_ascii_whitespace().any(is_licence));
    has("rel") || has("property") || has("itemprop")
}

#[cfg(test)]
mod tests;
