//! Finds the HTML block of a page that holds its main content: the one with the most prose. Links, and names like `sidebar`, count
//! against a block. The same scores decide which parts of the content are cut out. The ideas come from readability (points for
//! paragraphs, names), jusText (context of short blocks) and trafilatura (names of dropped parts).

mod drops;
mod frames;
mod prose;
mod quotes;
mod rows;
mod site;
mod sources;
mod titles;

pub(super) use self::drops::Drop;
use self::prose::{own_of, prose_of, score_of};
use super::outline::{Node, Outline};
use crate::boilerplate::Boilerplate;
use crate::html::names::{self, Name};
use crate::rule::Rule;
use std::cell::OnceCell;
use std::ops::Range;

/// A block with more than this share of the prose is not boilerplate, whatever its name; in hundredths.
const TOO_MUCH: i64 = 40;
/// The same for an element that is beside the content by its name: nav, footer, aside.
const FAR_TOO_MUCH: i64 = 70;

/// The prose that a page must have elsewhere before a known place of content with little prose is doubted.
const MUCH: i64 = 1000;

/// With fewer letters of prose, a block around content is boilerplate even in a place that is named as content.
const LITTLE: i64 = 100;
/// The same for a form with labels, which may have a consent among them.
const CONSENT: i64 = 200;
/// The fewest letters of labels.
const LABELS: i64 = 10;

/// A block whose name may be that of a text is no text if it has fewer letters of prose: it is a byline.
const OWN: i64 = 40;

/// With at least this many letters of prose, a block is a text even if its name or a word of its title suggests a share bar or a form.
const SOME: i64 = 800;

/// Elements that are parts of a text, never all of it.
const LEAVES: [Name; 7] = [Name::P, Name::LI, Name::UL, Name::OL, Name::PRE, Name::BLOCKQUOTE, Name::FIGCAPTION];

/// An outline of the page with the prose and the boilerplate marked in it.
pub(super) struct Choice {
    outline: Outline,
    /// For each node: the letters of its prose, boilerplate included.
    prose: Vec<i64>,
    /// For each node: its prose outside boilerplate, minus penalties.
    score: Vec<i64>,
    /// For each node: the rule that makes it boilerplate, or that makes an element around it boilerplate.
    off: Vec<Option<Rule>>,
    /// Captions are the text: there is next to no other prose.
    are_captions_text: bool,
    /// The block that holds the main content; [`None`] if there is no prose.
    pub best: Option<usize>,
    /// The rule that found it.
    pub best_by: Rule,
    /// Before each node, the letters outside links that only this page of the site has; computed when first needed.
    own: OnceCell<Vec<usize>>,
    /// The parts of the page's titles, computed when first needed.
    parts: OnceCell<Vec<Vec<char>>>,
    boilerplate: &'static Boilerplate,
}

impl Choice {
    pub(super) fn new(outline: Outline) -> Choice {
        let count = outline.nodes.len();
        let mut choice = Choice {
            prose: outline.nodes.iter().map(if outline.knows_site { own_of } else { prose_of }).collect(),
            score: vec![0; count],
            off: vec![None; count],
            outline,
            are_captions_text: false,
            best: None,
            best_by: Rule::MainWithoutProse,
            own: OnceCell::new(),
            parts: OnceCell::new(),
            boilerplate: Boilerplate::builtin(),
        };
        choice.sum_prose();
        let captions = choice.captions();
        let are_text = captions * 100 > choice.prose[0] * TOO_MUCH && choice.prose[0] - captions < MUCH / 2;
        choice.are_captions_text = Rule::KeepCaptions.holds(are_text);
        choice.find_boilerplate();
        choice.sum_scores();
        choice.best = choice.best_of(0..count, Rule::Score);
        match choice.best {
            Some(_) => choice.best_by = Rule::Score,
            None => choice.best = choice.named(),
        }
        choice
    }

    /// Returns the outline, for callers that need nothing else any more.
    pub(super) fn into_outline(self) -> Outline {
        self.outline
    }

    fn nodes(&self) -> &[Node] {
        &self.outline.nodes
    }

    fn sum_prose(&mut self) {
        for at in (1..self.prose.len()).rev() {
            let parent = self.outline.nodes[at].parent();
            self.prose[parent] += self.prose[at];
        }
    }

    /// The letters of prose in captions.
    fn captions(&self) -> i64 {
        let captions = self.nodes().iter().zip(&self.prose).filter(|(node, _)| is_caption(node));
        captions.map(|(_, prose)| prose).sum()
    }

