//! Tests wp-export's tables, parallel text and graphs: the contents of their files, and the guarantees that hold for all formats.

use crate::workdir::{Workdir, repository};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wpipe::export::Format;
use wpipe::formats;

/// The formats of tables, parallel text and graphs. Formats of documents are tested in documents.rs, jsonl and wpextract in tests of their
/// own.
const FORMATS: [&str; 7] = ["csv", "pairs", "bitextor", "bitextor:warc2text", "opus", "graph", "graphml"];

/// A directory with the example site's resolved records as `site`.
fn site() -> Workdir {
    let dir = Workdir::new();
    for name in ["dump", "scrape"] {
        std::os::unix::fs::symlink(repository("examples/site").join(name), dir.path(name)).unwrap();
    }
    dir.sh(
        "wp-index -q dump --scrape scrape --max-rejects 9 | wp-parse -q | wp-translations -q | wp-resolve -q -o site",
    )
    .expect(0);
    dir
}

/// A document of the group `post:1` of site a, unless the changes say otherwise.
fn document(id: i64, language: &str, changes: Value) -> String {
    let mut record = json!({"site": "a", "kind": "post", "type": "post", "id": id, "link": format!("http://a/{id}"),
        "title": {"html": "", "text": format!("Title {id}")}, "content": {"html": "", "text": format!("Text {id}\nMore")},
        "language": language, "translations": [], "translation_group": "post:1", "links": [], "images": []});
    for (key, value) in changes.as_object().into_iter().flatten() {
        record[key] = value.clone();
    }
    format!("{record}\n")
}

fn export(dir: &Workdir, args: &str, input: &str) -> Value {
    dir.program("wp-export", &format!("-q -d data {args}"), input).expect(0);
    manifest(dir)
}

fn manifest(dir: &Workdir) -> Value {
    serde_json::from_str(&dir.read("data/manifest.json")).unwrap()
}

/// The number of records in each file according to the manifest.
fn files(manifest: &Value) -> BTreeMap<String, u64> {
    let file = |file: &Value| (file["name"].as_str().unwrap().to_owned(), file["records"].as_u64().unwrap());
    manifest["files"].as_array().unwrap().iter().map(file).collect()
}

/// The cells of a table; `None` for null. Strict: panics on anything that RFC 4180 does not allow.
fn rows(csv: &str) -> Vec<Vec<Option<String>>> {
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    let mut rest = csv;
    while !rest.is_empty() {
        let cell;
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut text = String::new();
            let mut at = quoted;
            loop {
                let end = at.find('"').expect("a quote that is not closed");
                text += &at[..end];
                at = &at[end + 1..];
                match at.strip_prefix('"') {
                    Some(more) => (text, at) = (text + "\"", more),
                    None => break,
                }
            }
            (cell, rest) = (Some(text), at);
        } else {
            let end = rest.find([',', '\r', '\n']).expect("every row ends with CR LF");
            assert!(!rest[..end].contains('"'), "{}", &rest[..end]);
            (cell, rest) = ((end > 0).then(|| rest[..end].to_owned()), &rest[end..]);
        }
        row.push(cell);
        if let Some(more) = rest.strip_prefix(',') {
            rest = more;
        } else {
            rest = rest.strip_prefix("\r\n").expect("a cell ends with a comma or CR LF");
            rows.push(std::mem::take(&mut row));
        }
    }
    assert!(rows.iter().all(|row: &Vec<_>| row.len() == rows[0].len()), "all rows have the columns of the header");
    rows
}

/// The rows of a table as maps from column names to values.
fn table(dir: &Workdir, name: &str) -> Vec<BTreeMap<String, Option<String>>> {
    let mut rows = rows(&dir.read(&format!("data/{name}"))).into_iter();
    let columns: Vec<String> = rows.next().unwrap().into_iter().map(Option::unwrap).collect();
    rows.map(|row| columns.iter().cloned().zip(row).collect()).collect()
}

/// Panics if the text is not well-formed XML, as far as our writers could break it: characters, escapes, nesting.
fn check_xml(xml: &str) {
    assert!(!xml.contains(|c: char| c < ' ' && !matches!(c, '\n' | '\t' | '\r')), "a control character");
    let mut open = Vec::new();
    for (i, piece) in xml.split('<').enumerate().skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("piece {i}: {piece}"));
        for escape in text.split('&').skip(1).chain(tag.split('&').skip(1)) {
            let name = escape.split(';').next().unwrap();
            assert!(["lt", "gt", "amp", "quot", "#10", "#13", "#9"].contains(&name), "&{name}");
        }
        let name = tag.split([' ', '/']).next().unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.starts_with(['?', '!']) || tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_format_is_the_same_for_any_number_of_threads_and_from_a_pipe() {
    let dir = site();
    // Many sites: several batches per thread.
    dir.sh("for i in $(seq 20); do sed \"s/\\\"site\\\":\\\"[^\\\"]*/&$i/\" site; done > many").expect(0);
    for format in FORMATS {
        dir.sh(&format!(
            "wp-export -q --format {format} -d one -j1 many && cat many | wp-export -q --format {format} -d eight -j8 &&
            diff -r one eight"
        ))
        .expect(0);
        dir.sh("cd one; jq -r '.files[] | .sha256 + \"  \" + .name' manifest.json | sha256sum -c --quiet").expect(0);
    }
}

