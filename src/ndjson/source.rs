//! Opens files and pipes for reading, and decompresses them by their magic bytes.

use super::handed::Taker;
use super::pipe;
use crate::digest::{Sha256, hex};
use crate::report::{Error, shown_path};
use crate::spill::{self, PartOfFile};
use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The error for a URL in place of a file.
const URL: &str = "a URL, not a file; wp-fetch downloads sites, no other program uses the network";

/// Something to read: a name for messages, and the origin of its bytes.
pub enum Source {
    /// A regular file, which can be read twice. `start` is where reading began.
    File {
        /// As the user typed it, `-` for stdin.
        name: Arc<str>,
        /// The open file.
        file: File,
        /// The offset of the first byte that belongs to the source.
        start: u64,
    },
    /// A pipe, a terminal or a device, which can be read once.
    Stream {
        /// As the user typed it, `-` for stdin.
        name: Arc<str>,
        /// Its bytes; `None` when they are spent.
        reader: Option<Reader>,
    },
    /// Like a stream, but already decompressed.
    Plain {
        /// As the user typed it, `-` for stdin.
        name: Arc<str>,
        /// Its bytes; `None` when they are spent.
        reader: Option<Reader>,
    },
}

/// The bytes of a source.
pub struct Reader {
    bytes: Bytes,
    /// The pipe that the bytes come from unchanged, to ask whether it has more.
    pipe: Option<File>,
    /// The file to which the bytes are copied as they are read.
    copy: Option<File>,
}

enum Bytes {
    Read(Box<dyn Read + Send>),
    Handed(Taker),
}

impl Reader {
    /// Reads from `bytes`, which cannot be asked whether it would have to wait.
    pub fn new(bytes: impl Read + Send + 'static) -> Self {
        Reader { bytes: Bytes::Read(Box::new(bytes)), pipe: None, copy: None }
    }

    /// Reads a pipe, a terminal or a device. Without a second handle, it is unknown whether a read would have to wait.
    fn of_pipe(pipe: File) -> Self {
        Reader { pipe: pipe.try_clone().ok(), ..Reader::new(pipe) }
    }

    /// Replaces `bytes` by whole lines, if another stage passes them on: `Some(false)`, or `Some(true)` at the end. `None` if they must
    /// be read.
    pub(super) fn take_lines(&mut self, bytes: &mut Vec<u8>, max: usize) -> io::Result<Option<bool>> {
        let Bytes::Handed(taker) = &mut self.bytes else { return Ok(None) };
        let taken = taker.take_lines(bytes, max);
        if taken == Some(false) {
            copy_to(&mut self.copy, bytes)?;
        }
        Ok(taken)
    }

    /// Whether the next read would have to wait, so that results of earlier bytes should be written first. Always false for files, and
    /// for compressed streams, whose decoders hold bytes back.
    pub(crate) fn is_dry(&self) -> bool {
        match &self.bytes {
            Bytes::Handed(taker) => taker.is_dry(),
            Bytes::Read(_) => self.pipe.as_ref().is_some_and(pipe::is_dry),
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.bytes {
            Bytes::Read(bytes) => bytes.read(buffer),
            Bytes::Handed(taker) => taker.read(buffer),
        }?;
        copy_to(&mut self.copy, &buffer[..read])?;
        Ok(read)
    }
}

fn copy_to(copy: &mut Option<File>, bytes: &[u8]) -> io::Result<()> {
    let Some(copy) = copy else { return Ok(()) };
    // The message names the spool, because the error looks like one of the stream.
    copy.write_all(bytes).map_err(|e| io::Error::new(e.kind(), spill::failed(e).to_string()))
}

/// Bytes that are hashed as they are read.
struct Digested {
    reader: Reader,
    digest: Arc<Mutex<Digest>>,
}

/// The length and hash of the bytes of a source as stored on disk, as far as they have been read.
pub(crate) struct Digest {
    pub(crate) bytes: u64,
    sha256: Sha256,
}

impl Digest {
    /// SHA-256 of the bytes read so far, in hexadecimal.
    pub(crate) fn sha256(&self) -> String {
        hex(&self.sha256.clone().finalize())
    }
}

impl Read for Digested {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let mut digest = self.digest.lock().unwrap_or_else(PoisonError::into_inner);
        digest.bytes += read as u64;
        digest.sha256.update(&buffer[..read]);
        Ok(read)
    }
}

impl Source {
    /// Returns a source that can be read once; its bytes are hashed as they are read, before decompression.
    ///
    /// # Errors
    /// Those of [`Source::reader`].
    pub(crate) fn digested(&mut self) -> Result<(Source, Arc<Mutex<Digest>>), Error> {
        let digest = Arc::new(Mutex::new(Digest { bytes: 0, sha256: Sha256::new() }));
        let name = self.name().clone();
        let mut reader = self.raw()?;
        let pipe = reader.pipe.take();
        let raw = Reader { pipe, ..Reader::new(Digested { reader, digest: digest.clone() }) };
        let reader = decompress(raw).map_err(|e| Error::io(&*name, e))?;
        Ok((Source::Plain { name, reader: Some(reader) }, digest))
    }

