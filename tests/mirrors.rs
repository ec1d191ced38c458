//! Tests mirrors made by wget and HTTrack, which change names, links and pages, and sites that exist only as a mirror.

use crate::index::{canonical, index_with, joined, page, post};
use crate::workdir::{Run, Workdir};
use serde_json::json;

const SITE: &str = "https://a.example";

/// Each link of a record as its target's link and the rule.
fn goals(run: &Run, link: &str) -> Vec<String> {
    let record = run.records().into_iter().find(|record| record["link"].as_str().unwrap().ends_with(link)).unwrap();
    let links = record["links"].as_array().unwrap().iter();
    links.map(|link| format!("{} {}", link["target"]["link"], link["rule"]).replace('"', "")).collect()
}

/// A page whose content consists of links.
fn linking(head: &str, class: &str, hrefs: &[&str]) -> String {
    let links: String = hrefs.iter().map(|href| format!("<a href='{href}'>l</a> ")).collect();
    let text = "The harbour opens at seven, and closes at nine in the evening. ".repeat(4);
    let body = format!("<article><div class=entry-content><p>{text}{links}</p></div></article>");
    page(head, class).replace(">x</body>", &format!(">{body}</body>"))
}

/// `wget -k` follows each shortlink in a head, saves the post once more and points all links there.
#[test]
fn links_to_files_with_a_query_in_their_names_lead_to_the_record() {
    let hrefs = ["../index.html%3Fp=2.html", "../q/index.html%3fp=2.html#x", "../what%3F/index.html"];
    let two = format!("<link rel=shortlink href='{SITE}/?p=2'>");
    let dir = Workdir::new();
    dir.write("scrape/a.example/q/index.html", page(&two, "single postid-2"));
    dir.write(
        "scrape/a.example/index.html?p=2.html",
        page("<link rel=canonical href=q/index.html>", "single postid-2"),
    );
    dir.write("scrape/a.example/q/index.html?p=2.html", page("", "single postid-2"));
    dir.write("scrape/a.example/p/index.html", linking("", "single postid-1", &hrefs));
    let run = dir.sh("wp-index --no-dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
    assert_eq!(goals(&run, "/p/"), ["http://a.example/q/ alias", "http://a.example/q/ alias", "null null"]);
    let mut item = post(1, "/p/");
    let links: String = hrefs.iter().map(|href| format!("<a href='{href}'>l</a>")).collect();
    item["content"] = json!({ "rendered": links });
    dir.write("dump", json!([item, post(2, "/q/")]).to_string());
    let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-resolve").expect(0);
    assert_eq!(goals(&run, "/p/")[..2], ["https://a.example/q/ shortlink", "https://a.example/q/ alias"]);
}

/// In a mirror, a page names the API of its blog by a relative link, which distinguishes the ids of two blogs.
#[test]
fn the_pages_of_a_mirror_name_their_blogs() {
    let dir = Workdir::new();
    let (mut one, mut two) = (post(1, "/one/"), post(2, "/two/"));
    one["content"] = json!({"rendered": "<a href='/?p=2'>a</a><a href='/de/?p=2'>b</a><a href='/de/?p=1'>c</a>"});
    for (item, id) in [(&mut one, 1), (&mut two, 2)] {
        item["guid"] = json!({"rendered": format!("{SITE}/?p={id}")});
        item["_links"] = json!({"self": [{"href": format!("{SITE}/wp-json/wp/v2/posts/{id}")}]});
    }
    dir.write("dump", json!([one, two]).to_string());
    for (place, id, other) in
        [("de/eins", 2, "one"), ("de/zwei", 1, "two"), ("one", 1, "de/eins"), ("two", 2, "de/zwei")]
    {
        let (up, lang) =
            (if place.contains('/') { "../../" } else { "../" }, if place.contains('/') { "de" } else { "en" });
        let home = if lang == "de" { "../" } else { up };
        let head = format!(
            "<link rel=canonical href=index.html><link rel=alternate type=application/json href='{home}wp-json/wp/v2/posts/{id}'>\
             <link rel=alternate hreflang={lang} href=index.html>\
             <link rel=alternate hreflang={} href='{up}{other}/index.html'>",
            if lang == "de" { "en" } else { "de" }
        );
        let html = page(&head, &format!("single postid-{id}")).replace("<html lang=en", &format!("<html lang={lang}"));
        dir.write(&format!("scrape/a.example/{place}/index.html"), html);
    }
    let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
    assert_eq!(goals(&run, "/one/"), ["https://a.example/two/ shortlink", "null null", "null null"]);
}

#[test]
fn httracks_own_index_is_no_page_of_the_site() {
    let own = "<html lang=en><head><title>Local index - HTTrack Website Copier</title>\
               <meta name=generator content='HTTrack Website Copier/3.x'></head><body>Index of locally available sites</body></html>";
    let pages = [("index.html", own.to_owned()), ("a.example/index.html", page("", "home"))];
    let run = index_with("", &[post(1, "/p/")], &pages);
    assert_eq!(joined(&run), ["post:1 -", "html:https://a.example/ a.example/index.html -"]);
    let dir = Workdir::new();
    for (file, page) in &pages {
        dir.write(&format!("scrape/{file}"), page);
    }
    let run = dir.sh("wp-index --no-dump --scrape scrape --end | jq -r '\"\\(.site) \\(.kind)\"'").expect(0);
    assert_eq!((&*run.stdout, &*run.stderr), ("a.example html\na.example end\n", ""));
    // The folder has no other page, which is reported.
    let alone = dir.sh("mkdir alone; cp scrape/index.html alone; wpipe --no-dump --scrape alone -d ds").expect(1);
    assert!(alone.stderr.starts_with("wp-index: no page became a record"), "{}", alone.stderr);
    assert!(!alone.stderr.contains("killed"), "{}", alone.stderr);
}

/// Posts of two folders had the same address, which we had invented, and one of them was dropped as a duplicate.
#[test]
fn two_folders_without_a_host_are_not_taken_for_one_site() {
    let dir = Workdir::new();
    for (folder, text) in [("one", "Alpha"), ("two", "Gamma")] {
        dir.write(
            &format!("{folder}/a/index.html"),
            page("", "single postid-1").replace("</body>", &format!("{text}</body>")),
        );
    }
    let run = dir.sh("wp-index --no-dump --scrape one --scrape two").expect(1);
    assert!(run.stderr.contains("several --scrape do not name the same host"), "{}", run.stderr);
    assert!(!run.stdout.contains("site.invalid"), "{}", run.stdout);
    dir.sh("wp-index --no-dump --scrape one --scrape two --site a").expect(0);
    // A folder that names its host does not pass it on to the other one either.
    let head = "<link rel=canonical href=https://b.example/c/>";
    dir.write("named/c/index.html", page(head, "single postid-2"));
    dir.sh("wp-index --no-dump --scrape named --scrape two").expect(1);
    dir.write("again/c/index.html", page(head, "single postid-2"));
    let run = dir.sh("wp-index --no-dump --scrape named --scrape again").expect(0);
    assert_eq!(run.records().len(), 1);
}

/// Some plugins write links without a host into the API's answers. The pages beside them name the site, else their folder does.
#[test]
fn a_mirror_whose_items_name_no_host_has_a_name() {
    let dir = Workdir::new();
    let text = json!({ "rendered": "x" });
    let item = json!({ "id": 1, "type": "post", "slug": "x", "link": "/x/", "title": text, "content": text });
    dir.write("harbour/wp-json/wp/v2/posts.json", json!([item]).to_string());
    let bare = |head: &str| {
        format!(
            "<!DOCTYPE html><html><head><title>t</title>{head}</head><body class='single postid-2'><p>x</p></body></html>"
        )
    };
    dir.write("harbour/index.html", bare("")).write("harbour/y/index.html", bare(""));
    let sites =
        || dir.sh("wpipe harbour -o -").expect(0).records().iter().map(|r| r["site"].clone()).collect::<Vec<_>>();
    assert!(sites().len() > 1 && sites().iter().all(|site| site == "harbour"), "{:?}", sites());
    dir.write("harbour/y/index.html", bare(&format!("<link rel=canonical href={SITE}/y/>")));
    assert!(sites().iter().all(|site| site == "a.example"), "{:?}", sites());
}

/// wget saves errors of the API as answers, and feeds that break off.
#[test]
fn the_damage_of_a_mirror_is_reported_and_leaves_a_dataset() {
    let dir = Workdir::new();
    let error = json!({ "code": "rest_user_invalid_id", "message": "Invalid user ID.", "data": { "status": 404 } });
    dir.write("m/a.example/wp-json/wp/v2/users/2.json", error.to_string());
    dir.write("m/a.example/wp-json/wp/v2/posts.json", json!([post(1, "/x/")]).to_string());
    dir.write("m/a.example/feed/index.xml", "<rss><channel><item><title>x</title></item></channel></rss>");
    dir.write("m/a.example/x/index.html", page("", "single postid-1"));
    let run = dir.sh("wpipe m -d ds").expect(0);
    assert!(run.stderr.contains("rest_user_invalid_id") && run.stderr.contains("without a link"), "{}", run.stderr);
    dir.sh("jq -e '.rejects == 2' ds/manifest.json").expect(0);
    dir.sh("rm -r ds; wpipe m -d ds --max-rejects 2").expect(0);
    for (options, status) in [("--max-rejects 1", 1), ("--strict", 2)] {
        dir.sh(&format!("rm -rf ds; wpipe m -d ds {options}")).expect(status);
        assert!(!dir.path("ds").exists(), "{options}");
    }
    // As a dump, it is not expected to be damaged.
    dir.sh("wp-index m/a.example/wp-json > out").expect(1);
}

/// A folder with an index.html and a dump of which no item is good gave a dataset of the page, without a word about the rest.
#[test]
fn the_damage_of_a_mirror_without_a_good_item_is_reported_too() {
    let rest = "<rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel><wp:wxr_version>1.2</wp:wxr_version><item><title>x</title></item>";
    let row = json!([{"ID": 5, "post_title": "x", "post_type": "post", "post_content": "y"}]).to_string();
    let cases = [
        ("export.xml", rest, "export.xml:1: an item without wp:post_id"),
        ("posts.json", &row, "posts.json:1:2: database row (wp-cli)"),
        ("posts-2.json", "[{\"id\":1,\"type\":\"post\"", "posts-2.json:1:2: "),
        ("x/pages.json", "\u{feff}[{\"a\":}]", "x/pages.json:1:"),
        ("all.json", "{\"posts\":[]}", "JSON without an item of the API: 1)"),
        ("pages-manifest.json", "{\"pages\":[]}", "JSON without an item of the API: 1)"),
    ];
    for (file, text, says) in cases {
        let dir = Workdir::new();
        dir.write("m/index.html", page("", "home page-id-2")).write(&format!("m/{file}"), text);
        let run = dir.sh("wpipe m -d ds").expect(0);
        assert!(run.stderr.contains(says), "{file}: {}", run.stderr);
        let rejects = u32::from(!["all.json", "pages-manifest.json"].contains(&file));
        dir.sh(&format!("jq -e '.records[0].records == 1 and .rejects == {rejects}' ds/manifest.json")).expect(0);
        dir.sh("wp-index --strict m").expect(if rejects > 0 { 1 } else { 0 });
    }
}

/// The text of a page: its own sentences, beside what all pages have.
fn part(id: u32, path: &str, class: &str, text: &str) -> String {
    let head = format!("<link rel=canonical href={SITE}{path}>");
    let body = format!("<nav>Home and so on</nav><article><div class=entry-content><p>{text}</p></div></article>");
    page(&head, &format!("single single-post postid-{id} {class}")).replace(">x</body>", &format!(">{body}</body>"))
}

/// WordPress shows a post with `<!--nextpage-->` on several pages; its feed has only the first, its API all of them.
#[test]
fn a_post_of_several_pages_has_the_text_of_all() {
    let dir = Workdir::new();
    let texts: Vec<String> =
        (0..12).map(|n| format!("Page {n} tells what happened in year {n} at the harbour.")).collect();
    for (n, text) in texts.iter().enumerate().skip(1) {
        let path = if n == 1 { "/x/".to_owned() } else { format!("/x/{n}/") };
        let class = if n == 1 { String::new() } else { format!("paged-{n} single-paged-{n}") };
        dir.write(&format!("s/a.example{path}index.html"), part(1, &path, &class, text));
    }
    // At the address of a page that a post does not have, some sites show the post.
    for place in ["y", "y/2", "y/3"] {
        dir.write(&format!("s/a.example/{place}/index.html"), part(2, "/y/", "", &texts[0]));
    }
    // A post that was saved under its former URL.
    for (place, path, text) in [("old/z", "/z/", "First."), ("old/z/2", "/z/2/", "Second.")] {
        dir.write(&format!("s/a.example/{place}/index.html"), part(4, path, "", text));
    }
    // Another post, in another place with a number at its end.
    dir.write("s/a.example/x/13/index.html", part(3, "/x/13/", "", "Another post."));
    dir.write("s/a.example/y/page/2/index.html", page("", "archive"));
    let all = texts[1..].join("\n");
    let read = |args: &str| {
        let run = dir.sh(&format!("wp-index {args} --scrape s | wp-parse | wp-translations -j 2")).expect(0);
        let mut records = run.records();
        records.retain(|record| record["content_source"] == "scrape");
        let text = |record: &serde_json::Value| {
            let text = record["content"]["text"].as_str().unwrap().split('\n').filter(|line| !line.is_empty());
            (record["link"].as_str().unwrap().replace(SITE, ""), text.collect::<Vec<_>>().join("\n"))
        };
        let mut found: Vec<_> = records.iter().map(text).collect();
        found.sort();
        found
    };
    let expected: Vec<(String, String)> =
        [("/x/", &*all), ("/x/13/", "Another post."), ("/y/", &*texts[0]), ("/z/", "First.\nSecond.")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .into();
    assert_eq!(read("--no-dump"), expected);
    let item = |path: &str| {
        format!("<item><title>x</title><link>{SITE}{path}</link><content:encoded>{}</content:encoded></item>", texts[1])
    };
    dir.write("s/a.example/feed/index.xml", format!("<rss><channel>{}</channel></rss>", item("/x/")));
    assert_eq!(read("--no-dump"), expected);
    // The API withholds the content of one, and gives that of the other.
    let (mut none, mut whole) = (post(1, "/x/"), post(2, "/y/"));
    none["content"] = json!({ "rendered": "" });
    whole["content"] = json!({ "rendered": "<p>One.</p><!--nextpage--><p>Two.</p>" });
    dir.write("d.json", json!([none, whole]).to_string());
    assert_eq!(read("d.json"), [&expected[..2], &expected[3..]].concat());
    let html = dir.sh("wp-index d.json --scrape s | wp-parse | wp-translations | jq -r 'select(.link | endswith(\"/x/\")).content.html'");
    assert_eq!(html.expect(0).stdout.matches("<!--nextpage-->").count(), 10);
    // Links of a page are relative to its own place.
    dir.write(
        "s/a.example/x/6/index.html",
        part(1, "/x/6/", "", "Page 6 tells <a href='../../y/'>more</a> of year 6."),
    );
    let links =
        dir.sh("wpipe --no-dump --scrape s -o - | jq -r 'select(.link | endswith(\"/x/\")).links[] | .target.link'");
    assert_eq!(links.expect(0).stdout.trim(), format!("{SITE}/y/"));
    // A page that cannot be read is named, and the others are kept.
    dir.sh("wp-index --no-dump --scrape s > index; rm s/a.example/x/5/index.html").expect(0);
    let run = dir.sh("wp-parse < index | wp-translations").expect(0);
    assert!(run.stderr.contains("x/5/index.html"), "{}", run.stderr);
    assert_eq!(run.stdout.matches("Page 4 tells").count(), run.stdout.matches("Page 6 tells").count());
    // A record that is too long with the texts of all is rejected, whatever its pages.
    let long = format!("{}.", "The harbour is long. ".repeat(26_000));
    dir.write("s/a.example/x/3/index.html", part(1, "/x/3/", "", &long));
    let run = dir.sh("wp-parse < index | wp-translations --max-record 1M > short; jq -r .link short | sort").expect(0);
    assert_eq!(run.stdout.replace(SITE, ""), "/x/13/\n/y/\n/z/\n", "{}", run.stderr);
    // As many pages as a user's jq likes.
    let many = "jq -c 'select(.link | endswith(\"/y/\")).scrape.next_pages = [range(3000) | {file: \"a.example/y/index.html\"}]'";
    let run = dir.sh(&format!("{many} index | wp-parse | wp-translations")).expect(0);
    assert!(run.stderr.contains("more than 1000 pages"), "{}", run.stderr);
}

/// HTTrack says in some pages of a tree without hosts where they were, and other folders of a tree are hosts.
#[test]
fn the_records_of_a_site_are_contiguous_whatever_the_pages_of_a_tree_say() {
    let from = |host: &str| format!("<!-- Mirrored from {host}/p/ by HTTrack -->");
    let to = |host: &str| format!("<link rel=canonical href=https://{host}/p/>");
    let heads = [String::new(), from("b.example"), from("c.example"), to("b.example"), to("c.example")];
    let folders = ["", "a.example/", "c.example/"];
    let files: Vec<_> = folders.iter().flat_map(|folder| heads.iter().map(move |head| (folder, head))).collect();
    let tried = (0..files.len()).flat_map(|a| (a..files.len()).map(move |b| [a, b, (a + b) % 15]));
    let dir = Workdir::new();
    let mut script = String::new();
    for (n, tree) in tried.enumerate() {
        for (place, file) in tree.into_iter().enumerate() {
            let (folder, head) = files[file];
            dir.write(
                &format!("{n}/{folder}p{place}/index.html"),
                page(head, "single").replace(">x<", &format!(">{n} {place}<")),
            );
        }
        script +=
            &format!("wp-index --no-dump --scrape {n} >> out || echo {n} >> failed; echo '{{\"site\":null}}' >> out\n");
    }
    dir.sh(&script).expect(0);
    assert!(!dir.path("failed").exists(), "{}", dir.read("failed"));
    let run = dir.sh("cat out").expect(0);
    for records in run.records().split(|record| record["site"].is_null()) {
        let mut sites: Vec<_> = records.iter().map(|record| record["site"].as_str().unwrap()).collect();
        sites.dedup();
        let runs = sites.len();
        sites.sort_unstable();
        sites.dedup();
        assert_eq!(sites.len(), runs, "{records:?}");
    }
}

/// wget has saved the English page only by its shortlink, and made that the canonical URL of the Arabic page, in its folder.
#[test]
fn a_shortlink_in_the_directory_of_another_language_is_no_claim() {
    let arabic = "<link rel=canonical href='../index.html%3Fp=26.html'>";
    let dir = Workdir::new();
    dir.write("scrape/a.example/index.html?p=26.html", page("", "single postid-26"));
    dir.write("scrape/a.example/ar/p/index.html", page(arabic, "single postid-26").replace("lang=en", "lang=ar"));
    dir.write("dump", json!([post(26, "/p/")]).to_string());
    let run = dir.sh("wp-index dump --scrape scrape").expect(0);
    assert_eq!(
        joined(&run),
        ["post:26 a.example/index.html?p=26.html https://a.example/?p=26", "post:26 a.example/ar/p/index.html",]
    );
    assert!(!run.stderr.contains("is mapped"), "{}", run.stderr);
}

/// A site that was in a folder, saved at the top of another host: its links begin with a slash, and only an address in a query still names
/// the folder.
#[test]
fn links_from_the_top_lead_to_the_records_of_the_folder() {
    let saved = |id: u32, own: &str, language: &str, other: &str| {
        let address = format!("https%3A%2F%2Fa.example%2Fboats%2F{own}%2F");
        let head = format!(
            "<link rel=shortlink href='/?p={id}'><link rel=alternate hreflang={language} href='/{own}/'>
             <link rel=alternate hreflang=fr href='/{other}/'>
             <link rel=alternate type=application/json+oembed href='/wp-json/oembed/1.0/embed?url={address}'>"
        );
        linking(&head, &format!("page page-id-{id}"), &["/quai/"]).replace("lang=en", &format!("lang={language}"))
    };
    let dir = Workdir::new();
    dir.write("s/quay/index.html", saved(1, "quay", "en", "quai"))
        // As wget -K keeps it.
        .write("s/quay/index.html.orig", saved(4, "old", "en", "quai"))
        .write("s/quai/index.html", saved(2, "quai", "fr", "quai"))
        .write("s/mast/index.html", saved(3, "mast", "en", "mat"));
    let run = dir.sh("wp-index --no-dump --scrape s | wp-parse | wp-translations | wp-resolve").expect(0);
    let records = run.records();
    assert_eq!(records.len(), 3);
    assert_eq!(goals(&run, "/boats/mast/"), ["https://a.example/boats/quai/ former"]);
    let quay = records.iter().find(|one| one["id"] == 1).unwrap();
    assert_eq!(quay["translations"][0]["target"]["link"], "https://a.example/boats/quai/");
    assert!(quay["translation_group"].is_string(), "{quay}");
}

/// The scrape was made before the site moved into a folder of its host: absolute links mean the records there, too.
#[test]
fn links_from_before_a_site_moved_into_a_folder_lead_to_its_records() {
    let dir = Workdir::new();
    let item = |id: i64, path: &str| {
        let mut item = post(id, path);
        item["content"] = json!({"rendered": format!("<p><a href='{SITE}/mast/'>m</a> <a href='/mast/'>m</a></p>")});
        item
    };
    let items = [item(1, "/boats/quay/"), item(2, "/boats/oak/"), item(3, "/boats/mast/")];
    dir.write("dump.json", json!(items).to_string());
    for (id, name) in [(1, "quay"), (2, "oak")] {
        let own = format!("<link rel=canonical href='{SITE}/{name}/'>");
        dir.write(&format!("s/a.example/{name}/index.html"), page(&own, &format!("single postid-{id}")));
    }
    let run = dir.sh("wp-index dump.json --scrape s | wp-parse | wp-translations | wp-resolve").expect(0);
    assert_eq!(goals(&run, "/boats/quay/"), ["https://a.example/boats/mast/ former"; 2]);
}

/// The shortlink that a page states, and the addresses at which WordPress shows the page: with suffixes and with queries.
#[test]
fn without_a_dump_all_urls_of_a_page_lead_to_it() {
    let own =
        |n: i64, path: &str| format!("<link rel=shortlink href={SITE}/?p={n}><link rel=canonical href={SITE}{path}>");
    let paths = [
        "/q/?utm_source=x",
        "/q/comment-page-2/#comment-3",
        "/q/embed/",
        "/q/?replytocom=5",
        "/q/?foo=bar",
        "/?p=7",
        "/q/feed/",
        "/q/3/",
        "/q/?p=9",
    ];
    let hrefs: Vec<String> = paths.iter().map(|path| format!("{SITE}{path}")).collect();
    let hrefs: Vec<&str> = hrefs.iter().map(String::as_str).collect();
    let dir = Workdir::new();
    dir.write("scrape/a.example/q/index.html", page(&own(7, "/q/"), "single postid-7"));
    dir.write("scrape/a.example/q/3/index.html", page(&own(7, "/q/3/"), "single postid-7"));
    dir.write("scrape/a.example/p/index.html", linking(&own(1, "/p/"), "single postid-1", &hrefs));
    let run = dir.sh("wp-index --no-dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
    let rules: Vec<String> = goals(&run, "/p/").iter().map(|goal| goal.replace("https://a.example", "")).collect();
    let want = [
        "/q/ query_cleaned",
        "/q/ subpage",
        "/q/ subpage",
        "/q/ query_cleaned",
        "/q/ query_ignored",
        "/q/ alias",
        "null null",
        "/q/ alias",
        "null null",
    ];
    assert_eq!(rules, want);
    assert_eq!(run.records().len(), 2, "the third page of a post is not a post");
}

/// A page that states the id of a post in another language is a record as if the dump had it; a page that states nothing may be anything.
#[test]
fn beside_a_dump_the_urls_of_a_page_with_an_id_lead_to_it() {
    let hrefs = ["/de/x/?utm_source=x", "/de/x/2/", "/de/x/amp/", "/x/?utm_source=x", "/land/?utm_source=x"];
    let dir = Workdir::new();
    let own = |path: &str| format!("<link rel=canonical href='{SITE}{path}'>");
    let german = |head: &str, links: &[&str]| linking(head, "single postid-1", links).replace("lang=en", "lang=de");
    dir.write("s/a.example/de/x/index.html", german(&own("/de/x/"), &[]))
        .write("s/a.example/de/y/index.html", german(&own("/de/y/"), &hrefs).replace("postid-1", "postid-2"))
        .write("s/a.example/land/index.html", linking(&own("/land/"), "", &[]));
    dir.write("dump.json", json!([post(1, "/x/"), post(2, "/y/")]).to_string());
    let run = dir.sh("wp-index dump.json --scrape s | wp-parse | wp-translations | wp-resolve").expect(0);
    let rules: Vec<String> = goals(&run, "/de/y/").iter().map(|goal| goal.replace("https://a.example", "")).collect();
    let want = ["/de/x/ query_cleaned", "/de/x/ subpage", "/de/x/ subpage", "/x/ query_cleaned", "null null"];
    assert_eq!(rules, want);
}

/// A static export whose API responses have the host on which the site is edited. The host that is learnt from pages applies
/// to all records.
#[test]
fn the_host_of_the_scrape_is_that_of_the_site_for_all_records() {
    let all = "<link rel=alternate hreflang=en href=https://static.example/p/><link rel=alternate hreflang=fr href=https://static.example/fr/p/>";
    let mut items = vec![post(1, "/p/"), post(2, "/fr/p/"), post(3, "/q/"), post(4, "/r/")];
    let urls = [
        "https://static.example/r/",
        "https://static.example/q/",
        "https://static.example/q/feed/",
        "https://static.example/dead/",
        "https://static.example/?p=1",
    ];
    let links: String = urls.iter().map(|url| format!("<a href='{url}'>l</a>")).collect();
    items[3]["content"] =
        json!({"rendered": format!("{links}<img src=https://static.example/wp-content/uploads/a-300x200.jpg>")});
    items.push(json!({"id": 9, "type": "attachment", "media_type": "image", "link": format!("{SITE}/a/"),
        "source_url": format!("{SITE}/wp-content/uploads/a.jpg"), "_links": {"self": [{"href": format!("{SITE}/wp-json/wp/v2/media/9")}]}}));
    let dir = Workdir::new();
    dir.write("dump", json!(items).to_string());
    for (path, tag, n) in [("p", "en", 1), ("fr/p", "fr", 2), ("q", "en", 3)] {
        let html = page(all, &format!("single postid-{n}")).replace("lang=en>", &format!("lang={tag}>"));
        dir.write(&format!("scrape/static.example/{path}/index.html"), html);
    }
    let run = dir.sh("wp-index dump --scrape scrape | wp-parse | wp-translations -o t && wp-resolve t --registry-out g -o r && wp-resolve r | cmp - r && cat r").expect(0);
    let records = run.records();
    let pair = json!([{"from": "static.example", "to": "a.example"}]);
    assert!(records.iter().all(|record| record["scrape"]["mapped"] == pair));
    assert_eq!(
        goals(&run, "/r/"),
        [
            "https://a.example/r/ former",
            "https://a.example/q/ alias",
            "null null",
            "null null",
            "https://a.example/p/ former"
        ]
    );
    let last = records.iter().find(|record| record["id"] == 4).unwrap();
    assert!(last["links"].as_array().unwrap().iter().all(|link| link["internal"] == true));
    let image = &last["images"][0];
    assert_eq!((&image["internal"], &image["target"]["id"]), (&json!(true), &json!(9)), "{image}");
    assert_eq!(records[0]["translations"][0]["target"]["id"], 2);
    assert_eq!(records[0]["translation_group"], "post:https://a.example/fr/p/");
    // A part resolved against the whole, without the key in its own records.
    let run = dir.sh("grep '\"id\":4' t | jq -c '.scrape.mapped = []' | wp-resolve --registry g").expect(0);
    assert_eq!(goals(&run, "/r/")[0], "https://a.example/r/ former");
    // Another host means another site.
    let run = dir.sh("sed 's#https://static.example/r/#https://other.example/r/#g' t | wp-resolve").expect(0);
    assert_eq!(goals(&run, "/r/")[0], "null null");
}

/// Trees without a host ended with "use --site", although their pages name the host; `wget -k` makes canonical URLs relative,
/// but leaves addresses for other programs unchanged.
#[test]
fn pages_of_a_tree_without_a_host_say_where_it_was_made() {
    let canonical = |path: &str| format!("<link rel=canonical href='https://www.a.example/blog/{path}'>");
    let mirrored = |path: &str| {
        format!(
            "<link rel=canonical href=index.html><meta property=og:url content='https://www.a.example/blog/{path}'>"
        )
    };
    for head in [&canonical as &dyn Fn(&str) -> String, &mirrored] {
        let dir = Workdir::new();
        dir.write("scrape/index.html", page(&head(""), "home"));
        dir.write("scrape/p/index.html", linking(&head("p/"), "single postid-1", &["../q/index.html", "/blog/r/"]));
        dir.write("scrape/q/index.html", page(&head("q/"), "single postid-2"));
        dir.write("scrape/r/index.html", page("", "single postid-3"));
        let run = dir.sh("wp-index --no-dump --scrape scrape | wp-parse | wp-translations | wp-resolve").expect(0);
        let links: Vec<_> = run.records().iter().map(|record| record["link"].as_str().unwrap().to_owned()).collect();
        let at = |path: &str| format!("https://www.a.example/blog/{path}");
        assert_eq!(links, ["", "p/", "q/", "r/"].map(at), "{}", run.stderr);
        assert!(run.records().iter().all(|record| record["site"] == "a.example"));
        assert_eq!(goals(&run, "/p/"), ["q/", "r/"].map(|path| format!("{} html", at(path))));
    }
}

/// A mirror with relative canonical URLs may have left the addresses for programs unchanged.
#[test]
fn the_host_of_a_tree_is_that_of_its_api_and_its_shortlinks() {
    for (home, folder, at) in [
        ("https://www.a.example/", "", "https://www.a.example/"),
        ("https://www.a.example/blog/", "", "https://www.a.example/blog/"),
        ("https://www.a.example/blog/", "blog/", "https://www.a.example/blog/"),
    ] {
        let api = format!("<link rel=alternate type=application/json href={home}wp-json/wp/v2/posts/1>");
        let short = format!("<link rel=shortlink href={home}?p=1>");
        for named in [api, short] {
            let dir = Workdir::new();
            for (name, named) in [("p", &*named), ("q", &*named), ("r", "")] {
                let head = format!("<link rel=canonical href=../{name}/index.html>{named}");
                dir.write(&format!("scrape/{folder}{name}/index.html"), page(&head, "single postid-1"));
            }
            let run = dir.sh("wp-index --no-dump --scrape scrape").expect(0);
            let links: Vec<_> =
                run.records().iter().map(|record| record["link"].as_str().unwrap().to_owned()).collect();
            assert_eq!(links, ["p/", "q/", "r/"].map(|path| format!("{at}{path}")), "{home} {folder} {}", run.stderr);
            assert!(run.records().iter().all(|record| record["site"] == "a.example"));
        }
    }
}

/// If no page states the site's address, the message says where the pages have their theme's files.
#[test]
fn a_user_who_has_to_name_a_site_is_told_where_its_theme_s_files_are() {
    let dir = Workdir::new();
    for name in ["p", "q", "r"] {
        let files = "<link rel=stylesheet href=https://a.example/blog/wp-content/themes/x/style.css>";
        let head = format!("<link rel=canonical href=../{name}/>{}", if name == "r" { "" } else { files });
        dir.write(&format!("scrape/{name}/index.html"), page(&head, "single"));
    }
    let run = dir.sh("wp-index --no-dump --scrape scrape").expect(0);
    let hint = "2 of 3 pages have their theme's files at https://a.example/blog/, which may be the site";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    let run = dir.sh("wp-index --no-dump --scrape scrape --site a | jq -r '[.site, .link] | @tsv'").expect(0);
    assert_eq!(run.stdout, ["p", "q", "r"].map(|name| format!("a\thttp://site.invalid/{name}/\n")).concat());
    assert!(
        run.stderr.contains("links begin with http://site.invalid/") && !run.stderr.contains("--site"),
        "{}",
        run.stderr
    );
}

/// If a folder has pages of many sites, the site cannot be named.
#[test]
fn pages_that_do_not_agree_on_a_host_name_none() {
    let of = |host: &str, path: &str| {
        page(&format!("<link rel=canonical href='https://{host}/{path}/'>"), "single postid-1")
    };
    let dir = Workdir::new();
    dir.write("scrape/p/index.html", of("a.example", "p"));
    dir.write("scrape/q/index.html", of("b.example", "q"));
    let run = dir.sh("wp-index --no-dump --scrape scrape").expect(0);
    assert!(
        run.stderr.contains("--scrape-base URL says what") && run.records()[0]["site"] == "scrape",
        "{}",
        run.stderr
    );
    dir.write("scrape/r/index.html", of("a.example", "r"));
    let run = dir.sh("wp-index --no-dump --scrape scrape").expect(0);
    let links: Vec<_> = run.records().iter().map(|record| record["link"].as_str().unwrap().to_owned()).collect();
    assert_eq!(links, ["https://a.example/p/", "https://b.example/q/", "https://a.example/r/"]);
    assert!(run.records().iter().all(|record| record["site"] == "a.example"));
    // The pages that show records have only relative URLs; a form of another site, saved with them, names only that site.
    dir.sh("rm -r scrape").expect(0);
    dir.write("scrape/p/index.html", page("<link rel=canonical href=index.html>", "single postid-1"));
    for name in ["login-1.htm", "login-2.htm"] {
        dir.write(&format!("scrape/{name}"), page("<link rel=canonical href=https://c.example/login.php>", ""));
    }
    let run = dir.sh("wp-index --no-dump --scrape scrape").expect(0);
    let links: Vec<_> = run.records().iter().map(|record| record["link"].as_str().unwrap().to_owned()).collect();
    assert_eq!(links, ["https://c.example/login.php", "http://site.invalid/login-2.htm", "http://site.invalid/p/"]);
    assert!(run.records().iter().all(|record| record["site"] == "scrape"));
}

/// A mirror with responses of the API, of plugins, and a feed.
fn with_answers() -> Workdir {
    let dir = Workdir::new();
    dir.write("m/a.example/p/index.html", page("", "single postid-1"));
    dir.write("m/a.example/q/index.html", page("", "page page-id-3"));
    dir.write("m/a.example/wp-json/wp/v2/posts/index.json", json!([post(1, "/p/"), post(2, "/r/")]).to_string());
    dir.write("m/a.example/wp-json/tribe/events/v1/events/index.json", "{\"events\":[],\"rest_url\":\"x\"}");
    dir.write("m/a.example/wp-json/x/v1/names.json", "[\"a\",\"b\"]")
        .write("m/a.example/manifest.json", "{\"name\":\"a\"}");
    let link = format!("{SITE}/s/");
    let feed = format!(
        "<?xml version='1.0'?><rss><channel><link>{SITE}</link><item><link>{link}</link></item></channel></rss>"
    );
    dir.write("m/a.example/feed/index.html", feed);
    dir
}

#[test]
fn a_mirror_named_alone_is_dump_and_scrape() {
    let dir = with_answers();
    let want = [
        "post:1 a.example/p/index.html",
        "post:2 -",
        "post:null -",
        "html:http://a.example/q/ a.example/q/index.html -",
    ];
    let (run, other) =
        (dir.program("wp-index", "m", "").expect(0), dir.program("wp-index", "m --scrape m", "").expect(0));
    assert_eq!(joined(&run)[..3], want[..3]);
    assert_eq!(run.stdout, other.stdout);
    assert_eq!(run.stderr, "wp-index: m: a mirror, read as dump and as scrape (items: 7, feeds: 1, pages: 2)\n");
    let run = dir.sh("wpipe -n m -d data").expect(0);
    assert!(run.stdout.starts_with("wp-index --end --scrape m m |"), "{}", run.stdout);
    dir.sh("wpipe m -d data").expect(0);
    let run = dir.program("wp-index", "--no-dump --scrape m", "").expect(0);
    let what =
        "m: --no-dump leaves aside the answers of the REST API in it (1 files); as DUMP and --scrape, it gives both";
    assert_eq!(run.stderr, format!("wp-index: {what}\n"));
}

#[test]
fn a_mirror_without_answers_is_a_scrape() {
    let dir = Workdir::new();
    dir.write("m/a.example/p/index.html", page("", "single postid-1"));
    let run = dir.program("wp-index", "m", "").expect(0);
    assert_eq!(joined(&run), ["html:http://a.example/p/ a.example/p/index.html -"]);
    assert_eq!(run.stderr, "wp-index: m: a mirror, read as dump and as scrape (items: 0, feeds: 0, pages: 1)\n");
}

/// Four of forty mirrors gave no records at the first run: they have no folder named after the host, and no feed.
#[test]
fn a_mirror_without_host_and_feeds_is_a_scrape() {
    let dir = Workdir::new();
    dir.write("m/index.html", page("", "home blog")).write("m/p.html", page("", "single postid-1"));
    dir.write("m/site.webmanifest.html", "{\"name\":\"a\"}");
    let run = dir.program("wp-index", "m", "").expect(0);
    assert_eq!(joined(&run), ["html:http://site.invalid/p.html p.html -"]);
    // a page in a dump may be the server's response to a request that failed
    dir.write("d/posts.json", json!([post(1, "/p/")]).to_string()).write("d/posts-2.html", page("", "error404"));
    assert_eq!(joined(&dir.program("wp-index", "d", "").expect(0)), ["post:1 -"]);
}

/// HTTrack gives files an ending, and rewrites each canonical so that it leads to its own file.
#[test]
fn a_canonical_that_leads_to_its_own_file_states_no_url() {
    let dir = Workdir::new();
    for (file, url, canonical) in [
        ("blog/8.html", "blog/8", "8.html"),
        ("blog/a b.html", "blog/a%20b", "a%20b.html"),
        ("c/index.html", "c/", "index.html"),
        ("d.html", "d", "https://a.example/d/"),
    ] {
        let head = format!(
            "<!-- Mirrored from a.example/{url} by HTTrack Website Copier/3.x, GMT --><link rel=canonical href='{canonical}'>"
        );
        dir.write(
            &format!("m/a.example/{file}"),
            page(&head, "single postid-1").replace("postid-1", &format!("postid-{}", file.len())),
        );
    }
    let run = dir.program("wp-index", "m", "").expect(0);
    let mut links: Vec<String> =
        run.records().iter().map(|record| record["link"].as_str().unwrap().to_owned()).collect();
    links.sort();
    assert_eq!(
        links,
        ["http://a.example/blog/8", "http://a.example/blog/a%20b", "http://a.example/c/", "https://a.example/d/"]
    );
}

/// A mirror of an archive's copies had pages of ten hosts under one label without a word.
#[test]
fn pages_of_several_hosts_and_pages_among_the_dumps_are_named() {
    let dir = Workdir::new();
    dir.write("m/a.example/posts.json", json!([post(1, "/p/")]).to_string());
    for (host, at) in [("a.example", "p"), ("a.example", "q"), ("b.example", "x"), ("b.example", "y")] {
        dir.write(&format!("m/{host}/{at}/index.html"), page("", "page"));
    }
    let run = dir.program("wp-index", "m", "").expect(0);
    dir.write("n/posts.json", json!([post(1, "/p/")]).to_string()).write("o/p.html", page("", "single postid-1"));
    let both = dir.program("wp-index", "n o", "").expect(0);
    assert!(
        both.stderr.contains("pages of HTML among the dumps that are not read: 1; --scrape DIR reads pages"),
        "{}",
        both.stderr
    );
    assert!(run.stderr.contains("records of 2 hosts under one label: a.example 2, b.example 2"), "{}", run.stderr);
}

/// A copy of WordPress in the mirror gave six rejects, and no dataset.
#[test]
fn the_programs_of_wordpress_that_write_feeds_and_exports_are_none() {
    let dir = Workdir::new();
    dir.write("m/index.html", page("", "home page-id-1"));
    let feed = "<?php\n/** RSS2 Feed Template */\necho '<?xml version=\"1.0\"?'.'>';\n?>\n<rss version=\"2.0\">\n<channel>\n<item>\n<title><?php the_title_rss(); ?></title>\n</item>\n</channel>\n</rss>\n";
    let export =
        feed.replace("<channel>", "<!-- wordpress.org/export/ --><channel><wp:wxr_version>1.2</wp:wxr_version>");
    dir.write("m/wp-includes/feed-rss2.php", feed).write("m/wp-admin/export.php", export);
    let run = dir.program("wp-index", "m", "").expect(0);
    assert_eq!(joined(&run), ["page:1 index.html"]);
    assert!(!run.stderr.contains(".php"), "{}", run.stderr);
}

#[test]
fn a_dump_with_a_feed_that_has_no_entry_is_still_a_dump() {
    let dir = Workdir::new();
    dir.write("d/posts.json", json!([post(1, "/p/")]).to_string()).write("d/feed", "<?xml version='1.0'?><rss></rss>");
    let run = dir.program("wp-index", "d", "").expect(0);
    assert_eq!(joined(&run), ["post:1 -"]);
    dir.write("d/b.example/x/index.html", page("", "single postid-9"));
    let run = dir.program("wp-index", "d", "").expect(0);
    assert_eq!(joined(&run), ["post:1 -", "html:http://b.example/x/ b.example/x/index.html -"]);
}

/// A theme's demo content and the file of an importer lie in the folder of uploads.
#[test]
fn an_export_among_the_files_of_the_site_is_not_the_site() {
    let dir = Workdir::new();
    let export = crate::exports::export(&crate::exports::item_of(9, "post", "publish", "<p>Demo</p>", ""));
    dir.write("m/wp-content/uploads/2020/04/demo.xml_.txt", &export);
    dir.write("m/a.example/p/index.html", page("", "single postid-1"));
    let run = dir.program("wp-index", "m --scrape m", "").expect(0);
    assert_eq!(joined(&run), ["html:http://a.example/p/ a.example/p/index.html -"]);
    let told = "m/wp-content/uploads/2020/04/demo.xml_.txt: an export among the files of the site, skipped";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    let run = dir.program("wp-index", "m/wp-content/uploads/2020/04/demo.xml_.txt", "").expect(0);
    assert_eq!(joined(&run), ["post:9 -"]);
}

/// Old themes give the body no class. WordPress writes a canonical link for posts alone.
#[test]
fn months_terms_and_further_pages_without_a_canonical_link_are_lists() {
    let dir = Workdir::new();
    let generator = "<meta name=generator content='WordPress 3.3'>";
    let plain = || page(generator, "wide");
    let (lists, own) = (["2011/05", "page/2", "blog/category/sea"], ["2011", "2011/05/12", "2011/05/ubuntu", "map"]);
    for path in lists.into_iter().chain(own) {
        dir.write(&format!("m/a.example/{path}/index.html"), plain());
    }
    let url = "http://a.example/tag/";
    dir.write("m/a.example/tag/way/index.html", page(&format!("{generator}{}", canonical(&format!("{url}way/"))), ""));
    dir.write("m/a.example/tag/sea/index.html", page("", ""));
    let early = page("<meta name=generator content='WordPress 2.8.4'>", "");
    dir.write("m/a.example/tag/old/index.html", early);
    let run = dir.program("wp-index", "--no-dump --scrape m --stats stats", "").expect(0);
    let mut links: Vec<String> = run.records().iter().map(|page| page["link"].as_str().unwrap().to_owned()).collect();
    links.sort();
    let own = ["2011/", "2011/05/12/", "2011/05/ubuntu/", "map/", "tag/old/", "tag/sea/", "tag/way/"];
    assert_eq!(links, own.map(|path| format!("http://a.example/{path}")));
}

/// Without an id, the page of trackbacks or further comments is known by its URL, unless it states its own.
#[test]
fn the_pages_of_trackbacks_and_comments_are_aliases() {
    let dir = Workdir::new();
    for at in
        ["q", "q/trackback", "q/trackback/trackback", "q/comment-page-2", "p/trackback", "p", "z/trackback", "q/embed"]
    {
        dir.write(&format!("m/a.example/{at}/index.html"), page("", ""));
    }
    let own = canonical(&format!("{SITE}/p/comment-page-3/"));
    dir.write("m/a.example/p/comment-page-3/index.html", page(&own, ""));
    dir.write("m/a.example/trackback/index.html", page("", "")).write("m/a.example/index.html", page("", ""));
    dir.write("dump", json!([post(1, "/p/")]).to_string());
    let run = dir.program("wp-index", "dump --scrape m", "").expect(0);
    let of =
        |record: &serde_json::Value| format!("{} {}", record["link"], record["aliases"]).replace(['"', '[', ']'], "");
    let all: Vec<String> = run.records().iter().map(of).map(|own| own.replace(SITE, "")).collect();
    let want = [
        "/p/ /p/trackback/",
        "/ ",
        "/p/comment-page-3/ ",
        "/q/embed/ ",
        "/q/ /q/comment-page-2/,/q/trackback/,/q/trackback/trackback/",
        "/trackback/ ",
        "/z/trackback/ ",
    ];
    assert_eq!(all, want);
}

#[test]
fn a_link_with_two_schemes_is_that_of_the_second() {
    let dir = Workdir::new();
    let mut item = post(1, "/p/");
    item["link"] = json!(format!("http://{SITE}/p/"));
    dir.write("dump", json!([item]).to_string());
    dir.write("m/a.example/p/index.html", page("", "single postid-1"));
    let run = dir.program("wp-index", "dump --scrape m", "").expect(0);
    assert_eq!(joined(&run), ["post:1 a.example/p/index.html"]);
    assert_eq!(run.records()[0]["link"], format!("{SITE}/p/"));
}
