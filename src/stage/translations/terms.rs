//! Finds the terms and the featured image of a page without a record in its elements. A page has names, slugs and addresses of
//! terms, but not their ids: wp-resolve finds those if a record has the address.

use super::about::letters;
use crate::html::Extractor;
use crate::ndjson::Str;
use crate::page::{PageStatements, StatedTerm};
use crate::record::{CATEGORY, FeaturedImage, TAG, TermRef};
use crate::report::Notes;
use crate::rule::Rule;
use crate::scrape::{unescape_query, without_index};
use crate::urls::{PageUrl, join};
use crate::wordpress::{Object, common_name};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// The terms to which a page links as its own, then those that only its classes name; counts their rules.
pub(super) fn terms(
    stated: &PageStatements,
    page: Option<&PageUrl>,
    extractor: &mut Extractor,
    notes: &mut Notes,
) -> Vec<TermRef<'static>> {
    let classes: Vec<&str> = stated.classes.as_deref().unwrap_or_default().split_ascii_whitespace().collect();
    let (mut terms, mut known): (Vec<TermRef<'static>>, HashSet<String>) = (Vec::new(), HashSet::new());
    for link in &stated.terms {
        let (href, url) = address_of(link, page);
        // if the page's address is unknown, a relative link still gives the name of the term
        if url.is_none() && page.is_some() {
            continue;
        }
        let name = Some(extractor.text(&link.name)).filter(|name| !name.is_empty());
        let (folders, slug) = address(url.as_deref().unwrap_or(&href));
        if name.is_none() && slug.is_none() {
            continue;
        }
        if Rule::TermLinked.holds(known.insert(url.as_deref().unwrap_or(&href).to_owned())) {
            let taxonomy = taxonomy(link, folders, slug, &classes).map(|name| Str::from(name.to_owned()));
            let slug = slug.map(|slug| Str::from(slug.to_owned()));
            let link = url.map(Str::from);
            terms.push(TermRef { taxonomy, id: None, name: name.map(Str::from), slug, link });
        }
    }
    let linked = terms.len();
    let named = OnceCell::new();
    for (taxonomy, slug) in classes.iter().filter_map(|class| named_by(class)) {
        // A term that is linked by its id can only be recognised by its name.
        let is_same = |term: &&mut TermRef<'_>| {
            term.taxonomy.as_deref().is_none_or(|known| known == taxonomy)
                && match (term.slug.as_deref(), term.name.as_deref()) {
                    (Some(known), _) => known == slug,
                    (None, name) => name.is_some_and(|name| letters(name) == letters(slug)),
                }
        };
        if let Some(term) = terms[..linked].iter_mut().find(is_same) {
            term.slug.get_or_insert_with(|| Str::from(slug.to_owned()));
        } else if Rule::TermOfClass.holds(known.insert(format!("{taxonomy} {slug}"))) {
            let named = named.get_or_init(|| links_by_term(stated, page));
            let found = named.get(&(taxonomy, slug.to_owned())).copied();
            let name = found.map(|link| extractor.text(&link.name));
            let name = name.filter(|name| !name.is_empty() && !has_count(name)).map(Str::from);
            let link = found.and_then(|link| address_of(link, page).1).map(Str::from);
            let [taxonomy, slug] = [taxonomy, slug].map(|text| Some(Str::from(text.to_owned())));
            terms.push(TermRef { taxonomy, name, slug, link, ..TermRef::default() });
        }
    }
    for at in 0..terms.len() {
        notes.count_named("rules", if at < linked { Rule::TermLinked } else { Rule::TermOfClass }.name());
    }
    terms
}

/// The terms of a record that has only their names, completed with the page's terms of the same names.
pub(super) fn completed<'t>(known: &'t str, of_page: Vec<TermRef<'t>>) -> Vec<TermRef<'t>> {
    let mut terms: Vec<TermRef<'t>> = serde_json::from_str(known).unwrap_or_default();
    for term in terms.iter_mut().filter(|term| term.id.is_none() && term.taxonomy.is_none()) {
        if let Some(same) = of_page.iter().find(|other| other.name.is_some() && other.name == term.name) {
            *term = same.clone();
        }
    }
    terms
}

