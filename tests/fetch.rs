//! Tests wp-fetch against a server that the tests provide: whatever the site does, the dump is complete or the gap is named.

use crate::server::{Content, Request, Server, error, json, list, page, reply};
use crate::workdir::{Run, Workdir, binaries, repository};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs wp-fetch on the server into `raw`, as fast as it can.
fn fetch(dir: &Workdir, server: &Server, more: &str) -> Run {
    fetch_all(dir, server, &format!("--types post --pages none {more}"))
}

/// The same with all types and pages.
pub(super) fn fetch_all(dir: &Workdir, server: &Server, more: &str) -> Run {
    dir.program("wp-fetch", &format!("{} -d raw --rate 10000 --contact tests {more}", server.url), "")
}

/// The ids of the posts that wp-index finds in the dump.
fn ids(dir: &Workdir) -> Vec<i64> {
    let index = dir.program("wp-index", "raw/dump -q", "");
    let posts = index.records().into_iter().filter(|record| record["type"] == "post");
    posts.map(|record| record["id"].as_i64().unwrap()).collect::<BTreeSet<_>>().into_iter().collect()
}

pub(super) fn account(dir: &Workdir) -> Value {
    serde_json::from_str(&dir.read("raw/fetch.json")).unwrap()
}

/// The counts total_start, total_end, got, hidden, gaps and gone of the posts.
fn counts(dir: &Workdir) -> [Option<u64>; 6] {
    let collections = account(dir)["collections"].as_array().unwrap().clone();
    let posts = collections.into_iter().find(|collection| collection["type"] == "post").unwrap();
    ["total_start", "total_end", "got", "hidden", "gaps", "gone"].map(|key| posts[key].as_u64())
}

/// The project's address in the user agent, once Cargo.toml has one.
fn address() -> String {
    let repository = env!("CARGO_PKG_REPOSITORY");
    if repository.is_empty() { String::new() } else { format!("+{repository}; ") }
}

pub(super) fn posts(n: i64) -> Content {
    Content { ids: (1..=n).collect(), ..Content::default() }
}

/// The server's host, as the client names it.
pub(super) fn host(request: &Request) -> &str {
    request.head.split("host: ").nth(1).unwrap().split("\r\n").next().unwrap()
}

fn is_list(request: &Request) -> bool {
    request.path() == "/wp-json/wp/v2/posts"
}

#[test]
fn a_dump_an_archive_a_log_and_an_account() {
    let dir = Workdir::new();
    let agent = format!("\r\nuser-agent: wpipe/{} ({}tests)\r\n", env!("CARGO_PKG_VERSION"), address());
    let server =
        Server::start(posts(250), move |request| (!request.head.contains(&agent)).then(|| error("403 x", "stranger")));
    let run = fetch(&dir, &server, "").expect(0);
    assert_eq!(run.stderr, "");
    assert_eq!(ids(&dir), (1..=250).collect::<Vec<_>>());
    assert_eq!(counts(&dir), [250, 250, 250, 0, 0, 0].map(Some));
    assert_eq!(dir.list("raw/dump")[1..4], ["posts-0001.json", "posts-0002.json", "posts-0003.json"]);
    assert_eq!(run.stdout, dir.read("raw/fetch.ndjson"));
    let account = account(&dir);
    assert_eq!((&account["complete"], &account["gaps"]), (&true.into(), &0.into()));
    let requests: Vec<Value> = run.records().into_iter().filter(|line| line["event"] == "request").collect();
    assert_eq!(requests.len(), server.requests().len());
    let lines = run.records();
    let keys = |line: &Value| line.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(lines.iter().all(|line| keys(line) == keys(&lines[0])));
    let one = requests.iter().find(|line| line["page"] == 3).unwrap();
    assert_eq!(one["ids"].as_array().unwrap().len(), 50);
    // the archive has the response at the offset that the log gives
    let archive = dir.read_bytes("raw/fetch.warc.gz");
    let record = &archive[one["warc_offset"].as_u64().unwrap() as usize..];
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(record), &mut text).unwrap();
    assert!(text.starts_with("WARC/1.1\r\nWARC-Type: response\r\n"), "{text}");
    assert!(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "), "{text}");
    assert!(text.contains(dir.read("raw/dump/posts-0003.json").as_str()));
}

#[test]
fn a_short_page_is_not_the_last_and_hidden_items_are_counted() {
    let hidden = vec![7, 100, 249];
    let (dir, server) = (Workdir::new(), Server::start(Content { hidden: hidden.clone(), ..posts(249) }, |_| None));
    fetch(&dir, &server, "").expect(0);
    assert_eq!(ids(&dir), (1..=249).filter(|id| !hidden.contains(id)).collect::<Vec<_>>());
    assert_eq!(counts(&dir), [249, 249, 246, 3, 0, 0].map(Some));
}

/// Each hidden comment cost six requests; after two pages of hidden comments, the rest was reported as a gap.
#[test]
fn hidden_items_cost_about_one_request_a_hundred() {
    let hidden: Vec<i64> = (1..=1000).filter(|id| id % 3 == 0 || (201..=500).contains(id)).collect();
    let shown: Vec<i64> = (1..=1000).filter(|id| !hidden.contains(id)).collect();
    let (dir, server) = (Workdir::new(), Server::start(Content { hidden: hidden.clone(), ..posts(1000) }, |_| None));
    fetch(&dir, &server, "").expect(0);
    assert_eq!(counts(&dir), [1000, 1000, shown.len() as u64, hidden.len() as u64, 0, 0].map(Some));
    assert_eq!(ids(&dir), shown);
    // Ten pages, ten of the inventory, and ten requests for the items that they leave out.
    assert_eq!(server.asked("/posts?"), 30);
}

#[test]
fn items_that_pages_leave_out_are_requested_by_offset_and_id() {
    let dir = Workdir::new();
    let thin = |request: &Request| {
        let is_thin = is_list(request) && request.parameter("page") == Some("2");
        let ids =
            (101..=200).filter(|id| id % 5 != 0).map(|id| format!("{{\"id\":{id},\"type\":\"post\",\"title\":{{}}}}"));
        let headers = "X-WP-Total: 250\r\nX-WP-TotalPages: 3\r\n";
        is_thin.then(|| reply("200 OK", headers, &format!("[{}]", ids.collect::<Vec<_>>().join(","))))
    };
    fetch(&dir, &Server::start(posts(250), thin), "").expect(0);
    assert_eq!(counts(&dir), [250, 250, 250, 0, 0, 0].map(Some));
    assert_eq!(ids(&dir).len(), 250);
}

/// Whether the response would contain post 123, of posts 1 to 250 in order.
fn holds_123(request: &Request) -> bool {
    let number = |name: &str| request.parameter(name).and_then(|value| value.parse::<i64>().ok());
    if let Some(include) = request.parameter("include") {
        return include.split(',').any(|id| id == "123");
    }
    let size = number("per_page").unwrap_or(10);
    let start = number("offset").unwrap_or((number("page").unwrap_or(1) - 1) * size);
    request.path().ends_with("/posts/123") || (is_list(request) && start < 123 && 123 <= start + size)
}

#[test]
fn the_one_item_that_breaks_its_page_is_named_and_the_others_are_there() {
    let broken = || reply("500 Internal Server Error", "", "<h1>critical error</h1>");
    let all_but_it: Vec<i64> = (1..=250).filter(|id| *id != 123).collect();
    // Whether the server fails even if the item is not rendered.
    for always in [true, false] {
        let dir = Workdir::new();
        let is_hit = move |request: &Request| {
            holds_123(request)
                && (always || request.parameter("_fields").is_none())
                && !request.target.contains("search")
        };
        let server = Server::start(posts(250), move |request| is_hit(request).then(broken));
        let run = fetch(&dir, &server, "--retries 1").expect(1);
        let link = format!("{}/p123/", server.url);
        assert_eq!(run.stderr, format!("wp-fetch: {}/: posts 123 ({link}): HTTP 500\n", server.url));
        assert_eq!(counts(&dir), [250, 250, 249, 0, 1, 0].map(Some));
        assert_eq!(ids(&dir), all_but_it);
        let log = run.records();
        let gap = &log.iter().find(|line| line["event"] == "gap").unwrap()["gap"];
        assert_eq!((gap["id"].as_i64(), gap["link"].as_str()), (Some(123), Some(link.as_str())));
        fetch(&Workdir::new(), &server, "--retries 1 --max-gaps 1").expect(0);
    }
}

#[test]
fn a_site_that_changes_meanwhile_is_complete_as_of_its_last_list() {
    // After page 1 has been sent, posts 3 and 5 are deleted: page 2 begins two posts too late.
    let dir = Workdir::new();
    let asked = AtomicUsize::new(0);
    let after: Content = Content { ids: (1..=250).filter(|id| ![3, 5].contains(id)).collect(), ..Content::default() };
    let later = Server::start(after, |_| None);
    let root = later.url.clone();
    let server = Server::start(posts(250), move |request| {
        let is_later = request.path().starts_with("/wp-json/wp/v2/posts") && asked.fetch_add(1, Ordering::SeqCst) > 0;
        is_later.then(|| ask(&root, &request.target))
    });
    fetch(&dir, &server, "").expect(0);
    assert_eq!(counts(&dir), [250, 248, 248, 0, 0, 2].map(Some));
    assert_eq!(ids(&dir), (1..=250).collect::<Vec<_>>());
}

