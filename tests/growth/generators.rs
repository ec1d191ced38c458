//! Generates inputs in which something repeats or nests: each generator writes an input of any size, and names the steps whose work must
//! grow linearly with it.

use crate::workdir::Workdir;

/// Writes an input of a size and returns the arguments of wp-index.
type Write = dyn Fn(usize, &Workdir) -> &'static str + Send + Sync;

/// The name of the repeated part, and a text with n of it.
type Repeated = (&'static str, fn(usize) -> String);

pub(super) struct Generator {
    pub(super) name: String,
    /// The smallest size that is tried.
    pub(super) n: usize,
    /// Writes the input of a size into an empty directory and returns the arguments of wp-index. If they are empty, it has written records
    /// of wp-index directly, as the file `1`.
    pub(super) write: Box<Write>,
    pub(super) steps: &'static [&'static str],
    /// The step that `make test` times, and the size at which it begins.
    pub(super) timed: Option<(&'static str, usize)>,
}

/// Contents are read by wp-parse, and by the formats that parse their markup again.
const CONTENT: &[&str] = &["wp-parse", "text", "markdown", "tei", "vert"];
const PAGE: &[&str] = &["wp-index", "wp-translations"];
const PIPE: &[&str] = &["wp-index", "wp-parse", "wp-translations", "wp-resolve", "jsonl"];
const AFTER_INDEX: &[&str] = &["wp-parse", "wp-translations", "wp-resolve", "jsonl"];
const SITE: &[&str] =
    &["wp-index", "wp-parse", "wp-resolve", "wp-groups --sign", "wp-groups", "wp-diff", "jsonl", "report"];
const FORMATS: &[&str] = &[
    "wp-parse",
    "wp-resolve",
    "jsonl",
    "wpextract",
    "documents",
    "text",
    "markdown",
    "tei",
    "tei:corpus",
    "vert",
    "csv",
    "pairs",
    "bitextor",
    "bitextor:warc2text",
    "opus",
    "graph",
    "graphml",
    "report",
];

fn own_fields(n: usize) -> String {
    post(1, "x", &format!(",\"meta\":{{{}\"x\":1}}", times(n, |i| format!("\"k{i}\":[{i}],"))))
}

fn field_nested(n: usize) -> String {
    post(1, "x", &format!(",\"acf\":{}{}", "{\"a\":[".repeat(n), "]}".repeat(n)))
}

pub(super) fn times(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut all, i| {
        all += &text(i);
        all
    })
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// An item of the API with this content and these further fields, which begin with a comma.
fn item(id: usize, link: &str, content: &str, more: &str) -> String {
    format!(
        r#"{{"id":{id},"type":"post","link":"{link}","slug":"p{id}","title":{{"rendered":"Title {id}"}},"content":{{"rendered":{}}}{more}}}"#,
        quoted(content)
    )
}

fn post(id: usize, content: &str, more: &str) -> String {
    item(id, &format!("https://s.example/p{id}/"), content, more)
}

/// Two items that are translations of each other, with this content.
fn two_translations(content: &str) -> String {
    let item = |id: usize, language: &str, other: &str| {
        let translations = format!(",\"lang\":\"{language}\",\"translations\":{{\"{other}\":{}}}", 3 - id);
        post(id, content, &translations) + "\n"
    };
    item(1, "en", "fr") + &item(2, "fr", "en")
}

/// A record of wp-index.
fn record(site: &str, kind: &str, r#type: &str, id: usize, api: &str) -> String {
    format!(
        "{{\"site\":\"{site}\",\"kind\":\"{kind}\",\"type\":\"{type}\",\"id\":{id},\"link\":\"https://{site}/{type}/{id}/\",\"source\":null,\"scrape\":null,\"aliases\":[],\"api\":{api}}}\n"
    )
}

/// A dump with these items, one per line.
fn dump(name: &str, n: usize, steps: &'static [&'static str], items: fn(usize) -> String) -> Generator {
    let write = move |n: usize, dir: &Workdir| {
        dir.write("dump.json", items(n));
        "--site s dump.json"
    };
    Generator { name: name.to_owned(), n, write: Box::new(write), steps, timed: None }
}

/// Records of wp-index.
fn records(name: &str, n: usize, steps: &'static [&'static str], lines: fn(usize) -> String) -> Generator {
    let write = move |n: usize, dir: &Workdir| {
        dir.write("1", lines(n));
        ""
    };
    Generator { name: name.to_owned(), n, write: Box::new(write), steps, timed: None }
}

/// Pages without a dump.
fn pages(name: &str, n: usize, steps: &'static [&'static str], write: fn(usize, &Workdir)) -> Generator {
    let write = move |n: usize, dir: &Workdir| {
        write(n, dir);
        "--site s --no-dump --all-pages --scrape scrape"
    };
    Generator { name: name.to_owned(), n, write: Box::new(write), steps, timed: None }
}

/// An archive.
fn archive(name: &str, n: usize, steps: &'static [&'static str], bytes: fn(usize) -> Vec<u8>) -> Generator {
    let write = move |n: usize, dir: &Workdir| {
        dir.write("x.warc", bytes(n));
        "--no-dump --scrape x.warc"
    };
    Generator { name: name.to_owned(), n, write: Box::new(write), steps, timed: None }
}

