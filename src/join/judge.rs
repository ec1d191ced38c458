//! Compares one saved page with one record: the page shows the record, is its alias, or neither. Other modules choose among several pages.

use super::addresses::Keys;
use super::crowds::{Crowds, Shared};
use super::fates::Fates;
use super::outcome::Sought;
use super::prefix::host_of;
use super::settled::{Settled, is_archive_for, range};
use super::variants::{
    differ_by_language, directory, has_id, is_front_of_language, is_in_directory_of, is_part_of, is_shortlink,
    leads_to, primary,
};
use crate::scrape::Page;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// If many pages share an id or a URL, only so many records with it examine them all: more than any site has languages.
const MOST_LOOKS: u32 = 64;

/// How a page is related to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is the record's page unless another has a lower rank: 0 and 1 are pages at the record's own link, 2 claims the record, 3 claims
    /// it at a URL that leads to the record. `or_alias`: otherwise it is an alias.
    Shows { rank: u8, or_alias: bool },
    /// Its URL leads to the record.
    Alias,
    /// It has the record's id but another URL; `is_quoting`: it states the record's URL as its own.
    Differs { is_quoting: bool },
    /// It is an older capture of a page that shows or claims it.
    Older,
}

/// An untaken page that may be a record's, with the keys of its URLs.
pub(super) struct Candidate {
    pub(super) at: u32,
    pub(super) verdict: Verdict,
    pub(super) keys: Keys,
}

impl Settled {
    /// The untaken pages that may be related to a record; `link` is the key of the record's link.
    pub(super) fn candidates(
        &self,
        fates: &Fates,
        crowds: &mut Crowds,
        record: &Sought<'_>,
        link: &str,
    ) -> Vec<Candidate> {
        let hash = xxh3_64(link.as_bytes());
        let (mut claimants, mut neighbours) = (range(&self.by_id, record.id), range(&self.by_key, hash));
        if !crowds.may_look(Shared::Id(record.id), claimants.len(), MOST_LOOKS) {
            claimants = &[];
        }
        if !crowds.may_look(Shared::Url(hash), neighbours.len(), MOST_LOOKS) {
            neighbours = &[];
        }
        let numbers = claimants.iter().map(|&(_, at)| at).chain(neighbours.iter().map(|&(_, at)| at));
        let mut candidates: Vec<u32> = numbers.collect();
        candidates.sort_unstable();
        candidates.dedup();
        let judged = candidates.into_iter().filter_map(|at| {
            let page = self.page(at);
            if fates.is_taken(at) || page.is_error || page.is_redirect && page.is_older {
                return None;
            }
            let keys = self.keys(page);
            Some(Candidate { at, verdict: self.judge(page, &keys, record, link)?, keys })
        });
        let mut judged: Vec<Candidate> = judged.collect();
        for candidate in &mut judged {
            if matches!(candidate.verdict, Verdict::Shows { rank: 0 | 1, .. }) && self.is_by_cookie(candidate) {
                candidate.verdict = Verdict::Differs { is_quoting: false };
            }
        }
        self.doubt_copies(&mut judged);
        judged
    }

    /// Copies that were made by hand keep the head of their original: if pages in a mirror state the record's URL in one language but have
    /// different titles, none of them is the record's.
    fn doubt_copies(&self, judged: &mut [Candidate]) {
        let states = |candidate: &Candidate| {
            let page = self.page(candidate.at);
            let is_elsewhere = matches!(candidate.verdict, Verdict::Shows { rank: 2, .. });
            let is_file = page.is_rewritten && !candidate.keys.location.contains('?');
            (is_elsewhere && is_file).then(|| (page.language.clone(), page.title))
        };
        let mut titles: BTreeMap<_, u32> = BTreeMap::new();
        let mut doubted = BTreeSet::new();
        for (language, title) in judged.iter().filter_map(states) {
            if *titles.entry(language.clone()).or_insert(title) != title {
                doubted.insert(language);
            }
        }
        for candidate in judged {
            if states(candidate).is_some_and(|(language, _)| doubted.contains(&language)) {
                candidate.verdict = Verdict::Differs { is_quoting: true };
            }
        }
    }

