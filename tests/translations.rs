//! Tests what wp-translations finds in a record's scraped page. Kinds of switchers have their own fixtures
//! (tests/data/switchers).

use crate::workdir::{Run, Workdir};
use serde_json::{Value, json};

/// A complete record as wp-parse writes it, with a page.
fn record(page: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut item = json!({"site": "a.example", "kind": "post", "type": "post", "id": 1, "link": "https://a.example/en/x/",
        "source": {"file": "p", "item": 1}, "scrape": {"root": "scrape", "file": page, "url": "https://a.example/en/x/"}, "aliases": [],
        "api": {"content": {"rendered": "<p>Text of the API.</p>"}, "title": {"rendered": "X"}}});
    change(&mut item);
    Workdir::new().program("wp-parse", "", item.to_string()).expect(0).stdout
}

fn run(html: &str, args: &str) -> Run {
    let dir = Workdir::new();
    dir.write("scrape/x.html", html);
    dir.program("wp-translations", args, record("x.html", |_| {})).expect(0)
}

fn languages(record: &Value) -> Vec<(String, String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or("-").to_owned();
    let list = record["translations"].as_array().unwrap().iter();
    list.map(|t| (text(&t["language"]), text(&t["href"]), text(&t["source"]))).collect()
}

const HREFLANG: &str = "<link rel=alternate hreflang=en href='https://a.example/en/x/'>
    <link rel='alternate' href='https://a.example/fr/x/' hreflang='fr'><link hreflang=x-default rel=alternate href='https://a.example/en/x/'>";
const SWITCHER: &str = "<ul><li class='lang-item lang-item-2 lang-item-en current-lang'><a lang=en-US hreflang=en-US href='https://a.example/en/x/'>en</a></li>
    <li class='lang-item lang-item-3 lang-item-de'><a lang=de-DE hreflang=de-DE href='https://a.example/de/x/'>de</a></li>
    <li class='lang-item lang-item-4 lang-item-it no-translation'><a lang=it-IT hreflang=it-IT href='https://a.example/it/'>it</a></li></ul>";

#[test]
fn the_head_comes_before_the_switcher_and_is_taken_whole() {
    let page = format!("<html lang=en-US><head>{HREFLANG}</head><body>{SWITCHER}");
    let record = &run(&page, "").records()[0];
    assert_eq!(languages(record), [("fr".into(), "https://a.example/fr/x/".into(), "hreflang".into())]);
    assert_eq!((&record["language"], &record["language_source"]), (&json!("en-US"), &json!("html")));
}

#[test]
fn the_switcher_answers_where_the_head_does_not() {
    let page =
        format!("<html><head><link rel=alternate hreflang=en href='https://a.example/en/x/'></head><body>{SWITCHER}");
    let record = &run(&page, "").records()[0];
    assert_eq!(languages(record), [("de-DE".into(), "https://a.example/de/x/".into(), "switcher".into())]);
    let page = format!("<html><head></head><body>{SWITCHER}");
    let record = &run(&page, "").records()[0];
    assert_eq!((&record["language"], &record["language_source"]), (&json!("en-US"), &json!("switcher")));
}

#[test]
fn sources_restricts_and_never_reorders() {
    let page = format!("<html lang=en-US><head>{HREFLANG}</head><body>{SWITCHER}");
    let record = &run(&page, "--sources switcher,hreflang").records()[0];
    assert_eq!((&languages(record)[0].2[..], &record["language_source"]), ("hreflang", &json!("hreflang")));
    let record = &run(&page, "--sources switcher").records()[0];
    assert_eq!((&languages(record)[0].2[..], &record["language_source"]), ("switcher", &json!("switcher")));
    let record = &run(&page, "--sources html").records()[0];
    assert_eq!((languages(record), &record["language_source"]), (vec![], &json!("html")));
    Workdir::new().program("wp-translations", "--sources everything", "").expect(2);
}

