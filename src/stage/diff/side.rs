//! Reads one side of a comparison: writes all of its records to a temporary file, site by site, and the facts of each
//! record to another.

use super::facts::{Facts, KINDS, NEVER, known};
use super::stream::Stream;
use crate::ndjson::{Batch, Input, Object, Source, gather_batches, is_end};
use crate::record::shape_of;
use crate::report::{Error, Notes, Place, Report};
use crate::spill::{PartOfFile, Sorter, Spool, failed};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;

pub(super) struct Side {
    lines: File,
    facts: File,
    pub(super) sites: Vec<Site>,
    /// The keys that have a value in any record, by kind, as bits.
    pub(super) present: [u64; KINDS.len()],
    pub(super) post_types: PostTypes,
}

/// The types of the posts of each site.
type PostTypes = BTreeMap<String, BTreeSet<String>>;

pub(super) struct Site {
    pub(super) name: Box<str>,
    /// The numbers of its records.
    pub(super) records: Range<u32>,
    pub(super) has_end: bool,
}

/// The results of a worker for a batch.
#[derive(Default)]
struct SideBatch {
    lines: Vec<u8>,
    /// For each line: its facts, where it ends in `lines`, the place of its site in `sites`, its number in the file.
    records: Vec<(Facts, usize, usize, u64)>,
    sites: Vec<String>,
    ended: Vec<String>,
    present: [u64; KINDS.len()],
    post_types: PostTypes,
    count: u64,
}

impl SideBatch {
    fn clear(&mut self) {
        self.records.clear();
        self.lines.clear();
        self.sites.clear();
        self.count = 0;
    }

    fn read(&mut self, batch: &Batch, notes: &mut Notes) {
        for line in batch.lines() {
            if is_end(line.bytes) {
                let end = Object::parse(line.bytes).ok();
                self.ended.extend(end.and_then(|end| end.text("site").map(|site| site.as_str().to_owned())));
                continue;
            }
            self.count += 1;
            let Some(object) = line.or_reject(Object::parse(line.bytes), notes) else { continue };
            let Some(record) = known(&object) else {
                notes.count("left_out", 1);
                continue;
            };
            if self.sites.last().is_none_or(|last| **last != *record.site) {
                self.sites.push(record.site.as_str().to_owned());
            }
            self.present[record.kind] |= record.present;
            if KINDS[record.kind] == "post"
                && let Some(word) = object.text("type")
            {
                if !self.post_types.contains_key(record.site.as_str()) {
                    self.post_types.insert(record.site.as_str().to_owned(), BTreeSet::new());
                }
                let types = self.post_types.get_mut(record.site.as_str());
                if let Some(types) = types.filter(|types| !types.contains(word.as_str())) {
                    types.insert(word.as_str().to_owned());
                }
            }
            self.lines.extend_from_slice(line.bytes);
            self.lines.push(b'\n');
            self.records.push((record.facts, self.lines.len(), self.sites.len() - 1, line.number));
        }
    }
}

/// Writes the records that were read.
struct SideWriter {
    lines: Spool,
    facts: Spool,
    bytes: u64,
    count: u32,
    sites: Vec<Site>,
    /// For a stream: its sites so far, and the last lines of the sites that have ended.
    seen: HashMap<String, Place>,
    /// For a dataset: the lines by site, and the numbers of the sites.
    sorter: Option<(Sorter, BTreeMap<String, u32>, Vec<String>)>,
}

impl SideWriter {
    fn write(&mut self, site: &str, mut facts: Facts, line: &[u8]) -> Result<(), Error> {
        if self.sites.last().is_none_or(|last| *last.name != *site) {
            self.sites.push(Site { name: site.into(), records: self.count..self.count, has_end: false });
        }
        facts.at = self.bytes;
        self.bytes += line.len() as u64;
        self.count = self.count.checked_add(1).ok_or_else(|| Error::Fatal("more than 4,294,967,295 records".into()))?;
        self.sites.last_mut().expect("one has been pushed").records.end = self.count;
        self.lines.write(line)?;
        self.facts.write(&facts.to_bytes())
    }

    /// Adds a record of a stream, whose sites must be contiguous, or of a dataset.
    fn take(&mut self, site: &str, facts: Facts, line: &[u8], place: impl FnOnce() -> Place) -> Result<(), Error> {
        if let Some((sorter, numbers, names)) = &mut self.sorter {
            let number = match numbers.get(site) {
                Some(&number) => number,
                None => {
                    names.push(site.to_owned());
                    *numbers.entry(site.to_owned()).or_insert(names.len() as u32 - 1)
                }
            };
            let mut key = [0; 12];
            key[..4].copy_from_slice(&number.to_be_bytes());
            key[4..].copy_from_slice(&self.bytes.to_be_bytes());
            self.bytes += line.len() as u64;
            return sorter.add(&key, &[&facts.to_bytes(), line].concat());
        }
        if self.sites.last().is_none_or(|last| *last.name != *site) {
            let here = place();
            if let Some(first) = self.seen.get(site) {
                return Err(Error::Fatal(format!(
                    "{here}: the records of site {site} are not contiguous: it begins at {first}; sort the stream by site"
                )));
            }
            self.seen.insert(site.to_owned(), here);
        }
        self.write(site, facts, line)
    }

