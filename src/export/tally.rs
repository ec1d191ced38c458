//! The manifest's information about the records: sites, languages, how much was resolved, text rules. Reads only the
//! fields it counts; other modules pass the records on.

use crate::export::names;
use crate::export::shape::{Seen, Shape};
use crate::ndjson::{Object, Str, read_owned, text_of};
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use xxhash_rust::xxh3::xxh3_128;

/// The fields of a record that are counted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Head<'a> {
    /// The site's label.
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// Shape of the record.
    pub kind: Option<Str<'a>>,
    /// WordPress' own word.
    pub r#type: Option<Str<'a>>,
    language: Option<Str<'a>>,
    translation_group: Option<Str<'a>>,
    text_rules: Option<Str<'a>>,
    links: Count,
    images: Count,
    translations: Count,
}

impl<'a> Head<'a> {
    /// Reads a line. A field of an unexpected type is not counted; only a line that is not a JSON object is an error.
    ///
    /// # Errors
    /// As [`Object::parse`].
    pub fn parse(line: &'a [u8]) -> Result<Self, (String, u64)> {
        let text = text_of(line)?;
        // A struct would also be read from an array.
        let strict = Some(text).filter(|text| text.trim_ascii_start().starts_with('{'));
        if let Some(head) = strict.and_then(|text| read_owned(text).ok()) {
            return Ok(head);
        }
        // Slower, but rare: repeated keys, fields of other types.
        let object = Object::parse_str(text)?;
        let text = |key: &str| object.get_borrowed(key).and_then(|raw| serde_json::from_str(raw).ok());
        let count = |key: &str| object.get(key).and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default();
        Ok(Head {
            site: text("site"),
            kind: text("kind"),
            r#type: text("type"),
            language: text("language"),
            translation_group: text("translation_group"),
            text_rules: text("text_rules"),
            links: count("links"),
            images: count("images"),
            translations: count("translations"),
        })
    }

    /// Reads a line that fits a shape, in one pass; none if it does not fit, or must be looked at more closely.
    pub fn of_shape(line: &'a [u8], shape: &Shape) -> Option<Self> {
        let line = text_of(line).ok()?;
        let Seen { texts, lists, odd } = shape.pass(line.as_bytes())?;
        if odd {
            return None;
        }
        let mut found: [Option<Str<'a>>; Seen::TEXTS.len()] = Default::default();
        for (text, place) in found.iter_mut().zip(texts) {
            *text = match place.map(|place| &line[place]) {
                None | Some("null") => None,
                Some(raw) => Some(read_owned(raw).ok()?),
            };
        }
        let [site, kind, r#type, language, translation_group, text_rules] = found;
        let [links, images, translations] = lists.map(Count);
        Some(Head { site, kind, r#type, language, translation_group, text_rules, links, images, translations })
    }

    /// The kind and type the record is filed under; see [`names::kind_and_type`].
    pub fn kind_and_type(&self) -> Option<(&str, &str)> {
        names::kind_and_type(self.kind.as_deref(), self.r#type.as_deref())
    }

    /// As [`Head::kind_and_type`]; empty where nothing tells.
    pub fn filed(&self) -> (&str, &str) {
        self.kind_and_type().unwrap_or((self.kind.as_deref().unwrap_or_default(), ""))
    }

    /// What a tally takes of the record when it is written under `kind` and `type`.
    pub fn counted<'h>(&'h self, kind: &'h str, r#type: &'h str) -> Counted<'h> {
        let borrow = |text: &'h Str<'_>| Str::from(text.as_str());
        Counted {
            site: self.site.as_ref().map(borrow).unwrap_or_default(),
            kind: kind.into(),
            r#type: r#type.into(),
            language: self.language.as_ref().map(borrow),
            translation_group: self.translation_group.as_ref().map(borrow),
            by_peers_rules: self.text_rules.as_deref() == Some("wpextract"),
            links: self.links.0,
            images: self.images.0,
            translations: self.translations.0,
        }
    }
}

/// What a tally takes of one record. It can lie in a spool until it is known whether the record is written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Counted<'a> {
    /// The site's label.
    #[serde(borrow)]
    pub site: Str<'a>,
    /// Shape of the record.
    pub kind: Str<'a>,
    /// WordPress' own word.
    pub r#type: Str<'a>,
    /// BCP 47 tag.
    pub language: Option<Str<'a>>,
    /// Name of its group, unique in the site.
    pub translation_group: Option<Str<'a>>,
    by_peers_rules: bool,
    links: References,
    images: References,
    translations: References,
}

/// A link, an image or a translation, as far as it is counted.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Reference {
    internal: Option<bool>,
    target: Option<Target>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Target {
    r#type: Option<IgnoredAny>,
}

/// How many references there are and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// All.
    pub found: u64,
    /// Those that lead to the site itself.
    pub internal: u64,
    /// Those that have a target.
    pub resolved: u64,
    /// Internal ones without a target.
    pub dangling: u64,
}

impl References {
    /// Adds others to them.
    pub fn add(&mut self, other: References) {
        self.found += other.found;
        self.internal += other.internal;
        self.resolved += other.resolved;
        self.dangling += other.dangling;
    }
}

/// Counts the elements of a list without keeping them.
#[derive(Debug, Default)]
struct Count(References);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Count::default())
    }
}