#[test]
fn the_self_hreflang_wins_over_html_lang_only_with_another_language() {
    let head = |lang: &str| format!("<html lang={lang}><head>{HREFLANG}</head>");
    assert_eq!(run(&head("en-GB"), "").records()[0]["language"], "en-GB");
    let run = run(&head("de-DE"), "");
    assert_eq!(
        (&run.records()[0]["language"], &run.records()[0]["language_source"]),
        (&json!("en"), &json!("hreflang"))
    );
}

#[test]
fn what_rest_states_wins_over_the_page() {
    let dir = Workdir::new();
    dir.write("scrape/x.html", format!("<html lang=en-US><head>{HREFLANG}</head>"));
    let line = record("x.html", |item| {
        item["api"]["lang"] = "es".into();
        item["api"]["translations"] = json!({"es": 1, "ca": 2});
    });
    let record = &dir.program("wp-translations", "", line).expect(0).records()[0];
    assert_eq!((&record["language"], &record["language_source"]), (&json!("es"), &json!("rest")));
    assert_eq!((languages(record).len(), &record["translations"][0]["id"]), (1, &json!(2)));
}

#[test]
fn a_hint_of_the_api_yields_to_the_page() {
    let dir = Workdir::new();
    dir.write("scrape/x.html", "<html lang=fr-FR><head></head>");
    let yoast =
        |item: &mut Value| item["api"]["yoast_head_json"] = json!({"schema": {"@graph": [{"inLanguage": "en-US"}]}});
    let with_page = &dir.program("wp-translations", "", record("x.html", yoast)).expect(0).records()[0];
    assert_eq!(with_page["language"], "fr-FR");
    dir.write("scrape/x.html", "<html><head></head>");
    let without = &dir.program("wp-translations", "", record("x.html", yoast)).expect(0).records()[0];
    assert_eq!((&without["language"], &without["language_source"]), (&json!("en-US"), &json!("yoast")));
}

#[test]
fn a_missing_page_is_a_defect_and_a_missing_root_is_an_error() {
    let dir = Workdir::new();
    dir.write("scrape/x.html", "");
    let run = dir.program("wp-translations", "--stats s", record("gone.html", |_| {})).expect(0);
    assert!(
        run.stderr.contains("scrape/gone.html") && dir.read("s").contains("\"page\":1"),
        "{} {}",
        run.stderr,
        dir.read("s")
    );
    let run = dir
        .program("wp-translations", "-o out", record("x.html", |item| item["scrape"]["root"] = "nowhere".into()))
        .expect(2);
    assert!(run.stderr.contains("nowhere") && !dir.path("out").exists(), "{}", run.stderr);
}

#[test]
fn nothing_outside_the_root_is_opened() {
    let dir = Workdir::new();
    dir.write("secret.html", "<html lang=fr><title>secret</title>").write("scrape/x.html", "<html lang=en>");
    for file in ["../secret.html", "/etc/passwd", "a/../../secret.html"] {
        let run = dir.program("wp-translations", "", record(file, |_| {})).expect(0);
        assert_eq!(run.records()[0]["language"], Value::Null, "{file}");
        assert!(!run.stderr.is_empty(), "{file}");
    }
    for root in ["..", "/", "scrape/.."] {
        let line = record("x.html", |item| item["scrape"]["root"] = root.into());
        let run = dir.program("wp-translations", "", line).expect(2);
        assert!(run.stderr.contains("--scrape-root"), "{root}: {}", run.stderr);
    }
    let line = record("x.html", |item| item["scrape"]["root"] = "/elsewhere".into());
    assert_eq!(dir.program("wp-translations", "--scrape-root scrape", line).expect(0).records()[0]["language"], "en");
}

