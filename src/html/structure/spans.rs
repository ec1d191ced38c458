//! Tracks spans (links, bold and the like) in the structure of a document: which should be open, which are, and how to
//! get from one state to the other. The builder decides where text goes.

use super::{Listener, Span};
use crate::html::names::Name;
use crate::html::tokenizer::Attributes;
use crate::urls::{self, PageUrl};
use std::rc::Rc;

/// The kinds of spans, in the order in which they are opened; code comes last, because it contains no others.
const KINDS: [SpanKind; 7] = [
    SpanKind::Link,
    SpanKind::Strong,
    SpanKind::Emphasis,
    SpanKind::Deleted,
    SpanKind::Superscript,
    SpanKind::Subscript,
    SpanKind::Code,
];

/// The kind of a span, without a link's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpanKind {
    Link,
    Strong,
    Emphasis,
    Deleted,
    Superscript,
    Subscript,
    Code,
}

/// The kind of span for an element.
pub(super) fn kind_of(name: Name) -> Option<SpanKind> {
    Some(match name {
        Name::A => SpanKind::Link,
        Name::STRONG | Name::B => SpanKind::Strong,
        Name::EM | Name::I => SpanKind::Emphasis,
        Name::DEL | Name::S | Name::STRIKE => SpanKind::Deleted,
        Name::SUP => SpanKind::Superscript,
        Name::SUB => SpanKind::Subscript,
        Name::CODE | Name::TT | Name::KBD | Name::SAMP => SpanKind::Code,
        _ => return None,
    })
}

/// A span: a link has a number, since several links may have the same URL.
#[derive(Clone)]
struct OpenSpan {
    kind: SpanKind,
    link: usize,
    url: Rc<str>,
}

pub(super) struct Spans {
    /// The depths and kinds of the open elements, except links.
    entered: Vec<(usize, SpanKind)>,
    /// How many of each kind are open.
    counts: [usize; KINDS.len()],
    /// The open links with their depths; text belongs to the last one.
    links: Vec<(usize, OpenSpan)>,
    /// The number of links so far.
    seen: usize,
    /// The spans that were reported to the listener as open.
    told: Vec<OpenSpan>,
    nowhere: Rc<str>,
    /// How many bytes of URLs may still be reported: a link around many paragraphs is reported again in each.
    budget: usize,
}

impl Spans {
    pub(super) fn new(length: usize) -> Self {
        Spans {
            entered: Vec::new(),
            counts: [0; KINDS.len()],
            links: Vec::new(),
            seen: 0,
            told: Vec::new(),
            nowhere: "".into(),
            budget: 16 * length + 65536,
        }
    }

    /// Handles the start of an element. An `a` without a target is not a link, but the link around it continues only
    /// after it.
    pub(super) fn enter(
        &mut self,
        kind: SpanKind,
        depth: usize,
        attributes: Attributes<'_, '_>,
        page: Option<&PageUrl>,
    ) {
        if kind != SpanKind::Link {
            self.counts[kind as usize] += 1;
            return self.entered.push((depth, kind));
        }
        self.seen += 1;
        let url = attributes.get("href").and_then(|href| url_of(&href, page)).unwrap_or_default();
        self.links.push((depth, OpenSpan { kind, link: self.seen, url: url.into() }));
    }

    /// Handles the end of the element at `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        // A link may end before the elements inside it.
        let deeper = self.links.iter().rev().take_while(|(at, _)| *at > depth).count();
        let at = self.links.len() - deeper;
        if at > 0 && self.links[at - 1].0 == depth {
            self.links.remove(at - 1);
        }
        let deeper = self.entered.iter().rev().take_while(|(at, _)| *at > depth).count();
        let at = self.entered.len() - deeper;
        if at > 0 && self.entered[at - 1].0 == depth {
            let (_, kind) = self.entered.remove(at - 1);
            self.counts[kind as usize] -= 1;
        }
    }

    /// The span of this kind that the next text belongs to.
    fn wanted(&self, kind: SpanKind) -> Option<OpenSpan> {
        match kind {
            SpanKind::Link => self.links.last().map(|(_, link)| link.clone()).filter(|link| !link.url.is_empty()),
            _ if self.counts[kind as usize] == 0 => None,
            _ => Some(OpenSpan { kind, link: 0, url: self.nowhere.clone() }),
        }
    }

    fn is_told(&self, open: &OpenSpan) -> bool {
        self.told.iter().any(|told| told.kind == open.kind && told.link == open.link)
    }

    /// Reports the ends of spans that have ended, and of all spans inside them.
    pub(super) fn close_ended(&mut self, listener: &mut impl Listener) {
        let ended = |told: &OpenSpan| self.wanted(told.kind).is_none_or(|wanted| wanted.link != told.link);
        if let Some(at) = self.told.iter().position(ended) {
            self.close_to(at, listener);
        }
    }

    /// Reports the starts of spans that have begun.
    pub(super) fn open_missing(&mut self, listener: &mut impl Listener) {
        let mut missing = KINDS.map(|kind| self.wanted(kind).filter(|open| !self.is_told(open)));
        if missing.iter().all(Option::is_none) {
            return;
        }
        self.close_code(listener);
        if missing[SpanKind::Code as usize].is_none() {
            missing[SpanKind::Code as usize] = self.wanted(SpanKind::Code);
        }
        for open in missing.into_iter().flatten() {
            if open.url.len() > self.budget {
                continue;
            }
            self.budget -= open.url.len();
            listener.open_span(open.span());
            self.told.push(open);
        }
    }

    /// Closes code before content that it cannot contain.
    pub(super) fn close_code(&mut self, listener: &mut impl Listener) {
        if self.told.last().is_some_and(|open| open.kind == SpanKind::Code) {
            self.close_to(self.told.len() - 1, listener);
        }
    }

    /// Closes all spans, because their leaf ends.
    pub(super) fn close_all(&mut self, listener: &mut impl Listener) {
        self.close_to(0, listener);
    }

    fn close_to(&mut self, length: usize, listener: &mut impl Listener) {
        while self.told.len() > length {
            if let Some(open) = self.told.pop() {
                listener.close_span(open.span());
            }
        }
    }
}

impl OpenSpan {
    fn span(&self) -> Span<'_> {
        match self.kind {
            SpanKind::Link => Span::Link(&self.url),
            SpanKind::Strong => Span::Strong,
            SpanKind::Emphasis => Span::Emphasis,
            SpanKind::Deleted => Span::Deleted,
            SpanKind::Superscript => Span::Superscript,
            SpanKind::Subscript => Span::Subscript,
            SpanKind::Code => Span::Code,
        }
    }
}

/// The target of a link: an absolute URL, a mail address or a telephone number.
fn url_of(href: &str, page: Option<&PageUrl>) -> Option<String> {
    let href = href.trim();
    let is = |scheme: &str| href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    if is("mailto:") || is("tel:") {
        return Some(href.to_owned());
    }
    urls::join(page, href).map(|url| url.into_owned())
}
