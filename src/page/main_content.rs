//! Finds the main content of a scraped page: the part of its HTML that is the post itself, without menus, comments, buttons and other
//! posts. Other modules extract texts, links and images from the HTML that is returned here.
//!
//! The page is read once ([`PageScan`]), to learn which elements the selectors match and how much text each block has. Blocks are scored by
//! their text ([`Scored`]), and one is chosen ([`Chosen`]): the element of the most trusted selector that the score does not contradict, or
//! else the block with the best score, or a list of posts. Boilerplate in it is cut out.

mod explain;
mod messages;
mod shown;
mod thread;

use super::choice::{Block, Choice, Drop};
use super::content_selectors::{ContentSelectors, Role};
use super::matches::{self, Match};
use super::outline::{Buffer, Builder, Outline};
use super::stated::{self, PageStatements};
use super::template::Site;
use crate::html::elements::{self, Sink, read};
use crate::rule::Rule;
pub(crate) use explain::Explained;
use memchr::memmem;
use shown::{Empty, shows_anything};
use std::cell::LazyCell;
use std::ops::Range;

/// What a page shows as its main content.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MainContent {
    /// The content, as HTML: the inside of its element, without boilerplate.
    pub html: String,
    /// The selector that found it, `scored` or `list`.
    pub rule: String,
    /// Its share of the visible letters of the page.
    pub share: f64,
    /// The number of its texts, each between two tags of blocks.
    pub texts: usize,
    /// The share that was dropped of the letters in its place.
    pub dropped: f64,
    /// The rules that decided: the one that chose its place, and those that dropped parts of it.
    pub rules: Vec<Rule>,
}

/// Memory that is reused for the next page.
#[derive(Default)]
pub(crate) struct ContentBuffer {
    selecting: super::select::Memory,
    outlines: Buffer,
    /// Each text of the last page, and why it is content or not, if [`ContentBuffer::explain`] was called.
    explained: Vec<Explained>,
}

impl ContentBuffer {
    /// From now on, keeps the reason why each text of a page is content or not.
    pub(crate) fn explain(&mut self) {
        self.outlines.pieces = Some(Vec::new());
    }

    /// Why each text of the last page is content or not.
    pub(crate) fn take_explained(&mut self) -> Vec<Explained> {
        std::mem::take(&mut self.explained)
    }
}

/// The main content of a page, if it has one, and what the page's elements state about its post. `site` gives the template of the site; it
/// is called only if no selector finds the content. `beside` gets all events of the page during the same reading.
pub(crate) fn main_content(
    html: &str,
    selectors: &ContentSelectors,
    buffer: &mut ContentBuffer,
    beside: &mut impl for<'a> Sink<'a>,
    site: impl FnOnce() -> Option<Site>,
) -> (Option<MainContent>, PageStatements) {
    let mut reading = PageScan::beside(html, selectors, buffer, beside);
    let json_ld = std::mem::take(&mut reading.outline.json_ld);
    if reading.outline.has_noscript
        && let Some(inside) = thread::without_scripts(html, selectors, buffer).filter(|_| Rule::Noscript.is_on())
    {
        reading = PageScan::new(inside, selectors, buffer);
    }
    let html = reading.html;
    let mut page = reading.score();
    if !page.choose().is_some_and(|chosen| matches!(chosen.by, By::Selector(_) | By::Thread(_)) || selectors.own)
        && let Some(site) = site()
    {
        page.choice = page.choice.without_site(&site);
    }
    let chosen = page.choose();
    let is_list = chosen.is_some_and(|chosen| chosen.by == By::List);
    let place = chosen.filter(|_| !is_list).map(|chosen| page.inner(chosen));
    let cut = chosen.map(|chosen| page.cut(chosen));
    let text = cut.as_ref().and_then(|cut| cut.text);
    if let Some(pieces) = &mut buffer.outlines.pieces {
        // Their positions in the page, from those in memory.
        pieces.iter_mut().for_each(|piece| piece.at = piece.at.saturating_sub(html.as_ptr() as usize));
        buffer.explained = page.explain(pieces, chosen, cut.as_ref());
    }
    let stated = PageStatements { json_ld, ..stated::of(html, &page.matches, &page.choice, (place, text), is_list) };
    // One post of a list may be protected.
    let content = cut.filter(|_| is_list || !stated.is_protected).map(|cut| cut.content);
    buffer.outlines.take_back(page.choice.into_outline());
    (content, stated)
}

