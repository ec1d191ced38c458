//! Tests statements of rights in a record: every kind in every place, through the real programs; and texts that only look like one.

use crate::archives::{TIME, record, response};
use crate::workdir::Workdir;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SITE: &str = "https://r.example";
const BY: &str = "https://creativecommons.org/licenses/by/4.0/";

/// The HTML that Creative Commons' chooser makes for a licence.
fn chosen(code: &str) -> String {
    let url = format!("http://creativecommons.org/licenses/{code}/4.0/");
    format!(
        "<p><a rel=\"license\" href=\"{url}\"><img alt=\"Creative Commons License\" src=\"https://i.creativecommons.org/l/{code}/4.0/88x31.png\"></a><br>This \
         work is licensed under a <a rel=\"license\" href=\"{url}\">Creative Commons License</a>.</p>"
    )
}

/// One post: parts of its API item, its page and its HTTP headers, and the statements that its record must have: kind, scope, place, value
/// (or else URL).
struct Case {
    content: String,
    head: String,
    body: String,
    headers: &'static str,
    want: Vec<&'static str>,
}

fn case(part: &str, html: impl Into<String>, want: &[&'static str]) -> Case {
    let mut case = Case {
        content: "<p>Words of the text.</p>".to_owned(),
        head: String::new(),
        body: String::new(),
        headers: "",
        want: want.to_vec(),
    };
    match part {
        "content" => case.content += &html.into(),
        "head" => case.head = html.into(),
        _ => case.body = html.into(),
    }
    case
}

fn header(headers: &'static str, want: &[&'static str]) -> Case {
    Case { headers, ..case("head", "", want) }
}

