//! A capture of a page, as a web archive describes it.

/// What an archive says of a page, as it writes it: when it was saved, the digest of its body, the id of its record, and the status
/// of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// All of it in one piece, a line each.
    Said(Box<str>),
    /// On a shelf, before the page's address: there may be many.
    Shelved(u64),
}

impl Capture {
    /// How many lines say all of it.
    pub(super) const LINES: usize = 4;

    /// Values of headers, which have no line feeds in them; empty: none.
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
