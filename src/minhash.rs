//! Estimates how alike two texts are by a few numbers that are kept of each (MinHash): of the hashes of its words the least in
//! each of some places. Two texts agree in a place as often as they have words in common. Who compares which texts is decided
//! elsewhere.
//!
//! A [`Sketch`] is for telling copies from translations: its places are parts of all words, one hash a word. A [`Signature`] is for
//! near duplicates, and exact: its places are hash functions of shingles.

mod signature;
mod sketch;
mod words;

pub(crate) use signature::{SIGNATURE_BYTES, Signature, Texts};
pub(crate) use sketch::Sketch;

/// The least value in each place.
struct Least<T, const PLACES: usize>([T; PLACES]);

impl<T: Copy + Ord, const PLACES: usize> Least<T, PLACES> {
    /// Nothing yet: `none` is greater than all values.
    fn new(none: T) -> Self {
        Least([none; PLACES])
    }

    fn take(&mut self, place: usize, value: T) {
        self.0[place] = self.0[place].min(value);
    }
}

/// In how many places two texts agree.
fn agreeing<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}
