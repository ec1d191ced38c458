//! Tests wp-index: which items it finds in a dump and a scrape, and which page it matches to which record.

use crate::workdir::{Run, Workdir};
use serde_json::{Value, json};

pub(super) const SITE: &str = "https://a.example";

/// A post from the API.
pub(super) fn post(id: i64, path: &str) -> Value {
    json!({"id": id, "type": "post", "link": format!("{SITE}{path}"), "title": {"rendered": "x"},
           "_links": {"self": [{"href": format!("{SITE}/wp-json/wp/v2/posts/{id}")}],
                      "collection": [{"href": format!("{SITE}/wp-json/wp/v2/posts")}]}})
}

/// A page with this head and these classes.
pub(super) fn page(head: &str, classes: &str) -> String {
    format!("<!DOCTYPE html><html lang=en><head>{head}<title>t</title></head><body class=\"{classes}\">x</body></html>")
}

pub(super) fn canonical(url: &str) -> String {
    format!("<link rel=canonical href='{url}'>")
}

/// The scrape of a site with two posts, and pages as (file, page) below `scrape/`.
pub(super) fn index_with(args: &str, items: &[Value], pages: &[(&str, String)]) -> Run {
    let dir = Workdir::new();
    dir.write("dump.json", json!(items).to_string());
    for (file, page) in pages {
        dir.write(&format!("scrape/{file}"), page);
    }
    let run = dir.program("wp-index", &format!("dump.json --scrape scrape --stats stats {args}"), "").expect(0);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    let sum = |names: &[&str]| names.iter().map(|name| stats[name].as_i64().unwrap_or(0)).sum::<i64>();
    let out = sum(&["records_out", "rejects", "duplicates", "aliases", "left_out", "joined", "merged"]);
    assert_eq!(sum(&["items", "pages"]), out, "{stats}");
    run
}

/// Each record as `type:id file aliases`, an html record as `html:link file same`.
pub(super) fn joined(run: &Run) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let one = |record: &Value| {
        let file = word(&record["scrape"]["file"]);
        if record["kind"] == "html" {
            let same = &record["api"]["same"];
            let same = if same.is_null() { "-".to_owned() } else { format!("{}:{}", word(&same["type"]), same["id"]) };
            return format!("html:{} {file} {same}", word(&record["link"]));
        }
        let aliases: Vec<String> = record["aliases"].as_array().unwrap().iter().map(word).collect();
        format!("{}:{} {file} {}", word(&record["type"]), record["id"], aliases.join(" ")).trim_end().to_owned()
    };
    run.records().iter().map(one).collect()
}

pub(super) fn join(items: &[Value], pages: &[(&str, String)]) -> Vec<String> {
    joined(&index_with("", items, pages))
}

#[test]
fn a_file_that_is_not_html_despite_its_name_is_reported() {
    let dir = Workdir::new();
    dir.write("scrape/a.example/p/index.html", "<!doctype html><title>P</title><body><p>text");
    dir.write("scrape/a.example/map/index.html", "<?xml version='1.0'?><urlset>");
    dir.write("scrape/a.example/x.css", "a {}");
    let run = dir.sh("wp-index -v --no-dump --scrape scrape").expect(0);
    let named: Vec<_> = run.stderr.lines().filter(|line| line.contains("begins as no HTML does")).collect();
    assert_eq!(named, ["wp-index: scrape/a.example/map/index.html: begins as no HTML does, skipped"]);
}

