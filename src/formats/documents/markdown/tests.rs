use super::*;
use crate::html::{Extractor, Options};
use crate::urls::PageUrl;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options as Extensions, Parser, Tag, TagEnd};

fn markdown(html: &str) -> String {
    let mut writer = Writer::default();
    let page = PageUrl::parse("http://a.example/x/");
    Structure::default().read(html, page.as_ref(), &mut writer);
    writer.finish()
}

/// The words that a CommonMark parser reads, without alternative texts and URLs.
fn words_read(markdown: &str) -> Vec<String> {
    let mut text = String::new();
    let mut images = 0;
    for event in Parser::new_ext(markdown, Extensions::ENABLE_TABLES | Extensions::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            Event::Text(words) | Event::Code(words) if images == 0 => text.push_str(&words),
            Event::SoftBreak | Event::HardBreak | Event::Rule => text.push('\n'),
            Event::InlineHtml(tag) | Event::Html(tag) => match &*tag {
                "<br>" => text.push('\n'),
                "<!-- -->" => {}
                tag => {
                    let name = tag.trim_start_matches("</").trim_start_matches('<').trim_end_matches('>');
                    assert!(["em", "strong", "del", "sup", "sub"].contains(&name), "{tag} in {markdown}");
                }
            },
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::CodeBlock
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::BlockQuote(_),
            )
            | Event::Start(Tag::List(_)) => text.push('\n'),
            _ => {}
        }
    }
    text.split_whitespace().map(str::to_owned).collect()
}

/// The words of the rendered text, including tables and captions.
fn words_shown(html: &str) -> Vec<String> {
    let options = Options { keep_captions: true, ..Options::default() };
    let text = Extractor::new(options).content(html, None).text;
    text.split_whitespace().map(str::to_owned).collect()
}

#[track_caller]
fn same_words(html: &str) {
    let markdown = markdown(html);
    let (mut read, mut shown) = (words_read(&markdown), words_shown(html));
    if html.contains("<table") {
        // Text between the cells of a table is a cell of its own, but without a space.
        (read, shown) = (vec![read.concat()], vec![shown.concat()]);
    }
    let differs = read.iter().zip(&shown).position(|(a, b)| a != b).unwrap_or(read.len().min(shown.len()));
    let around = |words: &[String]| {
        words[differs.saturating_sub(3).min(words.len())..].iter().take(8).cloned().collect::<Vec<_>>()
    };
    assert!(read == shown, "read {:?}\nshown {:?}\n{html}\n-----\n{markdown}", around(&read), around(&shown));
}

