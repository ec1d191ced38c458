//! Cuts boilerplate out of the HTML block with the content: blocks that are recognised by their names or by texts like `Read more`,
//! lists of links, and short texts before the first and after the last prose.

mod between;
mod edges;
mod tail;
mod theme;

use crate::boilerplate::Says;

use super::{Block, Choice, LITTLE, is_linked};
use crate::html::names::{self, Name};
use crate::rule::Rule;
use std::ops::Range;

impl Choice {
    /// The parts of a block that are not content, in ascending order, each with its rule.
    pub(in crate::page) fn dropped(&self, chosen: usize, block: Block) -> Vec<Drop> {
        let trusted = matches!(block, Block::Built | Block::Known | Block::Named);
        let (sources, dropped) = (self.sources(chosen), vec![None; self.nodes().len()]);
        let between = Vec::new();
        let mut drops = Drops { choice: self, chosen, block, trusted, sources, between, dropped };
        drops.by_name();
        drops.headings_of_theme();
        if trusted {
            drops.forms();
        }
        if block != Block::Built {
            drops.of_site();
        }
        if block == Block::Scored {
            drops.between = drops.between();
        }
        drops.by_text();
        if trusted || block == Block::Scored {
            drops.title();
        }
        match block {
            Block::Known | Block::Named => {
                drops.tail();
                drops.last_headings();
            }
            Block::Built => drops.last_headings(),
            Block::List | Block::Main => {}
            Block::Scored => {
                if self.outline.knows_site {
                    drops.ends()
                } else {
                    drops.edges()
                }
                drops.last_headings();
            }
        }
        drops.emptied();
        drops.ranges()
    }
}

/// The most unlinked letters in a line of tags or categories.
const LABEL: usize = 40;

/// A part of a page that is left out, with its rule.
#[derive(Clone, Debug)]
pub(in crate::page) struct Drop {
    pub at: Range<usize>,
    pub rule: Rule,
}

/// The parts of a block that are left out.
struct Drops<'c> {
    choice: &'c Choice,
    chosen: usize,
    block: Block,
    /// Whether the block is known to hold content.
    trusted: bool,
    /// For each node, whether it is in a list of sources.
    sources: Vec<bool>,
    /// For each node, whether an author wrote it between paragraphs. Empty if not computed.
    between: Vec<bool>,
    /// For each node, the rule by which it is left out.
    dropped: Vec<Option<Rule>>,
}

