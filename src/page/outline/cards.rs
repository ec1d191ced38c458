//! Recognises quotations: texts that a page shows from other pages, as lists of posts and widgets do. Each is below the linked title of
//! another page, or beside a link, and several of them follow each other.

use super::description::letters;
use super::{Node, Outline, SHORT};
use crate::html::names;

/// A text with fewer letters may be a date with a name.
pub(in crate::page) const PROSE: usize = 40;

/// The longest title with which headings are compared, in bytes.
const LONGEST: usize = 500;

/// The fewest texts with links that make a list without headings.
const LIST: usize = 3;

/// For each node, whether it is quoted from another page.
pub(in crate::page) fn quoted(outline: &Outline) -> Vec<bool> {
    let mut cards = Cards::new(outline);
    cards.below_titles();
    cards.in_lists();
    cards.quoted
}

struct Cards<'o> {
    nodes: &'o [Node],
    /// The linked titles of other pages, in ascending order.
    titles: Vec<usize>,
    /// The letters of prose before each node, and at the end those of the whole page.
    before: Vec<usize>,
    /// The first and the last text of each node.
    ends: Vec<Option<(usize, usize)>>,
    quoted: Vec<bool>,
}

impl<'o> Cards<'o> {
    fn new(outline: &'o Outline) -> Self {
        let nodes = &outline.nodes;
        let short = outline.titles.iter().filter(|title| title.len() <= LONGEST);
        let own: Vec<Vec<char>> = short.map(|title| letters(title).collect()).collect();
        let titles = (0..nodes.len()).filter(|&at| is_title_of_another(outline, at, &own)).collect();
        let mut before = vec![0];
        for node in nodes {
            let prose = if is_prose(node) { node.letters() } else { 0 };
            before.push(before[before.len() - 1] + prose);
        }
        let mut ends: Vec<Option<(usize, usize)>> = vec![None; nodes.len()];
        for at in (1..nodes.len()).rev() {
            let own = if is_text(&nodes[at]) { Some((at, at)) } else { ends[at] };
            let around = &mut ends[nodes[at].parent()];
            *around = own.map_or(*around, |(first, last)| Some((first, around.map_or(last, |(_, last)| last))));
            ends[at] = own;
        }
        // a long text that is linked as a whole is on another page
        let quoted = nodes.iter().map(|node| leads(node) && node.letters() >= PROSE).collect();
        Cards { nodes, titles, before, ends, quoted }
    }

    /// The letters of prose in a node.
    fn prose(&self, at: usize) -> usize {
        self.before[self.nodes[at].next()] - self.before[at]
    }

    /// Marks the texts below linked titles: in the smallest block with another such title, up to that title; or in the smallest
    /// block with prose, if none of the prose precedes the title.
    fn below_titles(&mut self) {
        for (number, &title) in self.titles.iter().enumerate() {
            let next = self.titles.get(number + 1).copied().unwrap_or(self.nodes.len());
            let last = number.checked_sub(1).map_or(0, |last| self.titles[last]);
            let mut block = self.nodes[title].parent();
            // a block with a single title is read only once: all titles together take the time of one pass
            loop {
                let is_list = last > block || next < self.nodes[block].next();
                let is_first = self.before[title] == self.before[block];
                if is_list || is_first && self.prose(block) > 0 {
                    self.quoted[title..next.min(self.nodes[block].next())].fill(true);
                }
                if is_list || self.prose(block) > 0 || block == 0 {
                    break;
                }
                block = self.nodes[block].parent();
            }
        }
    }

    /// Marks lists: blocks side by side, each with prose and with a link first or last, or texts that alternate with links.
    fn in_lists(&mut self) {
        for list in (0..self.nodes.len()).filter(|&at| !self.nodes[at].is_run()) {
            let all = self.prose(list);
            if all == 0 || children(self.nodes, list).take(LIST).count() < LIST {
                continue;
            }
            let children: Vec<usize> = children(self.nodes, list).collect();
            let is_card = |&at: &usize| {
                let leads = |at: usize| leads(&self.nodes[at]);
                let has_link = || self.ends[at].is_some_and(|(first, last)| leads(first) || leads(last));
                let is_some = !self.nodes[at].is_run() && self.prose(at) > 0 && self.prose(at) * 2 <= all;
                is_some && has_link()
            };
            let linked: Vec<usize> = children.iter().copied().filter(is_card).collect();
            let is_in_list = |&at: &usize| {
                let alike = linked.iter().filter(|&&other| self.nodes[other].name == self.nodes[at].name);
                alike.take(LIST).count() == LIST
            };
            let mut cards: Vec<usize> = linked.iter().copied().filter(is_in_list).collect();
            // a link on its own, then a text
            let is_link =
                |at: usize| self.ends[at].is_some_and(|(first, last)| first == last && is_label(&self.nodes[first]));
            let turns = children.windows(2).filter(|pair| is_link(pair[0]) != is_link(pair[1])).count();
            if turns >= 2 * LIST - 1 {
                cards.extend(children.iter().filter(|&&at| self.prose(at) > 0 || is_link(at)));
            }
            for card in cards {
                self.quoted[card..self.nodes[card].next()].fill(true);
            }
        }
    }
}

/// The direct children of a node.
pub(in crate::page) fn children(nodes: &[Node], list: usize) -> impl Iterator<Item = usize> {
    let end = nodes[list].next();
    let first = Some(list + 1).filter(|at| *at < end);
    std::iter::successors(first, move |&at| Some(nodes[at].next()).filter(|next| *next < end))
}

fn is_text(node: &Node) -> bool {
    node.is_run() && node.letters() > 0
}

fn is_prose(node: &Node) -> bool {
    is_text(node)
        && node.letters() >= PROSE
        && node.linked() * 10 <= node.letters() * 4
        && !node.name.is(names::HEADING)
}

/// Whether a text is a link to a page of the same site.
fn leads(node: &Node) -> bool {
    is_text(node) && node.linked() * 2 > node.letters() && node.away() * 2 <= node.linked()
}

/// Whether a text is a short link.
fn is_label(node: &Node) -> bool {
    leads(node) && node.letters() <= SHORT && node.linked() * 10 >= node.letters() * 8
}

/// Whether a heading leads to another page: it has neither the title of this page nor the name of the site, which is part of that
/// title.
fn is_title_of_another(outline: &Outline, at: usize, titles: &[Vec<char>]) -> bool {
    let node = &outline.nodes[at];
    if !node.name.is(names::HEADING) || !leads(node) {
        return false;
    }
    let own: Vec<char> = letters(outline.words(at)).collect();
    own.is_empty() || !titles.iter().any(|title| title.starts_with(&own) || title.ends_with(&own))
}
