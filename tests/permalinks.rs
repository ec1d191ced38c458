//! Tests which URL of a page is its own, in mirrors of generated sites: what a page states is rewritten as wget and HTTrack do, and the
//! server has answered several URLs with it.

use crate::workdir::Workdir;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;

const SITE: &str = "https://a.example";

/// What the title and the text of a second page have beside those of the first.
const PART: &str = " - Page 2";

/// A URL at which the server answers with a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Permalink,
    Shortlink,
    /// The permalink with a query that WordPress does not read.
    Shared,
    /// The former permalink.
    Old,
    /// The second page of a post that has only one.
    Further,
}

#[derive(Clone, Copy, Debug)]
struct Stated {
    canonical: bool,
    og_url: bool,
    oembed: bool,
    shortlink: bool,
}

#[derive(Clone, Debug)]
struct Post {
    stated: Stated,
    saved: Vec<At>,
    /// Below which URL a second page is saved, if it has one.
    part: Option<At>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Wget { adds_suffix: bool, rewrites_oembed: bool },
    Httrack,
}

/// The site, with a file for each URL that was saved.
struct Mirror {
    tool: Tool,
    /// The file to which references to a URL lead.
    files: HashMap<String, String>,
    pages: Vec<(String, String)>,
}

fn permalink(id: usize) -> String {
    format!("/{}/s{id}/", 2020 + id)
}

impl At {
    fn url(self, id: usize) -> String {
        match self {
            At::Permalink => permalink(id),
            At::Shortlink => format!("/?p={id}"),
            At::Shared => permalink(id) + "?share=x",
            At::Old => format!("/old{id}/"),
            At::Further => permalink(id) + "2/",
        }
    }

    fn redirects(self) -> bool {
        !matches!(self, At::Permalink | At::Shared)
    }
}

/// A value in a query.
fn escaped(url: &str) -> String {
    url.replace('%', "%25").replace(':', "%3A").replace('/', "%2F").replace('?', "%3F").replace('=', "%3D")
}

impl Mirror {
    fn file(&self, url: &str) -> String {
        let (path, query) = url[1..].split_once('?').map_or((&url[1..], None), |(path, query)| (path, Some(query)));
        match (self.tool, query) {
            (_, None) => format!("{path}index.html"),
            (Tool::Httrack, Some(query)) => format!("{path}index{:04x}.html", query.len() * 4099),
            (Tool::Wget { adds_suffix, .. }, Some(query)) => {
                format!("{path}index.html?{query}{}", if adds_suffix { ".html" } else { "" })
            }
        }
    }

    /// A reference to a URL, as the tool writes it in a file.
    fn href(&self, url: &str, from: &str) -> String {
        match self.files.get(url) {
            Some(file) => "../".repeat(from.matches('/').count()) + &file.replace('?', "%3F"),
            None => format!("{SITE}{url}"),
        }
    }

    /// Saves the pages of a post: first all URLs, to which references then lead.
    fn save(&mut self, id: usize, post: &Post) {
        let mut urls: Vec<(String, bool)> = Vec::new();
        for at in &post.saved {
            let (url, own) = (at.url(id), permalink(id));
            if self.tool == Tool::Httrack && at.redirects() {
                urls.push((own.clone(), false));
                self.files.insert(own.clone(), self.file(&own));
                continue;
            }
            let file = self.file(&url);
            if at.redirects() {
                self.files.insert(own, file.clone());
            }
            self.files.insert(url.clone(), file);
            urls.push((url, false));
        }
        if let Some(above) = post.part {
            let url = if self.tool == Tool::Httrack { permalink(id) } else { above.url(id) } + "2/";
            self.files.insert(At::Further.url(id), self.file(&url));
            urls.push((url, true));
        }
        urls.sort();
        urls.dedup();
        for (url, is_part) in urls {
            let file = self.file(&url);
            let page = self.page(id, post.stated, (&url, &file), is_part);
            self.pages.push((file, page));
        }
    }

