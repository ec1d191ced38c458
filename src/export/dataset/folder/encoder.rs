//! Compresses the bytes of a file on their way to the disk. The folder decides when to write them.

use flate2::write::GzEncoder;
use std::io::{self, Write};

/// How the files of a dataset are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip: `.gz` is appended to each name.
    Gzip,
    /// Zstandard: `.zst` is appended.
    Zstd,
}

impl Compression {
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Compression::Gzip => "gz",
            Compression::Zstd => "zst",
        }
    }
}

/// The bytes of a file, compressed or not, that are not on the disk yet.
pub(super) enum Encoder {
    Plain(Vec<u8>),
    Gzip(GzEncoder<Vec<u8>>),
    Zstd(zstd::Encoder<'static, Vec<u8>>),
}

impl Encoder {
    pub(super) fn new(compression: Option<Compression>) -> io::Result<Self> {
        Ok(match compression {
            None => Encoder::Plain(Vec::new()),
            Some(Compression::Gzip) => Encoder::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::default())),
            Some(Compression::Zstd) => {
                let mut encoder = zstd::Encoder::new(Vec::new(), 0)?;
                // gzip and the zstd program do so, too. Without a checksum, a flipped bit goes unnoticed and changes records.
                encoder.include_checksum(true)?;
                Encoder::Zstd(encoder)
            }
        })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Plain(waiting) => {
                waiting.extend_from_slice(bytes);
                Ok(())
            }
            Encoder::Gzip(encoder) => encoder.write_all(bytes),
            Encoder::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    /// The encoder's output that is not on the disk yet.
    pub(super) fn waiting(&mut self) -> &mut Vec<u8> {
        match self {
            Encoder::Plain(waiting) => waiting,
            Encoder::Gzip(encoder) => encoder.get_mut(),
            Encoder::Zstd(encoder) => encoder.get_mut(),
        }
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self {
            Encoder::Plain(_) => Ok(()),
            Encoder::Gzip(encoder) => encoder.try_finish(),
            Encoder::Zstd(encoder) => encoder.do_finish(),
        }
    }

    /// Whether the file is not compressed and no bytes are waiting: further bytes may then bypass the encoder.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self, Encoder::Plain(waiting) if waiting.is_empty())
    }
}
