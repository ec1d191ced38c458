//! Parses paths on a site with permalinks: the suffixes that WordPress appends, and the places of its archives
//! (`WP_Rewrite::generate_rewrite_rules()`).

use super::Object;
use super::query::without_query;

/// The names of feeds (`WP_Rewrite::$feeds`); posts cannot have these slugs (`wp_unique_post_slug()`).
const FEEDS: [&str; 5] = ["feed", "rdf", "rss", "rss2", "atom"];

/// A suffix that WordPress appends to a permalink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suffix {
    /// `/page/N`: a page of a list, or of a page that shows a list.
    Page,
    /// `/N`: a page of a long post. Four digits may be a year, and no text has that many pages.
    Part,
    /// `/comment-page-N`.
    Comments,
    /// `/feed`, `/feed/atom`, `/atom`.
    Feed,
    /// `/embed`.
    Embed,
    /// `/trackback`.
    Trackback,
    /// `/amp`, from the plugin AMP.
    Amp,
}

/// A path, or a URL's key, without its final suffix, and that suffix.
pub(crate) fn without_suffix(path: &str) -> Option<(&str, Suffix)> {
    let (above, last) = path.rsplit_once('/')?;
    if let Some(list) = above.strip_suffix("/page").filter(|_| is_number(last)) {
        return Some((list, Suffix::Page));
    }
    let suffix = match last {
        "amp" => Suffix::Amp,
        "embed" => Suffix::Embed,
        "trackback" => Suffix::Trackback,
        _ if FEEDS.contains(&last) => return Some((above.strip_suffix("/feed").unwrap_or(above), Suffix::Feed)),
        _ if is_number(last) && last.len() <= 4 && !is_recent(last) => Suffix::Part,
        _ if last.strip_prefix("comment-page-").is_some_and(is_number) => Suffix::Comments,
        _ => return None,
    };
    Some((above, suffix))
}

/// The punctuation, as it is written in keys, that WordPress removes from the end of a path, and from ids and tags at the end of a query
/// (`redirect_canonical()`): URLs often get some from the sentence around them.
const PUNCTUATION: [&str; 13] =
    ["%20", "!", "%22", "'", "(", ")", ",", ".", ";", "%7B", "%7D", "%E2%80%9C", "%E2%80%9D"];

/// A path or a query without the punctuation at its end; `None` if it has none.
pub(crate) fn without_punctuation(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(shorter) = PUNCTUATION.iter().find_map(|sign| rest.strip_suffix(sign)) {
        rest = shorter;
    }
    (rest.len() < text.len()).then_some(rest)
}

/// The N of a URL's fragment `#comment-N` (`get_comment_link()`).
pub(crate) fn comment_of(url: &str) -> Option<i64> {
    let number = url.split_once('#')?.1.trim_end().strip_prefix("comment-")?;
    if is_number(number) { number.parse().ok() } else { None }
}

/// Whether the last part of a path is the name of a file that a server delivers, and neither a slug (`sanitize_title()` leaves no dot)
/// nor a script or page.
pub(super) fn is_file_name(name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or_default();
    let is_plain = (2..=5).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric());
    is_plain && !stem.is_empty() && !["php", "htm", "asp", "aspx", "jsp"].iter().any(|end| extension.starts_with(end))
}

/// The name of an image without the size that WordPress adds to resized copies: `-300x200` (`WP_Image_Editor::generate_filename()`).
pub(crate) fn without_size(stem: &str) -> Option<&str> {
    let (name, size) = stem.rsplit_once('-')?;
    size.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height)).then_some(name)
}

