//! Inputs: files and stdin as one run of lines, decompressed by their magic bytes, each line with its place.

use crate::report::{Error, Place};
use crate::spill;
use memchr::{memchr, memrchr};
use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Bytes of a batch, unless one line is longer.
const BATCH: usize = 1 << 20;

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
        reader: Option<Box<dyn Read + Send>>,
    },
}

impl Source {
    /// Opens a file by its path.
    ///
    /// # Errors
    /// When it cannot be opened or is a directory.
    pub fn open(path: &str) -> Result<Self, Error> {
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Source::from_file(path, file)
    }

    /// An open file under the name `name`: a regular one can be read twice, others once.
    ///
    /// # Errors
    /// When it is a directory.
    pub fn from_file(name: &str, mut file: File) -> Result<Self, Error> {
        let kind = file.metadata().map_err(|e| Error::io(name, e))?.file_type();
        if kind.is_dir() {
            return Err(Error::io(name, io::ErrorKind::IsADirectory.into()));
        }
        Ok(match file.stream_position() {
            Ok(start) if kind.is_file() => Source::File { name: name.into(), file, start },
            _ => Source::Stream { name: name.into(), reader: Some(Box::new(file)) },
        })
    }

    /// Bytes from memory, as a stream under the name `name`.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Source::Stream { name: name.into(), reader: Some(Box::new(Cursor::new(bytes.into()))) }
    }

    /// As the user typed it.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Source::File { name, .. } | Source::Stream { name, .. } => name,
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
    pub fn reader(&mut self) -> Result<Box<dyn Read + Send>, Error> {
        let raw: Box<dyn Read + Send> = match self {
            Source::File { name, file, start } => {
                let fail = |e| Error::io(&**name, e);
                let mut again = file.try_clone().map_err(fail)?;
                again.seek(SeekFrom::Start(*start)).map_err(fail)?;
                Box::new(again)
            }
            Source::Stream { name, reader } => match reader.take() {
                Some(reader) => reader,
                None => return Err(Error::Trouble(format!("{name}: cannot be read twice"))),
            },
        };
        decompress(raw).map_err(|e| Error::io(&**self.name(), e))
    }

    /// Makes a stream readable twice by copying it into an unlinked spool; a regular file stays as it is.
    ///
    /// # Errors
    /// When reading or spooling fails.
    pub fn make_rereadable(&mut self) -> Result<(), Error> {
        if let Source::Stream { name, reader: Some(reader) } = self {
            let file = spill::spool(name, reader)?;
            *self = Source::File { name: name.clone(), file, start: 0 };
        }
        Ok(())
    }
}

/// First bytes by which compressed files are known.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; MAGIC] = [0x28, 0xb5, 0x2f, 0xfd];
const MAGIC: usize = 4;

fn is_plain(start: &[u8]) -> bool {
    !start.starts_with(&GZIP) && !start.starts_with(&ZSTD)
}

type Peeked = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

/// `reader` as it is, or through gzip or zstd where its first bytes say so.
///
/// # Errors
/// When the first bytes cannot be read.
pub fn decompress(mut reader: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut magic = Vec::with_capacity(MAGIC);
    reader.by_ref().take(MAGIC as u64).read_to_end(&mut magic)?;
    let (gzip, zstd) = (magic.starts_with(&GZIP), magic.starts_with(&ZSTD));
    let whole: Peeked = Cursor::new(magic).chain(reader);
    if gzip {
        return Ok(Box::new(flate2::read::MultiGzDecoder::new(whole)));
    }
    if zstd {
        return Ok(Box::new(zstd::Decoder::new(whole)?));
    }
    Ok(Box::new(whole))
}

/// A line without its end, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The bytes, without LF, CR LF, or a byte order mark.
    pub bytes: &'a [u8],
    /// The file, as the user typed it.
    pub file: &'a Arc<str>,
    /// The line's number, from 1.
    pub number: u64,
}

impl Line<'_> {
    /// The line's place.
    pub fn place(&self) -> Place {
        Place::line(self.file, self.number)
    }
}

/// Some whole lines of one file.
#[derive(Debug)]
pub struct Batch {
    bytes: Vec<u8>,
    file: Arc<str>,
    first: u64,
}

