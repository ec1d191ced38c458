//! Reads the bytes of a WARC file from any offset, whether it is a file of its own or part of a WACZ, and decompresses them
//! member by member.

use super::address::is_warc;
use super::header::START;
use super::scratch::{Piece, Scratch};
use crate::spill;
use flate2::bufread::GzDecoder;
use memchr::memmem;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;
use zip::{CompressionMethod, ZipArchive};
use zstd::dict::DecoderDictionary;
use zstd::stream::read::Decoder as ZstdDecoder;

/// The number of bytes of a volume that are read at a time.
const PIECE: usize = 32 * 1024;

/// The longest dictionary of a `.warc.zst` that is accepted, in bytes.
const MOST_DICTIONARY: usize = 16 << 20;

/// The most bytes of the start of a member that are searched for its header.
const MOST_START: usize = 1024;

#[cfg(test)]
thread_local! {
    /// Counts the bytes that have been read.
    pub(super) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// One WARC file.
pub(crate) struct Volume {
    /// Its path, and its path inside the WACZ if it is in one.
    pub(crate) name: String,
    /// Whether it had to be unpacked into `TMPDIR`.
    pub(crate) is_unpacked: bool,
    bytes: Window,
    form: Form,
    /// Distinguishes its members from those of other volumes.
    identity: [u64; 4],
    /// The unpacked members that contain several records.
    scratch: Arc<Scratch>,
}

/// How the records of a volume are compressed.
enum Form {
    Plain,
    /// Usually one gzip member per record.
    Gzip,
    /// Usually one zstd frame per record, perhaps with a dictionary for all of them.
    Zstd(Option<DecoderDictionary<'static>>),
    /// A part of a WACZ that cannot be read, and why.
    Broken(String),
}

/// A part of a file.
#[derive(Clone)]
struct Window {
    file: Arc<File>,
    start: u64,
    length: u64,
}

impl Window {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(at)).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let read = self.file.read_at(&mut buffer[..most], self.start.saturating_add(at));
        #[cfg(test)]
        READ.set(READ.get() + *read.as_ref().unwrap_or(&0));
        read
    }

    /// The bytes from `at` on, at most `most` of them.
    fn start(&self, at: u64, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; most];
        let length = self.fill(&mut bytes, at)?;
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Fills the buffer with the bytes from `at` on; returns how many there were.
    fn fill(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let mut length = 0;
        while let read @ 1.. = self.read_at(&mut buffer[length..], at + length as u64)? {
            length += read;
        }
        Ok(length)
    }
}

