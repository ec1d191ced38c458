//! Finds the title of a page among its texts, by the titles that its head states.

use super::super::outline::description::letters;
use super::super::outline::{Node, Outline};
use super::super::title::separators;
use super::Choice;
use crate::html::names::{self, Name};
use std::ops::Range;

/// The fewest letters of a title.
const SHORTEST: usize = 3;

/// The most bytes of a title that is split into parts.
const LONGEST: usize = 500;
/// The most separators at which a title is split.
const MOST_PARTS: usize = 6;

/// The titles in a page's head and their parts, as letters: first the whole titles, then their beginnings, then their ends.
pub(super) fn parts(titles: &[String]) -> Vec<Vec<char>> {
    let short = || titles.iter().filter(|title| title.len() <= LONGEST);
    let before = short().flat_map(|title| separators(title).take(MOST_PARTS).map(|sign| &title[..sign.start]));
    let after = short().flat_map(|title| separators(title).take(MOST_PARTS).map(|sign| &title[sign.end..]));
    let parts = short().map(String::as_str).chain(before).chain(after).map(|part| letters(part).collect::<Vec<char>>());
    parts.filter(|part| part.len() >= SHORTEST).collect()
}

/// Whether a run is a heading with the title of the page, or a breadcrumb with links that ends with the title.
pub(super) fn shows_title(outline: &Outline, at: usize, parts: &[Vec<char>]) -> bool {
    let node = &outline.nodes[at];
    let is_heading = node.name.is(names::HEADING);
    if !is_heading && node.linked() == 0 {
        return false;
    }
    let own = || letters(outline.words(at));
    let is_end = |part: &[char]| {
        let mut own = own().rev();
        part.iter().rev().all(|&c| own.next() == Some(c)) && own.next().is_some()
    };
    parts.iter().any(|part| if is_heading { own().eq(part.iter().copied()) } else { is_end(part) })
}

impl Choice {
    /// The titles in the page's head and their parts.
    fn parts(&self) -> &[Vec<char>] {
        self.parts.get_or_init(|| parts(&self.outline.titles))
    }

    /// Whether a heading has the title of the page or a part of it, as the head states it.
    pub(super) fn says_title(&self, at: usize) -> bool {
        shows_title(&self.outline, at, self.parts())
    }

    /// Whether a short run is the title of the page, or its beginning or end, as the head states it. A heading may have any beginning
    /// or end; any other text must be a part between separators.
    pub(super) fn is_title(&self, at: usize) -> bool {
        let own: Vec<char> = letters(self.outline.words(at)).collect();
        if !self.nodes()[at].name.is(names::HEADING) {
            return self.parts().contains(&own);
        }
        let is_in = |title: &String| {
            let title: Vec<char> = letters(title).collect();
            title.starts_with(&own) || title.ends_with(&own)
        };
        own.len() >= SHORTEST && self.outline.titles.iter().any(is_in)
    }

    /// Whether a short run contains the title of the page among other words.
    pub(super) fn has_title(&self, at: usize) -> bool {
        let own: Vec<char> = letters(self.outline.words(at)).collect();
        self.parts().iter().any(|part| part.len() < own.len() && own.windows(part.len()).any(|words| words == part))
    }

    /// The contents of the headings of any level that have a part of a title in the head: by the order of the parts, then by level.
    pub(in crate::page) fn stated_headings(&self) -> Vec<Range<usize>> {
        const LEVELS: [Name; 6] = [Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];
        let is_heading = |node: &Node| node.is_run() && node.name.is(names::HEADING) && !node.is_of_site;
        let is_own = |&at: &usize| is_heading(&self.nodes()[at]) && !self.is_of_others(self.nodes()[at].outer().start);
        let mut found: Vec<(usize, usize, Range<usize>)> = Vec::new();
        for at in (1..self.nodes().len()).filter(is_own) {
            let is_it = |part: &Vec<char>| letters(self.outline.words(at)).eq(part.iter().copied());
            if let Some(part) = self.parts().iter().position(is_it) {
                let level = LEVELS.iter().position(|level| *level == self.nodes()[at].name).unwrap_or_default();
                found.push((part, level, self.inner(self.nodes()[at].parent())));
            }
        }
        found.sort_by_key(|(part, level, _)| (*part, *level));
        found.into_iter().take(MOST_PARTS).map(|(_, _, range)| range).collect()
    }

    /// Whether the text of the element that starts there is the site's. The title and its beginning never are, though menus have them.
    pub(in crate::page) fn is_of_site(&self, start: usize) -> bool {
        let Some(at) = self.at(start) else { return false };
        let inside = at + 1..self.nodes()[at].next();
        let mut runs = inside.filter(|&at| self.nodes()[at].is_run() && self.nodes()[at].letters() > 0).peekable();
        runs.peek().is_some() && runs.all(|run| self.nodes()[run].is_of_site && !self.begins_title(run))
    }

    /// Whether an element is the only first-level heading of a page (not a post): the site's menus may all contain its title.
    pub(in crate::page) fn is_only_title(&self, start: usize) -> bool {
        let is_h1 = |at: usize| self.nodes()[at].name == Name::H1;
        self.outline.is_page && self.nodes()[0].titles() == 1 && self.at(start).is_some_and(is_h1)
    }

    /// Whether an element contains a heading with a part of the title that the head states: lists on other pages have it, too.
    pub(in crate::page) fn is_stated_title(&self, start: usize) -> bool {
        let inside = self.at(start).map_or(0..0, |at| at + 1..self.nodes()[at].next());
        let is_it = |&at: &usize| self.nodes()[at].is_run() && self.nodes()[at].name.is(names::HEADING);
        inside.filter(is_it).any(|at| self.says_title(at))
    }

    fn begins_title(&self, at: usize) -> bool {
        let own = || letters(self.outline.words(at));
        let titles = &self.outline.titles;
        let signs = titles.iter().flat_map(|of| separators(of).take(MOST_PARTS).map(move |sign| (of, sign.start)));
        let mut ends = signs.chain(titles.iter().map(|title| (title, title.len())));
        own().next().is_some() && ends.any(|(title, end)| letters(&title[..end]).eq(own()))
    }
}
