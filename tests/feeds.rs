//! Tests feeds in scrapes, in archives and as a dump: their entries become records or complete others, and are counted.

use crate::archives::{TIME, response};
use crate::exports;
use crate::index::{SITE, canonical, page, post};
use crate::workdir::{Run, Workdir};
use serde_json::{Value, json};

/// An entry of a feed.
#[derive(Clone)]
pub(super) struct Entry {
    link: String,
    guid: String,
    title: String,
    content: String,
    excerpt: String,
}

pub(super) fn entry(path: &str) -> Entry {
    Entry {
        link: format!("{SITE}{path}"),
        guid: format!("{SITE}{path}"),
        title: format!("Title of {path}"),
        content: format!("<p>All of the text of {path}, from the first word to the last.</p>\n"),
        excerpt: format!("All of the text of {path}, from the first [&#8230;]"),
    }
}

impl Entry {
    fn guid(self, guid: &str) -> Self {
        Entry { guid: guid.to_owned(), ..self }
    }

    fn content(self, content: &str) -> Self {
        Entry { content: content.to_owned(), ..self }
    }

    fn rss(&self, more: &str) -> String {
        let Entry { link, guid, title, content, excerpt } = self;
        format!(
            "<item>\n\t\t<title>{title}</title>\n\t\t<link>{link}</link>\n\t\t<dc:creator><![CDATA[Ann Quay]]></dc:creator>\n\
             <pubDate>Tue, 05 May 2026 12:00:00 +0200</pubDate>\n<category><![CDATA[News & Views]]></category>\n\
             <guid isPermaLink=\"false\">{guid}</guid>\n<description><![CDATA[{excerpt}]]></description>\n\
             <content:encoded><![CDATA[{content}]]></content:encoded>\n{more}\n</item>\n"
        )
    }

    fn atom(&self, modified: &str) -> String {
        let Entry { link, guid, title, content, excerpt } = self;
        format!(
            "<entry>\n<author><name>Ann Quay</name></author>\n<title type=\"html\"><![CDATA[{title}]]></title>\n\
             <link rel=\"alternate\" type=\"text/html\" href=\"{link}\" />\n<id>{guid}</id>\n<updated>{modified}</updated>\n\
             <published>2026-05-05T10:00:00Z</published>\n<category scheme=\"{SITE}\" term=\"News &amp; Views\" />\n\
             <summary type=\"html\"><![CDATA[{excerpt}]]></summary>\n\
             <content type=\"html\" xml:base=\"{link}\"><![CDATA[{content}]]></content>\n</entry>\n"
        )
    }

    fn rdf(&self) -> String {
        let Entry { link, title, content, excerpt, .. } = self;
        format!(
            "<item rdf:about=\"{link}\">\n<title>{title}</title>\n<link>{link}</link>\n<dc:creator><![CDATA[Ann Quay]]></dc:creator>\n\
             <dc:date>2026-05-05T10:00:00Z</dc:date>\n<dc:subject><![CDATA[News & Views]]></dc:subject>\n\
             <description><![CDATA[{excerpt}]]></description>\n<content:encoded><![CDATA[{content}]]></content:encoded>\n</item>\n"
        )
    }
}

/// A comment with this number on the post at a path.
fn comment(path: &str, number: u32) -> String {
    format!(
        "<item>\n<title>By: Bo</title>\n<link>{SITE}{path}#comment-{number}</link>\n<dc:creator><![CDATA[Bo]]></dc:creator>\n\
         <pubDate>Wed, 06 May 2026 10:00:00 +0000</pubDate>\n<guid isPermaLink=\"false\">{SITE}/?p=1#comment-{number}</guid>\n\
         <description><![CDATA[Well said.]]></description>\n<content:encoded><![CDATA[<p>Well said.</p>\n]]></content:encoded>\n</item>\n"
    )
}

fn rss(items: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"\n\txmlns:content=\"http://purl.org/rss/1.0/modules/content/\"\n\
         \txmlns:dc=\"http://purl.org/dc/elements/1.1/\"\n\t>\n<channel>\n\t<title>Quay</title>\n\t<link>{SITE}</link>\n{items}</channel>\n</rss>\n"
    )
}

fn atom(entries: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed\n\txmlns=\"http://www.w3.org/2005/Atom\">\n<title>Quay</title>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{SITE}\" />\n{entries}</feed>\n"
    )
}

fn rdf(items: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rdf:RDF\n\txmlns=\"http://purl.org/rss/1.0/\">\n<channel rdf:about=\"{SITE}\">\n\
         <link>{SITE}</link>\n</channel>\n{items}</rdf:RDF>\n"
    )
}

/// The page of a post, with its text.
fn page_of(path: &str, class: &str) -> String {
    let text = "The page says this and that of the quay, and of its boats, and who may land there. ".repeat(4);
    let content = format!("<article><div class=entry-content><p>{text}</p></div></article>");
    page(&canonical(&format!("{SITE}{path}")), class).replace(">x</body>", &format!(">{content}</body>"))
}

/// Runs wp-index and checks that the counts add up.
#[track_caller]
fn index(dir: &Workdir, args: &str) -> (Run, Value) {
    let run = dir.program("wp-index", &format!("{args} --stats stats"), "");
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    let sum = |names: &[&str]| names.iter().map(|name| stats[name].as_i64().unwrap_or(0)).sum::<i64>();
    let out = ["records_out", "rejects", "duplicates", "aliases", "left_out", "joined", "merged"];
    assert_eq!(sum(&["items", "pages"]), sum(&out), "{stats}");
    (run, stats)
}

/// Each record as its kind, type, id, link without the site, source, and page.
fn told(run: &Run) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or("-").replace(SITE, "");
    let one = |record: &Value| {
        let [kind, link, via] = [&record["kind"], &record["link"], &record["source"]["via"]].map(word);
        format!("{kind} {}:{} {link} {via} {}", word(&record["type"]), record["id"], word(&record["scrape"]["file"]))
    };
    run.records().iter().map(one).collect()
}

fn records(dir: &Workdir, args: &str) -> Vec<Value> {
    dir.sh(&format!("wp-index {args} | wp-parse | wp-translations | wp-resolve")).expect(0).records()
}

