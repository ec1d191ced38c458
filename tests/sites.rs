//! Tests wp-fetch against generated sites whose contents are known: closed sites whose fetch is killed, sitemaps with every kind of
//! structure and damage, malicious servers.

use crate::fetch::{account, fetch_all, host, posts};
use crate::server::{Content, Request, Server, error, page, reply};
use crate::workdir::{Workdir, binaries};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of cases to try; `make check` tries `all`.
fn number(all: usize) -> usize {
    if std::env::var_os("WPIPE_CASES").is_some() { all } else { all.div_ceil(5) }
}

/// A random number generator.
struct Draw(u64);

impl Draw {
    fn new(seed: usize) -> Self {
        Draw((seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// Posts of the closed site: one that breaks each feed that contains it, and one that is in no feed.
const BREAKS: usize = 18;
const LEFT_OUT: usize = 25;

/// Posts that change after the first fetch: one is deleted, one gets another address, and one still exists but is no longer in any list.
const DELETED: usize = 5;
const MOVED: usize = 9;
const DROPPED: usize = 7;

/// The posts of the feed, the newest first; later, with a new one.
fn in_feed(is_later: bool) -> Vec<usize> {
    let is_there = |n: &usize| *n != LEFT_OUT && !(is_later && [DELETED, DROPPED].contains(n));
    (1..=if is_later { 34 } else { 33 }).rev().filter(is_there).collect()
}

fn path_of(n: usize, is_later: bool) -> String {
    if is_later && n == MOVED { format!("/new/p{n}/") } else { format!("/p{n}/") }
}

/// A feed of these posts: every seventh is a summary, and the first has three comments.
fn feed_of(host: &str, numbers: &[usize], is_later: bool) -> Vec<u8> {
    if numbers.contains(&BREAKS) {
        return reply("500 Internal Server Error", "Content-Type: text/html\r\n", "<h1>critical error</h1>");
    }
    let item = |n: &usize| {
        let text = if n % 7 == 2 { "<p>Text [&#8230;]</p>" } else { "<p>The text.</p><p>All of it.</p>" };
        let comments = if *n == 1 { 3 } else { 0 };
        format!(
            "<item><title>P{n}</title><link>http://{host}{}</link><guid isPermaLink=\"false\">http://{host}/?p={n}</guid>\
             <description>Text</description><content:encoded><![CDATA[{text}]]></content:encoded><slash:comments>{comments}</slash:comments></item>",
            path_of(*n, is_later)
        )
    };
    rss(host, &numbers.iter().map(item).collect::<String>())
}

fn rss(host: &str, items: &str) -> Vec<u8> {
    let text = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><link>http://{host}</link>{items}</channel></rss>"
    );
    reply("200 OK", "Content-Type: application/rss+xml\r\n", &text)
}

/// A WordPress with a closed API; its server answers 429 to the first request for a fifth of its addresses.
fn closed(request: &Request, is_later: bool) -> Option<Vec<u8>> {
    let host = host(request).to_owned();
    let sum: usize = request.target.bytes().map(usize::from).sum();
    if request.before == 0 && sum.is_multiple_of(5) && !request.path().starts_with("/robots") {
        return Some(reply("429 Too Many Requests", "Retry-After: 0\r\n", ""));
    }
    let paged = request.parameter("paged").and_then(|n| n.parse().ok()).unwrap_or(1_usize);
    let urls = |paths: &mut dyn Iterator<Item = String>| {
        let urls: String = paths.map(|path| format!("<url><loc>http://{host}{path}</loc></url>")).collect();
        Some(reply("200 OK", "Content-Type: text/xml\r\n", &format!("<urlset>{urls}</urlset>")))
    };
    let post = |path: &str| path.rsplit('/').find_map(|part| part.strip_prefix('p')?.parse::<usize>().ok());
    match request.path() {
        "/" => None,
        "/robots.txt" => Some(reply("200 OK", "", &format!("Sitemap: http://{host}/wp-sitemap.xml\n"))),
        path if path.starts_with("/wp-json/") => Some(error("401 Unauthorized", "rest_not_logged_in")),
        "/wp-sitemap.xml" => {
            let map = format!("<sitemap><loc>http://{host}/wp-sitemap-posts-post-1.xml</loc></sitemap>");
            Some(reply("200 OK", "", &format!("<sitemapindex>{map}</sitemapindex>")))
        }
        "/wp-sitemap-posts-post-1.xml" => {
            let listed = in_feed(is_later).into_iter().chain([LEFT_OUT]);
            urls(&mut listed.map(|n| path_of(n, is_later)))
        }
        "/feed/" => in_feed(is_later).chunks(5).nth(paged - 1).map(|page| feed_of(&host, page, is_later)),
        "/comments/feed/" => Some(comments(&host, &[2, 3])),
        "/p1/feed/" if request.parameter("withoutcomments").is_none() => Some(comments(&host, &[3])),
        path => {
            let n = post(path.trim_end_matches("feed/"))?;
            let is_there = !(is_later && n == DELETED);
            match path.ends_with("/feed/") {
                true if n != LEFT_OUT => Some(feed_of(&host, &[n], is_later)),
                false if is_there && path != path_of(n, is_later) => {
                    Some(reply("301 x", &format!("Location: {}\r\n", path_of(n, is_later)), ""))
                }
                false if is_there => Some(page("", path, "")),
                _ => None,
            }
        }
    }
    .or_else(|| (request.path() != "/").then(|| reply("404 Not Found", "Content-Type: text/html\r\n", "<h1>No</h1>")))
}

fn comments(host: &str, ids: &[u32]) -> Vec<u8> {
    let item = |id: &u32| {
        format!(
            "<item><title>By: Bo</title><link>http://{host}/p1/#comment-{id}</link><dc:creator>Bo</dc:creator>\
             <content:encoded><![CDATA[<p>Good {id}.</p>]]></content:encoded></item>"
        )
    };
    rss(host, &ids.iter().map(item).collect::<String>())
}

/// A closed site, and the switch that moves it to its later state.
fn closed_site() -> (Server, Arc<AtomicUsize>) {
    let state = Arc::new(AtomicUsize::new(0));
    let now = state.clone();
    (Server::start(Content::default(), move |request| closed(request, now.load(Ordering::SeqCst) == 1)), state)
}

/// Fetches the site, and kills the fetch after one to nine requests, again and again, until it ends by itself. Returns the number of kills.
fn fetch_killed(dir: &Workdir, server: &Server, more: &str, draw: &mut Draw) -> usize {
    for kills in 0.. {
        let goal = server.requests().len() + 1 + draw.below(9);
        let mut child = std::process::Command::new(binaries().join("wp-fetch"))
            .args([&server.url, "-d", "raw", "--contact", "tests", "--rate", "400"])
            .args(more.split_whitespace())
            .current_dir(dir.path(""))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while server.requests().len() < goal && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        if child.try_wait().unwrap().is_some() {
            return kills;
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    unreachable!("it ends")
}

/// The results: the posts by link, with the sources of their contents, and the ids of comments.
fn told(dir: &Workdir, root: &str) -> BTreeMap<String, String> {
    let run = dir.sh("wp-index -q --no-dump --scrape raw/fetch.warc.gz | wp-parse -q").expect(0);
    let records =
        run.records().into_iter().filter(|record| ["post", "comment"].contains(&record["kind"].as_str().unwrap()));
    let one =
        |record: Value| (record["link"].as_str().unwrap().replace(root, ""), record["content_source"].to_string());
    records.map(one).collect()
}

/// All at once: a closed API, whole posts and summaries, status 429, one post that gives a 500, kills; then an update that is killed as
/// well.
#[test]
fn a_closed_site_comes_to_the_same_however_often_its_fetch_is_killed() {
    let mut draw = Draw::new(1);
    let mut feeds = Vec::new();
    for is_killed in [false, true] {
        let ((server, state), dir) = (closed_site(), Workdir::new());
        let mut run = |more: &str| {
            if is_killed {
                return fetch_killed(&dir, &server, more, &mut draw);
            }
            fetch_all(&dir, &server, more).expect(1);
            0
        };
        let kills = run("--pages none --retries 2");
        assert!(!is_killed || kills > 5, "{kills}");
        let first = account(&dir);
        let of = |key: &str| first["feeds"][key].as_u64().unwrap();
        let whole = |n: &usize| n % 7 != 2 && *n != BREAKS;
        let expected = [in_feed(false).iter().filter(|n| whole(n)).count() as u64, 5, 33, 2, 2, 1, 4];
        let keys = ["whole", "summaries", "listed", "absent", "comments", "comments_missing", "gaps"];
        assert_eq!(keys.map(of), expected, "{first}");
        // The gaps: the feed that cannot be fetched, the post that breaks it, the post that is in no feed, and the comment.
        let log = dir.read("raw/fetch.ndjson");
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let gaps: BTreeSet<String> = lines
            .filter(|line| line["gap"]["type"] == "feeds")
            .map(|line| line["gap"]["link"].as_str().unwrap().replace(&server.url, ""))
            .collect();
        let broken = in_feed(false).iter().position(|n| *n == BREAKS).unwrap() / 5 + 1;
        let named = [
            format!("/feed/?paged={broken}"),
            format!("/p{BREAKS}/feed/?withoutcomments=1"),
            format!("/p{LEFT_OUT}/"),
            "/p1/".to_owned(),
        ];
        assert_eq!(gaps, named.into());
        let found = told(&dir, &server.url);
        let is_post = |link: &&String| !link.contains('#');
        assert_eq!((found.keys().filter(is_post).count(), found.len()), (31, 33), "{found:?}");
        state.store(1, Ordering::SeqCst);
        run("--pages none --retries 2 --update");
        let second = account(&dir);
        let gone: BTreeSet<String> = dir
            .read("raw/deleted.ndjson")
            .lines()
            .map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                line["link"].as_str().unwrap().replace(&server.url, "")
            })
            .collect();
        assert_eq!(gone, [DELETED, MOVED].map(|n| format!("/p{n}/")).into());
        assert_eq!((&second["update"]["deleted"], second["feeds"]["listed"].as_u64()), (&2.into(), Some(32)));
        assert_eq!(
            dir.list("raw"),
            [".lock", "deleted.ndjson", "dump", "fetch.json", "fetch.ndjson", "fetch.warc.gz"]
                .map(str::to_owned)
                .to_vec()
        );
        let now = told(&dir, &server.url);
        let is_there = |n: usize| now.contains_key(&format!("/p{n}/"));
        assert!(!is_there(DELETED) && !is_there(MOVED) && is_there(DROPPED), "{now:?}");
        feeds.push((first["feeds"].clone(), found, second["feeds"].clone(), told(&dir, &server.url)));
    }
    assert_eq!(feeds[0], feeds[1]);
}

/// A sitemap: its bytes and headers, the paths that it lists, how many of them precede the damage, and whether there is any.
struct Map {
    bytes: Vec<u8>,
    headers: &'static str,
    paths: Vec<String>,
    sound: usize,
    is_damaged: bool,
}

/// Text that may be between the URLs of a sitemap, and must not affect them.
const ODD: [&str; 8] = [
    "<image:image><image:loc>/i.jpg</image:loc><image:caption>Fish & chips, caf&eacute; &nbsp;</image:caption></image:image>",
    "<!-- a comment: <loc>/no/</loc> -->",
    "<lastmod>2024-01-01</lastmod><priority/>",
    "<news:news><news:title>A <![CDATA[<loc>/no/</loc>]]></news:title></news:news>",
    "<video:video><video:content_loc>/v.mp4</video:content_loc></video:video>",
    "",
    "\n\n\t",
    "<image:image>\n<image:loc>/j.jpg?a=1&b=2</image:loc></image:image>",
];

/// Texts that damage a sitemap, inserted between two entries.
const DAMAGES: [&str; 6] =
    ["a < b", "<br />\n<b>Warning</b>: x in y.php on line 3<br>\n", "<url><loc>", "</url>", "<", "<x y=>"];

fn sitemap(seed: usize, root: &str) -> Map {
    let mut draw = Draw::new(seed);
    let kind = draw.below(12);
    let count = 1 + draw.below(9);
    let paths: Vec<String> = (0..count)
        .map(|n| format!("/s{seed}/{n}{}/", ["", "-é", "?a=1&b=2"][draw.below(3)].trim_end_matches('/')))
        .collect();
    let paths: Vec<String> = paths
        .into_iter()
        .map(|path| if path.contains('?') { path.trim_end_matches('/').to_owned() } else { path })
        .collect();
    let prefix = if draw.below(4) == 0 { "sm:" } else { "" };
    let how: Vec<usize> = paths.iter().map(|_| draw.below(4)).collect();
    let entry = |(path, how): (&String, &usize), odd: &str| {
        let whole = format!("{root}{path}");
        let url = match how {
            0 => whole,
            1 => format!("<![CDATA[{whole}]]>"),
            2 => format!("\n  {}  ", whole.replace('&', "&amp;")),
            _ => path.clone(),
        };
        format!("<{prefix}url>{odd}<{prefix}loc>{url}</{prefix}loc></{prefix}url>")
    };
    let mut entries: Vec<String> = paths.iter().zip(&how).map(|both| entry(both, ODD[draw.below(ODD.len())])).collect();
    let is_damaged = kind < 8 && draw.below(2) == 0;
    let at = draw.below(count);
    if is_damaged {
        entries[at].insert_str(0, DAMAGES[draw.below(DAMAGES.len())]);
    }
    let declared = if kind == 3 { "ISO-8859-1" } else { "UTF-8" };
    let before = ["", "\u{feff}", "\n\n", "<br />\n<b>Notice</b>:  x in <b>/x.php</b> on line <b>7</b><br />\n"]
        [if kind > 2 { 0 } else { draw.below(4) }];
    let start = format!(
        "{before}<?xml version=\"1.0\" encoding=\"{declared}\"?><!DOCTYPE urlset [<!ENTITY x \"/no/\">]>\n<{prefix}urlset xmlns=\"x\">"
    );
    let mut text = format!("{start}{}</{prefix}urlset>", entries.concat());
    let mut sound = if is_damaged { at } else { count };
    let is_cut = is_damaged && draw.below(3) == 0;
    if is_cut {
        let to = start.len() + entries[..at].concat().len();
        text.truncate(to);
        sound = at;
    }
    let is_damaged = is_damaged || is_cut;
    let lines = || paths.iter().map(|path| format!("{root}{path}\r\n")).collect::<String>();
    let items = |tag: &str, link: &dyn Fn(&str) -> String| {
        paths
            .iter()
            .map(|path| {
                format!("<{tag}><title>T & U</title>{}</{tag}>", link(&format!("{root}{}", path.replace('&', "&amp;"))))
            })
            .collect::<String>()
    };
    let (bytes, headers) = match kind {
        3 => (text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect(), "Content-Type: text/xml\r\n"),
        4 => ([0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect(), ""),
        5 => (text.encode_utf16().flat_map(u16::to_be_bytes).collect(), ""),
        6 => (gzip(text.as_bytes()), "Content-Type: application/x-gzip\r\n"),
        7 => (gzip(text.as_bytes()), "Content-Encoding: gzip\r\n"),
        8 => (lines().into_bytes(), "Content-Type: text/plain\r\n"),
        9 => (format!("\u{feff}{}", lines()).into_bytes(), ""),
        10 => (
            format!(
                "<rss version=\"2.0\"><channel><link>{root}</link>{}</channel></rss>",
                items("item", &|url| format!("<link>{url}</link>"))
            )
            .into_bytes(),
            "",
        ),
        11 => (
            format!(
                "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\">{}</feed>",
                items("entry", &|url| format!("<link href=\"{url}\"/>"))
            )
            .into_bytes(),
            "",
        ),
        _ => (text.into_bytes(), ""),
    };
    Map { bytes, headers, paths, sound, is_damaged }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, bytes).unwrap();
    gzip.finish().unwrap()
}

/// Each sitemap of every kind is read to its end, or is a gap; the URLs before damage are found, and only URLs that it lists.
#[test]
fn sitemaps_of_every_kind_are_read_to_their_ends_or_are_gaps() {
    let (dir, count) = (Workdir::new(), number(200));
    let server = Server::start(posts(0), move |request| {
        let root = format!("http://{}", host(request));
        match request.path() {
            "/robots.txt" => Some(reply("200 OK", "", &format!("Sitemap: {root}/maps/index.xml\n"))),
            "/maps/index.xml" => {
                let maps: String = (0..count).map(|seed| format!("<sitemap><loc>{seed}</loc></sitemap>")).collect();
                Some(reply("200 OK", "", &format!("<sitemapindex>{maps}</sitemapindex>")))
            }
            path if path.starts_with("/s") => Some(page("", path, "")),
            path => {
                let map = sitemap(path.strip_prefix("/maps/")?.parse().ok()?, &root);
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{}\r\n", map.bytes.len(), map.headers);
                Some([head.as_bytes(), &map.bytes].concat())
            }
        }
    });
    let run = fetch_all(&dir, &server, "--pages all --types post --max-gaps 1000").expect(0);
    let mut found: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut gaps = BTreeSet::new();
    for line in run.records() {
        let path = |value: &Value| value.as_str().unwrap_or_default().replace(&server.url, "");
        if let Some(seed) = path(&line["gap"]["link"]).strip_prefix("/maps/") {
            gaps.insert(seed.parse::<usize>().unwrap());
        } else if let Some((seed, _)) = path(&line["url"]).strip_prefix("/s").and_then(|rest| rest.split_once('/')) {
            found.entry(seed.parse().unwrap()).or_default().insert(path(&line["url"]));
        }
    }
    let mut lost = Vec::new();
    for seed in 0..count {
        let map = sitemap(seed, &server.url);
        let paths: Vec<String> = map.paths.iter().map(|path| path.replace('é', "%C3%A9")).collect();
        let got = found.remove(&seed).unwrap_or_default();
        let is_right = paths[..map.sound].iter().all(|path| got.contains(path))
            && got.iter().all(|path| paths.contains(path))
            && (got.len() == paths.len() || gaps.contains(&seed))
            && (map.is_damaged || got.len() == paths.len() && !gaps.contains(&seed));
        if !is_right {
            let text = String::from_utf8_lossy(&map.bytes).into_owned();
            lost.push(format!(
                "{seed}: {got:?} of {} ({} sound), gap: {}\n{text}\n",
                paths.len(),
                map.sound,
                gaps.contains(&seed)
            ));
        }
    }
    assert!(lost.is_empty(), "{} of {count}:\n{}", lost.len(), lost.join("\n"));
    assert!(found.is_empty(), "{found:?}");
}

/// The response of a malicious server.
fn harm(seed: usize, request: &Request) -> Option<Vec<u8>> {
    let root = format!("http://{}", host(request));
    let sum: usize = request.path().bytes().fold(seed * 31, |sum, byte| (sum * 33 + usize::from(byte)) % 1_000_003);
    let mut draw = Draw::new(sum);
    let is_list = request.path().starts_with("/wp-json/wp/v2/");
    // Some responses are correct, so that there are pages to examine.
    if draw.below(if is_list { 2 } else { 4 }) == 0 {
        return None;
    }
    let json = |headers: &str, body: &str| {
        Some(reply("200 OK", &format!("Content-Type: application/json\r\n{headers}"), body))
    };
    let html = |body: &str| Some(reply("200 OK", "Content-Type: text/html\r\n", body));
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    let links = [
        "../../../../etc/x",
        "\\u0000\\u001b[2J",
        "//169.254.169.254/",
        "/%2e%2e/%2e%2e/x",
        "javascript:x",
        "/x\\u202egpj.exe",
    ];
    let item = |n: usize| {
        let id = ["-1", "9223372036854775807", "1e400", "\"7\"", "null", "{}"][n % 6];
        format!("{{\"id\":{id},\"type\":\"../{n}\",\"link\":\"{}\",\"modified_gmt\":7}}", links[n % 6])
    };
    match draw.below(22) {
        0 => json("X-WP-Total: 99999999999999\r\nX-WP-TotalPages: 99999999999\r\n", "[]"),
        1 => json(
            "X-WP-Total: -5\r\nX-WP-TotalPages: x\r\n",
            &format!("[{}]", (0..6).map(item).collect::<Vec<_>>().join(",")),
        ),
        2 => json("", &deep("[", "]")),
        3 => json("", &deep("{\"a\":", "}")),
        4 => Some(reply("302 Found", &format!("Location: {}x\r\n", request.target), "")),
        5 => Some(reply("301 x", "Location: http://127.0.0.1:1/\r\n", "")),
        6 => Some(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\nConnection: close\r\n\r\n[".to_vec()),
        7 => Some(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n[]".to_vec()),
        8 => Some(
            [
                b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n".as_slice(),
                &gzip(&[b'['; 1 << 20]),
            ]
            .concat(),
        ),
        9 => Some(reply("999 \u{1b}[31mred", "X: \u{1b}]0;x\u{7}\r\n", "\u{1b}[2J")),
        10 => Some(reply("429 x", "Retry-After: 99999999999999999999\r\n", "")),
        11 => Some(Vec::new()),
        12 => Some(b"\x00\xff\xfenonsense\r\n\r\n".to_vec()),
        13 => json("", "{\"code\":\"\\u001b[2J\\n\\r\",\"message\":{},\"data\":{\"params\":{\"x\":1}}}"),
        14 => html(&(0..400).map(|n| format!("<link rel=alternate hreflang=x{n} href=/v{n}/>")).collect::<String>()),
        15 => html(&deep("<b>", "")),
        16 => html(&format!(
            "<link rel=\"https://api.w.org/\" href=\"http://169.254.169.254/wp-json/\">{}",
            "<a ".repeat(9999)
        )),
        17 if request.path().len() < 16 => Some(reply(
            "200 OK",
            "",
            &format!(
                "<sitemapindex>{}</sitemapindex>",
                (0..50)
                    .map(|n| format!("<sitemap><loc>{root}{}{n}</loc></sitemap>", request.path()))
                    .collect::<String>()
            ),
        )),
        18 => Some(reply(
            "200 OK",
            "",
            &format!(
                "<!DOCTYPE x [<!ENTITY a \"{}\">]><urlset><url><loc>{root}/&a;</loc></url>{}",
                "&b;".repeat(9),
                deep("<url>", "")
            ),
        )),
        19 => Some(reply(
            "200 OK",
            "Content-Type: application/rss+xml\r\n",
            &format!("<rss><channel><item>{}</item></channel></rss>", deep("<x>", "</x>")),
        )),
        20 => json(
            "",
            "{\"../../x\":{\"rest_base\":\"../../../x\"},\"a\\u0000b\":{\"rest_base\":7},\"post\":{\"rest_base\":\"posts\",\"rest_namespace\":\"..\"}}",
        ),
        _ => Some(reply(
            "200 OK",
            "Content-Type: text/plain\r\n",
            &format!("User-agent: *\nCrawl-delay: 0\nSitemap: {root}/map\n{}", "Disallow: /*a*b*c*d\n".repeat(2000)),
        )),
    }
}

/// Whatever a server does, a fetch ends with an appropriate status and writes only into its folder, and its messages have no control
/// characters.
#[test]
fn servers_made_to_harm_cost_little_and_nothing_outside_of_the_folder() {
    for seed in 0..number(40) {
        let dir = Workdir::new();
        let server = Server::start(posts(30), move |request| harm(seed, request));
        let start = Instant::now();
        for more in ["", "--update"] {
            let flags =
                format!("--pages all --tree --media all --retries 0 --timeout 2 --max-wait 2 --max-media 1M {more}");
            let run = dir
                .sh(&format!("ulimit -v 4000000; wp-fetch {} -d raw --rate 10000 --contact tests {flags}", server.url));
            assert!([0, 1].contains(&run.status), "seed {seed}: {} {}", run.status, run.stderr);
            assert!(!run.stderr.contains("panicked") && !run.stderr.contains('\u{1b}'), "seed {seed}: {}", run.stderr);
            assert_eq!(dir.list(""), ["raw"], "seed {seed}");
            let told = account(&dir);
            assert_eq!(told["complete"] == true, told["gaps"] == 0, "seed {seed}");
            assert_eq!(run.status == 0, told["complete"] == true && told["stopped"].is_null(), "seed {seed}: {told}");
            assert!(dir.read("raw/fetch.ndjson").lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
        }
        assert!(server.requests().len() < 20_000, "seed {seed}: {} requests", server.requests().len());
        assert!(start.elapsed() < Duration::from_secs(60), "seed {seed}: {:?}", start.elapsed());
    }
}
