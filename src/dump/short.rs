//! Holds back short items: those that lack fields which the API returns for every item of their kind, because they were downloaded with
//! `_fields` or `context=embed`. A short item is dropped in favour of another item with the same identity that has all of its fields and
//! more; otherwise the first one counts, as everywhere.

use super::event::Text;
use super::held::Held;
use super::item::Item;
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The most items that may be held back.
const MOST: usize = 1000;
/// The most bytes that the held items may have together.
const BYTES: usize = 16 << 20;

/// The items that are held back. If there are too many, the first one is reported.
#[derive(Default)]
pub(super) struct Short {
    held: BTreeMap<u64, Held>,
    /// The place of the first held item of each identity.
    places: HashMap<u128, u64>,
    next: u64,
    bytes: usize,
}

impl Short {
    /// Whether an item of the same identity is held back.
    pub(super) fn has(&self, item: &Item) -> bool {
        !self.held.is_empty() && self.places.contains_key(&item.identity())
    }

    /// If this item replaces the held one with the same identity, removes and returns the held one; if this item is short as well, it takes
    /// its place.
    pub(super) fn yielding(&mut self, item: &Item, text: &Text<'_>, file: &Arc<str>, number: u64) -> Option<Held> {
        let place = *self.places.get(&item.identity())?;
        let held = &self.held.get(&place).filter(|held| held.text.len() < text.bytes.len())?.text;
        let held: Value = serde_json::from_slice(held).ok()?;
        let other: Value = serde_json::from_slice(text.bytes).ok()?;
        let yielding = if is_part(&held, &other) { self.take(place) } else { None };
        if yielding.is_some() && item.is_short {
            self.put(place, Held::new(item.clone(), text, file, number));
        }
        yielding
    }

    /// Holds back an item; returns the ones that have been held longest if there are too many.
    pub(super) fn hold(&mut self, held: Held) -> Vec<Held> {
        self.put(self.next, held);
        self.next += 1;
        let mut gone = Vec::new();
        while self.held.len() > MOST || self.bytes > BYTES {
            let Some(&first) = self.held.keys().next() else { break };
            gone.extend(self.take(first));
        }
        gone
    }

    fn put(&mut self, place: u64, held: Held) {
        self.bytes += held.text.len();
        self.places.entry(held.item.identity()).or_insert(place);
        self.held.insert(place, held);
    }

    /// Returns all items that are held back, in order.
    pub(super) fn end(&mut self) -> Vec<Held> {
        std::mem::take(self).held.into_values().collect()
    }

    fn take(&mut self, place: u64) -> Option<Held> {
        let held = self.held.remove(&place)?;
        self.bytes -= held.text.len();
        if let Entry::Occupied(first) = self.places.entry(held.item.identity())
            && *first.get() == place
        {
            first.remove();
        }
        Some(held)
    }
}

/// Whether all keys of one object have the same values in the other, except for those that the API adds to its items.
pub(super) fn is_part(object: &Value, other: &Value) -> bool {
    match (object, other) {
        (Value::Object(object), Value::Object(other)) => {
            let is_there = |(key, value): (&String, &Value)| {
                matches!(&**key, "_links" | "_embedded") || other.get(key).is_some_and(|other| is_part(value, other))
            };
            object.iter().all(is_there)
        }
        _ => object == other,
    }
}
