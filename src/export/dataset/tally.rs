//! Counts the records of a dataset for its manifest: sites, languages, how much was resolved, text rules.
//! [`crate::export::dataset::envelope`] reads the counted fields of a record.

use crate::digest::group_hash;
use crate::export::dataset::envelope::{Counted, Envelope};
use crate::export::dataset::key::Key;
use crate::export::dataset::names::Names;
use crate::export::dataset::passed::Chains;
use crate::export::dataset::pseudonymised;
use crate::export::dataset::references::References;
use crate::export::dataset::rights::RightsCount;
use crate::export::dataset::sites::Sites;
use crate::report::Read;
use crate::steps::{Step, has_steps};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The counts of a set of records. Memory: 16 bytes for each translation group and each record, in addition to names.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Records by kind and type.
    pub(crate) records: Types,
    pub(crate) left_out: Types,
    /// The sites' labels, in the order of the input.
    pub(crate) sites: Sites,
    /// Records by language.
    pub(crate) languages: BTreeMap<String, u64>,
    /// The records among them that are copies of another record's words; `None`: without a language.
    pub(crate) copies: BTreeMap<Option<String>, u64>,
    /// The records among them whose text is certainly in another language, according to wp-language; by both languages.
    pub(crate) text_in_others: BTreeMap<(String, String), u64>,
    pub(crate) links: References,
    pub(crate) images: References,
    pub(crate) translations: References,
    /// Records that have a page in a scrape.
    pub(crate) pages: u64,
    /// The programs that the records have passed through.
    pub(crate) chains: Chains,
    /// The step of wp-export itself.
    pub(crate) step: Option<Step>,
    /// The inputs that wp-index read, as far as end records name them.
    pub(crate) inputs: Vec<Read>,
    /// The number of elements that it could not read, as far as end records state it.
    pub(crate) rejects: Option<u64>,
    /// Records by licence and by reservation.
    pub(crate) rights: RightsCount,
    /// Keys that were added to records of this dataset.
    pub(crate) added_keys: Vec<AddedKey>,
    /// Sites and languages whose names in files differ from the usual ones.
    pub(crate) names: Vec<GivenName>,
    pub(crate) pseudonyms: Option<pseudonymised::Counts>,
    /// The numbers of a report.
    pub(crate) overview: Option<serde_json::Value>,
    /// Counts that only some formats have.
    pub(crate) counts: BTreeMap<&'static str, u64>,
    groups: HashSet<u128>,
    /// The keys of the records.
    keys: HashSet<Key>,
    /// The number of records with the key of an earlier one.
    pub(crate) repeated: u64,
    /// Records whose texts follow our rules, and records whose texts follow those of wpextract. Unknown kinds are not counted.
    text_rules: [u64; 2],
}

