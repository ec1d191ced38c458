//! Handles start tags in HTML that close open elements: list items, paragraphs, links, the parts of a table; and other
//! rules that depend on a tag's name. `ends` handles end tags.

use super::{Active, Elements, Sink};
use crate::html::names::{self, Name};
use crate::html::tokenizer::{Attributes, Tag};

impl<'a, S: Sink<'a>> Elements<'a, '_, S> {
    /// Closes the elements that the start tag of `name` ends by implication.
    pub(super) fn imply_ends(&mut self, name: Name) {
        match name {
            Name::LI => self.close_sibling(&[Name::LI]),
            Name::DD | Name::DT => self.close_sibling(&[Name::DD, Name::DT]),
            Name::A => {
                if let Some(Active::Link { depth, .. }) = self.active.last().copied() {
                    if depth.is_some() {
                        self.end_link();
                    }
                    if matches!(self.active.last(), Some(Active::Link { .. })) {
                        self.active.pop();
                    }
                }
            }
            Name::BUTTON | Name::SELECT => {
                if let Some(at) = self.find(name, names::SCOPE) {
                    self.pop_to(at);
                }
            }
            Name::OPTION if self.top().name == Name::OPTION => self.pop_to(self.open.len() - 1),
            Name::RP | Name::RT | Name::RB | Name::RTC if matches!(self.top().name, Name::RP | Name::RT | Name::RB) => {
                self.pop_to(self.open.len() - 1);
            }
            Name::TABLE
                if matches!(self.top().name, Name::TABLE | Name::TBODY | Name::THEAD | Name::TFOOT | Name::TR) =>
            {
                if let Some(at) = self.find(Name::TABLE, 0) {
                    self.pop_to(at);
                }
            }
            _ => {}
        }
        if name.is(names::CLOSES_P) {
            if let Some(at) = self.find_paragraph() {
                self.pop_to(at);
            }
            if name.is(names::HEADING) && self.top().name.is(names::HEADING) {
                self.pop_to(self.open.len() - 1);
            }
        }
    }

    /// A list item ends the one before it, unless there is another block between them.
    fn close_sibling(&mut self, siblings: &[Name]) {
        if siblings.iter().all(|name| self.counts[name.index()] == 0) {
            return;
        }
        for at in (1..self.open.len()).rev() {
            let name = self.open[at].name;
            if siblings.contains(&name) {
                return self.pop_to(at);
            }
            if name.is(names::SPECIAL) && !matches!(name, Name::ADDRESS | Name::DIV | Name::P) {
                return;
            }
        }
    }

    /// Handles the start tags of html, head and body, which are ignored in a fragment.
    pub(super) fn start_page_part(&mut self, name: Name, tag: Tag<'a>) {
        if self.reading.page && matches!(name, Name::HTML | Name::HEAD | Name::BODY) {
            if name == Name::BODY {
                self.end_nearest(Name::HEAD, 0);
            }
            self.push(name, tag, false);
        }
    }

    /// Handles the start tags of captions, row groups, rows and cells. Outside a table, they are ignored. In a table, each closes all
    /// elements that are open inside the table, row group or row to which it belongs.
    pub(super) fn start_table_part(&mut self, name: Name, tag: Tag<'a>) {
        let Some(table) = self.find(Name::TABLE, 0) else {
            return;
        };
        let is = |at: usize, names: &[Name]| self.open.get(at).is_some_and(|e| names.contains(&e.name));
        let mut keep = table + 1;
        if matches!(name, Name::TR | Name::TD | Name::TH) && is(keep, &[Name::TBODY, Name::THEAD, Name::TFOOT]) {
            keep += 1;
        }
        if matches!(name, Name::TD | Name::TH) && is(keep, &[Name::TR]) {
            keep += 1;
        }
        self.pop_to(keep);
        self.push(name, tag, false);
    }
}

/// Whether the content of an integration point is HTML. SVG's integration points do not count in MathML, nor MathML's in SVG.
pub(super) fn holds_html(name: Name, math: bool, attributes: Attributes<'_, '_>) -> bool {
    match name {
        Name::DESC | Name::TITLE | Name::FOREIGNOBJECT => !math,
        Name::ANNOTATION_XML => attributes.get("encoding").is_some_and(|encoding| {
            math && ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
        }),
        _ => math,
    }
}

/// Whether an element is a part of a table that must not contain text itself: a browser moves such text before the table.
pub(super) fn is_table_frame(name: Name) -> bool {
    matches!(name, Name::TABLE | Name::TBODY | Name::THEAD | Name::TFOOT | Name::TR)
}

/// Whether the start tag of `name` first reopens a link that was interrupted; the tags of blocks and invisible elements do not.
pub(super) fn takes_up_links(name: Name) -> bool {
    !name.is(names::CLOSES_P)
        && !matches!(
            name,
            Name::PARAM
                | Name::SOURCE
                | Name::TRACK
                | Name::TEXTAREA
                | Name::IFRAME
                | Name::NOEMBED
                | Name::NOSCRIPT
                | Name::NOFRAMES
                | Name::RB
                | Name::RTC
                | Name::RP
                | Name::RT
                | Name::BASE
                | Name::BASEFONT
                | Name::BGSOUND
                | Name::LINK
                | Name::META
                | Name::SCRIPT
                | Name::STYLE
                | Name::TEMPLATE
                | Name::TITLE
        )
}
