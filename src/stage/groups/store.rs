//! Signatures: what MinHash keeps of a text. The share of equal places of two signatures estimates the Jaccard index of the sets
//! of shingles of their texts; with 128 places its standard deviation is at most .044, at .8 it is .035.

use super::Signed;
use crate::registry::{each_word, mixed};
use crate::report::Error;
use crate::spill;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Hash functions of a signature.
const PLACES: usize = 128;
const BYTES: usize = PLACES * 4;
/// Words of a shingle. A text of fewer has no signature: too many are the same.
const SHINGLE: usize = 5;

/// The least value that each of 128 hash functions has for any shingle of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature(pub(super) [u32; PLACES]);

impl Signature {
    /// Base64 of the 128 numbers, each as four bytes, the lowest first.
    pub(super) fn to_text(&self) -> String {
        STANDARD.encode(self.to_bytes())
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; BYTES + 1];
        let length = STANDARD.decode_slice(text, &mut bytes).ok()?;
        (length == BYTES).then(|| Signature::of_bytes(&bytes[..BYTES]))
    }

    fn to_bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes.chunks_exact_mut(4).zip(&self.0).for_each(|(to, place)| to.copy_from_slice(&place.to_le_bytes()));
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let mut places = [0; PLACES];
        let numbers = bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes")));
        places.iter_mut().zip(numbers).for_each(|(to, place)| *to = place);
        Signature(places)
    }

    /// The share of equal places.
    pub(super) fn similarity(&self, other: &Signature) -> f64 {
        self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count() as f64 / PLACES as f64
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

/// Signs texts.
#[derive(Default)]
pub(super) struct Texts {
    words: Vec<u64>,
}

impl Texts {
    /// The signature of a JSON string; none of a text of fewer than five words.
    pub(super) fn sign(&mut self, json: &str) -> Option<Signature> {
        self.words.clear();
        each_word(json.as_bytes(), |hash| self.words.push(mixed(hash)));
        let mut least = [u32::MAX; PLACES];
        for shingle in self.words.windows(SHINGLE) {
            let shingle = shingle.iter().fold(0, |hash: u64, word| mixed(hash.rotate_left(5) ^ word));
            for (least, &(a, b)) in least.iter_mut().zip(&FUNCTIONS) {
                *least = (*least).min((a.wrapping_mul(shingle).wrapping_add(b) >> 32) as u32);
            }
        }
        (self.words.len() >= SHINGLE).then_some(Signature(least))
    }
}

/// Bytes of a record in the store: signature, file, line, and place and length of its name.
const ENTRY: usize = BYTES + 4 + 8 + 8 + 4;

/// Signatures, places and names of all signed records, in unlinked files in TMPDIR.
pub(super) struct Store {
    entries: BufWriter<File>,
    names: BufWriter<File>,
    names_end: u64,
    files: HashMap<Arc<str>, u32>,
    count: u32,
}

impl Store {
    pub(super) fn new() -> Result<Self, Error> {
        let (entries, names) = (BufWriter::new(spill::unnamed()?), BufWriter::new(spill::unnamed()?));
        Ok(Store { entries, names, names_end: 0, files: HashMap::new(), count: 0 })
    }

    /// Adds a record: its number.
    pub(super) fn add(&mut self, signed: &Signed) -> Result<u32, Error> {
        let next = self.files.len() as u32;
        let file = *self.files.entry(signed.file.clone()).or_insert(next);
        let number = self.count;
        let too_many = || Error::Fatal("more than 4,294,967,295 signed records".into());
        self.count = number.checked_add(1).ok_or_else(too_many)?;
        let mut entry = [0; ENTRY];
        entry[..BYTES].copy_from_slice(&signed.signature.to_bytes());
        entry[BYTES..BYTES + 4].copy_from_slice(&file.to_le_bytes());
        entry[BYTES + 4..BYTES + 12].copy_from_slice(&signed.line.to_le_bytes());
        entry[BYTES + 12..BYTES + 20].copy_from_slice(&self.names_end.to_le_bytes());
        entry[BYTES + 20..].copy_from_slice(&(signed.name.len() as u32).to_le_bytes());
        self.names_end += signed.name.len() as u64;
        let written = self.entries.write_all(&entry).and_then(|()| self.names.write_all(signed.name.as_bytes()));
        written.map(|()| number).map_err(spill::failed)
    }

    /// The same, to be read.
    pub(super) fn finish(self) -> Result<Signatures, Error> {
        let whole = |file: BufWriter<File>| file.into_inner().map_err(|e| spill::failed(e.into_error()));
        let (entries, names) = (whole(self.entries)?, whole(self.names)?);
        Ok(Signatures { entries, names, files: self.files, count: self.count })
    }
}

/// A [`Store`] that is complete.
pub(super) struct Signatures {
    entries: File,
    names: File,
    pub(super) files: HashMap<Arc<str>, u32>,
    pub(super) count: u32,
}

/// A record of them.
pub(super) struct Entry {
    pub(super) signature: Signature,
    /// Its file's number, and its line.
    pub(super) place: (u32, u64),
    name: (u64, usize),
}

impl Signatures {
    pub(super) fn entry(&self, number: u32) -> Result<Entry, Error> {
        let mut bytes = [0; ENTRY];
        self.entries.read_exact_at(&mut bytes, u64::from(number) * ENTRY as u64).map_err(spill::failed)?;
        let four = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let eight = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        Ok(Entry {
            signature: Signature::of_bytes(&bytes[..BYTES]),
            place: (four(BYTES), eight(BYTES + 4)),
            name: (eight(BYTES + 12), four(BYTES + 20) as usize),
        })
    }

    pub(super) fn name(&self, entry: &Entry) -> Result<String, Error> {
        let mut bytes = vec![0; entry.name.1];
        self.names.read_exact_at(&mut bytes, entry.name.0).map_err(spill::failed)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