#[test]
fn links_that_lead_out_of_the_scrape_are_not_followed() {
    let dir = Workdir::new();
    dir.write("secret/x.html", "<html lang=fr>").write("scrape/x.html", "<html lang=en>");
    for (to, link) in [
        ("../secret/x.html", "scrape/out.html"),
        ("../secret", "scrape/up"),
        ("x.html", "scrape/in.html"),
        ("scrape", "link"),
    ] {
        std::os::unix::fs::symlink(to, dir.path(link)).unwrap();
    }
    for args in ["--stats s", "--stats s --scrape-root scrape"] {
        for (file, language, defects) in
            [("out.html", Value::Null, 1), ("up/x.html", Value::Null, 1), ("in.html", json!("en"), 0)]
        {
            let run = dir.program("wp-translations", args, record(file, |_| {})).expect(0);
            assert_eq!(run.records()[0]["language"], language, "{file} {}", run.stderr);
            let stats: Value = serde_json::from_str(&dir.read("s")).unwrap();
            assert_eq!(stats["defects"]["page_outside"].as_u64().unwrap_or(0), defects, "{file}");
        }
    }
    // The user has named the root: the argument of wp-index may be a link.
    let through = |args: &str, root: &str| {
        let line = record("x.html", |item| item["scrape"]["root"] = root.into());
        dir.program("wp-translations", args, line).expect(0).records()[0]["language"].clone()
    };
    assert_eq!((through("", "link"), through("--scrape-root link", "/elsewhere")), (json!("en"), json!("en")));
}

/// A FIFO hung the run forever.
#[test]
fn a_pipe_or_a_device_in_the_scrape_is_a_defect() {
    let dir = Workdir::new();
    dir.write("scrape/x.html", "");
    dir.sh("mkfifo scrape/fifo; ln -s /dev/zero scrape/zero").expect(0);
    for file in ["fifo", "zero", "."] {
        let run = dir.program("wp-translations", "--scrape-root scrape", record(file, |_| {})).expect(0);
        assert_eq!((run.records().len(), run.stderr.lines().count()), (1, 1), "{file} {}", run.stderr);
    }
}

#[test]
fn one_record_with_a_bad_root_does_not_end_the_run() {
    let dir = Workdir::new();
    dir.write("scrape/x.html", "<html lang=en>");
    let good = record("x.html", |_| {});
    for root in ["nowhere", ""] {
        let bad = record("x.html", |item| item["scrape"]["root"] = root.into());
        let run = dir.program("wp-translations", "--stats s", good.clone() + &bad + &good).expect(0);
        let languages: Vec<Value> = run.records().iter().map(|record| record["language"].clone()).collect();
        assert_eq!(languages, [json!("en"), Value::Null, json!("en")], "{root}");
        assert!(run.stderr.contains("--scrape-root") && dir.read("s").contains("\"root\":1"), "{root}: {}", run.stderr);
    }
    // Places that only the user may name.
    for (root, word) in [("/", "/"), ("..", ".."), ("/no/o'clock dir", "'/no/o'\\''clock dir'")] {
        let bad = record("x.html", |item| item["scrape"]["root"] = root.into());
        let run = dir.program("wp-translations", "", good.clone() + &bad + &bad + &good).expect(2);
        let what = "the scrape lies outside of this directory, which no record may say by itself: add";
        assert_eq!(
            run.stderr,
            format!("wp-translations: -:2: {what} --scrape-root {word} (and one for each further scrape)\n")
        );
    }
    // Mistyped, but the directory exists.
    std::fs::create_dir(dir.path("other")).unwrap();
    for root in ["other", "nowhere"] {
        let run = dir.program("wp-translations", &format!("--scrape-root {root}"), good.clone()).expect(2);
        assert!(run.stderr.contains(&format!("no page was found below {root}")), "{}", run.stderr);
    }
}

