//! Finds the terms and the featured image of a page without a record, as its elements show them. A page has names, slugs and
//! addresses of terms, and no ids: wp-resolve finds these where a record owns the address.

use crate::html::Extractor;
use crate::ndjson::Str;
use crate::page::{Stated, StatedTerm};
use crate::record::{CATEGORY, FeaturedImage, TAG, TermRef};
use crate::urls::{PageUrl, join};
use crate::wordpress::{Object, common_name};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// The terms that a page links to as its own, then those that only its classes name.
pub(super) fn terms(stated: &Stated, page: Option<&PageUrl>, extractor: &mut Extractor) -> Vec<TermRef<'static>> {
    let classes: Vec<&str> = stated.classes.as_deref().unwrap_or_default().split_ascii_whitespace().collect();
    let (mut terms, mut known): (Vec<TermRef<'static>>, HashSet<String>) = (Vec::new(), HashSet::new());
    for link in &stated.terms {
        let href = link.href.trim();
        let url = join(page, href);
        // where nobody knows the address of the page, a relative one says what the term is called all the same
        if url.is_none() && page.is_some() {
            continue;
        }
        let name = Some(extractor.text(&link.name)).filter(|name| !name.is_empty());
        let (folders, slug) = address(url.as_deref().unwrap_or(href));
        if name.is_none() && slug.is_none() {
            continue;
        }
        if known.insert(url.as_deref().unwrap_or(href).to_owned()) {
            let taxonomy = taxonomy(link, folders, slug, &classes).map(|name| Str::from(name.to_owned()));
            let slug = slug.map(|slug| Str::from(slug.to_owned()));
            let link = url.map(|url| Str::from(url.into_owned()));
            terms.push(TermRef { taxonomy, id: None, name: name.map(Str::from), slug, link });
        }
    }
    let is_linked = |terms: &[TermRef<'_>], taxonomy: &str, slug: &str| {
        let mut same = terms.iter().filter(|term| term.slug.as_deref() == Some(slug));
        same.any(|term| term.taxonomy.as_deref().is_none_or(|known| known == taxonomy))
    };
    let linked = terms.len();
    let named = OnceCell::new();
    for (taxonomy, slug) in classes.iter().filter_map(|class| named_by(class)) {
        if !is_linked(&terms[..linked], taxonomy, slug) && known.insert(format!("{taxonomy} {slug}")) {
            let named = named.get_or_init(|| links_by_term(stated, page));
            let found = named.get(&(taxonomy, slug.to_owned())).copied();
            let name = found.map(|link| extractor.text(&link.name));
            let name = name.filter(|name| !name.is_empty() && !has_count(name)).map(Str::from);
            let link = found.and_then(|link| join(page, link.href.trim())).map(|url| Str::from(url.into_owned()));
            let [taxonomy, slug] = [taxonomy, slug].map(|text| Some(Str::from(text.to_owned())));
            terms.push(TermRef { taxonomy, name, slug, link, ..TermRef::default() });
        }
    }
    terms
}

/// The terms of a record, of which only the names are known, with what the page says of those that are called so.
pub(super) fn completed<'t>(known: &'t str, of_page: Vec<TermRef<'t>>) -> Vec<TermRef<'t>> {
    let mut terms: Vec<TermRef<'t>> = serde_json::from_str(known).unwrap_or_default();
    for term in terms.iter_mut().filter(|term| term.id.is_none() && term.taxonomy.is_none()) {
        if let Some(same) = of_page.iter().find(|other| other.name.is_some() && other.name == term.name) {
            *term = same.clone();
        }
    }
    terms
}

/// Whether a link shows how many posts a term has, after its name: "Boats (23)".
fn has_count(name: &str) -> bool {
    let count = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
    count.is_some_and(|(_, count)| count.starts_with(|c: char| c.is_ascii_digit()))
}

