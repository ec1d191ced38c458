use super::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;

/// Every column of wpextract's files, by file: the column, the field that it comes from, a value of that field, and the
/// resulting value in the column (empty: the same value).
const COLUMNS: [(&str, &str, &str, &str, &str); 93] = [
    ("posts", "id", "id", "7", ""),
    ("posts", "date_gmt", "date_gmt", "\"2024-01-02T03:04:05Z\"", "\"2024-01-02T03:04:05\""),
    ("posts", "modified_gmt", "modified_gmt", "\"2024-01-02T03:04:05Z\"", "\"2024-01-02T03:04:05\""),
    ("posts", "slug", "slug", "\"x\"", ""),
    ("posts", "status", "status", "\"publish\"", ""),
    ("posts", "link", "link", "\"http://a.example/x/\"", ""),
    ("posts", "author", "author", "1", ""),
    ("posts", "featured_media", "featured_media", "0", ""),
    ("posts", "comment_status", "comment_status", "\"open\"", ""),
    ("posts", "sticky", "sticky", "false", ""),
    ("posts", "categories", "categories", "[3,4]", ""),
    ("posts", "tags", "tags", "[5]", ""),
    ("posts", "title.html", "title.html", "\"A &amp; B\"", ""),
    ("posts", "title.text", "title.text", "\"A & B\"", ""),
    ("posts", "content.html", "content.html", "\"<p>x\"", ""),
    ("posts", "content.text", "content.text", "\"x\"", ""),
    ("posts", "excerpt.html", "excerpt.html", "\"<p>x\"", ""),
    ("posts", "excerpt.text", "excerpt.text", "\"x\"", ""),
    ("posts", "page_title", "seo.title", "\"X - Site\"", ""),
    ("posts", "og_image_url", "seo.image", "\"http://a.example/i.png\"", ""),
    ("posts", "link_locale", "link", "\"http://a.example/fr/x/\"", "\"fr\""),
    ("posts", "language", "language", "\"fr-FR\"", ""),
    (
        "posts",
        "translations",
        "translations",
        r#"[{"language":"de-DE","language_raw":"de","href":"http://a.example/de/","target":{"type":"post","id":2,"link":"l"}}]"#,
        r#"[{"text":null,"href":"http://a.example/de/","destination":{"link":"l","data_type":"post","idx":2},"lang":"de-DE"}]"#,
    ),
    (
        "posts",
        "links.internal",
        "links",
        r#"[{"element":"a","href":"/y/","url":"http://a.example/y/","text":"y","internal":true}]"#,
        r#"[{"text":"y","href":"http://a.example/y/","destination":null}]"#,
    ),
    (
        "posts",
        "links.external",
        "links",
        r#"[{"element":"a","href":"mailto:x","url":null,"text":"x","internal":false}]"#,
        r#"[{"text":"x","href":"mailto:x"}]"#,
    ),
    (
        "posts",
        "embeds",
        "embeds",
        r#"[{"element":"iframe","src":"//v.example","url":"http://v.example/"}]"#,
        "[\"//v.example\"]",
    ),
    (
        "posts",
        "images",
        "images",
        r#"[{"src":"/i.png","url":"http://o.example/i.png","alt":"","caption":"c","internal":false}]"#,
        r#"[{"src":"http://o.example/i.png","alt":"","caption":"c"}]"#,
    ),
    ("pages", "id", "id", "7", ""),
    ("pages", "date_gmt", "date_gmt", "\"2024-01-02T03:04:05Z\"", "\"2024-01-02T03:04:05\""),
    ("pages", "modified_gmt", "modified_gmt", "\"2024-01-02T03:04:05Z\"", "\"2024-01-02T03:04:05\""),
    ("pages", "slug", "slug", "\"x\"", ""),
    ("pages", "link", "link", "\"http://a.example/x/\"", ""),
    ("pages", "author", "author", "1", ""),
    ("pages", "featured_media", "featured_media", "0", ""),
    ("pages", "parent", "parent", "0", ""),
    ("pages", "template", "template", "\"\"", ""),
    ("pages", "title.html", "title.html", "\"A &amp; B\"", ""),
    ("pages", "content.html", "content.html", "\"<p>x\"", ""),
    ("pages", "content.text", "content.text", "\"x\"", ""),
    ("pages", "excerpt.html", "excerpt.html", "\"<p>x\"", ""),
    ("pages", "excerpt.text", "excerpt.text", "\"x\"", ""),
    ("pages", "page_title", "seo.title", "\"X - Site\"", ""),
    ("pages", "link_locale", "link", "\"http://a.example/fr/x/\"", "\"fr\""),
    (
        "pages",
        "links.internal",
        "links",
        r#"[{"url":"u","internal":true}]"#,
        r#"[{"text":null,"href":"u","destination":null}]"#,
    ),
    ("pages", "links.external", "links", r#"[{"href":null,"text":"x"}]"#, r#"[{"text":"x","href":null}]"#),
    ("pages", "embeds", "embeds", r#"[{"element":"iframe","src":"s"}]"#, "[\"s\"]"),
    ("pages", "images", "images", r#"[{"src":null,"alt":null}]"#, r#"[{"src":"","alt":null,"caption":null}]"#),
    ("media", "id", "id", "7", ""),
    ("media", "date_gmt", "date_gmt", "\"2024-01-02T03:04:05Z\"", "\"2024-01-02T03:04:05\""),
    ("media", "modified_gmt", "modified_gmt", "\"2024-01-02T03:04:05Z\"", "\"2024-01-02T03:04:05\""),
    ("media", "slug", "slug", "\"x\"", ""),
    ("media", "author", "author", "1", ""),
    ("media", "alt_text", "alt_text", "\"\"", ""),
    ("media", "media_type", "media_type", "\"image\"", ""),
    ("media", "mime_type", "mime_type", "\"image/png\"", ""),
    ("media", "post_id", "post", "3", ""),
    ("media", "source_url", "source_url", "\"http://a.example/i.png\"", ""),
    ("media", "guid", "guid", "\"http://a.example/i.png\"", ""),
    ("media", "title.html", "title.html", "\"x\"", ""),
    ("media", "title.text", "title.text", "\"x\"", ""),
    ("media", "page_title", "seo.title", "\"x\"", ""),
    ("media", "og_url", "seo.url", "\"http://a.example/i/\"", ""),
    ("media", "description.html", "description.html", "\"x\"", ""),
    ("media", "description.text", "description.text", "\"x\"", ""),
    ("media", "caption.html", "caption.html", "\"x\"", ""),
    ("media", "caption.text", "caption.text", "\"x\"", ""),
    ("media", "media_details.file", "media_details.file", "\"2024/i.png\"", ""),
    ("media", "media_details.bitrate", "media_details.bitrate", "320000.5", ""),
    ("media", "media_details.length", "media_details.length", "12", ""),
    ("media", "media_details.mime_type", "media_details.mime_type", "\"audio/mpeg\"", ""),
    ("media", "media_details.image_meta.credit", "media_details.image_meta.credit", "\"\"", ""),
    ("media", "media_details.image_meta.camera", "media_details.image_meta.camera", "\"c\"", ""),
    ("media", "media_details.image_meta.created_timestamp", "media_details.image_meta.created_timestamp", "\"0\"", ""),
    ("media", "media_details.image_meta.focal_length", "media_details.image_meta.focal_length", "\"0\"", ""),
    ("media", "media_details.image_meta.iso", "media_details.image_meta.iso", "\"0\"", ""),
    ("media", "media_details.image_meta.orientation", "media_details.image_meta.orientation", "\"1\"", ""),
    ("media", "media_details.original_image", "media_details.original_image", "\"o.png\"", ""),
    ("media", "parent_image_id", "parent_image_id", "4", ""),
    ("tags", "id", "id", "7", ""),
    ("tags", "count", "count", "2", ""),
    ("tags", "description", "description.html", "\"<b>x\"", ""),
    ("tags", "link", "link", "\"http://a.example/tag/x/\"", ""),
    ("tags", "name", "name_html", "\"A &amp; B\"", ""),
    ("tags", "slug", "slug", "\"x\"", ""),
    ("tags", "link_locale", "link", "\"http://a.example/fr/tag/x/\"", "\"fr\""),
    ("categories", "parent", "parent", "3", ""),
    ("users", "id", "id", "7", ""),
    ("users", "name", "name", "\"x\"", ""),
    ("users", "url", "url", "\"\"", ""),
    ("users", "description", "description.html", "\"\"", ""),
    ("users", "link", "link", "\"http://a.example/author/x/\"", ""),
    ("users", "slug", "slug", "\"x\"", ""),
    ("users", "avatar", "seo.image", "\"http://a.example/i.png\"", ""),
];

fn run(selection: &Selection, jobs: usize, lines: &str) -> Files {
    let top = tempfile::tempdir().unwrap();
    let mut report = Report::silent("wp-export");
    let mut input = Input::from_bytes("-", lines);
    let mut folder = Folder::open(top.path(), "wpextract", None, |_, _| None, &mut report).unwrap();
    let languages = crate::language::ranges::Languages::default();
    let mut job = Job {
        selection,
        input: &mut input,
        report: &mut report,
        jobs,
        languages: &languages,
        with: &[],
        variants: &[],
        links: false,
        uploads: None,
        step: crate::steps::Step::of("wp-export"),
        pseudonyms: None,
    };
    let outcome = write_folder(&mut folder, &mut job).and_then(|tally| {
        folder.prepare("wpextract", &tally).and_then(|ready| ready.put_in_place(&mut report)).map(|()| tally)
    });
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
    };
    let files = fs::read_dir(top.path()).unwrap().map(read).collect();
    Files { files, outcome, stats: report.stats() }
}

struct Files {
    files: HashMap<String, String>,
    outcome: Result<Tally, Error>,
    stats: Value,
}

impl Files {
    #[track_caller]
    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.files[name]).unwrap()
    }
}

