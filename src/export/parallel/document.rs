//! A document: a post or a scraped page with a text. This module has the fields of a record that formats of parallel
//! text need, and the text as lines, for formats that consist of lines. [`crate::export::parallel`] finds documents
//! that belong together.

use crate::ndjson::{self, Str, describe, text_of};
use serde::Deserialize;
use std::borrow::Cow;

/// The fields of a record that formats of parallel text use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Document<'a> {
    /// The site's label.
    #[serde(borrow)]
    pub(crate) site: Option<Str<'a>>,
    /// WordPress' own word.
    pub(crate) r#type: Option<Str<'a>>,
    /// WordPress' id; null for html.
    pub(crate) id: Option<i64>,
    /// Permalink.
    pub(crate) link: Option<Str<'a>>,
    /// BCP 47 tag.
    pub(crate) language: Option<Str<'a>>,
    /// Name of its group, unique in the site.
    pub(crate) translation_group: Option<Str<'a>>,
    title: Option<Text<'a>>,
    content: Option<Text<'a>>,
}

/// Of HTML and its text, the text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Text<'a> {
    #[serde(borrow)]
    text: Option<Str<'a>>,
}

impl<'a> Document<'a> {
    /// Whether records of this kind can be documents.
    pub(crate) fn is_kind(kind: &str) -> bool {
        matches!(kind, "post" | "html")
    }

    /// Reads a line.
    ///
    /// # Errors
    /// When a field is not of its type; the message and the column.
    pub(crate) fn parse(line: &'a [u8]) -> Result<Self, (String, u64)> {
        ndjson::from_str(text_of(line)?).map_err(|error| {
            let (what, column) = describe(error);
            (format!("not the shape of a document: {what}"), column)
        })
    }

    /// The title's text.
    pub(crate) fn title(&self) -> Option<&str> {
        self.title.as_ref()?.text.as_deref()
    }

    /// The content's text; none where nothing is written in it.
    pub(crate) fn text(&self) -> Option<&str> {
        self.content.as_ref()?.text.as_deref().filter(|text| lines_of(text).next().is_some())
    }

    /// The title as one line, if there is one.
    pub(crate) fn title_line(&self) -> Option<String> {
        let words: Vec<_> = lines_of(self.title()?).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The lines of the content.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Cow<'_, str>> {
        lines_of(self.text().unwrap_or_default())
    }

    /// The title and the content, a line each; every line ends with LF.
    pub(crate) fn write_text(&self, out: &mut Vec<u8>) {
        for line in self.title_line().map(Cow::Owned).into_iter().chain(self.lines()) {
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        }
    }
}

/// The lines of a text without blank ones and without white space around them. What any program takes for a line end is
/// one; other control characters are blanks, and so neither break a line of TSV nor the well-formedness of XML.
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

    #[test]
    fn a_document_is_its_title_and_its_lines() {
        let line = br#"{"title":{"html":"x","text":"A\n title"},"content":{"text":" one \n\n\ttwo\u0000\r\nthree\u2028four\n"}}"#;
        let document = Document::parse(line).unwrap();
        let mut text = Vec::new();
        document.write_text(&mut text);
        assert_eq!(String::from_utf8(text).unwrap(), "A title\none\ntwo\nthree\nfour\n");
    }

    #[test]
    fn nulls_and_blank_texts_are_no_text() {
        for line in [r#"{"title":null,"content":null}"#, r#"{"content":{"text":" \n"}}"#, r#"{"content":{}}"#, "{}"] {
            let document = Document::parse(line.as_bytes()).unwrap();
            assert_eq!((document.title_line(), document.text()), (None, None));
            assert_eq!(document.lines().count(), 0);
        }
    }

    #[test]
    fn a_field_of_another_type_is_said() {
        let (what, _) = Document::parse(br#"{"id":"five"}"#).unwrap_err();
        assert!(what.starts_with("not the shape of a document: invalid type"), "{what}");
    }
}