/// Markup that repeats or nests: in the content of an item, and in the body of a page whose content has to be found.
fn fragments() -> Vec<Repeated> {
    vec![
        ("paragraphs", |n| "<p>Some words of it.</p>\n".repeat(n)),
        ("nested div", |n| "<div>".repeat(n) + "x"),
        ("nested and closed", |n| "<div><p>x".repeat(n) + &"</div>".repeat(n)),
        ("nested lists", |n| "<ul><li>x".repeat(n)),
        ("nested quotes", |n| "<blockquote>x".repeat(n)),
        ("formatting left open", |n| "<b><i>x<p>".repeat(n)),
        ("end tags without start", |n| "</div></p></b>".repeat(n)),
        ("links", |n| times(n, |i| format!("<a href=/x{i}/>x</a> "))),
        ("links in links", |n| "<a href=/x/>x".repeat(n)),
        ("images", |n| times(n, |i| format!("<img src=/{i}.png alt=x>"))),
        ("captions", |n| "<figure><img src=/i.png><figcaption>x</figcaption></figure>".repeat(n)),
        ("captions left open", |n| "<figure><img src=/i.png><figcaption>x".repeat(n)),
        ("embeds", |n| "<iframe src=https://v.example/1></iframe>".repeat(n)),
        ("attributes", |n| format!("<p {}>x", times(n, |i| format!("a{i}=b ")))),
        ("classes", |n| format!("<p class='{}'>x", times(n, |i| format!("c{i} ")))),
        ("style", |n| format!("<p style='{}'>x", "color:red;".repeat(n))),
        ("a wide row and many", |n| format!("<table><tr>{}{}</table>", "<td>x".repeat(n), "<tr><td>x".repeat(n))),
        ("one wide cell", |n| format!("<table><tr><td>{}{}</table>", "x".repeat(n), "<tr><td>y".repeat(n))),
        ("rows", |n| format!("<table>{}</table>", "<tr><td>x<td>y".repeat(n))),
        ("nested tables", |n| "<table><tr><td>x".repeat(n)),
        ("cells that span", |n| format!("<table>{}", "<tr><td colspan=1000 rowspan=65534>x".repeat(n))),
        ("headings", |n| times(n, |i| format!("<h{}>x</h{}>", i % 6 + 1, i % 6 + 1))),
        ("shortcodes", |n| "[caption id=x]y[/caption] [gallery] ".repeat(n)),
        ("shortcodes left open", |n| "[caption id=x] [embed]".repeat(n)),
        ("brackets", |n| "[".repeat(n)),
        ("references", |n| "&amp;&notin;&#x41;".repeat(n)),
        ("broken references", |n| "&am&&#&#x".repeat(n)),
        ("comments", |n| "<!-- x -->y".repeat(n)),
        ("comments left open", |n| "<!-- x <!-- ".repeat(n)),
        ("scripts", |n| "<script>x</script>".repeat(n)),
        ("scripts left open", |n| "<script>x</scrip".repeat(n)),
        ("angle brackets", |n| "<".repeat(n)),
        ("drawings", |n| "<svg><g>".repeat(n)),
        ("templates", |n| "<template>x".repeat(n)),
        ("line breaks", |n| "x<br>".repeat(n)),
        ("white space", |n| format!("x{}y", " \n".repeat(n))),
        ("preformatted", |n| format!("<pre>{}", "x\n  y\n".repeat(n))),
        ("empty places of content", |n| "<div class=entry-content></div>".repeat(n)),
        ("empty places of content in a header", |n| {
            format!("<header>{}</header>", "<div class=entry-content></div>".repeat(n))
        }),
        ("classes and links of terms", |n| {
            let classes = times(n, |i| format!("category-c{i} "));
            let links = times(n, |i| format!("<a rel='category tag' href=/category/c{i}/>C</a>"));
            format!(
                "{links}<article class='post-7 type-post hentry {classes}'><h1>T</h1><p>Some words of it.</p></article>"
            )
        }),
        ("licences below a long heading", |n| {
            let heading = "photos ".repeat(n.min(9_000));
            format!("<h2>{heading}</h2>{}", "<p>CC BY 4.0</p>".repeat(n))
        }),
        ("places of content", |n| "<div class=entry-content><p>Some words of it.</p></div>".repeat(n)),
        ("articles", |n| {
            times(n, |i| format!("<article><h2><a href=/{i}/>Title {i}</a></h2><p>Some words.</p></article>"))
        }),
        ("posts of a thread", |n| {
            times(n, |i| {
                format!("<div id=post_message_{i}><p>Some words of it.</p><blockquote>Of post {i}.</blockquote></div>")
            })
        }),
        ("noscripts", |n| "<noscript>x</noscript>".repeat(n)),
        ("noscripts with threads", |n| "<noscript><p>schema.org/QAPage</p></noscript>".repeat(n)),
        ("rows of a page builder", |n| {
            "<div class='vc_row wpb_row'><p>Some words of it, and of them.</p></div>".repeat(n)
        }),
        ("nested rows of a page builder", |n| "<div class='vc_row wpb_row'><div>x".repeat(n)),
        ("a series of texts", |n| "<div class=slider><p>Some words of it, and some words of them.</p></div>".repeat(n)),
        ("messages of PHP", |n| "<br />\n<b>Warning</b>:  x in <b>/x.php</b> on line <b>7</b><br />".repeat(n)),
        ("ends of messages of PHP", |n| format!("<p>x{}", "</b> on line <b>".repeat(n))),
        ("items of a switcher", |n| {
            times(n, |i| format!("<li class='lang-item lang-item-{i}'><a hreflang=fr href=/fr/{i}/>fr</a></li>"))
        }),
        ("links to licences", |n| {
            times(n, |i| format!("<a rel=license href=https://creativecommons.org/licenses/by/4.{i}/>CC BY</a> "))
        }),
        ("sentences about licences", |n| {
            times(n, |i| {
                format!(
                    "<p>The photos of this text {i} are not licensed under CC BY 4.0; <a href=/{i}/>a Creative Commons license</a>.</p>"
                )
            })
        }),
        ("a long sentence about licences", |n| {
            format!("<p>{}</p>", "the text of this site by Ann under CC BY ".repeat(n))
        }),
        ("licences below a line, and amid what is no word", |n| {
            let link = "<a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC BY</a> ".repeat(n);
            format!("<p>{}<br>{link}</p><p>Ann<br>{}{}</p>", "word ".repeat(n), "1 ".repeat(9 * n), "CC0 1; ".repeat(n))
        }),
        ("names of licences without codes", |n| {
            times(n, |i| {
                format!("<p>This text {i} is under a Creative Commons license, and our page under the MIT License.</p>")
            })
        }),
        ("beginnings of names of licences", |n| {
            format!("<p>{}</p>", "cc creative commons attribution 知识共享".repeat(n))
        }),
        ("icons of licences", |n| {
            "<p><a class=cc href=https://creativecommons.org/licenses/by/4.0/><i class='cc by'></i><svg></svg></a>"
                .repeat(n)
        }),
        ("articles with licences", |n| {
            times(n, |i| {
                format!(
                    "<article><h2>Title {i}</h2><p>This post is licensed under <a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a>.</p></article>"
                )
            })
        }),
        ("badges", |n| {
            "<p><a rel=license href=https://creativecommons.org/licenses/by/4.0/><img src=/by.png></a></p>".repeat(n)
        }),
        ("anchors", |n| times(n, |i| format!("<a href='#n{i}'>x</a><p id=n{i}>y"))),
    ]
}

