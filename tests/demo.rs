//! Tests the example site end to end: the programs find everything in examples/site/expected.tsv, and nothing else.

use crate::workdir::{Workdir, repository};
use serde_json::Value;
use std::collections::BTreeMap;

struct Found {
    records: Vec<Value>,
    index: Value,
    resolve: Value,
}

fn run_pipe() -> Found {
    let dir = Workdir::new();
    std::os::unix::fs::symlink(repository("examples/site"), dir.path("site")).unwrap();
    let run = dir
        .sh("wp-index site/dump --scrape site/scrape --stats index --max-rejects 1 | wp-parse | wp-translations |
         wp-resolve --stats resolve | wp-export");
    let records = run.expect(0).records();
    let stats = |name: &str| serde_json::from_str(&dir.read(name)).unwrap();
    Found { records, index: stats("index"), resolve: stats("resolve") }
}

/// The name of a record: `post:101`, or `html:URL` without an id.
fn name(r#type: &Value, id: &Value, link: &Value) -> String {
    match (r#type.as_str(), id.as_i64()) {
        (None, _) => "-".into(),
        (Some(r#type), Some(id)) => format!("{type}:{id}"),
        (Some(r#type), None) => format!("{type}:{}", link.as_str().unwrap()),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().map_or("-", |text| text.trim())
}

/// The facts in the records, in the vocabulary of expected.tsv: (fact, record) → lines `url value` in document order.
fn facts(found: &Found) -> BTreeMap<(String, String), Vec<String>> {
    let mut facts: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for record in &found.records {
        let own = name(&record["type"], &record["id"], &record["link"]);
        let mut add = |fact: &str, url: &str, value: &str| {
            facts.entry((fact.into(), own.clone())).or_default().push(format!("{url} {value}"));
        };
        *counts.entry(text(&record["type"]).into()).or_default() += 1;
        if !record["scrape"]["file"].is_null() {
            let url = if own.starts_with("html:") { &record["link"] } else { &record["scrape"]["url"] };
            add("page", text(url), text(&record["scrape"]["file"]));
        }
        for alias in record["aliases"].as_array().unwrap() {
            add("alias", text(alias), "");
        }
        if let Some(language) = record["language"].as_str() {
            add("language", "-", language.split('-').next().unwrap());
        }
        if let Some(group) = record["translation_group"].as_str() {
            add("group", "-", group);
        }
        for (fact, list, url) in [("link", "links", "href"), ("image", "images", "src")] {
            for found in record[list].as_array().into_iter().flatten() {
                let target = &found["target"];
                add(fact, text(&found[url]), &name(&target["type"], &target["id"], &target["link"]));
            }
        }
        for embed in record["embeds"].as_array().into_iter().flatten().filter(|embed| !embed["src"].is_null()) {
            add("embed", text(&embed["src"]), &format!("{} {}", text(&embed["element"]), text(&embed["provider"])));
        }
    }
    for (r#type, count) in counts {
        facts.insert(("count".into(), r#type), vec![format!("- {count}")]);
    }
    for (count, key) in [("duplicate", "duplicates"), ("reject", "rejects"), ("alias", "aliases")] {
        facts.insert(("count".into(), count.into()), vec![format!("- {}", found.index[key])]);
    }
    let counts = found.resolve.as_object().unwrap().iter().filter(|(key, _)| key.starts_with("dangling_"));
    let dangling: u64 = counts.map(|(_, n)| n.as_u64().unwrap()).sum();
    facts.insert(("count".into(), "dangling".into()), vec![format!("- {dangling}")]);
    facts
}

/// The facts in expected.tsv, in the same form.
fn expected() -> BTreeMap<(String, String), Vec<String>> {
    let mut facts: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(repository("examples/site/expected.tsv")).unwrap().lines().skip(1) {
        let [fact, record, url, value, how] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let value = match fact {
            "alias" => String::new(),
            "embed" => format!("{value} {how}"),
            // Our list omits records without the fact.
            "language" if value == "-" => continue,
            "count" if ["archive", "not html", "dump skipped"].contains(&record) => continue,
            _ => value.to_owned(),
        };
        facts.entry((fact.into(), record.into())).or_default().push(format!("{url} {value}"));
    }
    facts
}

#[test]
fn the_example_site_gives_what_it_states() {
    let (found, expected) = (facts(&run_pipe()), expected());
    let mut wrong = Vec::new();
    for (key, want) in &expected {
        let (mut got, mut want) = (found.get(key).cloned().unwrap_or_default(), want.clone());
        if key.0 == "alias" {
            got.sort();
            want.sort();
        }
        if got != want {
            wrong.push(format!("{key:?}\n    want {want:?}\n    got  {got:?}"));
        }
    }
    for (key, got) in found.iter().filter(|(key, _)| !expected.contains_key(*key)) {
        wrong.push(format!("{key:?} is not expected: {got:?}"));
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn half_of_the_internal_links_without_a_target_are_dead() {
    let found = run_pipe();
    let links = found.records.iter().flat_map(|record| record["links"].as_array().into_iter().flatten());
    let without = links.filter(|link| link["internal"] == true && link["target"]["type"].is_null());
    let without: Vec<_> = without.filter(|link| !link["href"].is_null()).collect();
    let dead =
        without.iter().filter(|link| ["unknown", "file", "disguised"].contains(&link["reason"].as_str().unwrap()));
    assert_eq!((without.len(), dead.count()), (14, 7));
}

#[test]
fn the_demo_shows_its_three_answers() {
    let dir = Workdir::new();
    let run = dir.sh(&format!("{} out", repository("examples/demo.sh").display())).expect(0);
    for part in
        ["19      records", "posts.jsonl", "lighthouse keepers’ diary", "the-missing-pilot", "north-pier-1024x683.jpg"]
    {
        assert!(run.stdout.contains(part), "{part} is not in\n{}", run.stdout);
    }
    assert!(dir.path("out/manifest.json").exists());
}
