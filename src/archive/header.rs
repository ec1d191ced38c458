//! Parses a block of header lines, as at the start of WARC records and HTTP messages. Callers interpret the headers.

use memchr::memchr;

/// The first bytes of every WARC record.
pub(super) const START: &[u8] = b"WARC/";

/// The headers: names in lower case, and values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Headers {
    /// The line before the headers.
    pub(crate) first: String,
    list: Vec<(String, String)>,
}

impl Headers {
    /// Reads a block up to its empty line, and returns it with its length in bytes; `None` without an empty line.
    pub(crate) fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let mut headers = Headers::default();
        let (mut at, mut is_first) = (0, true);
        loop {
            let end = at + memchr(b'\n', bytes.get(at..)?)?;
            let line = String::from_utf8_lossy(&bytes[at..end]);
            let line = line.trim_end_matches('\r');
            at = end + 1;
            if std::mem::take(&mut is_first) {
                headers.first = line.to_owned();
            } else if line.is_empty() {
                return Some((headers, at));
            } else if let (true, Some((_, value))) = (line.starts_with([' ', '\t']), headers.list.last_mut()) {
                // The value continues on the next line, as WARC 1.0 and old servers write it.
                value.push(' ');
                value.push_str(line.trim());
            } else if let Some((name, value)) = line.split_once(':') {
                headers.list.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
    }

    /// The value of the first header called `name`, which must be in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The values of all headers called `name`, which must be in lower case.
    pub(crate) fn all<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h str> {
        self.list.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_to_its_empty_line() {
        let (headers, length) = Headers::read(b"WARC/1.0\r\nA: 1\nb:2\r\n  and 3\r\na: 4\r\nodd\r\n\r\nrest").unwrap();
        assert_eq!((headers.first.as_str(), length), ("WARC/1.0", 42));
        assert_eq!(headers.all("a").collect::<Vec<_>>(), ["1", "4"]);
        assert_eq!(headers.get("b"), Some("2 and 3"));
        assert_eq!(headers.get("c"), None);
        for cut in 0..41 {
            let whole = b"WARC/1.0\r\nA: 1\nb:2\r\n  and 3\r\na: 4\r\nodd\r\n\r\n";
            assert_eq!(Headers::read(&whole[..cut]), None, "{cut}");
        }
    }
}
