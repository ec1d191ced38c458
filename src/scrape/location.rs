//! Finds the URL that a file of a scrape was saved from, by its path: wget, HTTrack, Simply Static and browsers write
//! hosts, queries and index files in different ways. The content of the page is not considered.

use crate::urls::bare_host_of;
use crate::wordpress::is_number;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The host in the URLs of pages whose path has no host.
pub(crate) const NO_HOST: &str = "scrape.invalid";

/// The URL that a page was saved from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    /// The URL without a trailing index file; its host is [`NO_HOST`] if unknown.
    pub(super) url: String,
    /// False if the name has lost what distinguished this page from others (`index7c4d.html`, `index.html.1`).
    pub(super) is_certain: bool,
}

/// The location of the file `below` the top of a scrape. `base` is the URL of the top, if known; otherwise a first
/// directory that is a host name is the host.
pub(super) fn locate(below: &Path, base: Option<&str>) -> Location {
    let bytes = below.as_os_str().as_bytes();
    let (start, rest) = match (base, bytes.iter().position(|&b| b == b'/')) {
        (Some(base), _) => (format!("{}/", base.trim_end_matches('/')), bytes),
        (None, Some(slash)) if is_host(&bytes[..slash]) => {
            let host = String::from_utf8_lossy(&bytes[..slash]).replace('+', ":");
            (format!("http://{host}/"), &bytes[slash + 1..])
        }
        _ => (format!("http://{NO_HOST}/"), bytes),
    };
    let (tail, is_certain) = tail_of(&unescape_name(rest));
    Location { url: start + &tail, is_certain }
}

/// The host of a URL, without `www.`; [`None`] if it is unknown.
pub(super) fn host_of(url: &str) -> Option<String> {
    bare_host_of(url).filter(|host| host != NO_HOST)
}

/// Whether a host, perhaps with a port, may belong to a public site.
pub(crate) fn is_public(host: &str) -> bool {
    let host = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
    let is_number = host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_local = host == "localhost" || host.starts_with('[') || is_number;
    !is_local && ![".wp.com", ".localhost", ".local"].iter().any(|end| host.ends_with(end))
}

/// `example.org` or `localhost`, optionally with a port, but not a file name such as `page.html`.
fn is_host(name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    let (host, port) = match name.split_once([':', '+']) {
        Some((host, port)) => (host, Some(port)),
        None => (name, None),
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
            && !label.starts_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_address = host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok());
    let is_name = host.contains('.')
        && last.len() >= 2
        && !last.bytes().all(|b| b.is_ascii_digit())
        && !["html", "htm", "php", "xml", "asp", "aspx"].contains(&last.as_str());
    host.split('.').all(is_label) && (is_name || is_address || host == "localhost") && port.is_none_or(is_number)
}

/// Turns a file system path into URL text: escapes characters that a URL cannot contain, and restores question marks
/// that were written as `%3f` or, on systems that forbid them, as a private character (U+F03F).
fn unescape_name(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    for part in name.utf8_chunks() {
        let mut chars = part.valid().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\u{f020}'..='\u{f07e}' => {
                    out.push(char::from(u8::try_from(c as u32 - 0xf000).expect("it is below 0x7f")))
                }
                '%' => match part.valid().get(at + 1..at + 3) {
                    Some("3f" | "3F") => {
                        out.push('?');
                        chars.nth(1);
                    }
                    Some("3d" | "3D") if out.contains('?') => {
                        out.push('=');
                        chars.nth(1);
                    }
                    Some("26") if out.contains('?') => {
                        out.push('&');
                        chars.nth(1);
                    }
                    Some(pair) if pair.bytes().all(|b| b.is_ascii_hexdigit()) => out.push('%'),
                    _ => out.push_str("%25"),
                },
                '#' => out.push_str("%23"),
                ' ' => out.push_str("%20"),
                _ => out.push(c),
            }
        }
        for byte in part.invalid() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The path and query of a URL, from the path of a file below its host, and whether the file's name distinguishes the