/// The response of another server.
fn ask(root: &str, target: &str) -> Vec<u8> {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(root.trim_start_matches("http://")).unwrap();
    write!(stream, "GET {target} HTTP/1.1\r\n\r\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

#[test]
fn totals_that_a_proxy_has_stripped_are_not_needed() {
    let dir = Workdir::new();
    let inner = Server::plain(250);
    let root = inner.url.clone();
    let server = Server::start(posts(250), move |request| {
        let stripped = || String::from_utf8(ask(&root, &request.target)).unwrap().replace("X-WP-Total", "X-No");
        is_list(request).then(|| stripped().into_bytes())
    });
    fetch(&dir, &server, "").expect(0);
    assert_eq!(counts(&dir), [None, None, Some(250), Some(0), Some(0), Some(0)]);
    assert_eq!(ids(&dir).len(), 250);
}

#[test]
fn a_site_that_takes_no_order_or_gives_small_pages_is_walked_its_own_way() {
    let dir = Workdir::new();
    let inner = Server::plain(95);
    let root = inner.url.clone();
    let server = Server::start(posts(95), move |request| {
        if !is_list(request) {
            return None;
        }
        if request.parameter("orderby").is_some() {
            let body =
                r#"{"code":"rest_invalid_param","message":"No.","data":{"status":400,"params":{"orderby":"No."}}}"#;
            return Some(reply("400 Bad Request", "", body));
        }
        // It returns 20 items per page, whatever the request says.
        Some(ask(&root, &request.target.replace("per_page=100", "per_page=20")))
    });
    let run = fetch(&dir, &server, "").expect(0);
    assert!(run.stderr.contains("does not order by id") && run.stderr.contains("20 items a page"), "{}", run.stderr);
    assert_eq!(counts(&dir), [95, 95, 95, 0, 0, 0].map(Some));
}

#[test]
fn requests_that_fail_for_a_while_are_repeated() {
    for (status, body) in
        [("503 x", "<h1>Maintenance</h1>"), ("200 OK", "<h1>Maintenance</h1>"), ("429 x", ""), ("200 OK", "[{\"id\":")]
    {
        let dir = Workdir::new();
        let server = Server::start(posts(150), move |request| {
            (request.before < 2).then(|| reply(status, "Retry-After: 0\r\n", body))
        });
        let run = fetch(&dir, &server, "").expect(0);
        assert_eq!(ids(&dir).len(), 150, "{status} {body}");
        let log = run.records();
        let attempts = log.iter().filter(|line| line["page"] == 2 && line["bytes"].as_u64() > Some(1000));
        assert_eq!(attempts.map(|line| line["attempt"].as_u64()).collect::<Vec<_>>(), [Some(3)]);
    }
}

#[test]
fn a_body_that_is_cut_off_is_never_taken_for_whole() {
    let dir = Workdir::new();
    let inner = Server::plain(250);
    let root = inner.url.clone();
    // Page 2 always ends half-way, before the length that Content-Length states.
    let server = Server::start(posts(250), move |request| {
        let is_cut = is_list(request) && request.parameter("page") == Some("2");
        let whole = is_cut.then(|| ask(&root, &request.target))?;
        Some([&whole[..whole.len() / 2], b""].concat())
    });
    let run = fetch(&dir, &server, "--retries 1 --timeout 0.3").expect(0);
    assert_eq!(counts(&dir), [250, 250, 250, 0, 0, 0].map(Some), "{}", run.stderr);
    assert_eq!(ids(&dir).len(), 250);
}

#[test]
fn a_notice_before_the_json_is_left_out_of_the_dump_and_counted() {
    let dir = Workdir::new();
    let server = Server::start(posts(0), |request| {
        let list = "<br />\n<b>Notice</b>: Undefined offset: 0 in {x}[1]\n[{\"id\":1,\"type\":\"post\",\"link\":\"https://a.example/\",\"title\":{}}]";
        is_list(request).then(|| reply("200 OK", "X-WP-Total: 1\r\nX-WP-TotalPages: 1\r\n", list))
    });
    fetch(&dir, &server, "--stats stats.json").expect(0);
    assert!(dir.read("raw/dump/posts-0001.json").starts_with("[{\"id\":1"));
    let stats: Value = serde_json::from_str(&dir.read("stats.json")).unwrap();
    let page = std::fs::read_to_string(repository("man/wp-fetch.1")).unwrap();
    let told = page.split(".Sh STATS").nth(1).unwrap().split(".Sh ").next().unwrap();
    assert!(stats.as_object().unwrap().keys().all(|key| told.split_whitespace().any(|word| word == key)), "{stats}");
    assert_eq!((&stats["defects"]["noise"], &stats["items"]), (&1.into(), &1.into()));
}

#[test]
fn a_closed_api_a_challenge_and_a_login_are_named_and_left() {
    let closed = || error("401 Unauthorized", "rest_not_logged_in");
    let challenge = || reply("403 Forbidden", "cf-mitigated: challenge\r\n", "<title>Just a moment...</title>");
    let login = || {
        reply(
            "200 OK",
            "Content-Type: text/html\r\n",
            "<form action=\"/wp-login.php\"><input type=\"password\"></form>",
        )
    };
    for (answer, words) in [
        (&closed as &(dyn Fn() -> Vec<u8> + Sync), "HTTP 401: rest_not_logged_in: No."),
        (&challenge, "HTTP 403: a challenge of Cloudflare"),
        (&login, "HTML, not JSON: a login"),
    ] {
        let (dir, answer) = (Workdir::new(), answer());
        let server =
            Server::start(posts(5), move |request| request.path().starts_with("/wp-json/").then(|| answer.clone()));
        let run = fetch(&dir, &server, "").expect(1);
        assert_eq!(run.stderr, format!("wp-fetch: {0}/: api: the API at {0}/wp-json/: {words}\n", server.url));
        assert_eq!(server.asked("/wp-json/") + server.asked("rest_route"), 1, "the API is requested once, in one way");
        assert_eq!(account(&dir)["complete"], false);
    }
}

/// A feed with these posts, by number; the first has two comments, and the second is a summary.
fn feed(host: &str, numbers: impl Iterator<Item = usize>) -> Vec<u8> {
    let item = |n: usize| {
        let text = if n == 2 {
            "<p>Text [&#8230;]</p>".to_owned()
        } else {
            format!("<p>The text of {n}.</p><p>All of it.</p>")
        };
        format!(
            "<item><title>P{n}</title><link>http://{host}/p{n}/</link><dc:creator>Ann</dc:creator><pubDate>Tue, 05 May 2020 10:00:00 +0000</pubDate>\
             <guid isPermaLink=\"false\">http://{host}/?p={n}</guid><description>Text</description><content:encoded><![CDATA[{text}]]></content:encoded>\
             <slash:comments>{}</slash:comments></item>",
            if n == 1 { 2 } else { 0 }
        )
    };
    let items: String = numbers.map(item).collect();
    let text = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>S</title><link>http://{host}</link>{items}</channel></rss>"
    );
    reply("200 OK", "Content-Type: application/rss+xml\r\n", &text)
}

/// A WordPress with a closed API; its feeds have five posts, two per page.
fn closed_with_feeds(request: &Request) -> Option<Vec<u8>> {
    let host = host(request).to_owned();
    let number = request.parameter("paged").and_then(|n| n.parse().ok()).unwrap_or(1usize);
    match request.path() {
        path if path.starts_with("/wp-json/") => Some(error("401 Unauthorized", "rest_not_logged_in")),
        "/feed/" if request.parameter("post_type").is_some() => Some(feed(&host, 0..0)),
        "/feed/" if number == 2 && request.before == 0 => {
            Some(reply("429 Too Many Requests", "Retry-After: 0\r\n", ""))
        }
        "/feed/" if number > 3 => Some(reply("404 Not Found", "", "")),
        "/feed/" => Some(feed(&host, (2 * number - 1)..(2 * number + 1).min(6))),
        path @ ("/comments/feed/" | "/p1/feed/") => {
            let id = if path == "/p1/feed/" { 8 } else { 9 };
            let text = format!(
                "<rss version=\"2.0\"><channel><link>http://{host}</link><item><title>By: Bo</title><link>http://{host}/p1/#comment-{id}</link>\
                 <dc:creator>Bo</dc:creator><content:encoded><![CDATA[<p>Good {id}.</p>]]></content:encoded></item></channel></rss>"
            );
            Some(reply("200 OK", "Content-Type: application/rss+xml\r\n", &text))
        }
        _ => None,
    }
}

#[test]
fn the_feeds_of_a_site_whose_api_is_closed_are_asked_for_to_their_end() {
    let (dir, server) = (Workdir::new(), Server::start(posts(5), closed_with_feeds));
    let run = fetch_all(&dir, &server, "--pages none").expect(1);
    assert_eq!(run.stderr.lines().count(), 1, "the API is the only gap: {}", run.stderr);
    let feeds = account(&dir)["feeds"].clone();
    let counts =
        ["got", "whole", "summaries", "comments", "comments_missing", "gaps"].map(|key| feeds[key].as_u64().unwrap());
    assert_eq!(counts, [5, 4, 1, 2, 0, 0], "{feeds}");
    assert_eq!(account(&dir)["complete"], false);
    let records = dir.sh("wp-index -q --no-dump --scrape raw/fetch.warc.gz | wp-parse -q").expect(0).records();
    let of = |kind: &str| records.iter().filter(|record| record["kind"] == kind).collect::<Vec<_>>();
    let whole = of("post").iter().filter(|post| post["content_source"] == "feed").count();
    assert_eq!((of("post").len(), whole, of("comment").len()), (5, 4, 2), "{records:?}");
    // The feeds are only in the archive, even if there is a tree of pages.
    for tree in ["", "mkdir -p raw/scrape/h && echo '<p>x' > raw/scrape/h/index.html &&"] {
        let dataset = dir.sh(&format!("{tree} wpipe -q raw -d ds && cat ds/posts.jsonl")).expect(0).records();
        assert_eq!(dataset.len(), 5, "{tree}");
    }
    dir.sh("rm -rf raw/scrape").expect(0);
    // Files that have been fetched are not requested again.
    let asked = server.asked("/feed/");
    fetch_all(&dir, &server, "--pages none").expect(1);
    assert_eq!(server.asked("/feed/"), asked);
    let dir = Workdir::new();
    assert_eq!(account_of(&dir, &server, "--pages none --feeds none")["feeds"], Value::Null);
    let run = fetch_all(&dir, &server, "--pages none --feeds none --media all");
    assert!(run.stderr.contains("--media: without the API no files are known"), "{}", run.stderr);
    let plan = fetch_all(&dir, &server, "--dry-run").expect(1).records();
    assert!(plan.iter().any(|part| part["what"] == "feeds"), "{plan:?}");
}

/// The account of a site after a fetch.
fn account_of(dir: &Workdir, server: &Server, more: &str) -> Value {
    fetch_all(dir, server, more);
    account(dir)
}

#[test]
fn behind_a_challenge_a_login_or_robots_txt_no_feed_is_asked_for() {
    let challenge = || reply("403 Forbidden", "cf-mitigated: challenge\r\n", "<title>Just a moment...</title>");
    let server = Server::start(posts(2), move |request| {
        (request.path() != "/").then(challenge).filter(|_| request.path().starts_with("/wp-json/"))
    });
    assert_eq!(account_of(&Workdir::new(), &server, "")["feeds"], Value::Null);
    assert_eq!(server.asked("feed"), 0);
    let server = Server::start(posts(2), |request| match request.path() {
        "/" => Some(reply("403 Forbidden", "", "")),
        _ => closed_with_feeds(request),
    });
    account_of(&Workdir::new(), &server, "");
    assert_eq!(server.asked("feed"), 0);
    let rules = |request: &Request| {
        let text = "User-agent: *\nDisallow: /feed/\nDisallow: /*?feed=\nDisallow: /comments/\n";
        let is_it = request.path() == "/robots.txt";
        if is_it { Some(reply("200 OK", "Content-Type: text/plain\r\n", text)) } else { closed_with_feeds(request) }
    };
    let server = Server::start(posts(2), rules);
    let feeds = account_of(&Workdir::new(), &server, "")["feeds"].clone();
    assert_eq!((server.asked("feed"), feeds["got"].as_u64()), (0, Some(0)), "{feeds}");
    // An open API leaves no reason to request feeds.
    let server = Server::plain(3);
    account_of(&Workdir::new(), &server, "");
    assert_eq!(server.asked("feed"), 0);
}

#[test]
fn robots_txt_is_obeyed_for_the_api_too_unless_ignore_robots_is_given() {
    let rules = |request: &Request| {
        let text = "User-agent: *\nAllow: /\n\nUser-agent: wpipe\nDisallow: /wp-json/\n";
        (request.path() == "/robots.txt").then(|| reply("200 OK", "Content-Type: text/plain\r\n", text))
    };
    let server = Server::start(posts(5), rules);
    let dir = Workdir::new();
    let run = fetch(&dir, &server, "").expect(1);
    assert!(run.stderr.contains("robots.txt forbids it"), "{}", run.stderr);
    assert_eq!(server.asked("/wp-json/"), 0);
    let dir = Workdir::new();
    let run = fetch(&dir, &server, "--ignore-robots").expect(0);
    assert_eq!(run.records()[0]["run"]["robots"], "ignored");
    assert_eq!(ids(&dir).len(), 5);
}

#[test]
fn a_site_that_asks_for_too_long_a_wait_is_left_and_resumed_later() {
    let dir = Workdir::new();
    let server = Server::start(posts(250), |request| {
        let is_hit = is_list(request)
            && request.parameter("page") == Some("3")
            && !request.target.contains("_fields")
            && request.before == 0;
        is_hit.then(|| reply("429 Too Many Requests", "Retry-After: 3600\r\n", ""))
    });
    let run = fetch(&dir, &server, "").expect(1);
    assert!(run.stderr.contains("asks to wait 3600 s, and --max-wait is 300 s"), "{}", run.stderr);
    assert_eq!(server.requests().last().map(|target| target.contains("page=3")), Some(true));
    assert!(!account(&dir)["stopped"].is_null());
    fetch(&dir, &server, "").expect(0);
    assert_eq!(ids(&dir).len(), 250);
    assert_eq!(server.asked("page=1&orderby=id&order=asc&_fields"), 1);
    assert_eq!(server.requests().iter().filter(|target| target.ends_with("page=2&orderby=id&order=asc")).count(), 1);
}

#[test]
fn redirects_to_another_site_are_not_followed() {
    for target in [
        "https://other.example/wp-json/",
        "http://127.0.0.1:1/",
        "http://localhost/",
        "http://[::1]/",
        "http://169.254.169.254/latest/",
        "http://[fd00::1]/",
    ] {
        let dir = Workdir::new();
        let server = Server::start(posts(5), move |request| {
            (request.path() == "/wp-json/").then(|| reply("302 Found", &format!("Location: {target}\r\n"), ""))
        });
        let run = fetch(&dir, &server, "").expect(1);
        assert!(run.stderr.contains(&format!("it leads to another site: {target}")), "{}", run.stderr);
    }
}

/// The URLs of the fetched pages in the log, without the server.
fn pages(run: &Run, server: &Server) -> Vec<String> {
    let lines = run.records();
    let got = lines.iter().filter(|line| line["type"] == "html" && line["error"].is_null());
    got.map(|line| line["url"].as_str().unwrap().replace(&server.url, "")).collect()
}

#[test]
fn pages_of_records_are_fetched_or_counted_whatever_their_urls() {
    let dir = Workdir::new();
    let server = Server::start(posts(1), |request| {
        let links =
            ["/animals/feed/", "/?post_type=book&p=4", "/cart/", "/a.pdf", "https://other.example/x/", "/index.html"];
        let item = |(id, link): (usize, &str)| {
            let root = format!("http://{}", host(request));
            let link = if link.starts_with('/') { root + link } else { link.to_owned() };
            format!("{{\"id\":{id},\"type\":\"post\",\"link\":\"{link}\"}}")
        };
        let items: Vec<String> = (1..).zip(links).map(item).collect();
        let headers = "Content-Type: application/json\r\nX-WP-Total: 6\r\nX-WP-TotalPages: 1\r\n";
        match request.path() {
            "/wp-json/wp/v2/posts" => Some(reply("200 OK", headers, &format!("[{}]", items.join(",")))),
            "/animals/feed/" | "/index.html" => Some(page("", "Page", "")),
            "/" if request.parameter("p").is_some() => Some(page("", "Book", "")),
            _ => None,
        }
    });
    let run = fetch_all(&dir, &server, "--tree --types post").expect(0);
    assert_eq!(pages(&run, &server), ["/animals/feed/", "/?post_type=book&p=4", "/index.html"]);
    let tally = &account(&dir)["pages"];
    let counts = ["got", "elsewhere", "not_html", "left_out", "gaps"].map(|key| tally[key].as_u64().unwrap());
    assert_eq!(counts, [3, 1, 1, 1, 0]);
    assert_eq!(server.asked("/cart/"), 0);
}

#[test]
fn every_type_that_the_site_lists_is_fetched_or_a_gap_or_left_out() {
    let dir = Workdir::new();
    let types = "{\"post\":{\"rest_base\":\"posts\"},\"e-book\":{\"rest_base\":\"posts\"},\"e-floating-buttons\":{},
        \"odd\":{\"rest_base\":\"a (b)\"},\"lost\":{\"rest_base\":\"lost\"},\"wp_font_face\":{\"rest_base\":\"f/(?P<id>[0-9]+)\"}}";
    let server = Server::start(posts(2), move |request| match request.path() {
        "/wp-json/wp/v2/types" => Some(reply("200 OK", "Content-Type: application/json\r\n", types)),
        "/wp-json/wp/v2/users" => Some(error("404 Not Found", "rest_no_route")),
        _ => None,
    });
    let run = fetch_all(&dir, &server, "--pages none").expect(1);
    assert!(run.stderr.contains("users: the site has switched this list off: HTTP 404"), "{}", run.stderr);
    let account = account(&dir);
    let collections = account["collections"].as_array().unwrap();
    let of = |name: &str| collections.iter().find(|collection| collection["type"] == name).unwrap();
    assert_eq!((&of("e-book")["got"], &of("e-book")["refused"]), (&2.into(), &Value::Null));
    for (name, why) in
        [("odd", "its route is not a plain path: wp/v2/a (b)"), ("lost", "HTTP 404"), ("user", "HTTP 404")]
    {
        let collection = of(name);
        assert!(collection["refused"].as_str().unwrap().starts_with(why), "{collection}");
        assert_eq!(collection["gaps"], 1, "{collection}");
    }
    assert_eq!(account["left_out"], serde_json::json!(["e-floating-buttons", "wp_font_face"]));
    assert_eq!((&account["complete"], &account["gaps"]), (&false.into(), &3.into()));
    let run = dir.program("wp-fetch", &format!("{} --dry-run --rate 10000", server.url), "").expect(1);
    assert!(run.stderr.contains("odd: its route is not a plain path: wp/v2/a (b)"), "{}", run.stderr);
}

/// Two types whose routes begin with the same 20 Cyrillic letters shared a file, and one was lost without a gap.
#[test]
fn types_with_long_routes_that_begin_alike_lose_nothing() {
    let dir = Workdir::new();
    let [a, b] = ["а", "б"].map(|end| "п".repeat(20) + end);
    let types =
        serde_json::json!({"post": {"rest_base": "posts"}, "a": {"rest_base": a}, "b": {"rest_base": b}}).to_string();
    let server = Server::start(posts(2), move |request| {
        let is_of = |name: &str| request.path().ends_with(name).then_some(());
        let ids = is_of(&a).map(|()| [11, 12]).or(is_of(&b).map(|()| [21, 22]));
        match (request.path(), ids) {
            ("/wp-json/wp/v2/types", _) => Some(reply("200 OK", "Content-Type: application/json\r\n", &types)),
            (_, Some(ids)) if request.parameter("lang").is_none() => {
                Some(list(request, &ids, &[], &|id| format!("{{\"id\":{id},\"type\":\"post\",\"title\":{{}}}}")))
            }
            _ => None,
        }
    });
    fetch_all(&dir, &server, "--pages none").expect(0);
    assert_eq!(ids(&dir), [1, 2, 11, 12, 21, 22]);
    // An update finds the files of each type again.
    let run = fetch_all(&dir, &server, "--pages none --update").expect(0);
    assert_eq!((ids(&dir), run.stderr.as_str()), (vec![1, 2, 11, 12, 21, 22], ""));
    assert_eq!(account(&dir)["update"]["deleted"], 0);
}

#[test]
fn a_password_goes_into_no_file() {
    let dir = Workdir::new();
    let server = Server::start(posts(1), |request| match request.path() {
        "/p1/" => Some(reply("302 Found", &format!("Location: http://bob:s3cret@{}/p2/\r\n", host(request)), "")),
        _ => None,
    });
    let run = dir.program("wp-fetch", &format!("{} -d raw", server.url.replace("//", "//bob:s3cret@")), "").expect(2);
    assert!(run.stderr.contains("--header-file") && !run.stderr.contains("s3cret"), "{}", run.stderr);
    assert!(!dir.path("raw").exists() && server.requests().is_empty());
    let run = fetch_all(&dir, &server, "--types post").expect(0);
    assert!(!run.stdout.contains("s3cret"), "{}", run.stdout);
    let targets = dir.sh("zcat raw/fetch.warc.gz | grep -a Target-URI").expect(0).stdout;
    assert!(targets.contains("/p2/") && !targets.contains("s3cret"), "{targets}");
}

#[test]
fn pages_are_those_of_records_and_their_other_languages() {
    let dir = Workdir::new();
    let server = Server::start(posts(3), |request| match request.path() {
        "/p1/" => {
            let links =
                ["/fr/p1/", "https://other.example/", "/fr/p1/?replytocom=7", "/wp-login.php", "/i.jpg", "/p2/#x"];
            let links = links.map(|href| format!("<link rel=\"alternate\" hreflang=\"fr\" href=\"{href}\">"));
            Some(page("", "One", &links.concat()))
        }
        "/fr/p1/" => Some(page("", "Un", "")),
        "/p2/" => Some(reply("404 Not Found", "", "gone")),
        "/p3/" => Some(reply("302 Found", "Location: https://other.example/\r\n", "")),
        _ => None,
    });
    let run = fetch_all(&dir, &server, "--tree").expect(0);
    assert_eq!(pages(&run, &server), ["/p1/", "/category/c1/", "/fr/p1/"]);
    let tally = &account(&dir)["pages"];
    let counts = ["got", "missing", "elsewhere", "gaps"].map(|key| tally[key].as_u64().unwrap());
    assert_eq!(counts, [3, 1, 1, 0]);
    for never in ["replytocom", "wp-login", "i.jpg"] {
        assert_eq!(server.asked(never), 0, "{never}");
    }
    let joined = dir.program("wp-index", "raw/dump --scrape raw/scrape -q", "").expect(0).records();
    let with_page = joined.iter().filter(|record| !record["scrape"]["file"].is_null());
    assert_eq!(
        with_page.map(|record| record["type"].as_str().unwrap()).collect::<Vec<_>>(),
        ["category", "post", "html", "html"]
    );
}

/// A multisite has an API for each blog, and the same ids in several; a plugin that translates in place has neither.
#[test]
fn other_blogs_that_pages_name_are_reported() {
    let dir = Workdir::new();
    let server = Server::start(posts(3), |request| {
        let root = format!("http://{}", host(request));
        let head = |blog: &str, id: u32, versions: &[&str]| {
            let version = |href: &&str| format!("<link rel=alternate hreflang=de href=\"{href}\">");
            let versions: String = versions.iter().map(version).collect();
            let api = format!("{root}{blog}/wp-json/");
            let json = format!("<link rel=alternate type=\"application/json\" href=\"{api}wp/v2/posts/{id}\">");
            Some(page("", "P", &format!("<link rel=\"https://api.w.org/\" href=\"{api}\">{json}{versions}")))
        };
        match request.path() {
            // Its translation is post 2 of another blog; two hosts have translations, one at the same path.
            "/p1/" => head("", 1, &["/de/eins/", "https://ja.example/archives/7", "https://ko.example/p1/"]),
            "/de/eins/" => head("/de", 2, &[]),
            // The same post, and a post of this blog, both in the folder of a language.
            "/p2/" => head("", 2, &["/fr/p2/", "/p3/"]),
            "/fr/p2/" => head("/fr", 2, &[]),
            "/p3/" => head("/it", 3, &[]),
            _ => None,
        }
    });
    let run = fetch_all(&dir, &server, "").expect(0);
    let blogs = [format!("{}/de/", server.url), "https://ja.example/".to_owned()];
    assert_eq!(account(&dir)["other_blogs"], serde_json::json!(blogs));
    let told = format!("other blogs, each to be fetched into a directory of its own: {}\n", blogs.join(" "));
    assert!(run.stderr.contains(&told), "{}", run.stderr);
    // A second run needs no request: the archive has the same information.
    fetch_all(&dir, &server, "").expect(0);
    assert_eq!(account(&dir)["other_blogs"], serde_json::json!(blogs));
    let cookbook = std::fs::read_to_string(repository("examples/cookbook.md")).unwrap();
    let recipe = cookbook.split("## The blogs of a multisite\n").nth(1).unwrap().split("```sh\n").nth(1).unwrap();
    let recipe = recipe.split("```").next().unwrap().replace("https://example.org/", &server.url);
    let recipe =
        recipe.replace("me@example.com", "tests --rate 10000").replace("'.other_blogs[]'", "'.other_blogs[0]'");
    let dir = Workdir::new();
    dir.sh(&recipe).expect(0);
    let names = [format!("{}_de", server.url.replace("http://", "")), "main".to_owned()];
    assert_eq!(dir.list("raw"), names);
}

/// A page of another blog that only a sitemap lists; a page that is translated in place has its own folder and API, too, and the id of the
/// original.
#[test]
fn other_blogs_that_sitemaps_list_are_reported() {
    let dir = Workdir::new();
    let server = Server::start(posts(3), |request| {
        let root = format!("http://{}", host(request));
        let head = |blog: &str, id: u32, version: &str| {
            let json = format!(
                "<link rel=alternate type=\"application/json\" href=\"{root}{blog}/wp-json/wp/v2/posts/{id}\">"
            );
            let version = format!("<link rel=alternate hreflang=de href=\"{version}\">");
            Some(page(
                "",
                "P",
                &format!("<link rel=\"https://api.w.org/\" href=\"{root}{blog}/wp-json/\">{json}{version}"),
            ))
        };
        match request.path() {
            "/" => head("", 0, ""),
            "/robots.txt" => Some(reply("200 OK", "", &format!("Sitemap: {root}/map.txt"))),
            "/map.txt" => {
                Some(reply("200 OK", "", &["/p1/", "/fr/p2/", "/news/p2/"].map(|at| format!("{root}{at}\n")).concat()))
            }
            "/p2/" => head("", 2, "/fr/p2/"),
            "/fr/p2/" => head("/fr", 2, "/fr/p2/"),
            "/news/p2/" => head("/news", 2, ""),
            _ => None,
        }
    });
    let run = fetch_all(&dir, &server, "--pages all").expect(0);
    assert_eq!(account(&dir)["other_blogs"], serde_json::json!([format!("{}/news/", server.url)]));
    assert!(run.stderr.contains("its pages name other blogs"), "{}", run.stderr);
}

#[test]
fn sitemaps_add_what_no_record_has() {
    use std::io::Write;
    let dir = Workdir::new();
    let server = Server::start(posts(1), |request| {
        let root = format!("http://{}", host(request));
        let urls = format!("<urlset><url><loc>{root}/p1/</loc></url><url><loc>{root}/plain/</loc></url></urlset>");
        let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        zipped.write_all(urls.as_bytes()).unwrap();
        match request.path() {
            "/robots.txt" => Some(reply("200 OK", "", &format!("Sitemap: {root}/map.xml\nSitemap: {root}/none.xml\n"))),
            "/map.xml" => {
                let index = format!("<sitemapindex><sitemap><loc>{root}/1.xml.gz</loc></sitemap></sitemapindex>");
                Some(reply("200 OK", "", &index))
            }
            "/1.xml.gz" => {
                let body = zipped.finish().unwrap();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\nContent-Length: {}\r\n\r\n",
                    body.len()
                );
                Some([head.as_bytes(), &body].concat())
            }
            "/plain/" => Some(page("", "Plain", "")),
            _ => None,
        }
    });
    let run = fetch_all(&dir, &server, "--pages all").expect(1);
    assert!(run.stderr.contains("/none.xml): HTTP 404"), "{}", run.stderr);
    assert_eq!(pages(&run, &server), ["/p1/", "/category/c1/", "/plain/"]);
}

