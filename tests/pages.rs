//! Tests which page of a scrape shows which record, and under which URLs, on sites and mirrors that make this difficult.

use crate::index::{SITE, canonical, index_with, join, joined, page, post};
use crate::workdir::Workdir;
use serde_json::{Value, json};

const REDIRECT: &str = "<html><head><meta http-equiv=Refresh content='0; URL=GOAL'></head><body></body></html>";

fn redirect(goal: &str) -> String {
    REDIRECT.replace("GOAL", goal)
}

/// The lines of a page log as `file fate type:id why`.
fn log(run: &Workdir) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let record = &line["record"];
        let id = record["id"].as_i64().map_or(word(&record["link"]), |id| id.to_string());
        format!("{} {} {}:{id} {}", word(&line["file"]), word(&line["fate"]), word(&record["type"]), word(&line["why"]))
    };
    run.read("log").lines().map(line).collect()
}

/// The embed came first by path, and the article was dropped as its duplicate.
#[test]
fn of_several_pages_without_a_record_the_one_at_the_url_is_kept() {
    let own = page(&canonical(&format!("{SITE}/x/")), "single");
    let pages = ["x/embed", "x", "x/page/2"].map(|path| (format!("a.example/{path}/index.html"), own.clone()));
    let mut pages: Vec<(&str, String)> = pages.iter().map(|(file, page)| (file.as_str(), page.clone())).collect();
    let run = index_with("", &[], &pages);
    assert_eq!(joined(&run), ["html:https://a.example/x/ a.example/x/index.html -"]);
    let aliases = json!(["http://a.example/x/embed/", "http://a.example/x/page/2/"]);
    assert_eq!(run.records()[0]["aliases"], aliases);
    // Saved twice, with www. and without: a duplicate, which is counted.
    pages = vec![pages[1].clone(), ("www.a.example/x/index.html", own)];
    assert_eq!(join(&[], &pages), ["html:https://a.example/x/ a.example/x/index.html -"]);
}

#[test]
fn a_redirect_of_a_redirect_leads_to_the_record() {
    let pages = [
        ("a.example/a/index.html", redirect("../b/")),
        ("a.example/b/index.html", redirect("../c/index.html")),
        ("a.example/c/index.html", redirect("/x/")),
        ("a.example/x/index.html", page("", "single postid-1")),
        // The two redirect to each other.
        ("a.example/y/index.html", redirect("/z/")),
        ("a.example/z/index.html", redirect("/y/")),
    ];
    let aliases = ["a", "b", "c"].map(|path| format!("{SITE}/{path}/")).join(" ");
    assert_eq!(join(&[post(1, "/x/")], &pages), [format!("post:1 a.example/x/index.html {aliases}")]);
}

/// A page at the record's link that states another URL quotes that page; a page at another URL that states the link is a variant.
#[test]
fn a_query_that_selects_nothing_is_the_record_again() {
    let own = page(&canonical(&format!("{SITE}/x/")), "single postid-1");
    let pages = ["x/index.html", "x/index.html?foo=bar.html", "x/index.html?share=twitter.html", "About/X/index.html"];
    let pages = pages.map(|file| (format!("a.example/{file}"), own.clone()));
    let pages: Vec<(&str, String)> = pages.iter().map(|(file, page)| (file.as_str(), page.clone())).collect();
    let aliases = ["About/X/", "x/?foo=bar", "x/?share=twitter"].map(|path| format!("{SITE}/{path}")).join(" ");
    assert_eq!(join(&[post(1, "/x/")], &pages), [format!("post:1 a.example/x/index.html {aliases}")]);
    // A page with the same id in another language is a separate page.
    let french = own.replace("lang=en", "lang=fr");
    let seen = join(&[post(1, "/x/")], &[pages[0].clone(), ("a.example/fr/x/index.html", french)]);
    assert_eq!(seen[1], "post:1 a.example/fr/x/index.html");
}

#[test]
fn forms_and_error_pages_are_left_out_and_named() {
    let dir = Workdir::new();
    dir.write("scrape/a.example/wp-login.php?redirect_to=x.html", page("", "login wp-core-ui"));
    let missing = page("<meta name=robots content=noindex>", "").replace("<title>t", "<title>Page not found – A");
    dir.write("scrape/a.example/gone/index.html", missing);
    dir.write("scrape/a.example/x/index.html", page("", ""));
    dir.program("wp-index", "--scrape scrape --site a --page-log log --stats stats", "[]").expect(0);
    assert_eq!(
        log(&dir),
        [
            "a.example/gone/index.html left_out -:- errors",
            "a.example/wp-login.php?redirect_to=x.html left_out -:- errors",
            "a.example/x/index.html record html:http://a.example/x/ no_record",
        ]
    );
    assert!(dir.read("stats").contains("\"left_out_errors\":2"), "{}", dir.read("stats"));
}

