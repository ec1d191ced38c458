//! Recognises the API's namespace in the file name or address of a saved response: namespaces of plugins need not
//! contain items.

/// The part of a file name or address after the root of the API.
fn route(name: &str) -> Option<&str> {
    let after = |root: &str| name.split_once(root).map(|(_, route)| route);
    after("wp-json/")
        .or_else(|| after("rest_route=/"))
        .or_else(|| after("rest_route=%2F"))
        .or_else(|| after("rest_route=%2f"))
}

/// Whether a file name or an address is that of a response of the API.
pub(super) fn is_route(name: &str) -> bool {
    route(name).is_some()
}

/// Whether a file name, or the address of a response, has another namespace than WordPress' own, `wp/v2`
/// (<https://developer.wordpress.org/rest-api/key-concepts/>).
pub(super) fn is_of_other_namespace(name: &str) -> bool {
    let route = route(name).unwrap_or_default().replace("%2F", "/").replace("%2f", "/");
    let mut parts = route.split(['/', '?', '&', '#']).filter(|part| !part.is_empty());
    match (parts.next(), parts.next()) {
        (Some("wp"), Some(version)) => !version.starts_with("v2"),
        (Some(first), _) => !first.starts_with("index."),
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_other_namespace;

    #[test]
    fn namespaces() {
        for name in [
            "m/a.example/wp-json/tribe/events/v1/events/index.html",
            "x/wp-json/jetpack/v4/y.json",
            "a.example/index.html?rest_route=%2Fwc%2Fstore",
            "wp-json/wp-site-health/v1",
        ] {
            assert!(is_of_other_namespace(name), "{name}");
        }
        for name in [
            "m/wp-json/wp/v2/posts/7/index.json",
            "m/wp-json/index.html",
            "m/wp-json/",
            "posts.json",
            "https://a.example/?rest_route=/wp/v2/posts",
            "m/wp-json/wp/v2?x=1",
        ] {
            assert!(!is_of_other_namespace(name), "{name}");
        }
    }
}
