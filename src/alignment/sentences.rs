//! Links the sentences of blocks that belong together.

use super::document::Document;
use super::evidence::Evidence;
use super::lengths;
use super::path::{Step, path};
use std::ops::Range;

/// How many sentences of each side a link may have, and its cost. Like the other constants here, they were tuned on German and
/// French reports and on English, Hungarian and Romanian prose, aligned by hand.
const STEPS: [(Step, f64); 12] = [
    ((1, 1), 0.1),
    ((1, 0), SKIP),
    ((0, 1), SKIP),
    ((1, 2), 2.2),
    ((2, 1), 2.2),
    ((2, 2), 3.5),
    ((1, 3), 4.5),
    ((3, 1), 4.5),
    ((1, 4), 7.0),
    ((4, 1), 7.0),
    ((2, 3), 6.5),
    ((3, 2), 6.5),
];
const SKIP: f64 = 4.2;
/// The variance of the length per character of a translation.
const SPREAD: f64 = 9.0;
/// The variance of the length of the translation of an empty text.
const LEAST: f64 = 0.0;
/// The highest cost of a difference in length: beyond it, only anchors link sentences.
const UNLIKE: f64 = 9.0;
/// The most that equal final punctuation reduces the cost, and that different punctuation adds to it.
const ENDS: f64 = 1.0;
/// The most that anchors can reduce the cost, and the most that words of the lexicon can.
const MOST: f64 = 4.0;
/// How much a word that both sides have reduces the cost.
const SHARED: f64 = 0.8;
/// How much a word that only one side has adds to the cost.
const OTHER: f64 = 0.6;

/// Passes `take` the links between these sentences, in order; returns whether the band excluded paths.
pub(super) fn link(
    from: &Document,
    to: &Document,
    (ours, theirs): (Range<usize>, Range<usize>),
    ratio: f64,
    evidence: &Evidence,
    mut take: impl FnMut(Range<usize>, Range<usize>),
) -> bool {
    let (a, b) = (&from.sentences[ours.clone()], &to.sentences[theirs.clone()]);
    let [lengths_a, lengths_b] = [a, b].map(|of| lengths::sums(of.iter().map(|sentence| sentence.length)));
    let steps = STEPS.map(|(step, _)| step);
    let cost = |i: usize, j: usize, step: Step| {
        let prior = STEPS.iter().find(|(known, _)| *known == step).map_or(0.0, |(_, prior)| *prior);
        let (from, to) = (i - step.0..i, j - step.1..j);
        if from.is_empty() || to.is_empty() {
            return prior;
        }
        let length = |sums: &[usize], of: &Range<usize>| (sums[of.end] - sums[of.start]) as f64;
        let misfit = misfit(length(&lengths_a, &from) * ratio, length(&lengths_b, &to));
        let shift = |of: Range<usize>, by: usize| of.start + by..of.end + by;
        let (from, to) = (shift(from, ours.start), shift(to, theirs.start));
        let anchors = evidence.of_sentences(from.clone(), to.clone()).min(MOST);
        let (shared, other) = evidence.of_words(from, to);
        let words = (SHARED * shared - OTHER * other).clamp(-MOST, MOST);
        prior + lengths::cost(misfit).min(UNLIKE) - ENDS * ends(&a[i - 1].text, &b[j - 1].text) - anchors - words
    };
    let (steps, cut) = path((a.len(), b.len()), &steps, cost);
    let (mut i, mut j) = (0, 0);
    for step in steps {
        (i, j) = (i + step.0, j + step.1);
        let (from, to) = (ours.start + i - step.0..ours.start + i, theirs.start + j - step.1..theirs.start + j);
        if step == (2, 2) && are_crossed(from.start, to.start, evidence) {
            take(from.start..from.start + 1, to.start + 1..to.end);
            take(from.start + 1..from.end, to.start..to.start + 1);
        } else {
            take(from, to);
        }
    }
    cut
}

/// Whether two sentences have changed places: each shares its words with the counterpart of the other.
fn are_crossed(from: usize, to: usize, evidence: &Evidence) -> bool {
    let words = |ours: usize, theirs: usize| evidence.of_words(ours..ours + 1, theirs..theirs + 1).0;
    words(from, to + 1).min(words(from + 1, to)) > words(from, to) + words(from + 1, to + 1)
}

/// By how many standard deviations the lengths of linked sentences differ.
pub(super) fn misfit(from: f64, to: f64) -> f64 {
    lengths::misfit(from, to, SPREAD, LEAST)
}

/// How similarly two sentences end: as a question, a statement, or a heading.
pub(super) fn ends(one: &str, other: &str) -> f64 {
    match (end(one), end(other)) {
        (one, other) if one != other => -1.0,
        ('.', _) => 0.3,
        _ => 1.0,
    }
}

fn end(text: &str) -> char {
    let last = text
        .trim_end_matches(['"', '»', '«', '”', '“', '\'', '’', ')', ']', ' ', '\u{a0}', '」', '）'])
        .chars()
        .next_back();
    match last {
        Some('.' | '…' | '。' | '।' | '۔') => '.',
        Some('?' | '？' | '؟') => '?',
        Some('!' | '！') => '!',
        Some(':' | '：' | ';' | '；') => ':',
        _ => ' ',
    }
}
