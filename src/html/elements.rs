//! Turns tokens into one stream of events (elements open and close, with text inside), using a light stack of open
//! elements. It follows the [tree builder](https://html.spec.whatwg.org/multipage/parsing.html#tree-construction) as
//! far as text, links and captions are concerned: implied end tags, scopes, links that are reopened. The sinks
//! interpret the events.

mod ends;
mod implied;

use super::names::{self, Name, OTHER};
use super::style::{FORMULA_SEEN, IN_TABLE_BLOCK, Look};
use super::tables::Tables;
use super::tokenizer::{AttributeBuffer, Attributes, Doctype, Model, Tag, Text, Token, Tokenizer, is_space};

/// How deep elements nest; at this depth a new element takes the place of the innermost one.
const DEPTH: usize = 1024;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub name: Name,
    /// The name as written.
    pub label: &'a str,
    /// How its text is seen.
    pub look: Look,
    /// Stands in SVG or MathML.
    foreign: bool,
    /// Its content is HTML, if it is foreign itself.
    holds_html: bool,
    /// Its close was told before it left the stack (a link misnested with a block).
    told: bool,
}

/// What the events are for.
pub(crate) trait Sink<'a> {
    /// An element begins. `depth` is its own, the same when it closes; void elements close at once.
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize);
    /// An element ends, by its end tag or by implication.
    fn close(&mut self, element: &Element<'a>, depth: usize);
    /// Text, all of it between two tags or comments.
    fn text(&mut self, text: Text<'a>, inside: &Element<'a>);
    /// A document type.
    fn doctype(&mut self, _doctype: Doctype<'a>) {}
}

/// What differs between the rules of text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// The content of noscript is elements, as for a parser without scripts.
    pub noscript_is_tree: bool,
    /// Looks are not wanted: the peer's rules know none.
    pub plain: bool,
}

/// The list of active formatting elements, links alone.
#[derive(Clone, Copy, Debug)]
enum Active {
    Marker,
    /// A link: its start tag, and its place on the stack while it is there.
    Link {
        tag: (usize, usize),
        depth: Option<usize>,
    },
}

/// The stack and what feeds it.
struct Elements<'a, 's, S> {
    tokenizer: Tokenizer<'a>,
    tables: Tables,
    sink: &'s mut S,
    reading: Reading,
    open: Vec<Element<'a>>,
    /// How many elements of each name are open.
    counts: [u16; Name::COUNT],
    active: Vec<Active>,
    /// How many bytes of links may still be taken up again: keeps the whole linear.
    budget: usize,
    /// The next text loses its first line end (pre).
    skip_newline: bool,
}

/// The memory of a run, for the next one.
#[derive(Default)]
pub(crate) struct Buffers {
    attributes: AttributeBuffer,
    tables: Tables,
}

/// Feeds all events of `html` into `sink`.
pub(crate) fn read<'a, S: Sink<'a>>(html: &'a str, reading: Reading, buffers: &mut Buffers, sink: &mut S) {
    let look = Look { block: true, ..Look::default() };
    let root = Element { name: OTHER, label: "", look, foreign: false, holds_html: false, told: false };
    let mut elements = Elements {
        tokenizer: Tokenizer::new(html, std::mem::take(&mut buffers.attributes)),
        tables: std::mem::take(&mut buffers.tables),
        sink,
        reading,
        // Few nest deeper, and a larger block would be past the lists that malloc keeps for small ones.
        open: Vec::with_capacity(16),
        counts: [0; Name::COUNT],
        active: Vec::new(),
        budget: html.len(),
        skip_newline: false,
    };
    elements.open.push(root);
    elements.tables.clear();
    while let Some(token) = elements.tokenizer.next() {
        match token {
            Token::Text(text) => elements.text(text),
            Token::Start(tag) => elements.start(tag),
            Token::End(tag) => elements.end(tag),
            Token::Comment(_) => {}
            Token::Doctype(doctype) => elements.sink.doctype(doctype),
        }
    }
    elements.pop_to(1);
    buffers.tables = elements.tables;
    buffers.attributes = elements.tokenizer.into_spans();
}

