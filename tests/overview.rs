//! Tests `wp-export --format report`: its numbers equal those of the records, and the commands that it shows give the same results.

use crate::workdir::{Workdir, repository};
use serde_json::{Value, json};

/// The example site, its stages' counts in stats-1 to stats-4, its dataset in `dataset` and its report in `d`.
fn site() -> Workdir {
    let dir = Workdir::new();
    let pipe = format!(
        "cp -r {} site; cd site; wp-index -q dump --scrape scrape --max-rejects 1 --stats ../stats-1 |
        wp-parse -q --stats ../stats-2 | wp-translations -q --stats ../stats-3 | wp-resolve -q --stats ../stats-4 -o ../in
        cd ..; wp-export -q -d dataset in
        wp-export --format report -d d --without comments --with stats-1 --with stats-2 --with stats-3 --with stats-4 in",
        repository("examples/site").display()
    );
    dir.sh(&pipe).expect(0);
    dir
}

fn report(dir: &Workdir) -> Value {
    serde_json::from_str::<Value>(&dir.read("d/manifest.json")).unwrap()["report"].clone()
}

fn sum(list: &Value, key: &str) -> u64 {
    list.as_array().unwrap().iter().map(|one| one[key].as_u64().unwrap()).sum()
}

#[test]
fn the_numbers_of_a_report_add_up() {
    let dir = site();
    let (report, manifest) = (report(&dir), serde_json::from_str::<Value>(&dir.read("d/manifest.json")).unwrap());
    assert_eq!(sum(&report["records"], "records"), sum(&manifest["records"], "records"));
    assert_eq!(sum(&report["published"], "documents"), sum(&report["languages"], "documents"));
    for list in ["links", "images"] {
        let numbers = &report[list];
        let of = |key: &str| numbers[key].as_u64().unwrap();
        let resolved: u64 = numbers["rules"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        let missing: u64 = numbers["missing"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        let all = resolved + missing + of("external") + of("other") + of("unresolved");
        let told = &manifest[list];
        assert_eq!(
            [&json!(all), &json!(resolved), &numbers["missing"]],
            [&told["found"], &told["resolved"], &told["missing"]]
        );
    }
    let alternatives = report["alternatives"].as_object().unwrap().values().map(|n| n.as_u64().unwrap());
    assert_eq!(alternatives.sum::<u64>(), manifest["images"]["found"].as_u64().unwrap());
    let accounts: Vec<&Value> = report["accounts"].as_array().unwrap().iter().map(|one| &one["program"]).collect();
    assert_eq!(accounts, ["wp-index", "wp-parse", "wp-translations", "wp-resolve"]);
}

/// The commands that the page shows in `<pre>`.
/// Pages often state a date without a time zone. A report showed 645 documents without a date in place of 572, and `created` was null.
#[test]
fn a_date_without_a_zone_is_a_date() {
    let dir = site();
    let local = "jq -c 'if .kind == \"post\" and .id == 101 then .date_gmt = null | .date = \"1999-05-03T10:00:00\" else . end' in > local";
    dir.sh(&format!("{local}; wp-export -q --format report -d d local")).expect(0);
    let months = report(&dir)["published"].as_array().unwrap().clone();
    assert!(months.iter().any(|one| one["month"] == "1999-05" && one["documents"] == 1), "{months:?}");
    let run = dir
        .sh("wp-export -q --format documents local | jq -r 'select(.metadata.record_id == 101) | .created'")
        .expect(0);
    assert_eq!(run.stdout.lines().next(), Some("1999-05-03T10:00:00"), "{}", run.stdout);
}

fn commands(page: &str) -> Vec<String> {
    let inner = page.split("<pre><code>").skip(1).map(|rest| rest.split("</code>").next().unwrap());
    let plain =
        |text: &str| text.replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", "\"").replace("&amp;", "&");
    inner.map(plain).collect()
}

#[test]
fn the_commands_of_a_report_find_what_it_counts() {
    let dir = site();
    dir.sh("wp-export -q --format report -d d in").expect(0);
    let (report, page) = (report(&dir), dir.read("d/report.html"));
    let commands = commands(&page);
    let run = |sign: &str| {
        let command = commands.iter().find(|command| command.contains(sign)).unwrap_or_else(|| panic!("{sign}"));
        let run = dir.sh(&format!("set -o pipefail; cd dataset; {command}")).expect(0);
        assert_eq!(run.stderr, "");
        run.stdout
    };
    let counted = |sign: &str| -> u64 {
        run(sign).lines().map(|line| line.split_whitespace().next().unwrap().parse::<u64>().unwrap()).sum()
    };
    assert_eq!(counted(".type, .language"), sum(&report["records"], "records"));
    assert_eq!(counted(".date_gmt"), sum(&report["published"], "documents"));
    assert_eq!(run("# without text").lines().count() as u64, sum(&report["languages"], "without_text"));
    let translated = sum(&report["languages"], "documents") - sum(&report["languages"], "translated");
    assert_eq!(run("# not translated").lines().count() as u64, translated);
    let rules: u64 = report["links"]["rules"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(counted("| .rule'"), rules);
    assert_eq!(run("[.url, $from] | @tsv' *.jsonl | sort").lines().count() as u64, report["links"]["missing"]["dead"]);
    assert_eq!(run("# without the attribute").lines().count() as u64, report["alternatives"]["missing"]);
    for (sign, list) in [("| .target.link'", "most_linked"), ("split(\"/\")[2]", "outside_hosts")] {
        let found = run(sign);
        let mut found: Vec<(String, u64)> = found
            .lines()
            .map(|line| line.trim_start().split_once(' ').unwrap())
            .map(|(n, text)| (text.to_owned(), n.parse().unwrap()))
            .collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(20);
        assert_eq!(json!(found), report[list]["list"], "{list}");
    }
    assert_eq!(commands.len(), 9, "each has its line above");
}

#[test]
fn a_report_shows_what_has_changed_and_its_commands_find_it() {
    let dir = site();
    // Changes of one record each: another date, another text, deleted, added.
    dir.sh(r#"jq -c 'if .kind != "post" then . elif .id == 119 then .date_gmt = "2001-02-03T04:05:06Z"
        elif .id == 102 then .content.html = "<p>Nothing <b>of it</b> &lt;script&gt; is left.</p>" elif .id == 103 then empty else . end' in > new
        jq -c 'select(.id != 101)' in > old; wp-diff old new > changes; cat new changes > both; wp-export -q -d dataset both; wp-export -q --format report -d d both
        wp-export -q --format report -o plain.html new; tac changes > turned; cat turned new | wp-export -q --format report -o turned.html"#)
        .expect(0);
    let (report, page) = (report(&dir), dir.read("d/report.html"));
    let classes = report["changes"].as_array().unwrap().iter().filter(|of| of["type"] == "post");
    let classes: Vec<String> =
        classes.map(|of| format!("{} {}", of["class"], of["records"]).replace('"', "")).collect();
    assert_eq!(classes, ["added 1", "changed 1", "gone 1", "redated 1"]);
    assert!(page.contains("<del>") && page.contains("<ins>Nothing of it &lt;script&gt; is left.</ins>"), "{page}");
    assert!(page.contains("now 2001-02-03</title></circle>"));
    assert!(!dir.read("plain.html").contains("<h2>Changes"));
    let without_words = |name: &str| dir.read(name).replace("<title>Records by", "");
    assert_eq!(without_words("turned.html"), without_words("d/report.html"), "whatever comes first");
    let commands = commands(&page);
    let run = |sign: &str| {
        let command = commands.iter().find(|command| command.contains(sign)).unwrap_or_else(|| panic!("{sign}"));
        dir.sh(&format!("set -o pipefail; cd dataset; {command}")).expect(0).stdout
    };
    let first = |line: &str| line.split_whitespace().next().unwrap().parse::<u64>().unwrap();
    assert_eq!(run("changes == []").lines().map(first).sum::<u64>(), sum(&report["changes"], "records"));
    assert_eq!(run("select(.text").lines().count(), 1);
    assert!(run("redated").starts_with("119\t") && run("== \"gone\"").lines().count() >= 2);
    // the other commands do not consider changes
    assert_eq!(run(".type, .language").lines().map(first).sum::<u64>(), sum(&report["records"], "records"));
    for sign in ["| .rule'", "| .target.link'", "split(\"/\")[2]", "*.jsonl | sort", "# without the attribute"] {
        run(sign);
    }
}

#[test]
fn a_report_is_one_page_that_asks_for_nothing() {
    let dir = site();
    let page = dir.read("d/report.html");
    assert_eq!(dir.list("d"), ["manifest.json", "report.html"]);
    for outside in ["<script", "<link", "<img", "src=", "@import", "url(", "<iframe"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'") && page.contains("What the stages did") && page.contains("<title>"));
    assert!(page.contains("Records left out with --without"));
    dir.program("wp-export", "--format report -o report.html --without comments in", "").expect(0);
    let alone = dir.read("report.html");
    assert!(
        alone.contains("is not known here: write it with")
            && alone.contains("Whether the dump is complete is not known")
    );
    let run = dir.program("wp-export", "--format report --without comments in", "").expect(0);
    assert_eq!(run.stdout, alone);
    dir.sh("cat in | wp-export --format report --without comments -j 8 | cmp - report.html").expect(0);
}

#[test]
fn a_report_shows_gaps_of_a_fetch_and_refuses_other_files() {
    let dir = Workdir::new();
    let record = r#"{"site":"a<b>","kind":"post","type":"x\"<i>","id":1,"link":"javascript:x","language":"<s>","date_gmt":"20é-1","links":[{"url":"http://<u>/","internal":true},{"url":"http://h.example:80/","internal":false},{"url":"mailto:x"}],"images":[{"alt":" "}]}"#;
    let fetch = json!({"site": "https://a.example/<p>", "program": "wp-fetch", "complete": false, "gaps": 2, "stopped": "<q>",
        "collections": [{"type": "posts", "total_end": 9, "got": 7, "gaps": 2}]});
    dir.write("fetch.json", fetch.to_string());
    let page = dir.program("wp-export", "--format report --with fetch.json", format!("{record}\n")).expect(0).stdout;
    for part in [
        "was fetched with gaps (2 gaps)",
        "the site&apos;s count",
        "&lt;q&gt;",
        "These records have not passed wp-resolve",
    ] {
        let part = part.replace("&apos;", "'");
        assert!(page.contains(&part), "{part}");
    }
    for raw in ["<b>", "<i>", "<s>", "<u>", "<p>.", "<q>", "href=\"javascript"] {
        assert!(!page.replace("<li><b>", "").contains(raw), "{raw}");
    }
    dir.write("other", "{\"program\":\"x\"}");
    for file in ["other", "no-such"] {
        let run = dir.program("wp-export", &format!("--format report --with {file}"), format!("{record}\n")).expect(2);
        assert!(run.stderr.contains(file), "{}", run.stderr);
    }
    let run = dir.program("wp-export", "-d d --with fetch.json", format!("{record}\n")).expect(2);
    assert!(run.stderr.contains("--with applies to --format report"), "{}", run.stderr);
}
