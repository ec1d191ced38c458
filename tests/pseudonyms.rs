//! Tests wp-export with `--pseudonyms`: in all formats, persons are named only in running text, and each person has one pseudonym.

use crate::workdir::{Workdir, repository};
use serde_json::{Value, json};

const KEY: &str = "0123456789abcdef0123456789abcdef\n";

/// Records of two sites, with Bob in every place where a person can occur.
fn records(dir: &Workdir) {
    let hash = "0123456789abcdef0123456789abcdef";
    let avatar = |hash: &str| json!([{"size": 24, "url": format!("https://secure.gravatar.com/avatar/{hash}?s=24")}]);
    let user = |site: &str, id: i64, name: &str, slug: &str, hash: &str| {
        json!({"site": site, "kind": "user", "type": "user", "id": id, "link": format!("https://{site}/team/{slug}/"), "name": name, "slug": slug,
            "url": format!("https://{slug}.example/"), "description": {"html": "I am Bob", "text": "I am Bob"}, "avatar_urls": avatar(hash),
            "seo": {"title": format!("{name}, Author")}})
    };
    let html = format!(
        "<p class='author-bob x'>Bob says <a href='https://a.example/team/bob/' title='Posts by Bob Hardy' rel=author>hello</a>\
         <a href='/?author=7'>a</a><a href='mailto:bob@a.example'>m</a><img class=avatar alt='Bob' src='https://secure.gravatar.com/avatar/{hash}?s=9'></p>"
    );
    let post = |site: &str, id: i64, author: i64, html: &str| {
        json!({"site": site, "kind": "post", "type": "post", "id": id, "link": format!("https://{site}/p{id}/"), "author": author,
            "title": {"html": "Bob", "text": "Bob"}, "content": {"html": html, "text": "Bob says hello"},
            "links": [{"href": "https://a.example/team/bob/", "url": "https://a.example/team/bob/", "text": "hello",
                "target": {"type": "user", "id": 7, "link": "https://a.example/team/bob/"}}],
            "terms": [{"taxonomy": "author", "id": 3, "name": "bob", "slug": "bob", "link": "https://a.example/team/bob/"}],
            "aliases": ["https://a.example/?author=7"], "my_own": "Bob Hardy"})
    };
    let page = |path: &str, same: Value, name: &str| {
        json!({"site": "a.example", "kind": "html", "type": "html", "id": null, "link": format!("https://a.example/{path}"), "same": same,
            "author_name": name, "title": {"text": "T"}, "content": {"html": "<p>x", "text": "x"},
            "scrape": {"root": "s", "file": format!("a.example/{path}index.html")}})
    };
    let comment = |id: i64, author: i64, name: &str| {
        json!({"site": "a.example", "kind": "comment", "type": "comment", "id": id, "post": 1, "author": author, "author_name": name,
            "author_url": "https://bob.example/", "content": {"html": "<p>Bob", "text": "Bob"}, "link": "https://a.example/p1/#comment-1"})
    };
    let no = json!({"type": null, "id": null});
    let all = [
        post("a.example", 1, 7, &html),
        user("a.example", 7, "Bob Hardy", "bob", hash),
        user("a.example", 8, "Ann Lee", "ann", "d41d8cd98f00b204e9800998ecf8427e"),
        comment(1, 7, "Bob Hardy"),
        comment(2, 0, "Carol Small"),
        comment(3, 0, "bob hardy"),
        page("news/x/", no.clone(), "Ann Lee"),
        page("team/bob/", no.clone(), ""),
        page("who/", json!({"type": "user", "id": 7}), ""),
        json!({"site": "a.example", "kind": "change", "type": "user", "id": 7, "link": "https://a.example/team/bob/", "change": "changed",
            "old": {"id": 7, "link": "https://a.example/team/bob/", "title": "Bob Hard"}, "new": {"id": 7, "title": "Bob Hardy"},
            "fields": [{"field": "name", "old": "\"Bob Hard\"", "new": "\"Bob Hardy\""}, {"field": "url", "old": "\"https://bob.example\"", "new": "null"}],
            "text": [{"op": "added", "old": null, "new": "I am Bob"}]}),
        json!({"site": "a.example", "kind": "change", "type": "comment", "id": 2, "change": "changed", "old": {"id": 2}, "new": {"id": 2},
            "fields": [{"field": "author_name", "old": "\"Bob Hardy\"", "new": "\"Carol Small\""}]}),
        post("b.example", 1, 2, "<p>x"),
        user("b.example", 2, "Robert", "robert", hash),
        user("b.example", 3, "Ann Lee", "ann", "d41d8cd98f00b204e9800998ecf8427e"),
    ];
    let mut lines: String = all.iter().map(|record| format!("{record}\n")).collect();
    lines += "{\"site\":\"b.example\",\"kind\":\"end\",\"type\":\"end\",\"id\":null,\"link\":null,\"records\":3}\n";
    dir.write("in", lines);
    dir.write("key", KEY);
    dir.sh("chmod 600 key").expect(0);
}

