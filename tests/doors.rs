//! Tests that several sources of one post give one record: the REST API, an export of WordPress, a feed.

use crate::exports::{SITE, export, item_of, meta};
use crate::workdir::Workdir;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a source says about the content of a post.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    Absent,
    Null,
    Open,
    Protected,
}

/// What the three sources say about a post: the API gives a content; an export gives a state (by its month), a content, and a status,
/// which may be draft; a feed gives a state and a content.
#[derive(Clone, Copy, Debug)]
struct Post {
    rest: Option<Content>,
    export: Option<(u32, Content, &'static str)>,
    feed: Option<(Option<u32>, Content)>,
}

/// The month of each post's state in the API.
const OF_REST: u32 = 5;

fn all_posts() -> Vec<Post> {
    use Content::{Absent, Null, Open, Protected};
    let rest = [None, Some(Absent), Some(Null), Some(Open), Some(Protected)];
    let mut exports = vec![None];
    for month in [4, OF_REST, 6] {
        exports.extend([
            Some((month, Open, "publish")),
            Some((month, Protected, "publish")),
            Some((month, Open, "draft")),
        ]);
    }
    let feeds = [None, Some((None, Open)), Some((None, Protected)), Some((Some(9), Open)), Some((Some(3), Open))];
    let feeds = feeds.iter();
    feeds
        .flat_map(|feed| {
            exports.iter().flat_map(move |export| rest.map(|rest| Post { rest, export: *export, feed: *feed }))
        })
        .collect()
}

impl Post {
    /// The expected source of its record, and of its content if it has one.
    fn expected(&self) -> Option<(&'static str, Option<&'static str>)> {
        use Content::{Absent, Null, Open, Protected};
        let export = self.export.filter(|(.., status)| *status == "publish");
        let is_hidden = self.export.is_some() && export.is_none();
        let is_absent = |content: Content| matches!(content, Absent | Null);
        let (mut via, mut month, mut content, mut of) = match (self.rest, export) {
            (Some(content), _) => ("rest", OF_REST, content, "api"),
            (None, Some((month, content, _))) => ("wxr", month, content, "export"),
            (None, None) if is_hidden => return None,
            (None, None) => return self.feed.map(|(_, content)| ("feed", (content == Open).then_some("feed"))),
        };
        if let Some((later, own, _)) = export.filter(|_| self.rest.is_some()) {
            let is_later = later > month;
            if content != Protected && (is_later || is_absent(content)) {
                (content, of) = (own, "export");
            }
            if is_later {
                (via, month) = ("wxr", later);
            }
        }
        if let Some((later, own)) = self.feed
            && content != Protected
            && !(is_hidden && own == Open)
            && (later.is_some_and(|later| later > month) || is_absent(content))
        {
            (content, of) = (own, "feed");
        }
        Some((via, (content == Open).then_some(of)))
    }

    fn of_rest(&self, id: usize) -> Option<Value> {
        let mut item = json!({
            "id": id, "type": "post", "status": "publish", "slug": format!("slug-{id}"), "link": format!("{SITE}/{id}/"),
            "guid": {"rendered": format!("{SITE}/?p={id}")}, "date": "2026-01-02T10:00:00", "title": {"rendered": "By rest"},
            "modified_gmt": format!("2026-{OF_REST:02}-01T00:00:00"), "author": 3,
        });
        match self.rest? {
            Content::Absent => {}
            Content::Null => item["content"] = json!({"rendered": null, "protected": false}),
            Content::Open => item["content"] = json!({"rendered": "<p>By api</p>", "protected": false}),
            Content::Protected => item["content"] = json!({"rendered": "", "protected": true}),
        }
        Some(item)
    }

    fn of_export(&self, id: usize) -> Option<String> {
        let (month, content, status) = self.export?;
        let password = if content == Content::Protected { "<wp:post_password>secret</wp:post_password>" } else { "" };
        let modified = format!("<wp:post_modified_gmt>2026-{month:02}-01 00:00:00</wp:post_modified_gmt>{password}");
        Some(item_of(id as i64, "post", status, "By export", &(modified + &meta("k", "v"))))
    }

