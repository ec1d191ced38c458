//! Decides the subject of a licence from its sentence and the markup around it: this text, the whole site, a part of the text, images, or
//! something else, which is ignored.

use super::nouns::{Nouns, tokens};
use super::sentence::LABEL;
use super::statement::{IMAGE, PART, RECORD, SITE};
use super::words::{
    AROUND, CONDITIONS, CREDITS, DEFINITIONS, DEFINITIONS_UNSPACED, EXAMPLES, FOREIGN, FOREIGN_UNSPACED, IFS, IMAGES,
    LABELS, NEGATIONS, NEGATIONS_UNSPACED, NOTED, PARTS, TEXTS, UNDER, VERBS, VERBS_UNSPACED, WHOLE,
};
use crate::rule::Rule;
use std::collections::HashSet;

/// The context of a link to a licence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// The markup states that it is a licence: rel=license and the like, a Creative Commons badge.
    pub(super) is_marked: bool,
    /// The markup states that it is a page's licence: RDFa with a title, and without another subject.
    pub(super) is_of_page: bool,
    /// Earlier in the sentence, there is a link to another site.
    pub(super) follows_link: bool,
    /// It comes directly after an image.
    pub(super) follows_image: bool,
    /// It is in a list, whose items may each have their own licence.
    pub(super) is_listed: bool,
    /// The heading above is about images, or about works of others.
    pub(super) is_below_credits: bool,
    /// It is in the middle of a long text.
    pub(super) is_amid: bool,
    /// It is in a part that themes use for the site: header, footer, aside.
    pub(super) is_at_edge: bool,
    /// The sentence is a question.
    pub(super) is_asked: bool,
    /// It is a software licence.
    pub(super) is_of_program: bool,
    /// The sentence names a work that is not this page.
    pub(super) is_of_another: bool,
}

/// A cache of decided sentences: a site repeats the same ones on each page.
#[derive(Default)]
pub(super) struct Scopes {
    /// The most recently decided sentences; a new one replaces the oldest.
    known: Vec<Known>,
    oldest: usize,
}

struct Known {
    sentence: String,
    end: usize,
    around: Surroundings,
    decision: Decision,
}

