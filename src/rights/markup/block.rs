//! Collects a block of HTML (a paragraph, a list item): its text, its links, and its subject according to the markup.

use super::super::licence;
use crate::html::tokenizer::Attributes;
use crate::urls::{PageUrl, host_of, join, scheme_end};
use std::ops::Range;

/// The most links of a block that are examined.
const MOST_LINKS: usize = 100;
/// The most links of a block within the site, other than to known licences, that are examined.
const MOST_OWN: usize = 20;

/// The most bytes of a block's text that are read.
const MOST_TEXT: usize = 64 * 1024;

/// A link in a block.
#[derive(Default)]
pub(super) struct Link {
    pub(super) place: Range<usize>,
    pub(super) href: String,
    depth: usize,
    /// It links to a licence.
    pub(super) is_licence: bool,
    pub(super) is_marked: bool,
    /// It contains an image: a badge, if it contains nothing else.
    pub(super) has_image: bool,
    /// The image is a known badge.
    pub(super) is_badge: bool,
    /// It links to another site.
    pub(super) is_foreign: bool,
    pub(super) follows_image: bool,
}

#[derive(Default)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) links: Vec<Link>,
    /// The index of the open link.
    open: Option<usize>,
    own: usize,
    pub(super) has_image: bool,
    /// RDFa states that its subject is a page, an image, or another kind of thing.
    pub(super) is_of_page: bool,
    pub(super) is_of_image: bool,
    pub(super) is_of_other: bool,
}

impl Block {
    pub(super) fn see_rdfa(&mut self, tag: Attributes<'_, '_>) {
        if !tag.any_begins("property") && !tag.any_begins("rel") {
            return;
        }
        let has = |key: &str, word: &str| tag.raw(key).is_some_and(|value| value.contains(word));
        self.is_of_page |=
            has("property", ":title") || has("property", "attributionName") || has("rel", "attributionURL");
        if has("rel", ":type") {
            let kind = tag.raw("href").unwrap_or_default();
            self.is_of_image |= kind.ends_with("StillImage");
            self.is_of_other |= ["Sound", "MovingImage", "Dataset", "Software"].iter().any(|end| kind.ends_with(end));
        }
    }

    /// Handles the start of a link; `is_other` tests whether a URL is outside of the page and its site.
    pub(super) fn open_link(
        &mut self,
        tag: Attributes<'_, '_>,
        depth: usize,
        is_area: bool,
        is_other: impl Fn(&str) -> bool,
    ) {
        let Some(href) = tag.get("href") else { return };
        self.end_link();
        let is_marked = is_marked(tag);
        let is_licence =
            is_marked && is_followed(&href) || licence::by_url(&href).is_some() && !licence::is_image(&href);
        let is_foreign = !is_licence && is_other(&href) && !tag.raw("rel").is_some_and(|rel| rel.contains("cc:"));
        let is_own = !is_licence && !is_foreign;
        self.own += usize::from(is_own);
        if self.links.len() < MOST_LINKS && (!is_own || self.own <= MOST_OWN) {
            let at = self.text.len();
            let follows_image = self.has_image;
            self.links.push(Link {
                place: at..at,
                href: href.into_owned(),
                depth,
                is_licence,
                is_marked,
                has_image: false,
                is_badge: false,
                is_foreign,
                follows_image,
            });
            self.open = (!is_area).then_some(self.links.len() - 1);
        }
    }

    /// The link at a depth ends.
    pub(super) fn close_link(&mut self, depth: usize) {
        if self.open.is_some_and(|at| self.links[at].depth == depth) {
            self.end_link();
        }
    }

    pub(super) fn end_link(&mut self) {
        if let Some(at) = self.open.take() {
            let link = &mut self.links[at];
            link.place.end = self.text.len();
        }
    }

    pub(super) fn see_image(&mut self, tag: Attributes<'_, '_>) {
        let is_badge = |text: &str| {
            ["creativecommons", "licensebuttons", "cc-by", "CC BY", "Creative Commons", "88x31"]
                .iter()
                .any(|mark| text.contains(mark))
        };
        let names = [tag.get("src"), tag.get("data-src"), tag.get("alt")];
        match self.open.map(|at| &mut self.links[at]).filter(|link| link.is_licence) {
            Some(link) => {
                link.has_image = true;
                link.is_badge |= names.iter().flatten().any(|text| is_badge(text));
                link.is_marked |= link.is_badge;
            }
            None => self.has_image = true,
        }
    }

    pub(super) fn see_text(&mut self, text: &str) {
        // The indentation of a block has no meaning.
        let is_indent = self.text.is_empty() && text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
        if self.text.len() < MOST_TEXT && !is_indent {
            let room = MOST_TEXT - self.text.len();
            let fits = text.len() <= room;
            let end = if fits { None } else { text.char_indices().nth(room) };
            push_spaced(&mut self.text, &text[..end.map_or(text.len(), |(at, _)| at)]);
        }
    }

    /// Begins a new block.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.links.clear();
        self.own = 0;
        (self.has_image, self.is_of_page, self.is_of_image, self.is_of_other) = Default::default();
    }
}

/// Appends a text, replacing white space of all kinds by spaces.
fn push_spaced(to: &mut String, text: &str) {
    // first bytes of white space; this test is vectorised
    let may_be_space = |byte: u8| byte < b' ' || matches!(byte, 0xC2 | 0xE1 | 0xE2 | 0xE3);
    if !text.bytes().fold(false, |any, byte| any | may_be_space(byte)) {
        to.push_str(text);
        return;
    }
    let mut start = 0;
    for (at, space) in text.match_indices(|c: char| c != ' ' && c.is_whitespace()) {
        to.push_str(&text[start..at]);
        to.push(' ');
        start = at + space.len();
    }
    to.push_str(&text[start..]);
}

/// Whether a URL is that of something other than the page or its site.
pub(super) fn is_other(page: Option<&PageUrl>, address: &str) -> bool {
    let is_relative = scheme_end(address).is_none() && !address.starts_with("//");
    !is_relative && !is_own(page, address)
}

fn is_own(page: Option<&PageUrl>, address: &str) -> bool {
    let Some(page) = page else { return false };
    let is_here = |url: &str| host_of(url).as_deref() == Some(page.host());
    if address.starts_with("http://") || address.starts_with("https://") {
        return is_here(address);
    }
    join(Some(page), address).is_some_and(|url| is_here(&url))
}

/// Whether a link leads anywhere but to a fragment of this page.
fn is_followed(href: &str) -> bool {
    !href.trim().is_empty() && !href.trim_start().starts_with(['#'])
}

/// Whether the markup states that a link is a licence's: rel, RDFa, microdata.
pub(super) fn is_marked(tag: Attributes<'_, '_>) -> bool {
    let is_licence = |word: &str| {
        let name = word.rsplit([':', '/', '#']).next().unwrap_or_default();
        ["license", "licence"].iter().any(|own| name.eq_ignore_ascii_case(own))
    };
    let has = |key: &str| tag.raw(key).is_some_and(|value| value.split_ascii_whitespace().any(is_licence));
    has("rel") || has("property") || has("itemprop")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_white_space_is_a_blank_and_nothing_else_is() {
        for c in (0..0x1_1000).filter_map(char::from_u32) {
            let mut text = String::new();
            push_spaced(&mut text, &format!("a{c}b c"));
            let want = if c.is_whitespace() { ' ' } else { c };
            assert_eq!(text, format!("a{want}b c"), "{:x}", u32::from(c));
        }
    }
}