/// An author whose slug the API does not reveal, and an article whose slug was changed after the scrape.
#[test]
fn an_id_that_pages_claim_under_one_url_only_joins() {
    let user =
        json!({"id": 3, "slug": "admin", "name": "Ann", "link": format!("{SITE}/author/admin/"), "avatar_urls": {}});
    let ann = page(&canonical(&format!("{SITE}/author/ann/")), "archive author author-3");
    let renamed = page(&canonical(&format!("{SITE}/former/")), "single postid-1");
    let pages = [("a.example/author/ann/index.html", ann), ("a.example/former/index.html", renamed.clone())];
    assert_eq!(
        join(&[user, post(1, "/renamed/")], &pages),
        [
            "user:3 a.example/author/ann/index.html https://a.example/author/ann/",
            "post:1 a.example/former/index.html https://a.example/former/"
        ]
    );
    // With two URLs, it would be a guess; the same in a language's directory, and at the link of another record.
    let other = page(&canonical(&format!("{SITE}/first/")), "single postid-1");
    let twice = [pages[1].clone(), ("a.example/first/index.html", other)];
    assert_eq!(join(&[post(1, "/renamed/")], &twice)[0], "post:1 -");
    let language = [("a.example/fr/former/index.html", page("", "single postid-1"))];
    assert_eq!(join(&[post(1, "/renamed/")], &language)[0], "post:1 -");
    assert_eq!(join(&[post(1, "/renamed/"), post(2, "/former/")], &pages[1..])[..2], ["post:1 -", "post:2 -"]);
}

/// Both blogs have a record with the id: the one for the page has another type.
#[test]
fn a_page_shows_no_record_of_another_type() {
    let page = page(&canonical(&format!("{SITE}/de/x/")), "single single-book postid-1");
    let found = join(&[post(1, "/y/")], &[("a.example/de/x/index.html", page)]);
    assert_eq!(found[1], "html:https://a.example/de/x/ a.example/de/x/index.html book:1");
}

/// wget saves a redirected page under the name that it requested, and -k changes the canonical URL to that name.
#[test]
fn a_page_saved_under_old_names_only_is_found_by_its_id() {
    let own = |stated: &str| page(&canonical(stated), "single postid-1");
    let shared = "index.html%3Fshare=x.html";
    let pages = [
        ("a.example/index.html?p=1.html", own(&format!("former/{shared}"))),
        ("a.example/former/index.html", own(shared)),
        ("a.example/former/index.html?share=x.html", own(shared)),
    ];
    let aliases = ["?p=1", "former/", "former/?share=x"].map(|path| format!("{SITE}/{path}")).join(" ");
    assert_eq!(join(&[post(1, "/renamed/")], &pages), [format!("post:1 a.example/former/index.html {aliases}")]);
    // There is no file at that name.
    let alone = "post:1 a.example/index.html?p=1.html https://a.example/?p=1";
    assert_eq!(join(&[post(1, "/renamed/")], &pages[..1])[0], alone);
}

#[test]
fn a_mirror_s_references_lead_to_its_files() {
    // HTTrack names the file of a query by a hash; the page itself states its URL.
    let stamp = "<!-- Mirrored from a.example/?p=1 by HTTrack -->";
    let by_hash = format!("{stamp}{}", page("", "single postid-1"));
    assert_eq!(
        join(&[post(1, "/x/")], &[("a.example/index7c4d.html", by_hash)]),
        ["post:1 a.example/index7c4d.html https://a.example/?p=1 https://a.example/index7c4d.html"]
    );
    // If two files have the same URL, the one in the folder is the page.
    let twice = ["a.example/x.html", "a.example/x/index.html"].map(|file| (file, page("", "single postid-1")));
    assert_eq!(join(&[post(1, "/x/")], &twice), ["post:1 a.example/x/index.html https://a.example/x.html"]);
}

/// n records and n pages with one id took n² comparisons; now pages at the records' links are found by these.
#[test]
fn a_crowd_of_records_and_pages_of_one_id_is_joined_by_urls() {
    let items: Vec<Value> = (0..150).map(|n| post(1, &format!("/x/{n}/"))).collect();
    let html = page("<link rel=shortlink href='/?p=1'>", "single").replace(" lang=en", "");
    let pages: Vec<(String, String)> =
        (0..150).map(|n| (format!("a.example/x/{n}/index.html"), html.clone())).collect();
    let pages: Vec<(&str, String)> = pages.iter().map(|(file, page)| (file.as_str(), page.clone())).collect();
    let run = index_with("", &items, &pages);
    for record in run.records() {
        let path = record["link"].as_str().unwrap().strip_prefix("https://").unwrap();
        assert_eq!(record["scrape"]["file"], json!(format!("{path}index.html")));
    }
}

/// The first item was in the directory of a language, which became part of all URLs.
#[test]
fn the_home_is_the_shortest_that_the_api_names() {
    let mut french = post(1, "/en/x/");
    french["_links"]["self"][0]["href"] = json!(format!("{SITE}/en/wp-json/wp/v2/posts/1"));
    let pages = [("about/index.html", page("", ""))];
    // A page without a host that belongs to no item may belong to any site.
    let run = index_with("--allow-empty", &[french, post(2, "/y/")], &pages);
    assert_eq!(joined(&run)[2..], ["html:https://a.example/about/ about/index.html -"]);
}

