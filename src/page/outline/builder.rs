//! Builds the outline of a page while it is read.

mod stated;

use self::stated::{MOST_STATED, OwnHost, host_of};
use super::{ElementOrRun, MEDIA, Node, Outline, Piece, SHORT};
use crate::boilerplate::{Boilerplate, Marks, Memory};
use crate::html::elements::{Element, Sink};
use crate::html::names::{self, Name};
use crate::html::tokenizer::{Attributes, Nul, Text};
use crate::page::punctuation::count;
use crate::wordpress::number;
use std::ops::Range;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// A run with at least this many letters, in a script without punctuation, is taken for a sentence.
const LINE: usize = 40;

/// How many bytes at the beginning of a longer run identify it, together with the number of its letters.
const BEGINNING: usize = 256;

/// A page has at most this many nodes, and one more for each [`BYTES`] of it; the elements beyond have no nodes of their own. A node has
/// 48 bytes, and what [`crate::page::choice`] stores about it no more than 72.
const FREE: usize = 1 << 18;
const BYTES: usize = 24;

/// The most scripts of JSON-LD that are read.
const MOST_SCRIPTS: usize = 20;

/// Memory that is reused for the outline of the next page.
#[derive(Default)]
pub(in crate::page) struct Buffer {
    names: Memory,
    nodes: Vec<Node>,
    words: String,
    /// The texts of the current page, if they are wanted.
    pub pieces: Option<Vec<Piece>>,
}

/// The most nodes whose memory is kept for the next page, with eight bytes of words for each.
const MOST_KEPT: usize = 4096;

impl Buffer {
    /// Takes back the memory of an unused outline.
    pub(in crate::page) fn take_back(&mut self, outline: Outline) {
        let Outline { mut nodes, mut words, .. } = outline;
        if nodes.capacity() <= MOST_KEPT {
            nodes.clear();
            self.nodes = nodes;
        }
        if words.capacity() <= MOST_KEPT * 8 {
            words.clear();
            self.words = words;
        }
    }
}

pub(in crate::page) struct Builder<'m> {
    outline: Outline,
    /// The open nodes and their depths.
    open: Vec<(usize, usize)>,
    run: Option<usize>,
    /// The end of the last tag that begins or ends a node.
    boundary: usize,
    link: Option<Link>,
    /// The host of the page, according to its head.
    host: OwnHost,
    /// The number of the page's post, according to the class of the body.
    own: Option<u64>,
    /// Other numbers in the class of the body: a theme's template is a post with such a number (`tdb_template_9`).
    templates: Vec<u64>,
    /// The body has no class attribute: that of its first element may replace it.
    lacks_class: bool,
    /// The page's post is the topic of a forum, whose replies are posts on its page.
    is_topic: bool,
    /// The depth of the open element whose text is not visible.
    left: Option<usize>,
    /// The depth of the open element with preformatted text.
    code: Option<usize>,
    /// The last script is JSON-LD.
    json_ld: bool,
    /// Whether text that a style hides counts, too.
    shows_all: bool,
    scratch: String,
    memory: &'m mut Memory,
    boilerplate: &'static Boilerplate,
    pieces: Option<&'m mut Vec<Piece>>,
}

/// An open link: its depth, whether it leads to another host, and whether to a tag, a category, or the previous or next post.
#[derive(Clone, Copy)]
struct Link {
    depth: usize,
    is_away: bool,
    is_tag: bool,
}

impl<'m> Builder<'m> {
    pub(in crate::page) fn new(buffer: &'m mut Buffer) -> Self {
        let (nodes, words) = (std::mem::take(&mut buffer.nodes), std::mem::take(&mut buffer.words));
        let mut builder = Builder {
            outline: Outline { nodes, words, ..Outline::default() },
            open: Vec::new(),
            run: None,
            boundary: 0,
            link: None,
            host: OwnHost::default(),
            own: None,
            templates: Vec::new(),
            lacks_class: false,
            is_topic: false,
            left: None,
            code: None,
            json_ld: false,
            shows_all: false,
            scratch: String::new(),
            memory: &mut buffer.names,
            boilerplate: Boilerplate::builtin(),
            pieces: buffer.pieces.as_mut(),
        };
        if let Some(pieces) = &mut builder.pieces {
            pieces.clear();
        }
        builder.push(
            names::OTHER,
            0..0,
            ElementOrRun::Element { titles: 0, media: 0, marks: Marks::default(), inner: [0; 2] },
        );
        builder.open.push((0, 0));
        builder
    }

