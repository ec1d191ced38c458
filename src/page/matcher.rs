//! Matches many selectors at once in one pass over a page: what they begin with alike is looked at once.
//! Elements end as in lol_html: by an end tag of their name or of one around them; nothing is implied.

use super::compound::{self, Combinator, Compound};
use super::needles::alternatives;
use super::scanner::{Scanner, Tag, Token};
use crate::html::names::{self, Name, OTHER};
use crate::html::tokenizer::AttributeBuffer;
use std::collections::HashMap;

/// How deep elements are followed: as deep as no page is made by hand. What is deeper holds nothing.
const DEPTH: usize = 1 << 16;

/// Selectors as a forest: a path from a root to a node is a selector, or what several begin with.
#[derive(Default)]
pub(super) struct Forest {
    nodes: Vec<Node>,
    roots: Vec<usize>,
}

struct Node {
    compound: Compound,
    below: Vec<usize>,
    right_below: Vec<usize>,
    /// The selectors that end here.
    selectors: Vec<usize>,
}

impl Forest {
    /// Adds a selector under its number; false where it is not for us.
    pub(super) fn add(&mut self, number: usize, text: &str) -> bool {
        let parsed: Option<Vec<_>> = alternatives(text).into_iter().map(compound::parse).collect();
        let Some(parsed) = parsed else { return false };
        for compounds in parsed {
            let mut at = None;
            for (combinator, compound) in compounds {
                at = Some(self.child(at, combinator, compound));
            }
            let ends = at.map(|at| &mut self.nodes[at].selectors);
            ends.into_iter().filter(|ends| !ends.contains(&number)).for_each(|ends| ends.push(number));
        }
        true
    }

    /// The node of `compound` under `parent`, made if there is none.
    fn child(&mut self, parent: Option<usize>, combinator: Combinator, compound: Compound) -> usize {
        let new = self.nodes.len();
        let of = |nodes: &[Node], list: &[usize]| list.iter().copied().find(|&at| nodes[at].compound == compound);
        let list = match (parent, combinator) {
            (None, _) => &self.roots,
            (Some(parent), Combinator::Below) => &self.nodes[parent].below,
            (Some(parent), Combinator::RightBelow) => &self.nodes[parent].right_below,
        };
        if let Some(found) = of(&self.nodes, list) {
            return found;
        }
        self.nodes.push(Node { compound, below: Vec::new(), right_below: Vec::new(), selectors: Vec::new() });
        match (parent, combinator) {
            (None, _) => self.roots.push(new),
            (Some(parent), Combinator::Below) => self.nodes[parent].below.push(new),
            (Some(parent), Combinator::RightBelow) => self.nodes[parent].right_below.push(new),
        }
        new
    }

    /// Which nodes lead to a wanted selector. A node's number is higher than its parent's.
    fn leading(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut leading = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            leading[at] = node.selectors.iter().any(|&selector| is_wanted(selector))
                || node.below.iter().chain(&node.right_below).any(|&child| leading[child]);
        }
        leading
    }
}

/// What is wanted of a selector.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Nothing,
    Tags,
    TagsAndText,
}

/// What was found.
pub(super) enum Found<'f, 'h> {
    Start(&'f Scanner, &'f Tag<'h>),
    Text(&'h [u8]),
}

/// An open element.
struct Open<'h> {
    name: Name,
    label: &'h [u8],
    /// Where its nodes begin in `matched`.
    matched: usize,
}

struct Matcher<'m, 'h, F> {
    forest: &'m Forest,
    wants: &'m [Want],
    html: &'h [u8],
    leading: Vec<bool>,
    roots: Vec<usize>,
    open: Vec<Open<'h>>,
    /// How many elements of each name are open; for names that are not listed, by the name.
    counts: [u32; Name::COUNT],
    others: HashMap<Vec<u8>, u32>,
    /// The nodes that open elements match, element by element.
    matched: Vec<usize>,
    /// How many open elements match a node, and the nodes that any does, as they came.
    active: Vec<u32>,
    active_nodes: Vec<usize>,
    /// In how many open elements the text is wanted, by selector.
    texts: Vec<u32>,
    on_found: F,
}

/// Calls `on_found(selector, what)` for what the wanted selectors match in `html`: tags in document order, for one
/// element in the order of the selectors. No selector has anything to match in tags that start at `until` or later,
/// outside of what began to match before.
pub(super) fn run<'h>(
    forest: &Forest,
    wants: &[Want],
    html: &'h [u8],
    until: usize,
    on_found: impl FnMut(usize, Found<'_, 'h>),
) {
    let leading = forest.leading(|selector| wants[selector] != Want::Nothing);
    let mut matcher = Matcher {
        roots: forest.roots.iter().copied().filter(|&root| leading[root]).collect(),
        active: vec![0; forest.nodes.len()],
        texts: vec![0; wants.len()],
        forest,
        wants,
        html,
        leading,
        open: Vec::with_capacity(64),
        counts: [0; Name::COUNT],
        others: HashMap::new(),
        matched: Vec::new(),
        active_nodes: Vec::new(),
        on_found,
    };
    let mut scanner = Scanner::new(AttributeBuffer::default());
    while let Some(token) = scanner.next(html, true) {
        match token {
            Token::Start(tag) => {
                if tag.start >= until && matcher.matched.is_empty() {
                    return;
                }
                matcher.start(&scanner, &tag);
            }
            Token::End(tag) => matcher.end(&tag),
            Token::Text(text) => matcher.text(text),
            Token::Comment(_) => {}
        }
    }
}

