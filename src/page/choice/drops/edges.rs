//! Cuts the edges of a text that was found by its score, not by a selector: short texts before its first prose and after its last.

use super::Drops;
use crate::html::names::{self, Name};
use crate::page::choice::is_linked;
use crate::page::outline::Node;
use crate::page::punctuation::{count, is_mark};
use crate::rule::Rule;

/// The most bytes of a date with names, such as that of the author.
const LONGEST_BYLINE: usize = 120;

/// A line with at least this many letters is more than a number of views or answers.
const LINE: usize = 25;

/// The most letters of a month with its year.
const SHORT_DATE: usize = 15;

/// A paragraph with at least this many letters, in a script without punctuation, is not a name.
const SENTENCE: usize = 15;

/// A paragraph with at least this many letters and without a punctuation mark is more than a name.
const BROKEN: usize = 40;

impl Drops<'_> {
    /// Drops short texts before the first prose and after the last.
    pub(super) fn edges(&mut self) {
        let is_prose =
            |at: &usize| self.choice.nodes()[*at].is_run() && self.choice.prose[*at] > 0 && !self.is_dropped(*at);
        let (Some(first), Some(last)) = (self.inside().find(is_prose), self.inside().rev().find(is_prose)) else {
            let title = self.inside().find(|&at| self.choice.nodes()[at].name == Name::H1);
            title.into_iter().for_each(|at| self.drop(at, Rule::Edges));
            let dates = self.inside().filter(|&at| is_date(self.choice.outline.words(at)));
            return dates.collect::<Vec<_>>().into_iter().for_each(|at| self.drop_run(at, Rule::Edges, true));
        };
        // A heading of the first prose stays.
        let before =
            self.inside().rev().find(|&at| at < first && self.choice.nodes()[at].is_run() && !self.is_dropped(at));
        let heading = before.filter(|&at| self.choice.nodes()[at].name.is(names::HEADING));
        let heading = heading.filter(|&at| self.choice.nodes()[at].name != Name::H1);
        let mut goes_on = true;
        for at in self.inside().filter(|at| !(first..=last).contains(at) && Some(*at) != heading) {
            let node = &self.choice.nodes()[at];
            if at > last && node.is_run() && node.letters() > 0 {
                goes_on &= !self.is_dropped(at) && self.goes_on(at, last);
            }
            let ends = || stays(node) || Rule::KeepLastLines.holds(goes_on) || self.sources[at];
            let stays = if at > last { ends() } else { Rule::KeepBeginning.holds(self.begins(at, first)) };
            let is_gone = node.is_run() && !stays && node.name != Name::FIGCAPTION;
            self.drop_run(at, Rule::Edges, is_gone);
        }
        self.keep_headings(last);
    }

    /// Keeps the headings after the last prose if something below them stays, such as a list.
    fn keep_headings(&mut self, last: usize) {
        let nodes = self.choice.nodes();
        let mut heads = false;
        for at in (last + 1..self.inside().end).rev().filter(|&at| nodes[at].is_run() && nodes[at].letters() > 0) {
            if !nodes[at].name.is(names::HEADING) {
                heads = !self.is_dropped(at);
            } else if Rule::KeepHeading
                .holds(std::mem::take(&mut heads) && nodes[at].name != Name::H1 && !is_linked(&nodes[at]))
            {
                self.dropped[at] = None;
            }
        }
    }

    /// If the texts of the site are known: drops the title and the texts before it, dates before the first prose, the heading of comments
    /// after the last, and links around it.
    pub(super) fn ends(&mut self) {
        let nodes = self.choice.nodes();
        let is_left = |at: &usize| nodes[*at].is_run() && nodes[*at].letters() > 0 && !self.is_dropped(*at);
        let is_apart = |at: usize| self.is_byline(at) || self.quotes_title(at);
        let is_prose =
            |at: &usize| is_left(at) && nodes[*at].letters() >= 40 && self.choice.prose[*at] > 0 && !is_apart(*at);
        let (first, last) = (self.inside().find(is_prose), self.inside().rev().find(is_prose));
        let end = first.unwrap_or(self.inside().end);
        // a single paragraph may have the same words as the title
        let may_be = |at: &usize| is_left(at) && (first.is_some() || nodes[*at].name != Name::P);
        let title =
            self.inside().take_while(|&at| at < end).filter(|at| may_be(at) && self.choice.is_title(*at)).last();
        let is_gone = |&at: &usize| {
            let node = &nodes[at];
            let is_before = at < end;
            let is_beside = is_before || last.is_none_or(|last| at > last);
            let is_dated = || is_date(self.choice.outline.words(at)) || self.is_byline(at);
            let is_nothing = || match is_before {
                true => Some(at) <= title || node.name == Name::H1 || is_dated(),
                false => is_beside && self.quotes_title(at),
            };
            let is_table = || self.choice.outline.around(at).any(|at| nodes[at].name == Name::TABLE);
            let is_link = || is_linked(node) && node.name != Name::P && !self.sources[at];
            node.is_run() && (is_nothing() || is_beside && is_link()) && !is_table()
        };
        let gone: Vec<usize> = self.inside().filter(is_gone).collect();
        gone.into_iter().for_each(|at| self.drop_run(at, Rule::Ends, true));
    }

    /// Whether a short text has a day, its year, and a link, for example to the author: a date with a byline.
    fn is_byline(&self, at: usize) -> bool {
        let words = self.choice.outline.words(at);
        self.choice.nodes()[at].linked() > 0 && words.len() <= LONGEST_BYLINE && has_year(words) && has_day(words)
    }

    /// Whether a short text quotes the title of the page, as headings of comments do in every language.
    fn quotes_title(&self, at: usize) -> bool {
        const QUOTES: [char; 9] = ['“', '”', '„', '"', '«', '»', '‘', '「', '『'];
        self.choice.outline.words(at).contains(QUOTES) && self.choice.has_title(at)
    }

    /// Whether a short paragraph next to the first prose may be its beginning: a sentence, an address, a part of a sentence, but not a
    /// date.
    fn begins(&self, at: usize, first: usize) -> bool {
        let nodes = self.choice.nodes();
        let around = |run: usize| nodes[nodes[run].parent()].parent();
        let node = &nodes[at];
        let words = self.choice.outline.words(at);
        // a paragraph that breaks off is continued by the prose
        let goes_on =
            || node.letters() >= BROKEN && (at + 1..first).all(|at| !nodes[at].is_run() || nodes[at].letters() == 0);
        let is_sentence = node.points() > 0 && words.ends_with(is_mark)
            || count(words).is_unmarked && node.letters() >= SENTENCE
            || goes_on();
        let is_plain = node.name == Name::P && node.linked() == 0 && around(at) == around(first);
        is_plain && is_sentence && !words.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// Whether a short paragraph is next to the last prose, in the same block: a signature, a dedication, a last sentence without a mark, a
    /// name with a link to another host. A theme's note about a text is in a block of its own, or has a date or links to the site.
    fn goes_on(&self, at: usize, last: usize) -> bool {
        let nodes = self.choice.nodes();
        let words = self.choice.outline.words(at);
        let is_beside =
            nodes[last].name == Name::P && nodes[nodes[at].parent()].parent() == nodes[nodes[last].parent()].parent();
        // a text that mostly consists of a link to another host may be an advertisement
        let is_text = !is_linked(&nodes[at]) && nodes[at].away() == nodes[at].linked();
        let is_plain = nodes[at].name == Name::P && is_text && is_beside;
        is_plain && (!words.bytes().any(|byte| byte.is_ascii_digit()) || is_line(words))
    }
}

