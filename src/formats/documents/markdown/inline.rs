//! Writes one Markdown leaf (a paragraph, a heading or a table cell): its text with spans, escaped so that
//! [CommonMark](https://spec.commonmark.org/0.31.2/) and [GFM](https://github.github.com/gfm/) read back the same words.
//! The writer decides where the leaf is.

use crate::html::structure::{Picture, Span};
use std::fmt::Write as _;
use std::ops::Range;

/// The position of a leaf, as far as it affects the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Paragraph,
    /// It is in a heading: one line.
    Heading,
    /// It is in a cell of a table: one line, without pipes.
    Cell,
}

/// The pieces of a leaf, in order.
enum Piece {
    Text(Range<usize>),
    Code(Range<usize>),
    Open(Mark),
    Close(Mark),
    Image { url: String, alt: String },
    Break,
}

/// A span that is marked at both ends.
#[derive(Clone, PartialEq, Eq)]
enum Mark {
    Link(String),
    Strong,
    Emphasis,
    Deleted,
    Superscript,
    Subscript,
}

/// A leaf that is being built.
#[derive(Default)]
pub(super) struct Leaf {
    text: String,
    pieces: Vec<Piece>,
    in_code: bool,
}

/// The final marks of a span: runs of a character, or HTML tags.
#[derive(Clone, Copy)]
enum Delimiter {
    Run(char, usize),
    Tag(&'static str),
}

impl Leaf {
    pub(super) fn text(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        match self.pieces.last_mut() {
            Some(Piece::Code(range)) if self.in_code => range.end = end,
            Some(Piece::Text(range)) if range.end == start => range.end = end,
            _ if self.in_code => self.pieces.push(Piece::Code(start..end)),
            _ => self.pieces.push(Piece::Text(start..end)),
        }
    }

    pub(super) fn line_break(&mut self) {
        if self.in_code {
            self.text(" ");
        } else {
            self.pieces.push(Piece::Break);
        }
    }

    pub(super) fn image(&mut self, picture: Picture<'_>) {
        self.pieces.push(Piece::Image { url: picture.url.to_owned(), alt: picture.alt.to_owned() });
    }

    pub(super) fn open(&mut self, span: Span<'_>) {
        match mark(span) {
            Some(mark) => self.pieces.push(Piece::Open(mark)),
            None => {
                self.in_code = true;
                let end = self.text.len();
                self.pieces.push(Piece::Code(end..end));
            }
        }
    }

    pub(super) fn close(&mut self, span: Span<'_>) {
        match mark(span) {
            Some(mark) => self.pieces.push(Piece::Close(mark)),
            None => self.in_code = false,
        }
    }

    /// Returns the leaf's Markdown, whose lines end in `\n`, and empties the leaf.
    pub(super) fn take(&mut self, context: Context) -> String {
        let leaf = std::mem::take(self);
        let ends = leaf.ends();
        let mut out = String::with_capacity(leaf.text.len() + leaf.text.len() / 16 + 16);
        let mut open: Vec<Delimiter> = Vec::new();
        for (at, piece) in leaf.pieces.iter().enumerate() {
            match piece {
                Piece::Text(range) => leaf.escape(range.clone(), at, context, &mut out),
                Piece::Code(range) => write_code(&leaf.text[range.clone()], &mut out),
                Piece::Open(Mark::Link(_)) => out.push('['),
                Piece::Close(Mark::Link(url)) => {
                    out.push_str("](");
                    write_url(url, &mut out);
                    out.push(')');
                }
                Piece::Open(mark) => {
                    let delimiter = leaf.delimiter(mark, at, ends[at], &open, &out);
                    delimiter.open(&mut out);
                    open.push(delimiter);
                }
                Piece::Close(_) => {
                    if let Some(delimiter) = open.pop() {
                        delimiter.close(&mut out);
                    }
                }
                Piece::Image { url, alt } => {
                    out.push_str("![");
                    let mut words = alt.split_whitespace();
                    for (number, word) in words.by_ref().enumerate() {
                        out.push_str(if number > 0 { " " } else { "" });
                        escape_all(word, &mut out);
                    }
                    out.push_str("](");
                    write_url(url, &mut out);
                    out.push(')');
                }
                Piece::Break => out.push_str(match context {
                    Context::Paragraph => "\\\n",
                    Context::Heading => " ",
                    Context::Cell => "<br>",
                }),
            }
        }
        match context {
            Context::Paragraph => with_safe_starts(&out),
            Context::Heading => out,
            Context::Cell => out.replace('|', "\\|"),
        }
    }

