//! Finds the document of a page builder if no element with a known name holds all of its rows. Its author made it of widgets: names,
//! links and pictures are as much its text as prose is.

use super::{Choice, SOME};
use crate::html::names::Name;
use crate::rule::Rule;

/// The most blocks around a row that are inspected.
const DEPTH: usize = 100;

impl Choice {
    /// The document of a page builder that contains a block: the element around its rows if there are several side by side, or the only
    /// row. If that element is a frame of the page, only the rows belong to the document.
    pub(in crate::page) fn around_rows(&self, block: usize, rule: Rule) -> Option<usize> {
        let nodes = self.nodes();
        let row = self.outline.around(block).filter(|&at| nodes[at].marks().row()).last().filter(|_| rule.is_on())?;
        let parent = nodes[row].parent();
        let is_beside = |at: usize| at != row && nodes[at].parent() == parent && nodes[at].marks().row();
        let is_one = parent == 0 || !(parent + 1..nodes[parent].next()).any(is_beside);
        Some(if is_one { row } else { parent })
    }

    /// The part of a block that is a page builder's document: it contains next to nothing but rows.
    pub(in crate::page) fn of_rows(&self, block: usize) -> Option<usize> {
        let nodes = self.nodes();
        let least = nodes[block].letters() * 8;
        let mut at = block;
        loop {
            let children = std::iter::successors(Some(at + 1), |&child| nodes.get(child).map(|node| node.next()));
            let children: Vec<usize> = children
                .take_while(|&child| child < nodes[at].next())
                .filter(|&child| !nodes[child].is_run())
                .collect();
            let rows = children.iter().filter(|&&child| nodes[child].marks().row());
            if Rule::RowsInside.holds(rows.map(|&child| nodes[child].letters()).sum::<usize>() * 10 >= least) {
                return Some(at);
            }
            at = children.into_iter().find(|&child| nodes[child].letters() * 10 >= least)?;
        }
    }

    /// The document of a page builder in a block without prose: headings, names, links that are not the site's. If the block, or one
    /// around it, is named as surroundings of content and has little prose, the document may be anywhere on the page.
    pub(in crate::page) fn rows(&self, block: usize) -> Option<usize> {
        let nodes = self.nodes();
        let is_around = |at: usize| self.boilerplate(at, false).is_some();
        let block = match self.prose[block] {
            0 => block,
            ..SOME if self.outline.around(block).take(DEPTH).any(is_around) => 0,
            _ => return None,
        };
        let is_own = |run: usize| {
            let node = &nodes[run];
            node.is_run() && node.letters() > 0 && !node.is_of_site && !node.is_title
        };
        let is_edge = |at: usize| matches!(nodes[at].name, Name::HEADER | Name::NAV | Name::ASIDE | Name::FOOTER);
        let mut at = block;
        while at < nodes[block].next() {
            let is_row = nodes[at].marks().row();
            let next = nodes[at].next();
            let is_beside = || {
                let mut around = self.outline.around(at).take(DEPTH);
                around.any(|around| is_edge(around) || block == 0 && around != at && is_around(around))
            };
            if is_row && (at + 1..next).any(is_own) && !is_beside() {
                return self.around_rows(at, Rule::RowsWordless);
            }
            at = if is_row { next } else { at + 1 };
        }
        None
    }
}
