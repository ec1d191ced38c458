//! Learns the ratio of text lengths between two languages from the pairs of a site, if there are enough.

use super::entry::read_head;
use crate::alignment::built_in_ratio;
use crate::pairs::{self, Gathered, Member};
use crate::report::Error;
use std::collections::HashMap;

/// The fewest sentences from which the ratio of two languages is learnt.
const ENOUGH: usize = 200;
/// A document that is longer than its translation by this factor has additional content.
const FAR: f64 = 2.0;

/// For each site and two languages: the number of sentences, and the lengths of both sides.
#[derive(Default)]
pub(super) struct Ratios(HashMap<(String, usize, usize), (usize, [usize; 2])>);

impl Ratios {
    /// Reads the sizes of all pairs.
    pub(super) fn learn(gathered: &Gathered) -> Result<Self, Error> {
        let mut ratios = Ratios::default();
        gathered.each_group(|members, _| {
            for (from, to) in pairs::pairs(&members) {
                let (head, other) = (read_head(&from.entry), read_head(&to.entry));
                let usual = built_in(gathered.languages(), from, to);
                let ratio = other.length as f64 / head.length.max(1) as f64 / usual;
                if (1.0 / FAR..FAR).contains(&ratio) {
                    let key = (head.site.to_string(), from.language, to.language);
                    let (sentences, lengths) = ratios.0.entry(key).or_default();
                    *sentences += head.sentences.min(other.sentences);
                    lengths[0] += head.length;
                    lengths[1] += other.length;
                }
            }
            Ok(())
        })?;
        Ok(ratios)
    }

    /// The expected length of the second document, if the first has length 1.
    pub(super) fn of(&self, site: &str, languages: &[String], from: &Member, to: &Member) -> f64 {
        match self.0.get(&(site.to_owned(), from.language, to.language)) {
            Some((sentences, [ours, theirs])) if *sentences >= ENOUGH => *theirs as f64 / *ours as f64,
            _ => built_in(languages, from, to),
        }
    }
}

fn built_in(languages: &[String], from: &Member, to: &Member) -> f64 {
    built_in_ratio(&languages[from.language], &languages[to.language])
}
