//! Makes pseudonyms with a secret key. Whoever has the key can make them again; datasets with the same key can be joined,
//! others cannot.

use crate::digest::{HmacKey, hex};
use crate::report::{Error, shown_path};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The fewest bytes of a key.
const SHORTEST: usize = 16;
/// The most bytes of the file that are read.
const LONGEST: u64 = 4096;

/// The prefix of pseudonyms.
const PERSON: &str = "person-";
/// The number of hexadecimal digits after the prefix.
const DIGITS: usize = 16;

/// The permission bits for anybody but the owner of a file.
const OTHERS: u32 = 0o077;

pub(crate) struct Key(HmacKey);

impl Key {
    /// Reads the key in `file`, without white space at its end. It must not be in `dataset`, which will be shared.
    ///
    /// # Errors
    /// If it cannot be read, is shorter than 16 bytes, can be read by others, or is in the dataset.
    pub(crate) fn read(file: &Path, dataset: Option<&Path>) -> Result<Self, Error> {
        let name = shown_path(file);
        let refused = |what: &str| Error::Fatal(format!("--pseudonyms {name}: {what}"));
        let mut opened = File::open(file).map_err(|e| Error::io(name.as_str(), e))?;
        let about = opened.metadata().map_err(|e| Error::io(name.as_str(), e))?;
        if about.is_file() && about.mode() & OTHERS != 0 {
            return Err(refused("others may read the key: chmod 600"));
        }
        let inside = dataset.and_then(|dataset| dataset.canonicalize().ok());
        if inside.is_some_and(|dataset| file.canonicalize().is_ok_and(|file| file.starts_with(dataset))) {
            return Err(refused("the key is in the dataset that it protects"));
        }
        let mut bytes = Vec::new();
        opened.by_ref().take(LONGEST).read_to_end(&mut bytes).map_err(|e| Error::io(name.as_str(), e))?;
        let secret = bytes.trim_ascii_end();
        if secret.len() < SHORTEST {
            let what = "the key has less than 16 bytes: openssl rand -hex 32 >FILE makes one";
            return Err(refused(what));
        }
        Ok(Key(HmacKey::new(secret)))
    }

    /// The pseudonym for these parts: 64 bits of their HMAC.
    pub(super) fn pseudonym(&self, parts: &[&str]) -> String {
        format!("{PERSON}{}", hex(&self.0.sign(parts)[..DIGITS / 2]))
    }
}

/// Whether a text is a pseudonym, made with any key.
pub(super) fn is_pseudonym(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix(PERSON).is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(is_digit))
}

/// The first pseudonym in a text.
pub(super) fn pseudonym_in(text: &str) -> Option<&str> {
    let mut places = text.match_indices(PERSON);
    places.find_map(|(at, _)| text.get(at..at + PERSON.len() + DIGITS).filter(|part| is_pseudonym(part)))
}
