//! Parses the CSS declarations in a `style` attribute, as far as they affect line breaks and visibility.

use super::WhiteSpace;
use memchr::{memchr, memmem};
use std::borrow::Cow;

/// The values of `display` that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Display {
    None,
    Inline,
    InlineFlex,
    Block,
    Flex,
    Cell,
    /// It has no box of its own.
    Contents,
    Inherit,
    /// It is displayed as in the browser's default style sheet.
    Default,
}

/// The declarations of one `style` attribute, each with whether it is `!important`.
#[derive(Default)]
pub(super) struct Declared {
    pub(super) display: Option<(Display, bool)>,
    pub(super) float: Option<(bool, bool)>,
    pub(super) position: Option<(bool, bool)>,
    pub(super) visible: Option<(bool, bool)>,
    pub(super) white_space: Option<(WhiteSpace, bool)>,
    pub(super) skipped: Option<(bool, bool)>,
}

impl Declared {
    pub(super) fn read(style: &str) -> Declared {
        let mut declared = Declared::default();
        for declaration in declarations(style) {
            let declaration = without_comments(declaration);
            if let Some(colon) = memchr(b':', declaration.as_bytes()) {
                declared.take(declaration[..colon].trim_ascii(), &declaration[colon + 1..]);
            }
        }
        declared
    }

    /// Applies one declaration if it is valid and not overridden by an earlier important one.
    fn take(&mut self, property: &str, value: &str) {
        const PROPERTIES: [&str; 6] =
            ["display", "float", "position", "visibility", "white-space", "content-visibility"];
        let Some(property) = PROPERTIES.iter().position(|p| p.eq_ignore_ascii_case(property)) else {
            return;
        };
        let mut value = value.trim().to_ascii_lowercase();
        let mut important = false;
        if let Some((before, _)) = value.rsplit_once('!').filter(|(_, word)| word.trim() == "important") {
            important = true;
            value = before.trim_end().to_owned();
        }
        // A value with a variable is valid, but the variable has no value here: the property is unset.
        let value = if value.contains("var(") { "unset" } else { value.as_str() };
        match property {
            0 => put(&mut self.display, display(value), important),
            1 => put(&mut self.float, float(value), important),
            2 => put(&mut self.position, position(value), important),
            3 => put(&mut self.visible, visible(value), important),
            4 => put(&mut self.white_space, white_space(value), important),
            _ => put(&mut self.skipped, skipped(value), important),
        }
    }
}

fn put<T>(place: &mut Option<(T, bool)>, value: Option<T>, important: bool) {
    if let Some(value) = value.filter(|_| important || !matches!(place, Some((_, true)))) {
        *place = Some((value, important));
    }
}

fn display(value: &str) -> Option<Display> {
    Some(match value {
        "none" => Display::None,
        "inline" | "inline-block" | "inline-table" | "initial" | "unset" | "ruby" | "ruby-base" | "ruby-text"
        | "math" | "inline flow" | "inline flow-root" | "inline table" | "flow" | "inline math" | "block ruby"
        | "table-row-group" | "table-header-group" | "table-footer-group" | "table-column" | "table-column-group" => {
            Display::Inline
        }
        "inline-flex"
        | "inline-grid"
        | "-webkit-inline-flex"
        | "-webkit-inline-box"
        | "inline flex"
        | "inline grid" => Display::InlineFlex,
        "block" | "list-item" | "table" | "flow-root" | "table-row" | "table-caption" | "block flow"
        | "block flow-root" | "block table" | "list-item block" | "block list-item" => Display::Block,
        "flex" | "grid" | "-webkit-flex" | "-webkit-box" | "block flex" | "block grid" => Display::Flex,
        "table-cell" => Display::Cell,
        "contents" => Display::Contents,
        "inherit" => Display::Inherit,
        "revert" | "revert-layer" => Display::Default,
        _ => return None,
    })
}

fn float(value: &str) -> Option<bool> {
    match value {
        "left" | "right" | "inline-start" | "inline-end" => Some(true),
        "none" | "initial" | "inherit" | "unset" | "revert" => Some(false),
        _ => None,
    }
}

fn position(value: &str) -> Option<bool> {
    match value {
        "absolute" | "fixed" => Some(true),
        "static" | "relative" | "sticky" | "-webkit-sticky" | "initial" | "inherit" | "unset" | "revert" => Some(false),
        _ => None,
    }
}

fn visible(value: &str) -> Option<bool> {
    match value {
        "visible" | "initial" => Some(true),
        "hidden" | "collapse" => Some(false),
        _ => None,
    }
}

fn white_space(value: &str) -> Option<WhiteSpace> {
    match value {
        "normal" | "nowrap" | "initial" => Some(WhiteSpace::Collapse),
        "pre" | "pre-wrap" | "break-spaces" | "-moz-pre-wrap" => Some(WhiteSpace::Preserve),
        "pre-line" => Some(WhiteSpace::Lines),
        _ => None,
    }
}

