//! Tests how wp-parse handles the API's fields. The rules for text, links and images have their own table (content).

use crate::workdir::Workdir;
use serde_json::{Value, json};

/// A line of wp-index.
fn item(kind: &str, r#type: &str, api: Value) -> String {
    let (id, link) = (api["id"].clone(), api["link"].clone());
    json!({"site": "a.example", "kind": kind, "type": r#type, "id": id, "link": link,
           "source": {"file": "posts.json", "item": 1}, "scrape": {"root": null, "file": null, "url": null}, "aliases": [],
           "api": api})
    .to_string()
}

fn parse_with(args: &str, line: &str) -> Value {
    let run = Workdir::new().program("wp-parse", args, line).expect(0);
    run.records().remove(0)
}

fn post(api: Value) -> Value {
    let mut whole = json!({"id": 7, "link": "https://a.example/x/", "type": "post"});
    whole.as_object_mut().unwrap().extend(api.as_object().unwrap().clone());
    parse_with("", &item("post", "post", whole))
}

#[test]
fn phps_shapes_are_normalised() {
    let record = post(
        json!({"tags": false, "categories": {"0": 3, "5": "4"}, "author": "12", "sticky": "", "parent": null,
        "featured_media": 1.0, "title": "Plain &amp; bare", "excerpt": false, "content": {"rendered": "<p>x</p>", "plaintext": "x"},
        "meta": [], "acf": false, "class_list": {"1": "a"}, "media_details": [], "template": [], "format": null}),
    );
    assert_eq!(record["tags"], json!([]));
    assert_eq!(record["categories"], json!([3, 4]));
    assert_eq!(
        (&record["author"], &record["sticky"], &record["featured_media"]),
        (&json!(12), &json!(false), &json!(1))
    );
    assert_eq!(record["title"], json!({"html": "Plain &amp; bare", "text": "Plain & bare"}));
    assert_eq!(record["excerpt"], json!({"html": null, "text": null}));
    assert_eq!(record["content"]["protected"], Value::Null);
    assert_eq!(record["template"], Value::Null);
}

/// jq may change anything between two stages.
#[test]
fn keys_of_an_item_may_have_any_type() {
    let own = item("post", "post", json!({"id": 7, "link": "https://a.example/x/", "title": "T"}));
    let strange =
        [json!(null), json!(true), json!(5), json!("7"), json!([1]), json!({"file": 3, "root": [], "item": "1"})];
    for key in ["site", "type", "id", "link", "source", "scrape", "aliases"] {
        for value in &strange {
            let mut line: Value = serde_json::from_str(&own).unwrap();
            line[key] = value.clone();
            assert_eq!(parse_with("", &line.to_string())["title"]["text"], "T", "{key}: {value}");
        }
    }
    let mut line: Value = serde_json::from_str(&own).unwrap();
    line["id"] = json!("7");
    assert_eq!(parse_with("", &line.to_string())["id"], 7);
}

#[test]
fn equal_texts_have_equal_hashes_and_no_text_has_none() {
    let hash = |html: &str| post(json!({"content": {"rendered": html}}))["content"]["hash"].clone();
    assert_eq!(hash("<p>One  text</p>"), hash("<div>One text</div>"));
    assert_ne!(hash("<p>One text</p>"), hash("<p>Another</p>"));
    assert_eq!(hash("<script>x</script>"), Value::Null);
    assert_eq!(hash("x").as_str().unwrap().len(), 32);
}

#[test]
fn content_source_is_null_where_there_is_no_content() {
    assert_eq!(post(json!({"content": {"rendered": "<p>x</p>"}}))["content_source"], "api");
    for content in [json!({"rendered": "", "protected": true}), json!({"rendered": " \n"}), Value::Null] {
        assert_eq!(post(json!({"content": content}))["content_source"], Value::Null);
    }
}

#[test]
fn content_source_follows_from_the_door_of_the_item() {
    for (via, want) in [("rest", "api"), ("wxr", "export"), ("feed", "feed"), ("?", "api")] {
        let line = item("post", "post", json!({"id": 7, "content": "<p>x</p>"}));
        let record = parse_with("", &line.replace("\"source\":{", &format!("\"source\":{{\"via\":\"{via}\",")));
        assert_eq!((&record["source"]["via"], &record["content_source"]), (&json!(via), &json!(want)));
    }
}