#[test]
fn an_entry_is_a_post_with_its_page_and_what_the_feed_states() {
    let dir = Workdir::new();
    dir.write("s/a.example/x/index.html", page_of("/x/", "single single-post postid-7"));
    dir.write("s/a.example/y/index.html", page_of("/y/", "page page-id-8"));
    dir.write(
        "s/a.example/feed/index.html",
        rss(&(entry("/x/").rss("") + &entry("/boat/").guid(&format!("{SITE}/?post_type=boat&p=9")).rss(""))),
    );
    dir.write("s/a.example/comments/feed", rss(&comment("/x/", 5)));
    let (run, stats) = index(&dir, "--no-dump --scrape s");
    assert_eq!(
        told(&run),
        [
            "post boat:9 /boat/ feed -",
            "post post:7 /x/ feed a.example/x/index.html",
            "comment comment:5 /x/#comment-5 feed -",
            "post page:8 /y/ page a.example/y/index.html",
        ]
    );
    assert_eq!((&stats["feeds"], &stats["items"]), (&json!(2), &json!(3)));
    let all = records(&dir, "--no-dump --scrape s");
    let post = &all[1];
    assert_eq!(post["content"]["text"], "All of the text of /x/, from the first word to the last.");
    assert_eq!(post["content_source"], "feed");
    assert_eq!((&post["author_name"], &post["date_gmt"]), (&json!("Ann Quay"), &json!("2026-05-05T10:00:00Z")));
    assert_eq!((&post["language"], &post["title"]["text"]), (&json!("en"), &json!("Title of /x/")));
    assert_eq!(post["terms"][0]["name"], "News & Views");
    assert_eq!((&all[2]["post"], &all[2]["author_name"]), (&json!(7), &json!("Bo")));
    assert_eq!(all[3]["content_source"], "scrape");
}

/// The e-mail address that a site shows in place of a name was the author of its posts.
#[test]
fn an_author_is_no_address() {
    let dir = Workdir::new();
    let of = |entry: String, author: &str| entry.replace("Ann Quay", author).replace("[Bo]", &format!("[{author}]"));
    let [mail, hidden, url] = ["ann@mail.example", "Ann &lt;ann&#64;mail.example&gt;", "https://a.example/author/ann/"];
    let posts = [of(entry("/x/").rss(""), mail), of(entry("/y/").rss(""), hidden), of(entry("/z/").rss(""), url)];
    dir.write("feed.xml", rss(&[&posts.concat(), &*of(comment("/x/", 5), mail), &entry("/name/").rss("")].concat()));
    dir.write("atom.xml", atom(&of(entry("/atom/").atom("2026-05-05T10:00:00Z"), mail)));
    let names: Vec<_> = records(&dir, "feed.xml atom.xml").iter().map(|record| record["author_name"].clone()).collect();
    let named = names.iter().filter(|name| !name.is_null()).count();
    assert_eq!((names.len(), named), (6, 1), "{names:?}");
}

/// Posts and terms have separate ids. A page that shows a tag names it as the API does, even if the dump has no such record.
#[test]
fn the_page_of_a_term_is_none_of_the_post_with_its_id() {
    let dir = Workdir::new();
    dir.write("s/a.example/x/index.html", page_of("/x/", "single single-post postid-7"));
    for (base, class) in [("tags", "archive tag tag-7"), ("genres", "archive tax-genre term-7")] {
        let head = format!("<link rel=alternate type=application/json href='../../wp-json/wp/v2/{base}/7'>");
        dir.write(&format!("s/a.example/{base}/y/index.html"), page(&head, class));
    }
    let book = entry("/b/").guid(&format!("{SITE}/?post_type=book&p=8"));
    dir.write(
        "s/a.example/g/index.html",
        page(
            &format!("<link rel=alternate type=application/json href='{SITE}/wp-json/wp/v2/genres/8'>"),
            "archive tax-genre term-8",
        ),
    );
    dir.write("s/a.example/b/index.html", page_of("/b/", "single single-book postid-8"));
    dir.write("s/a.example/feed/index.html", rss(&(entry("/x/").rss("") + &book.rss(""))));
    let all = records(&dir, "--no-dump --scrape s");
    let aliases: Vec<_> = all.iter().map(|record| (&record["link"], &record["aliases"])).collect();
    assert_eq!(aliases, [(&json!(format!("{SITE}/b/")), &json!([])), (&json!(format!("{SITE}/x/")), &json!([]))]);
}

#[test]
fn the_three_formats_say_the_same() {
    let posts = [
        Entry { title: "Tea &#038; &lt;b&gt; &#8220;jam&#8221;".into(), ..entry("/x/") },
        entry("/y/").guid(&format!("{SITE}/?p=2")),
    ];
    let said = |feed: String| {
        let dir = Workdir::new();
        dir.write("s/a.example/f", feed);
        let mut all = records(&dir, "--no-dump --scrape s");
        for record in &mut all {
            (record["source"], record["guid"], record["modified_gmt"], record["id"]) = Default::default();
            record["title"]["html"] = Value::Null;
        }
        all
    };
    let of = |one: &dyn Fn(&Entry) -> String| posts.iter().map(one).collect::<String>();
    let first = said(rss(&of(&|post| post.rss(""))));
    assert_eq!(first[0]["title"]["text"], "Tea & <b> “jam”");
    assert_eq!(first, said(atom(&of(&|post| post.atom("2026-05-05T10:00:00Z")))));
    assert_eq!(first, said(rdf(&of(&Entry::rdf))));
}

