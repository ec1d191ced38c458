//! Stores the two URLs of a page in few bytes: the one that it was saved from, and the one that it states in its head. Mostly,
//! both follow from its path.

use crate::urls::{PageUrl, percent_decoded};
use std::borrow::Cow;

/// A meta refresh after more seconds reloads the page; it is not a redirect.
const REDIRECT: f64 = 10.0;

/// The URL that a page was saved from.
#[derive(Clone, Debug, Default)]
pub(super) enum SavedFrom {
    /// The URL that its path gives, without a trailing index.html: most pages.
    #[default]
    Path,
    Url(Box<str>),
}

impl SavedFrom {
    pub(super) fn new(url: &str, file: &str) -> Self {
        if url.strip_prefix("http://") == Some(url_path(file)) { SavedFrom::Path } else { SavedFrom::Url(url.into()) }
    }
}

/// The path encoded in a file name, by wget's naming rules.
pub(super) fn url_path(file: &str) -> &str {
    file.strip_suffix("index.html").unwrap_or(file)
}

/// The URL that a page states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum StatedUrl {
    /// It states no URL, or its location.
    #[default]
    Nothing,
    /// Its location with another scheme, which paths do not reveal: most pages.
    Secure,
    Url(Box<str>),
}

impl StatedUrl {
    pub(super) fn new(stated: Option<&str>, location: &str) -> Self {
        match stated {
            None => StatedUrl::Nothing,
            Some(stated) if stated == location => StatedUrl::Nothing,
            Some(stated) if differs_in_scheme(stated, location) => StatedUrl::Secure,
            Some(stated) => StatedUrl::Url(stated.into()),
        }
    }
}

/// Whether the URLs differ only in http and https. False with a port, which may be the default port of the other
/// scheme.
fn differs_in_scheme(secure: &str, url: &str) -> bool {
    let (Some(rest), Some(same)) = (secure.strip_prefix("https://"), url.strip_prefix("http://")) else { return false };
    rest == same && !rest.split('/').next().unwrap_or_default().contains(':')
}

/// The target in `0; url=…`, unless the page only reloads itself.
pub(super) fn redirect_goal(refresh: &str) -> Option<&str> {
    let (delay, rest) = refresh.split_once([';', ','])?;
    let rest = rest.trim_start();
    let url = rest.get(..3).filter(|word| word.eq_ignore_ascii_case("url")).map(|_| rest[3..].trim_start())?;
    let url = url.strip_prefix('=')?.trim().trim_matches(['\'', '"']);
    (delay.trim().parse::<f64>().ok()? <= REDIRECT && !url.is_empty()).then_some(url)
}

/// Restores a query in a file name: HTTrack writes `?p=217` as `index.html%3Fp=217.html`, wget, for systems that forbid question
/// marks, as `index.html@p=217.html`.
pub(crate) fn unescape_query(href: &str) -> Cow<'_, str> {
    let forms = ["index.html%3F", "index.html%3f", "index.html@"];
    let is_query = |(path, query): &(&str, &str)| {
        let parameter = query.split('=').next().unwrap_or_default();
        let is_file = path.is_empty() || path.ends_with('/');
        is_file
            && parameter.len() < query.len()
            && parameter.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-[]".contains(&b))
    };
    let Some((path, query)) = forms.iter().find_map(|form| href.split_once(form).filter(is_query)) else {
        return Cow::Borrowed(href);
    };
    Cow::Owned(format!("{path}?{}", query.strip_suffix(".html").unwrap_or(query)))
}

/// The permalink of a page in the address of its oEmbed (`wp_oembed_add_discovery_links()`), `…/embed?url=https%3A%2F%2Fx.example%2Fa%2F`, also
/// as mirrors write it. They leave the escaped URL as it is, or escape it once more.
pub(super) fn permalink(oembed: &str) -> Option<String> {
    let value = oembed.split_once("url=")?.1.split(['&', '#']).next()?;
    let once = percent_decoded(value)?;
    let url = if once.contains("://") { once } else { percent_decoded(&once)? };
    // In exports without a host, the host is empty; a page that a plugin makes up may have another URL inside its own.
    let rest = url.split_once("://")?.1;
    (!rest.starts_with('/') && !rest.contains("://") && PageUrl::parse(&url).is_some()).then_some(url)
}

/// The URL without the index file added by a mirror.
pub(crate) fn without_index(url: &str) -> Cow<'_, str> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    match url[..end].strip_suffix("/index.html").or_else(|| url[..end].strip_suffix("/index.htm")) {
        Some(folder) => Cow::Owned(format!("{folder}/{}", &url[end..])),
        None => Cow::Borrowed(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_in_names_of_files_are_read() {
        for (href, want) in [
            ("../index.html%3Fp=217.html", "../?p=217"),
            ("index.html%3fp=217.html", "?p=217"),
            ("../../index.html@p=217.html", "../../?p=217"),
            ("https://x.example/index.html@p=217", "https://x.example/?p=217"),
            ("/index.html@home", "/index.html@home"),
            ("/myindex.html@p=2", "/myindex.html@p=2"),
            ("/index.html@a b=2", "/index.html@a b=2"),
        ] {
            assert_eq!(unescape_query(href), want);
        }
    }

    #[test]
    fn an_oembed_states_the_permalink() {
        for (href, want) in [
            (
                "https://x.example/wp-json/oembed/1.0/embed?url=https%3A%2F%2Fx.example%2F%25c3%25a9%2F&lang=en",
                "https://x.example/%c3%a9/",
            ),
            (
                "../wp-json/oembed/1.0/embed%3Furl=http:%252F%252Fx.example%252F%2525c3%2525a9%252F",
                "http://x.example/%c3%a9/",
            ),
            (
                "index.html@rest_route=%252Foembed&url=https%253A%252F%252Fx.example%252F%253Fpage_id=12",
                "https://x.example/?page_id=12",
            ),
        ] {
            assert_eq!(permalink(href).as_deref(), Some(want));
        }
        for href in [
            "?url=%2Fa%2F",
            "?url=https%3A%2F%2F%2Fa%2F",
            "?url=a",
            "?a=b",
            "?url=http%3A%2F%2Fx.example%2Fhttp%3A%2F%2Fx.example%2F",
        ] {
            assert_eq!(permalink(href), None, "{href}");
        }
    }

    #[test]
    fn a_redirect_is_told_from_a_page_that_renews_itself() {
        assert_eq!(redirect_goal("0; url=https://x.example/"), Some("https://x.example/"));
        assert_eq!(redirect_goal("0;URL='../a/index.html'"), Some("../a/index.html"));
        assert_eq!(redirect_goal("300"), None);
        assert_eq!(redirect_goal("300; url=https://x.example/"), None);
        assert_eq!(redirect_goal("0; url="), None);
        assert_eq!(redirect_goal("é; ü"), None);
    }
}
