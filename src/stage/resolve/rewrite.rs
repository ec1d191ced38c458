//! The second pass: each record with its targets, translations, group, and language.
//! Which record is meant is asked of the registry.

use super::element::{append, edit_list, json, target_json, value};
use super::register::Sites;
use super::tally::{Tally, Use};
use crate::ndjson::{Line, Object, Str};
use crate::record::{Target, Translation};
use crate::registry::{Asked, Found, RecordNumber, Registry, Rule, TranslationFacts, Verdict};
use crate::report::Notes;
use crate::urls::UrlKey;

/// What is resolved in the records of a kind.
struct Parts {
    links: bool,
    images: bool,
    translations: bool,
    /// Fields that name records by id: the field, the kind and, where one is meant, the type of the record; the count.
    references: &'static [(&'static str, &'static str, Option<&'static str>, &'static str)],
}

const POST: &[(&str, &str, Option<&str>, &str)] = &[
    ("author", "user", None, "dangling_author"),
    ("parent", "post", None, "dangling_parent"),
    ("featured_media", "media", None, "dangling_featured_media"),
    ("categories", "term", Some("category"), "dangling_categories"),
    ("tags", "term", Some("tag"), "dangling_tags"),
];

const MEDIA: &[(&str, &str, Option<&str>, &str)] = &[
    ("author", "user", None, "dangling_author"),
    ("post", "post", None, "dangling_post"),
    ("featured_media", "media", None, "dangling_featured_media"),
];

const COMMENT: &[(&str, &str, Option<&str>, &str)] = &[
    ("author", "user", None, "dangling_author"),
    ("parent", "comment", None, "dangling_parent"),
    ("post", "post", None, "dangling_post"),
];

fn parts(kind: &str) -> Option<Parts> {
    let parts = |links, images, translations, references| Some(Parts { links, images, translations, references });
    match kind {
        "post" => parts(true, true, true, POST),
        "html" => parts(true, true, true, &[]),
        "media" => parts(true, true, true, MEDIA),
        "term" => parts(true, true, true, &[("parent", "term", None, "dangling_parent")]),
        "user" => parts(true, false, false, &[]),
        "comment" => parts(true, true, false, COMMENT),
        _ => None,
    }
}

/// The record that is being written.
struct Here<'a> {
    registry: &'a Registry,
    record: Option<RecordNumber>,
    language: Option<String>,
    r#type: String,
    id: Option<i64>,
}

/// Writes records with what the registries know.
pub(super) struct Rewriter<'a> {
    sites: &'a Sites,
    tally: &'a Tally,
    key: UrlKey,
}

impl<'a> Rewriter<'a> {
    pub fn new(sites: &'a Sites, tally: &'a Tally) -> Self {
        Rewriter { sites, tally, key: UrlKey::default() }
    }

    /// Writes one line; what is no JSON object is a reject, what is no record of ours passes unchanged.
    pub fn rewrite(&mut self, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
        let mut object = match Object::parse(line.bytes) {
            Ok(object) => object,
            Err((what, column)) => return notes.reject(line.place().column(column), what, line.bytes),
        };
        notes.count("records_out", 1);
        let site = value::<Option<String>>(&object, "site").flatten();
        let kind = value::<Option<String>>(&object, "kind").flatten().unwrap_or_default();
        let registry = site.and_then(|site| self.sites.get(&site));
        let (Some(parts), Some(registry)) = (parts(&kind), registry) else {
            out.extend_from_slice(line.bytes);
            out.push(b'\n');
            return;
        };
        let here = identify(&object, &kind, registry);
        if parts.translations {
            write_language(&mut object, &here, notes);
            write_translations(&mut object, &here, notes);
        }
        if parts.links {
            self.write_links(&mut object, &here, &line, notes);
        }
        if parts.images {
            self.write_images(&mut object, &here, &line, notes);
        }
        count_dangling(&object, registry, &parts, notes);
        object.write_line(out);
    }

