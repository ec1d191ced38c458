//! Tests which hosts count as the site's own, and how URLs on them and on foreign hosts are resolved.

use super::*;

/// A post at a URL, from the API on `host`.
fn of(host: &str, id: i64, link: &str) -> Value {
    let record = with(post(id, "/"), "link", json!(link));
    with(record, "source", json!({"rest": format!("https://{host}/wp-json/")}))
}

fn in_language(record: Value, tag: &str, named: &[(&str, &str)]) -> Value {
    let translations: Vec<Value> = named.iter().map(|(language, href)| translation(language, href)).collect();
    with(with(record, "language", json!(tag)), "translations", json!(translations))
}

/// Like [`check`], for a site whose own host is not `e.org`.
fn check_at(site: &[Value], expected: &[(&str, Option<i64>, Option<&str>)]) {
    let rest = site[0]["source"]["rest"].clone();
    let links: Vec<Value> = expected
        .iter()
        .map(|(url, ..)| {
            json!({"href": url, "url": url, "rel": NONE, "internal": NONE,
        "target": target(), "comment": NONE, "rule": NONE})
        })
        .collect();
    let link = rest.as_str().unwrap().replace("wp-json", "asking");
    let asking = with(with(of("x", 999, &link), "links", json!(links)), "source", json!({"rest": rest}));
    let out = resolve(&[site, &[asking]].concat());
    for (link, (url, id, rule)) in out.last().unwrap()["links"].as_array().unwrap().iter().zip(expected) {
        assert_eq!((link["target"]["id"].as_i64(), link["rule"].as_str()), (*id, *rule), "{url}: {link}");
    }
}

/// Three languages, each on a host of its own; one API has all of them.
fn language_hosts() -> Vec<Value> {
    let [en, de, fr] = ["site.org", "site.de", "fr.site.org"];
    let on = |host: &str, path: &str| format!("https://{host}{path}");
    let named = |path: &str, hosts: &[&str]| -> Vec<(String, String)> {
        hosts.iter().map(|host| (if *host == de { "de" } else { "en" }.to_owned(), on(host, path))).collect()
    };
    let record = |id: i64, host: &str, path: &str, tag: &str, hosts: &[&str]| {
        let named = named("/", hosts);
        let named: Vec<(&str, &str)> = named.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        in_language(of(en, id, &on(host, path)), tag, &named)
    };
    vec![
        record(1, en, "/one/", "en", &[de, fr]),
        record(2, de, "/zwei/", "de", &[en]),
        record(3, fr, "/trois/", "fr", &[en]),
        record(4, en, "/both/", "en", &[]),
        record(5, de, "/both/", "de", &[]),
        with(with(of(en, 6, &on(en, "/author/ann/")), "kind", json!("user")), "type", json!("user")),
    ]
}

#[test]
fn a_path_may_be_owned_on_another_host_of_the_site() {
    check_at(
        &language_hosts(),
        &[
            ("https://site.org/zwei/", Some(2), Some("other_host")),
            ("https://site.de/one/?utm_source=x", Some(1), Some("other_host")),
            ("https://fr.site.org/one/", Some(1), Some("other_host")),
            ("https://fr.site.org/both/", None, None),
            ("https://site.de/both/2/", Some(5), Some("subpage")),
            ("https://site.de/", None, None),
            ("https://site.de/?p=3", Some(3), Some("shortlink")),
            ("https://site.de/author/ann/?x=1", Some(6), Some("author")),
            ("https://other.site.org/one/", None, None),
        ],
    );
}

/// A plugin gives a page the address of another site; hosts that are merely related do not belong to the site.
#[test]
fn a_record_on_a_host_of_others_does_not_make_it_ours() {
    for (own, guest) in [
        ("cs.uni.example", "library.uni.example"),
        ("cs.uni.example", "uni.example"),
        ("one.ac.uk", "two.ac.uk"),
        ("me.wordpress.com", "you.wordpress.com"),
        ("e.org", "shop.e.org"),
        ("e.org", "partner.net"),
    ] {
        let at = |path: &str| format!("https://{own}{path}");
        let mut site = vec![of(own, 1, &at("/about/")), of(own, 2, &at("/news/")), of(own, 3, &at("/jobs/"))];
        site.push(with(with(of(own, 4, &at("/author/ann/")), "kind", json!("user")), "type", json!("user")));
        for id in 10..10 + if own == "e.org" { 9 } else { 1 } {
            site.push(of(own, id, &format!("https://{guest}/{id}/")));
        }
        site.push(of(own, 30, &format!("https://{guest}/")));
        let there = |path: &str| format!("https://{guest}{path}");
        let paths =
            ["/about/", "/author/ann/", "/?p=1", "/?author_name=ann", "/news/2/", "/10/?q=x", "/10/2/"].map(there);
        let mut expected: Vec<(&str, Option<i64>, Option<&str>)> =
            paths.iter().map(|url| (url.as_str(), None, None)).collect();
        let (own_ten, ten) = (at("/?p=10"), there("/10/?utm_source=x"));
        expected.push((&own_ten, Some(10), Some("shortlink")));
        expected.push((&ten, Some(10), Some("query_cleaned")));
        check_at(&site, &expected);
    }
}

