//! Parses addresses of the REST API (`get_rest_url()`): `https://a.example/wp-json/wp/v2/posts/12`, and on a site without
//! permalinks `https://a.example/?rest_route=/wp/v2/posts/12`.

use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Splits an address at the route in its query: the text before it, and the route with the rest.
fn split_at_route(address: &str) -> Option<(&str, &str)> {
    // Searching for a single character first is faster, and most addresses do not have it.
    if address.contains('=') { address.split_once("rest_route=") } else { None }
}

/// The address of WordPress.com's APIs, under which each site has its id or host (<https://developer.wordpress.com/docs/api/>).
const OF_WORDPRESS_COM: &str = "://public-api.wordpress.com/";

/// Whether an address belongs to the API of WordPress.com, whose host is not that of a site.
pub(crate) fn is_of_wordpress_com(address: &str) -> bool {
    address.contains(OF_WORDPRESS_COM)
}

/// The root of the REST API in an address below it: the text before `wp/v2/`. The name in it may differ from `wp-json`, or be
/// `?rest_route=/`.
pub(crate) fn rest_root(address: &str) -> Option<&str> {
    if let Some((_, route)) = split_at_route(address) {
        let slash = ["/", "%2F", "%2f"].iter().find(|slash| route.starts_with(**slash))?;
        return Some(&address[..address.len() - route.len() + slash.len()]);
    }
    static ROUTE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("/wp/v2/"));
    let root = ROUTE.find(address.as_bytes()).map(|at| &address[..=at])?;
    let site = address[root.len()..].strip_prefix("wp/v2/sites/").filter(|_| is_of_wordpress_com(root));
    let end = site.map(|rest| address.len() - rest.len() + rest.find('/').map_or(rest.len(), |end| end + 1));
    Some(end.map_or(root, |end| &address[..end]))
}

/// The site that a root of the REST API belongs to; empty if the root does not name it.
pub(crate) fn rest_home(root: &str) -> &str {
    match root.split_once('?') {
        _ if is_of_wordpress_com(root) => "",
        Some((home, _)) => home,
        None => root.trim_end_matches('/').rfind('/').map_or(root, |slash| &root[..=slash]),
    }
}

/// The last two segments of an API address, whether it is a path or a `rest_route`; if `wanted` is one, the first of the two may
/// be missing.
pub(crate) fn route_tail(url: &str, wanted: usize) -> Option<[&str; 2]> {
    let route = match split_at_route(url) {
        Some((_, route)) => route.split('&').next().unwrap_or(route),
        None => url.split(['?', '#']).next().unwrap_or(url),
    };
    let mut segments = route.trim_end_matches('/').rsplit('/');
    let last = segments.next().filter(|s| !s.is_empty())?;
    match segments.next() {
        Some(before) => Some([before, last]),
        None => (wanted == 1).then_some(["", last]),
    }
}

/// The base and id in `…/wp-json/wp/v2/posts/12`, `…?rest_route=/wp/v2/posts/12`, and the variants of both in mirrors.
pub(crate) fn route(href: &str) -> Option<(String, Option<i64>)> {
    let href = href.replace("%2F", "/").replace("%2f", "/").replace("%3F", "?").replace("%3f", "?");
    let (_, route) = split_at_route(&href).or_else(|| href.split_once("wp-json/"))?;
    let route = route.split(['&', '?', '#']).next().unwrap_or_default();
    // The namespace is two segments: wp/v2.
    let mut segments = route.split('/').filter(|s| !matches!(*s, "" | "index.html" | "index.json")).skip(2);
    let (base, id) = (segments.next()?, segments.next());
    let id = id.map(|id| id.strip_suffix(".json").or(id.strip_suffix(".html")).unwrap_or(id));
    Some((base.to_owned(), id.and_then(|id| id.parse().ok())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_api_names_its_site() {
        for (address, root, home) in [
            (
                "https://a.example/blog/wp-json/wp/v2/posts/1",
                "https://a.example/blog/wp-json/",
                "https://a.example/blog/",
            ),
            ("https://a.example/api/wp/v2/posts/1", "https://a.example/api/", "https://a.example/"),
            ("http://a.example/?rest_route=/wp/v2/posts/1", "http://a.example/?rest_route=/", "http://a.example/"),
            (
                "https://public-api.wordpress.com/wp/v2/sites/123/posts/1",
                "https://public-api.wordpress.com/wp/v2/sites/123/",
                "",
            ),
            (
                "http://a.example/b/index.php?rest_route=%2Fwp%2Fv2%2Fposts",
                "http://a.example/b/index.php?rest_route=%2F",
                "http://a.example/b/index.php",
            ),
        ] {
            assert_eq!(rest_root(address), Some(root));
            assert_eq!(rest_home(root), home);
        }
        assert_eq!(rest_root("https://a.example/feed/"), None);
    }

    #[test]
    fn routes_are_read_as_sites_and_mirrors_write_them() {
        for (href, base, id) in [
            ("https://x.example/wp-json/wp/v2/posts/12", "posts", Some(12)),
            ("https://x.example/fr/wp-json/wp/v2/categories/3/", "categories", Some(3)),
            ("../wp-json/wp/v2/pages/7/index.html", "pages", Some(7)),
            ("../wp-json/wp/v2/pages/7.json", "pages", Some(7)),
            ("https://x.example/?rest_route=%2Fwp%2Fv2%2Fposts%2F5", "posts", Some(5)),
            ("https://x.example/index.php?rest_route=/wp/v2/posts/5&x=1", "posts", Some(5)),
            ("https://x.example/wp-json/wp/v2/users/me", "users", None),
        ] {
            assert_eq!(route(href), Some((base.into(), id)), "{href}");
        }
        assert_eq!(route("https://x.example/feed.json"), None);
    }
}