/// Such sitemaps lost URLs in runs that claimed to be complete. One page with a path that file systems refuse ended this run and each later
/// one.
#[test]
fn a_page_that_cannot_be_a_file_is_in_the_archive_and_the_run_goes_on() {
    let dir = Workdir::new();
    let long = "/".to_owned() + &format!("{}/", "p".repeat(180)).repeat(30);
    let link = long.clone();
    let server = Server::start(posts(1), move |request| match request.path() {
        "/wp-json/wp/v2/posts" => Some(list(request, &[1, 2, 3], &[], &|id| {
            let path = if id == 1 { link.clone() } else { format!("/p{id}/") };
            format!("{{\"id\":{id},\"type\":\"post\",\"title\":{{}},\"link\":\"http://{}{path}\"}}", host(request))
        })),
        _ => None,
    });
    let tree = format!("raw/scrape/{}", server.url.trim_start_matches("http://"));
    dir.write(&format!("{tree}/p2"), "a file where a folder is needed");
    dir.write(&format!("{tree}/p3/index.html/x"), "a folder where a file is needed");
    for _ in 0..2 {
        let run = fetch_all(&dir, &server, "--tree --types post --stats stats.json").expect(0);
        let only = |path: &str| {
            format!("{0}{path}: its place is taken, or cannot be a path: it is only in fetch.warc.gz", server.url)
        };
        assert!(run.stderr.contains(&only("/p2/")) && run.stderr.contains(&only("/p3/")), "{}", run.stderr);
        assert!(run.stderr.lines().count() == 3 && run.stderr.contains(&long[..200]), "{}", run.stderr);
        let account = account(&dir);
        let counts = ["got", "gaps", "only_in_archive"].map(|key| account["pages"][key].as_u64().unwrap());
        assert_eq!((counts, &account["complete"]), ([3, 0, 3], &true.into()));
        assert_eq!(serde_json::from_str::<Value>(&dir.read("stats.json")).unwrap()["defects"]["only_in_archive"], 3);
    }
    let index = dir.program("wp-index", "raw/dump --scrape raw/fetch.warc.gz -q", "").expect(0);
    assert_eq!(
        index.records().iter().filter(|record| record["type"] == "post" && !record["scrape"]["file"].is_null()).count(),
        3
    );
}

