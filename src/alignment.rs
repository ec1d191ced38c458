//! Aligns two documents that are translations of each other: pairs their blocks (paragraphs, headings, list items) first, then
//! the sentences of paired blocks. `pairs` decides which documents to align.
//!
//! Both steps search for the cheapest monotone path ([`path`]). The cost of a pair comes from the lengths of its texts, as in
//! [Gale and Church], and anchors reduce it: blocks of the same kind, images of the same record, links that lead to
//! translations of each other, and numbers and names that both languages write alike. Each link gets a score: the expected
//! share of correct links among those with the same score.
//!
//! [Gale and Church]: https://aclanthology.org/J93-1004/

mod blocks;
mod document;
mod evidence;
mod lengths;
mod lexicon;
mod path;
mod score;
mod sentences;

pub(crate) use document::{Anchor, Contents, Document, DocumentReader, Sentence};
pub(crate) use lengths::{built_in_ratio, has_blanks};
pub(crate) use lexicon::{Lexicon, Links};

use document::Block;
use evidence::Evidence;
use std::ops::Range;

/// The kinds of anchors. Each can be switched off, which shows how much it contributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchors {
    /// Whether blocks of one kind count: headings by level, items, cells, captions.
    pub structure: bool,
    /// Whether images of one media record count.
    pub media: bool,
    /// Whether links to one record, or to translations of each other, count.
    pub links: bool,
    /// Whether numbers, addresses and names that are written alike count.
    pub words: bool,
}

impl Default for Anchors {
    fn default() -> Self {
        Anchors { structure: true, media: true, links: true, words: true }
    }
}

/// Sentences that translate each other; one side may be empty.
#[derive(Debug)]
pub(crate) struct Link {
    /// The sentences of the first document, by their numbers in it.
    pub(crate) from: Range<usize>,
    /// The sentences of the second document.
    pub(crate) to: Range<usize>,
    /// The expected share of correct links among links like this one; `None` if one side is empty.
    pub(crate) score: Option<f64>,
    /// The anchors that support it: kind and value.
    pub(crate) anchors: Vec<(&'static str, String)>,
}

impl Link {
    pub(crate) fn is_one_sided(&self) -> bool {
        self.from.is_empty() || self.to.is_empty()
    }
}

/// The links between two documents, in order.
#[derive(Debug)]
pub(crate) struct Alignment {
    pub(crate) links: Vec<Link>,
    /// Whether paths far from the diagonal were left out.
    pub(crate) cut: bool,
}

/// Blocks of the two documents that belong together; one side may be empty.
struct Bead {
    from: Range<usize>,
    to: Range<usize>,
}

/// Aligns two documents. `ratio` is the length of the second relative to the first; `lexicon` has word pairs learnt from other
/// documents; `group` returns the group of translations that a linked record belongs to.
pub(crate) fn align(
    from: &Document,
    to: &Document,
    ratio: f64,
    anchors: Anchors,
    lexicon: Option<&Lexicon>,
    group: impl Fn(u64) -> Option<u64>,
) -> Alignment {
    let evidence = Evidence::new(from, to, anchors, lexicon, group);
    let (parts, mut cut) = blocks::parts(from, to, ratio, anchors, &evidence);
    let mut links = Vec::new();
    for part in &parts {
        let one_to_one = part.from.len() == 1 && part.to.len() == 1;
        let value = (one_to_one && anchors.structure)
            .then(|| from.blocks[part.from.start].kind.name(to.blocks[part.to.start].kind))
            .flatten();
        let of = |document: &Document, blocks: &Range<usize>| sentences_of(&document.blocks, blocks);
        let (ours, theirs) = (of(from, &part.from), of(to, &part.to));
        cut |= sentences::link(from, to, (ours, theirs), ratio, &evidence, |ours, theirs| {
            let mut found = Vec::new();
            if !ours.is_empty() && !theirs.is_empty() {
                found.extend(value.as_ref().map(|value| ("structure", value.clone())));
                evidence.shared_media(part, &mut found);
                evidence.shared(ours.clone(), theirs.clone(), &mut found);
            }
            links.push(Link { from: ours, to: theirs, score: None, anchors: found });
        });
    }
    score::score((from, to), ratio, &evidence, &mut links);
    Alignment { links, cut }
}

/// The numbers of the sentences in these blocks.
fn sentences_of(blocks: &[Block], range: &Range<usize>) -> Range<usize> {
    let start = |at: usize| blocks.get(at).map(|block| block.first);
    let end = blocks.last().map_or(0, |block| block.first + block.count);
    start(range.start).unwrap_or(end)..start(range.end).unwrap_or(end)
}

#[cfg(test)]
mod tests;
