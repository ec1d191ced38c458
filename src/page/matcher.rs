//! Matches many CSS selectors at once in one pass over a page; selectors that begin alike share that beginning. The element
//! stack of [`crate::html::elements`] decides which element is inside which, as for contents.

use super::event::{Event, StartTag};
use super::index::{Classes, Index};
use super::selector::{self, Combinator, Compound, alternatives};
use crate::html::elements::{Element, Sink};
use crate::html::tokenizer::{Attributes, Nul, Text};
use crate::urls::QuickMap;
use std::ops::Range;

/// Selectors as a forest: a path from a root to a node is a selector, or the common beginning of several.
#[derive(Default)]
pub(super) struct Forest {
    nodes: Vec<Node>,
    /// The numbers of all nodes that are not `is_given`, by their place and their conditions.
    numbers: QuickMap<(Option<Place>, Compound), usize>,
}

/// The relation to the previous node, and its number.
type Place = (Combinator, usize);

#[derive(Default)]
struct Node {
    compound: Compound,
    parent: Option<Place>,
    /// The selectors that end here.
    selectors: Vec<usize>,
    /// Not matched here: the caller matches its selector.
    is_given: bool,
    /// Whether the key by which it is found in the index is its only condition.
    is_sure: bool,
}

impl Forest {
    /// Adds a selector under its number. If it cannot be parsed here, the caller has to match it, and its node is returned.
    pub(super) fn add(&mut self, number: usize, text: &str) -> Option<usize> {
        let parsed: Option<Vec<_>> = alternatives(text).into_iter().map(selector::parse).collect();
        let Some(parsed) = parsed else {
            self.nodes.push(Node { selectors: vec![number], is_given: true, ..Node::default() });
            return Some(self.nodes.len() - 1);
        };
        for compounds in parsed {
            let mut at = None;
            for (combinator, compound) in compounds {
                at = Some(self.child(at.map(|parent| (combinator, parent)), compound));
            }
            let ends = at.map(|at| &mut self.nodes[at].selectors);
            ends.into_iter().filter(|ends| !ends.contains(&number)).for_each(|ends| ends.push(number));
        }
        None
    }

    /// The node of `compound` under `parent`, made if there is none.
    fn child(&mut self, parent: Option<Place>, compound: Compound) -> usize {
        let Forest { nodes, numbers } = self;
        *numbers.entry((parent, compound)).or_insert_with_key(|(parent, compound)| {
            nodes.push(Node {
                is_sure: compound.is_key(),
                compound: compound.clone(),
                parent: *parent,
                ..Node::default()
            });
            nodes.len() - 1
        })
    }

    /// An index of the nodes that lead to wanted selectors.
    pub(super) fn index(&self, is_wanted: impl Fn(usize) -> bool) -> Index {
        let leading = self.leading(is_wanted);
        let asked = self.nodes.iter().enumerate().filter(|(at, node)| leading[*at] && !node.is_given);
        Index::new(asked.map(|(at, node)| (at, node.compound.key())))
    }

    /// Which nodes lead to a wanted selector. A node's number is higher than its parent's.
    fn leading(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut leading = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            leading[at] |= node.selectors.iter().any(|&selector| is_wanted(selector));
            if let Some((_, parent)) = node.parent {
                leading[parent] |= leading[at];
            }
        }
        leading
    }
}

/// The events that are wanted for a selector.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Nothing,
    Tags,
    TagsAndText,
}

/// An open element.
struct OpenElement {
    /// Where its nodes begin in `matched`.
    matched: usize,
    /// A reopened link, which has been reported.
    again: bool,
    /// It ended before its contents.
    ended: bool,
}

/// Reports the matches of the wanted selectors: tags in document order, for one element in the order of the selectors.
pub(super) struct Matcher<'m, F> {
    forest: &'m Forest,
    wants: &'m [Want],
    /// Matches found by the caller: the position of a start tag, and the node, in ascending order.
    given: &'m [(usize, usize)],
    /// Tags that start here or later cannot match, unless they are inside an element that matched before.
    until: usize,
    is_done: bool,
    index: &'m Index,
    classes: Option<&'m mut Classes>,
    open: Vec<OpenElement>,
    /// The position of the last start tag.
    last: Option<usize>,
    /// The nodes that open elements match, element by element.
    matched: Vec<usize>,
    /// How many open elements match a node.
    active: Vec<u32>,
    /// Whether any text is wanted.
    has_texts: bool,
    /// In how many open elements the text is wanted, by selector and in total.
    texts: Vec<u32>,
    all_texts: u32,
    scratch: String,
    on_event: F,
}