/// Repetitions in the head of a page.
fn heads() -> Vec<Repeated> {
    vec![
        ("alternates", |n| {
            times(n, |i| format!("<link rel=alternate hreflang=en-x-a{i} href=https://s.example/{i}/>"))
        }),
        ("alternates of one language", |n| times(n, |i| format!("<link rel=alternate hreflang=fr href=/{i}/>"))),
        ("JSON-LD", |n| "<script type=application/ld+json>{\"@type\":\"Article\"}</script>".repeat(n)),
        ("nested JSON-LD", |n| format!("<script type=application/ld+json>{}</script>", "{\"@graph\":[".repeat(n))),
        ("a graph of JSON-LD", |n| {
            let nodes = times(n, |i| {
                format!("{{\"@type\":\"WebPage\",\"@id\":\"#{i}\",\"isPartOf\":{{\"@id\":\"#{}\"}}}},", i + 1)
            });
            format!("<script type=application/ld+json>{{\"@graph\":[{nodes}{{}}]}}</script>")
        }),
        ("licences", |n| {
            times(n, |i| format!("<link rel=license href=/{i}/><meta name=dcterms.license content='CC BY {i}'>"))
        }),
        ("licences in JSON-LD", |n| {
            let nodes = times(n, |i| {
                format!(
                    "{{\"@type\":\"Article\",\"url\":\"https://s.example/{i}/\",\"license\":{{\"@id\":\"#{i}\"}}}},{{\"@id\":\"#{i}\",\"url\":\"/l{i}/\"}},"
                )
            });
            format!("<script type=application/ld+json>{{\"@graph\":[{nodes}{{}}]}}</script>")
        }),
        ("nested licences in JSON-LD", |n| {
            format!(
                "<script type=application/ld+json>{}",
                "{\"license\":[{\"@type\":\"Article\",\"mainEntity\":".repeat(n)
            )
        }),
        ("descriptions", |n| times(n, |i| format!("<meta name=description content='The number {i} of it.'>"))),
        ("feeds", |n| {
            times(n, |i| {
                format!("<link rel=alternate type=application/rss+xml href=/{i}/feed/ title='S » {i} Comments'>")
            })
        }),
        ("parts of a title", |n| format!("<title>{}</title>", "x - y | ".repeat(n))),
        ("canonicals", |n| times(n, |i| format!("<link rel=canonical href=https://s.example/{i}/>"))),
        ("shortlinks", |n| times(n, |i| format!("<link rel=shortlink href=https://s.example/?p={i}>"))),
    ]
}

fn page(head: &str, body: &str) -> String {
    format!("<html lang=en><head>{head}</head><body class='single postid-1'><h1>Title</h1>{body}</body></html>")
}

/// Posts in as many languages; each names the next one as its translation.
fn ring(n: usize) -> String {
    times(n, |i| {
        let next = (i + 1) % n + 1;
        post(i + 1, "<p>Some words.</p>", &format!(",\"lang\":\"en-x-a{i}\",\"translations\":{{\"fr\":{next}}}")) + "\n"
    })
}

