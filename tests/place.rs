//! Tests the place of the content, learnt from the posts whose content feeds state.

use crate::workdir::Workdir;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
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
    assert_eq!(bare(more, false), bare(all, false));
}

/// A post of a generated site.
#[derive(Clone, Debug)]
struct Post {
    id: usize,
    is_french: bool,
    /// Whether its page has another template than most.
    is_odd: bool,
    is_in_feed: bool,
    /// Whether its content is too short to be compared.
    is_short: bool,
}

impl Post {
    fn path(&self) -> String {
        format!("{}boat-{}/", if self.is_french { "fr/" } else { "" }, self.id)
    }

    fn content(&self) -> String {
        if self.is_short { format!("<div>oak{}</div>", self.id) } else { content(self.id) }
    }

    fn page(&self) -> String {
        let class = match (self.is_odd, self.is_french) {
            (true, _) => "rows",
            (false, true) => "lignes",
            (false, false) => "lines",
        };
        page(self.id)
            .replace("lang=en", if self.is_french { "lang=fr" } else { "lang=en" })
            .replace(&format!("{SITE}/boat-{}/", self.id), &format!("{SITE}/{}", self.path()))
            .replace("class='lines", &format!("class='{class}"))
            .replace(&content(self.id), &self.content())
    }

    fn is_known(&self) -> bool {
        self.is_in_feed && self.content().len() >= 200
    }
}

fn posts() -> impl Strategy<Value = Vec<Post>> {
    let post = (any::<[bool; 2]>(), 0..3_u8, 0..8_u8).prop_map(|([is_french, is_in_feed], odd, short)| Post {
        id: 0,
        is_french,
        is_odd: odd == 0,
        is_in_feed,
        is_short: short == 0,
    });
    proptest::collection::vec(post, 8..60).prop_map(|mut posts| {
        // Most posts of half of the sites are English, so that more are known than are examined.
        let is_mixed = posts.len() % 2 == 0;
        for (post, id) in posts.iter_mut().zip(1..) {
            (post.id, post.is_french) = (id, post.is_french && (is_mixed || id % 5 == 0));
            post.is_in_feed |= id % 3 > 0;
        }
        posts
    })
}

/// A site with these posts, in two feeds, the files and entries of which are written in this order.
fn site_of(posts: &[Post]) -> Workdir {
    let dir = Workdir::new();
    let mut feeds = [String::new(), String::new()];
    for (at, post) in posts.iter().enumerate() {
        dir.write(&format!("scrape/q.example/{}index.html", post.path()), post.page());
        if post.is_in_feed {
            let link = format!("{SITE}/{}", post.path());
            let _ = write!(
                feeds[at % 2],
                "<item><title>Boat {0}</title><link>{link}</link><guid isPermaLink=\"false\">{SITE}/?p={0}</guid>
                 <content:encoded><![CDATA[{1}]]></content:encoded></item>",
                post.id,
                post.content()
            );
        }
    }
    for (number, items) in feeds.iter().enumerate() {
        let feed = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">
             <channel><title>Quay</title><link>{SITE}</link>{items}</channel></rss>"
        );
        dir.write(&format!("scrape/q.example/feed-{number}/index.html"), feed);
    }
    dir
}

/// What must not change: the records without the names of the feeds that state them, by link;
/// without what several pages of the site say together where it may have become another one.
fn bare(mut records: Vec<Value>, is_same_site: bool) -> BTreeMap<String, Value> {
    for record in &mut records {
        record["source"]["file"].take();
        record["source"]["item"].take();
        if !is_same_site {
            record["scrape"]["sample"].take();
            record["scrape"]["site_name"].take();
        }
    }
    records.into_iter().map(|record| (record["link"].as_str().unwrap().to_owned(), record)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 20,
        ..ProptestConfig::with_cases(if std::env::var_os("WPIPE_CASES").is_some() { 60 } else { 6 })
    })]

    #[test]
    fn a_place_is_a_function_of_feeds_and_scrape(
        posts in posts(), order in any::<u64>(), kept in any::<u64>(), more in any::<[bool; 2]>()
    ) {
        let all = records(&site_of(&posts), "-j 1");
        let places = bare(all.clone(), true);
        for record in &all {
            let is_french = record["link"].as_str().unwrap().contains("/fr/");
            let known = posts.iter().filter(|post| post.is_known() && post.is_french == is_french).count();
            let of = &record["scrape"]["place"]["of"];
            prop_assert!(of.is_null() || *of == known.min(16), "{} of {known}", of);
        }

        // Any order of files and entries, any number of threads.
        let mut turned = posts.clone();
        turned.sort_by_key(|post| (post.id as u64).wrapping_mul(order | 1));
        prop_assert_eq!(&bare(records(&site_of(&turned), "-j 3"), true), &places);

        // Whatever is filtered.
        let dir = site_of(&posts);
        let lines = dir.sh("wp-index -q --no-dump --scrape scrape | wp-parse").expect(0).stdout;
        let some = lines.lines().enumerate().filter(|(at, _)| kept >> (at % 64) & 1 == 1).map(|(_, line)| line);
        let some: Vec<&str> = some.collect();
        let part = dir.program("wp-translations", "-q -j 2", some.join("\n") + "\n").expect(0).records();
        for (link, record) in bare(part, true) {
            prop_assert_eq!(&record, &places[&link]);
        }

        // A post more changes no other record, unless it is known and changes the place.
        let [is_french, is_in_feed] = more;
        let id = posts.len() + 1;
        let added = Post { id, is_french, is_odd: false, is_in_feed, is_short: false };
        let after = bare(records(&site_of(&[posts, vec![added.clone()]].concat()), "-j 1"), false);
        for (link, record) in bare(all, false) {
            let may_change = added.is_known() && link.contains("/fr/") == added.is_french;
            let is_changed = after[&link]["scrape"]["place"] != record["scrape"]["place"];
            prop_assert!(may_change || !is_changed, "{link}");
            if !is_changed {
                prop_assert_eq!(&after[&link], &record);
            }
        }
    }
}
