//! A capture of a page, as a web archive describes it: time, digest, record id, status.

/// An archive's description of a capture, as written: when it was saved, the digest of its body, the id of its record, and the
/// status of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// The four values, one per line.
    Said(Box<str>),
    /// On a shelf, before the page's address: there may be many captures.
    Shelved(u64),
}

impl Capture {
    /// The number of lines of a description.
    pub(super) const LINES: usize = 4;

    /// Takes values of headers, which have no line feeds in them; empty if missing.
    pub(crate) fn new(time: &str, digest: &str, record: &str, status: Option<u16>) -> Self {
        let status = status.map(|status| status.to_string()).unwrap_or_default();
        Capture::Said([time, digest, record, &status].join("\n").into())
    }

    pub(super) fn said(&self) -> &str {
        if let Capture::Said(said) = self { said } else { "" }
    }

    fn line(&self, number: usize) -> Option<&str> {
        self.said().split('\n').nth(number).filter(|line| !line.is_empty())
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