#[test]
fn a_second_run_replaces_the_first_and_one_that_fails_leaves_it() {
    let dir = site();
    dir.sh("wp-align -q site > alignments; gzip -c site | head -c 9000 > cut.gz").expect(0);
    for format in formats::ALL.iter().map(Format::name) {
        for (args, status) in
            [("site alignments", 0), ("--allow-empty --without post,page site alignments", 0), ("cut.gz", 2)]
        {
            dir.program("wp-export", &format!("-q --format {format} -d data {args}"), "").expect(status);
            let listed = "cd data; (jq -r '(.files, .documents)[].name' manifest.json; echo manifest.json) | sort";
            let found = dir.sh("cd data; find . -type f | cut -c3- | sort").stdout;
            assert_eq!(found, dir.sh(listed).expect(0).stdout, "{format} {args}");
            dir.sh("cd data; jq -r '(.files, .documents)[] | .sha256 + \"  \" + .name' manifest.json | sha256sum -c --quiet")
                .expect(0);
        }
    }
}

/// A dataset of another site took the place of the older one, without a word.
#[test]
fn a_dataset_of_another_site_is_not_replaced() {
    let dir = site();
    dir.sh("wp-align -q site > alignments; cat site alignments > here").expect(0);
    dir.sh("sed 's/\"site\":\"[^\"]*/\"site\":\"elsewhere.example/' here > there; cat here there > both").expect(0);
    for format in formats::ALL.iter().map(Format::name) {
        dir.sh(&format!("wp-export -q --format {format} -d {format} here && cp -r {format} kept.{format}")).expect(0);
        let run = dir.sh(&format!("wp-export -v --allow-empty --format {format} -d {format} there")).expect(1);
        let says = format!("{format} holds the dataset of harbour.example; name another folder, or remove it\n");
        assert!(run.stderr.ends_with(&says), "{}", run.stderr);
        dir.sh(&format!("diff -r {format} kept.{format}")).expect(0);
        // Its files hold one site.
        if format == "wpextract" {
            continue;
        }
        // One of its sites is in the new one.
        dir.sh(&format!("wp-export -q --format {format} -d {format} both")).expect(0);
        dir.sh(&format!("wp-export -q --format {format} -d {format} there")).expect(0);
    }
    // Another format makes no difference, nor do records without a site.
    assert!(
        dir.sh("wp-export --format csv -d jsonl here")
            .expect(1)
            .stderr
            .contains("jsonl holds the dataset of elsewhere.example;")
    );
    dir.sh("jq -c 'del(.site)' here | wp-export -q -d jsonl && wp-export -q -d jsonl here").expect(0);
}

#[test]
fn counts_add_up_and_are_the_same_in_stats_and_manifest() {
    let dir = site();
    for format in FORMATS {
        dir.program("wp-export", &format!("-q --format {format} -d data --stats stats --without users site"), "")
            .expect(0);
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        let n = |key: &str| stats[key].as_u64().unwrap_or_else(|| panic!("{format}: {key}"));
        assert_eq!(n("records_in"), n("records_out") + n("left_out") + n("rejects"), "{format}");
        assert!(n("records_out") > 0 && n("left_out") > 0);
        for (name, count) in manifest(&dir)["counts"].as_object().into_iter().flatten() {
            assert_eq!(&stats[name], count, "{format}: {name}");
        }
    }
}

#[test]
fn a_record_of_another_shape_is_a_reject() {
    let dir = Workdir::new();
    let bad = document(1, "en", json!({"id": "one", "links": 5})) + "[]\n{\"a\":\n";
    let good = document(2, "en", json!({})) + &document(3, "fr", json!({}));
    for format in FORMATS {
        let args = format!("--format {format} -d data --rejects rejects");
        let args = args + " --max-rejects 3";
        let run = dir.program("wp-export", &args, bad.clone() + &good).expect(0);
        assert!(run.stderr.contains("-:1:") && run.stderr.contains("not the shape of a"), "{format}: {}", run.stderr);
        assert_eq!(dir.read("rejects"), bad, "{format}");
        assert_eq!(manifest(&dir)["records"][0]["records"], 2, "{format}");
    }
}

#[test]
fn a_type_or_a_site_of_any_length_ends_no_run_of_any_format() {
    let long = |letter: &str| letter.repeat(300);
    let group = |id: i64, language: &str| document(id, language, json!({"type": long("é"), "site": long("s")}));
    let term = json!({"site": "a", "kind": "term", "type": long("t"), "id": 1, "name": "x"});
    let input = group(1, "en")
        + &group(2, &long("l"))
        + &document(3, "en", json!({"type": long("é") + "x", "site": long("s")}))
        + &document(4, "con", json!({"type": "con", "site": "con"}))
        + &format!("{term}\n");
    for format in formats::ALL {
        let (dir, name) = (Workdir::new(), format.name());
        let sites = if name == "wpextract" { input.lines().last().unwrap() } else { &input };
        let manifest = export(&dir, &format!("--allow-empty --format {name}"), sites);
        for file in files(&manifest).keys() {
            assert!(file.split('/').all(|part| part.len() < 200), "{name}: {file}");
            assert!(dir.path("data").join(file).is_file(), "{name}: {file}");
        }
    }
    let dir = Workdir::new();
    let of_terms = files(&export(&dir, "", &input)).into_keys().find(|name| name.starts_with("ttt")).unwrap();
    let manifest = export(&dir, &format!("--without {}", of_terms.trim_end_matches(".jsonl")), &input);
    assert_eq!(manifest["left_out"][0]["type"], long("t"));
}

