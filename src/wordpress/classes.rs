//! Interprets the classes of a page's body (`get_body_class()`) and of each post in it (`get_post_class()`). Themes add words of their own,
//! such as `blog` or `page`; a class with an id comes from WordPress.

use super::{Object, common_name};
use std::str::FromStr;

/// The rests of the classes that begin with `start`.
pub(crate) fn after<'a>(classes: &'a str, start: &str) -> impl Iterator<Item = &'a str> {
    classes.split_ascii_whitespace().filter_map(move |class| class.strip_prefix(start))
}

/// The number in the first class that consists of `start` and a number: `post-7`, `postid-7`.
pub(crate) fn number<N: FromStr>(classes: &str, start: &str) -> Option<N> {
    after(classes, start).find_map(|rest| rest.parse().ok())
}

/// The classes of a body. The methods have the names of WordPress' conditional tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyClass<'a>(pub(crate) &'a str);

impl<'a> BodyClass<'a> {
    /// Whether the body has one of these classes.
    pub(crate) fn has(self, names: &[&str]) -> bool {
        self.0.split_ascii_whitespace().any(|class| names.contains(&class))
    }

    /// Whether WordPress wrote the classes: `page`, `single` or `archive` alone may come from a designer.
    pub(crate) fn is_made_by_wordpress(self) -> bool {
        self.has(&["post-template-default", "page-template-default", "error404", "search-results", "search-no-results"])
            || self.has(&["archive"]) && self.has(&["category", "tag", "author", "date", "post-type-archive"])
            || self.has(&["home"]) && self.has(&["blog"])
            || self.post_id().is_some()
    }

    /// Whether the classes show what kind of page it is.
    pub(crate) fn names_kind(self) -> bool {
        self.has(&["single", "page", "attachment", "home", "blog", "archive", "search", "error404"])
    }

    /// The id of the post, page or attachment that the page shows.
    pub(crate) fn post_id(self) -> Option<u64> {
        ["postid-", "page-id-", "attachmentid-"].iter().find_map(|start| number(self.0, start))
    }

    /// Whether the page shows one post, page or attachment; `singular` is a class of themes.
    pub(crate) fn is_singular(self) -> bool {
        self.has(&["single", "singular", "page", "attachment"])
    }

    /// Whether the page is a list: an archive, the results of a search, the page for posts, or a further page of one of these. WordPress
    /// does not count the page of a single record among these (`WP_Query::parse_query()`); but if a page of type `page` lists posts in
    /// place of its content, the list has further pages (`paged`; those of a content are `page`). All callers that need to know use this
    /// function.
    pub(crate) fn is_list(self) -> bool {
        let is_page = || number::<u64>(self.0, "page-id-").is_some();
        match self.post_id() {
            Some(_) => self.has(&["paged"]) && is_page() && !self.has(&["single"]),
            // The Events Calendar removes `archive`.
            None => self.has(&["archive", "post-type-archive", "search", "blog", "paged"]),
        }
    }

    /// Whether the page is the page for posts, which shows only posts and has no content of its own.
    pub(crate) fn is_home(self) -> bool {
        self.has(&["blog"]) && self.post_id().is_none()
    }

    /// Whether the page is the front page: a list of posts, or a static page.
    pub(crate) fn is_front_page(self) -> bool {
        self.has(&["home"])
    }

    /// The object of an archive.
    fn archived(self) -> Option<Object> {
        let term = || Object::Term(["category", "tag"].into_iter().find(|name| self.has(&[name])));
        let is_archive = self.post_id().is_none() && self.has(&["archive"]);
        is_archive.then(|| if self.has(&["author"]) { Object::User } else { term() })
    }

    /// The object that the page shows, with its id (`get_queried_object_id()`).
    pub(crate) fn queried_object(self) -> Option<(Object, i64)> {
        let Some(object) = self.archived() else { return Some((Object::Post, self.post_id()?.try_into().ok()?)) };
        let start = match object {
            Object::User => "author-",
            Object::Term(Some("category")) => "category-",
            Object::Term(Some("tag")) => "tag-",
            _ => "term-",
        };
        Some((object, number(self.0, start)?))
    }

    /// The type of the object that the page shows, as the REST API names it.
    pub(crate) fn queried_type(self) -> Option<&'a str> {
        match self.archived() {
            Some(Object::User) => Some("user"),
            Some(Object::Term(Some(taxonomy))) => Some(taxonomy),
            Some(_) => after(self.0, "tax-").next(),
            None if self.has(&["attachment"]) => Some("media"),
            None if self.has(&["single"]) => self.post_type().map(common_name),
            None => number::<u64>(self.0, "page-id-").map(|_| "page"),
        }
    }

    /// Whether the page shows a file of this MIME type.
    pub(crate) fn is_of_file(self, mime: &str) -> bool {
        mime.split_once('/').is_some_and(|(_, name)| after(self.0, "attachment-").any(|class| class == name))
    }

    /// The type of a single post: `single-TYPE`, beside `single-format-FORMAT`.
    pub(crate) fn post_type(self) -> Option<&'a str> {
        after(self.0, "single-").find(|name| !name.is_empty() && !name.starts_with("format-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_a_body_are_told_from_a_designer_s() {
        for classes in
            ["home blog x", "page-template-default page page-id-65 -b", "postid-7", "archive category category-a"]
        {
            assert!(BodyClass(classes).is_made_by_wordpress(), "{classes}");
        }
        for classes in ["page", "site single", "home", "archive", "page-id-x", "hentry post-7", ""] {
            assert!(!BodyClass(classes).is_made_by_wordpress(), "{classes}");
        }
        assert_eq!(BodyClass("single postid-7 page-id-8").post_id(), Some(7));
    }

    #[test]
    fn a_theme_s_own_class_makes_no_list_of_a_post_or_a_page() {
        for (classes, want) in [
            ("home blog", true),
            ("post-type-archive post-type-archive-tribe_events", true),
            ("archive category category-news category-4", true),
            ("home page page-id-2 paged paged-3", true),
            ("single single-post postid-1 page blog onetone", false),
            ("single single-post postid-1 paged archive", false),
            ("page page-id-2 blog search archive", false),
            ("page page-id-2", false),
        ] {
            assert_eq!(BodyClass(classes).is_list(), want, "{classes}");
        }
        assert!(BodyClass("home blog").is_home() && !BodyClass("page page-id-2 blog").is_home());
    }

    #[test]
    fn what_a_page_is_about() {
        for (classes, object, r#type) in [
            ("single single-format-aside single-boat postid-5 archive", Some((Object::Post, 5)), Some("boat")),
            ("attachment single single-attachment postid-6 attachmentid-6", Some((Object::Post, 6)), Some("media")),
            ("page page-id-2 parent-pageid-9", Some((Object::Post, 2)), Some("page")),
            ("archive category category-news category-4", Some((Object::Term(Some("category")), 4)), Some("category")),
            ("archive tax-rig term-ketch term-21", Some((Object::Term(None), 21)), Some("rig")),
            ("archive author author-ann author-3", Some((Object::User, 3)), Some("user")),
            ("single single- single-attachment postid-6", Some((Object::Post, 6)), Some("media")),
            ("home blog", None, None),
        ] {
            let class = BodyClass(classes);
            assert_eq!((class.queried_object(), class.queried_type()), (object, r#type), "{classes}");
        }
    }
}