#[test]
fn a_line_has_its_keys_in_their_order_and_the_item_verbatim() {
    let item = "{ \"id\" : 1,\n \"type\": \"post\", \"title\": \"a  b\\/\\u00e9\", \"n\": 123456789012345678901234567890,\
                \"link\": \"https:\\/\\/www.a.example\\/x\\/\" }";
    let run = Workdir::new().program("wp-index", "", item).expect(0);
    assert_eq!(
        run.stdout,
        "{\"site\":\"a.example\",\"kind\":\"post\",\"type\":\"post\",\"id\":1,\"link\":\"https://www.a.example/x/\",\
         \"source\":{\"via\":\"rest\",\"file\":\"-\",\"item\":1,\"rest\":null,\"steps\":[\"wp-index VERSION\"]},\
         \"scrape\":{\"root\":null,\"file\":null,\"url\":null,\"time\":null,\"digest\":null,\"record\":null,\"status\":null,\"site_name\":null,\"mapped\":[],\"sample\":[],\"next_pages\":[],\"place\":{\"content\":null,\"agree\":null,\"of\":null,\"share\":null}},\"aliases\":[],\"rights\":[],\
         \"api\":{\"id\":1,\"type\":\"post\",\"title\":\"a  b\\/\\u00e9\",\"n\":123456789012345678901234567890,\
         \"link\":\"https:\\/\\/www.a.example\\/x\\/\"}}\n"
            .replace("VERSION", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn the_site_is_the_api_s_own_host_or_what_the_user_says() {
    let named = |args: &str, item: Value| {
        Workdir::new().program("wp-index", args, item.to_string()).records()[0]["site"].clone()
    };
    let mut item = post(1, "/x/");
    item["link"] = json!("https://fr.a.example/x/");
    assert_eq!(named("", item.clone()), "a.example");
    assert_eq!(named("--site www.lab", item.clone()), "www.lab");
    item.as_object_mut().unwrap().remove("_links");
    assert_eq!(named("", item), "fr.a.example");
}

#[test]
fn records_wait_for_the_first_that_names_the_site() {
    let nameless = json!({"id": 9, "type": "attachment", "link": null});
    let run = Workdir::new().program("wp-index", "", json!([nameless, post(1, "/x/")]).to_string()).expect(0);
    let sites: Vec<Value> = run.records().iter().map(|r| json!([r["site"], r["id"]])).collect();
    assert_eq!(sites, [json!(["a.example", 9]), json!(["a.example", 1])]);
    let none = Workdir::new().program("wp-index", "", nameless.to_string()).expect(2);
    assert!(none.stderr.contains("--site"), "{}", none.stderr);
}

#[test]
fn dumps_of_one_site_are_merged_and_repeated_records_dropped() {
    let dir = Workdir::new();
    dir.write("en.json", json!([post(1, "/x/"), post(2, "/y/")]).to_string());
    // The same id with another link: some plugins do this for a translation, which is a different record.
    dir.write("fr.json", json!([post(2, "/y/"), post(1, "/fr/x/")]).to_string());
    let run = dir.program("wp-index", "en.json fr.json --stats stats", "").expect(0);
    let seen: Vec<Value> =
        run.records().iter().map(|r| json!([r["id"], r["source"]["file"], r["source"]["item"]])).collect();
    assert_eq!(seen, [json!([1, "en.json", 1]), json!([2, "en.json", 2]), json!([1, "fr.json", 2])]);
    assert!(dir.read("stats").contains("\"duplicates\":1"));
}

#[test]
fn what_is_no_item_is_refused_with_its_place_and_the_rest_goes_on() {
    let dir = Workdir::new();
    dir.write("d/error.json", "{\"code\":\"rest_x\",\"message\":\"No\",\"data\":{\"status\":401}}");
    dir.write("d/cli.json", format!("[{{\"ID\":1,\"post_title\":\"x\"}},\n {}]", post(3, "/z/")));
    dir.write("d/login.json", "<html>login");
    let run = dir.program("wp-index", "d --rejects rejects", "").expect(1);
    assert_eq!(
        run.stderr,
        "wp-index: d/cli.json:1:2: database row (wp-cli) instead of a REST API item\n\
         wp-index: d/error.json:1:1: API error instead of an item: rest_x: No\n\
         wp-index: d/login.json:1:1: HTML, not JSON\n"
    );
    assert_eq!(run.records().len(), 1);
    assert_eq!(dir.read("rejects").lines().count(), 3);
    let named = dir.program("wp-index", "d/login.json", "").expect(1);
    assert_eq!(named.stderr, "wp-index: d/login.json:1:1: HTML, not JSON\n");
}

#[test]
fn the_page_at_the_link_is_taken_of_three_with_one_id() {
    // TranslatePress shows a post in three languages under one id.
    let pages = ["fr/x", "x", "de/x"].map(|path| {
        (format!("a.example/{path}/index.html"), page(&canonical(&format!("{SITE}/{path}/")), "single postid-1"))
    });
    let pages: Vec<(&str, String)> = pages.iter().map(|(file, page)| (file.as_str(), page.clone())).collect();
    assert_eq!(
        join(&[post(1, "/x/")], &pages),
        [
            "post:1 a.example/x/index.html",
            "html:https://a.example/de/x/ a.example/de/x/index.html post:1",
            "html:https://a.example/fr/x/ a.example/fr/x/index.html post:1",
        ]
    );
}

#[test]
fn embed_pages_and_other_variants_are_aliases() {
    let own = page(&canonical(&format!("{SITE}/x/")), "single postid-1");
    let pages: Vec<(&str, String)> = [
        "a.example/x/embed/index.html",
        "a.example/x/index.html",
        "a.example/x/index.html@replytocom=4",
        "a.example/x/amp/index.html",
        "a.example/index.html@p=1",
        "a.example/x/comment-page-2/index.html",
    ]
    .map(|file| (file, own.clone()))
    .into();
    let links = ["?p=1", "x/?replytocom=4", "x/amp/", "x/comment-page-2/", "x/embed/"];
    let links = links.map(|link| format!("{SITE}/{link}")).join(" ");
    assert_eq!(join(&[post(1, "/x/")], &pages), [format!("post:1 a.example/x/index.html {links}")]);
    // An embed is not enough to be the record's page.
    assert_eq!(join(&[post(1, "/x/")], &pages[..1]), ["post:1 - https://a.example/x/embed/"]);
}

/// A truncated dump has lost posts whose pages are still in the scrape.
#[test]
fn a_page_names_its_record_though_the_dump_has_lost_it() {
    let pages = [
        ("a.example/x/index.html", page(&canonical(&format!("{SITE}/x/")), "single postid-1")),
        ("a.example/y/index.html", page(&canonical(&format!("{SITE}/y/")), "single single-post postid-2")),
    ];
    let seen = join(&[post(1, "/x/")], &pages);
    assert_eq!(seen, ["post:1 a.example/x/index.html", "post:2 a.example/y/index.html"]);
    // the post with this id on another site is a different one
    let root = format!("<link rel='https://api.w.org/' href='{SITE}/blog2/wp-json/'>");
    let other = format!("{}{root}", canonical(&format!("{SITE}/blog2/y/")));
    let pages = [("a.example/blog2/y/index.html", page(&other, "single single-post postid-1"))];
    let seen = join(&[post(1, "/x/")], &pages);
    assert_eq!(seen[1], "html:https://a.example/blog2/y/ a.example/blog2/y/index.html -");
}

#[test]
fn a_page_made_by_hand_of_another_one_keeps_its_text() {
    let own =
        |title: &str| page(&format!("<title>{title}</title>{}", canonical(&format!("{SITE}/x/"))), "page page-id-1");
    let pages = [
        ("a.example/x/index.html", own("X")),
        ("a.example/y/index.html", own("Y")),
        ("a.example/z/index.html", own("X")),
    ];
    let run = index_with("", &[], &pages);
    assert_eq!(joined(&run).len(), 2);
    assert_eq!(run.records()[0]["aliases"], json!(["http://a.example/z/"]));
    assert_eq!(run.records()[1]["scrape"]["file"], "a.example/y/index.html");
}

#[test]
fn ids_of_two_blogs_may_collide() {
    let root = |path: &str| format!("<link rel='https://api.w.org/' href='{SITE}{path}/wp-json/'>");
    let own = page(&root(""), "single postid-1");
    let other = page(&root("/blog2"), "single postid-1");
    // It has no canonical URL, and its files are in the place of the first blog's files.
    let seen = join(
        &[post(1, "/hello/")],
        &[("a.example/hello/index.html", own), ("a.example/blog2/hello/index.html", other.clone())],
    );
    assert_eq!(
        seen,
        ["post:1 a.example/hello/index.html", "html:https://a.example/blog2/hello/ a.example/blog2/hello/index.html -"]
    );
    assert_eq!(join(&[post(1, "/hello/")], &[("a.example/hello/index.html", other)])[0], "post:1 -");
    let foreign = page(&canonical("https://b.example/hello/"), "single postid-1");
    let third = page("", "single postid-2");
    let seen = join(
        &[post(1, "/hello/"), post(2, "/y/")],
        &[("b.example/hello/index.html", foreign), ("a.example/y/index.html", third)],
    );
    assert_eq!(seen[..2], ["post:1 -", "post:2 a.example/y/index.html"]);
}

#[test]
fn a_mirror_with_relative_canonicals_is_joined_by_its_paths() {
    let relative = |class: &str| page(&canonical("index.html"), class);
    let pages = [("x/index.html", relative("single postid-1")), ("y/index.html", relative("single postid-2"))];
    let run = index_with("", &[post(1, "/x/"), post(2, "/y/")], &pages);
    assert_eq!(joined(&run), ["post:1 x/index.html", "post:2 y/index.html"]);
    // Links in the page are relative to this URL.
    assert_eq!(run.records()[0]["scrape"]["url"], "https://a.example/x/");
    assert_eq!(run.stderr, "");
}

#[test]
fn a_mirror_under_another_host_and_path_is_recognised_and_reported() {
    let at = |path: &str, class: &str| page(&canonical(&format!("http://localhost/m/{path}/")), class);
    let pages = [
        ("localhost/m/x/index.html", at("x", "single postid-1")),
        ("localhost/m/2020/y/index.html", at("2020/y", "single postid-2")),
        ("localhost/m/about/index.html", page("", "")),
    ];
    let items = [post(1, "/x/"), post(2, "/2020/y/")];
    let run = index_with("", &items, &pages);
    assert_eq!(run.stderr, "wp-index: localhost/m is mapped to a.example, as 2 of 2 claims in its pages indicate\n");
    assert_eq!(
        joined(&run),
        [
            "post:1 localhost/m/x/index.html http://localhost/m/x/",
            "post:2 localhost/m/2020/y/index.html http://localhost/m/2020/y/",
            "html:https://a.example/about/ localhost/m/about/index.html -"
        ]
    );
    // The same, set explicitly: needs no claims.
    let plain = [("x/index.html", page("", "")), ("2020/y/index.html", page("", ""))];
    let run = index_with("--scrape-base https://a.example/", &items, &plain);
    assert_eq!(joined(&run), ["post:1 x/index.html", "post:2 2020/y/index.html"]);
}

#[test]
fn a_meta_refresh_is_an_alias_of_where_it_leads_or_nothing() {
    let stub = |goal: &str| {
        format!("<html><head><meta http-equiv=Refresh content='0; URL={goal}'></head><body></body></html>")
    };
    let pages = [
        ("a.example/old/index.html", stub("../x/index.html")),
        ("a.example/gone/index.html", stub("../nowhere/")),
        ("a.example/x/index.html", page("", "single postid-1")),
    ];
    assert_eq!(join(&[post(1, "/x/")], &pages), ["post:1 a.example/x/index.html https://a.example/old/"]);
}

#[test]
fn an_archive_is_no_post_whatever_its_og_url_says() {
    let og = "<meta property=og:url content=https://a.example/x/>";
    let archive = page(og, "archive date");
    let pages = [("a.example/2020/index.html", archive.clone()), ("a.example/search/index.html", page(og, "search"))];
    assert_eq!(join(&[post(1, "/x/")], &pages), ["post:1 -"]);
    let kept = index_with("--all-pages", &[post(1, "/x/")], &pages[..1]);
    assert_eq!(joined(&kept), ["post:1 -", "html:https://a.example/2020/ a.example/2020/index.html -"]);
}

#[test]
fn archives_of_terms_belong_to_their_terms() {
    let term = json!({"id": 5, "taxonomy": "category", "name": "n", "link": format!("{SITE}/category/n/")});
    let by_class = page("", "archive category category-n category-5");
    let second = page("", "archive paged category category-n category-5 paged-2");
    let pages = [("a.example/category/n/index.html", by_class), ("a.example/category/n/page/2/index.html", second)];
    // A post with the same id is unrelated.
    assert_eq!(
        join(&[post(5, "/x/"), term], &pages),
        ["post:5 -", "category:5 a.example/category/n/index.html https://a.example/category/n/page/2/"]
    );
}

#[test]
fn a_page_that_claims_another_record_never_joins_by_its_url() {
    let pages = [("a.example/x/index.html", page("", "single postid-2"))];
    assert_eq!(
        join(&[post(1, "/x/"), post(2, "/y/")], &pages),
        ["post:1 -", "post:2 -", "html:https://a.example/x/ a.example/x/index.html post:2"]
    );
}

/// A post and a term may have the same id.
#[test]
fn the_list_of_types_says_which_one_the_address_of_a_page_in_the_api_means() {
    let dir = Workdir::new();
    let genre = json!({"id": 5, "taxonomy": "genre", "link": format!("{SITE}/?genre=g"), "slug": "g", "name": "G"});
    let book = json!({"id": 5, "type": "book", "link": format!("{SITE}/?post_type=book&p=5"), "slug": "b"});
    dir.write("dump/items.json", json!([genre, book]).to_string());
    dir.write("dump/types.json", json!({"book": {"slug": "book", "rest_base": "library"}}).to_string());
    let route = format!("<link rel=alternate type=application/json href={SITE}/wp-json/wp/v2/library/5>");
    dir.write("scrape/a.example/x/index.html", page(&route, "single"));
    let run = dir.sh("wp-index dump --scrape scrape").expect(0);
    assert_eq!(joined(&run), ["genre:5 -", &format!("book:5 a.example/x/index.html {SITE}/x/")]);
}

#[test]
fn pages_without_a_claim_join_by_their_url() {
    let pages = [
        ("a.example/x.html", page("", "")),
        ("a.example/y/index.html", page(&canonical("http://www.a.example/y"), "")),
        ("a.example/feed/index.html", "<?xml version='1.0'?><rss></rss>".to_owned()),
        ("a.example/wp-json/index.html", "{}".to_owned()),
    ];
    assert_eq!(
        join(&[post(1, "/x/"), post(2, "/y/")], &pages),
        ["post:1 a.example/x.html https://a.example/x.html", "post:2 a.example/y/index.html"]
    );
}

#[test]
fn json_alternates_name_types_as_the_api_does() {
    let mut boat = post(7, "/boats/b/");
    boat["type"] = json!("boat");
    boat["_links"]["collection"][0]["href"] = json!(format!("{SITE}/wp-json/wp/v2/boats"));
    let alternate =
        |base: &str| format!("<link rel=alternate type=application/json href='{SITE}/wp-json/wp/v2/{base}/7'>");
    let run = |base: &str| join(&[boat.clone()], &[("a.example/boats/b/index.html", page(&alternate(base), ""))]);
    assert_eq!(run("boats"), ["boat:7 a.example/boats/b/index.html"]);
    assert_eq!(run("tags")[0], "boat:7 -");
}

#[test]
fn a_stream_is_read_twice_when_there_is_a_scrape() {
    let dir = Workdir::new();
    dir.write("scrape/a.example/x/index.html", page("", "single postid-1"));
    let run = dir.program("wp-index", "--scrape scrape", json!([post(1, "/x/")]).to_string()).expect(0);
    assert_eq!(joined(&run), ["post:1 a.example/x/index.html"]);
}

#[test]
fn a_scrape_that_is_not_there_is_an_error() {
    let run = Workdir::new().program("wp-index", "--scrape nowhere", "[]").expect(2);
    assert!(run.stderr.starts_with("wp-index: nowhere: "), "{}", run.stderr);
}

/// The sum in the man page assumed defaults for missing counts: without a scrape, half of its terms were missing.
#[test]
fn every_count_of_the_page_is_there_without_a_scrape() {
    let dir = Workdir::new();
    dir.program("wp-index", "--stats stats", json!([post(1, "/a/")]).to_string()).expect(0);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    let page = std::fs::read_to_string(crate::workdir::repository("man/wp-index.1")).unwrap();
    let list = page.split(".Sh STATS").nth(1).unwrap().split(".Sh ").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix(".It Va ")).flat_map(|line| line.split(" , "));
    let missing: Vec<&str> = names.filter(|name| stats.get(*name).is_none()).collect();
    assert_eq!(missing, [""; 0], "{stats}");
}

/// One unreadable folder ended the run.
#[test]
fn a_folder_that_cannot_be_read_is_reported_and_the_rest_goes_on() {
    let dir = Workdir::new();
    dir.write("scrape/b.html", page("", ""));
    // A folder whose path is too long cannot be listed, even by root.
    dir.sh("n=$(printf %0200d 0); cd scrape; for i in $(seq 22); do mkdir $n; cd $n; done").expect(0);
    let run = dir.program("wp-index", "--no-dump --site s --scrape scrape --stats stats", "").expect(0);
    assert_eq!(joined(&run), ["html:http://site.invalid/b.html b.html -"]);
    assert!(run.stderr.contains(": cannot be read: file name too long"), "{}", run.stderr);
    assert!(dir.read("stats").contains("\"page_unreadable\":1"), "{}", dir.read("stats"));
    // In a dump, it may have contained items, so it is a reject.
    dir.write("scrape/a.json", "[{\"id\":1,\"type\":\"post\",\"title\":\"\"}]");
    let run = dir.program("wp-index", "scrape --site s --stats stats", "").expect(1);
    assert_eq!(run.records().len(), 1);
    assert!(run.stderr.contains(": file name too long"), "{}", run.stderr);
    assert!(dir.read("stats").contains("\"rejects\":1"), "{}", dir.read("stats"));
}

/// Their names were replaced by others, under which wp-translations did not find them, and two of them could get the
/// same name.
#[test]
fn a_page_whose_name_is_not_utf8_is_reported() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Workdir::new();
    dir.write("scrape/b.html", page("", ""));
    for name in [b"scrape/caf\xe9.html", b"scrape/caf\xe8.html"] {
        std::fs::write(dir.path("").join(std::ffi::OsStr::from_bytes(name)), page("", "")).unwrap();
    }
    let run = dir.sh("echo [] | wp-index --site s --scrape scrape --stats stats").expect(0);
    assert_eq!(joined(&run), ["html:http://site.invalid/b.html b.html -"]);
    assert!(run.stderr.contains(r"scrape/caf\xe8.html: cannot be read: its name is not UTF-8"), "{}", run.stderr);
    assert!(dir.read("stats").contains("\"page_unreadable\":2"), "{}", dir.read("stats"));
}

/// A dump in a directory is found whatever its file names; only the name in `source` is changed.
#[test]
fn a_dump_whose_name_is_not_utf8_is_read() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Workdir::new();
    std::fs::create_dir(dir.path("dump")).unwrap();
    for (id, name) in [(1, b"dump/caf\xe8.json"), (2, b"dump/caf\xe9.json")] {
        let items = json!([post(id, "/x/")]).to_string();
        std::fs::write(dir.path("").join(std::ffi::OsStr::from_bytes(name)), items).unwrap();
    }
    let run = dir.sh("wp-index --site s dump").expect(0);
    let read: Vec<_> =
        run.records().iter().map(|record| (record["id"].clone(), record["source"]["file"].clone())).collect();
    assert_eq!(read, [(json!(1), json!(r"dump/caf\xe8.json")), (json!(2), json!(r"dump/caf\xe9.json"))]);
}