#[test]
fn an_empty_stream_is_an_empty_dataset() {
    let dir = Workdir::new();
    for format in FORMATS {
        export(&dir, &format!("--allow-empty --format {format}"), "");
    }
    check_xml(&dir.read("data/graph.graphml"));
}

#[test]
fn null_for_a_list_is_an_empty_list_in_every_format() {
    let dir = site();
    let lists = "links,images,embeds,rights,translations,categories,tags,terms,sizes,avatar_urls,aliases";
    for value in ["null", "[]"] {
        let set = format!("with_entries(if .key | IN($lists | split(\",\")[]) then .value = {value} else . end)");
        dir.sh(&format!("jq -c --arg lists {lists} '{set}' site > '{value}'")).expect(0);
    }
    // These formats have the records unchanged.
    for format in formats::ALL.iter().map(Format::name).filter(|format| !["jsonl", "parquet"].contains(format)) {
        dir.sh(&format!(
            "wp-export -q --allow-empty --format {format} -d a null && wp-export -q --allow-empty --format {format} -d b '[]' &&
            diff -r -x manifest.json a b && rm -r a b"
        ))
        .expect(0);
    }
}

#[test]
fn options_that_a_format_has_no_use_for_are_refused() {
    let dir = Workdir::new();
    for (args, why) in [
        ("--format csv", "-d DIR"),
        ("--format opus", "-d DIR"),
        ("--format bitextor", "two --languages"),
        ("--format jsonl:term -d data", "jsonl has no variant term"),
        ("--format opus -d data --languages en", "needs two or more"),
        ("--format tmx -d data --languages en,fr", "wp-align --languages"),
        ("--format pairs -d data --languages en,en", "--languages names en twice"),
        ("--format pairs -d data --languages en,d-e-f-g", "not a language tag"),
        ("--format opus -d data --compress zst", "--compress applies to"),
    ] {
        let run = dir.program("wp-export", args, "").expect(2);
        assert!(run.stderr.contains(why), "{args}: {}", run.stderr);
    }
}

#[test]
fn streams_end_well_or_say_why_not() {
    let dir = site();
    for format in ["pairs", "bitextor --languages en,fr", "graphml"] {
        let run = dir.sh(&format!("wp-export -q --format {format} site | head -c 5")).expect(0);
        assert_eq!((run.stdout.len(), run.stderr.as_str()), (5, ""), "{format}");
        let run = dir.sh(&format!("wp-export -q --format {format} site > /dev/full")).expect(2);
        assert!(run.stderr.contains("stdout: no space left"), "{format}: {}", run.stderr);
        dir.sh(&format!("wp-export -q --format {format} -o out.gz site && wp-export -q --format {format} site > out && gzip -dc out.gz | cmp - out"))
            .expect(0);
    }
    // The error for a spool that cannot be created names it.
    let run = dir.sh("TMPDIR=/no/such wp-export -q --format pairs site").expect(2);
    assert!(run.stderr.contains("/no/such (spool)"), "{}", run.stderr);
}

#[test]
fn tables_hold_what_the_records_hold() {
    let dir = site();
    dir.program("wp-export", "-q --format csv -d data site", "").expect(0);
    let records: Vec<Value> = dir.read("site").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let known = table(&dir, "records.csv");
    assert_eq!(known.len(), records.len());
    let keys: BTreeMap<_, _> = known.iter().map(|row| (row["record"].clone(), row)).collect();
    assert_eq!(keys.len(), records.len(), "a key a record");
    for (row, record) in known.iter().zip(&records) {
        let text = [&record["content"]["text"], &record["description"]["text"]].into_iter().find_map(Value::as_str);
        assert_eq!(row["text"].as_deref(), text);
        assert_eq!(row["id"], record["id"].as_i64().map(|id| id.to_string()));
        for key in ["link", "author_name", "content_source", "content_rule"] {
            assert_eq!(row[key].as_deref(), record[key].as_str(), "{key}");
        }
        for key in ["content_share", "content_doubt"] {
            assert_eq!(row[key], record[key].as_f64().map(|share| share.to_string()), "{key}");
        }
    }
    for (name, list) in [
        ("links.csv", "links"),
        ("images.csv", "images"),
        ("translations.csv", "translations"),
        ("embeds.csv", "embeds"),
        ("rights.csv", "rights"),
    ] {
        let rows = table(&dir, name);
        let elements = records
            .iter()
            .flat_map(|record| record[list].as_array().into_iter().flatten().map(move |element| (record, element)));
        let elements: Vec<_> = elements.collect();
        assert_eq!((rows.len(), files(&manifest(&dir))[name]), (elements.len(), elements.len() as u64), "{name}");
        for (row, (record, element)) in rows.iter().zip(elements) {
            assert_eq!(keys[&row["record"]]["link"].as_deref(), record["link"].as_str(), "{name}");
            assert_eq!(row.get("url").and_then(Option::as_deref), element["url"].as_str(), "{name}");
            if list == "rights" {
                continue;
            }
            if list == "translations" {
                assert_eq!(row["translation_id"], element["id"].as_i64().map(|id| id.to_string()));
            }
            let target = &element["target"];
            assert_eq!(row["target_link"].as_deref(), target["link"].as_str(), "{name}");
            assert_eq!(row["target"].is_some(), !target["type"].is_null(), "{name}");
            if row["target"].is_some() {
                assert_eq!(
                    keys[&row["target"]]["link"].as_deref(),
                    target["link"].as_str(),
                    "{name}: the key of its record"
                );
            }
        }
    }
}

