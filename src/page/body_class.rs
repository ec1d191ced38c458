//! Knows the classes that WordPress gives to the body of a page
//! ([`get_body_class()`](https://developer.wordpress.org/reference/functions/get_body_class/)). Some themes, such as Swell, write them
//! on the first element in it, since plugins replace the body.

use crate::html::elements::Element;
use crate::html::names::Name;
use crate::html::tokenizer::Attributes;

/// The classes of a body that has none, if its first element has them.
pub(super) fn in_place_of_body<'a>(element: &Element<'a>, attributes: Attributes<'_, 'a>) -> Option<String> {
    let classes = attributes.raw("class").filter(|_| element.name == Name::DIV)?;
    is_body_class(classes).then(|| classes.to_owned())
}

/// Whether these are classes of a body: `page` or `single` alone may be a designer's.
fn is_body_class(classes: &str) -> bool {
    let has = |names: &[&str]| classes.split_ascii_whitespace().any(|class| names.contains(&class));
    let numbers = || classes.split_ascii_whitespace().any(|class| number(class).is_some());
    has(&["post-template-default", "page-template-default", "error404", "search-results", "search-no-results"])
        || has(&["archive"]) && has(&["category", "tag", "author", "date", "post-type-archive"])
        || has(&["home"]) && has(&["blog"])
        || numbers()
}

/// The number of the page's own post in a class.
fn number(class: &str) -> Option<u64> {
    ["postid-", "page-id-"].iter().find_map(|start| class.strip_prefix(start))?.parse().ok()
}

/// The number of the page's own post.
pub(super) fn own_number(classes: &str) -> Option<u64> {
    classes.split_ascii_whitespace().find_map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_a_body_are_told_from_a_designer_s() {
        for classes in
            ["home blog x", "page-template-default page page-id-65 -b", "postid-7", "archive category category-a"]
        {
            assert!(is_body_class(classes), "{classes}");
        }
        for classes in ["page", "site single", "home", "archive", "page-id-x", "hentry post-7", ""] {
            assert!(!is_body_class(classes), "{classes}");
        }
        assert_eq!(own_number("single postid-7 page-id-8"), Some(7));
    }
}
