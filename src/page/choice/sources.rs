//! Recognises the sources of a text: links that are an author's though most lists of links at the end are the site's.

use super::Choice;
use crate::html::names::{self, Name};

impl Choice {
    /// Of each node whether it is in a list of sources: below a heading, beside prose, most of its links to other hosts.
    pub(super) fn sources(&self, chosen: usize) -> Vec<bool> {
        let nodes = self.nodes();
        let mut sources = vec![false; nodes.len()];
        // the last text, and the last that is prose
        let (mut text, mut prose): (Option<usize>, Option<usize>) = (None, None);
        let mut at = chosen + 1;
        while at < nodes[chosen].next {
            let is_list = matches!(nodes[at].name, Name::UL | Name::OL) && !nodes[at].is_run;
            let end = if is_list { nodes[at].next } else { at + 1 };
            let is_beside = |run: &usize| nodes[nodes[*run].parent].parent == nodes[at].parent;
            let heading = text.filter(|run| nodes[*run].name.is(names::HEADING) && is_beside(run));
            let is_below = is_list && heading.is_some() && prose.is_some_and(|run| is_beside(&run));
            let mut away = 0;
            for run in (at..end).filter(|&at| nodes[at].is_run && nodes[at].letters > 0) {
                away += nodes[run].away;
                text = Some(run);
                prose = if self.prose[run] > 0 { text } else { prose };
            }
            if is_below && away * 2 > nodes[at].linked {
                sources[at..end].fill(true);
            }
            at = end;
        }
        sources
    }
}