/// The content model behind the start tag of `name`.
pub(crate) fn model_of(name: Name, noscript_is_tree: bool) -> Model {
    match name {
        Name::SCRIPT => Model::Script,
        Name::TITLE | Name::TEXTAREA => Model::Rcdata,
        Name::STYLE | Name::IFRAME | Name::XMP | Name::NOEMBED | Name::NOFRAMES => Model::Rawtext,
        Name::NOSCRIPT if !noscript_is_tree => Model::Rawtext,
        Name::PLAINTEXT => Model::Plaintext,
        _ => Model::Data,
    }
}

impl<'a, S: Sink<'a>> Elements<'a, '_, S> {
    fn top(&self) -> &Element<'a> {
        &self.open[self.open.len() - 1]
    }

    fn text(&mut self, mut text: Text<'a>) {
        if std::mem::take(&mut self.skip_newline) {
            text.raw =
                text.raw.strip_prefix("\r\n").or_else(|| text.raw.strip_prefix(['\n', '\r'])).unwrap_or(text.raw);
        }
        let fostered = is_table_frame(self.top().name) && !text.raw.bytes().all(is_space);
        let top = self.top();
        if self.is_interrupted()
            && (fostered || !is_table_frame(top.name))
            && !top.foreign
            && !matches!(top.name, Name::SCRIPT | Name::STYLE)
        {
            self.take_up_link();
        }
        if text.raw.is_empty() {
            return;
        }
        let mut inside = *self.top();
        inside.look.fostered |= fostered;
        self.sink.text(text, &inside);
    }

    fn start(&mut self, tag: Tag<'a>) {
        self.skip_newline = false;
        let mut name = tag.id;
        let top = *self.top();
        if top.foreign && !top.holds_html {
            let font = name == Name::FONT && {
                let attributes = self.tokenizer.attributes();
                ["color", "face", "size"].iter().any(|a| attributes.raw(a).is_some())
            };
            if !name.is(names::BREAKOUT) && !font {
                return self.push(name, tag, true);
            }
            self.leave_foreign();
        }
        if name.is(names::IGNORED) {
            return;
        }
        if name.is(names::TABLE_PART) {
            return self.start_table_part(name, tag);
        }
        if name == Name::IMAGE {
            name = Name::IMG;
        }
        if name == Name::FORM && self.counts[name.index()] > 0 {
            return;
        }
        self.imply_ends(name);
        if self.is_interrupted() && takes_up_links(name) {
            self.take_up_link();
            self.tokenizer.tag_again(tag.offset);
        }
        self.push(name, tag, false);
    }

    /// The place of the nearest open element `name`, not looked for behind an element with one of the flags `boundary`.
    fn find(&self, name: Name, boundary: u32) -> Option<usize> {
        if self.counts[name.index()] == 0 {
            return None;
        }
        for at in (1..self.open.len()).rev() {
            if self.open[at].name == name {
                return Some(at);
            }
            if self.open[at].name.is(boundary) || self.open[at].holds_html {
                return None;
            }
        }
        None
    }

    /// The open paragraph that a block would end.
    fn find_paragraph(&self) -> Option<usize> {
        let at = self.find(Name::P, names::SCOPE)?;
        let button = self.counts[Name::BUTTON.index()] > 0 && self.open[at..].iter().any(|e| e.name == Name::BUTTON);
        (!button).then_some(at)
    }

    /// The element at `at` is no longer found by its name.
    fn rename(&mut self, at: usize) {
        self.counts[self.open[at].name.index()] -= 1;
        self.counts[OTHER.index()] += 1;
        self.open[at].name = OTHER;
        self.open[at].label = "";
    }

    fn push(&mut self, name: Name, tag: Tag<'a>, foreign: bool) {
        if self.open.len() >= DEPTH {
            self.pop_to(DEPTH - 1);
        }
        let attributes = self.tokenizer.attributes();
        let mut parent = self.top().look;
        let void = if foreign { tag.self_closing } else { name.is(names::VOID) };
        if name == Name::TABLE && !self.reading.plain {
            let (html, rest) = (self.tokenizer.input(), self.tokenizer.offset());
            parent.layout =
                parent.inside & IN_TABLE_BLOCK == 0 && self.tables.is_layout(html, tag.offset, rest, attributes);
        }
        parent.fostered |= is_table_frame(self.top().name) && !name.is(names::TABLE_PART);
        let look = if self.reading.plain { Look::default() } else { Look::of(name, attributes, &parent) };
        if look.is_formula
            && let Some(parent) = self.open.last_mut()
        {
            parent.look.inside |= FORMULA_SEEN;
        }
        let enters = !foreign && matches!(name, Name::SVG | Name::MATH);
        let element = Element {
            name,
            label: tag.name,
            look,
            foreign: foreign || enters,
            holds_html: foreign && name.is(names::INTEGRATION),
            told: false,
        };
        let depth = self.open.len();
        self.sink.open(&element, attributes, depth);
        if void || (enters && tag.self_closing) {
            self.sink.close(&element, depth);
            return;
        }
        self.counts[name.index()] += 1;
        self.open.push(element);
        self.tokenizer.foreign = element.foreign && !element.holds_html;
        if element.foreign {
            return;
        }
        if name == Name::A {
            let tag = (tag.offset, self.tokenizer.offset());
            self.active.push(Active::Link { tag, depth: Some(depth) });
        } else if name.is(names::MARKER) {
            self.active.push(Active::Marker);
        } else if matches!(name, Name::PRE | Name::LISTING | Name::TEXTAREA) {
            self.skip_newline = true;
        }
        let model = model_of(name, self.reading.noscript_is_tree);
        if model != Model::Data {
            self.tokenizer.raw_text(tag.name, model);
        }
    }

    /// Closes elements until `keep` are open.
    fn pop_to(&mut self, keep: usize) {
        while self.open.len() > keep.max(1) {
            let Some(element) = self.open.pop() else {
                return;
            };
            let depth = self.open.len();
            self.counts[element.name.index()] -= 1;
            if element.name.is(names::MARKER) && !element.foreign {
                while let Some(Active::Link { .. }) = self.active.pop() {}
            } else if element.name == Name::A
                && !element.foreign
                && let Some(Active::Link { depth: place, .. }) = self.active.last_mut()
                && *place == Some(depth)
            {
                *place = None;
            }
            if !element.told {
                self.sink.close(&element, depth);
            }
        }
        let top = self.top();
        self.tokenizer.foreign = top.foreign && !top.holds_html;
    }

    /// Whether a link was closed by implication and goes on.
    fn is_interrupted(&self) -> bool {
        matches!(self.active.last(), Some(Active::Link { depth: None, .. }))
    }

    /// Opens the interrupted link again.
    fn take_up_link(&mut self) {
        let Some(Active::Link { tag: (start, end), .. }) = self.active.pop() else {
            return;
        };
        if self.budget < end - start {
            return;
        }
        self.budget -= end - start;
        if let Some((tag, end)) = self.tokenizer.tag_again(start) {
            self.push(Name::A, tag, false);
            if let Some(Active::Link { tag, .. }) = self.active.last_mut() {
                *tag = (start, end);
            }
        }
    }
}

/// The parts of a table that hold no text: a browser shows what stands in them before the table.
fn is_table_frame(name: Name) -> bool {
    matches!(name, Name::TABLE | Name::TBODY | Name::THEAD | Name::TFOOT | Name::TR)
}

/// Whether an interrupted link goes on before the start tag of `name`: not before blocks and what is not seen.
fn takes_up_links(name: Name) -> bool {
    !name.is(names::CLOSES_P)
        && !matches!(
            name,
            Name::PARAM
                | Name::SOURCE
                | Name::TRACK
                | Name::TEXTAREA
                | Name::IFRAME
                | Name::NOEMBED
                | Name::NOSCRIPT
                | Name::NOFRAMES
                | Name::RB
                | Name::RTC
                | Name::RP
                | Name::RT
                | Name::BASE
                | Name::BASEFONT
                | Name::BGSOUND
                | Name::LINK
                | Name::META
                | Name::SCRIPT
                | Name::STYLE
                | Name::TEMPLATE
                | Name::TITLE
        )
}
