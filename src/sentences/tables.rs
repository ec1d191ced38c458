//! Reads the rules for sentences and words of single languages, which supplement those of Unicode, from
//! `languages.toml`.

use super::OPENING;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

const BUILTIN: &str = include_str!("languages.toml");

/// The tables of a language as they are written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Written {
    cldr: Vec<String>,
    words: Vec<String>,
    more: Vec<String>,
    after_ordinals: Vec<String>,
    elisions: Vec<String>,
}

pub(super) struct Language {
    abbreviations: HashSet<String>,
    /// The number of words in the longest abbreviation.
    longest: usize,
    after_ordinals: HashSet<String>,
    elisions: HashSet<String>,
}

static LANGUAGES: LazyLock<HashMap<String, Language>> = LazyLock::new(|| {
    let written: HashMap<String, Written> = toml::from_str(BUILTIN).expect("the file is part of the program");
    written.into_iter().map(|(tag, written)| (tag, Language::of(written))).collect()
});

/// The tables of a language; `None` if it has none.
pub(super) fn language(tag: Option<&str>) -> Option<&'static Language> {
    LANGUAGES.get(tag?.split(['-', '_']).next()?)
}

/// The primary subtags of the languages that have tables.
#[cfg(test)]
pub(super) fn tags() -> Vec<&'static str> {
    let mut tags: Vec<_> = LANGUAGES.keys().map(String::as_str).collect();
    tags.sort_unstable();
    tags
}

impl Language {
    fn of(written: Written) -> Self {
        let Written { cldr, words, more, after_ordinals, elisions } = written;
        let abbreviations: HashSet<String> = cldr.into_iter().filter(|one| !words.contains(one)).chain(more).collect();
        let longest = abbreviations.iter().map(|one| one.split(' ').count()).max().unwrap_or(0);
        let (after_ordinals, elisions) = (after_ordinals.into_iter().collect(), elisions.into_iter().collect());
        Language { abbreviations, longest, after_ordinals, elisions }
    }

    /// Whether a text ends with an abbreviation.
    pub(super) fn is_abbreviation(&self, text: &str) -> bool {
        let mut words = Vec::with_capacity(self.longest);
        for word in text.split_whitespace().rev().take(self.longest) {
            words.insert(0, word.trim_start_matches(OPENING));
            if self.abbreviations.contains(words.join(" ").as_str()) {
                return true;
            }
        }
        false
    }

    /// Whether a text begins with a word that may follow an ordinal number.
    pub(super) fn follows_ordinals(&self, text: &str) -> bool {
        let text = text.trim_start();
        let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
        self.after_ordinals.contains(&text[..end])
    }

    /// The length of the elided word at the start of a word, including its apostrophe.
    pub(super) fn elision(&self, word: &str) -> Option<usize> {
        if self.elisions.is_empty() {
            return None;
        }
        let (at, apostrophe) = word.char_indices().find(|(_, c)| matches!(c, '\'' | '’'))?;
        let end = at + apostrophe.len_utf8();
        let goes_on = word[end..].starts_with(char::is_alphanumeric);
        (goes_on && self.elisions.contains(&word[..at].to_lowercase())).then_some(end)
    }
}
