//! Reads the parts of an entry of an export by name. Other modules interpret them.

use crate::xml::Element;

/// A term, from any of the elements that describe one.
pub(super) struct Term<'e> {
    pub(super) id: Option<i64>,
    pub(super) taxonomy: &'e str,
    pub(super) slug: &'e str,
    /// The slug of the parent term.
    pub(super) parent: &'e str,
    pub(super) name: &'e str,
    pub(super) description: &'e str,
}

impl<'e> Term<'e> {
    pub(super) fn of(element: &'e Element) -> Self {
        let get = |name: &str| element.get(name);
        let (taxonomy, names) = match &*element.name {
            "wp:category" => ("category", "category_nicename category_parent cat_name category_description"),
            "wp:tag" => ("post_tag", "tag_slug tag_parent tag_name tag_description"),
            _ => (get("wp:term_taxonomy"), "term_slug term_parent term_name term_description"),
        };
        let mut texts = names.split(' ').map(|name| get(&format!("wp:{name}")));
        let [slug, parent, name, description] = std::array::from_fn(|_| texts.next().unwrap_or_default());
        Term { id: get("wp:term_id").parse().ok().filter(|id| *id > 0), taxonomy, slug, parent, name, description }
    }
}

/// A name in the form in which it is compared with logins: in lower case, without markup, references and a leading
/// sign.
pub(super) fn plain(name: &str) -> String {
    let mut bare = String::with_capacity(name.len());
    let mut in_tag = false;
    // Plugins escape text that is already escaped.
    for c in htmlize::unescape(&*htmlize::unescape(name)).chars() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            c if !in_tag => bare.push(c),
            _ => {}
        }
    }
    let composed = icu_normalizer::ComposingNormalizerBorrowed::new_nfc().normalize(&bare).to_lowercase();
    composed.trim().trim_start_matches('@').trim().to_owned()
}

pub(super) fn id_of(item: &Element) -> Option<i64> {
    item.get("wp:post_id").parse().ok().filter(|id| *id > 0)
}

pub(super) fn number(text: &str) -> i64 {
    text.parse().unwrap_or_default()
}

/// The value of a key of an item's metadata; empty without it.
pub(super) fn meta<'e>(item: &'e Element, key: &str) -> &'e str {
    let found = item.all("wp:postmeta").find(|meta| meta.get("wp:meta_key") == key);
    found.map_or("", |meta| meta.get("wp:meta_value"))
}
