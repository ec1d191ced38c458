//! Lists the ids of a collection, position by position, to learn which items exist and which positions are hidden or broken.

use super::super::answer::{Answer, Item, Verdict};
use super::super::session::Stop;
use super::Walk;
use std::collections::{BTreeMap, BTreeSet};

/// How often the listing is repeated if the site changes meanwhile.
const INVENTORIES: u32 = 3;

/// The most pages in a row without new items, although the total is higher: comments on password-protected posts leave such pages.
const MOST_EMPTY: u32 = 20;

/// What a pass over a collection found, by position.
#[derive(Debug, Default)]
pub(super) struct Pass {
    pub(super) total_start: Option<u64>,
    pub(super) total: Option<u64>,
    pub(super) ids: Vec<i64>,
    /// The items that the site lists; in an update, with their dates and links.
    pub(super) listed: BTreeMap<i64, Item>,
    pub(super) hidden: u64,
    /// The positions that could not be fetched, each with its error and the number of ids before it.
    pub(super) broken: Vec<(u64, String, usize)>,
    /// Why the site does not give out the collection, or no longer does.
    pub(super) refused: Option<Verdict>,
    pub(super) pages: u64,
    /// Whether the pass stopped because there are too many pages.
    pub(super) is_endless: bool,
    pub(super) failed_pages: u64,
    /// The number of pages in a row without new items: empty ones, or those of a server that ignores the page number.
    pub(super) empty: u32,
}

impl Walk<'_, '_> {
    /// Lists the ids of all items that exist now, position by position, until the count is right or the site has changed too often. Returns
    /// the last pass, and whether its count is right.
    pub(super) fn inventory(&mut self) -> Result<(Pass, bool), Stop> {
        let mut pass = Pass::default();
        for _ in 0..INVENTORIES {
            pass = self.list_ids()?;
            if pass.refused.is_some() || pass.is_endless {
                return Ok((pass, false));
            }
            let distinct: BTreeSet<i64> = pass.ids.iter().copied().collect();
            let seen = distinct.len() as u64 + pass.hidden + pass.broken.len() as u64;
            if distinct.len() == pass.ids.len() && pass.total.is_none_or(|total| total == seen) {
                return Ok((pass, true));
            }
            pass.ids = distinct.into_iter().collect();
        }
        Ok((pass, false))
    }

    fn list_ids(&mut self) -> Result<Pass, Stop> {
        let fields = self.fields();
        self.each_page(&fields, |walk, pass, page, answer| {
            if page == 1 && walk.is_dated() {
                walk.fit_page_size(answer);
                if pass.is_refused_by(answer) {
                    return Ok(false);
                }
            }
            let (name, size) = (&walk.collection.name, walk.per_page);
            walk.session.step(&format!("ids of {name}"), pass.clip(0, page * size), pass.total);
            let before = pass.listed.len();
            pass.list(answer);
            let start = (page - 1) * size;
            let came = answer.items.len() as u64;
            let is_full = came >= pass.clip(start, size);
            // Without a total, the last page may have any length.
            let is_right = is_full || (pass.total.is_none() && came < size);
            match answer.verdict {
                Verdict::PastEnd => {}
                Verdict::Good if is_right => pass.ids.extend(answer.ids()),
                Verdict::Good if came == 0 && pass.empty > 0 && pass.total.is_none() => {}
                Verdict::Good => walk.window(start, size, pass, Some(answer.ids().collect()))?,
                _ => walk.window(start, size, pass, None)?,
            }
            Ok(pass.listed.len() > before)
        })
    }

    /// Lists the positions from `start` on: all in one request; if that fails or brings too few, in halves, down to the single position
    /// that is broken or hidden. If the ids are the ones already `seen` there, the other positions are hidden, and no halves are tried.
    fn window(&mut self, start: u64, length: u64, pass: &mut Pass, seen: Option<Vec<i64>>) -> Result<(), Stop> {
        let length = pass.clip(start, length);
        if length == 0 {
            return Ok(());
        }
        let answer = self.ask_offset(start, length)?;
        pass.heed(&answer);
        pass.list(&answer);
        let should = pass.clip(start, length);
        let came = answer.items.len() as u64;
        match &answer.verdict {
            Verdict::Good if came >= should => pass.ids.extend(answer.ids()),
            Verdict::Good if seen.is_some_and(|seen| answer.ids().eq(seen)) => {
                pass.hidden += should - came;
                pass.ids.extend(answer.ids());
            }
            Verdict::Good | Verdict::PastEnd if length == 1 => pass.hidden += 1,
            Verdict::Refused(error) | Verdict::Missing(error) | Verdict::Parameter(error) => {
                pass.broken.extend((start..start + length).map(|at| (at, error.clone(), pass.ids.len())));
            }
            verdict if length == 1 => {
                let error = verdict.error().unwrap_or("no answer").to_owned();
                pass.broken.push((start, error, pass.ids.len()));
            }
            _ => {
                self.window(start, length / 2, pass, None)?;
                self.window(start + length / 2, length - length / 2, pass, None)?;
            }
        }
        Ok(())
    }
}

impl Pass {
    /// How many of these positions exist, as far as the total is known.
    pub(super) fn clip(&self, start: u64, length: u64) -> u64 {
        self.total.map_or(length, |total| total.saturating_sub(start).min(length))
    }

    /// Whether this answer refuses a page of the list; the pass keeps the verdict.
    pub(super) fn is_refused_by(&mut self, answer: &Answer) -> bool {
        let is_refused = !matches!(answer.verdict, Verdict::Good | Verdict::PastEnd | Verdict::Failed(_));
        self.refused = is_refused.then(|| answer.verdict.clone());
        is_refused
    }

    /// Takes the totals from an answer.
    pub(super) fn heed(&mut self, answer: &Answer) {
        if answer.verdict != Verdict::Good {
            return;
        }
        if let Some(total) = answer.response.number("x-wp-total") {
            self.total_start = self.total_start.or(Some(total));
            self.total = Some(total);
        }
    }

    fn list(&mut self, answer: &Answer) {
        self.listed.extend(answer.items.iter().filter_map(|item| Some((item.id?, item.clone()))));
    }

    /// Whether this page is the last one; the pass takes in its answer. A page that is not full proves nothing: the site may hide some of
    /// its items.
    pub(super) fn ends_with(&mut self, page: u64, answer: &Answer, is_new: bool, per_page: u64) -> bool {
        self.pages = page;
        let is_good = answer.verdict == Verdict::Good;
        self.empty = if is_good && !is_new { self.empty + 1 } else { 0 };
        self.failed_pages += u64::from(!is_good && answer.verdict != Verdict::PastEnd);
        let most = if self.total.is_some() { MOST_EMPTY } else { 1 };
        let told = answer.response.number("x-wp-totalpages").filter(|_| is_good);
        match told.or_else(|| self.total.map(|total| total.div_ceil(per_page))) {
            _ if answer.verdict == Verdict::PastEnd || self.empty > most => true,
            // If the total is too low, a full last page shows it.
            Some(pages) => page >= pages && !(is_good && is_new && answer.items.len() as u64 >= per_page),
            None => !is_good || self.empty > 0,
        }
    }
}
