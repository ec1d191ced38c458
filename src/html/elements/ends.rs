//! Handles end tags in HTML: decides which open elements each one closes. Scopes and misnesting follow the tree
//! builder's [rules for a
//! body](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody); `elements` opens elements.

use super::{Active, DEPTH, Elements, Sink};
use crate::html::names::{self, Name, OTHER};
use crate::html::tokenizer::Tag;

impl<'a, S: Sink<'a>> Elements<'a, '_, S> {
    pub(super) fn end(&mut self, tag: Tag<'a>) {
        self.skip_newline = false;
        self.tag = tag.offset..self.tokenizer.offset();
        let name = tag.id;
        if self.open.len() == DEPTH - 1 && self.buried.last() == Some(&name) {
            self.buried.pop();
            return;
        }
        if self.top().foreign && self.end_foreign(name, tag.name) {
            return;
        }
        match name {
            Name::BR => self.push(name, Tag { name: "br", ..tag }, false),
            Name::P => match self.find_paragraph() {
                Some(at) => self.pop_to(at),
                None => self.empty_paragraph(tag),
            },
            Name::A => self.end_link(),
            Name::FORM => self.end_form(),
            _ if name.is(names::IGNORED) => self.end_page_part(name),
            _ if name.is(names::FORMATTING) => self.end_formatting(name),
            _ if name.is(names::HEADING) => self.end_heading(),
            Name::TABLE | Name::TEMPLATE | Name::NOSCRIPT => self.end_nearest(name, 0),
            Name::LI => self.end_item(),
            _ if name.is(names::TABLE_PART) => self.end_table_part(name),
            _ if name.is(names::SPECIAL) => self.end_nearest(name, names::SCOPE),
            _ => self.end_inline(name, tag.name),
        }
    }

    pub(super) fn end_nearest(&mut self, name: Name, boundary: u32) {
        if let Some(at) = self.find(name, boundary) {
            self.pop_to(at);
        }
    }

    /// Handles the end tags of html, head and body. Content after body's end tag still belongs to the body.
    fn end_page_part(&mut self, name: Name) {
        match name {
            Name::HEAD => self.end_nearest(name, 0),
            Name::BODY => self.body_end = Some(self.tag.start),
            _ => {}
        }
    }

    fn end_table_part(&mut self, name: Name) {
        if let (Some(at), Some(table)) = (self.find(name, 0), self.find(Name::TABLE, 0))
            && at > table
        {
            self.pop_to(at);
        }
    }

    fn end_heading(&mut self) {
        for at in (1..self.open.len()).rev() {
            if self.open[at].name.is(names::HEADING) {
                return self.pop_to(at);
            }
            if self.open[at].name.is(names::SCOPE) {
                return;
            }
        }
    }

    /// Ends a list item, but not across a list that was opened in it.
    fn end_item(&mut self) {
        if let Some(at) = self.find(Name::LI, names::SCOPE)
            && !self.open[at..].iter().any(|e| matches!(e.name, Name::UL | Name::OL))
        {
            self.pop_to(at);
        }
    }

    /// Ends a form; elements opened in it stay open.
    fn end_form(&mut self) {
        if let Some(at) = self.find(Name::FORM, names::SCOPE) {
            if self.open[at + 1..].iter().any(|e| e.name.is(names::SPECIAL) && !implies_end(e.name)) {
                self.rename(at);
            } else {
                self.pop_to(at);
            }
        }
    }

    /// Ends b, i, font and the like.
    fn end_formatting(&mut self, name: Name) {
        if let Some(at) = self.find(name, names::SCOPE) {
            self.end_misnested(at);
        }
    }

    /// Ends the element at `at`; a block opened inside it stays open.
    fn end_misnested(&mut self, at: usize) {
        if self.open[at + 1..].iter().any(|e| e.name.is(names::SPECIAL)) {
            let element = self.open[at];
            self.rename(at);
            self.open[at].told = true;
            self.sink.close(&element, at, self.tag.clone());
        } else {
            self.pop_to(at);
        }
    }

    /// Ends the innermost open link; a block opened inside it stays open.
    pub(super) fn end_link(&mut self) {
        let Some(Active::Link { depth, .. }) = self.active.last().copied() else {
            return;
        };
        let Some(at) = depth else {
            self.active.pop();
            return;
        };
        if self.open[at + 1..].iter().any(|e| e.name.is(names::SCOPE)) {
            return;
        }
        self.active.pop();
        self.end_misnested(at);
    }

    /// Ends span, custom elements and all others: the nearest one with that name, but not across a block.
    fn end_inline(&mut self, name: Name, label: &str) {
        if self.counts[name.index()] == 0 {
            return;
        }
        for at in (1..self.open.len()).rev() {
            let element = &self.open[at];
            if element.name == name && (name != OTHER || element.label.eq_ignore_ascii_case(label)) {
                return self.pop_to(at);
            }
            if element.name.is(names::SPECIAL) && !element.foreign {
                return;
            }
        }
    }

    /// Handles an end tag inside SVG or MathML; returns false if it belongs to the HTML around.
    fn end_foreign(&mut self, name: Name, label: &str) -> bool {
        if matches!(name, Name::P | Name::BR) && !self.top().holds_html {
            self.leave_foreign();
            return false;
        }
        for at in (1..self.open.len()).rev() {
            if !self.open[at].foreign {
                return false;
            }
            if self.open[at].label.eq_ignore_ascii_case(label) {
                self.pop_to(at);
                return true;
            }
        }
        false
    }

    pub(super) fn leave_foreign(&mut self) {
        let mut keep = self.open.len();
        while self.open[keep - 1].foreign && !self.open[keep - 1].holds_html {
            keep -= 1;
        }
        self.pop_to(keep);
    }

    /// Adds an empty paragraph, which is what `</p>` without an open paragraph means.
    fn empty_paragraph(&mut self, tag: Tag<'a>) {
        self.push(Name::P, Tag { name: "p", ..tag }, false);
        self.pop_to(self.open.len() - 1);
    }
}

/// Whether the end tag of an element may be left out.
fn implies_end(name: Name) -> bool {
    matches!(
        name,
        Name::DD
            | Name::DT
            | Name::LI
            | Name::OPTGROUP
            | Name::OPTION
            | Name::P
            | Name::RB
            | Name::RP
            | Name::RT
            | Name::RTC
    )
}
