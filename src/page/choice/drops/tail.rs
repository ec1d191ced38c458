//! Cuts the ends of an element that is known to hold content: links and headings after the last prose.

use super::Drops;
use crate::html::names::{self, Name};
use crate::page::choice::is_linked;
use crate::rule::Rule;

/// The most letters of a heading that is not a sentence, whatever it ends with.
const LONGEST_HEADING: usize = 60;

impl Drops<'_> {
    /// Drops links after the last prose. Exceptions: links in a block that the author placed, in a list of sources, and, if the place holds
    /// the content alone, links with comments on them that all lead to other hosts.
    pub(super) fn tail(&mut self) {
        let nodes = self.choice.nodes();
        let is_prose = |&at: &usize| nodes[at].is_run() && self.choice.prose[at] > 0 && !self.is_dropped(at);
        let Some(last) = self.inside().rev().find(is_prose) else { return };
        let (mut at, end) = (last + 1, self.inside().end);
        while at < end {
            let node = &nodes[at];
            let may_go = !node.is_run()
                && node.name != Name::P
                && (self.is_named() || matches!(node.name, Name::DIV | Name::SECTION));
            let is_links = may_go && is_linked(node) && node.media() == 0 && !node.marks().block() && !self.sources[at];
            let leads_away = node.away() == node.linked() && node.linked() < node.letters() && !node.marks().part();
            let is_said = !self.is_named() && leads_away;
            // the page may consist of a list of links
            let is_most = !self.is_named() && node.letters() * 2 > nodes[self.chosen].letters();
            if is_links && !is_said && self.choice.prose[at] == 0 && !is_most {
                self.drop(at, Rule::Tail);
            }
            at = if is_links || node.marks().block() { node.next() } else { at + 1 };
        }
    }

    /// Drops headings at the end if their sections were dropped. A heading that is a sentence has a meaning of its own and stays.
    pub(super) fn last_headings(&mut self) {
        let nodes = self.choice.nodes();
        let has_text = |at: &usize| nodes[*at].is_run() && nodes[*at].letters() > 0;
        let is_heading = |at: usize| {
            let is_sentence = nodes[at].letters() > LONGEST_HEADING
                || nodes[at].points() > 0 && !self.choice.outline.words(at).ends_with([':', '?']);
            // the first heading is the title; a linked heading leads to its subject
            let is_title = nodes[at].name == Name::H1 && nodes[0].titles() == 1;
            nodes[at].name.is(names::HEADING) && !is_title && !is_sentence && !is_linked(&nodes[at])
        };
        // unless the block is known to hold the content alone, the dropped part must follow in the block of the heading
        let heads = |at: usize, cut: usize| self.trusted || cut < nodes[nodes[nodes[at].parent()].parent()].next();
        let mut last = Vec::new();
        let mut cut = None;
        for at in self.inside().rev() {
            if self.is_dropped(at) {
                cut = Some(at).filter(has_text).or(cut);
            } else if has_text(&at) && cut.is_some_and(|cut| heads(at, cut)) && is_heading(at) {
                last.push(at);
            } else if has_text(&at) || nodes[at].media() > 0 && nodes[at].next() == at + 1 {
                break;
            }
        }
        // the positions of pictures between blocks are unknown
        let media = || self.inside().filter(|&at| nodes[at].parent() == self.chosen).map(|at| nodes[at].media());
        if !last.is_empty() && media().sum::<usize>() == nodes[self.chosen].media() {
            last.into_iter().for_each(|at| self.drop(at, Rule::LastHeading));
        }
    }
}
