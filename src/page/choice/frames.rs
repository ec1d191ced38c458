//! What a page itself calls its main part: taken where the score finds nothing, or next to nothing of it.

use super::super::outline::{Node, Outline};
use super::Choice;
use crate::html::names::Name;
use crate::page::rule::Rule;

/// How often the main part of a page has the letters of a block that has next to nothing of it, and that of an article.
const NOTHING: usize = 5;
const NOTHING_OF_ARTICLE: usize = 6;

impl Choice {
    /// Whether a block is in the header or the footer of the page.
    pub(in crate::page) fn is_in_frame(&self, at: usize) -> bool {
        let is_frame = |at: usize| matches!(self.nodes()[at].name, Name::HEADER | Name::FOOTER);
        self.outline.around(at).skip(1).any(is_frame)
    }

    /// Of a list of links, cards, pictures: what the page itself calls its main part.
    pub(super) fn named(&self) -> Option<usize> {
        let main = [Name::ARTICLE, Name::MAIN, Name::BODY].into_iter().find_map(|name| self.only(name));
        main.filter(|&at| Rule::MainWithoutProse.holds(self.nodes()[at].letters > 0))
    }

    /// The first element of a name; of articles the only one.
    fn only(&self, name: Name) -> Option<usize> {
        let mut found = (0..self.nodes().len()).filter(|&at| self.nodes()[at].name == name && !self.nodes()[at].is_run);
        found.next().filter(|_| name != Name::ARTICLE || found.next().is_none())
    }

    /// The main part of a page of which the best block has next to nothing: lists, cards, tables. Of an article only what the
    /// page calls so.
    pub(in crate::page) fn broad(&self, best: usize) -> Option<usize> {
        let Outline { knows_site, is_of_one_post, is_article, .. } = self.outline;
        if knows_site || is_of_one_post {
            return None;
        }
        let own = |at: usize| {
            let nodes = &self.nodes()[at..self.nodes()[at].next];
            // menus of links are in no main part, and all over a page that names none
            let counts = |node: &Node| node.letters - if nodes[0].name == Name::BODY { node.linked } else { 0 };
            let runs = nodes.iter().zip(&self.off[at..]).filter(|(node, off)| node.is_run && off.is_none());
            runs.map(|(node, _)| counts(node)).sum::<usize>()
        };
        let least = own(best) * if is_article { NOTHING_OF_ARTICLE } else { NOTHING };
        let frames = [Name::ARTICLE, Name::MAIN, Name::BODY].into_iter();
        let mut frames = frames.filter(|name| *name != Name::BODY || !is_article).filter_map(|name| self.only(name));
        frames.find(|&at| Rule::Main.holds(least < own(at)))
    }
}
