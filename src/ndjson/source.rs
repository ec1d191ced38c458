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

/// What is wrong with a name that is none of a file.
const URL: &str = "a URL, not a file; wp-fetch downloads sites, no other program uses the network";

/// One thing to read: a name to show and where its bytes come from.
pub enum Source {
    /// A regular file: it can be read twice. `start` is where reading began.
    File {
        /// As the user typed it, `-` for stdin.
        name: Arc<str>,
        /// The open file.
        file: File,
        /// Offset of its first byte for us.
        start: u64,
    },
    /// A pipe, a terminal, a device: it can be read once.
    Stream {
        /// As the user typed it, `-` for stdin.
        name: Arc<str>,
        /// Its bytes; `None` when they are spent.
        reader: Option<Reader>,
    },
    /// As a stream, decompressed already.
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
    /// The pipe that they come from as they are, to be asked whether it has more.
    pipe: Option<File>,
    /// Where what passes is copied.
    copy: Option<File>,
}

enum Bytes {
    Read(Box<dyn Read + Send>),
    Handed(Taker),
}

impl Reader {
    /// Reads what `bytes` gives; nothing is known of when.
    pub fn new(bytes: impl Read + Send + 'static) -> Self {
        Reader { bytes: Bytes::Read(Box::new(bytes)), pipe: None, copy: None }
    }

    /// Reads a pipe, a terminal or a device. Without a second handle the only loss is that it cannot be asked.
    fn of_pipe(pipe: File) -> Self {
        Reader { pipe: pipe.try_clone().ok(), ..Reader::new(pipe) }
    }

    /// Puts whole lines in the place of `bytes`, where another stage hands them on: false, or true at the end. None where they have to be
    /// read.
    pub(super) fn take_lines(&mut self, bytes: &mut Vec<u8>, max: usize) -> io::Result<Option<bool>> {
        let Bytes::Handed(taker) = &mut self.bytes else { return Ok(None) };
        let taken = taker.take_lines(bytes, max);
        if taken == Some(false) {
            copy_to(&mut self.copy, bytes)?;
        }
        Ok(taken)
    }

    /// Whether the next read would have to wait: then what has been read can be answered first. Never so of files, and not
    /// of compressed streams, whose decoders hold bytes back.
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
    // The words name the place, for the error will be taken for one of the stream.
    copy.write_all(bytes).map_err(|e| io::Error::new(e.kind(), spill::failed(e).to_string()))
}

/// Bytes that are digested as they pass.
struct Digested {
    reader: Reader,
    digest: Arc<Mutex<Digest>>,
}

/// What has passed of a source as it lies on the disk.
pub(crate) struct Digest {
    pub(crate) bytes: u64,
    sha256: Sha256,
}

impl Digest {
    /// SHA-256 of what has passed so far, in hexadecimal.
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
    /// As a source that can be read once, of which what is read, before it is decompressed, is digested.
    ///
    /// # Errors
    /// As [`Source::reader`].
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
    /// When it cannot be opened or is a directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (path, name) = (path.as_ref(), shown_path(path.as_ref()));
        let file = File::open(path).map_err(|e| {
            let is_url = name.starts_with("http://") || name.starts_with("https://");
            if is_url { Error::Fatal(format!("{name}: {URL}")) } else { Error::io(&*name, e) }
        })?;
        Source::from_file(&name, file)
    }

    /// An open file under the name `name`: a regular one can be read twice, others once.
    ///
    /// # Errors
    /// When it is a directory.
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

    /// What another stage of this process hands on.
    pub(super) fn handed(taker: Taker) -> Self {
        let reader = Reader { bytes: Bytes::Handed(taker), pipe: None, copy: None };
        Source::Plain { name: "-".into(), reader: Some(reader) }
    }

    /// Bytes from memory, as a stream under the name `name`.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Source::Stream { name: name.into(), reader: Some(Reader::new(Cursor::new(bytes.into()))) }
    }

    /// As the user typed it.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Source::File { name, .. } | Source::Stream { name, .. } | Source::Plain { name, .. } => name,
        }
    }

    /// Bytes that the reader will give, where that is known: not of streams, and not of compressed files.
    pub fn size(&self) -> Option<u64> {
        let Source::File { file, start, .. } = self else { return None };
        let mut magic = [0; MAGIC];
        let known = file.read_at(&mut magic, *start).ok()?;
        is_plain(&magic[..known]).then_some(file.metadata().ok()?.len().saturating_sub(*start))
    }

    /// The decompressed bytes from the start.
    ///
    /// # Errors
    /// When the file cannot be read, or a stream has been read before.
    pub fn reader(&mut self) -> Result<Reader, Error> {
        let raw = self.raw()?;
        if let Source::Plain { .. } = self {
            return Ok(raw);
        }
        decompress(raw).map_err(|e| Error::io(&**self.name(), e))
    }

    /// Its first bytes, decompressed: at most so many, and fewer of JSON, for which a pipe may make a reader wait. They are read again.
    ///
    /// # Errors
    /// As [`Source::reader`].
    pub(crate) fn start(&mut self, most: usize) -> Result<Vec<u8>, Error> {
        let mut start = Vec::new();
        if let Source::File { file, start: at, .. } = self {
            let mut first = [0; MAGIC];
            let read = file.read_at(&mut first, *at).unwrap_or(0);
            if let [b'[' | b'{', ..] = first[..read] {
                return Ok(first[..read].to_vec());
            }
            start.reserve(most);
            // An error comes back when it is read.
            let _ = self.reader()?.take(most as u64).read_to_end(&mut start);
            return Ok(start);
        }
        let mut reader = self.raw()?;
        let (mut raw, mut ended) = (Vec::new(), false);
        let may_be_xml = |raw: &[u8]| {
            let first = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw).trim_ascii_start().first();
            !is_plain(raw) || !matches!(first, Some(b'[' | b'{'))
        };
        while !ended && raw.len() < most && may_be_xml(&raw) {
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

    /// The bytes as they lie on the disk.
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

    /// The same `count` times more, to be read independently. A stream can be followed as far as it has been read through this
    /// source: what passes is copied, decompressed, into an unlinked spool.
    ///
    /// # Errors
    /// When the file cannot be used twice, the spool not be written, or the stream has been read before.
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

    /// Makes a stream readable twice by copying it into an unlinked spool; a regular file stays as it is.
    pub(crate) fn make_rereadable(&mut self) -> Result<(), Error> {
        if let Source::Stream { name, reader: Some(reader) } | Source::Plain { name, reader: Some(reader) } = self {
            let file = spill::spool(name, reader)?;
            *self = Source::File { name: name.clone(), file, start: 0 };
        }
        Ok(())
    }
}

/// First bytes by which compressed files are known.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const MAGIC: usize = 4;

/// A frame, or one to skip, as pzstd writes it before each.
fn is_zstd(start: &[u8]) -> bool {
    matches!(start, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

fn is_plain(start: &[u8]) -> bool {
    !start.starts_with(&GZIP) && !is_zstd(start)
}

type Peeked = Chain<Cursor<Vec<u8>>, Reader>;

/// Members of gzip, with zeros after them or not: `gzip -d` passes what pads a block of a tape.
struct Members<R> {
    /// None after the last.
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

/// A decoder, with words for what it cannot decode that say what has become of the file.
struct Decoded<R> {
    reader: R,
    form: &'static str,
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Decoded { reader, form } = self;
        reader.read(buffer).map_err(|e| {
            // Those of the system have a number, and those of a disk that is full another kind.
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

/// `reader` as it is, or through gzip or zstd where its first bytes say so.
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
