//! The pages of a scrape without a record, except those that are left out, and the comparisons among them.

use super::addresses::Keys;
use super::fates::{Fate, Fates};
use super::outcome::Keep;
use super::settled::Settled;
use super::variants::{
    differ_by_language, directory, has_id, is_further, is_part_of, leads_to, primary, without_suffix,
};
use crate::scrape::Page;
use crate::wordpress::is_upload;
use xxhash_rust::xxh3::xxh3_64;

/// The state after the last record has taken its page.
#[derive(Clone, Copy)]
pub(super) struct Untaken<'s> {
    pub(super) known: &'s Settled,
    pub(super) fates: &'s Fates,
    pub(super) keep: Keep,
}

impl Untaken<'_> {
    /// The numbers of these pages.
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

    /// The URL of a page; `is_quoting`: the URL that it states belongs to another page.
    pub(super) fn link_of(&self, at: u32, is_quoting: bool) -> Option<String> {
        let is_own = !is_quoting && !self.fates.refusal(at).is_quoting && self.stated_shortlink(at).is_none();
        self.known.addresses.own_url(self.known.page(at), is_own)
    }

    /// The link of the record of a page: its URL, but never that of the file which a page about a file states.
    pub(super) fn record_link(&self, at: u32, is_quoting: bool) -> Option<String> {
        let link = self.link_of(at, is_quoting);
        let is_page = link.as_deref().is_none_or(|link| !is_upload(link));
        if is_page { link } else { self.known.addresses.own_url(self.known.page(at), false) }
    }

    /// The shortlink of a page's id, if the page states this shortlink as its own URL but was saved elsewhere: a mirror has derived it from
    /// the name of a file.
    fn stated_shortlink(&self, at: u32) -> Option<String> {
        let page = self.known.page(at);
        let (id, keys) = (page.claim.as_ref()?.id, self.known.keys(page));
        keys.stated().filter(|key| has_id(key, id) && !keys.location.contains('?')).map(str::to_owned)
    }

    /// Whether two pages with the same id, language and title state the same shortlink, and neither is a continuation of a long post.
    pub(super) fn state_one_shortlink(&self, a: u32, b: u32) -> bool {
        let stated = |at| self.stated_shortlink(at).filter(|_| !is_further(&self.place_of(at)));
        let one = stated(a);
        one.is_some() && one == stated(b) && self.claim_the_same(a, b)
    }

    /// Whether a page was saved in the directory of its own language.
    pub(super) fn is_in_own_language(&self, at: u32) -> bool {
        let language = self.known.page(at).language.as_deref().map(primary);
        language == Some(primary(directory(&self.place_of(at))))
    }

    /// The keys of a page's URLs.
    pub(super) fn keys_of(&self, at: u32) -> Keys {
        self.known.keys(self.known.page(at))
    }

    /// The key of the URL that a page was saved from.
    pub(super) fn place_of(&self, at: u32) -> String {
        self.keys_of(at).location
    }

    /// Whether two pages claim the same id in the same language. A page that was copied from another by hand may keep the other's head;
    /// then only its title differs.
    pub(super) fn claim_the_same(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.known.page(a), self.known.page(b));
        // If no language is stated, the title is required.
        let may_lack_title = a.language.is_some() && (a.title == 0 || b.title == 0);
        let one_title = a.title == b.title && (a.title != 0 || a.language.is_some()) || may_lack_title;
        a.claim.is_some() && a.claim == b.claim && a.language == b.language && one_title
    }

    /// Whether the URLs of two pages differ only in that one is in the directory of its language.
    pub(super) fn differ_by_language(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.known.page(a), self.known.page(b));
        let one_claim = x.claim.is_none() || y.claim.is_none() || x.claim == y.claim;
        let is_prefixed = |language: &str| differ_by_language(&self.place_of(a), &self.place_of(b), language);
        one_claim && x.language == y.language && x.language.as_deref().is_some_and(is_prefixed)
    }

    /// The hash of the id that a page claims, its type and its language; `None` for an archive list.
    pub(super) fn hash_of_claim(&self, at: u32) -> Option<u64> {
        let page = self.known.page(at);
        let (claim, language) = (page.claim.as_ref()?, page.language.as_deref().unwrap_or_default());
        let space = page.r#type.as_deref().map_or_else(|| format!("{:?}", claim.space), str::to_owned);
        (!page.is_archive).then(|| xxh3_64(format!("{space} {} {language}", claim.id).as_bytes()))
    }

    /// The key of the page that a page shows at a URL for its trackbacks or further comments.
    pub(super) fn shown_by(&self, at: u32) -> Option<String> {
        let keys = self.keys_of(at);
        self.known.shown_by(self.known.page(at), &keys).map(str::to_owned)
    }

    /// Whether a page's URL differs from that of another page with its id only in the query.
    pub(super) fn is_query_of(&self, at: u32, place: &str, link: &str) -> bool {
        let page = self.known.page(at);
        let Some(claim) = page.claim.as_ref().filter(|_| place.contains('?') && !is_part_of(place, link)) else {
            return false;
        };
        let states_id = || self.known.keys(page).stated().is_some_and(|stated| has_id(stated, claim.id));
        leads_to(place, link, claim.id) || has_id(place, claim.id) || states_id()
    }

    /// Whether a page states a variant of the URL that it was saved from.
    pub(super) fn states_variant(&self, at: u32) -> bool {
        let page = self.known.page(at);
        let keys = self.known.keys(page);
        let id = page.claim.as_ref().map(|claim| claim.id);
        let is_variant =
            |stated: &str| without_suffix(stated) == Some(&keys.location) || id.is_some_and(|id| has_id(stated, id));
        keys.stated().is_some_and(is_variant)
    }

    /// The hashes of the final targets of redirects, except redirects that a record took and older captures.
    pub(super) fn ends_of_redirects(&self) -> impl Iterator<Item = (u64, u32)> {
        let redirects = self.known.redirects.iter().map(|&(_, at)| (at, self.known.page(at)));
        let left = redirects.filter(|&(at, page)| !page.is_older && self.fates.of(at) == Fate::Open);
        left.filter_map(|(at, page)| Some((xxh3_64(self.known.end_of(page)?.as_bytes()), at)))
    }
}
