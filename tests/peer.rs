//! Tests records that each crash wpextract 1.1.1: our programs finish, keep all other records and report the problem.

use crate::workdir::{Run, Workdir};
use serde_json::{Value, json};

fn post(id: u32) -> Value {
    json!({"id": id, "date_gmt": "2024-01-02T03:04:05", "slug": format!("p{id}"), "status": "publish", "type": "post",
           "link": format!("https://a.example/p{id}/"), "title": {"rendered": "A title"},
           "content": {"rendered": "<p>Text.</p>", "protected": false}, "excerpt": {"rendered": ""}, "author": 1,
           "categories": [], "tags": []})
}

/// Runs the whole pipe on a dump of three posts, with the middle one changed; returns the records.
#[track_caller]
fn with(change: impl FnOnce(&mut Value)) -> (Vec<Value>, Run) {
    let mut changed = post(2);
    change(&mut changed);
    pipe(&json!([post(1), changed, post(3)]).to_string())
}

#[track_caller]
fn pipe(dump: &str) -> (Vec<Value>, Run) {
    let dir = Workdir::new();
    dir.write("dump/posts.json", dump);
    let run = dir.sh("wp-index --max-rejects 1 dump | wp-parse | wp-translations | wp-resolve | wp-export").expect(0);
    (run.records(), run)
}

fn ids(records: &[Value]) -> Vec<u64> {
    records.iter().filter_map(|record| record["id"].as_u64()).collect()
}

#[test]
fn an_iframe_without_src() {
    let (records, _) =
        with(|post| post["content"]["rendered"] = "<iframe></iframe><iframe src='https://b.example/'></iframe>".into());
    assert_eq!(ids(&records), [1, 2, 3]);
    let sources: Vec<&Value> = records[1]["embeds"].as_array().unwrap().iter().map(|embed| &embed["src"]).collect();
    assert_eq!(sources, [&Value::Null, &json!("https://b.example/")]);
}

#[test]
fn a_url_that_cannot_be_parsed() {
    let (records, _) =
        with(|post| post["content"]["rendered"] = "<a href='http://[bad'>x</a><img src='http://[bad'>".into());
    assert_eq!(records[1]["links"][0]["href"], "http://[bad");
    assert_eq!(records[1]["links"][0]["url"], Value::Null);
    assert_eq!(records[1]["images"][0]["src"], "http://[bad");
}

#[test]
fn an_invalid_byte_in_a_page() {
    let dir = Workdir::new();
    dir.write("dump/posts.json", json!([post(1)]).to_string());
    let page = b"<html lang=en><head><link rel=canonical href='https://a.example/p1/'><title>\xff</title></head><body class='postid-1'>\xff</body>";
    dir.write("scrape/a.example/p1/index.html", page);
    let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
    let record = &run.records()[0];
    assert_eq!((&record["language"], &record["scrape"]["file"]), (&json!("en"), &json!("a.example/p1/index.html")));
}

#[test]
fn a_date_that_is_none() {
    for (date, defect) in [(Value::Null, false), ("".into(), true), ("0000-00-00T00:00:00".into(), true)] {
        let (records, run) = with(|post| post["date_gmt"] = date.clone());
        assert_eq!(ids(&records), [1, 2, 3]);
        assert_eq!(records[1]["date_gmt"], Value::Null);
        assert_eq!(run.stderr.contains("date_gmt is not a valid date"), defect, "{date}: {}", run.stderr);
    }
}

#[test]
fn yoast_without_an_image() {
    for yoast in [json!({"title": "T"}), json!({"title": "T", "og_image": []}), json!([]), json!(false)] {
        let (records, _) = with(|post| post["yoast_head_json"] = yoast);
        assert_eq!(records[1]["seo"]["image"], Value::Null);
    }
}

#[test]
fn a_missing_empty_or_null_file() {
    let dir = Workdir::new();
    dir.write("dump/pages.json", json!([post(1)]).to_string());
    for content in ["", "{}", "null", "[]", " \n"] {
        dir.write("dump/posts.json", content);
        let run = dir.sh("wp-index --max-rejects 1 dump | wp-parse");
        assert_eq!(ids(&run.expect(0).records()), [1], "{content:?}");
    }
}

#[test]
fn an_error_object_in_place_of_records() {
    let error = json!({"code": "rest_forbidden", "message": "Sorry.", "data": {"status": 401}});
    let (records, run) = pipe(&error.to_string());
    assert!(records.is_empty() && run.stderr.contains("rest_forbidden"), "{}", run.stderr);
    let (records, run) = pipe(&json!([post(1), error, post(3)]).to_string());
    assert_eq!(ids(&records), [1, 3]);
    assert!(run.stderr.contains("dump/posts.json:1:") && run.stderr.contains("rest_forbidden"), "{}", run.stderr);
    // Inside a record it is an ordinary field.
    let (records, _) = with(|post| post["_embedded"] = json!({"author": [error]}));
    assert_eq!(ids(&records), [1, 2, 3]);
}