#[test]
fn content_comes_from_the_page_where_the_api_has_none() {
    let dir = Workdir::new();
    let page = "<html lang=en><head><title>T - Site</title></head><body><header><nav>Menu</nav></header><main><article><h1 class=entry-title>T</h1>
        <div class=entry-content><p>From the <a href='/y/'>page</a>.</p><div class=sharedaddy>Share</div></div></article></main><footer>Foot</footer>";
    dir.write("scrape/x.html", page);
    let empty = |item: &mut Value| item["api"]["content"]["rendered"] = "\n".into();
    let run = |args: &str, line: String| dir.program("wp-translations", args, line).expect(0).records().remove(0);
    let filled = run("--stats s", record("x.html", empty));
    assert_eq!((&filled["content"]["text"], &filled["content_source"]), (&json!("From the page."), &json!("scrape")));
    assert!(filled["content_rule"].is_string() && filled["content_share"].as_f64().is_some_and(|share| share > 0.0));
    assert!(filled["content_doubt"].as_f64().is_some_and(|doubt| (0.0..=1.0).contains(&doubt)), "{filled}");
    assert_eq!(filled["links"][0]["url"], "https://a.example/y/");
    assert_eq!(filled["content"]["hash"].as_str().unwrap().len(), 32);
    assert!(dir.read("s").contains("\"content_from_page\":1"), "{}", dir.read("s"));
    let own = run("--content-selector footer", record("x.html", empty));
    assert_eq!((&own["content"]["text"], &own["content_doubt"]), (&json!("Foot"), &json!(null)));
    let stated = run("", record("x.html", |_| {}));
    assert_eq!((&stated["content"]["text"], &stated["content_doubt"]), (&json!("Text of the API."), &json!(null)));
    // A protected page shows a password form, which is not content.
    dir.write("scrape/x.html", "<html><body><main><article><div class=entry-content><form class=post-password-form><p>Password:</p></form></div></article></main>");
    assert_eq!(run("", record("x.html", empty))["content_source"], Value::Null);
    // The page for posts shows the content of others.
    let posts = "<html><body class='blog logged-in'><main><div class=entry-content><p>Of another.</p></div></main>";
    dir.write("scrape/x.html", posts);
    assert_eq!(run("", record("x.html", empty))["content_source"], Value::Null);
}

#[test]
fn an_html_record_gets_title_content_and_links_of_its_page() {
    let dir = Workdir::new();
    dir.write(
        "scrape/x.html",
        "<html lang=fr><head><title>Bonjour</title></head><body><main><p>Texte.</p><img src=/a.png></main>",
    );
    let line = record("x.html", |item| {
        item["kind"] = "html".into();
        item["type"] = "html".into();
        item["id"] = Value::Null;
        item["api"] = json!({"same": {"type": "post", "id": 1}});
    });
    let record = &dir.program("wp-translations", "", line).expect(0).records()[0];
    assert_eq!((&record["title"]["text"], &record["content"]["text"]), (&json!("Bonjour"), &json!("Texte.")));
    assert_eq!((&record["images"][0]["url"], &record["language"]), (&json!("https://a.example/a.png"), &json!("fr")));
}

/// The record of a page at this path that is missing from the API.
fn html_record(path: &str, page: &str) -> Value {
    let dir = Workdir::new();
    dir.write("scrape/x.html", page);
    let line = record("x.html", |item| {
        (item["kind"], item["type"], item["id"]) = ("html".into(), "html".into(), Value::Null);
        item["link"] = format!("https://a.example{path}").into();
        item["scrape"]["url"] = item["link"].clone();
        item["api"] = json!({});
    });
    dir.program("wp-translations", "", line).expect(0).records().remove(0)
}

const TEXT: &str =
    "<p>Of the harbour, the ships that lay in it, and the men who mended them all through that long winter.</p>";

