//! Finds series of texts whose name is that of what is around content: the minutes of a match in a slider. Each is small, all
//! together are most of what there is to read. Teasers and widgets have links.

use super::{Choice, TOO_MUCH};
use std::collections::HashMap;

/// Blocks of a series, at least.
const FEWEST: usize = 8;

/// How many there are, their prose, and the letters of their links.
type Sum = (usize, i64, usize);

impl Choice {
    /// Marks the blocks in one element with the same name and marks that have most of the prose, and no links.
    pub(super) fn find_series(&mut self) {
        let nodes = &self.outline.nodes;
        let key = |at: usize| (nodes[at].parent, nodes[at].name.index(), nodes[at].marks);
        let around = || (1..nodes.len()).filter(|&at| nodes[at].marks.around() && !nodes[at].is_run);
        // most pages have too little of it, all series together
        let (count, prose) = around().fold((0, 0), |(count, prose), at| (count + 1, prose + self.prose[at]));
        if count < FEWEST || prose * 100 <= self.prose[0] * TOO_MUCH {
            return;
        }
        let mut sums: HashMap<_, Sum> = HashMap::new();
        for at in around() {
            let (count, prose, linked) = sums.entry(key(at)).or_default();
            *count += 1;
            *prose += self.prose[at];
            *linked += nodes[at].linked;
        }
        let is_series =
            |&(count, prose, linked): &Sum| count >= FEWEST && prose * 100 > self.prose[0] * TOO_MUCH && linked == 0;
        sums.retain(|_, sum| is_series(sum));
        if !sums.is_empty() {
            self.in_series = vec![false; nodes.len()];
            around().filter(|&at| sums.contains_key(&key(at))).for_each(|at| self.in_series[at] = true);
        }
    }

    /// Whether a block is one of a series.
    pub(super) fn is_in_series(&self, at: usize) -> bool {
        self.in_series.get(at).copied().unwrap_or_default()
    }
}
