//! Rejects most selectors for most pages at once: a page must contain certain words for a selector to match.
//! [`super::select`](mod@super::select) finds out whether a selector is valid.

use super::selector::alternatives;
use aho_corasick::Span;
use aho_corasick::packed::{MatchKind, Searcher};
use memchr::memmem::Finder;
use std::collections::BTreeMap;

/// Texts that are looked for in one pass: the packed searcher takes 64, and passes over fewer of them faster.
const TOGETHER: usize = 32;

/// Which of many selectors can match in a page at all.
pub(crate) struct Prefilter {
    /// For each text the selectors of which it is an alternative; no text is within another.
    selectors: Vec<Vec<usize>>,
    passes: Vec<Pass>,
    /// Selectors that may match without any fixed text.
    always: Vec<bool>,
}

/// Some of the texts, and the number of the first.
struct Pass {
    first: usize,
    finders: Vec<Finder<'static>>,
    /// Finds all of them at once, eight times as fast as one by one: a quarter of a page that is read whole. None where
    /// the machine has no vectors.
    packed: Option<Searcher>,
}

impl Prefilter {
    /// Those of `selectors`, which are numbered from 0.
    pub(crate) fn new<'a>(selectors: impl IntoIterator<Item = &'a str>) -> Self {
        let mut by_text: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut always = Vec::new();
        for (number, selector) in selectors.into_iter().enumerate() {
            let texts = needed(selector);
            always.push(texts.is_none());
            texts.into_iter().flatten().for_each(|text| by_text.entry(text).or_default().push(number));
        }
        let by_text = without_longer(by_text);
        let texts: Vec<&String> = by_text.keys().collect();
        let pass = |(number, texts): (usize, &[&String])| Pass {
            first: number * TOGETHER,
            finders: texts.iter().map(|text| Finder::new(text.as_str()).into_owned()).collect(),
            packed: aho_corasick::packed::Config::new()
                .match_kind(MatchKind::LeftmostFirst)
                .builder()
                .extend(texts)
                .build(),
        };
        let passes = texts.chunks(TOGETHER).enumerate().map(pass).collect();
        Prefilter { passes, selectors: by_text.into_values().collect(), always }
    }

    /// Looks for all of them in `html`.
    pub(crate) fn look(&self, html: &[u8]) -> Presence<'_> {
        let mut ends = vec![0; self.selectors.len()];
        for pass in &self.passes {
            pass.look(html, &mut ends[pass.first..]);
        }
        Presence { prefilter: self, ends, length: html.len() }
    }
}

/// Puts each text into the place of those that contain it: where they are, it is.
fn without_longer(by_text: BTreeMap<String, Vec<usize>>) -> BTreeMap<String, Vec<usize>> {
    let mut kept: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut texts: Vec<(String, Vec<usize>)> = by_text.into_iter().collect();
    texts.sort_by_key(|(text, _)| text.len());
    for (text, numbers) in texts {
        let shorter = kept.keys().find(|shorter| text.contains(*shorter)).cloned();
        kept.entry(shorter.unwrap_or(text)).or_default().extend(numbers);
    }
    kept
}

impl Pass {
    /// Notes where the last of each text ends.
    fn look(&self, html: &[u8], ends: &mut [usize]) {
        let Some(packed) = &self.packed else {
            for (finder, end) in self.finders.iter().zip(ends) {
                *end = finder.find_iter(html).last().map_or(0, |at| at + finder.needle().len());
            }
            return;
        };
        let mut span = Span { start: 0, end: html.len() };
        while let Some(found) = packed.find_in(html, span) {
            ends[found.pattern().as_usize()] = found.end();
            // another may begin within this one
            span.start = found.start() + 1;
        }
    }
}

/// What was found in a page.
pub(crate) struct Presence<'p> {
    prefilter: &'p Prefilter,
    /// Where the last of each text ends; 0: there is none.
    ends: Vec<usize>,
    length: usize,
}

