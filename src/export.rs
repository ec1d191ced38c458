//! Exports resolved records to a dataset: by itself as lines of JSON ([`jsonl`]), or in a format of the table that the program hands in
//! ([`crate::formats`]). All formats are written from the same resolved stream; the programs before wp-export have decided what the
//! records mean.
//!
//! A format is a function that reads a [`job::Job`], writes to a folder ([`dataset`]) or a stream, and returns a tally.

pub(crate) mod dataset;
pub(crate) mod files;
pub(crate) mod job;
pub(crate) mod jsonl;
pub(crate) mod languages;
pub(crate) mod pseudonyms;

pub use dataset::folder::Compression;

use crate::ndjson::Output;
use crate::report::Error;
use dataset::folder::Folder;
use dataset::tally::Tally;
use job::{Job, Put};

/// Reads a job and writes to a folder or a stream.
pub(crate) type WriteTo<Destination> = fn(&mut Destination, &mut Job<'_>) -> Result<Tally, Error>;

/// How a format writes its dataset, except for the manifest.
#[derive(Debug)]
pub(crate) enum Writing {
    /// One file of this name in a folder (`-d DIR`), or one stream (the standard output, `-o FILE`).
    One(&'static str, fn(&mut Job<'_>, &mut Put<'_>) -> Result<Tally, Error>),
    /// Files in a folder, or one stream if the format supports it.
    Files(WriteTo<Folder>, Option<WriteTo<Output>>),
}
use Writing::{Files, One};

/// The names of the counts of documents whose authors or terms are only ids, because their records are not in the input.
pub(crate) const NAMELESS: [&str; 2] = ["authors_without_name", "terms_without_name"];

/// How a dataset is written: a row of the table of formats.
#[derive(Debug)]
pub struct Format {
    /// The word for it in `--format` and in the manifest.
    pub(crate) name: &'static str,
    pub(crate) writing: Writing,
    /// Whether `--compress` applies to the files of a folder.
    pub(crate) compresses: bool,
    /// How the files of a folder are compressed without `--compress`.
    pub(crate) compression: Option<Compression>,
    /// The minimum number of languages in `--languages`, for formats in which this option also gives an order; `None` if it only selects
    /// records.
    pub(crate) languages: Option<usize>,
    /// Whether `--with` applies.
    pub(crate) accounts: bool,
    /// Whether `--links` applies.
    pub(crate) links: bool,
    /// Words that may follow the name, as in `graph:link,term`.
    pub(crate) variants: &'static [&'static str],
    /// Whether it is written from alignments alone.
    pub(crate) reads_alignments: bool,
    /// Whether other tables refer to its rows by their keys, so that each may come only once.
    pub(crate) has_keys: bool,
}

/// The default, and the base of all rows: the records as they are. Other rows change some of its fields.
pub(crate) const JSONL: Format = Format {
    name: "jsonl",
    writing: Files(jsonl::write_folder, Some(jsonl::write_stream)),
    compresses: true,
    compression: None,
    languages: None,
    accounts: false,
    links: false,
    variants: &[],
    reads_alignments: false,
    has_keys: false,
};

impl Format {
    /// The word for it in `--format` and in the manifest.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn write_folder(&self, folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
        match self.writing {
            Files(write, _) => write(folder, job),
            One(file, write) => {
                let number = folder.create(file, None, None)?;
                write(job, &mut |bytes, records| folder.append(number, bytes, records))
            }
        }
    }

    pub(crate) fn write_stream(&self, output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
        match self.writing {
            Files(_, Some(write)) => write(output, job),
            One(_, write) => write(job, &mut |bytes, _| output.write(bytes)),
            Files(_, None) => {
                let what = format!("--format {} writes several files: name a folder with -d DIR", self.name);
                Err(Error::Fatal(what))
            }
        }
    }

    /// The format out of `formats` that `--format` names, and its variants: `graph:link,term`.
    ///
    /// # Errors
    /// If the name or a variant is unknown: a message that says so.
    pub fn chosen(formats: &'static [Format], text: &str) -> Result<(&'static Format, Vec<String>), String> {
        let named = |name: &str| formats.iter().find(|format| format.name == name);
        if let Some(format) = named(text) {
            return Ok((format, Vec::new()));
        }
        let (name, variants) = text.split_once(':').unwrap_or((text, ""));
        let variants: Vec<String> = variants.split(',').map(str::to_owned).collect();
        let format = named(name).ok_or_else(|| match name {
            "parquet" => "not in this build; in the packages, and with cargo build --features parquet".to_owned(),
            _ => format!("the formats are {}", formats.iter().map(Format::name).collect::<Vec<_>>().join(", ")),
        })?;
        let Some(wrong) = variants.iter().find(|variant| !format.variants.contains(&variant.as_str())) else {
            return Ok((format, variants));
        };
        let own = format.variants.iter().map(|variant| format!("{name}:{variant}"));
        let others = formats.iter().map(|other| other.name.to_owned());
        let others = others.filter(|other| other.split_once(':').is_some_and(|(of, _)| of == name));
        let known = own.chain(others).collect::<Vec<_>>().join(", ");
        let there_are = if known.is_empty() { String::new() } else { format!("; there are {known}") };
        Err(format!("{name} has no variant {wrong}{there_are}"))
    }
}

impl Default for &Format {
    fn default() -> Self {
        &JSONL
    }
}
