//! Data that somebody has made to harm: no such record, page or dump takes more time or memory than its size explains.
//! A quadratic program does not end these tests in any time that someone would wait.

use crate::workdir::Workdir;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A line of wp-index with this item.
fn line(api: &str, more: &str) -> String {
    format!(
        r#"{{"site":"a","kind":"post","type":"post","id":1,"link":"https://a/x/","source":null,"scrape":null,"aliases":[],"api":{api}{more}}}"#
    )
}

/// Many keys of a record that nobody knows: a user's jq may have made them.
#[test]
fn unknown_keys_cost_linear_time() {
    const KEYS: usize = 100_000;
    let dir = Workdir::new();
    let mut more = String::new();
    for n in 0..KEYS {
        write!(more, r#","key {n}":{n}"#).unwrap();
    }
    // One of the record's own keys, and one twice: the last counts, in the place of the first.
    dir.write("in", line("{}", &format!(r#"{more},"slug":"s","key 7":true"#)));
    let record = &dir.program("wp-parse", "in", "").expect(0).records()[0];
    assert_eq!((&record["slug"], &record["key 7"]), (&json!("s"), &json!(true)));
    assert_eq!(record.as_object().unwrap().keys().filter(|key| key.starts_with("key ")).count(), KEYS);
    let run =
        dir.sh("wp-parse in | wp-translations | wp-resolve | wp-export -d data && wc -l < data/posts.jsonl").expect(0);
    assert_eq!(run.stdout.trim(), "1");
}

#[test]
fn taxonomies_cost_linear_time() {
    const TAXONOMIES: usize = 40_000;
    let dir = Workdir::new();
    let (mut links, mut fields) = (String::new(), String::new());
    for n in 0..TAXONOMIES {
        write!(links, r#"{{"taxonomy":"t{n}","href":"https://a/wp-json/wp/v2/t{n}?post=1"}},"#).unwrap();
        write!(fields, r#""t{n}":[{n}],"#).unwrap();
    }
    // Many that name one field: it is one taxonomy's.
    let same = r#"{"taxonomy":"t1","href":"https://a/wp-json/wp/v2/t1?post=1"}"#;
    dir.write("in", line(&format!(r#"{{{fields}"_links":{{"wp:term":[{links}{same}]}}}}"#), ""));
    let record = &dir.program("wp-parse", "in", "").expect(0).records()[0];
    assert_eq!(record["terms"].as_array().unwrap().len(), TAXONOMIES);
    assert_eq!(record["terms"][1], json!({"taxonomy": "t1", "id": 1}));
}

#[test]
fn items_of_a_switcher_cost_linear_time() {
    const ITEMS: usize = 40_000;
    let dir = Workdir::new();
    let mut page = "<html><head></head><body><ul>".to_owned();
    for n in 0..ITEMS {
        let item = format!("<li class='lang-item lang-item-{n}'><a hreflang=fr href='https://a/fr/{n}/'>fr</a></li>");
        page += &item;
    }
    dir.write("scrape/x.html", page);
    let mut record: Value = serde_json::from_str(&line("{}", "")).unwrap();
    record["scrape"] = json!({"root": "scrape", "file": "x.html", "url": null});
    dir.write("in", record.to_string());
    let record = &dir.sh("wp-parse in | wp-translations").expect(0).records()[0];
    assert_eq!(record["translations"].as_array().unwrap().len(), ITEMS);
}