/// What one reading of a page gathers: the elements that selectors match, and the blocks of the page.
struct PageScan<'p> {
    html: &'p str,
    selectors: &'p ContentSelectors,
    matches: Vec<Match>,
    outline: Outline,
}

impl<'p> PageScan<'p> {
    fn new(html: &'p str, selectors: &'p ContentSelectors, buffer: &mut ContentBuffer) -> Self {
        PageScan::beside(html, selectors, buffer, &mut ())
    }

    fn beside(
        html: &'p str,
        selectors: &'p ContentSelectors,
        buffer: &mut ContentBuffer,
        beside: &mut impl for<'a> Sink<'a>,
    ) -> Self {
        let mut outline = Builder::new(&mut buffer.outlines);
        let matches = matches::find(html, selectors, &mut buffer.selecting, &mut outline, beside);
        let mut outline = outline.finish(html.len());
        // The whole page may be invisible until a script has chosen the colours.
        if outline.nodes[0].letters() == 0 && memmem::find(html.as_bytes(), b"visibility").is_some() {
            let mut all = Builder::new(&mut buffer.outlines).showing_all();
            read(
                html,
                elements::ParseOptions { page: true, ..Default::default() },
                &mut buffer.selecting.elements,
                &mut all,
            );
            outline = all.finish(html.len());
        }
        PageScan { html, selectors, matches, outline }
    }

    fn score(self) -> Scored<'p> {
        let PageScan { html, selectors, mut matches, outline } = self;
        if !selectors.own {
            matches.retain(|found| !Rule::PlaceOfDocument.holds(shows_another(found, outline.number)));
        }
        let known = if Rule::Dropped.is_on() { matches::dropped(&matches) } else { Vec::new() };
        Scored { html, selectors, matches, known, choice: Choice::new(outline) }
    }
}

/// A page whose blocks are scored.
struct Scored<'p> {
    html: &'p str,
    selectors: &'p ContentSelectors,
    matches: Vec<Match>,
    /// The ranges that selectors name as boilerplate, in ascending order.
    known: Vec<Range<usize>>,
    choice: Choice,
}

/// The block with the content.
#[derive(Clone, Copy)]
struct Chosen<'s> {
    block: usize,
    by: By<'s>,
    rule: Rule,
}

/// How the content was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By<'s> {
    Selector(&'s str),
    /// It consists of the texts of all posts of a thread, in the forum system with this number.
    Thread(usize),
    Score,
    /// The page names it as its main part, and the score would take next to nothing of that.
    Main,
    /// The score found a part of it, in a document of a page builder: the whole document is the content.
    Rows,
    /// All posts of a list are the content.
    List,
}

