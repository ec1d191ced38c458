//! Tests web archives as scrape and as dump: they give the same records as directories, in every form that archives have.

use crate::index::{SITE, canonical, page, post};
use crate::workdir::{Run, Workdir};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// A record: its type, its URL, further headers, its block.
pub fn record(kind: &str, url: &str, headers: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let head =
        format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// The response for a URL, as a server sends it.
pub fn response(url: &str, time: &str, head: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let head = if head.is_empty() { "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8" } else { head };
    let block = [head.as_bytes(), b"\r\n\r\n", body.as_ref()].concat();
    let body = String::from_utf8_lossy(body.as_ref()).into_owned();
    let digest = body.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let headers =
        format!("WARC-Date: {time}\r\nWARC-Payload-Digest: sha1:{digest:X}\r\nWARC-Record-ID: <urn:x:{digest}>\r\n");
    record("response", url, &headers, &block)
}

pub const TIME: &str = "2026-01-02T03:04:05Z";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn wacz(name: &str, bytes: &[u8], is_stored: bool) -> Vec<u8> {
    wacz_of(&[(name, bytes)], is_stored)
}

fn wacz_of(files: &[(&str, &[u8])], is_stored: bool) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let method = if is_stored { zip::CompressionMethod::Stored } else { zip::CompressionMethod::Deflated };
    for (name, bytes) in [&[("datapackage.json", &b"{}"[..])], files].concat() {
        zip.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A site: posts, and pages by their paths.
fn dump(run: &Workdir) {
    let posts: Vec<Value> = [(1, "/a/"), (2, "/b/"), (3, "/c/")].iter().map(|&(id, path)| post(id, path)).collect();
    run.write("dump.json", serde_json::to_string(&posts).unwrap());
}

fn site() -> Vec<(&'static str, String)> {
    let text = |n: u32| {
        format!(
            "<article class=post><div class=entry-content><p>Text {n} of the page, <a href='../a/'>a</a>.</p></div></article>"
        )
    };
    let own = |path: &str, class: &str, n: u32| {
        page(&canonical(&format!("{SITE}{path}")), class).replace("</body>", &format!("{}</body>", text(n)))
    };
    vec![
        ("/b/", own("/b/", "single single-post postid-2", 2)),
        ("/a/", own("/a/", "single single-post postid-1", 1)),
        ("/zero/?x=1", own("/zero/?x=1", "page page-id-9", 9)),
        ("/old/", own("/old/", "page page-id-8", 8)),
    ]
}

fn members() -> Vec<Vec<u8>> {
    let mut members = vec![record("warcinfo", "", "", b"software: a test\r\n")];
    for (path, page) in site() {
        members.push(record("request", &format!("{SITE}{path}"), "", b"GET / HTTP/1.1\r\n\r\n"));
        members.push(response(&format!("{SITE}{path}"), TIME, "", page));
    }
    members.push(response(
        &format!("{SITE}/pixel.png"),
        TIME,
        "HTTP/1.1 200 OK\r\nContent-Type: image/png",
        b"\x89PNG",
    ));
    members.push(response(&format!("{SITE}/gone/"), TIME, "HTTP/1.1 404 Not Found", "<html>"));
    members
}

/// All records after wp-resolve.
fn pipe(run: &Workdir, flags: &str) -> Run {
    run.sh(&format!("set -o pipefail; wp-index -q {flags} | wp-parse -q | wp-translations -q | wp-resolve -q"))
}

/// The records without the place of their pages.
fn without_scrape(run: Run) -> Vec<Value> {
    let mut records = run.expect(0).records();
    records.iter_mut().for_each(|record| record["scrape"] = Value::Null);
    records
}

#[test]
fn an_archive_in_any_form_gives_the_records_of_the_directory() {
    let run = Workdir::new();
    dump(&run);
    for (path, page) in site() {
        let file =
            path.strip_suffix('/').map_or(path.replace("/?", "/index.html?"), |path| format!("{path}/index.html"));
        run.write(&format!("site/a.example{file}"), page);
    }
    let plain = members();
    let gz: Vec<u8> = plain.iter().flat_map(|member| gzip(member)).collect();
    let zst: Vec<u8> = plain.iter().flat_map(|member| zstd::encode_all(&member[..], 1).unwrap()).collect();
    run.write("x.warc", plain.concat());
    run.write("whole.warc.gz", gzip(&plain.concat()));
    run.write("x.warc.zst", zst);
    run.write("below/stored.wacz", wacz("archive/x.warc.gz", &gz, true));
    run.write("x.wacz", wacz("archive/x.warc", &plain.concat(), false));
    run.write("x.warc.gz", gz);
    let want = without_scrape(pipe(&run, "dump.json --scrape site"));
    assert_eq!(want.len(), 5, "three posts, two pages without a record");
    assert_eq!(want[0]["content"]["text"], "Text 1 of the page, a.");
    assert_eq!(want[4]["content"]["text"], "Text 9 of the page, a.");
    for scrape in ["x.warc", "x.warc.gz", "whole.warc.gz", "x.warc.zst", "below", "below/stored.wacz", "x.wacz"] {
        let found = pipe(&run, &format!("dump.json --scrape {scrape}"));
        let scraped = found.records()[4]["scrape"].clone();
        assert_eq!(scraped["time"], TIME, "{scrape}");
        assert!(scraped["digest"].as_str().unwrap().starts_with("sha1:"), "{scrape}");
        assert!(scraped["record"].as_str().unwrap().starts_with("<urn:x:"), "{scrape}");
        assert_eq!(scraped["status"], 200, "{scrape}");
        assert_eq!(without_scrape(found), want, "{scrape}");
    }
    let stats = run.sh("wp-index -q dump.json --scrape x.warc.gz --stats stats -o out").expect(0);
    drop(stats);
    let stats: Value = serde_json::from_str(&run.read("stats")).unwrap();
    let counts = ["captures", "captures_not_ok", "records_skipped", "not_html", "pages", "joined"]
        .map(|name| stats[name].as_u64());
    assert_eq!(counts, [6, 1, 5, 1, 4, 2].map(Some));
    // wp-translations reads the single record, wherever the archive is now.
    run.sh("mkdir elsewhere && mv x.warc.gz elsewhere/").expect(0);
    let moved = run
        .sh("wp-parse -q out | wp-translations --scrape-root elsewhere | jq -r 'select(.scrape.file) | .content.text'");
    assert!(moved.stdout.contains("Text 9"), "{}", moved.stderr);
}

#[test]
fn of_several_captures_the_newest_is_taken_unless_all_are_wanted() {
    let run = Workdir::new();
    let capture = |time: &str, text: &str| {
        let body = page("", "page page-id-4").replace("</body>", &format!("<main><p>{text}</p></main></body>"));
        gzip(&response(&format!("{SITE}/x/"), time, "", body))
    };
    let newer = [capture("2026-01-02T00:00:00Z", "second"), capture("2025-01-02T00:00:00.5Z", "first")].concat();
    run.write("x/1.warc.gz", newer).write("x/2.warc.gz", capture("2026-01-02T00:00:00.5Z", "third"));
    let texts = |flags: &str| -> Vec<String> {
        let found = pipe(&run, &format!("--no-dump --scrape x {flags}")).expect(0).records();
        found
            .iter()
            .map(|r| format!("{} {}", r["scrape"]["time"].as_str().unwrap(), r["content"]["text"].as_str().unwrap()))
            .collect()
    };
    assert_eq!(texts(""), ["2026-01-02T00:00:00.5Z third"]);
    let all = texts("--captures all --stats stats");
    assert_eq!(all.len(), 3, "{all:?}");
    let log = run
        .sh("wp-index --no-dump --scrape x --page-log log --stats stats >/dev/null; jq -r '.fate + \" \" + .why' log")
        .stdout;
    assert_eq!(log.lines().filter(|line| *line == "left_out older_capture").count(), 2, "{log}");
    assert!(run.read("stats").contains("\"left_out_older\":2"));
    // If there is a dump, older captures show whose captures they are.
    run.write("dump.json", serde_json::to_string(&[post(4, "/x/")]).unwrap());
    let found = run.sh("wp-index dump.json --scrape x --captures all | jq -c '[.scrape.time, .kind, .id, .api.same]'");
    let same = r#"{"type":"post","id":4}"#;
    let want = [
        r#"["2026-01-02T00:00:00.5Z","post",4,null]"#.to_owned(),
        format!(r#"["2026-01-02T00:00:00Z","html",null,{same}]"#),
        format!(r#"["2025-01-02T00:00:00.5Z","html",null,{same}]"#),
    ];
    assert_eq!(found.stdout.lines().collect::<Vec<_>>(), want);
}

#[test]
fn redirects_and_revisits_lead_to_the_page() {
    let run = Workdir::new();
    dump(&run);
    let body = page(&canonical(&format!("{SITE}/a/")), "single postid-1");
    let digest = "WARC-Payload-Digest: sha1:X\r\n";
    let block = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", body.as_bytes()].concat();
    let moved = b"HTTP/1.1 301 Moved\r\nLocation: /a/\r\n\r\n";
    let revisit = |url: &str, digest: &str, time: &str| {
        record("revisit", url, &format!("WARC-Date: {time}\r\n{digest}"), b"HTTP/1.1 200 OK\r\n\r\n")
    };
    // The body of these is in no other record: only the head shows what they were.
    let head = |path: &str, head: &str| record("revisit", &format!("{SITE}{path}"), digest, head.as_bytes());
    let members = [
        head("/before/", "HTTP/1.1 302 Found\r\nLocation: /a/\r\n\r\n"),
        head("/style.css", "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n"),
        head("/none/", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n"),
        revisit("https://a.example/lost/", "WARC-Payload-Digest: sha1:Y\r\n", TIME),
        record("response", "https://a.example/former/", "", moved),
        record("response", "<https://a.example/a/>", &format!("WARC-Date: 2025-01-01T00:00:00Z\r\n{digest}"), &block),
        revisit("https://a.example/a/", &format!("{digest}WARC-Record-ID: <urn:x:2>\r\n"), TIME),
    ];
    run.write("x.warc.gz", members.iter().flat_map(|member| gzip(member)).collect::<Vec<u8>>());
    let found = run.sh("wp-index dump.json --scrape x.warc.gz --stats stats").expect(0).records();
    assert_eq!(
        (&found[0]["aliases"], &found[0]["scrape"]["time"]),
        (&json!(["https://a.example/before/", "https://a.example/former/"]), &json!(TIME))
    );
    // The record with the latest capture counts, though its body is in another.
    assert_eq!((&found[0]["scrape"]["record"], &found[0]["scrape"]["status"]), (&json!("<urn:x:2>"), &json!(200)));
    let stats: Value = serde_json::from_str(&run.read("stats")).unwrap();
    let counts = ["captures_revisits", "captures_revisits_unresolved", "captures_not_ok", "not_html"];
    assert_eq!(counts.map(|name| stats[name].as_u64().unwrap()), [5, 1, 1, 1]);
}

/// An archive of files, as by wget --input-metalink or warcit, has no HTTP responses; a server that found the page unchanged
/// answered 304.
#[test]
fn a_status_is_what_the_archive_states() {
    let run = Workdir::new();
    let body = |path: &str, id: u8| page(&canonical(&format!("{SITE}{path}")), &format!("single postid-{id}"));
    let old = "WARC-Payload-Digest: sha1:X\r\n";
    let members = [
        record(
            "resource",
            &format!("{SITE}/a/"),
            "Content-Type: text/html\r\nWARC-Record-ID: <urn:x:1>\r\n",
            body("/a/", 1).as_bytes(),
        ),
        record("response", &format!("{SITE}/b/"), old, format!("HTTP/1.1 200 OK\r\n\r\n{}", body("/b/", 2)).as_bytes()),
        record(
            "revisit",
            &format!("{SITE}/b/"),
            &format!("WARC-Date: {TIME}\r\n{old}"),
            b"HTTP/1.1 304 Not Modified\r\n\r\n",
        ),
    ];
    dump(&run);
    run.write("x.warc", members.concat());
    let found = run.sh("wp-index dump.json --scrape x.warc | wp-parse").expect(0).records();
    let said = |at: usize| (found[at]["scrape"]["record"].clone(), found[at]["scrape"]["status"].clone());
    assert_eq!(
        [said(0), said(1), said(2)],
        [(json!("<urn:x:1>"), json!(null)), (json!(null), json!(304)), (json!(null), json!(null))]
    );
}

#[test]
fn the_answers_in_an_archive_are_a_dump() {
    let run = Workdir::new();
    let json = "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8";
    let api = |query: &str| format!("{SITE}/wp-json/wp/v2/posts{query}");
    let items = |ids: &[i64]| {
        serde_json::to_string(&ids.iter().map(|id| post(*id, &format!("/{id}/"))).collect::<Vec<_>>()).unwrap()
    };
    let chunked = format!("{json}\r\nTransfer-Encoding: chunked");
    let second = items(&[3]);
    let members = [
        response(&api("?page=1"), "2025-01-01T00:00:00Z", json, items(&[1, 9])),
        response(&api("?_fields=id,type"), TIME, json, r#"[{"id":1,"type":"post"}]"#),
        response(
            &api("?page=3"),
            TIME,
            &json.replace("200 OK", "400 Bad Request"),
            r#"{"code":"rest_post_invalid_page_number"}"#,
        ),
        response(&api("?page=1"), TIME, json, items(&[1, 2])),
        // Requests of wp-fetch on a site with Polylang: the responses look like rows of its database.
        response(
            &format!("{SITE}/wp-json/pll/v1/languages"),
            TIME,
            json,
            r#"[{"name":"English","slug":"en","term_id":2,"locale":"en_US"},{"name":"Deutsch","slug":"de","term_id":5}]"#,
        ),
        response(&api("?page=2"), TIME, &chunked, format!("{:x}\r\n{second}\r\n0\r\n\r\n", second.len())),
        response(&format!("{SITE}/2/"), TIME, "", page("", "single postid-2")),
    ];
    run.write("x.warc.gz", members.iter().flat_map(|member| gzip(member)).collect::<Vec<u8>>());
    let found = run.sh("wp-index x.warc.gz --scrape x.warc.gz --stats stats").expect(0).records();
    assert_eq!(found.iter().map(|record| record["id"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(found[1]["scrape"]["file"].as_str().unwrap().starts_with("x.warc.gz#"));
    assert!(found[1]["source"]["file"].as_str().unwrap().starts_with("x.warc.gz#"));
    let stats: Value = serde_json::from_str(&run.read("stats")).unwrap();
    assert_eq!((&stats["left_out_answers"], &stats["items"], &stats["rejects"]), (&json!(4), &json!(7), &json!(0)));
    // A site on WordPress.com has its API on another host, and a site may have renamed the API.
    let elsewhere = ["https://public-api.wordpress.com/wp/v2/sites/9/posts", "https://a.example/api/wp/v2/posts"];
    let answers = elsewhere.iter().zip(5..).map(|(url, id)| response(url, TIME, json, items(&[id])));
    run.write(
        "elsewhere.warc",
        answers.chain([response("https://a.example/x.json", TIME, json, items(&[7]))]).collect::<Vec<_>>().concat(),
    );
    let found = run.sh("wp-index elsewhere.warc").expect(0).records();
    assert_eq!(found.iter().map(|record| record["id"].as_i64().unwrap()).collect::<Vec<_>>(), [5, 6]);
    run.write("pages.warc", response(&format!("{SITE}/2/"), TIME, "", "<html>"));
    let none = run.sh("wp-index pages.warc").expect(1);
    assert!(none.stderr.contains("pages.warc: no answer of the REST API is in it"), "{}", none.stderr);
}

#[test]
fn without_a_dump_pages_tell_their_sites_types_and_ids() {
    let run = Workdir::new();
    let body = |class: &str| page("", class);
    let at = |url: &str, class: &str| response(url, TIME, "", body(class));
    let members = [
        at("https://www.b.example/x/", "single single-book postid-5"),
        at("https://a.example/y/", "page page-id-6"),
        at("http://b.example/cat/", "archive category category-7"),
        at("https://a.example/plain/", "home"),
    ];
    run.write("x.warc", members.concat());
    let lines = |flags: &str| -> Vec<String> {
        let found = run.sh(&format!("wp-index --no-dump --scrape x.warc {flags}")).expect(0).records();
        let line =
            |r: &Value| format!("{} {} {}:{}", r["site"], r["link"], r["api"]["same"]["type"], r["api"]["same"]["id"]);
        found.iter().map(|record| line(record).replace('"', "")).collect()
    };
    let want = [
        "a.example https://a.example/plain/ null:null",
        "a.example https://a.example/y/ page:6",
        "b.example https://www.b.example/x/ book:5",
    ];
    assert_eq!(lines(""), want);
    // A page above the folders of the sites has no host, and keeps its path.
    run.write("tree/index.html", body("home")).write("tree/a.example/z/index.html", body("page page-id-9"));
    let found = run.sh("wp-index --no-dump --scrape tree").expect(0);
    assert_eq!(
        found.records().iter().map(|r| (&r["site"], &r["link"])).collect::<Vec<_>>()[0],
        (&json!("tree"), &json!("http://site.invalid/"))
    );
    assert_eq!(found.records().len(), 2);
    assert!(found.stderr.contains("the host of the pages is not known"), "{}", found.stderr);
    assert_eq!(run.sh("wp-index --no-dump --scrape tree --site x").expect(0).records().len(), 2);
    // A folder of pictures beside it does not show the host either.
    run.write("tree/img.example/index.html", body("archive date"));
    let left = run.sh("rm -r tree/a.example && wp-index --no-dump --scrape tree").expect(0);
    assert!(left.stderr.contains("--scrape-base URL"), "{}", left.stderr);
    assert_eq!(lines("--all-pages")[2], "b.example http://b.example/cat/ category:7");
    let ends = run
        .sh("wp-index --no-dump --scrape x.warc --end | jq -c 'select(.kind == \"end\") | [.site, .records]'")
        .stdout;
    assert_eq!(ends, "[\"a.example\",2]\n[\"b.example\",1]\n");
}

/// In a mirror, canonical may name any file of the page; a variant at a page's URL has no URL of its own.
#[test]
fn without_a_dump_a_post_is_one_record_under_all_its_urls() {
    let run = Workdir::new();
    let save = |file: &str, language: &str, canonical: &str, class: &str| {
        let head = format!("<html lang={language}><head><link rel=canonical href='{canonical}'></head>");
        run.write(
            &format!("tree/a.example/{file}"),
            format!("<!doctype html>{head}<body class='{class}'><p>x</body></html>"),
        );
    };
    let post = "single postid-5";
    save("x/index.html", "en", "trackback/index.html", post);
    save("x.html", "en", "x.html", post);
    save("x/comment-page-1/index.html", "en", "http://a.example/x/comment-page-1/#comments", post);
    save("x/trackback/index.html", "en", "index.html", post);
    save("index.html?p=5.html", "en", "index.html?p=5.html", post);
    save("x/2/index.html", "en", "index.html", post);
    save("fr/x/embed/index.html", "fr", "index.html", post);
    save("y/embed/index.html", "en", "index.html", "single postid-6");
    // A page whose canonical URL is elsewhere, with a variant.
    save("z/index.html", "en", "index.html", "single postid-7");
    save("zed/index.html", "en", "../z/index.html", "single postid-7");
    save("zed/embed/index.html", "en", "index.html", "single postid-7");
    let lines = |flags: &str| -> Vec<String> {
        let found = run.sh(&format!("wp-index --no-dump --scrape tree {flags}")).expect(0).records();
        found
            .iter()
            .map(|r| format!("{} {}", r["link"].as_str().unwrap(), r["aliases"].as_array().unwrap().len()))
            .collect()
    };
    let want = [
        "http://a.example/fr/x/embed/ 0",
        "http://a.example/x/ 5",
        "http://a.example/y/embed/ 0",
        "http://a.example/z/ 2",
    ];
    assert_eq!(lines("--stats stats"), want);
    assert!(run.read("stats").contains("\"aliases\":7"));
    // Each page of a list shows other posts.
    save("cat/index.html", "en", "index.html", "archive category category-7");
    save("cat/page/2/index.html", "en", "index.html", "archive category category-7");
    assert_eq!(lines("--all-pages").len(), 6);
}

#[test]
fn what_wordpress_did_not_make_is_left_out_if_wanted() {
    let run = Workdir::new();
    let at = |path: &str, head: &str, body: &str| {
        let html = format!("<html><head>{head}</head><body {body}><p>wp-content/ in a text</p></body></html>");
        response(&format!("{SITE}/{path}/"), TIME, "", html)
    };
    let members = [
        at("generator", "<meta name=generator content='WordPress 6.8'>", ""),
        at("file", "<link rel=stylesheet href='../wp-content/themes/x/style.css'>", ""),
        at("script", "<script src='https://a.example/wp-includes/js/x.js'></script>", ""),
        at("api", "<link rel='https://api.w.org/' href='https://a.example/api/'>", ""),
        at("class", "<title>x</title>", "class='single postid-4'"),
        at("other", "<meta name=generator content='Hugo 0.1'>", ""),
        at("class-of-another", "<title>x</title>", "class='postid-x page-id-'"),
        at("first", "<title>an item's page, whoever made it</title>", ""),
        response(&format!("{SITE}/former/"), TIME, "HTTP/1.1 301 Moved\r\nLocation: /first/", ""),
    ];
    run.write("x.warc", members.concat());
    run.write("dump.json", serde_json::to_string(&[post(1, "/first/")]).unwrap());
    let found = run.sh("wp-index --no-dump --scrape x.warc --wordpress-only --page-log log --stats stats").expect(0);
    let links: Vec<_> = found.records().iter().map(|r| r["link"].as_str().unwrap()[SITE.len()..].to_owned()).collect();
    assert_eq!(links, ["/api/", "/class/", "/file/", "/generator/", "/script/"]);
    let named = run.sh("jq -r 'select(.why == \"not_wordpress\") | .fate + \" \" + .url' log").stdout;
    let want = ["class-of-another", "first", "other"].map(|path| format!("left_out {SITE}/{path}/\n"));
    assert_eq!(named, want.concat());
    let stats: Value = serde_json::from_str(&run.read("stats")).unwrap();
    let counts = ["pages", "left_out", "left_out_not_wordpress", "left_out_redirects", "records_out"];
    assert_eq!(counts.map(|name| stats[name].as_u64().unwrap()), [9, 4, 3, 1, 5]);
    let joined = run.sh("wp-index dump.json --scrape x.warc --wordpress-only").expect(0).records();
    assert_eq!((joined.len(), joined[0]["scrape"]["url"].as_str()), (6, Some("https://a.example/first/")));
}

#[test]
fn pages_of_many_hosts_come_site_by_site_from_archives_in_any_order() {
    let run = Workdir::new();
    let (mut plain, mut reverse) = (Vec::new(), Vec::new());
    for n in 0..140_u32 {
        let url = format!("https://{}h{}.example/{:03}/", if n % 2 == 0 { "www." } else { "" }, n % 7, n * 37 % 140);
        plain.push(response(&url, TIME, "", page("", &format!("page-id-{n}"))));
    }
    plain.push(record(
        "revisit",
        "https://h3.example/a/",
        "WARC-Payload-Digest: sha1:X\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
    ));
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", page("", "page-id-7"));
    plain.push(record("response", "https://h5.example/b/", "WARC-Payload-Digest: sha1:X\r\n", body.as_bytes()));
    reverse.extend(plain.iter().rev().cloned());
    let (first, second) = reverse.split_at(50);
    run.write("one/x.warc", plain.concat()).write("two/b.warc", first.concat()).write("two/a.warc", second.concat());
    let lines = |scrape: &str, jobs: u32| {
        run.sh(&format!(
            "wp-index --no-dump --scrape {scrape} -j {jobs} --stats stats | jq -r '[.site, .link, .api.same.id] | @tsv'"
        ))
        .stdout
    };
    let want = lines("one", 1);
    let sites: Vec<&str> = want.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(sites.len(), 142);
    assert_eq!(
        sites.chunk_by(|a, b| a == b).map(|same| same[0]).collect::<Vec<_>>(),
        ["h0.example", "h1.example", "h2.example", "h3.example", "h4.example", "h5.example", "h6.example"]
    );
    assert!(want.contains("h3.example\thttps://h3.example/a/\t7"), "a revisit has the page of another host");
    assert_eq!(lines("two", 1), want);
    assert_eq!(lines("two", 3), want);
    assert!(run.read("stats").contains("\"captures_revisits_unresolved\":0"));
}

#[test]
fn what_is_broken_in_an_archive_is_a_reject_with_its_offset_and_the_rest_is_used() {
    let run = Workdir::new();
    let mut members: Vec<Vec<u8>> = (1..=4)
        .map(|n| gzip(&response(&format!("{SITE}/{n}/"), TIME, "", page("", &format!("page page-id-{n}")))))
        .collect();
    let (offset, middle) = (members[0].len(), members[1].len() / 2);
    members[1][middle] ^= 0x55;
    run.write("x.warc.gz", &members.concat()[..members.iter().map(Vec::len).sum::<usize>() - 20]);
    let found = run.sh("wp-index --no-dump --scrape x.warc.gz --stats stats --rejects rejects").expect(1);
    assert_eq!(found.records().len(), 2);
    assert!(found.stderr.contains(&format!("x.warc.gz#{offset}: ")), "{}", found.stderr);
    let stats: Value = serde_json::from_str(&run.read("stats")).unwrap();
    assert_eq!((&stats["pages"], &stats["rejects"], &stats["records_out"]), (&json!(4), &json!(2), &json!(2)));
    // A place without a record: a defect of the record that names it.
    let moved = run.sh("wp-index -q --no-dump --scrape x.warc.gz --max-rejects 2 | sed 's/x.warc.gz#0/x.warc.gz#1/' | wp-parse | wp-translations");
    assert!(moved.expect(0).stderr.contains("page ./x.warc.gz#1: "));
}

/// One broken file ended the run of a dump, and in a scrape all other files of the archive were lost.
#[test]
fn a_broken_file_in_a_wacz_is_a_reject_and_the_others_are_used() {
    let run = Workdir::new();
    let json = "HTTP/1.1 200 OK\r\nContent-Type: application/json";
    let warc = |n: i64| {
        let posts = serde_json::to_vec(&[post(n, &format!("/{n}/"))]).unwrap();
        let answer = response(&format!("{SITE}/wp-json/wp/v2/posts?page={n}"), TIME, json, posts);
        let html = page("", &format!("page page-id-{n}"));
        [answer, response(&format!("{SITE}/{n}/"), TIME, "", html)].concat()
    };
    let warcs = [warc(1), warc(2), warc(3)];
    let names = ["archive/1.warc", "archive/2.warc", "archive/3.warc"];
    let files: Vec<(&str, &[u8])> = names.iter().copied().zip(warcs.iter().map(Vec::as_slice)).collect();
    let whole = wacz_of(&files, false);
    // Damage to the compressed bytes of the second file, or to its local header.
    let at = memchr::memmem::find(&whole, names[1].as_bytes()).unwrap();
    for (damaged, name) in [(at + names[1].len()..at + names[1].len() + 40, "data"), (at - 30..at - 10, "header")] {
        let mut bytes = whole.clone();
        bytes[damaged].fill(0xff);
        run.write("x.wacz", bytes);
        for args in ["x.wacz", "--no-dump --scrape x.wacz"] {
            let found = run.sh(&format!("wp-index {args} --rejects rejects")).expect(1);
            assert_eq!(found.records().len(), 2, "{name} {args}: {}", found.stderr);
            assert!(
                found.stderr.contains("x.wacz/archive/2.warc#0: ") && found.stderr.contains("cannot be unpacked (")
            );
        }
    }
}

#[test]
fn a_file_in_a_wacz_has_no_place_above_it() {
    let run = Workdir::new();
    let records = response(&format!("{SITE}/1/"), TIME, "", page("", "page page-id-1"));
    run.write("x.wacz", wacz("archive/../../x.warc", &records, true));
    let found = run.sh("wp-index --no-dump --scrape x.wacz | wp-parse | wp-translations").expect(0).records();
    assert_eq!(found[0]["scrape"]["file"], "x.wacz/archive/%2E%2E/%2E%2E/x.warc#0");
    assert_eq!(found[0]["scrape"]["status"], 200);
}

#[test]
fn the_charset_of_the_server_comes_before_that_of_the_page() {
    let run = Workdir::new();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=ISO-8859-1";
    let body = b"<html><head><meta charset=utf-8><title>caf\xe9</title></head><body class=page-id-3><main><p>na\xefve words</p></main></body></html>";
    run.write("x.warc", response(&format!("{SITE}/x/"), TIME, head, body));
    let found = pipe(&run, "--no-dump --scrape x.warc").expect(0).records();
    assert_eq!((&found[0]["title"]["text"], &found[0]["content"]["text"]), (&json!("café"), &json!("naïve words")));
}

/// A PHP warning before the doctype made pages count as other files.
#[test]
fn a_page_may_begin_with_what_php_says_and_in_an_archive_with_anything() {
    let run = Workdir::new();
    let text = page(&canonical(&format!("{SITE}/a/")), "single postid-1");
    dump(&run);
    run.write(
        "s/a.example/a/index.html",
        format!("\nWarning: Undefined variable $x in /var/www/x.php on line 3\n{text}"),
    );
    run.write("a.warc", response(&format!("{SITE}/a/"), TIME, "", format!("array(0)\n{text}")));
    let stylesheet = "HTTP/1.1 200 OK\r\nContent-Type: text/css";
    run.write("b.warc", response(&format!("{SITE}/b/"), TIME, stylesheet, format!("array(0)\n{text}")));
    for scrape in ["s", "a.warc"] {
        let run = run.program("wp-index", &format!("dump.json --scrape {scrape}"), "").expect(0);
        assert!(!run.records()[0]["scrape"]["file"].is_null(), "{scrape}: {}", run.stdout);
    }
    run.program("wp-index", "dump.json --scrape b.warc", "").expect(1);
}

/// Records name the folder of the archive, in which wp-translations opens it; the archive itself was named.
#[test]
fn an_archive_is_opened_wherever_it_is() {
    let run = Workdir::new();
    run.write("site.warc.gz", members().iter().flat_map(|member| gzip(member)).collect::<Vec<u8>>());
    run.sh("mkdir below").expect(0);
    let texts = "jq -r .content.text | grep -c 'of the page'";
    for scrape in ["../site.warc.gz", "$OLDPWD/site.warc.gz"] {
        let found = run.sh(&format!("cd below && wpipe -q --no-dump --scrape {scrape} | {texts}"));
        assert_eq!((found.stdout.as_str(), found.stderr.as_str()), ("4\n", ""), "{scrape}");
    }
    let two = run.sh(
        "cp site.warc.gz two.warc.gz; cd below; wpipe -n --no-dump --scrape ../site.warc.gz --scrape ../two.warc.gz",
    );
    assert!(
        two.stdout.ends_with("wp-translations --scrape-root .. |\n  wp-resolve |\n  wp-export --expect-end\n"),
        "{}",
        two.stdout
    );
}

#[test]
fn a_scrape_is_a_directory_or_an_archive() {
    let run = Workdir::new();
    dump(&run);
    run.write("x.txt", "x").write("empty.warc.gz", "");
    let wrong = run.sh("wp-index dump.json --scrape x.txt").expect(2);
    assert!(wrong.stderr.contains("--scrape x.txt: neither a directory nor an archive"), "{}", wrong.stderr);
    assert!(run.sh("wp-index --no-dump").expect(2).stderr.contains("--scrape"));
    let both = run.sh("wp-index --no-dump dump.json --scrape x").expect(2).stderr;
    assert!(
        both.contains("cannot be used with") && both.contains("tip: without a dump, --scrape names the pages"),
        "{both}"
    );
    run.write("x.wacz", wacz("data.json", b"{}", true));
    run.write("cut.wacz", &run.read_bytes("x.wacz")[..99]);
    let cut = run.sh("wp-index --no-dump --scrape cut.wacz").expect(1).stderr;
    assert!(cut.contains("cut.wacz: cannot be read: a ZIP archive that is cut off or damaged ("), "{cut}");
    // The message must not suggest that a disk is missing.
    assert!(cut.contains("--scrape cut.wacz: no page of HTML in it; --allow-empty goes on"), "{cut}");
    assert!(run.sh("wp-index dump.json --scrape x.wacz").stderr.contains("a ZIP file without WARC files"));
}
