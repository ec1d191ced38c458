//! Splits a text into sentences and words, by the rules of [Unicode], with dictionaries for languages such as Chinese,
//! Japanese and Thai. Tables for single languages (`languages.toml`) list abbreviations that do not end a sentence, and words
//! that an apostrophe separates.
//!
//! [Unicode]: https://www.unicode.org/reports/tr29/

mod addresses;
mod tables;

pub(crate) use addresses::addresses;
use icu_segmenter::options::{SentenceBreakInvariantOptions, WordBreakInvariantOptions};
use icu_segmenter::{SentenceSegmenter, SentenceSegmenterBorrowed, WordSegmenter, WordSegmenterBorrowed};
use std::ops::Range;
use tables::{Language, language};

/// Splits texts into sentences, and sentences into words.
pub(crate) struct Segmenter {
    sentences: SentenceSegmenterBorrowed<'static>,
    words: WordSegmenterBorrowed<'static>,
}

impl Default for Segmenter {
    fn default() -> Self {
        Segmenter {
            sentences: SentenceSegmenter::new(SentenceBreakInvariantOptions::default()),
            words: WordSegmenter::new_auto(WordBreakInvariantOptions::default()),
        }
    }
}

impl Segmenter {
    /// The sentences of a line, which together form the line: white space belongs to the sentence before it. `tag` is the
    /// language.
    pub(crate) fn sentences<'t>(&self, line: &'t str, tag: Option<&str>) -> Vec<&'t str> {
        let (tables, addresses) = (language(tag), addresses(line));
        let (mut found, mut begin) = (Vec::new(), 0);
        for end in self.sentences.segment_str(line).skip(1) {
            if end < line.len()
                && (is_within(&addresses, end) || tables.is_some_and(|tables| goes_on(line, begin, end, tables)))
            {
                continue;
            }
            found.push(&line[begin..end]);
            begin = end;
        }
        found
    }

    /// The words of a sentence and the text between them, which together form the sentence.
    pub(crate) fn words<'t>(&self, sentence: &'t str, tag: Option<&str>) -> Vec<&'t str> {
        let (tables, addresses) = (language(tag), addresses(sentence));
        let ends = self.words.segment_str(sentence).skip(1).filter(|&end| !is_within(&addresses, end));
        let borders = addresses.iter().flat_map(|&Range { start, end }| [start, end]).filter(|&end| end > 0);
        let mut ends: Vec<usize> = ends.chain(borders).collect();
        ends.sort_unstable();
        ends.dedup();
        let (mut found, mut begin) = (Vec::new(), 0);
        for end in ends {
            let mut word = &sentence[begin..end];
            while let Some(length) = tables.and_then(|tables| tables.elision(word)) {
                found.push(&word[..length]);
                word = &word[length..];
            }
            found.push(word);
            begin = end;
        }
        found
    }
}

/// Whether a position is within one of these ranges, which are sorted.
fn is_within(addresses: &[Range<usize>], at: usize) -> bool {
    let next = addresses.partition_point(|address| address.end <= at);
    addresses.get(next).is_some_and(|address| address.start < at)
}

/// Whether the sentence that begins at `begin` continues after `end`, where Unicode ends it.
fn goes_on(line: &str, begin: usize, end: usize, tables: &Language) -> bool {
    let sentence = line[begin..end].trim_end();
    let Some(before) = sentence.strip_suffix('.') else { return false };
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '\u{a0}').next().unwrap_or_default();
    let word = word.trim_start_matches(OPENING);
    let mut letters = word.chars();
    let is_initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none() && word != "I";
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    // `1.` at the start of a line is the number of a list item.
    let is_item = before.len() < 16 && before.trim_start().trim_start_matches(OPENING) == word;
    is_initial || is_number && (is_item || tables.follows_ordinals(&line[end..])) || tables.is_abbreviation(sentence)
}

/// The characters that may precede the first letter of a word.
const OPENING: [char; 14] = ['(', '[', '{', '<', '"', '\'', '«', '‹', '“', '„', '‘', '‚', '¿', '¡'];

#[cfg(test)]
mod tests;