#[test]
fn terms_of_custom_taxonomies_are_found_through_links() {
    let links = json!({"wp:term": [
        {"taxonomy": "category", "href": "https://a.example/wp-json/wp/v2/categories?post=7"},
        {"taxonomy": "rig", "href": "https://a.example/wp-json/wp/v2/rigs?post=7"},
        {"taxonomy": "port", "href": "https://a.example/wp-json/wp/v2/port?post=7"}]});
    let record = post(json!({"_links": links, "rigs": [5, 6], "port": [], "categories": [1], "related": [8]}));
    let bare = |taxonomy: &str, id| json!({"taxonomy": taxonomy, "id": id, "name": null, "slug": null, "link": null});
    assert_eq!(record["terms"], json!([bare("category", 1), bare("rig", 5), bare("rig", 6)]));
}

#[test]
fn embedded_terms_and_images_are_named() {
    let links = json!({"wp:term": [{"taxonomy": "rig", "href": "https://a.example/wp-json/wp/v2/rigs?post=7"}]});
    let term = |taxonomy: &str, id: i64, name: &str| json!({"taxonomy": taxonomy, "id": id, "name": name, "slug": "s", "link": "https://a.example/s/"});
    let embedded = json!({"wp:term": [[term("post_tag", 2, "Ropes &amp; knots")], [term("rig", 5, "Cutter"), {"code": "no"}], 7],
        "wp:featuredmedia": [{"code": "rest_forbidden"}, {"source_url": "/uploads/a.jpg"}]});
    let record = post(json!({"_links": links, "rigs": [5], "tags": [2, 3], "_embedded": embedded}));
    let named = |taxonomy: &str, id: i64, name: &str| json!({"taxonomy": taxonomy, "id": id, "name": name, "slug": "s", "link": "https://a.example/s/"});
    let bare = json!({"taxonomy": "tag", "id": 3, "name": null, "slug": null, "link": null});
    assert_eq!(record["terms"], json!([named("tag", 2, "Ropes & knots"), bare, named("rig", 5, "Cutter")]));
    let none = json!({"type": null, "id": null, "link": null});
    let url = "https://a.example/uploads/a.jpg";
    assert_eq!(record["featured_image"], json!({"src": "/uploads/a.jpg", "url": url, "target": none, "rule": null}));
}

#[test]
fn the_rest_fields_of_multilingual_plugins() {
    let fr = |href: Value, id: Value, raw: &str| {
        json!([{"language": "fr-FR", "language_raw": raw, "href": href, "id": id, "type": if id.is_null() { json!(null) } else { json!("post") },
                "source": "rest", "target": {"type": null, "id": null, "link": null}, "rule": null, "reason": null}])
    };
    let cases = [
        (
            "Polylang Pro",
            json!({"lang": "en", "translations": {"en": 7, "fr_FR": 8}}),
            "en",
            fr(json!(null), json!(8), "fr_FR"),
        ),
        (
            "WP REST - Polylang",
            json!({"polylang_current_lang": "en_US", "polylang_translations": [{"locale": "en_US", "id": 7}, {"locale": "fr_FR", "id": 8}]}),
            "en-US",
            fr(json!(null), json!(8), "fr_FR"),
        ),
        (
            "add-on, object",
            json!({"polylang_lang": "en", "polylang_translations": {"en": 7, "fr-FR": "8"}}),
            "en",
            fr(json!(null), json!(8), "fr-FR"),
        ),
        (
            "WPML REST API 1",
            json!({"wpml_current_locale": "en_US", "wpml_translations": [{"locale": "fr_FR", "id": 8, "slug": "y", "post_title": "Y", "href": "https://a.example/fr/y/"}]}),
            "en-US",
            fr(json!("https://a.example/fr/y/"), json!(8), "fr_FR"),
        ),
        (
            "WPML REST API 2",
            json!({"wpml_current_locale": "en_US", "wpml_translations": {"fr_FR": {"id": 8, "href": "https://a.example/fr/y/"}}}),
            "en-US",
            fr(json!("https://a.example/fr/y/"), json!(8), "fr_FR"),
        ),
        ("none", json!({"lang": "en", "translations": [], "wpml_translations": []}), "en", json!([])),
        ("only itself", json!({"lang": "en", "translations": {"en": 7}}), "en", json!([])),
        ("slugs say nothing", json!({"lang": "en", "translations": {"fr": "a-slug"}}), "en", json!([])),
    ];
    for (name, api, language, translations) in cases {
        let record = post(api);
        assert_eq!(record["language"], language, "{name}");
        assert_eq!(record["language_source"], "rest", "{name}");
        assert_eq!(record["translations"], translations, "{name}");
    }
}

