//! Fetches all items of one collection of the REST API and proves that it has them all: first the pages, then an inventory of ids, then the
//! missing items, one by one if necessary. Each item that is still missing at the end is counted as hidden or as a gap.

mod inventory;
mod missing;

use super::answer::{Answer, Item, Verdict, Want};
use super::before::Held;
use super::discover::{Api, Collection, ItemKind};
use super::folder::Dump;
use super::log::Gap;
use super::session::{Ask, Session, Stop};
use inventory::Pass;
use std::collections::{BTreeMap, BTreeSet};

/// The number of items per request: the most that WordPress allows.
pub(super) const PER_PAGE: u64 = 100;

/// The counts of one collection. If it is complete or all its gaps are named, `got + hidden + gaps = total_end`.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Tally {
    pub(super) r#type: String,
    pub(super) route: String,
    pub(super) language: Option<String>,
    /// X-WP-Total of the first list.
    pub(super) total_start: Option<u64>,
    /// X-WP-Total of the last list.
    pub(super) total_end: Option<u64>,
    /// Items that were listed at the end and are in the dump.
    pub(super) got: u64,
    /// Positions that the site counts but shows to nobody.
    pub(super) hidden: u64,
    pub(super) gaps: u64,
    /// Items in the dump that the site lists no longer.
    pub(super) gone: u64,
    /// In an update: items that are new since the previous run.
    pub(super) new: Option<u64>,
    /// In an update: items that have changed.
    pub(super) changed: Option<u64>,
    /// In an update: items that were deleted.
    pub(super) deleted: Option<u64>,
    /// Why the collection was refused.
    pub(super) refused: Option<String>,
    pub(super) adds_up: bool,
}

/// A collection that is being fetched.
pub(super) struct Walk<'w, 'o> {
    pub(super) session: &'w mut Session<'o>,
    pub(super) api: &'w Api,
    pub(super) collection: &'w Collection,
    pub(super) dump: &'w mut Dump,
    /// In an update: the previous dump's items, and when its fetch began.
    pub(super) before: Option<(&'w Held, &'w str)>,
    /// The items in the dump, with their links.
    pub(super) items: BTreeMap<i64, Option<String>>,
    /// In an update: the items that the site no longer gives.
    pub(super) gone: Vec<i64>,
    /// The items that were named as gaps.
    named: BTreeSet<i64>,
    /// The parameters for the order, `&orderby=id&order=asc`; empty if the site rejects them.
    order: &'static str,
    per_page: u64,
}

impl<'w, 'o> Walk<'w, 'o> {
    pub(super) fn new(
        session: &'w mut Session<'o>,
        api: &'w Api,
        collection: &'w Collection,
        dump: &'w mut Dump,
        before: Option<(&'w Held, &'w str)>,
    ) -> Self {
        let (items, gone, order) = (BTreeMap::new(), Vec::new(), "&orderby=id&order=asc");
        Walk { session, api, collection, dump, before, items, gone, named: BTreeSet::new(), order, per_page: PER_PAGE }
    }

    pub(super) fn run(&mut self) -> Result<Tally, Stop> {
        let (last, adds_up) = if self.is_dated() { self.take_over()? } else { self.walk()? };
        let mut tally = Tally {
            r#type: self.collection.r#type.clone(),
            route: self.collection.route.clone(),
            language: self.collection.language.clone(),
            total_start: last.total_start,
            ..Tally::default()
        };
        if let Some(verdict) = last.refused {
            tally.total_end = last.total;
            return self.refused(tally, &verdict);
        }
        self.fill(&last, &mut tally)?;
        tally.adds_up = adds_up;
        if !adds_up {
            let Tally { got, hidden, gaps, total_end, .. } = &tally;
            let total = total_end.map_or("an unknown number".to_owned(), |total| total.to_string());
            let why = if last.is_endless { "it has no end" } else { "the site miscounts, or changes too fast" };
            let error = format!("{got} items, {hidden} hidden and {gaps} gaps of {total}: {why}");
            self.gap(Gap { what: "count".to_owned(), error, ..Gap::default() })?;
        }
        self.look_for_gone(&last.ids)?;
        Ok(tally)
    }

