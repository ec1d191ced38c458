//! Recognises the other URLs at which WordPress shows a record besides its permalink: with a suffix or a query, or as a shortlink. This
//! module works on the keys of URLs and does not know the pages.

use super::prefix::{host_of, rest_after};
use crate::urls::UrlKey;
use crate::wordpress::{self, Suffix, shortlinks};

/// Whether `key` is `link` followed by a suffix that WordPress itself serves.
pub(super) fn is_part_of(key: &str, link: &str) -> bool {
    let rest = rest_after(key, link).map(|rest| rest.split('?').next().unwrap_or_default());
    rest.and_then(wordpress::without_suffix).is_some_and(|(above, _)| above.is_empty())
}

/// The URL in `key` without a suffix that WordPress appended. `None` without one, and for further pages of a list, which do not show
/// content of the record at that URL.
pub(super) fn without_suffix(key: &str) -> Option<&str> {
    let path = key.split('?').next().unwrap_or_default();
    let link = path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm"));
    let whole = || wordpress::without_suffix(path).filter(|(_, suffix)| *suffix != Suffix::Page);
    link.or_else(|| Some(whole()?.0))
}

/// The key of the page that WordPress shows at a URL for its trackbacks or further comments. A page may have such a URL of its own.
pub(super) fn shown_at(key: &str) -> Option<&str> {
    let (shown, suffix) = wordpress::without_suffix(key)?;
    (shown.contains('/') && matches!(suffix, Suffix::Trackback | Suffix::Comments)).then_some(shown)
}

/// Whether a key is that of a continuation of a long post, its second page or a later one.
pub(super) fn is_further(key: &str) -> bool {
    further_of(key).is_some()
}

/// The key of the first page of a long post, given the key of a continuation; `None` if `key` is not one.
pub(super) fn further_of(key: &str) -> Option<&str> {
    let (first, suffix) = wordpress::without_suffix(key)?;
    matches!(suffix, Suffix::Page | Suffix::Part | Suffix::Comments).then_some(first)
}

/// The key of the first page of a long post, and the number of the page, given the key of a further one.
pub(super) fn part_of(key: &str) -> Option<(&str, u32)> {
    let (first, _) = wordpress::without_suffix(key).filter(|(_, suffix)| *suffix == Suffix::Part)?;
    let number = key.strip_prefix(first)?.strip_prefix('/')?.parse().ok();
    Some((first, number.filter(|&number| number > 1)?))
}

/// Whether WordPress answers the URL `key` with the content of `link`, or with a part of it.
pub(super) fn leads_to(key: &str, link: &str, id: i64) -> bool {
    let cleaned = || UrlKey::new(&format!("http://{key}"))?.without_noise();
    is_part_of(key, link)
        || is_shortlink(key, link, id)
        || key.contains('?') && cleaned().is_some_and(|cleaned| cleaned.as_str() == link)
}

/// Whether `key` is `?p=ID` on the record's host.
pub(super) fn is_shortlink(key: &str, link: &str, id: i64) -> bool {
    let Some((page, _)) = key.split_once('?') else { return false };
    rest_after(link, page).is_some() && has_id(key, id)
}

/// Whether the query of a key has this id.
pub(super) fn has_id(key: &str, id: i64) -> bool {
    let Some((_, query)) = key.split_once('?') else { return false };
    shortlinks(query).any(|(_, named)| named == Some(id))
}

