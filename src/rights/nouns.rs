//! Finds the nouns in a sentence about a licence, and the one that the licence is for: "the photos in this article" are photos, not
//! the article.

use super::words::{
    ARTICLES, EXEMPTING, GENITIVES, IMAGES, IMAGES_UNSPACED, JOINS, JOINS_UNSPACED, NOTED, OTHERS, OTHERS_UNSPACED,
    OWN, OWN_UNSPACED, PAGES, SITES, SITES_UNSPACED, TEXTS, TEXTS_UNSPACED, WHOLE, WITHIN,
};
use std::collections::HashSet;

/// The nouns of a sentence about a licence.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Nouns {
    /// The sentence is about a text.
    is_text: bool,
    /// It is about a page.
    is_page: bool,
    /// It is about a site.
    is_site: bool,
    /// It is about an image.
    pub(super) is_image: bool,
    /// It is about something else.
    pub(super) is_other: bool,
    /// It names a page, whatever it is about.
    pub(super) names_page: bool,
    /// It names a site, whatever it is about.
    pub(super) names_site: bool,
    /// A word like "this" marks the subject as the writer's own.
    pub(super) is_this: bool,
    /// A word like "this", but not "all" and the like, marks the subject as the writer's own, or the site is named.
    pub(super) is_pointed_at: bool,
    /// A word like "this" or an article marks the subject as the writer's own, unless the subject belongs to something else.
    pub(super) is_own: bool,
    /// It names something that contains the subject, without a word that marks this as the writer's own: "the articles of X".
    pub(super) is_of_another: bool,
}

/// The meaning of a noun.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NounMeaning {
    Text,
    Page,
    Site,
    Image,
    Other,
}

/// How many words before a noun are searched for one that shows that the noun contains the noun before it: "the articles of this site".
const NEAR: usize = 4;

impl Nouns {
    /// The nouns before `end`, where the name of the licence ends; if there are none, all nouns.
    pub(super) fn of(sentence: &str, end: usize) -> Self {
        let words = tokens(sentence);
        let before = tokens(&sentence[..end]).len();
        let mut nouns = found(&words);
        if nouns.iter().any(|(at, _)| *at < before) {
            nouns.retain(|(at, _)| *at < before);
        }
        let heads = heads(&words, &nouns);
        let mut own = Nouns::default();
        for (_, kind) in &heads {
            own.take(*kind);
        }
        let names = |kind: NounMeaning| nouns.iter().any(|(_, own)| *own == kind);
        (own.names_page, own.names_site) = (names(NounMeaning::Page), names(NounMeaning::Site));
        let is_near = |list: &HashSet<&str>, but: &HashSet<&str>| {
            let is_it = |word: &str| list.contains(word) && !but.contains(word);
            (0..words.len()).any(|at| is_it(&words[at]) && is_of_text(at, &words, &nouns))
        };
        let has_own = words.iter().any(|word| OWN.contains(word.as_str()));
        own.is_this = is_near(&OWN, &HashSet::new());
        own.is_pointed_at = is_near(&OWN, &WHOLE);
        let has_article = is_near(&ARTICLES, &HashSet::new());
        let is_within = |at: usize| words.get(at + 1).is_some_and(|next| WITHIN.contains(next.as_str()));
        own.is_of_another = !has_own && !own.names_site && heads.iter().any(|(at, _)| is_within(*at));
        own.is_own = own.is_this || has_article && !own.is_of_another;
        own.is_pointed_at |= own.names_site;
        if !sentence.is_ascii() {
            own.read_unspaced(&sentence.to_lowercase());
        }
        own
    }

    pub(super) fn is_about_text(&self) -> bool {
        self.is_text || (self.is_page || self.is_site) && !self.is_thing()
    }

    pub(super) fn is_thing(&self) -> bool {
        (self.is_image || self.is_other) && !self.is_text
    }

    fn take(&mut self, kind: NounMeaning) {
        match kind {
            NounMeaning::Text => self.is_text = true,
            NounMeaning::Page => self.is_page = true,
            NounMeaning::Site => self.is_site = true,
            NounMeaning::Image => self.is_image = true,
            NounMeaning::Other => self.is_other = true,
        }
    }