#[test]
fn bogo_names_the_original_of_a_translation() {
    let record = post(
        json!({"guid": {"rendered": "https://a.example/?p=7"}, "meta": {"_locale": "ja", "_original_post": "https://a.example/?p=3"}}),
    );
    assert_eq!(
        (&record["language"], &record["translations"][0]["href"]),
        (&json!("ja"), &json!("https://a.example/?p=3"))
    );
    assert_eq!(record["translations"][0]["language"], Value::Null);
    let original = post(
        json!({"guid": {"rendered": "https://a.example/?p=7"}, "meta": {"_locale": "en_US", "_original_post": "https://a.example/?p=7"}}),
    );
    assert_eq!(original["translations"], json!([]));
}

#[test]
fn hints_of_the_own_language_say_that_they_are_hints() {
    let yoast =
        post(json!({"yoast_head_json": {"schema": {"@graph": [{"@type": "WebPage"}, {"inLanguage": "pt-BR"}]}}}));
    assert_eq!((&yoast["language"], &yoast["language_source"]), (&json!("pt-BR"), &json!("yoast")));
    let own = |link: &str, own: &str| {
        let api = json!({"id": 7, "link": link, "_links": {"self": [{"href": own}]}});
        parse_with("", &item("post", "post", api))["language"].clone()
    };
    assert_eq!(own("https://a.example/fr/x/", "https://a.example/fr/wp-json/wp/v2/posts/7"), "fr");
    assert_eq!(own("https://a.example/x/", "https://a.example/fr/wp-json/wp/v2/posts/7"), Value::Null);
    assert_eq!(own("https://a.example/x/", "https://a.example/wp-json/wp/v2/posts/7"), Value::Null);
    assert_eq!(own("https://a.example/blog/x/", "https://a.example/blog/wp-json/wp/v2/posts/7"), Value::Null);
}

#[test]
fn seo_fields_of_three_plugins() {
    let yoast = post(
        json!({"yoast_head_json": {"title": "T", "description": "D", "canonical": "C", "og_url": "U", "og_locale": "en_US", "og_image": [{"url": "I"}]}}),
    );
    assert_eq!(
        yoast["seo"],
        json!({"title": "T", "description": "D", "canonical": "C", "image": "I", "locale": "en_US", "url": "U", "source": "yoast"})
    );
    let aioseo = post(json!({"aioseo_head_json": {"title": "T", "canonical_url": "C", "og:locale": "fr_FR"}}));
    assert_eq!((&aioseo["seo"]["canonical"], &aioseo["seo"]["source"]), (&json!("C"), &json!("aioseo")));
    let rank_math = post(json!({"meta": {"rank_math_title": "T", "rank_math_description": ""}}));
    assert_eq!((&rank_math["seo"]["title"], &rank_math["seo"]["source"]), (&json!("T"), &json!("rankmath")));
    assert_eq!(post(json!({}))["seo"]["source"], Value::Null);
}