#[test]
fn structure_is_kept() {
    for (html, expected) in [
        ("<h2>A <em>b</em></h2><p>c<br>d</p>", "## A *b*\n\nc\\\nd\n"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>d</p>", "- a\n- b\n  - c\n\nd\n"),
        ("<ol start=9><li>a</li><li><p>b</p><p>c</p></li></ol>", "9. a\n10. b\n\n    c\n"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n+ b\n"),
        ("<blockquote><p>a</p><ul><li>b</ul></blockquote><blockquote>c</blockquote>", "> a\n>\n> - b\n\n> c\n"),
        ("<pre>\nfn a() {\n    ```\n}</pre>x", "````\nfn a() {\n    ```\n}\n````\n\nx\n"),
        ("a <code>b`c</code> d", "a ``b`c`` d\n"),
        ("<a href='/y?a=1&amp;b=2'>z</a>", "[z](http://a.example/y?a=1&b=2)\n"),
        ("<a href='mailto:a@b'>z</a> <a name=x>y</a>", "[z](mailto:a@b) y\n"),
        ("<hr><p>a</p>", "***\n\na\n"),
        ("<b>a</b><b>b</b> <i> c </i>d <s>e</s>", "**ab** *c* d ~~e~~\n"),
        ("x<sup>2</sup>", "x<sup>2</sup>\n"),
        ("<dl><dt>a<dd>b</dl>", "- a\n- b\n"),
        (
            "<table><tr><th>a<th>b<tr><td>c|d<td><br>e<br>f<td></table>",
            "| a | b | |\n| --- | --- | --- |\n| c\\|d | e<br>f | |\n",
        ),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb\n"),
        (
            "<figure><img data-src=/i.png src='data:,' alt='a [b]'><figcaption>c</figcaption></figure>",
            "![a \\[b\\]](http://a.example/i.png)\n\nc\n",
        ),
        ("<img src='data:,' alt=x><noscript><img src=/j.png></noscript>", "![x](http://a.example/j.png)\n"),
        ("<a href=/z><img src=/k_1.png></a>", "[![](http://a.example/k_1.png)](http://a.example/z)\n"),
        ("a<script>b</script><p style='display:none'>c</p><form><button>d</button>e</form>", "a\n\ne\n"),
        ("a<br><br>b", "a\n\nb\n"),
        ("<li>a</li>", "- a\n"),
        ("<ul>a<li>b</ul>", "- a\n- b\n"),
        ("a<ol><li><table><tr><td></table><li>b</ol>", "a\n\n2. b\n"),
        ("a<ul><li><ul><li><table><tr><td></table></ul>b</ul>", "a\n\n- b\n"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
        same_words(html);
    }
}

#[test]
fn what_looks_like_markup_is_text() {
    for text in [
        "- a",
        "+ a",
        "* a",
        "1. a",
        "12) a",
        "# a",
        "###",
        "> a",
        "---",
        "===",
        "a\n===",
        "a | b\n--- | ---",
        "***",
        "_a_",
        "*a*",
        "**a**",
        "`a`",
        "~~a~~",
        "[a](b)",
        "![a](b)",
        "[a]: b",
        "<b>",
        "&amp;",
        "&#35;",
        "a\\",
        "\\*",
        "    a",
        "```\na",
        "~~~\na",
        "<!-- a -->",
        "a_b_c",
        "http://a.example/_x_",
        "|a|\n|-|",
        ":-|",
        "1.",
        "-",
        "!",
        "a *",
        "2 * 3 * 4",
        "snake_case_",
        "_",
        "www.a.example",
        "$a$",
        "a  \nb",
        "\u{a0}a\u{a0}",
        "[^1]",
        "(c)",
        "-\n-",
        "1986\\. A",
    ] {
        let html = text.replace('&', "&amp;").replace('<', "&lt;");
        for (before, after) in [
            ("<p>", "</p>"),
            ("<p>x<br>", "</p>"),
            ("<ul><li>", "</ul>"),
            ("<h2>", "</h2>"),
            ("<h2>a ", "</h2>"),
            ("<blockquote>", "</blockquote>"),
            ("<table><tr><td>", "<td>x</table>"),
            ("<pre>", "</pre>"),
            ("<b>", "</b>x"),
            ("x<b>", "</b>"),
            ("x <i>", "</i> y"),
            ("<code>", "</code>"),
            ("<a href=/x>", "</a>"),
            ("", "<a href=/x>y</a>"),
            ("<p style='white-space:pre-wrap'>", "</p>"),
        ] {
            same_words(&format!("{before}{html}{after}"));
        }
    }
}

#[test]
fn emphasis_is_read_as_such_wherever_it_stands() {
    for html in [
        "a<b>\"b\"</b>c",
        "<b><i>a</i></b>",
        "<b>a<i>b</i></b>c",
        "<i>a</i><b>b</b>",
        "<b>a</b><i>b</i><b>c</b>",
        "<i>a <b>b</b> c</i>",
        "<i><b>a</b> b</i>",
        "<i>a <b>b</b></i>c",
        "a<i>b</i>c<i>d</i>",
        "<b>&nbsp;a&nbsp;</b>b",
        "<b><a href=/x>a</a></b>b",
        "<a href=/x><b>a</b></a>",
        "<b><code>a</code></b>b",
        "<b>a<br>b</b>",
        "<b><p>a<p>b</b>",
        "<s>a</s><s>b</s>~",
        "<b>*</b><i>*</i>",
        "<i>_</i>a",
        "«<i>a</i>»<b>–b–</b>x",
        "<code>a</code>`<code>b</code>",
        "<code>`</code>",
        "<code> a </code>",
        "<a href=/x>a<img src=/y>b</a>",
        "<b>a<img src=/y></b>b",
    ] {
        same_words(html);
        let read = markdown(html);
        let spans = Parser::new_ext(&read, Extensions::ENABLE_STRIKETHROUGH)
            .filter(|event| match event {
                Event::Start(Tag::Strong | Tag::Emphasis | Tag::Strikethrough) => true,
                Event::InlineHtml(tag) => !tag.starts_with("</") && !tag.starts_with("<!"),
                _ => false,
            })
            .count();
        let wanted =
            if html.contains("<p>") { 2 } else { ["<b>", "<i>"].map(|tag| html.matches(tag).count()).iter().sum() };
        assert!(spans >= wanted, "{html}: {spans} of {wanted} in {read}");
    }
}

#[test]
fn depth_and_repetition_cost_no_more_than_their_length() {
    for html in [
        "<blockquote><p>x".repeat(3000),
        "<ul><li>x".repeat(3000),
        "<b><i>x".repeat(3000),
        format!("<a href=/{}>", "y".repeat(20_000)) + &"<p>x".repeat(20_000),
        "<table><tr><td>x".repeat(2000),
        "<b>x</i>".repeat(5000),
    ] {
        let markdown = markdown(&html);
        assert!(markdown.len() < 20 * html.len() + 100_000, "{} from {}", markdown.len(), html.len());
    }
}

#[test]
fn front_matter_is_quoted_safely() {
    assert_eq!(quoted(None), "null");
    assert_eq!(quoted(Some("a: \"b\" \\ #\n\u{1}\u{85}\u{2028}é")), r##""a: \"b\" \\ #\n\u0001\u0085\u2028é""##);
    assert_eq!(list(&["a, b".to_owned(), "]".to_owned()]), r#"["a, b", "]"]"#);
}

#[test]
fn the_hand_written_contents_keep_their_words() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/content");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "html") {
            same_words(&std::fs::read_to_string(path).unwrap());
        }
    }
}

/// Fragments in NDJSON with a key `html` or `content.html`: `WPIPE_FRAGMENTS=FILE cargo test -- --ignored`.
#[test]
#[ignore = "reads a file that is not part of this repository"]
fn real_contents_keep_their_words() {
    let file = std::env::var("WPIPE_FRAGMENTS").unwrap();
    let mut wrong = 0;
    let mut count = 0;
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let html = [&record["html"], &record["content"]["html"]].into_iter().find_map(|html| html.as_str());
        let Some(html) = html else { continue };
        count += 1;
        if std::panic::catch_unwind(|| same_words(html)).is_err() {
            wrong += 1;
        }
    }
    assert!(wrong == 0 && count > 0, "{wrong} of {count}");
}

/// Pieces that cause problems when combined at random.
const PIECES: [&str; 74] = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<a href='/x'>",
    "</a>",
    "<a href='/y'>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<s>",
    "</s>",
    "<code>",
    "</code>",
    "<sup>",
    "</sup>",
    "<br>",
    "<br>",
    "<hr>",
    "<i style='display:none'>",
    "<table>",
    "<tr>",
    "<td>",
    "<th>",
    "</td>",
    "</tr>",
    "</table>",
    "<caption>",
    "<ul>",
    "<ol>",
    "<ol start=7>",
    "<li>",
    "</li>",
    "</ul>",
    "</ol>",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<blockquote>",
    "</blockquote>",
    "<h1>",
    "</h1>",
    "<h3>",
    "</h3>",
    "<figure>",
    "<img src=1 alt=x>",
    "<figcaption>",
    "</figcaption>",
    "</figure>",
    "<pre>\n",
    "</pre>",
    "<script>",
    "</script>",
    "<button>",
    "</button>",
    "<li style='display:inline'>",
    "&amp;",
    "&nbsp;",
    "\u{200b}",
    " \n ",
    " ",
    "word",
    "*",
    "_",
    "1. ",
    "- ",
    "`",
    "|",
    "~",
    "[",
    "!",
    "\\",
];

fn damaged() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, ..crate::cases::cases(3000) })]
    #[test]
    fn damaged_contents_keep_their_words(html in damaged()) {
        same_words(&html);
    }
}

/// 28 KB of HTML with one wide row made 8 MB.
#[test]
fn a_wide_row_does_not_widen_all_others() {
    let table = |n: usize| format!("<table><tr>{}</tr>{}</table>", "<td>a".repeat(n), "<tr><td>b<td>c</tr>".repeat(n));
    let lines = |n: usize| {
        let text = markdown(&table(n));
        (text.len(), text.lines().last().unwrap().to_owned())
    };
    assert_eq!(lines(4).1, "| b | c | | |");
    let ((some, _), (more, _)) = (lines(1_000), lines(4_000));
    assert!(more < 5 * some && some < 200_000, "{some} {more}");
}
