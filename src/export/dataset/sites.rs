//! Collects the labels of a dataset's sites, in the order of the input.

use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_128;

/// The labels of sites, each once. Memory: 16 bytes per site in addition to its label.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    labels: Vec<String>,
    known: HashSet<u128>,
}

impl Sites {
    /// Adds a site if it is new.
    pub(crate) fn add(&mut self, site: &str) {
        // Records of a site follow each other.
        let is_last = self.labels.last().is_some_and(|last| last == site);
        if !is_last && self.known.insert(xxh3_128(site.as_bytes())) {
            self.labels.push(site.to_owned());
        }
    }

    pub(crate) fn labels(&self) -> &[String] {
        &self.labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_site_is_listed_once_in_the_order_of_the_input() {
        let names: Vec<String> = (0..40).map(|n| format!("site {n}")).collect();
        let mut sites = Sites::default();
        names.iter().chain(names.iter().rev()).chain(&names).for_each(|name| sites.add(name));
        assert_eq!(sites.labels(), names);
    }
}
