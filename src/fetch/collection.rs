//! Gets all of a collection, and proves it: the pages, then an inventory of ids, then what is missing, one by one if it has
//! to be. What is not there in the end is counted as hidden or as a gap, never as a remainder.

use super::answer::{Answer, Item, Verdict, Want};
use super::discover::{Api, Collection, Shape};
use super::folder::Dump;
use super::log::Gap;
use super::session::{Ask, Session, Stop};
use std::collections::{BTreeMap, BTreeSet};

/// Items asked for at once: the most that WordPress gives.
const PER_PAGE: u64 = 100;

/// Pages of one collection; a server that goes on beyond is not a site.
const MOST_PAGES: u64 = 100_000;

/// How often the inventory is taken when the site changes meanwhile.
const INVENTORIES: u32 = 3;

/// What was got of a collection. `got + hidden + gaps = total_end`, where it is complete or its gaps are named.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Tally {
    pub(super) r#type: String,
    pub(super) route: String,
    pub(super) language: Option<String>,
    /// X-WP-Total of the first and of the last list.
    pub(super) total_start: Option<u64>,
    pub(super) total_end: Option<u64>,
    /// Items that are listed in the end and are in the dump.
    pub(super) got: u64,
    /// Positions that the site counts and shows to nobody.
    pub(super) hidden: u64,
    pub(super) gaps: u64,
    /// Items in the dump that are no longer listed.
    pub(super) gone: u64,
    /// Why there is nothing of it.
    pub(super) refused: Option<String>,
    /// Whether the counts add up.
    pub(super) adds_up: bool,
}

/// What a pass over a collection found, by position.
#[derive(Debug, Default)]
struct Pass {
    total_start: Option<u64>,
    total: Option<u64>,
    ids: Vec<i64>,
    hidden: u64,
    /// Positions that could not be had, with the error, and how many ids stood before.
    broken: Vec<(u64, String, usize)>,
    /// The collection is not given out, or no longer.
    refused: Option<Verdict>,
    pages: u64,
    failed_pages: u64,
    /// Pages in a row that bring nothing new: empty ones, or those of a server that gives the same whatever it is asked.
    empty: u32,
}

/// A collection on its way into the dump.
pub(super) struct Walk<'w, 'o> {
    pub(super) session: &'w mut Session<'o>,
    pub(super) api: &'w Api,
    pub(super) collection: &'w Collection,
    pub(super) dump: &'w mut Dump,
    /// The items that are in the dump, with their links.
    pub(super) items: BTreeMap<i64, Option<String>>,
    /// `&orderby=id&order=asc`, unless the site does not take it.
    order: &'static str,
    per_page: u64,
}

impl<'w, 'o> Walk<'w, 'o> {
    pub(super) fn new(
        session: &'w mut Session<'o>,
        api: &'w Api,
        collection: &'w Collection,
        dump: &'w mut Dump,
    ) -> Self {
        let order = "&orderby=id&order=asc";
        Walk { session, api, collection, dump, items: BTreeMap::new(), order, per_page: PER_PAGE }
    }

    /// Gets everything.
    pub(super) fn run(&mut self) -> Result<Tally, Stop> {
        let first = self.pages()?;
        let mut tally = Tally {
            r#type: self.collection.r#type.clone(),
            route: self.collection.route.clone(),
            language: self.collection.language.clone(),
            total_start: first.total_start,
            ..Tally::default()
        };
        if let Some(verdict) = first.refused {
            tally.total_end = first.total;
            return self.refused(tally, &verdict);
        }
        // One page that holds all it should is a picture of one moment: there is nothing to compare it with.
        let got = self.items.len() as u64;
        let is_whole = first.pages <= 1 && first.failed_pages == 0 && first.total.is_none_or(|total| total == got);
        let (last, adds_up) = if is_whole {
            (Pass { ids: self.items.keys().copied().collect(), ..first }, true)
        } else {
            self.inventory()?
        };
        self.fill(&last, &mut tally)?;
        tally.adds_up = adds_up;
        if !adds_up {
            let Tally { got, hidden, gaps, total_end, .. } = &tally;
            let total = total_end.map_or("an unknown number".to_owned(), |total| total.to_string());
            let error = format!(
                "{got} items, {hidden} hidden and {gaps} gaps of {total}: the site miscounts, or changes too fast"
            );
            self.gap(Gap { what: "count".to_owned(), error, ..Gap::default() })?;
        }
        Ok(tally)
    }

