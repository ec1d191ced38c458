//! Reads the text of a document, which is a post or a scraped page: the fields of a record that formats of parallel
//! text need, and the lines of the text, for formats that consist of lines. [`crate::pairs`] finds documents that
//! belong together.

use crate::ndjson::Str;
use crate::record::fields;
use std::borrow::Cow;

fields! {
    /// The fields of a record that formats of parallel text use.
    pub(crate) struct Texts<'a> {
        /// WordPress' id; `None` for html.
        pub(crate) id: Option<i64>,
        pub(crate) link: Option<Str<'a>>,
        title: Text<'a>,
        content: Text<'a>,
    }

    /// A field with HTML and text; only the text is used.
    struct Text<'a> {
        text: Option<Str<'a>>,
    }
}

impl Texts<'_> {
    pub(crate) fn title(&self) -> Option<&str> {
        self.title.text.as_deref()
    }

    /// The text of the content; `None` if it is blank.
    pub(crate) fn text(&self) -> Option<&str> {
        self.content.text.as_deref().filter(|text| lines_of(text).next().is_some())
    }

    /// The title as one line, if there is one.
    pub(crate) fn title_line(&self) -> Option<String> {
        let words: Vec<_> = lines_of(self.title()?).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = Cow<'_, str>> {
        lines_of(self.text().unwrap_or_default())
    }

    /// Appends the title and the content as lines; every line ends with LF.
    pub(crate) fn write_text(&self, out: &mut Vec<u8>) {
        for line in self.title_line().map(Cow::Owned).into_iter().chain(self.lines()) {
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        }
    }
}

/// The lines of a text, without blank lines and surrounding white space. All characters that any program takes for a
/// line end separate lines; other control characters become blanks, so that they break neither TSV nor XML.
pub(crate) fn lines_of(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let ends =
        |c| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.split(ends).filter_map(|line| {
        let odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
        let line = match line.contains(odd) {
            true => Cow::Owned(line.replace(odd, " ").trim().to_owned()),
            false => Cow::Borrowed(line.trim()),
        };
        (!line.is_empty()).then_some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[u8]) -> Texts<'_> {
        serde_json::from_slice(line).unwrap()
    }

    #[test]
    fn a_document_is_its_title_and_its_lines() {
        let line = br#"{"title":{"html":"x","text":"A\n title"},"content":{"text":" one \n\n\ttwo\u0000\r\nthree\u2028four\n"}}"#;
        let document = read(line);
        let mut text = Vec::new();
        document.write_text(&mut text);
        assert_eq!(String::from_utf8(text).unwrap(), "A title\none\ntwo\nthree\nfour\n");
    }

    #[test]
    fn nulls_and_blank_texts_are_no_text() {
        for line in [r#"{"title":null,"content":null}"#, r#"{"content":{"text":" \n"}}"#, r#"{"content":{}}"#, "{}"] {
            let document = read(line.as_bytes());
            assert_eq!((document.title_line(), document.text()), (None, None));
            assert_eq!(document.lines().count(), 0);
        }
    }
}
