//! Defines the events that selectors report while a page is read: start tags, text and end tags in document order.

use crate::html::tokenizer::Attributes;
use std::borrow::Cow;
use std::ops::Range;

/// A part of an element that a selector matched; events of one element come in the order of the selectors.
pub(crate) enum Event<'e> {
    /// The start tag of a matched element.
    Start(StartTag<'e>),
    /// A piece of text inside a matched element, entities decoded.
    Text(&'e str),
    /// The end of a matched element: the range of its end tag, which is empty if the end is implied.
    End(Range<usize>),
}

/// The start tag of a matched element.
pub(crate) struct StartTag<'e> {
    pub(super) place: Range<usize>,
    pub(super) attributes: Attributes<'e, 'e>,
}

impl StartTag<'_> {
    /// The position of its `<` in the given page.
    pub(crate) fn start(&self) -> usize {
        self.place.start
    }

    /// An attribute's value, entities decoded; [`None`] if it is missing.
    pub(crate) fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        self.attributes.get(name)
    }
}
