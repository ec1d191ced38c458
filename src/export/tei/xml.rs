//! Well-formed XML for any text: escaping, names, references. The writers decide on the elements.

use std::fmt::Write as _;

/// The character as it may stand in [XML 1.0](https://www.w3.org/TR/xml/#charsets): what may not is dropped, and what
/// separates words there is a blank.
fn allowed(char: char) -> Option<char> {
    match char {
        '\t' | '\n' => Some(char),
        '\r' => Some('\n'),
        '\u{b}' | '\u{c}' => Some(' '),
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => None,
        _ => Some(char),
    }
}

/// Appends character data.
pub(super) fn text(words: &str, out: &mut String) {
    for char in words.chars().filter_map(allowed) {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            char => out.push(char),
        }
    }
}

/// Appends an attribute, a blank before it.
pub(super) fn attribute(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, " {name}=\"");
    for char in value.chars().filter_map(allowed) {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            char => out.push(char),
        }
    }
    out.push('"');
}

/// Appends an element that holds words; nothing without words.
pub(super) fn element(name: &str, words: Option<&str>, out: &mut String) {
    if let Some(words) = words.filter(|words| !words.trim().is_empty()) {
        let _ = write!(out, "<{name}>");
        text(words, out);
        let _ = write!(out, "</{name}>");
    }
}

/// A name for `xml:id`: letters, digits, `-` and `.` of ASCII stay, all other bytes become `_XX`, and so does a first one
/// that no [NCName](https://www.w3.org/TR/xml-names/#NT-NCName) begins with. Different words have different names.
pub(super) fn name(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for (number, byte) in words.bytes().enumerate() {
        if byte.is_ascii_alphabetic() || (number > 0 && (byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "_{byte:02X}");
        }
    }
    out
}

/// A URL among others, separated by blanks: it holds none.
pub(super) fn pointer(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for char in url.trim().chars() {
        if char.is_whitespace() || char.is_control() {
            let mut bytes = [0; 4];
            for byte in char.encode_utf8(&mut bytes).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(char);
        }
    }
    out
}