    /// Marks boilerplate. Comments come first: there may be more of them than of the text.
    fn find_boilerplate(&mut self) {
        let mut all = self.prose[0];
        for comments in [true, false] {
            let mut at = 1;
            while at < self.nodes().len() {
                let node = &self.nodes()[at];
                let next = node.next();
                let rule = match comments {
                    true => self.of_others(at, node.titles() == 0),
                    false => self.boilerplate(at, false).filter(|_| self.is_small(at, all)),
                };
                if self.off[at].is_some() {
                    at = next;
                } else if rule.is_some() {
                    all -= if comments { self.prose[at] } else { 0 };
                    self.off[at..next].fill(rule);
                    at = next;
                } else {
                    at += 1;
                }
            }
        }
    }

    /// The rule by which a block is readers' comments, if `may_be` allows that, another post or a dialog.
    fn of_others(&self, at: usize, may_be: bool) -> Option<Rule> {
        let node = &self.nodes()[at];
        let rules = [
            (Rule::Comments, may_be && node.marks().comments() && is_part(node)),
            (Rule::AnotherPost, node.marks().another()),
            (Rule::Overlay, node.marks().overlay() && is_part(node)),
        ];
        rules.into_iter().find(|(rule, holds)| rule.holds(*holds)).map(|(rule, _)| rule)
    }

    /// The rule by which a block is boilerplate because of its name, if any. `trusted`: the block is in a place known to hold content.
    fn boilerplate(&self, at: usize, trusted: bool) -> Option<Rule> {
        let node = &self.nodes()[at];
        if node.is_run() || !is_part(node) {
            return None;
        }
        let is_never = node.marks().never() && (self.prose[at] < SOME || node.is_of_post);
        let is_edge =
            matches!(node.name, Name::NAV | Name::FOOTER | Name::ASIDE | Name::FORM | Name::DIALOG | Name::SEARCH);
        let rules = [
            (Rule::Comments, node.marks().comments()),
            (Rule::OtherPosts, node.marks().others()),
            (Rule::NeverContent, is_never),
            (Rule::Caption, !trusted && is_caption(node) && !self.are_captions_text),
            (Rule::Around, !trusted && node.marks().around() && !(node.marks().word() && self.is_own(at))),
            (Rule::EdgeElement, !trusted && is_edge),
        ];
        rules.into_iter().find(|(rule, holds)| rule.holds(*holds)).map(|(rule, _)| rule)
    }

    /// Whether a block has prose, and most of its words are in no link and on no other page of the site.
    fn is_own(&self, at: usize) -> bool {
        if self.prose[at] < OWN {
            return false;
        }
        if !self.outline.knows_site {
            return self.nodes()[at].linked() == 0;
        }
        let sums = self.own.get_or_init(|| {
            let mut sums = vec![0];
            for node in self.nodes() {
                let is_own = node.is_run() && !node.is_of_site && !node.is_title;
                sums.push(sums[sums.len() - 1] + if is_own { node.letters() - node.linked() } else { 0 });
            }
            sums
        });
        let node = &self.nodes()[at];
        (sums[node.next()] - sums[at]) * 5 >= node.letters() * 4
    }

    /// Whether a block may be boilerplate because it does not have too much of all the prose.
    fn is_small(&self, at: usize, all: i64) -> bool {
        let is_part = self.prose[at] * 100 <= all * TOO_MUCH;
        let is_small = is_part
            || self.nodes()[at].is_of_post
            || self.is_edge(at)
            || self.is_beside(at) && self.prose[at] * 100 <= all * FAR_TOO_MUCH;
        is_small || !Rule::KeepLarge.is_on()
    }

    /// Whether an element is an edge of the page or a form, however little else the page has: its only prose may be an address at its
    /// end. An element with a long text was probably never closed.
    fn is_edge(&self, at: usize) -> bool {
        let node = &self.nodes()[at];
        let most = match node.name {
            Name::NAV | Name::FOOTER => SOME,
            Name::FORM => return node.titles() == 0 && self.is_of_labels(at),
            _ => return false,
        };
        node.titles() == 0 && self.prose[at] < most
    }

    /// Whether a form has next to no prose, or little beside its labels.
    fn is_of_labels(&self, at: usize) -> bool {
        let (prose, letters) = (self.prose[at], self.nodes()[at].letters() as i64);
        prose < LITTLE || prose < CONSENT && letters - prose >= LABELS
    }

    /// Whether an element is by its name a part of the page next to the content.
    fn is_beside(&self, at: usize) -> bool {
        matches!(self.nodes()[at].name, Name::NAV | Name::FOOTER | Name::ASIDE)
    }

    /// The letters of a node outside links.
    fn words(&self, at: usize) -> i64 {
        (self.nodes()[at].letters() - self.nodes()[at].linked()) as i64
    }

