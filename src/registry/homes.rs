//! Tells the blogs of a multisite apart: an id means something within one blog only.
//!
//! Each record states the home of the REST API that it is from, else that of its guid, or lies below one that others state. Several homes may be those of
//! one blog, since plugins give each language one. They are those of several blogs where records contradict each other: one id has
//! two guids, which WordPress never changes (<https://developer.wordpress.org/reference/functions/wp_insert_post/>), or a page and the
//! record with its id are different texts, since the page names other records of that home as its translations.

use super::blogs::{Blogs, is_below};
use super::lookup::shortlink_name;
use super::record::{Kind, NO_ID};
use super::records::Records;
use super::statements::Edge;
use crate::urls::{QuickMap, UrlKey, hash_32};

/// Homes that are remembered. No site was seen with as many.
const MOST_HOMES: usize = 1024;

/// What the records tell about blogs, until all are known: 6 bytes a record.
#[derive(Default)]
pub(super) struct Homes {
    /// Hosts with paths, as in keys.
    homes: Vec<Box<str>>,
    /// Of each record, the number of the home that it states, from 1; and the hash of its guid. 0 = none.
    of: Vec<u16>,
    guids: Vec<u32>,
}

impl Homes {
    /// Notes the next record, by the home of its API, its link and its guid.
    pub(super) fn note(&mut self, home: Option<&UrlKey>, link: Option<&UrlKey>, guid: Option<&UrlKey>) {
        // WordPress writes HOME/?p=ID.
        let is_home = |guid: &&UrlKey| {
            let mut parameters = guid.query().into_iter().flat_map(|query| query.split('&'));
            parameters.any(|p| shortlink_name(p).is_some()) && link.is_some_and(|link| is_below(link, guid.page()))
        };
        let home = home.or(guid.filter(is_home)).map_or(0, |home| self.number(home.page()));
        self.of.push(home);
        self.guids.push(guid.map_or(0, |guid| hash_32(guid.as_str()).max(1)));
    }

    fn number(&mut self, home: &str) -> u16 {
        // Most records state the home of the one before.
        let last = self.of.last().copied().unwrap_or(0);
        if last != 0 && *self.homes[usize::from(last) - 1] == *home {
            return last;
        }
        let known = self.homes.iter().position(|known| **known == *home);
        if known.is_none() && self.homes.len() < MOST_HOMES {
            self.homes.push(home.into());
        }
        known.map_or(if self.homes.len() < MOST_HOMES { self.homes.len() } else { 0 }, |at| at + 1) as u16
    }

    /// The blogs, when all records are known, and all that they state.
    pub(super) fn close(mut self, records: &Records, edges: &[Edge]) -> Blogs {
        if self.homes.len() < 2 {
            return Blogs::default();
        }
        // Their numbers do not depend on the order of the records.
        let mut sorted = self.homes.clone();
        sorted.sort_unstable();
        let number = |home: &Box<str>| sorted.binary_search(home).map_or(0, |at| at as u16 + 1);
        let numbers: Vec<u16> = self.homes.iter().map(number).collect();
        let blogs = Blogs::new(sorted);
        let mut key = UrlKey::default();
        for (number, home) in records.numbers().zip(&mut self.of) {
            *home = match *home {
                0 if key.read(records.link(number)) => blogs.at(&key).number(),
                0 => 0,
                stated => numbers[usize::from(stated) - 1],
            };
        }
        let are_several = self.have_two_guids(records) || self.have_other_texts(records, edges);
        if are_several { blogs.with_records(self.of) } else { Blogs::default() }
    }

    /// Whether an id has another guid in another home.
    fn have_two_guids(&self, records: &Records) -> bool {
        let mut first: QuickMap<i64, (u16, u32)> = QuickMap::default();
        records.numbers().zip(self.of.iter().zip(&self.guids)).any(|(number, (&home, &guid))| {
            let is_post = matches!(records.kind(number), Kind::Post | Kind::Media) && !records[number].is_guest();
            let known =
                (is_post && home != 0 && guid != 0).then(|| *first.entry(records[number].id()).or_insert((home, guid)));
            known.is_some_and(|(of, other)| of != home && other != guid)
        })
    }

    /// Whether a page without a record has translations in the home of the record with its id, and that record is none of them.
    fn have_other_texts(&self, records: &Records, edges: &[Edge]) -> bool {
        edges.chunk_by(|a, b| a.from == b.from).any(|stated| {
            let page = stated[0].from;
            let id = records[page].id();
            if records.kind(page) != Kind::Html || id == NO_ID || records[page].is_guest() {
                return false;
            }
            let home = |number: u32| self.of[number as usize];
            let is_other = |&number: &u32| home(number) != home(page) && !records[number].is_guest();
            let others: Vec<u32> = records.by_id(Kind::Post.space(), id).filter(is_other).collect();
            let led = stated.iter().filter(|edge| !edge.is_derived() && !edge.is_by_id());
            let led: Vec<u32> = led.filter_map(|edge| records.stated(edge)?).map(|(to, _)| to).collect();
            let is_elsewhere = |to: &u32| others.iter().any(|&other| home(other) == home(*to) && home(other) != 0);
            led.iter().all(|&to| records[to].id() != id) && led.iter().any(is_elsewhere)
        })
    }
}