    /// The number of the closing piece for each opening one. Spans are well nested.
    fn ends(&self) -> Vec<usize> {
        let mut ends = vec![self.pieces.len(); self.pieces.len()];
        let mut open = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Open(_) => open.push(at),
                Piece::Close(_) => {
                    if let Some(start) = open.pop() {
                        ends[start] = at;
                    }
                }
                _ => {}
            }
        }
        ends
    }

    /// The first character of a piece; marks count as punctuation, whatever they become.
    fn first(&self, at: usize) -> char {
        match self.pieces.get(at) {
            Some(Piece::Text(range)) => self.text[range.clone()].chars().next().unwrap_or(' '),
            Some(Piece::Code(_)) => '`',
            Some(Piece::Open(_) | Piece::Close(_)) => '[',
            Some(Piece::Image { .. }) => '!',
            Some(Piece::Break) | None => ' ',
        }
    }

    /// The last character of a piece.
    fn last(&self, at: usize) -> char {
        match self.pieces.get(at) {
            Some(Piece::Text(range)) => self.text[range.clone()].chars().next_back().unwrap_or(' '),
            _ => self.first(at),
        }
    }

    /// The marks of the span from `start` to `end`: runs of delimiters if
    /// [both flank](https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run) its text and no neighbouring character
    /// could be taken for a part of them, or else tags.
    fn delimiter(&self, mark: &Mark, start: usize, end: usize, open: &[Delimiter], out: &str) -> Delimiter {
        let (runs, tag): (&[(char, usize)], _) = match mark {
            Mark::Strong => (&[('*', 2), ('_', 2)], "strong"),
            Mark::Emphasis => (&[('*', 1), ('_', 1)], "em"),
            Mark::Deleted => (&[('~', 2)], "del"),
            Mark::Superscript => (&[], "sup"),
            Mark::Subscript => (&[], "sub"),
            Mark::Link(_) => (&[], "a"),
        };
        let before = out.chars().next_back().unwrap_or('\n');
        let (inner_first, inner_last, after) = (self.first(start + 1), self.last(end - 1), self.first(end + 1));
        let around =
            |char: char| open.iter().any(|delimiter| matches!(delimiter, Delimiter::Run(other, _) if *other == char));
        let fits = |char: char| {
            let opens = flanks(before, inner_first);
            let closes = flanks(after, inner_last);
            // Within a word, _ is not a mark.
            let word = char == '_' && !(is_edge(before) && is_edge(after));
            opens && closes && !word && before != char && !around(char)
        };
        let run = runs.iter().find(|(char, _)| fits(*char));
        run.map_or(Delimiter::Tag(tag), |(char, length)| Delimiter::Run(*char, *length))
    }

    /// Appends text; `at` is the number of its piece.
    fn escape(&self, range: Range<usize>, at: usize, context: Context, out: &mut String) {
        let text = &self.text[range];
        let mut before = out.chars().next_back();
        for (start, char) in text.char_indices() {
            let rest = &text[start..];
            let next = rest[char.len_utf8()..].chars().next();
            let is_markup = match char {
                '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
                '_' => !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
                '&' => is_reference(rest),
                // `!` would begin an image.
                '!' => next.is_none() && matches!(self.pieces.get(at + 1), Some(Piece::Open(Mark::Link(_)))),
                '#' => context == Context::Heading,
                _ => false,
            };
            if is_markup {
                out.push('\\');
            }
            out.push(char);
            before = Some(char);
        }
    }
}

