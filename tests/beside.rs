//! Tests the documents that wp-export adds to a jsonl dataset: schemas that every record satisfies, and a card that
//! never loses a user's edits; both are the same in every run. `make conformance` checks them with the real loaders.

use crate::workdir::{Workdir, repository};
use serde_json::{Value, json};

/// The dataset of the example site in `data`, its records in `site`.
fn example() -> Workdir {
    let dir = Workdir::new();
    std::os::unix::fs::symlink(repository("examples"), dir.path("examples")).unwrap();
    dir.sh("wp-index examples/site/dump --scrape examples/site/scrape --max-rejects 1 -q | wp-parse -q |
        wp-translations -q | wp-resolve -q -o site && wp-export -d data site")
        .expect(0);
    dir
}

fn read(dir: &Workdir, name: &str) -> Value {
    serde_json::from_str(&dir.read(name)).unwrap()
}

/// Whether a value satisfies its schema, for the keywords that our schemas use; any other keyword is a failure.
fn is_valid(schema: &Value, value: &Value) -> bool {
    let schema = schema.as_object().unwrap();
    schema.iter().all(|(keyword, says)| match keyword.as_str() {
        "$schema" | "title" | "description" | "x-longest-line" | "additionalProperties" => true,
        "type" => {
            says.as_array().map_or(vec![says], |list| list.iter().collect()).iter().any(|name| match name.as_str() {
                Some("null") => value.is_null(),
                Some("string") => value.is_string(),
                Some("integer") => value.is_i64() || value.is_u64(),
                Some("number") => value.is_number(),
                Some("boolean") => value.is_boolean(),
                Some("array") => value.is_array(),
                Some("object") => value.is_object(),
                _ => panic!("{name}"),
            })
        }
        // A format is only a hint for readers; `shape::tests` checks which values wp-export writes as null.
        "format" => says == "date-time",
        "items" => value.as_array().is_none_or(|list| list.iter().all(|value| is_valid(says, value))),
        "properties" => value.as_object().is_none_or(|object| {
            let closed = schema["additionalProperties"] == json!(false);
            object.iter().all(|(key, value)| says.get(key).map_or(!closed, |schema| is_valid(schema, value)))
        }),
        _ => panic!("{keyword}"),
    })
}

#[test]
fn every_record_of_the_example_site_is_as_its_schema_says() {
    let dir = example();
    let mut records = 0;
    for file in read(&dir, "data/manifest.json")["files"].as_array().unwrap() {
        let name = file["name"].as_str().unwrap();
        let schema = read(&dir, &format!("data/schema/{}.schema.json", name.strip_suffix(".jsonl").unwrap()));
        for line in dir.read(&format!("data/{name}")).lines() {
            assert!(is_valid(&schema, &serde_json::from_str(line).unwrap()), "{name}: {line}");
            records += 1;
        }
    }
    assert_eq!(records, 60);
}

#[test]
fn a_record_of_another_shape_is_not_as_the_schema_says() {
    let dir = example();
    let schema = read(&dir, "data/schema/posts.schema.json");
    let post: Value = serde_json::from_str(dir.read("data/posts.jsonl").lines().next().unwrap()).unwrap();
    assert!(is_valid(&schema, &post));
    type Change = fn(&mut Value);
    let changes: [Change; 6] = [
        |post| post["date_gmt"] = json!(7),
        |post| post["id"] = json!("7"),
        |post| post["mine"] = json!(1),
        |post| post["links"][0]["target"]["link"] = json!([]),
        |post| post["links"][0]["target"]["weight"] = json!(1),
        |post| post["title"] = json!("a text"),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut changed = post.clone();
        change(&mut changed);
        assert!(!is_valid(&schema, &changed), "change {number}");
    }
}

#[test]
fn added_keys_are_in_the_manifest_the_schema_the_loaders_and_the_card() {
    let dir = example();
    dir.sh(
        "jq -c 'if .id == 118 then .mine = {a: [1.5]} else . end | .source_corpus = \"007\" | .seo.score = 1' site |
        wp-export -d data",
    )
    .expect(0);
    let manifest = read(&dir, "data/manifest.json");
    let of_posts = manifest["added_keys"].as_array().unwrap().iter().filter(|added| added["type"] == "post");
    let added = |key: &str, values: &str| json!({"kind": "post", "type": "post", "key": key, "values": values});
    let want = [added("seo.score", "integer"), added("source_corpus", "string"), added("mine", "json")];
    assert_eq!(
        of_posts.filter(|added| added["key"] != "mine").collect::<Vec<_>>(),
        want[..2].iter().collect::<Vec<_>>()
    );
    assert!(manifest["added_keys"].as_array().unwrap().contains(&want[2]));
    let schema = read(&dir, "data/schema/posts.schema.json");
    assert_eq!(
        [&schema["properties"]["mine"], &schema["properties"]["source_corpus"]],
        [&json!({}), &json!({"type": ["string", "null"]})]
    );
    assert_eq!(schema["properties"]["seo"]["properties"]["score"], json!({"type": ["integer", "null"]}));
    let sql = dir.read("data/schema/load_duckdb.sql");
    assert!(sql.contains("  'mine': 'JSON'") && sql.contains("  'source_corpus': 'VARCHAR'"), "{sql}");
    let infos = read(&dir, "data/dataset_infos.json");
    assert_eq!(infos["posts"]["features"]["mine"], json!({"_type": "Json"}));
    assert_eq!(infos["posts"]["features"]["date_gmt"], json!({"dtype": "timestamp[s, tz=UTC]", "_type": "Value"}));
    // Hugging Face's library renames a file that is the only one.
    dir.sh("jq -c 'select(.type == \"post\")' site | wp-export -q -d alone").expect(0);
    let alone = read(&dir, "alone/dataset_infos.json");
    assert_eq!(alone.as_object().unwrap().keys().collect::<Vec<_>>(), ["default", "posts"]);
    assert_eq!(alone["default"], alone["posts"]);
}

#[test]
fn a_value_of_another_type_is_a_defect_and_null_in_a_file() {
    let dir = example();
    dir.sh("jq -c 'if .id == 118 and .type == \"post\" then .links[0].internal = \"yes\" | .slug = {} | .categories = null else . end' site > odd")
        .expect(0);
    let run = dir.program("wp-export", "-d data --stats stats odd", "").expect(0);
    let says: Vec<_> = run.stderr.lines().map(|line| line.splitn(5, ':').nth(4).unwrap()).collect();
    let want =
        [" slug is not a string; null takes its place", " links.internal is not true or false; null takes its place"];
    assert_eq!(says, want, "{}", run.stderr);
    assert_eq!(read(&dir, "stats")["defects"]["type"], 2);
    let post = dir.sh(
        "jq -c 'select(.id == 118 and .type == \"post\") | [.slug, .links[0].internal, .categories]' data/posts.jsonl",
    );
    assert_eq!(post.stdout, "[null,null,null]\n");
    // As a stream, the records pass unchanged.
    assert_eq!(dir.program("wp-export", "odd", "").expect(0).stdout, dir.read("odd"));
}

#[test]
fn the_card_says_what_is_there_and_what_was_left_out() {
    let dir = example();
    let card = dir.read("data/README.md");
    for line in [
        "| [posts.jsonl](posts.jsonl) | 18 | posts |",
        "- users: **2 are in this dataset**, with people's names and words.",
        "- comments: **6 are in this dataset**, with people's names and words.",
        "- \"fr\"",
        "- \"fr-FR\"",
        "- n<1K",
        "# license: TO BE FILLED IN, one of https://huggingface.co/docs/hub/repositories-licenses",
    ] {
        let posts = dir.read("data/posts.jsonl").lines().count();
        let line = line.replace("18", &posts.to_string());
        assert!(card.lines().any(|other| other == line), "{line}");
    }
    dir.sh("wp-export -d data --without users,comments site").expect(0);
    let card = dir.read("data/README.md");
    assert!(
        card.contains(
            "- users: left out (`--without users`), 2 records.\n- comments: left out (`--without comments`), 6"
        )
    );
    assert!(!dir.path("data/schema/users.schema.json").exists() && !card.contains("users.jsonl"));
    assert!(!dir.read("data/croissant.json").replace("--without users", "").contains("users"));
    assert!(!dir.read("data/schema/load_duckdb.sql").contains("users"));
}

#[test]
fn a_card_that_somebody_has_worked_on_stays_and_the_new_one_lies_beside() {
    let dir = example();
    let ours = dir.read("data/README.md");
    for theirs in [ours.replace("**TO BE FILLED IN:**", "CC0"), "# Mine".to_owned(), String::new()] {
        dir.write("data/README.md", &theirs);
        for _ in 0..2 {
            let run = dir.sh("wp-export -d data site").expect(0);
            assert_eq!(run.stderr, "wp-export: data/README.md: not of this dataset, left as it is\n");
            assert!(dir.read("data/README.md") == theirs && dir.read("data/README.new.md") == ours);
        }
    }
    // Under its own name, the file is ours again.
    dir.sh("mv data/README.new.md data/README.md && wp-export -d data site").expect(0);
    assert_eq!(dir.sh("wp-export -d data site").expect(0).stderr, "");
    assert!(dir.read("data/README.md") == ours && !dir.path("data/README.new.md").exists());
}

#[test]
fn a_card_of_a_run_that_left_no_manifest_is_replaced() {
    let dir = example();
    let run = dir.sh("rm -r data/*.js* data/schema && wp-export -d data --without users site").expect(0);
    assert_eq!(run.stderr, "");
    assert!(dir.read("data/README.md").contains("- users: left out"));
}

#[test]
fn documents_are_the_same_bytes_in_the_manifest_and_gone_with_it() {
    let dir = example();
    dir.sh("wp-export -j 1 -d again site && wp-export -j 7 -d data site && diff -r data again").expect(0);
    dir.sh("cd data; jq -r '.documents[] | .sha256 + \"  \" + .name' manifest.json | sha256sum -c --quiet").expect(0);
    let names: Vec<String> = dir.list("data/schema");
    assert_eq!(names.len(), 10 + 4);
    dir.sh("wp-export -d data --format wpextract -q site").expect(0);
    assert!(!dir.path("data/schema").exists() && !dir.path("data/README.md").exists());
}

#[test]
fn a_line_longer_than_duckdb_takes_is_told_to_it() {
    let dir = Workdir::new();
    let line = json!({"site": "a", "kind": "post", "type": "post", "text": "x".repeat(17 << 20)}).to_string();
    dir.program("wp-export", "-d data", &line).expect(0);
    let sql = dir.read("data/schema/load_duckdb.sql");
    assert!(sql.contains(&format!("maximum_object_size = {},", 2 * line.len())));
    assert_eq!(read(&dir, "data/schema/posts.schema.json")["x-longest-line"], json!(line.len()));
}