    /// Makes the builder count hidden text, too: for a page that shows nothing before its scripts run.
    pub(in crate::page) fn showing_all(self) -> Self {
        Builder { shows_all: true, ..self }
    }

    /// The outline of the page, which is `length` bytes long.
    pub(in crate::page) fn finish(mut self, length: usize) -> Outline {
        self.close_from(0, length..length);
        self.outline.sum();
        self.outline
    }

    fn push(&mut self, name: Name, tag: Range<usize>, kind: ElementOrRun) -> usize {
        let at = self.outline.nodes.len();
        let parent = self.open.last().map_or(at, |(parent, _)| *parent);
        self.outline.nodes.push(Node {
            name,
            is_of_site: false,
            is_title: false,
            is_of_post: false,
            parent: parent as u32,
            next: at as u32 + 1,
            start: tag.start as u32,
            end: tag.end as u32,
            letters: 0,
            linked: 0,
            away: 0,
            kind,
        });
        at
    }

    /// Begins a link, unless it is inside another one.
    fn see_link(&mut self, element: &Element<'_>, attributes: Attributes<'_, '_>, depth: usize) {
        let is_link = || !attributes.raw("href").is_some_and(|href| is_contact(href) || is_switch(href, attributes));
        if element.name == Name::A && self.link.is_none() && is_link() {
            let host = attributes.raw("href").and_then(host_of);
            let is_away = host.zip(self.host.name()).is_some_and(|(host, own)| !host.eq_ignore_ascii_case(own));
            let rel = attributes.raw("rel").unwrap_or_default();
            let is_said = |of: &&str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(of));
            let is_tag = ["tag", "prev", "next"].iter().any(is_said);
            self.link = Some(Link { depth, is_away, is_tag });
        }
    }

    /// The marks of an element's names, on this page.
    fn marks(&mut self, element: &Element<'_>, attributes: Attributes<'_, '_>) -> Marks {
        if self.code.is_some() || element.name == Name::CODE {
            // its class names the programming language, or the kind of a token: "comment"
            return Marks::default();
        }
        let mut marks = self.boilerplate.marks(attributes, self.memory);
        let is_place = match element.name {
            Name::P => marks.never(),
            Name::SECTION if marks.around() && is_on_services(attributes) => true,
            Name::SECTION | Name::DIV => marks.never() && is_built_section(attributes),
            Name::SPAN | Name::A => marks.never() || marks.others(),
            name => name.is(names::HEADING) && (marks.never() || marks.others() || marks.comments() || marks.around()),
        };
        // the heading of the comments has a short id from the theme
        let is_of_text = |id: &str| !marks.comments() || id.split('-').count() > 2;
        if is_place && attributes.raw("id").is_some_and(is_of_text) {
            // an anchor for links, named after the text
            marks = self.boilerplate.marks_of_class(attributes, self.memory);
        }
        if marks.entry()
            && self.own.is_some()
            && let class = attributes.raw("class").unwrap_or_default()
            && let Some(post) = number(class, "post-")
        {
            let has = |names: &[&str]| class.split_ascii_whitespace().any(|name| names.contains(&name));
            self.is_topic |= Some(post) == self.own && has(&["type-topic", "topic"]);
            // below an article, replies are comments
            let is_reply = self.is_topic && has(&["type-reply"]);
            // `post-0` is a post that a plugin makes around its own content (Events Calendar, BuddyPress).
            if post > 0 && Some(post) != self.own && !self.templates.contains(&post) && !is_reply {
                marks = marks.of_another();
            }
        }
        marks
    }

    /// Whether there may be another element at a position of the page, with a run before it, in it and after it, and one after each of
    /// the elements around it.
    fn has_room(&self, at: usize) -> bool {
        self.outline.nodes.len() + self.open.len() + 4 <= FREE + at / BYTES
    }

    /// Ends the current run, because a node begins or ends with the tag at `tag`.
    fn part(&mut self, tag: &Range<usize>) {
        if let Some(run) = self.run.take() {
            let node = &mut self.outline.nodes[run];
            node.end = node.start.max(tag.start as u32);
        }
        self.boundary = tag.end;
    }

    /// Ends the open nodes from this one on, the first of them with the tag.
    fn close_from(&mut self, first: usize, tag: Range<usize>) {
        self.part(&tag);
        let next = self.outline.nodes.len() as u32;
        for (number, (at, _)) in self.open.drain(first..).enumerate() {
            let node = &mut self.outline.nodes[at];
            let ElementOrRun::Element { inner, .. } = &mut node.kind else { continue };
            let end = if number == 0 { tag.end } else { tag.start };
            inner[1] = inner[0].max(tag.start as u32);
            (node.next, node.end) = (next, inner[0].max(end as u32));
        }
    }
}