    /// Whether the items have dates that show which ones have changed since the previous run.
    fn is_dated(&self) -> bool {
        let is_dated = matches!(self.collection.kind, ItemKind::Post | ItemKind::Media);
        is_dated && self.before.is_some_and(|(held, _)| !held.is_empty())
    }

    /// Fetches all pages, then the inventory. Returns the last pass, and whether it adds up.
    fn walk(&mut self) -> Result<(Pass, bool), Stop> {
        let first = self.pages()?;
        if first.refused.is_some() {
            return Ok((first, false));
        }
        // A single page that holds all items is a snapshot of one moment: there is nothing to compare it with.
        let got = self.items.len() as u64;
        if first.pages <= 1
            && !first.is_endless
            && first.failed_pages == 0
            && first.total.is_none_or(|total| total == got)
        {
            return Ok((Pass { ids: self.items.keys().copied().collect(), ..first }, true));
        }
        let (last, adds_up) = self.inventory()?;
        Ok((Pass { total_start: first.total_start, ..last }, adds_up))
    }

    /// Fetches new and changed items; copies unchanged ones from the previous dump.
    fn take_over(&mut self) -> Result<(Pass, bool), Stop> {
        let (last, adds_up) = self.inventory()?;
        let Some((held, since)) = self.before else { return Ok((last, adds_up)) };
        let is_same = |id: &&i64| last.listed.get(id).is_some_and(|item| held.is_same(item, since));
        let same: Vec<i64> = last.ids.iter().filter(is_same).copied().collect();
        for ids in same.chunks(PER_PAGE as usize) {
            self.dump.add(&self.collection.name, &held.list(ids)?)?;
            self.items.extend(ids.iter().map(|id| (*id, held.item(*id).and_then(|item| item.link.clone()))));
        }
        Ok((last, adds_up))
    }

    /// Counts a collection that is refused. A route that does not exist is not a gap.
    fn refused(&mut self, mut tally: Tally, verdict: &Verdict) -> Result<Tally, Stop> {
        let what = verdict.error().unwrap_or("not a list").to_owned();
        tally.refused = Some(what.clone());
        tally.got = self.items.len() as u64;
        if matches!(verdict, Verdict::Missing(_)) && tally.got == 0 && !self.collection.is_there {
            tally.adds_up = true;
            self.gone.extend(self.before.iter().flat_map(|(held, _)| held.ids()));
            self.session.messages.say(&format!("{}: {what}", self.collection.name));
        } else {
            tally.gaps = 1;
            let is_missing = matches!(verdict, Verdict::Missing(_));
            let error = if is_missing { format!("the site has switched this list off: {what}") } else { what };
            self.gap(Gap { what: "all".to_owned(), error, ..Gap::default() })?;
        }
        Ok(tally)
    }

    /// Requests every page, and puts its items into the dump.
    fn pages(&mut self) -> Result<Pass, Stop> {
        self.each_page("", |walk, pass, page, answer| {
            if page == 1 {
                walk.fit_page_size(answer);
            }
            if pass.is_refused_by(answer) {
                return Ok(false);
            }
            let before = walk.items.len();
            walk.keep(answer)?;
            walk.session.step(&walk.collection.name, walk.items.len() as u64, pass.total);
            Ok(walk.items.len() > before)
        })
    }

    /// Requests page after page until the last one or a refusal. Hands each to `take`, which returns whether it has anything new.
    fn each_page(
        &mut self,
        fields: &str,
        mut take: impl FnMut(&mut Self, &mut Pass, u64, &Answer) -> Result<bool, Stop>,
    ) -> Result<Pass, Stop> {
        let mut pass = Pass::default();
        let mut page = 1;
        while page <= self.session.options().most_pages {
            let answer = self.ask_page(page, fields)?;
            if page == 1 && self.adapt(&answer) {
                continue;
            }
            if page == 1 && self.is_no_list(&answer)? {
                return Ok(Pass { refused: Some(answer.verdict), ..pass });
            }
            pass.heed(&answer);
            let is_new = take(self, &mut pass, page, &answer)?;
            if pass.refused.is_some() || pass.ends_with(page, &answer, is_new, self.per_page) {
                return Ok(pass);
            }
            page += 1;
        }
        Ok(Pass { is_endless: true, ..pass })
    }

