//! Tests WordPress exports (WXR) as a dump: which parts become records, and which never do.

use crate::workdir::{Run, Workdir};
use proptest::prelude::*;
use serde_json::{Value, json};

pub(super) const SITE: &str = "https://harbour.example";

/// An export that contains these authors, terms and items.
pub(super) fn export(inside: &str) -> String {
    format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<!-- generator=\"WordPress/6.8\" created=\"2026-01-01 10:00\" -->\n\
         <rss version=\"2.0\" xmlns:wp=\"http://wordpress.org/export/1.2/\">\n<channel>\n\t<title>Harbour</title>\n\t<link>{SITE}</link>\n\
         \t<language>en-US</language>\n\t<wp:wxr_version>1.2</wp:wxr_version>\n\t<wp:base_blog_url>{SITE}</wp:base_blog_url>\n{inside}</channel>\n</rss>\n"
    )
}

fn element(name: &str, text: &str) -> String {
    format!("\t\t<{name}><![CDATA[{}]]></{name}>\n", text.replace("]]>", "]]]]><![CDATA[>"))
}

fn author(id: i64, login: &str, name: &str) -> String {
    let fields = [
        ("wp:author_login", login),
        ("wp:author_email", "mail-author@secret.example"),
        ("wp:author_display_name", name),
    ];
    let fields: String = fields.iter().map(|(name, text)| element(name, text)).collect();
    format!("\t<wp:author><wp:author_id>{id}</wp:author_id>{fields}</wp:author>\n")
}

