//! Recognises lists of sources. Most lists of links at the end of a text belong to the site; a list of sources is the author's.

use super::Choice;
use crate::html::names::{self, Name};
use crate::rule::Rule;

/// The most letters of a label such as "Sources:".
const LABEL: usize = 25;

/// With at least this many letters of prose, a text with a colon at its end is the author's, and so is the list that it introduces.
const INTRODUCTION: i64 = 80;

impl Choice {
    /// For each node, whether it is in a list of sources: a list below a heading or an introduction, next to prose, with most of its
    /// links to other hosts; or a list below a long text that introduces it, wherever its links lead.
    pub(super) fn sources(&self, chosen: usize) -> Vec<bool> {
        let nodes = self.nodes();
        let mut sources = vec![false; nodes.len()];
        // the last text, and the last that is prose
        let (mut text, mut prose): (Option<usize>, Option<usize>) = (None, None);
        let mut at = chosen + 1;
        while at < nodes[chosen].next() {
            let is_list = matches!(nodes[at].name, Name::UL | Name::OL) && !nodes[at].is_run();
            let end = if is_list { nodes[at].next() } else { at + 1 };
            let around = nodes[at].parent();
            let is_in = |run: &usize, around: usize| nodes[nodes[*run].parent()].parent() == around;
            let heads = |run: &usize| {
                nodes[*run].name.is(names::HEADING) || nodes[*run].name == Name::P && nodes[*run].introduces()
            };
            let heading = text.filter(|run| is_in(run, around) && heads(run));
            // a label and its list may be in a block of their own, as a widget's heading is, too
            let is_apart = heading.is_some_and(|run| self.is_label(run));
            let is_beside = |run: usize| is_in(&run, around) || is_apart && is_in(&run, nodes[around].parent());
            let is_below = is_list && heading.is_some() && prose.is_some_and(is_beside);
            let introduces = |run: usize| {
                let is_near = nodes[run].parent() == around || nodes[run].name == Name::P && is_in(&run, around);
                is_near && nodes[run].introduces() && self.prose[run] >= INTRODUCTION && self.off[run].is_none()
            };
            let is_introduced = is_list && text.is_some_and(introduces);
            let mut away = 0;
            for run in (at..end).filter(|&at| nodes[at].is_run() && nodes[at].letters() > 0) {
                away += nodes[run].away();
                text = Some(run);
                prose = if self.prose[run] > 0 { text } else { prose };
            }
            // the list below an introduction may be the site's links to follow it
            let is_site_s = || (at..end).any(|at| self.boilerplate.says(self.outline.words(at)).is_some());
            let is_headed = is_apart || heading.is_some_and(|run| nodes[run].name.is(names::HEADING));
            let is_below = is_below && away * 2 > nodes[at].linked();
            if Rule::KeepSources.holds(is_below && is_headed || (is_below || is_introduced) && !is_site_s()) {
                sources[at..end].fill(true);
                sources[around] |= around != chosen && !prose.is_some_and(|run| is_in(&run, around));
            }
            at = end;
        }
        sources
    }

    /// Whether a short paragraph announces the text after it: "Sources:".
    fn is_label(&self, run: usize) -> bool {
        let node = &self.nodes()[run];
        node.name == Name::P && node.linked() == 0 && node.letters() <= LABEL && node.introduces()
    }
}