    /// The same for languages whose words are searched as substrings, because most of them are written without spaces. The last noun
    /// counts, in Arabic and Thai the first, unless they are joined.
    fn read_unspaced(&mut self, lower: &str) {
        let place = |list: &[&str]| list.iter().filter_map(|word| Some((lower.find(word)?, word.len()))).min();
        let (text, image) = (place(&TEXTS_UNSPACED), place(&IMAGES_UNSPACED));
        let other = place(&OTHERS_UNSPACED);
        let thing = image.or(other);
        let site = place(&SITES_UNSPACED).is_some();
        let is_first = lower.chars().any(|c| matches!(c, '\u{600}'..='\u{6ff}' | '\u{e00}'..='\u{e7f}'));
        let counts = match (text, thing) {
            (Some(text), Some(thing)) => {
                let (first, last) = if text < thing { (text, thing) } else { (thing, text) };
                let between = lower.get(first.0 + first.1..last.0).unwrap_or_default();
                let is_joined = JOINS_UNSPACED.iter().any(|join| between.trim() == *join);
                is_joined || (if is_first { first } else { last }) == text
            }
            (text, None) => text.is_some(),
            (None, Some(_)) => false,
        };
        self.is_text |= counts;
        self.is_image |= image.is_some() && !counts;
        self.is_other |= image.is_none() && other.is_some() && !counts;
        self.is_site |= site && thing.is_none();
        self.names_site |= site;
        self.is_own |= OWN_UNSPACED.iter().any(|word| lower.contains(word));
    }
}

/// Whether the noun after a word is a text, a page or a site, or is joined with one. Words that exempt something ("except where",
/// "otherwise noted") may be far from it.
fn is_of_text(at: usize, words: &[String], nouns: &[(usize, NounMeaning)]) -> bool {
    let is_exempting = NOTED.contains(words[at].as_str()) || EXEMPTING.contains(words[at].as_str());
    let mut after = nouns.iter().skip_while(|(noun, _)| *noun < at).peekable();
    if after.peek().is_none() {
        return nouns.is_empty() || is_exempting;
    }
    if is_exempting {
        return true;
    }
    let mut last = at;
    for (noun, kind) in after {
        let is_joined = last == at || words[last..*noun].iter().any(|word| JOINS.contains(word.as_str()));
        if noun - last > NEAR || !is_joined && *noun != last + 1 {
            return false;
        }
        if !matches!(kind, NounMeaning::Image | NounMeaning::Other) {
            return true;
        }
        last = *noun;
    }
    false
}

fn found(words: &[String]) -> Vec<(usize, NounMeaning)> {
    let kind = |word: &String| {
        let is = |list: &HashSet<&str>| list.contains(word.as_str());
        match () {
            () if is(&TEXTS) => Some(NounMeaning::Text),
            () if is(&IMAGES) => Some(NounMeaning::Image),
            () if is(&OTHERS) => Some(NounMeaning::Other),
            () if is(&SITES) => Some(NounMeaning::Site),
            () if is(&PAGES) => Some(NounMeaning::Page),
            () => None,
        }
    };
    words.iter().enumerate().filter_map(|(at, word)| Some((at, kind(word)?))).collect()
}

/// The nouns that do not belong to another one: not those that contain it, nor the first part of "site content". If none remains, all.
fn heads(words: &[String], nouns: &[(usize, NounMeaning)]) -> Vec<(usize, NounMeaning)> {
    let is_head = |number: usize| {
        let (at, _) = nouns[number];
        let previous = number.checked_sub(1).map(|number| nouns[number].0);
        let from = previous.map_or(0, |previous| previous + 1).max(at.saturating_sub(NEAR));
        let between = &words[from..at];
        let is_within = between
            .iter()
            .any(|word| WITHIN.contains(word.as_str()) || previous.is_some() && GENITIVES.contains(word.as_str()));
        let is_joined = between.iter().any(|word| JOINS.contains(word.as_str()));
        let is_part = nouns.get(number + 1).is_some_and(|(next, _)| *next == at + 1);
        !is_part && (is_joined || !is_within)
    };
    let heads: Vec<_> = (0..nouns.len()).filter(|number| is_head(*number)).map(|number| nouns[number]).collect();
    if heads.is_empty() { nouns.to_vec() } else { heads }
}

pub(super) fn tokens(text: &str) -> Vec<String> {
    // a soft hyphen is part of a word
    let text = text.to_lowercase().replace('\u{ad}', "");
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.map(str::to_owned).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_about_its_head() {
        for (sentence, is_text, is_image, is_other) in [
            ("The photos in this article", false, true, false),
            ("Alle Bilder und Texte auf dieser Seite", true, true, false),
            ("Die Fotos dieses Artikels", false, true, false),
            ("Except for images, this article", true, false, false),
            ("In this article, all photos", false, true, false),
            ("Site content", true, false, false),
            ("Blog photos", false, true, false),
            ("The data of this paper", false, false, true),
            ("The licence of this text", true, false, false),
            ("本文图片", false, true, false),
            ("本文和图片", true, false, false),
            ("صور هذا المقال", false, true, false),
        ] {
            let nouns = Nouns::of(sentence, sentence.len());
            assert_eq!(
                (nouns.is_text, nouns.is_image, nouns.is_other),
                (is_text, is_image, is_other),
                "{sentence} {nouns:?}"
            );
        }
    }
}
