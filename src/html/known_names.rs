//! Remembers what single names of classes and ids were found to say: a theme writes the same again and again, on each page.

use xxhash_rust::xxh3::xxh3_64;

/// Names that are remembered at a time, and how long they may be.
const SLOTS: usize = 4096;
const LONG: usize = 64;

/// What names were found to say, as bits.
#[derive(Default)]
pub(crate) struct KnownNames {
    /// In the place that the hash of the name gives.
    slots: Vec<(String, u32)>,
}

impl KnownNames {
    /// What `find` finds of a name.
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
