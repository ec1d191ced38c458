//! Reads and writes the WARC archive (WARC 1.1, ISO 28500) of a fetch: each exchange as it went over the wire, one gzip
//! member per record.

use super::http;
use super::wire::Exchange;
use crate::digest::{self, Sha256, hex};
use crate::report::{Error, shown_path};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The number of bytes of a record that are enough for the head of a response and the start of its body (256 KiB).
const MOST_START: u64 = 256 << 10;

/// An archive, open for appending.
pub(super) struct Warc {
    path: PathBuf,
    file: File,
    length: u64,
    /// The id of the current warcinfo record.
    info: String,
}

impl Warc {
    /// Opens or creates the archive, and cuts off everything after its first `length` bytes: an interrupted run wrote
    /// it without logging it.
    pub(super) fn open(path: &Path, length: u64) -> Result<Self, Error> {
        let fail = |e| Error::at(path, e);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
        file.set_len(length).map_err(fail)?;
        Ok(Warc { path: path.to_owned(), file, length, info: String::new() })
    }

    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Appends a warcinfo record; `fields` are lines `name: value`.
    pub(super) fn describe(&mut self, now: u64, fields: &[(&str, String)]) -> Result<(), Error> {
        let block: String =
            fields.iter().map(|(name, value)| format!("{name}: {}\r\n", value.replace(['\r', '\n'], " "))).collect();
        self.info = self.id(now, b"warcinfo");
        let headers = [
            ("WARC-Type", "warcinfo".to_owned()),
            ("WARC-Record-ID", self.info.clone()),
            ("WARC-Date", http::date(now)),
            ("WARC-Filename", self.name()),
            ("Content-Type", "application/warc-fields".to_owned()),
        ];
        self.append(&headers, Block::Bytes(block.as_bytes()))
    }

    /// Appends a request and its response. Returns where the response's record begins; `None` if there was no response.
    pub(super) fn record(&mut self, now: u64, url: &str, exchange: &Exchange) -> Result<Option<u64>, Error> {
        let response = self.id(now, b"response");
        let mut common = vec![("WARC-Date", http::date(now)), ("WARC-Target-URI", url.to_owned())];
        common.push(("WARC-Warcinfo-ID", self.info.clone()));
        if let Some(address) = exchange.address {
            common.push(("WARC-IP-Address", address.to_string()));
        }
        let has_response = !exchange.received.is_empty();
        let mut offset = None;
        if has_response {
            let mut headers = vec![("WARC-Type", "response".to_owned()), ("WARC-Record-ID", response.clone())];
            headers.extend_from_slice(&common);
            headers.push(("Content-Type", "application/http;msgtype=response".to_owned()));
            let at = payload_at(&exchange.received);
            let block = match &exchange.spool {
                Some((file, length)) => Block::File(file, *length),
                None => Block::Bytes(&exchange.received),
            };
            headers.push(("WARC-Payload-Digest", block.digest(at as u64).map_err(|e| self.fail(e))?));
            if let Some(fault) = &exchange.fault {
                headers.push(("WARC-Truncated", fault.truncated.to_owned()));
            }
            offset = Some(self.length);
            self.append(&headers, block)?;
        }
        if !exchange.sent.is_empty() {
            let mut headers = vec![("WARC-Type", "request".to_owned()), ("WARC-Record-ID", self.id(now, b"request"))];
            headers.extend(common);
            headers.push(("Content-Type", "application/http;msgtype=request".to_owned()));
            if has_response {
                headers.push(("WARC-Concurrent-To", response));
            }
            self.append(&headers, Block::Bytes(&exchange.sent))?;
        }
        Ok(offset)
    }

    /// Appends a metadata record about `url`.
    pub(super) fn add_metadata(&mut self, now: u64, url: &str, media_type: &str, block: &[u8]) -> Result<(), Error> {
        let headers = [
            ("WARC-Type", "metadata".to_owned()),
            ("WARC-Record-ID", self.id(now, b"metadata")),
            ("WARC-Date", http::date(now)),
            ("WARC-Target-URI", url.to_owned()),
            ("WARC-Warcinfo-ID", self.info.clone()),
            ("Content-Type", media_type.to_owned()),
        ];
        self.append(&headers, Block::Bytes(block))
    }