/// WordPress.com has the APIs of all its sites on one host, which does not belong to any of them.
#[test]
fn a_site_of_wordpress_com_is_called_as_its_links_say() {
    let post = |host: &str, site: i64| {
        json!([{"id": 1, "type": "post", "link": format!("https://{host}/2020/01/01/one/"), "title": {"rendered": "One"},
            "_links": {"self": [{"href": format!("https://public-api.wordpress.com/wp/v2/sites/{site}/posts/1")}]}}])
    };
    let dir = Workdir::new();
    dir.write("ann.json", post("ann.wordpress.com", 123).to_string())
        .write("bob.json", post("bob.wordpress.com", 77).to_string());
    let record = &dir.program("wp-index", "ann.json", "").expect(0).records()[0];
    let root = "https://public-api.wordpress.com/wp/v2/sites/123/";
    assert_eq!((record["site"].as_str(), record["source"]["rest"].as_str()), (Some("ann.wordpress.com"), Some(root)));
    let run = dir.program("wp-index", "ann.json bob.json", "").expect(1);
    assert!(run.stderr.contains("ann.wordpress.com and bob.wordpress.com have different items"), "{}", run.stderr);
}

/// Responses of other APIs have their texts in other fields than `wp/v2`.
#[test]
fn answers_of_other_apis_are_refused_by_name() {
    let dir = Workdir::new();
    let old = json!({"ID": 5, "type": "post", "title": "T", "content": "<p>x</p>", "link": format!("{SITE}/x/"), "slug": "x"});
    let com = json!({"ID": 5, "site_ID": 9, "type": "post", "title": "T", "URL": format!("{SITE}/x/"), "content": "<p>x</p>"});
    let product = json!({"id": 5, "name": "Boat", "slug": "boat", "type": "simple", "permalink": format!("{SITE}/boat/"), "description": "x", "prices": {"price": "1"}});
    let category = json!({"id": 3, "name": "c", "slug": "c", "parent": 0, "count": 1, "image": null, "permalink": format!("{SITE}/product-category/c/")});
    let of_v3 = json!({"id": 7, "name": "Hat", "slug": "hat", "permalink": format!("{SITE}/hat/"), "type": "simple", "_links": {"self": [{"href": format!("{SITE}/wp-json/wc/v3/products/7")}]}});
    let woo = "answer of WooCommerce's API instead of an item of wp/v2; fetch /wp-json/wp/v2/product or ";
    for (answer, told) in [
        (json!([old]), "post of WP-API version 1 instead of an item of wp/v2; fetch /wp-json/wp/v2/posts"),
        (
            json!({"found": 1, "posts": [com], "meta": {}}),
            "answer of WordPress.com's API v1.1 instead of an item of wp/v2; fetch https://public-api.wordpress.com/wp/v2/sites/SITE/posts",
        ),
        (
            com.clone(),
            "answer of WordPress.com's API v1.1 instead of an item of wp/v2; fetch https://public-api.wordpress.com/wp/v2/sites/SITE/posts",
        ),
        (json!([product]), woo),
        (json!([category]), woo),
        (json!([of_v3]), woo),
    ] {
        dir.write("a.json", answer.to_string());
        let run = dir.program("wp-index", "a.json --site x", "").expect(1);
        assert!(run.stderr.contains(told) && run.stdout.is_empty(), "{}", run.stderr);
    }
}

/// In another namespace, an id and a title belong to a plugin: only an object that states its type can be an item.
#[test]
fn an_answer_of_a_plugin_is_an_item_only_if_it_states_its_type() {
    let dir = Workdir::new();
    let event = json!({"id": 7, "status": "publish", "title": "Regatta", "description": "<p>x</p>", "slug": "regatta", "date": "2026-01-01 10:00:00", "categories": [], "tags": [], "url": format!("{SITE}/event/regatta/")});
    let image = json!({"id": 8, "url": format!("{SITE}/up/a.jpg"), "source_url": format!("{SITE}/up/a.jpg"), "media_type": "image"});
    dir.write("m/wp-json/tribe/events/v1/events/7/index.json", event.to_string())
        .write("m/wp-json/tribe/events/v1/images/8/index.json", image.to_string())
        .write("m/wp-json/wp/v2/posts/1/index.json", post(1, "/x/").to_string())
        .write("m/wp-json/x/v1/mine/index.json", post(2, "/y/").to_string());
    let run = dir.program("wp-index", "m --stats stats", "").expect(0);
    let ids: Vec<_> = run.records().iter().map(|record| record["id"].clone()).collect();
    assert_eq!(ids, [1, 2]);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!(stats["left_out_answers"], 2);
}