    /// Opens a file by its path.
    ///
    /// # Errors
    /// If it cannot be opened or is a directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (path, name) = (path.as_ref(), shown_path(path.as_ref()));
        let file = File::open(path).map_err(|e| {
            let is_url = name.starts_with("http://") || name.starts_with("https://");
            if is_url { Error::Fatal(format!("{name}: {URL}")) } else { Error::io(&*name, e) }
        })?;
        Source::from_file(&name, file)
    }

    /// Wraps an open file under the name `name`: a regular file can be read twice, others once.
    ///
    /// # Errors
    /// If it is a directory.
    pub(crate) fn from_file(name: &str, mut file: File) -> Result<Self, Error> {
        let kind = file.metadata().map_err(|e| Error::io(name, e))?.file_type();
        if kind.is_dir() {
            return Err(Error::io(name, io::ErrorKind::IsADirectory.into()));
        }
        Ok(match file.stream_position() {
            Ok(start) if kind.is_file() => Source::File { name: name.into(), file, start },
            _ => Source::Stream { name: name.into(), reader: Some(Reader::of_pipe(file)) },
        })
    }

    /// Creates a source from the output of another stage of this process.
    pub(super) fn handed(taker: Taker) -> Self {
        let reader = Reader { bytes: Bytes::Handed(taker), pipe: None, copy: None };
        Source::Plain { name: "-".into(), reader: Some(reader) }
    }

    /// Creates a stream of bytes from memory, under the name `name`.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Source::Stream { name: name.into(), reader: Some(Reader::new(Cursor::new(bytes.into()))) }
    }

    /// The name as the user typed it.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Source::File { name, .. } | Source::Stream { name, .. } | Source::Plain { name, .. } => name,
        }
    }

    /// The number of bytes that the reader will return, if known: not for streams and compressed files.
    pub fn size(&self) -> Option<u64> {
        let Source::File { file, start, .. } = self else { return None };
        let mut magic = [0; MAGIC];
        let known = file.read_at(&mut magic, *start).ok()?;
        is_plain(&magic[..known]).then_some(file.metadata().ok()?.len().saturating_sub(*start))
    }

    /// The decompressed bytes from the start.
    ///
    /// # Errors
    /// If the file cannot be read, or a stream has been read before.
    pub fn reader(&mut self) -> Result<Reader, Error> {
        let raw = self.raw()?;
        if let Source::Plain { .. } = self {
            return Ok(raw);
        }
        decompress(raw).map_err(|e| Error::io(&**self.name(), e))
    }

    /// The first bytes, decompressed: at most `most`, and fewer for JSON, since reading more from a pipe might have to wait. They will be
    /// read again.
    ///
    /// # Errors
    /// Those of [`Source::reader`].
    pub(crate) fn start(&mut self, most: usize) -> Result<Vec<u8>, Error> {
        let mut start = Vec::new();
        if let Source::File { file, start: at, .. } = self {
            let mut first = [0; MAGIC];
            let read = file.read_at(&mut first, *at).unwrap_or(0);
            if let [b'[' | b'{', ..] = first[..read] {
                return Ok(first[..read].to_vec());
            }
            start.reserve(most);
            // An error will occur again when the source is read.
            let _ = self.reader()?.take(most as u64).read_to_end(&mut start);
            return Ok(start);
        }
        let mut reader = self.raw()?;
        let (mut raw, mut ended) = (Vec::new(), false);
        while !ended && raw.len() < most && !(is_plain(&raw) && begins_with_bracket(&raw)) {
            let before = raw.len();
            raw.resize(most, 0);
            let read = reader.read(&mut raw[before..]).map_err(|e| Error::io(&**self.name(), e))?;
            raw.truncate(before + read);
            ended = read == 0;
        }
        let pipe = reader.pipe.take();
        let again = Reader { pipe, ..Reader::new(Cursor::new(raw.clone()).chain(reader)) };
        match self {
            Source::Stream { reader, .. } | Source::Plain { reader, .. } => *reader = Some(again),
            Source::File { .. } => {}
        }
        if let Source::Stream { .. } = self
            && let Ok(reader) = decompress(Reader::new(Cursor::new(raw.clone())))
        {
            let _ = reader.take(most as u64).read_to_end(&mut start);
            return Ok(start);
        }
        Ok(raw)
    }

    /// The bytes as stored on disk.
    fn raw(&mut self) -> Result<Reader, Error> {
        match self {
            Source::File { name, file, start } => {
                let file = file.try_clone().map_err(|e| Error::io(&**name, e))?;
                Ok(Reader::new(PartOfFile { file, at: *start, end: u64::MAX }))
            }
            Source::Plain { name, reader } | Source::Stream { name, reader } => {
                reader.take().ok_or_else(|| Error::Fatal(format!("{name}: cannot be read twice")))
            }
        }
    }

    /// Returns `count` more sources with the same bytes, to be read independently. A stream can be read again up to the point that this
    /// source has reached: its bytes are copied, decompressed, into an unlinked spool.
    ///
    /// # Errors
    /// If the file cannot be opened again, the spool cannot be written, or the stream has been read before.
    pub(super) fn followers(&mut self, count: usize) -> Result<Vec<Self>, Error> {
        let name = self.name().clone();
        if let Source::File { file, start, .. } = self {
            let follow = |_| Ok(Source::File { name: name.clone(), file: file.try_clone()?, start: *start });
            return (0..count).map(follow).collect::<io::Result<_>>().map_err(|e| Error::io(&*name, e));
        }
        let mut copied = self.reader()?;
        let copy = spill::unnamed()?;
        let follow = |_| {
            let reader = Reader::new(PartOfFile { file: copy.try_clone()?, at: 0, end: u64::MAX });
            Ok(Source::Plain { name: name.clone(), reader: Some(reader) })
        };
        let followers = (0..count).map(follow).collect::<io::Result<_>>().map_err(spill::failed)?;
        copied.copy = Some(copy);
        *self = Source::Plain { name, reader: Some(copied) };
        Ok(followers)
    }

    /// Makes a stream readable twice by copying it into an unlinked spool; a regular file is left unchanged.
    pub(crate) fn make_rereadable(&mut self) -> Result<(), Error> {
        if let Source::Stream { name, reader: Some(reader) } | Source::Plain { name, reader: Some(reader) } = self {
            let file = spill::spool(name, reader)?;
            *self = Source::File { name: name.clone(), file, start: 0 };
        }
        Ok(())
    }
}

