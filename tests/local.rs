//! Tests wp-export with `--links files`: documents whose links lead to each other, and file names made from slugs.

use crate::workdir::{Workdir, repository};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The example site, processed up to wp-resolve.
fn site() -> Workdir {
    let dir = Workdir::new();
    let site = repository("examples/site");
    let pipe = format!(
        "cd {} && wp-index -q dump --scrape scrape --max-rejects 1 | wp-parse -q | wp-translations -q | wp-resolve -q",
        site.display()
    );
    let records = dir.sh(&pipe).expect(0).stdout;
    dir.write("in", records);
    dir
}

/// The references in a file: in the round brackets of Markdown's links, in TEI's targets and URLs.
fn references(text: &str, ending: &str) -> Vec<String> {
    let starts: &[(&str, char)] = if ending == "md" { &[("](", ')')] } else { &[("target=\"", '"'), (" url=\"", '"')] };
    let mut found = Vec::new();
    for (start, end) in starts {
        let parts = text.split(start).skip(1);
        found.extend(parts.map(|part| part.split(*end).next().unwrap().trim_matches(['<', '>']).to_owned()));
    }
    found
}

fn decoded(reference: &str) -> String {
    percent_decode(reference.split('#').next().unwrap())
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).unwrap()
}

/// The rows of a dataset's metadata.tsv: file by kind, type, id and link.
fn rows(dir: &Workdir, dataset: &str) -> BTreeMap<String, String> {
    let table = dir.read(&format!("{dataset}/metadata.tsv"));
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| (format!("{} {} {}", row[3], row[4], row[5]), row[0].to_owned())).collect()
}

fn name(record: &Value) -> String {
    let id = record["id"].as_i64().map(|id| id.to_string()).unwrap_or_default();
    format!("{} {id} {}", record["type"].as_str().unwrap_or_default(), record["link"].as_str().unwrap_or_default())
}

/// A link checker for all documents: every relative link leads to a file, and every link to a document is relative.
#[test]
fn links_to_documents_lead_to_their_files_and_none_is_broken() {
    let dir = site();
    for (format, ending) in [("markdown", "md"), ("markdown:slug", "md"), ("tei:slug", "xml")] {
        let out = format.replace(':', "-");
        let args = format!("--format {format} --links files -d {out} in");
        dir.program("wp-export", &args, "").expect(0);
        let files = rows(&dir, &out);
        let (mut relative, mut wanted) = (0, 0);
        for line in dir.read("in").lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let Some(file) = files.get(&name(&record)) else { continue };
            let text = dir.read(&format!("{out}/{file}"));
            let found = references(&text, ending);
            let folder = dir.path(&format!("{out}/{file}")).parent().unwrap().to_owned();
            let mut led = BTreeSet::new();
            for reference in found.iter().filter(|found| !found.contains(':') && !found.starts_with('#')) {
                let path = folder.join(decoded(reference));
                assert!(path.is_file(), "{file}: {reference}");
                led.insert(path.canonicalize().unwrap());
                relative += 1;
            }
            for link in record["links"].as_array().unwrap() {
                let Some(target) = files.get(&name(&link["target"])) else { continue };
                let (url, path) = (link["url"].as_str().unwrap(), dir.path(&format!("{out}/{target}")));
                // A link without words is not in the document.
                if link["text"].as_str().is_some_and(|text| !text.trim().is_empty()) && link["element"] == "a" {
                    assert!(led.contains(&path.canonicalize().unwrap()), "{file}: {url} should lead to {target}");
                    wanted += 1;
                }
                assert!(!found.iter().any(|found| found == url), "{file}: {url}");
            }
        }
        assert!(relative > 60 && wanted > 60, "{out}: {relative} {wanted}");
    }
}

#[test]
fn front_matter_says_what_a_local_site_needs_and_only_then() {
    let dir = site();
    dir.program("wp-export", "--format markdown -d plain in", "").expect(0);
    dir.program("wp-export", "--format markdown:slug --links files -d local in", "").expect(0);
    let keys = |text: &str| {
        let matter = text.split("---\n").nth(1).unwrap().to_owned();
        let keys = matter.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_once(':'));
        keys.map(|(key, value)| (key.to_owned(), value.trim().to_owned())).collect::<Vec<_>>()
    };
    let plain = keys(&dir.read("plain/harbour.example/en-US/page-44.md"));
    let local = keys(&dir.read("local/harbour.example/en-US/visit.md"));
    assert!(!dir.path("plain/metadata.tsv").exists());
    let more: Vec<_> = local[plain.len()..].iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(more, ["slug", "excerpt", "featured_image", "parent", "menu_order", "redirect_from"]);
    let value = |key: &str| &local.iter().find(|(own, _)| own == key).unwrap().1;
    assert_eq!((value("slug").as_str(), value("parent").as_str()), ("\"visit\"", "\"about.md\""));
    assert!(value("redirect_from").starts_with("[\"/about/visit/\""), "{local:?}");
    let text = dir.read("local/harbour.example/en-US/visit.md");
    assert!(text.contains("    file: \"../fr-FR/visite.md\"\n"), "{text}");
}

