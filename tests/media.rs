//! Tests wp-fetch --media against servers that the tests provide: each media record has its file, or a gap is named; programs that read the
//! dump and the pages get the same results as without --media.

use crate::server::{Content, Request, Server, error, json, list, reply};
use crate::workdir::{Run, Workdir, binaries};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A site: its media records, and its response at each path.
#[derive(Clone, Default)]
struct Site {
    media: BTreeMap<i64, Value>,
    files: BTreeMap<String, Vec<u8>>,
    /// The content of post 1.
    content: String,
    /// Whether only logged-in users can list the records.
    is_closed: bool,
}

impl Site {
    /// Adds a record, and the response at the path of its file. The path may be a URL.
    fn with(mut self, id: i64, path: &str, mime: &str, answer: Vec<u8>) -> Self {
        self.media.insert(id, json!({"id": id, "type": "attachment", "source_url": path, "mime_type": mime}));
        self.files.insert(path.to_owned(), answer);
        self
    }

    /// A site with images 1 to `n`.
    fn of_images(n: i64) -> Self {
        (1..=n).fold(Site::default(), |site, id| site.with(id, &format!("/up/{id}.jpg"), "image/jpeg", jpeg(id)))
    }

    fn answer(&self, request: &Request) -> Option<Vec<u8>> {
        let root = format!("http://{}", request.head.split("host: ").nth(1)?.split("\r\n").next()?);
        let item = |id: i64| {
            let mut item = self.media[&id].clone();
            let path = item["source_url"].as_str().unwrap_or_default();
            if path.starts_with('/') {
                item["source_url"] = format!("{root}{path}").into();
            }
            item["link"] = format!("{root}/?attachment_id={id}").into();
            if item["modified_gmt"].is_null() {
                item["modified_gmt"] = "2020-01-01T00:00:00".into();
            }
            item.to_string()
        };
        let ids: Vec<i64> = self.media.keys().copied().collect();
        match request.path() {
            "/wp-json/wp/v2/types" => {
                Some(json("{\"post\":{\"rest_base\":\"posts\"},\"attachment\":{\"rest_base\":\"media\"}}"))
            }
            path if self.is_closed && path.starts_with("/wp-json/wp/v2/media") => {
                Some(error("401 Unauthorized", "rest_forbidden"))
            }
            "/wp-json/wp/v2/media" => Some(list(request, &ids, &[], &item)),
            "/wp-json/wp/v2/posts" if !self.content.is_empty() => Some(list(request, &[1], &[], &|id| {
                let content = json!({"rendered": self.content.replace("ROOT", &root)});
                json!({"id": id, "type": "post", "link": format!("{root}/p1/"), "content": content}).to_string()
            })),
            path => match path.strip_prefix("/wp-json/wp/v2/media/").and_then(|id| id.parse().ok()) {
                Some(id) if self.media.contains_key(&id) => Some(json(&item(id))),
                Some(_) => Some(error("404 Not Found", "rest_post_invalid_id")),
                None => self.files.get(&request.target).or_else(|| self.files.get(path)).cloned(),
            },
        }
    }

    fn start(self) -> (Server, Arc<Mutex<Site>>) {
        let site = Arc::new(Mutex::new(self));
        let shared = site.clone();
        let server = Server::start(Content { ids: vec![1], ..Content::default() }, move |request| {
            shared.lock().unwrap().answer(request)
        });
        (server, site)
    }
}

