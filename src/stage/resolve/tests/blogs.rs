//! Tests that an id has a meaning only within one blog of a multisite.

use super::*;

/// A site of several blogs with the same ids. The first blog is in the folder of the site, the others are in folders below it.
struct Multisite {
    homes: Vec<&'static str>,
    records: Vec<Value>,
    /// Whether items link to their API. Without that, only their guid shows the home of their blog.
    has_roots: bool,
    state: u64,
}

impl Multisite {
    fn new(seed: u64) -> Self {
        let homes = ["", "/de", "/ja", "/de/lab"];
        let mut site = Multisite {
            homes: homes[..2 + seed as usize % 3].to_vec(),
            records: Vec::new(),
            has_roots: !seed.is_multiple_of(5),
            state: seed | 1,
        };
        for at in 0..site.homes.len() {
            site.add_blog(at);
        }
        // The records come in any order.
        for at in (1..site.records.len()).rev() {
            let other = site.below(at + 1);
            site.records.swap(at, other);
        }
        site
    }

    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.state >> 33) as usize % n
    }

    fn add(&mut self, record: Value, at: usize, path: &str, has_rest: bool) {
        let home = self.homes[at];
        let record = with(record, "link", json!(format!("https://e.org{home}{path}")));
        let rest = if has_rest && self.has_roots { json!(format!("https://e.org{home}/wp-json/")) } else { NONE };
        self.records.push(with(record, "source", json!({"rest": rest})));
    }

    fn add_blog(&mut self, at: usize) {
        let home = self.homes[at];
        for id in 1..12 {
            // The post with id 1 is in every blog and names the REST root, so that every blog is recognised.
            let (is_there, has_rest) = (self.below(2) == 0, self.below(4) > 0);
            if id > 1 && !is_there {
                continue;
            }
            let kind = if id == 1 { 0 } else { self.below(2) };
            let [page, file] = [format!("{home}/?p={id}"), format!("{home}/uploads/f{id}.png")];
            let record = match kind {
                0 => with(post(id, ""), "guid", json!(format!("https://e.org{page}"))),
                _ => with(other("media", "media", id, "", ""), "guid", json!(format!("https://e.org{file}"))),
            };
            let files = with(record, "source_url", json!(format!("https://e.org{file}")));
            self.add(files, at, &format!("/s{id}/"), id == 1 || has_rest);
        }
        for (kind, r#type, folder) in [("term", "category", "category"), ("user", "user", "author")] {
            for id in 1..6 {
                if self.below(2) == 0 {
                    let slug = format!("n{id}");
                    self.add(other(kind, r#type, id, "", &slug), at, &format!("/{folder}/{slug}/"), id % 2 == 0);
                }
            }
        }
    }

    /// URLs in each blog, each with the link of the record that WordPress would show there, if the blog has one.
    fn questions(&self) -> Vec<(String, Option<String>)> {
        let mut questions = Vec::new();
        for home in &self.homes {
            for id in 1..12 {
                for name in ["p", "page_id", "attachment_id", "cat", "author"] {
                    let kinds: &[&str] = match name {
                        "cat" => &["term"],
                        "author" => &["user"],
                        _ => &["post", "media"],
                    };
                    questions.push((format!("https://e.org{home}/?{name}={id}"), self.link(home, kinds, id)));
                }
                for (folder, kinds) in [("category", ["term"]), ("author", ["user"])] {
                    questions.push((format!("https://e.org{home}/{folder}/n{id}/"), self.link(home, &kinds, id)));
                }
                let query = format!("https://e.org{home}/?author_name=n{id}");
                questions.push((query, self.link(home, &["user"], id)));
            }
        }
        questions
    }

    /// The link of the record with this id in a blog.
    fn link(&self, home: &str, kinds: &[&str], id: i64) -> Option<String> {
        let is_of = |link: &str| {
            let path = &link["https://e.org".len()..];
            let longest =
                self.homes.iter().filter(|home| path.starts_with(&format!("{home}/"))).max_by_key(|h| h.len());
            longest == Some(&home)
        };
        let all = self.records.iter().filter(|r| kinds.contains(&r["kind"].as_str().unwrap()) && r["id"] == id);
        all.map(|record| record["link"].as_str().unwrap()).find(|link| is_of(link)).map(str::to_owned)
    }
}

/// `/?p=14` of the first blog led to record 14 of the second one, because the first had none.
#[test]
fn an_id_means_a_record_of_its_blog_or_none() {
    for seed in 0..60 {
        let site = Multisite::new(seed);
        let questions = site.questions();
        let asked = |url: &String| json!({"href": url, "url": url, "rel": NONE, "internal": NONE, "target": target(), "comment": NONE, "rule": NONE});
        let links: Vec<Value> = questions.iter().map(|(url, _)| asked(url)).collect();
        let at = site.records.iter().position(|record| record["kind"] == "post").unwrap();
        let mut records = site.records.clone();
        records[at]["links"] = json!(links);
        let out = resolve(&records);
        for (link, (url, expected)) in out[at]["links"].as_array().unwrap().iter().zip(&questions) {
            let found = link["target"]["link"].as_str();
            // If a name is ambiguous, it may resolve to no record; an id must resolve.
            let may_be_none = url.contains("author_name") && found.is_none();
            assert!(found == expected.as_deref() || may_be_none, "{seed}: {url} {expected:?}, not {link}");
        }
    }
}

#[test]
fn featured_images_and_terms_are_of_the_blog_of_their_post() {
    for seed in 0..20 {
        let site = Multisite::new(seed);
        let image = json!({"url": NONE, "target": target(), "rule": NONE});
        let with_ids = |record: &Value| {
            let terms: Vec<Value> = (1..6).map(|id| json!({"taxonomy": "category", "id": id, "link": NONE})).collect();
            let record = with(with(record.clone(), "featured_media", json!(seed % 10 + 2)), "terms", json!(terms));
            with(record, "featured_image", image.clone())
        };
        let records: Vec<Value> =
            site.records.iter().map(|r| if r["kind"] == "post" { with_ids(r) } else { r.clone() }).collect();
        for record in resolve(&records).iter().filter(|record| record["kind"] == "post") {
            let link = record["link"].as_str().unwrap();
            let path = &link["https://e.org".len()..];
            let homes = site.homes.iter().filter(|home| path.starts_with(&format!("{home}/")));
            let home = homes.max_by_key(|home| home.len()).unwrap();
            let found = record["featured_image"]["target"]["link"].as_str();
            let id = i64::try_from(seed % 10 + 2).unwrap();
            assert_eq!(found, site.link(home, &["media"], id).as_deref(), "{seed}: {link} {id}");
            for term in record["terms"].as_array().unwrap() {
                let own = site.link(home, &["term"], term["id"].as_i64().unwrap());
                assert_eq!(term["link"].as_str(), own.as_deref(), "{seed}: {link} {term}");
            }
        }
    }
}

/// A record of an API, with a guid.
fn of(id: i64, home: &str, path: &str, guid: &str) -> Value {
    let record = with(with(post(id, path), "guid", json!(guid)), "slug", json!(format!("slug-{id}")));
    with(record, "source", json!({"rest": format!("https://e.org{home}/wp-json/")}))
}

/// The results for a link that the first record has.
fn asked(mut records: Vec<Value>, url: &str) -> Vec<Value> {
    records[0]["links"] = json!([{"href": url, "url": url, "rel": NONE, "internal": NONE, "target": target(), "comment": NONE, "rule": NONE}]);
    // The order of the records must not matter.
    let turned: Vec<Value> = records.iter().rev().cloned().collect();
    let found = |out: Vec<Value>| out.iter().find_map(|r| Some(r["links"].get(0)?["target"]["link"].clone())).unwrap();
    [found(resolve(&records)), found(resolve(&turned))].to_vec()
}

/// With a plugin that translates on the fly, a post has one id in all languages, and each language has a REST root. A plugin that
/// translates all addresses changes the guid, too.
#[test]
fn roots_of_languages_are_one_blog() {
    for guid in ["https://e.org/?p=1", "https://e.org/es/?p=1"] {
        let one = of(1, "", "/x1/", "https://e.org/?p=1");
        let records = vec![one, of(1, "/es", "/es/x1/", guid), of(2, "/es", "/es/x2/", "https://e.org/?p=2")];
        assert_eq!(asked(records.clone(), "https://e.org/?p=2"), ["https://e.org/es/x2/"; 2]);
        let mut other = records;
        (other[1]["slug"], other[1]["guid"]) = (json!("other"), json!("https://e.org/es/?p=1"));
        assert_eq!(asked(other, "https://e.org/?p=2"), [NONE, NONE]);
    }
}

/// A site in two languages whose items, the German ones included, all name the REST root and the guids of the first language.
fn of_languages() -> Vec<Value> {
    let item = |id: i64, path: String, tag: &str| {
        with(of(id, "", &path, &format!("https://e.org/?p={id}")), "language", json!(tag))
    };
    let english = (1..30).map(|id| item(id, format!("/p{id}/"), "en"));
    english.chain((101..130).map(|id| item(id, format!("/de/p{id}/"), "de"))).collect()
}

#[test]
fn one_odd_record_or_page_does_not_divide_a_site() {
    let page = json!({"site": "s", "kind": "html", "type": "html", "id": NONE, "link": "https://e.org/de/old/", "language": "de",
        "same": {"type": NONE, "id": NONE}, "aliases": ["https://e.org/de/?p=113"], "source": {"rest": "https://e.org/de/wp-json/"},
        "translations": [translation("en", "https://e.org/p14/")]});
    let odd = of(14, "/de", "/de/odd/", "https://e.org/de/?page_id=14");
    let odd = with(with(odd, "slug", json!("odd")), "type", json!("page"));
    let elsewhere = with(of(12, "", "/twice/", "https://e.org/?p=1200"), "source", json!({"rest": NONE}));
    let at_cms = |mut records: Vec<Value>| {
        records.iter_mut().for_each(|record| record["source"]["rest"] = json!("https://cms.e.org/wp-json/"));
        records
    };
    let both = |mut records: Vec<Value>| {
        records[29..].iter_mut().for_each(|record| record["source"]["rest"] = json!("https://e.org/de/wp-json/"));
        records
    };
    let sites = [of_languages(), both(of_languages()), at_cms(of_languages())];
    let cases =
        [(0, &page), (0, &odd), (0, &elsewhere), (1, &page), (1, &odd), (1, &elsewhere), (2, &page), (2, &elsewhere)];
    for (site, odd) in cases.map(|(at, odd)| (&sites[at], odd)) {
        let records = [site.as_slice(), std::slice::from_ref(odd)].concat();
        for (url, link) in
            [("https://e.org/de/?p=112", "https://e.org/de/p112/"), ("https://e.org/?p=112", "https://e.org/de/p112/")]
        {
            assert_eq!(asked(records.clone(), url), [link; 2], "{url} {odd} {}", site[0]);
        }
    }
}

/// There is a dump of one blog; the scrape also has pages of another blog, to which hreflang led.
#[test]
fn pages_of_a_blog_without_a_dump_take_no_records_of_another() {
    let rest = |home: &str| json!({"rest": format!("https://e.org{home}/wp-json/")});
    let of_main = |id: i64, path: &str| with(post(id, path), "source", rest(""));
    let page = |id: i64, path: &str, english: &str| {
        let page = json!({"site": "s", "kind": "html", "type": "html", "id": NONE, "link": format!("https://e.org{path}"),
            "same": {"type": "post", "id": id}, "language": "de", "source": rest("/de"), "translations": [translation("en", english)]});
        with(page, "translation_group", NONE)
    };
    let asked = |url: &str| json!({"href": url, "url": url, "rel": NONE, "internal": NONE, "target": target(), "comment": NONE, "rule": NONE});
    let links =
        ["https://e.org/de/?p=12", "https://e.org/?p=12", "https://e.org/de/picture/", "https://e.org/de/?p=11"];
    let records = [
        with(of_main(11, "/a/"), "links", json!(links.map(asked))),
        of_main(12, "/b/"),
        with(of_main(13, "/picture/"), "kind", json!("media")),
        page(12, "/de/a/", "https://e.org/a/"),
        page(13, "/de/b/", "https://e.org/b/"),
    ];
    let out = resolve(&records);
    let found: Vec<&Value> = out[0]["links"].as_array().unwrap().iter().map(|link| &link["target"]["link"]).collect();
    assert_eq!(found, [&NONE, &json!("https://e.org/b/"), &NONE, &NONE]);
}

/// Posts with the same id in two blogs were compared as if one were the copy of the other, and their translations were dropped.
#[test]
fn posts_of_one_id_in_two_blogs_are_no_copies() {
    let words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
    let in_blog = |id: i64, tag: &str, others: [&str; 2]| {
        let record = of(id, &format!("/{tag}"), &format!("/{tag}/x{id}/"), &format!("https://e.org/{tag}/?p={id}"));
        let record = with(with(record, "language", json!(tag)), "slug", json!(format!("{tag}-{id}")));
        let said = others.map(|other| translation(other, &format!("https://e.org/{other}/x{id}/")));
        with(with(record, "translations", json!(said)), "content", json!({"hash": NONE, "text": words}))
    };
    let site: Vec<Value> = (1..4)
        .flat_map(|id| {
            [in_blog(id, "de", ["ja", "en"]), in_blog(id, "ja", ["de", "en"]), in_blog(id, "en", ["de", "ja"])]
        })
        .collect();
    for record in resolve(&site) {
        assert_eq!(record["copy_of"], target(), "{record}");
        assert!(record["translations"].as_array().unwrap().iter().all(|t| !t["target"]["id"].is_null()), "{record}");
    }
}

/// An image of a blog may lie in the folder of the first one.
#[test]
fn the_id_of_an_image_is_that_of_the_blog_that_shows_it() {
    let file = |home: &str| format!("https://e.org{home}/wp-content/uploads/sites/2/pic.png");
    let image = json!({"src": file(""), "url": file(""), "id": 3, "internal": NONE, "target": target(), "rule": NONE});
    let blog = |home: &str| {
        let picture = with(other("media", "media", 3, &format!("{home}/pic/"), "pic"), "source_url", json!(file(home)));
        let picture = with(picture, "source", json!({"rest": format!("https://e.org{home}/wp-json/")}));
        [
            with(picture, "guid", json!(file(home))),
            of(4, home, &format!("{home}/x4/"), &format!("https://e.org{home}/?p=4")),
        ]
    };
    let mut records = [blog(""), blog("/de")].concat();
    (records[0]["source_url"], records[0]["slug"], records[1]["slug"]) =
        (json!("https://e.org/other.png"), json!("o"), json!("p"));
    records[0]["guid"] = json!("https://e.org/other.png");
    records[3]["images"] = json!([image]);
    let found = &resolve(&records)[3]["images"][0];
    assert_eq!((&found["target"]["link"], &found["rule"]), (&json!("https://e.org/de/pic/"), &json!("media_id")));
}

/// Two groups were both `post:28`, and wp-align paired documents that have nothing to do with each other.
#[test]
fn a_group_is_named_after_a_link() {
    let record = |id: i64, path: &str, tag: &str, other: &str| {
        let record = with(post(id, path), "language", json!(tag));
        with(record, "translations", json!([translation(if tag == "en" { "de" } else { "en" }, other)]))
    };
    let out = resolve(&[
        record(31, "/a/", "en", "https://e.org/de/a/"),
        record(30, "/b/", "en", "https://e.org/ja/b/"),
        record(28, "/de/a/", "de", "https://e.org/a/"),
        record(28, "/ja/b/", "ja", "https://e.org/b/"),
    ]);
    let groups: Vec<&str> = out.iter().map(|record| record["translation_group"].as_str().unwrap()).collect();
    let [a, b] = ["post:https://e.org/a/", "post:https://e.org/b/"];
    assert_eq!(groups, [a, b, a, b]);
}

/// People on one page are distinguished by their ids.
#[test]
fn groups_at_one_link_have_names_of_their_own() {
    let person = |id: i64, path: &str, tag: &str, other: i64| {
        let said = json!({"language": if tag == "en" { "de" } else { "en" }, "href": NONE, "id": other, "type": "post", "source": "rest"});
        with(with(post(id, path), "language", json!(tag)), "translations", json!([said]))
    };
    let pair = |id: i64| [person(id, "/team/", "en", id + 100), person(id + 100, "/de/team/", "de", id)];
    let out = resolve(&[pair(1), pair(2)].concat());
    let groups: Vec<&str> = out.iter().map(|record| record["translation_group"].as_str().unwrap()).collect();
    let [one, two] = ["post:https://e.org/de/team/#101", "post:https://e.org/de/team/#102"];
    assert_eq!(groups, [one, one, two, two]);
}

/// A plugin's wrong hreflang led from a category to a post.
#[test]
fn a_term_is_no_translation_of_a_post() {
    let category = other("term", "category", 3, "/de/category/k/", "k");
    let category = with(category, "translations", json!([translation("en", "https://e.org/leave/")]));
    let category = with(with(category, "language", json!("de")), "translation_group", NONE);
    let records = [with(post(7, "/leave/"), "language", json!("en")), category];
    let (_, report) = run_input(&Options::default(), Input::from_bytes("-", lines(&records))).unwrap();
    assert_eq!(report.counted("translations_refused"), 1);
    let out = resolve(&records);
    assert_eq!((&out[0]["translation_group"], &out[1]["translation_group"]), (&NONE, &NONE));
    assert_eq!(out[0]["translations"], json!([]));
    assert_eq!(
        (&out[1]["translations"][0]["target"], &out[1]["translations"][0]["href"]),
        (&target(), &json!("https://e.org/leave/"))
    );
    // Nor does a page between them, which may show either, join them.
    let page = json!({"site": "s", "kind": "html", "type": "html", "id": NONE, "link": "https://e.org/fr/c/", "language": "fr",
        "translations": [translation("en", "https://e.org/leave/"), translation("de", "https://e.org/de/category/k/")]});
    let out = resolve(&[with(post(7, "/leave/"), "language", json!("en")), out[1].clone(), page]);
    assert_eq!([&out[0], &out[1]].iter().filter(|record| !record["translation_group"].is_null()).count(), 1);
}

/// A page that a mirror has kept of the site's former host named that host's API.
#[test]
fn one_stray_page_makes_no_host_of_the_site() {
    let item = |id: i64, path: &str, guid: &str| {
        with(with(post(id, path), "guid", json!(guid)), "source", json!({"rest": "https://e.org/wp-json/"}))
    };
    let stray = json!({"site": "s", "kind": "html", "type": "html", "id": NONE, "link": "https://old.example/news/",
        "source": {"rest": "https://old.example/wp-json/"}});
    let asked = json!({"href": "x", "url": "https://old.example/anchors", "rel": NONE, "internal": NONE, "target": target(), "comment": NONE, "rule": NONE});
    let records = [
        with(item(1, "/ropes/", "https://old.example/?p=1"), "links", json!([asked])),
        item(2, "/masts/", "https://old.example/?p=2"),
        item(3, "/anchors/", "https://e.org/?page_id=3"),
        stray,
    ];
    let bare: Vec<Value> =
        records.iter().take(3).map(|record| with(record.clone(), "source", json!({"rest": NONE}))).collect();
    for records in [&records[..], &[&bare[..], &records[3..]].concat()] {
        let link = &resolve(records)[0]["links"][0];
        assert_eq!((&link["target"]["id"], &link["rule"]), (&json!(3), &json!("former")));
    }
}

/// Two blogs on hosts of their own, whose items name no API.
#[test]
fn a_guid_states_the_host_of_a_blog() {
    let item = |host: &str, id: i64, path: &str| {
        let record = with(post(id, path), "link", json!(format!("https://{host}{path}")));
        with(record, "guid", json!(format!("https://{host}/?p={id}")))
    };
    let records =
        || vec![item("e.org", 1, "/a/"), item("e.org", 2, "/b/"), item("f.org", 1, "/c/"), item("f.org", 3, "/d/")];
    for (url, link) in [("https://f.org/?p=1", json!("https://f.org/c/")), ("https://f.org/?p=2", NONE)] {
        assert_eq!(asked(records(), url), [link.clone(), link], "{url}");
    }
}

/// Two blogs had a category of one name: then no query led to either.
#[test]
fn a_name_means_something_within_one_blog() {
    let blog = |home: &str, slug: &str| {
        let category = other("term", "category", 3, &format!("{home}/category/news/"), "news");
        let category = with(category, "source", json!({"rest": format!("https://e.org{home}/wp-json/")}));
        [with(of(4, home, &format!("{home}/x/"), &format!("https://e.org{home}/?p=4")), "slug", json!(slug)), category]
    };
    for home in ["", "/blog2"] {
        let url = format!("https://e.org{home}/?category_name=news");
        let link = format!("https://e.org{home}/category/news/");
        assert_eq!(asked([blog("", "a"), blog("/blog2", "b")].concat(), &url), [&*link; 2]);
    }
}

/// A shop that was added later has other ids than the blog. It is a blog of its own, because a single blog has REST roots below each other
/// only for its languages.
#[test]
fn a_folder_that_is_no_language_is_a_blog_of_its_own() {
    let item = |home: &str, id: i64| of(id, home, &format!("{home}/x{id}/"), &format!("https://e.org{home}/?p={id}"));
    let records = || vec![item("", 1), item("", 2), item("/shop", 11), item("/shop", 12)];
    for (url, link) in
        [("/?p=11", NONE), ("/?p=2", json!("https://e.org/x2/")), ("/shop/?p=11", json!("https://e.org/shop/x11/"))]
    {
        assert_eq!(asked(records(), &format!("https://e.org{url}")), [link.clone(), link], "{url}");
    }
}

/// A post that was copied from another blog shows a file of that blog, with the file's id there.
#[test]
fn the_id_of_an_image_is_not_that_of_a_file_of_another_blog() {
    let blog = |home: &str, folder: &str, slug: &str| {
        let file = format!("https://e.org{home}/wp-content/uploads/{folder}pic.png");
        let picture = with(other("media", "media", 3, &format!("{home}/{slug}/"), slug), "source_url", json!(file));
        let picture = with(picture, "source", json!({"rest": format!("https://e.org{home}/wp-json/")}));
        [with(picture, "guid", json!(file)), of(4, home, &format!("{home}/x4/"), &format!("https://e.org{home}/?p=4"))]
    };
    let mut records = [blog("", "", "pic"), blog("/de", "sites/2/", "bild")].concat();
    let file = "https://e.org/wp-content/uploads/sites/5/pic.png";
    records[3]["images"] =
        json!([{"src": file, "url": file, "id": 3, "internal": NONE, "target": target(), "rule": NONE}]);
    assert_eq!(resolve(&records)[3]["images"][0]["target"], target());
}

/// Pages to which hreflang led: they do not name an API, and are in a directory or on a host without a dump.
#[test]
fn pages_that_name_no_api_tell_their_blog_by_their_ids() {
    for other in ["https://e.org/de", "https://f.org"] {
        let page = |id: i64, english: i64| {
            json!({"site": "s", "kind": "html", "type": "html", "id": NONE, "link": format!("{other}/x{id}/"), "language": "de",
                "same": {"type": NONE, "id": NONE}, "aliases": [format!("{other}/?p={id}")], "source": {"rest": NONE},
                "translations": [translation("en", &format!("https://e.org/a{english}/"))], "translation_group": NONE})
        };
        let item = |id: i64, german: i64| {
            let record =
                with(of(id, "", &format!("/a{id}/"), &format!("https://e.org/?p={id}")), "language", json!("en"));
            with(record, "translations", json!([translation("de", &format!("{other}/x{german}/"))]))
        };
        let records = vec![item(1, 3), item(2, 1), item(3, 2), item(9, 0), page(1, 2), page(2, 3), page(3, 1)];
        for (url, link) in [
            (format!("{other}/?p=9"), NONE),
            (format!("{other}/?p=2"), json!(format!("{other}/x2/"))),
            ("https://e.org/?p=9".to_owned(), json!("https://e.org/a9/")),
        ] {
            assert_eq!(asked(records.clone(), &url), [link.clone(), link], "{url}");
        }
        // If only three of many pages contradict the records, they do not prove another blog.
        let many = records.into_iter().chain((100..170).map(|id| page(id, 1))).collect();
        assert_eq!(asked(many, &format!("{other}/?p=9")), ["https://e.org/a9/"; 2]);
    }
}

/// The language of a directory in one blog does not apply to a blog inside that directory. The language that most pages share yields to one
/// that another record states.
#[test]
fn a_stated_language_comes_before_that_of_most_pages() {
    let english = |id: i64, translations: Value| {
        let record = with(of(id, "", &format!("/a{id}/"), &format!("https://e.org/?p={id}")), "language", json!("en"));
        with(record, "translations", translations)
    };
    let german =
        |id: i64| with(of(id, "", &format!("/de/a{id}/"), &format!("https://e.org/?p={id}")), "language", json!("de"));
    let none = json!([]);
    let french = of(9, "", "/fr/a9/", "https://e.org/?p=9");
    let stated = json!([translation("fr", "https://e.org/fr/a9/")]);
    let out = resolve(&[english(1, stated), english(2, none), german(3), german(4), french]);
    assert_eq!((&out[4]["language"], &out[4]["language_source"]), (&json!("fr"), &json!("translation")));
    assert_eq!(out[4]["translation_group"], "post:https://e.org/a1/");
}
