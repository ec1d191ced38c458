//! Collects documents that are translations of each other from anywhere in the stream. Each format decides how to write
//! a document and a pair.
//!
//! One pass: the format's output for each document of a group goes to a spool, and only its position and its group are
//! kept; at the end, the groups are read back in the order of their first documents. Memory: 32 bytes per document, 40
//! per group, and the texts of the largest group. The spool (in `TMPDIR`) holds the output for all documents once.
//!
//! # What is included
//! A document is a record of kind post or html with a text, a language and a group; some formats also require a link. A
//! group is written if it has documents in two or more languages. A pair consists of the first document of each
//! language; others in the same language are members of their group but not of a pair, and are counted as
//! `same_language`.

pub(crate) mod bitextor;
pub(crate) mod document;
pub(crate) mod languages;
pub(crate) mod opus;
pub(crate) mod pairs;
pub(crate) mod pairs_tsv;
pub(crate) mod warc2text;

use crate::export::Job;
use crate::export::dataset::head::Counted;
use crate::export::dataset::selection::Selection;
use crate::export::dataset::tally::{Tally, group_hash};
use crate::export::parallel::document::Document;
use crate::export::parallel::languages::Languages;
use crate::ndjson::{Line, gather_lines, write_json};
use crate::report::{Error, Notes};
use crate::spill::{self, Spool};
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// What is counted: the groups and pairs that are written, and the documents that are not, by the reason.
const COUNTS: [&str; 8] = [
    "parallel_groups",
    "pairs",
    "same_language",
    "documents_alone",
    "documents_without_text",
    "documents_without_language",
    "documents_in_other_languages",
    "documents_without_link",
];

/// What a format needs of the documents.
pub(crate) struct Requirements<R> {
    /// A document without a link is left out.
    pub(crate) link: bool,
    /// Those of a language that the group has already are written too.
    pub(crate) same_language: bool,
    /// Writes the spool's entry for a document.
    pub(crate) render: R,
}

/// The documents of a batch that may be in a group.
#[derive(Default)]
struct Candidates {
    /// The spool's entry: the tally's part of the record as JSON, LF, the format's output.
    bytes: Vec<u8>,
    documents: Vec<Candidate>,
    tally: Tally,
}

struct Candidate {
    group: u128,
    language: String,
    end: usize,
}

/// A document in the spool.
struct Member {
    group: u32,
    language: u32,
    at: u64,
    length: u64,
}

/// All documents that may be in a group.
pub(crate) struct Gathered {
    spool: File,
    members: Vec<Member>,
    /// What the languages are called, in their order.
    languages: Vec<String>,
    same_language: bool,
}

/// A document of a group.
pub(crate) struct MemberText {
    /// Which of [`Gathered::languages`] it is in.
    pub(crate) language: usize,
    /// Whether pairs are made with it: it is the first of its language.
    pub(crate) first: bool,
    /// What a tally takes of it, as JSON, LF, and what the format wrote.
    bytes: Vec<u8>,
    body: usize,
}

impl MemberText {
    /// What the format wrote.
    pub(crate) fn body(&self) -> &[u8] {
        &self.bytes[self.body..]
    }

    /// What a tally takes of its record.
    pub(crate) fn counted(&self) -> Counted<'_> {
        serde_json::from_slice(&self.bytes[..self.body]).expect("it was written by us")
    }
}