/// Names are identified by their namespaces, whatever the prefixes; XHTML is markup.
#[test]
fn prefixes_may_have_any_name_and_xhtml_is_content() {
    let said = |feed: String| {
        let dir = Workdir::new();
        dir.write("s/a.example/f", feed);
        let mut all = records(&dir, "--no-dump --scrape s");
        all.iter_mut().for_each(|record| record["content"]["html"] = Value::Null);
        all
    };
    let post = Entry { content: "<p>One &amp; two<br/>three.</p><p><b>Four</b></p>".into(), ..entry("/x/") };
    let plain = said(atom(&post.atom("2026-05-05T10:00:00Z")));
    assert_eq!(plain[0]["content"]["text"], "One & two\nthree.\nFour");
    let div = format!("<div xmlns=\"http://www.w3.org/1999/xhtml\">{}</div>", post.content);
    let cdata = format!("type=\"html\" xml:base=\"{SITE}/x/\"><![CDATA[{}]]>", post.content);
    let xhtml = atom(&post.atom("2026-05-05T10:00:00Z")).replace(&cdata, &format!("type=\"xhtml\">{div}"));
    assert_eq!(said(xhtml.clone()), plain);
    let tagged = div.replace("<", "<h:").replace("<h:/", "</h:").replace(":h=", "=").replace("xmlns=", "xmlns:h=");
    assert_eq!(said(xhtml.replace(&div, &tagged)), plain);
    let names = [
        "feed",
        "entry",
        "author",
        "name",
        "title",
        "link",
        "id",
        "updated",
        "published",
        "category",
        "summary",
        "content",
    ];
    let prefixed = |text: String, name: &&str| {
        let text = text.replace(&format!("</{name}>"), &format!("</a:{name}>"));
        [" ", ">", "\n"]
            .iter()
            .fold(text, |text, end| text.replace(&format!("<{name}{end}"), &format!("<a:{name}{end}")))
    };
    let odd = names
        .iter()
        .fold(xhtml, prefixed)
        .replace("xmlns=\"http://www.w3.org/2005", "xmlns:a=\"http://www.w3.org/2005");
    assert!(odd.contains("<a:feed\n\txmlns:a="), "{odd}");
    assert_eq!(said(odd), plain);
    let of_rss = said(rss(&post.rss("")));
    let odd = rss(&post.rss("")).replace("content:encoded", "c:encoded").replace("xmlns:content", "xmlns:c");
    assert_eq!(said(odd.replace("dc:creator", "core:creator").replace("xmlns:dc", "xmlns:core")), of_rss);
    let odd = rdf(&post.rdf()).replace("rdf:RDF\n\txmlns=", "r:RDF\n\txmlns:rss=").replace("/rdf:RDF", "/r:RDF");
    let names = ["item", "channel", "title", "link", "description"];
    let odd = names.iter().fold(odd, prefixed).replace("<a:", "<rss:").replace("</a:", "</rss:");
    assert_eq!(said(odd), said(rdf(&post.rdf())));
}

/// The HTML that WordPress writes for them in feeds: `gallery_shortcode()`, `wp_playlist_shortcode()`.
#[test]
fn galleries_and_playlists_have_images_and_links() {
    let dir = Workdir::new();
    let shown = "<p>Two boats:</p>\n\n<a href='https://a.example/x/one/'><img width=\"150\" height=\"150\" src=\"https://a.example/up/one-150x150.jpg\" class=\"attachment-thumbnail size-thumbnail\" alt=\"One\" /></a>\n<a href='https://a.example/x/two/'><img width=\"150\" height=\"150\" src=\"https://a.example/up/two-150x150.jpg\" alt=\"Two\" /></a>\n\n<a href='https://a.example/up/song.mp3'>Song</a>\n";
    dir.write("s/a.example/f", rss(&entry("/x/").content(shown).rss("")));
    let all = records(&dir, "--no-dump --scrape s");
    let list =
        |key: &str, of: &str| all[0][key].as_array().unwrap().iter().map(|one| one[of].clone()).collect::<Vec<_>>();
    assert_eq!(list("images", "alt"), ["One", "Two"]);
    assert_eq!(list("links", "url"), ["x/one/", "x/two/", "up/song.mp3"].map(|path| format!("{SITE}/{path}")));
    assert_eq!(all[0]["content_source"], "feed");
}

