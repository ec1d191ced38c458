//! Lists the elements of a page that the content selectors match, each with its role. [`mod@super::main_content`] decides which of them is
//! content, [`super::stated`] which belong to the post.

use super::content_selectors::{ContentSelectors, Role};
use super::event::{Event, StartTag};
use super::select::{Memory, select_beside};
use crate::html::elements::Sink;
use std::borrow::Cow;
use std::ops::Range;

/// An element that a selector matched: its range from the `<` of its start tag to the end of its end tag, and the range of its contents. An
/// element that is never closed ends with the element around it, or with the page.
pub(super) struct Match {
    pub role: Role,
    pub outer: Range<usize>,
    pub inner: Range<usize>,
    /// The start of the innermost post around it, which may be the element itself; also of what shows other posts or readers.
    pub post: Option<usize>,
    /// The value of its attributes: a date, an author, the URL of a term, the classes of a post.
    pub value: Option<String>,
}

impl Match {
    /// The selector, if it is one for content.
    pub(super) fn content<'s>(&self, selectors: &'s ContentSelectors) -> Option<&'s str> {
        if let Role::Content(rank) = self.role { Some(&selectors.content[rank]) } else { None }
    }
}

/// The matches of all selectors, in document order; `outline` and `beside` are fed in the same pass.
pub(super) fn find(
    html: &str,
    selectors: &ContentSelectors,
    memory: &mut Memory,
    outline: &mut impl for<'a> Sink<'a>,
    beside: &mut impl for<'a> Sink<'a>,
) -> Vec<Match> {
    let mut matches: Vec<Match> = Vec::new();
    // matches that have not ended yet, with their selectors
    let mut open: Vec<(usize, usize)> = Vec::new();
    select_beside(html, &selectors.selectors, memory, (outline, beside), |selector, event| match event {
        Event::Start(tag) => {
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
            // the selectors of posts come first
            let around = open.last().and_then(|(_, at)| matches[*at].post);
            let post = if role.is_post() { Some(outer.start) } else { around };
            matches.push(Match { role, outer, inner, post, value });
            open.push((selector, matches.len() - 1));
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

/// A builder's name for the document in an element: Elementor and Oxygen (`section-2-7`) use the number of its post, as Breakdance does
/// (`bde-section-7-2`); SiteOrigin uses `pl-7` or another name.
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

/// The elements that may be the content, with the number of their selector, the most trusted one first.
pub(super) fn places(matches: &[Match]) -> Vec<(usize, &Match)> {
    let content = |found: &Match| if let Role::Content(rank) = found.role { Some(rank) } else { None };
    let mut places: Vec<(usize, &Match)> = matches.iter().filter_map(|found| Some((content(found)?, found))).collect();
    places.sort_by_key(|(rank, _)| *rank);
    places
}

/// The ranges that are dropped, in ascending order; ranges inside others are left out.
pub(super) fn dropped<'m>(matches: impl IntoIterator<Item = &'m Match>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for found in matches.into_iter().filter(|found| matches!(found.role, Role::Drop(_))) {
        if ranges.last().is_none_or(|last| found.outer.start >= last.end) {
            ranges.push(found.outer.clone());
        }
    }
    ranges
}