    fn sum_scores(&mut self) {
        for at in (1..self.score.len()).rev() {
            let node = &self.outline.nodes[at];
            if node.is_run() {
                let knows_site = self.outline.knows_site;
                self.score[at] = if self.off[at].is_some() { -1 } else { score_of(node, self.prose[at], knows_site) };
            }
            self.score[node.parent()] += self.score[at];
        }
    }

    /// The best of some nodes, if it has prose.
    fn best_of(&self, within: Range<usize>, rule: Rule) -> Option<usize> {
        let holds_blocks =
            |node: &Node| !node.is_run() && !node.name.is(names::HEADING) && !LEAVES.contains(&node.name);
        let elements = within.filter(|&at| holds_blocks(&self.nodes()[at]) && self.off[at].is_none());
        // Among equal scores, the innermost wins.
        elements.max_by_key(|&at| (self.weighed(at), at)).filter(|&best| rule.holds(self.score[best] > 0))
    }

    /// The block that scores best within a place that is a frame: the title of the page is in it, before all prose.
    pub(super) fn in_frame(&self, place: usize) -> Option<usize> {
        let inside = place + 1..self.nodes()[place].next();
        let is_title = |&at: &usize| self.nodes()[at].is_run() && self.nodes()[at].name == Name::H1;
        let is_prose = |&at: &usize| self.nodes()[at].is_run() && self.prose[at] > 0 && self.off[at].is_none();
        let title = (0..inside.end).find(is_title).filter(|title| inside.contains(title))?;
        let prose = inside.clone().find(is_prose)?;
        (title < prose).then(|| self.best_of(place..inside.end, Rule::Frame)).flatten()
    }

    fn weighed(&self, at: usize) -> i64 {
        let node = &self.nodes()[at];
        let named = node.marks().content() || matches!(node.name, Name::ARTICLE | Name::MAIN);
        self.score[at] * if Rule::NamedContent.holds(named) { 105 } else { 100 }
    }

    /// The element around all posts of a list, if the block is inside or around one of them and none is the page's own post.
    pub(super) fn list(&self, block: usize) -> Option<usize> {
        let nodes = self.nodes();
        if self.outline.is_of_one_post {
            return None;
        }
        let most_of = |at: &usize| self.letters_of_posts(nodes[*at].parent(), *at) * 10 >= nodes[block].letters() * 6;
        let inside = || (block + 1..nodes[block].next()).filter(|&at| self.is_post(at)).take(3).find(most_of);
        let post = self.outline.around(block).find(|&at| self.is_post(at)).or_else(inside)?;
        let list = nodes[post].parent();
        let all = self.letters_of_posts(list, post);
        Rule::List.holds(list != 0 && nodes[post].letters() * 10 <= all * 7).then_some(list)
    }

    /// The letters of the posts in an element that resemble this one.
    fn letters_of_posts(&self, list: usize, post: usize) -> usize {
        let nodes = self.nodes();
        let children = std::iter::successors(Some(list + 1), |&at| nodes.get(at).map(|node| node.next()));
        let posts = children.take_while(|&at| at < nodes[list].next()).filter(|&at| self.is_post(at));
        posts.filter(|&at| nodes[at].titles() == nodes[post].titles()).map(|at| nodes[at].letters()).sum()
    }

    /// Whether an element is a post, alone or in a list.
    fn is_post(&self, at: usize) -> bool {
        let node = &self.nodes()[at];
        let is_frame = node.is_run() || matches!(node.name, Name::HTML | Name::BODY | Name::MAIN);
        !is_frame && self.off[at].is_none() && (node.name == Name::ARTICLE || node.marks().entry())
    }

    /// The node of the element that starts there, if it has enough compared with the block that scores best.
    pub(super) fn fits(&self, start: usize) -> Option<usize> {
        let at = self.outline.element_at(start)?;
        let best = self.best.map_or(0, |best| self.score[best]);
        let is_too_small = best >= MUCH && self.score[at].max(self.words(at)) * 5 < best;
        (!Rule::PlaceTooSmall.holds(is_too_small)).then_some(at)
    }

    pub(super) fn letters(&self, at: usize) -> usize {
        self.nodes()[at].letters()
    }

    /// The innermost element around a range.
    pub(super) fn around_all(&self, range: &Range<usize>) -> usize {
        self.around(range.start).find(|&at| self.nodes()[at].outer().end >= range.end).unwrap_or(0)
    }

    /// Whether a block has prose that is not boilerplate.
    pub(super) fn has_prose(&self, at: usize) -> bool {
        self.score[at] > 0
    }

    /// The letters of all prose, boilerplate included.
    pub(super) fn letters_of_prose(&self) -> usize {
        usize::try_from(self.prose[0]).unwrap_or_default()
    }

    pub(super) fn is_of_one_post(&self) -> bool {
        self.outline.is_of_one_post
    }

