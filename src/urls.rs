//! URLs: parsed by the WHATWG rules, joined to their page, compared by a normalised key.
//! What a URL means (which record) is the registry's business, not decided here.

use url::Url;

/// A page's URL, against which relative references are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageUrl(Url);

impl PageUrl {
    /// Parses an absolute http(s) URL; anything else is none.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text.trim()).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(PageUrl(url))
    }

    /// The host in its normalised form.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The URL in its normalised form.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The absolute http(s) URL that `reference` means on `page`, or none: mailto:, tel:, javascript:, data: and broken
/// references have none. White space around is dropped (WHATWG: strip leading and trailing C0 control or space).
/// An absolute reference that needs no change is returned as written, so that it compares equal to the API's `link`.
pub fn join(page: Option<&PageUrl>, reference: &str) -> Option<String> {
    let reference = reference.trim_matches(|c: char| c <= ' ');
    let url = match page {
        Some(page) => page.0.join(reference).ok()?,
        None => Url::parse(reference).ok()?,
    };
    matches!(url.scheme(), "http" | "https").then(|| String::from(url))
}
