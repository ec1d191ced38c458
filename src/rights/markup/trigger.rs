//! Tests quickly whether HTML may contain statements about rights: most does not, and is not parsed.

use super::super::words::RESERVED;
use aho_corasick::packed::{self, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, AhoCorasickKind, Input};
use memchr::memmem;
use std::sync::LazyLock;

/// HTML contains no statement without one of these words or the copyright sign. Each has at least three bytes: with two, the searcher stops
/// three times as often.
const WORDS: [&str; 27] = [
    "icens",
    "ICENS",
    "icenc",
    "izenz",
    "reative Commons",
    "reative commons",
    "reativecommons",
    "cc:",
    "CC ",
    "CC-",
    "CC0",
    "opyright",
    "OPYRIGHT",
    "&copy",
    "&#169",
    "eserved",
    "知识共享",
    "知識共享",
    "创作共用",
    "創作共用",
    "创意共享",
    "共享創意",
    "创用",
    "創用",
    "クリエイティ",
    "크리에이티브",
    "оммонс",
];

const SIGN: &str = "©";

/// Finds the words in one pass; `None` on a machine without vector instructions.
static SEARCHER: LazyLock<Option<Searcher>> =
    LazyLock::new(|| packed::Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(WORDS).build());

pub(super) fn may_say(html: &str) -> bool {
    let says_word = match &*SEARCHER {
        Some(searcher) => searcher.find(html.as_bytes()).is_some(),
        None => WORDS.iter().any(|word| html.contains(word)),
    };
    says_word || has_sign(html)
}

fn has_sign(text: &str) -> bool {
    memmem::find(text.as_bytes(), SIGN.as_bytes()).is_some()
}

/// The beginnings of names of licences, or parts of them.
const NAMES: [&str; 22] = [
    "Creative Commons",
    "Creative-Commons",
    "CreativeCommons",
    "CC BY",
    "CC-BY",
    "CC0",
    "BY-NC",
    "BY-ND",
    "BY-SA",
    "CC 署名",
    "知识共享",
    "知識共享",
    "创作共用",
    "創作共用",
    "创意共享",
    "创用",
    "創用",
    "共享創意",
    "クリエイティブ",
    "クリエイティヴ",
    "크리에이티브",
    "оммонс",
];

/// Finds [`NAMES`] in upper or lower case. Few texts are searched: building a full automaton would take longer than it saves.
static NAMED: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::NoncontiguousNFA)).build(NAMES).ok()
});

/// Every copyright line contains one of these, the copyright sign, or words that reserve rights.
const SIGNS: [&str; 2] = ["(c)", "copyright"];

/// Finds parts of names and of copyright lines, in lower case.
static SAID: LazyLock<Option<Searcher>> =
    LazyLock::new(|| packed::Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(parts()).build());

/// Whether the text of a block may name a licence, or may be a copyright line: hardly any text does. `lower` is a reusable buffer.
pub(super) fn says_something(text: &str, lower: &mut String) -> bool {
    lower.clear();
    lower.push_str(text);
    lower.make_ascii_lowercase();
    SAID.as_ref().is_none_or(|said| said.find(lower.as_bytes()).is_some()) || has_sign(text)
}

/// A part of each word, in lower case: a text without the part does not contain the word. Non-ASCII capitals in the text are not
/// lower-cased.
fn parts() -> Vec<String> {
    let words = NAMES.iter().chain(&SIGNS).chain(RESERVED.iter());
    words.flat_map(|word| part(&word.to_lowercase())).collect()
}

/// The length in bytes of the shortest part of a word that is searched for: with shorter ones, the searcher stops too often.
const LEAST: usize = 3;

/// The longest part of a word in which every letter is ASCII or has no upper case. If that part is shorter than [`LEAST`], three letters of
/// the word, in every mix of upper and lower case.
fn part(word: &str) -> Vec<String> {
    let has_capital = |c: char| !c.is_ascii() && c.to_uppercase().next() != Some(c);
    let longest = word.split(has_capital).max_by_key(|part| part.len()).unwrap_or_default();
    if longest.trim().len() >= LEAST {
        return vec![longest.to_owned()];
    }
    let letters: Vec<char> = word.split(' ').max_by_key(|part| part.len()).unwrap_or_default().chars().collect();
    let middle = &letters[letters.len().saturating_sub(3) / 2..][..letters.len().min(3)];
    let spellings = |c: char| [Some(c), c.to_uppercase().next()].into_iter().flatten();
    middle.iter().fold(vec![String::new()], |all, &c| {
        all.iter().flat_map(|begun| spellings(c).map(move |c| format!("{begun}{c}"))).collect()
    })
}

/// The position of the next possible name of a licence in a text, from `from` on.
pub(super) fn next_name(text: &str, from: usize) -> Option<usize> {
    NAMED.as_ref()?.find(Input::new(text).span(from..text.len())).map(|found| found.start())
}

#[cfg(test)]
mod tests {
    use super::super::super::names;
    use super::super::super::sentence::is_copyright;
    use super::*;
    use proptest::prelude::*;

    fn says(text: &str) -> bool {
        says_something(text, &mut String::new())
    }

    #[test]
    fn every_beginning_of_a_name_is_found() {
        let capital =
            |word: &str| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect();
        // two letters occur in many words
        for lead in names::leads().filter(|lead| *lead != "cc") {
            let words: Vec<String> = lead.split(' ').map(capital).collect();
            for text in [lead.to_owned(), words.join(" ")] {
                assert!(may_say(&text) && next_name(&text, 0).is_some() && says(&text), "{text}");
            }
        }
    }

    fn piece() -> impl Strategy<Value = String> {
        let known: Vec<&str> = NAMES.iter().chain(&SIGNS).chain(&[SIGN]).chain(RESERVED.iter()).copied().collect();
        let known = prop::sample::select(known).prop_map(str::to_owned);
        prop_oneof![
            known.clone().prop_map(|text| text.to_uppercase()),
            known.clone().prop_map(|text| text.to_lowercase()),
            known,
            prop::sample::select(vec![" ", "2020", "İ", "Ä", "本", "Ж", "(c", ")", "by"]).prop_map(str::to_owned),
        ]
    }

    proptest! {
        #[test]
        fn what_says_nothing_names_no_licence_and_is_no_copyright_line(
            pieces in prop::collection::vec(piece(), 0..3),
            cut in 0..40_usize,
        ) {
            let all = pieces.concat();
            // a word that is cut may leave another word, so both texts are tested
            let text: String = all.chars().skip(cut % 8).take(cut).collect();
            for text in [&text, &all] {
                let says = next_name(text, 0).is_some() || is_copyright(text, true) || is_copyright(text, false);
                prop_assert!(!says || self::says(text), "{}", text);
            }
        }
    }
}
