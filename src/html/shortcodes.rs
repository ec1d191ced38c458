//! Removes WordPress shortcodes left behind by deactivated plugins from a text: the tags, not the text that they
//! enclose. Grammar: WordPress'
//! [`get_shortcode_regex`](https://developer.wordpress.org/reference/functions/get_shortcode_regex/) and
//! [`shortcode_parse_atts`](https://developer.wordpress.org/reference/functions/shortcode_parse_atts/).
//!
//! WordPress knows which names are registered, wpipe does not: `[sic]`, `[1]` and `[citation needed]` belong to the
//! author. A bracket is therefore a shortcode only if it has an attribute (`name=value`), is self-closing, has an
//! underscore in its name (`vc_row`, `et_pb_text`), if it has a URL (`[youtube=https://…]`, as WordPress.com writes it), or if a closing tag
//! for its name occurs somewhere in the text.

use memchr::memchr;
use std::collections::HashSet;

/// A bracket that has the grammar of a shortcode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortcodeTag<'a> {
    pub(crate) name: &'a str,
    pub(crate) closes: bool,
    /// Whether it is a shortcode, whatever its name.
    certain: bool,
    /// The byte after the `]`.
    pub(crate) end: usize,
}

/// Removes the shortcodes in `text`, and the lines and spaces that they leave empty.
pub(crate) fn strip(text: &str) -> Option<String> {
    memchr(b'[', text.as_bytes())?;
    let closed: HashSet<&str> = tags(text).filter(|(_, tag)| tag.closes).map(|(_, tag)| tag.name).collect();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, tag) in tags(text) {
        if !(tag.certain || tag.closes || closed.contains(tag.name)) {
            continue;
        }
        // Authors write `[[tag]]` to show a tag as text.
        let escaped = text[..at].ends_with('[') && text[tag.end..].starts_with(']');
        if escaped && at > from {
            out.push_str(&text[from..at - 1]);
            out.push_str(&text[at..tag.end]);
            from = tag.end + 1;
        } else {
            out.push_str(&text[from..at]);
            from = tag.end;
            // Of the spaces on both sides, one remains.
            from += usize::from(out.ends_with(' ') && text[from..].starts_with(' '));
        }
    }
    if from == 0 {
        return None;
    }
    out.push_str(&text[from..]);
    Some(tidy(&out))
}

/// Trims the ends of lines and removes empty ones.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n').map(str::trim_end).filter(|line| !line.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(if out.is_empty() || !line.starts_with(' ') { line.trim_start() } else { line });
    }
    out
}

/// All brackets that could be shortcodes, with their positions.
pub(crate) fn tags(text: &str) -> impl Iterator<Item = (usize, ShortcodeTag<'_>)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(found) = memchr(b'[', &text.as_bytes()[from..]) {
            let at = from + found;
            from = at + 1;
            if let Some(tag) = tag(text, at) {
                from = tag.end;
                return Some((at, tag));
            }
        }
        None
    })
}

/// The tag at the `[` at `at`.
fn tag(text: &str, at: usize) -> Option<ShortcodeTag<'_>> {
    let bytes = text.as_bytes();
    let closes = bytes.get(at + 1) == Some(&b'/');
    let start = at + 1 + usize::from(closes);
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let length = bytes[start..].iter().take_while(|b| is_name(b)).count();
    let name = &text[start..start + length];
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let close = end_of_attributes(&bytes[start + length..])?;
    let attributes = &text[start + length..start + length + close];
    let end = start + length + close + 1;
    if closes {
        return attributes.trim().is_empty().then_some(ShortcodeTag { name, closes, certain: true, end });
    }
    let (attributes, closes_itself) = match attributes.strip_suffix('/') {
        Some(attributes) => (attributes, true),
        None => (attributes, false),
    };
    let url = attributes.strip_prefix('=').map(|url| url.trim_start_matches(is_quote));
    let is_url =
        |url: &str| (url.starts_with("http://") || url.starts_with("https://")) && !url.contains(char::is_whitespace);
    let named = url.is_some_and(is_url) || has_only_attributes(attributes)?;
    Some(ShortcodeTag { name, closes, certain: closes_itself || named || name.contains('_'), end })
}

/// The most brackets in the values of a tag. This limit keeps the total cost linear.
const BRACKETS: usize = 16;

/// The place of the `]` that ends a tag. A tag has brackets in values only, between straight quotes on one line.
fn end_of_attributes(bytes: &[u8]) -> Option<usize> {
    let (mut from, mut brackets) = (0, 0);
    while brackets <= BRACKETS {
        let at = from + memchr::memchr3(b'[', b']', b'=', &bytes[from..])?;
        match bytes[at] {
            b']' => return Some(at),
            b'[' => return None,
            _ => from = at + 1,
        }
        if let Some(quote @ (b'"' | b'\'')) = bytes.get(from)
            && let Some(end) = memchr::memchr2(*quote, b'\n', &bytes[from + 1..])
            && bytes[from + 1 + end] == *quote
        {
            let value = &bytes[from + 1..from + 1 + end];
            brackets += memchr::memchr2_iter(b'[', b']', value).count();
            from += end + 2;
        }
    }
    None
}

/// Whether one of the attributes has a name; `None` if the text is not a list of attributes.
fn has_only_attributes(text: &str) -> Option<bool> {
    let mut named = false;
    let mut rest = text;
    if !rest.is_empty() && !rest.starts_with(|c: char| c.is_whitespace()) {
        return None;
    }
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(named);
        }
        let name = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
        let value = rest[name..].trim_start().strip_prefix('=').filter(|_| name > 0);
        named |= value.is_some();
        rest = value.map_or(rest, str::trim_start);
        let quote = rest.chars().next().filter(|c| is_quote(*c));
        rest = match quote {
            Some(quote) => rest[quote.len_utf8()..].split_once(is_quote)?.1,
            None => rest.find(|c: char| c.is_whitespace()).map_or("", |end| &rest[end..]),
        };
    }
}

/// Whether a character is a quote, including those that wptexturize makes of straight ones in unregistered shortcodes.
fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '″' | '′' | '»' | '«')
}
