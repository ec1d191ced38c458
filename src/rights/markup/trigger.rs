//! Whether HTML may say anything: most contents do not, and are not read.

use aho_corasick::packed::{self, MatchKind, Searcher};
use std::sync::LazyLock;

/// Texts without one of which HTML says nothing.
const WORDS: [&str; 16] = [
    "icens",
    "ICENS",
    "icenc",
    "izenz",
    "reative Commons",
    "reativecommons",
    "cc:",
    "CC ",
    "CC-",
    "CC0",
    "opyright",
    "OPYRIGHT",
    "©",
    "&copy",
    "&#169",
    "eserved",
];

/// Finds them in one pass; none where the machine has no vectors.
static SEARCHER: LazyLock<Option<Searcher>> =
    LazyLock::new(|| packed::Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(WORDS).build());

pub(super) fn may_say(html: &str) -> bool {
    match &*SEARCHER {
        Some(searcher) => searcher.find(html.as_bytes()).is_some(),
        None => WORDS.iter().any(|word| html.contains(word)),
    }
}
