//! Stores the MinHash signatures of all signed records in files: they are too many for memory, and most are needed once
//! or never.

use super::{Name, Signed};
use crate::minhash::{SIGNATURE_BYTES, Signature};
use crate::report::Error;
use crate::spill;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// The number of bytes of a record in the store: signature, file, line, and place and length of its name.
const ENTRY: usize = SIGNATURE_BYTES + 4 + 8 + 8 + 4;

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

    /// Adds a record and returns its number.
    pub(super) fn add(&mut self, signed: &Signed) -> Result<u32, Error> {
        let next = self.files.len() as u32;
        let file = *self.files.entry(signed.file.clone()).or_insert(next);
        let number = self.count;
        let too_many = || Error::Fatal("more than 4,294,967,295 signed records".into());
        self.count = number.checked_add(1).ok_or_else(too_many)?;
        let mut entry = [0; ENTRY];
        entry[..SIGNATURE_BYTES].copy_from_slice(&signed.signature.to_bytes());
        entry[SIGNATURE_BYTES..SIGNATURE_BYTES + 4].copy_from_slice(&file.to_le_bytes());
        entry[SIGNATURE_BYTES + 4..SIGNATURE_BYTES + 12].copy_from_slice(&signed.line.to_le_bytes());
        entry[SIGNATURE_BYTES + 12..SIGNATURE_BYTES + 20].copy_from_slice(&self.names_end.to_le_bytes());
        let name = written(&signed.name);
        entry[SIGNATURE_BYTES + 20..].copy_from_slice(&(name.len() as u32).to_le_bytes());
        self.names_end += name.len() as u64;
        let written = self.entries.write_all(&entry).and_then(|()| self.names.write_all(name.as_bytes()));
        written.map(|()| number).map_err(spill::failed)
    }

    /// Ends writing; the result can be read.
    pub(super) fn finish(self) -> Result<Signatures, Error> {
        let whole = |file: BufWriter<File>| file.into_inner().map_err(|e| spill::failed(e.into_error()));
        let (entries, names) = (whole(self.entries)?, whole(self.names)?);
        Ok(Signatures { entries, names, files: self.files, count: self.count })
    }
}

/// A complete [`Store`].
pub(super) struct Signatures {
    entries: File,
    names: File,
    pub(super) files: HashMap<Arc<str>, u32>,
    pub(super) count: u32,
}

/// A record of the store.
pub(super) struct StoredRecord {
    pub(super) signature: Signature,
    /// The number of its file, and its line.
    pub(super) place: (u32, u64),
    name: (u64, usize),
}

impl Signatures {
    pub(super) fn entry(&self, number: u32) -> Result<StoredRecord, Error> {
        let mut bytes = [0; ENTRY];
        self.entries.read_exact_at(&mut bytes, u64::from(number) * ENTRY as u64).map_err(spill::failed)?;
        let four = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let eight = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        Ok(StoredRecord {
            signature: Signature::of_bytes(&bytes[..SIGNATURE_BYTES]),
            place: (four(SIGNATURE_BYTES), eight(SIGNATURE_BYTES + 4)),
            name: (eight(SIGNATURE_BYTES + 12), four(SIGNATURE_BYTES + 20) as usize),
        })
    }

    pub(super) fn name(&self, entry: &StoredRecord) -> Result<Name, Error> {
        let mut bytes = vec![0; entry.name.1];
        self.names.read_exact_at(&mut bytes, entry.name.0).map_err(spill::failed)?;
        Ok(read(&String::from_utf8_lossy(&bytes)))
    }
}

/// A name as stored: its parts may be any text.
fn written(name: &Name) -> String {
    let Name { has_no_link, link, before, id } = name;
    format!("{} {} {} {link}{id}{before}", u8::from(*has_no_link), link.len(), id.len())
}

fn read(text: &str) -> Name {
    let mut parts = text.splitn(4, ' ');
    let mut number = || parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    let (has_no_link, link, id) = (number() == 1, number(), number());
    let rest = parts.next().unwrap_or_default();
    let (link, rest) = rest.split_at_checked(link).unwrap_or_default();
    let (id, before) = rest.split_at_checked(id).unwrap_or_default();
    Name { has_no_link, link: link.to_owned(), before: before.to_owned(), id: id.to_owned() }
}
