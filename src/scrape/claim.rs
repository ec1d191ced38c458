//! Finds the record that a page claims to show, by its JSON alternate link, its shortlink, or the classes of its body.
//! Other modules decide whether the claim is valid.
//!
//! The marks are those of WordPress: `rest_output_link_wp_head`, `wp_shortlink_wp_head` and `get_body_class`,
//! <https://developer.wordpress.org/reference/functions/get_body_class/>.

use crate::page::Head;
use crate::wordpress::{of_rest_base, route};
use std::collections::HashSet;
use std::sync::Arc;

/// Which records an id may belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// Those with this name in the API: posts, categories.
    Base(Arc<str>),
    /// Posts of any type, and media, which share their ids.
    Posts,
    /// Terms of any taxonomy.
    Terms,
    /// Users.
    Users,
}

/// A record named by a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) space: Space,
    pub(crate) id: i64,
}

impl Claim {
    /// Whether the record is a term or a user, whose page is a list of posts.
    pub(super) fn is_of_list(&self) -> bool {
        match &self.space {
            Space::Base(base) => matches!(of_rest_base(base), Some(("term" | "user", _))),
            Space::Terms | Space::Users => true,
            Space::Posts => false,
        }
    }
}

/// Strings that most pages have in common, each stored once.
#[derive(Default)]
pub(super) struct Names(HashSet<Arc<str>>);

impl Names {
    pub(super) fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        // A string that differs on every page is not worth storing.
        if self.0.len() < MOST_NAMES {
            self.0.insert(new.clone());
        }
        new
    }
}

/// Maximum number of stored strings: no site has as many types, or API roots.
const MOST_NAMES: usize = 1000;

/// The claim of a page; the most reliable mark decides. `location` is the URL of its file.
pub(super) fn claim_of(head: &Head, location: &str, names: &mut Names) -> Option<Claim> {
    let by_route = head
        .json_alternates
        .iter()
        .find_map(|href| route(href))
        .and_then(|(base, id)| Some(Claim { space: Space::Base(names.share(&base)), id: id? }));
    by_route
        .or_else(|| head.shortlink.as_deref().and_then(by_query))
        .or_else(|| head.body_class.as_deref().and_then(by_class))
        .or_else(|| by_query(location))
}

/// `?p=12`, including the form in mirrors: `index.html%3Fp=12.html`.
fn by_query(url: &str) -> Option<Claim> {
    let url = url.split('#').next().unwrap_or_default();
    let at = url.find('?').map(|at| at + 1).or_else(|| url.find("%3F").or_else(|| url.find("%3f")).map(|at| at + 3))?;
    url[at..].split('&').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let space = match name {
            "p" | "page_id" | "attachment_id" => Space::Posts,
            "cat" => Space::Terms,
            "author" => Space::Users,
            _ => return None,
        };
        Some(Claim { space, id: value.strip_suffix(".html").unwrap_or(value).parse().ok()? })
    })
}

fn by_class(classes: &str) -> Option<Claim> {
    let has = |name: &str| classes.split_ascii_whitespace().any(|class| class == name);
    let id = |prefix: &str| {
        classes.split_ascii_whitespace().find_map(|class| class.strip_prefix(prefix)?.parse::<i64>().ok())
    };
    let claim = |space, id: Option<i64>| id.map(|id| Claim { space, id });
    if has("archive") {
        let term = if has("category") {
            id("category-")
        } else if has("tag") {
            id("tag-")
        } else {
            id("term-")
        };
        return if has("author") { claim(Space::Users, id("author-")) } else { claim(Space::Terms, term) };
    }
    claim(Space::Posts, id("postid-").or_else(|| id("page-id-")).or_else(|| id("attachmentid-")))
}

