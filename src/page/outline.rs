//! Outlines a page as a tree of blocks: how many letters each has, how many of them in links, and what its name says
//! ([`super::boilerplate`]). Which block is the content is decided in [`super::choice`].

pub(super) mod cards;
pub(super) mod description;
mod stated;

use self::description::Description;
use self::stated::{MOST_STATED, OwnHost, host_of, number};
use super::boilerplate::{Boilerplate, Marks, Memory};
use super::punctuation::count;
use crate::html::elements::{Element, Sink};
use crate::html::names::{self, Name};
use crate::html::tokenizer::{Attributes, Nul, Text};
use std::ops::Range;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Letters of a run whose words are kept: longer ones are not headings.
const SHORT: usize = 100;

/// Letters from which on a run in a script without marks is taken for a sentence.
const LINE: usize = 40;

/// Bytes that a longer run is known by, beside the number of its letters.
const BEGINNING: usize = 256;

/// Scripts with JSON-LD that are read.
const MOST_SCRIPTS: usize = 20;

/// What is to be looked at or played.
pub(super) const MEDIA: [Name; 6] = [Name::IMG, Name::IFRAME, Name::VIDEO, Name::AUDIO, Name::EMBED, Name::OBJECT];

/// An element that parts lines or whose name tells something, or a run of text between two of those.
#[derive(Debug)]
pub(super) struct Node {
    pub name: Name,
    pub is_run: bool,
    /// The number of the element around it; its own where there is none.
    pub parent: usize,
    /// The number of the first node that is not inside.
    pub next: usize,
    /// From the `<` of its start tag to the `>` of its end tag.
    pub outer: Range<usize>,
    /// What is between its tags.
    pub inner: Range<usize>,
    pub marks: Marks,
    /// Letters and digits of its visible text, those in links, and marks that end a part of a sentence.
    pub letters: usize,
    pub linked: usize,
    pub points: usize,
    /// Those in links to other hosts than the page says it is of.
    pub away: usize,
    /// Pictures, frames, players; headings of the first level.
    pub media: usize,
    pub titles: usize,
    /// A run that begins as a description of the page in its head does, or is all of that.
    pub is_described: bool,
    /// A run that is the site's and not the page's: see [`super::template`].
    pub is_of_site: bool,
    /// A run with links to tags (`rel=tag`), or to the posts before and after (`rel=prev`).
    pub names_tags: bool,
    /// A run that ends with a colon.
    pub introduces: bool,
    /// A run that says the title of the page, if it is known what is the site's.
    pub is_title: bool,
    /// Where its words are in [`Outline::words`], if it is a short run.
    words: Range<usize>,
    /// Of a longer one the hash of its beginning.
    beginning: u64,
}

/// The blocks of a page in document order.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub nodes: Vec<Node>,
    words: String,
    /// The page is that of one post, says the class of its body (`get_body_class()`).
    pub is_of_one_post: bool,
    /// It is that of a page (`page-id-7`), which is in no section.
    pub is_page: bool,
    /// The number of that post.
    pub number: Option<u64>,
    /// The page is an article, it says (`og:type`).
    pub is_article: bool,
    /// The titles of the page, as its head states them.
    pub titles: Vec<String>,
    /// What repeats over the pages of the site is marked.
    pub knows_site: bool,
    /// It has an element whose content is for those without scripts.
    pub has_noscript: bool,
    /// Where its JSON-LD is.
    pub json_ld: Vec<Range<usize>>,
    /// The words of titles of feeds that may be of its comments, and how many letters they have.
    pub feeds: Vec<(Vec<String>, usize)>,
}

impl Outline {
    /// Adds what each block has to the one around it.
    fn sum(&mut self) {
        for at in (1..self.nodes.len()).rev() {
            let Node { parent, letters, linked, points, away, media, titles, .. } = self.nodes[at];
            let parent = &mut self.nodes[parent];
            parent.letters += letters;
            parent.linked += linked;
            parent.points += points;
            parent.away += away;
            parent.media += media;
            parent.titles += titles;
        }
    }

    /// The words of a short run, blanks made alike; none of another node.
    pub(super) fn words(&self, at: usize) -> &str {
        self.words[self.nodes[at].words.clone()].trim_end()
    }

    /// The hash of the text of a run; none if it has no letters.
    pub(super) fn hash(&self, at: usize) -> Option<u64> {
        let node = &self.nodes[at];
        let is_text = node.is_run && node.letters > 0;
        let hash = |node: &Node| match node.beginning {
            0 => xxh3_64(self.words(at).as_bytes()),
            beginning => beginning ^ xxh3_64(&node.letters.to_le_bytes()),
        };
        is_text.then(|| hash(node))
    }

