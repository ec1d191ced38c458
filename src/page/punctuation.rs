//! Counts letters and punctuation marks in any script: the marks that end a sentence or a part of one (Unicode's
//! Sentence_Terminal and Terminal_Punctuation). Also reports scripts that need no marks.

use icu_properties::CodePointSetData;
use icu_properties::props::{SentenceTerminal, TerminalPunctuation};
use std::sync::LazyLock;

/// The counts of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    /// Letters and digits; a sign for a syllable or a word counts three times.
    pub letters: usize,
    /// Marks at the end of a part of a sentence.
    pub points: usize,
    /// It has letters of a script whose sentences may go without marks: Thai, Lao, Khmer.
    pub is_unmarked: bool,
}

/// The count for each byte of UTF-8: letters and digits 1, the first byte of a sign for a syllable or word 3.
const LETTERS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = match byte as u8 {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | 0xC0..=0xE1 => 1,
            0xE3..=0xED => 3,
            _ => 0,
        };
        // Latin, Cyrillic and CJK letters whose first byte begins no mark are not checked further
        if matches!(byte as u8, b'.' | b',' | b'!' | b'?' | b';' | b':' | 0xCD..=0xCE | 0xD6..=0xE3 | 0xEA | 0xEF..=0xF1)
        {
            counts[byte] |= MAY_BE_POINT;
        }
        byte += 1;
    }
    counts
};

const MAY_BE_POINT: u8 = 1 << 7;

pub(super) fn count(text: &str) -> Counted {
    let bytes = text.as_bytes();
    let mut counted = Counted::default();
    for (at, &byte) in bytes.iter().enumerate() {
        let counts = LETTERS[usize::from(byte)];
        if counts & MAY_BE_POINT != 0 && is_point(text, at, &mut counted.is_unmarked) {
            counted.points += 1;
        } else {
            counted.letters += usize::from(counts & !MAY_BE_POINT);
        }
    }
    counted
}

/// Whether a mark that ends a part of a sentence begins at `at`.
fn is_point(text: &str, at: usize, is_unmarked: &mut bool) -> bool {
    let bytes = &text.as_bytes()[at..];
    if bytes[0].is_ascii() {
        return bytes.get(1).is_none_or(|next| !next.is_ascii_alphanumeric());
    }
    let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { return false };
    *is_unmarked |= matches!(c, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}');
    is_mark(c)
}

/// Whether a character ends a sentence or a part of one.
pub(super) fn is_mark(c: char) -> bool {
    MARKS.get(c as usize / 64).is_some_and(|bits| bits >> (c as usize % 64) & 1 == 1)
}

/// The number of code points that [`MARKS`] covers: more than the scripts in use need.
const MOST: usize = 0x12000;

/// A bit for each code point. (Looking each letter up in Unicode's ranges would take a tenth of the time of an outline.)
static MARKS: LazyLock<[u64; MOST / 64]> = LazyLock::new(|| {
    let mut marks = [0; MOST / 64];
    let sentences = CodePointSetData::new::<SentenceTerminal>();
    let parts = CodePointSetData::new::<TerminalPunctuation>();
    let all = sentences.iter_ranges().chain(parts.iter_ranges()).flatten();
    // an ellipsis ends a part of a sentence, too
    for mark in all.chain(['…' as u32]).filter(|mark| (*mark as usize) < MOST) {
        marks[mark as usize / 64] |= 1 << (mark % 64);
    }
    marks
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_all_scripts_end_parts_of_sentences() {
        for text in [
            "a.",
            "a…",
            "क।",
            "ক।",
            "ا؟",
            "ا،",
            "ک۔",
            "မ။",
            "መ።",
            "መ፣",
            "永。",
            "永、",
            "永，",
            "永．",
            "永！",
            "永？",
            "永；",
            "永：",
            "α;",
            "α\u{387}",
            "ա։",
            "א׃",
            "ខ។",
            "ܐ܀",
            "བ།",
        ] {
            let counted = count(text);
            assert_eq!((counted.points, counted.letters > 0), (1, true), "{text} {counted:?}");
        }
        for text in ["1.5", "a:b", "永", "ไทย", "א", "ἀ", "ｱ", "«a»", "—", "“a”"] {
            assert_eq!(count(text).points, 0, "{text}");
        }
        assert!(count("ไทย").is_unmarked && count("ລາວ").is_unmarked && count("ខ្មែរ").is_unmarked);
        assert!(!count("मराठी").is_unmarked && !count("ελληνικά").is_unmarked);
    }

    /// The table of first bytes covers every mark.
    #[test]
    fn each_mark_is_found_by_its_first_byte() {
        for c in (0..MOST as u32).filter_map(char::from_u32).filter(|c| is_mark(*c) && !c.is_ascii()) {
            assert_eq!(count(&c.to_string()).points, 1, "{c:?}");
        }
    }
}