/// One redirect changed the canonical URL to the name of another file, and all hreflang links became relative to that.
#[test]
fn references_of_a_page_are_relative_to_its_own_place() {
    let alternate = |language: &str, href: &str| format!("<link rel=alternate hreflang={language} href={href}>");
    let head =
        [canonical("../../old/index.html"), alternate("en", "index.html"), alternate("fr", "../fr/x/index.html")];
    let dir = Workdir::new();
    dir.write("dump.json", json!([post(1, "/a/x/")]).to_string());
    dir.write("scrape/a.example/a/x/index.html", page(&head.concat(), "single postid-1"));
    let run = dir.sh("wp-index dump.json --scrape scrape | wp-parse | wp-translations").expect(0);
    let record = &run.records()[0];
    assert_eq!(record["scrape"]["url"], "https://a.example/a/x/");
    let list: Vec<&Value> = record["translations"].as_array().unwrap().iter().map(|t| &t["href"]).collect();
    assert_eq!(list, ["https://a.example/a/fr/x/index.html"]);
}

/// WPML's untranslated /en/ pages give the original as canonical: its language was used for them.
#[test]
fn a_canonical_is_not_the_page_where_that_is_at_its_own_link() {
    let alternate = |language: &str, path: &str| format!("<link rel=alternate hreflang={language} href={SITE}{path}>");
    let head = canonical(&format!("{SITE}/x/")) + &alternate("de", "/x/") + &alternate("fr", "/fr/x/");
    let dir = Workdir::new();
    dir.write("dump.json", json!([post(1, "/en/x/")]).to_string());
    dir.write("scrape/a.example/en/x/index.html", page(&head, "single postid-1"));
    let run = dir.sh("wp-index dump.json --scrape scrape | wp-parse | wp-translations").expect(0);
    let record = &run.records()[0];
    assert_eq!((&record["language"], &record["language_source"]), (&json!("en"), &json!("html")));
    let list: Vec<&Value> = record["translations"].as_array().unwrap().iter().map(|t| &t["language"]).collect();
    assert_eq!(list, ["de", "fr"]);
}

#[test]
fn every_page_is_in_the_log_and_wp_resolve_tells_what_was_left_out() {
    let dir = Workdir::new();
    let mut item = post(1, "/x/");
    item["content"] = json!({"rendered": "<a href=/gone/>b</a> <a href=/nowhere/>c</a>"});
    dir.write("dump.json", json!([item]).to_string());
    let own = page("", "single postid-1");
    let state = |path: &str| canonical(&format!("{SITE}{path}"));
    for (file, page) in [
        ("2020/index.html", page("", "archive date")),
        ("embed/index.html", page(&state("/z/"), "")),
        ("fr/x/index.html", own.replace("lang=en", "lang=fr")),
        ("gone/index.html", redirect("/elsewhere/")),
        ("x/embed/index.html", own.clone()),
        ("x/index.html", own),
        ("z/feed/index.html", page(&state("/z/"), "")),
        ("z/index.html", page("", "")),
    ] {
        dir.write(&format!("scrape/a.example/{file}"), page);
    }
    dir.write("scrape/www.a.example/z/index.html", page("", ""));
    dir.sh("wp-index dump.json --scrape scrape --page-log log -o index && wp-parse index -o records").expect(0);
    assert_eq!(
        log(&dir),
        [
            "a.example/x/embed/index.html alias post:1 variant",
            "a.example/x/index.html joined post:1 at_link",
            "a.example/2020/index.html left_out -:- archives",
            "a.example/embed/index.html record html:https://a.example/embed/ quotes",
            "a.example/fr/x/index.html record post:1 same_id",
            "a.example/gone/index.html left_out -:- redirects",
            "a.example/z/feed/index.html alias html:https://a.example/z/ variant",
            "a.example/z/index.html record html:https://a.example/z/ no_record",
            "www.a.example/z/index.html duplicate html:https://a.example/z/ same_url",
        ]
    );
    dir.sh("wp-resolve records --unresolved without -o /dev/null && wp-resolve records --unresolved with --page-log log -o /dev/null")
        .expect(0);
    let reasons = |file: &str| -> Vec<String> {
        let row = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        let rows = dir.read(file);
        rows.lines().map(row).map(|row| format!("{} {}", row["url"], row["reason"]).replace('"', "")).collect()
    };
    let url = |path: &str, reason: &str| format!("{SITE}{path} {reason}");
    assert_eq!(reasons("without"), [url("/gone/", "unknown"), url("/nowhere/", "unknown")]);
    assert_eq!(reasons("with"), [url("/gone/", "left_out"), url("/nowhere/", "unknown")]);
    dir.write("bad", "{\"fate\":\"joined\"}\nno\n");
    let run = dir.program("wp-resolve", "records --unresolved x --page-log bad", "").expect(2);
    assert!(run.stderr.starts_with("wp-resolve: bad: line 2: not a line of a page log: "), "{}", run.stderr);
}