#[test]
fn a_sitemap_is_read_to_its_end_or_is_a_gap() {
    let dir = Workdir::new();
    let server = Server::start(posts(1), |request| {
        let map = |entries: &str| Some(reply("200 OK", "", &format!("<urlset>{entries}</urlset>")));
        let url = |path: &str| format!("<url><loc>{path}</loc></url>");
        match request.path() {
            "/robots.txt" => Some(reply("200 OK", "", &format!("Sitemap: http://{}/maps/index.xml", host(request)))),
            "/maps/index.xml" => {
                let maps = ["bare.xml", "prefix.xml", "cut.xml"]
                    .map(|map| format!("<m:sitemap><m:loc>{map}</m:loc></m:sitemap>"));
                Some(reply("200 OK", "", &format!("<m:sitemapindex>{}</m:sitemapindex>", maps.concat())))
            }
            "/maps/bare.xml" => map(&[url("/plain/?a=1&b=2"), url("/plain/2/")].concat()),
            "/maps/prefix.xml" => {
                Some(reply("200 OK", "", "<m:urlset><m:url><m:loc>../plain/3/</m:loc></m:url></m:urlset>"))
            }
            "/maps/cut.xml" if request.before > 0 => map(&[url("/plain/4/"), url("/plain/5/")].concat()),
            "/maps/cut.xml" => Some(reply("200 OK", "", &format!("<urlset>{}<url><lo", url("/plain/4/")))),
            path if path.starts_with("/plain/") => Some(page("", "Plain", "")),
            _ => None,
        }
    });
    let run = fetch_all(&dir, &server, "--pages all").expect(1);
    let cut = format!("{0}/: sitemap ({0}/maps/cut.xml): not well-formed XML, so that URLs may be missing", server.url);
    assert_eq!(run.stderr, format!("wp-fetch: {cut}\n"));
    assert_eq!(pages(&run, &server)[2..], ["/plain/?a=1&b=2", "/plain/2/", "/plain/3/", "/plain/4/"]);
    assert_eq!((&account(&dir)["complete"], &account(&dir)["gaps"]), (&false.into(), &1.into()));
    // Like any other gap, it is requested by the next run.
    let before = server.requests().len();
    fetch_all(&dir, &server, "--pages all").expect(0);
    assert_eq!(server.requests()[before..], ["/maps/cut.xml", "/plain/5/"]);
}

#[test]
fn a_page_that_fails_is_a_gap_and_the_next_run_asks_for_nothing_else() {
    let dir = Workdir::new();
    let server = Server::start(posts(3), |request| {
        (request.path() == "/p2/" && request.before < 2).then(|| reply("500 x", "", "<h1>error</h1>"))
    });
    let run = fetch_all(&dir, &server, "--retries 1").expect(1);
    assert_eq!(run.stderr, format!("wp-fetch: {0}/: page ({0}/p2/): HTTP 500\n", server.url));
    let before = server.requests().len();
    let run = fetch_all(&dir, &server, "--retries 1").expect(0);
    assert_eq!(server.requests()[before..], ["/p2/"]);
    assert_eq!(pages(&run, &server), ["/p2/"]);
    assert_eq!((&account(&dir)["complete"], &account(&dir)["pages"]["got"]), (&true.into(), &4.into()));
}

#[test]
fn languages_that_lists_leave_out_are_asked_for() {
    let dir = Workdir::new();
    let inner = Server::start(Content { ids: (1001..=1150).collect(), ..Content::default() }, |_| None);
    let (english, root) = (Server::plain(150), inner.url.clone());
    let plain = english.url.clone();
    let server = Server::start(posts(150), move |request| match (request.path(), request.parameter("lang")) {
        ("/", _) => {
            let head = "<link rel=\"alternate\" hreflang=\"en-US\" href=\"/\"><link rel=\"alternate\" hreflang=\"fr-FR\" href=\"/fr/\">";
            Some(page("Link: </wp-json/>; rel=\"https://api.w.org/\"\r\n", "Front", head))
        }
        ("/wp-json/wp/v2/posts", Some("fr")) => Some(ask(&root, &request.target)),
        ("/wp-json/wp/v2/posts", Some(_)) => Some(ask(&plain, &request.target)),
        _ => None,
    });
    fetch(&dir, &server, "").expect(0);
    assert_eq!(ids(&dir), (1..=150).chain(1001..=1150).collect::<Vec<_>>());
    let names = dir.list("raw/dump");
    assert!(
        names.contains(&"posts.fr-0002.json".to_owned()) && !names.iter().any(|name| name.contains("en")),
        "{names:?}"
    );
}

/// Checks that the whole archive can be read, and counts its records of this type.
fn archived(dir: &Workdir, kind: &str) -> usize {
    let archive = dir.read_bytes("raw/fetch.warc.gz");
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(archive.as_slice()), &mut text).unwrap();
    String::from_utf8_lossy(&text).matches(&format!("WARC/1.1\r\nWARC-Type: {kind}\r\n")).count()
}

#[test]
fn killed_at_any_moment_it_goes_on_where_it_was() {
    let server = Server::start(Content { hidden: vec![7, 130], ..posts(230) }, |_| None);
    let more = "--types post,category --rate 500";
    let run =
        |dir: &Workdir| dir.program("wp-fetch", &format!("{} -d raw --contact tests {more}", server.url), "").expect(0);
    let undisturbed = Workdir::new();
    let whole = run(&undisturbed);
    let requests = server.requests();
    let dir = Workdir::new();
    for moment in 1..=20 {
        let seen = server.requests().len();
        let mut child = std::process::Command::new(binaries().join("wp-fetch"))
            .args([&server.url, "-d", "raw", "--contact", "tests"])
            .args(more.split(' '))
            .current_dir(dir.path(""))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while server.requests().len() < seen + moment && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let asked = server.requests().len();
    run(&dir);
    assert!(asked > requests.len() + 100, "the fetch was killed before its end: {asked} of twice {}", requests.len());
    assert!(server.requests().len() <= 2 * requests.len() + 20, "only requests that were under way are repeated");
    assert_eq!(dir.list("raw/dump"), undisturbed.list("raw/dump"));
    for name in dir.list("raw/dump") {
        assert_eq!(dir.read(&format!("raw/dump/{name}")), undisturbed.read(&format!("raw/dump/{name}")), "{name}");
    }
    for key in ["collections", "pages", "complete"] {
        assert_eq!(account(&dir)[key], account(&undisturbed)[key]);
    }
    let urls = |log: &str| {
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["event"] == "request").map(|line| line["url"].to_string()).collect::<BTreeSet<_>>()
    };
    assert_eq!(urls(&dir.read("raw/fetch.ndjson")), urls(&whole.stdout));
    assert_eq!(archived(&dir, "response"), requests.len(), "torn records are removed");
}

/// `kill -9` of a run with --tree left a file that wp-index took for a page.
#[test]
fn a_page_that_a_kill_left_half_written_becomes_no_record_and_goes() {
    let (dir, server) = (Workdir::new(), Server::plain(2));
    fetch_all(&dir, &server, "--tree").expect(0);
    let folder = format!("raw/scrape/{}", server.url.trim_start_matches("http://"));
    let half = ["p1/.index.html.aB3dE6.part", ".index.html?p=1.123456.part"].map(|name| format!("{folder}/{name}"));
    let others = ["p1/.index.html.part", "p1/.notes.aB3dE6.part"].map(|name| format!("{folder}/{name}"));
    for (name, text) in
        half.iter().map(|name| (name, "<!DOCTYPE html><title>Half")).chain(others.iter().map(|name| (name, "x")))
    {
        dir.write(name, text);
    }
    dir.write("raw/.fetch.json.aB3dE6.part", "{");
    let run = dir.program("wp-index", "raw/dump --scrape raw/scrape -v --stats stats.json", "").expect(0);
    assert!(!run.stdout.contains("Half") && !run.stdout.contains(".part"), "{}", run.stdout);
    assert!(
        run.stderr.contains(&format!("{}: not complete when its program was killed, skipped", half[0])),
        "{}",
        run.stderr
    );
    assert_eq!(serde_json::from_str::<Value>(&dir.read("stats.json")).unwrap()["not_html"], 4);
    fetch_all(&dir, &server, "").expect(0);
    assert!(half.iter().all(|name| !dir.path(name).exists()) && others.iter().all(|name| dir.path(name).exists()));
    assert!(!dir.path("raw/.fetch.json.aB3dE6.part").exists());
}

#[test]
fn torn_ends_of_archive_and_log_are_cut_off() {
    let (dir, server) = (Workdir::new(), Server::plain(150));
    fetch(&dir, &server, "").expect(0);
    let asked = server.requests().len();
    let responses = archived(&dir, "response");
    let append = |name: &str, bytes: &[u8]| dir.write(name, [dir.read_bytes(name).as_slice(), bytes].concat());
    append("raw/fetch.warc.gz", b"\x1f\x8b\x08\0\0torn");
    append("raw/fetch.ndjson", b"{\"time\":\"2026");
    fetch(&dir, &server, "").expect(0);
    assert_eq!((server.requests().len(), archived(&dir, "response")), (asked, responses), "and nothing is asked again");
    // If the archive is shorter than the log says, the missing responses are requested again.
    let half = dir.read_bytes("raw/fetch.warc.gz");
    dir.write("raw/fetch.warc.gz", &half[..half.len() / 2]);
    fetch(&dir, &server, "").expect(0);
    assert_eq!(archived(&dir, "response"), responses);
    assert!(server.requests().len() > asked);
    // An archive without its log is not touched.
    std::fs::remove_file(dir.path("raw/fetch.ndjson")).unwrap();
    let run = fetch(&dir, &server, "").expect(2);
    assert!(run.stderr.contains("there is an archive, but no log of it"), "{}", run.stderr);
    assert_eq!(archived(&dir, "response"), responses);
}

/// 250 posts. After the first fetch, 3 and 240 are changed, 7 and 8 deleted, and 251 and 252 added; the date of post 100 is in the future,
/// so that comparing dates does not show whether it has changed.
fn changed_since() -> (Workdir, Server) {
    let dir = Workdir::new();
    let content = Content { modified: [(100, "2999-01-01T00:00:00")].into(), ..posts(250) };
    let server = Server::start(content, |_| None);
    fetch_all(&dir, &server, "").expect(0);
    server.change(|content| {
        content.ids = (1..=252).filter(|id| ![7, 8].contains(id)).collect();
        content.modified.extend([(3, "2021-01-01T00:00:00"), (240, "2021-01-01T00:00:00")]);
    });
    (dir, server)
}

