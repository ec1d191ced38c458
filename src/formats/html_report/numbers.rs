//! Counts the numbers that a report shows. Each batch is counted in its own thread, except for the most frequent texts:
//! only some are kept, so they are counted in the order of the input.

use super::changes::Changes;
use super::frequent::Frequent;
use super::view::{Reference, View};
use crate::export::dataset::envelope::Enveloped;
use crate::export::dataset::key::Key;
use crate::export::dataset::references::Missings;
use crate::record::Missing;
use crate::urls::PageUrl;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The documents of a language.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Documents {
    pub(super) documents: u64,
    pub(super) without_text: u64,
    /// Documents that have a translation in the dataset's site.
    pub(super) translated: u64,
    /// Documents that are copies of another record's words, counted only here.
    pub(super) copies: u64,
}

/// References by their targets.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Targets {
    /// The references to a record, by the rule that found it.
    pub(super) rules: BTreeMap<String, u64>,
    /// The references to the site, but not to a record, by reason.
    pub(super) missing: Missings,
    /// The references to other sites.
    pub(super) external: u64,
    /// The references that do not lead to a web address (mailto:, tel:), or have no address.
    pub(super) other: u64,
    /// The references that wp-resolve has not seen.
    pub(super) unresolved: u64,
}

impl Targets {
    fn add(&mut self, reference: &Reference<'_>) {
        if reference.target.r#type.is_some() {
            let rule = reference.rule.as_deref().unwrap_or_default();
            match self.rules.get_mut(rule) {
                Some(n) => *n += 1,
                None => drop(self.rules.insert(rule.to_owned(), 1)),
            }
            return;
        }
        if let Some(missing) = reference.missing() {
            return self.missing.count(missing);
        }
        *match (&reference.url, reference.internal) {
            (None, _) => &mut self.other,
            (_, Some(false)) => &mut self.external,
            (_, _) => &mut self.unresolved,
        } += 1;
    }

    fn absorb(&mut self, other: Targets) {
        add_all(&mut self.rules, other.rules);
        self.missing.add(other.missing);
        self.external += other.external;
        self.other += other.other;
        self.unresolved += other.unresolved;
    }
}

fn add_all<K: Ord>(to: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    from.into_iter().for_each(|(key, n)| *to.entry(key).or_default() += n);
}

/// Alternative texts of images.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Alternatives {
    /// Images with a text.
    pub(super) with_text: u64,
    /// Images with an empty attribute: decoration.
    pub(super) empty: u64,
    /// Images without the attribute.
    pub(super) missing: u64,
}

/// The counts, in memory that grows with the number of types, languages and rules.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// The records by kind, type and language (empty: none), and how many of them are copies of another record's words.
    pub(super) records: BTreeMap<(String, String, String), [u64; 2]>,
    /// The documents by the month of their publication, `YYYY-MM`; empty if they have no date.
    pub(super) months: BTreeMap<String, u64>,
    /// The documents by language (empty: none).
    pub(super) documents: BTreeMap<String, Documents>,
    /// The documents by their own language and that of a translation.
    pub(super) pairs: BTreeMap<(String, String), u64>,
    pub(super) links: Targets,
    pub(super) images: Targets,
    pub(super) alternatives: Alternatives,
    pub(super) changes: Changes,
    /// The texts to count for the lists of the most frequent, in the order of the input.
    mentions: Vec<(Mention, String)>,
}

/// The list that a text is counted for.
#[derive(Clone, Copy, Debug)]
enum Mention {
    Record,
    Host,
    Dead,
}

/// The most frequent texts of each list, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct Tops {
    /// The links of records that others link to.
    pub(super) linked: Frequent,
    /// The hosts outside the site.
    pub(super) hosts: Frequent,
    /// The URLs of the site that should have a record, but do not.
    pub(super) dead: Frequent,
}

