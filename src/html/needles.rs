//! Texts of CSS selectors: putting one below another, and what a page must contain for one to match, so that most
//! selectors need not be tried on most pages. Whether a selector is valid is found out where it is compiled, in
//! [`crate::html::page`].

use memchr::memmem::Finder;
use std::collections::BTreeMap;

/// Which of many selectors can match in a page at all.
pub(crate) struct Needles {
    /// A text, and the selectors of which it is an alternative.
    needles: Vec<(Finder<'static>, Vec<usize>)>,
    /// Selectors that may match without any fixed text.
    always: Vec<bool>,
}

impl Needles {
    /// Those of `selectors`, which are numbered from 0.
    pub(crate) fn new<'a>(selectors: impl IntoIterator<Item = &'a str>) -> Self {
        let mut by_text: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut always = Vec::new();
        for (number, selector) in selectors.into_iter().enumerate() {
            let texts = needles(selector);
            always.push(texts.is_none());
            texts.into_iter().flatten().for_each(|text| by_text.entry(text).or_default().push(number));
        }
        let finder = |(text, numbers): (String, Vec<usize>)| (Finder::new(&text).into_owned(), numbers);
        Needles { needles: by_text.into_iter().map(finder).collect(), always }
    }

    /// For each selector whether it can match in `html`.
    pub(crate) fn present(&self, html: &[u8]) -> Vec<bool> {
        let mut present = self.always.clone();
        for (needle, numbers) in &self.needles {
            if numbers.iter().any(|&number| !present[number]) && needle.find(html).is_some() {
                numbers.iter().for_each(|&number| present[number] = true);
            }
        }
        present
    }

    /// Where the last text ends without which none of the selectors `numbers` begins to match; the end of `html` where
    /// one needs none.
    pub(crate) fn last(&self, html: &[u8], is_asked: impl Fn(usize) -> bool) -> usize {
        if (0..self.always.len()).any(|number| self.always[number] && is_asked(number)) {
            return html.len();
        }
        let asked = self.needles.iter().filter(|(_, numbers)| numbers.iter().any(|&number| is_asked(number)));
        let ends = asked.filter_map(|(needle, _)| Some(needle.find_iter(html).last()? + needle.needle().len()));
        ends.max().unwrap_or(0)
    }
}

/// `inner` below `outer`, each alternative of one below each of the other. No outer: `inner` as it is.
pub(crate) fn below(outer: &str, inner: &str) -> String {
    if outer.trim().is_empty() {
        return inner.trim().to_owned();
    }
    let inner = alternatives(inner);
    let pairs =
        alternatives(outer).into_iter().flat_map(|outer| inner.iter().map(move |inner| format!("{outer} {inner}")));
    pairs.collect::<Vec<_>>().join(", ")
}

/// Texts one of which is in every page in which `selector` matches: of each alternative the longest class, id or
/// attribute value. None where an alternative has no such text.
fn needles(selector: &str) -> Option<Vec<String>> {
    alternatives(selector)
        .into_iter()
        .map(|one| fixed_texts(one).max_by_key(|text| text.len()).map(str::to_owned))
        .collect()
}

/// The selector at its commas, but for those in brackets and quotes.
pub(crate) fn alternatives(selector: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start, mut found) = (0_u32, None, 0, Vec::new());
    for (at, c) in selector.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                found.push(selector[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(selector[start..].trim());
    found
}

/// Classes, ids and attribute values of one alternative; nothing of what stands in `:not(…)` or is escaped.
fn fixed_texts(selector: &str) -> impl Iterator<Item = &str> {
    let (mut round, mut square) = (0_u32, false);
    let mut starts = Vec::new();
    for (at, c) in selector.char_indices() {
        match c {
            '(' => round += 1,
            ')' => round = round.saturating_sub(1),
            '[' => square = true,
            ']' => square = false,
            '=' if square && round == 0 => starts.push(at + 1),
            '.' | '#' if !square && round == 0 => starts.push(at + 1),
            _ => {}
        }
    }
    starts.into_iter().filter_map(move |start| {
        let rest = selector[start..].trim_start_matches(['"', '\'']);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(rest.len());
        // [lang="fr" i] matches FR as well, and an escaped name is written otherwise in the page
        let value = rest.split(']').next().unwrap_or_default().trim_end();
        let folded = value.ends_with(" i") || value.ends_with(" I");
        let escaped = rest[end..].starts_with('\\');
        (end > 0 && !folded && !escaped).then_some(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_combined() {
        assert_eq!(below("", " li.a "), "li.a");
        assert_eq!(below("#a, .b", "li"), "#a li, .b li");
        assert_eq!(below("ul", "> li, a[title=\"x, y\"]"), "ul > li, ul a[title=\"x, y\"]");
        assert_eq!(below("p:not(.a, .b)", "a"), "p:not(.a, .b) a");
    }

    #[test]
    fn needles_are_in_every_page_that_matches() {
        let of = |selector| needles(selector).map(|found| found.join(" "));
        assert_eq!(of("li.lang-item").unwrap(), "lang-item");
        assert_eq!(of("#x li.longer, .y").unwrap(), "longer y");
        assert_eq!(of("select[name^=lang_choice] option").unwrap(), "lang_choice");
        assert_eq!(of("a[href=\"#top\"]"), None);
        assert_eq!(of("ul li"), None);
        assert_eq!(of(".a, ul"), None);
        assert_eq!(of("li:not(.a)"), None);
        assert_eq!(of("li:not(.a).b").unwrap(), "b");
        assert_eq!(of("a[lang=\"fr\" i]"), None);
        assert_eq!(of("a[lang=fr i]"), None);
    }
}