    /// A collection of which nothing is given out. That there is no such route is no gap.
    fn refused(&mut self, mut tally: Tally, verdict: &Verdict) -> Result<Tally, Stop> {
        let what = verdict.error().unwrap_or("not a list").to_owned();
        tally.refused = Some(what.clone());
        tally.got = self.items.len() as u64;
        if matches!(verdict, Verdict::Missing(_)) && tally.got == 0 {
            tally.adds_up = true;
            self.session.say(&format!("{}: {what}", self.collection.name));
        } else {
            tally.gaps = 1;
            self.gap(Gap { what: "all".to_owned(), error: what, ..Gap::default() })?;
        }
        Ok(tally)
    }

    /// Asks for every page, and puts what comes into the dump.
    fn pages(&mut self) -> Result<Pass, Stop> {
        let mut pass = Pass::default();
        let mut page = 1;
        while page <= MOST_PAGES {
            let answer = self.ask_page(page, "")?;
            if page == 1 {
                if self.adapt(&answer) {
                    continue;
                }
                self.fit_page_size(&answer);
            }
            pass.heed(&answer);
            if !matches!(answer.verdict, Verdict::Good | Verdict::PastEnd | Verdict::Failed(_)) {
                pass.refused = Some(answer.verdict);
                return Ok(pass);
            }
            let before = self.items.len();
            self.keep(&answer)?;
            if pass.ends_with(page, &answer, self.items.len() > before, self.per_page) {
                break;
            }
            page += 1;
        }
        Ok(pass)
    }