impl Presence<'_> {
    /// For each selector whether it can match.
    pub(crate) fn present(&self) -> Vec<bool> {
        let mut present = self.prefilter.always.clone();
        for (numbers, _) in self.prefilter.selectors.iter().zip(&self.ends).filter(|(_, end)| **end > 0) {
            numbers.iter().for_each(|&number| present[number] = true);
        }
        present
    }

    /// Where the last text ends without which none of the selectors that are asked for begins to match; the end of the
    /// page where one needs none.
    pub(crate) fn last(&self, is_asked: impl Fn(usize) -> bool) -> usize {
        if self.prefilter.always.iter().enumerate().any(|(number, always)| *always && is_asked(number)) {
            return self.length;
        }
        let asked = self.prefilter.selectors.iter().zip(&self.ends);
        let ends = asked.filter(|(numbers, _)| numbers.iter().any(|&number| is_asked(number))).map(|(_, end)| *end);
        ends.max().unwrap_or(0)
    }
}

/// Texts one of which is in every page in which `selector` matches: of each alternative the longest class, id or
/// attribute value. None where an alternative has no such text.
fn needed(selector: &str) -> Option<Vec<String>> {
    alternatives(selector)
        .into_iter()
        .map(|one| fixed_texts(one).max_by_key(|text| text.len()).map(str::to_owned))
        .collect()
}

/// Classes, ids and attribute values of one alternative; nothing that is in `:not(…)` or escaped.
fn fixed_texts(selector: &str) -> impl Iterator<Item = &str> {
    let (mut round, mut square) = (0_u32, false);
    let mut starts = Vec::new();
    for (at, c) in selector.char_indices() {
        match c {
            '(' => round += 1,
            ')' => round = round.saturating_sub(1),
            '[' => square = true,
            ']' => square = false,
            '=' if square && round == 0 => starts.push(at + 1),
            '.' | '#' if !square && round == 0 => starts.push(at + 1),
            _ => {}
        }
    }
    starts.into_iter().filter_map(move |start| {
        let rest = selector[start..].trim_start_matches(['"', '\'']);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(rest.len());
        // [lang="fr" i] matches FR as well, and an escaped name is written otherwise in the page
        let value = rest.split(']').next().unwrap_or_default().trim_end();
        let folded = value.ends_with(" i") || value.ends_with(" I");
        let escaped = rest[end..].starts_with('\\');
        (end > 0 && !folded && !escaped).then_some(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_wherever_they_are_and_the_last_of_them() {
        let selectors = [".long-item", ".item-x, .b2", "#item", "li", ".aaa", ".nowhere"];
        let prefilter = Prefilter::new(selectors);
        let page = format!("{}long-item-x{}aaaa{}", "-".repeat(100), "-".repeat(100), "-".repeat(100));
        let seen = prefilter.look(page.as_bytes());
        // .long-item and .item-x are looked for as the shorter .item
        assert_eq!(seen.present(), [true, true, true, true, true, false]);
        assert_eq!(seen.last(|number| number < 3), 109);
        assert!((214..=215).contains(&seen.last(|number| number == 4)));
        assert_eq!(seen.last(|number| number == 3), page.len());
        assert_eq!(seen.last(|number| number == 5), 0);
        assert_eq!(prefilter.look(b"").present(), [false, false, false, true, false, false]);
    }

    #[test]
    fn many_texts_are_found_in_pages_of_any_length() {
        let texts: Vec<String> = (0..100).map(|n| format!(".class-{n:03}-")).collect();
        let prefilter = Prefilter::new(texts.iter().map(String::as_str));
        for (number, text) in texts.iter().enumerate() {
            let page = format!("{}{}", " ".repeat(number), &text[1..]);
            let want: Vec<bool> = (0..100).map(|other| other == number).collect();
            assert_eq!(prefilter.look(page.as_bytes()).present(), want);
            assert_eq!(prefilter.look(page.as_bytes()).last(|_| true), page.len());
        }
    }

    #[test]
    fn needed_texts_are_in_every_page_that_matches() {
        let of = |selector| needed(selector).map(|found| found.join(" "));
        assert_eq!(of("li.lang-item").unwrap(), "lang-item");
        assert_eq!(of("#x li.longer, .y").unwrap(), "longer y");
        assert_eq!(of("select[name^=lang_choice] option").unwrap(), "lang_choice");
        assert_eq!(of("a[href=\"#top\"]"), None);
        assert_eq!(of("ul li"), None);
        assert_eq!(of(".a, ul"), None);
        assert_eq!(of("li:not(.a)"), None);
        assert_eq!(of("li:not(.a).b").unwrap(), "b");
        assert_eq!(of("a[lang=\"fr\" i]"), None);
        assert_eq!(of("a[lang=fr i]"), None);
    }
}
