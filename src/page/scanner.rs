//! Cuts a page into tags, texts and comments while it arrives: bytes in any condition, as far as they have been read.
//! What the tags mean is left to those who ask; the state machine's parts are those of [`crate::html::tokenizer`].

use crate::html::elements::model_of;
use crate::html::names::{self, Name};
use crate::html::tokenizer::{AttributeBuffer, Model, comment_end, is_space, raw_text_end};
use memchr::{memchr, memmem};

/// Bytes behind a `<` that tell what begins there: `![CDATA[` and `!doctype` are the longest.
const LOOKAHEAD: usize = 9;

/// A piece of a page.
pub(super) enum Token<'h> {
    Start(Tag<'h>),
    End(Tag<'h>),
    /// All that stands between two tags or comments, as written.
    Text(&'h [u8]),
    Comment(&'h [u8]),
}

/// A tag. Its attributes are the scanner's until the next token.
#[derive(Clone, Copy)]
pub(super) struct Tag<'h> {
    pub name: Name,
    /// The name as written, in any case.
    pub label: &'h [u8],
    /// Where its `<` stands.
    pub start: usize,
    /// Whether it stands in SVG or MathML.
    pub foreign: bool,
    /// Whether it ends in `/>`, which counts in SVG and MathML only.
    pub self_closing: bool,
}

/// Whose elements are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Html,
    Svg,
    Math,
}

/// The place in a page and what must be known of what came before.
pub(super) struct Scanner {
    at: usize,
    /// Up to here there is nothing but text.
    seen: usize,
    model: Model,
    /// Where the name of the start tag stands that began raw text.
    raw_name: (usize, usize),
    space: Space,
    /// What the space stands in.
    outer: Vec<Space>,
    attributes: AttributeBuffer,
}

impl Scanner {
    pub(super) fn new(attributes: AttributeBuffer) -> Self {
        let (model, space) = (Model::Data, Space::Html);
        Scanner { at: 0, seen: 0, model, raw_name: (0, 0), space, outer: Vec::new(), attributes }
    }

    /// Where the next token begins.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The value as written of the last tag's first attribute called `name` (given in lower case).
    pub(super) fn attribute<'h>(&self, html: &'h [u8], name: &str) -> Option<&'h [u8]> {
        self.attributes.raw(html, name.as_bytes())
    }

    /// Gives the buffer back.
    pub(super) fn into_attributes(self) -> AttributeBuffer {
        self.attributes
    }

    /// The next token of `html`, which may have grown since. None at its end; if that is not the end of the page
    /// (`is_all`), where more is needed to tell what begins at [`Scanner::at`].
    pub(super) fn next<'h>(&mut self, html: &'h [u8], is_all: bool) -> Option<Token<'h>> {
        if self.model != Model::Data {
            return self.next_raw(html, is_all);
        }
        let mut from = self.seen.max(self.at);
        while let Some(n) = memchr(b'<', &html[from..]) {
            let open = from + n;
            if !is_all && html.len() - open <= LOOKAHEAD {
                self.seen = open;
                return None;
            }
            from = open + 1;
            let Some(markup) = Markup::of(&html[from..], self.space) else { continue };
            if open > self.at {
                return Some(self.text(html, open));
            }
            match self.read(html, open, markup) {
                Some(Some(token)) => return Some(token),
                Some(None) => from = self.at,
                None if !is_all => return None,
                None => return self.cut_off(html, open, markup),
            }
        }
        self.seen = html.len();
        (is_all && self.at < html.len()).then(|| self.text(html, html.len()))
    }

    fn text<'h>(&mut self, html: &'h [u8], end: usize) -> Token<'h> {
        let start = std::mem::replace(&mut self.at, end);
        Token::Text(&html[start..end])
    }

    /// What the page's end cuts: of a comment the rest, of a tag nothing.
    fn cut_off<'h>(&mut self, html: &'h [u8], open: usize, markup: Markup) -> Option<Token<'h>> {
        self.at = html.len();
        match markup {
            Markup::Comment => Some(Token::Comment(html.get(open + 4..)?)),
            Markup::Bogus(skip) => Some(Token::Comment(html.get(open + skip..)?)),
            Markup::Cdata => Some(Token::Text(html.get(open + 9..)?)),
            _ => None,
        }
    }

    /// The text up to the end tag, which is an ordinary tag then.
    fn next_raw<'h>(&mut self, html: &'h [u8], is_all: bool) -> Option<Token<'h>> {
        let end = match self.model {
            Model::Plaintext => html.len(),
            model => raw_text_end(html, self.at, &html[self.raw_name.0..self.raw_name.1], model),
        };
        if end == html.len() && !is_all {
            return None;
        }
        self.model = Model::Data;
        if end == self.at { self.next(html, is_all) } else { Some(self.text(html, end)) }
    }

    /// Reads the markup at `open`. The outer none: it goes on beyond what is there; the inner: it says nothing.
    fn read<'h>(&mut self, html: &'h [u8], open: usize, markup: Markup) -> Option<Option<Token<'h>>> {
        let (token, end) = match markup {
            Markup::Start => {
                let (tag, end) = self.tag(html, open, open + 1)?;
                (Some(Token::Start(self.start(html, tag))), end)
            }
            Markup::End => {
                let (tag, end) = self.tag(html, open, open + 2)?;
                self.end(tag.name);
                (Some(Token::End(tag)), end)
            }
            Markup::Comment => {
                let (end, next) = comment_end(html, open + 4)?;
                (Some(Token::Comment(&html[open + 4..end])), next)
            }
            Markup::Cdata => {
                let end = open + 9 + memmem::find(html.get(open + 9..)?, b"]]>")?;
                (Some(Token::Text(&html[open + 9..end])), end + 3)
            }
            Markup::Bogus(skip) => {
                let end = open + skip + memchr(b'>', &html[open + skip..])?;
                (Some(Token::Comment(&html[open + skip..end])), end + 1)
            }
            Markup::Doctype => (None, open + memchr(b'>', &html[open..])? + 1),
            Markup::Nothing => (None, open + 3),
        };
        self.at = end;
        Some(token)
    }

    /// Reads the tag whose name starts at `start`; none if it is cut off.
    fn tag<'h>(&mut self, html: &'h [u8], open: usize, start: usize) -> Option<(Tag<'h>, usize)> {
        let is_end = |b: &u8| is_space(*b) || matches!(b, b'/' | b'>');
        let end = start + html[start..].iter().position(is_end)?;
        let label = &html[start..end];
        let (self_closing, next) = self.attributes.read(html, end);
        let foreign = self.space != Space::Html;
        Some((Tag { name: Name::of_bytes(label), label, start: open, foreign, self_closing }, next?))
    }

    /// Follows a start tag into raw text, into SVG and MathML and out of them.
    fn start<'h>(&mut self, html: &'h [u8], mut tag: Tag<'h>) -> Tag<'h> {
        let is_font = |attributes: &AttributeBuffer| {
            [&b"color"[..], b"face", b"size"].iter().any(|name| attributes.raw(html, name).is_some())
        };
        if tag.foreign && (tag.name.is(names::BREAKOUT) || tag.name == Name::FONT && is_font(&self.attributes)) {
            while self.space != Space::Html {
                self.space = self.outer.pop().unwrap_or(Space::Html);
            }
            tag.foreign = false;
        }
        let enters = match tag.name {
            Name::SVG => Some(Space::Svg),
            Name::MATH => Some(Space::Math),
            name if tag.foreign && self.holds_html(html, name) => Some(Space::Html),
            _ => None,
        };
        if let Some(space) = enters {
            tag.foreign |= space != Space::Html;
            if !tag.self_closing {
                self.outer.push(std::mem::replace(&mut self.space, space));
            }
        } else if !tag.foreign {
            self.model = model_of(tag.name, false);
            let start = tag.start + 1;
            self.raw_name = (start, start + tag.label.len());
        }
        tag
    }

    /// Whether the content of a foreign element is HTML.
    fn holds_html(&self, html: &[u8], name: Name) -> bool {
        match name {
            Name::DESC | Name::TITLE | Name::FOREIGNOBJECT => self.space == Space::Svg,
            Name::MI | Name::MO | Name::MN | Name::MS | Name::MTEXT => self.space == Space::Math,
            Name::ANNOTATION_XML => self.attributes.raw(html, b"encoding").is_some_and(|encoding| {
                [&b"text/html"[..], b"application/xhtml+xml"].iter().any(|kind| encoding.eq_ignore_ascii_case(kind))
            }),
            _ => false,
        }
    }

    /// Follows an end tag out of SVG and MathML, or back into them.
    fn end(&mut self, name: Name) {
        let leaves = match (self.space, name) {
            (Space::Svg, Name::SVG) | (Space::Math, Name::MATH) => true,
            (Space::Svg | Space::Math, Name::P | Name::BR) => true,
            (Space::Html, Name::DESC | Name::TITLE | Name::FOREIGNOBJECT) => self.outer.last() == Some(&Space::Svg),
            (Space::Html, Name::MI | Name::MO | Name::MN | Name::MS | Name::MTEXT | Name::ANNOTATION_XML) => {
                self.outer.last() == Some(&Space::Math)
            }
            _ => false,
        };
        if leaves {
            self.space = self.outer.pop().unwrap_or(Space::Html);
        }
    }
}

/// What a `<` begins.
#[derive(Clone, Copy)]
enum Markup {
    Start,
    End,
    Comment,
    Cdata,
    Doctype,
    /// What is read as a comment from so many bytes behind the `<` on.
    Bogus(usize),
    /// `</>`
    Nothing,
}

impl Markup {
    /// By what follows the `<`; none if that is text.
    fn of(rest: &[u8], space: Space) -> Option<Markup> {
        Some(match rest.first()? {
            b if b.is_ascii_alphabetic() => Markup::Start,
            b'/' => match rest.get(1)? {
                b if b.is_ascii_alphabetic() => Markup::End,
                b'>' => Markup::Nothing,
                _ => Markup::Bogus(2),
            },
            b'!' if rest.starts_with(b"!--") => Markup::Comment,
            b'!' if rest.len() >= 8 && rest[1..8].eq_ignore_ascii_case(b"doctype") => Markup::Doctype,
            b'!' if space != Space::Html && rest.starts_with(b"![CDATA[") => Markup::Cdata,
            b'!' => Markup::Bogus(2),
            b'?' => Markup::Bogus(1),
            _ => return None,
        })
    }
}
