//! Lists the elements of a page that the selectors of content match, each with its role. [`mod@super::main_content`] decides
//! which of them is content, [`super::stated`] which belong to the post.

use super::content_selectors::{ContentSelectors, Role};
use super::event::{Event, StartTag};
use super::outline::Builder;
use super::select::{Memory, select_beside};
use crate::html::elements::Sink;
use std::borrow::Cow;
use std::ops::Range;

/// An element that a selector matched: its range from the `<` of its start tag to after its end tag, and that of what
/// is between the two. One that is never closed ends with the element around it, or with the page.
pub(super) struct Match {
    pub role: Role,
    pub outer: Range<usize>,
    pub inner: Range<usize>,
    /// What the attributes of its element say: a date, an author, where a link to a term leads, the classes of a post.
    pub value: Option<String>,
}

impl Match {
    /// The selector of a place of content.
    pub(super) fn content<'s>(&self, selectors: &'s ContentSelectors) -> Option<&'s str> {
        if let Role::Content(rank) = self.role { Some(&selectors.content[rank]) } else { None }
    }
}

/// What the selectors match, in document order; the outline is made in the same reading, which `beside` learns from as well.
pub(super) fn find(
    html: &str,
    selectors: &ContentSelectors,
    memory: &mut Memory,
    outline: &mut Builder<'_>,
    beside: &mut impl for<'a> Sink<'a>,
) -> Vec<Match> {
    let mut matches: Vec<Match> = Vec::new();
    // those that have not ended yet, with their selectors
    let mut open: Vec<(usize, usize)> = Vec::new();
    select_beside(html, &selectors.selectors, memory, (outline, beside), |selector, event| match event {
        Event::Start(tag) => {
            open.push((selector, matches.len()));
            let (outer, inner) = (tag.place.clone(), tag.place.end..tag.place.end);
            let role = selectors.roles[selector];
            let names: &[&str] = match role {
                Role::Published(_) | Role::Modified(_) => &["datetime", "content", "title"],
                Role::Author(_) => &["content"],
                Role::Category | Role::Tag | Role::Term | Role::TitleLink | Role::Bookmark => &["href"],
                Role::Post => &["class"],
                _ => &[],
            };
            let value = match role {
                Role::Content(_) => document_of(tag),
                _ => names.iter().find_map(|name| tag.attribute(name)).map(Cow::into_owned),
            };
            matches.push(Match { role, outer, inner, value });
        }
        Event::End(tag) => {
            if let Some(at) = open.iter().rposition(|(of, _)| *of == selector) {
                let ended = &mut matches[open.remove(at).1];
                (ended.inner.end, ended.outer.end) = (tag.start.max(ended.inner.start), tag.end.max(ended.inner.start));
            }
        }
        Event::Text(_) => {}
    });
    matches
}

/// What a builder calls the document that a place shows: Elementor and Oxygen (`section-2-7`) by the number of its post, as Breakdance does
/// (`bde-section-7-2`), SiteOrigin by `pl-7` or another name.
fn document_of(tag: &StartTag<'_>) -> Option<String> {
    if let Some(number) = tag.attribute("data-elementor-id") {
        return Some(number.into_owned());
    }
    let id = tag.attribute("id").unwrap_or_default();
    if id.starts_with("pl-") {
        return Some(id.into_owned());
    }
    let class = tag.attribute("class").unwrap_or_default();
    let number = |text: &str| text.parse().ok().map(|number: u64| number.to_string());
    class.split_ascii_whitespace().find_map(|name| match name {
        "ct-section" => number(id.rsplit_once('-')?.1),
        _ => number(name.strip_prefix("bde-section-")?.split_once('-')?.0),
    })
}

/// The places where the content may be, the most trusted selector's first, each with the number of its selector.
pub(super) fn places(matches: &[Match]) -> Vec<(usize, &Match)> {
    let content = |found: &Match| if let Role::Content(rank) = found.role { Some(rank) } else { None };
    let mut places: Vec<(usize, &Match)> = matches.iter().filter_map(|found| Some((content(found)?, found))).collect();
    places.sort_by_key(|(rank, _)| *rank);
    places
}

/// The ranges that are dropped, rising, none within another.
pub(super) fn dropped<'m>(matches: impl IntoIterator<Item = &'m Match>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for found in matches.into_iter().filter(|found| matches!(found.role, Role::Drop(_))) {
        if ranges.last().is_none_or(|last| found.outer.start >= last.end) {
            ranges.push(found.outer.clone());
        }
    }
    ranges
}