/// An item of this type; `more` follows its usual fields.
fn item(id: i64, r#type: &str, content: &str, more: &str) -> String {
    let status = if r#type == "attachment" { "inherit" } else { "publish" };
    item_of(id, r#type, status, content, more)
}

pub(super) fn item_of(id: i64, r#type: &str, status: &str, content: &str, more: &str) -> String {
    let fields = [
        ("title", &*format!("Title {id}")),
        ("dc:creator", "login-jane"),
        ("content:encoded", content),
        ("wp:post_date", "2026-01-02 10:00:00"),
        ("wp:post_date_gmt", "2026-01-02 09:00:00"),
        ("wp:post_name", &format!("slug-{id}")),
        ("wp:status", status),
        ("wp:post_type", r#type),
    ];
    let fields: String = fields.iter().map(|(name, text)| element(name, text)).collect();
    format!(
        "\t<item>\n\t\t<link>{SITE}/{id}/</link>\n\t\t<guid isPermaLink=\"false\">{SITE}/?p={id}</guid>\n\t\t<wp:post_id>{id}</wp:post_id>\n{fields}{more}\t</item>\n"
    )
}

pub(super) fn meta(key: &str, value: &str) -> String {
    format!("\t\t<wp:postmeta>\n{}{}\t\t</wp:postmeta>\n", element("wp:meta_key", key), element("wp:meta_value", value))
}

fn comment(id: i64, r#type: &str, approved: &str, content: &str) -> String {
    let fields = [
        ("wp:comment_author", "Sam"),
        ("wp:comment_author_email", "mail-comment@secret.example"),
        ("wp:comment_author_IP", "203.0.113.77"),
        ("wp:comment_author_url", "http://mail-url@secret.example/"),
        ("wp:comment_date_gmt", "2026-01-03 09:00:00"),
        ("wp:comment_content", content),
        ("wp:comment_approved", approved),
        ("wp:comment_type", r#type),
    ];
    let fields: String = fields.iter().map(|(name, text)| element(name, text)).collect();
    format!(
        "\t\t<wp:comment><wp:comment_id>{id}</wp:comment_id>{fields}<wp:comment_parent>4</wp:comment_parent></wp:comment>\n"
    )
}

/// Runs the first two stages over an export, and checks that the counts add up.
fn parse(args: &str, export: &str) -> (Run, Value) {
    let dir = Workdir::new();
    dir.write("site.xml", export);
    let run = dir.sh(&format!("wp-index site.xml --stats stats --max-rejects 999 {args} | wp-parse -q")).expect(0);
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    let sum = |names: &[&str]| names.iter().map(|name| stats[name].as_i64().unwrap_or(0)).sum::<i64>();
    assert_eq!(sum(&["items", "pages"]), sum(&["records_out", "rejects", "duplicates", "left_out"]), "{stats}");
    (run, stats)
}

fn texts(inside: &str) -> Vec<String> {
    let (run, _) = parse("", &export(inside));
    run.records().iter().map(|record| record["content"]["text"].as_str().unwrap_or("-").to_owned()).collect()
}

#[test]
fn an_export_becomes_the_records_of_its_site() {
    let term = "\t<wp:category><wp:term_id>7</wp:term_id><wp:category_nicename>boats</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name><![CDATA[Boats &amp; ships]]></wp:cat_name></wp:category>
        \t<wp:category><wp:term_id>8</wp:term_id><wp:category_nicename>sail</wp:category_nicename><wp:category_parent>boats</wp:category_parent><wp:cat_name>Sail</wp:cat_name></wp:category>\n";
    let of_post = "\t\t<category domain=\"category\" nicename=\"sail\"><![CDATA[Sail]]></category>\n\t\t<category domain=\"post_tag\" nicename=\"new\"><![CDATA[New]]></category>\n";
    let metadata = "a:5:{s:5:\"width\";i:800;s:6:\"height\";i:600;s:4:\"file\";s:9:\"2026/a.jpg\";s:5:\"sizes\";a:1:{s:6:\"medium\";a:4:{s:4:\"file\";s:13:\"a-300x225.jpg\";s:5:\"width\";i:300;s:6:\"height\";i:225;s:9:\"mime-type\";s:10:\"image/jpeg\";}}s:10:\"image_meta\";a:1:{s:6:\"camera\";s:1:\"C\";}}";
    let image = [
        "\t\t<wp:post_parent>10</wp:post_parent><wp:attachment_url>https://harbour.example/up/2026/a.jpg</wp:attachment_url>\n",
        &meta("_wp_attachment_image_alt", "A boat"),
        &meta("_wp_attachment_metadata", metadata),
    ]
    .concat();
    let more = [
        of_post,
        &meta("_wp_old_slug", "former"),
        "\t\t<wp:is_sticky>1</wp:is_sticky>\n",
        &meta("_thumbnail_id", "11"),
        &comment(4, "comment", "1", "Fine\n\nboat"),
        &comment(5, "", "1", "Yes"),
        &comment(6, "pingback", "1", "x"),
        &comment(7, "comment", "0", "x"),
    ]
    .concat();
    let inside = [
        &author(3, "login-jane", "Jane Doe"),
        term,
        &item(10, "post", "One \"two\".\n\nThree", &more),
        &item(11, "attachment", "", &image),
        &item_of(12, "post", "draft", "x", &comment(8, "comment", "1", "x")),
        &item(13, "nav_menu_item", "", ""),
    ]
    .concat();
    let (run, stats) = parse("", &export(&inside));
    assert_eq!(run.stderr, "");
    let records = run.records();
    let names: Vec<_> = records.iter().map(|r| format!("{}:{}", r["type"].as_str().unwrap(), r["id"])).collect();
    assert_eq!(names, ["user:3", "category:7", "category:8", "post:10", "comment:4", "comment:5", "media:11"]);
    let [user, _, sail, post, first, second, media] = &records[..] else { panic!("{records:?}") };
    assert_eq!((&user["name"], &user["slug"], &user["link"]), (&json!("Jane Doe"), &Value::Null, &Value::Null));
    assert_eq!((&sail["parent"], &records[1]["name"]), (&json!(7), &json!("Boats & ships")));
    assert_eq!(post["content"]["html"], "<p>One &#8220;two&#8221;.</p>\n<p>Three</p>\n");
    assert_eq!((&post["author"], &post["author_name"], &post["sticky"]), (&json!(3), &json!("Jane Doe"), &json!(true)));
    let named = &post["terms"].as_array().unwrap()[1];
    assert_eq!((&named["taxonomy"], &named["id"], &named["name"]), (&json!("tag"), &Value::Null, &json!("New")));
    assert_eq!((&post["featured_media"], &post["categories"]), (&json!(11), &json!([8])));
    assert_eq!(
        (&post["date_gmt"], &post["slug"], &post["status"]),
        (&json!("2026-01-02T09:00:00Z"), &json!("slug-10"), &json!("publish"))
    );
    assert_eq!((&post["content_source"], &post["source"]["via"]), (&json!("export"), &json!("wxr")));
    assert_eq!((&post["source"]["file"], &post["source"]["item"]), (&json!("site.xml"), &json!(4)));
    assert_eq!(
        (&first["content"]["text"], &first["parent"], &first["author_name"]),
        (&json!("Fine\nboat"), &json!(4), &json!("Sam"))
    );
    assert_eq!(second["link"], format!("{SITE}/10/#comment-5"));
    assert_eq!(
        (&media["alt_text"], &media["mime_type"], &media["post"]),
        (&json!("A boat"), &json!("image/jpeg"), &json!(10))
    );
    assert_eq!(media["sizes"][1]["url"], "https://harbour.example/up/2026/a-300x225.jpg");
    assert_eq!(media["media_details"]["image_meta"]["camera"], "C");
    assert_eq!(post["aliases"], json!([]), "the slug is not in the link");
    let counts = ["left_out_comments", "left_out_status", "left_out_types"].map(|name| stats[name].as_i64().unwrap());
    assert_eq!(counts, [3, 1, 1]);
}

/// An export that was saved from a browser's view of XML: every post was protected, and without an author.
#[test]
fn an_export_that_was_indented_anew_is_the_same() {
    let values = [("wp:post_password", ""), ("wp:comment_status", "open"), ("wp:is_sticky", "1")];
    let values: String = values.iter().map(|(name, text)| element(name, text)).collect();
    let file = element("wp:attachment_url", "https://harbour.example/up/a.pdf");
    let more = [&*values, &meta("_wp_page_template", "wide.php"), &comment(4, "comment", "1", "Fine boat")].concat();
    let inside = [
        author(3, "login-jane", "Jane Doe"),
        item(10, "post", "<p>One</p>", &more),
        item(11, "attachment", "", &[values.clone(), file].concat()),
        item(12, "post", "x", &element("wp:post_password", "p")),
    ]
    .concat();
    let export = export(&inside);
    let indented = export.replace("<![CDATA[", "\n<![CDATA[ ").replace("]]>", " ]]>\n");
    let [plain, indented] = [export, indented].map(|export| {
        let mut records = parse("", &export).0.records();
        for record in &mut records {
            // The blanks inside CDATA are part of a content.
            let html = record["content"]["html"].as_str().unwrap_or_default();
            record["content"]["html"] = json!(html.replace("<p> ", "<p>").replace(" </p>", "</p>").trim());
        }
        records
    });
    assert_eq!((plain.len(), &plain[1]["content"]["text"]), (5, &json!("One")));
    assert_eq!((&plain[1]["author_name"], &plain[1]["sticky"]), (&json!("Jane Doe"), &json!(true)));
    assert_eq!(indented, plain);
}

#[test]
fn the_files_of_podcasts_are_embeds() {
    let metas = [
        meta("enclosure", "https://b.example/one.mp3\n4711\naudio/mpeg\n"),
        meta(
            "talk:enclosure",
            "https://b.example/two.mp3\n1\naudio/mpeg\na:1:{s:8:&quot;duration&quot;;s:2:&quot;00&quot;;}",
        ),
        meta("enclosure", "no URL"),
        meta("_enclosure_id", "https://b.example/three.mp3"),
    ];
    let (run, _) = parse("", &export(&item(1, "post", "An episode", &metas.concat())));
    let records = run.records();
    let embeds = records[0]["embeds"].as_array().unwrap().iter();
    let embeds: Vec<_> = embeds.map(|embed| (embed["element"].clone(), embed["url"].clone())).collect();
    let want = ["one", "two"].map(|name| (json!("enclosure"), json!(format!("https://b.example/{name}.mp3"))));
    assert_eq!(embeds, want);
}

#[test]
fn what_is_asked_for_is_taken_and_forms_of_files_are_known_by_their_bytes() {
    let export = export(
        &[item(1, "post", "a", ""), item_of(2, "post", "draft", "b", ""), item(3, "feedback", "c", "")].concat(),
    );
    let ids =
        |args: &str| parse(args, &export).0.records().iter().map(|r| r["id"].as_i64().unwrap()).collect::<Vec<_>>();
    assert_eq!((ids(""), ids("--status draft,private"), ids("--types feedback")), (vec![1], vec![1, 2], vec![1, 3]));
    let (run, _) = parse(
        "",
        &self::export(&author(3, "login-jane", "x"))
            .replace("</channel>", "<wp:tag><wp:term_id>4</wp:term_id></wp:tag></channel>"),
    );
    assert_eq!(run.records()[0]["site"], "harbour.example");
    let dir = Workdir::new();
    dir.write("dump/site", &export).write("dump/a.json", "[]");
    for command in ["wp-index dump", "cat dump/site | wp-index", "gzip -c dump/site | wp-index", "wp-index < dump/site"]
    {
        assert_eq!(dir.sh(command).expect(0).records().len(), 1, "{command}");
    }
    let scraped = dir.sh("mkdir s; echo '<!DOCTYPE html><html><head><link rel=canonical href=https://harbour.example/1/></head><body>x</body></html>' > s/1.html; wp-index dump/site --scrape s").expect(0);
    assert_eq!(scraped.records()[0]["scrape"]["file"], "1.html");
}

/// From version 1.1 on, the creator is a login.
#[test]
fn the_creator_in_version_1_0_is_a_name() {
    let name = |version: &str, creator: &str, inside: &str| {
        let export = export(&(inside.to_owned() + &item(1, "post", "x", "")));
        let export = export.replace(">1.2<", &format!(">{version}<")).replace("login-jane", creator);
        parse("", &export).0.records().pop().unwrap()["author_name"].clone()
    };
    assert_eq!(name("1.0", "Jane Doe", ""), "Jane Doe");
    assert_eq!(name("1.1", "Jane Doe", ""), Value::Null);
    assert_eq!(name("1.0", "jane@secret.example", ""), Value::Null);
    assert_eq!(name("1.0", "jane", &author(3, "jane", "Jane D.")), "Jane D.");
    assert_eq!(name("1.0", "jane", &author(3, "login-bo", "Bo")), Value::Null);
    // Nor is a creator beside such an export.
    let dir = Workdir::new();
    for (file, version, creator, link) in [("a.xml", "1.0", "Jane Doe", "/a/"), ("b.xml", "1.1", "root42", "/b/")] {
        let export = export(&item(if file == "a.xml" { 1 } else { 2 }, "post", link, ""));
        dir.write(file, export.replace(">1.2<", &format!(">{version}<")).replace("login-jane", creator));
    }
    for files in ["a.xml b.xml", "b.xml a.xml"] {
        let run = dir.sh(&format!("wp-index {files} | wp-parse")).expect(0);
        assert!(!run.stdout.contains("root42"), "{}", run.stdout);
    }
}

/// The site had no name if no item had a link.
#[test]
fn the_link_of_the_channel_names_the_site() {
    let export = export(&item(1, "post", "x", "")).replace("wp:base_blog_url", "wp:x");
    let export = export.replace(&format!("<link>{SITE}/1/</link>"), "");
    assert_eq!(parse("", &export).0.records()[0]["site"], "harbour.example");
}

#[test]
fn a_requested_status_or_type_that_no_item_has_is_reported() {
    let site = export(&item(1, "boat", "x", ""));
    let (run, _) = parse("--status draft --types boat,ship", &site);
    let told: Vec<_> = run.stderr.lines().collect();
    assert_eq!(
        told,
        [
            "wp-index: --status draft: no item of an export of WordPress has it",
            "wp-index: --types ship: no item of an export of WordPress has it"
        ]
    );
}

#[test]
fn contents_are_what_a_reader_sees() {
    let blocks = "<!-- wp:paragraph {\"a\":1} -->\n<p>One -- 'two'</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:block {\"ref\":9} /-->\n<!-- wp:latest-posts /-->\n<!-- wp:footnotes /-->";
    let inside = [
        item(1, "post", blocks, &meta("footnotes", "[{\"id\":\"x\",\"content\":\"A note\"}]")),
        item(9, "wp_block", "<!-- wp:paragraph --><p>Shared</p><!-- /wp:paragraph --><!-- wp:block {\"ref\":9} /-->", ""),
        item(2, "post", "a <b>b</b>\nc :)\n\n[caption id=\"x\" width=\"300\"]<img src=\"/i.jpg\" /> It's \"it\"[/caption]\n\n[other x=\"1\"]d[/other]", ""),
        item(3, "post", "secret words", "\t\t<wp:post_password>secret</wp:post_password>\n"),
        item(4, "post", "[:en]Hello[:de]Hallo[:]", ""),
    ]
    .concat();
    let texts = texts(&inside);
    assert!(texts[0].starts_with("One — ‘two’\nShared\n") && texts[0].contains("A note"), "{:?}", texts[0]);
    assert_eq!(texts[1], "a b\nc 🙂\n[other x=”1″]d[/other]");
    assert_eq!(texts[2..], ["", "Hello", "Hallo"]);
    let (run, stats) = parse("", &export(&inside));
    assert_eq!(run.records()[1]["images"][0]["caption"], "It’s “it”");
    assert_eq!(stats["dynamic_blocks"], json!({"latest-posts": 1}));
    let records = run.records();
    assert_eq!((&records[2]["content"]["protected"], &records[2]["excerpt"]["html"]), (&json!(true), &json!("")));
    assert_eq!(
        (&records[4]["link"], &records[4]["language"]),
        (&json!("https://harbour.example/4/?lang=de"), &json!("de"))
    );
}

#[test]
fn files_of_a_site_complete_each_other() {
    let dir = Workdir::new();
    let image = "\t\t<wp:attachment_url>https://harbour.example/a.jpg</wp:attachment_url>\n";
    let own = "[gallery ids=\"2\" link=\"file\"]\n\n[playlist ids=\"2,4,5\"]";
    let post = item(1, "post", own, &meta("_wp_old_slug", "former")).replace("/1/", "/slug-1/");
    let songs =
        [4, 5].map(|id| item(id, "attachment", "", &image.replace("/a.jpg", &format!("/{id}&lt;/script>.mp3"))));
    dir.write("1.xml", export(&post)).write("2.xml", export(&(item(2, "attachment", "", image) + &songs.concat())));
    dir.write("3.xml", export(&author(3, "login-jane", "Jane Doe")));
    let records = dir.sh("wp-index 1.xml 2.xml 3.xml | wp-parse").expect(0).records();
    assert_eq!(
        (&records[0]["author_name"], &records[0]["aliases"]),
        (&json!("Jane Doe"), &json!([format!("{SITE}/former/")]))
    );
    assert_eq!(records[0]["images"][0]["src"], "https://harbour.example/a.jpg");
    let tracks = json!(["https://harbour.example/4</script>.mp3", "https://harbour.example/5</script>.mp3"]);
    assert_eq!(json!([records[0]["embeds"][0]["src"], records[0]["embeds"][1]["src"]]), tracks);
    let zipped = "python3 -c 'import zipfile; z = zipfile.ZipFile(\"a.zip\", \"w\", zipfile.ZIP_DEFLATED); [z.write(f\"{n}.xml\", f\"x/{n}.xml\") for n in (1, 2, 3)]'";
    let again = dir.sh(&format!("{zipped}; wp-index a.zip | wp-parse")).expect(0).records();
    assert_eq!((again.len(), &again[0]["source"]["file"]), (5, &json!("a.zip/x/1.xml")));
    assert_eq!(again[0]["content"], records[0]["content"]);
    // a mirror has XML that is no export
    dir.write("4.xml", "<?xml version='1.0'?><manifest></manifest>");
    let mirror = zipped.replace("a.zip", "m.zip").replace("(1, 2, 3)", "(4,)");
    assert_eq!(
        dir.sh(&format!("{mirror}; wp-index m.zip")).expect(1).stderr,
        "wp-index: m.zip: a zip archive: unpack it first\n"
    );
    let packed = dir.sh("tar cf a.tar 1.xml 2.xml; wp-index a.tar").expect(1);
    assert_eq!((&*packed.stdout, &*packed.stderr), ("", "wp-index: a.tar: a tar archive: unpack it first\n"));
}

#[test]
fn languages_are_those_that_the_plugins_state() {
    let term = |id: i64, taxonomy: &str, slug: &str, description: &str| {
        format!(
            "\t<wp:term><wp:term_id>{id}</wp:term_id><wp:term_taxonomy>{taxonomy}</wp:term_taxonomy><wp:term_slug>{slug}</wp:term_slug>{}</wp:term>\n",
            element("wp:term_description", description)
        )
    };
    let language =
        |slug: &str| format!("\t\t<category domain=\"language\" nicename=\"{slug}\"><![CDATA[x]]></category>\n");
    let inside = [
        term(2, "language", "de", "a:2:{s:6:\"locale\";s:5:\"de_AT\";s:3:\"rtl\";i:0;}"),
        term(3, "post_translations", "pll_1", "a:2:{s:2:\"de\";i:1;s:2:\"fr\";i:2;}"),
        item(1, "page", "a", &language("de")),
        item(2, "page", "b", &language("fr")),
        item(
            3,
            "page",
            "c",
            &[meta("_wpml_import_language_code", "it"), meta("_wpml_import_translation_group", "g")].concat(),
        ),
        item(
            4,
            "page",
            "d",
            &[meta("_wpml_import_language_code", "es"), meta("_wpml_import_translation_group", "g")].concat(),
        ),
        item(5, "page", "e", &meta("_locale", "ja")),
    ]
    .concat();
    let (run, _) = parse("", &export(&inside));
    let shown = |record: &Value| {
        let others = record["translations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{}:{}", one["language"].as_str().unwrap(), one["id"]));
        format!("{} {}", record["language"].as_str().unwrap(), others.collect::<Vec<_>>().join(" "))
    };
    let shown: Vec<_> = run.records().iter().map(shown).collect();
    assert_eq!(shown, ["de-AT fr:2", "fr de-AT:1", "it es:4", "es it:3", "ja "]);
}

/// An export with a secret in every field that identifies a person.
fn confidential() -> String {
    let keys = "_wp_attached_file_x _edit_last _billing_email _customer_ip cap-user_email session _wp_desired_post_slug user_pass";
    let metas: String =
        keys.split(' ').map(|key| meta(key, "mail-meta@secret.example 203.0.113.77 pass-secret")).collect();
    let person = "<category domain=\"author\" nicename=\"cap-login-guest\"><![CDATA[login-guest]]></category>\
        <category domain=\"author\" nicename=\"cap-login-jane\"><![CDATA[login-jane]]></category>\n";
    let more = [
        &metas,
        person,
        &meta("_thumbnail_id", "mail-meta@secret.example"),
        &comment(4, "comment", "1", "Fine")
            .replace(">Sam<", ">mail-name@secret.example<")
            .replace("[Sam]", "[mail-name@secret.example]"),
        &comment(5, "", "1", "Yes")
            .replace("[Sam]", "[login-bob]")
            .replace("<wp:comment_parent>", "<wp:comment_user_id>4</wp:comment_user_id><wp:comment_parent>"),
        &comment(6, "order_note", "1", "mail-note@secret.example"),
        &comment(7, "comment", "spam", "203.0.113.77"),
        &comment(9, "comment", "1", "By its login").replace("[Sam]", "[Login-Idle]"),
        &comment(30, "comment", "1", "By an address of the net").replace("[Sam]", "[203.0.113.77]"),
        &comment(31, "comment", "1", "By a login in disguise")
            .replace("[Sam]", "[&lt;b&gt;@login-bob&amp;nbsp;&lt;/b&gt;]"),
        &comment(32, "comment", "1", "By its archive")
            .replace("http://mail-url@secret.example/", "https://harbour.example/author/login-bob/"),
        &comment(33, "comment", "1", "By a query")
            .replace("http://mail-url@secret.example/", "http://b.example/?mail=mail-joe%40secret.example"),
        &comment(34, "comment", "1", "By the login of an item alone").replace("[Sam]", "[login-alone]"),
        "<wp:commentmeta><wp:meta_key>x</wp:meta_key><wp:meta_value>203.0.113.77</wp:meta_value></wp:commentmeta>",
    ]
    .concat();
    let guest = [
        meta("cap-display_name", "Guest Writer"),
        meta("cap-user_login", "login-guest"),
        meta("cap-user_email", "mail-guest@secret.example"),
    ]
    .concat();
    let first =
        "<wp:author_first_name>Bob</wp:author_first_name><wp:author_last_name>Roe</wp:author_last_name></wp:author>";
    export(
        &[
            author(3, "login-jane", "login-jane"),
            author(4, "login-bob", "mail-author@secret.example").replace("</wp:author>", first),
            author(5, "login-idle", "Idle"),
            item(10, "post", "Text", &more),
            item(11, "attachment", "", &[metas.as_str(), "<wp:attachment_url>https://harbour.example/a.jpg</wp:attachment_url>"].concat()),
            item(12, "page", "Hidden mail-page@secret.example", &["<wp:post_password>pass-secret</wp:post_password>", &comment(8, "comment", "1", "pass-secret")].concat()),
            item(13, "feedback", "mail-form@secret.example 203.0.113.77", &metas),
            item(14, "user_request", "", "").replace("Title 14", "mail-request@secret.example"),
            item(15, "guest-author", "login-guest", &guest),
            item(20, "post", "Broken", &metas).replace("</item>", "</wp:postmeta></item>"),
            item_of(16, "post", "private", "pass-secret", &metas),
            item(17, "shop_order", "mail-order@secret.example", &metas).replace("/17/", "/?post_type=shop_order&amp;p=17"),
            item(18, "attachment", "pass-secret", "<wp:post_parent>16</wp:post_parent><wp:attachment_url>https://harbour.example/pass-secret.jpg</wp:attachment_url>"),
            item(21, "post", "Of a writer whom the export does not list", "").replace("login-jane", "login-alone"),
            item(19, "unknown_note", "pass-secret", "").replace("/19/", "/?post_type=unknown_note&amp;p=19"),
        ]
        .concat(),
    )
}

/// Words that must not be in any output.
const SECRETS: [&str; 4] = ["secret", "203.0.113", "login-", "mail-"];

#[test]
fn logins_addresses_and_passwords_are_in_no_output() {
    let dir = Workdir::new();
    dir.write("site.xml", confidential());
    let stages = "wp-index site.xml --types user_request --rejects rejects --max-rejects 1 | tee 1 | wp-parse --keep meta,author,password --keep-api | tee 2 | wp-translations | tee 3 | wp-resolve | tee 4";
    dir.sh(&format!("{stages} | wp-export -q -d data")).expect(0);
    for format in ["csv", "graph", "graphml", "text", "markdown", "tei", "vert", "wpextract", "pairs"] {
        dir.sh(&format!("wp-export -q -d {format} --format {format} --allow-empty < 4")).expect(0);
    }
    for secret in SECRETS {
        let found = dir.sh(&format!("grep -raoiE '.{{0,60}}{secret}.{{0,20}}' . --exclude=site.xml"));
        assert_eq!(found.stdout, "", "{secret}");
    }
    assert_eq!(dir.read("rejects").trim(), "");
    let names = dir.sh("jq -r 'select(.kind == \"user\") | .name' 2").expect(0).stdout;
    assert_eq!(names, "null\n");
    assert_eq!(dir.sh("jq -r 'select(.id == 10) | .author_name' 2").expect(0).stdout, "Guest Writer\n");
    assert_eq!(dir.sh("jq -r 'select(.id == 5) | .author_name' 2").expect(0).stdout, "Bob Roe\n");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if std::env::var_os("WPIPE_CASES").is_some() { 2000 } else { 60 }) })]

    /// Damage costs only the items that it touches, and the counts always add up.
    #[test]
    fn a_damaged_export_loses_what_the_damage_touches(damages in proptest::collection::vec((0..1000_usize, 0..40_usize, "[<>!\\]\\[\"'&\u{0} ]{0,3}"), 1..4)) {
        let content = "<!-- wp:paragraph -->\n<p class=\"a\">x ]]> y &amp; <a href='b'>z</a></p>\n<!-- /wp:paragraph -->";
        let items: Vec<String> = (1..=20).map(|id| item(id, "post", content, &meta("k", "v"))).collect();
        let start = export("").find("</channel>").unwrap();
        let mut text = export(&items.concat());
        let end = text.len() - "</channel>\n</rss>\n".len();
        let mut places = Vec::new();
        let mut from = start;
        for item in &items {
            places.push(from..from + item.len());
            from += item.len();
        }
        let mut touched = std::collections::BTreeSet::new();
        let mut cuts: Vec<_> = damages.iter().map(|(at, cut, with)| (start + (end - start) * at / 1000, *cut, with)).collect();
        cuts.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
        for (at, cut, with) in cuts {
            let range = at..(at + cut).min(text.len());
            if text.is_char_boundary(range.start) && text.is_char_boundary(range.end) {
                touched.extend((0..20).filter(|n| places[*n].start <= range.end && range.start <= places[*n].end));
                text.replace_range(range, with);
            }
        }
        let (run, _) = parse("-q -j 1", &text);
        prop_assert_eq!(&run.stdout, &parse("-q -j 8", &text).0.stdout);
        let records = run.records().len();
        let most = touched.len().max(damages.len());
        prop_assert!(records + most >= 20, "{} of 20, {:?} touched by {} damages", records, touched, damages.len());
    }
}