/// One id in five languages, as with qTranslate and TranslatePress: untranslated pages show the original, with the typography of the
/// language, a translated cell or menu item, or a notice.
#[test]
fn copies_of_the_original_are_no_translations() {
    let words: Vec<String> = (0..40).map(|n| format!("word{n}")).collect();
    let table = "<table><tr><th>Port<th>Depth</tr><tr><td>Kiel<td>11 m</tr><tr><td>Brest<td>15 m</tr></table>";
    let original = format!("<p>\"It's {}\" - done...</p>{table}", words.join(" "));
    let french = original.replace('"', "\u{201c}").replace('\'', "\u{2019}").replace(" - ", " \u{2013} ");
    let near = |kept: usize| {
        let changed = |n: usize| if n < kept { words[n].clone() } else { format!("autre{n}") };
        format!("<p>It's {} - done</p>{table}", (0..40).map(changed).collect::<Vec<_>>().join(" "))
    };
    let notice =
        "<p class='qtranxs-available-languages-message'>Only in <a href=/x/>English</a>.</p><p>Nothing else</p>";
    let mut texts =
        vec![("fr", french.replace("Port", "Havre")), ("de", near(36)), ("es", near(34)), ("pl", notice.to_owned())];
    texts
        .push(("it", format!("<p>{}</p>{table}", (0..40).map(|n| format!("parola{n}")).collect::<Vec<_>>().join(" "))));
    let list: Vec<String> = [("en", "")]
        .iter()
        .map(|(tag, path)| (*tag, (*path).to_owned()))
        .chain(texts.iter().map(|(tag, _)| (*tag, format!("/{tag}"))))
        .map(|(tag, path)| format!("<link rel=alternate hreflang={tag} href={SITE}{path}/x/>"))
        .collect();
    let dir = Workdir::new();
    let shown = |path: &str, tag: &str, text: &str| {
        let html = page(&list.concat(), "single postid-1").replace("lang=en>", &format!("lang={tag}>"));
        dir.write(
            &format!("scrape/a.example{path}/x/index.html"),
            html.replace(">x</body>", &format!("><article><div class=entry-content>{text}</div></article></body>")),
        );
    };
    shown("", "en", &original);
    for (tag, text) in &texts {
        shown(&format!("/{tag}"), tag, text);
    }
    let mut item = post(1, "/x/");
    item["content"] = json!({"rendered": original});
    dir.write("dump.json", json!([item]).to_string());
    let run = dir.sh("wp-index dump.json --scrape scrape | wp-parse | wp-translations -o t && wp-resolve t -o r && wp-resolve r | cmp - r && cat r").expect(0);
    let records = run.records();
    let of = |tag: &str| records.iter().find(|r| r["link"].as_str().unwrap().contains(&format!("/{tag}/"))).unwrap();
    for tag in ["fr", "de", "es"] {
        let copy = of(tag);
        assert_eq!((&copy["language"], &copy["language_source"]), (&json!(tag), &json!("html")), "{tag}");
        let original = json!({"type": "post", "id": 1, "link": "https://a.example/x/"});
        assert_eq!((&copy["copy_source"], &copy["copy_of"]), (&json!("words"), &original), "{tag}");
        assert_eq!((&copy["translation_group"], &copy["translations"]), (&Value::Null, &json!([])), "{tag}");
        assert_eq!(copy["same"]["id"], 1);
    }
    assert_eq!((&of("pl")["language"], &of("pl")["translations"]), (&json!("pl"), &json!([])));
    assert_eq!((&of("pl")["copy_source"], &of("pl")["copy_of"]["type"]), (&json!("notice"), &Value::Null));
    let pairs = |record: &Value| {
        record["translations"].as_array().unwrap().iter().map(|t| t["href"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&records[0]), [json!("https://a.example/it/x/")]);
    assert_eq!(pairs(of("it")), [json!("https://a.example/x/")]);
    assert_eq!(of("it")["translation_group"], "post:https://a.example/it/x/");
}

/// A page that states its language, its own URL, and the URLs of the others.
fn in_language(tag: &str, canonical: &str, class: &str, all: &[(&str, &str)]) -> String {
    let all: String =
        all.iter().map(|(tag, path)| format!("<link rel=alternate hreflang={tag} href={SITE}{path}>")).collect();
    page(&format!("<link rel=canonical href={SITE}{canonical}>{all}"), class)
        .replace("lang=en>", &format!("lang={tag}>"))
}

/// The default language is also served in its directory. With or without ids, with or without a dump.
#[test]
fn a_page_and_its_twin_in_the_directory_of_its_language_are_one_record() {
    let all = [("ja", "/ja/x/"), ("en", "/en/x/"), ("x-default", "/x/")];
    for class in ["", "single postid-1"] {
        let pages = [
            ("a.example/x/index.html", in_language("ja", "/x/", class, &all)),
            ("a.example/ja/x/index.html", in_language("ja", "/x/", class, &all)),
            ("a.example/en/x/index.html", in_language("en", "/en/x/", class, &all)),
            // Not in the directory of its own language: a page that quotes the original.
            ("a.example/de/x/index.html", in_language("de", "/x/", "", &all)),
        ];
        for dump in [None, Some(json!([post(1, "/x/")]))] {
            let dir = Workdir::new();
            pages.iter().for_each(|(file, html)| _ = dir.write(&format!("scrape/{file}"), html));
            let input = if let Some(dump) = &dump {
                dir.write("dump", dump.to_string());
                "dump"
            } else {
                "--no-dump"
            };
            let run = dir
                .sh(&format!("wp-index {input} --scrape scrape | wp-parse | wp-translations | wp-resolve"))
                .expect(0);
            let records = run.records();
            assert_eq!(records.len(), 3, "{class} {input}");
            let first = records.iter().find(|record| record["link"] == format!("{SITE}/x/")).unwrap();
            assert!(first["aliases"][0].as_str().unwrap().ends_with("://a.example/ja/x/"));
            assert_eq!(first["language"], "ja");
            let english = records.iter().find(|record| record["language"] == "en").unwrap();
            assert_eq!(english["translation_group"], first["translation_group"], "{class} {input}");
        }
    }
    // Two items of a dump remain two records, each with its page.
    let pages = [
        ("a.example/x/index.html", in_language("ja", "/x/", "single postid-1", &all)),
        ("a.example/ja/x/index.html", in_language("ja", "/x/", "single postid-1", &all)),
    ];
    let run = index_with("", &[post(1, "/x/"), post(1, "/ja/x/")], &pages);
    assert_eq!(joined(&run), ["post:1 a.example/x/index.html", "post:1 a.example/ja/x/index.html"]);
}

/// If a site is saved with cookies, it redirects to the language of the last page: a page is saved at the URL of another language as
/// well.
#[test]
fn a_page_that_a_cookie_has_led_to_is_that_of_its_own_language() {
    let all = [("en", "/p/"), ("ar", "/ar/p/"), ("x-default", "/p/")];
    for class in ["", "single postid-1"] {
        let arabic = in_language("ar", "/ar/p/", class, &all);
        let dir = Workdir::new();
        dir.write("scrape/a.example/p/index.html", &arabic).write("scrape/a.example/ar/p/index.html", &arabic);
        dir.write("dump", json!([post(1, "/p/")]).to_string());
        let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
        let records = run.records();
        let [english, arabic] = &records[..] else { panic!("{}", run.stdout) };
        assert_eq!((&english["link"], &english["scrape"]["file"]), (&json!(format!("{SITE}/p/")), &Value::Null));
        assert_eq!((&arabic["link"], &arabic["aliases"]), (&json!(format!("{SITE}/ar/p/")), &json!([])));
        assert_eq!((&arabic["language"], &arabic["language_source"]), (&json!("ar"), &json!("html")));
        let group = json!(format!("{}:{SITE}/ar/p/", if class.is_empty() { "html" } else { "post" }));
        assert_eq!((&english["translation_group"], &arabic["translation_group"]), (&group, &group));
        // If no language has that URL, it belongs to the page itself: the record's page has two URLs.
        let twin = in_language("ar", "/ar/p/", class, &all[1..]);
        let pages = [("a.example/p/index.html", twin.clone()), ("a.example/ar/p/index.html", twin)];
        let run = index_with("", &[post(1, "/p/")], &pages);
        assert_eq!(joined(&run)[0].split(' ').nth(1), Some("a.example/p/index.html"));
        // Without a dump, the English text is missing.
        let run = dir.sh("wp-index --no-dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
        assert_eq!(run.records().len(), 1);
        assert_eq!(
            (&run.records()[0]["link"], &run.records()[0]["language"]),
            (&json!(format!("{SITE}/ar/p/")), &json!("ar"))
        );
    }
}

/// `wget -k` points canonical and shortlink to the file of `?p=1`, where it first met the post; a plugin also shows each post in
/// Swedish.
#[test]
fn what_a_mirror_made_of_canonical_brings_no_other_language_into_a_records_place() {
    let shown = |language: &str, up: &str| {
        let shortlink = format!("{up}index.html%3Fp=1.html");
        page(
            &format!("<link rel=canonical href='{shortlink}'><link rel=shortlink href='{shortlink}'>"),
            "single postid-1",
        )
        .replace("lang=en", &format!("lang={language}"))
    };
    let query = ("a.example/index.html?p=1.html", shown("fi", ""));
    let pages = [
        query.clone(),
        ("a.example/sv/x/index.html", shown("sv", "../../")),
        ("a.example/x/index.html", shown("fi", "../")),
    ];
    let swedish = "post:1 a.example/sv/x/index.html".to_owned();
    let at_query = format!("post:1 a.example/index.html?p=1.html {SITE}/?p=1");
    assert_eq!(join(&[post(1, "/x/")], &pages[..2]), [at_query, swedish.clone()]);
    let at_link = format!("post:1 a.example/x/index.html {SITE}/?p=1");
    assert_eq!(join(&[post(1, "/x/")], &pages), [at_link, swedish]);
    // Without a dump, the folder of a page determines its URL; of two folders, the one for its language.
    let twice = [
        query,
        ("a.example/fi/about/x/index.html", shown("fi", "../../../")),
        ("a.example/x/index.html", shown("fi", "../")),
        ("a.example/x/2/index.html", shown("fi", "../../")),
    ];
    let whole = ["html:http://a.example/fi/about/x/ a.example/fi/about/x/index.html -"];
    assert_eq!(join(&[], &twice), whole);
    let dir = Workdir::new();
    twice.iter().for_each(|(file, page)| _ = dir.write(&format!("scrape/{file}"), page));
    let read = dir.sh("wp-index --no-dump --scrape scrape").expect(0).records();
    assert_eq!(
        read[0]["scrape"]["next_pages"],
        json!([{"file": "a.example/x/2/index.html", "url": "http://a.example/x/2/"}])
    );
    // HTTrack numbers several files of one URL, and writes a redirect page if a slash is missing.
    let mirrored =
        |path: &str, rest: &str| format!("<!-- Mirrored from a.example{path} by HTTrack Website Copier/3.x -->{rest}");
    let numbered = mirrored("/x/", &page("<link rel=canonical href=index-2.html>", "single postid-1"));
    let moved = mirrored("//y/", &redirect("index.html"));
    assert_eq!(
        join(&[], &[("a.example/x/index.html", numbered), ("a.example/y/index.html", moved)]),
        ["html:http://a.example/x/ a.example/x/index.html -"]
    );
}

/// If the theme declares no language, or the same one for all pages, the title shows that a page is a translation; if a page names
/// another blog, it shows another record.
#[test]
fn pages_of_one_id_are_told_apart_by_their_titles() {
    let shown = |id: &str, head: &str, title: &str| {
        page(&format!("<link rel=canonical href='{id}'>{head}"), "single postid-1")
            .replace("<title>t<", &format!("<title>{title}<"))
    };
    let no_language = |html: String| html.replace("<html lang=en>", "<html>");
    let query = ("a.example/index.html?p=1.html", no_language(shown("index.html%3Fp=1.html", "", "Storm")));
    let own = ("a.example/x/index.html", no_language(shown("../index.html%3Fp=1.html", "", "Storm")));
    assert_eq!(join(&[], &[query, own]), ["html:http://a.example/x/ a.example/x/index.html -"]);
    let at_link = ("a.example/x/index.html", shown("index.html", "", "Storm"));
    let german = ("a.example/de/x/index.html", shown("../index.html%3Fp=1.html", "", "Sturm"));
    let of_blog = format!("<link rel='https://api.w.org/' href={SITE}/en/wp-json/>");
    let blog = ("a.example/en/y/index.html", shown("index.html", &of_blog, "Rope"));
    let records = join(&[post(1, "/x/")], &[at_link, german, blog]);
    let files: Vec<_> = records.iter().map(|record| record.split(' ').nth(1).unwrap()).collect();
    assert_eq!(files, ["a.example/x/index.html", "a.example/de/x/index.html", "a.example/en/y/index.html"]);
}

/// Permalinks without a trailing slash: references that the mirror rewrote are relative to the folder of the file, others to the link.
#[test]
fn the_references_of_a_mirror_lead_from_its_file() {
    for (canonical, url) in [("index.html", "https://a.example/y/z"), ("https://a.example/y/x", "https://a.example/z")]
    {
        let dir = Workdir::new();
        let words = "Words of the text, and some more of them. ".repeat(4);
        let html = page(&format!("<link rel=canonical href={canonical}>"), "single postid-1")
            .replace(">x<", &format!("><div class=entry-content><p>{words}<a href=../z>z</a></p></div><"));
        dir.write("scrape/a.example/y/x/index.html", html).write("dump", json!([post(1, "/y/x")]).to_string());
        let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-translations").expect(0);
        assert_eq!(run.records()[0]["links"][0]["url"], url, "{canonical}");
    }
}

/// Without a dump, only a feed has the posts of a blog in a folder of the site. A folder without a page with the id may be that of a
/// language: its posts then have their ids from the main blog.
#[test]
fn a_page_of_the_main_blog_is_none_of_the_post_with_its_id_in_another_blog() {
    let of = |home: &str, id: i64| {
        let route = format!("<link rel=alternate type=application/json href={SITE}{home}/wp-json/wp/v2/posts/{id}>");
        page(
            &format!("<link rel='https://api.w.org/' href={SITE}{home}/wp-json/>{route}"),
            &format!("single postid-{id}"),
        )
    };
    let item = |path: &str, id: i64| {
        format!("<item><title>t</title><link>{SITE}/de/{path}/</link><guid>{SITE}/de/?p={id}</guid></item>")
    };
    let items = item("b", 5) + &item("c", 6);
    let dir = Workdir::new();
    dir.write("scrape/a.example/a/index.html", of("", 5)).write("scrape/a.example/index.html?p=5.html", of("", 5));
    dir.write("scrape/a.example/de/b/index.html", of("/de", 5))
        .write("scrape/a.example/index.html?p=6.html", of("", 6));
    dir.write(
        "scrape/a.example/de/feed/index.html",
        format!("<?xml version='1.0'?><rss><channel><link>{SITE}/de</link>{items}</channel></rss>"),
    );
    let run = dir.sh("wp-index --no-dump --scrape scrape").expect(0);
    let aliases: Vec<(Value, Value)> =
        run.records().iter().map(|r| (r["link"].clone(), r["aliases"].clone())).collect();
    assert_eq!(aliases[0], (json!(format!("{SITE}/de/b/")), json!([])));
    assert_eq!(aliases[1], (json!(format!("{SITE}/de/c/")), json!(["http://a.example/?p=6"])));
    assert_eq!(aliases[2], (json!("http://a.example/a/"), json!(["http://a.example/?p=5"])));
}

/// A theme without a known place of content: the text of the sidebar is taken for the page's, and the notice is elsewhere. A notice in
/// the card of another post is about that post.
#[test]
fn a_notice_is_looked_for_in_the_page_outside_of_cards() {
    let prose =
        "The members of the club meet on every first Sunday of the month, in the house at the old harbour, and talk. "
            .repeat(5);
    let notice = "<p class='qtranxs-available-languages-message qtranxs-available-languages-message-de'>Nur auf <a href=/x/>English</a></p>";
    let list =
        format!("<link rel=alternate hreflang=en href={SITE}/x/><link rel=alternate hreflang=de href={SITE}/de/x/>");
    let shown = |body: &str| {
        let dir = Workdir::new();
        let html = page(&list, "single postid-1").replace("lang=en>", "lang=de>");
        let side = format!("<div class=club><p>{prose}</p></div>");
        let html = html.replace(">x</body>", &format!("><h1>Site</h1>{side}<div id=main>{body}</div></body>"));
        dir.write("scrape/a.example/de/x/index.html", html);
        dir.write("scrape/a.example/x/index.html", page(&list, "single postid-1"));
        let mut item = post(1, "/x/");
        item["content"] = json!({"rendered": "<p>What is written here in English words only.</p>"});
        dir.write("dump.json", json!([item]).to_string());
        let run = dir.sh("wp-index dump.json --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
        let german = run.records().into_iter().find(|record| record["source"]["via"] == "page").unwrap();
        assert_eq!(german["content_rule"], "scored");
        (german["copy_source"].clone(), german["translation_group"].clone())
    };
    let own = |inside: &str| {
        format!("<div class='post-1 post type-post hentry'><h2>T</h2><div class=entry>{inside}</div></div>")
    };
    assert_eq!(shown(&own(notice)), (json!("notice"), Value::Null));
    assert_eq!(shown(notice), (json!("notice"), Value::Null));
    let none = (Value::Null, json!("post:https://a.example/de/x/"));
    let card = format!("<article class='post-9 post hentry'><h2><a href=/y/>Other</a></h2>{notice}</article>");
    assert_eq!(shown(&(own("<p>Ein Satz.</p>") + &card)), none);
    assert_eq!(shown(&(own("<p>Ein Satz.</p>") + &card.replace("post-9 post ", ""))), none);
    assert_eq!(shown(&(own("<p>Ein Satz.</p>") + &format!("<div class=widget>{notice}</div>"))), none);
    assert_eq!(shown(&own("<p>Ein Satz mit <code>qtranxs-available-languages-message</code>.</p>")), none);
}

/// The content from the API is searched as well, with or without a page.
#[test]
fn a_notice_in_the_content_of_the_api() {
    let notice = "<p class=qtranxs-available-languages-message>Only in German.</p>";
    let mut items = [post(1, "/x/"), post(2, "/y/")];
    items[0]["content"] = json!({"rendered": format!("{notice}<p>Worte</p>")});
    items[1]["content"] = json!({"rendered": format!("<p>Words</p><article>{notice}</article>")});
    let dir = Workdir::new();
    dir.write("dump.json", json!(items).to_string());
    let run = dir.sh("wp-index dump.json | wp-parse | wp-resolve -o r && cat r").expect(0);
    let sources: Vec<Value> = run.records().iter().map(|record| record["copy_source"].clone()).collect();
    assert_eq!(sources, [json!("notice"), Value::Null]);
    // Copies are left out and counted, in files, in a stream and in documents.
    dir.sh("wp-export --without copies -d d --stats s r && jq -c '[.left_out[].records, .counts.copies_left_out]' d/manifest.json | grep -qx '\\[1,1\\]'")
        .expect(0);
    assert!(dir.read("s").contains("\"copies_left_out\":1"), "{}", dir.read("s"));
    assert_eq!(dir.read("d/posts.jsonl").lines().count(), 1);
    assert_eq!(
        dir.sh("wp-export --without copies --format documents r | jq -r .metadata.url").expect(0).stdout,
        format!("{SITE}/y/\n")
    );
    assert_eq!(dir.sh("wp-export --without copies r | wc -l").expect(0).stdout.trim(), "1");
    assert_eq!(dir.sh("wp-export r | wc -l").expect(0).stdout.trim(), "2");
}

/// The SEO plugin states the site's language, whatever the language of the post.
#[test]
fn a_language_is_not_believed_against_the_script_of_the_text() {
    let russian = "Широкая электрификация южных губерний даст мощный толчок подъёму сельского хозяйства";
    let mut item = post(1, "/x/");
    item["content"] = json!({"rendered": russian});
    item["yoast_head_json"] = json!({"schema": {"@graph": [{"@type": "WebPage", "inLanguage": "en-GB"}]}});
    let dir = Workdir::new();
    dir.write("dump.json", json!([item]).to_string());
    let run = dir.sh("wp-index dump.json | wp-parse | tee p | wp-translations --stats stats").expect(0);
    let parsed: Value = serde_json::from_str(&dir.read("p")).unwrap();
    assert_eq!((&parsed["language"], &parsed["language_source"]), (&json!("en-GB"), &json!("yoast")));
    assert_eq!((&run.records()[0]["language"], &run.records()[0]["language_source"]), (&Value::Null, &Value::Null));
    assert!(dir.read("stats").contains("\"languages_refused\":1"), "{}", dir.read("stats"));
    // The page's own statement is used, and counted.
    dir.write("scrape/a.example/x/index.html", page("", "single postid-1"));
    let run = dir.sh("wp-index dump.json --scrape scrape | wp-parse | wp-translations --stats stats").expect(0);
    assert_eq!(run.records()[0]["language"], "en");
    assert!(dir.read("stats").contains("\"language_of_other_script\":1"), "{}", dir.read("stats"));
}

/// WordPress redirects from there to the post with the id, whatever the path (redirect_canonical()).
#[test]
fn an_id_at_the_link_of_another_post_is_a_shortlink() {
    let mut item = post(1, "/x/");
    let hrefs = ["/y/?p=3", "/y/?page_id=3&utm_source=a", "/y/?p=4", "/nowhere/?p=3", "/y/?author=3"];
    let links: String = hrefs.iter().map(|href| format!("<a href='{href}'>l</a>")).collect();
    item["content"] = json!({ "rendered": links });
    let dump = json!([item, post(2, "/y/"), post(3, "/z/")]).to_string();
    let dir = Workdir::new();
    dir.write("dump.json", dump);
    let run = dir.sh("wp-index dump.json | wp-parse | wp-resolve").expect(0);
    let records = run.records();
    let found: Vec<String> =
        records[0]["links"].as_array().unwrap().iter().map(|l| format!("{}{}", l["target"]["id"], l["rule"])).collect();
    assert_eq!(found, ["3\"shortlink\"", "3\"shortlink\"", "nullnull", "nullnull", "nullnull"]);
}

/// Pages of one id in several languages: where one can be the original, the others are its copies, or translations that share names.
#[test]
fn pages_that_share_words_are_copies_of_the_original_alone() {
    const NAMES: &str = "Harbour Quay Lantern Rigging Oakum Bowsprit Halyard Windlass Capstan Keelson";
    let shown = |texts: &[(&str, &str, String)], dump: &str| {
        let dir = Workdir::new();
        let path = |folder: &str| format!("{folder}/x/");
        let list = texts
            .iter()
            .map(|(tag, folder, _)| format!("<link rel=alternate hreflang={tag} href={SITE}{}>", path(folder)));
        let list: String = list.collect();
        for (tag, folder, text) in texts {
            let own = canonical(&format!("{SITE}{}", path(folder))) + &list;
            let html = page(&own, "page page-id-1").replace("lang=en>", &format!("lang={tag}>"));
            let html = html.replace(">x</body>", &format!("><div class=entry-content><p>{text}</p></div></body>"));
            dir.write(&format!("s/a.example{}index.html", path(folder)), html);
        }
        dir.write("dump.json", dump);
        let run = dir.sh("wp-index dump.json --allow-empty --scrape s | wp-parse | wp-translations | wp-resolve");
        let mut told: Vec<(String, Value, usize)> = run
            .expect(0)
            .records()
            .iter()
            .map(|one| {
                let links = one["translations"].as_array().unwrap();
                let found = links.iter().filter(|one| one["target"]["link"].is_string()).count();
                (one["language"].as_str().unwrap().to_owned(), one["copy_source"].clone(), found)
            })
            .collect();
        told.sort_by(|a, b| a.0.cmp(&b.0));
        told
    };
    let is = |tag: &str, copy: Value, found| (tag.to_owned(), copy, found);
    // The other two share names with each other, not with the original.
    let texts = [
        ("en", "", "What the harbour says in English words alone, and in no other ones".to_owned()),
        ("ru", "/ru", format!("Порт {NAMES}")),
        ("uk", "/uk", format!("Гавань {NAMES}")),
    ];
    assert_eq!(shown(&texts, "[]"), ["en", "ru", "uk"].map(|tag| is(tag, Value::Null, 2)));
    // All languages have directories: the record of the dump is the original.
    let texts = [("en", "/en", format!("Port {NAMES}")), ("pt", "/pt", format!("Port {NAMES}"))];
    let mut item = post(1, "/en/x/");
    item["type"] = json!("page");
    item["content"] = json!({"rendered": format!("<p>Port {NAMES}</p>")});
    assert_eq!(shown(&texts, &json!([item]).to_string()), [is("en", Value::Null, 0), is("pt", json!("words"), 0)]);
}