    fn write_links(&mut self, object: &mut Object<'_>, here: &Here<'_>, line: &Line<'_>, notes: &mut Notes) {
        let Some(raw) = object.get("links") else { return };
        let links = edit_list(raw, |link| {
            let url: Option<String> = value(link, "url").flatten();
            let written: Option<String> = value(link, "href").flatten();
            let rel: Option<String> = value(link, "rel").flatten();
            let asked = Asked {
                url: url.as_deref().unwrap_or_default(),
                written: written.as_deref(),
                language: here.language.as_deref(),
                hint: rel.as_deref().and_then(attachment_id),
                image: false,
            };
            let found = self.find(&asked, here, line, Use::Link, notes);
            set_found(link, here.registry, &found);
            link.set("comment", json(&found.comment));
            link.set("rule", json(&found.rule.map(Rule::name)));
            true
        });
        if let Some(links) = links {
            object.set("links", links);
        }
    }

    fn write_images(&mut self, object: &mut Object<'_>, here: &Here<'_>, line: &Line<'_>, notes: &mut Notes) {
        let Some(raw) = object.get("images") else { return };
        let images = edit_list(raw, |image| {
            let url: Option<String> = value(image, "url").flatten();
            let asked = Asked {
                url: url.as_deref().unwrap_or_default(),
                written: None,
                language: here.language.as_deref(),
                hint: value::<Option<i64>>(image, "id").flatten(),
                image: true,
            };
            let found = self.find(&asked, here, line, Use::Image, notes);
            set_found(image, here.registry, &found);
            image.set("rule", json(&found.rule.map(Rule::name)));
            true
        });
        if let Some(images) = images {
            object.set("images", images);
        }
    }

