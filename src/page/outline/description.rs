//! Reads hints at the content from the head of a page: its description, which WordPress and plugins take from its excerpt or
//! its first words, and its title in that of a feed.

use crate::html::tokenizer::Attributes;

/// A description of the page, compared with the run that is read.
pub(super) struct Description {
    /// Its letters and digits, in lower case.
    letters: Vec<char>,
    /// How many of them the run begins with, and whether it goes on with others.
    same: usize,
    differs: bool,
}

/// Letters that a run has in common with the beginning of a description: of one that goes on with others, and of a whole one.
const SAME: usize = 40;
const SAME_WHOLE: usize = 15;

impl Description {
    pub(super) fn of(meta: Attributes<'_, '_>) -> Option<Self> {
        let is = |name: &&str| ["description", "og:description"].iter().any(|of| name.eq_ignore_ascii_case(of));
        ["name", "property"].into_iter().filter_map(|key| meta.raw(key)).find(is)?;
        let letters: Vec<char> = letters(&meta.get("content")?).collect();
        (letters.len() >= SAME_WHOLE).then_some(Description { letters, same: 0, differs: false })
    }

    /// The run goes on with this text.
    pub(super) fn compare(&mut self, text: &str) {
        if self.differs {
            return;
        }
        for letter in letters(text) {
            if self.letters.get(self.same) != Some(&letter) {
                self.differs = true;
                return;
            }
            self.same += 1;
        }
    }

    /// Whether it says the same.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.letters == other.letters
    }

    /// The run ends: whether it begins as the description. A short one without the mark of a sentence may be a title.
    pub(super) fn ends(&mut self, is_sentence: bool) -> bool {
        let same = std::mem::take(&mut self.same);
        let is_whole = !std::mem::take(&mut self.differs) || same == self.letters.len();
        same >= if is_whole && is_sentence { SAME_WHOLE } else { SAME }
    }
}

/// The title of the page for those who share it (`og:title`).
pub(super) fn title(meta: Attributes<'_, '_>) -> Option<String> {
    meta.raw("property").filter(|name| name.eq_ignore_ascii_case("og:title"))?;
    meta.get("content").map(|title| title.into_owned())
}

/// The title of the feed of a post's comments, without the site's name: `SITE » TITLE Comments Feed`, in the site's language.
pub(super) fn title_of_feed(link: Attributes<'_, '_>) -> Option<String> {
    link.raw("type").filter(|of| of.eq_ignore_ascii_case("application/rss+xml"))?;
    let is_of_site = |href: &str| href.contains("comments/feed") || href.contains("comments-rss2");
    link.raw("href").filter(|href| !is_of_site(href))?;
    let title = link.get("title")?;
    title.split_once('»').map(|(_, title)| title.to_owned())
}

/// The words of a text, as letters and digits in lower case.
pub(in crate::page) fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| letters(word).collect::<String>());
    words.filter(|word| !word.is_empty()).collect()
}

/// The letters and digits of a text, in lower case.
pub(in crate::page) fn letters(text: &str) -> impl DoubleEndedIterator<Item = char> {
    // most are ASCII, for which the tables of Unicode are slow
    text.chars().filter_map(|c| match c {
        'a'..='z' | '0'..='9' => Some(c),
        'A'..='Z' => Some(c.to_ascii_lowercase()),
        '\0'..='\x7f' => None,
        _ if c.is_alphanumeric() => c.to_lowercase().next(),
        _ => None,
    })
}
