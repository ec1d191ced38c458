//! Counts which sequences of programs the records of a dataset have passed.

use crate::steps::{self, Step};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The most bytes of a chain of programs; all longer ones count as one. No run makes one as long.
const LONGEST: usize = 16 * 1024;
/// The most chains that are distinguished; all others count as one. No run makes as many.
const MOST: usize = 1000;

/// The chains of steps as JSON, and how many records have each.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    list: Vec<(Box<str>, u64)>,
    /// The number of the chain that was counted last: the next record usually has it, too.
    last: usize,
}

impl Chains {
    /// Counts records with these steps.
    pub(crate) fn add(&mut self, json: Option<&str>, records: u64) {
        let json = json.filter(|json| json.len() <= LONGEST).unwrap_or_default();
        let is_last = self.list.get(self.last).is_some_and(|(chain, _)| **chain == *json);
        let found = if is_last { Some(self.last) } else { self.list.iter().position(|(chain, _)| **chain == *json) };
        self.last = match found {
            Some(at) => at,
            None if self.list.len() >= MOST && !json.is_empty() => return self.add(None, records),
            None => {
                self.list.push((json.into(), 0));
                self.list.len() - 1
            }
        };
        self.list[self.last].1 += records;
    }

    pub(super) fn absorb(&mut self, other: Chains) {
        other.list.iter().for_each(|(chain, records)| self.add(Some(chain), *records));
    }

    /// Whether any record has passed `program`, and has done so after the program `after`, if it passed that.
    pub(super) fn have_passed(&self, program: &str, after: Option<&str>) -> bool {
        self.list.iter().any(|(json, _)| {
            let steps = steps::read(json);
            let last = |name: &str| steps.iter().rposition(|step| steps::parts(step)[0] == Some(name));
            last(program) > after.and_then(last)
        })
    }

    /// The chains with the step of wp-export; the chain of most records comes first.
    pub(crate) fn ranked(&self, last: Option<&Step>) -> Vec<Chain> {
        let mut chains = BTreeMap::<Vec<String>, u64>::new();
        for (json, records) in &self.list {
            // The same steps may be written as JSON in several ways.
            *chains.entry(steps::read(json)).or_default() += records;
        }
        let last = last.map(|step| step.as_str().to_owned());
        let chain = |(steps, records): (Vec<String>, u64)| {
            let steps = steps.into_iter().chain(last.clone());
            Chain { records, steps: steps.map(Told).collect() }
        };
        let mut chains: Vec<_> = chains.into_iter().map(chain).collect();
        chains.sort_by_key(|chain| std::cmp::Reverse(chain.records));
        chains
    }
}

/// A chain of steps, and the number of records that have passed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Chain {
    pub(crate) records: u64,
    pub(crate) steps: Vec<Told>,
}

/// A step as the manifest shows it: `name`, `version`, `options`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told(pub(crate) String);

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Parts<'s> {
            name: Option<&'s str>,
            version: Option<&'s str>,
            options: Option<&'s str>,
        }
        let [name, version, options] = steps::parts(&self.0);
        Parts { name, version, options }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::UNKNOWN;

    #[test]
    fn chains_are_counted_however_they_are_spelt() {
        let (mut one, mut other) = (Chains::default(), Chains::default());
        one.add(Some(r#"["wp-index 1"]"#), 1);
        one.add(Some(r#"[ "wp-\u0069ndex 1" ]"#), 1);
        other.add(Some(r#"["wp-index 1"]"#), 3);
        other.add(None, 1);
        other.add(Some("7"), 1);
        one.absorb(other);
        let told: Vec<_> = one.ranked(None).into_iter().map(|chain| (chain.records, chain.steps)).collect();
        assert_eq!(told, [(5, vec![Told("wp-index 1".into())]), (2, vec![Told(UNKNOWN.into())])]);
    }

    #[test]
    fn chains_beyond_the_limit_count_as_one() {
        let mut chains = Chains::default();
        (0..3 * MOST).for_each(|n| chains.add(Some(&format!("[\"{n}\"]")), 1));
        chains.add(Some(&format!("[\"{}\"]", "x".repeat(LONGEST))), 1);
        let told = chains.ranked(None);
        assert_eq!((told.len(), told[0].records, &told[0].steps[0].0[..]), (MOST + 1, 2 * MOST as u64 + 1, UNKNOWN));
    }
}
