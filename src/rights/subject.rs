//! Decides the subject of a licence, by the sentence that links to it and by the markup around: this text, all of the site, some of it,
//! images, or something else, which is left out.

use super::statement::{IMAGE, PART, RECORD, SITE};
use super::words::{
    CREDITS, FOREIGN, IMAGES, IMAGES_UNSPACED, LABELS, NOTED, OTHERS, OWN, PAGES, PARTS, SITES, SITES_UNSPACED, TEXTS,
    TEXTS_UNSPACED, VERBS, VERBS_UNSPACED, WHOLE,
};
use std::collections::HashSet;

/// What is known of a link to a licence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// The markup says that it is the licence of something: rel=license and the like, a badge of Creative Commons.
    pub(super) is_marked: bool,
    /// The markup says that it is that of a page: RDFa with a title, and nothing that it is about.
    pub(super) is_of_page: bool,
    /// The sentence links to something on another site before.
    pub(super) follows_link: bool,
    /// It comes right after an image.
    pub(super) follows_image: bool,
    /// It is in a list, where each item has something of its own.
    pub(super) is_listed: bool,
    /// The heading above is about images, or what others have made.
    pub(super) is_below_credits: bool,
    /// It is where themes put what is the site's: header, footer, aside.
    pub(super) is_at_edge: bool,
}

/// What a licence is about, by its sentence and where in that its name ends; none if it is about something else.
pub(super) fn scope(sentence: &str, end: usize, around: Surroundings) -> Option<&'static str> {
    let said = Said::of(sentence, end);
    // the name of a work may be any words
    if around.is_marked && around.is_of_page && !said.is_foreign && !around.is_below_credits {
        return Some(if said.is_site || around.is_at_edge { SITE } else { RECORD });
    }
    // "images on this site" are images, "the theme of this page" is a theme
    let is_thing = (said.is_image || said.is_other && !around.is_at_edge) && !said.is_text;
    if (said.is_text || said.is_page || said.is_site) && !is_thing {
        let is_own = around.is_marked && !said.is_foreign || said.is_own && (!said.is_foreign || said.is_whole);
        if !is_own || !around.is_marked && !said.has_verb || around.is_below_credits && !said.is_site {
            return said.is_image.then_some(IMAGE);
        }
        if around.follows_link && !said.is_own && !around.is_of_page {
            return None;
        }
        let whole = if said.is_site || around.is_at_edge { SITE } else { RECORD };
        return Some(if said.is_part { PART } else { whole });
    }
    if said.is_image || around.is_below_credits || around.follows_image && !around.is_of_page && !said.is_own {
        return (said.is_image || around.follows_image).then_some(IMAGE);
    }
    if said.is_other && !(around.is_at_edge && around.is_marked) || said.is_foreign || around.follows_link {
        return None;
    }
    let length = sentence.chars().count();
    if around.is_at_edge {
        return (around.is_marked || length <= FOOTER).then_some(SITE);
    }
    let is_alone = around.is_marked || said.is_label && length <= LABEL && !around.is_listed;
    is_alone.then_some(RECORD)
}

/// Whether what a heading announces was made by others.
pub(super) fn is_of_others(heading: &str) -> bool {
    let words = tokens(heading);
    let has = |list: &HashSet<&str>| words.iter().any(|word| list.contains(word.as_str()));
    has(&IMAGES) && !has(&TEXTS) || has(&CREDITS)
}

/// Characters of a line that is a label and a licence, and of one at the edge of a page.
const LABEL: usize = 90;
const FOOTER: usize = 200;

/// What the words of a sentence are.
#[derive(Default)]
struct Said {
    is_text: bool,
    is_page: bool,
    is_site: bool,
    is_image: bool,
    is_other: bool,
    is_part: bool,
    is_own: bool,
    is_foreign: bool,
    has_verb: bool,
    is_label: bool,
    is_whole: bool,
}

impl Said {
    fn of(sentence: &str, end: usize) -> Self {
        let lower = sentence.to_lowercase();
        let words = tokens(&lower);
        let has = |list: &HashSet<&str>| words.iter().any(|word| list.contains(word.as_str()));
        let holds = |list: &[&str]| list.iter().any(|part| lower.contains(part));
        let phrase = format!(" {} ", words.join(" "));
        let unspaced = holds(&TEXTS_UNSPACED) || holds(&SITES_UNSPACED);
        Said {
            is_text: has(&TEXTS) || holds(&TEXTS_UNSPACED),
            is_page: has(&PAGES),
            is_site: has(&SITES) || holds(&SITES_UNSPACED),
            is_image: has(&IMAGES) || holds(&IMAGES_UNSPACED),
            is_other: has(&OTHERS),
            is_part: PARTS.iter().any(|part| phrase.contains(&format!(" {part} "))),
            is_own: has(&OWN) || unspaced,
            // after the name are its conditions: "as long as you"
            is_foreign: tokens(&sentence[..end]).iter().any(|word| FOREIGN.contains(word.as_str())),
            has_verb: words.iter().any(|word| VERBS.iter().any(|verb| word.starts_with(verb)))
                || has(&NOTED)
                || holds(&VERBS_UNSPACED),
            is_label: has(&LABELS) || lower.contains('©') || holds(&VERBS_UNSPACED),
            is_whole: has(&WHOLE),
        }
    }
}

fn tokens(text: &str) -> Vec<String> {
    // a soft hyphen is part of a word
    let text = text.to_lowercase().replace('\u{ad}', "");
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.map(str::to_owned).filter(|word| !word.is_empty()).collect()
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
            assert_eq!(scope(sentence, sentence.len(), around), want, "{sentence}");
        }
    }
}
