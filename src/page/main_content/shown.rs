//! Decides whether a piece of HTML shows anything: an element meant for content may be empty.

use crate::html::elements::{Buffers, Element, ParseOptions, Sink, read};
use crate::html::names::Name;
use crate::html::tokenizer::{Attributes, Model, Text};
use crate::page::outline::MEDIA;
use std::collections::BTreeMap;
use std::ops::Range;

/// Whether there is anything to read, to view or to play.
pub(super) fn shows_anything(html: &str, kept: &[Range<usize>]) -> bool {
    let mut shown = Shown(false);
    let reading = ParseOptions { plain: true, ..ParseOptions::default() };
    kept.iter().any(|range| {
        read(&html[range.clone()], reading, &mut Buffers::default(), &mut shown);
        shown.0
    })
}

/// Searches for the first visible thing.
struct Shown(bool);

impl<'a> Sink<'a> for Shown {
    fn open(&mut self, element: &Element<'a>, _: Attributes<'_, 'a>, _: usize, _: Range<usize>) {
        self.0 |= MEDIA.contains(&element.name);
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        self.0 |= match Model::of(inside.name, false) {
            Model::Data => !matches!(text.raw.trim_ascii(), "" | "&nbsp;"),
            // a lazily loaded picture, for readers without scripts
            _ => inside.name == Name::NOSCRIPT && text.raw.contains("<img"),
        };
    }

    fn is_done(&self) -> bool {
        self.0
    }
}

/// Ranges that show nothing, as start and end.
#[derive(Default)]
pub(super) struct Empty(BTreeMap<usize, usize>);

impl Empty {
    /// Whether a range is inside one that shows nothing.
    pub(super) fn holds(&self, range: &Range<usize>) -> bool {
        self.0.range(..=range.start).next_back().is_some_and(|(_, end)| range.end <= *end)
    }

    /// Adds a range. Elements nest: any other range is inside it, around it or beside it.
    pub(super) fn add(&mut self, range: &Range<usize>) {
        if !self.holds(range) {
            let inside: Vec<usize> = self.0.range(range.clone()).map(|(start, _)| *start).collect();
            inside.iter().for_each(|start| _ = self.0.remove(start));
            self.0.insert(range.start, range.end);
        }
    }
}