fn skipped(value: &str) -> Option<bool> {
    match value {
        "hidden" => Some(true),
        "visible" | "auto" | "initial" => Some(false),
        _ => None,
    }
}

/// The declarations: split at every `;` outside comments, strings, URLs and brackets.
fn declarations(style: &str) -> impl Iterator<Item = &str> {
    let mut rest = style;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (declaration, tail) = rest.split_at(declaration_end(rest.as_bytes()));
        rest = tail.strip_prefix(';').unwrap_or(tail);
        Some(declaration)
    })
}

fn declaration_end(style: &[u8]) -> usize {
    // Most declarations have nothing that could hide a semicolon.
    let is_special = |byte: &u8| matches!(byte, b';' | b'\\' | b'"' | b'\'' | b'/' | b'(' | b'[' | b'{');
    match style.iter().position(is_special) {
        None => return style.len(),
        Some(end) if style[end] == b';' => return end,
        Some(_) => {}
    }
    // the closing characters of the open brackets; any other closing bracket is an ordinary character
    let mut closers = Vec::new();
    let mut at = 0;
    while let Some(&byte) = style.get(at) {
        at = match byte {
            b';' if closers.is_empty() => return at,
            b'\\' => at + 2,
            b'"' | b'\'' => string_end(style, at),
            b'/' if style[at..].starts_with(b"/*") => comment_end(style, at),
            b'(' if at >= 3 && style[at - 3..at].eq_ignore_ascii_case(b"url") => url_end(style, at),
            _ => {
                match byte {
                    b'(' => closers.push(b')'),
                    b'[' => closers.push(b']'),
                    b'{' => closers.push(b'}'),
                    _ if closers.last() == Some(&byte) => drop(closers.pop()),
                    _ => {}
                }
                at + 1
            }
        };
    }
    style.len()
}

/// The position after the string whose quote is at `start`; the same quote ends it, or the end of the line.
fn string_end(style: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = style.get(at) {
        at += 1 + usize::from(byte == b'\\');
        if byte == style[start] || byte == b'\n' {
            return at;
        }
    }
    style.len()
}

fn comment_end(style: &[u8], start: usize) -> usize {
    memmem::find(&style[start + 2..], b"*/").map_or(style.len(), |at| start + 2 + at + 2)
}

/// The position after the URL whose bracket opens at `start`: without quotes, everything up to the first unescaped `)`
/// is part of it.
fn url_end(style: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while style.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    if let Some(b'"' | b'\'') = style.get(at) {
        at = string_end(style, at);
    }
    while let Some(&byte) = style.get(at) {
        at += 1 + usize::from(byte == b'\\');
        if byte == b')' {
            return at;
        }
    }
    style.len()
}

/// The declaration with spaces in place of comments, which separate tokens just the same.
fn without_comments(declaration: &str) -> Cow<'_, str> {
    if !declaration.as_bytes().contains(&b'*') {
        return declaration.into();
    }
    let (mut out, mut taken, mut at) = (String::new(), 0, 0);
    let bytes = declaration.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'\\' => at + 2,
            b'"' | b'\'' => string_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => {
                out.push_str(&declaration[taken..at]);
                out.push(' ');
                taken = comment_end(bytes, at);
                taken
            }
            _ => at + 1,
        };
    }
    out.push_str(&declaration[taken..]);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{Extractor, Options};

    fn text(style: &str) -> String {
        Extractor::new(Options::default()).text(&format!("<p style=\"{style}\">x"))
    }

    #[test]
    fn text_in_a_string_is_not_a_declaration() {
        assert_eq!(text("--x:'a;display:none;b'"), "x");
        assert_eq!(text("--x:'it\\'s;display:none'"), "x");
        assert_eq!(text("--x:'&quot;;display:none'"), "x");
        assert_eq!(text("background:url(it's;display:none)"), "x");
        assert_eq!(text("background:url( 'a)' ;display:none)"), "x");
        assert_eq!(text("--x:(;display:none])"), "x");
    }

    #[test]
    fn what_a_string_holds_opens_and_ends_nothing() {
        assert_eq!(text("quotes:'(';display:none"), "");
        assert_eq!(text("quotes:'&quot;';display:none"), "");
        assert_eq!(text("--x:'/*';display:none/*'*/"), "");
        assert_eq!(text("--x:a);display:none"), "");
        assert_eq!(text("--x:\\';display:none"), "");
        assert_eq!(text("--x:'cut\n;display:none"), "");
        assert_eq!(text("background:url(it's);display:none"), "");
    }

    #[test]
    fn comments_separate() {
        assert_eq!(text("/*;*/display/* a */:/**/none/*"), "");
        assert_eq!(text("dis/**/play:none"), "x");
    }

    #[test]
    fn any_style_is_cut_within_its_characters() {
        for style in ["\\", "'\\", "é\\é;'é\\", "url(\\", "/*", "url(", "\\é/*'é*/", "/*é"] {
            assert_eq!(
                declarations(style).map(without_comments).count(),
                1 + usize::from(style.contains(';')),
                "{style}"
            );
        }
    }
}
