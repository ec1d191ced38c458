//! A text in the making, by either of the rules.

use super::super::elements::Element;
use super::super::text::RenderedText;
use super::super::text_wpextract::PeerText;
use std::borrow::Cow;

/// A text by either of the rules.
pub(super) enum Writer {
    Rendered(RenderedText),
    Wpextract(PeerText),
}

impl Writer {
    pub(super) fn clear(&mut self) {
        match self {
            Writer::Rendered(text) => text.clear(),
            Writer::Wpextract(text) => text.clear(),
        }
    }

    pub(super) fn finish(&mut self) -> Cow<'_, str> {
        match self {
            Writer::Rendered(text) => text.finish().into(),
            Writer::Wpextract(text) => text.finish().into(),
        }
    }

    /// Whether the element is a table that is left out on request.
    pub(super) fn leaves_table(&self, element: &Element<'_>) -> bool {
        matches!(self, Writer::Rendered(text) if text.leaves_table(element))
    }

    /// How long a text is that something may be cut out of.
    pub(super) fn length(&self) -> usize {
        match self {
            Writer::Rendered(text) => text.length(),
            Writer::Wpextract(_) => 0,
        }
    }

    pub(super) fn is_silent(&self, inside: &Element<'_>) -> bool {
        match self {
            Writer::Rendered(text) => !text.hears(&inside.look),
            Writer::Wpextract(text) => text.is_silent(),
        }
    }

    pub(super) fn open(&mut self, element: &Element<'_>, depth: usize) {
        match self {
            Writer::Rendered(text) => text.open(element, depth),
            Writer::Wpextract(text) => text.open(element, depth),
        }
    }

    pub(super) fn close(&mut self, element: &Element<'_>, depth: usize) {
        match self {
            Writer::Rendered(text) => text.close(element, depth),
            Writer::Wpextract(text) => text.close(depth),
        }
    }

    /// An element that has no text is seen as one.
    pub(super) fn say(&mut self, spoken: Option<&str>, element: &Element<'_>) {
        if let (Writer::Rendered(text), Some(spoken)) = (self, spoken) {
            text.text(spoken, &element.look);
        }
    }

    pub(super) fn text(&mut self, decoded: &str, inside: &Element<'_>) {
        match self {
            Writer::Rendered(text) => text.text(decoded, &inside.look),
            Writer::Wpextract(text) => text.text(decoded),
        }
    }
}
