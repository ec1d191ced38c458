//! Bands: records of which a part of the signature is the same are worth comparing. sort(1) brings them together, on disk and in
//! fixed memory.

use super::signature::Signature;
use crate::report::Error;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Places of a band. Of pairs with a similarity of .8, one of 20,000 has no band of five in common (`(1 - .8^5)^25`); of .7, one of
/// a hundred; half of the pairs of .5 are compared for nothing.
const ROWS: usize = 5;
/// sort(1)'s memory; it takes a share of the machine's by default.
const MEMORY: &str = "256M";

/// A running sort(1), which is given `BAND NUMBER` in hexadecimal digits.
pub(super) struct Bands {
    sort: Child,
    lines: BufWriter<ChildStdin>,
}

impl Bands {
    pub(super) fn new() -> Result<Self, Error> {
        let mut sort = Command::new("sort");
        sort.args(["-S", MEMORY]).env("LC_ALL", "C").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut sort = sort.spawn().map_err(failed)?;
        let lines = BufWriter::with_capacity(1 << 18, sort.stdin.take().expect("it is piped"));
        Ok(Bands { sort, lines })
    }

    /// Adds the bands of a record.
    pub(super) fn add(&mut self, number: u32, signature: &Signature) -> Result<(), Error> {
        for (band, rows) in signature.0.chunks_exact(ROWS).enumerate() {
            let mut bytes = [0; ROWS * 4];
            bytes.chunks_exact_mut(4).zip(rows).for_each(|(to, row)| to.copy_from_slice(&row.to_le_bytes()));
            let band = xxh3_64_with_seed(&bytes, band as u64);
            writeln!(self.lines, "{band:016x} {number:08x}").map_err(failed)?;
        }
        Ok(())
    }

    /// Calls `take` with the numbers of the records that have a band in common, in ascending order, band by band.
    pub(super) fn sorted(self, mut take: impl FnMut(&[u32]) -> Result<(), Error>) -> Result<(), Error> {
        let Bands { mut sort, lines } = self;
        drop(lines.into_inner().map_err(|e| failed(e.into_error()))?);
        let mut lines = BufReader::with_capacity(1 << 18, sort.stdout.take().expect("it is piped"));
        let (mut band, mut line, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            line.clear();
            let ended = lines.read_until(b'\n', &mut line).map_err(failed)? == 0;
            let (this, number) = line.split_at_checked(17).unwrap_or_default();
            if ended || this != band {
                if numbers.len() > 1 {
                    take(&numbers)?;
                }
                numbers.clear();
                band.clear();
                band.extend_from_slice(this);
            }
            if ended {
                break;
            }
            let number = std::str::from_utf8(number.trim_ascii()).ok();
            let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            numbers.push(number.ok_or_else(|| failed(io::ErrorKind::InvalidData.into()))?);
        }
        let status = sort.wait().map_err(failed)?;
        if status.success() { Ok(()) } else { Err(Error::Fatal(format!("sort: {status}"))) }
    }
}

fn failed(error: io::Error) -> Error {
    Error::io("sort", error)
}
