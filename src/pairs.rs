//! Groups documents that are translations of each other, wherever they are in the stream. The calling program decides what to write
//! about each document and pair.
//!
//! This takes one pass: the program's entry for each document of a group is written to a spool, and only its position and its group
//! are kept in memory; at the end, the groups are read back in the order of their first documents. Memory: 32 bytes per document, 40
//! per group, and the entries of the largest group. The spool (in `TMPDIR`) has the entries of all documents once.
//!
//! # Which documents are included
//! A document is a record of kind post or html with a text, a language and a group; some programs also require a link. A group is
//! returned if it has documents in two or more languages. A pair consists of the first document of each language; others in the same
//! language are members of their group but not of a pair.

pub(crate) mod document;

use crate::digest::group_hash;
use crate::language::ranges::Languages;
use crate::report::Error;
use crate::spill::{self, Spool};
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The reasons why a document is in no group, as names of counts.
pub(crate) const REASONS: [&str; 4] =
    ["documents_alone", "documents_without_text", "documents_without_language", "documents_in_other_languages"];

/// A further reason, for formats that need links.
pub(crate) const NO_LINK: &str = "documents_without_link";

/// The fields that decide which group a document belongs to.
pub(crate) struct Traits<'d> {
    pub(crate) site: &'d str,
    pub(crate) language: Option<&'d str>,
    pub(crate) group: Option<&'d str>,
    pub(crate) link: Option<&'d str>,
    pub(crate) has_text: bool,
}

/// The group of a document, and the name of its language.
pub(crate) struct Belongs<'d> {
    group: u128,
    pub(crate) language: &'d str,
}

impl<'d> Traits<'d> {
    /// The group of the document or, if it is excluded, the reason: one of [`REASONS`], or [`NO_LINK`].
    pub(crate) fn group(&self, languages: &'d Languages, needs_link: bool) -> Result<Belongs<'d>, &'static str> {
        if !self.has_text {
            return Err("documents_without_text");
        }
        let tag = self.language.filter(|tag| !tag.is_empty()).ok_or("documents_without_language")?;
        let language = languages.name_of(tag).ok_or("documents_in_other_languages")?;
        let group = self.group.ok_or("documents_alone")?;
        if needs_link && self.link.is_none_or(str::is_empty) {
            return Err(NO_LINK);
        }
        Ok(Belongs { group: group_hash(self.site, group), language })
    }
}

#[derive(Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    documents: Vec<(u128, String, usize)>,
}

impl Batch {
    /// Adds a document; `write` appends its entry.
    pub(crate) fn push(&mut self, belongs: &Belongs<'_>, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.documents.push((belongs.group, belongs.language.to_owned(), self.bytes.len()));
    }
}

/// A document in the spool.
struct SpooledDocument {
    group: u32,
    language: u32,
    at: u64,
    length: u64,
}

/// Collects documents in the order of the input.
pub(crate) struct Gatherer {
    spool: Spool,
    end: u64,
    entries: Vec<SpooledDocument>,
    groups: HashMap<u128, u32>,
    languages: HashMap<String, u32>,
}

impl Gatherer {
    pub(crate) fn new() -> Result<Self, Error> {
        let (groups, languages) = (HashMap::new(), HashMap::new());
        Ok(Gatherer { spool: Spool::new()?, end: 0, entries: Vec::new(), groups, languages })
    }

    /// Adds the documents of a batch, and empties it.
    pub(crate) fn take(&mut self, batch: &mut Batch) -> Result<(), Error> {
        self.spool.write(&batch.bytes)?;
        let mut start = 0;
        for (group, language, stop) in batch.documents.drain(..) {
            let next = u32::try_from(self.groups.len()).map_err(|_| Error::Fatal("more than 2^32 groups".into()))?;
            let group = *self.groups.entry(group).or_insert(next);
            let next = self.languages.len() as u32;
            let language = *self.languages.entry(language).or_insert(next);
            self.entries.push(SpooledDocument {
                group,
                language,
                at: self.end + start as u64,
                length: (stop - start) as u64,
            });
            start = stop;
        }
        self.end += batch.bytes.len() as u64;
        batch.bytes.clear();
        Ok(())
    }

    /// Whether there are documents in a language of this name.
    pub(crate) fn has(&self, language: &str) -> bool {
        self.languages.contains_key(language)
    }

    /// Ends the collection: all documents have been added.
    pub(crate) fn finish(self, wanted: &Languages) -> Result<Gathered, Error> {
        let Gatherer { spool, mut entries, languages: numbers, .. } = self;
        let languages = wanted.in_order(numbers.keys().cloned().collect());
        let mut ranks = vec![0; numbers.len()];
        for (rank, language) in (0..).zip(&languages) {
            if let Some(&number) = numbers.get(language) {
                ranks[number as usize] = rank;
            }
        }
        for entry in &mut entries {
            entry.language = ranks[entry.language as usize];
        }
        // A stable sort: within a language, the order remains that of the stream.
        entries.sort_by_key(|entry| (entry.group, entry.language));
        Ok(Gathered { spool: spool.into_reader()?, entries, languages })
    }
}

