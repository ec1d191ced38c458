//! Makes paragraphs from the line breaks of a text that was written without blocks, as WordPress does. Source:
//! [`wpautop()`](https://developer.wordpress.org/reference/functions/wpautop/).

use regex::{Captures, Regex};
use std::sync::LazyLock;

const BLOCKS: &str = "(?:table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary)";

/// Replacements, in this order, before the text is split into paragraphs. `\s` is an ASCII blank, BLOCKS one of the names above.
const BEFORE: [(&str, &str); 14] = [
    (r"<br\s*/?>\s*<br\s*/?>", "\n\n"),
    (r"(<BLOCKS[\s/>])", "\n\n$1"),
    (r"(</BLOCKS>)", "$1\n\n"),
    (r"(<hr\s*/?>)", "$1\n\n"),
    (r"\r\n?", "\n"),
    (r"\s*<option", "<option"),
    (r"</option>\s*", "</option>"),
    (r"(<object[^>]*>)\s*", "$1"),
    (r"\s*(</object>|</?(?:param|embed)[^>]*>)", "$1"),
    (r"([<\[](?:audio|video)[^>\]]*[>\]])\s*", "$1"),
    (r"\s*([<\[]/(?:audio|video)[>\]])", "$1"),
    (r"\s*(<(?:source|track)[^>]*>)\s*", "$1"),
    (r"\s*(<figcaption[^>]*>)", "$1"),
    (r"</figcaption>\s*", "</figcaption>"),
];

/// Replacements within the paragraphs.
const AFTER: [(&str, &str); 8] = [
    (r"<p>\s*</p>", ""),
    (r"<p>([^<]+)</(div|address|form)>", "<p>$1</p></$2>"),
    (r"<p>\s*(</?BLOCKS[^>]*>)\s*</p>", "$1"),
    (r"<p>(<li.+?)</p>", "$1"),
    (r"(?i)<p><blockquote([^>]*)>", "<blockquote$1><p>"),
    (r"</blockquote></p>", "</p></blockquote>"),
    (r"<p>\s*(</?BLOCKS[^>]*>)", "$1"),
    (r"(</?BLOCKS[^>]*>)\s*</p>", "$1"),
];

/// Replacements after line breaks have been inserted.
const LAST: [(&str, &str); 2] =
    [(r"(</?BLOCKS[^>]*>)\s*<br />", "$1"), (r"<br />(\s*</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)", "$1")];

static PATTERNS: LazyLock<[Vec<(Regex, &str)>; 3]> = LazyLock::new(|| {
    [&BEFORE[..], &AFTER, &LAST].map(|list| list.iter().map(|(p, with)| (pattern(p), *with)).collect())
});
/// An element without an end extends to the end of the text; otherwise the end would be searched for again and again.
static KEPT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?s)<script.*?(?:</script>|$)|<style.*?(?:</style>|$)|<svg.*?(?:</svg>|$)|<math.*?(?:</math>|$)")
});
static BREAK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(<br />)?\s*\n"));
static PARAGRAPH_END: LazyLock<Regex> = LazyLock::new(|| pattern(r"\n\s*\n"));
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<!--.*?(?:-->|$)|<[^>]*>"));

/// A placeholder for a line break that is kept: a noncharacter, which does not occur in texts.
const LINE: &str = "\u{fdd0}";
/// A placeholder for a `<pre>`, likewise.
const PRE: &str = "\u{fdd1}";

fn pattern(text: &str) -> Regex {
    let text = text.replace(r"\s", r"[ \t\n\r\x0b\x0c]").replace("BLOCKS", BLOCKS);
    Regex::new(&text).expect("the patterns are above")
}

fn replace_all(text: String, list: usize) -> String {
    PATTERNS[list].iter().fold(text, |text, (pattern, with)| match pattern.replace_all(&text, *with) {
        std::borrow::Cow::Owned(text) => text,
        std::borrow::Cow::Borrowed(_) => text,
    })
}

/// The text with paragraphs and line breaks.
pub(super) fn autop(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let text = format!("{text}\n");
    let (text, pres) = without_pres(&text);
    let text = replace_all(text, 0);
    let text = TAG.replace_all(&text, |tag: &Captures<'_>| tag[0].replace('\n', LINE)).into_owned();
    let paragraphs = PARAGRAPH_END.split(&text).filter(|paragraph| !paragraph.is_empty());
    let text = paragraphs.map(|paragraph| format!("<p>{}</p>\n", paragraph.trim_matches('\n'))).collect::<String>();
    let text = replace_all(text, 1);
    let text = KEPT.replace_all(&text, |kept: &Captures<'_>| kept[0].replace('\n', LINE)).into_owned();
    let text = text.replace("<br>", "<br />").replace("<br/>", "<br />");
    let text = BREAK.replace_all(&text, "<br />\n").into_owned();
    let mut text = replace_all(text, 2);
    if text.ends_with("\n</p>") {
        text.truncate(text.len() - "\n</p>".len());
        text += "</p>";
    }
    let mut pres = pres.into_iter();
    let mark = format!("<pre {PRE}></pre>");
    let mut parts = text.split(&mark);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole += pres.next().unwrap_or_default();
        whole += part;
    }
    whole.replace(LINE, "\n")
}

/// The text with a placeholder for each `<pre>`, and the `<pre>` elements.
fn without_pres(text: &str) -> (String, Vec<&str>) {
    let (mut marked, mut pres) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some(end) = rest.find("</pre>").map(|at| at + "</pre>".len()) {
        let (part, after) = rest.split_at(end);
        rest = after;
        match part.find("<pre") {
            Some(start) => {
                marked.extend([&part[..start], "<pre ", PRE, "></pre>"]);
                pres.push(&part[start..]);
            }
            None => marked += &part[..part.len() - "</pre>".len()],
        }
    }
    marked += rest;
    (marked, pres)
}

#[cfg(test)]
mod tests {
    use super::autop;

    /// The expected values come from `wpautop()` of WordPress 6.
    #[test]
    fn paragraphs_are_those_of_wordpress() {
        for (text, want) in [
            ("", ""),
            ("One.\n\nTwo\nlines.", "<p>One.</p>\n<p>Two<br />\nlines.</p>\n"),
            ("<h2>A</h2>\nb\n<ul>\n<li>c</li>\n</ul>", "<h2>A</h2>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n"),
            ("<blockquote>q\n\nr</blockquote>", "<blockquote><p>q</p>\n<p>r</p></blockquote>\n"),
            ("a\n<pre>x\n\ny</pre>\nb", "<p>a</p>\n<pre>x\n\ny</pre>\n<p>b</p>\n"),
            ("<div>a</div>b", "<div>a</div>\n<p>b</p>\n"),
            ("<a\nhref='x'>a</a>", "<p><a\nhref='x'>a</a></p>\n"),
            ("a<br><br>b", "<p>a</p>\n<p>b</p>\n"),
            ("<script>\na\nb\n</script>", "<p><script>\na\nb\n</script></p>\n"),
        ] {
            assert_eq!(autop(text), want, "{text}");
        }
    }
}
