//! Turns URLs in the text of a comment into links, as WordPress does. Source:
//! [`make_clickable()`](https://developer.wordpress.org/reference/functions/make_clickable/).

use super::media::attribute;

/// The text with links for all URLs outside of tags.
pub(super) fn clickable(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut in_link = false;
    for part in html.split_inclusive('>') {
        let (text, tag) = part.split_at(part.find('<').unwrap_or(part.len()));
        if in_link || !text.contains("://") && !text.contains("www.") {
            out += text
        } else {
            link(text, &mut out)
        }
        out += tag;
        let mut words = tag.split(|c: char| !c.is_ascii_alphanumeric() && c != '/').skip(1);
        match words.next() {
            Some("a" | "A") => in_link = true,
            Some("/a" | "/A") => in_link = false,
            _ => {}
        }
    }
    out
}

fn link(text: &str, out: &mut String) {
    for word in text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '(' | '[')) {
        let end = word.find(|c: char| c.is_whitespace() || matches!(c, '(' | '[')).unwrap_or(word.len());
        let url = word[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '"', '\'']);
        let is_apart = out.is_empty() || out.ends_with(|c: char| c.is_whitespace() || c == '>');
        let scheme = if url.starts_with("www.") && is_apart { "http://" } else { "" };
        let starts = ["http://", "https://", "www."];
        let host = starts.iter().take(if is_apart { 3 } else { 2 }).find_map(|start| url.strip_prefix(start));
        if host.is_some_and(|host| host.contains('.')) {
            let href = attribute(url);
            let link = ["<a href=\"", scheme, &href, "\" rel=\"nofollow ugc\">", scheme, url, "</a>"];
            out.extend(link.into_iter().chain([&word[url.len()..]]));
        } else {
            *out += word;
        }
    }
}