#[test]
fn bom_ndjson_truncated_and_concatenated_input() {
    let (a, b) = (post(1).to_string(), post(2).to_string());
    assert_eq!(ids(&pipe(&format!("\u{feff}[{a},{b}]")).0), [1, 2]);
    assert_eq!(ids(&pipe(&format!("{a}\n{b}\n")).0), [1, 2]);
    assert_eq!(ids(&pipe(&format!("[{a}][{b}]")).0), [1, 2]);
    assert_eq!(ids(&pipe(&format!("{a}{b}")).0), [1, 2]);
    let (records, run) = pipe(&format!("[{a},{}", &b[..b.len() / 2]));
    assert_eq!(ids(&records), [1]);
    assert!(run.stderr.contains("posts.json:1:"), "{}", run.stderr);
}

#[test]
fn fields_that_are_missing_null_or_of_another_shape() {
    for field in ["link", "title", "content", "excerpt"] {
        for value in [None, Some(Value::Null)] {
            let (records, run) = with(|post| match &value {
                None => drop(post.as_object_mut().unwrap().remove(field)),
                Some(value) => post[field] = value.clone(),
            });
            assert_eq!(ids(&records), [1, 2, 3], "{field} {value:?} {}", run.stderr);
        }
    }
    let (records, _) = with(|post| post["title"] = "Bare &amp; simple".into());
    assert_eq!(records[1]["title"]["text"], "Bare & simple");
}

#[test]
fn a_switcher_without_usable_languages() {
    let dir = Workdir::new();
    dir.write("dump/posts.json", json!([post(1), post(2), post(3)]).to_string());
    let switcher =
        "<li class='lang-item'><a href='/p2/'>?</a></li><li class='lang-item'><a lang=english href='/p2/'>e</a></li>
                    <li class='lang-item'><a lang='pt-PT-ao90' href='https://a.example/p3/'>pt</a></li>";
    let page = format!(
        "<html lang=en><head><link rel=canonical href='https://a.example/p1/'></head><body class='postid-1'><ul>{switcher}</ul>"
    );
    dir.write("scrape/a.example/p1/index.html", page);
    let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
    assert_eq!(ids(&run.records()), [1, 2, 3]);
    let translations = run.records()[0]["translations"].to_string();
    assert!(translations.contains("\"pt-PT"), "{translations}");
}

#[test]
fn a_translation_that_points_to_a_page_or_a_category() {
    let dir = Workdir::new();
    let category = json!({"id": 9, "count": 1, "link": "https://a.example/category/c/", "name": "C", "slug": "c", "taxonomy": "category", "parent": 0});
    let mut page = post(2);
    page["type"] = "page".into();
    dir.write("dump/all.json", json!([post(1), page, category]).to_string());
    let head = "<link rel=canonical href='https://a.example/p1/'><link rel=alternate hreflang=en href='https://a.example/p1/'>
                <link rel=alternate hreflang=fr href='https://a.example/p2/'><link rel=alternate hreflang=de href='https://a.example/category/c/'>";
    dir.write("scrape/a.example/p1/index.html", format!("<html lang=en><head>{head}</head><body class='postid-1'>"));
    let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
    assert_eq!(ids(&run.records()), [1, 2, 9]);
    let translations = &run.records()[0]["translations"];
    assert_eq!(translations[0]["target"]["type"], "page", "{translations}");
}

#[test]
fn duplicate_ids() {
    let mut other = post(1);
    other["link"] = "https://a.example/fr/p1/".into();
    let (records, _) = pipe(&json!([post(1), post(1), other]).to_string());
    assert_eq!(ids(&records), [1, 1]);
}

#[test]
fn a_lone_surrogate() {
    let dump = json!([post(1), post(2)]).to_string().replacen("Text.", "Te\\ud83dxt.", 1);
    let (records, run) = pipe(&dump);
    assert_eq!(ids(&records), [1, 2]);
    assert_eq!(records[0]["content"]["text"], "Te\u{fffd}xt.");
    assert!(run.stderr.contains("surrogate"), "{}", run.stderr);
}

#[test]
fn a_stale_cache_in_the_scrape_is_not_read() {
    let dir = Workdir::new();
    dir.write("dump/posts.json", json!([post(1)]).to_string());
    dir.write("scrape/url_cache.json", "{\"https://a.example/p1/\": \"gone.html\"}");
    let run = dir.sh("wp-index dump --scrape scrape --allow-empty").expect(0);
    assert_eq!(run.records()[0]["scrape"]["file"], Value::Null);
}

/// Input that takes wpextract forever: linear time here, so even the debug build finishes at once.
#[test]
fn time_bombs() {
    let flat = "<p>word <b>bold</b> word</p>".repeat(50_000);
    let nested = "<div>".repeat(20_000) + "x";
    let images = format!("<figure>{}</figure>", "<img src='/a.png'>".repeat(20_000));
    let unclosed = "<b><i>".repeat(150_000) + "x";
    for (name, html) in [("flat", flat), ("nested", nested), ("images", images), ("unclosed", unclosed)] {
        let (records, _) = with(|post| post["content"]["rendered"] = html.into());
        assert_eq!(ids(&records), [1, 2, 3], "{name}");
    }
}
