//! Interprets the variables in the query of a URL (`WP::$public_query_vars`).

use super::Object;

/// The variables that WordPress itself reads, including its sitemaps (`WP_Sitemaps`) and its REST API, and those of common plugins for
/// languages and shops.
const PUBLIC: &str = "m p posts w cat withcomments withoutcomments s search exact sentence calendar page paged more tb pb \
    author order orderby year monthnum day hour minute second name category_name tag feed author_name pagename page_id \
    error attachment attachment_id subpost subpost_id preview robots favicon taxonomy term cpage post_type embed \
    rest_route sitemap lang language wc-ajax";

/// Parameters of WordPress, its comments and its most common plugins that show the same record: previews, replies, AMP,
/// sharing, page N of a list or of a split post (`page`, `cpage`, and `query-N-page` of the query loop block, which
/// repeats the `per_page` of the API request that rendered it).
pub(crate) const SHOWS_THE_SAME: &str = "_thumbnail_id _wpnonce amp cpage customize_changeset_uuid customize_messenger_channel \
    doing_wp_cron elementor-preview et_fb fl_builder like_comment moderation-hash nb noamp noredirect page paged \
    per_page preview preview_id preview_nonce preview_time relatedposts_hit relatedposts_origin \
    relatedposts_position replytocom share shared unapproved vc_editable";

/// Whether WordPress itself, or a plugin for languages, reads this parameter.
pub(crate) fn is_query_variable(name: &str) -> bool {
    PUBLIC.split(' ').any(|variable| variable == name)
}

/// Whether a query has such a parameter.
pub(crate) fn has_variable(query: &str) -> bool {
    parameters(query).any(|(name, _)| is_query_variable(name))
}

/// A URL before its query and its fragment.
pub(crate) fn without_query(url: &str) -> &str {
    &url[..url.find(['?', '#']).unwrap_or(url.len())]
}

/// The names and values of a query.
pub(crate) fn parameters(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
}

/// The objects that a query names by id: `?p=12` (`wp_get_shortlink()`), and other variables that WordPress accepts. The id is `None` if
/// it is not a number. Mirrors add the ending of the file, `12.html`.
pub(crate) fn shortlinks(query: &str) -> impl Iterator<Item = (Object, Option<i64>)> {
    let is_id = |name: &str| matches!(name, "p" | "page_id" | "attachment_id" | "cat" | "author");
    let named = parameters(query).filter(move |(name, value)| is_id(name) && !value.is_empty());
    let id = |value: &str| value.strip_suffix(".html").unwrap_or(value).parse().ok();
    named.filter_map(move |(name, value)| Some((Object::of_variable(name)?, id(value))))
}

/// Whether a query names an object by its id.
pub(crate) fn is_shortlink(query: &str) -> bool {
    shortlinks(query).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_query_names_by_its_id() {
        for (query, want) in [
            ("p=12", vec![(Object::Post, Some(12))]),
            ("lang=fr&page_id=12.html", vec![(Object::Post, Some(12))]),
            ("cat=3&author=ann&p=", vec![(Object::Term(Some("category")), Some(3)), (Object::User, None)]),
            ("tag=boats&pp=1", vec![]),
        ] {
            assert_eq!(shortlinks(query).collect::<Vec<_>>(), want, "{query}");
        }
        assert!(is_query_variable("paged") && !is_query_variable("") && !is_query_variable("utm_source"));
    }
}