/// Every kind of statement in every place, and texts that look like one.
fn cases() -> Vec<Case> {
    let cc = |text: &str| text.replace("CC", &format!("<a href='{BY}'>CC BY 4.0</a>"));
    let script = |json: &str| format!("<script type='application/ld+json'>{json}</script>");
    vec![
        case("head", "", &[]),
        // the head
        case("head", format!("<link rel=license href='{BY}'>"), &["licence record link CC-BY-4.0"]),
        case("head", "<link rel=license href='#license'>", &[]),
        case("head", "<link rel='dcterms.license' href='/terms/'>", &["licence record link https://r.example/terms/"]),
        case("head", format!("<meta name='DC.rights' content='{BY}'>"), &["licence record meta CC-BY-4.0"]),
        case("head", "<meta name='dcterms.license' content='CC BY-SA 3.0'>", &["licence record meta CC-BY-SA-3.0"]),
        case(
            "head",
            "<meta name='dc.rights' content='All rights with Ann'>",
            &["copyright record meta All rights with Ann"],
        ),
        case("head", "<meta name=copyright content='© 2024 Ann'>", &["copyright record meta © 2024 Ann"]),
        case(
            "head",
            "<meta name=tdm-reservation content=1><meta name=tdm-policy content='/p.json'>",
            &["reservation record meta tdm-reservation: 1"],
        ),
        case(
            "head",
            "<meta name=robots content='index, noai, noimageai'>",
            &["reservation record meta noai", "reservation record meta noimageai"],
        ),
        case(
            "head",
            "<meta name=robots content='noindexer, max-snippet:-1'><meta name=description content='noai, CC BY 4.0'>",
            &[],
        ),
        case(
            "head",
            script(&format!("{{\"@type\":\"Article\",\"license\":\"{BY}\",\"copyrightNotice\":\"© Ann\"}}")),
            &["licence record json-ld CC-BY-4.0", "copyright record json-ld © Ann"],
        ),
        case(
            "head",
            script(
                "{\"@graph\":[{\"@type\":\"WebSite\",\"usageInfo\":\"https://r.example/use\"},{\"@type\":\"ImageObject\",\"license\":\"https://creativecommons.org/publicdomain/zero/1.0/\"}]}",
            ),
            &["licence image json-ld CC0-1.0", "licence site json-ld https://r.example/use"],
        ),
        case(
            "head",
            script("{\"@type\":\"SoftwareApplication\",\"license\":\"https://www.gnu.org/licenses/gpl.html\"}"),
            &[],
        ),
        // the content
        case("content", chosen("by-sa"), &["licence record content CC-BY-SA-4.0"]),
        case("content", cc("<p>This article is published under CC.</p>"), &["licence record content CC-BY-4.0"]),
        case(
            "content",
            format!("<p><span property='dct:title'>X</span> <link property='cc:license' href='{BY}'></p>"),
            &["licence record content CC-BY-4.0"],
        ),
        case(
            "content",
            "<map><area rel=license href='https://creativecommons.org/publicdomain/zero/1.0/'></map>",
            &["licence record content CC0-1.0"],
        ),
        case("content", cc("<p>Dieser Text steht unter der Lizenz CC.</p>"), &["licence record content CC-BY-4.0"]),
        case(
            "content",
            cc("<p>Some content in this post is licensed under CC.</p>"),
            &["licence part content CC-BY-4.0"],
        ),
        case(
            "content",
            cc("<p>All content on this site is available under CC.</p>"),
            &["licence site content CC-BY-4.0"],
        ),
        case(
            "content",
            cc("<figure><img src=/a.jpg><figcaption>Ann, CC</figcaption></figure>"),
            &["licence image content CC-BY-4.0"],
        ),
        case("content", cc("<p>Photo: Ann, CC</p>"), &["licence image content CC-BY-4.0"]),
        case("content", "<p>Copyright © 2020 Ann Lee</p>", &["copyright record content Copyright © 2020 Ann Lee"]),
        case("content", format!("<blockquote>{}</blockquote>", chosen("by")), &[]),
        case("content", cc("<p>This plugin is licensed under CC.</p>"), &[]),
        case("content", cc("<p>You may choose CC for your work.</p>"), &[]),
        case("content", cc("<ul><li><a href='https://x.example/'>Foo</a>, CC</li></ul>"), &[]),
        case("content", cc("<h3>References</h3><p>A story by Bob, CC.</p>"), &[]),
        // the page, which is read to its end because of its switcher
        case(
            "body",
            format!("<article><div class=license>{}</div></article>", chosen("by-nd")),
            &["licence record page CC-BY-ND-4.0"],
        ),
        case(
            "body",
            cc("<footer><p>The content of this site is licensed under CC.</p></footer>"),
            &["licence site page CC-BY-4.0"],
        ),
        case("body", format!("<ol class=comment-list><li class=comment>{}</li></ol>", chosen("by")), &[]),
        // headers
        header(
            "TDM-Reservation: 1\r\nTDM-Policy: https://r.example/p.json",
            &["reservation record header tdm-reservation: 1"],
        ),
        header("tdm-reservation: 0", &["reservation record header tdm-reservation: 0"]),
        header("X-Robots-Tag: noai, noindex", &["reservation record header noai"]),
        header("X-Robots-Tag: otherbot: noai", &[]),
        header(
            "Link: <https://creativecommons.org/licenses/by/3.0/>; rel=\"license\"",
            &["licence record header CC-BY-3.0"],
        ),
    ]
}

/// The statements that every page of the site has: in its template, and in its files for robots.
const OF_SITE: [&str; 4] = [
    "licence site template CC-BY-NC-SA-4.0",
    "reservation site robots.txt CCBot, GPTBot",
    "reservation site tdmrep.json tdm-reservation: 1",
    "copyright site template © 2010–2026 The Quay. Built on sand.",
];

const ROBOTS: &str = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: ClaudeBot\nDisallow: /x/\n\nUser-agent: *\nDisallow:\n";
const TDMREP: &str = "[{\"location\":\"/\",\"tdm-reservation\":1,\"tdm-policy\":\"https://r.example/policy.json\"}]";

fn page(case: &Case, id: usize) -> String {
    let footer =
        format!("<footer class=site-footer>{}<p>© 2010–2026 The Quay. Built on sand.</p></footer>", chosen("by-nc-sa"));
    format!(
        "<!doctype html><html lang=en><head><title>Post {id}</title><link rel=canonical href='{SITE}/p{id}/'>{}</head>\
         <body class='single single-post postid-{id}'><div class=entry-content>{}</div>{}{footer}</body></html>",
        case.head, case.content, case.body
    )
}

