//! Tests the whole stage of wp-resolve: each test compares links, languages, translations and copies in the lines that come out with
//! those expected. The modules below test single topics.

use super::*;
use crate::ndjson::{Object, Source};
use crate::report::Report;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

mod blogs;
mod copies;
mod hosts;
mod tags;
mod terms;

/// A sink whose content can be read.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn run_input(options: &Options, mut input: Input) -> Result<(String, Report), Error> {
    let kept = Kept::default();
    let mut output = Output::new("out", Box::new(kept.clone()));
    let mut report = Report::silent("wp-resolve");
    run(options, &mut input, &mut output, &mut report)?;
    output.flush()?;
    let bytes = kept.0.lock().unwrap().clone();
    Ok((String::from_utf8(bytes).unwrap(), report))
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn resolve(records: &[Value]) -> Vec<Value> {
    let (out, _) = run_input(&Options::default(), Input::from_bytes("-", lines(records))).unwrap();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const NONE: Value = Value::Null;

fn target() -> Value {
    json!({"type": NONE, "id": NONE, "link": NONE})
}

fn post(id: i64, path: &str) -> Value {
    json!({"site": "s", "kind": "post", "type": "post", "id": id, "link": format!("https://e.org{path}"),
        "slug": "", "content": {"hash": NONE}, "language": NONE, "language_source": NONE, "x_default": NONE,
        "copy_source": NONE, "copy_of": target(), "translations": [], "translation_group": NONE, "links": [], "images": [], "aliases": [], "scrape": {"file": NONE}})
}

fn media(id: i64, file: &str, sizes: &[&str]) -> Value {
    let url = |name: &str| format!("https://e.org/wp-content/uploads/2020/01/{name}");
    let sizes: Vec<Value> = sizes.iter().map(|name| json!({"url": url(name)})).collect();
    json!({"site": "s", "kind": "media", "type": "media", "id": id, "link": format!("https://e.org/m{id}/"),
        "source_url": url(file), "sizes": sizes, "media_details": {"original_image": NONE, "width": 1600, "height": 1200}, "guid": NONE})
}

fn other(kind: &str, r#type: &str, id: i64, path: &str, slug: &str) -> Value {
    json!({"site": "s", "kind": kind, "type": r#type, "id": id, "link": format!("https://e.org{path}"), "slug": slug})
}

fn with(mut record: Value, key: &str, value: Value) -> Value {
    record[key] = value;
    record
}

fn translation(language: &str, href: &str) -> Value {
    json!({"language": language, "language_raw": language, "href": href, "id": NONE, "type": NONE,
        "source": "hreflang", "target": target(), "rule": NONE})
}

/// The results for links with these hrefs in a post of `site`: type, id, rule, comment, internal.
fn ask(site: &[Value], hrefs: &[&str]) -> Vec<Value> {
    let page = crate::urls::PageUrl::parse("https://e.org/asking/").unwrap();
    let link = |href: &&str| {
        let url = crate::urls::join(Some(&page), href);
        json!({"href": href, "url": url, "rel": NONE, "internal": NONE, "target": target(), "comment": NONE, "rule": NONE})
    };
    let asking = with(post(999, "/asking/"), "links", hrefs.iter().map(link).collect());
    let out = resolve(&[site, &[asking]].concat());
    out.last().unwrap()["links"].as_array().unwrap().clone()
}

fn check(site: &[Value], expected: &[(&str, Option<i64>, Option<&str>)]) {
    let hrefs: Vec<&str> = expected.iter().map(|(href, ..)| *href).collect();
    for (link, (href, id, rule)) in ask(site, &hrefs).iter().zip(expected) {
        let ambiguous = link["reason"].as_str().filter(|reason| *reason == "ambiguous");
        let said = link["rule"].as_str().or(ambiguous);
        assert_eq!((link["target"]["id"].as_i64(), said), (*id, *rule), "{href}: {link}");
    }
}

fn site() -> Vec<Value> {
    vec![
        post(1, "/world/one/"),
        post(2, "/two/"),
        with(post(3, "/fr/trois/"), "aliases", json!(["https://e.org/old-three/"])),
        other("post", "page", 4, "/about/team/", "team"),
        other("term", "category", 5, "/category/world/", "world"),
        other("term", "category", 6, "/category/sport/", "sport"),
        other("term", "tag", 7, "/tag/budget/", "budget"),
        other("user", "user", 8, "/author/ann/", "ann"),
        other("comment", "comment", 12, "/two/#comment-12", ""),
        other("comment", "comment", 13, "/gone/#comment-13", ""),
        media(20, "photo.jpg", &["photo-300x200.jpg"]),
        media(21, "huge-scaled.jpg", &[]),
        media(22, "edit-e1699999999999.jpg", &[]),
        media(23, "own-300x200.jpg", &[]),
        other("post", "page", 30, "/", "home"),
    ]
}

#[test]
fn a_url_means_the_record_whose_link_it_is() {
    check(
        &site(),
        &[
            ("https://e.org/world/one/", Some(1), Some("exact")),
            ("http://www.E.org//world/./one", Some(1), Some("normalised")),
            ("/two/#section", Some(2), Some("normalised")),
            ("/two/?utm_source=x", Some(2), Some("query_cleaned")),
            ("/two/?replytocom=12#respond", Some(2), Some("query_cleaned")),
            ("/two/?lang=fr", None, None),
            ("/old-three/", Some(3), Some("alias")),
            ("/?p=1", Some(1), Some("shortlink")),
            ("/?page_id=4&preview=true", Some(4), Some("shortlink")),
            ("/?attachment_id=20", Some(20), Some("shortlink")),
            ("/?attachment_id=1", Some(1), Some("shortlink")),
            ("/?cat=5", Some(5), Some("shortlink")),
            ("/?cat=7", None, None),
            ("/?author=8", Some(8), Some("shortlink")),
            ("/?p=77", None, None),
            ("https://other.org/?p=1", None, None),
        ],
    );
}

#[test]
fn pages_of_a_record_are_the_record() {
    check(
        &site(),
        &[
            ("/two/2/", Some(2), Some("subpage")),
            ("/two/amp/", Some(2), Some("subpage")),
            ("/two/embed/", Some(2), Some("subpage")),
            ("/two/comment-page-3/#comment-12", Some(2), Some("subpage")),
            ("/category/world/page/2/", Some(5), Some("subpage")),
            ("/category/world/2/", None, None),
            ("/two/feed/", None, None),
            ("/page/2/", None, None),
            ("/2024/", None, None),
            ("/2024/02/06/", None, None),
            ("/wp-json/wp/v2/posts", None, None),
            ("/wp-login.php", None, None),
        ],
    );
}

#[test]
fn a_comment_keeps_its_article() {
    check(&site(), &[("/two/#comment-12", Some(2), Some("comment")), ("/gone/#comment-13", Some(13), Some("comment"))]);
    let links = ask(&site(), &["/two/#comment-12", "/two/#comments"]);
    assert_eq!((&links[0]["comment"], &links[1]["comment"]), (&json!(12), &NONE));
}

#[test]
fn files_are_known_by_the_names_wordpress_gives_them() {
    let file = |name: &str| format!("/wp-content/uploads/2020/01/{name}");
    let cases = [
        ("photo.jpg", Some(20), Some("media_file")),
        ("photo-300x200.jpg", Some(20), Some("media_size")),
        ("photo-1024x768.jpg", Some(20), Some("media_variant")),
        ("photo-999x777.jpg", None, None),
        ("photo-96x96.jpg", Some(20), Some("media_variant")),
        ("photo.jpg.webp", Some(20), Some("media_variant")),
        ("huge.jpg", Some(21), Some("media_variant")),
        ("huge-150x150.jpg", Some(21), Some("media_variant")),
        ("edit.jpg", Some(22), Some("media_variant")),
        ("own-300x200.jpg", Some(23), Some("media_file")),
        ("own.jpg", None, None),
        ("phot.jpg", None, None),
        ("photo-300x200.png", None, None),
    ];
    for (name, id, rule) in cases {
        check(&site(), &[(&file(name), id, rule)]);
    }
    // Files may be on a host of their own, under the same names.
    let mut elsewhere = site();
    let photo = elsewhere.iter_mut().find(|record| record["id"] == 20).unwrap();
    photo["source_url"] = json!("https://files.example/2020/photo.jpg");
    let urls = ["photo.jpg?w=640", "photo-96x96.jpg", "photo.jpg?w=9&h=9"]
        .map(|name| format!("https://files.example/2020/{name}"));
    check(
        &elsewhere,
        &urls
            .each_ref()
            .map(|url| (&**url, Some(20), Some(if url.contains('?') { "media_file" } else { "media_variant" }))),
    );
    check(&elsewhere, &[("https://files.example/2021/photo.jpg?w=640", None, None)]);
    check(
        &site(),
        &[
            ("/wp-content/uploads/2021/01/photo-9x9.jpg", None, None),
            ("https://i0.wp.com/e.org/wp-content/uploads/2020/01/photo.jpg?resize=9", Some(20), Some("media_cdn")),
            (
                "https://c.net/fetch/https://www.e.org/wp-content/uploads/2020/01/photo-5x5.jpg",
                Some(20),
                Some("media_cdn"),
            ),
            ("https://c.net/e.org/two/", None, None),
        ],
    );
}

#[test]
fn an_image_id_is_believed_only_where_the_name_agrees() {
    let image = |url: &str, id: i64| json!({"url": url, "id": id, "internal": NONE, "target": target(), "rule": NONE});
    let images = json!([
        image("https://e.org/files/photo-9x9.jpg", 20),
        image("https://e.org/files/other.jpg", 20),
        image("https://e.org/wp-content/uploads/2020/01/photo.jpg", 21),
        image("https://e.org/wp-content/uploads/2020/01/photo.jpg?ver=3", 0),
    ]);
    let out = resolve(&[site(), vec![with(post(50, "/i/"), "images", images)]].concat());
    let found: Vec<_> = out.last().unwrap()["images"].as_array().unwrap().iter().map(|i| &i["target"]["id"]).collect();
    assert_eq!(found, [&json!(20), &NONE, &json!(20), &json!(20)]);
}

#[test]
fn a_category_may_change_but_a_slug_alone_says_nothing() {
    check(
        &site(),
        &[
            ("/sport/one/", Some(1), Some("category")),
            ("/sport/two/", Some(2), Some("category")),
            ("/one/", None, None),
            ("/elsewhere/one/", None, None),
            ("/tag/one/", None, None),
            ("/author/one/", None, None),
            ("/sport/team/", None, None),
            ("/fr/sport/one/", None, None),
            ("www.linkedin.com/in/x", None, None),
            ("user@example.org", None, None),
        ],
    );
    let twice = [site(), vec![post(90, "/sport/deep/one/")]].concat();
    check(&twice, &[("/sport/one/", None, None)]);
}

#[test]
fn archives_are_found_by_their_names() {
    check(
        &site(),
        &[
            ("/author/ann/", Some(8), Some("exact")),
            ("/?author_name=ann", Some(8), Some("author")),
            ("/?tag=budget", Some(7), Some("term")),
            ("/?category_name=world", Some(5), Some("term")),
            ("/?tag=world", None, None),
        ],
    );
    let links = ask(&site(), &["https://e.org/author/ann/", "https://x.org/", "https://e.org/none/", "mailto:a@e.org"]);
    let internal: Vec<_> = links.iter().map(|link| link["internal"].as_bool().unwrap()).collect();
    assert_eq!(internal, [true, false, true, false]);
}

#[test]
fn a_url_of_two_owners_means_the_scraped_one_or_none() {
    let twin = || with(other("post", "page", 60, "/two/", "two"), "links", json!([]));
    check(&[site(), vec![twin()]].concat(), &[("/two/", None, Some("ambiguous"))]);
    let scraped = with(twin(), "scrape", json!({"file": "two/index.html"}));
    check(&[site(), vec![scraped]].concat(), &[("/two/", Some(60), Some("exact"))]);
    let copies = [media(70, "shared.jpg", &[]), media(71, "shared.jpg", &[])];
    check(&copies, &[("/wp-content/uploads/2020/01/shared.jpg", Some(70), Some("media_file"))]);
}

/// Three languages that refer to each other only in a chain.
fn chain() -> Vec<Value> {
    let tongue =
        |record: Value, tag: &str| with(with(record, "language", json!(tag)), "language_source", json!("html"));
    vec![
        with(tongue(post(3, "/de/c/"), "de-DE"), "translations", json!([translation("en", "https://e.org/a/")])),
        with(tongue(post(1, "/a/"), "en-US"), "translations", json!([translation("fr", "http://e.org/fr/b")])),
        tongue(post(2, "/fr/b/"), "fr-FR"),
        with(tongue(post(5, "/de/e/"), "de-DE"), "translations", json!([translation("en", "https://e.org/")])),
        tongue(post(7, "/fr/f/"), "fr-FR"),
        post(8, "/fr/g/"),
        post(9, "/it/h/"),
    ]
}

#[test]
fn translations_are_completed_and_grouped() {
    let out = resolve(&chain());
    let told = |at: usize| -> Vec<(String, i64, String)> {
        let list = out[at]["translations"].as_array().unwrap();
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        list.iter().map(|t| (text(&t["language"]), t["target"]["id"].as_i64().unwrap(), text(&t["source"]))).collect()
    };
    let row = |language: &str, id: i64, source: &str| (language.to_owned(), id, source.to_owned());
    assert_eq!(told(0), [row("en-US", 1, "hreflang"), row("fr-FR", 2, "group")]);
    assert_eq!(told(1), [row("fr-FR", 2, "hreflang"), row("de-DE", 3, "reverse")]);
    assert_eq!(told(2), [row("en-US", 1, "reverse"), row("de-DE", 3, "group")]);
    assert!((0..3).all(|at| out[at]["translation_group"] == "post:https://e.org/a/"));
    // A language's home page is not a translation of an article.
    assert_eq!((&out[3]["translations"], &out[3]["translation_group"]), (&json!([]), &NONE));
    // Two records confirm that /fr/ is the directory of a language; none confirms it of /it/.
    assert_eq!((&out[5]["language"], &out[5]["language_source"]), (&json!("fr-FR"), &json!("url")));
    assert_eq!(out[6]["language"], NONE);
}

#[test]
fn records_that_contradict_each_other_are_not_merged() {
    let tongue = |id: i64, path: &str, tag: &str, said: Value| {
        with(with(post(id, path), "language", json!(tag)), "translations", said)
    };
    let to = |path: &str, tag: &str| json!([translation(tag, &format!("https://e.org{path}"))]);
    let records = [
        tongue(1, "/list/", "en", json!([])),
        tongue(2, "/fr/a/", "fr", to("/list/", "en")),
        tongue(3, "/fr/b/", "fr", to("/list/", "en")),
        tongue(4, "/x/", "en", to("/fr/x/", "fr")),
        tongue(5, "/fr/x/", "fr", to("/x/", "en")),
        tongue(6, "/fr/y/", "fr", to("/x/", "en")),
    ];
    let (out, report) = run_input(&Options::default(), Input::from_bytes("-", lines(&records))).unwrap();
    let out: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let groups: Vec<_> = out.iter().map(|record| record["translation_group"].as_str()).collect();
    let group = Some("post:https://e.org/fr/x/");
    assert_eq!(groups, [None, None, None, group, group, None]);
    assert_eq!(out[5]["translations"][0]["reason"], "ambiguous");
    assert_eq!(out[5]["translations"][0]["target"], target());
    assert_eq!(report.counted("translations_refused"), 3);
}

#[test]
fn ids_alone_name_translations() {
    let by_id = |id: i64| json!({"language": "fr", "href": NONE, "id": id, "type": "post", "source": "rest"});
    let records = [with(post(1, "/a/"), "translations", json!([by_id(1), by_id(2)])), post(2, "/b/")];
    let out = resolve(&records);
    assert_eq!(out[0]["translations"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&out[0]["translations"][0]["target"]["id"], &out[0]["translations"][0]["rule"]),
        (&json!(2), &json!("id"))
    );
    // The language of this record is known only from the statement of the other one.
    assert_eq!((&out[1]["language"], &out[1]["language_source"]), (&json!("fr"), &json!("translation")));
}

#[test]
fn a_site_that_comes_back_is_an_error() {
    let foreign = with(post(1, "/x/"), "site", json!("t"));
    let records = [post(1, "/a/"), foreign, post(2, "/b/")];
    let error = run_input(&Options::default(), Input::from_bytes("in", lines(&records))).err().unwrap().to_string();
    assert!(error.contains("in:3") && error.contains("in:1"), "{error}");
}

#[test]
fn lines_that_are_not_records_pass_unchanged() {
    let text = "{\"kind\":\"menu\",\"x\":1.50}\n{\"a\": [1,  2]}\nnonsense\n{\"site\":\"s\",\"kind\":\"post\",\"links\":[7,{\"url\":\"https://e.org/\",\"mine\":1e2}],\"x\":12345678901234567890}\n";
    let (out, report) = run_input(&Options::default(), Input::from_bytes("-", text)).unwrap();
    let out: Vec<&str> = out.lines().collect();
    assert_eq!((out[0], out[1], report.rejected()), ("{\"kind\":\"menu\",\"x\":1.50}", "{\"a\": [1,  2]}", 1));
    assert!(out[2].contains("\"mine\":1e2") && out[2].ends_with("\"x\":12345678901234567890}"), "{}", out[2]);
    assert_eq!((report.counted("records_in"), report.counted("records_out")), (4, 3));
}

#[test]
fn unresolved_urls_are_listed_by_frequency() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    let link = |url: &str| json!({"href": url, "url": url});
    let links = json!([
        link("https://e.org/x/"),
        link("https://e.org/y/"),
        link("https://e.org/y/"),
        link("https://e.org/feed/")
    ]);
    let options = Options { unresolved: Some(path.clone()), ..Options::default() };
    run_input(&options, Input::from_bytes("-", lines(&[with(post(1, "/a/"), "links", links)]))).unwrap();
    let list = std::fs::read_to_string(path).unwrap();
    assert_eq!(
        list,
        "{\"url\":\"https://e.org/y/\",\"count\":2,\"first\":{\"type\":\"post\",\"id\":1},\"reason\":\"unknown\"}\n\
         {\"url\":\"https://e.org/x/\",\"count\":1,\"first\":{\"type\":\"post\",\"id\":1},\"reason\":\"unknown\"}\n"
    );
}

/// Records of all kinds that links can lead to, with links from the posts.
fn corpus() -> Vec<Value> {
    let hrefs =
        ["/two/", "/sport/one/", "/?p=3", "/two/2/", "/gone/", "/wp-content/uploads/2020/01/photo-1x1.jpg", "/a/"];
    let links: Vec<Value> =
        hrefs.iter().map(|href| json!({"href": href, "url": format!("https://e.org{href}")})).collect();
    let mut records = [site(), chain()].concat();
    for record in records.iter_mut().filter(|record| record["kind"] == "post") {
        record["links"] = json!(links);
    }
    // Identities must be unique: moves the ids of the chain out of the way.
    for (at, record) in records.iter_mut().enumerate().skip(15) {
        record["id"] = json!(100 + at);
    }
    records
}

proptest! {
    #![proptest_config(crate::cases::cases(40))]

    #[test]
    fn the_order_of_records_does_not_matter(records in Just(corpus()).prop_shuffle()) {
        let sorted = |records: &[Value]| {
            let mut lines: Vec<String> = resolve(records).iter().map(Value::to_string).collect();
            lines.sort();
            lines
        };
        prop_assert_eq!(sorted(&records), sorted(&corpus()));
    }
}

/// Records that share ids, links and languages, and state random translations of each other.
fn tangle() -> impl Strategy<Value = Vec<Value>> {
    let said = (0..7usize, 0..4usize, 0..4i64, 0..3usize);
    let record = (1..5i64, 0..4usize, 0..4usize, prop::collection::vec(said, 0..4), 0..4usize);
    let paths = ["/a/", "/fr/a/", "/de/b/", "/", "/?p=2", "/?p=3", "/gone/"];
    let tags = [None, Some("en"), Some("fr"), Some("de")];
    prop::collection::vec(record, 1..8).prop_map(move |records| {
        let made = records.into_iter().map(|(id, path, tag, said, shape)| {
            let said = said.into_iter().map(|(path, tag, id, untold)| {
                let said = translation(tags[tag].unwrap_or("it"), &format!("https://e.org{}", paths[path]));
                let said = if id == 0 { with(with(said, "id", json!(path)), "href", NONE) } else { said };
                if untold == 0 { with(with(said, "language", NONE), "language_raw", NONE) } else { said }
            });
            let record = with(post(id, paths[path]), "translations", said.collect());
            let record = with(record, "links", json!([{"url": format!("https://e.org{}", paths[path])}]));
            let record = with(record, "language", json!(tags[tag]));
            match shape {
                0 => with(record, "type", json!("page")),
                1 => with(with(with(record, "kind", json!("html")), "type", json!("html")), "id", NONE),
                2 => with(record, "scrape", json!({"file": "x"})),
                _ => record,
            }
        });
        let mut records: Vec<Value> = made.collect();
        // wp-index never writes an identity twice.
        let mut seen = HashSet::new();
        records.retain(|r| seen.insert(["kind", "type", "id", "link"].map(|key| r[key].to_string())));
        records
    })
}

proptest! {
    #![proptest_config(crate::cases::cases(1200))]

    #[test]
    fn twice_is_once_whatever_the_records_share(records in tangle()) {
        let (once, _) = run_input(&Options::default(), Input::from_bytes("-", lines(&records))).unwrap();
        let (twice, _) = run_input(&Options::default(), Input::from_bytes("-", once.clone())).unwrap();
        prop_assert!(once == twice, "\n{}\n{once}\n{twice}", lines(&records));
    }
}

/// What a record states about a front page counts if the front page refers back to the record, or if the record is a front page itself.
/// Here, one record of each kind states a different language, so the front page has none.
#[test]
fn a_front_page_has_a_language_only_if_all_agree() {
    let said = |tag: &str, url: &str| translation(tag, &format!("https://e.org{url}"));
    let front = with(post(2, "/"), "translations", json!([with(with(said("it", ""), "id", json!(1)), "href", NONE)]));
    let front = with(front, "scrape", json!({"file": "x"}));
    let records = [
        with(with(post(3, "/"), "type", json!("page")), "translations", json!([said("en", "/")])),
        front,
        with(with(post(1, "/a/"), "language", json!("fr")), "translations", json!([said("it", "/?p=2")])),
    ];
    let once = resolve(&records);
    assert_eq!(once[1]["language"], NONE);
    assert_eq!(once[2]["translations"][0]["language"], "it");
    assert_eq!(resolve(&once), once);
}

/// As [`tangle`], with texts that may be copies, a notice, and a record that comes twice and states other translations.
fn tangle_of_texts() -> impl Strategy<Value = Vec<Value>> {
    let text = |word: &str| (0..20).map(|n| format!("{word}{n} ")).collect::<String>();
    let texts = [text("a"), text("a") + "b", text("c"), String::new()];
    (tangle(), prop::collection::vec(0..5usize, 8), any::<bool>()).prop_map(move |(mut records, shown, again)| {
        let link = records[0]["link"].clone();
        for (record, shown) in records.iter_mut().zip(shown) {
            record["content"] = json!({"text": texts[shown % 4]});
            record["copy_source"] = if shown == 4 { json!("notice") } else { NONE };
            if record["kind"] == "html" {
                record["same"] = json!({"type": "post", "id": 1});
                record["x_default"] = if again { link.clone() } else { NONE };
            }
        }
        if again {
            records.push(with(records[0].clone(), "translations", records[records.len() - 1]["translations"].clone()));
        }
        records
    })
}

proptest! {
    #![proptest_config(crate::cases::cases(700))]

    /// A run that writes a registry file reads the words of all records; other runs read only the words of records that are compared. Both
    /// find the same copies.
    #[test]
    fn reading_the_words_of_all_records_finds_no_more_copies(records in tangle_of_texts()) {
        let folder = tempfile::tempdir().unwrap();
        let all = Options { registry_out: Some(folder.path().join("registry")), ..Options::default() };
        let (of_all, _) = run_input(&all, Input::from_bytes("-", lines(&records))).unwrap();
        let (of_some, _) = run_input(&Options::default(), Input::from_bytes("-", lines(&records))).unwrap();
        prop_assert!(of_all == of_some, "\n{}\n{of_all}\n{of_some}", lines(&records));
    }
}

/// A link that two records own resolves to neither: the translation is identified by its id.
#[test]
fn a_translation_whose_link_is_shared_is_named_by_its_id() {
    let tongue = |record: Value, tag: &str| with(record, "language", json!(tag));
    let by_id = json!([{"language": "fr", "href": NONE, "id": 2, "type": "post", "source": "rest"}]);
    let records = [
        with(tongue(post(1, "/a/"), "en"), "translations", by_id),
        with(tongue(post(2, "/b/"), "fr"), "translations", json!([])),
        with(tongue(post(3, "/b/"), "de"), "translations", json!([translation("en", "https://e.org/a/")])),
    ];
    let out = resolve(&records);
    let named: Vec<_> = out[0]["translations"].as_array().unwrap().iter().map(|t| (&t["id"], &t["rule"])).collect();
    assert_eq!(named, [(&json!(2), &json!("id")), (&json!(3), &json!("id"))]);
    assert_eq!(out[1]["translations"][0]["rule"], "exact");
    assert_eq!(lines(&resolve(&out)), lines(&out));
}

#[test]
fn a_translation_may_be_named_by_a_shortlink() {
    let said = json!([
        translation("fr", "https://www.e.org/?p=2"),
        translation("de", "https://other.org/?p=3"),
        translation("it", "https://e.org/?p=77")
    ]);
    let records = [with(post(1, "/a/"), "translations", said), post(2, "/b/"), post(3, "/c/")];
    let out = resolve(&records);
    let told: Vec<_> =
        out[0]["translations"].as_array().unwrap().iter().map(|t| (&t["target"]["id"], &t["rule"])).collect();
    assert_eq!(told, [(&json!(2), &json!("shortlink")), (&NONE, &NONE), (&NONE, &NONE)]);
    assert_eq!(out[1]["translations"][0]["target"]["id"], 1);
}

/// If a URL could mean two records, the earlier rule decides.
#[test]
fn rules_are_tried_in_their_order() {
    let page = |path: &str| {
        let page = with(with(post(0, path), "kind", json!("html")), "type", json!("html"));
        with(page, "id", NONE)
    };
    let records = [
        site(),
        vec![
            with(post(70, "/seventy/"), "aliases", json!(["https://e.org/?p=1", "https://e.org/two/2/"])),
            page("/two/3/"),
            page("/sport/two/"),
            page("/alone/"),
        ],
    ]
    .concat();
    check(
        &records,
        &[
            ("/?p=1", Some(1), Some("shortlink")),
            ("/two/2/", Some(70), Some("alias")),
            ("/two/3/", Some(2), Some("subpage")),
            ("/sport/two/", None, Some("html")),
            ("/world/two/", Some(2), Some("category")),
            ("/alone/", None, Some("html")),
            ("/alone/?x=1", None, None),
        ],
    );
}

/// Sites that begin and end within batches or span several give the same result together as alone.
#[test]
fn a_stream_of_sites_is_its_sites_one_after_the_other() {
    let filler = "x".repeat(4000);
    let site = |name: &str, count: i64| -> String {
        let record = |id: i64| {
            let links = json!([{"url": format!("https://e.org/{name}/{}/", (id * 7) % count)}]);
            let record = with(with(post(id, &format!("/{name}/{id}/")), "links", links), "site", json!(name));
            let record = with(with(record, "filler", json!(filler)), "language", json!("en"));
            if id % 100 != 99 {
                return with(record, "content", json!({"text": format!("The text of {id}")}));
            }
            // A page with the words of the previous record.
            let page = with(with(record, "kind", json!("html")), "same", json!({"type": "post", "id": id - 1}));
            let page = with(with(page, "id", NONE), "language", json!("fr"));
            let page = with(page, "link", json!(format!("https://e.org/fr/{name}/{id}/")));
            with(page, "content", json!({"text": format!("The text of {}", id - 1)}))
        };
        lines(&(0..count).map(record).collect::<Vec<_>>())
    };
    let foreign = "{\"kind\":\"menu\"}\nnonsense\n";
    let sites = [site("a", 700), site("b", 3), site("c", 2), site("d", 900), foreign.to_owned(), site("e", 1)];
    let alone: String = sites
        .iter()
        .map(|site| run_input(&Options::default(), Input::from_bytes("-", site.clone())).unwrap().0)
        .collect();
    assert_eq!(alone.matches("\"copy_source\":\"words\"").count(), 16);
    for jobs in [1, 4] {
        let options = Options { jobs, ..Options::default() };
        let (out, report) = run_input(&options, Input::from_bytes("-", sites.concat())).unwrap();
        assert!(out == alone, "-j {jobs}");
        assert_eq!((report.counted("sites"), report.counted("records_in"), report.rejected()), (5, 1608, 1));
        let halves = sites.concat();
        let halves =
            halves.split_at(halves.find("\"site\":\"d\"").map(|at| halves[..at].rfind('\n').unwrap() + 1).unwrap());
        let two = Input::new(vec![Source::from_bytes("1", halves.0), Source::from_bytes("2", halves.1)]);
        assert!(run_input(&options, two).unwrap().0 == alone, "two files, -j {jobs}");
    }
    let back = [site("a", 700), site("b", 1), site("a", 1)].concat();
    let error = run_input(&Options::default(), Input::from_bytes("in", back)).err().unwrap().to_string();
    assert!(error.contains("in:702") && error.contains("in:700"), "{error}");
}

/// What a user's tools may do to a line: white space, escapes, other orders.
#[test]
fn an_untidy_line_is_edited_as_a_tidy_one() {
    let links = json!([{"url": "https://e.org/b/", "rule": NONE}, 7]);
    let records = [with(post(1, "/a/"), "links", links), post(2, "/b/")];
    let tidy = run_input(&Options::default(), Input::from_bytes("-", lines(&records))).unwrap().0;
    let untidy = lines(&records)
        .replace(",\"links\":[{", " , \"l\\u0069nks\" :\t[ { ")
        .replace("\"rule\":null}", "\"rule\": null }");
    let untidy = untidy.replace("\"site\"", "\"s\\u0069te\"");
    assert_eq!(run_input(&Options::default(), Input::from_bytes("-", untidy)).unwrap().0, tidy);
}

#[test]
fn of_a_repeated_key_the_last_value_counts() {
    let de = with(post(2, "/b/"), "language", json!("de"));
    let en = with(post(1, "/a/"), "translations", json!([translation("de", "https://e.org/b/")]));
    let resolved = |text: String| run_input(&Options::default(), Input::from_bytes("-", text)).unwrap().0;
    let answers = |out: &str| -> Vec<Value> {
        let records = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.map(|record| json!([record["translations"], record["translation_group"]])).collect()
    };
    let expected = answers(&resolved(lines(&[en.clone(), de.clone()])));
    // The escape in this key stays in the output, so the line never has the form that our stages write.
    let stays = r#"{"\u0001":1,"translations":[{"href":"https://e.org/c/"}],"translations":{},"#;
    for first in [
        stays,
        r#"{"translations":[7],"#,
        r#"{"tr\u0061nslations":[7],"scrape":{"file":7},"id" : "1","translations":{},"#,
    ] {
        let once = resolved(lines(&[en.clone(), de.clone()]).replacen('{', first, 1));
        assert_eq!(answers(&once), expected);
        assert_eq!(resolved(once.clone()), once);
    }
}

#[test]
fn a_language_that_only_a_repeated_record_names_means_the_same_twice() {
    let by_id = |tag: Value| with(with(translation("", ""), "language", tag), "href", NONE);
    let states = |record: Value, tag: Value| {
        let said = with(with(by_id(tag), "id", json!(2)), "type", json!("post"));
        with(record, "translations", json!([with(said, "language_raw", NONE)]))
    };
    let records = [
        states(post(1, "/x/"), json!("de")),
        states(post(3, "/y/"), NONE),
        states(post(3, "/y/"), json!("de")),
        with(post(2, "/p1/"), "language", json!("en")),
        post(2, "/p2/"),
    ];
    let once = resolve(&records);
    assert_eq!(once[0]["translations"][0]["language"], "en");
    assert_eq!(once[1]["translations"][0]["target"]["link"], "https://e.org/p2/");
    assert_eq!(resolve(&once), once);
}

#[test]
fn a_record_that_comes_twice_is_registered_once() {
    let records = [post(1, "/x/"), post(2, "/y/"), post(1, "/x/")];
    let (_, report) = run_input(&Options::default(), Input::from_bytes("-", lines(&records))).unwrap();
    assert_eq!((report.counted("registered"), report.counted("records_out")), (2, 3));
}

/// Found by fuzzing: two records share an id, and which of them a translation means depends on a language that is learnt from other
/// records. The first run must use that language already.
#[test]
fn a_language_that_is_learnt_decides_what_an_id_means_at_once() {
    let records = [
        r#"{"site":"e.org","kind":"post","link":"https://e.org/p1/","language":"en-GB"}"#,
        r#"{"site":"e.org","kind":"post","link":"https://e.org/de/p1/","language":"de","translations":[{"language":"de","id":2,"type":"post"}]}"#,
        r#"{"site":"e.org","kind":"post","type":"post","id":2,"link":"https://e.org/p2/"}"#,
        r#"{"site":"e.org","kind":"post","type":"post","id":2,"translations":[{"id":2,"type":"post"}]}"#,
        r#"{"site":"e.org","kind":"post","id":1,"link":"https://e.org/p1/","language":"en"}"#,
        r#"{"site":"e.org","kind":"post","link":"https://e.org/de/p2/","language":"de"}"#,
    ];
    let once = resolve(&records.map(|record| serde_json::from_str(record).unwrap()));
    assert_eq!(once[3]["translations"][0]["target"]["link"], "https://e.org/p2/");
    assert_eq!(resolve(&once), once);
}

#[test]
fn a_second_run_other_threads_and_files_give_the_same() {
    let options = Options::default();
    let text = lines(&corpus());
    let (once, _) = run_input(&options, Input::from_bytes("-", text.clone())).unwrap();
    let (twice, _) = run_input(&options, Input::from_bytes("-", once.clone())).unwrap();
    assert_eq!(once, twice);
    let (threads, _) =
        run_input(&Options { jobs: 8, ..options.clone() }, Input::from_bytes("-", text.clone())).unwrap();
    assert_eq!(once, threads);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    std::fs::write(&path, &text).unwrap();
    let file = Source::open(&path).unwrap();
    let (seekable, _) = run_input(&options, Input::new(vec![file])).unwrap();
    assert_eq!(once, seekable);
    for (before, after) in text.lines().zip(once.lines()) {
        let keys = |line: &str| -> Vec<String> {
            Object::parse(line.as_bytes()).unwrap().iter().map(|(key, _)| key.to_owned()).collect()
        };
        assert_eq!(keys(before), keys(after));
    }
}

#[test]
fn a_part_against_the_registry_is_the_part_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry");
    let whole = Options { registry_out: Some(path.clone()), ..Options::default() };
    let records = corpus();
    let (all, _) = run_input(&whole, Input::from_bytes("-", lines(&records))).unwrap();
    for at in 0..records.len() {
        let part = Options { registries: vec![path.clone()], ..Options::default() };
        let (one, _) = run_input(&part, Input::from_bytes("-", lines(&records[at..=at]))).unwrap();
        assert_eq!(one.lines().next(), all.lines().nth(at));
    }
}

/// A site in a folder, as its API says; English has no directory of its own, `br` is the directory of pt-BR.
fn folder_site() -> Vec<Value> {
    let of = |record: Value| with(record, "source", json!({"rest": "https://e.org/blog/wp-json/"}));
    let tongue = |record: Value, tag: &str| {
        of(with(
            with(with(record, "language", json!(tag)), "language_source", json!("html")),
            "translations",
            json!([]),
        ))
    };
    let silent = |record: Value| {
        let record = with(with(record, "language", NONE), "language_source", NONE);
        of(with(record, "translations", json!([])))
    };
    vec![
        tongue(other("post", "page", 1, "/blog/", "home"), "en-GB"),
        tongue(with(post(2, "/blog/2023/05/one/"), "categories", json!([10])), "en-GB"),
        tongue(with(post(3, "/blog/br/2023/05/um/"), "categories", json!([11])), "pt-BR"),
        tongue(with(post(4, "/blog/br/2023/05/dois/"), "categories", json!([12])), "pt-BR"),
        tongue(other("post", "page", 5, "/blog/about/", "about"), "en-GB"),
        tongue(other("post", "product", 6, "/blog/product/saw/", "saw"), "en-GB"),
        of(other("user", "user", 8, "/blog/author/ann/", "ann")),
        silent(other("term", "category", 10, "/blog/category/news/", "news")),
        silent(other("term", "category", 11, "/blog/category/novas/", "novas")),
        silent(other("term", "product_cat", 12, "/blog/br/product-category/tools/", "tools")),
        silent(post(13, "/blog/br/2023/06/tres/")),
        silent(other("post", "page", 14, "/blog/contact/", "contact")),
    ]
}

#[test]
fn a_site_may_lie_in_a_folder() {
    check(
        &folder_site(),
        &[
            ("/blog/?p=2", Some(2), Some("shortlink")),
            ("/blog/br/?p=3&preview=true", Some(3), Some("shortlink")),
            ("/blog/?cat=10", Some(10), Some("shortlink")),
            ("/blog/?author=8", Some(8), Some("shortlink")),
            ("/blog/?author_name=ann", Some(8), Some("author")),
            ("/blog/?product=saw", Some(6), Some("shortlink")),
            ("/blog/?post_type=product&p=6", Some(6), Some("shortlink")),
            ("/blog/?product_cat=tools", Some(12), Some("term")),
            ("/blog/?s=saw", None, None),
            ("/?p=2", None, None),
            ("/other/?p=2", None, None),
            ("/blog/2023/05/", None, None),
            ("/blog/2023/05/12/", None, None),
        ],
    );
    let links = ask(&folder_site(), &["/blog/2023/05/", "/blog/"]);
    assert_eq!(links[1]["target"]["id"], 1);
}

#[test]
fn a_guess_never_takes_a_month_for_a_page() {
    // Even if the records do not state where the site lies.
    let silent: Vec<Value> = folder_site().into_iter().map(|record| with(record, "source", NONE)).collect();
    check(&silent, &[("/blog/2023/05/", None, None), ("/blog/about/2/", Some(5), Some("subpage"))]);
}

#[test]
fn parameters_that_mean_nothing_do_not_hide_a_record() {
    check(
        &folder_site(),
        &[
            ("/blog/about/?foo=bar", Some(5), Some("query_ignored")),
            ("/blog/br/2023/05/um/?lang=pt-br", Some(3), Some("query_ignored")),
            ("/blog/br/2023/05/um/?lang=en", None, None),
            ("/blog/about/?s=x", None, None),
            ("/blog/?foo=bar", None, None),
            ("/blog/en/about/", Some(5), Some("other_language")),
            ("/blog/de/about/", None, None),
        ],
    );
    let owned = with(with(post(0, "/blog/about/?foo=bar"), "kind", json!("html")), "id", NONE);
    check(&[folder_site(), vec![owned]].concat(), &[("/blog/about/?foo=bar", None, Some("html"))]);
}

#[test]
fn an_embed_from_the_site_itself_has_a_target() {
    let url = |path: &str| format!("https://e.org{path}");
    let embed = |url: String| json!({"src": url, "url": url, "element": "iframe", "provider": NONE, "caption": NONE});
    let urls = [
        url("/world/one/embed/#?secret=x"),
        url("/wp-content/uploads/2020/01/film.mp4?_=1"),
        "https://www.youtube.com/embed/x".to_owned(),
        url("/wp-content/uploads/2020/01/gone.mp3"),
    ];
    let showing = with(post(2, "/two/"), "embeds", urls.map(embed).into_iter().collect());
    let out = resolve(&[post(1, "/world/one/"), media(20, "film.mp4", &[]), showing]);
    let found = |n: usize| {
        let embed = &out[2]["embeds"][n];
        (embed["internal"].clone(), embed["target"]["id"].clone(), embed["rule"].clone(), embed["reason"].clone())
    };
    assert_eq!(found(0), (json!(true), json!(1), json!("subpage"), NONE));
    assert_eq!(found(1), (json!(true), json!(20), json!("media_file"), NONE));
    assert_eq!(found(2), (json!(false), NONE, NONE, NONE));
    assert_eq!(found(3), (json!(true), NONE, NONE, json!("file")));
    assert_eq!(resolve(&out), out, "a second run changes nothing");
}

/// WordPress 6.1 answers each of these URLs in this way (`curl -L`), except for those that it redirects to a guess by the slug.
#[test]
fn what_wordpress_takes_for_another_url_means_the_same_record() {
    let story = with(post(40, "/2024/03/the-caf%c3%a9/"), "slug", json!("the-caf%c3%a9"));
    let team = with(other("post", "page", 4, "/about/team/", "team"), "id", json!(4));
    let paper = with(media(43, "a.pdf", &[]), "link", json!("https://e.org/a-paper/"));
    let photo = media(44, "photo.jpg", &["photo-300x200.jpg"]);
    let tag = other("term", "tag", 7, "/tag/budget/", "budget");
    let records = [post(1, "/world/one/"), story, team, paper, photo, tag];
    let canonical = [
        "/world/one)",
        "/world/one/,",
        "/world/one).",
        "/world/one/;",
        "/world/one/'",
        "/world/one/\"",
        "/world/one/%E2%80%9D",
        "/world/one/\u{201d}",
        "/world/one/%20",
        "/WORLD/One/",
        "/world/ONE)",
        "/world/one/2)",
        "/?p=1)",
        "/?p=1.",
    ];
    check(&records, &canonical.map(|href| (href, Some(1), Some("canonical"))));
    let elsewhere = [
        "/world/one/:",
        "/world/one/]",
        "/world/one/*",
        "/world/none)",
        "/?p=1:",
        "/world/one/?s=x",
        "/world/none/?s=x",
    ];
    check(&records, &elsewhere.map(|href| (href, None, None)));
    check(
        &records,
        &[
            ("/2024/03/THE-CAF%C3%89/", Some(40), Some("canonical")),
            ("/About/Team/", Some(4), Some("canonical")),
            ("/A-PAPER/", Some(43), Some("canonical")),
            ("/tag/Budget/", Some(7), Some("canonical")),
            ("/?name=one", Some(1), Some("shortlink")),
            ("/?name=team", None, None),
            ("/?pagename=about/team", Some(4), Some("shortlink")),
            ("/?pagename=one", None, None),
            ("/?attachment=a-paper", Some(43), Some("shortlink")),
            ("/?attachment=one", None, None),
            ("/wp-content/uploads/2020/01/a.pdf?ver=3", Some(43), Some("media_file")),
            ("/wp-content/uploads/2020/01/photo.jpg?w=1024", Some(44), Some("media_file")),
            ("/wp-content/uploads/2020/01/photo-300x200.jpg?m=2024", Some(44), Some("media_size")),
            ("/wp-content/uploads/2020/01/photo-600x400.jpg?w=1024", None, None),
            ("/wp-content/uploads/2020/01/PHOTO.jpg", None, None),
            ("/wp-content/uploads/2020/01/photo.jpg)", None, None),
            (
                "/cdn-cgi/image/width=300/https://e.org/wp-content/uploads/2020/01/photo.jpg",
                Some(44),
                Some("media_cdn"),
            ),
        ],
    );
    let reasons = [
        ("/?foo=bar", "home"),
        ("/?tag_id=7", "home"),
        ("/?s=x", "archive"),
        ("/2024/?s=x", "archive"),
        ("/world/one/?s=x", "archive"),
        ("/world/none/?s=x", "unknown"),
        ("/wp-content/uploads/2020/01/none.jpg?w=100", "file"),
        ("\u{201d}https://e.org/world/one/\u{201d}", "disguised"),
        ("http//e.org/world/one/", "disguised"),
    ];
    for (link, (href, reason)) in ask(&records, &reasons.map(|(href, _)| href)).iter().zip(reasons) {
        assert_eq!((&link["target"]["id"], &link["reason"]), (&NONE, &json!(reason)), "{href}");
    }
}

#[test]
fn directories_and_posts_tell_the_language() {
    let out = resolve(&folder_site());
    let told = |id: i64| {
        let record = out.iter().find(|record| record["id"] == id).unwrap();
        (record["language"].clone(), record["language_source"].clone())
    };
    let language = |tag: &str, source: &str| (json!(tag), json!(source));
    assert_eq!(told(13), language("pt-BR", "url"), "all in a directory of another name are in one language");
    assert_eq!(told(12), language("pt-BR", "url"));
    assert_eq!(told(14), language("en-GB", "url"), "the default language has no directory");
    assert_eq!(told(10), language("en-GB", "posts"));
    assert_eq!(told(11), language("pt-BR", "posts"), "whatever its directory would say");
    // Resolving again gives the same.
    assert_eq!(resolve(&out), out);
}

#[test]
fn former_addresses_are_known() {
    let guid = |record: Value, guid: &str| with(record, "guid", json!(guid));
    let records = [
        guid(post(1, "/a/"), "http://old.example/site/?p=1"),
        guid(post(2, "/b/"), "http://old.example/site/?page_id=2"),
        guid(post(3, "/2023/c-new/"), "https://e.org/2023/c/"),
        media(4, "photo.jpg", &["photo-9x9.jpg"]),
    ];
    check(
        &records,
        &[
            ("http://old.example/site/a/", Some(1), Some("former")),
            ("http://old.example/site/?p=2", Some(2), Some("former")),
            ("http://old.example/site/wp-content/uploads/2020/01/photo-9x9.jpg", Some(4), Some("former")),
            ("http://old.example/other/a/", None, None),
            ("/2023/c/", Some(3), Some("former")),
            ("/index.php/2023/c/", None, None),
        ],
    );
    let links = ask(&records, &["http://old.example/site/a/", "http://old.example/site/none/"]);
    assert_eq!((&links[0]["internal"], &links[1]["internal"]), (&json!(true), &json!(false)));
}

#[test]
fn an_alias_with_index_php_differs_from_the_one_without() {
    let records = [
        with(post(1, "/a-new/"), "aliases", json!(["https://e.org/a/"])),
        with(post(2, "/a-engl/"), "aliases", json!(["https://e.org/index.php/a/"])),
    ];
    check(&records, &[("/a/", Some(1), Some("alias")), ("/index.php/a/", Some(2), Some("alias"))]);
}

#[test]
fn front_pages_that_refer_to_each_other_are_translations() {
    let tongue = |record: Value, tag: &str, to: Value| with(with(record, "language", json!(tag)), "translations", to);
    let records = [
        tongue(post(1, "/"), "en", json!([translation("fr", "https://e.org/fr/bienvenue/")])),
        tongue(post(2, "/fr/bienvenue/"), "fr", json!([translation("en", "https://e.org/")])),
        tongue(post(3, "/fr/seul/"), "fr", json!([translation("en", "https://e.org/")])),
    ];
    let out = resolve(&records);
    let groups: Vec<_> = out.iter().map(|record| record["translation_group"].as_str()).collect();
    assert_eq!(groups, [Some("post:https://e.org/"), Some("post:https://e.org/"), None]);
    assert_eq!(out[2]["translations"], json!([]));
}

/// A link to a kind of record that the input lacks (users, uploads) is `outside_dump`. A URL that never has a record, such as an archive or
/// a feed, is not `unknown` either.
#[test]
fn a_missing_target_has_a_reason() {
    let asked = [
        ("/world/one/", None),
        ("https://elsewhere.example/x/", None),
        ("/", Some("home")),
        ("/2024/02/", Some("archive")),
        ("/page/2/", Some("archive")),
        ("/?s=word", Some("archive")),
        ("/feed/", Some("feed")),
        ("/wp-login.php", Some("system")),
        ("/author/nobody/", Some("outside_dump")),
        ("/category/none/", Some("outside_dump")),
        ("/wp-content/uploads/2024/01/none.jpg", Some("outside_dump")),
        ("/?author=77", Some("outside_dump")),
        ("www.example.org/x", Some("disguised")),
        ("/no-such-page/", Some("unknown")),
        ("/?p=4711", Some("unknown")),
    ];
    let hrefs = asked.map(|(href, _)| href);
    let reasons = |site: &[Value]| -> Vec<Option<String>> {
        ask(site, &hrefs).iter().map(|link| link["reason"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(reasons(&[post(1, "/world/one/")]), asked.map(|(_, reason)| reason.map(str::to_owned)));
    let known = reasons(&site().into_iter().filter(|record| record["link"] != "https://e.org/").collect::<Vec<_>>());
    assert_eq!(known[8..12], ["unknown", "unknown", "file", "unknown"].map(|reason| Some(reason.to_owned())));
    // The pages of a site without a dump are its posts.
    let gone = json!({"href": "/gone/", "url": "https://e.org/gone/", "rel": NONE, "internal": NONE, "target": target(),
        "comment": NONE, "rule": NONE});
    for (kind, reason) in [("html", "unknown"), ("term", "outside_dump")] {
        let asking = with(with(post(1, "/world/one/"), "kind", json!(kind)), "links", json!([gone]));
        assert_eq!(resolve(&[asking])[0]["links"][0]["reason"], reason, "{kind}");
    }
    // The name of a file of a mirror is not an email address.
    let shortlink = with(post(1, "/world/one/"), "aliases", json!(["https://e.org/asking/?p=1"]));
    let found = ask(&[shortlink], &["index.html@p=1.html", "index.html@p=2.html", "name@e.org"]);
    let told: Vec<_> = found.iter().map(|link| (&link["target"]["id"], &link["reason"])).collect();
    let reason = |name: &str| json!(name);
    assert_eq!(told, [(&json!(1), &NONE), (&NONE, &reason("unknown")), (&NONE, &reason("disguised"))]);
}
