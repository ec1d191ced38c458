//! Recognises the texts of a page that belong to its site because they repeat on other pages. Exceptions are short texts between two that
//! do not repeat, such as a heading that an author uses in every text, and texts that an author repeats between paragraphs.

use super::super::template::{REPEATED, Site};
use super::titles::{parts, shows_title};
use super::{Choice, MUCH, is_linked};
use crate::html::names::{self, Name};
use crate::page::outline::Outline;
use crate::page::outline::cards::PROSE;
use crate::rule::Rule;
use std::ops::Range;

/// The most letters of a group of repeated texts that may be the author's.
const SHORT: usize = 60;
/// The most texts in such a group.
const FEW: usize = 3;

/// The cells of tables of data. Tables used as layouts have other elements in their cells.
const CELLS: [Name; 5] = [Name::TD, Name::TH, Name::CAPTION, Name::DT, Name::DD];
/// The part of a table that must be the page's own for the whole table to be, as a divisor.
const PART: usize = 5;

/// With at least this many paragraphs, a text is longer than a site's note about itself below each post.
const PARAGRAPHS: usize = 3;

/// A page whose content has fewer letters of prose has next to none of its own.
const LITTLE: i64 = 40;

impl Choice {
    /// Chooses the content of the page again, without the texts of its site.
    ///
    /// A text that an author repeats among paragraphs is on fewer than half of the pages; a plugin's text is on more. If next to nothing
    /// is left, only texts on most pages are removed: the pages of a small site may share their texts. If a post still has next to
    /// nothing and the page is long, the repeated text is its content: a site that demonstrates a theme may show one text in all posts.
    pub(in crate::page) fn without_site(self, site: &Site) -> Choice {
        let is_empty = |choice: &Choice| choice.best.map_or(0, |best| choice.score[best]) < LITTLE;
        let texts = Texts::of(&self.outline, site);
        let choice = self.without(&texts, REPEATED);
        if !is_empty(&choice) {
            return choice;
        }
        let choice = choice.without(&texts, texts.most);
        if !is_empty(&choice) || !choice.outline.is_of_one_post || choice.nodes()[0].letters() < MUCH as usize {
            return choice;
        }
        let all = Choice::new(choice.unmarked());
        match all.text_of_post().filter(|_| Rule::SharedText.is_on()) {
            Some(text) => Choice { best: Some(text), best_by: Rule::SharedText, ..all },
            None => all.without(&texts, texts.most),
        }
    }

    /// The block with much prose that is named as content and has no footer in it.
    fn text_of_post(&self) -> Option<usize> {
        let nodes = self.nodes();
        let is_paragraph = |at: usize| nodes[at].name == Name::P && nodes[at].is_run() && self.prose[at] > 0;
        let is_footer = |at: usize| nodes[at].name == Name::FOOTER;
        // paragraphs and footers up to each node, so that nested blocks are not read again
        let mut sums = vec![(0, 0)];
        for at in 0..nodes.len() {
            let (paragraphs, footers) = sums[at];
            sums.push((paragraphs + usize::from(is_paragraph(at)), footers + usize::from(is_footer(at))));
        }
        let is_text = |&at: &usize| {
            let (before, after) = (sums[at], sums[nodes[at].next()]);
            let is_frame = matches!(nodes[at].name, Name::HTML | Name::BODY | Name::MAIN);
            let is_named = nodes[at].marks().content() && !is_frame && self.off[at].is_none();
            is_named && self.score[at] >= MUCH && before.1 == after.1 && before.0 + PARAGRAPHS <= after.0
        };
        let texts = (0..nodes.len()).filter(is_text);
        texts.max_by_key(|&at| (self.score[at], at))
    }

    fn unmarked(self) -> Outline {
        let mut outline = self.outline;
        outline.nodes.iter_mut().for_each(|node| (node.is_of_site, node.is_title) = (false, false));
        outline.knows_site = false;
        outline
    }

    /// Chooses the content without the texts that are on at least `pages` other pages.
    fn without(self, texts: &Texts, pages: u32) -> Choice {
        let mut outline = self.unmarked();
        let Texts { runs, others, .. } = texts;
        let repeated: Vec<bool> = others.iter().map(|&others| others >= pages).collect();
        let mut first = 0;
        for part in repeated.chunk_by(|a, b| a == b) {
            let place = first..first + part.len();
            first = place.end;
            let is_between = place.start > 0 && place.end < runs.len();
            let letters: usize = runs[place.clone()].iter().map(|&at| outline.nodes[at].letters()).sum();
            let has_links = || runs[place.clone()].iter().any(|&at| is_linked(&outline.nodes[at]));
            let is_short = || part.len() <= FEW && letters <= SHORT || is_in_list(&outline, runs, &place);
            let is_on_most = || others[place.clone()].iter().any(|&others| others >= texts.most);
            let is_again = || is_among_paragraphs(&outline, runs, &place) && !is_on_most();
            let is_author_s = is_between
                && (Rule::KeepBetween.holds(is_short() && !has_links())
                    || Rule::KeepAgain.holds(part[0] && is_again()));
            if Rule::Repeated.holds(part[0] && !is_author_s) {
                let place = place.start + closing(&outline, runs, &place)..place.end;
                runs[place].iter().for_each(|&at| outline.nodes[at].is_of_site = true);
            }
        }
        keep_data(&mut outline, runs);
        texts.titles.iter().for_each(|&at| outline.nodes[at].is_title = Rule::RepeatedTitle.is_on());
        outline.knows_site = true;
        Choice::new(outline)
    }
}

