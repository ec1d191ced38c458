//! Defines maps and sets for many short keys that strangers choose.

use hashbrown::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map, and a set, for small keys.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Xxh3>>;
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<Xxh3>>;

/// xxh3 with the interface of the standard library, and this run's seed.
pub(crate) struct Xxh3(u64);

impl Default for Xxh3 {
    fn default() -> Self {
        Xxh3(super::seed())
    }
}

impl Hasher for Xxh3 {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxhash_rust::xxh3::xxh3_64_with_seed(bytes, self.0);
    }
}