/// All documents that may be part of a pair.
pub(crate) struct Gathered {
    spool: File,
    entries: Vec<SpooledDocument>,
    languages: Vec<String>,
}

pub(crate) struct Member {
    /// Its language, as an index into [`Gathered::languages`].
    pub(crate) language: usize,
    /// Whether it is the first document in its language, with which pairs are made.
    pub(crate) first: bool,
    /// The entry that the program wrote.
    pub(crate) entry: Vec<u8>,
}

impl Gathered {
    /// The names of the languages, in order.
    pub(crate) fn languages(&self) -> &[String] {
        &self.languages
    }

    /// Calls `take` with the documents of each group, in the order of the languages, and the number of their languages: with two or
    /// more, there is a pair.
    pub(crate) fn each_group(
        &self,
        mut take: impl FnMut(Vec<Member>, usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for group in self.entries.chunk_by(|a, b| a.group == b.group) {
            let mut members = Vec::with_capacity(group.len());
            let (mut last, mut languages) = (None, 0);
            for entry in group {
                let mut bytes = vec![0; entry.length as usize];
                self.spool.read_exact_at(&mut bytes, entry.at).map_err(spill::failed)?;
                let first = last.replace(entry.language) != Some(entry.language);
                languages += usize::from(first);
                members.push(Member { language: entry.language as usize, first, entry: bytes });
            }
            take(members, languages)?;
        }
        Ok(())
    }
}

/// In larger groups, only the documents of this many languages are paired with those of all later languages, so that the number of
/// pairs grows linearly with the group.
pub(crate) const MOST: usize = 32;

/// The pairs of a group: the first document of each of the first [`MOST`] languages with the first one of each later language.
pub(crate) fn pairs(members: &[Member]) -> impl Iterator<Item = (&Member, &Member)> {
    let first = |from: usize| members[from..].iter().filter(|member| member.first);
    (0..members.len())
        .filter(|&i| members[i].first)
        .take(MOST)
        .flat_map(move |i| first(i + 1).map(move |other| (&members[i], other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(documents: &[(&str, &str, &str)]) -> Gathered {
        let languages = Languages::default();
        let (mut gatherer, mut batch) = (Gatherer::new().unwrap(), Batch::default());
        for (group, language, text) in documents {
            let traits = Traits { site: "a", language: Some(language), group: Some(group), link: None, has_text: true };
            let belongs = traits.group(&languages, false).ok().unwrap();
            batch.push(&belongs, |out| out.extend_from_slice(text.as_bytes()));
            gatherer.take(&mut batch).unwrap();
        }
        gatherer.finish(&languages).unwrap()
    }

    #[test]
    fn pairs_are_of_the_first_documents_of_two_languages() {
        let documents = [("g", "fr", "a"), ("h", "de", "x"), ("g", "en", "b"), ("g", "fr", "c"), ("g", "de", "d")];
        let gathered = gathered(&documents);
        assert_eq!(gathered.languages(), ["de", "en", "fr"]);
        let mut found = Vec::new();
        let take = |members: Vec<Member>, languages: usize| {
            let text = |member: &Member| String::from_utf8(member.entry.clone()).unwrap();
            let of_group: Vec<_> = pairs(&members).map(|(one, other)| text(one) + &text(other)).collect();
            found.push((members.iter().map(text).collect::<String>(), languages, of_group.join(" ")));
            Ok(())
        };
        gathered.each_group(take).unwrap();
        assert_eq!(found, [("dbac".into(), 3, "db da ba".into()), ("x".into(), 1, String::new())]);
    }

    #[test]
    fn the_reason_to_leave_a_document_out_is_stated() {
        let (all, french) = (Languages::default(), Languages::new(&["fr".to_owned()]).unwrap());
        let whole =
            || Traits { site: "a", language: Some("de"), group: Some("g"), link: Some("http://a/"), has_text: true };
        let reason = |traits: Traits<'_>, languages: &Languages| traits.group(languages, true).err();
        assert_eq!(reason(whole(), &all), None);
        assert_eq!(reason(whole(), &french), Some(REASONS[3]));
        assert_eq!(reason(Traits { group: None, ..whole() }, &all), Some(REASONS[0]));
        assert_eq!(reason(Traits { has_text: false, ..whole() }, &all), Some(REASONS[1]));
        assert_eq!(reason(Traits { language: None, ..whole() }, &all), Some(REASONS[2]));
        assert_eq!(reason(Traits { language: Some(""), ..whole() }, &all), Some(REASONS[2]));
        assert_eq!(reason(Traits { link: Some(""), ..whole() }, &all), Some(NO_LINK));
    }
}