/// All strings of a value except running text; for HTML, only its attributes.
fn data(value: &Value, key: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| data(value, key, found)),
        Value::Array(list) => list.iter().for_each(|value| data(value, key, found)),
        Value::String(_) if ["text", "alt", "title"].contains(&key) => {}
        Value::String(html) if key == "html" => {
            let tags = html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap().replace("alt='Bob'", ""));
            found.extend(tags);
        }
        Value::String(text) => found.push(text.clone()),
        _ => {}
    }
}

#[test]
fn nobody_is_named_outside_of_running_text() {
    let dir = Workdir::new();
    records(&dir);
    dir.sh("wp-export -d d --pseudonyms key --stats stats in").expect(0);
    let files = dir.list("d").into_iter().filter(|name| name.ends_with(".jsonl"));
    let lines: String = files.map(|name| dir.read(&format!("d/{name}"))).collect();
    let all: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut found = Vec::new();
    all.iter().for_each(|record| data(record, "", &mut found));
    for name in ["bob", "hardy", "robert", "ann", "lee", "carol", "small", "0123456789abcdef0123", "d41d8cd9"] {
        let has = |text: &&String| {
            text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(name))
        };
        assert_eq!(found.iter().find(has), None, "{name}");
    }
    let of = |kind: &str, site: &str, id: i64| {
        all.iter().find(|r| r["kind"] == kind && r["site"] == site && r["id"] == id).unwrap().clone()
    };
    let (bob, ann) = (of("user", "a.example", 7), of("user", "a.example", 8));
    // By the id, by a name that only one user has, in URLs, and by the picture on another site; two people without a picture are distinct.
    assert_eq!(of("comment", "a.example", 1)["author_name"], bob["name"]);
    assert_eq!(of("comment", "a.example", 3)["author_name"], bob["name"]);
    assert_eq!(of("user", "b.example", 2)["name"], bob["name"]);
    assert_ne!(of("user", "b.example", 3)["name"], ann["name"]);
    assert_ne!(of("comment", "a.example", 2)["author_name"], bob["name"]);
    let name = bob["name"].as_str().unwrap();
    assert!(name.starts_with("person-") && name.len() == 23 && bob["slug"] == name, "{bob}");
    let post = of("post", "a.example", 1);
    assert_eq!(post["links"][0]["target"]["link"], format!("https://a.example/team/{name}/"));
    assert_eq!((&post["terms"][0]["slug"], &post["title"]["text"]), (&json!(name), &json!("Bob")));
    assert_eq!(post["content"]["text"], format!("Bob says {name}"));
    assert_eq!(post["links"][0]["text"], name);
    let html = post["content"]["html"].as_str().unwrap();
    assert!(html.contains("Bob says") && html.contains(&format!("title='{name}' rel=author>{name}</a>")), "{html}");
    let page = all.iter().find(|record| record["kind"] == "html").unwrap();
    assert_eq!(page["author_name"], ann["name"]);
    let change = all.iter().find(|record| record["kind"] == "change" && record["type"] == "comment").unwrap();
    assert_eq!(change["fields"][0]["old"], json!(format!("\"{name}\"")));
    // Carol, an address, and a Bob without a user on the other site; the records and keys that were left out are counted.
    let manifest: Value = serde_json::from_str(&dir.read("d/manifest.json")).unwrap();
    assert_eq!(
        manifest["pseudonyms"],
        json!({"users": 4, "users_with_avatar": 2, "names": 3, "left_out_records": 2, "left_out_keys": 2})
    );
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!((&stats["records_in"], &stats["records_out"], &stats["left_out"]), (&json!(14), &json!(12), &json!(2)));
    assert!(dir.read("d/README.md").contains("pseudonymous, not anonymous"));
}

