//! The second phase of joining pages to records: gives each record its page and its aliases, then passes on the pages that are left.

use super::addresses::tidy;
use super::crowds::Crowds;
use super::fates::{Fate, Fates};
use super::home::Home;
use super::identities::Identities;
use super::judge::{Candidate, Verdict};
use super::log::{self, PageLog};
use super::outcome::{Keep, LeftOver, Saved, Shown, Sought};
use super::settled::{Settled, is_archive_for};
use super::template_group::TemplateGroup;
use super::twins::{Twin, Twins};
use super::untaken::Untaken;
use super::variants::{is_further, is_in_directory_of, part_of};
use crate::record::{Place, Rights, Target};
use crate::report::{Error, Report};
use crate::scrape::{Capture, Claim, NO_HOST, OwnFiles, Page, Samples, Space};
use crate::urls::{UrlKey, bare_host};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The pages of a site, ready to be given to records.
pub(crate) struct Joining {
    pub(super) known: Settled,
    pub(super) fates: Fates,
    crowds: Crowds,
    samples: Samples,
    /// Where the pages have their contents.
    pub(super) places: BTreeMap<TemplateGroup, Arc<Place<'static>>>,
    /// The log of pages, if requested.
    log: Option<PageLog>,
}

impl Joining {
    pub(super) fn new(known: Settled) -> Self {
        let fates = Fates::new(known.site.pages.len());
        let samples = Samples::of(&known.site);
        Joining { known, fates, crowds: Crowds::default(), samples, places: BTreeMap::new(), log: None }
    }

    /// Keeps a log of the pages in these directories.
    pub(crate) fn keep_log(&mut self, roots: &[String]) {
        self.log = Some(PageLog::new(roots));
    }

    /// The host that the first page with a host states.
    pub(crate) fn host(&self) -> Option<String> {
        self.known.site.host()
    }

    /// The place where most of the pages below these roots have WordPress' own files.
    pub(crate) fn own_files(&self, roots: &[String]) -> Option<OwnFiles> {
        self.known.site.own_files(roots)
    }

    /// The placeholder home, if the host of the pages is unknown: their URLs begin with it.
    pub(crate) fn unknown_home(&self) -> Option<String> {
        let site = &self.known.site;
        let home = Home::unknown();
        let is_unknown =
            site.pages.iter().any(|page| !page.has_host()) && self.known.addresses.prefixes.map(NO_HOST) == home.key;
        is_unknown.then(|| home.origin + "/")
    }

    /// The host of the site, without `www.`: that of most pages, mapped to the site; if the pages have none, that of the site's URL.
    pub(crate) fn host_of_most(&self) -> Option<String> {
        let mapped = self.host().map(|host| self.known.addresses.prefixes.map(bare_host(&host)).into_owned());
        let place = mapped.or_else(|| self.home().map(str::to_owned))?;
        place.split('/').next().map(str::to_owned)
    }

    /// The key of the site's URL.
    pub(crate) fn home(&self) -> Option<&str> {
        self.known.addresses.home.as_ref().map(|home| home.key.as_str())
    }

    /// The places of the scrape and the corresponding places on the site, as host and path.
    pub(crate) fn mapped(&self) -> Vec<(String, String)> {
        let prefixes = &self.known.addresses.prefixes;
        let mut pairs = prefixes.pairs();
        // A site that was in a folder, and has been moved to the top of a host: its links begin with a slash.
        let top = prefixes.folder_of_top().filter(|_| self.known.site.pages.iter().any(|page| page.names_top));
        pairs.extend(top.map(|top| ("/".to_owned(), top.to_owned())));
        pairs
    }