impl Drops<'_> {
    fn is_named(&self) -> bool {
        self.block == Block::Named
    }

    fn inside(&self) -> Range<usize> {
        self.chosen + 1..self.choice.nodes()[self.chosen].next()
    }

    /// Whether it is known that an author wrote a block between paragraphs.
    fn is_between(&self, at: usize) -> bool {
        self.between.get(at).copied().unwrap_or_default()
    }

    /// Drops a block, unless the rule is switched off.
    fn drop(&mut self, at: usize, rule: Rule) {
        let next = self.choice.nodes()[at].next();
        if rule.is_on() {
            self.dropped[at..next].fill(Some(rule));
        }
    }

    /// Drops a run that is not dropped yet, if a rule holds.
    fn drop_run(&mut self, at: usize, rule: Rule, holds: bool) {
        if self.dropped[at].is_none() && rule.holds(holds) {
            self.dropped[at] = Some(rule);
        }
    }

    fn is_dropped(&self, at: usize) -> bool {
        self.dropped[at].is_some()
    }

    /// Whether the block is a part of the chosen one that is small enough to be left out.
    fn is_small(&self, at: usize) -> bool {
        let letters = |at: usize| self.choice.nodes()[at].letters();
        self.choice.is_small(at, self.choice.prose[self.chosen])
            && (self.choice.is_edge(at)
                || !self.trusted && self.choice.nodes()[at].is_of_post
                || letters(at) * 2 <= letters(self.chosen)
                || !self.trusted && is_linked(&self.choice.nodes()[at]))
    }

    fn by_name(&mut self) {
        let Range { start: mut at, end } = self.inside();
        while at < end {
            let node = &self.choice.nodes()[at];
            if self.trusted && Rule::KeepPlaced.holds(node.marks().block()) {
                // a block that the author placed is intentional, whatever its name
                at = node.next();
                continue;
            }
            let trusted = self.trusted && !(self.is_named() && self.choice.prose[at] < LITTLE);
            let named = || self.choice.boilerplate(at, trusted).filter(|_| self.is_small(at));
            // a dialog in a known place is the author's
            let others = self.choice.of_others(at, self.choice.off[at].is_some());
            match others.filter(|rule| *rule != Rule::Overlay || !self.trusted).or_else(named) {
                Some(rule) => {
                    let next = node.next();
                    self.drop(at, rule);
                    at = next;
                }
                None => at += 1,
            }
        }
    }

    /// Drops texts of the site, and the title. A link in a table cell does not lead to a page above this one, even if the page's title
    /// ends with its text. An author's list is kept even if its links are on every page.
    fn of_site(&mut self) {
        for at in self.inside() {
            let node = &self.choice.nodes()[at];
            let is_cell = matches!(node.name, Name::TD | Name::TH);
            let (is_of_site, is_title) = (node.is_of_site && !self.sources[at], node.is_title && !is_cell);
            self.drop_run(at, Rule::Repeated, is_of_site);
            self.drop_run(at, Rule::RepeatedTitle, is_title);
        }
    }

    fn by_text(&mut self) {
        for at in self.inside() {
            let words = self.choice.outline.words(at);
            let node = &self.choice.nodes()[at];
            if !self.trusted && node.names_tags() && node.letters() - node.linked() <= LABEL {
                // "Tags:", or the day and the author, before the tags
                self.drop(at, Rule::Tags);
            }
            if self.is_dropped(at) || words.is_empty() {
                continue;
            }
            let is_heading = node.name.is(names::HEADING);
            match self.choice.boilerplate.says(words) {
                // an author's heading, or an item of an author's list whose other items have other meanings
                Some(Says::Notice)
                    if self.trusted && is_heading && Rule::KeepHeading.holds(self.is_among_prose(node.parent())) => {}
                Some(Says::Notice | Says::Line | Says::Section) if Rule::KeepListed.holds(self.is_listed(at)) => {}
                Some(Says::Notice) => self.drop(at, Rule::Notice),
                Some(Says::Reading) if Rule::KeepHeading.holds(self.heads_prose(at)) => {}
                // an item of an author's list that begins with such a word
                Some(Says::Section) if Rule::KeepListed.holds(self.trusted && self.is_item(at)) => {}
                Some(Says::Section | Says::Reading) if !Rule::KeepSentence.holds(self.is_own(at)) => {
                    self.drop_section(at, Rule::Section);
                }
                // in a document of widgets, a heading "Email" is the author's
                Some(Says::Line) if is_heading && self.block != Block::Built => self.drop_section(at, Rule::Line),
                Some(Says::Line) if !self.trusted => self.drop(at, Rule::Line),
                _ => {}
            }
        }
    }

    /// Whether there is prose in the block around an element.
    fn is_among_prose(&self, at: usize) -> bool {
        self.choice.prose[self.choice.nodes()[at].parent()] >= LITTLE
    }

    /// The item of a list that a text is.
    fn item_of(&self, at: usize) -> Option<usize> {
        let nodes = self.choice.nodes();
        self.choice.outline.around(at).take(2).find(|&at| nodes[at].name == Name::LI && !nodes[at].is_run())
    }

    /// Whether a text is an item of a list without links: share buttons are links.
    fn is_listed(&self, at: usize) -> bool {
        let nodes = self.choice.nodes();
        self.item_of(at).is_some_and(|item| {
            let list = &nodes[nodes[item].parent()];
            list.linked() == 0 && list.letters() > nodes[item].letters()
        })
    }

    /// Whether a text is an item of a list, and not a heading above links.
    fn is_item(&self, at: usize) -> bool {
        let nodes = self.choice.nodes();
        let heads_links = |item: usize| {
            let next = nodes[item].next();
            next < nodes[nodes[item].parent()].next() && is_linked(&nodes[next])
        };
        let is_later = |item: usize| nodes[item].parent() + 1 != item && !heads_links(item);
        nodes[at].name == Name::LI && nodes[at].points() > 0 || self.item_of(at).is_some_and(is_later)
    }

    /// Whether a text is known not to be the site's, and is too long to be a heading.
    fn is_own(&self, at: usize) -> bool {
        let node = &self.choice.nodes()[at];
        self.choice.outline.knows_site && !node.is_of_site && node.points() > 0 && self.choice.prose[at] >= 40
    }

    /// Whether a heading that is used above lists of links elsewhere is between paragraphs here: then it stays, and so does the text
    /// below it.
    fn heads_prose(&self, at: usize) -> bool {
        let nodes = self.choice.nodes();
        nodes[at].name.is(names::HEADING) && !is_linked(&nodes[at]) && self.is_between(nodes[at].parent())
    }

    /// Drops a heading and its section: the block that begins with it, or the links and lists after it. In a trusted place, only a
    /// heading above links is dropped.
    fn drop_section(&mut self, run: usize, rule: Rule) {
        let nodes = self.choice.nodes();
        let mut at = run;
        loop {
            let parent = nodes[at].parent();
            if parent == self.chosen || at != parent + 1 || !self.is_small(parent) {
                break;
            }
            at = parent;
        }
        let end = nodes[nodes[at].parent()].next();
        let mut next = nodes[at].next();
        let heading_alone = nodes[at].letters() == nodes[run].letters();
        // the section may be in a block of its own
        let after = (nodes[at].next()..nodes[self.chosen].next()).find(|&at| nodes[at].is_run());
        let heads_links = match (heading_alone, after) {
            (false, _) => is_linked(&nodes[at]),
            (true, Some(after)) if next >= end => is_linked(&nodes[after]),
            (true, _) => next < end && is_linked(&nodes[next]),
        };
        if !self.trusted || heads_links {
            self.drop(at, rule);
        }
        if !heading_alone || self.trusted && !heads_links || !rule.is_on() {
            return;
        }
        while next < end && self.choice.prose[next] == 0 && (is_linked(&nodes[next]) || nodes[next].letters() == 0) {
            self.drop(next, rule);
            next = nodes[next].next();
        }
    }

    /// Drops elements whose contents were all dropped, by the rule of the first of them.
    fn emptied(&mut self) {
        let nodes = self.choice.nodes();
        let mut left = vec![0; nodes.len()];
        for at in self.inside().rev().filter(|&at| !self.is_dropped(at)) {
            left[at] += if nodes[at].is_run() { 1 } else { nodes[at].media() };
            left[nodes[at].parent()] += left[at];
        }
        // from the inside out, so that an element takes the rule of the first thing in it
        for at in self.inside().rev().filter(|&at| left[at] == 0 && nodes[at].letters() > 0) {
            if self.dropped[at].is_none() && Rule::Emptied.is_on() {
                self.dropped[at] = (at + 1..nodes[at].next()).find_map(|inside| self.dropped[inside]);
            }
        }
    }

    fn ranges(&self) -> Vec<Drop> {
        let mut ranges = Vec::new();
        let mut at = self.chosen + 1;
        let end = self.choice.nodes()[self.chosen].next();
        while at < end {
            let node = &self.choice.nodes()[at];
            if let Some(rule) = self.dropped[at] {
                ranges.push(Drop { at: node.outer(), rule });
                at = node.next();
            } else {
                at += 1;
            }
        }
        ranges
    }
}
