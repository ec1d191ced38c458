//! Tests the place of the content, learnt from the posts whose content feeds state.

use crate::workdir::Workdir;
use serde_json::Value;
use std::fmt::Write as _;

const SITE: &str = "https://q.example";

/// The content of a post: lines without prose.
fn content(n: usize) -> String {
    (0..12).map(|at| format!("<div>oak{n} elm{at} tar{}</div>", n * at)).collect()
}

/// Its page, in a theme that no table knows, with more prose by a reader than of its own.
fn page(n: usize) -> String {
    let said = format!("Reader {n} has seen {} boats, and says that all of them, old or new, were sound. ", n * n);
    format!(
        "<!doctype html><html lang=en><head><title>Boat {n} - Quay</title><link rel=canonical href={SITE}/boat-{n}/>
         <meta name=generator content='WordPress 6.5'></head><body class='single single-post postid-{n}'><h1>Boat {n}</h1>
         <div class='lines x{n}'>{}</div><div class=q7><p>{said}</p><p>{}</p></div></body></html>",
        content(n),
        said.repeat(6)
    )
}

/// A site of eleven posts, the feed of which has the first ones.
fn site(in_feed: usize) -> Workdir {
    let dir = Workdir::new();
    let mut items = String::new();
    for n in 1..=11 {
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n));
        if n <= in_feed {
            let _ = write!(
                items,
                "<item><title>Boat {n}</title><link>{SITE}/boat-{n}/</link><guid isPermaLink=\"false\">{SITE}/?p={n}</guid>
                 <content:encoded><![CDATA[{}]]></content:encoded></item>",
                content(n)
            );
        }
    }
    let feed = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">
         <channel><title>Quay</title><link>{SITE}</link>{items}</channel></rss>"
    );
    dir.write("scrape/q.example/feed/index.html", feed);
    dir
}

/// The records that the command makes, by link.
fn records(dir: &Workdir, options: &str) -> Vec<Value> {
    let pipe = format!("wp-index -q --no-dump --scrape scrape | wp-parse | wp-translations {options}");
    let mut records = dir.sh(&pipe).expect(0).records();
    records.sort_by_key(|record| record["link"].as_str().map(str::to_owned));
    records
}

fn by_page(records: &[Value]) -> Vec<&Value> {
    records.iter().filter(|record| record["content_source"] == "scrape").collect()
}

#[test]
fn the_other_posts_of_a_site_have_their_content_where_the_known_ones_have_it() {
    let dir = site(8);
    let all = records(&dir, "");
    let by_page = by_page(&all);
    assert_eq!(by_page.len(), 3);
    for record in by_page {
        let text = record["content"]["text"].as_str().unwrap();
        assert!(text.starts_with("oak") && !text.contains("Reader"), "{text}");
        assert_eq!(record["content_rule"], "site: div.lines");
        let place = serde_json::json!({"content": "div.lines", "agree": 8, "of": 8, "share": 1.0});
        assert_eq!(record["scrape"]["place"], place);
    }
    let stated = all.iter().filter(|record| record["content_source"] == "feed");
    assert!(
        stated.clone().count() == 8 && stated.into_iter().all(|record| record["scrape"]["place"]["content"].is_null())
    );
}

#[test]
fn two_known_contents_teach_no_place() {
    let all = records(&site(2), "");
    assert!(by_page(&all).iter().all(|record| record["content_rule"] == "scored"));
}

#[test]
fn a_selector_of_the_user_comes_first() {
    let all = records(&site(8), "--content-selector .q7");
    assert!(by_page(&all).iter().all(|record| record["content_rule"] == ".q7"));
}

/// A place is a function of feeds and scrape.
#[test]
fn threads_other_records_and_a_page_more_do_not_change_a_place() {
    let dir = site(8);
    let all = records(&dir, "-j 1");
    assert_eq!(records(&dir, "-j 4"), all);
    let one = dir
        .sh("wp-index -q --no-dump --scrape scrape | wp-parse | grep 'boat-10/\"' | wp-translations")
        .expect(0)
        .records();
    assert_eq!(
        one[0]["content"],
        all.iter().find(|record| record["link"] == format!("{SITE}/boat-10/")).unwrap()["content"]
    );
    dir.write("scrape/q.example/boat-12/index.html", page(12));
    let mut more = records(&dir, "-j 1");
    more.retain(|record| record["link"] != format!("{SITE}/boat-12/"));
    let bare = |records: Vec<Value>| -> Vec<Value> {
        let without = |mut record: Value| {
            record["scrape"].as_object_mut().unwrap().remove("sample");
            record
        };
        records.into_iter().map(without).collect()
    };
    assert_eq!(bare(more), bare(all));
}
