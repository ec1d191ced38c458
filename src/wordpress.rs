//! Holds the facts about WordPress itself that are true of every site: the classes of its pages, the grammar of its URLs, the names of its
//! types. They do not depend on pages or records; where sites, themes and plugins differ, callers decide. Each fact names the function of
//! WordPress' core that it comes from (<https://developer.wordpress.org/reference/>).

mod classes;
mod files;
mod names;
mod paths;
mod query;
mod rest;

pub(crate) use classes::{BodyClass, after, number};
pub(crate) use files::{is_in_uploads, is_upload, mime_of};
pub(crate) use names::{STANDARD, common_name, is_default_category, of_rest_base};
pub(crate) use paths::{
    Suffix, comment_of, is_list_without_canonical, is_number, may_be_list, may_be_list_of_base, without_punctuation,
    without_size, without_suffix,
};
pub(crate) use query::{
    SHOWS_THE_SAME, has_variable, is_query_variable, is_shortlink, parameters, shortlinks, without_query,
};
pub(crate) use rest::{is_of_wordpress_com, rest_home, rest_root, route, route_tail};

/// The object that a page or a URL shows (`get_queried_object()`). Posts of all types, pages and attachments share one series of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Post,
    Attachment,
    /// A term, with its taxonomy in the REST API's spelling if the URL or the class names it.
    Term(Option<&'static str>),
    User,
}

impl Object {
    /// The object of the archives in a folder, unless the site has renamed the folder (`create_initial_taxonomies()`,
    /// `WP_Rewrite::$author_base`).
    pub(crate) fn of_folder(name: &str) -> Option<Self> {
        Some(match name {
            "category" => Object::Term(Some("category")),
            "tag" => Object::Term(Some("tag")),
            "author" => Object::User,
            _ => return None,
        })
    }

    /// The object that a variable of a query asks for (`WP_Query::parse_query()`).
    pub(crate) fn of_variable(name: &str) -> Option<Self> {
        Some(match name {
            "p" | "page_id" => Object::Post,
            "attachment" | "attachment_id" => Object::Attachment,
            "cat" | "category_name" => Object::Term(Some("category")),
            "tag" => Object::Term(Some("tag")),
            "taxonomy" => Object::Term(None),
            "author" | "author_name" => Object::User,
            _ => return None,
        })
    }
}

/// Whether the path is that of a file that belongs to WordPress, a plugin or a theme.
pub(crate) fn is_brought(path: &str) -> bool {
    ["/wp-includes/", "/wp-content/plugins/", "/wp-content/mu-plugins/", "/wp-content/themes/"]
        .iter()
        .any(|folder| path.contains(folder))
}

/// The page that WordPress shows at an address that does not belong to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    Feed,
    /// A list by date, a search, or a further page of the front page.
    List,
    /// It is not a page: the REST API, scripts, the folders of WordPress' own files.
    System,
}

/// The view at this path below the front page with this query, as far as these alone show it; `None` if it may be a record.
pub(crate) fn view(path: &str, query: Option<&str>) -> Option<View> {
    let has = |wanted: &[&str]| parameters(query.unwrap_or_default()).any(|(name, _)| wanted.contains(&name));
    let first = path.split('/').nth(1).unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    let suffix = without_suffix(path);
    if matches!(first, "wp-json" | "wp-admin" | "wp-includes")
        || last.starts_with("wp-") && last.ends_with(".php")
        || path.ends_with("/xmlrpc.php")
        || has(&["rest_route"])
    {
        Some(View::System)
    } else if matches!(suffix, Some((_, Suffix::Feed))) || has(&["feed", "withcomments"]) {
        Some(View::Feed)
    } else if paths::is_date_archive(path)
        || first == "search"
        || suffix == Some(("", Suffix::Page))
        // A path to a file is that of the file, whatever the query.
        || !paths::is_file_name(last) && has(&["m", "w", "s", "year", "monthnum", "day", "paged"])
    {
        Some(View::List)
    } else {
        None
    }
}

/// The object of the archive at this path below the front page, or of the front page with this query; `None` if it may be a post.
pub(crate) fn object_at(path: &str, query: Option<&str>) -> Option<Object> {
    let mut asked = parameters(query.unwrap_or_default()).filter_map(|(name, _)| Object::of_variable(name));
    match path.split('/').nth(1) {
        None => asked.find(|object| *object != Object::Post),
        Some(first) => Object::of_folder(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_are_not_records_are_recognised() {
        for (path, query, want) in [
            ("/wp-json/wp/v2/posts", None, Some(View::System)),
            ("/x/wp-login.php", None, Some(View::System)),
            ("", Some("rest_route=/"), Some(View::System)),
            ("/x/feed", None, Some(View::Feed)),
            ("/x/feed/atom", None, Some(View::Feed)),
            ("/x/rss2", None, Some(View::Feed)),
            ("", Some("feed=rss2"), Some(View::Feed)),
            ("/2024/2/page/3", None, Some(View::List)),
            ("/2024/13", None, None),
            ("/search/boats", None, Some(View::List)),
            ("/page/2", None, Some(View::List)),
            ("/x/page/2", None, None),
            ("", Some("s=boats"), Some(View::List)),
            ("/x", Some("lang=fr"), None),
        ] {
            assert_eq!(view(path, query), want, "{path} {query:?}");
        }
    }
}
