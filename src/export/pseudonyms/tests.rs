//! Tests that pseudonyms replace each person in each field and each attribute of each kind of record.

use super::*;
use crate::record::{Form, KINDS, Shape};
use serde_json::{Value, json};

const HASH: &str = "0123456789abcdef0123456789abcdef";

/// Texts that identify Jane Roe, whose slug is `jroe`, wherever they occur.
const TELLING: [&str; 16] = [
    "https://s.example/author/jroe/",
    "https://s.example/AUTHOR/J%52oe/feed/",
    r"https:\/\/s.example\/team\/jroe\/",
    "https://s.example/team/jroe/?x=1",
    "/?author_name=jroe",
    "https://x.example/share?via=jroe&t=By+Jane+Roe",
    "https://x.example/share?via=@JRoe",
    "https://x.example/share?u=https%3A%2F%2Fs.example%2Fauthor%2Fjroe%2F",
    "jroe@m.example",
    "MAILTO:jroe@m.example",
    "mailto%3Ajroe%40m.example",
    "https://x.example/?m=jroe%40m.example",
    "https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?s=96",
    "https://x.example/?h=0123456789abcdef0123456789abcdef",
    "https://jroe.example/",
    "https://archive.example/2020/https://www.jroe.example",
];

/// Texts that identify her if they are the words of a field or an attribute.
const WORDS: [&str; 6] =
    ["Jane Roe", "© JANE ROE, 2020", "jroe", "jroe@m.example (Jane Roe)", "By Jane Roe / A", "jroe, others"];

const ATTRIBUTES: [&str; 12] = [
    "href",
    "src",
    "content",
    "title",
    "value",
    "data-author",
    "data-x",
    "onclick",
    "id",
    "class",
    "name",
    "aria-label",
];

/// Fields that consist of words, among which her name may be.
const WORDS_OF_FIELDS: [&str; 9] =
    ["section", "site_name", "sample", "provider", "keywords", "credit", "copyright", "value", "author_name"];

fn is_telling(text: &str) -> bool {
    let lower = text.to_lowercase().replace("%52", "r");
    lower.contains("roe") || lower.contains(HASH)
}

/// For each place of a shape that may have a string: its key, and a value that has `string` only there.
fn places(shape: &Shape, key: &str, string: &Value) -> Vec<(String, Value)> {
    match &shape.form {
        Form::Text => vec![(key.to_owned(), string.clone())],
        Form::List(element) => {
            places(element, key, string).into_iter().map(|(key, value)| (key, json!([value]))).collect()
        }
        Form::Object(fields) => {
            let of = |field: &'static crate::record::Field| {
                let within = places(&field.shape, field.key, string).into_iter();
                within.map(|(key, value)| (key, json!({ field.key: value })))
            };
            fields.iter().flat_map(of).collect()
        }
        _ => Vec::new(),
    }
}

/// The records with pseudonyms.
fn written(records: &[Value]) -> Vec<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), HASH).unwrap();
    let key = Key::read(file.path(), None).unwrap();
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    let mut input = Input::from_bytes("-", lines);
    let mut outcome = apply(&key, &mut input, &mut Report::silent("wp-export")).unwrap();
    let (mut batch, mut found) = (Batch::empty(), Vec::new());
    while outcome.input.read(&mut batch).unwrap() {
        found.extend(batch.lines().map(|line| String::from_utf8(line.bytes.to_vec()).unwrap()));
    }
    found
}

fn jane() -> Value {
    json!({"site": "s", "kind": "user", "type": "user", "id": 7, "link": "https://s.example/team/jroe/", "name": "Jane Roe", "slug": "jroe",
        "url": "https://jroe.example", "avatar_urls": [{"size": 96, "url": TELLING[12]}]})
}

/// A record of a kind with one additional field.
fn with(kind: &str, id: usize, field: &Value) -> Value {
    let mut record = json!({"site": "s", "kind": kind, "type": kind, "id": id});
    record.as_object_mut().unwrap().extend(field.as_object().unwrap().clone());
    record
}