/// Whether a text consists of digits.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a number is more likely a year than the id of a post (`/archives/1234/` is one of WordPress' own structures).
fn is_recent(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

/// Whether these are the year, month and day of an archive, or only the first of them (`WP_Query::parse_query()`).
fn is_date(parts: &[&str]) -> bool {
    let is_within = |part: &&str, most: u32| {
        part.len() <= 2 && is_number(part) && part.parse().is_ok_and(|n: u32| (1..=most).contains(&n))
    };
    let (month, day) = (parts.get(1), parts.get(2));
    matches!(parts, [year, ..] if year.len() == 4 && is_number(year))
        && parts.len() <= 3
        && month.is_none_or(|month| is_within(month, 12))
        && day.is_none_or(|day| is_within(day, 31))
}

/// Whether the path is `/2024`, `/2024/02` or `/2024/02/06` below the front page, with or without `/page/N`.
pub(super) fn is_date_archive(path: &str) -> bool {
    let path = without_suffix(path).filter(|(_, suffix)| *suffix == Suffix::Page).map_or(path, |(list, _)| list);
    is_date(&path.split('/').skip(1).collect::<Vec<_>>())
}

/// Whether a URL is at a place that WordPress uses for lists by default: by date, term or author, or a further page of a list. The site,
/// or a language of it, may be in any folder.
pub(crate) fn may_be_list(url: &str) -> bool {
    let parts = parts(url);
    (1..=3).any(|length| ends_with_date(&parts, length)) || is_list_without_canonical(url)
}

/// Whether the path ends with a date of this many parts.
fn ends_with_date(parts: &[&str], length: usize) -> bool {
    let date = parts.len().checked_sub(length).map(|start| &parts[start..]);
    date.is_some_and(|date| is_date(date) && is_recent(date[0]))
}

/// Whether a page at a URL is a list if it has no canonical URL, which WordPress writes for posts (`rel_canonical()`, 2.9): by month, term or
/// author, or a further page of a list. A year may be a page's slug, and the end of a day's path may be the id of a post.
pub(crate) fn is_list_without_canonical(url: &str) -> bool {
    let parts = parts(url);
    let is_month = ends_with_date(&parts, 2) && !ends_with_date(&parts, 3);
    matches!(parts[..], [.., "page", last] if is_number(last)) || is_month || may_be_list_of_base(url)
}

/// Whether a URL is at the place of the archive of a term or an author: `/category/boats/`.
pub(crate) fn may_be_list_of_base(url: &str) -> bool {
    parts(url).iter().rev().skip(1).any(|part| Object::of_folder(part).is_some())
}

/// The segments of the path of an absolute URL, without the index file of a mirror's folder.
fn parts(url: &str) -> Vec<&str> {
    let path =
        without_query(url).split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    path.strip_suffix("index.html").unwrap_or(path).split('/').filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_appended_to_a_permalink() {
        for (suffix, want) in [
            ("/page/2", Suffix::Page),
            ("/2", Suffix::Part),
            ("/comment-page-12345", Suffix::Comments),
            ("/feed", Suffix::Feed),
            ("/feed/atom", Suffix::Feed),
            ("/rss2", Suffix::Feed),
            ("/embed", Suffix::Embed),
            ("/trackback", Suffix::Trackback),
            ("/amp", Suffix::Amp),
        ] {
            for link in ["", "/x", "a.example", "a.example/x"] {
                assert_eq!(without_suffix(&format!("{link}{suffix}")), Some((link, want)), "{link}{suffix}");
            }
        }
        for path in ["", "/x", "/2023", "/12345", "/x/feeds", "/comment-page-", "/x/feed/y", "/page/b"] {
            assert_eq!(without_suffix(path), None, "{path}");
        }
    }

    #[test]
    fn the_place_of_a_list_is_that_of_a_date_a_term_or_an_author() {
        for path in [
            "2009/",
            "2009/09/",
            "2009/9/index.html",
            "blog/2009/09/12/",
            "category/boats/",
            "tag/a/page/2/",
            "en/author/ann/",
            "2009/page/3/",
            "page/2/",
        ] {
            assert!(may_be_list(&format!("http://x.example/{path}")), "{path}");
        }
        for path in [
            "",
            "2009/09/boats/",
            "2009/13/",
            "category/",
            "news/209/",
            "archives/1234/",
            "page/b/",
            "a/20x9/",
            "boats/?m=200909",
        ] {
            assert!(!may_be_list(&format!("http://x.example/{path}")), "{path}");
        }
    }
}
