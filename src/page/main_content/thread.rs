//! Finds the content of forum threads: it consists of the texts of all their posts, one after the other.

use super::{By, Chosen, ContentBuffer, Cut, MainContent, Match, PageScan, Scored};
use super::{by_selector, keep, matches, merged, rules};
use crate::page::choice::{Choice, Drop};
use crate::page::content_selectors::{ContentSelectors, Role};
use crate::rule::Rule;
use memchr::memmem;
use std::collections::HashSet;
use std::ops::Range;

/// How many times the prose of the page the contents of a noscript must have to be used instead.
const MORE: usize = 10;

/// The HTML that a page shows without scripts, if that is a thread that scripts would show. Not for a WordPress post or a page
/// with a text of its own: there, the noscript holds comments.
pub(super) fn without_scripts<'p>(
    html: &'p str,
    selectors: &ContentSelectors,
    buffer: &mut ContentBuffer,
) -> Option<&'p str> {
    let inside = in_noscript(html, selectors)?;
    let page = Choice::new(PageScan::new(html, selectors, buffer).outline);
    let letters = PageScan::new(inside, selectors, buffer).outline.nodes[0].letters();
    (!page.is_of_one_post() && page.letters_of_prose() * MORE <= letters).then_some(inside)
}

/// The contents of a noscript with a thread.
fn in_noscript<'p>(html: &'p str, selectors: &ContentSelectors) -> Option<&'p str> {
    let mut from = 0;
    while let Some(start) = memmem::find(&html.as_bytes()[from..], b"<noscript") {
        let start = from + start;
        let end = memmem::find(&html.as_bytes()[start..], b"</noscript").map_or(html.len(), |end| start + end);
        let tag = html[start..end].find('>').map_or(end, |tag| start + tag + 1);
        let inside = &html[tag..end];
        if selectors.noscript.iter().any(|thread| memmem::find(inside.as_bytes(), thread.as_bytes()).is_some()) {
            return Some(inside);
        }
        from = end;
    }
    None
}

impl<'p> Scored<'p> {
    /// The texts of a thread, unless the page shows a WordPress post.
    pub(super) fn thread(&self) -> Option<Chosen<'p>> {
        if self.choice.is_of_one_post() {
            return None;
        }
        let systems = self.matches.iter().filter(|found| self.has_letters(found)).filter_map(system);
        let first = systems.min()?;
        let start = self.texts(first).next()?.outer.start;
        Some(Chosen { block: self.choice.before(start), by: By::Thread(first), rule: Rule::Thread })
    }

    /// Whether an element has text to read; true for inline elements, where this is unknown.
    fn has_letters(&self, found: &Match) -> bool {
        !found.inner.is_empty() && self.choice.at(found.outer.start).is_none_or(|at| self.choice.letters(at) > 0)
    }

    /// The texts of the posts of one forum system; texts inside others are left out.
    fn texts(&self, of: usize) -> impl Iterator<Item = &Match> {
        let mut end = 0;
        let texts = self.matches.iter().filter(move |found| system(found) == Some(of) && self.has_letters(found));
        texts.filter(move |found| {
            let is_apart = found.outer.start >= end;
            end = end.max(found.outer.end);
            is_apart
        })
    }

    /// All texts of a thread.
    pub(super) fn cut_thread(&self, system: usize) -> Cut {
        let (mut html, mut letters, mut texts) = (String::new(), 0, 0);
        let (mut all_kept, mut all_dropped) = (Vec::new(), Vec::new());
        let mut said = HashSet::new();
        for text in self.texts(system) {
            let mut quoted = self.choice.said_before(&text.inner, &mut said);
            quoted.retain(|_| Rule::Quoted.is_on());
            let mut drops = by_selector(&self.dropped_in(&text.inner));
            drops.extend(quoted.into_iter().map(|at| Drop { at, rule: Rule::Quoted }));
            let dropped = merged(drops.iter().map(|drop| drop.at.clone()).collect());
            let kept = keep(&text.inner, &dropped);
            html.push_str("<div>");
            html.extend(kept.iter().map(|kept| &self.html[kept.clone()]));
            html.push_str("</div>\n");
            let own = self.choice.kept(text.inner.clone(), &dropped);
            (letters, texts) = (letters + own.0, texts + own.1);
            all_kept.extend(kept);
            all_dropped.extend(drops);
        }
        let rules = rules(Rule::Thread, &all_dropped);
        // Quotations of other posts are still there.
        let (rule, share, dropped) = ("thread".to_owned(), self.choice.share(letters), 0.0);
        let content = MainContent { html, rule, share, texts, dropped, rules };
        Cut { content, text: None, kept: all_kept, dropped: all_dropped }
    }

    /// The parts of a post that are boilerplate by their selectors. Their names do not count: a whole thread may be in an element
    /// named as comments.
    fn dropped_in(&self, text: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.matches.partition_point(|found| found.outer.start < text.start);
        let inside = self.matches[first..].iter().take_while(|found| found.outer.start < text.end);
        if Rule::Dropped.is_on() { matches::dropped(inside) } else { Vec::new() }
    }
}

/// The forum system of a post.
fn system(found: &Match) -> Option<usize> {
    if let Role::Reply(system) = found.role { Some(system) } else { None }
}