impl Batch {
    /// A batch to be filled by [`Input::read`].
    pub fn empty() -> Self {
        Batch { bytes: Vec::new(), file: "".into(), first: 1 }
    }

    /// Its size.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Its lines; blank ones are skipped (they count as lines).
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut rest = &self.bytes[..];
        let mut number = self.first;
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let end = memchr(b'\n', rest).unwrap_or(rest.len());
                let bytes = &rest[..end];
                rest = rest.get(end + 1..).unwrap_or_default();
                number += 1;
                let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
                let bom = if number == 2 { bytes.strip_prefix(b"\xef\xbb\xbf") } else { None };
                let bytes = bom.unwrap_or(bytes);
                if !bytes.iter().all(u8::is_ascii_whitespace) {
                    return Some(Line { bytes, file: &self.file, number: number - 1 });
                }
            }
            None
        })
    }
}

/// All inputs of a run as one sequence of lines.
pub struct Input {
    sources: Vec<Source>,
    /// Which source is read now.
    at: usize,
    reader: Option<Box<dyn Read + Send>>,
    /// The start of a line whose end is not yet read.
    rest: Vec<u8>,
    /// Number of the next line in the current source.
    next_line: u64,
}

impl Input {
    /// The lines of `sources`, one after the other. A line ends with its file.
    pub fn new(sources: Vec<Source>) -> Self {
        Input { sources, at: 0, reader: None, rest: Vec::new(), next_line: 1 }
    }

    /// Lines from memory.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Input::new(vec![Source::from_bytes(name, bytes)])
    }

    /// Bytes of all sources, where all are known.
    pub fn size(&self) -> Option<u64> {
        self.sources.iter().map(Source::size).sum()
    }

    /// Fills `batch` with about 1 MiB of whole lines; false at the end.
    ///
    /// # Errors
    /// When an input cannot be read or decompressed.
    pub fn read(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.bytes.clear();
        loop {
            let Some(source) = self.sources.get_mut(self.at) else { return Ok(false) };
            let name = source.name().clone();
            if self.reader.is_none() {
                self.reader = Some(source.reader()?);
                self.next_line = 1;
            }
            let reader = self.reader.as_mut().expect("it was just opened");
            std::mem::swap(&mut batch.bytes, &mut self.rest);
            let ended = fill(reader, &mut batch.bytes, &mut self.rest).map_err(|e| Error::io(&*name, e))?;
            if ended {
                self.reader = None;
                self.at += 1;
            }
            if batch.bytes.is_empty() {
                continue;
            }
            batch.file = name;
            batch.first = self.next_line;
            self.next_line += memchr::memchr_iter(b'\n', &batch.bytes).count() as u64;
            return Ok(true);
        }
    }

    /// Copies what can be read only once into a spool, so that [`Input::rewind`] works.
    ///
    /// # Errors
    /// When reading or spooling fails.
    pub fn make_rereadable(&mut self) -> Result<(), Error> {
        self.sources.iter_mut().try_for_each(Source::make_rereadable)
    }

    /// Starts again at the first line.
    pub fn rewind(&mut self) {
        self.at = 0;
        self.reader = None;
        self.rest.clear();
        self.next_line = 1;
    }
}

/// Reads until `bytes` holds a batch of whole lines (what follows the last goes into `rest`) or the input ends: true.
fn fill(reader: &mut dyn Read, bytes: &mut Vec<u8>, rest: &mut Vec<u8>) -> io::Result<bool> {
    rest.clear();
    loop {
        let old = bytes.len();
        // Doubling: a line of any length is read in linear time.
        bytes.resize(old + old.max(BATCH), 0);
        let mut end = old;
        let mut ended = false;
        while end < bytes.len() {
            match reader.read(&mut bytes[end..]) {
                Ok(0) => {
                    ended = true;
                    break;
                }
                Ok(n) => end += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        bytes.truncate(end);
        if ended {
            return Ok(true);
        }
        if let Some(last) = memrchr(b'\n', &bytes[old..]) {
            rest.extend_from_slice(&bytes[old + last + 1..]);
            bytes.truncate(old + last + 1);
            return Ok(false);
        }
    }
}
