//! Writes and reads `manifest.json`: the contents of a dataset in a form that programs can check. It is the last file
//! to appear and the first to be removed, so that its presence means that the dataset is complete. It contains no time:
//! the same input gives the same bytes.

use crate::digest::hex;
use crate::export::dataset::passed::Chain;
use crate::export::dataset::pseudonymised;
use crate::export::dataset::references::References;
use crate::export::dataset::rights::RightsCount;
use crate::export::dataset::tally::{AddedKey, GivenName, Tally, TypeCount};
use crate::report::Read;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// A manifest is ours if its `program` is this word.
const PROGRAM: &str = "wp-export";

/// A file of the dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct File {
    /// The path below the folder, `/`-separated.
    pub(crate) name: String,
    /// The shape of its records; null if it holds records of several.
    pub(crate) kind: Option<Box<str>>,
    /// The type of its records, as WordPress names it; null if it holds records of several.
    pub(crate) r#type: Option<Box<str>>,
    /// The number of its records.
    pub(crate) records: u64,
    /// Its size on disk.
    pub(crate) bytes: u64,
    /// The SHA-256 of these bytes, in JSON 64 hexadecimal digits.
    #[serde(serialize_with = "in_hexadecimal")]
    pub sha256: [u8; 32],
}

/// A document about the dataset: a schema, a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Document {
    /// The path below the folder, `/`-separated.
    pub(crate) name: String,
    /// Its size.
    pub(crate) bytes: u64,
    /// The SHA-256 of these bytes, in JSON 64 hexadecimal digits.
    #[serde(serialize_with = "in_hexadecimal")]
    pub sha256: [u8; 32],
}

fn in_hexadecimal<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

#[derive(Serialize)]
struct Manifest<'a> {
    program: &'a str,
    version: &'a str,
    format: &'a str,
    compression: Option<&'a str>,
    sites: &'a [String],
    text_rules: &'a str,
    files: &'a [File],
    documents: &'a [Document],
    records: Vec<TypeCount>,
    languages: Vec<Language<'a>>,
    /// The records among them that are copies of another record's words.
    copies: Vec<Language<'a>>,
    /// The records among them whose text is in another language, according to wp-language.
    text_in_others: Vec<Otherwise<'a>>,
    links: References,
    images: References,
    translations: Translations,
    /// Records that have a page in a scrape.
    pages: u64,
    /// The programs that the records have passed through: each distinct chain.
    steps: Vec<Chain>,
    /// The inputs that wp-index read.
    inputs: &'a [Read],
    /// The number of elements of the input that wp-index could not read.
    rejects: Option<u64>,
    /// The number of records by licence and by reservation.
    rights: &'a RightsCount,
    left_out: Vec<TypeCount>,
    added_keys: &'a [AddedKey],
    /// Sites and languages whose names in files differ from the usual ones.
    #[serde(skip_serializing_if = "<[GivenName]>::is_empty")]
    names: &'a [GivenName],
    /// What --pseudonyms did to the records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pseudonyms: Option<pseudonymised::Counts>,
    /// Counts that only some formats have.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    counts: &'a BTreeMap<&'static str, u64>,
    /// The numbers of a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a serde_json::Value>,
}

#[derive(Serialize)]
struct Language<'a> {
    /// The language as a BCP 47 tag; null for the records without a language.
    language: Option<&'a str>,
    records: u64,
}

/// Records whose text is in a language other than the one that the site states.
#[derive(Serialize)]
pub(crate) struct Otherwise<'a> {
    language: &'a str,
    text_language: &'a str,
    records: u64,
}

impl<'a> Otherwise<'a> {
    pub(crate) fn all(tally: &'a Tally) -> Vec<Self> {
        let of = |((language, text_language), &records): (&'a (String, String), &u64)| Otherwise {
            language,
            text_language,
            records,
        };
        tally.text_in_others.iter().map(of).collect()
    }
}

#[derive(Serialize)]
struct Translations {
    found: u64,
    resolved: u64,
    groups: u64,
}

