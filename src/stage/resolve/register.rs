//! The first pass: every record into the registry of its site, and registries from and to files.
//! What is done with lines that are no records is the second pass' business.

use super::Options;
use crate::ndjson::{Batch, Input, Line, write_json};
use crate::registry::{Facts, Registry};
use crate::report::{Error, Place, Report};
use crate::spill::WholeFile;
use ndjson_stream::config::{EmptyLineHandling, NdjsonConfig};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

/// The registries of all sites of a stream.
pub(super) struct Sites {
    registries: HashMap<Box<str>, Site>,
    /// Names of the inputs in their order.
    pub files: Vec<Arc<str>>,
}

struct Site {
    registry: Registry,
    /// Its last line in the stream so far.
    last: Place,
}

impl Sites {
    /// The registry of a site.
    pub fn get(&self, site: &str) -> Option<&Registry> {
        self.registries.get(site).map(|site| &site.registry)
    }

    /// Counts what was registered.
    pub fn report(&self, report: &mut Report) {
        report.count("sites", self.registries.len() as u64);
        for (name, site) in &self.registries {
            let (groups, refused) = site.registry.group_counts();
            report.count("registered", site.registry.len() as u64);
            report.count("urls", site.registry.urls() as u64);
            report.count("groups", groups);
            report.count("translations_refused", refused);
            if refused > 0 {
                report.warn(&format!(
                    "{name}: {refused} translations contradict others (two records of one language in a group); they have no target"
                ));
            }
        }
    }
}

/// Reads all of `input` and of the registry files.
pub(super) fn read(options: &Options, input: &mut Input, report: &mut Report) -> Result<Sites, Error> {
    let mut sites = Sites { registries: HashMap::new(), files: Vec::new() };
    let mut out = options.registry_out.as_deref().map(RegistryFile::create).transpose()?;
    let mut batch = Batch::empty();
    let mut current: Option<(Box<str>, Site)> = None;
    while input.read(&mut batch)? {
        for line in batch.lines() {
            if sites.files.last().is_none_or(|file| !Arc::ptr_eq(file, line.file)) {
                sites.files.push(line.file.clone());
            }
            register_line(&mut sites, &mut current, &line, out.as_mut(), report)?;
        }
    }
    if let Some((name, site)) = current {
        sites.registries.insert(name, site);
    }
    for path in &options.registries {
        read_registry(&mut sites, path, out.as_mut())?;
    }
    if let Some(out) = out {
        out.file.commit()?;
    }
    for site in sites.registries.values_mut() {
        site.registry.close();
    }
    Ok(sites)
}

fn register_line(
    sites: &mut Sites,
    current: &mut Option<(Box<str>, Site)>,
    line: &Line<'_>,
    out: Option<&mut RegistryFile>,
    report: &mut Report,
) -> Result<(), Error> {
    let Ok(text) = simdutf8::basic::from_utf8(line.bytes) else { return Ok(()) };
    let facts: Facts<'_> = match serde_json::from_str(text) {
        Ok(facts) => facts,
        Err(e) => {
            if e.is_data() && text.trim_start().starts_with('{') {
                let what = e.to_string();
                let what = what.split(" at line ").next().unwrap_or(&what);
                report.defect("unregistered", &line.place(), &format!("{what}: nothing can lead to this record"));
            }
            return Ok(());
        }
    };
    // What has no kind that we know passes by, wherever it stands.
    let Some(name) = facts.site.as_deref().filter(|_| facts.kind.is_some()) else { return Ok(()) };
    if current.as_ref().is_none_or(|(site, _)| **site != *name) {
        if let Some((left, site)) = current.take() {
            sites.registries.insert(left, site);
        }
        if let Some(earlier) = sites.registries.get(name) {
            return Err(Error::Trouble(format!(
                "{}: site {name} comes back after another; its records before end at {}: sort the stream by site",
                line.place(),
                earlier.last
            )));
        }
        *current = Some((name.into(), Site { registry: Registry::new(), last: line.place() }));
    }
    let Some((_, site)) = current else { return Ok(()) };
    site.last = line.place();
    let taken = site.registry.register(&facts);
    if taken.map_err(|what| Error::Trouble(format!("{}: site {name}: {what}", line.place())))?
        && let Some(out) = out
    {
        out.write(&facts)?;
    }
    Ok(())
}

/// Reads a registry file; records of sites that are not in the stream are passed over.
fn read_registry(sites: &mut Sites, path: &Path, mut out: Option<&mut RegistryFile>) -> Result<(), Error> {
    let name = path.display().to_string();
    let mut source = crate::ndjson::Source::open(&name)?;
    let mut reader = source.reader()?;
    let config = NdjsonConfig::default().with_empty_line_handling(EmptyLineHandling::IgnoreBlank).with_parse_rest(true);
    let mut engine = ndjson_stream::engine::NdjsonEngine::<Box<RawValue>>::with_config(config);
    let mut buffer = vec![0; 1 << 20];
    let mut number = 0u64;
    loop {
        let length = match reader.read(&mut buffer) {
            Ok(length) => length,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Error::io(name, e)),
        };
        if length == 0 {
            engine.finalize();
        } else {
            engine.input(&buffer[..length]);
        }
        while let Some(line) = engine.pop() {
            number += 1;
            let trouble = |what: String| Error::Trouble(format!("{name}: record {number}: {what}"));
            let unreadable = |e: serde_json::Error| trouble(format!("not a line of a registry: {e}"));
            let line = line.map_err(unreadable)?;
            let facts: Facts<'_> = serde_json::from_str(line.get()).map_err(unreadable)?;
            let Some(site) = facts.site.as_deref().and_then(|site| sites.registries.get_mut(site)) else { continue };
            if site.registry.register(&facts).map_err(|what| trouble(what.into()))?
                && let Some(out) = out.as_deref_mut()
            {
                out.write(&facts)?;
            }
        }
        if length == 0 {
            return Ok(());
        }
    }
}

/// The registry as a file: what [`Facts`] says of each record.
struct RegistryFile {
    name: String,
    file: WholeFile,
    line: Vec<u8>,
}

impl RegistryFile {
    fn create(path: &Path) -> Result<Self, Error> {
        Ok(RegistryFile { name: path.display().to_string(), file: WholeFile::create(path)?, line: Vec::new() })
    }

    fn write(&mut self, facts: &Facts<'_>) -> Result<(), Error> {
        self.line.clear();
        write_json(&mut self.line, facts);
        self.line.push(b'\n');
        self.file.write_all(&self.line).map_err(|e| Error::io(self.name.as_str(), e))
    }
}
