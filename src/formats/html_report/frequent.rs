//! Finds the most frequent of any number of texts in bounded memory, by the algorithm of Misra and Gries.

use std::collections::HashMap;

/// The most texts that are counted at a time.
const ROOM: usize = 50_000;

/// How often each text occurred.
#[derive(Debug)]
pub(super) struct Frequent {
    counts: HashMap<Box<str>, u64>,
    room: usize,
    /// By how much a count may be too low: 0 as long as there was room for all texts.
    pub(super) missed: u64,
}

impl Default for Frequent {
    fn default() -> Self {
        Frequent { counts: HashMap::new(), room: ROOM, missed: 0 }
    }
}

impl Frequent {
    pub(super) fn add(&mut self, text: &str) {
        if let Some(count) = self.counts.get_mut(text) {
            *count += 1;
            return;
        }
        if self.counts.len() == self.room {
            self.make_room();
        }
        self.counts.insert(text.into(), 1);
    }

    /// Subtracts the median from all counts, which drops the lower half of the texts.
    fn make_room(&mut self) {
        let mut counts: Vec<u64> = self.counts.values().copied().collect();
        let (_, &mut middle, _) = counts.select_nth_unstable(self.room / 2);
        self.missed += middle;
        self.counts.retain(|_, count| {
            *count = count.saturating_sub(middle);
            *count > 0
        });
    }

    /// The `most` most frequent texts; those with the same count are in alphabetical order.
    pub(super) fn top(&self, most: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> = self.counts.iter().map(|(text, &count)| (&**text, count)).collect();
        all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_frequent_is_found_whatever_comes_between() {
        let mut found = Frequent { room: 10, ..Frequent::default() };
        for n in 0..1000 {
            found.add(&format!("rare {n}"));
            if n % 3 == 0 {
                found.add("often");
            }
        }
        let [("often", count), ..] = found.top(3)[..] else { panic!("{:?}", found.top(3)) };
        assert!(count <= 334 && count + found.missed >= 334, "{count} + {}", found.missed);
        assert!(found.counts.len() <= 10);
    }

    #[test]
    fn counts_are_exact_as_long_as_there_is_room() {
        let mut found = Frequent::default();
        ["b", "a", "c", "b"].iter().for_each(|text| found.add(text));
        assert_eq!((found.top(2), found.missed), (vec![("b", 2), ("a", 1)], 0));
    }
}