    /// The node and those around it, from inside out.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = Some(at);
        std::iter::from_fn(move || {
            let at = next?;
            let parent = self.nodes[at].parent;
            next = (parent != at).then_some(parent);
            Some(at)
        })
    }

    /// The element whose start tag is there.
    pub(super) fn element_at(&self, start: usize) -> Option<usize> {
        // not the root, which has no tag
        let at = self.nodes.partition_point(|node| node.outer.start < start).max(1);
        let same = self.nodes[at..].iter().take_while(|node| node.outer.start == start).position(|node| !node.is_run);
        same.map(|n| at + n)
    }
}

/// Memory that is used again for the outline of the next page.
#[derive(Default)]
pub(super) struct Buffer {
    names: Memory,
    nodes: Vec<Node>,
    words: String,
}

/// Nodes whose memory is kept, with that of eight bytes of words for each.
const MOST_KEPT: usize = 4096;

impl Buffer {
    /// Takes the memory of an outline that nobody needs any more.
    pub(super) fn take_back(&mut self, outline: Outline) {
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

/// Makes the outline of a page that is read.
pub(super) struct Builder<'m> {
    outline: Outline,
    /// The open nodes and their depths.
    open: Vec<(usize, usize)>,
    run: Option<usize>,
    /// What the head says that the page is about.
    descriptions: Vec<Description>,
    /// Where the last tag ended that begins or ends a node.
    boundary: usize,
    link: Option<Link>,
    /// What its head says of its host.
    host: OwnHost,
    /// The number of the post that the page is of, says the class of its body.
    own: Option<u64>,
    /// The body has no class: that of its first element may be in its place.
    lacks_class: bool,
    /// That post is the topic of a forum, whose replies are posts on its page.
    is_topic: bool,
    /// The depth of the element whose text is not visible.
    left: Option<usize>,
    /// The depth of the script with JSON-LD that is read.
    json_ld: Option<usize>,
    /// What a style makes invisible counts, too.
    shows_all: bool,
    scratch: String,
    memory: &'m mut Memory,
    boilerplate: &'static Boilerplate,
}

/// An open link: its depth, whether it leads to another host, and whether to a tag, a category, or the post before or after.
#[derive(Clone, Copy)]
struct Link {
    depth: usize,
    is_away: bool,
    is_tag: bool,
}

impl<'m> Builder<'m> {
    pub(super) fn new(buffer: &'m mut Buffer) -> Self {
        let (nodes, words) = (std::mem::take(&mut buffer.nodes), std::mem::take(&mut buffer.words));
        let mut builder = Builder {
            outline: Outline { nodes, words, ..Outline::default() },
            open: Vec::new(),
            run: None,
            descriptions: Vec::new(),
            boundary: 0,
            link: None,
            host: OwnHost::default(),
            own: None,
            lacks_class: false,
            is_topic: false,
            left: None,
            json_ld: None,
            shows_all: false,
            scratch: String::new(),
            memory: &mut buffer.names,
            boilerplate: Boilerplate::builtin(),
        };
        builder.push(names::OTHER, 0..0, Marks::default());
        builder.open.push((0, 0));
        builder
    }

    /// The same, for a page that shows nothing before its scripts run.
    pub(super) fn showing_all(self) -> Self {
        Builder { shows_all: true, ..self }
    }

    /// The outline of the page, which is so long.
    pub(super) fn finish(mut self, length: usize) -> Outline {
        self.close_from(0, length..length);
        self.outline.sum();
        self.outline
    }

    fn push(&mut self, name: Name, tag: Range<usize>, marks: Marks) -> usize {
        let at = self.outline.nodes.len();
        let parent = self.open.last().map_or(at, |(parent, _)| *parent);
        let words = self.outline.words.len();
        self.outline.nodes.push(Node {
            name,
            is_run: false,
            parent,
            next: at + 1,
            inner: tag.end..tag.end,
            outer: tag,
            marks,
            letters: 0,
            linked: 0,
            points: 0,
            away: 0,
            media: 0,
            titles: usize::from(name == Name::H1),
            is_described: false,
            is_of_site: false,
            names_tags: false,
            introduces: false,
            is_title: false,
            words: words..words,
            beginning: 0,
        });
        at
    }

    /// A node begins or ends with the tag at `tag`.
    fn part(&mut self, tag: &Range<usize>) {
        if let Some(run) = self.run.take() {
            let node = &mut self.outline.nodes[run];
            for description in &mut self.descriptions {
                node.is_described |= description.ends(node.points > 0);
            }
            node.outer.end = tag.start.max(node.outer.start);
            node.inner = node.outer.clone();
        }
        self.boundary = tag.end;
    }

