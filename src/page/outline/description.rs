//! Reads the title that a page states for social networks, and compares texts by their letters.

use crate::html::tokenizer::Attributes;

/// The title of the page for social networks (`og:title`).
pub(super) fn title(meta: Attributes<'_, '_>) -> Option<String> {
    meta.raw("property").filter(|name| name.eq_ignore_ascii_case("og:title"))?;
    meta.get("content").map(|title| title.into_owned())
}

/// The letters and digits of a text, in lower case.
pub(in crate::page) fn letters(text: &str) -> impl DoubleEndedIterator<Item = char> {
    // most are ASCII, for which Unicode's tables are slow
    text.chars().filter_map(|c| match c {
        'a'..='z' | '0'..='9' => Some(c),
        'A'..='Z' => Some(c.to_ascii_lowercase()),
        '\0'..='\x7f' => None,
        _ if c.is_alphanumeric() => c.to_lowercase().next(),
        _ => None,
    })
}
