//! A page that states type and id of a post is a record of that type, as one of a dump is: a property of generated sites, read with
//! and without their dump; and pages that state what they are not.

use crate::index::{SITE, canonical, index_with, join, joined, page, post};
use crate::targets::Chance;
use crate::workdir::{Run, Workdir};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

/// A page of a post, and whether the dump has its link.
struct Shown {
    id: i64,
    r#type: &'static str,
    path: String,
    language: &'static str,
    in_dump: bool,
}

/// The posts of a site whose languages have ids of their own, or one.
fn posts(chance: &mut Chance) -> Vec<Shown> {
    let has_one_id = chance.is(2);
    let mut posts = Vec::new();
    for n in 0..3 + chance.below(8) {
        let r#type = ["post", "page", "boat", "media"][chance.below(4)];
        let id = (n * 7 + 1) as i64;
        for (at, language) in
            LANGUAGES.into_iter().enumerate().filter(|(at, _)| *at == 0 || chance.is(2)).collect::<Vec<_>>()
        {
            let folder = if at == 0 { String::new() } else { format!("{language}/") };
            let slug = chance.one_of(&["z", "a", "2024", "harbour", "7", "quay", "x/y"]);
            let path = format!("/{folder}{slug}-{n}/");
            let own = if has_one_id { id } else { id + at as i64 };
            posts.push(Shown { id: own, r#type, path, language, in_dump: at == 0 || !has_one_id });
        }
    }
    posts
}

/// The item of a post in the dump.
fn item(post: &Shown) -> Value {
    let Shown { id, r#type, path, .. } = post;
    let base = ["posts", "pages", "boats", "media"]
        [["post", "page", "boat", "media"].iter().position(|t| t == r#type).unwrap()];
    let r#type = if *r#type == "media" { "attachment" } else { r#type };
    json!({"id": id, "type": r#type, "link": format!("{SITE}{path}"), "title": {"rendered": path},
           "_links": {"self": [{"href": format!("{SITE}/wp-json/wp/v2/{base}/{id}")}],
                      "collection": [{"href": format!("{SITE}/wp-json/wp/v2/{base}")}]}})
}

/// Its page, with as many statements of what it is as suffice.
fn page_of(post: &Shown, chance: &mut Chance) -> String {
    let Shown { id, r#type, path, language, .. } = post;
    let mut head = canonical(&format!("{SITE}{path}"));
    if chance.is(2) {
        head += &format!("<link rel=shortlink href='{SITE}/?p={id}'>");
    }
    let class = match *r#type {
        "page" => format!("page-template-default page page-id-{id}"),
        "media" => format!("attachment single single-attachment postid-{id} attachmentid-{id} attachment-jpeg"),
        r#type => format!("wp-singular single single-{type} postid-{id} single-format-standard"),
    };
    page(&head, &class).replace("lang=en", &format!("lang={language}")).replace("<title>t", &format!("<title>{path}"))
}

/// Kind, type, id and link of the records with a page, without the later pages of a post.
fn told(run: &Run) -> BTreeSet<String> {
    let records = run.records().into_iter().filter(|record| !record["scrape"]["file"].is_null());
    let told = records.map(|record| ["kind", "type", "id", "link"].map(|key| record[key].to_string()).join(" "));
    told.filter(|record| !record.ends_with("/2/\"")).collect()
}

#[test]
fn a_dataset_without_a_dump_has_the_records_of_one_with_a_dump() {
    for seed in 0..if std::env::var_os("WPIPE_CASES").is_some() { 400 } else { 40 } {
        let (mut chance, dir) = (Chance(seed), Workdir::new());
        let posts = posts(&mut chance);
        let items: Vec<Value> = posts.iter().filter(|post| post.in_dump).map(item).collect();
        dir.write("dump.json", json!(items).to_string());
        for post in posts.iter().filter(|_| !chance.is(9)).collect::<Vec<_>>() {
            let part = if chance.is(2) { "m" } else { "n" };
            let html = page_of(post, &mut chance);
            dir.write(&format!("{part}/a.example{}index.html", post.path), &html);
            if chance.is(4) {
                let further = html.replace(&format!("{}'", post.path), &format!("{}2/'", post.path));
                dir.write(&format!("{part}/a.example{}2/index.html", post.path), further);
            }
        }
        dir.write("m/a.example/plain/index.html", page(&canonical(&format!("{SITE}/plain/")), ""))
            .write("n/a.example/c/index.html", page("", "archive category category-c category-3"));
        let run = |args: &str| dir.sh(&format!("wp-index {args}")).expect(0);
        let without = run("--no-dump --scrape m --scrape n");
        assert_eq!(told(&without), told(&run("dump.json --scrape m --scrape n")), "{seed}");
        assert_eq!(told(&without), told(&run("--no-dump --scrape n --scrape m")), "{seed}");
        let language = |record: &Value| {
            let link = record["link"].as_str().unwrap().to_owned();
            posts.iter().find(|post| link == format!("{SITE}{}", post.path)).map(|post| post.language)
        };
        let records = without.records();
        let ids: Vec<_> =
            records.iter().filter(|r| !r["id"].is_null()).map(|r| (r["id"].as_i64(), language(r))).collect();
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{seed}: an id twice in a language");
        assert!(records.iter().all(|record| record["source"]["via"] == "page"), "{seed}");
    }
}

/// The records of pages without a dump.
fn index(pages: &[(&str, String)]) -> Vec<String> {
    let dir = Workdir::new();
    for (file, page) in pages {
        dir.write(&format!("scrape/{file}"), page);
    }
    joined(&dir.sh("wp-index --no-dump --scrape scrape").expect(0))
}

#[test]
fn an_id_of_two_pages_in_one_language_belongs_to_neither() {
    let page = |path: &str, class: &str, title: &str| {
        page(&canonical(&format!("{SITE}{path}")), class).replace("<title>t", &format!("<title>{title}"))
    };
    let one = ("a.example/x/index.html", page("/x/", "single single-post postid-5", "One"));
    let html = |path: &str| format!("html:{SITE}{path} a.example{path}index.html post:5");
    for title in ["Two", "One"] {
        let two = ("a.example/y/index.html", page("/y/", "single single-post postid-5", title));
        assert_eq!(index(&[one.clone(), two]), [html("/x/"), html("/y/")], "{title}");
    }
    let german = (
        "a.example/de/y/index.html",
        page("/de/y/", "single single-post postid-5", "Zwei").replace("lang=en", "lang=de"),
    );
    assert_eq!(index(&[one.clone(), german]), ["post:5 a.example/de/y/index.html", "post:5 a.example/x/index.html"]);
    // Made by hand of the page whose URL and id it still states.
    let copy = ("a.example/y/index.html", page("/x/", "single single-post postid-5", "Two"));
    assert_eq!(
        index(&[one.clone(), copy]),
        ["post:5 a.example/x/index.html", "html:http://a.example/y/ a.example/y/index.html post:5"]
    );
    let further = ("a.example/x/2/index.html", page("/x/2/", "single single-post postid-5", "One"));
    assert_eq!(index(&[one.clone(), further]), ["post:5 a.example/x/index.html http://a.example/x/2/"]);
    // In each blog it is another post.
    let of_blog = |blog: &str, (file, html): (&'static str, String)| {
        (file, html.replace("<title>", &format!("<link rel='https://api.w.org/' href='{SITE}{blog}/wp-json/'><title>")))
    };
    let other = ("a.example/b/y/index.html", page("/b/y/", "page page-id-5", "Two"));
    assert_eq!(
        index(&[of_blog("", one.clone()), of_blog("/b", other)]),
        ["page:5 a.example/b/y/index.html", "post:5 a.example/x/index.html"]
    );
    // The scheme is not the blog's.
    let insecure = ("a.example/y/index.html", page("/y/", "single single-post postid-5", "Two"));
    let insecure = of_blog("", (insecure.0, insecure.1.replace("https", "http")));
    let insecure = (insecure.0, insecure.1.replace(&format!("'{SITE}/wp-json"), "'http://a.example/wp-json"));
    assert!(index(&[of_blog("", one.clone()), insecure]).iter().all(|record| record.starts_with("html:")));
    // A record of the dump has it, and takes other pages that state it in its language.
    let two = ("a.example/y/index.html", page("/y/", "single single-post postid-5", "Two"));
    assert_eq!(join(&[post(5, "/x/")], &[one, two]), [format!("post:5 a.example/x/index.html {SITE}/y/")]);
}

#[test]
fn a_page_has_no_type_by_an_address_of_the_api_alone() {
    let at = |path: &str, base: &str, class: &str| {
        let link = format!("<link rel=alternate type=application/json href='{SITE}/wp-json/wp/v2/{base}'>");
        page(&(canonical(&format!("{SITE}{path}")) + &link), class)
    };
    let pages = [
        ("a.example/a/index.html", at("/a/", "boats/4", "")),
        ("a.example/b/index.html", at("/b/", "boats/5", "single single-boat postid-5")),
        ("a.example/c/index.html", at("/c/", "pages/6", "")),
        ("a.example/d/index.html", page(&canonical(&format!("{SITE}/d/")), "single single-post postid-0")),
        ("a.example/e/index.html", page(&format!("<link rel=shortlink href='{SITE}/?p=8'>"), "")),
    ];
    let seen = index(&pages);
    let kinds: Vec<&str> = seen.iter().map(|record| record.split(' ').next().unwrap()).collect();
    let html = |path: &str| format!("html:{SITE}/{path}/");
    assert_eq!(kinds[..4], [&html("a"), "boat:5", "page:6", &html("d")]);
    assert!(kinds[4].starts_with("html:"), "{seen:?}");
    // The API lists its types.
    let dir = Workdir::new();
    dir.write("dump.json", json!([post(1, "/x/")]).to_string());
    dir.write(
        "dump/types.json",
        json!({"boat": {"slug": "boat", "rest_base": "boats", "name": "Boats", "taxonomies": [],
        "_links": {"collection": [{"href": format!("{SITE}/wp-json/wp/v2/types")}]}}})
        .to_string(),
    );
    dir.write("dump/posts.json", json!([post(1, "/x/")]).to_string());
    dir.write("scrape/a.example/a/index.html", &pages[0].1);
    let run = dir.sh("wp-index dump --scrape scrape --allow-empty").expect(0);
    assert_eq!(joined(&run)[1], "boat:4 a.example/a/index.html");
}

#[test]
fn the_page_of_a_file_is_its_record_with_the_file_that_it_shows() {
    let dir = Workdir::new();
    let file = format!("{SITE}/wp-content/uploads/2020/01/quay.jpg");
    let body = |file: &str| {
        format!(
            "<article class='post-7 attachment type-attachment hentry'><h1 class=entry-title>The quay</h1><div class=entry-content>\
             <p class=attachment><a href='{file}'><img src='{}' alt='Boats'></a></p><p>Seen from <a href='{SITE}/map.pdf'>the pier</a>.</p>\
             </div></article></body>",
            file.replace(".jpg", "-300x200.jpg")
        )
    };
    let class = "attachment single single-attachment postid-7 attachmentid-7 attachment-jpeg";
    let head = canonical(&format!("{SITE}/quay/")) + "<meta name=author content='Ann Roe'>";
    dir.write("s/a.example/quay/index.html", page(&head, class).replace(">x</body>", &format!(">{}", body(&file))));
    let shown = format!("><article><div class=entry-content><p><img src='{file}'></p></div></article></body>");
    let of_post = page(&canonical(&format!("{SITE}/x/")), "single single-post postid-5").replace(">x</body>", &shown);
    dir.write("s/a.example/x/index.html", of_post);
    let run = dir.sh("wp-index --no-dump --scrape s | wp-parse | wp-translations -o t && wp-translations t | cmp - t && wp-resolve t").expect(0);
    let records = run.records();
    let [media, post] = &records[..] else { panic!("{}", run.stdout) };
    assert_eq!((&media["kind"], &media["type"], &media["id"]), (&json!("media"), &json!("media"), &json!(7)));
    let keys = ["source_url", "mime_type", "media_type", "alt_text", "author_name", "language"];
    assert_eq!(
        keys.map(|key| media[key].as_str()),
        [Some(&*file), Some("image/jpeg"), Some("image"), Some("Boats"), Some("Ann Roe"), Some("en")]
    );
    assert_eq!(media["title"]["text"], "The quay");
    assert_eq!(media["description"]["text"], "Seen from the pier.");
    assert_eq!(post["images"][0]["target"], json!({"type": "media", "id": 7, "link": format!("{SITE}/quay/")}));
    let shape = |record: &Value| record.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let item = json!({"id": 1, "type": "attachment", "link": format!("{SITE}/f/"), "source_url": file}).to_string();
    let of_dump = dir.program("wp-index", "", item).stdout;
    assert_eq!(shape(media), shape(&dir.program("wp-parse", "", of_dump).records()[0]));
}

/// What has no id on one side, because its page did not state it then, or the dump is missing.
#[test]
fn a_page_and_the_post_at_its_address_are_one_record_for_wp_diff() {
    let dir = Workdir::new();
    let shown = |class: &str, word: &str| {
        let text = format!("The {word} of the harbour and its boats, as the club keeps it. ").repeat(6);
        let content = format!(
            "><article><h1 class=entry-title>Log</h1><div class=entry-content><p>{text}</p></div></article></body>"
        );
        page(&canonical(&format!("{SITE}/log/")), class).replace(">x</body>", &content)
    };
    dir.write("old/a.example/log/index.html", shown("", "log"));
    dir.write("new/a.example/log/index.html", shown("single single-post postid-5", "log"));
    dir.write("later/a.example/log/index.html", shown("single single-post postid-5", "diary"));
    dir.sh("for s in old new later; do wp-index --no-dump --scrape $s | wp-parse | wp-translations | wp-resolve -o $s.ndjson; done").expect(0);
    assert_eq!(dir.sh("wp-diff old.ndjson new.ndjson").expect(0).stdout, "");
    assert_eq!(dir.sh("wp-diff new.ndjson old.ndjson").expect(0).stdout, "");
    for (old, new) in [("old", "later"), ("later", "old")] {
        let changes = dir.sh(&format!("wp-diff {old}.ndjson {new}.ndjson")).expect(0).records();
        assert_eq!(changes.len(), 1, "{changes:?}");
        assert_eq!(changes[0]["changes"], json!(["changed"]));
    }
}

#[test]
fn older_captures_are_pages_of_the_record() {
    let record = |time: &str, text: &str| {
        let html =
            page(&canonical(&format!("{SITE}/x/")), "single single-post postid-5").replace(">x<", &format!(">{text}<"));
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {SITE}/x/\r\nWARC-Date: {time}\r\nWARC-Record-ID: <urn:uuid:{time}>\r\n\
             Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n",
            answer.len()
        )
    };
    let dir = Workdir::new();
    dir.write("x.warc", record("2020-01-01T00:00:00Z", "old") + &record("2021-01-01T00:00:00Z", "new"));
    let run = dir.sh("wp-index --no-dump --captures all --scrape x.warc").expect(0);
    let told = run
        .records()
        .into_iter()
        .map(|r| (r["kind"].clone(), r["id"].clone(), r["scrape"]["time"].clone(), r["api"]["same"]["id"].clone()));
    let told: Vec<_> = told.collect();
    let old = (json!("html"), Value::Null, json!("2020-01-01T00:00:00Z"), json!(5));
    assert_eq!(told, [old, (json!("post"), json!(5), json!("2021-01-01T00:00:00Z"), json!(5))]);
}

/// The dump was fetched from the API of one language, the pages from the whole site.
#[test]
fn a_page_of_the_default_language_is_a_record_beside_a_dump_of_another_language() {
    let item = |id: i64, path: &str| {
        let text = post(id, path).to_string().replace("/wp-json/", "/ar/wp-json/");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let at = |path: &str, id: i64| {
        let api = format!("<link rel='https://api.w.org/' href='{SITE}/wp-json/'>");
        page(&(canonical(&format!("{SITE}{path}")) + &api), &format!("page page-id-{id}"))
    };
    let join = |items: &[Value], pages: &[(&str, String)]| joined(&index_with("--allow-empty", items, pages));
    let about = ("a.example/about/index.html", at("/about/", 14));
    let items = [item(12, "/ar/news/")];
    assert_eq!(join(&items, &[about]), ["post:12 -", "page:14 a.example/about/index.html"]);
    // An API whose address begins with a slash names no host.
    let api = "<link rel='https://api.w.org/' href='/wp-json/'><link rel=shortlink href='/?p=14'>";
    let relative = ("about/index.html", page(api, "page page-id-14"));
    assert_eq!(join(&items, &[relative]), ["post:12 -", "page:14 about/index.html"]);
    // Another record has the id.
    let other = ("a.example/about/index.html", at("/about/", 12));
    assert_eq!(
        join(&items, &[other]),
        ["post:12 -", "html:https://a.example/about/ a.example/about/index.html page:12"]
    );
}

/// Polylang gives the front page of a language the URL of its directory, while the API gives that of the page's name.
#[test]
fn the_front_page_of_a_language_is_the_page_of_the_item_whose_id_it_states() {
    let front = |language: &str, id: i64| {
        let list = ["en", "zh"].map(|tag| {
            let path = if tag == "en" { "/" } else { "/zh/" };
            format!("<link rel=alternate hreflang={tag} href='{SITE}{path}'>")
        });
        let class = format!("home page page-id-{id}");
        page(&list.concat(), &class).replace("lang=en>", &format!("lang={language}>"))
    };
    let pages = [("a.example/index.html", front("en", 45)), ("a.example/zh/index.html", front("zh", 59))];
    let seen = join(&[post(45, "/"), post(59, "/zhuye/")], &pages);
    assert_eq!(seen, ["post:45 a.example/index.html", "post:59 a.example/zh/index.html https://a.example/zh/"]);
    // Another blog has an API of its own.
    let api = format!("<link rel='https://api.w.org/' href='{SITE}/zh/wp-json/'><link rel=alternate");
    let of_blog = front("zh", 59).replacen("<link rel=alternate", &api, 1);
    let seen = join(&[post(45, "/"), post(59, "/zhuye/")], &[("a.example/zh/index.html", of_blog)]);
    assert!(seen.iter().any(|seen| seen == "post:59 -"), "{seen:?}");
    // A plugin that translates on the fly gives one id to the front pages of all languages.
    let seen = join(&[post(45, "/")], &[("a.example/zh/index.html", front("zh", 45))]);
    assert_eq!(seen, ["post:45 -", "page:45 a.example/zh/index.html"]);
}

/// What a page states, and where a record is, comes before what WordPress means by a URL such as /x/trackback/: a page that states its own
/// URL, or is at a record's, has a record; any other page has one, or is an alias of one.
#[test]
fn a_page_with_a_url_of_its_own_is_no_alias() {
    let names =
        ["x", "x/trackback", "x/trackback/trackback", "x/comment-page-2", "x/embed", "y", "y/trackback", "trackback"];
    for seed in 0..if std::env::var_os("WPIPE_CASES").is_some() { 400 } else { 40 } {
        let (mut chance, dir) = (Chance(seed), Workdir::new());
        let (mut items, mut own, mut pages) = (Vec::new(), Vec::new(), Vec::new());
        for (name, id) in names.into_iter().zip(1..).filter(|_| !chance.is(3)).collect::<Vec<_>>() {
            let (path, file) = (format!("/{name}/"), format!("a.example/{name}/index.html"));
            let states = chance.is(2);
            let head = if states { canonical(&format!("{SITE}{path}")) } else { String::new() };
            dir.write(&format!("scrape/{file}"), page(&head, "").replace("<title>t", &format!("<title>{path}")));
            let is_item = chance.is(3);
            items.extend(is_item.then(|| post(id, &path)));
            own.extend((states || is_item).then(|| file.clone()));
            pages.push((path, file));
        }
        dir.write("dump.json", json!(items).to_string());
        let dump = if items.is_empty() { "--no-dump" } else { "dump.json" };
        let records = dir.program("wp-index", &format!("{dump} --scrape scrape"), "").expect(0).records();
        let files: BTreeSet<&str> = records.iter().filter_map(|record| record["scrape"]["file"].as_str()).collect();
        let lost: Vec<&String> = own.iter().filter(|file| !files.contains(&***file)).collect();
        assert!(lost.is_empty(), "seed {seed}: {lost:?} of {pages:?}, items {items:?}");
        let aliases = records.iter().flat_map(|record| record["aliases"].as_array().unwrap());
        let aliases: BTreeSet<&str> = aliases.map(|alias| alias.as_str().unwrap()).collect();
        for (path, file) in &pages {
            let is_alias = aliases.iter().any(|alias| alias.ends_with(&format!("a.example{path}")));
            assert!(files.contains(&**file) != is_alias, "seed {seed}: {file}: {files:?}, {aliases:?}");
        }
    }
}
