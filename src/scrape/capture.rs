//! What a web archive says of a page that it saved.

/// What an archive says of a page: when it was saved and the digest of its body, as it writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// Both, in one piece.
    Said(Box<str>),
    /// On a shelf, before the page's address: there may be many.
    Shelved(u64),
}

impl Capture {
    /// Values of headers, which have no line feeds in them; empty: none.
    pub(crate) fn new(time: &str, digest: &str) -> Self {
        Capture::Said(format!("{time}\n{digest}").into())
    }

    pub(super) fn said(&self) -> &str {
        if let Capture::Said(said) = self { said } else { "" }
    }

    fn halves(&self) -> (&str, &str) {
        self.said().split_once('\n').unwrap_or_default()
    }

    pub(crate) fn time(&self) -> Option<&str> {
        Some(self.halves().0).filter(|time| !time.is_empty())
    }

    pub(crate) fn digest(&self) -> Option<&str> {
        Some(self.halves().1).filter(|digest| !digest.is_empty())
    }
}