#[test]
fn terms_are_named_by_the_record_of_the_same_language() {
    let dir = Workdir::new();
    let term = |link: &str, language: &str, name: &str| {
        json!({"site": "a", "kind": "term", "type": "category", "id": 5, "link": link, "name": name, "slug": "x",
            "language": language})
        .to_string()
            + "\n"
    };
    let carry = json!({"categories": [5, 6], "tags": [5], "terms": [{"taxonomy": "rig", "id": null}]});
    // One id in two languages, as with some plugins; the terms follow the records that have them.
    let input = document(1, "fr", carry.clone())
        + &document(2, "de", carry)
        + &term("http://a/fr/x", "fr", "Bateaux")
        + &term("http://a/x", "en", "Boats");
    export(&dir, "--format csv", &input);
    let rows: Vec<_> = table(&dir, "terms.csv");
    let row = |row: &BTreeMap<String, Option<String>>| {
        ["id", "taxonomy", "term_id", "term_name"].map(|name| row[name].clone().unwrap_or("-".into())).join(" ")
    };
    let all: Vec<_> = rows.iter().map(row).collect();
    assert_eq!(
        all,
        [
            "1 rig - -",
            "1 category 5 Bateaux",
            "1 category 6 -",
            "1 tag 5 -",
            "2 rig - -",
            "2 category 5 Boats",
            "2 category 6 -",
            "2 tag 5 -",
        ]
    );
}

#[test]
fn any_text_survives_in_a_table() {
    let dir = Workdir::new();
    let texts = ["", "\"", "a,b", "\r\n", " x ", "=1+2", "\u{0}", "007", "\t", "é\u{2028}\u{feff}", "a\"\"b\nc,\"d\""];
    let input: String =
        (1..).zip(&texts).map(|(id, text)| document(id, text, json!({"title": {"text": text}}))).collect();
    export(&dir, "--format csv", &input);
    for (row, text) in table(&dir, "records.csv").iter().zip(texts) {
        assert_eq!(row["title"].as_deref(), Some(text.replace('\0', "\u{fffd}").as_str()));
        assert_eq!(row["language"].as_deref(), Some(text.replace('\0', "\u{fffd}").as_str()));
        assert_eq!(row["excerpt"], None);
    }
}

#[test]
fn ids_shared_by_several_links_have_keys_of_their_own() {
    let dir = Workdir::new();
    let to = |link: &str| json!([{"url": link, "target": {"type": "post", "id": 1, "link": link}}]);
    let input = document(1, "en", json!({"links": to("http://a/fr/1")}))
        + &document(1, "fr", json!({"link": "http://a/fr/1", "links": to("http://a/1")}));
    export(&dir, "--format csv", &input);
    let (records, links) = (table(&dir, "records.csv"), table(&dir, "links.csv"));
    assert_ne!(records[0]["record"], records[1]["record"]);
    assert_eq!((&links[0]["target"], &links[1]["target"]), (&records[1]["record"], &records[0]["record"]));
}

/// Members of the groups of `pairs.jsonl` in the data folder: LANGUAGE:ID.
fn groups(dir: &Workdir) -> Vec<Vec<String>> {
    let member = |member: &Value| {
        let keys: Vec<_> = member.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["id", "language", "link", "text", "title", "type"]);
        format!("{}:{}", member["language"].as_str().unwrap(), member["id"])
    };
    let lines = dir.read("data/pairs.jsonl");
    let groups = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    groups.map(|group| group["members"].as_array().unwrap().iter().map(member).collect()).collect()
}

#[test]
fn groups_come_together_from_anywhere_in_the_stream() {
    let dir = Workdir::new();
    let in_group = |name: &str| json!({"translation_group": name});
    let other_site = json!({"site": "b", "translation_group": "post:1"});
    let input = document(1, "fr", json!({}))
        + &document(2, "en", in_group("post:2"))
        + &document(3, "de", other_site.clone())
        + &document(4, "en", json!({}))
        + &document(5, "en", Value::Null)
        + &document(6, "en", in_group("post:6"))
        + &document(7, "fr", in_group("post:2"))
        + &document(8, "en", other_site);
    let manifest = export(&dir, "--format pairs", &input);
    // Groups are in the order of their first documents, and documents in the order of the languages; each site has its own
    // groups.
    assert_eq!(groups(&dir), [vec!["en:4", "en:5", "fr:1"], vec!["en:2", "fr:7"], vec!["de:3", "en:8"]]);
    let counts = &manifest["counts"];
    assert_eq!(
        (&counts["parallel_groups"], &counts["pairs"], &counts["same_language"]),
        (&json!(3), &json!(3), &json!(1))
    );
    assert_eq!(counts["documents_alone"], 1);
    assert_eq!(manifest["left_out"], json!([{"kind": "post", "type": "post", "records": 1}]));
}