    /// Ends the open nodes from this one on, the first with the tag.
    fn close_from(&mut self, first: usize, tag: Range<usize>) {
        self.part(&tag);
        let next = self.outline.nodes.len();
        for (number, (at, _)) in self.open.drain(first..).enumerate() {
            let node = &mut self.outline.nodes[at];
            node.next = next;
            node.inner.end = tag.start.max(node.inner.start);
            node.outer.end = if number == 0 { tag.end } else { tag.start }.max(node.inner.start);
        }
    }
}

/// Whether a script is JSON-LD, says its type, or the attribute that an optimiser put in the place of that until somebody reads on.
fn is_json_ld(script: Attributes<'_, '_>) -> bool {
    script.pairs().any(|(_, value)| value.contains("application/ld+json"))
}

/// Whether a URL leads to no page: it is a telephone number or an address, which is text. `mailto:?body=…` shares a page.
fn is_contact(url: &str) -> bool {
    let scheme = |scheme: &str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    scheme("tel:") || scheme("mailto:") && !url["mailto:".len()..].starts_with('?')
}

impl<'a> Sink<'a> for Builder<'_> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, tag: Range<usize>) {
        match element.name {
            Name::NOSCRIPT => self.outline.has_noscript = true,
            Name::SCRIPT if self.outline.json_ld.len() < MOST_SCRIPTS && is_json_ld(attributes) => {
                self.outline.json_ld.push(tag.end..tag.end);
                self.json_ld = Some(depth);
            }
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
        self.outline.nodes[around].media += usize::from(MEDIA.contains(&element.name));
        if element.look.left {
            self.left = Some(depth);
        }
        if element.name == Name::A && self.link.is_none() && !attributes.raw("href").is_some_and(is_contact) {
            let host = attributes.raw("href").and_then(host_of);
            let is_away = host.zip(self.host.name()).is_some_and(|(host, own)| !host.eq_ignore_ascii_case(own));
            let rel = attributes.raw("rel").unwrap_or_default();
            let is_said = |of: &&str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(of));
            let is_tag = ["tag", "prev", "next"].iter().any(is_said);
            self.link = Some(Link { depth, is_away, is_tag });
        }
        self.state(element, attributes);
        let mut marks = self.boilerplate.marks(attributes, self.memory);
        if matches!(element.name, Name::CODE | Name::PRE) {
            // its class names the programming language
            marks = Marks::default();
        }
        let is_place = match element.name {
            Name::P => marks.never(),
            name => name.is(names::HEADING) && (marks.never() || marks.others() || marks.comments()),
        };
        // the heading of the comments has a short one, which themes write
        let is_of_text = |id: &str| !marks.comments() || id.split('-').count() > 2;
        if is_place && attributes.raw("id").is_some_and(is_of_text) {
            // a place that links lead to, which is called after the text
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
            if Some(post) != self.own && !(self.is_topic && has(&["type-reply"])) {
                marks = marks.of_another();
            }
        }
        let is_block = element.look.block || element.name.is(names::CELL) || element.name == Name::BODY;
        if is_block && element.name != Name::BR || marks.part() {
            self.part(&tag);
            let at = self.push(element.name, tag, marks);
            self.open.push((at, depth));
        }
    }

    fn close(&mut self, element: &Element<'a>, depth: usize, tag: Range<usize>) {
        if self.json_ld == Some(depth)
            && let Some(script) = self.outline.json_ld.last_mut()
        {
            script.end = tag.start.max(script.start);
            self.json_ld = None;
        }
        match self.left {
            Some(left) if left < depth => return,
            Some(left) if left == depth => self.left = None,
            _ => {}
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
        if self.left.is_some() || inside.look.invisible && !self.shows_all || text.raw.trim_ascii().is_empty() {
            return;
        }
        let run = match self.run {
            Some(run) => run,
            None => {
                let (start, name) = (self.boundary, self.open.last().map_or(0, |(at, _)| *at));
                let name = self.outline.nodes[name].name;
                let run = self.push(name, start..start, Marks::default());
                (self.outline.nodes[run].is_run, self.outline.nodes[run].titles) = (true, 0);
                self.run = Some(run);
                run
            }
        };
        let text = text.decode(&mut self.scratch, Nul::Drop);
        self.descriptions.iter_mut().for_each(|description| description.compare(text));
        let counted = count(text);
        let Outline { nodes, words, .. } = &mut self.outline;
        let node = &mut nodes[run];
        node.letters += counted.letters;
        node.introduces = text.trim_end().ends_with([':', '：']);
        node.points += counted.points + usize::from(counted.is_unmarked && node.letters >= LINE);
        if let Some(link) = self.link {
            node.linked += counted.letters;
            node.away += if link.is_away { counted.letters } else { 0 };
            node.names_tags |= link.is_tag;
        }
        if node.letters <= SHORT {
            for word in text.split_whitespace() {
                words.push_str(word);
                words.push(' ');
            }
            node.words.end = words.len();
        } else {
            if node.beginning == 0 {
                let said = &words.as_bytes()[node.words.start..];
                let begins = &text.as_bytes()[..text.len().min(BEGINNING)];
                node.beginning = xxh3_64_with_seed(begins, xxh3_64(said)).max(1);
            }
            words.truncate(node.words.start);
            node.words.end = node.words.start;
        }
    }
}