/// The texts of the posts in a dump, by id.
fn texts(dir: &Workdir, dump: &str) -> BTreeMap<i64, String> {
    let index = dir.program("wp-index", &format!("raw/{dump} -q"), "").records().into_iter();
    let posts = index.filter(|record| record["type"] == "post").map(|record| record["api"].clone());
    posts.map(|post| (post["id"].as_i64().unwrap(), post["content"]["rendered"].to_string())).collect()
}

#[test]
fn an_update_requests_new_and_changed_items_and_lists_the_deleted_ones() {
    let (dir, server) = changed_since();
    let before = server.requests().len();
    let old = texts(&dir, "dump");
    let run = fetch_all(&dir, &server, "--update").expect(0);
    assert_eq!(run.stderr, "");
    let asked = server.requests()[before..].to_vec();
    let lists: Vec<&String> = asked.iter().filter(|target| target.contains("/posts?")).collect();
    assert_eq!(lists.len(), 5, "three pages of the inventory, new or changed items, deleted items: {lists:?}");
    assert!(lists[3].contains("include=3,100,240,251,252&") && lists[4].contains("include=7,8&"), "{lists:?}");
    let pages: Vec<&str> = asked.iter().map(String::as_str).filter(|target| target.starts_with("/p")).collect();
    assert_eq!(pages, ["/p3/", "/p240/", "/p251/", "/p252/"], "and the pages of changed items");
    assert_eq!(ids(&dir), (1..=252).filter(|id| ![7, 8].contains(id)).collect::<Vec<_>>());
    let now = texts(&dir, "dump");
    assert_eq!(now[&3], "\"<p>Text 3 of 2021-01-01T00:00:00.</p>\"");
    assert!(now.iter().all(|(id, text)| [3, 240, 251, 252].contains(id) || old[id] == *text));
    let account = account(&dir);
    assert_eq!(counts(&dir), [250, 250, 250, 0, 0, 0].map(Some));
    let post = &account["collections"].as_array().unwrap().iter().find(|one| one["type"] == "post").unwrap().clone();
    assert_eq!(["new", "changed", "deleted"].map(|key| post[key].as_u64()), [2, 2, 2].map(Some));
    // The account names the place of the previous dump, and the deleted posts are listed.
    let place = account["update"]["before"].as_str().unwrap();
    assert!(place.starts_with("dumps/20") && texts(&dir, place) == old, "{place}");
    assert_eq!((dir.list("raw/dumps").len(), dir.path("raw/dump.new").exists()), (1, false));
    let gone: Vec<Value> =
        dir.read("raw/deleted.ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |line: &Value| (line["type"].clone(), line["id"].clone(), line["link"].clone(), line["dump"].clone());
    let link = |id: i64| format!("{}/p{id}/", server.url);
    assert_eq!(
        gone.iter().map(told).collect::<Vec<_>>(),
        [7, 8].map(|id: i64| ("post".into(), id.into(), link(id).into(), place.into()))
    );
    // The same command without --update finds everything in place, and makes no requests.
    let (before, log) = (server.requests().len(), dir.read("raw/deleted.ndjson"));
    fetch_all(&dir, &server, "").expect(0);
    assert_eq!((server.requests().len(), dir.read("raw/deleted.ndjson")), (before, log));
    assert_eq!(texts(&dir, "dump"), now);
    // Another update, of the one category, which has been deleted: terms have no dates.
    server.change(|content| content.ids.clear());
    fetch_all(&dir, &server, "--update --types post,category").expect(0);
    assert_eq!(ids(&dir), Vec::<i64>::new());
    assert_eq!((dir.list("raw/dumps").len(), dir.read("raw/deleted.ndjson").lines().count()), (2, 252));
}

/// Terms, featured images and descriptions of images change without a new date: an update kept the old ones.
#[test]
fn an_update_sees_what_changes_without_a_new_date() {
    let state = Arc::new(AtomicUsize::new(0));
    let now = state.clone();
    let server = Server::start(posts(5), move |request| {
        let now = now.load(Ordering::SeqCst) as i64;
        let item = |id: i64| {
            let (genre, image, sticky) =
                (if id == 2 { now } else { 0 }, if id == 3 { now } else { 0 }, id == 4 && now > 0);
            format!(
                "{{\"id\":{id},\"type\":\"post\",\"link\":\"http://x/p{id}/\",\"modified_gmt\":\"2020-01-01T00:00:00\",\"title\":{{}},\
                 \"genre\":[{genre}],\"featured_media\":{image},\"sticky\":{sticky},\"content\":{{\"rendered\":\"\"}}}}"
            )
        };
        (request.path() == "/wp-json/wp/v2/posts").then(|| list(request, &[1, 2, 3, 4, 5], &[], &item))
    });
    let dir = Workdir::new();
    fetch_all(&dir, &server, "--pages none").expect(0);
    state.store(7, Ordering::SeqCst);
    let before = server.requests().len();
    fetch_all(&dir, &server, "--pages none --update").expect(0);
    let asked = server.requests()[before..].to_vec();
    assert!(asked.iter().any(|target| target.contains("_fields=id,link,modified_gmt,featured_media,genre,sticky")));
    assert!(asked.iter().any(|target| target.contains("include=2,3,4&")), "{asked:?}");
    let from = |input: &str| {
        let found = dir.program("wp-index", &format!("{input} -q --site s"), "").expect(0).records();
        found
            .into_iter()
            .filter(|record| record["type"] == "post")
            .map(|record| record["api"].clone())
            .collect::<Vec<_>>()
    };
    let by_id = |mut items: Vec<Value>| {
        items.sort_by_key(|item| item["id"].as_i64());
        items
    };
    let items = by_id(from("raw/dump"));
    let seen = [&items[1]["genre"][0], &items[2]["featured_media"], &items[3]["sticky"]].map(Value::to_string);
    assert_eq!(seen, ["7", "7", "true"]);
    assert_eq!(by_id(from("raw/fetch.warc.gz")), items, "an inventory is not a list of items");
}

/// A cache that returns each list empty, and a plugin that stops listing its type, do not prove that the items were deleted.
#[test]
fn lists_that_turn_empty_are_asked_for_by_id_before_they_are_believed() {
    let state = Arc::new(AtomicUsize::new(0));
    let now = state.clone();
    let server = Server::start(posts(5), move |request| {
        let (now, empty) = (now.load(Ordering::SeqCst), "X-WP-Total: 0\r\nX-WP-TotalPages: 0\r\n");
        let book = |id: i64| format!("{{\"id\":{id},\"type\":\"book\",\"title\":{{}}}}");
        match (request.path(), now) {
            ("/wp-json/wp/v2/types", 0) => {
                Some(json("{\"post\":{\"rest_base\":\"posts\"},\"book\":{\"rest_base\":\"böks\"}}"))
            }
            ("/wp-json/wp/v2/böks", 0 | 1) => Some(list(request, &[21, 22], &[], &book)),
            ("/wp-json/wp/v2/posts", 1) => Some(reply("200 OK", empty, "[]")),
            _ => None,
        }
    });
    let dir = Workdir::new();
    fetch_all(&dir, &server, "--pages none").expect(0);
    for (moment, kept) in [(1, [1, 2, 3, 4, 5].as_slice()), (2, &[1, 2, 3, 4, 5])] {
        state.store(moment, Ordering::SeqCst);
        fetch_all(&dir, &server, "--pages none --update");
        let deleted = account(&dir)["update"]["deleted"].as_u64().unwrap();
        assert_eq!((ids(&dir).as_slice(), deleted as usize, books(&dir)), (kept, 2 * moment - 2, 4 - 2 * moment));
    }
}

/// The number of items of type book in the dump.
fn books(dir: &Workdir) -> usize {
    let index = dir.program("wp-index", "raw/dump -q", "").records().into_iter();
    index.filter(|record| record["type"] == "book").count()
}

/// Type, id and address of all records of a dump and a scrape, except the front page.
fn records(dir: &Workdir, flags: &str) -> BTreeSet<String> {
    let index = dir.program("wp-index", &format!("{flags} -q"), "").expect(0).records().into_iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().split('/').skip(3).collect::<Vec<_>>().join("/");
    let all = index.map(|record| format!("{} {} /{}", record["type"], record["id"], text(&record["link"])));
    all.filter(|record| !record.ends_with(" /")).collect()
}

/// After the first fetch, post 7 and a comment on post 1 are deleted, 8 is private, 3 has another address, 4 another text, and the pages of
/// 5 do not answer. All posts have French versions.
fn gone_since(more: &str) -> (Workdir, Server) {
    let dir = Workdir::new();
    let server = Server::start(Content { is_strict: true, comments: vec![11, 12], ..posts(8) }, |_| None);
    fetch_all(&dir, &server, more).expect(0);
    server.change(|content| {
        content.comments.pop();
        content.ids.retain(|id| ![7, 8].contains(id));
        content.moved.push(3);
        content.closed.push(5);
        content.modified.extend([(4, "2021-01-01T00:00:00"), (5, "2021-01-01T00:00:00")]);
    });
    (dir, server)
}

const UPDATE: &str = "--update --retries 0";

/// The pages of deleted posts came back from the scrape and from the archive: as html records of posts that are private now.
#[test]
fn items_that_an_update_found_deleted_do_not_come_back() {
    let (dir, server) = gone_since("--tree");
    fetch_all(&dir, &server, UPDATE).expect(1);
    let posts = [(1, "/p1/"), (2, "/p2/"), (3, "/moved/p3/"), (4, "/p4/"), (5, "/p5/"), (6, "/p6/")];
    let post = |(id, link): &(i64, &str)| format!("\"post\" {id} {link}");
    let french = |(id, _): &(i64, &str)| format!("\"html\" null /fr/p{id}/");
    let mut there: BTreeSet<String> = posts.iter().map(post).chain(posts.iter().map(french)).collect();
    there.insert("\"category\" 1 /category/c1/".to_owned());
    there.insert("\"comment\" 11 /p1/#comment-11".to_owned());
    let archive = "raw/fetch.warc.gz";
    let ways = [
        "raw/dump --scrape raw/scrape",
        "raw/dump --scrape raw/fetch.warc.gz",
        &format!("{archive} --scrape {archive}"),
    ];
    for flags in ways {
        assert_eq!(records(&dir, flags), there, "{flags}");
        let paged = dir.program("wp-index", &format!("{flags} -q"), "").records().into_iter();
        let paged = paged.filter(|record| record["type"] == "post" && record["scrape"]["file"].is_string());
        assert_eq!(paged.count(), 6, "each with its page: {flags}");
    }
    assert_eq!(texts(&dir, "fetch.warc.gz")[&4], "\"<p>Text 4 of 2021-01-01T00:00:00.</p>\"");
    // Deleted records are still in the previous dump, and the account counts them.
    let account = account(&dir);
    let before = account["update"]["before"].as_str().unwrap();
    let host = server.url.split_once("://").unwrap().1;
    assert_eq!(dir.list(&format!("raw/{before}/scrape/{host}")), ["fr", "p3", "p7", "p8"]);
    assert_eq!(dir.list(&format!("raw/{before}/scrape/{host}/fr")), ["p7", "p8"]);
    assert_eq!((&account["update"]["deleted"], &account["update"]["pages"]), (&3.into(), &5.into()));
    // Running the same update again reports nothing new; a record that has been restored is included.
    let size = || dir.read_bytes(archive).len();
    server.change(|content| content.closed.clear());
    fetch_all(&dir, &server, "").expect(0);
    server.change(|content| content.ids.push(7));
    fetch_all(&dir, &server, "--update").expect(0);
    let before = size();
    there.extend([post(&(7, "/p7/")), french(&(7, ""))]);
    for flags in ways {
        assert_eq!(records(&dir, flags), there, "{flags}");
    }
    fetch_all(&dir, &server, "").expect(0);
    assert!(size() < before + 600, "only the record of the run was added");
}

/// Pages that an update does not request: they are dropped if their records have been deleted, and so are their translations.
#[test]
fn an_update_of_some_types_or_without_pages_leaves_nothing_that_is_gone_either() {
    for (more, status) in [("--pages none", 0), ("--types post", 1)] {
        let (dir, server) = gone_since("--tree");
        fetch_all(&dir, &server, &format!("{UPDATE} {more}")).expect(status);
        for flags in ["raw/dump --scrape raw/scrape", "raw/fetch.warc.gz --scrape raw/fetch.warc.gz"] {
            let found = records(&dir, flags);
            let gone = ["/p3/", "/p7/", "/p8/", "/fr/p7/", "/fr/p8/"].map(|place| format!(" {place}"));
            assert!(!found.iter().any(|record| gone.iter().any(|gone| record.ends_with(gone))), "{more}: {found:?}");
            assert!(["/p1/", "/p5/", "/fr/p1/"].iter().all(|place| found.iter().any(|record| record.ends_with(place))));
        }
    }
}

/// A page that states the id of a deleted item, at an address that has no other reference.
#[test]
fn a_page_that_states_a_deleted_item_goes_with_it_wherever_it_lies() {
    let dir = Workdir::new();
    let server = Server::start(posts(3), |request| {
        let root = format!("http://{}", host(request));
        let of = |id: i64| {
            format!("<link rel=alternate type=\"application/json\" href=\"{root}/wp-json/wp/v2/posts/{id}\">")
        };
        match request.path() {
            "/robots.txt" => Some(reply("200 OK", "", &format!("Sitemap: {root}/map.txt"))),
            "/map.txt" => Some(reply("200 OK", "", &[2, 3].map(|id| format!("{root}/print/{id}/\n")).concat())),
            path => Some(page("", path, &of(path.strip_prefix("/print/")?.trim_matches('/').parse().ok()?))),
        }
    });
    fetch_all(&dir, &server, "--tree --pages all").expect(0);
    server.change(|content| content.ids.retain(|id| *id != 2));
    fetch_all(&dir, &server, "--types post --update").expect(0);
    for flags in ["raw/dump --scrape raw/scrape", "raw/fetch.warc.gz --scrape raw/fetch.warc.gz"] {
        let found = records(&dir, flags);
        assert!(!found.iter().any(|record| record.ends_with("/print/2/") || record.ends_with(" /p2/")), "{found:?}");
        assert!(found.iter().any(|record| record.ends_with(" /p3/")), "{found:?}");
    }
    assert!(!dir.path(&format!("raw/scrape/{}/print/2/index.html", server.url.split_once("://").unwrap().1)).exists());
}

#[test]
fn a_killed_update_is_resumed_with_the_same_result() {
    let (undisturbed, other) = changed_since();
    fetch_all(&undisturbed, &other, "--update").expect(0);
    let (dir, server) = changed_since();
    let is_at_its_end = || dir.read("raw/fetch.ndjson").lines().last().is_some_and(|line| line.contains("\"end\""));
    for moment in [1, 1, 2, 1, 2, 1] {
        let seen = server.requests().len();
        let mut child = std::process::Command::new(binaries().join("wp-fetch"))
            .args([&server.url, "-d", "raw", "--contact", "tests", "--rate", "100", "--update"])
            .current_dir(dir.path(""))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while server.requests().len() < seen + moment && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!is_at_its_end(), "the fetch was killed before its end");
        assert_eq!(ids(&dir).len(), 250, "the previous dump stays until the end");
    }
    assert!(dir.path("raw/dump.new").exists());
    // Without --update, the run resumes as well.
    fetch_all(&dir, &server, "").expect(0);
    assert_eq!(texts(&dir, "dump"), texts(&undisturbed, "dump"));
    assert_eq!(dir.list("raw/dump"), undisturbed.list("raw/dump"));
    assert_eq!(dir.list("raw/dumps").len(), 1);
    assert_eq!(dir.read("raw/deleted.ndjson").lines().count(), 2);
    for key in ["collections", "pages", "complete"] {
        assert_eq!(account(&dir)[key], account(&undisturbed)[key]);
    }
}

