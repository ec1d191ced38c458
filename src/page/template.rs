//! Learns the template of a site from a few of its pages: a text that several of them have does not belong to one. The reader
//! of the scrape picks these pages; [`super::choice`] draws the conclusions for a page.

use super::outline::cards::{PROSE, quoted};
use super::outline::{Buffer, Builder, Outline};
use crate::html::elements::{Buffers, Reading, read};
use crate::urls::QuickMap;
use std::sync::Arc;

/// Pages that a template is made of, at least and at most.
const FEWEST: u32 = 5;
const MOST: usize = 64;

/// Pages of a text that may be the site's: in a template, and beside the page that is looked at.
pub(super) const REPEATED: u32 = 2;

/// Runs of a page that are looked at. (With [`MOST`], a template is learnt in 18 MB at most, and half as much more while the table grows;
/// of the sixteen pages that wp-index names, in a quarter.)
const RUNS: usize = 10_000;

/// Makes of the hash of a text that of its quotation.
const QUOTED: u64 = 0x9e37_79b9_7f4a_7c15;

/// What repeats over the pages of a site.
#[derive(Debug)]
pub(crate) struct Template {
    /// The hashes of texts, each with the pages that it is on, a bit each; those that quote it apart: a list of posts does not make
    /// a text the site's.
    texts: QuickMap<u64, u64>,
    /// How many pages there are.
    pages: u32,
}

impl Template {
    /// What repeats over these pages, each with its number; none if they are too few. Pages with high numbers are left out.
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
    /// Adds the page with this number.
    pub(crate) fn add(&mut self, number: usize, html: &str) {
        if number >= MOST {
            return;
        }
        let mut builder = Builder::new(&mut self.outlines);
        read(html, Reading { page: true, ..Reading::default() }, &mut self.elements, &mut builder);
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
    /// What repeats over its pages.
    pub template: Arc<Template>,
    /// The number of the page among those.
    pub own: Option<usize>,
}

impl Site {
    /// Half of the other pages.
    pub(super) fn most(&self) -> u32 {
        (self.template.pages - u32::from(self.own.is_some())).div_ceil(2)
    }

    /// Of each text of a page, these runs, on how many other pages it is.
    ///
    /// Quotations do not count for a text that is none itself: lists of posts show what one of these says. A quotation, as in a
    /// widget, repeats wherever its text is, and so does a link or a label, as in a menu.
    pub(super) fn others(&self, outline: &Outline, runs: &[usize]) -> Vec<u32> {
        let own = self.own.filter(|own| *own < MOST).map_or(0, |own| 1 << own);
        let pages = |hash: u64| self.template.texts.get(&hash).copied().unwrap_or_default() & !own;
        let quoted = quoted(outline);
        let others = |&at: &usize| {
            let node = &outline.nodes[at];
            let is_label = node.points == 0 && node.letters < PROSE || node.linked * 2 > node.letters;
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
        // what is kept is what repeats
        (1..FEWEST as usize).for_each(|number| learner.add(number, &page(10, 0)));
        let template = Template::of(&mut learner).unwrap();
        assert_eq!((template.texts.len(), learner.texts.len()), (10, 0));
    }
}
