//! Inputs: files and stdin as one run of lines, decompressed by their magic bytes, each line with its place.

use super::pipe;
use crate::report::{Error, Place, shown_path};
use crate::spill;
use memchr::{memchr, memrchr};
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

/// Bytes of a batch, unless one line is longer: it and what is made of it stay in a core's cache. With 1 MiB wp-export
/// took a tenth more, and the five in one pipe 3 % more.
const BATCH: usize = 256 * 1024;
/// Bytes kept of a line that is too long.
const KEPT: usize = 1 << 20;
/// Bytes of the longest line, or element of a dump, unless the user names another number: it is held in memory.
pub const MAX_RECORD: usize = 256 << 20;

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
    bytes: Box<dyn Read + Send>,
    /// The pipe that they come from as they are, to be asked whether it has more.
    pipe: Option<File>,
}

impl Reader {
    /// Reads what `bytes` gives; nothing is known of when.
    pub fn new(bytes: impl Read + Send + 'static) -> Self {
        Reader { bytes: Box::new(bytes), pipe: None }
    }

    /// Reads a pipe, a terminal or a device. Without a second handle the only loss is that it cannot be asked.
    fn of_pipe(pipe: File) -> Self {
        Reader { pipe: pipe.try_clone().ok(), bytes: Box::new(pipe) }
    }

    /// Whether the next read would have to wait: then what has been read can be answered first. Never so of files, and not
    /// of compressed streams, whose decoders hold bytes back.
    pub fn is_dry(&self) -> bool {
        self.pipe.as_ref().is_some_and(pipe::is_dry)
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
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
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (path, name) = (path.as_ref(), shown_path(path.as_ref()));
        let file = File::open(path).map_err(|e| {
            let is_url = name.starts_with("http://") || name.starts_with("https://");
            if is_url { Error::Trouble(format!("{name}: {URL}")) } else { Error::io(&*name, e) }
        })?;
        Source::from_file(&name, file)
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
            _ => Source::Stream { name: name.into(), reader: Some(Reader::of_pipe(file)) },
        })
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
        let spent = |name: &str| Error::Trouble(format!("{name}: cannot be read twice"));
        let raw = match self {
            Source::File { name, file, start } => {
                let file = file.try_clone().map_err(|e| Error::io(&**name, e))?;
                Reader::new(FileAt { file, at: *start })
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
        let Reader { bytes, pipe } = self.reader()?;
        let copy = spill::unnamed()?;
        let file = copy.try_clone().map_err(spill::failed)?;
        let copied = Reader { bytes: Box::new(Copied { reader: bytes, copy }), pipe };
        *self = Source::Plain { name: name.clone(), reader: Some(copied) };
        Ok(Source::Plain { name, reader: Some(Reader::new(FileAt { file, at: 0 })) })
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
pub fn decompress(mut reader: Reader) -> io::Result<Reader> {
    let mut magic = Vec::with_capacity(MAGIC);
    reader.by_ref().take(MAGIC as u64).read_to_end(&mut magic)?;
    let (gzip, zstd) = (magic.starts_with(&GZIP), magic.starts_with(&ZSTD));
    let whole: Peeked = Cursor::new(magic).chain(reader.bytes);
    Ok(match (gzip, zstd) {
        (true, _) => Reader::new(flate2::read::MultiGzDecoder::new(whole)),
        (_, true) => Reader::new(zstd::Decoder::new(whole)?),
        _ => Reader { bytes: Box::new(whole), pipe: reader.pipe },
    })
}

/// A line without its end, and its position.
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
    /// Its bytes, followed by what a longer batch left there: clearing it for each batch took 5 % of wp-resolve.
    bytes: Vec<u8>,
    length: usize,
    file: Arc<str>,
    first: u64,
    awaited: bool,
    /// The starts of the lines before the first one that are too long.
    long: Vec<Vec<u8>>,
    /// How many bytes they are.
    skipped: u64,
}

impl Batch {
    /// A batch to be filled by [`Input::read`].
    pub fn empty() -> Self {
        Batch { bytes: Vec::new(), length: 0, file: "".into(), first: 1, awaited: false, long: Vec::new(), skipped: 0 }
    }

    /// Whether the input has nothing more to give at once: what is made of this batch shall not wait for the next.
    pub fn is_awaited(&self) -> bool {
        self.awaited
    }

    /// Forgets what is in it.
    pub fn clear(&mut self) {
        self.length = 0;
        self.long.clear();
        self.skipped = 0;
    }

    /// Its size.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.length == 0 && self.long.is_empty()
    }

    /// The lines before the first one that are too long: their places and starts.
    pub(super) fn too_long(&self) -> impl Iterator<Item = (Place, &[u8])> {
        let first = self.first - self.long.len() as u64;
        (first..).zip(&self.long).map(|(number, start)| (Place::line(&self.file, number), &**start))
    }

    /// How many bytes those are.
    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
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
    reader: Option<Reader>,
    /// The start of a line whose end is not yet read.
    rest: Vec<u8>,
    /// Number of the next line in the current source.
    next_line: u64,
    /// What was made of the last batch may be waiting for the next.
    owes: bool,
    /// The last source has ended within a line: where and why, until this has been said.
    cut: Option<String>,
    max_record: usize,
    /// Items are not expected.
    of_records: bool,
}