/// A response with these bytes.
fn file(kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn jpeg(id: i64) -> Vec<u8> {
    file("image/jpeg", format!("\u{ff}\u{d8}image {id}").as_bytes())
}

fn fetch(dir: &Workdir, server: &Server, more: &str) -> Run {
    dir.program("wp-fetch", &format!("{} -d raw --rate 10000 --retries 1 --pages none {more}", server.url), "")
}

fn account(dir: &Workdir) -> Value {
    serde_json::from_str(&dir.read("raw/fetch.json")).unwrap()
}

fn host(server: &Server) -> &str {
    server.url.split_once("://").unwrap().1
}

/// The files below raw/media and the host, by path; checks that the whole folder has no incomplete file.
fn files(dir: &Workdir, server: &Server) -> Vec<String> {
    let found = dir.sh("find raw -type f | sort").stdout;
    assert!(!found.contains(".part"), "{found}");
    let start = format!("raw/media/{}/", host(server));
    found.lines().filter_map(|path| path.strip_prefix(&start)).map(str::to_owned).collect()
}

/// The requested paths that begin with `start`.
fn asked(server: &Server, start: &str) -> Vec<String> {
    server.requests().into_iter().filter(|target| target.starts_with(start)).collect()
}

#[test]
fn all_files_together_have_no_more_bytes_than_max_media_allows() {
    let (server, site) = Site::of_images(6).start();
    let size = "\u{ff}\u{d8}image 1".len();
    let room = 3 * size + size / 2;
    // Records that state sizes, and records that do not: their files are read as far as there is room.
    for (states, asked) in [(true, 3), (false, 4)] {
        let bytes = if states { json!({"filesize": size}) } else { Value::Null };
        site.lock().unwrap().media.values_mut().for_each(|record| record["media_details"] = bytes.clone());
        let (dir, before) = (Workdir::new(), server.asked("/up/"));
        let run = fetch(&dir, &server, &format!("--media originals --max-media {room}")).expect(1);
        let media = &account(&dir)["media"];
        assert_eq!(["got", "gaps", "files"].map(|key| media[key].as_u64().unwrap()), [3, 3, 3], "{media}");
        assert_eq!((&media["reasons"]["beyond"], server.asked("/up/") - before), (&3.into(), asked));
        assert_eq!(run.stderr.matches("beyond --max-media").count(), 3, "{}", run.stderr);
        // With more room, the other files are fetched, and nothing else.
        fetch(&dir, &server, "--media originals --max-media 1M").expect(0);
        assert_eq!(server.asked("/up/") - before, asked + 3);
    }
}

#[test]
fn each_record_has_its_file_or_a_named_gap() {
    let html = b"<!DOCTYPE html><title>Not found</title>";
    let svg =
        b"<?xml version=\"1.0\"?><!-- x -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let cut = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nConnection: close\r\nContent-Length: 9000\r\n\r\n1234"
        .to_vec();
    let site = Site::of_images(1)
        .with(2, "/up/gone.jpg", "image/jpeg", reply("404 Not Found", "Content-Type: text/html\r\n", "<h1>No</h1>"))
        .with(3, "/up/closed.jpg", "image/jpeg", reply("403 Forbidden", "", "no"))
        .with(4, "/up/soft.jpg", "image/jpeg", file("text/html", html))
        .with(5, "/up/lie.jpg", "image/jpeg", file("image/jpeg", html))
        .with(6, "/up/cut.jpg", "image/jpeg", cut)
        .with(7, "/up/new.jpg", "image/jpeg", file("image/webp", b"RIFF....WEBP"))
        .with(8, "/up/a.svg", "image/svg+xml", file("image/svg+xml", svg))
        .with(9, "/up/empty.jpg", "image/jpeg", file("image/jpeg", b""))
        .with(10, "", "image/jpeg", Vec::new())
        .with(11, "https://cdn.example/x.jpg", "image/jpeg", Vec::new())
        .with(12, "/up/away.jpg", "image/jpeg", reply("302 Found", "Location: https://cdn.example/y.jpg\r\n", ""))
        .with(13, "/up/1.jpg", "image/jpeg", jpeg(1));
    let (dir, (server, _)) = (Workdir::new(), site.start());
    let run = fetch(&dir, &server, "--media originals").expect(1);
    assert_eq!(files(&dir, &server), ["up/1.jpg", "up/a.svg", "up/new.jpg"]);
    assert_eq!(dir.read_bytes(&format!("raw/media/{}/up/a.svg", host(&server))), svg, "the bytes are unchanged");
    assert_eq!(server.asked("/up/1.jpg"), 1, "one file of two records");
    assert_eq!(server.asked("/up/cut.jpg"), 2, "a truncated file is requested again");
    let media = account(&dir)["media"].clone();
    let counts =
        ["records", "got", "gaps", "files", "other_types", "only_in_archive"].map(|key| media[key].as_u64().unwrap());
    assert_eq!(counts, [13, 4, 9, 3, 1, 0]);
    let reasons = json!({"missing": 1, "refused": 1, "disallowed": 0, "elsewhere": 2, "not_media": 2, "failed": 2, "no_url": 1,
            "beyond": 0});
    assert_eq!((&media["reasons"], &media["hosts"]), (&reasons, &json!({"cdn.example": 1})));
    for (id, words) in [
        (2, "HTTP 404"),
        (3, "HTTP 403"),
        (4, "HTML, not a media file"),
        (5, "HTML, not a media file"),
        (10, "it names no file that can be asked for"),
        (11, "on another host (see --media-host)"),
        (12, "it leads to another site: https://cdn.example/y.jpg (see --media-host)"),
    ] {
        let line = run.stderr.lines().find(|line| line.contains(&format!("the file of media {id}"))).unwrap();
        assert!(line.ends_with(&format!(": {words}")), "{line}");
    }
    assert!(run.stderr.contains("/up/new.jpg: image/webp, and the record says image/jpeg"), "{}", run.stderr);
    let gaps: BTreeSet<i64> = run.records().iter().filter_map(|line| line["gap"]["id"].as_i64()).collect();
    assert_eq!(gaps, [2, 3, 4, 5, 6, 9, 10, 11, 12].into());
    // A second run requests the files that it could not get, and no file that it has.
    let before = server.requests().len();
    fetch(&dir, &server, "--media originals").expect(1);
    let again: BTreeSet<String> = server.requests()[before..].iter().cloned().collect();
    let paths = ["closed", "cut", "empty", "lie", "soft", "away"].map(|name| format!("/up/{name}.jpg"));
    assert_eq!(again, paths.into());
    assert_eq!(account(&dir)["media"]["reasons"], reasons);
}

#[test]
fn names_that_clash_are_only_in_the_archive_and_that_is_said() {
    let site = Site::of_images(1)
        .with(2, "/up/A.jpg", "image/jpeg", jpeg(2))
        .with(3, "/up/a.jpg", "image/jpeg", jpeg(3))
        .with(4, "/up/a.jpg/b.jpg", "image/jpeg", jpeg(4))
        .with(5, "/up", "image/jpeg", jpeg(5))
        .with(6, "/up/%C3%A9%20b.jpg", "image/jpeg", jpeg(6))
        .with(7, "/up/1.jpg?v=2", "image/jpeg", jpeg(7));
    let (dir, (server, _)) = (Workdir::new(), site.start());
    for _ in 0..2 {
        let run = fetch(&dir, &server, "--media originals").expect(0);
        assert_eq!(files(&dir, &server), ["up/1.jpg", "up/A.jpg", "up/\u{e9} b.jpg"]);
        assert_eq!(run.stderr.matches("it is only in media.warc.gz").count(), 4, "{}", run.stderr);
        let media = account(&dir)["media"].clone();
        assert_eq!(["got", "gaps", "only_in_archive"].map(|key| media[key].as_u64().unwrap()), [7, 0, 4]);
    }
    assert_eq!(asked(&server, "/up").len(), 7, "no file is requested twice");
    let log: Vec<Value> =
        dir.read("raw/fetch.ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |path: &str| {
        let url = format!("{}{path}", server.url);
        log.iter().find(|line| line["url"] == url.as_str()).unwrap().clone()
    };
    assert_eq!(of("/up/a.jpg")["file"], Value::Null);
    assert_eq!(of("/up/A.jpg")["file"], format!("media/{}/up/A.jpg", host(&server)));
    // The archive has the file at the offset in the log; the other archive has no part of it.
    let offset = of("/up/a.jpg")["warc_offset"].as_u64().unwrap() as usize;
    let mut text = Vec::new();
    let archive = dir.read_bytes("raw/media.warc.gz");
    flate2::read::GzDecoder::new(&archive[offset..]).read_to_end(&mut text).unwrap();
    assert!(String::from_utf8_lossy(&text).contains("image 3"));
    assert_eq!(dir.sh("zcat raw/fetch.warc.gz | grep -ac 'image 3'").stdout, "0\n");
}

/// A file of 64 MiB, with a program that may use no more memory than that for its code, its buffers and the file.
#[test]
fn a_big_file_goes_by_piece_by_piece() {
    let body: Vec<u8> = (0..=255_u8).collect::<Vec<_>>().repeat(64 << 12);
    let site = Site::default().with(1, "/up/film.mp4", "video/mp4", file("video/mp4", &body));
    let (dir, (server, _)) = (Workdir::new(), site.start());
    let flags = format!("{} -d raw --rate 10000 --pages none --types media", server.url);
    dir.sh(&format!("ulimit -v 110000; wp-fetch {flags} --media originals")).expect(0);
    assert!(dir.read_bytes(&format!("raw/media/{}/up/film.mp4", host(&server))) == body);
    let media = account(&dir)["media"].clone();
    assert_eq!((media["bytes"].as_u64(), &media["got"]), (Some(body.len() as u64), &1.into()));
}

#[test]
fn other_hosts_are_asked_only_if_they_are_named_each_by_its_own_rules_and_without_secrets() {
    let cdn = Server::start(Content::default(), move |request| match request.path() {
        _ if request.head.contains("s3cret") => Some(reply("500 x", "", "it got the secret")),
        "/robots.txt" => Some(reply("200 OK", "", "User-agent: *\nDisallow: /private/\n")),
        "/a.jpg" | "/b.jpg" => Some(jpeg(1)),
        _ => None,
    });
    let away = reply("302 Found", &format!("Location: {}/b.jpg\r\n", cdn.url), "");
    let site = Site::default()
        .with(1, &format!("{}/a.jpg", cdn.url), "image/jpeg", Vec::new())
        .with(2, &format!("{}/private/a.jpg", cdn.url), "image/jpeg", Vec::new())
        .with(3, "/up/away.jpg", "image/jpeg", away)
        .with(4, &format!("{}/c.jpg", cdn.url.replace("127.0.0.1", "localhost")), "image/jpeg", Vec::new());
    let (dir, (server, _)) = (Workdir::new(), site.start());
    dir.write("headers", "Authorization: s3cret\n");
    fetch(&dir, &server, "--media originals --header-file headers").expect(1);
    assert_eq!((cdn.requests().len(), &account(&dir)["media"]["got"]), (0, &0.into()));
    // A host whose name resolves to an internal server is refused, although it was named.
    let named = format!("--media-host {},{}", host(&cdn), host(&cdn).replace("127.0.0.1", "localhost"));
    let run = fetch(&dir, &server, &format!("--media originals --header-file headers {named}")).expect(1);
    assert_eq!(cdn.requests(), ["/robots.txt", "/a.jpg", "/b.jpg"]);
    assert_eq!(server.asked("/up/away.jpg"), 2);
    let gap = |id: i64| run.stderr.lines().find(|line| line.contains(&format!("media {id} "))).unwrap_or_default();
    assert!(gap(2).ends_with(": robots.txt forbids it"), "{}", run.stderr);
    assert!(gap(4).contains("is not a public address"), "{}", run.stderr);
    assert_eq!(account(&dir)["media"]["got"], 2);
    assert!(dir.path(&format!("raw/media/{}/a.jpg", host(&cdn))).exists());
    assert!(dir.path(&format!("raw/media/{}/up/away.jpg", host(&server))).exists(), "where its record says");
    assert!(!dir.sh("cat raw/fetch.ndjson; zcat raw/*.gz").stdout.contains("s3cret"));
    // The robots.txt of a host is not a page of the site.
    assert_eq!(dir.sh("zcat raw/fetch.warc.gz | grep -ac Disallow").stdout, "0\n");
}

/// A server on a port of its own that answers each connection by `answer`.
fn slow_server(answer: impl Fn(&str, &mut dyn Write) -> std::io::Result<()> + Send + Sync + 'static) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), answer.clone());
            std::thread::spawn(move || {
                let mut head = [0; 2048];
                let length = stream.read(&mut head).unwrap_or_default();
                let _ = answer(&String::from_utf8_lossy(&head[..length]), &mut stream);
            });
        }
    });
    address
}

