//! Writes well-formed XML for any text: escaping, names, references. The formats decide on the elements.

use crate::urls::encoded;
use std::fmt::Write as _;

/// Appends text for element content. Characters that [XML 1.0] does not allow (most control characters) become U+FFFD, or
/// a blank if they separate words; CR becomes a reference, because parsers would normalise it.
///
/// [XML 1.0]: https://www.w3.org/TR/xml/#charsets
pub(crate) fn text(words: &str, out: &mut String) {
    escape(words, out, |char| match char {
        '\n' | '\t' | '"' => None,
        char => entity(char),
    });
}

/// Appends ` name="value"`.
pub(crate) fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    data(value, out);
    out.push('"');
}

/// Appends data, for an attribute in double quotes or an element. As [`text`], but white space other than blanks becomes
/// references, too.
pub(crate) fn data(value: &str, out: &mut String) {
    escape(value, out, entity);
}

fn entity(char: char) -> Option<&'static str> {
    Some(match char {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\r' => "&#13;",
        '\n' => "&#10;",
        '\t' => "&#9;",
        '\u{b}' | '\u{c}' => " ",
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
        _ => return None,
    })
}

fn escape(words: &str, out: &mut String, entity: impl Fn(char) -> Option<&'static str>) {
    let mut done = 0;
    for (at, char) in words.char_indices() {
        if let Some(entity) = entity(char) {
            out.push_str(&words[done..at]);
            out.push_str(entity);
            done = at + char.len_utf8();
        }
    }
    out.push_str(&words[done..]);
}

/// Appends an element that holds words; nothing without words.
pub(crate) fn element(name: &str, words: Option<&str>, out: &mut String) {
    if let Some(words) = words.filter(|words| !words.trim().is_empty()) {
        let _ = write!(out, "<{name}>");
        text(words, out);
        let _ = write!(out, "</{name}>");
    }
}

/// A name for `xml:id`: letters, digits, `-` and `.` of ASCII stay. All other bytes become `_XX`, as does a first one
/// that cannot begin an [NCName](https://www.w3.org/TR/xml-names/#NT-NCName). Different words have different names.
pub(crate) fn name(words: &str) -> String {
    encoded(words, '_', |number, byte| {
        byte.is_ascii_alphabetic() || number > 0 && (byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
    })
}

/// A URL for a list of URLs separated by blanks: it contains no white space.
pub(crate) fn pointer(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for char in url.trim().chars() {
        if char.is_whitespace() || char.is_control() {
            for byte in char.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(char);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "<é & \"ü\">\n\t\r\u{0}\u{1b}\u{b}\u{ffff}\u{7f}😀";

    #[test]
    fn what_xml_does_not_allow_is_replaced_and_all_else_is_kept() {
        let (mut content, mut tag) = (String::new(), String::new());
        text(WORDS, &mut content);
        attribute("a", WORDS, &mut tag);
        let rest = "&#13;\u{fffd}\u{fffd} \u{fffd}\u{7f}😀";
        assert_eq!(content, format!("&lt;é &amp; \"ü\"&gt;\n\t{rest}"));
        assert_eq!(tag, format!(" a=\"&lt;é &amp; &quot;ü&quot;&gt;&#10;&#9;{rest}\""));
    }

    #[test]
    fn names_are_distinct_and_pointers_have_no_white_space() {
        assert_eq!(name("post-12.harbour.example"), "post-12.harbour.example");
        assert_eq!([name("1a:b"), name("é"), name("_3A")], ["_31a_3Ab", "_C3_A9", "_5F3A"]);
        assert_eq!(pointer(" http://a/b c\u{a0}\n"), "http://a/b%20c");
        assert_eq!(pointer("a\u{a0}b"), "a%C2%A0b");
    }
}
