//! Recognises the licence in the credit of a single work, where the work is named before it, and sentences in the middle of a long text.

use super::super::nouns::tokens;
use super::super::subject::is_labelled;
use super::super::words::BY;
use std::ops::Range;

/// A text with more bytes than this is long. At most as many characters are examined on each side of a licence, because a block may contain
/// a thousand licences.
const LONG: usize = 600;

fn has_words_before(text: &str) -> bool {
    text.chars().rev().take(LONG).any(char::is_alphabetic)
}

fn has_words(text: &str) -> bool {
    text.chars().take(LONG).any(char::is_alphabetic)
}

/// Whether the author of a named work comes after its licence: "Anchor, CC BY by Ann".
pub(super) fn is_before_author(before: &str, after: &str) -> bool {
    let is_by = tokens(after).first().is_some_and(|word| BY.contains(word.as_str()));
    is_by && before.chars().any(char::is_alphabetic) && !is_labelled(before)
}

/// Whether a sentence is in the middle of a long text.
pub(super) fn is_amid(text: &str, sentence: &Range<usize>) -> bool {
    text.len() > LONG && has_words_before(&text[..sentence.start]) && has_words(&text[sentence.end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_amid_a_long_text_with_words_before_and_after() {
        let long = "a ".repeat(LONG);
        assert_eq!([0..9, 600..609, 1191..1200].map(|sentence| is_amid(&long, &sentence)), [false, true, false]);
        assert!(!is_amid("Some words. A sentence. More.", &(12..23)));
    }
}