    fn finish(&mut self) -> Result<(), Error> {
        let Some((sorter, _, names)) = self.sorter.take() else { return Ok(()) };
        self.bytes = 0;
        let mut sorted = sorter.sorted()?;
        while let Some((key, value)) = sorted.next()? {
            let number = u32::from_be_bytes(key[..4].try_into().expect("four bytes"));
            let (facts, line) = value.split_at(Facts::BYTES);
            self.write(&names[number as usize], Facts::of_bytes(facts), line)?;
        }
        Ok(())
    }
}

impl Side {
    /// Reads a stream; `name` is the name of the count of its records.
    pub(super) fn read(
        stream: &mut Stream,
        name: &'static str,
        report: &mut Report,
        jobs: usize,
    ) -> Result<Self, Error> {
        stream.input.expect_records();
        let sorter = stream.is_dataset.then(|| (Sorter::default(), BTreeMap::new(), Vec::new()));
        let (lines, facts) = (Spool::new()?, Spool::new()?);
        let (sites, seen) = (Vec::new(), HashMap::new());
        let mut writer = SideWriter { lines, facts, bytes: 0, count: 0, sites, seen, sorter };
        let (mut present, mut ended) = ([0; KINDS.len()], BTreeSet::new());
        let mut post_types = PostTypes::new();
        let input = &mut stream.input;
        gather_batches(
            |batch, _| input.read(batch),
            report,
            jobs,
            || |batch: &Batch, part: &mut SideBatch, notes: &mut Notes| part.read(batch, notes),
            |batch, part, report| {
                let mut start = 0;
                for &(facts, end, site, number) in &part.records {
                    let place = || Place::line(batch.file(), number);
                    writer.take(&part.sites[site], facts, &part.lines[start..end], place)?;
                    start = end;
                }
                present.iter_mut().zip(part.present).for_each(|(all, some)| *all |= some);
                ended.extend(part.ended.drain(..));
                for (site, mut types) in std::mem::take(&mut part.post_types) {
                    post_types.entry(site).or_default().append(&mut types);
                }
                report.count(name, part.count);
                report.advance(part.count, batch.len() as u64);
                part.clear();
                Ok(())
            },
        )?;
        writer.finish()?;
        for site in &mut writer.sites {
            site.has_end = ended.contains(&*site.name);
        }
        let (lines, facts) = (writer.lines.into_reader()?, writer.facts.into_reader()?);
        Ok(Side { lines, facts, sites: writer.sites, present, post_types })
    }

    pub(super) fn count(&self) -> u32 {
        self.sites.last().map_or(0, |site| site.records.end)
    }

    /// Calls `take` with the facts of each record, in order.
    pub(super) fn each(&self, take: impl FnMut(Facts) -> Result<(), Error>) -> Result<(), Error> {
        self.each_of(0..self.count(), take)
    }

    fn each_of(&self, records: Range<u32>, mut take: impl FnMut(Facts) -> Result<(), Error>) -> Result<(), Error> {
        let at = u64::from(records.start) * Facts::BYTES as u64;
        let mut file = BufReader::with_capacity(1 << 16, PartOfFile { file: &self.facts, at, end: u64::MAX });
        let mut bytes = [0; Facts::BYTES];
        for _ in records {
            file.read_exact(&mut bytes).map_err(failed)?;
            take(Facts::of_bytes(&bytes))?;
        }
        Ok(())
    }

    /// The line that begins at this position, without its line feed.
    pub(super) fn line(&self, at: u64) -> Result<Vec<u8>, Error> {
        let mut most = 16 << 10;
        loop {
            let mut line = Vec::with_capacity(most);
            let mut part = PartOfFile { file: &self.lines, at, end: at + most as u64 };
            let read = part.read_to_end(&mut line).map_err(failed)?;
            match memchr::memchr(b'\n', &line) {
                Some(end) => {
                    line.truncate(end);
                    return Ok(line);
                }
                None if read < most => return Err(failed(io::ErrorKind::UnexpectedEof.into())),
                None => most *= 8,
            }
        }
    }

    /// Calls `take` with the lines of these records and their positions.
    pub(super) fn each_line(&self, records: Range<u32>, mut take: impl FnMut(u64, &[u8])) -> Result<(), Error> {
        self.each_of(records, |facts| {
            take(facts.at, &self.line(facts.at)?);
            Ok(())
        })
    }

    /// All lines, from the first one.
    pub(super) fn input(&self) -> Result<Input, Error> {
        let file = self.lines.try_clone().map_err(failed)?;
        let mut input = Input::new(vec![Source::from_file("spool", file)?]);
        input.limit_records(usize::MAX >> 2);
        Ok(input)
    }

    /// The keys of a kind that have a value on the other side, but in no record of this one.
    pub(super) fn empty_beside(&self, other: &Side) -> Vec<String> {
        let mut names = Vec::new();
        for (kind, (&own, &others)) in KINDS.iter().zip(self.present.iter().zip(&other.present)) {
            // If no key has a value, that side has no records of the kind, because every record has a site.
            if own == 0 || others == 0 {
                continue;
            }
            let shape = shape_of(kind).unwrap_or_default();
            let is_missing = |place: &usize| {
                own >> place & 1 == 0 && others >> place & 1 == 1 && !NEVER.contains(&shape[*place].key)
            };
            names.extend((0..shape.len()).filter(is_missing).map(|place| format!("{kind}.{}", shape[place].key)));
        }
        names
    }
}
