//! Parses an HTTP response as it was transmitted: its head, and its body without transfer and content encoding.

use super::header::Headers;
use brotli_decompressor::Decompressor;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use memchr::memchr;
use std::borrow::Cow;
use std::io::Read;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResponseHead {
    /// The status of the response, such as 200.
    pub(crate) status: u16,
    pub(crate) headers: Headers,
}

/// Who encoded a body, which decides how strictly it is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoded {
    /// A server encoded it: the head is right about the encoding.
    Received,
    /// An archive stored it, and may have decoded the body but kept the head (Common Crawl, HTTrack): a body that
    /// cannot be decoded is taken as it is.
    Archived,
}

impl ResponseHead {
    /// Parses the head of a response, and returns it with the offset of the body; `None` if there is no head.
    pub(crate) fn read(received: &[u8]) -> Option<(Self, usize)> {
        let mut at = 0;
        loop {
            let (headers, length) = Headers::read(received.get(at..)?)?;
            let status: u16 = headers.first.strip_prefix("HTTP/")?.split(' ').nth(1)?.parse().ok()?;
            at += length;
            // 103 Early Hints and the like come before the response itself.
            if status >= 200 {
                return Some((ResponseHead { status, headers }, at));
            }
        }
    }

    /// The media type in lower case, without its parameters.
    pub(crate) fn media_type(&self) -> Option<String> {
        Some(media_type_of(self.headers.get("content-type")?))
    }

    /// The body without its encodings.
    ///
    /// # Errors
    /// If its compression is broken or its encoding unknown, or if it has more than `most` bytes.
    pub(crate) fn decode<'b>(&self, body: &'b [u8], kind: Encoded, most: usize) -> Result<Cow<'b, [u8]>, String> {
        let mut body = Cow::Borrowed(body);
        let is_chunked =
            self.headers.all("transfer-encoding").any(|value| value.to_ascii_lowercase().contains("chunked"));
        if is_chunked && (kind == Encoded::Received || has_chunk(&body)) {
            body = without_chunks(&body).into();
        }
        let encodings: Vec<_> = self.headers.all("content-encoding").flat_map(|value| value.split(',')).collect();
        for encoding in encodings.iter().rev().map(|encoding| encoding.trim().to_ascii_lowercase()) {
            if body.is_empty() || kind == Encoded::Archived && is_text(&body) {
                break;
            }
            match decoded(&body, &encoding, most) {
                Ok(Some(whole)) => body = whole.into(),
                Ok(None) => {}
                // The archive truncated it: the decoded part is as useful as any truncated page.
                Err(Fault::Broken(part, _)) if kind == Encoded::Archived && !part.is_empty() => body = part.into(),
                Err(Fault::Broken(_, what) | Fault::Refused(what)) => return Err(what),
            }
        }
        Ok(body)
    }
}

/// The media type in a Content-Type, in lower case.
pub(super) fn media_type_of(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Why a body cannot be decoded.
enum Fault {
    /// It does not match its encoding: the part that was decoded, and the error.
    Broken(Vec<u8>, String),
    /// It is too long, or its encoding is not supported.
    Refused(String),
}

/// The decoded body; `None` if the encoding changes nothing.
fn decoded(body: &[u8], encoding: &str, most: usize) -> Result<Option<Vec<u8>>, Fault> {
    let decoded = match encoding {
        "" | "identity" | "none" | "utf-8" => return Ok(None),
        "gzip" | "x-gzip" => decompress(MultiGzDecoder::new(body), most),
        "deflate" if body[0] & 0x0f == 8 => decompress(ZlibDecoder::new(body), most),
        "deflate" => decompress(DeflateDecoder::new(body), most),
        "br" => decompress(Decompressor::new(body, 4096), most),
        "zstd" => match zstd::Decoder::new(body) {
            Ok(decoder) => decompress(decoder, most),
            Err(e) => Err(Fault::Broken(Vec::new(), format!("broken compression: {e}"))),
        },
        other => Err(Fault::Refused(format!("an encoding that is not known: {other}"))),
    };
    decoded.map(Some)
}

/// Decompresses a body that is a gzip file, such as a compressed sitemap, and returns any other unchanged.
///
/// # Errors
/// If it is broken, or has more than `most` bytes.
#[cfg(feature = "fetch")]
pub(crate) fn gunzip(body: Vec<u8>, most: usize) -> Result<Vec<u8>, String> {
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Ok(body);
    }
    decompress(MultiGzDecoder::new(body.as_slice()), most)
        .map_err(|(Fault::Broken(_, what) | Fault::Refused(what))| what)
}

