//! Keeps an item that is held back until others have been reported.

use super::event::Text;
use super::item::Item;
use crate::ndjson::Gaps;
use std::sync::Arc;

pub(super) struct Held {
    pub(super) item: Item,
    pub(super) text: Vec<u8>,
    file: Arc<str>,
    number: u64,
}

impl Held {
    pub(super) fn new(item: Item, text: &Text<'_>, file: &Arc<str>, number: u64) -> Self {
        let mut bytes = Vec::new();
        text.append_compact(&mut bytes);
        Held { item, text: bytes, file: file.clone(), number }
    }

    /// Returns the item, its text, its file, and its number in the file.
    pub(super) fn parts<'a>(self, text: &'a mut Vec<u8>, gaps: &'a Gaps) -> (Item, Text<'a>, Arc<str>, u64) {
        *text = self.text;
        (self.item, Text { bytes: text, gaps }, self.file, self.number)
    }
}