/// The site as a dump and an archive, and the statements that each record must have.
fn site() -> (Workdir, Vec<Vec<&'static str>>) {
    let (dir, cases) = (Workdir::new(), cases());
    let mut archive = record("warcinfo", "", "", b"software: a test\r\n");
    let text = |body: &str, kind: &str| (format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}"), body.to_owned());
    for (path, (head, body)) in
        [("/robots.txt", text(ROBOTS, "text/plain")), ("/.well-known/tdmrep.json", text(TDMREP, "application/json"))]
    {
        archive.extend(response(&format!("{SITE}{path}"), TIME, &head, body));
    }
    let (mut items, mut wants) = (Vec::new(), Vec::new());
    for (id, case) in (1..).zip(&cases) {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\n{}", case.headers);
        archive.extend(response(&format!("{SITE}/p{id}/"), TIME, head.trim_end(), page(case, id)));
        items.push(
            json!({"id": id, "type": "post", "link": format!("{SITE}/p{id}/"), "content": {"rendered": case.content}}),
        );
        wants.push(case.want.clone());
    }
    dir.write("x.warc", archive).write("dump.json", Value::from(items).to_string());
    (dir, wants)
}

fn stated(record: &Value) -> BTreeSet<String> {
    let entry = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap_or_default();
        let value = if one["value"].is_null() { text("url") } else { text("value") };
        format!("{} {} {} {value}", text("kind"), text("scope"), text("place"))
    };
    let entries = record["rights"].as_array().unwrap();
    let set: BTreeSet<String> = entries.iter().map(entry).collect();
    assert_eq!(set.len(), entries.len(), "{record}");
    set
}

const PIPE: &str = "wp-index -q dump.json --scrape x.warc | wp-parse -q | wp-translations -q";

#[test]
fn every_signal_in_every_place_is_found_and_nothing_else() {
    let (dir, wants) = site();
    let records = dir.sh(PIPE).expect(0).records();
    assert_eq!(records.len(), wants.len());
    let (mut right, mut found, mut all) = (0, 0, 0);
    for ((record, want), case) in records.iter().zip(&wants).zip(cases()) {
        let want: BTreeSet<String> = want.iter().chain(&OF_SITE).map(|one| (*one).to_owned()).collect();
        let got = stated(record);
        (right, found, all) = (right + got.intersection(&want).count(), found + got.len(), all + want.len());
        assert_eq!(got, want, "{} {} {} {}", case.headers, case.head, case.content, case.body);
    }
    assert_eq!((right, found), (all, all), "precision and recall");
}

#[test]
fn twice_is_once_and_any_stage_may_be_left_out() {
    let (dir, _) = site();
    let once = dir.sh(PIPE).expect(0).stdout;
    assert_eq!(dir.sh(&format!("{PIPE} -j8 | wp-translations -q -j2")).expect(0).stdout, once);
    dir.write("once", &once);
    assert_eq!(dir.sh("wp-parse -q once").expect(0).stdout, once);
    let parsed = dir.sh("wp-index -q dump.json --scrape x.warc | wp-parse -q").expect(0).records();
    assert_eq!(stated(&parsed[0]).len(), 2, "what the site's files say");
    let without =
        dir.sh("wp-index -q dump.json --scrape x.warc | jq -c 'del(.rights)' | wp-parse -q | wp-translations -q");
    assert_eq!(stated(&without.expect(0).records()[0]).len(), 2, "what the template says");
    // the statements of a page do not depend on other records
    let alone =
        dir.sh("wp-index -q dump.json --scrape x.warc | wp-parse -q | sed -n 20p | wp-translations -q").expect(0);
    assert_eq!(alone.stdout.trim_end(), once.lines().nth(19).unwrap());
}

#[test]
fn pages_without_a_record_state_theirs() {
    // a copyright line is not part of the content that is taken from a page
    let of_page = |one: &str| one.replace("copyright record content", "copyright record page");
    let (dir, wants) = site();
    let records =
        dir.sh("wp-index -q --no-dump --scrape x.warc | wp-parse -q | wp-translations -q").expect(0).records();
    assert_eq!(records.len(), wants.len());
    for record in records {
        let id: usize = record["link"].as_str().unwrap().trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap();
        let want: BTreeSet<String> = wants[id - 1].iter().chain(&OF_SITE).map(|one| of_page(one)).collect();
        assert_eq!(stated(&record), want, "{}", record["content"]["html"]);
    }
}

