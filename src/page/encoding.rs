//! Converts a page to UTF-8 piece by piece, from the encoding given by its byte order mark, the server's charset, or the declared one.
//! Valid UTF-8 stays where it was read to. From the first invalid sequence on, bytes are decoded like any other encoding: whoever converts
//! them to text detects it and calls [`Utf8Pieces::repair`], to avoid checking bytes twice. [`super::prescan`] finds the declared
//! charset.

use super::prescan::declared;
use super::{PAGE_LIMIT, REST};
use crate::ndjson::{ALIGNMENT, start_of_reads};
use encoding_rs::{Decoder, Encoding, UTF_8};
use std::io::{self, Read};

/// How far from the start a declaration is searched for. The standard leaves this to the reader, and asks authors to use the first 1024
/// bytes; mirrors put comments before those.
const PRESCAN: usize = 4096;

/// Bytes that grow piece by piece, in memory that is not cleared before it is reused. They begin at an address suited to reading files
/// ([`start_of_reads`]): with whole pages, wp-translations takes a quarter less CPU.
#[derive(Default)]
pub(crate) struct Bytes {
    memory: Vec<u8>,
    start: usize,
    length: usize,
}

impl Bytes {
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    /// Room for at least `size` bytes, with any content, after the last one; [`Bytes::grow`] adds them.
    fn room(&mut self, size: usize) -> &mut [u8] {
        if self.memory.len() < self.start + self.length + size {
            self.memory.resize(self.length + size + ALIGNMENT, 0);
            let start = start_of_reads(&self.memory);
            self.memory.copy_within(self.start..self.start + self.length, start);
            self.start = start;
        }
        let end = self.start + self.length;
        &mut self.memory[end..end + size]
    }

    fn grow(&mut self, by: usize) {
        self.length += by;
    }

    /// Removes the first bytes: a byte order mark.
    fn cut(&mut self, first: usize) {
        self.memory.copy_within(self.start + first..self.start + self.length, self.start);
        self.length -= first;
    }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.length]
    }
}

/// A page's bytes as UTF-8.
pub(crate) struct Utf8Pieces<R> {
    source: R,
    raw: Bytes,
    state: State,
    /// The encoding that a server has named.
    sent: Option<&'static Encoding>,
    /// The encoding that server or page names although the page is UTF-8.
    misstated: Option<&'static str>,
    /// The page is read as UTF-8, and has bytes that are not.
    is_broken: bool,
}

enum State {
    Start,
    /// The first bytes have been read, but not decoded yet. `is_all`: whether they are the whole page.
    First {
        is_all: bool,
    },
    Utf8,
    Other(Box<Decoder>),
    Ended,
}

impl<R: Read> Utf8Pieces<R> {
    pub(crate) fn new(source: R) -> Self {
        Utf8Pieces { source, raw: Bytes::default(), state: State::Start, sent: None, misstated: None, is_broken: false }
    }

    /// Sets the encoding that a server has named; it takes precedence over the page's own declaration.
    pub(crate) fn send_as(&mut self, charset: &str) {
        self.sent = Encoding::for_label(charset.as_bytes());
    }

    /// Puts the first `size` bytes, at least those in which the encoding can be declared, into `out` as they are: the next call of
    /// [`Utf8Pieces::read_into`] with the same `out` decodes them. Does nothing if called later.
    pub(crate) fn read_first(&mut self, out: &mut Bytes, size: usize) -> io::Result<()> {
        if matches!(self.state, State::Start) {
            out.clear();
            self.state = State::First { is_all: read_piece(&mut self.source, out, size.max(PRESCAN))? };
        }
        Ok(())
    }

    /// Appends up to about `size` more bytes to `out`; returns false if these are the last. They are UTF-8, or the page's own bytes, which
    /// [`Utf8Pieces::repair`] converts to UTF-8.
    pub(crate) fn read_into(&mut self, out: &mut Bytes, size: usize) -> io::Result<bool> {
        self.read_first(out, size)?;
        let is_all = match &mut self.state {
            State::Start | State::Ended => true,
            State::First { is_all } => {
                let is_all = *is_all;
                self.decide(out, is_all)?
            }
            State::Utf8 => read_piece(&mut self.source, out, size)?,
            State::Other(decoder) => {
                self.raw.clear();
                let is_all = read_piece(&mut self.source, &mut self.raw, size)?;
                decode(decoder, &self.raw, out, is_all);
                is_all
            }
        };
        if is_all {
            self.state = State::Ended;
        }
        Ok(!is_all)
    }