/// Names were left beside their pseudonyms, in unexpected fields and attributes.
#[test]
fn no_field_and_no_attribute_identifies_a_person() {
    let mut records = vec![jane()];
    let mut add = |string: &str, wanted: &dyn Fn(&str) -> bool| {
        for kind in KINDS.into_iter().filter(|kind| *kind != "change") {
            for field in shape_of(kind).unwrap().iter().filter(|field| !matches!(field.key, "site" | "kind" | "type")) {
                let within = places(&field.shape, field.key, &json!(string)).into_iter();
                // The host of a record's API and that of a user's page are the site's own, and do not identify anybody.
                let is_own = |key: &str| key == "rest" || (kind, field.key) == ("user", "link");
                for (_, value) in within.filter(|(key, _)| wanted(key) && !is_own(key)) {
                    records.push(with(kind, records.len() + 10, &json!({ field.key: value })));
                }
            }
        }
    };
    // Running text may identify her, and so may html outside of its attributes, which are tested below.
    for string in TELLING {
        add(string, &|key| !TEXT.contains(&key) && !matches!(key, "html" | "alt_text"));
    }
    for string in WORDS {
        add(string, &|key| WORDS_OF_FIELDS.contains(&key) || key == "description");
        for name in ATTRIBUTES {
            let html = format!("<p>x <i {name}=\"{string}\" rel=author>x</i>");
            add(&html, &|key| key == "html");
        }
    }
    for string in TELLING {
        for name in ATTRIBUTES {
            add(&format!("<p>x <i {name}=\"{string}\">x</i>"), &|key| key == "html");
        }
        let json = json!({"author": {"name": "Jane Roe", "slug": "jroe", "url": string}}).to_string();
        let quoted = json!({ "a": json }).to_string();
        for json in [json, quoted] {
            add(&format!("<i data-json='{json}'>x</i>"), &|key| key == "html");
        }
    }
    for name in [Value::Null, json!("Jane Roe"), json!("jroe@m.example")] {
        records.push(with(
            "post",
            5,
            &json!({"authors": [{"id": 7, "name": name, "slug": "jroe", "link": TELLING[0]}]}),
        ));
    }
    records.push(with("post", 6, &json!({"content_rule": "div.author-jroe > #jroe p"})));
    records.push(with("post", 6, &json!({"content_rule": "div.author-jroe > a[href='/author/jroe/']"})));
    for name in ["id", "class", "name"] {
        let html = format!("<i {name}='author-jroe; by Jane Roe, jroe@m.example'>x</i>");
        records.push(with("post", 6, &json!({"content": {"html": html}})));
    }
    records.push(with("post", 6, &json!({"translation_group": "author:https://s.example/author/jroe/"})));
    let lines = written(&records);
    let telling: Vec<&String> = lines.iter().filter(|line| is_telling(line)).collect();
    telling.iter().for_each(|line| println!("{line}"));
    assert_eq!(telling.len(), 0, "of {}", lines.len());
}

/// The pseudonyms in a text.
fn pseudonyms(text: &str) -> std::collections::BTreeSet<&str> {
    text.match_indices("person-").map(|(at, _)| &text[at..at + 23]).collect()
}

/// WordPress saves `Smith &amp; Sons` for the name of a user; in a byline and an attribute, it then looks like a
/// different name.
#[test]
fn a_name_with_references_was_two_persons() {
    for (saved, meant) in
        [("Smith &amp; Sons", "Smith & Sons"), ("O&#8217;Brien", "O'Brien"), ("O'Brien &#38; Co", "O’Brien &amp; Co")]
    {
        // In records that wp-parse has made, the name is plain text.
        for name in [saved, &*crate::html::tokenizer::decode(saved)] {
            let user = json!({"site": "s", "kind": "user", "type": "user", "id": 7, "name": name, "slug": "s7"});
            let attribute = meant.replace("&amp;", "&").replace('&', "&amp;").replace('\'', "&#39;");
            let html = format!("<i title='Posts by {attribute}' data-author='{attribute}'>x</i>");
            let post = json!({"site": "s", "kind": "post", "type": "post", "id": 1, "author_name": meant, "content": {"html": html},
                "authors": [{"id": null, "name": meant}], "seo": {"description": format!("By {saved}")}});
            let author = saved.to_uppercase().replace("&AMP;", "&amp;");
            let comment = json!({"site": "s", "kind": "comment", "type": "comment", "id": 2, "author_name": author});
            let lines = written(&[user, post, comment]).concat();
            assert_eq!((pseudonyms(&lines).len(), lines.matches("person-").count()), (1, 8), "{lines}");
        }
    }
}

/// WordPress percent-encodes the non-Latin letters of a slug, and of its links; a page may encode them again.
#[test]
fn a_slug_that_is_percent_encoded_was_two_persons() {
    let slug = "%d0%b8%d0%b2%d0%b0%d0%bd";
    for used in [slug, "%D0%B8%D0%92%D0%B0%D0%BD", "иван", "%25d0%25b8%25D0%25B2%25d0%25b0%25d0%25bd"] {
        let link = |slug: &str| format!("https://s.example/author/{slug}/");
        let user = json!({"site": "s", "kind": "user", "type": "user", "id": 7, "name": "Ivan Petrov", "slug": slug, "link": link(slug)});
        let html = format!(
            "<p class='author-{used}'><a href='{0}' data-author={used}>x</a> <a href='/?author_name={used}'>x</a> <a href='//x.example/?via={used}'>x</a>",
            link(used)
        );
        let post = json!({"site": "s", "kind": "post", "type": "post", "id": 1, "content": {"html": html}, "links": [{"href": link(used)}],
            "authors": [{"id": null, "name": null, "slug": used, "link": link(used)}]});
        let lines = written(&[user, post]).concat();
        assert_eq!((pseudonyms(&lines).len(), lines.matches("person-").count()), (1, 14), "{used}: {lines}");
    }
}

