//! Reads and writes registry files: NDJSON with the [`Facts`] of each record. The stream determines which of their
//! records are needed.

use crate::minhash::Sketch;
use crate::ndjson::write_json;
use crate::record::{Str, fields};
use crate::registry::{Facts, Register};
use crate::report::{Error, shown_path};
use crate::spill::{PartOfFile, failed, unnamed};
use crate::urls::UrlKey;
use crate::whole_file::WholeFile;
use ndjson_stream::config::{EmptyLineHandling, NdjsonConfig};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The registries of earlier runs, copied to an unlinked file from which each site is read when needed.
pub(super) struct Earlier {
    files: Vec<String>,
    copy: File,
    sites: HashMap<Box<str>, Vec<SiteLines>>,
}

/// Contiguous lines of a site.
struct SiteLines {
    /// The number of the file.
    file: usize,
    /// The number of the first of these lines in it.
    first: u64,
    /// Their position in the copy.
    start: u64,
    length: u64,
}

/// The part of a line that names its site.
#[derive(Deserialize)]
struct OfSite<'a> {
    #[serde(borrow)]
    site: Option<std::borrow::Cow<'a, str>>,
}

impl Earlier {
    /// Reads the files; `None` if there are none.
    pub(super) fn read(paths: &[PathBuf]) -> Result<Option<Self>, Error> {
        if paths.is_empty() {
            return Ok(None);
        }
        let copy = unnamed()?;
        let mut writer = BufWriter::new(copy.try_clone().map_err(failed)?);
        let mut earlier = Earlier { files: Vec::new(), copy, sites: HashMap::new() };
        let mut length = 0;
        for path in paths {
            earlier.files.push(shown_path(path));
            earlier.read_file(path, &mut writer, &mut length)?;
        }
        writer.flush().map_err(failed)?;
        Ok(Some(earlier))
    }

    /// Reads the last of the files.
    fn read_file(&mut self, path: &Path, writer: &mut impl Write, length: &mut u64) -> Result<(), Error> {
        let file = self.files.len() - 1;
        let name = &self.files[file];
        let mut last: Option<Box<str>> = None;
        let mut number = 0;
        for_each_line(path, |line| {
            number += 1;
            let unreadable = |e: serde_json::Error| unreadable(name, number, &e);
            let line = line.map_err(unreadable)?;
            let of: OfSite<'_> = serde_json::from_str(line.get()).map_err(unreadable)?;
            let Some(site) = of.site else { return Ok(()) };
            let start = *length;
            // White space in a line may include line ends: only serde_json may read it.
            let text = line.get().replace(['\n', '\r'], " ");
            writer.write_all(text.as_bytes()).and_then(|()| writer.write_all(b"\n")).map_err(failed)?;
            *length += text.len() as u64 + 1;
            let runs = match self.sites.get_mut(&*site) {
                Some(runs) => runs,
                None => self.sites.entry((*site).into()).or_default(),
            };
            match runs.last_mut().filter(|_| last.as_deref() == Some(&*site)) {
                Some(run) => run.length = *length - run.start,
                None => {
                    runs.push(SiteLines { file, first: number, start, length: *length - start });
                    last = Some((*site).into());
                }
            }
            Ok(())
        })
    }

    /// Registers their records of a site, in addition to its own.
    pub(super) fn complete(
        &self,
        site: &str,
        registry: &mut Register,
        mut out: Option<&mut RegistryFile>,
    ) -> Result<(), Error> {
        for run in self.sites.get(site).into_iter().flatten() {
            let name = &self.files[run.file];
            let mut lines =
                std::io::BufReader::new(PartOfFile { file: &self.copy, at: run.start, end: run.start + run.length });
            let mut line = Vec::new();
            for number in run.first.. {
                line.clear();
                if std::io::BufRead::read_until(&mut lines, b'\n', &mut line).map_err(failed)? == 0 {
                    break;
                }
                let facts: Facts<'_> = serde_json::from_slice(&line).map_err(|e| unreadable(name, number, &e))?;
                let taken = registry.register(&facts, facts.sketch.as_deref().and_then(Sketch::parse));
                if taken.is_new
                    && let Some(out) = out.as_deref_mut()
                {
                    out.write(&facts)?;
                }
            }
        }
        Ok(())
    }
}

fn unreadable(name: &str, number: u64, error: &serde_json::Error) -> Error {
    Error::Fatal(format!("{name}: record {number}: not a line of a registry: {error}"))
}

/// The URLs, as hashes of their keys, of pages that wp-index has left out according to its log: 16 bytes each.
pub(super) fn left_out(log: &Path) -> Result<HashSet<u128>, Error> {
    let name = shown_path(log);
    let mut found = HashSet::new();
    let mut number = 0;
    for_each_line(log, |line| {
        number += 1;
        let unreadable =
            |e: serde_json::Error| Error::Fatal(format!("{name}: line {number}: not a line of a page log: {e}"));
        let line = line.map_err(unreadable)?;
        let page: LoggedPage<'_> = serde_json::from_str(line.get()).map_err(unreadable)?;
        if page.fate.as_deref() == Some("left_out") {
            found.extend(page.url.as_deref().and_then(UrlKey::new).map(|key| key.hash()));
        }
        Ok(())
    })?;
    Ok(found)
}

fields! {
    /// Part of a line of wp-index's log of pages.
    record LoggedPage {
        /// The URL it was saved from.
        url: Option<Str<'a>>,
        /// What became of the page.
        fate: Option<Str<'a>>,
    }
}

/// Reads an NDJSON file, compressed or not.
fn for_each_line(
    path: &Path,
    mut take: impl FnMut(Result<Box<RawValue>, serde_json::Error>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut source = crate::ndjson::Source::open(path)?;
    let mut reader = source.reader()?;
    let config = NdjsonConfig::default().with_empty_line_handling(EmptyLineHandling::IgnoreBlank).with_parse_rest(true);
    let mut engine = ndjson_stream::engine::NdjsonEngine::<Box<RawValue>>::with_config(config);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let length = match reader.read(&mut buffer) {
            Ok(length) => length,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Error::io(shown_path(path), e)),
        };
        if length == 0 {
            engine.finalize();
        } else {
            engine.input(&buffer[..length]);
        }
        while let Some(line) = engine.pop() {
            take(line)?;
        }
        if length == 0 {
            return Ok(());
        }
    }
}

/// The registry file being written.
pub(super) struct RegistryFile {
    file: WholeFile,
    line: Vec<u8>,
}

impl RegistryFile {
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        Ok(RegistryFile { file: WholeFile::create(path)?, line: Vec::new() })
    }

    pub(super) fn write(&mut self, facts: &Facts<'_>) -> Result<(), Error> {
        self.line.clear();
        write_json(&mut self.line, facts);
        self.line.push(b'\n');
        self.file.put(&self.line)
    }

    pub(super) fn commit(self) -> Result<(), Error> {
        self.file.commit()
    }
}
