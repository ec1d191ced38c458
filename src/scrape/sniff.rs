//! Detects HTML by the first bytes of a file. File names do not count: scrapes keep feeds and JSON in index.html.

use crate::html::tokenizer::comment_end;
use memchr::{memchr, memchr_iter, memmem};

/// The number of bytes that are examined.
pub(super) const SAMPLE: usize = 4096;

/// The tags that identify HTML (<https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type>), others with
/// which old pages begin, and first tags of pages that were saved as fragments, without the frame around their posts.
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
    "main",
    "article",
    "section",
];

/// Every page of WordPress begins with one of these tags.
const FIRST_TAGS: &[&str] = &["!doctype html", "html"];

/// The beginnings of PHP's messages, which precede the page if a server displays them
/// (<https://www.php.net/manual/en/errorfunc.constants.php>).
const MESSAGES: &[&str] =
    &["Warning: ", "Notice: ", "Deprecated: ", "Strict Standards: ", "Parse error: ", "Fatal error: "];

/// Whether a file that begins with `start` is HTML. Comments, an XML declaration and PHP's messages may precede the first tag; if
/// the server `said` that the file is HTML, so may any text.
pub(crate) fn is_html(start: &[u8], said: bool) -> bool {
    // UTF-16 in its simplest form: every tag is ASCII.
    let wide = start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff");
    let narrow: Vec<u8> = if wide { start[2..].iter().copied().filter(|&b| b != 0).collect() } else { Vec::new() };
    let mut rest = if wide { &narrow[..] } else { start };
    rest = after_chunk_size(rest).unwrap_or(rest);
    let mut is_xml = false;
    loop {
        rest = rest.trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"\xef\xbb\xbf") {
            // A byte order mark: at the beginning, or from any of the PHP files that made the page.
            rest = after;
            continue;
        }
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
    if begins_with_tag(rest, if is_xml { FIRST_TAGS } else { TAGS }) {
        return !is_shown_text(rest);
    }
    let is_message = !is_xml && is_message(rest);
    let has_page = || memchr_iter(b'<', rest).any(|at| begins_with_tag(&rest[at..], FIRST_TAGS));
    // A page that begins with many messages is still a page.
    let is_said = said && !is_xml && !rest.starts_with(b"{") && !rest.starts_with(b"[");
    is_message && start.len() >= SAMPLE || (is_message || is_said) && has_page()
}

/// The bytes after the size of a chunk, which some tools leave in the bodies that they save
/// (<https://www.rfc-editor.org/rfc/rfc9112.html#section-7.1>).
fn after_chunk_size(body: &[u8]) -> Option<&[u8]> {
    let digits = body.iter().position(|byte| !byte.is_ascii_hexdigit())?;
    let line_end = |end: &[u8]| body[digits..].strip_prefix(end);
    line_end(b"\r\n").or_else(|| line_end(b"\n")).filter(|_| (1..=8).contains(&digits))
}

fn begins_with_tag(html: &[u8], tags: &[&str]) -> bool {
    let Some(rest) = html.strip_prefix(b"<") else { return false };
    tags.iter().any(|tag| {
        let name = rest.get(..tag.len()).unwrap_or_default();
        let next = rest.get(tag.len()).copied().unwrap_or(b'>');
        name.eq_ignore_ascii_case(tag.as_bytes()) && (next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
    })
}

/// Whether the page was made by a browser to show a text file, a feed or JSON, and was saved in this form
/// (<https://html.spec.whatwg.org/multipage/document-lifecycle.html#navigate-text>): it has no title, and its body only has a
/// `pre`, or the root of the feed.
fn is_shown_text(html: &[u8]) -> bool {
    let mut rest = html;
    let mut tags = std::iter::from_fn(|| {
        let (tag, after) = rest.strip_prefix(b"<")?.split_at_checked(memchr(b'>', rest)? - 1)?;
        rest = &after[1..];
        let end = tag.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'/').unwrap_or(tag.len());
        Some(tag[..end].to_ascii_lowercase())
    });
    let mut is_next = |name: &[u8]| tags.next().is_some_and(|tag| tag == name);
    if !(is_next(b"html") && is_next(b"head")) {
        return false;
    }
    let after_head: Vec<Vec<u8>> = tags.skip_while(|tag| tag == b"meta" || tag == b"link").take(3).collect();
    let is_text = |root: &[u8]| matches!(root, b"pre" | b"rss" | b"feed" | b"rdf");
    matches!(&after_head[..], [end, body, root] if end == b"/head" && body == b"body" && is_text(root))
}