/// Two universities, each with ten departments whose sites are separate, in one crawl under one name.
#[test]
fn neighbours_with_an_api_of_their_own_are_other_sites() {
    let hosts: Vec<String> =
        ["uni.example", "college.ac.uk"].iter().flat_map(|uni| (0..10).map(move |n| format!("d{n}.{uni}"))).collect();
    let mut site = Vec::new();
    for (n, host) in hosts.iter().enumerate() {
        let id = n as i64;
        site.push(of(host, id, &format!("https://{host}/about-{n}/")));
        site.push(with(
            with(of(host, id, &format!("https://{host}/author/a{n}/")), "kind", json!("user")),
            "type",
            json!("user"),
        ));
    }
    let mut expected: Vec<(String, Option<i64>, Option<&str>)> = Vec::new();
    for (n, host) in hosts.iter().enumerate() {
        let other = (n + 7) % hosts.len();
        expected.push((format!("https://{host}/about-{n}"), Some(n as i64), Some("normalised")));
        expected.push((format!("https://{host}/about-{n}/2/"), Some(n as i64), Some("subpage")));
        expected.push((format!("https://{host}/?p={n}"), Some(n as i64), Some("shortlink")));
        for path in ["about-N/", "?p=N", "author/aN/", "about-N/?x=1", "de/about-N/", "?author=N"] {
            let path = path.replace('N', &other.to_string());
            // Without a host's own ids, the owner of ?author=N is unknown.
            expected.push((format!("https://{host}/{path}"), None, None));
        }
    }
    let expected: Vec<_> = expected.iter().map(|(url, id, rule)| (url.as_str(), *id, *rule)).collect();
    check_at(&site, &expected);
}

#[test]
fn without_evidence_the_host_of_most_records_is_the_sites() {
    let records = [post(1, "/a/"), post(2, "/b/"), with(post(3, "/"), "link", json!("https://fr.e.org/c/"))];
    check(&records, &[("https://fr.e.org/a/", None, None), ("/c/", None, None), ("/a/2/", Some(1), Some("subpage"))]);
    // An API behind a proxy has a host of its own.
    let behind = |record: Value| with(record, "source", json!({"rest": "http://10.0.0.7/wp-json/"}));
    check(
        &records.map(behind),
        &[("/a/2/", Some(1), Some("subpage")), ("http://10.0.0.7/b/", Some(2), Some("other_host"))],
    );
}

/// A page has a translation on another site: the page names that translation, and the plugin there names the page in return.
#[test]
fn a_translation_elsewhere_is_no_host_of_a_language() {
    let rest = |record: Value| {
        let mut record = record;
        record["translations"][0]["source"] = json!("rest");
        record
    };
    let site = |own_german: bool| {
        let mut site = vec![
            in_language(of("e.org", 1, "https://e.org/a/"), "en", &[("de", "https://lib.e.org/x/")]),
            rest(in_language(of("e.org", 2, "https://lib.e.org/x/"), "de", &[("en", "https://e.org/a/")])),
        ];
        site.extend(own_german.then(|| in_language(of("e.org", 3, "https://e.org/de/b/"), "de", &[])));
        site
    };
    check_at(&site(true), &[("https://lib.e.org/a/", None, None)]);
    check_at(&site(false), &[("https://lib.e.org/a/", Some(1), Some("other_host"))]);
}

#[test]
fn a_year_is_not_the_number_of_a_further_page() {
    check(
        &[post(1, "/news/"), post(2, "/en/")],
        &[
            ("/news/2023/", None, None),
            ("/news/1999/", None, None),
            ("/en/2023/", None, None),
            ("/news/2023/amp/", None, None),
            ("/news/21/", Some(1), Some("subpage")),
            ("/news/2100/", Some(1), Some("subpage")),
            ("/news/page/2023/", Some(1), Some("subpage")),
        ],
    );
}

#[test]
fn a_reference_that_reads_like_a_host_may_be_one_of_the_sites() {
    check(
        &[post(1, "/about/"), post(2, "/asking/www.e.net/"), post(3, "/asking/about/")],
        &[
            ("index.php/about/", Some(3), Some("normalised")),
            ("../index.php/about/", Some(1), Some("normalised")),
            ("www.e.net/", Some(2), Some("exact")),
            ("www.e.net/2/", None, None),
            ("www.f.net/", None, None),
        ],
    );
}

/// Translations of one upload; two edits of one; and two uploads, one named like the other.
#[test]
fn of_two_media_records_of_one_file_the_first_is_meant() {
    let original = |id: i64, file: &str| {
        let mut record = media(id, file, &["pano-300x200.jpg"]);
        record["media_details"]["original_image"] = json!("pano.jpg");
        record
    };
    let url = |name: &str| format!("/wp-content/uploads/2020/01/{name}");
    let [full, small, unlisted] = ["pano.jpg", "pano-300x200.jpg", "pano-160x120.jpg"].map(url);
    let site = [original(7, "pano-scaled.jpg"), original(5, "pano-scaled.jpg")];
    check(
        &site,
        &[
            (&full, Some(5), Some("media_original")),
            (&small, Some(5), Some("media_size")),
            (&unlisted, Some(5), Some("media_variant")),
        ],
    );
    let mut other = original(5, "quay-scaled.jpg");
    other["sizes"] = json!([]);
    check(&[original(7, "pano-scaled.jpg"), other], &[(&full, None, Some("ambiguous"))]);
}

#[test]
fn a_copy_of_the_site_elsewhere_is_no_image_server() {
    let page = media(7, "pano.jpg", &[]);
    let page = with(page, "link", json!("https://e.org/pano/"));
    check(
        &[post(1, "/a/"), page],
        &[
            ("https://archive.example/web/e.org/pano/", None, None),
            ("https://i0.example/e.org/wp-content/uploads/2020/01/pano.jpg", Some(7), Some("media_cdn")),
            ("https://web.archive.org/web/2020/https://e.org/wp-content/uploads/2020/01/pano.jpg", None, None),
        ],
    );
}
