//! Lists the names of WordPress' own types, and of the category that it creates in a new site.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The kind, type and `rest_base` of each type of WordPress' own REST API (`create_initial_post_types()`, `create_initial_taxonomies()`).
pub(crate) const STANDARD: [(&str, &str, &str); 7] = [
    ("post", "post", "posts"),
    ("post", "page", "pages"),
    ("media", "media", "media"),
    ("term", "category", "categories"),
    ("term", "tag", "tags"),
    ("user", "user", "users"),
    ("comment", "comment", "comments"),
];

/// The kind and type for a name in the API's addresses.
pub(crate) fn of_rest_base(base: &str) -> Option<(&'static str, &'static str)> {
    STANDARD.iter().find(|(_, _, known)| *known == base).map(|(kind, r#type, _)| (*kind, *r#type))
}

/// The type in the spelling of the API's own addresses, for the two types whose internal names differ.
pub(crate) fn common_name(name: &str) -> &str {
    match name {
        "post_tag" => "tag",
        "attachment" => "media",
        name => name,
    }
}

/// The slugs of `Uncategorized` in the translations of WordPress (`wp_install_defaults()`): the category of posts for which none was
/// chosen.
static DEFAULT_CATEGORIES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "allgemein bez-kategorii egyeb-kategoria fara-categorie geen-categorie genel \
    ikke-kategoriseret kategorizatlan kategorize-edilmemis luokittelematon nekategorizirano nezaradene nezarazene \
    nicht-kategorisiert niet-gecategoriseerd non-classe okategoriserad okategoriserade sem-categoria senza-categoria \
    sense-categoria sin-categoria sin-categorizar ukategorisert ukategoriseret uncategorised uncategorized unkategorisiert"
        .split(' ')
        .collect()
});

/// Whether this is the slug of the category that WordPress creates, without a number.
pub(crate) fn is_default_category(slug: &str) -> bool {
    DEFAULT_CATEGORIES.contains(slug)
}