/// Keys added by options of wp-parse, by wp-language and by wp-groups were left out, and with them the counts in card and manifest that
/// depend on them.
#[test]
fn keys_that_options_and_other_programs_add_stay() {
    let dir = Workdir::new();
    let added = json!({"text_rules": "wpextract", "text_language": {"language": "en", "script": "Latn", "confidence": 1},
        "duplicate_group": "g", "duplicate_similarity": 0.9, "duplicate_first": true, "signature": "s"});
    let mut record = json!({"site": "s", "kind": "post", "type": "post", "id": 1, "language": "de", "extra": {}});
    record.as_object_mut().unwrap().extend(added.as_object().unwrap().clone());
    dir.write("in", format!("{record}\n")).write("key", KEY);
    dir.sh("chmod 600 key; wp-export -q -d d --pseudonyms key in").expect(0);
    let written: Value = serde_json::from_str(&dir.read("d/posts.jsonl")).unwrap();
    added.as_object().unwrap().iter().for_each(|(key, value)| assert_eq!(&written[key], value, "{key}"));
    let manifest: Value = serde_json::from_str(&dir.read("d/manifest.json")).unwrap();
    assert_eq!(manifest["text_in_others"], json!([{"language": "de", "text_language": "en", "records": 1}]));
    assert_eq!(manifest["pseudonyms"]["left_out_keys"], 1);
}

/// A user's own URL was null in the user's record, but remained in every link to it, as did the slug in attributes for scripts.
#[test]
fn urls_and_slugs_of_persons_are_theirs_wherever_they_stand() {
    let dir = Workdir::new();
    let html = "<p><a href='https://www.bobhome.example'>a</a><a href='https://social.example/@carol/1'>b</a><a href='https://social.example/'>c</a>\
                <a href='https://a.example/x/'>d</a><i data-user-slug=bob data-type=bob data-slug=walks></i>";
    let link = |url: &str| json!({"href": url, "url": url, "text": "x"});
    let source = json!({"file": "d", "item": 1, "rest": "https://a.example/wp-json/", "steps": ["wp-index 1"]});
    let records = [
        json!({"site": "a", "kind": "comment", "type": "comment", "id": 1, "author": 0, "author_name": "Carol", "author_url": "https://social.example/@carol",
            "source": source}),
        json!({"site": "a", "kind": "comment", "type": "comment", "id": 2, "author": 0, "author_name": "Dora", "author_url": "https://a.example/"}),
        json!({"site": "a", "kind": "user", "type": "user", "id": 7, "name": "Bob Hardy", "slug": "bob", "url": "http://bobhome.example/", "link": "https://a.example/author/bob/"}),
        json!({"site": "a", "kind": "post", "type": "post", "id": 1, "content": {"html": html, "text": "x"},
            "links": [link("https://bobhome.example/#me"), link("https://a.example/")]}),
    ];
    dir.write("in", records.map(|record| format!("{record}\n")).concat());
    dir.write("key", KEY);
    dir.sh("chmod 600 key; wp-export -q --pseudonyms key -d d in").expect(0);
    let record = |file: &str| -> Value { serde_json::from_str(dir.read(file).lines().next().unwrap()).unwrap() };
    let (post, bob, carol) = (record("d/posts.jsonl"), record("d/users.jsonl"), record("d/comments.jsonl"));
    let (bob, carol) = (bob["name"].as_str().unwrap(), carol["author_name"].as_str().unwrap());
    let want = format!(
        "<p><a href='https://{bob}.invalid/'>{bob}</a><a href='https://{carol}.invalid/'>{carol}</a><a href='https://social.example/'>c</a>\
                <a href='https://a.example/x/'>d</a><i data-user-slug={bob} data-type=bob data-slug=walks></i>"
    );
    assert_eq!(post["content"]["html"], want);
    assert_eq!(post["links"][0]["url"], format!("https://{bob}.invalid/"));
    assert_eq!(post["links"][1]["url"], "https://a.example/");
}