fn decompress(reader: impl Read, most: usize) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    let end = reader.take(most as u64 + 1).read_to_end(&mut body);
    if body.len() > most {
        return Err(Fault::Refused(format!("more than {} MiB when decompressed", most >> 20)));
    }
    match end {
        Ok(_) => Ok(body),
        Err(e) => Err(Fault::Broken(body, format!("broken compression: {e}"))),
    }
}

/// Whether a body begins with text, which no compressed one does: it has no control characters.
fn is_text(body: &[u8]) -> bool {
    body[..body.len().min(64)].iter().all(|&b| b >= b' ' || b.is_ascii_whitespace())
}

/// Whether the bytes begin with the length of a chunk.
fn has_chunk(bytes: &[u8]) -> bool {
    let line = &bytes[..memchr(b'\n', &bytes[..bytes.len().min(256)]).unwrap_or(0)];
    chunk_length(line).is_some()
}

fn chunk_length(line: &[u8]) -> Option<usize> {
    let length = line.split(|&b| b == b';').next()?.trim_ascii();
    usize::from_str_radix(std::str::from_utf8(length).ok()?, 16).ok()
}

/// The body without the lengths of its chunks; a truncated body ends where the data end.
fn without_chunks(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(bytes.len());
    while let Some(end) = memchr(b'\n', bytes) {
        let Some(length) = chunk_length(&bytes[..end]) else { break };
        bytes = &bytes[end + 1..];
        body.extend_from_slice(&bytes[..length.min(bytes.len())]);
        if length == 0 || length >= bytes.len() {
            break;
        }
        bytes = bytes[length..].strip_prefix(b"\r\n").unwrap_or(&bytes[length..]);
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const MOST: usize = 1 << 20;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        gzip.finish().unwrap()
    }

    fn body(head: &str, body: &[u8], kind: Encoded) -> Result<Vec<u8>, String> {
        let (head, _) = ResponseHead::read(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").as_bytes()).unwrap();
        head.decode(body, kind, MOST).map(Cow::into_owned)
    }

    #[test]
    fn chunks_and_compression_are_undone() {
        let gzip = gzip(b"hello");
        let (first, rest) = gzip.split_at(4);
        let mut raw = b"4\r\n".to_vec();
        raw.extend_from_slice(first);
        raw.extend_from_slice(format!("\r\n{:x};a=b\r\n", rest.len()).as_bytes());
        raw.extend_from_slice(rest);
        raw.extend_from_slice(b"\r\n0\r\n\r\n");
        let head = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked";
        for kind in [Encoded::Received, Encoded::Archived] {
            assert_eq!(body(head, &raw, kind).unwrap(), b"hello");
            for cut in 0..raw.len() {
                let _ = body(head, &raw[..cut], kind);
            }
        }
        // `printf hello | brotli -c | xxd -i`, and zstd
        let brotli = b"\x0f\x02\x80hello\x03";
        assert_eq!(body("content-encoding: br", brotli, Encoded::Archived).unwrap(), b"hello");
        let zstd = zstd::encode_all(&b"hello"[..], 1).unwrap();
        assert_eq!(body("content-encoding: zstd", &zstd, Encoded::Archived).unwrap(), b"hello");
    }

    #[test]
    fn a_body_that_an_archive_has_decoded_is_taken_as_it_is() {
        for head in
            ["Content-Encoding: gzip", "content-encoding: br", "content-encoding: zstd", "content-encoding: deflate"]
        {
            let head = format!("{head}\r\nTransfer-Encoding: chunked");
            assert_eq!(
                body(&head, b"<!doctype html><p>x", Encoded::Archived).unwrap(),
                b"<!doctype html><p>x",
                "{head}"
            );
        }
        assert!(body("Content-Encoding: gzip", b"<p>", Encoded::Received).is_err());
        assert!(body("Content-Encoding: own", b"\x01", Encoded::Archived).is_err());
        let cut = gzip((0..3000).map(|n| format!("hello {n} ")).collect::<String>().as_bytes());
        assert!(
            body("Content-Encoding: gzip", &cut[..cut.len() / 2], Encoded::Archived)
                .unwrap()
                .starts_with(b"hello 0 hello 1 ")
        );
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = gzip(&vec![b' '; MOST + 1]);
        for kind in [Encoded::Received, Encoded::Archived] {
            assert_eq!(body("Content-Encoding: gzip", &bomb, kind).unwrap_err(), "more than 1 MiB when decompressed");
        }
    }

    #[test]
    fn early_hints_come_before_the_response() {
        let (head, at) =
            ResponseHead::read(b"HTTP/1.1 103 Early\r\nLink: <x>\r\n\r\nHTTP/1.1 200\r\nA: b\r\n\r\nbody").unwrap();
        assert_eq!((head.status, head.headers.get("a"), at), (200, Some("b"), 55));
        assert_eq!(ResponseHead::read(b"GET / HTTP/1.1\r\n\r\n"), None);
    }
}