    fn of_feed(&self, id: usize) -> Option<String> {
        let (month, content) = self.feed?;
        let html = match content {
            Content::Open => "<p>By feed</p>",
            _ => {
                "<form action=\"https://harbour.example/wp-login.php?action=postpass\" class=\"post-password-form\"></form>"
            }
        };
        let updated = month.map(|month| format!("<updated>2026-{month:02}-01T00:00:00Z</updated>")).unwrap_or_default();
        Some(format!(
            "<entry><title>By feed</title><link rel=\"alternate\" href=\"{SITE}/{id}/\"/><id>{SITE}/?p={id}</id>{updated}\
             <author><name>Ann Quay</name></author><content type=\"html\"><![CDATA[{html}]]></content></entry>\n"
        ))
    }
}

fn atom(entries: &str) -> String {
    format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><link rel=\"alternate\" href=\"{SITE}\"/>{entries}</feed>")
}

/// All combinations of sources: a post is one record with the latest state, and content that one of them protects or hides remains
/// protected or hidden.
#[test]
fn a_post_is_one_record_of_its_latest_state() {
    let dir = Workdir::new();
    let posts = all_posts();
    let numbered = || posts.iter().zip(1..);
    let of_rest: Vec<Value> = numbered().filter_map(|(post, id)| post.of_rest(id)).collect();
    let of_export: String = numbered().filter_map(|(post, id)| post.of_export(id)).collect();
    let of_feed: String = numbered().filter_map(|(post, id)| post.of_feed(id)).collect();
    dir.write("d/a.xml", export(&of_export))
        .write("d/b.json", json!(of_rest).to_string())
        .write("d/c.xml", atom(&of_feed));
    let run = dir.sh("wp-index d --stats stats | wp-parse -q").expect(0);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    let sum = |names: &[&str]| names.iter().map(|name| stats[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(stats["items"], sum(&["records_out", "merged", "left_out", "duplicates"]), "{stats}");
    let mut found: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    run.records().into_iter().for_each(|post| found.entry(post["id"].as_u64().unwrap()).or_default().push(post));
    for (post, id) in numbered() {
        let records = found.remove(&(id as u64)).unwrap_or_default();
        let told: Vec<_> = records
            .iter()
            .map(|record| (record["source"]["via"].as_str().unwrap(), record["content_source"].as_str()))
            .collect();
        assert_eq!(told, Vec::from_iter(post.expected()), "{id}: {post:?}");
        let text = records.first().and_then(|record| record["content"]["text"].as_str()).unwrap_or_default();
        let of = post.expected().and_then(|(_, of)| of);
        assert_eq!(text, of.map(|of| format!("By {of}")).unwrap_or_default(), "{id}: {post:?}");
    }
}

#[test]
fn terms_users_and_names_of_an_export_complete_those_of_the_api() {
    let dir = Workdir::new();
    let authors = "<wp:author><wp:author_id>3</wp:author_id><wp:author_login>login-jane</wp:author_login><wp:author_display_name>Jane Doe</wp:author_display_name></wp:author>";
    let term = "<wp:category><wp:term_id>7</wp:term_id><wp:category_nicename>boats</wp:category_nicename><wp:cat_name>Boats</wp:cat_name><wp:category_description>All of them</wp:category_description></wp:category>";
    let other = "<wp:category><wp:term_id>8</wp:term_id><wp:category_nicename>nets</wp:category_nicename><wp:cat_name>Nets</wp:cat_name></wp:category>";
    let alias = meta("_wp_old_slug", "former").replace("former", "1");
    let link = format!("{SITE}/slug-1/");
    let item = item_of(1, "post", "publish", "x", &alias).replace(&format!("{SITE}/1/"), &link);
    dir.write("site.xml", export(&[authors, term, other, &item].concat()));
    let rest = json!([
        {"id": 7, "taxonomy": "category", "name": "Boats", "slug": "boats", "description": null, "count": 1, "link": format!("{SITE}/c/boats/")},
        {"id": 1, "type": "post", "status": "publish", "slug": "slug-1", "link": link, "date": "2026-01-02T10:00:00", "author": 3,
         "content": {"rendered": "<p>y</p>"}, "title": {"rendered": "T"}, "guid": {"rendered": ""}},
    ]);
    dir.write("d.json", rest.to_string());
    // The export's state has no date of change, so the state of the API is kept.
    let run = dir.sh("wp-index site.xml d.json --stats stats | wp-parse -q").expect(0);
    let records = run.records();
    let named: Vec<_> =
        records.iter().map(|record| format!("{}:{}", record["type"].as_str().unwrap(), record["id"])).collect();
    assert_eq!(named, ["post:1", "category:7", "user:3", "category:8"]);
    let [post, boats, ..] = &records[..] else { panic!("{records:?}") };
    assert_eq!(
        (&boats["description"]["text"], &boats["link"]),
        (&json!("All of them"), &json!(format!("{SITE}/c/boats/")))
    );
    assert_eq!((&post["content"]["text"], &post["author_name"]), (&json!("y"), &json!("Jane Doe")));
    assert_eq!((&post["authors"][0]["source"], &post["aliases"]), (&json!("export"), &json!([format!("{SITE}/1/")])));
}

/// An export withholds a name that is a login; a feed must not bring it back.
#[test]
fn a_login_does_not_come_back() {
    let dir = Workdir::new();
    dir.write("site.xml", export(&item_of(1, "post", "publish", "x", "")));
    let feed = Post { rest: None, export: None, feed: Some((None, Content::Open)) };
    let entries = [1, 2].map(|id| feed.of_feed(id).unwrap()).concat();
    dir.write("feed.xml", atom(&entries).replace("Ann Quay", "Login-Jane"));
    let run = dir.sh("wp-index site.xml feed.xml | wp-parse -q").expect(0);
    let names: Vec<_> = run.records().iter().map(|record| record["author_name"].clone()).collect();
    assert_eq!(names, [Value::Null, Value::Null]);
}

/// Of several exports of a post, the first was used, however old, and the excerpt of a post that now has a password was kept.
#[test]
fn the_latest_of_all_states_is_the_record() {
    let dir = Workdir::new();
    let of = |content: Content, month: u32| Post {
        rest: Some(Content::Open),
        export: Some((month, content, "publish")),
        feed: None,
    };
    let text = |post: Post, name: &str| export(&post.of_export(1).unwrap().replace("By export", name));
    let mut item = of(Content::Open, 0).of_rest(1).unwrap();
    item["excerpt"] = json!({"rendered": "<p>By api</p>", "protected": false});
    dir.write("api.json", json!([item]).to_string())
        .write("a.xml", text(of(Content::Open, 6), "First"))
        .write("b.xml", text(of(Content::Open, 8), "Second"))
        .write("c.xml", text(of(Content::Open, 7), "Third"))
        .write("d.xml", text(of(Content::Protected, 1), "Fourth"));
    let feed = Post { rest: None, export: None, feed: Some((Some(9), Content::Protected)) };
    dir.write("feed.xml", atom(&feed.of_feed(1).unwrap()));
    let told = |files: &str| {
        let run = dir.sh(&format!("wp-index {files} --stats stats | wp-parse -q")).expect(0);
        let [post] = <[Value; 1]>::try_from(run.records()).unwrap();
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!(stats["merged"], files.split(' ').count() - 1, "{stats}");
        ["content", "excerpt"].map(|key| post[key]["text"].as_str().unwrap_or_default().to_owned())
    };
    for files in ["a.xml b.xml c.xml api.json", "api.json b.xml a.xml", "c.xml b.xml api.json"] {
        assert_eq!(told(files)[0], "Second", "{files}");
    }
    // The same for exports only.
    assert_eq!(told("a.xml b.xml c.xml")[0], "Second");
    // Whether the first one had a password at that time is unknown.
    assert_eq!(told("d.xml api.json")[0], "By api");
    assert_eq!(told("feed.xml api.json"), ["", ""]);
}

/// Comments from an older export were published beside a post that now has a password.
#[test]
fn comments_on_a_post_with_a_password_by_another_door_are_left_out() {
    let dir = Workdir::new();
    let comment = "<wp:comment><wp:comment_id>5</wp:comment_id><wp:comment_author>Bo</wp:comment_author>
        <wp:comment_date_gmt>2024-01-02 00:00:00</wp:comment_date_gmt><wp:comment_content>Hidden</wp:comment_content>
        <wp:comment_approved>1</wp:comment_approved><wp:comment_type>comment</wp:comment_type></wp:comment></item>";
    for (now, comments) in [(Content::Protected, 0), (Content::Open, 1)] {
        let post = Post { rest: Some(now), export: Some((1, Content::Open, "publish")), feed: None };
        dir.write("api.json", json!([post.of_rest(1).unwrap()]).to_string())
            .write("a.xml", export(&post.of_export(1).unwrap().replace("</item>", comment)));
        let run = dir.sh("wp-index a.xml api.json --stats stats").expect(0);
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!(run.records().iter().filter(|record| record["kind"] == "comment").count(), comments, "{stats}");
        assert_eq!(stats["left_out_comments"], 1 - comments, "{stats}");
        assert_eq!(stats["items"], 3, "{stats}");
    }
}

/// A post whose link had changed became two records, and a term of another blog with the same id was taken for the export's.
#[test]
fn an_item_that_moved_on_its_blog_is_one_record() {
    let dir = Workdir::new();
    let to = |text: String, path: &str| text.replace(&format!("{SITE}/1/"), &format!("{SITE}{path}"));
    let open = Post { rest: Some(Content::Null), export: Some((4, Content::Open, "publish")), feed: None };
    let comment = "<wp:comment><wp:comment_id>5</wp:comment_id><wp:comment_date_gmt>2024-01-02 00:00:00</wp:comment_date_gmt>
        <wp:comment_content>Hidden</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment></item>";
    let own =
        |root: &str, name: &str, id: i64| json!({"self": [{"href": format!("{root}/wp-json/wp/v2/{name}/{id}")}]});
    let term = "<wp:category><wp:term_id>1</wp:term_id><wp:category_nicename>all</wp:category_nicename><wp:cat_name>All</wp:cat_name><wp:category_description>Told</wp:category_description></wp:category>";
    dir.write("a.xml", export(&[term, &to(open.of_export(1).unwrap(), "/moved/")].concat()))
        .write("closed.xml", export(&to(open.of_export(1).unwrap(), "/moved/").replace("</item>", comment)))
        .write("date.xml", export(&to(open.of_export(1).unwrap(), "/moved/").replace("/?p=1", "/?p=8")))
        .write(
            "other.xml",
            export(
                &to(open.of_export(1).unwrap(), "/moved/").replace("/?p=1", "/?p=8").replace("09:00:00", "09:30:00"),
            ),
        )
        .write("f.xml", to(atom(&Post { feed: Some((None, Content::Open)), ..open }.of_feed(1).unwrap()), "/again/"))
        .write(
            "g.xml",
            to(atom(&Post { feed: Some((None, Content::Open)), ..open }.of_feed(1).unwrap()), "/again/")
                .replace("?p=1", "?p=7"),
        );
    let told = |files: &str, root: &str, content: Content| {
        let mut item = Post { rest: Some(content), ..open }.of_rest(1).unwrap();
        item["date_gmt"] = json!("2026-01-02T09:00:00");
        item["_links"] = own(root, "posts", 1);
        let category = json!({"id": 1, "taxonomy": "category", "name": "All", "slug": "all", "description": null, "count": 1,
            "link": format!("{root}/c/all/"), "_links": own(root, "categories", 1)});
        dir.write("api.json", json!([item, category]).to_string());
        let run = dir.sh(&format!("wp-index {files} --stats stats | wp-parse -q")).expect(0);
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        let sum = ["records_out", "merged", "left_out", "duplicates"].map(|name| stats[name].as_u64().unwrap());
        assert_eq!(stats["items"], sum.iter().sum::<u64>(), "{stats}");
        let posts: Vec<_> = run.records().into_iter().filter(|record| record["type"] == "post").collect();
        let of =
            |key: &str| posts.iter().map(|post| post[key].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>();
        let described = run.records().iter().filter(|record| record["description"]["text"] == "Told").count();
        (of("link"), of("content_source"), posts[0]["aliases"].clone(), described, stats["left_out_comments"].clone())
    };
    let (link, moved, again) = (format!("{SITE}/1/"), format!("{SITE}/moved/"), format!("{SITE}/again/"));
    for files in ["api.json a.xml f.xml", "f.xml a.xml api.json"] {
        let (links, contents, aliases, described, _) = told(files, SITE, Content::Null);
        assert_eq!((links, contents), (vec![link.clone()], vec!["export".to_owned()]), "{files}");
        assert_eq!((aliases, described), (json!([moved, again]), 1), "{files}");
    }
    assert_eq!(told("api.json date.xml", SITE, Content::Null).0.len(), 1);
    assert_eq!(told("api.json other.xml", SITE, Content::Null).0.len(), 2);
    assert_eq!(told("api.json f.xml", SITE, Content::Null).1, ["feed"]);
    assert_eq!(told("api.json g.xml", SITE, Content::Null).0.len(), 2);
    // Content that is hidden under one link is hidden under the other.
    assert_eq!(told("api.json closed.xml", SITE, Content::Protected).4, 1);
    // Another blog of the network.
    let (links, _, _, described, _) = told("api.json a.xml", &format!("{SITE}/de"), Content::Null);
    assert_eq!((links.len(), described), (2, 1));
}

/// An older export brought back records that the site has deleted since.
#[test]
fn deleted_items_come_in_by_no_door() {
    let dir = Workdir::new();
    let comment = "<wp:comment><wp:comment_id>5</wp:comment_id><wp:comment_content>x</wp:comment_content>
        <wp:comment_approved>1</wp:comment_approved></wp:comment></item>";
    let post = |month: u32| Post { rest: None, export: Some((month, Content::Open, "publish")), feed: None };
    let older = post(3).of_export(1).unwrap().replace("</item>", comment);
    dir.write("site.xml", export(&[older, post(8).of_export(2).unwrap(), post(3).of_export(3).unwrap()].concat()));
    let line = |id: u32| format!("{{\"time\":\"2026-07-01T00:00:00Z\",\"type\":\"post\",\"id\":{id},\"link\":null}}\n");
    // A run was killed while it wrote the last line.
    dir.write("raw/deleted.ndjson", line(1) + &line(2) + "{\"time\":\"2026");
    let item = Post { rest: Some(Content::Open), ..post(1) }.of_rest(4);
    dir.write("raw/dump/posts.json", json!([item]).to_string());
    let run = dir.sh("wp-index raw/dump site.xml --stats stats").expect(0);
    assert!(run.stderr.contains("deleted.ndjson:3: not a line of deleted.ndjson"), "{}", run.stderr);
    let ids: Vec<_> = run.records().iter().map(|record| record["id"].as_u64().unwrap()).collect();
    // The second one has been restored.
    assert_eq!(ids, [4, 2, 3]);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!(
        (&stats["left_out_status"], &stats["left_out_comments"], &stats["items"]),
        (&json!(1), &json!(1), &json!(5))
    );
}