impl Tally {
    /// Counts a record that is written.
    pub(crate) fn add(&mut self, envelope: &Envelope<'_>) {
        let counted = envelope.counted();
        // Without an id it may be a page that was captured twice.
        if let Some(id) = envelope.id.filter(|_| has_steps(&counted.kind)) {
            let key = Key::new(&counted.site, &counted.r#type, Some(id), envelope.link.as_deref());
            self.repeated += u64::from(!self.keys.insert(key));
        }
        self.add_counted(&counted);
    }

    pub(crate) fn add_counted(&mut self, record: &Counted<'_>) {
        self.records.add(&record.kind, &record.r#type, 1);
        let site = record.site.as_str();
        self.sites.add(site);
        if let Some(language) = record.language.as_deref() {
            match self.languages.get_mut(language) {
                Some(n) => *n += 1,
                None => drop(self.languages.insert(language.to_owned(), 1)),
            }
        }
        if record.is_copy {
            *self.copies.entry(record.language.as_deref().map(str::to_owned)).or_default() += 1;
        } else if let (Some(stated), Some(found)) = (record.language.as_deref(), record.text_language.as_deref())
            && stated.split('-').next() != Some(found)
        {
            *self.text_in_others.entry((stated.to_owned(), found.to_owned())).or_default() += 1;
        }
        if let Some(group) = record.translation_group.as_deref() {
            self.groups.insert(group_hash(site, group));
        }
        self.pages += u64::from(record.has_page);
        if has_steps(&record.kind) {
            self.text_rules[usize::from(record.by_peers_rules)] += 1;
            self.chains.add(record.steps.as_deref(), 1);
        }
        self.rights.add(&record.rights);
        self.links.add(record.links);
        self.images.add(record.images);
        self.translations.add(record.translations);
    }

    /// Adds to a count that only some formats have (snake_case): a key of the manifest's `counts` and of `--stats`.
    pub(crate) fn count(&mut self, name: &'static str, n: u64) {
        *self.counts.entry(name).or_default() += n;
    }

    /// Adds the names that sites or languages were given in files.
    pub(crate) fn name(&mut self, names: &Names) {
        let sites = names.are_of_sites();
        self.names.extend(names.changed().into_iter().map(|(word, name)| GivenName {
            site: sites.then(|| word.to_owned()),
            language: (!sites).then(|| word.to_owned()),
            name: name.to_owned(),
        }));
    }

    pub(crate) fn leave_out(&mut self, kind: &str, r#type: &str) {
        self.left_out.add(kind, r#type, 1);
    }

    /// Counts a record of this kind and type that is left out, and the reason.
    pub(crate) fn leave_out_as(&mut self, reason: &'static str, (kind, r#type): (&str, &str)) {
        self.leave_out(kind, r#type);
        self.count(reason, 1);
    }

    /// Takes over the counts of the records that follow, and empties `other`.
    pub(crate) fn absorb(&mut self, other: &mut Tally) {
        let other = std::mem::take(other);
        self.records.absorb(other.records);
        self.left_out.absorb(other.left_out);
        other.sites.labels().iter().for_each(|site| self.sites.add(site));
        for (language, n) in other.languages {
            *self.languages.entry(language).or_default() += n;
        }
        for (language, n) in other.copies {
            *self.copies.entry(language).or_default() += n;
        }
        for (languages, n) in other.text_in_others {
            *self.text_in_others.entry(languages).or_default() += n;
        }
        other.counts.into_iter().for_each(|(name, n)| self.count(name, n));
        self.groups.extend(other.groups);
        self.repeated += other.repeated;
        self.repeated += other.keys.into_iter().filter(|key| !self.keys.insert(*key)).count() as u64;
        self.text_rules = [self.text_rules[0] + other.text_rules[0], self.text_rules[1] + other.text_rules[1]];
        self.pages += other.pages;
        self.chains.absorb(other.chains);
        self.rights.absorb(other.rights);
        self.links.add(other.links);
        self.images.add(other.images);
        self.translations.add(other.translations);
    }

    /// The records of each language: how many are not copies, and how many are. Languages with only copies are omitted.
    pub(crate) fn in_own_words(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        let counts = self.languages.iter().map(|(language, &all)| {
            let copies = self.copies.get(&Some(language.clone())).copied().unwrap_or(0);
            (language.as_str(), all - copies, copies)
        });
        counts.filter(|(_, own, _)| *own > 0)
    }

    pub(crate) fn written(&self) -> u64 {
        self.records.total()
    }

    /// Whether there are references, but wp-resolve has not judged any of them: neither has any record passed it, nor does a reference show
    /// it.
    pub(crate) fn is_unresolved(&self) -> bool {
        let all = [self.links, self.images, self.translations];
        all.iter().any(|of| of.found > 0)
            && all.iter().all(|of| of.internal + of.external + of.resolved == 0)
            && !self.chains.have_passed("wp-resolve", None)
    }

    /// Whether links or images have been judged, but not translations, although wp-resolve judges all three: it ran too early.
    pub(crate) fn is_resolved_too_early(&self) -> bool {
        let of = &self.translations;
        let is_seen = of.resolved > 0 || of.missing.numbers() != [0; 4];
        let is_last = || self.chains.have_passed("wp-resolve", Some("wp-translations"));
        of.found > 0 && !is_seen && !self.is_unresolved() && !is_last()
    }

    /// How many groups of translations there are.
    pub(crate) fn groups(&self) -> u64 {
        self.groups.len() as u64
    }

    /// The rules that the texts follow: `rendered` (ours), `wpextract`, or `mixed`.
    pub(crate) fn text_rules(&self) -> &'static str {
        match self.text_rules {
            [_, 0] => "rendered",
            [0, _] => "wpextract",
            _ => "mixed",
        }
    }
}

/// A key that was added to records of a type.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AddedKey {
    pub(crate) kind: String,
    pub(crate) r#type: String,
    /// The key, preceded by its parents.
    pub(crate) key: String,
    /// The type of its values, as in the schema.
    pub(crate) values: &'static str,
}

/// A site or a language with an unusual name in files, because another one has its usual name.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GivenName {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    /// Its name in files.
    pub(crate) name: String,
}

/// The numbers of records by kind and type.
#[derive(Debug, Default)]
pub(crate) struct Types {
    list: Vec<TypeCount>,
    /// The position of each type in the list, once there are many: for a few, a linear search is faster.
    places: HashMap<u128, usize>,
}

/// The most types that are searched linearly.
const FEW: usize = 16;

/// How many records of a type there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TypeCount {
    pub(crate) kind: String,
    pub(crate) r#type: String,
    pub(crate) records: u64,
}

