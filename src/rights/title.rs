//! Compares the names in a sentence with a page's title, to recognise the licence of another work: "Waves by Ann is
//! licensed under".

use super::words::{BY, PAGES, SITES, TEXTS};
use crate::urls::PageUrl;
use std::collections::HashSet;

/// The fewest letters in a word of a title that is compared.
const WORD: usize = 3;

/// The most characters in the name of a work.
const LONGEST: usize = 120;

/// The words of a page's title and of its host.
#[derive(Debug, Default)]
pub(super) struct Titles {
    words: HashSet<String>,
    host: String,
    is_known: bool,
}

impl Titles {
    pub(super) fn of(page: Option<&PageUrl>) -> Self {
        Titles { host: page.map(|page| page.host().to_lowercase()).unwrap_or_default(), ..Titles::default() }
    }

    pub(super) fn add(&mut self, title: &str) {
        self.is_known |= !title.trim().is_empty();
        self.words.extend(words(title));
    }

    /// Whether a sentence begins with the name of a work, and most words of that name are neither in the page's title
    /// nor in its host.
    pub(super) fn are_others(&self, sentence: &str) -> bool {
        if !self.is_known {
            return false;
        }
        let all: Vec<String> = sentence.split_whitespace().map(str::to_lowercase).collect();
        // the "by" of "CC BY" does not count
        let is_by = |at: &usize| BY.contains(all[*at].as_str()) && (*at == 0 || all[*at - 1] != "cc");
        let Some(by) = (0..all.len()).find(is_by) else { return false };
        let name = all[..by].join(" ");
        let names = words(&name);
        let is_general = |word: &String| [&TEXTS, &SITES, &PAGES].iter().any(|list| list.contains(word.as_str()));
        let is_own = |word: &String| self.words.contains(word) || self.host.contains(word.as_str());
        let own = names.iter().filter(|word| is_own(word)).count();
        let is_name = !names.is_empty() && name.chars().count() <= LONGEST && !names.iter().any(is_general);
        is_name && own * 2 < names.len()
    }
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().count() >= WORD).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_work_of_another_name_is_known_by_its_words() {
        let page = PageUrl::parse("https://quaybooks.example/b/");
        let mut titles = Titles::of(page.as_ref());
        assert!(!titles.are_others("Invoice by Ann is licensed"), "nothing is known");
        titles.add("Tides of the north | Notes");
        for (sentence, want) in [
            ("Invoice by Ann is licensed", true),
            ("Tides by Ann is licensed", false),
            ("Maps of northern north seas by Ann", true),
            ("quaybooks von Ann", false),
            ("This work by Ann is licensed", false),
            ("Licensed under", false),
            ("by Ann", false),
        ] {
            assert_eq!(titles.are_others(sentence), want, "{sentence}");
        }
    }
}