/// Overlong lines were lost, and messages about other lines had wrong numbers and file names.
#[test]
fn rewritten_records_keep_their_places_and_rejects() {
    let dir = Workdir::new();
    let record = r#"{"site":"s","kind":"post","type":"post","id":1,"link":"https://a.example/1/","language":"de"}"#;
    dir.write("a", format!("{record}\n\n{{\"site\":\"{}\"}}\n{{bad\n", "x".repeat(1 << 20)));
    dir.write("b", "[1]\n").write("key", "k".repeat(32));
    dir.sh("chmod 600 key").expect(0);
    let run = |options: &str| {
        let run = dir.sh(&format!("wp-export a b --max-record 1M --max-rejects 3 --stats stats -d d {options}"));
        let counts: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        let counts = ["records_in", "records_out", "rejects"].map(|count| counts[count].as_u64());
        (run.expect(0).stderr, counts)
    };
    let (says, counts) = run("");
    assert_eq!((says.lines().count(), counts), (3, [Some(4), Some(1), Some(3)]), "{says}");
    assert_eq!(run("--languages de"), (says.clone(), counts));
    assert_eq!(run("--pseudonyms key"), (says, counts));
}

#[test]
fn languages_choose_and_order() {
    let dir = Workdir::new();
    let input = document(1, "fr-FR", json!({}))
        + &document(2, "en-GB", json!({}))
        + &document(3, "en-US", json!({}))
        + &document(4, "de", json!({}));
    for (languages, want, pairs, same) in [
        ("", vec!["de:4", "en-GB:2", "en-US:3", "fr-FR:1"], 6, 0),
        ("--languages fr,en", vec!["fr-FR:1", "en-GB:2", "en-US:3"], 1, 1),
        ("--languages en-US,fr,en", vec!["en-US:3", "fr-FR:1", "en-GB:2"], 3, 0),
    ] {
        let manifest = export(&dir, &format!("--format pairs {languages}"), &input);
        assert_eq!(groups(&dir), [want]);
        let counts = &manifest["counts"];
        assert_eq!((&counts["pairs"], &counts["same_language"]), (&json!(pairs), &json!(same)), "{languages}");
    }
    let run = dir.program("wp-export", "--format pairs --languages fr,it", &input).expect(1);
    let says = "wp-export: --languages it: no such document
wp-export: no pair of documents in 4 records for --format pairs (wp-resolve finds translations, most of them in the pages of wp-index --scrape): nothing is written (--allow-empty writes it anyway)\n";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", says));
}

#[test]
fn records_that_are_not_documents_are_counted_by_reason() {
    let dir = Workdir::new();
    let input = document(1, "en", json!({}))
        + &document(2, "fr", json!({"content": {"text": " \n\u{0}"}}))
        + &document(3, "fr", json!({"content": null}))
        + &document(4, "", json!({"language": null}))
        + &document(5, "fr", json!({"translation_group": null}))
        + &document(6, "de", json!({"link": null}))
        + &document(7, "it", json!({"kind": "html", "type": "html", "id": null}))
        + &document(8, "fr", json!({"kind": "media", "type": "media"}));
    let reasons = |manifest: &Value| {
        ["without_text", "without_language", "alone", "without_link", "in_other_languages"]
            .map(|reason| manifest["counts"][format!("documents_{reason}")].as_u64())
    };
    let some = Some;
    assert_eq!(reasons(&export(&dir, "--format pairs", &input)), [some(2), some(1), some(1), some(0), some(0)]);
    assert_eq!(groups(&dir), [["de:6", "en:1", "it:null"]]);
    let manifest = export(&dir, "--format bitextor", &input);
    assert_eq!(reasons(&manifest), [some(2), some(1), some(1), some(1), some(0)]);
    assert_eq!(files(&manifest), BTreeMap::from([("en-it.documents.gz".to_owned(), 1)]));
    let manifest = export(&dir, "--format bitextor:warc2text", &input);
    assert_eq!(reasons(&manifest), [some(2), some(0), None, some(1), some(0)]);
    let manifest = export(&dir, "--format bitextor:warc2text --languages en", &input);
    assert_eq!(reasons(&manifest), [some(2), some(1), None, some(0), some(3)]);
}

#[test]
fn bitextors_documents_are_urls_and_texts() {
    let dir = Workdir::new();
    let odd =
        json!({"link": "http://a/\t1", "title": {"text": "A\ttitle\u{1}"}, "content": {"text": "x\r\n\n y\u{2028}z "}});
    let input = document(1, "en", odd) + &document(2, "fr", json!({"title": {"text": null}}));
    export(&dir, "--format bitextor", &input);
    let lines = dir.sh("gzip -dc data/en-fr.documents.gz").expect(0).stdout;
    assert!(lines.starts_with("src_url\ttrg_url\tsrc_doc\ttrg_doc\nhttp://a/%091\thttp://a/2\t"), "{lines}");
    let text = |n: u32| {
        dir.sh(&format!("gzip -dc data/en-fr.documents.gz | tail -1 | cut -f{n} | base64 -d")).expect(0).stdout
    };
    assert_eq!((text(3).as_str(), text(4).as_str()), ("A title\nx\ny\nz\n", "Text 2\nMore\n"));
    let stream = dir.program("wp-export", "-q --format bitextor --languages en,fr", &input).expect(0);
    assert_eq!(stream.stdout, lines);
}