/// A list of the latest comments named 31 of a site's 34 commenters beside their pseudonyms: in the texts of links, in HTML, and in its text.
#[test]
fn a_list_of_comments_was_a_key_to_the_pseudonyms() {
    let dir = Workdir::new();
    let comment = |id: i64, name: &str, url: &str| json!({"site": "s", "kind": "comment", "type": "comment", "id": id, "post": 1, "author": 0, "author_name": name, "author_url": url});
    let item = |name: &str, id: i64| {
        format!("<li><span class=author>{name}</span> on <a href='https://s.example/p/#comment-{id}'>Boats</a></li>")
    };
    let html = format!(
        "<ol>{}{}</ol><p>Ann and the others wrote.</p>",
        item("<a href='https://ann.example/'>Ann L.</a>", 2),
        item("Cy Dee", 3)
    );
    let post = json!({"site": "s", "kind": "post", "type": "post", "id": 1, "link": "https://s.example/p/", "title": {"rendered": "Boats"},
        "date": "2024-01-01T00:00:00", "content": {"rendered": html}});
    dir.write("posts.json", json!([post]).to_string()).write("key", KEY);
    let comments = [comment(2, "Ann Lee", "https://ann.example/"), comment(3, "Cy Dee", "")];
    dir.write("comments", comments.map(|comment| format!("{comment}\n")).concat());
    let pipe = "chmod 600 key; (wp-index -q posts.json --site s | wp-parse -q; cat comments) | wp-resolve -q";
    dir.sh(&format!("{pipe} | wp-export -q -d d --pseudonyms key")).expect(0);
    let [posts, comments] = ["d/posts.jsonl", "d/comments.jsonl"].map(|file| dir.read(file));
    let names: Vec<Value> =
        comments.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["author_name"].clone()).collect();
    assert!(!posts.contains("Ann L") && !posts.contains("Cy Dee"), "{posts}");
    let post: Value = serde_json::from_str(&posts).unwrap();
    let [ann, cy] = [0, 1].map(|at: usize| names[at].as_str().unwrap());
    assert_eq!(post["content"]["text"], format!("{ann} on Boats\n{cy} on Boats\nAnn and the others wrote."));
    assert_eq!((&post["links"][0]["text"], &post["links"][1]["text"]), (&json!(ann), &json!("Boats")));
}

/// If a name is next to its pseudonym, it reveals who that is.
#[test]
fn a_name_stood_beside_its_pseudonym() {
    let dir = Workdir::new();
    let attributes = [
        "content='Jane Roe'",
        "content='By JANE ROE, boats'",
        "value=jroe",
        "data-by=@jroe",
        r#"data-all='{"slug":"jroe","url":"https:\/\/s.example\/author\/jroe\/"}'"#,
        "onclick=\"follow('jroe')\"",
        "id=jroe",
        "class='vcard jroe'",
        "href=' mailto:jroe@m.example'",
        "href='MAILTO:jroe@m.example?cc=jroe@n.example'",
        "href='mail&#9;to:j%72oe%40m.example'",
        "href='/AUTHOR/jroe'",
        "href='author/jroe/'",
        "href='https://s.example/author/j%72oe/feed/'",
        "href='https://x.example/share?u=https%3A%2F%2Fs.example%2Fauthor%2Fjroe%2F&amp;t=By+Jane+Roe'",
        "href='https://x.example/share?u=https%253A%252F%252Fs.example%252FAuthor%252Fjroe'",
        "href='https://archive.example/2020/https://jroe.example/'",
    ];
    let html: String = attributes.iter().map(|attribute| format!("<i {attribute}>x</i>")).collect();
    let image = json!({"credit": "Jane Roe / A", "copyright": "© JANE ROE", "keywords": ["jroe", "boats"]});
    let other = "<a rel=author class=wide href='/jane-roes-boats/?x=1'>x</a>";
    let records = [
        json!({"site": "s", "kind": "user", "type": "user", "id": 7, "link": "https://s.example/author/jroe/", "name": "Jane Roe", "slug": "jroe",
            "url": "https://jroe.example"}),
        json!({"site": "s", "kind": "media", "type": "media", "id": 1, "media_details": {"image_meta": image},
            "rights": [{"kind": "copyright", "value": "© Jane Roe"}]}),
        json!({"site": "s", "kind": "post", "type": "post", "id": 2, "content": {"html": html, "text": "x"},
            "links": [{"href": "\tMailto:jroe@m.example"}, {"href": "/Author/J%72oe/", "url": "https://s.example/Author/J%72oe/"}]}),
        json!({"site": "s", "kind": "html", "type": "html", "id": null, "link": "https://s.example/AUTHOR/j%72oe/"}),
        json!({"site": "s", "kind": "post", "type": "post", "id": 3, "content": {"html": other}}),
    ];
    dir.write("in", records.map(|record| format!("{record}\n")).concat()).write("key", KEY);
    let lines = dir.sh("chmod 600 key; wp-export -q --pseudonyms key in").expect(0).stdout;
    let lines: Vec<&str> = lines.lines().collect();
    for line in &lines[..3] {
        let lower = line.to_lowercase();
        assert!(["roe", "%72oe"].iter().all(|name| !lower.contains(name)), "{line}");
    }
    let post: Value = serde_json::from_str(lines[2]).unwrap();
    assert_eq!(post["content"]["html"].as_str().unwrap().matches("person-").count(), attributes.len() + 2);
    // the archive is left out, and a record that names nobody is unchanged
    assert!(lines.len() == 4 && lines[3].contains(other), "{lines:?}");
}