/// The words beside a URL that became a pseudonym revealed the person: the text of a link, an alternative text, a caption.
#[test]
fn the_words_beside_a_persons_url_become_the_pseudonym() {
    let mut records = vec![jane()];
    let mut add = |field: &Value| records.push(with("post", records.len() + 10, field));
    for url in TELLING {
        for (list, at, texts) in [
            ("links", "href", &["text", "alt"][..]),
            ("images", "src", &["alt", "caption"]),
            ("embeds", "src", &["caption"]),
        ] {
            for text in texts {
                for key in [at, "url"] {
                    add(&json!({ list: [{ at: "x", key: url, *text: "Miss Roe" }] }));
                }
            }
        }
        let url = url.replace('"', "&quot;");
        for html in [
            format!("<p>y <a href=\"{url}\" title='Miss Roe'>Miss <b>R</b>oe <img alt='Miss Roe'></a> z"),
            format!("<p>y z {}<a href=\"{url}\"><div>Miss</div><div>Roe</div></a>", "x ".repeat(100)),
            format!(
                "<p>y z<figure><figcaption>Miss <i>Roe</i></figcaption><img src=\"{url}\" alt='Miss Roe'></figure>"
            ),
        ] {
            let text = crate::html::Extractor::new(crate::html::Options::default()).content(&html, None).text;
            let hash = crate::html::hash(&text);
            add(&json!({"content": {"html": html, "text": text, "protected": false, "hash": hash}}));
        }
    }
    let lines = written(&records);
    for (line, record) in lines.iter().zip(&records).skip(1) {
        assert!(!is_telling(line), "{record}\n{line}");
        let post: Value = serde_json::from_str(line).unwrap();
        let content = &post["content"];
        if let Some(text) = content["text"].as_str() {
            assert!(text.contains('y') && text.contains('z'), "{line}");
            assert_eq!(content["hash"], json!(crate::html::hash(text)));
        }
    }
}

/// If the words of an element are just a name, as in lists of comments, they become the pseudonym, also in the text and the alternative
/// text of the link; running text stays.
#[test]
fn an_element_that_consists_of_a_name_has_the_pseudonym() {
    let comment =
        json!({"site": "s", "kind": "comment", "type": "comment", "id": 1, "author_name": "Carol O\u{2019}Small"});
    let pingback = json!({"site": "s", "kind": "comment", "type": "pingback", "id": 2, "author_name": "Hello world"});
    let html = "<ol><li><span>Jane Roe</span> on <a href='/p/#comment-2'>Hello world</a><li><cite><a href=/x>Carol O&#8217;Small</a></cite> says\
                <li><a href=/p/><img alt='Carol Avatar' src='https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef'></a></ol><p>Jane Roe sails";
    for options in [
        crate::html::Options::default(),
        crate::html::Options { wpextract: true, ..Default::default() },
        crate::html::Options { paragraphs: true, ..Default::default() },
    ] {
        let extracted = crate::html::Extractor::new(options).content(html, None);
        let post = json!({"site": "s", "kind": "post", "type": "post", "id": 3, "links": extracted.links, "images": extracted.images,
            "content": {"html": html, "text": extracted.text, "protected": false, "hash": "x"}});
        let lines = written(&[jane(), comment.clone(), pingback.clone(), post.clone()]);
        let (post, before): (Value, Value) = (serde_json::from_str(&lines[3]).unwrap(), post);
        let [jane, carol]: [Value; 2] = [0, 1].map(|at: usize| serde_json::from_str(&lines[at]).unwrap());
        let (jane, carol) = (jane["name"].as_str().unwrap(), carol["author_name"].as_str().unwrap());
        let texts: Vec<_> = post["links"].as_array().unwrap().iter().map(|link| &link["text"]).collect();
        assert_eq!(texts[..2], [&json!("Hello world"), &json!(carol)]);
        assert_eq!((&post["links"][2]["alt"], &post["images"][0]["alt"]), (&json!(jane), &json!(jane)));
        let text = before["content"]["text"].as_str().unwrap().replacen("Jane Roe", jane, 1);
        assert_eq!(post["content"]["text"], text.replace("Carol O\u{2019}Small", carol));
        assert!(post["content"]["text"].as_str().unwrap().contains("Jane Roe sails"));
    }
    // A text by other rules than ours.
    let post = json!({"site": "s", "kind": "post", "type": "post", "id": 3, "content": {"html": html, "text": "# Jane Roe on Hello world"}});
    let lines = written(&[jane(), post]);
    assert!(!lines[1].contains("# Jane Roe") && lines[1].contains(" on Hello world\""), "{}", lines[1]);
}
