//! wp-fetch against a server of the tests' own: whatever the site does, the dump is complete or the gap is named.

use crate::server::{Content, Request, Server, error, reply};
use crate::workdir::{Run, Workdir, repository};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs wp-fetch on the server into `raw`, as fast as it can.
fn fetch(dir: &Workdir, server: &Server, more: &str) -> Run {
    dir.program("wp-fetch", &format!("{} -d raw --rate 10000 --contact tests --types post {more}", server.url), "")
}

/// The ids of the posts that wp-index finds in the dump.
fn ids(dir: &Workdir) -> Vec<i64> {
    let index = dir.program("wp-index", "raw/dump -q", "");
    let posts = index.records().into_iter().filter(|record| record["type"] == "post");
    posts.map(|record| record["id"].as_i64().unwrap()).collect::<BTreeSet<_>>().into_iter().collect()
}

fn account(dir: &Workdir) -> Value {
    serde_json::from_str(&dir.read("raw/fetch.json")).unwrap()
}

/// total_start, total_end, got, hidden, gaps, gone of the posts.
fn counts(dir: &Workdir) -> [Option<u64>; 6] {
    let collections = account(dir)["collections"].as_array().unwrap().clone();
    let posts = collections.into_iter().find(|collection| collection["type"] == "post").unwrap();
    ["total_start", "total_end", "got", "hidden", "gaps", "gone"].map(|key| posts[key].as_u64())
}

fn posts(n: i64) -> Content {
    Content { ids: (1..=n).collect(), ..Content::default() }
}

fn is_list(request: &Request) -> bool {
    request.path() == "/wp-json/wp/v2/posts"
}

#[test]
fn a_dump_an_archive_a_log_and_an_account() {
    let dir = Workdir::new();
    let agent =
        format!("\r\nuser-agent: wpipe/{} (+https://github.com/wpipe/wpipe; tests)\r\n", env!("CARGO_PKG_VERSION"));
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
    // the archive holds, where the log says, what was received
    let archive = dir.read_bytes("raw/fetch.warc.gz");
    let record = &archive[one["warc_offset"].as_u64().unwrap() as usize..];
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(record), &mut text).unwrap();
    assert!(text.starts_with("WARC/1.1\r\nWARC-Type: response\r\n"), "{text}");
    assert!(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "), "{text}");
    assert!(text.contains(dir.read("raw/dump/posts-0003.json").as_str()));
}

#[test]
fn a_short_page_is_not_the_last_and_what_nobody_sees_is_counted() {
    let hidden = vec![7, 100, 249];
    let (dir, server) = (Workdir::new(), Server::start(Content { hidden: hidden.clone(), ..posts(249) }, |_| None));
    fetch(&dir, &server, "").expect(0);
    assert_eq!(ids(&dir), (1..=249).filter(|id| !hidden.contains(id)).collect::<Vec<_>>());
    assert_eq!(counts(&dir), [249, 249, 246, 3, 0, 0].map(Some));
}

#[test]
fn what_pages_leave_out_is_asked_for_by_offset_and_id() {
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

/// Whether the answer would hold the post 123, of posts 1 to 250 in their order.
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
    // Whether the server breaks even when the item is not rendered.
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
    // Once page 1 is out, posts 3 and 5 are deleted: page 2 begins two posts later than it should.
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

/// What another server answers.
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
        // It gives 20 whatever it is asked for.
        Some(ask(&root, &request.target.replace("per_page=100", "per_page=20")))
    });
    let run = fetch(&dir, &server, "").expect(0);
    assert!(run.stderr.contains("does not order by id") && run.stderr.contains("20 items a page"), "{}", run.stderr);
    assert_eq!(counts(&dir), [95, 95, 95, 0, 0, 0].map(Some));
}

#[test]
fn what_fails_for_a_while_is_asked_again() {
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
    // Page 2 ends half-way each time, in what Content-Length promises.
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
        assert_eq!(server.asked("/wp-json/") + server.asked("rest_route"), 1, "asked once, no way around");
        assert_eq!(account(&dir)["complete"], false);
    }
}

#[test]
fn robots_txt_is_obeyed_for_the_api_too_unless_that_is_typed() {
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
fn a_site_that_asks_for_more_patience_than_there_is_is_left_and_gone_on_with_later() {
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
fn what_leads_to_another_site_is_not_followed() {
    for target in ["https://other.example/wp-json/", "http://127.0.0.1:1/", "http://localhost/"] {
        let dir = Workdir::new();
        let server = Server::start(posts(5), move |request| {
            (request.path() == "/wp-json/").then(|| reply("302 Found", &format!("Location: {target}\r\n"), ""))
        });
        let run = fetch(&dir, &server, "").expect(1);
        assert!(run.stderr.contains(&format!("it leads to another site: {target}")), "{}", run.stderr);
    }
}
