//! Learns which words of two languages translate each other, from the aligned sentences of many documents: words that occur in the
//! same links again and again.

use super::document::Document;
use super::{Alignment, Link};
use crate::urls::QuickMap;
use xxhash_rust::xxh3::xxh3_64;

/// The fewest links that a lexicon is learnt from: in fewer, words that often occur together are a coincidence.
const LEAST_LINKS: usize = 200;
/// The most links that a lexicon is learnt from.
const MOST_LINKS: usize = 5000;
/// The most words of a sentence that are considered.
const MOST_WORDS: usize = 40;
/// The most links of a word that are considered.
const MOST_PLACES: usize = 200;
/// The fewest links that two words must share to be translations.
const LEAST: u32 = 2;
/// The least share of their links that the shared ones make up (Dice).
const LEAST_SHARE: f64 = 0.3;
/// How many letters of a word count: inflections differ at the end.
const STEM: usize = 5;

/// Words of two languages; a word and its translation have the same number, and no other word has it.
#[derive(Default)]
pub(crate) struct Lexicon([QuickMap<u64, u64>; 2]);

impl Lexicon {
    /// Passes `take` the numbers of the words of a text in the first (0) or the second language (1).
    pub(super) fn read(&self, side: usize, text: &str, take: impl FnMut(u64)) {
        words(text).iter().filter_map(|word| self.0[side].get(word).copied()).for_each(take);
    }
}

/// The links that a lexicon is learnt from: the words of each side.
#[derive(Default)]
pub(crate) struct Links(Vec<[Vec<u64>; 2]>);

impl Links {
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MOST_LINKS
    }

    /// Adds the links of one sentence with one sentence that are more likely right than wrong.
    pub(crate) fn take(&mut self, from: &Document, to: &Document, alignment: &Alignment) {
        let is_good =
            |link: &&Link| (link.from.len(), link.to.len()) == (1, 1) && link.score.is_some_and(|score| score >= 0.5);
        let texts = |link: &Link| [&from.sentences[link.from.start].text, &to.sentences[link.to.start].text];
        let links = alignment.links.iter().filter(is_good).map(|link| texts(link).map(|text| words(text)));
        self.0.extend(links.take(MOST_LINKS.saturating_sub(self.0.len())));
    }

    /// The pairs of words that are each other's best match.
    pub(crate) fn lexicon(&self) -> Lexicon {
        if self.0.len() < LEAST_LINKS {
            return Lexicon::default();
        }
        let mut places: [QuickMap<u64, Vec<u32>>; 2] = Default::default();
        for (number, sides) in (0..).zip(&self.0) {
            for (places, words) in places.iter_mut().zip(sides) {
                words.iter().for_each(|word| places.entry(*word).or_default().push(number));
            }
        }
        let mut best: [QuickMap<u64, (f64, u64, u64)>; 2] = Default::default();
        let mut counts = QuickMap::<u64, u32>::default();
        for (&word, links) in places[0].iter().filter(|(_, links)| links.len() >= LEAST as usize) {
            counts.clear();
            for &link in links.iter().take(MOST_PLACES) {
                self.0[link as usize][1].iter().for_each(|other| *counts.entry(*other).or_default() += 1);
            }
            for (&other, &count) in counts.iter().filter(|(_, count)| **count >= LEAST) {
                let share = 2.0 * f64::from(count) / (links.len().min(MOST_PLACES) + places[1][&other].len()) as f64;
                // Breaks ties in the same way for both words.
                let pair = (share, word ^ other.rotate_left(1));
                for (side, word, other) in [(0, word, other), (1, other, word)] {
                    let best = best[side].entry(word).or_insert((0.0, 0, 0));
                    if pair > (best.0, best.1) {
                        *best = (pair.0, pair.1, other);
                    }
                }
            }
        }
        let mut lexicon = Lexicon::default();
        for (&word, &(share, number, other)) in &best[0] {
            if share >= LEAST_SHARE && best[1][&other].2 == word {
                lexicon.0[0].insert(word, number);
                lexicon.0[1].insert(other, number);
            }
        }
        lexicon
    }
}

/// The words of a text as hashes of their first letters, each once. Scripts without blanks are taken as pairs of adjacent characters.
fn words(text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut stem = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.contains(|c: char| c >= '\u{2e80}' || ('\u{e00}'..'\u{1100}').contains(&c)) {
            let starts = word.char_indices().zip(word.char_indices().skip(1));
            found.extend(starts.map(|((start, _), (at, c))| xxh3_64(&word.as_bytes()[start..at + c.len_utf8()])));
        } else if word.len() > 1 && !word.contains(|c: char| c.is_ascii_digit()) {
            stem.clear();
            stem.extend(word.chars().take(STEM).flat_map(char::to_lowercase));
            found.push(xxh3_64(stem.as_bytes()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST_WORDS);
    found
}
