//! Replaces the names of users and commenters by pseudonyms, in one pass over the records before any format sees them. A name or slug
//! becomes an HMAC-SHA-256 with the user's key wherever it is data: in fields, URLs, attributes, and the labels beside these, such as
//! captions. Running text stays as it is.

mod addresses;
mod decoded;
mod key;
mod markup;
mod persons;
mod places;
mod texts;

use crate::export::dataset::pseudonymised::Counts;
use crate::export::dataset::tally::Types;
use crate::html::hash;
use crate::ndjson::{self, Batch, Input, Object, is_end, json_of, write_json};
use crate::record::{FieldChange, shape_of};
use crate::report::{Error, Report};
pub(crate) use key::Key;
use key::pseudonym_in;
use markup::Who;
use persons::Persons;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use texts::Texts;

/// The keys whose strings are running text, or for other reasons not URLs.
const TEXT: [&str; 6] = ["text", "alt", "caption", "title", "name", "label"];

/// Words in the names of attributes whose whole value may identify a person, however short it is: `data-author-slug`.
const NAMED: [&str; 6] = ["author", "user", "slug", "login", "name", "person"];

/// The keys whose strings may name people: statements on rights, of pictures and of pages.
const NAMES: [&str; 9] =
    ["value", "credit", "copyright", "keywords", "description", "section", "site_name", "sample", "provider"];

/// The attributes for which HTML defines all values, or nearly all: `author` is a relation there, but may be a slug elsewhere.
const VOCABULARY: [&str; 14] = [
    "rel", "rev", "type", "lang", "hreflang", "dir", "role", "target", "method", "style", "itemprop", "itemtype",
    "property", "typeof",
];

/// The keys with known contents that options, and programs beside the pipe, add.
const ADDED: [&str; 6] =
    ["text_rules", "text_language", "duplicate_group", "duplicate_similarity", "duplicate_first", "signature"];

/// The most levels of a value that are read; no key of wp-records(5) has as many.
const DEEPEST: usize = 32;

/// The result of replacing names in the records.
pub(crate) struct Outcome {
    /// The records with pseudonyms, from a spool.
    pub(crate) input: Input,
    pub(crate) counts: Counts,
    /// The records that were left out, by kind and type.
    pub(crate) left_out: Types,
}

/// Replaces the names in all records. The result is in a spool.
pub(crate) fn apply(key: &Key, input: &mut Input, report: &mut Report) -> Result<Outcome, Error> {
    input.make_rereadable()?;
    let mut persons = Persons::new(key);
    let mut batch = Batch::empty();
    while input.read(&mut batch)? {
        for line in batch.lines() {
            if let Ok(object) = Object::parse(line.bytes) {
                persons.learn(&object);
            }
        }
    }
    persons.settle();
    input.rewind();
    let (counts, left_out) = (Counts::default(), Types::default());
    let mut rewriter = Rewriter {
        persons,
        counts,
        left_out,
        depth: 0,
        unknown: BTreeMap::new(),
        alts: BTreeMap::new(),
        texts: Texts::default(),
    };
    let mut input_again = ndjson::respool(input, report, |line, out| match Object::parse(line.bytes) {
        Ok(object) if !is_end(line.bytes) => rewriter.write(&object, out),
        // The format reports the error in such a line.
        _ => {
            out.extend_from_slice(line.bytes);
            out.push(b'\n');
        }
    })?;
    for (key, count) in &rewriter.unknown {
        report.tell(&format!("--pseudonyms: {count} values of the key {key} are left out: its contents are unknown"));
    }
    let counts = rewriter.counts();
    // Pseudonyms are longer than many names.
    input_again.limit_records(input.max_record().saturating_mul(2).min(usize::MAX / 2));
    Ok(Outcome { input: input_again, counts, left_out: rewriter.left_out })
}

struct Rewriter<'k> {
    persons: Persons<'k>,
    counts: Counts,
    left_out: Types,
    /// The depth of nesting of the value that is being read.
    depth: usize,
    /// The unknown keys, and how often they were left out.
    unknown: BTreeMap<String, u64>,
    /// The alternative texts that were replaced in the record's HTML: its links and images have them, too.
    alts: BTreeMap<String, String>,
    texts: Texts,
}