/// The links of the page, be they other posts', by the taxonomies and slugs of the terms that they lead to; of several the first.
fn links_by_term<'s>(stated: &'s Stated, page: Option<&PageUrl>) -> HashMap<(&'static str, String), &'s StatedTerm> {
    let mut links = HashMap::new();
    for link in &stated.links_to_terms {
        let href = link.href.trim();
        let url = join(page, href);
        let (folders, slug) = address(url.as_deref().unwrap_or(href));
        if let (Some(taxonomy), Some(slug)) = (link.taxonomy.or_else(|| taxonomy_by(folders)), slug) {
            links.entry((taxonomy, slug.to_owned())).or_insert(link);
        }
    }
    links
}

/// What the address of an archive says: the folders before the slug, or the variable of `?cat=`, `?tag=` …; and the slug.
fn address(url: &str) -> (&str, Option<&str>) {
    let url = url.split('#').next().unwrap_or_default();
    // `index.html%3Ftag=ferry.html` is wget's file for `?tag=ferry`
    let parts = url.split_once('?').or_else(|| url.split_once("%3F"));
    let (path, query) = parts.map_or((url, None), |(path, query)| (path, Some(query)));
    if let Some((name, value)) = query.and_then(|query| query.split('&').next()?.split_once('=')) {
        let value = value.strip_suffix(".html").unwrap_or(value);
        // ?cat=3 has an id
        return (name, Some(value).filter(|value| !value.bytes().all(|byte| byte.is_ascii_digit())));
    }
    let host_and_path = path.split_once("://").map_or(path, |(_, rest)| rest);
    let path = host_and_path.split_once('/').map_or("", |(_, path)| path);
    let path = path.strip_suffix("index.html").unwrap_or(path).trim_end_matches('/');
    let (folders, slug) = path.rsplit_once('/').unwrap_or(("", path));
    (folders, Some(slug).filter(|slug| !slug.is_empty() && !slug.ends_with(".html")))
}

/// The taxonomy of a link: what the markup says; the class that ends with the term's slug; the base of the address, if that is
/// WordPress' or WooCommerce's own.
fn taxonomy<'t>(link: &StatedTerm, folders: &str, slug: Option<&str>, classes: &[&'t str]) -> Option<&'t str> {
    let of_class = |wanted: Option<&str>| {
        let slug = slug?;
        let names = classes.iter().filter_map(|class| class.strip_suffix(slug)?.strip_suffix('-'));
        let mut names = names.map(common_name);
        names.find(|name| !NOT_TAXONOMIES.contains(name) && wanted.is_none_or(|wanted| wanted == *name))
    };
    let by_base = taxonomy_by(folders);
    // a category and a tag may have one slug
    let by_both = || of_class(Some(by_base?));
    link.taxonomy.or_else(by_both).or_else(|| of_class(None)).or(by_base)
}

/// The taxonomy by the base of an address, if that is WordPress' or WooCommerce's own.
fn taxonomy_by(folders: &str) -> Option<&'static str> {
    let base = |folder: &str| match folder {
        "product-category" | "product_cat" => Some("product_cat"),
        "product-tag" | "product_tag" => Some("product_tag"),
        name => match Object::of_folder(name).or_else(|| Object::of_variable(name))? {
            Object::Term(taxonomy) => taxonomy,
            _ => None,
        },
    };
    // the site's own folder and that of a language come first, a child's parents after
    folders.split('/').find_map(base)
}

/// What `post_class()` writes before other names, and what themes write.
const NOT_TAXONOMIES: [&str; 9] =
    ["", "post", "type", "status", "format", "post_format", "post_format-post-format", "page", "entry"];

/// The category or tag that a class of `post_class()` names; a number may be an id.
fn named_by(class: &str) -> Option<(&'static str, &str)> {
    let named = [("category-", CATEGORY), ("tag-", TAG)];
    let found = named.iter().find_map(|(prefix, taxonomy)| Some((*taxonomy, class.strip_prefix(prefix)?)));
    found.filter(|(_, slug)| !slug.is_empty() && !slug.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The image that a theme shows as that of the post.
pub(super) fn featured_image(
    stated: &Stated,
    page: Option<&PageUrl>,
    extractor: &mut Extractor,
) -> Option<FeaturedImage<'static>> {
    let extracted = extractor.content(stated.featured.as_deref()?, page);
    let image = extracted.images.into_iter().next()?;
    let owned = |text: Option<Str<'_>>| text.map(|text| Str::from(text.to_string()));
    Some(FeaturedImage { src: owned(image.src), url: owned(image.url), ..FeaturedImage::default() })
}
