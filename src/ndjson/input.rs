//! Inputs: files and stdin as one run of lines, decompressed by their magic bytes, each line with its place.

use crate::report::{Error, Place};
use crate::spill;
use memchr::{memchr, memrchr};
use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Bytes of a batch, unless one line is longer: it and what is made of it stay in a core's cache. With 1 MiB wp-export
/// took a tenth more, and the five in one pipe 3 % more.
const BATCH: usize = 256 * 1024;

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
    /// As a stream, decompressed already.
    Plain {
        /// As the user typed it, `-` for stdin.
        name: Arc<str>,
        /// Its bytes; `None` when they are spent.
        reader: Option<Box<dyn Read + Send>>,
    },
}

/// A file that is read from a place of one's own: others may read it at other places meanwhile.
struct FileAt {
    file: File,
    at: u64,
}

impl Read for FileAt {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// A stream of which a copy is kept.
struct Copied {
    reader: Box<dyn Read + Send>,
    copy: File,
}

impl Read for Copied {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        // The words name the place, for the error will be taken for one of the stream.
        let full = |e: io::Error| io::Error::new(e.kind(), spill::failed(e).to_string());
        self.copy.write_all(&buffer[..read]).map_err(full)?;
        Ok(read)
    }
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
    pub fn reader(&mut self) -> Result<Box<dyn Read + Send>, Error> {
        let spent = |name: &str| Error::Trouble(format!("{name}: cannot be read twice"));
        let raw: Box<dyn Read + Send> = match self {
            Source::File { name, file, start } => {
                let file = file.try_clone().map_err(|e| Error::io(&**name, e))?;
                Box::new(FileAt { file, at: *start })
            }
            Source::Plain { name, reader } => return reader.take().ok_or_else(|| spent(name)),
            Source::Stream { name, reader } => reader.take().ok_or_else(|| spent(name))?,
        };
        decompress(raw).map_err(|e| Error::io(&**self.name(), e))
    }

    /// The same once more, to be read independently. A stream can be followed as far as it has been read through this
    /// source: what passes is copied, decompressed, into an unlinked spool.
    ///
    /// # Errors
    /// When the file cannot be used twice, the spool not be written, or the stream has been read before.
    fn follower(&mut self) -> Result<Self, Error> {
        let name = self.name().clone();
        if let Source::File { file, start, .. } = self {
            let file = file.try_clone().map_err(|e| Error::io(&*name, e))?;
            return Ok(Source::File { name, file, start: *start });
        }
        let reader = self.reader()?;
        let copy = spill::unnamed()?;
        let file = copy.try_clone().map_err(spill::failed)?;
        let again = Box::new(FileAt { file, at: 0 });
        *self = Source::Plain { name: name.clone(), reader: Some(Box::new(Copied { reader, copy })) };
        Ok(Source::Plain { name, reader: Some(again) })
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
    /// Where in its batch the line begins.
    pub start: usize,
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
    /// Its bytes, and behind them what a longer batch left there: to clear it for each batch cost 5 % of wp-resolve.
    bytes: Vec<u8>,
    length: usize,
    file: Arc<str>,
    first: u64,
}

impl Batch {
    /// A batch to be filled by [`Input::read`].
    pub fn empty() -> Self {
        Batch { bytes: Vec::new(), length: 0, file: "".into(), first: 1 }
    }

    /// Its size.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Becomes the part of `other` between two offsets at which lines begin.
    pub fn copy_part(&mut self, other: &Batch, part: std::ops::Range<usize>) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&other.bytes[part.clone()]);
        self.length = part.len();
        self.file = other.file.clone();
        self.first = other.first + memchr::memchr_iter(b'\n', &other.bytes[..part.start]).count() as u64;
    }

    /// The file it comes from, as the user typed it.
    pub fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// Its lines; blank ones are skipped (they count as lines).
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut rest = &self.bytes[..self.length];
        let mut number = self.first;
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let mut start = self.length - rest.len();
                let end = memchr(b'\n', rest).unwrap_or(rest.len());
                let bytes = &rest[..end];
                rest = rest.get(end + 1..).unwrap_or_default();
                number += 1;
                let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
                let bom = if number == 2 { bytes.strip_prefix(b"\xef\xbb\xbf") } else { None };
                if bom.is_some() {
                    start += 3;
                }
                let bytes = bom.unwrap_or(bytes);
                if !bytes.iter().all(u8::is_ascii_whitespace) {
                    return Some(Line { bytes, file: &self.file, number: number - 1, start });
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

    /// Fills `batch` with about 256 KiB of whole lines; false at the end.
    ///
    /// # Errors
    /// When an input cannot be read or decompressed.
    pub fn read(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.length = 0;
        loop {
            let Some(source) = self.sources.get_mut(self.at) else { return Ok(false) };
            let name = source.name().clone();
            if self.reader.is_none() {
                self.reader = Some(source.reader()?);
                self.next_line = 1;
            }
            let reader = self.reader.as_mut().expect("it was just opened");
            let ended = fill(reader, batch, &mut self.rest).map_err(|e| Error::io(&*name, e))?;
            if ended {
                self.reader = None;
                self.at += 1;
            }
            if batch.is_empty() {
                continue;
            }
            batch.file = name;
            batch.first = self.next_line;
            self.next_line += memchr::memchr_iter(b'\n', &batch.bytes[..batch.length]).count() as u64;
            return Ok(true);
        }
    }

    /// The same lines once more, in the same batches, to be read after these: at any time as far as these have been
    /// read. Of what can be read only once a copy is kept in a spool.
    ///
    /// # Errors
    /// When an input has been read before, or there is no place for a spool.
    pub fn follower(&mut self) -> Result<Input, Error> {
        Ok(Input::new(self.sources.iter_mut().map(Source::follower).collect::<Result<_, _>>()?))
    }

    /// Names of the inputs in their order.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.sources.iter().map(Source::name)
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

/// Reads until `batch` holds a batch of whole lines (what follows the last goes into `rest`, from which it begins) or the
/// input ends: true.
fn fill(reader: &mut dyn Read, batch: &mut Batch, rest: &mut Vec<u8>) -> io::Result<bool> {
    let bytes = &mut batch.bytes;
    let mut end = rest.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[..end].copy_from_slice(rest);
    rest.clear();
    loop {
        let old = end;
        // Doubling: a line of any length is read in linear time.
        let limit = old + old.max(BATCH);
        if bytes.len() < limit {
            bytes.resize(limit, 0);
        }
        let mut ended = false;
        while end < limit {
            match reader.read(&mut bytes[end..limit]) {
                Ok(0) => {
                    ended = true;
                    break;
                }
                Ok(n) => end += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        batch.length = end;
        if ended {
            return Ok(true);
        }
        if let Some(last) = memrchr(b'\n', &bytes[old..end]) {
            batch.length = old + last + 1;
            rest.extend_from_slice(&bytes[batch.length..end]);
            return Ok(false);
        }
    }
}