#[test]
fn warc2texts_files_go_line_by_line() {
    let dir = Workdir::new();
    let input = document(1, "en", json!({"translation_group": null}))
        + &document(2, "pt-BR", json!({}))
        + &document(3, "en", json!({}))
        + &document(4, "", json!({"language": null}));
    let manifest = export(&dir, "--format bitextor:warc2text", &input);
    let want = ["en/mime.gz 2", "en/text.gz 2", "en/url.gz 2", "pt_BR/mime.gz 1", "pt_BR/text.gz 1", "pt_BR/url.gz 1"];
    let all = files(&manifest).iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>();
    assert_eq!(all[..6], want);
    assert_eq!(all[6..], ["unk/mime.gz 1", "unk/text.gz 1", "unk/url.gz 1"]);
    let second = dir.sh("cd data/en; gzip -dc url.gz | tail -1; gzip -dc text.gz | tail -1 | base64 -d").expect(0);
    assert_eq!(second.stdout, "http://a/3\nTitle 3\nText 3\nMore\n");
    export(&dir, "--format bitextor:warc2text --compress zst", &input);
    assert!(dir.path("data/en/text.zst").is_file());
}

#[test]
fn opus_documents_and_alignments_belong_together() {
    let dir = Workdir::new();
    let odd = json!({"title": {"text": "<&\" \u{1}"}, "content": {"text": "a\n\nb ]]>\u{ffff}"}, "link": "http://a/?x&\"y\""});
    let page = |link: &str| json!({"kind": "html", "type": "html", "id": null, "link": link, "title": null});
    let input = document(1, "en", odd)
        + &document(2, "fr", page("http://a/fr/1"))
        + &document(3, "en", json!({}))
        + &document(1, "en", json!({"link": "http://a/other", "translation_group": "post:9", "site": "a"}))
        + &document(5, "fr", json!({"translation_group": "post:9"}));
    let manifest = export(&dir, "--format opus", &input);
    let alignments = dir.sh("gzip -dc data/xml/en-fr.xml.gz").expect(0).stdout;
    check_xml(&alignments);
    let documents: Vec<_> =
        files(&manifest).into_keys().filter_map(|n| Some(n.strip_prefix("raw/")?.to_owned())).collect();
    assert_eq!(documents.len(), 4, "two documents share a name, and the one without a pair is left out: {documents:?}");
    for name in &documents {
        check_xml(&dir.sh(&format!("gzip -dc data/raw/{name}")).expect(0).stdout);
        assert!(alignments.contains(&format!("=\"{name}\"")), "{name} in {alignments}");
    }
    let text = dir.sh("gzip -dc data/raw/en/a/post-1.xml.gz").expect(0).stdout;
    assert!(text.contains("<p id=\"1\"><s id=\"1\">&lt;&amp;&quot;</s></p>\n"), "{text}");
    assert!(
        text.contains("<s id=\"3\">b ]]&gt;</s>") && text.contains("url=\"http://a/?x&amp;&quot;y&quot;\""),
        "{text}"
    );
    // Titles are aligned if both exist.
    assert!(alignments.contains("<link id=\"SL1\" xtargets=\"1 2 3;1 2\" />"), "{alignments}");
    assert!(alignments.contains("<link id=\"SL1\" xtargets=\"1;1\" />\n  <link id=\"SL2\" xtargets=\"2 3;2 3\" />"));
    assert_eq!(alignments.matches("<linkGrp ").count() as u64, files(&manifest)["xml/en-fr.xml.gz"]);
    // The language that is first in alphabetical order comes first in the file, whatever --languages says.
    let manifest = export(&dir, "--format opus --languages fr,en", &input);
    assert!(files(&manifest).contains_key("xml/en-fr.xml.gz"));
}

#[test]
fn a_graph_has_an_edge_for_each_kind_and_target() {
    let dir = Workdir::new();
    let to = |id: i64| json!({"url": "x", "target": {"type": "post", "id": id, "link": format!("http://a/{id}")}});
    let none = json!({"url": "y", "target": {"type": null, "id": null, "link": null}});
    let lists = json!({"links": [to(2), to(2), none, to(1), to(9)], "images": [to(2)], "translations": [to(2)]});
    let input = document(1, "en", lists) + &document(2, "fr", json!({"title": {"text": " Two\n\"lines\" "}}));
    let manifest = export(&dir, "--format graph", &(input.clone() + &document(2, "fr", json!({}))));
    let counts = json!({"edges": 4, "edges_without_node": 1, "media_to_itself": 0, "nodes": 2, "nodes_repeated": 1});
    assert_eq!(manifest["counts"], counts);
    assert_eq!(dir.read("data/edges.csv").lines().next(), Some("Source,Target,Type,Kind,Weight"));
    let nodes = table(&dir, "nodes.csv");
    assert_eq!(nodes[1]["Label"].as_deref(), Some("Two \"lines\""));
    let id = |n: usize| nodes[n]["Id"].clone().unwrap();
    let edges = table(&dir, "edges.csv")
        .into_iter()
        .map(|row| ["Source", "Target", "Type", "Kind", "Weight"].map(|name| row[name].clone().unwrap()).join(" "));
    let want = [(1, "link", 2), (0, "link", 1), (1, "image", 1), (1, "translation", 1)];
    let want = want.map(|(target, kind, weight)| format!("{} {} Directed {kind} {weight}", id(0), id(target)));
    assert_eq!(edges.collect::<Vec<_>>(), want);
    let stream = dir.program("wp-export", "-q --format graphml", &input).expect(0).stdout;
    export(&dir, "--format graphml", &input);
    assert_eq!(dir.read("data/graph.graphml"), stream);
    check_xml(&stream);
    assert_eq!((stream.matches("<node ").count(), stream.matches("<edge ").count()), (2, 4));
}

