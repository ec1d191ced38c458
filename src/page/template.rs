//! Learns the template of a site from a few of its pages: a text that several of them have does not belong to one. The reader
//! of the scrape picks these pages; [`super::choice`] draws the conclusions for a page.

use super::boilerplate::Memory;
use super::outline::{Builder, Outline};
use crate::html::elements::{Buffers, Reading, read};
use crate::urls::QuickMap;
use std::sync::Arc;

/// Pages that a template is made of, at least and at most.
const FEWEST: u32 = 5;
const MOST: usize = 64;

/// Pages of a text that may be the site's.
const REPEATED: u32 = 2;

/// Runs of a page that are looked at. (With [`MOST`], a template is learnt in 16 MB at most.)
const RUNS: usize = 10_000;

/// What repeats over the pages of a site.
#[derive(Debug)]
pub(crate) struct Template {
    /// The hashes of texts, each with the pages that it is on, a bit each.
    texts: QuickMap<u64, u64>,
    /// How many pages there are.
    pages: u32,
}

impl Template {
    /// What repeats over these pages, each with its number; none if they are too few. Pages with high numbers are left out.
    pub(crate) fn of(pages: &mut Learner) -> Option<Self> {
        let mut texts = std::mem::take(&mut pages.texts);
        texts.retain(|_, pages| pages.count_ones() >= REPEATED);
        (pages.learnt >= FEWEST).then_some(Template { texts, pages: pages.learnt })
    }
}

/// Reads the pages of a sample.
#[derive(Default)]
pub(crate) struct Learner {
    texts: QuickMap<u64, u64>,
    learnt: u32,
    elements: Buffers,
    names: Memory,
}

impl Learner {
    /// Adds the page with this number.
    pub(crate) fn add(&mut self, number: usize, html: &str) {
        if number >= MOST {
            return;
        }
        let mut builder = Builder::new(&mut self.names);
        read(html, Reading { page: true, ..Reading::default() }, &mut self.elements, &mut builder);
        let outline = builder.finish(html.len());
        let runs = (0..outline.nodes.len()).filter_map(|at| outline.hash(at)).take(RUNS);
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

    /// Whether the text of a run is on so many other pages.
    pub(super) fn has(&self, outline: &Outline, at: usize, others: u32) -> bool {
        let own = self.own.filter(|own| *own < MOST).map_or(0, |own| 1 << own);
        let pages = outline.hash(at).and_then(|hash| self.template.texts.get(&hash));
        pages.is_some_and(|pages| (pages & !own).count_ones() >= others)
    }
}