    /// The rights that the site's files state for a link that has no page.
    pub(crate) fn rights_at(&self, link: &str) -> Vec<Rights<'static>> {
        self.known.site.rights_at(link)
    }

    pub(crate) fn pages(&self) -> usize {
        self.known.site.pages.len()
    }

    /// Whether any pages were saved from the site itself.
    pub(crate) fn is_on_site(&self) -> bool {
        self.known.is_on_site
    }

    /// Whether it is known, before the first record is joined, that pages belong to records. Otherwise [`Joining::has_page_of`] answers
    /// this for each record.
    pub(crate) fn is_known_to_join(&self) -> bool {
        self.known.is_joined
    }

    /// Whether a page shows a record or is its alias; only valid before any record takes a page.
    pub(crate) fn has_page_of(&mut self, record: &Sought<'_>) -> bool {
        let Some(link) = UrlKey::new(record.link).filter(|_| record.kind != "comment") else { return false };
        let candidates = self.known.candidates(&self.fates, &mut self.crowds, record, link.as_str());
        candidates.iter().any(|candidate| candidate.verdict == Verdict::Alias)
            || self.best(&candidates, record, link.as_str()).is_some()
    }

    /// Ends the calls of [`Joining::has_page_of`]: from now on, records take their pages.
    pub(crate) fn begin(&mut self) {
        self.crowds = Crowds::default();
    }

    /// Takes the page and the aliases of a record.
    ///
    /// # Errors
    /// When the data of a page cannot be read again.
    pub(crate) fn take(&mut self, record: &Sought<'_>) -> Result<Shown, Error> {
        let mut shown = Shown::default();
        let Some(link) = UrlKey::new(record.link).filter(|_| record.kind != "comment") else { return Ok(shown) };
        let link = link.as_str();
        let candidates = self.known.candidates(&self.fates, &mut self.crowds, record, link);
        let best = self.best(&candidates, record, link);
        let claims = |candidate: &&Candidate| self.known.page(candidate.at).claim.is_some();
        let mut places: Vec<&str> =
            candidates.iter().filter(claims).map(|other| other.keys.location.as_str()).collect();
        places.sort_unstable();
        for candidate in &candidates {
            let Candidate { at, verdict, ref keys } = *candidate;
            let (page, addresses) = (self.known.page(at), &self.known.addresses);
            let is_twin = || best.is_some_and(|best| self.known.is_twin(candidate, self.known.page(best), &places));
            let is_quoting = match verdict {
                _ if best == Some(at) => {
                    // In a mirror, references are relative to the folder of index.html, even if the link has no slash at its end.
                    let is_at_link = keys.location == link && (!page.is_rewritten || record.link.ends_with('/'));
                    let url = if is_at_link { Some(record.link.to_owned()) } else { addresses.own_url(page, false) };
                    shown.page = Some(self.saved(page, url)?);
                    shown.rest = self.known.rest_above(page, link);
                    addresses.add_names(page, keys, link, &mut shown.aliases);
                    self.fates.join(at, Fate::Joined);
                    continue;
                }
                Verdict::Shows { or_alias: true, .. } | Verdict::Alias => None,
                _ if is_twin() => None,
                Verdict::Shows { or_alias: false, .. } => Some(true),
                Verdict::Differs { is_quoting } => Some(is_quoting),
                Verdict::Older => Some(false),
            };
            if let Some(is_quoting) = is_quoting {
                // The name in the API already determines the type.
                let is_of_type = |claim: &Claim| {
                    matches!(claim.space, Space::Base(_))
                        || page.r#type.as_deref().is_none_or(|name| name == record.r#type)
                };
                let claims = page.is_older || page.claim.as_ref().is_some_and(is_of_type);
                let claims = claims && !is_archive_for(page, record);
                let is_doubled = page.claim.is_some() && !self.is_in_another_language(candidate, best, link);
                self.fates.refuse(at, claims.then_some((record.r#type, record.id)), is_quoting, is_doubled);
            } else {
                addresses.add_place(page, keys, link, &mut shown.aliases);
                self.fates.join(at, Fate::Alias);
            }
        }
        if let (Some(page), Some(best)) = (&mut shown.page, best) {
            let variants = candidates.iter().map(|other| other.at).filter(|&at| self.fates.of(at) == Fate::Alias);
            page.next_pages = self.next_pages(best, link, variants)?;
        }
        self.note_shown(record, &candidates, best)?;
        tidy(&mut shown.aliases, link);
        Ok(shown)
    }

    /// Whether a page is in another language than a record. The record's language is that of its best page. If the best page has none, the
    /// page is in another language if it is in the directory of its own language and the record's link is not.
    fn is_in_another_language(&self, candidate: &Candidate, best: Option<u32>, link: &str) -> bool {
        let language = |at: u32| self.known.page(at).language.as_deref();
        let Some(own) = language(candidate.at) else { return false };
        let of_record = best.and_then(language).map(|of_record| !own.eq_ignore_ascii_case(of_record));
        of_record.unwrap_or_else(|| is_in_directory_of(&candidate.keys.location, link, own))
    }

    /// The best page for a record: one that claims it takes precedence over one that only has its URL, then the first by path.
    fn best(&self, candidates: &[Candidate], record: &Sought<'_>, link: &str) -> Option<u32> {
        let rank = |&Candidate { at, verdict, .. }: &Candidate| match verdict {
            Verdict::Shows { rank, .. } => Some((self.known.page(at).claim.is_none(), rank, at)),
            _ => None,
        };
        let best = candidates.iter().filter_map(rank).min().map(|(_, _, at)| at);
        best.or_else(|| self.known.only_claim(candidates, record, link))
    }

    /// Logs the pages that show a record, if requested.
    fn note_shown(&mut self, record: &Sought<'_>, candidates: &[Candidate], best: Option<u32>) -> Result<(), Error> {
        for &Candidate { at, verdict, .. } in candidates {
            let why = match verdict {
                Verdict::Shows { rank: 0 | 1, .. } if best == Some(at) => "at_link",
                Verdict::Shows { .. } if best == Some(at) => "states_link",
                _ if best == Some(at) => "only_claim",
                _ if self.known.page(at).is_redirect => "redirect",
                Verdict::Shows { or_alias: true, .. } | Verdict::Alias => "variant",
                _ => "same_page",
            };
            let fate = match self.fates.of(at) {
                Fate::Joined => "joined",
                Fate::Alias => "alias",
                Fate::Open => continue,
            };
            let id = Some(record.id).filter(|id| *id != Sought::NO_ID);
            let target = log::target(record.r#type, id, Some(record.link));
            self.note(at, fate, target, why)?;
        }
        Ok(())
    }

    /// Logs the state of a page, if requested.
    fn note(&mut self, at: u32, fate: &'static str, record: Target<'_>, why: &str) -> Result<(), Error> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let page = self.known.page(at);
        let (file, _) = self.known.site.origin(page)?;
        log.note(page.root, &file, &self.known.addresses.place(page), fate, record, why);
        Ok(())
    }

    /// The lines of the log of pages so far, to be written by the caller.
    pub(crate) fn take_log(&mut self) -> Vec<u8> {
        self.log.as_mut().map(PageLog::take).unwrap_or_default()
    }

    /// Passes on the pages without a record, ordered by scrape and path. Omits redirects and the pages that `keep` excludes; counts
    /// `joined`, `aliases`, `left_out` and its parts.
    ///
    /// # Errors
    /// Those of `each`, and when the data of a page cannot be read again.
    pub(crate) fn finish(
        &mut self,
        keep: Keep,
        report: &mut Report,
        mut each: impl FnMut(&LeftOver, &mut Report) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let untaken = Untaken { known: &self.known, fates: &self.fates, keep };
        let twins = Twins::new(untaken);
        let identities = Identities::new(untaken, &twins);
        for at in 0..u32::try_from(self.known.site.pages.len()).unwrap_or(u32::MAX) {
            let page = self.known.page(at);
            let untaken = Untaken { known: &self.known, fates: &self.fates, keep };
            if self.fates.is_taken(at) {
                report.count(if self.fates.of(at) == Fate::Joined { "joined" } else { "aliases" }, 1);
            } else if let Some(why) = untaken.why_left_out(page).filter(|_| twins.of(at).is_none()) {
                report.leave_out(count_of(why), 1);
                self.note(at, "left_out", Target::default(), why)?;
            } else if let Some(twin) = twins.of(at) {
                let (first, fate, why) = match twin {
                    Twin::Alias(first) if page.is_redirect => (first, "alias", "redirect"),
                    Twin::Alias(first) => (first, "alias", "variant"),
                    Twin::Repeated(first) => (first, "duplicate", "same_url"),
                };
                report.count(if fate == "alias" { "aliases" } else { "duplicates" }, 1);
                let link = untaken.record_link(first, twins.is_quoting(first));
                let own = identities.of(first, untaken, &twins);
                self.note(at, fate, log::page(own.as_ref(), link.as_deref()), why)?;
            } else {
                let own = identities.of(at, untaken, &twins);
                let page = LeftOver { own, ..self.left_over(at, &twins, untaken)? };
                let why = match &page.same {
                    Some(_) => "same_id",
                    None if twins.is_quoting(at) => "quotes",
                    None => "no_record",
                };
                self.note(at, "record", log::page(page.own.as_ref(), page.link.as_deref()), why)?;
                each(&page, report)?;
            }
        }
        Ok(())
    }

    fn left_over(&self, at: u32, twins: &Twins, untaken: Untaken<'_>) -> Result<LeftOver, Error> {
        let (page, addresses) = (self.known.page(at), &self.known.addresses);
        let link = untaken.record_link(at, twins.is_quoting(at));
        let key = link.as_deref().and_then(UrlKey::new);
        let key = key.as_ref().map_or("", UrlKey::as_str);
        let mut aliases = Vec::new();
        for page in std::iter::once(at).chain(twins.aliases_of(at)).map(|at| self.known.page(at)) {
            let keys = self.known.keys(page);
            // If the page was saved at the link of a record, a cookie led there: that link is not its alias.
            if !self.known.is_linked(&keys.location) {
                addresses.add_place(page, &keys, key, &mut aliases);
            }
        }
        // The record that the page states may be missing from the dump: then no record has examined the page, or none of that type has.
        let same = match self.fates.refused(at) {
            Some(refusal) if refusal.same.is_some() || page.is_archive => refusal.same.clone(),
            _ => self.known.stated_record(page).map(|(r#type, id)| (r#type.into(), id)),
        };
        let same = same.map(|(r#type, id)| (r#type.into_string(), id));
        // With a dump, only for a page whose record is not in it: the page may be from another blog.
        let is_unseen = !self.known.has_dump || same.is_none() && (page.rest.is_some() || page.claim.is_some());
        if is_unseen && !is_further(&self.known.keys(page).location) {
            addresses.add(page.shortlink().as_deref(), &mut aliases);
        }
        tidy(&mut aliases, key);
        let next_pages = self.next_pages(at, key, twins.aliases_of(at))?;
        Ok(LeftOver {
            saved: Saved { next_pages, ..self.saved(page, addresses.own_url(page, false))? },
            link,
            own: None,
            is_older: page.is_older,
            aliases,
            same,
            rest: page.rest.as_deref().map(str::to_owned),
        })
    }

    /// Files and URLs of the further pages of the content of a page, among its aliases and in its scrape, in their order; `link` is the key
    /// of the record's link.
    fn next_pages(
        &self,
        at: u32,
        link: &str,
        aliases: impl Iterator<Item = u32>,
    ) -> Result<Vec<(String, Option<String>)>, Error> {
        let page = |at: u32| self.known.page(at);
        let aliases = aliases.filter(|&alias| page(alias).root == page(at).root);
        let places: Vec<(String, u32)> = aliases.map(|at| (self.known.keys(page(at)).location, at)).collect();
        let own = self.known.keys(page(at)).location;
        let is_first = |key: &str| key == link || key == own || places.iter().any(|(place, _)| place == key);
        let part = |(place, at): &(String, u32)| {
            part_of(place).filter(|(first, _)| is_first(first)).map(|(_, number)| (number, *at))
        };
        let mut numbered: Vec<(u32, u32)> = places.iter().filter_map(part).collect();
        numbered.sort_unstable();
        numbered.dedup_by_key(|&mut (number, _)| number);
        let named = |(_, at)| {
            let (file, _) = self.known.site.origin(page(at))?;
            Ok((file.into_owned(), self.known.addresses.own_url(page(at), false)))
        };
        numbered.into_iter().map(named).collect()
    }

    fn saved(&self, page: &Page, url: Option<String>) -> Result<Saved, Error> {
        let (file, capture) = self.known.site.origin(page)?;
        let text = |of: fn(&Capture) -> Option<&str>| capture.as_deref().and_then(of).map(str::to_owned);
        let (time, digest, record) = (text(Capture::time), text(Capture::digest), text(Capture::record));
        let status = capture.as_deref().and_then(Capture::status);
        let site_name = self.known.site.name(page);
        let sample = self.samples.sample(page, &self.known.site)?;
        let rights = self.known.site.rights(page, time.as_deref(), url.as_deref());
        let place = if self.places.is_empty() { None } else { self.places.get(&TemplateGroup::of(page)).cloned() };
        let file = file.into_owned();
        let next_pages = Vec::new();
        Ok(Saved {
            root: page.root,
            file,
            url,
            time,
            digest,
            record,
            status,
            site_name,
            sample,
            next_pages,
            place,
            rights,
        })
    }
}

/// The name of the count for pages left out for this reason.
fn count_of(why: &str) -> &'static str {
    match why {
        "redirects" => "left_out_redirects",
        "older_capture" => "left_out_older",
        "errors" => "left_out_errors",
        "not_wordpress" => "left_out_not_wordpress",
        _ => "left_out_archives",
    }
}