    /// Whether a page was saved in place of the record's because a cookie selected another language. Such a page states a URL in the
    /// directory of its own language, and is saved there as well.
    fn is_by_cookie(&self, Candidate { at, keys, .. }: &Candidate) -> bool {
        let page = self.page(*at);
        let Some((stated, language)) = keys.stated().filter(|key| *key != keys.location).zip(page.language.as_deref())
        else {
            return false;
        };
        let same = |&&(_, other): &&(u64, u32)| {
            let (other, of_other) = (self.page(other), self.keys(self.page(other)));
            let states_itself = of_other.stated().is_none_or(|key| key == of_other.location);
            of_other.location == stated && states_itself && other.language == page.language && other.claim == page.claim
        };
        let is_below = page.is_in_other_language
            && stated.len() > keys.location.len()
            && differ_by_language(stated, &keys.location, language);
        let places = range(&self.by_key, xxh3_64(stated.as_bytes()));
        is_below && places.iter().take(MOST_LOOKS as usize).any(|place| same(&place))
    }

    /// How a page is related to a record, if at all; `link` is the key of the record's link.
    fn judge(&self, page: &Page, keys: &Keys, record: &Sought<'_>, link: &str) -> Option<Verdict> {
        if page.is_redirect {
            return (self.end_of(page).as_deref() == Some(link)).then_some(Verdict::Alias);
        }
        let is_claim = match &page.claim {
            Some(claim) if self.bases.may_claim(claim, record) && !self.is_of_another_site(page, link) => true,
            Some(_) => return None,
            None => false,
        };
        let location = keys.location.as_str();
        let at_link = page.is_certain && (location == link || keys.bare() == Some(link));
        // The front page of each language answers shortlinks, too; that of the page's own language answers with a translation.
        let is_own_id = |key: &str| {
            let is_translation = |language: &str| is_in_directory_of(key, link, language);
            let is_here = is_claim && has_id(key, record.id) && host_of(key) == host_of(link);
            is_here && !page.language.as_deref().is_some_and(is_translation)
        };
        let is_link = |key: &str| key == link || is_shortlink(key, link, record.id) || is_own_id(key);
        // In a mirror, the canonical link may lead to the file of `?p=ID`: a page in another language's directory does not belong to the
        // record.
        let is_of_language = |language: &str| is_in_directory_of(location, link, language);
        let says_link = keys
            .stated()
            .is_some_and(|key| is_link(key) && (key == link || !page.language.as_deref().is_some_and(is_of_language)));
        let shows = || self.shown_by(page, keys) == Some(link) && !self.is_linked(location);
        if !is_claim && !at_link && !says_link && !shows() {
            return None;
        }
        if page.is_older {
            return (is_claim || at_link).then_some(Verdict::Older);
        }
        let is_archive = is_archive_for(page, record);
        let leads_here = leads_to(location, link, record.id)
            || !page.is_certain && location == link
            || !is_archive && says_link && keys.stated().is_some_and(|key| leads_to(key, link, record.id));
        Some(if at_link {
            // If two files have one URL, the one saved under exactly this URL takes precedence.
            Verdict::Shows { rank: u8::from(location != link), or_alias: true }
        } else if is_part_of(location, link) || leads_here && (is_archive || !says_link) {
            Verdict::Alias
        } else if is_archive {
            Verdict::Differs { is_quoting: says_link }
        } else if says_link {
            Verdict::Shows { rank: if leads_here { 3 } else { 2 }, or_alias: leads_here }
        } else {
            Verdict::Differs { is_quoting: false }
        })
    }