/// Repetitions over the items of a dump.
fn dumps() -> Vec<Generator> {
    vec![
        dump("posts", 300, FORMATS, |n| times(n, |i| post(i + 1, "<p>Some words.</p>", ",\"lang\":\"en\"") + "\n")),
        dump("links of posts to one", 300, SITE, |n| {
            times(n, |i| post(i + 1, "<a href=/p1/>x</a><img src=/wp-content/uploads/x.png>", "") + "\n")
        }),
        dump("hosts", 200, &["wp-index", "wp-parse", "wp-resolve", "report", "graph"], |n| {
            times(n, |i| {
                let dead = times(10, |k| format!("<a href=https://h{i}.example/dead/{k}/>x</a>"));
                item(i + 1, &format!("https://h{i}.example/p/"), &dead, "") + "\n"
            })
        }),
        dump("hosts that are linked", 300, &["wp-resolve", "graph", "report", "csv"], |n| {
            times(n, |i| post(i + 1, &format!("<a href=https://h{i}.example/x/>x</a>"), "") + "\n")
        }),
        // Each blog has the same id, and asks for the id of the next.
        dump("blogs of a multisite", 300, &["wp-index", "wp-parse", "wp-resolve"], |n| {
            times(n, |i| {
                let home = format!("https://s.example/b{i}");
                let more = format!(
                    ",\"guid\":{{\"rendered\":\"{home}/?p=1\"}},\"_links\":{{\"self\":[{{\"href\":\"{home}/wp-json/wp/v2/posts/1\"}}]}}"
                );
                item(1, &format!("{home}/x{i}/"), &format!("<a href=/b{}/?p=1>x</a>", (i + 1) % n), &more) + "\n"
            })
        }),
        dump("directories named after a language", 500, &["wp-resolve"], |n| {
            let link = |i: usize| format!("https://s.example/a{i}/de/");
            let outside =
                times(10, |i| item(i + 1, &format!("https://s.example/e{i}/"), "x", ",\"lang\":\"de\"") + "\n");
            outside + &times(n, |i| item(i + 11, &link(i), &format!("<a href=/z{i}/>x</a>"), ",\"lang\":\"de\"") + "\n")
        }),
        dump("posts in directories of languages", 300, &["wp-index", "wp-parse", "wp-resolve"], |n| {
            times(n, |i| {
                let language = ["de", "en", "fr"][i % 3];
                let content =
                    format!("<a href=/{language}/a{i}/de/>x</a><a href=/a{i}/de/>y</a><a href=/x/a{i}/>z</a>");
                item(
                    i + 1,
                    &format!("https://s.example/{language}/a{i}/"),
                    &content,
                    &format!(",\"lang\":\"{language}\""),
                ) + "\n"
            })
        }),
        dump("translations of an item", 1000, PIPE, |n| {
            let all = times(n, |i| format!("\"en-x-a{i}\":{},", i + 2));
            post(1, "x", &format!(",\"lang\":\"en\",\"translations\":{{{}}}", all.trim_end_matches(',')))
        }),
        // Without bitextor and opus, which write a file for each pair of languages: the more files, the longer valgrind takes.
        dump(
            "a ring of translations",
            300,
            &["wp-parse", "wp-resolve", "jsonl", "pairs", "bitextor:warc2text", "tei", "report"],
            ring,
        ),
        dump("a star of translations", 300, &["wp-resolve", "jsonl", "pairs", "opus", "report"], |n| {
            times(n, |i| {
                post(i + 1, "<p>Some words.</p>", &format!(",\"lang\":\"en-x-a{i}\",\"translations\":{{\"fr\":1}}"))
                    + "\n"
            })
        }),
        dump("blocks of two translations", 600, &["wp-align"], |n| {
            two_translations(&times(n, |i| format!("<p>Some words {i}.</p>")))
        }),
        dump("sentences of one block of two translations", 600, &["wp-align"], |n| {
            two_translations(&format!("<p>{}</p>", times(n, |i| format!("Some words {}. ", i % 7))))
        }),
        dump("links and images of two translations", 600, &["wp-align"], |n| {
            two_translations(&times(n, |i| {
                format!("<p><a href='/p{}/'>Word</a> <img src='/{}.jpg'> {}.</p>", i % 40, i % 30, i % 50)
            }))
        }),
        dump("pairs of translations", 200, FORMATS, |n| {
            times(n, |i| {
                let (language, other) = if i % 2 == 0 { ("en", i + 2) } else { ("fr", i) };
                let other = format!(
                    ",\"lang\":\"{language}\",\"translations\":{{\"{}\":{other}}}",
                    if i % 2 == 0 { "fr" } else { "en" }
                );
                post(i + 1, "<p>Some words.</p>", &other) + "\n"
            })
        }),
        dump("terms of a post", 500, SITE, |n| {
            let ids = times(n, |i| format!("{},", i + 1));
            let terms = times(n, |i| {
                format!(
                    "{{\"id\":{},\"taxonomy\":\"category\",\"link\":\"https://s.example/c/{i}/\",\"slug\":\"c{i}\",\"name\":\"C\",\"count\":1}}\n",
                    i + 1
                )
            });
            post(1, "x", &format!(",\"categories\":[{}]", ids.trim_end_matches(','))) + "\n" + &terms
        }),
        dump("terms of two languages", 200, &["wp-resolve"], |n| {
            times(n, |i| {
                let language = if i % 2 == 0 { "en" } else { "fr" };
                let group = i / 2;
                format!(
                    "{{\"id\":{},\"taxonomy\":\"category\",\"link\":\"https://s.example/{language}/c/{group}/\",\"slug\":\"c{group}-{language}\",\"name\":\"C\",\"count\":1,\"lang\":\"{language}\"}}\n",
                    i + 1
                ) + &post(
                    1000 * n + i,
                    "x",
                    &format!(",\"lang\":\"{language}\",\"categories\":[{}],\"translations\":{{\"x\":0}}", i + 1),
                ) + "\n"
            })
        }),
        dump(
            "comments of a post",
            300,
            &["wp-index", "wp-parse", "wp-resolve", "jsonl", "markdown", "tei", "text", "csv", "graph", "report"],
            |n| {
                let comment = |i: usize| {
                    format!(
                        "{{\"id\":{},\"post\":1,\"parent\":{i},\"author_name\":\"A\",\"date_gmt\":\"2024-01-01T00:00:00\",\"link\":\"https://s.example/p1/#comment-{}\",\"type\":\"comment\",\"content\":{{\"rendered\":\"x\"}}}}\n",
                        i + 1,
                        i + 1
                    )
                };
                post(1, "x", "") + "\n" + &times(n, comment)
            },
        ),
        dump("pages below pages", 300, &["wp-index", "wp-parse", "wp-resolve", "jsonl", "graph"], |n| {
            times(n, |i| post(i + 1, "x", &format!(",\"parent\":{i}")).replace("\"post\"", "\"page\"") + "\n")
        }),
        dump("sizes of an image", 500, PIPE, |n| {
            let sizes = times(n, |i| {
                format!(
                    "\"s{i}\":{{\"width\":{i},\"height\":1,\"source_url\":\"https://s.example/wp-content/uploads/x-{i}x1.png\"}},"
                )
            });
            format!(
                "{{\"id\":1,\"type\":\"attachment\",\"media_type\":\"image\",\"link\":\"https://s.example/x/\",\"source_url\":\"https://s.example/wp-content/uploads/x.png\",\"media_details\":{{\"sizes\":{{{}}}}}}}",
                sizes.trim_end_matches(',')
            )
        }),
        dump("images of one file", 300, &["wp-resolve"], |n| {
            times(n, |i| {
                format!(
                    "{{\"id\":{},\"type\":\"attachment\",\"media_type\":\"image\",\"link\":\"https://s.example/x{i}/\",\"source_url\":\"https://s.example/wp-content/uploads/x.png\"}}\n",
                    i + 1
                )
            }) + &post(n + 1, &"<img src=/wp-content/uploads/x-300x200.png>".repeat(n), "")
        }),
        dump("an item again and again", 500, &["wp-index"], |n| (post(1, "x", "") + "\n").repeat(n)),
        dump("items of one link", 300, &["wp-index", "wp-parse", "wp-resolve", "text", "markdown", "tei"], |n| {
            times(n, |i| item(i + 1, "https://s.example/x/", "<a href=/x/>x</a>", "") + "\n")
        }),
        dump("items of one slug", 300, &["text", "markdown", "tei"], |n| {
            times(n, |i| post(i + 1, "<p>x</p>", ",\"slug\":\"same\"") + "\n")
        }),
        dump("copies of a text", 200, &["wp-resolve", "wp-groups --sign", "wp-groups"], |n| {
            let words = times(60, |i| format!("word{i} of it "));
            times(n, |i| post(i + 1, &words, &format!(",\"lang\":\"en-x-a{i}\",\"translations\":{{\"fr\":1}}")) + "\n")
        }),
        dump("own fields", 500, AFTER_INDEX, own_fields),
        dump("a field nested", 500, AFTER_INDEX, field_nested),
        // An element that does not fit into one window is read twice, so both sizes exceed a window.
        dump("own fields of a long item", 128_000, &["wp-index"], own_fields),
        dump("a field nested in a long item", 256_000, &["wp-index"], field_nested),
        dump("escapes", 1000, PIPE, |n| post(1, "x", &format!(",\"slug\":\"{}\"", "\\u00e9\\/\\n".repeat(n)))),
        dump("posts with a heading alike", 200, &["wp-groups --sign", "wp-groups"], |n| {
            let words = times(300, |i| format!("word{i} "));
            times(n, |i| post(i + 1, &format!("{words} {i}"), "") + "\n")
        }),
        // The effort spent on broken elements is limited; at these sizes, the limit is reached.
        dump("lines that break off", 32_000, &["wp-index"], |n| "{x\n".repeat(n)),
        dump("items that break off", 1000, &["wp-index"], |n| {
            "{\"id\":1,\"type\":\"post\",\"title\":{\"rendered\":\"x}\n".repeat(n)
        }),
        dump("arrays that break off", 32_000, &["wp-index"], |n| "[{\"id\":1},{x\n".repeat(n)),
        dump("elements that break off", 1000, &["wp-index"], |n| format!("[{}]", "{\"id\":1,\"x\":},".repeat(n))),
        dump("brackets that close nothing", 1000, &["wp-index"], |n| {
            format!("[{}]", times(n, |i| post(i + 1, "x", "") + "],"))
        }),
        dump("brackets in a dump", 20_000, &["wp-index"], |n| "[".repeat(n)),
        dump("strings left open", 32_000, &["wp-index"], |n| "{\"id\":1,\"title\":\"\n".repeat(n)),
    ]
}

