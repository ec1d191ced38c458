//! Builds a text, either as a browser renders it or as wpextract extracts it.

use super::super::elements::Element;
use super::super::text::RenderedText;
use super::super::text_wpextract::PeerText;
use std::borrow::Cow;

/// A text that is being built, with either set of rules.
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

    /// The length of the text so far, for cutting out captions; 0 for wpextract's.
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

    /// Adds the text that an image represents, such as an emoji.
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