impl<'p> Scored<'p> {
    fn choose(&self) -> Option<Chosen<'p>> {
        let Scored { selectors, choice, .. } = self;
        if let Some(thread) = self.thread().filter(|_| !selectors.own && Rule::Thread.is_on()) {
            return Some(thread);
        }
        let chosen = self.selected().or_else(|| self.scored())?;
        if selectors.own {
            return Some(chosen);
        }
        let is_whole = self.is_whole(chosen.by) || matches!(chosen.by, By::Main | By::Rows);
        let framed = if is_whole { None } else { choice.in_frame(chosen.block) };
        let chosen = framed.map_or(chosen, |block| Chosen { block, by: By::Score, rule: Rule::Frame });
        let list = choice.list(chosen.block).map(|block| Chosen { block, by: By::List, rule: Rule::List });
        let chosen = list.unwrap_or(chosen);
        let own = choice.around_own(chosen.block);
        Some(own.map_or(chosen, |block| Chosen { block, by: By::Main, rule: Rule::OwnText }))
    }

    /// The element that the most trusted selector finds, except elements with next to nothing of the page's text.
    fn selected(&self) -> Option<Chosen<'p>> {
        let Scored { html, selectors, choice, known, .. } = self;
        let places = matches::places(&self.matches);
        let is_outside =
            |(_, place): &(usize, &Match)| choice.at(place.outer.start).is_some_and(|block| !choice.is_in_frame(block));
        let any_is_outside = LazyCell::new(|| places.iter().any(is_outside));
        let mut empty = Empty::default();
        places.iter().find_map(|(rank, place)| {
            let start = place.outer.start;
            let mut block = if selectors.own { choice.at(start) } else { choice.fits(start) }?;
            // Such an element may be an advertisement in the header, or the header itself.
            let is_alone = || !selectors.is_built(&selectors.content[*rank]) && !*any_is_outside;
            let is_of_frame = || choice.is_in_frame(block) && !is_alone();
            let is_of_another = || Rule::PlaceOfAnother.holds(choice.is_of_another(start));
            if !selectors.own && (Rule::PlaceInFrame.holds(is_of_frame()) || is_of_another()) {
                return None;
            }
            // A place inside one that shows nothing shows nothing either, so nested places are read only once.
            if Rule::PlaceEmpty.holds(empty.holds(&place.outer) || !shows_anything(html, &keep_place(place, known))) {
                empty.add(&place.outer);
                return None;
            }
            let rule = selectors.content[*rank].as_str();
            if let Some(parts) = self.parts(rule) {
                block = choice.around_all(&parts);
            }
            let by = if selectors.is_learnt(rule) { Rule::SitePlace } else { Rule::Selector };
            by.holds(true).then_some(Chosen { block, by: By::Selector(rule), rule: by })
        })
    }

    /// The range from the first to the last place of a document with several, none of them in the header or the footer. If some places
    /// state that they are of this page, only these count.
    fn parts(&self, rule: &str) -> Option<Range<usize>> {
        if self.selectors.own || !Rule::Parts.holds(self.selectors.is_part(rule)) {
            return None;
        }
        let is_of_frame =
            |found: &Match| self.choice.at(found.outer.start).is_some_and(|at| self.choice.is_in_frame(at));
        let places = || self.matches.iter().filter(|found| found.content(self.selectors) == Some(rule));
        let are_known = places().any(|place| place.value.is_some());
        let mut parts: Option<Range<usize>> = None;
        for place in places().filter(|place| place.value.is_some() || !are_known) {
            let last = parts.as_ref().map_or(0, |parts| parts.end);
            // A place inside another one is not a part.
            if place.outer.start >= last && !is_of_frame(place) {
                let first = parts.map_or(place.outer.start, |parts| parts.start);
                parts = Some(first..place.outer.end);
            }
        }
        parts
    }

    /// Where the content is.
    fn inner(&self, Chosen { block, by, .. }: Chosen<'_>) -> Range<usize> {
        let inner = self.choice.inner(block);
        let By::Selector(rule) = by else { return inner };
        match self.parts(rule) {
            // There is only one, or one inside another.
            Some(parts) if parts.start < inner.start => inner,
            Some(parts) => parts.start..parts.end.min(inner.end),
            None => inner,
        }
    }

    /// The block with the best score. A post without content has an empty place of content, and then no block is chosen.
    fn scored(&self) -> Option<Chosen<'p>> {
        let Scored { selectors, choice, .. } = self;
        let is_whole = |found: &Match| found.content(selectors).is_some_and(|selector| selectors.is_whole(selector));
        let is_empty = || choice.is_of_one_post() && self.matches.iter().any(is_whole);
        let best = choice.best.filter(|best| !selectors.own && (choice.has_prose(*best) || !is_empty()))?;
        let around = choice.around_rows(best, Rule::RowsAround).map(|block| (block, Rule::RowsAround));
        let inside = || choice.of_rows(best).map(|block| (block, Rule::RowsInside));
        let wordless = || choice.rows(best).map(|block| (block, Rule::RowsWordless));
        if let Some((block, rule)) = around.or_else(inside).or_else(wordless) {
            return Some(Chosen { block, by: By::Rows, rule });
        }
        let main = choice.broad(best).map(|block| Chosen { block, by: By::Main, rule: Rule::Main });
        Some(main.unwrap_or(Chosen { block: best, by: By::Score, rule: choice.best_by }))
    }

    fn is_whole(&self, by: By<'_>) -> bool {
        matches!(by, By::Selector(selector) if self.selectors.is_whole(selector))
    }

    /// The content of a block, without boilerplate.
    fn cut(&self, chosen: Chosen<'_>) -> Cut {
        let Chosen { block, by, rule: place } = chosen;
        let Scored { html, selectors, choice, known, .. } = self;
        let (kind, rule) = match by {
            By::Thread(system) => return self.cut_thread(system),
            By::List => (Block::List, "list"),
            By::Score => (Block::Scored, "scored"),
            By::Main => (Block::Main, "scored"),
            By::Rows => (Block::Built, ".wpb_row"),
            By::Selector(rule) if selectors.is_built(rule) => (Block::Built, rule),
            By::Selector(rule) if self.is_whole(by) => (Block::Known, rule),
            By::Selector(rule) => (Block::Named, rule),
        };
        let mut dropped: Vec<Drop> = by_selector(known);
        if !selectors.own {
            dropped.extend(choice.dropped(block, kind));
        }
        let ranges = merged(dropped.iter().map(|drop| drop.at.clone()).collect());
        let inner = self.inner(chosen);
        let kept = keep(&inner, &ranges);
        let may_have_title = matches!(kind, Block::Scored | Block::Main | Block::Named);
        let text = if may_have_title { choice.first_text(&kept) } else { None };
        let ((letters, texts), (all, _)) = (choice.kept(inner.clone(), &ranges), choice.kept(inner, &[]));
        let content = MainContent {
            html: messages::cut(kept.iter().map(|range| &html[range.clone()]).collect()),
            rule: if place == Rule::SitePlace { format!("site: {rule}") } else { rule.to_owned() },
            share: choice.share(letters),
            texts,
            dropped: (all - letters) as f64 / all.max(1) as f64,
            rules: rules(place, &dropped),
        };
        Cut { content, text, kept, dropped }
    }
}

