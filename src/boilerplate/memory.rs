//! Remembers what names of elements were found to say.

use super::Marks;
use crate::html::KnownNames;
use xxhash_rust::xxh3::xxh3_64;

/// Names whose marks are remembered at a time, and how long they may be together.
const SLOTS: usize = 4096;
const LONG: usize = 512;

/// What names were found to say: a theme writes the same again and again, on each page.
#[derive(Default)]
pub(crate) struct Memory {
    /// The names one after the other, where they are cut, and their marks; in the place that their hash gives.
    slots: Vec<(String, (usize, usize), Marks)>,
    joined: String,
    parts: Parts,
}

/// The same of single names, which themes put together in many ways, with numbers.
#[derive(Default)]
pub(crate) struct Parts {
    pub(super) names: KnownNames,
    pub(super) spelt: String,
}

impl Memory {
    pub(super) fn known(&mut self, names: [Option<&str>; 3], find: impl FnOnce(&mut Parts) -> Marks) -> Marks {
        let [class, id, role] = names.map(Option::unwrap_or_default);
        if class.len() + id.len() + role.len() > LONG {
            return find(&mut self.parts);
        }
        self.joined.clear();
        [class, id, role].iter().for_each(|name| self.joined.push_str(name));
        let cuts = (class.len(), id.len());
        self.slots.resize_with(SLOTS, Default::default);
        let slot = &mut self.slots[xxh3_64(self.joined.as_bytes()) as usize % SLOTS];
        if slot.0 != self.joined || slot.1 != cuts {
            slot.0.clone_from(&self.joined);
            (slot.1, slot.2) = (cuts, find(&mut self.parts));
        }
        slot.2
    }
}