/// Reads all documents of groups. What is in none is left out in `tally`, and the reason counted.
///
/// # Errors
/// When reading or spooling fails, or the report stops the run.
pub(crate) fn gather<R>(job: &mut Job<'_>, tally: &mut Tally, wanted: &Requirements<R>) -> Result<Gathered, Error>
where
    R: Fn(&Document<'_>, &str, &mut Vec<u8>) + Sync,
{
    let mut spool = Spool::new()?;
    let mut end = 0;
    let mut members: Vec<Member> = Vec::new();
    let mut groups: HashMap<u128, u32> = HashMap::new();
    let mut names: HashMap<String, u32> = HashMap::new();
    let (selection, languages) = (job.selection, job.languages);
    for name in COUNTS {
        tally.count(name, 0);
    }
    gather_lines(
        job.input,
        job.report,
        job.jobs,
        || finder(selection, languages, wanted),
        |found: &mut Candidates| {
            tally.absorb(&mut found.tally);
            spool.write(&found.bytes)?;
            let mut start = 0;
            for Candidate { group, language, end: stop } in found.documents.drain(..) {
                let next = u32::try_from(groups.len()).map_err(|_| Error::Fatal("more than 2^32 groups".into()))?;
                let group = *groups.entry(group).or_insert(next);
                let next = names.len() as u32;
                let language = *names.entry(language).or_insert(next);
                members.push(Member { group, language, at: end + start as u64, length: (stop - start) as u64 });
                start = stop;
            }
            end += found.bytes.len() as u64;
            found.bytes.clear();
            Ok(())
        },
    )?;
    drop(groups);
    Gathered::new(spool, members, names, wanted.same_language, job)
}

/// A worker.
fn finder<R>(
    selection: &Selection,
    languages: &Languages,
    wanted: &Requirements<R>,
) -> impl FnMut(Line<'_>, &mut Candidates, &mut Notes)
where
    R: Fn(&Document<'_>, &str, &mut Vec<u8>),
{
    move |line, found, notes| {
        let Some(document) = selection.admit(line, &mut found.tally, notes) else { return };
        match place(&document, languages, wanted.link) {
            Ok((group, language)) => {
                write_json(&mut found.bytes, &document.head.counted());
                found.bytes.push(b'\n');
                (wanted.render)(&document, language, &mut found.bytes);
                found.documents.push(Candidate { group, language: language.to_owned(), end: found.bytes.len() });
            }
            Err(reason) => {
                let (kind, r#type) = document.head.filed();
                found.tally.leave_out(kind, r#type);
                found.tally.count(reason, 1);
            }
        }
    }
}

/// The group of a document and what its language is called; or why it is in none.
fn place<'d>(
    document: &'d Document<'_>,
    languages: &'d Languages,
    needs_link: bool,
) -> Result<(u128, &'d str), &'static str> {
    if document.text().is_none() {
        return Err("documents_without_text");
    }
    let tag = document.head.language.as_deref().ok_or("documents_without_language")?;
    let name = languages.name_of(tag).ok_or("documents_in_other_languages")?;
    let group = document.head.translation_group.as_deref().ok_or("documents_alone")?;
    if needs_link && document.link.as_deref().is_none_or(str::is_empty) {
        return Err("documents_without_link");
    }
    Ok((group_hash(document.head.site.as_deref().unwrap_or_default(), group), name))
}

impl Gathered {
    fn new(
        spool: Spool,
        mut members: Vec<Member>,
        names: HashMap<String, u32>,
        same_language: bool,
        job: &mut Job<'_>,
    ) -> Result<Self, Error> {
        job.languages.warn_of_unused(|name| names.contains_key(name), job.report);
        let languages = job.languages.in_order(names.keys().cloned().collect());
        let mut ranks = vec![0; names.len()];
        for (rank, language) in (0..).zip(&languages) {
            if let Some(&number) = names.get(language) {
                ranks[number as usize] = rank;
            }
        }
        for member in &mut members {
            member.language = ranks[member.language as usize];
        }
        // Stable: within a language the order stays that of the stream.
        members.sort_by_key(|member| (member.group, member.language));
        Ok(Gathered { spool: spool.into_reader()?, members, languages, same_language })
    }

    /// What the languages are called, in their order.
    pub(crate) fn languages(&self) -> &[String] {
        &self.languages
    }

    /// Gives `take` the documents of each group, in the order of the languages, and counts them; without those of the
    /// same language unless the format wants them.
    ///
    /// # Errors
    /// When the spool cannot be read, and those of `take`.
    pub(crate) fn each_group(
        &self,
        tally: &mut Tally,
        mut take: impl FnMut(&[MemberText], &mut Tally) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for group in self.members.chunk_by(|a, b| a.group == b.group) {
            let mut texts = self.read(group)?;
            let languages = texts.iter().filter(|text| text.first).count();
            if languages < 2 {
                tally.count("documents_alone", texts.len() as u64);
                texts.iter().for_each(|text| leave_out(text, tally));
                continue;
            }
            tally.count("parallel_groups", 1);
            tally.count("pairs", (languages * (languages - 1) / 2) as u64);
            tally.count("same_language", (texts.len() - languages) as u64);
            if !self.same_language {
                texts.iter().filter(|text| !text.first).for_each(|text| leave_out(text, tally));
                texts.retain(|text| text.first);
            }
            texts.iter().for_each(|text| tally.add_counted(&text.counted()));
            take(&texts, tally)?;
        }
        Ok(())
    }

    fn read(&self, group: &[Member]) -> Result<Vec<MemberText>, Error> {
        let mut texts = Vec::with_capacity(group.len());
        let mut last = None;
        for member in group {
            let mut bytes = vec![0; member.length as usize];
            self.spool.read_exact_at(&mut bytes, member.at).map_err(spill::failed)?;
            let body = memchr::memchr(b'\n', &bytes).map_or(0, |at| at + 1);
            let first = last.replace(member.language) != Some(member.language);
            texts.push(MemberText { language: member.language as usize, first, bytes, body });
        }
        Ok(texts)
    }
}

fn leave_out(text: &MemberText, tally: &mut Tally) {
    let counted = text.counted();
    tally.leave_out(&counted.kind, &counted.r#type);
}

/// The pairs of a group: the first document of each language with that of each language after it.
pub(crate) fn pairs(texts: &[MemberText]) -> impl Iterator<Item = (&MemberText, &MemberText)> {
    let first = |from: usize| texts[from..].iter().filter(|text| text.first);
    (0..texts.len()).filter(|&i| texts[i].first).flat_map(move |i| first(i + 1).map(move |other| (&texts[i], other)))
}
