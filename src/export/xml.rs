//! Text in the form that XML accepts. Each format decides on its elements.

/// Appends text for element content or an attribute in double quotes. What [XML 1.0] does not allow, most control
/// characters, becomes U+FFFD; CR and, in an attribute, white space other than blanks are references, which no parser
/// normalises away.
///
/// [XML 1.0]: https://www.w3.org/TR/xml/#charsets
pub(crate) fn write_text(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for (at, c) in text.char_indices() {
        let escape = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\r' => "&#13;",
            '\n' => "&#10;",
            '\t' => "&#9;",
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
            _ => continue,
        };
        out.extend_from_slice(&bytes[done..at]);
        out.extend_from_slice(escape.as_bytes());
        done = at + c.len_utf8();
    }
    out.extend_from_slice(&bytes[done..]);
}

/// Appends ` name="value"`.
pub(crate) fn write_attribute(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b' ');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"=\"");
    write_text(out, value);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_does_not_allow_is_replaced_and_all_else_is_kept() {
        let mut out = Vec::new();
        write_attribute(&mut out, "a", "<é & \"ü\">\n\t\r\u{0}\u{1b}\u{ffff}\u{7f}😀");
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, " a=\"&lt;é &amp; &quot;ü&quot;&gt;&#10;&#9;&#13;\u{fffd}\u{fffd}\u{fffd}\u{7f}😀\"");
    }
}
