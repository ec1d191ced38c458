//! Tokenizes raw text: the contents of script, style, title, textarea and the like, up to the end tag of the same name.
//! SVG and MathML have no raw text: `elements` knows in which of them a tag is.

use super::{Text, TextKind, Token, Tokenizer, is_space};
use crate::html::names::Name;
use memchr::{memchr, memchr2};

/// The tokenizer's content model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    Data,
    /// Character references are decoded: title, textarea.
    Rcdata,
    /// Character references stay as written: style, iframe, xmp, noembed, noframes, noscript.
    Rawtext,
    /// Like raw text, but `<!--` hides one level of `<script>`.
    Script,
    /// The whole rest of the input.
    Plaintext,
}

impl Model {
    /// The model for the content of `name`. Without scripts, noscript contains elements.
    pub(crate) fn of(name: Name, noscript_is_tree: bool) -> Model {
        match name {
            Name::SCRIPT => Model::Script,
            Name::TITLE | Name::TEXTAREA => Model::Rcdata,
            Name::STYLE | Name::IFRAME | Name::XMP | Name::NOEMBED | Name::NOFRAMES => Model::Rawtext,
            Name::NOSCRIPT if !noscript_is_tree => Model::Rawtext,
            Name::PLAINTEXT => Model::Plaintext,
            _ => Model::Data,
        }
    }
}

impl<'a> Tokenizer<'a> {
    /// The text up to the end tag, then that tag.
    pub(super) fn next_raw(&mut self) -> Option<Token<'a>> {
        let start = self.at;
        let end = match self.model {
            Model::Plaintext => self.html.len(),
            model => raw_text_end(self.html.as_bytes(), start, self.raw_name.as_bytes(), model),
        };
        let kind = if self.model == Model::Rcdata { TextKind::Rcdata } else { TextKind::Raw };
        self.model = Model::Data;
        self.at = end;
        // The end tag is read at once: in the data state it is an ordinary tag.
        let tag = if end < self.html.len() { self.tag(end, end + 2).map(Token::End) } else { None };
        if start == end {
            return tag.or_else(|| if self.at < self.html.len() { self.next() } else { None });
        }
        self.held = tag;
        Some(Token::Text(Text { raw: &self.html[start..end], kind }))
    }
}

/// The position of the end tag `name` for the raw text that begins at `from`, else the end of the input.
pub(super) fn raw_text_end(bytes: &[u8], mut from: usize, name: &[u8], model: Model) -> usize {
    if model == Model::Script {
        return script_end(bytes, from, name);
    }
    while let Some(n) = memchr(b'<', &bytes[from..]) {
        let open = from + n;
        if bytes.get(open + 1) == Some(&b'/') && starts_with_name(&bytes[open + 2..], name) {
            return open;
        }
        from = open + 1;
    }
    bytes.len()
}

/// Like [`raw_text_end`], for a script, in which `<!-- <script> </script> -->` hides an end tag.
fn script_end(bytes: &[u8], start: usize, name: &[u8]) -> usize {
    let mut from = start;
    // The position of the current comment's dashes, and whether a script was opened in it.
    let mut escaped: Option<(usize, bool)> = None;
    loop {
        // A `>` counts only in a comment, and is a frequent byte.
        let found = if escaped.is_some() { memchr2(b'<', b'>', &bytes[from..]) } else { memchr(b'<', &bytes[from..]) };
        let Some(n) = found else { return bytes.len() };
        let at = from + n;
        let rest = &bytes[at + 1..];
        from = at + 1;
        match escaped {
            Some((dashes, _)) if bytes[at] == b'>' && at >= dashes + 2 && bytes[..at].ends_with(b"--") => {
                escaped = None;
            }
            Some((dashes, true)) if rest.first() == Some(&b'/') && starts_with_name(&rest[1..], b"script") => {
                escaped = Some((dashes, false));
            }
            _ if rest.first() == Some(&b'/') && starts_with_name(&rest[1..], name) => {
                return at;
            }
            None if rest.starts_with(b"!--") => escaped = Some((at + 2, false)),
            Some((dashes, false)) if starts_with_name(rest, b"script") => escaped = Some((dashes, true)),
            _ => {}
        }
    }
}

/// Whether `rest` starts with `name` in any case and something that ends a tag's name.
fn starts_with_name(rest: &[u8], name: &[u8]) -> bool {
    rest.len() > name.len()
        && rest[..name.len()].eq_ignore_ascii_case(name)
        && (is_space(rest[name.len()]) || matches!(rest[name.len()], b'/' | b'>'))
}