/// The content of a page; `text` is the position at which its text begins, if its block may contain the title and the data of the post
/// before that.
struct Cut {
    content: MainContent,
    text: Option<usize>,
    kept: Vec<Range<usize>>,
    dropped: Vec<Drop>,
}

/// The rules that decided what the content is: the one of its place, then those that dropped parts.
fn rules(place: Rule, dropped: &[Drop]) -> Vec<Rule> {
    std::iter::once(place).chain(dropped.iter().map(|drop| drop.rule)).collect()
}

fn by_selector(known: &[Range<usize>]) -> Vec<Drop> {
    known.iter().map(|at| Drop { at: at.clone(), rule: Rule::Dropped }).collect()
}

/// Whether a place of content states that it shows another document than the page's own post, such as a menu. SiteOrigin's widgets hold
/// such documents, too.
fn shows_another(found: &Match, own: Option<u64>) -> bool {
    let Some(shown) = found.value.as_deref().filter(|_| matches!(found.role, Role::Content(_))) else { return false };
    match shown.strip_prefix("pl-") {
        Some(number) => number.parse::<u64>().ok().is_none_or(|shown| own != Some(shown)),
        None => shown.parse::<u64>().ok().zip(own).is_some_and(|(shown, own)| shown != own),
    }
}

/// The union of ranges, as ranges in ascending order that do not overlap.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// The parts of an element that are kept; none if a dropped range contains it.
fn keep_place(place: &Match, dropped: &[Range<usize>]) -> Vec<Range<usize>> {
    let before = dropped.partition_point(|range| range.start <= place.outer.start);
    if before > 0 && dropped[before - 1].end >= place.outer.end {
        return Vec::new();
    }
    keep(&place.inner, dropped)
}

/// The parts of a range that are kept. The dropped ranges are in ascending order, and do not overlap.
fn keep(inner: &Range<usize>, dropped: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let mut at = inner.start;
    let inside = &dropped[dropped.partition_point(|range| range.start < at)..];
    for range in inside.iter().take_while(|range| range.start < inner.end) {
        kept.push(at..range.start);
        at = range.end.min(inner.end);
    }
    kept.push(at..inner.end);
    kept
}

#[cfg(test)]
mod tests;