#[test]
fn a_title_is_neither_the_site_s_nor_the_section_s() {
    let title = |head: &str, body: &str| {
        let page = format!("<head>{head}</head><body>{body}<div class=entry-content>{TEXT}</div>");
        let title = html_record("/news/a-boat/", &page)["title"].take();
        (title["html"].as_str().unwrap_or("-").to_owned(), title["text"].as_str().unwrap_or("-").to_owned())
    };
    let both = |html: &str, text: &str| (html.to_owned(), text.to_owned());
    let boat = both("A boat", "A boat");
    let name = "<link rel=alternate type=application/rss+xml title='My Site &raquo; Feed' href=/feed/>";
    // The name of the site: linked to its front page, stated by the page, or its host; and the heading of a section.
    assert_eq!(title("<title>A boat</title>", "<h1><a href=/>My Site</a></h1>"), boat);
    assert_eq!(title("<title>A boat</title>", "<h1><a href=/news/>News of boats</a></h1>"), boat);
    for head in [
        name,
        "<meta property=og:site_name content='My Site'>",
        "<script type=application/ld+json>{\"@type\": \"WebSite\", \"name\": \"My Site\"}</script>",
    ] {
        assert_eq!(title(&format!("{head}<title>A boat – My Site</title>"), "<h1>My Site</h1>"), boat, "{head}");
        assert_eq!(title(&format!("{head}<title>My Site » A boat</title>"), ""), boat, "{head}");
    }
    assert_eq!(title("<title>A boat | A.example</title>", "<h1>Opinion</h1>"), boat);
    // A post without a title.
    assert_eq!(title(&format!("{name}<title>| My Site</title>"), ""), both("-", "-"));
    // The same title on all pages; the URL contains neither the title nor the heading.
    assert_eq!(title("<title>All pages</title>", "<h1>A boat</h1>"), boat);
    assert_eq!(title("<title>Une barque</title>", "<h1>Ein Kahn</h1>").1, "Ein Kahn");
    // The heading that says the same as the head, with its markup.
    let second = "<h1>News</h1><article><h1>A <i>boat</i></h1></article>";
    assert_eq!(title("<meta property=og:title content='A boat'>", second), both("A <i>boat</i>", "A boat"));
    // Plugins translate only the heading. A kicker is not part of the title; a truncated title is not complete.
    assert_eq!(title("<title>A boat</title>", "<h1 class=entry-title>Ein Boot</h1>"), both("Ein Boot", "Ein Boot"));
    let kicker = "<h1 class=entry-title><span>News</span> A boat of wood</h1>";
    assert_eq!(title("<title>A boat of wood</title>", kicker).1, "A boat of wood");
    let bracket = "<h1 class=entry-title>A boat of wood (1884)</h1>";
    assert_eq!(title("<title>A boat of wood</title>", bracket).1, "A boat of wood (1884)");
    let cut = "<h1 class=entry-title>A boat of wood and iron</h1>";
    assert_eq!(title("<title>A boat of wood…</title>", cut).1, "A boat of wood and iron");
    // An author has written the article into its title.
    let long = format!("<h1 class=entry-title><div>A boat & more</div><div>{}</div></h1>", TEXT.repeat(20));
    assert_eq!(title("", &long), both("A boat &amp; more", "A boat & more"));
    assert_eq!(title("<title>A &lt;b> &amp; C</title>", ""), both("A &lt;b> &amp; C", "A <b> & C"));
}

/// Old pages without their site's name elsewhere, titled by their file names; a site with one title for all pages.
#[test]
fn the_name_of_the_site_is_what_most_titles_share() {
    let titles = |pages: &[(&str, &str, &str)]| {
        let dir = Workdir::new();
        for (file, title, heading) in pages {
            let html = format!(
                "<html><head><title>{title}</title></head><body><h1>{heading}</h1><div class=entry-content>{TEXT}</div>"
            );
            dir.write(&format!("scrape/a.example/{file}"), html);
        }
        let run = dir.sh("echo '[]' | wp-index --site a --scrape scrape - | wp-parse | wp-translations");
        let records = run.expect(0).records().into_iter();
        let both = |record: Value| {
            let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            (text(&record["title"]["text"]), text(&record["scrape"]["site_name"]))
        };
        records.map(both).collect::<Vec<_>>()
    };
    let named = |titles: &[&str], name: &str| -> Vec<_> {
        titles.iter().map(|title| (title.to_string(), name.to_owned())).collect()
    };
    let pages = [
        ("alxpr.html", "Alxpr- Old Boats", "A talk with Alex"),
        ("boatyards.html", "Boatyards- Old Boats", "Boat yards of the coast"),
        ("index.html", "Old Boats", "Old Boats"),
        ("landings.html", "Landings- Old Boats", "Boat landings"),
        ("moorings.html", "All moorings- Old Boats", "Where to stay"),
    ];
    let want = named(
        &["A talk with Alex", "Boat yards of the coast", "Old Boats", "Boat landings", "All moorings"],
        "Old Boats",
    );
    assert_eq!(titles(&pages), want);
    let same = ["about", "boats", "x"].map(|file| format!("{file}/index.html"));
    let same = same.each_ref().map(|file| (file.as_str(), "Boats | All of them", "Of boats"));
    let home = ("index.html", "Boats | All of them", "");
    let want = named(&["Of boats", "Of boats", "Boats | All of them", "Of boats"], "Boats | All of them");
    assert_eq!(titles(&[same[0], same[1], home, same[2]]), want);
}