    fn page(&self, id: usize, stated: Stated, (url, file): (&str, &str), is_part: bool) -> String {
        let own = permalink(id);
        let canonical = if is_part { At::Further.url(id) } else { own.clone() };
        let mut head = String::new();
        if self.tool == Tool::Httrack {
            let _ = write!(head, "<!-- Mirrored from a.example{url} by HTTrack Website Copier/3.x, GMT -->");
        }
        if stated.canonical {
            let _ = write!(head, "<link rel=canonical href='{}'>", self.href(&canonical, file));
        }
        if stated.og_url {
            let _ = write!(head, "<meta property=og:url content='{SITE}{canonical}'>");
        }
        if stated.shortlink {
            let _ = write!(head, "<link rel=shortlink href='{}'>", self.href(&format!("/?p={id}"), file));
        }
        if stated.oembed {
            let value = escaped(&format!("{SITE}{own}"));
            let href = match self.tool {
                Tool::Wget { rewrites_oembed: true, .. } => format!("../wp-json/embed%3Furl={}", escaped(&value)),
                _ => format!("{SITE}/wp-json/oembed/1.0/embed?url={value}"),
            };
            let _ = write!(head, "<link rel=alternate type=application/json+oembed href='{href}'>");
        }
        let part = if is_part { PART } else { "" };
        format!(
            "<!DOCTYPE html><html lang=en><head><title>Post {id}{part}</title>{head}</head>
             <body class='single single-post postid-{id}'><p>{id}{part}</p></body></html>"
        )
    }
}

impl Post {
    /// Whether the mirror shows what the permalink is: by a statement that the tool left as it was, or because the post was saved there and
    /// the canonical link does not lead elsewhere.
    fn is_known(&self, tool: Tool) -> bool {
        let was_saved = self.saved.contains(&At::Permalink);
        tool == Tool::Httrack && (was_saved || self.saved.iter().any(|at| at.redirects()))
            || self.stated.og_url
            || self.stated.oembed
            || was_saved && !self.saved.contains(&At::Old)
    }
}

fn stated() -> impl Strategy<Value = Stated> {
    any::<[bool; 4]>().prop_map(|[canonical, og_url, oembed, shortlink]| Stated {
        canonical,
        og_url,
        oembed,
        shortlink,
    })
}

fn post() -> impl Strategy<Value = Post> {
    let urls = vec![At::Permalink, At::Shortlink, At::Shared, At::Old, At::Further];
    let saved = proptest::sample::subsequence(urls, 1..=5).prop_shuffle();
    let part = proptest::option::of(prop_oneof![Just(At::Permalink), Just(At::Old)]);
    (stated(), saved, part).prop_map(|(stated, mut saved, part)| {
        // Whoever saved a second page found it on the first one.
        if saved.contains(&At::Further) && !saved.contains(&At::Permalink) {
            saved.insert(0, At::Permalink);
        }
        let is_found = |above: &At| *above == At::Permalink || saved.contains(above);
        let part = part.filter(is_found).filter(|_| !saved.contains(&At::Further));
        Post { stated, saved, part }
    })
}

fn tool() -> impl Strategy<Value = Tool> {
    let wget = |(adds_suffix, rewrites_oembed)| Tool::Wget { adds_suffix, rewrites_oembed };
    prop_oneof![3 => any::<(bool, bool)>().prop_map(wget), 1 => Just(Tool::Httrack)]
}

/// The path and the query of a record's link.
fn tail(link: &str) -> &str {
    link.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(if std::env::var_os("WPIPE_CASES").is_some() { 600 } else { 60 })
    })]

    /// 92 of 123 links of a mirror by `wget -k` were not the permalink, because the canonical link led to a file of the mirror.
    #[test]
    fn a_link_is_the_permalink(
        posts in proptest::collection::vec(post(), 1..7), tool in tool(), has_host in any::<bool>()
    ) {
        let mut mirror = Mirror { tool, files: HashMap::new(), pages: Vec::new() };
        for (post, id) in posts.iter().zip(1..) {
            mirror.save(id, post);
        }
        let dir = Workdir::new();
        for (file, page) in &mirror.pages {
            dir.write(&format!("m/{}{file}", if has_host { "a.example/" } else { "" }), page);
        }
        let records = dir.program("wp-index", "-q --no-dump --scrape m", "").expect(0).records();
        let links: Vec<(&str, i64, &str)> = records
            .iter()
            .map(|one| (one["kind"].as_str().unwrap(), one["id"].as_i64().unwrap_or(0), tail(one["link"].as_str().unwrap())))
            .collect();
        // The text of a second page is part of a record.
        let files = |one: &Value| {
            let next = one["scrape"]["next_pages"].as_array().unwrap().iter().map(|page| page["file"].clone());
            next.chain([one["scrape"]["file"].clone()]).collect::<Vec<_>>()
        };
        let read: Vec<Value> = records.iter().flat_map(files).collect();
        for (file, _) in mirror.pages.iter().filter(|(_, page)| page.contains(PART)) {
            prop_assert!(read.iter().any(|read| read.as_str().unwrap().ends_with(file)), "{file} of {:#?}", mirror.pages);
        }
        for (post, id) in posts.iter().zip(1..) {
            if !post.is_known(tool) {
                continue;
            }
            let own = permalink(id);
            let shown: Vec<_> = links.iter().filter(|(_, of, link)| *of == id as i64 || link.starts_with(&own)).collect();
            let found: Vec<_> = shown.into_iter().map(|(kind, id, link)| (*kind, *id, (*link).to_owned())).collect();
            prop_assert_eq!(found, [("post", id as i64, own)], "post {} of {:#?}", id, mirror.pages);
        }
        if posts.iter().all(|post| post.is_known(tool)) {
            prop_assert_eq!(links.len(), posts.len(), "{:?} of {:#?}", links, mirror.pages);
        }
    }
}