/// Many sites do not list their users: slugs occur in links to their archives, and names on pages, with a different apostrophe than in
/// attributes. A slug that begins like a pseudonym, and archives of a plugin's authors in a folder of their own.
#[test]
fn slugs_like_pseudonyms_and_authors_of_a_taxonomy_are_replaced_in_urls_and_names_of_groups() {
    let dir = Workdir::new();
    let link = |path: &str| format!("https://e.org/{path}/");
    let html = format!(
        "<a href=\"{}\">x</a><a href=\"/?author_name=person-smith\">x</a><a href=\"{}\">x</a>",
        link("author/person-smith"),
        link("writer/jane-doe")
    );
    let records = [
        json!({"site": "s", "kind": "user", "type": "user", "id": 1, "link": link("author/person-smith"), "name": "Pat", "slug": "person-smith"}),
        json!({"site": "s", "kind": "term", "type": "author", "id": 2, "taxonomy": "author", "link": link("writer/jane-doe"), "name": "Jane Doe",
            "slug": "jane-doe", "translation_group": format!("author:{}", link("writer/jane-doe"))}),
        json!({"site": "s", "kind": "post", "type": "post", "id": 3, "link": link("x"), "terms": [{"taxonomy": "author", "id": 2, "name": "Jane Doe",
            "slug": "jane-doe", "link": link("writer/jane-doe")}], "content": {"html": html, "text": "x"}}),
    ];
    dir.write("key", "0123456789abcdef0123456789abcdef");
    dir.write("in", records.map(|record| format!("{record}\n")).concat());
    let run = dir.sh("chmod 600 key; wp-export in --pseudonyms key -q").expect(0);
    for name in ["person-smith", "jane-doe", "Jane Doe", "Pat"] {
        assert!(!run.stdout.contains(name), "{name}: {}", run.stdout);
    }
}

#[test]
fn users_of_whom_there_is_no_record_are_not_named_either() {
    let dir = Workdir::new();
    let html = "<p class='author-jo-z author-info'><a href='https://a.example/author/jo-z/' title=\"Posts by Jo O'Zed\">a</a>\
                <i data-author=\"Jo O'Zed\" data-slug=jo-z></i>";
    let page = json!({"site": "a", "kind": "html", "type": "html", "id": null, "link": "https://a.example/p/", "author_name": "Jo O’Zed",
        "content": {"html": html, "text": "a"}});
    dir.write("in", format!("{page}\n")).write("key", KEY);
    let line = dir.sh("chmod 600 key; wp-export -q --pseudonyms key in").expect(0).stdout;
    assert!(!line.contains("Zed") && !line.contains("jo-z") && line.contains("author-info"), "{line}");
    let page: Value = serde_json::from_str(&line).unwrap();
    let name = page["author_name"].as_str().unwrap();
    let html = page["content"]["html"].as_str().unwrap();
    assert!(!html.contains("Posts by") && html.contains(&format!("data-author=\"{name}\"")), "{line}");
}

