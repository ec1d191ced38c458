//! Parses URLs by the WHATWG rules, resolves them against their page, and compares them by a normalised key. The registry finds
//! the record for a URL.

mod address;
mod key;
mod maps;
mod query;

pub(crate) use address::is_address;
pub(crate) use key::{UrlKey, bare_host, hash, hash_32, seed, split_common_end};
pub(crate) use maps::{QuickMap, QuickSet};
pub(crate) use query::{encoded, encoded_name, percent_decoded};

use std::borrow::Cow;
use std::cell::OnceCell;
use url::Url;

/// A page's URL, against which relative references are resolved.
#[derive(Clone, Debug)]
pub(crate) struct PageUrl {
    /// Its normalised form.
    text: String,
    /// The end of the host; `None` if the URL is not plain.
    plain_host: Option<usize>,
    /// The parsed URL. Plain URLs are parsed only when a relative reference needs it: few pages have any, and the
    /// parser was 4 % of wp-parse.
    parts: OnceCell<Url>,
}

impl PageUrl {
    /// Parses an absolute http(s) URL; `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if is_plain(text) {
            let host = after_scheme(text)?;
            let host_end = text.len() - host.len() + memchr::memchr(b'/', host.as_bytes())?;
            return Some(PageUrl { text: text.to_owned(), plain_host: Some(host_end), parts: OnceCell::new() });
        }
        let url = Url::parse(text).ok()?;
        is_web(&url).then(|| PageUrl { text: url.as_str().to_owned(), plain_host: None, parts: OnceCell::from(url) })
    }

    fn parts(&self) -> &Url {
        self.parts.get_or_init(|| Url::parse(&self.text).expect("a plain URL is one that parses to itself"))
    }

    /// Whether a reference and this page are plain and have the same host: true for most references, whose host then needs no
    /// check.
    fn is_neighbour(&self, reference: &str) -> bool {
        let Some(host_end) = self.plain_host else { return false };
        let (root, reference) = (&self.text.as_bytes()[..=host_end], reference.as_bytes());
        reference.starts_with(root) && is_plain_tail(&reference[host_end..])
    }

    /// The host in its normalised form.
    pub(crate) fn host(&self) -> &str {
        match self.plain_host {
            Some(end) => after_scheme(&self.text[..end]).unwrap_or_default(),
            None => self.parts().host_str().unwrap_or_default(),
        }
    }

    /// The URL in its normalised form.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

/// The absolute http(s) URL of `reference` on `page`; `None` for mailto:, tel:, javascript:, data: and malformed references.
/// Surrounding white space is removed (WHATWG: strip leading and trailing C0 control or space). An absolute reference that needs
/// no change is borrowed.
pub(crate) fn join<'a>(page: Option<&PageUrl>, reference: &'a str) -> Option<Cow<'a, str>> {
    let reference = reference.trim_matches(|c: char| c <= ' ');
    if page.is_some_and(|page| page.is_neighbour(reference)) || is_plain(reference) {
        return Some(Cow::Borrowed(reference));
    }
    let url = match page {
        Some(page) => page.parts().join(reference).ok()?,
        None => Url::parse(reference).ok()?,
    };
    is_web(&url).then(|| Cow::Owned(String::from(url)))
}

/// The host of an absolute http(s) URL, in the form of [`PageUrl::host`]. If the host is plain, no parser is needed, whatever
/// follows.
pub(crate) fn host_of(url: &str) -> Option<Cow<'_, str>> {
    let ends = |byte: u8| matches!(byte, b'/' | b'?' | b'#' | b'\\');
    let host = after_scheme(url).map(|rest| &rest[..rest.bytes().position(ends).unwrap_or(rest.len())]);
    if let Some(host) = host.filter(|host| is_plain_host(host.as_bytes())) {
        return Some(Cow::Borrowed(host));
    }
    PageUrl::parse(url).map(|url| Cow::Owned(url.host().to_owned()))
}

/// Like [`host_of`], without `www.`.
pub(crate) fn bare_host_of(url: &str) -> Option<String> {
    host_of(url).map(|host| bare_host(&host).to_owned())
}

/// Whether the URL has a scheme by which WordPress serves pages.
fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// The text after a lower-case `http://` or `https://`.
fn after_scheme(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http")?;
    rest.strip_prefix("s").unwrap_or(rest).strip_prefix("://")
}

/// The end of the first `://` in a URL. (Searching for a colon first is faster than searching for all three characters.)
pub(crate) fn scheme_end(url: &str) -> Option<usize> {
    let is_it = |at: &usize| url[at + 1..].starts_with("//");
    memchr::memchr_iter(b':', url.as_bytes()).find(is_it).map(|at| at + "://".len())
}

/// Whether these bytes are a host name that a URL parser does not change: lower-case ASCII labels, without Punycode (which
/// parsers check), a number at the end (an IPv4 address), a port or a password.
fn is_plain_host(host: &[u8]) -> bool {
    let mut before = b'.';
    let mut label = 0;
    for (at, &byte) in host.iter().enumerate() {
        match byte {
            b'.' if before == b'.' => return false,
            b'.' => label = at + 1,
            b'x' if host[at..].starts_with(b"xn--") => return false,
            b'a'..=b'z' | b'0'..=b'9' | b'-' => {}
            _ => return false,
        }
        before = byte;
    }
    host.get(label).is_some_and(u8::is_ascii_lowercase)
}

/// For each byte, whether it may follow the host in a URL that a parser does not change.
const PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~!$&()*+,;=:@%/?#.";
    let mut i = 0;
    while i < plain.len() {
        table[plain[i] as usize] = true;
        i += 1;
    }
    table
};

/// Whether `url` is an absolute http(s) URL that a parser would write in the same way. Most URLs of a real site are recognised,
/// though not every unchanged one.
fn is_plain(url: &str) -> bool {
    let Some(rest) = after_scheme(url) else { return false };
    let rest = rest.as_bytes();
    let Some(slash) = memchr::memchr(b'/', rest) else { return false };
    let (host, tail) = rest.split_at(slash);
    if !is_plain_host(host) {
        return false;
    }
    is_plain_tail(tail)
}

/// Whether the part after the host is plain: it has no unusual byte, and no segment that begins with a dot, literal or encoded,
/// since that may be `.` or `..`.
fn is_plain_tail(tail: &[u8]) -> bool {
    let is_dot = |segment: &[u8]| matches!(segment, [b'.', ..] | [b'%', b'2', b'e' | b'E', ..]);
    tail.iter().all(|byte| PLAIN[usize::from(*byte)]) && !tail.split(|&byte| byte == b'/').any(is_dot)
}

#[cfg(test)]
mod tests;