fn is_message(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"PHP ").unwrap_or(text);
    MESSAGES.iter().any(|message| text.starts_with(message.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_feeds_json_and_images() {
        for page in [
            "<!DOCTYPE html><html>",
            "\u{feff}\n<html lang=de>",
            "\n\u{feff}<!DOCTYPE html><html>",
            "<!-- Page cached --><!doctype HTML PUBLIC",
            "<!-- ad --!><html><p>-->x",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC",
            "<HTML>",
            "20b2\r\n<!DOCTYPE html>",
            "2042\n<!DOCTYPE html>",
            "<p>x",
        ] {
            assert!(is_html(page.as_bytes(), false), "{page}");
        }
        assert!(is_html(b"\xff\xfe<\0h\0t\0m\0l\0>\0", false));
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
            "20b2\r\n{}",
        ] {
            assert!(!is_html(other.as_bytes(), true), "{other}");
        }
    }

    #[test]
    fn text_that_a_browser_shows_is_no_page() {
        for shown in [
            "<html><head><meta name=\"color-scheme\" content=\"light dark\"></head><body><pre style=\"white-space: pre-wrap;\">{\"id\":7}",
            "<html><head><meta name=color-scheme><meta charset=\"utf-8\"></head><body><pre>[]</pre><div class=json-formatter></div>",
            "<html><head><link rel=\"stylesheet\" href=\"resource://content-accessible/plaintext.css\"></head><body><pre>&lt;?xml",
            "<HTML><head></head><body><pre>User-agent: *",
            "<!--?xml version=\"1.0\"?--><html><head></head><body><rss version=\"2.0\">",
            "<html><head></head><body><rdf:rdf xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">",
        ] {
            assert!(!is_html(shown.as_bytes(), true), "{shown}");
        }
        for page in [
            "<html><head><title>Poems</title></head><body><pre>Roses",
            "<!doctype html><html><head></head><body><pre>Roses",
            "<html><head></head><body><h1>Poems</h1><pre>Roses",
            "<html><head></head>\n<body>\n<pre>Roses",
            "<html><head></head><body><feedback>",
            "<html><head></head><body",
            "\n\n\t<main id=main class=site-main>\n<article>",
            "<article id=post-463>",
        ] {
            assert!(is_html(page.as_bytes(), false), "{page}");
        }
    }

    /// They were not recognised as HTML, and lost.
    #[test]
    fn messages_of_php_may_precede_a_page() {
        let page = "<!DOCTYPE html><html><head></head></html>";
        for message in [
            "Warning: x in /a.php on line 3\n",
            "\n\nDeprecated: Function <b> is deprecated in /a.php on line 3\nNotice: y\n",
            "PHP Fatal error: x",
            "<br />\n<b>Notice</b>:  x in <b>/a.php</b> on line <b>3</b><br />\n",
        ] {
            assert!(is_html([message, page].concat().as_bytes(), false), "{message}");
        }
        assert!(is_html("Warning: x in /a.php on line 3\n".repeat(400).as_bytes(), false));
        assert!(!is_html("{\"a\":\"<html>\"}".as_bytes(), true));
        for text in ["array(1)\n", "1", "See <a>: "] {
            let text = [text, page].concat();
            assert!(!is_html(text.as_bytes(), false) && is_html(text.as_bytes(), true), "{text}");
        }
        for other in ["Warning: x in /a.php on line 3\n", "Warning: x\n<svg>", "Warnings: <html>", "{\"a\":1}"] {
            assert!(!is_html(other.as_bytes(), false), "{other}");
        }
    }
}