/// Whether an element has the class of a page builder's section: `elementor-section`, `bde-section-7-2`.
fn is_built_section(attributes: Attributes<'_, '_>) -> bool {
    let class = attributes.raw("class").unwrap_or_default();
    class.split_ascii_whitespace().any(|name| name.contains("-section") || name.contains("_section"))
}

/// Whether a script is JSON-LD, according to its type, or to the attribute in which an optimiser keeps the type until the visitor
/// acts.
fn is_json_ld(script: Attributes<'_, '_>) -> bool {
    script.pairs().any(|(_, value)| value.contains("application/ld+json"))
}

/// Whether a URL is a telephone number or an e-mail address, which is text, not the address of a page. `mailto:?body=…` shares a
/// page.
fn is_contact(url: &str) -> bool {
    let scheme = |scheme: &str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    scheme("tel:") || scheme("mailto:") && !url["mailto:".len()..].starts_with('?')
}

/// Whether an element has a class that themes use for notes about a post.
fn is_of_post(attributes: Attributes<'_, '_>) -> bool {
    let class = attributes.raw("class").unwrap_or_default();
    class.split_ascii_whitespace().any(|name| ["postmetadata", "postmeta", "post-meta", "entry-meta"].contains(&name))
}

/// Whether the id of a section contains the word "service" or "services".
fn is_on_services(attributes: Attributes<'_, '_>) -> bool {
    let id = attributes.raw("id").unwrap_or_default();
    id.split(['-', '_']).any(|word| word.eq_ignore_ascii_case("services") || word.eq_ignore_ascii_case("service"))
}

/// Whether a link within the page shows and hides a text below it: the link is the heading of that text.
fn is_switch(url: &str, attributes: Attributes<'_, '_>) -> bool {
    let says = |name: &str, value: &str| attributes.raw(name).is_some_and(|said| value.is_empty() || said == value);
    let collapses = || says("data-toggle", "collapse") || says("data-bs-toggle", "collapse");
    let leads_there = url.split_once('#').is_some_and(|(_, place)| !place.is_empty());
    leads_there && (collapses() || says("aria-controls", "") && says("aria-expanded", ""))
}