impl Types {
    pub(crate) fn add(&mut self, kind: &str, r#type: &str, n: u64) {
        let few = self.list.iter().take(FEW).position(|c| c.r#type == r#type && c.kind == kind);
        let place = few.unwrap_or_else(|| match self.list.len() {
            ..FEW => self.list.len(),
            length => *self.places.entry(group_hash(kind, r#type)).or_insert(length),
        });
        match self.list.get_mut(place) {
            Some(count) => count.records += n,
            None => self.list.push(TypeCount { kind: kind.to_owned(), r#type: r#type.to_owned(), records: n }),
        }
    }

    pub(crate) fn absorb(&mut self, other: Types) {
        other.list.iter().for_each(|c| self.add(&c.kind, &c.r#type, c.records));
    }

    pub(crate) fn total(&self) -> u64 {
        self.list.iter().map(|c| c.records).sum()
    }

    /// The numbers, in the order of kind and type.
    pub(crate) fn sorted(&self) -> Vec<TypeCount> {
        let mut list = self.list.clone();
        list.sort_by(|a, b| (&a.kind, &a.r#type).cmp(&(&b.kind, &b.r#type)));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        for line in lines {
            let envelope = Envelope::parse(line.as_bytes()).unwrap();
            tally.add(&envelope);
        }
        tally
    }

    const LINE: &str = r#"{"site":"a","kind":"post","type":"post","language":"fr","translation_group":"post:1",
        "links":[{"internal":true,"target":{"type":"page","id":2}},{"internal":true,"target":{"type":null},"reason":"feed"},
        {"internal":false,"target":{"type":null}},{"internal":null}],"images":[{"internal":true}],
        "translations":[{"target":{"type":"post"}}]}"#;

    #[test]
    fn links_images_translations_and_groups_are_counted() {
        let tally = tally(&[LINE, LINE]);
        let counts = |of: References| ([of.found, of.internal, of.external, of.resolved], of.missing.numbers());
        assert_eq!(counts(tally.links), ([8, 4, 2, 2], [2, 0, 0, 0]));
        // An internal reference without a reason counts as dead: a record should be there.
        assert_eq!(counts(tally.images), ([2, 2, 0, 0], [0, 0, 0, 2]));
        assert_eq!(tally.translations.resolved, 2);
        assert_eq!(tally.groups(), 1);
        assert_eq!(tally.languages["fr"], 2);
    }

    /// On a site with 102 Spanish posts, 101 English ones were copies of these, but counted as English.
    #[test]
    fn copies_do_not_count_as_a_language() {
        let copy = LINE.replace("\"fr\"", "\"en\",\"copy_source\":\"words\"");
        let own = LINE.replace("\"fr\"", "\"es\"");
        let mut tally = tally(&[&own, &copy, &own, &copy.replace("\"en\"", "\"es\"")]);
        assert_eq!(tally.in_own_words().collect::<Vec<_>>(), [("es", 2, 1)]);
        tally.absorb(&mut self::tally(&[&copy]));
        assert_eq!((tally.languages["en"], tally.copies[&Some("en".to_owned())]), (2, 2));
    }

    #[test]
    fn groups_of_two_sites_are_two() {
        assert_eq!(tally(&[LINE, &LINE.replace("\"a\"", "\"b\"")]).groups(), 2);
    }

    #[test]
    fn a_field_of_another_type_is_neither_counted_nor_an_error() {
        let line = LINE.replace("\"fr\"", "5").replace("[{\"internal\":true}]", "{\"a\":1e999}");
        let tally = tally(&[&line]);
        assert!(tally.languages.is_empty());
        assert_eq!(tally.images, References::default());
        assert_eq!(tally.links.found, 4);
    }

    #[test]
    fn text_rules_are_mixed_unless_all_records_agree() {
        let peer = r#"{"type":"post","text_rules":"wpextract"}"#;
        assert_eq!(tally(&[peer]).text_rules(), "wpextract");
        assert_eq!(tally(&[r#"{"type":"post"}"#]).text_rules(), "rendered");
        assert_eq!(tally(&[peer, r#"{"type":"post"}"#]).text_rules(), "mixed");
        assert_eq!(tally(&[peer, r#"{"kind":"widget","type":"clock"}"#]).text_rules(), "wpextract");
    }
}
