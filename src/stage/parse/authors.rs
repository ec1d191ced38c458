//! Collects whom the API names as authors of a post, also where it does not list users: in their order, each once.

use crate::html::Extractor;
use crate::ndjson::Str;
use crate::record::Author;
use crate::rest::shapes::Maybe;
use crate::rest::{Api, EmbeddedTerm};
use std::mem::take;

/// Authors of a post that are looked at: each is compared with those before.
const MOST: usize = 200;

/// The authors of a post; `door` names the source of a name alone, which feeds and exports state.
///
/// PublishPress lists all of them in `authors`; else it is the user whom WordPress embeds, with the terms of the taxonomy `author` that
/// Co-Authors Plus and PublishPress give to the others, or the name that an SEO plugin writes.
pub(super) fn authors<'a>(extractor: &mut Extractor, api: &mut Api<'a>, door: &'static str) -> Vec<Author<'a>> {
    let of_plugin = take(&mut api.authors).0.into_iter().map(|Maybe(byline)| Author {
        id: byline.user_id.0,
        name: byline.display_name.0,
        slug: byline.slug.0,
        link: byline.link.0,
        source: Some("publishpress".into()),
    });
    let mut found = distinct(extractor, of_plugin);
    if !found.is_empty() {
        return found;
    }
    let users = take(&mut api.embedded.0.authors).0.into_iter().map(|Maybe(user)| Author {
        id: user.id.0,
        name: user.name.0,
        slug: user.slug.0,
        link: user.link.0,
        source: Some("embedded".into()),
    });
    // Where the slug is that of a user of Co-Authors Plus, the name may be a login.
    let is_author = |term: &&EmbeddedTerm<'a>| {
        let is_public = term.slug.0.as_deref().is_some_and(|slug| !slug.starts_with("cap-"));
        is_public && term.taxonomy.0.as_deref() == Some("author")
    };
    let terms = api.embedded.0.terms.0.iter().flat_map(|list| &list.0).map(|Maybe(term)| term).filter(is_author);
    let terms = terms.map(|term| Author {
        id: None,
        name: term.name.0.clone(),
        slug: term.slug.0.clone(),
        link: term.link.0.clone(),
        source: Some("terms".into()),
    });
    found = distinct(extractor, users.chain(terms));
    if found.is_empty() {
        let of_seo = api.yoast.0.as_mut().and_then(|Maybe(yoast)| yoast.author.0.take());
        let stated = [(api.author_name.0.take(), door), (of_seo, "yoast")];
        let stated = stated.map(|(name, source)| Author { name, source: Some(source.into()), ..Author::default() });
        found = distinct(extractor, stated.into_iter());
        found.truncate(1);
    }
    found
}

/// Those with a name, which is HTML, each once.
fn distinct<'a>(extractor: &mut Extractor, all: impl Iterator<Item = Author<'a>>) -> Vec<Author<'a>> {
    let mut found: Vec<Author<'a>> = Vec::new();
    for mut author in all.take(MOST) {
        let name = author.name.take().map(|name| extractor.text(&name).trim().to_owned());
        author.name = name.filter(|name| !name.is_empty()).map(Str::from);
        author.id = author.id.filter(|id| *id > 0);
        let is_same = |known: &Author<'a>| known.name == author.name || author.id.is_some() && known.id == author.id;
        if author.name.is_some() && !found.iter().any(is_same) {
            found.push(author);
        }
    }
    found
}