/// Records are named by their ids; if two share one, the record in the same language is meant. A comment replies to a
/// comment, or else to a post.
#[test]
fn edges_lead_to_terms_authors_what_is_answered_and_hosts() {
    let dir = Workdir::new();
    let record = |kind: &str, r#type: &str, id: i64, more: Value| {
        let mut record =
            json!({"site": "a", "kind": kind, "type": r#type, "id": id, "link": format!("http://a/{type}{id}")});
        more.as_object().unwrap().iter().for_each(|(key, value)| record[key] = value.clone());
        format!("{record}\n")
    };
    let link = |url: &str| json!({"url": url, "internal": false});
    let lists = json!({"language": "fr", "author": 5, "categories": [1, 2], "tags": [1], "terms": [{"taxonomy": "genre", "id": 1}],
        "links": [link("https://B.example/x"), link("http://b.example/"), link("mailto:a@b.example")]});
    let input = record("comment", "comment", 9, json!({"post": 1, "parent": 8, "author": 0}))
        + &record("comment", "comment", 8, json!({"post": 1, "parent": 0}))
        + &record("post", "post", 1, lists)
        + &record("term", "category", 1, json!({"language": "en", "link": "http://a/en"}))
        + &record("term", "category", 1, json!({"language": "fr", "link": "http://a/fr"}))
        + &record("term", "tag", 1, json!({}))
        + &record("term", "genre", 1, json!({}))
        + &record("user", "user", 5, json!({}));
    let manifest = export(&dir, "--format graph:term,author,reply,host", &input);
    assert_eq!(manifest["counts"]["edges_without_node"], 1);
    let labels: BTreeMap<_, _> = table(&dir, "nodes.csv")
        .into_iter()
        .map(|row| (row["Id"].clone(), row["Link"].clone().or(row["Label"].clone()).unwrap()))
        .collect();
    let edges: Vec<_> = table(&dir, "edges.csv")
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {}",
                labels[&row["Source"]],
                row["Kind"].as_ref().unwrap(),
                labels[&row["Target"]],
                row["Weight"].as_ref().unwrap()
            )
        })
        .collect();
    let post = "http://a/post1";
    assert_eq!(
        edges,
        [
            "http://a/comment9 reply http://a/comment8 1".to_owned(),
            format!("http://a/comment8 reply {post} 1"),
            format!("{post} term http://a/fr 1"),
            format!("{post} term http://a/tag1 1"),
            format!("{post} term http://a/genre1 1"),
            format!("{post} author http://a/user5 1"),
            format!("{post} host b.example 2"),
        ]
    );
    let stream = dir.program("wp-export", "-q --format graphml:host", &input).expect(0).stdout;
    check_xml(&stream);
    assert_eq!((stream.matches("<node ").count(), stream.matches("<edge ").count()), (2, 1));
    let refused = dir.program("wp-export", "--format csv:host -d t", &input).expect(2);
    assert!(refused.stderr.contains("csv has no variant host"), "{}", refused.stderr);
}

/// The blogs of a multisite have the same ids; their languages need not differ, or be known.
#[test]
fn ids_mean_records_of_their_own_blog() {
    let dir = Workdir::new();
    let mut input = String::new();
    for blog in ["http://a/en", "http://a"] {
        let record = |kind: &str, r#type: &str, id: i64, more: Value| {
            let mut record = json!({"site": "a", "kind": kind, "type": r#type, "id": id, "link": format!("{blog}/{type}{id}/"),
                "name": format!("{type} of {blog}"), "source": {"rest": format!("{blog}/wp-json/")}});
            more.as_object().unwrap().iter().for_each(|(key, value)| record[key] = value.clone());
            format!("{record}\n")
        };
        input += &record("user", "user", 5, json!({}));
        input += &record("term", "category", 6, json!({}));
        input += &record("post", "page", 7, json!({"author": 5}));
        input += &record(
            "post",
            "page",
            8,
            json!({"parent": 7, "author": 5, "categories": [6], "content": {"text": "Words"}}),
        );
        input += &record("comment", "comment", 9, json!({"post": 8}));
    }
    export(&dir, "--format graph:term,author,reply", &input);
    let nodes: BTreeMap<_, _> = table(&dir, "nodes.csv").into_iter().map(|row| (row["Id"].clone(), row)).collect();
    let blog = |key: &Option<String>| nodes[key]["Link"].as_ref().unwrap().contains("/en/");
    let edges = table(&dir, "edges.csv");
    assert_eq!(edges.len(), 8);
    assert!(edges.iter().all(|row| blog(&row["Source"]) == blog(&row["Target"])));
    export(&dir, "--format csv", &input);
    let named = |row: &BTreeMap<_, Option<String>>| [&row["link"], &row["term_name"]].map(|cell| cell.clone().unwrap());
    let terms: Vec<_> = table(&dir, "terms.csv").iter().map(named).collect();
    let [other, main] =
        ["http://a/en", "http://a"].map(|blog| [format!("{blog}/page8/"), format!("category of {blog}")]);
    assert_eq!(terms, [other, main]);
    export(&dir, "--format markdown --links files", &input);
    for blog in ["http://a/en", "http://a"] {
        let found = dir.sh(&format!("cat $(grep -rl '^link: \"{blog}/page8/' data --include '*.md')")).expect(0).stdout;
        let parent =
            dir.sh(&format!("basename $(grep -rl '^link: \"{blog}/page7/' data --include '*.md')")).expect(0).stdout;
        let has = [format!("author: \"user of {blog}\""), format!("categories: [\"category of {blog}\"]")];
        assert!(has.iter().all(|line| found.contains(line)) && found.contains(parent.trim()), "{blog}: {found}");
    }
}