/// Repetitions over sites, types and languages: records as wp-index writes them.
fn streams() -> Vec<Generator> {
    const ALL: &[&str] = FORMATS;
    vec![
        records("sites", 100, ALL, |n| {
            times(n, |i| record(&format!("s{i}.example"), "post", "post", 1, &post(1, "<p>x</p>", "")))
        }),
        records("types", 100, ALL, |n| {
            times(n, |i| record("s", "post", &format!("t{i}"), 1, &post(1, "<p>x</p>", "")))
        }),
        records("types alike", 100, ALL, |n| {
            times(n, |i| {
                let name: String = (0..12).map(|bit| if i >> bit & 1 == 1 { 'A' } else { 'a' }).collect();
                record("s", "post", &format!("t{name}{}", i >> 12), 1, &post(1, "<p>x</p>", ""))
            })
        }),
        records("languages", 100, ALL, |n| {
            times(n, |i| {
                record("s", "post", "post", i + 1, &post(i + 1, "<p>x</p>", &format!(",\"lang\":\"en-x-a{i}\"")))
            })
        }),
        // Such keys may come from a user's jq.
        records("unknown keys of a record", 1000, AFTER_INDEX, |n| {
            let more = times(n, |i| format!(",\"key {i}\":{i}"));
            record("s", "post", "post", 1, &post(1, "<p>x</p>", "")).replace("}}\n", &format!("}}{more}}}\n"))
        }),
        records("taxonomies of a post", 500, AFTER_INDEX, |n| {
            let links = times(n, |i| {
                format!("{{\"taxonomy\":\"t{i}\",\"href\":\"https://s.example/wp-json/wp/v2/t{i}?post=1\"}},")
            });
            let fields = times(n, |i| format!(",\"t{i}\":[{i}]"));
            let links = format!(",\"_links\":{{\"wp:term\":[{}]}}", links.trim_end_matches(','));
            record("s", "post", "post", 1, &post(1, "x", &(fields + &links)))
        }),
        records("broken lines", 1000, &["wp-parse"], |n| "{\"site\":\"s\",\"kind\":\n".repeat(n)),
    ]
}

