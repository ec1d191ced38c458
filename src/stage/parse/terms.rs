//! Reads the terms and the featured image of a post from the API: their ids, and if they are embedded, their names and addresses.

use crate::html::Extractor;
use crate::ndjson::Str;
use crate::record::{CATEGORY, FeaturedImage, TAG, TermRef};
use crate::rest::Api;
use crate::urls::{PageUrl, join};
use crate::wordpress::common_name;
use std::collections::HashMap;
use std::mem::take;

/// The terms of a post: its categories, its tags, and those of custom taxonomies in the order in which the API names the taxonomies.
pub(super) fn terms<'a>(extractor: &mut Extractor, api: &mut Api<'a>) -> Vec<TermRef<'a>> {
    let mut lists = vec![(CATEGORY, api.categories.clone()), (TAG, api.tags.clone())];
    lists.extend(api.custom_terms());
    let own = |taxonomy: &str| match taxonomy {
        CATEGORY => CATEGORY.into(),
        TAG => TAG.into(),
        custom => Str::from(custom.to_owned()),
    };
    let refs = |(taxonomy, ids): (&str, Vec<i64>)| {
        let taxonomy: Str<'a> = own(taxonomy);
        ids.into_iter().map(move |id| TermRef { taxonomy: Some(taxonomy.clone()), id: Some(id), ..TermRef::default() })
    };
    let mut terms: Vec<TermRef<'a>> = lists.into_iter().flat_map(refs).collect();
    let embedded = take(&mut api.embedded.terms).into_iter().flatten();
    let (known, named): (Vec<_>, Vec<_>) = embedded.partition(|term| term.id.is_some());
    // An export may have no list of terms, and so no ids; a feed has names alone.
    terms.extend(named.into_iter().filter_map(|term| {
        let taxonomy = known_as(&term).map(Str::from);
        let name = Some(extractor.text(&term.name?).into());
        Some(TermRef { taxonomy, name, slug: term.slug, link: term.link, ..TermRef::default() })
    }));
    let places =
        terms.iter().enumerate().filter_map(|(at, term)| Some(((term.taxonomy.as_deref()?.to_owned(), term.id?), at)));
    let mut places: HashMap<(String, i64), usize> = places.collect();
    for said in known {
        let (Some(taxonomy), Some(id)) = (known_as(&said), said.id) else { continue };
        // Some taxonomies have no field of their own in a post.
        let at = *places.entry((taxonomy.clone(), id)).or_insert_with(|| {
            terms.push(TermRef { taxonomy: Some(taxonomy.into()), id: Some(id), ..TermRef::default() });
            terms.len() - 1
        });
        let term = &mut terms[at];
        term.name = said.name.map(|name| extractor.text(&name).into());
        (term.slug, term.link) = (said.slug, said.link);
    }
    terms.sort_by_key(|term| match term.taxonomy.as_deref() {
        Some(CATEGORY) => 0,
        Some(TAG) => 1,
        _ => 2,
    });
    terms
}

fn known_as(term: &TermRef<'_>) -> Option<String> {
    term.taxonomy.as_deref().map(|name| common_name(name).to_owned())
}

/// The file of the featured image, if it is embedded.
pub(super) fn featured_image<'a>(api: &mut Api<'a>, page: Option<&PageUrl>) -> FeaturedImage<'a> {
    let src = take(&mut api.embedded.featured).into_iter().find_map(|image| image.source_url);
    let url = src.as_deref().and_then(|src| join(page, src)).map(|url| Str::from(url.into_owned()));
    FeaturedImage { src, url, ..FeaturedImage::default() }
}
