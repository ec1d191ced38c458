//! Finds the records that share a part (band) of their MinHash signatures, and are therefore worth comparing. They are sorted on
//! disk, in a fixed amount of memory.

use crate::minhash::Signature;
use crate::report::Error;
use crate::spill::Sorter;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The number of places of a signature in a band. Of pairs with a similarity of .8, one in 20,000 has no common band of five (`(1 -
/// .8^5)^25`); with .7, one in a hundred; half of the pairs with .5 are compared in vain.
const ROWS: usize = 5;

/// The number of bytes that are sorted in memory at once: with 64 MiB, merging takes another 0.3 bytes of memory for each record.
const RUN: usize = 64 << 20;

/// The bands of all records, each with the number of its record: both together are the sort key.
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

    /// Calls `take` with the numbers of records with a common band, in ascending order, band by band.
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