/// The texts of a page as runs of its outline.
struct Texts {
    runs: Vec<usize>,
    /// The number of other pages that have each text.
    others: Vec<u32>,
    /// A text on at least this many of the other pages is the site's even between paragraphs: half of them (`Site::most`).
    most: u32,
    /// Runs with the title of the page.
    titles: Vec<usize>,
}

impl Texts {
    fn of(outline: &Outline, site: &Site) -> Self {
        let is_text = |at: &usize| outline.nodes[*at].is_run() && outline.nodes[*at].letters() > 0;
        let runs: Vec<usize> = (0..outline.nodes.len()).filter(is_text).collect();
        let parts = parts(&outline.titles);
        let titles = runs.iter().copied().filter(|&at| shows_title(outline, at, &parts)).collect();
        Texts { others: site.others(outline, &runs), most: site.most(), runs, titles }
    }
}

/// Treats a table of data or a list of definitions as the author's as a whole if a part of it is: labels repeat.
fn keep_data(outline: &mut Outline, runs: &[usize]) {
    let mut at = 0;
    while at < outline.nodes.len() {
        let node = &outline.nodes[at];
        let is_data = matches!(node.name, Name::TABLE | Name::DL) && !node.is_run();
        let next = if is_data { node.next() } else { at + 1 };
        if is_data {
            let first = runs.partition_point(|&run| run < at);
            let texts = &runs[first..first + runs[first..].partition_point(|&run| run < next)];
            let letters = |run: &usize| outline.nodes[*run].letters();
            let own: usize = texts.iter().filter(|&&run| !outline.nodes[run].is_of_site).map(letters).sum();
            let is_short = |run: &usize| CELLS.contains(&outline.nodes[*run].name) || letters(run) < PROSE;
            let is_own = if node.name == Name::DL { own > 0 } else { own * PART >= node.letters() };
            if Rule::KeepData.holds(is_own && texts.iter().all(is_short)) {
                texts.iter().for_each(|&run| outline.nodes[run].is_of_site = false);
            }
        }
        at = next;
    }
}

/// Whether texts are paragraphs and headings between two paragraphs, all in one element.
fn is_among_paragraphs(outline: &Outline, runs: &[usize], texts: &Range<usize>) -> bool {
    let list = |at: usize| outline.nodes[outline.nodes[at].parent()].parent();
    let is_beside = |&at: &usize| list(at) == list(runs[texts.start]);
    let is_paragraph = |text: usize| {
        let node = &outline.nodes[runs[text]];
        node.name == Name::P && node.linked() < node.letters()
    };
    let is_text = |&at: &usize| {
        let node = &outline.nodes[at];
        (node.name == Name::P || node.name.is(names::HEADING)) && !is_linked(node)
    };
    let (before, after) = (texts.start - 1, texts.end);
    is_paragraph(before)
        && is_paragraph(after)
        && runs[before..=after].iter().all(is_beside)
        && runs[texts.clone()].iter().all(is_text)
}

/// How many of these texts are the last lines of the page's own text: short paragraphs at the end of the element, such as the name below
/// a letter.
fn closing(outline: &Outline, runs: &[usize], texts: &Range<usize>) -> usize {
    let nodes = &outline.nodes;
    let list = |at: usize| nodes[nodes[at].parent()].parent();
    let is_paragraph = |at: usize| nodes[at].name == Name::P && nodes[at].linked() == 0;
    let Some(&last) = texts.start.checked_sub(1).map(|before| &runs[before]).filter(|&&last| is_paragraph(last)) else {
        return 0;
    };
    let is_line = |&&at: &&usize| is_paragraph(at) && list(at) == list(last);
    let lines = || runs[texts.clone()].iter().take_while(is_line);
    let goes_on = runs.get(texts.start + lines().count()).is_some_and(|&next| next < nodes[list(last)].next());
    let letters: usize = lines().map(|&at| nodes[at].letters()).sum();
    let is_label =
        |&at: &usize| outline.words(at).ends_with(':') || outline.words(at).bytes().any(|b| b.is_ascii_digit());
    let are_few = (1..=FEW).contains(&lines().count()) && letters <= SHORT;
    if Rule::KeepClosing.holds(are_few && !goes_on && !lines().any(is_label)) { lines().count() } else { 0 }
}

/// Whether a text is a list item between two items of the same list.
fn is_in_list(outline: &Outline, runs: &[usize], texts: &Range<usize>) -> bool {
    let item = |at: usize| outline.nodes[runs[at]].parent();
    let list = |at: usize| {
        Some(item(at)).filter(|item| outline.nodes[*item].name == Name::LI).map(|item| outline.nodes[item].parent())
    };
    let own = list(texts.start);
    texts.len() == 1 && own.is_some() && list(texts.start - 1) == own && list(texts.end) == own
}