impl<'de> Visitor<'de> for Count {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of references")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while let Some(Reference { internal, target }) = list.next_element()? {
            let resolved = target.is_some_and(|target| target.r#type.is_some());
            let internal = internal == Some(true);
            self.0.add(References {
                found: 1,
                internal: internal.into(),
                resolved: resolved.into(),
                dangling: (internal && !resolved).into(),
            });
        }
        Ok(self)
    }
}

/// What is known of a number of records. Memory: 16 bytes a translation group beside names.
#[derive(Debug, Default)]
pub struct Tally {
    /// Records by kind and type.
    pub records: Types,
    /// Records left out, by kind and type.
    pub left_out: Types,
    /// The sites' labels, in the order of the input.
    pub sites: Vec<String>,
    /// Records by language.
    pub languages: BTreeMap<String, u64>,
    /// Links of the records.
    pub links: References,
    /// Their images.
    pub images: References,
    /// Their translations.
    pub translations: References,
    /// What only some formats count.
    pub counts: BTreeMap<&'static str, u64>,
    groups: HashSet<u128>,
    /// Records whose texts follow our rules, and the peer's. Unknown kinds are in neither number.
    text_rules: [u64; 2],
}

impl Tally {
    /// Counts a record that is written under `kind` and `type`.
    pub fn add(&mut self, head: &Head<'_>, kind: &str, r#type: &str) {
        self.add_counted(&head.counted(kind, r#type));
    }

    /// Counts a record that is written.
    pub fn add_counted(&mut self, record: &Counted<'_>) {
        self.records.add(&record.kind, &record.r#type, 1);
        let site = record.site.as_str();
        if self.sites.last().is_none_or(|last| last != site) {
            self.add_site(site);
        }
        if let Some(language) = record.language.as_deref() {
            match self.languages.get_mut(language) {
                Some(n) => *n += 1,
                None => drop(self.languages.insert(language.to_owned(), 1)),
            }
        }
        if let Some(group) = record.translation_group.as_deref() {
            self.groups.insert(group_hash(site, group));
        }
        if matches!(&*record.kind, "post" | "term" | "media" | "user" | "comment" | "html") {
            self.text_rules[usize::from(record.by_peers_rules)] += 1;
        }
        self.links.add(record.links);
        self.images.add(record.images);
        self.translations.add(record.translations);
    }

    /// Adds to a count that only some formats have (snake_case): a key of the manifest's `counts` and of `--stats`.
    pub fn count(&mut self, name: &'static str, n: u64) {
        *self.counts.entry(name).or_default() += n;
    }

    /// Counts a record that is left out.
    pub fn leave_out(&mut self, kind: &str, r#type: &str) {
        self.left_out.add(kind, r#type, 1);
    }

    fn add_site(&mut self, site: &str) {
        if !self.sites.iter().any(|s| s == site) {
            self.sites.push(site.to_owned());
        }
    }

    /// Takes in, and empties, what was counted of the records that follow.
    pub fn absorb(&mut self, other: &mut Tally) {
        let other = std::mem::take(other);
        self.records.absorb(other.records);
        self.left_out.absorb(other.left_out);
        other.sites.iter().for_each(|site| self.add_site(site));
        for (language, n) in other.languages {
            *self.languages.entry(language).or_default() += n;
        }
        other.counts.into_iter().for_each(|(name, n)| self.count(name, n));
        self.groups.extend(other.groups);
        self.text_rules = [self.text_rules[0] + other.text_rules[0], self.text_rules[1] + other.text_rules[1]];
        self.links.add(other.links);
        self.images.add(other.images);
        self.translations.add(other.translations);
    }

    /// How many records are written.
    pub fn written(&self) -> u64 {
        self.records.total()
    }

    /// How many groups of translations there are.
    pub fn groups(&self) -> u64 {
        self.groups.len() as u64
    }

    /// By whose rules the texts are: `rendered` (ours), `wpextract`, or `mixed`.
    pub fn text_rules(&self) -> &'static str {
        match self.text_rules {
            [_, 0] => "rendered",
            [0, _] => "wpextract",
            _ => "mixed",
        }
    }
}

/// A translation group in 16 bytes: its name, and the site in which the name is unique.
pub fn group_hash(site: &str, group: &str) -> u128 {
    xxh3_128(group.as_bytes()) ^ xxh3_128(site.as_bytes()).rotate_left(1)
}

/// Numbers of records by kind and type. There are few types: a list is looked through faster than a map.
#[derive(Debug, Default)]
pub struct Types(Vec<TypeCount>);

/// How many records of a type there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeCount {
    /// Shape of the records.
    pub kind: String,
    /// WordPress' own word.
    pub r#type: String,
    /// Their number.
    pub records: u64,
}

impl Types {
    /// Adds `n` records.
    pub fn add(&mut self, kind: &str, r#type: &str, n: u64) {
        match self.0.iter_mut().find(|c| c.r#type == r#type && c.kind == kind) {
            Some(count) => count.records += n,
            None => self.0.push(TypeCount { kind: kind.to_owned(), r#type: r#type.to_owned(), records: n }),
        }
    }

    fn absorb(&mut self, other: Types) {
        other.0.iter().for_each(|c| self.add(&c.kind, &c.r#type, c.records));
    }

    /// All types together.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|c| c.records).sum()
    }

    /// The numbers, in the order of kind and type.
    pub fn sorted(&self) -> Vec<TypeCount> {
        let mut list = self.0.clone();
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
            let head = Head::parse(line.as_bytes()).unwrap();
            let (kind, r#type) = head.kind_and_type().unwrap();
            tally.add(&head, kind, r#type);
        }
        tally
    }

    const LINE: &str = r#"{"site":"a","kind":"post","type":"post","language":"fr","translation_group":"post:1",
        "links":[{"internal":true,"target":{"type":"page","id":2}},{"internal":true,"target":{"type":null}},
        {"internal":false,"target":{"type":null}},{"internal":null}],"images":[{"internal":true}],
        "translations":[{"target":{"type":"post"}}]}"#;

    #[test]
    fn links_images_translations_and_groups_are_counted() {
        let tally = tally(&[LINE, LINE]);
        assert_eq!(tally.links, References { found: 8, internal: 4, resolved: 2, dangling: 2 });
        assert_eq!(tally.images, References { found: 2, internal: 2, resolved: 0, dangling: 2 });
        assert_eq!(tally.translations.resolved, 2);
        assert_eq!(tally.groups(), 1);
        assert_eq!(tally.languages["fr"], 2);
    }

    #[test]
    fn groups_of_two_sites_are_two() {
        assert_eq!(tally(&[LINE, &LINE.replace("\"a\"", "\"b\"")]).groups(), 2);
    }

    #[test]
    fn a_field_of_another_type_is_not_counted_and_no_error() {
        let line = LINE.replace("\"fr\"", "5").replace("[{\"internal\":true}]", "{\"a\":1e999}");
        let tally = tally(&[&line]);
        assert!(tally.languages.is_empty());
        assert_eq!(tally.images, References::default());
        assert_eq!(tally.links.found, 4);
    }

    #[test]
    fn of_a_key_that_stands_twice_the_last_counts() {
        assert_eq!(Head::parse(br#"{"type":"a","type":"b"}"#).unwrap().r#type.as_deref(), Some("b"));
    }

    #[test]
    fn what_is_no_object_is_an_error_with_its_column() {
        assert!(Head::parse(b"[\"a\",\"post\"]").is_err());
        assert_eq!(Head::parse(b"{\"a\":\"\xff\"}").unwrap_err(), ("invalid UTF-8".to_owned(), 7));
        assert!(Head::parse(b"{} {}").is_err());
    }

    /// Whatever the shape has been widened to, one pass sees what the parser reads, or leaves the record to it.
    #[test]
    fn a_record_that_fits_a_shape_is_counted_as_if_it_were_parsed() {
        let parsed = |line: &str| Head::parse(line.as_bytes()).map(|head| format!("{head:?}")).ok();
        let mut shape = Shape::of_kind("mine");
        // Keys that record.rs does not name are known in the order of the alphabet.
        let good = &LINE.replace(r#""type":"page","id":2"#, r#""id":2,"type":"page""#);
        shape.take_in(good.as_bytes());
        let passed = |shape: &Shape, line: &str| Head::of_shape(line.as_bytes(), shape).map(|head| format!("{head:?}"));
        assert_eq!(passed(&shape, good), parsed(good));
        for (from, to) in [
            ("\"site\":\"a\"", "\"site\":\"\\u00e9\\\"\""),
            ("\"site\":\"a\"", "\"site\":null"),
            ("\"site\":\"a\"", "\"site\":5"),
            ("\"site\":\"a\"", "\"site\":\"a\",\"text_rules\":\"wpextract\""),
            ("\"site\":\"a\"", "\"site\":\"\\x\""),
            ("\"site\":\"a\"", "\"site\":\"a\",\"site\":\"b\""),
            ("\"internal\":true", "\"internal\":\"yes\""),
            ("\"internal\":true", "\"internal\":null"),
            ("{\"id\":2,\"type\":\"page\"}", "[\"page\"]"),
            ("{\"id\":2,\"type\":\"page\"}", "null"),
            ("{\"id\":2,\"type\":\"page\"}", "{\"type\":7}"),
            ("{\"id\":2,\"type\":\"page\"}", "{\"type\":07}"),
            ("[{\"internal\":true}]", "{\"internal\":true}"),
            ("[{\"internal\":true}]", "[[true]]"),
            ("[{\"internal\":true}]", "[{\"internal\":true},null]"),
            ("[{\"internal\":true}]", "[]"),
            ("[{\"internal\":true}]", "null"),
            ("\"images\"", "\"imag\\u0065s\""),
            ("}]}", "}]} x"),
        ] {
            let line = good.replacen(from, to, 1);
            assert!(line != *good, "{from}");
            shape.take_in(line.as_bytes());
            for line in [&line, good] {
                if let Some(passed) = passed(&shape, line) {
                    assert_eq!(Some(passed), parsed(line), "{to}");
                }
            }
        }
    }

    #[test]
    fn lone_surrogates_and_long_numbers_are_no_errors() {
        let head = Head::parse(br#"{"type":"post","x":"\ud800","n":123456789012345678901234567890}"#).unwrap();
        assert_eq!(head.r#type.as_deref(), Some("post"));
    }

    #[test]
    fn text_rules_are_what_all_records_say() {
        let peer = r#"{"type":"post","text_rules":"wpextract"}"#;
        assert_eq!(tally(&[peer]).text_rules(), "wpextract");
        assert_eq!(tally(&[r#"{"type":"post"}"#]).text_rules(), "rendered");
        assert_eq!(tally(&[peer, r#"{"type":"post"}"#]).text_rules(), "mixed");
        assert_eq!(tally(&[peer, r#"{"kind":"widget","type":"clock"}"#]).text_rules(), "wpextract");
    }
}
