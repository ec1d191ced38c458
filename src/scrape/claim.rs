//! Finds the record that a page claims to show, by its JSON alternate link, its shortlink, or the classes of its body. Other modules
//! decide whether the claim is valid.
//!
//! WordPress writes these marks in its functions `rest_output_link_wp_head`, `wp_shortlink_wp_head` and `get_body_class`,
//! <https://developer.wordpress.org/reference/functions/get_body_class/>.

use super::stated::unescape_query;
use crate::page::Head;
use crate::wordpress::{self, Object, of_rest_base, route, shortlinks};
use std::collections::HashSet;
use std::sync::Arc;

/// The records among which an id is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// Records with this name in the API: posts, categories.
    Base(Arc<str>),
    /// Posts of any type, and media, which share their ids.
    Posts,
    /// Terms of any taxonomy.
    Terms,
    /// Users.
    Users,
}

/// The record that a page says it shows, as its id in a space of ids. The page may be wrong: a copied head keeps the id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) space: Space,
    pub(crate) id: i64,
}

impl From<(Object, i64)> for Claim {
    fn from((object, id): (Object, i64)) -> Self {
        let space = match object {
            Object::Post | Object::Attachment => Space::Posts,
            Object::Term(_) => Space::Terms,
            Object::User => Space::Users,
        };
        Claim { space, id }
    }
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

/// Strings that occur on most pages, each stored once.
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

/// The most strings that are stored: no site has as many types or API roots.
const MOST_NAMES: usize = 1000;

/// The claim of a page; the most reliable mark decides. `location` is the URL of its file.
pub(super) fn claim_of(head: &Head, location: &str, names: &mut Names) -> Option<Claim> {
    let by_route = head
        .json_alternates
        .iter()
        .find_map(|href| route(href).and_then(|(base, id)| Some((base, id?))))
        .map(|(base, id)| Claim { space: Space::Base(names.share(&base)), id });
    by_route
        .or_else(|| by_query(&unescape_query(head.shortlink.as_deref()?)))
        .or_else(|| head.classes().queried_object().map(Claim::from))
        .or_else(|| by_query(location))
}

/// The claim in a query, `?p=12`, also as mirrors write it: `index.html%3Fp=12.html`.
fn by_query(url: &str) -> Option<Claim> {
    let url = url.split('#').next().unwrap_or_default();
    let at = url.find('?').map(|at| at + 1).or_else(|| url.find("%3F").or_else(|| url.find("%3f")).map(|at| at + 3))?;
    shortlinks(&url[at..]).find_map(|(object, id)| Some(Claim::from((object, id?))))
}

/// The type of the record that a page shows, by the classes of its body or the API's name of a built-in type.
pub(super) fn type_of(head: &Head, claim: &Claim, names: &mut Names) -> Option<Arc<str>> {
    let by_class = head.classes().queried_type();
    let by_base = || match &claim.space {
        Space::Base(base) => Some(of_rest_base(base).map_or(&**base, |(_, r#type)| r#type)),
        Space::Users => Some("user"),
        Space::Posts | Space::Terms => None,
    };
    by_class.or_else(by_base).map(|name| names.share(name))
}

/// Whether [`type_of`] returns only the API's name for a type, which is not one of WordPress' own types.
pub(super) fn is_rest_base(head: &Head, claim: &Claim) -> bool {
    matches!(&claim.space, Space::Base(base) if of_rest_base(base).is_none()) && head.classes().queried_type().is_none()
}

/// Whether a page may be an archive although its body has no class that says so: the theme does not write the class, the page names
/// no record, and its URL is one that WordPress gives to archives by default.
pub(super) fn may_be_list(head: &Head, location: &str) -> bool {
    wordpress::may_be_list(location)
        && !head.classes().names_kind()
        && head.json_alternates.is_empty()
        && head.shortlink.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space_and_id(head: Head) -> Option<(Space, i64)> {
        claim_of(&head, "http://x.example/a/", &mut Names::default()).map(|claim| (claim.space, claim.id))
    }

    #[test]
    fn what_says_nothing_may_be_a_list_where_lists_are() {
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
        for mirrored in ["../index.html%3Fp=217.html", "../index.html@p=217.html"] {
            let head = Head { shortlink: Some(mirrored.into()), ..Head::default() };
            assert_eq!(space_and_id(head), Some((Space::Posts, 217)));
        }
    }
}