/// A theme shows the dates of other posts and of comments in the same way as that of the post.
#[test]
fn dates_author_and_section_are_those_of_the_post_itself() {
    let time = |class: &str, date: &str| format!("<time class='{class}' datetime='{date}'>then</time>");
    let other =
        format!("<a rel=author href=/author/bo/>Bo</a>{}", time("entry-date published", "2020-01-01T00:00:00Z"));
    let [own, changed] = [("entry-date published", "2024-03-01T10:00:00+02:00"), ("updated", "2024-04-01T10:00:00Z")]
        .map(|(class, date)| time(class, date));
    let page = |head: &str, of_post: &str| {
        let article =
            format!("<article><h1>T</h1><div class=entry-content>{TEXT}</div><footer>{of_post}</footer></article>");
        let comment = format!("<ol class=comment-list><li class=comment>{other}</ol>");
        format!(
            "<head>{head}</head><body><aside>{other}</aside>{article}<article>{other}</article><div class=related>{other}</div>{comment}"
        )
    };
    let stated = |html: &str| {
        let record = html_record("/x/", html);
        ["date_gmt", "modified_gmt", "author_name", "section"].map(|key| record[key].as_str().unwrap_or("-").to_owned())
    };
    let ann = "<a href=/author/ann/ rel=author>Ann B.</a>";
    let want = ["2024-03-01T08:00:00Z", "2024-04-01T10:00:00Z", "Ann B.", "News"];
    assert_eq!(stated(&page("", &format!("{own}{changed}{ann}")))[..3], want[..3]);
    assert_eq!(stated(&page("", "")), ["-"; 4]);
    let meta =
        "<meta property=article:published_time content='2024-03-01T10:00:00+02:00'><meta name=author content='Ann B.'>
        <meta property=article:modified_time content='2024-04-01T10:00:00Z'><meta property=article:section content=News>";
    assert_eq!(stated(&page(meta, "")), want);
    let schema = r#"<script type=application/ld+json>{"@graph": [{"@type": "Article", "datePublished": "2024-03-01T08:00:00Z",
        "dateModified": "2024-04-01T10:00:00+00:00", "articleSection": ["News"], "author": {"@id": "a"}}, {"@type": "Person", "@id": "a", "name": "Ann B."}]}</script>"#;
    assert_eq!(stated(&page(schema, "")), want);
    // Without a time zone, the time is unknown; a list has no date.
    assert_eq!(stated(&page("<meta property=article:published_time content='2024-03-01T10:00:00'>", "")), ["-"; 4]);
    let list = format!(
        "<body class=archive><main>{}</main>",
        format!("<article><h2><a href=/y/>Y</a></h2>{other}{TEXT}</article>").repeat(3)
    );
    assert_eq!(stated(&list), ["-"; 4]);
}