/// The type of the record that a page shows, by the classes of its body or the API's name of a built-in type.
pub(super) fn type_of(head: &Head, claim: &Claim, names: &mut Names) -> Option<Arc<str>> {
    let (mut is_archive, mut is_attachment, mut is_single, mut is_page) = (false, false, false, false);
    let (mut category, mut tag, mut author, mut taxonomy, mut single) = (None, None, None, None, None);
    for class in head.body_class.as_deref().unwrap_or_default().split_ascii_whitespace() {
        match class {
            "archive" => is_archive = true,
            "attachment" => is_attachment = true,
            "single" => is_single = true,
            "category" => category = Some(class),
            "tag" => tag = Some(class),
            "author" => author = Some("user"),
            _ => {
                taxonomy = taxonomy.or(class.strip_prefix("tax-"));
                single = single.or(class.strip_prefix("single-").filter(|name| !name.starts_with("format-")));
                is_page |= class.starts_with("page-id-");
            }
        }
    }
    let by_class = match () {
        () if is_archive => category.or(tag).or(taxonomy).or(author),
        () if is_attachment => Some("media"),
        () if is_single => single,
        () => is_page.then_some("page"),
    };
    let by_base = || match &claim.space {
        Space::Base(base) => Some(of_rest_base(base).map_or(&**base, |(_, r#type)| r#type)),
        Space::Users => Some("user"),
        Space::Posts | Space::Terms => None,
    };
    by_class.or_else(by_base).map(|name| names.share(name))
}

/// Whether the classes of the body indicate a list or a search result. Themes write names of their own, such as `blog`, beside those of a
/// post.
pub(super) fn is_archive(classes: &str) -> bool {
    let archive = ["archive", "search", "paged", "blog"];
    let all = || classes.split_ascii_whitespace();
    let is_post = all().any(|class| class == "single") && all().any(|class| class.starts_with("postid-"));
    all().any(|class| archive.contains(&class)) && !is_post
}

/// Whether a page may be an archive though the class of its body says nothing: the theme does not write it, the page names no record,
/// and its place is one of those that WordPress gives to archives by default.
pub(super) fn may_be_list(head: &Head, location: &str) -> bool {
    let kinds = ["single", "page", "attachment", "home", "blog", "archive", "search", "error404"];
    let classes = head.body_class.as_deref().unwrap_or_default();
    let is_known = || classes.split_ascii_whitespace().any(|class| kinds.contains(&class));
    is_place_of_list(location) && !is_known() && head.json_alternates.is_empty() && head.shortlink.is_none()
}

/// `/2009/09/`, `/category/boats/`, and further pages of those.
pub(super) fn is_place_of_list(location: &str) -> bool {
    let parts = parts(location);
    let number = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<u32>().ok()).flatten();
    // further pages are of lists, of the site's own as well
    if let [.., "page", last] = parts[..]
        && number(last).is_some()
    {
        return true;
    }
    let is_year = |part: &str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
    let is_below = |part: &str, most: u32| part.len() == 2 && number(part).is_some_and(|n| (1..=most).contains(&n));
    let is_date = match parts[..] {
        [.., year, month, day] if is_year(year) && is_below(month, 12) => is_below(day, 31) && number(year).is_some(),
        [.., year, month] if is_year(year) => is_below(month, 12) && number(year).is_some(),
        [.., year] => is_year(year) && number(year).is_some(),
        [] => false,
    };
    is_date || is_place_of_terms(location)
}

/// `/category/boats/`: where WordPress has nothing but lists by default, of a term or an author.
pub(super) fn is_place_of_terms(location: &str) -> bool {
    parts(location).iter().rev().skip(1).any(|part| matches!(*part, "category" | "tag" | "author"))
}

/// The parts of the path of a URL.
fn parts(location: &str) -> Vec<&str> {
    let path = location.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    path.split('/').filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space_and_id(head: Head) -> Option<(Space, i64)> {
        claim_of(&head, "http://x.example/a/", &mut Names::default()).map(|claim| (claim.space, claim.id))
    }

    #[test]
    fn a_theme_s_own_class_makes_no_list_of_a_post() {
        for (classes, want) in [
            ("home blog", true),
            ("archive category category-news category-4", true),
            ("single single-post postid-1 page blog onetone", false),
            ("page page-id-2", false),
        ] {
            assert_eq!(is_archive(classes), want, "{classes}");
        }
    }

    #[test]
    fn the_place_of_a_list_is_that_of_a_date_a_term_or_an_author() {
        for path in [
            "2009/",
            "2009/09/",
            "blog/2009/09/12/",
            "category/boats/",
            "tag/a/page/2/",
            "en/author/ann/",
            "2009/page/3/",
            "page/2/",
        ] {
            assert!(is_place_of_list(&format!("http://x.example/{path}")), "{path}");
        }
        for path in [
            "",
            "2009/09/boats/",
            "2009/13/",
            "category/",
            "news/209/",
            "page/b/",
            "a/20x9/",
            "2009/9/",
            "boats/?m=200909",
        ] {
            assert!(!is_place_of_list(&format!("http://x.example/{path}")), "{path}");
        }
        let head = |class: &str| Head { body_class: Some(class.into()), ..Head::default() };
        let at = "http://x.example/2009/09/";
        assert!(may_be_list(&head("wide"), at) && may_be_list(&Head::default(), at));
        assert!(!may_be_list(&head("single postid-3"), at) && !may_be_list(&head("wide"), "http://x.example/a/"));
        assert!(!may_be_list(&Head { shortlink: Some("/?p=3".into()), ..Head::default() }, at));
    }

    #[test]
    fn the_surest_mark_counts() {
        let class = |text: &str| Head { body_class: Some(text.into()), ..Head::default() };
        let mut head = class("single postid-5");
        assert_eq!(space_and_id(head.clone()), Some((Space::Posts, 5)));
        head.shortlink = Some("https://x.example/?p=6".into());
        assert_eq!(space_and_id(head.clone()), Some((Space::Posts, 6)));
        head.json_alternates =
            vec!["https://x.example/feed.json".into(), "https://x.example/wp-json/wp/v2/boats/7".into()];
        assert_eq!(space_and_id(head), Some((Space::Base("boats".into()), 7)));
        assert_eq!(space_and_id(class("page page-id-2 parent-pageid-9")), Some((Space::Posts, 2)));
        assert_eq!(space_and_id(class("archive category category-news category-4")), Some((Space::Terms, 4)));
        assert_eq!(space_and_id(class("archive tax-rig term-ketch term-21")), Some((Space::Terms, 21)));
        assert_eq!(space_and_id(class("archive author author-ann author-3")), Some((Space::Users, 3)));
        assert_eq!(space_and_id(class("home blog")), None);
        let mirrored = Head { shortlink: Some("../index.html%3Fp=217.html".into()), ..Head::default() };
        assert_eq!(space_and_id(mirrored), Some((Space::Posts, 217)));
    }
}