    /// The encoding that server or page names although the page is UTF-8; known once the first bytes are decoded.
    pub(crate) fn misstated(&self) -> Option<&'static str> {
        self.misstated
    }

    /// Whether a page read as UTF-8 contained bytes that are not.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Decides on the encoding by the first bytes and decodes them; returns whether they are the whole page. If an encoding other than
    /// UTF-8 is named, all bytes are checked: valid UTF-8 beyond ASCII is UTF-8, because mirrors convert pages but keep their `meta`.
    fn decide(&mut self, first: &mut Bytes, is_all: bool) -> io::Result<bool> {
        let (encoding, mark) = match Encoding::for_bom(first) {
            Some((encoding, length)) => (encoding, length),
            None => {
                let declared = || declared(&first[..first.len().min(PRESCAN)]);
                (self.sent.or_else(declared).unwrap_or(UTF_8), 0)
            }
        };
        if encoding == UTF_8 {
            first.cut(mark);
            self.state = State::Utf8;
            return Ok(is_all);
        }
        let mut is_all = is_all;
        if mark == 0 && encoding.is_ascii_compatible() {
            while !is_all && first.len() < PAGE_LIMIT {
                is_all = read_piece(&mut self.source, first, (PAGE_LIMIT - first.len()).min(REST))?;
            }
            if is_beyond_ascii(first, is_all) {
                self.misstated = Some(encoding.name());
                self.state = State::Utf8;
                return Ok(is_all);
            }
        }
        self.decode_from(encoding, first, mark, 0, is_all);
        Ok(is_all)
    }

    /// Converts `out`, which has an invalid sequence, to UTF-8; all later bytes are decoded, too.
    pub(crate) fn repair(&mut self, out: &mut Bytes) {
        if let Err(error) = simdutf8::compat::from_utf8(out) {
            self.is_broken = true;
            let (broken, is_all) = (error.valid_up_to(), matches!(self.state, State::Ended));
            self.decode_from(UTF_8, out, broken, broken, is_all);
            if is_all {
                self.state = State::Ended;
            }
        }
    }

    /// Decodes the bytes from `from` on, to be placed at `to`, and all later bytes.
    fn decode_from(&mut self, encoding: &'static Encoding, out: &mut Bytes, from: usize, to: usize, is_all: bool) {
        let raw = out[from..].to_vec();
        out.length = to;
        let mut decoder = Box::new(encoding.new_decoder_without_bom_handling());
        decode(&mut decoder, &raw, out, is_all);
        self.state = State::Other(decoder);
    }
}

