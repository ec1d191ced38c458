//! Reads files and stdin as one sequence of lines, each with its place.

use super::batch::Batch;
use super::handed::Taker;
use super::source::{Reader, Source};
use crate::report::{Error, Place};
use memchr::{memchr, memmem, memrchr};
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

/// The number of bytes of a batch, unless one line is longer: the batch and its results stay in a core's cache. With 1 MiB, wp-export took
/// a tenth more time, and the five programs in a pipe 3 % more.
const BATCH: usize = 256 * 1024;
/// The number of bytes that are kept of an overlong line.
const KEPT: usize = 1 << 20;
/// The default for the longest line, or the longest element of a dump, in bytes: it is held in memory.
pub(crate) const MAX_RECORD: usize = 256 << 20;

/// All inputs of a run as one sequence of lines.
pub struct Input {
    sources: Vec<Source>,
    /// The number of the source that is being read.
    at: usize,
    reader: Option<Reader>,
    /// The start of a line whose end has not been read yet.
    rest: Vec<u8>,
    /// The number of the next line in the current source.
    next_line: u64,
    /// Whether the results of the last batch may still be unwritten when the next batch arrives.
    owes: bool,
    /// The last source ended within a line: the place and the reason, until this is reported.
    cut: Option<String>,
    max_record: usize,
    /// Whether to refuse items of wp-index.
    of_records: bool,
}

/// The error of an input whose last line is not finished. A stage that fails or is stopped ends its output in this way.
const CUT: &str = "the input ends within this line";

/// The reason for an unfinished line: a stage that breaks off its output gives its name.
fn why_cut(line: &[u8]) -> String {
    let word = line.strip_prefix(b"{\"broken_off_by\":\"").unwrap_or_default();
    let name = memchr(b'"', word).and_then(|end| std::str::from_utf8(&word[..end]).ok());
    match name.filter(|name| name.starts_with("wp-") && name.len() < 40) {
        Some(name) => format!("{CUT}: {name} has failed or was stopped"),
        None => format!("{CUT}: it was cut off, or the program that wrote it has failed"),
    }
}

/// The error of an input whose first line is a bracket.
const PRETTY: &str = "the JSON is spread over several lines; one record a line is needed, as `jq -c` writes it";
/// The error of an input whose first line is a list of objects.
const ARRAY: &str =
    "a JSON array, not one record a line: wp-index reads dumps, `jq -c '.[]'` makes lines of other arrays";
/// The error of an input with items instead of records.
const ITEMS: &str = "items of wp-index, not records: wp-parse comes first";
/// The error of an input with items of the API.
const API_ITEMS: &str = "items of the REST API, not records: wp-index comes first";
/// The error of an input that is the `--stats` of a program.
const STATS: &str = "the --stats of a stage, not records: for a report each file has its own --with";

/// The error of an input whose first line is an object of an earlier stage: of the API or, if records are expected, of wp-index.
/// (Records that kept their `api`, by wp-parse --keep-api, are accepted.)
fn is_too_early(line: &[u8], records_are_expected: bool) -> Option<&'static str> {
    let keys = serde_json::from_slice::<HashMap<Cow<'_, str>, IgnoredAny>>(line).ok()?;
    let has = |key: &str| keys.contains_key(key);
    let is_record = ["translations", "links", "title", "name", "content"].into_iter().any(has);
    if !has("site") && !has("kind") && has("id") && (has("_links") || memmem::find(line, b"\"rendered\"").is_some()) {
        return Some(API_ITEMS);
    }
    if !has("site") && has("program") && has("records_in") {
        return Some(STATS);
    }
    (records_are_expected && has("api") && !is_record).then_some(ITEMS)
}

impl Input {
    /// Reads the lines of `sources`, one after the other. The last line of a file ends with it.
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

    /// Sets the longest line that is accepted, at least a MiB: longer lines become rejects, and only their starts are kept.
    pub fn limit_records(&mut self, bytes: usize) {
        self.max_record = bytes.max(KEPT);
    }

    /// The longest line that is accepted, in bytes.
    pub(crate) fn max_record(&self) -> usize {
        self.max_record
    }