/// The rule that decided, if any, and the subject of the licence; `None` if that is something else.
type Decision = (Option<Rule>, Option<&'static str>);

/// The most sentences in the cache.
const MOST: usize = 16;

impl Scopes {
    /// The subject of a licence, given its sentence and where its name ends in it.
    pub(super) fn of(&mut self, sentence: &str, end: usize, around: Surroundings) -> Decision {
        let is_it = |known: &&Known| (known.end, known.around) == (end, around) && known.sentence == sentence;
        if let Some(known) = self.known.iter().find(is_it) {
            return known.decision;
        }
        let decision = decide(sentence, end, around);
        let found = Known { sentence: sentence.to_owned(), end, around, decision };
        if self.known.len() < MOST {
            self.known.push(found);
        } else {
            self.known[self.oldest] = found;
            self.oldest = (self.oldest + 1) % MOST;
        }
        decision
    }
}

fn decide(sentence: &str, end: usize, around: Surroundings) -> Decision {
    let said = Said::of(sentence, end);
    let nouns = &said.nouns;
    let by = |rule: Rule, scope: Option<&'static str>| (Some(rule), scope);
    let is_unmeant = said.is_denied || around.is_asked || said.is_only_shown && !around.is_marked;
    if Rule::LicenceUnmeant.holds(is_unmeant) {
        return by(Rule::LicenceUnmeant, None);
    }
    if Rule::LicenceOfProgram.holds(around.is_of_program && !nouns.is_about_text()) {
        return by(Rule::LicenceOfProgram, None);
    }
    if Rule::LicenceOfAnother.holds(around.is_of_another) {
        return by(Rule::LicenceOfAnother, nouns.is_image.then_some(IMAGE));
    }
    let whole = if nouns.names_site || around.is_at_edge { SITE } else { RECORD };
    // the name of a work may consist of any words
    let is_stated = around.is_marked && around.is_of_page && !said.is_foreign && !around.is_below_credits;
    if Rule::LicenceMarked.holds(is_stated) {
        return by(Rule::LicenceMarked, Some(whole));
    }
    // "images on this site" are images, "the theme of this page" is a theme
    if nouns.is_about_text() || (nouns.names_site || nouns.names_page) && !nouns.is_thing() {
        return of_text(&said, around, whole);
    }
    let is_image =
        nouns.is_image || around.is_below_credits || around.follows_image && !around.is_of_page && !nouns.is_own;
    if Rule::LicenceOfImage.holds(is_image) {
        return by(Rule::LicenceOfImage, (nouns.is_image || around.follows_image).then_some(IMAGE));
    }
    if Rule::LicenceOfThing.holds(nouns.is_other || said.is_foreign || around.follows_link) {
        return by(Rule::LicenceOfThing, None);
    }
    // the indentation of a line does not matter
    let length: usize = sentence.split_whitespace().map(|word| word.chars().count() + 1).sum();
    if Rule::LicenceAtEdge.holds(around.is_at_edge) {
        return by(Rule::LicenceAtEdge, (around.is_marked || length <= FOOTER).then_some(SITE));
    }
    let is_alone = around.is_marked || said.is_label && length <= LABEL && !around.is_listed;
    if Rule::LicenceAlone.holds(is_alone) { by(Rule::LicenceAlone, Some(RECORD)) } else { (None, None) }
}

/// Whether a sentence is about a text or a site.
pub(super) fn is_about_text(sentence: &str, end: usize) -> bool {
    Nouns::of(sentence, end).is_about_text()
}

/// Whether the words before the name of a licence are only a label: "Licence:", "© Ann".
pub(super) fn is_labelled(before: &str) -> bool {
    let is_copyright = before.contains('©') || before.to_lowercase().contains("copyright");
    let is_other = |word: &String| {
        ![&LABELS, &UNDER, &AROUND].iter().any(|list| list.contains(word.as_str()))
            && !is_verb(word)
            && !VERBS_UNSPACED.iter().any(|verb| word.contains(verb))
    };
    is_copyright || !tokens(before).iter().any(is_other)
}

/// The subject of a licence in a sentence about a text or a site; `whole` if it is all of that.
fn of_text(said: &Said, around: Surroundings, whole: &'static str) -> Decision {
    let nouns = &said.nouns;
    let is_own = around.is_marked && !said.is_foreign
        || (nouns.is_own || around.is_at_edge && !nouns.is_of_another) && (!said.is_foreign || said.is_whole);
    // "this work is licensed under" may come after links to other posts
    let is_of_credits = around.is_below_credits && !nouns.names_site && !(around.is_marked && nouns.is_this);
    if Rule::LicenceOfOthersText.holds(!is_own || !around.is_marked && !said.has_verb || is_of_credits) {
        return (Some(Rule::LicenceOfOthersText), nouns.is_image.then_some(IMAGE));
    }
    // a long text may also mention the contents of others
    let is_linked = around.follows_link && !nouns.is_own && !around.is_of_page;
    if Rule::LicenceInPassing.holds(is_linked || around.is_amid && !around.is_marked && !nouns.is_pointed_at) {
        return (Some(Rule::LicenceInPassing), None);
    }
    (Some(Rule::LicenceOfText), Some(if said.is_part { PART } else { whole }))
}

/// Whether a heading introduces works of others.
pub(super) fn is_of_others(heading: &str) -> bool {
    let words = tokens(heading);
    let has = |list: &HashSet<&str>| words.iter().any(|word| list.contains(word.as_str()));
    has(&IMAGES) && !has(&TEXTS) || has(&CREDITS)
}

/// The most characters in a line at the edge of a page that gives the site a licence without naming its subject.
const FOOTER: usize = 200;

/// The meaning of a sentence besides its nouns.
#[derive(Default)]
struct Said {
    nouns: Nouns,
    is_part: bool,
    is_foreign: bool,
    has_verb: bool,
    is_label: bool,
    is_whole: bool,
    /// It denies that there is such a licence.
    is_denied: bool,
    /// It is only hypothetical.
    is_only_shown: bool,
}

impl Said {
    fn of(sentence: &str, end: usize) -> Self {
        let lower = sentence.to_lowercase();
        let words = tokens(sentence);
        let has = |list: &HashSet<&str>| words.iter().any(|word| list.contains(word.as_str()));
        // words of scripts without spaces
        let is_ascii = lower.is_ascii();
        let holds = |list: &[&str]| !is_ascii && list.iter().any(|part| lower.contains(part));
        let says = |phrase: &&str| (0..words.len()).any(|at| begin_with(&words[at..], phrase));
        let is_noted = has(&NOTED);
        let is_definition = DEFINITIONS.iter().any(says) || holds(&DEFINITIONS_UNSPACED);
        // its conditions follow the name: "as long as you"
        let before = tokens(&sentence[..end]);
        Said {
            nouns: Nouns::of(sentence, end),
            is_part: PARTS.iter().any(says),
            is_foreign: before.iter().any(|word| FOREIGN.contains(word.as_str())) || holds(&FOREIGN_UNSPACED),
            has_verb: words.iter().any(|word| is_verb(word)) || is_noted || holds(&VERBS_UNSPACED),
            is_label: has(&LABELS) || lower.contains('©') || holds(&VERBS_UNSPACED),
            is_whole: has(&WHOLE),
            is_denied: is_denied(&before) || holds(&NEGATIONS_UNSPACED),
            is_only_shown: is_definition
                || !is_noted && words.first().is_some_and(|word| IFS.contains(word.as_str()))
                || has(&EXAMPLES),
        }
    }
}

pub(super) fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|verb| word.starts_with(verb))
}

