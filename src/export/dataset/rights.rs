//! Counts how many records have each licence and each reservation, for cards, reports and the manifest.

use crate::record::Rights;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The licences and reservations that are stated for the text, or the file, of a record, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordRights {
    licences: BTreeSet<String>,
    reservations: BTreeSet<String>,
}

/// The number of records with each licence and each reservation.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct RightsCount {
    /// The number of records with each licence: by its SPDX id, else by its URL, else by its words.
    pub(crate) licences: BTreeMap<String, u64>,
    pub(crate) reservations: BTreeMap<String, u64>,
}

/// The most distinct licences, and reservations, that are counted: a site has only a few.
const MOST: usize = 1000;

impl RecordRights {
    /// Collects the licences and reservations of a record with these rights.
    pub(crate) fn of(rights: &[Rights<'_>]) -> Self {
        let mut stated = RecordRights::default();
        for entry in rights.iter().filter(|entry| is_of_text(entry)) {
            let name = entry.value.as_deref().or(entry.url.as_deref()).map(str::to_owned);
            match entry.kind.as_deref() {
                Some("licence") => stated.licences.extend(name),
                Some("reservation") => stated.reservations.extend(name),
                _ => {}
            }
        }
        stated
    }
}

/// Whether an entry is about the text of the record, or its file.
pub(crate) fn is_of_text(entry: &Rights<'_>) -> bool {
    matches!(entry.scope.as_deref(), Some("record" | "site"))
}

impl RightsCount {
    pub(crate) fn add(&mut self, stated: &RecordRights) {
        for (counts, names) in [(&mut self.licences, &stated.licences), (&mut self.reservations, &stated.reservations)]
        {
            names.iter().for_each(|name| add(counts, name, 1));
        }
    }

    pub(crate) fn absorb(&mut self, other: RightsCount) {
        other.licences.iter().for_each(|(name, n)| add(&mut self.licences, name, *n));
        other.reservations.iter().for_each(|(name, n)| add(&mut self.reservations, name, *n));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.licences.is_empty() && self.reservations.is_empty()
    }
}

fn add(counts: &mut BTreeMap<String, u64>, name: &str, n: u64) {
    if let Some(count) = counts.get_mut(name) {
        *count += n;
    } else if counts.len() < MOST {
        counts.insert(name.to_owned(), n);
    }
}