impl<'m, F: FnMut(usize, &Event<'_>)> Matcher<'m, F> {
    pub(super) fn new(
        forest: &'m Forest,
        (index, classes): (&'m Index, Option<&'m mut Classes>),
        wants: &'m [Want],
        given: &'m [(usize, usize)],
        until: usize,
        on_event: F,
    ) -> Self {
        Matcher {
            index,
            classes,
            active: vec![0; forest.nodes.len()],
            texts: vec![0; wants.len()],
            forest,
            wants,
            given,
            until,
            is_done: false,
            has_texts: wants.contains(&Want::TagsAndText),
            open: Vec::with_capacity(64),
            last: None,
            matched: Vec::new(),
            all_texts: 0,
            scratch: String::new(),
            on_event,
        }
    }

    /// Appends the nodes that an element matches to `matched`.
    fn match_nodes(&mut self, element: &Element<'_>, attributes: Attributes<'_, '_>, start: usize) {
        let begins = self.matched.len();
        let parent = self.open.iter().rev().find(|open| !open.ended).map_or(begins, |parent| parent.matched);
        let Matcher { forest, index, classes, matched, active, .. } = self;
        index.each(element, attributes, classes.as_deref_mut(), |at| {
            let node = &forest.nodes[at];
            let is_placed = match node.parent {
                None => true,
                Some((Combinator::Below, above)) => active[above] > 0,
                Some((Combinator::RightBelow, above)) => matched[parent..begins].contains(&above),
            };
            // a class attribute may repeat a class
            if is_placed
                && (node.is_sure || node.compound.matches(element, attributes))
                && !matched[begins..].contains(&at)
            {
                matched.push(at);
            }
        });
        if self.given.is_empty() {
            return;
        }
        let given = &self.given[self.given.partition_point(|(at, _)| *at < start)..];
        matched.extend(given.iter().take_while(|(at, _)| *at == start).map(|(_, node)| *node));
    }

    /// Reports an event to the selectors that end at these nodes.
    fn tell(&mut self, nodes: Range<usize>, event: &Event<'_>) {
        match self.matched[nodes.clone()] {
            [] => return,
            [node] => {
                for &selector in &self.forest.nodes[node].selectors {
                    if self.wants[selector] != Want::Nothing {
                        (self.on_event)(selector, event);
                    }
                }
                return;
            }
            _ => {}
        }
        let ends = self.matched[nodes].iter().flat_map(|&node| &self.forest.nodes[node].selectors).copied();
        let mut selectors: Vec<usize> = ends.filter(|&selector| self.wants[selector] != Want::Nothing).collect();
        selectors.sort_unstable();
        selectors.dedup();
        for selector in selectors {
            (self.on_event)(selector, event);
        }
    }

    fn count_texts(&mut self, node: usize, change: i32) {
        if !self.has_texts {
            return;
        }
        for &selector in &self.forest.nodes[node].selectors {
            if self.wants[selector] == Want::TagsAndText {
                self.texts[selector] = self.texts[selector].wrapping_add_signed(change);
                self.all_texts = self.all_texts.wrapping_add_signed(change);
            }
        }
    }

    /// Ends the open element at `at`, whose nodes are `matched` up to `end`.
    fn end(&mut self, at: usize, end: usize, tag: Range<usize>) {
        let open = &mut self.open[at];
        if !std::mem::replace(&mut open.ended, true) && !open.again {
            let nodes = open.matched..end;
            self.tell(nodes, &Event::End(tag));
        }
    }

    /// Forgets the elements whose nodes begin at `matched`: they are complete.
    fn leave(&mut self, matched: usize) {
        while self.matched.len() > matched
            && let Some(node) = self.matched.pop()
        {
            self.active[node] -= 1;
            self.count_texts(node, -1);
        }
    }
}

impl<'a, F: FnMut(usize, &Event<'_>)> Sink<'a> for Matcher<'_, F> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, tag: Range<usize>) {
        if tag.start >= self.until && self.matched.is_empty() {
            self.is_done = true;
            return;
        }
        // elements that ended before their contents have no end of their own here
        self.open.truncate(depth - 1);
        let begins = self.matched.len();
        self.match_nodes(element, attributes, tag.start);
        let again = self.last.is_some_and(|last| tag.start <= last);
        if !again {
            self.last = Some(tag.start);
            self.tell(begins..self.matched.len(), &Event::Start(StartTag { place: tag, attributes }));
        }
        for at in begins..self.matched.len() {
            let node = self.matched[at];
            self.active[node] += 1;
            self.count_texts(node, 1);
        }
        self.open.push(OpenElement { matched: begins, again, ended: false });
    }

    fn close(&mut self, _: &Element<'a>, depth: usize, tag: Range<usize>) {
        while self.open.len() > depth && self.open.pop_if(|open| open.ended).is_some() {}
        if let Some(next) = self.open.get(depth) {
            self.end(depth - 1, next.matched, tag);
        } else if self.open.len() == depth {
            self.end(depth - 1, self.matched.len(), tag);
            let left = self.open.iter().rev().take_while(|open| open.ended).last();
            let keep = left.map_or(self.matched.len(), |open| open.matched);
            self.leave(keep);
            self.open.pop();
        }
    }

    fn text(&mut self, text: Text<'a>, _: &Element<'a>) {
        if self.all_texts == 0 {
            return;
        }
        let text = text.decode(&mut self.scratch, Nul::Replace);
        for selector in 0..self.texts.len() {
            if self.texts[selector] > 0 {
                (self.on_event)(selector, &Event::Text(text));
            }
        }
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