/// Cards, widgets and lists have their own links to terms and their own pictures.
#[test]
fn terms_and_the_featured_image_are_those_of_the_post_itself() {
    let other = "<a rel=tag href=/tag/other/>Other</a><img class='wp-post-image' src=/o.jpg>";
    let classes = "post-7 type-post hentry category-news category-uncategorized tag-sea genre-rock";
    let links = "<a rel='category tag' href=/kategorie/harbour/news/>News &amp; more</a>
        <a rel=tag href=/tag/sea/>Sea</a><a rel=tag href=/musik/rock/>Rock</a><a rel=tag href=/x/boats/>Boats</a>
        <a rel=tag href='index.html%3Ftag=ferry.html'>Ferry</a><a rel=tag href=/tag/sea/>Sea</a>";
    let image =
        "<img class='attachment-large wp-post-image' data-src=/real.jpg src='data:image/gif;base64,R0lGODlhAQABAA'>";
    let page = format!(
        "<body class='single postid-7'><aside>{other}</aside>{image}<article id=post-7 class='{classes}'><h1>T</h1>{links}
         <div class=entry-content>{TEXT}</div></article><article class='post-8 type-post hentry tag-no'>{other}</article>
         <div class=related-posts>{other}</div>"
    );
    let record = html_record("/x/", &page);
    let term =
        |term: &Value| ["taxonomy", "slug", "name"].map(|key| term[key].as_str().unwrap_or("-").to_owned()).join(" ");
    let terms: Vec<String> = record["terms"].as_array().unwrap().iter().map(term).collect();
    assert_eq!(
        terms,
        [
            "category news News & more",
            "tag sea Sea",
            "genre rock Rock",
            "- boats Boats",
            "tag ferry Ferry",
            "category uncategorized -",
        ]
    );
    assert_eq!(record["terms"][0]["link"], "https://a.example/kategorie/harbour/news/");
    assert_eq!(record["featured_image"]["url"], "https://a.example/real.jpg");
    let list = format!(
        "<body class=archive><main>{}</main>",
        format!("<article><h2><a href=/y/>Y</a></h2>{other}{TEXT}</article>").repeat(3)
    );
    let record = html_record("/x/", &list);
    assert_eq!((&record["terms"], &record["featured_image"]["url"]), (&json!([]), &Value::Null));
}

/// Links outside of the post name the terms of its classes; if the page's address is unknown, relative links do.
#[test]
fn terms_have_the_names_that_any_link_of_the_page_gives_them() {
    let term = |term: &Value| {
        ["taxonomy", "slug", "name", "link"].map(|key| term[key].as_str().unwrap_or("-").to_owned()).join(" ")
    };
    let terms = |record: &Value| record["terms"].as_array().unwrap().iter().map(term).collect::<Vec<_>>();
    let article = |links: &str, classes: &str| {
        format!(
            "<article class='post-7 type-post hentry {classes}'><h1>T</h1><div class=entry-content>{TEXT}</div>{links}</article>"
        )
    };
    let page = |links: &str, classes: &str, above: &str| {
        html_record("/x/", &format!("<body class='single postid-7'>{above}{}", article(links, classes)))
    };
    // above the article; a menu may use another name
    let above = "<ul class=meta-single><li><a href=/category/harbour/news rel='category tag'>All the news</a></ul><nav><a href=/tag/sea/>At sea</a></nav>";
    let found = page("", "category-news tag-sea", above);
    assert_eq!(terms(&found), ["category news All the news https://a.example/category/harbour/news", "tag sea - -"]);
    let counted = "<div class=widget><a href=/tag/sea/ rel=tag>Sea (233 posts)</a></div>";
    assert_eq!(terms(&page("", "tag-sea", counted)), ["tag sea - https://a.example/tag/sea/"]);
    // a category and a tag of one name
    let both = "<a rel='category tag' href=/category/c/>C</a> <a rel=tag href=/tag/c/>C</a>";
    let want = ["category c C https://a.example/category/c/", "tag c C https://a.example/tag/c/"];
    assert_eq!(terms(&page(both, "category-c tag-c", "")), want);
    let aside = "<aside class=entry-taxonomy><a rel='category tag' href=/category/news/>News</a></aside>";
    assert_eq!(terms(&page(aside, "category-news", "")), ["category news News https://a.example/category/news/"]);
    let dir = Workdir::new();
    dir.write(
        "scrape/p/x/index.html",
        format!(
            "<meta name=generator content='WordPress 6.5'><body class='single postid-7'>{}",
            article("<a rel='category tag' href=./../../category/news/index.html>News</a>", "category-news")
        ),
    );
    let run = dir.sh("wp-index -q --no-dump --site x --scrape scrape | wp-parse | wp-translations").expect(0);
    assert_eq!(terms(&run.records()[0]), ["category news News http://site.invalid/category/news/"]);
}

