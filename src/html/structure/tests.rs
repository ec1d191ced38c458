//! Tests of the document structure: a listener that checks the guarantees, on hand-written and on random HTML.

use super::*;
use proptest::prelude::*;

/// A listener that checks every guarantee of [`Listener`].
#[derive(Default)]
struct Strict {
    blocks: Vec<Block>,
    spans: Vec<String>,
    /// Whether each open block holds anything.
    filled: Vec<bool>,
}

fn is_leaf(block: Block) -> bool {
    use Block::{Caption, Cell, Heading, Paragraph, Preformatted};
    matches!(block, Paragraph | Caption | Heading(_) | Preformatted | Cell { .. })
}

impl Strict {
    fn content(&mut self) {
        assert!(self.blocks.last().is_some_and(|block| is_leaf(*block)), "{:?}", self.blocks);
        self.fill();
    }

    fn fill(&mut self) {
        if let Some(filled) = self.filled.last_mut() {
            *filled = true;
        }
    }
}

impl Listener for Strict {
    fn open(&mut self, block: Block) {
        let fits = match (self.blocks.last(), block) {
            (Some(Block::List(_)), Block::Item | Block::Term) => true,
            (Some(Block::Table), Block::Row) | (Some(Block::Row), Block::Cell { .. }) => true,
            (_, Block::Item | Block::Term | Block::Row | Block::Cell { .. }) => false,
            (None | Some(Block::Quote | Block::Item | Block::Term), _) => true,
            _ => false,
        };
        assert!(fits, "{block:?} in {:?}", self.blocks);
        self.fill();
        self.blocks.push(block);
        self.filled.push(matches!(block, Block::Cell { .. }));
        assert!(self.blocks.len() < DEPTH * 2 + 8);
    }

    fn close(&mut self, block: Block) {
        assert_eq!(self.blocks.pop(), Some(block));
        assert!(self.spans.is_empty() && self.filled.pop() == Some(true), "{block:?}");
    }

    fn open_span(&mut self, span: Span<'_>) {
        self.content();
        let span = format!("{span:?}");
        let kind = |span: &str| span.split('(').next().unwrap().to_owned();
        assert!(
            self.spans.iter().all(|open| kind(open) != kind(&span) && open != "Code"),
            "{span} in {:?}",
            self.spans
        );
        self.spans.push(span);
    }

    fn close_span(&mut self, span: Span<'_>) {
        assert_eq!(self.spans.pop(), Some(format!("{span:?}")));
    }

    fn text(&mut self, text: &str) {
        self.content();
        assert!(!text.is_empty());
        assert!(!text.contains('\n') || self.blocks.last() == Some(&Block::Preformatted), "{text:?}");
    }

    fn line_break(&mut self) {
        self.content();
    }

    fn image(&mut self, picture: Picture<'_>) {
        self.content();
        assert!(!picture.url.is_empty() && !self.spans.iter().any(|span| span == "Code"));
    }

    fn rule(&mut self) {
        assert!(self.blocks.last().is_none_or(|block| matches!(block, Block::Quote | Block::Item | Block::Term)));
        self.fill();
    }
}

#[track_caller]
fn check(html: &str) {
    let mut strict = Strict::default();
    Structure::default().read(html, PageUrl::parse("http://a.example/").as_ref(), &mut strict);
    assert!(strict.blocks.is_empty());
}

#[test]
fn deep_and_misnested_contents_are_well_nested() {
    for html in [
        "<ul><li>".repeat(2000),
        "<b><i><code>x</b>".repeat(2000),
        "<table><tr><td>x".repeat(700),
        "<hr><li><hr><dd><img src=x>".repeat(9),
    ] {
        check(&html);
    }
}

#[test]
fn the_hand_written_contents_are_well_nested() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/content");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "html") {
            check(&std::fs::read_to_string(path).unwrap());
        }
    }
}

/// Elements that are hard to nest, combined at random.
const NAMES: [&str; 40] = [
    "p",
    "div",
    "a href=/x",
    "a href=/y",
    "a",
    "b",
    "i",
    "s",
    "sup",
    "sub",
    "code",
    "kbd",
    "br",
    "hr",
    "ul",
    "ol start=3",
    "li",
    "dl",
    "dt",
    "dd",
    "blockquote",
    "h1",
    "h2",
    "table",
    "tbody",
    "tr",
    "td",
    "th",
    "caption",
    "table role=none",
    "figure",
    "figcaption",
    "img src=/i",
    "pre",
    "img src='data:,'",
    "noscript",
    "p class=wp-caption-text",
    "span style='display:block'",
    "p hidden",
    "p style='white-space:pre-line'",
];

proptest! {
    #![proptest_config(crate::cases::cases(3000))]
    #[test]
    fn damaged_contents_are_well_nested(
        pieces in prop::collection::vec((prop::sample::select(&NAMES[..]), 0..5_u8), 0..40)
    ) {
        let piece = |(name, kind): &(&str, u8)| match kind {
            0 => format!("</{}>", name.split(' ').next().unwrap()),
            1 => " x\ny&nbsp;\n".to_owned(),
            _ => format!("<{name}>"),
        };
        check(&pieces.iter().map(piece).collect::<String>());
    }
}