    /// Refuses the output of wp-index, which shows that a stage is missing in the pipe.
    pub(crate) fn expect_records(&mut self) {
        self.of_records = true;
    }

    /// Reads lines from memory.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Input::new(vec![Source::from_bytes(name, bytes)])
    }

    /// Reads the output of another stage of this process.
    pub(super) fn handed(taker: Taker) -> Self {
        Input::new(vec![Source::handed(taker)])
    }

    /// The number of bytes of all sources; `None` if a size is unknown.
    pub fn size(&self) -> Option<u64> {
        self.sources.iter().map(Source::size).sum()
    }

    /// Fills `batch` with about 256 KiB of whole lines, or with fewer if no more have arrived yet; returns false at the end.
    ///
    /// # Errors
    /// If an input cannot be read or decompressed.
    pub(crate) fn read(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.clear();
        if let Some(cut) = self.cut.take() {
            return Err(Error::BrokenOff(cut));
        }
        while let Some(name) = self.open()? {
            let reader = self.reader.as_mut().expect("it was just opened");
            let ended = fill(reader, batch, &mut self.rest, self.owes, self.max_record);
            let ended = ended.map_err(|e| Error::io(&*name, e))?;
            // At the end of the last source, all results are written anyway.
            batch.awaited = if ended { self.at + 1 < self.sources.len() } else { batch.awaited || reader.is_dry() };
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

    /// Fills `batch` with the next `length` bytes, which another input of the same sources has read as one batch. Skips `skipped` bytes
    /// first, as that input did; returns false if the source is shorter.
    pub(crate) fn read_again(&mut self, batch: &mut Batch, skipped: u64, length: usize) -> Result<bool, Error> {
        batch.clear();
        self.skip(skipped)?;
        if batch.bytes.len() < length {
            batch.bytes.resize(length, 0);
        }
        while let Some(name) = self.open()? {
            let reader = self.reader.as_mut().expect("it was just opened");
            while batch.length < length
                && let Some(read) =
                    read_some(reader, &mut batch.bytes[batch.length..length]).map_err(|e| Error::io(&*name, e))?
            {
                batch.length += read;
            }
            if batch.length > 0 || length == 0 {
                self.number(batch, name)?;
                break;
            }
            self.close();
        }
        Ok(batch.length == length)
    }

    /// Reads bytes and discards them.
    fn skip(&mut self, mut bytes: u64) -> Result<(), Error> {
        while bytes > 0
            && let Some(name) = self.open()?
        {
            let mut part = vec![0; BATCH.min(usize::try_from(bytes).unwrap_or(BATCH))];
            let reader = self.reader.as_mut().expect("it was just opened");
            match read_some(reader, &mut part).map_err(|e| Error::io(&*name, e))? {
                None => self.close(),
                Some(read) => {
                    self.next_line += memchr::memchr_iter(b'\n', &part[..read]).count() as u64;
                    bytes -= read as u64;
                }
            }
        }
        Ok(())
    }

    /// Opens the current source, unless it is open, and returns its name; `None` at the end of the last source.
    fn open(&mut self) -> Result<Option<Arc<str>>, Error> {
        let Some(source) = self.sources.get_mut(self.at) else { return Ok(None) };
        if self.reader.is_none() {
            self.reader = Some(source.reader()?);
            self.next_line = 1;
        }
        Ok(Some(source.name().clone()))
    }

    /// Ends the current source.
    fn close(&mut self) {
        self.reader = None;
        self.at += 1;
    }

    /// Sets the file and the first line number of a batch.
    fn number(&mut self, batch: &mut Batch, name: Arc<str>) -> Result<(), Error> {
        batch.file = name;
        self.next_line += batch.long.len() as u64;
        batch.first = self.next_line;
        if self.next_line == 1
            && let Some(what) = batch.lines().next().and_then(|line| self.refuse(line.bytes.trim_ascii()))
        {
            return Err(Error::Fatal(format!("{}: {what}", batch.file)));
        }
        self.next_line += memchr::memchr_iter(b'\n', &batch.bytes[..batch.length]).count() as u64;
        Ok(())
    }

    /// The error of an input that begins with this line.
    fn refuse(&self, line: &[u8]) -> Option<&'static str> {
        match line {
            b"{" | b"[" => Some(PRETTY),
            _ if line.starts_with(b"[{") => Some(ARRAY),
            _ => is_too_early(line, self.of_records),
        }
    }

    /// Removes an unfinished last line from the last batch of a source, and returns its place and the reason. The lines before it are
    /// complete records and are kept; those after it are missing.
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

    /// Returns `N` more inputs with the same lines, to be read by [`Input::read_again`], at any time up to the point that this input
    /// has reached. A source that can be read only once is copied into a spool.
    ///
    /// # Errors
    /// If an input has been read before, or a spool cannot be created.
    pub(crate) fn followers<const N: usize>(&mut self) -> Result<[Input; N], Error> {
        let mut followers = [const { Vec::new() }; N];
        for source in &mut self.sources {
            followers.iter_mut().zip(source.followers(N)?).for_each(|(sources, source)| sources.push(source));
        }
        Ok(followers.map(Input::new))
    }

    /// The names of the inputs, in order.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.sources.iter().map(Source::name)
    }

    /// Copies sources that can be read only once into a spool, so that [`Input::rewind`] works.
    pub(crate) fn make_rereadable(&mut self) -> Result<(), Error> {
        self.sources.iter_mut().try_for_each(Source::make_rereadable)
    }

    /// Starts again at the first line.
    pub(crate) fn rewind(&mut self) {
        self.at = 0;
        self.reader = None;
        self.rest.clear();
        self.next_line = 1;
    }
}

