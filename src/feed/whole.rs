//! Decides whether a feed has the whole content of a post, and undoes the changes that WordPress makes to the content for feeds.

use super::entry::identity;
use crate::wordpress::comment_of;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The content of an entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    Whole(String),
    /// It has the form for a password in its place.
    Protected,
    /// It is a summary, or the first of several pages, or missing.
    Absent,
}

/// Decides how much `html` has of the content of the post at `link`, whose excerpt in the feed is given.
pub(super) fn content(html: &str, excerpt: Option<&str>, link: &str) -> Content {
    let text = html.trim();
    // get_the_password_form()
    if text.contains("post-password-form") && text.contains("action=postpass") {
        return Content::Protected;
    }
    // feed-rss2.php writes the excerpt if there is no content; `wp_link_pages()` links to the further pages
    let is_excerpt = excerpt.is_some_and(|excerpt| excerpt.trim() == text);
    let is_page = ["class=\"page-links", "post-page-numbers"].iter().any(|mark| text.contains(mark));
    if text.is_empty() || is_excerpt || is_page || is_cut(text) {
        return Content::Absent;
    }
    // A plugin may have added a sentence that links to the post.
    let before = last_paragraph(text).filter(|at| text[*at..].contains(link)).map(|at| text[..at].trim_end());
    if before.is_some_and(|text| is_cut(text) || excerpt.is_some_and(|excerpt| excerpt.trim() == text)) {
        return Content::Absent;
    }
    Content::Whole(with_plain_emoji(html).into_owned())
}

/// Whether a text ends with the `[…]` of `wp_trim_excerpt()`.
fn is_cut(html: &str) -> bool {
    let mut rest = html.trim_end();
    while let Some(at) = rest.strip_suffix('>').and_then(|rest| rest.rfind('<')) {
        rest = rest[..at].trim_end();
    }
    ["[…]", "[&#8230;]", "[&hellip;]", "[...]"].iter().any(|mark| rest.ends_with(mark))
}

/// Where the last paragraph begins, if nothing follows it.
pub(super) fn last_paragraph(html: &str) -> Option<usize> {
    let html = html.trim_end();
    let at = html.strip_suffix("</p>")?.rfind("<p")?;
    html[at + 2..].starts_with([' ', '>']).then_some(at)
}

/// Where the first paragraph ends, if nothing comes before it.
pub(super) fn first_paragraph(html: &str) -> Option<usize> {
    let start = html.len() - html.trim_start().len();
    let is_one = html[start..].strip_prefix("<p").is_some_and(|rest| rest.starts_with([' ', '>']));
    is_one.then(|| html.find("</p>").map(|at| at + "</p>".len())).flatten()
}

/// The id of the comment that the one at `link` replies to, and the text of the reply. In feeds, `get_comment_text()` puts a paragraph
/// before the text: "In reply to NAME." in the language of the site, with a link to the other comment.
pub(super) fn answered<'h>(html: &'h str, link: &str) -> Option<(i64, &'h str)> {
    let end = first_paragraph(html)?;
    let (href, rest) = html[..end].split_once("<a href=\"")?.1.split_once('"')?;
    let after = rest.split_once("</a>")?.1.strip_suffix("</p>")?;
    let post = |link: &str| identity(link).split('#').next().map(str::to_owned);
    let is_all = after.trim().chars().count() <= 1 && post(href) == post(link);
    Some((comment_of(href).filter(|_| is_all)?, html[end..].trim_start()))
}

/// Restores the emoji that `wp_staticize_emoji()` has turned into images for feeds.
pub(super) fn with_plain_emoji(html: &str) -> Cow<'_, str> {
    static IMAGE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("<img[^<>]*/images/core/emoji/[^<>]*>").expect("it is above"));
    IMAGE.replace_all(html, |tag: &Captures<'_>| emoji_of(&tag[0]).unwrap_or_else(|| tag[0].to_owned()))
}

fn emoji_of(tag: &str) -> Option<String> {
    let alt = Some(tag).filter(|tag| tag.contains("wp-smiley"))?.split_once(" alt=\"")?.1.split('"').next()?;
    (!alt.is_empty()).then(|| alt.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_no_content() {
        let of = |html: &str, excerpt: &str| content(html, Some(excerpt), "https://a.example/x/");
        assert_eq!(of("<p>Low water.</p>\n", "Low water."), Content::Whole("<p>Low water.</p>\n".to_owned()));
        let said = "<p>The post <a href=\"https://a.example/x/\">X</a> appeared first on A.</p>";
        for html in [
            "Low water.\n",
            "",
            "Low [&#8230;]",
            "<p>Low [&hellip;]</p>",
            "<p>Low <a href=x>[…]</a></p>\n",
            &format!("<p>Low [...]</p>\n{said}\n"),
            &format!("Low water.{said}"),
        ] {
            assert_eq!(of(html, "Low water."), Content::Absent, "{html}");
        }
        assert_eq!(of("<p>1</p><p class=\"page-links\">2</p>", ""), Content::Absent);
        let form = "<form action=\"https://a.example/wp-login.php?action=postpass\" class=\"post-password-form\">";
        assert_eq!(of(form, ""), Content::Protected);
        assert!(matches!(of("<p>All [sic] of it […] is here.</p>", "All"), Content::Whole(_)));
    }

    #[test]
    fn an_answer_is_told_by_its_first_paragraph() {
        let link = "https://a.example/x/comment-page-2/#comment-9";
        let said = |rest: &str| {
            format!("<p>Antwort auf <a href=\"https://a.example/x/#comment-7\">Bo</a>{rest}</p>\n<p>No.</p>")
        };
        for rest in [".", "", "。"] {
            assert_eq!(answered(&said(rest), link), Some((7, "<p>No.</p>")));
        }
        assert_eq!(answered(&said(" is right."), link), None);
        assert_eq!(answered(&said(".").replace("/x/", "/y/"), link), None);
        assert_eq!(answered("<p>No.</p>", link), None);
    }

    #[test]
    fn emoji_are_characters() {
        let image = "<img src=\"https://s.w.org/images/core/emoji/15.0.3/72x72/1f986.png\" alt=\"🦆\" class=\"wp-smiley\" style=\"height: 1em; max-height: 1em;\" />";
        assert_eq!(
            with_plain_emoji(&format!("<p>A {image}{image}, <img src=b.png></p>")),
            "<p>A 🦆🦆, <img src=b.png></p>"
        );
        for html in [
            "<p>x</p>",
            "<a href=\"https://s.w.org/images/core/emoji/\">e</a>",
            "<img src=\"/images/core/emoji/a.png\" alt=\"a\">",
        ] {
            assert_eq!(with_plain_emoji(html), html);
        }
    }

    #[test]
    fn paragraphs_at_the_ends() {
        assert_eq!(last_paragraph("<p>a</p>\n<p class=b>c</p>\n"), Some(9));
        assert_eq!(last_paragraph("<p>a</p>\nb"), None);
        assert_eq!(last_paragraph("<pre>a</pre></p>"), None);
        assert_eq!(first_paragraph("\n<p>a</p>b"), Some(9));
        assert_eq!(first_paragraph("a<p>b</p>"), None);
    }
}
