//! `report`: one HTML page of what is in a dataset, for people: it needs neither network nor scripts, and nothing but a
//! browser. The manifest has the same numbers.
//!
//! Memory: what [`Numbers`] and [`Tops`] keep, at most about 30 MB for texts of which there are many,
//! and beside it what grows with the number of types, languages and rules, but not with the number of records.

mod accounts;
mod charts;
mod frequent;
mod numbers;
mod page;

use crate::export::dataset::folder::Folder;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::ndjson::{Line, Output, gather_lines};
use crate::report::{Error, Notes};
use accounts::Account;
use numbers::{Alternatives, Documents, Numbers, Targets, Tops, View};
use serde::Serialize;

const FILE: &str = "report.html";

/// The entries of lists of the most frequent.
const MOST: usize = 20;

/// What the page shows and the manifest has.
#[derive(Serialize)]
struct Overview {
    records: Vec<Records>,
    published: Vec<Month>,
    languages: Vec<Language>,
    pairs: Vec<Pair>,
    links: Targets,
    images: Targets,
    alternatives: Alternatives,
    most_linked: Top,
    outside_hosts: Top,
    dangling: Top,
    rejects: u64,
    accounts: Vec<Account>,
}

#[derive(Serialize)]
struct Records {
    kind: String,
    r#type: String,
    language: Option<String>,
    records: u64,
}

#[derive(Serialize)]
struct Month {
    /// `YYYY-MM`.
    month: Option<String>,
    documents: u64,
}

#[derive(Serialize)]
struct Language {
    language: Option<String>,
    #[serde(flatten)]
    of: Documents,
}

#[derive(Serialize)]
struct Pair {
    language: Option<String>,
    translation: String,
    documents: u64,
}

/// The most frequent of something.
#[derive(Serialize)]
struct Top {
    list: Vec<(String, u64)>,
    /// What each number may be too low by.
    missed: u64,
}

/// A text that may be empty for none.
fn known(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

impl Overview {
    fn of(numbers: Numbers, tops: &Tops, rejects: u64, accounts: Vec<Account>) -> Self {
        let top = |of: &frequent::Frequent| Top {
            list: of.top(MOST).into_iter().map(|(text, n)| (text.to_owned(), n)).collect(),
            missed: of.missed,
        };
        let records = numbers.records.into_iter();
        let records =
            records.map(|((kind, r#type, tag), records)| Records { kind, r#type, language: known(tag), records });
        let months = numbers.months.into_iter();
        let languages = numbers.documents.into_iter();
        let pairs = numbers.pairs.into_iter();
        Overview {
            records: records.collect(),
            published: months.map(|(month, documents)| Month { month: known(month), documents }).collect(),
            languages: languages.map(|(tag, of)| Language { language: known(tag), of }).collect(),
            pairs: pairs
                .map(|((tag, translation), documents)| Pair { language: known(tag), translation, documents })
                .collect(),
            links: numbers.links,
            images: numbers.images,
            alternatives: numbers.alternatives,
            most_linked: top(&tops.linked),
            outside_hosts: top(&tops.hosts),
            dangling: top(&tops.dangling),
            rejects,
            accounts,
        }
    }
}

/// Writes `report.html`.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let number = folder.create(FILE, None, None)?;
    let (page, tally) = write(job)?;
    folder.append(number, page.as_bytes(), tally.written())?;
    Ok(tally)
}

/// Writes the page as a stream.
///
/// # Errors
/// As [`write_folder`].
pub(crate) fn write_stream(output: &mut Output, job: &mut Job<'_>) -> Result<Tally, Error> {
    let (page, tally) = write(job)?;
    output.write(page.as_bytes())?;
    Ok(tally)
}

#[derive(Default)]
struct Batch {
    numbers: Numbers,
    tally: Tally,
}

fn write(job: &mut Job<'_>) -> Result<(String, Tally), Error> {
    let (mut tally, mut numbers, mut tops) = (Tally::default(), Numbers::default(), Tops::default());
    let selection = job.selection;
    let worker = || {
        move |line: Line<'_>, batch: &mut Batch, notes: &mut Notes| {
            if let Some(record) = selection.admit::<View<'_>>(line, &mut batch.tally, notes) {
                batch.tally.add(&record.envelope);
                batch.numbers.add(&record);
            }
        }
    };
    gather_lines(job.input, job.report, job.jobs, worker, |batch: &mut Batch| {
        tally.absorb(&mut batch.tally);
        numbers.absorb(&mut batch.numbers, &mut tops);
        Ok(())
    })?;
    // Only now the programs of the same pipe have ended and written theirs.
    let accounts = accounts::read(job.with)?;
    let overview = Overview::of(numbers, &tops, job.report.rejected(), accounts);
    let page = page::write(&overview, &tally);
    tally.overview = Some(serde_json::to_value(&overview).expect("texts, numbers, lists and objects with text keys"));
    Ok((page, tally))
}