    fn find(&mut self, asked: &Asked<'_>, here: &Here<'_>, line: &Line<'_>, r#use: Use, notes: &mut Notes) -> Found {
        let found = here.registry.find_url(asked, &mut self.key);
        notes.count(r#use.all(), 1);
        if found.internal {
            notes.count(r#use.internal(), 1);
        }
        match found.target {
            Ok(_) => notes.count(r#use.resolved(), 1),
            Err(reason) if reason.is_loss() => {
                self.tally.unresolved(asked.url, reason, line, &here.r#type, here.id);
            }
            Err(_) => {}
        }
        if let Some(rule) = found.rule {
            self.tally.rule(r#use, rule);
        }
        found
    }
}

/// The N of `rel="attachment wp-att-N"`.
fn attachment_id(rel: &str) -> Option<i64> {
    rel.split_ascii_whitespace().find_map(|word| word.strip_prefix("wp-att-"))?.parse().ok()
}

fn identify<'a>(object: &Object<'_>, kind: &str, registry: &'a Registry) -> Here<'a> {
    let r#type: String = value::<Option<String>>(object, "type").flatten().unwrap_or_default();
    let id = value::<Option<i64>>(object, "id").flatten();
    let link = value::<Option<String>>(object, "link").flatten();
    let record = registry.number(kind, &r#type, id, link.as_deref().unwrap_or_default());
    let declared = value::<Option<String>>(object, "language").flatten();
    let language = declared.or_else(|| Some(registry.language(record?)?.0.to_owned()));
    Here { registry, record, language, r#type, id }
}

fn set_found(element: &mut Object<'_>, registry: &Registry, found: &Found) {
    element.set("internal", json(&found.internal));
    element.set("target", target_json(registry, found.target.ok()));
}

/// A language that only the site could tell.
fn write_language(object: &mut Object<'_>, here: &Here<'_>, notes: &mut Notes) {
    let declared = value::<Option<String>>(object, "language").flatten().is_some_and(|tag| !tag.is_empty());
    if declared {
        return;
    }
    let Some((language, Some(source))) = here.record.and_then(|record| here.registry.language(record)) else { return };
    notes.count(if source == "url" { "languages_from_url" } else { "languages_from_translations" }, 1);
    object.set("language", json(&language));
    object.set("language_source", json(&source));
}

fn write_translations(object: &mut Object<'_>, here: &Here<'_>, notes: &mut Notes) {
    let Some(record) = here.record else { return };
    let registry = here.registry;
    let raw = object.get("translations").filter(|raw| raw.starts_with('['));
    let mut known: Vec<RecordNumber> = Vec::new();
    let list = edit_list(raw.unwrap_or("[]"), |element| {
        notes.count("translations", 1);
        let kept = edit_translation(element, registry, record, &mut known);
        match kept {
            Ok(resolved) => notes.count("translations_resolved", u64::from(resolved)),
            Err(dropped) => notes.count(dropped, 1),
        }
        kept.is_ok()
    });
    let completed: Vec<String> = registry.complete(record, &known).map(|other| completed(registry, &other)).collect();
    notes.count("translations_completed", completed.len() as u64);
    if raw.is_some() || !completed.is_empty() {
        object.set("translations", append(list.unwrap_or_else(|| "[]".into()), &completed));
    }
    let group = registry.group_name(record);
    if group.is_some() || object.get("translation_group").is_some() {
        object.set("translation_group", json(&group));
    }
}

/// Puts what is known of a translation into it; whether it has a target, or the count under which it is dropped.
fn edit_translation(
    element: &mut Object<'_>,
    registry: &Registry,
    record: RecordNumber,
    known: &mut Vec<RecordNumber>,
) -> Result<bool, &'static str> {
    let text = |key: &str| value::<Option<String>>(element, key).flatten().map(crate::ndjson::Str::from);
    let said = TranslationFacts {
        language: text("language"),
        language_raw: text("language_raw"),
        href: text("href"),
        id: value::<Option<i64>>(element, "id").flatten(),
        r#type: text("type"),
        source: text("source"),
    };
    let (target, rule) = match registry.verdict(record, &said) {
        Verdict::Dropped(count) => return Err(count),
        Verdict::Open(rule) => (None, rule),
        Verdict::Target(target, _) if known.contains(&target) => return Err("dropped_twice"),
        Verdict::Target(target, rule) => (Some(target), Some(rule)),
    };
    if let Some(target) = target {
        known.push(target);
        if let Some((language, _)) = registry.language(target) {
            element.set("language", json(&language));
        }
    }
    element.set("target", target_json(registry, target));
    element.set("rule", json(&rule.map(Rule::name)));
    Ok(target.is_some())
}

/// A translation that others state, as JSON.
fn completed(registry: &Registry, other: &crate::registry::Completed) -> String {
    let (r#type, id, link) = registry.target(other.record);
    let link = Some(link).filter(|link| !link.is_empty()).map(Str::from);
    json(&Translation {
        language: registry.language(other.record).map(|(language, _)| language.into()),
        language_raw: None,
        href: link.clone(),
        id: None,
        r#type: None,
        source: Some(if other.reverse { "reverse" } else { "group" }.into()),
        target: Target { r#type: Some(r#type.into()), id, link },
        rule: Some(Rule::Exact.name().into()),
    })
}

/// References by id that name nothing; 0 is none.
fn count_dangling(object: &Object<'_>, registry: &Registry, parts: &Parts, notes: &mut Notes) {
    for &(field, kind, r#type, count) in parts.references {
        let Some(raw) = object.get(field) else { continue };
        let ids: Vec<i64> = match raw.starts_with('[') {
            true => serde_json::from_str(raw).unwrap_or_default(),
            false => serde_json::from_str(raw).into_iter().collect(),
        };
        let dangling = ids.iter().filter(|&&id| id > 0 && !registry.has(kind, r#type, id)).count();
        if dangling > 0 {
            notes.count(count, dangling as u64);
        }
    }
}
