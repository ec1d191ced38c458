//! Recognises the notice that plugins show in place of a missing translation: "only available in ...". It is recognised by
//! its markup (`content_selectors.toml`), because its words can be in any language; a notice in the card of another post is
//! about that post.

use super::content_selectors::{ContentSelectors, Role, notices};
use super::event::Event;
use super::prefilter::Prefilter;
use super::select::{Wanted, select};
use std::sync::LazyLock;

/// Whether the content of a post is a plugin's notice, or begins with one.
pub(crate) fn has_notice(content: &str) -> bool {
    static PREFILTER: LazyLock<Prefilter> = LazyLock::new(|| Prefilter::new(notices()));
    if !PREFILTER.look(content.as_bytes()).present().contains(&true) {
        return false;
    }
    let known = ContentSelectors::builtin();
    let roles = known.roles.iter().enumerate();
    let wanted = roles.filter(|(_, role)| matches!(role, Role::Post | Role::Beside | Role::Notice));
    let wanted: Vec<Wanted> = wanted.map(|(selector, _)| Wanted { selector, text: false }).collect();
    let (mut cards, mut found) = (0_u32, false);
    select(content, &known.selectors, &wanted, content.len(), |selector, event| match (known.roles[selector], event) {
        (Role::Notice, Event::Start(_)) => found |= cards == 0,
        (Role::Post | Role::Beside, Event::Start(_)) => cards += 1,
        (Role::Post | Role::Beside, Event::End(_)) => cards = cards.saturating_sub(1),
        _ => {}
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTICE: &str = "<p class='a qtranxs-available-languages-message b'>Nur auf <a href=/>English</a></p>";

    #[test]
    fn markup_tells_a_notice_and_cards_are_about_other_posts() {
        assert!(has_notice(NOTICE));
        assert!(has_notice(&format!("<article>x</article>{NOTICE}<p>Words</p>")));
        assert!(!has_notice(&format!("<article class=post>{NOTICE}</article>")));
        assert!(!has_notice("<p>.qtranxs-available-languages-message {}</p>"));
        assert!(!has_notice("<p class=qtranxs-available-languages-message-more>x</p>"));
    }
}
