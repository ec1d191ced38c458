//! Bands: records that share a part of their signatures, and are therefore worth comparing. They are brought together on disk, in
//! fixed memory.

use crate::minhash::Signature;
use crate::report::Error;
use crate::spill::Sorter;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Places of a band. Of pairs with a similarity of .8, one of 20,000 has no band of five in common (`(1 - .8^5)^25`); of .7, one of
/// a hundred; half of the pairs of .5 are compared for nothing.
const ROWS: usize = 5;

/// Bytes that are sorted in memory: with 64 MiB a record takes 0.3 bytes of memory more when the runs are merged.
const RUN: usize = 64 << 20;

/// The bands of all records, each with the number of its record: both are the key that is sorted by.
pub(super) struct Bands(Sorter);

impl Bands {
    pub(super) fn new() -> Self {
        Bands(Sorter::with_runs_of(RUN))
    }

    pub(super) fn add(&mut self, number: u32, signature: &Signature) -> Result<(), Error> {
        for (band, rows) in signature.places().chunks_exact(ROWS).enumerate() {
            let mut bytes = [0; ROWS * 4];
            bytes.chunks_exact_mut(4).zip(rows).for_each(|(to, row)| to.copy_from_slice(&row.to_le_bytes()));
            let mut key = [0; 12];
            key[..8].copy_from_slice(&xxh3_64_with_seed(&bytes, band as u64).to_be_bytes());
            key[8..].copy_from_slice(&number.to_be_bytes());
            self.0.add(&key, b"")?;
        }
        Ok(())
    }

    /// Calls `take` with the numbers of the records that have a band in common, in ascending order, band by band.
    pub(super) fn sorted(self, mut take: impl FnMut(&[u32]) -> Result<(), Error>) -> Result<(), Error> {
        let mut sorted = self.0.sorted()?;
        let (mut band, mut numbers) = ([0; 8], Vec::new());
        while let Some((key, _)) = sorted.next()? {
            let (this, number) = key.split_at(band.len());
            if this != band {
                if numbers.len() > 1 {
                    take(&numbers)?;
                }
                numbers.clear();
                band.copy_from_slice(this);
            }
            numbers.push(u32::from_be_bytes(number.try_into().expect("a key is a band and a number")));
        }
        if numbers.len() > 1 { take(&numbers) } else { Ok(()) }
    }
}
