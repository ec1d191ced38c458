//! Finds the teasers of other pages that an article's page shows beside it.

use super::{Choice, LITTLE, is_linked};
use crate::html::names;
use crate::page::rule::Rule;

/// Letters of a teaser, at most.
const TEASER: usize = 700;

impl Choice {
    /// Marks the teasers of an article's page: blocks beside each other, each with one heading, which is a link to the same host.
    pub(super) fn find_teasers(&mut self) {
        let count = self.nodes().len();
        let (mut headings, mut linked) = (vec![0_usize; count], vec![0_usize; count]);
        for at in (1..count).rev() {
            let node = &self.outline.nodes[at];
            if node.is_run && node.name.is(names::HEADING) {
                headings[at] += 1;
                linked[at] += usize::from(is_linked(node) && node.away * 2 <= node.linked);
            }
            headings[node.parent] += headings[at];
            linked[node.parent] += linked[at];
        }
        let is_teaser = |at: usize| {
            let node = &self.outline.nodes[at];
            !node.is_run
                && headings[at] == 1
                && linked[at] == 1
                && node.letters <= TEASER
                && !node.name.is(names::HEADING)
        };
        let mut teasers = Vec::new();
        for list in (0..count).filter(|&at| linked[at] >= 3 && self.off[at].is_none()) {
            let next = self.nodes()[list].next;
            let children = std::iter::successors(Some(list + 1), |&at| self.nodes().get(at).map(|node| node.next));
            let found: Vec<usize> = children.take_while(|&at| at < next).filter(|&at| is_teaser(at)).collect();
            let letters: usize = found.iter().map(|&at| self.nodes()[at].letters).sum();
            if found.len() >= 3 && letters * 10 >= self.nodes()[list].letters * 6 {
                teasers.extend(found);
            }
        }
        // they may be all there is
        let prose = |at: &usize| if self.off[*at].is_some() { 0 } else { self.prose[*at] };
        let all: i64 = (0..count).filter(|&at| self.nodes()[at].is_run).map(|at| prose(&at)).sum();
        if !self.outline.is_of_one_post && all - teasers.iter().map(prose).sum::<i64>() < LITTLE {
            return;
        }
        if !Rule::Teaser.holds(!teasers.is_empty()) {
            return;
        }
        for at in teasers {
            let next = self.nodes()[at].next;
            self.off[at..next].fill(Some(Rule::Teaser));
            self.is_teaser[at] = true;
        }
    }
}
