//! The pages of a scrape that no record took and that are not left out; they are compared with each other.

use super::fates::{Fate, Fates};
use super::outcome::Keep;
use super::settled::Settled;
use super::variants::{
    differ_by_language, directory, has_id, is_further, is_part_of, leads_to, primary, without_suffix,
};
use crate::scrape::Page;
use xxhash_rust::xxh3::xxh3_64;

/// What is known when the last record has its page.
#[derive(Clone, Copy)]
pub(super) struct Untaken<'s> {
    pub(super) known: &'s Settled,
    pub(super) fates: &'s Fates,
    pub(super) keep: Keep,
}

impl Untaken<'_> {
    /// Their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        let is_left = |at: &u32| {
            let page = self.known.page(*at);
            !self.fates.is_taken(*at) && !page.is_older && self.why_left_out(page).is_none()
        };
        (0..).take(self.known.site.pages.len()).filter(is_left)
    }

    /// Why a page without a record is left out.
    pub(super) fn why_left_out(&self, page: &Page) -> Option<&'static str> {
        match page {
            _ if page.is_older && !self.keep.captures => Some("older_capture"),
            _ if page.is_redirect => Some("redirects"),
            _ if page.is_foreign => Some("not_wordpress"),
            _ if page.is_error && !self.keep.all_pages => Some("errors"),
            _ if page.is_archive && !self.keep.all_pages => Some("archives"),
            _ => None,
        }
    }

    /// The URL of a page; `is_quoting`: the one that it states is that of another page.
    pub(super) fn link_of(&self, at: u32, is_quoting: bool) -> Option<String> {
        let is_own = !is_quoting && !self.fates.refusal(at).is_quoting && self.stated_shortlink(at).is_none();
        self.known.addresses.own_url(self.known.page(at), is_own)
    }

    /// The shortlink of its id, if a page states that as its own URL and lies elsewhere: a mirror has made it of the name of a file.
    fn stated_shortlink(&self, at: u32) -> Option<String> {
        let page = self.known.page(at);
        let (id, keys) = (page.claim.as_ref()?.id, self.known.keys(page));
        keys.stated().filter(|key| has_id(key, id) && !keys.location.contains('?')).map(str::to_owned)
    }

    /// Whether two pages of one id, language and title state the same shortlink, and none is a further page of a long post.
    pub(super) fn state_one_shortlink(&self, a: u32, b: u32) -> bool {
        let stated = |at| self.stated_shortlink(at).filter(|_| !is_further(&self.place_of(at)));
        let one = stated(a);
        one.is_some() && one == stated(b) && self.claim_the_same(a, b)
    }

    /// Whether a page lies in the directory of its language.
    pub(super) fn is_in_own_language(&self, at: u32) -> bool {
        let language = self.known.page(at).language.as_deref().map(primary);
        language == Some(primary(directory(&self.place_of(at))))
    }

    /// The key of the URL that a page was saved from.
    pub(super) fn place_of(&self, at: u32) -> String {
        self.known.keys(self.known.page(at)).location
    }

    /// Whether two pages claim one id in one language. A page that was made by hand of another one may keep that one's head,
    /// and then its title is what differs.
    pub(super) fn claim_the_same(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.known.page(a), self.known.page(b));
        // Where no language is stated, the title must be.
        let may_lack_title = a.language.is_some() && (a.title == 0 || b.title == 0);
        let one_title = a.title == b.title && (a.title != 0 || a.language.is_some()) || may_lack_title;
        a.claim.is_some() && a.claim == b.claim && a.language == b.language && one_title
    }

    /// Whether two pages are one in the directory of its language and outside of it, by their places.
    pub(super) fn differ_by_language(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.known.page(a), self.known.page(b));
        let one_claim = x.claim.is_none() || y.claim.is_none() || x.claim == y.claim;
        let is_prefixed = |language: &str| differ_by_language(&self.place_of(a), &self.place_of(b), language);
        one_claim && x.language == y.language && x.language.as_deref().is_some_and(is_prefixed)
    }

    /// The hash of the id that a page claims, its type and its language; none for a list.
    pub(super) fn hash_of_claim(&self, at: u32) -> Option<u64> {
        let page = self.known.page(at);
        let (claim, language) = (page.claim.as_ref()?, page.language.as_deref().unwrap_or_default());
        let space = page.r#type.as_deref().map_or_else(|| format!("{:?}", claim.space), str::to_owned);
        (!page.is_archive).then(|| xxh3_64(format!("{space} {} {language}", claim.id).as_bytes()))
    }

    /// Whether the query of the place of a page is all that tells it from another one with its id.
    pub(super) fn is_query_of(&self, at: u32, place: &str, link: &str) -> bool {
        let page = self.known.page(at);
        let Some(claim) = page.claim.as_ref().filter(|_| place.contains('?') && !is_part_of(place, link)) else {
            return false;
        };
        let states_id = || self.known.keys(page).stated().is_some_and(|stated| has_id(stated, claim.id));
        leads_to(place, link, claim.id) || has_id(place, claim.id) || states_id()
    }

    /// Whether a page states a variant of its own place.
    pub(super) fn states_variant(&self, at: u32) -> bool {
        let page = self.known.page(at);
        let keys = self.known.keys(page);
        let id = page.claim.as_ref().map(|claim| claim.id);
        let is_variant =
            |stated: &str| without_suffix(stated) == Some(&keys.location) || id.is_some_and(|id| has_id(stated, id));
        keys.stated().is_some_and(is_variant)
    }

    /// The hashes of where redirects lead in the end, of those that no record took and that are not older captures.
    pub(super) fn ends_of_redirects(&self) -> impl Iterator<Item = (u64, u32)> {
        let redirects = self.known.redirects.iter().map(|&(_, at)| (at, self.known.page(at)));
        let left = redirects.filter(|&(at, page)| !page.is_older && self.fates.of(at) == Fate::Open);
        left.filter_map(|(at, page)| Some((xxh3_64(self.known.end_of(page)?.as_bytes()), at)))
    }
}
