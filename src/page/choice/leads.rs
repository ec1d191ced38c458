//! Finds the standfirst of an article, which many themes show above the content and not in it, and the title of a page that has no
//! heading.

use super::super::outline::description::{letters, words};
use super::super::title::{LONGEST_NAME, separators};
use super::{Choice, is_linked};
use crate::html::names::{self, Name};
use crate::page::rule::Rule;
use std::cell::LazyCell;
use std::ops::Range;

impl Choice {
    /// The standfirst of a block: text before the block that the page is described with, or that its place or its name says
    /// is one.
    pub(in crate::page) fn leads(&self, chosen: usize) -> Vec<(Range<usize>, Rule)> {
        let named = self.named_leads(chosen);
        let described = self.described(chosen).filter(|described| !named.contains(described));
        let named = named.into_iter().map(|at| (at, Rule::LeadNamed));
        let mut leads: Vec<_> = named.chain(described.map(|at| (at, Rule::LeadDescribed))).collect();
        leads.sort_unstable();
        leads.into_iter().map(|(at, rule)| (self.nodes()[at].outer.clone(), rule)).collect()
    }

    /// The last text before a block that begins as the description of the page does, unless the block has it, too.
    fn described(&self, chosen: usize) -> Option<usize> {
        let nodes = self.nodes();
        let is_of_page = |&at: &usize| {
            let mut around = self.outline.around(at).map(|at| nodes[at].marks);
            !is_linked(&nodes[at]) && !around.any(|marks| marks.others() || marks.comments())
        };
        let last = (0..nodes[chosen].next).rev().filter(|&at| nodes[at].is_described).find(is_of_page)?;
        // a caption is no text, wherever it is
        let is_apart = last < chosen || nodes[last].name == Name::FIGCAPTION;
        Rule::LeadDescribed.holds(is_apart && !nodes[last].name.is(names::HEADING)).then_some(last)
    }

    /// Text between the heading of the page and a block, named as a standfirst or in a header, or prose beside what holds
    /// the block.
    fn named_leads(&self, chosen: usize) -> Vec<usize> {
        let nodes = self.nodes();
        let title = (0..chosen).rev().find(|&at| nodes[at].is_run && nodes[at].name == Name::H1);
        let article = || self.outline.around(chosen).find(|&at| nodes[at].name == Name::ARTICLE);
        let Some(from) = title.or_else(article).filter(|_| nodes[chosen].titles == 0) else { return Vec::new() };
        let around: Vec<usize> = self.outline.around(chosen).collect();
        let block = |run: usize| nodes[nodes[run].parent].parent;
        let is_lead = |&at: &usize| {
            let node = &nodes[at];
            if !node.is_run || self.off[at].is_some() || node.letters > 1000 || node.points == 0 || is_linked(node) {
                return false;
            }
            let near = || self.outline.around(at).take(4);
            let is_named = near().any(|at| nodes[at].marks.lead());
            let is_in_header = near().any(|at| nodes[at].name == Name::HEADER);
            let is_beside = !node.name.is(names::HEADING) && around.contains(&node.parent);
            let is_heading = node.name.is(names::HEADING) && node.name != Name::H1;
            let is_below = || is_heading && !node.is_of_site && title.is_some_and(|title| block(title) == block(at));
            node.letters >= 40 && is_named || node.letters >= 80 && (is_in_header || is_beside || is_below())
        };
        let found: Vec<usize> = (from + 1..chosen).filter(is_lead).collect();
        if found.len() > 4 || !Rule::LeadNamed.holds(!found.is_empty()) { Vec::new() } else { found }
    }

    /// The first text with which the title of a feed of the comments begins or ends.
    pub(in crate::page) fn titled_by_feed(&self) -> Option<&str> {
        let (nodes, feeds) = (self.nodes(), &self.outline.feeds);
        if feeds.is_empty() {
            return None;
        }
        let titles = || self.outline.titles.iter().filter(|title| title.len() <= LONGEST_NAME);
        let before = titles().flat_map(|title| separators(title).map(|sign| &title[..sign.start]));
        let stated = LazyCell::new(|| titles().map(String::as_str).chain(before).map(words).collect::<Vec<_>>());
        let is_title = |&at: &usize| {
            let node = &nodes[at];
            let mut near = feeds.iter().filter(|(_, count)| (count / 2..*count).contains(&node.letters));
            let is_in = |feed: &[String]| {
                let text = self.outline.words(at);
                let ends = |feed: &[String]| Some((feed.first()?.chars().next()?, feed.last()?.chars().next_back()?));
                let may_be = |(first, last): (char, char)| {
                    letters(text).next() == Some(first) || letters(text).next_back() == Some(last)
                };
                if !ends(feed).is_some_and(may_be) {
                    return false;
                }
                let own = words(text);
                let is_end = |words: &[String]| feed.starts_with(words) || feed.ends_with(words);
                // the head may have all of it
                let is_whole = || !stated.iter().any(|title| title.len() > own.len() && is_end(title));
                !own.is_empty() && own.len() < feed.len() && is_end(&own) && is_whole()
            };
            node.is_run && !is_linked(node) && near.any(|(feed, _)| is_in(feed))
        };
        (1..nodes.len()).find(is_title).map(|at| self.outline.words(at))
    }
}
