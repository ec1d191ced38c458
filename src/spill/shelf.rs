//! Stores many byte strings by position; few of them will be read again. Callers interpret them.

use super::spool::{PartOfFile, failed, unnamed};
use crate::codec::{Packed, put_bytes};
use crate::report::Error;
use std::fs::File;
use std::io::{self, Read, Write};

/// The number of bytes that are kept in memory.
const KEPT: usize = 1 << 20;

/// The number of bytes of a piece that are read at first; enough for most pieces.
const USUAL: usize = 512;

/// The pieces; the latest ones are in memory.
#[derive(Default)]
pub(crate) struct Shelf {
    file: Option<File>,
    written: u64,
    kept: Vec<u8>,
}

impl Shelf {
    /// Stores a piece, and returns its position.
    pub(crate) fn put(&mut self, piece: &[u8]) -> Result<u64, Error> {
        if self.kept.len() > KEPT {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(unnamed()?),
            };
            file.write_all(&self.kept).map_err(failed)?;
            self.written += self.kept.len() as u64;
            self.kept.clear();
        }
        let place = self.written + self.kept.len() as u64;
        put_bytes(&mut self.kept, piece);
        Ok(place)
    }

    /// The piece at a position that [`Shelf::put`] returned.
    pub(crate) fn get(&self, place: u64) -> Result<Vec<u8>, Error> {
        if let Some(at) = place.checked_sub(self.written) {
            return Ok(Packed(&self.kept[at as usize..]).bytes().unwrap_or_default().to_owned());
        }
        let mut most = USUAL;
        loop {
            let bytes = self.read(place, most).map_err(failed)?;
            match Packed(&bytes).bytes() {
                Some(piece) => return Ok(piece.to_owned()),
                None if bytes.len() < most => return Err(failed(io::ErrorKind::UnexpectedEof.into())),
                None => most *= 16,
            }
        }
    }

    fn read(&self, place: u64, most: usize) -> io::Result<Vec<u8>> {
        let file = self.file.as_ref().ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut bytes = Vec::with_capacity(most);
        PartOfFile { file, at: place, end: place + most as u64 }.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_from_their_places() {
        let piece = |n: u64| vec![n as u8; (n * 7919 % 2003) as usize];
        let mut shelf = Shelf::default();
        let places: Vec<u64> = (0..3000).map(|n| shelf.put(&piece(n)).unwrap()).collect();
        assert!(shelf.written > 0 && !shelf.kept.is_empty(), "some are in the file");
        for (n, place) in (0..).zip(places) {
            assert_eq!(shelf.get(place).unwrap(), piece(n), "{n}");
        }
    }
}
