//! The formats of a dataset, one small file each: [`jsonl`] as the lines came, [`wpextract`] for users of the peer.
//! All are written from the same resolved stream; what the records mean was decided before.
//!
//! A format is a function that reads a [`Job`], writes a [`folder::Folder`] or a stream, and gives back a
//! [`tally::Tally`]. A new one is a file beside these, a variant of [`Format`] with its line in [`Format::traits`], and an
//! arm in [`write_folder`] or [`write_stream`].

pub mod card;
pub mod croissant;
pub mod documents;
pub mod folder;
pub mod jsonl;
pub mod loaders;
pub mod manifest;
pub mod names;
pub mod schema;
pub mod selection;
pub mod shape;
pub mod tally;
pub mod wpextract;

use crate::ndjson::{Input, Output};
use crate::report::{Error, Report};
use folder::Folder;
use selection::Selection;
use tally::Tally;

/// How a dataset is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// The records as they are, one a line, a file a type.
    #[default]
    Jsonl,
    /// The six JSON files of wpextract 1.1.1.
    Wpextract,
}

/// What is true of a format.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// The word for it in `--format` and in the manifest.
    pub name: &'static str,
    /// The function for `-d DIR` exists: files and a manifest.
    pub to_folder: bool,
    /// The one for the standard output and `-o FILE`.
    pub to_stream: bool,
    /// `--compress` applies to the files of a folder.
    pub compresses: bool,
    /// `--prefix` applies.
    pub prefixes: bool,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 2] = [Format::Jsonl, Format::Wpextract];

    /// What is true of it.
    pub fn traits(self) -> Traits {
        let files = Traits { name: "", to_folder: true, to_stream: false, compresses: false, prefixes: false };
        match self {
            Format::Jsonl => Traits { name: "jsonl", to_stream: true, compresses: true, ..files },
            Format::Wpextract => Traits { name: "wpextract", prefixes: true, ..files },
        }
    }

    /// The word for it in `--format` and in the manifest.
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// What every format works with.
pub struct Job<'a> {
    /// What is left out.
    pub selection: &'a Selection,
    /// The records.
    pub input: &'a mut Input,
    /// What there is to say.
    pub report: &'a mut Report,
    /// Threads to work in; the result is the same for any number.
    pub jobs: usize,
    /// What the names of files begin with ([`Traits::prefixes`]).
    pub prefix: &'a str,
}

/// Writes a dataset's files into `folder`, but for the manifest.
///
/// # Errors
/// When reading or writing fails, the format cannot be files, or the report stops the run.
pub fn write_folder(format: Format, folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    match format {
        Format::Jsonl => jsonl::write_folder(folder, job),
        Format::Wpextract => wpextract::write_folder(folder, job),
    }
}

/// Writes a dataset as one stream.
///
/// # Errors
/// As [`write_folder`], or the format cannot be a stream.
pub fn write_stream(format: Format, output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    match format {
        Format::Jsonl => jsonl::write_stream(output, job),
        Format::Wpextract => {
            Err(Error::Trouble(format!("--format {} writes several files: -d DIR says where", format.name())))
        }
    }
}