/// What is wrong with an input whose last line is not finished. A stage that fails or is stopped ends its output so.
const CUT: &str = "the input ends within this line";

/// Why an unfinished line ends there: a stage names itself.
fn why_cut(line: &[u8]) -> String {
    let word = line.strip_prefix(b"{\"broken_off_by\":\"").unwrap_or_default();
    let name = memchr(b'"', word).and_then(|end| std::str::from_utf8(&word[..end]).ok());
    match name.filter(|name| name.starts_with("wp-") && name.len() < 40) {
        Some(name) => format!("{CUT}: {name} has failed or was stopped"),
        None => format!("{CUT}: it was cut off, or the program that wrote it has failed"),
    }
}

/// What is wrong with a name that is none of a file.
const URL: &str = "a URL, not a file; wp-fetch downloads sites, no other program uses the network";
/// What is wrong with an input whose first line is a bracket.
const PRETTY: &str = "the JSON is spread over several lines; one record a line is needed, as `jq -c` writes it";
/// What is wrong with one whose first line is a list of objects.
const ARRAY: &str =
    "a JSON array, not one record a line: wp-index reads dumps, `jq -c '.[]'` makes lines of other arrays";
/// What is wrong with one of items where records are expected.
const ITEMS: &str = "items of wp-index, not records: wp-parse comes first";

/// Whether a line is as wp-index writes it, and not a record that has kept its `api` (wp-parse --keep-api).
fn is_item(line: &[u8]) -> bool {
    let Ok(keys) = serde_json::from_slice::<HashMap<Cow<'_, str>, IgnoredAny>>(line) else { return false };
    let of_records = ["translations", "links", "title", "name", "content"];
    keys.contains_key("api") && !of_records.iter().any(|key| keys.contains_key(*key))
}

impl Input {
    /// The lines of `sources`, one after the other. A line ends with its file.
    pub fn new(sources: Vec<Source>) -> Self {
        let (rest, max_record) = (Vec::new(), MAX_RECORD);
        Input {
            sources,
            at: 0,
            reader: None,
            rest,
            next_line: 1,
            owes: false,
            cut: None,
            max_record,
            of_records: false,
        }
    }

    /// Makes lines of more than `bytes` rejects, of which the rest is not held in memory. At least a MiB.
    pub fn limit_records(&mut self, bytes: usize) {
        self.max_record = bytes.max(KEPT);
    }

    /// Refuses what wp-index writes: a stage was left out.
    pub fn expect_records(&mut self) {
        self.of_records = true;
    }