#[test]
fn a_scraped_folder_has_the_files_for_robots_too() {
    let dir = Workdir::new();
    // the length up to which RFC 9309 requires that files are parsed
    let robots = "#".repeat((500 << 10) - ROBOTS.len() - 1) + "\n" + ROBOTS;
    dir.write("s/r.example/robots.txt", robots).write("s/r.example/.well-known/tdmrep.json", TDMREP);
    dir.write(
        "s/r.example/p1/index.html",
        "<html><head><link rel=canonical href=https://r.example/p1/></head><body><p>x</p></body></html>",
    );
    dir.write(
        "dump.json",
        json!([{"id": 1, "type": "post", "link": "https://r.example/p1/", "content": {"rendered": "x"}},
        {"id": 2, "type": "post", "link": "https://r.example/p2/", "content": {"rendered": "x"}}])
        .to_string(),
    );
    let records = dir.sh("wp-index -q dump.json --scrape s | wp-parse -q").expect(0).records();
    for record in records {
        assert_eq!(stated(&record), OF_SITE[1..3].iter().map(|one| (*one).to_owned()).collect(), "{record}");
        assert_eq!(record["rights"][1]["url"], "https://r.example/policy.json");
    }
}

#[test]
fn files_state_their_own() {
    let media = |fields: Value| {
        let mut item = json!({"id": 1, "type": "attachment", "media_type": "image", "link": "https://r.example/a/", "source_url": "https://r.example/a.jpg"});
        item.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let run = Workdir::new().sh(&format!("echo '{item}' | wp-index -q | wp-parse -q")).expect(0);
        stated(&run.records()[0])
    };
    for (fields, want) in [
        (json!({}), vec![]),
        (
            json!({"caption": {"rendered": format!("<p>Photo by Ann, <a href=\"{BY}\">CC BY</a></p>")}}),
            vec!["licence record caption CC-BY-4.0"],
        ),
        (
            json!({"description": {"rendered": "<p>Ann / CC BY-SA 4.0</p>"}}),
            vec!["licence record content CC-BY-SA-4.0"],
        ),
        (
            json!({"media_details": {"image_meta": {"copyright": "Ann Lee", "credit": "Bob"}}}),
            vec!["copyright record image_meta Ann Lee"],
        ),
        (
            json!({"media_details": {"image_meta": {"copyright": "", "credit": "Bob / CC BY 2.0"}}}),
            vec!["licence record image_meta CC-BY-2.0"],
        ),
        (json!({"meta": {"isc_image_licence": "CC0", "license_key": "x"}}), vec!["licence record field CC0-1.0"]),
        (
            json!({"acf": {"copyright_notice": "© Ann", "license": {"url": BY}}}),
            vec!["licence record field CC-BY-4.0", "copyright record field © Ann"],
        ),
    ] {
        let want: BTreeSet<String> = want.into_iter().map(str::to_owned).collect();
        assert_eq!(media(fields.clone()), want, "{fields}");
    }
}

#[test]
fn formats_have_the_rights() {
    let (dir, _) = site();
    dir.sh(&format!("{PIPE} | wp-resolve -q > all; for f in jsonl csv markdown tei report; do wp-export -q all --format $f -d $f; done")).expect(0);
    let csv = dir.read("csv/rights.csv");
    assert!(csv.starts_with("record,site,type,id,link,number,kind,value,url,place,scope\r\n"));
    assert!(
        csv.contains(",1,licence,CC-BY-NC-SA-4.0,http://creativecommons.org/licenses/by-nc-sa/4.0/,template,site\r\n"),
        "{csv}"
    );
    let manifest: Value = serde_json::from_str(&dir.read("csv/manifest.json")).unwrap();
    assert_eq!(manifest["rights"]["licences"]["CC-BY-NC-SA-4.0"], cases().len());
    assert!(dir.read("jsonl/README.md").contains("| licence | CC-BY-NC-SA-4.0 |"));
    assert!(dir.read("jsonl/croissant.json").contains("Licences that records state: "));
    assert!(dir.read("report/report.html").contains("Records by licence"));
    let markdown = dir.sh("cat $(grep -rl '^id: 2$' markdown)").expect(0).stdout;
    assert!(
        markdown.contains("\nlicenses: [\"CC-BY-4.0\", \"CC-BY-NC-SA-4.0\"]\nrights:\n  - kind: \"licence\"\n"),
        "{markdown}"
    );
    let tei = dir.sh("cat $(grep -rl '<idno type=\"post\">2</idno>' tei)").expect(0).stdout;
    assert!(tei.contains("<availability><licence target=\"https://creativecommons.org/licenses/by/4.0/\" n=\"record\">CC-BY-4.0</licence>"), "{tei}");
}