    /// Syncs the appended records to disk.
    pub(super) fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(|e| self.fail(e))
    }

    /// The start of the response in the record at `offset`, as received: at least its head.
    pub(super) fn start_of_response(&self, offset: u64) -> Result<Vec<u8>, Error> {
        self.block(offset, MOST_START)
    }

    /// The response in the record at `offset`, as received.
    pub(super) fn response(&self, offset: u64) -> Result<Vec<u8>, Error> {
        let mut block = self.block(offset, u64::MAX)?;
        block.truncate(block.len().saturating_sub(4));
        Ok(block)
    }

    /// The first `most` bytes of the record at `offset`, without the record's header.
    fn block(&self, offset: u64, most: u64) -> Result<Vec<u8>, Error> {
        let broken =
            || Error::Fatal(format!("{}: no record begins at byte {offset}, as the log says", shown_path(&self.path)));
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset)).map_err(|e| self.fail(e))?;
        let mut record = Vec::new();
        GzDecoder::new(BufReader::new(file)).take(most).read_to_end(&mut record).map_err(|_| broken())?;
        let head = memchr::memmem::find(&record, b"\r\n\r\n").ok_or_else(broken)?;
        Ok(record.split_off(head + 4))
    }

    pub(super) fn hash(&self) -> Result<String, Error> {
        hash_of(&self.path)
    }

    fn append(&mut self, headers: &[(&str, String)], block: Block<'_>) -> Result<(), Error> {
        let mut head = "WARC/1.1\r\n".to_owned();
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let digest = block.digest(0).map_err(|e| self.fail(e))?;
        head += &format!("WARC-Block-Digest: {digest}\r\nContent-Length: {}\r\n\r\n", block.length());
        self.length = self.write_member(&head, block).map_err(|e| self.fail(e))?;
        Ok(())
    }

    /// Writes a record at the end of the file, and returns where it ends.
    fn write_member(&self, head: &str, block: Block<'_>) -> io::Result<u64> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.length))?;
        // Images, sound and video are already compressed.
        let level = if matches!(block, Block::File(..)) { Compression::none() } else { Compression::default() };
        let mut encoder = GzEncoder::new(BufWriter::new(file), level);
        encoder.write_all(head.as_bytes())?;
        block.each(0, |bytes| encoder.write_all(bytes))?;
        encoder.write_all(b"\r\n\r\n")?;
        encoder.finish()?.flush()?;
        file.stream_position()
    }

    /// An id for the next record: a UUID (version 8), a hash of everything that makes the record unique.
    fn id(&self, now: u64, kind: &[u8]) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.path.canonicalize().unwrap_or_default().as_os_str().as_encoded_bytes());
        hasher.update(now.to_le_bytes());
        hasher.update(self.length.to_le_bytes());
        hasher.update(std::process::id().to_le_bytes());
        hasher.update(kind);
        let mut bytes = hasher.finalize();
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let hex = hex(&bytes[..16]);
        format!("<urn:uuid:{}-{}-{}-{}-{}>", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    fn fail(&self, error: io::Error) -> Error {
        Error::at(&self.path, error)
    }
}

/// Where the payload of a response begins, right after its head: tools compute the digest over it.
fn payload_at(received: &[u8]) -> usize {
    memchr::memmem::find(received, b"\r\n\r\n").map_or(received.len(), |at| at + 4)
}

/// The content of a record: in memory, or in a file with its length.
#[derive(Clone, Copy)]
enum Block<'b> {
    Bytes(&'b [u8]),
    File(&'b File, u64),
}

impl Block<'_> {
    fn length(&self) -> u64 {
        match self {
            Block::Bytes(bytes) => bytes.len() as u64,
            Block::File(_, length) => *length,
        }
    }

    /// Hands the bytes from `start` on to `take`, piece by piece.
    fn each(&self, start: u64, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        match *self {
            Block::Bytes(bytes) => take(usize::try_from(start).ok().and_then(|at| bytes.get(at..)).unwrap_or_default()),
            Block::File(mut file, length) => {
                file.seek(SeekFrom::Start(start))?;
                let mut left = file.take(length.saturating_sub(start));
                let mut piece = vec![0; 1 << 18];
                loop {
                    match left.read(&mut piece)? {
                        0 => return Ok(()),
                        n => take(&piece[..n])?,
                    }
                }
            }
        }
    }

    /// The digest of the bytes from `start` on, as WARC writes it: the algorithm, and base 32.
    fn digest(&self, start: u64) -> io::Result<String> {
        let mut hasher = Sha256::new();
        self.each(start, |bytes| {
            hasher.update(bytes);
            Ok(())
        })?;
        Ok(base_32(&hasher.finalize()))
    }
}

fn base_32(hash: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = "sha256:".to_owned();
    for group in hash.chunks(5) {
        let mut bits = [0_u8; 8];
        bits[3..3 + group.len()].copy_from_slice(group);
        let number = u64::from_be_bytes(bits);
        for digit in 0..(group.len() * 8).div_ceil(5) {
            text.push(char::from(ALPHABET[(number >> (35 - 5 * digit) & 31) as usize]));
        }
    }
    let digits = (hash.len() * 8).div_ceil(5);
    text + &"=".repeat(digits.next_multiple_of(8) - digits)
}

/// SHA-256 in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(super) fn hash_of(path: &Path) -> Result<String, Error> {
    digest::of_file(path).map(|(_, hash)| hex(&hash)).map_err(|e| Error::at(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_padded_base_32() {
        // Computed by `printf '' | openssl dgst -sha256 -binary | base32`.
        assert_eq!(
            Block::Bytes(b"").digest(0).unwrap(),
            "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ===="
        );
    }

    #[test]
    fn recorded_exchanges_are_found_again_and_a_torn_tail_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let mut warc = Warc::open(&path, 0).unwrap();
        warc.describe(0, &[("software", "x".to_owned())]).unwrap();
        let exchange = Exchange {
            sent: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            received: b"HTTP/1.1 200 OK\r\n\r\nbody".to_vec(),
            ..Exchange::default()
        };
        let offset = warc.record(0, "https://a.example/", &exchange).unwrap().unwrap();
        let length = warc.length();
        assert_eq!(warc.response(offset).unwrap(), exchange.received);
        warc.record(0, "https://a.example/2", &exchange).unwrap();
        assert!(warc.response(offset + 1).is_err());
        let again = Warc::open(&path, length).unwrap();
        assert_eq!(
            (std::fs::metadata(&path).unwrap().len(), again.response(offset).unwrap()),
            (length, exchange.received)
        );
    }
}
