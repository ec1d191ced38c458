//! Tests wp-export with one file per document (text, markdown, tei), and the laws that apply to all three.

use crate::workdir::{Workdir, repository};
use serde_json::{Value, json};

const FORMATS: [(&str, &str); 3] = [("text", "txt"), ("markdown", "md"), ("tei", "xml")];

/// The example site, processed up to wp-resolve.
fn site() -> Workdir {
    let dir = Workdir::new();
    let site = repository("examples/site");
    let pipe = format!(
        "cp -r {} site; cd site; wp-index -q dump --scrape scrape --max-rejects 1 | wp-parse -q | wp-translations -q |
        wp-resolve -q -o ../in",
        site.display()
    );
    dir.sh(&pipe).expect(0);
    dir
}

fn manifest(dir: &Workdir, name: &str) -> Value {
    serde_json::from_str(&dir.read(&format!("{name}/manifest.json"))).unwrap()
}

#[test]
fn each_document_has_its_file_by_site_language_type_and_id() {
    let dir = site();
    for (format, ending) in FORMATS {
        dir.program("wp-export", &format!("--format {format} -d {format} in"), "").expect(0);
        let manifest = manifest(&dir, format);
        let names: Vec<_> = manifest["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
        assert!(names.is_sorted() && names.iter().all(|name| dir.path(&format!("{format}/{name}")).is_file()));
        for name in ["en-US/post-101", "fr-FR/post-102", "de-DE/post-103", "en-US/vessel-303", "en-US/page-41"] {
            assert!(names.contains(&format!("harbour.example/{name}.{ending}").as_str()), "{name} in {names:?}");
        }
        let html: Vec<_> = names.iter().filter(|name| name.contains("/html-")).collect();
        assert!(
            html.iter().all(|name| name.len() == format!("harbour.example/en-US/html-0123456789ab.{ending}").len())
        );
        assert_eq!(html.len(), 1);
        let sum =
            format!("cd {format}; jq -r '.files[] | .sha256 + \"  \" + .name' manifest.json | sha256sum -c --quiet");
        dir.sh(&sum).expect(0);
        let records: u64 = manifest["files"].as_array().unwrap().iter().map(|f| f["records"].as_u64().unwrap()).sum();
        let counted: u64 = manifest["records"].as_array().unwrap().iter().map(|r| r["records"].as_u64().unwrap()).sum();
        assert_eq!(records, counted, "{format}");
    }
}

#[test]
fn text_is_title_and_text() {
    let dir = Workdir::new();
    let lines = r#"{"site":"a","kind":"post","type":"post","id":1,"title":{"text":"T"},"content":{"text":"x\ny"}}
{"site":"a","kind":"post","type":"post","id":2,"title":{"text":""},"content":{"text":"x"}}
{"site":"a","kind":"post","type":"post","id":3,"title":{"text":"T"},"content":{"text":null}}
{"site":"a","kind":"post","type":"post","id":4}
"#;
    dir.program("wp-export", "--format text -d d --stats s", lines).expect(0);
    let read = |id: u32| dir.read(&format!("d/a/und/post-{id}.txt"));
    assert_eq!([read(1), read(2), read(3)], ["T\n\nx\ny\n", "x\n", "T\n"]);
    assert!(!dir.path("d/a/und/post-4.txt").exists());
    let stats: Value = serde_json::from_str(&dir.read("s")).unwrap();
    assert_eq!([&stats["empty"], &stats["left_out"], &stats["records_out"]], [&json!(1), &json!(1), &json!(3)]);
}

#[test]
fn metadata_of_texts_are_a_row_a_file() {
    let dir = site();
    dir.program("wp-export", "--format text -d d in", "").expect(0);
    let table = dir.read("d/metadata.tsv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let files: std::collections::BTreeSet<_> = rows[1..].iter().map(|row| row[0]).collect();
    let listed = manifest(&dir, "d")["files"].clone();
    assert_eq!(files, listed.as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect());
    let row = rows.iter().find(|row| row[4] == "101").unwrap();
    let columns = rows[0].iter().zip(row).map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    for value in ["language=en-US", "author=Ada Finch", "categories=Harbour life", "date=2023-09-08T07:30:00Z"] {
        assert!(columns.iter().any(|column| column == value), "{value} in {columns:?}");
    }
    let odd = r#"{"site":"METADATA.tsv","kind":"post","type":"post","id":1,"title":{"text":" a\tb\n\"c"},"categories":[3,4]}"#;
    dir.program("wp-export", "--format text -d odd", format!("{odd}\n")).expect(0);
    let table = dir.read("odd/metadata.tsv");
    let row = "%4DETADATA.tsv/und/post-1.txt\tMETADATA.tsv\t\tpost\t1\t\ta b \"c\t\t\t\t3; 4\t\t\tpost";
    assert_eq!(table.lines().nth(1), Some(row));
}

#[test]
fn flat_documents_have_the_keys_of_dolma_and_a_card() {
    let dir = site();
    let more = r#".scrape.time = "2024-01-02T03:04:05Z" | .duplicate_group = "post:x" | .copy_source = "notice"
        | .copy_of = {type: "post", id: 102, link: null}
        | .rights = [{kind: "licence", value: "CC-BY-4.0", url: null, place: "page", scope: "record"}]"#;
    dir.sh(&format!("jq -c 'if .id == 101 then {more} else . end' in > timed")).expect(0);
    dir.program("wp-export", "--format documents -d d timed", "").expect(0);
    let lines = dir.read("d/documents.jsonl");
    let found: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len() as u64, manifest(&dir, "d")["files"][0]["records"].as_u64().unwrap());
    dir.program("wp-export", "--format csv -d tables timed", "").expect(0);
    let tables = dir.read("tables/records.csv");
    assert!(found.iter().all(|document| tables.contains(document["id"].as_str().unwrap())));
    let storm = found.iter().find(|document| document["metadata"]["record_id"] == 101).unwrap();
    assert_eq!(
        [&storm["source"], &storm["added"], &storm["created"], &storm["metadata"]["categories"]],
        [
            &json!("harbour.example"),
            &json!("2024-01-02T03:04:05Z"),
            &json!("2023-09-08T07:30:00Z"),
            &json!(["Harbour life"])
        ]
    );
    assert_eq!(found.iter().filter(|document| !document["added"].is_null()).count(), 1);
    let told = ["licences", "copy_source", "duplicate_group"].map(|key| storm["metadata"][key].clone());
    assert_eq!(told, [json!(["CC-BY-4.0"]), json!("notice"), json!("post:x")]);
    assert_eq!(
        (&storm["metadata"]["rights"][0]["scope"], storm["metadata"]["copy_of"].is_string()),
        (&json!("record"), true)
    );
    let card = dir.read("d/README.md");
    assert!(card.contains("language:\n- \"de\"\n- \"en\"") && card.contains("| licence | CC-BY-4.0 | 1 |"), "{card}");
    let keys = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(found.iter().all(|document| keys(document) == keys(storm)));
    assert!(found.iter().all(|document| keys(&document["metadata"]) == keys(&storm["metadata"])));
    let stream = dir.program("wp-export", "--format documents timed", "").expect(0).stdout;
    assert_eq!(stream, lines);
    // The card belongs to the user who edits it.
    dir.sh("echo mine >> d/README.md; wp-export -q --format documents --compress gz -d d timed").expect(0);
    assert!(dir.read("d/README.md").ends_with("mine\n") && dir.path("d/README.new.md").is_file());
    assert!(dir.read("d/README.new.md").contains("data_files: \"documents.jsonl.gz\""));
    let run =
        dir.program("wp-export", "--format documents", "{\"type\":\"post\",\"id\":1,\"content\":{\"text\":\" \"}}\n");
    assert!(run.expect(1).stderr.contains("nothing in 1 records"));
}

#[test]
fn comments_follow_on_request() {
    let dir = site();
    dir.program("wp-export", "--format text:comments -d t in --stats s", "").expect(0);
    let storm = dir.read("t/harbour.example/en-US/post-101.txt");
    let at = |text: &str| storm.find(&format!("\n\n{text}")).unwrap_or_else(|| panic!("{text}: {storm}"));
    // The third comment answers the second, which answers the first.
    let said = ["My grandfather’s crane!", "Then you will like", "Found him. I answered"].map(at);
    assert!(said.is_sorted() && storm.ends_with("before I had read it.\n"), "{storm}");
    let manifest = manifest(&dir, "t");
    let comments =
        |list: &Value| list.as_array().unwrap().iter().find(|r| r["type"] == "comment").map(|r| r["records"].clone());
    assert_eq!((comments(&manifest["records"]), comments(&manifest["left_out"])), (Some(json!(6)), None));
    let stream = dir.program("wp-export", "--format vert:comments in", "").expect(0).stdout;
    assert_eq!(stream.matches("<p type=\"comment\">").count(), 6);
    let refused = dir.program("wp-export", "--format markdown:comments -d m in", "").expect(2);
    assert!(refused.stderr.contains("markdown has no variant comments; there are markdown:slug"), "{}", refused.stderr);
}

#[test]
fn vertical_text_nests_and_has_all_words() {
    let dir = site();
    dir.program("wp-export", "--format vert -d d in", "").expect(0);
    let files = dir.list("d");
    let want = ["de-DE", "en-US", "fr-FR"].map(|tag| [format!("{tag}.registry"), format!("{tag}.vert")]).concat();
    assert_eq!(files, [want, vec!["manifest.json".to_owned()]].concat());
    let text = dir.read("d/en-US.vert");
    let mut open = Vec::new();
    for line in text.lines() {
        match line.strip_prefix('<') {
            Some("g/>") => assert_eq!(open, ["doc", "p", "s"]),
            Some(tag) if tag.starts_with('/') => assert_eq!(open.pop(), Some(&tag[1..tag.len() - 1])),
            Some(tag) => open.push(tag.split([' ', '>']).next().unwrap()),
            None => {
                assert!(open == ["doc", "p", "s"] && !line.is_empty() && !line.contains(char::is_whitespace), "{line}")
            }
        }
    }
    assert!(open.is_empty());
    let registry = dir.read("d/en-US.registry");
    let attributes = text.lines().next().unwrap().matches("=\"").count();
    assert_eq!(
        registry.split("STRUCTURE doc").nth(1).unwrap().split("\n}").next().unwrap().matches("ATTRIBUTE").count(),
        attributes
    );
    let odd = r#"{"site":"a\"<","kind":"post","type":"post","id":1,"language":"EN","title":{"text":"A&B"},"content":{"text":"\u200b\n<doc>"}}
{"site":"b","kind":"post","type":"post","id":2,"language":"en","title":{"text":null},"content":{"text":"x"},"categories":[3,4]}
{"site":"b","kind":"post","type":"post","id":3,"content":{"text":" \u200b"}}
"#;
    let stream = dir.program("wp-export", "--format vert --stats s", odd).expect(0).stdout;
    assert!(
        stream.contains(
            "<p type=\"title\">\n<s>\nA\n<g/>\n&amp;\n<g/>\nB\n</s>\n</p>\n<p type=\"text\">\n<s>\n&lt;\n<g/>\ndoc\n"
        ),
        "{stream}"
    );
    assert!(stream.contains("site=\"a&quot;&lt;\"") && stream.contains("categories=\"3|4\""), "{stream}");
    assert_eq!(stream.matches("<doc ").count(), 2);
    dir.program("wp-export", "--format vert -d e", odd).expect(0);
    assert_eq!(
        dir.list("e"),
        ["EN.registry", "EN.vert", "manifest.json"],
        "languages that differ in case share a file"
    );
    let french = r#"{"type":"post","id":1,"language":"fr-FR","content":{"text":"M. Dubois lit l’article : http://a.example/?A=B!C."}}"#;
    let stream = dir.program("wp-export", "--format vert", french).expect(0).stdout;
    let end = "lit\nl’\n<g/>\narticle\n:\nhttp://a.example/?A=B!C\n<g/>\n.\n</s>\n</p>\n</doc>\n";
    assert!(stream.ends_with(end) && stream.matches("<s>").count() == 1, "{stream}");
}

#[test]
fn markdown_has_a_front_matter_and_keeps_the_structure() {
    let dir = site();
    dir.program("wp-export", "--format markdown -d d in", "").expect(0);
    let text = dir.read("d/harbour.example/en-US/post-101.md");
    let (front, body) = text.strip_prefix("---\n").unwrap().split_once("---\n\n").unwrap();
    for line in [
        "title: \"The night the storm took the north pier\"",
        "id: 101",
        "language: \"en-US\"",
        "date: \"2023-09-08T07:30:00Z\"",
        "author: \"Ada Finch\"",
        "categories: [\"Harbour life\"]",
        "    file: \"harbour.example/fr-FR/post-102.md\"",
    ] {
        assert!(front.lines().any(|l| l == line), "{line} in {front}");
    }
    for part in ["\n## What was lost\n\n", "\n- forty", "\n> Wind N.W.", "![Broken stones", "[Margaret Ann](https:"] {
        assert!(body.contains(part), "{part} in {body}");
    }
}

#[test]
fn tei_names_translations_and_nests_comments() {
    let dir = site();
    dir.program("wp-export", "--format tei -d d in", "").expect(0);
    let text = dir.read("d/harbour.example/en-US/post-101.xml");
    for part in [
        "xml:id=\"post-101.harbour.example\" xml:lang=\"en-US\" corresp=\"../fr-FR/post-102.xml ../de-DE/post-103.xml\"",
        "<author>Ada Finch</author>",
        "<keywords scheme=\"tag\"><term>storm</term></keywords>",
        "<div type=\"comments\">\n<div type=\"comment\" n=\"1\">\n<byline><name>Tom Ansell</name>",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The second comment is a reply to the first, and is nested in it.
    let (_, after) = text.split_once("n=\"1\"").unwrap();
    assert!(!after.split_once("n=\"2\"").unwrap().0.contains("</div>"));
    dir.program("wp-export", "--format tei --without users,comments -d d in", "").expect(0);
    let text = dir.read("d/harbour.example/en-US/post-101.xml");
    assert!(!text.contains("<author>") && !text.contains("comments"), "{text}");
}

#[test]
fn one_corpus_goes_to_a_stream_or_a_folder_and_refers_within_itself() {
    let dir = site();
    let stream = dir.program("wp-export", "--format tei:corpus in", "").expect(0).stdout;
    dir.program("wp-export", "--format tei:corpus -o out.xml in", "").expect(0);
    dir.program("wp-export", "--format tei:corpus -d d in", "").expect(0);
    assert!(dir.read("out.xml") == stream && dir.read("d/corpus.xml") == stream);
    assert!(stream.contains("corresp=\"#post-102.harbour.example #post-103.harbour.example\""));
    assert_eq!(stream.matches("<TEI ").count(), 29);
    let count = |name: &str| manifest(&dir, "d")[name].clone();
    assert_eq!(count("files")[0]["records"], 35);
    let run = dir.program("wp-export", "--format tei:corpus --allow-empty", "").expect(0);
    assert!(run.stderr.contains("no documents") && run.stdout.ends_with("</teiCorpus>\n"));
}

#[test]
fn an_id_with_several_links_has_their_hashes_in_the_names_and_no_document_is_lost() {
    let dir = Workdir::new();
    let post = |id: &str, link: &str, language: &str| {
        format!(
            "{{\"site\":\"a\",\"kind\":\"post\",\"type\":\"post\",\"id\":{id},\"link\":\"http://a/{link}\",\"language\":\"{language}\",\"title\":{{\"text\":\"{link}\"}}}}\n"
        )
    };
    let lines = [
        post("1", "x", "en"),
        post("1", "y", "fr"),
        post("2", "z", "en"),
        post("1", "x", "en"),
        post("null", "w", "con"),
    ];
    let run = dir.program("wp-export", "--format text -d d --stats s --max-rejects 1", lines.concat()).expect(0);
    assert_eq!(run.stderr, "wp-export: -:4: a record of the same site, type, id and link came before\n");
    let names: Vec<_> =
        manifest(&dir, "d")["files"].as_array().unwrap().iter().map(|f| f["name"].to_string()).collect();
    assert_eq!(names.len(), 4);
    assert!(names[0].starts_with("\"a/%63on/post-"), "{names:?}");
    assert!(
        names[1].starts_with("\"a/en/post-1-")
            && names[2] == "\"a/en/post-2.txt\""
            && names[3].starts_with("\"a/fr/post-1-"),
        "{names:?}"
    );
    let run = dir.program("wp-export", "--format text -d d", "{\"kind\":\"html\",\"type\":\"html\"}\n").expect(1);
    assert!(run.stderr.contains("neither id nor link"), "{}", run.stderr);
}

#[test]
fn the_same_bytes_with_any_number_of_threads_from_a_file_or_a_pipe() {
    let dir = site();
    // More than one batch, so that ordering matters.
    dir.sh("for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sed \"s/\\\"site\\\":\\\"harbour.example\\\"/\\\"site\\\":\\\"s$n\\\"/\" in; done > many")
        .expect(0);
    for (format, _) in FORMATS.into_iter().chain([("tei:corpus", ""), ("documents", ""), ("vert", "")]) {
        dir.program("wp-export", &format!("--format {format} -d one -j 1 many"), "").expect(0);
        dir.sh(&format!("cat many | wp-export --format {format} -d eight -j 8")).expect(0);
        dir.sh("diff -r one eight").expect(0);
    }
}

#[test]
fn a_second_run_replaces_the_first_and_one_that_fails_leaves_it() {
    let dir = site();
    for (format, ending) in FORMATS {
        dir.program("wp-export", &format!("--format {format} -d d in"), "").expect(0);
        let run = dir.sh(&format!("jq -c 'select(.id == 101)' in | wp-export --format {format} -d d")).expect(0);
        let warning = "only ids are known of the authors of 1 documents and of terms of 1";
        assert!(run.stderr.contains(warning) && run.stderr.lines().count() == 1, "{}", run.stderr);
        let list = dir.sh("cd d; find . -type f | sort").stdout;
        let table = if format == "text" { "./metadata.tsv\n" } else { "" };
        assert_eq!(list, format!("./harbour.example/en-US/post-101.{ending}\n./manifest.json\n{table}"));
        dir.write("d/harbour.example/en-US/mine", "");
        dir.sh(&format!("(cat in; echo x) | wp-export --format {format} --strict -d d")).expect(1);
        dir.sh("rm d/harbour.example/en-US/mine").expect(0);
        assert_eq!(dir.sh("cd d; find . -type f | sort").stdout, list);
        dir.sh("rm -r d").expect(0);
    }
}

/// The first pass, which looks for repeated records, takes the last value of a repeated key, as the second does.
#[test]
fn a_record_that_repeats_a_key_is_seen_in_both_passes() {
    let dir = Workdir::new();
    let line = r#"{"site":"a.example","kind":"post","type":"post","id":1,"id":2,"link":"http://a.example/x/","source":null,"content":{"text":"a"}}"#;
    let run = dir.program("wp-export", "--format documents", format!("{line}\n{line}\n")).expect(1);
    assert_eq!(run.records().len(), 1);
    assert!(run.stderr.contains("-:2: a record of the same site, type, id and link came before"), "{}", run.stderr);
}

#[test]
fn formats_of_files_need_a_folder() {
    let dir = Workdir::new();
    for (format, _) in FORMATS {
        let run = dir.program("wp-export", &format!("--format {format}"), "").expect(2);
        assert!(run.stderr.contains("name a folder with -d DIR"), "{}", run.stderr);
        dir.program("wp-export", &format!("--format {format} -d d --compress gz"), "").expect(2);
    }
}

#[test]
fn odd_records_make_whole_files() {
    let dir = Workdir::new();
    let line = r#"{"site":"../é","kind":"post","type":"9/x","id":1,"link":"x y","language":"e\"n","title":{"text":"\u0001<\ud800&"},"date_gmt":"\u0002\"","content":{"html":"<p>a\u0000\u000b\ud83d b</p>\ufffe"},"translations":[{"href":"a b"}],"categories":[7]}"#;
    for (format, ending) in FORMATS {
        dir.program("wp-export", &format!("--format {format} -d d"), format!("{line}\n")).expect(0);
        let name =
            manifest(&dir, "d")["files"].as_array().unwrap().first().map(|f| f["name"].as_str().unwrap().to_owned());
        let Some(name) = name else { continue };
        assert_eq!(name, format!("%2E.%2F%C3%A9/e%22n/9%2Fx-1.{ending}"));
        let text = dir.read(&format!("d/{name}"));
        if format == "tei" {
            assert!(
                text.contains("<title>\u{fffd}&lt;\u{fffd}&amp;</title>") && text.contains("<p>a \u{fffd} b</p>"),
                "{text}"
            );
            assert!(text.contains("xml:id=\"_39_2Fx-1.") || text.contains("xml:id=\"_39_252Fx-1."), "{text}");
            assert!(text.contains("corresp=\"a%20b\""), "{text}");
        }
    }
}