#[test]
fn media_terms_users_and_comments() {
    let media = json!({"id": 9, "link": null, "source_url": "https://a.example/u/a.jpg", "post": 7, "title": {"rendered": "a"},
        "caption": "An old &amp; plain caption", "media_details": {"width": 100, "height": "50", "sizes": {"full": {"source_url": "https://a.example/u/a.jpg", "width": 100},
        "broken": {"file": "x"}, "medium": {"source_url": "https://a.example/u/a-9x9.jpg", "sources": {"image/webp": {"source_url": "https://a.example/u/a-9x9-jpg.webp"}}}},
        "sources": {"image/jpeg": {"source_url": "https://a.example/u/a.jpg"}, "image/webp": {"source_url": "https://a.example/u/a-jpg.webp"}}, "image_meta": {"iso": 100, "keywords": ["k"]}, "parent_image": {"attachment_id": 3}}});
    let media = parse_with("", &item("media", "media", media));
    let size = |name: &str, file: &str, width: Option<i64>, height: Option<i64>, r#type: Option<&str>| json!({"name": name, "url": format!("https://a.example/u/{file}"), "width": width, "height": height, "mime_type": r#type});
    let sizes = [
        size("full", "a.jpg", Some(100), None, None),
        size("medium", "a-9x9.jpg", None, None, None),
        size("medium", "a-9x9-jpg.webp", None, None, Some("image/webp")),
        size("full", "a-jpg.webp", Some(100), Some(50), Some("image/webp")),
    ];
    assert_eq!(media["sizes"], json!(sizes));
    assert_eq!(
        (&media["media_details"]["height"], &media["media_details"]["image_meta"]["iso"]),
        (&json!(50), &json!("100"))
    );
    assert_eq!((&media["caption"]["text"], &media["parent_image_id"]), (&json!("An old & plain caption"), &json!(3)));
    let term = json!({"id": 3, "link": "https://a.example/category/c/", "name": "C &amp; D", "description": "<a href='/x/'>x</a>", "count": 2, "parent": 0, "taxonomy": "category"});
    let term = parse_with("", &item("term", "category", term));
    assert_eq!(
        (&term["name"], &term["name_html"], &term["links"][0]["url"]),
        (&json!("C & D"), &json!("C &amp; D"), &json!("https://a.example/x/"))
    );
    let user = json!({"id": 1, "link": "https://a.example/author/u/", "name": "U &amp; V", "avatar_urls": {"24": "s", "x": "y"}});
    let user = parse_with("", &item("user", "user", user));
    assert_eq!(user["avatar_urls"], json!([{"size": 24, "url": "s"}, {"size": null, "url": "y"}]));
    // WordPress escapes names of users and commenters like those of terms.
    assert_eq!(user["name"], "U & V");
    let comment = json!({"id": 4, "link": "https://a.example/x/#comment-4", "post": 7, "parent": 2, "author_name": "N &#8217; M", "content": {"rendered": "<p>Hi <a href='/y/'>y</a></p>"}});
    let comment = parse_with("", &item("comment", "comment", comment));
    assert_eq!(
        (&comment["content"]["text"], &comment["parent"], &comment["links"][0]["href"]),
        (&json!("Hi y"), &json!(2), &json!("/y/"))
    );
    assert_eq!(comment["author_name"], "N ’ M");
}

#[test]
fn kept_fields_are_scalars_or_json_strings() {
    let line = item(
        "post",
        "post",
        json!({"id": 1, "link": null, "acf": {"price": 3}, "meta": {"x": {"y": 12345678901234567890u64}, "s": "t"}}),
    );
    let record = parse_with("--keep acf,meta.x.y --keep meta.s,none", &line);
    assert_eq!(record["extra"]["acf"], "{\"price\":3}");
    assert_eq!(record["extra"]["meta.x.y"].to_string(), "12345678901234567890");
    assert_eq!((&record["extra"]["meta.s"], &record["extra"]["none"]), (&json!("t"), &Value::Null));
    assert!(parse_with("", &line).get("extra").is_none());
}

#[test]
fn the_api_is_dropped_unless_it_is_kept() {
    let line = item("post", "post", json!({"id": 1, "link": null, "n": 1}));
    assert!(parse_with("", &line).get("api").is_none());
    assert_eq!(parse_with("--keep-api", &line)["api"]["n"], 1);
}