    /// Lists the ids of all that is there now, position by position, until the count is right or the site has changed too
    /// often. Returns the last pass, and whether it adds up.
    fn inventory(&mut self) -> Result<(Pass, bool), Stop> {
        let mut pass = Pass::default();
        for _ in 0..INVENTORIES {
            pass = self.list_ids()?;
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
        let mut pass = Pass::default();
        let mut seen = BTreeSet::new();
        for page in 1..=MOST_PAGES {
            let answer = self.ask_page(page, "&_fields=id")?;
            pass.heed(&answer);
            let before = seen.len();
            seen.extend(answer.ids());
            let start = (page - 1) * self.per_page;
            let came = answer.items.len() as u64;
            let is_full = came >= pass.clip(start, self.per_page);
            // Without a total the last page is as long as it is.
            let is_right = is_full || (pass.total.is_none() && came < self.per_page);
            match answer.verdict {
                Verdict::PastEnd => {}
                Verdict::Good if is_right => pass.ids.extend(answer.ids()),
                Verdict::Good if came == 0 && pass.empty > 0 => {}
                _ => self.window(start, self.per_page, &mut pass)?,
            }
            if pass.ends_with(page, &answer, seen.len() > before, self.per_page) {
                break;
            }
        }
        Ok(pass)
    }

    /// Looks at the positions from `start` on: all at once, and where that fails or comes short in halves, down to the one
    /// that is broken or hidden.
    fn window(&mut self, start: u64, length: u64, pass: &mut Pass) -> Result<(), Stop> {
        let length = pass.clip(start, length);
        if length == 0 {
            return Ok(());
        }
        let answer = self.ask_offset(start, length)?;
        pass.heed(&answer);
        let should = pass.clip(start, length);
        let came = answer.items.len() as u64;
        match &answer.verdict {
            Verdict::Good if came >= should => pass.ids.extend(answer.ids()),
            Verdict::Good | Verdict::PastEnd if length == 1 => pass.hidden += 1,
            Verdict::Refused(error) | Verdict::Missing(error) | Verdict::Parameter(error) => {
                pass.broken.extend((start..start + length).map(|at| (at, error.clone(), pass.ids.len())));
            }
            verdict if length == 1 => {
                let error = verdict.error().unwrap_or("no answer").to_owned();
                pass.broken.push((start, error, pass.ids.len()));
            }
            _ => {
                self.window(start, length / 2, pass)?;
                self.window(start + length / 2, length - length / 2, pass)?;
            }
        }
        Ok(())
    }

    /// Gets what the inventory lists and the pages did not bring, and counts.
    fn fill(&mut self, last: &Pass, tally: &mut Tally) -> Result<(), Stop> {
        let missing: Vec<i64> = last.ids.iter().copied().filter(|id| !self.items.contains_key(id)).collect();
        let mut failed = Vec::new();
        for ids in missing.chunks(self.per_page as usize) {
            self.include(ids, &mut failed)?;
        }
        let listed: BTreeSet<i64> = last.ids.iter().copied().collect();
        tally.total_end = last.total;
        tally.got = listed.iter().filter(|id| self.items.contains_key(id)).count() as u64;
        tally.gone = self.items.keys().filter(|id| !listed.contains(id)).count() as u64;
        tally.hidden = last.hidden;
        tally.gaps = (failed.len() + last.broken.len()) as u64;
        for (id, error) in failed {
            let link = self.link_of(id)?;
            self.gap(Gap { id: Some(id), link, error, ..Gap::default() })?;
        }
        self.name_broken(last)
    }

    /// Gets items by id: all at once, and where that fails or some do not come, in halves, down to the one.
    fn include(&mut self, ids: &[i64], failed: &mut Vec<(i64, String)>) -> Result<(), Stop> {
        if let [id] = ids {
            let answer = self.ask_item(*id, "")?;
            match answer.verdict.error() {
                None => self.keep_one(*id, &answer)?,
                Some(error) => failed.push((*id, error.to_owned())),
            }
            return Ok(());
        }
        let list: Vec<String> = ids.iter().map(i64::to_string).collect();
        let parameters = format!("per_page={}&include={}{}", ids.len(), list.join(","), self.order);
        let mut ask = self.list_ask(&parameters);
        ask.once = true;
        let answer = self.session.ask(&ask)?;
        self.keep(&answer)?;
        let missing: Vec<i64> = ids.iter().copied().filter(|id| !self.items.contains_key(id)).collect();
        if missing.len() == ids.len() {
            let (left, right) = ids.split_at(ids.len() / 2);
            self.include(left, failed)?;
            return self.include(right, failed);
        }
        missing.iter().try_for_each(|id| self.include(&[*id], failed))
    }

    /// Names the positions that could not be had by any list: the id where no other number is free, or a search tells it.
    fn name_broken(&mut self, last: &Pass) -> Result<(), Stop> {
        if last.broken.is_empty() {
            return Ok(());
        }
        let mut found = self.search(&last.ids)?;
        for (offset, error, place) in &last.broken {
            let after_id = place.checked_sub(1).and_then(|at| last.ids.get(at)).copied();
            let before_id = last.ids.get(*place).copied();
            let is_between =
                |id: i64| after_id.is_none_or(|after| after < id) && before_id.is_none_or(|before| id < before);
            let at = found.iter().position(|(id, _)| is_between(*id)).filter(|_| found.len() == last.broken.len());
            let (id, link) = match at.map(|at| found.remove(at)) {
                Some((id, link)) => (Some(id), link),
                None => (after_id.zip(before_id).filter(|(a, b)| a + 2 == *b).map(|(a, _)| a + 1), None),
            };
            self.gap(Gap {
                id,
                link,
                offset: Some(*offset),
                after_id,
                before_id,
                error: error.clone(),
                ..Gap::default()
            })?;
        }
        Ok(())
    }

    /// Items that the search lists and the collection does not: it gives ids and links, and renders nothing.
    fn search(&mut self, known: &[i64]) -> Result<Vec<(i64, Option<String>)>, Stop> {
        let kind = match self.collection.shape {
            Shape::Post => "post",
            Shape::Term => "term",
            _ => return Ok(Vec::new()),
        };
        let known: BTreeSet<i64> = known.iter().copied().collect();
        let mut found = BTreeMap::new();
        for page in 1..=MOST_PAGES {
            let subtype = &self.collection.r#type;
            let parameters = format!("type={kind}&subtype={subtype}&per_page={PER_PAGE}&page={page}&_fields=id,url");
            let answer = self.session.ask(&Ask::new(self.api.url("wp/v2/search", &parameters), Want::Items))?;
            let is_last = answer.verdict != Verdict::Good
                || answer.items.is_empty()
                || answer.response.number("x-wp-totalpages") == Some(page);
            let items = answer.items.into_iter().filter_map(|item| Some((item.id?, item.link)));
            found.extend(items.filter(|(id, _)| !known.contains(id)));
            if is_last {
                break;
            }
        }
        Ok(found.into_iter().collect())
    }

    /// The link of an item that cannot be shown: asked for alone, it is not rendered.
    fn link_of(&mut self, id: i64) -> Result<Option<String>, Stop> {
        let answer = self.ask_item(id, "_fields=id,link")?;
        let item: serde_json::Value = serde_json::from_slice(answer.json()).unwrap_or_default();
        Ok(item.get("link").and_then(|link| link.as_str()).map(str::to_owned))
    }

    fn gap(&mut self, gap: Gap) -> Result<(), Stop> {
        let what = if gap.what.is_empty() { "item".to_owned() } else { gap.what };
        self.session.gap(&Gap { r#type: self.collection.name.clone(), what, ..gap })
    }

    /// Puts the items of a list into the dump.
    fn keep(&mut self, answer: &Answer) -> Result<(), Stop> {
        if answer.verdict != Verdict::Good || answer.items.is_empty() {
            return Ok(());
        }
        if answer.is_noisy {
            self.session
                .defect("noise", format!("{}: there is more than JSON; the rest is left out of the dump", answer.url));
        }
        for Item { id, link, .. } in &answer.items {
            if let Some(id) = id {
                self.items.insert(*id, link.clone());
            }
        }
        Ok(self.dump.add(&self.collection.name, answer.json())?)
    }

    fn keep_one(&mut self, id: i64, answer: &Answer) -> Result<(), Stop> {
        let item: serde_json::Value = serde_json::from_slice(answer.json()).unwrap_or_default();
        self.items.insert(id, item.get("link").and_then(|link| link.as_str()).map(str::to_owned));
        Ok(self.dump.add(&self.collection.name, answer.json())?)
    }

    /// Whether the site does not take what we ask for, and is asked again without it.
    fn adapt(&mut self, answer: &Answer) -> bool {
        let Verdict::Parameter(what) = &answer.verdict else { return false };
        if !self.order.is_empty() && what.contains("order") {
            self.order = "";
            self.session
                .warn(&format!("{}: the site does not order by id; its own order is used", self.collection.name));
            return true;
        }
        let is_size = self.per_page == PER_PAGE && what.contains("per_page");
        if is_size {
            self.per_page = 10;
        }
        is_size
    }

    /// A site may give fewer items a page than it was asked for; its number of pages tells how many.
    fn fit_page_size(&mut self, answer: &Answer) {
        let came = answer.items.len() as u64;
        let totals = answer.response.number("x-wp-total").zip(answer.response.number("x-wp-totalpages"));
        let Some((total, pages)) = totals.filter(|_| answer.verdict == Verdict::Good && came > 0) else { return };
        if pages > total.div_ceil(self.per_page) && came < self.per_page {
            let size = (came..self.per_page).find(|size| total.div_ceil(*size) == pages).unwrap_or(came);
            self.session.warn(&format!("{}: {size} items a page, not {}", self.collection.name, self.per_page));
            self.per_page = size;
        }
    }

    fn list_ask(&self, parameters: &str) -> Ask {
        let language = self.collection.language.iter().map(|language| format!("&lang={language}")).collect::<String>();
        let url = self.api.url(&self.collection.route, &format!("{parameters}{language}"));
        Ask { r#type: Some(self.collection.name.clone()), ..Ask::new(url, Want::Items) }
    }

    fn ask_page(&mut self, page: u64, fields: &str) -> Result<Answer, Stop> {
        let parameters = format!("per_page={}&page={page}{}{fields}", self.per_page, self.order);
        let ask = Ask { page: Some(page), ..self.list_ask(&parameters) };
        self.session.ask(&ask)
    }

    fn ask_offset(&mut self, offset: u64, length: u64) -> Result<Answer, Stop> {
        let parameters = format!("per_page={length}&offset={offset}{}&_fields=id", self.order);
        let ask = Ask { offset: Some(offset), once: length > 1, ..self.list_ask(&parameters) };
        self.session.ask(&ask)
    }

    fn ask_item(&mut self, id: i64, parameters: &str) -> Result<Answer, Stop> {
        let url = self.api.url(&format!("{}/{id}", self.collection.route), parameters);
        self.session.ask(&Ask { r#type: Some(self.collection.name.clone()), ..Ask::new(url, Want::Json) })
    }
}

impl Pass {
    /// How many of these positions there are, as far as the total is known.
    fn clip(&self, start: u64, length: u64) -> u64 {
        self.total.map_or(length, |total| total.saturating_sub(start).min(length))
    }

    /// Takes in what an answer tells of the whole.
    fn heed(&mut self, answer: &Answer) {
        if answer.verdict != Verdict::Good {
            return;
        }
        if let Some(total) = answer.response.number("x-wp-total") {
            self.total_start = self.total_start.or(Some(total));
            self.total = Some(total);
        }
    }

    /// Whether nothing comes after this page, the answer to which is taken in. How full it is tells nothing: a site may
    /// hide items of it.
    fn ends_with(&mut self, page: u64, answer: &Answer, is_new: bool, per_page: u64) -> bool {
        self.pages = page;
        let is_good = answer.verdict == Verdict::Good;
        self.empty = if is_good && !is_new { self.empty + 1 } else { 0 };
        self.failed_pages += u64::from(!is_good && answer.verdict != Verdict::PastEnd);
        let told = answer.response.number("x-wp-totalpages").filter(|_| is_good);
        match told.or_else(|| self.total.map(|total| total.div_ceil(per_page))) {
            _ if answer.verdict == Verdict::PastEnd || self.empty > 1 => true,
            Some(pages) => page >= pages,
            None => !is_good || self.empty > 0,
        }
    }
}