/// Images of available uploads: the URL as written, the file of the record; never a path outside of their folder.
#[test]
fn images_lead_to_uploads_that_are_at_hand() {
    let dir = Workdir::new();
    let image = |src: &str, url: &str| format!("<p>Words.</p><img alt=i src=\"{src}\"><a href=\"{url}\">file</a>");
    let post = |id: u32, html: &str| {
        serde_json::json!({"id": id, "type": "post", "link": format!("https://a.example/p{id}/"), "slug": format!("p{id}"),
            "status": "publish", "featured_media": 7, "title": {"rendered": "T"}, "content": {"rendered": html}})
        .to_string()
            + "\n"
    };
    let media = r#"{"id":7,"type":"attachment","link":"https://a.example/i/","slug":"i","media_type":"image","mime_type":"image/png","source_url":"https://a.example/wp-content/uploads/i.png","media_details":{"sizes":{"m":{"source_url":"https://a.example/wp-content/uploads/i-300x200.png","width":300,"height":200,"file":"i-300x200.png"}}}}"#;
    let dump =
        post(1, &image("https://a.example/wp-content/uploads/i-300x200.png", "/wp-content/uploads/%C3%A9.pdf?v=1"))
            + &post(2, &image("/wp-content/uploads/../../../secret", "https://a.example/wp-content/uploads/none.pdf"))
            + media
            + "\n";
    dir.write("dump.json", dump).write("secret", "no");
    dir.write("up/a.example/wp-content/uploads/i.png", "image").write("up/a.example/wp-content/uploads/é.pdf", "file");
    dir.sh("wp-index -q dump.json | wp-parse -q | wp-translations -q | wp-resolve -q -o in").expect(0);
    dir.program("wp-export", "--format markdown --links files:up -d out/md in", "").expect(0);
    let first = dir.read("out/md/a.example/und/post-1.md");
    let way = "../../../../up/a.example/wp-content/uploads";
    // The file in this size is missing, but the original is there.
    assert!(first.contains(&format!("![i]({way}/i.png)")), "{first}");
    assert!(first.contains(&format!("[file]({way}/%C3%A9.pdf)")), "{first}");
    assert!(first.contains(&format!("featured_image: \"{way}/i.png\"")), "{first}");
    for reference in references(&first, "md") {
        assert!(dir.path("out/md/a.example/und").join(decoded(&reference)).is_file(), "{reference}");
    }
    let second = dir.read("out/md/a.example/und/post-2.md");
    assert!(second.contains("(https://a.example/secret)") && second.contains("/none.pdf)"), "{second}");
}

#[test]
fn slugs_that_clash_have_ids_as_well() {
    let dir = Workdir::new();
    let post = |id: u32, r#type: &str, slug: &str, lang: &str| {
        serde_json::json!({"id": id, "type": r#type, "link": format!("https://a.example/{type}/{id}/"), "slug": slug, "lang": lang,
            "status": "publish", "title": {"rendered": "T"}, "content": {"rendered": "<p>x</p>"}})
        .to_string()
            + "\n"
    };
    let long = "é".repeat(200);
    let dump = [
        post(1, "post", "same", "en"),
        post(2, "page", "Same", "en"),
        post(3, "post", "same", "fr"),
        post(4, "page", "index", "en"),
        post(5, "post", "%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82", "ru"),
        post(6, "post", "..", "en"),
        post(7, "post", &long, "en"),
    ];
    dir.write("dump.json", dump.concat());
    dir.sh("wp-index -q dump.json | wp-parse -q | wp-translations -q | wp-resolve -q -o in").expect(0);
    dir.program("wp-export", "--format text:slug -d out in", "").expect(0);
    let files: Vec<String> = rows(&dir, "out").into_values().collect();
    for file in ["en/same-post-1", "en/Same-page-2", "fr/same", "en/index-page-4", "ru/привет", "en/post-6"] {
        assert!(files.contains(&format!("a.example/{file}.txt")), "{file} in {files:?}");
    }
    assert!(files.iter().all(|file| file.rsplit('/').next().unwrap().len() <= 255));
    assert_eq!(files.iter().map(|file| file.to_lowercase()).collect::<BTreeSet<_>>().len(), 7);
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let dir = Workdir::new();
    dir.write("in", "");
    for (args, says) in [
        ("--format csv --links files -d out in", "--links files"),
        ("--format text --links files -d out in", "markdown, tei"),
        ("--format jsonl:slug -d out in", "jsonl has no variant slug"),
        ("--format markdown --links . -d out in", "urls, files, or files:DIR"),
        ("--format markdown --links files:none -d out in", "none: no such file or directory"),
    ] {
        let run = dir.program("wp-export", args, "").expect(2);
        assert!(run.stderr.contains(says), "{args}: {}", run.stderr);
    }
}
