//! Computes hashes: SHA-256, for manifests and archives, with the `ring` crate, whose assembler takes a third of the time of `sha2` on CPUs
//! without SHA instructions; and a short one of names in sites.

use ring::digest::{Context, SHA256, digest};
use ring::hmac;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// A hash of a name that is unique in its site, such as that of a translation group.
pub(crate) fn group_hash(site: &str, group: &str) -> u128 {
    xxh3_128(group.as_bytes()) ^ xxh3_128(site.as_bytes()).rotate_left(1)
}

#[derive(Clone)]
pub(crate) struct Sha256(Context);

impl Sha256 {
    pub(crate) fn new() -> Self {
        Sha256(Context::new(&SHA256))
    }

    /// The hash of these bytes alone.
    pub(crate) fn digest(bytes: &[u8]) -> [u8; 32] {
        whole(digest(&SHA256, bytes).as_ref())
    }

    pub(crate) fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes.as_ref());
    }

    pub(crate) fn finalize(self) -> [u8; 32] {
        whole(self.0.finish().as_ref())
    }
}

impl Write for Sha256 {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The length and SHA-256 of a file.
pub(crate) fn of_file(path: &Path) -> io::Result<(u64, [u8; 32])> {
    let mut sha256 = Sha256::new();
    let length = io::copy(&mut File::open(path)?, &mut sha256)?;
    Ok((length, sha256.finalize()))
}

fn whole(digest: &[u8]) -> [u8; 32] {
    digest.try_into().expect("SHA-256 has 256 bits")
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let digit = |n: u8| char::from(b"0123456789abcdef"[usize::from(n)]);
        text.extend([digit(byte >> 4), digit(byte & 15)]);
    }
    text
}

/// A key for HMAC-SHA-256.
pub(crate) struct HmacKey(hmac::Key);

impl HmacKey {
    pub(crate) fn new(secret: &[u8]) -> Self {
        HmacKey(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// The HMAC of these parts, each preceded by its length.
    pub(crate) fn sign(&self, parts: &[&str]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.0);
        for part in parts {
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part.as_bytes());
        }
        whole(context.sign().as_ref())
    }
}