impl Numbers {
    pub(super) fn add(&mut self, record: &Enveloped<'_, View<'_>>) {
        self.changes.add_post(record);
        let (kind, r#type) = record.envelope.filed();
        let language = record.envelope.language.as_deref().unwrap_or_default();
        let is_copy = record.envelope.copy_source.is_some();
        let records = self.records.entry((kind.to_owned(), r#type.to_owned(), language.to_owned())).or_default();
        *records = [records[0] + 1, records[1] + u64::from(is_copy)];
        match matches!(kind, "post" | "html") {
            true if is_copy => self.documents.entry(language.to_owned()).or_default().copies += 1,
            true => self.add_document(record, language),
            false => {}
        }
        let site = record.envelope.site.as_deref().unwrap_or_default();
        let own = Key::new(site, r#type, record.id, record.link.as_deref());
        for link in &record.links {
            self.links.add(link);
            let target = Key::of_target(site, &link.target);
            let mention = match (&link.target.link, &link.url) {
                (Some(there), _) if target.is_some_and(|target| target != own) => (Mention::Record, there.to_string()),
                _ if target.is_some() => continue,
                (_, Some(url)) if link.missing() == Some(Missing::Dead) => (Mention::Dead, url.to_string()),
                (_, Some(url)) if link.internal == Some(false) => {
                    let Some(url) = PageUrl::parse(url) else { continue };
                    (Mention::Host, url.host().to_owned())
                }
                _ => continue,
            };
            self.mentions.push(mention);
        }
        for image in &record.images {
            self.images.add(image);
            let alternatives = &mut self.alternatives;
            *match image.alt.as_deref() {
                None => &mut alternatives.missing,
                Some(alt) if alt.trim().is_empty() => &mut alternatives.empty,
                Some(_) => &mut alternatives.with_text,
            } += 1;
        }
    }

    fn add_document(&mut self, record: &Enveloped<'_, View<'_>>, language: &str) {
        let date = record.date_gmt.as_deref().or(record.date.as_deref());
        let month = date.and_then(|date| date.get(..7)).unwrap_or_default();
        let is_month = month.bytes().enumerate().all(|(i, b)| if i == 4 { b == b'-' } else { b.is_ascii_digit() });
        *self.months.entry(if is_month { month } else { "" }.to_owned()).or_default() += 1;
        let others: BTreeSet<&str> = record
            .translations
            .iter()
            .filter(|one| one.target.r#type.is_some())
            .filter_map(|one| one.language.as_deref())
            .filter(|other| *other != language)
            .collect();
        let documents = self.documents.entry(language.to_owned()).or_default();
        documents.documents += 1;
        documents.without_text += u64::from(record.content.text.as_deref().unwrap_or_default().trim().is_empty());
        documents.translated += u64::from(!others.is_empty());
        for other in others {
            *self.pairs.entry((language.to_owned(), other.to_owned())).or_default() += 1;
        }
    }

    /// Takes over the counts of the records that follow, and empties `other`.
    pub(super) fn absorb(&mut self, other: &mut Numbers, tops: &mut Tops) {
        let other = std::mem::take(other);
        for (key, [all, copies]) in other.records {
            let records = self.records.entry(key).or_default();
            *records = [records[0] + all, records[1] + copies];
        }
        add_all(&mut self.months, other.months);
        add_all(&mut self.pairs, other.pairs);
        for (language, more) in other.documents {
            let documents = self.documents.entry(language).or_default();
            documents.documents += more.documents;
            documents.without_text += more.without_text;
            documents.translated += more.translated;
            documents.copies += more.copies;
        }
        self.changes.absorb(other.changes);
        self.links.absorb(other.links);
        self.images.absorb(other.images);
        self.alternatives.with_text += other.alternatives.with_text;
        self.alternatives.empty += other.alternatives.empty;
        self.alternatives.missing += other.alternatives.missing;
        for (mention, text) in other.mentions {
            match mention {
                Mention::Record => tops.linked.add(&text),
                Mention::Host => tops.hosts.add(&text),
                Mention::Dead => tops.dead.add(&text),
            }
        }
    }
}
