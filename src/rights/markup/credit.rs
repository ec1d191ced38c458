//! Recognises the licence of a work that is named before it, and a sentence within a long text.

use super::super::nouns::tokens;
use super::super::subject::is_labelled;
use super::super::words::BY;
use std::ops::Range;

/// Bytes of a long text. No more characters of one are looked at, on each side of a place: a block may have a thousand licences.
const LONG: usize = 600;

fn has_words_before(text: &str) -> bool {
    text.chars().rev().take(LONG).any(char::is_alphabetic)
}

fn has_words(text: &str) -> bool {
    text.chars().take(LONG).any(char::is_alphabetic)
}

/// Whether the author of something that is named comes after its licence: "Anchor, CC BY by Ann".
pub(super) fn is_before_author(before: &str, after: &str) -> bool {
    let is_by = tokens(after).first().is_some_and(|word| BY.contains(word.as_str()));
    is_by && before.chars().any(char::is_alphabetic) && !is_labelled(before)
}

/// Whether a sentence is within a long text.
pub(super) fn is_amid(text: &str, sentence: &Range<usize>) -> bool {
    text.len() > LONG && has_words_before(&text[..sentence.start]) && has_words(&text[sentence.end..])
}
