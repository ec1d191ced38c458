//! Finds the passages that a post of a forum thread quotes from earlier posts. They are dropped, because the page has them already.

use super::Choice;
use crate::html::names::Name;
use std::collections::HashSet;
use std::ops::Range;

/// With fewer letters, a text may be just the name of the quoted writer.
const SHORTEST: usize = 15;

impl Choice {
    /// The quotations in a post whose texts all occurred before it, in ascending order. The post's own texts are added to
    /// `said`.
    pub(in crate::page) fn said_before(&self, post: &Range<usize>, said: &mut HashSet<u64>) -> Vec<Range<usize>> {
        let nodes = self.nodes();
        let first = nodes.partition_point(|node| node.outer().start < post.start);
        let end = nodes.partition_point(|node| node.outer().start < post.end);
        let texts = |inside: Range<usize>| {
            let long = inside.filter(|&at| nodes[at].is_run() && nodes[at].letters() >= SHORTEST);
            long.filter_map(|at| self.outline.hash(at))
        };
        let (mut at, mut own, mut quotes) = (first, Vec::new(), Vec::new());
        while at < end {
            let next = nodes[at].next().min(end);
            let is_quote = nodes[at].name == Name::BLOCKQUOTE && !nodes[at].is_run();
            let is_said =
                is_quote && texts(at..next).next().is_some() && texts(at..next).all(|text| said.contains(&text));
            if is_said {
                quotes.push(nodes[at].outer());
            } else if !is_quote {
                own.extend(texts(at..at + 1));
            }
            at = if is_quote { next } else { at + 1 };
        }
        said.extend(own);
        quotes
    }
}