impl Delimiter {
    fn open(self, out: &mut String) {
        match self {
            Delimiter::Run(char, length) => out.extend(std::iter::repeat_n(char, length)),
            Delimiter::Tag(name) => drop(write!(out, "<{name}>")),
        }
    }

    fn close(self, out: &mut String) {
        match self {
            Delimiter::Run(..) => self.open(out),
            Delimiter::Tag(name) => drop(write!(out, "</{name}>")),
        }
    }
}

fn mark(span: Span<'_>) -> Option<Mark> {
    Some(match span {
        Span::Link(url) => Mark::Link(url.to_owned()),
        Span::Strong => Mark::Strong,
        Span::Emphasis => Mark::Emphasis,
        Span::Deleted => Mark::Deleted,
        Span::Superscript => Mark::Superscript,
        Span::Subscript => Mark::Subscript,
        Span::Code => return None,
    })
}

/// Whether a character is certainly white space or punctuation.
fn is_edge(char: char) -> bool {
    char.is_whitespace() || char.is_ascii_punctuation()
}

/// Whether a run between `outside` and `inside` flanks `inside`, whichever other characters Unicode counts as punctuation.
fn flanks(outside: char, inside: char) -> bool {
    !inside.is_whitespace() && (inside.is_alphanumeric() || is_edge(outside))
}

/// Whether text that begins with `&` could be read as a [character
/// reference](https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references).
fn is_reference(text: &str) -> bool {
    const LONGEST: usize = 40;
    let name = text.bytes().skip(1).take(LONGEST).take_while(|b| *b == b'#' || b.is_ascii_alphanumeric()).count();
    name > 0 && matches!(text.as_bytes().get(1 + name), None | Some(b';'))
}

/// Appends a word, with every character escaped that could be markup.
fn escape_all(word: &str, out: &mut String) {
    for char in word.chars() {
        if matches!(char, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '~' | '!') {
            out.push('\\');
        }
        out.push(char);
    }
}

/// The length of the longest run of backticks.
pub(super) fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or(0)
}

fn write_code(text: &str, out: &mut String) {
    if text.is_empty() {
        return;
    }
    let fence = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    // A backtick just before it would lengthen the fence.
    let space = if out.ends_with('`') { "<!-- -->" } else { "" };
    let _ = write!(out, "{space}{fence}{pad}{text}{pad}{fence}");
}

/// Appends a URL as the destination of a link.
fn write_url(url: &str, out: &mut String) {
    for (at, char) in url.char_indices() {
        match char {
            '(' | ')' => {
                out.push('\\');
                out.push(char);
            }
            '\\' | '<' | '>' | '`' | '|' => {
                let _ = write!(out, "%{:02X}", char as u32);
            }
            '&' if is_reference(&url[at..]) => out.push_str("&amp;"),
            char if char.is_ascii_control() || char == ' ' => {
                let _ = write!(out, "%{:02X}", char as u32);
            }
            char => out.push(char),
        }
    }
}

/// The lines of a paragraph, escaped where one would begin another block.
fn with_safe_starts(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        match start_of_block(line) {
            Some(at) => {
                out.push_str(&line[..at]);
                out.push('\\');
                out.push_str(&line[at..]);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// The position, in a line that begins like a block, of the character that makes it one.
fn start_of_block(line: &str) -> Option<usize> {
    let end = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '\\']);
    let bytes = line.as_bytes();
    match bytes.first()? {
        b'>' | b'#' => Some(0),
        b'-' | b'+' if end(&line[1..]) => Some(0),
        // The underline of a heading, a thematic break, or the second line of a table.
        b'-' | b'=' | b':' | b'|' if line.bytes().all(|b| b"-=:| \t\\".contains(&b)) => Some(0),
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
            let is_item = matches!(bytes.get(digits), Some(b'.' | b')')) && end(&line[digits + 1..]);
            is_item.then_some(digits)
        }
        _ => None,
    }
}
