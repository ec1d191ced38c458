//! Computes signatures, which show how much of two texts is the same, in the same order: 128 hash functions of their shingles, 512 bytes.
//! The share of equal places in two signatures estimates the Jaccard index of the sets of shingles; with 128 places, its standard deviation
//! is at most .044, and .035 at .8.

use super::words::{each_word, mixed};
use super::{Least, agreeing};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The number of hash functions, and of places, of a signature.
const PLACES: usize = 128;
/// The number of bytes of a signature.
pub(crate) const SIGNATURE_BYTES: usize = PLACES * 4;
/// The number of words per shingle. Shorter texts have no signature, because too many of them are the same.
const SHINGLE: usize = 5;

/// The smallest value of each of 128 hash functions over all shingles of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature([u32; PLACES]);

impl Signature {
    /// Base64 of the 128 numbers, each as four bytes in little-endian order.
    pub(crate) fn to_text(&self) -> String {
        STANDARD.encode(self.to_bytes())
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; SIGNATURE_BYTES + 1];
        let length = STANDARD.decode_slice(text, &mut bytes).ok()?;
        (length == SIGNATURE_BYTES).then(|| Signature::of_bytes(&bytes[..SIGNATURE_BYTES]))
    }

    pub(crate) fn to_bytes(&self) -> [u8; SIGNATURE_BYTES] {
        let mut bytes = [0; SIGNATURE_BYTES];
        bytes.chunks_exact_mut(4).zip(&self.0).for_each(|(to, place)| to.copy_from_slice(&place.to_le_bytes()));
        bytes
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut places = [0; PLACES];
        let numbers = bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes")));
        places.iter_mut().zip(numbers).for_each(|(to, place)| *to = place);
        Signature(places)
    }

    /// The share of equal places.
    pub(crate) fn similarity(&self, other: &Signature) -> f64 {
        agreeing(&self.0, &other.0) as f64 / PLACES as f64
    }

    /// The numbers, place by place.
    pub(crate) fn places(&self) -> &[u32] {
        &self.0
    }
}

/// The hash functions: `(a x + b) >> 32` for 64-bit x; a odd. SplitMix64 makes the constants.
static FUNCTIONS: [(u64, u64); PLACES] = {
    let mut functions = [(0, 0); PLACES];
    let mut at = 0;
    while at < PLACES {
        functions[at] = (split_mix(2 * at as u64) | 1, split_mix(2 * at as u64 + 1));
        at += 1;
    }
    functions
};

const fn split_mix(number: u64) -> u64 {
    let z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[derive(Default)]
pub(crate) struct Texts {
    words: Vec<u64>,
}

impl Texts {
    /// The signature of a JSON string; `None` if it has fewer than five words.
    pub(crate) fn sign(&mut self, json: &str) -> Option<Signature> {
        self.words.clear();
        each_word(json.as_bytes(), |hash| self.words.push(mixed(hash)));
        let mut least = Least::<u32, PLACES>::new(u32::MAX);
        for shingle in self.words.windows(SHINGLE) {
            let shingle = shingle.iter().fold(0, |hash: u64, word| mixed(hash.rotate_left(5) ^ word));
            for (place, &(a, b)) in FUNCTIONS.iter().enumerate() {
                least.take(place, (a.wrapping_mul(shingle).wrapping_add(b) >> 32) as u32);
            }
        }
        (self.words.len() >= SHINGLE).then_some(Signature(least.0))
    }
}