    fn warn(&mut self, what: &str) {
        self.session.messages.warn(&format!("{}{what}", self.collection.name));
    }

    fn gap(&mut self, gap: Gap) -> Result<(), Stop> {
        self.named.extend(gap.id);
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
                .messages
                .defect("noise", &format!("{}: there is more than JSON; the rest is left out of the dump", answer.url));
        }
        for Item { id, link, .. } in &answer.items {
            if let Some(id) = id {
                self.items.insert(*id, link.clone());
            }
        }
        Ok(self.dump.add(&self.collection.name, answer.json())?)
    }

    fn keep_one(&mut self, id: i64, answer: &Answer) -> Result<(), Stop> {
        self.items.insert(id, answer.item().link);
        Ok(self.dump.add(&self.collection.name, answer.json())?)
    }

    /// Gives up the order, or reduces the page size, if the site rejects the parameter. Returns whether to ask again.
    fn adapt(&mut self, answer: &Answer) -> bool {
        let Verdict::Parameter(what) = &answer.verdict else { return false };
        if !self.order.is_empty() && what.contains("order") {
            self.order = "";
            self.warn(": the site does not order by id; its own order is used");
            return true;
        }
        let is_size = self.per_page == PER_PAGE && what.contains("per_page");
        if is_size {
            self.per_page = 10;
        }
        is_size
    }

    /// Adopts the page size of a site that gives fewer items a page than requested; the number of its pages reveals it.
    fn fit_page_size(&mut self, answer: &Answer) {
        let came = answer.items.len() as u64;
        let totals = answer.response.number("x-wp-total").zip(answer.response.number("x-wp-totalpages"));
        let Some((total, pages)) = totals.filter(|_| answer.verdict == Verdict::Good && came > 0) else { return };
        if pages > total.div_ceil(self.per_page) && came < self.per_page {
            let size = (came..self.per_page).find(|size| total.div_ceil(*size) == pages).unwrap_or(came);
            self.warn(&format!(": {size} items a page, not {}", self.per_page));
            self.per_page = size;
        }
    }

    /// Whether the site answers, but never with this list: plugins that hide users redirect to the front page. A broken item also breaks
    /// its list, but then at least one of the first two items, each requested alone, is fine.
    fn is_no_list(&mut self, answer: &Answer) -> Result<bool, Stop> {
        let is_other = |answer: &Answer| answer.is_whole && matches!(answer.verdict, Verdict::Failed(_));
        if !is_other(answer) {
            return Ok(false);
        }
        for position in 0..2 {
            let ask = Ask { once: true, ..self.offset_ask(position, 1) };
            if !is_other(&self.session.ask(&ask)?) {
                return Ok(false);
            }
        }
        self.session.forgive();
        Ok(true)
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

    fn offset_ask(&self, offset: u64, length: u64) -> Ask {
        let parameters = format!("per_page={length}&offset={offset}{}{}", self.order, self.fields());
        Ask { offset: Some(offset), ..self.list_ask(&parameters) }
    }

    fn ask_offset(&mut self, offset: u64, length: u64) -> Result<Answer, Stop> {
        let ask = Ask { once: length > 1, ..self.offset_ask(offset, length) };
        self.session.ask(&ask)
    }

    /// The parameters for the fields of each item in an inventory.
    fn fields(&self) -> String {
        let held = self.before.filter(|_| self.is_dated());
        held.map_or("&_fields=id".to_owned(), |(held, _)| held.fields())
    }

    fn ask_item(&mut self, id: i64, parameters: &str) -> Result<Answer, Stop> {
        let url = self.api.url(&format!("{}/{id}", self.collection.route), parameters);
        self.session.ask(&Ask { r#type: Some(self.collection.name.clone()), ..Ask::new(url, Want::Json) })
    }
}