#[test]
fn the_example_sites_graph_has_every_target() {
    let dir = site();
    let targets = dir
        .sh("jq -c '. as $own | [(.links, .images, .translations)[]?.target | select(.type) |
            select($own.kind != \"media\" or .link != $own.link)] | length' site | jq -s add")
        .expect(0);
    dir.program("wp-export", "-q --format graph -d data site", "").expect(0);
    let weights: u64 =
        table(&dir, "edges.csv").iter().map(|row| row["Weight"].as_ref().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(weights.to_string(), targets.stdout.trim());
    assert!(manifest(&dir)["counts"]["media_to_itself"].as_u64().unwrap() > 0);
    dir.program("wp-export", "-q --format graph --without media -d data site", "").expect(0);
    let nodes: Vec<_> = table(&dir, "nodes.csv").iter().map(|row| row["Id"].clone()).collect();
    assert!(
        table(&dir, "edges.csv").iter().all(|row| nodes.contains(&row["Source"]) && nodes.contains(&row["Target"]))
    );
    assert!(manifest(&dir)["counts"]["edges_without_node"].as_u64().unwrap() > 0);
}

#[test]
fn a_site_that_comes_in_twice_is_told() {
    let dir = site();
    for (format, status) in [("jsonl", 0), ("csv", 2), ("graph", 0), ("graphml", 0)] {
        for (input, times) in [("site", 0), ("site site", 1), ("site site site", 2)] {
            // A format whose rows are identified by keys refuses this, and writes no dataset.
            let status = if times > 0 { status } else { 0 };
            dir.sh("rm -rf data");
            let run = dir
                .program("wp-export", &format!("--format {format} -d data --stats stats {input}"), "")
                .expect(status);
            assert_eq!(dir.sh("test -e data/manifest.json").status == 0, status == 0);
            let count = |filter: &str, file: &str| {
                dir.sh(&format!("jq '{filter}' {file} | wc -l")).stdout.trim().parse::<u64>()
            };
            let records = count("select(.id != null).id", "site").unwrap();
            if status == 0 {
                let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
                assert_eq!(stats["repeated"], records * times, "{format} {input}");
            }
            let told = format!("{} records have the site, type, id and link of an earlier one", records * times);
            assert_eq!(run.stderr.contains(&told), times > 0, "{}", run.stderr);
        }
    }
}

/// In each format: documents in these languages, comments on them, and records without a language; the lines that remain
/// are unchanged.
#[test]
fn languages_choose_records_in_every_format() {
    let dir = site();
    let want = "jq -c 'select((.kind | IN(\"post\", \"html\") | not) or (.language // \"\" | startswith(\"de\")))
        | select((.kind | IN(\"term\", \"media\", \"user\") | not) or .language == null or (.language | startswith(\"de\")))' site";
    dir.sh(&format!("{want} > some; jq -r 'select(.kind == \"post\").id' some | sort > posts")).expect(0);
    let chosen = dir.program("wp-export", "-q --languages de site", "").expect(0).records();
    let comments: Vec<String> =
        chosen.iter().filter(|one| one["kind"] == "comment").map(|one| one["post"].to_string()).collect();
    let all = dir.sh("jq -r 'select(.kind == \"comment\").post' site").expect(0);
    let posts = dir.read("posts");
    let follow: Vec<&str> = all.stdout.lines().filter(|post| posts.lines().any(|own| own == *post)).collect();
    assert!(!comments.is_empty() && all.stdout.lines().count() > comments.len());
    assert_eq!(comments, follow);
    let rest = dir.sh("wp-export -q --languages de site | jq -c 'select(.kind != \"comment\")' > a; jq -c 'select(.kind != \"comment\")' some | cmp - a");
    rest.expect(0);
    for format in
        formats::ALL.iter().filter(|format| !["pairs", "bitextor", "opus", "tmx", "moses"].contains(&format.name()))
    {
        let name = format.name();
        dir.sh(&format!("wp-export -q --format {name} --languages de -d {name} --stats {name}.stats site")).expect(0);
        let stats: Value = serde_json::from_str(&dir.read(&format!("{name}.stats"))).unwrap();
        let number = |key: &str| stats[key].as_u64().unwrap();
        assert_eq!(number("records_in"), number("records_out") + number("left_out"), "{name}");
        assert!(
            number("records_out") > 0 && !dir.sh(&format!("cat {name}/*")).stdout.contains("fr-FR\",\"language_source"),
            "{name}"
        );
    }
    let run = dir.program("wp-export", "--languages it -d none site", "").expect(0);
    assert!(run.stderr.contains("--languages it: no such document"), "{}", run.stderr);
}