/// Twenty pages of a mirror were made of one by hand, and keep its head.
#[test]
fn copies_made_by_hand_stay_where_they_are() {
    let dir = Workdir::new();
    let wget = Tool::Wget { adds_suffix: true, rewrites_oembed: true };
    let mirror =
        Mirror { tool: wget, files: HashMap::from([(permalink(1), "index.html".to_owned())]), pages: Vec::new() };
    let stated = Stated { canonical: true, og_url: false, oembed: true, shortlink: true };
    for name in ["pupils", "teachers", "hours"] {
        let page = mirror.page(1, stated, ("/", "index.html"), false).replace("Post 1", name);
        dir.write(&format!("m/{name}/index.html"), page);
    }
    let feed = format!(
        "<?xml version='1.0'?><rss><channel><link>{SITE}</link><item><link>{SITE}{}</link></item></channel></rss>",
        permalink(1)
    );
    for options in ["", "--feed"] {
        if !options.is_empty() {
            dir.write("m/feed/index.html", &feed);
        }
        let records = dir.program("wp-index", "-q --no-dump --scrape m", "").expect(0).records();
        let mut links: Vec<&str> = records.iter().map(|one| tail(one["link"].as_str().unwrap())).collect();
        links.sort_unstable();
        let mut want = vec!["/hours/", "/pupils/", "/teachers/"];
        if !options.is_empty() {
            want.insert(0, "/2021/s1/");
        }
        assert_eq!(links, want);
    }
}

/// A page that was saved in the folder of another one states its URL at the top.
#[test]
fn one_stray_page_does_not_make_its_folder_the_top_of_the_site() {
    let dir = Workdir::new();
    let page = |canonical: &str, class: &str| {
        format!(
            "<html lang=en><head><link rel=canonical href='{canonical}'></head><body class='{class}'>x</body></html>"
        )
    };
    dir.write("m/rc1/index.html", page("index.html", "single single-post postid-40"))
        .write("m/rc1/final", page(&format!("{SITE}/final/"), "single single-post postid-41"));
    let links = || {
        let records = dir.program("wp-index", "-q --no-dump --scrape m", "").expect(0).records();
        records.iter().map(|one| format!("{} {}", one["id"], one["link"].as_str().unwrap())).collect::<Vec<_>>()
    };
    // A whole site in a folder has no front page beside it.
    assert_eq!(links(), ["41 https://a.example/final/", "40 https://a.example/"]);
    dir.write("m/index.html", page("index.html", "home blog"));
    assert_eq!(links(), ["41 https://a.example/final/", "40 https://a.example/rc1/"]);
    dir.write("m/index.html", page("index.html", "home page page-id-2"));
    assert_eq!(links(), ["2 https://a.example/", "41 https://a.example/final/", "40 https://a.example/rc1/"]);
    // The entry of a feed has a relative link, and HTTrack names the host of the other pages.
    for path in ["", "rc1/"] {
        let file = format!("m/{path}index.html");
        let address = format!("<!-- Mirrored from a.example/{path} by HTTrack Website Copier/3.x -->");
        dir.write(&file, address + &dir.read(&file));
    }
    let entry = "<item><title>RC1</title><link>/rc1/</link></item>";
    dir.write("m/feed/index.xml", format!("<rss><channel><link>{SITE}</link>{entry}</channel></rss>"));
    let records = dir.program("wp-index", "-q --no-dump --scrape m", "").expect(0).records();
    let mut via: Vec<_> = records.iter().map(|one| (one["id"].as_i64(), one["source"]["via"].as_str())).collect();
    via.sort_unstable();
    assert_eq!(via, [(Some(2), Some("page")), (Some(40), Some("feed")), (Some(41), Some("page"))]);
}