/// Whether a path such as `/fr` or `/pt-br` may be the directory of a language.
pub(super) fn is_language(path: &str) -> bool {
    let mut parts = path.trim_start_matches('/').split(['-', '_']);
    let is_word = |part: &str, shortest: usize, longest: usize| {
        (shortest..=longest).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    parts.next().is_some_and(|part| is_word(part, 2, 3)) && parts.all(|part| is_word(part, 2, 8))
}

/// Whether one key is the other inside the directory of this language: `a.example/ja/x` and `a.example/x`.
pub(super) fn differ_by_language(a: &str, b: &str, language: &str) -> bool {
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    let common = long.bytes().zip(short.bytes()).take_while(|(a, b)| a == b).count();
    // Their common prefix may end within a name, or within a character.
    let mut starts = long.bytes().enumerate().take(common + 1).filter(|(_, byte)| *byte == b'/').map(|(at, _)| at);
    starts.any(|start| {
        let directory = long[start + 1..].split(['/', '?']).next().unwrap_or_default();
        let is_rest = short.get(start..) == Some(&long[start + 1 + directory.len()..]);
        is_rest && is_language(directory) && primary(directory) == primary(language)
    })
}

/// The top directory of a key if it may be a language's; otherwise empty.
pub(super) fn directory(key: &str) -> &str {
    let path = key[host_of(key).len()..].split('?').next().unwrap_or_default();
    path.split('/').nth(1).filter(|first| is_language(first)).unwrap_or_default()
}

/// Whether a key is that of the directory of a language itself.
pub(super) fn is_front_of_language(key: &str) -> bool {
    is_language(&key[host_of(key).len()..])
}

/// Whether a key is in the directory of this language, and a record's link on the same host is not.
pub(super) fn is_in_directory_of(key: &str, link: &str, language: &str) -> bool {
    let own = directory(key);
    !own.is_empty() && primary(own) == primary(language) && own != directory(link) && host_of(key) == host_of(link)
}

/// The language of a tag or a directory, without its region.
pub(super) fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_with_a_suffix_of_wordpress_lead_to_the_record() {
        let link = "a.example/x";
        for key in ["embed", "feed", "feed/atom", "amp", "page/2", "2", "comment-page-3", "embed?x=1"] {
            assert!(leads_to(&format!("{link}/{key}"), link, 5), "{key}");
        }
        for key in ["a.example/x?replytocom=1", "a.example?p=5&preview=true", "a.example?page_id=5"] {
            assert!(leads_to(key, link, 5), "{key}");
        }
        for key in
            ["a.example/x/y", "a.example/xembed", "a.example?p=6", "b.example?p=5", "a.example/x?lang=fr", "a.example"]
        {
            assert!(!leads_to(key, link, 5), "{key}");
        }
    }

    #[test]
    fn further_pages_have_numbers() {
        assert_eq!(part_of("a.example/x/12"), Some(("a.example/x", 12)));
        for key in
            ["a.example/x/1", "a.example/x/0", "a.example/x/02a", "a.example/2019", "a.example/x/page/2", "a.example"]
        {
            assert_eq!(part_of(key), None, "{key}");
        }
    }

    #[test]
    fn suffixes_are_removed_from_urls() {
        for suffix in
            ["/2", "/embed", "/feed", "/feed/atom", "/amp", "/trackback", "/comment-page-3?replytocom=7", ".html"]
        {
            assert_eq!(without_suffix(&format!("a.example/x{suffix}")), Some("a.example/x"), "{suffix}");
        }
        for key in ["a.example/x/page/2", "a.example/x", "a.example", "a.example/x?p=5"] {
            assert_eq!(without_suffix(key), None, "{key}");
        }
    }

    #[test]
    fn two_urls_differ_only_by_the_directory_of_a_language() {
        let differ = |a: &str, b: &str| differ_by_language(a, b, "ja-JP") && differ_by_language(b, a, "ja-JP");
        for (a, b) in [
            ("/ja/x", "/x"),
            ("/ja", ""),
            ("/b/ja/x", "/b/x"),
            ("/ja/jam", "/jam"),
            ("/ja/ja", "/ja"),
            ("/ja?p=1", "?p=1"),
        ] {
            assert!(differ(&format!("a.example{a}"), &format!("a.example{b}")), "{a} {b}");
        }
        for (a, b) in
            [("/en/x", "/x"), ("/ja/x", "/y"), ("/x", "/x"), ("/jax", "/x"), ("/ja/x/y", "/x"), ("/ja/en/x", "/x")]
        {
            assert!(!differ(&format!("a.example{a}"), &format!("a.example{b}")), "{a} {b}");
        }
        assert!(!differ_by_language("b.example/ja/x", "a.example/x", "ja"));
    }

    #[test]
    fn directories_that_may_belong_to_a_language() {
        assert!(is_language("/fr") && is_language("/pt-br") && is_language("/zh-hant"));
        assert!(!is_language("/blog2") && !is_language("/fr/x") && !is_language(""));
    }
}