/// A name refers to a term only if exactly one term of the site has it.
#[test]
fn terms_are_found_by_their_names() {
    let dir = Workdir::new();
    let term = |id: u32, taxonomy: &str, name: &str| {
        let link = format!("{SITE}/{taxonomy}/{id}/");
        json!({"id": id, "taxonomy": taxonomy, "name": name, "slug": id.to_string(), "description": "", "count": 1, "link": link})
    };
    let terms = json!([term(3, "category", "News &amp; Views"), term(4, "genre", "Odd"), term(5, "post_tag", "Odd")]);
    let odd = entry("/y/").rss("<category>Odd</category><category>New</category>");
    dir.write("d.json", terms.to_string()).write("feed.xml", rss(&odd));
    let all = records(&dir, "d.json feed.xml");
    let told: Vec<_> = all[3]["terms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|term| (&term["name"], &term["taxonomy"], &term["id"]))
        .collect();
    let none = &Value::Null;
    assert_eq!(
        told,
        [
            (&json!("News & Views"), &json!("category"), &json!(3)),
            (&json!("Odd"), none, none),
            (&json!("New"), none, none)
        ]
    );
}

/// Feeds of a site without pretty permalinks name posts by their ids.
#[test]
fn a_link_that_is_an_id_is_the_post_of_that_id() {
    let dir = Workdir::new();
    dir.write("d.json", json!([post(12, "/x/"), post(13, "/blog/y/")]).to_string());
    let blog = |path: &str| entry(path).rss("");
    dir.write("feed.xml", rss(&(blog("/?p=12") + &blog("/other/?p=13"))));
    let (run, stats) = index(&dir, "d.json feed.xml");
    assert_eq!(told(&run)[..2], ["post post:12 /x/ rest -", "post post:13 /blog/y/ rest -"]);
    assert_eq!(stats["merged"], 1);
    assert!(run.records()[0]["api"]["content"]["rendered"].as_str().unwrap().contains("All of the text"));
    assert!(run.records()[1]["api"]["content"].is_null());
}

#[test]
fn an_item_of_the_dump_takes_missing_fields_from_its_entry() {
    let dir = Workdir::new();
    let mut item = post(1, "/x/");
    item["content"] = json!({"rendered": "<p>As the API has it.</p>"});
    let mut other = post(2, "/y/");
    other["date_gmt"] = json!("2020-01-01T00:00:00");
    dir.write("d.json", json!([item, other]).to_string());
    dir.write("s/a.example/x/index.html", page_of("/x/", "single postid-1"));
    let feed = entry("/x/").rss("") + &entry("/y/").rss("") + &entry("/z/").rss("") + &comment("/y/", 4);
    dir.write("s/a.example/feed/index.html", rss(&feed));
    let (run, stats) = index(&dir, "d.json --scrape s");
    assert_eq!(
        told(&run),
        [
            "post post:1 /x/ rest a.example/x/index.html",
            "post post:2 /y/ rest -",
            "post post:null /z/ feed -",
            "comment comment:4 /y/#comment-4 feed -",
        ]
    );
    assert_eq!(stats["merged"], 2);
    let all = records(&dir, "d.json --scrape s");
    assert_eq!((&all[0]["content"]["text"], &all[0]["content_source"]), (&json!("As the API has it."), &json!("api")));
    assert_eq!((&all[0]["author_name"], &all[0]["date_gmt"]), (&json!("Ann Quay"), &json!("2026-05-05T10:00:00Z")));
    assert_eq!((&all[1]["content_source"], &all[1]["date_gmt"]), (&json!("feed"), &json!("2020-01-01T00:00:00Z")));
    assert_eq!(all[3]["post"], 2);
}

/// Entries of another site or of a part of a page are left out; an entry with the id of another post does not get that id.
#[test]
fn entries_of_others_and_of_parts_of_pages_are_left_out() {
    let dir = Workdir::new();
    dir.write("d.json", json!([post(1, "/x/"), post(11, "/new/")]).to_string());
    let alien = rss(&(entry("/z/").guid(&format!("{SITE}/?p=1")).rss("") + &entry("/y/").rss("")))
        .replace(SITE, "https://b.example");
    let reply = entry("/x/#post-55").rss("") + &entry("/x/#comment-abc").rss("") + &entry("/x/#more-1").rss("");
    let old = entry("/old/").guid(&format!("{SITE}/?p=11")).rss("");
    dir.write("alien.xml", &alien).write("own.xml", rss(&(reply + &old)));
    let (run, stats) = index(&dir, "d.json alien.xml own.xml");
    assert_eq!(told(&run), ["post post:1 /x/ rest -", "post post:11 /new/ rest -", "post post:null /old/ feed -"]);
    assert_eq!((&stats["left_out_feeds"], &stats["merged"]), (&json!(4), &json!(1)));
    let what = "wp-index: entries of feeds left out (2): not of a.example, most of b.example;";
    assert!(run.stderr.lines().any(|line| line.starts_with(what)), "{}", run.stderr);
    dir.write("s/b.example/feed/index.html", &alien)
        .write("s/a.example/x/index.html", page_of("/x/", "single postid-1"));
    assert_eq!(index(&dir, "d.json --scrape s").1["left_out_feeds"], 2);
    // A feed alone, with pages of its own.
    dir.write("feed.xml", rss(&entry("/x/").rss("")));
    let (run, _) = index(&dir, "feed.xml --scrape s");
    assert_eq!(told(&run), ["post post:1 /x/ feed a.example/x/index.html"]);
    // Unusual types and ids in guids.
    let odd = ["?post_type=../../etc&amp;p=13", "?post_type=comment&amp;p=14", "?p=-7"];
    let items: String = odd
        .iter()
        .enumerate()
        .map(|(n, guid)| entry(&format!("/o{n}/")).guid(&format!("{SITE}/{guid}")).rss(""))
        .collect();
    dir.write("odd.xml", rss(&items));
    let run = index(&dir, "odd.xml").0;
    assert_eq!(told(&run), ["post post:13 /o0/ feed -", "post post:14 /o1/ feed -", "post post:null /o2/ feed -"]);
    // A post of another type that was never a draft.
    let guids = [("/boats/oak/", "?boat=oak"), ("/boats/elm/", "?boat=ash"), ("/boats/tag/", "?tag=tag")];
    let items: String = guids.iter().map(|(path, guid)| entry(path).guid(&format!("{SITE}/{guid}")).rss("")).collect();
    dir.write("types.xml", rss(&items));
    let types = ["post:null /boats/elm/", "boat:null /boats/oak/", "post:null /boats/tag/"];
    assert_eq!(told(&index(&dir, "types.xml").0), types.map(|one| format!("post {one} feed -")));
    // A web archive that contains a feed is not a feed.
    dir.write(
        "w/a.warc",
        format!("WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n{}", rss(&entry("/w/").rss(""))),
    );
    dir.write("w/d.json", json!([post(1, "/x/")]).to_string());
    assert_eq!(told(&index(&dir, "w").0), ["post post:1 /x/ rest -"]);
}

/// FeedBurner puts its own address in the place of the link, and the link beside it.
#[test]
fn the_link_of_an_entry_is_the_original_one() {
    let dir = Workdir::new();
    let burnt = |more: &str| {
        let link = "https://feeds.b.example/~r/Quay/~3/1/".to_owned();
        Entry { link, ..entry("/x/").guid(&format!("{SITE}/?p=1")) }.rss(more)
    };
    dir.write("feed.xml", rss(&burnt(&format!("<feedburner:origLink>{SITE}/x/</feedburner:origLink>"))));
    let (run, _) = index(&dir, "feed.xml");
    assert_eq!((told(&run), &*run.stderr), (vec!["post post:1 /x/ feed -".to_owned()], ""));
    dir.write("feed.xml", rss(&(burnt("") + &entry("/y/").rss(""))));
    let (run, stats) = index(&dir, "feed.xml");
    assert_eq!((told(&run).len(), &stats["left_out_feeds"]), (1, &json!(1)));
    let what = "wp-index: entries of feeds left out (1): their links lead to hosts that their feeds do not name, or into pages\n";
    assert_eq!(run.stderr, what);
    // Of a folder with such entries and nothing else.
    dir.write("s/a.example/feed.xml", rss(&burnt("")));
    let alone = dir.sh("wp-index --no-dump --scrape s");
    assert!(alone.stderr.starts_with(what), "{}", alone.stderr);
}

/// Generators of static sites have such files among their sources.
#[test]
fn a_template_is_no_feed() {
    let dir = Workdir::new();
    let template = rss(&entry("/x/").rss("")).replace(SITE, "{{ site.url }}");
    dir.write("s/a.example/feed.xml", format!("---\nlayout: null\n---\n{template}"))
        .write("s/a.example/other.xml", template)
        .write("s/a.example/front.xml", format!("---\n---\n{}", rss(&entry("/y/").rss(""))))
        .write(
            "s/a.example/talk.xml",
            rss(&entry("/w/").rss("<description><![CDATA[<link>{{ site.url }}]]></description>")),
        )
        .write("s/a.example/z/index.html", page_of("/z/", "single single-post postid-3"));
    let (run, stats) = index(&dir, "--no-dump --scrape s");
    assert_eq!(
        (told(&run), &stats["feeds"]),
        (
            vec!["post post:null /w/ feed -".to_owned(), "post post:3 /z/ page a.example/z/index.html".to_owned()],
            &json!(1)
        )
    );
}

#[test]
fn one_contradiction_and_no_guid_gives_an_id() {
    let of = |class: &str| {
        let dir = Workdir::new();
        dir.write("s/a.example/x/index.html", page_of("/x/", class));
        let with = |path: &str, id: u32| entry(path).guid(&format!("{SITE}/?p={id}"));
        let stated = "<post-id xmlns=\"com-wordpress:feed-additions:1\">33</post-id>";
        let feed = with("/x/", 1).rss("")
            + &with("/y/", 2).rss("")
            + &entry("/z/").rss(stated)
            + &entry("/w/").guid("https://old.example/?p=4").rss("");
        dir.write("s/a.example/feed/index.html", rss(&feed));
        index(&dir, "--no-dump --scrape s").0.records().iter().map(|r| r["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("single postid-1"), [json!(null), json!(1), json!(2), json!(33)]);
    assert_eq!(of("single postid-11"), [json!(null), json!(11), json!(null), json!(33)]);
    // The guids of another blog on the same host.
    let dir = Workdir::new();
    let feed = rss(&entry("/blog/x/").guid(&format!("{SITE}/?p=1")).rss(""))
        .replace("<link>https://a.example</link>", "<link>https://a.example/blog</link>");
    dir.write("s/a.example/blog/feed/index.html", feed);
    assert!(index(&dir, "--no-dump --scrape s").0.records()[0]["id"].is_null());
}

#[test]
fn a_content_that_a_feed_cuts_short_comes_from_the_page() {
    let form = "<form action=\"https://a.example/wp-login.php?action=postpass\" class=\"post-password-form\" method=\"post\"></form>";
    let posts = [
        entry("/summary/").content("All of the text of /summary/, from the first [&#8230;]"),
        entry("/pages/"),
        entry("/secret/").content(form),
        entry("/whole/").content("<p>A 🦆<img src=\"https://s.w.org/images/core/emoji/15/72x72/1f986.png\" alt=\"🦆\" class=\"wp-smiley\" /></p>"),
    ];
    let dir = Workdir::new();
    for post in &posts {
        let path = post.link.replace(SITE, "");
        dir.write(&format!("s/a.example{path}index.html"), page_of(&path, "single single-post"));
    }
    dir.write("s/a.example/pages/2/index.html", page_of("/pages/2/", "single single-post"));
    dir.write("s/a.example/feed/index.html", rss(&posts.iter().map(|post| post.rss("")).collect::<String>()));
    let all = records(&dir, "--no-dump --scrape s");
    let of = |path: &str| all.iter().find(|record| record["link"] == format!("{SITE}{path}")).unwrap();
    assert_eq!(
        (&of("/summary/")["content_source"], &of("/pages/")["content_source"]),
        (&json!("scrape"), &json!("scrape"))
    );
    // The API does not return the content.
    let api = json!([{"id": 1, "type": "post", "link": format!("{SITE}/pages/"), "slug": "pages", "title": {"rendered": "T"}}]);
    let of_api = records(dir.write("api.json", api.to_string()), "api.json --scrape s").remove(0);
    assert_eq!((&of_api["id"], &of_api["content_source"]), (&json!(1), &json!("scrape")));
    let secret = of("/secret/");
    assert_eq!((&secret["content_source"], &secret["content"]["protected"]), (&json!(null), &json!(true)));
    assert!(secret["excerpt"]["text"].is_null());
    assert_eq!(
        (&of("/whole/")["content"]["text"], &of("/whole/")["content_source"]),
        (&json!("A 🦆🦆"), &json!("feed"))
    );
}

#[test]
fn copies_of_an_entry_are_one_record_of_the_latest_state() {
    let dir = Workdir::new();
    for n in 0..18 {
        dir.write(&format!("s/a.example/category/c{n}/feed/index.xml"), rss(&entry("/x/").rss("")));
    }
    let at = |time: &str, text: &str| atom(&entry("/x/").content(text).atom(time));
    dir.write("s/a.example/feed/atom/a", at("2026-05-06T10:00:00Z", "<p>The first.</p>"));
    dir.write("s/a.example/feed/atom/b", at("2026-05-07T10:00:00Z", "<p>The latest.</p>"));
    let (run, stats) = index(&dir, "--no-dump --scrape s");
    assert_eq!((run.records().len(), &stats["duplicates"]), (1, &json!(19)));
    assert_eq!(run.records()[0]["api"]["content"]["rendered"], "<p>The latest.</p>");
    // In RSS, a feed states only when it was built.
    let built = |feed: &str, day: u32, text: &str| {
        let date = format!("<channel><lastBuildDate>Tue, {day} Sep 2018 09:55:35 +0000</lastBuildDate>");
        let feed_of = rss(&entry("/y/").content(text).rss("")).replace("<channel>", &date);
        dir.write(&format!("r/a.example/{feed}/index.xml"), feed_of);
        index(&dir, "--no-dump --scrape r -j 1").0.records()[0]["api"]["content"]["rendered"].clone()
    };
    assert_eq!(built("author/feed", 18, "<p>One.</p>"), "<p>One.</p>");
    assert_eq!(built("feed", 19, "<p>Two.</p>"), "<p>Two.</p>");
    assert_eq!(built("tag/feed", 20, "<p>One.</p>"), "<p>One.</p>");
}

#[test]
fn the_sentence_of_a_plugin_goes() {
    let dir = Workdir::new();
    let said = |path: &str| {
        let content = format!(
            "<p>A text, {path}.</p>\n<p>The post <a href=\"{SITE}{path}\">T</a> appeared first on <a href=\"{SITE}\">Q</a>.</p>\n"
        );
        entry(path).content(&content).rss("")
    };
    dir.write("s/a.example/feed/index.html", rss(&["/x/", "/y/", "/z/"].map(said).concat()));
    let texts: Vec<Value> =
        records(&dir, "--no-dump --scrape s").iter().map(|r| r["content"]["text"].clone()).collect();
    assert_eq!(texts, ["A text, /x/.", "A text, /y/.", "A text, /z/."]);
}

#[test]
fn relative_links_and_the_host_that_only_a_feed_names() {
    let dir = Workdir::new();
    dir.write("s/x/index.html", page("", "single postid-1"));
    dir.write("s/feed/index.xml", rss(&entry("/x/").rss("")));
    assert_eq!(told(&index(&dir, "--no-dump --scrape s").0), ["post post:1 /x/ feed x/index.html"]);
    let feed = rss(&entry("/x/").rss("")).replace(SITE, "");
    dir.write("s/feed/index.xml", feed);
    let (run, _) = index(&dir, "--no-dump --scrape s --scrape-base https://a.example/");
    assert_eq!(told(&run), ["post post:1 /x/ feed x/index.html"]);
    dir.write("s/feed/other", rss(&entry("/x/").rss("").replace(SITE, "https://b.example")));
    let (_, stats) = index(&dir, "--no-dump --scrape s --scrape-base https://a.example/");
    assert_eq!(stats["left_out_feeds"], 1);
}

#[test]
fn a_feed_in_an_archive() {
    let dir = Workdir::new();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml; charset=UTF-8";
    let page = response(&format!("{SITE}/x/"), TIME, "", page_of("/x/", "single postid-1"));
    let feed = response(&format!("{SITE}/feed/"), TIME, head, rss(&entry("/x/").rss("")));
    dir.write("a.warc", [page, feed].concat());
    let (run, _) = index(&dir, "--no-dump --scrape a.warc");
    assert_eq!(told(&run), ["post post:1 /x/ feed a.warc#0"]);
    assert!(run.records()[0]["source"]["file"].as_str().unwrap().starts_with("./a.warc#"));
}

/// Such bytes became U+FFFD without a word.
#[test]
fn bytes_of_another_encoding_are_a_defect() {
    let dir = Workdir::new();
    let item = exports::item_of(1, "post", "publish", "Caf~", "");
    let files = [rss(&entry("/x/").content("<p>Caf~ au lait.</p>").rss("")), exports::export(&item)];
    for file in files {
        dir.write("d.xml", file.bytes().map(|b| if b == b'~' { 0xe9 } else { b }).collect::<Vec<_>>());
        for args in ["d.xml", "--no-dump --scrape ."].iter().take(if file.contains("wp:") { 1 } else { 2 }) {
            let (run, stats) = index(&dir, args);
            assert_eq!(stats["defects"], json!({"charset": 1}), "{args} {}", run.stderr);
            assert!(run.stderr.contains("bytes that are not UTF-8, replaced by U+FFFD"), "{}", run.stderr);
            assert!(run.stdout.contains("Caf\u{fffd}"), "{}", run.stdout);
        }
    }
}

#[test]
fn messages_of_php_may_precede_a_feed() {
    let dir = Workdir::new();
    let notice = "<br />\n<b>Warning</b>:  x in <b>/a.php</b> on line <b>3</b><br />\n";
    dir.write("s/a.example/feed/index.html", notice.to_owned() + &rss(&entry("/x/").rss("")));
    assert_eq!(told(&index(&dir, "--no-dump --scrape s").0), ["post post:null /x/ feed -"]);
}

/// A piped or compressed dump was mistaken for the feed that one of its texts quotes, and lost.
#[test]
fn a_dump_that_quotes_a_feed_or_an_export_is_a_dump() {
    for quoted in ["<?xml version='1.0'?><rss version='2.0'><channel>", "<rss><wp:wxr_version>1.2</wp:wxr_version>"] {
        let mut item = post(1, "/x/");
        item["content"] = json!({"rendered": quoted});
        for dump in [json!([item]).to_string(), format!("\u{feff} {item}")] {
            let dir = Workdir::new();
            dir.write("dump.json", &dump);
            for command in ["wp-index dump.json", "wp-index < dump.json", "gzip -c dump.json | wp-index"] {
                assert_eq!(told(&dir.sh(command).expect(0)), ["post post:1 /x/ rest -"], "{command} {dump}");
            }
        }
    }
}

#[test]
fn a_feed_is_a_dump() {
    let dir = Workdir::new();
    let feed = rss(&(entry("/x/").guid(&format!("{SITE}/?p=1")).rss("") + &entry("/y/").rss("") + &comment("/x/", 4)));
    dir.write("feed.xml", &feed)
        .write("d/comments", rss(&comment("/x/", 5)))
        .write("d/posts.json", json!([post(2, "/y/")]).to_string());
    dir.write("page/a.example/x/index.html", page_of("/x/", "single postid-1"));
    let (run, _) = index(&dir, "feed.xml");
    let want = ["post post:1 /x/ feed -", "post post:null /y/ feed -", "comment comment:4 /x/#comment-4 feed -"];
    assert_eq!(told(&run), want);
    assert!(run.records().iter().all(|record| record["site"] == "a.example" && record["source"]["file"] == "feed.xml"));
    assert_eq!(dir.program("wp-index", "", &feed).expect(0).records().len(), 3);
    let (run, stats) = index(&dir, "d feed.xml --scrape page --end");
    assert_eq!(
        told(&run)[..4],
        [
            "post post:2 /y/ rest -",
            "post post:1 /x/ feed a.example/x/index.html",
            "comment comment:4 /x/#comment-4 feed -",
            "comment comment:5 /x/#comment-5 feed -",
        ]
    );
    assert_eq!((&stats["feeds"], &stats["merged"]), (&json!(2), &json!(1)));
    let inputs = run.records().iter().filter(|record| record["type"] == "input").count();
    assert_eq!(inputs, 3, "all files are named in the manifest");
}

/// The next number of a random sequence.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// A feed of this many entries in one of the three formats, and the damage done to it.
fn damaged(seed: u64, entries: usize) -> (Vec<u8>, usize, usize) {
    let mut state = seed;
    let host = format!("https://h{seed}.example");
    let posts: Vec<Entry> = (0..entries).map(|n| entry(&format!("/p{n}/"))).collect();
    let feed = match seed % 3 {
        0 => rss(&posts.iter().map(|post| post.rss("")).collect::<String>()),
        1 => atom(&posts.iter().map(|post| post.atom("2026-05-05T10:00:00Z")).collect::<String>()),
        _ => rdf(&posts.iter().map(Entry::rdf).collect::<String>()),
    };
    let mut bytes = feed.replace(SITE, &host).into_bytes();
    let start = bytes.windows(5).position(|w| w == b"<item" || w == b"<entr").unwrap();
    let damages = next(&mut state) % 4;
    let mut cut = bytes.len();
    for _ in 0..damages {
        let at = start + next(&mut state) % (bytes.len() - start);
        match next(&mut state) % 6 {
            0 => _ = bytes.splice(at..at, *b" & "),
            1 => _ = bytes.splice(at..at, *b"\0"),
            2 => _ = bytes.splice(at..(at + 1 + next(&mut state) % 40).min(bytes.len()), []),
            3 => _ = bytes.splice(at..at, *b"<br>"),
            4 => _ = bytes.splice(at..at, *b"]]>"),
            _ => {
                bytes.truncate(at);
                cut = cut.min(at);
            }
        }
    }
    // Only entries that begin before the cut can be lost.
    let tag: &[u8] = if seed % 3 == 1 { b"<entry>" } else { b"<item" };
    let begun = bytes.windows(tag.len()).filter(|window| *window == tag).count();
    (bytes, begun.min(entries), damages)
}

#[test]
fn damage_costs_what_it_touches_and_counts_add_up() {
    let dir = Workdir::new();
    let number = if std::env::var_os("WPIPE_CASES").is_some() { 2000 } else { 300 };
    let mut want = Vec::new();
    for seed in 1..=number {
        let (feed, begun, damages) = damaged(seed, 6);
        dir.write(&format!("s/h{seed}.example/feed/index.xml"), feed);
        want.push((seed, begun, damages));
    }
    let (run, _) = index(&dir, "--no-dump --scrape s -q --max-rejects 1000000 -j 8");
    let (again, _) = index(&dir, "--no-dump --scrape s -q --max-rejects 1000000 -j 1");
    assert!(run.stdout == again.stdout, "-j 1 gives other records");
    let found = run.records();
    for (seed, begun, damages) in want {
        let host = format!("h{seed}.example");
        let whole = found.iter().filter(|record| record["site"] == *host && record["id"].is_null()).count();
        assert!(whole + damages >= begun, "seed {seed}: {whole} of {begun} entries, {damages} damages");
        let known = |record: &&Value| record["site"] == *host;
        assert!(found.iter().filter(known).count() <= 6 + damages, "seed {seed}");
    }
}

/// Mirror programs remove the host from all links; such a feed gave no records, and the site's visitor counter made its links look like
/// parts of pages.
#[test]
fn feeds_of_a_mirror_without_a_host_are_read() {
    let dir = Workdir::new();
    let bare = |text: String| text.replace(SITE, "");
    dir.write("m/wp-content/themes/x/style.css", "").write("m/one/index.html", page("", "single postid-1"));
    let feed =
        rss(&[entry("/one/").rss(""), entry("/two/?utm_source=rss#038;utm_medium=rss").rss(""), comment("/one/", 9)]
            .concat());
    dir.write("m/feed/index.xml", bare(feed)).write("m/one/2/index.html", page("", "single postid-1 paged-2"));
    let run = dir.sh("wp-index --no-dump --scrape m --stats stats").expect(0);
    assert_eq!(run.records()[0]["scrape"]["next_pages"][0]["file"], "one/2/index.html");
    let told: Vec<_> = run
        .records()
        .iter()
        .map(|record| (record["type"].clone(), record["link"].clone(), record["source"]["via"].clone()))
        .collect();
    let of = |r#type: &str, path: &str| (json!(r#type), json!(format!("http://site.invalid{path}")), json!("feed"));
    assert_eq!(told, [of("post", "/one/"), of("post", "/two/"), of("comment", "/one/#comment-9")]);
    // If the pages of the mirror name the host, it applies to the feeds as well.
    let url = format!("{SITE}/one/");
    dir.write("m/one/index.html", page(&format!("<link rel=canonical href={url}>"), "single postid-1"));
    let links: Vec<_> = dir
        .sh("wp-index --no-dump --scrape m")
        .expect(0)
        .records()
        .into_iter()
        .map(|record| record["link"].clone())
        .collect();
    assert_eq!(links, ["/one/", "/two/", "/one/#comment-9"].map(|path| json!(format!("{SITE}{path}"))));
}

/// Blogs below one host have the same ids: a shortlink is that of a post below its own folder.
#[test]
fn a_shortlink_is_of_the_blog_in_whose_folder_it_is() {
    let dir = Workdir::new();
    let short = |blog: &str, id: u32, text: &str| {
        entry(&format!("{blog}?p={id}")).guid(&format!("{SITE}{blog}?p={id}")).content(text).rss("")
    };
    dir.write("d.json", json!([post(70, "/harvest/")]).to_string())
        .write("old.xml", rss(&(short("/old/", 70, "Old") + &short("/old/", 71, "Second"))))
        .write("own.xml", rss(&short("/", 70, "Own")))
        .write("films.xml", rss(&short("/films/", 71, "Third")));
    let (run, stats) = index(&dir, "d.json old.xml own.xml films.xml");
    let all = told(&run);
    assert!(all.contains(&"post post:null /old/?p=70 feed -".to_owned()), "{all:?}");
    assert_eq!((all.len(), &stats["merged"]), (4, &json!(1)));
    dir.write("own.xml", rss(&short("/", 71, "Own")));
    assert_eq!(told(&index(&dir, "own.xml old.xml").0).len(), 3);
}

/// A site that has moved may have kept its feeds: pages that agree on a host state where they are, unless nobody else can visit it.
#[test]
fn a_feed_of_a_former_host_does_not_move_the_pages() {
    let dir = Workdir::new();
    let former = rss(&["/x/", "/y/"]
        .map(|path| {
            let id = if path == "/x/" { 1 } else { 2 };
            entry(path).guid(&format!("{SITE}/?p={id}")).rss("")
        })
        .concat());
    let page = |host: &str, path: &str, id: u32| {
        let own = format!("<link rel=shortlink href='{host}/?p={id}'><title>");
        page_of(path, &format!("single single-post postid-{id}")).replace("<title>", &own).replace(SITE, host)
    };
    dir.write("s/feed/index.html", former.replace(SITE, "http://b.example/wordpress"));
    let at_feed = "http://b.example/wordpress/";
    for (host, link) in
        [(SITE, "https://a.example/"), ("http://localhost:8080", at_feed), ("https://test.b.example", at_feed)]
    {
        dir.write("s/x/index.html", page(host, "/x/", 1)).write("s/y/index.html", page(host, "/y/", 2));
        let records = records(&dir, "--no-dump --scrape s");
        let links: Vec<_> = records.iter().map(|one| one["link"].as_str().unwrap()).collect();
        assert_eq!(links, [format!("{link}x/"), format!("{link}y/")], "{host}");
        let own = |one: &Value| (one["source"]["via"].clone(), one["id"].clone());
        assert_eq!(
            [own(&records[0]), own(&records[1])],
            [(json!("feed"), json!(1)), (json!("feed"), json!(2))],
            "{host}"
        );
    }
}

/// A plugin that translates pages leaves the contents of its feeds as they are: the page of the translation has the translated text, and
/// the title that the feed has of the original is not that of the translation.
#[test]
fn the_content_of_a_translated_page_is_not_that_of_its_feed() {
    let dir = Workdir::new();
    let french = |path: &str| page_of(path, "single single-post postid-7").replace("lang=en", "lang=fr");
    let guid = format!("{SITE}/?p=7");
    dir.write("s/a.example/x/index.html", page_of("/x/", "single single-post postid-7"));
    dir.write("s/a.example/fr/x/index.html", french("/fr/x/").replace("this and that", "ceci et cela"));
    dir.write("s/a.example/feed/index.html", rss(&entry("/x/").guid(&guid).rss("")));
    let original = Entry { link: format!("{SITE}/fr/x/"), ..entry("/x/").guid(&guid) };
    let titled = Entry { title: "Le quai".to_owned(), ..original.clone() };
    let translated = titled.clone().content("<p>Tout le texte de x</p>");
    let told = |title: &Entry, date: &str| {
        let date = format!("<pubDate>{date}</pubDate>");
        let feed = title.clone().rss("").replace("<pubDate>Tue, 05 May 2026 12:00:00 +0200</pubDate>", &date);
        let feed = feed.replace("pubDate", "pubdate");
        dir.write("s/a.example/fr/feed/index.html", rss(&feed));
        let records = records(&dir, "--no-dump --scrape s");
        let of = |path: &str| records.iter().find(|record| record["link"] == format!("{SITE}{path}")).unwrap().clone();
        let facts = |record: Value| {
            let text = record["content"]["text"].as_str().unwrap().split(' ').take(4).collect::<Vec<_>>().join(" ");
            format!("{} {} | {}", record["content_source"], record["title"]["text"], text).replace('"', "")
        };
        [facts(of("/x/")), facts(of("/fr/x/"))]
    };
    let own = "feed Title of /x/ | All of the text";
    let date = "Tue, 05 May 2026 12:00:00 +0200";
    assert_eq!(told(&original, date), [own, "scrape t | The page says ceci"]);
    assert_eq!(told(&titled, date), [own, "scrape Le quai | The page says ceci"]);
    assert_eq!(told(&translated, date), [own, "feed Le quai | Tout le texte de"]);
    // a feed of summaries
    let cut = entry("/x/").excerpt;
    dir.write("s/a.example/feed/index.html", rss(&entry("/x/").guid(&guid).content(&cut).rss("")));
    let own_page = "scrape Title of /x/ | The page says this";
    assert_eq!(told(&original.clone().content(&cut), date), [own_page, "scrape t | The page says ceci"]);
    dir.write("s/a.example/feed/index.html", rss(&entry("/x/").guid(&guid).rss("")));
    // the post of another blog that has its id
    assert_eq!(told(&original, "Tue, 05 May 2026 12:00:01 +0200"), [own, "feed Title of /x/ | All of the text"]);
}

/// The file of a podcast's episode is in no content: the feed names it, and the post gets its text from the page.
#[test]
fn enclosures_are_embeds() {
    let dir = Workdir::new();
    let file = |url: &str| format!("<enclosure url=\"{url}\" length=\"1\" type=\"audio/mpeg\" />");
    let cut = entry("/x/").excerpt;
    dir.write("s/a.example/x/index.html", page_of("/x/", "single single-post postid-7"));
    let player = "<audio src='https://b.example/y.mp3?a&amp;_=1'></audio>";
    let items = [
        entry("/x/").content(&cut).rss(&(file("https://b.example/x.mp3?a=1&amp;b=2") + &file(""))),
        entry("/y/").content(player).rss(&(file("https://b.example/y.mp3?a") + &file("https://b.example/y.jpg"))),
        entry("/z/")
            .content("<form action=postpass class=post-password-form></form>")
            .rss(&file("https://b.example/z.mp3")),
    ];
    dir.write("s/a.example/feed/index.html", rss(&items.concat()));
    let records = records(&dir, "--no-dump --scrape s");
    let facts = |record: &Value| {
        let embeds = record["embeds"].as_array().unwrap().iter();
        let embeds: Vec<_> =
            embeds.map(|embed| format!(" {} {}", embed["element"], embed["url"]).replace('"', "")).collect();
        format!("{}{}", record["link"].as_str().unwrap().replace(SITE, ""), embeds.concat())
    };
    let mut told: Vec<String> = records.iter().map(facts).collect();
    told.sort();
    let want = ["/x/ enclosure https://b.example/x.mp3?a=1&b=2", "/y/ audio https://b.example/y.mp3?a&_=1", "/z/"];
    assert_eq!(told, want);
    assert!(
        records.iter().any(|record| record["content_source"] == "scrape" && record["link"] == format!("{SITE}/x/"))
    );
}

/// A copy on the machine of its author has the links of the site, and so do its feeds.
#[test]
fn the_feeds_of_a_local_copy_are_of_the_site_that_its_pages_state() {
    let dir = Workdir::new();
    dir.write("s/127.0.0.1:8765/x/index.html", page_of("/x/", "single single-post postid-7"));
    dir.write("s/127.0.0.1:8765/feed/index.xml", rss(&(entry("/x/").rss("") + &entry("/y/").rss(""))));
    let (run, _) = index(&dir, "--no-dump --scrape s");
    let page = "127.0.0.1:8765/x/index.html";
    assert_eq!(told(&run), [format!("post post:7 /x/ feed {page}"), "post post:null /y/ feed -".to_owned()]);
}

/// A feed of comments names the site as well as one of posts does.
#[test]
fn a_feed_of_comments_alone_has_records() {
    let dir = Workdir::new();
    dir.write("s/comments/feed/index.xml", rss(&comment("/x/", 7)));
    let want = ["comment comment:7 /x/#comment-7 feed -"];
    assert_eq!(told(&index(&dir, "s --scrape s").0), want);
    assert_eq!(told(&index(&dir, "s/comments/feed/index.xml").0), want);
}

/// NextGEN lists its images in a feed: they were posts without text.
#[test]
fn the_feed_of_a_plugin_has_no_posts() {
    let dir = Workdir::new();
    dir.write("s/wp-content/plugins/nextgen-gallery/xml/media-rss.php", rss(&entry("/stamp.png").rss("")));
    dir.write("s/feed/index.xml", rss(&entry("/x/").rss("")));
    assert_eq!(told(&index(&dir, "--no-dump --scrape s").0), ["post post:null /x/ feed -"]);
}