#[test]
fn an_update_of_a_site_that_is_closed_meanwhile_leaves_the_dump_as_it_is() {
    let dir = Workdir::new();
    let is_closed = Arc::new(AtomicUsize::new(0));
    let closed = is_closed.clone();
    let server = Server::start(posts(5), move |request| {
        let is_closed = closed.load(Ordering::SeqCst) == 1 && request.path().starts_with("/wp-json/");
        is_closed.then(|| error("401 Unauthorized", "rest_not_logged_in"))
    });
    fetch(&dir, &server, "").expect(0);
    is_closed.store(1, Ordering::SeqCst);
    server.change(|content| content.ids.push(6));
    fetch(&dir, &server, "--update").expect(1);
    assert_eq!(ids(&dir), [1, 2, 3, 4, 5]);
    assert!(!dir.path("raw/deleted.ndjson").exists());
    is_closed.store(0, Ordering::SeqCst);
    fetch(&dir, &server, "--update").expect(0);
    assert_eq!(ids(&dir), [1, 2, 3, 4, 5, 6]);
    assert_eq!(dir.list("raw/dumps").len(), 1);
    let other = Server::plain(1);
    let run = fetch(&dir, &other, "--update").expect(2);
    assert!(run.stderr.contains("was fetched into this directory"), "{}", run.stderr);
}

#[test]
fn two_runs_do_not_work_in_one_directory() {
    let (dir, server) = (Workdir::new(), Server::plain(1));
    dir.write("raw/.lock", "");
    let command = format!("flock raw/.lock wp-fetch {} -d raw --rate 10000", server.url);
    let run = dir.sh(&command).expect(2);
    assert_eq!((run.stderr.as_str(), server.requests().len()), ("wp-fetch: raw: another run is at work here\n", 0));
}

/// If there is no memory for the stacks of threads, names are resolved without one, and the sites are fetched one after the other.
#[test]
fn threads_that_cannot_be_started_are_done_without() {
    let (dir, server) = (Workdir::new(), Server::plain(3));
    let refused = "export RUST_MIN_STACK=140737488355328";
    let run = dir.sh(&format!("{refused}; wp-fetch {} -d raw --rate 10000 --pages none", server.url)).expect(0);
    assert_eq!((run.stderr.as_str(), ids(&dir)), ("", vec![1, 2, 3]));
}

#[test]
fn what_a_hostile_server_can_do_is_limited() {
    use std::io::Write;
    let zeros = |length: usize| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&vec![0; length]).unwrap();
        gzip.finish().unwrap()
    };
    let head =
        |headers: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{headers}\r\n").into_bytes();
    let endless = [head(""), vec![b' '; 65 << 20]].concat();
    let bomb = zeros(16 << 20).repeat(17);
    let bomb = [head(&format!("Content-Encoding: gzip\r\nContent-Length: {}\r\n", bomb.len())), bomb].concat();
    let wordy = [head(&format!("X-Header: {}\r\n", "1".repeat(1 << 20))), b"{}".to_vec()].concat();
    let many = [head(&"X-Header: 1\r\n".repeat(1_000_000)), b"{}".to_vec()].concat();
    let circle = reply("302 Found", "Location: /wp-json/?again\r\n", "");
    for (answer, words) in [
        (endless, "more than 64 MiB"),
        (bomb, "more than 256 MiB when decompressed"),
        (wordy, "a head of more than 64 KiB"),
        (many, "too many headers"),
        (circle, "more than 10 redirects"),
    ] {
        let dir = Workdir::new();
        let server =
            Server::start(posts(1), move |request| request.path().starts_with("/wp-json/").then(|| answer.clone()));
        let run = fetch(&dir, &server, "--retries 0").expect(1);
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
}

/// Each try of an endless body was kept, 64 MiB of it, and an unreadable list was requested 211 times, in halves.
#[test]
fn a_list_that_cannot_be_read_is_left_after_a_few_requests_and_little_of_it_is_kept() {
    for (answer, words) in [
        (
            [b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".as_slice(), &vec![b'\t'; 65 << 20]].concat(),
            "more than 64 MiB",
        ),
        (b"nonsense\r\n\r\n".to_vec(), "not HTTP"),
        ([b"HTTP/1.1 200 OK\r\nX: ".as_slice(), &vec![b'y'; 1 << 20]].concat(), "a head of more than 64 KiB"),
    ] {
        let dir = Workdir::new();
        let server = Server::start(posts(300), move |request| is_list(request).then(|| answer.clone()));
        let run = fetch(&dir, &server, "--retries 0").expect(1);
        assert!(run.stderr.contains(words) && run.stderr.contains("5 requests in a row"), "{}", run.stderr);
        assert!(server.asked("/wp/v2/posts?") < 20, "{words}: {}", server.asked("/wp/v2/posts?"));
        assert!(dir.read_bytes("raw/fetch.warc.gz").len() < 1 << 20);
    }
}

/// Plugins that block the listing of users do this; the site itself answers, and everything else is fetched.
#[test]
fn a_list_that_is_answered_by_something_else_is_a_gap_and_the_rest_is_fetched() {
    let redirect = reply("302 Found", "Location: /\r\n", "");
    let other = [
        (redirect, "HTML, not JSON (it leads to http://"),
        (page("", "", ""), "HTML, not JSON"),
        (json("null"), "broken JSON"),
        (json(""), "an empty body"),
    ];
    for (answer, why) in other {
        let dir = Workdir::new();
        let server = Server::start(posts(120), move |request| {
            let is_hidden = ["/wp-json/wp/v2/users", "/wp-json/wp/v2/comments"].contains(&request.path());
            is_hidden.then(|| answer.clone())
        });
        let run = fetch_all(&dir, &server, "--retries 1 --pages none").expect(1);
        assert!(!run.stderr.contains("in a row"), "{}", run.stderr);
        let account = account(&dir);
        let of = |name: &str| {
            let collections = account["collections"].as_array().unwrap();
            collections.iter().find(|collection| collection["type"] == name).unwrap().clone()
        };
        for name in ["user", "comment"] {
            assert!(of(name)["refused"].as_str().unwrap().starts_with(why), "{}", of(name));
            assert_eq!(of(name)["gaps"], 1);
        }
        assert_eq!((&of("post")["got"], &of("post")["gaps"]), (&120.into(), &0.into()));
        assert!(server.asked("/wp/v2/users?") < 6);
        let tolerant = fetch_all(&dir, &server, "--retries 1 --pages none --max-gaps 2");
        assert_eq!(tolerant.status, 0, "{}", tolerant.stderr);
    }
}

/// Relative links to translations, on a site that answers at every path: they never ended.
#[test]
fn versions_of_versions_have_an_end() {
    let dir = Workdir::new();
    let deeper = |request: &Request| {
        let links: String =
            ["fr", "de", "it"].map(|tag| format!("<link rel=alternate hreflang={tag} href={tag}/>")).concat();
        let is_page =
            !request.path().starts_with("/wp-json") && request.path() != "/robots.txt" && request.path() != "/";
        is_page.then(|| page("", "", &links))
    };
    let server = Server::start(posts(2), deeper);
    let run = fetch_all(&dir, &server, "").expect(1);
    // Two posts and a category, each with 3 translations and 9 translations of those.
    let pages = server.requests().iter().filter(|target| target.contains("/p") && !target.contains("wp-json")).count();
    assert_eq!(pages, 2 * 13);
    assert_eq!(run.stderr.matches("2 steps away: not asked for").count(), 3, "{}", run.stderr);
    let wide = |request: &Request| {
        let link = |n: u32| format!("<link rel=alternate hreflang=fr href=/v{n}/>");
        (request.path() == "/p1/").then(|| page("", "", &(0..300).map(link).collect::<String>()))
    };
    let (dir, server) = (Workdir::new(), Server::start(posts(1), wide));
    let run = fetch_all(&dir, &server, "").expect(1);
    assert!(run.stderr.contains("/v250/): a version in another language, beyond 250 of a page"), "{}", run.stderr);
    assert_eq!(server.requests().iter().filter(|target| target.starts_with("/v")).count(), 250);
}

#[test]
fn rules_behind_a_redirect_are_obeyed_and_those_that_cannot_be_reached_forbid_all() {
    let rules = Server::start(Content::default(), |request| {
        assert!(!request.head.contains("secret"), "headers for the site go to no other host");
        Some(reply("200 OK", "", "User-agent: wpipe\nDisallow: /p2/\n"))
    });
    let to = |target: String| {
        Server::start(posts(3), move |request| {
            let redirect = reply("301 Moved Permanently", &format!("Location: {target}\r\n"), "");
            (request.path() == "/robots.txt").then_some(redirect)
        })
    };
    let (dir, server) = (Workdir::new(), to(format!("{}/robots.txt", rules.url)));
    dir.write("headers", "X-Key: secret\n");
    fetch_all(&dir, &server, "--header-file headers").expect(0);
    assert_eq!((rules.requests().len(), server.asked("/p1/"), server.asked("/p2/")), (1, 1, 0));
    assert_eq!(account(&dir)["pages"]["disallowed"], 1);
    for target in ["/robots.txt", "http://169.254.169.254/robots.txt", "file:///etc/passwd"] {
        let (dir, server) = (Workdir::new(), to(target.to_owned()));
        let run = fetch_all(&dir, &server, "--retries 0").expect(1);
        assert!(run.stderr.contains("robots.txt cannot be read"), "{target}: {}", run.stderr);
        assert_eq!(server.asked("wp-json"), 0, "{target}");
    }
}

/// The cause was known after the first request, but reported only after minutes.
#[test]
fn a_missing_host_server_or_wordpress_is_reported_at_once() {
    let (dir, listener) = (Workdir::new(), std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let closed = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for (url, words) in
        [("http://no-such-host.invalid", "site: no such host"), (closed.as_str(), "site: connection refused")]
    {
        let run = dir.program("wp-fetch", &format!("{url} -d raw{} --contact t", words.len()), "").expect(1);
        assert!(run.stderr.contains(words), "{}", run.stderr);
        // A permitted number of gaps does not cover a site that is down.
        let flags = format!("{url} -d raw{} --contact t --max-gaps 9", words.len());
        dir.program("wp-fetch", &flags, "").expect(1);
    }
    // A server that answers everything, and one that knows only its front page.
    for (is_lax, requests) in [(true, 8), (false, 6)] {
        let dir = Workdir::new();
        let server = Server::start(Content::default(), move |request| {
            let is_there = is_lax || request.path() == "/";
            Some(if is_there { page("", "Mine", "") } else { reply("404 Not Found", "", "") })
        });
        let run = dir.program("wp-fetch", &format!("{} -d raw --contact t --rate 100", server.url), "").expect(1);
        assert!(run.stderr.contains("no WordPress here, or its API is switched off"), "{}", run.stderr);
        assert_eq!(server.requests().len(), requests, "{:?}", server.requests());
    }
}

#[test]
fn a_total_that_is_too_low_is_not_believed_where_the_page_is_full() {
    let (dir, inner) = (Workdir::new(), Server::plain(250));
    let root = inner.url.clone();
    let server = Server::start(posts(250), move |request| {
        let honest = is_list(request).then(|| String::from_utf8(ask(&root, &request.target)).unwrap())?;
        Some(
            honest
                .replace("X-WP-Total: 250", "X-WP-Total: 100")
                .replace("X-WP-TotalPages: 3", "X-WP-TotalPages: 1")
                .into_bytes(),
        )
    });
    let run = fetch(&dir, &server, "").expect(1);
    assert_eq!(ids(&dir).len(), 250);
    assert!(run.stderr.contains("posts: 250 items, 0 hidden and 0 gaps of 100: the site miscounts"), "{}", run.stderr);
}

#[test]
fn no_route_names_a_file_outside_the_dump_and_no_total_is_believed() {
    let dir = Workdir::new();
    let server = Server::start(posts(3), |request| match request.path() {
        "/wp-json/wp/v2/types" => {
            let types =
                r#"{"post":{"rest_base":"posts"},"evil":{"rest_base":"../../../../evil"},"x":{"rest_base":"a/b"}}"#;
            Some(reply("200 OK", "", types))
        }
        "/wp-json/wp/v2/a/b" => {
            let headers = "X-WP-Total: 1000000000000\r\nX-WP-TotalPages: 10000000000\r\n";
            let first = r#"[{"id":1,"type":"x","title":{},"link":"https://a.example/"}]"#;
            let is_first = request.target.ends_with("page=1&orderby=id&order=asc");
            Some(reply("200 OK", headers, if is_first { first } else { "[]" }))
        }
        "/wp-json/wp/v2/categories" => {
            let headers = "X-WP-Total: 1000000000000\r\nX-WP-TotalPages: 10000000000\r\n";
            Some(reply("200 OK", headers, r#"[{"id":1,"taxonomy":"category","name":"the same each time"}]"#))
        }
        _ => None,
    });
    let run = fetch_all(&dir, &server, "--pages none").expect(1);
    assert!(run.stderr.contains("the site miscounts, or changes too fast"), "{}", run.stderr);
    assert!(!server.requests().iter().any(|target| target.contains("evil")));
    assert!(dir.list("raw/dump").contains(&"a%2Fb-0001.json".to_owned()));
    assert_eq!(dir.list(""), ["raw"]);
}

#[test]
fn headers_of_a_file_are_sent_and_kept_out_of_every_file() {
    let dir = Workdir::new();
    let server = Server::start(posts(3), |request| {
        let is_known = request.head.contains("\r\nauthorization: basic c2vjcmv0\r\n");
        (!is_known).then(|| error("401 Unauthorized", "rest_not_logged_in"))
    });
    dir.write("headers", "# mine\nAuthorization: Basic c2Vjcmv0\n\n");
    let run = fetch(&dir, &server, "--header-file headers").expect(0);
    assert_eq!(ids(&dir), [1, 2, 3]);
    let mut archive = String::new();
    let bytes = dir.read_bytes("raw/fetch.warc.gz");
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(bytes.as_slice()), &mut archive).unwrap();
    for text in [&run.stdout, &archive, &dir.read("raw/fetch.json")] {
        assert!(!text.to_ascii_lowercase().contains("c2vjcmv0"), "{text}");
    }
    assert!(archive.contains("with headers that are not recorded: Authorization"));
    dir.write("headers", "secret\n");
    let run = fetch(&dir, &server, "--header-file headers").expect(2);
    assert_eq!(run.stderr, "wp-fetch: headers:1: not a header (Name: value)\n");
}

#[test]
fn a_file_of_authorities_holds_certificates() {
    let (dir, server) = (Workdir::new(), Server::plain(1));
    dir.write("key.pem", "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n");
    let run = fetch(&dir, &server, "--ca-file key.pem").expect(2);
    assert_eq!(run.stderr, "wp-fetch: --ca-file: there is no certificate in it (PEM)\n");
    let run = fetch(&dir, &server, "--insecure").expect(0);
    let told = run.records()[0]["run"]["options"].to_string();
    assert!(told.contains("certificates not verified"), "{told}");
}

/// A proxy that makes tunnels, all to `place` if that is given; returns its URL, and counts the tunnels.
fn proxy(tunnels: &'static AtomicUsize, place: Option<&str>) -> String {
    let place = place.map(str::to_owned);
    use std::io::{BufRead, BufReader, Write, copy};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut client in listener.incoming().map(Result::unwrap) {
            let mut lines = BufReader::new(client.try_clone().unwrap()).lines().map(Result::unwrap);
            let first = lines.next().unwrap();
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let place = place.as_deref().unwrap_or_else(|| first.split(' ').nth(1).unwrap());
            let mut server = std::net::TcpStream::connect(place).unwrap();
            tunnels.fetch_add(1, Ordering::SeqCst);
            client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || copy(&mut from, &mut to));
            std::thread::spawn(move || copy(&mut server, &mut client));
        }
    });
    url
}

