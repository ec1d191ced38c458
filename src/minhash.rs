//! Estimates how similar two texts are from a few numbers that are kept of each (MinHash): in each of a number of places, the
//! smallest hash of its words. The share of places in which two texts agree estimates the share of words that they have in common.
//! Callers decide which texts to compare.
//!
//! A [`Sketch`] distinguishes copies from translations: its places divide up the words, and each word is hashed once. A
//! [`Signature`] finds near duplicates, and is more precise: its places are hash functions of shingles.

mod signature;
mod sketch;
mod words;

pub(crate) use signature::{SIGNATURE_BYTES, Signature, Texts};
pub(crate) use sketch::Sketch;
pub(crate) use words::each_word;

/// The smallest value in each place.
struct Least<T, const PLACES: usize>([T; PLACES]);

impl<T: Copy + Ord, const PLACES: usize> Least<T, PLACES> {
    /// Creates an empty summary; `none` is greater than all values.
    fn new(none: T) -> Self {
        Least([none; PLACES])
    }

    fn take(&mut self, place: usize, value: T) {
        self.0[place] = self.0[place].min(value);
    }
}

/// The number of places in which two texts agree.
fn agreeing<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}