#[test]
fn one_key_gives_one_dataset_and_another_key_another() {
    let dir = Workdir::new();
    records(&dir);
    dir.write("other", "another secret of some length");
    dir.sh("chmod 600 other").expect(0);
    dir.sh("for j in 1 3; do wp-export -q -j $j --format csv --pseudonyms key -d d$j <in || exit; done; cmp d1/records.csv d3/records.csv && ! grep -ri hardy d1").expect(0);
    dir.sh("wp-export -q --format csv --pseudonyms other -d d4 in && ! cmp -s d1/records.csv d4/records.csv").expect(0);
    // The end records are written.
    dir.sh("wp-export -q --expect-end --pseudonyms key -d d5 <in; [ $? = 2 ]").expect(0);
    dir.sh("jq -c 'select(.site == \"b.example\")' in | wp-export -q --expect-end --pseudonyms key -d d6").expect(0);
}

#[test]
fn a_key_that_protects_nothing_is_refused() {
    let dir = Workdir::new();
    records(&dir);
    let refused = |command: &str, why: &str| {
        let run = dir.sh(command).expect(2);
        assert!(run.stderr.contains(why), "{command}: {}", run.stderr);
    };
    dir.write("short", "0123456789");
    dir.sh("chmod 600 short; cp key open; chmod 644 open; wp-export -d d in; cp -p key d/key").expect(0);
    refused("wp-export -d e --pseudonyms short in", "less than 16 bytes");
    refused("wp-export -d e --pseudonyms open in", "others may read the key");
    refused("wp-export -d d --pseudonyms d/key in", "the key is in the dataset");
    refused("wp-export -d e --pseudonyms nowhere in", "nowhere: no such file");
    dir.sh("[ ! -e e ] && grep -q Hardy d/users.jsonl").expect(0);
}

/// Each level of nesting was a recursive call.
#[test]
fn values_nested_too_deep_are_null() {
    let dir = Workdir::new();
    dir.write("key", KEY);
    let nested = |open: &str, close: &str| open.repeat(20_000) + "1" + &close.repeat(20_000);
    let line =
        |links: String| format!("{{\"site\":\"a\",\"kind\":\"post\",\"type\":\"post\",\"id\":1,\"links\":{links}}}\n");
    dir.write("in", [line(nested("[", "]")), line(nested("{\"a\":", "}")), line(nested("[{\"a\":", "}]"))].concat());
    dir.sh("chmod 600 key; wp-export -q -d d --pseudonyms key in; [ $? -le 1 ]").expect(0);
    dir.sh("wp-export -q -d d --pseudonyms key in; [ $(wc -l <d/posts.jsonl) -le 3 ]").expect(0);
}

/// The example site: names of its users and commenters must not occur in any format.
#[test]
fn no_format_names_anybody() {
    let dir = Workdir::new();
    let site = repository("examples/site");
    let pipe = format!(
        "cd {} && wp-index -q dump --scrape scrape --max-rejects 1 | wp-parse -q | wp-translations -q | wp-resolve -q",
        site.display()
    );
    dir.write("in", dir.sh(&pipe).expect(0).stdout);
    dir.write("key", KEY);
    dir.sh("chmod 600 key").expect(0);
    let names = dir
        .sh("jq -r 'select(.kind == \"user\" or .kind == \"comment\") | .name // .author_name // empty' in | sort -u")
        .stdout;
    assert!(names.lines().count() > 4, "{names}");
    let texts =
        dir.sh("jq -r '[.. | objects | .text, .title, .caption, .alt | strings] | join(\" \")' in").expect(0).stdout;
    let plain = dir.sh("wp-export -q -d plain in && cat plain/*.jsonl").expect(0).stdout;
    assert!(
        names.lines().all(|name| plain.contains(name)) && names.lines().any(|name| !texts.contains(name)),
        "{names}"
    );
    for format in
        ["jsonl", "wpextract", "documents", "markdown", "tei", "csv", "pairs", "graph", "bitextor:warc2text", "opus"]
    {
        dir.sh(&format!("wp-export -q --format {format} --pseudonyms key -d {format} in")).expect(0);
        let written = dir.sh(&format!("cat $(find {format} -type f ! -name '*.gz')")).expect(0).stdout;
        for name in names.lines().filter(|name| !texts.contains(*name)) {
            assert!(!written.contains(name), "{format}: {name}");
        }
    }
}