impl Volume {
    /// The WARC file `name`, or the WARC files in it if it is a WACZ.
    ///
    /// # Errors
    /// If it cannot be read, or is a ZIP file without WARC files. A WARC file that cannot be unpacked is a volume with a fault
    /// and without records.
    pub(crate) fn open(name: &str, file: File) -> io::Result<Vec<Volume>> {
        let length = file.metadata()?.len();
        let bytes = Window { file: Arc::new(file), start: 0, length };
        if !bytes.start(0, 4)?.starts_with(b"PK") {
            return Ok(vec![Volume::new(name.to_owned(), bytes, false)?]);
        }
        let broken = |e| io::Error::other(format!("a ZIP archive that is cut off or damaged ({e})"));
        let mut zip = ZipArchive::new(bytes.file.try_clone()?).map_err(|e| broken(io::Error::from(e)))?;
        let mut volumes = Vec::new();
        for index in 0..zip.len() {
            let Some(Ok(inside)) = zip.name_for_index(index) else { continue };
            if !is_warc(&inside) {
                continue;
            }
            // A name must not seem to lead out of the archive.
            let inside = inside.split('/').map(|part| if part == ".." { "%2E%2E" } else { part });
            let inside = format!("{name}/{}", inside.collect::<Vec<_>>().join("/"));
            let part = zip.by_index(index).map_err(io::Error::from).and_then(|entry| match entry.data_start() {
                Some(start) if entry.compression() == CompressionMethod::Stored => {
                    Ok((Window { start, length: entry.compressed_size(), ..bytes.clone() }, false))
                }
                _ => Ok((unpacked(entry)?, true)),
            });
            volumes.push(match part {
                Ok((part, is_unpacked)) => Volume::new(inside, part, is_unpacked)?,
                Err(e) => {
                    let form = Form::Broken(format!("cannot be unpacked ({e})"));
                    Volume { form, ..Volume::new(inside, Window { length: 0, ..bytes.clone() }, false)? }
                }
            });
        }
        if volumes.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a ZIP file without WARC files"));
        }
        volumes.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(volumes)
    }

    fn new(name: String, bytes: Window, is_unpacked: bool) -> io::Result<Self> {
        let magic = bytes.start(0, 8)?;
        let form = match magic[..] {
            [0x1f, 0x8b, ..] => Form::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Form::Zstd(None),
            [0x5d, 0x2a, 0x4d, 0x18, a, b, c, d] => {
                Form::Zstd(Some(dictionary(&bytes, u32::from_le_bytes([a, b, c, d]) as usize)?))
            }
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Form::Zstd(None),
            _ => Form::Plain,
        };
        let file = bytes.file.metadata()?;
        let identity = [file.dev(), file.ino(), bytes.start, bytes.length];
        Ok(Volume { name, is_unpacked, bytes, form, identity, scratch: Arc::default() })
    }

    /// Whether its bytes are not compressed, so that any offset can be read again.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.form, Form::Plain)
    }

    /// Whether a record may end at `at`: the next one begins there, after empty lines, or nothing follows. Without this check,
    /// a file of many records that each claim the rest of the file would be read as many times.
    pub(super) fn is_end_of_record(&self, at: u64) -> bool {
        if at > self.bytes.length {
            return false;
        }
        let next = self.bytes.start(at, 64).unwrap_or_default();
        let blank = next.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let next = &next[blank..];
        next.starts_with(START) || START.starts_with(next)
    }

    pub(super) fn length(&self) -> u64 {
        self.bytes.length
    }

    /// The bytes from `at` on.
    pub(super) fn raw(&self, at: u64) -> Raw {
        Raw::new(self.bytes.clone(), at)
    }

    /// The member that begins at `raw`; `None` at the end.
    pub(super) fn member(&self, mut raw: Raw) -> io::Result<Option<Member<'_>>> {
        let is_at_end = raw.fill_buf()?.is_empty();
        Ok(Some(match &self.form {
            Form::Broken(what) => return Err(io::Error::other(what.clone())),
            _ if is_at_end => return Ok(None),
            Form::Plain => Member::Plain(raw),
            Form::Gzip => Member::Gzip(Box::new(GzDecoder::new(raw))),
            Form::Zstd(None) => Member::Zstd(ZstdDecoder::with_buffer(raw)?.single_frame()),
            Form::Zstd(Some(dictionary)) => {
                Member::Zstd(ZstdDecoder::with_prepared_dictionary(raw, dictionary)?.single_frame())
            }
        }))
    }

    /// The offset, from `at` on, at which the next member seems to begin.
    pub(super) fn find_member(&self, mut at: u64) -> io::Result<Option<u64>> {
        let magic: &[u8] = if matches!(self.form, Form::Gzip) { b"\x1f\x8b\x08" } else { b"\x28\xb5\x2f\xfd" };
        let mut piece = vec![0; PIECE + MOST_START];
        loop {
            let length = self.bytes.fill(&mut piece, at)?;
            let start = |found: usize| &piece[found..length.min(found + MOST_START)];
            let mut places = memmem::find_iter(&piece[..length], magic).take_while(|&found| found < PIECE);
            if let Some(found) = places.find(|&found| self.begins_with_record(at + found as u64, start(found))) {
                return Ok(Some(at + found as u64));
            }
            if length < piece.len() {
                return Ok(None);
            }
            at += PIECE as u64;
        }
    }

    /// Whether the member at `place`, which begins with `start`, begins with a record.
    fn begins_with_record(&self, place: u64, start: &[u8]) -> bool {
        let mut first = [0; START.len()];
        let read = match &self.form {
            Form::Gzip => GzDecoder::new(start).read_exact(&mut first),
            // A bit of the header that must not be set; blocks are decoded as a whole, so that the start of the member is not
            // enough.
            _ if start.get(4).is_none_or(|flags| flags & 0x08 != 0) => return false,
            _ => match self.member(self.raw(place)) {
                Ok(Some(mut member)) => member.read_exact(&mut first),
                _ => return false,
            },
        };
        read.is_ok() && first == START
    }

    /// The bytes of the member at `at` from `skip` on. The member is unpacked into a file, so that records before the one that
    /// is wanted are not decompressed each time.
    pub(super) fn within(&self, at: u64, skip: u64) -> io::Result<Piece> {
        let member = || self.member(self.raw(at))?.ok_or(io::ErrorKind::UnexpectedEof.into());
        self.scratch.from((self.identity, at), skip, member)
    }

    /// Sets the file to unpack members into; it outlives the volume, which may be opened many times.
    pub(super) fn share(&mut self, scratch: &Arc<Scratch>) {
        // Not for unpacked volumes: the system may give the number of a file without a name to another file.
        if !self.is_unpacked {
            self.scratch = scratch.clone();
        }
    }
}

