//! Describes a capture of a page, as a web archive states it: time, digest, record id, status.

/// What an archive states about one capture, in the archive's own words: when it was saved, the digest of its body, the id of its record,
/// and the status of the answer. A capture is one saved answer to a URL; an archive may have many of the same URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// The four values, one per line.
    Said(Box<str>),
    /// The place on a shelf in TMPDIR where these values are, followed by the page's address. There may be too many captures for memory.
    Shelved(u64),
}

impl Capture {
    /// The number of lines of a description.
    pub(super) const LINES: usize = 4;

    /// Creates a description from values of headers, which contain no line feeds; a missing value is empty.
    pub(crate) fn new(time: &str, digest: &str, record: &str, status: Option<u16>) -> Self {
        let status = status.map(|status| status.to_string()).unwrap_or_default();
        Capture::Said([time, digest, record, &status].join("\n").into())
    }

    pub(super) fn lines(&self) -> &str {
        if let Capture::Said(said) = self { said } else { "" }
    }

    fn line(&self, number: usize) -> Option<&str> {
        self.lines().split('\n').nth(number).filter(|line| !line.is_empty())
    }

    pub(crate) fn time(&self) -> Option<&str> {
        self.line(0)
    }

    pub(crate) fn digest(&self) -> Option<&str> {
        self.line(1)
    }

    pub(crate) fn record(&self) -> Option<&str> {
        self.line(2)
    }

    pub(crate) fn status(&self) -> Option<u16> {
        self.line(3)?.parse().ok()
    }
}
