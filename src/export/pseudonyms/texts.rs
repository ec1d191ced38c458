//! Renders the text of HTML again after texts in it were replaced.

use crate::html::{Extractor, Options};
use aho_corasick::{AhoCorasick, MatchKind};

/// The ways to render HTML; the one that matched last comes first.
pub(super) struct Texts {
    ways: Vec<(Extractor, bool)>,
}

impl Default for Texts {
    /// All combinations of the rules, each for content and for titles.
    fn default() -> Self {
        let options = |bits: usize| {
            let mut options = Options::default();
            Options::RULES.iter().enumerate().for_each(|(at, (_, of))| *of(&mut options) = bits >> at & 1 == 1);
            options
        };
        let all = (0..1 << Options::RULES.len()).flat_map(|bits| [true, false].map(|whole| (options(bits), whole)));
        Texts { ways: all.map(|(options, whole)| (Extractor::new(options), whole)).collect() }
    }
}

impl Texts {
    /// Renders `new` by the rules that give `text` for `old`. If no rules do, replaces the texts in `replaced` wherever they are whole
    /// words of `text`.
    pub(super) fn again(&mut self, old: &str, new: &str, text: &str, replaced: &[(String, String)]) -> String {
        let render = |(extractor, whole): &mut (Extractor, bool), html: &str| match whole {
            true => extractor.content(html, None).text,
            false => extractor.text(html),
        };
        if let Some(at) = self.ways.iter_mut().position(|way| render(way, old) == text) {
            self.ways[..=at].rotate_right(1);
            return render(&mut self.ways[0], new);
        }
        replace_words(text, replaced)
    }
}

fn replace_words(text: &str, replaced: &[(String, String)]) -> String {
    let old = replaced.iter().map(|(old, _)| old);
    let Ok(finder) = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(old) else {
        return String::new();
    };
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (mut out, mut done) = (String::new(), 0);
    for found in finder.find_iter(text).filter(|found| !found.is_empty()) {
        let (start, end) = (found.start(), found.end());
        if !is_letter(text[..start].chars().next_back()) && !is_letter(text[end..].chars().next()) {
            out.push_str(&text[done..start]);
            out.push_str(&replaced[found.pattern()].1);
            done = end;
        }
    }
    out + &text[done..]
}
