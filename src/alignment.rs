//! Aligns two documents that are translations of each other: first their blocks, then the sentences of blocks that belong
//! together. Which documents these are is decided elsewhere.
//!
//! Both steps find the cheapest monotone path ([`path`]). The costs are those of lengths, as [Gale and Church] have them, less
//! what anchors are worth: blocks of one kind, images of one record, links that lead to translations of each other, and what is
//! written alike in both languages. A link gets a score: the share of links like it that are right.
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

/// The kinds of anchors. Each can be switched off, which shows what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchors {
    /// Blocks of one kind: headings by level, items, cells, captions.
    pub structure: bool,
    /// Images of one media record.
    pub media: bool,
    /// Links to one record, or to translations of each other.
    pub links: bool,
    /// Numbers, addresses and names that are written alike.
    pub words: bool,
}

impl Default for Anchors {
    fn default() -> Self {
        Anchors { structure: true, media: true, links: true, words: true }
    }
}

/// Sentences that say the same; one side may be empty.
#[derive(Debug)]
pub(crate) struct Link {
    /// Sentences of the first document, by their numbers in it.
    pub(crate) from: Range<usize>,
    /// Sentences of the second.
    pub(crate) to: Range<usize>,
    /// The share of links like this one that are right; none if a side is empty.
    pub(crate) score: Option<f64>,
    /// What supports it: kind and value.
    pub(crate) anchors: Vec<(&'static str, String)>,
}

impl Link {
    pub(crate) fn is_one_sided(&self) -> bool {
        self.from.is_empty() || self.to.is_empty()
    }
}

/// Two documents' links, in their order.
#[derive(Debug)]
pub(crate) struct Alignment {
    pub(crate) links: Vec<Link>,
    /// Whether paths far from the diagonal were left out.
    pub(crate) cut: bool,
}

/// Some blocks of each document, and what is known of them.
struct Part {
    from: Range<usize>,
    to: Range<usize>,
}

/// Aligns two documents. `ratio` is how long the second is where the first has length 1; `lexicon` is what other documents tell
/// of their words; `group` tells which group a linked record belongs to.
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
