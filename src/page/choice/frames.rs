//! Finds the main part of a page by its elements (`article`, `main`, `body`) if the score finds little or no text.

use super::super::outline::cards::quoted;
use super::super::outline::{Node, Outline};
use super::{Choice, LITTLE};
use crate::html::names::Name;
use crate::rule::Rule;

/// The main part of a page is chosen if it has more than this many times the letters of the best block.
const NOTHING: usize = 5;
/// The same for an article.
const NOTHING_OF_ARTICLE: usize = 6;

impl Choice {
    /// Whether a block is in the header or the footer of the page.
    pub(in crate::page) fn is_in_frame(&self, at: usize) -> bool {
        let is_frame = |at: usize| matches!(self.nodes()[at].name, Name::HEADER | Name::FOOTER);
        self.outline.around(at).skip(1).any(is_frame)
    }

    /// For a page without prose (a list of links, cards, pictures): the element that the page itself names as its main part.
    pub(super) fn named(&self) -> Option<usize> {
        let main = [Name::ARTICLE, Name::MAIN, Name::BODY].into_iter().find_map(|name| self.only(name));
        main.filter(|&at| Rule::MainWithoutProse.holds(self.nodes()[at].letters() > 0))
    }

    /// The first element with a name; an article only if it is the only one.
    fn only(&self, name: Name) -> Option<usize> {
        let mut found =
            (0..self.nodes().len()).filter(|&at| self.nodes()[at].name == name && !self.nodes()[at].is_run());
        found.next().filter(|_| name != Name::ARTICLE || found.next().is_none())
    }

    /// The smallest element around all texts that only this page has, frames aside, if a block has less than half as many letters.
    pub(in crate::page) fn around_own(&self, block: usize) -> Option<usize> {
        let nodes = self.nodes();
        if !self.outline.knows_site || self.words(block) * 2 >= self.words(0) {
            return None;
        }
        let quoted = quoted(&self.outline);
        let (mut own, mut letters, mut at) = (Vec::new(), 0, 1);
        while at < nodes.len() {
            let node = &nodes[at];
            let is_out = self.off[at].is_some() || !node.is_run() && (self.is_beside(at) || node.name == Name::HEADER);
            let is_shared = is_out || node.is_of_site || node.is_title || quoted[at];
            if node.is_run() && !is_shared && self.words(at) > 0 {
                letters += self.words(at);
                own.push(at);
            }
            at = if is_out { node.next() } else { at + 1 };
        }
        let is_less = letters >= LITTLE && self.words(block) * 2 < letters;
        let (first, last) = own.first().zip(own.last()).filter(|_| Rule::OwnText.holds(is_less))?;
        self.outline.around(*first).find(|&around| nodes[around].next() > *last)
    }

    /// The main part of a page if the best block has next to nothing of it: lists, cards, tables. For an article, only an
    /// element that the page names as its main part.
    pub(in crate::page) fn broad(&self, best: usize) -> Option<usize> {
        let Outline { knows_site, is_of_one_post, is_article, .. } = self.outline;
        if knows_site || is_of_one_post {
            return None;
        }
        let own = |at: usize| {
            let nodes = &self.nodes()[at..self.nodes()[at].next()];
            // menus of links are not in a main part, but anywhere on a page that names none
            let counts = |node: &Node| node.letters() - if nodes[0].name == Name::BODY { node.linked() } else { 0 };
            let runs = nodes.iter().zip(&self.off[at..]).filter(|(node, off)| node.is_run() && off.is_none());
            runs.map(|(node, _)| counts(node)).sum::<usize>()
        };
        let least = own(best) * if is_article { NOTHING_OF_ARTICLE } else { NOTHING };
        let frames = [Name::ARTICLE, Name::MAIN, Name::BODY].into_iter();
        let mut frames = frames.filter(|name| *name != Name::BODY || !is_article).filter_map(|name| self.only(name));
        frames.find(|&at| Rule::Main.holds(least < own(at)))
    }
}
