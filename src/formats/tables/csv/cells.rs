//! Writes cells and rows of CSV according to RFC 4180. Other modules define the columns.

use std::fmt::Display;
use std::io::Write as _;

/// A row that is being written: cells, then its end.
pub(crate) struct Row<'a> {
    out: &'a mut Vec<u8>,
    begun: bool,
}

impl<'a> Row<'a> {
    /// Begins a new row at the end of `out`.
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Row { out, begun: false }
    }

    /// Continues a row whose first cells are in `out`.
    pub(crate) fn resume(out: &'a mut Vec<u8>) -> Self {
        Row { out, begun: true }
    }

    fn separate(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            self.out.push(b',');
        }
    }

    /// A text: null is empty, an empty text is `""`. It is quoted if it contains a comma, a quote or a line end, or
    /// begins or ends with white space. A NUL, at which many readers end a text, becomes U+FFFD.
    pub(crate) fn text(&mut self, text: Option<&str>) -> &mut Self {
        self.separate();
        let Some(text) = text else { return self };
        let bytes = text.as_bytes();
        let outer = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r' | b'\0');
        if !outer(bytes.first()) && !outer(bytes.last()) && !bytes.iter().any(special) {
            self.out.extend_from_slice(bytes);
            return self;
        }
        self.out.push(b'"');
        for (i, part) in text.split('"').enumerate() {
            if i > 0 {
                self.out.extend_from_slice(b"\"\"");
            }
            for (i, part) in part.split('\0').enumerate() {
                if i > 0 {
                    self.out.extend_from_slice("\u{fffd}".as_bytes());
                }
                self.out.extend_from_slice(part.as_bytes());
            }
        }
        self.out.push(b'"');
        self
    }

    /// A value that needs no quotes: a number, `true` or `false`, a key.
    pub(crate) fn plain(&mut self, value: Option<impl Display>) -> &mut Self {
        self.separate();
        if let Some(value) = value {
            write!(self.out, "{value}").expect("a Vec takes everything");
        }
        self
    }

    /// Cells that another row has written.
    pub(crate) fn cells(&mut self, cells: &[u8]) -> &mut Self {
        self.separate();
        self.out.extend_from_slice(cells);
        self
    }

    /// Ends the row: CR LF, as the RFC requires.
    pub(crate) fn end(&mut self) {
        self.out.extend_from_slice(b"\r\n");
    }
}

/// The header row; `columns` has the names of the columns, separated by blanks.
pub(crate) fn header(columns: &str) -> Vec<u8> {
    format!("{}\r\n", columns.replace(' ', ",")).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: Option<&str>) -> String {
        let mut out = Vec::new();
        Row::new(&mut out).text(Some("a")).text(text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn null_is_nothing_and_an_empty_text_is_quoted() {
        assert_eq!((cell(None), cell(Some(""))), ("a,".into(), "a,\"\"".into()));
    }

    #[test]
    fn what_could_break_a_row_is_quoted() {
        for (text, want) in [
            ("plain=1+2 é", "a,plain=1+2 é"),
            ("a,b", "a,\"a,b\""),
            ("\"", "a,\"\"\"\""),
            ("x\"\"y", "a,\"x\"\"\"\"y\""),
            ("a\r\nb", "a,\"a\r\nb\""),
            (" x", "a,\" x\""),
            ("x\t", "a,\"x\t\""),
            ("a\0b\"c", "a,\"a\u{fffd}b\"\"c\""),
        ] {
            assert_eq!(cell(Some(text)), want);
        }
    }

    #[test]
    fn numbers_and_ends() {
        let mut out = Vec::new();
        let mut row = Row::new(&mut out);
        row.plain(Some(5)).plain(None::<i64>).plain(Some(true)).cells(b"x,y").end();
        Row::new(&mut out).cells(b"z");
        Row::resume(&mut out).plain(Some(1));
        assert_eq!(out, b"5,,true,x,y\r\nz,1");
        assert_eq!(header("a b"), b"a,b\r\n");
    }
}
