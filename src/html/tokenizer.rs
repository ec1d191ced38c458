//! Splits HTML into tokens with the [WHATWG
//! tokenizer](https://html.spec.whatwg.org/multipage/parsing.html#tokenization). Every token is a slice of the input,
//! decoded on request; `elements` interprets sequences of tokens.

mod attributes;
mod doctype;
mod lanes;
mod raw;
mod references;
#[cfg(test)]
mod tests;

pub(crate) use attributes::{Attributes, decode};
pub(crate) use doctype::Doctype;
pub(crate) use raw::Model;
pub(crate) use references::{Nul, Text, TextKind};

use super::names::{Name, OTHER};
use attributes::Spans;
use memchr::{memchr, memmem};

/// One token. Parse errors are not reported: a reader sees the page in spite of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'a> {
    Text(Text<'a>),
    Start(Tag<'a>),
    End(Tag<'a>),
    /// The comment as written (line ends and NUL not yet normalised).
    Comment(Text<'a>),
    Doctype(Doctype<'a>),
}

/// A tag; the tokenizer holds its attributes until the next token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'a> {
    /// The name as written, in any case.
    pub name: &'a str,
    /// The name as a number.
    pub id: Name,
    /// The position of the `<`, from which [`Tokenizer::tag_again`] reads the attributes again.
    pub offset: usize,
    /// Whether it ends in `/>`, which matters only in SVG and MathML.
    pub self_closing: bool,
}

/// The tokenizer: like an iterator, but it owns the current tag's attributes.
pub(crate) struct Tokenizer<'a> {
    html: &'a str,
    at: usize,
    model: Model,
    /// The name of the start tag that began raw text.
    raw_name: &'a str,
    /// A token that was read together with the text before it.
    held: Option<Token<'a>>,
    spans: Spans,
    /// Whether the current node is SVG or MathML, where `<![CDATA[` is not a comment.
    pub(crate) foreign: bool,
    #[cfg(test)]
    pub(crate) steps: usize,
}

/// Whether a byte is HTML's white space, or CR, which the preprocessing of input would have made LF.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

impl<'a> Tokenizer<'a> {
    /// Creates a tokenizer in the data state. `spans` is a buffer; [`Tokenizer::into_spans`] returns it for the next
    /// run.
    pub(crate) fn new(html: &'a str, mut spans: AttributeBuffer) -> Self {
        spans.0.clear();
        Tokenizer {
            html,
            at: 0,
            model: Model::Data,
            raw_name: "",
            held: None,
            spans: spans.0,
            foreign: false,
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Passes the attributes of each start tag with this name to `take`.
    pub(crate) fn each(html: &'a str, name: Name, mut take: impl FnMut(Attributes<'_, 'a>)) {
        let mut tokenizer = Tokenizer::new(html, AttributeBuffer::default());
        while let Some(token) = tokenizer.next() {
            if let Token::Start(tag) = token
                && tag.id == name
            {
                take(tokenizer.attributes());
            }
        }
    }

    /// Returns the buffer.
    pub(crate) fn into_spans(self) -> AttributeBuffer {
        AttributeBuffer(self.spans)
    }

    /// The attributes of the last tag.
    pub(crate) fn attributes(&self) -> Attributes<'_, 'a> {
        Attributes::new(self.html, &self.spans)
    }

    /// Reads an earlier start tag again. Returns it and where it ends; the position in the input stays.
    pub(crate) fn tag_again(&mut self, offset: usize) -> Option<(Tag<'a>, usize)> {
        let at = self.at;
        let tag = self.tag(offset, offset + 1);
        let end = self.at;
        self.at = at;
        tag.map(|tag| (tag, end))
    }

    /// The position of the input not yet read.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Switches to raw text after the start tag `name` (script, style, title, textarea …).
    pub(crate) fn raw_text(&mut self, name: &'a str, model: Model) {
        self.model = model;
        self.raw_name = name;
    }

    /// The whole input.
    pub(crate) fn input(&self) -> &'a str {
        self.html
    }

    /// The next token; `None` at the end of the input.
    // Inlined: passing the token through memory and reassembling it stalled each call a dozen times.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Token<'a>> {
        #[cfg(test)]
        {
            self.steps += 1;
        }
        if self.held.is_some() {
            return self.held.take();
        }
        if self.model != Model::Data {
            return self.next_raw();
        }
        let bytes = self.html.as_bytes();
        let mut start = self.at;
        let (mut from, mut plain) = (start, true);
        loop {
            let (open, is_plain) = lanes::text_end(bytes, from);
            plain &= is_plain;
            if open == bytes.len() {
                self.at = open;
                return (start < open).then(|| self.text(start, open, plain));
            }
            from = open + 1;
            if open > start {
                if begins_markup(&bytes[from..]) {
                    self.at = open;
                    return Some(self.text(start, open, plain));
                }
                continue;
            }
            match self.markup(open) {
                Markup::Token(token) => return Some(token),
                Markup::Nothing => (start, from, plain) = (self.at, self.at, true),
                Markup::Text => {}
            }
        }
    }

    #[inline(always)]
    fn text(&self, start: usize, end: usize, plain: bool) -> Token<'a> {
        let kind = if plain { TextKind::Plain } else { TextKind::Data };
        Token::Text(Text { raw: &self.html[start..end], kind })
    }

    /// Reads markup, beginning with a `<`, in the data state.
    #[inline(always)]
    fn markup(&mut self, open: usize) -> Markup<'a> {
        let bytes = self.html.as_bytes();
        let closes = bytes.get(open + 1) == Some(&b'/');
        let start = open + 1 + usize::from(closes);
        if !bytes.get(start).is_some_and(u8::is_ascii_alphabetic) {
            return self.no_tag(open);
        }
        match self.tag(open, start) {
            Some(tag) if closes => Markup::Token(Token::End(tag)),
            Some(tag) => Markup::Token(Token::Start(tag)),
            None => Markup::Nothing,
        }
    }

    /// Reads markup beginning with a `<` that is not followed by a tag's name.
    fn no_tag(&mut self, open: usize) -> Markup<'a> {
        let bytes = self.html.as_bytes();
        match bytes.get(open + 1) {
            Some(b'/') => match bytes.get(open + 2) {
                Some(b'>') => {
                    self.at = open + 3;
                    Markup::Nothing
                }
                Some(_) => Markup::Token(self.bogus_comment(open + 2)),
                None => Markup::Text,
            },
            Some(b'!') => Markup::Token(self.declaration(open + 2)),
            Some(b'?') => Markup::Token(self.bogus_comment(open + 1)),
            _ => Markup::Text,
        }
    }

    /// Reads markup after `<!`.
    fn declaration(&mut self, at: usize) -> Token<'a> {
        let rest = &self.html.as_bytes()[at..];
        if rest.starts_with(b"--") {
            return self.comment(at + 2);
        }
        if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            let (doctype, end) = doctype::read(self.html, at + 7);
            self.at = end;
            return Token::Doctype(doctype);
        }
        if self.foreign && rest.starts_with(b"[CDATA[") {
            return self.cdata(at + 7);
        }
        self.bogus_comment(at)
    }

    fn cdata(&mut self, start: usize) -> Token<'a> {
        let rest = &self.html.as_bytes()[start..];
        let (end, next) =
            memmem::find(rest, b"]]>").map_or((self.html.len(), self.html.len()), |n| (start + n, start + n + 3));
        self.at = next;
        Token::Text(Text { raw: &self.html[start..end], kind: TextKind::Cdata })
    }

    fn bogus_comment(&mut self, start: usize) -> Token<'a> {
        let end = memchr(b'>', &self.html.as_bytes()[start..]).map_or(self.html.len(), |n| start + n);
        self.at = (end + 1).min(self.html.len());
        Token::Comment(Text { raw: &self.html[start..end], kind: TextKind::Raw })
    }

    fn comment(&mut self, start: usize) -> Token<'a> {
        let bytes = self.html.as_bytes();
        if let Some((end, next)) = comment_end(bytes, start) {
            self.at = next;
            return Token::Comment(Text { raw: &self.html[start..end], kind: TextKind::Raw });
        }
        self.at = bytes.len();
        let body = &self.html[start..];
        let cut = ["--!", "--", "-"].iter().find(|end| body.ends_with(**end)).map_or(0, |end| end.len());
        Token::Comment(Text { raw: &body[..body.len() - cut], kind: TextKind::Raw })
    }

    /// Reads a tag whose name starts at `start`, and its attributes; `None` if the input ends in it.
    #[inline(always)]
    fn tag(&mut self, offset: usize, start: usize) -> Option<Tag<'a>> {
        let bytes = self.html.as_bytes();
        let (at, id) = match lanes::tag_name(bytes, start) {
            Some((chunk, length)) => (start + length, Name::of_chunk(chunk, length)),
            None => self.long_name(start),
        };
        let name = &self.html[start..at];
        if bytes.get(at) == Some(&b'>') {
            self.spans.clear();
            self.at = at + 1;
            return Some(Tag { name, id, offset, self_closing: false });
        }
        let (self_closing, end) = attributes::read(bytes, at, &mut self.spans);
        self.at = end.unwrap_or(bytes.len());
        end.map(|_| Tag { name, id, offset, self_closing })
    }

    /// The end and the number of a tag's name that is long or near the end of the input.
    fn long_name(&self, start: usize) -> (usize, Name) {
        let rest = &self.html[start..];
        let ends = |byte: u8| is_space(byte) || matches!(byte, b'/' | b'>');
        let length = rest.bytes().position(ends).unwrap_or(rest.len());
        (start + length, if length <= 16 { Name::of(&rest[..length]) } else { OTHER })
    }
}

