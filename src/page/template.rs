//! Learns the template of a site from a few of its pages: a text that several of them have belongs to the site, not to a page. The reader
//! of the scrape picks these pages; [`super::choice`] applies the template to a page. A run is a piece of text between two tags of blocks
//! (see [`Outline`]). A quotation is a text that a page shows from another one, as a list of posts does ([`super::outline::cards`]).

use super::outline::cards::{PROSE, quoted};
use super::outline::{Buffer, Builder, Outline};
use crate::html::elements::{Buffers, ParseOptions, read};
use crate::urls::QuickMap;
use std::sync::Arc;

/// The fewest pages that a template is learnt from.
const FEWEST: u32 = 5;
/// The most pages that a template is learnt from.
const MOST: usize = 64;

/// A text belongs to the site only if at least this many pages have it, not counting the page being read.
pub(super) const REPEATED: u32 = 2;

/// The most runs of a page that are read. (So learning a template from [`MOST`] pages takes at most 18 MB, and 27 MB while the table is
/// being resized; it takes a quarter of that for the sixteen pages of a sample that wp-index chooses.)
const RUNS: usize = 10_000;

/// Quotations of a text are stored under its hash XOR this.
const QUOTED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The texts that repeat on the pages of a site.
#[derive(Debug)]
pub(crate) struct Template {
    /// The hashes of texts, each with the pages that have it, one bit per page. Quotations have hashes of their own: that lists of posts
    /// show a text does not make it part of the template.
    texts: QuickMap<u64, u64>,
    /// The number of pages.
    pages: u32,
}

impl Template {
    /// The texts that repeat on the learnt pages; [`None`] if there are too few pages.
    pub(crate) fn of(pages: &mut Learner) -> Option<Self> {
        let texts = std::mem::take(&mut pages.texts);
        let repeats = |hash: u64, on: u64| on.count_ones() >= REPEATED || texts.contains_key(&(hash ^ QUOTED));
        let texts = texts.iter().filter(|(hash, on)| repeats(**hash, **on)).map(|(hash, on)| (*hash, *on)).collect();
        (pages.learnt >= FEWEST).then_some(Template { texts, pages: pages.learnt })
    }
}

/// Reads the pages of a sample.
#[derive(Default)]
pub(crate) struct Learner {
    texts: QuickMap<u64, u64>,
    learnt: u32,
    elements: Buffers,
    outlines: Buffer,
}

impl Learner {
    /// Adds the page with this number; pages with too high a number are ignored.
    pub(crate) fn add(&mut self, number: usize, html: &str) {
        if number >= MOST {
            return;
        }
        let mut builder = Builder::new(&mut self.outlines);
        read(html, ParseOptions { page: true, ..ParseOptions::default() }, &mut self.elements, &mut builder);
        let outline = builder.finish(html.len());
        let quoted = quoted(&outline);
        let hash = |at: usize| outline.hash(at).map(|hash| if quoted[at] { hash ^ QUOTED } else { hash });
        let runs = (0..outline.nodes.len()).filter_map(hash).take(RUNS);
        runs.for_each(|hash| *self.texts.entry(hash).or_default() |= 1 << number);
        self.learnt += 1;
    }
}

/// The site of a page.
pub(crate) struct Site {
    /// The template of its pages.
    pub template: Arc<Template>,
    /// The number of the page, if the template was learnt from it.
    pub own: Option<usize>,
}

impl Site {
    /// A text on at least this many of the other pages is the site's even between paragraphs of the page: half of them, rounded up.
    pub(super) fn most(&self) -> u32 {
        (self.template.pages - u32::from(self.own.is_some())).div_ceil(2)
    }

    /// For each of these runs, the number of other pages that have it.
    ///
    /// A page that only quotes an ordinary text does not count: lists of posts quote the text of some post. It does count for a text that
    /// is itself a quotation, as in a widget, and for a link or a label, as in a menu.
    pub(super) fn others(&self, outline: &Outline, runs: &[usize]) -> Vec<u32> {
        let own = self.own.filter(|own| *own < MOST).map_or(0, |own| 1 << own);
        let pages = |hash: u64| self.template.texts.get(&hash).copied().unwrap_or_default() & !own;
        let quoted = quoted(outline);
        let others = |&at: &usize| {
            let node = &outline.nodes[at];
            let is_label = node.points() == 0 && node.letters() < PROSE || node.linked() * 2 > node.letters();
            let repeats_anywhere = quoted[at] || is_label;
            let on = |hash: u64| if repeats_anywhere { pages(hash) | pages(hash ^ QUOTED) } else { pages(hash) };
            outline.hash(at).map_or(0, |hash| on(hash).count_ones())
        };
        runs.iter().map(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn page(runs: usize, first: usize) -> String {
        let mut html = String::from("<body>");
        (first..first + runs).for_each(|n| write!(html, "<p>Boat {n}</p>").unwrap());
        html
    }

    #[test]
    fn a_template_is_learnt_in_the_memory_that_is_stated() {
        const MB: usize = 1_000_000;
        let mut learner = Learner::default();
        learner.add(0, &page(RUNS + 2_000, 0));
        assert_eq!(learner.texts.len(), RUNS);
        learner.add(MOST, &page(5, RUNS));
        assert_eq!((learner.texts.len(), learner.learnt), (RUNS, 1));
        for (pages, most) in [(MOST, 18), (16, 5)] {
            let all = QuickMap::<u64, u64>::with_capacity_and_hasher(pages * RUNS, Default::default());
            assert!(all.allocation_size() <= most * MB, "{pages}: {}", all.allocation_size());
        }
        // only repeated texts are kept
        (1..FEWEST as usize).for_each(|number| learner.add(number, &page(10, 0)));
        let template = Template::of(&mut learner).unwrap();
        assert_eq!((template.texts.len(), learner.texts.len()), (10, 0));
    }
}