/// A capture without a body of its own has its own headers, and the robots.txt of its day applies.
#[test]
fn a_revisit_has_the_headers_and_the_robots_of_its_day() {
    let dir = Workdir::new();
    let page = "<html><head><link rel=canonical href=https://r.example/p1/></head><body class='single postid-1'><p>x</p></body></html>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html";
    let plain = "HTTP/1.1 200 OK\r\nContent-Type: text/plain";
    let robots = |bots: &str| format!("{bots}Disallow: /\n");
    let mut archive =
        response("https://r.example/robots.txt", "2025-01-01T00:00:00Z", plain, robots("User-agent: GPTBot\n"));
    archive.extend(response("https://r.example/p1/", "2025-01-02T00:00:00Z", head, page));
    let digest = String::from_utf8_lossy(&archive)
        .rsplit("WARC-Payload-Digest: ")
        .next()
        .unwrap()
        .lines()
        .next()
        .unwrap()
        .to_owned();
    archive.extend(response(
        "https://r.example/robots.txt",
        "2026-01-01T00:00:00Z",
        plain,
        robots("User-agent: CCBot\n"),
    ));
    let revisit = format!("WARC-Date: 2026-01-02T00:00:00Z\r\nWARC-Payload-Digest: {digest}\r\n");
    archive.extend(record(
        "revisit",
        "https://r.example/p1/",
        &revisit,
        format!("{head}\r\ntdm-reservation: 1\r\n\r\n").as_bytes(),
    ));
    dir.write("x.warc", archive);
    let records = dir.sh("wp-index -q --no-dump --captures all --scrape x.warc | wp-parse -q").expect(0).records();
    let found: BTreeSet<_> = records.iter().map(stated).collect();
    let set = |list: &[&str]| -> BTreeSet<String> { list.iter().map(|one| (*one).to_owned()).collect() };
    let want = [
        set(&["reservation site robots.txt GPTBot"]),
        set(&["reservation record header tdm-reservation: 1", "reservation site robots.txt CCBot"]),
    ];
    assert_eq!(found, want.into_iter().collect());
}

/// The rules that decide what a licence is about are counted by both programs that find one in a text.
#[test]
fn stats_count_the_rules_on_licences_and_terms() {
    let dir = Workdir::new();
    let item = json!({"id": 1, "type": "post", "link": format!("{SITE}/p/"), "title": {"rendered": "x"},
        "content": {"rendered": format!("<p>All words.</p>{}<p>Photo by Bo, CC BY 2.0</p>", chosen("by"))}});
    dir.write("dump", json!([item]).to_string());
    let body = format!(
        "<article class='post-2 hentry category-sea'><a rel='category tag' href='/category/tide/'>Tide</a><div class=entry-content><p>{}</p></div></article><footer>{}</footer>",
        "The harbour opens at seven, and closes at nine. ".repeat(9),
        chosen("by")
    );
    dir.write(
        "s/r.example/q/index.html",
        format!("<!DOCTYPE html><title>Q</title><body class='single postid-2'>{body}"),
    );
    dir.sh("wp-index dump --scrape s | wp-parse --stats p | wp-translations --stats t").expect(0);
    let rules = |file: &str| serde_json::from_str::<Value>(&dir.read(file)).unwrap()["rules"].clone();
    assert_eq!(rules("p"), json!({"licence_alone": 1, "licence_of_image": 1, "licence_of_text": 1}));
    let of_page = rules("t");
    for rule in ["licence_of_text", "term_linked", "term_of_class"] {
        assert!(of_page[rule].as_u64() >= Some(1), "{rule}: {of_page}");
    }
}