impl<'a> Sink<'a> for Builder<'_> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, tag: Range<usize>) {
        match element.name {
            Name::NOSCRIPT => self.outline.has_noscript = true,
            Name::SCRIPT => self.json_ld = self.outline.json_ld.len() < MOST_SCRIPTS && is_json_ld(attributes),
            _ => {}
        }
        if self.left.is_some() {
            return;
        }
        // depths rise, and the root stays
        let first = self.open.partition_point(|(_, open)| *open < depth).max(1);
        if first < self.open.len() {
            self.close_from(first, tag.start..tag.start);
        }
        let around = self.open.last().map_or(0, |(at, _)| *at);
        if let ElementOrRun::Element { media, .. } = &mut self.outline.nodes[around].kind {
            *media = media.saturating_add(u16::from(MEDIA.contains(&element.name)));
        }
        if element.look.left {
            self.left = Some(depth);
        }
        self.see_link(element, attributes, depth);
        self.state(element, attributes);
        if element.name == Name::PRE && self.code.is_none() {
            self.code = Some(depth);
        }
        let marks = self.marks(element, attributes);
        let is_block = element.look.block || element.name.is(names::CELL) || element.name == Name::BODY;
        if (is_block && element.name != Name::BR || marks.part()) && self.has_room(tag.start) {
            self.part(&tag);
            let (titles, inner) = (u8::from(element.name == Name::H1), [tag.end as u32; 2]);
            let at = self.push(element.name, tag, ElementOrRun::Element { titles, media: 0, marks, inner });
            self.outline.nodes[at].is_of_post = element.name == Name::P && marks.never() && is_of_post(attributes);
            self.open.push((at, depth));
        }
    }

    fn close(&mut self, element: &Element<'a>, depth: usize, tag: Range<usize>) {
        match self.left {
            Some(left) if left < depth => return,
            Some(left) if left == depth => self.left = None,
            _ => {}
        }
        if self.code == Some(depth) {
            self.code = None;
        }
        if element.name == Name::A && self.link.is_some_and(|link| link.depth == depth) {
            self.link = None;
        }
        let first = self.open.partition_point(|(_, open)| *open < depth).max(1);
        let is_it = |(at, open): &(usize, usize)| *open == depth && self.outline.nodes[*at].name == element.name;
        if self.open.get(first).is_some_and(is_it) {
            self.close_from(first, tag);
        }
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        if inside.name == Name::TITLE && self.outline.titles.len() < MOST_STATED && !inside.foreign {
            self.outline.titles.push(text.decode(&mut self.scratch, Nul::Drop).to_owned());
        }
        if inside.name == Name::SCRIPT && self.json_ld {
            self.outline.json_ld.push(text.raw.to_owned());
        }
        if self.left.is_some() || inside.look.invisible && !self.shows_all || text.raw.trim_ascii().is_empty() {
            return;
        }
        let run = match self.run {
            Some(run) => run,
            None => {
                let (start, name) = (self.boundary, self.open.last().map_or(0, |(at, _)| *at));
                let name = self.outline.nodes[name].name;
                let words = [self.outline.words.len() as u32; 2];
                let kind = ElementOrRun::Run { names_tags: false, introduces: false, is_short: true, points: 0, words };
                let run = self.push(name, start..start, kind);
                self.run = Some(run);
                run
            }
        };
        let place = text.raw.as_ptr() as usize;
        let text = text.decode(&mut self.scratch, Nul::Drop);
        if let Some(pieces) = &mut self.pieces {
            pieces.push(Piece { run, at: place, text: text.to_owned() });
        }
        let counted = count(text);
        let Outline { nodes, words, .. } = &mut self.outline;
        let node = &mut nodes[run];
        let ElementOrRun::Run { names_tags, introduces, is_short, points, words: place } = &mut node.kind else {
            return;
        };
        let letters = counted.letters as u32;
        node.letters += letters;
        *introduces = text.trim_end().ends_with([':', '：']);
        let marks = counted.points + usize::from(counted.is_unmarked && node.letters as usize >= LINE);
        *points = points.saturating_add(marks.min(u16::MAX.into()) as u16);
        if let Some(link) = self.link {
            node.linked += letters;
            node.away += if link.is_away { letters } else { 0 };
            *names_tags |= link.is_tag;
        }
        if !*is_short {
            return;
        }
        if node.letters as usize <= SHORT {
            for word in text.split_whitespace() {
                words.push_str(word);
                words.push(' ');
            }
            place[1] = words.len() as u32;
        } else {
            let start = place[0] as usize;
            let said = xxh3_64(&words.as_bytes()[start..]);
            let beginning = xxh3_64_with_seed(&text.as_bytes()[..text.len().min(BEGINNING)], said);
            words.truncate(start);
            (*is_short, *place) = (false, [beginning as u32, (beginning >> 32) as u32]);
        }
    }
}