/// A plugin that collects news gives each article the canonical link of its source.
#[test]
fn a_canonical_link_is_not_the_page_s_if_all_else_names_another_host() {
    let link = |canonical: &str, og_url: &str, more: &str| {
        let dir = Workdir::new();
        let og_url = format!("<meta property=og:url content='{og_url}'>");
        let head = format!("<link rel=canonical href='{canonical}'>{og_url}{more}");
        let html =
            format!("<html lang=en><head>{head}</head><body class='single single-post postid-1'>x</body></html>");
        dir.write("m/one/index.html", html);
        let records = dir.program("wp-index", "-q --no-dump --scrape m", "").expect(0).records();
        records[0]["link"].as_str().unwrap().to_owned()
    };
    let (quoted, own) = ("https://news.example/x1", format!("{SITE}/one/"));
    let languages = format!("<link rel=alternate hreflang=en href='{own}'>");
    let api = |host: &str| format!("<link rel='https://api.w.org/' href='{host}/wp-json/'>");
    assert_eq!(link(quoted, &own, &languages), own);
    assert_eq!(link(quoted, &own, &api(SITE)), own);
    assert_eq!(link(quoted, "", &(languages + &api(SITE))), own);
    // The site that the public sees need not be the one with the API.
    assert_eq!(link(quoted, &own, &api("https://news.example")), quoted);
    assert_eq!(link(quoted, &own, ""), quoted);
    assert_eq!(link(quoted, quoted, &api(SITE)), quoted);
    assert_eq!(link(quoted, "", &api(SITE)), quoted);
    // A copy, as for tests.
    assert_eq!(link("https://news.example/one", &own, &api(SITE)), "https://news.example/one");
}

/// A page of a mirror with this head.
fn saved(head: &str, id: u32, text: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><head><title>{text}</title>{head}</head><body class='page page-id-{id}'>
         <h1>{text}</h1><div class=entry-content><p>{text} has a <a href='../ghost/index.html'>boat</a>.</p></div></body></html>"
    )
}

/// Two copies of a page, of which a mirror makes each state the other; a reference that leads to no file; a page about a file that states the
/// file; a folder whose name is not that of the page in it.
#[test]
fn a_relative_reference_counts_if_it_leads_to_a_file_that_leads_nowhere_else() {
    let dir = Workdir::new();
    let stated = |canonical: &str, og_url: &str| {
        format!("<link rel=canonical href='{canonical}'><meta property=og:url content='{og_url}'>")
    };
    let mirrored = |path: &str| format!("<!-- Mirrored from a.example{path} by HTTrack Website Copier/3.x, GMT -->");
    dir.write("m/about.1.html", saved(&stated("about.1.html", "/about/"), 7, "About"))
        .write("m/about/index.html", saved(&stated("../about.1.html", "../about.1.html"), 7, "About"))
        .write("m/ann/index.html", saved("<meta property=og:url content='./ann/'>", 8, "Ann"))
        .write("m/logo/index.html", saved(&stated("/wp-content/uploads/l.png", "/logo/"), 9, "Logo"))
        .write("m/other/index.html", saved("<link rel=canonical href='https://a.example/logo/'>", 13, "Other"))
        .write("m/ghost/index.html", saved(&mirrored("/spirit/"), 10, "Ghost"))
        .write("m/café/index.html", saved("<link rel=canonical href='index.html'>", 12, "Café"))
        .write("m/coffee/index.html", saved("<link rel=canonical href='../caf%C3%A9/index.html'>", 12, "Café"))
        .write("m/{{x}}/index.html", saved("<link rel=canonical href='{{ site.url }}'>", 11, "X"));
    let records = dir.sh("wpipe -q --no-dump --scrape m --scrape-base https://a.example/ -o -").expect(0).records();
    let mut told: Vec<(&str, i64)> = records
        .iter()
        .map(|one| (tail(one["link"].as_str().unwrap()), one["id"].as_i64().unwrap_or_default()))
        .collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            ("/about/", 7),
            ("/ann/", 8),
            ("/café/", 12),
            ("/logo/", 9),
            ("/other/", 13),
            ("/spirit/", 10),
            ("/{{x}}/", 11)
        ]
    );
    for one in records {
        assert_eq!(one["links"][0]["target"]["id"], 10, "{one}");
    }
}
