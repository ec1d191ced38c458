//! What WordPress makes of the text of a comment beside its paragraphs.
//! Source: [`make_clickable()`](https://developer.wordpress.org/reference/functions/make_clickable/).

use super::media::attribute;

/// A text in which the URLs outside of tags are links.
pub(super) fn clickable(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut in_link = false;
    for part in html.split_inclusive('>') {
        let (text, tag) = part.split_at(part.find('<').unwrap_or(part.len()));
        if in_link || !text.contains("://") {
            out += text
        } else {
            link(text, &mut out)
        }
        out += tag;
        let name = tag
            .trim_start_matches('<')
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '/')
            .next()
            .unwrap_or_default();
        match name {
            "a" | "A" => in_link = true,
            "/a" | "/A" => in_link = false,
            _ => {}
        }
    }
    out
}

fn link(text: &str, out: &mut String) {
    for word in text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '(' | '[')) {
        let end = word.find(|c: char| c.is_whitespace() || matches!(c, '(' | '[')).unwrap_or(word.len());
        let url = word[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '"', '\'']);
        let is_url = ["http://", "https://"]
            .iter()
            .any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| rest.contains('.')));
        if is_url {
            let href = attribute(url);
            out.extend(["<a href=\"", &href, "\" rel=\"nofollow ugc\">", url, "</a>", &word[url.len()..]]);
        } else {
            *out += word;
        }
    }
}
