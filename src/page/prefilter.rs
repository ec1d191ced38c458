//! Rejects most CSS selectors for most pages at once: a page must contain certain words for a selector to match.
//! [`super::select`](mod@super::select) finds out whether a selector is valid.

use super::selector::alternatives;
use aho_corasick::Span;
use aho_corasick::packed::{MatchKind, Searcher};
use memchr::memmem::Finder;
use std::collections::BTreeMap;

/// The most texts that are searched for in one pass: the packed searcher takes 64, and is faster with fewer of them.
const TOGETHER: usize = 32;

/// Decides which of many selectors can match in a page at all.
pub(crate) struct Prefilter {
    /// For each text, the selectors that have it as an alternative; texts that contain another one are left out.
    selectors: Vec<Vec<usize>>,
    passes: Vec<Pass>,
    /// Selectors that may match without any fixed text.
    always: Vec<bool>,
}

/// Some of the texts, and the number of the first of them.
struct Pass {
    first: usize,
    finders: Vec<Finder<'static>>,
    /// Finds all texts of the pass at once, eight times as fast as one by one: the difference is about a quarter of the
    /// time of reading a whole page. [`None`] if the machine has no vector instructions.
    packed: Option<Searcher>,
}

impl Prefilter {
    /// A filter for `selectors`, which are numbered from 0.
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

    /// Searches for all texts in `html`.
    pub(crate) fn look(&self, html: &[u8]) -> Presence<'_> {
        let mut ends = vec![0; self.selectors.len()];
        for pass in &self.passes {
            pass.look(html, &mut ends[pass.first..]);
        }
        Presence { prefilter: self, ends, length: html.len() }
    }
}

/// Replaces texts that contain another text by that one: it occurs wherever they do.
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
    /// Records where the last occurrence of each text ends.
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
            // another text may begin within this one
            span.start = found.start() + 1;
        }
    }
}

/// The texts found in a page.
pub(crate) struct Presence<'p> {
    prefilter: &'p Prefilter,
    /// Where the last occurrence of each text ends; 0: it does not occur.
    ends: Vec<usize>,
    length: usize,
}

impl Presence<'_> {
    /// For each selector, whether it can match.
    pub(crate) fn present(&self) -> Vec<bool> {
        let mut present = self.prefilter.always.clone();
        for (numbers, _) in self.prefilter.selectors.iter().zip(&self.ends).filter(|(_, end)| **end > 0) {
            numbers.iter().for_each(|&number| present[number] = true);
        }
        present
    }

    /// The end of the last text that a wanted selector needs: after it, no wanted selector begins to match. The end of
    /// the page if one of them needs no text.
    pub(crate) fn last(&self, is_asked: impl Fn(usize) -> bool) -> usize {
        if self.prefilter.always.iter().enumerate().any(|(number, always)| *always && is_asked(number)) {
            return self.length;
        }
        let asked = self.prefilter.selectors.iter().zip(&self.ends);
        let ends = asked.filter(|(numbers, _)| numbers.iter().any(|&number| is_asked(number))).map(|(_, end)| *end);
        ends.max().unwrap_or(0)
    }
}

/// The texts that a selector needs: every page in which it matches contains one of them. For each alternative, that is
/// its longest class, id or attribute value. [`None`] if an alternative has no such text.
fn needed(selector: &str) -> Option<Vec<String>> {
    alternatives(selector)
        .into_iter()
        .map(|one| fixed_texts(one).max_by_key(|text| text.len()).map(str::to_owned))
        .collect()
}

/// The classes, ids and attribute values of one alternative, except those in `:not(…)` and escaped ones.
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
        // [lang="fr" i] matches FR as well, and a page writes an escaped name differently
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
        // .long-item and .item-x are searched for as the shorter .item
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
