//! Detects HTML by the first bytes of a file. Names are not considered: scrapes keep feeds and JSON in index.html.

use crate::html::tokenizer::comment_end;
use memchr::memmem;

/// Number of bytes examined.
pub(super) const SAMPLE: usize = 4096;

/// The tags that identify HTML (<https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type>)
/// and three with which old pages begin.
const TAGS: &[&str] = &[
    "!doctype html",
    "html",
    "head",
    "script",
    "iframe",
    "h1",
    "div",
    "font",
    "table",
    "a",
    "style",
    "title",
    "b",
    "body",
    "br",
    "p",
    "meta",
    "link",
    "center",
];

/// Whether a file that begins with `start` is HTML. Comments and an XML declaration may precede the first tag.
pub(super) fn is_html(start: &[u8]) -> bool {
    // UTF-16 in its simplest form: every tag is ASCII.
    let wide = start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff");
    let narrow: Vec<u8> = if wide { start[2..].iter().copied().filter(|&b| b != 0).collect() } else { Vec::new() };
    let mut rest = if wide { &narrow[..] } else { start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start) };
    let mut is_xml = false;
    loop {
        rest = rest.trim_ascii_start();
        let end = if rest.starts_with(b"<!--") {
            comment_end(rest, 4).map(|(_, next)| next)
        } else if rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<?xml") {
            is_xml = true;
            memmem::find(rest, b"?>").map(|at| at + 2)
        } else {
            break;
        };
        match end {
            Some(end) => rest = &rest[end..],
            // A page that begins with a long comment is still a page.
            None => return !is_xml,
        }
    }
    let Some(rest) = rest.strip_prefix(b"<") else { return false };
    let starts_with = |tag: &&str| {
        let name = rest.get(..tag.len()).unwrap_or_default();
        let next = rest.get(tag.len()).copied().unwrap_or(b'>');
        name.eq_ignore_ascii_case(tag.as_bytes()) && (next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
    };
    if is_xml { ["!doctype html", "html"].iter().any(starts_with) } else { TAGS.iter().any(starts_with) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_feeds_json_and_images() {
        for page in [
            "<!DOCTYPE html><html>",
            "\u{feff}\n<html lang=de>",
            "<!-- Page cached --><!doctype HTML PUBLIC",
            "<!-- ad --!><html><p>-->x",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC",
            "<HTML>",
            "<p>x",
        ] {
            assert!(is_html(page.as_bytes()), "{page}");
        }
        assert!(is_html(b"\xff\xfe<\0h\0t\0m\0l\0>\0"));
        for other in [
            "<?xml version=\"1.0\"?><rss>",
            "<svg>",
            "{\"a\":1}",
            "",
            "User-agent: *",
            "<",
            "<pre",
            "\u{1f}\u{8b}",
            "<?xml",
        ] {
            assert!(!is_html(other.as_bytes()), "{other}");
        }
    }
}