#[test]
fn a_proxy_is_gone_through() {
    static TUNNELS: AtomicUsize = AtomicUsize::new(0);
    let (dir, server) = (Workdir::new(), Server::plain(3));
    fetch(&dir, &server, &format!("--proxy {}", proxy(&TUNNELS, None))).expect(0);
    assert_eq!(ids(&dir), [1, 2, 3]);
    assert!(TUNNELS.load(Ordering::SeqCst) > 0);
    // The archive has the requests to the site and its responses, once, and no traffic with the proxy.
    let text = dir.sh("zcat raw/fetch.warc.gz | tr -d '\\r'").expect(0).stdout;
    assert!(!text.contains("CONNECT") && text.contains("HTTP/1.1 404 Not Found\n"), "{text}");
    let count = |what: &str| text.lines().filter(|line| line.starts_with(what)).count();
    assert_eq!([count("HTTP/1.1 "), count("GET ")], [server.requests().len(); 2]);
}

/// WordPress.com: it has its API on a host of its own, below the id or the name of the site.
fn of_wordpress_com(request: &Request, states: &str, site: &str) -> Option<Vec<u8>> {
    if host(request) == "public-api.wordpress.com" {
        assert!(!request.head.contains("secret"), "headers for the site go to no other host");
        let route = request.path().strip_prefix(&format!("/wp/v2/sites/{site}/"));
        let item = |id: i64| {
            let own = format!("http://public-api.wordpress.com/wp/v2/sites/{site}/posts/{id}");
            let link = format!("http://boats.wordpress.com/p{id}/");
            let text = serde_json::json!({"rendered": "<p>x</p>"});
            serde_json::json!({"id": id, "type": "post", "slug": format!("p{id}"), "link": link, "title": text, "content": text,
                "_links": {"self": [{"href": own}]}})
            .to_string()
        };
        return Some(match (request.path(), route) {
            ("/robots.txt", _) => reply("200 OK", "", &format!("User-agent: *\nDisallow: /wp/v2/sites/{site}/users\n")),
            (_, Some("")) => json("{\"namespace\":\"wp/v2\",\"routes\":{}}"),
            (_, Some("types")) => json("{\"post\":{\"rest_base\":\"posts\"}}"),
            (_, Some("taxonomies")) => json("{\"category\":{\"rest_base\":\"categories\"}}"),
            (_, Some("posts")) => list(request, &(1..=130).collect::<Vec<_>>(), &[], &item),
            (_, Some("categories" | "comments")) => list(request, &[], &[], &item),
            _ => error("404 Not Found", "rest_no_route"),
        });
    }
    assert!(host(request) != "boats.wordpress.com" || request.head.contains("secret"));
    let root = format!("http://public-api.wordpress.com/wp/v2/sites/{site}");
    let header = format!("Link: <{root}/>; rel=\"https://api.w.org/\"\r\n");
    let tag = format!("<link rel=\"https://api.w.org/\" href=\"{root}\">");
    let if_states = |how: &str, what: &str| if states == how { what.to_owned() } else { String::new() };
    match request.path() {
        "/" => Some(page(&if_states("header", &header), "Front", &if_states("head", &tag))),
        path if path.starts_with("/p") => Some(page("", path, "")),
        _ => Some(reply("404 Not Found", "", "")),
    }
}

#[test]
fn an_api_on_a_host_of_its_own_is_fetched_there_under_its_own_rules() {
    static TUNNELS: AtomicUsize = AtomicUsize::new(0);
    for (states, site) in [("header", "123"), ("head", "123"), ("none", "boats.wordpress.com")] {
        let server = Server::start(Content::default(), move |request| of_wordpress_com(request, states, site));
        let (dir, place) = (Workdir::new(), server.url.trim_start_matches("http://").to_owned());
        dir.write("headers", "X-Key: secret\n");
        let flags = format!(
            "http://boats.wordpress.com/ -d raw --rate 10000 --contact tests --header-file headers --proxy {}",
            proxy(&TUNNELS, Some(&place))
        );
        let run = dir.program("wp-fetch", &flags, "").expect(1);
        assert_eq!(run.stderr.lines().count(), 1, "the list of users alone is a gap: {}", run.stderr);
        assert!(run.stderr.contains("users: robots.txt forbids it"), "{}", run.stderr);
        let root = format!("http://public-api.wordpress.com/wp/v2/sites/{site}/");
        assert_eq!((account(&dir)["api"].as_str(), counts(&dir)), (Some(&*root), [130, 130, 130, 0, 0, 0].map(Some)));
        assert_eq!((account(&dir)["pages"]["got"].as_u64(), server.asked(&format!("{site}/users"))), (Some(130), 0));
        let found = dir.program("wp-index", "raw/dump --scrape raw/fetch.warc.gz -q", "").expect(0).records();
        let posts: Vec<&Value> = found.iter().filter(|record| record["type"] == "post").collect();
        assert_eq!(posts.len(), 130);
        for post in posts {
            assert_eq!(
                (&post["site"], &post["source"]["rest"]),
                (&"boats.wordpress.com".into(), &root.as_str().into())
            );
            assert!(post["scrape"]["file"].is_string(), "{post}");
        }
        // The same command makes no further requests.
        let before = server.requests().len();
        dir.program("wp-fetch", &flags, "").expect(1);
        assert_eq!(server.requests().len(), before);
    }
}

#[test]
fn a_list_of_sites_is_fetched_by_the_recipe_and_no_host_by_two_at_once() {
    let link = "Link: </wp-json/>; rel=\"https://api.w.org/\"\r\n";
    let blog = |request: &Request| (request.path() == "/blog/").then(|| page(link, "Blog", ""));
    let (dir, one, two) = (Workdir::new(), Server::start(posts(3), blog), Server::plain(5));
    let list = format!("{0}/\n\n{1}\n{0}/blog/\n{1}/\n", one.url, two.url);
    dir.write("sites.txt", list);
    let cookbook = std::fs::read_to_string(repository("examples/cookbook.md")).unwrap();
    let recipe = cookbook.split("## Fetching many sites\n").nth(1).unwrap().split("```sh\n").nth(1).unwrap();
    let recipe = recipe.split("```").next().unwrap();
    let recipe = recipe.replace("--contact me@example.com", "--contact tests --types post --pages none --rate 20");
    dir.sh(&recipe).expect(0);
    let host = |server: &Server| server.url.replace("http://", "");
    let names = [host(&one), format!("{}_blog", host(&one)), host(&two)];
    let found: BTreeSet<String> = dir.list("raw").into_iter().collect();
    assert_eq!(found, BTreeSet::from(names.clone()));
    for (name, count) in names.iter().zip([3, 3, 5]) {
        let index = dir.program("wp-index", &format!("raw/{name}/dump -q"), "").records();
        assert_eq!(index.iter().filter(|record| record["type"] == "post").count(), count, "{name}");
    }
    // One after the other: the second site's robots.txt is requested after everything of the first.
    let requests = one.requests();
    let starts: Vec<usize> = (0..requests.len()).filter(|&at| requests[at] == "/robots.txt").collect();
    assert_eq!(starts, [0, requests.len() / 2], "{requests:?}");
}

