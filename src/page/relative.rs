//! Makes the relative URLs of a piece of HTML whole, so that it can stand on another page.

use crate::urls::{PageUrl, join};
use lol_html::html_content::Element;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use std::borrow::Cow;

/// Attributes whose value is a URL.
const URLS: [&str; 5] = ["href", "src", "poster", "cite", "data"];

/// HTML of the page `url` with whole URLs in the place of those that are relative to the page's folder. Others mean the same on each page of a
/// site. Attributes of scripts (`data-src`) are URLs if they say so by `./` or `../`.
pub(crate) fn with_whole_urls(html: String, url: Option<&PageUrl>) -> String {
    let Some(url) = url else { return html };
    let whole = |element: &mut Element<'_, '_>| {
        let changed: Vec<(String, String)> = element
            .attributes()
            .iter()
            .filter_map(|attribute| Some((attribute.name(), whole_value(&attribute.name(), &attribute.value(), url)?)))
            .collect();
        changed.iter().try_for_each(|(name, value)| element.set_attribute(name, value))?;
        Ok(())
    };
    let settings = RewriteStrSettings::new().with_strict(false).append_element_content_handler(element!("*", whole));
    rewrite_str(&html, settings).unwrap_or(html)
}

/// The value of an attribute with whole URLs, if that changes it.
fn whole_value(name: &str, value: &str, page: &PageUrl) -> Option<String> {
    let of_script = name.starts_with("data-");
    let whole = |url: &str| {
        let is_of_folder = url.starts_with("./") || url.starts_with("../");
        let is_relative = is_of_folder || !of_script && !url.is_empty() && !url.starts_with('/') && !has_scheme(url);
        join(Some(page), url).filter(|_| is_relative).map(Cow::into_owned)
    };
    if name.ends_with("srcset") {
        let candidate = |text: &str| {
            let (url, size) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
            whole(url).unwrap_or_else(|| url.to_owned()) + size
        };
        let candidates: Vec<String> = value.split(", ").map(|text| candidate(text.trim())).collect();
        return Some(candidates.join(", ")).filter(|changed| changed != value);
    }
    whole(value.trim()).filter(|_| of_script || URLS.contains(&name))
}

/// Whether a URL begins with a scheme.
fn has_scheme(url: &str) -> bool {
    let end = url.find([':', '/', '?', '#']);
    end.is_some_and(|end| end > 0 && url.as_bytes()[end] == b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_urls_become_whole_and_all_else_stays() {
        let page = PageUrl::parse("https://a.example/x/2/").unwrap();
        let cases = [
            ("<a href=\"../../y/#z\">t</a>", "<a href=\"https://a.example/y/#z\">t</a>"),
            ("<a href='y?a=1&amp;b=2'>", "<a href=\"https://a.example/x/2/y?a=1&amp;b=2\">"),
            ("<a href=\"#n\">", "<a href=\"https://a.example/x/2/#n\">"),
            (
                "<img src=../b.jpg srcset=\"../b.jpg 1x, /c.jpg 2x\">",
                "<img src=\"https://a.example/x/b.jpg\" srcset=\"https://a.example/x/b.jpg 1x, /c.jpg 2x\">",
            ),
            (
                "<img data-src='../b.jpg' data-id='7' alt='../x'>",
                "<img data-src=\"https://a.example/x/b.jpg\" data-id='7' alt='../x'>",
            ),
        ];
        for (html, whole) in cases {
            assert_eq!(with_whole_urls(html.to_owned(), Some(&page)), whole);
        }
        for same in [
            "<a href=/y/>",
            "<a href='mailto:a@b.example'>",
            "<img src=data:image/png;base64,AA==>",
            "<A HREF='//b.example/'>",
            "<p>a < b &amp;</i>",
        ] {
            assert_eq!(with_whole_urls(same.to_owned(), Some(&page)), same);
        }
    }
}
