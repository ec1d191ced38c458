//! Holds the promises "No input ends a run", "Time grows with the input" and "Memory has stated bounds" of CONTRIBUTING.md.
//! Malicious inputs: no record, page or dump takes more time or memory than its size explains. These tests check the output;
//! growth.rs counts how the time grows.

use crate::workdir::Workdir;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A line of wp-index with this item.
fn line(api: &str, more: &str) -> String {
    format!(
        r#"{{"site":"a","kind":"post","type":"post","id":1,"link":"https://a/x/","source":null,"scrape":null,"aliases":[],"api":{api}{more}}}"#
    )
}

/// Many unknown keys in a record, which may come from a user's jq.
#[test]
fn unknown_keys_cost_linear_time() {
    const KEYS: usize = 25_000;
    let dir = Workdir::new();
    let mut more = String::new();
    for n in 0..KEYS {
        write!(more, r#","key {n}":{n}"#).unwrap();
    }
    // One of the record's own keys, and one key twice: the last value counts, in the place of the first.
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
    const TAXONOMIES: usize = 10_000;
    let dir = Workdir::new();
    let (mut links, mut fields) = (String::new(), String::new());
    for n in 0..TAXONOMIES {
        write!(links, r#"{{"taxonomy":"t{n}","href":"https://a/wp-json/wp/v2/t{n}?post=1"}},"#).unwrap();
        write!(fields, r#""t{n}":[{n}],"#).unwrap();
    }
    // Many links that name one field: it belongs to the first taxonomy.
    let same = r#"{"taxonomy":"t1","href":"https://a/wp-json/wp/v2/t1?post=1"}"#;
    dir.write("in", line(&format!(r#"{{{fields}"_links":{{"wp:term":[{links}{same}]}}}}"#), ""));
    let record = &dir.program("wp-parse", "in", "").expect(0).records()[0];
    assert_eq!(record["terms"].as_array().unwrap().len(), TAXONOMIES);
    assert_eq!(record["terms"][1], json!({"taxonomy": "t1", "id": 1, "name": null, "slug": null, "link": null}));
}

#[test]
fn items_of_a_switcher_cost_linear_time() {
    const ITEMS: usize = 10_000;
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

#[test]
fn what_a_page_repeats_costs_linear_time() {
    const TIMES: usize = 10_000;
    let dir = Workdir::new();
    let words = |word: &str| word.repeat(TIMES);
    let head = [
        words("<script type=application/ld+json>"),
        format!("<title>{}</title><meta property=og:title content='{}'>", words(" - x"), words("word ")),
        format!("<meta property=og:site_name content='{}'>", words("site ")),
    ];
    let numbered = |text: &str| (0..TIMES).map(|n| text.replace("NUMBER", &n.to_string())).collect::<String>();
    let compared = [
        numbered("<meta name=description content='NUMBER is the number of this page'>"),
        numbered(
            "<link rel=alternate type=application/rss+xml href=/NUMBER/feed/ title='S » NUMBER is the number Comments'>",
        ),
    ];
    let body = [
        words("<h1 class=entry-title>A title</h1>"),
        words("<article><time class=entry-date datetime=2024-01-01T00:00:00Z>then</time></article>"),
        words("<article><span class=author><a rel=author>Ann</a></span>"),
    ];
    for part in head {
        let page = format!("<html><head>{part}</head><body><h1 class=entry-title>{}</h1>", words("word "));
        dir.write(&format!("scrape/{}.html", page.len()), page);
    }
    for part in body {
        let page = format!("<html><head><title>A title</title></head><body><article><p>{part}");
        dir.write(&format!("scrape/{}.html", page.len()), page);
    }
    for part in compared {
        let texts = numbered("<p>The number of this one is NUMBER.");
        dir.write(&format!("scrape/{}.html", part.len()), format!("<html><head>{part}</head><body>{texts}"));
    }
    let pipe = "wp-index --site s --no-dump --all-pages --scrape scrape | wp-parse | wp-translations";
    assert_eq!(dir.sh(pipe).expect(0).records().len(), 8);
}

/// Some sites redirect the addresses of all deleted pages to one page.
#[test]
fn redirects_by_the_thousand_cost_linear_time() {
    const REDIRECTS: usize = 5_000;
    let dir = Workdir::new();
    let mut archive = String::new();
    let mut add = |url: usize, status: &str, headers: &str, body: &str| {
        let answer = format!("HTTP/1.1 {status}\r\n{headers}\r\n\r\n{body}");
        archive += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://s.example/{url}/\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n",
            answer.len()
        );
    };
    add(0, "200 OK", "Content-Type: text/html", "<html><body class='single postid-7'>one");
    for url in 1..=REDIRECTS {
        add(url, "301 Moved Permanently", "Location: https://s.example/0/", "");
    }
    dir.write("x.warc", archive);
    let run = dir.sh("wp-index -q --no-dump --scrape x.warc").expect(0);
    assert_eq!(run.records()[0]["aliases"].as_array().unwrap().len(), REDIRECTS);
}

/// All posts of a site may name one of them as their translation.
#[test]
fn a_group_of_thousands_is_not_written_out() {
    const POSTS: usize = 1000;
    let dir = Workdir::new();
    let mut lines = String::new();
    for n in 1..=POSTS {
        let api = format!(r#"{{"id":{n},"link":"https://a/{n}/","translations":{{"fr":1}}}}"#);
        let line = line(&api, "")
            .replace("\"id\":1,\"link\":\"https://a/x/\"", &format!("\"id\":{n},\"link\":\"https://a/{n}/\""));
        lines += &(line + "\n");
    }
    dir.write("in", lines);
    let run = dir.sh("wp-parse in | wp-resolve --stats stats").expect(0);
    let members: Vec<usize> =
        run.records().iter().map(|record| record["translations"].as_array().unwrap().len()).collect();
    assert_eq!((members.len(), members.iter().max()), (POSTS, Some(&249)));
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!((&stats["groups"], &stats["translations_refused"]), (&json!(1), &json!(POSTS - 250)));
    // The others keep the translations that they state, without a target.
    assert_eq!(members.iter().filter(|members| **members == 1).count(), POSTS - 250);
}

/// A dump of a megabyte may have a separate type for each record: each took 0.73 MB.
#[test]
fn types_by_the_thousand_take_little_memory() {
    let dir = Workdir::new();
    let record = |n: usize| json!({"site": "s", "kind": "post", "type": format!("t{n}"), "id": n}).to_string() + "\n";
    dir.write("in", (0..1500).map(record).collect::<String>());
    let run = dir.sh("ulimit -v 350000; wp-export -j 1 -d data in").expect(0);
    assert!(run.stderr.contains("1507 types") && run.stderr.lines().count() == 1, "{}", run.stderr);
    let manifest: Value = serde_json::from_str(&dir.read("data/manifest.json")).unwrap();
    assert_eq!(manifest["files"].as_array().unwrap().len(), 1507);
    assert!(dir.path("data/schema/t1499.schema.json").exists());
    assert!(dir.read("data/README.md").contains("t400.jsonl") && !dir.read("data/README.md").contains("t1499.jsonl"));
    // One encoder for each type took 1.2 GB.
    let script = "ulimit -v 450000; wp-export -q -j 1 -d zst --compress zst in && cd zst &&
        jq -r '.files[] | .sha256 + \"  \" + .name' manifest.json | sha256sum -c --quiet; cd ..
        for n in 0 70 1499; do wp-export -q zst/t$n.jsonl.zst | cmp - data/t$n.jsonl; done";
    assert_eq!(dir.sh(script).expect(0).stderr, "");
}

/// Three bytes of HTML made 160 bytes of a record: 15 MB of it took 2 GB, and the next program refused the output.
#[test]
fn no_program_writes_a_longer_record_than_it_would_read() {
    const BYTES: usize = 2 << 20;
    let dir = Workdir::new();
    let item = |id: usize, html: &str| {
        let link = format!("https://a.example/{id}/");
        json!({"id": id, "type": "post", "link": link, "title": {}, "content": {"rendered": html}}).to_string()
    };
    let many = |html: &str| html.repeat(BYTES / html.len());
    // In the last two, no single element is large: the caption that many images share, and the text itself.
    let captions =
        many("<img src=/x.jpg>").split_off(BYTES - (1 << 20)) + "<figcaption>" + &"y".repeat(4000) + "</figcaption>";
    let elements = ["<a>", "<a href=/>x</a>", "<area>", "<img>", "<iframe></iframe>", "<embed>"].map(many);
    let bodies = elements.into_iter().chain([format!("<figure>{captions}</figure>"), many("word ")]);
    let items: Vec<String> =
        bodies.enumerate().flat_map(|(n, html)| [item(2 * n, &html), item(2 * n + 1, "x")]).collect();
    dir.write("dump", format!("[{}]", items.join(",")));
    let script = "wp-index --max-record 2500K --site s dump > items
        ulimit -v 180000; wp-parse -j 1 --max-record 2500K --rejects rejects --stats stats items > records";
    let run = dir.sh(script).expect(1);
    let ids: Vec<Value> = run_ids(&dir.read("records"));
    assert_eq!(ids, (0..8).map(|n| json!(2 * n + 1)).collect::<Vec<_>>());
    for n in 0..8 {
        let what = format!("items:{}: its record would be longer than --max-record allows (post {})", 2 * n + 1, 2 * n);
        assert!(run.stderr.contains(&what), "{}", run.stderr);
    }
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!([&stats["records_in"], &stats["records_out"], &stats["rejects"]], [&json!(16), &json!(8), &json!(8)]);
    let rejects = "jq -c .id rejects | sort -n | paste -sd ' '; wc -c < dump; wc -c < rejects";
    assert!(dir.sh(rejects).expect(0).stdout.starts_with("0 2 4 6 8 10 12 14\n"));
}

fn run_ids(records: &str) -> Vec<Value> {
    records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect()
}

/// Parts that other programs add can also be too large for a record: aliases and the scrape, a page's content, targets.
#[test]
fn what_a_program_adds_is_bounded_as_well() {
    let dir = Workdir::new();
    let long = "x".repeat(1000);
    let link = |id: usize| format!("https://a.example/{id}/{}/", if id == 1 { &long } else { "y" });
    let record = |id: usize, links: usize| {
        let links = vec![json!({"element": "a", "href": "/?p=1", "url": "https://a.example/?p=1"}); links];
        json!({"site": "a.example", "kind": "post", "type": "post", "id": id, "link": link(id), "links": links})
            .to_string()
    };
    dir.write("records", [record(1, 1), record(2, 2000), record(3, 1)].join("\n"));
    let run = dir.sh("wp-resolve --max-record 1M records").expect(1);
    assert_eq!(run_ids(&run.stdout), [json!(1), json!(3)]);
    assert!(
        run.stderr.contains("records:2: its record would be longer than --max-record allows (post 2)"),
        "{}",
        run.stderr
    );

    dir.write(
        "site/a.html",
        format!("<html><body><main><p>words</p>{}</main></body></html>", "<img src=x>".repeat(20_000)),
    );
    let page = |file: &str| {
        json!({"site": "a", "kind": "html", "type": "html", "id": null, "link": "https://a.example/",
               "content": null, "scrape": {"root": "site", "file": file}})
    };
    dir.write("site/b.html", "<html><body><main><p>words</p></main></body></html>");
    dir.write("pages", format!("{}\n{}\n", page("a.html"), page("b.html")));
    let run = dir.sh("wp-translations --max-record 1M pages").expect(1);
    assert_eq!(
        run.records().iter().map(|record| record["scrape"]["file"].clone()).collect::<Vec<_>>(),
        [json!("b.html")]
    );
    assert!(
        run.stderr.contains("pages:1: its record would be longer than --max-record allows (html without id)"),
        "{}",
        run.stderr
    );

    // The item itself is short enough, but not together with the keys of its line.
    let item = |length: usize| json!({"id": 1, "type": "post", "link": "https://a.example/1/", "title": {}, "content": {"rendered": "x".repeat(length)}});
    let fits = (1 << 20) - item(0).to_string().len();
    dir.write("dump", format!("[{}]", item(fits)));
    let run = dir.sh("wp-index --max-record 1M --stats stats dump").expect(1);
    assert!(
        run.stderr.contains("dump: its record would be longer than --max-record allows (post 1, item 1)"),
        "{}",
        run.stderr
    );
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!([&stats["items"], &stats["records_out"], &stats["rejects"]], [&json!(1), &json!(0), &json!(1)]);

    // Each line of a document repeats the marks of 500 quotes.
    let html = format!("{}{}", "<blockquote>".repeat(500), "<p>x".repeat(100_000));
    dir.write(
        "posts",
        json!({"site": "a", "kind": "post", "type": "post", "id": 1, "content": {"html": html}}).to_string(),
    );
    let script =
        "ulimit -v 250000; wp-export -j 1 --max-record 1M --format markdown --allow-empty --max-rejects 1 -d md posts";
    let run = dir.sh(script).expect(0);
    assert!(run.stderr.contains("its document would be longer than --max-record allows (post 1)"), "{}", run.stderr);
}

/// Each site was searched for among all others.
#[test]
fn sites_by_the_thousand_cost_linear_time() {
    const SITES: usize = 30_000;
    let dir = Workdir::new();
    let record = |n: usize| format!("{{\"site\":\"{n}.example\",\"kind\":\"post\",\"type\":\"post\",\"id\":1}}\n");
    dir.write("in", (0..SITES).map(record).collect::<String>());
    dir.program("wp-export", "-d data in", "").expect(0);
    let manifest: Value = serde_json::from_str(&dir.read("data/manifest.json")).unwrap();
    assert_eq!(manifest["sites"].as_array().unwrap().len(), SITES);
}

/// 1e400 is valid JSON, but programs cannot represent it.
#[test]
fn numbers_out_of_range_are_null_and_the_record_survives() {
    let dir = Workdir::new();
    let fields = ["author", "parent", "title", "slug", "featured_media", "categories", "meta", "own"];
    let fields = fields.map(|field| format!(r#""{field}":-1e400"#)).join(",");
    let item = format!(
        r#"{{"id":1,"type":"post","link":"https://a.example/x/",{fields},"tags":[1e400,7],"content":{{"rendered":"<p>x</p>"}}}}"#
    );
    dir.write("item", item);
    let run = dir.sh("wp-index item | wp-parse | wp-translations | wp-resolve | tee out").expect(0);
    let record = &run.records()[0];
    assert_eq!(
        (&record["author"], &record["tags"], &record["content"]["text"]),
        (&Value::Null, &json!([7]), &json!("x"))
    );
    let kept = dir.sh("wp-index item | wp-parse --keep own").expect(0);
    assert!(kept.stdout.ends_with("\"extra\":{\"own\":-1e400}}\n"), "{}", kept.stdout);
    // Such a number may be inserted between two stages.
    let line =
        dir.read("out").replace("\"author\":null", "\"author\":1e400").replace("\"parent\":null", "\"parent\":-1e999");
    assert!(line.contains("1e400"));
    dir.write("out", &line);
    let formats = ["jsonl", "csv", "text", "markdown", "tei", "tei:corpus", "pairs", "bitextor", "bitextor:warc2text"];
    for format in formats.into_iter().chain(["opus", "graph", "graphml", "wpextract"]) {
        let run =
            dir.sh(&format!("wp-export --allow-empty --format {format} -d data-{format} --stats stats out")).expect(0);
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!((&stats["rejects"], &stats["records_in"]), (&json!(0), &json!(1)), "{format} {}", run.stderr);
    }
}

/// The record of kind widget ended the run.
#[test]
fn two_kinds_of_one_type_have_a_file_each() {
    let dir = Workdir::new();
    let record =
        |kind: &str, r#type: &str, id: u32| format!("{{\"kind\":\"{kind}\",\"type\":\"{type}\",\"id\":{id}}}\n");
    let lines =
        [record("post", "book", 1), record("widget", "book", 2), record("post", "Book", 3), record("post", "book", 4)];
    dir.program("wp-export", "-d data", lines.concat()).expect(0);
    let manifest: Value = serde_json::from_str(&dir.read("data/manifest.json")).unwrap();
    let files = manifest["files"].as_array().unwrap().iter().filter(|file| file["records"] != 0);
    let files: Vec<_> = files.map(|file| (&file["kind"], &file["type"], &file["records"])).collect();
    let file = |kind: &str, r#type: &str, records: u32| (json!(kind), json!(r#type), json!(records));
    let want = [file("post", "book", 2), file("widget", "book", 1), file("post", "Book", 1)];
    assert_eq!(files, want.iter().map(|(kind, r#type, records)| (kind, r#type, records)).collect::<Vec<_>>());
}

/// Python's json, jq and others refuse to read them.
#[test]
fn values_nested_too_deep_become_null() {
    let dir = Workdir::new();
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let record = |key: &str, value: String| format!("{{\"kind\":\"post\",\"type\":\"post\",\"{key}\":{value}}}\n");
    let lines = [
        record("own", nested(100)),
        record("own", nested(101)),
        record("own", nested(100_000)),
        record("links", nested(100_000)),
        record("own", json!("[\"".repeat(500)).to_string()),
    ];
    let run = dir.program("wp-export", "-d data --stats stats", lines.concat()).expect(0);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!(stats["defects"]["type"], 3, "{}", run.stderr);
    assert!(run.stderr.contains("own is nested deeper than 100 levels; null takes its place"), "{}", run.stderr);
    let written: Vec<Value> =
        dir.read("data/posts.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(written[0]["own"].is_array() && written[1]["own"].is_null() && written[4]["own"].is_string());
}

#[test]
fn a_site_may_have_the_name_of_the_manifest() {
    for format in ["text", "markdown", "tei"] {
        let dir = Workdir::new();
        let record = json!({"site": "manifest.json", "kind": "post", "type": "post", "id": 1, "slug": "x", "content": {"text": "x"}});
        dir.program("wp-export", &format!("--format {format} -d data"), record.to_string() + "\n").expect(0);
        assert!(dir.path("data/%6Danifest.json").is_dir() && dir.path("data/manifest.json").is_file(), "{format}");
    }
}

#[test]
fn markup_in_the_name_of_a_site_is_text_in_the_card() {
    let dir = Workdir::new();
    let site = "x](javascript:y) <img src=x onerror=z>\n# y";
    let record = json!({"site": site, "kind": "post", "type": "post", "id": 1, "language": "<b>|`"});
    dir.program("wp-export", "-d data", record.to_string() + "\n").expect(0);
    let card = dir.read("data/README.md");
    let body = card.splitn(3, "---\n").nth(2).unwrap();
    assert!(body.contains("\n# x\\]\\(javascript:y\\) \\<img src\\=x onerror\\=z\\> \\# y\n"), "{body}");
    assert!(body.contains("| \\<b\\>\\|\\` | 1 |"), "{body}");
}

/// Such selectors overflowed the stack.
#[test]
fn selectors_nested_thousands_deep_are_an_error() {
    let dir = Workdir::new();
    let selector = ":not(".repeat(20_000) + "p" + &")".repeat(20_000);
    let run = dir.program("wp-translations", &format!("--content-selector {selector}"), "").expect(2);
    assert!(run.stderr.contains("it is nested deeper than 32 levels"), "{}", run.stderr);
    dir.write("own.toml", format!("[[switcher]]\nname = \"own\"\nroot = \"{selector}\"\nitem = \"li\"\n"));
    let run = dir.program("wp-translations", "--switchers own.toml", "").expect(2);
    assert!(run.stderr.contains("own.toml:3") && run.stderr.contains("nested deeper"), "{}", run.stderr);
}

/// Each record made the program read the file to its end.
#[test]
fn records_of_an_archive_that_claim_its_rest_cost_linear_time() {
    const RECORDS: usize = 10_000;
    let dir = Workdir::new();
    let record = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Length: 30000000\r\n\r\n";
    dir.write("a.warc", record.repeat(RECORDS));
    let run = dir.program("wp-index", "--site a --scrape a.warc --allow-empty --stats stats -q", "[]").expect(1);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!(stats["rejects"], RECORDS, "{}", run.stderr);
}

/// A site without ids on both sides: all pages have the same words or none, and their names have changed.
#[test]
fn pages_that_are_all_alike_are_compared_in_linear_time() {
    const PAGES: usize = 1500;
    let dir = Workdir::new();
    let side = |folder: &str, text: &str| {
        let page = |n: usize| {
            json!({"site": "a", "kind": "html", "type": "html", "id": null, "link": format!("https://a/{folder}/{n}/"),
                "title": {"text": "x"}, "content": {"html": text, "text": text}, "links": []})
        };
        (0..PAGES).map(|n| page(n).to_string() + "\n").collect::<String>()
    };
    for text in ["", "the same words on all of the pages of this site, again and again"] {
        dir.write("old", side("old", text)).write("new", side("new", text));
        let run = dir.program("wp-diff", "old new --stats stats", "").expect(0);
        assert!(run.records().len() <= 2 * PAGES, "{}", run.records().len());
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        let read = [&stats["rejects"], &stats["records_old"], &stats["records_in"]];
        assert_eq!(read, [&json!(0), &json!(PAGES), &json!(PAGES)], "{stats}");
    }
}

/// A text of thousands of equal paragraphs is compared with a text of as many, and with a text of none: the program must neither
/// build a table of all pairs nor guess forever.
#[test]
fn translations_that_repeat_one_sentence_are_aligned_in_bounded_time() {
    const BLOCKS: usize = 1_000;
    let dir = Workdir::new();
    for (one, other) in [(BLOCKS, BLOCKS), (BLOCKS, 1), (BLOCKS, 0)] {
        let post = |id: usize, language: &str, n: usize| {
            let names = json!({"en": 1, "fr": 2});
            json!({"id": id, "type": "post", "link": format!("https://a.example/{id}/"), "lang": language,
                "translations": names, "title": {"rendered": "x"}, "content": {"rendered": "<p>The same.</p>\n".repeat(n)}})
        };
        dir.write("in.json", json!([post(1, "en", one), post(2, "fr", other)]).to_string());
        let run = dir.sh("wp-index in.json | wp-parse | wp-resolve | wp-align --stats stats").expect(0);
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!((&stats["rejects"], &stats["records_in"]), (&json!(0), &json!(2)), "{stats}");
        assert_eq!(run.records().len(), usize::from(other > 0), "{stats}");
        assert!(run.stdout.len() < 300 * 2 * BLOCKS, "{}", run.stdout.len());
    }
}