/// Whether a text starts like JSON. Such a text may quote XML or HTML.
pub(crate) fn begins_with_bracket(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    matches!(text.trim_ascii_start().first(), Some(b'[' | b'{'))
}

/// The first bytes of gzip files.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The number of first bytes that identify a compressed file.
const MAGIC: usize = 4;

/// Whether a file begins with a zstd frame, or with a skippable frame, which pzstd writes before each.
fn is_zstd(start: &[u8]) -> bool {
    matches!(start, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

fn is_plain(start: &[u8]) -> bool {
    !start.starts_with(&GZIP) && !is_zstd(start)
}

type Peeked = Chain<Cursor<Vec<u8>>, Reader>;

/// Decompresses the members of a gzip file and ignores zeros after them, like `gzip -d`: tapes are padded with zeros.
struct Members<R> {
    /// The current member; `None` after the last one.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let mut rest = self.member.take().expect("it was just read").into_inner();
            loop {
                let bytes = rest.fill_buf()?;
                let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                if zeros < bytes.len() {
                    rest.consume(zeros);
                    self.member = Some(GzDecoder::new(rest));
                    break;
                } else if zeros == 0 {
                    break;
                }
                rest.consume(zeros);
            }
        }
        Ok(0)
    }
}

/// A decoder whose errors explain what has happened to the file.
struct Decoded<R> {
    reader: R,
    form: &'static str,
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Decoded { reader, form } = self;
        reader.read(buffer).map_err(|e| {
            // Errors of the system have a number; a full disk has a kind of its own.
            let what = match e.kind() {
                _ if e.raw_os_error().is_some() => return e,
                io::ErrorKind::UnexpectedEof => "break off, or something else follows them",
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => "are damaged",
                _ => return e,
            };
            io::Error::new(
                e.kind(),
                format!("the {form} data {what}: delete the file, and make or fetch it again ({e})"),
            )
        })
    }
}

/// Returns `reader`, through gzip or zstd if its first bytes require that.
pub(crate) fn decompress(mut reader: Reader) -> io::Result<Reader> {
    let mut magic = Vec::with_capacity(MAGIC);
    reader.by_ref().take(MAGIC as u64).read_to_end(&mut magic)?;
    let (gzip, zstd) = (magic.starts_with(&GZIP), is_zstd(&magic));
    let pipe = reader.pipe.take();
    let whole: Peeked = Cursor::new(magic).chain(reader);
    Ok(match (gzip, zstd) {
        (true, _) => {
            let reader = Members { member: Some(GzDecoder::new(BufReader::new(whole))) };
            Reader::new(Decoded { reader, form: "gzip" })
        }
        (_, true) => Reader::new(Decoded { reader: zstd::Decoder::new(whole)?, form: "zstd" }),
        _ => Reader { pipe, ..Reader::new(whole) },
    })
}
