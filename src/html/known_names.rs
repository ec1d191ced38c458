//! Caches the classification of class names and ids: a theme repeats the same names many times, and on each page.

use xxhash_rust::xxh3::xxh3_64;

/// The number of names in the cache.
const SLOTS: usize = 4096;
/// The length in bytes of the longest name that is cached.
const LONG: usize = 64;

/// The flags of names, as bits.
#[derive(Default)]
pub(crate) struct KnownNames {
    /// Each name is at the index that its hash gives.
    slots: Vec<(String, u32)>,
}

impl KnownNames {
    /// The flags of a name: from the cache, else by `find`.
    pub(crate) fn known(&mut self, name: &str, find: impl FnOnce(&str) -> u32) -> u32 {
        if name.len() > LONG {
            return find(name);
        }
        self.slots.resize_with(SLOTS, Default::default);
        let (known, said) = &mut self.slots[xxh3_64(name.as_bytes()) as usize % SLOTS];
        if known != name {
            *said = find(name);
            name.clone_into(known);
        }
        *said
    }
}