/// The manifest of a dataset as indented JSON with a final newline.
pub(crate) fn write(
    format: &str,
    compression: Option<&str>,
    files: &[File],
    documents: &[Document],
    tally: &Tally,
) -> Vec<u8> {
    let mut languages: Vec<_> =
        tally.languages.iter().map(|(tag, &records)| Language { language: Some(tag), records }).collect();
    let told: u64 = tally.languages.values().sum();
    if tally.written() > told {
        languages.push(Language { language: None, records: tally.written() - told });
    }
    let manifest = Manifest {
        program: PROGRAM,
        version: env!("CARGO_PKG_VERSION"),
        format,
        compression,
        sites: tally.sites.labels(),
        text_rules: tally.text_rules(),
        files,
        documents,
        records: tally.records.sorted(),
        languages,
        copies: tally.copies.iter().map(|(tag, &records)| Language { language: tag.as_deref(), records }).collect(),
        text_in_others: Otherwise::all(tally),
        links: tally.links,
        images: tally.images,
        translations: Translations {
            found: tally.translations.found,
            resolved: tally.translations.resolved,
            groups: tally.groups(),
        },
        pages: tally.pages,
        steps: tally.chains.ranked(tally.step.as_ref()),
        inputs: &tally.inputs,
        rejects: tally.rejects,
        rights: &tally.rights,
        left_out: tally.left_out.sorted(),
        added_keys: &tally.added_keys,
        names: &tally.names,
        pseudonyms: tally.pseudonyms,
        counts: &tally.counts,
        report: tally.overview.as_ref(),
    };
    let mut json = serde_json::to_vec_pretty(&manifest).expect("a Vec takes everything, and all keys are strings");
    json.push(b'\n');
    json
}

/// The contents of a manifest of ours.
pub(crate) struct Listed {
    /// Its format.
    pub(crate) format: String,
    /// Its files and documents. Names that lead out of the folder are omitted, whoever wrote them there.
    pub(crate) names: Vec<String>,
    pub(crate) holds: Holds,
    /// The inputs that it was made from; null if unknown.
    pub(crate) inputs: serde_json::Value,
}

/// The data of a dataset that a run on another site, without one of the stages, or without a scrape, would lose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holds {
    /// Its sites.
    pub(crate) sites: Vec<String>,
    /// Whether wp-resolve has found targets.
    pub(crate) targets: bool,
    /// Whether records have pages.
    pub(crate) pages: bool,
}

/// Reads a manifest; `None` if it is not ours.
pub(crate) fn listed(json: &[u8]) -> Option<Listed> {
    #[derive(Deserialize)]
    struct Old {
        program: String,
        #[serde(default)]
        format: String,
        files: Vec<OldFile>,
        #[serde(default)]
        documents: Vec<OldFile>,
        #[serde(default)]
        links: Targets,
        #[serde(default)]
        images: Targets,
        #[serde(default)]
        translations: Targets,
        #[serde(default)]
        pages: u64,
        #[serde(default)]
        inputs: serde_json::Value,
        #[serde(default)]
        sites: Vec<String>,
    }
    #[derive(Default, Deserialize)]
    struct Targets {
        #[serde(default)]
        resolved: u64,
    }
    #[derive(Deserialize)]
    struct OldFile {
        name: String,
    }
    let old: Old = serde_json::from_slice(json).ok()?;
    let names =
        old.files.into_iter().chain(old.documents).map(|file| file.name).filter(|name| is_inside(name)).collect();
    let targets = [old.links, old.images, old.translations].iter().any(|of| of.resolved > 0);
    let holds = Holds { targets, pages: old.pages > 0, sites: old.sites };
    (old.program == PROGRAM).then_some(Listed { format: old.format, names, holds, inputs: old.inputs })
}

/// Whether a name leads to a file in the folder.
pub(crate) fn is_inside(name: &str) -> bool {
    name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_lists_what_it_was_told_and_is_known_again() {
        let file = |name: &str| File {
            name: name.to_owned(),
            kind: None,
            r#type: None,
            records: 1,
            bytes: 2,
            sha256: [0; 32],
        };
        let document = |name: &str| Document { name: name.to_owned(), bytes: 2, sha256: [0; 32] };
        let files = [file("posts.jsonl"), file("../x"), file("/x"), file("a//b")];
        let json = write("jsonl", None, &files, &[document("README.md"), document("../y")], &Tally::default());
        assert_eq!(listed(&json).unwrap().names, ["posts.jsonl", "README.md"]);
        assert_eq!(json.last(), Some(&b'\n'));
    }

    #[test]
    fn another_programs_manifest_is_not_ours() {
        assert!(listed(br#"{"name":"an app","files":[]}"#).is_none());
        assert!(listed(b"{").is_none());
    }
}