/// A time limit for a whole file would break off every large one.
#[test]
fn a_file_may_take_longer_than_an_answer_as_long_as_it_comes() {
    let address = slow_server(|head, stream| {
        if head.starts_with("GET /robots.txt") {
            return stream.write_all(b"HTTP/1.1 404 x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        let is_steady = head.starts_with("GET /steady");
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: 131072\r\n\r\n")?;
        let pieces = if is_steady { 8 } else { 1 };
        for _ in 0..pieces {
            stream.write_all(&[9; 16384])?;
            std::thread::sleep(Duration::from_millis(250));
        }
        std::thread::sleep(Duration::from_millis(4000));
        Ok(())
    });
    let site = Site::default().with(1, &format!("http://{address}/steady.jpg"), "image/jpeg", Vec::new()).with(
        2,
        &format!("http://{address}/stuck.jpg"),
        "image/jpeg",
        Vec::new(),
    );
    let (dir, (server, _)) = (Workdir::new(), site.start());
    let flags = format!("--media originals --media-host {address} --timeout 1.8 --types media");
    let run = fetch(&dir, &server, &flags).expect(1);
    assert_eq!(dir.list(&format!("raw/media/{address}")), ["steady.jpg"]);
    assert!(run.stderr.contains("the file of media 2") && run.stderr.ends_with(": too slow\n"), "{}", run.stderr);
    assert!(files(&dir, &server).is_empty());
}

#[test]
fn with_all_the_images_of_contents_come_too_in_the_sizes_that_they_use() {
    let mut site = Site::of_images(2);
    site.content = "<img src=\"ROOT/up/1.jpg\"><img src=\"/up/1-300x200.jpg\"><img src=\"ROOT/up/none.jpg\">
        <a href=\"ROOT/up/2.jpg\">x</a><img src=\"https://other.example/x.png\"><img src=\"data:image/gif;base64,R0lGOD\">"
        .to_owned();
    site.files.insert("/up/1-300x200.jpg".to_owned(), jpeg(1300));
    let (dir, (server, _)) = (Workdir::new(), site.start());
    let run = fetch(&dir, &server, "--media all").expect(1);
    assert_eq!(files(&dir, &server), ["up/1-300x200.jpg", "up/1.jpg", "up/2.jpg"]);
    let media = account(&dir)["media"].clone();
    assert_eq!(media["images"], json!({"found": 3, "got": 1, "gaps": 2}));
    assert_eq!(["records", "got", "gaps", "files"].map(|key| media[key].as_u64().unwrap()), [2, 2, 0, 3]);
    assert!(run.stderr.contains(": image (https://other.example/x.png): on another host"), "{}", run.stderr);
    // wp-export finds the files in their places.
    let export = "wp-index raw/dump -q | wp-parse -q | wp-translations -q | wp-resolve -q |
        wp-export -q --format markdown --links files:raw/media -d md && find md -name '*.md' -exec cat {} +";
    let run = dir.sh(export);
    let text = format!("{}{}", run.stdout, run.stderr);
    let way = format!("../raw/media/{}/up/1-300x200.jpg", host(&server).replace(':', "%3A"));
    assert!(text.contains(&way), "{way}: {text}");
}

/// An HTML file among the uploads, even one that is called .jpg, is not a page of the site.
#[test]
fn wpipe_reads_the_same_of_a_folder_with_media_and_without() {
    let mut site = Site::of_images(2).with(3, "/up/page.html", "text/html", file("text/html", b"<html><p>An upload"));
    site.content = "<p>Words. <img src=\"/up/1.jpg\"></p>".to_owned();
    let (dir, (server, _)) = (Workdir::new(), site.start());
    for more in ["", "--tree"] {
        let flags = format!("{} -d raw --rate 10000 --contact tests --media all {more}", server.url);
        dir.program("wp-fetch", &flags, "").expect(0);
        assert!(dir.path(&format!("raw/media/{}/up/page.html", host(&server))).exists());
        let records = || {
            let all = "wpipe -q raw -d data && cat $(find data -name '*.jsonl*' | sort) && rm -r data";
            (dir.sh(all).expect(0).stdout, dir.sh("wp-index -q raw/dump").expect(0).stdout)
        };
        let with = records();
        assert!(with.0.contains("Words."));
        dir.sh("mv raw/media raw/media.warc.gz .").expect(0);
        assert_eq!(with, records());
        dir.sh("rm -r raw media media.warc.gz").expect(0);
    }
}

#[test]
fn killed_at_any_moment_it_goes_on_where_it_was_and_asks_for_no_file_twice() {
    let (undisturbed, (other, _)) = (Workdir::new(), Site::of_images(40).start());
    fetch(&undisturbed, &other, "--media originals").expect(0);
    let (dir, (server, _)) = (Workdir::new(), Site::of_images(40).start());
    let mut kills = 0;
    for (moment, signal) in (0..).zip(["KILL", "TERM"].repeat(4)) {
        let seen = server.asked("/up/");
        let mut child = std::process::Command::new(binaries().join("wp-fetch"))
            .args([&server.url, "-d", "raw", "--rate", "100", "--pages", "none", "--media", "originals"])
            .current_dir(dir.path(""))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while server.asked("/up/") < seen + 1 + moment % 3 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        dir.sh(&format!("kill -{signal} {}", child.id()));
        kills += usize::from(!child.wait().unwrap().success());
    }
    assert!(kills >= 4, "the fetch was killed before its end");
    let run = fetch(&dir, &server, "--media originals").expect(0);
    assert!(server.asked("/up/") <= 40 + kills, "only what was under way: {}", server.asked("/up/"));
    assert_eq!(files(&dir, &server), files(&undisturbed, &other));
    for id in 1..=40 {
        let name = |server: &Server| format!("raw/media/{}/up/{id}.jpg", host(server));
        assert_eq!(dir.read_bytes(&name(&server)), undisturbed.read_bytes(&name(&other)));
    }
    let counts =
        |dir: &Workdir| ["records", "got", "gaps", "files", "bytes"].map(|key| account(dir)["media"][key].as_u64());
    assert_eq!(counts(&dir), counts(&undisturbed));
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    // The archive is complete, with one record for each file, and wp-fetch accepts no other.
    let responses = dir.sh("zcat raw/media.warc.gz | grep -ac 'WARC-Type: response'").expect(0).stdout;
    assert_eq!(responses, "40\n");
    let bytes = dir.read_bytes("raw/media.warc.gz");
    dir.write("raw/media.warc.gz", &bytes[..bytes.len() / 2]);
    let run = fetch(&dir, &server, "--media originals").expect(2);
    assert!(run.stderr.contains("raw/media.warc.gz: the archive is shorter than the log says"), "{}", run.stderr);
    fetch(&dir, &server, "").expect(0);
    // A file that is missing from its place is requested again, and nothing else.
    dir.write("raw/media.warc.gz", &bytes);
    std::fs::remove_file(dir.path(&format!("raw/media/{}/up/7.jpg", host(&server)))).unwrap();
    let before = server.asked("/up/");
    fetch(&dir, &server, "--media originals").expect(0);
    assert_eq!(server.requests().last().map(String::as_str), Some("/up/7.jpg"));
    fetch(&dir, &server, "--media originals").expect(0);
    assert_eq!(server.asked("/up/"), before + 1);
}

/// After the first fetch, 2 is deleted, the file of 3 is replaced, 4 has another file, 5 is new, and the file of 6 is missing.
#[test]
fn an_update_asks_for_replaced_files_and_moves_those_that_are_gone() {
    for (more, is_fetched) in [("--update --media originals", true), ("--update", false)] {
        let site = Site::of_images(4).with(6, "/up/6.jpg", "image/jpeg", jpeg(6));
        let (dir, (server, site)) = (Workdir::new(), site.start());
        fetch(&dir, &server, "--media originals").expect(0);
        let before = server.requests().len();
        {
            let mut site = site.lock().unwrap();
            site.media.remove(&2);
            site.files.insert("/up/3.jpg".to_owned(), jpeg(33));
            site.media.get_mut(&3).unwrap()["modified_gmt"] = "2021-01-01T00:00:00".into();
            site.files.insert("/up/new.jpg".to_owned(), jpeg(44));
            let four = site.media.get_mut(&4).unwrap();
            (four["source_url"], four["modified_gmt"]) = ("/up/new.jpg".into(), "2021-01-01T00:00:00".into());
            *site = site.clone().with(5, "/up/5.jpg", "image/jpeg", jpeg(5));
            let six = site.media.get_mut(&6).unwrap();
            six["modified_gmt"] = "2021-01-01T00:00:00".into();
            site.files.remove("/up/6.jpg");
        }
        fetch(&dir, &server, more).expect(i32::from(is_fetched));
        let asked: Vec<String> =
            server.requests()[before..].iter().filter(|target| target.starts_with("/up/")).cloned().collect();
        let place = account(&dir)["update"]["before"].as_str().unwrap().to_owned();
        let date = place.rsplit('/').next().unwrap();
        let moved = dir.list(&format!("raw/media.gone/{date}/{}/up", host(&server)));
        // The man page names the previous dumps as an input, with everything in their folders.
        assert!(!dir.sh("find raw/dump raw/dumps -type f").stdout.contains("/up/"));
        if is_fetched {
            assert_eq!(asked, ["/up/3.jpg", "/up/new.jpg", "/up/5.jpg", "/up/6.jpg"]);
            assert_eq!(files(&dir, &server)[..4], ["up/1.jpg", "up/3.jpg", "up/5.jpg", "up/new.jpg"]);
            assert_eq!(moved, ["2.jpg", "4.jpg", "6.jpg"]);
            let three = dir.read_bytes(&format!("raw/media/{}/up/3.jpg", host(&server)));
            assert!(String::from_utf8_lossy(&three).contains("image 33"));
        } else {
            // Without --media, files are not requested; files of deleted records are removed.
            assert!(asked.is_empty(), "{asked:?}");
            assert_eq!(moved, ["2.jpg", "4.jpg"]);
        }
        assert_eq!(account(&dir)["update"]["media"], moved.len());
        let log = dir.read("raw/fetch.ndjson");
        let gone: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let gone = gone.iter().find(|line| line["event"] == "gone").unwrap();
        assert_eq!(gone["run"]["media"][0], format!("{}/up/2.jpg", server.url));
        // Running the same update again changes nothing, and the next update requests only changed files.
        let (before, shown) = (server.asked("/up/"), files(&dir, &server));
        fetch(&dir, &server, if is_fetched { "--media originals" } else { "" }).expect(i32::from(is_fetched));
        assert_eq!(
            (server.asked("/up/"), account(&dir)["update"]["media"].as_u64()),
            (before, Some(moved.len() as u64))
        );
        assert_eq!(files(&dir, &server), shown);
        site.lock().unwrap().media.remove(&6);
        fetch(&dir, &server, "--update --media originals").expect(0);
        let again = server.asked("/up/") - before;
        assert_eq!(again, if is_fetched { 0 } else { 3 }, "what the run without --media left out");
    }
}

#[test]
fn a_dry_run_tells_how_many_bytes_there_are_by_one_list_and_where() {
    let mut site = Site::of_images(8).with(9, "https://cdn.example/x.jpg", "image/jpeg", Vec::new());
    for (id, medium) in &mut site.media {
        if *id <= 4 {
            medium["media_details"] = json!({"filesize": 1000 * id});
        }
    }
    let (dir, (server, _)) = (Workdir::new(), site.start());
    let plan =
        |more: &str| dir.program("wp-fetch", &format!("{} --dry-run --rate 10000 {more}", server.url), "").expect(0);
    let lines = plan("--media originals").records();
    let media = lines.iter().find(|line| line["what"] == "media_files").unwrap();
    let told = ["total", "requests", "bytes", "sizes_known", "sizes_of"].map(|key| media[key].as_u64().unwrap());
    assert_eq!((told, &media["hosts"]), ([9, 9, 22500, 4, 9], &json!({"cdn.example": 1})));
    assert_eq!(server.asked("/up/"), 0);
    assert!(plan("").records().iter().all(|line| line["what"] != "media_files" && line["bytes"].is_null()));
}

/// Records that cannot be fetched are not deleted: they are missing from the new dump, but their files are kept.
#[test]
fn an_update_in_which_the_records_cannot_be_had_moves_no_file() {
    let (dir, (server, site)) = (Workdir::new(), Site::of_images(3).start());
    fetch(&dir, &server, "--media all").expect(0);
    let before = files(&dir, &server);
    site.lock().unwrap().is_closed = true;
    fetch(&dir, &server, "--update --media all").expect(1);
    assert_eq!((files(&dir, &server), account(&dir)["update"]["media"].as_u64()), (before.clone(), Some(0)));
    site.lock().unwrap().is_closed = false;
    let asked = server.asked("/up/");
    fetch(&dir, &server, "--update --media all").expect(0);
    assert_eq!((files(&dir, &server), server.asked("/up/")), (before, asked));
}

/// A host that does not belong to the site, and does not answer, must not delay the others.
#[test]
fn another_host_that_fails_is_left_alone_and_the_rest_comes() {
    let cdn = Server::start(Content::default(), |request| {
        let busy = || reply("429 x", "Retry-After: 9999\r\n", "");
        (request.path() != "/robots.txt").then(busy)
    });
    let elsewhere = |site: Site, id: i64| site.with(id, &format!("{}/{id}.jpg", cdn.url), "image/jpeg", Vec::new());
    let site = (11..=18).fold(Site::default(), elsewhere).with(20, "/up/20.jpg", "image/jpeg", jpeg(20));
    let (dir, (server, _)) = (Workdir::new(), site.start());
    let run = fetch(&dir, &server, &format!("--media originals --media-host {},cdn.example", host(&cdn))).expect(1);
    assert!(run.stderr.contains("--media-host cdn.example: none of 9 files names this host"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("--media-host").count(), 1, "{}", run.stderr);
    assert_eq!((cdn.asked(".jpg"), files(&dir, &server)), (5, vec!["up/20.jpg".to_owned()]));
    let media = account(&dir)["media"].clone();
    assert_eq!((&media["got"], &media["gaps"], &media["reasons"]["failed"]), (&1.into(), &8.into(), &8.into()));
    assert_eq!(run.stderr.matches("not asked for: 5 files in a row").count(), 3, "{}", run.stderr);
}

/// Files that the site cannot deliver do not end the run; scripts that are given as files are not requested.
#[test]
fn files_that_are_cut_off_one_after_the_other_do_not_end_the_run() {
    let cut = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9000\r\n\r\n1234".to_vec();
    let site =
        (1..=6).fold(Site::default(), |site, id| site.with(id, &format!("/up/{id}.mp4"), "video/mp4", cut.clone()));
    let site = site.with(7, "/wp-login.php?action=logout&_wpnonce=1", "image/jpeg", jpeg(7));
    let (dir, (server, _)) = (Workdir::new(), site.with(8, "/up/cart/8.jpg", "image/jpeg", jpeg(8)).start());
    fetch(&dir, &server, "--media originals").expect(1);
    let account = account(&dir);
    assert_eq!((&account["stopped"], files(&dir, &server)), (&Value::Null, vec!["up/cart/8.jpg".to_owned()]));
    assert_eq!(
        (&account["media"]["reasons"]["failed"], &account["media"]["reasons"]["refused"]),
        (&6.into(), &1.into())
    );
    assert_eq!(server.asked("wp-login"), 0);
}