/// Repetitions over pages and archives.
fn scrapes() -> Vec<Generator> {
    let with_dump = |name: &str, n: usize, write: fn(usize, &Workdir)| Generator {
        name: name.to_owned(),
        n,
        write: Box::new(move |n, dir| {
            write(n, dir);
            "--site s dump.json --scrape scrape"
        }),
        steps: &["wp-index", "wp-translations"],
        timed: None,
    };
    vec![
        pages("pages", 100, &["wp-index", "wp-parse", "wp-translations", "wp-resolve"], |n, dir| {
            for i in 0..n {
                dir.write(
                    &format!("scrape/p{i}/index.html"),
                    page("", &format!("<article><p>Some words.</p><a href=../p{}/>x</a></article>", i + 1)),
                );
            }
        }),
        // a template is learnt from these pages, and each quotes the others in its own way
        pages("lists that quote posts", 200, &["wp-translations"], |n, dir| {
            let prose = |i: usize| format!("<p>Some words of number {i}, which are more than a name and a day.</p>");
            let shapes: [fn(usize, String) -> String; 4] = [
                |i, prose| format!("<div><h2><a href=/{i}/>Title {i}</a></h2>{prose}</div>"),
                |i, prose| format!("<div><h2><a href=/{i}/>Title {i}</a></h2>{prose}"),
                |i, prose| format!("<p><a href=/{i}/>Title {i}</a></p>{prose}"),
                |i, prose| format!("<div>{prose}<div><a href=/{i}/>More</a></div>"),
            ];
            for (page, shape) in shapes.iter().enumerate() {
                let list = times(n, |i| shape(i, prose(i)));
                dir.write(
                    &format!("scrape/s.example/{page}/index.html"),
                    format!("<html lang=en><body>{list}</body></html>"),
                );
            }
        }),
        // with a known template, blocks about the post that precede its text are dropped
        pages("authors in a block before the text, and in blocks in blocks", 200, &["wp-translations"], |n, dir| {
            let text = |page: usize| {
                times(2, |part| {
                    format!("<p>{}</p>", times(40, |word| format!("word{} ", page * 99 + part * 50 + word)))
                })
            };
            let blocks = [
                format!("<div>{}</div>", "<p>By Ann</p>".repeat(n)),
                format!("{}{}", "<div><p>By Ann</p>".repeat(n), "</div>".repeat(n)),
            ];
            for page in 0..9 {
                let before = blocks.get(page).map_or("", String::as_str);
                dir.write(
                    &format!("scrape/s.example/{page}/index.html"),
                    format!(
                        "<title>T{page}</title><meta name=generator content='WordPress 6.5'><body class=single><div><h1>T{page}</h1><div>{before}{}</div></div>",
                        text(page)
                    ),
                );
            }
        }),
        pages("paragraphs that a few pages repeat between their own", 200, &["wp-translations"], |n, dir| {
            let again = "<p>All boats of the quay are made of oak, as they were long ago.</p>";
            for page in 0..9 {
                let text = times(n, |i| {
                    format!("<p>Page {page} says {i} of the boats.</p>{}", if page < 3 { again } else { "" })
                });
                dir.write(
                    &format!("scrape/s.example/{page}/index.html"),
                    format!("<title>T{page}</title><body class=single><h1>T{page}</h1><div class=q>{text}<p>End {page}.</p></div>"),
                );
            }
        }),
        pages(
            "links to the page itself, days in words, headings between text and links",
            100,
            &["wp-translations"],
            |n, dir| {
                let own = "<h3><a rel=bookmark href=/x/>y</a></h3><a rel=bookmark href=/0/>T, y</a>".repeat(n);
                let days = "<span class=post-date>3 of May, 2009</span>".repeat(n);
                let between = "<h2>Further reading</h2><p>Some prose is here, and more.</p><ul><li><a href=https://b.example/>b</a><li><a href=https://b.example/>b</a></ul>".repeat(n);
                let tags = format!("<p>Tags: {}</p>", "<a rel=tag href=/t/>t</a>, ".repeat(n));
                let head = format!("<title>T{}</title><meta name=generator content='WordPress 6.5'>", " - y".repeat(n));
                dir.write(
                "scrape/s.example/0/index.html",
                format!("{head}<body class=single><div>{own}{days}<p>Some prose is here, and more.</p>{between}{tags}</div>"),
            );
            },
        ),
        pages("pages in directories of languages", 100, &["wp-index", "wp-translations", "wp-resolve"], |n, dir| {
            for i in 0..n {
                let head = format!(
                    "<link rel=alternate hreflang=fr href=https://s.example/fr/p{i}/><link rel=alternate hreflang=en href=https://s.example/en/p{i}/>"
                );
                for language in ["en", "fr"] {
                    dir.write(
                        &format!("scrape/s.example/{language}/p{i}/index.html"),
                        page(&head, "<article><p>Some words.</p></article>"),
                    );
                }
            }
        }),
        with_dump("pages that claim one record", 100, |n, dir| {
            dir.write("dump.json", times(n, |i| item(i + 1, &format!("https://s.example/q{i}/"), "x", "")));
            for i in 0..n {
                dir.write(
                    &format!("scrape/s.example/q{i}/index.html"),
                    page("<link rel=shortlink href=https://s.example/?p=1>", "x"),
                );
            }
        }),
        with_dump("items of one id with a page each", 100, |n, dir| {
            dir.write("dump.json", times(n, |i| item(1, &format!("https://s.example/q{i}/"), "x", "")));
            for i in 0..n {
                dir.write(
                    &format!("scrape/s.example/q{i}/index.html"),
                    page("<link rel=shortlink href=https://s.example/?p=1>", "x"),
                );
            }
        }),
        with_dump("pages with one canonical", 100, |n, dir| {
            dir.write("dump.json", post(1, "x", ""));
            for i in 0..n {
                dir.write(
                    &format!("scrape/s.example/q{i}/index.html"),
                    page("<link rel=canonical href=https://s.example/p1/>", "x"),
                );
            }
        }),
        pages("pages that lead to the next", 100, &["wp-index"], |n, dir| {
            for i in 0..n {
                dir.write(
                    &format!("scrape/s.example/p{i}/index.html"),
                    format!("<html><head><meta http-equiv=refresh content='0; url=../p{}/'></head></html>", i + 1),
                );
            }
        }),
        pages("hosts of pages", 100, &["wp-index", "wp-resolve"], |n, dir| {
            for i in 0..n {
                dir.write(
                    &format!("scrape/h{i}.example/p/index.html"),
                    page("", "<article><p>Some words.</p><a href=/dead/>x</a></article>"),
                );
            }
        }),
        archive("redirects to one page", 300, &["wp-index"], |n| {
            let mut all = answer("https://s.example/0/", "200 OK", "Content-Type: text/html", &page("", "one"));
            for i in 1..=n {
                all += &answer(&format!("https://s.example/{i}/"), "301 Moved", "Location: https://s.example/0/", "");
            }
            all.into_bytes()
        }),
        archive("redirects one after another", 300, &["wp-index"], |n| {
            let mut all = answer("https://s.example/0/", "200 OK", "Content-Type: text/html", &page("", "one"));
            for i in 1..=n {
                all += &answer(
                    &format!("https://s.example/{i}/"),
                    "301 Moved",
                    &format!("Location: https://s.example/{}/", i - 1),
                    "",
                );
            }
            all.into_bytes()
        }),
        archive("captures of one page", 100, &["wp-index", "wp-translations"], |n| {
            times(n, |_| answer("https://s.example/0/", "200 OK", "Content-Type: text/html", &page("", "one")))
                .into_bytes()
        }),
        archive("records of two members", 100, &["wp-index", "wp-translations"], |n| {
            let member = |from: usize| {
                let records = times(n / 2 + 1, |i| {
                    let url = format!("https://s.example/{}/", 2 * i + from);
                    let words =
                        times(300, |word| format!("{:x} ", ((word + i) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                    answer(
                        &url,
                        "200 OK",
                        "Content-Type: text/html",
                        &page("", &format!("<article><p>{words}</p></article>")),
                    )
                });
                gzip(records.as_bytes())
            };
            [member(0), member(1)].concat()
        }),
        archive("comments of one page in many spellings", 200, &["wp-index"], |n| {
            let spelt = |i: usize| {
                let letter = |(at, c): (usize, u8)| {
                    if i >> at & 1 == 1 { format!("%{c:02x}") } else { char::from(c).to_string() }
                };
                (0..).zip(b"abcdefghijklmnop".iter().copied()).map(letter).collect::<String>()
            };
            let one = |path: String| {
                let url = format!("https://s.example/{path}/");
                answer(&url, "200 OK", "Content-Type: text/html", "<title>one</title>one")
            };
            let comments = times(n, |i| one(format!("abcdefghijklmnop/comment-page-{}", i + 2)));
            (times(n, |i| one(spelt(i))) + &comments).into_bytes()
        }),
        archive("lengths that lie", 500, &["wp-index"], |n| {
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Length: 30000000\r\n\r\n"
                .repeat(n)
                .into_bytes()
        }),
        archive("headers of an answer", 500, &["wp-index"], |n| {
            answer("https://s.example/0/", "200 OK", &times(n, |i| format!("X-{i}: y\r\n")), &page("", "one"))
                .into_bytes()
        }),
    ]
}

fn answer(url: &str, status: &str, headers: &str, body: &str) -> String {
    let answer = format!("HTTP/1.1 {status}\r\n{headers}\r\n\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n",
        answer.len()
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The whole table.
pub(super) fn all() -> Vec<Generator> {
    let mut all = Vec::new();
    for (name, fragment) in fragments() {
        // Each image gets the caption around it, up to 4 KiB.
        let n = if name == "captions left open" { 4000 } else { 500 };
        let write = move |n: usize, dir: &Workdir| {
            dir.write("1", record("s.example", "post", "post", 1, &post(1, &fragment(n), "")));
            ""
        };
        all.push(Generator {
            name: format!("content: {name}"),
            n,
            write: Box::new(write),
            steps: CONTENT,
            timed: None,
        });
        let write = move |n: usize, dir: &Workdir| {
            dir.write("scrape/x/index.html", page("", &fragment(n)));
            "--site s --no-dump --all-pages --scrape scrape"
        };
        // wp-index does not read the body of a page whose class says that it shows one post.
        let steps = if name == "articles" { PAGE } else { &PAGE[1..] };
        all.push(Generator { name: format!("page: {name}"), n, write: Box::new(write), steps, timed: None });
    }
    for (name, head) in heads() {
        let write = move |n: usize, dir: &Workdir| {
            dir.write("scrape/x/index.html", page(&head(n), "<article><p>Some words.</p></article>"));
            "--site s --no-dump --all-pages --scrape scrape"
        };
        all.push(Generator { name: format!("head: {name}"), n: 300, write: Box::new(write), steps: PAGE, timed: None });
    }
    all.extend(dumps());
    all.extend(exports());
    all.extend(feeds());
    all.extend(streams());
    all.extend(scrapes());
    all.extend(super::compared::all());
    for (name, step, n) in TIMED {
        let generator = all.iter_mut().find(|generator| generator.name == name).unwrap_or_else(|| panic!("{name}"));
        assert!(generator.steps.contains(&step), "{name}: {step}");
        generator.timed = Some((step, n));
    }
    all
}

/// WordPress exports: repetitions in one item, in its content, or among the items.
fn exports() -> Vec<Generator> {
    const GALLERY: &str = "<wp:post_id>1</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:post_parent>7</wp:post_parent><wp:attachment_url>https://a.example/i.jpg</wp:attachment_url>";
    let content = |content: String| {
        format!(
            "<item><link>https://a.example/7/</link><wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[{content}]]></content:encoded></item>"
        )
    };
    let items: [Repeated; 6] = [
        ("items", |n| "<item><wp:post_id>1</wp:post_id></item>".repeat(n)),
        ("sections left open", |n| "<item><a><![CDATA[ </item>".repeat(n) + "]]>"),
        ("elements of an item", |n| format!("<item>{}</item>", "<a b='1' c='2'/>".repeat(n))),
        ("attributes of an element", |n| format!("<item><a{}/></item>", " b='1'".repeat(n))),
        ("tags left open", |n| "<item a=\"".repeat(n)),
        ("comments left open", |n| "<!-- <item>".repeat(n)),
    ];
    let contents: [Repeated; 10] = [
        ("comments left open in a content", |n| "<!-- > ".repeat(n)),
        ("scripts left open in a content", |n| "<script <style></style> ".repeat(n)),
        ("paragraphs", |n| "a \"b\" 'c' -- d\n\n".repeat(n)),
        ("list items in a line", |n| "<p><li>".repeat(n)),
        ("captions", |n| "[caption width=\"9\"]<img src='a'> b".repeat(n)),
        ("galleries", |n| "[gallery][audio][playlist]".repeat(n)),
        ("reusable blocks", |n| "<!-- wp:block {\"ref\":7} /-->".repeat(n)),
        ("breaks", |n| "<br> \n".repeat(n)),
        ("quotes", |n| "9'9\"".repeat(n)),
        ("languages", |n| "[:de]a[:fr]b".repeat(n)),
    ];
    let generator = |name: &str, write: Box<Write>| Generator {
        name: format!("export: {name}"),
        n: 1000,
        write,
        steps: &["wp-index"],
        timed: None,
    };
    let whole = |text: String| format!("<rss><channel><wp:wxr_version>1.2</wp:wxr_version>{text}</channel></rss>");
    let of_items = items.into_iter().map(|(name, text)| {
        generator(
            name,
            Box::new(move |n, dir| {
                dir.write("site.xml", whole(text(n)));
                "--site s --max-rejects 999999999 site.xml"
            }),
        )
    });
    let of_contents = contents.into_iter().map(|(name, text)| {
        generator(
            name,
            Box::new(move |n, dir| {
                let uploads: String = (0..if name == "galleries" { n } else { 0 })
                    .map(|id| format!("<item>{}</item>", GALLERY.replacen('1', &(id + 10).to_string(), 1)))
                    .collect();
                dir.write("site.xml", whole(content(text(n)) + &uploads));
                "--site s site.xml"
            }),
        )
    });
    of_items.chain(of_contents).collect()
}

/// Feeds: repetitions among the entries, in one entry, or in its content.
fn feeds() -> Vec<Generator> {
    const LINK: &str = "<link>https://a.example/7/</link>";
    let entries: [Repeated; 11] = [
        ("links of its site", |n| {
            let links: String = (0..n).map(|id| format!("<link>https://{id}.example/{id}/</link>")).collect();
            (0..n).fold(links, |all, id| all + &format!("<item><link>https://a.example/{id}/</link></item>"))
        }),
        ("copies of an entry", |n| format!("<item>{LINK}</item>").repeat(n)),
        ("entries left open", |n| "<item>".repeat(n)),
        ("entries", |n| (0..n).map(|id| format!("<item><link>https://a.example/{id}/</link></item>")).collect()),
        ("comments", |n| {
            (0..n).map(|id| format!("<item><link>https://a.example/7/#comment-{id}</link></item>")).collect()
        }),
        ("categories", |n| {
            let terms: String = (0..n).map(|id| format!("<category>{id}</category>")).collect();
            format!("<item>{LINK}{terms}</item>")
        }),
        ("emoji left open", |n| in_feed(&"<img /images/core/emoji/ ".repeat(n))),
        ("emoji", |n| in_feed(&"<img src='/images/core/emoji/' class='wp-smiley' alt=\"x\">".repeat(n))),
        ("ends of tags", |n| in_feed(&"<a>".repeat(n))),
        ("links to itself", |n| in_feed(&format!("<p>{}</p>", "<a \"https://a.example/7/\"".repeat(n)))),
        ("paragraphs left open", |n| in_feed(&("<p ".repeat(n) + "</p>"))),
    ];
    let generator = |(name, text): Repeated| Generator {
        name: format!("feed: {name}"),
        n: 1000,
        write: Box::new(move |n, dir| {
            dir.write("feed.xml", format!("<rss><channel><link>https://a.example</link>{}</channel></rss>", text(n)));
            "--site s --max-rejects 999999999 feed.xml"
        }),
        steps: &["wp-index"],
        timed: None,
    };
    let moved = Generator {
        name: "feed: posts that have moved".to_owned(),
        n: 1000,
        write: Box::new(|n, dir| {
            let all = |one: &dyn Fn(usize) -> String| (1..=n).map(one).collect::<String>();
            let said = "<wp:post_type>post</wp:post_type><wp:status>publish</wp:status>";
            let export = all(&|id| {
                format!(
                    "<item><link>https://a.example/b/{id}/</link><guid>https://a.example/?p={id}</guid><wp:post_id>{id}</wp:post_id>{said}</item>"
                )
            });
            let feed = all(&|id| {
                format!("<item><link>https://a.example/c/{id}/</link><guid>https://a.example/?p={id}</guid></item>")
            });
            let items = (1..=n).map(|id| format!("{{\"id\":{id},\"type\":\"post\",\"link\":\"https://a.example/{id}/\",\"guid\":{{\"rendered\":\"https://a.example/?p={id}\"}}}}"));
            dir.write(
                "site.xml",
                format!("<rss><channel><wp:wxr_version>1.2</wp:wxr_version>{export}</channel></rss>"),
            );
            dir.write("feed.xml", format!("<rss><channel><link>https://a.example</link>{feed}</channel></rss>"));
            dir.write("a.json", format!("[{}]", items.collect::<Vec<_>>().join(",")));
            "--site s a.json site.xml feed.xml"
        }),
        steps: &["wp-index"],
        timed: None,
    };
    entries.into_iter().map(generator).chain([moved]).collect()
}

/// An entry of a feed with this content.
fn in_feed(content: &str) -> String {
    let content = format!("<content:encoded><![CDATA[{content}]]></content:encoded>");
    format!("<item><link>https://a.example/7/</link>{content}</item>")
}

/// The generators that `make test` times: once quadratic, or typical of most pages and dumps.
const TIMED: [(&str, &str, usize); 16] = [
    ("feed: emoji left open", "wp-index", 8000),
    ("feed: categories", "wp-index", 8000),
    ("export: galleries", "wp-index", 3000),
    ("export: sections left open", "wp-index", 8000),
    ("hosts", "wp-resolve", 400),
    ("directories named after a language", "wp-resolve", 2000),
    ("content: a wide row and many", "markdown", 1000),
    ("page: empty places of content", "wp-translations", 5000),
    ("translations of an item", "wp-parse", 8000),
    ("items of one id with a page each", "wp-index", 300),
    ("lines that break off", "wp-index", 8000),
    ("items that break off", "wp-index", 3000),
    ("records of two members", "wp-translations", 100),
    ("content: nested and closed", "wp-parse", 1000),
    ("page: articles", "wp-translations", 500),
    ("a ring of translations", "wp-resolve", 200),
];
