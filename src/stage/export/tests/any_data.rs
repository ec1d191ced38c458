//! Tests that data cannot end a run: whatever the names of sites, types, languages, slugs and ids are, each format gives a
//! dataset whose counts add up. `WPIPE_CASES` sets the number of cases, `WPIPE_SEED` the first one.

use super::*;
use crate::formats::ALL;
use std::collections::HashSet;

/// A small generator, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

const SITES: [&str; 14] =
    ["site", "Site", "SITE", "s.", "con", "a b", "é", "É", "..", "", "metadata.tsv", "manifest.json", "a/b", "x"];
const KINDS: [&str; 8] = ["post", "post", "post", "html", "term", "user", "comment", "widget"];
const TYPES: [&str; 22] = [
    "post",
    "Post",
    "POST",
    "page",
    "posts",
    "Posts",
    "html",
    "post-",
    "post-5",
    "con",
    "metadata.tsv",
    "manifest.json",
    "..",
    "a/b",
    ".x",
    "schema",
    "README",
    "Genre",
    "genre",
    "genre-terms",
    "",
    "media",
];
const LANGUAGES: [&str; 14] =
    ["en-US", "en-us", "EN-us", "en_US", "und", "unk", "", "con", "日本", "fr", "a.b", "a-b", "a_b", "fr.vert"];
/// The first two have the same hash of 48 bits, and so do the next two.
const LINKS: [&str; 9] = [
    "https://a.example/9121585/",
    "https://a.example/29814873/",
    "https://a.example/27517472/",
    "https://a.example/34269854/",
    "https://a.example/1/",
    "https://A.example/1/",
    "https://a.example/1/#x",
    "",
    "x",
];
const IDS: [i64; 9] = [1, 1, 1, 5, -5, 0, i64::MAX, i64::MIN, 123_456_789_012];

/// Words that are longer than file names may be, with different ends.
fn long(random: &mut Random) -> String {
    let end = random.one(&["a", "A", "b"]);
    random.one(&["x", "é", "-", "."]).repeat(random.one(&[60, 100, 240, 300])) + end
}

fn word(random: &mut Random, of: &[&str]) -> String {
    if random.below(25) == 0 { long(random) } else { random.one(of).to_owned() }
}

fn record(random: &mut Random) -> Value {
    let target = json!({"type": random.one(&TYPES), "id": random.one(&IDS), "link": random.one(&LINKS)});
    let mut record = json!({
        "site": word(random, &SITES), "kind": random.one(&KINDS), "type": word(random, &TYPES), "id": random.one(&IDS),
        "link": random.one(&LINKS), "slug": word(random, &TYPES), "language": word(random, &LANGUAGES),
        "translation_group": random.one(&["g", "h", "i"]), "title": {"text": "A"}, "content": {"text": "One.\nTwo"},
        "name": "N", "author": 1, "categories": [1, 5], "post": 1, "links": [{"url": "https://b.example/", "internal": true, "target": target}],
        "translations": [{"language": word(random, &LANGUAGES), "target": target}],
    });
    for key in ["site", "id", "link", "language", "kind", "translation_group"] {
        if random.below(12) == 0 {
            record[key] = random.one(&[Value::Null, json!(""), json!(7)]);
        }
    }
    record
}

/// Checks the requirements on a dataset; returns the first violation.
fn check(path: &Path, stats: &Value) -> Result<(), String> {
    let bytes = |name: &str| fs::read(path.join(name)).map_err(|e| format!("{name}: {e}"));
    let manifest: Value = serde_json::from_slice(&bytes("manifest.json")?).unwrap();
    let count = |key: &str| stats[key].as_u64().unwrap_or(0);
    let sum =
        |list: &Value| -> u64 { list.as_array().unwrap().iter().map(|one| one["records"].as_u64().unwrap()).sum() };
    if count("records_in") != count("records_out") + count("left_out") + count("rejects") {
        return Err(format!("the counts do not add up: {stats}"));
    }
    if (sum(&manifest["records"]), sum(&manifest["left_out"])) != (count("records_out"), count("left_out")) {
        return Err(format!("the manifest has other counts: {manifest} {stats}"));
    }
    let mut names = HashSet::from(["manifest.json".to_owned()]);
    for file in manifest["files"].as_array().unwrap().iter().chain(manifest["documents"].as_array().unwrap()) {
        let name = file["name"].as_str().unwrap();
        if !names.insert(name.to_lowercase()) {
            return Err(format!("{name} is there twice"));
        }
        if name.split('/').any(|part| part.len() > 255 || matches!(part, "" | "." | "..")) {
            return Err(format!("{name} is not a name"));
        }
        if bytes(name)?.len() as u64 != file["bytes"] {
            return Err(format!("{name} is not as long as the manifest has it"));
        }
    }
    let folders: HashSet<&str> =
        names.iter().filter_map(|name| name.rsplit_once('/')).map(|(folder, _)| folder).collect();
    match names.iter().find(|name| folders.contains(name.as_str())) {
        Some(name) => Err(format!("{name} is a file and a folder")),
        None => Ok(()),
    }
}

/// The failures of a case, by format.
fn failures(seed: u64) -> Vec<(&'static str, String)> {
    let mut random = Random(seed);
    let number = random.one(&[1, 2, 4, 12, 40]);
    let lines: String = (0..number).map(|_| format!("{}\n", record(&mut random))).collect();
    let failure = |format: &'static Format| {
        let top = tempfile::tempdir().unwrap();
        let run = export(&Options { format, ..even_empty(top.path()) }, &lines);
        let outcome = run.outcome.map_err(|e| e.to_string()).and_then(|()| check(top.path(), &run.stats));
        // Tables refer to records by their keys.
        let outcome =
            outcome.or_else(|e| if e.contains("--format csv needs a key for each") { Ok(()) } else { Err(e) });
        Some((format.name(), format!("WPIPE_SEED={seed}: {}", outcome.err()?)))
    };
    ALL.iter().filter_map(failure).collect()
}

#[test]
fn no_names_end_a_run() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let (first, cases) = (number("WPIPE_SEED").unwrap_or(1), number("WPIPE_CASES").unwrap_or(8));
    println!("WPIPE_SEED={first} WPIPE_CASES={cases}");
    let failures: BTreeMap<_, _> = (first..first + cases).rev().flat_map(failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