/// Whether the line is an object whose end is missing.
fn is_unfinished(line: &[u8]) -> bool {
    // A stage that fails while a signal stops it may write this twice.
    line.starts_with(b"{\"broken_off_by\":")
        || line.trim_ascii_start().starts_with(b"{")
            && serde_json::from_slice::<IgnoredAny>(line).is_err_and(|e| e.is_eof())
}

/// Reads until `batch` has enough whole lines; the start of an unfinished line is kept in `rest`, which precedes the next batch. Returns
/// true at the end of the input. Does not wait for data once it has a line, and not at all if results are `owing`. Of a line of more than
/// `max` bytes, only the start is kept.
fn fill(reader: &mut Reader, batch: &mut Batch, rest: &mut Vec<u8>, owing: bool, max: usize) -> io::Result<bool> {
    batch.awaited = false;
    let bytes = &mut batch.bytes;
    if rest.is_empty()
        && let Some(ended) = reader.take_lines(bytes, max)?
    {
        batch.length = if ended { 0 } else { bytes.len() };
        return Ok(ended);
    }
    let mut end = rest.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[..end].copy_from_slice(rest);
    rest.clear();
    let mut whole = 0;
    let (mut dry, mut ended) = (false, false);
    while whole == 0 && !dry && !ended {
        // Doubling the buffer reads a line of any length in linear time.
        let limit = (end + end.max(BATCH)).min(max + BATCH);
        if bytes.is_empty() {
            // Zeroed memory costs nothing until it is used.
            *bytes = vec![0; limit];
        } else if bytes.len() < limit {
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
        // Only the first line can be too long: `max` is larger than a batch.
        if end > max && memchr(b'\n', &bytes[..end]).unwrap_or(end) > max {
            let skipped = skip_line(reader, bytes, &mut end)?;
            batch.long.push(skipped.start);
            batch.skipped += skipped.length;
            whole = memrchr(b'\n', &bytes[..end]).map_or(0, |last| last + 1);
            ended |= skipped.ends_input;
        }
    }
    // What arrives from now on is for the next batch, which may be long in coming.
    batch.awaited = dry;
    batch.length = if ended { end } else { whole };
    rest.extend_from_slice(&bytes[batch.length..end]);
    Ok(ended)
}

/// Reads some bytes; `None` at the end.
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

/// An overlong line that was skipped.
struct Skipped {
    start: Vec<u8>,
    /// The length of the line, including its line feed.
    length: u64,
    ends_input: bool,
}

/// Skips the line at the start of `bytes[..end]`. The bytes that were read after it move to the front, and the memory is released.
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
