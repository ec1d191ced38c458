//! Decides which pages without a record become records with the type and the id that they state, like those of a dump. A page becomes one
//! unless another page or record in its language has the same id: a plugin that translates on the fly gives one id to the pages of all
//! languages. The second page of a long post is not a post.

use super::twins::Twins;
use super::untaken::Untaken;
use super::variants::{directory, further_of};
use crate::scrape::{Page, Space};
use crate::urls::UrlKey;
use crate::wordpress::of_rest_base;
use std::collections::{HashMap, HashSet};

/// The pages that state an identity but do not become records with it, sorted.
pub(super) struct Identities {
    others: Vec<u32>,
}

/// An id in a language.
type Key = (i64, String);

impl Identities {
    /// Compares the pages that are still untaken and not left out. While it runs, it needs 60 bytes per page, and the URLs of pages that
    /// share an id.
    pub(super) fn new(untaken: Untaken<'_>, twins: &Twins) -> Self {
        let own = |at: &u32| twins.of(*at).is_none() && !twins.is_copy(*at);
        let keyed = untaken.all().filter(own).filter_map(|at| Some((key_of(untaken, at)?, at)));
        let mut keyed: Vec<(Key, u32)> = keyed.collect();
        keyed.sort_unstable();
        let mut others = Vec::new();
        for same in keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let places: Vec<String> = same.iter().map(|&(_, at)| untaken.place_of(at)).collect();
            let known: HashSet<&str> = places.iter().map(String::as_str).collect();
            let is_part = |place: &str| further_of(place).is_some_and(|first| known.contains(first));
            let (parts, whole): (Vec<_>, Vec<_>) = same.iter().zip(&places).partition(|(_, place)| is_part(place));
            others.extend(parts.iter().map(|((_, at), _)| *at));
            let whole: Vec<u32> = whole.iter().map(|((_, at), _)| *at).collect();
            // An id is unique only within one blog. A page that does not name its blog may be from any blog.
            let home = |at: u32| untaken.known.page(at).named_home().and_then(UrlKey::new).map(UrlKey::into_string);
            let mut of_home: HashMap<Option<String>, usize> = HashMap::new();
            whole.iter().for_each(|&at| *of_home.entry(home(at)).or_default() += 1);
            let is_alone = |at: u32| match home(at) {
                None => whole.len() == 1,
                named => of_home[&named] == 1 && !of_home.contains_key(&None),
            };
            others.extend(whole.iter().copied().filter(|at| !is_alone(*at)));
        }
        others.sort_unstable();
        Identities { others }
    }

    /// Type and id of the record that a page is; `None` if it is only a page.
    pub(super) fn of(&self, at: u32, untaken: Untaken<'_>, twins: &Twins) -> Option<(String, i64)> {
        let (page, refusal) = (untaken.known.page(at), untaken.fates.refusal(at));
        key_of(untaken, at)?;
        if page.is_older || refusal.is_doubled || twins.is_copy(at) || self.others.binary_search(&at).is_ok() {
            return None;
        }
        let of_record = refusal.same.map(|(r#type, id)| (r#type.into_string(), id));
        of_record.or_else(|| untaken.known.identity(page))
    }
}

/// The id of the post that a page claims to show, and the page's language.
fn key_of(untaken: Untaken<'_>, at: u32) -> Option<Key> {
    let page = untaken.known.page(at);
    let claim = page.claim.as_ref().filter(|claim| claim.id > 0 && is_post(page, &claim.space))?;
    let language = page.language.as_deref().unwrap_or_default().to_ascii_lowercase().replace('_', "-");
    // A theme may declare one language for all pages, and a plugin the true one.
    let of_plugin = Some(untaken.place_of(at)).filter(|_| page.is_in_other_language);
    Some((claim.id, language + of_plugin.as_deref().map_or("", directory)))
}

/// Whether a page claims to show a post of any type or a file, not a term, a user, or a list.
fn is_post(page: &Page, space: &Space) -> bool {
    let is_of_posts = match space {
        Space::Posts => true,
        Space::Base(base) => of_rest_base(base).is_none_or(|(kind, _)| matches!(kind, "post" | "media")),
        Space::Terms | Space::Users => false,
    };
    is_of_posts && !page.is_archive
}
