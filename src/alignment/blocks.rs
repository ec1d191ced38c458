//! Finds the blocks of two documents that belong together.

use super::document::{Block, BlockKind, Document};
use super::evidence::Evidence;
use super::path::{Step, path};
use super::{Anchors, Bead, lengths};
use std::ops::Range;

/// How many blocks of each side one step takes, and its cost.
const STEPS: [(Step, f64); 8] = [
    ((1, 1), 0.1),
    ((1, 0), 3.5),
    ((0, 1), 3.5),
    ((1, 2), 3.5),
    ((2, 1), 3.5),
    ((2, 2), 5.0),
    ((1, 3), 5.0),
    ((3, 1), 5.0),
];
/// The variance of the length per character of a translation.
const SPREAD: f64 = 6.0;
/// The variance of the length of the translation of an empty text.
const LEAST: f64 = 10.0;
/// The highest cost of a difference in length: one of two corresponding blocks may be abridged.
const UNLIKE: f64 = 6.5;
/// The cost of a pair whose blocks both have images, but none in common.
const OTHER_MEDIA: f64 = 2.0;
/// The most that anchors can reduce the cost.
const MOST: f64 = 8.0;

/// Returns the blocks that belong together, in order, and whether the band excluded paths. A part may have blocks of one side
/// only.
pub(super) fn parts(
    from: &Document,
    to: &Document,
    ratio: f64,
    anchors: Anchors,
    evidence: &Evidence,
) -> (Vec<Bead>, bool) {
    let (a, b) = (&from.blocks, &to.blocks);
    let lengths_of = |document: &Document| {
        let sentences = |block: &Block| &document.sentences[block.first..block.first + block.count];
        let length = |block: &Block| sentences(block).iter().map(|sentence| sentence.length).sum();
        lengths::sums(document.blocks.iter().map(length))
    };
    let (lengths_a, lengths_b) = (lengths_of(from), lengths_of(to));
    let cost = |i: usize, j: usize, step: Step| {
        let prior = STEPS.iter().find(|(known, _)| *known == step).map_or(0.0, |(_, prior)| *prior);
        let (ours, theirs) = (i - step.0..i, j - step.1..j);
        if ours.is_empty() || theirs.is_empty() {
            return prior;
        }
        let length = |sums: &[usize], of: &Range<usize>| (sums[of.end] - sums[of.start]) as f64;
        let misfit = lengths::misfit(length(&lengths_a, &ours) * ratio, length(&lengths_b, &theirs), SPREAD, LEAST);
        let structure = if anchors.structure { unlike(&a[ours.clone()], &b[theirs.clone()]) } else { 0.0 };
        let worth = evidence.of_blocks(ours.clone(), theirs.clone());
        let other = worth == 0.0 && evidence.both_have_media(&ours, &theirs);
        prior + lengths::cost(misfit).min(UNLIKE) + structure - worth.min(MOST) + if other { OTHER_MEDIA } else { 0.0 }
    };
    let (steps, cut) = path((a.len(), b.len()), &STEPS.map(|(step, _)| step), cost);
    let (mut i, mut j) = (0, 0);
    let part = |step: Step| {
        (i, j) = (i + step.0, j + step.1);
        Bead { from: i - step.0..i, to: j - step.1..j }
    };
    (steps.into_iter().map(part).collect(), cut)
}

/// The cost of linking blocks of these kinds.
fn unlike(ours: &[Block], theirs: &[Block]) -> f64 {
    if let ([one], [other]) = (ours, theirs) {
        return match (one.kind, other.kind) {
            (BlockKind::Title, BlockKind::Title) => -6.0,
            (BlockKind::Title, _) | (_, BlockKind::Title) => 20.0,
            (BlockKind::Paragraph, BlockKind::Paragraph) => 0.0,
            (one, other) if one == other => -1.0,
            (BlockKind::Heading(_), BlockKind::Heading(_)) | (BlockKind::Cell(_), BlockKind::Cell(_)) => 0.0,
            (BlockKind::Item | BlockKind::Paragraph, BlockKind::Item | BlockKind::Paragraph) => 2.0,
            _ => 4.0,
        };
    }
    // Only running text is divided differently in a translation.
    let running = |blocks: &[Block]| {
        blocks.iter().all(|b| matches!(b.kind, BlockKind::Paragraph | BlockKind::Item | BlockKind::Preformatted))
    };
    if running(ours) && running(theirs) { 0.0 } else { 6.0 }
}
