//! Cuts the parts that a theme or a plugin adds to the content: headings, a repeated title, forms.

use super::Drops;
use crate::html::names::{self, Name};
use crate::page::outline::cards::children;
use crate::rule::Rule;
use std::ops::Range;

impl Drops<'_> {
    /// Drops the headings that a theme puts above an author's text: "Description".
    pub(super) fn headings_of_theme(&mut self) {
        let nodes = self.choice.nodes();
        for at in std::iter::once(self.chosen).chain(self.inside()).filter(|&at| nodes[at].marks().headed()) {
            let first = children(nodes, at).find(|&at| nodes[at].letters() > 0);
            if let Some(heading) = first.filter(|&at| nodes[at].name.is(names::HEADING)) {
                self.drop(heading, Rule::ThemeHeading);
            }
        }
    }

    /// Drops forms with next to no prose and fewer than two pictures (galleries have more): labels are not the text. If an author placed
    /// the form for comments or for the search as a block, it stays.
    pub(super) fn forms(&mut self) {
        let nodes = self.choice.nodes();
        let Range { start: mut at, end } = self.inside();
        while at < end {
            let node = &nodes[at];
            let is_placed = node.marks().block() && (node.marks().comments() || node.marks().around());
            // a plugin's form has one picture, which turns while the form is sent
            let is_labels = node.media() < 2 && self.choice.is_of_labels(at);
            let is_form = Rule::Form.holds(node.name == Name::FORM && !node.is_run() && is_labels && !is_placed);
            if is_form {
                self.drop(at, Rule::Form);
            }
            at = if is_form || is_placed { node.next() } else { at + 1 };
        }
    }

    /// Drops a heading with the title, as the head states it, if nothing precedes it: some blocks contain it, too. In a place that holds
    /// the content alone, the heading's name must also mark it as the title.
    pub(super) fn title(&mut self) {
        let nodes = self.choice.nodes();
        let first = self.inside().find(|&at| nodes[at].is_run() && nodes[at].letters() > 0 && !self.is_dropped(at));
        let is_called = |at: usize| {
            self.choice.outline.around(at).take(2).any(|at| nodes[at].marks().title() && !nodes[at].marks().block())
        };
        let is_title = |&at: &usize| {
            nodes[at].name.is(names::HEADING)
                && self.choice.says_title(at)
                && (self.is_named() || !self.trusted || is_called(at))
        };
        if let Some(title) = first.filter(is_title) {
            self.drop_run(title, Rule::Title, true);
        }
    }
}