/// Appends `size` bytes to `out`, fewer at the end; returns whether these are the last. Interrupted reads are retried. (`Read::read_to_end`
/// would not clear the memory either, but asks for 8 KiB first.)
fn read_piece(source: &mut impl Read, out: &mut Bytes, size: usize) -> io::Result<bool> {
    let mut left = size;
    while left > 0 {
        match source.read(out.room(left)) {
            Ok(0) => return Ok(true),
            Ok(read) => {
                out.grow(read);
                left -= read;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// Whether bytes are UTF-8 and not only ASCII. Unless `are_all`, a character may be cut at their end.
fn is_beyond_ascii(bytes: &[u8], are_all: bool) -> bool {
    let is_cut = |error: simdutf8::compat::Utf8Error| !are_all && error.error_len().is_none();
    let is_utf8 = || simdutf8::compat::from_utf8(bytes).map_or_else(is_cut, |_| true);
    !bytes.is_ascii() && is_utf8()
}

fn decode(decoder: &mut Decoder, raw: &[u8], out: &mut Bytes, last: bool) {
    let room = decoder.max_utf8_buffer_length(raw.len()).unwrap_or(raw.len().saturating_mul(4));
    let (_, _, written, _) = decoder.decode_to_utf8(raw, out.room(room), last);
    out.grow(written);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that returns one byte at a time: decisions must not depend on how the bytes arrive.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let take = self.0.len().min(out.len()).min(1);
            out[..take].copy_from_slice(&self.0[..take]);
            self.0 = &self.0[take..];
            Ok(take)
        }
    }

    fn utf8(bytes: &[u8]) -> Vec<u8> {
        let read_all = |source: &mut dyn Read, repair_each: usize| {
            let mut out = Bytes::default();
            out.room(9).fill(b'x');
            let mut pieces = Utf8Pieces::new(source);
            let mut read = 0;
            loop {
                let more = pieces.read_into(&mut out, 64).unwrap();
                read += 1;
                // at any time, and more than once
                if !more || read % repair_each == 0 {
                    pieces.repair(&mut out);
                }
                if !more {
                    return out.to_vec();
                }
            }
        };
        let whole = read_all(&mut &bytes[..], 1);
        for repair_each in [1, 2, 3, usize::MAX] {
            assert_eq!(whole, read_all(&mut &bytes[..], repair_each));
            assert_eq!(whole, read_all(&mut Trickle(bytes), repair_each));
        }
        assert!(std::str::from_utf8(&whole).is_ok());
        whole
    }

    #[test]
    fn declared_charsets_and_byte_order_marks_are_decoded() {
        let cyrillic = b"<meta http-equiv=Content-Type content=\"text/html; charset=windows-1251\"><b>\xcf\xf0\xe8</b>";
        assert!(String::from_utf8(utf8(cyrillic)).unwrap().ends_with("<b>При</b>"));
        assert_eq!(
            utf8(b"<META CHARSET = 'iso-8859-1' /><p>caf\xe9 \x80"),
            "<META CHARSET = 'iso-8859-1' /><p>café €".as_bytes()
        );
        assert_eq!(utf8("\u{feff}<p>é".as_bytes()), "<p>é".as_bytes());
        let utf_16: Vec<u8> = "\u{feff}<p>é€😀".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(utf8(&utf_16), "<p>é€😀".as_bytes());
        assert_eq!(utf8(&utf_16[..2]), b"");
    }

    #[test]
    fn what_is_utf_8_is_nothing_else_whatever_it_declares() {
        for charset in ["gb2312", "iso-8859-1", "euc-jp", "windows-1251", "big5"] {
            let page = format!("<meta charset={charset}><p>é 日本 При{}", "x".repeat(9000));
            assert_eq!(utf8(page.as_bytes()), page.as_bytes(), "{charset}");
            // as late as possible, and cut
            let late = format!("<meta charset={charset}><p>{}é", "x".repeat(9000));
            assert_eq!(utf8(late.as_bytes()), late.as_bytes(), "{charset}");
        }
        // one invalid byte, wherever it is: then the declared encoding counts
        let latin = [b"<meta charset=iso-8859-1><p>\xc3\xa9".as_slice(), &b"x".repeat(9000), b"\xe9"].concat();
        assert_eq!(utf8(&latin), ["<meta charset=iso-8859-1><p>Ã©", &"x".repeat(9000), "é"].concat().as_bytes());
        assert!(
            !is_beyond_ascii(b"plain", false)
                && is_beyond_ascii(b"caf\xc3", false)
                && !is_beyond_ascii(b"caf\xc3", true)
        );
    }

    #[test]
    fn utf_8_stays_as_it_is_and_what_is_none_is_replaced() {
        for text in
            ["", "<meta charset=utf-8><p>é€😀", "<meta charset=utf-16><p>x", "<meta name=x content=1><meta charset>"]
        {
            assert_eq!(utf8(text.as_bytes()), text.as_bytes());
        }
        let long = "é€😀x".repeat(600);
        assert_eq!(utf8(long.as_bytes()), long.as_bytes());
        for bytes in [
            &b"<p>\xff\xfe broken \0 \xc3"[..],
            b"\xef\xbb",
            b"<meta charset=no-such-thing><p>\xe9",
            &[long.as_bytes(), b"\xe2\x82<p>", long.as_bytes(), b"\xf0\x9f\x98"].concat(),
        ] {
            assert_eq!(utf8(bytes), String::from_utf8_lossy(bytes).as_bytes());
        }
    }
}