/// The address of a term as written on the page, and as an absolute URL; file names made by a mirror are turned back into URLs.
fn address_of<'s>(link: &'s StatedTerm, page: Option<&PageUrl>) -> (Cow<'s, str>, Option<String>) {
    let href = match unescape_query(link.href.trim()) {
        Cow::Borrowed(href) => without_index(href),
        Cow::Owned(href) => Cow::Owned(href),
    };
    let url = join(page, &href).map(|url| without_index(&url).into_owned());
    (href, url)
}

/// Whether a link shows the number of posts of a term after its name: "Boats (23)".
fn has_count(name: &str) -> bool {
    let count = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
    count.is_some_and(|(_, count)| count.starts_with(|c: char| c.is_ascii_digit()))
}

/// The links of the page, including those of other posts, by the taxonomies and slugs of their terms; among several, the first.
fn links_by_term<'s>(
    stated: &'s PageStatements,
    page: Option<&PageUrl>,
) -> HashMap<(&'static str, String), &'s StatedTerm> {
    let mut links = HashMap::new();
    for link in &stated.links_to_terms {
        let (href, url) = address_of(link, page);
        let (folders, slug) = address(url.as_deref().unwrap_or(&href));
        if let (Some(taxonomy), Some(slug)) = (link.taxonomy.or_else(|| taxonomy_by(folders)), slug) {
            links.entry((taxonomy, slug.to_owned())).or_insert(link);
        }
    }
    links
}

/// The parts of an archive's address: the folders before the slug, or the variable in `?cat=`, `?tag=` …; and the slug.
fn address(url: &str) -> (&str, Option<&str>) {
    let url = url.split('#').next().unwrap_or_default();
    let (path, query) = url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
    if let Some((name, value)) = query.and_then(|query| query.split('&').next()?.split_once('=')) {
        // ?cat=3 has an id
        return (name, Some(value).filter(|value| !value.bytes().all(|byte| byte.is_ascii_digit())));
    }
    let host_and_path = path.split_once("://").map_or(path, |(_, rest)| rest);
    let path = host_and_path.split_once('/').map_or("", |(_, path)| path);
    let path = path.trim_end_matches('/');
    let (folders, slug) = path.rsplit_once('/').unwrap_or(("", path));
    (folders, Some(slug).filter(|slug| !slug.is_empty() && !slug.ends_with(".html")))
}

/// The taxonomy of a link: as stated by the markup; or by the class that ends with the term's slug; or by the base of the address,
/// if it is WordPress' or WooCommerce's own.
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

/// The taxonomy by the base of an address, if it is WordPress' or WooCommerce's own.
fn taxonomy_by(folders: &str) -> Option<&'static str> {
    let base = |folder: &str| match folder {
        "product-category" | "product_cat" => Some("product_cat"),
        "product-tag" | "product_tag" => Some("product_tag"),
        name => match Object::of_folder(name).or_else(|| Object::of_variable(name))? {
            Object::Term(taxonomy) => taxonomy,
            _ => None,
        },
    };
    // folders of the site and of a language precede the base; a child's parents follow it
    folders.split('/').find_map(base)
}

/// Prefixes of other names in `post_class()` and of names that themes add.
const NOT_TAXONOMIES: [&str; 9] =
    ["", "post", "type", "status", "format", "post_format", "post_format-post-format", "page", "entry"];

/// The category or tag in a class of `post_class()`; a number may be an id.
fn named_by(class: &str) -> Option<(&'static str, &str)> {
    let named = [("category-", CATEGORY), ("tag-", TAG)];
    let found = named.iter().find_map(|(prefix, taxonomy)| Some((*taxonomy, class.strip_prefix(prefix)?)));
    found.filter(|(_, slug)| !slug.is_empty() && !slug.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The image that a theme shows as the post's featured image.
pub(super) fn featured_image(
    stated: &PageStatements,
    page: Option<&PageUrl>,
    extractor: &mut Extractor,
) -> Option<FeaturedImage<'static>> {
    let extracted = extractor.content(stated.featured.as_deref()?, page);
    let image = extracted.images.into_iter().next()?;
    let owned = |text: Option<Str<'_>>| text.map(|text| Str::from(text.to_string()));
    Some(FeaturedImage { src: owned(image.src), url: owned(image.url), ..FeaturedImage::default() })
}
