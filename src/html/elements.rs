//! Turns HTML tokens into a stream of events (elements open and close, with text inside), using a light stack of open
//! elements. It follows the [tree builder](https://html.spec.whatwg.org/multipage/parsing.html#tree-construction) as
//! far as text, links and captions are concerned: implied end tags, scopes, links that are reopened. The sinks
//! interpret the events.

mod ends;
mod implied;

use super::names::{self, Name, OTHER};
use super::style::{FORMULA_SEEN, IN_TABLE_BLOCK, Look};
use super::tables::Tables;
use super::tokenizer::{AttributeBuffer, Attributes, Doctype, Model, Tag, Text, Token, Tokenizer, is_space};
use implied::{holds_html, is_table_frame, takes_up_links};
use std::ops::Range;

/// How deeply elements may nest; at this depth a new element replaces the innermost one.
const DEPTH: usize = 1024;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub name: Name,
    /// The name as written.
    pub label: &'a str,
    /// How its text is displayed.
    pub look: Look,
    /// Whether it is an SVG or MathML element.
    pub foreign: bool,
    /// Whether it is a MathML element.
    math: bool,
    /// Whether its content is HTML although the element itself is foreign.
    holds_html: bool,
    /// Whether its end was reported before it left the stack (a link misnested with a block).
    told: bool,
}

