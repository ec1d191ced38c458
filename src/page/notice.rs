//! Recognises the notice that plugins show in place of a missing translation: "only available in ...". It is recognised by
//! its markup (`content_selectors.toml`), because its words can be in any language; a notice in the card of another post is
//! about that post.

use super::content_selectors::{ContentSelectors, Role, notices};
use super::matches;
use super::prefilter::Prefilter;
use super::select::Memory;
use std::sync::LazyLock;

/// Whether the content of a post is a plugin's notice, or begins with one.
pub(crate) fn has_notice(content: &str) -> bool {
    static PREFILTER: LazyLock<Prefilter> = LazyLock::new(|| Prefilter::new(notices()));
    if !PREFILTER.look(content.as_bytes()).present().contains(&true) {
        return false;
    }
    let matches = matches::find(content, ContentSelectors::builtin(), &mut Memory::default(), &mut (), &mut ());
    matches.iter().any(|found| found.role == Role::Notice && found.post.is_none())
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