#[test]
fn unknown_keys_follow_in_input_order_to_the_last_digit() {
    let line = r#"{"zeta":1.10,"site":"a","kind":"post","type":"post","id":1,"link":null,"api":{},"alpha":[123456789012345678901234567890]}"#;
    let run = Workdir::new().program("wp-parse", "", line).expect(0);
    assert!(
        run.stdout.trim_end().ends_with(r#","zeta":1.10,"alpha":[123456789012345678901234567890]}"#),
        "{}",
        run.stdout
    );
}

#[test]
fn lines_that_wp_index_did_not_write_pass_unchanged() {
    for line in [r#"{"kind":"star","api":{"a": 1}}"#, r#"{"kind":"post","type":"post","id":1,"content":{}}"#, r#"{}"#] {
        let run = Workdir::new().program("wp-parse", "", line).expect(0);
        assert_eq!(run.stdout.trim_end(), line);
    }
}

#[test]
fn a_dump_that_was_unescaped_once_too_often_is_noticed() {
    let line = |html: &str| item("post", "post", json!({"id": 1, "link": null, "content": {"rendered": html}})) + "\n";
    let bare = line("<p>Fish & chips</p>");
    let run = Workdir::new().program("wp-parse", "", bare.clone() + &bare).expect(0);
    assert!(run.stderr.contains("HTML-unescaped once too often"), "{}", run.stderr);
    // One content may have been written so by hand.
    assert_eq!(Workdir::new().program("wp-parse", "", bare).expect(0).stderr, "");
    let run = Workdir::new().program("wp-parse", "", line("Fish & chips") + &line("Fish &amp; chips")).expect(0);
    assert_eq!(run.stderr, "");
}

#[test]
fn html_records_carry_the_record_whose_id_their_page_has() {
    let line =
        item("html", "html", json!({"id": null, "link": "https://a.example/fr/x/", "same": {"type": "post", "id": 7}}));
    let record = parse_with("", &line);
    assert_eq!(record["same"], json!({"type": "post", "id": 7}));
    let line = r#"{"site":"a","kind":"html","type":"html","id":null,"link":"https://a.example/y/","api":null}"#;
    assert_eq!(parse_with("", line)["same"], json!({"type": null, "id": null}));
}

#[test]
fn the_peers_rules_are_said_in_the_record() {
    let line =
        item("post", "post", json!({"id": 1, "link": null, "content": {"rendered": "<h1>One</h1><h2>two</h2>"}}));
    let record = parse_with("--text wpextract", &line);
    assert_eq!((&record["content"]["text"], &record["text_rules"]), (&json!("Onetwo"), &json!("wpextract")));
    assert_eq!(parse_with("", &line)["content"]["text"], "One\ntwo");
}

#[test]
fn what_stands_beside_a_table_decides_nothing() {
    let table = "<table><tr><td>a</td><td>b</td></tr></table>";
    for (args, alone) in [("", "a\tb"), ("--text no-tables", "")] {
        for (after, text) in [("", ""), ("<p>c</p>", "c")] {
            let api =
                json!({"id": 7, "link": "https://a.example/x/", "content": {"rendered": format!("{table}{after}")}});
            let record = parse_with(args, &item("post", "post", api));
            assert_eq!(record["content"]["text"], [alone, text].join("\n").trim());
        }
    }
}

/// Strict readers refuse half of a surrogate pair anywhere, including in values that wp-parse only passes on.
#[test]
fn half_of_a_surrogate_pair_is_in_no_record() {
    let dir = Workdir::new();
    let lines = [
        r#"{"site":"a","kind":"comment","type":"comment","id":5,"link":"https://a/","more":"x\ude00"}"#,
        r#"{"site":"a","kind":"comment","type":"comment","id":5,"link":"https://a/","more":{"x\uD83D":[1,"\\ud83d"]},"api":{}}"#,
        r#"{"site":"a","kind":"comment","type":"comment","id":5,"link":"https://a/","more":"\ud83d\ude00"}"#,
    ];
    let run = dir.program("wp-parse", "--stats stats", lines.join("\n") + "\n").expect(0);
    let more: Vec<Value> = run.records().iter().map(|record| record["more"].clone()).collect();
    assert_eq!(more, [json!("x\u{fffd}"), json!({"x\u{fffd}": [1, "\\ud83d"]}), json!("\u{1f600}")]);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!(stats["defects"]["lone_surrogate"], 2);
}

/// The people whom an item names are its authors, even if the list of users is closed.
#[test]
fn bylines_are_authors_in_their_order() {
    let authors = |mut api: Value| {
        api["title"] = json!({"rendered": "x"});
        let post = parse_with("", &item("post", "post", api));
        let named = post["authors"].as_array().unwrap().iter();
        let names: Vec<_> = named.map(|one| (one["id"].as_i64(), one["name"].as_str().unwrap().to_owned())).collect();
        assert_eq!(post["author_name"].as_str(), names.first().map(|(_, name)| name.as_str()));
        (names, post["authors"][0]["source"].as_str().map(str::to_owned))
    };
    let one = |id: Option<i64>, name: &str| (id, name.to_owned());
    let of = |source: &str| Some(source.to_owned());
    let user = json!({"id": 1, "name": "Ann Bee", "slug": "ann", "link": "https://a.example/author/ann/"});
    let term = |slug: &str, name: &str| json!({"id": 100, "taxonomy": "author", "name": name, "slug": slug});
    let embedded = json!({"author": [user], "wp:term": [[term("ann", "Ann Bee"), term("bob", "Bob &amp; Co"), term("cap-cy", "cy_login")]]});
    assert_eq!(
        authors(json!({"author": 1, "_embedded": embedded})),
        (vec![one(Some(1), "Ann Bee"), one(None, "Bob & Co")], of("embedded"))
    );
    let byline = |id: i64, name: &str| json!({"user_id": id, "display_name": name, "is_guest": id == 0});
    let listed = json!([byline(0, "Dee"), byline(1, "Ann Bee"), byline(1, "Ann Bee"), byline(0, " ")]);
    assert_eq!(
        authors(json!({"author": 1, "authors": listed, "_embedded": {"author": [user]}})),
        (vec![one(None, "Dee"), one(Some(1), "Ann Bee")], of("publishpress"))
    );
    assert_eq!(
        authors(json!({"author": 1, "yoast_head_json": {"author": "Ann Bee"}})),
        (vec![one(None, "Ann Bee")], of("yoast"))
    );
    for odd in [json!("x"), json!({"a": 5}), json!([null, 5, {"user_id": "1"}])] {
        assert_eq!(
            authors(json!({"author": 1, "authors": odd, "_embedded": odd, "yoast_head_json": odd})),
            (vec![], None)
        );
    }
}

/// Some taxonomies have no field in a post; the API embeds their terms nevertheless.
#[test]
fn embedded_terms_are_terms_whether_a_field_has_their_ids_or_not() {
    let term = |taxonomy: &str, id: i64, name: &str| json!({"taxonomy": taxonomy, "id": id, "name": name, "slug": "s"});
    let embedded = json!({"wp:term": [[term("category", 3, "A &amp; B")], [term("region", 31, "North"), term("region", 31, "North")]]});
    let post = parse_with(
        "",
        &item("post", "post", json!({"title": {"rendered": "x"}, "categories": [3, 4], "_embedded": embedded})),
    );
    let terms: Vec<_> =
        post["terms"].as_array().unwrap().iter().map(|one| json!([one["taxonomy"], one["id"], one["name"]])).collect();
    assert_eq!(terms, [json!(["category", 3, "A & B"]), json!(["category", 4, null]), json!(["region", 31, "North"])]);
}

/// An export without definitions of its terms names them in the order of their ids.
#[test]
fn categories_come_before_tags_and_those_before_other_terms() {
    let term = |taxonomy: &str, id: Option<i64>, name: &str| json!({"taxonomy": taxonomy, "id": id, "name": name, "slug": name});
    let embedded = [
        term("post_tag", None, "a"),
        term("category", None, "b"),
        term("genre", Some(3), "c"),
        term("boat", None, "d"),
        term("post_tag", None, "e"),
        term("category", Some(9), "f"),
    ];
    let record = post(json!({"tags": [4], "_embedded": {"wp:term": [embedded]}}));
    let terms = record["terms"].as_array().unwrap();
    let of = |taxonomy: &str| -> Vec<&Value> {
        terms.iter().filter(|term| term["taxonomy"] == taxonomy).map(|term| &term["name"]).collect()
    };
    let taxonomies: Vec<_> = terms.iter().map(|term| term["taxonomy"].as_str().unwrap()).collect();
    assert_eq!(taxonomies, ["category", "category", "tag", "tag", "tag", "boat", "genre"]);
    assert_eq!(
        (of("category"), of("tag")),
        (vec![&json!("b"), &json!("f")], vec![&Value::Null, &json!("a"), &json!("e")])
    );
}

#[test]
fn a_field_to_keep_that_no_item_has_is_named() {
    let item = |id: i64, acf: &str| {
        format!(r#"{{"kind":"post","type":"post","id":{id},"api":{{"id":{id},"acf":{acf},"meta":{{"x":null}}}}}}"#)
            + "\n"
    };
    let dir = Workdir::new();
    let input = item(1, "[]") + &item(2, r#"{"price":5}"#);
    for jobs in [1, 8] {
        let run = dir
            .program("wp-parse", &format!("-j {jobs} --keep acf.price,acf.size,meta.x,mata"), input.clone())
            .expect(0);
        let named: Vec<&str> = run.stderr.lines().filter(|line| line.contains("no item has a value there")).collect();
        let fields: Vec<&str> = named.iter().filter_map(|line| line.split(' ').nth(2)).collect();
        assert_eq!(fields, ["acf.size:", "meta.x:", "mata:"], "{}", run.stderr);
    }
    let run = dir.program("wp-parse", "--keep mata", "").expect(0);
    assert!(!run.stderr.contains("mata"), "{}", run.stderr);
}
