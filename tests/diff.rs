//! Tests wp-diff: it compares two fetches of a site, and reports inputs that cannot be compared.

use crate::workdir::{Run, Workdir, repository};
use serde_json::{Value, json};

/// The records of the example site, as the file `old`.
fn site() -> Workdir {
    let dir = Workdir::new();
    dir.sh(&format!(
        "cd '{}' && wp-index dump --scrape scrape --max-rejects 9 -q --end | wp-parse -q | wp-translations -q | wp-resolve -q > $OLDPWD/old",
        repository("examples/site").display()
    ))
    .expect(0);
    dir
}

/// The changes of a run, without end records.
fn changes(run: &Run) -> Vec<Value> {
    let mut records = run.records();
    records.retain(|record| record["kind"] == "change");
    records
}

#[test]
fn a_site_that_has_not_changed_has_no_line() {
    let dir = site();
    let end =
        "{\"site\":\"harbour.example\",\"kind\":\"end\",\"type\":\"end\",\"id\":null,\"link\":null,\"records\":0}\n";
    assert_eq!(dir.sh("wp-diff old old").expect(0).stdout, end);
    // The same if one side was read by other rules, or comes from a dataset.
    dir.sh("wp-export -q -d data old && cd '' 2>/dev/null; gzip -k old").expect(0);
    assert_eq!(dir.sh("wp-diff data old.gz").expect(0).stdout, end);
    assert_eq!(dir.sh("wp-diff old data").expect(0).stdout, "", "a dataset has no end records");
    let run = dir.sh(&format!(
        "(cd '{}' && wp-index dump --scrape scrape --max-rejects 9 -q | wp-parse -q --text paragraphs,no-tables | wp-translations -q --text paragraphs | wp-resolve -q) | wp-diff old",
        repository("examples/site").display()
    ));
    assert_eq!(changes(&run.expect(0)), Vec::<Value>::new());
}

