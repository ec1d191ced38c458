//! Caches the marks ([`Marks`]) of class names and ids: a theme repeats the same names on every page.

use super::Marks;
use crate::html::KnownNames;
use xxhash_rust::xxh3::xxh3_64;

/// The number of cached entries.
const SLOTS: usize = 4096;
/// The most bytes of the names of an element that are cached.
const LONG: usize = 512;

/// Caches the marks of an element's class, id and role together.
#[derive(Default)]
pub(crate) struct Memory {
    /// The three names joined, the lengths of the first two, and their marks; at the index that their hash gives.
    slots: Vec<(String, (usize, usize), Marks)>,
    joined: String,
    parts: Parts,
}

/// Caches the marks of single names, which themes combine in many ways, with numbers.
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
