//! Tests properties that hold for every HTML input: no panic, clean lines, independent blocks do not affect each other,
//! linear cost.

use super::super::tokenizer::{AttributeBuffer, Tokenizer};
use super::super::*;
use proptest::prelude::*;

/// Pieces of HTML that are hard to parse, combined at random.
const PIECES: [&str; 56] = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<a href='/x'>",
    "</a>",
    "<a>",
    "<b>",
    "</b>",
    "<i style='display:none'>",
    "</i>",
    "<table>",
    "<tr>",
    "<td>",
    "</td>",
    "</table>",
    "<ul>",
    "<li>",
    "</ul>",
    "<figure>",
    "<img src=1 alt=x>",
    "<figcaption>",
    "</figcaption>",
    "</figure>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mi>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<pre>\n",
    "</pre>",
    "<noscript>",
    "</noscript>",
    "<select>",
    "<option>",
    "<button>",
    "</button>",
    "<",
    "</",
    "&amp",
    "&#x",
    "\u{a0}",
    "\u{200b}",
    " \n ",
    "word",
    "漢",
    "\0",
    "\r\n",
    "<div style='display:flex'>",
    "<h1>",
    "<blockquote class=twitter-tweet>",
];

fn damaged() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat())
}

/// Figures in damaged tables, whose captions are cut out of the text.
fn figures() -> impl Strategy<Value = String> {
    let pieces = "<figure><img src=1>|</figure>|<figcaption>|</figcaption>|<table>|<tr>|<td>|</td>|</table>|<p>|</p>|<br>|\u{a0}| |word";
    prop::collection::vec(prop::sample::select(pieces.split('|').collect::<Vec<_>>()), 0..25)
        .prop_map(|pieces| pieces.concat())
}

fn texts() -> [Options; 4] {
    let rendered = Options::default();
    [
        rendered.clone(),
        Options { keep_captions: true, without_tables: true, paragraphs: true, ..rendered.clone() },
        Options { strip_shortcodes: true, ..rendered.clone() },
        Options { wpextract: true, ..rendered },
    ]
}

proptest! {
    #![proptest_config(crate::cases::cases(2000))]

    #[test]
    fn nothing_panics_and_a_used_extractor_is_as_new(html in damaged(), other in damaged()) {
        for options in texts() {
            let fresh = Extractor::new(options.clone()).content(&html, None);
            let mut used = Extractor::new(options);
            used.content(&other, None);
            used.text(&other);
            prop_assert_eq!(used.content(&html, None), fresh);
        }
    }

    #[test]
    fn any_characters_are_taken(html in "\\PC{0,80}|[<>/a-z =\"'!\\-&;#\\[\\]\n]{0,120}") {
        for options in texts() {
            Extractor::new(options).content(&html, None);
        }
    }

    #[test]
    fn lines_are_clean(html in prop_oneof![damaged(), figures()]) {
        let html = html.replace("<pre>\n", "<p>"); // a pre keeps the author's lines
        let text = Extractor::new(Options::default()).content(&html, None).text;
        for line in text.split('\n') {
            prop_assert_eq!(line.trim(), line);
            prop_assert!(text.is_empty() || !line.is_empty());
            prop_assert!(!line.contains("  ") && !line.contains('\r') && !line.contains('\0'));
        }
    }

    #[test]
    fn normalising_twice_is_normalising_once(text in "[a-z \t\n\u{a0}\u{2003}\u{200b}<&]{0,80}") {
        let mut extractor = Extractor::new(Options::default());
        let once = extractor.text(&htmlize::escape_text(&*text));
        // Each line becomes a paragraph, because line ends in HTML's text would be read as spaces.
        let lines: Vec<String> = once.split('\n').map(|line| format!("<p>{}</p>", htmlize::escape_text(line))).collect();
        prop_assert_eq!(extractor.text(&lines.concat()), once);
    }

    #[test]
    fn independent_blocks_are_independent(words in prop::collection::vec("[a-z]{1,5}( [a-z]{1,5}){0,3}", 1..8)) {
        let mut extractor = Extractor::new(Options::default());
        let blocks = ["<p>W</p>", "<div><a href=/x>W</a></div>", "<ul><li>W</ul>", "<h2>W</h2>", "<pre>W</pre>", "<figure>W</figure>"];
        let parts: Vec<String> = words.iter().enumerate().map(|(n, word)| blocks[n % blocks.len()].replace('W', word)).collect();
        let joined = parts.concat();
        let whole = extractor.content(&joined, None);
        let apart: Vec<Extracted> = parts.iter().map(|part| extractor.content(part, None)).collect();
        prop_assert_eq!(whole.text, apart.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join("\n"));
        prop_assert_eq!(whole.links, apart.into_iter().flat_map(|e| e.links).collect::<Vec<_>>());
    }
}

/// A fragment of about `n` units.
type Shape = fn(usize) -> String;

/// Inputs that were slow in other parsers; the cost of each must stay linear in its length.
const SHAPES: [(&str, Shape); 14] = [
    ("flat", |n| "<p>some words and <b>more</b></p>".repeat(n)),
    ("nested divs", |n| "<div>".repeat(n) + &"x</div>".repeat(n)),
    ("unclosed spans", |n| "<span>x".repeat(n)),
    ("unclosed paragraphs with a link", |n| "<a href=/x>".to_owned() + &"<p>x".repeat(n)),
    ("unclosed links", |n| "<a href=/x>x".repeat(n)),
    ("images in one figure", |n| format!("<figure>{}<figcaption>c</figcaption></figure>", "<img src=x>".repeat(n))),
    ("nested figures", |n| "<figure><img src=x>".repeat(n) + "<figcaption>c"),
    ("nested tables", |n| "<table><tr><td>x".repeat(n)),
    ("unclosed tables", |n| "<table>x".repeat(n)),
    ("empty cells", |n| format!("<table><tr>{}</table>", "<td>".repeat(n))),
    ("misnested", |n| "<b><i><a href=x><div></b></a>".repeat(n)),
    ("end tags", |n| "<p>".to_owned() + &"</div></b></zz></a>".repeat(n)),
    ("references and brackets", |n| "&amp &#8217; < [a [b=c]".repeat(n)),
    ("comments and quotes", |n| "<!-- <a href='".repeat(n)),
];

#[test]
fn big_shapes_end_and_their_results_grow_no_faster_than_they() {
    for options in texts() {
        for (name, shape) in SHAPES {
            let size = |n: usize| {
                let html = shape(n);
                let found = Extractor::new(options.clone()).content(&html, None);
                let links: usize = found.links.iter().map(|l| l.text.as_deref().unwrap_or_default().len() + 40).sum();
                (html.len(), found.text.len() + links + found.images.len())
            };
            let ((_, small), (length, large)) = (size(4_000), size(8_000));
            assert!(large <= 2 * small + 4096, "{name}: {small} then {large}");
            assert!(large <= 20 * length, "{name}: {large} of {length}");
        }
    }
}

#[test]
fn tokens_are_no_more_than_bytes() {
    for (name, shape) in SHAPES {
        let html = shape(5_000);
        let mut tokenizer = Tokenizer::new(&html, AttributeBuffer::default());
        while tokenizer.next().is_some() {}
        assert!(tokenizer.steps <= html.len() + 1, "{name}");
    }
}