/// page from all others.
fn tail_of(name: &str) -> (String, bool) {
    let (path, query) = match name.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => split_at_sign(name),
    };
    // If the name of a directory has a query, the page is in an index file.
    let query = query.map(|q| q.strip_suffix("/index.html").unwrap_or(q)).map(|q| q.strip_suffix(".html").unwrap_or(q));
    let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
    let (is_index, is_certain) = is_index_file(file);
    let mut tail = match is_index {
        true if folder.is_empty() => String::new(),
        true => format!("{folder}/"),
        false => path.to_owned(),
    };
    if let Some(query) = query.filter(|q| !q.is_empty()) {
        tail.push('?');
        tail.push_str(query);
    }
    (tail, is_certain)
}

/// `index.html@p=123`: wget's question mark on systems that forbid it.
fn split_at_sign(name: &str) -> (&str, Option<&str>) {
    let file = name.rfind('/').map_or(0, |at| at + 1);
    let at = name[file..].match_indices('@').map(|(at, _)| file + at).find(|&at| {
        let parameter = name[at + 1..].split('=').next().unwrap_or_default();
        parameter.len() < name.len() - at - 1
            && !parameter.is_empty()
            && parameter.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '[' | ']'))
    });
    at.map_or((name, None), |at| (&name[..at], Some(&name[at + 1..])))
}

/// Whether the file is a directory's index page, and whether its name is certain: without a hash or a number that
/// replaces a query.
fn is_index_file(file: &str) -> (bool, bool) {
    if matches!(file, "index.html" | "index.htm" | "index.php" | "") {
        return (true, true);
    }
    // HTTrack distinguishes queries by four digits of a hash, wget repeated downloads by a number.
    let middle = file.strip_prefix("index").and_then(|rest| rest.strip_suffix(".html"));
    let is_hash = middle.is_some_and(|m| m.len() == 4 && m.bytes().all(|b| b.is_ascii_hexdigit()));
    let is_repeated = file.strip_prefix("index.html.").is_some_and(is_number)
        || middle.and_then(|m| m.strip_prefix('-')).is_some_and(is_number);
    (is_hash || is_repeated, !(is_hash || is_repeated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(below: &str) -> String {
        locate(Path::new(below), None).url
    }

    #[test]
    fn paths_become_the_urls_they_were_saved_from() {
        for (below, want) in [
            ("example.org/a/index.html", "http://example.org/a/"),
            ("example.org/index.html", "http://example.org/"),
            ("localhost:8080/a/index.html", "http://localhost:8080/a/"),
            ("127.0.0.1+8080/a.html", "http://127.0.0.1:8080/a.html"),
            ("a/b/index.html", "http://scrape.invalid/a/b/"),
            ("a.html", "http://scrape.invalid/a.html"),
            ("v1.2/a/index.html", "http://scrape.invalid/v1.2/a/"),
            ("example.org/index.html@p=123", "http://example.org/?p=123"),
            ("example.org/index.html?p=123.html", "http://example.org/?p=123"),
            ("example.org/index.html%3Fp=217.html", "http://example.org/?p=217"),
            ("example.org/posts%3ftags%3d56/index.html", "http://example.org/posts?tags=56"),
            ("example.org/a/index.html\u{f03f}replytocom=5", "http://example.org/a/?replytocom=5"),
            ("example.org/user@home/index.html", "http://example.org/user@home/"),
            ("example.org/%d0%bf/100% #1/index.html", "http://example.org/%d0%bf/100%25%20%231/"),
            ("example.org/é/index.html", "http://example.org/é/"),
        ] {
            assert_eq!(url(below), want, "{below}");
        }
        let base = locate(Path::new("a/index.html"), Some("https://example.org/blog/"));
        assert_eq!(base.url, "https://example.org/blog/a/");
    }

    #[test]
    fn names_that_lost_their_query_are_not_certain() {
        for (below, certain) in [
            ("example.org/a/index7c4d.html", false),
            ("example.org/a/index-2.html", false),
            ("example.org/a/index.html.1", false),
            ("example.org/a/index.html", true),
            ("example.org/a/face.html", true),
        ] {
            assert_eq!(locate(Path::new(below), None).is_certain, certain, "{below}");
        }
    }
}
