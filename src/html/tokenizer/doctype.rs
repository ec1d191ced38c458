//! Parses an HTML document type declaration: its name and identifiers, which occur in the texts that wpextract
//! extracts. Quirks mode does not matter for text.

use super::is_space;
use memchr::{memchr, memchr2};

/// A document type, its parts as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doctype<'a> {
    /// The name; none in `<!DOCTYPE>`.
    pub name: Option<&'a str>,
    /// The public identifier.
    pub public: Option<&'a str>,
    /// The system identifier.
    pub system: Option<&'a str>,
    /// The specification's force-quirks flag: the declaration is damaged.
    pub quirks: bool,
}

/// Reads the declaration after `<!DOCTYPE`; returns it and where the input continues.
pub(super) fn read(html: &str, start: usize) -> (Doctype<'_>, usize) {
    let mut reader = DoctypeReader { html, at: start };
    let mut doctype = Doctype::default();
    let whole = reader.parts(&mut doctype).is_some();
    doctype.quirks |= !whole;
    let end = memchr(b'>', &html.as_bytes()[reader.at..]).map(|n| reader.at + n + 1);
    (doctype, end.unwrap_or(html.len()))
}

struct DoctypeReader<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> DoctypeReader<'a> {
    /// Reads the parts in order; none as soon as one is missing or broken off.
    fn parts(&mut self, doctype: &mut Doctype<'a>) -> Option<()> {
        let bytes = self.html.as_bytes();
        self.blanks();
        let start = self.at;
        while self.at < bytes.len() && !is_space(bytes[self.at]) && bytes[self.at] != b'>' {
            self.at += 1;
        }
        doctype.name = (self.at > start).then(|| &self.html[start..self.at]);
        doctype.name?;
        self.blanks();
        if *bytes.get(self.at)? == b'>' {
            return Some(());
        }
        let keyword = bytes.get(self.at..self.at + 6)?;
        let public = keyword.eq_ignore_ascii_case(b"public");
        if !public && !keyword.eq_ignore_ascii_case(b"system") {
            return None;
        }
        self.at += 6;
        if public {
            self.blanks();
            self.quoted(&mut doctype.public)?;
            self.blanks();
            if *bytes.get(self.at)? == b'>' {
                return Some(());
            }
        }
        self.blanks();
        self.quoted(&mut doctype.system)?;
        self.blanks();
        bytes.get(self.at).map(|_| ()) // anything after it is an error, but not a quirk
    }

    fn blanks(&mut self) {
        while self.html.as_bytes().get(self.at).is_some_and(|b| is_space(*b)) {
            self.at += 1;
        }
    }

    /// Reads a quoted identifier, which a `>` breaks off.
    fn quoted(&mut self, identifier: &mut Option<&'a str>) -> Option<()> {
        let quote = *self.html.as_bytes().get(self.at).filter(|b| matches!(b, b'"' | b'\''))?;
        let start = self.at + 1;
        let end = memchr2(quote, b'>', &self.html.as_bytes()[start..]).map_or(self.html.len(), |n| start + n);
        *identifier = Some(&self.html[start..end]);
        self.at = end;
        (self.html.as_bytes().get(end) == Some(&quote)).then(|| self.at += 1)
    }
}