/// 595 records were missing from a dataset that had been copied in part, and were reported as gone, with status 0.
#[test]
fn records_lost_in_a_copy_of_a_dataset_counted_as_deleted() {
    let dir = site();
    for compress in ["", " --compress zst"] {
        dir.sh(&format!("rm -rf data; wp-export -q -d data{compress} old; ls data | grep '^posts.jsonl' > name"))
            .expect(0);
        let name = dir.read("name").trim().to_owned();
        for (damage, there, stated) in [
            ("head -c 900 data/$n > copy/$n", "900 bytes", r#"\(.bytes) bytes (\(.records) records)"#),
            (": > copy/$n", "0 bytes", r#"\(.bytes) bytes (\(.records) records)"#),
            (
                "printf '{}' | dd of=copy/$n bs=1 seek=99 conv=notrunc status=none",
                "SHA-256 $(sha256sum < copy/$n | cut -c 1-64)",
                r"\(.sha256)",
            ),
        ] {
            dir.sh(&format!("n={name}; rm -rf copy; cp -r data copy; {damage}")).expect(0);
            let want = dir.sh(&format!(
                "n={name}; jq -r '.files[] | select(.name == \"'$n'\") | \"{stated}\"' data/manifest.json > stated
                echo \"wp-diff: copy/$n: {there}, but copy/manifest.json states $(cat stated): it is not whole, or has been changed\""
            ));
            for command in ["wp-diff old copy", "wp-diff copy old", "wp-diff --dates copy"] {
                let run = dir.sh(command).expect(2);
                assert_eq!(run.stderr, want.stdout, "{command}");
                assert!(!run.stdout.contains("\"change\""), "{}", run.stdout);
            }
        }
        dir.sh("wp-diff old data").expect(0);
    }
    // a file of another directory, and a link to one of this directory
    let name = dir.read("name").trim().to_owned();
    dir.sh(&format!("rm -rf copy; cp -r data copy; mv copy/{name} elsewhere; ln -s ../elsewhere copy/{name}"))
        .expect(0);
    let run = dir.sh("wp-diff old copy").expect(2);
    assert_eq!(run.stderr, format!("wp-diff: copy/manifest.json: {name} leads out of the directory\n"));
    dir.sh(&format!("mv elsewhere copy/own; ln -sf own copy/{name}; ln -s copy link; wp-diff old link")).expect(0);
    // no manifest, and a manifest of another program
    dir.sh("rm copy/manifest.json");
    assert!(dir.sh("wp-diff old copy").expect(2).stderr.contains("copy/manifest.json: no such file"));
    dir.write("copy/manifest.json", r#"{"program":"x","format":"jsonl","files":[]}"#);
    assert!(dir.sh("wp-diff old copy").expect(2).stderr.contains("not the manifest of a dataset of wp-export"));
}

#[test]
fn any_number_of_threads_and_any_way_in_give_the_same_bytes() {
    let dir = site();
    dir.sh("grep -v '\"id\":10[1-3],' old | sed 's/harbour/haven/; s/the /a /' > new").expect(0);
    dir.sh("wp-diff -j1 old new > one && test -s one && wp-diff -j8 old new | cmp - one && wp-diff old < new | cmp - one && cat old | wp-diff - new | cmp - one").expect(0);
    // Records that were added are gone in the reverse direction.
    let count = |script: &str, class: &str| {
        changes(&dir.sh(script).expect(0)).iter().filter(|change| change["change"] == class).count()
    };
    assert_eq!(count("wp-diff old new", "gone"), count("wp-diff new old", "added"));
}

#[test]
fn a_missing_record_counts_as_deleted_only_if_wp_fetch_says_so() {
    let dir = site();
    dir.sh("jq -c 'select(.kind != \"html\" and (.type != \"post\" or (.id | . < 101 or . > 103)))' old > new")
        .expect(0);
    let evidence = |script: &str| {
        let rules = changes(&dir.sh(script).expect(0)).into_iter().filter(|change| change["change"] == "gone");
        rules
            .map(|change| format!("{}:{}", change["type"], change["evidence"][0]["rule"]))
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert!(evidence("wp-diff old new").iter().all(|said| said.ends_with(":null")));
    let account = |gaps: u64| {
        json!({"ended": "2026-11-01T00:00:00Z", "stopped": null, "collections": [
            {"type": "posts", "gaps": gaps, "adds_up": true, "refused": null}, {"type": "pages", "gaps": 0, "adds_up": true, "refused": null}]})
    };
    dir.write("fetch.json", account(2).to_string());
    dir.write("deleted.ndjson", "{\"time\":\"2026-10-01T00:00:00Z\",\"type\":\"post\",\"id\":101,\"link\":null,\"modified_gmt\":null,\"dump\":\"d\"}\n");
    let said = evidence("wp-diff --with fetch.json --stats stats old new");
    assert_eq!(
        said.into_iter().collect::<Vec<_>>(),
        ["\"html\":\"unknown\"", "\"post\":\"deleted\"", "\"post\":\"gap\""]
    );
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!((&stats["gone_deleted"], &stats["gone_gap"]), (&json!(1), &json!(2)));
    dir.write("fetch.json", account(0).to_string());
    assert!(evidence("wp-diff --with fetch.json old new").iter().all(|said| !said.contains("gap")));
    assert!(dir.sh("wp-diff --with stats old new").expect(2).stderr.contains("stats: not wp-fetch's fetch.json"));
}

#[test]
fn a_side_that_is_empty_or_broken_off_is_not_all_added() {
    let dir = site();
    dir.write("none", "");
    for (script, says) in [
        ("wp-diff none old", "none: no records"),
        ("wp-diff old none", "none: no records"),
        ("wp-diff old < /dev/null", "-: no records"),
    ] {
        let run = dir.sh(&format!("{script} -o out")).expect(1);
        assert!(run.stderr.contains(says) && !dir.path("out").exists(), "{script}: {}", run.stderr);
    }
    assert_eq!(changes(&dir.sh("wp-diff --allow-empty none old").expect(0)).len(), 60);
    assert_eq!(changes(&dir.sh("wp-diff --allow-empty old none").expect(0)).len(), 60);
    dir.sh("head -c 30000 old > cut").expect(0);
    for script in ["wp-diff cut old", "wp-diff old cut", "cat cut | wp-diff old", "wp-diff --dates cut"] {
        let run = dir.sh(&format!("{script} -o out")).expect(2);
        assert!(run.stderr.contains("the input ends within this line") && !dir.path("out").exists(), "{script}");
    }
    for (script, says) in [
        ("wp-diff - -", "OLD and NEW are both the standard input"),
        ("wp-diff old gone", "gone: no such file"),
        ("wp-diff . old", "./manifest.json: no such file"),
        ("wp-diff", "<OLD>"),
        ("wp-diff --dates old old", "cannot be used with"),
        ("cat old <(sed s/harbour.example/b/ old) old | wp-diff old", "are not contiguous"),
        ("TMPDIR=gone wp-diff old old", "gone (spool)"),
        ("wp-diff old old > /dev/full", "no space left"),
    ] {
        let run = dir.sh(script).expect(2);
        assert!(run.stderr.contains(says), "{script}: {}", run.stderr);
    }
}

#[test]
fn lines_that_are_no_records_are_rejects_of_their_side() {
    let dir = site();
    dir.sh("(head -n 3 old; echo '{\"a\": tru}'; tail -n +4 old) > broken").expect(0);
    for (script, place) in [("wp-diff broken old", "broken:4:"), ("wp-diff old broken", "broken:4:")] {
        let run = dir.sh(&format!("{script} --rejects rejects")).expect(1);
        assert!(run.stderr.contains(place) && changes(&run).is_empty(), "{}", run.stderr);
        assert_eq!(dir.read("rejects"), "{\"a\": tru}\n");
    }
    // A record that occurs twice counts once.
    let run = dir.sh("(cat old; head -n 3 old) | wp-diff old --stats stats").expect(0);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!((changes(&run).len(), &stats["duplicates"]), (0, &json!(3)));
}

/// A user who leaves comments out leaves out deleted ones, too. The message "no record has post.author" explained
/// neither the kind nor the field to users who did not know the syntax.
#[test]
fn a_field_that_all_records_of_a_side_lack_is_named_with_its_kind() {
    let dir = site();
    dir.sh("jq -c 'if .kind == \"post\" then .author = null else . end' old > poor").expect(0);
    let run = dir.sh("wp-diff poor old").expect(0);
    assert_eq!(run.stderr, "wp-diff: poor: all records lack post.author (KIND.FIELD): not compared\n");
}

#[test]
fn a_deleted_commenter_is_in_no_dataset_without_comments() {
    let dir = site();
    dir.sh("grep -v '\"kind\":\"comment\"' old | grep -v '\"kind\":\"user\"' | sed 's/The /A /' > new; jq -r 'select(.kind == \"comment\").author_name' old | sort -u > names; test -s names").expect(0);
    dir.sh("wp-diff old new > changes; grep -c '\"type\":\"comment\"' changes; cat new changes | wp-export -q --without users,comments -d data; test -s data/changes.jsonl").expect(0);
    assert!(!dir.read("data/changes.jsonl").contains("\"type\":\"comment\""));
    dir.sh("cat new changes | wp-export -q --without users,comments --format csv -d csv; test -s csv/changes.csv")
        .expect(0);
    assert_eq!(dir.sh("grep -rlwFf names data/changes.jsonl csv/changes.csv").stdout, "");
    let left_out = |folder: &str| {
        let manifest: Value = serde_json::from_str(&dir.read(&format!("{folder}/manifest.json"))).unwrap();
        manifest["left_out"].as_array().unwrap().iter().map(|of| of["records"].as_u64().unwrap()).sum::<u64>()
    };
    let comments = changes(&dir.sh("cat changes"))
        .iter()
        .filter(|change| matches!(change["type"].as_str(), Some("comment" | "user")))
        .count();
    assert_eq!(left_out("data"), comments as u64);
    assert_eq!(left_out("csv"), comments as u64);
}

#[test]
fn changes_are_a_file_of_a_dataset_and_no_documents() {
    let dir = site();
    dir.sh("grep -v '\"id\":10[1-3],' old | sed 's/The /A /' > new; wp-diff old new > changes").expect(0);
    let lines = changes(&dir.sh("cat changes")).len() as u64;
    dir.sh("cat new changes | wp-export -q -d data").expect(0);
    assert_eq!(dir.sh("grep -v '\"kind\":\"end\"' changes | cmp - data/changes.jsonl").status, 0);
    let schema: Value = serde_json::from_str(&dir.read("data/schema/changes.schema.json")).unwrap();
    assert_eq!(schema["properties"]["text"]["items"]["properties"]["words"]["type"], json!(["array", "null"]));
    for format in ["text", "graph", "wpextract", "documents", "pairs", "tei"] {
        dir.sh(&format!("cat new changes | wp-export -q --allow-empty --format {format} -d {format} --stats stats"))
            .expect(0);
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        let manifest: Value = serde_json::from_str(&dir.read(&format!("{format}/manifest.json"))).unwrap();
        let of_changes = |list: &Value| {
            let of = list.as_array().unwrap().iter().filter(|of| of["kind"] == "change");
            of.map(|of| of["records"].as_u64().unwrap()).sum::<u64>()
        };
        assert_eq!(of_changes(&manifest["left_out"]), lines, "{format}: {stats}");
    }
}

/// wp-fetch calls media attachments, and tags post_tags.
#[test]
fn deleted_media_and_tags_are_known_by_both_names() {
    let dir = Workdir::new();
    let record = |kind: &str, r#type: &str, id: u32| {
        format!(
            "{{\"site\":\"a\",\"kind\":\"{kind}\",\"type\":\"{type}\",\"id\":{id},\"link\":\"https://a.example/{id}/\"}}\n"
        )
    };
    let all = |ids: &[u32]| {
        ids.iter()
            .map(|&id| if id < 3 { record("media", "media", id) } else { record("term", "tag", id) })
            .collect::<String>()
    };
    dir.write("old", all(&[1, 2, 3, 4])).write("new", all(&[1, 3]));
    let collection = |r#type: &str| json!({"type": r#type, "gaps": 0, "adds_up": true, "refused": null});
    let account = json!({"ended": "2026-11-01T00:00:00Z", "stopped": null, "collections": [collection("attachment"), collection("post_tag")]});
    dir.write("fetch.json", account.to_string());
    let rules: Vec<Value> = changes(&dir.sh("wp-diff old new --with fetch.json").expect(0))
        .iter()
        .map(|change| change["evidence"][0]["rule"].clone())
        .collect();
    assert_eq!(rules, ["deleted", "deleted"]);
    dir.write("deleted.ndjson", "{\"time\":\"2026-10-01T00:00:00Z\",\"type\":\"post_tag\",\"id\":4,\"link\":null}\n");
    let tag = changes(&dir.sh("wp-diff old new --with fetch.json").expect(0)).remove(1);
    assert_eq!(tag["evidence"][0]["value"], "2026-10-01T00:00:00Z");
}

#[test]
fn gone_records_have_their_words_and_the_report_their_titles() {
    let dir = Workdir::new();
    let record = |kind: &str, id: u32, title: &str, text: &str| {
        let title = json!({"text": if title.is_empty() { Value::Null } else { title.into() }});
        json!({"site": "a", "kind": kind, "type": kind, "id": id, "link": format!("https://a.example/{id}/"), "title": title, "content": {"text": text}}).to_string() + "\n"
    };
    let old = record("post", 1, "Stays", "x")
        + &record("post", 2, "Ferry <closed>", "The last ferry.\nNo boats.")
        + &record("comment", 3, "", "A pity!");
    dir.write("old", old).write("new", record("post", 1, "Stays", "x"));
    dir.sh("wp-diff old new -o changes && wp-export -q new changes --format report -o report").expect(0);
    let words = dir.sh("jq -c '[.type, .old.title, [.text[] | [.op, .old]]]' changes").expect(0).stdout;
    assert_eq!(
        words,
        "[\"post\",\"Ferry <closed>\",[[\"removed\",\"The last ferry.\"],[\"removed\",\"No boats.\"]]]\n[\"comment\",null,[[\"removed\",\"A pity!\"]]]\n"
    );
    let report = dir.read("report");
    assert!(report.contains("Ferry &lt;closed&gt;") && report.contains("A pity!") && !report.contains("changed most"));
}