fn arrange(lines: &str) -> Files {
    run(&Selection::default(), 1, lines)
}

/// A record of the type that the file holds, with the value at the field; its SEO plugin is Yoast, and it has a page.
fn record(file: &str, field: &str, value: &str) -> Value {
    let (kind, r#type, _) = FILES.into_iter().find(|(.., name)| *name == format!("{file}.json")).unwrap();
    let mut record =
        json!({"site":"a","kind":kind,"type":r#type,"id":1,"seo":{"source":"yoast"},"scrape":{"file":"x"}});
    let mut place = &mut record;
    for part in field.split('.') {
        place = &mut place[part];
    }
    *place = serde_json::from_str(value).unwrap();
    record
}

const FRENCH: &str = r#"{"site":"a","kind":"comment","type":"comment","language":"fr-FR"}"#;

#[test]
fn every_column_is_made_from_its_field() {
    for (file, name, field, value, expected) in COLUMNS {
        let written = arrange(&format!("{}\n{FRENCH}\n", record(file, field, value))).json(&format!("{file}.json"));
        let found = name.split('.').fold(&written[0], |object, part| &object[part]);
        let expected: Value = serde_json::from_str(if expected.is_empty() { value } else { expected }).unwrap();
        assert_eq!(*found, expected, "{file} {name}");
    }
}

#[test]
fn the_table_of_columns_is_complete() {
    let (post, media, term, user, site) =
        (Post::default(), Media::default(), Term::default(), User::default(), Site::default());
    for (file, columns) in [
        ("posts", columns::of_post(&post, &site)),
        ("pages", columns::of_page(&post, &site)),
        ("media", columns::of_media(&media)),
        ("tags", columns::of_tag(&term, &site)),
        ("users", columns::of_user(&user)),
    ] {
        for column in columns {
            assert!(COLUMNS.iter().any(|(f, name, ..)| *f == file && *name == column.name), "{file} {}", column.name);
        }
    }
    let category: Vec<_> = columns::of_category(&term, &site).iter().map(|c| c.name).collect();
    assert_eq!(category, ["id", "count", "description", "link", "name", "slug", "parent", "link_locale"]);
}

/// The file as wpextract 1.1.1 wrote it for the same category.
#[test]
fn a_file_is_byte_for_byte_as_wpextract_writes_it() {
    let line =
        r#"{"site":"a","kind":"term","type":"category","id":1,"link":"http://a.example/category/c/","name":"A & é",
        "name_html":"A &amp; é","slug":"c","description":{"html":"d","text":"d"},"count":2,"parent":0}"#
            .replace('\n', "");
    let files = arrange(&format!("{line}\n{line}\n"));
    let element = "  {\n    \"id\": 1,\n    \"count\": 2,\n    \"description\": \"d\",\n    \
        \"link\": \"http://a.example/category/c/\",\n    \"name\": \"A &amp; \\u00e9\",\n    \"slug\": \"c\",\n    \
        \"parent\": null,\n    \"link_locale\": null\n  }";
    assert_eq!(files.files["categories.json"], format!("[\n{element},\n{element}\n]"));
    assert_eq!(files.files["posts.json"], "[]");
    assert_eq!(files.files.len(), 7);
    assert_eq!(files.json("manifest.json")["files"][4]["records"], 2);
}

#[test]
fn a_column_is_left_out_only_if_all_its_values_are_null() {
    let lines = r#"{"kind":"media","type":"media","id":1,"media_details":{"image_meta":{"iso":"0"}}}
{"kind":"media","type":"media","id":2}"#;
    let media = arrange(lines).json("media.json");
    assert_eq!(media[0]["media_details"], json!({"image_meta":{"iso":"0"}}));
    assert_eq!(media[1]["media_details"], json!({"image_meta":{"iso":null}}));
    assert_eq!(media[0]["post_id"], Value::Null);
    assert!(media[0].as_object().unwrap().contains_key("post_id"));
    assert!(!media[0].as_object().unwrap().contains_key("og_url"));
}

#[test]
fn languages_and_translations_are_there_only_with_a_scrape() {
    let line = r#"{"kind":"post","type":"post","id":1,"language":"fr"}"#;
    let has = |lines: &str| arrange(lines).json("posts.json")[0].as_object().unwrap().contains_key("translations");
    assert!(!has(line));
    assert!(has(&format!("{line}\n{}", r#"{"kind":"html","type":"html","scrape":{"file":"x.html"}}"#)));
}

#[test]
fn targets_are_named_as_wpextract_names_them() {
    let link = |r#type: &str| {
        json!({"element":"a","href":"h","url":"u","text":"t","internal":true,
            "target":{"type":r#type,"id":9,"link":"http://a.example/p/"}})
    };
    let types = ["post", "page", "media", "tag", "category", "user", "product"];
    let post = json!({"kind":"post","type":"post","id":1,"links":types.map(link),
        "images":[{"src":"s","url":"s","internal":true,"target":{"type":"media","id":9,"link":"http://a.example/p/"}}]});
    // The media record comes after the post that shows it.
    let media = json!({"kind":"media","type":"media","id":9,"source_url":"http://a.example/i.png"});
    let posts = arrange(&format!("{post}\n{media}\n")).json("posts.json");
    let links = posts[0]["links"]["internal"].as_array().unwrap();
    let words: Vec<_> = links.iter().map(|l| l["destination"]["data_type"].as_str()).collect();
    assert_eq!(words, [Some("post"), Some("pages"), Some("media"), Some("tag"), Some("category"), None, None]);
    assert_eq!(links[2]["destination"], json!({"link":"http://a.example/i.png","data_type":"media","idx":9}));
    assert_eq!(posts[0]["images"][0]["destination"], links[2]["destination"]);
    assert_eq!(links[5]["destination"], Value::Null);
}

#[test]
fn areas_other_embeds_and_fields_of_other_seo_plugins_are_left_out() {
    let post = json!({"kind":"post","type":"post","id":1,"link":"http://a.example/x/",
        "links":[{"element":"area","href":"/y","url":"http://a.example/y"}, {"element":"a","href":"/z","url":"http://a.example/z"}],
        "embeds":[{"element":"video","src":"v"},{"element":"iframe","src":null}],
        "seo":{"title":"T","image":"I","source":"rankmath"}});
    let posts = arrange(&post.to_string()).json("posts.json");
    // wp-resolve has not decided which links are internal: then the host decides, as in wpextract.
    assert_eq!(posts[0]["links"]["internal"], json!([{"text":null,"href":"http://a.example/z","destination":null}]));
    assert_eq!((&posts[0]["links"]["external"], &posts[0]["embeds"]), (&json!([]), &json!([])));
    assert_eq!(posts[0]["og_image_url"], Value::Null);
    assert!(!posts[0].as_object().unwrap().contains_key("page_title"));
}

#[test]
fn a_first_path_segment_is_a_locale_only_if_it_is_a_language_of_the_site() {
    let site = Site { languages: ["fr-FR".to_owned(), "pt-BR".into(), "de".into()].into(), ..Site::default() };
    let locale = |path: &str| site.locale_of(&format!("http://a.example{path}"));
    assert_eq!(locale("/fr/x/").as_deref(), Some("fr"));
    assert_eq!(locale("/pt-br/x/").as_deref(), Some("pt-BR"));
    assert_eq!(locale("/de?x"), Some("de".into()));
    for path in ["/art/x/", "/en/x/", "/de-facto/", "/the-end/", "/tag/x/", "/", "", "/fr-CA/"] {
        assert_eq!(locale(path), None, "{path}");
    }
}

#[test]
fn records_of_another_site_than_the_first_are_rejects() {
    let files = arrange("{\"site\":\"a\",\"type\":\"post\"}\n{\"site\":\"b\",\"type\":\"post\"}\n");
    assert_eq!((&files.stats["rejects"], files.json("posts.json").as_array().unwrap().len()), (&json!(1), 1));
    assert!(files.outcome.is_ok());
}

#[test]
fn types_without_a_file_are_counted_and_a_bad_line_is_reported_once() {
    let lines =
        format!("{FRENCH}\n{}\nx\n{}\n", record("posts", "id", "1"), r#"{"site":"a","type":"post","id":"one"}"#);
    let files = arrange(&lines);
    assert_eq!((&files.stats["rejects"], &files.stats["records_in"]), (&json!(2), &json!(4)));
    assert_eq!(files.json("manifest.json")["left_out"], json!([{"kind":"comment","type":"comment","records":1}]));
    assert_eq!(files.json("posts.json").as_array().unwrap().len(), 1);
}

#[test]
fn a_type_to_leave_out_has_an_empty_list() {
    let without = Selection::new(&["users".to_owned()]);
    let files = run(&without, 1, &record("users", "id", "1").to_string());
    assert_eq!(files.files["users.json"], "[]");
    assert!(files.files.contains_key("posts.json"));
}

#[test]
fn any_number_of_threads_gives_the_same_files() {
    let lines: String = (0..20_000)
        .map(|i| format!("{}\n", record(["posts", "users", "media"][i % 3], "id", &i.to_string())))
        .collect();
    let files = |jobs| run(&Selection::default(), jobs, &lines).files;
    assert!(files(1) == files(4));
}