/// Whether a short text with a number is more than a count of something, and is not a date.
fn is_line(words: &str) -> bool {
    !has_year(words) && count(words).letters >= LINE
}

/// Whether a short text is a date, perhaps with a name or two: it has a day, or little besides a year.
fn is_date(words: &str) -> bool {
    let is_short = || count(words).letters <= SHORT_DATE;
    words.len() <= 60 && has_year(words) && (has_day(words) || is_short())
}

fn has_day(words: &str) -> bool {
    let mut numbers = words.split(|c: char| !c.is_ascii_digit());
    numbers.any(|n| n.len() <= 2 && n.parse().is_ok_and(|day: u8| (1..=31).contains(&day)))
}

fn has_year(words: &str) -> bool {
    let mut numbers = words.split(|c: char| !c.is_ascii_digit());
    numbers.any(|n| n.len() == 4 && (n.starts_with("19") || n.starts_with("20")))
}

/// Whether a short text after the last prose is content.
fn stays(node: &Node) -> bool {
    let listed =
        matches!(node.name, Name::LI | Name::TD | Name::TH | Name::DD | Name::DT | Name::PRE | Name::BLOCKQUOTE);
    !is_linked(node) && listed || node.name == Name::P && node.points() > 0 && node.linked() * 10 <= node.letters() * 6
}
