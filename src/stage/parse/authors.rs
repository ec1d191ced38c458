//! Collects the authors that the API names for a post, in order and each once, even if it does not list users.

use crate::html::Extractor;
use crate::ndjson::Str;
use crate::record::{Author, TermRef};
use crate::rest::Api;
use std::mem::take;

/// The most authors of a post that are read: each is compared with those before it.
const MOST: usize = 200;

/// The authors of a post. `door` is the source of an author of whom only the name is known, as from feeds and exports.
///
/// PublishPress lists all authors in `authors`. Otherwise they are the user that WordPress embeds and the terms of the taxonomy `author`,
/// which Co-Authors Plus and PublishPress use for further authors, or the name that an SEO plugin writes.
pub(super) fn authors<'a>(extractor: &mut Extractor, api: &mut Api<'a>, door: &'static str) -> Vec<Author<'a>> {
    let of_plugin = take(&mut api.authors).into_iter().map(|byline| Author {
        id: byline.user_id,
        name: byline.display_name,
        slug: byline.slug,
        link: byline.link,
        source: Some("publishpress".into()),
    });
    let mut found = distinct(extractor, of_plugin);
    if !found.is_empty() {
        return found;
    }
    let users = take(&mut api.embedded.authors).into_iter();
    let users = users.map(|user| Author { source: Some("embedded".into()), ..user });
    // If the slug is that of a user of Co-Authors Plus, the name may be a login.
    let is_author = |term: &&TermRef<'a>| {
        let is_public = term.slug.as_deref().is_some_and(|slug| !slug.starts_with("cap-"));
        is_public && term.taxonomy.as_deref() == Some("author")
    };
    let terms = api.embedded.terms.iter().flatten().filter(is_author);
    let terms = terms.map(|term| Author {
        id: None,
        name: term.name.clone(),
        slug: term.slug.clone(),
        link: term.link.clone(),
        source: Some("terms".into()),
    });
    found = distinct(extractor, users.chain(terms));
    if found.is_empty() {
        let of_seo = api.yoast.as_mut().and_then(|yoast| yoast.author.take());
        let stated = [(api.author_name.take(), door), (of_seo, "yoast")];
        let stated = stated.map(|(name, source)| Author { name, source: Some(source.into()), ..Author::default() });
        found = distinct(extractor, stated.into_iter());
        found.truncate(1);
    }
    found
}

/// The authors that have a name, which is HTML, each once.
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