/// Where the comment whose text starts at `start` ends, and where the input continues; `None` if it has no end. It ends
/// at `-->`, at `--!>`, and right at its start at `>` or `->`.
pub(crate) fn comment_end(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let mut from = start;
    while let Some(n) = memchr(b'>', &bytes[from..]) {
        let close = from + n;
        let body = &bytes[start..close];
        let cut = match body {
            [] | [b'-'] => Some(body.len()),
            _ if body.ends_with(b"--") => Some(2),
            _ if body.ends_with(b"--!") => Some(3),
            _ => None,
        };
        if let Some(cut) = cut {
            return Some((close - cut, close + 1));
        }
        from = close + 1;
    }
    None
}

/// The result of reading at a `<`.
enum Markup<'a> {
    Token(Token<'a>),
    Nothing,
    Text,
}

/// A reusable buffer of a tokenizer: the positions of a tag's attributes.
#[derive(Default)]
pub(crate) struct AttributeBuffer(Spans);

/// Whether a `<` before `rest` ends the text before it.
fn begins_markup(rest: &[u8]) -> bool {
    match rest.first() {
        Some(b'/') => rest.len() > 1,
        Some(b) => b.is_ascii_alphabetic() || matches!(b, b'!' | b'?'),
        None => false,
    }
}