impl<'h, F: FnMut(usize, Found<'_, 'h>)> Matcher<'_, 'h, F> {
    fn start(&mut self, scanner: &Scanner, tag: &Tag<'h>) {
        let begins = self.matched.len();
        self.match_nodes(scanner, tag);
        if self.matched.len() > begins {
            self.tell(begins, scanner, tag);
        }
        let is_empty = if tag.foreign { tag.self_closing } else { tag.name.is(names::VOID) };
        if is_empty || self.open.len() >= DEPTH {
            return self.matched.truncate(begins);
        }
        for at in begins..self.matched.len() {
            let node = self.matched[at];
            self.active[node] += 1;
            if self.active[node] == 1 {
                self.active_nodes.push(node);
            }
            self.count_texts(node, 1);
        }
        self.counts[tag.name.index()] += 1;
        if tag.name == OTHER {
            *self.others.entry(tag.label.to_ascii_lowercase()).or_default() += 1;
        }
        self.open.push(Open { name: tag.name, label: tag.label, matched: begins });
    }

    /// Appends the nodes that an element matches to `matched`.
    fn match_nodes(&mut self, scanner: &Scanner, tag: &Tag<'h>) {
        let begins = self.matched.len();
        let Matcher { forest, leading, matched, html, .. } = self;
        let attempt = |matched: &mut Vec<usize>, nodes: &[usize]| {
            for &node in nodes {
                if leading[node] && forest.nodes[node].compound.matches(html, scanner, tag) {
                    matched.push(node);
                }
            }
        };
        attempt(matched, &self.roots);
        for &node in &self.active_nodes {
            attempt(matched, &forest.nodes[node].below);
        }
        let parent = self.open.last().map_or(begins, |parent| parent.matched);
        for at in parent..begins {
            let node = matched[at];
            attempt(matched, &forest.nodes[node].right_below);
        }
    }

    /// Tells of the selectors that an element's nodes end.
    fn tell(&mut self, begins: usize, scanner: &Scanner, tag: &Tag<'h>) {
        let ends = self.matched[begins..].iter().flat_map(|&node| &self.forest.nodes[node].selectors).copied();
        let mut selectors: Vec<usize> = ends.filter(|&selector| self.wants[selector] != Want::Nothing).collect();
        selectors.sort_unstable();
        selectors.dedup();
        for selector in selectors {
            (self.on_found)(selector, Found::Start(scanner, tag));
        }
    }

    fn count_texts(&mut self, node: usize, change: i32) {
        for &selector in &self.forest.nodes[node].selectors {
            if self.wants[selector] == Want::TagsAndText {
                self.texts[selector] = self.texts[selector].wrapping_add_signed(change);
            }
        }
    }

    fn text(&mut self, text: &'h [u8]) {
        if self.matched.is_empty() {
            return;
        }
        for selector in 0..self.texts.len() {
            if self.texts[selector] > 0 {
                (self.on_found)(selector, Found::Text(text));
            }
        }
    }

    /// Closes the innermost open element of the name and all that is in it.
    fn end(&mut self, tag: &Tag<'h>) {
        let is_open = match tag.name {
            OTHER => self.counts[OTHER.index()] > 0 && self.others.contains_key(&tag.label.to_ascii_lowercase()),
            name => self.counts[name.index()] > 0,
        };
        while is_open && let Some(element) = self.open.pop() {
            self.close(&element);
            if element.name == tag.name && (tag.name != OTHER || element.label.eq_ignore_ascii_case(tag.label)) {
                return;
            }
        }
    }

    fn close(&mut self, element: &Open<'h>) {
        self.counts[element.name.index()] -= 1;
        if element.name == OTHER {
            let label = element.label.to_ascii_lowercase();
            if let Some(count) = self.others.get_mut(&label) {
                *count -= 1;
                if *count == 0 {
                    self.others.remove(&label);
                }
            }
        }
        while self.matched.len() > element.matched
            && let Some(node) = self.matched.pop()
        {
            self.active[node] -= 1;
            if self.active[node] == 0 {
                // the last that came: those that came later stood in this element
                self.active_nodes.pop();
            }
            self.count_texts(node, -1);
        }
    }
}
