//! The names of WordPress' own types, and of what it creates by itself.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Kind, type and `rest_base` of the types of WordPress' own REST API (`create_initial_post_types()`, `create_initial_taxonomies()`).
pub(crate) const STANDARD: [(&str, &str, &str); 7] = [
    ("post", "post", "posts"),
    ("post", "page", "pages"),
    ("media", "media", "media"),
    ("term", "category", "categories"),
    ("term", "tag", "tags"),
    ("user", "user", "users"),
    ("comment", "comment", "comments"),
];

/// Kind and type of what has this name in an address of the API.
pub(crate) fn of_rest_base(base: &str) -> Option<(&'static str, &'static str)> {
    STANDARD.iter().find(|(_, _, known)| *known == base).map(|(kind, r#type, _)| (*kind, *r#type))
}

/// The word that the API's own addresses use is taken for the two types whose internal name differs.
pub(crate) fn common_name(name: &str) -> &str {
    match name {
        "post_tag" => "tag",
        "attachment" => "media",
        name => name,
    }
}

/// What translators of WordPress have made of `Uncategorized` (`wp_install_defaults()`): posts have it that nobody has sorted.
static DEFAULT_CATEGORIES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "allgemein bez-kategorii egyeb-kategoria fara-categorie geen-categorie genel \
    ikke-kategoriseret kategorizatlan kategorize-edilmemis luokittelematon nekategorizirano nezaradene nezarazene \
    nicht-kategorisiert niet-gecategoriseerd non-classe okategoriserad okategoriserade sem-categoria senza-categoria \
    sense-categoria sin-categoria sin-categorizar ukategorisert ukategoriseret uncategorised uncategorized unkategorisiert"
        .split(' ')
        .collect()
});

/// Whether a category has the slug of that which WordPress creates, without a number.
pub(crate) fn is_default_category(slug: &str) -> bool {
    DEFAULT_CATEGORIES.contains(slug)
}
