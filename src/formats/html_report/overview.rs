//! Arranges the numbers of a dataset as the page and the manifest present them.

use super::accounts::Account;
use super::changes::Changes;
use super::frequent::Frequent;
use super::numbers::{Alternatives, Documents, Numbers, Targets, Tops};
use serde::Serialize;

/// The most entries in a list of the most frequent texts.
const MOST: usize = 20;

/// The numbers in the page and in the manifest.
#[derive(Serialize)]
pub(super) struct Overview {
    pub(super) records: Vec<Records>,
    pub(super) published: Vec<Month>,
    pub(super) languages: Vec<Language>,
    pub(super) pairs: Vec<Pair>,
    pub(super) links: Targets,
    pub(super) images: Targets,
    pub(super) alternatives: Alternatives,
    pub(super) most_linked: Top,
    pub(super) outside_hosts: Top,
    pub(super) dead: Top,
    /// The changes that wp-diff found; empty without its records.
    pub(super) changes: Vec<ChangeCount>,
    /// The part of the changes that only the page shows.
    #[serde(skip)]
    pub(super) changed: Changes,
    pub(super) rejects: u64,
    pub(super) accounts: Vec<Account>,
}

#[derive(Serialize)]
pub(super) struct Records {
    pub(super) kind: String,
    pub(super) r#type: String,
    pub(super) language: Option<String>,
    pub(super) records: u64,
    /// Records among them that are copies of another record's words.
    pub(super) copies: u64,
}

#[derive(Serialize)]
pub(super) struct Month {
    /// The month, as `YYYY-MM`; null for documents without a date.
    pub(super) month: Option<String>,
    pub(super) documents: u64,
}

#[derive(Serialize)]
pub(super) struct Language {
    pub(super) language: Option<String>,
    #[serde(flatten)]
    pub(super) of: Documents,
}

#[derive(Serialize)]
pub(super) struct Pair {
    pub(super) language: Option<String>,
    pub(super) translation: String,
    pub(super) documents: u64,
}

/// Changes of a class; a record may have several.
#[derive(Serialize)]
pub(super) struct ChangeCount {
    pub(super) r#type: String,
    pub(super) class: String,
    pub(super) records: u64,
}

/// A list of the most frequent texts.
#[derive(Serialize)]
pub(super) struct Top {
    pub(super) list: Vec<(String, u64)>,
    /// By how much each number may be too low.
    pub(super) missed: u64,
}

/// Converts a text, in which empty means none.
fn known(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

impl Overview {
    pub(super) fn of(numbers: Numbers, tops: &Tops, rejects: u64, accounts: Vec<Account>) -> Self {
        let top = |of: &Frequent| Top {
            list: of.top(MOST).into_iter().map(|(text, n)| (text.to_owned(), n)).collect(),
            missed: of.missed,
        };
        let records = numbers.records.into_iter();
        let records = records.map(|((kind, r#type, tag), [records, copies])| Records {
            kind,
            r#type,
            language: known(tag),
            records,
            copies,
        });
        let months = numbers.months.into_iter();
        let languages = numbers.documents.into_iter();
        let pairs = numbers.pairs.into_iter();
        let changes = numbers.changes.classes.iter().map(|((r#type, class), &records)| ChangeCount {
            r#type: r#type.clone(),
            class: class.clone(),
            records,
        });
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
            dead: top(&tops.dead),
            changes: changes.collect(),
            changed: numbers.changes,
            rejects,
            accounts,
        }
    }
}
