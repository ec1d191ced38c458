//! Recognises credits of pictures: "Photo: Ann. CC BY", or title, author and licence, each in a line.

use super::super::nouns::tokens;
use super::super::subject::{is_labelled, is_verb};
use super::super::words::{BY, IMAGES, LABELS, SITES, TEXTS};
use std::ops::Range;

/// Characters of a title or of an author's name.
const NAME: usize = 48;

/// Bytes of a long text. No more characters of one are looked at, on each side of a place: a block may have a thousand licences.
const LONG: usize = 600;

fn first(text: &str) -> &str {
    &text[..text.char_indices().nth(LONG).map_or(text.len(), |(at, _)| at)]
}

fn has_words_before(text: &str) -> bool {
    text.chars().rev().take(LONG).any(char::is_alphabetic)
}

fn has_words(text: &str) -> bool {
    text.chars().take(LONG).any(char::is_alphabetic)
}

/// A text that may be a name, and has words.
pub(super) fn name(text: &str) -> Option<&str> {
    let name = text.trim();
    (name.len() <= 4 * NAME && name.chars().count() <= NAME && has_words(name)).then_some(name)
}

/// Whether a text begins as a credit of an image does: "Photo credit: Ann".
pub(super) fn is_credit(text: &str) -> bool {
    let label = first(text).trim_start().split_once(':').map(|(label, _)| label).filter(|label| label.len() <= NAME);
    let words = label.map(tokens).unwrap_or_default();
    words.iter().any(|word| IMAGES.contains(word.as_str())) && !words.iter().any(|word| TEXTS.contains(word.as_str()))
}

/// Whether a link is alone in its line, and the one above is no more than a [`name`].
pub(super) fn is_below_name(above: &str, line: &str, link: &Range<usize>) -> bool {
    let says_more =
        |word: &String| [&LABELS, &TEXTS, &SITES].iter().any(|list| list.contains(word.as_str())) || is_verb(word);
    let is_alone = || !has_words_before(&line[..link.start]) && !has_words(&line[link.end..]);
    !above.is_empty() && !above.contains('©') && is_alone() && !tokens(above).iter().any(says_more)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_by_their_words() {
        let below = |above: &str, line: &str| {
            let at = line.find("CC").unwrap_or_default();
            is_below_name(name(above).unwrap_or_default(), line, &(at..at + 5))
        };
        assert!(below("\nAnn Berg ", "\nCC BY "));
        for (above, line) in
            [("", "CC BY"), ("Ann", "Berg CC BY"), ("Licence", "CC BY"), ("© Ann", "CC BY"), ("Ann", "CC BY licence")]
        {
            assert!(!below(above, line), "{above} {line}");
        }
        assert!(is_credit("Picture credit: Ann"));
        assert!(!is_credit("Photos and texts: Ann") && !is_credit("A photo by Ann"));
        assert!(is_before_author("Anchor ", " by Ann") && !is_before_author("Licence: ", " by Ann"));
    }
}
