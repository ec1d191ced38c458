//! Fetches by id the items that a collection lists but its pages did not contain, and names those that cannot be
//! fetched.

use super::super::answer::{Verdict, Want};
use super::super::discover::ItemKind;
use super::super::log::Gap;
use super::super::session::{Ask, Stop};
use super::inventory::Pass;
use super::{PER_PAGE, Tally, Walk};
use std::collections::{BTreeMap, BTreeSet};

impl Walk<'_, '_> {
    /// Fetches the listed items that the pages did not bring, and fills in the counts.
    pub(super) fn fill(&mut self, last: &Pass, tally: &mut Tally) -> Result<(), Stop> {
        let missing: Vec<i64> = last.ids.iter().copied().filter(|id| !self.items.contains_key(id)).collect();
        let mut failed = Vec::new();
        for ids in missing.chunks(self.per_page as usize) {
            self.include(ids, &mut failed)?;
            self.session.step(&self.collection.name, self.items.len() as u64, last.total);
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

    /// Fetches items by id: all in one request; if that fails or some are missing, in halves, down to a single one.
    fn include(&mut self, ids: &[i64], failed: &mut Vec<(i64, String)>) -> Result<(), Stop> {
        if let [id] = ids {
            let answer = self.ask_item(*id, "")?;
            match answer.verdict.error() {
                None => self.keep_one(*id, &answer)?,
                Some(error) => failed.push((*id, error.to_owned())),
            }
            return Ok(());
        }
        let ask = Ask { once: true, ..self.list_ask(&self.included(ids, "")) };
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

    /// Finds the items of the previous dump that the site no longer gives. Absence from a list is not proof enough.
    pub(super) fn look_for_gone(&mut self, listed: &[i64]) -> Result<(), Stop> {
        let Some((held, _)) = self.before else { return Ok(()) };
        let listed: BTreeSet<i64> = listed.iter().copied().collect();
        let is_here = |id: &i64| listed.contains(id) || self.items.contains_key(id) || self.named.contains(id);
        let absent: Vec<i64> = held.ids().filter(|id| !is_here(id)).collect();
        absent.chunks(self.per_page as usize).try_for_each(|ids| self.confirm_gone(ids))
    }

    /// Requests items by id, without their content: all at once; if that fails, in halves, down to a single one.
    fn confirm_gone(&mut self, ids: &[i64]) -> Result<(), Stop> {
        if let [id] = ids {
            let answer = self.ask_item(*id, "_fields=id")?;
            match &answer.verdict {
                Verdict::Missing(_) => self.gone.push(*id),
                // Only a refusal by the API itself counts, not one by robots.txt or by a challenge.
                Verdict::Refused(what) if what.contains(": rest_") => self.gone.push(*id),
                Verdict::Good => self.include(&[*id], &mut Vec::new())?,
                verdict => {
                    let error = verdict.error().unwrap_or("no answer");
                    self.warn(&format!(" {id}: whether it is gone is not known: {error}"));
                }
            }
            return Ok(());
        }
        let ask = Ask { once: true, ..self.list_ask(&self.included(ids, "&_fields=id")) };
        let answer = self.session.ask(&ask)?;
        if answer.verdict != Verdict::Good {
            let (left, right) = ids.split_at(ids.len() / 2);
            self.confirm_gone(left)?;
            return self.confirm_gone(right);
        }
        let there: BTreeSet<i64> = answer.ids().collect();
        // A list that is empty for every request proves nothing.
        if there.is_empty() && self.ask_item(ids[0], "_fields=id")?.verdict == Verdict::Good {
            return ids.iter().try_for_each(|id| self.confirm_gone(&[*id]));
        }
        self.gone.extend(ids.iter().filter(|id| !there.contains(id)));
        there.iter().try_for_each(|id| self.include(&[*id], &mut Vec::new()))
    }

    /// The parameters that request these items.
    fn included(&self, ids: &[i64], fields: &str) -> String {
        let list: Vec<String> = ids.iter().map(i64::to_string).collect();
        format!("per_page={}&include={}{}{fields}", ids.len(), list.join(","), self.order)
    }

    /// Names the positions that are missing from every list: by id, if a search finds it, or if only one number is free
    /// between the neighbours.
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

    /// Items that the search lists and the collection does not: the search renders nothing, and gives ids and links
    /// only.
    fn search(&mut self, known: &[i64]) -> Result<Vec<(i64, Option<String>)>, Stop> {
        let kind = match self.collection.kind {
            ItemKind::Post => "post",
            ItemKind::Term => "term",
            _ => return Ok(Vec::new()),
        };
        let known: BTreeSet<i64> = known.iter().copied().collect();
        let mut found = BTreeMap::new();
        for page in 1..=self.session.options().most_pages {
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

    /// The link of an item that cannot be rendered: a request for the link alone does not render it.
    fn link_of(&mut self, id: i64) -> Result<Option<String>, Stop> {
        let answer = self.ask_item(id, "_fields=id,link")?;
        Ok(answer.item().link)
    }
}