/// Receives the events; it ignores those of which it has no function.
pub(crate) trait Sink<'a> {
    /// An element begins; `tag` is the place of its start tag. A link that is reopened reports its first start tag
    /// again. `depth` is the number of elements around it, and `close` gets the same number. Void elements close at
    /// once.
    fn open(&mut self, _element: &Element<'a>, _attributes: Attributes<'_, 'a>, _depth: usize, _tag: Range<usize>) {}
    /// An element ends, by the end tag at `tag`, or because what follows implies it; then `tag` is an empty range at
    /// that position.
    fn close(&mut self, _element: &Element<'a>, _depth: usize, _tag: Range<usize>) {}
    /// A text: all of it between two tags or comments.
    fn text(&mut self, _text: Text<'a>, _inside: &Element<'a>) {}
    /// A document type.
    fn doctype(&mut self, _doctype: Doctype<'a>) {}
    /// A comment.
    fn comment(&mut self, _comment: Text<'a>) {}
    /// Whether reading may stop.
    fn is_done(&self) -> bool {
        false
    }
}

/// Ignores all events.
impl Sink<'_> for () {}

/// How to read: what differs between the rules of `--text`, and between fragments and whole pages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParseOptions {
    /// Whether the content of noscript is parsed as elements, as in a browser without scripts.
    pub noscript_is_tree: bool,
    /// Whether no `Look` is computed: wpextract's rules do not use any.
    pub plain: bool,
    /// Whether the input is a whole page: html, head and body are then elements.
    pub page: bool,
}

/// The list of active formatting elements, reduced to links.
#[derive(Clone, Copy, Debug)]
enum Active {
    Marker,
    /// A link: its start tag, and its place on the stack while it is open.
    Link {
        tag: (usize, usize),
        depth: Option<usize>,
    },
}

/// The stack of open elements and its input.
struct Elements<'a, 's, S> {
    tokenizer: Tokenizer<'a>,
    tables: Tables,
    sink: &'s mut S,
    reading: ParseOptions,
    open: Vec<Element<'a>>,
    /// How many elements of each name are open.
    counts: [u16; Name::COUNT],
    active: Vec<Active>,
    /// How many bytes of links may still be reopened, which keeps the total cost linear.
    budget: usize,
    /// Whether the next text loses its first line end (after pre).
    skip_newline: bool,
    /// The position of the tag being read; empty if it is a start tag, which ends elements only by implication.
    tag: Range<usize>,
    /// Elements that were replaced at [`DEPTH`]: their end tags must not end other elements.
    buried: Vec<Name>,
    /// The position of the last end tag of body; all elements still open end before it.
    body_end: Option<usize>,
}

/// Buffers that are reused from one call to the next.
#[derive(Default)]
pub(crate) struct Buffers {
    attributes: AttributeBuffer,
    tables: Tables,
}

/// Passes all events of `html` to `sink`.
pub(crate) fn read<'a, S: Sink<'a>>(html: &'a str, reading: ParseOptions, buffers: &mut Buffers, sink: &mut S) {
    let look = Look { block: true, ..Look::default() };
    let root = Element { name: OTHER, label: "", look, foreign: false, math: false, holds_html: false, told: false };
    let mut elements = Elements {
        tokenizer: Tokenizer::new(html, std::mem::take(&mut buffers.attributes)),
        tables: std::mem::take(&mut buffers.tables),
        sink,
        reading,
        // Few documents nest deeper, and a larger block would exceed the sizes that malloc keeps free lists for.
        open: Vec::with_capacity(16),
        counts: [0; Name::COUNT],
        active: Vec::new(),
        budget: html.len(),
        skip_newline: false,
        tag: 0..0,
        buried: Vec::new(),
        body_end: None,
    };
    elements.open.push(root);
    elements.tables.clear();
    while !elements.sink.is_done()
        && let Some(token) = elements.tokenizer.next()
    {
        match token {
            Token::Text(text) => elements.text(text),
            Token::Start(tag) => elements.start(tag),
            Token::End(tag) => elements.end(tag),
            Token::Comment(comment) => elements.sink.comment(comment),
            Token::Doctype(doctype) => elements.sink.doctype(doctype),
        }
    }
    let end = elements.body_end.unwrap_or(html.len());
    elements.tag = end..end;
    elements.pop_to(1);
    buffers.tables = elements.tables;
    buffers.attributes = elements.tokenizer.into_spans();
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
        let inside = &self.open[self.open.len() - 1];
        if fostered && !inside.look.fostered {
            let look = Look { fostered, ..inside.look };
            return self.sink.text(text, &Element { look, ..*inside });
        }
        self.sink.text(text, inside);
    }

    fn start(&mut self, tag: Tag<'a>) {
        self.skip_newline = false;
        self.tag = tag.offset..tag.offset;
        let mut name = tag.id;
        let top = self.top();
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
            return self.start_page_part(name, tag);
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

    /// The place of the nearest open element `name`; the search stops at an element with one of the flags in
    /// `boundary`.
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

    /// Makes the element at `at` impossible to find by name.
    fn rename(&mut self, at: usize) {
        self.counts[self.open[at].name.index()] -= 1;
        self.counts[OTHER.index()] += 1;
        self.open[at].name = OTHER;
        self.open[at].label = "";
    }

    fn push(&mut self, name: Name, tag: Tag<'a>, foreign: bool) {
        if self.open.len() >= DEPTH {
            let buried = self.top().name;
            self.pop_to(DEPTH - 1);
            self.buried.push(buried);
        }
        let void = match foreign {
            true => tag.self_closing,
            // If there are several html and body tags, the first begins the element; html is never inside another
            // element.
            false if name.is(names::IGNORED) => {
                self.counts[name.index()] > 0 || name == Name::HTML && self.open.len() > 1
            }
            false => name.is(names::VOID),
        };
        let look = if self.reading.plain { Look::default() } else { self.look(name, tag.offset) };
        let attributes = self.tokenizer.attributes();
        let enters = !foreign && matches!(name, Name::SVG | Name::MATH);
        let math = if enters { name == Name::MATH } else { foreign && self.top().math };
        let element = Element {
            name,
            label: tag.name,
            look,
            foreign: foreign || enters,
            math,
            holds_html: foreign && name.is(names::INTEGRATION) && holds_html(name, math, attributes),
            told: false,
        };
        let depth = self.open.len();
        let end = self.tokenizer.offset();
        self.sink.open(&element, attributes, depth, tag.offset..end);
        if void || (enters && tag.self_closing) {
            self.sink.close(&element, depth, end..end);
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
        let model = Model::of(name, self.reading.noscript_is_tree);
        if model != Model::Data {
            self.tokenizer.raw_text(tag.name, model);
        }
    }

    /// The look of the element whose tag begins at `offset`.
    fn look(&mut self, name: Name, offset: usize) -> Look {
        let attributes = self.tokenizer.attributes();
        let mut parent = self.top().look;
        if name == Name::TABLE {
            let (html, rest) = (self.tokenizer.input(), self.tokenizer.offset());
            parent.layout =
                parent.inside & IN_TABLE_BLOCK == 0 && self.tables.is_layout(html, offset, rest, attributes);
        }
        parent.fostered |= is_table_frame(self.top().name) && !name.is(names::TABLE_PART);
        let look = Look::of(name, attributes, &parent);
        if look.is_formula
            && let Some(parent) = self.open.last_mut()
        {
            parent.look.inside |= FORMULA_SEEN;
        }
        look
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
                // The tag's own element is the last one that it ends.
                let end = if depth == keep.max(1) { self.tag.end } else { self.tag.start };
                self.sink.close(&element, depth, self.tag.start..end);
            }
        }
        if !self.buried.is_empty() && self.open.len() < DEPTH - 1 {
            self.buried.clear();
        }
        let top = self.top();
        self.tokenizer.foreign = top.foreign && !top.holds_html;
    }

    /// Whether a link was closed by implication and has to be reopened.
    fn is_interrupted(&self) -> bool {
        matches!(self.active.last(), Some(Active::Link { depth: None, .. }))
    }

    /// Reopens the interrupted link.
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