#[test]
fn several_sites_in_one_run_are_refused_and_the_recipe_is_named() {
    let (dir, server) = (Workdir::new(), Server::plain(1));
    let run = dir.program("wp-fetch", &format!("{0} {0} -d raw", server.url), "").expect(2);
    assert!(
        run.stderr.contains("a run fetches one site; for a list of sites, see \"Fetching many sites\" in the cookbook")
    );
    assert!(!dir.path("raw").exists() && server.requests().is_empty());
    let run = dir.program("wp-fetch", "-d raw", &server.url).expect(2);
    assert!(run.stderr.contains("<SITE>"), "{}", run.stderr);
}

#[test]
fn a_terminal_shows_how_far_the_site_is_and_not_the_log() {
    let dir = Workdir::new();
    let server = Server::start(posts(250), |request| {
        let is_hit = is_list(request) && request.parameter("page") == Some("3") && request.before == 0;
        is_hit.then(|| reply("429 Too Many Requests", "Retry-After: 1\r\n", ""))
    });
    let command = format!("wp-fetch {} -d raw --rate 8 --contact tests --types post --pages none", server.url);
    let seen = crate::progress::on_a_terminal(&dir, &command);
    let host = server.url.replace("http://", "");
    assert!(seen.contains(&format!("wp-fetch {host}: posts 100 of 250")), "{seen}");
    let rate = seen.split("posts 200 of 250, ").nth(1).unwrap_or_default();
    assert!(rate.split("/s, ").nth(1).is_some_and(|left| left.contains(" s left")), "{seen}");
    assert!(seen.contains("posts 200 of 250, waits 1 s (HTTP 429, as the site asks)"), "{seen}");
    assert!(seen.contains(&format!("{host}: ids of posts 250 of 250")), "{seen}");
    assert!(!seen.contains("\"event\"") && dir.read("raw/fetch.ndjson").contains("\"event\""), "{seen}");
    assert!(seen.trim_end().ends_with("wp-fetch: complete: 250 items, 0 pages \u{2192} raw"), "{seen}");
    let command = format!("wp-fetch {} -d raw2 --rate 100 --contact tests --types post,nope --pages none", server.url);
    let seen = crate::progress::on_a_terminal(&dir, &command);
    // The fetched files are kept nevertheless.
    let last = "wp-fetch: not complete, 1 gap: 250 items, 0 pages \u{2192} raw2";
    assert!(seen.trim_end().ends_with(last), "{seen}");
    assert!(seen.contains(&format!("wp-fetch {host}: looks for the API")), "{seen}");
}

#[test]
fn a_mistake_in_the_command_is_answered_with_what_to_type() {
    let (dir, server) = (Workdir::new(), Server::plain(2));
    for (site, words) in [
        ("site.example", "site.example: not an http or https URL; write https://site.example\n"),
        ("127.0.0.1:8951/blog", "not an http or https URL; write https://127.0.0.1:8951/blog\n"),
        ("ftp://site.example", "ftp://site.example: not an http or https URL\n"),
    ] {
        let run = dir.program("wp-fetch", &format!("{site} -d raw"), "").expect(2);
        assert!(run.stderr.ends_with(words), "{}", run.stderr);
    }
    let run = fetch_all(&dir, &server, "--types nope").expect(1);
    assert!(run.stderr.contains("nope: --types: the site has no such type, but post,"), "{}", run.stderr);
    assert_eq!((&account(&dir)["complete"], &account(&dir)["gaps"]), (&false.into(), &1.into()));
    let closed = Server::start(posts(2), |request| {
        request.path().starts_with("/wp-json").then(|| error("401 Unauthorized", "rest_not_logged_in"))
    });
    let (dir, words) = (Workdir::new(), "; --pages all fetches the pages that sitemaps list");
    assert!(fetch_all(&dir, &closed, "").expect(1).stderr.contains(words));
    assert!(!fetch_all(&dir, &closed, "--pages all").expect(1).stderr.contains(words));
}

#[test]
fn reservations_of_the_site_are_archived_and_reported() {
    let dir = Workdir::new();
    let server = Server::start(posts(1), |request| match request.path() {
        "/robots.txt" => Some(reply("200 OK", "", "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n")),
        "/.well-known/tdmrep.json" => {
            Some(reply("200 OK", "", r#"[{"location":"/","tdm-reservation":1,"tdm-policy":"https://a.example/p"}]"#))
        }
        _ => None,
    });
    let command = format!("wp-fetch {} -d raw --rate 100 --contact t --pages none", server.url);
    let seen = crate::progress::on_a_terminal(&dir, &command);
    let words = "; the site reserves text and data mining (https://a.example/p); its robots.txt forbids CCBot, GPTBot";
    assert!(seen.contains(words), "{seen}");
    let reserved = serde_json::json!({"tdm": true, "policy": "https://a.example/p", "agents": ["CCBot", "GPTBot"]});
    assert_eq!(account(&dir)["reserved"], reserved);
    let log = dir.read("raw/fetch.ndjson");
    for part in ["/robots.txt", "/.well-known/tdmrep.json"] {
        let line: Value = serde_json::from_str(log.lines().find(|line| line.contains(part)).unwrap()).unwrap();
        assert!(line["warc_offset"].is_u64(), "{line}");
    }
    // By the header only; and no statement from a site that makes none.
    let by_header = |request: &Request| (request.path() == "/").then(|| page("TDM-Reservation: 1\r\n", "", ""));
    for (server, is_reserved) in [(Server::start(posts(1), by_header), true), (Server::plain(1), false)] {
        let dir = Workdir::new();
        fetch(&dir, &server, "");
        assert_eq!(account(&dir)["reserved"], serde_json::json!({"tdm": is_reserved, "policy": null, "agents": []}));
    }
}

/// Naming the folder that wp-fetch made was the most common mistake: its log and account were rejects, and no dataset was written.
#[test]
fn the_folder_of_wp_fetch_is_taken_by_wpipe_and_its_parts_are_named_by_wp_index() {
    for (more, scrape) in [("--tree", "raw/scrape"), ("", "raw/fetch.warc.gz"), ("--pages none", "raw/fetch.warc.gz")] {
        let (dir, server) = (Workdir::new(), Server::plain(3));
        fetch_all(&dir, &server, more).expect(0);
        let run = dir.sh("wpipe raw/ -d ds --format jsonl -q && wpipe -n raw -d ds").expect(0);
        let start = format!("wp-index --end --scrape {scrape} raw/dump |\n");
        assert!(run.stdout.replace("raw//", "raw/").starts_with(&start), "{more}: {}", run.stdout);
        dir.sh(&format!("wpipe raw/dump --scrape {scrape} -d other --format jsonl -q && diff -r ds other")).expect(0);
        assert_eq!(dir.sh("wpipe -n raw --scrape mine -d ds").expect(0).stdout.matches("--scrape ").count(), 1);
        let run = dir.sh("wp-index raw/").expect(2);
        assert_eq!(
            run.stderr,
            "wp-index: raw: made by wp-fetch, not itself a dump: name raw/dump (and --scrape raw/scrape)\n"
        );
    }
}

#[test]
fn a_dry_run_shows_the_requests_and_writes_nothing() {
    let (dir, server) = (Workdir::new(), Server::plain(250));
    let options = format!("{} --dry-run --rate 100", server.url);
    let lines = dir.program("wp-fetch", &options, "").expect(0).records();
    let told = |line: &Value| {
        let number = |key: &str| line[key].as_u64();
        // The time that the server takes to answer comes on top.
        assert!(number("seconds") >= Some((number("requests").unwrap()).div_ceil(100)), "{line}");
        (line["what"].as_str().unwrap().to_owned(), number("total"), number("requests"))
    };
    assert_eq!(
        lines.iter().map(told).collect::<Vec<_>>(),
        [
            ("api", None, 6),
            ("post", Some(250), 6),
            ("category", Some(1), 1),
            ("user", Some(0), 1),
            ("comment", Some(0), 1),
            ("html", Some(251), 251),
            ("all", None, 266),
        ]
        .map(|(what, total, requests)| (what.to_owned(), total, Some(requests)))
    );
    assert_eq!((server.requests().len(), dir.list("").len()), (9, 0));
    // The estimate is good: except for the usual pages, the fetch makes as many requests.
    fetch_all(&dir, &server, "").expect(0);
    assert_eq!(server.requests().len() - 9, 266);
    let closed =
        Server::start(posts(5), |request| is_list(request).then(|| error("401 Unauthorized", "rest_not_logged_in")));
    let run = dir.program("wp-fetch", &format!("{} --dry-run --rate 100", closed.url), "").expect(1);
    assert!(run.records().iter().any(|line| line["error"] == "HTTP 401: rest_not_logged_in: No."));
    // The option can be added to a complete command.
    dir.program("wp-fetch", &format!("{} --dry-run -d none --tree --rate 100", server.url), "").expect(0);
    assert!(!dir.path("none").exists());
    let seen = crate::progress::on_a_terminal(
        &dir,
        &format!("sh -c 'wp-fetch {} --dry-run --rate 1 < /dev/null'", closed.url),
    );
    assert!(seen.contains("category                     1  1 request, about"), "{seen}");
    assert!(seen.contains("post                         -  HTTP 401") && !seen.contains("{\""), "{seen}");
}

/// An endless response: a byte every 20 milliseconds.
fn dripping(listener: std::net::TcpListener) {
    use std::io::{Read, Write};
    for mut client in listener.incoming().map(Result::unwrap) {
        std::thread::spawn(move || {
            let _ = client.read(&mut [0; 1024]);
            let _ = client.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
            while client.write_all(b" ").is_ok() {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        });
    }
}

#[test]
fn an_answer_that_drips_is_not_waited_for() {
    let (dir, listener) = (Workdir::new(), std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || dripping(listener));
    let options = format!("{url} -d raw --retries 0 --timeout 0.3 --rate 1000 --pages none");
    let run = dir.program("wp-fetch", &options, "").expect(1);
    assert!(run.stderr.contains("not done within 0.3 s"), "{}", run.stderr);
    let log = run.records();
    let request = log.iter().find(|line| line["event"] == "request").unwrap();
    assert!(request["warc_offset"].is_u64(), "the part that arrived is in the archive: {request}");
}

/// Runs the library on the server with low limits, and returns its messages.
fn with_low_limits(dir: &Workdir, server: &Server) -> String {
    use std::sync::Mutex;
    use wpipe::fetch::{Options, Pages, run};
    #[derive(Clone, Default)]
    struct Said(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Said {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let options = Options {
        directory: dir.path("raw"),
        contact: None,
        pause: std::time::Duration::ZERO,
        retries: 0,
        max_wait: std::time::Duration::ZERO,
        timeout: std::time::Duration::from_secs(10),
        types: vec!["post".to_owned()],
        feeds: true,
        pages: Pages::All,
        tree: false,
        media: None,
        media_hosts: Vec::new(),
        max_media: None,
        dry_run: false,
        as_table: false,
        update: false,
        ignore_robots: false,
        headers: Vec::new(),
        proxy: None,
        authorities: None,
        insecure: false,
        most_pages: 3,
        most_sitemaps: 3,
    };
    let said = Said::default();
    let mut report = wpipe::report::Report::new("wp-fetch", Box::new(said.clone()));
    run(&options, &server.url, None, &mut report).unwrap();
    let bytes = said.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn lists_and_sitemaps_without_an_end_are_left_and_named() {
    let dir = Workdir::new();
    let server = Server::start(posts(0), |request| {
        let root = format!("http://{}", host(request));
        let number = |name: &str| request.parameter(name).and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
        match request.path() {
            "/wp-json/wp/v2/posts" => {
                let item = |id| format!("{{\"id\":{id},\"type\":\"post\"}}");
                let items: Vec<String> = (number("page") * 100..).take(100).map(item).collect();
                Some(reply("200 OK", "", &format!("[{}]", items.join(","))))
            }
            "/robots.txt" => Some(reply("200 OK", "", &format!("Sitemap: {root}/map?n=1\n"))),
            "/map" => {
                let next = format!("<sitemap><loc>{root}/map?n={}</loc></sitemap>", number("n") + 1);
                Some(reply("200 OK", "", &format!("<sitemapindex>{next}</sitemapindex>")))
            }
            _ => None,
        }
    });
    let said = with_low_limits(&dir, &server);
    assert!(said.contains("posts: 300 items, 0 hidden and 0 gaps of an unknown number: it has no end"), "{said}");
    assert!(said.contains("/map?n=4): more than 3 sitemaps"), "{said}");
    assert_eq!(server.asked("/wp/v2/posts?"), 6);
}