    /// The node of the element that starts there.
    pub(super) fn at(&self, start: usize) -> Option<usize> {
        self.outline.element_at(start)
    }

    /// Whether the element that starts there is in readers' comments, or in a block of other posts.
    pub(super) fn is_of_others(&self, start: usize) -> bool {
        let is_other = |at: usize| self.nodes()[at].marks().comments() || self.nodes()[at].marks().others();
        self.around(start).any(|at| self.off[at].is_some() && is_other(at))
    }

    /// Whether the element that starts there is in a post with another number than the page's, or in a dialog.
    pub(super) fn is_of_another(&self, start: usize) -> bool {
        self.around(start).any(|at| self.nodes()[at].marks().another() || self.off[at] == Some(Rule::Overlay))
    }

    /// The rule by which a block is boilerplate.
    pub(super) fn off(&self, at: usize) -> Option<Rule> {
        self.off[at]
    }

    /// The start tags of the elements around a node, from inside out.
    pub(super) fn tags_around(&self, at: usize) -> impl Iterator<Item = Range<usize>> {
        let around = self.outline.around(at).map(|at| &self.nodes()[at]).filter(|node| !node.is_run());
        around.map(|node| node.outer().start..node.inner().start).filter(|tag| !tag.is_empty())
    }

    /// The blocks around a place.
    fn around(&self, start: usize) -> impl Iterator<Item = usize> {
        let before = self.nodes().partition_point(|node| node.outer().start <= start).saturating_sub(1);
        self.outline.around(before).filter(move |&at| self.nodes()[at].outer().end > start)
    }

    /// The contents of a block, without its tags.
    pub(super) fn inner(&self, at: usize) -> Range<usize> {
        self.nodes()[at].inner()
    }

    /// The node that begins there, or the last one before.
    pub(super) fn before(&self, start: usize) -> usize {
        self.at(start).unwrap_or_else(|| self.nodes().partition_point(|node| node.outer().start <= start).max(1) - 1)
    }

    /// The letters in a range, not counting dropped ranges, and the number of its texts.
    pub(super) fn kept(&self, Range { start, end }: Range<usize>, dropped: &[Range<usize>]) -> (usize, usize) {
        let first = self.nodes().partition_point(|node| node.outer().start < start);
        let inside = self.nodes()[first..].iter().take_while(|node| node.outer().start < end);
        let runs = inside.filter(|node| node.is_run() && node.letters() > 0 && node.outer().end <= end);
        let is_gone = |node: &Node| {
            let after = dropped.partition_point(|gone| gone.start <= node.outer().start);
            after > 0 && node.outer().end <= dropped[after - 1].end
        };
        runs.filter(|node| !is_gone(node)).fold((0, 0), |(letters, texts), node| (letters + node.letters(), texts + 1))
    }

    /// The position of the first text in ranges, which are in ascending order and do not overlap.
    pub(super) fn first_text(&self, ranges: &[Range<usize>]) -> Option<usize> {
        ranges.iter().find_map(|range| {
            let first = self.nodes().partition_point(|node| node.outer().start < range.start);
            let mut inside = self.nodes()[first..].iter().take_while(|node| node.outer().start < range.end);
            inside.find(|node| node.is_run() && node.letters() > 0).map(|node| node.outer().start)
        })
    }

    /// The proportion of the page's letters, rounded to three places.
    pub(super) fn share(&self, letters: usize) -> f64 {
        let all = self.nodes()[0].letters();
        if all == 0 { 0.0 } else { (letters as f64 / all as f64 * 1000.0).round() / 1000.0 }
    }
}

/// How a block was chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// It is known to hold a document of widgets, without the parts that plugins add.
    Built,
    /// It is known to hold content: everything in it is content unless a name or a text speaks against it.
    Known,
    /// Its name suggests content, but it also contains other things.
    Named,
    Scored,
    /// It is the main part of a page that is not an article: it consists of short texts and links.
    Main,
    /// Posts, whose linked titles are content.
    List,
}

/// Whether an element is a part of a page, not a frame around all of it.
fn is_part(node: &Node) -> bool {
    !matches!(node.name, Name::HTML | Name::BODY | Name::MAIN | Name::ARTICLE)
}

/// Whether an element is named as a caption, but its picture is elsewhere. If the picture is inside, the prose of the texts is already
/// counted as a caption's.
fn is_caption(node: &Node) -> bool {
    node.marks().caption() && node.media() == 0 && node.name != Name::FIGCAPTION
}

/// Whether more than half of the text is in links.
fn is_linked(node: &Node) -> bool {
    node.letters() > 0 && node.linked() * 2 > node.letters()
}

#[cfg(test)]
mod tests;
