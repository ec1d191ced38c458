//! Reports images at their positions in the structure of a document: the real sources of lazily loaded images, each
//! image once. The rules are those of [`images`](crate::html::images), as far as they can be applied before the content
//! ends.

use crate::html::images::without_size;
use crate::html::names::Name;
use crate::html::sources::{picture_source, pixels, real_source};
use crate::html::tokenizer::{Attributes, Tokenizer};
use crate::urls::{self, PageUrl};
use std::borrow::Cow;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Pictures {
    /// The first usable source of the open picture element.
    source: Option<String>,
    /// The URLs of images so far, without sizes, and whether each came from a noscript.
    shown: HashMap<String, bool>,
    /// The alternative text of a placeholder image: the real image may follow in a noscript.
    waiting: Option<String>,
}

impl Pictures {
    /// Handles the start of a picture element.
    pub(super) fn open_picture(&mut self) {
        self.source = None;
    }

    /// Handles a source element in a picture.
    pub(super) fn source(&mut self, attributes: Attributes<'_, '_>) {
        if self.source.is_none() {
            self.source = picture_source(attributes).map(|source| source.into_owned());
        }
    }

    /// An image's URL and alternative text, if it is to be shown here.
    pub(super) fn image(
        &mut self,
        attributes: Attributes<'_, '_>,
        page: Option<&PageUrl>,
        noscript: bool,
    ) -> Option<(String, String)> {
        let alt = attributes.get("alt").map(|alt| alt.into_owned()).unwrap_or_default();
        let real = real_source(attributes).or_else(|| self.source.take().map(Cow::Owned));
        let Some(url) = real.and_then(|src| urls::join(page, &src).map(|url| url.into_owned())) else {
            self.waiting = Some(alt);
            return None;
        };
        let is_tiny = |name: &str| attributes.raw(name).and_then(pixels).is_some_and(|n| n <= 1);
        if noscript && (is_tiny("width") || is_tiny("height")) {
            return None; // a counter
        }
        let alt = match self.waiting.take() {
            Some(waiting) if noscript && !waiting.is_empty() => waiting,
            _ => alt,
        };
        // A noscript repeats an image that a script shows: the HTML contains it twice, and it is reported once.
        let name = without_size(&url);
        let twin = self.shown.get(&name).is_some_and(|by_noscript| *by_noscript || noscript);
        self.shown.insert(name, noscript && !twin);
        if twin {
            return None;
        }
        Some((url, alt))
    }

    /// The images that a browser without scripts would show.
    pub(super) fn noscript(&mut self, html: &str, page: Option<&PageUrl>) -> Vec<(String, String)> {
        let mut found = Vec::new();
        if html.contains("<img") || html.contains("<IMG") {
            Tokenizer::each(html, Name::IMG, |attributes| found.extend(self.image(attributes, page, true)));
        }
        found
    }
}