/// A compressed entry of a ZIP file, decompressed into `TMPDIR`.
fn unpacked(mut entry: impl Read) -> io::Result<Window> {
    let mut file = spill::unnamed().map_err(|e| io::Error::other(e.to_string()))?;
    let length = io::copy(&mut entry, &mut file)?;
    Ok(Window { file: Arc::new(file), start: 0, length })
}

/// The XML files in a ZIP archive, decompressed into `TMPDIR`, with their names; empty if it is not a ZIP archive.
pub(crate) fn xml_in_zip(name: &str, file: File) -> io::Result<Vec<(String, File)>> {
    let mut found = Vec::new();
    let Ok(mut zip) = ZipArchive::new(file) else { return Ok(found) };
    for index in 0..zip.len() {
        let entry = zip.by_index(index).map_err(io::Error::from)?;
        let inside = entry.name().map_err(io::Error::from)?.into_owned();
        if inside.ends_with(".xml") && !inside.starts_with("__MACOSX/") {
            found.extend(Arc::into_inner(unpacked(entry)?.file).map(|file| (format!("{name}/{inside}"), file)));
        }
    }
    Ok(found)
}

/// The dictionary in the skippable frame that a `.warc.zst` may begin with
/// (<https://iipc.github.io/warc-specifications/specifications/warc-zstd/>).
fn dictionary(bytes: &Window, length: usize) -> io::Result<DecoderDictionary<'static>> {
    let too_long = || io::Error::new(io::ErrorKind::InvalidData, "its dictionary is too long");
    if length > MOST_DICTIONARY {
        return Err(too_long());
    }
    let mut dictionary = bytes.start(8, length)?;
    if dictionary.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let mut whole = Vec::new();
        ZstdDecoder::new(&*dictionary)?.take(MOST_DICTIONARY as u64 + 1).read_to_end(&mut whole)?;
        if whole.len() > MOST_DICTIONARY {
            return Err(too_long());
        }
        dictionary = whole;
    }
    Ok(DecoderDictionary::copy(&dictionary))
}

/// The raw bytes of a volume from an offset on.
pub(super) struct Raw {
    reader: BufReader<At>,
    passed: u64,
}

/// A window and an offset in it.
struct At {
    window: Window,
    at: u64,
}

impl Read for At {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.window.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Raw {
    fn new(window: Window, at: u64) -> Self {
        Raw { reader: BufReader::with_capacity(PIECE, At { window, at }), passed: at }
    }

    /// The offset up to which it has been read.
    pub(super) fn position(&self) -> u64 {
        self.passed
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.passed += read as u64;
        Ok(read)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.passed += n as u64;
        self.reader.consume(n);
    }
}

/// The decompressed bytes of a member; of a plain volume, all bytes from an offset on.
pub(super) enum Member<'v> {
    Plain(Raw),
    Gzip(Box<GzDecoder<Raw>>),
    Zstd(ZstdDecoder<'v, Raw>),
}

impl Member<'_> {
    /// The bytes after the member, once the member has been read to its end.
    pub(super) fn into_raw(self) -> Raw {
        match self {
            Member::Plain(raw) => raw,
            Member::Gzip(decoder) => decoder.into_inner(),
            Member::Zstd(decoder) => decoder.finish(),
        }
    }
}

impl Read for Member<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Member::Plain(raw) => raw.read(buffer),
            Member::Gzip(decoder) => decoder.read(buffer),
            Member::Zstd(decoder) => decoder.read(buffer),
        }
    }
}