    /// The page for a record that has no page by URL: one that claims it, if all that claim it state a single URL, which is neither in
    /// another language's directory, except the front page there, nor the link of another record; otherwise, one that its shortlink leads to.
    pub(super) fn only_claim(&self, candidates: &[Candidate], record: &Sought<'_>, link: &str) -> Option<u32> {
        let (mut found, mut by_shortlink): (Option<(&Candidate, &str)>, _) = (None, None);
        for candidate in candidates {
            let &Candidate { at, verdict, ref keys } = candidate;
            let page = self.page(at);
            if page.claim.is_none() || page.is_redirect || page.is_older || is_archive_for(page, record) {
                continue;
            }
            if verdict == Verdict::Alias {
                by_shortlink = by_shortlink.or(is_shortlink(&keys.location, link, record.id).then_some(at));
                continue;
            }
            if verdict != (Verdict::Differs { is_quoting: false }) || keys.all().any(|key| self.is_linked(key)) {
                return None;
            }
            let key = keys.stated().unwrap_or(&keys.location);
            match found {
                None => found = Some((candidate, key)),
                Some((first, other)) if other == key => {
                    if directory(&first.keys.location) != directory(link) {
                        found = Some((candidate, key));
                    }
                }
                Some(_) => return None,
            }
        }
        // The API may give the front page of a language the link that any page of its name has. A record whose link is the home is not one: a
        // plugin translates it on the fly. Nor is a page of another API: that of another blog.
        let own = found.filter(|(candidate, key)| {
            let is_plain = directory(link).is_empty() && link != host_of(link);
            let may_be_front = is_plain && self.is_of_own_site(self.page(candidate.at));
            let is_beside = |key: &str| directory(key) == directory(link) || may_be_front && is_front_of_language(key);
            host_of(key) == host_of(link) && is_beside(key) && is_beside(&candidate.keys.location)
        });
        own.map(|(candidate, _)| candidate.at).or(by_shortlink)
    }

    /// Whether a page was saved at the link of a record other than the one whose page has the keys `best`.
    fn is_link_of_another(&self, keys: &Keys, best: &Keys) -> bool {
        keys.location != best.location && self.is_linked(&keys.location)
    }

    /// Whether a page is the record's own page at another URL. It must claim the same id in the same language, and state the record's URL,
    /// or that of another page with this id (the sorted `places`), as its own. A page without a claim must differ from the URL that it
    /// states only by its language's directory.
    pub(super) fn is_twin(&self, candidate: &Candidate, best: &Page, places: &[&str]) -> bool {
        let Candidate { at, verdict, keys } = candidate;
        let page = self.page(*at);
        // In another blog, which the page names by its API or shortlink, the same id belongs to another record.
        let is_of_blog = page.title == best.title || page.names_home_of(best);
        let is_one = page.language == best.language && page.is_archive == best.is_archive && is_of_blog;
        // A theme may declare one language for all pages: a different title then shows a translation.
        let is_elsewhere = is_in_other_language(&keys.location, page.language.as_deref());
        let is_translated = is_elsewhere && page.title != best.title;
        if !is_one || is_translated || self.is_link_of_another(keys, &self.keys(best)) {
            return false;
        }
        if page.claim.is_none() || best.claim.is_none() {
            let link = &self.keys(best).location;
            let is_prefixed = |language: &str| differ_by_language(&keys.location, link, language);
            return keys.stated() == Some(link) && page.language.as_deref().is_some_and(is_prefixed);
        }
        match verdict {
            Verdict::Shows { .. } => page.language.is_some(),
            // In a mirror, the canonical link may name any file that has the page. A plugin's translation is in another language, or in the
            // directory of a language that its theme does not declare.
            Verdict::Differs { is_quoting: false } => {
                let stated = keys.stated().filter(|stated| *stated != keys.location);
                let is_stated = stated.is_some_and(|stated| places.binary_search(&stated).is_ok());
                is_stated || page.language.is_some() && !is_elsewhere
            }
            _ => false,
        }
    }
}

/// Whether the first directory of a key belongs to a language other than the page's.
fn is_in_other_language(key: &str, language: Option<&str>) -> bool {
    let first = directory(key);
    // WordPress answers the shortlinks of all languages in each directory.
    !key.contains('?') && !first.is_empty() && language.is_none_or(|language| primary(language) != primary(first))
}
