use super::*;
use crate::html::{Extractor, Options};
use crate::urls::PageUrl;
use proptest::prelude::*;

fn body(html: &str) -> String {
    let mut body = Body::default();
    let page = PageUrl::parse("http://a.example/x/");
    Structure::default().read(html, page.as_ref(), &mut body);
    body.finish();
    body.out
}

/// The text of XML, without descriptions of images; panics if tags do not match.
fn text_of(xml: &str) -> String {
    let mut text = String::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some((before, tail)) = rest.split_once('<') {
        if !open.contains(&"desc") {
            text.push_str(before);
        }
        let (tag, tail) = tail.split_once('>').expect("a tag ends");
        rest = tail;
        let name = tag.trim_matches('/').split([' ', '/']).next().unwrap();
        match tag {
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "in {xml}"),
            _ if tag.ends_with('/') => {}
            _ => open.push(name),
        }
        if !matches!(name, "hi" | "ref" | "del" | "graphic" | "desc") {
            text.push('\n');
        }
    }
    assert!(open.is_empty(), "{open:?} in {xml}");
    text.push_str(rest);
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[track_caller]
fn same_words(html: &str) {
    let options = Options { keep_captions: true, ..Options::default() };
    let shown = Extractor::new(options).content(html, None).text;
    let xml = body(html);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (mut read, mut shown) = (words(&text_of(&xml)), words(&shown));
    if html.contains("<table") {
        // Text between the cells of a table is a cell of its own, but without a space.
        (read, shown) = (vec![read.concat()], vec![shown.concat()]);
    }
    assert_eq!(read, shown, "{html}\n{xml}");
}

#[test]
fn structure_is_kept() {
    for (html, expected) in [
        ("<p>a<br>b</p>", "<p>a<lb/>b</p>\n"),
        (
            "<h2>A</h2>b<h3>C</h3><h2>D</h2>",
            "<div type=\"section\">\n<head rend=\"h2\">A</head>\n<p>b</p>\n<div type=\"section\">\n<head rend=\"h3\">C</head>\n\
            </div>\n</div>\n<div type=\"section\">\n<head rend=\"h2\">D</head>\n</div>\n",
        ),
        ("<blockquote><h2>a</h2></blockquote>", "<quote>\n<ab type=\"head\" rend=\"h2\">a</ab>\n</quote>\n"),
        (
            "<ol start=3><li>a<ul><li>b</ul></ol>",
            "<list rend=\"numbered\">\n<item n=\"3\"><p>a</p>\n<list rend=\"bulleted\">\n<item><p>b</p>\n</item>\n</list>\n\
            </item>\n</list>\n",
        ),
        (
            "<table><tr><th>a<td></table>",
            "<table>\n<row>\n<cell role=\"label\">a</cell>\n<cell></cell>\n</row>\n</table>\n",
        ),
        (
            "<a href='/y?a&amp;b'>c</a><img src=/z alt='\"d\"'>",
            "<p><ref target=\"http://a.example/y?a&amp;b\">c</ref><graphic url=\"http://a.example/z\"><desc>\"d\"</desc></graphic></p>\n",
        ),
        ("<pre>\na\n b</pre>", "<ab type=\"pre\" xml:space=\"preserve\">a\n b</ab>\n"),
        ("<hr>", "<milestone unit=\"section\" rend=\"rule\"/>\n"),
        ("<b>a</b><code>b</code>", "<p><hi rend=\"bold\">a</hi><hi rend=\"code\">b</hi></p>\n"),
        ("a&lt;b&gt;&amp;c\u{1}\u{fffe}d&#11;e", "<p>a&lt;b&gt;&amp;c\u{fffd}\u{fffd}d e</p>\n"),
    ] {
        assert_eq!(body(html), expected, "{html}");
    }
}

#[test]
fn a_date_that_is_not_a_time_has_no_attribute() {
    for (date, expected) in [
        ("2023-09-08T07:30:00Z", "<date when=\"2023-09-08T07:30:00Z\">2023-09-08</date>"),
        ("2023-09-08", "<date when=\"2023-09-08\">2023-09-08</date>"),
        ("2023-02-30T07:30:00Z", "<date>2023-02-30</date>"),
        ("soon", "<date>soon</date>"),
    ] {
        let mut out = String::new();
        super::write_date(Some(date), None, &mut out);
        assert_eq!(out, expected);
    }
}

#[test]
fn the_hand_written_contents_keep_their_words() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/content");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // XML does not allow form feeds.
        let html = std::fs::read_to_string(&path).unwrap();
        if path.extension().is_some_and(|e| e == "html") && !html.contains('\u{c}') {
            same_words(&html);
        }
    }
}

/// Pieces that cause problems when combined at random.
const PIECES: [&str; 48] = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<a href='/x y'>",
    "</a>",
    "<a href='/y'>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<code>",
    "</code>",
    "<br>",
    "<hr>",
    "<table>",
    "<tr>",
    "<td>",
    "<th>",
    "</td>",
    "</table>",
    "<caption>",
    "<ul>",
    "<ol>",
    "<li>",
    "</li>",
    "</ul>",
    "<dl>",
    "<dt>",
    "<dd>",
    "<blockquote>",
    "</blockquote>",
    "<h1>",
    "</h1>",
    "<h3>",
    "</h3>",
    "<figure>",
    "<img src=1 alt='<x>'>",
    "<figcaption>",
    "</figcaption>",
    "</figure>",
    "<pre>\n",
    "</pre>",
    "&amp;",
    "&nbsp;",
    " \n ",
    "word",
    "]]>",
];

proptest! {
    #![proptest_config(crate::cases::cases(2000))]
    #[test]
    fn damaged_contents_keep_their_words(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        same_words(&pieces.concat());
    }
}