    /// Lines from memory.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Input::new(vec![Source::from_bytes(name, bytes)])
    }

    /// Bytes of all sources, where all are known.
    pub fn size(&self) -> Option<u64> {
        self.sources.iter().map(Source::size).sum()
    }

    /// Fills `batch` with about 256 KiB of whole lines, fewer where the input has no more at once; false at the end.
    ///
    /// # Errors
    /// When an input cannot be read or decompressed.
    pub fn read(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.clear();
        if let Some(cut) = self.cut.take() {
            return Err(Error::Trouble(cut));
        }
        while let Some(name) = self.open()? {
            let reader = self.reader.as_mut().expect("it was just opened");
            let ended = fill(reader, batch, &mut self.rest, self.owes, self.max_record);
            let ended = ended.map_err(|e| Error::io(&*name, e))?;
            // At the end of the last source all is written anyway.
            batch.awaited = if ended { self.at + 1 < self.sources.len() } else { reader.is_dry() };
            if ended {
                self.cut = self.drop_cut_line(batch, &name);
                self.close();
            }
            if batch.is_empty() && self.cut.is_some() {
                return self.read(batch);
            }
            if batch.is_empty() && !(batch.awaited && self.owes) {
                continue;
            }
            self.owes = !batch.awaited;
            self.number(batch, name)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Fills `batch` with the next `length` bytes, which another input of the same sources has read as one batch, after
    /// as many as that has `skipped`; false where the source has fewer.
    ///
    /// # Errors
    /// As [`Input::read`].
    pub fn read_again(&mut self, batch: &mut Batch, skipped: u64, length: usize) -> Result<bool, Error> {
        batch.clear();
        self.skip(skipped)?;
        if batch.bytes.len() < length {
            batch.bytes.resize(length, 0);
        }
        while let Some(name) = self.open()? {
            let reader = self.reader.as_mut().expect("it was just opened");
            while batch.length < length {
                match reader.read(&mut batch.bytes[batch.length..length]) {
                    Ok(0) => break,
                    Ok(n) => batch.length += n,
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(e) => return Err(Error::io(&*name, e)),
                }
            }
            if batch.length > 0 || length == 0 {
                self.number(batch, name)?;
                break;
            }
            self.close();
        }
        Ok(batch.length == length)
    }

    /// Passes lines that are too long.
    fn skip(&mut self, mut bytes: u64) -> Result<(), Error> {
        while bytes > 0
            && let Some(name) = self.open()?
        {
            let mut part = vec![0; BATCH.min(usize::try_from(bytes).unwrap_or(BATCH))];
            let reader = self.reader.as_mut().expect("it was just opened");
            match reader.read(&mut part) {
                Ok(0) => self.close(),
                Ok(read) => {
                    self.next_line += memchr::memchr_iter(b'\n', &part[..read]).count() as u64;
                    bytes -= read as u64;
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::io(&*name, e)),
            }
        }
        Ok(())
    }

    /// Opens the source that is to be read now, unless it is open: its name; none at the end of the last.
    fn open(&mut self) -> Result<Option<Arc<str>>, Error> {
        let Some(source) = self.sources.get_mut(self.at) else { return Ok(None) };
        if self.reader.is_none() {
            self.reader = Some(source.reader()?);
            self.next_line = 1;
        }
        Ok(Some(source.name().clone()))
    }

    /// Goes on to the next source.
    fn close(&mut self) {
        self.reader = None;
        self.at += 1;
    }

    /// Says of a batch where it comes from.
    fn number(&mut self, batch: &mut Batch, name: Arc<str>) -> Result<(), Error> {
        batch.file = name;
        self.next_line += batch.long.len() as u64;
        batch.first = self.next_line;
        if self.next_line == 1
            && let Some(what) = batch.lines().next().and_then(|line| self.refuse(line.bytes.trim_ascii()))
        {
            return Err(Error::Trouble(format!("{}: {what}", batch.file)));
        }
        self.next_line += memchr::memchr_iter(b'\n', &batch.bytes[..batch.length]).count() as u64;
        Ok(())
    }

    /// What is wrong with an input that begins with this line.
    fn refuse(&self, line: &[u8]) -> Option<&'static str> {
        match line {
            b"{" | b"[" => Some(PRETTY),
            _ if line.starts_with(b"[{") => Some(ARRAY),
            _ if self.of_records && is_item(line) => Some(ITEMS),
            _ => None,
        }
    }

    /// Takes an unfinished last line off the last batch of a source: where it is and why. No complete record is lost by that, and the
    /// lines before it are good; but what follows them is missing.
    fn drop_cut_line(&self, batch: &mut Batch, name: &Arc<str>) -> Option<String> {
        let bytes = &batch.bytes[..batch.length];
        let start = memrchr(b'\n', bytes).map_or(0, |last| last + 1);
        if !is_unfinished(&bytes[start..]) {
            return None;
        }
        let before = batch.long.len() + memchr::memchr_iter(b'\n', bytes).count();
        let line = self.next_line + before as u64;
        let why = why_cut(&bytes[start..]);
        batch.length = start;
        Some(format!("{}: {why}", Place::line(name, line)))
    }

    /// The same lines once more, to be read after these with [`Input::read_again`]: at any time as far as these have been
    /// read. Of what can be read only once a copy is kept in a spool.
    ///
    /// # Errors
    /// When an input has been read before, or no spool can be created.
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

/// Whether an object begins here whose end is missing.
fn is_unfinished(line: &[u8]) -> bool {
    // A stage that fails while a signal stops it says so twice.
    line.starts_with(b"{\"broken_off_by\":")
        || line.trim_ascii_start().starts_with(b"{")
            && serde_json::from_slice::<IgnoredAny>(line).is_err_and(|e| e.is_eof())
}

/// Reads until `batch` holds a batch of whole lines (what follows the last goes into `rest`, from which it begins) or the
/// input ends: true. Before it would have to wait it is content with less: with a line, with none if one is `owing`. Of a line
/// of more than `max` bytes only the start is kept.
fn fill(reader: &mut Reader, batch: &mut Batch, rest: &mut Vec<u8>, owing: bool, max: usize) -> io::Result<bool> {
    let bytes = &mut batch.bytes;
    let mut end = rest.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[..end].copy_from_slice(rest);
    rest.clear();
    let mut whole = 0;
    let (mut dry, mut ended) = (false, false);
    while whole == 0 && !dry && !ended {
        // Doubling: a line of any length is read in linear time.
        let limit = (end + end.max(BATCH)).min(max + BATCH);
        if bytes.len() < limit {
            bytes.resize(limit, 0);
        }
        while end < limit && !dry && !ended {
            let Some(read) = read_some(reader, &mut bytes[end..limit])? else {
                ended = true;
                continue;
            };
            whole = memrchr(b'\n', &bytes[end..end + read]).map_or(whole, |last| end + last + 1);
            end += read;
            dry = (whole > 0 || owing) && reader.is_dry();
        }
        // No other line than the first: `max` is more than a batch.
        if end > max && memchr(b'\n', &bytes[..end]).unwrap_or(end) > max {
            let skipped = skip_line(reader, bytes, &mut end)?;
            batch.long.push(skipped.start);
            batch.skipped += skipped.length;
            whole = memrchr(b'\n', &bytes[..end]).map_or(0, |last| last + 1);
            ended |= skipped.ends_input;
        }
    }
    batch.length = if ended { end } else { whole };
    rest.extend_from_slice(&bytes[batch.length..end]);
    Ok(ended)
}

/// Reads something; none at the end.
fn read_some(reader: &mut Reader, into: &mut [u8]) -> io::Result<Option<usize>> {
    loop {
        match reader.read(into) {
            Ok(0) => return Ok(None),
            Ok(read) => return Ok(Some(read)),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// A line that is too long.
struct Skipped {
    start: Vec<u8>,
    /// With its line feed.
    length: u64,
    ends_input: bool,
}

/// Passes the line with which `bytes[..end]` begins. What has been read after it moves to the front; the memory is given back.
fn skip_line(reader: &mut Reader, bytes: &mut Vec<u8>, end: &mut usize) -> io::Result<Skipped> {
    let mut skipped = Skipped { start: bytes[..KEPT].to_vec(), length: 0, ends_input: false };
    loop {
        if let Some(at) = memchr(b'\n', &bytes[..*end]) {
            skipped.length += at as u64 + 1;
            bytes.copy_within(at + 1..*end, 0);
            *end -= at + 1;
            break;
        }
        skipped.length += *end as u64;
        bytes.truncate(BATCH);
        *end = read_some(reader, bytes)?.unwrap_or(0);
        if *end == 0 {
            skipped.ends_input = true;
            break;
        }
    }
    bytes.truncate(BATCH.max(*end));
    bytes.shrink_to_fit();
    Ok(skipped)
}