impl Rewriter<'_> {
    fn counts(&self) -> Counts {
        let (users, users_with_avatar) = self.persons.users();
        Counts { users, users_with_avatar, names: self.persons.names(), ..self.counts }
    }

    /// Writes a record, unless it is one of those that are left out.
    fn write(&mut self, object: &Object<'_>, out: &mut Vec<u8>) {
        let Some(kind) = object.text("kind") else { return object.write_line(out) };
        let site = object.text("site").unwrap_or_default().to_string();
        let Some(shape) = shape_of(&kind) else { return self.leave_out(&kind, object) };
        if &*kind == "html" && self.is_of_author(object, &site) {
            return self.leave_out(&kind, object);
        }
        self.alts.clear();
        out.push(b'{');
        let mut first = true;
        let known = || shape.iter().map(|field| field.key).chain(ADDED);
        for key in known() {
            let Some(value) = object.get(key) else { continue };
            let value = self.own_value(object, &kind, &site, key, value);
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            write_json(out, key);
            out.push(b':');
            out.extend_from_slice(value.as_bytes());
        }
        out.extend_from_slice(b"}\n");
        for (key, _) in object.iter().filter(|(key, _)| known().all(|known| known != *key)) {
            self.counts.left_out_keys += 1;
            *self.unknown.entry(key.to_owned()).or_default() += 1;
        }
    }

    fn leave_out(&mut self, kind: &str, object: &Object<'_>) {
        self.counts.left_out_records += 1;
        self.left_out.add(kind, &object.text("type").unwrap_or_default(), 1);
    }

    /// Whether a page is the archive of an author.
    fn is_of_author(&self, object: &Object<'_>, site: &str) -> bool {
        let addresses = self.persons.addresses(site);
        object.text_in("same", "type").as_deref() == Some("user")
            || object.text("link").is_some_and(|link| addresses.is_archive(&link))
    }

    /// The value of a key of a record, with pseudonyms.
    fn own_value<'v>(&mut self, of: &Object<'_>, kind: &str, site: &str, key: &str, value: &'v str) -> Cow<'v, str> {
        let person = |pseudonym: String| Cow::Owned(json_of(&pseudonym));
        let is_authors_term = kind == "term" && of.text("taxonomy").as_deref() == Some("author");
        match (kind, key) {
            _ if value == "null" => Cow::Borrowed("null"),
            ("user", "name" | "slug") => {
                let id = of.number("id").unwrap_or_default();
                person(self.persons.user(site, id))
            }
            ("user", "url") | ("comment", "author_url") => Cow::Borrowed("null"),
            ("user", "description") => Cow::Borrowed(r#"{"html":null,"text":null}"#),
            ("user", "avatar_urls" | "links") => Cow::Borrowed("[]"),
            ("user", "seo") => Cow::Borrowed(
                r#"{"title":null,"description":null,"canonical":null,"image":null,"locale":null,"url":null,"source":null}"#,
            ),
            ("comment", "author_name") => {
                let id = of.number("author").unwrap_or_default();
                let name = of.text("author_name").unwrap_or_default();
                person(if id > 0 { self.persons.user(site, id) } else { self.persons.name(site, &name) })
            }
            (_, "author_name") => person(self.persons.name(site, &of.text("author_name").unwrap_or_default())),
            ("change", _) => self.value_of_change(of, site, key, value),
            // Plugins that give a post several authors have a taxonomy for them.
            (_, "name" | "slug" | "name_html") if is_authors_term => {
                person(self.persons.name(site, &of.text("slug").unwrap_or_default()))
            }
            (_, "description") if is_authors_term => Cow::Borrowed(r#"{"html":null,"text":null}"#),
            _ => self.value(site, key, value),
        }
    }

    /// The value of a key of a record of wp-diff, with pseudonyms.
    fn value_of_change<'v>(&mut self, of: &Object<'_>, site: &str, key: &str, value: &'v str) -> Cow<'v, str> {
        let r#type = of.text("type").unwrap_or_default().to_string();
        let id = of.number("id").unwrap_or_default();
        match (&*r#type, key) {
            // The title of a user is the name.
            ("user", "old" | "new") => {
                let value = self.value(site, key, value).into_owned();
                let Ok(mut version) = Object::parse_str(&value) else { return Cow::Owned(value) };
                if version.get("title").is_some_and(|title| title != "null") {
                    version.set("title", json_of(&self.persons.user(site, id)));
                }
                Cow::Owned(version.to_json())
            }
            ("user", "text") => Cow::Borrowed("[]"),
            ("user", "links" | "images") => Cow::Borrowed(r#"{"added":[],"removed":[]}"#),
            (_, "fields") => {
                let list = serde_json::from_str::<Vec<FieldChange<'_>>>(value).unwrap_or_default();
                let changed = list.into_iter().map(|mut change| {
                    let field = change.field.as_deref().unwrap_or_default().to_owned();
                    for value in [&mut change.old, &mut change.new].into_iter().flatten() {
                        *value = self.changed_value(site, (&r#type, id), &field, value).into();
                    }
                    change
                });
                Cow::Owned(json_of(&changed.collect::<Vec<_>>()))
            }
            _ => self.value(site, key, value),
        }
    }

    /// The old or new value of a field, as JSON, with pseudonyms.
    fn changed_value(&mut self, site: &str, (r#type, id): (&str, i64), field: &str, json: &str) -> String {
        let name = field.split('.').next().unwrap_or_default();
        match (r#type, name) {
            _ if json == "null" => "null".to_owned(),
            ("user", "name" | "slug") => json_of(&self.persons.user(site, id)),
            ("user", "link") => self.value(site, name, json).into_owned(),
            ("user", _) | ("comment", "author_url") => "null".to_owned(),
            (_, "author_name") => {
                let who = crate::ndjson::string(json).unwrap_or_default().to_string();
                json_of(&self.persons.name(site, &who))
            }
            _ => self.value(site, field.rsplit('.').next().unwrap_or_default(), json).into_owned(),
        }
    }

    /// Any value, with pseudonyms, according to its key.
    fn value<'v>(&mut self, site: &str, key: &str, json: &'v str) -> Cow<'v, str> {
        if self.depth == DEEPEST {
            return Cow::Borrowed("null");
        }
        self.depth += 1;
        let value = self.shallow_value(site, key, json);
        self.depth -= 1;
        value
    }

    fn shallow_value<'v>(&mut self, site: &str, key: &str, json: &'v str) -> Cow<'v, str> {
        match json.as_bytes().first() {
            Some(b'"') => self.string(site, key, json),
            Some(b'{') => {
                let Ok(object) = Object::parse_str(json) else { return Cow::Borrowed(json) };
                let author = object.text("name").or_else(|| object.text("slug")).filter(|_| key == "authors");
                let is_person = object.text("taxonomy").as_deref() == Some("author");
                let refers =
                    ["href", "src"].iter().any(|key| object.get(key).is_some_and(|value| value.starts_with('"')));
                let who = if refers { self.led_to(site, &object) } else { None };
                let rendered = self.rendered(site, &object);
                let mut out = Vec::with_capacity(json.len());
                for (number, (key, value)) in object.iter().enumerate() {
                    out.push(if number == 0 { b'{' } else { b',' });
                    write_json(&mut out, key);
                    out.push(b':');
                    let new = rendered.as_ref().and_then(|new| new.get(key));
                    let value = match key {
                        "name" | "slug" if value != "null" && (author.is_some() || is_person) => {
                            let slug = || object.text("slug").or_else(|| object.text("name")).unwrap_or_default();
                            let name = author.clone().unwrap_or_else(slug);
                            Cow::Owned(json_of(&self.persons.name(site, &name)))
                        }
                        "html" | "text" | "hash" if new.is_some() => Cow::Owned(json_of(&new)),
                        "text" | "alt" | "caption" if refers => self.label(site, key, value, who.as_deref()),
                        _ => self.value(site, key, value),
                    };
                    out.extend_from_slice(value.as_bytes());
                }
                if out.is_empty() {
                    out.push(b'{');
                }
                out.push(b'}');
                Cow::Owned(String::from_utf8(out).expect("JSON is UTF-8"))
            }
            Some(b'[') => {
                let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(json) else { return Cow::Borrowed(json) };
                let values: Vec<_> = list.iter().map(|one| self.value(site, key, one.get())).collect();
                Cow::Owned(format!("[{}]", values.join(",")))
            }
            _ => Cow::Borrowed(json),
        }
    }

    /// The person to whom a link, image or embed leads.
    fn led_to(&mut self, site: &str, reference: &Object<'_>) -> Option<String> {
        let urls = ["url", "href", "src"].into_iter().filter_map(|key| reference.text(key));
        let new: Vec<_> = urls.filter_map(|url| self.persons.rewrite_url(site, &url)).collect();
        new.iter().find_map(|url| pseudonym_in(url)).map(str::to_owned)
    }

    /// The label of a link, image or embed: the pseudonym of the person that it names, or else of `who`, to whom the reference leads.
    fn label<'v>(&self, site: &str, key: &str, json: &'v str, who: Option<&str>) -> Cow<'v, str> {
        let Some(text) = ndjson::string(json).filter(|text| !text.is_empty()) else { return Cow::Borrowed(json) };
        let alt = || self.alts.get(&*text).filter(|_| key == "alt").cloned();
        let new = self.persons.whole(site, &text).or_else(|| who.map(str::to_owned)).or_else(alt);
        new.map_or(Cow::Borrowed(json), |new| Cow::Owned(json_of(&new)))
    }

    /// The changed `html`, `text` and `hash` of an object with HTML and its text.
    fn rendered(&mut self, site: &str, object: &Object<'_>) -> Option<BTreeMap<&'static str, String>> {
        let (html, text) = (object.text("html")?, object.text("text")?);
        let new = markup::rewrite(&html, &mut OfSite { rewriter: self, site });
        self.alts.extend(new.alts);
        let new_html = new.html?;
        let mut changed = BTreeMap::new();
        if !new.texts.is_empty() {
            let text = self.texts.again(&html, &new_html, &text, &new.texts);
            changed.extend(object.text("hash").and_then(|_| hash(&text)).map(|hash| ("hash", hash)));
            changed.insert("text", text);
        }
        changed.insert("html", new_html);
        Some(changed)
    }

    fn string<'v>(&mut self, site: &str, key: &str, json: &'v str) -> Cow<'v, str> {
        if TEXT.contains(&key) {
            return Cow::Borrowed(json);
        }
        let Some(text) = crate::ndjson::string(json) else { return Cow::Borrowed(json) };
        let new = match key {
            "html" => markup::rewrite(&text, &mut OfSite { rewriter: self, site }).html,
            "content_rule" => {
                let classes = self.persons.rewrite_classes(site, &text);
                self.persons.rewrite_url(site, classes.as_deref().unwrap_or(&text)).or(classes)
            }
            key if NAMES.contains(&key) => self.words(site, &text),
            _ => self.persons.rewrite_url(site, &text),
        };
        new.map_or(Cow::Borrowed(json), |new| Cow::Owned(json_of(&new)))
    }

    /// The value of an attribute with pseudonyms; `None` if it names nobody.
    fn attribute(&mut self, site: &str, name: &str, value: &str) -> Option<String> {
        match name {
            "class" | "id" | "name" | "for" => {
                let classes = self.persons.rewrite_classes(site, value);
                self.words(site, classes.as_deref().unwrap_or(value)).or(classes)
            }
            "alt" => None,
            _ if VOCABULARY.contains(&name.trim_start_matches("data-")) || is_url(value) => {
                self.persons.rewrite_url(site, value)
            }
            _ => {
                let is_named = name.starts_with("data-") && NAMED.iter().any(|word| name.contains(word));
                let whole = if is_named { self.persons.known(site, value) } else { None };
                whole.or_else(|| self.words(site, value))
            }
        }
    }

    /// Replaces the persons in a text with URLs, names and slugs.
    fn words(&mut self, site: &str, text: &str) -> Option<String> {
        let url = self.persons.rewrite_url(site, text);
        self.persons.rewrite_names(site, url.as_deref().unwrap_or(text)).or(url)
    }
}

/// A rewriter and the site whose HTML it reads.
struct OfSite<'r, 's, 'k> {
    rewriter: &'r mut Rewriter<'k>,
    site: &'s str,
}

impl Who for OfSite<'_, '_, '_> {
    fn attribute(&mut self, name: &str, value: &str) -> Option<String> {
        self.rewriter.attribute(self.site, name, value)
    }

    fn leads_to(&self, name: &str, value: &str) -> Option<String> {
        let is_url = matches!(name, "href" | "src") || is_url(value);
        if is_url { pseudonym_in(value).map(str::to_owned) } else { None }
    }

    fn is_name(&self, text: &str) -> Option<String> {
        self.rewriter.persons.whole(self.site, text)
    }
}

/// Whether a value of an attribute is a URL: names in it may be those of other things.
fn is_url(value: &str) -> bool {
    value.starts_with(['/', '#', '?', '.']) || value.contains("://") && !value.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests;