/// Whether the words begin with a phrase.
fn begin_with(words: &[String], phrase: &str) -> bool {
    // most phrases differ in the first letters
    words.first().is_some_and(|word| phrase.starts_with(word.as_str())) && {
        let mut words = words.iter();
        phrase.split(' ').all(|part| words.next().is_some_and(|word| word == part))
    }
}

/// Whether a negation occurs one or two words before a verb.
fn is_denied(words: &[String]) -> bool {
    (0..words.len()).any(|at| {
        let Some(phrase) = NEGATIONS.iter().find(|phrase| begin_with(&words[at..], phrase)) else { return false };
        let next = at + phrase.split(' ').count();
        let after = &words[next.min(words.len())..(next + 2).min(words.len())];
        let is_name = |word: &String| CONDITIONS.contains(word.as_str()) || NOTED.contains(word.as_str());
        !after.iter().any(is_name) && after.iter().any(|word| is_verb(word) && word != "use")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_what_a_licence_is_about() {
        let marked = Surroundings { is_marked: true, ..Surroundings::default() };
        let plain = Surroundings::default();
        let linked = Surroundings { follows_link: true, ..marked };
        for (sentence, around, want) in [
            (
                "This work is licensed under a Creative Commons Attribution 4.0 International License",
                marked,
                Some(RECORD),
            ),
            ("This post is published under CC BY 4.0", plain, Some(RECORD)),
            ("Except where otherwise noted, content on this site is licensed under CC BY", plain, Some(SITE)),
            ("Alle Inhalte dieser Webseite stehen unter einer Lizenz", plain, Some(SITE)),
            ("Ce texte est mis à disposition sous licence CC BY", plain, Some(RECORD)),
            ("Esta obra está bajo una licencia de Creative Commons", plain, Some(RECORD)),
            ("Some content on this site is licensed under CC BY", plain, Some(PART)),
            ("All images on this page are licensed under CC BY", plain, Some(IMAGE)),
            ("Photo by Ann, CC BY 2.0", plain, Some(IMAGE)),
            ("Photo by Ann, CC BY 2.0", marked, Some(IMAGE)),
            ("This theme is released under the GPL", marked, None),
            ("\"Sunset\" by Ann is licensed under CC BY 2.0", linked, None),
            ("You can put your work under a licence such as CC BY", plain, None),
            ("License: CC BY 4.0", plain, Some(RECORD)),
            (
                "CC BY is a licence that many people in all of the world like, more than any other one that exists today",
                plain,
                None,
            ),
            ("", marked, Some(RECORD)),
            ("本作品采用知识共享许可协议进行许可", plain, Some(RECORD)),
        ] {
            assert_eq!(decide(sentence, sentence.len(), around).1, want, "{sentence}");
        }
    }

    #[test]
    fn what_was_found_of_a_sentence_is_found_again() {
        let begins = ["This post is", "All of this site is", "Photos are", "Ann's works are"];
        let surroundings = [false, true].map(|is_marked| Surroundings { is_marked, ..Surroundings::default() });
        let mut scopes = Scopes::default();
        // more than the cache holds, and some repeated while they are still in it
        for number in 0..6 * MOST {
            let sentence = format!("{} under CC BY {}.0", begins[number % begins.len()], number / 4);
            for around in surroundings {
                for end in [0, sentence.len()] {
                    assert_eq!(scopes.of(&sentence, end, around), decide(&sentence, end, around), "{sentence}");
                }
            }
        }
        assert_eq!(scopes.known.len(), MOST);
    }
}