#[test]
fn a_password_form_of_another_post_does_not_empty_the_page() {
    let form = "<form class=post-password-form>Password</form>";
    for card in [format!("<article class=card>{form}</article>"), format!("<div class=related-posts>{form}</div>")] {
        let page = format!("<body><article><h1>T</h1><div class=entry-content>{TEXT}</div></article>{card}");
        assert!(html_record("/x/", &page)["content"]["text"].is_string(), "{card}");
    }
    let page = format!(
        "<head><title>T – A</title></head><body><article><h1>Protected: T</h1><div class=entry-content>{form}</div></article>"
    );
    let protected = html_record("/x/", &page);
    assert_eq!((&protected["content"]["text"], &protected["title"]["text"]), (&Value::Null, &json!("T – A")));
}

#[test]
fn a_users_own_switcher_needs_no_rust() {
    let dir = Workdir::new();
    dir.write("scrape/x.html", "<html><body><div class=langs><b data-l=en>en</b><a data-l=nl href=/nl/x/>nl</a></div>");
    let missing = dir.program("wp-translations", "--switchers none.toml", record("x.html", |_| {})).expect(2);
    assert!(missing.stderr.contains("none.toml"), "{}", missing.stderr);
    dir.write("bad.toml", "[mine]\nroot = \"div:hover(\"\n");
    let bad = dir.program("wp-translations", "--switchers bad.toml", record("x.html", |_| {})).expect(2);
    assert!(bad.stderr.contains("bad.toml"), "{}", bad.stderr);
}

/// If the API does not list users, the head of a post's page may name its author.
#[test]
fn the_head_of_a_page_names_the_author_whom_the_api_does_not() {
    let dir = Workdir::new();
    let schema = r#"<script type="application/ld+json">{"@graph":[{"@type":"Article","datePublished":"2026-01-01","author":{"@id":"a"}},{"@type":"Person","@id":"a","name":"Ann Bee"}]}</script>"#;
    for (head, embedded, want) in [
        ("<meta property=article:author content='Bo Cee'>", json!({}), json!(["Bo Cee", "page"])),
        ("<meta property=article:author content='https://facebook.com/bo'>", json!({}), json!([null, null])),
        (schema, json!({}), json!(["Ann Bee", "page"])),
        (schema, json!({"author": [{"id": 3, "name": "Dee"}]}), json!(["Dee", "embedded"])),
        ("<meta name=author content='a.example'>", json!({}), json!([null, null])),
    ] {
        let text = "This and that of the quay, and of its boats, and who may land there. ".repeat(4);
        let page = format!(
            "<!DOCTYPE html><html lang=en><head><link rel=canonical href='https://a.example/x/'>{head}</head><body class='single postid-1'><p>{text}</body></html>"
        );
        dir.write("s/a.example/x/index.html", page);
        let item = json!([{"id": 1, "type": "post", "link": "https://a.example/x/", "author": 3, "slug": "x", "title": {"rendered": "T"}, "content": {"rendered": "<p>y</p>"}, "_embedded": embedded}]);
        dir.write("d.json", item.to_string());
        let run = dir.sh("wp-index d.json --scrape s | wp-parse | wp-translations").expect(0);
        let record = &run.records()[0];
        assert_eq!(json!([record["author_name"], record["authors"][0]["source"]]), want, "{head}");
        assert_eq!(record["content"]["text"], "y");
    }
}
