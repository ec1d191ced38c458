//! Finds the sentence around a licence in a text, and recognises copyright lines.

use super::words::RESERVED;
use std::ops::Range;

/// The most characters in a copyright line, and in a block that is treated as one sentence.
pub(super) const LINE: usize = 300;

/// The most characters in a line that consists of a label and a licence.
pub(super) const LABEL: usize = 90;

/// The most bytes of a sentence on either side of a licence's link or name.
const LONGEST: usize = 1000;

/// The most characters in a line that introduces others.
pub(super) const HEADING: usize = 60;

/// Whether a line states who owns a text. In post content, it must begin like a copyright line: posts also write about copyright.
pub(super) fn is_copyright(line: &str, is_page: bool) -> bool {
    let lower = line.to_lowercase();
    let has_year =
        lower.as_bytes().windows(4).any(|four| matches!(four[0], b'1' | b'2') && four.iter().all(u8::is_ascii_digit));
    let rest = lower.strip_prefix("copyright").map(|rest| rest.trim_start_matches([' ', ':', ',', '-']));
    let begins = ["©", "(c)"].iter().any(|sign| lower.starts_with(sign))
        || rest.is_some_and(|rest| {
            rest.starts_with(['©', '1', '2']) || rest.starts_with("(c)") || rest.starts_with("by ")
        });
    let has_sign = lower.contains('©') || lower.contains("(c) ");
    let is_reserved = RESERVED.iter().any(|phrase| lower.contains(phrase));
    match is_page {
        true => has_sign && (has_year || begins) || lower.contains("copyright") && has_year || is_reserved,
        false => begins && (has_year || lower.starts_with('©')) || is_reserved && line.chars().count() <= HEADING,
    }
}

/// The sentence around a place in a text; if it consists of a link only, the whole text. In a text without ends of sentences, the words
/// nearby.
pub(super) fn sentence(text: &str, place: &Range<usize>) -> Range<usize> {
    let near = |at: usize| (at..).find(|&at| text.is_char_boundary(at)).unwrap_or(at);
    let (from, to) = (near(place.start.saturating_sub(LONGEST)), near(text.len().min(place.end + LONGEST)));
    let before = text[from..place.start].char_indices().rev().find(|(at, _)| is_end(text, from + at));
    let start = before.map_or(from, |(at, c)| from + at + c.len_utf8());
    let after = text[place.end..to].char_indices().find(|(at, _)| is_end(text, place.end + at));
    let end = after.map_or(to, |(at, _)| place.end + at);
    let has_words = |range: Range<usize>| text[range].chars().any(char::is_alphabetic);
    let is_alone = text.len() <= LINE && !has_words(start..place.start) && !has_words(place.end..end);
    if is_alone { 0..text.len() } else { start..end }
}

/// The start of the sentence at a place.
pub(super) fn beginning(text: &str, place: usize) -> usize {
    let end = text[..place].char_indices().rev().find(|(at, _)| is_end(text, *at));
    end.map_or(0, |(at, c)| at + c.len_utf8())
}

/// Whether a sentence ends with the character at a place.
fn is_end(text: &str, at: usize) -> bool {
    let mut rest = text[at..].chars();
    let c = rest.next();
    let mut next = rest.skip_while(|c| matches!(c, '"' | '”' | '»' | ')'));
    match c {
        Some('\n' | '|' | '·' | '•' | '♦' | '◆' | '●' | ';' | '。' | '！' | '？' | '；') => true,
        Some('.' | '!' | '?') => match next.next() {
            None => true,
            Some(c) if c.is_whitespace() => {
                next.find(|c| !c.is_whitespace()).is_none_or(|c| !c.is_lowercase() && !c.is_ascii_digit())
            }
            _ => false,
        },
        _ => false,
    }
}
